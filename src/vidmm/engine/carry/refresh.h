/* refresh.h: the pages that the CPU has written, transferred to the copy in a segment; refresh.c
 * draws it. */
#ifndef VIDMM_ENGINE_CARRY_REFRESH_H
#define VIDMM_ENGINE_CARRY_REFRESH_H

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

/* Whether VIDMM_EVENT_REFRESH can be obeyed; changes nothing. STATUS_INVALID_PARAMETER: it keeps no
 * copy, or the pages are not its own. */
NTSTATUS vidmm_refresh_check(const struct vidmm_engine *engine, const struct vidmm_event *event);
/* Take in VIDMM_EVENT_REFRESH, which vidmm_refresh_check() has accepted: remember the pages, and
 * begin if nothing is in the way. */
void vidmm_refresh_add(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Queue the move that refreshes, if one is due and can be. */
void vidmm_refresh_begin(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* The adapter rests no more: begin with all that is due. */
void vidmm_refresh_resume(struct vidmm_engine *engine);

#endif
