/* world.c: see world.h. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

enum {
    ALLOCATIONS = 48,
    PAGES = 256,
    DMA_BUFFERS = 24,
    REFERENCES = 24,
    COMMANDS = 8, /* of a DMA buffer */
    COMMAND_BYTES = 32,
    SLOTS = 5,
    PATCHES = 2 * REFERENCES,
    PAGED = 8,
    QUEUE = 64,
    RECORDS = 4096
};

#define ZERO 1u
#define POISON 2u
#define TILED (UINT64_C(1) << 62) /* in the GPU's order; ZERO is in either */

/* A page that was written: never equal to a mark. */
static uint64_t content(uint32_t allocation, uint64_t page, uint32_t version)
{
    return (uint64_t)allocation << 48 | page << 32 | version;
}

struct allocation {
    bool alive, known; /* known: the engine has not said DESTROY yet */
    bool local, cpu_visible, permanent, synchronous, swizzled;
    bool mappable; /* local, and the aperture may show it too */
    uint32_t pages, version, device;
    uint32_t locks, busy;
    bool stood;                /* in memory, before the step */
    uint32_t offer;            /* VIDMM_OFFER_...; 0: it is in use */
    bool copy;                 /* locked, and a segment has a copy to be refreshed */
    bool closed;               /* the window: who touches it waits */
    bool lost;       /* nothing renders with it any more */
    bool maybe_lost; /* a reset came: it is as it was, or zeros; who looks first knows */
    bool garbage;    /* a reset came while a pointer led to the segment */
    struct vidmm_place window; /* what it shows */
    uint32_t range;            /* by which; 0: none */
    uint64_t backing[PAGES];
};

/* One operation, or a part of one, in a paging buffer. */
struct record {
    uint32_t allocation, operation;
    struct vidmm_place source, destination;
    uint64_t first, count; /* pages of the allocation */
    bool purge;            /* after a reset, which has emptied the table */
    uint32_t order;        /* VIDMM_PAGING_SWIZZLE, VIDMM_PAGING_UNSWIZZLE, 0 */
};

struct buffer {
    struct record records[RECORDS];
    uint32_t count, units;
    bool flying;
};

/* Commands use what stands in the slots: each patch location puts a reference into one, or empties
 * it, before the command at its split offset. */
struct dma_buffer {
    bool used, submitted;
    uint32_t device, context, count, retired;
    struct vidmm_reference references[REFERENCES];
    struct vidmm_patch_location patches[PATCHES];
    uint32_t patch_count, commands; /* no patches: all commands use all references */
    uint32_t parts;                 /* submitted */
    uint32_t end;                   /* bytes submitted */
    uint32_t patched;               /* locations submitted */
    struct {
        uint32_t reference; /* and 1 more; 0: empty */
        struct vidmm_place place;
    } slots[SLOTS]; /* as the GPU has them while it runs the parts */
};

struct packet {
    uint32_t fence;
    uint32_t paging_buffer, dma_buffer;    /* one of them */
    uint32_t start, end, first, count;     /* of the DMA buffer: bytes, patch locations */
    bool switches;                         /* neither: the node leaves its context */
    struct vidmm_place places[REFERENCES]; /* as they were patched in */
    uint32_t paged_count, paged[PAGED];    /* of the paging buffer: what is SynchronousPaging */
};

struct node {
    struct packet packets[QUEUE];
    uint32_t head, done, tail; /* head: reported; done: executed */
    bool idle;                 /* it has executed nothing since the adapter was reset */
    bool hung, hard;           /* runs nothing; does not even stop */
    uint32_t preempt_fence;    /* of a preemption not answered yet; 0: none */
    struct packet returned[QUEUE]; /* in the order in which they must come again (D-084) */
    uint32_t returned_count;
    bool inside;              /* between two parts of a DMA buffer */
    uint32_t context;         /* that it runs, or still holds; 0: none */
    struct vidmm_place loaded[ALLOCATIONS]; /* where it has used them since; segment 0: it has not */
};

struct world {
    struct world_options options;
    struct vidmm_engine *engine;
    struct allocation allocations[ALLOCATIONS];
    uint64_t memory[PAGES];
    struct vidmm_place table[PAGES]; /* the aperture: segment = allocation, offset = page */
    struct buffer buffers[VIDMM_PAGING_BUFFERS];
    struct dma_buffer dma_buffers[DMA_BUFFERS];
    struct vidmm_place placed[REFERENCES]; /* for the next submission */
    struct node nodes[4];
    struct vidmm_operation call; /* under way: kind 0: none */
    bool device_dead[4];
    uint32_t request;
    uint32_t range_owner[5]; /* by number, from 1; 0: free */
    bool evicting_all;
    uint32_t power, rest_request, resume_request; /* of a rest; 0: none; none that is not granted */
    bool powerless; /* between the rest and its end */
    uint64_t time, submissions, splits, errors, losses, resets, preemptions, swizzles;
    uint64_t rests, discards, left[4], ranged;
    char problem[200];
};

#define FAIL(world, ...)                                                                           \
    (snprintf((world)->problem, sizeof((world)->problem), __VA_ARGS__), (world)->problem)

/* ---- memory ------------------------------------------------------------------------------------------ */

static uint64_t expected(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->version == 0 ? ZERO : content(id, page, allocation->version);
}

/* The same as the GPU wants it. */
static uint64_t expected_tiled(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    uint64_t linear = expected(allocation, id, page);

    return allocation->swizzled && linear != ZERO ? linear | TILED : linear;
}

/* The cell at a page of a segment, through the aperture's table where it is one. */
static uint64_t *cell(struct world *world, uint32_t segment, uint64_t page)
{
    if (segment == 2 && page < world->options.memory_pages) { /* a page of the segment */
        return &world->memory[page];
    }
    if (segment == 1 && page < world->options.aperture_pages && world->table[page].segment != 0) {
        return &world->allocations[world->table[page].segment].backing[world->table[page].offset];
    }
    return NULL;
}

/* The cell of a page of an allocation that lies at a place of a segment. */
static uint64_t *cell_of(struct world *world, struct vidmm_place place, uint64_t page)
{
    bool pitch = place.segment == 2 && world->options.pitch_aligned;

    return cell(world, place.segment, place.offset / 4096 + (pitch ? 2 * page : page));
}

static uint64_t *side(struct world *world, const struct record *record, struct vidmm_place place,
                      uint64_t page)
{
    if (place.segment == 0) {
        return &world->allocations[record->allocation].backing[page];
    }
    return cell_of(world, place, page);
}

/* D-075: what is to change its order is in the other one. */
static const char *transfer(struct world *world, const struct record *record, uint64_t *from,
                            uint64_t *to)
{
    uint64_t value = *from;
    bool marked = value == ZERO || value == POISON;

    if (record->order != 0 && !world->allocations[record->allocation].swizzled) {
        return FAIL(world, "transfer of allocation %u changes the order", record->allocation);
    }
    if (record->order != 0 && !marked &&
        ((value & TILED) != 0) != (record->order == VIDMM_PAGING_UNSWIZZLE)) {
        return FAIL(world, "transfer of allocation %u: it is in that order already",
                    record->allocation);
    }
    *to = record->order != 0 && !marked ? value ^ TILED : value;
    *from = record->source.segment == 2 ? POISON : *from;
    world->swizzles += record->order != 0;
    return NULL;
}

/* Whether the page of the backing store is the content, in the CPU's order. */
static bool is_linear(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->swizzled && !allocation->permanent && allocation->version > 0 &&
           allocation->backing[page] == expected(allocation, id, page);
}

