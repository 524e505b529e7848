/* adopted.c: memory of programs that is adopted: it has page frames of the machine, and keeps its
 * bytes and its addresses.
 *
 *     private memory     frames are laid under its addresses: the bytes are copied over, and back
 *                        when it is let go; nobody may write to it meanwhile
 *     a shared mapping   it stays where it is, and frames show it: who shares it sees what devices
 *                        write, in another process of the system too
 *
 * Memory whose pages are not all of one kind is private here, and so is all where the processor's
 * caches are apart from memory: another process has caches of its own.
 */
#include "host/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vidmm/page.h>
#include <unistd.h>

static const uint64_t first_frame = VIDMM_MACHINE_SYSTEM_BASE >> VIDMM_PAGE_SHIFT;

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
    uint64_t count;  /* pages */
    uint8_t *shared; /* the same pages a second time, of a shared mapping; NULL: they are private */
};

static bool is_adopted(const struct vidmm_machine *machine, const uint8_t *address, uint64_t count)
{
    for (const struct vidmm_adopted *one = machine->adopted; one != NULL; one = one->next)
        if (address < one->address + one->count * VIDMM_PAGE_SIZE &&
            one->address < address + count * VIDMM_PAGE_SIZE)
            return true;
    return false;
}

static bool adopt(struct vidmm_machine *machine, const uint8_t *address, uint64_t count,
                  uint8_t *shared)
{
    struct vidmm_adopted *one = malloc(sizeof(*one));
    bool adopted;

    if (one == NULL)
        return false;
    pthread_mutex_lock(&machine->page_mutex);
    adopted = is_adopted(machine, address, count);
    if (!adopted) {
        *one = (struct vidmm_adopted){machine->adopted, address, count, shared};
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
    if (one != NULL && one->shared != NULL)
        munmap(one->shared, one->count * VIDMM_PAGE_SIZE);
    free(one);
}

void vidmm_machine_forget_adopted(struct vidmm_machine *machine)
{
    while (machine->adopted != NULL)
        disown(machine, machine->adopted->address);
}

/* Map the same pages a second time, if all are of shared mappings. NULL: they are not, or the
 * system has no addresses left. */
static uint8_t *map_again(const uint8_t *address, uint64_t count)
{
    uint64_t size = count * VIDMM_PAGE_SIZE;
    uint8_t *again = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (again == MAP_FAILED)
        return NULL;
    for (uint64_t at = 0; at < size; at += VIDMM_PAGE_SIZE)
        if (mremap((void *)(uintptr_t)(address + at), 0, VIDMM_PAGE_SIZE,
                   MREMAP_MAYMOVE | MREMAP_FIXED, again + at) == MAP_FAILED) {
            munmap(again, size);
            return NULL;
        }
    return again;
}

/* Put private memory on frames; it is adopted. */
static bool move_to_frames(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                           uint64_t *frames)
{
    copy_pages(machine, address, count, frames, true);
    if (vidmm_physical_map_over(&machine->physical, address, count, frames, true))
        return true;
    give_back(machine, address, count, frames);
    return false;
}

/* Let frames show what is shared; it is adopted. */
static bool show_by_frames(struct vidmm_machine *machine, uint8_t *shared, uint64_t count,
                           uint64_t *frames)
{
    bool shown;

    pthread_mutex_lock(&machine->page_mutex);
    shown = vidmm_physical_set_source(&machine->physical, count, frames, shared);
    pthread_mutex_unlock(&machine->page_mutex);
    if (!shown)
        vidmm_machine_release_frames(machine, count, frames, "lock_pages");
    return shown;
}

static void show_no_more(struct vidmm_machine *machine, uint64_t count, const uint64_t *frames)
{
    bool ended;

    pthread_mutex_lock(&machine->page_mutex);
    ended = vidmm_physical_end_source(&machine->physical, count, frames);
    pthread_mutex_unlock(&machine->page_mutex);
    if (ended)
        vidmm_machine_release_frames(machine, count, frames, "unlock_pages");
    else /* nobody else gets the frames */
        vidmm_machine_misuse(machine, "unlock_pages: the system maps no %llu pages",
                             (unsigned long long)count);
}

static bool lock_user_pages(struct vidmm_machine *machine, uint8_t *address, uint64_t count,
                            uint64_t *frames, enum vidmm_caching *caching)
{
    uint8_t *shared = NULL;

    for (uint64_t i = 0; i < count; i++)
        if (is_kernel_memory(machine, address + i * VIDMM_PAGE_SIZE, frames))
            return false;
    if (!can_be_touched(address, count))
        return false;
    if (!machine->options.caches_apart)
        shared = map_again(address, count);
    if (!adopt(machine, address, count, shared)) {
        if (shared != NULL)
            munmap(shared, count * VIDMM_PAGE_SIZE);
        return false;
    }
    if (!vidmm_machine_take_frames(machine, count, VIDMM_ANY_FRAME, false, VIDMM_CACHED, frames) ||
        (shared != NULL ? !show_by_frames(machine, shared, count, frames)
                        : !move_to_frames(machine, address, count, frames))) {
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

/* Whether what is adopted at the address is a shared mapping. */
static bool is_shared(struct vidmm_machine *machine, const uint8_t *address)
{
    const struct vidmm_adopted *one;
    bool shared;

    pthread_mutex_lock(&machine->page_mutex);
    for (one = machine->adopted; one != NULL && one->address != address; one = one->next)
        ;
    shared = one != NULL && one->shared != NULL;
    pthread_mutex_unlock(&machine->page_mutex);
    return shared;
}

static void unlock_pages(void *context, void *address, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    uint64_t frame;

    if (is_kernel_memory(slot->machine, address, &frame))
        return;
    if (is_shared(slot->machine, address))
        show_no_more(slot->machine, count, frames);
    else
        give_back(slot->machine, address, count, frames);
    disown(slot->machine, address);
}

void vidmm_slot_fill_adopted(struct vidmm_slot *slot)
{
    slot->host.lock_pages = lock_pages;
    slot->host.unlock_pages = unlock_pages;
}
