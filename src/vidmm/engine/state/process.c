/* process.c: processes, what their addresses mean, and who has to be told of it.
 *
 * The tables keep what is mapped, not what is resident. An allocation that leaves makes its entries
 * dirty, and they are written as invalid; when it has come back they are written again. So the
 * number of tables changes with an event of a program alone, and it is there that memory can run
 * out.
 *
 * Invariants
 * A16. A process that is not asleep is in the list of those that are due if it has anything to
 *     write, or to be forgotten; it is there once at most.
 * A17. A process that is destroyed has no addresses, and stays until all that was written for it
 *     has been executed.
 * A18. A table of a process has a placement exactly if its memory was asked for: before its first
 *     record, which clears it.
 * A26. The record of a table in system memory comes from who backs such tables, so that its page is
 *     there before anything is decided that needs it.
 * A28. Nothing is written for a process that is unused: its tables get memory, and no record. It is
 *     no longer unused when an allocation that it maps is resident, or when it runs.
 * A29. Entries may lead to a place before the content of its allocation is there (D-390): no packet
 *     of a process that maps it is submitted until the paging buffer with its page-in is executed.
 * A31. A process with old roots is one of `switching`. No packet of it is submitted; once none is
 *     in flight, and its root is written, its contexts get the root, and the old ones go.
 * A22. An entry is not written while a packet is in flight that was submitted with what it said, if
 *     the allocation is to leave.
 */
#include "vidmm/engine/state/process.h"

#include <string.h>

#include <base/assert.h>
#include <base/grow.h>
#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/companion.h"
#include "vidmm/engine/state/linked_space.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/page_size.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

static struct vidmm_process *process_of(const struct vidmm_address_space *space)
{
    return space->owner;
}

/* ---- who is due ---- */

static void finish(struct vidmm_engine *engine, struct vidmm_process *process)
{
    vidmm_linked_spaces_finish(process, &engine->memory);
    vidmm_page_tables_finish(&process->tables);
    engine->memory.free(engine->memory.context, process);
}

void vidmm_process_make_due(struct vidmm_engine *engine, struct vidmm_process *process)
{
    if (process->due || process->asleep)
        return; /* A16, A27 */
    process->due = true;
    process->next = NULL;
    if (engine->mmu->due_last)
        engine->mmu->due_last->next = process;
    else
        engine->mmu->due = process;
    engine->mmu->due_last = process;
}

void vidmm_process_take_back(struct vidmm_engine *engine, struct vidmm_process *process,
                             const struct vidmm_page_table_update *update)
{
    vidmm_page_tables_take_back(&process->tables, update);
    vidmm_process_make_due(engine, process);
}

bool vidmm_process_is_told(const struct vidmm_engine *engine, const struct vidmm_process *process)
{
    return !process->due && process->written <= engine->mmu->completed &&
           !process->tables.old_root; /* A31 */
}

void vidmm_process_take_due(struct vidmm_engine *engine, struct vidmm_process *process)
{
    struct vidmm_process **link = &engine->mmu->due, *before = NULL;

    VIDMM_ASSERT(process->due);
    while (*link != process) {
        before = *link;
        link = &before->next;
    }
    *link = process->next;
    if (engine->mmu->due_last == process)
        engine->mmu->due_last = before;
    process->next = NULL;
    process->due = false;
    process->companion = 0; /* AC1 */
    process->stale = false;
    if (process->dying) { /* A17 */
        process->next = engine->mmu->dead;
        engine->mmu->dead = process;
    }
}

void vidmm_process_bury(struct vidmm_engine *engine, struct vidmm_process **process)
{
    struct vidmm_process *dead = *process;

    VIDMM_ASSERT(dead->dying && !dead->due && dead->written <= engine->mmu->completed); /* A17 */
    *process = dead->next;
    finish(engine, dead);
}

