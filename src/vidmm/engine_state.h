/* engine_state.h: the state of one adapter's engine, for the modules of src/vidmm.
 *
 *     work (DMA buffers, in order of arrival)                    (work.c)
 *       |  part: as much of the first as fits at once     (split.c)
 *       |  residency: decide where everything goes        (residency.c, room.c)
 *       v
 *     moves (page-outs, then page-ins, first come first built)   (paging.c)
 *       |  one call at a time, packed into paging buffers
 *       v
 *     flights (submitted, by node, until their fence)            (fence.c)
 *
 * An allocation, as far as the engine knows it, is a *placement*: its wish, the range it has been
 * given, and where its content is. Deciding changes ranges only; the paging operations that follow
 * from a decision are queued as *moves* when the whole decision stands. So at every moment
 *
 *     the ranges of a segment are what will be true when every queued move is done, and
 *     `at` of a placement is what will be true when its own queued moves are done.
 *
 *     placement.h  allocations and their moves        work.h  DMA buffers, their parts and packets
 *     recovery.h   hangs, resets, power               here    the engine that has them all
 *
 * Nothing here is seen outside src/vidmm. Every pointer is the engine's own; what crosses
 * vidmm_step() are ids and numbers (plan.h).
 */
#ifndef VIDMM_ENGINE_STATE_H
#define VIDMM_ENGINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/assert.h>
#include <vidmm/engine.h>
#include <vidmm/segment.h>
#include <wddm/ntstatus.h>

#include "lies.h"
#include "pool.h"
#include "recovery.h"

struct vidmm_lock_request {
    struct vidmm_lock_request *next;
    uint32_t request;
    uint32_t flags; /* VIDMM_LOCKING_... */
    uint32_t data;
    bool wait;
    bool wants_range;  /* a swizzling range is being got for it */
    bool range_failed; /* ... the driver had no means for it */
    bool no_range;     /* none is to be had */
    bool fetches;      /* swizzle.c: a memory segment is to hold it first */
    NTSTATUS status;   /* why it cannot be had, if that is known */
    struct vidmm_placement *placement;
};

struct vidmm_device_record {
    bool exists;
    bool system; /* never in error */
    bool untold; /* VIDMM_DO_ERROR is due */
    uint8_t reason;
    uint32_t dma_buffer;
    NTSTATUS status;
    uint64_t needed;
};

/* ---- paging buffers -------------------------------------------------------------------------- */

enum paging_buffer_state {
    PAGING_BUFFER_FREE,
    PAGING_BUFFER_OPEN,   /* operations are being added; at most one */
    PAGING_BUFFER_FLYING, /* submitted, or waiting for the fence before it if nothing was written */
};

struct vidmm_paging_buffer {
    struct vidmm_flight flight; /* first member */
    struct vidmm_move *moves;   /* completed by this buffer, newest first */
    uint64_t written;           /* bytes */
    uint64_t
        wait_fence; /* nodes other than the paging node must have passed it before submission */
    uint8_t state;  /* enum paging_buffer_state */
    bool asked;     /* the miniport was, for something in it: not all of it is the GART's */
};

/* ---- the engine ------------------------------------------------------------------------------ */

struct vidmm_segment_state {
    struct vidmm_segment ranges;
    struct vidmm_placement *oldest, *newest;
    uint64_t committed; /* bytes of live ranges; for an aperture bounded by the commit limit */
    uint32_t live;      /* ranges taken */
    uint32_t potential; /* placements whose sets name the segment: ranges it may have to hold */
    uint32_t evictions; /* ranges of an eviction aperture that wait for their unmap */
    uint32_t classes[VIDMM_PRIORITY_CLASSES]; /* placements in the list, by priority_class */
    uint64_t *bank_ends;                      /* config's, copied */
};

