/* placement_state.h: an allocation, as far as the engine knows it.
 *
 *     wish      what the miniport asked for it
 *     given     the range it was given; what will be true when every queued move is done
 *     at        where its content is, once its own moves are done
 *     moves     its page-in and its page-out, as long as it may have one (move_pair.h)
 *
 * A placement is there from the creation of its allocation until nothing refers to it any more.
 * For the modules of the engine, as engine_state.h, which includes it. Structures only.
 */
#ifndef VIDMM_PLACEMENT_STATE_H
#define VIDMM_PLACEMENT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <base/queue.h>

#include "vidmm/engine/state/place.h"

#define VIDMM_IDS (1u << 28) /* ids of allocations are below this */

/* Bits of the v1 flag word that the engine looks at (DXGK_ALLOCATIONINFOFLAGS). */
#define VIDMM_CPU_VISIBLE 0x1u
#define VIDMM_PERMANENT_SYS_MEM 0x2u
#define VIDMM_CACHED_CONTENT 0x4u   /* Cached */
#define VIDMM_EXISTING_MEMORY 0x30u /* ExistingSysMem, ExistingKernelSysMem */
/* Its backing store stays what it is, and keeps a copy of what a segment holds. */
#define VIDMM_KEEPS_COPY (VIDMM_PERMANENT_SYS_MEM | VIDMM_EXISTING_MEMORY)
/* ExplicitResidencyNotification: what goes by address is told of as it comes and leaves. */
#define VIDMM_NOTIFIES 0x10000u
#define VIDMM_FROM_END_OF_SEGMENT 0x40u
#define VIDMM_SWIZZLED 0x80u
#define VIDMM_SYNCHRONOUS_PAGING 0x800u
#define VIDMM_OVERLAY 0x100u
#define VIDMM_CAPTURE 0x200u
#define VIDMM_ACCESSED_PHYSICALLY 0x8000u /* of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 */

#define VIDMM_RUN_LISTS 2u /* of a placement, at most (place_runs.h) */

/* Classes by which allocations leave memory, the lowest first: offers; then by AllocationPriority
 * (below LOW, from LOW, NORMAL, HIGH, MAXIMUM on); then those classes again, of placements
 * that residency lists want. */
#define VIDMM_PRIORITY_CLASSES 13u
#define VIDMM_PRIORITY_OFFERS 3u /* classes of offers */
#define VIDMM_PRIORITY_NORMAL 5u
#define VIDMM_PRIORITY_WANTED 8u /* the lowest class of wanted ones */

struct vidmm_address_link;
struct vidmm_engine;
struct vidmm_page_runs;
struct vidmm_placement;

/* The answer to a question: is there room, is the CPU off, is all in place. */
enum vidmm_found {
    FOUND,       /* it is so from here on */
    FOUND_CALL,  /* an operation must be answered first, then ask again; it is in the plan */
    FOUND_LATER, /* something in flight must end first, then ask again */
    FOUND_NONE,  /* it cannot be */
};

/* The result of one look at something to do. */
enum vidmm_progress {
    PROGRESS_IDLE, /* there is nothing to do here, and nothing is in the way of what comes next */
    PROGRESS_CALL, /* an operation was handed out; it is in the plan */
    PROGRESS_WAIT, /* something in flight must end first, or the plan is full */
    PROGRESS_MADE, /* something was done without a call: look again, from the start */
};

/* The progress that a decision means to a caller that is on the way to a call. Nothing stands for
 * it where it cannot be. */
static inline enum vidmm_progress vidmm_progress_of(enum vidmm_found found)
{
    if (found == FOUND_CALL)
        return PROGRESS_CALL;
    return found == FOUND_LATER ? PROGRESS_WAIT : PROGRESS_IDLE;
}

/* ---- moves ----------------------------------------------------------------------------------- */

enum move_state {
    MOVE_IDLE,   /* not in use */
    MOVE_QUEUED, /* in the queue; nothing of it has been called, or not all */
    MOVE_BUILT,  /* all of it is in paging buffers; linked to the last of them until its fence */
    MOVE_DUE,    /* page-out through an aperture: the transfer is complete, the unmap is queued */
};

