/* fence_value.c: the values of monitored fences, in memory.
 *
 * The engine says what the memory is to hold, and asks what it holds where the GPU may have written
 * it. The memory is read when the plan has been carried out: an answer may bring about another
 * plan.
 *
 * The GPU writes while the CPU reads and writes, so all accesses are atomic, and of the width in
 * which the GPU writes.
 */
#include "vidmm/pump/fence_value.h"

#include <stdatomic.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"

struct vidmm_fence *vidmm_fence_find(const struct vidmm_adapter *adapter, uint32_t id)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    return vidmm_slot_find(&adapter->fences, id - 1, VIDMM_HANDLE_FENCE);
}

/* The half that a GPU without 64-bit atomics writes. */
static _Atomic uint32_t *half_at(const struct vidmm_fence *fence)
{
    return (_Atomic uint32_t *)(void *)vidmm_fence_at(fence);
}

void vidmm_fence_value_write(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_fence *fence = vidmm_fence_find(adapter, operation->fence.fence);

    VIDMM_ASSERT(fence);
    if (operation->fence.narrow != 0)
        atomic_store(half_at(fence), (uint32_t)operation->fence.value);
    else
        atomic_store(vidmm_fence_at(fence), operation->fence.value);
}

void vidmm_fence_value_note(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_fence *fence = vidmm_fence_find(adapter, operation->fence.fence);

    VIDMM_ASSERT(fence);
    if (fence->read_due)
        return; /* a plan in several parts has asked twice: one read is still to be made */
    fence->read_due = true;
    fence->next_read = adapter->pump->fence_reads;
    adapter->pump->fence_reads = fence;
}

void vidmm_fence_value_tell(const struct vidmm_fence *fence, struct vidmm_event *event)
{
    *event = (struct vidmm_event){.kind = VIDMM_EVENT_FENCE_READ};
    event->fence_object.fence = fence->id;
    event->fence_object.value = (fence->flags & VIDMM_FENCE_NARROW) != 0
                                    ? atomic_load(half_at(fence))
                                    : atomic_load(vidmm_fence_at(fence));
}

bool vidmm_fence_value_next(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    struct vidmm_fence *fence = adapter->pump->fence_reads;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!fence)
        return false;
    adapter->pump->fence_reads = fence->next_read;
    fence->read_due = false;
    vidmm_fence_value_tell(fence, event);
    return true;
}

/* The GPU may have written a later one of the queue meanwhile. */
void vidmm_fence_value_raise(struct vidmm_fence *fence, uint64_t value)
{
    uint64_t there = atomic_load(vidmm_fence_at(fence));

    while (there < value && !atomic_compare_exchange_weak(vidmm_fence_at(fence), &there, value)) {
    }
}
