/*
 * d3dukmdt.h: types that user mode and kernel mode share.
 *
 * Handles, addresses, the lists that describe a submission, and the arguments of user mode's calls
 * that both sides spell alike. "in" is written by the caller, "out" by whoever is called; sizes and
 * offsets are bytes.
 */
#ifndef WDDM_D3DUKMDT_H
#define WDDM_D3DUKMDT_H

#include "wddm_types.h"
#include "wddm_version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Limits and well-known values ---- */

/* Segments. 31 and its bit stand for system memory where the page-based manager names it. */
#define DXGK_SEGMENT_ID_INVALID       0
#define DXGK_MAX_MMUS                 16
#define DXGK_SEGMENT_ID_SYSTEMMEMORY  31
#define D3DKMT_MAX_SEGMENT_COUNT      32
#define DXGK_INVALID_MMU_ID           0x0000FFFF
#define DXGK_SEGMENT_SET_SYSTEMMEMORY 0x80000000

/* GPU virtual addresses. */
#define D3DGPU_NULL                     0
#define DXGK_MIN_PAGE_TABLE_LEVEL_COUNT 2
#define DXGK_MAX_PAGE_TABLE_LEVEL_COUNT 6
#define DXGK_MAX_GPU_VA_BIT_COUNT       63
#define D3DKMT_GET_PTE_MAX              64
#define D3DGPU_UNIQUE_DRIVER_PROTECTION 0x8000000000000000ULL

/* Nodes, contexts and what a submission may name. */
#define DXGK_PRESENT_SOURCE_INDEX             1
#define DXGK_PRESENT_DESTINATION_INDEX        2
#define D3DDDI_MAX_WRITTEN_PRIMARIES          16
#define DXGK_MAX_METADATA_NAME_LENGTH         32
#define D3DDDI_MAX_BROADCAST_CONTEXT          64
#define DXGK_MAX_ASYMETRICAL_PROCESSING_NODES 64
#define DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT  256
#define DXGK_MAX_DOORBELL_SIZE_BYTES          0x00004000

/* Synchronization objects. */
#define D3DDDI_SYNC_OBJECT_WAIT      1
#define D3DDDI_SYNC_OBJECT_SIGNAL    2
#define D3DDDI_MAX_OBJECT_SIGNALED   32
#define D3DDDI_MAX_OBJECT_WAITED_ON  32
#define D3DDDI_NATIVE_FENCE_PDD_SIZE 64

/* Resources that adapters share: multiples of rows and bytes. */
#define D3DKMT_CROSS_ADAPTER_RESOURCE_HEIGHT_ALIGNMENT 4
#define D3DKMT_CROSS_ADAPTER_RESOURCE_PITCH_ALIGNMENT  128

/* Displays, power, features, names. */
#define DXGK_FEATURE_SUPPORT_ALWAYS_OFF           0
#define DXGK_HWFLIPQUEUE_TIMESTAMP_CANCELLED      0
#define DXGK_FEATURE_SUPPORT_EXPERIMENTAL         1
#define DXGK_FEATURE_SUPPORT_STABLE               2
#define DXGK_FEATURE_SUPPORT_ALWAYS_ON            3
#define DXGK_MAX_F_STATES                         8
#define D3DDDI_MAX_MULTIPLANE_OVERLAY_ALLOCATIONS 16
#define DXGK_DIAG_PROCESS_NAME_LENGTH             16
#define DXGK_MAX_INTEGRATED_DISPLAYS              16
#define DXGK_MAX_POWER_COMPONENT_PROVIDERS        16
#define DXGK_MAX_GPUVERSION_NAME_LENGTH           32
#define DXGK_MAX_P_STATES                         32
#define D3DDDI_MAX_MPO_PRESENT_DIRTY_RECTS        4095

/* Priorities of allocations: any value between them is legal, 0 is not. */
#define D3DDDI_ALLOCATIONPRIORITY_MINIMUM 0x28000000
#define D3DDDI_ALLOCATIONPRIORITY_LOW     0x50000000
#define D3DDDI_ALLOCATIONPRIORITY_NORMAL  0x78000000
#define D3DDDI_ALLOCATIONPRIORITY_HIGH    0xA0000000
#define D3DDDI_ALLOCATIONPRIORITY_MAXIMUM 0xC8000000

