/* ending.c: signals, and two threads that wait for them.
 *
 * Invariants:
 *   Y1  `owner` is the process that the threads are of. A child of fork, or of vfork, has none.
 *   Y2  only the first cause of an ending has it done. If there is a cause already, another thread
 *       that calls _exit() waits, too, one that faults stays where it is, and a signal from outside
 *       ends the process at once.
 *   Y3  while a machine with the software GPU is taken apart, a thread that touches what was locked
 *       stays where it is.
 */
#include "dxcore/ending.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The first ones come from outside; by the others a thread ends its process. */
static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]), OUTSIDE = 3, NO_SIGNAL = -1 };

static atomic_int owner; /* Y1 */
static atomic_int cause; /* a signal, or NO_SIGNAL; 0: none so far */
static sem_t wanted, over, sent;
static void (*take_apart)(void);

static bool is_ours(void)
{
    return atomic_load(&owner) == getpid();
}

/* Y2 */
static bool is_first(int number)
{
    int none = 0;

    return atomic_compare_exchange_strong(&cause, &none, number);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void stay(int number)
{
    (void)number;
    for (;;)
        pause();
}

/* Until the worker has done it, or for some seconds. Each that has seen it tells the next. */
static void wait_until_over(void)
{
    struct timespec until;
    int failed;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += VIDMM_ENDING_SECONDS;
    do
        failed = sem_timedwait(&over, &until);
    while (failed != 0 && errno == EINTR);
    if (failed == 0)
        sem_post(&over);
}

static void *work(void *argument)
{
    while (sem_wait(&wanted) != 0)
        continue;
    take_apart();
    sem_post(&over);
    return argument;
}

/* Let a signal do what it would have done. */
static void send_again(int number)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
}

static void *guard(void *argument)
{
    while (sem_wait(&sent) != 0)
        continue;
    sem_post(&wanted);
    wait_until_over();
    send_again(atomic_load(&cause));
    return argument;
}

/* They take no signals: those are the program's. Faults are their own: a miniport that is taken
 * apart may have some, and handle them. */
static bool begin_thread(void *(*run)(void *))
{
    pthread_attr_t attributes;
    sigset_t signals, before;
    pthread_t thread;
    bool begun;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    sigfillset(&signals);
    for (int i = OUTSIDE; i < NUMBERS; i++)
        sigdelset(&signals, numbers[i]);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    begun = pthread_create(&thread, &attributes, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return begun;
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* A thread ends the process, perhaps inside a handler of the program's. */
static void before_exit(void)
{
    if (!is_ours())
        return;
    if (is_first(NO_SIGNAL))
        sem_post(&wanted);
    wait_until_over();
}

static bool comes_from_outside(int number)
{
    bool outside = false;

    for (int i = 0; i < OUTSIDE; i++)
        outside |= numbers[i] == number;
    return outside;
}

/* Y2 */
static void be_late(int number)
{
    if (comes_from_outside(number))
        send_again(number);
    else
        stay(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
    int error = errno;

    (void)context;
    if (!is_ours())
        send_again(number);
    else if (!is_first(number))
        be_late(number);
    else if (comes_from_outside(number))
        sem_post(&sent);
    else {
        sem_post(&wanted);
        wait_until_over();
        signal(number, SIG_DFL); /* a fault comes again with its instruction */
        if (info->si_code <= 0)  /* somebody has sent it, as abort() does */
            send_again(number);
    }
    errno = error;
}

void vidmm_ending_hold(void)
{
    if (atomic_load(&cause) != 0 && is_ours())
        stay(0);
}

/* Y3 */
void vidmm_ending_hold_faults(void)
{
    const struct sigaction stays = {.sa_handler = stay};

    if (atomic_load(&cause) == 0 || !is_ours())
        return;
    sigaction(SIGSEGV, &stays, NULL);
    sigaction(SIGBUS, &stays, NULL);
}

/* ---- begin ----------------------------------------------------------------------------------- */

static void watch_signals(void)
{
    const struct sigaction action = {.sa_sigaction = handle,
                                     .sa_flags = (int)(SA_RESTART | SA_ONSTACK | SA_SIGINFO)};

    for (size_t i = 0; i < NUMBERS; i++) {
        struct sigaction before;

        if (sigaction(numbers[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
}

/* The opener is there if the tool has started the process. */
static void watch_exits(void)
{
    void (*hook)(void (*)(void));

    *(void **)(void *)&hook = dlsym(RTLD_DEFAULT, VIDMM_ENDING_HOOK);
    if (hook != NULL)
        hook(before_exit);
    at_quick_exit(before_exit);
}

void vidmm_ending_watch(void (*end)(void))
{
    take_apart = end;
    atomic_store(&cause, 0);
    if (sem_init(&wanted, 0, 0) != 0 || sem_init(&over, 0, 0) != 0 || sem_init(&sent, 0, 0) != 0 ||
        !begin_thread(work) || !begin_thread(guard))
        return;
    atomic_store(&owner, getpid());
    watch_exits();
    watch_signals();
}
