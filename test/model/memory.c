/* memory.c: pages of segments, aperture and backing stores, and who looks at them. */
#include "world_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t world_expected(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->version == 0 ? ZERO : world_content(id, page, allocation->version);
}

uint64_t world_expected_tiled(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    uint64_t linear = world_expected(allocation, id, page);

    return allocation->swizzled && linear != ZERO ? linear | TILED : linear;
}

/* The cell at a page of a segment, through the aperture's table where it is one. */
static uint64_t *cell(struct world *world, uint32_t segment, uint64_t page)
{
    if (segment == 2 && page < world->options.memory_pages) /* a page of the segment */
        return &world->memory[page];
    if (segment == 1 && page < world->options.aperture_pages && world->table[page].segment != 0)
        return &world->allocations[world->table[page].segment].backing[world->table[page].offset];
    return NULL;
}

/* The cell of a page of an allocation that lies at a place of a segment. */
static uint64_t *cell_of(struct world *world, struct vidmm_place place, uint64_t page)
{
    bool pitch = place.segment == 2 && world->options.pitch_aligned;

    return cell(world, place.segment, place.offset / 4096 + (pitch ? 2 * page : page));
}

uint64_t *world_side(struct world *world, const struct record *record, struct vidmm_place place,
                     uint64_t page)
{
    if (place.segment == 0 && record->operation == VIDMM_SPECIAL_LOCK_TRANSFER)
        return &world->allocations[record->allocation].alternate[page]; /* S4-049 */
    if (place.segment == 0)
        return &world->allocations[record->allocation].backing[page];
    return cell_of(world, place, page);
}

/* D-075: an allocation whose order is to change is in the other one. */
static const char *transfer(struct world *world, const struct record *record, uint64_t *from,
                            uint64_t *to)
{
    uint64_t value = *from;
    bool marked = value == ZERO || value == POISON;

    if (record->order != 0 && !world->allocations[record->allocation].swizzled)
        return FAIL(world, "transfer of allocation %u changes the order", record->allocation);
    if (record->order != 0 && !marked &&
        ((value & TILED) != 0) != (record->order == VIDMM_PAGING_UNSWIZZLE)) {
        return FAIL(world, "transfer of allocation %u: it is in that order already",
                    record->allocation);
    }
    *to = record->order != 0 && !marked ? value ^ TILED : value;
    *from = record->source.segment == 2 ? POISON : *from;
    world->counts.swizzles += record->order != 0;
    return NULL;
}

/* Whether the page of the backing store is the content, in the CPU's order. */
static bool is_linear(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->swizzled && !allocation->permanent && allocation->version > 0 &&
           allocation->backing[page] == world_expected(allocation, id, page);
}

/* Whether the node stands between two parts of a DMA buffer, or will when it has run what it was
 * given: it is not made to leave there (D-342). */
static bool is_inside(const struct world *world, uint32_t node)
{
    const struct node *queue = &world->nodes[node];
    bool inside = queue->inside;
    uint32_t at;

    for (at = queue->done; at != queue->tail; at++) {
        const struct packet *packet = &queue->packets[at % QUEUE];

        inside |= packet->dma_buffer != 0 &&
                  packet->end < world->dma_buffers[packet->dma_buffer].commands * COMMAND_BYTES;
    }
    return inside;
}

/* D-256: an allocation that a node's context has used stays where it is until the node has left
 * that context. */
static const char *check_unloaded(struct world *world, const struct record *record)
{
    bool transfers =
        record->operation == VIDMM_TRANSFER || record->operation == VIDMM_SPECIAL_LOCK_TRANSFER;
    bool vacates = transfers || record->operation == VIDMM_DISCARD_CONTENT ||
                   record->operation == VIDMM_UNMAP_APERTURE_SEGMENT;
    struct vidmm_place from = transfers ? record->source : record->destination;
    uint32_t node;

    for (node = 0; vacates && from.segment != 0 && node < world->options.nodes; node++) {
        struct vidmm_place there = world->nodes[node].loaded[record->allocation];

        if (there.segment == from.segment && there.offset == from.offset &&
            !is_inside(world, node)) {
            return FAIL(world, "allocation %u moves while node %u holds context %u",
                        record->allocation, node, world->nodes[node].context);
        }
    }
    return NULL;
}

