/* fence_value.h: the values of monitored fences, in memory. The mutex is held by all callers. */
#ifndef VIDMM_PUMP_FENCE_VALUE_H
#define VIDMM_PUMP_FENCE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_fence;
struct vidmm_operation;

/* The fence with that id in events, which is not a paging queue's. NULL: there is none. */
struct vidmm_fence *vidmm_fence_find(const struct vidmm_adapter *adapter, uint32_t id);
/* VIDMM_DO_WRITE_FENCE: its memory holds the value from here on. */
void vidmm_fence_value_write(struct vidmm_adapter *adapter,
                             const struct vidmm_operation *operation);
/* VIDMM_DO_READ_FENCE: it is read when the plan has been carried out. */
void vidmm_fence_value_note(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);
/* Fill in the event by which the engine hears of the value of a fence that is not a paging queue's.
 */
void vidmm_fence_value_tell(const struct vidmm_fence *fence, struct vidmm_event *event);
/* Do that for one that is noted, which it is no longer. False: none is. */
bool vidmm_fence_value_next(struct vidmm_adapter *adapter, struct vidmm_event *event);
/* Its memory holds the value, or has come further. */
void vidmm_fence_value_raise(struct vidmm_fence *fence, uint64_t value);

#endif
