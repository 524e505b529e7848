/* facts.h: facts that follow from an adapter's structure. Nothing here changes, allocates or
 * fails. */
#ifndef VIDMM_OBJECT_FACTS_H
#define VIDMM_OBJECT_FACTS_H

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

/* Whether the adapter has stopped and nobody is carrying anything out any more: the rest may be
 * taken apart. The mutex is held. */
static inline bool vidmm_adapter_is_still(const struct vidmm_adapter *adapter)
{
    return adapter->stopped && !adapter->pumping && !adapter->chores.first && !adapter->graves;
}

/* Whether it has several physical adapters. */
static inline bool vidmm_adapter_is_linked(const struct vidmm_adapter *adapter)
{
    return adapter->link_count > 1;
}

/* The pages that physical adapter `engine` uses of an allocation. */
static inline struct vidmm_backing *vidmm_backing_of(struct vidmm_allocation *allocation,
                                                     uint32_t engine)
{
    return engine > 0 && allocation->instances ? &allocation->instances[engine - 1]
                                               : &allocation->backing;
}

#endif
