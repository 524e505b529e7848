/* gate.h: many may be inside, or one alone.
 *
 *     thread 1 --enter--> [ lock 0 ] --leave-->         alone: all locks, one after the other
 *     thread 2 --enter--> [ lock 1 ] --leave-->
 *        ...                  ...
 *
 * A thread that enters takes one lock of many, always its own, so that threads that only look do
 * not write to one line of memory. Nobody waits inside; nobody enters twice.
 */
#ifndef VIDMM_THUNK_GATE_H
#define VIDMM_THUNK_GATE_H

#include <stdbool.h>

#include <pthread.h>

enum { VIDMM_THUNK_GATE_LOCKS = 16 };

struct vidmm_thunk_gate {
    struct {
        _Alignas(64) pthread_rwlock_t lock;
    } locks[VIDMM_THUNK_GATE_LOCKS];
};

/* False: the system gives no lock; nothing is held. */
bool vidmm_thunk_gate_init(struct vidmm_thunk_gate *gate);
void vidmm_thunk_gate_finish(struct vidmm_thunk_gate *gate);

void vidmm_thunk_gate_enter(struct vidmm_thunk_gate *gate);
void vidmm_thunk_gate_leave(struct vidmm_thunk_gate *gate);

/* Wait until nobody is inside, and keep everybody out. */
void vidmm_thunk_gate_close(struct vidmm_thunk_gate *gate);
void vidmm_thunk_gate_open(struct vidmm_thunk_gate *gate);

#endif
