/* residency.c: a residency set.
 *
 * S1  listed: the device's residency list names it once by this set, and it is in the chain from
 *     oldest to newest, in the order of `used`
 * S2  bytes is the sum of the sizes of what is listed
 * S3  nothing leaves that is wanted, or that the GPU may use: it would be missing under the GPU
 * S4  nothing waits for a use that is not submitted, which may be the caller's own
 *
 * The chain changes with the mutex held alone. A wait is for a track, without the mutex; afterwards
 * all is looked at again.
 */
#include <umd/residency.h>

#include <stddef.h>

#include <umd/track.h>
#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/memory.h>
#include <vidmm/paging_queue.h>
#include <wddm/ntstatus.h>

#include "umd/refuse.h"

#define AT_ONCE 16u /* allocations that one call evicts */

static void lock(struct umd_residency *set)
{
    if (set->options.mutex.lock != NULL)
        set->options.mutex.lock(set->options.mutex.context);
}

static void unlock(struct umd_residency *set)
{
    if (set->options.mutex.unlock != NULL)
        set->options.mutex.unlock(set->options.mutex.context);
}

/* ---- the chain ------------------------------------------------------------------------------- */

static void take_out(struct umd_residency *set, struct umd_resident *resident)
{
    struct umd_resident *older = resident->older, *newer = resident->newer;

    *(older != NULL ? &older->newer : &set->oldest) = newer;
    *(newer != NULL ? &newer->older : &set->newest) = older;
    resident->older = resident->newer = NULL;
}

static void put_newest(struct umd_residency *set, struct umd_resident *resident)
{
    resident->older = set->newest;
    *(set->newest != NULL ? &set->newest->newer : &set->oldest) = resident;
    set->newest = resident;
}

static void take_off(struct umd_residency *set, struct umd_resident *resident)
{
    take_out(set, resident);
    resident->listed = false;
    resident->value = 0;
    set->bytes -= vidmm_allocation_size(resident->allocation);
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* May it leave now? S3 */
static bool is_idle(const struct umd_residency *set, const struct umd_resident *resident)
{
    return resident->wanted == 0 &&
           !umd_track_is_busy(set->options.queues, resident->track, UMD_WRITE);
}

/* Up to AT_ONCE idle ones that no request behind `newest_used` named, oldest first, until they are
 * so many bytes. Answers their number, and adds their bytes. */
static uint32_t choose(struct umd_residency *set, uint64_t bytes, uint64_t newest_used,
                       struct umd_resident *chosen[AT_ONCE], uint64_t *trimmed)
{
    uint32_t count = 0;

    for (struct umd_resident *r = set->oldest; r != NULL && count < AT_ONCE && *trimmed < bytes;
         r = r->newer) {
        if (r->used > newest_used)
            break; /* S1 */
        if (!is_idle(set, r))
            continue;
        chosen[count++] = r;
        *trimmed += vidmm_allocation_size(r->allocation);
    }
    return count;
}

static NTSTATUS evict(struct umd_residency *set, uint64_t bytes, uint64_t newest_used,
                      uint64_t *trimmed, struct vidmm_report *report)
{
    struct umd_resident *chosen[AT_ONCE];
    struct vidmm_allocation *allocations[AT_ONCE];

    for (*trimmed = 0; *trimmed < bytes;) {
        uint64_t sum = *trimmed;
        uint32_t count = choose(set, bytes, newest_used, chosen, &sum);

        if (count == 0)
            break;
        for (uint32_t i = 0; i < count; i++)
            allocations[i] = chosen[i]->allocation;
        NTSTATUS status = vidmm_evict(set->options.device, allocations, count, 0, NULL, report);
        if (status != STATUS_SUCCESS)
            return status;
        for (uint32_t i = 0; i < count; i++)
            take_off(set, chosen[i]);
        *trimmed = sum;
    }
    return STATUS_SUCCESS;
}

/* The oldest one that could leave when the GPU has done what is submitted. NULL: there is none. */
static const struct umd_resident *oldest_used(const struct umd_residency *set)
{
    for (const struct umd_resident *r = set->oldest; r != NULL; r = r->newer)
        if (r->wanted == 0 && umd_track_is_submitted(set->options.queues, r->track)) /* S4 */
            return r;
    return NULL;
}

/* ---- coming ---------------------------------------------------------------------------------- */

static bool reserve(struct umd_residency *set, uint32_t count)
{
    const struct vidmm_memory *memory = set->options.memory;
    struct vidmm_allocation **room;

    if (count <= set->missing_room)
        return true;
    room = memory->allocate(memory->context, count * sizeof(*room));
    if (room == NULL)
        return false;
    if (set->missing != NULL)
        memory->free(memory->context, set->missing);
    set->missing = room;
    set->missing_room = count;
    return true;
}

/* List what is missing, each once; answers how many. */
static uint32_t list_missing(struct umd_residency *set, struct umd_resident *const *residents,
                             uint32_t count)
{
    uint32_t missing = 0;

    set->now++;
    for (uint32_t i = 0; i < count; i++) {
        if (residents[i]->listed || residents[i]->used == set->now)
            continue;
        residents[i]->used = set->now;
        set->missing[missing++] = residents[i]->allocation;
    }
    return missing;
}

/* All of them are listed now, and the newest. */
static uint64_t note(struct umd_residency *set, struct umd_resident *const *residents,
                     uint32_t count, uint64_t value)
{
    uint64_t passed = vidmm_paging_queue_passed(set->options.paging_queue), newest = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct umd_resident *resident = residents[i];

        if (resident->listed) {
            take_out(set, resident);
        } else {
            resident->listed = true;
            resident->value = value;
            set->bytes += vidmm_allocation_size(resident->allocation); /* S2 */
        }
        resident->used = set->now;
        put_newest(set, resident); /* S1 */
        if (resident->value > newest)
            newest = resident->value;
    }
    return newest > passed ? newest : 0;
}

