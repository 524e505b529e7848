/* linked.c: further software GPUs on the cable of the first. */
#include "story/linked.h"

#include <stdio.h>

#include <vidmm/bus.h>

#include "host/machine.h"
#include "softgpu/device.h"

static bool plug(struct vidmm_linked *linked, struct vidmm_machine *machine,
                 const struct softgpu_config *config, uint32_t place, char *error,
                 size_t error_size)
{
    struct vidmm_linked_gpu *gpu = &linked->gpus[place];
    struct vidmm_device_model model;

    snprintf(error, error_size, "no slot for GPU %u of the link", place);
    gpu->slot = vidmm_machine_add_slot(machine);
    if (gpu->slot == NULL)
        return false;
    gpu->device =
        softgpu_device_create(vidmm_slot_bus(gpu->slot), config, &model, error, error_size);
    if (gpu->device == NULL)
        return false;
    gpu->plugged = vidmm_slot_plug(gpu->slot, &model);
    linked->links[place - 1] =
        (struct vidmm_adapter_link){vidmm_slot_host(gpu->slot), &linked->places[place]};
    return gpu->plugged;
}

bool vidmm_linked_plug(struct vidmm_linked *linked, struct vidmm_machine *machine,
                       struct softgpu_device *lead, const struct softgpu_config *config,
                       uint32_t count, char *error, size_t error_size)
{
    linked->count = count;
    linked->chain = (struct softgpu_chain){.uid = 1, .count = count};
    for (uint32_t place = 0; place < count; place++)
        linked->places[place] = (struct softgpu_physical_device){&linked->chain, place};
    for (uint32_t place = 1; place < count; place++) {
        if (!plug(linked, machine, config, place, error, error_size))
            return false;
        softgpu_device_link(linked->gpus[place].device, lead);
    }
    return true;
}

void *vidmm_linked_options(struct vidmm_linked *linked, struct vidmm_adapter_options *options)
{
    if (linked->count <= 1)
        return NULL;
    options->links = linked->links;
    options->link_count = linked->count - 1;
    return &linked->places[0];
}

void vidmm_linked_driver(const struct vidmm_linked *linked,
                         struct _DRIVER_INITIALIZATION_DATA *driver)
{
    if (linked->count > 1)
        softgpu_driver_link(driver);
}

void vidmm_linked_unplug(struct vidmm_linked *linked)
{
    for (uint32_t place = 1; place < linked->count; place++) {
        if (linked->gpus[place].plugged)
            vidmm_slot_unplug(linked->gpus[place].slot);
        softgpu_device_destroy(linked->gpus[place].device);
    }
}
