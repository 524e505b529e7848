/*
 * driver_private.h: declarations that the sources of the driver half share.
 *
 *     driver_entry.c      the table; an adapter comes and goes
 *     driver_query.c      what the adapter is like
 *     driver_segment.c    what its segments are like
 *     driver_history.c    time stamps
 *     driver_process.c    processes
 *     driver_objects.c    devices, contexts, allocations
 *     driver_context.c    memory that contexts need
 *     driver_standard.c   allocations that the system describes
 *     driver_display.c    sources and outputs, and what is shown on them
 *     driver_render.c     Render, Patch
 *     driver_gdi.c        RenderGdi: commands by address
 *     driver_present.c    Present: a blt between surfaces
 *     driver_paging.c     BuildPagingBuffer
 *     driver_swizzle.c    swizzling ranges
 *     driver_immediate.c  the habit of doing paging by the CPU and copying records
 *     driver_table.c      paging by GPU virtual address, page tables
 *     driver_host_aperture.c  the CPU host aperture
 *     driver_fence.c      signals of monitored fences
 *     driver_virtual.c    what page tables are like, contexts with addresses of their own
 *     driver_submit.c     SubmitCommand, interrupts, preemption, reset
 *
 * The driver is compiled for WDDM 3.2, and serves each level from 1.0 on: it tells by the level
 * that its adapter was registered with how the system sees a structure.
 *
 * Threads. BuildPagingBuffer, Patch, SubmitCommand, PreemptCommand come one at a time (D-078); the
 * interrupt service routine and what DxgkCbSynchronizeExecution runs come one at a time; the rest
 * at any time. Each member below says which of them it belongs to.
 */
#ifndef SOFTGPU_DRIVER_PRIVATE_H
#define SOFTGPU_DRIVER_PRIVATE_H

#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_WDDM3_2

#include <stdatomic.h>

#include "softgpu/broken.h"
#include "softgpu/driver.h"
#include "softgpu/hardware.h"

#include <wddm/dispmprt.h>

/* Around reads of a program's memory, where the compiler or the kit has __try. Elsewhere nobody
 * takes that memory away. */
#ifdef __try
#define SOFTGPU_GUARDED __try
#define SOFTGPU_IF_GONE __except (EXCEPTION_EXECUTE_HANDLER)
#else
#define SOFTGPU_GUARDED
#define SOFTGPU_IF_GONE if (FALSE)
#endif

#define SOFTGPU_TAG 0x55504753u /* "SGPU" */

/* The first member of every object: a wrong handle is told from a right one. */
enum softgpu_object_kind {
    SOFTGPU_ADAPTER = 0x61644753,
    SOFTGPU_DEVICE = 0x65644753,
    SOFTGPU_CONTEXT = 0x6f634753,
    SOFTGPU_RESOURCE = 0x65724753,
    SOFTGPU_ALLOCATION = 0x6c614753,
    SOFTGPU_OPENED = 0x706f4753,
    SOFTGPU_CONTEXT_ALLOCATION = 0x61634753,
    SOFTGPU_PROCESS = 0x72704753,
    SOFTGPU_HW_QUEUE = 0x71684753,
};

/* A queue of the GPU. */
struct softgpu_node {
    _Atomic UINT given;      /* scheduler class writes: packets put into its ring */
    UINT fence;              /* scheduler class: of the newest of them */
    UINT reported;           /* interrupt: how many packets were run at the last report */
    UINT preemptions;        /* interrupt: how many were reported */
    UINT faults, signals;    /* interrupt: how many of either were reported */
    _Atomic UINT last_fence; /* interrupt writes: the newest that was reported */
};

