/* split.c: which stretch of a DMA buffer is submitted next, and what it needs.
 *
 *      bytes   0          160        320        480      size
 *              |----------|----------|----------|----------|      split points
 *      binds   a b        c          b d        e                 patch locations, by SplitOffset
 *      slots   0 1        0          1 2        0
 *
 *      all of it fits?  no      [0, 320) needs a b c         It fits: the first part.
 *                               [320, size) needs c, b d, e  c stands in slot 0 and is not bound
 *                                                            anew at 320: it is kept where it is.
 *                                                            b may move.
 *
 * Each slot holds the allocation that was bound to it last (D-339). The part that begins at a split
 * point needs what stands in the slots there, and what its own patch locations bind. If a slot is
 * bound anew at that very point, its former allocation is let go (D-340).
 *
 * A reference that no patch location names is used by every part and needed in place by none
 * (W-025), unless its context owns it or the configuration says `whole_lists`: then by every part.
 *
 * How long a part is: as much as the bytes of each segment allow, which mostly is all of it. If
 * fragments forbid that, one split point less, then two, four, ... less. A part that ends at the
 * next split point and does not fit is the device's error (D-089).
 *
 * Invariants
 * S1. Parts begin and end at split points, in strictly increasing order, and tile the DMA buffer.
 * S2. `needs` is that of the part being prepared; it is looked at only if that is not all of the
 *     DMA buffer, and then `rebound` is known, or if some references are needed by no part.
 * S3. Nothing is allocated here: all there is room for was taken when the DMA buffer arrived.
 */
#include "vidmm/engine/decide/split.h"

#include <string.h>

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/wish.h"

/* ---- split points ---------------------------------------------------------------------------- */

/* Whether the DMA buffer may be cut before patch location `index`. */
static bool is_point(const struct vidmm_patch_location *patches, uint32_t index, uint32_t size)
{
    uint32_t offset = patches[index].split_offset;

    return index > 0 && offset > patches[index - 1].split_offset && offset < size;
}

NTSTATUS vidmm_split_check(const struct vidmm_event *event, uint32_t *points)
{
    const struct vidmm_patch_location *patches = event->submit.patches;
    uint32_t index, before = 0, count = event->submit.patch_count, size = event->submit.size;
    uint32_t references = event->submit.reference_count, cuts = 0;

    for (index = 0; index < count; index++) {
        uint32_t reference = patches[index].reference, offset = patches[index].split_offset;

        if (reference >= references && reference != VIDMM_UNBOUND)
            return STATUS_INVALID_PARAMETER; /* obeys D-086 */
        if (offset == before)
            continue;
        if (offset < before || offset > size)
            return STATUS_INVALID_PARAMETER; /* obeys D-086 */
        cuts += index > 0 && offset < size ? 1 : 0;
        before = offset;
    }
    *points = cuts + 1;
    return STATUS_SUCCESS;
}

/* The next split point behind a patch location; patch_count: there is none. */
static uint32_t next_point(const struct vidmm_work *work, uint32_t index)
{
    for (index++; index < work->patch_count; index++)
        if (is_point(work->patches, index, work->size))
            return index;
    return work->patch_count;
}

static uint32_t point_before(const struct vidmm_work *work, uint32_t index)
{
    for (index--; index > 0 && !is_point(work->patches, index, work->size); index--) {
    }
    return index;
}

uint32_t vidmm_split_start(const struct vidmm_part *part)
{
    return part->first == 0 ? 0 : part->work->patches[part->first].split_offset;
}

