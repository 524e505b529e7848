/* fence_wait.h: waits of the CPU for monitored fences, as the pump ends them. */
#ifndef VIDMM_CLIENT_FENCE_WAIT_H
#define VIDMM_CLIENT_FENCE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_fence;
struct vidmm_fence_notice;

/* vidmm_fence_notify() of one fence, inside of the mutex. STATUS_PENDING: the notice comes, later
 * and outside; STATUS_SUCCESS: it is so, and no notice comes; otherwise as that function. */
NTSTATUS vidmm_fence_await(struct vidmm_device *device, const struct vidmm_fence *fence,
                           uint64_t value, const struct vidmm_fence_notice *notice);

/* The engine has ended a wait. The mutex is held. */
void vidmm_fence_waited(struct vidmm_adapter *adapter, uint32_t request, NTSTATUS status);
/* Call one notice that is due. False: none is. The mutex is held, and given up meanwhile. */
bool vidmm_fence_tell(struct vidmm_adapter *adapter);
/* The adapter has stopped: all waits end with STATUS_DEVICE_REMOVED. The mutex is held. */
void vidmm_fence_waits_end(struct vidmm_adapter *adapter);

#endif