bool vidmm_process_shows(const struct vidmm_placement *placement)
{
    return placement->fences ||
           (vidmm_place_is_segment(&placement->at) && !placement->leaving &&
            (placement->moves->in.state != MOVE_QUEUED || placement->moves->in.shown));
}

/* Contexts do not run while what they use changes below them (D-125): their packets end first. */
static void await_idle(const struct vidmm_engine *engine, struct vidmm_process *process)
{
    if ((process->tables.narrowed || engine->config.mmu.idle_updates) && /* obeys D-132 */
        process->last_fence > process->wait_fence)
        process->wait_fence = process->last_fence;
    process->tables.narrowed = false;
}

/* Its first allocation is resident: its tables are written from now on. Fences are no allocations.
 * obeys D-292 */
static void begin_use(struct vidmm_process *process, const struct vidmm_placement *placement)
{
    if (placement && !placement->fences && vidmm_process_shows(placement))
        process->unused = false; /* A28 */
}

/* The entries of one range are to say where its allocation is. If it has come, its pages may be
 * larger; they will be if there is memory for what that takes. */
static void touch(struct vidmm_engine *engine, struct vidmm_process *process,
                  const struct vidmm_placement *placement, struct vidmm_address_range *range)
{
    uint64_t start = vidmm_address_range_start(range), end = vidmm_address_range_end(range);
    struct vidmm_address_meaning meaning = vidmm_address_meaning_at(range, start);
    enum vidmm_page_size most = vidmm_page_size_most(engine, placement, &meaning);

    if (most == VIDMM_PAGE_4K || !vidmm_process_shows(placement)) {
        process->tables.concerned =
            process->linked_spaces ? vidmm_linked_mask(process, range) : VIDMM_EVERY_ADAPTER;
        vidmm_page_tables_touch(&process->tables, start, end);
        process->tables.concerned = VIDMM_EVERY_ADAPTER;
        return;
    }
    vidmm_page_tables_prepare(&process->tables, start, end, VIDMM_ENTRY_PAGES, most);
    vidmm_page_size_set(engine, &process->tables, placement, &meaning, start, end);
}

static struct vidmm_address_range *range_of(struct vidmm_address_link *link)
{
    size_t offset = offsetof(struct vidmm_address_range, link);

    return (struct vidmm_address_range *)(void *)((uintptr_t)link - offset);
}

/* The newest packet that may use what entries lead to. One that residency lists name is used by
 * whatever its devices submitted, but not where it is to arrive. */
static uint64_t last_use(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                         bool arrives)
{
    uint64_t named = placement->uses > 0 ? placement->last_use : 0;
    uint64_t listed = arrives ? 0 : vidmm_listing_fence(engine, placement);

    return named > listed ? named : listed;
}

static void touch_all(struct vidmm_engine *engine, struct vidmm_placement *placement, bool arrives)
{
    struct vidmm_address_link *link = placement->ring;
    uint64_t used = last_use(engine, placement, arrives);

    if (!link)
        return;
    while ((link = link->next) != placement->ring) {
        struct vidmm_address_range *range = range_of(link);
        struct vidmm_process *process = process_of(vidmm_address_range_space(range));

        process->tables.arrives = arrives;
        touch(engine, process, placement, range);
        process->tables.arrives = false;
        await_idle(engine, process);
        begin_use(process, placement);
        vidmm_process_make_due(engine, process);
        if (used > process->wait_fence)
            process->wait_fence = used; /* A22 */
    }
}

void vidmm_process_touch(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    touch_all(engine, placement, false);
}

void vidmm_process_show(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    touch_all(engine, placement, true);
}

void vidmm_process_hold(struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    struct vidmm_address_link *link = placement->ring;

    while (link && (link = link->next) != placement->ring)
        process_of(vidmm_address_range_space(range_of(link)))->written =
            engine->mmu->opened; /* A29 */
}

