/* recovery.h: the calls of timeout detection and recovery. */
#ifndef VIDMM_DDI_RECOVERY_H
#define VIDMM_DDI_RECOVERY_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Make the call of an operation: it answers what the driver did, or STATUS_NOT_SUPPORTED where the
 * driver does not have it. Those that ask write what they learned into `recovered` of the answer.
 * Passive level, the mutex is not held. */
NTSTATUS vidmm_ddi_query_fence(struct vidmm_adapter *adapter,
                               const struct vidmm_operation *operation, struct vidmm_event *answer);
NTSTATUS vidmm_ddi_preempt(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);
NTSTATUS vidmm_ddi_query_engine(struct vidmm_adapter *adapter,
                                const struct vidmm_operation *operation,
                                struct vidmm_event *answer);
NTSTATUS vidmm_ddi_query_group(struct vidmm_adapter *adapter,
                               const struct vidmm_operation *operation, struct vidmm_event *answer);
NTSTATUS vidmm_ddi_reset_engine(struct vidmm_adapter *adapter,
                                const struct vidmm_operation *operation,
                                struct vidmm_event *answer);
/* These two call every physical adapter of a link, and stop at the first that refuses. */
NTSTATUS vidmm_ddi_reset(struct vidmm_adapter *adapter);
NTSTATUS vidmm_ddi_restart(struct vidmm_adapter *adapter);
/* Whether nodes can be preempted; whether engines can be reset alone. */
bool vidmm_ddi_preempts(const struct vidmm_adapter *adapter);
bool vidmm_ddi_resets_engines(const struct vidmm_adapter *adapter);

#endif
