/* submit_virtual.h: DxgkDdiSetRootPageTable and DxgkDdiSubmitCommandVirtual. */
#ifndef VIDMM_DDI_SUBMIT_VIRTUAL_H
#define VIDMM_DDI_SUBMIT_VIRTUAL_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_context;
struct vidmm_event;
struct vidmm_operation;
struct vidmm_packet;

/* Whether packets go by GPU virtual addresses, and nothing is patched. */
bool vidmm_ddi_submits_virtual(const struct vidmm_adapter *adapter);
/* Note the root that the context of the next submission is to have (VIDMM_DO_ROOT). The mutex is
 * held. */
void vidmm_ddi_note_root(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);
/* Tell the miniport of it, if the context has another, or none. */
void vidmm_ddi_set_root(struct vidmm_adapter *adapter, struct vidmm_context *context);
/* Tell each context of the process that has had a root of the new one (VIDMM_DO_SET_ROOT), and
 * write the answer. */
void vidmm_ddi_switch_root(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                           struct vidmm_event *answer);
/* Submit a packet. The driver's status. */
NTSTATUS vidmm_ddi_submit_virtual(struct vidmm_adapter *adapter, const struct vidmm_packet *packet);

#endif
