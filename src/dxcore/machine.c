/* machine.c: one machine a Linux process: made at the first call, taken apart at the end.
 *
 * Callers are counted while they are inside, in one of a few lanes, so that threads do not write to
 * one line of memory. The end closes the door and waits until nobody is inside. If somebody
 * stays (a thread that waits for a fence that never comes, a callback that waits for a lock of the
 * thread that ends the process), the machine is left as it is: the system takes it back with the
 * process.
 *
 * Invariants:
 *   X1  the_machine is written under the mutex alone, and read by anybody.
 *   X2  a machine is taken apart when the door is closed and no lane has anybody inside.
 *   X3  the mutex is held over a fork, so that a child never finds half a machine.
 */
#include "dxcore/machine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vidmm/adapter.h>
#include <vidmm/dxcore.h>
#include <wddm/ntstatus.h>

#include "dxcore/account.h"
#include "dxcore/ending.h"
#include "dxcore/foreign.h"
#include "dxcore/parts.h"
#include "thunk/thunk.h"

enum { LANES = 16, END_TRIES = 2000 };

static struct {
    _Alignas(64) atomic_uint inside;
} lanes[LANES];
static atomic_uint threads;
static _Thread_local unsigned lane;    /* 1 + the lane of this thread; 0: it has never called */
static _Thread_local uint64_t process; /* of the model; 0: the first */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct vidmm_dxcore_parts *) the_machine;
static atomic_bool closed; /* the Linux process ends, or no machine can be made */
static pthread_mutex_t end_mutex = PTHREAD_MUTEX_INITIALIZER; /* of end() */

static void end(void);

/* ---- making ---------------------------------------------------------------------------------- */

