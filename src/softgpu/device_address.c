/*
 * Theory. A walk resolves one piece ahead of the one in use. Pieces are as long as physical memory
 * is contiguous: a run of frames, a memory segment, or the page-table entries of an aperture as
 * long as each page follows the one before. Dummy pages never do, so they are counted one by one.
 *
 * Invariants of a walk:
 *   W1  here is 0 only at the end, or after a failure
 *   W2  here + ahead_bytes + left is what has not been taken
 */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

/* Bytes of the segment from the first to behind the last of `bytes` in rows. */
static uint64_t extent_in(const struct softgpu_window *window, uint64_t address, uint64_t bytes)
{
    uint64_t in_row = (address - window->base) % SOFTGPU_PITCH;

    if (!window->pitch_aligned || bytes == 0 || bytes > window->size)
        return bytes;
    return softgpu_pitched(in_row + bytes - 1) + 1 - in_row;
}

const struct softgpu_window *softgpu_window_of(const struct softgpu_device *device, uint32_t id,
                                               uint64_t address, uint64_t bytes)
{
    const struct softgpu_window *window;
    uint64_t by_address = address / SOFTGPU_SEGMENT_BASE(1);

    if (by_address == 0 || by_address > device->config.segment_count ||
        (id != 0 && id != by_address))
        return NULL;
    window = &device->windows[by_address - 1];
    bytes = extent_in(window, address, bytes);
    if (address - window->base > window->size || bytes > window->size - (address - window->base))
        return NULL;
    return window;
}

/*
 * The cable. GPUs of a link may use the same pages of system memory: the one backing store of a
 * mirrored allocation is written by all of them, and one that is ahead may read it already. They
 * do so in turn. A command takes the cable with its first piece of system memory, whatever the
 * command is, and has it to its end.
 */
static void take_cable(struct softgpu_engine *engine)
{
    struct softgpu_device *lead = engine->device->lead;

    if (lead == NULL || engine->cabled)
        return;
    while (atomic_exchange_explicit(&lead->cable, 1, memory_order_acquire) != 0)
        softgpu_yield(engine->device);
    engine->cabled = true;
}

void softgpu_leave_cable(struct softgpu_engine *engine)
{
    if (!engine->cabled)
        return;
    engine->cabled = false;
    atomic_store_explicit(&engine->device->lead->cable, 0, memory_order_release);
}

/* The bytes at a physical address: as many of them as are one piece, at least those of one page. */
static unsigned char *bytes_at(struct softgpu_walk *walk, uint64_t physical, uint64_t *bytes)
{
    const struct vidmm_bus *bus = walk->engine->device->bus;
    uint64_t page = SOFTGPU_PAGE_SIZE - physical % SOFTGPU_PAGE_SIZE;
    unsigned char *at;

    take_cable(walk->engine);
    at = softgpu_stage(walk, physical, bytes);
    if (at != NULL)
        return at;
    at = bus->memory(bus->context, physical, *bytes);
    if (at == NULL && *bytes > page) {
        *bytes = page;
        at = bus->memory(bus->context, physical, page);
    }
    if (at == NULL) {
        walk->failed = true;
        softgpu_fault(walk->engine, "physical address 0x%llx is not memory",
                      (unsigned long long)physical);
    }
    return at;
}

static unsigned char *resolve_run(struct softgpu_walk *walk, uint64_t *bytes)
{
    unsigned char *at;
    uint64_t size;

    if (walk->run_frames == 0) {
        walk->run_frame = *walk->runs & (SOFTGPU_FRAME_LIMIT - 1);
        walk->run_frames = (*walk->runs >> SOFTGPU_RUN_SHIFT) + 1;
        walk->runs++;
    }
    size = walk->run_frames << SOFTGPU_PAGE_SHIFT;
    *bytes = size < walk->left ? size : walk->left;
    at = bytes_at(walk, walk->run_frame << SOFTGPU_PAGE_SHIFT, bytes);
    size = (*bytes + SOFTGPU_PAGE_SIZE - 1) >> SOFTGPU_PAGE_SHIFT;
    walk->run_frame += size;
    walk->run_frames -= size;
    return at;
}

/* Say so if the page is one that nobody put there. The access goes on: a GPU would not know. */
static void look_at_entry(struct softgpu_walk *walk, uint64_t entry)
{
    struct softgpu_device *device = walk->engine->device;

    if ((entry & SOFTGPU_ENTRY_PAGE) == device->poison_address)
        softgpu_fault(walk->engine, "aperture address 0x%llx was never mapped",
                      (unsigned long long)walk->address);
    else if ((entry & SOFTGPU_ENTRY_DUMMY) != 0)
        SOFTGPU_COUNT(device, dummy_accesses, 1);
}

