/*
 * d3dkmddi_submit.h: users of the GPU, their work, and its reports.
 *
 *     command buffer --Render--> DMA buffer + patch locations --Patch--> --SubmitCommand--> GPU
 *                                                                                            |
 *     fence id done <-- NotifyDpc <-- DPC <-- NotifyInterrupt(DMA_COMPLETED) <-- interrupt <-+
 *
 * "in" is written by the caller, "out" by whoever is called.
 */
#ifndef WDDM_D3DKMDDI_SUBMIT_H
#define WDDM_D3DKMDDI_SUBMIT_H

#include "d3dukmdt_submit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Render, patch, submit ---- */

/* One allocation that a DMA buffer uses. Page: ns-d3dkmddi-_dxgk_allocationlist. */
typedef struct _DXGK_ALLOCATIONLIST {
    HANDLE hDeviceSpecificAllocation; /* in: what opening returned; NULL: unused entry */
    UINT WriteOperation : 1;          /* in: the GPU writes it */
    UINT SegmentId : 5;               /* in: where it is now; 0: not resident, it will be patched */
    UINT Reserved : 26;
    union {
        PHYSICAL_ADDRESS PhysicalAddress; /* in: where it is now, BaseAddress included; 0
                                                  with SegmentId 0 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        D3DGPU_VIRTUAL_ADDRESS VirtualAddress; /* in: with GPU virtual addresses */
#endif
    };
} DXGK_ALLOCATIONLIST;
WDDM_SPELLINGS(DXGK_ALLOCATIONLIST);

/*
 * Make a DMA buffer of a command buffer. The driver checks every command: user mode wrote them.
 * Page: ns-d3dkmddi-_dxgkarg_render.
 */
typedef struct _DXGKARG_RENDER {
    const void *pCommand;                            /* in: the command buffer, in user memory;
                                                        read each byte once */
    UINT CommandLength;                              /* in: bytes */
    void *pDmaBuffer;                                /* in/out: the DMA buffer, 4 KiB aligned;
                                                        the driver moves it behind what it wrote */
    UINT DmaSize;                                    /* in: bytes */
    void *pDmaBufferPrivateData;                     /* in: the driver's data of this DMA buffer */
    UINT DmaBufferPrivateDataSize;                   /* in: bytes */
    DXGK_ALLOCATIONLIST *pAllocationList;            /* in: what the commands use */
    UINT AllocationListSize;                         /* in: elements */
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListIn;  /* in: from user mode, to be checked */
    UINT PatchLocationListInSize;                    /* in: elements */
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut; /* in/out: for the DMA buffer; the driver
                                                        moves it behind its last element */
    UINT PatchLocationListOutSize;                   /* in: elements that there is room for */
    UINT MultipassOffset;                            /* in/out: 0 at first, then the driver's own
                                                        after
                                                        STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER */
    UINT DmaBufferSegmentId;                         /* in: where the DMA buffer is; 0: not
                                                        placed yet */
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;       /* in: where it is; 0: not placed yet */
} DXGKARG_RENDER;
WDDM_SPELLINGS(DXGKARG_RENDER);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* GDI commands to be rendered by GPU virtual addresses. Page: ns-d3dkmddi-_dxgkarg_rendergdi. */
typedef struct _DXGKARG_RENDERGDI {
    const void *pCommand;
    UINT CommandLength;
    void *pDmaBuffer;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    UINT MultipassOffset;
} DXGKARG_RENDERGDI;
WDDM_SPELLINGS(DXGKARG_RENDERGDI);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
/* Page: none. */
typedef struct _DXGK_PRESENTALLOCATIONINFO {
    HANDLE hDeviceSpecificAllocation;
    D3DGPU_VIRTUAL_ADDRESS AllocationVirtualAddress;
    PHYSICAL_ADDRESS PhysicalAddress;
    WORD SegmentId;
    WORD PhysicalAdapterIndex;
} DXGK_PRESENTALLOCATIONINFO;
WDDM_SPELLINGS(DXGK_PRESENTALLOCATIONINFO);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN7 */

