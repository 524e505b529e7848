/* window.h: addresses that stay while what they show changes.
 *
 *     window    [ p0 | p1 | p2 | p3 ]      show_pages():    frames 7, 3, 4, 9 of system memory
 *                                          show_physical(): device memory from an address on
 *                                          close_window():  nothing; a touch waits
 *
 * A closed window has no access rights, so a touch is a fault. The fault handler, which is one for
 * the process, finds the window by the address (window_map.h) and makes the thread wait until it is
 * open: in a system call (threaded), or by letting the rest of the machine run (simulated). Then
 * the instruction is done again. A fault elsewhere is passed on to the handler that was there
 * before.
 *
 * Ownership: windows are the machine's, from vidmm_window_create() to vidmm_window_destroy(); the
 * record stays for the next window, because a fault handler may be looking at it.
 */
#ifndef VIDMM_HOST_WINDOW_H
#define VIDMM_HOST_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vidmm_window {
    struct vidmm_window *next; /* of the records that are not in use */
    struct vidmm_machine *machine;
    _Atomic uintptr_t start; /* 0: the record is not in use */
    _Atomic uint64_t size;   /* bytes */
    _Atomic uint32_t open;   /* 0: closed; the word that threads sleep on */
    uint64_t runs;           /* mappings of the system set aside for it */
    uint64_t kept;           /* of these, for good: not for the next show_device_pages() alone */
};

/* The functions of struct vidmm_host, in its words. context is a slot. */
struct vidmm_window *vidmm_window_create(void *context, uint64_t count, void **address);
bool vidmm_window_reserve(void *context, struct vidmm_window *window, const uint64_t *frames);
void vidmm_window_show_pages(void *context, struct vidmm_window *window, const uint64_t *frames);
bool vidmm_window_reserve_physical(void *context, struct vidmm_window *window,
                                   uint64_t physical_address);
void vidmm_window_show_physical(void *context, struct vidmm_window *window,
                                uint64_t physical_address);
bool vidmm_window_reserve_device_pages(void *context, struct vidmm_window *window,
                                       const uint64_t *frames);
void vidmm_window_show_device_pages(void *context, struct vidmm_window *window,
                                    const uint64_t *frames);
void vidmm_window_close(void *context, struct vidmm_window *window);
void vidmm_window_destroy(void *context, struct vidmm_window *window);

/* Sleep until the window is open, on the thread that calls. Always true. */
bool vidmm_window_sleep(struct vidmm_window *window);

static inline bool vidmm_window_is_open(const struct vidmm_window *window)
{
    return atomic_load(&window->open) != 0;
}

#endif
