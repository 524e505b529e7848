/* test_adapter_locks.c: pointers that programs hold while the allocations behind them move.
 *
 * Memory for three: the GPU uses four others in turn, while two programs read and write what they
 * have locked, by the same pointer all the time.
 */
#include "test_adapter_rig.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <vidmm/host.h>
#include <vidmm/resource.h>

enum { PAGES = 20, HAMMERS = 2, RENDERED = 4, LOCKS = 6, LEAST_EVICTIONS = 12, RENDERS = 40000 };

struct hammer {
    struct scene *scene;
    struct rig_allocation *allocation;
    void *first; /* pointer of the first lock */
    uint32_t written[PAGES], random;
    uint64_t lost, locks, until, steps;
    bool held;
    atomic_bool wanted; /* have the GPU use it, so that it is in the segment */
};

struct scene {
    struct rig rig;
    struct hammer hammers[HAMMERS];
    struct rig_allocation *rendered;
    atomic_uint over; /* hammers that are done */
    atomic_uint renders;
};

static uint64_t evictions(const struct scene *scene)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(scene->rig.adapter, &statistics);
    return statistics.evictions;
}

/* Add one to a word of a page that is picked, where all that was ever written must stand. */
static void strike(struct hammer *hammer, volatile uint32_t *words)
{
    uint32_t page = (hammer->random = hammer->random * 1664525u + 1013904223u) / 65536 % PAGES;
    volatile uint32_t *word = words + page * (VIDMM_PAGE_SIZE / sizeof(*words)) + page * 3;

    hammer->lost += *word != hammer->written[page];
    hammer->written[page]++;
    *word = *word + 1;
}

/* Take one lock, or one lock more and one less: the pointer is the same. */
static void *take_lock(struct hammer *hammer)
{
    void *data;

    assert_int_equal(vidmm_lock(hammer->allocation->handle, 0, &data, NULL), STATUS_SUCCESS);
    hammer->first = hammer->first != NULL ? hammer->first : data;
    assert_ptr_equal(data, hammer->first);
    return data;
}

static void let_go(const struct hammer *hammer)
{
    assert_int_equal(vidmm_unlock(hammer->allocation->handle), STATUS_SUCCESS);
}

/* A lock is held until the GPU has made a few things leave. */
static enum vidmm_caller_state hold_and_strike(void *argument)
{
    struct hammer *hammer = argument;
    struct scene *scene = hammer->scene;

    if (atomic_load(&hammer->wanted))
        return atomic_load(&scene->renders) > RENDERS ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
    if (!hammer->held) {
        take_lock(hammer);
        hammer->held = true;
        hammer->until = evictions(scene) + LEAST_EVICTIONS;
    }
    for (int strikes = 0; strikes < 16; strikes++)
        strike(hammer, hammer->first);
    if (++hammer->steps % 8 == 0) {
        take_lock(hammer);
        let_go(hammer);
    }
    if (evictions(scene) < hammer->until && hammer->steps < RENDERS)
        return VIDMM_CALLER_RAN;
    let_go(hammer);
    hammer->held = false;
    atomic_store(&hammer->wanted, true);
    if (++hammer->locks < LOCKS)
        return VIDMM_CALLER_RAN;
    atomic_fetch_add(&scene->over, 1);
    return VIDMM_CALLER_DONE;
}

static void render_one(struct scene *scene, struct rig_allocation *allocation)
{
    struct rig_allocation *list[] = {allocation};
    NTSTATUS status = rig_render(&scene->rig, list, 1, 0);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, scene->rig.report.text);
}

/* Use the others in turn, and what a hammer wants used. */
static enum vidmm_caller_state render(void *argument)
{
    struct scene *scene = argument;
    uint32_t renders = atomic_fetch_add(&scene->renders, 1);

    if (atomic_load(&scene->over) == HAMMERS || renders > RENDERS)
        return VIDMM_CALLER_DONE;
    for (uint32_t i = 0; i < HAMMERS; i++) {
        if (!atomic_load(&scene->hammers[i].wanted))
            continue;
        render_one(scene, scene->hammers[i].allocation);
        assert_int_equal(vidmm_context_wait(scene->rig.context, scene->rig.value), STATUS_SUCCESS);
        atomic_store(&scene->hammers[i].wanted, false);
    }
    render_one(scene, &scene->rendered[renders % RENDERED]);
    return VIDMM_CALLER_RAN;
}

