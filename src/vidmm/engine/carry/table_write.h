/* table_write.h: page tables are written: records into paging buffers, then FlushTlb.
 *
 *     due: process 3, process 7      (state/process.h)
 *            |
 *            v
 *     0  leaf, entries 16..31      one VIDMM_DO_BUILD each, the leaves first (W-012)
 *     1  what leads to it
 *     FlushTlb                     one, of all that the GPU must forget
 *            |  executed
 *            v
 *     VIDMM_DO_FREE_TABLE          of each table that nothing leads to any more
 *
 * A table that appears gets its memory before its first record; others may have to leave for it,
 * and they have left by then. A submission waits until nothing is due for its process.
 *
 * Source: "GPU virtual address", DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE, .._FLUSHTLB.
 */
#ifndef VIDMM_ENGINE_CARRY_TABLE_WRITE_H
#define VIDMM_ENGINE_CARRY_TABLE_WRITE_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_paging_buffer;
struct vidmm_process;

/* Hand out the next call for what is due. IDLE: nothing is. CALL: VIDMM_DO_BUILD is in the plan.
 * WAIT: something in flight ends first. MADE: page-outs were queued, which come before it. */
enum vidmm_progress vidmm_table_write(struct vidmm_engine *engine);
/* Hand out the next call for those processes whose tables have memory: none is given any. IDLE: all
 * that are due wait for some. */
enum vidmm_progress vidmm_table_write_ready(struct vidmm_engine *engine);
/* Hand out the next call for leaves that the GPU knows, and for their FlushTlb: afterwards the GPU
 * finds nothing any more in places that are to be vacated. Answers as vidmm_table_write(). */
enum vidmm_progress vidmm_table_write_known(struct vidmm_engine *engine);
/* Hand out the next call that a move by addresses of the paging process needs before it: its tables
 * come first, and have been executed. Answers as vidmm_table_write(). */
enum vidmm_progress vidmm_table_prepare_paging(struct vidmm_engine *engine);
/* Let the tables of a process leave that does not run, to make room for a table of `not_this`; or,
 * if that is NULL, for what the work whose turn it is needs: then its own process's tables leave
 * last. MADE: vidmm_table_write() has calls for it. WAIT: some leave already, or some will be able
 * to. IDLE: there are none. */
enum vidmm_progress vidmm_table_evict(struct vidmm_engine *engine,
                                      const struct vidmm_process *not_this);
/* The memory of page tables has lost its bytes, and the GPU is idle: all of them are to be written
 * anew, those of a process whose tables have left when it runs again. */
void vidmm_table_write_anew(struct vidmm_engine *engine);
/* Whether records are due that need no memory first. */
bool vidmm_table_may_go_on(const struct vidmm_engine *engine);
/* Take in the answer to VIDMM_DO_BUILD; it was one for page tables, and `open` is its buffer. */
void vidmm_table_built(struct vidmm_engine *engine, const struct vidmm_event *event,
                       const struct vidmm_paging_buffer *open);
/* Whether there is one to be given back by vidmm_table_free_left(). */
bool vidmm_table_has_left(const struct vidmm_engine *engine);
/* Give back a table, or the record of a process, that nothing in flight needs. False: there is
 * none. */
bool vidmm_table_free_left(struct vidmm_engine *engine);

#endif
