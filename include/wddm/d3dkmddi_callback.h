/*
 * d3dkmddi_callback.h: a driver's calls into the kernel, and the arguments.
 *
 * The functions arrive as the table DXGKRNL_INTERFACE (dispmprt.h). A DXGKCB_ type is a pointer to
 * a function. "in" is written by the driver, "out" by the kernel. At PASSIVE_LEVEL unless said
 * otherwise. d3dkmddi_callback_display.h has the two that lead to displays. Pages:
 * nc-d3dkmddi-dxgkcb_NAME.
 */
#ifndef WDDM_D3DKMDDI_CALLBACK_H
#define WDDM_D3DKMDDI_CALLBACK_H

#include "d3dukmdt_sync.h"
#include "d3dkmddi_query.h"
#include "d3dkmddi_allocation.h"
#include "d3dkmddi_completion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arguments of callbacks ---- */

/* The kinds of objects that a handle can stand for. Page: ne-d3dkmddi-dxgk_handle_type. */
typedef enum _DXGK_HANDLE_TYPE {
    DXGK_HANDLE_ALLOCATION = 1,
    DXGK_HANDLE_RESOURCE = 2,
} DXGK_HANDLE_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_HANDLE_TYPE);

/* Page: ns-d3dkmddi-_dxgkcb_gethandledataflags. */
typedef struct _DXGKCB_GETHANDLEDATAFLAGS {
    union {
        struct {
            UINT DeviceSpecific : 1; /* the handle that opening returned, not the one that creating
                                      * returned */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGKCB_GETHANDLEDATAFLAGS;
WDDM_SPELLINGS(DXGKCB_GETHANDLEDATAFLAGS);

/* Turn the kernel's handle into the driver's. Page: ns-d3dkmddi-_dxgkargcb_gethandledata. */
typedef struct _DXGKARGCB_GETHANDLEDATA {
    D3DKMT_HANDLE hObject;           /* in: the kernel's handle */
    DXGK_HANDLE_TYPE Type;           /* in: allocation or resource */
    DXGKCB_GETHANDLEDATAFLAGS Flags; /* in */
} DXGKARGCB_GETHANDLEDATA;
WDDM_SPELLINGS(DXGKARGCB_GETHANDLEDATA);

/* DxgkCbAcquireHandleData returns it besides, and DxgkCbReleaseHandleData takes it. */
typedef HANDLE DXGKARG_RELEASE_HANDLE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Give back what DxgkCbAcquireHandleData held. Page: ns-d3dkmddi-dxgkargcb_releasehandledata. */
typedef struct _DXGKARGCB_RELEASEHANDLEDATA {
    DXGKARG_RELEASE_HANDLE ReleaseHandle; /* in: what acquiring returned */
    DXGK_HANDLE_TYPE Type;                /* in: as when it was acquired */
} DXGKARGCB_RELEASEHANDLEDATA;
WDDM_SPELLINGS(DXGKARGCB_RELEASEHANDLEDATA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Walk the allocations of a resource. Page: ns-d3dkmddi-_dxgkargcb_enumhandlechildren. */
typedef struct _DXGKARGCB_ENUMHANDLECHILDREN {
    D3DKMT_HANDLE hObject; /* in: the kernel's handle of the resource */
    UINT Index;            /* in: from 0 */
} DXGKARGCB_ENUMHANDLECHILDREN;
WDDM_SPELLINGS(DXGKARGCB_ENUMHANDLECHILDREN);

/* The place of a capture allocation. Page: ns-d3dkmddi-_dxgkargcb_getcaptureaddress. */
typedef struct _DXGKARGCB_GETCAPTUREADDRESS {
    D3DKMT_HANDLE hAllocation;        /* in: the kernel's handle */
    UINT SegmentId;                   /* out */
    PHYSICAL_ADDRESS PhysicalAddress; /* out */
} DXGKARGCB_GETCAPTUREADDRESS;
WDDM_SPELLINGS(DXGKARGCB_GETCAPTUREADDRESS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmddi-_dxgk_createcontextallocationflags. */
typedef struct _DXGK_CREATECONTEXTALLOCATIONFLAGS {
    union {
        struct {
            UINT SharedAcrossContexts : 1; /* one for all contexts of the device */
            UINT MapGpuVirtualAddress : 1; /* has a GPU virtual address */
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTALLOCATIONFLAGS;
WDDM_SPELLINGS(DXGK_CREATECONTEXTALLOCATIONFLAGS);

/*
 * Memory that the GPU needs for a context. Members as in DXGK_ALLOCATIONINFO.
 * Page: ns-d3dkmddi-_dxgkargcb_createcontextallocation.
 */
typedef struct _DXGKARGCB_CREATECONTEXTALLOCATION {
    DXGK_CREATECONTEXTALLOCATIONFLAGS ContextAllocationFlags;
    HANDLE hAdapter;                         /* in: the kernel's handle */
    HANDLE hDevice;                          /* in: the kernel's handle, or NULL */
    HANDLE hContext;                         /* in: the kernel's handle, or NULL */
    HANDLE hDriverAllocation;                /* in: the driver's name of it */
    SIZE_T Size;                             /* in: bytes */
    UINT Alignment;                          /* in: bytes */
    UINT SupportedSegmentSet;                /* in: bit n is segment n + 1 */
    UINT EvictionSegmentSet;                 /* in: aperture segments */
    DXGK_SEGMENTPREFERENCE PreferredSegment; /* in */
    DXGK_SEGMENTBANKPREFERENCE HintedBank;   /* in */
    DXGK_ALLOCATIONINFOFLAGS Flags;          /* in */
    HANDLE hAllocation;                      /* out: the kernel's handle */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    UINT PhysicalAdapterIndex; /* in */
#endif
} DXGKARGCB_CREATECONTEXTALLOCATION;
WDDM_SPELLINGS(DXGKARGCB_CREATECONTEXTALLOCATION);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgkargcb_mapcontextallocation. */
typedef struct _DXGKARGCB_MAPCONTEXTALLOCATION {
    D3DGPU_VIRTUAL_ADDRESS BaseAddress;
    D3DGPU_VIRTUAL_ADDRESS MinimumAddress;
    D3DGPU_VIRTUAL_ADDRESS MaximumAddress;
    HANDLE hAllocation;
    D3DGPU_SIZE_T OffsetInPages;
    D3DGPU_SIZE_T SizeInPages;
    D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE Protection;
    UINT64 DriverProtection;
} DXGKARGCB_MAPCONTEXTALLOCATION;
WDDM_SPELLINGS(DXGKARGCB_MAPCONTEXTALLOCATION);

/* Page: ns-d3dkmddi-_dxgkargcb_updatecontextallocation. */
typedef struct _DXGKARGCB_UPDATECONTEXTALLOCATION {
    HANDLE hAllocation;
    PVOID pPrivateDriverData;
    UINT PrivateDriverDataSize;
} DXGKARGCB_UPDATECONTEXTALLOCATION;
WDDM_SPELLINGS(DXGKARGCB_UPDATECONTEXTALLOCATION);

/* Page: ns-d3dkmddi-_dxgkargcb_reservegpuvirtualaddressrange. */
typedef struct _DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE {
    HANDLE hDxgkProcess;
    UINT64 SizeInBytes;
    UINT Alignment;
    UINT64 StartVirtualAddress;
    UINT64 BaseAddress;
    union {
        UINT AllowUserModeMapping : 1;
        UINT Flags;
    };
} DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE;
WDDM_SPELLINGS(DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
/* Page: ns-d3dkmddi-_dxgkargcb_allocatecontiguousmemory. */
typedef struct _DXGKARGCB_ALLOCATECONTIGUOUSMEMORY {
    SIZE_T NumberOfBytes;
    PHYSICAL_ADDRESS LowestAcceptableAddress;
    PHYSICAL_ADDRESS HighestAcceptableAddress;
    PHYSICAL_ADDRESS BoundaryAddressMultiple;
    DXGK_MEMORY_CACHING_TYPE CacheType;
    HANDLE hMemoryHandle;
    PVOID pMemory;
} DXGKARGCB_ALLOCATECONTIGUOUSMEMORY;
WDDM_SPELLINGS(DXGKARGCB_ALLOCATECONTIGUOUSMEMORY);

/* Page: ns-d3dkmddi-_dxgkargcb_freecontiguousmemory. */
typedef struct _DXGKARGCB_FREECONTIGUOUSMEMORY {
    HANDLE hMemoryHandle;
} DXGKARGCB_FREECONTIGUOUSMEMORY;
WDDM_SPELLINGS(DXGKARGCB_FREECONTIGUOUSMEMORY);

/* Page: ns-d3dkmddi-_dxgkargcb_allocatepagesformdl. */
typedef struct _DXGKARGCB_ALLOCATEPAGESFORMDL {
    PHYSICAL_ADDRESS LowAddress;
    PHYSICAL_ADDRESS HighAddress;
    PHYSICAL_ADDRESS SkipBytes;
    SIZE_T TotalBytes;
    DXGK_MEMORY_CACHING_TYPE CacheType;
    ULONG Flags;
    HANDLE hMemoryHandle;
    PMDL pMdl;
} DXGKARGCB_ALLOCATEPAGESFORMDL;
WDDM_SPELLINGS(DXGKARGCB_ALLOCATEPAGESFORMDL);

/* Page: ns-d3dkmddi-_dxgkargcb_freepagesfrommdl. */
typedef struct _DXGKARGCB_FREEPAGESFROMMDL {
    HANDLE hMemoryHandle;
} DXGKARGCB_FREEPAGESFROMMDL;
WDDM_SPELLINGS(DXGKARGCB_FREEPAGESFROMMDL);

/* Page: ns-d3dkmddi-_dxgkargcb_pinframebufferforsave. */
typedef struct _DXGKARGCB_PINFRAMEBUFFERFORSAVE {
    UINT PhysicalAdapterIndex;
    SIZE_T CommitSize;
    PMDL pMdl;
} DXGKARGCB_PINFRAMEBUFFERFORSAVE;
WDDM_SPELLINGS(DXGKARGCB_PINFRAMEBUFFERFORSAVE);

/* Page: ns-d3dkmddi-_dxgkargcb_unpinframebufferforsave. */
typedef struct _DXGKARGCB_UNPINFRAMEBUFFERFORSAVE {
    UINT PhysicalAdapterIndex;
} DXGKARGCB_UNPINFRAMEBUFFERFORSAVE;
WDDM_SPELLINGS(DXGKARGCB_UNPINFRAMEBUFFERFORSAVE);

/* Page: ns-d3dkmddi-_dxgkargcb_mapframebufferpointer. */
typedef struct _DXGKARGCB_MAPFRAMEBUFFERPOINTER {
    UINT PhysicalAdapterIndex;
    SIZE_T Size;
    SIZE_T Offset;
    PVOID pBaseAddress;
} DXGKARGCB_MAPFRAMEBUFFERPOINTER;
WDDM_SPELLINGS(DXGKARGCB_MAPFRAMEBUFFERPOINTER);

/* Page: ns-d3dkmddi-_dxgkargcb_unmapframebufferpointer. */
typedef struct _DXGKARGCB_UNMAPFRAMEBUFFERPOINTER {
    UINT PhysicalAdapterIndex;
    PVOID pBaseAddress;
} DXGKARGCB_UNMAPFRAMEBUFFERPOINTER;
WDDM_SPELLINGS(DXGKARGCB_UNMAPFRAMEBUFFERPOINTER);

/* Page: ns-d3dkmddi-_dxgkargcb_mapmdltoiommu. */
typedef struct _DXGKARGCB_MAPMDLTOIOMMU {
    PMDL pMdl;
    HANDLE hMemoryHandle;
} DXGKARGCB_MAPMDLTOIOMMU;
WDDM_SPELLINGS(DXGKARGCB_MAPMDLTOIOMMU);

/* Page: ns-d3dkmddi-_dxgkargcb_unmapmdlfromiommu. */
typedef struct _DXGKARGCB_UNMAPMDLFROMIOMMU {
    HANDLE hMemoryHandle;
} DXGKARGCB_UNMAPMDLFROMIOMMU;
WDDM_SPELLINGS(DXGKARGCB_UNMAPMDLFROMIOMMU);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
/* Page: ns-d3dkmddi-_dxgkargcb_signalevent. */
typedef struct _DXGKARGCB_SIGNALEVENT {
    HANDLE hDxgkProcess;
    HANDLE hEvent;
    union {
        struct {
            UINT WDDM3_0(CpuEventObject) : 1;
            UINT Reserved : 31;
        };
        UINT Flags;
    };
} DXGKARGCB_SIGNALEVENT;
WDDM_SPELLINGS(DXGKARGCB_SIGNALEVENT);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmddi-dxgkargcb_allocate_adl. */
typedef struct _DXGKARGCB_ALLOCATE_ADL {
    HANDLE hAdapterMemoryObject;
    SIZE_T Offset;
    SIZE_T Size;
    union {
        struct {
            UINT32 RequireContiguous : 1;
            UINT32 PreferContiguous : 1;
            UINT32 Reserved : 30;
        };
        UINT32 Value;
    } Flags;
    DXGK_ADL *pAdl;
} DXGKARGCB_ALLOCATE_ADL;
WDDM_SPELLINGS(DXGKARGCB_ALLOCATE_ADL);

/* Page: ns-d3dkmddi-dxgkargcb_free_adl. */
typedef struct _DXGKARGCB_FREE_ADL {
    HANDLE hAdapterMemoryObject;
    DXGK_ADL *pAdl;
} DXGKARGCB_FREE_ADL;
WDDM_SPELLINGS(DXGKARGCB_FREE_ADL);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/* ---- Features ---- */

/* Whether the system lets the driver enable a feature.
 * Page: ns-d3dkmddi-_dxgkargcb_isfeatureenabled. */
typedef struct _DXGKARGCB_ISFEATUREENABLED {
    HANDLE DeviceHandle;       /* in: of DxgkDdiStartDevice */
    DXGK_FEATURE_ID FeatureId; /* in */
    BOOLEAN Enabled;           /* out */
} DXGKARGCB_ISFEATUREENABLED;
WDDM_SPELLINGS(DXGKARGCB_ISFEATUREENABLED);

/* Such a question, of a driver that says how far its support has come.
 * Page: ns-d3dkmddi-dxgkargcb_queryfeaturesupport. */
typedef struct _DXGKARGCB_QUERYFEATURESUPPORT {
    HANDLE DeviceHandle;       /* in: of DxgkDdiStartDevice */
    DXGK_FEATURE_ID FeatureId; /* in */
    UINT DriverSupportState;   /* in: DXGK_FEATURE_SUPPORT_... */
    BOOLEAN Enabled;           /* out */
} DXGKARGCB_QUERYFEATURESUPPORT;
WDDM_SPELLINGS(DXGKARGCB_QUERYFEATURESUPPORT);

/* ---- Types that callbacks name, opaque here ---- */

WDDM_OPAQUE(DXGKARGCB_INVALIDATEHWCONTEXT);
WDDM_OPAQUE(DXGKARGCB_UNBLOCKUEFIFRAMEBUFFERRANGES);
WDDM_OPAQUE(DXGKARGCB_PROTECTEDSESSIONSTATUS);
WDDM_OPAQUE(DXGKARGCB_SAVEMEMORYFORHOTUPDATE);
WDDM_OPAQUE(DXGKARGCB_NOTIFYCURSORSUPPORTCHANGE);
WDDM_OPAQUE(DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT);
WDDM_OPAQUE(DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT);
WDDM_OPAQUE(DXGKARGCB_MAP_PHYSICAL_MEMORY);
WDDM_OPAQUE(DXGKARGCB_UNMAP_PHYSICAL_MEMORY);
WDDM_OPAQUE(DXGKARGCB_OPEN_PHYSICAL_MEMORY_OBJECT);
WDDM_OPAQUE(DXGKARGCB_CLOSE_PHYSICAL_MEMORY_OBJECT);
WDDM_OPAQUE(DXGKARGCB_PINFRAMEBUFFERFORSAVE2);
WDDM_OPAQUE(DXGKARGCB_DISCONNECTDOORBELL);

typedef union _DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS {
    UINT Value;
} DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS;
WDDM_SPELLINGS(DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS);

/* ---- Handles ---- */

/* The driver's handle for the kernel's, or NULL. IRQL: below DISPATCH_LEVEL. */
typedef PVOID (*DXGKCB_GETHANDLEDATA)(const DXGKARGCB_GETHANDLEDATA *);

/* The resource that an allocation belongs to, or 0. */
typedef D3DKMT_HANDLE (*DXGKCB_GETHANDLEPARENT)(D3DKMT_HANDLE hAllocation);

/* The next allocation of a resource, or 0. */
typedef D3DKMT_HANDLE (*DXGKCB_ENUMHANDLECHILDREN)(const DXGKARGCB_ENUMHANDLECHILDREN *);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* The driver's handle, and a hold on the object until it is released. */
typedef PVOID (*DXGKCB_ACQUIREHANDLEDATA)(const DXGKARGCB_GETHANDLEDATA *,
                                          DXGKARG_RELEASE_HANDLE *);
typedef VOID (*DXGKCB_RELEASEHANDLEDATA)(DXGKARGCB_RELEASEHANDLEDATA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Interrupts ---- */

/* Tell the scheduler what the hardware did. IRQL: device interrupt, or synchronized with it. */
typedef VOID (*DXGKCB_NOTIFY_INTERRUPT)(HANDLE hAdapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *);

/* Have it acted upon. IRQL: DISPATCH_LEVEL; every notification is followed by one, several may
 * share it. */
typedef VOID (*DXGKCB_NOTIFY_DPC)(HANDLE hAdapter);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
typedef NTSTATUS (*DXGKCB_SIGNALEVENT)(const DXGKARGCB_SIGNALEVENT *);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

/* ---- Context allocations and GPU virtual addresses ---- */

/* Ask for the place of a capture allocation. */
typedef NTSTATUS (*DXGKCB_GETCAPTUREADDRESS)(DXGKARGCB_GETCAPTUREADDRESS *);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Memory that the GPU needs for a context; made and opened like any allocation. */
typedef NTSTATUS (*DXGKCB_CREATECONTEXTALLOCATION)(DXGKARGCB_CREATECONTEXTALLOCATION *);
typedef NTSTATUS (*DXGKCB_DESTROYCONTEXTALLOCATION)(HANDLE hAdapter, HANDLE hAllocation);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
typedef D3DGPU_VIRTUAL_ADDRESS (*DXGKCB_MAPCONTEXTALLOCATION)(
    HANDLE hAdapter, const DXGKARGCB_MAPCONTEXTALLOCATION *pArgs);
typedef NTSTATUS (*DXGKCB_UPDATECONTEXTALLOCATION)(HANDLE hAdapter,
                                                   const DXGKARGCB_UPDATECONTEXTALLOCATION *pArgs);
typedef NTSTATUS (*DXGKCB_RESERVEGPUVIRTUALADDRESSRANGE)(
    HANDLE hAdapter, DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *pArgs);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS (*DXGKCB_INVALIDATEHWCONTEXT)(DXGKARGCB_INVALIDATEHWCONTEXT *);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
typedef NTSTATUS (*DXGKCB_DISCONNECTDOORBELL)(const DXGKARGCB_DISCONNECTDOORBELL *);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_1 */

/* ---- Memory ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS (*DXGKCB_UNBLOCKUEFIFRAMEBUFFERRANGES)(
    HANDLE hAdapter, DXGKARGCB_UNBLOCKUEFIFRAMEBUFFERRANGES *pArgs);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
typedef NTSTATUS (*DXGKCB_ALLOCATECONTIGUOUSMEMORY)(
    HANDLE hAdapter, DXGKARGCB_ALLOCATECONTIGUOUSMEMORY *pAllocateContiguousMemory);
typedef NTSTATUS (*DXGKCB_FREECONTIGUOUSMEMORY)(
    HANDLE hAdapter, const DXGKARGCB_FREECONTIGUOUSMEMORY *pFreeContiguousMemory);
typedef NTSTATUS (*DXGKCB_ALLOCATEPAGESFORMDL)(HANDLE hAdapter,
                                               DXGKARGCB_ALLOCATEPAGESFORMDL *pAllocatePagesForMdl);
typedef NTSTATUS (*DXGKCB_FREEPAGESFROMMDL)(HANDLE hAdapter,
                                            const DXGKARGCB_FREEPAGESFROMMDL *pFreePagesFromMdl);
typedef NTSTATUS (*DXGKCB_PINFRAMEBUFFERFORSAVE)(
    HANDLE hAdapter, DXGKARGCB_PINFRAMEBUFFERFORSAVE *pPinFrameBufferForSave);
typedef NTSTATUS (*DXGKCB_UNPINFRAMEBUFFERFORSAVE)(
    HANDLE hAdapter, const DXGKARGCB_UNPINFRAMEBUFFERFORSAVE *pUnpinFrameBufferForSave);
typedef NTSTATUS (*DXGKCB_MAPFRAMEBUFFERPOINTER)(
    HANDLE hAdapter, DXGKARGCB_MAPFRAMEBUFFERPOINTER *pMapFrameBufferPointer);
typedef NTSTATUS (*DXGKCB_UNMAPFRAMEBUFFERPOINTER)(
    HANDLE hAdapter, const DXGKARGCB_UNMAPFRAMEBUFFERPOINTER *pUnmapFrameBufferPointer);
typedef NTSTATUS (*DXGKCB_MAPMDLTOIOMMU)(HANDLE hAdapter, DXGKARGCB_MAPMDLTOIOMMU *pMapMdlToIoMmu);
typedef VOID (*DXGKCB_UNMAPMDLFROMIOMMU)(HANDLE hAdapter,
                                         const DXGKARGCB_UNMAPMDLFROMIOMMU *pUnmapMdlFromIoMmu);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_4 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
typedef NTSTATUS (*DXGKCB_SAVEMEMORYFORHOTUPDATE)(HANDLE hAdapter,
                                                  const DXGKARGCB_SAVEMEMORYFORHOTUPDATE *pArgs);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
typedef NTSTATUS (*DXGKCB_CREATEPHYSICALMEMORYOBJECT)(
    DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef VOID (*DXGKCB_DESTROYPHYSICALMEMORYOBJECT)(
    const DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef NTSTATUS (*DXGKCB_MAPPHYSICALMEMORY)(DXGKARGCB_MAP_PHYSICAL_MEMORY *pArgs);
typedef VOID (*DXGKCB_UNMAPPHYSICALMEMORY)(const DXGKARGCB_UNMAP_PHYSICAL_MEMORY *pArgs);
typedef NTSTATUS (*DXGKCB_ALLOCATEADL)(DXGKARGCB_ALLOCATE_ADL *pArgs);
typedef VOID (*DXGKCB_FREEADL)(const DXGKARGCB_FREE_ADL *pArgs);
typedef NTSTATUS (*DXGKCB_OPENPHYSICALMEMORYOBJECT)(DXGKARGCB_OPEN_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef VOID (*DXGKCB_CLOSEPHYSICALMEMORYOBJECT)(
    const DXGKARGCB_CLOSE_PHYSICAL_MEMORY_OBJECT *pArgs);
typedef NTSTATUS (*DXGKCB_PINFRAMEBUFFERFORSAVE2)(
    HANDLE hAdapter, DXGKARGCB_PINFRAMEBUFFERFORSAVE2 *pPinFrameBufferForSave);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/* ---- Power ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
typedef VOID (*DXGKCB_SETPOWERCOMPONENTACTIVE)(HANDLE hAdapter, UINT ComponentIndex);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTIDLE)(HANDLE hAdapter, UINT ComponentIndex);
typedef NTSTATUS (*DXGKCB_POWERRUNTIMECONTROLREQUEST)(HANDLE hAdapter, const GUID *PowerControlCode,
                                                      PVOID InBuffer, SIZE_T InBufferSize,
                                                      PVOID OutBuffer, SIZE_T OutBufferSize,
                                                      PSIZE_T BytesReturned);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTLATENCY)(HANDLE hAdapter, UINT ComponentIndex,
                                                ULONGLONG Latency);
typedef VOID (*DXGKCB_SETPOWERCOMPONENTRESIDENCY)(HANDLE hAdapter, UINT ComponentIndex,
                                                  ULONGLONG Residency);
typedef VOID (*DXGKCB_COMPLETEFSTATETRANSITION)(HANDLE hAdapter, UINT ComponentIndex);
typedef VOID (*DXGKCB_COMPLETEPSTATETRANSITION)(HANDLE hAdapter, UINT ComponentIndex,
                                                UINT CompletedPState);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* ---- Features, protection, connectors ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
typedef VOID (*DXGKCB_HARDWARECONTENTPROTECTIONTEARDOWN)(
    HANDLE hAdapter, DXGK_HARDWARE_CONTENT_PROTECTION_TEARDOWN_FLAGS Flags);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
typedef VOID (*DXGKCB_MULTIPLANEOVERLAYDISABLED)(HANDLE hAdapter, UINT VidPnSourceId);
typedef NTSTATUS (*DXGKCB_DXGKCB_MITIGATEDRANGEUPDATE)(HANDLE hAdapter, ULONG VirtualFunctionIndex);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
typedef NTSTATUS (*DXGKCB_INDICATE_CONNECTOR_CHANGE)(HANDLE hAdapter);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
typedef NTSTATUS (*DXGKCB_SETPROTECTEDSESSIONSTATUS)(
    const DXGKARGCB_PROTECTEDSESSIONSTATUS *pProtectedSessionStatus);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
typedef NTSTATUS (*DXGKCB_ISFEATUREENABLED)(DXGKARGCB_ISFEATUREENABLED *);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_6 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_8
typedef NTSTATUS (*DXGKCB_NOTIFYCURSORSUPPORTCHANGE)(
    const DXGKARGCB_NOTIFYCURSORSUPPORTCHANGE *pArgs);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_8 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
typedef NTSTATUS (*DXGKCB_QUERYFEATURESUPPORT)(DXGKARGCB_QUERYFEATURESUPPORT *);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_CALLBACK_H */