static void build(struct scene *scene)
{
    struct rig *rig = &scene->rig;

    assert_int_equal(rig_start(rig), STATUS_SUCCESS);
    for (uint32_t i = 0; i < HAMMERS; i++) {
        struct hammer *hammer = &scene->hammers[i];

        *hammer = (struct hammer){.scene = scene, .allocation = &rig->allocations[i], .random = i};
        atomic_store(&hammer->wanted, true);
        assert_int_equal(rig_create(rig, hammer->allocation, PAGES * VIDMM_PAGE_SIZE, 2, 1),
                         STATUS_SUCCESS);
        assert_true(vidmm_machine_add_caller(rig->machine, "hammer", hold_and_strike, hammer));
    }
    scene->rendered = &rig->allocations[HAMMERS];
    for (uint32_t i = 0; i < RENDERED; i++)
        assert_int_equal(rig_create(rig, &scene->rendered[i], PAGES * VIDMM_PAGE_SIZE, 2, 1),
                         STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(rig->machine, "renders", render, scene));
}

static void play(enum vidmm_machine_kind kind, uint64_t seed, bool through_aperture)
{
    struct rig_options options = rig_defaults();
    struct scene *scene = calloc(1, sizeof(*scene));
    char report[300] = "";

    options.kind = kind;
    options.machine_seed = seed;
    options.gpu = "execute none\n";
    options.evict_through_aperture = through_aperture;
    rig_build(&scene->rig, &options);
    build(scene);
    if (!vidmm_machine_run(scene->rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    for (uint32_t i = 0; i < HAMMERS; i++)
        if (scene->hammers[i].lost != 0)
            fail_msg("seed %llu: %llu words were not what was written", (unsigned long long)seed,
                     (unsigned long long)scene->hammers[i].lost);
    assert_int_equal(atomic_load(&scene->over), HAMMERS);
    rig_finish(&scene->rig);
    free(scene);
}

static void a_pointer_stays_true_while_its_allocation_moves(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        play(VIDMM_MACHINE_THREADED, seed, seed % 2 == 0);
}

static void a_pointer_stays_true_under_every_interleaving(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 16; seed++)
        play(VIDMM_MACHINE_SIMULATED, seed, seed % 2 == 0);
}

static bool reserves_nothing(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    (void)context;
    (void)window;
    (void)frames;
    return false;
}

/* A pointer that cannot follow keeps the power on; that is refused, and everything goes on. */
static void power_that_cannot_go_stays(void **state)
{
    const struct rig_options options = rig_defaults();
    struct rig_allocation *locked, *list[2];
    struct vidmm_host host;
    struct rig rig;
    void *data;

    (void)state;
    rig_build(&rig, &options);
    host = *vidmm_slot_host(rig.slot);
    host.reserve_window = reserves_nothing;
    rig.host = &host;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        list[i] = &rig.allocations[i];
        assert_int_equal(rig_create(&rig, list[i], 3 * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    }
    locked = list[0];
    assert_int_equal(rig_render(&rig, list, 2, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(locked->handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_TIMEOUT);
    assert_int_equal(rig_render(&rig, &list[1], 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(locked->handle), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, list, 2, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    rig_finish(&rig);
}

/* ---- a lock beside the end of a page-in ------------------------------------------------------ */

static struct {
    struct rig rig;
    const struct vidmm_host *real;
    uint64_t before; /* value of the DMA buffer before the one that brings the allocation in */
    atomic_bool begun, over, late;
} dropping;

static void doze(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* A lock that waits for this has no end before ten seconds have passed. */
static void drop_after_lock(void *context, uint64_t count, const uint64_t *frames)
{
    bool used = vidmm_context_completed(dropping.rig.context) > dropping.before;

    if (used && !atomic_exchange(&dropping.begun, true)) {
        for (uint32_t i = 0; i < 10000 && !atomic_load(&dropping.over); i++)
            doze();
        atomic_store(&dropping.late, !atomic_load(&dropping.over));
    }
    dropping.real->drop_pages(context, count, frames);
}

static void *lock_beside(void *argument)
{
    (void)argument;
    while (!atomic_load(&dropping.begun) && !atomic_load(&dropping.over))
        doze();
    if (atomic_load(&dropping.begun))
        rig_lock_and_touch(&dropping.rig, &dropping.rig.allocations[0], true);
    atomic_store(&dropping.over, true);
    return NULL;
}

/* The allocation is brought in for a DMA buffer. If one interrupt tells of the end of both, one
 * step of the engine takes in both. */
static void bring_in_beside(struct rig *rig)
{
    struct rig_allocation *list[] = {&rig->allocations[0]};
    pthread_t beside;

    atomic_store(&dropping.over, false);
    assert_int_equal(rig_create(rig, list[0], 3 * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_true(rig_lock_and_touch(rig, list[0], true));
    dropping.before = rig->value;
    assert_int_equal(pthread_create(&beside, NULL, lock_beside, NULL), 0);
    assert_int_equal(rig_render(rig, list, 1, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
    if (!atomic_load(&dropping.begun)) /* by two interrupts: once more */
        atomic_store(&dropping.over, true);
    pthread_join(beside, NULL);
    assert_int_equal(rig_render(rig, list, 1, 0), STATUS_SUCCESS);
    rig_read(rig);
    vidmm_allocation_destroy(list[0]->handle);
    list[0]->handle = NULL;
}

/* A lock of a place in a memory segment looks at no page of the backing store. If it waited until
 * these were dropped, the place could be claimed meanwhile: nobody holds a lock yet (L1). */
static void a_place_that_is_granted_is_had_at_once(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = &dropping.rig;
    struct vidmm_host host;

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.gpu = "engines render\ninterrupts late\n";
    rig_build(rig, &options);
    dropping.real = vidmm_slot_host(rig->slot);
    host = *dropping.real;
    host.drop_pages = drop_after_lock;
    rig->host = &host;
    assert_int_equal(rig_start(rig), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 1000 && !atomic_load(&dropping.begun); i++)
        bring_in_beside(rig);
    assert_true(atomic_load(&dropping.begun));
    assert_false(atomic_load(&dropping.late));
    rig_finish(rig);
}

/* ---- a lock that brings its allocation in ---------------------------------------------------- */

static NTSTATUS lock_by_range(struct rig_allocation *allocation, struct vidmm_lock_arguments *lock)
{
    *lock = (struct vidmm_lock_arguments){.allocation = allocation->handle,
                                          .flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_ACQUIRE_APERTURE |
                                                   VIDMM_LOCK_USE_ALTERNATE_VA};
    return vidmm_lock_pages(lock, NULL);
}

/* The content has come to a memory segment for a lock that was refused in the end: an earlier
 * lock's knowledge of the backing store is true no more. */
static void a_lock_in_vain_leaves_no_pointer_to_where_the_content_was(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_lock_arguments held, vain;
    static struct rig rig;

    (void)state;
    options.gpu = "ranges 1\n";
    rig_init(&rig, &options);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rig_create(&rig, &rig.allocations[i], 8 * VIDMM_PAGE_SIZE, 2, 1),
                         STATUS_SUCCESS);
        assert_true(rig_lock_and_touch(&rig, &rig.allocations[i], true));
    }
    assert_int_equal(lock_by_range(&rig.allocations[0], &held), STATUS_SUCCESS);
    assert_int_equal(lock_by_range(&rig.allocations[1], &vain),
                     STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE);
    assert_true(rig_lock_and_touch(&rig, &rig.allocations[1], true)); /* the write is there */
    assert_int_equal(vidmm_unlock(rig.allocations[0].handle), STATUS_SUCCESS);
    rig_read(&rig);
    rig_finish(&rig);
}

/* An allocation that leaves while it is locked by a range leaves with whole pages, as everything
 * does. */
static void the_end_of_a_last_page_is_kept(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_lock_arguments lock;
    static struct rig rig;

    (void)state;
    options.gpu = "ranges 1\n";
    rig_init(&rig, &options);
    assert_int_equal(rig_create(&rig, &rig.allocations[0], 7 * VIDMM_PAGE_SIZE + 100, 2, 1),
                     STATUS_SUCCESS);
    assert_int_equal(lock_by_range(&rig.allocations[0], &lock), STATUS_SUCCESS);
    for (uint32_t page = 0; page < rig.allocations[0].pages; page++)
        rig_touch_page(&rig, &rig.allocations[0], (char *)lock.data + page * VIDMM_PAGE_SIZE, page,
                       true);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(rig.allocations[0].handle), STATUS_SUCCESS);
    rig_read(&rig);
    rig_finish(&rig);
}

/* An adapter stops while the member of a resource has a range: that is released before the driver's
 * allocation goes, which the driver would refuse. */
static void the_range_of_a_member_ends_with_a_stopped_adapter(void **state)
{
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = 1, /* CpuVisible */
        .size = 8 * VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description member = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    struct rig_options options = rig_defaults();
    struct vidmm_lock_arguments lock;
    struct vidmm_resource *resource;
    struct softgpu_statistics gpu;
    static struct rig rig;
    struct rig_allocation *one[] = {&rig.allocations[1]};

    (void)state;
    options.gpu = "ranges 1\nhang 0 1\nrecovery preempt_fails\n";
    rig_init(&rig, &options);
    assert_int_equal(vidmm_resource_create(rig.device, &(struct vidmm_resource_options){0}, &member,
                                           1, &resource, &rig.allocations[0].handle, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(lock_by_range(&rig.allocations[0], &lock), STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(rig.context, rig.value);
    assert_int_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_UNSUCCESSFUL);
    rig_stop(&rig);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.driver_refusals, 0);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pointer_stays_true_while_its_allocation_moves),
        cmocka_unit_test(a_pointer_stays_true_under_every_interleaving),
        cmocka_unit_test(power_that_cannot_go_stays),
        cmocka_unit_test(a_place_that_is_granted_is_had_at_once),
        cmocka_unit_test(a_lock_in_vain_leaves_no_pointer_to_where_the_content_was),
        cmocka_unit_test(the_end_of_a_last_page_is_kept),
        cmocka_unit_test(the_range_of_a_member_ends_with_a_stopped_adapter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
