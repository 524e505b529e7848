/* budget.h: how much memory the devices of a process may have resident, and the requests to need
 * less; budget.c says by what rule.
 *
 *     local group        [ process 1: usage | 2: usage |  free        ]   memory segments
 *     non-local group    [ process 1 |         free                   ]   apertures
 *
 * A process answers for what the residency lists of its devices name, in the group of the segment
 * where that is best. Process 0 has no budget, and stands for devices that have joined none.
 *
 * Source: "Process residency budgets"; D3DKMT_QUERYVIDEOMEMORYINFO; D-204 to D-207.
 */
#ifndef VIDMM_ENGINE_STATE_BUDGET_H
#define VIDMM_ENGINE_STATE_BUDGET_H

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Sum up what budgets are about; the segments are known. */
void vidmm_budget_init(struct vidmm_engine *engine);
/* VIDMM_EVENT_JOIN: the device belongs to the process from here on. STATUS_INVALID_PARAMETER: no
 * such device, one that has joined before or has something on its list, or a process out of range;
 * STATUS_NO_MEMORY. */
NTSTATUS vidmm_budget_join(struct vidmm_engine *engine, const struct vidmm_event *event);
/* The device is destroyed: its process has one less. Its list is empty. */
void vidmm_budget_part(struct vidmm_engine *engine, uint32_t device);
/* VIDMM_EVENT_BUDGET, VIDMM_EVENT_RESERVE. STATUS_INVALID_PARAMETER: no such process or group; more
 * than the group has, or than can be reserved (D-206). */
NTSTATUS vidmm_budget_set(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_budget_reserve(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Ask a device for a periodic trim, or to begin its periods anew: VIDMM_TRIM_PERIODIC or
 * VIDMM_TRIM_RESTART_PERIODIC. The newer of them counts. */
void vidmm_budget_ask(struct vidmm_engine *engine, uint32_t device, uint32_t asked);
/* VIDMM_EVENT_TRIM: every device is asked for a periodic trim. */
NTSTATUS vidmm_budget_trim(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Bytes by which the process of the device would be above its budgets, if its lists named so much
 * more of each group. */
uint64_t vidmm_budget_excess(const struct vidmm_engine *engine, uint32_t device,
                             const uint64_t more[VIDMM_SEGMENT_GROUPS]);
/* Bytes by which the device's list is too large for the memory there is, if it named so much more:
 * by the segments that may hold it. */
uint64_t vidmm_budget_shortage(const struct vidmm_engine *engine, uint32_t device,
                               const uint64_t more[LISTED_KINDS]);
/* The group whose budget an allocation counts for: that of the segment where it is best.
 * VIDMM_SEGMENT_GROUPS: for none (D-205). */
uint32_t vidmm_budget_group(const struct vidmm_engine *engine, const struct vidmm_wish *wish);
/* Lists have grown, or budgets have shrunk: ask whoever is above its budget to trim. */
void vidmm_budget_look(struct vidmm_engine *engine);
/* Append VIDMM_DO_TRIM for one device of which it is due. False: for none. */
bool vidmm_budget_tell(struct vidmm_engine *engine);
/* Stop the program if an invariant does not hold. */
void vidmm_budget_check(const struct vidmm_engine *engine);

#endif
