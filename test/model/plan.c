/* plan.c: the engine's words that ask for no answer, and power. */
#include "world_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void world_retire(struct world *world, const struct vidmm_operation *operation)
{
    struct dma_buffer *dma = &world->dma_buffers[operation->retire.dma_buffer];
    uint32_t index;

    for (index = 0; index < dma->count; index++) /* no program sees the context's allocations */
        world->allocations[dma->references[index].allocation].busy--;
    dma->used = false;
}

/* The adapter loses its power: contents, but what is preserved. An allocation that should have left
 * is missed at the next look. */
static void lose_power(struct world *world)
{
    const struct world_options *options = &world->options;
    bool standby = world->power == VIDMM_POWER_STANDBY;
    bool off = world->power == VIDMM_POWER_D3;
    uint64_t page, kept = off || standby ? 0 : options->preserved_end;

    if ((standby && options->preserved_standby) ||
        (!off && !standby && options->preserved_hibernate))
        kept = options->memory_pages;
    for (page = kept; page < PAGES; page++)
        world->memory[page] = POISON;
    world->powerless = true;
    world->counts.rests++;
}

/* The power may go: nothing is under way, nor mapped. */
static const char *check_rest(struct world *world)
{
    uint32_t node, id;
    uint64_t page;

    world->rest_request = 0;
    for (node = 0; node < world->options.nodes; node++)
        if (world->nodes[node].head != world->nodes[node].tail)
            return FAIL(world, "node %u is at work when the power goes", node);
    for (id = 0; id < VIDMM_PAGING_BUFFERS; id++)
        if (world->buffers[id].count != 0)
            return FAIL(world, "paging buffer %u is in use when the power goes", id);
    for (page = 0; page < world->options.aperture_pages; page++)
        if (world->table[page].segment != 0)
            return FAIL(world, "aperture page %u is mapped when the power goes", (unsigned)page);
    lose_power(world);
    return NULL;
}

/* Everything was evicted: nothing is mapped any more. */
static const char *check_empty(struct world *world)
{
    uint64_t page;

    world->evicting_all = false;
    for (page = 0; page < world->options.aperture_pages; page++) {
        if (world->table[page].segment != 0 && world->table[page].segment != OWN_PAGE) {
            return FAIL(world, "aperture page %u is mapped when everything has left",
                        (unsigned)page);
        }
    }
    return NULL;
}

uint64_t world_seen_by_cpu(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->range != 0 ? world_expected_tiled(allocation, id, page)
                                  : world_expected(allocation, id, page);
}

static const char *grant(struct world *world, const struct vidmm_operation *operation)
{
    uint32_t id = operation->allocation;
    struct allocation *allocation = &world->allocations[id];
    struct vidmm_place place = operation->grant.place;

    if (operation->grant.request == allocation->pending)
        allocation->pending = 0;
    if (operation->grant.request == world->set_up) {
        world->set_up = 0;
        return NULL;
    }
    if (id == 0 && operation->grant.request == world->page_out_request) {
        bool busy = (NTSTATUS)operation->grant.status == STATUS_GRAPHICS_ALLOCATION_BUSY;

        world->page_out_request = 0;
        world->counts.page_outs += busy ? 0 : 1;
        return busy || operation->grant.status == 0
                   ? NULL
                   : FAIL(world, "paged out with 0x%08x", operation->grant.status);
    }
    if (id == READS)
        return world_have_read(world, (NTSTATUS)operation->grant.status);
    if ((NTSTATUS)operation->grant.status != STATUS_SUCCESS)
        return NULL;
    if (id == 0 && operation->grant.request == world->rest_request)
        return check_rest(world);
    if (id == 0 && operation->grant.request == world->resume_request) {
        world->resume_request = world->power = 0;
        return NULL;
    }
    if (id == 0)
        return check_empty(world);
    if (id == OWN_PAGE)
        return NULL; /* pinned */
    if (allocation->offer != 0)
        return FAIL(world, "allocation %u is locked while it is offered", id);
    allocation->locks++;
    allocation->closed = false;
    allocation->window = place;
    allocation->range = operation->grant.range;
    if (allocation->range != 0 && world->range_owner[allocation->range] != id)
        return FAIL(world, "allocation %u is locked by range %u of another", id, allocation->range);
    world->counts.ranged += allocation->range != 0;
    allocation->by_alternate = (operation->grant.flags & VIDMM_GRANT_ALTERNATE) != 0;
    allocation->at_alternate = false;
    world->counts.alternates += allocation->by_alternate;
    allocation->copy = (operation->grant.flags & VIDMM_GRANT_COPY) != 0;
    if (allocation->posted && place.segment == 0 &&
        (operation->grant.flags & VIDMM_GRANT_APART) == 0)
        return FAIL(world, "allocation %u is locked, and a bridge holds back some of it", id);
    return allocation->busy > 0 ? NULL
                                : world_touch(world, id); /* nobody knows what is in it now */
}

