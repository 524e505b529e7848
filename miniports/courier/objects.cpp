// objects.cpp: class Allocation; devices, contexts.
#include "courier.h"
#include "objects.tmh"

// ---- devices and contexts ----

NTSTATUS CourierCreateDevice(CONST HANDLE hAdapter, DXGKARG_CREATEDEVICE *Arg)
{
    Device *New = new Device(static_cast<Adapter *>(hAdapter));

    if (!New)
        return STATUS_NO_MEMORY;
    Arg->hDevice = New;
    Arg->pInfo = NULL; // contexts describe their DMA buffers
    return STATUS_SUCCESS;
}

NTSTATUS CourierDestroyDevice(CONST HANDLE hDevice)
{
    delete static_cast<Device *>(hDevice);
    return STATUS_SUCCESS;
}

// A thread has no state that one context could leave behind for another: the device will do.
NTSTATUS CourierCreateContext(CONST HANDLE hDevice, DXGKARG_CREATECONTEXT *Arg)
{
    Arg->hContext = hDevice;
    Arg->ContextInfo.DmaBufferSize = BufferSize;
    Arg->ContextInfo.DmaBufferPrivateDataSize = sizeof(BufferInfo);
    Arg->ContextInfo.AllocationListSize = ListSize;
    Arg->ContextInfo.PatchLocationListSize = ListSize;
    return STATUS_SUCCESS;
}

NTSTATUS CourierDestroyContext(CONST HANDLE hContext)
{
    UNREFERENCED_PARAMETER(hContext);
    return STATUS_SUCCESS;
}

// ---- class Allocation ----

// Sizes come from user mode: their product must not wrap.
BOOLEAN Allocation::IsLegal(const CourierSurface &Surface)
{
    ULONG Pitch, Size;

    return Surface.Width > 0 && Surface.Height > 0 &&
           NT_SUCCESS(RtlULongMult(Surface.Width, 4, &Pitch)) &&
           NT_SUCCESS(RtlULongMult(Pitch, Surface.Height, &Size));
}

Allocation::Allocation(const CourierSurface &Surface)
    : m_Surface(Surface), m_Pitch(static_cast<SIZE_T>(Surface.Width) * 4)
{
}

VOID Allocation::Describe(DXGK_ALLOCATIONINFO *Info) const
{
    Info->Size = Size();
    Info->Alignment = PAGE_SIZE;
    Info->PreferredSegment.SegmentId0 = MemorySegment;
    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = 1 << (MemorySegment - 1);
    Info->Flags.CpuVisible = 1;
    Info->Flags.Cached = 1; // a thread sees what is in the caches
    Info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
}

// ---- allocations ----

static NTSTATUS CreateOne(DXGK_ALLOCATIONINFO *Info)
{
    CourierSurface Surface;
    Allocation *New;

    if (Info->PrivateDriverDataSize != sizeof(Surface))
        return STATUS_INVALID_PARAMETER;
    RtlCopyMemory(&Surface, Info->pPrivateDriverData, sizeof(Surface));
    if (!Allocation::IsLegal(Surface))
        return STATUS_INVALID_PARAMETER;
    New = new Allocation(Surface);
    if (!New)
        return STATUS_NO_MEMORY;
    New->Describe(Info);
    Info->hAllocation = New;
    return STATUS_SUCCESS;
}

// All or none.
NTSTATUS CourierCreateAllocation(CONST HANDLE hAdapter, DXGKARG_CREATEALLOCATION *Arg)
{
    UINT Made = 0;
    NTSTATUS Status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(hAdapter);
    while (Made < Arg->NumAllocations && NT_SUCCESS(Status)) {
        Status = CreateOne(&Arg->pAllocationInfo[Made]);
        if (NT_SUCCESS(Status))
            Made++;
    }
    while (!NT_SUCCESS(Status) && Made > 0)
        delete static_cast<Allocation *>(Arg->pAllocationInfo[--Made].hAllocation);
    return Status;
}

NTSTATUS CourierDestroyAllocation(CONST HANDLE hAdapter, CONST DXGKARG_DESTROYALLOCATION *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    for (UINT i = 0; i < Arg->NumAllocations; i++)
        delete static_cast<Allocation *>(Arg->pAllocationList[i]);
    return STATUS_SUCCESS;
}

NTSTATUS CourierOpenAllocation(CONST HANDLE hDevice, CONST DXGKARG_OPENALLOCATION *Arg)
{
    const DXGKRNL_INTERFACE &Dxgk = static_cast<Device *>(hDevice)->m_Adapter->m_Dxgk;

    for (UINT i = 0; i < Arg->NumAllocations; i++) {
        DXGKARGCB_GETHANDLEDATA Handle = {};

        Handle.hObject = Arg->pOpenAllocation[i].hAllocation;
        Handle.Type = DXGK_HANDLE_ALLOCATION;
        Arg->pOpenAllocation[i].hDeviceSpecificAllocation = Dxgk.DxgkCbGetHandleData(&Handle);
        if (!Arg->pOpenAllocation[i].hDeviceSpecificAllocation)
            return STATUS_INVALID_HANDLE;
    }
    return STATUS_SUCCESS;
}

NTSTATUS CourierCloseAllocation(CONST HANDLE hDevice, CONST DXGKARG_CLOSEALLOCATION *Arg)
{
    UNREFERENCED_PARAMETER(hDevice);
    UNREFERENCED_PARAMETER(Arg);
    return STATUS_SUCCESS;
}
