/* address.c: addresses as the miniport is told them. */
#include "vidmm/ddi/address.h"

#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/command_memory.h"

#include "base/assert.h"

PHYSICAL_ADDRESS vidmm_ddi_address(const struct vidmm_adapter *adapter, struct vidmm_place place)
{
    uint64_t base = adapter->segments[place.segment].info.base_address; /* 0 of segment 0 */
    PHYSICAL_ADDRESS address;

    VIDMM_ASSERT(place.segment <= adapter->segment_count);
    address.QuadPart = (LONGLONG)(base + place.offset); /* obeys D-007 */
    return address;
}

PHYSICAL_ADDRESS vidmm_ddi_command_address(const struct vidmm_adapter *adapter,
                                           const struct vidmm_command_memory *memory)
{
    PHYSICAL_ADDRESS address;

    VIDMM_ASSERT(memory->place.segment <= adapter->segment_count);
    if (memory->place.segment != 0)
        return vidmm_ddi_address(adapter, memory->place);
    address.QuadPart = (LONGLONG)vidmm_backing_address(&memory->backing);
    return address;
}
