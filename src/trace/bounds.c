#include "trace/bounds.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"
#include "trace/trace.h"

#define NEVER UINT32_MAX

/* An allocation of the trace. */
struct item {
    uint64_t size;
    uint64_t in;     /* bytes of it that are resident */
    uint32_t next;   /* index of its next use among the references; NEVER: none */
    uint32_t newest; /* ... of its newest use */
    bool seen, needed;
};

struct player {
    const struct vidmm_trace *trace;
    enum vidmm_bound_policy policy;
    struct item *items;
    uint32_t *next_use; /* by reference: index of its allocation's next reference */
    uint64_t used, capacity;
    struct vidmm_bound bound;
    bool held; /* this frame, so far */
};

static bool is_local(const struct player *player, uint32_t allocation)
{
    return (player->trace->allocations[allocation].types & VIDMM_TRACE_LOCAL) != 0;
}

static bool leaves_before(const struct player *player, const struct item *a, const struct item *b)
{
    return player->policy == VIDMM_BOUND_BELADY ? a->next > b->next : a->newest < b->newest;
}

static struct item *next_to_leave(struct player *player)
{
    struct item *found = NULL;

    for (uint32_t i = 0; i < player->trace->allocation_count; i++) {
        struct item *item = &player->items[i];

        if (item->in > 0 && !item->needed && (found == NULL || leaves_before(player, item, found)))
            found = item;
    }
    return found;
}

static void leave(struct player *player, struct item *item, uint64_t bytes)
{
    VIDMM_ASSERT(bytes <= item->in && item->in <= player->used);
    player->used -= bytes;
    item->in -= bytes;
}

/* False: those that are needed at once do not fit. */
static bool enter(struct player *player, struct item *item)
{
    uint64_t missing = item->size - item->in;

    while (player->used + missing > player->capacity) {
        uint64_t over = player->used + missing - player->capacity;
        struct item *leaver = next_to_leave(player);

        if (leaver == NULL)
            return false;
        leave(player, leaver, leaver->in < over ? leaver->in : over);
    }
    if (item->seen && missing > 0) {
        player->bound.bytes += missing;
        player->held = true;
    }
    player->used += missing;
    item->in = item->size;
    item->seen = true;
    return true;
}

static void need(struct player *player, const struct vidmm_trace_record *record, bool needed)
{
    for (uint32_t i = 0; i < record->submit.count; i++) {
        uint32_t reference = record->submit.first + i;
        struct item *item = &player->items[player->trace->references[reference].allocation];

        item->needed = needed;
        item->next = player->next_use[reference];
        item->newest = reference;
    }
}

static bool submit(struct player *player, const struct vidmm_trace_record *record)
{
    bool fits = true;

    need(player, record, true);
    for (uint32_t i = 0; i < record->submit.count && fits; i++) {
        uint32_t allocation = player->trace->references[record->submit.first + i].allocation;

        if (is_local(player, allocation))
            fits = enter(player, &player->items[allocation]);
    }
    need(player, record, false);
    return fits;
}

static void end_frame(struct player *player)
{
    player->bound.frames_held += player->held;
    player->held = false;
}

static bool play(struct player *player)
{
    const struct vidmm_trace *trace = player->trace;

    for (uint32_t i = 0; i < trace->record_count; i++) {
        const struct vidmm_trace_record *record = &trace->records[i];

        if (record->op == VIDMM_TRACE_SUBMIT && !submit(player, record))
            return false;
        if (record->op == VIDMM_TRACE_FREE)
            leave(player, &player->items[record->allocation], player->items[record->allocation].in);
        if (record->op == (trace->presents ? VIDMM_TRACE_PRESENT : VIDMM_TRACE_SUBMIT))
            end_frame(player);
    }
    end_frame(player);
    return true;
}

static void prepare(struct player *player)
{
    const struct vidmm_trace *trace = player->trace;

    memset(player->items, 0, trace->allocation_count * sizeof(*player->items));
    for (uint32_t i = 0; i < trace->allocation_count; i++) {
        player->items[i].size =
            (trace->allocations[i].size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
        player->items[i].next = NEVER;
    }
    for (uint32_t i = trace->reference_count; i-- > 0;) {
        struct item *item = &player->items[trace->references[i].allocation];

        player->next_use[i] = item->next;
        item->next = i;
    }
}

bool vidmm_trace_bound(const struct vidmm_trace *trace, const struct vidmm_memory *memory,
                       uint64_t capacity, enum vidmm_bound_policy policy, struct vidmm_bound *bound)
{
    struct player player = {.trace = trace, .policy = policy, .capacity = capacity};
    bool played = false;

    player.items =
        memory->allocate(memory->context, (trace->allocation_count + 1) * sizeof(*player.items));
    player.next_use =
        memory->allocate(memory->context, (trace->reference_count + 1) * sizeof(uint32_t));
    if (player.items != NULL && player.next_use != NULL) {
        prepare(&player);
        played = play(&player);
    }
    if (player.items != NULL)
        memory->free(memory->context, player.items);
    if (player.next_use != NULL)
        memory->free(memory->context, player.next_use);
    *bound = played ? player.bound : (struct vidmm_bound){0};
    return played;
}
