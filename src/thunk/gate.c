/* gate.c: threads take their lock in the order in which they first came. */
#include "thunk/gate.h"

#include <stdatomic.h>

static atomic_uint threads;
static _Thread_local unsigned mine; /* 1 + the lock of this thread; 0: it has never entered */

static pthread_rwlock_t *lock_of(struct vidmm_thunk_gate *gate)
{
    if (mine == 0)
        mine = 1 + atomic_fetch_add(&threads, 1) % VIDMM_THUNK_GATE_LOCKS;
    return &gate->locks[mine - 1].lock;
}

bool vidmm_thunk_gate_init(struct vidmm_thunk_gate *gate)
{
    for (unsigned i = 0; i < VIDMM_THUNK_GATE_LOCKS; i++)
        if (pthread_rwlock_init(&gate->locks[i].lock, NULL) != 0) {
            while (i-- > 0)
                pthread_rwlock_destroy(&gate->locks[i].lock);
            return false;
        }
    return true;
}

void vidmm_thunk_gate_finish(struct vidmm_thunk_gate *gate)
{
    for (unsigned i = 0; i < VIDMM_THUNK_GATE_LOCKS; i++)
        pthread_rwlock_destroy(&gate->locks[i].lock);
}

void vidmm_thunk_gate_enter(struct vidmm_thunk_gate *gate)
{
    pthread_rwlock_rdlock(lock_of(gate));
}

void vidmm_thunk_gate_leave(struct vidmm_thunk_gate *gate)
{
    pthread_rwlock_unlock(lock_of(gate));
}

void vidmm_thunk_gate_close(struct vidmm_thunk_gate *gate)
{
    for (unsigned i = 0; i < VIDMM_THUNK_GATE_LOCKS; i++)
        pthread_rwlock_wrlock(&gate->locks[i].lock);
}

void vidmm_thunk_gate_open(struct vidmm_thunk_gate *gate)
{
    for (unsigned i = VIDMM_THUNK_GATE_LOCKS; i-- > 0;)
        pthread_rwlock_unlock(&gate->locks[i].lock);
}
