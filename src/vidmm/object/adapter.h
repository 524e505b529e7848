/* adapter.h: an adapter as the two faces know it: the miniport below, programs above.
 *
 *     client/      what a user-mode driver asks for          handles, blocking, the lock word
 *        |  events
 *     pump/        events to the engine, its plans carried out, one DDI caller at a time
 *        |  operations
 *     ddi/         what the miniport is asked for             DXGKARG_... structures, addresses
 *
 * Locks: the adapter's one mutex (host->lock) guards everything here that is not said to be atomic.
 * No call into the miniport is made with it held. Levels: the miniport's interrupt routine may run
 * at any time and touches `reports` only.
 */
#ifndef VIDMM_OBJECT_ADAPTER_H
#define VIDMM_OBJECT_ADAPTER_H

#include <stdatomic.h>
#include <string.h>

#include <base/assert.h>
#include <base/pool.h>
#include <base/text.h>
#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/allocation.h"
#include "vidmm/lies.h"
#include "wddm/rule.h"

/* ---- handles (handle.c) ---------------------------------------------------------------------- */

/* What a 32-bit handle given to the miniport stands for. */
enum vidmm_handle_type {
    VIDMM_HANDLE_NONE,
    VIDMM_HANDLE_ALLOCATION,
    VIDMM_HANDLE_DEVICE,
    VIDMM_HANDLE_RESOURCE,
    VIDMM_HANDLE_CONTEXT,
};

/* ---- objects --------------------------------------------------------------------------------- */

/* Memory that the GPU fetches commands from: of a paging buffer or a DMA buffer. */
struct vidmm_command_memory {
    struct vidmm_backing backing;
    struct vidmm_place place; /* segment 0: contiguous system memory */
    uint32_t id;              /* in the engine, if it is mapped into an aperture; else 0 */
    uint32_t size;            /* bytes */
    void *private_data;
    uint32_t private_size;
    bool own_page; /* no commands: what WritePhysical goes to */
};

struct vidmm_paging_memory {
    struct vidmm_command_memory memory;
    uint32_t used, private_used; /* bytes, by what the miniport returned */
    bool fresh;                  /* nothing was asked of it since its reuse */
};

struct vidmm_dma_buffer {
    struct vidmm_command_memory memory;
    DXGK_ALLOCATIONLIST *allocation_list;
    struct vidmm_allocation **allocations; /* of the elements that have one, in their order */
    struct vidmm_reference *references;    /* the same, for the engine; then the context's own */
    uint32_t reference_room;
    uint32_t *element_of;   /* by reference: its element of the allocation list */
    uint32_t *reference_of; /* by element; VIDMM_UNBOUND: it has no allocation */
    D3DDDI_PATCHLOCATIONLIST *patch_list;
    struct vidmm_patch_location *patches; /* the same, for the engine; if `splits` */
    struct vidmm_context *context;
    uint32_t id; /* in events */
    uint32_t list_count, allocation_count, patch_count;
    uint32_t used, private_used; /* bytes */
    bool splits;                 /* there is a point at which it may be cut */
    uint64_t value;              /* of the context; 0: never used */
    bool busy, present;          /* queued or in flight; from DxgkDdiPresent */
};

struct vidmm_context {
    struct vidmm_device *device;
    struct vidmm_context *next, **link; /* of its device */
    HANDLE h_context;                   /* the miniport's; NULL if it knows no contexts */
    HANDLE h_linked[VIDMM_LINKS];       /* the same of engines 1 and up */
    uint32_t id;                        /* in events; 0: none yet */
    uint32_t node;
    uint32_t dma_buffer_count;
    uint32_t allocation_list_size, patch_list_size;
    bool rendering;                        /* a thread is in vidmm_render() */
    uint64_t next_value;                   /* of the next DMA buffer */
    _Atomic uint64_t completed;            /* see vidmm_context_completed() */
    struct vidmm_dma_buffer dma_buffers[]; /* value v is in (v - 1) % dma_buffer_count */
};