void world_load_context(struct world *world, uint32_t node, uint32_t context)
{
    struct node *queue = &world->nodes[node];

    if (queue->context != context) {
        memset(queue->loaded, 0, sizeof(queue->loaded));
        queue->context = context;
    }
}

/* WritePhysical spoils what it hits; ReadPhysical pushes all that the bridge holds. */
static const char *touch_physical(struct world *world, const struct record *record)
{
    uint64_t *there = cell(world, record->destination.segment, record->destination.offset / 4096);
    uint32_t id;

    if (!there) {
        return FAIL(world, "physical access for allocation %u at an unmapped page",
                    record->allocation);
    }
    if (record->operation == VIDMM_WRITE_PHYSICAL) {
        *there = POISON;
        return NULL;
    }
    for (id = 1; id < ALLOCATIONS; id++)
        world->allocations[id].posted = false;
    world->counts.pushes++;
    return NULL;
}

const char *world_run_record(struct world *world, const struct record *record)
{
    uint64_t page;

    if (record->operation == VIDMM_READ_PHYSICAL || record->operation == VIDMM_WRITE_PHYSICAL)
        return touch_physical(world, record);

    if (record->allocation == READS)
        return world_run_read(world, record);
    if (check_unloaded(world, record))
        return world->problem;
    if (record->operation == VIDMM_INIT_CONTEXT_RESOURCE)
        return world_initialise(world, record);
    if (record->operation == VIDMM_DISCARD_CONTENT)
        world->allocations[record->allocation].made = false;
    for (page = record->first; page < record->first + record->count; page++) {
        uint64_t at = record->destination.offset / 4096 + page;
        uint64_t *from, *to;

        switch (record->operation) {
        case VIDMM_MAP_APERTURE_SEGMENT:
            if (world->table[at].segment != 0)
                return FAIL(world, "aperture page %u mapped twice", (unsigned)at);
            /* on its way out through the aperture the backing store may hold what it was before */
            if (!(world->options.evict_through_aperture &&
                  world->allocations[record->allocation].local) &&
                is_linear(&world->allocations[record->allocation], record->allocation, page))
                return FAIL(world, "allocation %u is mapped unswizzled", record->allocation);
            world->table[at] = (struct vidmm_place){record->allocation, 0, page};
            break;
        case VIDMM_UNMAP_APERTURE_SEGMENT:
            if (world->table[at].segment != record->allocation && !record->purge) {
                return FAIL(world, "aperture page %u is not allocation %u's", (unsigned)at,
                            record->allocation);
            }
            world->table[at].segment = 0;
            world->allocations[record->allocation].posted = false; /* the table is the bridge's */
            break;
        case VIDMM_FILL:
            *cell(world, record->destination.segment, at) = ZERO;
            break;
        case VIDMM_SPECIAL_LOCK_TRANSFER:
            if (page >= world->allocations[record->allocation].pages)
                break; /* of the alternate address alone */
            world->counts.special++;
            __attribute__((fallthrough));
        case VIDMM_TRANSFER:
            from = world_side(world, record, record->source, page);
            to = world_side(world, record, record->destination, page);
            if (!from || !to) {
                return FAIL(world, "transfer of allocation %u by an unmapped page",
                            record->allocation);
            }
            if (transfer(world, record, from, to))
                return world->problem;
            break;
        default: /* discard */
            *cell_of(world, record->destination, page) = POISON;
            break;
        }
    }
    return NULL;
}

/* After a reset: zeros, or what it was; `there` is its first page. */
static void find_out(struct allocation *allocation, const uint64_t *there)
{
    if (allocation->maybe_lost && there) {
        allocation->version = *there == ZERO ? 0 : allocation->version;
        allocation->maybe_lost = allocation->lost;
    }
}

const char *world_use(struct world *world, const struct vidmm_reference *reference,
                      struct vidmm_place place)
{
    uint32_t id = reference->allocation;
    struct allocation *allocation = &world->allocations[id];
    uint64_t page;