/* D-256: what a node's context has used stays where it is until the node has left that context. */
static const char *check_unloaded(struct world *world, const struct record *record)
{
    bool vacates = record->operation == VIDMM_TRANSFER ||
                   record->operation == VIDMM_DISCARD_CONTENT ||
                   record->operation == VIDMM_UNMAP_APERTURE_SEGMENT;
    struct vidmm_place from =
        record->operation == VIDMM_TRANSFER ? record->source : record->destination;
    uint32_t node;

    for (node = 0; vacates && from.segment != 0 && node < world->options.nodes; node++) {
        struct vidmm_place there = world->nodes[node].loaded[record->allocation];

        if (there.segment == from.segment && there.offset == from.offset &&
            !world->nodes[node].inside) {
            return FAIL(world, "allocation %u moves while node %u holds context %u",
                        record->allocation, node, world->nodes[node].context);
        }
    }
    return NULL;
}

static void load_context(struct world *world, uint32_t node, uint32_t context)
{
    struct node *queue = &world->nodes[node];

    if (queue->context != context) {
        memset(queue->loaded, 0, sizeof(queue->loaded));
        queue->context = context;
    }
}

static const char *run_record(struct world *world, const struct record *record)
{
    uint64_t page;

    if (check_unloaded(world, record)) {
        return world->problem;
    }
    for (page = record->first; page < record->first + record->count; page++) {
        uint64_t at = record->destination.offset / 4096 + page;
        uint64_t *from, *to;

        switch (record->operation) {
        case VIDMM_MAP_APERTURE_SEGMENT:
            if (world->table[at].segment != 0) {
                return FAIL(world, "aperture page %u mapped twice", (unsigned)at);
            }
            /* on its way out through the aperture the backing store may hold what it was before */
            if (!(world->options.evict_through_aperture &&
                  world->allocations[record->allocation].local) &&
                is_linear(&world->allocations[record->allocation], record->allocation, page)) {
                return FAIL(world, "allocation %u is mapped unswizzled", record->allocation);
            }
            world->table[at] = (struct vidmm_place){record->allocation, 0, page};
            break;
        case VIDMM_UNMAP_APERTURE_SEGMENT:
            if (world->table[at].segment != record->allocation && !record->purge) {
                return FAIL(world, "aperture page %u is not allocation %u's", (unsigned)at,
                            record->allocation);
            }
            world->table[at].segment = 0;
            break;
        case VIDMM_FILL:
            *cell(world, record->destination.segment, at) = ZERO;
            break;
        case VIDMM_TRANSFER:
            from = side(world, record, record->source, page);
            to = side(world, record, record->destination, page);
            if (!from || !to) {
                return FAIL(world, "transfer of allocation %u by an unmapped page",
                            record->allocation);
            }
            if (transfer(world, record, from, to)) {
                return world->problem;
            }
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

static const char *use(struct world *world, const struct vidmm_reference *reference,
                       struct vidmm_place place)
{
    uint32_t id = reference->allocation;
    struct allocation *allocation = &world->allocations[id];
    uint64_t page;

    find_out(allocation, cell_of(world, place, 0));
    for (page = 0; page < allocation->pages; page++) {
        uint64_t *there = cell_of(world, place, page);

        if (!there || *there != expected_tiled(allocation, id, page)) {
            return FAIL(world, "allocation %u page %u at segment %u +%u: found %llx", id,
                        (unsigned)page, place.segment, (unsigned)(place.offset / 4096),
                        there ? (unsigned long long)*there : 0ull);
        }
    }
    if ((reference->write & VIDMM_REFERENCE_WRITES) == 0) {
        return NULL;
    }
    allocation->version++;
    for (page = 0; page < allocation->pages; page++) {
        *cell_of(world, place, page) = expected_tiled(allocation, id, page);
    }
    return NULL;
}

/* The patch locations of the command that begins at `offset`: what stands in the slots from there. */
static uint32_t bind(struct dma_buffer *dma, const struct packet *packet, uint32_t at,
                     uint32_t offset)
{
    for (; at < packet->first + packet->count && dma->patches[at].split_offset == offset; at++) {
        const struct vidmm_patch_location *patch = &dma->patches[at];

        dma->slots[patch->slot].reference = patch->reference + 1; /* VIDMM_UNBOUND + 1 is 0 */
        if (patch->reference != VIDMM_UNBOUND) {
            dma->slots[patch->slot].place = packet->places[patch->reference];
        }
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
                problem = use(world, &dma->references[dma->slots[slot].reference - 1],
                              dma->slots[slot].place);
            }
        }
    }
    if (!problem && at != packet->first + packet->count) {
        problem = FAIL(world, "patch location %u of a part lies outside it", at);
    }
    return problem;
}

static const char *run_dma_buffer(struct world *world, uint32_t node, const struct packet *packet)
{
    struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];
    const char *problem = NULL;
    uint32_t index;

    load_context(world, node, dma->context);
    world->nodes[node].inside = packet->end < dma->commands * COMMAND_BYTES;
    for (index = 0; index < dma->count; index++) {
        if (packet->places[index].segment != 0) {
            world->nodes[node].loaded[dma->references[index].allocation] = packet->places[index];
        }
    }

    world->submissions++;
    if (dma->patch_count > 0) {
        return run_commands(world, dma, packet);
    }
    for (index = 0; index < dma->count && !problem; index++) {
        problem = use(world, &dma->references[index], packet->places[index]);
    }
    return problem;
}

/* ---- offers -------------------------------------------------------------------------------------------- */

/* How gladly it is given away: more gladly, the lower. */
static uint32_t rank(const struct allocation *allocation)
{
    return allocation->offer == VIDMM_OFFER_LOW    ? 1
           : allocation->offer == VIDMM_OFFER_HIGH ? 2
           : allocation->offer == 0                ? 3
                                                   : 0; /* neither: not judged */
}

/* Whether one of this rank stands idle in memory that could have gone. */
static bool stays(const struct world *world, uint32_t wanted)
{
    uint32_t id;

    for (id = 1; id < ALLOCATIONS; id++) {
        const struct allocation *allocation = &world->allocations[id];

        if (allocation->alive && rank(allocation) == wanted &&
            allocation->busy == 0 && allocation->locks == 0 &&
            vidmm_engine_where(world->engine, id).segment == 2) {
            return true;
        }
    }
    return false;
}

/* What left memory in this step did so for want of room, in an even world that does one thing at a time:
 * what is offered goes before all else, low before high (D-212). */
static const char *see_leave(struct world *world)
{
    uint32_t id, lower;

    for (id = 1; id < ALLOCATIONS; id++) {
        struct allocation *allocation = &world->allocations[id];
        bool was = allocation->stood;

        allocation->stood = vidmm_engine_where(world->engine, id).segment == 2;
        if (!was || allocation->stood || !allocation->alive) {
            continue;
        }
        world->left[rank(allocation)]++;
        for (lower = 1; lower < rank(allocation); lower++) {
            if (stays(world, lower)) {
                return FAIL(world, "allocation %u leaves, and what is offered %s stays", id,
                            lower == 1 ? "low" : "high");
            }
        }
    }
    return NULL;
}

/* ---- the driver ---------------------------------------------------------------------------------------- */

static const char *handle(struct world *world, const struct vidmm_plan *plan);

