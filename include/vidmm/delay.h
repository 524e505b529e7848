/* delay.h: what the manager does later, or by the clock, for tests.
 *
 *     vidmm_paging_queue_delay()   ... | delay | what the queue is asked next
 *     vidmm_delay_evictions()      Evict ... the delay ... its memory leaves
 *     vidmm_trim_intervals()       PeriodicTrim ... the interval ... PeriodicTrim
 *
 * Times are nanoseconds of the host's clock; none is longer than VIDMM_LONGEST_DELAY_NS of plan.h,
 * a minute. Everything may be called by any thread, at passive level. After a refusal nothing has
 * changed. Below WDDM 2.0 all of it answers STATUS_NOT_SUPPORTED.
 *
 * Source: D3DKMT_VIDMM_ESCAPE, DelayExecution, DelayedEvictionConfig, SetTrimIntervals: no page
 * says more than these names and those of their members.
 */
#ifndef VIDMM_DELAY_H
#define VIDMM_DELAY_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;
struct vidmm_paging_queue;
struct vidmm_report;
struct vidmm_residency_result; /* paging_queue.h */

/* Have a paging queue do nothing for a time, behind what it was asked before; other queues go on.
 * ns: 1 to VIDMM_LONGEST_DELAY_NS. *result, which may be NULL, is written after every answer.
 * STATUS_PENDING: the queue comes to result->value when the time is over. STATUS_INVALID_PARAMETER:
 * another time; STATUS_NO_MEMORY; why the device is in error. A queue that is destroyed, or whose
 * device is, waits for the end of its delays. */
NTSTATUS vidmm_paging_queue_delay(struct vidmm_paging_queue *queue, uint64_t ns,
                                  struct vidmm_residency_result *result,
                                  struct vidmm_report *report);

/* Have what no residency list names any more leave its segment only when a time is over, unless it
 * is named again before; room that is wanted meanwhile is made as always. Counts for evictions from
 * here on, of all processes. ns: 0, at once, which holds from the start on, to
 * VIDMM_LONGEST_DELAY_NS. STATUS_INVALID_PARAMETER: another time; STATUS_DEVICE_REMOVED: the
 * adapter has stopped. */
NTSTATUS vidmm_delay_evictions(struct vidmm_adapter *adapter, uint64_t ns,
                               struct vidmm_report *report);

/* Have every device asked for periodic trims (budget.h) by the clock: one that has submitted
 * something since it was asked, `minimum_ns` after that if its process is above a budget, and
 * `maximum_ns` after it if not; one that has submitted nothing, once, `idle_ns` after it. The first
 * intervals begin now. All 0: nobody is asked, which holds from the start on. Each is at most
 * VIDMM_LONGEST_DELAY_NS. STATUS_INVALID_PARAMETER: one is longer, `maximum_ns` is below
 * `minimum_ns`, or one of these two is 0 alone; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_trim_intervals(struct vidmm_adapter *adapter, uint64_t minimum_ns,
                              uint64_t maximum_ns, uint64_t idle_ns, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
