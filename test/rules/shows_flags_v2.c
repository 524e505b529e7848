/* shows_flags_v2.c: a physical driver of WDDM 2.0, whose memory has 64 pages: flags-v2.def and
 * offer-reclaim.def, obeyed and broken.
 */
#include "flag_words.h"
#include "placed.h"
#include "unit/test_by_address.h"
#include "unit/test_engine_rig.h"

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

/* A segment of this level has no banks: its description is without NbOfBanks. So bank data can name
 * none, which is told (D-016), and the flag and the preferences decide alone. */
static void banks_say_nothing(void)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, two;

    begin("wddm 2.0\n");
    wish.flags = ACCESSED_PHYSICALLY | FROM_END;
    wish.hinted_bank = 1; /* bank 1, from its start */
    placed_is(placed(&one, &wish), 2, LAST_OF_64);
    assert_int_equal(shown_findings(&shown, "D-016"), 1);
    wish.preferred = 2; /* from the start */
    wish.hinted_bank = 0x81;
    placed_is(placed(&two, &wish), 2, 0);
    assert_int_equal(shown_findings(&shown, "D-016"), 2);
    end();
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
    banks_say_nothing();
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

/* 40 pages come, are used and go, again and again; it has left the device's list. */
static void stays(uint32_t flag)
{
    struct softgpu_allocation wish = placed_wish(4, 2), others = placed_wish(40, 2);
    struct rig_allocation pinned, one, two;
    struct vidmm_place place;

    begin("wddm 2.0\n");
    wish.flags = flag | ACCESSED_PHYSICALLY;
    others.flags = ACCESSED_PHYSICALLY;
    place = placed(&pinned, &wish);
    assert_true(place.segment == 2 && place.offset >= PLACED_PAGES(52)); /* the last fifth of 64 */
    evict(&pinned, 0);
    placed_create(&shown, &one, &others);
    placed_create(&shown, &two, &others);
    for (uint32_t round = 0; round < 4; round++) {
        struct rig_allocation *now = round % 2 == 0 ? &one : &two;

        make(now);
        placed_use(&shown, now, 1);
        evict(now, 0);
    }
    assert_true(placed_builds(&shown, 0, &one, VIDMM_TRANSFER) > 2); /* they do leave */
    make(&pinned);
    placed_use(&shown, &pinned, 0);
    placed_is(placed_at(&shown, &pinned), place.segment, place.offset / VIDMM_PAGE_SIZE);
    assert_int_equal(placed_builds(&shown, 0, &pinned, VIDMM_TRANSFER), 0);
    end();
}

/* A fifth of 64 pages has 12 of them; without the flag there are 64. */
static void has_the_last_fifth(uint32_t flag)
{
    struct softgpu_allocation wish = placed_wish(12, 2);
    struct rig_allocation fits, large;

    begin("wddm 2.0\n");
    wish.flags = flag | ACCESSED_PHYSICALLY;
    placed_is(placed(&fits, &wish), 2, 52);
    wish = placed_wish(13, 2);
    wish.flags = flag | ACCESSED_PHYSICALLY;
    assert_int_equal(placed_try(&shown, &large, &wish), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    wish.flags = ACCESSED_PHYSICALLY;
    assert_int_equal(placed_try(&shown, &large, &wish), STATUS_SUCCESS);
    end();
}

/* An engine with residency lists, a device with a paging queue, and one allocation on its list. */
static void begin_engine(struct engine_rig *rig, uint32_t flag)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event join = {.kind = VIDMM_EVENT_JOIN, .device = 1};
    struct vidmm_event made = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    struct vidmm_event create = engine_event_create(1, 4, 2);

    config.explicit_residency = true;
    join.join.process = 1;
    made.paging_queue.queue = 1;
    made.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    create.create.wish.flags = flag;
    engine_rig_init(rig, &config);
    engine_rig_do(rig, join);
    engine_rig_do(rig, made);
    engine_rig_do(rig, create);
}

