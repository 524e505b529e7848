/* recovery.h: a fence is late: ask, preempt, reset; recovery.c draws it. */
#ifndef VIDMM_ENGINE_RECOVER_RECOVERY_H
#define VIDMM_ENGINE_RECOVER_RECOVERY_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* Look at the time: something may be late. */
void vidmm_recovery_check(struct vidmm_engine *engine);
/* When to look, in the time of the events; UINT64_MAX: there is no need. */
uint64_t vidmm_recovery_deadline(const struct vidmm_engine *engine);
/* Hand out the next call of the recovery. IDLE: there is none. */
enum vidmm_progress vidmm_recovery_call(struct vidmm_engine *engine);
/* VIDMM_EVENT_PREEMPTED: a node has stopped, or the engine is failed: it never was to. */
NTSTATUS vidmm_recovery_preempted(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_RECOVERED: the answer to the call under way. STATUS_INVALID_PARAMETER: none is. */
NTSTATUS vidmm_recovery_answer(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_FAULT: a packet has ended by a page fault. Its device fails, and what is to be reset
 * is; or the engine is failed, for a node or packet that there is not, a paging packet, or flags
 * that say nothing. */
NTSTATUS vidmm_recovery_fault(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether reports of the node are not to be believed: it is being reset. */
bool vidmm_recovery_ignores(const struct vidmm_engine *engine, uint32_t node);

#endif
