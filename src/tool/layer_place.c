#include "tool/layer_place.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#define LOADER "libvulkan.so.1"

static bool is_there(const char *folder)
{
    static const char *const names[] = {"vidmm_record.json", "libvidmm-record.so"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        int length = snprintf(path, sizeof(path), "%s/%s", folder, names[i]);

        if (length < 0 || (size_t)length >= sizeof(path) || access(path, R_OK) != 0)
            return false;
    }
    return true;
}

bool vidmm_layer_folder(char *folder, size_t folder_size, char *error, size_t error_size)
{
    /* in a build folder, and installed; from the folder of the tool */
    static const char *const places[] = {"../recorder", "../" VIDMM_LIBDIR "/vidmm"};
    char self[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    self[length > 0 ? length : 0] = 0;
    if ((slash = strrchr(self, '/')) != NULL)
        *slash = 0;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        char path[PATH_MAX + 64];

        snprintf(path, sizeof(path), "%s/%s", self, places[i]);
        if (!is_there(path) || strlen(path) >= folder_size)
            continue;
        strcpy(folder, path);
        return true;
    }
    snprintf(error, error_size,
             "the Vulkan layer is missing: libvidmm-record.so and vidmm_record.json are in neither "
             "%s/%s nor %s/%s; build them: ninja src/recorder/libvidmm-record.so",
             self, places[0], self, places[1]);
    return false;
}

bool vidmm_layer_loader(char *error, size_t error_size)
{
    void *loader = dlopen(LOADER, RTLD_LAZY | RTLD_LOCAL);

    if (loader == NULL)
        snprintf(error, error_size,
                 "there is no Vulkan loader (%s); install it: apt-get install libvulkan1", LOADER);
    else
        dlclose(loader);
    return loader != NULL;
}

/* Vulkan devices of this machine; without the loader, none. */
static uint32_t device_count(void)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    void *loader = dlopen(LOADER, RTLD_LAZY | RTLD_LOCAL);
    uint32_t count = 0;
    VkInstance instance;

    if (loader == NULL)
        return 0;
    PFN_vkGetInstanceProcAddr get =
        (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr");
    PFN_vkCreateInstance create =
        get != NULL ? (PFN_vkCreateInstance)get(NULL, "vkCreateInstance") : NULL;
    if (create != NULL && create(&info, NULL, &instance) == VK_SUCCESS) {
        PFN_vkEnumeratePhysicalDevices enumerate =
            (PFN_vkEnumeratePhysicalDevices)get(instance, "vkEnumeratePhysicalDevices");
        PFN_vkDestroyInstance destroy = (PFN_vkDestroyInstance)get(instance, "vkDestroyInstance");

        if (enumerate != NULL && enumerate(instance, &count, NULL) != VK_SUCCESS)
            count = 0;
        if (destroy != NULL)
            destroy(instance, NULL);
    }
    return count; /* the loader stays: drivers do not like to be unloaded */
}

void vidmm_layer_diagnose(char *reason, size_t reason_size)
{
    const char *why =
        "it did not use Vulkan, as far as could be seen; an OpenGL program needs --gl";

    if (device_count() == 0)
        why = "there is no Vulkan device; for a software one: apt-get install mesa-vulkan-drivers";
    else if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        why = "it did not use Vulkan, perhaps because there is no display: apt-get install xvfb "
              "xauth, then vidmm record ... -- xvfb-run -a PROGRAM";
    snprintf(reason, reason_size, "%s", why);
}