static const char *step(struct world *world, struct vidmm_event *event, NTSTATUS *status)
{
    struct vidmm_plan plan;
    const char *problem;
    NTSTATUS answer;

    event->time_ns = world->time += 1000;
    answer = vidmm_step(world->engine, event, &plan);
    if (status) {
        *status = answer;
    }
    problem = handle(world, &plan);
    while (!problem && plan.more) {
        vidmm_step(world->engine, NULL, &plan);
        problem = handle(world, &plan);
    }
    vidmm_engine_check(world->engine);
    return problem || !world->options.even ? problem : see_leave(world);
}

/* Write as much of the operation as fits; *pass counts pages done. */
static uint32_t write_record(struct world *world, const struct vidmm_operation *build,
                             uint32_t *pass, uint64_t *written)
{
    struct buffer *buffer = &world->buffers[build->build.paging_buffer];
    uint64_t pages = build->build.size / 4096 - *pass;
    uint64_t room = world->options.paging_buffer_units - buffer->units;
    struct record *record = &buffer->records[buffer->count];

    pages = pages < room ? pages : room;
    if (pages > 0) {
        *record = (struct record){build->allocation,
                                  build->build.operation,
                                  build->build.source,
                                  build->build.destination,
                                  build->build.transfer_offset / 4096 + *pass,
                                  pages,
                                  (build->build.flags & VIDMM_PAGING_PURGE) != 0,
                                  build->build.flags &
                                      (VIDMM_PAGING_SWIZZLE | VIDMM_PAGING_UNSWIZZLE)};
        buffer->count++;
        buffer->units += (uint32_t)pages;
        *written = pages * 16;
        *pass += (uint32_t)pages;
    }
    return *pass == build->build.size / 4096 ? 0
                                             : (uint32_t)STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* S4-026: with AllocationIsIdle nothing that is still to run names the allocation. */
static const char *check_idle(struct world *world, uint32_t allocation)
{
    uint32_t node, at, index;

    for (node = 0; node < world->options.nodes; node++) {
        const struct node *queue = &world->nodes[node];

        for (at = queue->done; at != queue->tail; at++) {
            const struct packet *packet = &queue->packets[at % QUEUE];
            const struct buffer *buffer = &world->buffers[packet->paging_buffer];
            const struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];

            for (index = 0; packet->paging_buffer != 0 && index < buffer->count; index++) {
                if (buffer->records[index].allocation == allocation) {
                    return FAIL(world, "allocation %u is said to be idle, and paged", allocation);
                }
            }
            for (index = 0; packet->dma_buffer != 0 && index < dma->count; index++) {
                if (dma->references[index].allocation == allocation &&
                    packet->places[index].segment != 0) {
                    return FAIL(world, "allocation %u is said to be idle, and used", allocation);
                }
            }
        }
    }
    return NULL;
}

static bool has_range(const struct world *world, uint32_t allocation)
{
    uint32_t range;

    for (range = 1; range <= world->options.ranges; range++) {
        if (world->range_owner[range] == allocation) {
            return true;
        }
    }
    return false;
}

static const char *answer_build(struct world *world)
{
    const struct vidmm_operation *build = &world->call;
    struct vidmm_event event = {.kind = VIDMM_EVENT_BUILT};
    struct buffer *buffer = &world->buffers[build->build.paging_buffer];
    bool table = build->build.operation >= VIDMM_MAP_APERTURE_SEGMENT;
    bool may_be_busy =
        build->build.operation == VIDMM_TRANSFER || build->build.operation == VIDMM_DISCARD_CONTENT;
    uint32_t pass = build->build.multipass_offset;

    if ((build->build.flags & VIDMM_PAGING_IDLE) != 0 && check_idle(world, build->allocation)) {
        return world->problem;
    }
    if (build->build.source.segment == 2 && build->build.size > 0 &&
        has_range(world, build->allocation)) {
        return FAIL(world, "allocation %u leaves, and has a swizzling range", build->allocation);
    }
    if (buffer->flying) {
        return FAIL(world, "paging buffer %u reused in flight", build->build.paging_buffer);
    }
    if (may_be_busy && world->options.busy_first && pass == 0 &&
        (build->build.flags & VIDMM_PAGING_IDLE) == 0) {
        event.built.status = (uint32_t)STATUS_GRAPHICS_ALLOCATION_BUSY;
    } else if (table && world->options.immediate) {
        struct record record = {build->allocation,
                                build->build.operation,
                                build->build.source,
                                build->build.destination,
                                0,
                                build->build.size / 4096,
                                (build->build.flags & VIDMM_PAGING_PURGE) != 0,
                                0};
        const char *problem = run_record(world, &record);

        if (problem) {
            return problem;
        }
    } else {
        event.built.status = write_record(world, build, &pass, &event.built.written);
        event.built.multipass_offset = pass;
    }
    world->call.kind = 0;
    return step(world, &event, NULL);
}

static void enqueue(struct world *world, uint32_t node, struct packet packet)
{
    struct node *queue = &world->nodes[node];

    queue->packets[queue->tail++ % QUEUE] = packet;
}

/* A lock keeps its allocation where it is, or its window follows. */
static uint32_t claim(const struct world *world, struct allocation *allocation)
{
    if (allocation->locks == 0) {
        return VIDMM_CLAIM_GRANTED;
    }
    allocation->closed = world->options.windows;
    return world->options.windows ? VIDMM_CLAIM_FOLLOWS : VIDMM_CLAIM_REFUSED;
}

/* D-086: parts tile the DMA buffer, in order, and are cut at split points only. */
static const char *check_part(struct world *world, const struct dma_buffer *dma,
                              const struct vidmm_operation *call)
{
    uint32_t after = call->submit.patch_first + call->submit.patch_count;
    bool last = call->submit.end == dma->commands * COMMAND_BYTES;

    if (call->submit.start != dma->end || (call->submit.end <= dma->end && dma->commands > 0)) {
        return FAIL(world, "a part is %u..%u, the one before it ends at %u", call->submit.start,
                    call->submit.end, dma->end);
    }
    if (last != (call->submit.last != 0)) {
        return FAIL(world, "a part ends at %u, and is said to be%s the last", call->submit.end,
                    last ? " not" : "");
    }
    if (dma->patch_count == 0) {
        return last ? NULL : FAIL(world, "what cannot be split was split at %u", call->submit.end);
    }
    if (call->submit.patch_first != dma->patched ||
        (last
             ? after != dma->patch_count
             : after >= dma->patch_count || dma->patches[after].split_offset != call->submit.end)) {
        return FAIL(world, "a part has the patch locations %u to %u", call->submit.patch_first,
                    after);
    }
    return NULL;
}

/* S0-050, S0-051: whether something not yet reported complete pages, or with `uses_too` uses, this
 * allocation, or if it is 0 pages any that is SynchronousPaging. */
