/*
 * shadow_work.c: packets that were patched, that were submitted, and that have ended.
 *
 * Invariants
 *  1. The queue of a node is in order of submission; serial numbers of what is not preempted rise.
 *  2. completed <= submitted for every node; a packet that is in the queue and not preempted has a
 *     serial number above `completed`.
 *  3. in_flight of a buffer is the number of submissions of it in all queues.
 */
#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi_completion.h>

#include "contract/shadow.h"

#include "wddm/level.h"

/* ---- Packets: patched and not submitted ---- */

struct vidmm_shadow_packet *vidmm_shadow_packet(struct vidmm_shadow *shadow, UINT fence)
{
    for (size_t i = 0; i < shadow->packet_count; i++)
        if (shadow->packets[i].patch.SubmissionFenceId == fence)
            return &shadow->packets[i];
    return NULL;
}

static void empty_packet(struct vidmm_shadow_packet *packet)
{
    for (size_t i = 0; i < packet->count; i++)
        vidmm_shadow_release(packet->references[i].allocation);
    packet->count = 0;
}

/* The array of references stays with the place, for the next packet. */
static void remove_packet(struct vidmm_shadow *shadow, struct vidmm_shadow_packet *packet)
{
    struct vidmm_shadow_packet *last = &shadow->packets[--shadow->packet_count];
    struct vidmm_shadow_packet removed = *packet;

    empty_packet(&removed);
    *packet = *last;
    *last = removed;
}

/* The instance that is where the element says; the first, if none is. */
static struct vidmm_shadow_allocation *instance_named(const struct vidmm_shadow *shadow,
                                                      struct vidmm_shadow_allocation *first,
                                                      const DXGK_ALLOCATIONLIST *entry)
{
    struct vidmm_shadow_allocation *one = vidmm_shadow_instance_at(
        shadow, first, entry->SegmentId, (uint64_t)entry->PhysicalAddress.QuadPart);

    return one == NULL ? first : one;
}

static void add_reference(struct vidmm_shadow *shadow, struct vidmm_shadow_packet *packet,
                          HANDLE device, const DXGK_ALLOCATIONLIST *entry, UINT index)
{
    struct vidmm_shadow_opening *opening;
    struct vidmm_shadow_reference *reference;

    if (!vidmm_shadow_grow(shadow, &packet->references, sizeof *packet->references, packet->count,
                           &packet->capacity))
        return;
    reference = &packet->references[packet->count++];
    *reference = (struct vidmm_shadow_reference){
        .index = index,
        .unbound = entry->hDeviceSpecificAllocation == NULL,
        .segment = entry->SegmentId,
        .address = (uint64_t)entry->PhysicalAddress.QuadPart,
        .write = entry->WriteOperation,
    };
    opening = vidmm_map_find(&shadow->openings, device, entry->hDeviceSpecificAllocation);
    reference->opened = opening != NULL;
    reference->allocation = vidmm_shadow_hold(
        opening == NULL ? NULL : instance_named(shadow, opening->allocation, entry));
    if (reference->allocation != NULL)
        reference->epoch = reference->allocation->epoch;
    else if (reference->opened)
        shadow->unknown_references++;
}

/* Name the elements that have to be in place for a whole buffer: those that patch locations name
 * (W-025), or all where the driver does without patch locations. */
static void name_references(const struct vidmm_shadow *shadow, struct vidmm_shadow_packet *packet)
{
    const DXGKARG_PATCH *patch = &packet->patch;
    DXGK_VIDSCHCAPS caps = {.Value = shadow->scheduling_caps};

    for (size_t i = 0; i < packet->count; i++)
        packet->references[i].named = caps.NoDmaPatching != 0;
    for (UINT i = 0; i < patch->PatchLocationListSize; i++)
        if (patch->pPatchLocationList[i].AllocationIndex < packet->count)
            packet->references[patch->pPatchLocationList[i].AllocationIndex].named = true;
}

