/* atlas.h: a miniport for the GPU of atlas_hw.h, of WDDM 2.0, with page tables.
 *
 *     entry.c    DriverEntry, the device's life, resources and registers
 *     query.c    what the GPU can do, its segments and page tables
 *     objects.c  processes, devices, contexts, allocations
 *     paging.c   DxgkDdiBuildPagingBuffer
 *     submit.c   the ring: submission, preemption, interrupts, reset
 */
#ifndef ATLAS_H
#define ATLAS_H

/* The driver model of this driver, before the first include. */
#define DXGKDDI_INTERFACE_VERSION 0x5023

#include <ntddk.h>
#include <ntstrsafe.h>
#include <dispmprt.h>
#include <d3dkmddi.h>

#include "atlas_hw.h"
#include "atlas_umd.h"

#define ATLAS_TAG 'ltaA'

/* Segment ids are positions in the array that QUERYSEGMENT4 gets, from 1. */
enum { ATLAS_SEGMENT_MEMORY = 1, ATLAS_SEGMENT_APERTURE = 2 };
#define ATLAS_SET(Segment) (1u << ((Segment)-1))
#define ATLAS_APERTURE_SIZE ((SIZE_T)1 << 30)

enum {
    ATLAS_ENTRIES = 64, /* of the ring; one is always empty, so that full and empty differ */
    ATLAS_PAGING_BUFFER = 16 * 1024,
    ATLAS_PAGING_PRIVATE = 4 * 1024, /* 8 bytes an operation */
    ATLAS_DMA_BUFFER = 16 * 1024,
    ATLAS_LIST = 16 /* elements of the allocation list: primaries that are written */
};

struct atlas_adapter {
    DXGKRNL_INTERFACE Dxgk;
    volatile UCHAR *Registers;
    PHYSICAL_ADDRESS MemoryAddress; /* of BAR 2; the driver itself never looks into it */
    SIZE_T MemorySize;              /* the memory that exists; a BAR is a power of two and may be
                                     * larger */

    /* The ring. Tail and fences are used at device level only: by the interrupt routine, and by
     * what DxgkCbSynchronizeExecution runs. So they need no lock. */
    struct atlas_entry *Ring;
    PHYSICAL_ADDRESS RingAddress;
    ULONG Tail;
    UINT Submitted;  /* the last fence id that was put into the ring */
    UINT Reported;   /* the last that was reported */
    UINT Preemption; /* the request that is being answered, with Preempting */
    BOOLEAN Preempting;
};

struct atlas_process {
    HANDLE Dxgk;
};

struct atlas_device {
    struct atlas_adapter *Adapter;
};

struct atlas_context {
    struct atlas_adapter *Adapter;
    ULONG64 Root; /* of its page tables, an offset in memory */
};

struct atlas_allocation {
    SIZE_T Size;
};

/* entry.c */
ULONG AtlasRead(const struct atlas_adapter *Adapter, ULONG Register);
VOID AtlasWrite(const struct atlas_adapter *Adapter, ULONG Register, ULONG Value);

/* query.c */
DXGKDDI_QUERYADAPTERINFO AtlasQueryAdapterInfo;
DXGKDDI_GETNODEMETADATA AtlasGetNodeMetadata;

/* objects.c */
DXGKDDI_CREATEPROCESS AtlasCreateProcess;
DXGKDDI_DESTROYPROCESS AtlasDestroyProcess;
DXGKDDI_CREATEDEVICE AtlasCreateDevice;
DXGKDDI_DESTROYDEVICE AtlasDestroyDevice;
DXGKDDI_CREATECONTEXT AtlasCreateContext;
DXGKDDI_DESTROYCONTEXT AtlasDestroyContext;
DXGKDDI_SETROOTPAGETABLE AtlasSetRootPageTable;
DXGKDDI_CREATEALLOCATION AtlasCreateAllocation;
DXGKDDI_DESTROYALLOCATION AtlasDestroyAllocation;
DXGKDDI_OPENALLOCATIONINFO AtlasOpenAllocation;
DXGKDDI_CLOSEALLOCATION AtlasCloseAllocation;

/* paging.c */
DXGKDDI_BUILDPAGINGBUFFER AtlasBuildPagingBuffer;

/* submit.c */
NTSTATUS AtlasStart(struct atlas_adapter *Adapter);
VOID AtlasStop(struct atlas_adapter *Adapter);
DXGKDDI_SUBMITCOMMANDVIRTUAL AtlasSubmitCommandVirtual;
DXGKDDI_PREEMPTCOMMAND AtlasPreemptCommand;
DXGKDDI_QUERYCURRENTFENCE AtlasQueryCurrentFence;
DXGKDDI_QUERYENGINESTATUS AtlasQueryEngineStatus;
DXGKDDI_QUERYDEPENDENTENGINEGROUP AtlasQueryDependentEngineGroup;
DXGKDDI_RESETENGINE AtlasResetEngine;
DXGKDDI_RESETFROMTIMEOUT AtlasResetFromTimeout;
DXGKDDI_RESTARTFROMTIMEOUT AtlasRestartFromTimeout;
DXGKDDI_INTERRUPT_ROUTINE AtlasInterruptRoutine;
DXGKDDI_DPC_ROUTINE AtlasDpcRoutine;

#endif