struct softgpu_adapter {
    UINT kind;
    UINT level;                                        /* 10 .. 13, 20 .. 29, 30 .. 32 */
    struct softgpu_chain *chain;                       /* NULL: not linked */
    UINT place;                                        /* in the chain: its EngineOrdinal */
    PDEVICE_OBJECT physical_device;                    /* as AddDevice was given it */
    DXGKRNL_INTERFACE dxgk;                            /* from StartDevice on */
    struct softgpu_registers *registers;               /* NULL: not started */
    UINT64 register_address;                           /* physical */
    UINT announced;                                    /* RequiredDmaQueueEntry */
    UINT build_calls;                                  /* scheduler class */
    BOOLEAN inject;                                    /* scheduler class: an INSUFFICIENT is due */
    SIZE_T bank_ends[SOFTGPU_SEGMENTS][SOFTGPU_BANKS]; /* the targets of descriptors */
    struct softgpu_node nodes[SOFTGPU_RINGS];          /* and hardware queues */
    _Atomic(struct softgpu_hw_queue *) hw_queues[SOFTGPU_HW_QUEUES]; /* by ring; NULL: free */
    struct softgpu_driver_allocation *ranges[SOFTGPU_RANGES]; /* swizzling class; NULL: free */
    _Atomic UINT context_numbers;                             /* given out so far */
    UINT segments, apertures, pitched; /* from StartDevice on: bit n is segment n + 1 */
    BOOLEAN retraces;                  /* the system wants to hear of them; there are none */
    BOOLEAN exclusive;                 /* between Begin- and EndExclusiveAccess */
};

/* A process that uses the GPU, from WDDM 2.0 on. */
struct softgpu_process {
    UINT kind;
    struct softgpu_adapter *adapter;
    HANDLE dxgk_handle;
    BOOLEAN system;
    UINT pasid;           /* what the bus calls its address space; with an IOMMU alone */
    _Atomic UINT devices; /* that have not been destroyed */
};

struct softgpu_driver_device {
    UINT kind;
    struct softgpu_adapter *adapter;
    struct softgpu_process *process; /* NULL: below WDDM 2.0, or none was named */
    HANDLE dxgk_handle;              /* for callbacks */
    DXGK_DEVICEINFO info;
    UINT pasid;                               /* of its process */
    struct softgpu_context_allocation *table; /* NULL: none is needed */
};

struct softgpu_context {
    UINT kind;
    struct softgpu_driver_device *device;
    UINT node;
    UINT engine; /* place in the chain */
    BOOLEAN system;
    struct softgpu_context_allocation *save; /* NULL: none is needed */
    BOOLEAN queues;                          /* HwQueueSupported */
    BOOLEAN virtual;                         /* its commands name addresses of page tables */
    struct softgpu_root root;                /* scheduler class: of those */
    _Atomic UINT cut_at; /* bytes run of its packet that a preemption cut; 0: of none */
};

/* A hardware queue: driver_hw_queue.c. Nobody submits to one twice at a time. */
struct softgpu_hw_queue {
    UINT kind;
    struct softgpu_context *context;
    HANDLE dxgk_handle;
    UINT ring;                /* constant: that it has */
    _Atomic UINT64 *progress; /* constant: its fence, to the CPU */
    UINT given;               /* packets so far */
    UINT64 newest;            /* the id of the newest */
    UINT64 ids[];             /* of packet n in n % slots of the ring */
};

/* A save area or a table: driver_context.c. */
struct softgpu_context_allocation {
    UINT kind;
    UINT number; /* from 1 */
    UINT size;
    UINT segments;      /* SupportedSegmentSet */
    BOOLEAN by_address; /* the CPU makes its first content */
    HANDLE dxgk_handle;
    UINT segment; /* scheduler class: where it is, as far as paging is built; 0: nowhere */
    UINT64 address;
    UINT resident; /* scheduler class: what NotifyResidency said last */
};

struct softgpu_resource {
    UINT kind;
};

/* An allocation as one device sees it. */
struct softgpu_opened {
    UINT kind; /* 0: it is not open */
    struct softgpu_driver_device *device;
    struct softgpu_driver_allocation *allocation;
};

struct softgpu_driver_allocation {
    UINT kind;
    struct softgpu_allocation wanted; /* as the user-mode driver described it, checked */
    BOOLEAN tiled;                    /* marked Swizzled: tiles, the GPU's own order */
    UINT segment;                     /* scheduler class: where it was paged in last */
    UINT64 address;
    UINT ranges;   /* swizzling class: of these, how many are its */
    UINT resident; /* scheduler class: what NotifyResidency said last */
    struct softgpu_opened
        creator; /* its opening by the device that creates it, which most have alone */
};

