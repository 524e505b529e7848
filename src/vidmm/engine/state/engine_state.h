/* engine_state.h: the state of one adapter's engine, for the modules of src/vidmm.
 *
 *     work (DMA buffers in the queues of their contexts)         (work.c, arbiter.c)
 *       |  part: as much of the first as fits at once     (split.c)
 *       |  residency: decide where everything goes        (residency.c, room.c)
 *       v
 *     moves (page-outs, then page-ins, first come first built)   (paging.c)
 *       |  one call at a time, packed into paging buffers
 *       v
 *     flights (submitted, by node, until their fence)            (timeline.c, fence.c)
 *
 * An allocation, as far as the engine knows it, is a *placement*: its wish, the range it has been
 * given, and where its content is. Deciding changes ranges only; the paging operations that follow
 * from a decision are queued as *moves* when the whole decision stands. So at every moment
 *
 *     the ranges of a segment are what will be true when every queued move is done, and
 *     `at` of a placement is what will be true when its own queued moves are done.
 *
 *     placement_state.h  allocations and their moves
 *     work_state.h       DMA buffers, their parts and packets: what looks into them includes it
 *     here               the engine that has them all
 *
 *     fence_state.h      monitored fences                        engine->monitored
 *     mmu_state.h        processes, the memory of page tables    engine->mmu
 *     host_state.h       the CPU host aperture                   engine->host
 *     recovery_state.h   hangs, resets, power                    engine->recovery, reset, rest
 *
 * Few modules look into the last four: the engine points to them, and a source that looks includes
 * the header. The pools are such parts, too. All are allocated and freed with the engine
 * (engine.c), so no pointer to them is ever NULL.
 *
 * Structures only; each module has a header of its own for what it does. Nothing here is seen
 * outside engine/. Every pointer is the engine's own; only ids and numbers (plan.h) cross
 * vidmm_step().
 */
#ifndef VIDMM_ENGINE_STATE_H
#define VIDMM_ENGINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/engine.h>
#include <vidmm/segment.h>
#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/timeline.h"

struct vidmm_context_queue;
struct vidmm_missing;
struct vidmm_work;

/* Functions for these are in work_state.h. */
VIDMM_QUEUE_STRUCT(vidmm_works, struct vidmm_work);
VIDMM_QUEUE_STRUCT(vidmm_context_queues, struct vidmm_context_queue);

/* A switch of the engine names every value of what it switches over, and has no default: a new one
 * is an error in each of them until somebody has decided what it means there. */
#pragma GCC diagnostic error "-Wswitch-enum"

struct vidmm_lock_request {
    struct vidmm_lock_request *next;
    uint32_t request;
    uint32_t flags; /* VIDMM_LOCKING_... */
    uint32_t data;
    bool wait;
    bool wants_range;  /* a swizzling range is being got for it */
    bool range_failed; /* ... the driver had no means for it */
    bool no_range;     /* none is to be had */
    bool wants_host;   /* pages of the CPU host aperture are being got for it */
    bool no_host;      /* none are to be had */
    uint32_t asked;    /* so many mappings were asked whether they are in use, for it */
    bool leaves;       /* its placement left a memory segment for it */
    bool fetches;      /* swizzle.c: a memory segment is to hold it first */
    NTSTATUS status;   /* why it cannot be had, if that is known */
    struct vidmm_placement *placement;
};

/* The residency list of a device (residency_list.c). */
struct vidmm_residency_list {
    struct vidmm_listing *first[LISTING_STATES], *last[LISTING_STATES];
    struct vidmm_listing *lingering; /* those that wait for what was queued before */
    uint64_t bytes[LISTED_KINDS];    /* that it counts, by the segments that may hold them */
    uint64_t newest;                 /* fence of the device's newest packet */
    bool suspended;                  /* it is not in place, and not all of it is kept there */
};

/* The requests that are due to be made to a device, in VIDMM_TRIM_... (budget.c) */
struct vidmm_trim {
    uint32_t due, told; /* told: TRIM_TO_BUDGET, and its process is still above it */
    uint64_t
        asked_ns;   /* trim_interval.c: when it was asked by the clock; or since when it may be */
    bool submitted; /* ... it has submitted something since */
    bool rests;     /* ... it is not asked before it does */
};

