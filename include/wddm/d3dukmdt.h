/*
 * d3dukmdt.h: types that user mode and kernel mode share.
 */
#ifndef WDDM_D3DUKMDT_H
#define WDDM_D3DUKMDT_H

#include "wddm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Interface versions ---- */

#define DXGKDDI_INTERFACE_VERSION_VISTA 0x1052
#define DXGKDDI_INTERFACE_VERSION_VISTA_SP1 0x1053
#define DXGKDDI_INTERFACE_VERSION_WIN7 0x2005
#define DXGKDDI_INTERFACE_VERSION_WIN8 0x300E
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3 0x4002
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3_PATH_INDEPENDENT_ROTATION 0x4003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_0 0x5023
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1 0x6003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_5 0x6010
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_6 0x6011
#define DXGKDDI_INTERFACE_VERSION_WDDM2_2 0x700A
#define DXGKDDI_INTERFACE_VERSION_WDDM2_3 0x8001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_4 0x9006
#define DXGKDDI_INTERFACE_VERSION_WDDM2_5 0xA00B
#define DXGKDDI_INTERFACE_VERSION_WDDM2_6 0xB004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_7 0xC004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_8 0xD001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_9 0xE003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_0 0xF003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_1 0x10004
#define DXGKDDI_INTERFACE_VERSION_WDDM3_2 0x11007

#ifndef DXGKDDI_INTERFACE_VERSION
#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_WDDM3_2
#endif

/*
 * Bits by version. WDDM1_2(Name) is Name in a build for WDDM 1.2 or newer and nothing before it: the
 * bit-field is unnamed there, keeps its place, and a flag word has the same shape in every version.
 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
#define WDDM1_1(Name) Name
#else
#define WDDM1_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
#define WDDM1_2(Name) Name
#else
#define WDDM1_2(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
#define WDDM1_3(Name) Name
#else
#define WDDM1_3(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
#define WDDM2_0(Name) Name
#else
#define WDDM2_0(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
#define WDDM2_1(Name) Name
#else
#define WDDM2_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
#define WDDM2_2(Name) Name
#else
#define WDDM2_2(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
#define WDDM2_3(Name) Name
#else
#define WDDM2_3(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
#define WDDM2_4(Name) Name
#else
#define WDDM2_4(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
#define WDDM2_5(Name) Name
#else
#define WDDM2_5(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
#define WDDM2_6(Name) Name
#else
#define WDDM2_6(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
#define WDDM2_7(Name) Name
#else
#define WDDM2_7(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_8
#define WDDM2_8(Name) Name
#else
#define WDDM2_8(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
#define WDDM2_9(Name) Name
#else
#define WDDM2_9(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
#define WDDM3_0(Name) Name
#else
#define WDDM3_0(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
#define WDDM3_1(Name) Name
#else
#define WDDM3_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
#define WDDM3_2(Name) Name
#else
#define WDDM3_2(Name)
#endif

/* ---- Limits and well-known values ---- */

