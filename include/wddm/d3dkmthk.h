/*
 * d3dkmthk.h: user mode's requests to the graphics kernel.
 *
 * The arguments of the D3DKMT calls. Handles are the kernel's. "in" is written by the caller,
 * "out" by the kernel; members without a comment are told by their page.
 */
#ifndef WDDM_D3DKMTHK_H
#define WDDM_D3DKMTHK_H

#include "d3dkmthk_adapter.h"    /* adapters, devices */
#include "d3dkmthk_allocation.h" /* allocations, locks, residency, budgets, addresses */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contexts and submission ---- */

/* The interface that a context serves; for statistics. Page: ne-d3dkmthk-_d3dkmt_clienthint. */
typedef enum _D3DKMT_CLIENTHINT {
    D3DKMT_CLIENTHINT_UNKNOWN = 0,
    D3DKMT_CLIENTHINT_OPENGL = 1,
    D3DKMT_CLIENTHINT_CDD = 2,
    D3DKMT_CLIENTHINT_OPENCL = 3,
    D3DKMT_CLIENTHINT_VULKAN = 4,
    D3DKMT_CLIENTHINT_CUDA = 5,
    D3DKMT_CLIENTHINT_RESERVED = 6,
    D3DKMT_CLIENTHINT_DX7 = 7,
    D3DKMT_CLIENTHINT_DX8 = 8,
    D3DKMT_CLIENTHINT_DX9 = 9,
    D3DKMT_CLIENTHINT_DX10 = 10,
    D3DKMT_CLIENTHINT_DX11 = 11,
    D3DKMT_CLIENTHINT_DX12 = 12,
    D3DKMT_CLIENTHINT_9ON12 = 13,
    D3DKMT_CLIENTHINT_11ON12 = 14,
    D3DKMT_CLIENTHINT_MFT_ENCODE = 15,
    D3DKMT_CLIENTHINT_GLON12 = 16,
    D3DKMT_CLIENTHINT_CLON12 = 17,
    D3DKMT_CLIENTHINT_DML_TENSORFLOW = 18,
    D3DKMT_CLIENTHINT_ONEAPI_LEVEL0 = 19,
    D3DKMT_CLIENTHINT_DML_PYTORCH = 20,
    D3DKMT_CLIENTHINT_VKON12 = 21,
    D3DKMT_CLIENTHINT_FASTRPC = 22,
    D3DKMT_CLIENTHINT_SNPE = 23,
    D3DKMT_CLIENTHINT_QNN = 24,
    D3DKMT_CLIENTHINT_VITIS = 25,
    D3DKMT_CLIENTHINT_FFMPEG = 26,
    D3DKMT_CLIENTHINT_OPEN_VINO = 27,
    D3DKMT_CLIENTHINT_MAX = 28,
} D3DKMT_CLIENTHINT;

/* Page: ns-d3dkmthk-_d3dkmt_createcontext. */
typedef struct _D3DKMT_CREATECONTEXT {
    D3DKMT_HANDLE hDevice;
    UINT NodeOrdinal;
    UINT EngineAffinity;
    D3DDDI_CREATECONTEXTFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DKMT_CLIENTHINT ClientHint;
    D3DKMT_HANDLE hContext;
    void *pCommandBuffer;
    UINT CommandBufferSize;
    D3DDDI_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    D3DGPU_VIRTUAL_ADDRESS CommandBuffer;
} D3DKMT_CREATECONTEXT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_createcontextvirtual. */
typedef struct _D3DKMT_CREATECONTEXTVIRTUAL {
    D3DKMT_HANDLE hDevice;
    UINT NodeOrdinal;
    UINT EngineAffinity;
    D3DDDI_CREATECONTEXTFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DKMT_CLIENTHINT ClientHint;
    D3DKMT_HANDLE hContext;
} D3DKMT_CREATECONTEXTVIRTUAL;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmthk-_d3dkmt_destroycontext. */
typedef struct _D3DKMT_DESTROYCONTEXT {
    D3DKMT_HANDLE hContext;
} D3DKMT_DESTROYCONTEXT;

