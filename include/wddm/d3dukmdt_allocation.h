/*
 * d3dukmdt_allocation.h: what user mode says of allocations: how they are created, locked, made
 * resident and given up. d3dukmdt.h says how to read it.
 */
#ifndef WDDM_D3DUKMDT_ALLOCATION_H
#define WDDM_D3DUKMDT_ALLOCATION_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Allocations ---- */

/*
 * Segments in order of preference, by id (from 1, 0 ends the list), each with an end to begin at.
 * Read DXGK_SEGMENTPREFERENCE for the bits; the two have one layout.
 * Page: ns-d3dukmdt-_d3dddi_segmentpreference.
 */
typedef struct _D3DDDI_SEGMENTPREFERENCE {
    union {
        struct {
            UINT SegmentId0 : 5;
            UINT Direction0 : 1;
            UINT SegmentId1 : 5;
            UINT Direction1 : 1;
            UINT SegmentId2 : 5;
            UINT Direction2 : 1;
            UINT SegmentId3 : 5;
            UINT Direction3 : 1;
            UINT SegmentId4 : 5;
            UINT Direction4 : 1;
            UINT Reserved : 2;
        };
        UINT Value;
    };
} D3DDDI_SEGMENTPREFERENCE;
WDDM_SPELLINGS(D3DDDI_SEGMENTPREFERENCE);

/*
 * The description of one allocation that user mode has created.
 * Page: ns-d3dukmdt-_d3dddi_allocationinfo.
 */
typedef struct _D3DDDI_ALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;                    /* out: the kernel's handle */
    const void *pSystemMem;                       /* in: existing memory to use as backing store,
                                                     or NULL */
    void *pPrivateDriverData;                     /* in/out: passed on to the kernel-mode driver */
    UINT PrivateDriverDataSize;                   /* bytes */
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId; /* of a primary */
    union {
        struct {
            UINT Primary : 1;
            UINT WDDM1_2(Stereo) : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    } Flags;
} D3DDDI_ALLOCATIONINFO;
WDDM_SPELLINGS(D3DDDI_ALLOCATIONINFO);

