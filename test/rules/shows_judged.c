/* shows_judged.c: the auditor's rules for the manager, brought about on purpose.
 *
 * The auditor says nothing where a rule has no occasion. Here each rule has its occasions, they are
 * counted, and what the rule says is read from the calls without the auditor's help.
 */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/host.h>

static struct shown shown;
static uint32_t split; /* bytes of a sub-transfer; 0: all in one */

enum { PAGES = 40, ROUNDS = 4 };

/* Two allocations that do not fit together and one in the aperture, used in turn. */
static void page(const char *gpu, uint32_t flags, bool through_aperture)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *mapped = &shown.rig.allocations[2];

    options.gpu = gpu;
    options.evict_through_aperture = through_aperture;
    options.adapter.split_transfer_size = split;
    shown_init(&shown, &options, NULL);
    shown_create(&shown, 0, PAGES, flags);
    shown_create(&shown, 1, PAGES, flags);
    assert_int_equal(rig_create(&shown.rig, mapped, 3 * VIDMM_PAGE_SIZE, 1, CPU_VISIBLE),
                     STATUS_SUCCESS);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        shown_use_one(&shown, &shown.rig.allocations[0], round == 0);
        shown_use_one(&shown, mapped, true);
        shown_use_one(&shown, &shown.rig.allocations[1], round == 0);
    }
}

static const DXGKARG_BUILDPAGINGBUFFER *build_at(size_t call)
{
    return &shown.calls[call].argument.build;
}

static size_t next_build(size_t from)
{
    return shown_next(&shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER);
}

/* The return of the call that was entered at `entry`: builds are made one at a time. */
static size_t return_of(size_t entry)
{
    do
        entry++;
    while (shown.calls[entry].ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || !shown.calls[entry].returned);
    return entry;
}

static bool ran_out(size_t returned)
{
    return shown.calls[returned].status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* Submissions of paging buffers between two records. */
static unsigned submissions(size_t from, size_t to)
{
    unsigned count = 0;

    for (; (from = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND)) < to; from++)
        count += shown_submit(&shown, from)->Flags.Paging;
    return count;
}

/* ---- multipass ------------------------------------------------------------------------------- */

#define IN_PIECES "insufficient every 2\n"

void shows_S4_012(void **state)
{
    unsigned again = 0;

    (void)state;
    page(IN_PIECES, 1, false);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        size_t end = return_of(at), next = next_build(end);

        if (!ran_out(end))
            continue;
        assert_true(next != SIZE_MAX);
        assert_int_equal(build_at(next)->Operation, build_at(at)->Operation);
        assert_ptr_equal(build_at(next)->Transfer.hAllocation, build_at(at)->Transfer.hAllocation);
        assert_int_equal((uintptr_t)build_at(next)->pDmaBuffer % VIDMM_PAGE_SIZE, 0);
        assert_int_equal(build_at(next)->DmaSize, 8192); /* all of a paging buffer */
        again++;
    }
    assert_true(again >= ROUNDS);
    shown_finish(&shown);
}

void shows_S4_013(void **state)
{
    unsigned parts = 0;

    (void)state;
    page(IN_PIECES, 1, false);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        size_t end = return_of(at);

        if (!ran_out(end) || build_at(end)->pDmaBuffer == build_at(at)->pDmaBuffer)
            continue;
        assert_int_equal(submissions(end, next_build(end)), 1);
        parts++;
    }
    assert_true(parts >= ROUNDS);
    shown_finish(&shown);
}

void shows_S4_015(void **state)
{
    bool again = false;
    UINT left = 0;
    unsigned first = 0;

    (void)state;
    page(IN_PIECES, 1, false);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        if (!again) {
            assert_int_equal(build_at(at)->MultipassOffset, 0);
            first += left != 0; /* the operation before it had left something */
        }
        again = ran_out(return_of(at));
        left = build_at(return_of(at))->MultipassOffset;
    }
    assert_true(first > 0);
    shown_finish(&shown);
}

