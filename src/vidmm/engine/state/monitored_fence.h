/* monitored_fence.h: 64-bit values that grow in memory, and those that wait for them.
 *
 *     fence  value 41 ----+---- 42 (a)     its waits, by value; of one value in order of arrival
 *                         +---- 42 (b)
 *                         `---- 50 (c)     c is a wait of a waiter for all, or for any, of several
 *
 * The CPU and the GPU read a fence where it lies in memory, and the GPU writes it there. So the
 * value that is known here is the newest that somebody has looked at. Nothing looks by itself, and
 * nothing polls: when an engine reports that it has completed something, or that a fence was
 * signaled, whoever hears of it reads the fences that are watched, those for which somebody waits,
 * and tells what it has read.
 *
 *   vidmm_monitored_fence_see()       the memory was read
 *   vidmm_monitored_fence_signal()    the CPU, or a packet of a context's queue, writes the memory
 *   vidmm_fence_waiter_begin()        somebody waits
 *   vidmm_fence_waiter_take_met()     whose waiting is over, in order
 *
 * A wait is over when the value is at or above its own, once (D-188): a later signal of a lower
 * value, which is legal, does not bring it back.
 *
 * NARROW FENCES. A GPU without 64-bit atomics (No64BitAtomics) writes 32 bits. They stand for the
 * 64-bit value that is nearest to the newest known one. So all outstanding waits and signals have
 * to be within UINT_MAX / 2 of it (D-185), and vidmm_monitored_fence_reaches() says whether one is.
 * It is judged when a wait or a signal is asked for; the fence may have moved on when that
 * begins.
 *
 * Ownership: fences, waiters and waits are members of the caller's records, and stay in their place
 * from their beginning to their end. Nothing here allocates, and nothing fails. One caller at a
 * time. Beginning and ending a wait take O(log n) for n waits of a fence, and a signal O(log n) for
 * each wait that ends.
 *
 * Source: "Context monitoring", D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU, DXGK_VIDSCHCAPS.
 */
#ifndef VIDMM_ENGINE_STATE_MONITORED_FENCE_H
#define VIDMM_ENGINE_STATE_MONITORED_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "base/tree.h"

/* The farthest from the newest known value that a narrow fence can be waited for or signaled:
 * UINT_MAX / 2. */
#define VIDMM_NARROW_REACH UINT64_C(0x7fffffff)

struct vidmm_fence_watch;

struct vidmm_monitored_fence {
    struct vidmm_fence_watch *watch;
    struct vidmm_monitored_fence *next, *previous; /* of those that are watched */
    struct vidmm_tree waits;                       /* struct vidmm_fence_wait, by value */
    uint64_t value;                                /* the newest known */
    bool narrow;                                   /* 32 bits of it are in memory */
};

struct vidmm_fence_waiter {
    struct vidmm_fence_waiter *next; /* of those whose waiting is over */
    struct vidmm_fence_wait *waits;  /* an array */
    uint32_t count;                  /* of the array */
    uint32_t left;                   /* waits that are not over */
    bool any;                        /* one of them is enough (WaitAny) */
    bool met;                        /* its waiting is over, and it was not taken yet */
};

VIDMM_QUEUE(vidmm_fence_waiters, struct vidmm_fence_waiter, next);

struct vidmm_fence_wait {
    struct vidmm_tree_node node; /* of its fence; by value */
    struct vidmm_monitored_fence *fence;
    struct vidmm_fence_waiter *waiter;
    uint64_t value;
    bool waiting; /* in the tree */
};

/* All fences that are to be looked at together. All zeroes: none is watched, nobody's waiting is
 * over. */
struct vidmm_fence_watch {
    struct vidmm_monitored_fence *first; /* that somebody waits for; linked by `next` */
    struct vidmm_fence_waiters met;
};

/* Begin with a value and no waits. `watch` is borrowed. */
void vidmm_monitored_fence_init(struct vidmm_monitored_fence *fence,
                                struct vidmm_fence_watch *watch, uint64_t value, bool narrow);

/* Whether it may be waited for, or signaled, with that value: a narrow one only near to its newest
 * known value (D-185). */
bool vidmm_monitored_fence_reaches(const struct vidmm_monitored_fence *fence, uint64_t value);

/* Its memory was read and holds `bits`; of a narrow fence the low 32 count. Waits for that value,
 * and for lower ones, are over. */
void vidmm_monitored_fence_see(struct vidmm_monitored_fence *fence, uint64_t bits);

/* It has that value from here on. Answers what the memory is to hold; the caller
 * writes it before anybody who was waiting goes on. */
uint64_t vidmm_monitored_fence_signal(struct vidmm_monitored_fence *fence, uint64_t value);

/* The greatest value there is: whoever waits goes on, after a reset (D-192). As signal. */
uint64_t vidmm_monitored_fence_give_up(struct vidmm_monitored_fence *fence);

/* Wait until the fence of each of `waits`, or with `any` of one of them, has its value. The caller
 * has filled in `fence` and `value` of each, 1 or more.
 * True: it is so already, and nobody waits. */
bool vidmm_fence_waiter_begin(struct vidmm_fence_waiter *waiter, bool any,
                              struct vidmm_fence_wait *waits, uint32_t count);

/* Wait no longer, or not be taken. Takes one that has been taken, too, and one of all zeroes. */
void vidmm_fence_waiter_end(struct vidmm_fence_waiter *waiter);

/* Take the next whose waiting is over: in the order in which their last wait was. NULL: nobody. */
struct vidmm_fence_waiter *vidmm_fence_waiter_take_met(struct vidmm_fence_watch *watch);

/* Somebody who waits for it, of the lowest value. NULL: nobody does. */
struct vidmm_fence_waiter *
vidmm_monitored_fence_first_waiter(const struct vidmm_monitored_fence *fence);

/* Nobody waits for it: it may go. */
bool vidmm_monitored_fence_is_idle(const struct vidmm_monitored_fence *fence);

/* Stop the program if an invariant of monitored_fence.c does not hold. Looks at every wait. */
void vidmm_fence_watch_check(const struct vidmm_fence_watch *watch);

#endif
