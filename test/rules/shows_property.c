/* shows_property.c: properties of allocations that change, obeyed on a driver of WDDM 2.1. Its
 * memory has 64 pages.
 */
#include "flag_words.h"
#include "placed.h"

#include <vidmm/engine.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

#include "vidmm/object/adapter.h"

enum { APERTURE = 1, MEMORY = 2, EITHER = 3 };

static struct shown shown;
static struct vidmm_paging_queue *queue;

static void begin(const char *gpu)
{
    shown_init_gpu(&shown, gpu, NULL);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report), 0);
}

static void end(void)
{
    rig_judge(&shown.rig, shown.rig.gpu);
    shown_is_clean(&shown);
    rig_finish(&shown.rig);
    vidmm_tap_destroy(shown.tap);
    free(shown.calls);
    free(shown.operations);
}

static void create(struct rig_allocation *allocation, uint32_t pages, uint32_t set,
                   uint32_t preferred, uint32_t flags)
{
    struct softgpu_allocation wish = placed_wish(pages, set);

    wish.preferred = preferred;
    wish.flags = flags;
    placed_create(&shown, allocation, &wish);
}

static void wait(NTSTATUS status, const struct vidmm_residency_result *result)
{
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result->value, &shown.rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
}

static NTSTATUS make(struct rig_allocation *allocation, struct vidmm_residency_result *result)
{
    return vidmm_make_resident(queue, &allocation->handle, 1, 0, result, &shown.rig.report);
}

static void make_and_wait(struct rig_allocation *allocation)
{
    struct vidmm_residency_result result;

    wait(make(allocation, &result), &result);
}

static NTSTATUS update(struct rig_allocation *allocation, struct vidmm_property property,
                       struct vidmm_residency_result *result)
{
    return vidmm_update_property(queue, allocation->handle, &property, result, &shown.rig.report);
}

/* It is queued, and so when the queue has come to the value. */
static void update_and_wait(struct rig_allocation *allocation, struct vidmm_property property)
{
    struct vidmm_residency_result result;

    assert_int_equal(update(allocation, property, &result), STATUS_PENDING);
    if ((property.mask & ~VIDMM_PROPERTY_PHYSICAL) != 0) /* it moves */
        assert_true(result.value > vidmm_paging_queue_passed(queue));
    wait(STATUS_PENDING, &result);
    assert_int_equal(vidmm_paging_queue_failure(queue), STATUS_SUCCESS);
}

static enum vidmm_residency where(struct rig_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                              .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency;
}

static uint64_t moved(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    return statistics.bytes_in + statistics.bytes_out;
}

/* ---- D-254 ----------------------------------------------------------------------------------- */

/* The supported set, then the preferred set: its content follows, byte for byte. */
static void segments_change(void)
{
    struct rig_allocation one;

    begin("wddm 2.1\n");
    create(&one, 16, APERTURE, 0, ACCESSED_PHYSICALLY);
    make_and_wait(&one);
    placed_use(&shown, &one, 1);
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    update_and_wait(&one,
                    (struct vidmm_property){.mask = VIDMM_PROPERTY_SEGMENTS, .segments = MEMORY});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
    placed_use(&shown, &one, 1);
    update_and_wait(&one,
                    (struct vidmm_property){.mask = VIDMM_PROPERTY_SEGMENTS, .segments = APERTURE});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    placed_use(&shown, &one, 1);
    update_and_wait(
        &one, (struct vidmm_property){.mask = VIDMM_PROPERTY_SEGMENTS | VIDMM_PROPERTY_PREFERRED,
                                      .segments = EITHER,
                                      .preferred = 2});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
    placed_use(&shown, &one, 1);
    update_and_wait(
        &one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PREFERRED, .preferred = 1 | 2u << 6});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    placed_use(&shown, &one, 0);
    end();
}

/* An allocation that no list names leaves, and comes where it may be now. */
static void unlisted_changes(void)
{
    struct rig_allocation one;

    begin("wddm 2.1\n");
    create(&one, 16, MEMORY, 0, ACCESSED_PHYSICALLY);
    make_and_wait(&one);
    placed_use(&shown, &one, 1);
    assert_int_equal(vidmm_evict(shown.rig.device, &one.handle, 1, VIDMM_EVICT_ONLY_IF_NECESSARY,
                                 NULL, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
    update_and_wait(&one,
                    (struct vidmm_property){.mask = VIDMM_PROPERTY_SEGMENTS, .segments = APERTURE});
    assert_int_equal(where(&one), VIDMM_NOT_RESIDENT);
    make_and_wait(&one);
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    placed_use(&shown, &one, 0);
    end();
}

/* Commands may name it while it is accessed physically, and only then (D-096). */
static void physical_changes(void)
{
    struct rig_allocation one, *list = &one;

    begin("wddm 2.1\n");
    create(&one, 4, MEMORY, 0, 0);
    make_and_wait(&one);
    assert_int_equal(rig_render(&shown.rig, &list, 1, 1), STATUS_INVALID_PARAMETER);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1});
    placed_use(&shown, &one, 1);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL});
    assert_int_equal(rig_render(&shown.rig, &list, 1, 1), STATUS_INVALID_PARAMETER);
    end();
}

