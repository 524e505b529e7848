/* linked.c: the records of physical adapters, and what those of a link make of a packet together.
 *
 * L1  A packet in flight stands in `linked` with the engines that have not completed it.
 * L2  An engine completes a node's packets in order, so a completed fence completes those before
 *     it.
 * L3  The engine (engine.h) hears of a fence when all packets of the node up to it have no engine
 *     left.
 *
 *     fence    10     11     12            engine 1 reports 12: nothing
 *     engines  0 1    0      0 1           engine 0 reports 11: both have done 10, and 11: fence 11
 *
 * A paging buffer in which one driver call wrote nothing is not submitted to that engine, as 11
 * here.
 *
 * Source: DXGKDDI_LINK_DEVICE; rules S0-052, S0-053, D-356.
 */
#include "vidmm/ddi/linked.h"

#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

/* ---- records --------------------------------------------------------------------------------- */

static void init_link(struct vidmm_adapter *adapter, struct vidmm_link *link,
                      const struct vidmm_host *host, void *physical_device_object)
{
    VIDMM_ASSERT(adapter->link_count < VIDMM_LINKS);
    link->adapter = adapter;
    link->host = host;
    link->physical_device_object = physical_device_object;
    link->callbacks.Size = adapter->miniport->interface_size;
    adapter->reports[adapter->link_count] = &link->reports;
    adapter->miniport->links[adapter->link_count++] = link;
}

static struct vidmm_link *new_link(struct vidmm_adapter *adapter)
{
    struct vidmm_link *link = vidmm_allocate(adapter->host, sizeof(*link));
    struct vidmm_paging_memory *paging;

    VIDMM_ASSERT(adapter->link_count < VIDMM_LINKS);
    if (!link)
        return NULL;
    paging = vidmm_allocate(adapter->host, VIDMM_PAGING_BUFFERS * sizeof(*paging));
    if (!paging) {
        vidmm_free(adapter->host, link);
        return NULL;
    }
    adapter->paging[adapter->link_count] = paging;
    return link;
}

static size_t most_packets(const struct vidmm_adapter *adapter)
{
    return adapter->options.queue_limit + VIDMM_PAGING_BUFFERS;
}

NTSTATUS vidmm_links_init(struct vidmm_adapter *adapter, const struct vidmm_host *host,
                          void *physical_device_object)
{
    uint32_t index;

    init_link(adapter, &adapter->miniport->lead, host, physical_device_object);
    if (adapter->options.link_count == 0)
        return STATUS_SUCCESS;
    adapter->miniport->linked =
        vidmm_allocate(host, most_packets(adapter) * sizeof(*adapter->miniport->linked));
    for (index = 0; index < adapter->options.link_count; index++) {
        struct vidmm_link *link = new_link(adapter);

        if (!link)
            return STATUS_NO_MEMORY;
        init_link(adapter, link, adapter->options.links[index].host,
                  adapter->options.links[index].physical_device_object);
    }
    adapter->options.links = NULL; /* the caller's, for the start only */
    return adapter->miniport->linked ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

void vidmm_links_finish(struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(adapter->link_count >= 1 && adapter->link_count <= VIDMM_LINKS);
    while (adapter->link_count > 1) {
        uint32_t last = --adapter->link_count;

        vidmm_free(adapter->host, adapter->paging[last]);
        vidmm_free(adapter->host, adapter->miniport->links[last]);
    }
    vidmm_free(adapter->host, adapter->miniport->linked);
}

/* ---- packets --------------------------------------------------------------------------------- */

void vidmm_linked_submitted(struct vidmm_adapter *adapter, uint32_t node, uint32_t fence,
                            uint32_t engines)
{
    if (!vidmm_adapter_is_linked(adapter))
        return;
    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(adapter->miniport->linked_count < most_packets(adapter));
    adapter->miniport->linked[adapter->miniport->linked_count++] =
        (struct vidmm_linked_packet){.node = node, .fence = fence, .engines = engines};
    vidmm_adapter_unlock(adapter);
}

/* Take the engine off all packets of the node up to the fence. False: no packet has it. */
static bool take_off(struct vidmm_adapter *adapter, uint32_t engine, uint32_t node, uint32_t fence)
{
    uint32_t end = adapter->miniport->linked_count, index;

    VIDMM_ASSERT(engine < adapter->link_count);
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (end > 0 && (adapter->miniport->linked[end - 1].node != node ||
                       adapter->miniport->linked[end - 1].fence != fence))
        end--;
    for (index = 0; index < end; index++)
        if (adapter->miniport->linked[index].node == node)
            adapter->miniport->linked[index].engines &= ~(1u << engine);
    return end > 0;
}

bool vidmm_linked_completed(struct vidmm_adapter *adapter, uint32_t engine, uint32_t node,
                            uint32_t *fence)
{
    bool some = false, held = false;
    uint32_t index, kept = 0;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (engine >= adapter->link_count)
        return false; /* no engine of this link: the driver broke D-356, and completes nothing */
    if (!take_off(adapter, engine, node, *fence))
        return true; /* nobody was given it: the engine says so */
    for (index = 0; index < adapter->miniport->linked_count; index++) {
        struct vidmm_linked_packet packet = adapter->miniport->linked[index];

        held |= packet.node == node && packet.engines != 0;
        if (packet.node == node && !held) {
            *fence = packet.fence; /* obeys L3 */
            some = true;
        } else {
            adapter->miniport->linked[kept++] = packet;
        }
    }
    adapter->miniport->linked_count = kept;
    return some;
}

bool vidmm_linked_is_busy(const struct vidmm_adapter *adapter, uint32_t engine, uint32_t node)
{
    bool busy = false;
    uint32_t index;

    VIDMM_ASSERT(engine < adapter->link_count);
    vidmm_adapter_lock(adapter);
    for (index = 0; index < adapter->miniport->linked_count; index++) {
        busy |= adapter->miniport->linked[index].node == node &&
                (adapter->miniport->linked[index].engines >> engine & 1) != 0;
    }
    vidmm_adapter_unlock(adapter);
    return busy;
}

void vidmm_linked_reset(struct vidmm_adapter *adapter)
{
    vidmm_adapter_lock(adapter);
    adapter->miniport->linked_count = 0;
    adapter->miniport->build_again = false;
    vidmm_adapter_unlock(adapter);
}