/* A thread that is in one of the calls of the lowest threading level, on its stack (ddi/turn.c). */
struct vidmm_inside {
    struct vidmm_inside *next;
    struct vidmm_adapter *adapter;
    uint64_t process;
    bool thread; /* a program's, and not the pump's */
};

struct vidmm_device {
    struct vidmm_adapter *adapter;
    struct vidmm_device *next, **link; /* of its adapter */
    struct vidmm_context *contexts;
    struct vidmm_allocation *allocations;
    struct vidmm_allocation *context_allocations;
    struct vidmm_resource *resources;
    HANDLE h_device; /* the miniport's */
    bool system;
    DXGK_DEVICEINFO info;
    uint32_t id, handle;
    uint64_t process;
    _Atomic uint64_t unmatched; /* locks that ended with their allocation, not by an unlock */
    NTSTATUS status;            /* why it is in error */
    struct vidmm_report report;
    struct vidmm_report refusal; /* why the last context allocation was refused */
};

/* Somebody who waits for a grant; on the stack of the waiter. */
struct vidmm_request {
    struct vidmm_request *next;
    struct vidmm_allocation *allocation; /* a lock: open its word on success */
    uint32_t id;
    bool granted; /* `status` and `place` are the engine's answer */
    bool done;
    NTSTATUS status;
    struct vidmm_place place;
    uint32_t range;
    uint32_t flags; /* VIDMM_GRANT_... */
    bool aperture;  /* the lock is one with AcquireAperture */
};

/* A 32-bit number for an object, without gaps: index + 1, with the adapter's number above. */
struct vidmm_slot_table {
    struct vidmm_slot_entry {
        void *object; /* NULL: free */
        uint32_t next_free;
        uint8_t type;
    } * entries;
    uint32_t capacity, first_free; /* first_free: index + 1, 0: none */
    uint32_t fresh;                /* entries from here on were never used */
};

bool vidmm_slot_take(struct vidmm_slot_table *table, const struct vidmm_memory *memory,
                     void *object, uint8_t type, uint32_t *index);
void *vidmm_slot_find(const struct vidmm_slot_table *table, uint32_t index, uint8_t type);
void vidmm_slot_release(struct vidmm_slot_table *table, uint32_t index);
void vidmm_slot_finish(struct vidmm_slot_table *table, const struct vidmm_memory *memory);

/* ---- the adapter ----------------------------------------------------------------------------- */

#define REPORTS 2048u /* completions that may be waiting to be taken in; a power of two */

/* What the interrupt routine said, in order. One writer at a time (D-349), one reader. */
struct vidmm_reports {
    struct vidmm_notice {
        uint32_t node, fence;
        uint32_t last_completed; /* a preemption's */
        uint16_t engine;
        bool preempted, faulted;
        uint8_t fails; /* enum vidmm_reason: what Windows stops for */
    } entries[REPORTS];
    _Atomic uint32_t written, read;
    _Atomic uint64_t lost; /* there was no room: the driver reports without end */
};

/* How the driver of a physical adapter reports, as ddi/interrupt.c judges it. */
struct vidmm_interrupts {
    _Atomic uint32_t reporting; /* threads in DxgkCbNotifyInterrupt */
    _Atomic uint32_t message;   /* of the routine that runs at device level, plus 1; 0: none does */
    _Atomic bool unqueued;      /* it has reported, and has queued no DPC since */
    _Atomic bool owed;          /* a DPC was queued for a report, and has not begun */
    _Atomic bool notified;      /* DxgkCbNotifyDpc was called since the last DPC began */
};

#define SEEN_RULES 64u /* broken rules that are told in words; more are counted only */

/* The breaches that were seen, by rule; object/seen.c says what holds. */
struct vidmm_seen_rules {
    _Atomic uint32_t counts[VIDMM_RULE_COUNT];
    _Atomic uint32_t order[SEEN_RULES];    /* rule + 1, in the order of their first breaches */
    struct vidmm_report first[SEEN_RULES]; /* of `order`: the first breach in words */
    _Atomic uint32_t used;
};

