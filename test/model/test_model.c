/* test_model.c: the engine in a symbolic machine (world.h), under many seeds and configurations. */
#include "../unit/harness.h"
#include "world.h"

#include <stdio.h>

static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static struct world_options pick(uint32_t *state)
{
    struct world_options options = {
        .memory_pages = 24 + next(state) % 100,
        .aperture_pages = 12 + next(state) % 212,
        .nodes = 1 + next(state) % 2,
        .paging_buffers = 1 + next(state) % 4,
        .paging_buffer_units = 1 + next(state) % 64,
        .queue_limit = 1 + next(state) % 31,
        .split_pages = next(state) % 3 == 0 ? 1 + next(state) % 5 : 0,
        .immediate = next(state) % 2 == 0,
        .busy_first = next(state) % 3 == 0,
        .evict_through_aperture = next(state) % 2 == 0,
        .memory_cpu_visible = next(state) % 2 == 0,
        .pitch_aligned = next(state) % 4 == 0,
        .banked = next(state) % 3 == 0,
        .pinned = next(state) % 3 == 0,
        .synchronous = next(state) % 3 == 0,
        .submit_empty = next(state) % 2 == 0,
        .move_directly = next(state) % 2 == 0,
        .first_fence = next(state) % 2 == 0 ? 1 : 0xffffffc0u,
    };

    options.one_operation = *state % 5 == 0;
    if (options.pinned && options.evict_through_aperture)
        options.aperture_pages = 12 + options.aperture_pages % 16; /* contents get lost (S0-045) */
    options.paging_node = options.nodes - 1;
    options.windows = next(state) % 2 == 0;
    options.hangs = next(state) % 3 == 0;
    options.preemption = next(state) % 4 != 0;
    options.engine_reset = next(state) % 2 == 0;
    options.swizzled = next(state) % 2 == 0;
    options.preserved_standby = next(state) % 3 == 0;
    options.preserved_hibernate = next(state) % 3 == 0;
    options.preserved_end = next(state) % 2 == 0 ? next(state) % options.memory_pages : 0;
    options.linked = !options.preemption && next(state) % 2 == 0;
    options.ranges = next(state) % 4;
    options.saves = next(state) % 3 != 0;
    options.whole_lists = *state % 3 == 0;
    options.bridged = !options.linked && next(state) % 2 == 0;
    options.immediate |= options.bridged; /* the GART is mapped in the call */
    return options;
}

typedef const char *act_once(struct world *world, uint32_t choice, uint32_t argument);

static void play(uint32_t seed, uint32_t steps, act_once *act, struct world_counts *totals)
{
    struct counted_memory memory;
    uint32_t state = seed * 2654435761u + 1, index;
    struct world_options options = pick(&state);
    const char *problem = NULL;
    struct world *world;

    counted_memory_init(&memory);
    world = world_create(&options, &memory.table);
    assert_non_null(world);
    for (index = 0; index < steps && !problem; index++) {
        uint32_t choice = next(&state);

        problem = act(world, choice / 16, next(&state));
    }
    problem = problem ? problem : world_drain(world);
    if (problem)
        fail_msg("seed %u, step %u: %s", seed, index, problem);
    world_count(world, totals);
    world_destroy(world);
    counted_memory_finish(&memory);
}

static void contents_are_right_under_every_order_of_things(void **state)
{
    struct world_counts totals = {0};
    uint32_t seed;

    (void)state;
    for (seed = 1; seed <= 1000; seed++)
        play(seed, 3000, world_act, &totals);
    printf("model: %llu parts of DMA buffers, %llu splits, %llu evictions, %llu pages moved, "
           "%llu contents lost, %llu devices out of memory\n",
           (unsigned long long)totals.submissions, (unsigned long long)totals.splits,
           (unsigned long long)totals.evictions, (unsigned long long)totals.moves,
           (unsigned long long)totals.losses, (unsigned long long)totals.errors);
    assert_true(totals.submissions > 10000 && totals.evictions > 10000 && totals.moves > 100);
    assert_true(totals.splits > 200 && totals.losses > 0);
    printf("model: %llu nodes stopped, %llu resets of the adapter\n",
           (unsigned long long)totals.preemptions, (unsigned long long)totals.resets);
    assert_true(totals.preemptions > 100 && totals.resets > 100);
    printf("model: %llu pages swizzled or unswizzled, %llu locks by ranges\n",
           (unsigned long long)totals.swizzles, (unsigned long long)totals.ranged);
    assert_true(totals.swizzles > 1000 && totals.ranged > 20);
    printf("model: %llu reads to push posted writes\n", (unsigned long long)totals.pushes);
    assert_true(totals.pushes > 20);
    printf("model: %llu contexts left\n", (unsigned long long)totals.switches);
    assert_true(totals.switches > 1000);
    printf("model: %llu contexts saved late, %llu allocations of contexts initialised\n",
           (unsigned long long)totals.saved, (unsigned long long)totals.initialised);
    assert_true(totals.saved > 1000 && totals.initialised > 1000);
    printf("model: %llu raw reads\n", (unsigned long long)totals.reads);
    assert_true(totals.reads > 1000);
    printf("model: power gone %llu times, %llu contents discarded\n",
           (unsigned long long)totals.rests, (unsigned long long)totals.discards);
    assert_true(totals.rests > 100 && totals.discards > 100);
}

