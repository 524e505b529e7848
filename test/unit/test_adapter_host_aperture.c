/* test_adapter_host_aperture.c: the CPU host aperture where things end or go wrong: no pages, a
 * driver that refuses, destruction, loss of power, a reset, mappings of many calls. Memory has 256
 * pages and the aperture 16, unless a test says otherwise.
 */
#include "test_adapter_rig.h"

#include <vidmm/host.h>
#include <vidmm/fence.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

enum {
    PLAIN = 0x8000, /* AccessedPhysically */
    VISIBLE = 0x8001,
    CACHED = 0x8005,
    PERMANENT = 0x8003,  /* PermanentSysMem */
    ON_DEMAND = 0x48000, /* CpuVisibleOnDemand */
    MEMORY = 2,
    EITHER = 3,
    HOST_PAGES = 16,
    MOST = 1024,
};

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)
#define GPU "wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture\n"
#define LARGE "wddm 2.0\nsegment 1 aperture 64M\nsegment 2 memory 32M hostaperture\n"

static struct rig rig;
static struct vidmm_paging_queue *queue;

/* Calls that the driver got. */
static struct {
    DXGKDDI_MAPCPUHOSTAPERTURE *map;
    DXGKDDI_UNMAPCPUHOSTAPERTURE *unmap;
    bool shows[MOST];
    uint32_t mapped, maps, unmaps;
    uint32_t refuses; /* the mapping with this number; 0: none */
    uint32_t keeps;   /* so many calls of Unmap fail from here on */
} host;

static NTSTATUS map(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *arguments)
{
    NTSTATUS status;

    if (++host.maps == host.refuses)
        return STATUS_INSUFFICIENT_RESOURCES;
    status = host.map(adapter, arguments);
    assert_int_equal(status, STATUS_SUCCESS);
    for (UINT64 index = 0; index < arguments->NumberOfPages; index++) {
        assert_false(host.shows[arguments->pCpuHostAperturePages[index]]);
        host.shows[arguments->pCpuHostAperturePages[index]] = true;
        host.mapped++;
    }
    return status;
}

static NTSTATUS unmap(HANDLE adapter, const DXGKARG_UNMAPCPUHOSTAPERTURE *arguments)
{
    NTSTATUS status;

    host.unmaps++;
    if (host.keeps > 0) {
        host.keeps--;
        return STATUS_UNSUCCESSFUL;
    }
    status = host.unmap(adapter, arguments);
    assert_int_equal(status, STATUS_SUCCESS);
    for (UINT64 index = 0; index < arguments->NumberOfPages; index++) {
        assert_true(host.shows[arguments->pCpuHostAperturePages[index]]);
        host.shows[arguments->pCpuHostAperturePages[index]] = false;
        host.mapped--;
    }
    return status;
}

static bool reserves_nothing(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    (void)context;
    (void)window;
    (void)frames;
    return false;
}

static void start_with(const struct rig_options *options, bool windows)
{
    static struct vidmm_host without;

    memset(&host, 0, sizeof(host));
    rig_build(&rig, options);
    host.map = rig.driver.DxgkDdiMapCpuHostAperture;
    host.unmap = rig.driver.DxgkDdiUnmapCpuHostAperture;
    rig.driver.DxgkDdiMapCpuHostAperture = map;
    rig.driver.DxgkDdiUnmapCpuHostAperture = unmap;
    if (!windows) {
        without = *vidmm_slot_host(rig.slot);
        without.reserve_window = reserves_nothing;
        rig.host = &without;
    }
    if (rig_start(&rig) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
}

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    start_with(&options, true);
}

static void finish(void)
{
    assert_int_equal(rig.cpu_mismatches, 0);
    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++)
        rig.allocations[index].handle = NULL; /* some are larger than the rig can look at */
    rig_finish(&rig);
    assert_int_equal(host.mapped, 0);
}

static void make_resident(struct rig_allocation *one)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    vidmm_machine_settle(rig.machine);
}

