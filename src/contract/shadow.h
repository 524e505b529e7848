/*
 * shadow.h: all that one adapter's calls alone tell about it.
 *
 *     segments     from the answers to the segment queries
 *     allocations  from Create, Open, Close, Destroy; where each is, from the paging operations
 *     buffers      the paging buffers, from the pointers given to BuildPagingBuffer
 *     packets      what Patch was told, until it is submitted
 *     nodes        what was submitted and is not reported complete
 *
 * How an allocation comes to be somewhere:
 *
 *     BuildPagingBuffer answers success   the place is the allocation's: `segment`, `offset`
 *     SubmitCommand of those bytes        `placed` names node and serial number of the submission
 *     DMA_COMPLETED of its fence          done(): the content is there for every node
 *
 * A node completes in order, so a submission is a serial number, and "complete" is "not above the
 * node's completed serial number". A use of an allocation is remembered as the serial number of the
 * last submission that referenced it, by node: nothing has to be undone at completion.
 *
 * Life of a call:   resolve (find what the arguments mean)  ->  judge (the checkers read, change
 * nothing)  -> apply (take over what the call does). Resolving and applying are here; shadow.c the
 * objects, shadow_context.c what contexts need, shadow_paging.c BuildPagingBuffer, shadow_work.c
 * Patch, SubmitCommand and interrupts.
 *
 * Ownership: the shadow owns all records. An allocation that is destroyed stays while something
 * holds it. One caller at a time (the tap's lock). If memory runs out `lost` is set, nothing is
 * judged any more, and the shadow may only be freed.
 *
 * Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_SHADOW_H
#define VIDMM_CONTRACT_SHADOW_H

#include <wddm/d3dkmddi_paging.h>
#include <wddm/d3dkmddi_submit.h>

#include "contract/map.h"
#include "contract/ranges.h"
#include "wddm/call.h"

/* d3dkmddi_allocation.h, d3dkmddi_callback.h, d3dkmddi_completion.h, d3dkmddi_context.h */
struct _DXGKARGCB_CREATECONTEXTALLOCATION;
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA;
struct _DXGKARG_CLOSEALLOCATION;
struct _DXGKARG_CREATEALLOCATION;
struct _DXGKARG_CREATECONTEXT;
struct _DXGKARG_CREATEPROCESS;
struct _DXGKARG_DESTROYALLOCATION;
struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA;
struct _DXGKARG_OPENALLOCATION;
struct _DXGKARG_RESETENGINE;
struct _DXGKARG_SETROOTPAGETABLE;
struct _DXGKARG_VALIDATEUPDATEALLOCPROPERTY;
struct _DXGK_SEGMENTDESCRIPTOR4; /* d3dkmddi_segment.h */

#define VIDMM_SHADOW_NODES 64    /* D-295 */
#define VIDMM_SHADOW_SEGMENTS 32 /* identifiers have five bits, 0 is system memory */
#define VIDMM_SHADOW_HISTORY 64  /* completed fence ids of a node that are remembered */

/* A moment on the time line of a node. Node 0, serial 0 is "long ago". */
struct vidmm_shadow_moment {
    bool submitted; /* false: built, in no submission yet */
    unsigned node;
    uint64_t serial;
};

struct vidmm_shadow_segment {
    uint32_t flags; /* DXGK_SEGMENTFLAGS */
    uint64_t base, size, commit_limit;
    uint64_t protected_offset, protected_size; /* VprRangeStartOffset, VprRangeSize; 0: none */
    bool protected_wrongly;                    /* ... it has one that cannot be understood */
    uint32_t host_pages;        /* SizeInPages of its CPU host aperture; 0: it has none */
    uint64_t host_page_size;    /* bytes */
    struct vidmm_ranges ranges; /* by offset; owners are allocations, NULL for DMA buffers */
};

/* One place of an allocation: all of it, unless the manager has renamed it (shadow_instance.c). */
struct vidmm_shadow_allocation {
    HANDLE handle;
    HANDLE
    key; /* in the map, and as owner of ranges: the handle, or of a further instance its own */
    struct vidmm_shadow_allocation *instance; /* the next one of the handle; NULL: none */
    uint64_t pages;      /* the first page frame of its backing store, and 1; 0: not known yet */
    uint32_t renaming;   /* MaximumRenamingListLength */
    uint64_t size;       /* bytes, as the KMD answered */
    uint64_t span;       /* bytes that it occupies: its size, rounded up to pages */
    uint64_t pitch_span; /* bytes of that in a segment with PitchAlignment; 0: none */
    uint32_t read_set, write_set, eviction_set, flags;
    bool for_range; /* CreateInVpr, of which below 2.1 there is none */
    bool shown;     /* a primary, or the source of a present: it can be described (D-056) */
    unsigned opens; /* openings not closed */
    unsigned holds; /* pointers to this record besides the map's */
    bool destroyed;

