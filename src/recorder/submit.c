/* Submissions: what the CPU wrote before, what each names; and presents. */
#include <inttypes.h>

#include "recorder/complete.h"
#include "recorder/hooks.h"
#include "recorder/stream.h"
#include "recorder/writes.h"

#define PRESENTS_BETWEEN_COSTS 64u

/* References of the submission that is being told; reused, under the lock. */
static struct vidmm_record_list list;
static uint32_t presents;

/* ---- what a submission names ----------------------------------------------------------------- */

static void gather(const struct vidmm_record_commands *commands, uint32_t depth)
{
    if (commands == NULL)
        return;
    for (uint32_t i = 0; i < commands->list.count; i++)
        vidmm_record_list_add(&list, commands->list.references[i].resource,
                              commands->list.references[i].write);
    for (uint32_t i = 0; i < commands->other_count; i++) {
        const struct vidmm_record_object *other = commands->others[i];

        if (other->kind == VIDMM_RECORD_SET)
            vidmm_record_set_list((const struct vidmm_record_set *)other, &list);
        else if (depth == 0) /* a secondary command buffer executes no other */
            gather((const struct vidmm_record_commands *)other, depth + 1);
    }
}

static void add_any(void *object, void *context)
{
    (void)context;
    vidmm_record_list_add(&list, object, true);
}

/* Buffers with an address; those that nobody else holds have been destroyed. */
static void gather_addressed(struct vidmm_record_device *device)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < device->addressed_count; i++) {
        struct vidmm_record_resource *resource = device->addressed[i];

        if (resource->object.refs > 1) {
            vidmm_record_list_add(&list, resource, true);
            device->addressed[kept++] = resource;
        } else {
            vidmm_record_drop(resource);
        }
    }
    device->addressed_count = kept;
}

static void tell(struct vidmm_record_device *device, struct vidmm_record_queue *queue)
{
    if (device->blind) {
        vidmm_record_each(device, VIDMM_RECORD_BUFFER, add_any, NULL);
        vidmm_record_each(device, VIDMM_RECORD_IMAGE, add_any, NULL);
    }
    gather_addressed(device);
    queue->submitted++;
    vidmm_stream_event("S %" PRIu32, queue->number);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct vidmm_record_resource *resource = list.references[i].resource;
        bool write = list.references[i].write;

        for (uint32_t j = 0; j < resource->part_count; j++) {
            struct vidmm_record_memory *memory = resource->parts[j].memory;

            if (memory->dead)
                continue;
            vidmm_stream_more(" %" PRIu32 ":%c", resource->parts[j].id, write ? 'W' : 'R');
            if (write && memory->visible)
                vidmm_writes_by_gpu(memory, queue);
        }
    }
    vidmm_stream_more("\n");
    vidmm_record_list_finish(&list);
}

/* ---- vkQueueSubmit --------------------------------------------------------------------------- */

static uint64_t value_of(const VkSubmitInfo *submit, uint32_t semaphore)
{
    const VkBaseInStructure *at = submit->pNext;

    while (at != NULL && at->sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
        at = at->pNext;
    const VkTimelineSemaphoreSubmitInfo *values = (const void *)at;
    return values != NULL && semaphore < values->signalSemaphoreValueCount
               ? values->pSignalSemaphoreValues[semaphore]
               : 0;
}

static void submit_one(struct vidmm_record_device *device, struct vidmm_record_queue *queue,
                       const VkSubmitInfo *submit)
{
    vidmm_record_list_begin(&list);
    for (uint32_t i = 0; i < submit->commandBufferCount; i++)
        gather(vidmm_record_commands_of(device, submit->pCommandBuffers[i]), 0);
    if (submit->commandBufferCount != 0)
        tell(device, queue);
    for (uint32_t i = 0; i < submit->signalSemaphoreCount; i++)
        vidmm_complete_by_semaphore(device, queue, submit->pSignalSemaphores[i],
                                    value_of(submit, i));
}

VkResult vidmm_record_QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *submits,
                                  VkFence fence)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_queue *queue = vidmm_record_queue_of(handle);
    if (queue != NULL) {
        if (count != 0)
            vidmm_writes_look_all(device);
        for (uint32_t i = 0; i < count; i++)
            submit_one(device, queue, &submits[i]);
        vidmm_complete_by_fence(device, queue, fence);
        vidmm_stream_flush();
    }
    vidmm_record_unlock();
    return device->next.QueueSubmit(handle, count, submits, fence);
}

