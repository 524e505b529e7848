/*
 * d3dkmthk_statistics.h: what D3DKMTQueryStatistics answers. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_STATISTICS_H
#define WDDM_D3DKMTHK_STATISTICS_H

#include "d3dkmthk_query.h"
#include "d3dkmthk_allocation.h"
#include "d3dkmthk_submit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The statistics that can be asked for. Page: ne-d3dkmthk-d3dkmt_querystatistics_type. */
typedef enum _D3DKMT_QUERYSTATISTICS_TYPE {
    D3DKMT_QUERYSTATISTICS_ADAPTER = 0,
    D3DKMT_QUERYSTATISTICS_PROCESS = 1,
    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER = 2,
    D3DKMT_QUERYSTATISTICS_SEGMENT = 3,
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT = 4,
    D3DKMT_QUERYSTATISTICS_NODE = 5,
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE = 6,
    D3DKMT_QUERYSTATISTICS_VIDPNSOURCE = 7,
    D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE = 8,
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP = 9,
    D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER = 10,
    D3DKMT_QUERYSTATISTICS_ADAPTER2 = 11,
    D3DKMT_QUERYSTATISTICS_SEGMENT2 = 12,
    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER2 = 13,
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT2 = 14,
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2 = 15,
    D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE = 16,
    D3DKMT_QUERYSTATISTICS_SEGMENT_GROUP_USAGE = 17,
    D3DKMT_QUERYSTATISTICS_NODE2 = 18,
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE2 = 19,
} D3DKMT_QUERYSTATISTICS_TYPE;

/*
 * How allocations are counted by priority.
 * Page: ne-d3dkmthk-d3dkmt_querystatistics_allocation_priority_class.
 */
typedef enum _D3DKMT_QUERYSTATISTICS_ALLOCATION_PRIORITY_CLASS {
    D3DKMT_AllocationPriorityClassMinimum = 0,
    D3DKMT_AllocationPriorityClassLow = 1,
    D3DKMT_AllocationPriorityClassNormal = 2,
    D3DKMT_AllocationPriorityClassHigh = 3,
    D3DKMT_AllocationPriorityClassMaximum = 4,
    D3DKMT_MaxAllocationPriorityClass = 5,
} D3DKMT_QUERYSTATISTICS_ALLOCATION_PRIORITY_CLASS;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_counter. */
typedef struct _D3DKMT_QUERYSTATISTICS_COUNTER {
    ULONG Count;
    ULONGLONG Bytes;
} D3DKMT_QUERYSTATISTICS_COUNTER;

