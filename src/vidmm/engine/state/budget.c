/* budget.c: how much memory the devices of a process may have resident.
 *
 * As long as all lists together fit, nobody is asked for anything: a process may use all that is
 * free. Otherwise each may use what the others leave, and the others hold on to no more than their
 * share, one part of as many as there are processes with something resident:
 *
 *     budget = capacity - sum over the others of the larger of reservation and
 *                                                the smaller of usage and share
 *
 * at least the reservation. So the budgets change with the usage of the others, and a process that
 * was alone is asked to make room when a second one comes. It need not obey: a list above its
 * budget stays, and MakeResident is refused with the bytes to trim until the list is below it, or
 * the program says that it can trim no further (make_resident.c).
 *
 * A device is told once that its process is above its budget, and again when it was below in the
 * meantime. Nothing here looks at the time: whoever has a clock sends VIDMM_EVENT_TRIM.
 *
 * Invariants
 * I6. `untold_trims` counts the devices of which something is due; PeriodicTrim and
 *     RestartPeriodicTrim are never due together.
 * I7. `group_reserved` is the sum of a group's reservations, and no more than its capacity.
 * I10. If all lists and all reservations of a group fit together, no process is above a budget that
 *     was not set for it.
 */
#include "vidmm/engine/state/budget.h"

#include <base/assert.h>
#include <base/grow.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/wish.h"
#include "wddm/rule.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

static uint64_t size_of(const struct vidmm_engine *engine, uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];

    if (config->part_of != 0)
        return 0; /* the whole has it */
    return config->aperture && config->commit_limit < config->size ? config->commit_limit
                                                                   : config->size;
}

/* obeys D-205 */
static uint32_t group_of(const struct vidmm_engine *engine, uint32_t segment)
{
    bool non_local =
        vidmm_segment_is_aperture(engine, segment) != engine->config.segments[segment].other_group;

    return non_local ? VIDMM_GROUP_NON_LOCAL : VIDMM_GROUP_LOCAL;
}

void vidmm_budget_init(struct vidmm_engine *engine)
{
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if (!engine->config.segments[segment].apart_from_budgets)
            engine->group_capacity[group_of(engine, segment)] +=
                size_of(engine, segment); /* obeys D-205 */
}

/* Bytes of a group that budgets are about. */
static uint64_t capacity_of(const struct vidmm_engine *engine, uint32_t group)
{
    return engine->group_capacity[group];
}

uint32_t vidmm_budget_group(const struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    uint8_t order[VIDMM_SEGMENTS];

    if (vidmm_wish_order(engine, wish, wish->write_set << 1, order) == 0 ||
        engine->config.segments[order[0]].apart_from_budgets)
        return VIDMM_SEGMENT_GROUPS;
    return group_of(engine, order[0]);
}

/* The process reserves so much of the group, and no more what it did. */
static void reserve(struct vidmm_engine *engine, uint32_t process, uint32_t group, uint64_t size)
{
    engine->group_reserved[group] += size - engine->accounts[process].reservation[group]; /* I7 */
    engine->accounts[process].reservation[group] = size;
}

static uint64_t reserved_by_others(const struct vidmm_engine *engine, uint32_t process,
                                   uint32_t group)
{
    return engine->group_reserved[group] - engine->accounts[process].reservation[group];
}

/* The bytes that the other processes hold on to. */
static uint64_t claimed_by_others(const struct vidmm_engine *engine, uint32_t process,
                                  uint32_t group, uint64_t capacity)
{
    uint64_t bytes = 0, share;
    uint32_t other, users = 1;

    for (other = 1; other < engine->account_capacity; other++)
        users += other != process && engine->accounts[other].usage[group] > 0 ? 1 : 0;
    share = capacity / users;
    for (other = 1; other < engine->account_capacity; other++) {
        const struct vidmm_account *account = &engine->accounts[other];
        uint64_t held = account->usage[group] < share ? account->usage[group] : share;

        if (other != process)
            bytes += held > account->reservation[group] ? held : account->reservation[group];
    }
    return bytes;
}

