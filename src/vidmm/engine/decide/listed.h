/* listed.h: a place for everything that a device's residency list names; listed.c. */
#ifndef VIDMM_ENGINE_DECIDE_LISTED_H
#define VIDMM_ENGINE_DECIDE_LISTED_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_settlement;
struct vidmm_work;

/* How far the decision is that goes from one missing allocation to the next. */
struct vidmm_listed {
    struct vidmm_work *work;
    uint64_t needed;       /* NONE: bytes of an allocation that fits nowhere */
    uint32_t count, index; /* of work->missing, and the one that comes next */
    bool all;              /* all of the list is needed, not only what the work names */
    bool anew;             /* the list is placed anew, or was: it is tried once */
    bool staged;           /* NONE: apertures alone were asked, until the CPU unlocks it */
    bool unsorted;         /* ... and its missing entries are not in order yet */
};

/* Begin to decide a place for everything that the work needs, whose turn it is: for a DMA buffer,
 * all of its device's list; for a work of a paging queue, the allocations that it names. */
struct vidmm_listed vidmm_listed_begin(struct vidmm_engine *engine, struct vidmm_work *work);
/* Decide the next step. Nothing has changed but the order of the list's missing entries; once the
 * answer is applied, FOUND: nothing that the work needs is missing, or `more` is to be asked for.
 * After any other answer the decision is over, and what was applied before stands. */
struct vidmm_settlement vidmm_listed_next(struct vidmm_engine *engine, struct vidmm_listed *listed);

/* An allocation of the device's list that was demoted, and has a hole in a memory segment to go
 * back to, which *segment receives. NULL: there is none. Nothing has changed. It is nobody's
 * turn. */
struct vidmm_placement *vidmm_listed_promotes(struct vidmm_engine *engine, uint32_t device,
                                              uint32_t *segment);

#endif
