/* by_address.c: the steps of a move by addresses of the paging process.
 *
 * Invariant
 * M8. `chunk` of the MMU is of the move that is in the loop of its list, from the first call of a
 *     turn to the last: all of them name these bytes, this driver protection and pages of this
 *     size, whatever programs map meanwhile.
 * M9. The valid entries of a part of the scratch range are its first ones. A FlushTlb is due if one
 *     of them has been written since the last.
 */
#include "vidmm/engine/carry/by_address.h"

#include <base/assert.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>

#include "vidmm/engine/carry/fence_signal.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/test_faults.h"

#define VIRTUAL_PIECE (UINT64_C(256) << 20) /* most bytes of a chunk */
#define WIDE ((uint64_t)VIDMM_PAGE_SIZE << VIDMM_WIDE_SHIFT)

/* The place of a step's end by address, so many bytes behind what was moved. *size receives how
 * much follows there in one piece. */
static struct vidmm_place end_at(const struct vidmm_move *move, enum step_end end, uint64_t begun,
                                 uint64_t *size)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    struct vidmm_place none = {0, 0, 0};

    *size = UINT64_MAX;
    if (end == END_SEGMENT)
        return vidmm_place_at(placement, &move->place, move->progress + begun, size);
    if (end == END_BACKING)
        none.offset = move->progress + begun;
    return none;
}

uint64_t vidmm_by_address_span(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);
    uint64_t begun = (uint64_t)move->mapped * VIDMM_PAGE_SIZE, together;
    uint64_t size = engine->mmu->chunk;

    VIDMM_ASSERT(begun == 0 || (begun < size && step->operation == VIDMM_UPDATE_PAGE_TABLE));
    if (step->operation != VIDMM_UPDATE_PAGE_TABLE)
        return size;
    end_at(move, (enum step_end)step->source, begun, &together);
    return size - begun < together ? size - begun : together;
}

/* Name a table of the paging process. If the adapter's start made them, the address says enough. */
static void name_table(const struct vidmm_engine *engine, struct vidmm_operation *build,
                       const struct vidmm_page_table *table)
{
    if (engine->config.mmu.scratch != 0)
        return;
    build->table.table = table->memory;
    build->table.at = vidmm_table_place(engine, table);
}

/* Whether the chunk can be mapped in memory by pages of 64 KiB: its segment has such pages, and
 * each run of it is of whole ones. */
static bool is_wide_in_memory(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    uint64_t done, together;

    if (!engine->config.mmu.wide_scratch || move->progress % WIDE != 0 ||
        engine->mmu->chunk % WIDE != 0)
        return false;
    for (done = 0; done < engine->mmu->chunk; done += together) {
        struct vidmm_place place = end_at(move, END_SEGMENT, done, &together);
        bool whole = place.offset % WIDE == 0 && together % WIDE == 0;

        if (!engine->config.segments[place.segment].wide_pages || !whole)
            return false;
    }
    return true;
}

/* Whether an end of the chunk is mapped by pages of 64 KiB; pages of system memory have 4 KiB. */
static bool is_wide(const struct vidmm_engine *engine, enum step_end end)
{
    return end == END_SEGMENT && engine->mmu->chunk_wide;
}

/* The part of the scratch range in which an end of the chunk is mapped. */
static enum vidmm_scratch part_of(const struct vidmm_engine *engine, enum vidmm_scratch scratch,
                                  enum step_end end)
{
    return is_wide(engine, end) ? scratch + SCRATCH_WIDE : scratch;
}

