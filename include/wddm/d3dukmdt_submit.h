/*
 * d3dukmdt_submit.h: the lists and flags that describe a submission. d3dukmdt.h says how to read
 * it.
 */
#ifndef WDDM_D3DUKMDT_SUBMIT_H
#define WDDM_D3DUKMDT_SUBMIT_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

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
WDDM_SPELLINGS(D3DDDI_ALLOCATIONLIST);

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
WDDM_SPELLINGS(D3DDDI_PATCHLOCATIONLIST);

/* The kind of context that user mode wants. Page: ns-d3dukmdt-_d3dddi_createcontextflags. */
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
WDDM_SPELLINGS(D3DDDI_CREATECONTEXTFLAGS);

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
WDDM_SPELLINGS(D3DDDI_ESCAPEFLAGS);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DUKMDT_SUBMIT_H */