/* One page-in or page-out, of a pair. */
struct vidmm_move {
    struct vidmm_move
        *next;          /* in the queue, or in the list of a paging buffer, or of the finished */
    uint64_t progress;  /* bytes of the transfer that earlier sub-transfers have moved */
    struct place place; /* the segment side: where to, or where from */
    union {
        struct place source;  /* inward: its old place in a segment; nowhere: it has none */
        struct place through; /* outward: its place in an eviction aperture, taken until it is
                                 unmapped; nowhere: it has had none */
    };
    uint8_t state;     /* enum move_state */
    uint8_t list;      /* enum move_list: its steps (move_steps.h) */
    uint8_t step;      /* of these, the one that comes next */
    bool inward : 1;   /* the page-in of its placement; otherwise the page-out */
    bool swizzles : 1; /* a transfer: in with Swizzle, out with Unswizzle */
    bool shown : 1;    /* inward: entries of page tables lead to its place, though it is queued */
    uint32_t mapped;   /* by address: pages of this chunk that earlier records of the step map */
};

struct vidmm_move_pair {
    struct vidmm_placement *placement; /* whose they are; NULL: nobody's */
    struct vidmm_move in, out;
};

/* ---- placements ------------------------------------------------------------------------------ */

/* Pages of a backing store that the CPU has written, and a segment's copy has not seen. */
struct vidmm_refresh {
    struct vidmm_refresh *next;
    uint32_t first, count;
};

VIDMM_QUEUE(vidmm_refresh_queue, struct vidmm_refresh, next);

/* The pages that are due (refresh.c), for a placement that keeps its backing store; made with
 * it. */
struct vidmm_refreshes {
    struct vidmm_refresh first;      /* count 0: none is due */
    struct vidmm_refresh_queue rest; /* those behind the first */
    struct vidmm_refresh spare;      /* for want of memory; count 0: unused */
};

VIDMM_QUEUE(vidmm_moves, struct vidmm_move, next);

/* lock_table.h draws them. */
enum lock_state { LOCK_CLOSED, LOCK_OPEN, LOCK_REFUSED, LOCK_FOLLOWED, LOCK_STRANDED, LOCK_STATES };

/* offer.h draws them. */
enum offer_state { OFFER_NONE, OFFER_ASKED, OFFER_OFFERED, OFFER_DISCARDED, OFFER_STATES };

/* ---- residency lists ------------------------------------------------------------------------- */

/* residency_list.h draws them. */
enum listing_state {
    LISTED_MISSING,  /* no range */
    LISTED_PROMISED, /* a range, and no page-in is queued to it yet */
    LISTED_COMING,   /* a page-in is queued or under way */
    LISTED_DEMOTED,  /* in place, in an aperture, and a memory segment would be better */
    LISTED_PRESENT,  /* in place */
    LISTED_OFFERED,  /* its program does without it for now */
    LISTED_ENDING,   /* counted no more; packets in flight may use it */
    LISTING_STATES,
};

/* The segments that may hold an allocation of a list. */
enum listed_kind { LISTED_IN_MEMORY, LISTED_IN_APERTURES, LISTED_IN_EITHER, LISTED_KINDS };

/* An entry of a device's residency list: it names one allocation. */
struct vidmm_listing {
    struct vidmm_listing *next;            /* of the same placement, by another device */
    struct vidmm_listing *before, *behind; /* of the same device, in the same state */
    struct vidmm_listing *lingers_next;    /* of the same device */
    struct vidmm_placement *placement;
    uint64_t after; /* lingers: until the device's works up to that arrival have ended */
    uint64_t clean; /* fence up to which no packet of the device has written it */
    uint32_t device, count;
    uint32_t noted; /* scratch of one event */
    uint8_t state;  /* enum listing_state */
    bool lingers;
    bool charged; /* it counts for its device's process */
    bool held;    /* `count` has one more, which no Evict takes */
    bool stays;   /* ... and when that goes it need not leave at once */
};

/* There are many of them: rarely needed members are behind a pointer. The bits that are left are no
 * states; placement_table.c says what each is. */