/* Each of the three occasions takes it away, and it comes back when it is made resident. */
static void leaves_for_three(uint32_t flag)
{
    const uint32_t id = 1;
    struct engine_rig rig;

    for (uint32_t reason = VIDMM_EXCEPTION_RESET; reason <= VIDMM_EXCEPTION_LEVEL_THREE; reason++) {
        struct vidmm_event make_resident = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
        struct vidmm_event all = {.kind = VIDMM_EVENT_EVICT_ALL};

        begin_engine(&rig, flag);
        make_resident.residency.queue = 1;
        make_resident.residency.count = 1;
        make_resident.residency.allocations = &id;
        assert_int_equal(engine_rig_step(&rig, make_resident), STATUS_PENDING);
        engine_rig_run(&rig);
        assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
        all.evict_all.request = 7;
        all.evict_all.reason = reason;
        engine_rig_do(&rig, all);
        engine_rig_run(&rig);
        assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 0);
        all.evict_all.reason = VIDMM_EXCEPTION_LEVEL_THREE + 1; /* there is no other */
        assert_int_equal(engine_rig_step(&rig, all), STATUS_INVALID_PARAMETER);
        engine_rig_finish(&rig);
    }
}

static void is_pinned(uint32_t flag)
{
    stays(flag);
    has_the_last_fifth(flag);
    leaves_for_three(flag);
}

void shows_S3_020(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.Overlay = 1};

    (void)state;
    assert_int_equal(flags.Value, 0x100);
    is_pinned(flags.Value);
}

void shows_S3_022(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.Capture = 1};

    (void)state;
    assert_int_equal(flags.Value, 0x200);
    is_pinned(flags.Value);
}

/* Every other one of eight has gone: 32 pages are free, 8 at a time. Answers how many leave for 30
 * pages of these flags. */
static uint64_t leave_for(uint32_t flags)
{
    struct vidmm_allocation *piece[8], *one;
    struct vidmm_statistics before, after;

    by_start("wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
             "segment 2 memory 256K cpuvisible\npage_table_segment 0\n"
             "paging_table_segment 0\n");
    for (uint32_t i = 0; i < 8; i++) {
        piece[i] = by_create(PLACED_PAGES(8), 2);
        by_make_resident(piece[i]->id);
    }
    for (uint32_t i = 0; i < 8; i += 2)
        vidmm_allocation_destroy(piece[i]);
    by_wait();
    vidmm_adapter_statistics(by_rig.adapter, &before);
    one = by_create_flagged(PLACED_PAGES(30), 2, flags);
    by_make_resident(one->id);
    by_wait();
    vidmm_adapter_statistics(by_rig.adapter, &after);
    for (uint32_t i = 1; i < 8; i += 2)
        vidmm_allocation_destroy(piece[i]);
    vidmm_allocation_destroy(one);
    by_finish();
    return after.evictions - before.evictions;
}

/* The frames of an allocation in system memory lie apart, as the free ones do. */
static void lies_apart(uint32_t flags)
{
    static struct rig_allocation pages[2048]; /* as many as the machine has */
    struct softgpu_allocation wish = placed_wish(8, 1), page = placed_wish(1, 1);
    struct rig_allocation one;
    const PFN_NUMBER *frames;
    uint32_t breaks = 0, count = 0;
    size_t at;

    begin("wddm 2.0\n");
    while (count < 2048 && placed_try(&shown, &pages[count], &page) == STATUS_SUCCESS)
        count++;
    assert_true(count > 32 && count < 2048);
    for (uint32_t i = 0; i < 32; i += 2)
        vidmm_allocation_destroy(pages[i].handle);
    shown_settle(&shown);
    wish.flags = flags;
    at = shown.call_count;
    placed(&one, &wish);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
    assert_int_not_equal(at, SIZE_MAX);
    frames =
        (const PFN_NUMBER *)(const void *)(shown.calls[at].argument.build.MapApertureSegment.pMdl +
                                           1);
    for (uint32_t i = 1; i < 8; i++)
        breaks += frames[i] != frames[i - 1] + 1;
    assert_true(breaks > 0);
    end();
}

