/* fence.h: the packets in flight on all nodes of an adapter; fence.c says what holds.
 *
 * timeline.h has the packets of one node, and what a fence value is. Here is what is true of all of
 * them together: how many there may be, and what has passed on every node.
 *
 * Source: DXGKARG_SUBMITCOMMAND, SubmissionFenceId; D-277, D-278.
 */
#ifndef VIDMM_ENGINE_STATE_FENCE_H
#define VIDMM_ENGINE_STATE_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_flight;

/* Whether the node is a hardware queue: it runs one context, is neither preempted nor reset alone,
 * and is never left. */
bool vidmm_node_is_hw_queue(const struct vidmm_engine *engine, uint32_t node);
/* Whether one more packet may be in flight on the node (D-277, D-278, D-305). */
bool vidmm_fence_room(const struct vidmm_engine *engine, uint32_t node);
/* Give the flight the next fence and put it on the node. There is room for it. */
void vidmm_fence_submit(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node);

/* Whether every packet up to the fence is complete on every node but one; VIDMM_NODES: on all. The
 * fence is of the counter that all nodes share. */
bool vidmm_fence_passed_elsewhere(const struct vidmm_engine *engine, uint64_t fence, uint32_t node);
/* Whether any node has a packet that has not ended, or has to go again. */
bool vidmm_fence_any_in_flight(const struct vidmm_engine *engine);

/* When the first packet in flight is overdue, in the time of the events; UINT64_MAX: none is in
 * flight. */
uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine);
bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node);

#endif