uint32_t vidmm_split_end(const struct vidmm_part *part)
{
    const struct vidmm_work *work = part->work;

    return part->end == work->patch_count ? work->size : work->patches[part->end].split_offset;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Sort `order` by slot, what is equal staying as it was: merging runs, to and from `other`. */
static uint32_t *sort_by_slot(const struct vidmm_patch_location *patches, uint32_t *order,
                              uint32_t *other, uint32_t count)
{
    uint64_t width, low;

    for (width = 1; width < count; width *= 2) {
        uint32_t *sorted = other;

        for (low = 0; low < count; low += 2 * width) {
            uint64_t middle = low + width < count ? low + width : count;
            uint64_t high = low + 2 * width < count ? low + 2 * width : count;
            uint64_t a = low, b = middle, to;

            for (to = low; to < high; to++) {
                bool from_a =
                    a < middle && (b == high || patches[order[a]].slot <= patches[order[b]].slot);

                sorted[to] = from_a ? order[a++] : order[b++];
            }
        }
        other = order;
        order = sorted;
    }
    return order;
}

/* For each patch location the next that takes its slot. */
static void find_rebound(struct vidmm_work *work)
{
    uint32_t index, count = work->patch_count;
    uint32_t *sorted, *next = work->rebound;

    for (index = 0; index < count; index++)
        work->order[index] = index;
    sorted = sort_by_slot(work->patches, work->order, work->rebound, count);
    if (sorted == work->rebound) { /* the answer goes where it is not read from */
        work->rebound = work->order;
        work->order = sorted;
        next = work->rebound;
    }
    for (index = 0; index < count; index++) {
        bool again = index + 1 < count &&
                     work->patches[sorted[index]].slot == work->patches[sorted[index + 1]].slot;

        next[sorted[index]] = again ? sorted[index + 1] : count;
    }
}

/* Whether patch location `index` still holds its slot where a part begins, and is not bound anew at
 * that very split point, which ends before `after`. */
static bool holds_slot(const struct vidmm_work *work, uint32_t index, uint32_t after)
{
    return work->patches[index].reference != VIDMM_UNBOUND && work->rebound[index] >= after;
}

/* ---- what a part needs ----------------------------------------------------------------------- */

/* Set bits for what patch locations [first, end) bind, and others for what stands in the slots
 * where they begin. */
static void mark(struct vidmm_work *work, uint32_t first, uint32_t end, uint8_t binds,
                 uint8_t keeps)
{
    uint32_t index, after = next_point(work, first);

    VIDMM_ASSERT(first <= end && end <= work->patch_count);
    for (index = 0; index < first; index++)
        if (holds_slot(work, index, after))
            work->needs[work->patches[index].reference] |= keeps;
    for (index = first; index < end; index++)
        if (work->patches[index].reference != VIDMM_UNBOUND)
            work->needs[work->patches[index].reference] |= binds;
}

bool vidmm_split_note_named(const struct vidmm_engine *engine, struct vidmm_work *work,
                            const struct vidmm_event *event)
{
    const struct vidmm_patch_location *patches = event->submit.patches;
    uint32_t index, count = event->submit.patch_count;
    uint8_t *needs = work->needs;

    if ((engine->config.whole_lists || engine->config.explicit_residency) && work->patch_count == 0)
        return false; /* all of it is needed at once */
    memset(needs, 0, work->count);
    for (index = 0; index < count; index++)
        if (patches[index].reference != VIDMM_UNBOUND)
            needs[patches[index].reference] = SPLIT_NAMED;
    return true;
}

void vidmm_split_note_unnamed(const struct vidmm_engine *engine, struct vidmm_work *work,
                              uint32_t index)
{
    bool owned = (work->references[index].write & VIDMM_REFERENCE_OWNED) != 0;

    VIDMM_ASSERT(work->needs[index] == 0 && index < work->count);
    if (owned || engine->config.whole_lists)
        work->needs[index] = SPLIT_ALWAYS;
    else
        work->selective = true;
}

/* Set bits for the references of which all of `which` is known, clearing what a part left. */
static void mark_known(struct vidmm_work *work, uint8_t which, uint8_t bits)
{
    uint32_t index;

    for (index = 0; index < work->count; index++) {
        work->needs[index] &= SPLIT_NAMED | SPLIT_ALWAYS;
        work->needs[index] |= (work->needs[index] & which) != 0 ? bits : 0;
    }
}

static void mark_part(struct vidmm_work *work)
{
    mark_known(work, SPLIT_ALWAYS, SPLIT_NEEDS);
    mark(work, work->first, work->end, SPLIT_NEEDS, SPLIT_NEEDS | SPLIT_KEEPS);
}

bool vidmm_split_leaks(const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; work->split && index < work->count; index++)
        if ((work->needs[index] & SPLIT_KEEPS) != 0)
            return true;
    return false;
}

/* By any of its references. */
static bool is_needed(const struct vidmm_work *work, const struct vidmm_placement *placement)
{
    uint32_t index = 0;

    while (index < work->count &&
           (work->references[index].placement != placement || !vidmm_work_needs(work, index)))
        index++;
    return index < work->count;
}

void vidmm_split_check_needs(const struct vidmm_work *work)
{
    uint32_t index;

    VIDMM_VERIFY(work->first < work->end || work->patch_count == 0); /* S1 */
    VIDMM_VERIFY(work->end <= work->patch_count);                    /* S1 */
    VIDMM_VERIFY(!work->split || work->patch_count > 0);             /* S2 */
    for (index = 0; index < work->count; index++) {
        const struct vidmm_placement *placement = work->references[index].placement;

        VIDMM_VERIFY(placement->held || !vidmm_work_needs(work, index)); /* W3 */
        VIDMM_VERIFY(!placement->held || is_needed(work, placement));    /* W3 */
    }
    for (index = work->first; index < work->end; index++) {
        VIDMM_VERIFY(work->patches[index].reference == VIDMM_UNBOUND ||
                     vidmm_work_needs(work, work->patches[index].reference)); /* S2 */
    }
}

