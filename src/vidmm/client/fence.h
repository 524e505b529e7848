/* fence.h: monitored fences, as the other files of this room need them. */
#ifndef VIDMM_CLIENT_FENCE_H
#define VIDMM_CLIENT_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_device;
struct vidmm_fence;
struct vidmm_fence_point;
struct vidmm_report;

/* Make the fence of a paging queue, at VIDMM_FIRST_PAGING_FENCE; its id is the caller's to set.
 * STATUS_NO_MEMORY; STATUS_DEVICE_REMOVED. The mutex is not held. */
NTSTATUS vidmm_fence_make(struct vidmm_device *device, uint64_t value, uint32_t flags,
                          struct vidmm_fence **fence);
/* Give back a fence that the engine does not know, or not any more. Takes NULL. The mutex is
 * held. */
void vidmm_fence_unmake(struct vidmm_fence *fence);
/* Destroy all fences of a device that goes. The mutex is not held. */
void vidmm_fences_finish(struct vidmm_device *device);

/* Fences and values of one event. */
struct vidmm_fence_list_of {
    struct vidmm_fence_value values[VIDMM_FENCES_AT_ONCE];
};

/* Judge what a device names, to be signaled or waited for, and write it into `list`, which the
 * event then leads to. STATUS_NOT_SUPPORTED, STATUS_INVALID_PARAMETER, STATUS_ACCESS_DENIED: the
 * report says why. The mutex is not held. */
NTSTATUS vidmm_fence_points(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, bool signals, struct vidmm_fence_list_of *list,
                            struct vidmm_event *event, struct vidmm_report *report);
/* Say why the engine has refused what was judged so. Answers the status. */
NTSTATUS vidmm_fence_refuse(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, NTSTATUS status, struct vidmm_report *report);

#endif
