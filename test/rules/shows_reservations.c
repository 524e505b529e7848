/* shows_reservations.c: gpuva.def: addresses that are reserved, and mean no memory. */
#include "unit/test_addressed.h"

#include <vidmm/engine.h>

#include "rules.h"

enum { RESERVED = 4096 }; /* pages: the memory has 256 */

/* A page that nobody has written, as the GPU checks it. */
static struct rig_allocation nothing_written = {.pages = 1, .id = 0x7777};

static uint64_t taken(void)
{
    struct vidmm_segment_use use;

    vidmm_adapter_segment_use(rig.adapter, MEMORY, &use);
    return use.taken;
}

/* Reserve 16 MiB, and look at the state of all of it. Answers how much memory that took. */
static uint64_t reserve_in(uint32_t state)
{
    uint64_t before = taken();
    struct vidmm_address_info info;

    assert_true(reserve(AT, BYTES(RESERVED), state) == AT);
    assert_true(vidmm_find_addresses(rig.adapter, 1, 0, AT, &info));
    assert_int_equal(info.state, state);
    assert_true(info.start == AT && info.end == AT + BYTES(RESERVED));
    assert_int_equal(info.allocation, 0);
    return taken() - before;
}

static void faults_in(const char *gpu, uint32_t state)
{
    start(gpu);
    assert_in_range(reserve_in(state), 0, BYTES(12)); /* tables: eight leaves, and those above */
    touch_and_fault(&first, &nothing_written, AT + BYTES(RESERVED - 1));
    assert_int_not_equal(vidmm_device_condition(first.device, NULL), STATUS_SUCCESS);
    end_program(&first);
    rig_finish(&rig);
}

static void is_unknown_to_others(void)
{
    struct vidmm_address_info info;

    begin_program(&second, 2);
    assert_true(!vidmm_find_addresses(rig.adapter, 2, 0, AT, &info) || info.start != AT);
    end_program(&second);
}

void shows_D_224(void **state)
{
    static const char *const gpus[] = {"zero_pte on\n", "zero_pte off\n"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        faults_in(gpus[i], VIDMM_ADDRESSES_NO_ACCESS);
        faults_in(gpus[i], VIDMM_ADDRESSES_NO_COMMIT);
        start(gpus[i]);
        assert_in_range(reserve_in(VIDMM_ADDRESSES_ZERO), 0, BYTES(13)); /* and a page of zeros */
        touch(&first, &nothing_written, AT, false);
        touch(&first, &nothing_written, AT + BYTES(RESERVED - 1), false);
        is_unknown_to_others();
        finish();
    }
}

/* ---- the driver protection of a reservation -------------------------------------------------- */

enum { NOTED = 64 }; /* pages from AT on, of which the newest entry is kept */

static struct {
    uint64_t protection;
    bool valid, writable;
    uint32_t segment; /* 0: the page of zeroes */
} noted[NOTED];

static DRIVER_INITIALIZATION_DATA driver;

static NTSTATUS note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;

    if (arguments->Operation != DXGK_OPERATION_UPDATE_PAGE_TABLE || update->PageTableLevel != 0 ||
        update->FirstPteVirtualAddress < AT)
        return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
    for (UINT i = 0; i < update->NumPageTableEntries; i++) {
        const DXGK_PTE *entry = &update->pPageTableEntries[update->Flags.Repeat ? 0 : i];
        uint64_t page = (update->FirstPteVirtualAddress - AT) / VIDMM_PAGE_SIZE + i;

        if (page >= NOTED)
            continue;
        noted[page].protection = update->DriverProtection;
        noted[page].valid = entry->Valid;
        noted[page].segment = (uint32_t)entry->Segment;
        noted[page].writable = !entry->ReadOnly;
    }
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void reserve_protected(uint64_t base, uint64_t protection)
{
    const struct vidmm_address_request request = {.base = base, .size = BYTES(16)};
    uint64_t address = 0, value = 0;
    NTSTATUS status =
        vidmm_reserve_addresses(first.device, first.queue, &request, VIDMM_ADDRESSES_ZERO,
                                protection, &address, &value, &rig.report);

    passes(&first, status, value);
}

/* MapProtect says a protection; Map is one that says read, write and 0. */
static void map_protected(uint64_t base, struct vidmm_allocation *allocation, uint64_t pages,
                          uint32_t access, uint64_t protection)
{
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = access,
                                          .driver_protection = protection,
                                          .allocation = allocation};
    uint64_t value = 0;
    NTSTATUS status =
        vidmm_update_addresses(first.queue, base, BYTES(pages), &use, &value, &rig.report);

    passes(&first, status, value);
}

static void copy(uint64_t base, uint64_t source, uint64_t pages)
{
    uint64_t value = 0;
    NTSTATUS status =
        vidmm_copy_addresses(first.queue, base, BYTES(pages), source, &value, &rig.report);

    passes(&first, status, value);
}

/* The entries of some pages, as the driver was asked for them last. */
static void are(uint32_t page, uint32_t end, bool mapped, uint64_t protection)
{
    for (; page < end; page++) {
        assert_true(noted[page].valid);
        assert_int_equal(noted[page].segment, mapped ? MEMORY : 0);
        assert_true(noted[page].protection == protection);
        assert_int_equal(noted[page].writable, mapped);
    }
}

/* Three reservations of 16 pages, with protections of their own. */
void shows_D_267(void **state)
{
    const uint64_t unique = UINT64_C(1) << 63 | 0x21;
    struct vidmm_allocation *one, *other;

    (void)state;
    build("zero_pte off\n"); /* so that zeroes are entries of leaves */
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = note;
    begin();
    memset(noted, 0, sizeof(noted));
    create(&first, &rig.allocations[0], 16);
    create(&first, &rig.allocations[1], 16);
    one = rig.allocations[0].handle;
    other = rig.allocations[1].handle;
    make(&first, one);
    make(&first, other);
    reserve_protected(AT, 0x11);
    reserve_protected(AT + BYTES(16), 0x12);
    reserve_protected(AT + BYTES(32), 0x13);
    are(0, 16, false, 0x11); /* chosen when it was reserved */
    are(16, 32, false, 0x12);
    map_protected(AT, one, 8, VIDMM_ADDRESSES_WRITE, 0); /* a plain Map */
    are(0, 8, true, 0);
    are(8, 16, false, 0x11);
    assert_int_equal(update(AT, BYTES(2), VIDMM_ADDRESSES_ZERO, NULL, 0), STATUS_SUCCESS);
    are(0, 2, false, 0x11); /* an Unmap inherits */
    are(2, 8, true, 0);
    copy(AT + BYTES(16), AT, 12); /* a copy does: zeroes, pages, and zeroes */
    are(16, 18, false, 0x12);
    are(18, 24, true, 0x12);
    are(24, 28, false, 0x12);
    copy(AT + BYTES(32), AT + BYTES(18), 2);
    are(32, 34, true, 0x13);
    map_protected(AT + BYTES(36), other, 4, VIDMM_ADDRESSES_WRITE, unique);
    copy(AT + BYTES(4), AT + BYTES(36), 4); /* but a unique one is that of all mappings (D-221) */
    are(4, 8, true, unique);
    assert_int_equal(update(AT + BYTES(4), BYTES(4), VIDMM_ADDRESSES_ZERO, NULL, 0),
                     STATUS_SUCCESS);
    are(4, 8, false, 0x11);
    finish();
}
