/* relief.h: a thread that finds no memory waits for allocations that are due to go. */
#ifndef VIDMM_PUMP_RELIEF_H
#define VIDMM_PUMP_RELIEF_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;

/* How often memory has come back so far; to be asked before the attempt that may find none. The
 * mutex is held. */
uint64_t vidmm_relief_count(const struct vidmm_adapter *adapter);
/* Carry out what is due to go, or wait while another thread does, until the memory of something has
 * come back since the count was `since`. False: nothing came back, and nothing is due any more. The
 * caller holds nothing that stands in the order of waits (A2 in ddi/gate.c). */
bool vidmm_relief(struct vidmm_adapter *adapter, uint64_t since);

#endif
