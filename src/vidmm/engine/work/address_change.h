/* address_change.h: addresses are reserved, mapped, changed and freed; address_change.c. */
#ifndef VIDMM_ENGINE_WORK_ADDRESS_CHANGE_H
#define VIDMM_ENGINE_WORK_ADDRESS_CHANGE_H

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_RESERVE_ADDRESSES .. FREE_ADDRESSES. STATUS_SUCCESS: it names no paging queue.
 * STATUS_PENDING: the paging queue passes a value when the page tables are written, and the GPU has
 * forgotten what it knew. STATUS_INVALID_PARAMETER: a queue that is none, of a device of another
 * process, or for FREE_ADDRESSES; else as vidmm_process_change(); the status of a device in
 * error. */
NTSTATUS vidmm_address_change(struct vidmm_engine *engine, const struct vidmm_event *event);

#endif
