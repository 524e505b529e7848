/*
 * shadow_context.c: allocations that the KMD makes for its contexts, and which context a node runs.
 *
 *     DxgkCbCreateContextAllocation     handles of the kernel: hDevice, hContext
 *     CreateDevice, CreateContext       at entry the kernel's handle, at return the KMD's: they are
 *                                       one
 *     SubmitCommand                     the KMD's: its allocations have to be in place
 *
 * Between CreateDevice and its return only the kernel's handle is known; so an allocation keeps
 * that.
 *
 * Invariant
 *  1. Each record in `context_allocations` is in `allocations` too, and in neither twice.
 */
#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi_callback.h>

#include "contract/shadow.h"

void vidmm_shadow_create_context_allocation(struct vidmm_shadow *shadow,
                                            const DXGKARGCB_CREATECONTEXTALLOCATION *create)
{
    DXGK_ALLOCATIONINFO info = {.Size = create->Size,
                                .SupportedReadSegmentSet = create->SupportedSegmentSet,
                                .SupportedWriteSegmentSet = create->SupportedSegmentSet,
                                .EvictionSegmentSet = create->EvictionSegmentSet,
                                .Flags = create->Flags,
                                .hAllocation = create->hDriverAllocation};
    const DXGKARG_CREATEALLOCATION one = {.NumAllocations = 1, .pAllocationInfo = &info};
    struct vidmm_shadow_allocation *allocation;

    if (!vidmm_shadow_grow(shadow, &shadow->context_allocations,
                           sizeof *shadow->context_allocations, shadow->context_allocation_count,
                           &shadow->context_allocation_capacity))
        return;
    vidmm_shadow_create_allocation(shadow, &one);
    allocation = vidmm_shadow_allocation(shadow, create->hDriverAllocation);
    if (allocation == NULL)
        return;
    allocation->context.is = true;
    allocation->context.kernel_handle = create->hAllocation;
    allocation->context.device = create->hDevice;
    allocation->context.context =
        create->ContextAllocationFlags.SharedAcrossContexts ? NULL : create->hContext;
    shadow->context_allocations[shadow->context_allocation_count++] = vidmm_shadow_hold(allocation);
}

void vidmm_shadow_destroy_context_allocation(struct vidmm_shadow *shadow, HANDLE kernel_handle)
{
    for (size_t i = 0; i < shadow->context_allocation_count; i++) {
        struct vidmm_shadow_allocation *allocation = shadow->context_allocations[i];
        DXGKARG_DESTROYALLOCATION destroy = {.NumAllocations = 1,
                                             .pAllocationList = &allocation->handle};

        if (allocation->context.kernel_handle != kernel_handle)
            continue;
        shadow->context_allocations[i] =
            shadow->context_allocations[--shadow->context_allocation_count];
        vidmm_shadow_destroy_allocation(shadow, &destroy);
        vidmm_shadow_release(allocation);
        return;
    }
}

bool vidmm_shadow_belongs_to(const struct vidmm_shadow *shadow,
                             const struct vidmm_shadow_allocation *allocation, HANDLE context)
{
    const struct vidmm_shadow_context *of = vidmm_map_find(&shadow->contexts, NULL, context);
    HANDLE device = vidmm_shadow_device_of(shadow, context);

    if (!allocation->context.is || device == NULL)
        return false;
    if (allocation->context.context != NULL)
        return of != NULL && of->kernel_handle == allocation->context.context;
    return vidmm_map_find(&shadow->kernel_devices, NULL, device) == allocation->context.device;
}

unsigned vidmm_shadow_running_node(const struct vidmm_shadow *shadow,
                                   const struct vidmm_shadow_allocation *allocation)
{
    for (unsigned i = 0; allocation->context.is && i < VIDMM_SHADOW_NODES; i++)
        if (shadow->nodes[i].running != NULL &&
            vidmm_shadow_belongs_to(shadow, allocation, shadow->nodes[i].running))
            return i;
    return VIDMM_SHADOW_NODES;
}

unsigned vidmm_shadow_node_that_used(const struct vidmm_shadow *shadow,
                                     const struct vidmm_shadow_allocation *allocation)
{
    for (unsigned i = 0; !allocation->context.is && i < VIDMM_SHADOW_NODES; i++) {
        const struct vidmm_shadow_node *node = &shadow->nodes[i];

        if (node->running != NULL && !node->inside && allocation->last_use[i].placed >= node->since)
            return i;
    }
    return VIDMM_SHADOW_NODES;
}

/* Whether the packet is not the end of its DMA buffer. */
static bool is_inside(const struct vidmm_shadow_packet *packet)
{
    const DXGKARG_PATCH *patch = packet == NULL ? NULL : &packet->patch;

    return patch != NULL &&
           patch->PatchLocationListSubmissionStart + patch->PatchLocationListSubmissionLength <
               patch->PatchLocationListSize;
}

void vidmm_shadow_run(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                      const struct vidmm_shadow_submit *submit)
{
    struct vidmm_shadow_node *node = &shadow->nodes[submit->node];

    if (submit->switches) {
        node->running = NULL;
        node->inside = false;
        return;
    }
    if (command->Flags.Paging || submit->buffer != NULL)
        return; /* belongs to no context */
    if (node->running != command->hContext)
        node->since = node->submitted;
    node->running = command->hContext;
    node->inside = is_inside(submit->packet);
    for (size_t i = 0; i < shadow->context_allocation_count; i++)
        if (vidmm_shadow_belongs_to(shadow, shadow->context_allocations[i], command->hContext))
            shadow->context_allocations[i]->last_use[submit->node].any = node->submitted;
}

void vidmm_shadow_stop_running(struct vidmm_shadow *shadow, unsigned node)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++)
        if (i == node || node == VIDMM_SHADOW_NODES)
            shadow->nodes[i].running = NULL;
    for (size_t i = 0; node == VIDMM_SHADOW_NODES && i < shadow->context_allocation_count; i++)
        shadow->context_allocations[i]->context.may_be_lost = true;
}

void vidmm_shadow_forget_context(struct vidmm_shadow *shadow, HANDLE context)
{
    for (unsigned i = 0; i < VIDMM_SHADOW_NODES; i++)
        if (shadow->nodes[i].running == context)
            shadow->nodes[i].running = NULL;
}
