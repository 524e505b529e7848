/* render.c: command buffers of WDDM 1.x.
 *
 *     CreateContext --> a command buffer and an allocation list, of the context, in our memory
 *     the program writes commands and handles there
 *     Render        --> handles -> allocations, vidmm_render(); the driver has made a DMA buffer of
 *                       it when this returns, so the program writes into the same memory again
 *
 * Source: D3DKMT_CREATECONTEXT, D3DKMT_RENDER.
 */
#include "thunk/render.h"

#include <stdlib.h>

#include <vidmm/adapter.h>
#include <vidmm/caps.h>
#include <wddm/d3dkmthk_submit.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

struct vidmm_command_room {
    struct vidmm_context_room sizes;
    D3DDDI_ALLOCATIONLIST *list;
    unsigned char command[];
};

struct vidmm_command_room *vidmm_command_room_create(const struct vidmm_context *context)
{
    struct vidmm_context_room sizes;
    struct vidmm_command_room *room;

    vidmm_context_get_room(context, &sizes);
    room = calloc(1, sizeof(*room) + sizes.command_size);
    if (room == NULL)
        return NULL;
    room->sizes = sizes;
    room->list = calloc(sizes.allocations + (size_t)1, sizeof(*room->list));
    if (room->list == NULL) {
        free(room);
        return NULL;
    }
    return room;
}

void vidmm_command_room_destroy(struct vidmm_command_room *room)
{
    if (room == NULL)
        return;
    free(room->list);
    free(room);
}

void vidmm_command_room_answer(struct vidmm_command_room *room, D3DKMT_CREATECONTEXT *arguments)
{
    arguments->pCommandBuffer = room->command;
    arguments->CommandBufferSize = room->sizes.command_size;
    arguments->pAllocationList = room->list;
    arguments->AllocationListSize = room->sizes.allocations;
    arguments->pPatchLocationList = NULL;
    arguments->PatchLocationListSize = 0;
}

/* ---- render ---------------------------------------------------------------------------------- */

/* The driver finds the places that are to be patched; a list of the program's does not reach it. */
static NTSTATUS check_built(const D3DKMT_RENDER *arguments)
{
    const struct {
        bool is_set;
        const char *name;
    } unbuilt[] = {
        {arguments->Flags.ResizeCommandBuffer, "Flags.ResizeCommandBuffer"},
        {arguments->Flags.ResizeAllocationList, "Flags.ResizeAllocationList"},
        {arguments->Flags.ResizePatchLocationList, "Flags.ResizePatchLocationList"},
        {arguments->Flags.NullRendering, "Flags.NullRendering"},
        {arguments->Flags.PresentRedirected, "Flags.PresentRedirected"},
        {arguments->Flags.RenderKm, "Flags.RenderKm"},
        {arguments->Flags.RenderKmReadback, "Flags.RenderKmReadback"},
        {arguments->PatchLocationCount != 0, "PatchLocationCount above 0"},
        {arguments->BroadcastContextCount != 0, "BroadcastContextCount above 0"},
    };

    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++)
        if (unbuilt[i].is_set) {
            vidmm_thunk_refuse("%s is not built", unbuilt[i].name);
            return STATUS_NOT_SUPPORTED;
        }
    return STATUS_SUCCESS;
}

static NTSTATUS check_sizes(const struct vidmm_command_room *room, const D3DKMT_RENDER *arguments)
{
    uint32_t size = room->sizes.command_size;

    if (arguments->CommandOffset > size)
        return vidmm_thunk_refuse("CommandOffset is %u; expected 0 to %u", arguments->CommandOffset,
                                  (unsigned)size);
    if (arguments->CommandLength == 0 || arguments->CommandLength > size - arguments->CommandOffset)
        return vidmm_thunk_refuse("CommandLength is %u; expected 1 to %u", arguments->CommandLength,
                                  (unsigned)(size - arguments->CommandOffset));
    if (arguments->AllocationCount > room->sizes.allocations)
        return vidmm_thunk_refuse("AllocationCount is %u; expected 0 to %u",
                                  arguments->AllocationCount, (unsigned)room->sizes.allocations);
    return STATUS_SUCCESS;
}

