/* recovery.h: what ends the ordinary course of things: packets that hang, and power that goes.
 *
 *     a fence is late -> ask -> preempt its node -> reset its engine -> reset the adapter -> purge
 *     the power goes  -> everything leaves -> nothing runs -> it is back
 *
 * For the modules of the engine, as engine_state.h, which includes it.
 */
#ifndef VIDMM_RECOVERY_H
#define VIDMM_RECOVERY_H

#include "work.h"

/* ---- timeout detection and recovery ---------------------------------------------------------- */

#define RESETS_A_MINUTE 5u /* D-242 */

/* A hung node on its way out (recovery.c). Sets of nodes: bit n is node n. */
struct vidmm_recovery {
    uint64_t nodes;       /* taken in: nothing is submitted to them; 0: all is well */
    uint64_t to_ask;      /* QueryCurrentFence is due; at most one */
    uint64_t to_preempt;  /* PreemptCommand is due */
    uint64_t preempting;  /* not stopped yet */
    uint64_t deadline_ns; /* ... and hung from here on */
    bool extended;        /* the deadline was, for a node that is empty */
    uint64_t hung;        /* to be reset */
    uint64_t queried;     /* of these, QueryEngineStatus was asked */
    uint64_t grouped;     /* of these, QueryDependentEngineGroup was asked */
    uint32_t node;        /* of the call under way */
};

enum reset_stage {
    RESET_NONE,
    RESET_STOPPING, /* ResetFromTimeout is due, or under way */
    RESET_PURGING,  /* the driver is told what has left */
    RESET_MAPPING,  /* command buffers go back to where they were */
};

/* The reset of the adapter (reset.c, purge.c). */
struct vidmm_reset {
    enum reset_stage stage;
    bool restarted;  /* RestartFromTimeout has been called */
    bool full;       /* no more operations fit into the paging buffer */
    bool bootstrap;  /* only paging buffer 1 is used, and those before are: */
    uint32_t cursor; /* id of the placement that is being purged */
    uint32_t paging_first, paging_count;
    uint64_t times[RESETS_A_MINUTE]; /* of the newest resets, 0: none */
    uint32_t next_time;
};

/* The adapter loses its power (rest.c). */
enum rest_stage { REST_NONE, REST_EVICTING, REST_UNMAPPING, REST_RESTING };

struct vidmm_rest {
    enum rest_stage stage;
    uint32_t power;   /* enum vidmm_power */
    uint32_t request; /* to be granted; 0: none */
};

/* ---- preempt.c ------------------------------------------------------------------------------- */

/* What is in flight on the node comes back: paging first, with its fences, then the rest with new
 * ones. */
void vidmm_preempt_return(struct vidmm_engine *engine, uint32_t node);
/* Submit again one packet that came back. DONE: there is none. */
enum vidmm_outcome vidmm_preempt_resubmit(struct vidmm_engine *engine);

/* ---- recovery.c ------------------------------------------------------------------------------ */

/* Look at the time: something may be late. */
void vidmm_recovery_check(struct vidmm_engine *engine);
/* When to look; UINT64_MAX: there is no need. */
uint64_t vidmm_recovery_deadline(const struct vidmm_engine *engine);
/* Whether nothing may be submitted to the node now. */
bool vidmm_recovery_blocks(const struct vidmm_engine *engine, uint32_t node);
/* Hand out the next call of the recovery. DONE: there is none. */
enum vidmm_outcome vidmm_recovery_call(struct vidmm_engine *engine);
NTSTATUS vidmm_recovery_preempted(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_recovery_answer(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether reports of the node are not to be believed: it is being reset. */
bool vidmm_recovery_ignores(const struct vidmm_engine *engine, uint32_t node);

/* ---- reset.c, purge.c ------------------------------------------------------------------------ */

/* The adapter is to be reset, unless it was too often. */
void vidmm_reset_begin(struct vidmm_engine *engine);
/* Hand out the next call of the reset. NONE: it made progress, or is over. */
enum vidmm_outcome vidmm_reset_call(struct vidmm_engine *engine);
void vidmm_reset_answer(struct vidmm_engine *engine, NTSTATUS status);
/* Use the paging buffer that is in no aperture, until the command buffers are mapped again. */
void vidmm_reset_use_bootstrap(struct vidmm_engine *engine);
/* Map the command buffers again where they were. */
void vidmm_reset_map_again(struct vidmm_engine *engine);
/* Forget every queue and list of moves; what they were is still in their states, for the purge. */
void vidmm_purge_begin(struct vidmm_engine *engine);
/* Tell the driver of the next placement that has left (D-239). DONE: of all. */
enum vidmm_outcome vidmm_purge_call(struct vidmm_engine *engine);
void vidmm_purge_built(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Keep the CPU off every place in a memory segment (D-241). DONE: it is. */
enum vidmm_outcome vidmm_purge_claim(struct vidmm_engine *engine);

/* ---- rest.c ---------------------------------------------------------------------------------- */

NTSTATUS vidmm_rest_begin(struct vidmm_engine *engine, const struct vidmm_event *event);
NTSTATUS vidmm_rest_end(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether the adapter rests for a call of level two: nothing may be built either. */
bool vidmm_rest_keeps_all(const struct vidmm_engine *engine);
/* Go on with it. DONE: nothing is in the way of the next DMA buffer. */
enum vidmm_outcome vidmm_rest_call(struct vidmm_engine *engine);
/* Answer who waits for it. */
void vidmm_rest_grant(struct vidmm_engine *engine);
/* Whether a placement with a range stays where it is, for its content outlives the loss of
 * power. */
bool vidmm_rest_preserves(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement);

#endif
