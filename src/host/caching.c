/* caching.c: the processor's caches where they are apart from memory, and pages that are adopted.
 *
 * A page is cached or not from the moment it is taken, wherever it is mapped. If the caches are
 * apart (physical.h), a cached page is mapped from the caches' bytes; everything else is memory.
 *
 * Adopting a program's pages lays page frames of the machine under its addresses: the bytes are
 * copied over, and back when they are let go. Nobody may write to them meanwhile.
 */
#include "host/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vidmm/page.h>
#include <unistd.h>

static const uint64_t first_frame = VIDMM_MACHINE_SYSTEM_BASE >> VIDMM_PAGE_SHIFT;

bool vidmm_machine_is_cached(const struct vidmm_machine *machine, uint64_t frame)
{
    uint64_t bit = frame - first_frame;

    return (machine->cached[bit / 64] >> bit % 64 & 1) != 0;
}

void vidmm_machine_set_cached(struct vidmm_machine *machine, uint64_t frame, bool cached)
{
    uint64_t bit = frame - first_frame, mask = UINT64_C(1) << bit % 64;

    if (cached)
        machine->cached[bit / 64] |= mask;
    else
        machine->cached[bit / 64] &= ~mask;
    if (cached)
        vidmm_physical_forget(&machine->physical, frame);
}

static void flush_pages(void *context, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;

    pthread_mutex_lock(&machine->page_mutex);
    for (uint64_t i = 0; i < count; i++)
        if (vidmm_machine_check_frame(machine, frames[i], "flush_pages") &&
            vidmm_machine_is_cached(machine, frames[i]))
            vidmm_physical_flush(&machine->physical, frames[i]);
    pthread_mutex_unlock(&machine->page_mutex);
}

static void snoop(void *context, uint64_t physical_address, uint64_t size)
{
    struct vidmm_slot *slot = context;
    struct vidmm_machine *machine = slot->machine;
    uint64_t last = (physical_address + size - 1) >> VIDMM_PAGE_SHIFT;

    pthread_mutex_lock(&machine->page_mutex);
    for (uint64_t page = physical_address >> VIDMM_PAGE_SHIFT; page <= last; page++) {
        uint64_t frame = vidmm_isolation_frame(slot, page);

        if (frame - first_frame < machine->frames.count && vidmm_machine_is_cached(machine, frame))
            vidmm_physical_flush(&machine->physical, frame);
    }
    pthread_mutex_unlock(&machine->page_mutex);
}

/* ---- adopted pages --------------------------------------------------------------------------- */

