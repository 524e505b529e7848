/* caching.c: the processor's caches where they are apart from memory.
 *
 * A page is cached or not from the moment it is taken, wherever it is mapped. If the caches are
 * apart (physical.h), a cached page is mapped from the caches' bytes; everything else is memory.
 */
#include "host/state.h"

#include <vidmm/page.h>

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

void vidmm_slot_fill_caching(struct vidmm_slot *slot)
{
    slot->host.x64 = slot->machine->options.x64;
    slot->host.flush_pages = slot->machine->options.caches_apart ? flush_pages : NULL;
    slot->bus.snoop = slot->machine->options.caches_apart ? snoop : NULL;
}
