/* engine_state.h: the state of one adapter's engine, for the modules of src/vidmm.
 *
 *     work (DMA buffers, in order of arrival)
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
 * Nothing here is seen outside src/vidmm. Every pointer is the engine's own; what crosses vidmm_step()
 * are ids and numbers (plan.h).
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

#define VIDMM_PAGE 4096u
#define VIDMM_IDS (1u << 28) /* ids of allocations are below this */

/* Bits of the v1 flag word that the engine looks at (DXGK_ALLOCATIONINFOFLAGS). */
#define VIDMM_CPU_VISIBLE 0x1u
#define VIDMM_PERMANENT_SYS_MEM 0x2u
#define VIDMM_KEEPS_COPY 0x32u /* PermanentSysMem, and memory that exists: it stays what it is */
#define VIDMM_EXISTING_MEMORY 0x30u /* ExistingSysMem, ExistingKernelSysMem */
#define VIDMM_FROM_END_OF_SEGMENT 0x40u
#define VIDMM_SWIZZLED 0x80u
#define VIDMM_SYNCHRONOUS_PAGING 0x800u
#define VIDMM_OVERLAY 0x100u
#define VIDMM_CAPTURE 0x200u

/* Classes of AllocationPriority: below LOW, from LOW, NORMAL, HIGH, MAXIMUM on. */
#define VIDMM_PRIORITY_CLASSES 8u
#define VIDMM_PRIORITY_OFFERS 3u /* of these, the lowest: of what is offered */
#define VIDMM_PRIORITY_NORMAL 5u

struct vidmm_placement;

/* ---- moves ------------------------------------------------------------------------------------ */

enum move_state {
    MOVE_IDLE,   /* not in use */
    MOVE_QUEUED, /* in the queue; nothing of it has been called, or not all */
    MOVE_BUILT,  /* all of it is in paging buffers; linked to the last of them until its fence */
    MOVE_DUE,    /* page-out through an aperture: the transfer is complete, the unmap is queued */
};

enum move_step {
    STEP_MAP_EVICTION, /* map the backing store into the eviction aperture */
    STEP_CONTENT,      /* transfer, fill, discard, map or unmap: the move itself */
    STEP_UNMAP_EVICTION,
};

/* One page-in or page-out: a member of its placement, so that it cannot run out. */
struct vidmm_move {
    struct vidmm_move
        *next;       /* in the queue, or in the list of a paging buffer, or of the finished */
    uint64_t offset; /* the segment side */
    uint64_t eviction_offset;
    uint64_t source_offset;     /* a move inside a segment: where it comes from */
    uint64_t progress;          /* bytes of the transfer that earlier sub-transfers have moved */
    vidmm_range eviction_range; /* of the eviction aperture, 0 if none */
    uint8_t segment;
    uint8_t eviction_segment;
    uint8_t source_segment; /* 0: from the backing store */
    uint8_t operation;      /* enum vidmm_paging_kind of STEP_CONTENT */
    uint8_t state;          /* enum move_state */
    uint8_t step;           /* enum move_step */
    bool inward;            /* the page-in of its placement; otherwise the page-out */
    bool clear;             /* zero the backing store first */
    bool refresh;           /* inward: only the pages of its placement's first refresh */
    bool direct;            /* without an eviction aperture: none can be had */
    bool swizzles;          /* a transfer: in with Swizzle, out with Unswizzle */
};

/* ---- placements -------------------------------------------------------------------------------- */

enum content {
    CONTENT_NONE,    /* never written: the first page-in is a fill */
    CONTENT_BACKING, /* in the backing store (and mapped, if `at` is an aperture) */
    CONTENT_SEGMENT, /* in a memory segment, and nowhere else */
};

/* Pages of a backing store that the CPU has written, and a segment's copy has not seen. */
struct vidmm_refresh {
    struct vidmm_refresh *next;
    uint32_t first, count;
};

