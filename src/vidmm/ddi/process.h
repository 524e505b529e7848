/* process.h: DxgkDdiCreateProcess and DxgkDdiDestroyProcess. A caller has the turn of the process,
 * and is inside the driver by it. */
#ifndef VIDMM_DDI_PROCESS_H
#define VIDMM_DDI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_process;

/* Tell the miniport of a process; its handle is in the record then. One that has no such entry, as
 * a driver without virtual addresses may, is not told. The driver's status. */
NTSTATUS vidmm_ddi_create_process(struct vidmm_process *process);
/* The miniport's handle of a process, by its id in events; NULL: it has none, or is gone. */
HANDLE vidmm_ddi_process_handle(const struct vidmm_adapter *adapter, uint32_t id);
/* Tell it that the process is gone; nothing, where it was not told that there is one. */
void vidmm_ddi_destroy_process(struct vidmm_process *process);

#endif