#define D3DGPU_NULL 0
#define DXGK_FEATURE_SUPPORT_ALWAYS_OFF 0
#define DXGK_HWFLIPQUEUE_TIMESTAMP_CANCELLED 0
#define DXGK_SEGMENT_ID_INVALID 0
#define D3DDDI_SYNC_OBJECT_WAIT 1
#define DXGK_FEATURE_SUPPORT_EXPERIMENTAL 1
#define DXGK_PRESENT_SOURCE_INDEX 1
#define D3DDDI_SYNC_OBJECT_SIGNAL 2
#define DXGK_FEATURE_SUPPORT_STABLE 2
#define DXGK_MIN_PAGE_TABLE_LEVEL_COUNT 2
#define DXGK_PRESENT_DESTINATION_INDEX 2
#define DXGK_FEATURE_SUPPORT_ALWAYS_ON 3
#define D3DKMT_CROSS_ADAPTER_RESOURCE_HEIGHT_ALIGNMENT 4
#define DXGK_MAX_PAGE_TABLE_LEVEL_COUNT 6
#define DXGK_MAX_F_STATES 8
#define D3DDDI_MAX_MULTIPLANE_OVERLAY_ALLOCATIONS 16
#define D3DDDI_MAX_WRITTEN_PRIMARIES 16
#define DXGK_DIAG_PROCESS_NAME_LENGTH 16
#define DXGK_MAX_INTEGRATED_DISPLAYS 16
#define DXGK_MAX_MMUS 16
#define DXGK_MAX_POWER_COMPONENT_PROVIDERS 16
#define DXGK_SEGMENT_ID_SYSTEMMEMORY 31
#define D3DDDI_MAX_OBJECT_SIGNALED 32
#define D3DDDI_MAX_OBJECT_WAITED_ON 32
#define D3DKMT_MAX_SEGMENT_COUNT 32
#define DXGK_MAX_GPUVERSION_NAME_LENGTH 32
#define DXGK_MAX_METADATA_NAME_LENGTH 32
#define DXGK_MAX_P_STATES 32
#define DXGK_MAX_GPU_VA_BIT_COUNT 63
#define D3DDDI_MAX_BROADCAST_CONTEXT 64
#define D3DDDI_NATIVE_FENCE_PDD_SIZE 64
#define D3DKMT_GET_PTE_MAX 64
#define DXGK_MAX_ASYMETRICAL_PROCESSING_NODES 64
#define D3DKMT_CROSS_ADAPTER_RESOURCE_PITCH_ALIGNMENT 128
#define DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT 256
#define D3DDDI_MAX_MPO_PRESENT_DIRTY_RECTS 4095
#define DXGK_MAX_DOORBELL_SIZE_BYTES 0x00004000
#define DXGK_INVALID_MMU_ID 0x0000FFFF
#define DXGK_SEGMENT_SET_SYSTEMMEMORY 0x80000000
#define D3DGPU_UNIQUE_DRIVER_PROTECTION 0x8000000000000000ULL

#define D3DDDI_ALLOCATIONPRIORITY_MINIMUM 0x28000000
#define D3DDDI_ALLOCATIONPRIORITY_LOW 0x50000000
#define D3DDDI_ALLOCATIONPRIORITY_NORMAL 0x78000000
#define D3DDDI_ALLOCATIONPRIORITY_HIGH 0xA0000000
#define D3DDDI_ALLOCATIONPRIORITY_MAXIMUM 0xC8000000

#define D3DDDIERR_WASSTILLDRAWING ((HRESULT)0x8876021C)
#define D3DDDIERR_NOTAVAILABLE ((HRESULT)0x8876086A)
#define D3DDDIERR_DEVICEREMOVED ((HRESULT)0x88760870)
#define D3DDDIERR_PRIVILEGEDINSTRUCTION ((HRESULT)0x88760871)
#define D3DDDIERR_INVALIDINSTRUCTION ((HRESULT)0x88760872)
#define D3DDDIERR_INVALIDHANDLE ((HRESULT)0x88760873)
#define D3DDDIERR_INVALIDUSERBUFFER ((HRESULT)0x88760879)
#define D3DDDIERR_INCOMPATIBLEPRIVATEFORMAT ((HRESULT)0x8876087A)
#define D3DDDIERR_CANTEVICTPINNEDALLOCATION ((HRESULT)0xC0262109)
#define D3DDDIERR_CANTRENDERLOCKEDALLOCATION ((HRESULT)0xC0262111)
#define DXGI_DDI_ERR_WASSTILLDRAWING ((HRESULT)0x887B0001)
#define DXGI_DDI_ERR_UNSUPPORTED ((HRESULT)0x887B0002)
#define DXGI_DDI_ERR_NONEXCLUSIVE ((HRESULT)0x887B0003)
#define E_OUTOFMEMORY ((HRESULT)0x8007000E)
#define E_INVALIDARG ((HRESULT)0x80070057)
#define E_PENDING ((HRESULT)0x8000000A)

/* ---- Handles, addresses, small types ---- */

