/* by_address.h: the steps of a move by addresses of the paging process.
 *
 *     scratch   | from | to | from, of 64 KiB pages | to, of 64 KiB pages |
 *                   \__________.     .___________________/
 *     chunk         system      \___/        memory
 *
 * A chunk is as much of an allocation as a part of the scratch range maps. Its two ends are mapped
 * by updates of the paging process's tables, a run an update; FlushTlb follows, and a transfer or a
 * fill. With `wide_scratch` the end in memory is mapped by pages of 64 KiB if it consists of them.
 *
 * Source: "System paging process", "Driver protection", "Support for 64KB pages".
 */
#ifndef VIDMM_ENGINE_CARRY_BY_ADDRESS_H
#define VIDMM_ENGINE_CARRY_BY_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_move;
struct vidmm_move_step;

/* Whether the step is done by address. */
bool vidmm_is_by_address(const struct vidmm_move_step *step);
/* A turn of the loop begins: choose its chunk, as much as the scratch range maps, and as one driver
 * protection is of. */
void vidmm_by_address_begin(struct vidmm_engine *engine, const struct vidmm_move *move);
/* Bytes of the next call of the move's step: of an update of page tables, the run that is next
 * (D-117). */
uint64_t vidmm_by_address_span(const struct vidmm_engine *engine, const struct vidmm_move *move);
/* Append that call to the plan. */
void vidmm_by_address_emit(struct vidmm_engine *engine, const struct vidmm_move *move);
/* The driver has built that call: note what entries of the scratch range say. */
void vidmm_by_address_built(struct vidmm_engine *engine, const struct vidmm_move *move);
/* Whether the step is a FlushTlb without which the GPU remembers nothing false: what was written
 * since the last was invalid, and such entries it does not keep (D-128). No call is made for it. */
bool vidmm_by_address_is_needless(const struct vidmm_engine *engine,
                                  const struct vidmm_move_step *step);
/* The tables of the paging process are cleared: nothing of the scratch range is mapped. */
void vidmm_by_address_forget(struct vidmm_engine *engine);

#endif