    unsigned segment;                  /* where its content is; 0: in no segment */
    uint64_t offset;                   /* in that segment */
    uint64_t mapped;                   /* aperture: bytes mapped from there on, without gap */
    uint64_t epoch;                    /* counts changes of place */
    struct vidmm_shadow_moment placed; /* when the operation that brought it there is done */
    HANDLE overwritten_by;             /* the allocation that was put in its place meanwhile */
    bool purge_due; /* a reset took its content; the KMD was not told that it left */

    struct {
        bool is;              /* made by DxgkCbCreateContextAllocation */
        HANDLE kernel_handle; /* hAllocation */
        HANDLE device;        /* the kernel's handle */
        HANDLE context;       /* the kernel's handle; NULL: all of the device's */
        bool made;            /* it has content */
        bool may_be_lost;     /* the adapter was reset since */
    } context;

    unsigned operations; /* paging operations built and not complete */
    struct {
        uint64_t any;      /* serial number of the last submission that references it */
        uint64_t placed;   /* of the last one that was told where it is; 0: it has left since */
        uint64_t aperture; /* of the last one that does so through an aperture */
        uint64_t from, to; /* addresses at which that, and what was in flight then, does so */
    } last_use[VIDMM_SHADOW_NODES];
};

/* An opening: the allocation that a device-specific handle stands for. */
struct vidmm_shadow_opening {
    struct vidmm_shadow_allocation *allocation; /* NULL: the manager did not tell */
};

/* ---- Page tables: shadow_tables.c ----
 *
 * A table that the driver writes by the CPU is known by its CPU address alone, so what leads to it,
 * or stands at a place of memory, cannot be told; entries of leaves say which address they
 * translate, so the paging process's addresses are known in any mode.
 *
 * An address is *stale* from the change of an entry, which the GPU may have remembered, to the next
 * FlushTlb over it. It is *new* if the entry was invalid before: a GPU with
 * InvalidTlbEntriesNotCached does not remember such a one, and no GPU does before the addresses are
 * used for the first time. It is *again* if a valid entry was written as it was: a manager need not
 * know that nothing has changed.
 */

#define VIDMM_SHADOW_LEVELS 8
#define VIDMM_SHADOW_UPDATE_MODES 3

struct vidmm_shadow_process {
    HANDLE handle;
    bool system;  /* it is there, and paging operations use its addresses */
    bool unread;  /* some of its tables were written in a way that is not read here */
    bool used;    /* a context of it has been submitted, or its addresses were used for paging */
    bool filled;  /* a FillVirtual that no FlushTlb has followed */
    bool renewed; /* a table that had entries was cleared anew, and no FlushTlb has followed */
    bool dual;    /* an entry of level 1 has led to leaves of both sizes */
    bool unclear; /* with DualPteSupported a table was written in a way that is not read here */
    bool moves;   /* the CPU sees its tables by a CPU host aperture: no address is of one of them */
    uint32_t begun[VIDMM_SHADOW_UPDATE_MODES]; /* by UpdateMode: bit n, a table of level n was */
    struct vidmm_ranges stale, new, again;
    struct vidmm_ranges pages; /* of the paging process: addresses with a valid leaf; the owner is
                                  the segment and 1, the tag the address there */
};

struct vidmm_shadow_table {
    struct vidmm_shadow_process *process;
    unsigned level;
    bool of_64k;       /* a leaf of 64 KiB pages */
    bool gone;         /* of a process that had the handle before: it is cleared behind its end */
    DXGK_PTE *entries; /* `count` that were written since it appeared */
    UINT count;
    DXGK_PTE *wide; /* of level 1, DualPteSupported: `wide_count` second ones, which lead to leaves
                       of 64 KiB pages */
    UINT wide_count;
};

/* A part of struct vidmm_shadow. */
struct vidmm_shadow_mmu {
    bool known;          /* the driver has told of its GPU MMU */
    bool supported;      /* GpuMmuSupported */
    UINT paging_segment; /* PagingBufferSegmentId */
    DXGK_GPUMMUCAPS caps;
    DXGK_PAGE_TABLE_LEVEL_DESC levels[VIDMM_SHADOW_LEVELS];
    bool described[VIDMM_SHADOW_LEVELS];
    struct vidmm_map processes; /* handle -> struct vidmm_shadow_process; they stay */
    struct vidmm_map tables;    /* mode and segment, address -> struct vidmm_shadow_table */
    struct vidmm_map devices;   /* device -> struct vidmm_shadow_process */
    struct vidmm_map residents; /* allocation -> itself: NotifyResidency said so last */
};