/* Page: ns-d3dukmdt-_d3dddi_openallocationinfo. */
typedef struct _D3DDDI_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DDDI_OPENALLOCATIONINFO;
WDDM_SPELLINGS(D3DDDI_OPENALLOCATIONINFO);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: ns-d3dukmdt-_d3dddi_allocationinfo2. */
typedef struct _D3DDDI_ALLOCATIONINFO2 {
    D3DKMT_HANDLE hAllocation;
    union {
        HANDLE hSection;
        const void *pSystemMem;
    };
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    union {
        struct {
            UINT Primary : 1;
            UINT WDDM1_2(Stereo) : 1;
            UINT WDDM2_2(OverridePriority) : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    } Flags;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    union {
        UINT Priority;
        ULONG_PTR Unused;
    };
    ULONG_PTR Reserved[5];
#else
    ULONG_PTR Reserved[6];
#endif
} D3DDDI_ALLOCATIONINFO2;
WDDM_SPELLINGS(D3DDDI_ALLOCATIONINFO2);

/* Page: ns-d3dukmdt-_d3dddi_openallocationinfo2. */
typedef struct _D3DDDI_OPENALLOCATIONINFO2 {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
    ULONG_PTR Reserved[6];
} D3DDDI_OPENALLOCATIONINFO2;
WDDM_SPELLINGS(D3DDDI_OPENALLOCATIONINFO2);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* How an allocation is destroyed. Page: ns-d3dukmdt-_d3dddicb_destroyallocation2flags. */
typedef struct _D3DDDICB_DESTROYALLOCATION2FLAGS {
    union {
        struct {
            UINT AssumeNotInUse : 1;     /* user mode vouches that no queued work uses it:
                                            nothing is waited for */
            UINT SynchronousDestroy : 1; /* it is gone on return */
            UINT Reserved : 29;
            UINT SystemUseOnly : 1;
        };
        UINT Value;
    };
} D3DDDICB_DESTROYALLOCATION2FLAGS;
WDDM_SPELLINGS(D3DDDICB_DESTROYALLOCATION2FLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * Properties that may change while an allocation lives.
 * Page: ns-d3dukmdt-d3dddi_updateallocproperty_flags.
 */
typedef struct _D3DDDI_UPDATEALLOCPROPERTY_FLAGS {
    union {
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        struct {
            UINT AccessedPhysically : 1;
            UINT Unmoveable : 1;
            UINT Reserved : 30;
        };
#endif
        UINT Value;
    };
} D3DDDI_UPDATEALLOCPROPERTY_FLAGS;
WDDM_SPELLINGS(D3DDDI_UPDATEALLOCPROPERTY_FLAGS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
/* Page: ns-d3dukmdt-d3dddi_updateallocproperty. */
typedef struct _D3DDDI_UPDATEALLOCPROPERTY {
    D3DKMT_HANDLE hPagingQueue;
    D3DKMT_HANDLE hAllocation;
    UINT SupportedSegmentSet;
    D3DDDI_SEGMENTPREFERENCE PreferredSegment;
    D3DDDI_UPDATEALLOCPROPERTY_FLAGS Flags;
    UINT64 PagingFenceValue;
    union {
        struct {
            UINT SetAccessedPhysically : 1;
            UINT SetSupportedSegmentSet : 1;
            UINT SetPreferredSegment : 1;
            UINT SetUnmoveable : 1;
            UINT Reserved : 28;
        };
        UINT PropertyMaskValue;
    };
} D3DDDI_UPDATEALLOCPROPERTY;
WDDM_SPELLINGS(D3DDDI_UPDATEALLOCPROPERTY);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

/* ---- Locks ---- */

/* How the CPU wants an allocation (WDDM 1.x). Page: ns-d3dukmdt-_d3dddicb_lockflags. */
typedef struct _D3DDDICB_LOCKFLAGS {
    union {
        struct {
            UINT ReadOnly : 1;            /* the CPU only reads; excludes WriteOnly */
            UINT WriteOnly : 1;           /* the CPU only writes */
            UINT DonotWait : 1;           /* refuse instead of waiting for the GPU */
            UINT IgnoreSync : 1;          /* neither wait nor ask whether the GPU uses it; only
                                             where an aperture may hold it */
            UINT LockEntire : 1;          /* the whole, and not the listed pages */
            UINT DonotEvict : 1;          /* refuse if it had to leave its segment for this */
            UINT AcquireAperture : 1;     /* set up an unswizzling range with
                                             DxgkDdiAcquireSwizzlingRange */
            UINT Discard : 1;             /* the old content is not wanted: the manager may
                                             answer with another instance */
            UINT NoExistingReference : 1; /* no queued command refers to an instance of it */
            UINT UseAlternateVA : 1;      /* by an address of its own, where it is laid out in
                                             rows; needs AcquireAperture */
            UINT IgnoreReadSync : 1;      /* wait for the GPU's writes only */
            UINT Reserved : 21;
        };
        UINT Value;
    };
} D3DDDICB_LOCKFLAGS;
WDDM_SPELLINGS(D3DDDICB_LOCKFLAGS);

/* From WDDM 2.0 a lock has no modes; all bits are 0. Page: ns-d3dukmdt-_d3dddicb_lock2flags. */
typedef struct _D3DDDICB_LOCK2FLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} D3DDDICB_LOCK2FLAGS;
WDDM_SPELLINGS(D3DDDICB_LOCK2FLAGS);

/* ---- Residency ---- */

/*
 * How willingly the content of an offered allocation is given up.
 * Page: ne-d3dukmdt-_d3dddi_offer_priority.
 */
typedef enum _D3DDDI_OFFER_PRIORITY {
    D3DDDI_OFFER_PRIORITY_NONE = 0, /* not offered */
    D3DDDI_OFFER_PRIORITY_LOW = 1,  /* first to go */
    D3DDDI_OFFER_PRIORITY_NORMAL = 2,
    D3DDDI_OFFER_PRIORITY_HIGH = 3,
    D3DDDI_OFFER_PRIORITY_AUTO = 4, /* by the allocation's own priority */
} D3DDDI_OFFER_PRIORITY;
WDDM_VALUE_SPELLINGS(D3DDDI_OFFER_PRIORITY);

/* The fate of an allocation while it was offered. Page: ne-d3dukmdt-_d3dddi_reclaim_result. */
typedef enum _D3DDDI_RECLAIM_RESULT {
    D3DDDI_RECLAIM_RESULT_OK = 0,            /* the content is there */
    D3DDDI_RECLAIM_RESULT_DISCARDED = 1,     /* the content is lost, the memory is there */
    D3DDDI_RECLAIM_RESULT_NOT_COMMITTED = 2, /* content and memory are gone */
} D3DDDI_RECLAIM_RESULT;
WDDM_VALUE_SPELLINGS(D3DDDI_RECLAIM_RESULT);

/* Page: ne-d3dukmdt-d3dddi_pagingqueue_priority. */
typedef enum _D3DDDI_PAGINGQUEUE_PRIORITY {
    D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL = -1,
    D3DDDI_PAGINGQUEUE_PRIORITY_NORMAL = 0,
    D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL = 1,
} D3DDDI_PAGINGQUEUE_PRIORITY;
WDDM_VALUE_SPELLINGS(D3DDDI_PAGINGQUEUE_PRIORITY);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dukmdt-d3dddi_makeresident_flags. */
typedef struct _D3DDDI_MAKERESIDENT_FLAGS {
    union {
        struct {
            UINT CantTrimFurther : 1;
            UINT MustSucceed : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_MAKERESIDENT_FLAGS;
WDDM_SPELLINGS(D3DDDI_MAKERESIDENT_FLAGS);

/* Page: ns-d3dukmdt-d3dddi_makeresident. */
typedef struct _D3DDDI_MAKERESIDENT {
    D3DKMT_HANDLE hPagingQueue;
    UINT NumAllocations;
    const D3DKMT_HANDLE *AllocationList;
    const UINT *PriorityList;
    D3DDDI_MAKERESIDENT_FLAGS Flags;
    UINT64 PagingFenceValue;
    UINT64 NumBytesToTrim;
} D3DDDI_MAKERESIDENT;
WDDM_SPELLINGS(D3DDDI_MAKERESIDENT);

/* Page: ns-d3dukmdt-d3dddi_evict_flags. */
typedef struct _D3DDDI_EVICT_FLAGS {
    union {
        struct {
            UINT EvictOnlyIfNecessary : 1;
            UINT NotWrittenTo : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_EVICT_FLAGS;
WDDM_SPELLINGS(D3DDDI_EVICT_FLAGS);

/* Page: ns-d3dukmdt-d3dddi_trimresidencyset_flags. */
typedef struct _D3DDDI_TRIMRESIDENCYSET_FLAGS {
    union {
        struct {
            UINT PeriodicTrim : 1;
            UINT RestartPeriodicTrim : 1;
            UINT TrimToBudget : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} D3DDDI_TRIMRESIDENCYSET_FLAGS;
WDDM_SPELLINGS(D3DDDI_TRIMRESIDENCYSET_FLAGS);

/* Page: ns-d3dukmdt-d3dddi_destroypagingqueue. */
typedef struct _D3DDDI_DESTROYPAGINGQUEUE {
    D3DKMT_HANDLE hPagingQueue;
} D3DDDI_DESTROYPAGINGQUEUE;
WDDM_SPELLINGS(D3DDDI_DESTROYPAGINGQUEUE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DUKMDT_ALLOCATION_H */
