/* world.c: see world.h. */
#include "world_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* times: so many of the rarer requests are made. */
static const char *act(struct world *world, uint32_t choice, uint32_t argument, uint32_t times)
{
    static const char *(*const requests[])(struct world *, uint32_t) = {
        world_create_one, world_destroy_one, world_submit, world_submit, world_lock, world_unlock};
    static const char *(*const at_times[])(struct world *, uint32_t) = {
        world_evict_all,  world_let_time_pass, world_offer,        world_revive,   world_offer,
        world_rest,       world_offer,         world_set_priority, world_page_out, world_suspend,
        world_set_faults, world_suspend,       world_compact};

    if (choice % 13 == 0 && choice / 13 % 4 == 0)
        return world_change_own(world, argument);
    if (choice % 13 == 1 && choice / 13 % 32 == 0)
        return world_read(world, argument);
    switch (choice % 13) {
    case 12:
        return world_write_locked(world, argument);
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        return requests[choice % 13](world, argument);
    case 6:
    case 7:
        return world_run_node(world, argument % world->options.nodes);
    case 8:
        return world_report(world, argument % world->options.nodes);
    case 9:
        return at_times[choice / 13 % times](world, argument);
    default:
        return world_answer_call(world);
    }
}

const char *world_act(struct world *world, uint32_t choice, uint32_t argument)
{
    return act(world, choice, argument, 13);
}

const char *world_act_listed(struct world *world, uint32_t choice, uint32_t argument)
{
    static const char *(*const requests[])(struct world *, uint32_t) = {
        world_create_one, world_make_resident, world_submit, world_evict,
        world_submit,     world_destroy_one,   world_budget, world_set_priority};

    switch (choice % 13) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        return requests[choice % 6](world, argument);
    case 6:
    case 7:
        return world_run_node(world, argument % world->options.nodes);
    case 8:
        return world_report(world, argument % world->options.nodes);
    case 9:
        if (choice / 13 % 8 == 0)
            return world_evict_all(world, argument);
        if (choice / 13 % 8 == 1)
            return world_rest(world, argument);
        if (choice / 13 % 4 == 2)
            return world_page_out(world, argument);
        if (choice / 13 % 16 == 3)
            return world_suspend(world, argument);
        if (choice / 13 % 16 == 11)
            return world_set_faults(world, argument);
        if (choice / 13 % 16 == 13)
            return world_compact(world, argument);
        return choice / 13 % 8 < 5 ? world_fence(world, argument)
                                   : requests[choice / 13 % 2 == 0 ? 6 : 7](world, argument);
    default:
        return world_answer_call(world);
    }
}

/* Often enough that locks are granted, and what is locked has to leave. */
static const char *go_on(struct world *world, uint32_t argument)
{
    uint32_t node = argument % world->options.nodes, answers;
    const char *problem = world_run_node(world, node);

    for (answers = 0; answers < 4 && !problem; answers++)
        problem = world_answer_call(world);
    return problem ? problem : world_report(world, node);
}

const char *world_act_by_ranges(struct world *world, uint32_t choice, uint32_t argument)
{
    uint32_t lock = argument | 1u << 25 | 1u << 27; /* AcquireAperture, UseAlternateVA */
    const char *problem;

    switch (choice % 12) {
    case 0:
    case 4:
        problem = world_lock(world, lock);
        break;
    case 8:
        problem = world_unlock(world, argument);
        break;
    default:
        problem = act(world, choice / 12, argument, 8); /* without world_page_out() */
        break;
    }
    return problem ? problem : go_on(world, argument);
}

const char *world_act_in_turn(struct world *world, uint32_t choice, uint32_t argument)
{
    static const char *(*const acts[])(struct world *, uint32_t) = {
        world_create_one, world_submit, world_offer, world_submit, world_destroy_one};

    return acts[choice % (sizeof(acts) / sizeof(acts[0]))](world, argument);
}

static const char *unlock_all(struct world *world)
{
    const char *problem = NULL;
    uint32_t id;

    for (id = 1; id < ALLOCATIONS && !problem; id++)
        while (world->allocations[id].locks > 0 && !problem)
            problem = world_unlock(world, id - 1);
    return problem;
}

const char *world_drain(struct world *world)
{
    const char *problem = NULL;
    uint32_t round, node, id;

    for (node = 0; node < world->options.nodes; node++)
        world->nodes[node].hung = world->nodes[node].hard = false;
    problem = world_resume_all(world);
    for (round = 0; round < 20000 && !problem; round++) {
        bool used = (world->options.listed && !vidmm_engine_is_quiet(world->engine)) ||
                    world->call.kind != 0 || world->power != 0 || world->read.request != 0 ||
                    world->page_out_request != 0 || world_has_fence_waits(world);

        problem = unlock_all(world);
        if (round % 64 == 0 && !problem)
            problem = world_end_fence_waits(world);
        if (world->powerless && !problem)
            problem = world_rest(world, 0);

        for (node = 0; node < world->options.nodes && !problem; node++) {
            problem = world_run_node(world, node);
            problem = problem ? problem : world_report(world, node);
        }
        problem = problem ? problem : world_answer_call(world);
        for (id = 1; id < DMA_BUFFERS; id++)
            used |= world->dma_buffers[id].used;
        if (!used)
            return problem;
    }
    return problem ? problem : FAIL(world, "a DMA buffer never ends");
}