/* A part of struct vidmm_shadow_context. */
struct vidmm_shadow_root {
    bool set;
    D3DGPU_PHYSICAL_ADDRESS address;
    uint64_t builds; /* BuildPagingBuffer calls before it */
};

struct vidmm_shadow_context {
    HANDLE device;
    HANDLE kernel_handle;
    unsigned node;
    unsigned link;  /* the physical adapter of a link that it is of: the lowest of EngineAffinity */
    uint32_t flags; /* DXGK_CREATECONTEXTFLAGS */
    bool submitted; /* by DxgkDdiSubmitCommandVirtual */
    bool paged;     /* ... a paging buffer was; of a program's device: it is a companion */
    bool commanded; /* ... commands were */
    unsigned companion_node; /* PagingCompanionNodeId, as the driver has answered */
    struct vidmm_shadow_root root;
};

/* A range of a segment that something uses. */
struct vidmm_shadow_use {
    unsigned segment; /* 0: no segment */
    uint64_t start, end;
};

/* A paging operation, or the part of one, that stands in a paging buffer. */
struct vidmm_shadow_operation {
    uint64_t task; /* the same for all passes of one operation */
    DXGK_BUILDPAGINGBUFFER_OPERATION operation;
    struct vidmm_shadow_allocation *allocation; /* held; NULL: none */
    struct vidmm_shadow_use uses[2];
    uint64_t end;   /* offset in the buffer behind its last byte */
    uint64_t epoch; /* of the allocation's place that it makes; 0: it makes none */
    bool leaves;    /* the allocation leaves the place in a segment that it had */
};

struct vidmm_shadow_operations {
    struct vidmm_shadow_operation *items;
    size_t count, capacity;
};

struct vidmm_shadow_buffer {
    uintptr_t base; /* CPU address */
    uint64_t size;
    uint64_t order;              /* counts fresh buffers; of the last time it was one */
    HANDLE context;              /* hSystemContext of its newest operation; NULL: it says none */
    uint64_t written, submitted; /* offsets; submitted <= written */
    uintptr_t private_base;
    uint64_t private_size, private_written, private_submitted;
    unsigned in_flight;                     /* submissions of it that are not complete */
    UINT fence;                             /* of the last one */
    uint64_t address;                       /* as Patch was told; 0: it was not yet */
    struct vidmm_shadow_operations waiting; /* built, not submitted */
};

/* An operation that was answered "too little room" or "busy" and has to be asked for again. */
struct vidmm_shadow_pending {
    uint64_t task;
    DXGKARG_BUILDPAGINGBUFFER asked;            /* multipass offset: as the KMD left it */
    struct vidmm_shadow_allocation *allocation; /* held; NULL: none */
    NTSTATUS answer;
    uint64_t order; /* of the buffer that it was asked with */
};

/* The transfer that has started and not ended. */
struct vidmm_shadow_transfer {
    bool open;
    HANDLE handle;
    struct vidmm_shadow_allocation *allocation; /* held; NULL: not known */
    uint64_t first, next;                       /* bytes of the allocation that are built */
    UINT mdl_offset;                            /* of the first sub-transfer */
    unsigned segments[2];                       /* source, destination */
    uint64_t addresses[2];                      /* segment address or address of the MDL */
};

/* A reference of a DMA buffer, as Patch was told. */
struct vidmm_shadow_reference {
    struct vidmm_shadow_allocation *allocation; /* held; NULL: not known */
    bool opened;                                /* false: no such handle of that device */
    bool unbound;                               /* a null handle */
    bool named; /* by a patch location, or the driver does without them: it has to be in place */
    UINT index; /* in the allocation list */
    unsigned segment;
    uint64_t address;
    bool write;
    uint64_t epoch; /* of the allocation's place at Patch */
};

struct vidmm_shadow_packet {
    DXGKARG_PATCH patch; /* its lists are gone by the time it is submitted */
    struct vidmm_shadow_reference *references;
    size_t count, capacity;
};

struct vidmm_shadow_submission {
    UINT fence;
    uint64_t serial;
    bool paging;
    bool preempted; /* taken from the hardware; a paging one comes again with the same id */
    struct vidmm_shadow_use memory;     /* the bytes of the buffer that it executes */
    struct vidmm_shadow_buffer *buffer; /* paging; NULL: not known */
    struct vidmm_shadow_operations operations;
};