void vidmm_split_mark_used(struct vidmm_work *work, const struct vidmm_part *part)
{
    uint32_t index;

    for (index = 0; index < work->count; index++) {
        work->needs[index] &= (uint8_t)~SPLIT_USED;
        work->needs[index] |= (work->needs[index] & SPLIT_NAMED) != 0 ? 0 : SPLIT_USED;
    }
    mark(work, part->first, part->end, SPLIT_USED, SPLIT_USED);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Add what a reference needs in the one segment where it may be, once. False: that is too much. */
static bool add_bytes(struct vidmm_engine *engine, const struct vidmm_work *work, uint32_t index,
                      uint64_t bytes[VIDMM_SEGMENTS])
{
    struct vidmm_placement *placement = work->references[index].placement;
    uint32_t set = vidmm_reference_set(engine, placement, work->references[index].write), segment;
    const struct vidmm_engine_segment *config;

    if (placement->marked || (set & (set - 1)) != 0)
        return true;
    placement->marked = true;
    segment = (uint32_t)__builtin_ctz(set);
    config = &engine->config.segments[segment];
    bytes[segment] += vidmm_wish_size_in(engine, &placement->wish, segment);
    return bytes[segment] <= (config->aperture ? config->commit_limit : config->size);
}

/* The first patch location, from `first` on, with which the bytes are too many; `end`: none. */
static uint32_t where_full(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint64_t bytes[VIDMM_SEGMENTS] = {0};
    uint32_t index, full;

    mark_known(work, SPLIT_ALWAYS, SPLIT_NEEDS);
    mark(work, work->first, work->first, 0, SPLIT_NEEDS);
    for (index = 0; index < work->count; index++)
        if ((work->needs[index] & SPLIT_NEEDS) != 0)
            add_bytes(engine, work, index, bytes);
    for (full = work->first; full < work->end; full++) {
        uint32_t reference = work->patches[full].reference;

        if (reference != VIDMM_UNBOUND && !add_bytes(engine, work, reference, bytes))
            break;
    }
    for (index = 0; index < work->count; index++)
        work->references[index].placement->marked = false;
    return full;
}

/* End the part before patch location `end`. */
static void cut(struct vidmm_work *work, uint32_t end)
{
    VIDMM_ASSERT(end > work->first && end <= work->patch_count);
    if (!work->split) {
        find_rebound(work);
        work->split = true;
    }
    work->end = end;
    mark_part(work); /* S2 */
}

/* Cut where the bytes begin to be too many for a segment. */
static void cut_by_bytes(struct vidmm_engine *engine, struct vidmm_work *work)
{
    uint32_t least = next_point(work, work->first), full = where_full(engine, work);

    if (full < work->end && !is_point(work->patches, full, work->size))
        full = full > least ? point_before(work, full) : least;
    if (full < work->end || work->split)
        cut(work, full > least ? full : least);
}

void vidmm_split_begin(struct vidmm_engine *engine, struct vidmm_work *work)
{
    struct vidmm_part *part = &work->parts[work->part_count];

    VIDMM_ASSERT(work->part_count == 0 || work->end < work->patch_count);
    work->first = work->part_count > 0 ? work->end : 0; /* S1 */
    work->end = work->patch_count;
    work->step_back = 0;
    work->split = work->first > 0;
    work->part_count++;
    part->work = work;
    part->first = work->first;
    if (work->patch_count > 0)
        cut_by_bytes(engine, work);
    if (engine->faults.split_point && next_point(work, work->first) < work->end)
        cut(work, next_point(work, work->first));
    if (work->selective && !work->split)
        mark_known(work, SPLIT_NAMED | SPLIT_ALWAYS, SPLIT_NEEDS);
}

bool vidmm_split_shorten(struct vidmm_work *work)
{
    uint32_t back, end = work->end, least;

    VIDMM_ASSERT(work->begun);
    if (work->patch_count == 0)
        return false;
    least = next_point(work, work->first);
    if (end == least)
        return false;
    work->step_back = work->step_back == 0 ? 1 : 2 * work->step_back;
    for (back = 0; back < work->step_back && end > least; back++)
        end = point_before(work, end);
    cut(work, end > least ? end : least);
    return true;
}