void shows_S3_031(void **state)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.AccessedPhysically = 1};

    (void)state;
    assert_int_equal(flags.Value, 0x8000);
    assert_int_equal(leave_for(0), 0);
    assert_true(leave_for(flags.Value) > 0); /* somebody has to leave for one range */
    lies_apart(flags.Value);
}

/* ---- Flags2 ---- */

static uint32_t second_word;

static void with_second_word(DXGK_ALLOCATIONINFO *info)
{
    info->Flags2.Value = second_word;
}

/* Two memory segments of 16 pages, and tables elsewhere; every allocation has those flags. */
static void by_start_flagged(uint32_t flags2)
{
    second_word = flags2;
    shown_bend.change = with_second_word;
    by_bend.driver = shown_bend_creation;
    by_start("wddm 3.2\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
             "segment 2 memory 64K cpuvisible\nsegment 3 memory 64K cpuvisible\n"
             "page_table_segment 0\npaging_table_segment 0\n");
    by_bend.driver = NULL;
}

static uint32_t segment_of(const struct vidmm_allocation *allocation)
{
    return vidmm_engine_where(by_rig.adapter->engine, allocation->id).segment;
}

/* 24 pages are in the two segments together, and in none of them. */
static void no_two_segments_hold_it(void)
{
    const struct softgpu_allocation wish = placed_wish(24, 6);
    struct vidmm_allocation *allocation;

    assert_int_equal(
        vidmm_allocation_create(by_rig.device, &wish, sizeof(wish), &allocation, &by_rig.report),
        STATUS_GRAPHICS_NO_VIDEO_MEMORY);
}

/* Eight pages of each segment are taken. Twelve of the others would do, in two parts; there is one,
 * so what is in its way leaves. */
static void none_is_in_two_parts(void)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    struct vidmm_allocation *low = by_create(PLACED_PAGES(8), 2);
    struct vidmm_allocation *high = by_create(PLACED_PAGES(8), 4);
    struct vidmm_allocation *one = by_create(PLACED_PAGES(12), 6);

    by_make_resident(low->id);
    by_make_resident(high->id);
    event.residency.queue = 1;
    event.residency.flags = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER;
    event.residency.count = 1;
    event.residency.allocations = &one->id;
    assert_int_equal(by_tell(event), STATUS_PENDING); /* there is as much memory in all */
    vidmm_machine_settle(by_rig.machine);
    assert_int_equal(segment_of(one), 2);
    assert_int_equal(segment_of(low), 0);
    vidmm_allocation_destroy(low);
    vidmm_allocation_destroy(high);
    vidmm_allocation_destroy(one);
}