/* How often devices are asked for periodic trims (trim_interval.c); 0: not. */
struct vidmm_trim_intervals {
    uint64_t minimum_ns, maximum_ns, idle_ns;
};

struct vidmm_device_record {
    bool exists;
    bool system;              /* never in error */
    uint32_t address_process; /* with an MMU: whose addresses its contexts use; 0: none */
    bool untold;              /* VIDMM_DO_ERROR is due */
    uint8_t reason;
    uint32_t dma_buffer;
    NTSTATUS status;
    uint64_t needed;
    uint32_t fault_node, fault_flags; /* PAGE_FAULT */
    uint64_t fault_address;
    uint32_t process;    /* who answers for its list; 0: nobody */
    uint32_t suspension; /* suspension.c: its number; 0: it is not suspended */
    bool wakes;          /* ... a submission ends it */
    struct vidmm_trim trim;
    uint64_t evicted;                 /* bytes of its allocations that left segments */
    struct vidmm_packet_use *packets; /* its own, by node (K3) */
    struct vidmm_residency_list list;
};

/* The memory of a process's devices, by enum vidmm_segment_group (budget.c). Bytes. */
struct vidmm_account {
    uint64_t budget[VIDMM_SEGMENT_GROUPS]; /* UINT64_MAX: as the memory allows */
    uint64_t reservation[VIDMM_SEGMENT_GROUPS], usage[VIDMM_SEGMENT_GROUPS];
    uint32_t devices; /* 0: there is no such process */
};

/* A companion context (companion.h); context 0: there is none. */
struct vidmm_companion {
    uint32_t context, node;
    uint32_t process; /* in whose addresses it runs */
};

/* A paging queue (paging_queue.c). */
struct vidmm_paging_queue {
    bool exists;
    uint8_t priority; /* VIDMM_PAGING_QUEUE_..._NORMAL */
    uint32_t device;
    uint32_t works;  /* that have not ended; it may outlive the queue's destruction */
    uint64_t newest; /* the newest fence value that was given out */
    struct vidmm_fence_object *fence; /* the newest that has passed; there are no works: or NULL */
    uint32_t fences, offset; /* the allocation with its value, and where; 0: the CPU writes it */
    uint64_t ready;          /* works up to it have all that they need in paging buffers */
    uint64_t signaling;      /* the value that a move writes (fence_signal.c); 0: none does */
    uint64_t signaled;       /* the newest that one has written, or never will */
    struct vidmm_companion companion; /* on which its changes of addresses run */
};

/* ---- paging buffers -------------------------------------------------------------------------- */

/* buffer_table.h draws them. */
enum paging_buffer_state {
    PAGING_BUFFER_FREE,
    PAGING_BUFFER_OPEN,   /* operations are being added; at most one */
    PAGING_BUFFER_FLYING, /* submitted, or waiting for the fence before it if nothing was written */
    PAGING_BUFFER_STATES,
};

struct vidmm_paging_buffer {
    struct vidmm_flight flight; /* first member */
    struct vidmm_move *moves;   /* completed by this buffer, newest first */
    uint64_t written;           /* bytes */
    uint64_t wait_fence;        /* nodes other than its own must have passed it before submission */
    uint64_t number;            /* so many were opened, this one included */
    struct vidmm_companion companion; /* that runs it; context 0: the system's context does */
    uint8_t state;                    /* enum paging_buffer_state */
    bool asked; /* the miniport was, for something in it: not all of it is the GART's */
};

/* ---- the engine ------------------------------------------------------------------------------ */

struct vidmm_segment_state {
    struct vidmm_segment ranges;
    struct vidmm_placement *oldest, *newest;
    struct vidmm_placement
        *held_end;      /* room.c: up to here, from the oldest on, nothing may leave */
    uint64_t held_at;   /* ... as of this event */
    uint64_t committed; /* bytes of live ranges; for an aperture bounded by the commit limit */
    uint64_t apart;     /* bytes that no list has: reserved, and of page tables */
    uint64_t parted;    /* of `apart`, with a part or as one: from the start on; else 0 */
    uint32_t live;      /* ranges taken */
    uint32_t potential; /* placements whose sets name the segment: ranges it may have to hold */
    uint32_t evictions; /* ranges of an eviction aperture that wait for their unmap */
    uint64_t evicted[VIDMM_EVICTED_CLASSES];  /* bytes that left, by their own priority */
    uint32_t classes[VIDMM_PRIORITY_CLASSES]; /* placements in the list, by priority_class */
    uint64_t *bank_ends;                      /* config's, copied */
};

