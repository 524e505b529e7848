/*
 * d3dkmthk_allocation.h: user mode's requests about memory: allocations and resources, locks,
 * residency, budgets, GPU virtual addresses. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_ALLOCATION_H
#define WDDM_D3DKMTHK_ALLOCATION_H

#include "d3dukmdt_allocation.h"
#include "d3dukmdt_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Allocations and resources ---- */

/*
 * Allocations that user mode may have made without a driver's private data.
 * Page: ne-d3dkmthk-_d3dkmt_standardallocationtype.
 */
typedef enum _D3DKMT_STANDARDALLOCATIONTYPE {
    D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP = 1,
    D3DKMT_STANDARDALLOCATIONTYPE_INTERNALBACKINGSTORE = 2,
    D3DKMT_STANDARDALLOCATIONTYPE_MAX = 3,
} D3DKMT_STANDARDALLOCATIONTYPE;

/* Page: ns-d3dkmthk-_d3dkmt_standardallocation_existingheap. */
typedef struct _D3DKMT_STANDARDALLOCATION_EXISTINGHEAP {
    D3DKMT_SIZE_T Size;
} D3DKMT_STANDARDALLOCATION_EXISTINGHEAP;

/* All reserved. Page: ns-d3dkmthk-_d3dkmt_createstandardallocationflags. */
typedef struct _D3DKMT_CREATESTANDARDALLOCATIONFLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} D3DKMT_CREATESTANDARDALLOCATIONFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_createstandardallocation. */
typedef struct _D3DKMT_CREATESTANDARDALLOCATION {
    D3DKMT_STANDARDALLOCATIONTYPE Type;
    D3DKMT_STANDARDALLOCATION_EXISTINGHEAP ExistingHeapData;
    D3DKMT_CREATESTANDARDALLOCATIONFLAGS Flags;
} D3DKMT_CREATESTANDARDALLOCATION;

/* How user mode wants allocations made. Page: ns-d3dkmthk-_d3dkmt_createallocationflags. */
typedef struct _D3DKMT_CREATEALLOCATIONFLAGS {
    UINT CreateResource : 1;
    UINT CreateShared : 1;
    UINT NonSecure : 1;
    UINT CreateProtected : 1;
    UINT RestrictSharedAccess : 1;
    UINT ExistingSysMem : 1;
    UINT WDDM1_2(NtSecuritySharing) : 1;
    UINT WDDM1_2(ReadOnly) : 1;
    UINT WDDM1_2(CreateWriteCombined) : 1;
    UINT WDDM1_2(CreateCached) : 1;
    UINT WDDM1_2(SwapChainBackBuffer) : 1;
    UINT WDDM1_3(CrossAdapter) : 1;
    UINT WDDM1_3(OpenCrossAdapter) : 1;
    UINT WDDM1_3(PartialSharedCreation) : 1;
    UINT WDDM1_3(Zeroed) : 1;
    UINT WDDM1_3(WriteWatch) : 1;
    UINT WDDM2_3(StandardAllocation) : 1;
    UINT WDDM2_3(ExistingSection) : 1;
    UINT WDDM2_6(AllowNotZeroed) : 1;
    UINT WDDM2_7(PhysicallyContiguous) : 1;
    UINT WDDM2_7(NoKmdAccess) : 1;
    UINT WDDM3_0(SharedDisplayable) : 1;
    UINT NoImplicitSynchronization : 1;
    UINT Reserved : 9;
} D3DKMT_CREATEALLOCATIONFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_createallocation. */
typedef struct _D3DKMT_CREATEALLOCATION {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    D3DKMT_HANDLE hGlobalShare;
    const void *pPrivateRuntimeData;
    UINT PrivateRuntimeDataSize;
    union {
        D3DKMT_CREATESTANDARDALLOCATION *pStandardAllocation;
        const void *pPrivateDriverData;
    };
    UINT PrivateDriverDataSize;
    UINT NumAllocations;
    union {
        D3DDDI_ALLOCATIONINFO *pAllocationInfo;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        D3DDDI_ALLOCATIONINFO2 *pAllocationInfo2;
#endif
    };
    D3DKMT_CREATEALLOCATIONFLAGS Flags;
    HANDLE hPrivateRuntimeResourceHandle;
} D3DKMT_CREATEALLOCATION;

