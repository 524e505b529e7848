/* interrupt.c: one word, written by a signal handler. */
#include "tool/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdatomic.h>

static atomic_int noted;

static void note(int number)
{
    atomic_store(&noted, number);
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
}

int vidmm_interrupt_signal(void)
{
    return atomic_load_explicit(&noted, memory_order_relaxed);
}
