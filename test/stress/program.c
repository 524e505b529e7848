/* program.c: a program: which piece of its work comes next, and its end. */
#include "stress.h"

#include <string.h>

#include "host/random.h"

uint32_t stress_below(struct stress_program *program, uint32_t limit)
{
    return vidmm_random_below(&program->random, limit);
}

bool stress_chance(struct stress_program *program, uint32_t percent)
{
    return stress_below(program, 100) < percent;
}

struct stress_device *stress_some_device(struct stress_program *program)
{
    struct stress_device *device = &program->devices[stress_below(program, STRESS_DEVICES)];

    return device->handle != NULL ? device : NULL;
}

struct stress_allocation *stress_some_allocation(struct stress_program *program,
                                                 struct stress_device *device)
{
    uint32_t first = stress_below(program, STRESS_ALLOCATIONS);

    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++) {
        struct stress_allocation *one = &device->allocations[(first + i) % STRESS_ALLOCATIONS];

        if (one->handle != NULL)
            return one;
    }
    return NULL;
}

/* How often, of 1000 steps. */
static const struct stress_work works[] = {
    {300, stress_render_work}, {200, stress_lock_work},    {150, stress_allocation_work},
    {80, stress_offer_work},   {60, stress_common_work},   {50, stress_share_work},
    {40, stress_surface_work}, {30, stress_resource_work}, {25, stress_context_work},
    {20, stress_device_work},  {15, stress_wrong_work},    {10, stress_ask_work},
    {10, stress_history_work}, {9, stress_system_work},    {1, stress_power_work},
};

void stress_do(struct stress_program *program, const struct stress_work *one, uint32_t chosen)
{
    for (; chosen >= one->weight; one++)
        chosen -= one->weight;
    one->work(program);
}

static void work(struct stress_program *program)
{
    const struct stress_weather *weather = &program->world->weather;
    uint32_t chosen;

    if (weather->many && weather->level < 20 && stress_chance(program, 10)) {
        stress_later_work(program);
        return;
    }
    if (weather->level >= 20) {
        stress_listed_work(program);
        return;
    }
    chosen = stress_below(program, 1000);
    if (program->devices[0].handle == NULL && stress_chance(program, 50)) {
        stress_device_work(program);
        return;
    }
    stress_do(program, works, chosen);
}

/* Let go of all, or leave it to the adapter: it takes down what is left. */
static void finish(struct stress_program *program)
{
    stress_listed_end(program);
    stress_listed_unnotice(program);
    if (stress_chance(program, 30))
        return;
    stress_listed_finish(program);
    for (unsigned i = 0; i < STRESS_DEVICES; i++)
        stress_device_finish(program, &program->devices[i]);
}

enum vidmm_caller_state stress_step(void *argument)
{
    struct stress_program *program = argument;
    struct stress_world *world = program->world;

    if (atomic_load(&world->failed))
        return VIDMM_CALLER_DONE;
    if (program->powered_down) { /* others wait for it */
        if (stress_chance(program, 30))
            stress_power_work(program);
        return VIDMM_CALLER_RAN;
    }
    if (program->steps++ < world->options->calls && !atomic_load(&world->lost)) {
        work(program);
        return VIDMM_CALLER_RAN;
    }
    finish(program);
    return VIDMM_CALLER_DONE;
}