/* Room is wanted: have `bytes` leave, or wait until they can. *flags: for the next request. */
static NTSTATUS make_room(struct umd_residency *set, uint64_t bytes, bool wait, uint32_t *flags,
                          struct vidmm_report *report)
{
    const struct umd_resident *used;
    uint64_t trimmed;
    NTSTATUS status = evict(set, bytes, UINT64_MAX, &trimmed, report);

    if (status != STATUS_SUCCESS || trimmed != 0)
        return status;
    used = oldest_used(set);
    if (used == NULL) {
        *flags = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER;
        return status;
    }
    if (!wait) {
        status = vidmm_device_condition(set->options.device, report);
        return status != STATUS_SUCCESS
                   ? status
                   : umd_refuse(report, STATUS_GRAPHICS_ALLOCATION_BUSY,
                                "residents: there is room when the GPU has done more");
    }
    const struct umd_track track = umd_track_copy(used->track); /* it may be forgotten meanwhile */
    unlock(set);
    status = umd_track_wait(set->options.queues, &track, UMD_WRITE, true, report);
    lock(set);
    return status;
}

/* Ask for what is missing, once. *bytes_to_trim: what the manager asks to leave; 0 if that would
 * not help. */
static NTSTATUS ask_once(struct umd_residency *set, struct umd_resident *const *residents,
                         uint32_t count, uint32_t flags, uint64_t *value, uint64_t *bytes_to_trim,
                         struct vidmm_report *report)
{
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t missing;

    *bytes_to_trim = 0;
    if (!reserve(set, count))
        return umd_refuse(report, STATUS_NO_MEMORY, "count: no memory for a list");
    missing = list_missing(set, residents, count);
    if (missing != 0)
        status = vidmm_make_resident(set->options.paging_queue, set->missing, missing, flags,
                                     &result, report);
    if (status == STATUS_SUCCESS || status == STATUS_PENDING) {
        *value = note(set, residents, count, status == STATUS_PENDING ? result.value : 0);
        return STATUS_SUCCESS;
    }
    if (status == STATUS_NO_MEMORY)
        *bytes_to_trim = result.bytes_to_trim;
    return status;
}

