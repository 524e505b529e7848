/* objects.c: processes, devices, contexts, allocations. */
#include "atlas.h"

/* ---- processes, devices, contexts ---- */

NTSTATUS AtlasCreateProcess(CONST HANDLE hAdapter, DXGKARG_CREATEPROCESS *Arg)
{
    struct atlas_process *Process =
        (struct atlas_process *)ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*Process), ATLAS_TAG);

    UNREFERENCED_PARAMETER(hAdapter);
    if (!Process)
        return STATUS_NO_MEMORY;
    Process->Dxgk = Arg->hDxgkProcess;
    Arg->hKmdProcess = Process;
    return STATUS_SUCCESS;
}

NTSTATUS AtlasDestroyProcess(CONST HANDLE hAdapter, CONST HANDLE hKmdProcess)
{
    UNREFERENCED_PARAMETER(hAdapter);
    ExFreePoolWithTag(hKmdProcess, ATLAS_TAG);
    return STATUS_SUCCESS;
}

NTSTATUS AtlasCreateDevice(CONST HANDLE hAdapter, DXGKARG_CREATEDEVICE *Arg)
{
    struct atlas_device *Device =
        (struct atlas_device *)ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*Device), ATLAS_TAG);

    if (!Device)
        return STATUS_NO_MEMORY;
    Device->Adapter = (struct atlas_adapter *)hAdapter;
    Arg->hDevice = Device;
    Arg->pInfo = NULL; /* DMA buffers belong to contexts here, which describe them */
    return STATUS_SUCCESS;
}

NTSTATUS AtlasDestroyDevice(CONST HANDLE hDevice)
{
    ExFreePoolWithTag(hDevice, ATLAS_TAG);
    return STATUS_SUCCESS;
}

/* The DMA buffers of a context with virtual addresses are the program's own memory. These words are
 * for those that the kernel makes, and the set has to name an aperture. */
static VOID DescribeBuffers(DXGK_CONTEXTINFO *Info)
{
    Info->DmaBufferSize = ATLAS_DMA_BUFFER;
    Info->DmaBufferSegmentSet = ATLAS_SET(ATLAS_SEGMENT_APERTURE);
    Info->DmaBufferPrivateDataSize = 64;
    Info->AllocationListSize = ATLAS_LIST;
    Info->PatchLocationListSize = 0;
    Info->Caps.NoPatchingRequired = 1;
    Info->PagingCompanionNodeId = 0;
}

NTSTATUS AtlasCreateContext(CONST HANDLE hDevice, DXGKARG_CREATECONTEXT *Arg)
{
    const struct atlas_device *Device = (const struct atlas_device *)hDevice;
    struct atlas_context *Context;

    if (Arg->NodeOrdinal != 0 || !Arg->Flags.VirtualAddressing)
        return STATUS_INVALID_PARAMETER;
    Context =
        (struct atlas_context *)ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*Context), ATLAS_TAG);
    if (!Context)
        return STATUS_NO_MEMORY;
    RtlZeroMemory(Context, sizeof(*Context));
    Context->Adapter = Device->Adapter;
    DescribeBuffers(&Arg->ContextInfo);
    Arg->hContext = Context;
    return STATUS_SUCCESS;
}

NTSTATUS AtlasDestroyContext(CONST HANDLE hContext)
{
    ExFreePoolWithTag(hContext, ATLAS_TAG);
    return STATUS_SUCCESS;
}

/* It goes into each entry of the ring that the context gets from now on. */
VOID AtlasSetRootPageTable(CONST HANDLE hAdapter, CONST DXGKARG_SETROOTPAGETABLE *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    ((struct atlas_context *)Arg->hContext)->Root = Arg->Address.SegmentOffset;
}

/* ---- allocations ---- */

/* Name where it may live. Memory of the program is behind the aperture; all else is in the GPU's
 * memory, and its content goes to system pages by virtual addresses. */
static VOID Place(DXGK_ALLOCATIONINFO *Info, BOOLEAN Visible)
{
    UINT Segment = Visible ? ATLAS_SEGMENT_APERTURE : ATLAS_SEGMENT_MEMORY;

    Info->PreferredSegment.SegmentId0 = Segment;
    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = ATLAS_SET(Segment);
    Info->EvictionSegmentSet = 0;
    if (Visible) {
        Info->FlagsWddm2.CpuVisible = 1;
        Info->FlagsWddm2.ExistingSysMem = 1;
    }
    Info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
}

static NTSTATUS CreateOne(DXGK_ALLOCATIONINFO *Info)
{
    const struct atlas_private *Private = (const struct atlas_private *)Info->pPrivateDriverData;
    struct atlas_allocation *Allocation;

    if (Info->PrivateDriverDataSize != sizeof(*Private) || Private->magic != ATLAS_PRIVATE_MAGIC ||
        Private->size == 0 || Private->size > ATLAS_APERTURE_SIZE)
        return STATUS_INVALID_PARAMETER;
    Allocation = (struct atlas_allocation *)ExAllocatePoolWithTag(NonPagedPoolNx,
                                                                  sizeof(*Allocation), ATLAS_TAG);
    if (!Allocation)
        return STATUS_NO_MEMORY;
    Allocation->Size = ROUND_TO_PAGES((SIZE_T)Private->size);
    Info->Size = Allocation->Size;
    Info->Alignment = PAGE_SIZE;
    Place(Info, (Private->flags & ATLAS_PRIVATE_VISIBLE) != 0);
    Info->hAllocation = Allocation;
    return STATUS_SUCCESS;
}

/* All or none. */
NTSTATUS AtlasCreateAllocation(CONST HANDLE hAdapter, DXGKARG_CREATEALLOCATION *Arg)
{
    NTSTATUS Status = STATUS_SUCCESS;
    UINT i;

    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < Arg->NumAllocations && NT_SUCCESS(Status); i++)
        Status = CreateOne(&Arg->pAllocationInfo[i]);
    if (NT_SUCCESS(Status))
        return Status;
    for (i--; i > 0; i--) { /* the last one tried has nothing to free */
        ExFreePoolWithTag(Arg->pAllocationInfo[i - 1].hAllocation, ATLAS_TAG);
        Arg->pAllocationInfo[i - 1].hAllocation = NULL;
    }
    return Status;
}

NTSTATUS AtlasDestroyAllocation(CONST HANDLE hAdapter, CONST DXGKARG_DESTROYALLOCATION *Arg)
{
    UINT i;

    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < Arg->NumAllocations; i++)
        ExFreePoolWithTag(Arg->pAllocationList[i], ATLAS_TAG);
    return STATUS_SUCCESS;
}

/* ---- allocations of a device ---- */

/* Nothing is kept of it: commands name addresses. Its name is that of its device. */
NTSTATUS AtlasOpenAllocation(CONST HANDLE hDevice, CONST DXGKARG_OPENALLOCATION *Arg)
{
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++)
        Arg->pOpenAllocation[i].hDeviceSpecificAllocation = hDevice;
    return STATUS_SUCCESS;
}

NTSTATUS AtlasCloseAllocation(CONST HANDLE hDevice, CONST DXGKARG_CLOSEALLOCATION *Arg)
{
    UNREFERENCED_PARAMETER(hDevice);
    UNREFERENCED_PARAMETER(Arg);
    return STATUS_SUCCESS;
}