static uint64_t budget_of(const struct vidmm_engine *engine, uint32_t process, uint32_t group)
{
    const struct vidmm_account *account = &engine->accounts[process];
    uint64_t capacity = capacity_of(engine, group), others, left;

    if (account->budget[group] != UINT64_MAX)
        return account->budget[group];
    others = claimed_by_others(engine, process, group, capacity);
    left = others < capacity ? capacity - others : 0;
    return left > account->reservation[group] ? left : account->reservation[group];
}

static bool is_process(const struct vidmm_engine *engine, uint32_t process)
{
    return process < engine->account_capacity && engine->accounts[process].devices > 0;
}

/* Whether all lists, with so much more on one of them, fit beside all that is reserved. */
static bool all_fit(const struct vidmm_engine *engine, uint32_t group, uint64_t more)
{
    return engine->group_usage[group] + more <=
           capacity_of(engine, group) - engine->group_reserved[group]; /* I7 */
}

static uint64_t excess_of(const struct vidmm_engine *engine, uint32_t process, uint32_t group,
                          uint64_t more)
{
    const struct vidmm_account *account = &engine->accounts[process];
    uint64_t usage = account->usage[group] + more, budget;

    if (usage == 0)
        return 0; /* none is above its budget with nothing */
    if (account->budget[group] == UINT64_MAX && all_fit(engine, group, more)) {
        VIDMM_ASSERT(usage <= budget_of(engine, process, group)); /* I10 */
        return 0;
    }
    budget = budget_of(engine, process, group);
    return usage > budget ? usage - budget : 0;
}

uint64_t vidmm_budget_excess(const struct vidmm_engine *engine, uint32_t device,
                             const uint64_t more[VIDMM_SEGMENT_GROUPS])
{
    uint32_t process = engine->devices[device].process, group;
    uint64_t excess = 0;

    for (group = 0; process != 0 && group < VIDMM_SEGMENT_GROUPS; group++)
        excess += excess_of(engine, process, group, more[group]); /* obeys D-204 */
    return excess;
}

static uint64_t above(uint64_t bytes, uint64_t limit)
{
    return bytes > limit ? bytes - limit : 0;
}

/* Bytes of the segment that page tables of the process will take. */
static uint64_t tables_to_come(const struct vidmm_engine *engine,
                               const struct vidmm_process *process, uint32_t segment)
{
    const struct vidmm_engine_mmu *mmu = &engine->config.mmu;
    uint64_t bytes = 0;
    uint32_t level;

    for (level = 0; process && level < mmu->levels; level++)
        if ((process->paging ? mmu->paging_segment[level] : mmu->table_segment[level]) == segment)
            bytes += process->tables.homeless[level] * mmu->table_size[level];
    return bytes;
}

/* Bytes of the segment that no list can have: the device's own tables, and those that are due for
 * others, will come there too. */
static uint64_t apart_of(const struct vidmm_engine *engine, uint32_t device, uint32_t segment)
{
    const struct vidmm_process *process =
        vidmm_process_find(engine, engine->devices[device].address_process);
    uint64_t bytes = engine->segments[segment].apart;
    const struct vidmm_process *due = engine->mmu->due;

    if (process && !process->due)
        bytes += tables_to_come(engine, process, segment);
    for (; due; due = due->next)
        bytes += tables_to_come(engine, due, segment);
    return bytes;
}

uint64_t vidmm_budget_shortage(const struct vidmm_engine *engine, uint32_t device,
                               const uint64_t more[LISTED_KINDS])
{
    const uint64_t *bytes = engine->devices[device].list.bytes;
    uint64_t memory = 0, apertures = 0, limit = engine->config.aperture_commit_limit;
    uint64_t in_memory = bytes[LISTED_IN_MEMORY] + more[LISTED_IN_MEMORY];
    uint64_t in_apertures = bytes[LISTED_IN_APERTURES] + more[LISTED_IN_APERTURES];
    uint64_t in_either = bytes[LISTED_IN_EITHER] + more[LISTED_IN_EITHER], kinds, all;
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        *(vidmm_segment_is_aperture(engine, segment) ? &apertures : &memory) +=
            above(size_of(engine, segment), apart_of(engine, device, segment));
    apertures = limit != 0 && limit < apertures ? limit : apertures;
    kinds = above(in_memory, memory) + above(in_apertures, apertures);
    all = above(in_memory + in_apertures + in_either, memory + apertures);
    return all > kinds ? all : kinds;
}

