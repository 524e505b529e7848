/* check_context.c: the rules of paging-context.def. */
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"

enum { GDI_LIST = 256 };

CHECKER(D_329)
{
    const DXGKARG_CREATECONTEXT *create = VIDMM_EVENT_ARGUMENT(event, DXGKARG_CREATECONTEXT);

    if (event->record->returned && event->record->status == STATUS_SUCCESS &&
        create->Flags.GdiContext && create->ContextInfo.AllocationListSize != GDI_LIST)
        BREACH(event, D_329, "AllocationListSize of a context with GdiContext is %u",
               create->ContextInfo.AllocationListSize);
}

/* The segments of the set that are apertures alone. */
static bool is_in_apertures_alone(const struct vidmm_shadow *shadow, uint32_t set)
{
    for (unsigned id = 1; id <= shadow->segment_count; id++)
        if ((set >> (id - 1) & 1) != 0 && !vidmm_shadow_is_aperture(shadow, id))
            return false;
    return set != 0;
}

static void check_address(const struct vidmm_audit_event *event,
                          const struct vidmm_shadow_allocation *allocation)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    bool may = flags.CpuVisible && flags.Protected &&
               is_in_apertures_alone(event->shadow, allocation->read_set);
    const void *address = event->build.asked->InitContextResource.Destination.VirtualAddress;

    if (address != NULL && !may)
        BREACH(event, D_137,
               "VirtualAddress 0x%llx, but it is not CpuVisible and Protected and in "
               "apertures alone",
               (unsigned long long)(uintptr_t)address);
    if (address == NULL && may)
        BREACH(event, D_137,
               "no VirtualAddress, though it is CpuVisible, Protected and in "
               "apertures alone");
}

CHECKER(D_137)
{
    const struct vidmm_shadow_allocation *allocation = event->build.allocation;

    if (event->record->returned ||
        event->build.asked->Operation != DXGK_OPERATION_INIT_CONTEXT_RESOURCE)
        return;
    if (allocation == NULL || !allocation->context.is) {
        BREACH(event, D_137, "hAllocation 0x%llx is no context allocation",
               (unsigned long long)(uintptr_t)event->build.handle);
        return;
    }
    if (event->build.destination.segment == 0 && event->build.destination.mdl == NULL)
        BREACH(event, D_137, "neither a segment nor an MDL");
    if (allocation->context.made && !allocation->context.may_be_lost && !event->build.repeats)
        BREACH(event, D_137, "it has content, which is lost by that");
    check_address(event, allocation);
}

/* ---- residency ---- */

/* Whether what is before it on its own node, or was complete, brings it there with content. */
static void check_resident(const struct vidmm_audit_event *event,
                           const struct vidmm_shadow_allocation *allocation)
{
    if (vidmm_shadow_segment(event->shadow, allocation->segment) == NULL)
        BREACH(event, D_138, "context allocation 0x%llx is in no segment",
               (unsigned long long)(uintptr_t)allocation->handle);
    else if (!allocation->context.made)
        BREACH(event, D_138, "context allocation 0x%llx has never got content",
               (unsigned long long)(uintptr_t)allocation->handle);
    else if (!allocation->placed.submitted ||
             (allocation->placed.node != event->submit.node &&
              !vidmm_shadow_done(event->shadow, &allocation->placed)))
        BREACH(event, D_138, "what brings context allocation 0x%llx there goes on",
               (unsigned long long)(uintptr_t)allocation->handle);
}

static void check_submission(const struct vidmm_audit_event *event)
{
    const DXGKARG_SUBMITCOMMAND *command = VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMAND);
    const struct vidmm_shadow *shadow = event->shadow;

    if (command->Flags.Paging || event->submit.switches || event->submit.buffer != NULL)
        return;
    for (size_t i = 0; i < shadow->context_allocation_count; i++)
        if (vidmm_shadow_belongs_to(shadow, shadow->context_allocations[i], command->hContext))
            check_resident(event, shadow->context_allocations[i]);
}

/* Whether the call takes its allocation away from where it is. */
static bool takes_away(const struct vidmm_shadow_build *build)
{
    switch (build->asked->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return build->source.segment != 0 && build->source.segment == build->allocation->segment;
    case DXGK_OPERATION_DISCARD_CONTENT:
        return build->allocation->segment != 0;
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return build->destination.segment == build->allocation->segment;
    default:
        return false;
    }
}

CHECKER(D_138)
{
    unsigned node;

    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_SUBMIT_COMMAND) {
        check_submission(event);
        return;
    }
    if (event->build.allocation == NULL || !takes_away(&event->build))
        return;
    node = vidmm_shadow_running_node(event->shadow, event->build.allocation);
    if (node != VIDMM_SHADOW_NODES)
        BREACH(event, D_138, "it leaves segment %u, and node %u still runs its context",
               event->build.allocation->segment, node);
}