/* The window opens: the content is there. */
static const char *show(struct world *world, const struct vidmm_operation *operation)
{
    struct allocation *allocation = &world->allocations[operation->allocation];

    if (operation->show.alternate != 0 && !allocation->by_alternate)
        return NULL; /* unlocked meanwhile */
    if (!allocation->closed)
        return FAIL(world, "allocation %u is shown, and was not closed", operation->allocation);
    allocation->closed = false;
    allocation->window = operation->show.place;
    if (allocation->posted && allocation->busy == 0 && allocation->window.segment == 0) {
        return FAIL(world, "allocation %u is shown, and a bridge holds back some of it",
                    operation->allocation);
    }
    allocation->range = operation->show.range;
    allocation->at_alternate = operation->show.alternate != 0;
    return allocation->locks > 0 ? world_touch(world, operation->allocation) : NULL;
}

static const char *handle_one(struct world *world, const struct vidmm_operation *operation)
{
    switch (operation->kind) {
    case VIDMM_DO_PLACED:
        world->placed[operation->placed.index] = operation->placed.place;
        return NULL;
    case VIDMM_DO_GRANT:
        return grant(world, operation);
    case VIDMM_DO_CLEAR:
        world_mark_backing(world, operation->allocation, ZERO);
        return NULL;
    case VIDMM_DO_DROP:
        world_mark_backing(world, operation->allocation, POISON);
        return NULL;
    case VIDMM_DO_SHOW:
        return show(world, operation);
    case VIDMM_DO_RETIRE:
        world_retire(world, operation);
        return NULL;
    case VIDMM_DO_DESTROY:
        world->allocations[operation->allocation].known = false;
        if (world_has_range(world, operation->allocation))
            return FAIL(world, "allocation %u is gone, and has a range", operation->allocation);
        if (world_check_gone(world, operation->allocation))
            return world->problem;
        return world->allocations[operation->allocation].alive
                   ? FAIL(world, "allocation %u gone while it lives", operation->allocation)
                   : NULL;
    case VIDMM_DO_ERROR:
        world->counts.errors++;
        world->counts.errors_of_memory +=
            operation->error.reason == VIDMM_REASON_OUT_OF_MEMORY ? 1 : 0;
        world->device_dead[operation->error.device] = true;
        world_fences_of_dead(world, operation->error.device);
        return NULL;
    case VIDMM_DO_LOST:
        world->allocations[operation->allocation].maybe_lost = true;
        world->allocations[operation->allocation].lost = true; /* work in flight still finds it */
        world->counts.losses++;
        return NULL;
    case VIDMM_DO_SIGNAL:
        return world_signalled(world, operation);
    case VIDMM_DO_WRITE_FENCE:
        return world_write_fence(world, operation);
    case VIDMM_DO_READ_FENCE:
        if (!world->fences[operation->fence.fence].alive)
            return FAIL(world, "fence %u is to be read, and is gone", operation->fence.fence);
        world->fences[operation->fence.fence].read = true;
        return NULL;
    case VIDMM_DO_WAITED:
        return world_waited(world, operation);
    case VIDMM_DO_TRIM:
        return NULL;
    case VIDMM_DO_STOPPED:
        return FAIL(world, "stopped: %s", vidmm_reason_text(operation->error.reason));
    default:
        if (world->options.listed && operation->kind == VIDMM_DO_SUBMIT &&
            world_check_whole(world, world->dma_buffers[operation->submit.dma_buffer].device))
            return world->problem;
        if (operation->kind == VIDMM_DO_SUBMIT &&
            world_check_waits(world, operation->submit.dma_buffer))
            return world->problem;
        if (world->call.kind != 0)
            return FAIL(world, "two calls at once");
        if (world->powerless) {
            return FAIL(world, "%s, of allocation %u, while there is no power",
                        vidmm_operation_name(operation->kind), operation->allocation);
        }
        world->call = *operation;
        return NULL;
    }
}

const char *world_handle(struct world *world, const struct vidmm_plan *plan)
{
    const char *problem = NULL;
    uint32_t index;

    for (index = 0; index < plan->count && !problem; index++)
        problem = handle_one(world, &plan->operations[index]);
    return problem;
}
