/* timeline.h: fence values, and the packets that end at them; timeline.c says what holds.
 *
 *     counter  . . . 7   8   9  10  11  12  13 | 14: the next
 *                    |       |   |       |
 *     timeline       7       9  10      12          the packets of one node, in order
 *                completed               newest
 *
 * A fence value is always of a timeline: alone it says nothing. Several timelines may take their
 * values from one counter, and then there is an order between packets of different ones: before
 * WDDM 2 all nodes of an adapter do. A timeline with a counter of its own is no second kind.
 *
 * A flight is a member of what it is the packet of, so that submitting allocates nothing. Nothing
 * here knows of the engine.
 *
 * Source: DXGKARG_SUBMITCOMMAND, SubmissionFenceId.
 */
#ifndef VIDMM_ENGINE_STATE_TIMELINE_H
#define VIDMM_ENGINE_STATE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <base/queue.h>
#include <vidmm/plan.h>

/* A packet that a node executes: paging buffer or DMA buffer, in order of fence. */
struct vidmm_flight {
    struct vidmm_flight *next;
    uint64_t fence;
    bool paging, switches; /* member of a paging buffer, of a node's state; otherwise of a work */
    bool follows;          /* nothing was submitted: it ends with the packet before it */
    bool returned;         /* preempted: not in the driver until it is submitted again */
    struct vidmm_packet_use *share; /* counts it as well: its device's part; NULL: nobody does */
};

VIDMM_QUEUE(vidmm_flights, struct vidmm_flight, next);

struct vidmm_counter {
    uint64_t next; /* a value that no packet has */
};

struct vidmm_timeline {
    struct vidmm_counter *counter; /* may be that of others, too */
    struct vidmm_flights flights;  /* submitted, or to be submitted again, and not ended */
    uint64_t completed;            /* newest complete fence */
    uint64_t newest;               /* newest submitted fence */
    uint64_t head_since_ns;        /* when the first flight became the first */
    uint32_t returned;             /* flights that wait to be submitted again */
    struct vidmm_node_use use;
};

/* A value that no packet has. */
uint64_t vidmm_counter_next(struct vidmm_counter *counter);

/* Begin where the counter stands: all before it counts as complete. */
void vidmm_timeline_init(struct vidmm_timeline *timeline, struct vidmm_counter *counter);
/* Give the flight the next fence and put it behind the others. */
void vidmm_timeline_submit(struct vidmm_timeline *timeline, struct vidmm_flight *flight,
                           uint64_t time_ns);
/* Follow the newest flight, with no fence of its own. False: there is none, and nothing has
 * changed. */
bool vidmm_timeline_follow(struct vidmm_timeline *timeline, struct vidmm_flight *flight);
/* Everything up to the fence is complete from here on, and the first flight behind it is the first
 * from now on. */
void vidmm_timeline_complete(struct vidmm_timeline *timeline, uint64_t fence, uint64_t time_ns);
/* Count the time that the first flight has run, if one is in the driver; it begins anew. */
void vidmm_timeline_ran(struct vidmm_timeline *timeline, uint64_t time_ns);
/* Take out the first flight if it ends at the fence or before. NULL: it does not, or there is
 * none. */
struct vidmm_flight *vidmm_timeline_take(struct vidmm_timeline *timeline, uint64_t fence);

/* A flight was preempted, and waits to be submitted again. Call vidmm_timeline_ran() before the
 * first of them. */
void vidmm_timeline_return(struct vidmm_timeline *timeline, struct vidmm_flight *flight);
/* A flight is about to be ended by a page fault or a reset of its node: count that. */
void vidmm_timeline_fault(struct vidmm_timeline *timeline, const struct vidmm_flight *flight);
/* Submit the first flight that waits for it again, by the fence that it has. There is one. */
struct vidmm_flight *vidmm_timeline_resubmit(struct vidmm_timeline *timeline, uint64_t time_ns);

/* The 64 bits behind a SubmissionFenceId that was reported. */
uint64_t vidmm_timeline_widen(const struct vidmm_timeline *timeline, uint32_t fence);
/* The flight that was submitted with that fence and has not ended. NULL: there is none. */
const struct vidmm_flight *vidmm_timeline_find(const struct vidmm_timeline *timeline,
                                               uint64_t fence);
/* Whether every packet up to the fence is complete. */
bool vidmm_timeline_has_passed(const struct vidmm_timeline *timeline, uint64_t fence);
/* When the first flight is overdue, that may take so long; UINT64_MAX: none is under way. */
uint64_t vidmm_timeline_due(const struct vidmm_timeline *timeline, uint64_t timeout_ns);

/* Stop the program if an invariant does not hold. Answers the flights that are in the driver. */
uint32_t vidmm_timeline_check(const struct vidmm_timeline *timeline);

#endif
