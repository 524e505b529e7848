/* table_write.c: page tables are written, a record at a time.
 *
 * Two things must not be seen by the GPU: an entry that leads to memory which something else has
 * meanwhile, and a table that is not written yet. Against the second the order of records stands
 * (page_table_write.c). Against the first there are two moments:
 *
 *     before anything comes to a place, or leaves it   the leaves that the GPU knows are written,
 *                                                      then it forgets: vidmm_table_write_known()
 *     before a table gets memory                       likewise
 *
 * Everything is executed in the order of the paging node, so what is built before is true before.
 *
 * Invariants (A16 to A18, A22, A26 and A28 are in process.c)
 * A19. A call that was handed out for page tables is handed out again until it is built; no move
 *     comes between.
 * A20. The memory of a table is given back when the flush behind its last record has been executed.
 * A21. No packet of a process is submitted while something is due for it, or is not yet executed.
 * A27. A process whose tables have left is asleep: no packet of it is in flight, its root says that
 *     no address is there, and the GPU has forgotten all others before their memory is given back.
 *     A root that was never written led to none of them. The next submission of the process wakes
 *     it, before which all is written anew (A21).
 *
 * If nothing else leaves for a table, or for a list that has to be in place, the tables of a
 * process that does not run leave, those below the root; who ran longest ago comes first:
 *
 *     record of its root: all invalid --> FlushTlb --> executed: the memory is free
 */
#include "vidmm/engine/carry/table_write.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/by_address.h"
#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/carry/switch.h"
#include "vidmm/engine/carry/table_apart.h"
#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/companion.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/mmu_config.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/page_size.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/work_state.h"

#define RETRY_NS UINT64_C(1000000)
#define PASSES 1024u /* of one record; no honest driver needs as many */

/* ---- memory ---- */

/* An id that no page table has. 0: no memory for one. */
static uint32_t free_id(struct vidmm_engine *engine)
{
    struct vidmm_mmu *mmu = engine->mmu;
    uint32_t capacity = mmu->capacity ? 2 * mmu->capacity : 64, index, tried;
    struct vidmm_placement **table;

    for (tried = 0; tried < mmu->capacity; tried++) {
        index = (mmu->next_table + tried) % mmu->capacity;
        if (!mmu->tables[index]) {
            mmu->next_table = index + 1;
            return VIDMM_TABLE_IDS + index;
        }
    }
    if (capacity > VIDMM_TABLE_IDS)
        return 0;
    table = engine->memory.allocate(engine->memory.context,
                                    capacity * sizeof(struct vidmm_placement *));
    if (!table)
        return 0;
    for (index = 0; index < mmu->capacity; index++)
        table[index] = mmu->tables[index];
    if (mmu->tables)
        engine->memory.free(engine->memory.context, mmu->tables);
    mmu->tables = table;
    index = mmu->capacity;
    mmu->capacity = capacity;
    mmu->next_table = index + 1;
    return VIDMM_TABLE_IDS + index;
}

/* The placement of a page table, without a place. NULL: no memory. */
static struct vidmm_placement *make_placement(struct vidmm_engine *engine, uint32_t segment,
                                              const struct vidmm_page_table *table)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    uint32_t alignment = mmu->table_alignment[table->level];
    struct vidmm_wish wish = {
        .size = vidmm_table_size(engine, table),
        .alignment = alignment > VIDMM_PAGE_SIZE ? alignment : VIDMM_PAGE_SIZE,
        .read_set = segment ? 1u << (segment - 1) : 0,
        .write_set = segment ? 1u << (segment - 1) : 0,
    };
    uint32_t id = free_id(engine);

    return id != 0 ? vidmm_placement_create_table(engine, id, &wish) : NULL;
}

/* The table that is to get memory; NULL: none before the next record. One without records gives all
 * of its tables memory (A28). */
static struct vidmm_page_table *next_without_memory(struct vidmm_process *process)
{
    struct vidmm_page_table *table = vidmm_page_tables_first(&process->tables);