struct vidmm_placement {
    struct vidmm_wish wish;
    uint32_t id, device;
    struct vidmm_move in, out;
    struct vidmm_placement *older, *newer; /* by use, among those that have a range in a segment */
    struct vidmm_placement *run_end;       /* room.c: the other end of a run of marked ranges */
    struct vidmm_placement *next;          /* leaving, or dying: one list at a time */
    struct vidmm_placement *followed_next; /* lock.c: the list of those that are followed */
    uint64_t at_offset;
    uint64_t last_use;   /* fence of the newest DMA buffer submitted that names it */
    uint64_t used_on;    /* context.c: nodes that may have used it in their present run */
    struct vidmm_refresh refresh, *refresh_last; /* refresh.c: count 0: none is due */
    struct vidmm_refresh spare_refresh;          /* ... for want of memory; count 0: unused */
    uint32_t writers;    /* references that write */
    uint32_t references; /* DMA buffers that name it, queued or in flight */
    uint32_t uses;       /* of those, in flight */
    vidmm_range range;   /* 0: none */
    uint8_t segment;     /* of `range` */
    uint8_t at;          /* segment that holds the content; 0: the backing store, or nothing yet */
    uint8_t content;     /* enum content */
    uint8_t priority_class;
    uint8_t ranges, lock_range; /* swizzling_range.c */
    uint8_t alternate_range;    /* of the newest lock by an alternate address */
    uint32_t alternate_data;
    uint64_t alternate_size; /* bytes at that address */
    uint8_t offer; /* VIDMM_OFFER_..., offered or asked for; 0: neither */
    bool buffer : 1;     /* a DMA or paging buffer: no hAllocation, pinned */
    bool shared : 1;     /* DMA buffers of any device may name it */
    bool held : 1;       /* named by the work at the head */
    bool leaving : 1;    /* in the list of decided page-outs that are not yet queued */
    bool dying : 1;      /* destroyed by its owner */
    bool on_dying : 1;   /* in the list of those that may be ready to go */
    bool dirty : 1;      /* written since its page-in */
    bool marked : 1;     /* room.c: might leave */
    bool chosen : 1;     /* room.c: will leave */
    bool open : 1;       /* the face may grant locks to its place in a memory segment by itself */
    bool locked : 1;     /* a claim failed; until UNLOCK */
    bool lost : 1;       /* its content could not be saved: nothing renders with it any more */
    bool apart : 1;      /* locked while the GPU may use it: an aperture has to show it */
    bool followed : 1;   /* locks are held by addresses that wait for SHOW */
    bool kept : 1;       /* bound before the part being prepared: stays where it is (D-340) */
    bool offer_asked : 1; /* offered as soon as no DMA buffer names it any more */
    bool offered : 1;
    bool discarded : 1; /* its content has gone since it was offered */
    bool alternate : 1;  /* lock_range is for an alternate address */
    bool away : 1;       /* ... whose pages hold the content, and not the backing store */
    bool unswizzled : 1; /* Swizzled: the backing store is in the CPU's order */
    bool unswizzles : 1; /* ... a lock waits for it to become so */
    bool purged : 1;     /* a reset took its content; a lock's pointer still leads to its range */
};

/* ---- work -------------------------------------------------------------------------------------- */

/* A packet that a node executes: paging buffer or DMA buffer, in order of fence. */
struct vidmm_flight {
    struct vidmm_flight *next;
    uint64_t fence;
    bool paging, switches; /* member of a paging buffer, of a node's state; otherwise of a work */
    bool follows; /* nothing was submitted: it ends with the packet before it */
    bool returned; /* preempted: not in the driver until it is submitted again */
};

/* A stretch of a DMA buffer that is a packet of its own: all of it, if that fits. */
struct vidmm_part {
    struct vidmm_flight flight; /* first member */
    struct vidmm_work *work;
    uint32_t first, end; /* patch locations [first, end) */
};

