/* fault.c: whose fault a signal is.
 *
 * F1  a fault is the driver's if its instruction is in the driver's file; in another file it is
 *     told as what the driver had called, if the thread is inside a call of the driver
 * F2  told or not, the former handler sees it; if there is none, the instruction is done again, and
 *     ends the process
 */
#include "dxcore/fault.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/machine.h"

static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };
static struct sigaction before[NUMBERS];

static struct vidmm_fault_owner owner;
static const char *driver;
static uintptr_t base; /* of the driver's file in memory */
static atomic_bool watching, told;
static _Thread_local const char *call; /* of the driver, that this thread is in */

void *vidmm_fault_enter(const char *entered)
{
    const char *outer = call;

    call = entered;
    return (void *)(uintptr_t)outer;
}

void vidmm_fault_leave(void *entered)
{
    call = entered;
}

/* A name of wddm/calls.def has no DxgkDdi in front of it. */
const char *vidmm_fault_call(void)
{
    static _Thread_local char text[80];
    bool short_name =
        call != NULL && strncmp(call, "Dxgk", 4) != 0 && strcmp(call, "DriverEntry") != 0;

    snprintf(text, sizeof(text), "%s%s", short_name ? "DxgkDdi" : "",
             call != NULL ? call : "a thread of its own");
    return text;
}

static int index_of(int number)
{
    int i = 0;

    while (numbers[i] != number)
        i++;
    return i;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void vidmm_fault_place(const void *place, char *text, size_t size)
{
    Dl_info found;

    text[0] = '\0';
    if (place != NULL && dladdr(place, &found) != 0 && found.dli_fname != NULL)
        snprintf(text, size, "%s+0x%" PRIxPTR,
                 name_of((uintptr_t)found.dli_fbase == base ? driver : found.dli_fname),
                 (uintptr_t)place - (uintptr_t)found.dli_fbase);
}

/* F1 */
static void tell(int number, const siginfo_t *info, const void *instruction)
{
    Dl_info found;
    bool own = dladdr(instruction, &found) != 0 && (uintptr_t)found.dli_fbase == base;
    char text[600], place[200];

    if ((!own && call == NULL) || atomic_exchange(&told, true))
        return;
    vidmm_fault_place(instruction, place, sizeof(place));
    snprintf(text, sizeof(text),
             "the fault lay in %s: SIG%s at address %p, by the instruction at %s, in %s",
             own ? "the miniport" : "what the miniport had called", sigabbrev_np(number),
             info->si_addr, place[0] != '\0' ? place : "an address in no file", vidmm_fault_call());
    owner.fell(owner.argument, text);
}

/* F2 */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *action = &before[index_of(number)];

    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
        sigaction(number, action, NULL);
    else if ((action->sa_flags & SA_SIGINFO) != 0)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
    if (atomic_load(&watching))
        tell(number, info, vidmm_machine_instruction(context));
    pass_on(number, info, context);
}

void vidmm_fault_watch(void *driver_file, const char *path,
                       const struct vidmm_fault_owner *the_owner)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct link_map *map = NULL;

    owner = *the_owner;
    driver = path;
    if (dlinfo(driver_file, RTLD_DI_LINKMAP, &map) == 0)
        base = map->l_addr;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &action, &before[i]);
    atomic_store(&watching, true);
}

/* Actions that others have put in place of ours stay. */
void vidmm_fault_forget(void)
{
    struct sigaction now;

    if (!atomic_exchange(&watching, false))
        return;
    for (int i = 0; i < NUMBERS; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
            now.sa_sigaction == handle)
            sigaction(numbers[i], &before[i], NULL);
}

void vidmm_fault_abort(void)
{
    atomic_store(&told, true);
    abort();
}
