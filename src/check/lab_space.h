/* lab_space.h: an address space of the paging process, as the tests of page tables share it.
 *
 *      root --> ... --> leaf table ==> | paging buffers | local pages | system pages | others |
 *        |                ^
 *        '-- `beyond` ----'              of two levels: an entry that a smaller root would not have
 *
 * Private to lab_virtual.c, which makes the space, and lab_nowhere.c.
 */
#ifndef CHECK_LAB_SPACE_H
#define CHECK_LAB_SPACE_H

#include "check/lab.h"

#define VIDMM_SPACE_LEVELS 8u

struct vidmm_space_table {
    struct vidmm_rig_pages pages; /* in system memory */
    uint32_t segment;
    uint64_t offset, size;
    uint8_t *cpu;
};

struct vidmm_space {
    struct vidmm_lab *lab;
    DXGK_PAGE_TABLE_LEVEL_DESC levels[VIDMM_SPACE_LEVELS];
    unsigned count;
    struct vidmm_space_table tables[VIDMM_SPACE_LEVELS];
    uint64_t base;                   /* address that the leaf table begins at */
    uint32_t beyond;                 /* index in the root of a second way to it; 0: there is none */
    uint64_t leaf;                   /* address by which the GPU sees the leaf table */
    DXGK_PAGETABLEUPDATEMODE mode;   /* in which tables are written from now on */
    uint64_t local, system, other;   /* addresses of the ranges */
    uint64_t memory_offset;          /* of the local range, in lab->memory */
    HANDLE named;                    /* the allocation that is transferred; NULL: nobody's bytes */
    struct vidmm_rig_pages pages[2]; /* behind `system` and `other` */
};

/* Bits of an address below the index of a level; the index. */
unsigned vidmm_space_shift(const struct vidmm_space *space, unsigned level);
uint32_t vidmm_space_index(const struct vidmm_space *space, unsigned level, uint64_t address);
/* Bytes of a root of so many entries: the driver's answer. */
uint64_t vidmm_space_root_size(const struct vidmm_space *space, uint32_t entries);
/* Build UpdatePageTable, FlushTlb. False: the driver did not. */
bool vidmm_space_update(struct vidmm_space *space, unsigned level, uint32_t start, uint32_t count,
                        DXGK_PTE *entries, bool repeat, uint64_t address);
bool vidmm_space_flush(struct vidmm_space *space, uint64_t start, uint64_t end);
/* The entries of the local pages say where these are, and that they are invalid, or zero. */
bool vidmm_space_map_local(struct vidmm_space *space, bool valid, bool zero);
/* Tell the driver of the root, as one of so many entries. Its context is idle. */
void vidmm_space_set_root(struct vidmm_space *space, uint32_t entries);
/* Copy pages by addresses, and wait for it. */
bool vidmm_space_transfer(struct vidmm_space *space, uint64_t from, uint64_t to, uint64_t pages);

/* lab_protected.c: protected content that is paged. */
void vidmm_check_protected_space(struct vidmm_space *space);
/* Let the local pages be those of the memory segment from `at` on, with a pattern in them; and look
 * at it. Answers the pattern's seed; 0: it cannot be put there, or not be seen. */
uint64_t vidmm_space_put_kept(struct vidmm_space *space, uint64_t at);
void vidmm_space_judge_kept(struct vidmm_space *space, uint64_t at, uint64_t seed);

/* lab_nowhere.c: addresses that lead nowhere. Nothing is done with the adapter behind it. */
void vidmm_check_nowhere(struct vidmm_space *space);

#endif