/* By process, 16 bits, and page, 48. */
const struct vidmm_address_range *vidmm_process_next_range(const struct vidmm_placement *placement,
                                                           uint64_t *key, uint32_t *process)
{
    struct vidmm_address_link *link = placement->ring;
    const struct vidmm_address_range *next = NULL;
    uint64_t behind = *key;

    while (link && (link = link->next) != placement->ring) {
        struct vidmm_address_range *range = range_of(link);
        uint32_t id = process_of(vidmm_address_range_space(range))->id;
        uint64_t own = (uint64_t)id << 48 | vidmm_address_range_start(range) / VIDMM_PAGE_SIZE;

        if (own > behind && (!next || own < *key)) {
            next = range;
            *key = own;
            *process = id;
        }
    }
    return next;
}

/* ---- what addresses mean ---- */

static void set_copies(struct vidmm_process *process, const struct vidmm_address_edit *edit)
{
    struct vidmm_page_tables *tables = &process->tables;
    struct vidmm_address_change change;
    uint64_t at;

    vidmm_page_tables_set_begin(tables);
    for (at = edit->start; vidmm_address_next_change(&process->space, edit, at, &change);
         at = change.end)
        vidmm_page_tables_set(tables, change.start, change.end, vidmm_entry_of(change.is.state),
                              VIDMM_PAGE_4K);
    vidmm_page_tables_set_end(tables, edit->start, edit->end);
}

/* Whether the GPU knows no page of [start, end): nothing is mapped there, or what is has left, and
 * its entries were written as invalid. */
static bool are_hidden(const struct vidmm_engine *engine, const struct vidmm_process *process,
                       uint64_t start, uint64_t end)
{
    const struct vidmm_address_range *range;
    const struct vidmm_placement *placement;
    uint64_t at;

    for (at = start; at < end; at = vidmm_address_range_end(range)) {
        range = vidmm_address_find(&process->space, at);
        if (!range)
            return true;
        placement = range->state == VIDMM_ADDRESS_MAPPED
                        ? vidmm_placement_find(engine, range->allocation)
                        : NULL;
        if (placement && (placement->fences || vidmm_place_is_segment(&placement->at)))
            return false;
    }
    return true;
}

/* Before entries of [start, end) are set: tell the tables what the GPU knows of them (D-128). */
static void begin_set(const struct vidmm_engine *engine, struct vidmm_process *process,
                      uint64_t start, uint64_t end)
{
    process->tables.arrives =
        process->tables.format.invalid_not_cached && are_hidden(engine, process, start, end);
}

/* Make a change that was decided, in the tables and in the space. */
static NTSTATUS make(struct vidmm_engine *engine, struct vidmm_process *process,
                     const struct vidmm_address_edit *edit)
{
    struct vidmm_page_tables *tables = &process->tables;
    const struct vidmm_placement *placement =
        edit->meaning.state == VIDMM_ADDRESS_MAPPED
            ? vidmm_placement_find(engine, edit->meaning.allocation)
            : NULL;
    enum vidmm_page_size most = VIDMM_PAGE_4K;
    bool copies = edit->kind == VIDMM_ADDRESS_COPY;
    enum vidmm_entry kind = edit->kind == VIDMM_ADDRESS_RELEASE
                                ? VIDMM_ENTRY_INVALID
                                : vidmm_entry_of(edit->meaning.state);
    NTSTATUS status = STATUS_SUCCESS;
    uint64_t end = edit->end;

    if (copies) /* any page of it may be mapped */
        kind = VIDMM_ENTRY_PAGES;
    else if (kind == VIDMM_ENTRY_PAGES && edit->period == 0)
        most = vidmm_page_size_most(engine, placement, &edit->meaning);
    if (kind == VIDMM_ENTRY_INVALID && end > vidmm_page_tables_end(tables))
        end = vidmm_page_tables_end(tables); /* nothing is said behind it */
    if (edit->start < end)
        status = vidmm_page_tables_prepare(tables, edit->start, end, kind, most);
    if (status == STATUS_SUCCESS)
        status = vidmm_root_grow(engine, process, end);
    if (status != STATUS_SUCCESS)
        return status;
    begin_set(engine, process, edit->start, edit->end);
    if (copies)
        set_copies(process, edit);
    else if (most == VIDMM_PAGE_4K && edit->start < end)
        vidmm_page_tables_set(tables, edit->start, end, kind, most);
    else if (edit->start < end)
        vidmm_page_size_set(engine, tables, placement, &edit->meaning, edit->start, edit->end);
    tables->arrives = false;
    await_idle(engine, process);
    vidmm_address_apply(&process->space, edit);
    begin_use(process, placement);
    vidmm_process_make_due(engine, process);
    return STATUS_SUCCESS;
}