    find_out(allocation, cell_of(world, place, 0));
    for (page = 0; page < allocation->pages; page++) {
        uint64_t *there = cell_of(world, place, page);

        if (!there || *there != world_expected_tiled(allocation, id, page)) {
            return FAIL(world, "allocation %u page %u at segment %u +%u: found %llx", id,
                        (unsigned)page, place.segment, (unsigned)(place.offset / 4096),
                        there ? (unsigned long long)*there : 0ull);
        }
    }
    if ((reference->write & VIDMM_REFERENCE_WRITES) == 0)
        return NULL;
    allocation->version++;
    allocation->posted |= place.segment == 1 && world->options.bridged;
    for (page = 0; page < allocation->pages; page++)
        *cell_of(world, place, page) = world_expected_tiled(allocation, id, page);
    return NULL;
}

/* The patch locations of the command that begins at `offset`: the content of the slots then. */
static uint32_t bind(struct dma_buffer *dma, const struct packet *packet, uint32_t at,
                     uint32_t offset)
{
    for (; at < packet->first + packet->count && dma->patches[at].split_offset == offset; at++) {
        const struct vidmm_patch_location *patch = &dma->patches[at];

        dma->slots[patch->slot].reference = patch->reference + 1; /* VIDMM_UNBOUND + 1 is 0 */
        if (patch->reference != VIDMM_UNBOUND)
            dma->slots[patch->slot].place = packet->places[patch->reference];
    }
    return at;
}

static const char *run_commands(struct world *world, struct dma_buffer *dma,
                                const struct packet *packet)
{
    uint32_t offset, slot, at = packet->first;
    const char *problem = NULL;

    for (offset = packet->start; offset < packet->end && !problem; offset += COMMAND_BYTES) {
        at = bind(dma, packet, at, offset);
        for (slot = 0; slot < SLOTS && !problem; slot++) {
            if (dma->slots[slot].reference != 0) {
                problem = world_use(world, &dma->references[dma->slots[slot].reference - 1],
                                    dma->slots[slot].place);
            }
        }
    }
    if (!problem && at != packet->first + packet->count)
        problem = FAIL(world, "patch location %u of a part lies outside it", at);
    return problem;
}

const char *world_run_dma_buffer(struct world *world, uint32_t node, const struct packet *packet)
{
    struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];
    const char *problem = NULL;
    uint32_t index;

    if (world->nodes[node].context != dma->context && world_save_context(world, node))
        return world->problem;
    world_load_context(world, node, dma->context);
    world->nodes[node].inside = packet->end < dma->commands * COMMAND_BYTES;
    for (index = 0; index < dma->count + dma->owned; index++)
        if (packet->places[index].segment != 0)
            world->nodes[node].loaded[dma->references[index].allocation] = packet->places[index];

    world->counts.submissions++;
    if (world_check_own(world, packet))
        return world->problem;
    if (dma->patch_count > 0 || !world->options.whole_lists)
        return run_commands(world, dma, packet);
    for (index = 0; index < dma->count && !problem; index++)
        problem = world_use(world, &dma->references[index], packet->places[index]);
    return problem;
}

/* The word that the address of the lock leads to. */
static uint64_t *seen_at(struct world *world, struct allocation *allocation, uint64_t page)
{
    if (allocation->window.segment != 0)
        return cell_of(world, allocation->window, page);
    return allocation->at_alternate ? &allocation->alternate[page] : &allocation->backing[page];
}

const char *world_touch(struct world *world, uint32_t id)
{
    struct allocation *allocation = &world->allocations[id];
    uint64_t page;

    if (allocation->garbage)
        return NULL;
    find_out(allocation, seen_at(world, allocation, 0));
    for (page = 0; page < allocation->pages; page++) {
        uint64_t *there = seen_at(world, allocation, page);

        if (!there || *there != world_seen_by_cpu(allocation, id, page)) {
            return FAIL(world, "lock of allocation %u, page %u: found %llx", id, (unsigned)page,
                        there ? (unsigned long long)*there : 0ull);
        }
    }
    allocation->version++;
    for (page = 0; page < allocation->pages; page++) {
        *seen_at(world, allocation, page) = world_seen_by_cpu(allocation, id, page);
        world_touched(world, seen_at(world, allocation, page));
    }
    return NULL;
}

void world_mark_backing(struct world *world, uint32_t id, uint64_t mark)
{
    uint32_t page;

    for (page = 0; page < world->allocations[id].pages; page++)
        world->allocations[id].backing[page] = mark;
}
