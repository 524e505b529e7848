/* isolation.c: backing stores are mapped for the GPU, and unmapped.
 *
 * Invariants
 * IM1. Without an IOMMU nothing is mapped.
 * IM2. A backing store is mapped if and only if a move that was called uses it, or an aperture
 *      segment shows it.
 */
#include "vidmm/engine/carry/isolation.h"

#include <base/assert.h>
#include <vidmm/page.h>

#include "vidmm/engine/address/address_space.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"

/* Whether the GPU reads or writes the backing store by a step of it, or finds it in an aperture
 * behind one. A step that tells of a reset brings nothing about. Pages of fences are reached
 * anyway, from their making on. */
static bool uses_backing(const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_list(move)->steps;

    if (move->list == LIST_SIGNAL_FENCE)
        return false;
    for (; step->kind != STEP_NONE; step++)
        if (step->kind == STEP_BUILD && (step->flags & STEP_TELLS) == 0 &&
            (step->source == END_BACKING || step->destination == END_BACKING ||
             step->operation == VIDMM_MAP_APERTURE_SEGMENT))
            return true;
    return false;
}

/* Whether a call of it was made, or is under way, and it has not ended. */
static bool is_under_way(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    bool called = engine->call_move == move && (engine->call == CALL_BUILD || engine->call_again);

    return move->state != MOVE_IDLE &&
           (move->state != MOVE_QUEUED || called || vidmm_move_has_begun(move));
}

/* Whether a page-in is queued, and nothing of it was called. */
static bool is_to_come(const struct vidmm_engine *engine, const struct vidmm_move *in)
{
    return in->state == MOVE_QUEUED && !vidmm_move_list(in)->stays && !is_under_way(engine, in);
}

/* Whether it is in an aperture: it has come there, and if it is to leave it was not unmapped yet. A
 * page-out is behind a page-in that leads to where it comes from, or before one that leads
 * elsewhere. */
static bool is_shown(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;
    bool behind = !vidmm_place_is_segment(&placement->at);

    if (out->state != MOVE_IDLE && vidmm_place_is_aperture(&out->place))
        return !(behind && is_to_come(engine, in));
    return vidmm_place_is_aperture(&placement->at) && !is_to_come(engine, in);
}

static bool is_needed(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return is_shown(engine, placement) ||
           (is_under_way(engine, &placement->moves->in) && uses_backing(&placement->moves->in)) ||
           (is_under_way(engine, &placement->moves->out) && uses_backing(&placement->moves->out));
}

void vidmm_isolation_lead(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    struct vidmm_placement *placement = vidmm_move_owner(move);

    if (!engine->config.isolated || placement->reached || !uses_backing(move))
        return;
    placement->reached = true;
    vidmm_emit(engine, VIDMM_DO_MAP_DOMAIN)->allocation = placement->id;
}

void vidmm_isolation_follow(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!placement->reached || is_needed(engine, placement))
        return;
    placement->reached = false;
    vidmm_emit(engine, VIDMM_DO_UNMAP_DOMAIN)->allocation = placement->id;
}

bool vidmm_isolation_has_more(const struct vidmm_move *move)
{
    uint64_t key = move->progress;
    uint32_t process;

    return vidmm_process_next_range(vidmm_move_owner(move), &key, &process) != NULL;
}

void vidmm_isolation_tell(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    struct vidmm_operation *build = vidmm_emit(engine, VIDMM_DO_BUILD);
    const struct vidmm_address_range *range;
    uint64_t key = move->progress;

    build->allocation = placement->id;
    build->table.paging_buffer = engine->open_buffer;
    build->table.operation = VIDMM_NOTIFY_ALLOCATION;
    build->table.flags = VIDMM_PAGING_UNMAPS | (engine->call_again ? VIDMM_PAGING_AGAIN : 0u);
    build->table.multipass_offset = engine->multipass_offset;
    range = vidmm_process_next_range(placement, &key, &build->table.process);
    VIDMM_ASSERT(range);
    build->table.offset = (uint64_t)range->offset * VIDMM_PAGE_SIZE;
    build->table.address = vidmm_address_range_start(range);
    build->table.size = vidmm_address_range_end(range) - build->table.address;
}

bool vidmm_isolation_told(struct vidmm_move *move)
{
    uint32_t process;

    vidmm_process_next_range(vidmm_move_owner(move), &move->progress, &process);
    return vidmm_isolation_has_more(move);
}

void vidmm_isolation_check(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(!placement->reached || engine->config.isolated); /* IM1 */
    if (engine->config.isolated)
        VIDMM_VERIFY(placement->reached == is_needed(engine, placement)); /* IM2 */
}