struct vidmm_shadow_node {
    struct vidmm_shadow_submission *queue; /* in order; not complete */
    size_t first, count, capacity;
    uint64_t submitted, completed; /* serial numbers */
    HANDLE running; /* the context of the newest DMA buffer; NULL: it was left, or there was none */
    uint64_t since; /* serial number of the first of its DMA buffers in this run */
    bool inside;    /* its newest DMA buffer is not submitted to its end */
    UINT history[VIDMM_SHADOW_HISTORY];
    size_t remembered; /* ids ever put into history */
    bool has_reported; /* since the last reset */
    UINT reported;     /* then: the fence that was reported as complete last */
    bool was_reset;    /* `settled` is known: that to which the last reset has advanced it */
    UINT settled;
    UINT newest;    /* the fence that was submitted last; 0: none was */
    UINT preempted; /* the fence of the last preemption that was reported; 0: of none */
};

/* The first priorities that the driver has given: one for all, or several. */
struct vidmm_shadow_priorities {
    uint64_t count; /* of allocations */
    UINT first;
    bool differ;
    bool of_kinds; /* allocations of several kinds, by flags and sets, have them */
    uint32_t kind[4];
};

struct vidmm_shadow {
    uint16_t level;
    bool lost;      /* out of memory: the shadow is no longer true */
    HANDLE adapter; /* as AddDevice answered */
    bool reset;     /* between ResetFromTimeout and RestartFromTimeout */

    /* From QueryAdapterInfo. */
    UINT scheduling_caps;  /* DXGK_VIDSCHCAPS */
    bool pages_by_address; /* GpuMmuSupported, from WDDM 2.0 on */
    unsigned paging_node;  /* of submissions that name neither node nor context */
    unsigned segment_count, announced_segments;
    bool segments_known;
    struct vidmm_shadow_segment segments[VIDMM_SHADOW_SEGMENTS]; /* by identifier; 0 unused */
    UINT paging_buffer_size, paging_private_size;

    struct vidmm_map allocations;    /* key -> struct vidmm_shadow_allocation */
    struct vidmm_map openings;       /* device, handle -> struct vidmm_shadow_opening */
    struct vidmm_map devices;        /* handle -> itself, or the map: it is being destroyed */
    struct vidmm_map contexts;       /* handle -> struct vidmm_shadow_context */
    struct vidmm_map kernel_devices; /* the KMD's handle of a device -> the kernel's */
    struct vidmm_map resources;      /* the KMD's handle -> itself */
    struct vidmm_map host_pages;     /* segment, page of its CPU host aperture -> itself: mapped */
    struct vidmm_shadow_priorities priorities;
    uint64_t primary_data; /* a hash of the private data of a shared primary; 0: not known */
    UINT primary_data_size;
    uint64_t run; /* the newest run of the interrupt routine that has reported */
    INT display;  /* DXGK_INTERRUPT_TYPE: the report about the display; 0: none */
    struct vidmm_shadow_allocation **context_allocations; /* held */
    size_t context_allocation_count, context_allocation_capacity;
    struct vidmm_shadow_mmu mmu;
    uint64_t builds;          /* calls of BuildPagingBuffer so far */
    struct vidmm_map buffers; /* CPU address -> struct vidmm_shadow_buffer */

    struct vidmm_shadow_buffer *building; /* the one of the last call */
    uint64_t orders;                      /* fresh buffers so far */
    uint64_t tasks;                       /* operations so far */
    struct vidmm_shadow_pending *pending;
    size_t pending_count, pending_capacity;
    struct vidmm_shadow_transfer transfer;
    struct vidmm_shadow_packet *packets;
    size_t packet_count, packet_capacity;
    struct vidmm_shadow_node nodes[VIDMM_SHADOW_NODES];

    enum vidmm_ddi inside;                /* a call of the scheduler class in which a thread is */
    unsigned inside_count;                /* threads in calls of that class */
    struct vidmm_shadow_allocation *idle; /* said to be idle by a call that is running */

    uint64_t unknown_references;
};

/* Make and free. init: all zero but the level. */
void vidmm_shadow_init(struct vidmm_shadow *shadow, uint16_t level);
void vidmm_shadow_finish(struct vidmm_shadow *shadow);

/* Hold all of it against its numbered invariants, and stop the program if one does not hold. */
void vidmm_shadow_check(const struct vidmm_shadow *shadow);

/* ---- Asking ---- */