typedef UINT D3DKMT_HANDLE;
typedef ULONGLONG D3DKMT_SIZE_T;
typedef ULONGLONG D3DGPU_VIRTUAL_ADDRESS;
typedef ULONGLONG D3DGPU_SIZE_T;
typedef UINT D3DDDI_VIDEO_PRESENT_SOURCE_ID;
typedef UINT D3DDDI_VIDEO_PRESENT_TARGET_ID;

typedef enum _D3DDDIFORMAT {
    D3DDDIFMT_UNKNOWN = 0,
    D3DDDIFMT_R8G8B8 = 20,
    D3DDDIFMT_A8R8G8B8 = 21,
    D3DDDIFMT_X8R8G8B8 = 22,
    D3DDDIFMT_R5G6B5 = 23,
    D3DDDIFMT_X1R5G5B5 = 24,
    D3DDDIFMT_A1R5G5B5 = 25,
    D3DDDIFMT_A4R4G4B4 = 26,
    D3DDDIFMT_A8 = 28,
    D3DDDIFMT_A2B10G10R10 = 31,
    D3DDDIFMT_A8B8G8R8 = 32,
    D3DDDIFMT_X8B8G8R8 = 33,
    D3DDDIFMT_G16R16 = 34,
    D3DDDIFMT_A2R10G10B10 = 35,
    D3DDDIFMT_A16B16G16R16 = 36,
    D3DDDIFMT_P8 = 41,
    D3DDDIFMT_L8 = 50,
    D3DDDIFMT_D32 = 71,
    D3DDDIFMT_D24S8 = 75,
    D3DDDIFMT_D16 = 80,
    D3DDDIFMT_A16B16G16R16F = 113,
    D3DDDIFMT_R32F = 114,
    D3DDDIFMT_A32B32G32R32F = 116,
    D3DDDIFMT_FORCE_UINT = 0x7fffffff,
} D3DDDIFORMAT;

typedef struct _D3DDDI_RATIONAL {
    UINT Numerator;
    UINT Denominator;
} D3DDDI_RATIONAL;

typedef struct _D3DDDI_MULTISAMPLINGMETHOD {
    UINT NumSamples;
    UINT NumQualityLevels;
} D3DDDI_MULTISAMPLINGMETHOD;

typedef struct _D3DGPU_PHYSICAL_ADDRESS {
    UINT SegmentId;
    UINT Padding;
    UINT64 SegmentOffset;
} D3DGPU_PHYSICAL_ADDRESS;

typedef enum _D3DDDI_POOL {
    D3DDDIPOOL_SYSTEMMEM = 1,
    D3DDDIPOOL_VIDEOMEMORY = 2,
    D3DDDIPOOL_LOCALVIDMEM = 3,
    D3DDDIPOOL_NONLOCALVIDMEM = 4,
    D3DDDIPOOL_STAGINGMEM = 5,
} D3DDDI_POOL;

typedef enum _D3DDDI_FLIPINTERVAL_TYPE {
    D3DDDI_FLIPINTERVAL_IMMEDIATE = 0,
    D3DDDI_FLIPINTERVAL_ONE = 1,
    D3DDDI_FLIPINTERVAL_TWO = 2,
    D3DDDI_FLIPINTERVAL_THREE = 3,
    D3DDDI_FLIPINTERVAL_FOUR = 4,
    D3DDDI_FLIPINTERVAL_IMMEDIATE_ALLOW_TEARING = 5,
} D3DDDI_FLIPINTERVAL_TYPE;

typedef enum _D3DDDI_ROTATION {
    D3DDDI_ROTATION_IDENTITY = 1,
    D3DDDI_ROTATION_90 = 2,
    D3DDDI_ROTATION_180 = 3,
    D3DDDI_ROTATION_270 = 4,
} D3DDDI_ROTATION;

typedef enum _DXGK_MIRACAST_CHUNK_TYPE {
    DXGK_MIRACAST_CHUNK_TYPE_UNKNOWN = 0,
    DXGK_MIRACAST_CHUNK_TYPE_COLOR_CONVERT_COMPLETE = 1,
    DXGK_MIRACAST_CHUNK_TYPE_ENCODE_COMPLETE = 2,
    DXGK_MIRACAST_CHUNK_TYPE_FRAME_START = 3,
    DXGK_MIRACAST_CHUNK_TYPE_FRAME_DROPPED = 4,
    DXGK_MIRACAST_CHUNK_TYPE_ENCODE_DRIVER_DEFINED_1 = (INT)0x80000000,
    DXGK_MIRACAST_CHUNK_TYPE_ENCODE_DRIVER_DEFINED_2 = (INT)0x80000001,
} DXGK_MIRACAST_CHUNK_TYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3

