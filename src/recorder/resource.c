/* Buffers and images, the memory that they are bound to; the window system's images. */
#include <inttypes.h>
#include <stdlib.h>

#include "recorder/hooks.h"
#include "recorder/stream.h"

static uint32_t last_part;

/* ---- lookups --------------------------------------------------------------------------------- */

struct vidmm_record_resource *vidmm_record_buffer(struct vidmm_record_device *device,
                                                  VkBuffer buffer)
{
    return vidmm_record_find(device, VIDMM_RECORD_BUFFER, VIDMM_RECORD_HANDLE(buffer));
}

struct vidmm_record_resource *vidmm_record_image(struct vidmm_record_device *device, VkImage image)
{
    return vidmm_record_find(device, VIDMM_RECORD_IMAGE, VIDMM_RECORD_HANDLE(image));
}

struct vidmm_record_resource *vidmm_record_view(struct vidmm_record_device *device,
                                                VkImageView handle)
{
    struct vidmm_record_view *view =
        vidmm_record_find(device, VIDMM_RECORD_IMAGE_VIEW, VIDMM_RECORD_HANDLE(handle));

    return view != NULL ? view->resource : NULL;
}

struct vidmm_record_resource *vidmm_record_buffer_view(struct vidmm_record_device *device,
                                                       VkBufferView handle)
{
    struct vidmm_record_view *view =
        vidmm_record_find(device, VIDMM_RECORD_BUFFER_VIEW, VIDMM_RECORD_HANDLE(handle));

    return view != NULL ? view->resource : NULL;
}

/* ---- binding --------------------------------------------------------------------------------- */

void vidmm_record_bind(struct vidmm_record_resource *resource, struct vidmm_record_memory *memory,
                       uint64_t offset, uint64_t size)
{
    if (resource == NULL || memory == NULL || memory->dead || offset >= memory->size)
        return;
    if (size == 0 || size > memory->size - offset)
        size = memory->size - offset;
    resource->parts = vidmm_record_grow(resource->parts, resource->part_count, &resource->part_room,
                                        sizeof(resource->parts[0]));
    resource->parts[resource->part_count++] =
        (struct vidmm_record_part){vidmm_record_hold(memory), ++last_part};
    vidmm_stream_event("B %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %c\n", last_part,
                       memory->id, offset, size,
                       resource->object.kind == VIDMM_RECORD_BUFFER ? 'b' : 'i');
}

static void finish_resource(void *object)
{
    struct vidmm_record_resource *resource = object;

    for (uint32_t i = 0; i < resource->part_count; i++)
        vidmm_record_drop(resource->parts[i].memory);
    free(resource->parts);
}

/* The program destroys it: from now on it has no memory, for whoever still holds it. */
static void end_resource(struct vidmm_record_device *device, uint32_t kind, uint64_t handle)
{
    vidmm_record_lock();
    struct vidmm_record_resource *resource = vidmm_record_find(device, kind, handle);
    for (uint32_t i = 0; resource != NULL && i < resource->part_count; i++) {
        if (!resource->parts[i].memory->dead)
            vidmm_stream_event("X %" PRIu32 "\n", resource->parts[i].id);
        vidmm_record_drop(resource->parts[i].memory);
    }
    if (resource != NULL)
        resource->part_count = 0;
    vidmm_record_forget(device, kind, handle);
    vidmm_record_unlock();
}

static void made_resource(struct vidmm_record_device *device, uint32_t kind, uint64_t handle,
                          uint64_t size)
{
    vidmm_record_lock();
    struct vidmm_record_resource *resource =
        vidmm_record_add(device, kind, handle, sizeof(*resource), finish_resource);
    resource->size = size;
    vidmm_record_unlock();
}

VkResult vidmm_record_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                                   const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateBuffer(handle, info, callbacks, buffer);

    if (result == VK_SUCCESS)
        made_resource(device, VIDMM_RECORD_BUFFER, VIDMM_RECORD_HANDLE(*buffer), info->size);
    return result;
}

void vidmm_record_DestroyBuffer(VkDevice handle, VkBuffer buffer,
                                const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    end_resource(device, VIDMM_RECORD_BUFFER, VIDMM_RECORD_HANDLE(buffer));
    device->next.DestroyBuffer(handle, buffer, callbacks);
}

