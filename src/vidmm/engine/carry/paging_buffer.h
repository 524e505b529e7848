/* paging_buffer.h: paging buffers are opened, submitted and complete; paging_buffer.c draws them.
 *
 * Source: document 4, DxgkDdiBuildPagingBuffer; "Tile resources".
 */
#ifndef VIDMM_ENGINE_CARRY_PAGING_BUFFER_H
#define VIDMM_ENGINE_CARRY_PAGING_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_companion;
struct vidmm_engine;
struct vidmm_operation;
struct vidmm_paging_buffer;

/* Have a paging buffer open that the companion runs, or if that is NULL the system's context. IDLE:
 * it is open. CALL: what another context runs is submitted first. WAIT: something in flight ends
 * first. */
enum vidmm_progress vidmm_paging_open(struct vidmm_engine *engine,
                                      const struct vidmm_companion *companion);
/* Append VIDMM_DO_SUBMIT_PAGING of a paging buffer, behind the root of its companion, and answer it
 * to be filled in further. There is room in the plan. */
struct vidmm_operation *vidmm_paging_tell(struct vidmm_engine *engine,
                                          const struct vidmm_paging_buffer *buffer);
/* The operations built next, into the buffer that is open, are not executed before packets up to
 * the fence, of any node. */
void vidmm_paging_wait_for(struct vidmm_engine *engine, uint64_t fence);
/* Submit the open paging buffer, if there is one. IDLE: there is none, or nothing was written. */
enum vidmm_progress vidmm_paging_flush(struct vidmm_engine *engine);
/* The fence of a paging buffer has passed: its moves are finished, and it is free. */
void vidmm_paging_complete(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer);
/* Whether paging is in flight on another node than `but`; VIDMM_NODES: on any. */
bool vidmm_paging_flies(const struct vidmm_engine *engine, uint32_t but);

#endif
