/* address.h: addresses as the miniport is told them. BaseAddress is added here and nowhere else
 * (D-007).
 */
#ifndef VIDMM_DDI_ADDRESS_H
#define VIDMM_DDI_ADDRESS_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_command_memory;
struct vidmm_place;

/* The address of a place in a segment: BaseAddress and offset. Segment 0 has no BaseAddress: the
 * offset alone. */
PHYSICAL_ADDRESS vidmm_ddi_address(const struct vidmm_adapter *adapter, struct vidmm_place place);
/* The address of memory for commands: in its segment, or its physical address (D-081, D-321). */
PHYSICAL_ADDRESS vidmm_ddi_command_address(const struct vidmm_adapter *adapter,
                                           const struct vidmm_command_memory *memory);

#endif
