/*
 * segment.h: the ranges inside one segment.
 *
 * A segment is so many bytes, numbered from 0. Every byte lies in exactly one range: a live range,
 * which somebody took, or a hole between live ranges. Two holes never touch.
 *
 *      0          64K              320K    384K                   size
 *      +----------+----------------+-------+----------------------+
 *      | live  a  |     hole       | live b|         hole         |
 *      +----------+----------------+-------+----------------------+
 *        first(), then next() ... the ranges in order of address
 *
 * This module only knows where things are. Its callers decide everything else: the BaseAddress, the
 * kind of segment, the meaning of an allocation, and the allocation that has to leave. An owner
 * number is kept with each range and given back, never looked at.
 *
 * The granule is a page of 4096 bytes. Sizes are rounded up to pages, the segment's own size down;
 * an alignment below a page is a page. A segment has fewer than 2^32 pages (16 TiB).
 *
 * Placement is exact: if the segment has a place for a request, the request gets one. The choice of
 * the hole is policy (see segment.c) and the same for the same calls. The caller chooses the end of
 * that hole: VIDMM_FROM_START places at the lowest fitting offset of the hole, VIDMM_FROM_END at
 * the highest (FromEndOfSegment, and the direction bit of a preferred segment or bank).
 *
 * Ownership: the segment owns its records, made of the memory it was given; the caller owns the
 * struct itself and may not move it. One caller at a time; nothing here waits or locks.
 *
 * Source: "DXGK_ALLOCATIONINFO", Alignment; "DXGK_ALLOCATIONINFOFLAGS", FromEndOfSegment;
 * "Dividing a memory-space segment into banks".
 */
#ifndef VIDMM_SEGMENT_H
#define VIDMM_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A range of a segment, live or a hole; 0 is none.
 *
 * A live range keeps its number from take to release. The number of a hole is good until the next
 * take or release.
 */
typedef uint32_t vidmm_range;

enum vidmm_direction {
    VIDMM_FROM_START, /* the default: at the low end of the chosen hole */
    VIDMM_FROM_END,   /* FromEndOfSegment: at the high end of the chosen hole */
};

/* The range that is asked for. All in bytes. */
struct vidmm_range_request {
    uint64_t size;      /* 1 or more; rounded up to pages */
    uint64_t alignment; /* a power of two, or 0; below a page means a page */
    enum vidmm_direction direction;
    uint64_t window_start; /* the range lies in [window_start, window_end) */
    uint64_t window_end;   /* 0, or past the end: the segment's end */
};

/* Cells of the index of holes: 248 size classes by 4 columns (see segment.c). */
#define VIDMM_SEGMENT_CELLS (248 * 4)

/* A segment. Every member is private to segment.c; use the functions. */
struct vidmm_segment {
    uint32_t *table;                              /* the records */
    uint32_t *survey;                             /* behind the records, in the same block */
    uint32_t *heads;                              /* first hole of each cell */
    uint64_t words;                               /* bit w: cells[w] is not 0 */
    uint64_t cells[VIDMM_SEGMENT_CELLS / 64 + 1]; /* bit c: cell c has a hole */
    uint64_t thirds_per_page;                     /* times 2^32 */
    uint32_t pages;                               /* size of the segment */
    uint32_t free_pages;                          /* in all holes */
    uint32_t capacity;                            /* records in the table */
    uint32_t live;                                /* live ranges */
    uint32_t spare;                               /* first spare record, 0: none */
    uint32_t near;                                /* where a walk to a window begins */
    struct vidmm_memory memory;
};

/*
 * Make a segment of `size` bytes, all of it one hole.
 *
 * size    bytes, 4096 to 2^44 - 4096; rounded down to pages
 * memory  copied; its context must outlive the segment
 *
 * False: the size is out of range, or there is no memory. The struct then needs no finish.
 */
bool vidmm_segment_init(struct vidmm_segment *segment, uint64_t size,
                        const struct vidmm_memory *memory);

/* Give all memory back. Live ranges are forgotten; the struct may be initialised again. */
void vidmm_segment_finish(struct vidmm_segment *segment);

/*
 * Take a range.
 *
 * owner  any number; vidmm_range_owner() gives it back
 *
 * The cost does not grow with the number of ranges, unless the segment is so full that only its
 * largest holes could serve: then it is O(log n), amortised, for alignments of 4 to 64 KiB and of
 * 2 MiB, and O(n) for others. With a window it is O(n).
 *
 * 0: no place in the window satisfies the request, its size is 0, its alignment is no power of
 * two, or there is no memory for the record. Nothing has changed. After a vidmm_segment_reserve()
 * that has not been used up, memory is never the cause.
 */
vidmm_range vidmm_segment_take(struct vidmm_segment *segment,
                               const struct vidmm_range_request *request, uint32_t owner);

/* The place at which a request would be served: in a hole, or nowhere. */
struct vidmm_fit {
    vidmm_range hole; /* 0: nowhere */
    uint64_t offset;  /* bytes */
};

/*
 * Find where vidmm_segment_take() would take the range, and take nothing.
 *
 * The answer is good until the next take or release. Its hole is 0 where that would answer 0.
 */