    if (process->dying) /* A17: it is an empty root */
        return NULL;
    if (!process->unused)
        return table && table->memory == 0 ? table : NULL;
    return vidmm_page_tables_homeless(&process->tables);
}

static bool wants_memory(struct vidmm_process *process)
{
    return next_without_memory(process) != NULL;
}

/* ---- tables that leave ---- */

/* Whether the process has tables below the root that can leave at all. Each entry of a driver with
 * ExplicitPageTableInvalidation would have to be written first (D-133): its tables stay. The tables
 * of an unused process get memory from the leaves on, so its root may have none (A28). */
static bool can_sleep(const struct vidmm_engine *engine, const struct vidmm_process *process)
{
    const struct vidmm_page_tables *tables = &process->tables;
    uint32_t level, root = tables->format.levels - 1;
    bool any = false;

    for (level = 0; level < root; level++)
        any |= engine->config.mmu.table_segment[level] != 0 &&
               tables->count[level] > tables->homeless[level];
    return any && !process->paging && !process->privileged && !process->asleep &&
           !tables->format.explicit_invalidation && !tables->old_root &&
           (tables->root->memory != 0 || process->unused);
}

/* Whether they can leave now. LATER: the process runs, or its tables are being written. One that
 * waits for memory itself gives up what it has got. */
static enum vidmm_found may_sleep(const struct vidmm_engine *engine, struct vidmm_process *process)
{
    if (!can_sleep(engine, process))
        return FOUND_NONE;
    if (engine->mmu->call.process == process) /* A19 */
        return FOUND_LATER;
    if (process->due && (!wants_memory(process) || process->tables.reached || process->stale))
        return FOUND_LATER;
    return process->written <= engine->mmu->completed &&
                   vidmm_fence_passed_elsewhere(engine, process->last_fence, VIDMM_NODES)
               ? FOUND
               : FOUND_LATER;
}

/* The memory of a table waits for the GPU to forget the table. */
static void loosen(void *context, uint32_t memory)
{
    struct vidmm_engine *engine = context;
    struct vidmm_placement *placement = vidmm_placement_find(engine, memory);

    VIDMM_ASSERT(placement && !placement->next);
    placement->next = engine->mmu->loose;
    engine->mmu->loose = placement;
}

/* The tables below the root of a process leave, and with them those that nothing leads to any more
 * and that wait for a flush: the one behind the root's record is theirs, too. */
static void take_tables(struct vidmm_engine *engine, struct vidmm_process *process)
{
    struct vidmm_page_table *table;

    vidmm_page_tables_unhouse(&process->tables, vidmm_mmu_levels_in_memory(&engine->config), loosen,
                              engine);
    while ((table = vidmm_page_tables_left(&process->tables)) != NULL) {
        if (table->memory != 0)
            loosen(engine, table->memory);
        vidmm_page_table_free(table);
    }
}

/* The process whose tables leave first: of those that do not run the one that ran longest ago, but
 * neither `not_this` nor the one whose turn it is. NULL: there is none; *later: there will be. */
static struct vidmm_process *find_sleeper(const struct vidmm_engine *engine,
                                          const struct vidmm_process *not_this,
                                          const struct vidmm_process *turn, bool *later)
{
    struct vidmm_process *oldest = NULL;
    uint32_t id;

    for (id = 0; id < engine->mmu->process_capacity; id++) {
        struct vidmm_process *process = engine->mmu->processes[id];
        enum vidmm_found found = process && process != not_this && process != turn
                                     ? may_sleep(engine, process)
                                     : FOUND_NONE;

        *later |= found == FOUND_LATER;
        if (found == FOUND && (!oldest || process->last_fence < oldest->last_fence))
            oldest = process;
    }
    return oldest;
}