static void submit_one2(struct vidmm_record_device *device, struct vidmm_record_queue *queue,
                        const VkSubmitInfo2 *submit)
{
    vidmm_record_list_begin(&list);
    for (uint32_t i = 0; i < submit->commandBufferInfoCount; i++)
        gather(vidmm_record_commands_of(device, submit->pCommandBufferInfos[i].commandBuffer), 0);
    if (submit->commandBufferInfoCount != 0)
        tell(device, queue);
    for (uint32_t i = 0; i < submit->signalSemaphoreInfoCount; i++)
        vidmm_complete_by_semaphore(device, queue, submit->pSignalSemaphoreInfos[i].semaphore,
                                    submit->pSignalSemaphoreInfos[i].value);
}

VkResult vidmm_record_QueueSubmit2(VkQueue handle, uint32_t count, const VkSubmitInfo2 *submits,
                                   VkFence fence)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_queue *queue = vidmm_record_queue_of(handle);
    if (queue != NULL) {
        if (count != 0)
            vidmm_writes_look_all(device);
        for (uint32_t i = 0; i < count; i++)
            submit_one2(device, queue, &submits[i]);
        vidmm_complete_by_fence(device, queue, fence);
        vidmm_stream_flush();
    }
    vidmm_record_unlock();
    return device->next.QueueSubmit2(handle, count, submits, fence);
}

/* ---- sparse resources, presents -------------------------------------------------------------- */

/* The resource has what it is bound to, and keeps what it was bound to: its pages are not told
 * apart. */
static void bind_sparse(struct vidmm_record_device *device, struct vidmm_record_resource *resource,
                        VkDeviceMemory handle, uint64_t offset, uint64_t size)
{
    struct vidmm_record_memory *memory =
        vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(handle));

    for (uint32_t i = 0; resource != NULL && i < resource->part_count; i++)
        if (resource->parts[i].memory == memory)
            return;
    vidmm_record_bind(resource, memory, offset, size);
}

static void sparse(struct vidmm_record_device *device, const VkBindSparseInfo *info)
{
    for (uint32_t i = 0; i < info->bufferBindCount; i++)
        for (uint32_t j = 0; j < info->pBufferBinds[i].bindCount; j++) {
            const VkSparseMemoryBind *bind = &info->pBufferBinds[i].pBinds[j];

            bind_sparse(device, vidmm_record_buffer(device, info->pBufferBinds[i].buffer),
                        bind->memory, bind->memoryOffset, bind->size);
        }
    for (uint32_t i = 0; i < info->imageOpaqueBindCount; i++)
        for (uint32_t j = 0; j < info->pImageOpaqueBinds[i].bindCount; j++) {
            const VkSparseMemoryBind *bind = &info->pImageOpaqueBinds[i].pBinds[j];

            bind_sparse(device, vidmm_record_image(device, info->pImageOpaqueBinds[i].image),
                        bind->memory, bind->memoryOffset, bind->size);
        }
    for (uint32_t i = 0; i < info->imageBindCount; i++)
        for (uint32_t j = 0; j < info->pImageBinds[i].bindCount; j++) {
            const VkSparseImageMemoryBind *bind = &info->pImageBinds[i].pBinds[j];

            bind_sparse(device, vidmm_record_image(device, info->pImageBinds[i].image),
                        bind->memory, bind->memoryOffset, 0);
        }
}

VkResult vidmm_record_QueueBindSparse(VkQueue handle, uint32_t count, const VkBindSparseInfo *infos,
                                      VkFence fence)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_queue *queue = vidmm_record_queue_of(handle);
    for (uint32_t i = 0; i < count; i++)
        sparse(device, &infos[i]);
    if (queue != NULL)
        vidmm_complete_by_fence(device, queue, fence);
    vidmm_record_unlock();
    return device->next.QueueBindSparse(handle, count, infos, fence);
}

VkResult vidmm_record_QueuePresentKHR(VkQueue handle, const VkPresentInfoKHR *info)
{
    VkResult result = VIDMM_RECORD_NEXT(handle)->QueuePresentKHR(handle, info);

    vidmm_record_lock();
    vidmm_stream_event("P\n");
    if (++presents % PRESENTS_BETWEEN_COSTS == 0)
        vidmm_writes_say_cost();
    vidmm_stream_flush();
    vidmm_record_unlock();
    return result;
}