static unsigned char *resolve_aperture(struct softgpu_walk *walk,
                                       const struct softgpu_window *window, uint64_t *bytes)
{
    const struct vidmm_bus *bus = walk->engine->device->bus;
    uint64_t offset = walk->address - window->base;
    const uint64_t *first = window->page_table + (offset >> SOFTGPU_PAGE_SHIFT), *entry = first;
    uint64_t in_page = offset % SOFTGPU_PAGE_SIZE;
    uint64_t page = *first & SOFTGPU_ENTRY_PAGE, size = SOFTGPU_PAGE_SIZE - in_page;

    look_at_entry(walk, *first);
    for (uint64_t next = *first + SOFTGPU_PAGE_SIZE; size < walk->left && *++entry == next;
         next += SOFTGPU_PAGE_SIZE)
        size += SOFTGPU_PAGE_SIZE;
    *bytes = size < walk->left ? size : walk->left;
    if (bus->snoop == NULL || (*first & SOFTGPU_ENTRY_COHERENT) == 0)
        return bytes_at(walk, page + in_page, bytes);
    take_cable(walk->engine);
    bus->snoop(bus->context, page + in_page, *bytes);
    walk->ahead_snooped = page + in_page;
    return bytes_at(walk, page + in_page, bytes);
}

/* A row, or what is left of it; the next begins SOFTGPU_PITCH behind its beginning. */
static unsigned char *resolve_row(struct softgpu_walk *walk, const struct softgpu_window *window,
                                  uint64_t *bytes)
{
    uint64_t offset = walk->address - window->base, in_row = offset % SOFTGPU_PITCH;

    if (in_row >= SOFTGPU_ROW) {
        walk->failed = true;
        softgpu_fault(walk->engine, "address 0x%llx lies behind its row",
                      (unsigned long long)walk->address);
        return NULL;
    }
    *bytes = SOFTGPU_ROW - in_row < walk->left ? SOFTGPU_ROW - in_row : walk->left;
    walk->skip = in_row + *bytes == SOFTGPU_ROW ? SOFTGPU_PITCH - SOFTGPU_ROW : 0;
    return window->memory + offset;
}

/* The next piece at the address, and its size. */
static unsigned char *resolve_address(struct softgpu_walk *walk, uint64_t *bytes)
{
    const struct softgpu_device *device = walk->engine->device;
    const struct softgpu_window *window;

    *bytes = walk->left;
    if (walk->segment == 0)
        return bytes_at(walk, walk->address, bytes);
    window = &device->windows[walk->segment - 1];
    if (window->pitch_aligned && !walk->raw)
        return resolve_row(walk, window, bytes);
    if (window->kind == SOFTGPU_SEGMENT_MEMORY)
        return window->memory + (walk->address - window->base);
    return resolve_aperture(walk, window, bytes);
}

/* Half a tile at most, from where it lies. */
static unsigned char *resolve_tile(struct softgpu_walk *walk, uint64_t *bytes)
{
    uint64_t base = walk->segment == 0 ? 0 : SOFTGPU_SEGMENT_BASE(walk->segment);
    uint64_t address = walk->address, left = walk->left;
    uint64_t half = SOFTGPU_TILE / 2 - (address - base) % (SOFTGPU_TILE / 2);
    unsigned char *at;

    walk->address = base + softgpu_tiled(address - base);
    walk->left = half < left ? half : left;
    at = resolve_address(walk, bytes);
    walk->address = address;
    walk->left = left;
    return at;
}

/* A page that is not there, but reads as zeros: writes to it are lost. */
static unsigned char *zeros(struct softgpu_walk *walk, uint64_t *bytes)
{
    unsigned char *page = walk->engine->staged[walk->stage];

    walk->stage ^= 1;
    *bytes = *bytes < SOFTGPU_PAGE_SIZE ? *bytes : SOFTGPU_PAGE_SIZE;
    memset(page, 0, SOFTGPU_PAGE_SIZE);
    return page;
}

