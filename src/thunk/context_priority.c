/* context_priority.c: how urgent the work of a context is, in the program's own words.
 *
 * The priorities are kept and answered. The manager submits in order of arrival, so no work passes
 * other work for them.
 *
 * Source: D3DKMTSetContextSchedulingPriority, D3DKMTSetContextInProcessSchedulingPriority; the
 * levels -7 to 7 are those of IDXGIDevice::SetGPUThreadPriority.
 */
#include <wddm/d3dkmthk_submit.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

enum { HIGHEST = 7 };

static NTSTATUS set(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle, INT priority,
                    bool in_process)
{
    struct vidmm_thunk_object *context;

    vidmm_thunk_enter(process);
    context = vidmm_thunk_find(process, handle, VIDMM_THUNK_CONTEXT, "hContext");
    if (context != NULL)
        atomic_store(in_process ? &context->in_process_priority : &context->priority, priority);
    vidmm_thunk_leave(process);
    return context != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS get(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle, INT *priority,
                    bool in_process)
{
    struct vidmm_thunk_object *context;

    vidmm_thunk_enter(process);
    context = vidmm_thunk_find(process, handle, VIDMM_THUNK_CONTEXT, "hContext");
    if (context != NULL)
        *priority = atomic_load(in_process ? &context->in_process_priority : &context->priority);
    vidmm_thunk_leave(process);
    return context != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

NTSTATUS
vidmm_thunk_SetContextSchedulingPriority(struct vidmm_thunk_process *process,
                                         D3DKMT_SETCONTEXTSCHEDULINGPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Priority < -HIGHEST || arguments->Priority > HIGHEST)
        return vidmm_thunk_refuse("Priority is %d; expected %d to %d", arguments->Priority,
                                  -HIGHEST, HIGHEST);
    return set(process, arguments->hContext, arguments->Priority, false);
}

NTSTATUS
vidmm_thunk_GetContextSchedulingPriority(struct vidmm_thunk_process *process,
                                         D3DKMT_GETCONTEXTSCHEDULINGPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return get(process, arguments->hContext, &arguments->Priority, false);
}

NTSTATUS vidmm_thunk_SetContextInProcessSchedulingPriority(
    struct vidmm_thunk_process *process, D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Priority != 0 && arguments->Priority != 1)
        return vidmm_thunk_refuse("Priority is %d; expected 0, as other contexts of the process, "
                                  "or 1, ahead of them",
                                  arguments->Priority);
    return set(process, arguments->hContext, arguments->Priority, true);
}

NTSTATUS vidmm_thunk_GetContextInProcessSchedulingPriority(
    struct vidmm_thunk_process *process, D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return get(process, arguments->hContext, &arguments->Priority, true);
}
