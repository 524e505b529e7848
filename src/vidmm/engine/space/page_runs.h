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
 *     FromEndOfSegment  and the direction of a preferred segment: runs are taken from the end of
 *                       the segment down (S3-018, D-018)
 *     HintedBank        if one run in the bank can be all of it, it is; otherwise the hint is not
 *                       followed (S1-007)
 *
 * Contiguous ranges and runs live in one segment, side by side.
 *
 * Ownership: the runs own their records, made of the segment's memory, and their ranges. The
 * caller owns the struct, which may be copied: the copy that is released last is the owner. One
 * caller at a time.
 *
 * Source: "GPU virtual address", DXGK_ALLOCATIONINFO, "Physical memory reference".
 */
#ifndef VIDMM_ENGINE_SPACE_PAGE_RUNS_H
#define VIDMM_ENGINE_SPACE_PAGE_RUNS_H

#include <vidmm/segment.h>

struct vidmm_page_run {
    vidmm_range range;
    uint32_t end; /* page of the allocation behind the run's last */
};

/* Memory of one allocation. All zeroes: none. */
struct vidmm_page_runs {
    struct vidmm_page_run only;  /* if it is one run */
    struct vidmm_page_run *many; /* if there are several */
    uint32_t count;
};

/* Take memory. `request` is as vidmm_segment_take() reads it; its window is a hint.
 *
 * False: so many bytes are not free in runs that the alignment allows (of an alignment of a page:
 * they are not free), the size is 0, the alignment is no power of two, or there is no memory for
 * the records. Nothing has changed. */
bool vidmm_page_runs_take(struct vidmm_segment *segment, const struct vidmm_range_request *request,
                          uint32_t owner, struct vidmm_page_runs *runs);

/* Give the memory back; there is none afterwards. Takes none. */
void vidmm_page_runs_release(struct vidmm_segment *segment, struct vidmm_page_runs *runs);

/* The place of a page of the allocation: bytes from the start of the segment. *pages receives how
 * many follow there, itself included. `page` is one of the allocation's. */
uint64_t vidmm_page_runs_at(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs,
                            uint32_t page, uint32_t *pages);

/* Pages in all runs. */
uint32_t vidmm_page_runs_pages(const struct vidmm_page_runs *runs);

/* Stop the program if an invariant of page_runs.c does not hold. Looks at every run. */
void vidmm_page_runs_check(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs);

#endif
