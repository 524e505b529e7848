/*
 * logical.c: the logical pages of a domain (isolation.c), which show page frames.
 *
 *     page     0     1 ...                                      count
 *              nobody's |  free  | taken, shows nothing | taken, shows a frame |
 *
 * There are twice as many as page frames, so that consecutive ones are found although others are
 * taken. Their numbers have nothing to do with those of the frames that they show.
 *
 * An engine may look at what is shown at any time: the table stays for the life of the slot.
 */
#include <stdlib.h>

#include <vidmm/page.h>

#include "host/state.h"

static uint64_t highest_page(void *context)
{
    const struct vidmm_slot *slot = context;

    return (VIDMM_MACHINE_SYSTEM_BASE + slot->machine->options.system_memory) / VIDMM_PAGE_SIZE - 1;
}

/* The table, and page 0, which nobody gets. */
static bool init(struct vidmm_slot *slot)
{
    uint64_t count = slot->machine->options.system_memory / VIDMM_PAGE_SIZE * 2, first;
    struct vidmm_domain *domain = &slot->domain;

    if (domain->shown != NULL)
        return true;
    count = count < VIDMM_FRAMES_MOST ? count : VIDMM_FRAMES_MOST;
    /* A device that has BARs there finds these, and no memory. */
    if (vidmm_physical_has_low(&slot->machine->physical) &&
        count > VIDMM_MACHINE_LOW_BASE / VIDMM_PAGE_SIZE)
        count = VIDMM_MACHINE_LOW_BASE / VIDMM_PAGE_SIZE;
    domain->shown = calloc(count, sizeof(*domain->shown));
    if (domain->shown == NULL || !vidmm_frames_init(&domain->pages, count, true, 0)) {
        vidmm_logical_finish(slot);
        return false;
    }
    vidmm_frames_take_run(&domain->pages, 1, 1, &first);
    return true;
}

static bool create_logical_domain(void *context)
{
    struct vidmm_slot *slot = context;

    if (!slot->host.create_domain(context))
        return false;
    if (!init(slot)) {
        slot->host.destroy_domain(context);
        return false;
    }
    slot->domain.logical = true;
    return true;
}

static bool take_logical(void *context, uint64_t count, uint64_t highest, uint64_t *first)
{
    struct vidmm_slot *slot = context;
    struct vidmm_domain *domain = &slot->domain;
    bool taken;

    if (!domain->logical) {
        vidmm_machine_misuse(slot->machine, "take_logical: no domain of logical pages");
        return false;
    }
    if (count == 0 || vidmm_machine_mapping_fails(slot->machine))
        return false;
    pthread_mutex_lock(&slot->machine->page_mutex);
    taken = vidmm_frames_take_run(&domain->pages, count,
                                  highest < domain->pages.count ? highest + 1 : highest, first);
    domain->taken += taken ? count : 0;
    pthread_mutex_unlock(&slot->machine->page_mutex);
    return taken;
}

/* Whether the page is one that was taken. If not, that is misuse. */
static bool is_taken(const struct vidmm_slot *slot, uint64_t page, const char *name)
{
    if (slot->domain.logical && page != 0 && vidmm_frames_taken(&slot->domain.pages, page))
        return true;
    vidmm_machine_misuse(slot->machine, "%s: logical page 0x%llx is not taken", name,
                         (unsigned long long)page);
    return false;
}

static void release_logical(void *context, uint64_t first, uint64_t count)
{
    struct vidmm_slot *slot = context;
    struct vidmm_domain *domain = &slot->domain;

    pthread_mutex_lock(&slot->machine->page_mutex);
    for (uint64_t page = first; page < first + count; page++) {
        if (!is_taken(slot, page, "release_logical"))
            break;
        if (atomic_load(&domain->shown[page]) != 0) /* D3 */
            vidmm_machine_misuse(slot->machine,
                                 "release_logical: logical page 0x%llx shows a page frame",
                                 (unsigned long long)page);
        vidmm_frames_release(&domain->pages, page);
        domain->taken--;
    }
    pthread_mutex_unlock(&slot->machine->page_mutex);
}

static void map_logical(void *context, uint64_t first, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    pthread_mutex_lock(&slot->machine->page_mutex);
    for (uint64_t i = 0; i < count && is_taken(slot, first + i, "map_logical"); i++) {
        if (atomic_load(&slot->domain.shown[first + i]) != 0 ||
            !vidmm_isolation_count(slot, frames[i], true)) {
            vidmm_machine_misuse(slot->machine,
                                 "map_logical: logical page 0x%llx shows a page frame already, or "
                                 "there is no page frame 0x%llx",
                                 (unsigned long long)(first + i), (unsigned long long)frames[i]);
            break;
        }
        atomic_store(&slot->domain.shown[first + i], frames[i]);
    }
    pthread_mutex_unlock(&slot->machine->page_mutex);
}

static void unmap_logical(void *context, uint64_t first, uint64_t count)
{
    struct vidmm_slot *slot = context;

    pthread_mutex_lock(&slot->machine->page_mutex);
    for (uint64_t page = first; page < first + count && is_taken(slot, page, "unmap_logical");
         page++) {
        if (!vidmm_isolation_count(slot, atomic_exchange(&slot->domain.shown[page], 0), false)) {
            vidmm_machine_misuse(slot->machine, "unmap_logical: logical page 0x%llx shows nothing",
                                 (unsigned long long)page);
            break;
        }
    }
    pthread_mutex_unlock(&slot->machine->page_mutex);
}

void vidmm_logical_forget(struct vidmm_slot *slot)
{
    struct vidmm_domain *domain = &slot->domain;

    if (domain->taken != 0)
        vidmm_machine_misuse(slot->machine, "destroy_domain: logical pages are taken");
    for (uint64_t page = 1; domain->taken != 0; page++) {
        if (vidmm_frames_release(&domain->pages, page)) {
            atomic_store(&domain->shown[page], 0);
            domain->taken--;
        }
    }
    domain->logical = false;
}

void vidmm_logical_finish(struct vidmm_slot *slot)
{
    vidmm_frames_finish(&slot->domain.pages);
    free(slot->domain.shown);
    slot->domain.shown = NULL;
}

void vidmm_logical_fill(struct vidmm_slot *slot)
{
    slot->host.highest_page = highest_page;
    slot->host.create_logical_domain = create_logical_domain;
    slot->host.take_logical = take_logical;
    slot->host.release_logical = release_logical;
    slot->host.map_logical = map_logical;
    slot->host.unmap_logical = unmap_logical;
}