/* The index of DmaPacket. Page: ne-d3dkmthk-d3dkmt_querystatistics_dma_packet_type. */
typedef enum _D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE {
    D3DKMT_ClientRenderBuffer = 0,
    D3DKMT_ClientPagingBuffer = 1,
    D3DKMT_SystemPagingBuffer = 2,
    D3DKMT_SystemPreemptionBuffer = 3,
    D3DKMT_DmaPacketTypeMax = 4,
} D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_dma_packet_type_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION {
    ULONG PacketSubmited;
    ULONG PacketCompleted;
    ULONG PacketPreempted;
    ULONG PacketFaulted;
} D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_queue_packet_type_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUEUE_PACKET_TYPE_INFORMATION {
    ULONG PacketSubmited;
    ULONG PacketCompleted;
} D3DKMT_QUERYSTATISTICS_QUEUE_PACKET_TYPE_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_packet_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PACKET_INFORMATION {
    D3DKMT_QUERYSTATISTICS_QUEUE_PACKET_TYPE_INFORMATION QueuePacket[8];
    D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION DmaPacket[4];
} D3DKMT_QUERYSTATISTICS_PACKET_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_preemption_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PREEMPTION_INFORMATION {
    ULONG PreemptionCounter[16];
} D3DKMT_QUERYSTATISTICS_PREEMPTION_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_node_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION {
    LARGE_INTEGER RunningTime;
    ULONG ContextSwitch;
    D3DKMT_QUERYSTATISTICS_PREEMPTION_INFORMATION PreemptionStatistics;
    D3DKMT_QUERYSTATISTICS_PACKET_INFORMATION PacketStatistics;
    UINT64 Reserved[8];
} D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_node_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_NODE_INFORMATION {
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION GlobalInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION SystemInformation;
    D3DKMT_NODE_PERFDATA NodePerfData;
    UINT32 Reserved[3];
} D3DKMT_QUERYSTATISTICS_NODE_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_reference_dma_buffer. */
typedef struct _D3DKMT_QUERYSTATSTICS_REFERENCE_DMA_BUFFER {
    ULONG NbCall;
    ULONG NbAllocationsReferenced;
    ULONG MaxNbAllocationsReferenced;
    ULONG NbNULLReference;
    ULONG NbWriteReference;
    ULONG NbRenamedAllocationsReferenced;
    ULONG NbIterationSearchingRenamedAllocation;
    ULONG NbLockedAllocationReferenced;
    ULONG NbAllocationWithValidPrepatchingInfoReferenced;
    ULONG NbAllocationWithInvalidPrepatchingInfoReferenced;
    ULONG NbDMABufferSuccessfullyPrePatched;
    ULONG NbPrimariesReferencesOverflow;
    ULONG NbAllocationWithNonPreferredResources;
    ULONG NbAllocationInsertedInMigrationTable;
} D3DKMT_QUERYSTATSTICS_REFERENCE_DMA_BUFFER;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_renaming. */
typedef struct _D3DKMT_QUERYSTATSTICS_RENAMING {
    ULONG NbAllocationsRenamed;
    ULONG NbAllocationsShrinked;
    ULONG NbRenamedBuffer;
    ULONG MaxRenamingListLength;
    ULONG NbFailuresDueToRenamingLimit;
    ULONG NbFailuresDueToCreateAllocation;
    ULONG NbFailuresDueToOpenAllocation;
    ULONG NbFailuresDueToLowResource;
    ULONG NbFailuresDueToNonRetiredLimit;
} D3DKMT_QUERYSTATSTICS_RENAMING;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_prepration. */
typedef struct _D3DKMT_QUERYSTATSTICS_PREPRATION {
    ULONG BroadcastStall;
    ULONG NbDMAPrepared;
    ULONG NbDMAPreparedLongPath;
    ULONG ImmediateHighestPreparationPass;
    D3DKMT_QUERYSTATISTICS_COUNTER AllocationsTrimmed;
} D3DKMT_QUERYSTATSTICS_PREPRATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_paging_fault. */
typedef struct _D3DKMT_QUERYSTATSTICS_PAGING_FAULT {
    D3DKMT_QUERYSTATISTICS_COUNTER Faults;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsFirstTimeAccess;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsReclaimed;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsMigration;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsIncorrectResource;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsLostContent;
    D3DKMT_QUERYSTATISTICS_COUNTER FaultsEvicted;
    D3DKMT_QUERYSTATISTICS_COUNTER AllocationsMEM_RESET;
    D3DKMT_QUERYSTATISTICS_COUNTER AllocationsUnresetSuccess;
    D3DKMT_QUERYSTATISTICS_COUNTER AllocationsUnresetFail;
    ULONG AllocationsUnresetSuccessRead;
    ULONG AllocationsUnresetFailRead;
    D3DKMT_QUERYSTATISTICS_COUNTER Evictions;
    D3DKMT_QUERYSTATISTICS_COUNTER EvictionsDueToPreparation;
    D3DKMT_QUERYSTATISTICS_COUNTER EvictionsDueToLock;
    D3DKMT_QUERYSTATISTICS_COUNTER EvictionsDueToClose;
    D3DKMT_QUERYSTATISTICS_COUNTER EvictionsDueToPurge;
    D3DKMT_QUERYSTATISTICS_COUNTER EvictionsDueToSuspendCPUAccess;
} D3DKMT_QUERYSTATSTICS_PAGING_FAULT;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_paging_transfer. */
typedef struct _D3DKMT_QUERYSTATSTICS_PAGING_TRANSFER {
    ULONGLONG BytesFilled;
    ULONGLONG BytesDiscarded;
    ULONGLONG BytesMappedIntoAperture;
    ULONGLONG BytesUnmappedFromAperture;
    ULONGLONG BytesTransferredFromMdlToMemory;
    ULONGLONG BytesTransferredFromMemoryToMdl;
    ULONGLONG BytesTransferredFromApertureToMemory;
    ULONGLONG BytesTransferredFromMemoryToAperture;
} D3DKMT_QUERYSTATSTICS_PAGING_TRANSFER;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_swizzling_range. */
typedef struct _D3DKMT_QUERYSTATSTICS_SWIZZLING_RANGE {
    ULONG NbRangesAcquired;
    ULONG NbRangesReleased;
} D3DKMT_QUERYSTATSTICS_SWIZZLING_RANGE;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_locks. */
typedef struct _D3DKMT_QUERYSTATSTICS_LOCKS {
    ULONG NbLocks;
    ULONG NbLocksWaitFlag;
    ULONG NbLocksDiscardFlag;
    ULONG NbLocksNoOverwrite;
    ULONG NbLocksNoReadSync;
    ULONG NbLocksLinearization;
    ULONG NbComplexLocks;
} D3DKMT_QUERYSTATSTICS_LOCKS;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_allocations. */
typedef struct _D3DKMT_QUERYSTATSTICS_ALLOCATIONS {
    D3DKMT_QUERYSTATISTICS_COUNTER Created;
    D3DKMT_QUERYSTATISTICS_COUNTER Destroyed;
    D3DKMT_QUERYSTATISTICS_COUNTER Opened;
    D3DKMT_QUERYSTATISTICS_COUNTER Closed;
    D3DKMT_QUERYSTATISTICS_COUNTER MigratedSuccess;
    D3DKMT_QUERYSTATISTICS_COUNTER MigratedFail;
    D3DKMT_QUERYSTATISTICS_COUNTER MigratedAbandoned;
} D3DKMT_QUERYSTATSTICS_ALLOCATIONS;

