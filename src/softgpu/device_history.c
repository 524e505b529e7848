/*
 * Theory. A DMA buffer that names a history buffer has time stamps put into it: when it began, when
 * it ended, and behind these when each command from the naming one on was done. While it runs,
 * stamps gather in the engine; all are written when the packet is complete, before its fence is.
 *
 *     | header, 16 bytes | private data, 8 | start | end | marker | marker | ...
 *
 * The clock of the GPU counts commands and packets of all engines. How a stamp lies in memory
 * depends on the precision that the driver has announced:
 *
 *     32        four bytes each
 *     33 .. 64  eight bytes; the bits above are junk: ones
 *     0         raw: complemented. Nobody but the driver can read it (FormatHistoryBuffer)
 */
#include "softgpu/device_private.h"

#define JUNK UINT64_MAX

uint64_t softgpu_tick(struct softgpu_device *device)
{
    return atomic_fetch_add(&device->clock, 1) + 1;
}

void softgpu_history_begin(struct softgpu_engine *engine)
{
    uint64_t now = softgpu_tick(engine->device);

    engine->history.segment = 0;
    if (engine->packet.flags & SOFTGPU_PACKET_FIRST) {
        engine->history.began = now;
        engine->history.markers = 0;
    }
}

void softgpu_history_mark(struct softgpu_engine *engine)
{
    uint64_t now = softgpu_tick(engine->device);

    if (engine->history.segment != 0 && engine->history.markers < SOFTGPU_MARKERS)
        engine->history.marker[engine->history.markers++] = now;
}

void softgpu_history_name(struct softgpu_engine *engine,
                          const struct softgpu_op_reference *reference)
{
    uint64_t bytes = reference->pages << SOFTGPU_PAGE_SHIFT;
    const struct softgpu_window *window =
        softgpu_window_of(engine->device, 0, reference->address, bytes);

    if (window == NULL) {
        softgpu_fault(engine,
                      "touch: a history buffer of %llu pages at 0x%llx: no place of a segment",
                      (unsigned long long)reference->pages, (unsigned long long)reference->address);
        return;
    }
    engine->history.segment = (uint32_t)(window - engine->device->windows + 1);
    engine->history.address = reference->address;
    engine->history.bytes = bytes;
    engine->history.sequence = reference->generation;
}

/* Write bytes at an offset of the history buffer. */
static void put(struct softgpu_engine *engine, uint64_t offset, const void *bytes, uint64_t size)
{
    struct softgpu_place place = {.segment = engine->history.segment,
                                  .address = engine->history.address + offset};

    softgpu_write(engine, "history buffer", &place, bytes, size);
}

static void put_stamp(struct softgpu_engine *engine, uint32_t index, uint64_t ticks)
{
    uint32_t bits = engine->device->config.history, small = (uint32_t)ticks;
    uint64_t first = SOFTGPU_HISTORY_STAMPS, stamp = ticks;

    if (bits == 32) {
        put(engine, first + index * sizeof(small), &small, sizeof(small));
        return;
    }
    if (bits == 0)
        stamp = ~ticks;
    else if (bits < 64)
        stamp = (ticks & (((uint64_t)1 << bits) - 1)) | JUNK << bits;
    put(engine, first + index * sizeof(stamp), &stamp, sizeof(stamp));
}

void softgpu_history_end(struct softgpu_engine *engine)
{
    const struct softgpu_history *history = &engine->history;
    uint64_t stamp = engine->device->config.history == 32 ? sizeof(uint32_t) : sizeof(uint64_t);
    uint64_t room = (history->bytes - SOFTGPU_HISTORY_STAMPS) / stamp;
    struct softgpu_history_header header = {.sequence = history->sequence,
                                            .private_size = SOFTGPU_HISTORY_PRIVATE,
                                            .mark = SOFTGPU_HISTORY_MARK};

    if (history->segment == 0)
        return;
    header.stamps = 2 + history->markers < room ? 2 + history->markers : (uint32_t)room;
    put(engine, 0, &header, sizeof(header));
    put_stamp(engine, 0, history->began);
    put_stamp(engine, 1, softgpu_tick(engine->device));
    for (uint32_t i = 2; i < header.stamps; i++)
        put_stamp(engine, i, history->marker[i - 2]);
}
