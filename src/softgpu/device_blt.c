/* BLT: rows of one surface, copied into another. The GPU's part of a present. */
#include "softgpu/device_private.h"

#include <string.h>

/* One of the two surfaces. */
struct surface {
    const char *what;
    uint64_t address; /* of the allocation; the driver was told by Patch */
    uint64_t offset;  /* bytes to the row, in linear order */
    uint32_t pitch;
    bool tiled;
};

/* Begin the walk over a row, wherever the segment's own order has put it. */
static bool begin_row(struct softgpu_engine *engine, const struct surface *surface, uint32_t row,
                      uint32_t bytes, struct softgpu_walk *walk)
{
    struct softgpu_device *device = engine->device;
    uint64_t offset = surface->offset + (uint64_t)row * surface->pitch;
    uint32_t tiled = surface->tiled ? SOFTGPU_PLACE_TILED : 0;
    const struct softgpu_window *window = softgpu_window_of(device, 0, surface->address, 1);
    struct softgpu_place place = {.segment = tiled, .address = surface->address + offset};

    if (window == NULL && (surface->address == 0 ||
                           softgpu_config_segment(&device->config, SOFTGPU_SEGMENT_AGP) == 0)) {
        softgpu_fault(engine, "%s: 0x%llx: no place of a segment", surface->what,
                      (unsigned long long)surface->address);
        return false;
    }
    if (window != NULL)
        place.segment = (uint32_t)(window - device->windows + 1) | tiled;
    if (window != NULL && window->pitch_aligned)
        place.address = surface->address + softgpu_pitched(offset);
    return softgpu_walk_begin(walk, engine, surface->what, &place, NULL, bytes);
}

static bool copy_row(struct softgpu_engine *engine, const struct surface surfaces[2], uint32_t row,
                     uint32_t row_bytes)
{
    struct softgpu_walk from, to;

    if (!begin_row(engine, &surfaces[0], row, row_bytes, &from) ||
        !begin_row(engine, &surfaces[1], row, row_bytes, &to))
        return false;
    while (from.here != 0 && to.here != 0) {
        uint64_t bytes = from.here < to.here ? from.here : to.here;

        memmove(to.at, from.at, bytes);
        softgpu_walk_take(&from, bytes);
        softgpu_walk_take(&to, bytes);
    }
    return !from.failed && !to.failed;
}

void softgpu_run_blt(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_blt *blt = (const void *)command;
    const struct surface surfaces[2] = {
        {"blt, source", blt->source.address, blt->source.offset, blt->source.pitch,
         (blt->source.flags & SOFTGPU_REFERENCE_TILED) != 0},
        {"blt, destination", blt->destination.address, blt->destination.offset,
         blt->destination.pitch, (blt->destination.flags & SOFTGPU_REFERENCE_TILED) != 0},
    };

    if (!engine->device->config.execute)
        return;
    for (uint32_t row = 0; row < blt->rows; row++)
        if (!copy_row(engine, surfaces, row, blt->row_bytes))
            return;
}
