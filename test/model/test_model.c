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

    if (options.pinned && options.evict_through_aperture) {
        options.aperture_pages = 12 + options.aperture_pages % 16; /* contents get lost (S0-045) */
    }
    options.paging_node = options.nodes - 1;
    options.windows = next(state) % 2 == 0;
    options.hangs = next(state) % 3 == 0;
    options.preemption = next(state) % 4 != 0;
    options.engine_reset = next(state) % 2 == 0;
    options.swizzled = next(state) % 2 == 0;
    return options;
}

/* What all worlds together have done. */
struct totals {
    uint64_t submissions, evictions, moves, splits, errors, losses, resets, preemptions, swizzles;
};

static void play(uint32_t seed, uint32_t steps, struct totals *totals)
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

        problem = world_act(world, choice / 16, next(&state));
    }
    problem = problem ? problem : world_drain(world);
    if (problem) {
        fail_msg("seed %u, step %u: %s", seed, index, problem);
    }
    totals->submissions += world_submissions(world);
    totals->evictions += world_evictions(world);
    totals->moves += world_moves(world);
    totals->losses += world_losses(world);
    totals->splits += world_splits(world);
    totals->swizzles += world_swizzles(world);
    totals->errors += world_errors(world);
    totals->resets += world_resets(world);
    totals->preemptions += world_preemptions(world);
    world_destroy(world);
    counted_memory_finish(&memory);
}

static void contents_are_right_under_every_order_of_things(void **state)
{
    struct totals totals = {0};
    uint32_t seed;

    (void)state;
    for (seed = 1; seed <= 400; seed++) {
        play(seed, 3000, &totals);
    }
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
    printf("model: %llu pages swizzled or unswizzled\n", (unsigned long long)totals.swizzles);
    assert_true(totals.swizzles > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_right_under_every_order_of_things),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