/* Page: ns-d3dkmthk-_d3dkmt_destroyallocation. */
typedef struct _D3DKMT_DESTROYALLOCATION {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    const D3DKMT_HANDLE *phAllocationList;
    UINT AllocationCount;
} D3DKMT_DESTROYALLOCATION;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_destroyallocation2. */
typedef struct _D3DKMT_DESTROYALLOCATION2 {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    const D3DKMT_HANDLE *phAllocationList;
    UINT AllocationCount;
    D3DDDICB_DESTROYALLOCATION2FLAGS Flags;
} D3DKMT_DESTROYALLOCATION2;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmthk-_d3dkmt_openresource. */
typedef struct _D3DKMT_OPENRESOURCE {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hGlobalShare;
    UINT NumAllocations;
    union {
        D3DDDI_OPENALLOCATIONINFO *pOpenAllocationInfo;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        D3DDDI_OPENALLOCATIONINFO2 *pOpenAllocationInfo2;
#endif
    };
    void *pPrivateRuntimeData;
    UINT PrivateRuntimeDataSize;
    void *pResourcePrivateDriverData;
    UINT ResourcePrivateDriverDataSize;
    void *pTotalPrivateDriverDataBuffer;
    UINT TotalPrivateDriverDataBufferSize;
    D3DKMT_HANDLE hResource;
} D3DKMT_OPENRESOURCE;

/* Page: ns-d3dkmthk-_d3dkmt_queryresourceinfo. */
typedef struct _D3DKMT_QUERYRESOURCEINFO {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hGlobalShare;
    void *pPrivateRuntimeData;
    UINT PrivateRuntimeDataSize;
    UINT TotalPrivateDriverDataSize;
    UINT ResourcePrivateDriverDataSize;
    UINT NumAllocations;
} D3DKMT_QUERYRESOURCEINFO;

/* Page: ns-d3dkmthk-_d3dkmt_setallocationpriority. */
typedef struct _D3DKMT_SETALLOCATIONPRIORITY {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    const D3DKMT_HANDLE *phAllocationList;
    UINT AllocationCount;
    const UINT *pPriorities;
} D3DKMT_SETALLOCATIONPRIORITY;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* Page: ns-d3dkmthk-_d3dkmt_getallocationpriority. */
typedef struct _D3DKMT_GETALLOCATIONPRIORITY {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    const D3DKMT_HANDLE *phAllocationList;
    UINT AllocationCount;
    UINT *pPriorities;
} D3DKMT_GETALLOCATIONPRIORITY;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

/*
 * The place of an allocation; of several the worst is told.
 * Page: ne-d3dkmthk-_d3dkmt_allocationresidencystatus.
 */
typedef enum _D3DKMT_ALLOCATIONRESIDENCYSTATUS {
    /* in a memory segment */
    D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY = 1,
    /* in an aperture segment */
    D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINSHAREDMEMORY = 2,
    /* in neither */
    D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT = 3,
} D3DKMT_ALLOCATIONRESIDENCYSTATUS;

/* Page: ns-d3dkmthk-_d3dkmt_queryallocationresidency. */
typedef struct _D3DKMT_QUERYALLOCATIONRESIDENCY {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hResource;
    const D3DKMT_HANDLE *phAllocationList;
    UINT AllocationCount;
    D3DKMT_ALLOCATIONRESIDENCYSTATUS *pResidencyStatus;
} D3DKMT_QUERYALLOCATIONRESIDENCY;

/* ---- Locks ---- */

/* Lock an allocation for the CPU (WDDM 1.x). Page: ns-d3dkmthk-_d3dkmt_lock. */
typedef struct _D3DKMT_LOCK {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hAllocation; /* in: the allocation; out: another instance of it, after a
                                  discarding lock */
    UINT PrivateDriverData;    /* in: for DxgkDdiAcquireSwizzlingRange */
    UINT NumPages;             /* in: elements of the array; 0 with LockEntire */
    const UINT *pPages;        /* in: indices of the pages that are wanted */
    void *pData;               /* out: CPU address of the allocation's start */
    D3DDDICB_LOCKFLAGS Flags;  /* in */
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
} D3DKMT_LOCK;

