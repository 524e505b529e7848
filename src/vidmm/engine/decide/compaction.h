/* compaction.h: what a segment has, towards one end of it; compaction.c. */
#ifndef VIDMM_ENGINE_DECIDE_COMPACTION_H
#define VIDMM_ENGINE_DECIDE_COMPACTION_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_settlement;
struct vidmm_work;

/* Whether a move of something in the segment, or into it, is under way. */
bool vidmm_compaction_must_wait(const struct vidmm_engine *engine, uint32_t segment);
/* Decide who moves, towards the end of the segment (up) or its start, for the work whose turn it
 * is; nothing of the segment moves now. *bytes receives how many. False: no memory for the
 * question, and nothing has changed. Else the settlement is FOUND, and nobody leaves if nobody
 * moves; or CALL or LATER, about somebody whom the CPU may use. */
bool vidmm_compaction_decide(struct vidmm_engine *engine, const struct vidmm_work *work,
                             uint32_t segment, bool up, uint64_t *bytes,
                             struct vidmm_settlement *settlement);

#endif