typedef struct _DXGK_MIRACAST_CHUNK_INFO {
    DXGK_MIRACAST_CHUNK_TYPE ChunkType;
    union {
        struct {
            UINT64 FrameNumber : 40;
            UINT64 PartNumber : 24;
        };
        UINT64 Value;
    } ChunkId;
    UINT ProcessingTime;
    UINT EncodeRate;
} DXGK_MIRACAST_CHUNK_INFO;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

/* ---- Allocations ---- */

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

typedef struct _D3DDDI_ALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const void *pSystemMem;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    union {
        struct {
            UINT Primary : 1;
            UINT WDDM1_2(Stereo) : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    } Flags;
} D3DDDI_ALLOCATIONINFO;

typedef struct _D3DDDI_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DDDI_OPENALLOCATIONINFO;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

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

typedef struct _D3DDDI_OPENALLOCATIONINFO2 {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
    ULONG_PTR Reserved[6];
} D3DDDI_OPENALLOCATIONINFO2;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

typedef struct _D3DDDICB_DESTROYALLOCATION2FLAGS {
    union {
        struct {
            UINT AssumeNotInUse : 1;
            UINT SynchronousDestroy : 1;
            UINT Reserved : 29;
            UINT SystemUseOnly : 1;
        };
        UINT Value;
    };
} D3DDDICB_DESTROYALLOCATION2FLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

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

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1

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

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

/* ---- Command submission ---- */

typedef struct _D3DDDI_ALLOCATIONLIST {
    D3DKMT_HANDLE hAllocation;
    union {
        struct {
            UINT WriteOperation : 1;
            UINT DoNotRetireInstance : 1;
            UINT WDDM1_2(OfferPriority) : 3;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} D3DDDI_ALLOCATIONLIST;

typedef struct _D3DDDI_PATCHLOCATIONLIST {
    UINT AllocationIndex;
    union {
        struct {
            UINT SlotId : 24;
            UINT Reserved : 8;
        };
        UINT Value;
    };
    UINT DriverId;
    UINT AllocationOffset;
    UINT PatchOffset;
    UINT SplitOffset;
} D3DDDI_PATCHLOCATIONLIST;

typedef struct _D3DDDI_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT NullRendering : 1;
            UINT InitialData : 1;
            UINT WDDM2_0(DisableGpuTimeout) : 1;
            UINT WDDM2_0(SynchronizationOnly) : 1;
            UINT WDDM2_3(HwQueueSupported) : 1;
            UINT WDDM2_3(NoKmdAccess) : 1;
            UINT WDDM2_3(TestContext) : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} D3DDDI_CREATECONTEXTFLAGS;

typedef struct _D3DDDI_ESCAPEFLAGS {
    union {
        struct {
            UINT HardwareAccess : 1;
            UINT WDDM1_3(DeviceStatusQuery) : 1;
            UINT WDDM1_3(ChangeFrameLatency) : 1;
            UINT WDDM2_0(NoAdapterSynchronization) : 1;
            UINT Reserved : 1;
            UINT WDDM2_2(VirtualMachineData) : 1;
            UINT WDDM2_5(DriverKnownEscape) : 1;
            UINT WDDM2_5(DriverCommonEscape) : 1;
            UINT WDDM2_2(Reserved2) : 24;
        };
        UINT Value;
    };
} D3DDDI_ESCAPEFLAGS;

/* ---- Locks ---- */

typedef struct _D3DDDICB_LOCKFLAGS {
    union {
        struct {
            UINT ReadOnly : 1;
            UINT WriteOnly : 1;
            UINT DonotWait : 1;
            UINT IgnoreSync : 1;
            UINT LockEntire : 1;
            UINT DonotEvict : 1;
            UINT AcquireAperture : 1;
            UINT Discard : 1;
            UINT NoExistingReference : 1;
            UINT UseAlternateVA : 1;
            UINT IgnoreReadSync : 1;
            UINT Reserved : 21;
        };
        UINT Value;
    };
} D3DDDICB_LOCKFLAGS;

typedef struct _D3DDDICB_LOCK2FLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} D3DDDICB_LOCK2FLAGS;

