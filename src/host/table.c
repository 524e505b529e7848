/* table.c: the common part of hosts and buses under every kind of machine: records, pages,
 * addresses. */
#include "host/window.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <vidmm/page.h>

#include "host/state.h"

enum { BLOCK_HEADER = 16, SMALL_BLOCK = 1008, POISON_HEAD_SIZE = 64 };

/* The number of the request just made is the one that is to fail. */
static bool fails_now(atomic_uint_fast64_t *requests, atomic_uint_fast64_t *fail)
{
    uint64_t number = atomic_fetch_add_explicit(requests, 1, memory_order_relaxed) + 1;

    return number == atomic_load_explicit(fail, memory_order_relaxed);
}

static void *allocate(void *context, size_t size)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    if (!vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "memory.allocate"))
        return NULL;
    if (fails_now(&machine->block_requests, &machine->fail_block) || size > SIZE_MAX / 2)
        return NULL;
    /* calloc() leaves its thread's cache of small blocks alone, and large ones are fresh pages
     * anyway. */
    uint64_t *block =
        size <= SMALL_BLOCK ? malloc(BLOCK_HEADER + size) : calloc(1, BLOCK_HEADER + size);
    if (block == NULL)
        return NULL;
    if (size <= SMALL_BLOCK)
        memset(block + BLOCK_HEADER / sizeof(*block), 0, size);
    block[0] = size;
    atomic_fetch_add_explicit(&machine->blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&machine->bytes, size, memory_order_relaxed);
    return block + BLOCK_HEADER / sizeof(*block);
}

static void free_block(void *context, void *bytes)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;
    uint64_t *block = (uint64_t *)bytes - BLOCK_HEADER / sizeof(*block);

    atomic_fetch_sub_explicit(&machine->blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&machine->bytes, block[0], memory_order_relaxed);
    free(block);
}

/* The linear address of a page frame of system memory, by its number on the machine. */
static void *frame_bytes(struct vidmm_machine *machine, uint64_t frame)
{
    return vidmm_physical_find(&machine->physical, frame << VIDMM_PAGE_SHIFT, VIDMM_PAGE_SIZE);
}

static const uint64_t first_frame = VIDMM_MACHINE_SYSTEM_BASE >> VIDMM_PAGE_SHIFT;

static void poison(struct vidmm_machine *machine, uint64_t frame, int byte)
{
    if (machine->options.poison == VIDMM_POISON_HEAD)
        memset(frame_bytes(machine, frame), byte, POISON_HEAD_SIZE);
    else if (machine->options.poison == VIDMM_POISON_WHOLE)
        memset(frame_bytes(machine, frame), byte, VIDMM_PAGE_SIZE);
    vidmm_physical_forget(&machine->physical, frame);
}

/* Number the frames as the machine does, and let those never used before hold rubbish. */
static void issue_frames(struct vidmm_machine *machine, uint64_t count, enum vidmm_caching caching,
                         uint64_t *frames)
{
    for (uint64_t i = 0; i < count; i++) {
        bool fresh = !vidmm_frames_mark_used(&machine->frames, frames[i]);
        frames[i] += first_frame;
        if (fresh)
            poison(machine, frames[i], VIDMM_POISON_UNUSED);
        vidmm_machine_set_cached(machine, frames[i], caching == VIDMM_CACHED);
    }
}

/* The number of frames, from the first on, that may be handed out. */
static uint64_t frames_below(const struct vidmm_machine *machine, uint64_t highest_frame)
{
    if (highest_frame < first_frame)
        return 0;
    return highest_frame - first_frame < machine->frames.count ? highest_frame - first_frame + 1
                                                               : machine->frames.count;
}

bool vidmm_machine_take_frames(struct vidmm_machine *machine, uint64_t count,
                               uint64_t highest_frame, bool contiguous, enum vidmm_caching caching,
                               uint64_t *frames)
{
    uint64_t limit = frames_below(machine, highest_frame);
    pthread_mutex_lock(&machine->page_mutex);
    bool taken = vidmm_frames_take(&machine->frames, count, limit, contiguous, frames);
    if (taken)
        issue_frames(machine, count, caching, frames);
    pthread_mutex_unlock(&machine->page_mutex);
    return taken;
}

static uint64_t system_memory(void *context)
{
    const struct vidmm_slot *slot = context;

    return slot->machine->options.system_memory;
}

