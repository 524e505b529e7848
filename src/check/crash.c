/* crash.c: signals. A handler of ours runs on a stack of its own, since the driver's may be the
 * one that overflowed; it writes to the board and ends the process. */
#include "check/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

enum { FRAMES = 48, STACK = 256 << 10 };

static struct vidmm_board *board;
static uintptr_t base, end;
static _Thread_local bool looking; /* at the stack, which may be no stack */
static _Thread_local sigjmp_buf looked;

/* The span of the driver's file in memory. */
static int measure(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    if (info->dlpi_addr != *(uintptr_t *)argument)
        return 0;
    base = end = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t last = base + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;

        if (info->dlpi_phdr[i].p_type == PT_LOAD && last > end)
            end = last;
    }
    return 1;
}

uint64_t vidmm_crash_address(const void *address)
{
    uintptr_t at = (uintptr_t)address;

    return at > base && at < end ? at - base : 0;
}

void vidmm_crash_note_stack(void)
{
    void *frames[FRAMES];
    volatile int count = 0;

    if (sigsetjmp(looked, 1) == 0) {
        looking = true;
        count = backtrace(frames, FRAMES);
    }
    looking = false;
    for (int i = 0; i < count; i++) {
        if (vidmm_crash_address(frames[i])) {
            vidmm_board_at(vidmm_crash_address(frames[i]));
            return;
        }
    }
}

static const char *name_of(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV, an access to memory that is not there";
    case SIGBUS:
        return "SIGBUS, an access to memory that is not there";
    case SIGFPE:
        return "SIGFPE, a division by zero";
    case SIGILL:
        return "SIGILL, no instruction of this processor";
    default:
        return "SIGABRT";
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    const void *at = number == SIGABRT ? NULL : info->si_addr;
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t address = vidmm_crash_address((const void *)(uintptr_t)registers[REG_RIP]);

    if (looking)
        siglongjmp(looked, 1);
    if (address)
        vidmm_board_at(address + 1); /* as if it were a return address */
    else
        vidmm_crash_note_stack();
    vidmm_check_find(board, VIDMM_CHECK_CRASH, NULL, "%s, at address %p", name_of(number), at);
    atomic_store(&board->end, VIDMM_BOARD_GAVE_UP);
    _exit(0);
}

void vidmm_crash_watch(struct vidmm_board *the_board, void *driver_file, const char *driver)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    struct link_map *map = NULL;
    void *frames[4];

    (void)driver;
    board = the_board;
    if (dlinfo(driver_file, RTLD_DI_LINKMAP, &map) == 0 && map) {
        uintptr_t address = map->l_addr;

        dl_iterate_phdr(measure, &address);
    }
    backtrace(frames, 4); /* loads what it needs now, not in a handler */
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
}