static bool is_outstanding(const struct world *world, uint32_t id, bool uses_too)
{
    uint32_t node, at, index;

    for (node = 0; node < world->options.nodes; node++) {
        const struct node *queue = &world->nodes[node];

        for (at = queue->head; at != queue->tail; at++) {
            const struct packet *packet = &queue->packets[at % QUEUE];

            for (index = 0; packet->paging_buffer != 0 && index < packet->paged_count; index++) {
                uint32_t paged = packet->paged[index];

                if (id != 0 ? paged == id : world->allocations[paged].synchronous) {
                    return true;
                }
            }
            for (index = 0; packet->dma_buffer != 0 && uses_too && index < REFERENCES; index++) {
                const struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];

                if (index < dma->count && dma->references[index].allocation == id &&
                    packet->places[index].segment != 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* D-084: what came back goes first, in this order. *packet is it. */
static const char *submit_again(struct world *world, struct node *queue, bool again,
                                const struct packet *packet)
{
    struct packet first = queue->returned[0];

    if (!again) {
        return queue->returned_count == 0 ? NULL
                                          : FAIL(world, "fence %x goes before what came back",
                                                 packet->fence);
    }
    if (queue->returned_count == 0 || first.paging_buffer != packet->paging_buffer ||
        first.dma_buffer != packet->dma_buffer || first.start != packet->start ||
        (first.paging_buffer != 0) != (first.fence == packet->fence)) {
        return FAIL(world,
                    "fence %x (paging buffer %u, DMA buffer %u from %u) comes again out of turn: "
                    "%u to come, first %x (%u, %u from %u)",
                    packet->fence, packet->paging_buffer, packet->dma_buffer, packet->start,
                    queue->returned_count, first.fence, first.paging_buffer, first.dma_buffer,
                    first.start);
    }
    first.fence = packet->fence;
    queue->returned_count--;
    memmove(queue->returned, queue->returned + 1,
            queue->returned_count * sizeof(queue->returned[0]));
    queue->packets[queue->tail++ % QUEUE] = first;
    return NULL;
}

/* On a link another GPU may still have to run what this one has not even reported, and bring in from the
 * backing store what that needs: nothing may be written there meanwhile. */
static const char *check_ahead(struct world *world, const struct buffer *buffer)
{
    uint32_t index;

    for (index = 0; index < buffer->count; index++) {
        const struct record *record = &buffer->records[index];

        if (record->operation == VIDMM_TRANSFER && record->destination.segment != 2 &&
            is_outstanding(world, record->allocation, true)) {
            return FAIL(world, "allocation %u leaves while a GPU of the link may need its content",
                        record->allocation);
        }
    }
    return NULL;
}

static const char *submit_paging(struct world *world, const struct vidmm_operation *call)
{
    struct buffer *buffer = &world->buffers[call->submit_paging.paging_buffer];
    struct packet packet = {.fence = call->submit_paging.fence,
                            .paging_buffer = call->submit_paging.paging_buffer};
    struct node *queue = &world->nodes[world->options.paging_node];
    const char *problem = submit_again(world, queue, call->submit_paging.again != 0, &packet);
    uint32_t index;

    if (problem || call->submit_paging.again != 0) {
        return problem;
    }
    for (index = 0; index < buffer->count; index++) {
        uint32_t id = buffer->records[index].allocation;

        if (world->allocations[id].synchronous && is_outstanding(world, id, true)) {
            return FAIL(world, "allocation %u is paged while it is used, or paged", id);
        }
        if (world->allocations[id].synchronous && packet.paged_count < PAGED) {
            packet.paged[packet.paged_count++] = id;
        }
    }
    buffer->flying = true;
    problem = world->options.linked ? check_ahead(world, buffer) : NULL;
    enqueue(world, world->options.paging_node, packet);
    return problem;
}

static const char *submit_part(struct world *world, const struct vidmm_operation *call)
{
    struct dma_buffer *dma = &world->dma_buffers[call->submit.dma_buffer];
    struct packet packet = {
        .fence = call->submit.fence,
        .dma_buffer = call->submit.dma_buffer,
        .start = call->submit.start,
        .end = call->submit.end,
        .first = call->submit.patch_first,
        .count = call->submit.patch_count,
    };
    const char *problem = submit_again(world, &world->nodes[call->submit.node],
                                       call->submit.again != 0, &packet);

    if (problem || call->submit.again != 0) {
        return problem;
    }
    problem = check_part(world, dma, call);

    if (!problem && is_outstanding(world, 0, false)) {
        problem = FAIL(world, "a DMA buffer is submitted during synchronous paging");
    }
    memcpy(packet.places, world->placed, sizeof(packet.places));
    dma->end = call->submit.end;
    dma->patched = call->submit.patch_first + call->submit.patch_count;
    world->splits += call->submit.last == 0;
    enqueue(world, call->submit.node, packet);
    return problem;
}

static const char *submit_switch(struct world *world, const struct vidmm_operation *call)
{
    struct packet packet = {.fence = call->switching.fence, .switches = true};
    const char *problem = submit_again(world, &world->nodes[call->switching.node],
                                       call->switching.again != 0, &packet);

    if (!problem && call->switching.again == 0) {
        enqueue(world, call->switching.node, packet);
    }
    return problem;
}

/* D-346: of a device in error, and never submitted. */
static const char *check_cancelled(struct world *world, const struct vidmm_operation *call)
{
    const struct dma_buffer *dma = &world->dma_buffers[call->submit.dma_buffer];

    if (!world->device_dead[dma->context / 2] || call->submit.start != dma->end ||
        call->submit.patch_first != dma->patched) {
        return FAIL(world, "DMA buffer %u is cancelled from %u, submitted to %u",
                    call->submit.dma_buffer, call->submit.start, dma->end);
    }
    return NULL;
}

static uint32_t last_fence(const struct node *queue)
{
    return queue->done == 0 ? 0 : queue->packets[(queue->done - 1) % QUEUE].fence;
}

/* What was not executed comes back: paging first. */
static void give_back(struct node *queue)
{
    struct packet all[2 * QUEUE];
    uint32_t at, count = 0, paging;

    for (at = queue->done; at != queue->tail; at++) {
        all[count++] = queue->packets[at % QUEUE];
    }
    for (at = 0; at < queue->returned_count; at++) { /* what had not gone again yet */
        all[count++] = queue->returned[at];
    }
    queue->returned_count = 0;
    for (paging = 0; paging < 2; paging++) {
        for (at = 0; at < count; at++) {
            if ((all[at].paging_buffer != 0) == (paging == 0)) {
                queue->returned[queue->returned_count++] = all[at];
            }
        }
    }
    queue->head = queue->tail = queue->done;
}

static const char *report(struct world *world, uint32_t node);

static void reset_adapter(struct world *world)
{
    uint32_t node, id;

    for (node = 0; node < world->options.nodes; node++) {
        struct node *queue = &world->nodes[node];

        queue->head = queue->done = queue->tail;
        queue->hung = queue->hard = false;
        queue->idle = true;
        queue->preempt_fence = queue->returned_count = 0;
        load_context(world, node, 0);
    }
    for (id = 0; id < VIDMM_PAGING_BUFFERS; id++) {
        world->buffers[id].count = world->buffers[id].units = 0;
        world->buffers[id].flying = false;
    }
    for (id = 0; id < PAGES; id++) {
        world->memory[id] = POISON;
        world->table[id].segment = 0;
    }
    for (id = 1; id < ALLOCATIONS; id++) {
        struct allocation *allocation = &world->allocations[id];

        allocation->maybe_lost = allocation->known;
        allocation->garbage =
            allocation->locks > 0 && !allocation->closed && allocation->window.segment != 0;
    }
    world->resets++;
    world->time += 61000000000; /* the limit of resets a minute is shown elsewhere */
}

/* Engines fail to be reset now and then. */
static void reset_engine(struct world *world, uint32_t node, struct vidmm_event *event)
{
    struct node *queue = &world->nodes[node];

    if (world->time / 1000 % 3 == 0) {
        event->recovered.status = (uint32_t)STATUS_UNSUCCESSFUL;
        return;
    }
    queue->idle = queue->idle && queue->done == queue->tail;
    queue->done += queue->done != queue->tail; /* cut off */
    event->recovered.fence = queue->idle ? 0 : last_fence(queue);
    give_back(queue);
    queue->hung = queue->hard = false;
    queue->preempt_fence = 0;
    load_context(world, node, 0);
}

/* The driver's side of timeout detection and recovery. */
static const char *recover(struct world *world, const struct vidmm_operation *call,
                           struct vidmm_event *event)
{
    uint32_t node = call->recover.node;
    const char *problem = NULL;

    switch (call->kind) {
    case VIDMM_DO_QUERY_FENCE:
        problem = report(world, node);
        event->recovered.fence = last_fence(&world->nodes[node]);
        break;
    case VIDMM_DO_PREEMPT:
        world->nodes[node].preempt_fence = call->recover.fence;
        break;
    case VIDMM_DO_QUERY_GROUP:
        event->recovered.nodes =
            world->time / 1000 % 2 == 0 ? 3 : UINT64_C(1) << call->recover.node;
        break;
    case VIDMM_DO_RESET_ENGINE:
        reset_engine(world, node, event);
        break;
    case VIDMM_DO_RESET:
        reset_adapter(world);
        break;
    default:
        break;
    }
    return problem;
}

/* The driver's side of swizzling ranges: now and then it has no means, or not for this allocation. */
static const char *answer_range(struct world *world, const struct vidmm_operation *call,
                                struct vidmm_event *event)
{
    uint32_t *owner = &world->range_owner[call->range.range];
    const struct allocation *allocation = &world->allocations[call->allocation];
    uint64_t luck = world->time / 1000 % 8;

    event->kind = VIDMM_EVENT_RANGED;
    if (call->kind == VIDMM_DO_RELEASE_RANGE) {
        if (*owner != call->allocation || (allocation->locks > 0 && !allocation->closed &&
                                           allocation->range == call->range.range &&
                                           !allocation->garbage)) {
            return FAIL(world, "range %u of allocation %u is released, of %u", call->range.range,
                        call->allocation, *owner);
        }
        *owner = 0;
        return NULL;
    }
    if (*owner != 0 || call->range.place.segment != 2) {
        return FAIL(world, "range %u is acquired for %u, and is %u's", call->range.range,
                    call->allocation, *owner);
    }
    event->ranged.status = luck == 0
                               ? (uint32_t)STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED
                           : luck == 1
                               ? (uint32_t)STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE
                               : 0;
    *owner = event->ranged.status == 0 ? call->allocation : 0;
    return NULL;
}

static const char *answer_call(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};
    struct vidmm_operation call = world->call;
    const char *problem;

    switch (call.kind) {
    case VIDMM_DO_BUILD:
        return answer_build(world);
    case VIDMM_DO_CLAIM:
        event.kind = VIDMM_EVENT_CLAIMED;
        event.claimed.allocation = call.allocation;
        event.claimed.granted = claim(world, &world->allocations[call.allocation]);
        break;
    case VIDMM_DO_SUBMIT_PAGING:
        problem = submit_paging(world, &call);
        if (problem) {
            return problem;
        }
        break;
    case VIDMM_DO_CANCEL:
        problem = check_cancelled(world, &call);
        if (problem) {
            return problem;
        }
        break;
    case VIDMM_DO_SWITCH:
        problem = submit_switch(world, &call);
        if (problem) {
            return problem;
        }
        break;
    case VIDMM_DO_SUBMIT:
        problem = submit_part(world, &call);
        if (problem) {
            return problem;
        }
        break;
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
        problem = answer_range(world, &call, &event);
        if (problem) {
            return problem;
        }
        break;
    case VIDMM_DO_QUERY_FENCE:
    case VIDMM_DO_PREEMPT:
    case VIDMM_DO_QUERY_GROUP:
    case VIDMM_DO_RESET_ENGINE:
    case VIDMM_DO_RESET:
    case VIDMM_DO_RESTART:
        event.kind = VIDMM_EVENT_RECOVERED;
        problem = recover(world, &call, &event);
        if (problem) {
            return problem;
        }
        break;
    default:
        return NULL;
    }
    world->call.kind = 0;
    return step(world, &event, NULL);
}

static const char *run_node(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    const struct packet *packet = &queue->packets[queue->done % QUEUE];
    const char *problem = NULL;
    uint32_t index;

    if (queue->done == queue->tail || queue->hung) {
        return NULL;
    }
    queue->done++;
    queue->idle = false;
    if (packet->dma_buffer != 0) {
        return run_dma_buffer(world, node, packet);
    }
    if (packet->switches) {
        load_context(world, node, 0);
        return NULL;
    }
    for (index = 0; index < world->buffers[packet->paging_buffer].count && !problem; index++) {
        problem = run_record(world, &world->buffers[packet->paging_buffer].records[index]);
    }
    world->buffers[packet->paging_buffer].count = 0;
    world->buffers[packet->paging_buffer].units = 0;
    world->buffers[packet->paging_buffer].flying = false;
    return problem;
}

static const char *report_stop(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    struct vidmm_event event = {.kind = VIDMM_EVENT_PREEMPTED};

    event.preempted.node = node;
    event.preempted.fence = queue->preempt_fence;
    event.preempted.last_completed = last_fence(queue);
    queue->preempt_fence = 0;
    queue->hung = false;
    give_back(queue);
    world->preemptions++;
    return step(world, &event, NULL);
}

/* Report the newest executed packet; older ones go with it. */
static const char *report(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    if (queue->preempt_fence != 0 && !queue->hard) {
        return report_stop(world, node);
    }
    if (queue->head == queue->done) {
        return NULL;
    }
    queue->head = queue->done;
    event.fence.node = node;
    event.fence.fence = queue->packets[(queue->done - 1) % QUEUE].fence;
    return step(world, &event, NULL);
}

/* ---- the plan -------------------------------------------------------------------------------------------- */

static void retire(struct world *world, const struct vidmm_operation *operation)
{
    struct dma_buffer *dma = &world->dma_buffers[operation->retire.dma_buffer];
    uint32_t index;

    for (index = 0; index < dma->count; index++) {
        world->allocations[dma->references[index].allocation].busy--;
    }
    dma->used = false;
}

/* The adapter loses its power: contents, but what is preserved. What should have left is missed by whoever
 * looks for it. */
static void lose_power(struct world *world)
{
    const struct world_options *options = &world->options;
    bool standby = world->power == VIDMM_POWER_STANDBY;
    bool off = world->power == VIDMM_POWER_D3;
    uint64_t page, kept = off || standby ? 0 : options->preserved_end;

    if ((standby && options->preserved_standby) ||
        (!off && !standby && options->preserved_hibernate)) {
        kept = options->memory_pages;
    }
    for (page = kept; page < PAGES; page++) {
        world->memory[page] = POISON;
    }
    world->powerless = true;
    world->rests++;
}

/* The power may go: nothing is under way, nor mapped. */
static const char *check_rest(struct world *world)
{
    uint32_t node, id;
    uint64_t page;

    world->rest_request = 0;
    for (node = 0; node < world->options.nodes; node++) {
        if (world->nodes[node].head != world->nodes[node].tail) {
            return FAIL(world, "node %u is at work when the power goes", node);
        }
    }
    for (id = 0; id < VIDMM_PAGING_BUFFERS; id++) {
        if (world->buffers[id].count != 0) {
            return FAIL(world, "paging buffer %u is in use when the power goes", id);
        }
    }
    for (page = 0; page < world->options.aperture_pages; page++) {
        if (world->table[page].segment != 0) {
            return FAIL(world, "aperture page %u is mapped when the power goes", (unsigned)page);
        }
    }
    lose_power(world);
    return NULL;
}

/* Everything was evicted: nothing is mapped any more. */
static const char *check_empty(struct world *world)
{
    uint64_t page;

    world->evicting_all = false;
    for (page = 0; page < world->options.aperture_pages; page++) {
        if (world->table[page].segment != 0) {
            return FAIL(world, "aperture page %u is mapped when everything has left",
                        (unsigned)page);
        }
    }
    return NULL;
}

/* What is to be there so that the CPU sees the content: a swizzling range makes of tiles rows. */
static uint64_t seen_by_cpu(const struct allocation *allocation, uint32_t id, uint64_t page)
{
    return allocation->range != 0 ? expected_tiled(allocation, id, page)
                                  : expected(allocation, id, page);
}

/* The CPU reads all of what it has locked, and writes it. */
static const char *touch(struct world *world, uint32_t id)
{
    struct allocation *allocation = &world->allocations[id];
    struct vidmm_place place = allocation->window;
    uint64_t page;

    if (allocation->garbage) {
        return NULL;
    }
    find_out(allocation, place.segment == 0 ? &allocation->backing[0] : cell_of(world, place, 0));
    for (page = 0; page < allocation->pages; page++) {
        uint64_t *there =
            place.segment == 0 ? &allocation->backing[page] : cell_of(world, place, page);

        if (!there || *there != seen_by_cpu(allocation, id, page)) {
            return FAIL(world, "lock of allocation %u, page %u: found %llx", id, (unsigned)page,
                        there ? (unsigned long long)*there : 0ull);
        }
    }
    allocation->version++;
    for (page = 0; page < allocation->pages; page++) {
        *(place.segment == 0 ? &allocation->backing[page] : cell_of(world, place, page)) =
            seen_by_cpu(allocation, id, page);
    }
    return NULL;
}

static const char *grant(struct world *world, const struct vidmm_operation *operation)
{
    uint32_t id = operation->allocation;
    struct allocation *allocation = &world->allocations[id];
    struct vidmm_place place = operation->grant.place;

    if ((NTSTATUS)operation->grant.status != STATUS_SUCCESS) {
        return NULL;
    }
    if (id == 0 && operation->grant.request == world->rest_request) {
        return check_rest(world);
    }
    if (id == 0 && operation->grant.request == world->resume_request) {
        world->resume_request = world->power = 0;
        return NULL;
    }
    if (id == 0) {
        return check_empty(world);
    }
    if (allocation->offer != 0) {
        return FAIL(world, "allocation %u is locked while it is offered", id);
    }
    allocation->locks++;
    allocation->closed = false;
    allocation->window = place;
    allocation->range = operation->grant.range;
    if (allocation->range != 0 && world->range_owner[allocation->range] != id) {
        return FAIL(world, "allocation %u is locked by range %u of another", id, allocation->range);
    }
    world->ranged += allocation->range != 0;
    allocation->copy = (operation->grant.flags & VIDMM_GRANT_COPY) != 0;
    return allocation->busy > 0 ? NULL : touch(world, id); /* nobody knows what is in it now */
}

/* The window opens: the content is there. */
static const char *show(struct world *world, const struct vidmm_operation *operation)
{
    struct allocation *allocation = &world->allocations[operation->allocation];

    if (!allocation->closed) {
        return FAIL(world, "allocation %u is shown, and was not closed", operation->allocation);
    }
    allocation->closed = false;
    allocation->window = operation->show.place;
    allocation->range = operation->show.range;
    return allocation->locks > 0 ? touch(world, operation->allocation) : NULL;
}

static void mark_backing(struct world *world, uint32_t id, uint64_t mark)
{
    uint32_t page;

    for (page = 0; page < world->allocations[id].pages; page++) {
        world->allocations[id].backing[page] = mark;
    }
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
        mark_backing(world, operation->allocation, ZERO);
        return NULL;
    case VIDMM_DO_DROP:
        mark_backing(world, operation->allocation, POISON);
        return NULL;
    case VIDMM_DO_SHOW:
        return show(world, operation);
    case VIDMM_DO_RETIRE:
        retire(world, operation);
        return NULL;
    case VIDMM_DO_DESTROY:
        world->allocations[operation->allocation].known = false;
        if (has_range(world, operation->allocation)) {
            return FAIL(world, "allocation %u is gone, and has a range", operation->allocation);
        }
        return world->allocations[operation->allocation].alive
                   ? FAIL(world, "allocation %u gone while it lives", operation->allocation)
                   : NULL;
    case VIDMM_DO_ERROR:
        world->errors++;
        world->device_dead[operation->error.device] = true;
        return NULL;
    case VIDMM_DO_LOST:
        world->allocations[operation->allocation].maybe_lost = true;
        world->allocations[operation->allocation].lost = true; /* what is in flight still finds it */
        world->losses++;
        return NULL;
    case VIDMM_DO_STOPPED:
        return FAIL(world, "stopped: %s", vidmm_reason_text(operation->error.reason));
    default:
        if (world->call.kind != 0) {
            return FAIL(world, "two calls at once");
        }
        if (world->powerless) {
            return FAIL(world, "a call while there is no power");
        }
        world->call = *operation;
        return NULL;
    }
}

static const char *handle(struct world *world, const struct vidmm_plan *plan)
{
    const char *problem = NULL;
    uint32_t index;

    for (index = 0; index < plan->count && !problem; index++) {
        problem = handle_one(world, &plan->operations[index]);
    }
    return problem;
}

/* ---- the user-mode driver ---------------------------------------------------------------------------------- */

static const char *create(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation = &world->allocations[id];
    const char *problem;
    NTSTATUS status;

    if (allocation->known) {
        return NULL;
    }
    memset(allocation, 0, sizeof(*allocation));
    for (uint32_t node = 0; node < world->options.nodes; node++) {
        world->nodes[node].loaded[id].segment = 0; /* of another, which has gone */
    }
    allocation->local = argument >> 8 & 3;
    allocation->cpu_visible = argument >> 10 & 1;
    allocation->permanent = allocation->cpu_visible && (argument >> 11 & 3) == 0;
    allocation->pages = 1 + (argument >> 13) % ((uint32_t)world->options.memory_pages /
                                                ((argument >> 13) * 2654435761u >> 30 ? 6 : 3));
    if (world->options.even) {
        allocation->pages = 2;
        argument &= ~(3u << 23); /* no alignment */
    }
    allocation->mappable = allocation->local && (argument >> 30 & 1) != 0 &&
                           !(world->options.pinned && (argument >> 27 & 7) == 0);
    allocation->synchronous = world->options.synchronous && (argument >> 17 & 3) == 0;
    allocation->swizzled = world->options.swizzled && (argument >> 18 & 1) != 0;
    allocation->device = 1 + (argument >> 20 & 1);
    mark_backing(world, id, POISON);
    event.device = allocation->device;
    event.create.allocation = id;
    event.create.wish = (struct vidmm_wish){
        .size = allocation->pages * 4096ull,
        .alignment = 4096ull << (argument >> 22 & 1 ? 0 : argument >> 23 & 3),
        .write_set = allocation->mappable ? 3 : allocation->local ? 2 : 1,
        .eviction_set = allocation->local && world->options.evict_through_aperture ? 1 : 0,
        .flags = (allocation->cpu_visible ? 1u : 0u) | (allocation->permanent ? 2u : 0u) |
                 (argument >> 26 & 1 ? 0x40u : 0u) | (allocation->synchronous ? 0x800u : 0u) |
                 (allocation->swizzled ? 0x80u : 0u),
        .priority = (argument >> 5 & 7) == 0 ? (argument & 0xf) << 28 : 0x78000000u,
        .preferred = allocation->local ? 2 : 1,
        .hinted_bank = (argument >> 7 & 0x07070707u),
        .pitch_aligned_size = world->options.pitch_aligned ? allocation->pages * 8192ull : 0,
    };
    event.create.wish.read_set = event.create.wish.write_set;
    if (world->options.pinned && (argument >> 27 & 7) == 0) {
        event.create.wish.flags |= argument & 1 ? 0x100 : 0x200;
    }
    problem = step(world, &event, &status);
    allocation->alive = allocation->known = status == STATUS_SUCCESS;
    return problem;
}

static const char *destroy(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    if (!world->allocations[id].alive || world->allocations[id].locks > 0 || argument >> 16 & 3) {
        return NULL;
    }
    world->allocations[id].alive = false;
    event.destroy.allocation = id;
    return step(world, &event, NULL);
}

static uint64_t extent(const struct world *world, const struct allocation *allocation)
{
    return allocation->pages * (world->options.pitch_aligned ? 2ull : 1ull);
}

static void add_patch(struct dma_buffer *dma, uint32_t reference, uint32_t slot, uint32_t command)
{
    if (dma->patch_count < PATCHES) {
        dma->patches[dma->patch_count++] =
            (struct vidmm_patch_location){reference, slot, command * COMMAND_BYTES};
    }
}

/* Deal the references out to commands and slots; now and then a slot is emptied, or a reference
 * bound again. */
static void make_commands(struct dma_buffer *dma, uint32_t random)
{
    uint32_t index, command = 0, slot = 0;

    dma->commands = 1;
    if (dma->count < 2 || random >> 29 == 0) {
        return;
    }
    for (index = 0; index < dma->count; index++) {
        random = random * 1664525u + 1013904223u;
        if (index > 0 && (slot == SLOTS - 1 || random >> 30 == 0) && command < COMMANDS - 1) {
            command++;
            slot = random >> 20 & 1; /* what stands in the slots above stays */
            if (random >> 24 & 1) {
                add_patch(dma, VIDMM_UNBOUND, SLOTS - 1, command);
            }
            if ((random >> 25 & 3) == 0) {
                add_patch(dma, random % index, SLOTS - 2, command);
            }
        }
        add_patch(dma, index, slot % SLOTS, command);
        slot++;
    }
    dma->commands = command + 1;
}

static const char *submit(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = 1 + (argument & 1)};
    uint32_t slot, index, wanted = (argument >> 1) % 60, random = argument;
    uint64_t local = 0, most = world->options.memory_pages * (argument >> 12 & 1 ? 1 : 4);
    struct dma_buffer *dma;
    const char *problem;
    bool offered = false;
    NTSTATUS status;

    for (slot = 1; slot < DMA_BUFFERS && world->dma_buffers[slot].used; slot++) {
    }
    if (slot == DMA_BUFFERS) {
        return NULL;
    }
    dma = &world->dma_buffers[slot];
    memset(dma, 0, sizeof(*dma));
    for (index = 0; index < wanted && dma->count < REFERENCES; index++) {
        uint32_t id = 1 + (random = random * 1664525u + 1013904223u) / 7 % (ALLOCATIONS - 1);
        struct allocation *allocation = &world->allocations[id];
        bool locked = allocation->locks > 0 && allocation->local;

        if (allocation->alive && allocation->device == event.device &&
            (allocation->offer == 0 || (random >> 8 & 63) == 0) &&
            (!locked || (allocation->mappable && !allocation->swizzled)) &&
            (!allocation->local ||
             local + extent(world, allocation) <= most + (random >> 28 == 0))) {
            local += allocation->local ? extent(world, allocation) : 0;
            dma->references[dma->count++] = (struct vidmm_reference){
                id, (random >> 20 & 1) | (locked ? VIDMM_REFERENCE_LOCKED : 0)};
            allocation->busy++;
        }
    }
    event.submit.dma_buffer = slot;
    dma->context = 2 * event.device + (argument >> 13 & 1); /* two of each device */
    event.submit.context = dma->context;
    event.submit.node = (argument >> 9) % world->options.nodes;
    event.submit.node = event.submit.node == 2 ? 0 : event.submit.node;
    event.submit.reference_count = dma->count;
    event.submit.references = dma->references;
    make_commands(dma, random);
    event.submit.size = dma->commands * COMMAND_BYTES;
    event.submit.patch_count = dma->patch_count;
    event.submit.patches = dma->patches;
    dma->used = true;
    for (index = 0; index < dma->count; index++) {
        offered |= world->allocations[dma->references[index].allocation].offer != 0;
    }
    problem = step(world, &event, &status);
    if (offered && status == STATUS_SUCCESS) {
        return FAIL(world, "DMA buffer %u uses what is offered", slot); /* D-211 */
    }
    if (status != STATUS_SUCCESS) {
        struct vidmm_operation undone = {.retire = {slot, 0}};

        retire(world, &undone);
    }
    return problem;
}

/* The first that stands in memory and is idle, from `id` on; `id` if there is none. */
static uint32_t find_resident(const struct world *world, uint32_t id)
{
    uint32_t step, at;

    for (step = 0; step < ALLOCATIONS - 1; step++) {
        at = 1 + (id + step) % (ALLOCATIONS - 1);
        if (world->allocations[at].alive && world->allocations[at].busy == 0 &&
            world->allocations[at].cpu_visible &&
            vidmm_engine_where(world->engine, at).segment == 2) {
            return at;
        }
    }
    return id;
}

static const char *lock(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    const char *problem;
    NTSTATUS status;
    bool aperture = world->options.ranges > 0 && (argument >> 25 & 1) != 0;

    id = aperture ? find_resident(world, id) : id;
    if (!world->allocations[id].alive ||
        (world->allocations[id].busy > 0 && (argument >> 20 & 3) != 0)) {
        return NULL;
    }
    event.lock.flags = argument >> 22 & 7;
    if (aperture) {
        event.lock.flags = VIDMM_LOCKING_APERTURE;
        event.lock.data = argument >> 26 & 1;
    }
    if (world->allocations[id].locks > 0 && aperture) {
        return NULL; /* D-156: the face says so */
    }
    event.lock.request = ++world->request;
    event.lock.allocation = id;
    event.lock.wait = 0;
    problem = step(world, &event, &status);
    return problem || world->allocations[id].offer == 0 || status != STATUS_SUCCESS
               ? problem
               : FAIL(world, "allocation %u may be locked while it is offered", id); /* D-155 */
}

/* Offer what is not locked, or take back what was: then the engine says whether its content is lost. */
static const char *offer(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_OFFER};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation;

    while ((argument >> 24 & 15) == 0 && world->allocations[id].offer == 0 && id < ALLOCATIONS - 1) {
        id++; /* one that is offered */
    }
    allocation = &world->allocations[id];
    if (!allocation->alive || allocation->locks > 0 || allocation->closed ||
        (allocation->offer == 0 && argument >> 20 & 1)) {
        return NULL;
    }
    if (allocation->offer == 0 || (argument >> 22 & 7) == 0) {
        allocation->offer = 1 + (argument >> 16 & 3);
        event.offer.allocation = id;
        event.offer.priority = allocation->offer;
        return step(world, &event, NULL);
    }
    if (vidmm_engine_discarded(world->engine, id)) {
        allocation->version = 0;
        allocation->maybe_lost = false;
        world->discards++;
    }
    allocation->offer = 0;
    event.kind = VIDMM_EVENT_RECLAIM;
    event.reclaim.allocation = id;
    return step(world, &event, NULL);
}

