/* shows_addresses.c: programs on a GPU with page tables: gpuva.def, residency.def, segments.def,
 * deferred-destroy.def, usage-tracking.def and paging-aperture.def, obeyed, and broken by them.
 * Their memory has 256 pages, page tables included.
 */
#include "unit/test_addressed.h"

#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/residency.h>

#include "rules.h"

enum { PAGES = 32 };

/* The paging operations that the driver was asked for, as far as they are told apart here. */
enum { MOST_CALLS = 4096 };

static struct call {
    DXGK_BUILDPAGINGBUFFER_OPERATION operation;
    HANDLE process, allocation; /* of an update of a page table */
    HANDLE context;             /* ... and the one that runs it */
    uint32_t level, segment;    /* ... and where its first entry leads, if it is valid */
    bool valid, zero, large;    /* large: one of its entries is */
    DXGK_PAGETABLEUPDATEMODE mode;
} calls[MOST_CALLS];

static uint32_t call_count;
static DRIVER_INITIALIZATION_DATA driver;

static UINT entries_of(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return update->Flags.Repeat ? 1 : update->NumPageTableEntries;
}

static NTSTATUS note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct call *call = &calls[call_count++];

    assert_in_range(call_count, 1, MOST_CALLS - 1);
    *call = (struct call){.operation = arguments->Operation};
    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE) {
        const DXGK_PTE *entry = arguments->UpdatePageTable.pPageTableEntries;

        call->process = arguments->UpdatePageTable.hProcess;
        call->allocation = arguments->UpdatePageTable.hAllocation;
        call->context = arguments->hSystemContext;
        call->level = arguments->UpdatePageTable.PageTableLevel;
        call->valid = entry->Valid != 0;
        call->zero = entry->Zero != 0;
        call->segment = (uint32_t)entry->Segment;
        call->mode = arguments->UpdatePageTable.UpdateMode;
        for (UINT i = 0; i < entries_of(&arguments->UpdatePageTable); i++)
            call->large |= entry[i].LargePage != 0;
    }
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void start_noted(const char *gpu)
{
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = note;
    call_count = 0;
    begin();
}

static uint32_t count_of(uint32_t from, DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    uint32_t count = 0;

    for (; from < call_count; from++)
        count += calls[from].operation == operation;
    return count;
}

/* Updates of page tables by the newest context that is not the system's. */
static uint32_t count_behind_fences(uint32_t from)
{
    uint32_t count = 0;

    for (; from < call_count; from++)
        count += calls[from].operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
                 calls[from].context != calls[0].context;
    return count;
}

static void is_refused(NTSTATUS status, const char *words)
{
    if (status != STATUS_INVALID_PARAMETER || strstr(rig.report.text, words) == NULL)
        fail_msg("0x%08x: \"%s\" lacks \"%s\"", (unsigned)status, rig.report.text, words);
    rig.report.text[0] = '\0';
}

static struct vidmm_allocation *made(uint32_t index, uint32_t pages)
{
    create(&first, &rig.allocations[index], pages);
    make(&first, rig.allocations[index].handle);
    return rig.allocations[index].handle;
}

static NTSTATUS map_here(struct vidmm_allocation *allocation, uint64_t base, uint64_t size)
{
    uint64_t address = 0, value = 0;
    NTSTATUS status = ask_to_map(&first, allocation, base, 0, size, &address, &value);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(first.queue, value, &rig.report);
    assert_true(status != STATUS_SUCCESS || address == base);
    return status;
}

static NTSTATUS try_reserve(uint64_t base, uint64_t size)
{
    const struct vidmm_address_request request = {.base = base, .size = size};
    uint64_t address;

    return vidmm_reserve_addresses(first.device, NULL, &request, VIDMM_ADDRESSES_NO_ACCESS, 0,
                                   &address, NULL, &rig.report);
}

static NTSTATUS map_as(uint64_t base, uint64_t size, uint32_t state,
                       struct vidmm_allocation *allocation)
{
    const struct vidmm_address_request request = {.base = base, .size = size};
    const struct vidmm_address_use use = {.state = state, .allocation = allocation};
    uint64_t address = 0, value = 0;
    NTSTATUS status =
        vidmm_map_addresses(first.queue, &request, &use, &address, &value, &rig.report);

    return status == STATUS_PENDING ? vidmm_paging_queue_wait(first.queue, value, &rig.report)
                                    : status;
}

/* ---- deferred-destroy.def, gpuva.def --------------------------------------------------------- */