/* Small paging buffers and pages far apart: the driver comes back with a part done. */
void shows_S4_016(void **state)
{
    struct rig_options options = rig_defaults();
    unsigned kept = 0;

    (void)state;
    options.gpu = "paging_buffer 128\n";
    options.machine_seed = 3;
    shown_init(&shown, &options, NULL);
    rig_work(&shown.rig, 1, 200);
    shown_settle(&shown);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        size_t end = return_of(at);

        if (!ran_out(end))
            continue;
        assert_int_equal(build_at(next_build(end))->MultipassOffset,
                         build_at(end)->MultipassOffset);
        kept += build_at(end)->MultipassOffset != 0;
    }
    assert_true(kept >= ROUNDS);
    shown_finish(&shown);
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Transfers from the beginning of one to the end of it; the words told to `see`. */
static unsigned each_transfer(const char *gpu, bool through_aperture,
                              void (*see)(const DXGKARG_BUILDPAGINGBUFFER *build))
{
    unsigned count = 0;
    size_t at = 0;

    page(gpu, 1, through_aperture);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_TRANSFER)) != SIZE_MAX; at++, count++)
        see(build_at(at));
    return count;
}

static uint64_t covered; /* bytes of the transfer that goes on */

static void see_cover(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    uint64_t begin = (uint64_t)build->Transfer.MdlOffset * VIDMM_PAGE_SIZE;

    if (build->Transfer.Flags.TransferStart)
        covered = 0;
    assert_true(begin <= covered); /* no gap; a pass of what was begun comes again */
    covered = begin + build->Transfer.TransferSize;
    if (build->Transfer.Flags.TransferEnd)
        assert_int_equal(covered, PAGES * VIDMM_PAGE_SIZE);
}

void shows_S4_017(void **state)
{
    (void)state;
    split = 16 * VIDMM_PAGE_SIZE;
    assert_true(each_transfer(NULL, false, see_cover) >= 3 * (2 * ROUNDS - 2));
    shown_finish(&shown);
    assert_true(each_transfer(IN_PIECES, false, see_cover) >= 3 * (2 * ROUNDS - 2));
    shown_finish(&shown);
    split = 0;
}

static void see_ends(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    bool whole = build->Transfer.TransferSize == PAGES * VIDMM_PAGE_SIZE;

    assert_true(build->Transfer.Flags.TransferStart || !whole);
    assert_true(build->Transfer.Flags.TransferEnd || !whole);
}

void shows_S4_019(void **state)
{
    (void)state;
    assert_true(each_transfer(NULL, false, see_ends) >= 2 * ROUNDS - 2);
    shown_finish(&shown);
}

static void see_first_and_last(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    UINT64 end = build->Transfer.TransferOffset + build->Transfer.TransferSize;

    assert_int_equal(build->Transfer.Flags.TransferStart, build->Transfer.TransferOffset == 0);
    assert_int_equal(build->Transfer.Flags.TransferEnd, end == PAGES * VIDMM_PAGE_SIZE);
}

void shows_S4_018(void **state)
{
    (void)state;
    split = 16 * VIDMM_PAGE_SIZE;
    assert_true(each_transfer(IN_PIECES, false, see_first_and_last) >= 3 * (2 * ROUNDS - 2));
    shown_finish(&shown);
    split = 0;
}

static void see_pages(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    const MDL *mdl = build->Transfer.Source.SegmentId == 0 ? build->Transfer.Source.pMdl
                                                           : build->Transfer.Destination.pMdl;

    assert_int_equal(mdl->ByteCount, PAGES * VIDMM_PAGE_SIZE);
    assert_true((UINT64)build->Transfer.MdlOffset * VIDMM_PAGE_SIZE +
                    build->Transfer.TransferSize <=
                mdl->ByteCount);
}

void shows_D_071(void **state)
{
    (void)state;
    split = 16 * VIDMM_PAGE_SIZE;
    assert_true(each_transfer(IN_PIECES, false, see_pages) >= 3 * (2 * ROUNDS - 2));
    shown_finish(&shown);
    split = 0;
}

static HANDLE begun;

static void see_one(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    assert_true(begun == NULL || begun == build->Transfer.hAllocation);
    begun = build->Transfer.Flags.TransferEnd ? NULL : build->Transfer.hAllocation;
}