/* A whole buffer uses its whole list; a part of one, what its patch locations name (D-086). */
static void add_references(struct vidmm_shadow *shadow, struct vidmm_shadow_packet *packet)
{
    const DXGKARG_PATCH *patch = &packet->patch;
    HANDLE device = vidmm_shadow_device_of(shadow, patch->hContext);
    UINT first = patch->PatchLocationListSubmissionStart;
    UINT count = patch->PatchLocationListSubmissionLength;

    if (patch->pAllocationList == NULL)
        return;
    if (first == 0 && count == patch->PatchLocationListSize) {
        for (UINT i = 0; i < patch->AllocationListSize && !shadow->lost; i++)
            add_reference(shadow, packet, device, &patch->pAllocationList[i], i);
        name_references(shadow, packet);
        return;
    }
    for (UINT i = 0; i < count && first + i < patch->PatchLocationListSize && !shadow->lost; i++) {
        UINT index = patch->pPatchLocationList[first + i].AllocationIndex;
        if (index >= patch->AllocationListSize)
            continue;
        add_reference(shadow, packet, device, &patch->pAllocationList[index], index);
        if (!shadow->lost)
            packet->references[packet->count - 1].named = true;
    }
}

struct vidmm_shadow_packet *vidmm_shadow_patch(struct vidmm_shadow *shadow,
                                               const DXGKARG_PATCH *patch)
{
    struct vidmm_shadow_packet *packet = vidmm_shadow_packet(shadow, patch->SubmissionFenceId);

    if (packet == NULL) {
        if (!vidmm_shadow_grow(shadow, &shadow->packets, sizeof *shadow->packets,
                               shadow->packet_count, &shadow->packet_capacity))
            return NULL;
        packet = &shadow->packets[shadow->packet_count++];
    }
    empty_packet(packet);
    packet->patch = *patch;
    add_references(shadow, packet);
    packet->patch.pAllocationList = NULL;
    packet->patch.pPatchLocationList = NULL;
    return packet;
}

/* ---- Submissions ---- */

static unsigned node_of(const struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command)
{
    const struct vidmm_shadow_context *context;

    if (shadow->level >= VIDMM_LEVEL(1, 2)) /* obeys D-320 */
        return command->NodeOrdinal < VIDMM_SHADOW_NODES ? command->NodeOrdinal : 0;
    if (command->hContext == NULL)
        return shadow->paging_node;
    context = vidmm_map_find(&shadow->contexts, NULL, command->hContext);
    return context == NULL ? 0 : context->node;
}

/* Without Patch the submission does not say which buffer it is of: the oldest that has
 * something. */
static struct vidmm_shadow_buffer *oldest_built(const struct vidmm_shadow *shadow)
{
    struct vidmm_shadow_buffer *oldest = NULL;

    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer != NULL && buffer->written > buffer->submitted &&
            (oldest == NULL || buffer->order < oldest->order))
            oldest = buffer;
    }
    return oldest == NULL ? shadow->building : oldest;
}

static struct vidmm_shadow_submission *find_preempted(struct vidmm_shadow_node *node, UINT fence)
{
    for (size_t i = node->first; i < node->first + node->count; i++)
        if (node->queue[i].preempted && node->queue[i].fence == fence)
            return &node->queue[i];
    return NULL;
}

static UINT oldest_preempted(const struct vidmm_shadow_node *node)
{
    for (size_t i = node->first; i < node->first + node->count; i++)
        if (node->queue[i].preempted)
            return node->queue[i].fence;
    return 0;
}

void vidmm_shadow_resolve_submit(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                                 struct vidmm_shadow_submit *submit)
{
    submit->node = node_of(shadow, command);
    submit->packet = vidmm_shadow_packet(shadow, command->SubmissionFenceId);
    submit->again =
        find_preempted(&shadow->nodes[submit->node], command->SubmissionFenceId) != NULL;
    submit->awaited = oldest_preempted(&shadow->nodes[submit->node]);
    submit->buffer = NULL;
    submit->switches = command->Flags.ContextSwitch != 0 && shadow->level >= VIDMM_LEVEL(1, 2);
    if (submit->switches)
        return;
    if (submit->packet != NULL)
        submit->buffer = vidmm_map_find(&shadow->buffers, NULL, submit->packet->patch.pDmaBuffer);
    else if (command->Flags.Paging)
        submit->buffer = oldest_built(shadow);
}

void vidmm_shadow_resolve_virtual(struct vidmm_shadow *shadow,
                                  const DXGKARG_SUBMITCOMMANDVIRTUAL *asked,
                                  DXGKARG_SUBMITCOMMAND *command,
                                  struct vidmm_shadow_submit *submit)
{
    const struct vidmm_shadow_buffer *buffer;

