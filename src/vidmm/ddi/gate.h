/* gate.h: the gate for calls of level three, which are made with nobody else in the driver. */
#ifndef VIDMM_DDI_GATE_H
#define VIDMM_DDI_GATE_H

#include <stdbool.h>

struct vidmm_adapter;

/* Enter the driver on a program's thread, and leave it; enter may wait while a call of level three
 * is made. The mutex is not held. They cannot fail: every enter has its leave. */
void vidmm_driver_enter(struct vidmm_adapter *adapter);
void vidmm_driver_leave(struct vidmm_adapter *adapter);
/* Let nobody in from here on. False: somebody is inside; the last one out pumps, and the gate stays
 * shut. */
bool vidmm_gate_shut(struct vidmm_adapter *adapter);
/* Let everybody in again. */
void vidmm_gate_open(struct vidmm_adapter *adapter);

#endif
