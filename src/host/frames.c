/* frames.c: free page frames as bits under summary bits.
 *
 * Invariants (F):
 *   F1  bit f of level 0 is set if and only if frame f is free.
 *   F2  bit w of level k+1 is set if and only if word w of level k is not 0.
 *   F3  free is the number of bits set in level 0, window_free of those below window.
 */
#include "host/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/random.h"

enum {
    WINDOW_SLACK = 2048, /* free frames beyond a request and a quarter of the window */
    WINDOW_STEP = 4096,
    CHOICES = 4,
};

static uint64_t words_for(uint64_t bits)
{
    return (bits + 63) / 64;
}

static bool bit_is_set(const uint64_t *words, uint64_t bit)
{
    return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

/* Set the first `bits` bits. */
static void set_first(uint64_t *words, uint64_t bits)
{
    memset(words, 0xFF, bits / 64 * sizeof(*words));
    if (bits % 64 != 0)
        words[bits / 64] = (UINT64_C(1) << bits % 64) - 1;
}

bool vidmm_frames_init(struct vidmm_frames *frames, uint64_t count, bool ordered, uint64_t seed)
{
    VIDMM_ASSERT(count >= 1 && count <= VIDMM_FRAMES_MOST);
    *frames = (struct vidmm_frames){.count = count, .free = count, .ordered = ordered};
    frames->random = vidmm_random_seed(seed);
    frames->used = calloc(words_for(count), sizeof(*frames->used));
    bool complete = frames->used != NULL;
    uint64_t bits = count;
    do {
        uint64_t *words = calloc(words_for(bits), sizeof(*words));
        frames->level[frames->levels] = words;
        frames->bits[frames->levels++] = bits;
        if (words != NULL)
            set_first(words, bits);
        else
            complete = false;
        bits = words_for(bits);
    } while (bits > 1);
    if (!complete)
        vidmm_frames_finish(frames);
    return complete;
}

void vidmm_frames_finish(struct vidmm_frames *frames)
{
    for (unsigned level = 0; level < frames->levels; level++)
        free(frames->level[level]);
    free(frames->used);
    *frames = (struct vidmm_frames){0};
}

/* The first free frame at or after `from`; count if there is none. */
static uint64_t next_free(const struct vidmm_frames *frames, uint64_t from)
{
    uint64_t position = from;

    for (unsigned level = 0; level < frames->levels && position < frames->bits[level]; level++) {
        uint64_t rest = frames->level[level][position / 64] >> (position % 64);
        if (rest != 0) {
            position += (uint64_t)__builtin_ctzll(rest);
            while (level-- > 0)
                position =
                    position * 64 + (uint64_t)__builtin_ctzll(frames->level[level][position]);
            return position;
        }
        position = position / 64 + 1;
    }
    return frames->count;
}

static void mark_taken(struct vidmm_frames *frames, uint64_t frame)
{
    uint64_t position = frame;

    frames->free--;
    if (frame < frames->window)
        frames->window_free--;
    for (unsigned level = 0; level < frames->levels; level++) {
        uint64_t *word = &frames->level[level][position / 64];
        *word &= ~(UINT64_C(1) << position % 64);
        if (*word != 0)
            return;
        position /= 64;
    }
}

static void mark_free(struct vidmm_frames *frames, uint64_t frame)
{
    uint64_t position = frame;

    frames->free++;
    if (frame < frames->window)
        frames->window_free++;
    for (unsigned level = 0; level < frames->levels; level++) {
        uint64_t *word = &frames->level[level][position / 64];
        bool was_empty = *word == 0;
        *word |= UINT64_C(1) << position % 64;
        if (!was_empty)
            return;
        position /= 64;
    }
}

/* Widen the window until it holds the request and leaves some choice. */
static void widen_window(struct vidmm_frames *frames, uint64_t need)
{
    while (frames->window < frames->count &&
           frames->window_free < need + WINDOW_SLACK + frames->window / 4) {
        uint64_t end = frames->window + WINDOW_STEP;
        if (end > frames->count)
            end = frames->count;
        for (uint64_t frame = frames->window; frame < end; frame++)
            frames->window_free += bit_is_set(frames->level[0], frame);
        frames->window = end;
    }
}

/* The free frames from `frame` on, as far as `limit` of them. */
static uint64_t free_run(const struct vidmm_frames *frames, uint64_t frame, uint64_t limit)
{
    uint64_t length = 0;

    while (length < limit && frame + length < frames->count &&
           bit_is_set(frames->level[0], frame + length))
        length++;
    return length;
}

/* A free frame below `bound`, at random; of a few, the one with the longest run, of *length or
 * less, or memory would crumble to single frames. Answers bound if there is none. */
static uint64_t random_run(struct vidmm_frames *frames, uint64_t bound, uint64_t *length)
{
    uint64_t best = bound, best_length = 0;

    for (unsigned i = 0; i < CHOICES && best_length < *length; i++) {
        uint64_t from = vidmm_random_below(&frames->random, (uint32_t)bound);
        uint64_t frame = next_free(frames, from - from % VIDMM_FRAMES_RUN_LIMIT);
        if (frame >= bound)
            frame = next_free(frames, 0);
        if (frame >= bound)
            break;
        uint64_t run = free_run(frames, frame, *length);
        if (run > best_length) {
            best = frame;
            best_length = run;
        }
    }
    *length = best_length < bound - best ? best_length : bound - best;
    return best;
}

/* Take runs from random places below `bound`. */
static bool take_runs(struct vidmm_frames *frames, uint64_t count, uint64_t bound, uint64_t *list)
{
    uint64_t taken = 0;

    while (taken < count) {
        uint64_t length = 1 + vidmm_random_below(&frames->random, VIDMM_FRAMES_RUN_LIMIT);
        length = length < count - taken ? length : count - taken;
        uint64_t frame = random_run(frames, bound, &length);
        if (frame == bound)
            break;
        for (; length > 0; length--) {
            mark_taken(frames, frame);
            list[taken++] = frame++;
        }
    }
    if (taken == count)
        return true;
    while (taken > 0)
        mark_free(frames, list[--taken]);
    return false;
}

/* Take the lowest free frames, if there are so many below `bound`. */
static bool take_lowest(struct vidmm_frames *frames, uint64_t count, uint64_t bound, uint64_t *list)
{
    uint64_t frame = 0;

    for (uint64_t taken = 0; taken < count; taken++) {
        frame = next_free(frames, frame);
        if (frame >= bound) {
            while (taken > 0)
                mark_free(frames, list[--taken]);
            return false;
        }
        mark_taken(frames, frame);
        list[taken] = frame;
    }
    return true;
}

/* Find the highest consecutive free frames below `limit`. */
static bool find_consecutive(const struct vidmm_frames *frames, uint64_t count, uint64_t limit,
                             uint64_t *first)
{
    uint64_t run = 0;

    for (uint64_t frame = limit; run < count;) {
        if (frame == 0)
            return false;
        if (frame % 64 == 0 && frames->level[0][frame / 64 - 1] == 0) {
            frame -= 64;
            run = 0;
            continue;
        }
        frame--;
        run = bit_is_set(frames->level[0], frame) ? run + 1 : 0;
        if (run == count)
            *first = frame;
    }
    return true;
}

bool vidmm_frames_take_run(struct vidmm_frames *frames, uint64_t count, uint64_t limit,
                           uint64_t *first)
{
    VIDMM_ASSERT(count > 0);
    if (limit > frames->count)
        limit = frames->count;
    if (count > frames->free || !find_consecutive(frames, count, limit, first))
        return false;
    for (uint64_t i = 0; i < count; i++)
        mark_taken(frames, *first + i);
    return true;
}

static bool take_consecutive(struct vidmm_frames *frames, uint64_t count, uint64_t limit,
                             uint64_t *list)
{
    uint64_t first;

    if (!vidmm_frames_take_run(frames, count, limit, &first))
        return false;
    for (uint64_t i = 0; i < count; i++)
        list[i] = first + i;
    return true;
}

bool vidmm_frames_take(struct vidmm_frames *frames, uint64_t count, uint64_t limit, bool contiguous,
                       uint64_t *list)
{
    VIDMM_ASSERT(count > 0);
    if (limit > frames->count)
        limit = frames->count;
    if (count > frames->free || limit == 0)
        return false;
    if (contiguous)
        return take_consecutive(frames, count, limit, list);
    if (frames->ordered)
        return take_lowest(frames, count, limit, list);
    widen_window(frames, count);
    return take_runs(frames, count, limit < frames->window ? limit : frames->window, list);
}

/* Whether all frames of a unit are free. */
static bool unit_is_free(const struct vidmm_frames *frames, uint64_t first, uint64_t unit)
{
    uint64_t frame = first;

    while (frame < first + unit && bit_is_set(frames->level[0], frame))
        frame++;
    return frame == first + unit;
}

/* The highest free unit below `limit`, a multiple of `unit`; `limit` itself: there is none. */
static uint64_t find_unit(const struct vidmm_frames *frames, uint64_t unit, uint64_t limit)
{
    uint64_t first = limit;

    while (first >= unit) {
        first -= unit;
        if (unit_is_free(frames, first, unit))
            return first;
        if (unit < 64 && frames->level[0][first / 64] == 0)
            first = first / 64 * 64;
    }
    return limit;
}

bool vidmm_frames_take_units(struct vidmm_frames *frames, uint64_t count, uint64_t unit,
                             uint64_t limit, uint64_t *list)
{
    uint64_t taken = 0, below, first;

    VIDMM_ASSERT(count > 0 && unit > 0 && (unit & (unit - 1)) == 0 && count % unit == 0);
    below = (limit < frames->count ? limit : frames->count) / unit * unit;
    while (taken < count && count - taken <= frames->free) {
        first = find_unit(frames, unit, below); /* from the top down, as who takes a run does */
        if (first == below)
            break;
        for (uint64_t i = 0; i < unit; i++, taken++) {
            mark_taken(frames, first + i);
            list[taken] = first + i;
        }
        below = first;
    }
    if (taken == count)
        return true;
    while (taken > 0)
        mark_free(frames, list[--taken]);
    return false;
}

bool vidmm_frames_taken(const struct vidmm_frames *frames, uint64_t frame)
{
    return frame < frames->count && !bit_is_set(frames->level[0], frame);
}

bool vidmm_frames_release(struct vidmm_frames *frames, uint64_t frame)
{
    if (!vidmm_frames_taken(frames, frame))
        return false;
    mark_free(frames, frame);
    return true;
}

bool vidmm_frames_mark_used(struct vidmm_frames *frames, uint64_t frame)
{
    bool before = bit_is_set(frames->used, frame);

    frames->used[frame / 64] |= UINT64_C(1) << frame % 64;
    return before;
}