/* Unlock allocations. Page: ns-d3dkmthk-_d3dkmt_unlock. */
typedef struct _D3DKMT_UNLOCK {
    D3DKMT_HANDLE hDevice;
    UINT NumAllocations;                /* in: elements of the array */
    const D3DKMT_HANDLE *phAllocations; /* in */
} D3DKMT_UNLOCK;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_lock2. */
typedef struct _D3DKMT_LOCK2 {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hAllocation;
    D3DDDICB_LOCK2FLAGS Flags;
    PVOID pData;
} D3DKMT_LOCK2;

/* Page: ns-d3dkmthk-_d3dkmt_unlock2. */
typedef struct _D3DKMT_UNLOCK2 {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hAllocation;
} D3DKMT_UNLOCK2;

/* Page: ns-d3dkmthk-_d3dkmt_invalidatecache. */
typedef struct _D3DKMT_INVALIDATECACHE {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hAllocation;
    D3DKMT_SIZE_T Offset;
    D3DKMT_SIZE_T Length;
} D3DKMT_INVALIDATECACHE;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Residency ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_createpagingqueue. */
typedef struct _D3DKMT_CREATEPAGINGQUEUE {
    D3DKMT_HANDLE hDevice;
    D3DDDI_PAGINGQUEUE_PRIORITY Priority;
    D3DKMT_HANDLE hPagingQueue;
    D3DKMT_HANDLE hSyncObject;
    void *FenceValueCPUVirtualAddress;
    UINT PhysicalAdapterIndex;
} D3DKMT_CREATEPAGINGQUEUE;