/* ... also of one that is asked for again. */
void shows_S4_020(void **state)
{
    unsigned again = 0;

    (void)state;
    split = 16 * VIDMM_PAGE_SIZE;
    begun = NULL;
    assert_true(each_transfer(IN_PIECES, false, see_one) >= 3 * (2 * ROUNDS - 2));
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        size_t end = return_of(at);

        if (!ran_out(end) || build_at(at)->Operation != DXGK_OPERATION_TRANSFER)
            continue;
        assert_ptr_equal(build_at(next_build(end))->Transfer.hAllocation,
                         build_at(at)->Transfer.hAllocation);
        again++;
    }
    assert_true(again >= ROUNDS);
    shown_finish(&shown);
    split = 0;
}

/* Whether all that was submitted before the record was reported before it. */
static bool is_idle_at(size_t record)
{
    UINT newest[2] = {0}, reported[2] = {0};

    for (size_t i = 0; i < record; i++) {
        const struct shown_call *call = &shown.calls[i];
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

        if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND && !call->returned)
            newest[call->argument.submit.NodeOrdinal] = call->argument.submit.SubmissionFenceId;
        if (call->ddi != VIDMM_DDI_NOTIFY_INTERRUPT)
            continue;
        memcpy(&data, &call->argument, sizeof(data));
        if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
            reported[data.DmaCompleted.NodeOrdinal] = data.DmaCompleted.SubmissionFenceId;
    }
    return newest[0] == reported[0] && newest[1] == reported[1];
}

/* One call is answered busy: the same again, idle, and nothing in flight then. */
static unsigned busy_ones(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    unsigned count = 0;

    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        size_t end = return_of(at), next = next_build(end);
        const DXGKARG_BUILDPAGINGBUFFER *build = build_at(at);

        if (shown.calls[end].status != STATUS_GRAPHICS_ALLOCATION_BUSY ||
            build->Operation != operation)
            continue;
        assert_int_equal(build_at(next)->Operation, operation);
        if (operation == DXGK_OPERATION_TRANSFER) {
            assert_ptr_equal(build_at(next)->Transfer.hAllocation, build->Transfer.hAllocation);
            assert_false(build->Transfer.Flags.AllocationIsIdle);
            assert_true(build_at(next)->Transfer.Flags.AllocationIsIdle);
        } else {
            assert_ptr_equal(build_at(next)->DiscardContent.hAllocation,
                             build->DiscardContent.hAllocation);
            assert_false(build->DiscardContent.Flags.AllocationIsIdle);
            assert_true(build_at(next)->DiscardContent.Flags.AllocationIsIdle);
        }
        assert_true(is_idle_at(next));
        count++;
    }
    return count;
}

/* Used, and to leave at once: it is not idle at the first call. */
static void leave_while_in_use(const char *gpu, uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a, *b;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, PAGES, flags);
    b = shown_create(&shown, 1, PAGES, 1);
    if ((flags & 2) != 0)
        assert_true(rig_lock_and_touch(&shown.rig, a, true));
    shown_use_one(&shown, a, (flags & 2) == 0);
    assert_int_equal(rig_render(&shown.rig, &a, 1, 0), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &b, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
}

#define IN_ORDER "engines render\npreemption off\nbusy first\n"

void shows_S4_024(void **state)
{
    (void)state;
    leave_while_in_use(IN_ORDER, 1);
    assert_true(busy_ones(DXGK_OPERATION_TRANSFER) >= 1);
    shown_finish(&shown);
}

void shows_S4_026(void **state)
{
    unsigned idle = 0;
    size_t at = 0;

    (void)state;
    leave_while_in_use(IN_ORDER, 1);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_TRANSFER)) != SIZE_MAX; at++) {
        if (!build_at(at)->Transfer.Flags.AllocationIsIdle)
            continue;
        assert_true(is_idle_at(at));
        idle++;
    }
    assert_true(idle >= 1);
    shown_finish(&shown);
}

void shows_S4_033(void **state)
{
    (void)state;
    leave_while_in_use(IN_ORDER, 3);
    assert_true(busy_ones(DXGK_OPERATION_DISCARD_CONTENT) >= 1);
    shown_finish(&shown);
}

static LONGLONG segment_base(uint32_t id, uint64_t *size)
{
    struct vidmm_segment_info info;

    vidmm_adapter_segment(shown.rig.adapter, id, &info);
    *size = info.size;
    return (LONGLONG)info.base_address;
}

