/* The paging commands: move, fill, drop, map. Each checks all it can before it changes a byte. */
#include <string.h>

#include "softgpu/device_private.h"

#define DISCARD_PATTERN 0xd15cadedu

/* Runs that follow a command of `size` bytes; false: they do not fit into it. */
static bool runs_fit(struct softgpu_engine *engine, const struct softgpu_command *command,
                     size_t size, uint64_t runs)
{
    if (runs <= (command->size - size) / sizeof(uint64_t))
        return true;
    softgpu_fault(engine, "%llu runs in a command of %u bytes", (unsigned long long)runs,
                  command->size);
    return false;
}

static bool is_own(const struct softgpu_device *device, const struct softgpu_place *place)
{
    uint32_t segment = place->segment & SOFTGPU_PLACE_SEGMENT;

    return place->runs == 0 && segment != 0 && segment <= device->config.segment_count &&
           device->windows[segment - 1].kind == SOFTGPU_SEGMENT_MEMORY;
}

/* Count the direction of a transfer: a side is the GPU's own memory, or it is the system's. */
static void count_transfer(struct softgpu_device *device,
                           const struct softgpu_op_transfer *transfer)
{
    const struct softgpu_place *places[2] = {&transfer->source, &transfer->destination};
    bool own[2];

    for (int i = 0; i < 2; i++)
        own[i] = is_own(device, places[i]);
    SOFTGPU_COUNT(device, transfers, 1);
    if (own[0] == own[1])
        SOFTGPU_COUNT(device, bytes_moved, transfer->bytes);
    else if (own[1])
        SOFTGPU_COUNT(device, bytes_in, transfer->bytes);
    else
        SOFTGPU_COUNT(device, bytes_out, transfer->bytes);
}

static void cipher(struct softgpu_walk *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        to->at[i] ^= SOFTGPU_CIPHER;
}

/* One piece. Pieces that overlap are of one memory segment, where each side is a single piece. */
static void copy_piece(struct softgpu_device *device, struct softgpu_walk *to,
                       const struct softgpu_walk *from, uint64_t bytes, uint64_t total)
{
    const unsigned char *next = bytes == from->here ? from->ahead : from->at + bytes;

    if (from->at < to->at + bytes && to->at < from->at + bytes)
        memmove(to->at, from->at, bytes);
    else
        softgpu_copy(&device->mover, to->at, from->at, bytes, next, total);
}

void softgpu_run_transfer(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_transfer *transfer = (const void *)command;
    const uint64_t *runs = (const uint64_t *)(transfer + 1);
    struct softgpu_device *device = engine->device;
    struct softgpu_place destination = transfer->destination;
    struct softgpu_walk from, to;

    destination.segment |= SOFTGPU_PLACE_WRITTEN;

    if (transfer->source.runs != 0 && transfer->destination.runs != 0) {
        softgpu_fault(engine, "transfer: both sides are runs");
        return;
    }
    softgpu_push(device);
    if (!runs_fit(engine, command, sizeof(*transfer),
                  (uint64_t)transfer->source.runs + transfer->destination.runs) ||
        !softgpu_walk_begin(&from, engine, "transfer, source", &transfer->source, runs,
                            transfer->bytes) ||
        !softgpu_walk_begin(&to, engine, "transfer, destination", &destination, runs,
                            transfer->bytes))
        return;
    while (from.here != 0 && to.here != 0) {
        uint64_t bytes = from.here < to.here ? from.here : to.here;

        copy_piece(device, &to, &from, bytes, transfer->bytes);
        if ((destination.segment & SOFTGPU_PLACE_CIPHER) != 0)
            cipher(&to, bytes);
        softgpu_walk_take(&from, bytes);
        softgpu_walk_take(&to, bytes);
    }
    softgpu_mover_drain(&device->mover);
    if (!engine->faulted)
        count_transfer(device, transfer);
}

static void fill(struct softgpu_engine *engine, struct softgpu_walk *to, uint32_t pattern,
                 uint64_t total)
{
    unsigned phase = 0;

    while (to->here != 0) {
        uint64_t bytes = to->here;

        softgpu_fill(&engine->device->mover, to->at, pattern, phase, bytes, total);
        phase = (unsigned)((phase + bytes) & 3);
        softgpu_walk_take(to, bytes);
    }
    softgpu_mover_drain(&engine->device->mover);
}

