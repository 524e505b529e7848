/* context.c: contexts, and the commands that a program has written at a GPU virtual address. */
#include <stdbool.h>

#include <vidmm/adapter.h>
#include <vidmm/caps.h>
#include <vidmm/hw_queue.h>
#include <wddm/d3dkmthk_submit.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/render.h"
#include "thunk/semaphore.h"
#include "thunk/submission.h"
#include "thunk/sync.h"

/* A context has a node; with page tables a program chooses of a link which of its GPUs run it. */
static NTSTATUS check_new(const D3DKMT_CREATECONTEXTVIRTUAL *wish,
                          const struct vidmm_adapter_caps *caps)
{
    UINT every = caps->page_tables ? (1u << caps->physical_adapters) - 1 : 1;

    if ((wish->EngineAffinity & ~every) != 0)
        return vidmm_thunk_refuse("EngineAffinity is 0x%x; expected 0 to 0x%x, a bit for each "
                                  "physical adapter%s",
                                  wish->EngineAffinity, every,
                                  caps->page_tables ? "" : " that can be chosen");
    if (wish->pPrivateDriverData == NULL && wish->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  wish->PrivateDriverDataSize);
    return STATUS_SUCCESS;
}

/* Make an object for a context. `older`: the older form, which gets memory for its commands where
 * the driver takes them; NULL: the newer one. */
static NTSTATUS add_context(struct vidmm_thunk_process *process, struct vidmm_thunk_object *device,
                            struct vidmm_context *context, D3DKMT_CREATECONTEXT *older,
                            D3DKMT_HANDLE *handle)
{
    struct vidmm_command_room *room = NULL;
    struct vidmm_thunk_object *object;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(((struct vidmm_thunk_adapter *)device->parent->of)->adapter, &caps);
    if (older != NULL && !caps.page_tables) {
        room = vidmm_command_room_create(context);
        if (room == NULL)
            return STATUS_NO_MEMORY;
    }
    status = vidmm_thunk_add(process, device, VIDMM_THUNK_CONTEXT, context, &object);
    if (status != STATUS_SUCCESS) {
        vidmm_command_room_destroy(room);
        return status;
    }
    object->room = room;
    if (room != NULL)
        vidmm_command_room_answer(room, older);
    *handle = object->handle;
    vidmm_thunk_show(process, object);
    return status;
}

/* A context for hardware queues is of one GPU: links have none. */
static NTSTATUS create_in_manager(struct vidmm_device *device,
                                  const D3DKMT_CREATECONTEXTVIRTUAL *wish, bool chooses,
                                  struct vidmm_context **context)
{
    if (wish->Flags.HwQueueSupported)
        return vidmm_hw_context_create(device, wish->NodeOrdinal, wish->pPrivateDriverData,
                                       wish->PrivateDriverDataSize, context, vidmm_thunk_report());
    return vidmm_context_create_on(device, wish->NodeOrdinal, chooses ? wish->EngineAffinity : 0,
                                   wish->pPrivateDriverData, wish->PrivateDriverDataSize, context,
                                   vidmm_thunk_report());
}

/* Both forms. */
static NTSTATUS create_context(struct vidmm_thunk_process *process,
                               D3DKMT_CREATECONTEXTVIRTUAL *wish, D3DKMT_CREATECONTEXT *older)
{
    struct vidmm_thunk_object *device =
        vidmm_thunk_find_and_hold(process, wish->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    struct vidmm_adapter_caps caps;
    struct vidmm_context *context;
    NTSTATUS status;

    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_get_caps(((struct vidmm_thunk_adapter *)device->parent->of)->adapter, &caps);
    status = check_new(wish, &caps);
    if (status == STATUS_SUCCESS)
        status = create_in_manager(device->of, wish, caps.page_tables, &context);
    if (status == STATUS_SUCCESS) {
        status = add_context(process, device, context, older, &wish->hContext);
        if (status != STATUS_SUCCESS)
            vidmm_context_destroy(context);
    }
    vidmm_thunk_let_go(process, device);
    return status;
}

NTSTATUS vidmm_thunk_CreateContext(struct vidmm_thunk_process *process,
                                   D3DKMT_CREATECONTEXT *arguments)
{
    D3DKMT_CREATECONTEXTVIRTUAL wish;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    wish = (D3DKMT_CREATECONTEXTVIRTUAL){.hDevice = arguments->hDevice,
                                         .NodeOrdinal = arguments->NodeOrdinal,
                                         .EngineAffinity = arguments->EngineAffinity,
                                         .pPrivateDriverData = arguments->pPrivateDriverData,
                                         .PrivateDriverDataSize = arguments->PrivateDriverDataSize};
    status = create_context(process, &wish, arguments);
    if (status == STATUS_SUCCESS)
        arguments->hContext = wish.hContext;
    return status;
}

NTSTATUS vidmm_thunk_CreateContextVirtual(struct vidmm_thunk_process *process,
                                          D3DKMT_CREATECONTEXTVIRTUAL *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return create_context(process, arguments, NULL);
}

/* Its own fences, for what its queue came to: sync_wait.c. */
static void destroy_own_fences(struct vidmm_thunk_process *process,
                               const struct vidmm_thunk_object *context)
{
    const struct vidmm_thunk_object *child = vidmm_thunk_child(process, context, VIDMM_THUNK_SYNC);
    const struct vidmm_thunk_sync *own;

    if (child == NULL)
        return;
    own = child->of;
    vidmm_fence_destroy(own->fence);
    vidmm_fence_destroy(own->grants);
}

/* A wait in its queue is over, for a mutex too, which it does not get. */
NTSTATUS vidmm_thunk_DestroyContext(struct vidmm_thunk_process *process,
                                    D3DKMT_DESTROYCONTEXT *arguments)
{
    struct vidmm_thunk_object *context;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    context = vidmm_thunk_remove(process, arguments->hContext, VIDMM_THUNK_CONTEXT, "hContext");
    if (context == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_turns_forget(process->semaphores, context->parent->of, context->of);
    vidmm_context_destroy(context->of);
    destroy_own_fences(process, context);
    vidmm_thunk_forget(process, context);
    return STATUS_SUCCESS;
}

/* ---- submission ------------------------------------------------------------------------------ */

static NTSTATUS check_submission(const D3DKMT_SUBMITCOMMAND *arguments)
{
    if (arguments->BroadcastContextCount == 0 || /* obeys D-091 */
        arguments->BroadcastContextCount > D3DDDI_MAX_BROADCAST_CONTEXT)
        return vidmm_thunk_refuse("BroadcastContextCount is %u; expected 1 to %d",
                                  arguments->BroadcastContextCount, D3DDDI_MAX_BROADCAST_CONTEXT);
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    if (arguments->NumHistoryBuffers != 0)
        return vidmm_thunk_refuse("NumHistoryBuffers is %u; this version takes none",
                                  arguments->NumHistoryBuffers);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_SubmitCommand(struct vidmm_thunk_process *process,
                                   D3DKMT_SUBMITCOMMAND *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_submission(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    return vidmm_thunk_submit(process, &(struct vidmm_thunk_submission){
                                           .queues = arguments->BroadcastContext,
                                           .queue_count = arguments->BroadcastContextCount,
                                           .type = VIDMM_THUNK_CONTEXT,
                                           .member = "an element of BroadcastContext",
                                           .address = arguments->Commands,
                                           .length = arguments->CommandLength,
                                           .private_data = arguments->pPrivateDriverData,
                                           .private_data_size = arguments->PrivateDriverDataSize,
                                           .primaries = arguments->WrittenPrimaries,
                                           .primary_count = arguments->NumPrimaries});
}