/* ---- Residency ---- */

typedef enum _D3DDDI_OFFER_PRIORITY {
    D3DDDI_OFFER_PRIORITY_NONE = 0,
    D3DDDI_OFFER_PRIORITY_LOW = 1,
    D3DDDI_OFFER_PRIORITY_NORMAL = 2,
    D3DDDI_OFFER_PRIORITY_HIGH = 3,
    D3DDDI_OFFER_PRIORITY_AUTO = 4,
} D3DDDI_OFFER_PRIORITY;

typedef enum _D3DDDI_RECLAIM_RESULT {
    D3DDDI_RECLAIM_RESULT_OK = 0,
    D3DDDI_RECLAIM_RESULT_DISCARDED = 1,
    D3DDDI_RECLAIM_RESULT_NOT_COMMITTED = 2,
} D3DDDI_RECLAIM_RESULT;

typedef enum _D3DDDI_PAGINGQUEUE_PRIORITY {
    D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL = -1,
    D3DDDI_PAGINGQUEUE_PRIORITY_NORMAL = 0,
    D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL = 1,
} D3DDDI_PAGINGQUEUE_PRIORITY;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

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

typedef struct _D3DDDI_MAKERESIDENT {
    D3DKMT_HANDLE hPagingQueue;
    UINT NumAllocations;
    const D3DKMT_HANDLE *AllocationList;
    const UINT *PriorityList;
    D3DDDI_MAKERESIDENT_FLAGS Flags;
    UINT64 PagingFenceValue;
    UINT64 NumBytesToTrim;
} D3DDDI_MAKERESIDENT;

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

typedef struct _D3DDDI_DESTROYPAGINGQUEUE {
    D3DKMT_HANDLE hPagingQueue;
} D3DDDI_DESTROYPAGINGQUEUE;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- GPU virtual addresses ---- */

typedef enum _DXGK_PTE_PAGE_SIZE {
    DXGK_PTE_PAGE_TABLE_PAGE_4KB = 0,
    DXGK_PTE_PAGE_TABLE_PAGE_64KB = 1,
} DXGK_PTE_PAGE_SIZE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7

typedef struct _DXGK_PTE {
    union {
        struct {
            ULONGLONG Valid : 1;
            ULONGLONG Zero : 1;
            ULONGLONG CacheCoherent : 1;
            ULONGLONG ReadOnly : 1;
            ULONGLONG NoExecute : 1;
            ULONGLONG Segment : 5;
            ULONGLONG LargePage : 1;
            ULONGLONG PhysicalAdapterIndex : 6;
            ULONGLONG PageTablePageSize : 2;
            ULONGLONG SystemReserved0 : 1;
            ULONGLONG Reserved : 44;
        };
        ULONGLONG Flags;
    };
    union {
        ULONGLONG PageAddress;
        ULONGLONG PageTableAddress;
    };
} DXGK_PTE;

#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

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

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef enum _D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE {
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_ACCESS = 0,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_ZERO = 1,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_COMMIT = 2,
} D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

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

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

typedef enum _D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE {
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP = 0,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP = 1,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY = 2,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT = 3,
} D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

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

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Synchronization ---- */

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

typedef enum _D3DDDI_NATIVEFENCE_TYPE {
    D3DDDI_NATIVEFENCE_TYPE_DEFAULT = 0,
    D3DDDI_NATIVEFENCE_TYPE_INTRA_GPU = 1,
} D3DDDI_NATIVEFENCE_TYPE;

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

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0

typedef struct _D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS {
    union {
        struct {
            UINT WaitAny : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS;

#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

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

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DUKMDT_H */
