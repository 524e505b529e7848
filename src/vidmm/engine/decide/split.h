/* split.h: which stretch of a DMA buffer is submitted next, and what it needs; split.c draws it.
 *
 * Nothing here allocates: all there is room for was taken when the DMA buffer arrived (S3).
 */
#ifndef VIDMM_ENGINE_DECIDE_SPLIT_H
#define VIDMM_ENGINE_DECIDE_SPLIT_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/work_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_part;
struct vidmm_work;

#define SPLIT_NEEDS 1u   /* the part being prepared needs the reference */
#define SPLIT_KEEPS 2u   /* ... and it is bound already, where the part begins */
#define SPLIT_USED 4u    /* scratch: the part that has just ended used it */
#define SPLIT_NAMED 8u   /* a patch location names it */
#define SPLIT_ALWAYS 16u /* no patch location names it, and every part needs it */

/* Whether the patch locations are in order of their split offsets and name what there is. *points
 * receives the number of stretches between split points: 1, it cannot be split.
 * STATUS_INVALID_PARAMETER: they are not. */
NTSTATUS vidmm_split_check(const struct vidmm_event *event, uint32_t *points);
/* Say in `needs` of each reference of a new work whether patch locations name it; the others are 0,
 * and each of those is to be told of. False: it makes no difference, and `needs` says nothing. */
bool vidmm_split_note_named(const struct vidmm_engine *engine, struct vidmm_work *work,
                            const struct vidmm_event *event);
/* No patch location names reference `index`, which is there. */
void vidmm_split_note_unnamed(const struct vidmm_engine *engine, struct vidmm_work *work,
                              uint32_t index);
/* The next part begins: the rest, as far as the bytes of the segments allow. */
void vidmm_split_begin(struct vidmm_engine *engine, struct vidmm_work *work);
/* End the part being prepared earlier. False: it ends at the next split point already. */
bool vidmm_split_shorten(struct vidmm_work *work);

/* First byte of a part, and the byte behind its last; its end is decided. */
uint32_t vidmm_split_start(const struct vidmm_part *part);
uint32_t vidmm_split_end(const struct vidmm_part *part);
/* Whether what is bound where the part begins would be needed there without being bound anew:
 * binding leak detection rejects that (D-343). */
bool vidmm_split_leaks(const struct vidmm_work *work);
/* Mark what a part that has ended used: SPLIT_USED. */
void vidmm_split_mark_used(struct vidmm_work *work, const struct vidmm_part *part);
/* Stop the program if an invariant of the part being prepared does not hold. */
void vidmm_split_check_needs(const struct vidmm_work *work);

/* Whether the part being prepared needs reference `index` in place (W-025). */
static inline bool vidmm_work_needs(const struct vidmm_work *work, uint32_t index)
{
    return (!work->split && !work->selective) || (work->needs[index] & SPLIT_NEEDS) != 0;
}

/* Whether no part needs it in place. */
static inline bool vidmm_split_never_needs(const struct vidmm_work *work, uint32_t index)
{
    return work->selective && (work->needs[index] & (SPLIT_NAMED | SPLIT_ALWAYS)) == 0;
}

/* Whether it uses it: a reference that no patch location names is used by every part, in place or
 * not. */
static inline bool vidmm_work_uses(const struct vidmm_work *work, uint32_t index)
{
    return !work->split || (work->needs[index] & SPLIT_NEEDS) != 0 ||
           (work->needs[index] & SPLIT_NAMED) == 0;
}

#endif
