/* machine.h: the registers of a thread, as a signal shows them: on x64 and on arm64. It is included
 * before the headers of the kit, whose annotations are names in the system's headers.
 *
 * `context` is always the third argument of a handler, a ucontext_t.
 */
#ifndef VIDMM_KIT_MACHINE_H
#define VIDMM_KIT_MACHINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

/* The instruction that the thread is at. */
static inline void *vidmm_machine_instruction(const void *context)
{
    return (void *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

/* The place of the address that a callee that has done nothing yet would return to: on the stack,
 * which may be none. */
static inline void *const *vidmm_machine_caller(const void *context)
{
    return (void *const *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
}

/* The place of the address by which the thread has come to its instruction, if a function has just
 * returned there. */
static inline void *const *vidmm_machine_returned(const void *context)
{
    return vidmm_machine_caller(context) - 1;
}

/* Send the thread to a function that does not return: below what it has on its stack (and the red
 * zone there), aligned as after a call. */
static inline void vidmm_machine_go(void *context, void (*place)(void))
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

    registers[REG_RSP] = ((registers[REG_RSP] - 256) & ~(greg_t)15) - 8;
    registers[REG_RIP] = (greg_t)(uintptr_t)place;
}

/* The first or second argument (0, 1) of the system call that the thread is in. */
static inline int64_t vidmm_machine_argument(const void *context, int number)
{
    return ((const ucontext_t *)context)->uc_mcontext.gregs[number == 0 ? REG_RDI : REG_RSI];
}

/* Let the system call answer this. */
static inline void vidmm_machine_answer(void *context, int64_t answer)
{
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = answer;
}

#elif defined(__aarch64__)

static inline void *vidmm_machine_instruction(const void *context)
{
    return (void *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
}

/* The link register. */
static inline void *const *vidmm_machine_caller(const void *context)
{
    return (void *const *)(const void *)&((const ucontext_t *)context)->uc_mcontext.regs[30];
}

static inline void *const *vidmm_machine_returned(const void *context)
{
    return vidmm_machine_caller(context);
}

static inline void vidmm_machine_go(void *context, void (*place)(void))
{
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;

    registers->sp &= ~UINT64_C(15);
    registers->regs[30] = registers->pc;
    registers->pc = (uintptr_t)place;
}

static inline int64_t vidmm_machine_argument(const void *context, int number)
{
    return (int64_t)((const ucontext_t *)context)->uc_mcontext.regs[number];
}

static inline void vidmm_machine_answer(void *context, int64_t answer)
{
    ((ucontext_t *)context)->uc_mcontext.regs[0] = (uint64_t)answer;
}

#endif

/* Whether a fault at `address` says that the thread's stack has come to its end: nothing else is so
 * near to the stack pointer and not there. */
static inline bool vidmm_machine_is_stack(const void *context, const void *address)
{
    const uintptr_t near = 64 << 10;
#if defined(__x86_64__)
    uintptr_t top = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    uintptr_t top = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.sp;
#endif

    return (uintptr_t)address - (top - near) < 2 * near;
}

#endif