static const char *set_priority(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PRIORITY};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    if (!world->allocations[id].alive) {
        return NULL;
    }
    event.priority.allocation = id;
    event.priority.priority = (argument >> 16 & 0xf) << 28;
    return step(world, &event, NULL);
}

/* The power goes, or comes back. */
static const char *rest(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_REST};

    if (world->powerless) {
        world->powerless = false;
        event.kind = VIDMM_EVENT_RESUME;
        event.rest.request = world->resume_request = ++world->request;
        return step(world, &event, NULL);
    }
    if (world->power != 0 || argument >> 8 & 31) {
        return NULL;
    }
    world->power = VIDMM_POWER_D3 + argument % 4;
    event.rest.power = world->power;
    event.rest.request = world->rest_request = ++world->request;
    return step(world, &event, NULL);
}

static const char *write_locked(struct world *world, uint32_t argument)
{
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    const struct allocation *allocation = &world->allocations[id];

    if (world->options.ranges > 0 && allocation->locks == 0) {
        return lock(world, argument | 1u << 25);
    }
    return allocation->locks > 0 && !allocation->closed && allocation->busy == 0
               ? touch(world, id)
               : NULL;
}

/* All pages, in two parts where there are two. */
static const char *refresh(struct world *world, uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_REFRESH};
    struct allocation *allocation = &world->allocations[id];
    uint32_t half = allocation->pages / 2;
    const char *problem = NULL;

    allocation->copy = false;
    event.refresh.allocation = id;
    event.refresh.first = half;
    event.refresh.count = allocation->pages - half;
    problem = step(world, &event, NULL);
    event.refresh.first = 0;
    event.refresh.count = half;
    return problem || half == 0 ? problem : step(world, &event, NULL);
}

