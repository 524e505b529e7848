/*
 * shadow_use.c: the users of an allocation, or of a range of a segment: operations that wait in a
 * paging buffer, what has been submitted and goes on, and the DMA buffers that reference it.
 */
#include <stdio.h>

#include "contract/shadow.h"

/* ---- Users of an allocation ---- */

static bool has_other_task(const struct vidmm_shadow_operations *operations,
                           const struct vidmm_shadow_build *build)
{
    for (size_t i = 0; i < operations->count; i++)
        if (operations->items[i].allocation == build->allocation &&
            operations->items[i].task != build->task)
            return true;
    return false;
}

static bool in_other_buffer(const struct vidmm_shadow *shadow,
                            const struct vidmm_shadow_build *build, char *who, size_t size)
{
    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        const struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer == NULL || !has_other_task(&buffer->waiting, build))
            continue;
        snprintf(who, size, "an operation in the paging buffer at 0x%llx, not submitted yet",
                 (unsigned long long)buffer->base);
        return true;
    }
    return false;
}

static bool in_submission(const struct vidmm_shadow *shadow, const struct vidmm_shadow_build *build,
                          char *who, size_t size)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[i];
        for (size_t k = node->first; k < node->first + node->count; k++) {
            if (!has_other_task(&node->queue[k].operations, build))
                continue;
            snprintf(who, size, "a paging operation of fence 0x%x on node %u, not complete",
                     node->queue[k].fence, i);
            return true;
        }
    }
    return false;
}

bool vidmm_shadow_referenced(const struct vidmm_shadow *shadow,
                             const struct vidmm_shadow_build *build, char *who, size_t size)
{
    unsigned node;

    if (build->allocation == NULL)
        return false;
    node = vidmm_shadow_busy_node(shadow, build->allocation, VIDMM_SHADOW_NODES);
    if (node != VIDMM_SHADOW_NODES) {
        snprintf(who, size, "a DMA buffer on node %u, not complete", node);
        return true;
    }
    return build->allocation->operations > 0 &&
           (in_other_buffer(shadow, build, who, size) || in_submission(shadow, build, who, size));
}

/* ---- Users of a range ---- */

static bool meets(const struct vidmm_shadow_use *use, unsigned segment, uint64_t start,
                  uint64_t end)
{
    return use->segment == segment && use->start < end && start < use->end;
}

static const struct vidmm_shadow_operation *
operation_in(const struct vidmm_shadow_operations *operations, unsigned segment, uint64_t start,
             uint64_t end)
{
    for (size_t i = 0; i < operations->count; i++)
        if (meets(&operations->items[i].uses[0], segment, start, end) ||
            meets(&operations->items[i].uses[1], segment, start, end))
            return &operations->items[i];
    return NULL;
}

static bool used_by_buffers(const struct vidmm_shadow *shadow, unsigned segment, uint64_t start,
                            uint64_t end, char *who, size_t size)
{
    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        const struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer == NULL || operation_in(&buffer->waiting, segment, start, end) == NULL)
            continue;
        snprintf(who, size, "an operation in the paging buffer at 0x%llx, not submitted yet",
                 (unsigned long long)buffer->base);
        return true;
    }
    return false;
}

static bool used_by_submissions(const struct vidmm_shadow *shadow, unsigned segment, uint64_t start,
                                uint64_t end, char *who, size_t size)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[i];
        for (size_t k = node->first; k < node->first + node->count; k++) {
            const struct vidmm_shadow_submission *submission = &node->queue[k];
            bool buffer = meets(&submission->memory, segment, start, end);
            if (!buffer && operation_in(&submission->operations, segment, start, end) == NULL)
                continue;
            snprintf(who, size, "%s of fence 0x%x on node %u, not complete",
                     buffer ? "the buffer" : "a paging operation", submission->fence, i);
            return true;
        }
    }
    return false;
}

/* A DMA buffer in flight that references, through the aperture, what is mapped there: an eviction
 * may have left it mapped in one place, while it is referenced in another. */
static bool used_by_references(const struct vidmm_shadow *shadow, unsigned segment, uint64_t start,
                               uint64_t end, char *who, size_t size)
{
    const struct vidmm_ranges *ranges = &shadow->segments[segment].ranges;
    uint64_t base = shadow->segments[segment].base;
    const struct vidmm_owned_range *range;

    for (; (range = vidmm_ranges_meet(ranges, start, end)) != NULL; start = range->end) {
        uint64_t from = base + (range->start > start ? range->start : start);
        uint64_t to = base + (range->end < end ? range->end : end);
        const struct vidmm_shadow_allocation *owner = vidmm_shadow_allocation(shadow, range->owner);
        for (unsigned i = 0; owner != NULL && i < VIDMM_SHADOW_NODES; i++) {
            if (owner->last_use[i].aperture <= shadow->nodes[i].completed ||
                owner->last_use[i].to <= from || to <= owner->last_use[i].from)
                continue;
            snprintf(who, size, "a DMA buffer on node %u that references allocation 0x%llx there",
                     i, (unsigned long long)(uintptr_t)owner->handle);
            return true;
        }
        if (range->end >= end)
            break;
    }
    return false;
}

bool vidmm_shadow_in_use(const struct vidmm_shadow *shadow, unsigned segment, uint64_t start,
                         uint64_t end, char *who, size_t size)
{
    return vidmm_shadow_segment(shadow, segment) != NULL && start < end &&
           (used_by_buffers(shadow, segment, start, end, who, size) ||
            used_by_submissions(shadow, segment, start, end, who, size) ||
            used_by_references(shadow, segment, start, end, who, size));
}
