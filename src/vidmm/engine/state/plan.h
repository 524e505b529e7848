/* plan.h: the plan of a step: operations are appended, and nothing is taken back.
 *
 * The plan is a member of the engine with room for PLAN_CAPACITY operations. Every function that
 * may append asks for room first; one call of vidmm_plan_has_room() answers for all that one look
 * of step.c may append.
 */
#ifndef VIDMM_ENGINE_STATE_PLAN_H
#define VIDMM_ENGINE_STATE_PLAN_H

#include "vidmm/engine/state/engine_state.h"

#define VIDMM_PLAN_ONE_LOOK 4u /* operations that one look of step.c may append */

/* Append an operation of the kind, otherwise zero, and answer it to be filled in. Allocates
 * nothing. There is room: vidmm_plan_has_room() has said so. */
struct vidmm_operation *vidmm_emit(struct vidmm_engine *engine, uint32_t kind);

/* How many operations may be appended before there is room for one look of step.c no more: one by
 * one, with a question before each, as many would be. */
static inline uint32_t vidmm_plan_room(const struct vidmm_engine *engine)
{
    uint32_t most = PLAN_CAPACITY - VIDMM_PLAN_ONE_LOOK + 1;

    return engine->plan_count < most ? most - engine->plan_count : 0;
}

/* Whether there is room for what any one look of step.c may append. False: the step ends, and the
 * next one goes on. */
static inline bool vidmm_plan_has_room(const struct vidmm_engine *engine)
{
    return vidmm_plan_room(engine) > 0;
}

/* Append VIDMM_DO_STOPPED and stop the engine: it takes no event in any more. An engine that has
 * stopped already: nothing. */
void vidmm_engine_fail(struct vidmm_engine *engine, uint32_t reason, NTSTATUS status);

#endif
