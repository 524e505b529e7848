/* standstill.h: the work that must not go on while the adapter recovers, is reset, or rests.
 *
 * Predicates only, over the stages that engine/recover changes; the rooms below it look here.
 */
#ifndef VIDMM_ENGINE_STATE_STANDSTILL_H
#define VIDMM_ENGINE_STATE_STANDSTILL_H

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/recovery_state.h"

/* Whether nothing may be submitted to the node now. */
static inline bool vidmm_recovery_blocks(const struct vidmm_engine *engine, uint32_t node)
{
    return (engine->reset->stage != RESET_NONE && !engine->reset->restarted) || /* Z2 */
           (engine->recovery->nodes >> node & 1) != 0;
}

/* Whether placements, moves and locks are left as they are (U1). */
static inline bool vidmm_reset_rests(const struct vidmm_engine *engine)
{
    return engine->reset->stage == RESET_STOPPING || engine->reset->stage == RESET_PURGING;
}

/* Whether the adapter rests: nothing may be built (Q1). */
static inline bool vidmm_adapter_rests(const struct vidmm_engine *engine)
{
    return engine->rest->stage == REST_RESTING;
}

#endif