struct vidmm_budget_info vidmm_engine_budget(const struct vidmm_engine *engine, uint32_t process,
                                             uint32_t group)
{
    struct vidmm_budget_info info = {0};
    uint64_t capacity, others;

    if (process == 0 || !is_process(engine, process) || group >= VIDMM_SEGMENT_GROUPS)
        return info;
    capacity = capacity_of(engine, group);
    others = reserved_by_others(engine, process, group);
    info.budget = budget_of(engine, process, group);
    info.usage = engine->accounts[process].usage[group];
    info.reservation = engine->accounts[process].reservation[group];
    info.available_for_reservation = others < capacity ? capacity - others : 0;
    return info;
}

/* ---- processes ------------------------------------------------------------------------------- */

NTSTATUS vidmm_budget_join(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_device_record *device;
    struct vidmm_account *accounts;
    uint32_t process = event->join.process, state;

    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists ||
        !engine->config.explicit_residency || process == 0 || process >= VIDMM_PROCESSES)
        return STATUS_INVALID_PARAMETER;
    device = &engine->devices[event->device];
    for (state = 0; state < LISTING_STATES; state++)
        if (device->list.first[state])
            return STATUS_INVALID_PARAMETER;
    if (device->process != 0)
        return STATUS_INVALID_PARAMETER;
    accounts = vidmm_grow(&engine->memory, engine->accounts, &engine->account_capacity, process,
                          sizeof(*accounts));
    if (!accounts)
        return STATUS_NO_MEMORY;
    engine->accounts = accounts;
    if (accounts[process].devices++ == 0)
        accounts[process] =
            (struct vidmm_account){.budget = {UINT64_MAX, UINT64_MAX}, .devices = 1};
    device->process = process;
    return STATUS_SUCCESS;
}

void vidmm_budget_part(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_device_record *record = &engine->devices[device];

    engine->untold_trims -= record->trim.due != 0 ? 1 : 0; /* I6 */
    record->trim.due = 0;
    if (record->process != 0 && --engine->accounts[record->process].devices == 0) {
        VIDMM_ASSERT(engine->accounts[record->process].usage[VIDMM_GROUP_LOCAL] == 0);     /* I4 */
        VIDMM_ASSERT(engine->accounts[record->process].usage[VIDMM_GROUP_NON_LOCAL] == 0); /* I4 */
        reserve(engine, record->process, VIDMM_GROUP_LOCAL, 0);
        reserve(engine, record->process, VIDMM_GROUP_NON_LOCAL, 0);
        engine->accounts[record->process] = (struct vidmm_account){.devices = 0};
    }
}

/* Whether the event names a process and a group that there are. */
static bool names_account(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    return event->budget.process != 0 && is_process(engine, event->budget.process) &&
           event->budget.group < VIDMM_SEGMENT_GROUPS;
}