/* The segment's side of a transfer: its beginning, whatever the pass. */
static LONGLONG side_of(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    return build->Transfer.Source.SegmentId != 0
               ? build->Transfer.Source.SegmentAddress.QuadPart
               : build->Transfer.Destination.SegmentAddress.QuadPart;
}

static void see_offset(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    uint64_t size;
    LONGLONG base = segment_base(2, &size);

    assert_true(build->Transfer.TransferOffset + build->Transfer.TransferSize <=
                PAGES * VIDMM_PAGE_SIZE);
    assert_int_equal(build->Transfer.TransferOffset, build->Transfer.MdlOffset * VIDMM_PAGE_SIZE);
    assert_true(side_of(build) >= base &&
                side_of(build) + PAGES * VIDMM_PAGE_SIZE <= base + (LONGLONG)size);
}

void shows_D_070(void **state)
{
    (void)state;
    split = 16 * VIDMM_PAGE_SIZE;
    assert_true(each_transfer(IN_PIECES, false, see_offset) >= 3 * (2 * ROUNDS - 2));
    shown_finish(&shown);
    split = 0;
}

static void see_flags(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    /* Swizzle, Unswizzle, AllocationIsIdle, TransferStart, TransferEnd */
    assert_int_equal(build->Transfer.Flags.Value & ~0x1fu, 0);
    assert_false(build->Transfer.Flags.Swizzle && build->Transfer.Flags.Unswizzle);
}

void shows_D_072(void **state)
{
    (void)state;
    assert_true(each_transfer(NULL, false, see_flags) >= 2 * ROUNDS - 2);
    shown_finish(&shown);
}

/* ---- fills and apertures --------------------------------------------------------------------- */

void shows_S4_030(void **state)
{
    unsigned fills = 0;
    size_t at = 0;

    (void)state;
    page(NULL, 1, false);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_FILL)) != SIZE_MAX; at++, fills++)
        assert_int_equal(build_at(at)->Fill.Destination.SegmentId, 2);
    assert_int_equal(fills, 2); /* the allocation in the aperture has no content either, and is
                                 * mapped */
    assert_true(shown_count_builds(&shown, 0, DXGK_OPERATION_MAP_APERTURE_SEGMENT) >= 1);
    shown_finish(&shown);
}

enum { APERTURE_PAGES = 256 };

void shows_S4_044(void **state)
{
    bool mapped[APERTURE_PAGES] = {false};
    unsigned unmaps = 0;

    (void)state;
    page(NULL, 1, true);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = build_at(at);
        bool map = build->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT;
        SIZE_T page = map ? build->MapApertureSegment.OffsetInPages
                          : build->UnmapApertureSegment.OffsetInPages;
        SIZE_T count = map ? build->MapApertureSegment.NumberOfPages
                           : build->UnmapApertureSegment.NumberOfPages;

        if (!map && build->Operation != DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
            continue;
        assert_true(page + count <= APERTURE_PAGES);
        for (; count-- > 0; page++) {
            assert_true(mapped[page] != map);
            mapped[page] = map;
        }
        unmaps += !map;
    }
    assert_true(unmaps >= ROUNDS);
    shown_finish(&shown);
}

/* The fence of the first paging buffer that was submitted behind the record. */
static UINT paging_fence_behind(size_t record)
{
    do
        record = shown_next(&shown, record + 1, VIDMM_DDI_SUBMIT_COMMAND);
    while (record != SIZE_MAX && !shown_submit(&shown, record)->Flags.Paging);
    return shown_submit(&shown, record)->SubmissionFenceId;
}

static bool is_completed_between(UINT fence, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

        if (shown.calls[i].ddi != VIDMM_DDI_NOTIFY_INTERRUPT)
            continue;
        memcpy(&data, &shown.calls[i].argument, sizeof(data));
        if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED &&
            data.DmaCompleted.SubmissionFenceId >= fence)
            return true;
    }
    return false;
}

