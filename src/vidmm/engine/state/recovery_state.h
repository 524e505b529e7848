/* recovery_state.h: the ends of the ordinary course of things: packets that hang, and power that
 * goes.
 *
 *     a fence is late -> ask -> preempt its node -> reset its engine -> reset the adapter -> purge
 *     the power goes  -> everything leaves -> nothing runs -> it is back
 *
 * For the modules of the engine that look into it: engine_state.h has a pointer. Structures only.
 */
#ifndef VIDMM_RECOVERY_STATE_H
#define VIDMM_RECOVERY_STATE_H

#include <stdbool.h>
#include <stdint.h>

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
    bool whole;           /* ... and the adapter with them */
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
    bool telling;    /* of the placement at the cursor: its list of steps is made */
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
    bool withdrawn;   /* UNMAPPING, and nobody waits for it any more: it ends when it rests */
};

#endif