/* The rest of a page of a process, as the processor has it at this address. */
static unsigned char *resolve_shared(struct softgpu_walk *walk, uint64_t *bytes)
{
    struct softgpu_engine *engine = walk->engine;
    const struct vidmm_bus *bus = engine->device->bus;
    bool write = (walk->access & SOFTGPU_ACCESS_WRITE) != 0;
    uint64_t left = SOFTGPU_PAGE_SIZE - walk->address % SOFTGPU_PAGE_SIZE, physical;
    struct softgpu_translation found = {.fault = SOFTGPU_FAULT_NOT_SHARED};
    uint32_t pasid = engine->packet.pasid;

    *bytes = left < walk->left ? left : walk->left;
    if (!bus->translate(bus->context, pasid, walk->address, write, &physical)) {
        if (write && bus->translate(bus->context, pasid, walk->address, false, &physical))
            found.fault = SOFTGPU_FAULT_READ_ONLY;
        walk->failed = true;
        softgpu_page_fault(engine, walk->address, write, &found);
        return NULL;
    }
    if (bus->snoop != NULL) { /* the caches are the process's, and its pages are cached */
        take_cable(engine);
        bus->snoop(bus->context, physical, *bytes);
        walk->ahead_snooped = physical;
    }
    return bytes_at(walk, physical, bytes);
}

/* The segment of a GPU of the link that a page is in; NULL: not of memory, or not all of it. */
static const struct softgpu_window *window_of_page(const struct softgpu_device *device,
                                                   const struct softgpu_translation *found,
                                                   uint64_t bytes)
{
    const struct softgpu_device *at = device->lead != NULL ? device->lead : device;
    const struct softgpu_window *window;

    for (uint32_t place = found->adapter; place != 0 && at != NULL; place--)
        at = at->next;
    if (at == NULL || found->segment > at->config.segment_count)
        return NULL;
    window = &at->windows[found->segment - 1];
    if (window->kind != SOFTGPU_SEGMENT_MEMORY || found->address > window->size ||
        bytes > window->size - found->address)
        return NULL;
    return window;
}

/* The rest of a page of the page tables. */
static unsigned char *resolve_virtual(struct softgpu_walk *walk, uint64_t *bytes)
{
    struct softgpu_engine *engine = walk->engine;
    const struct softgpu_window *window;
    struct softgpu_translation found;

    if (engine->device->config.mmu.kind == SOFTGPU_MMU_IO)
        return resolve_shared(walk, bytes);
    if (!softgpu_translate(engine, &engine->packet.root, walk->address, walk->access, &found))
        goto fault;
    *bytes = found.bytes < walk->left ? found.bytes : walk->left;
    if (found.zero)
        return zeros(walk, bytes);
    if (engine->writes != NULL && (walk->access & SOFTGPU_ACCESS_WRITE) != 0 &&
        softgpu_is_user(&engine->packet))
        softgpu_note_write(engine, found.segment, found.address, *bytes);
    if (found.segment == 0) {
        if (found.coherent && engine->device->bus->snoop != NULL) {
            take_cable(engine);
            engine->device->bus->snoop(engine->device->bus->context, found.address, *bytes);
            walk->ahead_snooped = found.address;
        }
        return bytes_at(walk, found.address, bytes);
    }
    found.fault = SOFTGPU_FAULT_NO_MEMORY;
    window = window_of_page(engine->device, &found, *bytes);
    if (window == NULL)
        goto fault;
    return window->memory + found.address;
fault:
    walk->failed = true;
    softgpu_page_fault(engine, walk->address, (walk->access & SOFTGPU_ACCESS_WRITE) != 0, &found);
    return NULL;
}

/* The next piece and its size; NULL: not memory. */
static unsigned char *resolve(struct softgpu_walk *walk, uint64_t *bytes)
{
    if (walk->runs != NULL)
        return resolve_run(walk, bytes);
    if (walk->virtual)
        return resolve_virtual(walk, bytes);
    return walk->tiled ? resolve_tile(walk, bytes) : resolve_address(walk, bytes);
}

static void look_ahead(struct softgpu_walk *walk)
{
    walk->ahead = NULL;
    walk->ahead_bytes = 0;
    walk->ahead_snooped = 0;
    walk->ahead_posted = 0;
    if (walk->left == 0 || walk->failed)
        return;
    walk->ahead = resolve(walk, &walk->ahead_bytes);
    if (walk->ahead == NULL) {
        walk->ahead_bytes = 0;
        return;
    }
    walk->address += walk->ahead_bytes + walk->skip;
    walk->skip = 0;
    walk->left -= walk->ahead_bytes;
}

static void step_ahead(struct softgpu_walk *walk)
{
    walk->at = walk->ahead;
    walk->here = walk->ahead_bytes;
    walk->snooped = walk->ahead_snooped;
    walk->posted = walk->ahead_posted;
    look_ahead(walk);
}

