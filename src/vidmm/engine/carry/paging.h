/* paging.h: moves into paging buffers; paging.c draws the call protocol of BuildPagingBuffer.
 *
 * Source: document 4, DxgkDdiBuildPagingBuffer.
 */
#ifndef VIDMM_ENGINE_CARRY_PAGING_H
#define VIDMM_ENGINE_CARRY_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* Go on with the moves: submit a paging buffer that is full, decide how the next page-out goes, and
 * hand out the next call. IDLE: the queue is empty. CALL: a call is in the plan. WAIT: something in
 * flight ends first. */
enum vidmm_progress vidmm_paging_go_on(struct vidmm_engine *engine);
/* Hand out the next call for the queue of moves. IDLE: the queue is empty. CALL: VIDMM_DO_BUILD, or
 * a call that comes before it, is in the plan. WAIT: something in flight ends first. */
enum vidmm_progress vidmm_paging_build(struct vidmm_engine *engine);
/* Take in the answer to VIDMM_DO_BUILD; one is under way. */
void vidmm_paging_built(struct vidmm_engine *engine, const struct vidmm_event *event);
#endif