struct vidmm_node_state {
    struct vidmm_timeline timeline;
    uint64_t preempt_fence; /* of the preemption that is not answered yet; 0: none */
    uint32_t context;       /* context.c: that it runs; 0: none */
    uint64_t since;         /* fence of the packet that began or ended a run */
    bool paged;             /* the newest packet is a paging buffer */
    bool switching;         /* `switch_flight` is in flight ... */
    bool left_paging;       /* ... with Paging ... */
    uint32_t left;          /* ... off this context */
    struct vidmm_flight switch_flight;
};

/* A swizzling range of the driver (swizzling_range.c). */
struct vidmm_swizzling_range {
    struct vidmm_placement *owner; /* NULL: it is free */
    uint32_t data;                 /* PrivateDriverData */
    bool locked;                   /* the CPU uses it */
    bool alternate;                /* for an alternate address */
    uint64_t used;                 /* number of its newest use */
};

/* The call that was handed out and is not yet answered. */
enum vidmm_call {
    CALL_NONE,
    CALL_CLAIM,
    CALL_BUILD,
    CALL_SUBMIT_PAGING,
    CALL_SUBMIT,
    CALL_CANCEL,
    CALL_QUERY_FENCE,
    CALL_PREEMPT,
    CALL_QUERY_ENGINE,
    CALL_QUERY_GROUP,
    CALL_RESET_ENGINE,
    CALL_RESET,
    CALL_RESTART,
    CALL_ACQUIRE,
    CALL_RELEASE,
    CALL_MAP_HOST,
    CALL_UNMAP_HOST,
    CALL_SET_ROOT,
};

#define PLAN_CAPACITY 64u

/* The faults that a test has set (test_faults.c). */
struct vidmm_test_faults {
    bool split_point, no_demotion, no_swizzling, never_discard, always_discard;
    uint32_t piece; /* most bytes of a transfer; 0: as many as it has */
};

struct vidmm_engine {
    struct vidmm_memory memory;
    struct vidmm_engine_config config;
    struct vidmm_segment_state segments[VIDMM_SEGMENTS]; /* by id; 0 unused */
    struct vidmm_node_state nodes[VIDMM_NODES];
    struct vidmm_paging_buffer paging_buffers[VIDMM_PAGING_BUFFERS];

    struct vidmm_placement **placements; /* by id */
    struct vidmm_pool *placement_pool;   /* where they come from */
    struct vidmm_pool *move_pool;        /* ... and their moves (move_pair.h) */
    struct vidmm_page_runs *spare_runs;  /* with room for those that are taken next; or NULL */
    uint32_t placement_capacity;
    struct vidmm_device_record *devices; /* by id */
    uint32_t device_capacity;
    uint32_t untold; /* devices that have failed, and nobody was told */

    /* Explicit residency. */
    struct vidmm_pool *listing_pool;          /* where the entries of residency lists come from */
    struct vidmm_paging_queue *paging_queues; /* by id */
    struct vidmm_account *accounts;           /* by process */
    uint32_t paging_queue_capacity, account_capacity;
    uint64_t group_capacity[VIDMM_SEGMENT_GROUPS]; /* of the segments that budgets are about */
    uint64_t group_usage[VIDMM_SEGMENT_GROUPS];    /* of all processes */
    uint64_t group_reserved[VIDMM_SEGMENT_GROUPS]; /* ... and what they have reserved */
    uint32_t untold_trims;                         /* devices of which VIDMM_DO_TRIM is due */
    struct vidmm_trim_intervals trim_intervals;
    uint64_t eviction_delay_ns;                 /* eviction.c: that a test has set; 0: none */
    struct vidmm_late_eviction *late_evictions; /* ... what leaves by it */
    struct vidmm_works arriving; /* works of paging queues whose page-ins are under way */
    bool arrivals_may_go;        /* something ended that one of them may have waited for */
    bool room_freed;             /* what was demoted may have a place in memory again */
    struct vidmm_residency_answer answer;