/* Two mappings, and a part of a reservation. */
void shows_D_184(void **state)
{
    struct vidmm_allocation *goes, *comes;

    (void)state;
    start("");
    goes = made(0, PAGES);
    comes = made(1, PAGES);
    assert_true(map(&first, goes, AT) == AT);
    assert_true(map(&first, goes, 2 * AT) == 2 * AT);
    assert_true(reserve(3 * AT, BYTES(2 * PAGES), VIDMM_ADDRESSES_NO_ACCESS) == 3 * AT);
    assert_int_equal(map_here(goes, 3 * AT, BYTES(PAGES)), STATUS_SUCCESS);
    is_refused(try_reserve(AT, BYTES(PAGES)), "base is");
    vidmm_allocation_destroy(goes);
    rig.allocations[0].handle = NULL;
    assert_int_equal(try_reserve(2 * AT, BYTES(PAGES)), STATUS_SUCCESS);
    assert_true(map(&first, comes, AT) == AT);
    assert_int_equal(map_here(comes, 3 * AT, BYTES(PAGES)), STATUS_SUCCESS);
    touch(&first, &rig.allocations[1], AT, true);
    touch(&first, &rig.allocations[1], 3 * AT, false);
    finish();
}

void shows_D_217(void **state)
{
    struct vidmm_allocation *one, *other;

    (void)state;
    start("");
    one = made(0, PAGES);
    other = made(1, PAGES);
    assert_int_equal(map_here(one, AT, BYTES(PAGES)), STATUS_SUCCESS);       /* all of it is free */
    is_refused(map_here(other, AT + BYTES(PAGES) - 4096, BYTES(PAGES)), ""); /* some of it is */
    is_refused(map_here(other, AT - BYTES(PAGES) + 4096, BYTES(PAGES)), ""); /* on either side */
    assert_int_equal(map_here(other, AT, BYTES(PAGES)), STATUS_SUCCESS);     /* of a mapping */
    touch(&first, &rig.allocations[1], AT, true);
    assert_int_equal(try_reserve(2 * AT, BYTES(4 * PAGES)), STATUS_SUCCESS);
    assert_int_equal(map_here(one, 2 * AT + BYTES(PAGES), BYTES(PAGES)), STATUS_SUCCESS);
    touch(&first, &rig.allocations[0], 2 * AT + BYTES(PAGES), true);
    assert_int_equal(map_as(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_NO_ACCESS, NULL), STATUS_SUCCESS);
    assert_int_equal(map_as(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_ZERO, NULL), STATUS_SUCCESS);
    is_refused(map_as(AT, BYTES(PAGES), VIDMM_ADDRESSES_NO_ACCESS, NULL), "D-217");
    is_refused(map_as(AT, BYTES(PAGES), VIDMM_ADDRESSES_ZERO, NULL), "D-217");
    is_refused(map_as(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_ZERO, one), "D-217");
    is_refused(map_as(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_NO_ACCESS, one), "D-217");
    is_refused(map_as(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_MAPPED, NULL), "D-217");
    touch(&first, &rig.allocations[1], AT, false); /* as before */
    finish();
}

void breaks_D_218(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    start("");
    one = made(0, PAGES);
    is_refused(map_here(one, AT + 512, 4096), "D-218");
    is_refused(map_here(one, AT, 4096 + 512), "D-218");
    is_refused(try_reserve(AT, 0x8000), "D-218");
    is_refused(try_reserve(AT + 0x8000, 0x10000), "D-218");
    assert_int_equal(map_here(one, AT, BYTES(PAGES)), STATUS_SUCCESS);
    is_refused(vidmm_free_addresses(first.device, AT + 512, 4096, &rig.report), "D-218");
    is_refused(vidmm_free_addresses(first.device, AT, 4096 - 512, &rig.report), "D-218");
    touch(&first, &rig.allocations[0], AT, false);
    finish();
}

void keeps_D_218(void **state)
{
    struct vidmm_address_request request = {
        .minimum = AT + 4096, .maximum = AT + BYTES(2 * PAGES), .size = BYTES(PAGES)};
    struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED};
    uint64_t address = 0, value = 0;
    NTSTATUS status;

    (void)state;
    start("");
    use.allocation = made(0, PAGES);
    status = vidmm_map_addresses(first.queue, &request, &use, &address, &value, &rig.report);
    passes(&first, status, value);
    assert_in_range(address, AT + 4096, AT + BYTES(PAGES));
    assert_int_equal(address % 4096, 0);
    touch(&first, &rig.allocations[0], address, false);
    assert_int_equal(vidmm_free_addresses(first.device, address, 4096, &rig.report), 0);
    assert_int_equal(try_reserve(2 * AT + 0x10000, 0x30000), STATUS_SUCCESS);
    finish();
}

/* Nobody waits between the three. */
void shows_D_220(void **state)
{
    uint64_t address, value;

    (void)state;
    start("");
    made(0, PAGES);
    made(1, PAGES);
    assert_int_equal(
        ask_to_map(&first, rig.allocations[0].handle, AT, 0, BYTES(PAGES), &address, &value),
        STATUS_PENDING);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(PAGES), &rig.report), 0);
    passes(&first, STATUS_PENDING, value); /* what was pending ends */
    assert_int_equal(try_reserve(AT, BYTES(PAGES)), STATUS_SUCCESS);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(PAGES), &rig.report), 0);
    assert_int_equal(
        ask_to_map(&first, rig.allocations[0].handle, AT, 0, BYTES(PAGES), &address, &value),
        STATUS_PENDING);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(PAGES), &rig.report), 0);
    assert_int_equal(
        ask_to_map(&first, rig.allocations[1].handle, AT, 0, BYTES(PAGES), &address, &value),
        STATUS_PENDING);
    assert_true(address == AT);
    touch(&first, &rig.allocations[1], AT, true);
    finish();
}