static void evict(struct rig_allocation *one)
{
    assert_int_equal(vidmm_evict(rig.device, &one->handle, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static bool is_in_memory(struct rig_allocation *one)
{
    const struct vidmm_selection selection = {.allocations = &one->handle, .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency == VIDMM_RESIDENT_IN_GPU;
}

static struct rig_allocation *create(uint32_t index, uint32_t pages, uint32_t set, uint32_t flags)
{
    struct rig_allocation *one = &rig.allocations[index];

    if (rig_create(&rig, one, BYTES(pages), set, flags) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    return one;
}

static struct rig_allocation *resident(uint32_t index, uint32_t pages, uint32_t flags)
{
    struct rig_allocation *one = create(index, pages, EITHER, flags);

    make_resident(one);
    assert_true(is_in_memory(one));
    return one;
}

/* Allocations that nobody wants in place leave for a large one. */
static void push_out(void)
{
    struct rig_allocation *large = &rig.allocations[RIG_ALLOCATIONS - 1];

    if (large->handle == NULL)
        create(RIG_ALLOCATIONS - 1, 252, 2, PLAIN);
    make_resident(large);
    evict(large);
}

static void render(struct rig_allocation *one, bool write)
{
    assert_int_equal(rig_render(&rig, &one, 1, write ? 1 : 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static void touch(struct rig_allocation *one, char *data)
{
    for (uint32_t page = 0; page < one->pages && one->pages <= RIG_PAGES; page++)
        rig_touch_page(&rig, one, data + BYTES(page), page, true);
    assert_int_equal(rig.cpu_mismatches, 0);
}

static char *lock(struct rig_allocation *one)
{
    void *data = NULL;

    if (vidmm_lock2(one->handle, 0, &data, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    touch(one, data);
    return data;
}

static void unlock(struct rig_allocation *one)
{
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

/* All pages can be had: none is lost to anybody. */
static void all_pages_are_free_for(struct rig_allocation *all)
{
    lock(all);
    assert_true(is_in_memory(all));
    assert_int_equal(host.mapped, HOST_PAGES);
    unlock(all);
}

/* ---- pages that come back -------------------------------------------------------------------- */

static void what_is_too_large_unmaps_nothing(void **state)
{
    struct rig_allocation *small, *large;

    (void)state;
    start(GPU);
    small = resident(0, 4, VISIBLE);
    large = resident(1, HOST_PAGES + 1, VISIBLE);
    lock(small);
    unlock(small);
    lock(large);
    assert_false(is_in_memory(large));
    assert_int_equal(host.mapped, 4);
    assert_int_equal(host.unmaps, 0);
    unlock(large);
    finish();
}

/* It is wanted in place, where no page shows it, and no aperture of its set could. */
static void has_no_way(struct rig_allocation *one)
{
    void *data = NULL;

    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "S2-017"));
    assert_null(data);
    assert_true(is_in_memory(one));
}

static void what_has_no_aperture_is_refused_when_all_pages_are_locked(void **state)
{
    struct rig_allocation *all, *one, *bridged;

    (void)state;
    start(GPU);
    all = resident(0, HOST_PAGES, VISIBLE);
    one = create(1, 4, MEMORY, ON_DEMAND);
    make_resident(one);
    bridged = resident(2, 4, ON_DEMAND);
    lock(all);
    has_no_way(one);
    lock(bridged); /* by its aperture */
    assert_false(is_in_memory(bridged));
    unlock(bridged);
    assert_int_equal(host.unmaps, 0);
    unlock(all);
    lock(one); /* the other mapping goes for it */
    assert_true(is_in_memory(one));
    assert_int_equal(host.mapped, 4);
    unlock(one);
    evict(one); /* wanted no more, it may leave */
    lock(all);
    lock(one);
    assert_false(is_in_memory(one));
    unlock(one);
    unlock(all);
    finish();
}

static void what_has_no_aperture_is_refused_when_the_driver_refuses(void **state)
{
    struct rig_allocation *one;

    (void)state;
    start(GPU);
    one = create(0, 5, MEMORY, ON_DEMAND);
    make_resident(one);
    host.refuses = 1;
    has_no_way(one);
    assert_int_equal(host.maps, 1);
    lock(one); /* one refusal is no reason to ask no more */
    assert_true(is_in_memory(one));
    unlock(one);
    finish();
}

static void a_refused_mapping_keeps_no_pages(void **state)
{
    struct rig_allocation *one, *all;

    (void)state;
    start(GPU);
    one = resident(0, 5, VISIBLE);
    all = resident(1, HOST_PAGES, VISIBLE);
    host.refuses = 1;
    lock(one);
    assert_false(is_in_memory(one));
    assert_int_equal(host.maps, 1);
    all_pages_are_free_for(all); /* one refusal is no reason to ask no more */
    unlock(one);
    finish();
}

/* Pages that were reserved for addresses that might follow. */
static void a_reservation_ends_where_nothing_follows(void **state)
{
    struct rig_allocation *one, *all;

    (void)state;
    start(GPU);
    all = resident(1, HOST_PAGES, VISIBLE);
    one = create(0, 5, EITHER, VISIBLE);
    lock(one); /* in system memory */
    unlock(one);
    make_resident(one); /* nobody has it locked */
    all_pages_are_free_for(all);
    evict(one);
    evict(all);
    push_out();
    make_resident(all);
    lock(one);
    make_resident(one); /* its address follows */
    assert_int_equal(host.mapped, 5);
    evict(one);
    evict(all);
    push_out(); /* and out again */
    assert_int_equal(host.mapped, 0);
    make_resident(all);
    all_pages_are_free_for(all);
    unlock(one);
    finish();
}

/* One that has an aperture and both memory segments, and wants to be in the one with the window. */
static struct rig_allocation *create_in_two(uint32_t index, uint32_t pages)
{
    struct rig_allocation *one = &rig.allocations[index];
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = VISIBLE,
        .size = BYTES(pages),
        .read_set = 7,
        .write_set = 7,
        .preferred = 3 | 2 << 6 | 1 << 12,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };

    memset(one, 0, sizeof(*one));
    if (vidmm_allocation_create(rig.device, &wish, sizeof(wish), &one->handle, &rig.report) !=
        STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    one->id = ++rig.next_id;
    one->pages = pages;
    return one;
}

/* It is locked in the window, and moves to memory that the CPU sees without one: its pages of the
 * window are free while it is there. */
static void what_moves_to_another_segment_gives_back_its_pages(void **state)
{
    struct vidmm_residency_result result = {0};
    struct rig_allocation *one, *all, *large = &rig.allocations[2];
    char *data;

    (void)state;
    start("wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M cpuvisible\n"
          "segment 3 memory 1M hostaperture\n");
    one = create_in_two(0, 5);
    make_resident(one);
    data = lock(one);
    assert_int_equal(host.mapped, 5);
    evict(one); /* it stays where it is, until its place is needed */
    create(2, 254, 4, PLAIN);
    assert_int_equal(vidmm_make_resident(queue, &large->handle, 1, 0, &result, &rig.report),
                     STATUS_PENDING);
    make_resident(one); /* on its way out it gets a place in the other segment */
    assert_true(is_in_memory(one));
    assert_int_equal(host.mapped, 0);
    touch(one, data);
    evict(large);
    all = create_in_two(1, HOST_PAGES);
    make_resident(all);
    all_pages_are_free_for(all);
    touch(one, data);
    unlock(one);
    finish();
}

static void what_is_destroyed_gives_back_its_pages_and_its_place(void **state)
{
    struct rig_allocation *one, *all;

    (void)state;
    start(GPU);
    one = resident(0, 12, VISIBLE);
    lock(one);
    unlock(one);
    evict(one); /* nobody wants it, and nobody needs its place */
    assert_int_equal(host.mapped, 12);
    vidmm_allocation_destroy(one->handle);
    one->handle = NULL;
    vidmm_machine_settle(rig.machine);
    assert_int_equal(host.mapped, 0);
    all = resident(1, HOST_PAGES, VISIBLE);
    all_pages_are_free_for(all);
    evict(all);
    push_out();
    finish();
}

/* Its addresses follow it into the segment. It stays for commands that were queued before, and
 * nobody sees it there any more. */
static void what_is_destroyed_on_its_way_in_is_not_mapped_again(void **state)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_fence_point point = {.value = 1};
    struct rig_allocation *one, *other;

    (void)state;
    start(GPU);
    assert_int_equal(vidmm_fence_create(rig.device, 0, 0, &point.fence, &rig.report),
                     STATUS_SUCCESS);
    one = create(0, 12, EITHER, VISIBLE);
    other = resident(2, 4, PLAIN);
    lock(one);
    assert_int_equal(vidmm_context_wait_for_fences(rig.context, &point, 1, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &other, 1, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &one->handle, 1, 0, &result, &rig.report),
                     STATUS_PENDING);
    vidmm_allocation_destroy(one->handle);
    one->handle = NULL;
    vidmm_machine_settle(rig.machine);
    assert_int_equal(host.mapped, 0);
    assert_int_equal(vidmm_fence_signal(rig.device, &point, 1, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(host.mapped, 0);
    all_pages_are_free_for(resident(1, HOST_PAGES, VISIBLE));
    finish();
}

/* In runs of 4 KiB it could touch 20 pages of 64 KiB: so many are reserved for its address, and
 * those that it does not touch are given back. */
static void a_reservation_shrinks_to_what_is_needed(void **state)
{
    struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = 1, /* CpuVisible */
        .size = BYTES(20),
        .read_set = 5,
        .write_set = 5,
        .preferred = 3 | 1 << 6,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    struct rig_allocation *one = &rig.allocations[0], *rest = &rig.allocations[1];

    (void)state;
    start("wddm 2.0\nmmu gpu\npages_64k single\npage_table_segment 2\nsegment 1 aperture 4M\n"
          "segment 2 memory 8M cpuvisible\nsegment 3 memory 32M hostaperture\n");
    assert_int_equal(vidmm_allocation_create(rig.device, &wish, sizeof(wish), &one->handle, NULL),
                     STATUS_SUCCESS);
    wish.size = BYTES(16 * 30);
    assert_int_equal(vidmm_allocation_create(rig.device, &wish, sizeof(wish), &rest->handle, NULL),
                     STATUS_SUCCESS);
    lock(one); /* in system memory */
    make_resident(one);
    assert_true(is_in_memory(one));
    assert_int_equal(host.mapped, 2);
    make_resident(rest);
    lock(rest);
    assert_true(is_in_memory(rest));
    assert_int_equal(host.mapped, 32);
    unlock(rest);
    unlock(one);
    finish();
}

/* ---- who may have pages ---------------------------------------------------------------------- */

/* Lock2 finds it elsewhere; the driver is not asked. */
static void nobody_else_has_pages(const char *gpu, uint32_t flags)
{
    struct rig_allocation *one;

    start(gpu);
    one = resident(0, 4, flags);
    render(one, true);
    lock(one);
    assert_int_equal(host.maps, 0);
    unlock(one);
    finish();
}

static void cached_and_permanent_allocations_have_none(void **state)
{
    (void)state;
    nobody_else_has_pages(GPU, CACHED);
    nobody_else_has_pages(GPU, PERMANENT);
}

/* The oldest mapping is locked, and its address cannot follow: it was asked to leave, and stays. */
static void a_mapping_that_cannot_leave_stays_mapped(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *first, *second, *third;
    char *data;

    (void)state;
    options.gpu = GPU;
    start_with(&options, false);
    first = resident(0, 8, VISIBLE);
    second = resident(1, 8, VISIBLE);
    third = resident(2, 8, VISIBLE);
    data = lock(first);
    lock(second);
    unlock(second);
    evict(first);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_TIMEOUT); /* it is asked, for the power */
    make_resident(second);
    make_resident(third);
    lock(second);
    unlock(second);
    lock(third);
    assert_true(is_in_memory(third));
    assert_true(is_in_memory(first));
    touch(first, data);
    unlock(third);
    unlock(first);
    finish();
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void check_bytes(const unsigned char *data, uint64_t size, unsigned seed)
{
    for (uint64_t byte = 0; byte < size; byte += 61)
        if (data[byte] != (unsigned char)(byte * 7 + (byte >> 12) + seed))
            fail_msg("byte %llu is 0x%02x", (unsigned long long)byte, data[byte]);
}

static void fill_bytes(unsigned char *data, uint64_t size, unsigned seed)
{
    for (uint64_t byte = 0; byte < size; byte++)
        data[byte] = (unsigned char)(byte * 7 + (byte >> 12) + seed);
}

/* 300 pages are mapped and unmapped by three calls. */
static void a_large_mapping_takes_several_calls(void **state)
{
    struct rig_allocation *one;
    unsigned char *data;

    (void)state;
    start(LARGE);
    one = resident(0, 300, VISIBLE);
    data = (unsigned char *)lock(one);
    assert_true(is_in_memory(one));
    assert_int_equal(host.maps, 3);
    assert_int_equal(host.mapped, 300);
    fill_bytes(data, BYTES(300), 1);
    check_bytes(data, BYTES(300), 1);
    unlock(one);
    vidmm_allocation_destroy(one->handle);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(host.unmaps, 3);
    assert_int_equal(host.mapped, 0);
    finish();
}

static void what_one_of_several_calls_refuses_is_undone(void **state)
{
    struct rig_allocation *one;
    unsigned char *data;

    (void)state;
    start(LARGE);
    one = resident(0, 300, VISIBLE);
    host.refuses = 3;
    data = (unsigned char *)lock(one);
    assert_false(is_in_memory(one));
    assert_int_equal(host.maps, 3);
    assert_int_equal(host.unmaps, 2);
    assert_int_equal(host.mapped, 0);
    fill_bytes(data, BYTES(300), 2);
    check_bytes(data, BYTES(300), 2);
    unlock(one);
    host.refuses = 5; /* now two calls have 256 pages, and 44 are left alone */
    make_resident(one);
    data = (unsigned char *)lock(one);
    check_bytes(data, BYTES(300), 2);
    assert_int_equal(host.mapped, 0);
    unlock(one);
    finish();
}

/* Nobody knows what a page shows whose mapping did not end. */
static void an_unmap_that_fails_stops_the_adapter(void **state)
{
    struct rig_allocation *one;

    (void)state;
    start(GPU);
    one = resident(0, 4, VISIBLE);
    lock(one);
    unlock(one);
    host.keeps = 1;
    evict(one);
    vidmm_allocation_destroy(one->handle);
    vidmm_machine_settle(rig.machine);
    assert_int_not_equal(vidmm_adapter_condition(rig.adapter, &rig.report), STATUS_SUCCESS);
    assert_non_null(strstr(rig.report.text, "UnmapCpuHostAperture"));
    for (uint32_t index = 0; index < RIG_ALLOCATIONS; index++)
        rig.allocations[index].handle = NULL;
    rig_finish(&rig);
}

/* ---- power, resets, links -------------------------------------------------------------------- */

static void the_window_is_empty_when_the_power_goes(void **state)
{
    struct rig_allocation *one, *other, *unseen;
    char *data;

    (void)state;
    start("wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture standby hibernate\n");
    one = resident(0, 6, VISIBLE);
    other = resident(1, 6, VISIBLE);
    unseen = resident(2, 6, VISIBLE);
    data = lock(one);
    lock(other);
    unlock(other);
    assert_int_equal(host.mapped, 12);
    for (uint32_t power = 0; power < 2; power++) {
        assert_int_equal(
            vidmm_adapter_set_power(
                rig.adapter, power == 0 ? VIDMM_POWER_HIBERNATE : VIDMM_POWER_D3, &rig.report),
            STATUS_SUCCESS);
        assert_int_equal(host.mapped, 0);
        assert_int_equal(is_in_memory(unseen), power == 0); /* the segment is preserved */
        assert_false(is_in_memory(one));
        assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report),
                         STATUS_SUCCESS);
        vidmm_machine_settle(rig.machine);
        touch(one, data);
        make_resident(one);
        touch(one, data);
        lock(other);
        unlock(other);
    }
    unlock(one);
    finish();
}

static void a_reset_empties_the_window(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct vidmm_statistics statistics;
    char *data;

    (void)state;
    options.gpu = GPU "hang 0 1\n";
    options.adapter.timeout_ms = 2000;
    start_with(&options, true);
    one = resident(0, 6, VISIBLE);
    data = lock(one);
    assert_int_equal(host.mapped, 6);
    assert_int_equal(rig_render(&rig, &one, 1, 0), STATUS_SUCCESS);
    vidmm_context_wait(rig.context, rig.value);
    vidmm_machine_settle(rig.machine);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    assert_int_equal(host.unmaps, 1);
    assert_int_equal(host.mapped, 0);
    data[0] = 1; /* the address is good, whatever it leads to */
    unlock(one);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_large_unmaps_nothing),
        cmocka_unit_test(what_has_no_aperture_is_refused_when_all_pages_are_locked),
        cmocka_unit_test(what_has_no_aperture_is_refused_when_the_driver_refuses),
        cmocka_unit_test(a_refused_mapping_keeps_no_pages),
        cmocka_unit_test(a_reservation_ends_where_nothing_follows),
        cmocka_unit_test(what_moves_to_another_segment_gives_back_its_pages),
        cmocka_unit_test(what_is_destroyed_gives_back_its_pages_and_its_place),
        cmocka_unit_test(what_is_destroyed_on_its_way_in_is_not_mapped_again),
        cmocka_unit_test(a_reservation_shrinks_to_what_is_needed),
        cmocka_unit_test(cached_and_permanent_allocations_have_none),
        cmocka_unit_test(a_mapping_that_cannot_leave_stays_mapped),
        cmocka_unit_test(a_large_mapping_takes_several_calls),
        cmocka_unit_test(what_one_of_several_calls_refuses_is_undone),
        cmocka_unit_test(an_unmap_that_fails_stops_the_adapter),
        cmocka_unit_test(the_window_is_empty_when_the_power_goes),
        cmocka_unit_test(a_reset_empties_the_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
