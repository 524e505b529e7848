/* escape_delay.c: what the manager does later, or by the clock, because a test says so.
 *
 * Units: Milliseconds says its own, and the trim intervals, which are ULONGs too, are taken for the
 * same; TimerValue is a LONGLONG, as times of the system are that count 100 nanoseconds.
 */
#include "thunk/escape_delay.h"

#include <vidmm/caps.h>
#include <vidmm/delay.h>
#include <vidmm/paging_queue.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

#define MILLISECOND UINT64_C(1000000)
#define MOST_MILLISECONDS 60000u      /* VIDMM_LONGEST_DELAY_NS */
#define MOST_TICKS INT64_C(600000000) /* ... in units of 100 nanoseconds */

static NTSTATUS delay_queue(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            D3DKMT_VIDMM_ESCAPE *escape)
{
    ULONG milliseconds = escape->DelayExecution.Milliseconds;
    struct vidmm_residency_result result;
    struct vidmm_thunk_object *queue;
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    if (escape->DelayExecution.PhysicalAdapterIndex >= caps.physical_adapters)
        return vidmm_thunk_refuse("DelayExecution.PhysicalAdapterIndex is %u; expected 0 to %u",
                                  escape->DelayExecution.PhysicalAdapterIndex,
                                  (unsigned)caps.physical_adapters - 1);
    if (milliseconds == 0 || milliseconds > MOST_MILLISECONDS)
        return vidmm_thunk_refuse("DelayExecution.Milliseconds is %u; expected 1 to %u",
                                  (unsigned)milliseconds, MOST_MILLISECONDS);
    queue = vidmm_thunk_find_and_hold(process, escape->DelayExecution.hPagingQueue,
                                      VIDMM_THUNK_PAGING_QUEUE, "DelayExecution.hPagingQueue");
    if (queue == NULL)
        return STATUS_INVALID_PARAMETER;
    if (vidmm_thunk_adapter_of(queue) != adapter)
        status = vidmm_thunk_refuse("DelayExecution.hPagingQueue is 0x%x, of another adapter than "
                                    "hAdapter",
                                    (unsigned)queue->handle);
    else
        status = vidmm_paging_queue_delay(queue->of, milliseconds * MILLISECOND, &result,
                                          vidmm_thunk_report());
    vidmm_thunk_let_go(process, queue);
    if (status != STATUS_PENDING)
        return status;
    escape->DelayExecution.PagingFenceValue = result.value;
    return STATUS_SUCCESS;
}

static NTSTATUS delay_evictions(struct vidmm_adapter *adapter, const D3DKMT_VIDMM_ESCAPE *escape)
{
    LONGLONG ticks = escape->DelayedEvictionConfig.TimerValue;

    if (ticks < 0 || ticks > MOST_TICKS)
        return vidmm_thunk_refuse("DelayedEvictionConfig.TimerValue is %lld; expected 0 to %lld, "
                                  "in units of 100 nanoseconds",
                                  (long long)ticks, (long long)MOST_TICKS);
    return vidmm_delay_evictions(adapter, (uint64_t)ticks * 100, vidmm_thunk_report());
}

static NTSTATUS check_interval(const char *member, ULONG interval, ULONG least)
{
    if (interval >= least && interval <= MOST_MILLISECONDS)
        return STATUS_SUCCESS;
    return vidmm_thunk_refuse("SetTrimIntervals.%s is %u; expected %u to %u milliseconds", member,
                              (unsigned)interval, (unsigned)least, MOST_MILLISECONDS);
}

static NTSTATUS set_intervals(struct vidmm_adapter *adapter, const D3DKMT_VIDMM_ESCAPE *escape)
{
    ULONG minimum = escape->SetTrimIntervals.MinTrimInterval;
    ULONG maximum = escape->SetTrimIntervals.MaxTrimInterval;
    ULONG idle = escape->SetTrimIntervals.IdleTrimInterval;
    NTSTATUS status = check_interval("MinTrimInterval", minimum, maximum == 0 ? 0 : 1);

    if (status == STATUS_SUCCESS)
        status = check_interval("MaxTrimInterval", maximum, minimum);
    if (status == STATUS_SUCCESS)
        status = check_interval("IdleTrimInterval", idle, 0);
    return status == STATUS_SUCCESS
               ? vidmm_trim_intervals(adapter, minimum * MILLISECOND, maximum * MILLISECOND,
                                      idle * MILLISECOND, vidmm_thunk_report())
               : status;
}

NTSTATUS vidmm_escape_delay(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            D3DKMT_VIDMM_ESCAPE *escape)
{
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION)
        return delay_queue(process, adapter, escape);
    if (escape->Type == D3DKMT_VIDMMESCAPETYPE_SET_EVICTION_CONFIG)
        return delay_evictions(adapter, escape);
    return set_intervals(adapter, escape);
}