enum vidmm_progress vidmm_table_evict(struct vidmm_engine *engine,
                                      const struct vidmm_process *not_this)
{
    struct vidmm_mmu *mmu = engine->mmu;
    struct vidmm_process *oldest, *turn = NULL;
    bool later = mmu->left || mmu->dead; /* their memory is free when the flush is executed */

    if (mmu->clearing || mmu->loose)
        return mmu->clearing ? PROGRESS_MADE : PROGRESS_WAIT;
    if (engine->turn)
        turn = vidmm_process_find(engine, engine->devices[engine->turn->device].address_process);
    oldest = find_sleeper(engine, not_this, turn, &later);
    if (!oldest && !later && turn && !not_this) { /* for its own list, and they come back */
        enum vidmm_found found = may_sleep(engine, turn);

        oldest = found == FOUND ? turn : NULL;
        later = found == FOUND_LATER;
    }
    if (!oldest)
        return later ? PROGRESS_WAIT : PROGRESS_IDLE;
    VIDMM_ASSERT(!oldest->asleep && !oldest->paging);
    if (oldest->due)
        vidmm_process_take_due(engine, oldest);
    take_tables(engine, oldest);
    engine->statistics.table_evictions++;
    VIDMM_ASSERT(!oldest->unused || oldest->tables.root->fresh); /* A28 */
    oldest->asleep = !oldest->unused;
    if (oldest->tables.root->fresh) {
        mmu->loose_note = 0; /* nothing leads to them, and the GPU has nothing to forget */
        return PROGRESS_MADE;
    }
    mmu->clearing = oldest;
    mmu->root_cleared = false;
    mmu->loose_note = UINT64_MAX;
    return PROGRESS_MADE;
}

/* Whether the engine writes tables of the process that have memory: below the root too, which gets
 * its own last. */
static bool has_tables(const struct vidmm_engine *engine, const struct vidmm_process *process)
{
    const struct vidmm_page_tables *tables;
    uint32_t level = 0;

    if (!process || (process->paging && engine->config.mmu.scratch != 0))
        return false;
    tables = &process->tables;
    while (level < tables->root->level && tables->count[level] == tables->homeless[level])
        level++;
    return level < tables->root->level || tables->root->memory != 0;
}

static void begin_anew(struct vidmm_engine *engine, struct vidmm_process *process)
{
    if (!has_tables(engine, process))
        return;
    vidmm_page_tables_unhouse(&process->tables, vidmm_mmu_levels_in_memory(&engine->config), NULL,
                              NULL);
    vidmm_process_make_due(engine, process);
}

void vidmm_table_write_anew(struct vidmm_engine *engine)
{
    struct vidmm_process *process;
    uint32_t id;

    VIDMM_ASSERT(!engine->mmu->call.handed);
    if (engine->mmu->call.process && !engine->mmu->call.flush && !engine->mmu->call.clears)
        vidmm_process_take_back(engine, engine->mmu->call.process, &engine->mmu->call.update);
    engine->mmu->call = (struct vidmm_table_call){.process = NULL};
    vidmm_by_address_forget(engine);
    vidmm_companion_end(engine, 0); /* AC2 */
    for (id = 0; id < engine->mmu->process_capacity; id++)
        begin_anew(engine, engine->mmu->processes[id]);
    for (process = engine->mmu->due; process; process = process->next)
        if (process->dying) /* the call may have been its first record (D-120) */
            begin_anew(engine, process);
}

/* There is no memory for a table, and nothing in flight will leave some. MADE: a device that cannot
 * run without it has failed. IDLE: nobody has to run now. */
