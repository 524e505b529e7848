/*
 * segment_state.h: declarations that the sources of the segment share. Private to segment*.c, which
 * explain it.
 */
#ifndef VIDMM_SEGMENT_STATE_H
#define VIDMM_SEGMENT_STATE_H

#include <vidmm/segment.h>

/* A live range [start, end) in pages, and the hole from its end to the start of the next record. */
struct record {
    uint32_t start;
    uint32_t end;        /* 0: a spare record, or one of the fixed ones */
    uint32_t next, prev; /* in order of address; next of a spare record: the next spare one */
    uint32_t owner;
    uint32_t hole_next; /* the holes of one cell; undefined while no hole follows */
    uint32_t hole_prev; /* of the first in a cell: FIRST_IN_CELL | cell */
};

#define FIRST_IN_CELL 0x80000000u

/*
 * A record goes by the place where it lies in the table, counted in words of 32 bits, so that
 * following a link is one instruction. The first two are fixed.
 */
enum {
    RECORD = sizeof(struct record) / sizeof(uint32_t),
    NONE = 0,        /* ends every list; as the record after the last, it starts at `pages` */
    ANCHOR = RECORD, /* before the first range: [0, 0) */
    FIXED_RECORDS = 2,
};

static inline struct record *at(const struct vidmm_segment *s, uint32_t record)
{
    return (struct record *)(void *)(s->table + record);
}

static inline uint32_t hole_end(const struct vidmm_segment *s, uint32_t hole)
{
    return at(s, at(s, hole)->next)->start;
}

/* A request in pages, checked. */
struct wish {
    uint64_t align_mask; /* alignment - 1 */
    uint32_t size;
    bool from_end;
};

/* Whether [low, high) has a place. Counted from either end, there is one or there is none. */
static inline bool fits(struct wish wish, uint64_t low, uint64_t high)
{
    return ((low + wish.align_mask) & ~wish.align_mask) + wish.size <= high;
}

/* ---- The survey: bounds of what the known holes can hold (segment_survey.c) ---- */

/* Bytes of a survey over so many records. */
size_t vidmm_survey_size(uint32_t capacity);

/* Carry a survey over to a larger table; `to` is zeroed. */
void vidmm_survey_copy(uint32_t *to, uint32_t to_capacity, const uint32_t *from,
                       uint32_t from_capacity);

/* Add holes of a list, from `hole` on, until one has a place for the wish: that is the answer.
 * NONE: none has, all are added, and `*last` is the last of them. */
uint32_t vidmm_survey_add(struct vidmm_segment *segment, uint32_t hole, struct wish wish,
                          uint32_t *last);

/* A hole with a place for the wish. NONE: no hole that was added and has not changed has one. */
uint32_t vidmm_survey_find(struct vidmm_segment *segment, struct wish wish);

/* Whether every bound that a hole is under is at least what the hole can hold. */
bool vidmm_survey_covers(const struct vidmm_segment *segment, uint32_t hole);

#endif