#define UNIQUE (UINT64_C(1) << 63)

static NTSTATUS map_protected(struct vidmm_allocation *allocation, uint64_t base, uint64_t offset,
                              uint64_t protection)
{
    const struct vidmm_address_request request = {.base = base, .size = BYTES(4)};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .allocation = allocation,
                                          .offset = offset,
                                          .driver_protection = protection};
    uint64_t address = 0, value = 0;
    NTSTATUS status =
        vidmm_map_addresses(first.queue, &request, &use, &address, &value, &rig.report);

    return status == STATUS_PENDING ? vidmm_paging_queue_wait(first.queue, value, &rig.report)
                                    : status;
}

void shows_D_221(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    start("");
    one = made(0, PAGES);
    assert_int_equal(try_reserve(AT, BYTES(PAGES)), STATUS_SUCCESS);
    assert_int_equal(map_protected(one, AT, 0, UNIQUE | 5), STATUS_SUCCESS);
    is_refused(map_protected(one, 2 * AT, 0, UNIQUE | 6), "");        /* of these pages */
    is_refused(map_protected(one, 2 * AT, BYTES(3), UNIQUE | 6), ""); /* of one of them */
    assert_int_equal(map_protected(one, 2 * AT, BYTES(4), UNIQUE | 6), STATUS_SUCCESS);
    assert_int_equal(map_protected(one, 3 * AT, 0, UNIQUE | 5), STATUS_SUCCESS);
    assert_int_equal(vidmm_free_addresses(first.device, 3 * AT, BYTES(4), &rig.report), 0);
    assert_int_equal(map_as(AT, BYTES(4), VIDMM_ADDRESSES_NO_ACCESS, NULL), STATUS_SUCCESS);
    assert_int_equal(map_protected(one, 4 * AT, 0, UNIQUE | 6), STATUS_SUCCESS); /* it is reset */
    assert_int_equal(map_protected(one, 5 * AT, BYTES(16), 7), STATUS_SUCCESS);
    assert_int_equal(map_protected(one, 6 * AT, BYTES(16), 8), STATUS_SUCCESS); /* none is unique */
    finish();
}

/* Eight pages four times; and as many as the size says. */
void shows_D_223(void **state)
{
    struct vidmm_address_use use = {
        .state = VIDMM_ADDRESSES_MAPPED, .access = VIDMM_ADDRESSES_WRITE, .period = BYTES(8)};
    uint64_t value = 0;
    NTSTATUS status;

    (void)state;
    start("");
    use.allocation = made(0, 8);
    assert_int_equal(try_reserve(AT, BYTES(64)), STATUS_SUCCESS);
    is_refused(vidmm_update_addresses(first.queue, AT, BYTES(31), &use, &value, &rig.report),
               "D-223");
    status = vidmm_update_addresses(first.queue, AT, BYTES(32), &use, &value, &rig.report);
    passes(&first, status, value);
    for (uint32_t part = 0; part < 4; part++)
        touch(&first, &rig.allocations[0], AT + BYTES(8 * part), part == 0);
    use.period = 0;
    is_refused(
        vidmm_update_addresses(first.queue, AT + BYTES(32), BYTES(9), &use, &value, &rig.report),
        ""); /* it has eight */
    status =
        vidmm_update_addresses(first.queue, AT + BYTES(32), BYTES(8), &use, &value, &rig.report);
    passes(&first, status, value);
    status =
        vidmm_update_addresses(first.queue, AT + BYTES(40), BYTES(8), &use, &value, &rig.report);
    passes(&first, status, value);
    touch(&first, &rig.allocations[0], AT + BYTES(32), false);
    touch(&first, &rig.allocations[0], AT + BYTES(40), true);
    finish();
}

void shows_W_022(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    start("");
    one = made(0, PAGES); /* nothing has said an address */
    assert_true(map(&first, one, AT + BYTES(7)) == AT + BYTES(7));
    assert_true(map(&first, one, 0x10000 + BYTES(64)) == 0x10000 + BYTES(64));
    is_refused(map_here(one, AT + BYTES(8), BYTES(PAGES)), ""); /* not free */
    touch(&first, &rig.allocations[0], AT + BYTES(7), true);
    begin_program(&second, 2); /* free in its process */
    create(&second, &rig.allocations[1], PAGES);
    make(&second, rig.allocations[1].handle);
    assert_true(map(&second, rig.allocations[1].handle, AT + BYTES(8)) == AT + BYTES(8));
    touch(&second, &rig.allocations[1], AT + BYTES(8), true);
    end_program(&second);
    finish();
}

/* ---- changes behind a fence ------------------------------------------------------------------ */

