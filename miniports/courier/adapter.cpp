// adapter.cpp: class Adapter: start, stop, registry, video memory, caps.
#include "courier.h"
#include "adapter.tmh"

// ---- start and stop ----

// MemorySize, in KiB, of the device's key in the registry; 64 MiB if it is not there.
SIZE_T Adapter::ReadMemorySize(PUNICODE_STRING Path)
{
    ULONG Size = 64 * 1024;
    RTL_QUERY_REGISTRY_TABLE Table[2] = {}; // ends with an entry of zeros

    Table[0].Flags = RTL_QUERY_REGISTRY_DIRECT | RTL_QUERY_REGISTRY_TYPECHECK;
    Table[0].Name = const_cast<PWSTR>(L"MemorySize");
    Table[0].EntryContext = &Size;
    Table[0].DefaultType = REG_DWORD << RTL_QUERY_REGISTRY_TYPECHECK_SHIFT | REG_NONE;
    RtlQueryRegistryValues(RTL_REGISTRY_ABSOLUTE, Path->Buffer, Table, NULL, NULL);
    return static_cast<SIZE_T>(Size) * 1024;
}

// Contiguous, because a segment is one range; and as much of what is wanted as there is.
NTSTATUS Adapter::TakeMemory(SIZE_T Wanted)
{
    PHYSICAL_ADDRESS Lowest = {}, Highest = {}, Boundary = {};

    Highest.QuadPart = -1;
    for (m_Size = ROUND_TO_PAGES(Wanted); m_Size >= 256 * PAGE_SIZE; m_Size = m_Size / 2) {
        m_Size = ROUND_TO_PAGES(m_Size);
        m_Memory = static_cast<UCHAR *>(
            MmAllocateContiguousMemorySpecifyCache(m_Size, Lowest, Highest, Boundary, MmCached));
        if (m_Memory) {
            m_Address = MmGetPhysicalAddress(m_Memory);
            TraceLife("%Iu KiB of memory at 0x%I64x", m_Size / 1024, m_Address.QuadPart);
            return STATUS_SUCCESS;
        }
    }
    return STATUS_NO_MEMORY;
}

NTSTATUS Adapter::Start(const DXGK_START_INFO &Info, const DXGKRNL_INTERFACE &Dxgk)
{
    DXGK_DEVICE_INFO Device = {};
    NTSTATUS Status;

    if (Info.RequiredDmaQueueEntry > Gpu::QueueSize)
        return STATUS_INSUFFICIENT_RESOURCES;
    m_Dxgk = Dxgk;
    Status = m_Dxgk.DxgkCbGetDeviceInformation(m_Dxgk.DeviceHandle, &Device);
    if (NT_SUCCESS(Status))
        Status = TakeMemory(ReadMemorySize(&Device.DeviceRegistryPath));
    if (NT_SUCCESS(Status))
        Status = m_Gpu.Start(m_Dxgk, m_Memory, static_cast<ULONG64>(m_Address.QuadPart), m_Size);
    if (!NT_SUCCESS(Status) && m_Memory) {
        MmFreeContiguousMemory(m_Memory);
        m_Memory = NULL;
    }
    return Status;
}

VOID Adapter::Stop()
{
    m_Gpu.Stop();
    MmFreeContiguousMemory(m_Memory);
    m_Memory = NULL;
}

// ---- caps ----

VOID Adapter::DescribeGpu(DXGK_DRIVERCAPS *Caps) const
{
    Caps->HighestAcceptableAddress.QuadPart = -1;
    Caps->MaxAllocationListSlotId = ListSize;
    Caps->SchedulingCaps.MultiEngineAware = 1;
    Caps->SchedulingCaps.PreemptionAware = 1;
    Caps->PreemptionCaps.GraphicsPreemptionGranularity =
        D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    Caps->PreemptionCaps.ComputePreemptionGranularity =
        D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    Caps->SupportNonVGA = TRUE;
    Caps->WDDMVersion = DXGKDDI_WDDMv1_3;
}

// The GPU's addresses are physical ones; that BaseAddress is not 0 keeps an address from looking
// like none.
VOID Adapter::DescribeMemory(DXGK_QUERYSEGMENTOUT3 *Out) const
{
    DXGK_SEGMENTDESCRIPTOR3 &Memory = Out->pSegmentDescriptor[MemorySegment - 1];

    Memory.BaseAddress = m_Address;
    Memory.CpuTranslatedAddress = m_Address;
    Memory.Size = m_Size;
    Memory.CommitLimit = m_Size;
    Memory.Flags.CpuVisible = 1;
    Memory.Flags.PopulatedFromSystemMemory = 1; // counted once, then, in what the machine has
    Out->PagingBufferSegmentId = 0;
    Out->PagingBufferSize = BufferSize;
    Out->PagingBufferPrivateDataSize = sizeof(BufferInfo);
}

NTSTATUS Adapter::Query(const DXGKARG_QUERYADAPTERINFO &Arg)
{
    switch (Arg.Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        if (Arg.OutputDataSize < sizeof(DXGK_DRIVERCAPS))
            return STATUS_BUFFER_TOO_SMALL;
        DescribeGpu(static_cast<DXGK_DRIVERCAPS *>(Arg.pOutputData));
        return STATUS_SUCCESS;
    case DXGKQAITYPE_QUERYSEGMENT3: {
        auto *Out = static_cast<DXGK_QUERYSEGMENTOUT3 *>(Arg.pOutputData);

        if (Arg.OutputDataSize < sizeof(*Out))
            return STATUS_BUFFER_TOO_SMALL;
        if (!Out->pSegmentDescriptor) // first it is asked how many, then what they are
            Out->NbSegment = 1;
        else
            DescribeMemory(Out);
        return STATUS_SUCCESS;
    }
    default:
        TraceLife("query %u is not answered", static_cast<ULONG>(Arg.Type));
        return STATUS_NOT_SUPPORTED;
    }
}
