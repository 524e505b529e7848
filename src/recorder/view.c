/* Views of buffers and images, and the ways to name memory that cannot be followed. */
#include "recorder/hooks.h"
#include "recorder/stream.h"

static void finish_view(void *object)
{
    vidmm_record_drop(((struct vidmm_record_view *)object)->resource);
}

static void made_view(struct vidmm_record_device *device, uint32_t kind, uint64_t handle,
                      struct vidmm_record_resource *resource)
{
    struct vidmm_record_view *view =
        vidmm_record_add(device, kind, handle, sizeof(*view), finish_view);

    view->resource = vidmm_record_hold(resource);
}

VkResult vidmm_record_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo *info,
                                       const VkAllocationCallbacks *callbacks, VkBufferView *view)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateBufferView(handle, info, callbacks, view);

    vidmm_record_lock();
    if (result == VK_SUCCESS)
        made_view(device, VIDMM_RECORD_BUFFER_VIEW, VIDMM_RECORD_HANDLE(*view),
                  vidmm_record_buffer(device, info->buffer));
    vidmm_record_unlock();
    return result;
}

VkResult vidmm_record_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *info,
                                      const VkAllocationCallbacks *callbacks, VkImageView *view)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateImageView(handle, info, callbacks, view);

    vidmm_record_lock();
    if (result == VK_SUCCESS)
        made_view(device, VIDMM_RECORD_IMAGE_VIEW, VIDMM_RECORD_HANDLE(*view),
                  vidmm_record_image(device, info->image));
    vidmm_record_unlock();
    return result;
}

void vidmm_record_DestroyBufferView(VkDevice handle, VkBufferView view,
                                    const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_BUFFER_VIEW, VIDMM_RECORD_HANDLE(view));
    vidmm_record_unlock();
    device->next.DestroyBufferView(handle, view, callbacks);
}

void vidmm_record_DestroyImageView(VkDevice handle, VkImageView view,
                                   const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_IMAGE_VIEW, VIDMM_RECORD_HANDLE(view));
    vidmm_record_unlock();
    device->next.DestroyImageView(handle, view, callbacks);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* A shader may reach the buffer by its address: each submission of the device may use it. */
static void addressed(struct vidmm_record_device *device, VkBuffer buffer)
{
    vidmm_record_lock();
    struct vidmm_record_resource *resource = vidmm_record_buffer(device, buffer);
    if (resource != NULL && !resource->addressed) {
        if (device->addressed_count == 0)
            vidmm_stream_header("references",
                                "descriptor sets and command buffers; buffers that have a device "
                                "address are named by each submission");
        device->addressed =
            vidmm_record_grow(device->addressed, device->addressed_count, &device->addressed_room,
                              sizeof(struct vidmm_record_resource *));
        device->addressed[device->addressed_count++] = vidmm_record_hold(resource);
        resource->addressed = true;
    }
    vidmm_record_unlock();
}

VkDeviceAddress vidmm_record_GetBufferDeviceAddress(VkDevice handle,
                                                    const VkBufferDeviceAddressInfo *info)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    addressed(device, info->buffer);
    return device->next.GetBufferDeviceAddress(handle, info);
}

VkDeviceAddress vidmm_record_GetBufferDeviceAddressEXT(VkDevice handle,
                                                       const VkBufferDeviceAddressInfo *info)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    addressed(device, info->buffer);
    return device->next.GetBufferDeviceAddressEXT(handle, info);
}

/* An acceleration structure is reached through others, by its address. */
VkResult vidmm_record_CreateAccelerationStructureKHR(
    VkDevice handle, const VkAccelerationStructureCreateInfoKHR *info,
    const VkAllocationCallbacks *callbacks, VkAccelerationStructureKHR *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    addressed(device, info->buffer);
    return device->next.CreateAccelerationStructureKHR(handle, info, callbacks, made);
}

void vidmm_record_blind(struct vidmm_record_device *device, const char *why)
{
    if (!device->blind)
        vidmm_stream_header(
            "references", "all bound memory in each submission, because the program uses %s", why);
    device->blind = true;
}

void vidmm_record_GetDescriptorEXT(VkDevice handle, const VkDescriptorGetInfoEXT *info, size_t size,
                                   void *descriptor)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_blind(device, "VK_EXT_descriptor_buffer");
    vidmm_record_unlock();
    device->next.GetDescriptorEXT(handle, info, size, descriptor);
}
