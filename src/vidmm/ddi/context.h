/* context.h: DxgkDdiCreateContext and DxgkDdiDestroyContext.
 *
 * A miniport that is not MultiEngineAware knows no contexts (D-303): a context is then the
 * manager's own object, with the DMA-buffer properties that the miniport gave for the device.
 */
#ifndef VIDMM_DDI_CONTEXT_H
#define VIDMM_DDI_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct _DXGK_CONTEXTINFO;
struct vidmm_adapter;
struct vidmm_context;
struct vidmm_report;

/* Have the miniport make a context in each engine. *info receives what the lead says of its DMA
 * buffers. The driver's status; refused: vidmm_ddi_destroy_contexts() undoes what was made. */
NTSTATUS vidmm_ddi_create_contexts(struct vidmm_context *context, void *private_data,
                                   uint32_t private_data_size, struct _DXGK_CONTEXTINFO *info);
/* Have them destroyed; nothing, where none was made. */
void vidmm_ddi_destroy_contexts(const struct vidmm_context *context);
/* Have the miniport make the context of paging in each engine; nothing, where it knows no contexts.
 * The system device is there. Refused: vidmm_ddi_destroy_system_contexts() undoes what was made. */
NTSTATUS vidmm_ddi_create_system_contexts(struct vidmm_adapter *adapter);
void vidmm_ddi_destroy_system_contexts(struct vidmm_adapter *adapter);
/* Judge what the driver says of a context's DMA buffers. STATUS_GRAPHICS_DRIVER_MISMATCH: the
 * report names what is impossible. */
NTSTATUS vidmm_ddi_check_context(const struct vidmm_adapter *adapter,
                                 const struct _DXGK_CONTEXTINFO *info, struct vidmm_report *report);
/* The context that the miniport knows: of a hardware queue the one that it belongs to. */
struct vidmm_context *vidmm_context_of_driver(struct vidmm_context *context);
/* The handle that Render, Patch and SubmitCommand name for an engine: obeys D-303. */
HANDLE vidmm_context_handle(const struct vidmm_context *context, uint32_t engine);
/* The engines that it runs on, a bit each. */
uint32_t vidmm_context_engines(const struct vidmm_context *context);
/* The handle of the context of paging in an engine. */
HANDLE vidmm_ddi_system_context(const struct vidmm_adapter *adapter, uint32_t engine);

/* The handle of the context that runs a paging buffer: the companion with that number, which
 * *context receives, or if it is 0 the system's, and NULL. The mutex is not held. */
HANDLE vidmm_ddi_paging_context(struct vidmm_adapter *adapter, uint32_t engine, uint32_t companion,
                                struct vidmm_context **context);

/* Whether the driver knows contexts (MultiEngineAware); otherwise devices are submitted to. */
bool vidmm_ddi_has_contexts(const struct vidmm_adapter *adapter);

#endif
