/* shows_paging_residency_notify.c: paging-residency-notify.def, obeyed. */
#include "flag_words.h"
#include "placed.h"
#include "unit/test_by_address.h"

enum { NOTIFIED_PAGES = 160, /* more than one chunk of a transfer */ NOTIFIED_SEGMENT = 2 };

/* How often the driver was told of that residency of an allocation, and how often of another. */
static unsigned count_told(const struct vidmm_allocation *allocation, bool resident)
{
    unsigned count = 0;

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_NOTIFY_RESIDENCY)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *told = &by_calls[at].build.NotifyResidency;

        assert_ptr_equal(told->hAllocation, allocation->h_allocation);
        count += (told->Resident != 0) == resident;
    }
    return count;
}

/* Two allocations, of which the second is notified: they come and go. */
static struct vidmm_allocation *begin_notified(struct vidmm_allocation **plain)
{
    const uint32_t flags = EXPLICIT_RESIDENCY_NOTIFICATION | ACCESSED_PHYSICALLY;

    by_start(BY_GPU "index_bits 7 8 6 6\n");
    *plain = by_create(NOTIFIED_PAGES * UINT64_C(4096), 2);
    return by_create_flagged(NOTIFIED_PAGES * UINT64_C(4096), 2, flags);
}

static void finish_notified(struct vidmm_allocation *plain, struct vidmm_allocation *notified)
{
    vidmm_allocation_destroy(plain);
    vidmm_allocation_destroy(notified);
    by_finish();
}

static void come_and_go(struct vidmm_allocation *one)
{
    by_make_resident(one->id);
    by_wait();
    by_evict(one->id);
    by_wait();
}

void shows_S3_032(void **state)
{
    struct vidmm_allocation *plain, *notified;

    (void)state;
    notified = begin_notified(&plain);
    for (unsigned round = 1; round <= 3; round++) {
        come_and_go(plain);
        come_and_go(notified);
        assert_int_equal(count_told(notified, true), round);
        assert_int_equal(count_told(notified, false), round);
    }
    finish_notified(plain, notified);
}

/* Whether the driver was asked for a transfer or a fill in [from, end). */
static bool moves_between(unsigned from, unsigned end)
{
    return by_next(from, DXGK_OPERATION_VIRTUAL_TRANSFER) < end ||
           by_next(from, DXGK_OPERATION_VIRTUAL_FILL) < end;
}

/* The number of the call that tells of residency next: it must be that one. */
static unsigned find_told(unsigned from, bool resident, uint32_t segment)
{
    unsigned at = by_next(from, DXGK_OPERATION_NOTIFY_RESIDENCY);

    assert_true(at < by_count);
    assert_int_equal(by_calls[at].build.NotifyResidency.Resident, resident);
    assert_int_equal(by_calls[at].build.NotifyResidency.PhysicalAddress.SegmentId, segment);
    return at;
}

/* Filled and evicted, then transferred in, each in more than one chunk. */
void shows_D_141(void **state)
{
    struct vidmm_allocation *plain, *notified;
    unsigned from = 0, at;

    (void)state;
    notified = begin_notified(&plain);
    for (unsigned round = 0; round < 2; round++) {
        from = by_count;
        by_make_resident(notified->id);
        by_wait();
        at = find_told(from, true, NOTIFIED_SEGMENT);
        assert_true(moves_between(from, at));
        assert_false(moves_between(at, by_count));
        from = by_count;
        by_evict(notified->id);
        by_wait();
        at = find_told(from, false, 0);
        assert_false(moves_between(from, at));
        assert_true(moves_between(at, by_count));
    }
    finish_notified(plain, notified);
}

/* Calls of that operation in [from, by_count). */
static unsigned count_asked(unsigned from, UINT operation)
{
    unsigned count = 0, at;

    for (at = from; (at = by_next(at, operation)) < by_count; at++)
        count++;
    return count;
}

/* One call since then, that tells of that residency; answers it. */
static const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *told_once(unsigned from, bool resident)
{
    assert_int_equal(count_asked(from, DXGK_OPERATION_NOTIFY_RESIDENCY), 1);
    return &by_calls[find_told(from, resident, resident ? NOTIFIED_SEGMENT : 0)]
                .build.NotifyResidency;
}