static void bind(struct vidmm_record_device *device, struct vidmm_record_resource *resource,
                 VkDeviceMemory memory, uint64_t offset)
{
    if (resource != NULL)
        vidmm_record_bind(
            resource, vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(memory)),
            offset, resource->size);
}

VkResult vidmm_record_BindBufferMemory(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                       VkDeviceSize offset)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.BindBufferMemory(handle, buffer, memory, offset);

    vidmm_record_lock();
    if (result == VK_SUCCESS)
        bind(device, vidmm_record_buffer(device, buffer), memory, offset);
    vidmm_record_unlock();
    return result;
}

VkResult vidmm_record_BindBufferMemory2(VkDevice handle, uint32_t count,
                                        const VkBindBufferMemoryInfo *infos)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.BindBufferMemory2(handle, count, infos);

    vidmm_record_lock();
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        bind(device, vidmm_record_buffer(device, infos[i].buffer), infos[i].memory,
             infos[i].memoryOffset);
    vidmm_record_unlock();
    return result;
}

VkResult vidmm_record_CreateImage(VkDevice handle, const VkImageCreateInfo *info,
                                  const VkAllocationCallbacks *callbacks, VkImage *image)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateImage(handle, info, callbacks, image);
    VkMemoryRequirements requirements = {0};

    if (result != VK_SUCCESS)
        return result;
    if ((info->flags & VK_IMAGE_CREATE_DISJOINT_BIT) == 0)
        device->next.GetImageMemoryRequirements(handle, *image, &requirements);
    made_resource(device, VIDMM_RECORD_IMAGE, VIDMM_RECORD_HANDLE(*image), requirements.size);
    return result;
}

void vidmm_record_DestroyImage(VkDevice handle, VkImage image,
                               const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    end_resource(device, VIDMM_RECORD_IMAGE, VIDMM_RECORD_HANDLE(image));
    device->next.DestroyImage(handle, image, callbacks);
}

VkResult vidmm_record_BindImageMemory(VkDevice handle, VkImage image, VkDeviceMemory memory,
                                      VkDeviceSize offset)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.BindImageMemory(handle, image, memory, offset);

    vidmm_record_lock();
    if (result == VK_SUCCESS)
        bind(device, vidmm_record_image(device, image), memory, offset);
    vidmm_record_unlock();
    return result;
}

/* ---- the window system's images -------------------------------------------------------------- */

struct swapchain {
    struct vidmm_record_object object;
    struct vidmm_record_memory **images; /* held */
    uint32_t count;
    uint64_t bytes; /* of an image */
};

static void finish_swapchain(void *object)
{
    struct swapchain *swapchain = object;

    for (uint32_t i = 0; i < swapchain->count; i++)
        vidmm_record_drop(swapchain->images[i]);
    free(swapchain->images);
}

static uint32_t bytes_of_pixel(VkFormat format)
{
    if (format >= VK_FORMAT_R16G16B16A16_UNORM && format <= VK_FORMAT_R16G16B16A16_SFLOAT)
        return 8;
    return format >= VK_FORMAT_R4G4B4A4_UNORM_PACK16 && format <= VK_FORMAT_A1R5G5B5_UNORM_PACK16
               ? 2
               : 4;
}

/* As a driver would allocate it: traces/format.md, `swapchain`. */
static uint64_t bytes_of_image(const VkSwapchainCreateInfoKHR *info)
{
    uint64_t pitch =
        ((uint64_t)info->imageExtent.width * bytes_of_pixel(info->imageFormat) + 255) / 256 * 256;
    uint64_t bytes = pitch * info->imageExtent.height * info->imageArrayLayers;

    return bytes == 0 ? 65536 : (bytes + 65535) / 65536 * 65536;
}

