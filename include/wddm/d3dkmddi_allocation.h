/*
 * d3dkmddi_allocation.h: allocations, from creation to destruction.
 *
 *     CreateAllocation -> OpenAllocation, each device -> CloseAllocation -> DestroyAllocation
 *
 * The driver says how large an allocation is and where it may live; where it lives and when the
 * memory manager decides. "in" is written by the caller, "out" by the driver.
 */
#ifndef WDDM_D3DKMDDI_ALLOCATION_H
#define WDDM_D3DKMDDI_ALLOCATION_H

#include "d3dukmdt_allocation.h"
#include "d3dukmdt_sync.h"
#include "d3dkmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Allocations ---- */

/* Segments in order of preference. An id counts from 1; 0 ends the list. Page: none. */
typedef struct _DXGK_SEGMENTPREFERENCE {
    union {
        struct {
            UINT SegmentId0 : 5; /* most preferred */
            UINT Direction0 : 1; /* 1: seek a place from the segment's end; 0: from its start */
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
} DXGK_SEGMENTPREFERENCE;
WDDM_SPELLINGS(DXGK_SEGMENTPREFERENCE);

/*
 * Banks of the most preferred segment, in order of preference, each with an end to begin at. A bank
 * counts from 1; 0 ends the list.
 * Page: ns-d3dkmddi-_dxgk_segmentbankpreference.
 */
typedef struct _DXGK_SEGMENTBANKPREFERENCE {
    union {
        struct {
            UINT Bank0 : 7;      /* most preferred */
            UINT Direction0 : 1; /* 1: from the bank's end; 0: from its start */
            UINT Bank1 : 7;
            UINT Direction1 : 1;
            UINT Bank2 : 7;
            UINT Direction2 : 1;
            UINT Bank3 : 7;
            UINT Direction3 : 1;
        };
        UINT Value;
    };
} DXGK_SEGMENTBANKPREFERENCE;
WDDM_SPELLINGS(DXGK_SEGMENTBANKPREFERENCE);

/*
 * The properties of an allocation, in drivers below WDDM 2.0. The driver sets them. Exclusions: at
 * most one of PermanentSysMem, ExistingSysMem, ExistingKernelSysMem; Protected with none of them;
 * PermanentSysMem and Cached need CpuVisible; a primary has none of bits 1 to 5.
 * Page: ns-d3dkmddi-_dxgk_allocationinfoflags.
 */
typedef struct _DXGK_ALLOCATIONINFOFLAGS {
    union {
        struct {
            UINT CpuVisible : 1;                  /* the CPU may lock it */
            UINT PermanentSysMem : 1;             /* system memory keeps a copy: evicted by
                                                     discarding, locked in that copy */
            UINT Cached : 1;                      /* its backing store is cached; clear:
                                                     write-combined */
            UINT Protected : 1;                   /* its backing store is out of the program's
                                                     reach */
            UINT ExistingSysMem : 1;              /* backed by memory of the program, page
                                                     aligned, whole pages */
            UINT ExistingKernelSysMem : 1;        /* backed by memory of the kernel, page
                                                     aligned, whole pages */
            UINT FromEndOfSegment : 1;            /* seek a place from the segment's end, where
                                                     no preference says otherwise */
            UINT Swizzled : 1;                    /* a lock needs an unswizzling range */
            UINT Overlay : 1;                     /* pinned once placed */
            UINT Capture : 1;                     /* pinned once placed */
            UINT UseAlternateVA : 1;              /* a primary that may be locked by an alternate
                                                     address */
            UINT SynchronousPaging : 1;           /* idle before it is paged, and no submission
                                                     during paging */
            UINT LinkMirrored : 1;                /* one content on every adapter of a link */
            UINT LinkInstanced : 1;               /* a content of its own on every adapter of a
                                                     link */
            UINT HistoryBuffer : 1;               /* for time stamps; needs CpuVisible, and
                                                     Cached where an aperture is coherent */
            UINT WDDM2_0(AccessedPhysically) : 1; /* used by physical address: contiguous within
                                                     a segment */
            /* DXGK_OPERATION_NOTIFY_RESIDENCY follows it; needs AccessedPhysically */
            UINT WDDM2_0(ExplicitResidencyNotification) : 1;
            UINT WDDM2_0(HardwareProtected) : 1;  /* holds protected content */
            UINT WDDM2_0(CpuVisibleOnDemand) : 1; /* as CpuVisible, but has an address only while
                                                     locked */
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS;
WDDM_SPELLINGS(DXGK_ALLOCATIONINFOFLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * The flags of an allocation for drivers from WDDM 2.0: bits 7 and 10 to 13 mean other things.
 * Page: ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.
 */
typedef struct _DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 {
    union {
        struct {
            UINT CpuVisible : 1;              /* the CPU may lock it */
            UINT PermanentSysMem : 1;         /* system memory keeps a copy */
            UINT Cached : 1;                  /* its backing store is cached; clear:
                                                        write-combined */
            UINT Protected : 1;               /* its backing store is out of the program's
                                                        reach */
            UINT ExistingSysMem : 1;          /* backed by memory of the program */
            UINT ExistingKernelSysMem : 1;    /* backed by memory of the kernel */
            UINT FromEndOfSegment : 1;        /* seek a place from the segment's end */
            UINT DisableLargePageMapping : 1; /* never mapped by a large page */
            UINT Overlay : 1;                 /* pinned once placed */
            UINT Capture : 1;                 /* pinned once placed */
            UINT WDDM2_1(CreateInVpr) : 1;    /* lives in the protected video region */
            UINT DXGK_ALLOC_RESERVED17 : 1;
            UINT Reserved02 : 1;
            UINT WDDM2_9(MapApertureCpuVisible) : 1; /* MAP_APERTURE_SEGMENT2 brings a CPU
                                                        address along */
            UINT HistoryBuffer : 1;                  /* for time stamps */
            UINT AccessedPhysically : 1;             /* used by physical address: contiguous
                                                        within a segment */
            UINT ExplicitResidencyNotification : 1;  /* DXGK_OPERATION_NOTIFY_RESIDENCY follows
                                                        it; needs AccessedPhysically */
            UINT HardwareProtected : 1;              /* holds protected content */
            UINT CpuVisibleOnDemand : 1;             /* as CpuVisible, but has an address only
                                                        while locked */
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;
WDDM_SPELLINGS(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
/* More flags of an allocation, from WDDM 3.0. Page: ns-d3dkmddi-dxgk_allocationinfoflags2. */
typedef struct _DXGK_ALLOCATIONINFOFLAGS2 {
    union {
        struct {
            UINT ShareBackingStoreWithKmd : 1; /* the driver learns of the backing store */
            /* the kernel orders nothing by it */
            UINT WDDM3_2(NoImplicitSynchronization) : 1;
            /* resident as a whole or not at all */
            UINT WDDM3_2(DisablePartialResidency) : 1;
            /* never spread over segments */
            UINT WDDM3_2(RestrictedToSingleSegment) : 1;
            UINT WDDM3_2(NotifyEviction) : 1;   /* DXGK_OPERATION_NOTIFY_ALLOC follows its
                                                   evictions */
            UINT WDDM3_2(NotifyIoMmuUnmap) : 1; /* and its unmapping from the IOMMU */
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS2;
WDDM_SPELLINGS(DXGK_ALLOCATIONINFOFLAGS2);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

/*
 * Format and shape, for whoever draws the allocation. Pitches are bytes, sizes are pixels.
 * Page: ns-d3dkmddi-_dxgk_allocationusageinfo1.
 */
typedef struct _DXGK_ALLOCATIONUSAGEINFO1 {
    union {
        struct {
            UINT PrivateFormat : 1;
            UINT Swizzled : 1;
            UINT MipMap : 1;
            UINT Cube : 1;
            UINT Volume : 1;
            UINT Vertex : 1;
            UINT Index : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    } Flags;
    union {
        D3DDDIFORMAT Format;
        UINT PrivateFormat;
    };
    UINT SwizzledFormat;
    UINT ByteOffset;
    UINT Width;
    UINT Height;
    UINT Pitch;
    UINT Depth;
    UINT SlicePitch;
} DXGK_ALLOCATIONUSAGEINFO1;
WDDM_SPELLINGS(DXGK_ALLOCATIONUSAGEINFO1);

/*
 * The driver's hints about an allocation's content.
 * Page: ns-d3dkmddi-_dxgk_allocationusagehint.
 */
typedef struct _DXGK_ALLOCATIONUSAGEHINT {
    UINT Version;
    DXGK_ALLOCATIONUSAGEINFO1 v1;
} DXGK_ALLOCATIONUSAGEHINT;
WDDM_SPELLINGS(DXGK_ALLOCATIONUSAGEHINT);

/*
 * One allocation that is created. The caller says what user mode wants; the driver answers with
 * what the memory manager needs to know: how large, where, and how it may leave.
 * Page: ns-d3dkmddi-_dxgk_allocationinfo.
 */
typedef struct _DXGK_ALLOCATIONINFO {
    void *pPrivateDriverData;   /* in/out: what user mode, or the kernel for a standard
                                   allocation, passes for this one */
    UINT PrivateDriverDataSize; /* in: bytes */
    union {
        UINT Alignment; /* out: bytes; less than a page means a page */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        struct {
            UINT16 MinimumPageSize;     /* out: DXGK_PAGESIZE, page-based manager only */
            UINT16 RecommendedPageSize; /* out: DXGK_PAGESIZE, page-based manager only */
        };
#endif
    };
    SIZE_T Size;                             /* out: bytes; rounded up to whole pages by the
                                                manager */
    SIZE_T PitchAlignedSize;                 /* out: bytes in a PitchAlignment segment, at least
                                                Size; 0: does not go there */
    DXGK_SEGMENTBANKPREFERENCE HintedBank;   /* out: banks of SegmentId0 of PreferredSegment */
    DXGK_SEGMENTPREFERENCE PreferredSegment; /* out: segments to try in this order, all of them
                                                in the supported sets */
    union {
        UINT SupportedReadSegmentSet; /* out: where the GPU can read it; bit n is segment n + 1;
                                         not read from 2.0 on */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        UINT MmuSet; /* out: page-based manager only */
#endif
    };
    UINT SupportedWriteSegmentSet; /* out: where the GPU can write it; from 2.0 on the one set
                                      that counts */
    UINT EvictionSegmentSet;       /* out: aperture segments to transfer through when evicting;
                                      0: straight to the MDL */
    union {
        UINT MaximumRenamingListLength; /* out: most instances that discarding locks may make; 0:
                                           the driver sets no limit */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        UINT PhysicalAdapterIndex; /* out: which adapter of a link, from 2.0 on */
#endif
    };
    HANDLE hAllocation; /* out: the driver's name of the allocation, never NULL; all later calls
                           use it */
    union {
        DXGK_ALLOCATIONINFOFLAGS Flags; /* out: below WDDM 2.0 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 FlagsWddm2; /* out: from WDDM 2.0 */
#endif
    };
    DXGK_ALLOCATIONUSAGEHINT *pAllocationUsageHint; /* out: or NULL */
    UINT AllocationPriority;                        /* out: D3DDDI_ALLOCATIONPRIORITY_...; 0 is
                                                       invalid */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
    DXGK_ALLOCATIONINFOFLAGS2 Flags2; /* out: from WDDM 3.0 */
#endif
} DXGK_ALLOCATIONINFO;
WDDM_SPELLINGS(DXGK_ALLOCATIONINFO);

/* Page: ns-d3dkmddi-_dxgk_createallocationflags. */
typedef struct _DXGK_CREATEALLOCATIONFLAGS {
    union {
        struct {
            UINT Resource : 1; /* the allocations form a resource */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_CREATEALLOCATIONFLAGS;
WDDM_SPELLINGS(DXGK_CREATEALLOCATIONFLAGS);

/*
 * Allocations that are created together. If one fails all fail.
 * Page: ns-d3dkmddi-_dxgkarg_createallocation.
 */
typedef struct _DXGKARG_CREATEALLOCATION {
    const void *pPrivateDriverData;       /* in: what user mode passes for the whole */
    UINT PrivateDriverDataSize;           /* in: bytes */
    UINT NumAllocations;                  /* in: elements of the array */
    DXGK_ALLOCATIONINFO *pAllocationInfo; /* in/out: the allocations */
    HANDLE hResource;                     /* in: what the driver returned last for this resource,
                                             or NULL; out: its name of it, with Resource set */
    DXGK_CREATEALLOCATIONFLAGS Flags;     /* in */
} DXGKARG_CREATEALLOCATION;
WDDM_SPELLINGS(DXGKARG_CREATEALLOCATION);

/* Page: ns-d3dkmddi-_dxgk_destroyallocationflags. */
typedef struct _DXGK_DESTROYALLOCATIONFLAGS {
    union {
        struct {
            UINT DestroyResource : 1; /* and hResource dies with them */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESTROYALLOCATIONFLAGS;
WDDM_SPELLINGS(DXGK_DESTROYALLOCATIONFLAGS);

/*
 * Allocations that are destroyed. Each was closed in every device before.
 * Page: ns-d3dkmddi-_dxgkarg_destroyallocation.
 */
typedef struct _DXGKARG_DESTROYALLOCATION {
    UINT NumAllocations;               /* in: elements of the array */
    const HANDLE *pAllocationList;     /* in: the driver's handles */
    HANDLE hResource;                  /* in: the driver's handle of their resource, or NULL */
    DXGK_DESTROYALLOCATIONFLAGS Flags; /* in */
} DXGKARG_DESTROYALLOCATION;
WDDM_SPELLINGS(DXGKARG_DESTROYALLOCATION);

/* One allocation that is opened. Page: ns-d3dkmddi-_dxgk_openallocationinfo. */
typedef struct _DXGK_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;        /* in: the kernel's handle; DxgkCbGetHandleData turns it
                                         into the driver's */
    void *pPrivateDriverData;         /* in/out: of this allocation */
    UINT PrivateDriverDataSize;       /* in: bytes */
    HANDLE hDeviceSpecificAllocation; /* out: the driver's name of it in this device; allocation
                                         lists use it */
} DXGK_OPENALLOCATIONINFO;
WDDM_SPELLINGS(DXGK_OPENALLOCATIONINFO);

/* Page: ns-d3dkmddi-_dxgk_openallocationflags. */
typedef struct _DXGK_OPENALLOCATIONFLAGS {
    union {
        struct {
            UINT Create : 1;            /* opened because it was just created */
            UINT WDDM1_2(ReadOnly) : 1; /* the device may only read it */
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_OPENALLOCATIONFLAGS;
WDDM_SPELLINGS(DXGK_OPENALLOCATIONFLAGS);

/* Allocations that a device gets to use. Page: ns-d3dkmddi-_dxgkarg_openallocation. */
typedef struct _DXGKARG_OPENALLOCATION {
    UINT NumAllocations;                      /* in: elements of the array */
    DXGK_OPENALLOCATIONINFO *pOpenAllocation; /* in/out: the allocations */
    void *pPrivateDriverData;                 /* in: of the resource */
    UINT PrivateDriverSize;                   /* in: bytes */
    DXGK_OPENALLOCATIONFLAGS Flags;           /* in */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT SubresourceIndex;    /* in: of a surface that is opened for presenting */
    SIZE_T SubresourceOffset; /* out: bytes to it */
    UINT Pitch;               /* out: bytes from row to row */
#endif
} DXGKARG_OPENALLOCATION;
WDDM_SPELLINGS(DXGKARG_OPENALLOCATION);

/* Allocations that a device loses. Page: ns-d3dkmddi-_dxgkarg_closeallocation. */
typedef struct _DXGKARG_CLOSEALLOCATION {
    UINT NumAllocations;           /* in: elements of the array */
    const HANDLE *pOpenHandleList; /* in: what opening returned in hDeviceSpecificAllocation */
} DXGKARG_CLOSEALLOCATION;
WDDM_SPELLINGS(DXGKARG_CLOSEALLOCATION);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmddi-_dxgk_describeallocationflags. */
typedef struct _DXGK_DESCRIBEALLOCATIONFLAGS {
    union {
        struct {
            UINT CheckDisplayMode : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESCRIBEALLOCATIONFLAGS;
WDDM_SPELLINGS(DXGK_DESCRIBEALLOCATIONFLAGS);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* The layout of a primary or a shared surface. Page: ns-d3dkmddi-_dxgkarg_describeallocation. */
typedef struct _DXGKARG_DESCRIBEALLOCATION {
    HANDLE hAllocation; /* in: the driver's handle */
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    D3DDDI_MULTISAMPLINGMETHOD MultisampleMethod;
    D3DDDI_RATIONAL RefreshRate;
    UINT PrivateDriverFormatAttribute;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_DESCRIBEALLOCATIONFLAGS Flags;
    D3DDDI_ROTATION Rotation;
#endif
} DXGKARG_DESCRIBEALLOCATION;
WDDM_SPELLINGS(DXGKARG_DESCRIBEALLOCATION);

/* Page: none. */
typedef enum _DXGKARG_FENCESTORAGEVALUETYPE {
    D3DKARG_FENCESTORAGETYPE_CURRENTVALUE = 0,
    D3DKARG_FENCESTORAGETYPE_MONITOREDVALUE = 1,
} DXGKARG_FENCESTORAGEVALUETYPE;
WDDM_VALUE_SPELLINGS(DXGKARG_FENCESTORAGEVALUETYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef struct _DXGKARG_FENCESTORAGEFLAGS {
    UINT Reserved;
} DXGKARG_FENCESTORAGEFLAGS;
WDDM_SPELLINGS(DXGKARG_FENCESTORAGEFLAGS);

/* Page: none. */
typedef struct _D3DKMDT_FENCESTORAGESURFACEDATA {
    UINT PhysicalAdapterIndex;
    DXGKARG_FENCESTORAGEVALUETYPE FenceStorageValueType;
    D3DDDI_NATIVEFENCE_TYPE FenceStorageType;
    UINT PrivateDriverDataSize;
    BYTE *pPrivateDriverData;
    DXGKARG_FENCESTORAGEFLAGS Flags;
    UINT Reserved;
    DXGK_ALLOCATIONINFO AllocationInfo;
} D3DKMDT_FENCESTORAGESURFACEDATA;
WDDM_SPELLINGS(D3DKMDT_FENCESTORAGESURFACEDATA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

/*
 * The driver's private data for an allocation that the kernel itself wants. Two passes: with NULL
 * pointers the driver says how many bytes, then it fills them.
 * Page: ns-d3dkmddi-_dxgkarg_getstandardallocationdriverdata.
 */
typedef struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA {
    /* in: decides which pointer is read */
    D3DKMDT_STANDARDALLOCATION_TYPE StandardAllocationType;
    union {
        D3DKMDT_SHAREDPRIMARYSURFACEDATA *pCreateSharedPrimarySurfaceData;
        D3DKMDT_SHADOWSURFACEDATA *pCreateShadowSurfaceData;
        D3DKMDT_STAGINGSURFACEDATA *pCreateStagingSurfaceData;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        D3DKMDT_GDISURFACEDATA *pCreateGdiSurfaceData;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        D3DKMDT_VIRTUALGPUSURFACEDATA *pCreateVirtualGpuSurfaceData;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
        D3DKMDT_FENCESTORAGESURFACEDATA *pCreateFenceStorageData;
#endif
    };
    void *pAllocationPrivateDriverData;   /* in: NULL in the first pass, then filled by the
                                             driver */
    UINT AllocationPrivateDriverDataSize; /* out, first pass: bytes */
    void *pResourcePrivateDriverData;     /* in: NULL in the first pass, then filled by the
                                             driver */
    UINT ResourcePrivateDriverDataSize;   /* out, first pass: bytes */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    UINT PhysicalAdapterIndex;
#endif
} DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA;
WDDM_SPELLINGS(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
/* Page: ns-d3dkmddi-dxgkarg_setallocationbackingstore. */
typedef struct _DXGKARG_SETALLOCATIONBACKINGSTORE {
    HANDLE hDriverAllocation;
    void *pBackingStore;
} DXGKARG_SETALLOCATIONBACKINGSTORE;
WDDM_SPELLINGS(DXGKARG_SETALLOCATIONBACKINGSTORE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
/* Page: ns-d3dkmddi-_dxgkarg_validateupdateallocproperty. */
typedef struct _DXGKARG_VALIDATEUPDATEALLOCPROPERTY {
    HANDLE hAllocation;
    UINT SupportedSegmentSet;
    D3DDDI_SEGMENTPREFERENCE PreferredSegment;
    D3DDDI_UPDATEALLOCPROPERTY_FLAGS Flags;
    union {
        struct {
            UINT SetAccessedPhysically : 1;
            UINT SetSupportedSegmentSet : 1;
            UINT SetPreferredSegment : 1;
            UINT Reserved : 29;
        };
        UINT PropertyMaskValue;
    };
} DXGKARG_VALIDATEUPDATEALLOCPROPERTY;
WDDM_SPELLINGS(DXGKARG_VALIDATEUPDATEALLOCPROPERTY);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

/*
 * A range through which the CPU sees a swizzled allocation in rows.
 * Page: ns-d3dkmddi-_dxgkarg_acquireswizzlingrange.
 */
typedef struct _DXGKARG_ACQUIRESWIZZLINGRANGE {
    HANDLE hAllocation;                    /* in: the driver's handle */
    UINT PrivateDriverData;                /* in: what the locker passed */
    UINT RangeId;                          /* in: range, from 0, below NumberOfSwizzlingRanges */
    UINT SegmentId;                        /* in: where the allocation is */
    SIZE_T RangeSize;                      /* in: bytes; out: other bytes, for an alternate
                                              address only */
    PHYSICAL_ADDRESS CPUTranslatedAddress; /* out: bus address of the range */
} DXGKARG_ACQUIRESWIZZLINGRANGE;
WDDM_SPELLINGS(DXGKARG_ACQUIRESWIZZLINGRANGE);

/* A range that is given back. Page: ns-d3dkmddi-_dxgkarg_releaseswizzlingrange. */
typedef struct _DXGKARG_RELEASESWIZZLINGRANGE {
    HANDLE hAllocation;     /* in: the driver's handle */
    UINT PrivateDriverData; /* in: as when it was acquired */
    UINT RangeId;           /* in: range, from 0 */
} DXGKARG_RELEASESWIZZLINGRANGE;
WDDM_SPELLINGS(DXGKARG_RELEASESWIZZLINGRANGE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * Pages of a segment that appear in the CPU's window.
 * Page: ns-d3dkmddi-_dxgkarg_mapcpuhostaperture.
 */
typedef struct _DXGKARG_MAPCPUHOSTAPERTURE {
    HANDLE hAllocation;            /* in: the driver's handle, or NULL */
    WORD SegmentId;                /* in */
    WORD PhysicalAdapterIndex;     /* in */
    UINT64 NumberOfPages;          /* in: of the segment's page size; elements of both arrays */
    UINT32 *pCpuHostAperturePages; /* in: pages of the window */
    UINT64 *pMemorySegmentPages;   /* in: pages of the segment that appear there */
} DXGKARG_MAPCPUHOSTAPERTURE;
WDDM_SPELLINGS(DXGKARG_MAPCPUHOSTAPERTURE);

/* Pages of the window that are free again. Page: ns-d3dkmddi-_dxgkarg_unmapcpuhostaperture. */
typedef struct _DXGKARG_UNMAPCPUHOSTAPERTURE {
    UINT64 NumberOfPages;          /* in: elements of the array */
    UINT32 *pCpuHostAperturePages; /* in: pages of the window */
    WORD SegmentId;                /* in */
    WORD PhysicalAdapterIndex;     /* in */
} DXGKARG_UNMAPCPUHOSTAPERTURE;
WDDM_SPELLINGS(DXGKARG_UNMAPCPUHOSTAPERTURE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_ALLOCATION_H */
