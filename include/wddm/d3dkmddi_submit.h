/*
 * d3dkmddi_submit.h: who uses the GPU, what it is given to do, and how it reports.
 *
 *     command buffer --Render--> DMA buffer + patch locations --Patch--> --SubmitCommand--> GPU
 *                                                                                            |
 *     fence id done <-- NotifyDpc <-- DPC <-- NotifyInterrupt(DMA_COMPLETED) <-- interrupt <-+
 *
 * "in" is written by the caller, "out" by whoever is called.
 */
#ifndef WDDM_D3DKMDDI_SUBMIT_H
#define WDDM_D3DKMDDI_SUBMIT_H

#include "d3dkmddi_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Processes, devices, contexts ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_createprocessflags. */
typedef struct _DXGK_CREATEPROCESSFLAGS {
    union {
        struct {
            UINT SystemProcess : 1; /* the system's own, which pages */
            UINT GdiProcess : 1;    /* for GDI */
            UINT WDDM2_2(VirtualMachineProcess) : 1;
            UINT WDDM2_4(VirtualMachineWorkerProcess) : 1;
            UINT WDDM2_5(SessionIsolatedContainer) : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_CREATEPROCESSFLAGS;

/* A process that uses the GPU. Page: ns-d3dkmddi-_dxgkarg_createprocess. */
typedef struct _DXGKARG_CREATEPROCESS {
    HANDLE hDxgkProcess;           /* in: the kernel's handle */
    HANDLE hKmdProcess;            /* out: the driver's handle */
    DXGK_CREATEPROCESSFLAGS Flags; /* in */
    UINT NumPasid;                 /* in: elements of the array */
    ULONG *pPasid;                 /* in: address-space ids, one an adapter of a link */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdVmWorkerProcess;    /* in: the driver's handle of the worker process of a virtual
                                      machine */
    UINT ProcessNameLength;        /* in: WCHARs, terminator included */
    WCHAR *pProcessName;           /* in: the program's name */
#endif
} DXGKARG_CREATEPROCESS;
WDDM_SPELLINGS(DXGKARG_CREATEPROCESS);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* Page: ns-d3dkmddi-_dxgk_createdeviceflags. */
typedef struct _DXGK_CREATEDEVICEFLAGS {
    union {
        struct {
            UINT SystemDevice : 1;       /* the system's own device, which pages */
            UINT WDDM1_1(GdiDevice) : 1; /* for GDI */
            UINT Reserved : 29;
            UINT DXGK_DEVICE_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_CREATEDEVICEFLAGS;

/* Page: ns-d3dkmddi-_dxgk_deviceinfoflags. */
typedef struct _DXGK_DEVICEINFOFLAGS {
    union {
        struct {
            UINT GuaranteedDmaBufferContract : 1; /* the sizes hold for every DMA buffer */
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DEVICEINFOFLAGS;

/*
 * What DMA buffers of a device look like, from a driver without contexts.
 * Page: ns-d3dkmddi-_dxgk_deviceinfo.
 */
typedef struct _DXGK_DEVICEINFO {
    UINT DmaBufferSize;            /* out: bytes */
    UINT DmaBufferSegmentSet;      /* out: aperture segments to map them into; bit n is segment n
                                      + 1; 0: contiguous system memory */
    UINT DmaBufferPrivateDataSize; /* out: bytes of the driver's data that go with each */
    UINT AllocationListSize;       /* out: elements */
    UINT PatchLocationListSize;    /* out: elements */
    DXGK_DEVICEINFOFLAGS Flags;    /* out */
} DXGK_DEVICEINFO;

/*
 * A device: what one program, or the system itself, sees of an adapter.
 * Page: ns-d3dkmddi-_dxgkarg_createdevice.
 */
typedef struct _DXGKARG_CREATEDEVICE {
    HANDLE hDevice; /* in: the kernel's handle; out: the driver's */
    union {
        DXGK_CREATEDEVICEFLAGS Flags; /* in */
        DXGK_DEVICEINFO *pInfo;       /* out: what DMA buffers look like; NULL where contexts say
                                         it */
    };
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    ULONG Pasid;        /* in: address space, with IoMmuSupported */
    HANDLE hKmdProcess; /* in: the driver's handle of the process */
#endif
} DXGKARG_CREATEDEVICE;
WDDM_SPELLINGS(DXGKARG_CREATEDEVICE);

/* Page: ns-d3dkmddi-_dxgk_createcontextflags. */
typedef struct _DXGK_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT SystemContext : 1;              /* the system's own context, which pages */
            UINT WDDM1_1(GdiContext) : 1;        /* for GDI */
            UINT WDDM2_0(VirtualAddressing) : 1; /* its commands use GPU virtual addresses */
            /* pages protected regions */
            UINT WDDM2_1(SystemProtectedContext) : 1;
            UINT WDDM2_3(HwQueueSupported) : 1;  /* its work goes to hardware queues */
            UINT WDDM3_2(TestContext) : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTFLAGS;

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgk_contextinfo_caps. */
typedef struct _DXGK_CONTEXTINFO_CAPS {
    union {
        struct {
            UINT NoPatchingRequired : 1;     /* no patch-location list */
            UINT DriverManagesResidency : 1; /* no allocation list */
            UINT UseIoMmu : 1;               /* the CPU's page tables */
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_CONTEXTINFO_CAPS;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* What DMA buffers of a context look like. Page: ns-d3dkmddi-_dxgk_contextinfo. */
typedef struct _DXGK_CONTEXTINFO {
    UINT DmaBufferSize;            /* out: bytes */
    UINT DmaBufferSegmentSet;      /* out: aperture segments to map them into; bit n is segment n
                                      + 1; 0: contiguous system memory */
    UINT DmaBufferPrivateDataSize; /* out: bytes of the driver's data that go with each */
    UINT AllocationListSize;       /* out: elements of an allocation list */
    UINT PatchLocationListSize;    /* out: elements of a patch-location list */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
    UINT Reserved;
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_CONTEXTINFO_CAPS Caps;    /* out */
    ULONG PagingCompanionNodeId;   /* out: node that pages for this one */
#endif
} DXGK_CONTEXTINFO;

/* A context: work for one node, in order. Page: ns-d3dkmddi-_dxgkarg_createcontext. */
typedef struct _DXGKARG_CREATECONTEXT {
    HANDLE hContext;               /* in: the kernel's handle; out: the driver's */
    UINT NodeOrdinal;              /* in: node, from 0 */
    UINT EngineAffinity;           /* in: engines of the node, bit n is engine n */
    DXGK_CREATECONTEXTFLAGS Flags; /* in */
    void *pPrivateDriverData;      /* in/out: what user mode passes */
    UINT PrivateDriverDataSize;    /* in: bytes */
    DXGK_CONTEXTINFO ContextInfo;  /* out: what DMA buffers look like */
} DXGKARG_CREATECONTEXT;
WDDM_SPELLINGS(DXGKARG_CREATECONTEXT);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: ns-d3dkmddi-_dxgkarg_setrootpagetable. */
typedef struct _DXGKARG_SETROOTPAGETABLE {
    HANDLE hContext;
    D3DGPU_PHYSICAL_ADDRESS Address;
    UINT NumEntries;
} DXGKARG_SETROOTPAGETABLE;
WDDM_SPELLINGS(DXGKARG_SETROOTPAGETABLE);

/* Page: ns-d3dkmddi-_dxgkarg_getrootpagetablesize. */
typedef struct _DXGKARG_GETROOTPAGETABLESIZE {
    UINT NumberOfPte;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETROOTPAGETABLESIZE;
WDDM_SPELLINGS(DXGKARG_GETROOTPAGETABLESIZE);
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_0 */

/* ---- Render, patch, submit ---- */

/* One allocation that a DMA buffer uses. Page: ns-d3dkmddi-_dxgk_allocationlist. */
typedef struct _DXGK_ALLOCATIONLIST {
    HANDLE hDeviceSpecificAllocation; /* in: what opening returned; NULL: unused entry */
    UINT WriteOperation : 1;          /* in: the GPU writes it */
    UINT SegmentId : 5;               /* in: where it is now; 0: not resident, it will be patched */
    UINT Reserved : 26;
    union {
        PHYSICAL_ADDRESS PhysicalAddress;      /* in: where it is now, BaseAddress included; 0
                                                  with SegmentId 0 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
        D3DGPU_VIRTUAL_ADDRESS VirtualAddress; /* in: with GPU virtual addresses */
#endif
    };
} DXGK_ALLOCATIONLIST;

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
/* The same for GDI, by GPU virtual addresses. Page: ns-d3dkmddi-_dxgkarg_rendergdi. */
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
            UINT Paging : 1;        /* a paging buffer: the lists are empty */
            UINT Present : 1;       /* from DxgkDdiPresent */
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1; /* will not be executed */
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_PATCHFLAGS;

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
    UINT PatchLocationListSize;                     /* in: elements */
    UINT PatchLocationListSubmissionStart;          /* in: first element of this part */
    UINT PatchLocationListSubmissionLength;         /* in: elements of this part */
    UINT SubmissionFenceId;                         /* in: the id that the submission will have */
    DXGK_PATCHFLAGS Flags;                          /* in */
    UINT EngineOrdinal;                             /* in: engine of a link, from 0 */
} DXGKARG_PATCH;
WDDM_SPELLINGS(DXGKARG_PATCH);

/* Page: ns-d3dkmddi-_dxgk_submitcommandflags. */
typedef struct _DXGK_SUBMITCOMMANDFLAGS {
    union {
        struct {
            UINT Paging : 1;                 /* a paging buffer */
            UINT Present : 1;                /* from DxgkDdiPresent */
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
    UINT NodeOrdinal;                               /* in: node, from 0 */
#endif
} DXGKARG_SUBMITCOMMAND;
WDDM_SPELLINGS(DXGKARG_SUBMITCOMMAND);

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* The same by GPU virtual address. Page: ns-d3dkmddi-_dxgkarg_submitcommandvirtual. */
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

/* ---- Completion ---- */

/*
 * What the driver reports; decides which member of DXGKARGCB_NOTIFY_INTERRUPT_DATA is read.
 * Page: ne-d3dkmddi-_dxgk_interrupt_type.
 */
typedef enum _DXGK_INTERRUPT_TYPE {
    DXGK_INTERRUPT_DMA_COMPLETED = 1,    /* submissions up to a fence id are done */
    DXGK_INTERRUPT_DMA_PREEMPTED = 2,    /* a node stopped; what was behind the last done is not */
    DXGK_INTERRUPT_CRTC_VSYNC = 3,       /* a vertical blank began */
    DXGK_INTERRUPT_DMA_FAULTED = 4,      /* reserved */
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

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
/* Page: ns-d3dkmddi-_dxgk_multiplane_overlay_vsync_info2. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 {
    DWORD LayerIndex;
    ULONGLONG PresentId;
    DXGKCB_NOTIFY_MPO_VSYNC_FLAGS Flags;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_1 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* Page: ns-d3dkmddi-dxgk_multiplane_overlay_vsync_info3. */
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 {
    DWORD LayerIndex;
    ULONG FirstFreeFlipQueueLogEntryIndex;
} DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM2_9 */

/* Page: ne-d3dkmddi-_dxgk_present_display_only_progress_id. */
typedef enum _DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID {
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_COMPLETE = 0,
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_FAILED = 1,
} DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID;

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

/*
 * What happened. The driver fills the member of its InterruptType, and only that is read.
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
            UINT FaultedFenceId;                  /* in: the submission that faulted; 0 with
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

/* ---- History buffers ---- */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
/* Page: ns-d3dkmddi-_dxgk_history_buffer_header. */
typedef struct _DXGK_HISTORY_BUFFER_HEADER {
    UINT32 RenderCbSequence;
    UINT32 NumTimestamps;
    UINT32 PrivateDataSize;
    UINT32 Reserved;
} DXGK_HISTORY_BUFFER_HEADER;

/* Page: ns-d3dkmddi-_dxgk_history_buffer. */
typedef struct _DXGK_HISTORY_BUFFER {
    DXGK_HISTORY_BUFFER_HEADER Header;
    UINT8 DriverPrivateData[1];
} DXGK_HISTORY_BUFFER;
#endif /* DXGKDDI_INTERFACE_VERSION_WDDM1_3 */

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
/* Page: none. */
typedef struct _DXGK_QUERYHISTORYBUFFERPRECISIONIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYHISTORYBUFFERPRECISIONIN;
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
    HANDLE hDevice;             /* in: the driver's handle, or NULL */
    D3DDDI_ESCAPEFLAGS Flags;
    void *pPrivateDriverData;   /* in/out: the message */
    UINT PrivateDriverDataSize; /* in: bytes */
    HANDLE hContext;            /* in: the driver's handle, or NULL */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
    HANDLE hKmdProcessHandle;
#endif
} DXGKARG_ESCAPE;
WDDM_SPELLINGS(DXGKARG_ESCAPE);

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
 * What the driver knows when the system dies or the GPU hangs.
 * Page: ns-d3dkmddi-_dxgkarg_collectdbginfo.
 */
typedef struct _DXGKARG_COLLECTDBGINFO {
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    UINT Reason;                            /* in: the bug check that asks */
#endif
    void *pBuffer;                          /* out: the driver writes it here */
    SIZE_T BufferSize;                      /* in: bytes */
    DXGKARG_COLLECTDBGINFO_EXT *pExtension; /* out: or NULL */
} DXGKARG_COLLECTDBGINFO;
WDDM_SPELLINGS(DXGKARG_COLLECTDBGINFO);

/* Page: none. */
typedef enum _DXGKARG_QUERYDIRTYBITDATAFLAGS {
    DXGKARG_QUERYDIRTYBITDATAFLAGS_CLEARDATA = 1,
} DXGKARG_QUERYDIRTYBITDATAFLAGS;

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
