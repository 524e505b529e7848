/* table_tell.c: page tables, as operations tell of them: entries that are written, entries that
 * somebody asks for, and roots. Invariant A31 is in process.c.
 */
#include "vidmm/engine/carry/table_tell.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/linked_space.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"

struct vidmm_place vidmm_table_place(const struct vidmm_engine *engine,
                                     const struct vidmm_page_table *table)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, table->memory);

    VIDMM_ASSERT(placement && !vidmm_place_is_nowhere(&placement->at)); /* A18 */
    return vidmm_place_tell(&placement->at);
}

enum vidmm_entry_kind vidmm_table_entry_kind(enum vidmm_entry entry)
{
    return entry == VIDMM_ENTRY_INVALID ? VIDMM_ENTRY_IS_INVALID
           : entry == VIDMM_ENTRY_ZERO  ? VIDMM_ENTRY_IS_ZERO
           : entry == VIDMM_ENTRY_PAGES ? VIDMM_ENTRY_IS_PAGES
                                        : VIDMM_ENTRY_IS_TABLES;
}

/* The meaning of an address that is mapped, and its allocation, if that is there; else NULL. */
static const struct vidmm_placement *find_page(const struct vidmm_engine *engine,
                                               const struct vidmm_address_space *space,
                                               uint64_t address,
                                               struct vidmm_address_meaning *meaning)
{
    const struct vidmm_address_range *range = vidmm_address_find(space, address);
    const struct vidmm_placement *placement;

    *meaning = vidmm_address_meaning_at(range, address);
    placement = vidmm_placement_find(engine, meaning->allocation);
    return placement && vidmm_process_shows(placement) ? placement : NULL;
}

/* Tell of a large page: where it is, if its allocation is there. */
static void tell_page(const struct vidmm_engine *engine, const struct vidmm_process *process,
                      uint64_t address, struct vidmm_operation *told)
{
    struct vidmm_address_meaning meaning;
    const struct vidmm_placement *placement = find_page(engine, &process->space, address, &meaning);
    uint64_t together;

    told->entry.entry = VIDMM_ENTRY_IS_INVALID;
    if (!placement)
        return;
    told->entry.entry = VIDMM_ENTRY_IS_PAGES;
    told->allocation = placement->id;
    told->entry.access = meaning.access;
    told->entry.offset = meaning.offset;
    told->entry.place = vidmm_place_at(placement, &placement->at, meaning.offset, &together);
    VIDMM_ASSERT(together >= vidmm_process_scratch_size(engine)); /* A14: all that a leaf has */
}

/* Find what the entry says; of a table with pairs it is two, and `second` says which. */
static enum vidmm_entry find_entry(const struct vidmm_page_table *table, uint32_t index,
                                   bool second, struct vidmm_page_table **child)
{
    enum vidmm_entry kind = vidmm_page_table_entry(table, index, child);

    if (!table->paired)
        return kind;
    if (second && vidmm_page_table_second(table, index))
        *child = vidmm_page_table_second(table, index);
    if (*child ? (*child)->wide == second : !second)
        return kind;
    *child = NULL;
    return VIDMM_ENTRY_INVALID;
}

void vidmm_table_tell_entry(const struct vidmm_engine *engine, const struct vidmm_process *process,
                            const struct vidmm_page_table *table, uint32_t index, bool early,
                            bool second, struct vidmm_operation *told)
{
    struct vidmm_page_table *child = NULL;
    enum vidmm_entry kind = find_entry(table, index, second, &child);

    told->entry.index = index;
    told->entry.second = second;
    told->entry.entry = vidmm_table_entry_kind(kind);
    if (told->entry.entry == VIDMM_ENTRY_IS_PAGES) {
        tell_page(engine, process, vidmm_page_table_address(&process->tables, table, index), told);
    } else if (child && (child->memory == 0 || (early && child->fresh))) {
        /* it has appeared, and is not written: another record leads to it */
        told->entry.entry = VIDMM_ENTRY_IS_INVALID;
    } else if (child) {
        told->entry.table = child->memory;
        told->entry.wide = child->wide;
        told->entry.place = vidmm_table_place(engine, child);
    }
}

/* ---- what somebody asks for ------------------------------------------------------------------ */

/* Tell of an entry of a leaf, as the record does that writes it for the physical adapter. An
 * entry that is not invalid may mean something else to each adapter of a link (LS2). */
static void tell_leaf(const struct vidmm_engine *engine, const struct vidmm_process *process,
                      uint32_t adapter, const struct vidmm_page_table *leaf, uint32_t index,
                      struct vidmm_operation *told)
{
    uint64_t address = vidmm_page_table_address(&process->tables, leaf, index), together;
    const struct vidmm_placement *placement;
    struct vidmm_address_meaning meaning;
    struct vidmm_page_table *child;

    told->table.operation = VIDMM_UPDATE_PAGE_TABLE;
    told->table.first = index;
    told->table.count = 1;
    told->table.flags = leaf->wide ? VIDMM_PAGING_WIDE : 0;
    told->table.address = address;
    told->table.entry = vidmm_table_entry_kind(vidmm_page_table_entry(leaf, index, &child));
    if (told->table.entry == VIDMM_ENTRY_IS_INVALID)
        return;
    placement = find_page(engine, vidmm_process_space(process, adapter), address, &meaning);
    if (process->linked_spaces)
        told->table.entry = vidmm_table_entry_kind(vidmm_entry_of(meaning.state));
    told->table.access = meaning.access;
    told->table.driver_protection = meaning.driver_protection;
    if (told->table.entry != VIDMM_ENTRY_IS_PAGES)
        return;
    if (!placement) {
        told->table.entry = VIDMM_ENTRY_IS_INVALID;
        return;
    }
    told->allocation = placement->id;
    told->table.offset = meaning.offset;
    told->table.place = vidmm_place_at(placement, &placement->at, meaning.offset, &together);
}