static enum vidmm_progress do_without(struct vidmm_engine *engine,
                                      const struct vidmm_process *process)
{
    const struct vidmm_work *work = engine->turn;
    enum vidmm_progress progress = vidmm_switch_yield(engine);

    VIDMM_ASSERT(engine->call == CALL_NONE);
    if (progress == PROGRESS_CALL || progress == PROGRESS_WAIT)
        return progress;
    progress = vidmm_table_evict(engine, process);
    if (progress != PROGRESS_IDLE)
        return progress;
    if (engine->locked > 0)
        return PROGRESS_WAIT; /* the CPU may give up what it holds */
    if (process->paging) {
        vidmm_engine_fail(engine, VIDMM_REASON_OUT_OF_MEMORY, STATUS_GRAPHICS_NO_VIDEO_MEMORY);
        return PROGRESS_MADE;
    }
    if (!work || work->dma_buffer == 0 ||
        engine->devices[work->device].address_process != process->id ||
        vidmm_device_record_status(engine, work->device) != STATUS_SUCCESS)
        return PROGRESS_IDLE;
    vidmm_device_record_fail(engine, work->device, VIDMM_REASON_OUT_OF_MEMORY, work->dma_buffer,
                             STATUS_GRAPHICS_NO_VIDEO_MEMORY); /* obeys D-089 */
    return PROGRESS_MADE;
}

/* Give a table memory; others may have to leave for it. MADE: it has some, or they are on their
 * way. */
static enum vidmm_progress give_memory(struct vidmm_engine *engine, struct vidmm_process *process,
                                       struct vidmm_page_table *table)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    uint32_t level = table->level;
    uint32_t segment = process->paging ? mmu->paging_segment[level] : mmu->table_segment[level];
    struct vidmm_placement *placement = make_placement(engine, segment, table);
    struct vidmm_settlement settlement = {.found = FOUND};

    VIDMM_ASSERT(table->memory == 0);
    if (!placement) {
        engine->mmu->retry_ns = engine->time_ns + RETRY_NS; /* nothing else may ever happen */
        return PROGRESS_WAIT;
    }
    if (segment != 0) {
        settlement.found = vidmm_room_by_cost(engine, placement, segment, &settlement);
        vidmm_settlement_apply(engine, &settlement);
        vidmm_leaving_queue(engine);
    }
    if (settlement.found != FOUND) {
        vidmm_placement_free(engine, placement);
        return settlement.found == FOUND_CALL    ? PROGRESS_CALL
               : settlement.found == FOUND_LATER ? PROGRESS_WAIT
                                                 : do_without(engine, process);
    }
    placement->at = segment != 0 ? vidmm_place_addresses(&placement->given) : vidmm_place_system();
    vidmm_page_table_house(&process->tables, table, placement->id);
    vidmm_table_count(engine, placement->wish.size);
    if (segment != 0)
        engine->segments[segment].apart += placement->wish.size;
    return PROGRESS_MADE;
}

static void free_memory(struct vidmm_engine *engine, uint32_t memory)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, memory);

    VIDMM_ASSERT(placement && engine->statistics.tables > 0);
    engine->statistics.tables--;
    engine->statistics.table_bytes -= placement->wish.size;
    if (placement->wish.write_set != 0) /* one segment's */
        engine->segments[__builtin_ctz(placement->wish.write_set) + 1].apart -=
            placement->wish.size;
    vidmm_emit(engine, VIDMM_DO_FREE_TABLE)->root.table = memory;
    if (vidmm_placement_has_range(placement))
        vidmm_placement_unsettle(engine, placement);
    placement->at = vidmm_place_nowhere();
    vidmm_placement_free(engine, placement);
}

/* ---- calls ---- */

/* Tell of the entries above a leaf, as far as the plan has room; of a table with pairs all of one
 * kind first, then those of the other. False: the next step goes on. */
static bool tell_entries(struct vidmm_engine *engine)
{
    struct vidmm_table_call *call = &engine->mmu->call;
    uint32_t count = call->update.count, all;

    if (call->flush || call->update.kind != VIDMM_ENTRY_TABLE)
        return vidmm_plan_has_room(engine);
    all = call->update.table->paired ? 2 * count : count;
    while (call->told < all && vidmm_plan_has_room(engine)) {
        vidmm_table_tell_entry(engine, call->process, call->update.table,
                               call->update.first + call->told % count, call->update.early,
                               call->told >= count, vidmm_emit(engine, VIDMM_DO_ENTRY));
        call->told++;
    }
    return call->told == all && vidmm_plan_has_room(engine);
}

