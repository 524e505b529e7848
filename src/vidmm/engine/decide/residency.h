/* residency.h: a place for everything that the DMA buffer at the head names; residency.c. */
#ifndef VIDMM_ENGINE_DECIDE_RESIDENCY_H
#define VIDMM_ENGINE_DECIDE_RESIDENCY_H

#include "vidmm/engine/state/engine_state.h"

/* Decide a place for everything that the part being prepared needs. FOUND: all of it has a range.
 * CALL: a claim is under way. LATER: something in flight ends first. NONE: it cannot be; *needed
 * receives the bytes that would have had to fit. Decisions made before the answer stand. */
enum vidmm_found vidmm_residency_decide(struct vidmm_engine *engine, struct vidmm_work *work,
                                        uint64_t *needed);

/* Give up what was decided for those that the part, which has become shorter, does not need. */
void vidmm_residency_let_go(struct vidmm_engine *engine, const struct vidmm_work *work);

#endif