/* Ask for what is missing, and trim as often as that is asked for and possible. */
static NTSTATUS ask(struct umd_residency *set, struct umd_resident *const *residents,
                    uint32_t count, bool wait, uint64_t *value, struct vidmm_report *report)
{
    uint64_t bytes_to_trim;
    uint32_t flags = 0;

    for (;;) { /* obeys D-201 */
        NTSTATUS status = ask_once(set, residents, count, flags, value, &bytes_to_trim, report);

        if (status == STATUS_SUCCESS || bytes_to_trim == 0 || flags != 0)
            return status;
        status = make_room(set, bytes_to_trim, wait, &flags, report);
        if (status != STATUS_SUCCESS)
            return status;
    }
}

/* ---- the face -------------------------------------------------------------------------------- */

void umd_residency_init(struct umd_residency *set, const struct umd_residency_options *options)
{
    *set = (struct umd_residency){.options = *options};
}

void umd_residency_finish(struct umd_residency *set)
{
    const struct vidmm_memory *memory = set->options.memory;

    if (set->missing != NULL)
        memory->free(memory->context, set->missing);
    set->missing = NULL;
    set->missing_room = 0;
}

void umd_resident_init(struct umd_resident *resident, struct vidmm_allocation *allocation,
                       const struct umd_track *track)
{
    *resident = (struct umd_resident){.allocation = allocation, .track = track};
}

static NTSTATUS refuse_count(struct vidmm_report *report)
{
    return umd_refuse(report, STATUS_INVALID_PARAMETER, "count: expected 0 to 10240");
}

NTSTATUS umd_residency_require(struct umd_residency *set, struct umd_resident *const *residents,
                               uint32_t count, bool wait, uint64_t *value,
                               struct vidmm_report *report)
{
    uint64_t newest = 0;

    if (count > VIDMM_RESIDENCY_MOST)
        return refuse_count(report);
    lock(set);
    for (uint32_t i = 0; i < count; i++)
        residents[i]->wanted++;
    NTSTATUS status = ask(set, residents, count, wait, &newest, report);
    for (uint32_t i = 0; i < count; i++)
        residents[i]->wanted--;
    unlock(set);
    if (status == STATUS_SUCCESS)
        *value = newest;
    return status;
}

NTSTATUS umd_residency_try(struct umd_residency *set, struct umd_resident *const *residents,
                           uint32_t count, uint64_t *value, uint64_t *bytes_to_trim,
                           struct vidmm_report *report)
{
    uint64_t newest = 0, lacking = 0;

    if (count > VIDMM_RESIDENCY_MOST)
        return refuse_count(report);
    lock(set);
    NTSTATUS status = ask_once(set, residents, count, 0, &newest, &lacking, report);
    unlock(set);
    if (status == STATUS_SUCCESS)
        *value = newest;
    if (bytes_to_trim != NULL)
        *bytes_to_trim = lacking;
    return status;
}

NTSTATUS umd_residency_trim(struct umd_residency *set, uint64_t bytes, uint64_t *trimmed,
                            struct vidmm_report *report)
{
    uint64_t left;

    lock(set);
    NTSTATUS status = evict(set, bytes, UINT64_MAX, &left, report);
    unlock(set);
    if (trimmed != NULL)
        *trimmed = left;
    return status;
}

NTSTATUS umd_residency_obey(struct umd_residency *set, const struct vidmm_trim_request *request,
                            uint64_t *trimmed, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint64_t periodic = 0, to_budget = 0;

    lock(set);
    if ((request->flags & VIDMM_TRIM_PERIODIC) != 0)
        status = evict(set, UINT64_MAX, set->period, &periodic, report);
    if ((request->flags & (VIDMM_TRIM_PERIODIC | VIDMM_TRIM_RESTART_PERIODIC)) != 0)
        set->period = set->now;
    if (status == STATUS_SUCCESS && (request->flags & VIDMM_TRIM_TO_BUDGET) != 0 &&
        request->bytes_to_trim > periodic)
        status = evict(set, request->bytes_to_trim - periodic, UINT64_MAX, &to_budget, report);
    unlock(set);
    if (trimmed != NULL)
        *trimmed = periodic + to_budget;
    return status;
}

void umd_residency_forget(struct umd_residency *set, struct umd_resident *resident)
{
    lock(set);
    if (resident->listed)
        take_off(set, resident);
    unlock(set);
}