static const char *unlock(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation = &world->allocations[id];
    const char *problem = NULL;

    if (allocation->locks == 0) {
        return NULL;
    }
    if (allocation->locks == 1 && allocation->copy) {
        problem = refresh(world, id);
    }
    if (--allocation->locks > 0 || problem) {
        return problem;
    }
    event.unlock.allocation = id;
    return step(world, &event, NULL); /* refused, and rightly, if no claim had failed */
}

static const char *revive(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_DEVICE};
    const char *problem = NULL;
    uint32_t device, id;

    (void)argument;
    for (device = 1; device <= 2 && !problem; device++) {
        bool used = false;

        for (id = 1; id < DMA_BUFFERS; id++) {
            used |= world->dma_buffers[id].used;
        }
        if (!world->device_dead[device] || used) {
            continue;
        }
        event.kind = VIDMM_EVENT_DESTROY_DEVICE;
        event.device = device;
        problem = step(world, &event, NULL);
        event.kind = VIDMM_EVENT_CREATE_DEVICE;
        problem = problem ? problem : step(world, &event, NULL);
        world->device_dead[device] = false;
    }
    return problem;
}

static const char *evict_all(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT_ALL};

    if (world->evicting_all || argument >> 8 & 7) {
        return NULL;
    }
    world->evicting_all = true;
    event.evict_all.request = ++world->request;
    event.evict_all.reason = 1 + argument % 3;
    return step(world, &event, NULL);
}