/* What callbacks of a user-mode driver answer. */
#define D3DDDIERR_WASSTILLDRAWING            ((HRESULT)0x8876021C)
#define D3DDDIERR_NOTAVAILABLE               ((HRESULT)0x8876086A)
#define D3DDDIERR_DEVICEREMOVED              ((HRESULT)0x88760870)
#define D3DDDIERR_PRIVILEGEDINSTRUCTION      ((HRESULT)0x88760871)
#define D3DDDIERR_INVALIDINSTRUCTION         ((HRESULT)0x88760872)
#define D3DDDIERR_INVALIDHANDLE              ((HRESULT)0x88760873)
#define D3DDDIERR_INVALIDUSERBUFFER          ((HRESULT)0x88760879)
#define D3DDDIERR_INCOMPATIBLEPRIVATEFORMAT  ((HRESULT)0x8876087A)
#define D3DDDIERR_CANTEVICTPINNEDALLOCATION  ((HRESULT)0xC0262109)
#define D3DDDIERR_CANTRENDERLOCKEDALLOCATION ((HRESULT)0xC0262111)

/* What a runtime's swap-chain callbacks answer. */
#define DXGI_DDI_ERR_WASSTILLDRAWING ((HRESULT)0x887B0001)
#define DXGI_DDI_ERR_UNSUPPORTED     ((HRESULT)0x887B0002)
#define DXGI_DDI_ERR_NONEXCLUSIVE    ((HRESULT)0x887B0003)

/* Results of Windows at large that these callbacks use; other headers may have them already. */
#ifndef E_OUTOFMEMORY
#define E_OUTOFMEMORY ((HRESULT)0x8007000E)
#endif
#ifndef E_INVALIDARG
#define E_INVALIDARG ((HRESULT)0x80070057)
#endif
#ifndef E_PENDING
#define E_PENDING ((HRESULT)0x8000000A)
#endif

/* ---- Handles, addresses, small types ---- */

typedef UINT D3DKMT_HANDLE;               /* the kernel's name of an object; 0 is none */
typedef ULONGLONG D3DKMT_SIZE_T;          /* bytes, in every kind of process */
typedef ULONGLONG D3DGPU_VIRTUAL_ADDRESS; /* an address as the GPU translates it; 0 is none */
typedef ULONGLONG D3DGPU_SIZE_T;          /* bytes or pages of the GPU's address space */
typedef UINT D3DDDI_VIDEO_PRESENT_SOURCE_ID;
typedef UINT D3DDDI_VIDEO_PRESENT_TARGET_ID;

/* Ids that stand for none, all, and not set yet. */
#define D3DDDI_ID_NOTAPPLICABLE ((UINT)0)
#define D3DDDI_ID_ALL ((UINT)~1u)
#define D3DDDI_ID_UNINITIALIZED ((UINT)~0u)

/* Four characters as a number, the first in the lowest byte. */
#define WDDM_FOURCC(a, b, c, d)                                                                    \
    ((int)((unsigned)(a) | (unsigned)(b) << 8 | (unsigned)(c) << 16 | (unsigned)(d) << 24))
#ifndef MAKEFOURCC
#define MAKEFOURCC(a, b, c, d)                                                                     \
    ((DWORD)(BYTE)(a) | (DWORD)(BYTE)(b) << 8 | (DWORD)(BYTE)(c) << 16 | (DWORD)(BYTE)(d) << 24)
#endif

