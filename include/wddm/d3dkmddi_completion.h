/*
 * d3dkmddi_completion.h: how a driver reports what the GPU has done. d3dkmddi_submit.h says how to
 * read it.
 */
#ifndef WDDM_D3DKMDDI_COMPLETION_H
#define WDDM_D3DKMDDI_COMPLETION_H

#include "d3dkmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Completion ---- */

/*
 * The driver's report; decides which member of DXGKARGCB_NOTIFY_INTERRUPT_DATA is read.
 * Page: ne-d3dkmddi-_dxgk_interrupt_type.
 */
typedef enum _DXGK_INTERRUPT_TYPE {
    DXGK_INTERRUPT_DMA_COMPLETED = 1, /* submissions up to a fence id are done */
    DXGK_INTERRUPT_DMA_PREEMPTED = 2, /* a node stopped; what was behind the last done is not */
    DXGK_INTERRUPT_CRTC_VSYNC = 3,    /* a vertical blank began */
    DXGK_INTERRUPT_DMA_FAULTED = 4,   /* reserved */
    DXGK_INTERRUPT_DISPLAYONLY_VSYNC = 5,
    DXGK_INTERRUPT_DISPLAYONLY_PRESENT_PROGRESS = 6,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY = 7,
    DXGK_INTERRUPT_MICACAST_CHUNK_PROCESSING_COMPLETE = 8,
    DXGK_INTERRUPT_DMA_PAGE_FAULTED = 9, /* a GPU virtual address led nowhere */
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY2 = 10,
    DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED = 11,
    DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED = 12,
    DXGK_INTERRUPT_HWCONTEXTLIST_SWITCH_COMPLETED = 13,
    DXGK_INTERRUPT_PERIODIC_MONITORED_FENCE_SIGNALED = 14,
    DXGK_INTERRUPT_SCHEDULING_LOG_INTERRUPT = 15,
    DXGK_INTERRUPT_GPU_ENGINE_TIMEOUT = 16,
    DXGK_INTERRUPT_SUSPEND_CONTEXT_COMPLETED = 17,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY3 = 18,
    DXGK_INTERRUPT_NATIVE_FENCE_SIGNALED = 19,
    DXGK_INTERRUPT_GPU_ENGINE_STATE_CHANGE = 20,
} DXGK_INTERRUPT_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_INTERRUPT_TYPE);