static bool manages_memory(void *context, uint64_t address, uint64_t size)
{
    uint64_t end = VIDMM_MACHINE_SYSTEM_BASE + system_memory(context);

    return size != 0 && address < end &&
           (address >= VIDMM_MACHINE_SYSTEM_BASE || size > VIDMM_MACHINE_SYSTEM_BASE - address);
}

static bool take_pages(void *context, uint64_t count, uint64_t highest_frame, bool contiguous,
                       enum vidmm_caching caching, uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    if (!vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "take_pages"))
        return false;
    if (fails_now(&machine->page_requests, &machine->fail_page))
        return false;
    return count == 0 ||
           vidmm_machine_take_frames(machine, count, highest_frame, contiguous, caching, frames);
}

/* Frames count from a number that a unit of any size may begin at. */
#define LARGEST_UNIT (UINT64_C(1) << 20)
_Static_assert((VIDMM_MACHINE_SYSTEM_BASE >> VIDMM_PAGE_SHIFT) % LARGEST_UNIT == 0, "of any size");

static bool take_units(void *context, uint64_t count, uint64_t unit, uint64_t highest_frame,
                       enum vidmm_caching caching, uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;
    uint64_t limit = frames_below(machine, highest_frame);

    if (!vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "take_units"))
        return false;
    if (unit == 0 || (unit & (unit - 1)) != 0 || count % unit != 0) {
        vidmm_machine_misuse(machine, "take_units: %llu pages in units of %llu",
                             (unsigned long long)count, (unsigned long long)unit);
        return false;
    }
    if (fails_now(&machine->page_requests, &machine->fail_page) || unit > LARGEST_UNIT)
        return false;
    pthread_mutex_lock(&machine->page_mutex);
    bool taken =
        count == 0 || vidmm_frames_take_units(&machine->frames, count, unit, limit, frames);
    if (taken)
        issue_frames(machine, count, caching, frames);
    pthread_mutex_unlock(&machine->page_mutex);
    return taken;
}

bool vidmm_machine_check_frame(struct vidmm_machine *machine, uint64_t frame, const char *name)
{
    if (vidmm_frames_taken(&machine->frames, frame - first_frame))
        return true;
    vidmm_machine_misuse(machine, "%s: page frame 0x%llx is not taken", name,
                         (unsigned long long)frame);
    return false;
}

void vidmm_machine_release_frames(struct vidmm_machine *machine, uint64_t count,
                                  const uint64_t *frames, const char *name)
{
    pthread_mutex_lock(&machine->page_mutex);
    for (uint64_t i = 0; i < count; i++) {
        if (!vidmm_machine_check_frame(machine, frames[i], name))
            continue;
        if (vidmm_isolation_has(machine, frames[i]))
            vidmm_machine_misuse(machine, "%s: page frame 0x%llx is mapped in a domain", name,
                                 (unsigned long long)frames[i]);
        poison(machine, frames[i], VIDMM_POISON_RELEASED);
        vidmm_frames_release(&machine->frames, frames[i] - first_frame);
    }
    pthread_mutex_unlock(&machine->page_mutex);
}

static void release_pages(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    vidmm_machine_release_frames(slot->machine, count, frames, "release_pages");
}

static void clear_pages(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; i < count; i++) {
        void *bytes = frame_bytes(slot->machine, frames[i]);
        if (bytes != NULL) {
            memset(bytes, 0, VIDMM_PAGE_SIZE);
            vidmm_physical_forget(&slot->machine->physical, frames[i]);
        } else {
            vidmm_machine_misuse(slot->machine, "clear_pages: there is no page frame 0x%llx",
                                 (unsigned long long)frames[i]);
        }
    }
}

static void drop_pages(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    if (machine->options.poison == VIDMM_POISON_NOTHING)
        return;
    pthread_mutex_lock(&machine->page_mutex);
    for (uint64_t i = 0; i < count; i++)
        if (vidmm_machine_check_frame(machine, frames[i], "drop_pages"))
            poison(machine, frames[i], VIDMM_POISON_DROPPED);
    pthread_mutex_unlock(&machine->page_mutex);
}

bool vidmm_machine_block_fails(struct vidmm_machine *machine)
{
    return fails_now(&machine->block_requests, &machine->fail_block);
}

