/* Command buffers, and the commands that name buffers to draw with. */
#include <stdlib.h>

#include "recorder/hooks.h"

/* ---- command buffers ------------------------------------------------------------------------- */

static void forget_recording(struct vidmm_record_commands *commands)
{
    vidmm_record_list_finish(&commands->list);
    for (uint32_t i = 0; i < commands->other_count; i++)
        vidmm_record_drop(commands->others[i]);
    free(commands->others);
    commands->others = NULL;
    commands->other_count = commands->other_room = 0;
}

static void finish_commands(void *object)
{
    forget_recording(object);
}

struct vidmm_record_commands *vidmm_record_commands_of(struct vidmm_record_device *device,
                                                       VkCommandBuffer commands)
{
    return vidmm_record_find(device, VIDMM_RECORD_COMMANDS, VIDMM_RECORD_HANDLE(commands));
}

void vidmm_record_refer(struct vidmm_record_commands *commands, void *other)
{
    for (uint32_t i = commands->other_count; i-- > 0 && i + 8 > commands->other_count;)
        if (commands->others[i] == other)
            return; /* bound again, a moment later */
    if (other == NULL)
        return;
    commands->others =
        vidmm_record_grow(commands->others, commands->other_count, &commands->other_room,
                          sizeof(struct vidmm_record_object *));
    commands->others[commands->other_count++] = vidmm_record_hold(other);
}

VkResult vidmm_record_AllocateCommandBuffers(VkDevice handle,
                                             const VkCommandBufferAllocateInfo *info,
                                             VkCommandBuffer *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.AllocateCommandBuffers(handle, info, made);

    vidmm_record_lock();
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->commandBufferCount; i++) {
        struct vidmm_record_commands *commands =
            vidmm_record_add(device, VIDMM_RECORD_COMMANDS, VIDMM_RECORD_HANDLE(made[i]),
                             sizeof(*commands), finish_commands);
        commands->pool = VIDMM_RECORD_HANDLE(info->commandPool);
    }
    vidmm_record_unlock();
    return result;
}

void vidmm_record_FreeCommandBuffers(VkDevice handle, VkCommandPool pool, uint32_t count,
                                     const VkCommandBuffer *commands)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    for (uint32_t i = 0; i < count; i++)
        vidmm_record_forget(device, VIDMM_RECORD_COMMANDS, VIDMM_RECORD_HANDLE(commands[i]));
    vidmm_record_unlock();
    device->next.FreeCommandBuffers(handle, pool, count, commands);
}

static void begin(VkCommandBuffer handle)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    if (commands != NULL) {
        forget_recording(commands);
        vidmm_record_list_begin(&commands->list);
    }
    vidmm_record_unlock();
}

VkResult vidmm_record_BeginCommandBuffer(VkCommandBuffer commands,
                                         const VkCommandBufferBeginInfo *info)
{
    begin(commands);
    return VIDMM_RECORD_NEXT(commands)->BeginCommandBuffer(commands, info);
}

VkResult vidmm_record_ResetCommandBuffer(VkCommandBuffer commands, VkCommandBufferResetFlags flags)
{
    begin(commands);
    return VIDMM_RECORD_NEXT(commands)->ResetCommandBuffer(commands, flags);
}

static void reset_of_pool(void *object, void *context)
{
    struct vidmm_record_commands *commands = object;

    if (commands->pool == *(const uint64_t *)context)
        forget_recording(commands);
}

static void reset(struct vidmm_record_device *device, VkCommandPool handle)
{
    uint64_t pool = VIDMM_RECORD_HANDLE(handle);

    vidmm_record_lock();
    vidmm_record_each(device, VIDMM_RECORD_COMMANDS, reset_of_pool, &pool);
    vidmm_record_unlock();
}

VkResult vidmm_record_ResetCommandPool(VkDevice handle, VkCommandPool pool,
                                       VkCommandPoolResetFlags flags)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    reset(device, pool);
    return device->next.ResetCommandPool(handle, pool, flags);
}

/* The handles of its command buffers become unknown by and by, as they are made again. */
void vidmm_record_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
                                     const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    reset(device, pool);
    device->next.DestroyCommandPool(handle, pool, callbacks);
}

void vidmm_record_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
                                     const VkCommandBuffer *executed)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    for (uint32_t i = 0; commands != NULL && i < count; i++)
        vidmm_record_refer(commands, vidmm_record_commands_of(device, executed[i]));
    vidmm_record_unlock();
    device->next.CmdExecuteCommands(handle, count, executed);
}

/* ---- commands -------------------------------------------------------------------------------- */

void vidmm_record_uses_buffer(VkCommandBuffer handle, VkBuffer buffer, bool write)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    if (commands != NULL)
        vidmm_record_list_add(&commands->list, vidmm_record_buffer(device, buffer), write);
    vidmm_record_unlock();
}

void vidmm_record_uses_image(VkCommandBuffer handle, VkImage image, bool write)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    if (commands != NULL)
        vidmm_record_list_add(&commands->list, vidmm_record_image(device, image), write);
    vidmm_record_unlock();
}