/* Their content follows them to pages of their own and back, through resets and without power. */
static void what_is_locked_by_an_alternate_address_is_true(void **state)
{
    struct world_counts totals = {0};

    (void)state;
    for (uint32_t seed = 1001; seed <= 1600; seed++)
        play(seed, 2000, world_act_by_ranges, &totals);
    play(2926, 2000, world_act_by_ranges, &totals); /* a move that once came before a switch */
    printf("model: %llu locks by alternate addresses, %llu pages by special-lock transfers\n",
           (unsigned long long)totals.alternates, (unsigned long long)totals.special);
    assert_true(totals.alternates > 1000 && totals.special > 1000);
    assert_true(totals.resets > 100 && totals.rests > 100);
}

/* One thing at a time, and all of one size: then it is known who has to leave. */
static void what_is_offered_leaves_first_low_before_high(void **state)
{
    struct world_options options = {
        .memory_pages = 40,
        .aperture_pages = 100,
        .nodes = 1,
        .paging_buffers = 2,
        .paging_buffer_units = 64,
        .queue_limit = 31,
        .first_fence = 1,
        .even = true,
    };
    struct world_counts totals = {0};
    const uint64_t *left = totals.left;

    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct counted_memory memory;
        uint32_t random = seed * 2654435761u + 1;
        const char *problem = NULL;
        struct world *world;

        counted_memory_init(&memory);
        world = world_create(&options, &memory.table);
        assert_non_null(world);
        for (uint32_t i = 0; i < 1000 && !problem; i++) {
            uint32_t choice = next(&random) / 16;

            problem = world_act_in_turn(world, choice, next(&random));
            problem = problem ? problem : world_drain(world);
        }
        if (problem)
            fail_msg("seed %u: %s", seed, problem);
        world_count(world, &totals);
        world_destroy(world);
        counted_memory_finish(&memory);
    }
    printf("model: %llu offered low left, %llu offered high, %llu in use\n",
           (unsigned long long)left[1], (unsigned long long)left[2], (unsigned long long)left[3]);
    assert_true(left[1] > 100 && left[2] > 100 && left[3] > 100);
}

/* Lists in place whenever their device runs, values in order, contents right through demotion,
 * suspension, evictions of all and without power. */
static void residency_lists_are_in_place_under_every_order_of_things(void **state)
{
    struct world_counts totals = {0};

    (void)state;
    for (uint32_t seed = 2001; seed <= 2200; seed++) {
        struct counted_memory memory;
        uint32_t random = seed * 2654435761u + 1, index;
        struct world_options options = pick(&random);
        const char *problem = NULL;
        struct world *world;

        options.listed = true;
        options.pitch_aligned = options.banked = options.pinned = options.synchronous = false;
        options.swizzled = options.windows = options.hangs = options.saves = false;
        options.bridged = options.linked = false;
        options.ranges = 0;
        counted_memory_init(&memory);
        world = world_create(&options, &memory.table);
        assert_non_null(world);
        for (index = 0; index < 2000 && !problem; index++) {
            uint32_t choice = next(&random);

            problem = world_act_listed(world, choice / 16, next(&random));
        }
        problem = problem ? problem : world_drain(world);
        if (problem)
            fail_msg("seed %u, step %u: %s", seed, index, problem);
        world_count(world, &totals);
        world_destroy(world);
        counted_memory_finish(&memory);
    }
    printf("model: %llu signals, %llu MakeResidents refused, %llu demotions, %llu promotions, "
           "%llu suspensions, %llu devices in error\n",
           (unsigned long long)totals.signals, (unsigned long long)totals.refused,
           (unsigned long long)totals.demotions, (unsigned long long)totals.promotions,
           (unsigned long long)totals.suspensions, (unsigned long long)totals.errors);
    printf("model: %llu requests to page out\n", (unsigned long long)totals.page_outs);
    printf("model: %llu suspensions, %llu compactions of a segment\n",
           (unsigned long long)totals.suspended, (unsigned long long)totals.compactions);
    assert_true(totals.page_outs > 100 && totals.suspended > 100 && totals.compactions > 100);
    assert_true(totals.signals > 1000 && totals.refused > 100 && totals.submissions > 1000);
    printf("model: %llu fences signaled, %llu waits of the CPU, %llu in queues\n",
           (unsigned long long)totals.fence_signals, (unsigned long long)totals.fence_waits,
           (unsigned long long)totals.fence_holds);
    assert_true(totals.fence_signals > 1000 && totals.fence_waits > 100);
    assert_true(totals.fence_holds > 100);
    assert_true(totals.demotions > 100 && totals.promotions > 10 && totals.suspensions > 100);
    assert_true(totals.errors == totals.errors_of_memory); /* lists that pack badly */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_right_under_every_order_of_things),
        cmocka_unit_test(what_is_locked_by_an_alternate_address_is_true),
        cmocka_unit_test(residency_lists_are_in_place_under_every_order_of_things),
        cmocka_unit_test(what_is_offered_leaves_first_low_before_high),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
