/* test_adapter_lock2.c: Lock2 on drivers of WDDM 2.x: each cell of its matrix, and pointers that
 * stay while residency moves what they show.
 */
#include "test_adapter_rig.h"

#include <stdatomic.h>

#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmddi_allocation.h>

#include <vidmm/engine.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"

enum {
    CPU_VISIBLE = 0x1,
    CACHED = 0x4,
    PHYSICALLY = 0x8000, /* AccessedPhysically */
    ON_DEMAND = 0x40000, /* CpuVisibleOnDemand */
    APERTURE = 1,
    MEMORY = 2,
    EITHER = 3,
    PAGES = 16, /* of an allocation; memory has 64 */
};

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

#define VISIBLE "wddm 2.0\n"
#define HIDDEN "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K\n"

static struct rig rig;
static struct vidmm_paging_queue *queue;

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
}

static void finish(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

static struct rig_allocation *create(uint32_t index, uint32_t set, uint32_t flags)
{
    struct rig_allocation *allocation = &rig.allocations[index];
    NTSTATUS status = rig_create(&rig, allocation, BYTES(PAGES), set, PHYSICALLY | flags);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
    return allocation;
}

/* One that may lie in several runs of pages. */
static struct rig_allocation *create_plain(uint32_t index, uint32_t set, uint32_t flags)
{
    assert_int_equal(rig_create(&rig, &rig.allocations[index], BYTES(PAGES), set, flags),
                     STATUS_SUCCESS);
    return &rig.allocations[index];
}

static NTSTATUS make(struct rig_allocation *allocation, uint64_t *value)
{
    struct vidmm_residency_result result = {0};
    NTSTATUS status = vidmm_make_resident(
        queue, &allocation->handle, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result, &rig.report);

    *value = result.value;
    return status;
}

static void wait_for(uint64_t value)
{
    NTSTATUS status = vidmm_paging_queue_wait(queue, value, &rig.report);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static void make_and_wait(struct rig_allocation *allocation)
{
    uint64_t value;
    NTSTATUS status = make(allocation, &value);

    if (status == STATUS_PENDING)
        wait_for(value);
    else if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static void evict(struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_evict(rig.device, &allocation->handle, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static void render(struct rig_allocation *allocation, bool write)
{
    NTSTATUS status = rig_render(&rig, &allocation, 1, write ? 1 : 0);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static char *lock(struct rig_allocation *allocation)
{
    void *data = NULL;
    NTSTATUS status = vidmm_lock2(allocation->handle, 0, &data, &rig.report);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
    assert_non_null(data);
    return data;
}

static void unlock(struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_unlock2(allocation->handle, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

/* Check all that the pointer shows, and write some of it. */
static void touch(struct rig_allocation *allocation, char *data)
{
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(&rig, allocation, data + BYTES(page), page, page % 3 == 0);
    assert_int_equal(rig.cpu_mismatches, 0);
}

static uint64_t evictions(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(rig.adapter, &statistics);
    return statistics.evictions;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static struct rig_allocation *resident(const char *gpu, uint32_t set, uint32_t flags)
{
    struct rig_allocation *one;

    start(gpu);
    one = create(0, set, flags);
    make_and_wait(one);
    render(one, true);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    return one;
}

static void a_visible_allocation_in_visible_memory_is_locked_where_it_is(void **state)
{
    struct rig_allocation *one = resident(VISIBLE, MEMORY, CPU_VISIBLE);

    (void)state;
    touch(one, lock(one));
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(evictions(), 0);
    render(one, true); /* it stays locked: nothing is refused, and the GPU sees what was written */
    touch(one, lock(one));
    unlock(one);
    unlock(one);
    finish();
}

/* It leaves memory for the aperture, and goes back after the last unlock. */
static void is_staged(const char *gpu, uint32_t flags)
{
    struct rig_allocation *one = resident(gpu, EITHER, flags);
    char *data = lock(one);

    touch(one, data);
    assert_int_equal(evictions(), 1);
    for (uint32_t round = 0; round < 3; round++) {
        render(one, true); /* its device works on, by the aperture */
        assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_SHARED);
        touch(one, data);
    }
    assert_ptr_equal(lock(one), data);
    unlock(one);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_SHARED);
    unlock(one);
    render(one, true);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    touch(one, lock(one));
    unlock(one);
    finish();
}

static void a_cached_allocation_leaves_memory_for_a_lock_and_goes_back(void **state)
{
    (void)state;
    is_staged(VISIBLE, CPU_VISIBLE | CACHED);
    is_staged(HIDDEN, CPU_VISIBLE | CACHED);
}

static void a_visible_allocation_leaves_memory_that_the_cpu_does_not_see(void **state)
{
    (void)state;
    is_staged(HIDDEN, CPU_VISIBLE);
}

static void an_allocation_that_is_not_visible_is_locked_in_system_memory(void **state)
{
    (void)state;
    is_staged(VISIBLE, 0);
    is_staged(HIDDEN, 0);
}

/* Without an aperture it cannot leave as long as it is resident; afterwards it is locked. */
static void is_refused_while_resident(const char *gpu, uint32_t flags)
{
    struct rig_allocation *one = resident(gpu, MEMORY, flags);
    void *data = &rig;

    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_INVALID_PARAMETER);
    assert_ptr_equal(data, &rig);
    assert_non_null(strstr(rig.report.text, "aperture"));
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(
        vidmm_evict(rig.device, &one->handle, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, NULL, &rig.report),
        STATUS_SUCCESS);
    touch(one, lock(one)); /* nobody wants it in place any more */
    unlock(one);
    make_and_wait(one);
    render(one, false);
    finish();
}

static void what_has_no_aperture_is_not_locked_in_memory_that_is_out_of_reach(void **state)
{
    (void)state;
    is_refused_while_resident(VISIBLE, 0);
    is_refused_while_resident(VISIBLE, CPU_VISIBLE | CACHED);
    is_refused_while_resident(HIDDEN, 0);
}

static void what_is_in_an_aperture_or_nowhere_is_always_locked(void **state)
{
    static const uint32_t flags[] = {0, CPU_VISIBLE, CPU_VISIBLE | CACHED};

    (void)state;
    for (uint32_t index = 0; index < 3; index++) {
        struct rig_allocation *one;

        start(index % 2 == 0 ? HIDDEN : VISIBLE);
        one = create(0, APERTURE, flags[index]);
        touch(one, lock(one)); /* it was never resident */
        unlock(one);
        make_and_wait(one);
        render(one, true);
        touch(one, lock(one));
        assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_SHARED);
        assert_int_equal(evictions(), 0);
        evict(one);
        touch(one, lock(one));
        unlock(one);
        unlock(one);
        finish();
    }
}

/* ---- residency while it is locked ------------------------------------------------------------ */

static void a_pointer_follows_into_memory_and_out_of_it(void **state)
{
    struct rig_allocation *one, *others[4];
    char *data;

    (void)state;
    start(VISIBLE);
    one = create(0, EITHER, CPU_VISIBLE);
    data = lock(one);
    touch(one, data);
    make_and_wait(one);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    touch(one, data);
    render(one, true);
    touch(one, data);
    for (uint32_t index = 0; index < 4; index++) { /* these may live nowhere else */
        others[index] = create(index + 1, MEMORY, CPU_VISIBLE);
        make_and_wait(others[index]);
    }
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_SHARED);
    touch(one, data);
    render(one, true);
    touch(one, data);
    evict(others[2]);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU); /* promoted, lock and all */
    touch(one, data);
    render(one, false);
    unlock(one);
    finish();
}

/* A GPU with page tables: memory in runs of pages, seen as one piece. */
static void a_pointer_shows_several_runs_of_pages(void **state)
{
    struct rig_allocation *small[12], *one;
    uint64_t size = 0;
    char *data;

    (void)state;
    start("wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
          "segment 2 memory 832K cpuvisible\n");
    for (uint32_t index = 1; index < 12; index++) {
        small[index] = create_plain(index, MEMORY, CPU_VISIBLE);
        make_and_wait(small[index]);
    }
    for (uint32_t index = 1; index < 12; index += 2)
        evict(small[index]);
    one = &rig.allocations[0];
    assert_int_equal(rig_create(&rig, one, BYTES(2 * PAGES), EITHER, CPU_VISIBLE), STATUS_SUCCESS);
    data = lock(one);
    touch(one, data);
    for (uint32_t index = 2; index < 12; index += 2)
        touch(small[index], lock(small[index]));
    for (uint32_t round = 0; round < 3; round++) {
        make_and_wait(one);
        assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
        vidmm_adapter_lock(rig.adapter);
        assert_int_equal(
            vidmm_engine_where_at(rig.adapter->engine, vidmm_original(one->handle)->id, 0, &size)
                .segment,
            2);
        vidmm_adapter_unlock(rig.adapter);
        assert_true(size < BYTES(2 * PAGES));
        touch(one, data);
        assert_ptr_equal(lock(one), data);
        unlock(one);
        for (uint32_t index = 2; index < 12; index += 2)
            touch(small[index], vidmm_original(small[index]->handle)->address);
        evict(one);
        touch(one, data);
        make_and_wait(small[1]);
        evict(small[1]); /* the next place is another */
    }
    unlock(one);
    rig_finish(&rig);
}

/* S2-021: and nobody else waits. */
static void make_resident_waits_for_the_unlock_where_there_is_no_aperture(void **state)
{
    struct rig_allocation *one, *other;
    struct vidmm_paging_queue *second;
    struct vidmm_device *device;
    struct vidmm_residency_result result = {0};
    uint64_t value;
    char *data;

    (void)state;
    start(HIDDEN);
    one = create(0, MEMORY, 0);
    data = lock(one);
    touch(one, data);
    assert_int_equal(make(one, &value), STATUS_PENDING);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(rig_residency(&rig, one), VIDMM_NOT_RESIDENT);
    touch(one, data);
    assert_int_equal(vidmm_device_create(rig.adapter, 1, &device, &rig.report), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_paging_queue_create(device, VIDMM_PAGING_QUEUE_NORMAL, &second, &rig.report),
        STATUS_SUCCESS);
    other = &rig.allocations[1];
    {
        struct vidmm_device *first = rig.device;

        rig.device = device;
        create(1, MEMORY, 0);
        rig.device = first;
    }
    assert_int_equal(vidmm_make_resident(second, &other->handle, 1, 0, &result, &rig.report),
                     STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(second, result.value, &rig.report), STATUS_SUCCESS);
    assert_int_equal(rig_residency(&rig, other), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(rig_residency(&rig, one), VIDMM_NOT_RESIDENT);
    touch(one, data);
    unlock(one);
    wait_for(value);
    assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    render(one, true);
    vidmm_device_destroy(device);
    finish();
}

/* A program that ends with such a lock held takes its device along. */
static void a_device_that_waits_for_an_unlock_can_be_destroyed(void **state)
{
    struct rig_allocation *one;
    uint64_t value;

    (void)state;
    start(HIDDEN);
    one = create(0, MEMORY, 0);
    touch(one, lock(one));
    assert_int_equal(make(one, &value), STATUS_PENDING);
    vidmm_machine_settle(rig.machine);
    vidmm_device_destroy(rig.device);
    rig_finish(&rig);
}

/* ---- without a wait -------------------------------------------------------------------------- */

/* S2-001: the GPU is at work on it, and the lock does not wait. */
static void a_lock_does_not_wait_for_the_gpu(void **state)
{
    struct rig_allocation *one = resident(VISIBLE, MEMORY, CPU_VISIBLE), *list[] = {one};
    char *data;

    (void)state;
    data = lock(one);
    unlock(one);
    assert_int_equal(rig_render(&rig, list, 1, 0), STATUS_SUCCESS);
    assert_true(vidmm_context_completed(rig.context) < rig.value);
    assert_ptr_equal(lock(one), data);
    assert_true(vidmm_context_completed(rig.context) < rig.value);
    unlock(one);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    finish();
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { HAMMERS = 2, STRIKES = 2000, LEAST_ROUNDS = 40, MOST_ROUNDS = 4000 };

struct hammer {
    struct rig_allocation *allocation;
    void *first; /* pointer of the first lock, which is held for the first half */
    uint32_t written[PAGES], strikes;
    uint64_t lost, refused, strayed;
};

struct scene {
    struct hammer hammers[HAMMERS];
    struct rig_allocation *other; /* there is no room for all */
    uint32_t rounds;
    atomic_uint over; /* hammers that are done */
};

static struct scene scene;

/* Add one to a word of a page, where all that was ever written must stand. */
static enum vidmm_caller_state strike(void *argument)
{
    struct hammer *hammer = argument;
    struct vidmm_allocation *handle = hammer->allocation->handle;
    uint32_t page = hammer->strikes % PAGES;
    volatile uint32_t *words;
    void *data = NULL;

    if (hammer->strikes == 0)
        hammer->refused += vidmm_lock2(handle, 0, &hammer->first, NULL) != STATUS_SUCCESS;
    hammer->refused += vidmm_lock2(handle, 0, &data, NULL) != STATUS_SUCCESS;
    if (hammer->refused != 0)
        return atomic_fetch_add(&scene.over, 1), VIDMM_CALLER_DONE;
    hammer->strayed += hammer->strikes <= STRIKES / 2 && data != hammer->first;
    words = (volatile uint32_t *)data + page * (VIDMM_PAGE_SIZE / sizeof(*words)) + page * 3;
    hammer->lost += *words != hammer->written[page];
    *words = ++hammer->written[page];
    hammer->refused += vidmm_unlock2(handle, NULL) != STATUS_SUCCESS;
    if (hammer->strikes == STRIKES / 2)
        hammer->refused += vidmm_unlock2(handle, NULL) != STATUS_SUCCESS;
    if (++hammer->strikes < STRIKES)
        return VIDMM_CALLER_RAN;
    atomic_fetch_add(&scene.over, 1);
    return VIDMM_CALLER_DONE;
}

static void evict_now(struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_evict(rig.device, &allocation->handle, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
}

/* One of them gives way, and comes back. */
static enum vidmm_caller_state displace(void *argument)
{
    struct rig_allocation *one = scene.hammers[scene.rounds % HAMMERS].allocation;

    (void)argument;
    make_and_wait(scene.other);
    evict_now(scene.other);
    evict_now(one);
    make_and_wait(one);
    scene.rounds++;
    return (atomic_load(&scene.over) == HAMMERS && scene.rounds >= LEAST_ROUNDS) ||
                   scene.rounds == MOST_ROUNDS
               ? VIDMM_CALLER_DONE
               : VIDMM_CALLER_RAN;
}

/* Lock and Unlock, while residency takes memory away and gives it back. */
static void play(const char *gpu, uint32_t flags, enum vidmm_machine_kind kind, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    char text[300] = "";

    options.gpu = gpu;
    options.kind = kind;
    options.machine_seed = seed;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
    scene = (struct scene){.other = &rig.allocations[HAMMERS]};
    assert_int_equal(rig_create(&rig, scene.other, BYTES(3 * PAGES), MEMORY, PHYSICALLY),
                     STATUS_SUCCESS);
    for (uint32_t index = 0; index < HAMMERS; index++) {
        scene.hammers[index] = (struct hammer){.allocation = create(index, EITHER, flags)};
        make_and_wait(scene.hammers[index].allocation);
        assert_true(vidmm_machine_add_caller(rig.machine, "hammer", strike, &scene.hammers[index]));
    }
    assert_true(vidmm_machine_add_caller(rig.machine, "displace", displace, NULL));
    if (!vidmm_machine_run(rig.machine, text, sizeof(text)))
        fail_msg("%s", text);
    for (uint32_t index = 0; index < HAMMERS; index++) {
        assert_int_equal(scene.hammers[index].refused, 0);
        assert_int_equal(scene.hammers[index].strayed, 0);
        assert_int_equal(scene.hammers[index].lost, 0);
        assert_int_equal(scene.hammers[index].strikes, STRIKES);
    }
    assert_true(evictions() >= LEAST_ROUNDS);
    rig_finish(&rig);
}

static void hammer(const char *gpu, uint32_t flags)
{
    play(gpu, flags, VIDMM_MACHINE_THREADED, 0);
    for (uint64_t seed = 1; seed <= 3; seed++)
        play(gpu, flags, VIDMM_MACHINE_SIMULATED, seed);
}

static void no_write_is_lost_while_residency_moves_what_is_locked(void **state)
{
    (void)state;
    hammer(VISIBLE, CPU_VISIBLE);
    hammer(HIDDEN, CPU_VISIBLE);
    hammer(VISIBLE, CPU_VISIBLE | ON_DEMAND);
    hammer("wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
           "segment 2 memory 512K cpuvisible\n",
           CPU_VISIBLE);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void flags_and_what_is_not_locked_are_refused(void **state)
{
    struct rig_allocation *one;
    void *data = &rig;

    (void)state;
    start(VISIBLE);
    one = create(0, EITHER, CPU_VISIBLE);
    for (uint32_t bit = 0; bit < 32; bit++) {
        assert_int_equal(vidmm_lock2(one->handle, 1u << bit, &data, &rig.report),
                         STATUS_INVALID_PARAMETER);
        assert_non_null(strstr(rig.report.text, "Flags"));
        assert_non_null(strstr(rig.report.text, "(S2-022)"));
    }
    assert_ptr_equal(data, &rig);
    assert_int_equal(vidmm_lock2(NULL, 0, &data, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_lock2(one->handle, 0, NULL, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "(D-166)"));
    assert_int_equal(vidmm_unlock2(NULL, &rig.report), STATUS_INVALID_PARAMETER);
    lock(one);
    unlock(one);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_INVALID_PARAMETER);
    finish();
}

static void more_locks_than_are_counted_are_refused(void **state)
{
    struct rig_allocation *one;
    void *data;

    (void)state;
    start(VISIBLE);
    one = create(0, EITHER, CPU_VISIBLE);
    for (uint32_t locks = 0; locks < 65535; locks++)
        lock(one);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report),
                     STATUS_GRAPHICS_TOO_MANY_REFERENCES);
    for (uint32_t locks = 0; locks < 65535; locks++)
        assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_INVALID_PARAMETER);
    finish();
}

static void below_2_0_there_is_no_lock2(void **state)
{
    struct rig_options options = rig_defaults();
    void *data;

    (void)state;
    options.gpu = "wddm 1.3\n";
    rig_init(&rig, &options);
    assert_int_equal(rig_create(&rig, &rig.allocations[0], BYTES(1), MEMORY, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_lock2(rig.allocations[0].handle, 0, &data, &rig.report),
                     STATUS_NOT_SUPPORTED);
    assert_int_equal(vidmm_unlock2(rig.allocations[0].handle, &rig.report), STATUS_NOT_SUPPORTED);
    rig_finish(&rig);
}

/* S3-035 */
static void on_demand_there_is_an_address_only_while_it_is_locked(void **state)
{
    struct rig_allocation *one;
    struct vidmm_allocation *record;

    (void)state;
    start(VISIBLE);
    one = create(0, MEMORY, CPU_VISIBLE | ON_DEMAND);
    record = vidmm_original(one->handle);
    make_and_wait(one);
    assert_true(record->window == NULL || record->window->window == NULL);
    touch(one, lock(one));
    assert_non_null(record->window->window);
    unlock(one);
    assert_null(record->window->window);
    touch(one, lock(one));
    unlock(one);
    finish();
}

/* ---- the old Lock ---------------------------------------------------------------------------- */

static void the_old_lock_needs_what_is_visible_and_knows_no_ranges(void **state)
{
    struct rig_allocation *one;
    struct vidmm_lock_arguments arguments = {0};
    void *data;

    (void)state;
    start(VISIBLE);
    one = create(0, EITHER, 0);
    arguments =
        (struct vidmm_lock_arguments){.allocation = one->handle, .flags = VIDMM_LOCK_ENTIRE};
    assert_int_equal(vidmm_lock_pages(&arguments, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "CpuVisible"));
    lock(one);
    unlock(one);
    one = create(1, MEMORY, CPU_VISIBLE);
    make_and_wait(one);
    arguments.allocation = one->handle;
    arguments.flags |= VIDMM_LOCK_ACQUIRE_APERTURE;
    assert_int_equal(vidmm_lock_pages(&arguments, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "(S2-013)"));
    assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    touch(one, data);
    assert_ptr_equal(lock(one), data);
    unlock(one);
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    finish();
}

static void nothing_is_renamed(void **state)
{
    struct rig_allocation *one = resident(VISIBLE, MEMORY, CPU_VISIBLE);
    struct vidmm_lock_arguments arguments = {.allocation = one->handle,
                                             .flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_DISCARD};

    (void)state;
    assert_int_equal(vidmm_lock_pages(&arguments, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "(S2-007)"));
    assert_ptr_equal(arguments.allocation, one->handle);
    assert_null(arguments.data);
    finish();
}

/* S3-008: the backing store, and what was written is in the segment after the unlock. */
static void a_permanent_copy_is_locked_and_brought_up_to_date(void **state)
{
    struct rig_allocation *one = resident(VISIBLE, MEMORY, CPU_VISIBLE | 0x2);
    struct vidmm_allocation *record = vidmm_original(one->handle);
    void *data;

    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL), STATUS_SUCCESS);
        assert_ptr_equal(data, record->backing.address);
        touch(one, data); /* also what the GPU has written since */
        assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
        render(one, round == 0);
        assert_int_equal(rig_residency(&rig, one), VIDMM_RESIDENT_IN_GPU);
    }
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_visible_allocation_in_visible_memory_is_locked_where_it_is),
        cmocka_unit_test(a_cached_allocation_leaves_memory_for_a_lock_and_goes_back),
        cmocka_unit_test(a_visible_allocation_leaves_memory_that_the_cpu_does_not_see),
        cmocka_unit_test(an_allocation_that_is_not_visible_is_locked_in_system_memory),
        cmocka_unit_test(what_has_no_aperture_is_not_locked_in_memory_that_is_out_of_reach),
        cmocka_unit_test(what_is_in_an_aperture_or_nowhere_is_always_locked),
        cmocka_unit_test(a_pointer_follows_into_memory_and_out_of_it),
        cmocka_unit_test(a_pointer_shows_several_runs_of_pages),
        cmocka_unit_test(make_resident_waits_for_the_unlock_where_there_is_no_aperture),
        cmocka_unit_test(a_device_that_waits_for_an_unlock_can_be_destroyed),
        cmocka_unit_test(a_lock_does_not_wait_for_the_gpu),
        cmocka_unit_test(no_write_is_lost_while_residency_moves_what_is_locked),
        cmocka_unit_test(flags_and_what_is_not_locked_are_refused),
        cmocka_unit_test(more_locks_than_are_counted_are_refused),
        cmocka_unit_test(below_2_0_there_is_no_lock2),
        cmocka_unit_test(on_demand_there_is_an_address_only_while_it_is_locked),
        cmocka_unit_test(the_old_lock_needs_what_is_visible_and_knows_no_ranges),
        cmocka_unit_test(nothing_is_renamed),
        cmocka_unit_test(a_permanent_copy_is_locked_and_brought_up_to_date),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
