/* runner.c: threads that sleep when there is nothing to do, and know when all of them do.
 *
 * Invariants (T):
 *   T1  A thread that sleeps has looked, under sleep_mutex and after saying that it sleeps, that
 *       there is nothing to do; a thread that gives it something to do looks afterwards whether it
 *       sleeps. So one of the two sees the other.
 *   T2  Only participants change anything: the runners, and the thread that made the machine, which
 *       counts as asleep in run() and settle() too. If all sleep, no runner that sleeps for bits
 *       has one set, no waiter has missed a wake or has a deadline, and no timer is set, then
 *       nothing can change any more. With visitors nobody ever says so.
 *   T3  A job that may be helped with and is pending is seen by a helper: the thread that
 *       makes it pending looks afterwards for helpers and, if there are none, has its runner run
 *       it; a thread that stops helping looks afterwards for jobs.
 *   T4  A timer is kept by the thread of its job's runner, wherever it sleeps: it never sleeps
 *       longer than to the time of its timer. It may wake too early, when the timer was set to a
 *       later time meanwhile.
 */
#include "host/threaded.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host/state.h"

enum {
    SPIN_ROUNDS = 1024, /* some 20 microseconds */
    SPIN_LOOK = 32,     /* rounds between looks whether there is still a processor to spare */
    CANCEL_NS = 20000,
};

static _Thread_local struct vidmm_runner *self;

struct vidmm_runner *vidmm_runner_self(void)
{
    return self;
}

uint64_t vidmm_threads_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Spinning */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* May a thread that is awake spin for another round? */
static bool may_spin(const struct vidmm_threads *threads, unsigned round)
{
    if (round == SPIN_ROUNDS)
        return false;
    relax();
    if (round % SPIN_LOOK != SPIN_LOOK - 1)
        return true;
    return atomic_load_explicit(&threads->awake, memory_order_relaxed) <= threads->processors;
}

static void run_job(struct vidmm_runner *runner);

/* Is there something to do? Looks for a while; not for jobs, which are for those who spin
 * anyway. */
static bool spin_for_bits(const struct vidmm_runner *runner)
{
    if (runner->run == run_job)
        return false;
    for (unsigned round = 0; atomic_load_explicit(&runner->bits, memory_order_relaxed) == 0;
         round++)
        if (!may_spin(runner->machine->threads, round))
            return false;
    return true;
}

/* Run the job for as long as it is pending and nobody else runs it. */
static void perform(struct vidmm_job *job)
{
    struct vidmm_threads *threads = job->slot->machine->threads;

    while (atomic_load(&job->pending)) {
        if (atomic_exchange(&job->busy, true))
            return;
        if (atomic_exchange(&job->pending, false)) {
            if (atomic_load(&job->helped))
                atomic_fetch_sub(&threads->jobs, 1);
            job->call(job->slot);
        }
        atomic_store(&job->busy, false);
    }
}

/* Run what is pending of all slots. */
static void help(struct vidmm_machine *machine)
{
    for (unsigned i = 0; i < machine->slot_count; i++) {
        struct vidmm_threaded_slot *slot = machine->slots[i]->threaded;
        perform(&slot->dpc);
        if (atomic_load(&slot->work.helped))
            perform(&slot->work);
    }
}

/* Has there been a later wake? Helps meanwhile. */
static bool spin_for_wake(struct vidmm_machine *machine, uint64_t wakes)
{
    struct vidmm_threads *threads = machine->threads;
    bool found;

    atomic_fetch_add(&threads->helpers, 1);
    for (unsigned round = 0;; round++) {
        if (atomic_load_explicit(&threads->jobs, memory_order_relaxed) != 0)
            help(machine);
        found = atomic_load_explicit(&threads->wakes, memory_order_relaxed) != wakes;
        if (found || !may_spin(threads, round))
            break;
    }
    atomic_fetch_sub(&threads->helpers, 1);
    if (atomic_load(&threads->jobs) != 0) /* T3 */
        help(machine);
    return found;
}

/* Jobs */

bool vidmm_job_post(struct vidmm_job *job)
{
    struct vidmm_threads *threads = job->slot->machine->threads;
    bool helped = atomic_load(&job->helped);

    if (atomic_exchange(&job->pending, true))
        return false;
    if (helped)
        atomic_fetch_add(&threads->jobs, 1);
    if (!helped || atomic_load(&threads->helpers) == 0) /* T3 */
        vidmm_runner_post(job->runner, RUNNER_RUN);
    return true;
}

