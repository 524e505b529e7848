/* move_steps.h: a move is a list of steps; move_steps.c has the lists, one a row.
 *
 *     move:  list --> through an eviction aperture   0  map       eviction aperture
 *            step --------------------------------->  1  transfer  segment --> eviction aperture
 *                                                     -- fence --
 *                                                     2  unmap     eviction aperture
 *
 * The lists are constants. A move has the number of its list and of the step that comes next, so
 * that to queue it allocates nothing. paging.c runs the lists and knows steps only: the operation
 * of a step, its two ends, its bytes, and the conditions before it.
 */
#ifndef VIDMM_ENGINE_STATE_MOVE_STEPS_H
#define VIDMM_ENGINE_STATE_MOVE_STEPS_H

#include <vidmm/plan.h>

#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"

struct vidmm_move;

/* The lists, in the order of move_lists.def. */
enum move_list {
#define LIST(id, direction, name) id,
#define STEP(...)
#define CLEAR(...)
#include "vidmm/engine/state/move_lists.def"
#undef LIST
#undef STEP
#undef CLEAR
    LISTS,
};

#define VIDMM_LIST_STEPS 6u /* of the longest list */

enum step_kind {
    STEP_NONE,  /* behind the last one */
    STEP_BUILD, /* calls of DxgkDdiBuildPagingBuffer, as many as it takes */
    STEP_CLEAR, /* the backing store is zeroed, in the plan of the call that follows */
};

/* The thing at one end of a step: the operand of its operation. */
enum step_end {
    END_NONE,
    END_BACKING,   /* the backing store, by its MDL */
    END_SEGMENT,   /* the move's place in a segment */
    END_OLD_PLACE, /* inward, inside a segment: where the content is until then */
    END_EVICTION,  /* the range of an eviction aperture */
    END_OWN_PAGE,  /* the page of system memory that is nobody's */
    END_SOURCE,    /* the scratch range of the paging process, from which a transfer reads */
    END_TARGET,    /* ... and to which a transfer or a fill writes */
};

/* The bytes of a step. */
enum step_size {
    SIZE_ALLOCATION, /* of the backing store */
    SIZE_RANGE,      /* of the range. They differ under PitchAlignment, and the driver reconciles
                        them (D-037) */
    SIZE_WRITTEN,    /* the first pages that are due (refreshes.h) */
    SIZE_ALTERNATE,  /* the driver's answer about the alternate address */
    SIZE_CHUNK,      /* of the backing store, as much at once as the scratch range maps */
    SIZE_NONE,       /* 0: nothing is copied, or the driver chooses */
};

/* Conditions of the first call of a step, in this order. */
#define STEP_NEEDS_RELEASE 0x01u /* the allocation has no swizzling range, nor pages that show it */
#define STEP_AFTER_FENCE 0x02u   /* the steps before it have been executed */
#define STEP_NEEDS_DISUSE 0x04u  /* nothing in flight uses the allocation when it is called */
#define STEP_NEEDS_SILENCE 0x08u /* nothing is in flight, on any node (J1) */
/* Conditions of its execution. */
#define STEP_AFTER_USES 0x10u /* DMA buffers of other nodes that use the allocation */
/* It takes content or pages away from where they are: AFTER_USES, and before its first call every
 * node leaves a context that has used the allocation (D-256). */
#define STEP_VACATES 0x20u
/* How it goes on. */
#define STEP_REPEATS 0x40u /* once for each stretch of pages that is due */
#define STEP_FIRST 0x80u   /* its move comes before those that are queued */
/* After a reset (D-239): nothing is executed any more, so it is done as soon as it is called. */
#define STEP_TELLS 0x100u

/* It is done for each chunk of the allocation, and so are those before it. */
#define STEP_IN_LOOP 0x200u
#define STEP_LOOPS 0x400u /* ... and it is the last of them */
/* Before its first call the page tables that the GPU knows say what is so (table_write.h). */
#define STEP_AFTER_TABLES 0x800u

/* It is called once for each range of addresses that maps the allocation, if there are any. */
#define STEP_RANGES 0x1000u
/* Until its fence has passed nothing else is built or submitted. */
#define STEP_ALONE 0x2000u

struct vidmm_move_step {
    uint8_t kind;                /* enum step_kind */
    uint8_t operation;           /* enum vidmm_paging_kind */
    uint8_t source, destination; /* enum step_end; for all but transfers: destination */
    uint8_t size;                /* enum step_size */
    uint16_t flags;              /* STEP_... */
};

struct vidmm_move_list {
    const char *name;
    bool inward;                                        /* for page-ins; otherwise for page-outs */
    bool stays;                                         /* inward: the content is there already */
    struct vidmm_move_step steps[VIDMM_LIST_STEPS + 1]; /* T10 */
};

/* By enum move_list. */
extern const struct vidmm_move_list vidmm_move_lists[LISTS];

/* The list of a move. */
const struct vidmm_move_list *vidmm_move_list(const struct vidmm_move *move);
/* The step that comes next, or came last if none does. */
const struct vidmm_move_step *vidmm_move_step(const struct vidmm_move *move);
/* The step behind that one; NULL: there is none. */
const struct vidmm_move_step *vidmm_move_next_step(const struct vidmm_move *move);
/* Whether a step of it has been called, in part or to its end. */
bool vidmm_move_has_begun(const struct vidmm_move *move);
/* Give the move a list, from its first step on. Nothing of it has been called. */
void vidmm_move_assign(struct vidmm_move *move, enum move_list list);
/* The number of the step that its loop begins with; of its first step, if it has no loop. */
uint32_t vidmm_move_loop(const struct vidmm_move *move);
/* Name of a list, for people. Never NULL. */
const char *vidmm_list_string(enum move_list list);

/* Whether the step moves bytes: TransferStart and TransferEnd are for it. */
static inline bool vidmm_step_transfers(const struct vidmm_move_step *step)
{
    return step->kind == STEP_BUILD &&
           (step->operation == VIDMM_TRANSFER || step->operation == VIDMM_SPECIAL_LOCK_TRANSFER);
}

/* Whether the move brings content that is made in its place, a memory segment. */
static inline bool vidmm_move_makes_content(const struct vidmm_move *move)
{
    return move->list == LIST_FILL || move->list == LIST_INIT_CONTEXT ||
           move->list == LIST_VIRTUAL_FILL || move->list == LIST_VIRTUAL_FILL_NOTIFY ||
           move->list == LIST_VIRTUAL_INIT || move->list == LIST_VIRTUAL_INIT_NOTIFY;
}

/* Whether the move brings the bytes of the backing store into a memory segment, all of them. */
static inline bool vidmm_move_brings_bytes(const struct vidmm_move *move)
{
    return move->list == LIST_IN || move->list == LIST_VIRTUAL_IN ||
           move->list == LIST_VIRTUAL_IN_NOTIFY;
}

/* Whether it is a page-out that has a place in an eviction aperture. */
static inline bool vidmm_move_has_passage(const struct vidmm_move *move)
{
    return !move->inward && vidmm_place_is_taken(&move->through);
}

/* Whether it pushes writes through a bridge (posted.c). */
static inline bool vidmm_move_pushes(const struct vidmm_move *move)
{
    return move->list == LIST_PUSH || move->list == LIST_READ_BACK;
}

#endif
