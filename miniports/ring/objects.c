/* objects.c: devices, contexts, allocations. */
#include "ring.h"

/* ---- devices and contexts ---- */

NTSTATUS RingCreateDevice(CONST HANDLE hAdapter, DXGKARG_CREATEDEVICE *Arg)
{
    struct ring_device *Device =
        (struct ring_device *)ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*Device), RING_TAG);

    if (!Device)
        return STATUS_NO_MEMORY;
    Device->Adapter = (struct ring_adapter *)hAdapter;
    Arg->hDevice = Device;
    Arg->pInfo = NULL; /* DMA buffers belong to contexts here, which describe them */
    return STATUS_SUCCESS;
}

NTSTATUS RingDestroyDevice(CONST HANDLE hDevice)
{
    ExFreePoolWithTag(hDevice, RING_TAG);
    return STATUS_SUCCESS;
}

/* This GPU has nothing to save or restore between contexts, so there is nothing to keep of one: its
 * name is that of its device. */
NTSTATUS RingCreateContext(CONST HANDLE hDevice, DXGKARG_CREATECONTEXT *Arg)
{
    if (Arg->NodeOrdinal != 0)
        return STATUS_INVALID_PARAMETER;
    Arg->hContext = hDevice;
    Arg->ContextInfo.DmaBufferSize = RING_DMA_BUFFER;
    Arg->ContextInfo.DmaBufferSegmentSet = 0; /* contiguous system memory, as paging buffers */
    Arg->ContextInfo.DmaBufferPrivateDataSize = 0;
    Arg->ContextInfo.AllocationListSize = RING_LIST;
    Arg->ContextInfo.PatchLocationListSize = RING_LIST;
    return STATUS_SUCCESS;
}

NTSTATUS RingDestroyContext(CONST HANDLE hContext)
{
    UNREFERENCED_PARAMETER(hContext);
    return STATUS_SUCCESS;
}

/* ---- allocations ---- */

/* Name the segments in which it may live, and those in which it lives best. The order of
 * PreferredSegment is the order in which the memory manager tries. */
static VOID Place(DXGK_ALLOCATIONINFO *Info, BOOLEAN Local)
{
    UINT Set = RING_SET(RING_SEGMENT_MEMORY);

    Info->PreferredSegment.SegmentId0 = RING_SEGMENT_MEMORY;
    if (!Local) {
        Set |= RING_SET(RING_SEGMENT_APERTURE);
        Info->PreferredSegment.SegmentId1 = RING_SEGMENT_APERTURE;
    }
    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = Set;
    Info->EvictionSegmentSet = 0; /* RING_COPY_OUT takes a list of pages: no aperture needed */
    Info->Flags.CpuVisible = 1;
    Info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
}

static NTSTATUS CreateOne(DXGK_ALLOCATIONINFO *Info)
{
    const struct ring_private *Private = (const struct ring_private *)Info->pPrivateDriverData;
    struct ring_allocation *Allocation;

    if (Info->PrivateDriverDataSize != sizeof(*Private) || Private->magic != RING_PRIVATE_MAGIC ||
        Private->size == 0 || Private->size > (SIZE_T)RING_APERTURE_PAGES * PAGE_SIZE)
        return STATUS_INVALID_PARAMETER;
    Allocation = (struct ring_allocation *)ExAllocatePoolWithTag(NonPagedPoolNx,
                                                                 sizeof(*Allocation), RING_TAG);
    if (!Allocation)
        return STATUS_NO_MEMORY;
    Allocation->Size = ROUND_TO_PAGES((SIZE_T)Private->size);
    Info->Size = Allocation->Size;
    Info->Alignment = PAGE_SIZE;
    Place(Info, (Private->flags & RING_PRIVATE_LOCAL) != 0);
    Info->hAllocation = Allocation;
    return STATUS_SUCCESS;
}

/* All or none. */
NTSTATUS RingCreateAllocation(CONST HANDLE hAdapter, DXGKARG_CREATEALLOCATION *Arg)
{
    NTSTATUS Status = STATUS_SUCCESS;
    UINT i;

    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < Arg->NumAllocations && NT_SUCCESS(Status); i++)
        Status = CreateOne(&Arg->pAllocationInfo[i]);
    if (NT_SUCCESS(Status))
        return Status;
    for (i--; i > 0; i--) { /* the last one tried has nothing to free */
        ExFreePoolWithTag(Arg->pAllocationInfo[i - 1].hAllocation, RING_TAG);
        Arg->pAllocationInfo[i - 1].hAllocation = NULL;
    }
    return Status;
}

NTSTATUS RingDestroyAllocation(CONST HANDLE hAdapter, CONST DXGKARG_DESTROYALLOCATION *Arg)
{
    UINT i;

    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < Arg->NumAllocations; i++)
        ExFreePoolWithTag(Arg->pAllocationList[i], RING_TAG);
    return STATUS_SUCCESS;
}

/* ---- allocations of a device ---- */

/* Make the handle by which an allocation list will name it: here the allocation itself, the same
 * for every device. */
NTSTATUS RingOpenAllocation(CONST HANDLE hDevice, CONST DXGKARG_OPENALLOCATION *Arg)
{
    const struct ring_device *Device = (const struct ring_device *)hDevice;
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++) {
        DXGKARGCB_GETHANDLEDATA Handle;

        RtlZeroMemory(&Handle, sizeof(Handle));
        Handle.hObject = Arg->pOpenAllocation[i].hAllocation;
        Handle.Type = DXGK_HANDLE_ALLOCATION;
        Arg->pOpenAllocation[i].hDeviceSpecificAllocation =
            Device->Adapter->Dxgk.DxgkCbGetHandleData(&Handle);
        if (!Arg->pOpenAllocation[i].hDeviceSpecificAllocation)
            return STATUS_INVALID_HANDLE;
    }
    return STATUS_SUCCESS;
}

NTSTATUS RingCloseAllocation(CONST HANDLE hDevice, CONST DXGKARG_CLOSEALLOCATION *Arg)
{
    UNREFERENCED_PARAMETER(hDevice);
    UNREFERENCED_PARAMETER(Arg);
    return STATUS_SUCCESS;
}
