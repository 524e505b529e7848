/* facts.h: what follows from an adapter's structure. Nothing here changes, allocates or fails. */
#ifndef VIDMM_OBJECT_FACTS_H
#define VIDMM_OBJECT_FACTS_H

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

/* Whether the adapter has stopped and nobody is carrying anything out any more: what is left may be
 * taken apart. The mutex is held. */
static inline bool vidmm_adapter_is_still(const struct vidmm_adapter *adapter)
{
    return adapter->stopped && !adapter->pumping && !adapter->chores_first && !adapter->graves;
}

/* Whether it has several physical adapters. */
static inline bool vidmm_adapter_is_linked(const struct vidmm_adapter *adapter)
{
    return adapter->link_count > 1;
}

/* How many nodes the driver has; one, if it is not MultiEngineAware. */
static inline uint32_t vidmm_adapter_nodes(const struct vidmm_adapter *adapter)
{
    return adapter->multi_engine ? adapter->caps.GpuEngineTopology.NbAsymetricProcessingNodes : 1;
}

/* The node that paging goes to: obeys D-260. */
static inline uint32_t vidmm_paging_node(const struct vidmm_adapter *adapter)
{
    return adapter->multi_engine ? adapter->caps.MemoryManagementCaps.PagingNode : 0;
}

/* Whether the segment is the chipset's, which its GART maps and not the miniport. */
static inline bool vidmm_segment_is_agp(const struct vidmm_adapter *adapter, uint32_t id)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    return flags.Agp;
}

/* The highest frame of a page that the GPUs can address, or VIDMM_ANY_FRAME: obeys D-029. */
static inline uint64_t vidmm_highest_frame(const struct vidmm_adapter *adapter)
{
    uint64_t highest = (uint64_t)adapter->caps.HighestAcceptableAddress.QuadPart;

    return highest == 0 ? VIDMM_ANY_FRAME : highest >> VIDMM_PAGE_SHIFT;
}

/* The paging buffer of physical adapter `engine`. */
static inline struct vidmm_paging_memory *vidmm_paging_of(struct vidmm_adapter *adapter,
                                                          uint32_t engine, uint32_t id)
{
    return engine > 0 ? &adapter->links[engine]->paging[id] : &adapter->paging[id];
}

/* The pages that physical adapter `engine` uses of an allocation. */
static inline struct vidmm_backing *vidmm_backing_of(struct vidmm_allocation *allocation,
                                                     uint32_t engine)
{
    return engine > 0 && allocation->instances ? &allocation->instances[engine - 1]
                                               : &allocation->backing;
}

#endif