/* Whether a byte of each page can be read and written; the system answers without a fault. */
static bool can_be_touched(uint8_t *address, uint64_t count)
{
    bool can = true;
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    for (uint64_t i = 0; i < count && can; i++)
        can = write(ends[1], address + i * VIDMM_PAGE_SIZE, 1) == 1 &&
              read(ends[0], address + i * VIDMM_PAGE_SIZE, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return can;
}

/* Memory the machine itself has mapped is the kernel's. */
static bool lock_kernel_pages(struct vidmm_machine *machine, void *address, uint64_t count,
                              uint64_t *frames, enum vidmm_caching *caching)
{
    bool cached, found;

    pthread_mutex_lock(&machine->page_mutex);
    found = vidmm_physical_frames(&machine->physical, address, count, frames, &cached);
    for (uint64_t i = 0; i < count && found; i++)
        found = vidmm_frames_taken(&machine->frames, frames[i] - first_frame);
    if (found)
        *caching =
            vidmm_machine_is_cached(machine, frames[0]) ? VIDMM_CACHED : VIDMM_WRITE_COMBINED;
    pthread_mutex_unlock(&machine->page_mutex);
    return found;
}

/* Between the bytes at `address` and those of the frames, as memory and the caches hold them. */
static void copy_pages(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                       const uint64_t *frames, bool in)
{
    for (uint64_t i = 0; i < count; i++, address += VIDMM_PAGE_SIZE) {
        uint8_t *page =
            vidmm_physical_find(&machine->physical, frames[i] << VIDMM_PAGE_SHIFT, VIDMM_PAGE_SIZE);

        if (in) {
            memcpy(page, address, VIDMM_PAGE_SIZE);
            vidmm_physical_forget(&machine->physical, frames[i]);
        } else {
            vidmm_physical_flush(&machine->physical, frames[i]);
            memcpy(address, page, VIDMM_PAGE_SIZE);
        }
    }
}

/* Put ordinary memory back, with the bytes that are there now. */
static void give_back(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                      const uint64_t *frames)
{
    void *fresh = mmap(address, count * VIDMM_PAGE_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    if (fresh == MAP_FAILED) { /* the addresses stay on the frames, which nobody else gets */
        vidmm_machine_misuse(machine, "unlock_pages: the system maps no %llu pages",
                             (unsigned long long)count);
        return;
    }
    copy_pages(machine, address, count, frames, false);
    vidmm_machine_release_frames(machine, count, frames, "unlock_pages");
}

static bool is_kernel_memory(struct vidmm_machine *machine, void *address, uint64_t *frame)
{
    bool cached, found;

    pthread_mutex_lock(&machine->page_mutex);
    found = vidmm_physical_frames(&machine->physical, address, 1, frame, &cached);
    pthread_mutex_unlock(&machine->page_mutex);
    return found;
}

/* Addresses that are on frames of ours. A page has one place, so it is adopted once at a time. */
struct vidmm_adopted {
    struct vidmm_adopted *next;
    const uint8_t *address;
    uint64_t count; /* pages */
};

static bool is_adopted(const struct vidmm_machine *machine, const uint8_t *address, uint64_t count)
{
    for (const struct vidmm_adopted *one = machine->adopted; one != NULL; one = one->next)
        if (address < one->address + one->count * VIDMM_PAGE_SIZE &&
            one->address < address + count * VIDMM_PAGE_SIZE)
            return true;
    return false;
}

static bool adopt(struct vidmm_machine *machine, const uint8_t *address, uint64_t count)
{
    struct vidmm_adopted *one = malloc(sizeof(*one));
    bool adopted;

    if (one == NULL)
        return false;
    pthread_mutex_lock(&machine->page_mutex);
    adopted = is_adopted(machine, address, count);
    if (!adopted) {
        *one = (struct vidmm_adopted){machine->adopted, address, count};
        machine->adopted = one;
    }
    pthread_mutex_unlock(&machine->page_mutex);
    if (adopted)
        free(one);
    return !adopted;
}

static void disown(struct vidmm_machine *machine, const uint8_t *address)
{
    struct vidmm_adopted **link = &machine->adopted, *one;

    pthread_mutex_lock(&machine->page_mutex);
    while ((one = *link) != NULL && one->address != address)
        link = &one->next;
    if (one != NULL)
        *link = one->next;
    pthread_mutex_unlock(&machine->page_mutex);
    free(one);
}

void vidmm_machine_forget_adopted(struct vidmm_machine *machine)
{
    while (machine->adopted != NULL)
        disown(machine, machine->adopted->address);
}

/* Put the program's memory on frames; it is adopted. */
static bool move_to_frames(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                           uint64_t *frames)
{
    if (!vidmm_machine_take_frames(machine, count, VIDMM_ANY_FRAME, false, VIDMM_CACHED, frames))
        return false;
    copy_pages(machine, address, count, frames, true);
    if (vidmm_physical_map_over(&machine->physical, address, count, frames, true))
        return true;
    give_back(machine, address, count, frames);
    return false;
}

static bool lock_user_pages(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                            uint64_t *frames, enum vidmm_caching *caching)
{
    for (uint64_t i = 0; i < count; i++)
        if (is_kernel_memory(machine, address + i * VIDMM_PAGE_SIZE, frames))
            return false;
    if (!can_be_touched(address, count) || !adopt(machine, address, count))
        return false;
    if (!move_to_frames(machine, address, count, frames)) {
        disown(machine, address);
        return false;
    }
    *caching = VIDMM_CACHED;
    return true;
}

static bool lock_pages(void *context, void *address, uint64_t count, bool kernel, uint64_t *frames,
                       enum vidmm_caching *caching)
{
    struct vidmm_slot *slot = context;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "lock_pages") || count == 0 ||
        (uintptr_t)address % VIDMM_PAGE_SIZE != 0 ||
        count > (UINTPTR_MAX - (uintptr_t)address) / VIDMM_PAGE_SIZE) /* it wraps around */
        return false;
    return kernel ? lock_kernel_pages(slot->machine, address, count, frames, caching)
                  : lock_user_pages(slot->machine, address, count, frames, caching);
}

static void unlock_pages(void *context, void *address, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    uint64_t frame;

    if (!is_kernel_memory(slot->machine, address, &frame)) {
        give_back(slot->machine, address, count, frames);
        disown(slot->machine, address);
    }
}

void vidmm_slot_fill_caching(struct vidmm_slot *slot)
{
    slot->host.x64 = slot->machine->options.x64;
    slot->host.flush_pages = slot->machine->options.caches_apart ? flush_pages : NULL;
    slot->host.lock_pages = lock_pages;
    slot->host.unlock_pages = unlock_pages;
    slot->bus.snoop = slot->machine->options.caches_apart ? snoop : NULL;
}