/* The ring of an allocation, made for its first mapping. NULL: no memory. */
static struct vidmm_address_link *ring_of(struct vidmm_engine *engine,
                                          struct vidmm_placement *placement)
{
    if (!placement->ring) {
        placement->ring = engine->memory.allocate(engine->memory.context, sizeof(*placement->ring));
        if (placement->ring)
            vidmm_address_ring_init(placement->ring);
    }
    return placement->ring;
}

/* The meaning that an event asks for. */
static NTSTATUS meaning_of(struct vidmm_engine *engine, const struct vidmm_event *event,
                           struct vidmm_address_meaning *meaning)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->addresses.allocation);
    uint64_t offset = event->addresses.offset;
    uint64_t size = event->addresses.period ? event->addresses.period : event->addresses.size;

    *meaning = (struct vidmm_address_meaning){
        .state = (enum vidmm_address_state)event->addresses.state,
        .access = event->addresses.access,
        .driver_protection = event->addresses.driver_protection,
    };
    if (event->addresses.period != 0 && event->kind != VIDMM_EVENT_UPDATE_ADDRESSES)
        return STATUS_INVALID_PARAMETER; /* new addresses mean memory from end to end */
    if (event->addresses.state != VIDMM_ADDRESSES_MAPPED)
        return event->addresses.allocation == 0 && event->addresses.state != 0 &&
                       event->addresses.state < VIDMM_ADDRESSES_MAPPED
                   ? STATUS_SUCCESS
                   : STATUS_INVALID_PARAMETER;
    if (!placement || placement->dying || (placement->buffer && !placement->fences) ||
        offset > placement->wish.size || size > placement->wish.size - offset ||
        (event->addresses.access & ~(VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE)) != 0)
        return STATUS_INVALID_PARAMETER;
    meaning->allocation = placement->id;
    meaning->offset = offset;
    meaning->ring = ring_of(engine, placement);
    return meaning->ring ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

/* Decide what the event asks for. */
static NTSTATUS decide(struct vidmm_engine *engine, const struct vidmm_event *event,
                       struct vidmm_process *process, struct vidmm_address_edit *edit)
{
    uint64_t base = event->addresses.base, size = event->addresses.size;
    struct vidmm_address_wish wish = {
        .size = size,
        .base = base,
        .minimum = event->addresses.minimum,
        .maximum = event->addresses.maximum,
        .alignment = event->addresses.alignment,
    };
    struct vidmm_address_meaning meaning;
    NTSTATUS status;

    if (event->kind == VIDMM_EVENT_FREE_ADDRESSES)
        return vidmm_address_decide_free(&process->space, base, size, edit);
    if (event->kind == VIDMM_EVENT_UPDATE_ADDRESSES &&
        event->addresses.state == VIDMM_ADDRESSES_COPIED)
        return vidmm_address_decide_copy(&process->space, base, size, event->addresses.offset,
                                         edit);
    status = meaning_of(engine, event, &meaning);
    if (status != STATUS_SUCCESS)
        return status;
    if (event->kind == VIDMM_EVENT_RESERVE_ADDRESSES)
        return vidmm_address_decide_reserve(&process->space, &wish, &meaning, edit);
    if (meaning.state == VIDMM_ADDRESS_MAPPED) {
        const struct vidmm_placement *placement = vidmm_placement_find(engine, meaning.allocation);

        wish.beyond = vidmm_page_size_beyond(engine, &placement->wish, meaning.offset);
    }
    if (event->kind == VIDMM_EVENT_MAP_ADDRESSES)
        return vidmm_address_decide_map(&process->space, &wish, &meaning, edit);
    return vidmm_address_decide_update(&process->space, base, size, &meaning,
                                       event->addresses.period, edit);
}