/* Pixel formats. Page: ne-d3dukmdt-_d3dddiformat. */
typedef enum _D3DDDIFORMAT {
    D3DDDIFMT_UNKNOWN = 0,
    D3DDDIFMT_R8G8B8 = 20,
    D3DDDIFMT_A8R8G8B8 = 21,
    D3DDDIFMT_X8R8G8B8 = 22,
    D3DDDIFMT_R5G6B5 = 23,
    D3DDDIFMT_X1R5G5B5 = 24,
    D3DDDIFMT_A1R5G5B5 = 25,
    D3DDDIFMT_A4R4G4B4 = 26,
    D3DDDIFMT_R3G3B2 = 27,
    D3DDDIFMT_A8 = 28,
    D3DDDIFMT_A8R3G3B2 = 29,
    D3DDDIFMT_X4R4G4B4 = 30,
    D3DDDIFMT_A2B10G10R10 = 31,
    D3DDDIFMT_A8B8G8R8 = 32,
    D3DDDIFMT_X8B8G8R8 = 33,
    D3DDDIFMT_G16R16 = 34,
    D3DDDIFMT_A2R10G10B10 = 35,
    D3DDDIFMT_A16B16G16R16 = 36,
    D3DDDIFMT_A8P8 = 40,
    D3DDDIFMT_P8 = 41,
    D3DDDIFMT_L8 = 50,
    D3DDDIFMT_A8L8 = 51,
    D3DDDIFMT_A4L4 = 52,
    D3DDDIFMT_V8U8 = 60,
    D3DDDIFMT_L6V5U5 = 61,
    D3DDDIFMT_X8L8V8U8 = 62,
    D3DDDIFMT_Q8W8V8U8 = 63,
    D3DDDIFMT_V16U16 = 64,
    D3DDDIFMT_W11V11U10 = 65,
    D3DDDIFMT_A2W10V10U10 = 67,
    D3DDDIFMT_UYVY = WDDM_FOURCC('U', 'Y', 'V', 'Y'),
    D3DDDIFMT_R8G8_B8G8 = WDDM_FOURCC('R', 'G', 'B', 'G'),
    D3DDDIFMT_YUY2 = WDDM_FOURCC('Y', 'U', 'Y', '2'),
    D3DDDIFMT_G8R8_G8B8 = WDDM_FOURCC('G', 'R', 'G', 'B'),
    D3DDDIFMT_DXT1 = WDDM_FOURCC('D', 'X', 'T', '1'),
    D3DDDIFMT_DXT2 = WDDM_FOURCC('D', 'X', 'T', '2'),
    D3DDDIFMT_DXT3 = WDDM_FOURCC('D', 'X', 'T', '3'),
    D3DDDIFMT_DXT4 = WDDM_FOURCC('D', 'X', 'T', '4'),
    D3DDDIFMT_DXT5 = WDDM_FOURCC('D', 'X', 'T', '5'),
    D3DDDIFMT_D16_LOCKABLE = 70,
    D3DDDIFMT_D32 = 71,
    D3DDDIFMT_D15S1 = 73,
    D3DDDIFMT_D24S8 = 75,
    D3DDDIFMT_D24X8 = 77,
    D3DDDIFMT_D24X4S4 = 79,
    D3DDDIFMT_D16 = 80,
    D3DDDIFMT_D32F_LOCKABLE = 82,
    D3DDDIFMT_D24FS8 = 83,
    D3DDDIFMT_D32_LOCKABLE = 84,
    D3DDDIFMT_S8_LOCKABLE = 85,
    D3DDDIFMT_S1D15 = 72,
    D3DDDIFMT_S8D24 = 74,
    D3DDDIFMT_X8D24 = 76,
    D3DDDIFMT_X4S4D24 = 78,
    D3DDDIFMT_L16 = 81,
    D3DDDIFMT_G8R8 = 91,
    D3DDDIFMT_R8 = 92,
    D3DDDIFMT_VERTEXDATA = 100,
    D3DDDIFMT_INDEX16 = 101,
    D3DDDIFMT_INDEX32 = 102,
    D3DDDIFMT_Q16W16V16U16 = 110,
    D3DDDIFMT_MULTI2_ARGB8 = WDDM_FOURCC('M', 'E', 'T', '1'),
    D3DDDIFMT_R16F = 111,
    D3DDDIFMT_G16R16F = 112,
    D3DDDIFMT_A16B16G16R16F = 113,
    D3DDDIFMT_R32F = 114,
    D3DDDIFMT_G32R32F = 115,
    D3DDDIFMT_A32B32G32R32F = 116,
    D3DDDIFMT_CxV8U8 = 117,
    D3DDDIFMT_A1 = 118,
    D3DDDIFMT_A2B10G10R10_XR_BIAS = 119,
    D3DDDIFMT_DXVACOMPBUFFER_BASE = 150,
    D3DDDIFMT_PICTUREPARAMSDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 0,
    D3DDDIFMT_MACROBLOCKDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 1,
    D3DDDIFMT_RESIDUALDIFFERENCEDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 2,
    D3DDDIFMT_DEBLOCKINGDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 3,
    D3DDDIFMT_INVERSEQUANTIZATIONDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 4,
    D3DDDIFMT_SLICECONTROLDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 5,
    D3DDDIFMT_BITSTREAMDATA = D3DDDIFMT_DXVACOMPBUFFER_BASE + 6,
    D3DDDIFMT_MOTIONVECTORBUFFER = D3DDDIFMT_DXVACOMPBUFFER_BASE + 7,
    D3DDDIFMT_FILMGRAINBUFFER = D3DDDIFMT_DXVACOMPBUFFER_BASE + 8,
    D3DDDIFMT_DXVA_RESERVED9 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 9,
    D3DDDIFMT_DXVA_RESERVED10 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 10,
    D3DDDIFMT_DXVA_RESERVED11 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 11,
    D3DDDIFMT_DXVA_RESERVED12 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 12,
    D3DDDIFMT_DXVA_RESERVED13 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 13,
    D3DDDIFMT_DXVA_RESERVED14 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 14,
    D3DDDIFMT_DXVA_RESERVED15 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 15,
    D3DDDIFMT_DXVA_RESERVED16 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 16,
    D3DDDIFMT_DXVA_RESERVED17 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 17,
    D3DDDIFMT_DXVA_RESERVED18 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 18,
    D3DDDIFMT_DXVA_RESERVED19 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 19,
    D3DDDIFMT_DXVA_RESERVED20 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 20,
    D3DDDIFMT_DXVA_RESERVED21 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 21,
    D3DDDIFMT_DXVA_RESERVED22 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 22,
    D3DDDIFMT_DXVA_RESERVED23 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 23,
    D3DDDIFMT_DXVA_RESERVED24 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 24,
    D3DDDIFMT_DXVA_RESERVED25 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 25,
    D3DDDIFMT_DXVA_RESERVED26 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 26,
    D3DDDIFMT_DXVA_RESERVED27 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 27,
    D3DDDIFMT_DXVA_RESERVED28 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 28,
    D3DDDIFMT_DXVA_RESERVED29 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 29,
    D3DDDIFMT_DXVA_RESERVED30 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 30,
    D3DDDIFMT_DXVA_RESERVED31 = D3DDDIFMT_DXVACOMPBUFFER_BASE + 31,
    D3DDDIFMT_DXVACOMPBUFFER_MAX = D3DDDIFMT_DXVA_RESERVED31,
    D3DDDIFMT_BINARYBUFFER = 199,
    D3DDDIFMT_FORCE_UINT = 0x7fffffff,
} D3DDDIFORMAT;

