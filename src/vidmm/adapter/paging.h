/* paging.h: what pages: the system's process, devices and context, and the paging buffers. */
#ifndef VIDMM_ADAPTER_PAGING_H
#define VIDMM_ADAPTER_PAGING_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Make them. Refused: the report says why, and what there is goes by vidmm_paging_stop() and with
 * the adapter. */
NTSTATUS vidmm_paging_start(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Make the paging process and its page tables anew, for its memory had no power; nothing, where it
 * has none. The engine rests, and nobody has the driver. Refused: it cannot page any more, and the
 * status says why. */
NTSTATUS vidmm_paging_renew(struct vidmm_adapter *adapter);
/* End what pages: waits for the GPU, takes the paging buffers away, and stops the engine. */
void vidmm_paging_stop(struct vidmm_adapter *adapter);

#endif