struct vidmm_segment_view {
    struct vidmm_segment_info info;
    uint8_t *cpu;        /* where the CPU sees a CpuVisible memory segment; NULL: nowhere */
    uint64_t *bank_ends; /* of `info`; ours */
};

/* What each creation asks of the segments, known since the adapter's start. Bit n is segment n + 1,
 * as in SupportedReadSegmentSet. */
struct vidmm_segment_sets {
    uint32_t bridged; /* of AGP type: the GPU's writes may be held back (posted.c) */
    uint32_t apertures;
    uint32_t coherent; /* of these, CacheCoherent */
    uint32_t rows;     /* PitchAlignment */
    uint32_t hidden;   /* memory, not CpuVisible */
    uint32_t windowed; /* memory that the CPU sees: `cpu` of the view is there */
};

/* One physical adapter: the only one, or one of a link (ddi/link.c). */
struct vidmm_link {
    struct vidmm_adapter *adapter;
    const struct vidmm_host *host; /* its slot's */
    void *physical_device_object;
    HANDLE h_adapter;            /* MiniportDeviceContext */
    DXGKRNL_INTERFACE callbacks; /* DeviceHandle: this record */
    bool started, connected;
    struct vidmm_reports reports;
    struct vidmm_interrupts interrupts;

    /* Of a link only; the lead's paging buffers are the adapter's. */
    struct vidmm_paging_memory *paging; /* VIDMM_PAGING_BUFFERS of them, by id */
    HANDLE h_system_context;
    uint32_t multipass_offset; /* of the operation that is being asked for */
    bool built;                /* it has been answered */
};

/* A packet that was given to the engines of a link. */
struct vidmm_linked_packet {
    uint32_t node, fence;
    uint32_t engines; /* that have not completed it, a bit each */
};

struct vidmm_adapter {
    const struct vidmm_host *host;
    struct vidmm_adapter_options options;
    DRIVER_INITIALIZATION_DATA driver; /* what is newer than the miniport is NULL */
    ULONG interface_size;              /* of the callback table */
    uint16_t level;                    /* VIDMM_LEVEL() */
    uint32_t number;                   /* in the table of adapters, for handles */
    uint32_t sources;                  /* video present sources; 0: it only renders */
    HANDLE h_adapter;                  /* MiniportDeviceContext; of a link the lead's */
    DXGK_DRIVERCAPS caps;
    bool multi_engine;

    uint32_t link_count;                   /* physical adapters; 1: it is not linked */
    struct vidmm_link *links[VIDMM_LINKS]; /* by EngineOrdinal; the lead is 0 */
    struct vidmm_link lead;
    struct vidmm_linked_packet *linked; /* packets in flight, in order; NULL: not linked */
    uint32_t linked_count;
    bool build_again;    /* some engine has not built all of it */
    uint32_t call_fails; /* enum vidmm_reason: what Windows stops for, found during the call */

    struct vidmm_segment_view segments[VIDMM_SEGMENTS];
    uint32_t segment_count;
    struct vidmm_segment_sets sets;
    struct vidmm_command_memory own_page; /* in the AGP-type segment; size 0: there is none */
    uint32_t range_count;
    uint64_t range_addresses[VIDMM_SWIZZLING_RANGES]; /* CPUTranslatedAddress of each */
    struct vidmm_allocation *range_owners[VIDMM_SWIZZLING_RANGES]; /* NULL: the driver has it */
    uint32_t range_data[VIDMM_SWIZZLING_RANGES];                   /* PrivateDriverData of each */
    uint32_t paging_segment, paging_size, paging_private_size;
    uint64_t dummy_frame;
    bool has_dummy;

    struct vidmm_engine *engine; /* NULL: StartDevice and what is asked after it go on */
    _Atomic bool known;          /* the driver has said what its nodes, messages and displays are */
    struct vidmm_paging_memory paging[VIDMM_PAGING_BUFFERS]; /* by id; 1 is the bootstrap buffer */
    struct vidmm_device *devices;
    struct vidmm_device *system_device;
    HANDLE h_system_context;
    struct vidmm_pool allocation_pool; /* records of allocations */
    struct vidmm_slot_table handles;   /* index + 1 is the engine's id of an allocation or device */
    struct vidmm_slot_table dma_buffers;

