/* threaded.h: the parts of the threaded machine: runners, and those who wait for a wake.
 *
 *     runner   a thread with a word of bits: somebody sets a bit, the thread takes them and runs
 *
 *       engine:  KICK         step() until it answers false
 *       dpc:     RUN          the client's dpc(), at dispatch level
 *       work:    RUN          the client's work()
 *       caller:  RUN          its steps, until it is done
 *       (all:    STOP         the thread ends)
 *
 *     idle:  spins a little, where a processor is free to, then sleeps
 *
 * Setting a bit costs one atomic instruction while the thread spins or runs, and a system call if it
 * sleeps.
 *
 * Locks, outermost first; a lock is taken only while those below it are free:
 *   run_mutex of work    held while work() runs; disconnect() takes it to know that it does not
 *   run_mutex of dpc     the same for dpc()
 *   the adapter's mutex  the client's, lock() and unlock()
 *   interrupt_mutex      held while the service routine runs, or one that excludes it
 *   sleep_mutex          who sleeps; held only to fall asleep, and to wake sleepers
 */
#ifndef VIDMM_HOST_THREADED_H
#define VIDMM_HOST_THREADED_H

#include "host/state.h"

enum {
    RUNNER_RUN = 1,
    RUNNER_STOP = 2,
};

struct vidmm_runner {
    struct vidmm_machine *machine;
    struct vidmm_runner *next; /* all of the machine's, under sleep_mutex */
    pthread_t thread;
    _Alignas(64) atomic_uint bits; /* alone in its line: others set them, the thread spins on it */
    atomic_bool asleep;
    pthread_cond_t awake;
    /* Do what the bit RUN asks for. */
    void (*run)(struct vidmm_runner *runner);
    void *owner;               /* by run: slot, slot, caller; engine: what step gets */
    bool (*step)(void *owner); /* engine */
    pthread_mutex_t run_mutex; /* dpc and work */
};

/* Somebody who waits for a wake: in wait(), or a caller that answered that it is blocked. Stands on
 * his stack; in the list while he sleeps. */
struct vidmm_threaded_waiter {
    struct vidmm_threaded_waiter *next;
    uint64_t wakes;    /* how many there had been when he looked */
    uint64_t deadline; /* of CLOCK_MONOTONIC, in ns; UINT64_MAX: none */
    bool blocked;      /* a caller, outside of its step */
    bool stuck;        /* told, under sleep_mutex: nothing can change any more */
};

struct vidmm_threads {
    pthread_mutex_t sleep_mutex;
    pthread_cond_t woken; /* for waiters: a wake, or somebody stuck */
    pthread_cond_t quiet; /* for run() and settle(): a caller has ended, or all sleep */
    unsigned spin_limit;  /* most threads that spin at a time */
    unsigned participants;         /* threads that can change something, under sleep_mutex */
    unsigned asleep;               /* of these */
    unsigned callers_running;      /* under sleep_mutex */
    struct vidmm_runner *runners;
    struct vidmm_threaded_waiter *waiters; /* asleep, the youngest first */
    struct vidmm_runner **callers;         /* as machine->callers */
    _Alignas(64) atomic_uint_fast64_t wakes;
    atomic_uint sleepers; /* in the list of waiters, or about to be */
    _Alignas(64) atomic_uint spinners;
};

enum { THREADED_MESSAGES = 64 };

struct vidmm_threaded_slot {
    atomic_bool connected; /* written under both run_mutexes and interrupt_mutex */
    struct vidmm_host_client client;
    struct vidmm_runner *dpc, *work;
    pthread_mutex_t interrupt_mutex;
    /* Raised by the service routine itself, served after it; under interrupt_mutex. */
    uint32_t messages[THREADED_MESSAGES];
    unsigned message_count;
    pthread_mutex_t mutex; /* the adapter's */
    _Atomic uintptr_t mutex_owner;
    unsigned engine_count;
    struct vidmm_runner *engines[VIDMM_MACHINE_ENGINES];
};

/* runner.c */
bool vidmm_threads_init(struct vidmm_machine *machine);
void vidmm_threads_finish(struct vidmm_machine *machine);

/* Start a thread that does run() when RUNNER_RUN is set. NULL: no memory or thread. */
struct vidmm_runner *vidmm_runner_create(struct vidmm_machine *machine,
                                         void (*run)(struct vidmm_runner *runner), void *owner,
                                         bool (*step)(void *owner));
/* End the thread, after what it runs at the moment; free the runner. NULL: nothing happens. */
void vidmm_runner_destroy(struct vidmm_runner *runner);

/* Set a bit, and wake the thread if it sleeps. Answers the bits before. */
unsigned vidmm_runner_post(struct vidmm_runner *runner, unsigned bit);

/* The runner that the calling thread is; NULL for a thread of somebody else. */
struct vidmm_runner *vidmm_runner_self(void);

/* Have all waiters look again. */
void vidmm_threads_wake(struct vidmm_threads *threads);

/* Return after a wake later than waiter->wakes, at the deadline, or when told to be stuck. */
void vidmm_threads_await_wake(struct vidmm_threads *threads, struct vidmm_threaded_waiter *waiter);

/* Return when all sleep and nothing is left to do. */
void vidmm_threads_settle(struct vidmm_threads *threads);

uint64_t vidmm_threads_now(void);

#endif