/* A DMA buffer, or a request to pin a buffer. Allocated when it arrives, freed when it retires. */
struct vidmm_work {
    struct vidmm_work *next;
    uint32_t dma_buffer; /* 0: a pin request */
    uint32_t request;
    uint32_t device, node, context;
    uint32_t count;  /* references */
    uint32_t placed; /* references told of by VIDMM_DO_PLACED */
    uint32_t size;   /* bytes */
    uint32_t flying; /* parts in flight */
    NTSTATUS status;
    bool begun; /* the references of the part being prepared are held */
    bool ready; /* everything that part needs is in place, as far as building goes */
    uint8_t cancel; /* enum work_cancel (cancel.h) */
    bool ended; /* out of the queue: it retires when no part is in flight */
    struct vidmm_reference *references;
    struct vidmm_placement **missing; /* room for `count` */
    uint64_t *targets;                /* room for `count` */

    /* split.c */
    struct vidmm_part *parts; /* room for one a split point; `part_count` of them were begun */
    uint32_t part_count;
    uint32_t patch_count;  /* 0: it cannot be split */
    uint32_t patches_told; /* by the event, whether it can be split or not */
    uint32_t first, end;   /* patch locations of the part being prepared */
    uint32_t step_back;    /* split points given up at the last attempt, for fragments */
    bool fetch; /* for a lock, whose request it has: into a memory segment, and that is all */
    bool split; /* the part being prepared is not all of it: `needs` and `rebound` say more */
    struct vidmm_patch_location *patches;
    uint32_t *rebound; /* by patch location: the next that takes its slot; patch_count: none does */
    uint32_t *order;   /* scratch, as long */
    uint8_t *needs;    /* by reference: SPLIT_... */
};

#define SPLIT_NEEDS 1u /* the part being prepared needs the reference */
#define SPLIT_KEEPS 2u /* ... and it is bound already, where the part begins */
#define SPLIT_USED 4u  /* scratch: the part that has just ended needed it */

struct vidmm_lock_request {
    struct vidmm_lock_request *next;
    uint32_t request;
    uint32_t flags; /* VIDMM_LOCKING_... */
    uint32_t data;
    bool wait;
    bool wants_range;  /* a swizzling range is being got for it */
    bool range_failed; /* ... the driver had no means for it */
    bool no_range;     /* none is to be had */
    NTSTATUS status; /* why it cannot be had, if that is known */
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

/* ---- paging buffers ---------------------------------------------------------------------------- */

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
};

/* ---- the engine -------------------------------------------------------------------------------- */

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
    uint32_t context; /* context.c: that it runs; 0: none */
    uint64_t since;   /* fence of the packet that began or ended a run */
    bool paged;       /* the newest packet is a paging buffer */
    bool switching;   /* `switch_flight` is in flight ... */
    bool left_paging; /* ... with Paging ... */
    uint32_t left;    /* ... off this context */
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
    CALL_QUERY_GROUP,
    CALL_RESET_ENGINE,
    CALL_RESET,
    CALL_RESTART,
    CALL_PURGE,
    CALL_ACQUIRE,
    CALL_RELEASE,
};

/* ---- timeout detection and recovery --------------------------------------------------------------- */

#define RESETS_A_MINUTE 5u /* D-242 */

/* A hung node on its way out (recovery.c). Sets of nodes: bit n is node n. */
struct vidmm_recovery {
    uint64_t nodes;       /* taken in: nothing is submitted to them; 0: all is well */
    uint64_t to_ask;      /* QueryCurrentFence is due; at most one */
    uint64_t to_preempt;  /* PreemptCommand is due */
    uint64_t preempting;  /* not stopped yet */
    uint64_t deadline_ns; /* ... and hung from here on */
    bool extended;        /* the deadline was, for a node that is empty */
    uint64_t hung;        /* to be reset */
    uint64_t grouped;     /* of these, QueryDependentEngineGroup was asked */
    uint32_t node;        /* of the call under way */
};

enum reset_stage {
    RESET_NONE,
    RESET_STOPPING, /* ResetFromTimeout is due, or under way */
    RESET_PURGING,  /* the driver is told what has left */
    RESET_MAPPING,  /* command buffers go back to where they were */
};

