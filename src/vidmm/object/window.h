/* window.h: the addresses by which the CPU sees an allocation wherever it is. The adapter's mutex
 * is held in all that is here.
 */
#ifndef VIDMM_OBJECT_WINDOW_H
#define VIDMM_OBJECT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>

struct vidmm_allocation;

/* The addresses by which the CPU sees an allocation wherever it is (object/window.c). */
struct vidmm_allocation_window {
    struct vidmm_window *window; /* NULL: it was never locked, or all were taken away */
    void *address;
    struct vidmm_place place; /* the place that it shows, if it is open; segment 0: the backing
                               * store */
    uint32_t range;           /* by which; 0: none */
    uint64_t *frames; /* room for the pages of a place in several runs; NULL: there are none */
    bool open;
    bool scattered; /* it shows several runs */
    bool reserved;  /* it can show the backing store */
};

/* Let it show the place, by a swizzling range if that is not 0; makes the window the first time.
 * False: no address space, and it shows what it showed. */
bool vidmm_window_open(struct vidmm_allocation *allocation, struct vidmm_place place,
                       uint32_t range);
/* The range shows something else from here on: its windows are to be opened anew. */
void vidmm_window_forget(struct vidmm_allocation *allocation, uint32_t range);
/* Close it, if it can be opened at the backing store again whatever happens. False: it cannot, and
 * is as it was. */
bool vidmm_window_try_close(struct vidmm_allocation *allocation);
/* Take all of its addresses away; more may be made later. */
void vidmm_window_close_all(struct vidmm_allocation *allocation);
/* Its address, which it has as long as it is not taken away. */
void *vidmm_window_address(struct vidmm_allocation *allocation);

#endif