/* Bytes of it that lie in one piece, from its start on. */
static uint64_t first_piece(const struct rig_allocation *allocation)
{
    uint64_t size;

    vidmm_engine_where_at(shown.rig.adapter->engine, vidmm_allocation_id(allocation->handle), 0,
                          &size);
    return size;
}

static void evict(struct rig_allocation *allocation)
{
    assert_int_equal(
        vidmm_evict(shown.rig.device, &allocation->handle, 1, 0, NULL, &shown.rig.report),
        STATUS_SUCCESS);
    shown_settle(&shown);
}

/* How often the driver was asked for that operation on an allocation of a program. */
static unsigned asked_for(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    unsigned count = 0;

    for (size_t at = shown_next_build(&shown, 0, operation); at != SIZE_MAX;
         at = shown_next_build(&shown, at + 1, operation)) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at].argument.build;

        count += operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT
                     ? build->MapApertureSegment.hAllocation != NULL
                     : build->UnmapApertureSegment.hAllocation != NULL;
    }
    return count;
}

/* On a GPU with page tables the aperture shows what is accessed physically, and no more (D-099). */
static void aperture_follows(void)
{
    struct rig_allocation one;

    begin("wddm 2.1\nmmu gpu\nprivate_data 4K\n");
    create(&one, 16, APERTURE, 0, 0);
    make_and_wait(&one);
    assert_int_equal(asked_for(DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    assert_int_equal(asked_for(DXGK_OPERATION_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(asked_for(DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 0);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    assert_int_equal(asked_for(DXGK_OPERATION_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(asked_for(DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 1);
    end();
}

/* An allocation that lies in one piece by chance may stay where it is. */
static void one_piece_stays(void)
{
    struct vidmm_statistics before, after;
    struct rig_allocation one;

    create(&one, 16, MEMORY, 0, 0);
    make_and_wait(&one);
    assert_int_equal(first_piece(&one), PLACED_PAGES(16));
    vidmm_adapter_statistics(shown.rig.adapter, &before);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1});
    vidmm_adapter_statistics(shown.rig.adapter, &after);
    assert_int_equal(after.evictions, before.evictions);
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
}

/* With page tables it lies in several runs of pages, until it is accessed physically. */
static void runs_are_joined(void)
{
    struct rig_allocation pieces[5], one;

    begin("wddm 2.1\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
          "segment 2 memory 2M cpuvisible\n");
    for (int i = 0; i < 5; i++) {
        create(&pieces[i], 80, MEMORY, 0, ACCESSED_PHYSICALLY);
        make_and_wait(&pieces[i]);
    }
    evict(&pieces[1]);
    evict(&pieces[3]);
    create(&one, 150, MEMORY, 0, 0);
    make_and_wait(&one);
    assert_true(first_piece(&one) < PLACED_PAGES(150));
    evict(&pieces[2]);
    update_and_wait(&one, (struct vidmm_property){.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1});
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(first_piece(&one), PLACED_PAGES(150));
    one_piece_stays();
    end();
}

/* A property that it has is passed over: no value, and nothing moves. But behind a change that
 * waits, it is a change. */
static void unchanged_is_ignored(void)
{
    struct vidmm_property same = {.mask = VIDMM_PROPERTY_PHYSICAL | VIDMM_PROPERTY_SEGMENTS |
                                          VIDMM_PROPERTY_PREFERRED,
                                  .physical = 1,
                                  .segments = EITHER,
                                  .preferred = 1};
    struct vidmm_property other = {.mask = VIDMM_PROPERTY_SEGMENTS, .segments = MEMORY};
    struct vidmm_residency_result result, second;
    struct rig_allocation one;
    uint64_t before;

    begin("wddm 2.1\n");
    create(&one, 16, EITHER, 1, ACCESSED_PHYSICALLY);
    make_and_wait(&one);
    placed_use(&shown, &one, 1);
    before = moved();
    assert_int_equal(update(&one, same, &result), STATUS_SUCCESS);
    assert_int_equal(result.value, 0);
    shown_settle(&shown);
    assert_int_equal(moved(), before);
    evict(&one);
    assert_int_equal(make(&one, &result), STATUS_PENDING); /* nothing changes on the way */
    assert_int_equal(update(&one, other, &result), STATUS_PENDING);
    assert_int_equal(update(&one, same, &second), STATUS_PENDING);
    assert_int_equal(second.value, result.value + 1);
    wait(STATUS_PENDING, &second);
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_SHARED);
    placed_use(&shown, &one, 0);
    end();
}

/* It was possible when it was asked for, and is not any more at its turn. */
static void late_failure(void)
{
    struct vidmm_property memory = {.mask = VIDMM_PROPERTY_SEGMENTS, .segments = MEMORY};
    struct vidmm_residency_result result, more;
    struct rig_allocation one, two;

    begin("wddm 2.1\n");
    create(&one, 30, EITHER, 2, ACCESSED_PHYSICALLY);
    create(&two, 40, MEMORY, 0, ACCESSED_PHYSICALLY);
    assert_int_equal(make(&one, &result), STATUS_PENDING); /* it is on its way, and stays so */
    assert_int_equal(update(&one, memory, &result), STATUS_PENDING);
    assert_int_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &two.handle, 1,
                                         VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &more,
                                         &shown.rig.report),
                     STATUS_PENDING); /* `one` may be in the aperture */
    wait(STATUS_PENDING, &result);
    shown_settle(&shown);
    assert_int_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_not_equal(vidmm_paging_queue_failure(queue), STATUS_SUCCESS);
    end();
}

/* A lock whose pointer cannot follow holds the change up to its end; and all else goes on. */
static void locked_waits(uint32_t from, uint32_t to)
{
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_SEGMENTS, .segments = to};
    struct vidmm_residency_result result;
    struct rig_allocation one;
    void *data;

    begin("wddm 2.1\n");
    create(&one, 16, from, 0, ACCESSED_PHYSICALLY);
    make_and_wait(&one);
    placed_use(&shown, &one, 1);
    if (vidmm_lock2(one.handle, 0, &data, &shown.rig.report) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    assert_int_equal(update(&one, property, &result), STATUS_PENDING);
    shown_settle(&shown);
    assert_int_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock2(one.handle, &shown.rig.report), STATUS_SUCCESS);
    wait(STATUS_PENDING, &result);
    assert_int_equal(where(&one), to == MEMORY ? VIDMM_RESIDENT_IN_GPU : VIDMM_RESIDENT_IN_SHARED);
    placed_use(&shown, &one, 0);
    end();
}

static void refusals(void)
{
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_SEGMENTS, .segments = MEMORY};
    struct vidmm_residency_result result;
    struct rig_allocation one, large;

    begin("wddm 2.0\n");
    create(&one, 16, EITHER, 0, ACCESSED_PHYSICALLY);
    shown_refused(&shown, update(&one, property, &result), STATUS_NOT_SUPPORTED, "D-254");
    end();
    begin("wddm 2.1\n");
    create(&one, 48, MEMORY, 0, ACCESSED_PHYSICALLY);
    create(&large, 65, APERTURE, 0, ACCESSED_PHYSICALLY);
    make_and_wait(&one);
    make_and_wait(&large);
    shown_refused(&shown, update(&large, property, &result), STATUS_INVALID_PARAMETER,
                  "SupportedSegmentSet"); /* no memory segment is large enough */
    property.segments = 4;
    shown_refused(&shown, update(&one, property, &result), STATUS_INVALID_PARAMETER,
                  "SupportedSegmentSet");
    property = (struct vidmm_property){.mask = VIDMM_PROPERTY_PREFERRED, .preferred = 1};
    shown_refused(&shown, update(&one, property, &result), STATUS_INVALID_PARAMETER,
                  "PreferredSegment");
    property.mask = 8;
    shown_refused(&shown, update(&one, property, &result), STATUS_INVALID_PARAMETER,
                  "PropertyMaskValue");
    assert_int_equal(where(&one), VIDMM_RESIDENT_IN_GPU);
    end();
}

void shows_D_254(void **state)
{
    (void)state;
    segments_change();
    unlisted_changes();
    physical_changes();
    runs_are_joined();
    aperture_follows();
    unchanged_is_ignored();
    late_failure();
    locked_waits(APERTURE, MEMORY);
    locked_waits(EITHER, APERTURE);
    refusals();
}
