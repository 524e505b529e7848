/* test_fault.h: offers lose their content at once, because a test says so; test_fault.c. */
#ifndef VIDMM_ENGINE_WORK_TEST_FAULT_H
#define VIDMM_ENGINE_WORK_TEST_FAULT_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* Have what is offered lose its content, if a test wants that. IDLE: there is nothing to do now.
 * MADE: moves are queued, or content has gone. CALL: a claim is under way. */
enum vidmm_progress vidmm_test_fault_discard(struct vidmm_engine *engine);

#endif