struct vidmm_placement {
    struct vidmm_wish wish;
    uint32_t id, device;
    struct place given; /* the range that it was given; nowhere: none */
    /* The place of its content once its own moves are done. Nowhere: it was never written, or lost,
     * and the next page-in is a fill, or InitContextResource. */
    struct place at;
    struct vidmm_move_pair *moves;         /* its page-in and its page-out; never NULL */
    struct vidmm_placement *older, *newer; /* by use, among those that have a range in a segment */
    struct vidmm_placement *next;          /* leaving, or dying: one list at a time */
    struct vidmm_placement *followed_next; /* lock.c: the list of those that are followed */
    struct vidmm_address_link *ring;       /* ranges of addresses that map it; NULL: never any */
    struct vidmm_page_runs *runs[VIDMM_RUN_LISTS]; /* of places of several runs (place_runs.c) */
    struct vidmm_refreshes *refreshes;             /* NULL: its backing store is not kept */
    struct vidmm_listing *listings;                /* NULL: no residency list names it */
    uint64_t last_use;    /* fence of the newest DMA buffer submitted that names it */
    uint64_t used_on;     /* context.c: nodes that may have used it in their present run */
    uint32_t marked_next; /* room.c, cheapest.c: id of the next in a list of those; 0: none */
    uint32_t usable;      /* residency.c: segments from which the work at the head can use it */
    uint32_t writers;     /* references that write */
    union {
        uint32_t alternate_data; /* swizzling_range.c: of the newest alternate address */
        uint32_t read_request;   /* `reads`, segment_read.c: the requester of its bytes; 0:
                                  * nobody */
        uint32_t update_request; /* `context_allocation`, context_update.c: the requester of a
                                  * change of its content; 0: nobody */
        uint32_t signal_queue;   /* `fences`, fence_signal.c: the paging queue of which a value is
                                  * being written there; 0: none */
    };
    union {
        uint32_t alternate_pages; /* of that */
        uint32_t host; /* host_mapping.c: 1 more than its first page of the aperture; 0: none */
    };
    uint32_t references; /* DMA buffers that name it, queued or in flight */
    uint32_t uses;       /* of those, in flight */
    uint8_t priority_class;
    uint8_t ranges, lock_range; /* swizzling_range.c */
    uint8_t alternate_range;    /* of the newest lock by such an address */
    uint8_t offer;              /* VIDMM_OFFER_..., offered or asked for; 0: neither */
    uint8_t offer_state;        /* enum offer_state */
    uint8_t lock;               /* enum lock_state */
    /* Those that each reference of a DMA buffer is asked for stand in one byte. */
    bool dying : 1;  /* destroyed by its owner */
    bool buffer : 1; /* a DMA or paging buffer: no hAllocation, pinned */
    bool shared : 1; /* DMA buffers of any device may name it */
    bool lost : 1;   /* its content could not be saved: nothing renders with it any more */
    bool apart : 1;  /* locked while the GPU may use it: an aperture has to show it */
    bool away : 1;   /* `alternate`: and its pages hold the content, and not the backing store */
    bool held : 1;   /* named by the work at the head */
    bool dirty : 1;  /* written since its page-in */
    bool reads : 1;  /* pages for the raw bytes of a segment (segment_read.c); a buffer too */
    bool fences : 1; /* values of monitored fences, in system memory for good; a buffer too */
    bool context_allocation : 1; /* bound to a context, or to all of its device (context.c) */
    bool leaving : 1;            /* in the list of decided page-outs that are not yet queued */
    bool late : 1;               /* eviction.c: it leaves when a delay is over (EV1) */
    bool on_dying : 1;           /* in the list of those that may be ready to go */
    bool marked : 1;             /* cheapest.c: has no room beside it */
    bool chosen : 1;             /* room.c: will leave */
    bool kept : 1;       /* bound before the part being prepared: stays where it is (D-340) */
    bool alternate : 1;  /* lock_range is for an alternate address */
    bool unswizzled : 1; /* Swizzled: the backing store is in the CPU's order */
    bool unswizzles : 1; /* ... a lock waits for it to become so */
    bool posted : 1;     /* posted.c: the GPU's writes may not have reached memory */
    bool lent : 1;       /* reach.h: the client may lock its backing store without asking */
    bool follows : 1;    /* ... and addresses of it lead into any memory segment of its set */
    bool hosted : 1;     /* ... or into that segment, if pages of the CPU host aperture are got */
    bool staged : 1;     /* reach.h: such locks are held, and no memory segment may have it */
    bool reached : 1;    /* isolation.c: the GPU reaches its backing store */
    bool purged : 1;     /* a reset took its content, and a lock's pointer leads to its range: the
                            unlock gives that back, unless a DMA buffer has brought it in again */
};

VIDMM_QUEUE(vidmm_placements, struct vidmm_placement, next);

/* Whether nothing of it moves: both its page-in and its page-out are idle. */
static inline bool vidmm_placement_is_still(const struct vidmm_placement *placement)
{
    return placement->moves->in.state == MOVE_IDLE && placement->moves->out.state == MOVE_IDLE;
}

#endif
