/*
 * segment_index.h: the holes of a segment by size class and third. Private to segment.c, which
 * explains it.
 */
#ifndef VIDMM_SEGMENT_INDEX_H
#define VIDMM_SEGMENT_INDEX_H

#include "base/bits.h"
#include "vidmm/engine/space/segment_state.h"

enum {
    NO_CELL = 0, /* a cell of class 0, always empty: no hole has 0 pages */
    THIRDS = 3,
    KNOWN = THIRDS, /* the column of known holes */
    COLUMNS = THIRDS + 1,
    CELLS = VIDMM_SEGMENT_CELLS,
};

/* The class of a number of pages: its highest bit and the three below it. Exact below 16. */
static inline uint32_t class_of(uint32_t pages)
{
    uint32_t shift = vidmm_highest_bit(pages | 8) - 3;

    return (shift << 3) + (pages >> shift);
}

static inline uint32_t cell_of(const struct vidmm_segment *s, uint32_t start, uint32_t pages)
{
    return class_of(pages) * COLUMNS + (uint32_t)(start * s->thirds_per_page >> 32);
}

/* The first cell with holes, from `cell` on; NO_CELL if there is none. */
static inline uint32_t next_cell(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t word = cell / 64;
    uint64_t bits = s->cells[word] & ~UINT64_C(0) << cell % 64;

    if (bits == 0) {
        uint64_t words = s->words & ~UINT64_C(1) << word;

        if (words == 0)
            return NO_CELL;
        word = vidmm_lowest_bit(words);
        bits = s->cells[word];
    }
    return word * 64 + vidmm_lowest_bit(bits);
}

/* The last cell with holes, up to `cell`; NO_CELL if there is none. */
static inline uint32_t prev_cell(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t word = cell / 64;
    uint64_t bits = s->cells[word] & ~UINT64_C(0) >> (63 - cell % 64);

    if (bits == 0) {
        uint64_t words = s->words & ((UINT64_C(1) << word) - 1);

        if (words == 0)
            return NO_CELL;
        word = vidmm_highest_bit(words);
        bits = s->cells[word];
    }
    return word * 64 + vidmm_highest_bit(bits);
}

static inline void mark_empty(struct vidmm_segment *s, uint32_t cell)
{
    s->cells[cell / 64] ^= UINT64_C(1) << cell % 64;
    if (s->cells[cell / 64] == 0)
        s->words ^= UINT64_C(1) << cell / 64;
}

static inline void mark_full(struct vidmm_segment *s, uint32_t cell)
{
    s->cells[cell / 64] |= UINT64_C(1) << cell % 64;
    s->words |= UINT64_C(1) << cell / 64;
}

/* Add the hole after a record: pages from `start` on. */
static inline void insert(struct vidmm_segment *s, uint32_t hole, uint32_t start, uint32_t pages)
{
    uint32_t cell = cell_of(s, start, pages), head = s->heads[cell];

    at(s, hole)->hole_next = head;
    at(s, head)->hole_prev = hole;
    at(s, hole)->hole_prev = FIRST_IN_CELL | cell;
    s->heads[cell] = hole;
    if (head == NONE)
        mark_full(s, cell);
}

static inline void remove_hole(struct vidmm_segment *s, uint32_t hole)
{
    uint32_t next = at(s, hole)->hole_next, prev = at(s, hole)->hole_prev;

    at(s, next)->hole_prev = prev;
    if ((prev & FIRST_IN_CELL) == 0) {
        at(s, prev)->hole_next = next;
        return;
    }
    s->heads[prev & ~FIRST_IN_CELL] = next;
    if (next == NONE)
        mark_empty(s, prev & ~FIRST_IN_CELL);
}

/* Move all holes of a cell, up to the one that is the last, to the column KNOWN. */
static inline void move_to_known(struct vidmm_segment *s, uint32_t cell, uint32_t last)
{
    uint32_t known = cell | KNOWN, head = s->heads[cell], behind = s->heads[known];

    at(s, last)->hole_next = behind;
    at(s, behind)->hole_prev = last;
    at(s, head)->hole_prev = FIRST_IN_CELL | known;
    s->heads[known] = head;
    s->heads[cell] = NONE;
    mark_empty(s, cell);
    mark_full(s, known);
}

#endif
