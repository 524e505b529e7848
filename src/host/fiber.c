/* fiber.c: fibers; on x86-64 by twelve instructions, elsewhere on ucontext.
 *
 * ucontext saves the signal mask too, by a system call at each switch: ten times the cost, for
 * nothing that is wanted here; and AddressSanitizer warns of it, though it is told of the switches.
 */
#include "host/fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#endif
#ifdef ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

enum { STACK_SIZE = 1024 * 1024, GUARD_SIZE = 4096 };

struct fiber {
    struct vidmm_fiber head;
#ifdef __x86_64__
    void *top; /* of the stack, as the switch left it */
#else
    ucontext_t context;
#endif
    void *mapping; /* guard and stack; NULL for an adopted fiber */
    void (*entry)(void *argument);
    void *argument;
    /* for the sanitizers */
    void *fake_stack;
    const void *bottom;
    size_t size;
    void *shadow;
};

/* The fiber that the running switch left, for the one that arrives. */
static _Thread_local struct fiber *left;

static void before_switch(struct fiber *from, struct fiber *to)
{
    left = from;
#ifdef ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
#endif
#ifdef THREAD_SANITIZER
    if (from->mapping == NULL)
        from->shadow = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->shadow, 0);
#endif
    (void)to;
}

static void after_switch(struct fiber *here)
{
#ifdef ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(here->fake_stack, &left->bottom, &left->size);
#endif
    (void)here;
}

/* The first function of a fiber. */
static void begin(struct fiber *fiber)
{
    after_switch(fiber);
    fiber->entry(fiber->argument);
    abort(); /* there is nowhere to return to */
}

struct vidmm_fiber *vidmm_fiber_adopt(void)
{
    struct fiber *fiber = calloc(1, sizeof(*fiber));

    return fiber != NULL ? &fiber->head : NULL;
}

#ifdef __x86_64__

/* Save what a function must preserve, change stacks, restore it, return on the other stack. */
void vidmm_fiber_change(void **save_top, void *top);
/* The first return of a fiber comes here: rbx holds the fiber, r12 begin(). */
void vidmm_fiber_first(void);

__asm__(".text\n"
        ".globl vidmm_fiber_change\n"
        ".hidden vidmm_fiber_change\n"
        ".type vidmm_fiber_change, @function\n"
        "vidmm_fiber_change:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size vidmm_fiber_change, .-vidmm_fiber_change\n"
        ".globl vidmm_fiber_first\n"
        ".hidden vidmm_fiber_first\n"
        ".type vidmm_fiber_first, @function\n"
        "vidmm_fiber_first:\n"
        "  movq %rbx, %rdi\n"
        "  callq *%r12\n"
        "  hlt\n"
        ".size vidmm_fiber_first, .-vidmm_fiber_first\n");

static void change(struct fiber *from, struct fiber *to)
{
    vidmm_fiber_change(&from->top, to->top);
}

/* Lay out the stack as vidmm_fiber_change() leaves one: r15, r14, r13, r12, rbx, rbp, return. */
static bool prepare(struct fiber *fiber)
{
    uintptr_t *end = (uintptr_t *)((uint8_t *)fiber->mapping + GUARD_SIZE + STACK_SIZE);
    uintptr_t *top = end - 9; /* 16-byte aligned once the return address is off */

    top[3] = (uintptr_t)begin;
    top[4] = (uintptr_t)fiber;
    top[6] = (uintptr_t)vidmm_fiber_first;
    fiber->top = top;
    return true;
}

#else

static void change(struct fiber *from, struct fiber *to)
{
    swapcontext(&from->context, &to->context);
}

static void enter(unsigned high, unsigned low)
{
    begin((struct fiber *)((uintptr_t)high << 32 | low));
}

/* Apart from its caller, because getcontext() may return twice in the compiler's eyes. */
static bool prepare(struct fiber *fiber)
{
    uintptr_t bits = (uintptr_t)fiber;

    if (getcontext(&fiber->context) != 0)
        return false;
    fiber->context.uc_stack.ss_sp = (uint8_t *)fiber->mapping + GUARD_SIZE;
    fiber->context.uc_stack.ss_size = STACK_SIZE;
    makecontext(&fiber->context, (void (*)(void))enter, 2, (unsigned)(bits >> 32),
                (unsigned)(bits & UINT32_MAX));
    return true;
}

#endif

struct vidmm_fiber *vidmm_fiber_create(void (*entry)(void *argument), void *argument)
{
    struct fiber *fiber = calloc(1, sizeof(*fiber));

    if (fiber == NULL)
        return NULL;
    uint8_t *mapping = mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping == MAP_FAILED)
        goto free_fiber;
    fiber->mapping = mapping;
    fiber->entry = entry;
    fiber->argument = argument;
    fiber->bottom = mapping + GUARD_SIZE;
    fiber->size = STACK_SIZE;
    if (mprotect(mapping, GUARD_SIZE, PROT_NONE) != 0 || !prepare(fiber))
        goto unmap_stack;
#ifdef THREAD_SANITIZER
    fiber->shadow = __tsan_create_fiber(0);
#endif
    return &fiber->head;
unmap_stack:
    munmap(mapping, GUARD_SIZE + STACK_SIZE);
free_fiber:
    free(fiber);
    return NULL;
}

void vidmm_fiber_destroy(struct vidmm_fiber *head)
{
    struct fiber *fiber = (struct fiber *)head;

    if (fiber == NULL)
        return;
    if (fiber->mapping != NULL) {
#ifdef THREAD_SANITIZER
        __tsan_destroy_fiber(fiber->shadow);
#endif
        munmap(fiber->mapping, GUARD_SIZE + STACK_SIZE);
    }
    free(fiber);
}

void vidmm_fiber_switch(struct vidmm_fiber *from_head, struct vidmm_fiber *to_head)
{
    struct fiber *from = (struct fiber *)from_head;
    struct fiber *to = (struct fiber *)to_head;

    before_switch(from, to);
    change(from, to);
    after_switch(from);
}
