/* schedule.c: the order in which activities run. */
#include "host/simulated.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/random.h"

enum {
    ALWAYS = 255,
    WEATHER_PICKS = 256,   /* picks until the weather changes */
    CHOICE_LIMIT = 8,      /* tries before a slow one runs all the same */
    DEVICES_IN_TURN = 256, /* steps of devices before an eager machine lets a caller step */
    FIRST_CAPACITY = 16,
};

/* Half of all are fast, a quarter is slow, a quarter very slow. */
static const uint8_t hastes[] = {ALWAYS, ALWAYS, 40, 4};
static const uint8_t at_once_chances[] = {0, 40, 128, ALWAYS};
static const uint8_t intrusion_chances[] = {0, 0, 32, 192};

static uint8_t draw(struct vidmm_schedule *schedule, const uint8_t chances[4])
{
    return chances[vidmm_random_below(&schedule->random, 4)];
}

static void change_weather(struct vidmm_schedule *schedule)
{
    schedule->weather++;
    schedule->at_once = draw(schedule, at_once_chances);
    schedule->interrupted = draw(schedule, intrusion_chances);
}

bool vidmm_schedule_init(struct vidmm_schedule *schedule, uint64_t seed)
{
    *schedule = (struct vidmm_schedule){.eager = seed == 0, .at_once = ALWAYS};
    schedule->random = vidmm_random_seed(seed);
    if (!schedule->eager)
        change_weather(schedule);
    return vidmm_schedule_reserve(schedule, 1);
}

void vidmm_schedule_finish(struct vidmm_schedule *schedule)
{
    free(schedule->ready.items);
    free(schedule->callers.items);
    free(schedule->blocked);
}

/* Move the ring to a larger array, from its beginning on. */
static void move_ready(struct vidmm_ready *ready, unsigned capacity, struct vidmm_activity **items)
{
    for (unsigned i = 0; i < ready->count; i++)
        items[i] = ready->items[(ready->head + i) & (capacity - 1)];
    free(ready->items);
    ready->items = items;
    ready->head = 0;
}

bool vidmm_schedule_reserve(struct vidmm_schedule *schedule, unsigned members)
{
    unsigned capacity = schedule->capacity != 0 ? schedule->capacity : FIRST_CAPACITY;

    while (capacity < schedule->members + members)
        capacity *= 2;
    if (capacity > schedule->capacity) {
        struct vidmm_activity **arrays[3];
        for (unsigned i = 0; i < 3; i++)
            arrays[i] = calloc(capacity, sizeof(*arrays[i]));
        if (arrays[0] == NULL || arrays[1] == NULL || arrays[2] == NULL) {
            for (unsigned i = 0; i < 3; i++)
                free(arrays[i]);
            return false;
        }
        move_ready(&schedule->ready, schedule->capacity, arrays[0]);
        move_ready(&schedule->callers, schedule->capacity, arrays[1]);
        if (schedule->blocked_count > 0)
            memcpy(arrays[2], schedule->blocked, schedule->blocked_count * sizeof(*arrays[2]));
        free(schedule->blocked);
        schedule->blocked = arrays[2];
        schedule->capacity = capacity;
    }
    schedule->members += members;
    return true;
}

/* The queue that the activity stands in when it is ready. */
static struct vidmm_ready *queue_of(struct vidmm_schedule *schedule,
                                    const struct vidmm_activity *activity)
{
    bool device = activity->kind < ACTIVITY_CALLER;

    return device || !schedule->eager ? &schedule->ready : &schedule->callers;
}

void vidmm_schedule_add(struct vidmm_schedule *schedule, struct vidmm_activity *activity)
{
    struct vidmm_ready *queue = queue_of(schedule, activity);

    if (activity->ready)
        return;
    VIDMM_ASSERT(!activity->blocked && queue->count < schedule->capacity);
    queue->items[(queue->head + queue->count++) & (schedule->capacity - 1)] = activity;
    activity->ready = true;
}

void vidmm_schedule_block(struct vidmm_schedule *schedule, struct vidmm_activity *activity)
{
    VIDMM_ASSERT(!activity->ready && !activity->blocked);
    schedule->blocked[schedule->blocked_count++] = activity;
    activity->blocked = true;
}