/* A ratio; refresh rates are in hertz. Page: ns-d3dukmdt-_d3dddi_rational. */
typedef struct _D3DDDI_RATIONAL {
    UINT Numerator;
    UINT Denominator;
} D3DDDI_RATIONAL;

/* Samples a pixel. Page: ns-d3dukmdt-_d3dddi_multisamplingmethod. */
typedef struct _D3DDDI_MULTISAMPLINGMETHOD {
    UINT NumSamples;
    UINT NumQualityLevels;
} D3DDDI_MULTISAMPLINGMETHOD;

/*
 * A place that a GPU can reach by its physical address, seen by segment.
 * Page: ns-d3dukmdt-_d3dgpu_physical_address.
 */
typedef struct _D3DGPU_PHYSICAL_ADDRESS {
    UINT SegmentId;       /* from 1; 0 is system memory */
    UINT Padding;
    UINT64 SegmentOffset; /* bytes from the segment's start, without its BaseAddress */
} D3DGPU_PHYSICAL_ADDRESS;

/* Where user mode wants a surface. Page: ne-d3dukmdt-_d3dddi_pool. */
typedef enum _D3DDDI_POOL {
    D3DDDIPOOL_SYSTEMMEM = 1,
    D3DDDIPOOL_VIDEOMEMORY = 2,
    D3DDDIPOOL_LOCALVIDMEM = 3,
    D3DDDIPOOL_NONLOCALVIDMEM = 4,
    D3DDDIPOOL_STAGINGMEM = 5,
} D3DDDI_POOL;

