/*
 * d3dukmdt_sync.h: GPU virtual addresses and synchronization. d3dukmdt.h says how to read it.
 */
#ifndef WDDM_D3DUKMDT_SYNC_H
#define WDDM_D3DUKMDT_SYNC_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- GPU virtual addresses ---- */

/* The memory that one leaf entry covers. Page: ne-d3dukmdt-_dxgk_pte_page_size. */
typedef enum _DXGK_PTE_PAGE_SIZE {
    DXGK_PTE_PAGE_TABLE_PAGE_4KB = 0,
    DXGK_PTE_PAGE_TABLE_PAGE_64KB = 1,
} DXGK_PTE_PAGE_SIZE;
WDDM_VALUE_SPELLINGS(DXGK_PTE_PAGE_SIZE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/*
 * One page-table entry as the manager describes it; the driver turns it into the hardware's. A leaf
 * entry names a page, an entry of another level a page table.
 * Page: ns-d3dukmdt-_dxgk_pte.
 */
typedef struct _DXGK_PTE {
    union {
        struct {
            ULONGLONG Valid : 1;                /* there is a translation */
            ULONGLONG Zero : 1;                 /* reads give 0 and writes vanish */
            ULONGLONG CacheCoherent : 1;        /* system memory that the CPU caches are snooped
                                                   for */
            ULONGLONG ReadOnly : 1;             /* writes fault */
            ULONGLONG NoExecute : 1;            /* fetching instructions faults */
            ULONGLONG Segment : 5;              /* id of the segment that holds the page; 0 is
                                                   system memory */
            ULONGLONG LargePage : 1;            /* ends the walk above the last level */
            ULONGLONG PhysicalAdapterIndex : 6; /* the adapter whose memory it is, in a link */
            ULONGLONG PageTablePageSize : 2;    /* DXGK_PTE_PAGE_SIZE of the table's own entries */
            ULONGLONG SystemReserved0 : 1;
            ULONGLONG Reserved : 44;
        };
        ULONGLONG Flags;
    };
    union {
        ULONGLONG PageAddress;      /* leaf: physical address or segment offset, divided by 4096 */
        ULONGLONG PageTableAddress; /* above: that of the page table, divided so too */
    };
} DXGK_PTE;
WDDM_SPELLINGS(DXGK_PTE);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * The rights of the GPU in a mapping.
 * Page: ns-d3dukmdt-_d3dddigpuvirtualaddress_protection_type.
 */
typedef struct _D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE {
    union {
        struct {
            UINT64 Write : 1;
            UINT64 Execute : 1;
            UINT64 Zero : 1;
            UINT64 NoAccess : 1;
            UINT64 SystemUseOnly : 1;
            UINT64 Reserved : 59;
        };
        UINT64 Value;
    };
} D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE;
WDDM_SPELLINGS(D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ne-d3dukmdt-_d3dddigpuvirtualaddress_reservation_type. */
typedef enum _D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE {
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_ACCESS = 0,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_ZERO = 1,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_COMMIT = 2,
} D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE;
WDDM_VALUE_SPELLINGS(D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dukmdt-d3dddi_mapgpuvirtualaddress. */
typedef struct _D3DDDI_MAPGPUVIRTUALADDRESS {
    D3DKMT_HANDLE hPagingQueue;
    D3DGPU_VIRTUAL_ADDRESS BaseAddress;
    D3DGPU_VIRTUAL_ADDRESS MinimumAddress;
    D3DGPU_VIRTUAL_ADDRESS MaximumAddress;
    D3DKMT_HANDLE hAllocation;
    D3DGPU_SIZE_T OffsetInPages;
    D3DGPU_SIZE_T SizeInPages;
    D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE Protection;
    UINT64 DriverProtection;
    UINT Reserved0;
    UINT64 Reserved1;
    D3DGPU_VIRTUAL_ADDRESS VirtualAddress;
    UINT64 PagingFenceValue;
} D3DDDI_MAPGPUVIRTUALADDRESS;
WDDM_SPELLINGS(D3DDDI_MAPGPUVIRTUALADDRESS);

/* Page: ns-d3dukmdt-d3dddi_reservegpuvirtualaddress. */
typedef struct _D3DDDI_RESERVEGPUVIRTUALADDRESS {
    union {
        D3DKMT_HANDLE hPagingQueue;
        D3DKMT_HANDLE hAdapter;
    };
    D3DGPU_VIRTUAL_ADDRESS BaseAddress;
    D3DGPU_VIRTUAL_ADDRESS MinimumAddress;
    D3DGPU_VIRTUAL_ADDRESS MaximumAddress;
    D3DGPU_SIZE_T Size;
    union {
        D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE ReservationType;
        UINT Reserved0;
    };
    union {
        UINT64 DriverProtection;
        UINT64 Reserved1;
    };
    D3DGPU_VIRTUAL_ADDRESS VirtualAddress;
    union {
        UINT64 PagingFenceValue;
        UINT64 Reserved2;
    };
} D3DDDI_RESERVEGPUVIRTUALADDRESS;
WDDM_SPELLINGS(D3DDDI_RESERVEGPUVIRTUALADDRESS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ne-d3dukmdt-_d3dddi_updategpuvirtualaddress_operation_type. */
typedef enum _D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE {
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP = 0,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP = 1,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY = 2,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT = 3,
} D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE;
WDDM_VALUE_SPELLINGS(D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dukmdt-_d3dddi_updategpuvirtualaddress_operation. */
typedef struct _D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION {
    D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE OperationType;
    union {
        struct {
            D3DGPU_VIRTUAL_ADDRESS BaseAddress;
            D3DGPU_SIZE_T SizeInBytes;
            D3DKMT_HANDLE hAllocation;
            D3DGPU_SIZE_T AllocationOffsetInBytes;
            D3DGPU_SIZE_T AllocationSizeInBytes;
        } Map;
        struct {
            D3DGPU_VIRTUAL_ADDRESS BaseAddress;
            D3DGPU_SIZE_T SizeInBytes;
            D3DKMT_HANDLE hAllocation;
            D3DGPU_SIZE_T AllocationOffsetInBytes;
            D3DGPU_SIZE_T AllocationSizeInBytes;
            D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE Protection;
            UINT64 DriverProtection;
        } MapProtect;
        struct {
            D3DGPU_VIRTUAL_ADDRESS BaseAddress;
            D3DGPU_SIZE_T SizeInBytes;
            D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE Protection;
        } Unmap;
        struct {
            D3DGPU_VIRTUAL_ADDRESS SourceAddress;
            D3DGPU_SIZE_T SizeInBytes;
            D3DGPU_VIRTUAL_ADDRESS DestAddress;
        } Copy;
    };
} D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION;
WDDM_SPELLINGS(D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Synchronization ---- */

/* Page: ne-d3dukmdt-_d3dddi_synchronizationobject_type. */
typedef enum _D3DDDI_SYNCHRONIZATIONOBJECT_TYPE {
    D3DDDI_SYNCHRONIZATION_MUTEX = 1,
    D3DDDI_SEMAPHORE = 2,
    D3DDDI_FENCE = 3,
    D3DDDI_CPU_NOTIFICATION = 4,
    D3DDDI_MONITORED_FENCE = 5,
    D3DDDI_PERIODIC_MONITORED_FENCE = 6,
    D3DDDI_NATIVE_FENCE = 7,
    D3DDDI_SYNCHRONIZATION_TYPE_LIMIT = 8,
} D3DDDI_SYNCHRONIZATIONOBJECT_TYPE;
WDDM_VALUE_SPELLINGS(D3DDDI_SYNCHRONIZATIONOBJECT_TYPE);

/* Page: none. */
typedef enum _D3DDDI_NATIVEFENCE_TYPE {
    D3DDDI_NATIVEFENCE_TYPE_DEFAULT = 0,
    D3DDDI_NATIVEFENCE_TYPE_INTRA_GPU = 1,
} D3DDDI_NATIVEFENCE_TYPE;
WDDM_VALUE_SPELLINGS(D3DDDI_NATIVEFENCE_TYPE);

/* Page: ns-d3dukmdt-_d3dddi_synchronizationobject_flags. */
typedef struct _D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS {
    union {
        struct {
            UINT Shared : 1;
            UINT NtSecuritySharing : 1;
            UINT WDDM1_3(CrossAdapter) : 1;
            UINT WDDM2_0(TopOfPipeline) : 1;
            UINT WDDM2_0(NoSignal) : 1;
            UINT WDDM2_0(NoWait) : 1;
            UINT WDDM2_0(NoSignalMaxValueOnTdr) : 1;
            UINT WDDM2_0(NoGPUAccess) : 1;
            UINT WDDM3_0(SignalByKmd) : 1;
            UINT WDDM3_1(Unused) : 1;
            UINT WDDM3_2(UnwaitCpuWaitersOnlyOnDestroy) : 1;
            UINT Reserved : 20;
            UINT WDDM1_2(D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS_RESERVED0) : 1;
        };
        UINT Value;
    };
} D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS;
WDDM_SPELLINGS(D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS);

/* Page: ns-d3dukmdt-_d3dddi_synchronizationobjectinfo. */
typedef struct _D3DDDI_SYNCHRONIZATIONOBJECTINFO {
    D3DDDI_SYNCHRONIZATIONOBJECT_TYPE Type;
    union {
        struct {
            BOOL InitialState;
        } SynchronizationMutex;
        struct {
            UINT MaxCount;
            UINT InitialCount;
        } Semaphore;
        struct {
            UINT Reserved[16];
        } Reserved;
    };
} D3DDDI_SYNCHRONIZATIONOBJECTINFO;
WDDM_SPELLINGS(D3DDDI_SYNCHRONIZATIONOBJECTINFO);

/* Page: ns-d3dukmdt-_d3dddi_synchronizationobjectinfo2. */
typedef struct _D3DDDI_SYNCHRONIZATIONOBJECTINFO2 {
    D3DDDI_SYNCHRONIZATIONOBJECT_TYPE Type;
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS Flags;
    union {
        struct {
            BOOL InitialState;
        } SynchronizationMutex;
        struct {
            UINT MaxCount;
            UINT InitialCount;
        } Semaphore;
        struct {
            UINT64 FenceValue;
        } Fence;
        struct {
            HANDLE Event;
        } CPUNotification;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        struct {
            UINT64 InitialFenceValue;
            void *FenceValueCPUVirtualAddress;
            D3DGPU_VIRTUAL_ADDRESS FenceValueGPUVirtualAddress;
            UINT EngineAffinity;
            UINT Padding;
        } MonitoredFence;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        struct {
            D3DKMT_HANDLE hAdapter;
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT64 Time;
            void *FenceValueCPUVirtualAddress;
            D3DGPU_VIRTUAL_ADDRESS FenceValueGPUVirtualAddress;
            UINT EngineAffinity;
            UINT Padding;
        } PeriodicMonitoredFence;
#endif
        struct {
            UINT64 Reserved[8];
        } Reserved;
    };
    D3DKMT_HANDLE SharedHandle;
} D3DDDI_SYNCHRONIZATIONOBJECTINFO2;
WDDM_SPELLINGS(D3DDDI_SYNCHRONIZATIONOBJECTINFO2);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dukmdt-_d3dddi_waitforsynchronizationobjectfromcpu_flags. */
typedef struct _D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS {
    union {
        struct {
            UINT WaitAny : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS;
WDDM_SPELLINGS(D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dukmdt-_d3dddicb_signalflags. */
typedef struct _D3DDDICB_SIGNALFLAGS {
    union {
        struct {
            UINT SignalAtSubmission : 1;
            UINT WDDM1_2(EnqueueCpuEvent) : 1;
            UINT WDDM2_0(AllowFenceRewind) : 1;
            UINT Reserved : 28;
            UINT WDDM2_0(DXGK_SIGNAL_FLAG_INTERNAL0) : 1;
        };
        UINT Value;
    };
} D3DDDICB_SIGNALFLAGS;
WDDM_SPELLINGS(D3DDDICB_SIGNALFLAGS);

/* Page: ns-d3dukmdt-_d3dddi_createhwqueueflags. */
typedef struct _D3DDDI_CREATEHWQUEUEFLAGS {
    union {
        struct {
            UINT DisableGpuTimeout : 1;
            UINT NoBroadcastSignal : 1;
            UINT NoBroadcastWait : 1;
            UINT NoKmdAccess : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} D3DDDI_CREATEHWQUEUEFLAGS;
WDDM_SPELLINGS(D3DDDI_CREATEHWQUEUEFLAGS);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DUKMDT_SYNC_H */
