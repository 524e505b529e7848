/* mutex.h: the one mutex of an adapter. It is not taken twice by one thread, and not held while the
 * miniport is called.
 */
#ifndef VIDMM_OBJECT_MUTEX_H
#define VIDMM_OBJECT_MUTEX_H

#include "vidmm/object/adapter.h"

/* Take the mutex; waits for whoever holds it. */
static inline void vidmm_adapter_lock(const struct vidmm_adapter *adapter)
{
    adapter->host->lock(adapter->host->context);
}

static inline void vidmm_adapter_unlock(const struct vidmm_adapter *adapter)
{
    adapter->host->unlock(adapter->host->context);
}

#endif
