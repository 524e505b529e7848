/* turn.h: create, open, close and destroy overlap in the miniport, but not for one process (D-055).
 */
#ifndef VIDMM_DDI_TURN_H
#define VIDMM_DDI_TURN_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;

/* A thread that is in one of the calls of the lowest threading level, on its stack (ddi/turn.c). */
struct vidmm_inside {
    struct vidmm_inside *next;
    struct vidmm_adapter *adapter;
    uint64_t process;
    bool thread; /* a program's, and not the pump's */
};

/* Enter the driver for a process, where no other thread of it is; waits until then. Passive level,
 * the mutex is not held. */
void vidmm_turn_begin(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside);
/* The two halves of it: the turn is taken, with the mutex taken behind it; then, with the mutex
 * given back, the driver is entered. */
void vidmm_turn_take_and_lock(struct vidmm_adapter *adapter, uint64_t process,
                              struct vidmm_inside *inside);
void vidmm_turn_enter(struct vidmm_inside *inside);
/* Enter the driver without waiting. False: another thread is inside; the adapter is woken when it
 * has left, and nothing is to be ended. The mutex is held. */
bool vidmm_turn_try(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside);
/* Leave the driver, and wake who was kept out. The mutex is not held. */
void vidmm_turn_end(struct vidmm_inside *inside);
/* Leave the driver as vidmm_turn_end() does, with the mutex taken behind it. True: host->wake() is
 * due. */
bool vidmm_turn_end_and_lock(struct vidmm_inside *inside);
/* Leave after vidmm_turn_try(), without waking anybody. True: somebody was kept out. The mutex is
 * held. */
bool vidmm_turn_leave(struct vidmm_inside *inside);

#endif
