/* totals.c: how much memory for graphics there is, by the documents' formula.
 *
 *     total system memory
 *     |<---- available: half of it, 64 MB at least --->|
 *     |<- dedicated system ->|<------ the rest ------->|
 *                            |<- shared ->|              bounded by commit limits and the driver
 *
 * Source: "Calculating graphics memory".
 */
#include "vidmm/adapter/totals.h"

#include <vidmm/adapter.h>
#include <vidmm/plan.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"

#include "base/assert.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Neither sum is ever near 2^64 for real; a driver may say anything. */
static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

struct vidmm_memory_totals vidmm_memory_totals(const struct vidmm_segment_info *segments,
                                               uint32_t count, uint64_t system_memory,
                                               uint64_t commit_limit)
{
    struct vidmm_memory_totals totals = {.system = system_memory};
    uint64_t apertures = 0, half = system_memory / 2;
    uint32_t index;

    VIDMM_ASSERT(count < VIDMM_SEGMENTS);
    for (index = 0; index < count; index++) {
        DXGK_SEGMENTFLAGS flags = {.Value = segments[index].flags};

        if (flags.Aperture || flags.Agp)
            apertures = add(apertures, segments[index].commit_limit);
        else if (flags.PopulatedFromSystemMemory)
            totals.dedicated_system = add(totals.dedicated_system, segments[index].size);
        else
            totals.dedicated_video = add(totals.dedicated_video, segments[index].size);
    }
    totals.available = half > UINT64_C(64) << 20 ? half : UINT64_C(64) << 20;
    totals.dedicated_system = least(totals.dedicated_system, totals.available);
    totals.shared = least(commit_limit == 0 ? apertures : least(apertures, commit_limit),
                          totals.available - totals.dedicated_system); /* obeys D-246 */
    totals.total = add(add(totals.dedicated_video, totals.dedicated_system), totals.shared);
    return totals;
}

static uint64_t system_memory(const struct vidmm_host *host)
{
    return host->system_memory ? host->system_memory(host->context) : 0;
}

void vidmm_adapter_memory_totals(const struct vidmm_adapter *adapter,
                                 struct vidmm_memory_totals *out)
{
    struct vidmm_segment_info segments[VIDMM_SEGMENTS];
    uint32_t id;

    VIDMM_ASSERT(adapter->segment_count < VIDMM_SEGMENTS);
    for (id = 1; id <= adapter->segment_count; id++)
        segments[id - 1] = adapter->segments[id].info;
    *out = vidmm_memory_totals(segments, adapter->segment_count, system_memory(adapter->host),
                               adapter->miniport->caps.ApertureSegmentCommitLimit);
}

uint64_t vidmm_aperture_commit_limit(const struct vidmm_adapter *adapter)
{
    struct vidmm_memory_totals totals;

    if (system_memory(adapter->host) == 0)
        return adapter->miniport->caps.ApertureSegmentCommitLimit; /* the host does not say */
    vidmm_adapter_memory_totals(adapter, &totals);
    return totals.shared; /* obeys D-011 */
}
