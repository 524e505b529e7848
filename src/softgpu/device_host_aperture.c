/*
 * Theory. The CPU host aperture: pages of a memory segment that the CPU does not reach otherwise
 * appear in a window of the bus, in any order, as the driver's table says.
 *
 *     table       [ 0 | 8 | 0 | 3 ]       entry n: page of the segment, plus 1; 0: none
 *                       |       |
 *     BAR 2       [   | p7 |  | p2 ]      what the CPU sees
 *
 * The window is a sixteenth of the segment. Its pages are those of the segment: 4 KiB, or 64 KiB.
 */
#include <stdlib.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

#define SMALL_PAGES 16u /* of 4 KiB in a page of 64 KiB */

/* The segment that has one; NULL: none has. */
static const struct softgpu_window *segment_of(const struct softgpu_device *device)
{
    uint32_t id = device->registers->host_aperture.segment;

    return id != 0 ? &device->windows[id - 1] : NULL;
}

static bool show(struct softgpu_device *device, uint32_t index, uint64_t entry)
{
    const struct softgpu_host_register *at = &device->registers->host_aperture;
    const struct vidmm_bus *bus = device->bus;
    uint64_t address = at->cpu_address + ((uint64_t)index << at->page_shift);
    uint64_t pages[SMALL_PAGES], count = (uint64_t)1 << (at->page_shift - SOFTGPU_PAGE_SHIFT);

    if (entry == 0)
        return bus->show_view(bus->context, address, 0, NULL);
    for (uint64_t i = 0; i < count; i++)
        pages[i] =
            segment_of(device)->physical + ((entry - 1) << at->page_shift) + i * SOFTGPU_PAGE_SIZE;
    return bus->show_view(bus->context, address, count, pages);
}

static _Atomic uint64_t *table_of(const struct softgpu_device *device)
{
    return (_Atomic uint64_t *)(void *)((char *)device->registers +
                                        device->registers->host_aperture.table);
}

bool softgpu_set_host_page(struct softgpu_device *device, uint32_t index)
{
    const struct softgpu_host_register *at = &device->registers->host_aperture;
    uint64_t entry;

    if (index >= at->pages)
        return false;
    entry = atomic_load(&table_of(device)[index]);
    return entry <= segment_of(device)->size >> at->page_shift && show(device, index, entry);
}

void softgpu_lose_host_aperture(struct softgpu_device *device)
{
    for (uint32_t i = 0; i < device->registers->host_aperture.pages; i++)
        if (atomic_exchange(&table_of(device)[i], 0) != 0)
            show(device, i, 0);
}

bool softgpu_add_host_aperture(struct softgpu_device *device, uint64_t table)
{
    const struct softgpu_config *config = &device->config;
    struct softgpu_host_register *at = &device->registers->host_aperture;
    const struct vidmm_bus *bus = device->bus;
    uint32_t id = config->segment_count; /* obeys W-003 */
    uint64_t bar = SOFTGPU_PAGE_SIZE, address = 0;

    if (!config->segments[id - 1].host_aperture)
        return true;
    at->page_shift = softgpu_host_page_shift(config);
    at->pages = softgpu_host_pages(config);
    while (bar < (uint64_t)at->pages << at->page_shift) /* a BAR of PCI is a power of two */
        bar *= 2;
    if (bus->add_view == NULL || !bus->add_view(bus->context, 2, bar, &address))
        return false;
    at->segment = id;
    at->cpu_address = address;
    at->table = table;
    for (uint32_t i = 0; i < at->pages; i++)
        atomic_store(&table_of(device)[i], 0);
    return true;
}
