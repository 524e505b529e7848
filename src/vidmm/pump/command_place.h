/* command_place.h: memory for commands, with a place that the GPU fetches them from.
 *
 * Passive level, the mutex is not held. In an aperture the memory is an allocation of the engine's,
 * with a record of its own; it may wait until it is mapped there.
 */
#ifndef VIDMM_PUMP_COMMAND_PLACE_H
#define VIDMM_PUMP_COMMAND_PLACE_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_command_memory;
struct vidmm_device;

/* Make memory for commands: in an aperture of `segment_set` (bit n: segment n + 1), or contiguous
 * if that is 0. STATUS_NO_MEMORY; STATUS_GRAPHICS_NO_VIDEO_MEMORY: no room in the aperture.
 * Refused: nothing of it is left. */
NTSTATUS vidmm_command_memory_init(struct vidmm_adapter *adapter, struct vidmm_device *device,
                                   struct vidmm_command_memory *memory, uint32_t segment_set,
                                   uint32_t size, uint32_t private_size);
/* Give it back, with its place; takes one that is zeroed, and leaves it so. */
void vidmm_command_memory_finish(struct vidmm_adapter *adapter,
                                 struct vidmm_command_memory *memory);
/* Make paging buffer `id`: an instance for each physical adapter, all at one place. Refused:
 * nothing of it is left. */
NTSTATUS vidmm_paging_memory_init(struct vidmm_adapter *adapter, uint32_t id, uint32_t segment_set);
void vidmm_paging_memory_finish(struct vidmm_adapter *adapter, uint32_t id);
/* Make a page at the end of the AGP-type segment, if there is one, that nobody uses. Refused as
 * above. */
NTSTATUS vidmm_own_page_init(struct vidmm_adapter *adapter);

#endif