static struct vidmm_fence *fence_at(uint64_t value)
{
    struct vidmm_fence *fence = NULL;

    assert_int_equal(vidmm_fence_create(first.device, value, 0, &fence, &rig.report),
                     STATUS_SUCCESS);
    return fence;
}

static void come_to(struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    assert_int_equal(vidmm_fence_signal(first.device, &point, 1, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static NTSTATUS change_after(struct vidmm_fence *fence, uint64_t value,
                             const struct vidmm_address_operation *operations, uint32_t count)
{
    const struct vidmm_fence_point point = {fence, value};

    return vidmm_update_addresses_after(first.context, operations, count, &point, 0, &rig.report);
}

static struct vidmm_address_operation mapping_of(uint32_t index, uint64_t base)
{
    return (struct vidmm_address_operation){.base = base,
                                            .size = BYTES(rig.allocations[index].pages),
                                            .use = {.state = VIDMM_ADDRESSES_MAPPED,
                                                    .access = VIDMM_ADDRESSES_WRITE,
                                                    .allocation = rig.allocations[index].handle}};
}

static struct vidmm_address_operation copy_of(uint64_t base, uint64_t source, uint64_t pages)
{
    return (struct vidmm_address_operation){
        .base = base, .size = BYTES(pages), .copied = true, .source = source};
}

static uint32_t state_at(uint64_t address)
{
    struct vidmm_address_info info;

    assert_true(vidmm_find_addresses(rig.adapter, 1, 0, address, &info));
    return info.state;
}

/* Whether the changes stay in one reservation, and so the sources of copies. */
static void stays_in_one_reservation(struct vidmm_fence *fence)
{
    const uint64_t other = 2 * AT, mapped = 3 * AT;
    struct vidmm_address_operation two[] = {mapping_of(0, AT), mapping_of(0, other)};

    assert_true(reserve(other, BYTES(64), VIDMM_ADDRESSES_ZERO) == other);
    assert_true(map(&first, rig.allocations[1].handle, mapped) == mapped);
    is_refused(change_after(fence, 0, two, 2), "D-222");
    two[1] = mapping_of(0, mapped); /* obtained by mapping */
    is_refused(change_after(fence, 0, &two[1], 1), "D-222");
    two[0] = copy_of(AT, other, 1);
    two[1] = copy_of(AT + BYTES(1), AT + BYTES(32), 1);
    is_refused(change_after(fence, 0, two, 2), "D-222");
    assert_int_equal(state_at(AT), VIDMM_ADDRESSES_NO_ACCESS);
    assert_int_equal(vidmm_fence_value(fence), 0);
    two[1] = copy_of(AT + BYTES(1), other + BYTES(32), 1); /* the sources are of another */
    assert_int_equal(change_after(fence, 0, two, 2), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(state_at(AT + BYTES(1)), VIDMM_ADDRESSES_ZERO);
    assert_int_equal(vidmm_fence_value(fence), 1);
}

/* The context that draws and the changes take turns, by one fence. */
static void takes_turns_with_its_context(struct vidmm_fence *fence)
{
    struct vidmm_address_operation one = mapping_of(0, AT), other = mapping_of(1, AT);
    struct vidmm_fence_point point = {fence, 42};

    assert_int_equal(change_after(fence, 42, &one, 1), STATUS_SUCCESS);
    assert_int_equal(change_after(fence, 44, &other, 1), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(state_at(AT), VIDMM_ADDRESSES_NO_ACCESS);
    assert_true(vidmm_fence_value(fence) < 42);
    assert_int_equal(vidmm_context_signal_fences(first.context, &point, 1, &rig.report), 0);
    point.value = 43;
    assert_int_equal(vidmm_context_wait_for_fences(first.context, &point, 1, &rig.report), 0);
    touch(&first, &rig.allocations[0], AT, true);
    assert_int_equal(vidmm_fence_value(fence), 43);
    point.value = 44;
    assert_int_equal(vidmm_context_signal_fences(first.context, &point, 1, &rig.report), 0);
    point.value = 45;
    assert_int_equal(vidmm_context_wait_for_fences(first.context, &point, 1, &rig.report), 0);
    touch(&first, &rig.allocations[1], AT, true);
    assert_int_equal(vidmm_fence_value(fence), 45);
}

/* 128 wait; one more blocks until those before it are made, and is refused if nothing makes
 * them. */
static void blocks_beyond_128(struct vidmm_fence *fence)
{
    struct vidmm_address_operation one = mapping_of(1, AT);
    struct vidmm_fence_point point = {fence, 1000};
    uint64_t value;

    for (value = 1000; value < 1000 + 2 * VIDMM_WAITING_UPDATES; value += 2)
        assert_int_equal(change_after(fence, value, &one, 1), STATUS_SUCCESS);
    point.value = value;
    assert_int_equal(vidmm_update_addresses_after(first.context, &one, 1, &point,
                                                  VIDMM_UPDATE_DO_NOT_BLOCK, &rig.report),
                     STATUS_DEVICE_BUSY);
    assert_int_equal(change_after(fence, value, &one, 1), STATUS_TIMEOUT);
    point.value = 1000;
    assert_non_null(strstr(rig.report.text, "128 changes"));
    queue_touch(&first, &rig.allocations[1], AT, false); /* the GPU is at work: it will come */
    assert_int_equal(vidmm_context_signal_fences(first.context, &point, 1, &rig.report), 0);
    assert_true(vidmm_fence_value(fence) < 1000);
    assert_int_equal(change_after(fence, value, &one, 1), STATUS_SUCCESS);
    assert_true(vidmm_fence_value(fence) >= 1001);
    for (uint64_t next = 1002; next <= value; next += 2)
        come_to(fence, next);
    assert_int_equal(vidmm_fence_value(fence), value + 1);
}

static struct vidmm_fence *start_with_two(void)
{
    struct vidmm_fence *fence;

    start("");
    fence = fence_at(0);
    made(0, 8);
    made(1, 8);
    assert_true(reserve(AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    return fence;
}

void shows_D_222(void **state)
{
    struct vidmm_fence *fence;

    (void)state;
    stays_in_one_reservation(start_with_two());
    finish();
    fence = start_with_two();
    takes_turns_with_its_context(fence);
    blocks_beyond_128(fence);
    finish();
}

static uint32_t written; /* updates of page tables, when a fence had told of them */

static void count_written(void *argument, NTSTATUS status)
{
    assert_int_equal(status, STATUS_SUCCESS);
    written = count_behind_fences(*(const uint32_t *)argument);
}

/* The order of the copy counts, behind what is queued before it; and the wait of one that waits. */
void shows_W_029(void **state)
{
    struct vidmm_address_operation copy;
    struct vidmm_fence_notice notice;
    struct vidmm_fence_point point;
    uint64_t value;
    NTSTATUS status;
    uint32_t from;

    (void)state;
    start_noted("");
    point = (struct vidmm_fence_point){fence_at(6), 8};
    notice = (struct vidmm_fence_notice){count_written, &from};
    made(0, PAGES);
    assert_true(reserve(AT, BYTES(4 * PAGES), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    assert_int_equal(map_here(rig.allocations[0].handle, AT, BYTES(PAGES)), STATUS_SUCCESS);
    from = call_count;
    status =
        vidmm_copy_addresses(first.queue, AT + BYTES(PAGES), BYTES(PAGES), AT, &value, &rig.report);
    passes(&first, status, value);
    assert_true(count_of(from, DXGK_OPERATION_UPDATE_PAGE_TABLE) > 0);
    touch(&first, &rig.allocations[0], AT + BYTES(PAGES), true);
    copy = copy_of(AT + BYTES(2 * PAGES), AT, PAGES);
    from = call_count;
    assert_int_equal(change_after(point.fence, 7, &copy, 1), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(count_behind_fences(from), 0);
    written = 0;
    assert_int_equal(vidmm_fence_notify(first.device, &point, 1, false, &notice, &rig.report), 0);
    come_to(point.fence, 7);
    assert_true(written > 0);
    assert_int_equal(count_of(0, DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES), 0);
    touch(&first, &rig.allocations[0], AT + BYTES(2 * PAGES), true);
    finish();
}

/* ---- paging-pagetable.def -------------------------------------------------------------------- */

/* 3 MiB of addresses at a border of 2 MiB: a GPU without large pages sees none, one with them none
 * in a leaf. */
void shows_D_123(void **state)
{
    static const char *const gpus[] = {"", "large_pages on\n"};

    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        uint32_t leaves = 0, tables = 0;

        start_noted(gpus[on]);
        for (uint32_t index = 0; index < 6; index++)
            assert_int_equal(
                map_here(made(index, 32), AT + BYTES(512 - 96 + 32 * index), BYTES(32)),
                STATUS_SUCCESS);
        touch(&first, &rig.allocations[2], AT + BYTES(512 - 96 + 64), true);
        touch(&first, &rig.allocations[3], AT + BYTES(512), true);
        for (uint32_t index = 0; index < call_count; index++) {
            if (calls[index].operation != DXGK_OPERATION_UPDATE_PAGE_TABLE)
                continue;
            leaves += calls[index].level == 0 && calls[index].valid;
            tables += calls[index].level > 0 && calls[index].valid;
            assert_false(calls[index].large && (calls[index].level == 0 || on == 0));
        }
        assert_true(leaves > 0 && tables > 0);
        finish();
    }
}

/* Tables that the CPU writes are copied by writing them. */
void shows_D_130(void **state)
{
    uint64_t value;
    NTSTATUS status;
    uint32_t from;

    (void)state;
    start_noted("page_table_update cpu_virtual\npage_table_segment 0\n");
    made(0, PAGES);
    assert_true(reserve(AT, BYTES(2 * PAGES), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    assert_int_equal(map_here(rig.allocations[0].handle, AT, BYTES(PAGES)), STATUS_SUCCESS);
    from = call_count;
    status =
        vidmm_copy_addresses(first.queue, AT + BYTES(PAGES), BYTES(PAGES), AT, &value, &rig.report);
    passes(&first, status, value);
    assert_int_equal(count_of(0, DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES), 0);
    assert_true(count_of(from, DXGK_OPERATION_UPDATE_PAGE_TABLE) > 0);
    for (; from < call_count; from++)
        if (calls[from].operation == DXGK_OPERATION_UPDATE_PAGE_TABLE)
            assert_int_equal(calls[from].mode, DXGK_PAGETABLEUPDATE_CPU_VIRTUAL);
    touch(&first, &rig.allocations[0], AT + BYTES(PAGES), true);
    finish();
}

/* ---- residency.def, usage-tracking.def ------------------------------------------------------- */

/* Mapped while it is nowhere, after it was somewhere, and moved while it is mapped. */
void shows_D_253(void **state)
{
    struct vidmm_allocation *one;

    (void)state;
    start("");
    create(&first, &rig.allocations[0], PAGES);
    one = rig.allocations[0].handle;
    assert_true(map(&first, one, AT) == AT);
    make(&first, one);
    touch(&first, &rig.allocations[0], AT, true);
    evict(&first, one);
    assert_true(reserve(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_NO_ACCESS) == 2 * AT);
    assert_int_equal(update(2 * AT, BYTES(PAGES), VIDMM_ADDRESSES_MAPPED, one, 0), STATUS_SUCCESS);
    make(&first, one);
    touch(&first, &rig.allocations[0], 2 * AT, true);
    touch(&first, &rig.allocations[0], AT, false);
    finish();
}

static bool is_in_memory(uint32_t index)
{
    const struct vidmm_selection one = {.allocations = &rig.allocations[index].handle,
                                        .allocation_count = 1};
    enum vidmm_residency residency;

    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_query_residency(&one, &residency, &rig.report), STATUS_SUCCESS);
    return residency != VIDMM_NOT_RESIDENT;
}

/* The program evicts it, as often as it counts and no oftener, and it stays in memory. */
static void evicted_and_held(uint32_t index, uint32_t flags)
{
    struct vidmm_allocation *one = rig.allocations[index].handle;

    assert_int_equal(vidmm_evict(first.device, &one, 1, flags, NULL, &rig.report), STATUS_SUCCESS);
    assert_true(is_in_memory(index));
    assert_int_equal(vidmm_evict(first.device, &one, 1, 0, NULL, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-194"));
}

/* The list of the device takes as much as there is: what it does not name leaves. */
static void all_memory_is_wanted(void)
{
    struct vidmm_residency_result result;
    struct rig_allocation *most = &rig.allocations[4];
    NTSTATUS status = STATUS_NO_MEMORY;

    for (uint32_t pages = 256; status == STATUS_NO_MEMORY; pages--) {
        create(&first, most, pages);
        status = vidmm_make_resident(first.queue, &most->handle, 1, 0, &result, &rig.report);
        if (status == STATUS_NO_MEMORY)
            vidmm_allocation_destroy(most->handle);
    }
    passes(&first, status, result.value);
    assert_true(most->pages > 128);
    evict(&first, most->handle);
    vidmm_allocation_destroy(most->handle);
    most->handle = NULL;
    vidmm_machine_settle(rig.machine);
}

/* 0 is mapped by a queued change, 1 is what copied addresses lead to, 2 is of neither. */
static void held_until_it_is_made(struct vidmm_fence *fence)
{
    struct vidmm_address_operation changes[] = {mapping_of(0, AT),
                                                copy_of(AT + BYTES(8), AT + BYTES(16), 8)};

    assert_int_equal(
        update(AT + BYTES(16), BYTES(8), VIDMM_ADDRESSES_MAPPED, rig.allocations[1].handle, 0),
        STATUS_SUCCESS);
    assert_int_equal(change_after(fence, 42, changes, 2), STATUS_SUCCESS);
    evict(&first, rig.allocations[2].handle);
    assert_false(is_in_memory(2));
    evicted_and_held(0, 0);
    evicted_and_held(1, VIDMM_EVICT_NOT_WRITTEN_TO);
    all_memory_is_wanted();
    assert_true(is_in_memory(0) && is_in_memory(1));
    come_to(fence, 42);
    assert_int_equal(state_at(AT), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(state_at(AT + BYTES(8)), VIDMM_ADDRESSES_MAPPED);
    assert_false(is_in_memory(0) || is_in_memory(1));
    make(&first, rig.allocations[1].handle); /* an eviction is one again */
    touch(&first, &rig.allocations[1], AT + BYTES(8), true);
    evict(&first, rig.allocations[1].handle);
    assert_false(is_in_memory(1));
}

/* The second change copies what the first one maps: held until both are made. The program wants 0
 * again meanwhile, which then stays. */
static void held_as_long_as_one_is_queued(struct vidmm_fence *fence)
{
    struct vidmm_address_operation mapping = mapping_of(0, AT), copy = copy_of(2 * AT, AT, 8);
    struct vidmm_address_operation other = mapping_of(3, 2 * AT + BYTES(8));

    make(&first, rig.allocations[0].handle);
    assert_int_equal(change_after(fence, 44, &mapping, 1), STATUS_SUCCESS);
    assert_int_equal(change_after(fence, 46, &copy, 1), STATUS_SUCCESS);
    assert_int_equal(change_after(fence, 48, &other, 1), STATUS_SUCCESS);
    evicted_and_held(0, VIDMM_EVICT_ONLY_IF_NECESSARY);
    evicted_and_held(3, 0);
    come_to(fence, 44);
    assert_true(is_in_memory(0));
    all_memory_is_wanted();
    assert_true(is_in_memory(0));
    make(&first, rig.allocations[3].handle);
    come_to(fence, 46);
    assert_true(is_in_memory(0)); /* it need not leave at once */
    all_memory_is_wanted();
    assert_false(is_in_memory(0));
    come_to(fence, 48);
    assert_true(is_in_memory(3));
    touch(&first, &rig.allocations[3], 2 * AT + BYTES(8), true);
    evict(&first, rig.allocations[3].handle);
    assert_false(is_in_memory(3));
}

/* Changes that are never made hold nothing once they are given up: with their context, or when the
 * allocation is on no list to begin with. */
static void not_held_by_what_is_given_up(struct vidmm_fence *fence)
{
    struct vidmm_address_operation mapping = mapping_of(0, AT);

    assert_int_equal(change_after(fence, 1000, &mapping, 1), STATUS_SUCCESS);
    assert_false(is_in_memory(0)); /* it is not put on the list */
    make(&first, rig.allocations[0].handle);
    evicted_and_held(0, 0);
    vidmm_context_destroy(first.context);
    assert_false(is_in_memory(0));
    first.context = NULL;
}

void shows_D_203(void **state)
{
    struct vidmm_fence *fence;

    (void)state;
    start("");
    fence = fence_at(0);
    for (uint32_t index = 0; index < 4; index++)
        made(index, 8);
    assert_true(reserve(AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == AT);
    assert_true(reserve(2 * AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == 2 * AT);
    held_until_it_is_made(fence);
    held_as_long_as_one_is_queued(fence);
    not_held_by_what_is_given_up(fence);
    finish();
}

static unsigned resets; /* of an engine */

static NTSTATUS count_reset(HANDLE adapter, DXGKARG_RESETENGINE *arguments)
{
    resets++;
    return driver.DxgkDdiResetEngine(adapter, arguments);
}

/* One program's fault is no reason for it. */
static NTSTATUS never_reset(HANDLE adapter)
{
    fail_msg("the adapter is reset");
    return driver.DxgkDdiResetFromTimeout(adapter);
}

/* A program that uses an address which means nothing resident: its device ends, and no other. */
static void faults_at(const char *gpu, uint64_t address, void (*prepare)(void))
{
    struct softgpu_statistics before, after;

    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiResetEngine = count_reset;
    rig.driver.DxgkDdiResetFromTimeout = never_reset;
    resets = 0;
    rig.options.adapter.timeout_ms = 2000;
    begin();
    begin_program(&second, 2);
    create(&first, &rig.allocations[0], PAGES);
    create(&second, &rig.allocations[1], PAGES);
    make(&second, rig.allocations[1].handle);
    map(&second, rig.allocations[1].handle, AT);
    prepare();
    softgpu_device_statistics(rig.gpu, &before);
    touch_and_fault(&first, &rig.allocations[0], address);
    softgpu_device_statistics(rig.gpu, &after);
    assert_int_equal(after.page_faults, before.page_faults + 1);
    assert_int_not_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    assert_int_not_equal(submit(&first, sizeof(struct softgpu_virtual_touch)), STATUS_SUCCESS);
    assert_int_equal(resets, strstr(gpu, "stands") != NULL ? 1 : 0);
    assert_int_equal(vidmm_device_condition(second.device, &rig.report), STATUS_SUCCESS);
    touch(&second, &rig.allocations[1], AT, true);
    end_program(&second);
    end_program(&first);
    rig_finish(&rig);
}

static void map_what_is_nowhere(void)
{
    map(&first, rig.allocations[0].handle, AT);
}

static void map_nothing(void)
{
}

static void map_and_evict(void)
{
    make(&first, rig.allocations[0].handle);
    map(&first, rig.allocations[0].handle, AT);
    evict(&first, rig.allocations[0].handle);
}

void shows_D_202(void **state)
{
    (void)state;
    for (uint32_t stands = 0; stands < 2; stands++) { /* ... until the engine is reset */
        faults_at(stands ? "page_fault stands\nengine_reset on\n" : "", AT, map_what_is_nowhere);
        faults_at(stands ? "page_fault stands\nengine_reset on\n" : "", AT, map_nothing);
    }
}

/* The driver reports it, and the device ends for that reason. */
void shows_D_227(void **state)
{
    (void)state;
    faults_at("", AT, map_nothing);
    faults_at("page_fault stands\nengine_reset on\n", AT, map_nothing);
}

void breaks_D_199(void **state)
{
    (void)state;
    faults_at("", AT, map_and_evict);
}

/* Work that was queued before the eviction finds it; and it may be used again when it is back. */
void keeps_D_199(void **state)
{
    (void)state;
    start("");
    made(0, PAGES);
    map(&first, rig.allocations[0].handle, AT);
    softgpu_device_hang(rig.gpu, 0, 0, true);
    queue_touch(&first, &rig.allocations[0], AT, true);
    evict(&first, rig.allocations[0].handle);
    assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
    make(&first, rig.allocations[0].handle);
    touch(&first, &rig.allocations[0], AT, false);
    finish();
}

static NTSTATUS submit_written(struct vidmm_allocation *const *primaries, uint32_t count)
{
    const struct vidmm_command command = {.address = first.address,
                                          .length = sizeof(struct softgpu_virtual_touch),
                                          .written_primaries = primaries,
                                          .written_primary_count = count};
    struct softgpu_virtual_touch *words = (void *)first.bytes;
    NTSTATUS status;

    if (first.value != 0)
        assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
    *words = (struct softgpu_virtual_touch){.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)},
                                            .seed = RIG_SEED};
    status = vidmm_submit_command(first.context, &command, true, &first.value, &rig.report);
    return status == STATUS_SUCCESS ? vidmm_context_wait(first.context, first.value) : status;
}

void shows_D_093(void **state)
{
    struct vidmm_allocation *one, *two[2];

    (void)state;
    start("");
    one = made(0, 4);
    create(&first, &rig.allocations[1], 4);
    assert_int_equal(submit_written(&one, 1), STATUS_SUCCESS);
    two[0] = one;
    two[1] = rig.allocations[1].handle; /* never on the list */
    is_refused(submit_written(two, 2), "D-093");
    make(&first, two[1]);
    assert_int_equal(submit_written(two, 2), STATUS_SUCCESS);
    evict(&first, one);
    is_refused(submit_written(two, 2), "D-093");
    is_refused(submit_written(&one, 1), "D-093");
    assert_int_equal(vidmm_device_condition(first.device, &rig.report), STATUS_SUCCESS);
    finish();
}

/* ---- segments.def, paging-aperture.def ------------------------------------------------------- */

/* The commands of a program lie in the aperture segment, that is, in system memory. */
void shows_D_020(void **state)
{
    uint32_t found = 0;

    (void)state;
    start_noted("");
    for (uint32_t index = 0; index < call_count; index++)
        found += calls[index].operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
                 calls[index].level == 0 && calls[index].valid && calls[index].segment == 0;
    assert_true(found > 0);
    assert_int_equal(count_of(0, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    made(0, PAGES);
    map(&first, rig.allocations[0].handle, AT);
    touch(&first, &rig.allocations[0], AT, true); /* the GPU fetches them there */
    finish();
}

void shows_W_015(void **state)
{
    (void)state;
    start_noted("paging_buffer_segment 1\n");
    for (uint32_t index = 0; index < 8; index++) {
        create(&first, &rig.allocations[index], 60);
        map(&first, rig.allocations[index].handle, 0);
    }
    for (uint32_t round = 0; round < 2; round++) { /* by way of system memory */
        for (uint32_t index = 0; index < 8; index++) {
            make(&first, rig.allocations[index].handle);
            evict(&first, rig.allocations[index].handle);
        }
    }
    assert_true(count_of(0, DXGK_OPERATION_VIRTUAL_TRANSFER) > 0);
    assert_int_equal(count_of(0, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    assert_int_equal(count_of(0, DXGK_OPERATION_MAP_APERTURE_SEGMENT2), 0);
    assert_int_equal(count_of(0, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 0);
    finish();
}

/* More pages than any hole has, and as many as all holes together; nobody makes room. */
void shows_D_021(void **state)
{
    struct vidmm_allocation *piece[12];
    uint32_t from;

    (void)state;
    start_noted("");
    for (uint32_t index = 0; index < 11; index++) {
        piece[index] = made(index, 20);
        map(&first, piece[index], 0);
    }
    for (uint32_t index = 0; index < 10; index += 2) { /* five holes of 20 */
        evict(&first, piece[index]);
        vidmm_allocation_destroy(piece[index]);
        rig.allocations[index].handle = NULL;
    }
    vidmm_machine_settle(rig.machine);
    from = call_count;
    made(11, 96);
    map(&first, rig.allocations[11].handle, AT);
    assert_int_equal(count_of(from, DXGK_OPERATION_VIRTUAL_TRANSFER), 0);
    touch(&first, &rig.allocations[11], AT, true);
    touch(&first, &rig.allocations[1], map(&first, piece[1], 0), true); /* it did not move */
    touch(&first, &rig.allocations[11], AT, false);
    finish();
}
