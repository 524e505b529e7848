/* work_state.h: the DMA buffers, from their arrival until they retire.
 *
 *     queue        of a context: its DMA buffers, in order of arrival
 *       |  turn: one arbiter says whose it is                            (arbiter.c)
 *     work         a DMA buffer
 *       |  part: as much of it as fits at once; the whole, as a rule     (split.c)
 *       v
 *     flight       a packet that a node executes, in order of fence      (timeline.c)
 *
 * For the modules of the engine that look into DMA buffers. Structures only.
 */
#ifndef VIDMM_WORK_STATE_H
#define VIDMM_WORK_STATE_H

#include <stddef.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/timeline.h"

/* A stretch of a DMA buffer that is a packet of its own: all of it, if that fits. */
struct vidmm_part {
    struct vidmm_flight flight; /* first member */
    struct vidmm_work *work;
    uint32_t first, end; /* patch locations [first, end) */
};

/* The DMA buffer that a packet is of; NULL: it is a paging buffer, or empty (switch.c). */
static inline const struct vidmm_work *vidmm_flight_work(const struct vidmm_flight *flight)
{
    return flight->paging || flight->switches ? NULL : ((const struct vidmm_part *)flight)->work;
}

/* Whether the driver is told of a DMA buffer that never reached the GPU (cancel.c). */
enum work_cancel { CANCEL_NONE, CANCEL_DUE, CANCEL_CALLED };

/* Whether it begins or ends the display of a primary (display.c). */
enum work_display { DISPLAY_NEITHER, DISPLAY_BEGINS, DISPLAY_ENDS };

/* Whether its references leave for system memory (evict_all.c). */
enum work_pages_out { PAGES_OUT_NOTHING, PAGES_OUT_ANY, PAGES_OUT_ALL };

struct vidmm_fence_list;

/* A reference, looked up once, when the work arrives: its placement stays until the work has
 * retired (W2, P5). */
struct vidmm_work_reference {
    struct vidmm_placement *placement;
    uint32_t write; /* VIDMM_REFERENCE_... */
};

/* Scratch of a decision for the work whose turn it is: what has no place yet. */
struct vidmm_missing {
    struct vidmm_placement *placement;
    uint64_t target; /* packing.c: where it goes */
};

/* A DMA buffer, a request to pin a buffer or to page out, a work of a paging queue, or a wait for
 * fences or a signal of them. Allocated when it arrives, freed when it retires. */
struct vidmm_work {
    struct vidmm_work *next;
    struct vidmm_context_queue *queue; /* where it waits */
    uint64_t arrival;                  /* its number among all that have arrived */
    uint32_t dma_buffer;               /* 0: it is none */
    uint32_t request;
    uint32_t paging_queue; /* paging_queue.c: the queue that it is a work of; 0: of none */
    bool must_succeed;     /* ... and the device cannot go on without it */
    uint32_t addresses_of; /* ... and nothing has to come, but the page tables of this process to be
                            * written */
    uint64_t value;        /* ... and what the queue passes at its end */
    uint64_t delay_ns;     /* ... and it holds its queue for so long; 0: it is no delay */
    uint64_t until_ns;     /* ... from when it was the first of it up to then */
    struct vidmm_property property; /* property.c: ... for its one reference; mask 0: it has them */
    struct vidmm_fence_list *fences; /* fence_queue.c: it waits for them, or signals them */
    uint32_t device, node, context;
    uint32_t count;    /* references */
    uint32_t placed;   /* references told of by VIDMM_DO_PLACED */
    uint64_t preceded; /* `events` of the engine when its page-ins preceded it; 0: not yet seen */
    uint32_t size;     /* bytes */
    uint32_t flying;   /* parts in flight */
    NTSTATUS status;
    bool begun;         /* the references of the part being prepared are held */
    bool ready;         /* everything that part needs is in place, as far as building goes */
    uint8_t cancel;     /* enum work_cancel */
    bool ended;         /* out of the queue: it retires when no part is in flight */
    bool awaits_tables; /* there is no room for its device's list until page tables have left */
    struct vidmm_work_reference *references;

    /* split.c */
    struct vidmm_part *parts; /* room for one a split point; `part_count` of them were begun */
    uint32_t part_count;
    uint32_t patch_count;  /* 0: it cannot be split */
    uint32_t patches_told; /* by the event, whether it can be split or not */
    uint32_t first, end;   /* patch locations of the part being prepared */
    uint32_t step_back;    /* split points given up at the last attempt, for fragments */
    bool updates;          /* context_request.c: its one reference is to be changed where it lies */
    uint8_t display;       /* display.c: its one reference is to be displayed, or no more */
    uint8_t pages_out;     /* enum work_pages_out */
    uint8_t compacts;      /* compact.c: enum vidmm_compaction; 0: it does not */
    uint8_t segment;       /* ... that segment */
    bool compacted;        /* ... and the moves are under way */
    bool fetch; /* for a lock, whose request it has: into a memory segment, and that is all */
    bool split; /* the part being prepared is not all of it: `needs` and `rebound` say more */
    struct vidmm_patch_location *patches;
    uint32_t *rebound; /* by patch location: the next that takes its slot; patch_count: none does */
    uint32_t *order;   /* scratch, as long */
    uint8_t *needs;    /* by reference: SPLIT_... */
    bool selective;    /* some references are needed in place by no part: `needs` says which */
};

VIDMM_QUEUE_FUNCTIONS(vidmm_works, struct vidmm_work, next);

/* The works of one context that wait, in order of arrival. It is there as long as something
 * waits. */
struct vidmm_context_queue {
    struct vidmm_context_queue *next; /* of another context */
    uint32_t context;                 /* 0: of none; the manager's own requests, too */
    struct vidmm_works works;
    bool held;   /* the first of them waits for fences */
    bool barred; /* the first of them waits for the CPU to unlock (arbiter.c) */
};

VIDMM_QUEUE_FUNCTIONS(vidmm_context_queues, struct vidmm_context_queue, next);

#endif