/* Opaque here. Page: ns-d3dkmddi-_dxgk_multiplane_overlay_vsync_info. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO;

/* Page: ns-d3dkmddi-_dxgkcb_notify_mpo_vsync_flags. */
typedef struct _DXGKCB_NOTIFY_MPO_VSYNC_FLAGS {
    union {
        struct {
            UINT PostPresentNeeded : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGKCB_NOTIFY_MPO_VSYNC_FLAGS;
WDDM_SPELLINGS(DXGKCB_NOTIFY_MPO_VSYNC_FLAGS);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_vsync_info2. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 {
    DWORD LayerIndex;
    ULONGLONG PresentId;
    DXGKCB_NOTIFY_MPO_VSYNC_FLAGS Flags;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmddi-dxgk_multiplane_overlay_vsync_info3. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 {
    DWORD LayerIndex;
    ULONG FirstFreeFlipQueueLogEntryIndex;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3;
WDDM_SPELLINGS(DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/* Page: ne-d3dkmddi-_dxgk_present_display_only_progress_id. */
typedef enum _DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID {
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_COMPLETE = 0,
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_FAILED = 1,
} DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID;
WDDM_VALUE_SPELLINGS(DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmddi-_dxgkargcb_present_displayonly_progress. */
typedef struct _DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID ProgressId;
} DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS;
WDDM_SPELLINGS(DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

/* Page: none. */
typedef enum _DXGK_ENGINE_STATE {
    DXGK_ENGINE_STATE_ACTIVE = 0,
    DXGK_ENGINE_STATE_TRANSITION_TO_F1 = 1,
    DXGK_ENGINE_STATE_HUNG = 2,
} DXGK_ENGINE_STATE;
WDDM_VALUE_SPELLINGS(DXGK_ENGINE_STATE);

/* Page: ns-d3dkmddi-_dxgkcb_notify_interrupt_data_flags. */
typedef struct _DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS {
    union {
        struct {
            UINT ValidPhysicalAdapterMask : 1; /* the mask in the member is filled */
            UINT WDDM2_2(HsyncFlipCompletion) : 1;
            UINT WDDM3_2(EvaluateLegacyMonitoredFences) : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS;
WDDM_SPELLINGS(DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS);

/*
 * The event that the driver reports. The driver fills the member of its InterruptType, and only
 * that is read.
 * Page: ns-d3dkmddi-_dxgkargcb_notify_interrupt_data.
 */
typedef struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    DXGK_INTERRUPT_TYPE InterruptType; /* in: which member of the union is valid */
    union {
        struct {
            UINT SubmissionFenceId; /* in: the last submission that is done, and all before it */
            UINT NodeOrdinal;       /* in: node, from 0 */
            UINT EngineOrdinal;     /* in: engine of a link, from 0 */
        } DmaCompleted;
        struct {
            UINT PreemptionFenceId;    /* in: the request that is answered */
            UINT LastCompletedFenceId; /* in: the last submission that is done */
            UINT NodeOrdinal;          /* in: node, from 0 */
            UINT EngineOrdinal;        /* in: engine of a link, from 0 */
        } DmaPreempted;
        struct {
            UINT FaultedFenceId; /* in: the submission that failed */
            NTSTATUS Status;     /* in: why */
            UINT NodeOrdinal;    /* in: node, from 0 */
            UINT EngineOrdinal;  /* in: engine of a link, from 0 */
        } DmaFaulted;
        struct {
            /* in: display, from 0 */
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            PHYSICAL_ADDRESS PhysicalAddress; /* in: what is shown now */
            UINT PhysicalAdapterMask;
        } CrtcVsync;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
        } DisplayOnlyVsync;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO *pMultiPlaneOverlayVsyncInfo;
        } CrtcVsyncWithMultiPlaneOverlay;
        DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS DisplayOnlyPresentProgress;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            struct {
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
            } ChunkInfo;
            PVOID pPrivateDriverData;
            UINT PrivateDataDriverSize;
            NTSTATUS Status;
        } MiracastEncodeChunkCompleted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        struct {
            UINT FaultedFenceId; /* in: the submission that faulted; 0 with
                                                     DXGK_PAGE_FAULT_FENCE_INVALID */
            UINT64 FaultedPrimitiveAPISequenceNumber;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            /* in: D3DGPU_NULL: it was something else */
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode; /* in: what else */
            HANDLE FaultedProcessHandle;
        } DmaPageFaulted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay2;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } MonitoredFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT64 ContextSwitchFence;
        } HwContextListSwitchCompleted;
        struct {
            UINT64 FaultedFenceId;
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT64 FaultedPrimitiveAPISequenceNumber;
            union {
                HANDLE FaultedHwQueue;
                HANDLE FaultedHwContext;
                HANDLE FaultedProcessHandle;
            };
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode;
        } HwQueuePageFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT NotificationID;
        } PeriodicMonitoredFenceSignaled;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } SchedulingLogInterrupt;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } GpuEngineTimeout;
        struct {
            HANDLE hContext;
            UINT64 ContextSuspendFence;
        } SuspendContextCompleted;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay3;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT SignaledNativeFenceCount;
            HANDLE *pSignaledNativeFenceArray;
            HANDLE hHWQueue;
        } NativeFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_ENGINE_STATE NewState;
        } EngineStateChange;
#endif
        /* Gives the union its 64 bytes. */
        struct {
            UINT Reserved[16];
        } Reserved;
    };
    DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS Flags; /* in */
} DXGKARGCB_NOTIFY_INTERRUPT_DATA;
WDDM_SPELLINGS(DXGKARGCB_NOTIFY_INTERRUPT_DATA);

/* How far a node is. Page: ns-d3dkmddi-_dxgkarg_querycurrentfence. */
typedef struct _DXGKARG_QUERYCURRENTFENCE {
    UINT CurrentFence;  /* out: fence id of the last completed submission */
    UINT NodeOrdinal;   /* in: node, from 0 */
    UINT EngineOrdinal; /* in: engine of a link, from 0 */
} DXGKARG_QUERYCURRENTFENCE;
WDDM_SPELLINGS(DXGKARG_QUERYCURRENTFENCE);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
/* Page: ns-d3dkmddi-_dxgk_enginestatus. */
typedef struct _DXGK_ENGINESTATUS {
    union {
        struct {
            UINT Responsive : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_ENGINESTATUS;
WDDM_SPELLINGS(DXGK_ENGINESTATUS);

/* Page: ns-d3dkmddi-_dxgkarg_queryenginestatus. */
typedef struct _DXGKARG_QUERYENGINESTATUS {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    DXGK_ENGINESTATUS EngineStatus;
} DXGKARG_QUERYENGINESTATUS;
WDDM_SPELLINGS(DXGKARG_QUERYENGINESTATUS);

/* Reset one engine. Page: ns-d3dkmddi-_dxgkarg_resetengine. */
typedef struct _DXGKARG_RESETENGINE {
    UINT NodeOrdinal;        /* in: node, from 0 */
    UINT EngineOrdinal;      /* in: engine of a link, from 0 */
    UINT LastAbortedFenceId; /* out: last submission that the reset cut off */
} DXGKARG_RESETENGINE;
WDDM_SPELLINGS(DXGKARG_RESETENGINE);
#endif /* DXGKDDI_INTERFACE_VERSION_WIN8 */

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_COMPLETION_H */
