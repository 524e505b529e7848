/* device_commands.c: the GPU's work for each command. */
#include "device.h"

/* ---- addresses ---- */

/* The bytes at an address of the GPU's, and in *room how many of them lie together. */
static uint8_t *find(struct gpu *gpu, uint64_t address, uint64_t *room)
{
    uint64_t offset = address - RING_MEMORY_BASE;

    if (offset < gpu->memory_size) {
        *room = gpu->memory_size - offset;
        return gpu->memory + offset;
    }
    offset = address - RING_APERTURE_BASE;
    if (offset / RING_PAGE >= RING_APERTURE_PAGES || gpu->table[offset / RING_PAGE] == 0)
        return NULL;
    *room = RING_PAGE - offset % RING_PAGE;
    return gpu->bus->memory(gpu->bus->context, gpu->table[offset / RING_PAGE] + offset % RING_PAGE,
                            *room);
}

/* ---- commands ---- */

static bool read_bytes(struct gpu *gpu, uint64_t from, uint64_t count)
{
    for (uint64_t room; count > 0; from += room, count -= room) {
        const uint8_t *bytes = find(gpu, from, &room);

        if (!bytes)
            return false;
        room = room < count ? room : count;
        for (uint64_t i = 0; i < room; i += RING_PAGE)
            gpu->sink = bytes[i];
    }
    return true;
}

static bool fill(struct gpu *gpu, uint64_t to, uint64_t count, uint32_t pattern)
{
    uint64_t start = to;

    for (uint64_t room; count > 0; to += room, count -= room) {
        uint8_t *bytes = find(gpu, to, &room);

        if (!bytes)
            return false;
        room = room < count ? room : count;
        for (uint64_t i = 0; i < room; i++)
            bytes[i] = (uint8_t)(pattern >> (to - start + i) % 4 * 8);
    }
    return true;
}

static bool copy(struct gpu *gpu, uint64_t to, uint64_t from, uint64_t count)
{
    uint64_t chunk, more;

    for (; count > 0; to += chunk, from += chunk, count -= chunk) {
        uint8_t *destination = find(gpu, to, &chunk);
        const uint8_t *source = find(gpu, from, &more);

        if (!destination || !source)
            return false;
        chunk = chunk < more ? chunk : more;
        chunk = chunk < count ? chunk : count;
        memmove(destination, source, chunk);
    }
    return true;
}

/* Between GPU addresses and a list of pages. */
static bool copy_list(struct gpu *gpu, uint64_t address, uint64_t count, const uint64_t *pages,
                      bool out)
{
    for (uint64_t done = 0, chunk; done < count; done += chunk, pages++) {
        uint8_t *page = gpu->bus->memory(gpu->bus->context, *pages, RING_PAGE);
        uint64_t room;
        uint8_t *bytes = find(gpu, address + done, &room);

        chunk = count - done < RING_PAGE ? count - done : RING_PAGE;
        if (!page || !bytes || room < chunk)
            return false;
        memcpy(out ? page : bytes, out ? bytes : page, chunk);
    }
    return true;
}

/* `pages` has one address for all entries, or one for each. */
static bool map(struct gpu *gpu, uint64_t first, uint64_t count, const uint64_t *pages, bool one)
{
    if (first > RING_APERTURE_PAGES || count > RING_APERTURE_PAGES - first)
        return false;
    for (uint64_t i = 0; i < count; i++)
        gpu->table[first + i] = pages[one ? 0 : i];
    return true;
}

static bool execute(struct gpu *gpu, const struct ring_command *c)
{
    const uint64_t *list = (const uint64_t *)(c + 1);
    uint64_t listed = (c->bytes - sizeof(*c)) / sizeof(*list);

    switch (c->opcode) {
    case RING_NOP:
        return true;
    case RING_READ:
        return read_bytes(gpu, c->first, c->count);
    case RING_FILL:
        return fill(gpu, c->first, c->count, (uint32_t)c->second);
    case RING_COPY:
        return copy(gpu, c->first, c->second, c->count);
    case RING_COPY_IN:
    case RING_COPY_OUT:
        return c->count <= listed * RING_PAGE &&
               copy_list(gpu, c->first, c->count, list, c->opcode == RING_COPY_OUT);
    case RING_MAP:
        return c->count <= listed && map(gpu, c->first, c->count, list, false);
    case RING_UNMAP:
        return map(gpu, c->first, c->count, &c->second, true);
    default:
        return false;
    }
}

bool ring_execute(struct gpu *gpu, const struct ring_entry *entry)
{
    const uint8_t *bytes = gpu->bus->memory(gpu->bus->context, entry->address, entry->bytes);

    for (gpu->why = 0; gpu->why < entry->bytes;) {
        const struct ring_command *command = (const void *)(bytes + gpu->why);

        if (!bytes || entry->bytes - gpu->why < sizeof(*command) ||
            command->bytes < sizeof(*command) || command->bytes > entry->bytes - gpu->why ||
            !execute(gpu, command))
            return false;
        gpu->why += command->bytes;
    }
    return true;
}
