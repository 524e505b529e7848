/* Memory: allocated, mapped, flushed, freed; and the types that it may have. */
#include <inttypes.h>
#include <stdlib.h>

#include "recorder/card.h"
#include "recorder/hooks.h"
#include "recorder/stream.h"
#include "recorder/writes.h"
#include "trace/trace.h"

static uint32_t last_id, refused;

static const void *chained(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;

    while (at != NULL && at->sType != type)
        at = at->pNext;
    return at;
}

static uint32_t types_of(const struct vidmm_record_device *device, const VkMemoryAllocateInfo *info)
{
    static const VkStructureType imports[] = {
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
    };
    uint32_t flags = device->types[info->memoryTypeIndex % VK_MAX_MEMORY_TYPES], types = 0;
    const VkMemoryDedicatedAllocateInfo *dedicated =
        chained(info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    const VkExportMemoryAllocateInfo *exported =
        chained(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);

    types |= flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT ? VIDMM_TRACE_LOCAL : 0;
    types |= flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT ? VIDMM_TRACE_VISIBLE : 0;
    types |= flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT ? VIDMM_TRACE_COHERENT : 0;
    types |= flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT ? VIDMM_TRACE_CACHED : 0;
    if (dedicated != NULL &&
        (dedicated->image != VK_NULL_HANDLE || dedicated->buffer != VK_NULL_HANDLE))
        types |= VIDMM_TRACE_DEDICATED;
    if (exported != NULL && exported->handleTypes != 0)
        types |= VIDMM_TRACE_EXPORT;
    for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++)
        if (chained(info->pNext, imports[i]) != NULL)
            types |= VIDMM_TRACE_IMPORT;
    return types;
}

static struct vidmm_record_memory *allocated(struct vidmm_record_device *device, uint64_t handle,
                                             uint64_t size, uint32_t types)
{
    struct vidmm_record_memory *memory =
        vidmm_record_add(device, VIDMM_RECORD_MEMORY, handle, sizeof(*memory), NULL);

    memory->id = ++last_id;
    memory->size = size;
    memory->visible = (types & VIDMM_TRACE_VISIBLE) != 0;
    vidmm_stream_event("A %" PRIu32 " %" PRIu64 " %" PRIu32 "\n", memory->id, size, types);
    return memory;
}

struct vidmm_record_memory *vidmm_record_memory_of_swapchain(struct vidmm_record_device *device,
                                                             uint64_t size)
{
    /* A handle that no other memory has: there is none at an odd address. */
    uint64_t handle = (uint64_t)(last_id + 1) * 2 + 1;

    return allocated(device, handle, size,
                     VIDMM_TRACE_LOCAL | VIDMM_TRACE_DEDICATED | VIDMM_TRACE_SWAPCHAIN);
}

void vidmm_record_memory_end(struct vidmm_record_memory *memory)
{
    vidmm_writes_unwatch(memory);
    vidmm_stream_event("F %" PRIu32 "\n", memory->id);
    memory->dead = true;
    vidmm_record_forget(memory->object.device, VIDMM_RECORD_MEMORY, memory->object.handle);
}

/* With a card that is shown: is there room in its heap? */
static bool take_heap(struct vidmm_record_device *device, uint32_t heap, uint64_t size)
{
    bool fits;

    vidmm_record_lock();
    fits = size <= vidmm_card_heap_size(heap) &&
           device->heap_used[heap] <= vidmm_card_heap_size(heap) - size;
    if (fits)
        device->heap_used[heap] += size;
    else
        vidmm_stream_header("refused-allocations",
                            "%" PRIu32 " (vkAllocateMemory calls turned down because their shown "
                            "heap was full; not events)",
                            ++refused);
    vidmm_record_unlock();
    return fits;
}

VkResult vidmm_record_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                     const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkMemoryAllocateInfo own = *info;
    VkPhysicalDeviceMemoryProperties card;
    uint32_t heap = 0;

    if (device->shown) {
        vidmm_card_show(&card);
        heap = card.memoryTypes[info->memoryTypeIndex % VIDMM_RECORD_TYPES].heapIndex;
        own.memoryTypeIndex = 0;
        if (!take_heap(device, heap, info->allocationSize))
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = device->next.AllocateMemory(handle, &own, callbacks, memory);
    vidmm_record_lock();
    if (result == VK_SUCCESS) {
        struct vidmm_record_memory *made = allocated(device, VIDMM_RECORD_HANDLE(*memory),
                                                     info->allocationSize, types_of(device, info));
        made->heap = heap;
    } else if (device->shown) {
        device->heap_used[heap] -= info->allocationSize;
    }
    vidmm_record_unlock();
    return result;
}

