/* table_tell.h: entries and roots of page tables, as operations tell of them.
 *
 *     first submission of a context   VIDMM_DO_ROOT, right before it (W-013)
 *     a root of two levels, resized   written --> nothing of the process runs
 *                                     --> VIDMM_DO_SET_ROOT --> FlushTlb of the old one
 *                                     --> executed: VIDMM_DO_FREE_TABLE
 *
 * Source: "GPU virtual address", DXGKDDI_SETROOTPAGETABLE; rules D-136, D-265.
 */
#ifndef VIDMM_ENGINE_CARRY_TABLE_TELL_H
#define VIDMM_ENGINE_CARRY_TABLE_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

#include "vidmm/engine/address/page_table.h"
#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_process;

/* The place of a page table, which has memory, as an operation says it. */
struct vidmm_place vidmm_table_place(const struct vidmm_engine *engine,
                                     const struct vidmm_page_table *table);
/* A kind of entry, as an operation says it. */
enum vidmm_entry_kind vidmm_table_entry_kind(enum vidmm_entry entry);
/* Tell of an entry of a table above a leaf, as VIDMM_DO_ENTRY does: what is so now, and invalid of
 * a table that has no memory. early: one that has not been cleared is told as invalid, too.
 * second: of the two that an entry of a table with pairs is, the one for leaves of 64 KiB. */
void vidmm_table_tell_entry(const struct vidmm_engine *engine, const struct vidmm_process *process,
                            const struct vidmm_page_table *table, uint32_t index, bool early,
                            bool second, struct vidmm_operation *told);
/* The root by which the GPU translates addresses of the process: until its contexts get another one
 * the oldest. */
const struct vidmm_page_table *vidmm_root_in_use(const struct vidmm_process *process);
/* Whether a process can be told of its root, which was resized. */
bool vidmm_root_will_switch(const struct vidmm_engine *engine);
/* Tell the contexts of such a process. CALL: VIDMM_DO_SET_ROOT is in the plan. WAIT: another call
 * ends first. */
enum vidmm_progress vidmm_root_switch(struct vidmm_engine *engine);
/* Take in the answer. STATUS_INVALID_PARAMETER: nothing was asked. */
NTSTATUS vidmm_root_set(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Append VIDMM_DO_ROOT for the submission that follows; nothing for NULL, or a process without
 * tables. */
void vidmm_root_tell(struct vidmm_engine *engine, const struct vidmm_process *process);
/* Whether the page tables of a device's process say what is so before a packet on the node runs; a
 * process without tables is due from here on. */
bool vidmm_table_precede(struct vidmm_engine *engine, uint32_t device);
/* Whether page tables of a device's process are still to be written. */
bool vidmm_table_is_due(const struct vidmm_engine *engine, uint32_t device);

#endif