void softgpu_run_fill(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_fill *op = (const void *)command;
    struct softgpu_place place = {.segment = op->segment | SOFTGPU_PLACE_WRITTEN,
                                  .address = op->address};
    struct softgpu_walk to;

    if (!softgpu_walk_begin(&to, engine, "fill", &place, NULL, op->bytes))
        return;
    fill(engine, &to, op->pattern, op->bytes);
    if (!engine->faulted)
        SOFTGPU_COUNT(engine->device, bytes_filled, op->bytes);
}

void softgpu_run_discard(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_discard *op = (const void *)command;
    struct softgpu_place place = {.segment = op->segment, .address = op->address};
    struct softgpu_walk to;

    if (!softgpu_walk_begin(&to, engine, "discard", &place, NULL, op->bytes))
        return;
    SOFTGPU_COUNT(engine->device, bytes_discarded, op->bytes);
    if (engine->device->config.poison_discard)
        fill(engine, &to, DISCARD_PATTERN, op->bytes);
}

/* The page-table entries [first, first + pages) of an aperture, or NULL and a fault. */
static uint64_t *entries_of(struct softgpu_engine *engine, const char *what, uint32_t segment,
                            uint64_t first, uint64_t pages)
{
    const struct softgpu_device *device = engine->device;
    const struct softgpu_window *window = NULL;
    uint64_t limit = 0;

    if (segment - 1 < device->config.segment_count) {
        window = &device->windows[segment - 1];
        limit = window->kind == SOFTGPU_SEGMENT_APERTURE ? window->size >> SOFTGPU_PAGE_SHIFT : 0;
    }
    if (limit != 0 && first <= limit && pages <= limit - first)
        return window->page_table + first;
    softgpu_fault(engine, "%s: %llu pages from %llu on: aperture segment %u has %llu", what,
                  (unsigned long long)pages, (unsigned long long)first, segment,
                  (unsigned long long)limit);
    return NULL;
}

void softgpu_run_map(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_map *map = (const void *)command;
    const uint64_t *runs = (const uint64_t *)(map + 1);
    uint64_t *entry, flags = SOFTGPU_ENTRY_VALID | (map->flags & SOFTGPU_ENTRY_COHERENT);
    uint64_t covered = 0;

    if (!runs_fit(engine, command, sizeof(*map), map->runs))
        return;
    for (uint32_t i = 0; i < map->runs; i++)
        covered += (runs[i] >> SOFTGPU_RUN_SHIFT) + 1;
    if (covered != map->pages) {
        softgpu_fault(engine, "map: %u pages, and runs of %llu", map->pages,
                      (unsigned long long)covered);
        return;
    }
    entry = entries_of(engine, "map", map->segment, map->first, map->pages);
    if (entry == NULL)
        return;
    for (uint32_t i = 0; i < map->runs; i++) {
        uint64_t frame = runs[i] & (SOFTGPU_FRAME_LIMIT - 1);

        for (uint64_t n = (runs[i] >> SOFTGPU_RUN_SHIFT) + 1; n != 0; n--)
            *entry++ = frame++ << SOFTGPU_PAGE_SHIFT | flags;
    }
    SOFTGPU_COUNT(engine->device, pages_mapped, map->pages);
}

void softgpu_run_unmap(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_unmap *unmap = (const void *)command;
    uint64_t *entry = entries_of(engine, "unmap", unmap->segment, unmap->first, unmap->pages);

    if (entry == NULL)
        return;
    if (unmap->physical % SOFTGPU_PAGE_SIZE != 0) {
        softgpu_fault(engine, "unmap: dummy page at 0x%llx, which is no page",
                      (unsigned long long)unmap->physical);
        return;
    }
    /* obeys S4-045, S4-046: every access still succeeds, on the dummy page */
    for (uint64_t i = 0; i < unmap->pages; i++)
        entry[i] = unmap->physical | SOFTGPU_ENTRY_VALID | SOFTGPU_ENTRY_DUMMY;
    SOFTGPU_COUNT(engine->device, pages_unmapped, unmap->pages);
}

void softgpu_run_access(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_access *access = (const void *)command;
    struct softgpu_place place = {.segment = access->segment, .address = access->address};
    struct softgpu_walk walk;
    uint64_t value;

    if (!access->write)
        softgpu_push(engine->device);
    if (!softgpu_walk_begin(&walk, engine, "access", &place, NULL, sizeof(value)) ||
        walk.here < sizeof(value))
        return;
    memcpy(&value, walk.at, sizeof(value));
    value++;
    if (access->write) /* obeys S4-037: any value */
        memcpy(walk.at, &value, sizeof(value));
    softgpu_walk_take(&walk, sizeof(value));
}
