// driver.cpp: DriverEntry, memory of C++, the table of functions.
#include "courier.h"
#include "driver.tmh"

// ---- memory of C++ ----

void *Pooled::operator new(size_t Size) noexcept
{
    return ExAllocatePoolWithTag(NonPagedPoolNx, Size, Tag);
}

void Pooled::operator delete(void *Block) noexcept
{
    if (Block) // `delete` of NULL is legal in C++, and ExFreePoolWithTag of it is not
        ExFreePoolWithTag(Block, Tag);
}

void Pooled::operator delete(void *Block, size_t) noexcept
{
    operator delete(Block);
}

// ---- life ----

static NTSTATUS AddDevice(CONST PDEVICE_OBJECT PhysicalDeviceObject, PVOID *Context)
{
    UNREFERENCED_PARAMETER(PhysicalDeviceObject);
    *Context = new Adapter;
    return *Context ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

// Neither sources nor children: it renders and does not show.
static NTSTATUS StartDevice(CONST PVOID Context, DXGK_START_INFO *Info, DXGKRNL_INTERFACE *Dxgk,
                            ULONG *Sources, ULONG *Children)
{
    NTSTATUS Status = static_cast<Adapter *>(Context)->Start(*Info, *Dxgk);

    *Sources = *Children = 0;
    if (!NT_SUCCESS(Status))
        TraceError(LIFE, "the adapter does not start: %!STATUS!", Status);
    return Status;
}

static NTSTATUS StopDevice(CONST PVOID Context)
{
    static_cast<Adapter *>(Context)->Stop();
    return STATUS_SUCCESS;
}

static NTSTATUS RemoveDevice(CONST PVOID Context)
{
    delete static_cast<Adapter *>(Context);
    return STATUS_SUCCESS;
}

static PDRIVER_OBJECT s_DriverObject;

static VOID Unload(VOID)
{
    TraceLife("unloaded");
    WPP_CLEANUP(s_DriverObject);
}

// ---- what goes straight to a class ----

static Adapter &AdapterOf(HANDLE hAdapter)
{
    return *static_cast<Adapter *>(hAdapter);
}

static NTSTATUS QueryAdapterInfo(CONST HANDLE hAdapter, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
    return AdapterOf(hAdapter).Query(*Arg);
}

static NTSTATUS GetNodeMetadata(CONST HANDLE hAdapter, UINT Node, DXGKARG_GETNODEMETADATA *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    if (Node != 0)
        return STATUS_INVALID_PARAMETER;
    Arg->EngineType = DXGK_ENGINE_TYPE_OTHER;
    return RtlStringCbCopyW(Arg->FriendlyName, sizeof(Arg->FriendlyName), L"Courier");
}

static NTSTATUS PreemptCommand(CONST HANDLE hAdapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    AdapterOf(hAdapter).m_Gpu.Preempt(Arg->PreemptionFenceId);
    return STATUS_SUCCESS;
}

static NTSTATUS QueryCurrentFence(CONST HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    Arg->CurrentFence = AdapterOf(hAdapter).m_Gpu.Completed();
    return STATUS_SUCCESS;
}

static NTSTATUS ResetFromTimeout(CONST HANDLE hAdapter)
{
    AdapterOf(hAdapter).m_Gpu.Reset();
    return STATUS_SUCCESS;
}

static NTSTATUS RestartFromTimeout(CONST HANDLE hAdapter)
{
    UNREFERENCED_PARAMETER(hAdapter);
    return STATUS_SUCCESS;
}

// No device, no interrupt: completion is reported by the thread (gpu.cpp).
static BOOLEAN InterruptRoutine(CONST PVOID Context, ULONG Message)
{
    UNREFERENCED_PARAMETER(Context);
    UNREFERENCED_PARAMETER(Message);
    return FALSE;
}

static VOID DpcRoutine(CONST PVOID Context)
{
    const DXGKRNL_INTERFACE &Dxgk = AdapterOf(Context).m_Dxgk;

    Dxgk.DxgkCbNotifyDpc(Dxgk.DeviceHandle);
}

// ---- the table ----

static VOID NameAdapter(DRIVER_INITIALIZATION_DATA *Data)
{
    Data->Version = DXGKDDI_INTERFACE_VERSION;
    Data->DxgkDdiAddDevice = AddDevice;
    Data->DxgkDdiStartDevice = StartDevice;
    Data->DxgkDdiStopDevice = StopDevice;
    Data->DxgkDdiRemoveDevice = RemoveDevice;
    Data->DxgkDdiUnload = Unload;
    Data->DxgkDdiInterruptRoutine = InterruptRoutine;
    Data->DxgkDdiDpcRoutine = DpcRoutine;
    Data->DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    Data->DxgkDdiGetNodeMetadata = GetNodeMetadata;
    Data->DxgkDdiPreemptCommand = PreemptCommand;
    Data->DxgkDdiQueryCurrentFence = QueryCurrentFence;
    Data->DxgkDdiResetFromTimeout = ResetFromTimeout;
    Data->DxgkDdiRestartFromTimeout = RestartFromTimeout;
}

static VOID NameObjects(DRIVER_INITIALIZATION_DATA *Data)
{
    Data->DxgkDdiCreateDevice = CourierCreateDevice;
    Data->DxgkDdiDestroyDevice = CourierDestroyDevice;
    Data->DxgkDdiCreateContext = CourierCreateContext;
    Data->DxgkDdiDestroyContext = CourierDestroyContext;
    Data->DxgkDdiCreateAllocation = CourierCreateAllocation;
    Data->DxgkDdiDestroyAllocation = CourierDestroyAllocation;
    Data->DxgkDdiOpenAllocation = CourierOpenAllocation;
    Data->DxgkDdiCloseAllocation = CourierCloseAllocation;
    Data->DxgkDdiBuildPagingBuffer = CourierBuildPagingBuffer;
    Data->DxgkDdiRender = CourierRender;
    Data->DxgkDdiPatch = CourierPatch;
    Data->DxgkDdiSubmitCommand = CourierSubmitCommand;
}

extern "C" DRIVER_INITIALIZE DriverEntry;

extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    DRIVER_INITIALIZATION_DATA Data = {};

    WPP_INIT_TRACING(DriverObject, RegistryPath);
    s_DriverObject = DriverObject;
    TraceLife("loaded, %wZ", RegistryPath);
    NameAdapter(&Data);
    NameObjects(&Data);
    return DxgkInitialize(DriverObject, RegistryPath, &Data);
}