static void uses_buffers(VkCommandBuffer commands, uint32_t count, const VkBuffer *buffers,
                         bool write)
{
    for (uint32_t i = 0; buffers != NULL && i < count; i++)
        vidmm_record_uses_buffer(commands, buffers[i], write);
}

void vidmm_record_CmdBindVertexBuffers(VkCommandBuffer c, uint32_t first, uint32_t count,
                                       const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    uses_buffers(c, count, buffers, false);
    VIDMM_RECORD_NEXT(c)->CmdBindVertexBuffers(c, first, count, buffers, offsets);
}

void vidmm_record_CmdBindVertexBuffers2(VkCommandBuffer c, uint32_t first, uint32_t count,
                                        const VkBuffer *buffers, const VkDeviceSize *offsets,
                                        const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
    uses_buffers(c, count, buffers, false);
    VIDMM_RECORD_NEXT(c)->CmdBindVertexBuffers2(c, first, count, buffers, offsets, sizes, strides);
}

void vidmm_record_CmdBindIndexBuffer(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                     VkIndexType type)
{
    vidmm_record_uses_buffer(c, buffer, false);
    VIDMM_RECORD_NEXT(c)->CmdBindIndexBuffer(c, buffer, offset, type);
}

/* Draws whose arguments are in a buffer. */
#define INDIRECT(name)                                                                             \
    void vidmm_record_##name(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,              \
                             uint32_t count, uint32_t stride)                                      \
    {                                                                                              \
        vidmm_record_uses_buffer(c, buffer, false);                                                \
        VIDMM_RECORD_NEXT(c)->name(c, buffer, offset, count, stride);                              \
    }
INDIRECT(CmdDrawIndirect)
INDIRECT(CmdDrawIndexedIndirect)
INDIRECT(CmdDrawMeshTasksIndirectEXT)

/* Such draws whose number is in another buffer. */
#define INDIRECT_COUNT(name)                                                                       \
    void vidmm_record_##name(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,              \
                             VkBuffer counts, VkDeviceSize count_offset, uint32_t most,            \
                             uint32_t stride)                                                      \
    {                                                                                              \
        vidmm_record_uses_buffer(c, buffer, false);                                                \
        vidmm_record_uses_buffer(c, counts, false);                                                \
        VIDMM_RECORD_NEXT(c)->name(c, buffer, offset, counts, count_offset, most, stride);         \
    }
INDIRECT_COUNT(CmdDrawIndirectCount)
INDIRECT_COUNT(CmdDrawIndexedIndirectCount)
INDIRECT_COUNT(CmdDrawIndirectCountAMD)
INDIRECT_COUNT(CmdDrawIndexedIndirectCountAMD)
INDIRECT_COUNT(CmdDrawMeshTasksIndirectCountEXT)

void vidmm_record_CmdDispatchIndirect(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset)
{
    vidmm_record_uses_buffer(c, buffer, false);
    VIDMM_RECORD_NEXT(c)->CmdDispatchIndirect(c, buffer, offset);
}

void vidmm_record_CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer c, uint32_t first,
                                                     uint32_t count, const VkBuffer *buffers,
                                                     const VkDeviceSize *offsets,
                                                     const VkDeviceSize *sizes)
{
    uses_buffers(c, count, buffers, true);
    VIDMM_RECORD_NEXT(c)->CmdBindTransformFeedbackBuffersEXT(c, first, count, buffers, offsets,
                                                             sizes);
}

/* The buffers of counters. */
#define FEEDBACK(name, write)                                                                      \
    void vidmm_record_##name(VkCommandBuffer c, uint32_t first, uint32_t count,                    \
                             const VkBuffer *buffers, const VkDeviceSize *offsets)                 \
    {                                                                                              \
        uses_buffers(c, count, buffers, write);                                                    \
        VIDMM_RECORD_NEXT(c)->name(c, first, count, buffers, offsets);                             \
    }
FEEDBACK(CmdBeginTransformFeedbackEXT, false)
FEEDBACK(CmdEndTransformFeedbackEXT, true)

void vidmm_record_CmdDrawIndirectByteCountEXT(VkCommandBuffer c, uint32_t instances, uint32_t first,
                                              VkBuffer counter, VkDeviceSize offset,
                                              uint32_t counter_offset, uint32_t stride)
{
    vidmm_record_uses_buffer(c, counter, false);
    VIDMM_RECORD_NEXT(c)->CmdDrawIndirectByteCountEXT(c, instances, first, counter, offset,
                                                      counter_offset, stride);
}

void vidmm_record_CmdBeginConditionalRenderingEXT(VkCommandBuffer c,
                                                  const VkConditionalRenderingBeginInfoEXT *info)
{
    vidmm_record_uses_buffer(c, info->buffer, false);
    VIDMM_RECORD_NEXT(c)->CmdBeginConditionalRenderingEXT(c, info);
}

void vidmm_record_CmdExecuteGeneratedCommandsNV(VkCommandBuffer c, VkBool32 preprocessed,
                                                const VkGeneratedCommandsInfoNV *info)
{
    vidmm_record_lock();
    vidmm_record_blind(vidmm_record_device_of(c), "VK_NV_device_generated_commands");
    vidmm_record_unlock();
    VIDMM_RECORD_NEXT(c)->CmdExecuteGeneratedCommandsNV(c, preprocessed, info);
}
