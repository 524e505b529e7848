/*
 * driver.c: the prototypes that drivers write, as the public reference spells them, declare the
 * same functions as the DXGKDDI_ types. Each pair of lines here is one function declared twice.
 */
#include "dispmprt.h"

#ifdef __cplusplus
extern "C" {
#endif

DXGKDDI_ADD_DEVICE AddDevice;
NTSTATUS AddDevice(const PDEVICE_OBJECT PhysicalDeviceObject, PVOID *MiniportDeviceContext);
DXGKDDI_START_DEVICE StartDevice;
NTSTATUS StartDevice(const PVOID MiniportDeviceContext, PDXGK_START_INFO DxgkStartInfo,
                     PDXGKRNL_INTERFACE DxgkInterface, PULONG NumberOfVideoPresentSources,
                     PULONG NumberOfChildren);
DXGKDDI_STOP_DEVICE StopDevice;
NTSTATUS StopDevice(const PVOID MiniportDeviceContext);
DXGKDDI_REMOVE_DEVICE RemoveDevice;
NTSTATUS RemoveDevice(const PVOID MiniportDeviceContext);
DXGKDDI_INTERRUPT_ROUTINE InterruptRoutine;
BOOLEAN InterruptRoutine(const PVOID MiniportDeviceContext, ULONG MessageNumber);
DXGKDDI_DPC_ROUTINE DpcRoutine;
VOID DpcRoutine(const PVOID MiniportDeviceContext);
DXGKDDI_QUERY_CHILD_RELATIONS QueryChildRelations;
NTSTATUS QueryChildRelations(const PVOID MiniportDeviceContext,
                             PDXGK_CHILD_DESCRIPTOR ChildRelations, ULONG ChildRelationsSize);
DXGKDDI_RESET_DEVICE ResetDevice;
VOID ResetDevice(const PVOID MiniportDeviceContext);
DXGKDDI_UNLOAD Unload;
VOID Unload(VOID);

DXGKDDI_QUERYADAPTERINFO QueryAdapterInfo;
NTSTATUS QueryAdapterInfo(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO pArg);
DXGKDDI_CREATEDEVICE CreateDevice;
NTSTATUS CreateDevice(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_CREATEDEVICE pArg);
DXGKDDI_DESTROYDEVICE DestroyDevice;
NTSTATUS DestroyDevice(IN_CONST_HANDLE hDevice);
DXGKDDI_CREATECONTEXT CreateContext;
NTSTATUS CreateContext(IN_CONST_HANDLE hDevice, INOUT_PDXGKARG_CREATECONTEXT pArg);
DXGKDDI_DESTROYCONTEXT DestroyContext;
NTSTATUS DestroyContext(IN_CONST_HANDLE hContext);
DXGKDDI_CREATEPROCESS CreateProcess;
NTSTATUS CreateProcess(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_CREATEPROCESS pArg);

DXGKDDI_CREATEALLOCATION CreateAllocation;
NTSTATUS CreateAllocation(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_CREATEALLOCATION pArg);
DXGKDDI_DESTROYALLOCATION DestroyAllocation;
NTSTATUS DestroyAllocation(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_DESTROYALLOCATION pArg);
DXGKDDI_OPENALLOCATIONINFO OpenAllocation;
NTSTATUS OpenAllocation(IN_CONST_HANDLE hDevice, IN_CONST_PDXGKARG_OPENALLOCATION pArg);
DXGKDDI_CLOSEALLOCATION CloseAllocation;
NTSTATUS CloseAllocation(IN_CONST_HANDLE hDevice, IN_CONST_PDXGKARG_CLOSEALLOCATION pArg);
DXGKDDI_DESCRIBEALLOCATION DescribeAllocation;
NTSTATUS DescribeAllocation(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_DESCRIBEALLOCATION pArg);
DXGKDDI_ACQUIRESWIZZLINGRANGE AcquireSwizzlingRange;
NTSTATUS AcquireSwizzlingRange(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE pArg);
DXGKDDI_RELEASESWIZZLINGRANGE ReleaseSwizzlingRange;
NTSTATUS ReleaseSwizzlingRange(IN_CONST_HANDLE hAdapter,
                               IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE pArg);
DXGKDDI_BUILDPAGINGBUFFER BuildPagingBuffer;
NTSTATUS BuildPagingBuffer(IN_CONST_HANDLE hAdapter, IN_PDXGKARG_BUILDPAGINGBUFFER pArg);

DXGKDDI_RENDER Render;
NTSTATUS Render(IN_CONST_HANDLE hContext, INOUT_PDXGKARG_RENDER pArg);
DXGKDDI_PRESENT Present;
NTSTATUS Present(IN_CONST_HANDLE hContext, INOUT_PDXGKARG_PRESENT pArg);
DXGKDDI_PATCH Patch;
NTSTATUS Patch(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_PATCH pArg);
DXGKDDI_SUBMITCOMMAND SubmitCommand;
NTSTATUS SubmitCommand(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_SUBMITCOMMAND pArg);
DXGKDDI_PREEMPTCOMMAND PreemptCommand;
NTSTATUS PreemptCommand(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND pArg);
DXGKDDI_CANCELCOMMAND CancelCommand;
NTSTATUS CancelCommand(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_CANCELCOMMAND pArg);
DXGKDDI_QUERYCURRENTFENCE QueryCurrentFence;
NTSTATUS QueryCurrentFence(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_QUERYCURRENTFENCE pArg);
DXGKDDI_RESETENGINE ResetEngine;
NTSTATUS ResetEngine(IN_CONST_HANDLE hAdapter, INOUT_PDXGKARG_RESETENGINE pArg);
DXGKDDI_RESETFROMTIMEOUT ResetFromTimeout;
NTSTATUS ResetFromTimeout(IN_CONST_HANDLE hAdapter);
DXGKDDI_ESCAPE Escape;
NTSTATUS Escape(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_ESCAPE pArg);
DXGKDDI_CONTROLINTERRUPT ControlInterrupt;
NTSTATUS ControlInterrupt(IN_CONST_HANDLE hAdapter, const DXGK_INTERRUPT_TYPE InterruptType,
                          BOOLEAN EnableInterrupt);

/* The table takes them, and a driver can call back. */
NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);
NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    DRIVER_INITIALIZATION_DATA data = {0};

    data.Version = DXGKDDI_INTERFACE_VERSION;
    data.DxgkDdiAddDevice = AddDevice;
    data.DxgkDdiStartDevice = StartDevice;
    data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    data.DxgkDdiCreateAllocation = CreateAllocation;
    data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    data.DxgkDdiOpenAllocation = OpenAllocation;
    data.DxgkDdiRender = Render;
    data.DxgkDdiPatch = Patch;
    data.DxgkDdiSubmitCommand = SubmitCommand;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}

VOID Complete(PDXGKRNL_INTERFACE dxgk, UINT fence);
VOID Complete(PDXGKRNL_INTERFACE dxgk, UINT fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {(DXGK_INTERRUPT_TYPE)0};

    data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    data.DmaCompleted.SubmissionFenceId = fence;
    dxgk->DxgkCbNotifyInterrupt(dxgk->DeviceHandle, &data);
    if (!dxgk->DxgkCbQueueDpc(dxgk->DeviceHandle))
        dxgk->DxgkCbNotifyDpc(dxgk->DeviceHandle);
}

#ifdef __cplusplus
}
#endif
