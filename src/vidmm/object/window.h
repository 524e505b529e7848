/* window.h: the addresses by which the CPU sees an allocation; for the two faces
 * (object/adapter.h). */
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
    struct vidmm_place place; /* what it shows, if it is open; segment 0: the backing store */
    uint32_t range;           /* by which; 0: none */
    bool open;
    bool reserved; /* it can show the backing store */
};

/* The window of an allocation (object/window.c); the mutex is held. */
/* Let it show the place, by a swizzling range if that is not 0. False: no address space. */
bool vidmm_window_open(struct vidmm_allocation *allocation, struct vidmm_place place,
                       uint32_t range);
void vidmm_window_forget(struct vidmm_allocation *allocation, uint32_t range);
/* Close it, if it can be opened at the backing store again whatever happens. False: it cannot. */
bool vidmm_window_try_close(struct vidmm_allocation *allocation);
/* Take all of its addresses away; more may be made later. */
void vidmm_window_close_all(struct vidmm_allocation *allocation);
void *vidmm_window_address(struct vidmm_allocation *allocation);
/* Have the engine acquire a range for the alternate address, for no lock (S0-049). */
NTSTATUS vidmm_lock_set_up(struct vidmm_allocation *allocation);

#endif
