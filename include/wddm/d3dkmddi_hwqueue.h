/*
 * d3dkmddi_hwqueue.h: hardware queues: the GPU itself chooses which of them runs.
 *
 *     CreateContext(HwQueueSupported) --CreateHwQueue--> queue --SubmitCommandToHwQueue--> GPU
 *                                                          |                               |
 *                             progress fence <-------------+---- the id of what is done <--+
 *
 * "in" is written by the caller, "out" by whoever is called.
 */
#ifndef WDDM_D3DKMDDI_HWQUEUE_H
#define WDDM_D3DKMDDI_HWQUEUE_H

#include "d3dkmddi_entry_types.h"
#include "d3dkmddi_submit.h"
#include "d3dukmdt_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* Make a hardware queue of a context. Page: ns-d3dkmddi-dxgkarg_createhwqueue. */
struct _DXGKARG_CREATEHWQUEUE {
    HANDLE hHwQueue;                             /* in: the kernel's handle; out: the driver's */
    D3DDDI_CREATEHWQUEUEFLAGS Flags;             /* in */
    UINT PrivateDriverDataSize;                  /* in: bytes */
    void *pPrivateDriverData;                    /* in/out: from user mode, and back */
    D3DKMT_HANDLE hHwQueueProgressFence;         /* in: the monitored fence */
    void *HwQueueProgressFenceCPUVirtualAddress; /* in: for the kernel */
    D3DGPU_VIRTUAL_ADDRESS HwQueueProgressFenceGPUVirtualAddress; /* in: read and written */
};

/*
 * Append a DMA buffer to a hardware queue. Its private data is gone when the call returns.
 * Page: ns-d3dkmddi-_dxgkarg_submitcommandtohwqueue.
 */
struct _DXGKARG_SUBMITCOMMANDTOHWQUEUE {
    HANDLE hHwQueue;                                  /* in: the driver's handle */
    UINT64 HwQueueProgressFenceId;                    /* in: the fence's value when it is done */
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;   /* in */
    UINT DmaBufferSize;                               /* in: bytes */
    UINT DmaBufferPrivateDataSize;                    /* in: bytes */
    void *pDmaBufferPrivateData;                      /* in: from user mode */
    DXGK_SUBMITCOMMANDFLAGS Flags;                    /* in: 0 for what user mode has written */
    D3DGPU_VIRTUAL_ADDRESS HwQueueProgressFenceGpuVa; /* in */
    void *HwQueueProgressFenceCpuVa;                  /* in: for the kernel */
};
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_2 */

#ifdef __cplusplus
}
#endif

#endif
