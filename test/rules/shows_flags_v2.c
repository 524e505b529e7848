/* shows_flags_v2.c: a physical driver of WDDM 2.0, whose memory has 64 pages: flags-v2.def and
 * offer-reclaim.def, obeyed and broken.
 */
#include "flag_words.h"
#include "placed.h"
#include "unit/test_by_address.h"

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

enum { LAST_OF_64 = 60 }; /* page of an allocation of four pages at the end of the segment */

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
    rig_stop(&shown.rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

static void make_by(struct rig_allocation *allocation, uint32_t flags)
{
    struct vidmm_residency_result result;
    NTSTATUS status =
        vidmm_make_resident(queue, &allocation->handle, 1, flags, &result, &shown.rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &shown.rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
}

static void make(struct rig_allocation *allocation)
{
    make_by(allocation, 0);
}

static void evict(struct rig_allocation *allocation, uint32_t flags)
{
    assert_int_equal(
        vidmm_evict(shown.rig.device, &allocation->handle, 1, flags, NULL, &shown.rig.report),
        STATUS_SUCCESS);
    shown_settle(&shown);
}

/* The place that it comes to. */
static struct vidmm_place placed(struct rig_allocation *allocation,
                                 const struct softgpu_allocation *wish)
{
    placed_create(&shown, allocation, wish);
    make(allocation);
    placed_use(&shown, allocation, 1);
    return placed_at(&shown, allocation);
}

void shows_S3_018(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, two, three, four, five;

    (void)state;
    begin("wddm 2.0\n");
    wish.flags = ACCESSED_PHYSICALLY;
    placed_is(placed(&one, &wish), 2, 0);
    wish.flags = ACCESSED_PHYSICALLY | FROM_END;
    placed_is(placed(&two, &wish), 2, LAST_OF_64);
    placed_is(placed(&three, &wish), 2, LAST_OF_64 - 4);
    wish.preferred = 2; /* from the start, though the flag is set */
    placed_is(placed(&four, &wish), 2, 4);
    wish.flags = ACCESSED_PHYSICALLY;
    wish.preferred = 2 | 0x20; /* from the end, though it is clear */
    placed_is(placed(&five, &wish), 2, LAST_OF_64 - 8);
    end();
}

/* The bytes that leave the memory when it is evicted after a use. */
static uint64_t leaves(struct rig_allocation *allocation, bool write, uint32_t flags)
{
    struct vidmm_statistics before, after;

    make(allocation);
    placed_use(&shown, allocation, write);
    vidmm_adapter_statistics(shown.rig.adapter, &before);
    evict(allocation, flags);
    vidmm_adapter_statistics(shown.rig.adapter, &after);
    return after.bytes_out - before.bytes_out;
}

/* Paged out by addresses, as clean as it came. Answers whether bytes were copied. */
static bool leaves_by_address(uint32_t flags)
{
    struct vidmm_allocation *allocation;
    unsigned from;
    bool copied;

    by_start(BY_GPU);
    allocation = by_create_flagged(16 * (uint64_t)VIDMM_PAGE_SIZE, 2, flags);
    by_make_resident(allocation->id);
    by_evict(allocation->id);
    by_wait();
    by_make_resident(allocation->id);
    by_wait();
    from = by_count;
    by_evict_by(allocation->id, VIDMM_EVICT_NOT_WRITTEN_TO);
    by_wait();
    copied = by_next(from, DXGK_OPERATION_VIRTUAL_TRANSFER) < by_count;
    vidmm_allocation_destroy(allocation);
    by_finish();
    return copied;
}

/* With a copy nothing leaves that was not written; without one all does. */
void shows_S3_007(void **state)
{
    struct softgpu_allocation wish = placed_wish(16, 2);
    struct rig_allocation kept, dropped;
    const uint32_t clean = VIDMM_EVICT_NOT_WRITTEN_TO;

    (void)state;
    begin("wddm 2.0\n");
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY | PERMANENT;
    placed_create(&shown, &kept, &wish);
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    placed_create(&shown, &dropped, &wish);
    assert_int_equal(leaves(&kept, true, 0), PLACED_PAGES(16));
    assert_int_equal(leaves(&dropped, true, 0), PLACED_PAGES(16));
    assert_int_equal(leaves(&kept, false, clean), 0);
    assert_int_equal(leaves(&dropped, false, clean), PLACED_PAGES(16));
    assert_int_equal(leaves(&kept, false, clean), 0); /* the copy is as good as before */
    assert_int_equal(leaves(&dropped, false, clean), PLACED_PAGES(16));
    end();
    assert_false(leaves_by_address(PERMANENT));
    assert_true(leaves_by_address(0));
}

/* ---- offer-reclaim.def ---- */

static NTSTATUS render_and_offer(struct rig_allocation *allocation, uint32_t priority,
                                 uint64_t *value)
{
    struct softgpu_touch touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)},
                                  .seed = RIG_SEED};
    const struct vidmm_render_reference list[2] = {
        {.allocation = NULL}, {.allocation = allocation->handle, .offer_priority = priority}};

    return vidmm_render(shown.rig.context, &touch, sizeof(touch), list, 2, true, value,
                        &shown.rig.report);
}

