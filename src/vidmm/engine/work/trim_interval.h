/* trim_interval.h: devices are asked for periodic trims by the clock, because a test says so;
 * trim_interval.c. */
#ifndef VIDMM_ENGINE_WORK_TRIM_INTERVAL_H
#define VIDMM_ENGINE_WORK_TRIM_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_TRIM_INTERVALS: from now on. STATUS_INVALID_PARAMETER: one is longer than
 * VIDMM_LONGEST_DELAY_NS, the maximum is below the minimum, one of these two is 0 alone, or
 * residency is not explicit. */
NTSTATUS vidmm_trim_interval_set(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Time has passed. True: somebody is asked. */
bool vidmm_trim_interval_pass_time(struct vidmm_engine *engine);
/* When somebody is asked next. UINT64_MAX: nobody is by the clock. */
uint64_t vidmm_trim_interval_deadline(const struct vidmm_engine *engine);

#endif
