/* interrupt.c: one word, written by a signal handler, and a clock that runs from then on. */
#include "tool/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PATIENCE_S = 20 }; /* from the signal until the end of the run, at most */

static atomic_int noted;

static void note(int number)
{
    atomic_store(&noted, number);
    alarm(PATIENCE_S);
}

/* The run has not come to a step of its own: it ends as it would have without a handler. */
static void give_up(int number)
{
    (void)number;
    raise(atomic_load(&noted));
}

void vidmm_interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct sigaction before;

        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = give_up;
    sigaction(SIGALRM, &action, NULL);
}

void vidmm_interrupt_ended(void)
{
    alarm(0);
}

int vidmm_interrupt_signal(void)
{
    return atomic_load_explicit(&noted, memory_order_relaxed);
}
