/* shows_paging_transfer.c: paging-transfer.def, obeyed. */
#include "flag_words.h"
#include "rules_rig.h"

/* Two allocations that do not fit together: `a` is written, leaves for `b`, and comes back. Answers
 * the number of the operation behind the first use of `a`. */
static size_t evict_and_return(struct shown *shown, uint32_t flags)
{
    struct rig_allocation *a = shown_create(shown, 0, 40, flags);
    struct rig_allocation *b = shown_create(shown, 1, 40, 1);
    size_t from;

    if ((flags & 2) != 0)
        assert_true(rig_lock_and_touch(&shown->rig, a, true));
    shown_use_one(shown, a, true);
    from = shown->operation_count;
    shown_use_one(shown, b, true);
    shown_use_one(shown, a, false);
    return from;
}

void shows_S0_011(void **state)
{
    struct rig_options options = rig_defaults();
    const DXGKARG_BUILDPAGINGBUFFER *out;
    struct shown shown;
    size_t from;

    (void)state;
    shown_init(&shown, &options, NULL);
    from = evict_and_return(&shown, 3);
    assert_true(shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_DISCARD_CONTENT) ==
                SIZE_MAX);
    out = shown_build_of(
        &shown, shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_TRANSFER));
    assert_int_equal(out->Transfer.Source.SegmentId, 2);
    assert_int_equal(out->Transfer.Destination.SegmentId, 0);
    assert_non_null(out->Transfer.Destination.pMdl);
    shown_finish(&shown);
}

void shows_S1_015(void **state)
{
    struct rig_options options = rig_defaults();
    const DXGKARG_BUILDPAGINGBUFFER *out;
    struct shown shown;
    size_t from;

    (void)state;
    for (int through = 0; through < 2; through++) {
        options.evict_through_aperture = through == 1;
        shown_init(&shown, &options, NULL);
        from = evict_and_return(&shown, 1);
        out = shown_build_of(
            &shown, shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_TRANSFER));
        assert_int_equal(out->Transfer.Destination.SegmentId, through);
        assert_true((shown_next_paging(&shown, 0, &shown.rig.allocations[0],
                                       VIDMM_MAP_APERTURE_SEGMENT) != SIZE_MAX) == (through == 1));
        shown_finish(&shown);
    }
}

static void assert_side(const struct shown *shown, UINT segment, LONGLONG address, const MDL *mdl)
{
    struct vidmm_segment_info info;

    if (segment == 0) {
        assert_non_null(mdl);
        assert_true(mdl->ByteCount >= 40 * VIDMM_PAGE_SIZE);
        return;
    }
    vidmm_adapter_segment(shown->rig.adapter, segment, &info);
    assert_true((uint64_t)address >= info.base_address &&
                (uint64_t)address + 40 * VIDMM_PAGE_SIZE <= info.base_address + info.size);
}

void shows_S4_056(void **state)
{
    struct rig_options options = rig_defaults();
    unsigned system_sides = 0, segment_sides = 0;
    struct shown shown;
    size_t at = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    evict_and_return(&shown, 1);
    while ((at = shown_next_build(&shown, at, DXGK_OPERATION_TRANSFER)) != SIZE_MAX) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at++].argument.build;

        assert_side(&shown, build->Transfer.Source.SegmentId,
                    build->Transfer.Source.SegmentAddress.QuadPart, build->Transfer.Source.pMdl);
        assert_side(&shown, build->Transfer.Destination.SegmentId,
                    build->Transfer.Destination.SegmentAddress.QuadPart,
                    build->Transfer.Destination.pMdl);
        system_sides += build->Transfer.Source.SegmentId == 0;
        system_sides += build->Transfer.Destination.SegmentId == 0;
        segment_sides += build->Transfer.Source.SegmentId != 0;
        segment_sides += build->Transfer.Destination.SegmentId != 0;
    }
    assert_true(system_sides >= 2 && segment_sides >= 2);
    shown_finish(&shown); /* the bytes came from there, and went there */
}

/* Whether a completion was reported between the two records. */
static bool was_interrupted(const struct shown *shown, size_t from, size_t to)
{
    size_t at = shown_next(shown, from, VIDMM_DDI_NOTIFY_INTERRUPT);

    return at < to;
}