/* Page: ns-d3dkmthk-d3dkmt_querystatstics_terminations. */
typedef struct _D3DKMT_QUERYSTATSTICS_TERMINATIONS {
    D3DKMT_QUERYSTATISTICS_COUNTER TerminatedShared;
    D3DKMT_QUERYSTATISTICS_COUNTER TerminatedNonShared;
    D3DKMT_QUERYSTATISTICS_COUNTER DestroyedShared;
    D3DKMT_QUERYSTATISTICS_COUNTER DestroyedNonShared;
} D3DKMT_QUERYSTATSTICS_TERMINATIONS;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_adapter_information_flags. */
typedef struct _D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION_FLAGS {
    union {
        struct {
            UINT64 NumberOfMemoryGroups : 2;
            UINT64 SupportsDemotion : 1;
            UINT64 Reserved : 61;
        };
        UINT64 Value;
    };
} D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION_FLAGS;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_adapter_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION {
    ULONG NbSegments;
    ULONG NodeCount;
    ULONG VidPnSourceCount;
    ULONG VSyncEnabled;
    ULONG TdrDetectedCount;
    LONGLONG ZeroLengthDmaBuffers;
    ULONGLONG RestartedPeriod;
    D3DKMT_QUERYSTATSTICS_REFERENCE_DMA_BUFFER ReferenceDmaBuffer;
    D3DKMT_QUERYSTATSTICS_RENAMING Renaming;
    D3DKMT_QUERYSTATSTICS_PREPRATION Preparation;
    D3DKMT_QUERYSTATSTICS_PAGING_FAULT PagingFault;
    D3DKMT_QUERYSTATSTICS_PAGING_TRANSFER PagingTransfer;
    D3DKMT_QUERYSTATSTICS_SWIZZLING_RANGE SwizzlingRange;
    D3DKMT_QUERYSTATSTICS_LOCKS Locks;
    D3DKMT_QUERYSTATSTICS_ALLOCATIONS Allocations;
    D3DKMT_QUERYSTATSTICS_TERMINATIONS Terminations;
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION_FLAGS Flags;
    UINT64 Reserved[7];
} D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_physical_adapter_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER_INFORMATION {
    D3DKMT_ADAPTER_PERFDATA AdapterPerfData;
    D3DKMT_ADAPTER_PERFDATACAPS AdapterPerfDataCaps;
    D3DKMT_GPUVERSION GpuVersion;
} D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_system_memory. */
typedef struct _D3DKMT_QUERYSTATISTICS_SYSTEM_MEMORY {
    ULONGLONG BytesAllocated;
    ULONGLONG BytesReserved;
    ULONG SmallAllocationBlocks;
    ULONG LargeAllocationBlocks;
    ULONGLONG WriteCombinedBytesAllocated;
    ULONGLONG WriteCombinedBytesReserved;
    ULONGLONG CachedBytesAllocated;
    ULONGLONG CachedBytesReserved;
    ULONGLONG SectionBytesAllocated;
    ULONGLONG SectionBytesReserved;
    ULONGLONG BytesZeroed;
} D3DKMT_QUERYSTATISTICS_SYSTEM_MEMORY;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_INFORMATION {
    ULONG NodeCount;
    ULONG VidPnSourceCount;
    D3DKMT_QUERYSTATISTICS_SYSTEM_MEMORY SystemMemory;
    UINT64 Reserved[7];
} D3DKMT_QUERYSTATISTICS_PROCESS_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_dma_buffer. */
typedef struct _D3DKMT_QUERYSTATISTICS_DMA_BUFFER {
    D3DKMT_QUERYSTATISTICS_COUNTER Size;
    ULONG AllocationListBytes;
    ULONG PatchLocationListBytes;
} D3DKMT_QUERYSTATISTICS_DMA_BUFFER;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_commitment_data. */
typedef struct _D3DKMT_QUERYSTATISTICS_COMMITMENT_DATA {
    UINT64 TotalBytesEvictedFromProcess;
    UINT64 BytesBySegmentPreference[5];
} D3DKMT_QUERYSTATISTICS_COMMITMENT_DATA;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_policy. */
typedef struct _D3DKMT_QUERYSTATISTICS_POLICY {
    ULONGLONG PreferApertureForRead[5];
    ULONGLONG PreferAperture[5];
    ULONGLONG MemResetOnPaging;
    ULONGLONG RemovePagesFromWorkingSetOnPaging;
    ULONGLONG MigrationEnabled;
} D3DKMT_QUERYSTATISTICS_POLICY;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_interference_counters. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_INTERFERENCE_COUNTERS {
    UINT64 InterferenceCount[9];
} D3DKMT_QUERYSTATISTICS_PROCESS_INTERFERENCE_COUNTERS;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_adapter_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION {
    ULONG NbSegments;
    ULONG NodeCount;
    ULONG VidPnSourceCount;
    ULONG VirtualMemoryUsage;
    D3DKMT_QUERYSTATISTICS_DMA_BUFFER DmaBuffer;
    D3DKMT_QUERYSTATISTICS_COMMITMENT_DATA CommitmentData;
    D3DKMT_QUERYSTATISTICS_POLICY _Policy;
    D3DKMT_QUERYSTATISTICS_PROCESS_INTERFERENCE_COUNTERS ProcessInterferenceCounters;
    D3DKMT_CLIENTHINT ClientHint;
} D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_memory. */
typedef struct _D3DKMT_QUERYSTATISTICS_MEMORY {
    ULONGLONG TotalBytesEvicted;
    ULONG AllocsCommitted;
    ULONG AllocsResident;
} D3DKMT_QUERYSTATISTICS_MEMORY;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_segment_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION {
    ULONGLONG CommitLimit;
    ULONGLONG BytesCommitted;
    ULONGLONG BytesResident;
    D3DKMT_QUERYSTATISTICS_MEMORY Memory;
    ULONG Aperture;
    ULONGLONG TotalBytesEvictedByPriority[5];
    UINT64 SystemMemoryEndAddress;
    struct {
        UINT64 PreservedDuringStandby : 1;
        UINT64 PreservedDuringHibernate : 1;
        UINT64 PartiallyPreservedDuringHibernate : 1;
        UINT64 Reserved : 61;
    } PowerFlags;
    struct {
        UINT64 SystemMemory : 1;
        UINT64 PopulatedByReservedDDRByFirmware : 1;
        UINT64 Reserved : 62;
    } SegmentProperties;
    UINT64 Reserved[5];
} D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_video_memory. */
typedef struct _D3DKMT_QUERYSTATISTICS_VIDEO_MEMORY {
    ULONG AllocsCommitted;
    D3DKMT_QUERYSTATISTICS_COUNTER AllocsResidentInP[5];
    D3DKMT_QUERYSTATISTICS_COUNTER AllocsResidentInNonPreferred;
    ULONGLONG TotalBytesEvictedDueToPreparation;
} D3DKMT_QUERYSTATISTICS_VIDEO_MEMORY;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_segment_policy. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_POLICY {
    ULONGLONG UseMRU;
} D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_POLICY;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_segment_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION {
    ULONGLONG BytesCommitted;
    ULONGLONG MaximumWorkingSet;
    ULONGLONG MinimumWorkingSet;
    ULONG NbReferencedAllocationEvictedInPeriod;
    UINT Padding;
    D3DKMT_QUERYSTATISTICS_VIDEO_MEMORY VideoMemory;
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_POLICY _Policy;
    UINT64 Reserved[8];
} D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_segment_group_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP_INFORMATION {
    UINT64 Budget;
    UINT64 Requested;
    UINT64 Usage;
    UINT64 Demoted[5];
} D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_process_vidpnsource_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE_INFORMATION {
    ULONG Frame;
    ULONG CancelledFrame;
    ULONG QueuedPresent;
    UINT Padding;
    UINT64 IsVSyncEnabled;
    UINT64 VSyncOnTotalTimeMs;
    UINT64 VSyncOffKeepPhaseTotalTimeMs;
    UINT64 VSyncOffNoPhaseTotalTimeMs;
    UINT64 Reserved[4];
} D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE_INFORMATION;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_vidpnsource_information. */
typedef struct _D3DKMT_QUERYSTATISTICS_VIDPNSOURCE_INFORMATION {
    D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE_INFORMATION GlobalInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE_INFORMATION SystemInformation;
    UINT64 Reserved[8];
} D3DKMT_QUERYSTATISTICS_VIDPNSOURCE_INFORMATION;