/* An allocation that leaves through the aperture has been copied when its range is unmapped. */
void shows_S4_043(void **state)
{
    unsigned unmaps = 0;
    size_t out = SIZE_MAX;

    (void)state;
    page(NULL, 1, true);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = build_at(at);

        if (build->Operation == DXGK_OPERATION_TRANSFER &&
            build->Transfer.Destination.SegmentId == 1)
            out = at;
        if (build->Operation != DXGK_OPERATION_UNMAP_APERTURE_SEGMENT || out == SIZE_MAX)
            continue;
        assert_ptr_equal(build->UnmapApertureSegment.hAllocation,
                         build_at(out)->Transfer.hAllocation);
        assert_true(is_completed_between(paging_fence_behind(out), out, at));
        unmaps++;
    }
    assert_true(unmaps >= ROUNDS);
    shown_finish(&shown);
}

void shows_D_098(void **state)
{
    unsigned maps = 0;
    size_t at = 0;

    (void)state;
    page("segment 1 aperture 1M cachecoherent\nsegment 2 memory 256K cpuvisible\n", 5, true);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) != SIZE_MAX;
         at++, maps++)
        assert_int_equal(build_at(at)->MapApertureSegment.Flags.Value & ~1u, 0); /* CacheCoherent */
    assert_true(maps >= ROUNDS);
    shown_finish(&shown);
}

/* Places that a build names: in a segment that there is, behind its base address. */
static unsigned is_placed(UINT segment, LONGLONG address, uint64_t bytes)
{
    uint64_t size;
    LONGLONG base;

    assert_true(segment <= 2);
    if (segment == 0)
        return 0;
    base = segment_base(segment, &size);
    assert_true(base > 0); /* so a bare offset is seen */
    assert_true(address >= base && address + (LONGLONG)bytes <= base + (LONGLONG)size);
    return 1;
}

void shows_D_007(void **state)
{
    unsigned placed = 0;

    (void)state;
    page(NULL, 3, true);
    for (size_t at = 0; (at = next_build(at)) != SIZE_MAX; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = build_at(at);

        if (build->Operation == DXGK_OPERATION_FILL)
            placed +=
                is_placed(build->Fill.Destination.SegmentId,
                          build->Fill.Destination.SegmentAddress.QuadPart, build->Fill.FillSize);
        if (build->Operation == DXGK_OPERATION_DISCARD_CONTENT)
            placed += is_placed(build->DiscardContent.SegmentId,
                                build->DiscardContent.SegmentAddress.QuadPart, 1);
        if (build->Operation != DXGK_OPERATION_TRANSFER)
            continue;
        placed +=
            is_placed(build->Transfer.Source.SegmentId,
                      build->Transfer.Source.SegmentAddress.QuadPart, build->Transfer.TransferSize);
        placed += is_placed(build->Transfer.Destination.SegmentId,
                            build->Transfer.Destination.SegmentAddress.QuadPart,
                            build->Transfer.TransferSize);
    }
    assert_true(placed >= 2 * ROUNDS);
    shown_finish(&shown);
}

void shows_D_004(void **state)
{
    shows_D_007(state);
}

void shows_D_097(void **state)
{
    unsigned maps = 0, buffers = 0;
    size_t at = 0;

    (void)state;
    page(NULL, 1, true);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) != SIZE_MAX;
         at++, maps++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = build_at(at);
        const MDL *mdl = build->MapApertureSegment.pMdl;

        assert_int_equal(build->MapApertureSegment.SegmentId, 1);
        assert_true(build->MapApertureSegment.NumberOfPages > 0);
        assert_true(build->MapApertureSegment.OffsetInPages +
                        build->MapApertureSegment.NumberOfPages <=
                    APERTURE_PAGES);
        assert_non_null(mdl);
        assert_true(
            (build->MapApertureSegment.MdlOffset + build->MapApertureSegment.NumberOfPages) *
                VIDMM_PAGE_SIZE <=
            (uint64_t)mdl->ByteOffset + mdl->ByteCount + VIDMM_PAGE_SIZE - 1);
        buffers += build->MapApertureSegment.hAllocation == NULL;
    }
    assert_true(maps - buffers >= ROUNDS);
    shown_finish(&shown);
}

static unsigned builds_to(const struct rig_allocation *allocation, uint32_t operation)
{
    unsigned count = 0;

    for (size_t at = 0; (at = shown_next_paging(&shown, at, allocation, operation)) != SIZE_MAX;
         at++)
        count++;
    return count;
}

