/* own_gpu.c: machine, slot, software GPU. */
#include "dxcore/own_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "host/machine.h"
#include "softgpu/config.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"

#define SYSTEM_MEMORY (UINT64_C(8) << 30)
#define FENCE_TIMEOUT_MS 10000u /* a software GPU under a sanitizer is slow */

struct vidmm_own_gpu {
    const struct softgpu_config *config;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *device;
    bool plugged;
};

static void note_misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "libdxcore: %s\n", text);
}

static bool make(struct vidmm_own_gpu *gpu, char *error, size_t size)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED,
        .visitors = true,
        .system_memory = SYSTEM_MEMORY,
        .poison = VIDMM_POISON_HEAD,
        .misuse = note_misuse,
    };
    struct vidmm_device_model model;

    gpu->machine = vidmm_machine_create(&options, error, size);
    if (gpu->machine == NULL)
        return false;
    gpu->slot = vidmm_machine_add_slot(gpu->machine);
    if (gpu->slot == NULL) {
        snprintf(error, size, "no memory for a slot");
        return false;
    }
    gpu->device =
        softgpu_device_create(vidmm_slot_bus(gpu->slot), gpu->config, &model, error, size);
    if (gpu->device == NULL)
        return false;
    gpu->plugged = vidmm_slot_plug(gpu->slot, &model);
    if (!gpu->plugged)
        snprintf(error, size, "the slot is taken");
    return gpu->plugged;
}

struct vidmm_own_gpu *vidmm_own_gpu_create(const struct softgpu_config *config, char *error,
                                           size_t error_size)
{
    struct vidmm_own_gpu *gpu = calloc(1, sizeof(*gpu));

    if (gpu == NULL) {
        snprintf(error, error_size, "no memory");
        return NULL;
    }
    gpu->config = config;
    if (make(gpu, error, error_size))
        return gpu;
    vidmm_own_gpu_destroy(gpu);
    return NULL;
}

const struct vidmm_host *vidmm_own_gpu_host(const struct vidmm_own_gpu *gpu)
{
    return vidmm_slot_host(gpu->slot);
}

const struct softgpu_device *vidmm_own_gpu_device(const struct vidmm_own_gpu *gpu)
{
    return gpu->device;
}

bool vidmm_own_gpu_driver(const struct vidmm_own_gpu *gpu, DRIVER_INITIALIZATION_DATA *driver)
{
    memset(driver, 0, sizeof(*driver));
    if (softgpu_driver_entry(softgpu_driver_version(gpu->config->wddm), driver) != STATUS_SUCCESS)
        return false;
    if (gpu->config->remapping)
        softgpu_driver_remap(driver);
    return true;
}

/* For D-092. */
static bool wrote(void *device, const struct vidmm_gpu_write *question)
{
    return softgpu_device_wrote(device, question->node, question->fence, question->segment,
                                question->offset, question->size);
}

void vidmm_own_gpu_options(struct vidmm_own_gpu *gpu, struct vidmm_adapter_options *options)
{
    vidmm_adapter_options_default(options);
    options->timeout_ms = FENCE_TIMEOUT_MS;
    options->poison = true;
    options->driver_reason = softgpu_device_reason;
    options->driver_reason_context = gpu->device;
    options->gpu_wrote = wrote;
    options->gpu_wrote_context = gpu->device;
    softgpu_device_watch(gpu->device);
}

void vidmm_own_gpu_destroy(struct vidmm_own_gpu *gpu)
{
    if (gpu == NULL)
        return;
    if (gpu->plugged)
        vidmm_slot_unplug(gpu->slot);
    softgpu_device_destroy(gpu->device);
    vidmm_machine_destroy(gpu->machine);
    free(gpu);
}
