/* fence.h: packets in flight, by node, in order of their fences; fence.c says what holds.
 *
 * A flight is a member of what it is the packet of, so that submitting allocates nothing.
 *
 * Source: DXGKARG_SUBMITCOMMAND, SubmissionFenceId; D-277, D-278.
 */
#ifndef VIDMM_ENGINE_STATE_FENCE_H
#define VIDMM_ENGINE_STATE_FENCE_H

#include "vidmm/engine/state/engine_state.h"

/* Whether one more packet may be in flight (D-277, D-278). */
bool vidmm_fence_room(const struct vidmm_engine *engine);
/* A fence id that no packet has. */
uint64_t vidmm_fence_next(struct vidmm_engine *engine);
/* Give the flight the next fence and put it on the node. There is room for it. */
void vidmm_fence_submit(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node);
/* Follow the node's newest packet, with no fence of its own. False: nothing is in flight there,
 * and nothing has changed. */
bool vidmm_fence_follow(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node);

/* The 64 bits behind a SubmissionFenceId that was reported for the node. */
uint64_t vidmm_fence_widen(const struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* Whether a packet with that fence was submitted to the node and has not ended. */
bool vidmm_fence_is_in_flight(const struct vidmm_engine *engine, uint32_t node, uint64_t fence);
/* Whether every packet up to the fence is complete on every node but one; VIDMM_NODES: on all. */
bool vidmm_fence_passed_elsewhere(const struct vidmm_engine *engine, uint64_t fence, uint32_t node);
/* Whether any node has a packet that has not ended, or has to go again. */
bool vidmm_fence_any_in_flight(const struct vidmm_engine *engine);

/* When the first packet in flight is overdue, in the time of the events; UINT64_MAX: none is in
 * flight. */
uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine);
bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node);

#endif
