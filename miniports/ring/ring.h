/* ring.h: a miniport for the GPU of ring_hw.h, of WDDM 1.2.
 *
 *     entry.c    DriverEntry, the device's life, resources and registers
 *     query.c    what the GPU can do, and its segments
 *     objects.c  devices, contexts, allocations
 *     paging.c   DxgkDdiBuildPagingBuffer
 *     render.c   DxgkDdiRender, DxgkDdiPatch
 *     submit.c   the ring: submission, preemption, interrupts, reset
 */
#ifndef RING_H
#define RING_H

/* The driver model of this driver, before the first include. */
#define DXGKDDI_INTERFACE_VERSION 0x300E

#include <ntddk.h>
#include <ntstrsafe.h>
#include <dispmprt.h>
#include <d3dkmddi.h>

#include "ring_hw.h"
#include "ring_umd.h"

#define RING_TAG 'gniR'

/* Segment ids are positions in the array that QUERYSEGMENT3 gets, from 1. */
enum { RING_SEGMENT_MEMORY = 1, RING_SEGMENT_APERTURE = 2 };
#define RING_SET(Segment) (1u << ((Segment)-1))

enum {
    RING_ENTRIES = 64, /* of the ring; one is always empty, so that full and empty differ */
    RING_PAGING_BUFFER = 16 * 1024,
    RING_DMA_BUFFER = 16 * 1024,
    RING_LIST = 512 /* elements of allocation list and patch-location list */
};

struct ring_adapter {
    DXGKRNL_INTERFACE Dxgk;
    volatile UCHAR *Registers;
    PHYSICAL_ADDRESS MemoryAddress; /* of BAR 2; the driver itself never looks into it */
    SIZE_T MemorySize;              /* the memory that exists; a BAR is a power of two and may be
                                     * larger */

    /* The ring. Tail and fences are used at device level only: by the interrupt routine, and by
     * what DxgkCbSynchronizeExecution runs. So they need no lock. */
    struct ring_entry *Ring;
    PHYSICAL_ADDRESS RingAddress;
    ULONG Tail;
    UINT Submitted;  /* the last fence id that was put into the ring */
    UINT Reported;   /* the last that was reported */
    UINT Preemption; /* the request that is being answered, with Preempting */
    BOOLEAN Preempting;
};

struct ring_device {
    struct ring_adapter *Adapter;
};

struct ring_allocation {
    SIZE_T Size;
};

/* entry.c */
ULONG RingRead(const struct ring_adapter *Adapter, ULONG Register);
VOID RingWrite(const struct ring_adapter *Adapter, ULONG Register, ULONG Value);

/* query.c */
DXGKDDI_QUERYADAPTERINFO RingQueryAdapterInfo;

/* objects.c */
DXGKDDI_CREATEDEVICE RingCreateDevice;
DXGKDDI_DESTROYDEVICE RingDestroyDevice;
DXGKDDI_CREATECONTEXT RingCreateContext;
DXGKDDI_DESTROYCONTEXT RingDestroyContext;
DXGKDDI_CREATEALLOCATION RingCreateAllocation;
DXGKDDI_DESTROYALLOCATION RingDestroyAllocation;
DXGKDDI_OPENALLOCATIONINFO RingOpenAllocation;
DXGKDDI_CLOSEALLOCATION RingCloseAllocation;

/* paging.c */
DXGKDDI_BUILDPAGINGBUFFER RingBuildPagingBuffer;

/* render.c */
DXGKDDI_RENDER RingRender;
DXGKDDI_PATCH RingPatch;

/* submit.c */
NTSTATUS RingStart(struct ring_adapter *Adapter);
VOID RingStop(struct ring_adapter *Adapter);
DXGKDDI_SUBMITCOMMAND RingSubmitCommand;
DXGKDDI_PREEMPTCOMMAND RingPreemptCommand;
DXGKDDI_QUERYCURRENTFENCE RingQueryCurrentFence;
DXGKDDI_QUERYENGINESTATUS RingQueryEngineStatus;
DXGKDDI_QUERYDEPENDENTENGINEGROUP RingQueryDependentEngineGroup;
DXGKDDI_RESETENGINE RingResetEngine;
DXGKDDI_RESETFROMTIMEOUT RingResetFromTimeout;
DXGKDDI_RESTARTFROMTIMEOUT RingRestartFromTimeout;
DXGKDDI_INTERRUPT_ROUTINE RingInterruptRoutine;
DXGKDDI_DPC_ROUTINE RingDpcRoutine;

#endif
