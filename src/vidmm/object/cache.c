/* cache.c: flush the processor's caches where content changes hands.
 *
 *     CPU writes  -- unlock --> CPU_WROTE -- use, transfer -->  flush: memory has it
 *     GPU writes  ------------> GPU_WROTE -- lock          -->  flush: the caches hide it no more
 *
 * Nothing else flushes: two uses of one side in a row need nothing. The allocations that it is
 * about are known when they are created: cacheable backing store, and a supported segment through
 * which the GPU does not see the caches. If host->flush_pages is NULL, every device sees the
 * caches, and there are no such allocations.
 *
 * Invariants (C), for an allocation that is incoherent:
 *   C1  CPU_WROTE is set whenever a lock on its backing store was released since the last flush,
 *       and from the beginning where that is memory that existed.
 *   C2  While a DMA buffer that writes it is queued or in flight, and after a transfer into its
 *       backing store was built, GPU_WROTE is set and WORD_OPEN_BACKING is not: the next lock asks
 *       the engine, which grants it when the GPU is done, and then the caches are flushed.
 *
 * Source: DXGK_ALLOCATIONINFOFLAGS, Cached; rules S0-018, S0-019, S0-032, S2-028.
 */
#include "vidmm/object/cache.h"

#include <vidmm/host.h>
#include <wddm/d3dkmddi_allocation.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/lock_word.h"

#include "base/assert.h"

bool vidmm_cache_is_incoherent(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish,
                               const struct vidmm_backing *backing)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};

    if (!adapter->host->flush_pages || backing->caching != VIDMM_CACHED || !flags.Cached)
        return false; /* obeys S0-032: without Cached, coherency is the driver's */
    return ((wish->read_set | wish->write_set) & ~adapter->sets.coherent) != 0; /* obeys S3-011 */
}

void vidmm_cache_give(struct vidmm_allocation *allocation, bool gpu_writes)
{
    uint64_t word = atomic_load(&allocation->word), next;

    VIDMM_ASSERT(!allocation->original);
    if (!allocation->incoherent)
        return;
    do {
        next = word & ~WORD_CPU_WROTE;
        if (gpu_writes)
            next = (next | WORD_GPU_WROTE) & ~WORD_OPEN_BACKING;
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    /* The holder of a lock may be writing. */
    if ((word & (WORD_CPU_WROTE | WORD_LOCKS)) != 0)
        vidmm_backing_flush(&allocation->backing, allocation->adapter->host);
}

void vidmm_cache_take(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(!allocation->original);
    if (allocation->incoherent &&
        (atomic_fetch_and(&allocation->word, ~WORD_GPU_WROTE) & WORD_GPU_WROTE) != 0)
        vidmm_backing_flush(&allocation->backing, allocation->adapter->host);
}
