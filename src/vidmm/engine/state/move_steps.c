/* move_steps.c: the lists of steps that moves are.
 *
 * When a step takes effect decides what comes before it. Transfer, Fill and Discard take effect
 * when executed: the paging buffer is submitted after the things that must be over by then. Map and
 * Unmap may take effect inside the call: the call is made after the things that must be over. A
 * step that may take effect inside the call, behind one that is executed, is behind its fence.
 *
 * Invariants
 * T10. A list has a step without a kind behind its last one. A move unmaps whatever it maps for its
 *      way, as its last step, behind the fence.
 * T11. A called move is finished by its own list: another one may take its place before that.
 */
#include "vidmm/engine/state/move_steps.h"

#include <stddef.h>

#include <base/assert.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_move;

#define IN(id) [id].inward = true,
#define STAYS(id) [id].inward = true, [id].stays = true,
#define OUT(id)
#define LIST(id, direction, name_) direction(id)[id].name = (name_),
#define STEP(id, number, operation_, source_, destination_, size_, flags_)                         \
    [id].steps[number] = {.kind = STEP_BUILD,                                                      \
                          .operation = VIDMM_##operation_,                                         \
                          .source = END_##source_,                                                 \
                          .destination = END_##destination_,                                       \
                          .size = SIZE_##size_,                                                    \
                          .flags = (flags_)},
#define CLEAR(id, number, flags_) [id].steps[number] = {.kind = STEP_CLEAR, .flags = (flags_)},

const struct vidmm_move_list vidmm_move_lists[LISTS] = {
#include "vidmm/engine/state/move_lists.def"
};

const struct vidmm_move_list *vidmm_move_list(const struct vidmm_move *move)
{
    VIDMM_ASSERT(move->list < LISTS);
    return &vidmm_move_lists[move->list];
}

const struct vidmm_move_step *vidmm_move_step(const struct vidmm_move *move)
{
    VIDMM_ASSERT(move->step < VIDMM_LIST_STEPS);
    return &vidmm_move_list(move)->steps[move->step];
}

const struct vidmm_move_step *vidmm_move_next_step(const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);

    VIDMM_ASSERT(step->kind != STEP_NONE);
    return step[1].kind != STEP_NONE ? step + 1 : NULL; /* T10 */
}

bool vidmm_move_has_begun(const struct vidmm_move *move)
{
    uint32_t step = move->step;

    while (step > 0 && vidmm_move_list(move)->steps[step - 1].kind != STEP_BUILD)
        step--;
    return step > 0 || move->progress > 0 || move->mapped > 0;
}

void vidmm_move_assign(struct vidmm_move *move, enum move_list list)
{
    VIDMM_ASSERT(list != LIST_NONE && list < LISTS);
    VIDMM_ASSERT(vidmm_move_lists[list].inward == move->inward);        /* T5 */
    VIDMM_ASSERT(move->state != MOVE_BUILT && move->state != MOVE_DUE); /* T11 */
    move->list = (uint8_t)list;
    move->step = 0;
    move->progress = 0;
    move->mapped = 0;
}

uint32_t vidmm_move_loop(const struct vidmm_move *move)
{
    const struct vidmm_move_step *steps = vidmm_move_list(move)->steps;
    uint32_t step = 0;

    while (step < VIDMM_LIST_STEPS && (steps[step].flags & STEP_IN_LOOP) == 0)
        step++;
    return step < VIDMM_LIST_STEPS ? step : 0;
}

const char *vidmm_list_string(enum move_list list)
{
    return (uint32_t)list < LISTS ? vidmm_move_lists[list].name : "unknown";
}
