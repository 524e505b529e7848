/* shows_protected_range.c: allocations with CreateInVpr, and the others, on GPUs whose memory has a
 * protected range. protected-vpr-drm.def, obeyed.
 *
 *     page     0           64              128              256
 *     memory   |           |###############|                 |      # the range
 */
#include "unit/test_addressed.h"

#include <vidmm/engine.h>
#include <vidmm/lock2.h>
#include <wddm/d3dkmddi_segment.h>

#include "flag_words.h"
#include "rules.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

enum { LOW = 64, HIGH = 128, MANY = 6, PAGES = 32 };

#define RANGE "segment 2 memory 1M cpuvisible vpr 256K 256K\n"

static DRIVER_INITIALIZATION_DATA driver;
static uint32_t preferred, reserved_bytes; /* of wishes; VprReserveSize */
static uint32_t tables; /* updates of page tables in the segment with the range */

/* Page tables are nothing that is asked to be in the range. */
static NTSTATUS note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
        update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL &&
        update->PageTableAddress.GpuPhysical.SegmentId == 2) {
        uint64_t offset = update->PageTableAddress.GpuPhysical.SegmentOffset;

        tables++;
        assert_false(offset >= BYTES(LOW) && offset < BYTES(HIGH));
    }
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static NTSTATUS query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = driver.DxgkDdiQueryAdapterInfo(adapter, arguments);
    const DXGK_QUERYSEGMENTOUT4 *out = arguments->pOutputData;

    if (arguments->Type == DXGKQAITYPE_QUERYSEGMENT4 && out->pSegmentDescriptor != NULL)
        ((DXGK_SEGMENTDESCRIPTOR4 *)(void *)(out->pSegmentDescriptor +
                                             out->SegmentDescriptorStride))
            ->VprReserveSize = reserved_bytes;
    return status;
}

static void start_noted(const char *gpu)
{
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiQueryAdapterInfo = query;
    rig.driver.DxgkDdiBuildPagingBuffer = note;
    tables = 0;
    (void)second;
    begin();
}

static NTSTATUS try(struct rig_allocation *allocation, uint32_t pages, uint32_t set, uint32_t flags)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = flags,
                                            .size = BYTES(pages),
                                            .read_set = set,
                                            .write_set = set,
                                            .preferred = preferred,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    NTSTATUS status;

    memset(allocation, 0, sizeof(*allocation));
    status = vidmm_allocation_create(first.device, &wish, sizeof(wish), &allocation->handle,
                                     &rig.report);
    if (status == STATUS_SUCCESS) {
        allocation->id = ++rig.next_id;
        allocation->pages = pages;
    }
    return status;
}

