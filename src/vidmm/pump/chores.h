/* chores.h: the work of a plan with pages and records, which takes as long as it takes.
 *
 * A chore is a member of its allocation and cannot run out.
 */
#ifndef VIDMM_PUMP_CHORES_H
#define VIDMM_PUMP_CHORES_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_allocation;

/* Add CHORE_CLEAR or CHORE_DROP to what is due of an allocation. The mutex is held. */
void vidmm_chore_add(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                     uint32_t chore);
/* The engine has let go of an allocation: it goes, behind its chores. The mutex is held. */
void vidmm_chore_destroy(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation);
/* Do what is due of one allocation; look once at each that waits for its process's turn. False:
 * there was none. The mutex is held, but not meanwhile. */
bool vidmm_chores_take(struct vidmm_adapter *adapter);
bool vidmm_graves_take(struct vidmm_adapter *adapter);

#endif