    *command = (DXGKARG_SUBMITCOMMAND){
        .hContext = asked->hContext,
        .Flags = asked->Flags,
        .SubmissionFenceId = asked->SubmissionFenceId,
        .EngineOrdinal = asked->EngineOrdinal,
        .NodeOrdinal = asked->NodeOrdinal,
        .DmaBufferSubmissionEndOffset = asked->DmaBufferSize,
        .DmaBufferPrivateDataSubmissionEndOffset = asked->DmaBufferPrivateDataSize,
    };
    vidmm_shadow_resolve_submit(shadow, command, submit);
    buffer = submit->buffer;
    if (buffer == NULL)
        return;
    command->DmaBufferSubmissionStartOffset = (UINT)buffer->submitted;
    command->DmaBufferSubmissionEndOffset += (UINT)buffer->submitted;
    command->DmaBufferPrivateDataSubmissionEndOffset += (UINT)buffer->private_submitted;
}

/* A place at the end of the queue, with whatever array its last user left there. */
static struct vidmm_shadow_submission *append(struct vidmm_shadow *shadow,
                                              struct vidmm_shadow_node *node)
{
    struct vidmm_shadow_submission *place;
    struct vidmm_shadow_operations operations;

    if (node->first + node->count == node->capacity && node->first > 0 &&
        node->first >= node->count) {
        for (size_t i = 0; i < node->count; i++) { /* exchange, so that no array is lost */
            struct vidmm_shadow_submission moved = node->queue[node->first + i];
            node->queue[node->first + i] = node->queue[i];
            node->queue[i] = moved;
        }
        node->first = 0;
    }
    if (!vidmm_shadow_grow(shadow, &node->queue, sizeof *node->queue, node->first + node->count,
                           &node->capacity))
        return NULL;
    place = &node->queue[node->first + node->count++];
    operations = place->operations;
    *place = (struct vidmm_shadow_submission){.operations = operations};
    place->operations.count = 0;
    return place;
}

/* Operations built up to `end` of the buffer now belong to the submission. */
static void take_operations(struct vidmm_shadow *shadow, struct vidmm_shadow_submission *submission,
                            struct vidmm_shadow_buffer *buffer, uint64_t end)
{
    struct vidmm_shadow_operations *to = &submission->operations, *from = &buffer->waiting;
    size_t taken = 0;

    while (taken < from->count && from->items[taken].end <= end) {
        if (!vidmm_shadow_grow(shadow, &to->items, sizeof *to->items, to->count, &to->capacity))
            return;
        to->items[to->count++] = from->items[taken++];
    }
    if (taken == 0)
        return;
    memmove(from->items, from->items + taken, (from->count - taken) * sizeof *from->items);
    from->count -= taken;
}

/* It is referenced through an aperture. */
static void use_aperture(const struct vidmm_shadow *shadow,
                         const struct vidmm_shadow_reference *reference, unsigned node,
                         uint64_t serial)
{
    struct vidmm_shadow_allocation *allocation = reference->allocation;
    uint64_t from = reference->address;
    uint64_t to = from + vidmm_shadow_span(shadow, allocation, reference->segment);
    bool more = allocation->last_use[node].aperture > shadow->nodes[node].completed;

    allocation->last_use[node].aperture = serial;
    if (!more || from < allocation->last_use[node].from)
        allocation->last_use[node].from = from;
    if (!more || to > allocation->last_use[node].to)
        allocation->last_use[node].to = to;
}

/* A use in the AGP aperture is none of the place that the shadow knows: no operation says what is
 * mapped there. */
static void use_references(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_packet *packet, unsigned node, uint64_t serial)
{
    for (size_t i = 0; i < packet->count; i++) {
        struct vidmm_shadow_allocation *allocation = packet->references[i].allocation;
        unsigned segment = packet->references[i].segment;

        if (allocation == NULL)
            continue;
        allocation->last_use[node].any = serial;
        if (segment != 0 && !vidmm_shadow_is_agp(shadow, segment))
            allocation->last_use[node].placed = serial;
        if (vidmm_shadow_is_aperture(shadow, segment))
            use_aperture(shadow, &packet->references[i], node, serial);
    }
}

/* The bytes that are executed, if they lie in a segment. */
static struct vidmm_shadow_use memory_of(const struct vidmm_shadow *shadow,
                                         const DXGKARG_SUBMITCOMMAND *command)
{
    const struct vidmm_shadow_segment *segment =
        vidmm_shadow_segment(shadow, command->DmaBufferSegmentId);
    uint64_t start;

    if (segment == NULL)
        return (struct vidmm_shadow_use){0};
    start = (uint64_t)command->DmaBufferPhysicalAddress.QuadPart - segment->base;
    return (struct vidmm_shadow_use){command->DmaBufferSegmentId,
                                     start + command->DmaBufferSubmissionStartOffset,
                                     start + command->DmaBufferSubmissionEndOffset};
}

