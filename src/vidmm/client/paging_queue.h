/* paging_queue.h: paging queues, as the other files of this room need them. */
#ifndef VIDMM_CLIENT_PAGING_QUEUE_H
#define VIDMM_CLIENT_PAGING_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_event;
struct vidmm_paging_queue;
struct vidmm_report;
struct vidmm_residency_result;

/* Whether programs say what is resident on the adapter: from 2.0 on. If they do not, the report
 * says so. */
bool vidmm_residency_is_explicit(const struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Give the engine a request about residency, and take its answer. queue: NULL of an eviction. The
 * mutex is held. The engine's answer, or STATUS_DEVICE_REMOVED: the adapter has stopped. */
NTSTATUS vidmm_residency_ask(struct vidmm_device *device, struct vidmm_paging_queue *queue,
                             struct vidmm_event *event, struct vidmm_residency_result *result);
/* Say why the engine has refused `count` allocations that are right as far as arguments go; after
 * another status nothing is said. Answers the status. */
NTSTATUS vidmm_residency_refuse(const struct vidmm_device *device, NTSTATUS status,
                                const struct vidmm_residency_result *result, uint32_t count,
                                struct vidmm_report *report);
/* Destroy the queues of a device that goes, and wait until nothing is pending on them. */
void vidmm_paging_queues_finish(struct vidmm_device *device);

#endif