/*
 * When a flip takes effect, counted in vertical blanks.
 * Page: ne-d3dukmdt-d3dddi_flipinterval_type.
 */
typedef enum _D3DDDI_FLIPINTERVAL_TYPE {
    D3DDDI_FLIPINTERVAL_IMMEDIATE = 0,
    D3DDDI_FLIPINTERVAL_ONE = 1,
    D3DDDI_FLIPINTERVAL_TWO = 2,
    D3DDDI_FLIPINTERVAL_THREE = 3,
    D3DDDI_FLIPINTERVAL_FOUR = 4,
    D3DDDI_FLIPINTERVAL_IMMEDIATE_ALLOW_TEARING = 5,
} D3DDDI_FLIPINTERVAL_TYPE;

/* How far a surface is turned. Page: ne-d3dukmdt-_d3dddi_rotation. */
typedef enum _D3DDDI_ROTATION {
    D3DDDI_ROTATION_IDENTITY = 1,
    D3DDDI_ROTATION_90 = 2,
    D3DDDI_ROTATION_180 = 3,
    D3DDDI_ROTATION_270 = 4,
} D3DDDI_ROTATION;

/* What a wireless-display encode chunk reports. Page: ne-d3dukmdt-_dxgk_miracast_chunk_type. */
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
/* Page: ns-d3dukmdt-dxgk_miracast_chunk_info. */
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

/*
 * What user mode says of one allocation when it has it created.
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

/* Page: ns-d3dukmdt-_d3dddi_openallocationinfo. */
typedef struct _D3DDDI_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DDDI_OPENALLOCATIONINFO;

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

/* Page: ns-d3dukmdt-_d3dddi_openallocationinfo2. */
typedef struct _D3DDDI_OPENALLOCATIONINFO2 {
    D3DKMT_HANDLE hAllocation;
    const void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
    ULONG_PTR Reserved[6];
} D3DDDI_OPENALLOCATIONINFO2;
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
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

/* ---- Command submission ---- */

/*
 * One allocation that a command buffer uses, as user mode names it. The kernel makes a
 * DXGK_ALLOCATIONLIST entry of it, at the same index.
 * Page: ns-d3dukmdt-_d3dddi_allocationlist.
 */
typedef struct _D3DDDI_ALLOCATIONLIST {
    D3DKMT_HANDLE hAllocation; /* the kernel's handle; 0 leaves the entry unused */
    union {
        struct {
            UINT WriteOperation : 1;         /* the GPU writes it; clear: it only reads */
            UINT DoNotRetireInstance : 1;    /* a renamed instance is kept for the next command
                                                buffer */
            UINT WDDM1_2(OfferPriority) : 3; /* D3DDDI_OFFER_PRIORITY: the allocation is offered
                                                once the buffer is done */
            UINT Reserved : 27;
        };
        UINT Value;
    };
} D3DDDI_ALLOCATIONLIST;

/*
 * One address within a DMA buffer that is written when the place of the allocation is known.
 * Page: ns-d3dukmdt-_d3dddi_patchlocationlist.
 */
typedef struct _D3DDDI_PATCHLOCATIONLIST {
    UINT AllocationIndex; /* into the allocation list, from 0 */
    union {
        struct {
            UINT SlotId : 24; /* the use that the hardware makes of it, from 0; a later reference
                                 with the same slot takes the place of this one */
            UINT Reserved : 8;
        };
        UINT Value;
    };
    UINT DriverId;         /* the driver's own mark; never read by the manager */
    UINT AllocationOffset; /* bytes from the allocation's start to the address that is patched in */
    UINT PatchOffset;      /* bytes from the DMA buffer's start to the place that is patched */
    UINT SplitOffset;      /* bytes from the DMA buffer's start to where it may be cut before
                              this reference; later elements cut later */
} D3DDDI_PATCHLOCATIONLIST;