/* Page: ns-d3dkmthk-_d3dkmt_evict. */
typedef struct _D3DKMT_EVICT {
    D3DKMT_HANDLE hDevice;
    UINT NumAllocations;
    const D3DKMT_HANDLE *AllocationList;
    D3DDDI_EVICT_FLAGS Flags;
    UINT64 NumBytesToTrim;
} D3DKMT_EVICT;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* How willingly offered content is given up. Page: ne-d3dkmthk-_d3dkmt_offer_priority. */
typedef enum _D3DKMT_OFFER_PRIORITY {
    D3DKMT_OFFER_PRIORITY_LOW = 1,
    D3DKMT_OFFER_PRIORITY_NORMAL = 2,
    D3DKMT_OFFER_PRIORITY_HIGH = 3,
    D3DKMT_OFFER_PRIORITY_AUTO = 4,
} D3DKMT_OFFER_PRIORITY;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_offer_flags. */
typedef struct _D3DKMT_OFFER_FLAGS {
    union {
        struct {
            UINT OfferImmediately : 1;
            UINT AllowDecommit : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DKMT_OFFER_FLAGS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmthk-_d3dkmt_offerallocations. */
typedef struct _D3DKMT_OFFERALLOCATIONS {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE *pResources;
    const D3DKMT_HANDLE *HandleList;
    UINT NumAllocations;
    D3DKMT_OFFER_PRIORITY Priority;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    D3DKMT_OFFER_FLAGS Flags;
#endif
} D3DKMT_OFFERALLOCATIONS;

/* Page: ns-d3dkmthk-_d3dkmt_reclaimallocations. */
typedef struct _D3DKMT_RECLAIMALLOCATIONS {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE *pResources;
    const D3DKMT_HANDLE *HandleList;
    BOOL *pDiscarded;
    UINT NumAllocations;
} D3DKMT_RECLAIMALLOCATIONS;

/* Page: ns-d3dkmthk-_d3dkmt_reclaimallocations2. */
typedef struct _D3DKMT_RECLAIMALLOCATIONS2 {
    D3DKMT_HANDLE hPagingQueue;
    UINT NumAllocations;
    D3DKMT_HANDLE *pResources;
    const D3DKMT_HANDLE *HandleList;
    union {
        BOOL *pDiscarded;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        D3DDDI_RECLAIM_RESULT *pResults;
#endif
    };
    UINT64 PagingFenceValue;
} D3DKMT_RECLAIMALLOCATIONS2;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_flushheaptransitions. */
typedef struct _D3DKMT_FLUSHHEAPTRANSITIONS {
    D3DKMT_HANDLE hAdapter;
} D3DKMT_FLUSHHEAPTRANSITIONS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Budgets ---- */

/* Memory that budgets are kept of. Page: ne-d3dkmthk-_d3dkmt_memory_segment_group. */
typedef enum _D3DKMT_MEMORY_SEGMENT_GROUP {
    D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL = 0,     /* memory segments */
    D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL = 1, /* system memory that the GPU uses */
} D3DKMT_MEMORY_SEGMENT_GROUP;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_queryvideomemoryinfo. */
typedef struct _D3DKMT_QUERYVIDEOMEMORYINFO {
    HANDLE hProcess;
    D3DKMT_HANDLE hAdapter;
    D3DKMT_MEMORY_SEGMENT_GROUP MemorySegmentGroup;
    UINT64 Budget;
    UINT64 CurrentUsage;
    UINT64 CurrentReservation;
    UINT64 AvailableForReservation;
    UINT PhysicalAdapterIndex;
} D3DKMT_QUERYVIDEOMEMORYINFO;

/* Page: none. */
typedef struct _D3DKMT_CHANGEVIDEOMEMORYRESERVATION {
    HANDLE hProcess;
    D3DKMT_HANDLE hAdapter;
    D3DKMT_MEMORY_SEGMENT_GROUP MemorySegmentGroup;
    UINT64 Reservation;
    UINT PhysicalAdapterIndex;
} D3DKMT_CHANGEVIDEOMEMORYRESERVATION;

/* Page: ns-d3dkmthk-_d3dkmt_trimnotification. */
typedef struct _D3DKMT_TRIMNOTIFICATION {
    void *Context;
    D3DDDI_TRIMRESIDENCYSET_FLAGS Flags;
    UINT64 NumBytesToTrim;
} D3DKMT_TRIMNOTIFICATION;

/* Called when the budget shrinks. Page: nc-d3dkmthk-pfnd3dkmt_trimnotificationcallback. */
typedef void (*PFND3DKMT_TRIMNOTIFICATIONCALLBACK)(D3DKMT_TRIMNOTIFICATION *);

/* Page: ns-d3dkmthk-_d3dkmt_registertrimnotification. */
typedef struct _D3DKMT_REGISTERTRIMNOTIFICATION {
    LUID AdapterLuid;
    D3DKMT_HANDLE hDevice;
    PFND3DKMT_TRIMNOTIFICATIONCALLBACK Callback;
    void *Context;
    void *Handle;
} D3DKMT_REGISTERTRIMNOTIFICATION;

/* Page: ns-d3dkmthk-_d3dkmt_unregistertrimnotification. */
typedef struct _D3DKMT_UNREGISTERTRIMNOTIFICATION {
    void *Handle;
    PFND3DKMT_TRIMNOTIFICATIONCALLBACK Callback;
} D3DKMT_UNREGISTERTRIMNOTIFICATION;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- GPU virtual addresses ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_freegpuvirtualaddress. */
typedef struct _D3DKMT_FREEGPUVIRTUALADDRESS {
    D3DKMT_HANDLE hAdapter;
    D3DGPU_VIRTUAL_ADDRESS BaseAddress;
    D3DGPU_SIZE_T Size;
} D3DKMT_FREEGPUVIRTUALADDRESS;

/* Page: ns-d3dkmthk-_d3dkmt_updategpuvirtualaddress. */
typedef struct _D3DKMT_UPDATEGPUVIRTUALADDRESS {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hContext;
    D3DKMT_HANDLE hFenceObject;
    UINT NumOperations;
    D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *Operations;
    D3DKMT_SIZE_T Reserved0;
    UINT64 Reserved1;
    UINT64 FenceValue;
    union {
        struct {
            UINT DoNotWait : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    } Flags;
} D3DKMT_UPDATEGPUVIRTUALADDRESS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_ALLOCATION_H */
