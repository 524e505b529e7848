/* device_commands.c: the GPU's work for each command, and the walk through the page tables. */
#include "device.h"

/* ---- addresses ---- */

void atlas_forget(struct gpu *gpu, uint64_t root)
{
    for (uint32_t i = 0; i < TRANSLATIONS; i++)
        if (root == UINT64_MAX || gpu->kept[i].root == root)
            gpu->kept[i].word = 0;
}

/* The word of the leaf; 0: no page. */
static uint64_t walk(const struct gpu *gpu, uint64_t root, uint64_t page)
{
    uint64_t word = root | ATLAS_PTE_VALID;

    for (uint32_t level = ATLAS_LEVELS; level-- > 0;) {
        uint64_t index = page >> level * ATLAS_INDEX_BITS & (ATLAS_TABLE - 1);
        uint64_t at = (word & ATLAS_PTE_ADDRESS) + index * sizeof(word);

        if (word & ATLAS_PTE_SYSTEM || at + sizeof(word) > gpu->memory_size)
            return 0; /* tables lie in memory */
        memcpy(&word, gpu->memory + at, sizeof(word));
        if (!(word & ATLAS_PTE_VALID))
            return 0;
    }
    return word;
}

static uint64_t translate(struct gpu *gpu, uint64_t root, uint64_t page)
{
    struct translation *kept = &gpu->kept[(page ^ root >> 12) % TRANSLATIONS];

    if (kept->word && kept->root == root && kept->page == page)
        return kept->word;
    *kept = (struct translation){root, page, walk(gpu, root, page)};
    return kept->word;
}

/* The bytes at an address, and in *room how many of them lie together. */
static uint8_t *find(struct gpu *gpu, uint64_t root, uint64_t address, bool write, uint64_t *room)
{
    uint64_t pages = UINT64_C(1) << ATLAS_LEVELS * ATLAS_INDEX_BITS;
    uint64_t word = address / ATLAS_PAGE < pages ? translate(gpu, root, address / ATLAS_PAGE) : 0;
    uint64_t at = (word & ATLAS_PTE_ADDRESS) + address % ATLAS_PAGE;

    *room = ATLAS_PAGE - address % ATLAS_PAGE;
    if (!(word & ATLAS_PTE_VALID) || (write && word & ATLAS_PTE_READ_ONLY))
        return NULL;
    if (word & ATLAS_PTE_SYSTEM)
        return gpu->bus->memory(gpu->bus->context, at, *room);
    return at < gpu->memory_size ? gpu->memory + at : NULL;
}

/* ---- commands ---- */

static bool read_bytes(struct gpu *gpu, uint64_t root, uint64_t from, uint64_t count)
{
    for (uint64_t room; count > 0; from += room, count -= room) {
        const uint8_t *bytes = find(gpu, root, from, false, &room);

        if (!bytes)
            return false;
        room = room < count ? room : count;
        gpu->sink = bytes[0];
    }
    return true;
}

static bool fill(struct gpu *gpu, uint64_t root, uint64_t to, uint64_t count, uint32_t pattern)
{
    uint64_t start = to;

    for (uint64_t room; count > 0; to += room, count -= room) {
        uint8_t *bytes = find(gpu, root, to, true, &room);

        if (!bytes)
            return false;
        room = room < count ? room : count;
        for (uint64_t i = 0; i < room; i++)
            bytes[i] = (uint8_t)(pattern >> (to - start + i) % 4 * 8);
    }
    return true;
}

static bool copy(struct gpu *gpu, uint64_t root, uint64_t to, uint64_t from, uint64_t count)
{
    uint64_t chunk, more;

    for (; count > 0; to += chunk, from += chunk, count -= chunk) {
        uint8_t *destination = find(gpu, root, to, true, &chunk);
        const uint8_t *source = find(gpu, root, from, false, &more);

        if (!destination || !source)
            return false;
        chunk = chunk < more ? chunk : more;
        chunk = chunk < count ? chunk : count;
        memmove(destination, source, chunk);
    }
    return true;
}

static bool write_table(struct gpu *gpu, const struct atlas_command *c)
{
    const uint64_t *words = (const uint64_t *)(c + 1);
    uint64_t given = (c->bytes - sizeof(*c)) / sizeof(*words), size = c->count * sizeof(*words);

    if (c->count > ATLAS_TABLE || given < (c->second ? 1 : c->count) || c->first % sizeof(*words) ||
        c->first > gpu->memory_size || size > gpu->memory_size - c->first)
        return false;
    for (uint64_t i = 0; i < c->count; i++)
        memcpy(gpu->memory + c->first + i * sizeof(*words), words + (c->second ? 0 : i),
               sizeof(*words));
    return true;
}

static bool execute(struct gpu *gpu, const struct atlas_entry *entry, const struct atlas_command *c)
{
    bool kernel = entry->flags & ATLAS_ENTRY_KERNEL;

    switch (c->opcode) {
    case ATLAS_NOP:
        return true;
    case ATLAS_READ:
        return read_bytes(gpu, entry->root, c->first, c->count);
    case ATLAS_FILL:
        return fill(gpu, entry->root, c->first, c->count, (uint32_t)c->second);
    case ATLAS_COPY:
        return copy(gpu, entry->root, c->first, c->second, c->count);
    case ATLAS_TABLE_WRITE:
        return kernel && write_table(gpu, c);
    case ATLAS_FORGET:
        if (kernel)
            atlas_forget(gpu, c->first);
        return kernel;
    default:
        return false;
    }
}

/* ---- an entry ---- */

/* Fetch bytes of the commands. */
static bool fetch(struct gpu *gpu, const struct atlas_entry *entry, uint64_t offset, void *to,
                  uint64_t count)
{
    if (entry->flags & ATLAS_ENTRY_KERNEL) {
        const uint8_t *bytes = gpu->bus->memory(gpu->bus->context, entry->address + offset, count);

        if (bytes)
            memcpy(to, bytes, count);
        return bytes != NULL;
    }
    for (uint64_t done = 0, room; done < count; done += room) {
        const uint8_t *bytes = find(gpu, entry->root, entry->address + offset + done, false, &room);

        if (!bytes)
            return false;
        room = room < count - done ? room : count - done;
        memcpy((uint8_t *)to + done, bytes, room);
    }
    return true;
}

bool atlas_execute(struct gpu *gpu, const struct atlas_entry *entry)
{
    _Alignas(8) uint8_t bytes[sizeof(struct atlas_command) + ATLAS_TABLE * sizeof(uint64_t)];
    struct atlas_command *command = (struct atlas_command *)bytes;

    for (gpu->why = 0; gpu->why < entry->bytes; gpu->why += command->bytes) {
        uint32_t left = entry->bytes - gpu->why;

        if (left < sizeof(*command) || !fetch(gpu, entry, gpu->why, command, sizeof(*command)) ||
            command->bytes < sizeof(*command) || command->bytes > left ||
            command->bytes > sizeof(bytes) ||
            !fetch(gpu, entry, gpu->why, command, command->bytes) || !execute(gpu, entry, command))
            return false;
    }
    return true;
}