/* A node hangs, or two seconds pass: what is late then is asked for. */
static const char *let_time_pass(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_TICK};
    struct node *queue = &world->nodes[argument % world->options.nodes];

    if (!world->options.hangs) {
        return NULL;
    }
    if (argument >> 8 & 1) {
        queue->hung = true;
        queue->hard = argument >> 9 & 1;
        return NULL;
    }
    world->time += 2000000000;
    return step(world, &event, NULL);
}

const char *world_act(struct world *world, uint32_t choice, uint32_t argument)
{
    static const char *(*const requests[])(struct world *, uint32_t) = {create, destroy, submit,
                                                                        submit, lock,    unlock};
    static const char *(*const at_times[])(struct world *, uint32_t) = {
        evict_all, let_time_pass, offer, revive, offer, rest, offer, set_priority};

    switch (choice % 13) {
    case 12:
        return write_locked(world, argument);
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        return requests[choice % 13](world, argument);
    case 6:
    case 7:
        return run_node(world, argument % world->options.nodes);
    case 8:
        return report(world, argument % world->options.nodes);
    case 9:
        return at_times[choice / 13 % (sizeof(at_times) / sizeof(at_times[0]))](world, argument);
    default:
        return answer_call(world);
    }
}

const char *world_act_in_turn(struct world *world, uint32_t choice, uint32_t argument)
{
    static const char *(*const acts[])(struct world *, uint32_t) = {create, submit, offer, submit,
                                                                    destroy};

    return acts[choice % (sizeof(acts) / sizeof(acts[0]))](world, argument);
}