bool vidmm_machine_mapping_fails(struct vidmm_machine *machine)
{
    return fails_now(&machine->mapping_requests, &machine->fail_mapping);
}

static void *map_pages(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    if (!vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "map_pages"))
        return NULL;
    bool fails = vidmm_machine_mapping_fails(machine);
    if (fails || count == 0)
        return NULL;
    pthread_mutex_lock(&machine->page_mutex);
    bool taken = true;
    for (uint64_t i = 0; i < count && taken; i++)
        taken = vidmm_machine_check_frame(machine, frames[i], "map_pages");
    void *address = taken ? vidmm_physical_map(&machine->physical, count, frames,
                                               vidmm_machine_is_cached(machine, frames[0]))
                          : NULL;
    pthread_mutex_unlock(&machine->page_mutex);
    return address;
}

static void unmap_pages(void *context, void *address, uint64_t count)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    pthread_mutex_lock(&machine->page_mutex);
    bool unmapped = vidmm_physical_unmap(&machine->physical, address, count);
    pthread_mutex_unlock(&machine->page_mutex);
    if (!unmapped)
        vidmm_machine_misuse(machine, "unmap_pages: no mapping of %llu pages at this address",
                             (unsigned long long)count);
}

static const void *map_for_reading(void *context, uint64_t frame)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;
    bool taken;

    if (!vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "map_for_reading") ||
        vidmm_machine_mapping_fails(machine))
        return NULL;
    pthread_mutex_lock(&machine->page_mutex);
    taken = vidmm_machine_check_frame(machine, frame, "map_for_reading");
    pthread_mutex_unlock(&machine->page_mutex);
    return taken ? vidmm_physical_read_only(&machine->physical, frame) : NULL;
}

static void unmap_for_reading(void *context, const void *address)
{
    /* The answer of map_for_reading() is a linear mapping, which stays. */
    (void)context;
    (void)address;
}

static void *map_physical(void *context, uint64_t physical_address, uint64_t size)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    void *address = vidmm_physical_find(&machine->physical, physical_address, size);

    if (address != NULL)
        return address;
    pthread_mutex_lock(&machine->page_mutex);
    address = vidmm_physical_map_view(&machine->physical, physical_address, size);
    pthread_mutex_unlock(&machine->page_mutex);
    return address;
}

static void unmap_physical(void *context, void *address, uint64_t size)
{
    /* The answer of map_physical() is the linear mapping, or that of a view, which stay. */
    (void)context;
    (void)address;
    (void)size;
}

static bool read_config(void *context, uint32_t offset, void *buffer, uint32_t length)
{
    struct vidmm_slot *slot = context;
    bool answer = vidmm_slot_read_config(slot, offset, buffer, length);

    slot->machine->calls->touched(slot);
    return answer;
}

static bool write_config(void *context, uint32_t offset, const void *buffer, uint32_t length)
{
    struct vidmm_slot *slot = context;
    bool answer = vidmm_slot_write_config(slot, offset, buffer, length);

    slot->machine->calls->touched(slot);
    return answer;
}

/* The memory at an address of the device alone; NULL: it is no such address. */
static void *find_remapped(struct vidmm_slot *slot, uint64_t address, uint64_t size)
{
    uint8_t *bytes = atomic_load_explicit(&slot->remapped.bytes, memory_order_acquire);
    uint64_t offset;

    if (bytes == NULL)
        return NULL;
    offset = address - slot->remapped.address;
    return offset < slot->remapped.size && size <= slot->remapped.size - offset ? bytes + offset
                                                                                : NULL;
}

/* The memory that a device sees at a physical address: through the GART, if the address is there,
 * and as far as the IOMMU lets it. */
static void *find_memory(void *context, uint64_t physical_address, uint64_t size)
{
    struct vidmm_slot *slot = context;
    void *remapped = find_remapped(slot, physical_address, size);

    if (remapped != NULL)
        return remapped;
    if (!vidmm_agp_translate(&slot->machine->agp, &physical_address, size) ||
        !vidmm_isolation_find(slot, &physical_address, size))
        return NULL;
    return vidmm_physical_find(&slot->machine->physical, physical_address, size);
}