/* What kind of context user mode wants. Page: ns-d3dukmdt-_d3dddi_createcontextflags. */
typedef struct _D3DDDI_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT NullRendering : 1;                /* commands are submitted and never executed */
            UINT InitialData : 1;                  /* private data is for the context's initial
                                                      state */
            UINT WDDM2_0(DisableGpuTimeout) : 1;   /* the watchdog lets its work run */
            UINT WDDM2_0(SynchronizationOnly) : 1; /* only waits and signals, no commands */
            UINT WDDM2_3(HwQueueSupported) : 1;    /* work goes to hardware queues */
            UINT WDDM2_3(NoKmdAccess) : 1;
            UINT WDDM2_3(TestContext) : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} D3DDDI_CREATECONTEXTFLAGS;

/* How an escape reaches the driver. Page: ns-d3dukmdt-_d3dddi_escapeflags. */
typedef struct _D3DDDI_ESCAPEFLAGS {
    union {
        struct {
            UINT HardwareAccess : 1; /* the adapter must be idle for it */
            UINT WDDM1_3(DeviceStatusQuery) : 1;
            UINT WDDM1_3(ChangeFrameLatency) : 1;
            /* it may run beside other calls */
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

/* From WDDM 2.0 a lock has no modes; all bits are 0. Page: ns-d3dukmdt-_d3dddicb_lock2flags. */
typedef struct _D3DDDICB_LOCK2FLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} D3DDDICB_LOCK2FLAGS;

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

/* What became of an allocation while it was offered. Page: ne-d3dukmdt-_d3dddi_reclaim_result. */
typedef enum _D3DDDI_RECLAIM_RESULT {
    D3DDDI_RECLAIM_RESULT_OK = 0,            /* the content is there */
    D3DDDI_RECLAIM_RESULT_DISCARDED = 1,     /* the content is lost, the memory is there */
    D3DDDI_RECLAIM_RESULT_NOT_COMMITTED = 2, /* content and memory are gone */
} D3DDDI_RECLAIM_RESULT;

/* Page: ne-d3dukmdt-d3dddi_pagingqueue_priority. */
typedef enum _D3DDDI_PAGINGQUEUE_PRIORITY {
    D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL = -1,
    D3DDDI_PAGINGQUEUE_PRIORITY_NORMAL = 0,
    D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL = 1,
} D3DDDI_PAGINGQUEUE_PRIORITY;

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

/* Page: ns-d3dukmdt-d3dddi_destroypagingqueue. */
typedef struct _D3DDDI_DESTROYPAGINGQUEUE {
    D3DKMT_HANDLE hPagingQueue;
} D3DDDI_DESTROYPAGINGQUEUE;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- GPU virtual addresses ---- */

/* What one leaf entry covers. Page: ne-d3dukmdt-_dxgk_pte_page_size. */
typedef enum _DXGK_PTE_PAGE_SIZE {
    DXGK_PTE_PAGE_TABLE_PAGE_4KB = 0,
    DXGK_PTE_PAGE_TABLE_PAGE_64KB = 1,
} DXGK_PTE_PAGE_SIZE;

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
            ULONGLONG PhysicalAdapterIndex : 6; /* whose memory, in a link */
            ULONGLONG PageTablePageSize : 2;    /* DXGK_PTE_PAGE_SIZE of the table's own entries */
            ULONGLONG SystemReserved0 : 1;
            ULONGLONG Reserved : 44;
        };
        ULONGLONG Flags;
    };
    union {
        ULONGLONG PageAddress;      /* leaf: physical address or segment offset, divided by 4096 */
        ULONGLONG PageTableAddress; /* above: the same of the page table */
    };
} DXGK_PTE;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/*
 * What the GPU may do with a mapping.
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
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ne-d3dukmdt-_d3dddigpuvirtualaddress_reservation_type. */
typedef enum _D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE {
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_ACCESS = 0,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_ZERO = 1,
    D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_COMMIT = 2,
} D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE;

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
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ne-d3dukmdt-_d3dddi_updategpuvirtualaddress_operation_type. */
typedef enum _D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE {
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP = 0,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP = 1,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY = 2,
    D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT = 3,
} D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE;

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

/* Page: none. */
typedef enum _D3DDDI_NATIVEFENCE_TYPE {
    D3DDDI_NATIVEFENCE_TYPE_DEFAULT = 0,
    D3DDDI_NATIVEFENCE_TYPE_INTRA_GPU = 1,
} D3DDDI_NATIVEFENCE_TYPE;

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

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DUKMDT_H */
