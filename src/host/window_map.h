/* window_map.h: which window an address is in.
 *
 *     address   [ 9 bits | 9 bits | 9 bits | 9 bits | page ]       as a processor's page tables
 *                  |
 *     root -----> node -----> node -----> node -----> window
 *                                '------------------> window, of all 2 MiB that the entry is about
 *
 * A window stands in the entry of each of its pages, or in one entry above where it has all that
 * the entry is about. So a fault is answered in at most four steps, however many windows there are,
 * and making one does not look at the others.
 *
 * Threads: any thread finds, in a fault handler too and without a lock; one thread at a time adds
 * and removes. A node that was once reached stays readable: nodes are never given back, and serve
 * whatever comes to lie there.
 */
#ifndef VIDMM_HOST_WINDOW_MAP_H
#define VIDMM_HOST_WINDOW_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_window;

/* Let the addresses [start, start + size) lead to the window: whole pages, that led nowhere. False:
 * no memory; they lead nowhere still. */
bool vidmm_window_map_add(struct vidmm_window *window, uintptr_t start, uint64_t size);
/* Let them lead nowhere again. */
void vidmm_window_map_remove(uintptr_t start, uint64_t size);
/* The window that the address leads to; NULL: none. */
struct vidmm_window *vidmm_window_map_find(uintptr_t address);

#endif
