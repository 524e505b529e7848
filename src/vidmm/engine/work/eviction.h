/* eviction.h: what no residency list wants any more leaves its segment; eviction.c. */
#ifndef VIDMM_ENGINE_WORK_EVICTION_H
#define VIDMM_ENGINE_WORK_EVICTION_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

/* No list wants it any more: it leaves, if nothing keeps it there, now or when the delay is over
 * that a test has set. */
void vidmm_eviction_begin(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* It does not leave later: it is wanted again, or need not leave, or is being destroyed. */
void vidmm_eviction_forget(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* VIDMM_EVENT_EVICTION_DELAY: of evictions from here on. STATUS_INVALID_PARAMETER: longer than
 * VIDMM_LONGEST_DELAY_NS, or residency is not explicit. */
NTSTATUS vidmm_eviction_set_delay(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Time has passed. True: something leaves by it. */
bool vidmm_eviction_pass_time(struct vidmm_engine *engine);
/* When something leaves next. UINT64_MAX: nothing does by the clock. */
uint64_t vidmm_eviction_deadline(const struct vidmm_engine *engine);
/* Whether EV1 holds (step/check.c). */
void vidmm_eviction_check(const struct vidmm_engine *engine);
/* At the engine's end. */
void vidmm_eviction_finish(struct vidmm_engine *engine);

#endif
