/*
 * tap_slot.h: the functions of one slot. Included by tap_slots.c once for each slot, with SLOT
 * defined as its number; no include guard.
 *
 * All do the same: record, call the other side, record.
 */
#define PASTE_(number, name) slot##number##_##name

#include <wddm/ntstatus.h>
#define PASTE(number, name) PASTE_(number, name)
#define OWN(name) PASTE(SLOT, name)
#define TAP slots[SLOT]

/* ---- The miniport's functions ---- */

#define DDI_ARGUMENT(ID, Name, handle, TYPE, CLASS, IRQL)                                          \
    static NTSTATUS OWN(Name)(HANDLE Handle, TYPE * Argument)                                      \
    {                                                                                              \
        struct vidmm_tap_frame frame;                                                              \
        vidmm_tap_enter(TAP, &frame, VIDMM_DDI_##ID, Handle, Argument);                            \
        return vidmm_tap_leave(&frame, TAP->driver.DxgkDdi##Name(Handle, Argument));               \
    }
#define DDI_OPAQUE(ID, Name, handle, TYPE, CLASS, IRQL)                                            \
    static NTSTATUS OWN(Name)(HANDLE Handle, TYPE * Argument)                                      \
    {                                                                                              \
        struct vidmm_tap_frame frame;                                                              \
        vidmm_tap_enter(TAP, &frame, VIDMM_DDI_##ID, Handle, NULL);                                \
        return vidmm_tap_leave(&frame, TAP->driver.DxgkDdi##Name(Handle, Argument));               \
    }
#define DDI_HANDLE(ID, Name, handle, CLASS, IRQL)                                                  \
    static NTSTATUS OWN(Name)(HANDLE Handle)                                                       \
    {                                                                                              \
        struct vidmm_tap_frame frame;                                                              \
        vidmm_tap_enter(TAP, &frame, VIDMM_DDI_##ID, Handle, NULL);                                \
        return vidmm_tap_leave(&frame, TAP->driver.DxgkDdi##Name(Handle));                         \
    }
#include "wddm/calls.def"

static NTSTATUS OWN(AddDevice)(PDEVICE_OBJECT PhysicalDeviceObject, PVOID *MiniportDeviceContext)
{
    struct vidmm_ddi_add_device argument = {(HANDLE)PhysicalDeviceObject, NULL};
    struct vidmm_tap_frame frame;
    NTSTATUS status;

    if (!vidmm_tap_begin_adapter(TAP))
        return STATUS_DEVICE_BUSY;
    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_ADD_DEVICE, NULL, &argument);
    status = TAP->driver.DxgkDdiAddDevice(PhysicalDeviceObject, MiniportDeviceContext);
    if (NT_SUCCESS(status))
        argument.MiniportDeviceContext = *MiniportDeviceContext;
    else
        vidmm_tap_end_adapter(TAP);
    return vidmm_tap_leave(&frame, status);
}

static NTSTATUS OWN(StartDevice)(PVOID MiniportDeviceContext, DXGK_START_INFO *DxgkStartInfo,
                                 DXGKRNL_INTERFACE *DxgkInterface,
                                 PULONG NumberOfVideoPresentSources, PULONG NumberOfChildren)
{
    struct vidmm_ddi_start_device argument = {DxgkStartInfo->RequiredDmaQueueEntry,
                                              DxgkInterface->DeviceHandle, VIDMM_NOT_SET,
                                              VIDMM_NOT_SET};
    ULONG sources = *NumberOfVideoPresentSources, children = *NumberOfChildren;
    struct vidmm_tap_frame frame;
    NTSTATUS status;

    memset(&TAP->kernel, 0, sizeof TAP->kernel);
    memcpy(&TAP->kernel, DxgkInterface,
           DxgkInterface->Size < sizeof TAP->kernel ? DxgkInterface->Size : sizeof TAP->kernel);
    vidmm_tap_wrap_kernel(TAP);
    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_START_DEVICE, MiniportDeviceContext, &argument);
    *NumberOfVideoPresentSources = *NumberOfChildren = VIDMM_NOT_SET;
    status =
        TAP->driver.DxgkDdiStartDevice(MiniportDeviceContext, DxgkStartInfo, &TAP->wrapped_kernel,
                                       NumberOfVideoPresentSources, NumberOfChildren);
    if (NT_SUCCESS(status)) {
        argument.RequiredDmaQueueEntry = DxgkStartInfo->RequiredDmaQueueEntry;
        argument.NumberOfVideoPresentSources = *NumberOfVideoPresentSources;
        argument.NumberOfChildren = *NumberOfChildren;
    }
    if (*NumberOfVideoPresentSources == VIDMM_NOT_SET)
        *NumberOfVideoPresentSources = sources;
    if (*NumberOfChildren == VIDMM_NOT_SET)
        *NumberOfChildren = children;
    return vidmm_tap_leave(&frame, status);
}

static NTSTATUS OWN(StopDevice)(PVOID MiniportDeviceContext)
{
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_STOP_DEVICE, MiniportDeviceContext, NULL);
    return vidmm_tap_leave(&frame, TAP->driver.DxgkDdiStopDevice(MiniportDeviceContext));
}

static NTSTATUS OWN(RemoveDevice)(PVOID MiniportDeviceContext)
{
    struct vidmm_tap_frame frame;
    NTSTATUS status;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_REMOVE_DEVICE, MiniportDeviceContext, NULL);
    status = vidmm_tap_leave(&frame, TAP->driver.DxgkDdiRemoveDevice(MiniportDeviceContext));
    vidmm_tap_end_adapter(TAP);
    return status;
}

static VOID OWN(ResetDevice)(PVOID MiniportDeviceContext)
{
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_RESET_DEVICE, MiniportDeviceContext, NULL);
    TAP->driver.DxgkDdiResetDevice(MiniportDeviceContext);
    vidmm_tap_leave(&frame, STATUS_SUCCESS);
}

static VOID OWN(Unload)(VOID)
{
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_UNLOAD, NULL, NULL);
    TAP->driver.DxgkDdiUnload();
    vidmm_tap_leave(&frame, STATUS_SUCCESS);
}

