/* fiber.h: stacks that one thread changes between, so that a wait is a switch and not a nesting.
 *
 *     thread:   stack A ----> switch(A, B) ----> stack B ----> switch(B, A) ----> A goes on
 *
 * The sanitizers are told of every switch.
 */
#ifndef VIDMM_HOST_FIBER_H
#define VIDMM_HOST_FIBER_H

#include <stdbool.h>

struct vidmm_fiber {
    struct vidmm_fiber *next; /* the user's list */
    bool idle;                /* the user's mark */
};

/* A fiber for the stack that the caller runs on. NULL: no memory. */
struct vidmm_fiber *vidmm_fiber_adopt(void);

/* A fiber with a stack of its own, on which entry(argument) runs from the first switch on; entry
 * never returns. NULL: no memory. */
struct vidmm_fiber *vidmm_fiber_create(void (*entry)(void *argument), void *argument);

/* Free a fiber that nobody runs on, or an adopted one. NULL: nothing happens. */
void vidmm_fiber_destroy(struct vidmm_fiber *fiber);

/* Leave `from`, which is the running one, and go on where `to` was left. Returns when somebody
 * switches to `from`. */
void vidmm_fiber_switch(struct vidmm_fiber *from, struct vidmm_fiber *to);

#endif