/* A change of addresses on a link: each adapter has its own meanings. */
static NTSTATUS change_linked(struct vidmm_engine *engine, const struct vidmm_event *event,
                              struct vidmm_process *process, uint64_t *start)
{
    bool meant = event->kind != VIDMM_EVENT_FREE_ADDRESSES &&
                 event->addresses.state != VIDMM_ADDRESSES_COPIED;
    struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_NO_ACCESS};
    const struct vidmm_placement *placement = NULL;
    NTSTATUS status = meant ? meaning_of(engine, event, &meaning) : STATUS_SUCCESS;

    if (status == STATUS_SUCCESS && meaning.state == VIDMM_ADDRESS_MAPPED)
        placement = vidmm_placement_find(engine, meaning.allocation);
    if (status == STATUS_SUCCESS)
        status = vidmm_linked_change(
            process, event, &meaning,
            placement ? vidmm_page_size_beyond(engine, &placement->wish, meaning.offset) : 0,
            start);
    if (status != STATUS_SUCCESS)
        return status;
    await_idle(engine, process);
    begin_use(process, placement);
    vidmm_process_make_due(engine, process);
    return status;
}

NTSTATUS vidmm_process_change(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_process *process = vidmm_process_find(engine, event->addresses.process);
    struct vidmm_address_edit edit;
    NTSTATUS status;

    if (!process || process->paging)
        return STATUS_INVALID_PARAMETER;
    if (process->linked_spaces) {
        uint64_t start;

        status = change_linked(engine, event, process, &start);
        if (status == STATUS_SUCCESS && (event->kind == VIDMM_EVENT_RESERVE_ADDRESSES ||
                                         event->kind == VIDMM_EVENT_MAP_ADDRESSES))
            engine->mmu->address = start;
        return status;
    }
    if (event->addresses.adapters > 1)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_companion_check(engine, process, event->addresses.queue);
    if (status == STATUS_SUCCESS)
        status = decide(engine, event, process, &edit);
    if (status == STATUS_SUCCESS)
        status = make(engine, process, &edit);
    if (status == STATUS_SUCCESS &&
        (event->kind == VIDMM_EVENT_RESERVE_ADDRESSES || event->kind == VIDMM_EVENT_MAP_ADDRESSES))
        engine->mmu->address = edit.start;
    if (status == STATUS_SUCCESS)
        vidmm_companion_begin(engine, process, event->addresses.queue); /* obeys D-266 */
    if (status == STATUS_SUCCESS && event->kind == VIDMM_EVENT_FREE_ADDRESSES)
        vidmm_root_shrink(engine, process, edit.end);
    return status;
}

uint64_t vidmm_engine_address(const struct vidmm_engine *engine)
{
    return engine->mmu->address;
}

bool vidmm_engine_addresses(const struct vidmm_engine *engine, uint32_t process, uint32_t adapter,
                            uint64_t address, struct vidmm_address_info *info)
{
    const struct vidmm_process *found = vidmm_process_find(engine, process);
    const struct vidmm_address_range *range =
        found && adapter < found->adapters
            ? vidmm_address_find(vidmm_process_space(found, adapter), address)
            : NULL;
    struct vidmm_address_meaning meaning;

    if (!range)
        return false;
    meaning = vidmm_address_meaning_at(range, vidmm_address_range_start(range));
    *info = (struct vidmm_address_info){.start = vidmm_address_range_start(range),
                                        .end = vidmm_address_range_end(range),
                                        .begins = range->begins,
                                        .mapped = range->mapping,
                                        .state = meaning.state,
                                        .access = meaning.access,
                                        .driver_protection = meaning.driver_protection,
                                        .allocation = meaning.allocation,
                                        .offset = meaning.offset};
    return true;
}