static NTSTATUS OWN(QueryChildRelations)(PVOID MiniportDeviceContext,
                                         DXGK_CHILD_DESCRIPTOR *ChildRelations,
                                         ULONG ChildRelationsSize)
{
    struct vidmm_ddi_query_child_relations argument = {ChildRelationsSize};
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_QUERY_CHILD_RELATIONS, MiniportDeviceContext, &argument);
    return vidmm_tap_leave(&frame, TAP->driver.DxgkDdiQueryChildRelations(
                                       MiniportDeviceContext, ChildRelations, ChildRelationsSize));
}

static NTSTATUS OWN(SetPowerState)(PVOID MiniportDeviceContext, ULONG DeviceUid,
                                   DEVICE_POWER_STATE DevicePowerState, POWER_ACTION ActionType)
{
    struct vidmm_ddi_set_power_state argument = {DeviceUid, (INT)DevicePowerState, (INT)ActionType};
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_SET_POWER_STATE, MiniportDeviceContext, &argument);
    return vidmm_tap_leave(&frame,
                           TAP->driver.DxgkDdiSetPowerState(MiniportDeviceContext, DeviceUid,
                                                            DevicePowerState, ActionType));
}

static NTSTATUS OWN(DestroyProcess)(HANDLE hAdapter, HANDLE hKmdProcess)
{
    struct vidmm_ddi_destroy_process argument = {hKmdProcess};
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_DESTROY_PROCESS, hAdapter, &argument);
    return vidmm_tap_leave(&frame, TAP->driver.DxgkDdiDestroyProcess(hAdapter, hKmdProcess));
}

static VOID OWN(SetRootPageTable)(HANDLE hAdapter, const DXGKARG_SETROOTPAGETABLE *SetPageTable)
{
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_SET_ROOT_PAGE_TABLE, hAdapter, SetPageTable);
    TAP->driver.DxgkDdiSetRootPageTable(hAdapter, SetPageTable);
    vidmm_tap_leave(&frame, STATUS_SUCCESS);
}

static BOOLEAN OWN(InterruptRoutine)(PVOID MiniportDeviceContext, ULONG MessageNumber)
{
    uint64_t outer = vidmm_tap_begin_interrupt(TAP, MiniportDeviceContext, MessageNumber);
    BOOLEAN ours = TAP->driver.DxgkDdiInterruptRoutine(MiniportDeviceContext, MessageNumber);

    vidmm_tap_end_interrupt(outer);
    return ours;
}

static NTSTATUS OWN(ControlInterrupt)(HANDLE hAdapter, DXGK_INTERRUPT_TYPE InterruptType,
                                      BOOLEAN EnableInterrupt)
{
    struct vidmm_ddi_control_interrupt argument = {(INT)InterruptType, EnableInterrupt};
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_CONTROL_INTERRUPT, hAdapter, &argument);
    return vidmm_tap_leave(
        &frame, TAP->driver.DxgkDdiControlInterrupt(hAdapter, InterruptType, EnableInterrupt));
}

