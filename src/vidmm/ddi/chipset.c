/* chipset.c: mapping operations of the AGP-type segment, which the chipset does and no miniport. */
#include "vidmm/ddi/chipset.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/segment.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"

#include "base/assert.h"

bool vidmm_is_for_chipset(const struct vidmm_adapter *adapter,
                          const struct vidmm_operation *operation)
{
    return (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT ||
            operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT) &&
           vidmm_segment_is_agp(adapter, operation->build.destination.segment);
}

void vidmm_map_by_chipset(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                          struct vidmm_event *answer)
{
    const struct vidmm_allocation *allocation = vidmm_allocation_of(adapter, operation->allocation);
    const struct vidmm_host *host = adapter->host;
    uint64_t first = operation->build.destination.offset >> VIDMM_PAGE_SHIFT;
    uint64_t count = operation->build.size >> VIDMM_PAGE_SHIFT;

    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(allocation && !vidmm_adapter_is_linked(adapter));
    VIDMM_ASSERT(operation->build.destination.offset % VIDMM_PAGE_SIZE == 0);
    if (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT) {
        host->map_agp(host->context, first, count,
                      (const uint64_t *)(const void *)(allocation->backing.mdl + 1));
    } else {
        host->unmap_agp(host->context, first, count);
    }
    answer->kind = VIDMM_EVENT_BUILT;
    answer->built.status = (uint32_t)STATUS_SUCCESS;
    answer->built.multipass_offset = 0;
    answer->built.written = 0;
}