/* A command buffer under way: the context is the first that is held. */
struct rendering {
    struct vidmm_thunk_object **held;
    uint32_t held_count;
    struct vidmm_render_reference *references;
};

/* Inside: hold what element `index` of the list names. */
static NTSTATUS refer(struct vidmm_thunk_process *process, const struct vidmm_thunk_object *context,
                      uint32_t index, struct rendering *rendering)
{
    D3DDDI_ALLOCATIONLIST element = context->room->list[index];
    struct vidmm_thunk_object *object;

    if (element.Reserved != 0)
        return vidmm_thunk_refuse("element %u of the allocation list has reserved bits set",
                                  (unsigned)index);
    if (element.DoNotRetireInstance) {
        vidmm_thunk_refuse("DoNotRetireInstance of element %u is not built", (unsigned)index);
        return STATUS_NOT_SUPPORTED;
    }
    if (element.hAllocation == 0)
        return STATUS_SUCCESS;
    object = vidmm_thunk_find(process, element.hAllocation, VIDMM_THUNK_ALLOCATION,
                              "an element of the allocation list");
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_thunk_hold(process, object);
    rendering->held[rendering->held_count++] = object;
    rendering->references[index] =
        (struct vidmm_render_reference){object->of, element.WriteOperation, element.OfferPriority};
    return STATUS_SUCCESS;
}

/* Enter, find and hold the context and all that the list names, leave. */
static NTSTATUS hold_all(struct vidmm_thunk_process *process, const D3DKMT_RENDER *arguments,
                         struct rendering *rendering)
{
    struct vidmm_thunk_object *context;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    vidmm_thunk_enter(process);
    context = vidmm_thunk_find(process, arguments->hContext, VIDMM_THUNK_CONTEXT, "hContext");
    if (context != NULL && context->room == NULL) {
        vidmm_thunk_refuse("hContext is 0x%x, which has no command buffer: it submits at addresses",
                           arguments->hContext);
        context = NULL;
    }
    if (context != NULL)
        status = check_sizes(context->room, arguments);
    if (status == STATUS_SUCCESS) {
        size_t room = arguments->AllocationCount + (size_t)1;

        rendering->held = calloc(room, sizeof(struct vidmm_thunk_object *));
        rendering->references = calloc(room, sizeof(*rendering->references));
        if (rendering->held == NULL || rendering->references == NULL)
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_SUCCESS) {
        vidmm_thunk_hold(process, context);
        rendering->held[rendering->held_count++] = context;
    }
    for (UINT i = 0; i < arguments->AllocationCount && status == STATUS_SUCCESS; i++)
        status = refer(process, context, i, rendering);
    vidmm_thunk_leave(process);
    return status;
}

static void finish(struct vidmm_thunk_process *process, struct rendering *rendering)
{
    while (rendering->held_count > 0)
        vidmm_thunk_let_go(process, rendering->held[--rendering->held_count]);
    free(rendering->held);
    free(rendering->references);
}

NTSTATUS vidmm_thunk_Render(struct vidmm_thunk_process *process, D3DKMT_RENDER *arguments)
{
    struct rendering rendering = {0};
    const struct vidmm_command_room *room;
    uint64_t value = 0;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_built(arguments);
    if (status == STATUS_SUCCESS)
        status = hold_all(process, arguments, &rendering);
    if (status == STATUS_SUCCESS) {
        struct vidmm_context *context = rendering.held[0]->of;

        room = rendering.held[0]->room;
        status = vidmm_render(context, room->command + arguments->CommandOffset,
                              arguments->CommandLength, rendering.references,
                              arguments->AllocationCount, true, &value, vidmm_thunk_report());
        if (status == STATUS_SUCCESS) {
            arguments->pNewCommandBuffer = (void *)(uintptr_t)room->command;
            arguments->NewCommandBufferSize = room->sizes.command_size;
            arguments->pNewAllocationList = room->list;
            arguments->NewAllocationListSize = room->sizes.allocations;
            arguments->pNewPatchLocationList = NULL;
            arguments->NewPatchLocationListSize = 0;
            arguments->QueuedBufferCount = (ULONG)(value - vidmm_context_completed(context));
        }
    }
    finish(process, &rendering);
    return status;
}