void vidmm_job_flush(struct vidmm_job *job)
{
    while (atomic_load(&job->pending) || atomic_load(&job->busy)) {
        perform(job);
        sched_yield();
    }
}

static void run_job(struct vidmm_runner *runner)
{
    perform(runner->owner);
}

bool vidmm_job_init(struct vidmm_job *job, struct vidmm_slot *slot,
                    void (*call)(struct vidmm_slot *slot))
{
    job->slot = slot;
    job->call = call;
    job->runner = vidmm_runner_create(slot->machine, run_job, job, NULL);
    return job->runner != NULL;
}

void vidmm_job_finish(struct vidmm_job *job)
{
    vidmm_runner_destroy(job->runner);
}

void vidmm_job_cancel(struct vidmm_job *job)
{
    const struct timespec pause = {.tv_nsec = CANCEL_NS};

    while (atomic_exchange(&job->busy, true))
        nanosleep(&pause, NULL);
    if (atomic_exchange(&job->pending, false) && atomic_load(&job->helped))
        atomic_fetch_sub(&job->slot->machine->threads->jobs, 1);
    atomic_store(&job->busy, false);
}

/* Sleeping. All below is under sleep_mutex. */

static bool timer_is_due(const struct vidmm_runner *runner)
{
    uint64_t timer = atomic_load(&runner->timer);

    return timer != UINT64_MAX && vidmm_threads_now() >= timer;
}

static bool any_timer_is_set(const struct vidmm_threads *threads)
{
    for (const struct vidmm_runner *r = threads->runners; r != NULL; r = r->next)
        if (atomic_load(&r->timer) != UINT64_MAX)
            return true;
    return false;
}

/* Can nothing change any more before a timer's time comes? (T2) Bits of a runner that is in wait()
 * count for nothing: it looks at them when it has run. */
static bool all_quiet(const struct vidmm_threads *threads)
{
    if (threads->visitors || threads->asleep != threads->participants ||
        atomic_load(&threads->jobs) != 0)
        return false;
    for (const struct vidmm_runner *r = threads->runners; r != NULL; r = r->next)
        if ((atomic_load(&r->asleep) && atomic_load(&r->bits) != 0) || timer_is_due(r))
            return false;
    for (const struct vidmm_threaded_waiter *w = threads->waiters; w != NULL; w = w->next)
        if (w->stuck || w->deadline != UINT64_MAX || w->wakes != atomic_load(&threads->wakes))
            return false;
    return true;
}

/* If nothing can change any more, tell the youngest in wait(); or, if there is none, all
 * callers. */
static void tell_stuck(struct vidmm_threads *threads)
{
    bool told = false;

    if (!all_quiet(threads))
        return;
    pthread_cond_broadcast(&threads->quiet);
    if (threads->waiters == NULL || any_timer_is_set(threads))
        return;
    for (struct vidmm_threaded_waiter *w = threads->waiters; w != NULL && !told; w = w->next)
        told = w->stuck = !w->blocked;
    for (struct vidmm_threaded_waiter *w = threads->waiters; w != NULL && !told; w = w->next)
        w->stuck = true;
    pthread_cond_broadcast(&threads->woken);
}

static void begin_sleep(struct vidmm_threads *threads)
{
    threads->asleep++;
    atomic_fetch_sub(&threads->awake, 1);
}

static void end_sleep(struct vidmm_threads *threads)
{
    threads->asleep--;
    atomic_fetch_add(&threads->awake, 1);
}

/* If the time of the runner's timer has come, have its job run. */
static void fire(struct vidmm_runner *runner)
{
    uint_fast64_t timer = atomic_load(&runner->timer);

    if (timer == UINT64_MAX || vidmm_threads_now() < timer ||
        !atomic_compare_exchange_strong(&runner->timer, &timer, UINT64_MAX))
        return;
    struct vidmm_job *job = runner->owner;
    if (!atomic_exchange(&job->pending, true) && atomic_load(&job->helped))
        atomic_fetch_add(&runner->machine->threads->jobs, 1);
    atomic_fetch_or(&runner->bits, RUNNER_RUN);
}