/* Pages are written run by run: what does not lie in one piece with the first page is due once
 * more. */
static void shorten(struct vidmm_table_call *call, uint64_t together)
{
    struct vidmm_page_table_update *update = &call->update;
    struct vidmm_page_tables *tables = &call->process->tables;
    uint64_t page = VIDMM_PAGE_SIZE << (update->table->wide ? VIDMM_WIDE_SHIFT : 0);
    uint64_t size = update->count * page;
    uint64_t start = tables->flush_start, end = tables->flush_end;

    VIDMM_ASSERT(together >= page && (together >= size || together % page == 0)); /* A14 */
    if (together >= size)
        return;
    vidmm_page_tables_touch(tables, update->address + together, update->address + size);
    tables->flush_start = start; /* obeys D-128: the change as a whole has said what to forget */
    tables->flush_end = end;
    update->count = (uint32_t)(together / page);
}

static void fill_in_pages(struct vidmm_engine *engine, struct vidmm_operation *build,
                          const struct vidmm_address_meaning *meaning)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, meaning->allocation);
    uint64_t together;

    if (!placement || !vidmm_process_shows(placement)) {
        build->table.entry = VIDMM_ENTRY_IS_INVALID;
        build->table.flags |= VIDMM_PAGING_REPEAT;
        return;
    }
    build->allocation = placement->id;
    build->table.offset = meaning->offset;
    build->table.place = vidmm_place_at(placement, &placement->at, meaning->offset, &together);
    shorten(&engine->mmu->call, together);
    build->table.count = engine->mmu->call.update.count;
}

static void fill_in_update(struct vidmm_engine *engine, struct vidmm_operation *build)
{
    const struct vidmm_page_table_update *update = &engine->mmu->call.update;

    build->table.operation = VIDMM_UPDATE_PAGE_TABLE;
    build->table.table = update->table->memory;
    build->table.at = vidmm_table_place(engine, update->table);
    build->table.level = update->table->level;
    build->table.first = update->first;
    build->table.count = update->count;
    build->table.flags =
        (update->repeat ? VIDMM_PAGING_REPEAT : 0) | (update->initial ? VIDMM_PAGING_INITIAL : 0);
    build->table.flags |= update->table->wide ? VIDMM_PAGING_WIDE : 0;
    build->table.entry = vidmm_table_entry_kind(update->kind);
    build->table.address = update->address;
    if (update->kind != VIDMM_ENTRY_PAGES && update->kind != VIDMM_ENTRY_ZERO)
        return;
    build->table.access = update->meaning.access;
    build->table.driver_protection = update->meaning.driver_protection;
    if (update->kind == VIDMM_ENTRY_PAGES)
        fill_in_pages(engine, build, &update->meaning);
}

/* Hand out the call that was made up, or is to be made again. */
static enum vidmm_progress hand_out(struct vidmm_engine *engine)
{
    struct vidmm_table_call *call = &engine->mmu->call;
    const struct vidmm_companion *companion = vidmm_companion_of(engine, call->process);
    enum vidmm_progress progress;
    struct vidmm_operation *build;