/* Page: ns-d3dkmddi-_dxgk_presentflags. */
typedef struct _DXGK_PRESENTFLAGS {
    union {
        struct {
            UINT Blt : 1;
            UINT ColorFill : 1;
            UINT Flip : 1;
            UINT FlipWithNoWait : 1;
            UINT SrcColorKey : 1;
            UINT DstColorKey : 1;
            UINT LinearToSrgb : 1;
            UINT Rotate : 1;
            UINT WDDM1_2(FlipStereo) : 1;
            UINT WDDM1_2(FlipStereoTemporaryMono) : 1;
            UINT WDDM1_2(FlipStereoPreferRight) : 1;
            UINT WDDM1_2(BltStereoUseRight) : 1;
            UINT WDDM1_2(FlipWithMultiPlaneOverlay) : 1;
            UINT RedirectedFlip : 1;
            UINT Reserved : 18;
        };
        UINT Value;
    };
} DXGK_PRESENTFLAGS;
WDDM_SPELLINGS(DXGK_PRESENTFLAGS);

/* Opaque here. Page: ns-d3dkmddi-_dxgk_presentmultiplaneoverlayinfo. */
typedef struct _DXGK_PRESENTMULTIPLANEOVERLAYINFO DXGK_PRESENTMULTIPLANEOVERLAYINFO;

/* Page: ns-d3dkmddi-_dxgkarg_present. */
typedef struct _DXGKARG_PRESENT {
    void *pDmaBuffer;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    union {
        DXGK_ALLOCATIONLIST *pAllocationList;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
        DXGK_PRESENTALLOCATIONINFO *pAllocationInfo;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        DXGK_PRESENTMULTIPLANEOVERLAYINFO *pPresentMultiPlaneOverlayInfo;
#endif
    };
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT Color;
    RECT DstRect;
    RECT SrcRect;
    UINT SubRectCnt;
    const RECT *pDstSubRects;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_PRESENTFLAGS Flags;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT NumSrcAllocations;
    UINT NumDstAllocations;
    UINT PrivateDriverDataSize;
    PVOID pPrivateDriverData;
#endif
} DXGKARG_PRESENT;
WDDM_SPELLINGS(DXGKARG_PRESENT);

