/* check_multipass.c: the rules of multipass.def. */
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"

/* Somebody still reads the buffer that is handed out as new. */
static void check_new_buffer(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_build *build = &event->build;

    if (build->where == VIDMM_BUFFER_FRESH && build->buffer != NULL && build->buffer->in_flight > 0)
        BREACH(event, S4_012, "the buffer is used by %u submissions, the last with fence 0x%x",
               build->buffer->in_flight, build->buffer->fence);
    if (build->repeats && build->before.answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER &&
        build->where != VIDMM_BUFFER_FRESH && build->buffer->order == build->before.order)
        BREACH(event, S4_012, "the same buffer, in which there was too little room");
}

/* An operation that ran out of room is not given up for another one of its allocation. */
static void check_same_operation(const struct vidmm_audit_event *event)
{
    const struct vidmm_shadow_build *build = &event->build;
    const struct vidmm_shadow *shadow = event->shadow;

    if (build->repeats && !build->same_members)
        BREACH(event, S4_012, "asked for again with other members");
    for (size_t i = 0; !build->repeats && i < shadow->pending_count; i++) {
        const struct vidmm_shadow_pending *pending = &shadow->pending[i];
        if (build->allocation != NULL && pending->allocation == build->allocation &&
            pending->answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
            BREACH(event, S4_012, "operation %d of this allocation is not asked for again",
                   (int)pending->asked.Operation);
    }
}

static void check_destroyed(const struct vidmm_audit_event *event)
{
    const DXGKARG_DESTROYALLOCATION *destroy =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_DESTROYALLOCATION);
    const struct vidmm_shadow *shadow = event->shadow;

    for (size_t i = 0; i < shadow->pending_count; i++) {
        const struct vidmm_shadow_pending *pending = &shadow->pending[i];
        for (UINT k = 0; pending->allocation != NULL && k < destroy->NumAllocations; k++)
            if (pending->allocation->handle == destroy->pAllocationList[k] &&
                pending->answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
                BREACH(event, S4_012, "operation %d of allocation 0x%llx is begun and not ended",
                       (int)pending->asked.Operation, HEX(pending->allocation->handle));
    }
}

CHECKER(S4_012)
{
    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_DESTROY_ALLOCATION) {
        check_destroyed(event);
        return;
    }
    check_new_buffer(event);
    check_same_operation(event);
}

CHECKER(S4_013)
{
    const struct vidmm_map *buffers = &event->shadow->buffers;
    const struct vidmm_shadow_buffer *this_one = event->submit.buffer;

    if (event->record->returned || this_one == NULL || event->submit.again)
        return;
    for (size_t i = 0; i < buffers->capacity; i++) {
        const struct vidmm_shadow_buffer *buffer = buffers->entries[i].value;
        if (buffer != NULL && buffer->order < this_one->order &&
            buffer->written > buffer->submitted)
            BREACH(event, S4_013, "the buffer at 0x%llx, filled before, is not submitted yet",
                   (unsigned long long)buffer->base);
    }
}

CHECKER(S4_015)
{
    if (!event->record->returned && !event->build.repeats &&
        event->build.asked->MultipassOffset != 0)
        BREACH(event, S4_015, "it is 0x%x", event->build.asked->MultipassOffset);
}

CHECKER(S4_016)
{
    const struct vidmm_shadow_build *build = &event->build;

    if (!event->record->returned && build->repeats &&
        build->asked->MultipassOffset != build->before.asked.MultipassOffset)
        BREACH(event, S4_016, "it is 0x%x, the driver left 0x%x", build->asked->MultipassOffset,
               build->before.asked.MultipassOffset);
}
