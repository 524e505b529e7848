/* chipset.h: mapping operations of the AGP-type segment, which the chipset does and no miniport. */
#ifndef VIDMM_DDI_CHIPSET_H
#define VIDMM_DDI_CHIPSET_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Whether the operation is one that the miniport is not asked for (D-033). */
bool vidmm_is_for_chipset(const struct vidmm_adapter *adapter,
                          const struct vidmm_operation *operation);
/* Map or unmap, and write the answer: VIDMM_EVENT_BUILT. It cannot fail. */
void vidmm_map_by_chipset(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                          struct vidmm_event *answer);

#endif
