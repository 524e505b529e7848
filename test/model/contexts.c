/* contexts.c: allocations that contexts and devices have for themselves (D-137, D-138).
 *
 * A node keeps the state of the context it runs, and writes it to the context's allocation when it
 * leaves it, where that was when it ran the context last. A device's allocation is only read. Ids:
 *
 *     OWN + 0 .. 3   of the contexts 2 to 5        OWN + 4, 5   of the devices 1 and 2
 */
#include "world_state.h"

#include <stdio.h>
#include <string.h>

uint32_t world_own_of_context(uint32_t context)
{
    return OWN + context - 2;
}

uint32_t world_own_of_device(uint32_t device)
{
    return OWN + CONTEXTS + device - 1;
}

const char *world_change_own(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION};
    uint32_t which = argument % OWNED, id = OWN + which;
    struct allocation *allocation = &world->allocations[id];
    bool memory = !world->options.pitch_aligned && (argument >> 8 & 3) != 0;
    const char *problem;
    NTSTATUS status;

    if (!world->options.saves)
        return NULL;
    if (allocation->alive) {
        allocation->alive = (argument >> 10 & 3) != 0;
        event.kind = VIDMM_EVENT_DESTROY_ALLOCATION;
        event.destroy.allocation = id;
        return allocation->alive ? NULL : world_step(world, &event, NULL);
    }
    if (allocation->known)
        return NULL;
    memset(allocation, 0, sizeof(*allocation));
    allocation->local = memory;
    allocation->pages = 1 + (argument >> 12 & 3);
    allocation->device = which < CONTEXTS ? (which + 2) / 2 : which - CONTEXTS + 1;
    world_mark_backing(world, id, POISON);
    event.device = allocation->device;
    event.create.allocation = id;
    event.create.context_allocation = 1;
    event.create.wish = (struct vidmm_wish){
        .size = allocation->pages * 4096ull,
        .alignment = 4096,
        .read_set = memory ? 2 : 1,
        .write_set = memory ? 2 : 1,
        .eviction_set = memory && world->options.evict_through_aperture ? 1 : 0,
        .priority = 0x78000000u,
    };
    problem = world_step(world, &event, &status);
    allocation->alive = allocation->known = status == STATUS_SUCCESS;
    return problem;
}

static void refer(struct world *world, struct dma_buffer *dma, uint32_t id)
{
    if (world->allocations[id].alive) {
        dma->references[dma->count + dma->owned++] =
            (struct vidmm_reference){id, VIDMM_REFERENCE_WRITES | VIDMM_REFERENCE_OWNED};
    }
}

void world_refer_to_own(struct world *world, struct dma_buffer *dma)
{
    refer(world, dma, world_own_of_context(dma->context));
    refer(world, dma, world_own_of_device(dma->device));
}

/* The page of an allocation at a place. */
static uint64_t *page_at(struct world *world, uint32_t id, struct vidmm_place place, uint64_t page)
{
    const struct record record = {.allocation = id};

    return place.segment == 0 ? NULL : world_side(world, &record, place, page);
}

const char *world_initialise(struct world *world, const struct record *record)
{
    uint32_t id = record->allocation;
    struct allocation *allocation = &world->allocations[id];
    uint64_t page;

    if (record->first == 0) {
        if (allocation->made && !allocation->maybe_lost)
            return FAIL(world, "allocation %u is initialised, and has content", id);
        allocation->made = true;
        allocation->maybe_lost = false;
        allocation->version++;
        world->counts.initialised++;
    }
    for (page = record->first; page < record->first + record->count; page++) {
        uint64_t *there = page_at(world, id, record->destination, page);

        if (!there)
            return FAIL(world, "allocation %u is initialised where it is not mapped", id);
        *there = world_expected(allocation, id, page);
    }
    return NULL;
}

/* Its bytes are those written last; then, if that is wanted, write anew. */
static const char *visit(struct world *world, uint32_t id, struct vidmm_place place, bool write,
                         const char *what)
{
    struct allocation *allocation = &world->allocations[id];
    uint64_t page;

    for (page = 0; page < allocation->pages; page++) {
        const uint64_t *there = page_at(world, id, place, page);

        if (!allocation->made || !there || *there != world_expected(allocation, id, page)) {
            return FAIL(world, "context allocation %u is %s, page %u at segment %u +%u: %llx", id,
                        what, (unsigned)page, place.segment, (unsigned)(place.offset / 4096),
                        there ? (unsigned long long)*there : 0ull);
        }
    }
    if (write)
        allocation->version++;
    for (page = 0; write && page < allocation->pages; page++)
        *page_at(world, id, place, page) = world_expected(allocation, id, page);
    return NULL;
}

const char *world_save_context(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    uint32_t id = world_own_of_context(queue->context);

    if (!world->options.saves || queue->context == 0 || queue->loaded[id].segment == 0)
        return NULL;
    world->counts.saved++;
    return visit(world, id, queue->loaded[id], true, "saved");
}

const char *world_check_own(struct world *world, const struct packet *packet)
{
    const struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];
    const char *problem = NULL;
    uint32_t index;

    for (index = dma->count; index < dma->count + dma->owned && !problem; index++) {
        problem =
            visit(world, dma->references[index].allocation, packet->places[index], false, "loaded");
    }
    return problem;
}

const char *world_check_gone(struct world *world, uint32_t id)
{
    uint32_t node;

    for (node = 0; node < world->options.nodes && id >= OWN; node++) {
        if (world->nodes[node].loaded[id].segment != 0) {
            return FAIL(world, "context allocation %u is gone, and node %u holds its context", id,
                        node);
        }
    }
    return NULL;
}
