#include "recorder/card.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/stream.h"

#define GIB (UINT64_C(1) << 30)
#define MIB (UINT64_C(1) << 20)

enum { LOCAL_HEAP, HOST_HEAP, BAR_HEAP };
static const struct {
    VkMemoryPropertyFlags flags;
    uint32_t heap;
} types[VIDMM_RECORD_TYPES] = {
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, LOCAL_HEAP},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, HOST_HEAP},
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
     BAR_HEAP},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
         VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
     HOST_HEAP},
};

static const char *wish(void)
{
    const char *word = getenv("VIDMM_RECORD_CARD");

    return word != NULL && *word != 0 ? word : "discrete";
}

static bool is_resizable(void)
{
    return strcmp(wish(), "resizable") == 0;
}

uint64_t vidmm_card_heap_size(uint32_t heap)
{
    switch (heap) {
    case LOCAL_HEAP:
        return 8 * GIB;
    case HOST_HEAP:
        return 16 * GIB;
    default:
        return is_resizable() ? 8 * GIB : 256 * MIB;
    }
}

bool vidmm_card_shown(const VkPhysicalDeviceMemoryProperties *own)
{
    return own->memoryTypeCount == 1 && strcmp(wish(), "own") != 0;
}

void vidmm_card_show(VkPhysicalDeviceMemoryProperties *properties)
{
    properties->memoryTypeCount = VIDMM_RECORD_TYPES;
    properties->memoryHeapCount = VIDMM_RECORD_HEAPS;
    for (uint32_t i = 0; i < VIDMM_RECORD_TYPES; i++)
        properties->memoryTypes[i] = (VkMemoryType){types[i].flags, types[i].heap};
    for (uint32_t i = 0; i < VIDMM_RECORD_HEAPS; i++)
        properties->memoryHeaps[i] = (VkMemoryHeap){
            vidmm_card_heap_size(i), i == HOST_HEAP ? 0 : VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

void vidmm_card_budget(VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget, const uint64_t *used)
{
    memset(budget->heapBudget, 0, sizeof(budget->heapBudget));
    memset(budget->heapUsage, 0, sizeof(budget->heapUsage));
    for (uint32_t i = 0; i < VIDMM_RECORD_HEAPS; i++) {
        budget->heapBudget[i] = vidmm_card_heap_size(i) / 10 * 9;
        budget->heapUsage[i] = used != NULL ? used[i] : 0;
    }
}

void vidmm_card_say(bool shown, const VkPhysicalDeviceMemoryProperties *own)
{
    if (shown)
        vidmm_stream_header(
            "memory-model",
            "spoof-discrete: four types shown to the app: 0 local (heap 8192 MiB), 1 "
            "visible,coherent (heap 16384 MiB), 2 local,visible,coherent (heap %" PRIu64
            " MiB), 3 visible,coherent,cached (heap of 1)",
            vidmm_card_heap_size(BAR_HEAP) / MIB);
    else
        vidmm_stream_header("memory-model", "%s: the driver's own %u memory types in %u heaps",
                            own->memoryTypeCount == 1 ? "uma" : "own", own->memoryTypeCount,
                            own->memoryHeapCount);
}

uint32_t vidmm_card_bits(const struct vidmm_record_device *device, uint32_t own)
{
    return device->shown && own != 0 ? (1u << VIDMM_RECORD_TYPES) - 1 : own;
}
