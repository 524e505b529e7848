/*
 * d3dkmthk_hwqueue.h: hardware contexts and hardware queues. d3dkmthk.h says how to read it.
 */
#ifndef WDDM_D3DKMTHK_HWQUEUE_H
#define WDDM_D3DKMTHK_HWQUEUE_H

#include "d3dukmdt_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Page: ns-d3dukmdt-_d3dddi_createhwcontextflags. */
typedef struct _D3DDDI_CREATEHWCONTEXTFLAGS {
    union {
        struct {
            UINT Reserved : 32;
        };
        UINT Value;
    };
} D3DDDI_CREATEHWCONTEXTFLAGS;

/* Page: ns-d3dkmthk-_d3dkmt_submitcommandtohwqueue. */
typedef struct _D3DKMT_SUBMITCOMMANDTOHWQUEUE {
    D3DKMT_HANDLE hHwQueue;
    UINT64 HwQueueProgressFenceId;
    D3DGPU_VIRTUAL_ADDRESS CommandBuffer;
    UINT CommandLength;
    UINT PrivateDriverDataSize;
    union {
        UINT64 pPrivateDriverData_Align;
        void *pPrivateDriverData;
    };
    UINT NumPrimaries;
    union {
        UINT64 WrittenPrimaries_Align;
        const D3DKMT_HANDLE *WrittenPrimaries;
    };
} D3DKMT_SUBMITCOMMANDTOHWQUEUE;

/* Page: ns-d3dkmthk-_d3dkmt_submitwaitforsyncobjectstohwqueue. */
typedef struct _D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE {
    D3DKMT_HANDLE hHwQueue;
    UINT ObjectCount;
    union {
        UINT64 ObjectHandleArray_Align;
        const D3DKMT_HANDLE *ObjectHandleArray;
    };
    union {
        UINT64 FenceValueArray_Align;
        const UINT64 *FenceValueArray;
    };
} D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE;

/* Page: ns-d3dkmthk-_d3dkmt_submitsignalsyncobjectstohwqueue. */
typedef struct _D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE {
    D3DDDICB_SIGNALFLAGS Flags;
    ULONG BroadcastHwQueueCount;
    union {
        UINT64 BroadcastHwQueueArray_Align;
        const D3DKMT_HANDLE *BroadcastHwQueueArray;
    };
    UINT ObjectCount;
    union {
        UINT64 ObjectHandleArray_Align;
        const D3DKMT_HANDLE *ObjectHandleArray;
    };
    union {
        UINT64 FenceValueArray_Align;
        const UINT64 *FenceValueArray;
    };
} D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE;

/* Page: ns-d3dkmthk-_d3dkmt_createhwcontext. */
typedef struct _D3DKMT_CREATEHWCONTEXT {
    D3DKMT_HANDLE hDevice;
    UINT NodeOrdinal;
    UINT EngineAffinity;
    D3DDDI_CREATEHWCONTEXTFLAGS Flags;
    UINT PrivateDriverDataSize;
    union {
        UINT64 pPrivateDriverData_Align;
        void *pPrivateDriverData;
    };
    D3DKMT_HANDLE hHwContext;
} D3DKMT_CREATEHWCONTEXT;

/* Page: ns-d3dkmthk-_d3dkmt_destroyhwcontext. */
typedef struct _D3DKMT_DESTROYHWCONTEXT {
    D3DKMT_HANDLE hHwContext;
} D3DKMT_DESTROYHWCONTEXT;

/* Page: ns-d3dkmthk-_d3dkmt_createhwqueue. */
typedef struct _D3DKMT_CREATEHWQUEUE {
    D3DKMT_HANDLE hHwContext;
    D3DDDI_CREATEHWQUEUEFLAGS Flags;
    UINT PrivateDriverDataSize;
    union {
        UINT64 pPrivateDriverData_Align;
        void *pPrivateDriverData;
    };
    D3DKMT_HANDLE hHwQueue;
    D3DKMT_HANDLE hHwQueueProgressFence;
    union {
        UINT64 HwQueueProgressFenceCPUVirtualAddress_Align;
        void *HwQueueProgressFenceCPUVirtualAddress;
    };
    D3DGPU_VIRTUAL_ADDRESS HwQueueProgressFenceGPUVirtualAddress;
} D3DKMT_CREATEHWQUEUE;

/* Page: ns-d3dkmthk-_d3dkmt_destroyhwqueue. */
typedef struct _D3DKMT_DESTROYHWQUEUE {
    D3DKMT_HANDLE hHwQueue;
} D3DKMT_DESTROYHWQUEUE;

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMTHK_HWQUEUE_H */
