/* process.h: DxgkDdiCreateProcess and DxgkDdiDestroyProcess. */
#ifndef VIDMM_DDI_PROCESS_H
#define VIDMM_DDI_PROCESS_H

#include <stdbool.h>

#include <wddm/ntstatus.h>

struct vidmm_adapter;
struct vidmm_process;

/* Tell the miniport of a process; its handle is in the record then. One that has no such entry, as
 * a driver without virtual addresses may, is not told. The driver's status. */
NTSTATUS vidmm_ddi_create_process(struct vidmm_process *process);
/* Tell it that the process is gone. */
void vidmm_ddi_destroy_process(const struct vidmm_process *process);

#endif