/* Transferred in and out in more than one chunk. An allocation that has left is nowhere. */
void shows_D_142(void **state)
{
    struct vidmm_allocation *plain, *notified;
    unsigned from;

    (void)state;
    notified = begin_notified(&plain);
    by_make_resident(plain->id); /* the range that begins at 0 is its */
    by_wait();
    come_and_go(notified); /* filled */
    for (unsigned round = 0; round < 2; round++) {
        from = by_count;
        by_make_resident(notified->id);
        by_wait();
        assert_true(count_asked(from, DXGK_OPERATION_VIRTUAL_TRANSFER) > 1);
        assert_int_not_equal(told_once(from, true)->PhysicalAddress.SegmentOffset, 0);
        from = by_count;
        by_evict(notified->id);
        by_wait();
        assert_true(count_asked(from, DXGK_OPERATION_VIRTUAL_TRANSFER) > 1);
        assert_int_equal(told_once(from, false)->PhysicalAddress.SegmentOffset, 0);
    }
    finish_notified(plain, notified);
}

void shows_S0_061(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation one, other;
    struct shown shown;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};

    (void)state;
    flags.ExplicitResidencyNotification = 1;
    assert_int_equal(flags.Value, 0x10000);
    placed_init(&shown, NULL, NULL);
    wish.flags = EXPLICIT_RESIDENCY_NOTIFICATION | ACCESSED_PHYSICALLY;
    placed_now(&shown, &one, &wish);
    assert_int_equal(shown_findings(&shown, "S0-061"), 1);
    wish.flags = 0;
    placed_now(&shown, &other, &wish); /* the first is evicted */
    placed_use(&shown, &one, 0);
    assert_int_equal(shown_findings(&shown, "S0-061"), 1);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_NOTIFY_RESIDENCY), 0);
    shown_finish(&shown);
}

/* ---- NotifyAllocation ------------------------------------------------------------------------ */

enum {
    CHUNK_PAGES = 128,
    EVICTED_PAGES = CHUNK_PAGES + 40, /* more than the scratch range maps at once */
    WRITTEN = 0x5a6b7c8d,
};

static bool notices; /* what is created from here on asks for them */

static void with_notices(DXGK_ALLOCATIONINFO *info)
{
    info->Flags2.NotifyEviction = notices;
}

/* A driver that writes all of what is about to leave, in place of its own commands. */
static NTSTATUS build_and_write(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC told = arguments->NotifyAllocation;
    NTSTATUS status;

    if (arguments->Operation != DXGK_OPERATION_NOTIFY_ALLOC)
        return by_build(adapter, arguments);
    by_note(DXGK_OPERATION_NOTIFY_ALLOC)->build = *arguments;
    arguments->Operation = DXGK_OPERATION_VIRTUAL_FILL;
    arguments->FillVirtual = (DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL){
        .hAllocation = told.hAllocation,
        .FillSizeInBytes = told.SizeInBytes,
        .FillPattern = WRITTEN,
        .DestinationVirtualAddress = told.GpuVirtualAddressAtOffset};
    status = by_driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
    arguments->Operation = DXGK_OPERATION_NOTIFY_ALLOC;
    arguments->NotifyAllocation = told;
    return status;
}

static void bend_notices(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.change = with_notices;
    shown_bend_creation(driver);
    driver->DxgkDdiBuildPagingBuffer = build_and_write;
}

/* Whether all words of its backing store are what that driver writes. */
static bool is_written(const struct vidmm_allocation *allocation)
{
    for (uint64_t page = 0; page < allocation->backing.pages; page++) {
        uint64_t frame = vidmm_backing_frame(&allocation->backing, page * VIDMM_PAGE_SIZE);
        const uint32_t *words =
            vidmm_machine_memory(by_rig.machine, frame << VIDMM_PAGE_SHIFT, VIDMM_PAGE_SIZE);

        assert_non_null(words);
        for (unsigned word = 0; word < VIDMM_PAGE_SIZE / sizeof(*words); word++)
            if (words[word] != WRITTEN)
                return false;
    }
    return true;
}

/* An update of the paging process's entries for what is told, valid or not. */
static void is_update(const struct by_call *call, const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *told,
                      bool valid)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &call->build.UpdatePageTable;

    assert_int_equal(call->what, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    assert_ptr_equal(update->hProcess, by_rig.adapter->system_process->h_process);
    assert_int_equal(update->FirstPteVirtualAddress, told->GpuVirtualAddressAtOffset);
    assert_int_equal(update->NumPageTableEntries * (UINT64)VIDMM_PAGE_SIZE, told->SizeInBytes);
    for (unsigned page = 0; page < (valid ? update->NumPageTableEntries : 1); page++)
        assert_int_equal(call->entries[page].Valid, valid);
    if (valid)
        assert_ptr_equal(update->hAllocation, told->hAllocation);
}

