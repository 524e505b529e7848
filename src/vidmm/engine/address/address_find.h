/* address_find.h: the ranges of a space as a tree. Private to address_*.c. */
#ifndef VIDMM_ENGINE_ADDRESS_ADDRESS_FIND_H
#define VIDMM_ENGINE_ADDRESS_ADDRESS_FIND_H

#include <stdint.h>

struct vidmm_address_range;
struct vidmm_address_space;
struct vidmm_address_wish;
struct vidmm_tree_node;

static inline struct vidmm_address_range *vidmm_address_range_of(struct vidmm_tree_node *node)
{
    return (struct vidmm_address_range *)(void *)node; /* its first member */
}

/* The range that holds the page, or else the first one behind it. NULL: there is none. */
struct vidmm_address_range *vidmm_address_find_page(const struct vidmm_address_space *space,
                                                    uint64_t page);

/* Put a range among the others; its pages are free. `next`: the first one behind it, or NULL. */
void vidmm_address_insert(struct vidmm_address_space *space, struct vidmm_address_range *range,
                          struct vidmm_address_range *next);
/* Take a range out; its pages are free. */
void vidmm_address_remove(struct vidmm_address_space *space, struct vidmm_address_range *range);

/* The lowest addresses for the wish, which has no base, and the first range behind them, or NULL.
 * 0: there are none. */
uint64_t vidmm_address_choose(const struct vidmm_address_space *space,
                              const struct vidmm_address_wish *wish,
                              struct vidmm_address_range **next);

/* Stop the program if a gap is not what it says (A6, A7). */
void vidmm_address_check_gaps(const struct vidmm_address_space *space);

#endif
