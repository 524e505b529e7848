/* state.h: the pump's state of an adapter. A structure and no more. The adapter's mutex guards all
 * of it (object/adapter.h); pump.c says what holds. No room but pump/ and adapter/ includes this.
 */
#ifndef VIDMM_PUMP_STATE_H
#define VIDMM_PUMP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>

#include "vidmm/object/command_memory.h"

struct vidmm_allocation;
struct vidmm_fence;
struct vidmm_request;

struct vidmm_pump {
    bool call_due; /* `call` is to be made */
    bool resting;  /* somebody has it rest, for a call of level two or three */
    bool at_rest;  /* it has stopped because it was asked to, and all has ended */
    struct vidmm_operation call;
    struct vidmm_request *requests;
    uint32_t next_request;
    struct vidmm_fence *fence_reads; /* that are to be read, the newest first */
    bool reading;                    /* the engine is being told of what was read */
    uint32_t stop_reason;
    uint64_t deadline_ns;                 /* last given to host->set_timer */
    struct vidmm_command_memory own_page; /* in the AGP-type segment; size 0: there is none */
};

#endif
