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

/* The objects that a message is about, held. */
struct about {
    struct vidmm_thunk_object *held[2]; /* a device and its context; or the adapter, and a device */
    unsigned held_count;
    struct vidmm_adapter *adapter;
    struct vidmm_message message;
};

/* Inside. The adapter of a device has two ways to be named; they have to agree. */
static NTSTATUS find_device(struct vidmm_thunk_process *process, const D3DKMT_ESCAPE *arguments,
                            struct about *about)
{
    struct vidmm_thunk_object *adapter = NULL, *device, *context = NULL;

    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    if (arguments->hAdapter != 0) {
        adapter = vidmm_thunk_find(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
        if (adapter == NULL)
            return STATUS_INVALID_PARAMETER;
        if (adapter->of != device->parent->of)
            return vidmm_thunk_refuse("hAdapter is 0x%x, of another adapter than hDevice",
                                      arguments->hAdapter);
    }
    if (arguments->hContext != 0) {
        context = vidmm_thunk_find_of_device(process, arguments->hDevice, arguments->hContext,
                                             VIDMM_THUNK_CONTEXT, "hContext");
        if (context == NULL)
            return STATUS_INVALID_PARAMETER;
        about->held[about->held_count++] = context;
        about->message.context = context->of;
    }
    about->held[about->held_count++] = device;
    about->message.device = device->of;
    about->message.sender = device->of;
    about->adapter = ((struct vidmm_thunk_adapter *)device->parent->of)->adapter;
    return STATUS_SUCCESS;
}

/* Inside. Any device of the program says which process it is. */
static NTSTATUS find_adapter(struct vidmm_thunk_process *process, const D3DKMT_ESCAPE *arguments,
                             struct about *about)
{
    struct vidmm_thunk_object *adapter =
        vidmm_thunk_find(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    struct vidmm_thunk_object *any;

    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    if (arguments->hContext != 0)
        return vidmm_thunk_refuse("hContext is 0x%x, and hDevice is 0; expected its device",
                                  arguments->hContext);
    about->held[about->held_count++] = adapter;
    about->adapter = ((struct vidmm_thunk_adapter *)adapter->of)->adapter;
    any = vidmm_thunk_any_device(process, adapter);
    if (any != NULL) {
        about->held[about->held_count++] = any;
        about->message.sender = any->of;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS hold(struct vidmm_thunk_process *process, const D3DKMT_ESCAPE *arguments,
                     struct about *about)
{
    NTSTATUS status;

    vidmm_thunk_enter(process);
    status = arguments->hDevice != 0 ? find_device(process, arguments, about)
                                     : find_adapter(process, arguments, about);
    if (status != STATUS_SUCCESS)
        about->held_count = 0;
    for (unsigned i = 0; i < about->held_count; i++)
        vidmm_thunk_hold(process, about->held[i]);
    vidmm_thunk_leave(process);
    return status;
}

/* A status query and a change of frame latency never come to the driver: the runtime, which is the
 * program's, answers them. */
static NTSTATUS check_flags(D3DDDI_ESCAPEFLAGS flags)
{
    const struct {
        bool is_set;
        const char *name;
    } unbuilt[] = {
        {flags.DeviceStatusQuery, "DeviceStatusQuery"},
        {flags.ChangeFrameLatency, "ChangeFrameLatency"},
        {flags.VirtualMachineData, "VirtualMachineData"},
        {flags.DriverKnownEscape, "DriverKnownEscape"},
        {flags.DriverCommonEscape, "DriverCommonEscape"},
    };

    if (flags.Reserved != 0 || flags.Reserved2 != 0)
        return vidmm_thunk_refuse("Flags is 0x%x, which has reserved bits set", flags.Value);
    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++)
        if (unbuilt[i].is_set) {
            vidmm_thunk_refuse("Flags.%s is not built", unbuilt[i].name);
            return STATUS_NOT_SUPPORTED;
        }
    return STATUS_SUCCESS;
}

static NTSTATUS escape_to_driver(struct vidmm_thunk_process *process, D3DKMT_ESCAPE *arguments)
{
    struct about about = {
        .message = {.data = arguments->pPrivateDriverData,
                    .size = arguments->PrivateDriverDataSize,
                    .hardware_access = arguments->Flags.HardwareAccess,
                    .no_synchronization = arguments->Flags.NoAdapterSynchronization}};
    NTSTATUS status;

    if (arguments->pPrivateDriverData == NULL && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  arguments->PrivateDriverDataSize);
    status = check_flags(arguments->Flags);
    if (status == STATUS_SUCCESS)
        status = hold(process, arguments, &about);
    if (status == STATUS_SUCCESS)
        status = vidmm_escape_to(about.adapter, &about.message, vidmm_thunk_report());
    while (about.held_count > 0)
        vidmm_thunk_let_go(process, about.held[--about.held_count]);
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