static struct rig_allocation *of(uint32_t index, uint32_t pages, uint32_t flags)
{
    if (try(&rig.allocations[index], pages, MEMORY, flags) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    return &rig.allocations[index];
}

/* How many of its pages are in the range; all of them are in segment 2. */
static uint64_t in_range(const struct rig_allocation *allocation)
{
    uint64_t inside = 0, at = 0, size;

    for (; at < BYTES(allocation->pages); at += size) {
        struct vidmm_place place =
            vidmm_engine_where_at(rig.adapter->engine, allocation->handle->id, at, &size);

        assert_int_equal(place.segment, 2);
        assert_true(place.offset + size <= BYTES(256));
        for (uint64_t page = place.offset; page < place.offset + size; page += BYTES(1))
            inside += page >= BYTES(LOW) && page < BYTES(HIGH);
    }
    return inside;
}

static uint64_t taken(void)
{
    struct vidmm_segment_use use;

    vidmm_adapter_segment_use(rig.adapter, 2, &use);
    return use.taken;
}

/* Each is brought in, used, and leaves for another; two for the range are in place at a time. */
static void all_in_turn(uint32_t flags)
{
    uint64_t address[2 * MANY];

    for (uint32_t i = 0; i < 2 * MANY; i++) {
        of(i, PAGES, i % 2 == 0 ? flags | CREATE_IN_VPR : flags);
        if (i >= 4)
            evict(&first, rig.allocations[i - 4].handle);
        make(&first, rig.allocations[i].handle);
        address[i] = map(&first, rig.allocations[i].handle, AT + BYTES(64) * i);
    }
    for (uint32_t i = 2 * MANY - 4; i < 2 * MANY; i++)
        evict(&first, rig.allocations[i].handle);
    for (uint32_t round = 0; round < 5; round++)
        for (uint32_t i = 0; i < 2 * MANY; i++) {
            struct rig_allocation *one = &rig.allocations[(i * 5 + round) % (2 * MANY)];
            bool inside = (one - rig.allocations) % 2 == 0;

            make(&first, one->handle);
            touch(&first, one, address[one - rig.allocations], round % 2 == 0);
            assert_int_equal(in_range(one), inside ? PAGES : 0);
            evict(&first, one->handle);
        }
}

static void wherever_it_would_go(const char *gpu, uint32_t flags, uint32_t first_choice)
{
    preferred = first_choice;
    start_noted(gpu);
    all_in_turn(flags);
    assert_true(tables > 0);
    finish();
    preferred = 0;
}

/* The range has no room for a third, though its segment has. */
static void range_is_full(void)
{
    struct rig_allocation *one, *two, *three;
    uint64_t before;

    start_noted(RANGE);
    one = of(0, 32, CREATE_IN_VPR);
    two = of(1, 32, CREATE_IN_VPR);
    three = of(2, 1, CREATE_IN_VPR);
    before = taken();
    make(&first, one->handle);
    make(&first, two->handle);
    assert_int_equal(in_range(one) + in_range(two), HIGH - LOW);
    assert_int_equal(taken() - before, BYTES(HIGH - LOW)); /* told as of its segment */
    evict(&first, one->handle);
    make(&first, three->handle);
    assert_int_equal(in_range(three), 1);
    assert_int_equal(in_range(two), 32);
    finish();
}

/* VprReserveSize is the driver's: so many bytes of the range have nothing in them. */
static void some_is_reserved(void)
{
    struct rig_allocation *all;

    reserved_bytes = (uint32_t)BYTES(16);
    start_noted(RANGE);
    assert_int_equal(try(&rig.allocations[0], HIGH - LOW - 15, MEMORY, CREATE_IN_VPR),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    all = of(0, HIGH - LOW - 16, CREATE_IN_VPR);
    make(&first, all->handle);
    assert_int_equal(in_range(all), HIGH - LOW - 16);
    assert_int_not_equal(try(&rig.allocations[1], 193, MEMORY, 0), STATUS_SUCCESS);
    finish();
    reserved_bytes = 0;
}

/* No others are in it, though they have no other room. */
static void others_stay_out(void)
{
    struct rig_allocation *large;

    start_noted(RANGE);
    large = of(0, 160, 0);
    make(&first, large->handle);
    assert_int_equal(in_range(large), 0);
    assert_int_not_equal(try(&rig.allocations[1], 193, MEMORY, 0), STATUS_SUCCESS);
    finish();
}

/* The CPU sees the range as it sees the memory that the range is a part of: nothing moves. */
static void range_is_seen(void)
{
    struct rig_allocation *one;
    void *data;

    start_noted(RANGE);
    one = of(0, PAGES, CREATE_IN_VPR | CPU_VISIBLE);
    make(&first, one->handle);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_SUCCESS);
    assert_int_equal(in_range(one), PAGES);
    memset(data, 0x5a, BYTES(PAGES));
    assert_int_equal(in_range(one), PAGES);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    evict(&first, one->handle); /* what the CPU has written there leaves with it */
    of(1, 32, CREATE_IN_VPR);
    of(2, 32, CREATE_IN_VPR);
    make(&first, rig.allocations[1].handle);
    make(&first, rig.allocations[2].handle);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_SUCCESS);
    for (uint64_t at = 0; at < BYTES(PAGES); at++)
        assert_int_equal(((const unsigned char *)data)[at], 0x5a);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    finish();
}

/* Refusals leave nothing. */
static void is_not_created(const char *gpu, uint32_t pages, uint32_t set, uint32_t flags,
                           NTSTATUS status, const char *why)
{
    struct rig_allocation allocation;

    start_noted(gpu);
    assert_int_equal(try(&allocation, pages, set, flags), status);
    if (strstr(rig.report.text, why) == NULL)
        fail_msg("\"%s\" does not say %s", rig.report.text, why);
    of(0, 1, 0);
    finish();
}

/* With all of the segment in the range, no allocation is elsewhere. */
static void all_is_range(void)
{
    struct rig_allocation *one, *other;

    start("segment 2 memory 1M cpuvisible vpr 0 1M\n");
    one = of(0, PAGES, CREATE_IN_VPR);
    other = of(1, PAGES, 0);
    make(&first, one->handle);
    make(&first, other->handle);
    finish();
}

void shows_S3_023(void **state)
{
    (void)state;
    wherever_it_would_go(RANGE, 0, 0);
    wherever_it_would_go(RANGE, 0, 2);
    wherever_it_would_go(RANGE, 0, 2 | 0x20); /* from the end */
    wherever_it_would_go(RANGE, FROM_END, 0);
    wherever_it_would_go(RANGE "large_pages on\npages_64k dual\n", 0, 0);
    wherever_it_would_go(RANGE, ACCESSED_PHYSICALLY, 2);
    wherever_it_would_go(RANGE, ACCESSED_PHYSICALLY | FROM_END, 0);
    range_is_full();
    others_stay_out();
    some_is_reserved();
    range_is_seen();
    all_is_range();
    is_not_created(RANGE, 65, MEMORY, CREATE_IN_VPR, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "");
    is_not_created(RANGE, 1, APERTURE, CREATE_IN_VPR, STATUS_INVALID_PARAMETER,
                   "SupportedWriteSegmentSet is 1");
    is_not_created(BASE_MEMORY, 1, MEMORY, CREATE_IN_VPR, STATUS_INVALID_PARAMETER,
                   "(S3-023, D-231, D-233)");
    is_not_created(RANGE, 1, MEMORY, CREATE_IN_VPR | OVERLAY, STATUS_NOT_SUPPORTED,
                   "CreateInVpr (0x400) or HardwareProtected (0x20000) with Overlay");
}