/* Find a segment by identifier; NULL: there is none of that number, or 0. */
const struct vidmm_shadow_segment *vidmm_shadow_segment(const struct vidmm_shadow *shadow,
                                                        unsigned id);
/* Whether it is MapApertureSegment or MapApertureSegment2. */
bool vidmm_shadow_is_map(const DXGKARG_BUILDPAGINGBUFFER *asked);
bool vidmm_shadow_is_aperture(const struct vidmm_shadow *shadow, unsigned id);
/* Whether it is the chipset's aperture: its users make no calls, so nothing is known of it. */
bool vidmm_shadow_is_agp(const struct vidmm_shadow *shadow, unsigned id);
/* Bytes that the allocation occupies in that segment: by its pitch where that has
 * PitchAlignment. */
uint64_t vidmm_shadow_span(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_allocation *allocation, unsigned id);

struct vidmm_shadow_allocation *vidmm_shadow_allocation(const struct vidmm_shadow *shadow,
                                                        HANDLE handle);

/* Find the device that a context, or without contexts a device handle, belongs to; NULL: none. */
HANDLE vidmm_shadow_device_of(const struct vidmm_shadow *shadow, HANDLE context);

/* True if the moment is past for everybody. */
bool vidmm_shadow_done(const struct vidmm_shadow *shadow, const struct vidmm_shadow_moment *moment);

/* Find a node, other than `except` (VIDMM_SHADOW_NODES: none), on which a DMA buffer that
 * references the allocation is not complete; VIDMM_SHADOW_NODES: there is none. */
unsigned vidmm_shadow_busy_node(const struct vidmm_shadow *shadow,
                                const struct vidmm_shadow_allocation *allocation, unsigned except);

/* Find a node whose context has used the allocation and is not left, nor stands between two parts
 * of a DMA buffer; for allocations of contexts there is none (D-138 says more of it).
 * VIDMM_SHADOW_NODES: there is none. */
unsigned vidmm_shadow_node_that_used(const struct vidmm_shadow *shadow,
                                     const struct vidmm_shadow_allocation *allocation);

/* Whether CreateAllocation has answered this handle of a resource, which is not destroyed. */
bool vidmm_shadow_has_resource(const struct vidmm_shadow *shadow, HANDLE resource);

/* Whether all that was submitted to a node is reported; preempted packets were taken from it. */
bool vidmm_shadow_is_idle(const struct vidmm_shadow *shadow, unsigned node);

/* ---- BuildPagingBuffer ---- */

/* One side of an operation. */
struct vidmm_shadow_side {
    bool used;
    unsigned segment; /* 0: the MDL side */
    uint64_t address; /* segment address as given */
    uint64_t start;   /* the first one that is touched */
    uint64_t size;    /* bytes touched */
    const MDL *mdl;
    const DXGK_ADL *list; /* in its place, of MapApertureSegment2 */
    uint64_t mdl_offset;  /* as given; of the list */
};

enum vidmm_shadow_where {
    VIDMM_BUFFER_CONTINUES, /* where the last operation ended */
    VIDMM_BUFFER_FRESH,     /* a buffer from its beginning */
    VIDMM_BUFFER_MISPLACED, /* neither */
};

/* The meaning of one call's arguments. */
struct vidmm_shadow_build {
    const DXGKARG_BUILDPAGINGBUFFER *asked; /* as it was at entry */
    HANDLE handle;
    struct vidmm_shadow_allocation *allocation; /* held while the call runs; NULL: none, unknown */
    bool moves;                                 /* Transfer or SpecialLockTransfer */
    bool can_be_busy, idle;                     /* has the flag AllocationIsIdle; it is set */
    struct vidmm_shadow_side source, destination;
    uint64_t task;     /* the operation that it is a pass of */
    bool repeats;      /* it asks again for what `before` was */
    bool same_members; /* as then, TransferOffset and AllocationIsIdle apart */
    struct vidmm_shadow_pending before;
    enum vidmm_shadow_where where;
    struct vidmm_shadow_buffer *buffer; /* NULL: a fresh one, never seen */
    uint64_t in_buffer;                 /* offset of pDmaBuffer in it */
};

void vidmm_shadow_resolve_build(struct vidmm_shadow *shadow, const DXGKARG_BUILDPAGINGBUFFER *asked,
                                struct vidmm_shadow_build *build);
/* The instance that the call means, of the allocation that its handle stands for; NULL: none. One
 * that is new has a record from here on. */
struct vidmm_shadow_allocation *vidmm_shadow_instance(struct vidmm_shadow *shadow,
                                                      const struct vidmm_shadow_build *build);
