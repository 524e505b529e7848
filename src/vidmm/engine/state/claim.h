/* claim.h: keeping the CPU off a place in a memory segment before it changes; claim.c says how.
 *
 * Source: document 1, CpuVisible; D-147.
 */
#ifndef VIDMM_ENGINE_STATE_CLAIM_H
#define VIDMM_ENGINE_STATE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;

/* Whether the CPU is off a placement, so that its place may change; changes nothing. FOUND: it is.
 * CALL: claim it first, and ask again. LATER: a lock whose address cannot follow is held. */
enum vidmm_found vidmm_claim_state(const struct vidmm_placement *placement);
/* Claim what is open: VIDMM_DO_CLAIM is in the plan and the only call under way. */
void vidmm_claim_call(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Whether the claim under way may be answered so. */
bool vidmm_claim_may_end(const struct vidmm_engine *engine, uint32_t granted);
/* Take in the answer to the claim under way: VIDMM_CLAIM_... */
void vidmm_claim_answered(struct vidmm_engine *engine, uint32_t granted);

/* Take it out of the list of those that are followed, if it is there. */
void vidmm_claim_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);

#endif
