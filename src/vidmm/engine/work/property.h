/* property.h: an allocation gets other segments, other preferences, or is accessed physically from
 * here on; property.c. */
#ifndef VIDMM_ENGINE_WORK_PROPERTY_H
#define VIDMM_ENGINE_WORK_PROPERTY_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_work;

/* VIDMM_EVENT_UPDATE_PROPERTY. STATUS_SUCCESS: it has these properties already. STATUS_PENDING: the
 * paging queue passes a value when it has them. STATUS_NO_MEMORY: bytes_to_trim is not 0: a list
 * that names it would be larger than the memory it may have; 0: no memory for a record.
 * STATUS_INVALID_PARAMETER: a queue, mask, set or allocation that is not legal;
 * STATUS_NOT_SUPPORTED: it is mapped by pages of a size that the new set does not allow; the status
 * of a device in error. Refused: nothing has changed. */
NTSTATUS vidmm_property_update(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Give the allocation of a work that has its turn and is begun its properties. FOUND: it has them,
 * and no range that it may not have. CALL, LATER: ask again. NONE: it cannot have them; *staged:
 * not before the CPU unlocks it. */
enum vidmm_found vidmm_property_apply(struct vidmm_engine *engine, struct vidmm_work *work,
                                      bool *staged);

#endif