/* The instance that is at a segment address; NULL: none. */
struct vidmm_shadow_allocation *vidmm_shadow_instance_at(const struct vidmm_shadow *shadow,
                                                         struct vidmm_shadow_allocation *first,
                                                         unsigned segment, uint64_t address);
/* Whether the transfer has not ended, and is the one of this call. */
bool vidmm_shadow_transfer_is_of(const struct vidmm_shadow_transfer *transfer,
                                 const struct vidmm_shadow_build *build);
/* The call is about to be made. */
void vidmm_shadow_enter_build(struct vidmm_shadow *shadow, struct vidmm_shadow_build *build);
/* It has answered; `after` is the argument as it is then. */
void vidmm_shadow_leave_build(struct vidmm_shadow *shadow, struct vidmm_shadow_build *build,
                              const DXGKARG_BUILDPAGINGBUFFER *after, NTSTATUS status);

/* Find a reference to the allocation of the call that is not complete: a DMA buffer, or another
 * paging operation, submitted or only built. Earlier passes of the same operation are not: the GPU
 * was meant to begin with them. Its words go to `who`. False: there is none. */
bool vidmm_shadow_referenced(const struct vidmm_shadow *shadow,
                             const struct vidmm_shadow_build *build, char *who, size_t size);

/* Find something that uses [start, end) of a segment and is not complete: its words go to `who`.
 * False: nothing does. */
bool vidmm_shadow_in_use(const struct vidmm_shadow *shadow, unsigned segment, uint64_t start,
                         uint64_t end, char *who, size_t size);

/* ---- Patch, SubmitCommand, interrupts ---- */

/* Find the packet that Patch was last called for with this id; NULL: none that is not submitted. */
struct vidmm_shadow_packet *vidmm_shadow_packet(struct vidmm_shadow *shadow, UINT fence);

/* Take over what Patch is told. NULL: no memory. */
struct vidmm_shadow_packet *vidmm_shadow_patch(struct vidmm_shadow *shadow,
                                               const DXGKARG_PATCH *patch);

/* The meaning of SubmitCommand's arguments. */
struct vidmm_shadow_submit {
    unsigned node;
    UINT
        awaited; /* the fence of the oldest paging packet that was preempted on the node; 0: none */
    struct vidmm_shadow_packet *packet; /* Patch's record of it; NULL: not called */
    struct vidmm_shadow_buffer *buffer; /* the paging buffer; NULL: none, or not known */
    bool again;                         /* a paging packet that was preempted */
    bool switches; /* ContextSwitch: it has no commands, and nothing to patch */
};

void vidmm_shadow_resolve_submit(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                                 struct vidmm_shadow_submit *submit);
void vidmm_shadow_submit(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                         const struct vidmm_shadow_submit *submit);

/* Find what the arguments of SubmitCommandVirtual mean; `command` receives what SubmitCommand would
 * have been told. */
void vidmm_shadow_resolve_virtual(struct vidmm_shadow *shadow,
                                  const DXGKARG_SUBMITCOMMANDVIRTUAL *asked,
                                  DXGKARG_SUBMITCOMMAND *command,
                                  struct vidmm_shadow_submit *submit);

/* A page fault with one of these flags ends no packet: something has to be reset for it. */
#define VIDMM_PAGE_FAULT_STOPS                                                                     \
    ((UINT)DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED | (UINT)DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED |  \
     (UINT)DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR)

enum vidmm_shadow_fence {
    VIDMM_FENCE_IN_FLIGHT,
    VIDMM_FENCE_COMPLETED, /* and that is already known */
    VIDMM_FENCE_UNKNOWN,   /* was never submitted to the node */
};

/* The knowledge about a fence id of a node. */
enum vidmm_shadow_fence vidmm_shadow_fence(const struct vidmm_shadow *shadow, unsigned node,
                                           UINT fence);

/* Take over what the miniport reports. */
/* `run` is that of the interrupt routine that reports; 0: none does. */
void vidmm_shadow_interrupt(struct vidmm_shadow *shadow, uint64_t run,
                            const struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA *data);

/* Everything on every node has come to its end: the adapter is reset. */
void vidmm_shadow_reset(struct vidmm_shadow *shadow);
/* An engine is reset: aborted packets have ended, and the paging packets behind it come again, as
 * after a preemption. */
void vidmm_shadow_reset_engine(struct vidmm_shadow *shadow,
                               const struct _DXGKARG_RESETENGINE *reset);

