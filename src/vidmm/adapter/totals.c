/* totals.c: how much memory for graphics there is, by the documents' formula; what nodes ran.
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
#include <vidmm/engine.h>
#include <vidmm/hw_queue.h>
#include <vidmm/plan.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/mutex.h"

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

/* ---- nodes ----------------------------------------------------------------------------------- */

void vidmm_packets_add(struct vidmm_packet_use *sum, const struct vidmm_packet_use *more)
{
    sum->running_ns += more->running_ns;
    sum->submitted += more->submitted;
    sum->completed += more->completed;
    sum->preempted += more->preempted;
    sum->faulted += more->faulted;
}

/* Packets of its hardware queues ran on the node. */
void vidmm_adapter_node_use(const struct vidmm_adapter *adapter, uint32_t node,
                            struct vidmm_node_use *use)
{
    uint32_t each = vidmm_hw_queues_of(adapter, node), queue;

    *use = (struct vidmm_node_use){.context_switches = 0};
    if (node >= adapter->node_count)
        return;
    vidmm_adapter_lock(adapter);
    *use = vidmm_engine_node_use(adapter->engine, node);
    for (queue = node * each; queue < (node + 1) * each; queue++) {
        const struct vidmm_node_use more =
            vidmm_engine_node_use(adapter->engine, adapter->node_count + queue);

        vidmm_packets_add(&use->render, &more.render);
    }
    vidmm_adapter_unlock(adapter);
}
