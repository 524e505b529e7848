/* update_batch.c: batches of changes end, and what they name goes. */
#include "vidmm/client/update_batch.h"

#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

void vidmm_update_queue_drop_first(struct vidmm_update_queue *queue)
{
    struct vidmm_update_batch *batch = queue->first;

    queue->first = batch->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->changes -= batch->count; /* V2 */
    batch->adapter->changed = true;
    batch->queue = NULL;
    if (!batch->waits)
        vidmm_free(batch->adapter->host, batch); /* V3 */
}

void vidmm_update_queue_drop_all(struct vidmm_update_queue *queue)
{
    while (queue->first)
        vidmm_update_queue_drop_first(queue);
}

void vidmm_update_queues_forget_fence(struct vidmm_adapter *adapter,
                                      const struct vidmm_fence *fence)
{
    struct vidmm_update_queue *queue;
    struct vidmm_update_batch *batch;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (queue = adapter->update_queues; queue; queue = queue->next) {
        for (batch = queue->first; batch; batch = batch->next)
            if (batch->after.fence == fence)
                batch->after.fence = NULL;
    }
}

void vidmm_update_queues_forget_allocation(struct vidmm_adapter *adapter, uint32_t allocation)
{
    struct vidmm_update_queue *queue;
    struct vidmm_update_batch *batch;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (queue = adapter->update_queues; queue; queue = queue->next) {
        for (batch = queue->first; batch; batch = batch->next) {
            for (index = 0; index < batch->count; index++)
                if (batch->changes[index].addresses.allocation == allocation)
                    batch->changes[index].kind = VIDMM_LEFT_OUT;
        }
    }
}
