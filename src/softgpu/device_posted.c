/*
 * Theory. Behind a bridge that posts writes no pointer into memory will do: a write there is seen
 * later. So a walk hands out a copy of the page, and what was changed of it goes to the bridge when
 * the walk goes on. Reads push: a reader says so first, once for all it reads.
 */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

void softgpu_push(const struct softgpu_device *device)
{
    if (device->bus->push != NULL)
        device->bus->push(device->bus->context);
}

unsigned char *softgpu_stage(struct softgpu_walk *walk, uint64_t physical, uint64_t *bytes)
{
    const struct vidmm_bus *bus = walk->engine->device->bus;
    uint64_t in_page = physical % SOFTGPU_PAGE_SIZE, size = SOFTGPU_PAGE_SIZE - in_page;
    unsigned char *copy, *at;

    if (bus->post == NULL || !bus->post(bus->context, physical, NULL, 0))
        return NULL;
    size = *bytes < size ? *bytes : size;
    at = bus->memory(bus->context, physical, size);
    if (at == NULL)
        return NULL;
    copy = walk->engine->staged[walk->stage];
    walk->stage ^= 1;
    memcpy(copy + in_page, at, size);
    *bytes = size;
    walk->ahead_posted = physical;
    return copy + in_page;
}

void softgpu_post(const struct softgpu_walk *walk, uint64_t bytes)
{
    const struct vidmm_bus *bus = walk->engine->device->bus;
    const void *at = bus->memory(bus->context, walk->posted, bytes);

    if (at != NULL && memcmp(at, walk->at, bytes) != 0)
        bus->post(bus->context, walk->posted, walk->at, bytes);
}