/* Eight pages of the other segment are taken: it has twelve entries, and all name one segment. */
static void all_of_it_is_in_one(void)
{
    struct vidmm_allocation *high = by_create(PLACED_PAGES(8), 4);
    struct vidmm_allocation *one = by_create(PLACED_PAGES(12), 6);
    unsigned from, entries = 0;

    by_make_resident(high->id);
    by_make_resident(one->id);
    assert_int_equal(segment_of(one), 2);
    from = by_count;
    by_map(one, 0, VIDMM_ADDRESSES_WRITE);
    by_wait();
    for (; (from = by_next(from, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; from++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &by_calls[from].build;

        if (build->UpdatePageTable.PageTableLevel != 0 ||
            build->UpdatePageTable.hAllocation == NULL)
            continue;
        for (unsigned i = 0; i < build->UpdatePageTable.NumPageTableEntries; i++, entries++)
            assert_int_equal(by_calls[from].entries[i].Segment, 2); /* all of it in one */
    }
    assert_int_equal(entries, 12);
    vidmm_allocation_destroy(high);
    vidmm_allocation_destroy(one);
}

void shows_D_069(void **state)
{
    const DXGK_ALLOCATIONINFOFLAGS2 none = {.NoImplicitSynchronization = 1};
    const DXGK_ALLOCATIONINFOFLAGS2 whole = {.DisablePartialResidency = 1};
    const DXGK_ALLOCATIONINFOFLAGS2 single = {.RestrictedToSingleSegment = 1};
    const uint32_t words[] = {none.Value, whole.Value, single.Value};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct softgpu_allocation wish = placed_wish(4, 2);
        struct rig_allocation one;

        assert_int_equal(words[i], 2u << i);
        by_start_flagged(words[i]);
        all_of_it_is_in_one();
        no_two_segments_hold_it();
        by_finish();
        by_start_flagged(words[i]);
        none_is_in_two_parts();
        by_finish();
        second_word = words[i]; /* below 3.2 they are no flags */
        shown_init_gpu(&shown, "wddm 3.1\n", shown_bend_creation);
        shown_refused(&shown, placed_try(&shown, &one, &wish), STATUS_NOT_SUPPORTED, "D-069");
        end();
    }
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
    enum vidmm_reclaimed reclaimed;
    NTSTATUS status;

    (void)state;
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    begin("wddm 2.0\n");
    placed_create(&shown, &one, &wish);
    make(&one);
    assert_int_equal(render_and_offer(&one, 0, &value), STATUS_SUCCESS);
    selection.allocations = &one.handle;
    assert_int_equal(vidmm_offer(&selection, 1, 0, &shown.rig.report), STATUS_SUCCESS);
    status = vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &shown.rig.report);
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

/* The third form: offered with AllowDecommit, it needs its array, and its memory is gone when
 * somebody else finds none. */
static void may_not_be_committed(struct rig_allocation *offered,
                                 const struct softgpu_allocation *wish)
{
    const struct vidmm_selection selection = {.allocations = &offered->handle,
                                              .allocation_count = 1};
    enum vidmm_reclaimed reclaimed = VIDMM_RECLAIMED;
    struct vidmm_residency_result result;
    struct rig_allocation other;

    assert_int_equal(vidmm_offer(&selection, 1, VIDMM_OFFER_ALLOW_DECOMMIT, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_refused(&shown, vidmm_reclaim_queued(queue, &selection, NULL, &result, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-215");
    vidmm_machine_fail_pages(shown.rig.machine, 1);
    placed_create(&shown, &other, wish);
    assert_int_equal(
        vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &shown.rig.report),
        STATUS_SUCCESS);
    assert_int_equal(reclaimed, VIDMM_NOT_COMMITTED);
    assert_int_equal(result.value, 0);
    assert_int_equal(where(offered), VIDMM_NOT_RESIDENT);
}

/* Two are offered, and one of them is on the list: it comes back, and the queue tells when. */
void shows_D_215(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct vidmm_selection selection = {.allocation_count = 1};
    struct rig_allocation listed, not_listed;
    struct vidmm_residency_result result;
    enum vidmm_reclaimed reclaimed = VIDMM_RECLAIMED;

    (void)state;
    wish.flags = CPU_VISIBLE | ACCESSED_PHYSICALLY;
    begin("wddm 2.0\n");
    placed_create(&shown, &listed, &wish);
    placed_create(&shown, &not_listed, &wish);
    make(&listed);
    selection.allocations = &listed.handle;
    assert_int_equal(vidmm_offer(&selection, 1, 0, &shown.rig.report), STATUS_SUCCESS);
    crowd_out(&wish);
    assert_int_equal(where(&listed), VIDMM_NOT_RESIDENT);
    assert_int_equal(
        vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &shown.rig.report),
        STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &shown.rig.report), 0);
    assert_int_equal(where(&listed), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(reclaimed, VIDMM_RECLAIMED_DISCARDED);
    selection.allocations = &not_listed.handle;
    assert_int_equal(vidmm_offer(&selection, 1, 0, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, NULL, &result, &shown.rig.report),
                     STATUS_SUCCESS); /* nothing comes, and there is no value */
    assert_int_equal(result.value, 0);
    assert_int_equal(where(&not_listed), VIDMM_NOT_RESIDENT);
    may_not_be_committed(&listed, &wish);
    end();
}