/* The adapter is stopped: the paging buffers are gone too. */
void vidmm_shadow_stop(struct vidmm_shadow *shadow);

/* ---- Objects ---- */

void vidmm_shadow_query(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query);
/* kernel_handle, here and below: the manager's own handle, for callbacks. */
void vidmm_shadow_create_device(struct vidmm_shadow *shadow, HANDLE device, HANDLE kernel_handle);
/* DestroyDevice is entered; it has returned. */
void vidmm_shadow_leave_device(struct vidmm_shadow *shadow, HANDLE device);
void vidmm_shadow_destroy_device(struct vidmm_shadow *shadow, HANDLE device);
void vidmm_shadow_create_context(struct vidmm_shadow *shadow, HANDLE device,
                                 const struct _DXGKARG_CREATECONTEXT *create, HANDLE kernel_handle);
/* Whether the context may be the companion of another: it is of a program's device and ran no
 * commands, on a node that the driver has named for one that is none (PagingCompanionNodeId). */
bool vidmm_shadow_is_companion(const struct vidmm_shadow *shadow, HANDLE handle);
void vidmm_shadow_destroy_context(struct vidmm_shadow *shadow, HANDLE context);
void vidmm_shadow_create_allocation(struct vidmm_shadow *shadow,
                                    const struct _DXGKARG_CREATEALLOCATION *create);
/* Segments that an allocation is to have: the driver allows them. */
void vidmm_shadow_validate_property(struct vidmm_shadow *shadow,
                                    const struct _DXGKARG_VALIDATEUPDATEALLOCPROPERTY *update);
/* The private data of a standard allocation, and what a present shows. */
void vidmm_shadow_standard(struct vidmm_shadow *shadow,
                           const struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *data);
void vidmm_shadow_present(struct vidmm_shadow *shadow, HANDLE context,
                          const DXGKARG_PRESENT *present);
void vidmm_shadow_destroy_allocation(struct vidmm_shadow *shadow,
                                     const struct _DXGKARG_DESTROYALLOCATION *destroy);
/* `resolved` has for each element the KMD's handle of the allocation, or NULL. */
void vidmm_shadow_open_allocation(struct vidmm_shadow *shadow, HANDLE device,
                                  const struct _DXGKARG_OPENALLOCATION *open,
                                  const HANDLE *resolved);
void vidmm_shadow_close_allocation(struct vidmm_shadow *shadow, HANDLE device,
                                   const struct _DXGKARG_CLOSEALLOCATION *close);

/* ---- Needs of contexts: shadow_context.c ---- */

void vidmm_shadow_create_context_allocation(
    struct vidmm_shadow *shadow, const struct _DXGKARGCB_CREATECONTEXTALLOCATION *create);
void vidmm_shadow_destroy_context_allocation(struct vidmm_shadow *shadow, HANDLE kernel_handle);
/* Whether it is one of the context, or without contexts of the device. */
bool vidmm_shadow_belongs_to(const struct vidmm_shadow *shadow,
                             const struct vidmm_shadow_allocation *allocation, HANDLE context);
/* A node that still runs what the allocation belongs to; VIDMM_SHADOW_NODES: none. */
unsigned vidmm_shadow_running_node(const struct vidmm_shadow *shadow,
                                   const struct vidmm_shadow_allocation *allocation);
/* A submission goes to its node: which context that runs from here on. */
void vidmm_shadow_run(struct vidmm_shadow *shadow, const DXGKARG_SUBMITCOMMAND *command,
                      const struct vidmm_shadow_submit *submit);
/* The node was reset; VIDMM_SHADOW_NODES: the adapter was. */
void vidmm_shadow_stop_running(struct vidmm_shadow *shadow, unsigned node);
/* The context is destroyed. */
void vidmm_shadow_forget_context(struct vidmm_shadow *shadow, HANDLE context);

/* ---- Page tables: shadow_tables.c ---- */

/* Find. NULL: there is none. */
struct vidmm_shadow_process *vidmm_shadow_process(const struct vidmm_shadow *shadow, HANDLE handle);
struct vidmm_shadow_process *vidmm_shadow_process_of_context(const struct vidmm_shadow *shadow,
                                                             HANDLE context);
struct vidmm_shadow_process *vidmm_shadow_paging_process(const struct vidmm_shadow *shadow);
struct vidmm_shadow_table *
vidmm_shadow_table_of(const struct vidmm_shadow *shadow,
                      const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update);
struct vidmm_shadow_table *vidmm_shadow_table_at(const struct vidmm_shadow *shadow,
                                                 unsigned segment, uint64_t offset);