/* A region is asked for. False: it cannot be: its number, its BAR's place, or its addresses. */
static bool ask_region(struct vidmm_slot *slot, unsigned region, uint64_t size)
{
    if (region >= VIDMM_BUS_REGIONS)
        return false;
    slot->asked[region].any = true;
    slot->asked[region].size = size;
    return size > 0 && size % VIDMM_PAGE_SIZE == 0 && size <= VIDMM_MACHINE_BAR_WINDOW &&
           vidmm_physical_is_free(&slot->machine->physical, vidmm_slot_bar(slot, region)) &&
           vidmm_slot_bar_is_free(slot, region) && vidmm_slot_place_bar(slot, region, size);
}

static bool add_memory(void *context, unsigned region, uint64_t size, uint64_t *physical_address)
{
    struct vidmm_slot *slot = context;

    if (!ask_region(slot, region, size))
        return false;
    unsigned bar = vidmm_slot_bar(slot, region);
    if (!vidmm_physical_add_bar(&slot->machine->physical, bar, size)) {
        vidmm_physical_place_high(&slot->machine->physical, bar);
        return false;
    }
    *physical_address = vidmm_physical_bar_base(&slot->machine->physical, bar);
    return true;
}

static bool add_view(void *context, unsigned region, uint64_t size, uint64_t *physical_address)
{
    struct vidmm_slot *slot = context;

    if (!ask_region(slot, region, size))
        return false;
    unsigned bar = vidmm_slot_bar(slot, region);
    vidmm_physical_add_view(&slot->machine->physical, bar, size);
    *physical_address = vidmm_physical_bar_base(&slot->machine->physical, bar);
    return true;
}

static bool use_32_bits(void *context, unsigned region)
{
    struct vidmm_slot *slot = context;

    if (region >= VIDMM_BUS_REGIONS || slot->plugged ||
        !vidmm_physical_is_free(&slot->machine->physical, vidmm_slot_bar(slot, region)))
        return false;
    slot->narrow[region] = true;
    return true;
}

static bool show_view(void *context, uint64_t physical_address, uint64_t count,
                      const uint64_t *pages)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    bool shown;

    pthread_mutex_lock(&machine->page_mutex);
    shown = vidmm_physical_show_view(&machine->physical, physical_address, count, pages);
    pthread_mutex_unlock(&machine->page_mutex);
    return shown;
}

/* The real clock: a statistic of a device is about the device's code. */
static uint64_t real_now_ns(void *context)
{
    struct timespec now;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void yield(void *context)
{
    (void)context;
    sched_yield();
}

void vidmm_slot_fill_tables(struct vidmm_slot *slot)
{
    slot->bus.context = slot;
    slot->bus.memory = find_memory;
    vidmm_agp_fill(slot);
    vidmm_iommu_fill(slot);
    vidmm_isolation_fill(slot);
    slot->bus.add_memory = add_memory;
    slot->bus.add_view = add_view;
    slot->bus.show_view = show_view;
    slot->bus.use_32_bits = use_32_bits;
    slot->bus.now_ns = real_now_ns;
    slot->bus.yield = yield;
    slot->host.context = slot;
    slot->host.memory = (struct vidmm_memory){slot, allocate, free_block};
    slot->host.system_memory = system_memory;
    slot->host.manages_memory = manages_memory;
    slot->host.take_pages = take_pages;
    slot->host.take_units = take_units;
    slot->host.release_pages = release_pages;
    slot->host.clear_pages = clear_pages;
    slot->host.drop_pages = drop_pages;
    slot->host.map_pages = map_pages;
    slot->host.unmap_pages = unmap_pages;
    slot->host.map_for_reading = map_for_reading;
    slot->host.unmap_for_reading = unmap_for_reading;
    slot->host.create_window = vidmm_window_create;
    slot->host.destroy_window = vidmm_window_destroy;
    slot->host.reserve_window = vidmm_window_reserve;
    slot->host.show_pages = vidmm_window_show_pages;
    slot->host.reserve_physical = vidmm_window_reserve_physical;
    slot->host.show_physical = vidmm_window_show_physical;
    slot->host.reserve_device_pages = vidmm_window_reserve_device_pages;
    slot->host.show_device_pages = vidmm_window_show_device_pages;
    slot->host.close_window = vidmm_window_close;
    slot->host.map_physical = map_physical;
    slot->host.unmap_physical = unmap_physical;
    slot->host.read_config = read_config;
    slot->host.write_config = write_config;
    vidmm_slot_fill_caching(slot);
    vidmm_slot_fill_adopted(slot);
}