    VIDMM_ASSERT(call->process && !call->handed && engine->call == CALL_NONE); /* A19 */
    if (engine->config.mmu.written_at_once &&
        !vidmm_fence_passed_elsewhere(engine, call->process->wait_fence, VIDMM_NODES))
        return PROGRESS_WAIT; /* A22 */
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    progress = vidmm_paging_open(engine, companion);
    if (progress == PROGRESS_IDLE && !tell_entries(engine))
        progress = PROGRESS_WAIT;
    if (progress != PROGRESS_IDLE)
        return progress;
    vidmm_paging_wait_for(engine, call->process->wait_fence); /* A22 */
    build = vidmm_emit(engine, VIDMM_DO_BUILD);
    if (call->flush) {
        build->table.operation = VIDMM_FLUSH_TLB;
        const struct vidmm_page_table *root =
            call->old ? call->process->tables.old_root : vidmm_root_in_use(call->process);

        build->table.table = root->memory;
        build->table.at = vidmm_table_place(engine, root);
        build->table.address = call->start;
        build->table.end = call->end;
    } else if (call->apart) {
        vidmm_table_apart_fill(engine, build);
    } else {
        fill_in_update(engine, build);
    }
    if (!call->again) {
        engine->multipass_offset = 0; /* obeys S4-015 */
        engine->passes = 0;
    }
    build->table.process = call->process->id;
    build->table.context = companion ? companion->context : 0;
    build->table.paging_buffer = engine->open_buffer;
    build->table.multipass_offset = engine->multipass_offset;
    build->table.flags |= call->again ? VIDMM_PAGING_AGAIN : 0;
    call->process->written = engine->mmu->opened;
    call->handed = true;
    call->names = build->allocation;
    engine->call = CALL_BUILD;
    engine->call_move = NULL;
    return PROGRESS_CALL;
}

static enum vidmm_progress update(struct vidmm_engine *engine, struct vidmm_process *process,
                                  const struct vidmm_page_table_update *record)
{
    engine->mmu->call = (struct vidmm_table_call){.process = process, .update = *record};
    if (vidmm_table_is_apart(process, record))
        vidmm_table_apart_begin(engine);
    return hand_out(engine);
}

static enum vidmm_progress flush(struct vidmm_engine *engine, struct vidmm_process *process,
                                 uint64_t start, uint64_t end)
{
    engine->mmu->call =
        (struct vidmm_table_call){.process = process, .flush = true, .start = start, .end = end};
    return hand_out(engine);
}

/* The GPU forgets all that it has found by an old root, which goes. obeys D-265 */
static enum vidmm_progress flush_old(struct vidmm_engine *engine, struct vidmm_process *process)
{
    const struct vidmm_page_tables *tables = &process->tables;
    uint64_t covered = vidmm_page_tables_end(tables) / tables->format.root_entries;

    VIDMM_ASSERT(process->dying ||
                 vidmm_fence_passed_elsewhere(engine, process->last_fence, VIDMM_NODES)); /* A31 */
    engine->mmu->call = (struct vidmm_table_call){
        .process = process, .flush = true, .old = true, .end = tables->old_root->length * covered};
    return hand_out(engine);
}

/* Its FlushTlb has been built. */
static void note_old(struct vidmm_mmu *mmu, struct vidmm_process *process)
{
    vidmm_page_tables_root_set(&process->tables);
    if (process->tables.old_root)
        return;
    process->switched = false;
    mmu->switching--; /* A31 */
}

/* The next call for tables that leave: their root says so, and the GPU forgets them. */
static enum vidmm_progress clear_root(struct vidmm_engine *engine)
{
    struct vidmm_process *process = engine->mmu->clearing;
    struct vidmm_page_table *root = process->tables.root;

    engine->mmu->call = (struct vidmm_table_call){
        .process = process,
        .flush = engine->mmu->root_cleared,
        .clears = true,
        .update = {.table = root, .count = root->length, .repeat = true},
        .end = vidmm_page_tables_end(&process->tables),
    };
    return hand_out(engine);
}

/* One of these calls has been built. */
static void note_cleared(struct vidmm_mmu *mmu)
{
    if (mmu->root_cleared) {
        mmu->loose_note = mmu->clearing->written; /* A27 */
        mmu->clearing = NULL;
    } else {
        mmu->root_cleared = true;
    }
}

enum vidmm_progress vidmm_table_write_known(struct vidmm_engine *engine)
{
    struct vidmm_process *process;
    struct vidmm_page_table_update record;
    uint64_t start, end;