struct vidmm_node_state {
    struct vidmm_flight *first, *last;
    uint64_t completed;     /* newest complete fence */
    uint64_t newest;        /* newest submitted fence */
    uint64_t head_since_ns; /* when the first flight began to be the first */
    uint32_t returned;      /* flights that wait to be submitted again */
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

/* What was handed out and not yet answered. */
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
    CALL_PURGE,
    CALL_ACQUIRE,
    CALL_RELEASE,
};

#define PLAN_CAPACITY 64u

struct vidmm_engine {
    struct vidmm_memory memory;
    struct vidmm_engine_config config;
    struct vidmm_segment_state segments[VIDMM_SEGMENTS]; /* by id; 0 unused */
    struct vidmm_node_state nodes[VIDMM_NODES];
    struct vidmm_paging_buffer paging_buffers[VIDMM_PAGING_BUFFERS];

    struct vidmm_placement **placements; /* by id */
    struct vidmm_pool placement_pool;    /* where they come from */
    uint32_t placement_capacity;
    struct vidmm_device_record *devices; /* by id */
    uint32_t device_capacity;
    uint32_t untold; /* devices that have failed, and nobody was told */

    struct vidmm_work *work_first, *work_last;   /* the first is being prepared */
    struct vidmm_move *move_first, *move_last;   /* the queue */
    struct vidmm_move *unmap_first, *unmap_last; /* unmaps, which come before it */
    struct vidmm_move *finished;                 /* fence passed, consequences not yet drawn */
    struct vidmm_work *retired_first, *retired_last;
    struct vidmm_placement *leaving_first, *leaving_last;
    struct vidmm_placement *dying;
    struct vidmm_placement
        *own_page; /* posted.c: what WritePhysical goes to; NULL: there is none */
    const struct vidmm_placement *reading; /* segment_read.c: its parts are being executed */
    struct vidmm_lock_request *lock_requests;
    bool any_lost;                    /* some content was lost, ever */
    struct vidmm_placement *followed; /* claims that follow and are not over */
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
    uint64_t passes;

    uint32_t paging_first, paging_count; /* paging buffers in use: ids first .. first + count - 1 */
    uint32_t paging_next;                /* the one of them that has rested longest */
    uint32_t open_buffer;                /* id of the open one, 0: none */
    uint32_t in_flight;
    uint64_t next_fence;
    uint64_t time_ns;
    uint64_t aperture_committed;
    uint64_t waiting_since_ns; /* the work at the head waits for a lock; 0: it does not */
    uint64_t owed_wait;        /* wait_fence of paging buffers in which nothing was written */
    uint64_t call_since_ns;    /* when the call under way was handed out */
    struct vidmm_recovery recovery;
    struct vidmm_reset reset;
    struct vidmm_rest rest;
    uint32_t locked; /* placements on which a claim failed */
    uint32_t
        synchronous; /* moves of SynchronousPaging placements, from their queueing to their end */
    uint32_t evict_all_request; /* 0: none */
    uint32_t evict_all_reason;
    bool stopping, stopped;

    struct vidmm_engine_statistics statistics;
    struct vidmm_operation plan[PLAN_CAPACITY];
    uint32_t plan_count;
};

static inline bool vidmm_segment_is_aperture(const struct vidmm_engine *engine, uint32_t segment)
{
    return engine->config.segments[segment].aperture;
}

/* Whether placements, moves and locks are left as they are (U1). */
static inline bool vidmm_reset_rests(const struct vidmm_engine *engine)
{
    return engine->reset.stage == RESET_STOPPING || engine->reset.stage == RESET_PURGING;
}

/* ---- step.c ---------------------------------------------------------------------------------- */

/* Add an operation to the plan; there is room (advance() sees to it). */
struct vidmm_operation *vidmm_emit(struct vidmm_engine *engine, uint32_t kind);
/* Whether the plan has room for what any one step of advance() may add. */
bool vidmm_plan_has_room(const struct vidmm_engine *engine);
/* Nothing can go on: tell, and take no more. */
void vidmm_engine_fail(struct vidmm_engine *engine, uint32_t reason, NTSTATUS status);