VkResult vidmm_record_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                         const VkAllocationCallbacks *callbacks,
                                         VkSwapchainKHR *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateSwapchainKHR(handle, info, callbacks, made);
    uint32_t count = 0;

    if (result != VK_SUCCESS ||
        device->next.GetSwapchainImagesKHR(handle, *made, &count, NULL) != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct swapchain *swapchain =
        vidmm_record_add(device, VIDMM_RECORD_SWAPCHAIN, VIDMM_RECORD_HANDLE(*made),
                         sizeof(*swapchain), finish_swapchain);
    swapchain->images = vidmm_record_allocate(count, sizeof(struct vidmm_record_memory *));
    swapchain->bytes = bytes_of_image(info);
    for (uint32_t i = 0; i < count; i++)
        swapchain->images[i] =
            vidmm_record_hold(vidmm_record_memory_of_swapchain(device, swapchain->bytes));
    swapchain->count = count;
    vidmm_stream_header("resolution", "%ux%u", info->imageExtent.width, info->imageExtent.height);
    vidmm_stream_header("swapchains", "swapchain %ux%u x%u", info->imageExtent.width,
                        info->imageExtent.height, count);
    vidmm_record_unlock();
    return result;
}

/* An image of the program is one of a swapchain's. Under the lock. */
static void bind_swapchain(struct vidmm_record_device *device, VkImage image, VkSwapchainKHR handle,
                           uint32_t number)
{
    struct swapchain *swapchain =
        vidmm_record_find(device, VIDMM_RECORD_SWAPCHAIN, VIDMM_RECORD_HANDLE(handle));

    if (swapchain != NULL && number < swapchain->count)
        vidmm_record_bind(vidmm_record_image(device, image), swapchain->images[number], 0, 0);
}

VkResult vidmm_record_GetSwapchainImagesKHR(VkDevice handle, VkSwapchainKHR swapchain,
                                            uint32_t *count, VkImage *images)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.GetSwapchainImagesKHR(handle, swapchain, count, images);

    for (uint32_t i = 0; images != NULL && result >= 0 && i < *count; i++) {
        vidmm_record_lock();
        bool known = vidmm_record_image(device, images[i]) != NULL;
        vidmm_record_unlock();
        if (known)
            continue;
        made_resource(device, VIDMM_RECORD_IMAGE, VIDMM_RECORD_HANDLE(images[i]), 0);
        vidmm_record_lock();
        bind_swapchain(device, images[i], swapchain, i);
        vidmm_record_unlock();
    }
    return result;
}

VkResult vidmm_record_BindImageMemory2(VkDevice handle, uint32_t count,
                                       const VkBindImageMemoryInfo *infos)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.BindImageMemory2(handle, count, infos);

    vidmm_record_lock();
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        const VkBaseInStructure *at = infos[i].pNext;

        while (at != NULL && at->sType != VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR)
            at = at->pNext;
        if (at != NULL) {
            const VkBindImageMemorySwapchainInfoKHR *from = (const void *)at;

            bind_swapchain(device, infos[i].image, from->swapchain, from->imageIndex);
        } else {
            bind(device, vidmm_record_image(device, infos[i].image), infos[i].memory,
                 infos[i].memoryOffset);
        }
    }
    vidmm_record_unlock();
    return result;
}

struct ending {
    const struct swapchain *swapchain;
    struct vidmm_record_resource *found;
};

/* An image that the swapchain still has a part in. */
static void find_image(void *object, void *context)
{
    struct vidmm_record_resource *image = object;
    struct ending *ending = context;

    for (uint32_t i = 0; i < ending->swapchain->count && image->part_count != 0; i++)
        if (image->parts[0].memory == ending->swapchain->images[i])
            ending->found = image;
}

void vidmm_record_DestroySwapchainKHR(VkDevice handle, VkSwapchainKHR destroyed,
                                      const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct ending ending = {
        vidmm_record_find(device, VIDMM_RECORD_SWAPCHAIN, VIDMM_RECORD_HANDLE(destroyed)), NULL};
    for (bool more = ending.swapchain != NULL; more; more = ending.found != NULL) {
        ending.found = NULL;
        vidmm_record_each(device, VIDMM_RECORD_IMAGE, find_image, &ending);
        if (ending.found != NULL) {
            uint64_t image = ending.found->object.handle;

            vidmm_record_unlock();
            end_resource(device, VIDMM_RECORD_IMAGE, image);
            vidmm_record_lock();
        }
    }
    for (uint32_t i = 0; ending.swapchain != NULL && i < ending.swapchain->count; i++)
        vidmm_record_memory_end(ending.swapchain->images[i]);
    vidmm_record_forget(device, VIDMM_RECORD_SWAPCHAIN, VIDMM_RECORD_HANDLE(destroyed));
    vidmm_record_unlock();
    device->next.DestroySwapchainKHR(handle, destroyed, callbacks);
}
