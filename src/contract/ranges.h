/*
 * ranges.h: owners of ranges: ranges of addresses that never overlap, each with an owner.
 *
 *        a         b    b            c
 *     [======)  [=====)[===)     [=======)
 *
 * A treap, so that a segment may hold any number of ranges. Setting a range cuts away whatever was
 * in its place; cutting may split one range in two, both with the owner of the first.
 *
 * Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_RANGES_H
#define VIDMM_CONTRACT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_owned_range {
    uint64_t start, end; /* [start, end) */
    void *owner;         /* may be NULL: in use by nobody that is known */
    uint64_t tag;        /* the owner's: the value that corresponds to `start`; moves along when
                          * cut */
    struct vidmm_owned_range *left, *right;
    uint32_t priority;
};

/* All zero is empty. */
struct vidmm_ranges {
    struct vidmm_owned_range *root;
    uint32_t seed;
    size_t count;
};

void vidmm_ranges_finish(struct vidmm_ranges *ranges);

/* Find the first range, in order of address, that ends above `address`; NULL: none. */
struct vidmm_owned_range *vidmm_ranges_after(const struct vidmm_ranges *ranges, uint64_t address);

/* Find the first range that shares an address with [start, end); NULL: none. */
struct vidmm_owned_range *vidmm_ranges_meet(const struct vidmm_ranges *ranges, uint64_t start,
                                            uint64_t end);

/* True if every address of [start, end) is in some range. */
bool vidmm_ranges_cover(const struct vidmm_ranges *ranges, uint64_t start, uint64_t end);

/* Take [start, end) away from all ranges. False: no memory to split one; nothing has changed. */
bool vidmm_ranges_cut(struct vidmm_ranges *ranges, uint64_t start, uint64_t end);

/* Give [start, end), not empty, to an owner. False: no memory; nothing has changed. */
bool vidmm_ranges_set(struct vidmm_ranges *ranges, uint64_t start, uint64_t end, void *owner,
                      uint64_t tag);

#endif