/* Free one range that is there. Nothing is cut, and what says pages needs no table to say nothing:
 * it takes no memory. */
static void free_range(struct vidmm_engine *engine, struct vidmm_process *process,
                       struct vidmm_address_range *range)
{
    struct vidmm_address_edit edit = vidmm_address_whole(range);

    VIDMM_ASSERT(range->state == VIDMM_ADDRESS_MAPPED);
    vidmm_process_make_due(engine, process);
    if (process->linked_spaces) {
        vidmm_linked_unmap(process, range);
        return;
    }
    begin_set(engine, process, edit.start, edit.end);
    vidmm_page_tables_set(&process->tables, edit.start, edit.end, VIDMM_ENTRY_INVALID,
                          VIDMM_PAGE_4K);
    process->tables.arrives = false;
    vidmm_address_apply(&process->space, &edit);
}

void vidmm_process_unmap(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    while (placement->ring && placement->ring->next != placement->ring) {
        struct vidmm_address_range *range = range_of(placement->ring->next);

        free_range(engine, process_of(vidmm_address_range_space(range)), range);
    }
}

/* ---- the scratch range ---- */

uint64_t vidmm_process_scratch_size(const struct vidmm_engine *engine)
{
    return (uint64_t)VIDMM_PAGE_SIZE << engine->config.mmu.index_bits[0];
}

uint64_t vidmm_process_scratch(const struct vidmm_engine *engine, enum vidmm_scratch scratch)
{
    uint64_t size = vidmm_process_scratch_size(engine);
    uint64_t start = engine->config.mmu.scratch;

    if (start == 0)
        start = (engine->config.mmu.low + size - 1) / size * size;
    return start + scratch * size;
}

uint64_t vidmm_process_scratch_end(const struct vidmm_engine *engine)
{
    return vidmm_process_scratch(engine,
                                 engine->config.mmu.wide_scratch ? SCRATCHES_WIDE : SCRATCHES);
}

struct vidmm_page_table *vidmm_process_scratch_leaf(const struct vidmm_engine *engine,
                                                    enum vidmm_scratch scratch)
{
    const struct vidmm_page_tables *tables = &engine->mmu->paging->tables;
    struct vidmm_page_table *table = tables->root, *child;
    uint64_t page = vidmm_process_scratch(engine, scratch) >> VIDMM_PAGE_SHIFT;

    while (engine->config.mmu.scratch == 0 && table->level > 0) {
        uint32_t shift = 0, level;

        for (level = 0; level < table->level; level++)
            shift += tables->format.index_bits[level];
        vidmm_page_table_entry(table, (uint32_t)((page - table->first) >> shift), &child);
        VIDMM_ASSERT(child); /* it is mapped from the beginning on */
        table = child;
    }
    return table;
}

/* Map the scratch range, to nothing yet: its tables are there from here on. */
static NTSTATUS map_scratch(struct vidmm_engine *engine, struct vidmm_process *process)
{
    struct vidmm_address_wish wish = {
        .base = vidmm_process_scratch(engine, SCRATCH_SOURCE),
        .size = SCRATCHES * vidmm_process_scratch_size(engine),
    };
    struct vidmm_address_meaning meaning = {
        .state = VIDMM_ADDRESS_MAPPED, .allocation = UINT32_MAX, .ring = &process->scratch};
    struct vidmm_address_edit edit;
    NTSTATUS status;

    vidmm_address_ring_init(&process->scratch);
    status = vidmm_address_decide_map(&process->space, &wish, &meaning, &edit);
    return status == STATUS_SUCCESS ? make(engine, process, &edit) : status;
}

/* ---- from the first event to the last ---- */

