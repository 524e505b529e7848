/* Theory. A screen shows what lies where the registers of its source point to: bytes of a
 * memory segment, or the pages that the entries of an aperture show. Nothing of it is kept. */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

/* One page that an entry of an aperture shows, or the end of one. */
static bool read_page(const struct softgpu_device *device, uint64_t entry, uint64_t in_page,
                      unsigned char *to, uint64_t bytes)
{
    const struct vidmm_bus *bus = device->bus;
    const unsigned char *from;

    if ((entry & SOFTGPU_ENTRY_PAGE) == device->poison_address ||
        (entry & SOFTGPU_ENTRY_DUMMY) != 0)
        return false;
    from = bus->memory(bus->context, (entry & SOFTGPU_ENTRY_PAGE) + in_page, bytes);
    if (from == NULL)
        return false;
    memcpy(to, from, bytes);
    return true;
}

static bool read_aperture(const struct softgpu_device *device, const struct softgpu_window *window,
                          uint64_t offset, unsigned char *to, uint64_t bytes)
{
    while (bytes != 0) {
        uint64_t in_page = offset % SOFTGPU_PAGE_SIZE, here = SOFTGPU_PAGE_SIZE - in_page;

        here = here < bytes ? here : bytes;
        if (!read_page(device, window->page_table[offset >> SOFTGPU_PAGE_SHIFT], in_page, to, here))
            return false;
        offset += here;
        to += here;
        bytes -= here;
    }
    return true;
}

bool softgpu_device_picture(const struct softgpu_device *device, uint32_t source, void *picture,
                            uint64_t bytes)
{
    const struct softgpu_scanout_register *scanout;
    const struct softgpu_window *window;
    uint64_t offset;

    if (source >= device->config.sources)
        return false;
    scanout = &device->registers->scanouts[source];
    if (atomic_load(&scanout->visible) == 0 || bytes > scanout->bytes)
        return false;
    window = &device->windows[scanout->segment - 1];
    offset = scanout->address - window->base;
    if (window->kind != SOFTGPU_SEGMENT_MEMORY)
        return read_aperture(device, window, offset, picture, bytes);
    memcpy(picture, window->memory + offset, bytes);
    return true;
}
