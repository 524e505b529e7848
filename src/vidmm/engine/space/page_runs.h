/* page_runs.h: memory in a segment for what the GPU reaches by virtual address.
 *
 * Page tables lead from each page to its place, so an allocation needs no contiguous range. It is
 * given runs of free pages; together they are the allocation, in order:
 *
 *     allocation   |0 1 2 3 4 5 6 7|8 9 a b|c d|
 *                  `------run------'`-run--'`run'
 *     segment      ....|8 9 a b|.x.|c d|..xx..|0 1 2 3 4 5 6 7|xx
 *
 * So an allocation fits if that many bytes are free, wherever they are, and nothing is ever refused
 * or evicted for want of a hole.
 *
 * RUNS AND PAGE SIZES. A page of 2 MiB or 64 KiB can be mapped where a run holds it whole, aligned.
 * Runs are looked for in units of 2 MiB first, then of 64 KiB, then of 4 KiB, and as few as
 * possible: all that is left in one run, if a hole holds it, otherwise most of the largest hole.
 *
 * THE WISH. For memory in runs the terms of DXGK_ALLOCATIONINFO mean:
 *
 *     Alignment         each run begins at a multiple of it in the segment, and each run but the
 *                       last is a multiple of it long (S1-004)
 *     FromEndOfSegment  or the direction of a preferred segment, which comes before it: each run is
 *                       at the high end of its hole (S3-018, D-018). The choice of holes is that of
 *                       the pages: the largest first
 *     HintedBank        if one run in the bank can be all of it, it is; otherwise the hint is not
 *                       followed (S1-007). decide/runs.c sees to it: here no window is looked at
 *
 * Contiguous ranges and runs live in one segment, side by side.
 *
 * SUPPLY. Whether the runs would be found, if some more were free, is counted in whole units of the
 * alignment, and the longest place for the rest that is no whole unit:
 *
 *     hole       |....======================..|     = whole units, . no whole unit: the second one
 *                     ^ multiple of the alignment    begins at a multiple, so it may hold the rest
 *
 * Ownership: the caller owns the list, and gives it back with the memory's free(). The ranges
 * are the list's until vidmm_page_runs_release(); it tells addresses afterwards too, for whoever
 * is still on the way out of them. One caller at a time.
 *
 * Source: "GPU virtual address", DXGK_ALLOCATIONINFO, "Physical memory reference".
 */
#ifndef VIDMM_ENGINE_SPACE_PAGE_RUNS_H
#define VIDMM_ENGINE_SPACE_PAGE_RUNS_H

#include <vidmm/segment.h>

struct vidmm_page_run {
    uint64_t offset; /* bytes from the start of the segment */
    vidmm_range range;
    uint32_t end; /* page of the allocation behind the run's last */
};

/* Memory of one allocation. */
struct vidmm_page_runs {
    uint32_t count, capacity;
    struct vidmm_page_run runs[];
};

/* Make an empty list with room for so many runs. NULL: no memory. */
struct vidmm_page_runs *vidmm_page_runs_create(const struct vidmm_memory *memory,
                                               uint32_t capacity);
/* Make a list of the runs, with room for no more: it owns the ranges from then on, if the caller
 * says so. NULL: no memory. */
struct vidmm_page_runs *vidmm_page_runs_copy(const struct vidmm_memory *memory,
                                             const struct vidmm_page_runs *runs);

/* How many runs a request may come in at most, whatever is released before it is taken. */
uint32_t vidmm_page_runs_most(const struct vidmm_segment *segment,
                              const struct vidmm_range_request *request);

/* Take memory. `request` is as vidmm_segment_take() reads it, without a window; `runs` has room for
 * as many as it may come in.
 *
 * False: so many bytes are not free in runs that the alignment allows (of an alignment of a page:
 * they are not free), the size is 0, the alignment is no power of two, or there is no memory for
 * the records of so many ranges. Nothing has changed, and the list is empty. After a
 * vidmm_segment_reserve() for as many, memory is never the cause. */
bool vidmm_page_runs_take(struct vidmm_segment *segment, const struct vidmm_range_request *request,
                          uint32_t owner, struct vidmm_page_runs *runs);

/* Give the memory back. The list goes on to tell the addresses. */
void vidmm_page_runs_release(struct vidmm_segment *segment, struct vidmm_page_runs *runs);

/* The place of a page of the allocation: bytes from the start of the segment. *pages receives how
 * many follow there, itself included. `page` is one of the allocation's. */
uint64_t vidmm_page_runs_at(const struct vidmm_page_runs *runs, uint32_t page, uint32_t *pages);

/* Pages in all runs. */
uint32_t vidmm_page_runs_pages(const struct vidmm_page_runs *runs);

/* Stop the program if an invariant of page_runs.c does not hold. Looks at every run, which the list
 * owns. */
void vidmm_page_runs_check(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs);

/* Memory that is free for a request, or will be. */
struct vidmm_page_supply {
    const struct vidmm_segment *segment;
    uint64_t unit;           /* bytes */
    uint64_t wanted, rest;   /* whole units, and bytes besides */
    uint64_t units, longest; /* that there are; bytes of the longest piece below a unit */
    bool joined;             /* `longest` may be a part of a unit by now, and counts no more */
    bool small_ones;         /* it is that of all holes, not only of those with a whole unit */
};

/* Count what is free in the segment. */
void vidmm_page_supply_init(struct vidmm_page_supply *supply, const struct vidmm_segment *segment,
                            const struct vidmm_range_request *request);
/* [start, end) will be free as well; [low, start) and [end, high) beside it are, or will be. */
void vidmm_page_supply_join(struct vidmm_page_supply *supply, uint64_t low, uint64_t start,
                            uint64_t end, uint64_t high);
/* Whether vidmm_page_runs_take() would take the request once all that is free. After a join a rest
 * counts as a whole unit, so a false may be wrong by less than one: count anew to be certain. */
bool vidmm_page_supply_is_enough(struct vidmm_page_supply *supply);

/* Count anew: nothing is free, but what vidmm_page_supply_add() tells, from one taken byte to the
 * next. */
void vidmm_page_supply_clear(struct vidmm_page_supply *supply);
void vidmm_page_supply_add(struct vidmm_page_supply *supply, uint64_t low, uint64_t high);

#endif
