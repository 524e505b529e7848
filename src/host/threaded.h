/* threaded.h: the parts of the threaded machine: runners, jobs, and those who wait for a wake.
 *
 *     runner   a thread with a word of bits: somebody sets a bit, the thread takes them and runs
 *     job      a piece of a client, deferred procedure call or work: pending, then run by one of
 *              those who are in wait() and spin, or, if nobody does, by a runner of its own
 *
 *       kick -----------> engine's runner       step() until it answers false
 *       queue_dpc ------> job dpc               dpc(), at dispatch level
 *       wake -----------> job work              work()
 *            \----------> waiters               look again
 *       set_timer ------> job work, later       the job's runner wakes at that time
 *       run ------------> caller's runner       its steps, until it is done
 *
 * A thread that has nothing to do spins a little, as long as there are processors for all that are
 * awake, and then sleeps. To give a spinning thread something to do takes an atomic instruction or
 * two; to wake a sleeping one takes a system call and, with bad luck, 40 microseconds. So waiters
 * help: a program that waits for its own paging needs one thread beside it, the engine's.
 *
 * An engine's runner never helps: a driver may wait for the engine in its deferred procedure call.
 *
 * Locks, outermost first; a lock is taken only while those below it are free:
 *   the adapter's mutex  the client's, lock() and unlock()
 *   interrupt_mutex      held while the service routine runs, or one that excludes it
 *   sleep_mutex          who sleeps; held only to fall asleep, and to wake sleepers
 */
#ifndef VIDMM_HOST_THREADED_H
#define VIDMM_HOST_THREADED_H

#include <pthread.h>
#include <stdatomic.h>

#include <vidmm/host.h>

#include "host/machine.h"

/* Bits of a runner. */
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
    void *owner;                /* job, caller; engine: the argument of step */
    bool (*step)(void *owner);  /* engine */
    atomic_uint_fast64_t timer; /* of a job: when it becomes pending; UINT64_MAX: never */
    atomic_uint_fast64_t armed; /* the thread sleeps, but wakes at this time; 0: it is awake */
};

/*
 * Work to be done once for any number of requests since it was last begun.
 *
 *     idle --post--> pending --begin--> busy --end--> idle
 *                                        | post
 *                                        +--> busy and pending --end--> pending
 *
 * A thread that finds it pending makes it busy, or leaves it to the thread that has made it so; and
 * a thread that has been busy looks again whether it is pending. So it is never forgotten and never
 * run twice at once.
 */
struct vidmm_job {
    struct vidmm_slot *slot;
    void (*call)(struct vidmm_slot *slot); /* runs the client's function */
    atomic_bool pending;
    atomic_bool busy;
    atomic_bool helped; /* waiters may run it */
    struct vidmm_runner *runner;
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
    pthread_condattr_t monotonic; /* the clock of all conditions */
    pthread_cond_t woken;         /* for waiters: a wake, or somebody stuck */
    pthread_cond_t quiet;         /* for run() and settle(): a caller has ended, or all sleep */
    int processors;
    bool visitors;            /* other threads call as well */
    unsigned participants;    /* threads that can change something, under sleep_mutex */
    unsigned asleep;          /* of these */
    unsigned callers_running; /* under sleep_mutex */
    struct vidmm_runner *runners;
    struct vidmm_threaded_waiter *waiters; /* asleep, the youngest first */
    struct vidmm_runner **callers;         /* as machine->callers */
    atomic_int awake;                      /* threads that run or spin */
    _Alignas(64) atomic_uint_fast64_t wakes;
    atomic_uint jobs;     /* pending ones that may be helped with */
    atomic_uint helpers;  /* waiters that spin */
    atomic_uint sleepers; /* in the list of waiters, or about to be */
};

enum { THREADED_MESSAGES = 64 };

struct vidmm_threaded_slot {
    atomic_bool connected;
    struct vidmm_host_client client; /* changes only while nobody is connected and no job busy */
    struct vidmm_job dpc, work;
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

/* Have the runner's job run at this time, of CLOCK_MONOTONIC in ns, or soon after; replaces the
 * time set before. UINT64_MAX: never. Takes no lock and no system call unless the thread sleeps and
 * would wake too late. */
void vidmm_runner_set_timer(struct vidmm_runner *runner, uint64_t at_ns);
/* Set no timer; on return none is about to run the job. */
void vidmm_runner_cancel_timer(struct vidmm_runner *runner);

/* The runner that the calling thread is; NULL for a thread of somebody else. */
struct vidmm_runner *vidmm_runner_self(void);

/* Make a job and its runner. False: no memory or thread; nothing has changed. */
bool vidmm_job_init(struct vidmm_job *job, struct vidmm_slot *slot,
                    void (*call)(struct vidmm_slot *slot));
void vidmm_job_finish(struct vidmm_job *job);

/* Have the job run. False: it is pending already. */
bool vidmm_job_post(struct vidmm_job *job);
/* Run it if it is pending; on return it is neither that nor busy. Not from within it. */
void vidmm_job_flush(struct vidmm_job *job);

/* Forget that it is pending, and return when it does not run. Not from within the job. */
void vidmm_job_cancel(struct vidmm_job *job);

/* Have all waiters look again. */
void vidmm_threads_wake(struct vidmm_threads *threads);

/* Help with jobs, or sleep; return after a wake later than waiter->wakes, at the deadline, or when
 * told to be stuck. */
void vidmm_threads_await_wake(struct vidmm_machine *machine, struct vidmm_threaded_waiter *waiter);

/* Sleep until all callers have ended, or, if not for them, until nothing is left to do. */
void vidmm_threads_settle(struct vidmm_threads *threads, bool callers);

uint64_t vidmm_threads_now(void);

static inline bool vidmm_threads_expired(const struct vidmm_threaded_waiter *waiter)
{
    return waiter->deadline != UINT64_MAX && vidmm_threads_now() >= waiter->deadline;
}

#endif