/* Page: ns-d3dkmddi-_dxgk_patchflags. */
typedef struct _DXGK_PATCHFLAGS {
    union {
        struct {
            UINT Paging : 1;  /* a paging buffer: the lists are empty */
            UINT Present : 1; /* from DxgkDdiPresent */
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1; /* will not be executed */
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_PATCHFLAGS;
WDDM_SPELLINGS(DXGK_PATCHFLAGS);

/*
 * Write the addresses of allocations into the part of a DMA buffer that runs next.
 * Page: ns-d3dkmddi-_dxgkarg_patch.
 */
typedef struct _DXGKARG_PATCH {
    union {
        HANDLE hDevice;  /* in: the driver's handle, without MultiEngineAware */
        HANDLE hContext; /* in: the driver's handle, with MultiEngineAware; may be NULL for
                            paging */
    };
    UINT DmaBufferSegmentId;                        /* in: where the DMA buffer is; 0: contiguous
                                                       system memory */
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;      /* in: of the DMA buffer's start, BaseAddress
                                                       included */
    void *pDmaBuffer;                               /* in: CPU address of the DMA buffer's start */
    UINT DmaBufferSize;                             /* in: bytes of the whole */
    UINT DmaBufferSubmissionStartOffset;            /* in: bytes to the part that runs */
    UINT DmaBufferSubmissionEndOffset;              /* in: bytes to its end */
    void *pDmaBufferPrivateData;                    /* in: the driver's data, from its start */
    UINT DmaBufferPrivateDataSize;                  /* in: bytes */
    UINT DmaBufferPrivateDataSubmissionStartOffset; /* in: bytes to the data of this part */
    UINT DmaBufferPrivateDataSubmissionEndOffset;   /* in: bytes to its end */
    const DXGK_ALLOCATIONLIST *pAllocationList;     /* in: with the addresses that hold now */
    UINT AllocationListSize;                        /* in: elements */
    /* in: of the whole DMA buffer */
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;             /* in: elements */
    UINT PatchLocationListSubmissionStart;  /* in: first element of this part */
    UINT PatchLocationListSubmissionLength; /* in: elements of this part */
    UINT SubmissionFenceId;                 /* in: the id that the submission will have */
    DXGK_PATCHFLAGS Flags;                  /* in */
    UINT EngineOrdinal;                     /* in: engine of a link, from 0 */
} DXGKARG_PATCH;
WDDM_SPELLINGS(DXGKARG_PATCH);

/* Page: ns-d3dkmddi-_dxgk_submitcommandflags. */
typedef struct _DXGK_SUBMITCOMMANDFLAGS {
    union {
        struct {
            UINT Paging : 1;  /* a paging buffer */
            UINT Present : 1; /* from DxgkDdiPresent */
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1;          /* complete it without executing it */
            UINT Flip : 1;                   /* a flip, without a DMA buffer */
            UINT FlipWithNoWait : 1;         /* and without waiting for the vertical blank */
            UINT WDDM1_2(ContextSwitch) : 1; /* leave the running context; the DMA buffer is
                                                empty */
            UINT WDDM2_0(Resubmission) : 1;  /* it was submitted before and preempted */
            UINT WDDM2_2(VirtualMachineData) : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_SUBMITCOMMANDFLAGS;
WDDM_SPELLINGS(DXGK_SUBMITCOMMANDFLAGS);

/*
 * Queue a part of a DMA buffer to the GPU. At DISPATCH_LEVEL; completion is reported by
 * DXGK_INTERRUPT_DMA_COMPLETED with the fence id.
 * Page: ns-d3dkmddi-_dxgkarg_submitcommand.
 */
typedef struct _DXGKARG_SUBMITCOMMAND {
    union {
        HANDLE hDevice;  /* in: the driver's handle, without MultiEngineAware */
        HANDLE hContext; /* in: the driver's handle, with MultiEngineAware; may be NULL for
                            paging */
    };
    UINT DmaBufferSegmentId;                        /* in: where the DMA buffer is; 0: contiguous
                                                       system memory */
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;      /* in: of the DMA buffer's start, BaseAddress
                                                       included; never 0 */
    UINT DmaBufferSize;                             /* in: bytes of the whole */
    UINT DmaBufferSubmissionStartOffset;            /* in: bytes to the part that runs */
    UINT DmaBufferSubmissionEndOffset;              /* in: bytes to its end */
    void *pDmaBufferPrivateData;                    /* in: the driver's data, from its start */
    UINT DmaBufferPrivateDataSize;                  /* in: bytes */
    UINT DmaBufferPrivateDataSubmissionStartOffset; /* in: bytes to the data of this part */
    UINT DmaBufferPrivateDataSubmissionEndOffset;   /* in: bytes to its end */
    UINT SubmissionFenceId;                         /* in: written when done; grows with each
                                                       submission to a node, and wraps */
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;   /* in: of a flip */
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;          /* in: of a flip */
    DXGK_SUBMITCOMMANDFLAGS Flags;                  /* in */
    UINT EngineOrdinal;                             /* in: engine of a link, from 0 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress; /* in: with GPU virtual addresses */
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT NodeOrdinal; /* in: node, from 0 */
#endif
} DXGKARG_SUBMITCOMMAND;
WDDM_SPELLINGS(DXGKARG_SUBMITCOMMAND);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* A DMA buffer to be submitted by its GPU virtual address.
 * Page: ns-d3dkmddi-_dxgkarg_submitcommandvirtual. */
typedef struct _DXGKARG_SUBMITCOMMANDVIRTUAL {
    HANDLE hContext;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferUmdPrivateDataSize;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
    UINT NodeOrdinal;
} DXGKARG_SUBMITCOMMANDVIRTUAL;
WDDM_SPELLINGS(DXGKARG_SUBMITCOMMANDVIRTUAL);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmddi-_dxgk_preemptcommandflags. */
typedef struct _DXGK_PREEMPTCOMMANDFLAGS {
    union {
        UINT Reserved : 32;
        UINT Value;
    };
} DXGK_PREEMPTCOMMANDFLAGS;
WDDM_SPELLINGS(DXGK_PREEMPTCOMMANDFLAGS);

/*
 * Stop what a node has queued, as soon as the hardware can. At DISPATCH_LEVEL; the answer is
 * DXGK_INTERRUPT_DMA_PREEMPTED.
 * Page: ns-d3dkmddi-_dxgkarg_preemptcommand.
 */
typedef struct _DXGKARG_PREEMPTCOMMAND {
    UINT PreemptionFenceId;         /* in: comes back in the interrupt */
    UINT NodeOrdinal;               /* in: node, from 0 */
    UINT EngineOrdinal;             /* in: engine of a link, from 0 */
    DXGK_PREEMPTCOMMANDFLAGS Flags; /* in: all 0 */
} DXGKARG_PREEMPTCOMMAND;
WDDM_SPELLINGS(DXGKARG_PREEMPTCOMMAND);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmddi-_dxgkarg_cancelcommand. */
typedef struct _DXGKARG_CANCELCOMMAND {
    HANDLE hContext;
    void *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferUmdPrivateDataSize;
} DXGKARG_CANCELCOMMAND;
WDDM_SPELLINGS(DXGKARG_CANCELCOMMAND);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* Page: ne-d3dkmddi-_dxgk_kernel_submission_type. */
typedef enum _DXGK_KERNEL_SUBMISSION_TYPE {
    DXGK_KERNEL_SUBMISSION_BUILD_PAGING_BUFFER = 0,
    DXGK_KERNEL_SUBMISSION_RENDERGDI = 1,
    DXGK_KERNEL_SUBMISSION_PRESENTBLT = 2,
} DXGK_KERNEL_SUBMISSION_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_KERNEL_SUBMISSION_TYPE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
/* Page: ns-d3dkmddi-_dxgkarg_signalmonitoredfence. */
typedef struct _DXGKARG_SIGNALMONITOREDFENCE {
    DXGK_KERNEL_SUBMISSION_TYPE KernelSubmissionType;
    void *pDmaBuffer;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaSize;
    void *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT MultipassOffset;
    D3DGPU_VIRTUAL_ADDRESS MonitoredFenceGpuVa;
    UINT64 MonitoredFenceValue;
    void *MonitoredFenceCpuVa;
    HANDLE hHwQueue;
} DXGKARG_SIGNALMONITOREDFENCE;
WDDM_SPELLINGS(DXGKARG_SIGNALMONITOREDFENCE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_5 */

/* ---- History buffers ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* Page: ns-d3dkmddi-_dxgk_history_buffer_header. */
typedef struct _DXGK_HISTORY_BUFFER_HEADER {
    UINT32 RenderCbSequence;
    UINT32 NumTimestamps;
    UINT32 PrivateDataSize;
    UINT32 Reserved;
} DXGK_HISTORY_BUFFER_HEADER;
WDDM_SPELLINGS(DXGK_HISTORY_BUFFER_HEADER);

/* Page: ns-d3dkmddi-_dxgk_history_buffer. */
typedef struct _DXGK_HISTORY_BUFFER {
    DXGK_HISTORY_BUFFER_HEADER Header;
    UINT8 DriverPrivateData[1];
} DXGK_HISTORY_BUFFER;
WDDM_SPELLINGS(DXGK_HISTORY_BUFFER);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: none. */
typedef struct _DXGK_QUERYHISTORYBUFFERPRECISIONIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYHISTORYBUFFERPRECISIONIN;
WDDM_SPELLINGS(DXGK_QUERYHISTORYBUFFERPRECISIONIN);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* Page: ns-d3dkmddi-_dxgkarg_historybufferprecision. */
typedef struct _DXGKARG_HISTORYBUFFERPRECISION {
    UINT32 PrecisionBits;
} DXGKARG_HISTORYBUFFERPRECISION;
WDDM_SPELLINGS(DXGKARG_HISTORYBUFFERPRECISION);

/* Page: ns-d3dkmddi-_dxgkarg_formathistorybuffer. */
typedef struct _DXGKARG_FORMATHISTORYBUFFER {
    DXGK_HISTORY_BUFFER *pHistoryBuffer;
    UINT32 HistoryBufferSize;
    PVOID pFormattedBuffer;
    UINT32 FormattedBufferSize;
    UINT32 NumTimestamps;
    DXGKARG_HISTORYBUFFERPRECISION Precision;
    UINT32 Offset;
} DXGKARG_FORMATHISTORYBUFFER;
WDDM_SPELLINGS(DXGKARG_FORMATHISTORYBUFFER);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

/* ---- Escapes, debugging, migration ---- */

/* A message from user mode to the driver. Page: ns-d3dkmddi-_dxgkarg_escape. */
typedef struct _DXGKARG_ESCAPE {
    HANDLE hDevice; /* in: the driver's handle, or NULL */
    D3DDDI_ESCAPEFLAGS Flags;
    void *pPrivateDriverData;   /* in/out: the message */
    UINT PrivateDriverDataSize; /* in: bytes */
    HANDLE hContext;            /* in: the driver's handle, or NULL */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdProcessHandle;
#endif
} DXGKARG_ESCAPE;
WDDM_SPELLINGS(DXGKARG_ESCAPE);

/* The first word of a report in pBuffer that says how reports are sorted. No page gives its value,
 * and nothing here reads it: this one is the project's own. */
#define DXGK_SECONDARY_BUCKETING_TAG ((DWORD)0x76694432)

/* Page: ns-d3dkmddi-_dxgkarg_collectdbginfo_ext. */
typedef struct _DXGKARG_COLLECTDBGINFO_EXT {
    UINT BucketingKey;
    UINT CurrentDmaBufferOffset;
    UINT Reserved2;
    UINT Reserved3;
    UINT Reserved4;
    UINT Reserved5;
    UINT Reserved6;
    UINT Reserved7;
} DXGKARG_COLLECTDBGINFO_EXT;
WDDM_SPELLINGS(DXGKARG_COLLECTDBGINFO_EXT);

/*
 * The driver's knowledge when the system dies or the GPU hangs.
 * Page: ns-d3dkmddi-_dxgkarg_collectdbginfo.
 */
typedef struct _DXGKARG_COLLECTDBGINFO {
    UINT Reason;                            /* in: the bug check that asks */
    void *pBuffer;                          /* out: the driver writes it here */
    SIZE_T BufferSize;                      /* in: bytes */
    DXGKARG_COLLECTDBGINFO_EXT *pExtension; /* out: or NULL */
} DXGKARG_COLLECTDBGINFO;
WDDM_SPELLINGS(DXGKARG_COLLECTDBGINFO);

/* Page: none. */
typedef enum _DXGKARG_QUERYDIRTYBITDATAFLAGS {
    DXGKARG_QUERYDIRTYBITDATAFLAGS_CLEARDATA = 1,
} DXGKARG_QUERYDIRTYBITDATAFLAGS;
WDDM_VALUE_SPELLINGS(DXGKARG_QUERYDIRTYBITDATAFLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
/* Page: none. */
typedef struct _DXGKARG_QUERYDIRTYBITDATA {
    HANDLE MemoryBasis;
    UINT64 SubrangeIndex;
    UINT64 SubrangeOffset;
    UINT64 SubrangeSize;
    PVOID Buffer;
    SIZE_T BufferSize;
    UINT Flags;
} DXGKARG_QUERYDIRTYBITDATA;
WDDM_SPELLINGS(DXGKARG_QUERYDIRTYBITDATA);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM3_2 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_SUBMIT_H */
