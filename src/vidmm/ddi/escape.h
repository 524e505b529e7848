/* escape.h: DxgkDdiEscape. */
#ifndef VIDMM_DDI_ESCAPE_H
#define VIDMM_DDI_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_message;

/* Whether the driver has DxgkDdiEscape. */
bool vidmm_ddi_escapes(const struct vidmm_adapter *adapter);
/* Hand the driver a message. The caller is inside the driver, or with `hardware_access` has it for
 * himself (pump/alone.h). The driver's status. */
NTSTATUS vidmm_ddi_escape(const struct vidmm_adapter *adapter, const struct vidmm_message *message);

#endif