void vidmm_schedule_unblock(struct vidmm_schedule *schedule)
{
    for (unsigned i = 0; i < schedule->blocked_count; i++) {
        schedule->blocked[i]->blocked = false;
        vidmm_schedule_add(schedule, schedule->blocked[i]);
    }
    schedule->blocked_count = 0;
}

/* Take out the item at a place of the queue; the others keep their order. */
static void take_out(struct vidmm_schedule *schedule, struct vidmm_ready *queue, unsigned place)
{
    unsigned mask = schedule->capacity - 1;

    queue->items[(queue->head + place) & mask]->ready = false;
    for (; place + 1 < queue->count; place++)
        queue->items[(queue->head + place) & mask] = queue->items[(queue->head + place + 1) & mask];
    queue->count--;
}

void vidmm_schedule_remove(struct vidmm_schedule *schedule, struct vidmm_activity *activity)
{
    if (activity->ready) {
        struct vidmm_ready *queue = queue_of(schedule, activity);
        unsigned place = 0;
        while (queue->items[(queue->head + place) & (schedule->capacity - 1)] != activity)
            place++;
        take_out(schedule, queue, place);
    }
    if (activity->blocked) {
        unsigned place = 0;
        while (schedule->blocked[place] != activity)
            place++;
        schedule->blocked[place] = schedule->blocked[--schedule->blocked_count];
        activity->blocked = false;
    }
}

bool vidmm_schedule_chance(struct vidmm_schedule *schedule, uint8_t chance)
{
    if (chance == 0 || chance == ALWAYS)
        return chance == ALWAYS;
    return !schedule->eager && (vidmm_random_next(&schedule->random) & 255) < chance;
}

static uint8_t haste(struct vidmm_schedule *schedule, struct vidmm_activity *activity)
{
    if (activity->weather != schedule->weather) {
        activity->weather = schedule->weather;
        activity->haste = draw(schedule, hastes);
    }
    return activity->haste;
}

/* First in first out, devices first, but not for ever. */
static struct vidmm_activity *next_in_turn(struct vidmm_schedule *schedule)
{
    struct vidmm_ready *queue = &schedule->ready;

    if (queue->count == 0 ||
        (schedule->callers.count > 0 && schedule->devices_in_turn >= DEVICES_IN_TURN))
        queue = &schedule->callers;
    if (queue->count == 0)
        return NULL;
    schedule->devices_in_turn = queue == &schedule->ready ? schedule->devices_in_turn + 1 : 0;
    struct vidmm_activity *activity = queue->items[queue->head];
    queue->head = (queue->head + 1) & (schedule->capacity - 1);
    queue->count--;
    activity->ready = false;
    return activity;
}

/* Take out an item where order does not matter; the queue's head is 0. */
static struct vidmm_activity *take_any(struct vidmm_ready *queue, unsigned place)
{
    struct vidmm_activity *activity = queue->items[place];

    queue->items[place] = queue->items[--queue->count];
    activity->ready = false;
    return activity;
}

struct vidmm_activity *vidmm_schedule_next(struct vidmm_schedule *schedule)
{
    struct vidmm_ready *queue = &schedule->ready;
    unsigned place = 0;

    if (schedule->eager)
        return next_in_turn(schedule);
    if (queue->count == 0)
        return NULL;
    if (++schedule->picks % WEATHER_PICKS == 0)
        change_weather(schedule);
    if (queue->count > 1)
        for (unsigned i = 0; i < CHOICE_LIMIT; i++) {
            place = vidmm_random_below(&schedule->random, queue->count);
            if (vidmm_schedule_chance(schedule, haste(schedule, queue->items[place])))
                break;
        }
    return take_any(queue, place);
}

struct vidmm_activity *vidmm_schedule_intruder(struct vidmm_schedule *schedule)
{
    struct vidmm_ready *queue = &schedule->ready;

    if (schedule->eager || queue->count == 0 ||
        !vidmm_schedule_chance(schedule, schedule->interrupted))
        return NULL;
    unsigned place = vidmm_random_below(&schedule->random, queue->count);
    return queue->items[place]->kind <= ACTIVITY_DPC ? take_any(queue, place) : NULL;
}
