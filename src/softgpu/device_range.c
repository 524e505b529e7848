/* Swizzling ranges: the CPU sees pages of the GPU's at other addresses, in linear order. */
#include "softgpu/device_private.h"

#include <stdlib.h>

#include <vidmm/bus.h>

/* The physical address of a page of a segment. */
static uint64_t page_at(const struct softgpu_window *window, uint64_t offset)
{
    if (window->kind == SOFTGPU_SEGMENT_MEMORY)
        return window->physical + offset;
    return window->page_table[offset >> SOFTGPU_PAGE_SHIFT] & SOFTGPU_ENTRY_PAGE;
}

static bool show(struct softgpu_device *device, const struct softgpu_range_register *range,
                 const struct softgpu_window *window)
{
    const struct vidmm_bus *bus = device->bus;
    uint64_t count = (range->bytes + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE;
    uint64_t *pages = malloc(count * sizeof(*pages));
    bool shown;

    if (pages == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t offset = range->address - window->base + i * SOFTGPU_PAGE_SIZE;

        pages[i] = page_at(window, range->tiled ? softgpu_tiled(offset) : offset);
    }
    shown = bus->show_view(bus->context, range->cpu_address, count, pages);
    free(pages);
    return shown;
}

bool softgpu_set_range(struct softgpu_device *device, uint32_t value)
{
    uint32_t number = value & ~SOFTGPU_RANGE_ON;
    const struct softgpu_range_register *range;
    const struct softgpu_window *window;

    if (number >= device->config.range_count)
        return false;
    range = &device->registers->ranges[number];
    if ((value & SOFTGPU_RANGE_ON) == 0)
        return device->bus->show_view(device->bus->context, range->cpu_address, 0, NULL);
    if (range->bytes == 0 || range->bytes > SOFTGPU_RANGE_SIZE || range->segment == 0)
        return false;
    window = softgpu_window_of(device, range->segment, range->address, range->bytes);
    return window != NULL && window->kind != SOFTGPU_SEGMENT_AGP && show(device, range, window);
}

bool softgpu_add_ranges(struct softgpu_device *device)
{
    const struct vidmm_bus *bus = device->bus;
    uint64_t address = 0, size = SOFTGPU_RANGE_SIZE, count = device->config.range_count;

    if (count == 0)
        return true;
    while (size < count * SOFTGPU_RANGE_SIZE) /* a BAR of PCI is a power of two */
        size *= 2;
    if (bus->add_view == NULL || !bus->add_view(bus->context, 2, size, &address))
        return false;
    for (uint32_t i = 0; i < count; i++)
        device->registers->ranges[i].cpu_address = address + i * SOFTGPU_RANGE_SIZE;
    return true;
}
