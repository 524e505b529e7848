/*
 * shadow_check.c: does the shadow hold together?
 *
 * The numbered invariants of shadow_paging.c (P) and shadow_work.c (W), and one of the objects (O):
 * an allocation is held as often as somebody points to it.
 */
#include "base/assert.h"
#include "contract/shadow.h"

/* ---- Places ---- */

/* P1: a range of a memory segment is the place of its owner. */
static size_t check_segment(const struct vidmm_shadow *shadow, unsigned id)
{
    const struct vidmm_ranges *ranges = &shadow->segments[id].ranges;
    const struct vidmm_owned_range *range;
    uint64_t end = 0;
    size_t count = 0;

    for (range = vidmm_ranges_after(ranges, 0); range != NULL;
         range = vidmm_ranges_after(ranges, range->end)) {
        const struct vidmm_shadow_allocation *owner = vidmm_shadow_allocation(shadow, range->owner);
        VIDMM_VERIFY(range->start >= end && range->start < range->end);
        end = range->end;
        count++;
        if (vidmm_shadow_is_aperture(shadow, id))
            continue;
        VIDMM_VERIFY(owner != NULL && owner->segment == id);
        VIDMM_VERIFY(owner->offset == range->start &&
                     vidmm_shadow_span(shadow, owner, id) == range->end - range->start);
    }
    VIDMM_VERIFY(count == ranges->count);
    return count;
}

/* P1, the other way: each allocation in a memory segment has a range there. */
static void check_places(const struct vidmm_shadow *shadow)
{
    size_t places = 0, ranges = 0;

    for (size_t i = 0; i < shadow->allocations.capacity; i++) {
        const struct vidmm_shadow_allocation *allocation = shadow->allocations.entries[i].value;
        places += allocation != NULL && allocation->segment != 0 &&
                  !vidmm_shadow_is_aperture(shadow, allocation->segment);
    }
    for (unsigned id = 1; id <= shadow->segment_count; id++) {
        size_t count = check_segment(shadow, id);
        ranges += vidmm_shadow_is_aperture(shadow, id) ? 0 : count;
    }
    VIDMM_VERIFY(places == ranges);
}

/* ---- Pointers to an allocation ---- */

static size_t holds_of(const struct vidmm_shadow_operations *operations,
                       const struct vidmm_shadow_allocation *allocation)
{
    size_t count = 0;

    for (size_t i = 0; i < operations->count; i++)
        count += operations->items[i].allocation == allocation;
    return count;
}

/* P3: so many operations on it stand in buffers and submissions. */
static size_t operations_on(const struct vidmm_shadow *shadow,
                            const struct vidmm_shadow_allocation *allocation)
{
    size_t count = 0;

    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        const struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer != NULL)
            count += holds_of(&buffer->waiting, allocation);
    }
    for (unsigned n = 0; n < VIDMM_SHADOW_NODES; n++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[n];
        for (size_t k = node->first; k < node->first + node->count; k++)
            count += holds_of(&node->queue[k].operations, allocation);
    }
    return count;
}

static size_t openings_of(const struct vidmm_shadow *shadow,
                          const struct vidmm_shadow_allocation *allocation)
{
    size_t count = 0;

    for (size_t i = 0; i < shadow->openings.capacity; i++) {
        const struct vidmm_shadow_opening *opening = shadow->openings.entries[i].value;
        count += opening != NULL && opening->allocation == allocation;
    }
    return count;
}

/* O: calls on their way hold it too, so there may be more. */
static void check_holds(const struct vidmm_shadow *shadow,
                        const struct vidmm_shadow_allocation *allocation)
{
    size_t operations = operations_on(shadow, allocation);
    size_t openings = openings_of(shadow, allocation);
    size_t holds = operations + openings + (shadow->transfer.allocation == allocation);

    for (size_t i = 0; i < shadow->pending_count; i++)
        holds += shadow->pending[i].allocation == allocation;
    for (size_t i = 0; i < shadow->packet_count; i++)
        for (size_t k = 0; k < shadow->packets[i].count; k++)
            holds += shadow->packets[i].references[k].allocation == allocation;
    VIDMM_VERIFY(allocation->operations == operations);
    VIDMM_VERIFY(allocation->opens == openings);
    VIDMM_VERIFY(allocation->holds >= holds);
    VIDMM_VERIFY(!allocation->destroyed);
}

/* ---- Work ---- */

/* W3: how many submissions of the buffer are in the queues. */
static size_t submissions_of(const struct vidmm_shadow *shadow,
                             const struct vidmm_shadow_buffer *buffer)
{
    size_t count = 0;

    for (unsigned n = 0; n < VIDMM_SHADOW_NODES; n++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[n];
        for (size_t k = node->first; k < node->first + node->count; k++)
            count += node->queue[k].buffer == buffer;
    }
    return count;
}

static void check_buffers(const struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        const struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer == NULL)
            continue;
        VIDMM_VERIFY(buffer->submitted <= buffer->written &&
                     buffer->written <= buffer->size); /* P2 */
        VIDMM_VERIFY(buffer->in_flight == submissions_of(shadow, buffer));
        for (size_t k = 0; k < buffer->waiting.count; k++)
            VIDMM_VERIFY(buffer->waiting.items[k].end <= buffer->written);
    }
}

/* W1 and W2. */
static void check_node(const struct vidmm_shadow_node *node)
{
    uint64_t serial = node->completed;

    VIDMM_VERIFY(node->completed <= node->submitted);
    VIDMM_VERIFY(node->first + node->count <= node->capacity);
    for (size_t k = node->first; k < node->first + node->count; k++) {
        if (node->queue[k].preempted)
            continue;
        VIDMM_VERIFY(node->queue[k].serial > serial);
        serial = node->queue[k].serial;
    }
    VIDMM_VERIFY(serial <= node->submitted);
}

void vidmm_shadow_check(const struct vidmm_shadow *shadow)
{
    if (shadow->lost)
        return;
    check_places(shadow);
    check_buffers(shadow);
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++)
        check_node(&shadow->nodes[i]);
    for (size_t i = 0; i < shadow->allocations.capacity; i++)
        if (shadow->allocations.entries[i].value != NULL)
            check_holds(shadow, shadow->allocations.entries[i].value);
}
