/* The layer: how the loader makes it part of a program's calls. It is found by its manifest,
 * vidmm_record.json, and stands between the program and the driver. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "recorder/card.h"
#include "recorder/hooks.h"
#include "recorder/stream.h"
#include "recorder/writes.h"

#define INSTANCES 32u
#define LAYER "VK_LAYER_VIDMM_record"

struct instance {
    VkInstance handle;
    void *key; /* of this instance and its physical devices */
    PFN_vkGetInstanceProcAddr get;
    PFN_vkDestroyInstance destroy;
    PFN_vkGetPhysicalDeviceMemoryProperties memory;
    PFN_vkGetPhysicalDeviceMemoryProperties2 memory2;
    PFN_vkGetPhysicalDeviceProperties properties;
};

static struct instance instances[INSTANCES];

static const struct {
    const char *name, *alias;
    PFN_vkVoidFunction hook;
} hooks[] = {
#define HOOK(function, other) {"vk" #function, other, (PFN_vkVoidFunction)vidmm_record_##function},
#include "recorder/hooks.def"
#undef HOOK
};

static struct instance *instance_of(const void *dispatchable)
{
    struct instance *found = NULL;

    vidmm_record_lock();
    for (size_t i = 0; i < INSTANCES && found == NULL; i++)
        if (instances[i].handle != NULL && instances[i].key == *(void *const *)dispatchable)
            found = &instances[i];
    vidmm_record_unlock();
    return found;
}

/* ---- instances ------------------------------------------------------------------------------- */

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
    const VkBaseInStructure *at = info->pNext;

    while (at != NULL && (at->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                          ((const VkLayerInstanceCreateInfo *)at)->function != VK_LAYER_LINK_INFO))
        at = at->pNext;
    return (VkLayerInstanceCreateInfo *)(uintptr_t)at;
}

static void say_application(const VkApplicationInfo *application)
{
    const char *name = "", *engine = "";

    if (application != NULL && application->pApplicationName != NULL)
        name = application->pApplicationName;
    if (application != NULL && application->pEngineName != NULL)
        engine = application->pEngineName;
    vidmm_stream_header("app", "%s", program_invocation_short_name);
    vidmm_stream_header("vk-application", "%s / engine %s", name, engine);
    vidmm_stream_header("path", "%s",
                        strstr(engine, "zink") != NULL    ? "OpenGL through zink on Vulkan"
                        : strstr(engine, "vkd3d") != NULL ? "Direct3D 12 through vkd3d on Vulkan"
                        : strstr(engine, "DXVK") != NULL  ? "Direct3D through DXVK on Vulkan"
                        : strstr(engine, "ANGLE") != NULL ? "OpenGL ES through ANGLE on Vulkan"
                                                          : "Vulkan directly");
    vidmm_stream_header("references", "descriptor sets and command buffers");
}

#define GET(get, handle, function) ((PFN_vk##function)get(handle, "vk" #function))

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks,
                                                      VkInstance *handle)
{
    VkLayerInstanceCreateInfo *link = instance_link(info);

    if (link == NULL)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = GET(get, NULL, CreateInstance)(info, callbacks, handle);
    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    vidmm_stream_begin();
    say_application(info->pApplicationInfo);
    vidmm_stream_flush();
    for (size_t i = 0; i < INSTANCES; i++)
        if (instances[i].handle == NULL) {
            PFN_vkGetPhysicalDeviceMemoryProperties2 memory2 =
                GET(get, *handle, GetPhysicalDeviceMemoryProperties2);

            if (memory2 == NULL)
                memory2 = GET(get, *handle, GetPhysicalDeviceMemoryProperties2KHR);
            instances[i] = (struct instance){
                *handle,
                *(void **)*handle,
                get,
                GET(get, *handle, DestroyInstance),
                GET(get, *handle, GetPhysicalDeviceMemoryProperties),
                memory2,
                GET(get, *handle, GetPhysicalDeviceProperties),
            };
            break;
        }
    vidmm_record_unlock();
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle,
                                                   const VkAllocationCallbacks *callbacks)
{
    struct instance *instance = handle != NULL ? instance_of(handle) : NULL;

    if (instance == NULL)
        return;
    PFN_vkDestroyInstance destroy = instance->destroy;
    vidmm_record_lock();
    *instance = (struct instance){.handle = NULL};
    vidmm_stream_flush();
    vidmm_record_unlock();
    destroy(handle, callbacks);
}

/* ---- physical devices ------------------------------------------------------------------------ */

static VKAPI_ATTR void VKAPI_CALL memory_properties(VkPhysicalDevice physical,
                                                    VkPhysicalDeviceMemoryProperties *properties)
{
    instance_of(physical)->memory(physical, properties);
    if (vidmm_card_shown(properties))
        vidmm_card_show(properties);
}