/* An allocation that may be in one segment only goes there, whatever is used in turn. */
void shows_S1_009(void **state)
{
    (void)state;
    page(NULL, 1, false);
    assert_true(builds_to(&shown.rig.allocations[0], VIDMM_TRANSFER) >= ROUNDS);
    assert_int_equal(builds_to(&shown.rig.allocations[0], VIDMM_MAP_APERTURE_SEGMENT), 0);
    assert_true(builds_to(&shown.rig.allocations[2], VIDMM_MAP_APERTURE_SEGMENT) >= 1);
    assert_int_equal(builds_to(&shown.rig.allocations[2], VIDMM_TRANSFER), 0);
    assert_int_equal(builds_to(&shown.rig.allocations[2], VIDMM_FILL), 0);
    shown_finish(&shown);
}

/* ---- submission ------------------------------------------------------------------------------ */

/* The Patch before a submission. */
static const DXGKARG_PATCH *patch_before(size_t submit)
{
    while (shown.calls[submit].ddi != VIDMM_DDI_PATCH || shown.calls[submit].returned)
        submit--;
    return &shown.calls[submit].argument.patch;
}

/* Every submission of a paging buffer, or of a DMA buffer, after paging in pieces. */
static unsigned each_submission(bool paging, void (*see)(const DXGKARG_PATCH *patch,
                                                         const DXGKARG_SUBMITCOMMAND *submit))
{
    unsigned count = 0;
    size_t at = 0;

    page(IN_PIECES, 1, false);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        if (shown_submit(&shown, at)->Flags.Paging != paging ||
            shown_submit(&shown, at)->DmaBufferSubmissionEndOffset == 0)
            continue;
        see(patch_before(at), shown_submit(&shown, at));
        count++;
    }
    return count;
}

static void see_no_lists(const DXGKARG_PATCH *patch, const DXGKARG_SUBMITCOMMAND *submit)
{
    assert_int_equal(patch->SubmissionFenceId, submit->SubmissionFenceId);
    assert_true(patch->Flags.Paging);
    assert_int_equal(patch->AllocationListSize, 0);
    assert_int_equal(patch->PatchLocationListSize, 0);
}

void shows_S4_007(void **state)
{
    (void)state;
    assert_true(each_submission(true, see_no_lists) >= ROUNDS);
    shown_finish(&shown);
}

static void see_the_same(const DXGKARG_PATCH *patch, const DXGKARG_SUBMITCOMMAND *submit)
{
    assert_int_equal(patch->SubmissionFenceId, submit->SubmissionFenceId);
    assert_int_equal(patch->DmaBufferSubmissionStartOffset, submit->DmaBufferSubmissionStartOffset);
    assert_int_equal(patch->DmaBufferSubmissionEndOffset, submit->DmaBufferSubmissionEndOffset);
    assert_int_equal(patch->DmaBufferPhysicalAddress.QuadPart,
                     submit->DmaBufferPhysicalAddress.QuadPart);
    assert_int_not_equal(submit->DmaBufferPhysicalAddress.QuadPart, 0); /* D-334 */
}

void shows_D_081(void **state)
{
    (void)state;
    assert_true(each_submission(true, see_the_same) >= ROUNDS);
    shown_finish(&shown);
    assert_true(each_submission(false, see_the_same) >= ROUNDS);
    shown_finish(&shown);
}

void shows_D_334(void **state)
{
    shows_D_081(state);
}

static void see_paging(const DXGKARG_PATCH *patch, const DXGKARG_SUBMITCOMMAND *submit)
{
    (void)patch;
    assert_true(submit->Flags.Paging);
}

static void see_a_context(const DXGKARG_PATCH *patch, const DXGKARG_SUBMITCOMMAND *submit)
{
    (void)patch;
    assert_false(submit->Flags.Paging);
    assert_non_null(submit->hContext);
}

void shows_D_080(void **state)
{
    (void)state;
    assert_true(each_submission(true, see_paging) >= ROUNDS);
    shown_finish(&shown);
    assert_true(each_submission(false, see_a_context) >= ROUNDS);
    shown_finish(&shown);
}

