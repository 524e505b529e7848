/* table_tell.h: entries of page tables, as operations tell of them. */
#ifndef VIDMM_ENGINE_CARRY_TABLE_TELL_H
#define VIDMM_ENGINE_CARRY_TABLE_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>

#include "vidmm/engine/address/page_table.h"

struct vidmm_engine;
struct vidmm_process;

/* The place of a page table, which has memory, as an operation says it. */
struct vidmm_place vidmm_table_place(const struct vidmm_engine *engine,
                                     const struct vidmm_page_table *table);
/* A kind of entry, as an operation says it. */
enum vidmm_entry_kind vidmm_table_entry_kind(enum vidmm_entry entry);
/* Tell of an entry of a table above a leaf, as VIDMM_DO_ENTRY does: what is so now, and invalid of
 * a table that has no memory. early: one that has not been cleared is told as invalid, too. */
void vidmm_table_tell_entry(const struct vidmm_engine *engine, const struct vidmm_process *process,
                            const struct vidmm_page_table *table, uint32_t index, bool early,
                            struct vidmm_operation *told);

#endif