    enum vidmm_power power;
    bool resting;          /* somebody has it rest, for a call of level two or three */
    _Atomic uint32_t gate; /* ddi/recovery.c: who is in the driver, and whether it is shut */

    /* pump/pump.c */
    bool pumping;
    bool changed;  /* somebody may be waiting for what has happened */
    bool call_due; /* `call` is to be made */
    struct vidmm_operation call;
    struct vidmm_allocation *chores_first, *chores_last;
    struct vidmm_allocation *graves; /* to be destroyed when it is their process's turn (D-055) */
    struct vidmm_inside *inside;
    bool inside_waits; /* somebody was kept out of the driver */
    struct vidmm_request *requests;
    uint32_t next_request;
    bool stopped; /* the engine has said so */
    bool at_rest; /* ... because it was asked to, and all has ended */
    uint32_t stop_reason;
    NTSTATUS stop_status;
    struct vidmm_report stop_report;
    _Atomic uint64_t findings; /* what was done that Windows would not forgive */
    struct vidmm_seen_rules seen;
    uint64_t renames, instances_made, instances_gone; /* so far */
    _Atomic uint32_t overlay_apertures; /* in which an overlay may be; bit n is segment n + 1 */
    _Atomic uint32_t
        crowded_apertures;   /* through which more than 80 percent of one may leave (S0-044) */
    uint64_t deadline_ns;    /* last given to host->set_timer */
    _Atomic uint64_t silent; /* nodes that were reset and not resumed, a bit each */
};

/* ---- pump/pump.c ----------------------------------------------------------------------------- */

/* Give the engine an event and carry out what can be carried out at once. The mutex is held. */
NTSTATUS vidmm_pump_step(struct vidmm_adapter *adapter, struct vidmm_event *event);
/* Carry out the rest: DDI calls and what they bring. Passive level, the mutex is not held. */
void vidmm_pump(struct vidmm_adapter *adapter);
/* The same with the mutex held, which is given back. */
void vidmm_pump_and_unlock(struct vidmm_adapter *adapter);
/* lock, step, unlock, pump. */
NTSTATUS vidmm_pump_event(struct vidmm_adapter *adapter, struct vidmm_event *event);
/* Give the engine an event that it answers by VIDMM_DO_GRANT, and wait for that: `request` holds it
 * afterwards. id: where the event names its request. Passive level, the mutex is not held.
 * STATUS_TIMEOUT, STATUS_DEVICE_REMOVED (the adapter has stopped), or the answer. */
NTSTATUS vidmm_request_ask(struct vidmm_adapter *adapter, struct vidmm_event *event, uint32_t *id,
                           struct vidmm_request *request);
/* What the host calls. */
void vidmm_pump_work(void *argument);

/* Whether the segment is the chipset's, which its GART maps and not the miniport. */
static inline bool vidmm_segment_is_agp(const struct vidmm_adapter *adapter, uint32_t id)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    return flags.Agp;
}

static inline void vidmm_adapter_lock(const struct vidmm_adapter *adapter)
{
    adapter->host->lock(adapter->host->context);
}

/* Whether the adapter has stopped and nobody is carrying anything out any more: what is left may be
 * taken apart. The mutex is held. */
static inline bool vidmm_adapter_is_still(const struct vidmm_adapter *adapter)
{
    return adapter->stopped && !adapter->pumping && !adapter->chores_first && !adapter->graves;
}

static inline void vidmm_adapter_unlock(const struct vidmm_adapter *adapter)
{
    adapter->host->unlock(adapter->host->context);
}

/* ---- ddi/: the miniport ---------------------------------------------------------------------- */

/* Make the call of the operation and write its answer. */
void vidmm_kmd_call(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                    struct vidmm_event *answer);
/* The same for a call of timeout detection and recovery. */
void vidmm_kmd_recover(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer);
/* Around each call of the driver on a program's thread; may wait while a call of level three is
 * made. */