/* One node; `a` is used and has to leave at once. Whether its page-out waited for a completion. */
static bool page_out_waits(uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a, *b;
    struct shown shown;
    size_t use, out;
    bool waited;

    options.gpu = "engines render\npreemption off\n"; /* in order, whatever comes */
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, 40, flags);
    b = shown_create(&shown, 1, 40, 1);
    shown_use_one(&shown, a, true); /* it is there */
    use = shown.call_count;
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &b, 1, 1), STATUS_SUCCESS);
    shown_settle(&shown);
    use = shown_next(&shown, use, VIDMM_DDI_SUBMIT_COMMAND);
    assert_false(shown.calls[use].argument.submit.Flags.Paging);
    out = shown_next(&shown, use + 1, VIDMM_DDI_SUBMIT_COMMAND);
    if (shown.calls[out]
            .argument.submit.Flags.ContextSwitch) /* D-256, and the page-out behind it */
        out = shown_next(&shown, out + 1, VIDMM_DDI_SUBMIT_COMMAND);
    assert_true(shown.calls[out].argument.submit.Flags.Paging);
    waited = was_interrupted(&shown, use, out);
    shown_finish(&shown);
    return waited;
}

void shows_S0_050(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};

    (void)state;
    flags.SynchronousPaging = 1;
    assert_int_equal(flags.Value, 0x800);
    assert_true(page_out_waits(CPU_VISIBLE | SYNCHRONOUS_PAGING));
    assert_false(page_out_waits(CPU_VISIBLE)); /* others go behind it, in order */
}

/* Flags of the next transfer of the allocation, at or behind operation *from, which moves behind
 * it. */
static DXGK_TRANSFERFLAGS next_transfer(const struct shown *shown, size_t *from,
                                        const struct rig_allocation *allocation)
{
    size_t at = shown_next_paging(shown, *from, allocation, VIDMM_TRANSFER);

    assert_true(at != SIZE_MAX);
    *from = at + 1;
    return shown_build_of(shown, at)->Transfer.Flags;
}

static void lock_once(struct shown *shown, struct rig_allocation *allocation)
{
    assert_true(rig_lock_and_touch(&shown->rig, allocation, true));
    shown_settle(shown);
}

static void swizzle_when_needed(bool through)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    size_t from;

    options.evict_through_aperture = through;
    shown_init(&shown, &options, NULL);
    from = evict_and_return(&shown, 0x81); /* nobody looks: as it is, out and in */
    for (int way = 0; way < 2; way++) {
        DXGK_TRANSFERFLAGS flags = next_transfer(&shown, &from, &shown.rig.allocations[0]);

        assert_false(flags.Swizzle || flags.Unswizzle);
    }
    lock_once(&shown, &shown.rig.allocations[0]);
    assert_true(next_transfer(&shown, &from, &shown.rig.allocations[0]).Unswizzle);
    lock_once(&shown, &shown.rig.allocations[0]); /* it is unswizzled: nothing is to be done */
    assert_true(shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_TRANSFER) ==
                SIZE_MAX);
    shown_use_one(&shown, &shown.rig.allocations[0], false);
    assert_true(next_transfer(&shown, &from, &shown.rig.allocations[0]).Swizzle);
    shown_finish(&shown);
}

void shows_D_075(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a;
    struct shown shown;
    size_t from;

    (void)state;
    swizzle_when_needed(false);
    swizzle_when_needed(true);
    shown_init(&shown, &options, NULL);
    a = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, a, 40 * VIDMM_PAGE_SIZE, 3, 0x81), STATUS_SUCCESS);
    shown_use_one(&shown, a, true);
    lock_once(&shown, a);
    from = shown.operation_count;
    shown_use_one(&shown, a, true); /* an aperture may show it, but not so */
    assert_true(shown_next_paging(&shown, from, a, VIDMM_MAP_APERTURE_SEGMENT) == SIZE_MAX);
    assert_true(next_transfer(&shown, &from, a).Swizzle);
    shown_finish(&shown);
}
