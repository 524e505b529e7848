/* call.h: an operation of the engine becomes the call that it stands for. */
#ifndef VIDMM_DDI_CALL_H
#define VIDMM_DDI_CALL_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Make the call of the operation and write its answer. One caller at a time; the mutex is not held.
 * A mistake of the driver for which Windows stops becomes VIDMM_EVENT_FAIL. */
void vidmm_ddi_perform(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer);
/* Whether the operation is a call of level three, for which the gate is shut (D-307). */
bool vidmm_ddi_needs_gate(const struct vidmm_operation *operation);

#endif