/* ---- device_record.c ------------------------------------------------------------------------- */

NTSTATUS vidmm_device_record_create(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_device_record_destroy(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Its work is refused from here on. The system device and one that has failed before: nothing. */
void vidmm_device_record_fail(struct vidmm_engine *engine, uint32_t device, uint32_t reason,
                              uint32_t dma_buffer, NTSTATUS status);
/* Tell of one device that has failed. False: all have been told. */
bool vidmm_device_record_tell(struct vidmm_engine *engine);
/* Why its work is refused; STATUS_SUCCESS: it is not. */
NTSTATUS vidmm_device_record_status(const struct vidmm_engine *engine, uint32_t device);

/* ---- room.c ---------------------------------------------------------------------------------- */

/* Find room for the placement in the segment, evicting what is not held: what is old and small. */
enum vidmm_outcome vidmm_room_by_cost(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement, uint32_t segment);
/* The same, moving smaller allocations of the work at the head out of the way too. */
enum vidmm_outcome vidmm_room_by_window(struct vidmm_engine *engine,
                                        struct vidmm_placement *placement, uint32_t segment);
/* Decide that a placement leaves its range. */
void vidmm_room_evict(struct vidmm_engine *engine, struct vidmm_placement *victim);
/* A range of an eviction aperture for its page-out. */
enum vidmm_outcome vidmm_room_for_eviction(struct vidmm_engine *engine,
                                           struct vidmm_placement *placement);
/* Bytes that may still be committed to the segment (D-010, D-011). */
uint64_t vidmm_room_commit(const struct vidmm_engine *engine, uint32_t segment);

/* Shared with packing.c and exception.c: whether its moves let it leave now; whether it is
 * destroyed and will be gone without paging; whose range it is (NULL: a hole, or of an eviction
 * aperture); let those leave that are `chosen`. */
bool vidmm_room_may_move(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);
bool vidmm_room_is_ending(const struct vidmm_placement *placement);
struct vidmm_placement *vidmm_room_resident(const struct vidmm_engine *engine, uint32_t segment,
                                            vidmm_range range);
enum vidmm_outcome vidmm_room_evict_chosen(struct vidmm_engine *engine, uint32_t segment);

/* ---- packing.c ------------------------------------------------------------------------------- */

/* Pack everything of `work` that can be nowhere else from the segment's base by decreasing
 * alignment, around what is pinned. *needed receives the bytes that had to fit. */
enum vidmm_outcome vidmm_room_by_packing(struct vidmm_engine *engine, struct vidmm_work *work,
                                         uint32_t segment, uint64_t *needed);

/* ---- exception.c ----------------------------------------------------------------------------- */

/* Decide that everything leaves but DMA and paging buffers, pinned or not, for a reason that allows
 * it (enum vidmm_exception; S0-042). DONE: nothing else has a range; page-outs of what had one
 * stand in the list of those leaving, or in the queue. CALL: a claim. WAIT: something under way
 * ends first, or the CPU holds a lock. NONE: no such reason. Call vidmm_move_queue_leaving() after
 * each answer. */
enum vidmm_outcome vidmm_evict_all(struct vidmm_engine *engine, uint32_t reason);
/* Go on with VIDMM_EVENT_EVICT_ALL. DONE: there is none, or it has been answered. NONE: moves are
 * queued. */
enum vidmm_outcome vidmm_evict_all_serve(struct vidmm_engine *engine);
/* Whether only pinned allocations keep the placement from every aperture of its
 * EvictionSegmentSet (S0-045). */
bool vidmm_is_pinned_out(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);

/* ---- move.c ---------------------------------------------------------------------------------- */

/* Queue the page-out from where the content is; the same from a memory segment, with nothing that
 * is worth keeping; the page-in to where the range is; the transfer of what the CPU has written;
 * one transfer to the new place, in the same memory segment. */
void vidmm_move_queue_out(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_discard(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_in(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_refresh(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_direct(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue what follows from the decision that some are to leave (leaving.c). */
void vidmm_move_queue_leaving(struct vidmm_engine *engine);
/* Draw the consequences of one move whose fence has passed. True: something was done. */
bool vidmm_move_finish(struct vidmm_engine *engine);
/* ---- paging.c -------------------------------------------------------------------------------- */

/* Hand out the next call for the queue. DONE: the queue is empty. */
enum vidmm_outcome vidmm_paging_build(struct vidmm_engine *engine);
void vidmm_paging_built(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Submit the open paging buffer, if there is one. DONE: there is none. */
enum vidmm_outcome vidmm_paging_flush(struct vidmm_engine *engine);
void vidmm_paging_complete(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer);

/* ---- fence.c --------------------------------------------------------------------------------- */

/* Whether one more packet may be in flight (D-277, D-278). */
bool vidmm_fence_room(const struct vidmm_engine *engine);
/* Give the flight the next fence and put it on the node. */
void vidmm_fence_submit(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node);
/* Follow the node's newest packet, with no fence of its own. False: nothing is in flight there. */
bool vidmm_fence_follow(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node);
/* Everything up to the fence on the node is complete. False: it was never submitted. */
bool vidmm_fence_complete(struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* Whether every packet up to the fence is complete on every node but one. */
bool vidmm_fence_passed_elsewhere(const struct vidmm_engine *engine, uint64_t fence, uint32_t node);
/* Whether any node has a packet that has not ended, or has to go again. */
bool vidmm_fence_any_in_flight(const struct vidmm_engine *engine);
/* When the first packet in flight is overdue; UINT64_MAX: none is in flight. */
uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine);
bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node);
/* Whether a packet with that fence was submitted to the node and has not ended. */
bool vidmm_fence_is_in_flight(const struct vidmm_engine *engine, uint32_t node, uint64_t fence);
/* The 64 bits behind a SubmissionFenceId that was reported for the node. */
uint64_t vidmm_fence_widen(const struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* A fence id that no packet has. */
uint64_t vidmm_fence_next(struct vidmm_engine *engine);
/* End everything up to the fence on the node, whether executed or not. */
void vidmm_fence_land(struct vidmm_engine *engine, uint32_t node, uint64_t fence);

/* ---- refresh.c ------------------------------------------------------------------------------- */

/* What may be due of a new placement, which has its wish. False: no memory. */
bool vidmm_refresh_init(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_refresh_finish(struct vidmm_engine *engine, struct vidmm_placement *placement);
NTSTATUS vidmm_refresh_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
/* Remember pages to be refreshed, and begin if nothing is in the way. */
void vidmm_refresh_add(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Queue the move that refreshes, if one is due and can be. */
void vidmm_refresh_begin(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The adapter rests no more: go on with all that is due. */
void vidmm_refresh_resume(struct vidmm_engine *engine);
/* The pages of the move are built. True: it goes on with others. */
bool vidmm_refresh_next(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* There is no copy any more, or soon none. */
void vidmm_refresh_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* ---- lock.c ---------------------------------------------------------------------------------- */

NTSTATUS vidmm_lock_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Answer one request that can be answered. True: something was done. */
bool vidmm_lock_serve(struct vidmm_engine *engine);
/* Keep the CPU off a placement before its place changes. DONE: it is off. */
enum vidmm_outcome vidmm_lock_claim(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_lock_claimed(struct vidmm_engine *engine, uint32_t granted);
/* Its moves are done, or it was not moved: let the CPU's addresses show where it is. */
void vidmm_lock_show(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Show what was claimed for a decision that came to nothing. True: for one of them a move is
 * queued. */
bool vidmm_lock_show_unmoved(struct vidmm_engine *engine);
/* Forget that it is followed, if it is. */
void vidmm_lock_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* What was fetched for a request is there, or it cannot be. */
void vidmm_lock_fetched(struct vidmm_engine *engine, uint32_t request, NTSTATUS status);
/* The last lock is gone. */
void vidmm_lock_unlocked(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
