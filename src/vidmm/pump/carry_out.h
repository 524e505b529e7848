/* carry_out.h: the operations of a plan that are data only, done at once. */
#ifndef VIDMM_PUMP_CARRY_OUT_H
#define VIDMM_PUMP_CARRY_OUT_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Carry out an operation; a call of the DDI becomes `call` of the adapter, which is due then. True:
 * *answer is the answer to a claim, and the engine is to be stepped with it. The mutex is held. */
bool vidmm_carry_out(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer);

#endif