/* Entries of a table of the level; 0: not known. */
uint64_t vidmm_shadow_table_entries(const struct vidmm_shadow *shadow, unsigned level);
/* Whether a table of the level of the process was begun under a name of another kind: by the CPU's
 * address when the adapter started, for example. */
bool vidmm_shadow_has_other_name(const struct vidmm_shadow_process *process,
                                 const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update);
/* The process whose addresses FlushTlb is about. NULL: it is not known, or it has gone and another
 * has its handle. */
struct vidmm_shadow_process *
vidmm_shadow_process_of_flush(const struct vidmm_shadow *shadow,
                              const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flushed);
/* Whether the address range is stale in part. */
bool vidmm_shadow_is_stale(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_process *process, uint64_t start,
                           uint64_t size);
/* The record describes pages that are not read here: no array says which. */
bool vidmm_shadow_is_unread(const struct vidmm_shadow *shadow,
                            const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update);
/* The entries of a record that is read; `second`: with DualPteSupported those of level 1 that lead
 * to leaves of 64 KiB pages. NULL: it has none of the kind. */
const DXGK_PTE *vidmm_shadow_entries_of(const struct vidmm_shadow *shadow,
                                        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                                        bool second);
/* The table is a leaf of 64 KiB pages, a sixteenth as many. */
bool vidmm_shadow_is_of_64k(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update);

/* Take over. */
void vidmm_shadow_take_mmu(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query);
/* The GPU may use the addresses of the process from here on; NULL: of none that is known. */
void vidmm_shadow_use_process(struct vidmm_shadow_process *process);
void vidmm_shadow_create_process(struct vidmm_shadow *shadow,
                                 const struct _DXGKARG_CREATEPROCESS *create);
/* Its handle is told on: tables of it may be written still, but not those of the paging process. */
void vidmm_shadow_destroy_process(struct vidmm_shadow *shadow, HANDLE handle);
void vidmm_shadow_device_of_process(struct vidmm_shadow *shadow, HANDLE device, HANDLE process);
void vidmm_shadow_set_root(struct vidmm_shadow *shadow,
                           const struct _DXGKARG_SETROOTPAGETABLE *root);
/* A paging operation of a GPU MMU has been built. */
void vidmm_shadow_do_table(struct vidmm_shadow *shadow, const DXGKARG_BUILDPAGINGBUFFER *asked);
/* Other page tables of the paging process appear where the CPU writes them. */
void vidmm_shadow_move_tables(struct vidmm_shadow *shadow);
/* The adapter is stopped, or reset: nothing is left in memory. */
void vidmm_shadow_forget_tables(struct vidmm_shadow *shadow);
void vidmm_shadow_finish_mmu(struct vidmm_shadow *shadow);

/* ---- The CPU host aperture: shadow_host.c ---- */

/* Take over what the segment's descriptor says of it. */
void vidmm_shadow_take_host(struct vidmm_shadow *shadow, unsigned id,
                            const struct _DXGK_SEGMENTDESCRIPTOR4 *descriptor);
/* The page of the segment's aperture is mapped. */
bool vidmm_shadow_is_host_mapped(const struct vidmm_shadow *shadow, unsigned id, uint32_t page);
/* One of its two calls has succeeded; others are not looked at. */
void vidmm_shadow_take_host_call(struct vidmm_shadow *shadow, enum vidmm_ddi ddi,
                                 const void *argument);

/* ---- Shared by the sources ---- */

/* Memory, zeroed; NULL: there is none, and the shadow is lost. */
void *vidmm_shadow_allocate(struct vidmm_shadow *shadow, size_t size);

/* Make room for one more element at the end of an array. False: the shadow is lost. */
bool vidmm_shadow_grow(struct vidmm_shadow *shadow, void *array, size_t element, size_t count,
                       size_t *capacity);

/* Take and give back a pointer to an allocation; NULL is none. */
struct vidmm_shadow_allocation *vidmm_shadow_hold(struct vidmm_shadow_allocation *allocation);
void vidmm_shadow_release(struct vidmm_shadow_allocation *allocation);

/* The operations are complete, or forgotten. */
void vidmm_shadow_operations_end(struct vidmm_shadow_operations *operations);

/* The allocation leaves the segment that it is in. */
void vidmm_shadow_leave_place(struct vidmm_shadow *shadow,
                              struct vidmm_shadow_allocation *allocation);

/* Submitted serial numbers of the place that the operation makes. */
void vidmm_shadow_place_submitted(const struct vidmm_shadow_operation *operation, unsigned node,
                                  uint64_t serial);

#endif