/* Promise to wake for the timer; answers when that is. */
static uint64_t arm(struct vidmm_runner *runner)
{
    uint64_t time;

    do {
        time = atomic_load(&runner->timer);
        atomic_store(&runner->armed, time);
    } while (atomic_load(&runner->timer) < time); /* T1 */
    return time;
}

/* Sleep on the condition, to the deadline or the runner's timer at the latest. NULL: no timer. */
static void wait_until(struct vidmm_threads *threads, pthread_cond_t *condition, uint64_t deadline,
                       struct vidmm_runner *runner)
{
    uint64_t timer = runner != NULL ? arm(runner) : UINT64_MAX;
    uint64_t end = timer < deadline ? timer : deadline;
    struct timespec time = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};

    if (end == UINT64_MAX)
        pthread_cond_wait(condition, &threads->sleep_mutex);
    else
        pthread_cond_timedwait(condition, &threads->sleep_mutex, &time);
    if (runner != NULL)
        atomic_store(&runner->armed, 0);
}

static void sleep_for_bits(struct vidmm_runner *runner)
{
    struct vidmm_threads *threads = runner->machine->threads;

    pthread_mutex_lock(&threads->sleep_mutex);
    atomic_store(&runner->asleep, true);
    begin_sleep(threads);
    fire(runner);
    while (atomic_load(&runner->bits) == 0) { /* T1 */
        tell_stuck(threads);
        wait_until(threads, &runner->awake, UINT64_MAX, runner);
        fire(runner);
    }
    end_sleep(threads);
    atomic_store(&runner->asleep, false);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

static bool must_sleep(const struct vidmm_threads *threads,
                       const struct vidmm_threaded_waiter *waiter)
{
    if (waiter->stuck || atomic_load(&threads->wakes) != waiter->wakes)
        return false;
    return !vidmm_threads_expired(waiter);
}

static void sleep_for_wake(struct vidmm_threads *threads, struct vidmm_threaded_waiter *waiter)
{
    pthread_mutex_lock(&threads->sleep_mutex);
    atomic_fetch_add(&threads->sleepers, 1);
    begin_sleep(threads);
    waiter->next = threads->waiters;
    threads->waiters = waiter;
    while (must_sleep(threads, waiter)) { /* T1 */
        if (self != NULL)
            fire(self);
        tell_stuck(threads);
        if (!waiter->stuck)
            wait_until(threads, &threads->woken, waiter->deadline, self);
    }
    struct vidmm_threaded_waiter **link = &threads->waiters;
    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
    end_sleep(threads);
    atomic_fetch_sub(&threads->sleepers, 1);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

void vidmm_threads_await_wake(struct vidmm_machine *machine, struct vidmm_threaded_waiter *waiter)
{
    if (!spin_for_wake(machine, waiter->wakes))
        sleep_for_wake(machine->threads, waiter);
}

void vidmm_threads_wake(struct vidmm_threads *threads)
{
    atomic_fetch_add(&threads->wakes, 1);
    if (atomic_load(&threads->sleepers) == 0) /* T1 */
        return;
    pthread_mutex_lock(&threads->sleep_mutex);
    pthread_cond_broadcast(&threads->woken);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

void vidmm_threads_settle(struct vidmm_threads *threads, bool callers)
{
    pthread_mutex_lock(&threads->sleep_mutex);
    begin_sleep(threads);
    for (;;) {
        tell_stuck(threads);
        if (callers ? threads->callers_running == 0
                    : all_quiet(threads) && threads->waiters == NULL)
            break;
        pthread_cond_wait(&threads->quiet, &threads->sleep_mutex);
    }
    end_sleep(threads);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

/* Runners */

unsigned vidmm_runner_post(struct vidmm_runner *runner, unsigned bit)
{
    unsigned before = atomic_fetch_or(&runner->bits, bit);

    if (before == 0 && atomic_load(&runner->asleep)) { /* T1 */
        struct vidmm_threads *threads = runner->machine->threads;
        pthread_mutex_lock(&threads->sleep_mutex);
        pthread_cond_signal(&runner->awake);
        pthread_mutex_unlock(&threads->sleep_mutex);
    }
    return before;
}

void vidmm_runner_set_timer(struct vidmm_runner *runner, uint64_t at_ns)
{
    struct vidmm_threads *threads = runner->machine->threads;

    if (atomic_load_explicit(&runner->timer, memory_order_relaxed) == at_ns)
        return;
    atomic_store(&runner->timer, at_ns);
    if (at_ns >= atomic_load(&runner->armed)) /* T1 */
        return;
    pthread_mutex_lock(&threads->sleep_mutex);
    if (atomic_load(&runner->asleep))
        pthread_cond_signal(&runner->awake);
    else
        pthread_cond_broadcast(&threads->woken);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

void vidmm_runner_cancel_timer(struct vidmm_runner *runner)
{
    pthread_mutex_lock(&runner->machine->threads->sleep_mutex);
    atomic_store(&runner->timer, UINT64_MAX);
    pthread_mutex_unlock(&runner->machine->threads->sleep_mutex);
}

static void *runner_main(void *argument)
{
    struct vidmm_runner *runner = argument;

    self = runner;
    for (;;) {
        if (!spin_for_bits(runner))
            sleep_for_bits(runner);
        unsigned bits = atomic_exchange(&runner->bits, 0);
        if ((bits & RUNNER_STOP) != 0)
            return NULL;
        runner->run(runner);
    }
}

struct vidmm_runner *vidmm_runner_create(struct vidmm_machine *machine,
                                         void (*run)(struct vidmm_runner *runner), void *owner,
                                         bool (*step)(void *owner))
{
    struct vidmm_threads *threads = machine->threads;
    struct vidmm_runner *runner = aligned_alloc(_Alignof(struct vidmm_runner), sizeof(*runner));

    if (runner == NULL)
        return NULL;
    *runner = (struct vidmm_runner){.machine = machine, .run = run, .owner = owner, .step = step};
    atomic_store(&runner->timer, UINT64_MAX);
    pthread_cond_init(&runner->awake, &threads->monotonic);
    pthread_mutex_lock(&threads->sleep_mutex);
    bool created = pthread_create(&runner->thread, NULL, runner_main, runner) == 0;
    if (created) {
        threads->participants++;
        atomic_fetch_add(&threads->awake, 1);
        runner->next = threads->runners;
        threads->runners = runner;
    }
    pthread_mutex_unlock(&threads->sleep_mutex);
    if (created)
        return runner;
    pthread_cond_destroy(&runner->awake);
    free(runner);
    return NULL;
}

void vidmm_runner_destroy(struct vidmm_runner *runner)
{
    if (runner == NULL)
        return;
    struct vidmm_threads *threads = runner->machine->threads;
    vidmm_runner_post(runner, RUNNER_STOP);
    pthread_join(runner->thread, NULL);
    pthread_mutex_lock(&threads->sleep_mutex);
    struct vidmm_runner **link = &threads->runners;
    while (*link != runner)
        link = &(*link)->next;
    *link = runner->next;
    threads->participants--;
    atomic_fetch_sub(&threads->awake, 1);
    pthread_mutex_unlock(&threads->sleep_mutex);
    pthread_cond_destroy(&runner->awake);
    free(runner);
}

bool vidmm_threads_init(struct vidmm_machine *machine)
{
    struct vidmm_threads *threads = aligned_alloc(_Alignof(struct vidmm_threads), sizeof(*threads));

    if (threads == NULL)
        return false;
    *threads = (struct vidmm_threads){0};
    threads->participants = 1; /* this thread */
    threads->visitors = machine->options.visitors;
    atomic_store(&threads->awake, 1);
    threads->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    pthread_mutex_init(&threads->sleep_mutex, NULL);
    pthread_condattr_init(&threads->monotonic);
    pthread_condattr_setclock(&threads->monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&threads->woken, &threads->monotonic);
    pthread_cond_init(&threads->quiet, &threads->monotonic);
    machine->threads = threads;
    return true;
}

void vidmm_threads_finish(struct vidmm_machine *machine)
{
    struct vidmm_threads *threads = machine->threads;

    for (unsigned i = 0; i < machine->caller_count; i++)
        vidmm_runner_destroy(threads->callers[i]);
    free(threads->callers);
    pthread_cond_destroy(&threads->quiet);
    pthread_cond_destroy(&threads->woken);
    pthread_condattr_destroy(&threads->monotonic);
    pthread_mutex_destroy(&threads->sleep_mutex);
    free(threads);
    machine->threads = NULL;
}
