/* residency.h: a place for everything that the DMA buffer at the head names; residency.c. */
#ifndef VIDMM_ENGINE_DECIDE_RESIDENCY_H
#define VIDMM_ENGINE_DECIDE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_settlement;
struct vidmm_work;

/* How far the decision is that goes from one missing placement to the next. */
struct vidmm_residency {
    struct vidmm_work *work;
    uint64_t needed;       /* NONE: bytes that would have had to fit */
    uint32_t count, index; /* of engine->missing, and the one that comes next */
    uint32_t rounds;
    bool again;  /* others of the work may have lost their ranges: another round */
    bool later;  /* some are put off to the end */
    bool rest;   /* nothing was missing, and the content of all is in its place already */
    bool leaves; /* the one that comes next has left a wrong place */
};

/* Begin to decide a place for everything that the part being prepared needs. */
struct vidmm_residency vidmm_residency_begin(struct vidmm_work *work, uint64_t needed);
/* Decide the next step. Nothing has changed; once the answer is applied, FOUND: all of it has a
 * range, or `more` is to be asked for. After any other answer the decision is over, and what was
 * applied before stands. */
struct vidmm_settlement vidmm_residency_next(struct vidmm_engine *engine,
                                             struct vidmm_residency *residency);

/* Give up what was decided for those that the part, which has become shorter, does not need. */
void vidmm_residency_let_go(struct vidmm_engine *engine, const struct vidmm_work *work);

#endif
