/* recovery.h: the calls of timeout detection and recovery. */
#ifndef VIDMM_DDI_RECOVERY_H
#define VIDMM_DDI_RECOVERY_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Make the call of the operation and write its answer: VIDMM_EVENT_RECOVERED, with
 * STATUS_NOT_SUPPORTED where the driver does not have it. */
void vidmm_ddi_recover(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer);
/* Whether nodes can be preempted; whether engines can be reset alone. */
bool vidmm_ddi_preempts(const struct vidmm_adapter *adapter);
bool vidmm_ddi_resets_engines(const struct vidmm_adapter *adapter);

#endif