/* How a command buffer is taken. Page: ns-d3dkmthk-_d3dkmt_renderflags. */
typedef struct _D3DKMT_RENDERFLAGS {
    UINT ResizeCommandBuffer : 1;
    UINT ResizeAllocationList : 1;
    UINT ResizePatchLocationList : 1;
    UINT NullRendering : 1;
    UINT PresentRedirected : 1;
    UINT RenderKm : 1;
    UINT RenderKmReadback : 1;
    UINT Reserved : 25;
} D3DKMT_RENDERFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_render. */
typedef struct _D3DKMT_RENDER {
    union {
        D3DKMT_HANDLE hDevice;
        D3DKMT_HANDLE hContext;
    };
    UINT CommandOffset;
    UINT CommandLength;
    UINT AllocationCount;
    UINT PatchLocationCount;
    void *pNewCommandBuffer;
    UINT NewCommandBufferSize;
    D3DDDI_ALLOCATIONLIST *pNewAllocationList;
    UINT NewAllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pNewPatchLocationList;
    UINT NewPatchLocationListSize;
    D3DKMT_RENDERFLAGS Flags;
    ULONGLONG PresentHistoryToken;
    ULONG BroadcastContextCount;
    D3DKMT_HANDLE BroadcastContext[64];
    ULONG QueuedBufferCount;
    D3DGPU_VIRTUAL_ADDRESS NewCommandBuffer;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DKMT_RENDER;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* How a submission is taken. Page: ns-d3dkmthk-_d3dkmt_submitcommandflags. */
typedef struct _D3DKMT_SUBMITCOMMANDFLAGS {
    UINT NullRendering : 1;
    UINT PresentRedirected : 1;
    UINT NoKmdAccess : 1;
    UINT Reserved : 29;
} D3DKMT_SUBMITCOMMANDFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_submitcommand. */
typedef struct _D3DKMT_SUBMITCOMMAND {
    D3DGPU_VIRTUAL_ADDRESS Commands;
    UINT CommandLength;
    D3DKMT_SUBMITCOMMANDFLAGS Flags;
    ULONGLONG PresentHistoryToken;
    UINT BroadcastContextCount;
    D3DKMT_HANDLE BroadcastContext[64];
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT NumPrimaries;
    D3DKMT_HANDLE WrittenPrimaries[16];
    UINT NumHistoryBuffers;
    D3DKMT_HANDLE *HistoryBufferArray;
} D3DKMT_SUBMITCOMMAND;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* How a process is scheduled. Page: ne-d3dkmthk-_d3dkmt_schedulingpriorityclass. */
typedef enum _D3DKMT_SCHEDULINGPRIORITYCLASS {
    D3DKMT_SCHEDULINGPRIORITYCLASS_IDLE = 0,
    D3DKMT_SCHEDULINGPRIORITYCLASS_BELOW_NORMAL = 1,
    D3DKMT_SCHEDULINGPRIORITYCLASS_NORMAL = 2,
    D3DKMT_SCHEDULINGPRIORITYCLASS_ABOVE_NORMAL = 3,
    D3DKMT_SCHEDULINGPRIORITYCLASS_HIGH = 4,
    D3DKMT_SCHEDULINGPRIORITYCLASS_REALTIME = 5,
} D3DKMT_SCHEDULINGPRIORITYCLASS;

/* ---- Synchronization ---- */

/* Page: ns-d3dkmthk-_d3dkmt_createsynchronizationobject2. */
typedef struct _D3DKMT_CREATESYNCHRONIZATIONOBJECT2 {
    D3DKMT_HANDLE hDevice;
    D3DDDI_SYNCHRONIZATIONOBJECTINFO2 Info;
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_CREATESYNCHRONIZATIONOBJECT2;

/* Page: ns-d3dkmthk-_d3dkmt_destroysynchronizationobject. */
typedef struct _D3DKMT_DESTROYSYNCHRONIZATIONOBJECT {
    D3DKMT_HANDLE hSyncObject;
} D3DKMT_DESTROYSYNCHRONIZATIONOBJECT;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobjectfromcpu. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU {
    D3DKMT_HANDLE hDevice;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    const UINT64 *FenceValueArray;
    HANDLE hAsyncEvent;
    D3DDDI_WAITFORSYNCHRONIZATIONOBJECTFROMCPU_FLAGS Flags;
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromcpu. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU {
    D3DKMT_HANDLE hDevice;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    const UINT64 *FenceValueArray;
    D3DDDICB_SIGNALFLAGS Flags;
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU;

/* Page: ns-d3dkmthk-_d3dkmt_waitforsynchronizationobjectfromgpu. */
typedef struct _D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    union {
        const UINT64 *MonitoredFenceValueArray;
        UINT64 FenceValue;
        UINT64 Reserved[8];
    };
} D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromgpu. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU {
    D3DKMT_HANDLE hContext;
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    union {
        const UINT64 *MonitoredFenceValueArray;
        UINT64 Reserved[8];
    };
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU;

/* Page: ns-d3dkmthk-_d3dkmt_signalsynchronizationobjectfromgpu2. */
typedef struct _D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2 {
    UINT ObjectCount;
    const D3DKMT_HANDLE *ObjectHandleArray;
    D3DDDICB_SIGNALFLAGS Flags;
    ULONG BroadcastContextCount;
    const D3DKMT_HANDLE *BroadcastContextArray;
    union {
        UINT64 FenceValue;
        HANDLE CpuEventHandle;
        const UINT64 *MonitoredFenceValueArray;
        UINT64 Reserved[8];
    };
} D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Escapes and statistics ---- */

/* The addressee of an escape. Page: ne-d3dkmthk-_d3dkmt_escapetype. */
typedef enum _D3DKMT_ESCAPETYPE {
    D3DKMT_ESCAPE_DRIVERPRIVATE = 0, /* the driver */
    D3DKMT_ESCAPE_VIDMM = 1,         /* the video memory manager: D3DKMT_VIDMMESCAPETYPE */
    D3DKMT_ESCAPE_TDRDBGCTRL = 2,
    D3DKMT_ESCAPE_VIDSCH = 3,
    D3DKMT_ESCAPE_DEVICE = 4,
    D3DKMT_ESCAPE_DMM = 5,
    D3DKMT_ESCAPE_DEBUG_SNAPSHOT = 6,
    D3DKMT_ESCAPE_DRT_TEST = 8,
    D3DKMT_ESCAPE_DIAGNOSTICS = 9,
    D3DKMT_ESCAPE_OUTPUTDUPL_SNAPSHOT = 10,
    D3DKMT_ESCAPE_OUTPUTDUPL_DIAGNOSTICS = 11,
    D3DKMT_ESCAPE_BDD_PNP = 12,
    D3DKMT_ESCAPE_BDD_FALLBACK = 13,
    D3DKMT_ESCAPE_ACTIVATE_SPECIFIC_DIAG = 14,
    D3DKMT_ESCAPE_MODES_PRUNED_OUT = 15,
    D3DKMT_ESCAPE_WHQL_INFO = 16,
    D3DKMT_ESCAPE_BRIGHTNESS = 17,
    D3DKMT_ESCAPE_EDID_CACHE = 18,
    D3DKMT_ESCAPE_MIRACAST_DISPLAY_REQUEST = 20,
    D3DKMT_ESCAPE_HISTORY_BUFFER_STATUS = 21,
    D3DKMT_ESCAPE_MIRACAST_ADAPTER_DIAG_INFO = 23,
    D3DKMT_ESCAPE_FORCE_BDDFALLBACK_HEADLESS = 24,
    D3DKMT_ESCAPE_REQUEST_MACHINE_CRASH = 25,
    D3DKMT_ESCAPE_SOFTGPU_ENABLE_DISABLE_HMD = 27,
    D3DKMT_ESCAPE_PROCESS_VERIFIER_OPTION = 28,
    D3DKMT_ESCAPE_ADAPTER_VERIFIER_OPTION = 29,
    D3DKMT_ESCAPE_IDD_REQUEST = 30,
    D3DKMT_ESCAPE_DOD_SET_DIRTYRECT_MODE = 31,
    D3DKMT_ESCAPE_LOG_CODEPOINT_PACKET = 32,
    D3DKMT_ESCAPE_LOG_USERMODE_DAIG_PACKET = 33,
    D3DKMT_ESCAPE_GET_EXTERNAL_DIAGNOSTICS = 34,
    D3DKMT_ESCAPE_GET_DISPLAY_CONFIGURATIONS = 36,
    D3DKMT_ESCAPE_QUERY_IOMMU_STATUS = 37,
    D3DKMT_ESCAPE_CCD_DATABASE = 38,
    D3DKMT_ESCAPE_QUERY_DMA_REMAPPING_STATUS = 39,
    D3DKMT_ESCAPE_WIN32K_START = 1024,
    D3DKMT_ESCAPE_WIN32K_HIP_DEVICE_INFO = 1024,
    D3DKMT_ESCAPE_WIN32K_QUERY_CD_ROTATION_BLOCK = 1025,
    D3DKMT_ESCAPE_WIN32K_DPI_INFO = 1026,
    D3DKMT_ESCAPE_WIN32K_PRESENTER_VIEW_INFO = 1027,
    D3DKMT_ESCAPE_WIN32K_SYSTEM_DPI = 1028,
    D3DKMT_ESCAPE_WIN32K_BDD_FALLBACK = 1029,
    D3DKMT_ESCAPE_WIN32K_DDA_TEST_CTL = 1030,
    D3DKMT_ESCAPE_WIN32K_USER_DETECTED_BLACK_SCREEN = 1031,
    D3DKMT_ESCAPE_WIN32K_DISPBROKER_TEST = 1035,
    D3DKMT_ESCAPE_WIN32K_COLOR_PROFILE_INFO = 1036,
    D3DKMT_ESCAPE_WIN32K_SET_DIMMED_STATE = 1037,
    D3DKMT_ESCAPE_WIN32K_SPECIALIZED_DISPLAY_TEST = 1038,
} D3DKMT_ESCAPETYPE;

/*
 * The requests to the video memory manager, for tests.
 * Page: ne-d3dkmthk-_d3dkmt_vidmmescapetype.
 */
typedef enum _D3DKMT_VIDMMESCAPETYPE {
    D3DKMT_VIDMMESCAPETYPE_SETFAULT = 0,
    D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST = 1,
    D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST = 2,
    D3DKMT_VIDMMESCAPETYPE_APERTURE_CORRUPTION_CHECK = 3,
    D3DKMT_VIDMMESCAPETYPE_SUSPEND_CPU_ACCESS_TEST = 4,
    D3DKMT_VIDMMESCAPETYPE_EVICT = 5,
    D3DKMT_VIDMMESCAPETYPE_EVICT_BY_NT_HANDLE = 6,
    D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO = 7,
    D3DKMT_VIDMMESCAPETYPE_SET_BUDGET = 8,
    D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS = 9,
    D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS = 10,
    D3DKMT_VIDMMESCAPETYPE_GET_BUDGET = 11,
    D3DKMT_VIDMMESCAPETYPE_SET_TRIM_INTERVALS = 12,
    D3DKMT_VIDMMESCAPETYPE_EVICT_BY_CRITERIA = 13,
    D3DKMT_VIDMMESCAPETYPE_WAKE = 14,
    D3DKMT_VIDMMESCAPETYPE_DEFRAG = 15,
    D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION = 16,
    D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY = 17,
    D3DKMT_VIDMMESCAPETYPE_SET_EVICTION_CONFIG = 18,
} D3DKMT_VIDMMESCAPETYPE;

/* Page: ns-d3dkmthk-_d3dkmt_escape. */
typedef struct _D3DKMT_ESCAPE {
    D3DKMT_HANDLE hAdapter;
    D3DKMT_HANDLE hDevice;
    D3DKMT_ESCAPETYPE Type;
    D3DDDI_ESCAPEFLAGS Flags;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DKMT_HANDLE hContext;
} D3DKMT_ESCAPE;

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

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_H */