/* The answer to SEGMENT_USAGE and SEGMENT_GROUP_USAGE.
 * Page: ns-d3dkmthk-d3dkmt_querystatistics_result. */
typedef struct _D3DKMT_QUERYSTATISTICS_MEMORY_USAGE {
    UINT64 AllocatedBytes;
    UINT64 FreeBytes;
    UINT64 ZeroBytes;
    UINT64 ModifiedBytes;
    UINT64 StandbyBytes;
} D3DKMT_QUERYSTATISTICS_MEMORY_USAGE;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_query_segment. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT {
    ULONG SegmentId;
} D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_query_node. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_NODE {
    ULONG NodeId;
} D3DKMT_QUERYSTATISTICS_QUERY_NODE;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_query_physical_adapter. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_PHYSICAL_ADAPTER {
    ULONG PhysicalAdapterIndex;
} D3DKMT_QUERYSTATISTICS_QUERY_PHYSICAL_ADAPTER;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_query_vidpnsource. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_VIDPNSOURCE {
    ULONG VidPnSourceId;
} D3DKMT_QUERYSTATISTICS_QUERY_VIDPNSOURCE;

/* The types from ADAPTER2 on name these. Page: ns-d3dkmthk-d3dkmt_querystatistics. */
typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_ADAPTER2 {
    USHORT PhysicalAdapterIndex;
} D3DKMT_QUERYSTATISTICS_QUERY_ADAPTER2;

typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT2 {
    USHORT PhysicalAdapterIndex;
    USHORT SegmentId;
} D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT2;

typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_PROCESS_SEGMENT_GROUP2 {
    USHORT PhysicalAdapterIndex;
    USHORT SegmentGroup; /* D3DKMT_MEMORY_SEGMENT_GROUP */
} D3DKMT_QUERYSTATISTICS_QUERY_PROCESS_SEGMENT_GROUP2;

typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_USAGE {
    USHORT PhysicalAdapterIndex;
    USHORT SegmentId;
} D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_USAGE;

typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_GROUP_USAGE {
    USHORT PhysicalAdapterIndex;
    USHORT SegmentGroup; /* D3DKMT_MEMORY_SEGMENT_GROUP */
} D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_GROUP_USAGE;

typedef struct _D3DKMT_QUERYSTATISTICS_QUERY_NODE2 {
    USHORT PhysicalAdapterIndex;
    USHORT NodeOrdinal;
} D3DKMT_QUERYSTATISTICS_QUERY_NODE2;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics_result. */
typedef union _D3DKMT_QUERYSTATISTICS_RESULT {
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION AdapterInformation;
    D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER_INFORMATION PhysAdapterInformation;
    D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION SegmentInformation;
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION NodeInformation;
    D3DKMT_QUERYSTATISTICS_VIDPNSOURCE_INFORMATION VidPnSourceInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_INFORMATION ProcessInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION ProcessAdapterInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION ProcessSegmentInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION ProcessNodeInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE_INFORMATION ProcessVidPnSourceInformation;
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP_INFORMATION ProcessSegmentGroupInformation;
    D3DKMT_QUERYSTATISTICS_MEMORY_USAGE SegmentUsageInformation;
    D3DKMT_QUERYSTATISTICS_MEMORY_USAGE SegmentGroupUsageInformation;
} D3DKMT_QUERYSTATISTICS_RESULT;

