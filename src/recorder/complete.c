/* Fences, timeline semaphores and waits for idle: what tells the program that work is complete. */
#include "recorder/complete.h"

#include <inttypes.h>
#include <stdlib.h>

#include "recorder/hooks.h"
#include "recorder/stream.h"
#include "recorder/writes.h"

struct fence {
    struct vidmm_record_object object;
    struct vidmm_record_queue *queue;
    uint64_t submissions;
};

/* A value of a timeline, and what has completed once it is reached. */
struct point {
    uint64_t value, submissions;
    struct vidmm_record_queue *queue;
};

struct timeline {
    struct vidmm_record_object object;
    struct point *points;
    uint32_t count, room;
};

static void completed(struct vidmm_record_queue *queue, uint64_t submissions)
{
    if (submissions <= queue->completed)
        return;
    queue->completed = submissions;
    vidmm_writes_completed(queue);
    if (submissions == queue->submitted)
        vidmm_stream_event("C %" PRIu32 "\n", queue->number);
    else
        vidmm_stream_event("K %" PRIu32 " %" PRIu64 "\n", queue->number, submissions - 1);
}

/* ---- noted at submission --------------------------------------------------------------------- */

void vidmm_complete_by_fence(struct vidmm_record_device *device, struct vidmm_record_queue *queue,
                             VkFence handle)
{
    if (handle == VK_NULL_HANDLE)
        return;
    struct fence *fence = vidmm_record_add(device, VIDMM_RECORD_FENCE, VIDMM_RECORD_HANDLE(handle),
                                           sizeof(*fence), NULL);
    fence->queue = queue;
    fence->submissions = queue->submitted;
}

static void finish_timeline(void *object)
{
    free(((struct timeline *)object)->points);
}

void vidmm_complete_by_semaphore(struct vidmm_record_device *device,
                                 struct vidmm_record_queue *queue, VkSemaphore handle,
                                 uint64_t value)
{
    struct timeline *timeline =
        vidmm_record_find(device, VIDMM_RECORD_SEMAPHORE, VIDMM_RECORD_HANDLE(handle));

    if (value == 0)
        return;
    if (timeline == NULL)
        timeline = vidmm_record_add(device, VIDMM_RECORD_SEMAPHORE, VIDMM_RECORD_HANDLE(handle),
                                    sizeof(*timeline), finish_timeline);
    timeline->points =
        vidmm_record_grow(timeline->points, timeline->count, &timeline->room, sizeof(struct point));
    timeline->points[timeline->count++] = (struct point){value, queue->submitted, queue};
}

/* ---- known later ----------------------------------------------------------------------------- */

static void signalled(struct vidmm_record_device *device, VkFence handle)
{
    vidmm_record_lock();
    struct fence *fence =
        vidmm_record_find(device, VIDMM_RECORD_FENCE, VIDMM_RECORD_HANDLE(handle));
    if (fence != NULL)
        completed(fence->queue, fence->submissions);
    vidmm_record_forget(device, VIDMM_RECORD_FENCE, VIDMM_RECORD_HANDLE(handle));
    vidmm_record_unlock();
}

static void reached(struct vidmm_record_device *device, VkSemaphore handle, uint64_t value)
{
    uint32_t kept = 0;

    vidmm_record_lock();
    struct timeline *timeline =
        vidmm_record_find(device, VIDMM_RECORD_SEMAPHORE, VIDMM_RECORD_HANDLE(handle));
    for (uint32_t i = 0; timeline != NULL && i < timeline->count; i++) {
        const struct point *point = &timeline->points[i];

        if (point->value <= value)
            completed(point->queue, point->submissions);
        else
            timeline->points[kept++] = *point;
    }
    if (timeline != NULL)
        timeline->count = kept;
    vidmm_record_unlock();
}

VkResult vidmm_record_WaitForFences(VkDevice handle, uint32_t count, const VkFence *fences,
                                    VkBool32 all, uint64_t timeout)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.WaitForFences(handle, count, fences, all, timeout);

    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++)
        if (all || count == 1 || device->next.GetFenceStatus(handle, fences[i]) == VK_SUCCESS)
            signalled(device, fences[i]);
    return result;
}

VkResult vidmm_record_GetFenceStatus(VkDevice handle, VkFence fence)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.GetFenceStatus(handle, fence);

    if (result == VK_SUCCESS)
        signalled(device, fence);
    return result;
}

static void forget(struct vidmm_record_device *device, uint32_t kind, uint64_t handle)
{
    vidmm_record_lock();
    vidmm_record_forget(device, kind, handle);
    vidmm_record_unlock();
}

VkResult vidmm_record_ResetFences(VkDevice handle, uint32_t count, const VkFence *fences)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    for (uint32_t i = 0; i < count; i++)
        forget(device, VIDMM_RECORD_FENCE, VIDMM_RECORD_HANDLE(fences[i]));
    return device->next.ResetFences(handle, count, fences);
}

void vidmm_record_DestroyFence(VkDevice handle, VkFence fence,
                               const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    forget(device, VIDMM_RECORD_FENCE, VIDMM_RECORD_HANDLE(fence));
    device->next.DestroyFence(handle, fence, callbacks);
}

void vidmm_record_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
                                   const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    forget(device, VIDMM_RECORD_SEMAPHORE, VIDMM_RECORD_HANDLE(semaphore));
    device->next.DestroySemaphore(handle, semaphore, callbacks);
}

VkResult vidmm_record_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info,
                                     uint64_t timeout)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.WaitSemaphores(handle, info, timeout);
    bool any = (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0 && info->semaphoreCount > 1;

    for (uint32_t i = 0; result == VK_SUCCESS && i < info->semaphoreCount; i++) {
        uint64_t value = info->pValues[i];

        if (!any || device->next.GetSemaphoreCounterValue(handle, info->pSemaphores[i], &value) ==
                        VK_SUCCESS)
            reached(device, info->pSemaphores[i], value);
    }
    return result;
}

VkResult vidmm_record_GetSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore,
                                               uint64_t *value)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.GetSemaphoreCounterValue(handle, semaphore, value);

    if (result == VK_SUCCESS)
        reached(device, semaphore, *value);
    return result;
}

VkResult vidmm_record_QueueWaitIdle(VkQueue handle)
{
    VkResult result = VIDMM_RECORD_NEXT(handle)->QueueWaitIdle(handle);

    vidmm_record_lock();
    struct vidmm_record_queue *queue = vidmm_record_queue_of(handle);
    if (result == VK_SUCCESS && queue != NULL)
        completed(queue, queue->submitted);
    vidmm_record_unlock();
    return result;
}

static void complete_queue(struct vidmm_record_queue *queue)
{
    completed(queue, queue->submitted);
}

VkResult vidmm_record_DeviceWaitIdle(VkDevice handle)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.DeviceWaitIdle(handle);

    vidmm_record_lock();
    if (result == VK_SUCCESS)
        vidmm_record_each_queue(device, complete_queue);
    vidmm_record_unlock();
    return result;
}
