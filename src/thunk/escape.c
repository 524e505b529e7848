/* escape.c: messages to the driver of an adapter, and to the memory manager. */
#include <vidmm/adapter.h>
#include <wddm/d3dkmthk_escape.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/escape_vidmm.h"
#include "thunk/process.h"

static NTSTATUS escape_to_manager(struct vidmm_thunk_process *process, D3DKMT_ESCAPE *arguments)
{
    struct vidmm_thunk_object *adapter =
        vidmm_thunk_find_and_hold(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    NTSTATUS status;

    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_escape_vidmm(process, ((struct vidmm_thunk_adapter *)adapter->of)->adapter,
                                arguments->pPrivateDriverData, arguments->PrivateDriverDataSize);
    vidmm_thunk_let_go(process, adapter);
    return status;
}

static NTSTATUS escape_to_driver(struct vidmm_thunk_process *process, D3DKMT_ESCAPE *arguments)
{
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments->pPrivateDriverData == NULL && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  arguments->PrivateDriverDataSize);
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    status =
        vidmm_escape(device->of, arguments->pPrivateDriverData, arguments->PrivateDriverDataSize,
                     arguments->Flags.HardwareAccess, vidmm_thunk_report());
    vidmm_thunk_let_go(process, device);
    return status;
}

NTSTATUS vidmm_thunk_Escape(struct vidmm_thunk_process *process, D3DKMT_ESCAPE *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Type == D3DKMT_ESCAPE_DRIVERPRIVATE)
        return escape_to_driver(process, arguments);
    if (arguments->Type == D3DKMT_ESCAPE_VIDMM)
        return escape_to_manager(process, arguments);
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_Escape], 1, memory_order_relaxed);
    vidmm_thunk_refuse("Type is %d, which is not built; this version answers "
                       "D3DKMT_ESCAPE_DRIVERPRIVATE, 0, and D3DKMT_ESCAPE_VIDMM, 1",
                       (int)arguments->Type);
    return STATUS_NOT_SUPPORTED;
}
