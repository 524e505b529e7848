/* submit.h: DxgkDdiPatch and DxgkDdiSubmitCommand. */
#ifndef VIDMM_DDI_SUBMIT_H
#define VIDMM_DDI_SUBMIT_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_operation;

/* Submit a paging buffer, a part of a DMA buffer, or the empty packet by which a node leaves its
 * context, to every engine that has it. The driver's status; where that is no status of Patch,
 * `call_fails` says so. */
NTSTATUS vidmm_ddi_submit_paging(struct vidmm_adapter *adapter,
                                 const struct vidmm_operation *operation);
NTSTATUS vidmm_ddi_submit_dma_buffer(struct vidmm_adapter *adapter,
                                     const struct vidmm_operation *operation);
NTSTATUS vidmm_ddi_submit_switch(struct vidmm_adapter *adapter,
                                 const struct vidmm_operation *operation);

#endif
