/* work.h: the DMA buffers, from their arrival until they retire.
 *
 *     work         a DMA buffer, in order of arrival
 *       |  part: as much of it as fits at once; the whole, as a rule     (split.c)
 *       v
 *     flight       a packet that a node executes, in order of fence      (fence.c)
 *
 * Two modules: work.c has arrival, submission and departure, residency.c decides where everything
 * goes that the first work names. For the modules of the engine, as engine_state.h, which includes
 * it.
 */
#ifndef VIDMM_WORK_H
#define VIDMM_WORK_H

#include "placement.h"

/* ---- work ------------------------------------------------------------------------------------ */

/* A packet that a node executes: paging buffer or DMA buffer, in order of fence. */
struct vidmm_flight {
    struct vidmm_flight *next;
    uint64_t fence;
    bool paging, switches; /* member of a paging buffer, of a node's state; otherwise of a work */
    bool follows;          /* nothing was submitted: it ends with the packet before it */
    bool returned;         /* preempted: not in the driver until it is submitted again */
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
    bool begun;     /* the references of the part being prepared are held */
    bool ready;     /* everything that part needs is in place, as far as building goes */
    uint8_t cancel; /* enum work_cancel (cancel.h) */
    bool ended;     /* out of the queue: it retires when no part is in flight */
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

/* ---- split.c --------------------------------------------------------------------------------- */

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

/* ---- work.c ---------------------------------------------------------------------------------- */

NTSTATUS vidmm_work_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_work_create(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_work_create_pin(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Bring a placement into a memory segment for a lock request. STATUS_SUCCESS: it is queued. */
NTSTATUS vidmm_work_create_fetch(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 uint32_t request);
/* It is prepared from here on; what its part needs is held, or no longer. */
void vidmm_work_begin(struct vidmm_engine *engine, struct vidmm_work *work);
void vidmm_work_hold(struct vidmm_engine *engine, const struct vidmm_work *work, bool held);
/* Whoever waited for the buffer's place has given up: its request is refused, unless it is
 * begun. */
void vidmm_work_unpin(struct vidmm_engine *engine, uint32_t allocation);
/* The context ends: what of it is queued and not begun retires, and is not run. */
NTSTATUS vidmm_work_abandon(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The work at the head will not be submitted, or not the rest of it. */
void vidmm_work_drop(struct vidmm_engine *engine, NTSTATUS status);
/* Submit the work at the head, whose references are in place: PLACED, then SUBMIT. */
enum vidmm_outcome vidmm_work_submit(struct vidmm_engine *engine);
/* Hand out the submission of a part; whose call it is, says the caller. */
struct vidmm_operation *vidmm_work_tell(struct vidmm_engine *engine, const struct vidmm_part *part);
/* After a reset: what was about to be submitted lets go of what it names; its device is gone, and
 * it will be dropped. A pin request is prepared anew. */
void vidmm_work_unprepare(struct vidmm_engine *engine);
/* The fence of one of its parts has passed. */
void vidmm_work_complete(struct vidmm_engine *engine, struct vidmm_part *part);
/* Tell of one retired DMA buffer, and drop what it referred to. True: something was done. */
bool vidmm_work_retire(struct vidmm_engine *engine);
/* By decreasing alignment, then decreasing size, then id. */
void vidmm_work_sort(struct vidmm_placement **placements, uint32_t count);
void vidmm_work_free(struct vidmm_engine *engine, struct vidmm_work *work);

/* ---- residency.c ----------------------------------------------------------------------------- */

/* Bring the work at the head nearer to its submission. DONE: everything it names is in place, as
 * far as building goes. WAIT, CALL: go on later. NONE: it failed and was retired. */
enum vidmm_outcome vidmm_residency_prepare(struct vidmm_engine *engine);

#endif