    if (engine->mmu->call.process)
        return hand_out(engine); /* A19 */
    for (process = engine->mmu->due; process; process = process->next) {
        if (process->unused)
            continue; /* A28: the GPU knows none of them */
        if (vidmm_page_tables_next_known(&process->tables, &process->space, &record)) {
            process->stale = true;
            return update(engine, process, &record);
        }
        if (process->stale && vidmm_root_in_use(process)->memory != 0 &&
            !vidmm_root_in_use(process)->fresh && /* obeys D-127 */
            vidmm_page_tables_to_forget(&process->tables, &start, &end)) {
            process->stale = false;
            if (!vidmm_page_tables_first(&process->tables)) /* D-128: no other has to follow */
                vidmm_page_tables_flush(&process->tables, &start, &end);
            return flush(engine, process, start, end);
        }
        process->stale = false;
    }
    return PROGRESS_IDLE;
}

/* All is written: what has left goes when that has been executed. */
static void end_process(struct vidmm_engine *engine, struct vidmm_process *process)
{
    struct vidmm_mmu *mmu = engine->mmu;
    struct vidmm_page_table *table;

    while ((table = vidmm_page_tables_left(&process->tables)) != NULL) {
        if (table->memory == 0) {
            vidmm_page_table_free(table);
            continue;
        }
        table->note = process->written; /* A20 */
        table->next = NULL;
        if (mmu->left_last)
            mmu->left_last->next = table;
        else
            mmu->left = table;
        mmu->left_last = table;
    }
    vidmm_process_take_due(engine, process);
    engine->arrivals_may_go = true;
}

bool vidmm_table_may_go_on(const struct vidmm_engine *engine)
{
    struct vidmm_process *process = engine->mmu->due;

    while (process && wants_memory(process))
        process = process->next;
    return process || engine->mmu->call.process || engine->mmu->clearing;
}

/* Destroyed before its root had memory; all else of it is written. */
static bool is_unborn(struct vidmm_process *process)
{
    const struct vidmm_page_table *table = vidmm_page_tables_first(&process->tables);

    return process->dying && table && table->memory == 0;
}

/* All that are due want memory: what was vacated is found by nobody, then the first gets some that
 * there is some for. */
static enum vidmm_progress serve_memory(struct vidmm_engine *engine)
{
    struct vidmm_process *process;
    enum vidmm_progress progress = vidmm_table_write_known(engine);

    for (process = engine->mmu->due; process && progress == PROGRESS_IDLE; process = process->next)
        progress = give_memory(engine, process, next_without_memory(process));
    return progress;
}

/* Its tables have memory, and no record is handed out. If it ends, none ever will be. */
static void pass_over(struct vidmm_engine *engine, struct vidmm_process *process)
{
    struct vidmm_page_table_update record;
    uint64_t start, end;

    VIDMM_ASSERT(process->unused && process->written == 0); /* A28 */
    if (process->dying) {
        while (vidmm_page_tables_next(&process->tables, &process->space, &record)) {
        }
        vidmm_page_tables_flush(&process->tables, &start, &end);
    }
    end_process(engine, process);
}

enum vidmm_progress vidmm_table_write_ready(struct vidmm_engine *engine)
{
    struct vidmm_process *process = engine->mmu->due;
    struct vidmm_page_table_update record;
    uint64_t start, end;

    if (engine->mmu->call.process)
        return hand_out(engine); /* A19 */
    if (engine->mmu->clearing)
        return clear_root(engine);
    while (process && wants_memory(process))
        process = process->next;
    if (!process)
        return PROGRESS_IDLE;
    if (process->unused) { /* obeys D-292 */
        pass_over(engine, process);
        return vidmm_table_has_left(engine) ? PROGRESS_WAIT : PROGRESS_MADE; /* it goes first */
    }
    if (!is_unborn(process) && vidmm_page_tables_next(&process->tables, &process->space, &record))
        return update(engine, process, &record);
    if (vidmm_page_tables_flush(&process->tables, &start, &end) &&
        vidmm_root_in_use(process)->memory)
        return flush(engine, process, start, end);
    if (process->tables.old_root && (process->switched || process->dying))
        return vidmm_page_tables_next_of_old(&process->tables, &record)
                   ? update(engine, process, &record)
                   : flush_old(engine, process);
    end_process(engine, process);
    return PROGRESS_MADE;
}

