/* table_apart.c: the entries of a leaf, as each physical adapter of a link has them.
 *
 * Invariant
 * A30. A call that is written apart names one adapter, and entries whose meaning to it goes on; its
 *      parts follow each other, adapter by adapter, and no other call comes between (A19).
 */
#include "vidmm/engine/carry/table_apart.h"

#include <base/assert.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>

#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/linked_space.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"

bool vidmm_table_is_apart(const struct vidmm_process *process,
                          const struct vidmm_page_table_update *record)
{
    return process->adapters > 1 && record->table->level == 0 && !record->initial &&
           !record->table->leaving;
}

/* The first adapter from `adapter` on for which the record says something; the number of adapters:
 * there is none. */
static uint32_t next_adapter(const struct vidmm_table_call *call, uint32_t adapter)
{
    while (adapter < call->process->adapters && (call->update.adapters >> adapter & 1) == 0)
        adapter++;
    return adapter;
}

void vidmm_table_apart_begin(struct vidmm_engine *engine)
{
    struct vidmm_table_call *call = &engine->mmu->call;

    call->apart = true;
    call->adapter = next_adapter(call, 0);
    VIDMM_ASSERT(call->adapter < call->process->adapters); /* something has changed */
}

bool vidmm_table_apart_next(struct vidmm_engine *engine)
{
    struct vidmm_table_call *call = &engine->mmu->call;

    VIDMM_ASSERT(call->apart && call->part > 0);
    call->done += call->part;
    if (call->done == call->update.count) {
        call->done = 0;
        call->adapter = next_adapter(call, call->adapter + 1);
    }
    return call->adapter < call->process->adapters;
}

/* The meaning of an address to the adapter; NULL: it means nothing. *pages: how many are asked for,
 * and how many of them it goes on for. */
static const struct vidmm_address_range *find_range(const struct vidmm_table_call *call,
                                                    uint64_t address, uint64_t *pages)
{
    const struct vidmm_address_range *range =
        vidmm_address_find(vidmm_process_space(call->process, call->adapter), address);
    uint64_t end;

    if (!range)
        return NULL;
    end = vidmm_address_range_start(range) > address ? vidmm_address_range_start(range)
                                                     : vidmm_address_range_end(range);
    if ((end - address) / VIDMM_PAGE_SIZE < *pages)
        *pages = (end - address) / VIDMM_PAGE_SIZE;
    return vidmm_address_range_start(range) > address ? NULL : range;
}

/* Write pages of an allocation, if it is there, as far as they go on in one piece. */
static void fill_in_pages(const struct vidmm_engine *engine,
                          const struct vidmm_address_meaning *meaning, uint64_t *pages,
                          struct vidmm_operation *build)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, meaning->allocation);
    uint64_t together;

    if (!placement || !vidmm_process_shows(placement))
        return;
    build->allocation = placement->id;
    build->table.entry = VIDMM_ENTRY_IS_PAGES;
    build->table.offset = meaning->offset;
    build->table.place = vidmm_place_at(placement, &placement->at, meaning->offset, &together);
    if (together / VIDMM_PAGE_SIZE < *pages)
        *pages = together / VIDMM_PAGE_SIZE;
}

void vidmm_table_apart_fill(struct vidmm_engine *engine, struct vidmm_operation *build)
{
    struct vidmm_table_call *call = &engine->mmu->call;
    const struct vidmm_page_table_update *update = &call->update;
    uint64_t address = update->address + (uint64_t)call->done * VIDMM_PAGE_SIZE;
    uint64_t pages = update->count - call->done;
    const struct vidmm_address_range *range = find_range(call, address, &pages);
    struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_FREE};

    if (range)
        meaning = vidmm_address_meaning_at(range, address);
    build->table.operation = VIDMM_UPDATE_PAGE_TABLE;
    build->table.table = update->table->memory;
    build->table.at = vidmm_table_place(engine, update->table);
    build->table.adapter = call->adapter + 1; /* obeys D-228 */
    build->table.first = update->first + call->done;
    build->table.address = address;
    build->table.entry = VIDMM_ENTRY_IS_INVALID;
    if (meaning.state == VIDMM_ADDRESS_MAPPED || meaning.state == VIDMM_ADDRESS_ZERO) {
        build->table.access = meaning.access;
        build->table.driver_protection = meaning.driver_protection;
    }
    if (meaning.state == VIDMM_ADDRESS_ZERO)
        build->table.entry = VIDMM_ENTRY_IS_ZERO;
    if (meaning.state == VIDMM_ADDRESS_MAPPED)
        fill_in_pages(engine, &meaning, &pages, build);
    build->table.flags = build->table.entry != VIDMM_ENTRY_IS_PAGES ? VIDMM_PAGING_REPEAT : 0;
    call->part = build->table.count = (uint32_t)pages;
    VIDMM_ASSERT(call->part > 0 && call->done + call->part <= update->count); /* A30 */
}