static void see_private_data(const DXGKARG_PATCH *patch, const DXGKARG_SUBMITCOMMAND *submit)
{
    (void)patch;
    assert_int_equal(submit->DmaBufferPrivateDataSubmissionStartOffset, 0);
    assert_true(submit->DmaBufferPrivateDataSubmissionEndOffset <=
                submit->DmaBufferPrivateDataSize);
}

void shows_D_082(void **state)
{
    (void)state;
    assert_true(each_submission(false, see_private_data) >= ROUNDS);
    shown_finish(&shown);
}

/* Bytes: as many are submitted of each buffer as were built into it. */
void shows_S4_006(void **state)
{
    uint64_t built = 0, submitted = 0, buffers = 0;

    (void)state;
    page(IN_PIECES, 1, false);
    for (size_t at = 0; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];
        const DXGKARG_SUBMITCOMMAND *submit = &call->argument.submit;

        if (call->returned)
            continue;
        if (call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER)
            built += (uint64_t)((char *)build_at(return_of(at))->pDmaBuffer -
                                (char *)build_at(at)->pDmaBuffer);
        if (call->ddi != VIDMM_DDI_SUBMIT_COMMAND || !submit->Flags.Paging)
            continue;
        submitted += submit->DmaBufferSubmissionEndOffset - submit->DmaBufferSubmissionStartOffset;
        assert_int_equal(submitted, built); /* all of it, and nothing twice */
        buffers++;
    }
    assert_true(buffers >= ROUNDS);
    shown_finish(&shown);
}

/* In a new buffer on a page, in an old one where the last operation ended. */
void shows_D_076(void **state)
{
    const char *end = NULL;
    unsigned begun_anew = 0, gone_on = 0;

    (void)state;
    page(NULL, 1, true);
    for (size_t at = 0; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];

        if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND && call->argument.submit.Flags.Paging)
            end = NULL;
        if (call->ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || call->returned)
            continue;
        if (end == NULL)
            assert_int_equal((uintptr_t)call->argument.build.pDmaBuffer % VIDMM_PAGE_SIZE, 0);
        else
            assert_ptr_equal(call->argument.build.pDmaBuffer, end);
        begun_anew += end == NULL;
        gone_on += end != NULL;
        end = build_at(return_of(at))->pDmaBuffer;
    }
    assert_true(begun_anew >= ROUNDS && gone_on >= ROUNDS);
    shown_finish(&shown);
}

void shows_D_313(void **state)
{
    unsigned raised = 0, passive = 0;

    (void)state;
    page(NULL, 1, false);
    for (size_t at = 0; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];
        bool high = call->ddi == VIDMM_DDI_SUBMIT_COMMAND || call->ddi == VIDMM_DDI_PREEMPT_COMMAND;
        bool low = call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER || call->ddi == VIDMM_DDI_RENDER ||
                   call->ddi == VIDMM_DDI_CREATE_ALLOCATION || call->ddi == VIDMM_DDI_PATCH;

        if (call->returned || (!high && !low))
            continue;
        assert_int_equal(call->irql, high ? VIDMM_DISPATCH_LEVEL : VIDMM_PASSIVE_LEVEL);
        raised += high;
        passive += low;
    }
    assert_true(raised >= ROUNDS && passive >= ROUNDS);
    shown_finish(&shown);
}

/* ---- openings -------------------------------------------------------------------------------- */

void shows_D_053(void **state)
{
    size_t from, closed, destroyed;

    (void)state;
    page(NULL, 1, false);
    assert_int_equal(
        rig_render(&shown.rig, (struct rig_allocation *[]){&shown.rig.allocations[0]}, 1, 0),
        STATUS_SUCCESS);
    from = shown.call_count;
    vidmm_allocation_destroy(shown.rig.allocations[0].handle); /* while the GPU has it */
    shown.rig.allocations[0].handle = NULL;
    shown_settle(&shown);
    closed = shown_next(&shown, from, VIDMM_DDI_CLOSE_ALLOCATION);
    destroyed = shown_next(&shown, from, VIDMM_DDI_DESTROY_ALLOCATION);
    assert_true(closed != SIZE_MAX && destroyed != SIZE_MAX);
    assert_true(closed < destroyed);
    assert_true(is_idle_at(closed)); /* D-050: not after it was closed */
    shown_finish(&shown);
}
