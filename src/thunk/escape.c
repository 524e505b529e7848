/* escape.c: messages to the driver of an adapter. */
#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

static NTSTATUS check_escape(const D3DKMT_ESCAPE *arguments)
{
    if (arguments->Type != D3DKMT_ESCAPE_DRIVERPRIVATE) {
        vidmm_thunk_refuse("Type is %d, which is not built; this version answers "
                           "D3DKMT_ESCAPE_DRIVERPRIVATE, 0",
                           (int)arguments->Type);
        return STATUS_NOT_SUPPORTED;
    }
    if (arguments->pPrivateDriverData == NULL && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  arguments->PrivateDriverDataSize);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_Escape(struct vidmm_thunk_process *process, D3DKMT_ESCAPE *arguments)
{
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_escape(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    status =
        vidmm_escape(device->of, arguments->pPrivateDriverData, arguments->PrivateDriverDataSize,
                     arguments->Flags.HardwareAccess, vidmm_thunk_report());
    vidmm_thunk_let_go(process, device);
    return status;
}
