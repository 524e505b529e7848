/* linked_space.c: what addresses mean on each physical adapter of a link, and the tables for all.
 *
 * A change is decided in every space that it concerns before it is made in any:
 *
 *     Reserve, Free        in all of them
 *     Map, free addresses  in all: mapped where the paging queue says, reserved on the others
 *     Map, Update, Copy    of a reservation: where the paging queue says, and nowhere else
 *
 * Invariants
 * LS1. The spaces of a process have the same reservations: they begin and end alike, and all were
 *      obtained alike.
 * LS2. An entry of a leaf that says PAGES leaves it to the spaces what it means; any other kind is
 *      what it means in all of them.
 */
#include "vidmm/engine/state/linked_space.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/mmu_state.h"

const struct vidmm_address_space *vidmm_process_space(const struct vidmm_process *process,
                                                      uint32_t adapter)
{
    return adapter == 0 ? &process->space : &process->linked_spaces[adapter - 1];
}

static struct vidmm_address_space *space_of(struct vidmm_process *process, uint32_t adapter)
{
    return adapter == 0 ? &process->space : &process->linked_spaces[adapter - 1];
}

/* ---- beginning and end ----------------------------------------------------------------------- */

NTSTATUS vidmm_linked_spaces_init(struct vidmm_process *process, uint32_t adapters, uint64_t low,
                                  uint64_t high, const struct vidmm_memory *memory)
{
    uint32_t adapter;

    VIDMM_ASSERT(adapters <= VIDMM_ENGINE_ADAPTERS);
    process->adapters = adapters > 1 ? adapters : 1;
    if (adapters > 1) {
        process->linked_spaces =
            memory->allocate(memory->context, (adapters - 1) * sizeof(process->space));
        if (!process->linked_spaces)
            return STATUS_NO_MEMORY;
    }
    for (adapter = 0; adapter < process->adapters; adapter++) {
        struct vidmm_address_space *space = space_of(process, adapter);

        vidmm_address_space_init(space, low, high, memory);
        space->owner = process;
    }
    return STATUS_SUCCESS;
}

void vidmm_linked_spaces_clear(struct vidmm_process *process, const struct vidmm_memory *memory)
{
    uint32_t adapter;

    for (adapter = 0; adapter < process->adapters; adapter++) {
        struct vidmm_address_space *space = space_of(process, adapter);
        uint64_t low = space->low, high = space->high;

        vidmm_address_space_finish(space);
        vidmm_address_space_init(space, low, high, memory);
        space->owner = process;
    }
}

void vidmm_linked_spaces_finish(struct vidmm_process *process, const struct vidmm_memory *memory)
{
    uint32_t adapter;

    for (adapter = 0; adapter < process->adapters; adapter++)
        vidmm_address_space_finish(space_of(process, adapter));
    if (process->linked_spaces)
        memory->free(memory->context, process->linked_spaces);
    process->linked_spaces = NULL;
}

/* ---- the tables ------------------------------------------------------------------------------ */

/* The meaning of an address on one adapter as an entry says it. *end, which is behind `at`, is
 * brought forward to where that may change. */
static enum vidmm_entry entry_at(const struct vidmm_address_space *space, uint64_t at,
                                 uint64_t *end)
{
    const struct vidmm_address_range *range = vidmm_address_find(space, at);
    uint64_t here = !range                                  ? *end
                    : vidmm_address_range_start(range) > at ? vidmm_address_range_start(range)
                                                            : vidmm_address_range_end(range);
    bool free = !range || vidmm_address_range_start(range) > at;

    *end = here < *end ? here : *end;
    return free ? VIDMM_ENTRY_INVALID : vidmm_entry_of((enum vidmm_address_state)range->state);
}

/* ... and to all of them: PAGES, if they differ (LS2). */
static enum vidmm_entry entry_of_all(struct vidmm_process *process, uint64_t at, uint64_t *end)
{
    enum vidmm_entry kind = entry_at(&process->space, at, end);
    uint32_t adapter;

    for (adapter = 1; adapter < process->adapters; adapter++)
        if (entry_at(space_of(process, adapter), at, end) != kind)
            kind = VIDMM_ENTRY_PAGES;
    return kind;
}

