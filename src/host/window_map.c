/* window_map.c: which window an address is in: a tree by the bits of the address.
 *
 * Invariants
 * M1. An entry is 0, a node, or a window with bit 0 set; on the lowest level it is no node.
 * M2. A node that an entry leads to stays there: readers need no lock.
 */
#include "host/window_map.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PAGE_BITS = 12, LEVEL_BITS = 9, LEVELS = 4, ENTRIES = 1 << LEVEL_BITS };

#define WINDOW ((uintptr_t)1)

struct node {
    _Atomic uintptr_t entries[ENTRIES];
};

static struct node root;

/* How many bits of the address an entry of the level leaves open; level 0 is the lowest. */
static unsigned bits_below(unsigned level)
{
    return PAGE_BITS + level * LEVEL_BITS;
}

static _Atomic uintptr_t *entry_of(struct node *node, unsigned level, uintptr_t address)
{
    return &node->entries[address >> bits_below(level) & (ENTRIES - 1)];
}

/* The entry for as much as possible from `address` on, of at most `size` bytes; *covered receives
 * how much. NULL: no memory. */
static _Atomic uintptr_t *reach(uintptr_t address, uint64_t size, uint64_t *covered)
{
    struct node *node = &root;
    unsigned level = LEVELS - 1;

    for (;; level--) {
        _Atomic uintptr_t *entry = entry_of(node, level, address);
        uintptr_t below = atomic_load_explicit(entry, memory_order_relaxed);

        *covered = (uint64_t)1 << bits_below(level);
        if (level == 0 || (below & WINDOW) != 0 ||
            (below == 0 && address % *covered == 0 && size >= *covered))
            return entry;
        if (below == 0) {
            struct node *made = calloc(1, sizeof(*made));

            if (made == NULL)
                return NULL;
            below = (uintptr_t)made;
            atomic_store_explicit(entry, below, memory_order_release); /* M2 */
        }
        node = (struct node *)below;
    }
}

bool vidmm_window_map_add(struct vidmm_window *window, uintptr_t start, uint64_t size)
{
    uint64_t done = 0, covered;

    for (; done < size; done += covered) {
        _Atomic uintptr_t *entry = reach(start + done, size - done, &covered);

        if (entry == NULL) {
            vidmm_window_map_remove(start, done);
            return false;
        }
        atomic_store_explicit(entry, (uintptr_t)window | WINDOW, memory_order_release); /* M1 */
    }
    return true;
}

void vidmm_window_map_remove(uintptr_t start, uint64_t size)
{
    uint64_t done, covered;

    for (done = 0; done < size; done += covered)
        atomic_store_explicit(reach(start + done, size - done, &covered), 0, memory_order_release);
}

struct vidmm_window *vidmm_window_map_find(uintptr_t address)
{
    uintptr_t below = (uintptr_t)&root;
    unsigned level = LEVELS;

    if ((uint64_t)address >> bits_below(LEVELS) != 0)
        return NULL;
    while (below != 0 && (below & WINDOW) == 0)
        below = atomic_load_explicit(entry_of((struct node *)below, --level, address),
                                     memory_order_acquire);
    return (struct vidmm_window *)(below & ~WINDOW);
}
