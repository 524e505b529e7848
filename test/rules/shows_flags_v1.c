/* shows_flags_v1.c: flags-v1.def, obeyed. */
#include "existing.h"
#include "flag_words.h"

/* Page in what the CPU wrote, without the GPU writing, and have another push it out. Answers where
 * the records stood when it was in. The MDL is that of the transfer. */
struct journey {
    struct rig_allocation *one, *other;
    const MDL *mdl;
    size_t in;
};

static void page_in(struct shown *shown, struct journey *journey, uint32_t flags)
{
    struct rig_allocation **list = &journey->one;
    size_t at;

    journey->one = &shown->rig.allocations[0];
    journey->other = &shown->rig.allocations[1];
    assert_int_equal(rig_create(&shown->rig, journey->one, 40 * VIDMM_PAGE_SIZE, 2, flags),
                     STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown->rig, journey->other, 40 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown->rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown->rig, &journey->other, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    journey->in = shown->call_count;
    assert_int_equal(rig_render(&shown->rig, list, 1, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
    for (at = journey->in;; at++) {
        at = shown_next_build(shown, at, DXGK_OPERATION_TRANSFER);
        assert_int_not_equal(at, SIZE_MAX);
        if (shown->calls[at].argument.build.Transfer.Source.SegmentId == 0 &&
            shown->calls[at].argument.build.Transfer.Destination.SegmentId == 2)
            break;
    }
    journey->mdl = shown->calls[at].argument.build.Transfer.Source.pMdl;
    journey->in = shown->call_count;
}

/* Whether every page of the backing store still has the content. */
static bool has_copy(struct shown *shown, const struct journey *journey)
{
    const struct rig_allocation *one = journey->one;
    const PFN_NUMBER *frames = (const PFN_NUMBER *)(journey->mdl + 1);
    uint64_t found;

    for (uint32_t page = 0; page < one->pages; page++) {
        const void *bytes = vidmm_machine_memory(
            shown->rig.machine, (uint64_t)frames[page] << VIDMM_PAGE_SHIFT, VIDMM_PAGE_SIZE);
        assert_non_null(bytes);
        if (!vidmm_content_check_page(bytes, rig_key(one), page, one->generation, &found))
            return false;
    }
    return true;
}

static void push_out(struct shown *shown, struct journey *journey)
{
    assert_int_equal(rig_render(&shown->rig, &journey->other, 1, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

/* The backing store has no copy any more, so even a clean allocation is transferred out. */
void shows_S0_008(void **state)
{
    struct rig_options options = rig_defaults();
    struct journey journey;
    struct shown shown;
    size_t out;

    (void)state;
    shown_init(&shown, &options, NULL);
    page_in(&shown, &journey, 1);
    assert_false(has_copy(&shown, &journey));
    push_out(&shown, &journey);
    out = shown_next_build(&shown, journey.in, DXGK_OPERATION_TRANSFER);
    assert_int_not_equal(out, SIZE_MAX);
    assert_int_equal(shown.calls[out].argument.build.Transfer.Source.SegmentId, 2);
    assert_int_equal(shown.calls[out].argument.build.Transfer.Destination.SegmentId, 0);
    assert_ptr_equal(shown.calls[out].argument.build.Transfer.Destination.pMdl, journey.mdl);
    assert_int_equal(shown_count_builds(&shown, journey.in, DXGK_OPERATION_DISCARD_CONTENT), 0);
    shown_finish(&shown);
}

/* The copy is there, to the byte, for as long as the content is in the segment, and afterwards. */
void shows_S0_009(void **state)
{
    struct rig_options options = rig_defaults();
    struct journey journey;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    page_in(&shown, &journey, 3);
    assert_true(has_copy(&shown, &journey));
    push_out(&shown, &journey);
    assert_true(has_copy(&shown, &journey));
    shown_finish(&shown);
}

/* ---- backing stores ---- */

/* The caching type of the pages decides whether a cache stands before them. */
static bool write_stays_in_the_cache(uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation;
    struct shown shown;
    uint64_t *data, *memory = NULL;
    bool stays;
    size_t at;

    options.caches_apart = true;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, VIDMM_PAGE_SIZE, 1, flags),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation.handle, 0, (void **)&data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(allocation.handle), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &(struct rig_allocation *){&allocation}, 1, 1),
                     STATUS_SUCCESS); /* tells its pages, by mapping them */
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation.handle, 0, (void **)&data, NULL), STATUS_SUCCESS);
    for (at = 0; memory == NULL; at++) {
        at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
        assert_int_not_equal(at, SIZE_MAX);
        if (shown.calls[at].argument.build.MapApertureSegment.hAllocation != NULL)
            memory = vidmm_machine_memory(
                shown.rig.machine,
                (uint64_t) * (const PFN_NUMBER
                                  *)(shown.calls[at].argument.build.MapApertureSegment.pMdl + 1)
                    << VIDMM_PAGE_SHIFT,
                VIDMM_PAGE_SIZE);
    }
    data[100] = 0x1234567;
    stays = memory[100] != 0x1234567;
    assert_int_equal(vidmm_unlock(allocation.handle), STATUS_SUCCESS);
    shown_finish(&shown);
    return stays;
}

void shows_S0_018(void **state)
{
    (void)state;
    assert_false(write_stays_in_the_cache(1)); /* write-combined */
    assert_true(write_stays_in_the_cache(5));  /* cacheable */
}

/* The program's own memory is the backing store: no page is taken, a lock gives the same address,
 * and what the GPU wrote is there. */
void shows_S0_029(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_machine_counts before;
    struct existing existing;
    struct shown shown;
    void *data;

    (void)state;
    shown_init(&shown, &options, NULL);
    before = vidmm_machine_counts(shown.rig.machine);
    existing_take(&existing, 2);
    assert_int_equal(existing_create(&shown, &existing, 0, 2 * VIDMM_PAGE_SIZE, 0x15),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).page_requests, before.page_requests);
    assert_int_equal(vidmm_lock(shown.rig.allocations[0].handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_ptr_equal(data, existing.address);
    assert_int_equal(vidmm_unlock(shown.rig.allocations[0].handle), STATUS_SUCCESS);
    existing_destroy(&shown);
    shown_finish(&shown);
    existing_give_back(&existing);
}