#define SOFTGPU_HARDWARE_PROTECTED 0x20000u /* of the flags of an allocation */

/* An allocation that holds protected content. The handle may be of anything, or NULL. */
static inline BOOLEAN softgpu_is_protected(const struct softgpu_driver_allocation *allocation)
{
    return allocation != NULL && allocation->kind == SOFTGPU_ALLOCATION &&
           (allocation->wanted.flags & SOFTGPU_HARDWARE_PROTECTED) != 0;
}

/* Bytes that it takes: as asked for, or whole tiles. */
static inline UINT64 softgpu_size_of(const struct softgpu_driver_allocation *allocation)
{
    UINT64 size = allocation->wanted.size, tiles = (size + SOFTGPU_TILE - 1) / SOFTGPU_TILE;

    return allocation->tiled ? tiles * SOFTGPU_TILE : size;
}

/*
 * A record in the private data of a paging buffer, one a call of BuildPagingBuffer that wrote
 * commands, or in the private data of a DMA buffer, by Render. Memory for it arrives zeroed.
 */
struct softgpu_private_record {
    UINT mark;     /* SOFTGPU_PRIVATE_MARK */
    UINT commands; /* counted up: memory that was not zeroed gives a wrong sum */
    void *at;      /* of the commands, for the CPU; immediate habit only */
};

#define SOFTGPU_PRIVATE_MARK 0x64727053u
#define SOFTGPU_PRIVATE_SUBMITTED 0x64627573u /* a DMA buffer of which something was submitted */
#define SOFTGPU_PRIVATE_CANCELLED 0x6c636e63u

