/*
 * d3dkmthk_submit.h: contexts, priorities, submission. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_SUBMIT_H
#define WDDM_D3DKMTHK_SUBMIT_H

#include "d3dukmdt_submit.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* Page: ns-d3dkmthk-_d3dkmt_setcontextschedulingpriority. */
typedef struct _D3DKMT_SETCONTEXTSCHEDULINGPRIORITY {
    D3DKMT_HANDLE hContext;
    INT Priority;
} D3DKMT_SETCONTEXTSCHEDULINGPRIORITY;

/* Page: ns-d3dkmthk-_d3dkmt_setcontextinprocessschedulingpriority. */
typedef struct _D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY {
    D3DKMT_HANDLE hContext;
    INT Priority;
} D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY;

/* Page: ns-d3dkmthk-_d3dkmt_getcontextschedulingpriority. */
typedef struct _D3DKMT_GETCONTEXTSCHEDULINGPRIORITY {
    D3DKMT_HANDLE hContext;
    INT Priority;
} D3DKMT_GETCONTEXTSCHEDULINGPRIORITY;

/* Page: ns-d3dkmthk-_d3dkmt_getcontextinprocessschedulingpriority. */
typedef struct _D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY {
    D3DKMT_HANDLE hContext;
    INT Priority;
} D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_SUBMIT_H */
