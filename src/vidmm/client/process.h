/* process.h: the processes that have devices on an adapter, as the miniport is told of them. */
#ifndef VIDMM_CLIENT_PROCESS_H
#define VIDMM_CLIENT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_process;
struct vidmm_report;

/* Take the process for one device more; the miniport is told of it with the first. Below 2.0 there
 * are none, and *process becomes NULL. STATUS_NO_MEMORY, or the driver's status: the report says
 * which. */
NTSTATUS vidmm_process_take(struct vidmm_adapter *adapter, uint64_t number, bool system,
                            struct vidmm_process **process, struct vidmm_report *report);
/* Give it back; the miniport is told when its last device has gone. Takes NULL. */
void vidmm_process_release(struct vidmm_process *process);
/* Have the miniport make its side of the process anew, with all that it reserves in it; its devices
 * have no side of the miniport's. The driver's status; refused: it has none. */
NTSTATUS vidmm_process_renew(struct vidmm_process *process);
/* A number for the engine, which no process has, nor one that is gone and of which page tables are
 * still to be written. The mutex is held. */
uint32_t vidmm_process_free_id(struct vidmm_adapter *adapter);
/* Give back what is kept of those that are gone: the engine writes no page tables any more. */
void vidmm_processes_finish(struct vidmm_adapter *adapter);

#endif