void vidmm_by_address_begin(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    uint64_t left = placement->wish.size - move->progress;
    uint64_t most = vidmm_process_scratch_size(engine), pages;

    most = most < VIRTUAL_PIECE ? most : VIRTUAL_PIECE; /* obeys D-111, W-020 */
    most = vidmm_test_faults_piece(engine, most);
    most = most < left ? most : left;
    pages = (most + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE;
    engine->mmu->chunk_protection = 0;
    if (placement->ring) /* obeys D-112 */
        engine->mmu->chunk_protection = vidmm_address_unique_protection(
            placement->ring, move->progress / VIDMM_PAGE_SIZE, &pages);
    engine->mmu->chunk = pages * VIDMM_PAGE_SIZE < most ? pages * VIDMM_PAGE_SIZE : most;
    engine->mmu->chunk_wide = is_wide_in_memory(engine, move);
}

/* The part of the scratch range that an update of it is about. */
static enum vidmm_scratch part_written(const struct vidmm_engine *engine,
                                       const struct vidmm_move_step *step)
{
    enum vidmm_scratch scratch = step->destination == END_SOURCE ? SCRATCH_SOURCE : SCRATCH_TARGET;

    return part_of(engine, scratch, (enum step_end)step->source);
}

/* Write an update of the scratch range: `size` bytes, in one piece from `from` on. After a step
 * without a source nothing of that part is mapped (M9). */
static void fill_in_mapping(struct vidmm_engine *engine, const struct vidmm_move *move,
                            const struct vidmm_move_step *step, struct vidmm_place from,
                            uint64_t size, struct vidmm_operation *build)
{
    enum vidmm_scratch scratch = part_written(engine, step);
    uint32_t shift = is_wide(engine, (enum step_end)step->source) ? VIDMM_WIDE_SHIFT : 0;
    uint64_t page = (uint64_t)VIDMM_PAGE_SIZE << shift;

    name_table(engine, build, vidmm_process_scratch_leaf(engine, scratch));
    build->table.flags |= shift != 0 ? VIDMM_PAGING_WIDE : 0;
    build->table.first = move->mapped >> shift;
    build->table.count = (uint32_t)(size / page);
    build->table.address =
        vidmm_process_scratch(engine, scratch) + (uint64_t)move->mapped * VIDMM_PAGE_SIZE;
    if (step->source == END_NONE) {
        build->allocation = 0;
        build->table.offset = 0;
        build->table.count = engine->mmu->scratch_pages[scratch];
        build->table.entry = VIDMM_ENTRY_IS_INVALID;
        build->table.flags |= VIDMM_PAGING_REPEAT;
        return;
    }
    build->table.entry = VIDMM_ENTRY_IS_PAGES;
    build->table.access = VIDMM_ADDRESSES_WRITE;
    build->table.driver_protection = engine->mmu->chunk_protection;
    build->table.place = from;
}

/* Write a transfer, or what has one end: a fill, a change, a notice. obeys D-108 */
static void fill_in_bytes(const struct vidmm_engine *engine, const struct vidmm_move_step *step,
                          struct vidmm_operation *build)
{
    enum step_end from = (enum step_end)step->source, to = (enum step_end)step->destination;
    bool transfers = step->operation == VIDMM_TRANSFER_VIRTUAL;
    uint64_t target = vidmm_process_scratch(engine, part_of(engine, SCRATCH_TARGET, to));

    build->table.flags |= is_wide(engine, from) ? VIDMM_PAGING_SOURCE_WIDE : 0;
    build->table.flags |= is_wide(engine, to) ? VIDMM_PAGING_TARGET_WIDE : 0;
    build->table.address =
        transfers ? vidmm_process_scratch(engine, part_of(engine, SCRATCH_SOURCE, from)) : target;
    build->table.end = transfers ? target : 0;
}

void vidmm_by_address_emit(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);
    struct vidmm_operation *build = vidmm_emit(engine, VIDMM_DO_BUILD);
    uint64_t begun = (uint64_t)move->mapped * VIDMM_PAGE_SIZE, size;
    struct vidmm_place from = end_at(move, (enum step_end)step->source, begun, &size);
    struct vidmm_place to = end_at(move, (enum step_end)step->destination, 0, &size);

    size = vidmm_by_address_span(engine, move);
    build->allocation = vidmm_move_owner(move)->id;
    build->table.paging_buffer = engine->open_buffer;
    build->table.operation = step->operation;
    build->table.flags = engine->call_again ? VIDMM_PAGING_AGAIN : 0;
    build->table.multipass_offset = engine->multipass_offset;
    build->table.process = engine->mmu->paging->id;
    build->table.offset = move->progress + begun;
    if (step->operation == VIDMM_UPDATE_PAGE_TABLE) {
        fill_in_mapping(engine, move, step, from, size, build);
    } else if (step->operation == VIDMM_FLUSH_TLB) {
        name_table(engine, build, engine->mmu->paging->tables.root);
        build->table.address = vidmm_process_scratch(engine, SCRATCH_SOURCE);
        build->table.end = vidmm_process_scratch_end(engine);
    } else {
        build->table.at = to;
        build->table.place = from;
        build->table.size = size;
        fill_in_bytes(engine, step, build);
        if (step->operation == VIDMM_SIGNAL_MONITORED_FENCE)
            vidmm_fence_signal_tell(engine, vidmm_move_owner(move), build);
    }
}

bool vidmm_by_address_is_needless(const struct vidmm_engine *engine,
                                  const struct vidmm_move_step *step)
{
    return step->operation == VIDMM_FLUSH_TLB && engine->config.mmu.invalid_not_cached &&
           !engine->mmu->scratch_due; /* obeys D-128 */
}

void vidmm_by_address_built(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);
    uint32_t *pages, end;

    if (step->operation == VIDMM_FLUSH_TLB)
        engine->mmu->scratch_due = false;
    if (step->operation == VIDMM_FILL_VIRTUAL)
        engine->mmu->scratch_due = true; /* obeys W-020 */
    if (step->operation != VIDMM_UPDATE_PAGE_TABLE)
        return;
    pages = &engine->mmu->scratch_pages[part_written(engine, step)];
    end = move->mapped + (uint32_t)(vidmm_by_address_span(engine, move) / VIDMM_PAGE_SIZE);
    engine->mmu->scratch_due |= move->mapped < *pages; /* M9 */
    if (step->source == END_NONE)
        *pages = 0;
    else if (end > *pages)
        *pages = end;
}

void vidmm_by_address_forget(struct vidmm_engine *engine)
{
    uint32_t part;

    for (part = 0; part < SCRATCHES_WIDE; part++) {
        engine->mmu->scratch_due |= engine->mmu->scratch_pages[part] != 0;
        engine->mmu->scratch_pages[part] = 0;
    }
}

bool vidmm_is_by_address(const struct vidmm_move_step *step)
{
    return step->operation == VIDMM_UPDATE_PAGE_TABLE || step->operation == VIDMM_FLUSH_TLB ||
           step->operation == VIDMM_TRANSFER_VIRTUAL || step->operation == VIDMM_FILL_VIRTUAL ||
           step->operation == VIDMM_UPDATE_CONTEXT_ALLOCATION ||
           step->operation == VIDMM_NOTIFY_ALLOCATION ||
           step->operation == VIDMM_SIGNAL_MONITORED_FENCE;
}
