/* offer.h: allocations that their program does without for now, and priorities; offer.c draws the
 * states. */
#ifndef VIDMM_ENGINE_STATE_OFFER_H
#define VIDMM_ENGINE_STATE_OFFER_H

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/transition.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_placement;

enum offer_event {
    OFFER_ASK,     /* VIDMM_EVENT_OFFER */
    OFFER_SETTLE,  /* no DMA buffer names it any more */
    OFFER_DISCARD, /* it leaves without its content */
    OFFER_RECLAIM, /* VIDMM_EVENT_RECLAIM */
    OFFER_EVENTS,
};

extern const struct vidmm_transition vidmm_offer_table[];
extern const uint32_t vidmm_offer_rows;

/* Bring the placement into the state that the event leads to. It is one that the table has. */
void vidmm_offer_change(struct vidmm_placement *placement, enum offer_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_offer_string(enum offer_state state);

/* VIDMM_EVENT_OFFER, VIDMM_EVENT_RECLAIM, VIDMM_EVENT_PRIORITY. STATUS_INVALID_PARAMETER: no
 * allocation of a program, or no such offer; nothing has changed. */
NTSTATUS vidmm_offer_event(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_reclaim_event(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_priority_event(struct vidmm_engine *engine, const struct vidmm_event *event);

/* The program wants it again; it is alive, and no buffer. */
void vidmm_offer_reclaim(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give it the class by which it leaves memory: its offer, its priority, or that it is wanted has
 * changed. */
void vidmm_priority_reclassify(struct vidmm_engine *engine, struct vidmm_placement *placement);

/* A DMA buffer names it no more: an offer that was asked for takes effect, if it was the last. */
void vidmm_offer_consider(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Whether it leaves without its content. */
bool vidmm_offer_discards(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement);
/* Stop the program if an invariant does not hold. */
void vidmm_offer_check(const struct vidmm_engine *engine, const struct vidmm_placement *placement);

#endif