static void lock_for_fork(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock_in_parent(void)
{
    pthread_mutex_unlock(&mutex);
}

/* The only thread of the child was in no call. */
static void begin_anew_in_child(void)
{
    for (unsigned i = 0; i < LANES; i++)
        atomic_store(&lanes[i].inside, 0);
    atomic_store(&the_machine, NULL);
    atomic_store(&closed, false);
    vidmm_foreign_forget();
    pthread_mutex_init(&end_mutex, NULL);
    process = 0;
    pthread_mutex_unlock(&mutex);
}

static __attribute__((constructor)) void begin(void)
{
    pthread_atfork(lock_for_fork, unlock_in_parent, begin_anew_in_child);
}

/* With the mutex. */
static struct vidmm_dxcore_parts *make(void)
{
    struct vidmm_dxcore_parts *made = atomic_load(&the_machine);
    char error[600] = "";

    if (made != NULL || atomic_load(&closed))
        return made;
    if (vidmm_account_is_wanted())
        vidmm_ending_watch(end);
    made = vidmm_dxcore_parts_create(getenv("VIDMM_MACHINE"), error, sizeof(error));
    if (made == NULL) {
        fprintf(stderr, "libdxcore: %s\n", error);
        atomic_store(&closed, true);
    }
    atomic_store(&the_machine, made);
    return made;
}

static struct vidmm_dxcore_parts *machine(void)
{
    struct vidmm_dxcore_parts *made = atomic_load_explicit(&the_machine, memory_order_acquire);

    if (made != NULL)
        return made;
    pthread_mutex_lock(&mutex);
    made = make();
    pthread_mutex_unlock(&mutex);
    return made;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static atomic_uint *my_lane(void)
{
    if (lane == 0)
        lane = 1 + atomic_fetch_add(&threads, 1) % LANES;
    return &lanes[lane - 1].inside;
}

static struct vidmm_thunk_process *my_process(struct vidmm_dxcore_parts *parts)
{
    struct vidmm_thunk_process *found;

    if (process <= 1)
        return parts->processes[0].process;
    pthread_mutex_lock(&parts->mutex);
    found = vidmm_dxcore_parts_process(parts, process, false);
    pthread_mutex_unlock(&parts->mutex);
    return found;
}

/* A program whose calls fail at its end says so, and goes other ways than it would have gone: under
 * `vidmm run` its threads stay here, until the signal or the thread ends it. */
static void leave_for_nothing(void)
{
    vidmm_dxcore_leave();
    if (atomic_load(&closed))
        vidmm_ending_hold();
}

struct vidmm_thunk_process *vidmm_dxcore_enter(void)
{
    struct vidmm_thunk_process *found = NULL;
    struct vidmm_dxcore_parts *parts;

    atomic_fetch_add(my_lane(), 1);
    if (!atomic_load(&closed)) {
        parts = machine();
        found = parts != NULL ? my_process(parts) : NULL;
    }
    if (found == NULL)
        leave_for_nothing();
    return found;
}

void vidmm_dxcore_leave(void)
{
    atomic_fetch_sub(my_lane(), 1);
}

const struct vidmm_dxcore_adapter *vidmm_dxcore_adapter(void)
{
    return &atomic_load(&the_machine)->facts;
}

__attribute__((visibility("default"))) bool vidmm_process_enter(uint64_t number)
{
    struct vidmm_thunk_process *found = NULL;
    struct vidmm_dxcore_parts *parts;

    atomic_fetch_add(my_lane(), 1);
    parts = number != 0 && !atomic_load(&closed) ? machine() : NULL;
    if (parts != NULL) {
        pthread_mutex_lock(&parts->mutex);
        found = vidmm_dxcore_parts_process(parts, number, true);
        pthread_mutex_unlock(&parts->mutex);
    }
    if (found == NULL) {
        leave_for_nothing();
        return false;
    }
    process = number;
    vidmm_dxcore_leave();
    return true;
}

__attribute__((visibility("default"))) bool vidmm_process_end(uint64_t number)
{
    struct vidmm_thunk_process *found = NULL;
    struct vidmm_dxcore_parts *parts;

    atomic_fetch_add(my_lane(), 1);
    parts = number > 1 && !atomic_load(&closed) ? atomic_load(&the_machine) : NULL;
    if (parts != NULL)
        found = vidmm_dxcore_parts_forget(parts, number);
    vidmm_thunk_process_destroy(found);
    vidmm_dxcore_leave();
    return found != NULL;
}

__attribute__((visibility("default"))) const char *vidmm_refusal(void)
{
    return vidmm_thunk_reason();
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool somebody_is_inside(void)
{
    for (unsigned i = 0; i < LANES; i++)
        if (atomic_load(&lanes[i].inside) != 0)
            return true;
    return false;
}

/* The door is closed. A callback may wait for a lock that the thread which ends the process has. */
static bool is_busy(void)
{
    struct vidmm_dxcore_parts *parts = atomic_load(&the_machine);

    return somebody_is_inside() || (parts != NULL && !vidmm_dxcore_parts_hush(parts));
}

static void take_apart(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (unsigned i = 0; i < END_TRIES && is_busy(); i++)
        nanosleep(&pause, NULL);
    if (is_busy()) {
        vidmm_dxcore_parts_break_off(atomic_load(&the_machine));
        return;
    }
    pthread_mutex_lock(&mutex);
    vidmm_dxcore_parts_destroy(atomic_load(&the_machine));
    atomic_store(&the_machine, NULL);
    pthread_mutex_unlock(&mutex);
}

/* By the thread that ends the process, and perhaps by that of ending.c. */
static __attribute__((destructor)) void end(void)
{
    const struct vidmm_dxcore_parts *parts;

    atomic_store(&closed, true);
    pthread_mutex_lock(&end_mutex);
    parts = atomic_load(&the_machine);
    if (parts != NULL && parts->own != NULL) /* drivers of the kit handle faults to their end */
        vidmm_ending_hold_faults();
    take_apart();
    pthread_mutex_unlock(&end_mutex);
}