NTSTATUS vidmm_budget_set(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (!names_account(engine, event) ||
        (event->budget.size > capacity_of(engine, event->budget.group) &&
         event->budget.size != UINT64_MAX))
        return STATUS_INVALID_PARAMETER;
    engine->accounts[event->budget.process].budget[event->budget.group] = event->budget.size;
    vidmm_budget_look(engine);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_budget_reserve(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint64_t capacity, others;

    if (!names_account(engine, event))
        return STATUS_INVALID_PARAMETER;
    capacity = capacity_of(engine, event->budget.group);
    others = reserved_by_others(engine, event->budget.process, event->budget.group);
    if (others > capacity || event->budget.size > capacity - others) /* obeys D-206 */
        return STATUS_INVALID_PARAMETER;                             /* I7 */
    reserve(engine, event->budget.process, event->budget.group, event->budget.size);
    vidmm_budget_look(engine);
    return STATUS_SUCCESS;
}

bool vidmm_engine_is_within_budget(const struct vidmm_engine *engine, uint32_t device)
{
    static const uint64_t none[VIDMM_SEGMENT_GROUPS];

    return device < engine->device_capacity && engine->devices[device].trim.told == 0 &&
           vidmm_budget_excess(engine, device, none) == 0;
}

/* ---- trims ----------------------------------------------------------------------------------- */

static void make_due(struct vidmm_engine *engine, struct vidmm_trim *trim, uint32_t flag)
{
    engine->untold_trims += trim->due == 0 ? 1 : 0; /* I6 */
    trim->due |= flag;
}

VIDMM_SEES(D_207);
void vidmm_budget_ask(struct vidmm_engine *engine, uint32_t device, uint32_t asked)
{
    uint32_t never =
        asked == VIDMM_TRIM_PERIODIC ? VIDMM_TRIM_RESTART_PERIODIC : VIDMM_TRIM_PERIODIC;

    VIDMM_ASSERT(asked == VIDMM_TRIM_PERIODIC || asked == VIDMM_TRIM_RESTART_PERIODIC);
    make_due(engine, &engine->devices[device].trim, asked);
    engine->devices[device].trim.due &= ~never; /* obeys D-207 */
}

void vidmm_budget_look(struct vidmm_engine *engine)
{
    static const uint64_t none[VIDMM_SEGMENT_GROUPS];
    uint32_t id;

    for (id = 1; id < engine->device_capacity; id++) {
        struct vidmm_device_record *device = &engine->devices[id];

        if (!device->exists || device->process == 0)
            continue;
        if (vidmm_budget_excess(engine, id, none) == 0) {
            device->trim.told = 0;
        } else if (device->trim.told == 0) {
            device->trim.told = VIDMM_TRIM_TO_BUDGET;
            make_due(engine, &device->trim, VIDMM_TRIM_TO_BUDGET);
        }
    }
}

NTSTATUS vidmm_budget_trim(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t id;

    if (!engine->config.explicit_residency || event->trim.restart > 1)
        return STATUS_INVALID_PARAMETER;
    for (id = 1; id < engine->device_capacity; id++)
        if (engine->devices[id].exists && engine->devices[id].process != 0)
            vidmm_budget_ask(engine, id,
                             event->trim.restart != 0 ? VIDMM_TRIM_RESTART_PERIODIC
                                                      : VIDMM_TRIM_PERIODIC);
    return STATUS_SUCCESS;
}

bool vidmm_budget_tell(struct vidmm_engine *engine)
{
    static const uint64_t none[VIDMM_SEGMENT_GROUPS];
    struct vidmm_operation *operation;
    uint32_t id = 0;

    if (engine->untold_trims == 0)
        return false;
    while (engine->devices[id].trim.due == 0)
        id++; /* I6 */
    operation = vidmm_emit(engine, VIDMM_DO_TRIM);
    operation->trim.device = id;
    operation->trim.flags = engine->devices[id].trim.due;
    if ((operation->trim.flags & VIDMM_TRIM_TO_BUDGET) != 0)
        operation->trim.bytes_to_trim = vidmm_budget_excess(engine, id, none); /* obeys D-207 */
    engine->devices[id].trim.due = 0;
    engine->untold_trims--;
    return true;
}

void vidmm_budget_check(const struct vidmm_engine *engine)
{
    uint32_t id, untold = 0, group;

    for (id = 0; id < engine->device_capacity; id++) {
        uint32_t due = engine->devices[id].trim.due;

        untold += due != 0 ? 1 : 0;
        VIDMM_VERIFY((due & VIDMM_TRIM_PERIODIC) == 0 ||
                     (due & VIDMM_TRIM_RESTART_PERIODIC) == 0); /* I6 */
    }
    VIDMM_VERIFY(untold == engine->untold_trims); /* I6 */
    for (group = 0; group < VIDMM_SEGMENT_GROUPS; group++) {
        uint64_t usage = 0, reserved = 0;

        for (id = 1; id < engine->account_capacity; id++) {
            usage += engine->accounts[id].usage[group];
            reserved += engine->accounts[id].reservation[group];
        }
        VIDMM_VERIFY(usage == engine->group_usage[group]);       /* I4 */
        VIDMM_VERIFY(reserved == engine->group_reserved[group]); /* I7 */
        VIDMM_VERIFY(reserved <= capacity_of(engine, group));    /* I7 */
    }
}