static VKAPI_ATTR void VKAPI_CALL memory_properties2(VkPhysicalDevice physical,
                                                     VkPhysicalDeviceMemoryProperties2 *properties)
{
    instance_of(physical)->memory2(physical, properties);
    if (!vidmm_card_shown(&properties->memoryProperties))
        return;
    vidmm_card_show(&properties->memoryProperties);
    for (VkBaseOutStructure *at = properties->pNext; at != NULL; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
            vidmm_card_budget((void *)at, NULL);
}

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info)
{
    const VkBaseInStructure *at = info->pNext;

    while (at != NULL && (at->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                          ((const VkLayerDeviceCreateInfo *)at)->function != VK_LAYER_LINK_INFO))
        at = at->pNext;
    return (VkLayerDeviceCreateInfo *)(uintptr_t)at;
}

static void load(struct vidmm_record_next *next, PFN_vkGetDeviceProcAddr get, VkDevice handle)
{
    next->GetDeviceProcAddr = get;
#define HOOK(function, other)                                                                      \
    next->function = GET(get, handle, function);                                                   \
    if (next->function == NULL && other[0] != 0)                                                   \
        next->function = (PFN_vk##function)get(handle, other);
#include "recorder/hooks.def"
#undef HOOK
}

static void describe(const struct instance *instance, VkPhysicalDevice physical,
                     struct vidmm_record_device *device)
{
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceProperties properties;

    instance->memory(physical, &memory);
    instance->properties(physical, &properties);
    device->shown = vidmm_card_shown(&memory);
    vidmm_card_say(device->shown, &memory);
    if (device->shown)
        vidmm_card_show(&memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        device->types[i] = memory.memoryTypes[i].propertyFlags;
    vidmm_stream_header("driver", "%s", properties.deviceName);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDevice *handle)
{
    VkLayerDeviceCreateInfo *link = device_link(info);
    const struct instance *instance = instance_of(physical);

    if (link == NULL || instance == NULL)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result =
        GET(get_instance, instance->handle, CreateDevice)(physical, info, callbacks, handle);
    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct vidmm_record_device *device = vidmm_record_device_add(*handle);
    if (device != NULL) {
        load(&device->next, get, *handle);
        describe(instance, physical, device);
    }
    vidmm_record_unlock();
    if (device == NULL) {
        GET(get, *handle, DestroyDevice)(*handle, callbacks);
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    return result;
}

void vidmm_record_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *callbacks)
{
    if (handle == NULL)
        return;
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    PFN_vkDestroyDevice destroy = device->next.DestroyDevice;
    vidmm_record_lock();
    vidmm_writes_say_cost();
    vidmm_stream_flush();
    vidmm_record_device_remove(device);
    vidmm_record_unlock();
    destroy(handle, callbacks);
}

void vidmm_record_GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue)
{
    VIDMM_RECORD_NEXT(handle)->GetDeviceQueue(handle, family, index, queue);
    vidmm_record_lock();
    vidmm_record_queue_of(*queue);
    vidmm_record_unlock();
}

void vidmm_record_GetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue)
{
    VIDMM_RECORD_NEXT(handle)->GetDeviceQueue2(handle, info, queue);
    vidmm_record_lock();
    vidmm_record_queue_of(*queue);
    vidmm_record_unlock();
}

/* ---- names ----------------------------------------------------------------------------------- */

static PFN_vkVoidFunction hook_of(const char *name)
{
    for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
        if (strcmp(name, hooks[i].name) == 0 || strcmp(name, hooks[i].alias) == 0)
            return hooks[i].hook;
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice handle, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device;
    PFN_vkVoidFunction next = VIDMM_RECORD_NEXT(handle)->GetDeviceProcAddr(handle, name);
    PFN_vkVoidFunction hook = next != NULL ? hook_of(name) : NULL;
    return hook != NULL ? hook : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction hook;
    } own[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)memory_properties},
        {"vkGetPhysicalDeviceMemoryProperties2", (PFN_vkVoidFunction)memory_properties2},
        {"vkGetPhysicalDeviceMemoryProperties2KHR", (PFN_vkVoidFunction)memory_properties2},
    };

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(name, own[i].name) == 0)
            return own[i].hook;
    const struct instance *instance = handle != NULL ? instance_of(handle) : NULL;
    PFN_vkVoidFunction next = instance != NULL ? instance->get(handle, name) : NULL;
    PFN_vkVoidFunction hook = next != NULL ? hook_of(name) : NULL;
    return hook != NULL ? hook : next;
}

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
    if (version->loaderLayerInterfaceVersion < CURRENT_LOADER_LAYER_INTERFACE_VERSION)
        return VK_ERROR_INITIALIZATION_FAILED;
    version->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
    version->pfnGetInstanceProcAddr = get_instance;
    version->pfnGetDeviceProcAddr = get_device;
    version->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
