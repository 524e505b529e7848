/* host_pages.h: the pages of a CPU host aperture, and whose they are.
 *
 * The aperture is a window of the bus; each of its pages shows whatever page of a segment its
 * driver was told. So an owner needs no contiguous range: it is given free pages, wherever they
 * are, in a chain.
 *
 *     page     0    1    2    3    4    5
 *     owner    7    .    7    3    .    7         chain of 7: 2 -> 0 -> 5 -> end
 *
 * As long as pages are free, any wish for that many is granted: the aperture cannot be fragmented.
 *
 * An owner is a number, and 0 is nobody. Ownership of the memory: the caller's, between init and
 * finish. One caller at a time.
 *
 * Source: "Allocation usage tracking", CPUHostAperture; S2-024, S2-025.
 */
#ifndef VIDMM_ENGINE_SPACE_HOST_PAGES_H
#define VIDMM_ENGINE_SPACE_HOST_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/memory.h>

#define VIDMM_NO_HOST_PAGE UINT32_MAX /* ends a chain; a page number is below it */

struct vidmm_host_page {
    uint32_t next;  /* page behind it in its chain, or among the free ones */
    uint32_t owner; /* 0: it is free */
};

struct vidmm_host_pages {
    struct vidmm_host_page *pages; /* NULL: there are none */
    uint32_t count, free;
    uint32_t first_free;
};

/* Make a table of so many pages, all free; 0 is none at all. False: no memory. */
bool vidmm_host_pages_init(struct vidmm_host_pages *table, uint32_t count,
                           const struct vidmm_memory *memory);
void vidmm_host_pages_finish(struct vidmm_host_pages *table, const struct vidmm_memory *memory);

/* Take `count` pages, 1 or more, for an owner. Answers the first of their chain;
 * VIDMM_NO_HOST_PAGE: so many are not free, and none is taken. */
uint32_t vidmm_host_pages_take(struct vidmm_host_pages *table, uint32_t owner, uint32_t count);
/* Give all pages of the chain back, from `first` on. */
void vidmm_host_pages_release(struct vidmm_host_pages *table, uint32_t first);
/* Keep the first `count` pages of the chain, 1 or more and no more than it has, and give the others
 * back. */
void vidmm_host_pages_trim(struct vidmm_host_pages *table, uint32_t first, uint32_t count);
/* The page behind this one in its chain; VIDMM_NO_HOST_PAGE: it is the last. */
uint32_t vidmm_host_pages_next(const struct vidmm_host_pages *table, uint32_t page);
/* Pages of the chain. */
uint32_t vidmm_host_pages_length(const struct vidmm_host_pages *table, uint32_t first);
/* Stop the program if an invariant of host_pages.c does not hold. */
void vidmm_host_pages_check(const struct vidmm_host_pages *table);

#endif