static NTSTATUS init_tables(struct vidmm_engine *engine, struct vidmm_process *process)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    struct vidmm_page_table_format format = {
        .levels = mmu->levels,
        .root_entries =
            process->paging || mmu->root_least == 0 ? mmu->root_entries : mmu->root_least,
        .zero_entries = mmu->zero_entries,
        .invalid_not_cached = mmu->invalid_not_cached && mmu->adapters <= 1,
        .explicit_invalidation = mmu->explicit_invalidation,
        .wide_pages = mmu->wide_size != 0,
        .pairs = mmu->pairs,
        .large_pages = mmu->large_pages,
        .backed = &engine->mmu->backed,
    };
    uint32_t level;

    for (level = 0; level < mmu->levels; level++)
        if (engine->mmu->backed.allocate && !process->paging && mmu->table_segment[level] == 0)
            format.backed_levels |= 1u << level; /* A26 */

    memcpy(format.index_bits, mmu->index_bits, sizeof(format.index_bits));
    return vidmm_page_tables_init(&process->tables, &format, &engine->memory);
}

static bool is_among(const struct vidmm_process *process, uint32_t id)
{
    while (process && process->id != id)
        process = process->next;
    return process != NULL;
}

bool vidmm_engine_has_process(const struct vidmm_engine *engine, uint32_t process)
{
    return vidmm_process_find(engine, process) || is_among(engine->mmu->due, process) ||
           is_among(engine->mmu->dead, process); /* A17 */
}

struct vidmm_process *vidmm_process_find(const struct vidmm_engine *engine, uint32_t id)
{
    return id < engine->mmu->process_capacity ? engine->mmu->processes[id] : NULL;
}