struct vidmm_fit vidmm_segment_find(struct vidmm_segment *segment,
                                    const struct vidmm_range_request *request);

/*
 * Take the range that vidmm_segment_find() has found.
 *
 * fit   its answer, with a hole; nothing was taken or released since
 * size  of the request
 *
 * Cannot fail.
 */
vidmm_range vidmm_segment_take_fit(struct vidmm_segment *segment, struct vidmm_fit fit,
                                   uint64_t size, uint32_t owner);

/*
 * Take the range at exactly `offset`. Quick near the latest release; O(n) elsewhere.
 *
 * offset  bytes, a multiple of 4096
 * size    bytes, 1 or more; rounded up to pages
 *
 * 0: a byte of it is taken or lies outside the segment, the offset is no multiple of a page, the
 * size is 0, or there is no memory for the record (see vidmm_segment_take). Nothing has changed.
 */
vidmm_range vidmm_segment_take_at(struct vidmm_segment *segment, uint64_t offset, uint64_t size,
                                  uint32_t owner);

/*
 * Take as much as one hole gives, of what is asked for: the largest hole, or one near its size, so
 * that few takes come to many bytes. Both ends of the range are multiples of `unit` from the start
 * of the segment, but for the far end of a range that is all of `most`.
 *
 * most       bytes wanted, 1 or more; rounded up to pages
 * unit       bytes, a power of two, a page or more
 * direction  the end of the hole to take it from
 *
 * 0: no hole has a whole unit or all of `most` at such a place, `most` is 0, the unit is none, or
 * there is no memory for the record. Nothing has changed. The cost is that of vidmm_segment_take().
 */
vidmm_range vidmm_segment_take_most(struct vidmm_segment *segment, uint64_t most, uint64_t unit,
                                    enum vidmm_direction direction, uint32_t owner);

/*
 * Count the whole units in all holes: pieces of `unit` bytes that begin at a multiple of it.
 *
 * unit    bytes, a power of two, a page or more
 * enough  the count may end when there are so many
 * longest receives the bytes of the longest piece behind the last whole unit of a hole, among those
 *         holes that were looked at: all that have a whole unit, if the answer is less than enough
 */
uint64_t vidmm_segment_units(const struct vidmm_segment *segment, uint64_t unit, uint64_t enough,
                             uint64_t *longest);

/* Bytes of the longest piece, below `unit`, that begins at a multiple of `unit` in a hole; 0: there
 * is none. Looks at every hole. */
uint64_t vidmm_segment_longest_below(const struct vidmm_segment *segment, uint64_t unit);

/*
 * Have the records for `ranges` more takes ready, so that those cannot fail for lack of memory.
 *
 * A release in between adds one to what is ready. Asking twice does not add up: the number ready
 * now is at least the larger one.
 *
 * False: there is no memory for so many. Nothing has changed.
 */
bool vidmm_segment_reserve(struct vidmm_segment *segment, uint32_t ranges);

/* Give a live range back. Its bytes and the holes beside it become one hole. Cannot fail. */
void vidmm_segment_release(struct vidmm_segment *segment, vidmm_range range);

/* First byte of a range, from the start of the segment. */
uint64_t vidmm_range_offset(const struct vidmm_segment *segment, vidmm_range range);

/* Bytes of a range: whole pages. */
uint64_t vidmm_range_size(const struct vidmm_segment *segment, vidmm_range range);

/* The owner given when the live range was taken. */
uint32_t vidmm_range_owner(const struct vidmm_segment *segment, vidmm_range range);

/* Whether a range is a hole. Needs no segment: the number tells. */
bool vidmm_range_is_hole(const struct vidmm_segment *segment, vidmm_range range);

/* The range at offset 0. Never 0. */
vidmm_range vidmm_segment_first(const struct vidmm_segment *segment);

/* The range that begins where this one ends, live or hole; 0 after the last. */
vidmm_range vidmm_range_next(const struct vidmm_segment *segment, vidmm_range range);

/* The range that ends where this one begins, live or hole; 0 before the first. */
vidmm_range vidmm_range_prev(const struct vidmm_segment *segment, vidmm_range range);

/*
 * The live range before a live range, over a hole if there is one; 0: there is none.
 *
 * low  receives where the bytes between the two begin, and so where the other one ends; NULL: not
 *      wanted
 */
vidmm_range vidmm_range_live_prev(const struct vidmm_segment *segment, vidmm_range range,
                                  uint64_t *low);

/* The live range after a live range; 0: there is none. *high: where it begins, or the segment
 * ends; NULL: not wanted. */
vidmm_range vidmm_range_live_next(const struct vidmm_segment *segment, vidmm_range range,
                                  uint64_t *high);

/* Bytes in all holes together. */
uint64_t vidmm_segment_free_bytes(const struct vidmm_segment *segment);

/* Bytes of the largest hole; 0 if there is none. Looks at every hole of its size class. */
uint64_t vidmm_segment_largest_hole(const struct vidmm_segment *segment);

/* Stop the program if an invariant of segment.c does not hold. Looks at every range. */
void vidmm_segment_check(const struct vidmm_segment *segment);

#ifdef __cplusplus
}
#endif

#endif