void softgpu_walk_take(struct softgpu_walk *walk, uint64_t bytes)
{
    const struct vidmm_bus *bus = walk->engine->device->bus;

    if (walk->snooped != 0) { /* the processor is to see the bytes written */
        bus->snoop(bus->context, walk->snooped, bytes);
        walk->snooped += bytes;
    }
    if (walk->posted != 0) {
        softgpu_post(walk, bytes);
        walk->posted += bytes;
    }
    walk->here -= bytes;
    if (walk->here == 0)
        step_ahead(walk);
    else
        walk->at += bytes;
}

static bool runs_cover(const uint64_t *runs, uint32_t count, uint64_t bytes)
{
    uint64_t frames = 0;

    for (uint32_t i = 0; i < count; i++)
        frames += (runs[i] >> SOFTGPU_RUN_SHIFT) + 1;
    return bytes <= frames << SOFTGPU_PAGE_SHIFT;
}

/* Whether all the bytes are addresses of the GPU; for tiled memory, all its tiles. */
static bool is_there(const struct softgpu_walk *walk)
{
    const struct softgpu_device *device = walk->engine->device;
    uint64_t address = walk->address, bytes = walk->left;
    const struct softgpu_window *window;

    if (walk->virtual)
        return device->config.mmu.kind != SOFTGPU_MMU_NONE && bytes <= UINT64_MAX - address;
    if (walk->tiled) {
        bytes += address % SOFTGPU_TILE;
        address -= address % SOFTGPU_TILE;
        bytes = (bytes + SOFTGPU_TILE - 1) / SOFTGPU_TILE * SOFTGPU_TILE;
    }
    if (walk->segment == 0)
        return bytes <= UINT64_MAX - address;
    window = softgpu_window_of(device, walk->segment, address, walk->raw ? 0 : bytes);
    return window != NULL && bytes <= window->size - (address - window->base);
}

bool softgpu_walk_begin(struct softgpu_walk *walk, struct softgpu_engine *engine, const char *what,
                        const struct softgpu_place *place, const uint64_t *runs, uint64_t bytes)
{
    bool there;

    *walk = (struct softgpu_walk){.engine = engine, .left = bytes, .stage = engine->stage};
    engine->stage ^= 2;
    if (place->runs != 0) {
        walk->runs = runs;
        there = runs_cover(runs, place->runs, bytes);
    } else {
        walk->segment = place->segment & SOFTGPU_PLACE_SEGMENT;
        walk->tiled = (place->segment & SOFTGPU_PLACE_TILED) != 0;
        walk->raw = (place->segment & SOFTGPU_PLACE_RAW) != 0;
        walk->virtual = (place->segment & SOFTGPU_PLACE_VIRTUAL) != 0;
        walk->access = (place->segment & SOFTGPU_PLACE_WRITTEN ? SOFTGPU_ACCESS_WRITE : 0) |
                       (place->segment & SOFTGPU_PLACE_EXECUTED ? SOFTGPU_ACCESS_EXECUTE : 0);
        walk->address = place->address;
        there = is_there(walk);
    }
    if (!there) {
        softgpu_fault(engine, "%s: %llu bytes at segment %u, address 0x%llx, are outside of it",
                      what, (unsigned long long)bytes, place->segment & SOFTGPU_PLACE_SEGMENT,
                      (unsigned long long)place->address);
        return false;
    }
    look_ahead(walk);
    step_ahead(walk);
    return true;
}

void softgpu_write(struct softgpu_engine *engine, const char *what,
                   const struct softgpu_place *place, const void *bytes, uint64_t size)
{
    const unsigned char *from = bytes;
    struct softgpu_walk walk;

    if (!softgpu_walk_begin(&walk, engine, what, place, NULL, size))
        return;
    while (walk.here != 0) {
        uint64_t here = walk.here;

        memcpy(walk.at, from, here);
        from += here;
        softgpu_walk_take(&walk, here);
    }
}

bool softgpu_fetch(struct softgpu_engine *engine, uint32_t segment, uint64_t address, void *buffer,
                   uint32_t bytes)
{
    struct softgpu_place place = {.segment = segment, .address = address};
    struct softgpu_walk walk;
    unsigned char *to = buffer;

    if (!softgpu_walk_begin(&walk, engine, "fetch of a command", &place, NULL, bytes))
        return false;
    while (walk.here != 0) {
        uint64_t here = walk.here;

        memcpy(to, walk.at, here);
        to += here;
        softgpu_walk_take(&walk, here);
    }
    return !walk.failed;
}