/* Operations on both sides of call `at`, without those that the notice has nothing to do with. */
static void is_mapped_around(unsigned at)
{
    const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *told = &by_calls[at].build.NotifyAllocation;
    unsigned behind = at + 1;

    assert_true(at >= 2);
    is_update(&by_calls[at - 2], told, true);
    assert_int_equal(by_calls[at - 1].what, DXGK_OPERATION_FLUSH_TLB);
    while (behind < by_count && by_calls[behind].what == BY_SUBMIT)
        behind++;
    assert_true(behind + 1 < by_count);
    is_update(&by_calls[behind], told, false);
    assert_int_equal(by_calls[behind + 1].what, DXGK_OPERATION_FLUSH_TLB);
}

/* It leaves: a notice for each chunk, mapped and executed. */
static void leaves_with_notices(const struct vidmm_allocation *allocation)
{
    unsigned at = by_count, count = 0;
    UINT64 offset = 0;

    by_evict(allocation->id);
    by_wait();
    for (; (at = by_next(at, DXGK_OPERATION_NOTIFY_ALLOC)) < by_count; at++, count++) {
        const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *told = &by_calls[at].build.NotifyAllocation;

        assert_ptr_equal(told->hAllocation, allocation->h_allocation);
        assert_null(told->hKmdProcessHandle);
        assert_int_equal(told->Flags.Value, 1); /* Eviction */
        assert_int_equal(told->OffsetInBytes, offset);
        is_mapped_around(at);
        offset += told->SizeInBytes;
    }
    assert_int_equal(offset, EVICTED_PAGES * (UINT64)VIDMM_PAGE_SIZE);
    assert_int_equal(count, 2);
    assert_true(is_written(allocation)); /* executed, and then unmapped */
}

/* It comes and leaves, and nobody is told. */
static void leaves_without_notice(struct vidmm_allocation *allocation, bool destroyed)
{
    unsigned from = by_count;

    by_make_resident(allocation->id);
    by_wait();
    if (!destroyed)
        by_evict(allocation->id);
    by_wait();
    vidmm_allocation_destroy(allocation);
    by_wait();
    assert_int_equal(by_next(from, DXGK_OPERATION_NOTIFY_ALLOC), by_count);
}

/* Its aperture would have to be mapped. */
static void may_not_be_accessed_physically(const struct vidmm_allocation *allocation)
{
    struct softgpu_allocation wish = placed_wish(4, 1);
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_PROPERTY};
    struct vidmm_allocation *other;

    wish.flags = ACCESSED_PHYSICALLY;
    assert_int_equal(
        vidmm_allocation_create(by_rig.device, &wish, sizeof(wish), &other, &by_rig.report),
        STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(by_rig.report.text, "NotifyEviction (0x10)"));
    event.property.queue = 1;
    event.property.allocation = allocation->id;
    event.property.to.mask = VIDMM_PROPERTY_PHYSICAL;
    event.property.to.physical = 1;
    assert_int_equal(by_tell(event), STATUS_NOT_SUPPORTED);
}

void shows_D_143(void **state)
{
    static const char *const modes[] = {"cpu_virtual\npage_table_segment 0\n", "gpu_virtual\n",
                                        "gpu_physical\n"};
    char gpu[300];

    (void)state;
    by_bend.driver = bend_notices;
    for (unsigned mode = 0; mode < 3; mode++) {
        struct vidmm_allocation *one;

        snprintf(gpu, sizeof(gpu),
                 "wddm 3.2\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 4M\n"
                 "segment 2 memory 4M cpuvisible\nindex_bits 7 8 6 6\npage_table_update %s",
                 modes[mode]);
        by_start(gpu);
        notices = true;
        one = by_create(EVICTED_PAGES * UINT64_C(4096), 1);
        for (unsigned round = 0; round < 2; round++) {
            by_make_resident(one->id);
            by_map(one, 0, VIDMM_ADDRESSES_WRITE);
            by_wait();
            leaves_with_notices(one);
        }
        may_not_be_accessed_physically(one);
        vidmm_allocation_destroy(one);
        leaves_without_notice(by_create(EVICTED_PAGES * UINT64_C(4096), 2), false); /* memory */
        leaves_without_notice(by_create(EVICTED_PAGES * UINT64_C(4096), 1), true);
        notices = false;
        leaves_without_notice(by_create(EVICTED_PAGES * UINT64_C(4096), 1), false);
        by_finish();
    }
    by_bend.driver = NULL;
}