static const char *add_system(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 3};

    event.create_device.system = 1;
    return world_step(world, &event, NULL);
}

/* The system's page behind the bridge. */
static const char *add_own_page(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 3};
    const char *problem;

    event.create.allocation = OWN_PAGE;
    event.create.buffer = 2;
    event.create.wish = (struct vidmm_wish){
        .size = 4096, .alignment = 4096, .read_set = 1, .write_set = 1, .flags = 0x40};
    problem = world_step(world, &event, NULL);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_PIN};
    event.pin.request = ++world->request;
    event.pin.allocation = OWN_PAGE;
    problem = problem ? problem : world_step(world, &event, NULL);
    while (!problem && world->call.kind != 0)
        problem = world_answer_call(world);
    return problem;
}

struct world *world_create(const struct world_options *options, const struct vidmm_memory *memory)
{
    const uint64_t quarter = options->memory_pages / 4 * 4096;
    const uint64_t banks[] = {quarter, 2 * quarter, 3 * quarter, options->memory_pages * 4096};
    struct vidmm_engine_config config = {
        .segment_count = 2,
        .node_count = options->nodes,
        .paging_node = options->paging_node,
        .queue_limit = options->queue_limit,
        .first_fence = options->first_fence,
        .timeout_ns = options->hangs ? 1900000000 : UINT64_MAX / 4,
        .preemption = options->preemption,
        .per_engine_reset = options->engine_reset,
        .linked = options->linked,
        .cancel_commands = true,
        .context_switches = true,
        .split_transfer_size = options->split_pages * 4096,
        .move_directly = options->move_directly,
        .swizzling_ranges = options->ranges,
        .submit_empty = options->submit_empty,
        .one_operation = options->one_operation,
        .whole_lists = options->whole_lists,
        .explicit_residency = options->listed,
        .segments[1] = {.size = options->aperture_pages * 4096,
                        .commit_limit = options->aperture_pages * 4096,
                        .agp = options->bridged,
                        .aperture = true},
        .segments[2] = {.size = options->memory_pages * 4096,
                        .cpu_visible = options->memory_cpu_visible,
                        .pitch_aligned = options->pitch_aligned,
                        .preserved_standby = options->preserved_standby,
                        .preserved_hibernate = options->preserved_hibernate,
                        .preserved_end = options->preserved_end * 4096,
                        .bank_count = options->banked ? 4 : 0,
                        .bank_ends = banks},
    };
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1};
    struct world *world = calloc(1, sizeof(*world));

    if (!world)
        return NULL;
    world->options = *options;
    world->engine = vidmm_engine_create(&config, memory);
    if (!world->engine || world_step(world, &event, NULL)) {
        world_destroy(world);
        return NULL;
    }
    event.device = 2;
    world_step(world, &event, NULL);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_PAGING_BUFFERS};
    event.paging_buffers.first = 1;
    event.paging_buffers.count = options->paging_buffers;
    world_step(world, &event, NULL);
    if (add_system(world) || (options->listed && world_begin_listed(world)) ||
        (options->bridged && add_own_page(world))) {
        world_destroy(world);
        return NULL;
    }
    return world;
}

void world_destroy(struct world *world)
{
    if (world) {
        vidmm_engine_destroy(world->engine);
        free(world);
    }
}

void world_count(const struct world *world, struct world_counts *totals)
{
    const struct world_counts *counts = &world->counts;
    struct vidmm_engine_statistics statistics;
    uint32_t rank;

    vidmm_engine_get_statistics(world->engine, &statistics);
    totals->evictions += statistics.evictions;
    totals->moves += statistics.bytes_moved / 4096;
    totals->switches += statistics.context_switches;
    totals->saved += counts->saved;
    totals->initialised += counts->initialised;
    totals->submissions += counts->submissions;
    totals->splits += counts->splits;
    totals->errors += counts->errors;
    totals->errors_of_memory += counts->errors_of_memory;
    totals->losses += counts->losses;
    totals->resets += counts->resets;
    totals->preemptions += counts->preemptions;
    totals->pushes += counts->pushes;
    totals->swizzles += counts->swizzles;
    totals->rests += counts->rests;
    totals->page_outs += counts->page_outs;
    totals->suspended += counts->suspended;
    totals->compactions += counts->compactions;
    totals->signals += counts->signals;
    totals->fence_signals += counts->fence_signals;
    totals->fence_waits += counts->fence_waits;
    totals->fence_holds += counts->fence_holds;
    totals->refused += counts->refused;
    totals->demotions += statistics.demotions;
    totals->promotions += statistics.promotions;
    totals->suspensions += statistics.suspensions;
    totals->discards += counts->discards;
    totals->ranged += counts->ranged;
    totals->alternates += counts->alternates;
    totals->special += counts->special;
    totals->reads += counts->reads;
    for (rank = 0; rank < 4; rank++)
        totals->left[rank] += counts->left[rank];
}