/* The table of a level that the entries of those above it lead to. NULL: one of them leads to
 * none. wide: of a pair the leaf of 64 KiB. */
static const struct vidmm_page_table *walk(const struct vidmm_page_tables *tables, uint32_t level,
                                           bool wide, const uint32_t *indices)
{
    struct vidmm_page_table *table = tables->root;

    while (table && table->level > level) {
        uint32_t index = indices[table->level];

        if (index >= vidmm_page_table_entries(tables, table))
            return NULL;
        find_entry(table, index, wide, &table);
    }
    return table;
}

bool vidmm_engine_page_entry(const struct vidmm_engine *engine, uint32_t process, uint32_t adapter,
                             uint32_t level, const uint32_t *indices, bool *wide,
                             struct vidmm_operation *told)
{
    const struct vidmm_process *found = vidmm_process_find(engine, process);
    const struct vidmm_page_table *table;

    if (!found || adapter >= found->adapters || level >= found->tables.format.levels)
        return false;
    table = walk(&found->tables, level, *wide, indices);
    if (!table || indices[level] >= vidmm_page_table_entries(&found->tables, table))
        return false;
    if (!found->tables.format.pairs)
        *wide = table->wide;
    *told = (struct vidmm_operation){.kind = level == 0 ? VIDMM_DO_BUILD : VIDMM_DO_ENTRY};
    if (level == 0)
        tell_leaf(engine, found, adapter, table, indices[0], told);
    else
        vidmm_table_tell_entry(engine, found, table, indices[level], false, *wide && table->paired,
                               told);
    return true;
}

/* ---- roots, as contexts are told of them ----------------------------------------------------- */

const struct vidmm_page_table *vidmm_root_in_use(const struct vidmm_process *process)
{
    const struct vidmm_page_table *root = process->tables.old_root;

    if (!root || process->switched)
        return process->tables.root;
    while (root->next)
        root = root->next;
    return root;
}

static void tell(const struct vidmm_engine *engine, const struct vidmm_process *process,
                 struct vidmm_operation *root)
{
    root->root.process = process->id;
    root->root.table = process->tables.root->memory;
    root->root.entries = process->tables.format.root_entries;
    root->root.place = vidmm_table_place(engine, process->tables.root);
}

/* Whether the process can be told of its root now: it is written, and nothing runs. obeys D-136 */
static bool may_switch(const struct vidmm_engine *engine, const struct vidmm_process *process)
{
    return process && process->tables.old_root && !process->switched && !process->due &&
           !process->asleep && process->written <= engine->mmu->completed &&
           vidmm_fence_passed_elsewhere(engine, process->last_fence, VIDMM_NODES);
}

bool vidmm_root_will_switch(const struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; engine->mmu->switching > 0 && id < engine->mmu->process_capacity; id++)
        if (may_switch(engine, engine->mmu->processes[id]))
            return true;
    return false;
}

enum vidmm_progress vidmm_root_switch(struct vidmm_engine *engine)
{
    struct vidmm_mmu *mmu = engine->mmu;
    struct vidmm_operation *root;
    uint32_t id = 0;

    if (!vidmm_root_will_switch(engine))
        return PROGRESS_IDLE;
    if (mmu->call.process || !vidmm_plan_has_room(engine))
        return PROGRESS_WAIT; /* A19 */
    while (!may_switch(engine, mmu->processes[id]))
        id++;
    VIDMM_ASSERT(engine->call == CALL_NONE && mmu->switch_process == 0);
    root = vidmm_emit(engine, VIDMM_DO_SET_ROOT);
    tell(engine, mmu->processes[id], root);
    mmu->switch_process = id;
    engine->call = CALL_SET_ROOT;
    return PROGRESS_CALL;
}

NTSTATUS vidmm_root_set(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_process *process;

    (void)event;
    if (engine->call != CALL_SET_ROOT)
        return STATUS_INVALID_PARAMETER;
    process = vidmm_process_find(engine, engine->mmu->switch_process);
    engine->call = CALL_NONE;
    engine->mmu->switch_process = 0;
    if (!process || process->due) /* it has ended, or has got another root */
        return STATUS_SUCCESS;
    process->switched = true;
    vidmm_process_make_due(engine, process);
    return STATUS_SUCCESS;
}

void vidmm_root_tell(struct vidmm_engine *engine, const struct vidmm_process *process)
{
    if (process && process->tables.root->memory != 0)
        tell(engine, process, vidmm_emit(engine, VIDMM_DO_ROOT));
}

/* ---- submissions ----------------------------------------------------------------------------- */

bool vidmm_table_precede(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_process *process =
        vidmm_process_find(engine, engine->devices[device].address_process);

    if (!process)
        return true;
    if (process->asleep || process->unused || process->tables.root->memory == 0) {
        process->asleep = false; /* A27 */
        process->unused = false; /* A28 */
        vidmm_process_make_due(engine, process);
    }
    return vidmm_process_is_told(engine, process); /* A21 */
}

bool vidmm_table_is_due(const struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_process *process =
        vidmm_process_find(engine, engine->devices[device].address_process);

    return process && process->due;
}
