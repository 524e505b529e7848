/* fence_signal.h: a paging buffer writes the value of a paging queue's fence; fence_signal.c says
 * how. */
#ifndef VIDMM_ENGINE_CARRY_FENCE_SIGNAL_H
#define VIDMM_ENGINE_CARRY_FENCE_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_operation;
struct vidmm_placement;

/* Whether the values that lie there can be written now: nothing is being written yet. NULL: no. */
bool vidmm_fence_signal_may_begin(const struct vidmm_placement *placement);
/* Queue the move that writes what a paging queue is ready for, behind all that is queued. */
void vidmm_fence_signal_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              uint32_t queue);
/* Say in an operation which value it writes, and where. */
void vidmm_fence_signal_tell(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement,
                             struct vidmm_operation *operation);
/* A move of it has been executed, or never will be: if it was for a value, that is over. */
void vidmm_fence_signal_end(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