/* Count a call that is wrong in itself; the first is kept as a sentence. Answers `status`. */
NTSTATUS softgpu_refuse(struct softgpu_adapter *adapter, NTSTATUS status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The adapter of an engine of the link; NULL: there is none. */
static inline struct softgpu_adapter *softgpu_engine(struct softgpu_adapter *adapter, UINT ordinal)
{
    if (adapter->chain == NULL)
        return ordinal == 0 ? adapter : NULL;
    return ordinal < adapter->chain->count ? adapter->chain->members[ordinal] : NULL;
}

static inline BOOLEAN softgpu_adapter_is_broken(const struct softgpu_adapter *adapter,
                                                enum softgpu_broken which)
{
    return softgpu_is_broken(adapter->registers->broken, which);
}

/* The device of a handle that names a context, or, without MultiEngineAware, a device (obeys
 * D-303). */
static inline struct softgpu_driver_device *softgpu_device_of(HANDLE hContext)
{
    struct softgpu_context *context = hContext;

    return context->kind == SOFTGPU_CONTEXT ? context->device : hContext;
}

/* How a sentence writes the adapter's level: "1.3". */
#define SOFTGPU_LEVEL_FORMAT "%u.%u"
#define SOFTGPU_LEVEL(adapter) (adapter)->level / 10, (adapter)->level % 10

/* Ring a doorbell. */
NTSTATUS softgpu_ring(struct softgpu_adapter *adapter, UINT doorbell, UINT value);

/* ---- driver_history.c ------------------------------------------------------------------------ */

/* QueryAdapterInfo, HISTORYBUFFERPRECISION. */
NTSTATUS softgpu_query_history(struct softgpu_adapter *adapter,
                               const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo);

/* ---- driver_objects.c, driver_context.c ------------------------------------------------------ */

/* A zeroed object of the kind; NULL: no memory. */
void *softgpu_new_object(enum softgpu_object_kind kind, size_t size);
void softgpu_free_object(void *object);

/* The device's table; the context's save area. If the GPU needs none: success, and nothing. */
NTSTATUS softgpu_create_table(struct softgpu_driver_device *device);
void softgpu_destroy_table(struct softgpu_driver_device *device);
NTSTATUS softgpu_create_save(struct softgpu_context *context, HANDLE dxgk_handle);
void softgpu_destroy_save(struct softgpu_context *context);
/* The context allocation that the handle stands for; NULL: something else. */
struct softgpu_context_allocation *softgpu_context_allocation_of(HANDLE handle);
/* A call of BuildPagingBuffer brings one somewhere, or takes it away. */
void softgpu_note_context(const DXGKARG_BUILDPAGINGBUFFER *args);
/* Tell the GPU where the memory of a packet's context is. */
void softgpu_name_context(struct softgpu_adapter *adapter, const struct softgpu_context *context,
                          struct softgpu_packet *packet);
/* InitContextResource as a command; it does the CPU's part here. */
NTSTATUS softgpu_describe_init(struct softgpu_adapter *adapter,
                               const DXGKARG_BUILDPAGINGBUFFER *args,
                               struct softgpu_op_context *op);

/* ---- driver_process.c ------------------------------------------------------------------------ */

/* Begin and end a device of the process that its creation names. False: it names none that is. */
BOOLEAN softgpu_enter_process(struct softgpu_driver_device *device, HANDLE hKmdProcess);
void softgpu_leave_process(struct softgpu_driver_device *device);

/* ---- driver_render.c ------------------------------------------------------------------------- */

/* Copy the header of the command at `user`, and check it against the bytes that are left. NULL: it
 * is right; else a sentence. */
const char *softgpu_read_touch(const unsigned char *user, UINT left, struct softgpu_touch *touch);

/* ---- driver_virtual.c ------------------------------------------------------------------------ */

/* QueryAdapterInfo: GPUMMUCAPS, PAGETABLELEVELDESC. */
NTSTATUS softgpu_query_mmu(struct softgpu_adapter *adapter, const DXGKARG_QUERYADAPTERINFO *args);
NTSTATUS softgpu_query_level(struct softgpu_adapter *adapter, const DXGKARG_QUERYADAPTERINFO *args);
/* A context is to have virtual addresses: what that makes of its lists. */
void softgpu_begin_virtual(struct softgpu_context *context, DXGK_CONTEXTINFO *info, BOOLEAN gdi);

/* Whether the handle, which may name a device, names a context that has them. */
static inline BOOLEAN softgpu_is_virtual(HANDLE hContext)
{
    const struct softgpu_context *context = hContext;

    return context->kind == SOFTGPU_CONTEXT && context->virtual;
}

/* Whether the adapter's GPU has page tables, and its system knows what they are. */
static inline BOOLEAN softgpu_has_tables(const struct softgpu_adapter *adapter)
{
    return adapter->level >= 20 && adapter->registers->mmu.kind == SOFTGPU_MMU_GPU;
}

/* Whether its commands may name virtual addresses: of page tables, or the processor's own. */
static inline BOOLEAN softgpu_has_addresses(const struct softgpu_adapter *adapter)
{
    return adapter->level >= 20 && adapter->registers->mmu.kind != SOFTGPU_MMU_NONE;
}

/* Whether they are the processor's own, and its system knows what that is. */
static inline BOOLEAN softgpu_shares_addresses(const struct softgpu_adapter *adapter)
{
    return adapter->level >= 20 && adapter->registers->mmu.kind == SOFTGPU_MMU_IO;
}

/* ---- driver_hw_queue.c ----------------------------------------------------------------------- */

static inline UINT softgpu_ring_count(const struct softgpu_adapter *adapter)
{
    return adapter->registers->engine_count + adapter->registers->hw_queues;
}

/* The hardware queue that has a ring; NULL: it is a node's, or nobody's. At device level. */
struct softgpu_hw_queue *softgpu_hw_queue_of(const struct softgpu_adapter *adapter, UINT ring);
/* The id of its packet with a fence of the ring. */
UINT64 softgpu_hw_queue_id(const struct softgpu_adapter *adapter,
                           const struct softgpu_hw_queue *queue, UINT fence);
/* Write the progress fence of what the ring has done. FALSE: nothing new. At device level. */
BOOLEAN softgpu_report_progress(struct softgpu_adapter *adapter, UINT ring);

/* ---- driver_segment.c ------------------------------------------------------------------------ */

/* QueryAdapterInfo: QUERYSEGMENT, QUERYSEGMENT3, QUERYSEGMENT4. */
NTSTATUS softgpu_query_segments(struct softgpu_adapter *adapter,
                                const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo);

/* ---- driver_host_aperture.c ------------------------------------------------------------------ */

/* The adapter starts: nothing is mapped in its CPU host aperture. */
void softgpu_clear_host_aperture(struct softgpu_adapter *adapter);

/* ---- driver_paging.c, for driver_immediate.c ------------------------------------------------- */

/* Turn one operation into commands at args->pDmaBuffer, as far as DmaSize goes: BuildPagingBuffer's
 * work, without the switches that make it answer something else. Only the operations that commands
 * exist for; `commands` is counted up. */
NTSTATUS softgpu_write_operation(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                                 UINT *commands);

/* ---- driver_swizzle.c ------------------------------------------------------------------------ */

/* An operation brings the allocation to a place; NULL: none. */
void softgpu_note_place(struct softgpu_driver_allocation *allocation, UINT segment, UINT64 address);

/* Whether what is protected is encrypted when it leaves the segment; 0: any segment. */
BOOLEAN softgpu_encrypts(const struct softgpu_adapter *adapter, UINT segment);

/* ---- driver_immediate.c ---------------------------------------------------------------------- */

/* BuildPagingBuffer in the immediate habit: map and unmap at once, copy the record of the rest. */
NTSTATUS softgpu_build_immediate(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                                 UINT *commands);
/* Run the records that the private data of a paging submission names, before it returns. */
void softgpu_execute_records(struct softgpu_adapter *adapter, UINT node,
                             const struct softgpu_private_record *records, UINT count);

/* ---- driver_submit.c ------------------------------------------------------------------------- */

/* Whether one more submission may be queued; else a refusal, which names the call. */
NTSTATUS softgpu_check_room(struct softgpu_adapter *adapter, const char *call);
/* Put a packet into the ring of a node, and ring: run it before this returns, or have it run. */
NTSTATUS softgpu_give_packet(struct softgpu_adapter *adapter, UINT node,
                             const struct softgpu_packet *packet);
/* Put a packet into the ring of a node. False: it is full. The doorbell is the caller's. */
BOOLEAN softgpu_put_packet(struct softgpu_adapter *adapter, UINT node,
                           const struct softgpu_packet *packet);
/* Stop the GPU; when it returns nothing reads or writes memory. */
void softgpu_stop_gpu(struct softgpu_adapter *adapter);
/* Report the newest fence of the node once more: a lie. */
void softgpu_report_again(struct softgpu_adapter *adapter, UINT node);

/* ---- driver_display.c ------------------------------------------------------------------------ */

/* Its video present sources; the lead of a link has those of all. */
UINT softgpu_sources(const struct softgpu_adapter *adapter);
/* All screens are dark from here on. */
void softgpu_blank(struct softgpu_adapter *adapter);

/* ---- driver_standard.c ----------------------------------------------------------------------- */

/* Bytes of a pixel, and of a row of so many of them. */
UINT softgpu_bytes_of_pixel(D3DDDIFORMAT format);
UINT softgpu_pitch(UINT width, D3DDDIFORMAT format);

/* ---- entry points ---------------------------------------------------------------------------- */

DXGKDDI_QUERYADAPTERINFO SoftgpuQueryAdapterInfo;
DXGKDDI_GETNODEMETADATA SoftgpuGetNodeMetadata;

DXGKDDI_CREATEPROCESS SoftgpuCreateProcess;
DXGKDDI_DESTROYPROCESS SoftgpuDestroyProcess;
DXGKDDI_CREATEDEVICE SoftgpuCreateDevice;
DXGKDDI_DESTROYDEVICE SoftgpuDestroyDevice;
DXGKDDI_CREATECONTEXT SoftgpuCreateContext;
DXGKDDI_DESTROYCONTEXT SoftgpuDestroyContext;
DXGKDDI_CREATEALLOCATION SoftgpuCreateAllocation;
DXGKDDI_DESTROYALLOCATION SoftgpuDestroyAllocation;
DXGKDDI_OPENALLOCATIONINFO SoftgpuOpenAllocation;
DXGKDDI_CLOSEALLOCATION SoftgpuCloseAllocation;

DXGKDDI_QUERY_CHILD_RELATIONS SoftgpuQueryChildRelations;
DXGKDDI_QUERY_CHILD_STATUS SoftgpuQueryChildStatus;
DXGKDDI_SETVIDPNSOURCEADDRESS SoftgpuSetVidPnSourceAddress;
DXGKDDI_SETVIDPNSOURCEVISIBILITY SoftgpuSetVidPnSourceVisibility;
DXGKDDI_COMMITVIDPN SoftgpuCommitVidPn;
DXGKDDI_CONTROLINTERRUPT SoftgpuControlInterrupt;

DXGKDDI_DESCRIBEALLOCATION SoftgpuDescribeAllocation;
DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA SoftgpuGetStandardAllocationDriverData;

DXGKDDI_RENDER SoftgpuRender;
DXGKDDI_PRESENT SoftgpuPresent;
DXGKDDI_PATCH SoftgpuPatch;
DXGKDDI_FORMATHISTORYBUFFER SoftgpuFormatHistoryBuffer;
DXGKDDI_BEGINEXCLUSIVEACCESS SoftgpuBeginExclusiveAccess;
DXGKDDI_ENDEXCLUSIVEACCESS SoftgpuEndExclusiveAccess;

DXGKDDI_BUILDPAGINGBUFFER SoftgpuBuildPagingBuffer;

DXGKDDI_ACQUIRESWIZZLINGRANGE SoftgpuAcquireSwizzlingRange;
DXGKDDI_RELEASESWIZZLINGRANGE SoftgpuReleaseSwizzlingRange;

DXGKDDI_SIGNALMONITOREDFENCE SoftgpuSignalMonitoredFence;
DXGKDDI_MAPCPUHOSTAPERTURE SoftgpuMapCpuHostAperture;
DXGKDDI_UNMAPCPUHOSTAPERTURE SoftgpuUnmapCpuHostAperture;
DXGKDDI_RENDERGDI SoftgpuRenderGdi;
DXGKDDI_SUBMITCOMMANDVIRTUAL SoftgpuSubmitCommandVirtual;
DXGKDDI_CREATEHWQUEUE SoftgpuCreateHwQueue;
DXGKDDI_DESTROYHWQUEUE SoftgpuDestroyHwQueue;
DXGKDDI_SUBMITCOMMANDTOHWQUEUE SoftgpuSubmitCommandToHwQueue;
DXGKDDI_SETROOTPAGETABLE SoftgpuSetRootPageTable;
DXGKDDI_GETROOTPAGETABLESIZE SoftgpuGetRootPageTableSize;
DXGKDDI_SUBMITCOMMAND SoftgpuSubmitCommand;
DXGKDDI_PREEMPTCOMMAND SoftgpuPreemptCommand;
DXGKDDI_CANCELCOMMAND SoftgpuCancelCommand;
DXGKDDI_QUERYCURRENTFENCE SoftgpuQueryCurrentFence;
DXGKDDI_ESCAPE SoftgpuEscape;
DXGKDDI_VALIDATEUPDATEALLOCATIONPROPERTY SoftgpuValidateUpdateAllocationProperty;
DXGKDDI_INTERRUPT_ROUTINE SoftgpuInterruptRoutine;
DXGKDDI_DPC_ROUTINE SoftgpuDpcRoutine;
DXGKDDI_QUERYDEPENDENTENGINEGROUP SoftgpuQueryDependentEngineGroup;
DXGKDDI_QUERYENGINESTATUS SoftgpuQueryEngineStatus;
DXGKDDI_RESETENGINE SoftgpuResetEngine;
DXGKDDI_RESETFROMTIMEOUT SoftgpuResetFromTimeout;
DXGKDDI_RESTARTFROMTIMEOUT SoftgpuRestartFromTimeout;
DXGKDDI_RESET_DEVICE SoftgpuResetDevice;
DXGKDDI_COLLECTDBGINFO SoftgpuCollectDbgInfo;

#endif