static void submit_again(struct vidmm_shadow *shadow, struct vidmm_shadow_node *node, UINT fence)
{
    struct vidmm_shadow_submission *old = find_preempted(node, fence), *last;
    struct vidmm_shadow_submission submission = *old;

    for (last = &node->queue[node->first + node->count - 1]; old < last; old++)
        *old = old[1];
    submission.preempted = false;
    submission.serial = ++node->submitted;
    node->newest = fence;
    *last = submission;
    for (size_t i = 0; i < submission.operations.count; i++)
        vidmm_shadow_place_submitted(&submission.operations.items[i],
                                     (unsigned)(node - shadow->nodes), submission.serial);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* It has left the place that was told of it: who takes it away has been judged. */
static void forget_place(const struct vidmm_shadow_operation *operation)
{
    bool forgets = operation->leaves && operation->allocation != NULL;

    for (unsigned i = 0; forgets && i < VIDMM_SHADOW_NODES; i++)
        operation->allocation->last_use[i].placed = 0;
}

static void submit_paging(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                          struct vidmm_shadow_buffer *buffer, unsigned node,
                          struct vidmm_shadow_submission *submission)
{
    submission->buffer = buffer;
    buffer->in_flight++;
    buffer->fence = command->SubmissionFenceId;
    buffer->address = (uint64_t)command->DmaBufferPhysicalAddress.QuadPart;
    buffer->submitted = smaller(command->DmaBufferSubmissionEndOffset, buffer->written);
    buffer->private_submitted =
        smaller(command->DmaBufferPrivateDataSubmissionEndOffset, buffer->private_written);
    take_operations(shadow, submission, buffer, command->DmaBufferSubmissionEndOffset);
    for (size_t i = 0; i < submission->operations.count; i++) {
        vidmm_shadow_place_submitted(&submission->operations.items[i], node, submission->serial);
        forget_place(&submission->operations.items[i]);
    }
}

void vidmm_shadow_submit(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                         const struct vidmm_shadow_submit *submit)
{
    struct vidmm_shadow_node *node = &shadow->nodes[submit->node];
    struct vidmm_shadow_submission *submission;

    if (submit->again) {
        submit_again(shadow, node, command->SubmissionFenceId);
    } else {
        submission = append(shadow, node);
        if (submission == NULL)
            return;
        submission->fence = command->SubmissionFenceId;
        submission->serial = ++node->submitted;
        node->newest = submission->fence;
        submission->paging = !submit->switches && (command->Flags.Paging || submit->buffer != NULL);
        submission->memory = memory_of(shadow, command);
        if (submit->buffer != NULL)
            submit_paging(shadow, command, submit->buffer, submit->node, submission);
        if (submit->packet != NULL)
            use_references(shadow, submit->packet, submit->node, submission->serial);
    }
    vidmm_shadow_run(shadow, command, submit);
    if (submit->packet != NULL)
        remove_packet(shadow, submit->packet);
}

/* ---- The end of submissions ---- */

static void end_submission(struct vidmm_shadow_node *node,
                           struct vidmm_shadow_submission *submission)
{
    vidmm_shadow_operations_end(&submission->operations);
    if (submission->buffer != NULL)
        submission->buffer->in_flight--;
    node->history[node->remembered++ % VIDMM_SHADOW_HISTORY] = submission->fence;
}

static bool is_in_flight(const struct vidmm_shadow_node *node, UINT fence)
{
    for (size_t i = node->first; i < node->first + node->count; i++)
        if (!node->queue[i].preempted && node->queue[i].fence == fence)
            return true;
    return false;
}

enum vidmm_shadow_fence vidmm_shadow_fence(const struct vidmm_shadow *shadow, unsigned node,
                                           UINT fence)
{
    const struct vidmm_shadow_node *at;

    if (node >= VIDMM_SHADOW_NODES)
        return VIDMM_FENCE_UNKNOWN;
    at = &shadow->nodes[node];
    if (is_in_flight(at, fence))
        return VIDMM_FENCE_IN_FLIGHT;
    for (size_t i = 0; i < at->remembered && i < VIDMM_SHADOW_HISTORY; i++)
        if (at->history[i] == fence)
            return VIDMM_FENCE_COMPLETED;
    return VIDMM_FENCE_UNKNOWN;
}

/* A node completes in order: everything up to the fence id is done. A packet that was preempted and
 * has not come again was not in the hardware: it stays at the head of the queue. */
static void complete(struct vidmm_shadow *shadow, unsigned ordinal, UINT fence)
{
    struct vidmm_shadow_node *node;
    size_t end, kept;
    bool last = false;

    if (vidmm_shadow_fence(shadow, ordinal, fence) != VIDMM_FENCE_IN_FLIGHT)
        return;
    node = &shadow->nodes[ordinal];
    node->has_reported = true;
    node->reported = fence;
    for (end = node->first; !last && end < node->first + node->count; end++) {
        struct vidmm_shadow_submission *submission = &node->queue[end];
        if (submission->preempted)
            continue;
        last = submission->fence == fence;
        node->completed = submission->serial;
        end_submission(node, submission);
    }
    kept = end;
    for (size_t i = end; i-- > node->first;) {
        struct vidmm_shadow_submission submission = node->queue[i];
        if (!submission.preempted)
            continue;
        node->queue[i] = node->queue[--kept]; /* a slot keeps its memory */
        node->queue[kept] = submission;
    }
    node->count -= kept - node->first;
    node->first = kept;
}

/* Nothing is left in the hardware. Paging packets come again as they are; a DMA buffer, if it comes
 * again, is patched anew and has a new id. */
static void preempt(struct vidmm_shadow *shadow, unsigned ordinal)
{
    struct vidmm_shadow_node *node = &shadow->nodes[ordinal];
    size_t kept = 0, count = node->count;

    for (size_t i = 0; i < count; i++) {
        struct vidmm_shadow_submission submission = node->queue[node->first + i];
        if (!submission.paging) {
            end_submission(node, &node->queue[node->first + i]);
            continue;
        }
        submission.preempted = true;
        for (size_t k = 0; k < submission.operations.count; k++) {
            const struct vidmm_shadow_operation *operation = &submission.operations.items[k];
            if (operation->allocation != NULL && operation->epoch == operation->allocation->epoch)
                operation->allocation->placed.submitted = false;
        }
        node->queue[node->first + i] = node->queue[node->first + kept];
        node->queue[node->first + kept++] = submission;
    }
    node->count = kept;
    node->completed = node->submitted;
}

bool vidmm_shadow_is_idle(const struct vidmm_shadow *shadow, unsigned ordinal)
{
    const struct vidmm_shadow_node *node = &shadow->nodes[ordinal];

    for (size_t i = node->first; i < node->first + node->count; i++)
        if (!node->queue[i].preempted)
            return false;
    return true;
}

/* The packets before the one that has faulted are done; so is that one, if nothing has to be reset
 * for it (D-269). */
static void report_page_fault(struct vidmm_shadow *shadow,
                              const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    UINT flags = (UINT)data->DmaPageFaulted.PageFaultFlags, fence, ordinal, before;
    const struct vidmm_shadow_node *node;
    bool found = false;

    fence = before = data->DmaPageFaulted.FaultedFenceId;
    ordinal = data->DmaPageFaulted.NodeOrdinal;
    if ((flags & DXGK_PAGE_FAULT_FENCE_INVALID) != 0 || ordinal >= VIDMM_SHADOW_NODES)
        return;
    if ((flags & VIDMM_PAGE_FAULT_STOPS) == 0) {
        complete(shadow, ordinal, fence);
        return;
    }
    node = &shadow->nodes[ordinal];
    for (size_t i = node->first; i < node->first + node->count && node->queue[i].fence != fence;
         i++)
        if (!node->queue[i].preempted) {
            before = node->queue[i].fence;
            found = true;
        }
    if (found && vidmm_shadow_fence(shadow, ordinal, fence) == VIDMM_FENCE_IN_FLIGHT)
        complete(shadow, ordinal, before);
}

static void report_preemption(struct vidmm_shadow *shadow,
                              const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    complete(shadow, data->DmaPreempted.NodeOrdinal, data->DmaPreempted.LastCompletedFenceId);
    if (data->DmaPreempted.NodeOrdinal >= VIDMM_SHADOW_NODES)
        return;
    preempt(shadow, data->DmaPreempted.NodeOrdinal);
    shadow->nodes[data->DmaPreempted.NodeOrdinal].preempted = data->DmaPreempted.PreemptionFenceId;
}

/* Whether it is a report of what the display does. */
static bool is_of_display(DXGK_INTERRUPT_TYPE type)
{
    return type == DXGK_INTERRUPT_CRTC_VSYNC || type == DXGK_INTERRUPT_DISPLAYONLY_VSYNC ||
           type == DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY;
}

void vidmm_shadow_interrupt(struct vidmm_shadow *shadow, uint64_t run,
                            const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (run != shadow->run)
        shadow->display = 0;
    shadow->run = run;
    if (run != 0 && shadow->display == 0 && is_of_display(data->InterruptType))
        shadow->display = (INT)data->InterruptType;
    switch (data->InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        complete(shadow, data->DmaCompleted.NodeOrdinal, data->DmaCompleted.SubmissionFenceId);
        break;
    case DXGK_INTERRUPT_DMA_FAULTED:
        complete(shadow, data->DmaFaulted.NodeOrdinal, data->DmaFaulted.FaultedFenceId);
        break;
    case DXGK_INTERRUPT_DMA_PAGE_FAULTED:
        report_page_fault(shadow, data);
        break;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        report_preemption(shadow, data);
        break;
    default:
        break;
    }
}

static void reset_node(struct vidmm_shadow_node *node)
{
    for (; node->count > 0; node->count--)
        end_submission(node, &node->queue[node->first++]);
    node->completed = node->submitted;
    node->has_reported = false;
    node->was_reset = node->newest != 0;
    node->settled = node->newest;
}

/* Each allocation that stood in a segment is to be purged, each instance (D-239). */
static void purge_all(struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->allocations.capacity; i++) {
        struct vidmm_shadow_allocation *allocation = shadow->allocations.entries[i].value;

        for (; allocation != NULL; allocation = allocation->instance)
            allocation->purge_due = allocation->segment != 0;
    }
}

