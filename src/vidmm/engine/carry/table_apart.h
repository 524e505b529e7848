/* table_apart.h: a leaf of a link is written adapter by adapter, each by what its own addresses
 * mean.
 *
 *     record of the tree       entries 3 .. 6 of a leaf
 *     physical adapter 0       | 3 .. 5: pages of A |  6: invalid  |     a call each
 *     physical adapter 1       | 3: zero | 4 .. 6: pages of B      |
 *
 * An update of one adapter's tables is asked of that adapter alone (D-228). Adapters for which
 * nothing has changed are left out (D-229).
 */
#ifndef VIDMM_ENGINE_CARRY_TABLE_APART_H
#define VIDMM_ENGINE_CARRY_TABLE_APART_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_operation;
struct vidmm_page_table_update;
struct vidmm_process;

/* Whether the record is one that is written so: it is of a leaf that stays, and does not clear
 * it. */
bool vidmm_table_is_apart(const struct vidmm_process *process,
                          const struct vidmm_page_table_update *record);
/* Begin with the first adapter that the call is for. */
void vidmm_table_apart_begin(struct vidmm_engine *engine);
/* Write the next part of the record that is under way. */
void vidmm_table_apart_fill(struct vidmm_engine *engine, struct vidmm_operation *build);
/* Note that the part is built. False: all of them are. */
bool vidmm_table_apart_next(struct vidmm_engine *engine);

#endif
