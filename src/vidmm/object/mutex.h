/* mutex.h: the one mutex of an adapter. It is not taken twice by one thread, and not held while the
 * miniport is called.
 *
 * Functions that need it held assert vidmm_adapter_is_locked(). It is a note which builds with
 * assertions take; it says that somebody holds the mutex, and only who holds it may look.
 */
#ifndef VIDMM_OBJECT_MUTEX_H
#define VIDMM_OBJECT_MUTEX_H

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"

#include "base/assert.h"

/* The adapter behind a const pointer is nobody's constant. */
static inline void vidmm_adapter_note_lock(const struct vidmm_adapter *adapter, bool locked)
{
#ifdef NDEBUG
    (void)adapter;
    (void)locked;
#else
    ((struct vidmm_adapter *)(uintptr_t)adapter)->locked = locked;
#endif
}

/* Whether the mutex is held; for assertions of whoever has to hold it. */
static inline bool vidmm_adapter_is_locked(const struct vidmm_adapter *adapter)
{
    return adapter->locked;
}

/* Take the mutex; waits for whoever holds it. */
static inline void vidmm_adapter_lock(const struct vidmm_adapter *adapter)
{
    adapter->host->lock(adapter->host->context);
    VIDMM_ASSERT(!adapter->locked);
    vidmm_adapter_note_lock(adapter, true);
}

static inline void vidmm_adapter_unlock(const struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(adapter->locked);
    vidmm_adapter_note_lock(adapter, false);
    adapter->host->unlock(adapter->host->context);
}

#endif