/* The reset of the adapter (reset.c, purge.c). */
struct vidmm_reset {
    enum reset_stage stage;
    bool restarted;                    /* RestartFromTimeout has been called */
    bool full;                         /* no more operations fit into the paging buffer */
    bool bootstrap;                    /* only paging buffer 1 is used, and those before are: */
    uint32_t cursor;                   /* id of the placement that is being purged */
    uint32_t paging_first, paging_count;
    uint64_t times[RESETS_A_MINUTE];   /* of the newest resets, 0: none */
    uint32_t next_time;
};

/* The adapter loses its power (rest.c). */
enum rest_stage { REST_NONE, REST_EVICTING, REST_UNMAPPING, REST_RESTING };

struct vidmm_rest {
    enum rest_stage stage;
    uint32_t power;   /* enum vidmm_power */
    uint32_t request; /* to be granted; 0: none */
};

#define PLAN_CAPACITY 64u

struct vidmm_engine {
    struct vidmm_memory memory;
    struct vidmm_engine_config config;
    struct vidmm_segment_state segments[VIDMM_SEGMENTS]; /* by id; 0 unused */
    struct vidmm_node_state nodes[VIDMM_NODES];
    struct vidmm_paging_buffer paging_buffers[VIDMM_PAGING_BUFFERS];

    struct vidmm_placement **placements; /* by id */
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
    struct vidmm_lock_request *lock_requests;
    bool any_lost;     /* some content was lost, ever */
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
    uint64_t owed_wait; /* wait_fence of paging buffers in which nothing was written */
    uint64_t call_since_ns; /* when the call under way was handed out */
    struct vidmm_recovery recovery;
    struct vidmm_reset reset;
    struct vidmm_rest rest;
    uint32_t locked;           /* placements on which a claim failed */
    uint32_t
        synchronous; /* moves of SynchronousPaging placements, from their queueing to their end */
    uint32_t evict_all_request; /* 0: none */
    uint32_t evict_all_reason;
    bool stopping, stopped;

    struct vidmm_engine_statistics statistics;
    struct vidmm_operation plan[PLAN_CAPACITY];
    uint32_t plan_count;
};

/* ---- step.c ------------------------------------------------------------------------------------ */

/* Add an operation to the plan; there is room (advance() sees to it). */
struct vidmm_operation *vidmm_emit(struct vidmm_engine *engine, uint32_t kind);
/* Whether the plan has room for what any one step of advance() may add. */
bool vidmm_plan_has_room(const struct vidmm_engine *engine);
/* Nothing can go on: tell, and take no more. */
void vidmm_engine_fail(struct vidmm_engine *engine, uint32_t reason, NTSTATUS status);

/* ---- device_record.c ----------------------------------------------------------------------------------- */

