/*
 * d3dkmthk.h: what user mode asks of the graphics kernel.
 *
 * The arguments of the D3DKMT calls. Handles are the kernel's. "in" is written by the caller,
 * "out" by the kernel; members without a comment are told by their page.
 */
#ifndef WDDM_D3DKMTHK_H
#define WDDM_D3DKMTHK_H

#include "d3dkmdt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Adapters ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmthk-_d3dkmt_openadapterfromluid. */
typedef struct _D3DKMT_OPENADAPTERFROMLUID {
    LUID AdapterLuid;
    D3DKMT_HANDLE hAdapter;
} D3DKMT_OPENADAPTERFROMLUID;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* Page: ns-d3dkmthk-_d3dkmt_closeadapter. */
typedef struct _D3DKMT_CLOSEADAPTER {
    D3DKMT_HANDLE hAdapter;
} D3DKMT_CLOSEADAPTER;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmthk-_d3dkmt_adapterinfo. */
typedef struct _D3DKMT_ADAPTERINFO {
    D3DKMT_HANDLE hAdapter;
    LUID AdapterLuid;
    ULONG NumOfSources;
    BOOL bPrecisePresentRegionsPreferred;
} D3DKMT_ADAPTERINFO;

/* Page: ns-d3dkmthk-_d3dkmt_enumadapters2. */
typedef struct _D3DKMT_ENUMADAPTERS2 {
    ULONG NumAdapters;
    D3DKMT_ADAPTERINFO *pAdapters;
} D3DKMT_ENUMADAPTERS2;
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* What an adapter can be asked from user mode. Page: ne-d3dkmthk-_kmtqueryadapterinfotype. */
typedef enum _KMTQUERYADAPTERINFOTYPE {
    KMTQAITYPE_UMDRIVERPRIVATE = 0,
    KMTQAITYPE_UMDRIVERNAME = 1,
    KMTQAITYPE_UMOPENGLINFO = 2,
    KMTQAITYPE_GETSEGMENTSIZE = 3,
    KMTQAITYPE_ADAPTERGUID = 4,
    KMTQAITYPE_FLIPQUEUEINFO = 5,
    KMTQAITYPE_ADAPTERADDRESS = 6,
    KMTQAITYPE_SETWORKINGSETINFO = 7,
    KMTQAITYPE_ADAPTERREGISTRYINFO = 8,
    KMTQAITYPE_CURRENTDISPLAYMODE = 9,
    KMTQAITYPE_MODELIST = 10,
    KMTQAITYPE_CHECKDRIVERUPDATESTATUS = 11,
    KMTQAITYPE_VIRTUALADDRESSINFO = 12,
    KMTQAITYPE_DRIVERVERSION = 13,
    KMTQAITYPE_ADAPTERTYPE = 15,
    KMTQAITYPE_OUTPUTDUPLCONTEXTSCOUNT = 16,
    KMTQAITYPE_WDDM_1_2_CAPS = 17,
    KMTQAITYPE_UMD_DRIVER_VERSION = 18,
    KMTQAITYPE_DIRECTFLIP_SUPPORT = 19,
    KMTQAITYPE_MULTIPLANEOVERLAY_SUPPORT = 20,
    KMTQAITYPE_DLIST_DRIVER_NAME = 21,
    KMTQAITYPE_WDDM_1_3_CAPS = 22,
    KMTQAITYPE_MULTIPLANEOVERLAY_HUD_SUPPORT = 23,
    KMTQAITYPE_WDDM_2_0_CAPS = 24,
    KMTQAITYPE_NODEMETADATA = 25,
    KMTQAITYPE_CPDRIVERNAME = 26,
    KMTQAITYPE_XBOX = 27,
    KMTQAITYPE_INDEPENDENTFLIP_SUPPORT = 28,
    KMTQAITYPE_MIRACASTCOMPANIONDRIVERNAME = 29,
    KMTQAITYPE_PHYSICALADAPTERCOUNT = 30,
    KMTQAITYPE_PHYSICALADAPTERDEVICEIDS = 31,
    KMTQAITYPE_DRIVERCAPS_EXT = 32,
    KMTQAITYPE_QUERY_MIRACAST_DRIVER_TYPE = 33,
    KMTQAITYPE_QUERY_GPUMMU_CAPS = 34,
    KMTQAITYPE_QUERY_MULTIPLANEOVERLAY_DECODE_SUPPORT = 35,
    KMTQAITYPE_QUERY_HW_PROTECTION_TEARDOWN_COUNT = 36,
    KMTQAITYPE_QUERY_ISBADDRIVERFORHWPROTECTIONDISABLED = 37,
    KMTQAITYPE_MULTIPLANEOVERLAY_SECONDARY_SUPPORT = 38,
    KMTQAITYPE_INDEPENDENTFLIP_SECONDARY_SUPPORT = 39,
    KMTQAITYPE_PANELFITTER_SUPPORT = 40,
    KMTQAITYPE_PHYSICALADAPTERPNPKEY = 41,
    KMTQAITYPE_GETSEGMENTGROUPSIZE = 42,
    KMTQAITYPE_MPO3DDI_SUPPORT = 43,
    KMTQAITYPE_HWDRM_SUPPORT = 44,
    KMTQAITYPE_MPOKERNELCAPS_SUPPORT = 45,
    KMTQAITYPE_MULTIPLANEOVERLAY_STRETCH_SUPPORT = 46,
    KMTQAITYPE_GET_DEVICE_VIDPN_OWNERSHIP_INFO = 47,
    KMTQAITYPE_QUERYREGISTRY = 48,
    KMTQAITYPE_KMD_DRIVER_VERSION = 49,
    KMTQAITYPE_BLOCKLIST_KERNEL = 50,
    KMTQAITYPE_BLOCKLIST_RUNTIME = 51,
    KMTQAITYPE_ADAPTERGUID_RENDER = 52,
    KMTQAITYPE_ADAPTERADDRESS_RENDER = 53,
    KMTQAITYPE_ADAPTERREGISTRYINFO_RENDER = 54,
    KMTQAITYPE_CHECKDRIVERUPDATESTATUS_RENDER = 55,
    KMTQAITYPE_DRIVERVERSION_RENDER = 56,
    KMTQAITYPE_ADAPTERTYPE_RENDER = 57,
    KMTQAITYPE_WDDM_1_2_CAPS_RENDER = 58,
    KMTQAITYPE_WDDM_1_3_CAPS_RENDER = 59,
    KMTQAITYPE_QUERY_ADAPTER_UNIQUE_GUID = 60,
    KMTQAITYPE_NODEPERFDATA = 61,
    KMTQAITYPE_ADAPTERPERFDATA = 62,
    KMTQAITYPE_ADAPTERPERFDATA_CAPS = 63,
    KMTQUITYPE_GPUVERSION = 64,
    KMTQAITYPE_DRIVER_DESCRIPTION = 65,
    KMTQAITYPE_DRIVER_DESCRIPTION_RENDER = 66,
    KMTQAITYPE_SCANOUT_CAPS = 67,
    KMTQAITYPE_DISPLAY_UMDRIVERNAME = 71,
    KMTQAITYPE_PARAVIRTUALIZATION_RENDER = 68,
    KMTQAITYPE_SERVICENAME = 69,
    KMTQAITYPE_WDDM_2_7_CAPS = 70,
    KMTQAITYPE_TRACKEDWORKLOAD_SUPPORT = 72,
    KMTQAITYPE_HYBRID_DLIST_DLL_SUPPORT = 73,
    KMTQAITYPE_DISPLAY_CAPS = 74,
    KMTQAITYPE_WDDM_2_9_CAPS = 75,
    KMTQAITYPE_CROSSADAPTERRESOURCE_SUPPORT = 76,
    KMTQAITYPE_WDDM_3_0_CAPS = 77,
    KMTQAITYPE_WSAUMDIMAGENAME = 78,
    KMTQAITYPE_VGPUINTERFACEID = 79,
    KMTQAITYPE_WDDM_3_1_CAPS = 80,
    KMTQAITYPE_HYBRID_DLIST_DLL_MUX_SUPPORT = 81,
} KMTQUERYADAPTERINFOTYPE;