void vidmm_driver_enter(struct vidmm_adapter *adapter);
void vidmm_driver_leave(struct vidmm_adapter *adapter);
/* Let nobody in. False: somebody is inside; the last one out pumps. */
bool vidmm_gate_shut(struct vidmm_adapter *adapter);
void vidmm_gate_open(struct vidmm_adapter *adapter);
void vidmm_kmd_range(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer);
void vidmm_kmd_abandon_ranges(const struct vidmm_allocation *allocation); /* its engine stopped */
/* Whether the operation is a call of level three. */
bool vidmm_kmd_needs_gate(const struct vidmm_operation *operation);
/* adapter/power.c. Have nobody else make the adapter rest; may wait. False: it never ends. */
bool vidmm_kmd_begin_rest(struct vidmm_adapter *adapter);
void vidmm_kmd_end_rest(struct vidmm_adapter *adapter);
/* Have the engine rest (VIDMM_EVENT_REST) or resume, and wait for it. */
NTSTATUS vidmm_kmd_rest(struct vidmm_adapter *adapter, uint32_t kind, enum vidmm_power power);
/* Wait until nobody is in the driver, and keep everybody out. STATUS_TIMEOUT: somebody stays
 * inside. */
NTSTATUS vidmm_kmd_take_driver(struct vidmm_adapter *adapter);
void vidmm_kmd_give_driver(struct vidmm_adapter *adapter);
void vidmm_flush_dpcs(const struct vidmm_adapter *adapter);
/* Whether nodes can be preempted; whether engines can be reset alone. */
bool vidmm_kmd_preempts(const struct vidmm_adapter *adapter);
bool vidmm_kmd_resets_engines(const struct vidmm_adapter *adapter);
/* Whether the driver wants to hear of what never reached the GPU; and tell it. */
bool vidmm_kmd_cancels(const struct vidmm_adapter *adapter);
NTSTATUS vidmm_kmd_cancel(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);
/* Read the descriptor of a segment into segments[id], and judge it. */
NTSTATUS vidmm_kmd_take_segment(struct vidmm_adapter *adapter, uint32_t id, const void *descriptor,
                                struct vidmm_report *report);
/* Judge what the miniport describes of an allocation, and read it as the engine's wish. *info is
 * amended: what it may not say is left out of it. */
NTSTATUS vidmm_kmd_take_wish(struct vidmm_adapter *adapter, DXGK_ALLOCATIONINFO *info, bool primary,
                             struct vidmm_wish *wish, struct vidmm_report *report);
/* It has become an allocation: hold it against the overlays that there are, or are to come. */
void vidmm_kmd_created(struct vidmm_adapter *adapter, const struct vidmm_wish *wish);
/* The AGP aperture. False: there is none. */
bool vidmm_find_agp(const struct vidmm_adapter *adapter, uint64_t *base, uint64_t *size);
/* Bytes that all apertures together may show at once; 0: no limit (D-011). */
uint64_t vidmm_aperture_commit_limit(const struct vidmm_adapter *adapter);
void vidmm_kmd_fill_callbacks(struct vidmm_link *link);
/* The physical adapter that a callback is about; NULL: the handle is none. Any level. */
struct vidmm_link *vidmm_kmd_called_back(HANDLE handle);

/* ddi/interrupt.c; the argument of both is a link. */
bool vidmm_kmd_interrupt(void *argument, uint32_t message);
void vidmm_kmd_dpc(void *argument);
void vidmm_kmd_fill_interrupts(DXGKRNL_INTERFACE *table);
/* The engines of these nodes were reset: until they are resumed they have nothing to report. */
void vidmm_kmd_silence(struct vidmm_adapter *adapter, uint64_t nodes);
/* What was built and never submitted is forgotten: each paging buffer begins anew. */
void vidmm_kmd_forget_paging(struct vidmm_adapter *adapter);
void vidmm_kmd_resume(struct vidmm_adapter *adapter, uint64_t nodes);

