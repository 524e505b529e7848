/* fiber.c: fibers on ucontext. */
#include "host/fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

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
    ucontext_t context;
    void *mapping; /* guard and stack; NULL for an adopted fiber */
    void (*entry)(void *argument);
    void *argument;
    /* for the sanitizers */
    void *fake_stack;
    const void *bottom;
    size_t size;
    void *shadow;
};

/* Whom the running switch left, for the one who arrives. */
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

static void enter(unsigned high, unsigned low)
{
    struct fiber *fiber = (struct fiber *)((uintptr_t)high << 32 | low);

    after_switch(fiber);
    fiber->entry(fiber->argument);
    abort(); /* there is nowhere to return to */
}

struct vidmm_fiber *vidmm_fiber_adopt(void)
{
    struct fiber *fiber = calloc(1, sizeof(*fiber));

    return fiber != NULL ? &fiber->head : NULL;
}

/* Have the first switch to the fiber enter it. Apart, because getcontext() may return twice in the
 * compiler's eyes. */
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
    swapcontext(&from->context, &to->context);
    after_switch(from);
}