/* Page: ns-d3dkmthk-_d3dkmt_queryadapterinfo. */
typedef struct _D3DKMT_QUERYADAPTERINFO {
    D3DKMT_HANDLE hAdapter;
    KMTQUERYADAPTERINFOTYPE Type;
    void *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DKMT_QUERYADAPTERINFO;

/* Page: ns-d3dkmthk-_d3dkmt_segmentsizeinfo. */
typedef struct _D3DKMT_SEGMENTSIZEINFO {
    ULONGLONG DedicatedVideoMemorySize;
    ULONGLONG DedicatedSystemMemorySize;
    ULONGLONG SharedSystemMemorySize;
} D3DKMT_SEGMENTSIZEINFO;

/* Page: ns-d3dkmthk-_d3dkmt_segmentgroupsizeinfo. */
typedef struct _D3DKMT_SEGMENTGROUPSIZEINFO {
    UINT32 PhysicalAdapterIndex;
    D3DKMT_SEGMENTSIZEINFO LegacyInfo;
    ULONGLONG LocalMemory;
    ULONGLONG NonLocalMemory;
    ULONGLONG NonBudgetMemory;
} D3DKMT_SEGMENTGROUPSIZEINFO;

/* ---- Devices ---- */

/* What kind of device a program wants. Page: ns-d3dkmthk-_d3dkmt_createdeviceflags. */
typedef struct _D3DKMT_CREATEDEVICEFLAGS {
    UINT LegacyMode : 1;
    UINT RequestVSync : 1;
    UINT WDDM1_2(DisableGpuTimeout) : 1;
    UINT WDDM3_1(TestDevice) : 1;
    UINT Reserved : 28;
} D3DKMT_CREATEDEVICEFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_createdevice. */
typedef struct _D3DKMT_CREATEDEVICE {
    union {
        D3DKMT_HANDLE hAdapter;
        void *pAdapter;
    };
    D3DKMT_CREATEDEVICEFLAGS Flags;
    D3DKMT_HANDLE hDevice;
    void *pCommandBuffer;
    UINT CommandBufferSize;
    D3DDDI_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
} D3DKMT_CREATEDEVICE;

/* Page: ns-d3dkmthk-_d3dkmt_destroydevice. */
typedef struct _D3DKMT_DESTROYDEVICE {
    D3DKMT_HANDLE hDevice;
} D3DKMT_DESTROYDEVICE;

/* Which state is asked for. Page: ne-d3dkmthk-_d3dkmt_devicestate_type. */
typedef enum _D3DKMT_DEVICESTATE_TYPE {
    D3DKMT_DEVICESTATE_EXECUTION = 1,
    D3DKMT_DEVICESTATE_PRESENT = 2,
    D3DKMT_DEVICESTATE_RESET = 3,
    D3DKMT_DEVICESTATE_PRESENT_DWM = 4,
    D3DKMT_DEVICESTATE_PAGE_FAULT = 5,
    D3DKMT_DEVICESTATE_PRESENT_QUEUE = 6,
} D3DKMT_DEVICESTATE_TYPE;

/* How a device is. Page: ne-d3dkmthk-_d3dkmt_deviceexecution_state. */
typedef enum _D3DKMT_DEVICEEXECUTION_STATE {
    D3DKMT_DEVICEEXECUTION_ACTIVE = 1,             /* it works */
    D3DKMT_DEVICEEXECUTION_RESET = 2,              /* a reset took its work */
    D3DKMT_DEVICEEXECUTION_HUNG = 3,               /* its work hung the GPU */
    D3DKMT_DEVICEEXECUTION_STOPPED = 4,            /* the adapter is stopped */
    D3DKMT_DEVICEEXECUTION_ERROR_OUTOFMEMORY = 5,  /* what it submitted cannot be made resident */
    D3DKMT_DEVICEEXECUTION_ERROR_DMAFAULT = 6,     /* its commands faulted */
    D3DKMT_DEVICEEXECUTION_ERROR_DMAPAGEFAULT = 7, /* its commands used an address that leads
                                                      nowhere */
} D3DKMT_DEVICEEXECUTION_STATE;

/* Members of D3DKMT_GETDEVICESTATE. Pages: ns-d3dkmthk-_ and the name. */
typedef struct _D3DKMT_PRESENT_STATS {
    UINT PresentCount;
    UINT PresentRefreshCount;
    UINT SyncRefreshCount;
    LARGE_INTEGER SyncQPCTime;
    LARGE_INTEGER SyncGPUTime;
} D3DKMT_PRESENT_STATS;

typedef struct _D3DKMT_PRESENT_STATS_DWM {
    UINT PresentCount;
    UINT PresentRefreshCount;
    LARGE_INTEGER PresentQPCTime;
    UINT SyncRefreshCount;
    LARGE_INTEGER SyncQPCTime;
    UINT CustomPresentDuration;
} D3DKMT_PRESENT_STATS_DWM;

typedef struct _D3DKMT_DEVICEPRESENT_STATE {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DKMT_PRESENT_STATS PresentStats;
} D3DKMT_DEVICEPRESENT_STATE;

typedef struct _D3DKMT_DEVICEPRESENT_STATE_DWM {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DKMT_PRESENT_STATS_DWM PresentStatsDWM;
} D3DKMT_DEVICEPRESENT_STATE_DWM;

typedef struct _D3DKMT_DEVICERESET_STATE {
    union {
        struct {
            UINT DesktopSwitched : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} D3DKMT_DEVICERESET_STATE;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
typedef struct _D3DKMT_DEVICEPAGEFAULT_STATE {
    UINT64 FaultedPrimitiveAPISequenceNumber;
    DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
    UINT FaultedBindTableEntry;
    DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
    DXGK_FAULT_ERROR_CODE FaultErrorCode;
    D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
} D3DKMT_DEVICEPAGEFAULT_STATE;
#endif

typedef struct _D3DKMT_DEVICEPRESENT_QUEUE_STATE {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    BOOLEAN bQueuedPresentLimitReached;
} D3DKMT_DEVICEPRESENT_QUEUE_STATE;

/* Page: ns-d3dkmthk-_d3dkmt_getdevicestate. */
typedef struct _D3DKMT_GETDEVICESTATE {
    D3DKMT_HANDLE hDevice;
    D3DKMT_DEVICESTATE_TYPE StateType;
    union {
        D3DKMT_DEVICEEXECUTION_STATE ExecutionState;
        D3DKMT_DEVICEPRESENT_STATE PresentState;
        D3DKMT_DEVICERESET_STATE ResetState;
        D3DKMT_DEVICEPRESENT_STATE_DWM PresentStateDWM;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        D3DKMT_DEVICEPAGEFAULT_STATE PageFaultState;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        D3DKMT_DEVICEPRESENT_QUEUE_STATE PresentQueueState;
#endif
    };
} D3DKMT_GETDEVICESTATE;

/*
 * Why a driver gives up a device. Negative: the top bit is set.
 * Page: ne-d3dkmthk-_d3dkmt_device_error_reason.
 */
typedef enum _D3DKMT_DEVICE_ERROR_REASON {
    D3DKMT_DEVICE_ERROR_REASON_GENERIC = (INT)0x80000000,
    D3DKMT_DEVICE_ERROR_REASON_DRIVER_ERROR = (INT)0x80000006,
} D3DKMT_DEVICE_ERROR_REASON;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmthk-_d3dkmt_markdeviceaserror. */
typedef struct _D3DKMT_MARKDEVICEASERROR {
    D3DKMT_HANDLE hDevice;
    D3DKMT_DEVICE_ERROR_REASON Reason;
} D3DKMT_MARKDEVICEASERROR;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Contexts and submission ---- */

/* Which interface a context serves; for statistics. Page: ne-d3dkmthk-_d3dkmt_clienthint. */
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
 * Where an allocation is; of several the worst is told.
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

/* Whom an escape is for. Page: ne-d3dkmthk-_d3dkmt_escapetype. */
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
 * What the video memory manager is asked to do, for tests.
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

/* What statistics are asked for. Page: ne-d3dkmthk-d3dkmt_querystatistics_type. */
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
