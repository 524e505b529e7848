/* fence_page.h: the memory in which the values of monitored fences lie. */
#ifndef VIDMM_CLIENT_FENCE_PAGE_H
#define VIDMM_CLIENT_FENCE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_fence;
struct vidmm_process;

/* Whether the GPU of the adapter reaches fences by addresses. */
bool vidmm_fences_are_reached(const struct vidmm_adapter *adapter);
/* Give a fence, whose device and flags are known, a place for its value. STATUS_NO_MEMORY: no page,
 * no address space or no record; STATUS_DEVICE_REMOVED. The mutex is not held. */
NTSTATUS vidmm_fence_page_take(struct vidmm_fence *fence);
/* The place may serve another fence of the process. The mutex is held. */
void vidmm_fence_page_release(struct vidmm_fence *fence);
/* The address of a fence in a process; its page is mapped there if it is not yet. 0: *status says
 * why. The mutex is held. */
uint64_t vidmm_fence_page_address(struct vidmm_fence *fence, const struct vidmm_process *process,
                                  NTSTATUS *status);
/* A process ends, and has no addresses any more: pages that no other process sees go. The mutex is
 * not held. */
void vidmm_fence_pages_leave(struct vidmm_adapter *adapter, const struct vidmm_process *process);

#endif