static VOID OWN(DpcRoutine)(PVOID MiniportDeviceContext)
{
    vidmm_tap_notice(TAP, VIDMM_DDI_DPC_ROUTINE, MiniportDeviceContext, NULL, 0);
    TAP->driver.DxgkDdiDpcRoutine(MiniportDeviceContext);
}

/* ---- The manager's functions ---- */

static VOID OWN(NotifyInterrupt)(HANDLE DeviceHandle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *Data)
{
    vidmm_tap_notice(TAP, VIDMM_DDI_NOTIFY_INTERRUPT, DeviceHandle, Data, 0);
    TAP->kernel.DxgkCbNotifyInterrupt(DeviceHandle, Data);
}

static VOID OWN(NotifyDpc)(HANDLE DeviceHandle)
{
    vidmm_tap_notice(TAP, VIDMM_DDI_NOTIFY_DPC, DeviceHandle, NULL, 0);
    TAP->kernel.DxgkCbNotifyDpc(DeviceHandle);
}

static BOOLEAN OWN(QueueDpc)(HANDLE DeviceHandle)
{
    vidmm_tap_notice(TAP, VIDMM_DDI_QUEUE_DPC, DeviceHandle, NULL, 0);
    return TAP->kernel.DxgkCbQueueDpc(DeviceHandle);
}

static NTSTATUS OWN(CreateContextAllocation)(DXGKARGCB_CREATECONTEXTALLOCATION *ContextAllocation)
{
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_CREATE_CONTEXT_ALLOCATION, ContextAllocation->hAdapter,
                    ContextAllocation);
    return vidmm_tap_leave(&frame, TAP->kernel.DxgkCbCreateContextAllocation(ContextAllocation));
}

static NTSTATUS OWN(DestroyContextAllocation)(HANDLE hAdapter, HANDLE hAllocation)
{
    struct vidmm_ddi_destroy_context_allocation argument = {hAllocation};
    struct vidmm_tap_frame frame;

    vidmm_tap_enter(TAP, &frame, VIDMM_DDI_DESTROY_CONTEXT_ALLOCATION, hAdapter, &argument);
    return vidmm_tap_leave(&frame,
                           TAP->kernel.DxgkCbDestroyContextAllocation(hAdapter, hAllocation));
}

#define DDI_ASIDE(ID, Name, ANSWER, parameters, arguments)                                         \
    static ANSWER OWN(Name) parameters                                                             \
    {                                                                                              \
        vidmm_tap_aside(TAP, VIDMM_DDI_##ID);                                                      \
        return TAP->kernel.DxgkCb##Name arguments;                                                 \
    }
#include "wddm/calls.def"

/* ---- Putting them in place ---- */

/* A function that the driver lacks, or that its level does not have, stays NULL. */
static void OWN(wrap_driver)(const DRIVER_INITIALIZATION_DATA *driver,
                             DRIVER_INITIALIZATION_DATA *wrapped)
{
#define WRAP(Name)                                                                                 \
    if (driver->DxgkDdi##Name != NULL)                                                             \
        wrapped->DxgkDdi##Name = OWN(Name);
#define DDI_ARGUMENT(ID, Name, handle, TYPE, CLASS, IRQL) WRAP(Name)
#define DDI_OPAQUE(ID, Name, handle, TYPE, CLASS, IRQL) WRAP(Name)
#define DDI_HANDLE(ID, Name, handle, CLASS, IRQL) WRAP(Name)
#define DDI_OTHER(ID, Name, handle, ANSWER, CLASS, IRQL) WRAP(Name)
#include "wddm/calls.def"
#undef WRAP
}

static void OWN(wrap_kernel)(const DXGKRNL_INTERFACE *kernel, DXGKRNL_INTERFACE *wrapped)
{
#define DDI_CALLBACK(ID, Name)                                                                     \
    if (kernel->DxgkCb##Name != NULL)                                                              \
        wrapped->DxgkCb##Name = OWN(Name);
#define DDI_REQUEST(ID, Name) DDI_CALLBACK(ID, Name)
#define DDI_ASIDE(ID, Name, ANSWER, parameters, arguments) DDI_CALLBACK(ID, Name)
#include "wddm/calls.def"
}

#undef PASTE_
#undef PASTE
#undef OWN
#undef TAP
