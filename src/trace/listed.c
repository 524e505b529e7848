/* Q1  allocations[i] is on the list times[i] times, once or more
 * Q2  a list names an allocation once, and none that was destroyed */
#include "trace/listed.h"

#include <vidmm/memory.h>
#include <vidmm/plan.h>

#include "base/assert.h"
#include "base/grow.h"

struct list {
    uint32_t *allocations, *times; /* Q1 */
    uint32_t count, room, times_room;
};

struct vidmm_lists {
    struct vidmm_memory memory;
    struct list *lists; /* by device */
    uint32_t *devices;  /* by paging queue */
    uint32_t device_room, queue_room;
};

static bool grow(const struct vidmm_lists *lists, void **array, uint32_t *room, uint32_t index,
                 size_t size)
{
    void *grown = vidmm_grow(&lists->memory, *array, room, index, size);

    if (grown != NULL)
        *array = grown;
    return grown != NULL;
}

/* NO_INDEX: it is not on the list. */
#define NO_INDEX UINT32_MAX

static uint32_t find(const struct list *list, uint32_t allocation)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->allocations[i] == allocation)
            return i;
    return NO_INDEX;
}

static void drop(struct list *list, uint32_t index)
{
    VIDMM_ASSERT(index < list->count);
    list->count--;
    list->allocations[index] = list->allocations[list->count];
    list->times[index] = list->times[list->count];
}

static bool add(struct vidmm_lists *lists, struct list *list, uint32_t allocation)
{
    uint32_t index = find(list, allocation);

    if (index != NO_INDEX) {
        list->times[index]++; /* Q1 */
        return true;
    }
    if (!grow(lists, (void **)&list->allocations, &list->room, list->count, sizeof(uint32_t)) ||
        !grow(lists, (void **)&list->times, &list->times_room, list->count, sizeof(uint32_t)))
        return false;
    list->allocations[list->count] = allocation;
    list->times[list->count++] = 1;
    return true;
}

static bool make_resident(struct vidmm_lists *lists, const struct vidmm_event *event)
{
    uint32_t queue = event->residency.queue;
    uint32_t device = queue < lists->queue_room ? lists->devices[queue] : 0;
    bool room =
        grow(lists, (void **)&lists->lists, &lists->device_room, device, sizeof(*lists->lists));

    for (uint32_t i = 0; room && i < event->residency.count; i++)
        room = add(lists, &lists->lists[device], event->residency.allocations[i]);
    return room;
}

static void evict(struct vidmm_lists *lists, const struct vidmm_event *event)
{
    struct list *list = event->device < lists->device_room ? &lists->lists[event->device] : NULL;

    if ((event->residency.flags & VIDMM_EVICT_KEEPS) != 0)
        return;
    for (uint32_t i = 0; list != NULL && i < event->residency.count; i++) {
        uint32_t index = find(list, event->residency.allocations[i]);

        if (index != NO_INDEX && --list->times[index] == 0)
            drop(list, index);
    }
}

/* One that is held counts once more. */
static void hold(struct vidmm_lists *lists, const struct vidmm_event *event)
{
    struct list *list = event->device < lists->device_room ? &lists->lists[event->device] : NULL;
    uint32_t index = list != NULL ? find(list, event->hold.allocation) : NO_INDEX;

    if (index == NO_INDEX)
        return;
    if (event->hold.held != 0)
        list->times[index]++;
    else if (--list->times[index] == 0)
        drop(list, index);
}

/* Q2 */
static void forget(struct vidmm_lists *lists, uint32_t allocation)
{
    for (uint32_t i = 0; i < lists->device_room; i++) {
        uint32_t index = find(&lists->lists[i], allocation);

        if (index != NO_INDEX)
            drop(&lists->lists[i], index);
    }
}

static bool note_queue(struct vidmm_lists *lists, const struct vidmm_event *event)
{
    uint32_t queue = event->paging_queue.queue;

    if (!grow(lists, (void **)&lists->devices, &lists->queue_room, queue, sizeof(uint32_t)))
        return false;
    lists->devices[queue] = event->device;
    return true;
}

bool vidmm_lists_event(struct vidmm_lists *lists, const struct vidmm_event *event)
{
    switch (event->kind) {
    case VIDMM_EVENT_CREATE_PAGING_QUEUE:
        return note_queue(lists, event);
    case VIDMM_EVENT_MAKE_RESIDENT:
        return make_resident(lists, event);
    case VIDMM_EVENT_EVICT:
        evict(lists, event);
        return true;
    case VIDMM_EVENT_HOLD:
        hold(lists, event);
        return true;
    case VIDMM_EVENT_DESTROY_ALLOCATION:
    case VIDMM_EVENT_DESTROY_AT_ONCE:
        forget(lists, event->destroy.allocation);
        return true;
    case VIDMM_EVENT_DESTROY_DEVICE:
        if (event->device < lists->device_room)
            lists->lists[event->device].count = 0;
        return true;
    default:
        return true;
    }
}

const uint32_t *vidmm_lists_of(const struct vidmm_lists *lists, uint32_t device, uint32_t *count)
{
    const struct list *list = device < lists->device_room ? &lists->lists[device] : NULL;

    *count = list != NULL ? list->count : 0;
    return *count != 0 ? list->allocations : NULL;
}

bool vidmm_lists_have(const struct vidmm_lists *lists, uint32_t device, uint32_t allocation)
{
    return device < lists->device_room && find(&lists->lists[device], allocation) != NO_INDEX;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

struct vidmm_lists *vidmm_lists_create(const struct vidmm_memory *memory)
{
    struct vidmm_lists *lists = memory->allocate(memory->context, sizeof(*lists));

    if (lists != NULL)
        *lists = (struct vidmm_lists){.memory = *memory};
    return lists;
}

static void give_back(const struct vidmm_memory *memory, void *block)
{
    if (block != NULL)
        memory->free(memory->context, block);
}

void vidmm_lists_destroy(struct vidmm_lists *lists)
{
    struct vidmm_memory memory;

    if (lists == NULL)
        return;
    memory = lists->memory;
    for (uint32_t i = 0; i < lists->device_room; i++) {
        give_back(&memory, lists->lists[i].allocations);
        give_back(&memory, lists->lists[i].times);
    }
    give_back(&memory, lists->lists);
    give_back(&memory, lists->devices);
    memory.free(memory.context, lists);
}