const char *world_drain(struct world *world)
{
    const char *problem = NULL;
    uint32_t round, node, id;

    for (id = 1; id < ALLOCATIONS && !problem; id++) {
        while (world->allocations[id].locks > 0 && !problem) {
            problem = unlock(world, id - 1);
        }
    }
    for (node = 0; node < world->options.nodes; node++) {
        world->nodes[node].hung = world->nodes[node].hard = false;
    }
    for (round = 0; round < 20000 && !problem; round++) {
        bool used = world->call.kind != 0 || world->power != 0;

        if (world->powerless) {
            problem = rest(world, 0);
        }

        for (node = 0; node < world->options.nodes && !problem; node++) {
            problem = run_node(world, node);
            problem = problem ? problem : report(world, node);
        }
        problem = problem ? problem : answer_call(world);
        for (id = 1; id < DMA_BUFFERS; id++) {
            used |= world->dma_buffers[id].used;
        }
        if (!used) {
            return problem;
        }
    }
    return problem ? problem : FAIL(world, "a DMA buffer never ends");
}

/* ---- beginning and end ----------------------------------------------------------------------------------------- */

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
        .segments[1] = {.size = options->aperture_pages * 4096,
                        .commit_limit = options->aperture_pages * 4096,
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

    if (!world) {
        return NULL;
    }
    world->options = *options;
    world->engine = vidmm_engine_create(&config, memory);
    if (!world->engine || step(world, &event, NULL)) {
        world_destroy(world);
        return NULL;
    }
    event.device = 2;
    step(world, &event, NULL);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_PAGING_BUFFERS};
    event.paging_buffers.first = 1;
    event.paging_buffers.count = options->paging_buffers;
    step(world, &event, NULL);
    return world;
}

void world_destroy(struct world *world)
{
    if (world) {
        vidmm_engine_destroy(world->engine);
        free(world);
    }
}

uint64_t world_submissions(const struct world *world)
{
    return world->submissions;
}

uint64_t world_evictions(const struct world *world)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(world->engine, &statistics);
    return statistics.evictions;
}

uint64_t world_moves(const struct world *world)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(world->engine, &statistics);
    return statistics.bytes_moved / 4096;
}

uint64_t world_losses(const struct world *world)
{
    return world->losses;
}

uint64_t world_ranged(const struct world *world)
{
    return world->ranged;
}

uint64_t world_swizzles(const struct world *world)
{
    return world->swizzles;
}

uint64_t world_rests(const struct world *world)
{
    return world->rests;
}

uint64_t world_discards(const struct world *world)
{
    return world->discards;
}

uint64_t world_left(const struct world *world, uint32_t rank)
{
    return world->left[rank];
}

uint64_t world_splits(const struct world *world)
{
    return world->splits;
}

uint64_t world_errors(const struct world *world)
{
    return world->errors;
}

uint64_t world_resets(const struct world *world)
{
    return world->resets;
}

uint64_t world_preemptions(const struct world *world)
{
    return world->preemptions;
}