void vidmm_record_FreeMemory(VkDevice handle, VkDeviceMemory freed,
                             const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_memory *memory =
        vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(freed));
    if (memory != NULL) {
        if (device->shown)
            device->heap_used[memory->heap] -= memory->size;
        vidmm_record_memory_end(memory);
    }
    vidmm_record_unlock();
    device->next.FreeMemory(handle, freed, callbacks);
}

VkResult vidmm_record_MapMemory(VkDevice handle, VkDeviceMemory mapped, VkDeviceSize offset,
                                VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.MapMemory(handle, mapped, offset, size, flags, data);

    vidmm_record_lock();
    struct vidmm_record_memory *memory =
        vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(mapped));
    if (result == VK_SUCCESS && memory != NULL && memory->visible && memory->mapped == NULL) {
        vidmm_stream_event("M %" PRIu32 "\n", memory->id);
        memory->mapped = *data;
        memory->offset = offset;
        memory->length = size > memory->size - offset ? memory->size - offset : size;
        vidmm_writes_watch(memory);
    }
    vidmm_record_unlock();
    return result;
}

void vidmm_record_UnmapMemory(VkDevice handle, VkDeviceMemory unmapped)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_memory *memory =
        vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(unmapped));
    if (memory != NULL && memory->mapped != NULL) {
        vidmm_writes_unwatch(memory);
        vidmm_stream_event("U %" PRIu32 "\n", memory->id);
    }
    vidmm_record_unlock();
    device->next.UnmapMemory(handle, unmapped);
}

VkResult vidmm_record_FlushMappedMemoryRanges(VkDevice handle, uint32_t count,
                                              const VkMappedMemoryRange *ranges)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    for (uint32_t i = 0; i < count; i++) {
        struct vidmm_record_memory *memory =
            vidmm_record_find(device, VIDMM_RECORD_MEMORY, VIDMM_RECORD_HANDLE(ranges[i].memory));
        if (memory != NULL)
            vidmm_writes_said(memory, ranges[i].offset, ranges[i].size);
    }
    vidmm_record_unlock();
    return device->next.FlushMappedMemoryRanges(handle, count, ranges);
}

/* ---- the types that it may have -------------------------------------------------------------- */

void vidmm_record_GetBufferMemoryRequirements(VkDevice handle, VkBuffer buffer,
                                              VkMemoryRequirements *requirements)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    device->next.GetBufferMemoryRequirements(handle, buffer, requirements);
    requirements->memoryTypeBits = vidmm_card_bits(device, requirements->memoryTypeBits);
}

void vidmm_record_GetImageMemoryRequirements(VkDevice handle, VkImage image,
                                             VkMemoryRequirements *requirements)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    device->next.GetImageMemoryRequirements(handle, image, requirements);
    requirements->memoryTypeBits = vidmm_card_bits(device, requirements->memoryTypeBits);
}

/* Functions that fill a VkMemoryRequirements2. */
#define REQUIREMENTS2(name, info_type)                                                             \
    void vidmm_record_##name(VkDevice handle, const info_type *info,                               \
                             VkMemoryRequirements2 *requirements)                                  \
    {                                                                                              \
        struct vidmm_record_device *device = vidmm_record_device_of(handle);                       \
                                                                                                   \
        device->next.name(handle, info, requirements);                                             \
        requirements->memoryRequirements.memoryTypeBits =                                          \
            vidmm_card_bits(device, requirements->memoryRequirements.memoryTypeBits);              \
    }
REQUIREMENTS2(GetBufferMemoryRequirements2, VkBufferMemoryRequirementsInfo2)
REQUIREMENTS2(GetImageMemoryRequirements2, VkImageMemoryRequirementsInfo2)
REQUIREMENTS2(GetDeviceBufferMemoryRequirements, VkDeviceBufferMemoryRequirements)
REQUIREMENTS2(GetDeviceImageMemoryRequirements, VkDeviceImageMemoryRequirements)

VkResult vidmm_record_GetMemoryFdPropertiesKHR(VkDevice handle,
                                               VkExternalMemoryHandleTypeFlagBits type, int fd,
                                               VkMemoryFdPropertiesKHR *properties)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.GetMemoryFdPropertiesKHR(handle, type, fd, properties);

    properties->memoryTypeBits = vidmm_card_bits(device, properties->memoryTypeBits);
    return result;
}

VkResult vidmm_record_GetMemoryHostPointerPropertiesEXT(
    VkDevice handle, VkExternalMemoryHandleTypeFlagBits type, const void *pointer,
    VkMemoryHostPointerPropertiesEXT *properties)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result =
        device->next.GetMemoryHostPointerPropertiesEXT(handle, type, pointer, properties);

    properties->memoryTypeBits = vidmm_card_bits(device, properties->memoryTypeBits);
    return result;
}