NTSTATUS vidmm_device_record_create(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_device_record_destroy(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Its work is refused from here on. The system device and one that has failed before: nothing. */
void vidmm_device_record_fail(struct vidmm_engine *engine, uint32_t device, uint32_t reason,
                       uint32_t dma_buffer, NTSTATUS status);
/* Tell of one device that has failed. False: all have been told. */
bool vidmm_device_record_tell(struct vidmm_engine *engine);
/* Why its work is refused; STATUS_SUCCESS: it is not. */
NTSTATUS vidmm_device_record_status(const struct vidmm_engine *engine, uint32_t device);

/* ---- placement.c -------------------------------------------------------------------------------- */

struct vidmm_placement *vidmm_placement_find(const struct vidmm_engine *engine, uint32_t id);
NTSTATUS vidmm_placement_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_placement_create(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Forget it: it has no range, move, reference or lock. */
void vidmm_placement_free(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The owner is done with it; it goes when nothing refers to it. */
void vidmm_placement_kill(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Look again whether a dying placement can go. */
void vidmm_placement_reconsider(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Let one dying placement go, if one can. True: something was done. */
bool vidmm_placement_bury(struct vidmm_engine *engine);
/* Give a placement the range; give it back; mark it as the newest used. */
void vidmm_placement_settle(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            uint32_t segment, vidmm_range range);
void vidmm_placement_unsettle(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_placement_touch(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Offset of its range. */
uint64_t vidmm_placement_offset(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);
/* Whether its content is, or will be by what is queued, where its range is. */
bool vidmm_placement_is_settled(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);
/* A range of so many bytes was taken from, or goes back to, the segment. */
void vidmm_segment_commit(struct vidmm_engine *engine, uint32_t segment, uint64_t size);
void vidmm_segment_uncommit(struct vidmm_engine *engine, uint32_t segment, uint64_t size);

static inline bool vidmm_segment_is_aperture(const struct vidmm_engine *engine, uint32_t segment)
{
    return engine->config.segments[segment].aperture;
}

/* The segments a reference may be used from: bit n is segment n. */
static inline bool vidmm_reference_writes(const struct vidmm_reference *reference)
{
    return (reference->write & VIDMM_REFERENCE_WRITES) != 0;
}

/* A reference that is no DMA buffer's: memory segments alone will do. */
#define VIDMM_REFERENCE_FETCHES 0x80000000u

static inline bool vidmm_placement_is_swizzled(const struct vidmm_placement *placement)
{
    return (placement->wish.flags & VIDMM_SWIZZLED) != 0;
}

/* Whether its backing store holds content in the CPU's order, that no aperture may show. */
static inline bool vidmm_placement_is_unswizzled(const struct vidmm_placement *placement)
{
    return placement->unswizzled && placement->content != CONTENT_NONE;
}

/* The aperture segments: bit n is segment n. */
uint32_t vidmm_apertures(const struct vidmm_engine *engine);

/* The same for one reference, as bits of apertures only while the CPU holds a lock (D-160). */
uint32_t vidmm_reference_set(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement,
                             const struct vidmm_reference *reference);

static inline uint32_t vidmm_placement_set(const struct vidmm_placement *placement, bool write)
{
    return (write ? placement->wish.write_set : placement->wish.read_set) << 1;
}

/* Bytes of its range, in the segment where it stands. */
uint64_t vidmm_placement_extent(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);

/* ---- wish.c -------------------------------------------------------------------------------------- */

/* Whether nothing but the three exceptions of exception.c evicts it. */
static inline bool vidmm_wish_is_pinned(const struct vidmm_wish *wish)
{
    return (wish->flags & (VIDMM_OVERLAY | VIDMM_CAPTURE)) != 0 || /* obeys S0-042, S0-046 */
           wish->pinned != 0;                                      /* obeys D-383 */
}

/* Whether it has no other place than the last fifth of a segment. */
static inline bool vidmm_wish_is_confined(const struct vidmm_wish *wish)
{
    return (wish->flags & (VIDMM_OVERLAY | VIDMM_CAPTURE)) != 0; /* obeys S0-043 */
}

/* Bytes that it takes of the segment: PitchAlignedSize in one with PitchAlignment. */
uint64_t vidmm_wish_size_in(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                            uint32_t segment);
/* Whether an empty segment, with its commit limit, could hold it. */
bool vidmm_wish_fits(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                     uint32_t segment);
/* What to ask the segment for. */
struct vidmm_range_request vidmm_wish_request(const struct vidmm_engine *engine,
                                              const struct vidmm_placement *placement,
                                              uint32_t segment);
/* The same, inside the bank of a group (0: the most preferred) of HintedBank. False: it names none. */
bool vidmm_wish_bank_request(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement, uint32_t segment,
                             uint32_t group, struct vidmm_range_request *request);
uint32_t vidmm_priority_class(uint32_t priority);
/* Change the class by which it leaves. */
void vidmm_placement_set_class(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               uint32_t class);

/* ---- offer.c ---- */

NTSTATUS vidmm_offer_event(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_reclaim_event(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_priority_event(struct vidmm_engine *engine, const struct vidmm_event *event);
/* A DMA buffer names it no more: an offer may take effect. */
void vidmm_offer_consider(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Whether it leaves without its content. */
bool vidmm_offer_discards(const struct vidmm_placement *placement);
void vidmm_offer_check(const struct vidmm_placement *placement);


/* ---- room.c -------------------------------------------------------------------------------------- */

enum vidmm_outcome {
    OUTCOME_DONE, /* what was asked for is so */
    OUTCOME_CALL, /* an operation must be answered first; it is in the plan */
    OUTCOME_WAIT, /* something in flight must end first */
    OUTCOME_NONE, /* it cannot be */
};

/* Find room for the placement in the segment, evicting what is not held: what is old and small. */
enum vidmm_outcome vidmm_room_by_cost(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                     uint32_t segment);
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
 * aperture); let those leave that are `chosen`, up to `last` (NULL: all). */
bool vidmm_room_may_move(const struct vidmm_placement *placement);
bool vidmm_room_is_ending(const struct vidmm_placement *placement);
struct vidmm_placement *vidmm_room_resident(const struct vidmm_engine *engine, uint32_t segment,
                                            vidmm_range range);
enum vidmm_outcome vidmm_room_evict_chosen(struct vidmm_engine *engine, uint32_t segment,
                                           const struct vidmm_placement *last);

/* ---- packing.c ----------------------------------------------------------------------------------- */

/* Pack everything of `work` that can be nowhere else from the segment's base by decreasing
 * alignment, around what is pinned. *needed receives the bytes that had to fit. */
enum vidmm_outcome vidmm_room_by_packing(struct vidmm_engine *engine, struct vidmm_work *work,
                                         uint32_t segment, uint64_t *needed);

/* ---- exception.c --------------------------------------------------------------------------------- */

/* Decide that everything leaves but DMA and paging buffers, pinned or not, for a reason that allows
 * it (enum vidmm_exception; S0-042). DONE: nothing else has a range; page-outs of what had one stand
 * in the list of those leaving, or in the queue. CALL: a claim. WAIT: something under way ends first,
 * or the CPU holds a lock. NONE: no such reason. Call vidmm_move_queue_leaving() after each answer. */
enum vidmm_outcome vidmm_evict_all(struct vidmm_engine *engine, uint32_t reason);
/* Go on with VIDMM_EVENT_EVICT_ALL. DONE: there is none, or it has been answered. NONE: moves are
 * queued. */
enum vidmm_outcome vidmm_evict_all_serve(struct vidmm_engine *engine);
/* Whether only pinned allocations keep the placement from every aperture of its
 * EvictionSegmentSet (S0-045). */
bool vidmm_is_pinned_out(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);

/* ---- split.c ------------------------------------------------------------------------------------------ */

/* Whether the patch locations are in order of their split offsets and name what there is. *points
 * receives the number of stretches between split points: 1, it cannot be split. */
NTSTATUS vidmm_split_check(const struct vidmm_event *event, uint32_t *points);
/* The next part begins: what is left, as far as the bytes of the segments allow. */
void vidmm_split_begin(struct vidmm_engine *engine, struct vidmm_work *work);
/* End the part being prepared earlier. False: it ends at the next split point already. */
bool vidmm_split_shorten(struct vidmm_work *work);
/* Bytes of a part whose end is decided. */
uint32_t vidmm_split_start(const struct vidmm_part *part);
uint32_t vidmm_split_end(const struct vidmm_part *part);
/* Whether what is bound where the part begins would be needed there without being bound anew: what
 * binding leak detection rejects (D-343). */
bool vidmm_split_leaks(const struct vidmm_work *work);
/* Hold the part being prepared against the invariants. */
void vidmm_split_check_needs(const struct vidmm_engine *engine, const struct vidmm_work *work);
/* Mark what a part that has ended needed: SPLIT_USED. */
void vidmm_split_mark_used(struct vidmm_work *work, const struct vidmm_part *part);

/* Whether the part being prepared needs reference `index`. */
static inline bool vidmm_work_needs(const struct vidmm_work *work, uint32_t index)
{
    return !work->split || (work->needs[index] & SPLIT_NEEDS) != 0;
}

/* ---- residency.c --------------------------------------------------------------------------------- */

/* Bring the work at the head nearer to its submission. DONE: everything it names is in place, as
 * far as building goes. WAIT, CALL: go on later. NONE: it failed and was retired. */
enum vidmm_outcome vidmm_residency_prepare(struct vidmm_engine *engine);
NTSTATUS vidmm_work_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_work_create(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_work_create_pin(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Bring a placement into a memory segment for a lock request. STATUS_SUCCESS: it is queued. */
NTSTATUS vidmm_work_create_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 uint32_t request);
/* Submit the work at the head, whose references are in place: PLACED, then SUBMIT. */
enum vidmm_outcome vidmm_work_submit(struct vidmm_engine *engine);
/* Hand out the submission of a part; whose call it is, says the caller. */
struct vidmm_operation *vidmm_work_tell(struct vidmm_engine *engine, const struct vidmm_part *part);
/* After a reset: what was about to be submitted lets go of what it names; its device is gone, and it will
 * be dropped. A pin request is prepared anew. */
void vidmm_work_unprepare(struct vidmm_engine *engine);
/* The fence of one of its parts has passed. */
void vidmm_work_complete(struct vidmm_engine *engine, struct vidmm_part *part);
/* Tell of one retired DMA buffer, and drop what it referred to. True: something was done. */
bool vidmm_work_retire(struct vidmm_engine *engine);
/* By decreasing alignment, then decreasing size, then id. */
void vidmm_work_sort(struct vidmm_placement **placements, uint32_t count);
void vidmm_work_free(struct vidmm_engine *engine, struct vidmm_work *work);

/* ---- paging.c ------------------------------------------------------------------------------------- */

/* Queue the page-out from where the content is; the page-in to where the range is; the transfer of
 * what the CPU has written; one transfer to the new place, in the same memory segment. */
void vidmm_move_queue_out(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_in(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_refresh(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_move_queue_direct(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Queue what follows from the decision that some are to leave (leaving.c). */
void vidmm_move_queue_leaving(struct vidmm_engine *engine);
/* Draw the consequences of one move whose fence has passed. True: something was done. */
bool vidmm_move_finish(struct vidmm_engine *engine);
/* Hand out the next call for the queue. DONE: the queue is empty. */
enum vidmm_outcome vidmm_paging_build(struct vidmm_engine *engine);
void vidmm_paging_built(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Submit the open paging buffer, if there is one. DONE: there is none. */
enum vidmm_outcome vidmm_paging_flush(struct vidmm_engine *engine);
void vidmm_paging_complete(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer);

/* ---- fence.c -------------------------------------------------------------------------------------- */

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
/* When the first packet in flight is overdue; UINT64_MAX: none is in flight. */
uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine);
bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node);
/* The 64 bits behind a SubmissionFenceId that was reported for the node. */
uint64_t vidmm_fence_widen(const struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* A fence id that no packet has. */
uint64_t vidmm_fence_next(struct vidmm_engine *engine);
/* End everything up to the fence on the node, whether executed or not. */
void vidmm_fence_land(struct vidmm_engine *engine, uint32_t node, uint64_t fence);

/* ---- preempt.c ------------------------------------------------------------------------------------ */

/* What is in flight on the node comes back: paging first, with its fences, then the rest with new
 * ones. */
void vidmm_preempt_return(struct vidmm_engine *engine, uint32_t node);
/* Submit again one packet that came back. DONE: there is none. */
enum vidmm_outcome vidmm_preempt_resubmit(struct vidmm_engine *engine);

/* ---- recovery.c ----------------------------------------------------------------------------------- */

/* Look at the time: something may be late. */
void vidmm_recovery_check(struct vidmm_engine *engine);
/* When to look; UINT64_MAX: there is no need. */
uint64_t vidmm_recovery_deadline(const struct vidmm_engine *engine);
/* Whether nothing may be submitted to the node now. */
bool vidmm_recovery_blocks(const struct vidmm_engine *engine, uint32_t node);
/* Hand out the next call of the recovery. DONE: there is none. */
enum vidmm_outcome vidmm_recovery_call(struct vidmm_engine *engine);
NTSTATUS vidmm_recovery_preempted(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_recovery_answer(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether reports of the node are not to be believed: it is being reset. */
bool vidmm_recovery_ignores(const struct vidmm_engine *engine, uint32_t node);

/* ---- reset.c, purge.c ----------------------------------------------------------------------------- */

/* Whether placements, moves and locks are left as they are (U1). */
static inline bool vidmm_reset_rests(const struct vidmm_engine *engine)
{
    return engine->reset.stage == RESET_STOPPING || engine->reset.stage == RESET_PURGING;
}
/* The adapter is to be reset, unless it was too often. */
void vidmm_reset_begin(struct vidmm_engine *engine);
/* Hand out the next call of the reset. NONE: it made progress, or is over. */
enum vidmm_outcome vidmm_reset_call(struct vidmm_engine *engine);
void vidmm_reset_answer(struct vidmm_engine *engine, NTSTATUS status);
/* Use the paging buffer that is in no aperture, until the command buffers are mapped again. */
void vidmm_reset_use_bootstrap(struct vidmm_engine *engine);
/* Map the command buffers again where they were. */
void vidmm_reset_map_again(struct vidmm_engine *engine);

/* ---- rest.c ----------------------------------------------------------------------------------------- */

NTSTATUS vidmm_rest_begin(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_rest_end(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Go on with it. DONE: nothing is in the way of the next DMA buffer. */
/* Whether the adapter rests for a call of level two: nothing may be built either. */
bool vidmm_rest_keeps_all(const struct vidmm_engine *engine);
enum vidmm_outcome vidmm_rest_call(struct vidmm_engine *engine);
/* Answer who waits for it. */
void vidmm_rest_grant(struct vidmm_engine *engine);
/* Whether a placement with a range stays where it is, for its content outlives the loss of power. */
bool vidmm_rest_preserves(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement);

/* Forget every queue and list of moves; what they were is still in their states, for the purge. */
void vidmm_purge_begin(struct vidmm_engine *engine);
/* Tell the driver of the next placement that has left (D-239). DONE: of all. */
enum vidmm_outcome vidmm_purge_call(struct vidmm_engine *engine);
void vidmm_purge_built(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Keep the CPU off every place in a memory segment (D-241). DONE: it is. */
enum vidmm_outcome vidmm_purge_claim(struct vidmm_engine *engine);

/* ---- refresh.c ------------------------------------------------------------------------------------ */

NTSTATUS vidmm_refresh_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
/* Remember pages to be refreshed, and begin if nothing is in the way. */
void vidmm_refresh_add(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Queue the move that refreshes, if one is due and can be. */
void vidmm_refresh_begin(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The pages of the move are built. True: it goes on with others. */
bool vidmm_refresh_next(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* There is no copy any more, or soon none. */
void vidmm_refresh_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* ---- lock.c --------------------------------------------------------------------------------------- */

NTSTATUS vidmm_lock_request(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Answer one request that can be answered. True: something was done. */
bool vidmm_lock_serve(struct vidmm_engine *engine);
/* Keep the CPU off a placement before its place changes. DONE: it is off. */
enum vidmm_outcome vidmm_lock_claim(struct vidmm_engine *engine, struct vidmm_placement *placement);
void vidmm_lock_claimed(struct vidmm_engine *engine, uint32_t granted);
/* Its moves are done, or it was not moved: let the CPU's addresses show where it is. */
void vidmm_lock_show(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Show what was claimed for a decision that came to nothing. */
void vidmm_lock_show_unmoved(struct vidmm_engine *engine);
/* Forget that it is followed, if it is. */
void vidmm_lock_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* What was fetched for a request is there, or it cannot be. */
void vidmm_lock_fetched(struct vidmm_engine *engine, uint32_t request, NTSTATUS status);
/* The last lock is gone. */
void vidmm_lock_unlocked(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