void breaks_D_216(void **state)
{
    struct softgpu_allocation wish = placed_wish(16, 2);
    struct rig_allocation one;
    uint64_t value = 0;

    (void)state;
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    begin("wddm 2.0\n");
    placed_create(&shown, &one, &wish);
    make(&one);
    for (uint32_t priority = 1; priority <= 3; priority++)
        shown_refused(&shown, render_and_offer(&one, priority, &value), STATUS_INVALID_PARAMETER,
                      "D-216");
    assert_int_equal(value, 0);
    placed_use(&shown, &one, 1); /* it is not offered */
    end();
}

/* Offered by its handle, behind the packet that names it; and by the list below 2.0. */
void keeps_D_216(void **state)
{
    struct softgpu_allocation wish = placed_wish(16, 2);
    struct vidmm_selection selection = {.allocation_count = 1};
    struct vidmm_residency_result result;
    struct rig_allocation one;
    uint64_t value;
    bool discarded;
    NTSTATUS status;

    (void)state;
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    begin("wddm 2.0\n");
    placed_create(&shown, &one, &wish);
    make(&one);
    assert_int_equal(render_and_offer(&one, 0, &value), STATUS_SUCCESS);
    selection.allocations = &one.handle;
    assert_int_equal(vidmm_offer(&selection, 1, &shown.rig.report), STATUS_SUCCESS);
    status = vidmm_reclaim_queued(queue, &selection, &discarded, &result, &shown.rig.report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &shown.rig.report);
    assert_int_equal(status, STATUS_SUCCESS);
    end();
    shown_init_gpu(&shown, "wddm 1.3\n", NULL);
    placed_create(&shown, &one, &wish);
    assert_int_equal(render_and_offer(&one, 1, &value), STATUS_SUCCESS);
    shown_settle(&shown);
    shown_finish(&shown);
}

static enum vidmm_residency where(struct rig_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                              .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency;
}

/* 40 pages of another process, which come and go. */
static void crowd_out(const struct softgpu_allocation *wish)
{
    struct vidmm_device *own = shown.rig.device;
    struct vidmm_paging_queue *own_queue = queue;
    struct rig_allocation other;

    assert_int_equal(vidmm_device_create(shown.rig.adapter, 2, &shown.rig.device, NULL), 0);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), 0);
    placed_create(&shown, &other, wish);
    make_by(&other, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER);
    assert_int_equal(where(&other), VIDMM_RESIDENT_IN_GPU);
    vidmm_device_destroy(shown.rig.device);
    shown_settle(&shown);
    shown.rig.device = own;
    queue = own_queue;
}

/* Two are offered, and one of them is on the list: it comes back, and the queue tells when. */
void shows_D_215(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct vidmm_selection selection = {.allocation_count = 1};
    struct rig_allocation listed, not_listed;
    struct vidmm_residency_result result;
    bool discarded = false;

    (void)state;
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    begin("wddm 2.0\n");
    placed_create(&shown, &listed, &wish);
    placed_create(&shown, &not_listed, &wish);
    make(&listed);
    selection.allocations = &listed.handle;
    assert_int_equal(vidmm_offer(&selection, 1, &shown.rig.report), STATUS_SUCCESS);
    crowd_out(&wish);
    assert_int_equal(where(&listed), VIDMM_NOT_RESIDENT);
    assert_int_equal(
        vidmm_reclaim_queued(queue, &selection, &discarded, &result, &shown.rig.report),
        STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &shown.rig.report), 0);
    assert_int_equal(where(&listed), VIDMM_RESIDENT_IN_GPU);
    assert_true(discarded);
    selection.allocations = &not_listed.handle;
    assert_int_equal(vidmm_offer(&selection, 1, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, NULL, &result, &shown.rig.report),
                     STATUS_SUCCESS); /* nothing comes, and there is no value */
    assert_int_equal(result.value, 0);
    assert_int_equal(where(&not_listed), VIDMM_NOT_RESIDENT);
    end();
}