/* Numbers for adapters, so that a 32-bit handle alone leads to its object. False: too many. */
bool vidmm_adapter_register(struct vidmm_adapter *adapter);
void vidmm_adapter_unregister(struct vidmm_adapter *adapter);

/* ---- ddi/link.c: the physical adapters ------------------------------------------------------- */

/* The records of the physical adapters. STATUS_NO_MEMORY: what there is goes with finish(). */
NTSTATUS vidmm_links_init(struct vidmm_adapter *adapter, const struct vidmm_host *host,
                          void *physical_device_object);
void vidmm_links_finish(struct vidmm_adapter *adapter);
/* AddDevice and LinkDevice, one physical adapter after the other; connect; start, the lead last. */
NTSTATUS vidmm_links_add(struct vidmm_adapter *adapter, struct vidmm_report *report);
NTSTATUS vidmm_links_connect(struct vidmm_adapter *adapter, struct vidmm_report *report);
NTSTATUS vidmm_links_start(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* The opposite: the lead first. What was not reached is left alone. */
void vidmm_links_stop(struct vidmm_adapter *adapter);
void vidmm_links_disconnect(struct vidmm_adapter *adapter);
void vidmm_links_remove(struct vidmm_adapter *adapter);
/* A packet goes to the engines whose bits are set. */
void vidmm_linked_submitted(struct vidmm_adapter *adapter, uint32_t node, uint32_t fence,
                            uint32_t engines);
/* An engine of a link has completed a fence. False: others have not, or it is none; else *fence is
 * the newest that all have completed, or what it was if nobody was given that. The mutex is
 * held. */
bool vidmm_linked_completed(struct vidmm_adapter *adapter, uint32_t engine, uint32_t node,
                            uint32_t *fence);
/* Whether an engine has packets of the node to complete. */
bool vidmm_linked_is_busy(const struct vidmm_adapter *adapter, uint32_t engine, uint32_t node);
/* All packets are gone: a reset. */
void vidmm_linked_reset(struct vidmm_adapter *adapter);

/* The highest frame of a page that the GPUs can address, or VIDMM_ANY_FRAME: obeys D-029. */
static inline uint64_t vidmm_highest_frame(const struct vidmm_adapter *adapter)
{
    uint64_t highest = (uint64_t)adapter->caps.HighestAcceptableAddress.QuadPart;

    return highest == 0 ? VIDMM_ANY_FRAME : highest >> VIDMM_PAGE_SHIFT;
}

static inline bool vidmm_adapter_is_linked(const struct vidmm_adapter *adapter)
{
    return adapter->link_count > 1;
}

/* The pages that physical adapter `engine` uses of an allocation. */
static inline struct vidmm_backing *vidmm_backing_of(struct vidmm_allocation *allocation,
                                                     uint32_t engine)
{
    return engine > 0 && allocation->instances ? &allocation->instances[engine - 1]
                                               : &allocation->backing;
}

/* The paging buffer of physical adapter `engine`. */
static inline struct vidmm_paging_memory *vidmm_paging_of(struct vidmm_adapter *adapter,
                                                          uint32_t engine, uint32_t id)
{
    return engine > 0 ? &adapter->links[engine]->paging[id] : &adapter->paging[id];
}

/* ---- object/command_memory.c ----------------------------------------------------------------- */

/* Memory for commands: in an aperture of `segment_set` (bit n: segment n + 1), or contiguous if
 * that is 0. STATUS_NO_MEMORY; STATUS_GRAPHICS_NO_VIDEO_MEMORY: no room in the aperture. */
NTSTATUS vidmm_command_memory_init(struct vidmm_adapter *adapter, struct vidmm_device *device,
                                   struct vidmm_command_memory *memory, uint32_t segment_set,
                                   uint32_t size, uint32_t private_size);
/* The same in an instance for each physical adapter, at one place: paging buffer `id`. */
NTSTATUS vidmm_paging_memory_init(struct vidmm_adapter *adapter, uint32_t id, uint32_t segment_set);
void vidmm_paging_memory_finish(struct vidmm_adapter *adapter, uint32_t id);
/* A page at the end of the AGP-type segment, if there is one, that nobody uses. */
NTSTATUS vidmm_own_page_init(struct vidmm_adapter *adapter);
void vidmm_command_memory_finish(struct vidmm_adapter *adapter,
                                 struct vidmm_command_memory *memory);
/* Whether the miniport has written behind it since it was last asked: VIDMM_REASON_OVERRUN,
 * VIDMM_REASON_PRIVATE_OVERRUN, or VIDMM_REASON_NONE. */
uint32_t vidmm_command_memory_was_overrun(struct vidmm_command_memory *memory);
/* Address for the GPU: BaseAddress and offset, or a physical address. */
uint64_t vidmm_command_memory_address(const struct vidmm_adapter *adapter,
                                      const struct vidmm_command_memory *memory);

/* ---- client/ --------------------------------------------------------------------------------- */

NTSTATUS vidmm_device_init(struct vidmm_adapter *adapter, uint64_t process, bool system,
                           struct vidmm_device **device);
/* Until the GPU has done what is queued for the device, or the adapter has stopped. */
void vidmm_device_wait(struct vidmm_device *device);
/* Offer what the references of a command buffer that is queued are marked for (client/offer.c). */
void vidmm_offer_referenced(struct vidmm_context *context,
                            const struct vidmm_render_reference *references, uint32_t count);
/* DMA buffer done with; the mutex is held. */
void vidmm_context_retired(struct vidmm_adapter *adapter, struct vidmm_dma_buffer *dma_buffer);
NTSTATUS vidmm_system_context_create(struct vidmm_adapter *adapter);
void vidmm_system_context_destroy(struct vidmm_adapter *adapter);
/* Wait until the device has no allocations any more, all of which are being destroyed. */
void vidmm_device_wait_empty(struct vidmm_device *device);

/* What Patch and SubmitCommand name for an engine: obeys D-303. */
static inline HANDLE vidmm_context_handle(const struct vidmm_context *context, uint32_t engine)
{
    if (!context->device->adapter->multi_engine)
        return context->device->h_device;
    return engine == 0 ? context->h_context : context->h_linked[engine];
}
uint32_t vidmm_adapter_nodes(const struct vidmm_adapter *adapter);
/* ---- ddi/turn.c ------------------------------------------------------------------------------ */

/* Enter the driver for a process, where no other thread of it is. Passive level, the mutex is not
 * held. */
void vidmm_turn_begin(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside);
/* The same at once. False: another thread is inside; work() is called when it has left. The mutex
 * is held. */
bool vidmm_turn_try(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside);
void vidmm_turn_end(struct vidmm_inside *inside);
/* The same, with the mutex locked behind it. True: host->wake() is due. */
bool vidmm_turn_end_and_lock(struct vidmm_inside *inside);
/* The same without waking anybody. True: somebody was kept out. The mutex is held. */
bool vidmm_turn_leave(struct vidmm_inside *inside);

/* ---- ddi/patch_list.c ------------------------------------------------------------------------ */

/* Check the patch locations that the driver has left, and put them into the engine's numbers.
 * STATUS_INVALID_PARAMETER: one is impossible; the report names `what`, and the number. */
NTSTATUS vidmm_patch_list_take(struct vidmm_dma_buffer *dma_buffer, const char *what,
                               struct vidmm_report *report);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Begin a text in a report that may be NULL. */
struct vidmm_text vidmm_report_begin(struct vidmm_report *report);
/* Write "WHAT is VALUE; LEGAL" and answer the status. */
NTSTATUS vidmm_report_refusal(struct vidmm_report *report, NTSTATUS status, const char *what,
                              uint64_t value, const char *legal);

static inline void *vidmm_allocate(const struct vidmm_host *host, size_t size)
{
    return host->memory.allocate(host->memory.context, size);
}

static inline void vidmm_free(const struct vidmm_host *host, void *block)
{
    if (block)
        host->memory.free(host->memory.context, block);
}

#endif