    struct vidmm_fences *monitored; /* monitored fences (fence_state.h) */

    struct vidmm_context_queues queues; /* of the contexts of which something waits */
    struct vidmm_pool *queue_pool;      /* where they come from */
    uint64_t arrivals;                  /* works, so far */
    uint32_t delays;                    /* queues that a delay holds (AR3) */
    struct vidmm_work *turn;            /* arbiter.c: it is being prepared; NULL: nothing waits */
    struct vidmm_missing *missing;      /* room for as many as any work has had references */
    uint32_t missing_capacity;
    struct vidmm_moves moves;    /* the queue */
    struct vidmm_moves unmaps;   /* those come before the queue */
    struct vidmm_move *finished; /* fence passed, consequences not yet drawn */
    struct vidmm_works retired;
    struct vidmm_placements leaving;
    struct vidmm_placement *dying;
    struct vidmm_placement
        *own_page; /* posted.c: the target of WritePhysical; NULL: there is none */
    const struct vidmm_placement *reading; /* segment_read.c: its parts are being executed */
    struct vidmm_lock_request *lock_requests;
    bool any_lost;                    /* some content was lost, ever */
    struct vidmm_placement *followed; /* claims that follow and are not over */
    bool any_barred;                  /* some queue is (arbiter.c) */
    bool locks_may_go; /* something changed that a lock request may have waited for */

    enum vidmm_call call;
    struct vidmm_move *call_move;
    struct vidmm_placement *call_claim;
    uint32_t call_range;
    struct vidmm_swizzling_range ranges[VIDMM_SWIZZLING_RANGES];
    uint64_t range_uses;
    uint32_t call_buffer;
    bool call_again;  /* the next build repeats the last one */
    bool call_idle;   /* ... with the allocation idle */
    bool flush_first; /* ... into a fresh buffer */
    uint32_t multipass_offset;
    uint64_t call_piece; /* of a transfer, most bytes of the call; 0: all there are */
    uint64_t passes;

    struct vidmm_host *host; /* host_state.h: the CPU host aperture */
    struct vidmm_mmu *mmu;   /* mmu_state.h */

    uint32_t paging_first, paging_count; /* paging buffers in use: ids first .. first + count - 1 */
    uint32_t paging_next;                /* the one of them that has rested longest */
    uint32_t open_buffer;                /* id of the open one, 0: none */
    uint32_t in_flight;
    struct vidmm_counter fences; /* of the timelines of all nodes */
    uint64_t time_ns;
    uint64_t events;  /* taken in, or refused */
    bool idle;        /* step.c: nothing was to be done when the newest step had ended (E4) */
    bool undisturbed; /* the event being taken in has counted, and nothing is to be done for it */
    uint64_t aperture_committed;
    uint64_t waiting_since_ns;       /* the work at the head waits for a lock; 0: it does not */
    uint64_t owed_wait;              /* wait_fence of paging buffers in which nothing was written */
    uint64_t call_since_ns;          /* when the call under way was handed out */
    struct vidmm_recovery *recovery; /* recovery_state.h, and so are the next two */
    struct vidmm_reset *reset;
    struct vidmm_rest *rest;
    uint32_t locked; /* placements on which a claim failed */
    uint32_t
        synchronous; /* moves of SynchronousPaging placements, from their queueing to their end */
    uint32_t alone;  /* moves with STEP_ALONE, built and not finished */
    uint32_t evict_all_request; /* 0: none */
    uint32_t evict_all_reason;
    uint32_t suspended;     /* devices with a suspension (SU1) */
    bool suspension_failed; /* ... that failed: what they had queued has turns again */
    struct vidmm_test_faults faults;
    bool discards_may_go; /* ALWAYS_DISCARD: an offer has taken effect */
    bool timed; /* a test has had something wait for a time, ever: a delay, an eviction, trims */
    bool stopping, stopped;

    struct vidmm_engine_statistics statistics;
    struct vidmm_operation plan[PLAN_CAPACITY];
    uint32_t plan_count;
};

static inline bool vidmm_segment_is_aperture(const struct vidmm_engine *engine, uint32_t segment)
{
    return engine->config.segments[segment].aperture;
}

#endif
