/* timeline.c: fence values, and the packets that end at them.
 *
 * The driver sees the low 32 bits of a value, and those wrap; inside, values are 64 bits and never
 * do. 0 as a SubmissionFenceId is left out: drivers begin with it as "nothing completed yet".
 *
 * Invariants
 * F1. The flights of a timeline stand in order of fence, and all are above `completed`, except
 *     flights that follow (no submission of their own): those share the fence of the one before.
 * F4. `returned` counts the flights that were preempted and wait to be submitted again; they stand
 *     behind those that are submitted, and no report can end them.
 */
#include "vidmm/engine/state/timeline.h"

#include <base/assert.h>

uint64_t vidmm_counter_next(struct vidmm_counter *counter)
{
    if ((uint32_t)counter->next == 0)
        counter->next++;
    return counter->next++;
}

void vidmm_timeline_init(struct vidmm_timeline *timeline, struct vidmm_counter *counter)
{
    VIDMM_ASSERT(counter->next > 0);
    *timeline = (struct vidmm_timeline){
        .counter = counter,
        .completed = counter->next - 1,
        .newest = counter->next - 1,
    };
}

static struct vidmm_packet_use *use_of(struct vidmm_timeline *timeline,
                                       const struct vidmm_flight *flight)
{
    return flight->paging ? &timeline->use.paging : &timeline->use.render;
}

static void count_submission(struct vidmm_timeline *timeline, const struct vidmm_flight *flight)
{
    if (flight->switches)
        timeline->use.context_switches++;
    else
        use_of(timeline, flight)->submitted++;
    if (flight->share)
        flight->share->submitted++;
}

void vidmm_timeline_submit(struct vidmm_timeline *timeline, struct vidmm_flight *flight,
                           uint64_t time_ns)
{
    VIDMM_ASSERT(!flight->returned);
    flight->fence = vidmm_counter_next(timeline->counter);
    VIDMM_ASSERT(flight->fence > timeline->newest); /* F1 */
    flight->follows = false;
    timeline->newest = flight->fence;
    if (!timeline->flights.first)
        timeline->head_since_ns = time_ns;
    vidmm_flights_add(&timeline->flights, flight);
    count_submission(timeline, flight);
}

bool vidmm_timeline_follow(struct vidmm_timeline *timeline, struct vidmm_flight *flight)
{
    VIDMM_ASSERT(!flight->returned);
    if (!timeline->flights.last)
        return false;
    flight->fence = timeline->flights.last->fence;
    flight->follows = true;
    vidmm_flights_add(&timeline->flights, flight);
    return true;
}

void vidmm_timeline_ran(struct vidmm_timeline *timeline, uint64_t time_ns)
{
    const struct vidmm_flight *first = timeline->flights.first;

    if (first && !first->returned) {
        use_of(timeline, first)->running_ns += time_ns - timeline->head_since_ns;
        if (first->share)
            first->share->running_ns += time_ns - timeline->head_since_ns;
    }
    timeline->head_since_ns = time_ns;
}

void vidmm_timeline_complete(struct vidmm_timeline *timeline, uint64_t fence, uint64_t time_ns)
{
    vidmm_timeline_ran(timeline, time_ns);
    timeline->completed = fence > timeline->completed ? fence : timeline->completed;
}

struct vidmm_flight *vidmm_timeline_take(struct vidmm_timeline *timeline, uint64_t fence)
{
    struct vidmm_flight *flight = timeline->flights.first;

    if (!flight || flight->fence > fence)
        return NULL;
    VIDMM_ASSERT(fence <= timeline->completed); /* F1 */
    timeline->returned -= flight->returned ? 1 : 0;
    if (!flight->follows && !flight->switches && !flight->returned) {
        use_of(timeline, flight)->completed++;
        if (flight->share)
            flight->share->completed++;
    }
    return vidmm_flights_take(&timeline->flights);
}

void vidmm_timeline_return(struct vidmm_timeline *timeline, struct vidmm_flight *flight)
{
    VIDMM_ASSERT(!flight->returned && !flight->follows);
    flight->returned = true;
    timeline->returned++; /* F4 */
    if (!flight->switches)
        use_of(timeline, flight)->preempted++;
    if (flight->share)
        flight->share->preempted++;
}

void vidmm_timeline_fault(struct vidmm_timeline *timeline, const struct vidmm_flight *flight)
{
    VIDMM_ASSERT(!flight->switches && !flight->follows);
    use_of(timeline, flight)->faulted++;
    if (flight->share)
        flight->share->faulted++;
}

struct vidmm_flight *vidmm_timeline_resubmit(struct vidmm_timeline *timeline, uint64_t time_ns)
{
    struct vidmm_flight *flight = timeline->flights.first;

    VIDMM_ASSERT(timeline->returned > 0);
    while (!flight->returned)
        flight = flight->next;
    flight->returned = false;
    timeline->returned--; /* F4 */
    timeline->newest = flight->fence > timeline->newest ? flight->fence : timeline->newest;
    if (flight == timeline->flights.first)
        timeline->head_since_ns = time_ns;
    count_submission(timeline, flight);
    return flight;
}

/* The 64 bits behind an id are those nearest to the newest complete fence. */
uint64_t vidmm_timeline_widen(const struct vidmm_timeline *timeline, uint32_t fence)
{
    uint64_t near = timeline->completed;

    return near + (uint64_t)(int64_t)(int32_t)(fence - (uint32_t)near);
}

const struct vidmm_flight *vidmm_timeline_find(const struct vidmm_timeline *timeline,
                                               uint64_t fence)
{
    const struct vidmm_flight *flight = timeline->flights.first;

    while (flight && flight->fence < fence)
        flight = flight->next;
    return flight && flight->fence == fence && !flight->returned ? flight : NULL; /* F4 */
}

bool vidmm_timeline_has_passed(const struct vidmm_timeline *timeline, uint64_t fence)
{
    const struct vidmm_flight *first = timeline->flights.first;

    return !first || first->fence > fence;
}

uint64_t vidmm_timeline_due(const struct vidmm_timeline *timeline, uint64_t timeout_ns)
{
    const struct vidmm_flight *first = timeline->flights.first;

    return first && !first->returned ? timeline->head_since_ns + timeout_ns : UINT64_MAX;
}

uint32_t vidmm_timeline_check(const struct vidmm_timeline *timeline)
{
    const struct vidmm_flight *flight = timeline->flights.first;
    uint64_t fence = timeline->completed;
    uint32_t returned = 0, submitted = 0;

    for (; flight; flight = flight->next) {
        VIDMM_VERIFY(flight->follows ? flight->fence == fence : flight->fence > fence); /* F1 */
        VIDMM_VERIFY(flight->fence < timeline->counter->next);
        VIDMM_VERIFY(flight->next || flight == timeline->flights.last);
        fence = flight->fence;
        submitted += flight->follows || flight->returned ? 0 : 1;
        returned += flight->returned ? 1 : 0;
    }
    VIDMM_VERIFY(returned == timeline->returned); /* F4 */
    return submitted;
}