/* Page: ns-d3dkmthk-d3dkmt_querystatistics. */
typedef struct _D3DKMT_QUERYSTATISTICS {
    D3DKMT_QUERYSTATISTICS_TYPE Type;
    LUID AdapterLuid;
    union {
        UINT64 hProcess_Align;
        HANDLE hProcess;
    };
    D3DKMT_QUERYSTATISTICS_RESULT QueryResult;
    union {
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT QuerySegment;
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT QueryProcessSegment;
        D3DKMT_MEMORY_SEGMENT_GROUP QueryProcessSegmentGroup;
        D3DKMT_QUERYSTATISTICS_QUERY_NODE QueryNode;
        D3DKMT_QUERYSTATISTICS_QUERY_NODE QueryProcessNode;
        D3DKMT_QUERYSTATISTICS_QUERY_VIDPNSOURCE QueryVidPnSource;
        D3DKMT_QUERYSTATISTICS_QUERY_VIDPNSOURCE QueryProcessVidPnSource;
        D3DKMT_QUERYSTATISTICS_QUERY_PHYSICAL_ADAPTER QueryPhysAdapter;
        D3DKMT_QUERYSTATISTICS_QUERY_ADAPTER2 QueryAdapter2;
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT2 QuerySegment2;
        D3DKMT_QUERYSTATISTICS_QUERY_ADAPTER2 QueryProcessAdapter2;
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT2 QueryProcessSegment2;
        D3DKMT_QUERYSTATISTICS_QUERY_PROCESS_SEGMENT_GROUP2 QueryProcessSegmentGroup2;
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_USAGE QuerySegmentUsage;
        D3DKMT_QUERYSTATISTICS_QUERY_SEGMENT_GROUP_USAGE QuerySegmentGroupUsage;
        D3DKMT_QUERYSTATISTICS_QUERY_NODE2 QueryNode2;
        D3DKMT_QUERYSTATISTICS_QUERY_NODE2 QueryProcessNode2;
    };
} D3DKMT_QUERYSTATISTICS;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_STATISTICS_H */