/* Have the tables say what the spaces do. `adapters`: those for which it is something else now. */
static void set_tables(struct vidmm_process *process, uint64_t start, uint64_t end,
                       uint8_t adapters)
{
    struct vidmm_page_tables *tables = &process->tables;
    uint64_t at, next;

    tables->concerned = adapters;
    vidmm_page_tables_set_begin(tables);
    for (at = start; at < end; at = next) {
        enum vidmm_entry kind;

        next = end;
        kind = entry_of_all(process, at, &next);
        vidmm_page_tables_set(tables, at, next, kind, VIDMM_PAGE_4K);
    }
    vidmm_page_tables_set_end(tables, start, end);
    tables->concerned = VIDMM_EVERY_ADAPTER;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* A change in all the spaces that it concerns. */
struct linked_edit {
    struct vidmm_address_edit edits[VIDMM_ENGINE_ADAPTERS];
    uint8_t adapters; /* those that have one */
    uint8_t named;    /* those that the event is for */
};

static NTSTATUS decide_one(struct vidmm_address_space *space, const struct vidmm_event *event,
                           const struct vidmm_address_meaning *meaning,
                           const struct vidmm_address_wish *wish, struct vidmm_address_edit *edit)
{
    uint64_t base = event->addresses.base, size = event->addresses.size;

    if (event->kind == VIDMM_EVENT_FREE_ADDRESSES)
        return vidmm_address_decide_free(space, base, size, edit);
    if (event->kind == VIDMM_EVENT_RESERVE_ADDRESSES)
        return vidmm_address_decide_reserve(space, wish, meaning, edit);
    if (event->kind == VIDMM_EVENT_MAP_ADDRESSES)
        return vidmm_address_decide_map(space, wish, meaning, edit);
    if (event->addresses.state == VIDMM_ADDRESSES_COPIED)
        return vidmm_address_decide_copy(space, base, size, event->addresses.offset, edit);
    return vidmm_address_decide_update(space, base, size, meaning, event->addresses.period, edit);
}

/* Decide it for those that are named; with a new reservation for the others too (LS1), where it may
 * not be accessed. */
static NTSTATUS decide_all(struct vidmm_process *process, const struct vidmm_event *event,
                           const struct vidmm_address_meaning *meaning,
                           struct vidmm_address_wish *wish, struct linked_edit *all)
{
    const struct vidmm_address_meaning none = {.state = VIDMM_ADDRESS_NO_ACCESS};
    uint32_t count = process->adapters, first = (uint32_t)__builtin_ctz(all->named);
    uint32_t adapter;
    NTSTATUS status =
        decide_one(space_of(process, first), event, meaning, wish, &all->edits[first]);
    bool obtained = status == STATUS_SUCCESS && all->edits[first].kind == VIDMM_ADDRESS_OBTAIN;

    all->adapters = (uint8_t)(1u << first);
    if (obtained)
        wish->base = all->edits[first].start;
    for (adapter = 0; adapter < count && status == STATUS_SUCCESS; adapter++) {
        bool named = (all->named >> adapter & 1) != 0;

        if (adapter == first || !(named || obtained))
            continue;
        status = decide_one(space_of(process, adapter), event, named ? meaning : &none, wish,
                            &all->edits[adapter]);
        all->adapters |= (uint8_t)(1u << adapter);
    }
    return status;
}

/* The kind of entries that the tables need at most for it: a leaf for all of it, if not all
 * adapters will say the same of all of it. */
static enum vidmm_entry most_of(const struct vidmm_process *process, const struct linked_edit *all)
{
    enum vidmm_entry kind = VIDMM_ENTRY_PAGES;
    uint32_t adapter;

    for (adapter = 0; adapter < process->adapters; adapter++) {
        const struct vidmm_address_edit *edit = &all->edits[adapter];
        enum vidmm_entry is = edit->kind == VIDMM_ADDRESS_RELEASE ? VIDMM_ENTRY_INVALID
                              : edit->kind == VIDMM_ADDRESS_COPY
                                  ? VIDMM_ENTRY_PAGES
                                  : vidmm_entry_of(edit->meaning.state);

        if ((all->adapters >> adapter & 1) == 0 || (adapter > 0 && is != kind))
            return VIDMM_ENTRY_PAGES;
        kind = is;
    }
    return kind;
}

/* The adapters whose addresses mean anything, or did, besides being reserved. */
static uint8_t concerned(const struct linked_edit *all)
{
    const struct vidmm_address_edit *edit = &all->edits[__builtin_ctz(all->named)];

    return edit->kind == VIDMM_ADDRESS_OBTAIN ? all->named : all->adapters;
}

NTSTATUS vidmm_linked_change(struct vidmm_process *process, const struct vidmm_event *event,
                             const struct vidmm_address_meaning *meaning, uint64_t beyond,
                             uint64_t *start)
{
    uint32_t every = (1u << process->adapters) - 1, adapter;
    struct vidmm_address_wish wish = {
        .size = event->addresses.size,
        .base = event->addresses.base,
        .minimum = event->addresses.minimum,
        .maximum = event->addresses.maximum,
        .alignment = event->addresses.alignment,
        .beyond = beyond,
    };
    struct linked_edit all = {.named = (uint8_t)every};
    const struct vidmm_address_edit *edit;
    NTSTATUS status;

    if ((event->addresses.adapters & ~every) != 0)
        return STATUS_INVALID_PARAMETER;
    if (event->addresses.adapters != 0 &&
        (event->kind == VIDMM_EVENT_MAP_ADDRESSES || event->kind == VIDMM_EVENT_UPDATE_ADDRESSES))
        all.named = (uint8_t)event->addresses.adapters; /* obeys D-229 */
    status = decide_all(process, event, meaning, &wish, &all);
    edit = &all.edits[__builtin_ctz(all.named)];
    if (status == STATUS_SUCCESS)
        status = vidmm_page_tables_prepare(&process->tables, edit->start, edit->end,
                                           most_of(process, &all), VIDMM_PAGE_4K);
    if (status != STATUS_SUCCESS)
        return status;
    *start = edit->start;
    for (adapter = 0; adapter < process->adapters; adapter++)
        if ((all.adapters >> adapter & 1) != 0)
            vidmm_address_apply(space_of(process, adapter), &all.edits[adapter]);
    set_tables(process, edit->start, edit->end, concerned(&all));
    return STATUS_SUCCESS;
}

/* ---- what is unmapped ------------------------------------------------------------------------ */

uint8_t vidmm_linked_mask(const struct vidmm_process *process, struct vidmm_address_range *range)
{
    const struct vidmm_address_space *space = vidmm_address_range_space(range);
    uint32_t adapter = 0;

    while (adapter + 1 < process->adapters && vidmm_process_space(process, adapter) != space)
        adapter++;
    return (uint8_t)(1u << adapter);
}

/* Free addresses of which no space maps any, in all of them. */
static void release(struct vidmm_process *process, uint64_t start, uint64_t end)
{
    struct vidmm_address_edit edits[VIDMM_ENGINE_ADAPTERS];
    uint32_t adapter;

    for (adapter = 0; adapter < process->adapters; adapter++) {
        uint64_t at = start, next;

        for (; at < end; at = next) {
            next = end;
            if (entry_at(space_of(process, adapter), at, &next) == VIDMM_ENTRY_PAGES)
                return;
        }
        if (vidmm_address_decide_free(space_of(process, adapter), start, end - start,
                                      &edits[adapter]) != STATUS_SUCCESS)
            return;
    }
    for (adapter = 0; adapter < process->adapters; adapter++)
        vidmm_address_apply(space_of(process, adapter), &edits[adapter]);
}

void vidmm_linked_unmap(struct vidmm_process *process, struct vidmm_address_range *range)
{
    uint64_t start = vidmm_address_range_start(range), end = vidmm_address_range_end(range);
    uint8_t adapters = vidmm_linked_mask(process, range);

    vidmm_address_void(range);
    release(process, start, end);
    set_tables(process, start, end, adapters); /* no leaf is needed that is not there */
}

/* ---- the check ------------------------------------------------------------------------------- */

/* The end of the reservation that the range begins, and the range behind it. */
static uint64_t end_of(const struct vidmm_address_range *range,
                       const struct vidmm_address_range **behind)
{
    uint64_t end = range->end;

    for (range = vidmm_address_range_next(range); range && !range->begins;
         range = vidmm_address_range_next(range))
        end = range->end;
    *behind = range;
    return end;
}

void vidmm_linked_check(const struct vidmm_process *process)
{
    uint32_t adapter;

    for (adapter = 1; adapter < process->adapters; adapter++) {
        const struct vidmm_address_space *space = vidmm_process_space(process, adapter);
        const struct vidmm_address_range *one = vidmm_address_find(&process->space, 0);
        const struct vidmm_address_range *other = vidmm_address_find(space, 0);

        VIDMM_VERIFY(space->owner == process);
        while (one && other) { /* LS1 */
            VIDMM_VERIFY(one->first == other->first && one->mapping == other->mapping);
            VIDMM_VERIFY(end_of(one, &one) == end_of(other, &other));
        }
        VIDMM_VERIFY(!one && !other);
    }
}