enum vidmm_progress vidmm_table_write(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = vidmm_table_write_ready(engine);

    return progress == PROGRESS_IDLE && engine->mmu->due ? serve_memory(engine) : progress;
}

enum vidmm_progress vidmm_table_prepare_paging(struct vidmm_engine *engine)
{
    const struct vidmm_process *paging = engine->mmu->paging;

    if (paging && paging->due)
        return vidmm_table_write(engine);
    if (!paging || !vidmm_process_is_told(engine, paging))
        return PROGRESS_WAIT;
    return vidmm_table_write_known(engine);
}

/* ---- answers ---- */

void vidmm_table_built(struct vidmm_engine *engine, const struct vidmm_event *event,
                       const struct vidmm_paging_buffer *open)
{
    struct vidmm_table_call *call = &engine->mmu->call;
    struct vidmm_placement *named = vidmm_placement_find(engine, call->names);
    NTSTATUS status = (NTSTATUS)event->built.status;

    VIDMM_ASSERT(call->handed && call->process); /* A19 */
    call->handed = false;
    call->told = 0;
    call->names = 0;
    if (named) /* it may have been destroyed meanwhile */
        vidmm_dying_reconsider(engine, named);
    if (status == STATUS_SUCCESS) {
        engine->statistics.paging_operations++;
        *(call->flush ? &engine->statistics.flushes : &engine->statistics.table_updates) += 1;
        engine->flush_first |= engine->config.one_operation;
        if (call->clears)
            note_cleared(engine->mmu);
        if (call->old)
            note_old(engine->mmu, call->process);
        call->again = false;
        if (call->apart && vidmm_table_apart_next(engine))
            return; /* the next part of it */
        *call = (struct vidmm_table_call){.process = NULL};
        return;
    }
    if (status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) { /* obeys S4-003 */
        vidmm_engine_fail(engine,
                          status == STATUS_GRAPHICS_ALLOCATION_BUSY ? VIDMM_REASON_BUSY_WHEN_IDLE
                                                                    : VIDMM_REASON_ILLEGAL_STATUS,
                          status);
        return;
    }
    if ((open->written == 0 && !open->moves) || ++engine->passes > PASSES) {
        vidmm_engine_fail(engine, VIDMM_REASON_NO_PROGRESS, status);
        return;
    }
    call->again = true;
    engine->flush_first = true; /* obeys S4-012, S4-013 */
}

bool vidmm_table_has_left(const struct vidmm_engine *engine)
{
    const struct vidmm_mmu *mmu = engine->mmu;
    const struct vidmm_process *dead = mmu->dead;

    while (dead && dead->written > mmu->completed)
        dead = dead->next;
    return dead || (mmu->left && mmu->left->note <= mmu->completed) || /* A20 */
           (mmu->loose && mmu->loose_note <= mmu->completed);          /* A27 */
}

bool vidmm_table_free_left(struct vidmm_engine *engine)
{
    struct vidmm_mmu *mmu = engine->mmu;
    struct vidmm_page_table *table = mmu->left;
    struct vidmm_process **dead = &mmu->dead;
    struct vidmm_placement *loose = mmu->loose;

    if (table && table->note <= mmu->completed) { /* A20 */
        mmu->left = table->next;
        mmu->left_last = mmu->left ? mmu->left_last : NULL;
        free_memory(engine, table->memory);
        vidmm_page_table_free(table);
        return true;
    }
    if (loose && mmu->loose_note <= mmu->completed) { /* A27 */
        mmu->loose = loose->next;
        loose->next = NULL;
        free_memory(engine, loose->id);
        return true;
    }
    while (*dead && (*dead)->written > mmu->completed)
        dead = &(*dead)->next;
    if (!*dead)
        return false;
    if ((*dead)->tables.root->memory)
        free_memory(engine, (*dead)->tables.root->memory);
    vidmm_process_bury(engine, dead);
    return true;
}