NTSTATUS vidmm_process_create(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    uint32_t id = event->process.process;
    struct vidmm_process *process, **processes;
    NTSTATUS status;

    if (mmu->levels == 0 || id == 0 || id >= VIDMM_IDS || vidmm_engine_has_process(engine, id) ||
        event->process.paging > VIDMM_PROCESS_PRIVILEGED ||
        (event->process.paging == VIDMM_PROCESS_PAGING && engine->mmu->paging) ||
        (event->process.paging == VIDMM_PROCESS_PRIVILEGED &&
         (engine->config.linked || mmu->written_at_once)))
        return STATUS_INVALID_PARAMETER;
    processes = vidmm_grow(&engine->memory, engine->mmu->processes, &engine->mmu->process_capacity,
                           id, sizeof(struct vidmm_process *));
    if (!processes)
        return STATUS_NO_MEMORY;
    engine->mmu->processes = processes;
    process = engine->memory.allocate(engine->memory.context, sizeof(*process));
    if (!process)
        return STATUS_NO_MEMORY;
    process->id = id;
    process->paging = event->process.paging == VIDMM_PROCESS_PAGING;
    process->privileged = event->process.paging == VIDMM_PROCESS_PRIVILEGED;
    process->unused = event->process.paging == VIDMM_PROCESS_PROGRAM;
    status = init_tables(engine, process);
    if (status != STATUS_SUCCESS) {
        engine->memory.free(engine->memory.context, process);
        return status;
    }
    status = vidmm_linked_spaces_init(process, mmu->adapters, mmu->low, mmu->high, &engine->memory);
    if (status != STATUS_SUCCESS) {
        vidmm_page_tables_finish(&process->tables);
        engine->memory.free(engine->memory.context, process);
        return status;
    }
    if (process->paging && mmu->scratch == 0)
        status = map_scratch(engine, process);
    if (status != STATUS_SUCCESS) {
        finish(engine, process);
        return status;
    }
    engine->mmu->processes[id] = process;
    engine->mmu->paging = process->paging ? process : engine->mmu->paging;
    if (process->privileged)
        vidmm_process_make_due(engine, process); /* AC2 */
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_process_destroy(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_process *process = vidmm_process_find(engine, event->process.process);
    uint32_t device;

    if (!process || process->paging || vidmm_companion_runs_in(engine, process->id))
        return STATUS_INVALID_PARAMETER;
    for (device = 0; device < engine->device_capacity; device++)
        if (engine->devices[device].exists &&
            engine->devices[device].address_process == process->id)
            return STATUS_INVALID_PARAMETER;
    vidmm_page_tables_set(&process->tables, 0, vidmm_page_tables_end(&process->tables),
                          VIDMM_ENTRY_INVALID, VIDMM_PAGE_4K); /* whole entries: no memory */
    vidmm_linked_spaces_clear(process, &engine->memory);
    process->dying = true;
    process->asleep = false;
    engine->mmu->processes[process->id] = NULL;
    vidmm_process_make_due(engine, process); /* A17: its last table leaves behind all others */
    return STATUS_SUCCESS;
}

void vidmm_mmu_finish(struct vidmm_engine *engine)
{
    struct vidmm_mmu *mmu = engine->mmu;
    uint32_t id;

    while (mmu->due)
        vidmm_process_take_due(engine, mmu->due);
    while (mmu->dead) {
        struct vidmm_process *process = mmu->dead;

        mmu->dead = process->next;
        finish(engine, process);
    }
    for (id = 0; id < mmu->process_capacity; id++)
        if (mmu->processes[id])
            finish(engine, mmu->processes[id]);
    while (mmu->left) {
        struct vidmm_page_table *table = mmu->left;

        mmu->left = table->next;
        vidmm_page_table_free(table);
    }
    if (mmu->processes)
        engine->memory.free(engine->memory.context, mmu->processes);
    if (mmu->tables)
        engine->memory.free(engine->memory.context, mmu->tables);
}

void vidmm_engine_back_tables(struct vidmm_engine *engine, const struct vidmm_memory *memory)
{
    VIDMM_ASSERT(engine->mmu->process_capacity == 0);
    engine->mmu->backed = *memory;
}

/* ---- the check ---- */

static void check_memory(const struct vidmm_engine *engine, const struct vidmm_page_table *table,
                         const struct vidmm_page_tables *tables)
{
    uint32_t index, entries = vidmm_page_table_entries(tables, table);
    struct vidmm_page_table *child;

    VIDMM_VERIFY(table->memory == 0
                     ? table->fresh
                     : vidmm_placement_find(engine, table->memory) != NULL); /* A18 */
    for (index = 0; table->level > 0 && index < entries; index++) {
        vidmm_page_table_entry(table, index, &child);
        if (child)
            check_memory(engine, child, tables);
        if (vidmm_page_table_second(table, index))
            check_memory(engine, vidmm_page_table_second(table, index), tables);
    }
}

void vidmm_mmu_check(const struct vidmm_engine *engine)
{
    const struct vidmm_process *process;
    uint32_t id, due = 0, switching = 0;

    for (process = engine->mmu->due; process; process = process->next) {
        VIDMM_VERIFY(process->due && (process->next || process == engine->mmu->due_last)); /* A16 */
        due += process->dying ? 0 : 1;
        VIDMM_VERIFY(!process->dying || process->space.count == 0); /* A17 */
        switching += process->dying && process->tables.old_root ? 1 : 0;
    }
    for (id = 0; id < engine->mmu->process_capacity; id++) {
        process = engine->mmu->processes[id];
        if (!process)
            continue;
        VIDMM_VERIFY(process->id == id && !process->dying);
        VIDMM_VERIFY(!process->unused || (process->written == 0 && process->last_fence == 0 &&
                                          !process->asleep)); /* A28 */
        due -= process->due ? 1 : 0;
        switching += process->tables.old_root ? 1 : 0;
        vidmm_page_tables_check(&process->tables);
        vidmm_linked_check(process);
        check_memory(engine, process->tables.root, &process->tables);
    }
    VIDMM_VERIFY(due == 0);                            /* A16 */
    VIDMM_VERIFY(switching == engine->mmu->switching); /* A31 */
}