/* A map that is begun and not ended: nobody knows how many of its pages are there, so all are to be
 * unmapped. */
static void map_in_part(struct vidmm_shadow *shadow, const struct vidmm_shadow_pending *pending)
{
    unsigned id = pending->asked.MapApertureSegment.SegmentId;
    uint64_t start = pending->asked.MapApertureSegment.OffsetInPages * PAGE_SIZE, end;
    struct vidmm_ranges *ranges;

    if (!vidmm_shadow_is_map(&pending->asked) || !vidmm_shadow_is_aperture(shadow, id))
        return;
    ranges = &shadow->segments[id].ranges;
    end = start + pending->asked.MapApertureSegment.NumberOfPages * PAGE_SIZE;
    if (start < end && end <= shadow->segments[id].size &&
        vidmm_ranges_meet(ranges, start, end) == NULL &&
        !vidmm_ranges_set(ranges, start, end,
                          pending->allocation == NULL ? NULL : pending->allocation->key, 0))
        shadow->lost = true;
}

/* Operations that were built count as done, the others are given up. */
void vidmm_shadow_reset(struct vidmm_shadow *shadow)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++)
        reset_node(&shadow->nodes[i]);
    for (size_t i = 0; i < shadow->buffers.capacity; i++) {
        struct vidmm_shadow_buffer *buffer = shadow->buffers.entries[i].value;
        if (buffer == NULL)
            continue;
        vidmm_shadow_operations_end(&buffer->waiting);
        buffer->submitted = buffer->written;
    }
    while (shadow->packet_count > 0)
        remove_packet(shadow, &shadow->packets[0]);
    while (shadow->pending_count > 0) {
        map_in_part(shadow, &shadow->pending[--shadow->pending_count]);
        vidmm_shadow_release(shadow->pending[shadow->pending_count].allocation);
    }
    vidmm_shadow_release(shadow->transfer.allocation);
    shadow->transfer = (struct vidmm_shadow_transfer){0};
    purge_all(shadow);
}

void vidmm_shadow_reset_engine(struct vidmm_shadow *shadow, const DXGKARG_RESETENGINE *reset)
{
    if (reset->NodeOrdinal >= VIDMM_SHADOW_NODES)
        return;
    complete(shadow, reset->NodeOrdinal, reset->LastAbortedFenceId);
    preempt(shadow, reset->NodeOrdinal);
    shadow->nodes[reset->NodeOrdinal].has_reported = false;
    shadow->nodes[reset->NodeOrdinal].was_reset = true;
    shadow->nodes[reset->NodeOrdinal].settled = reset->LastAbortedFenceId;
}
