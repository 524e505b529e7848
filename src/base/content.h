/*
 * content.h: bytes that are known at all times.
 *
 * Code that moves memory about can lose it in quiet ways: two pages exchanged, a page one too far,
 * a page from before the last write. So the bytes written into allocations are a function of who
 * they belong to, where, and which write it was, and each reader recomputes them.
 *
 *     a page, 4096 bytes        sector: 512 bytes, 64 words of 64 bits
 *     +----+----+----+----+----+----+----+----+
 *     | 0  | 1  | 2  | 3  | 4  | 5  | 6  | 7  |
 *     +----+----+----+----+----+----+----+----+
 *     '--- the GPU's -----'---- the CPU's ----'
 *
 * Writes are numbered from 1. The GPU writes whole allocations: its write number g rewrites sector
 * (g - 1) % 4 of every page. The CPU writes pages: write number c of a page rewrites sector
 * 4 + (c - 1) % 4 of that page. A write replaces a part only, so that what an earlier mistake
 * destroyed is not healed by it. A sector that was never written is zeros; otherwise word 0 is the
 * number of the write, and word j (1 .. 63) is k + j * stride, both a function of (seed, id, page,
 * number, sector).
 *
 * The GPU's number is known to whoever checks. The CPU's is read from the page, and a digest of it
 * over the whole allocation is known to whoever checks: a page that has lost a CPU write is right
 * in itself and wrong in the sum. The digest of no writes is 0, so it starts at 0 and each CPU
 * write adds what vidmm_content_digest() answers for the new number and takes off what it answers
 * for the old.
 *
 * Nothing here is kept: the caller owns the pages, which are 8-byte aligned. Any thread.
 */
#ifndef VIDMM_BASE_CONTENT_H
#define VIDMM_BASE_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_CONTENT_PAGE 4096u  /* bytes of a page */
#define VIDMM_CONTENT_SECTOR 512u /* bytes of a sector */
#define VIDMM_CONTENT_SECTORS 8u  /* sectors of a page, the first half the GPU's */

/* The owner and the position of bytes. */
struct vidmm_content_key {
    uint64_t seed; /* of the run: bytes of another run are garbage */
    uint32_t id;   /* of the allocation, never used twice in a run */
};

/* The ways in which a sector can be wrong. */
enum vidmm_content_kind {
    VIDMM_CONTENT_RIGHT,    /* nothing */
    VIDMM_CONTENT_STALE,    /* this page after an earlier write */
    VIDMM_CONTENT_NEWER,    /* this page after a write that is still to come */
    VIDMM_CONTENT_SHIFTED,  /* another page of the same allocation */
    VIDMM_CONTENT_FOREIGN,  /* a page of another allocation */
    VIDMM_CONTENT_ZEROS,    /* never written, or cleared */
    VIDMM_CONTENT_UNIFORM,  /* one value all over that is not zero: a poison, a fill */
    VIDMM_CONTENT_GARBAGE,  /* nothing that was ever written here */
    VIDMM_CONTENT_LOST_CPU, /* each page is right by itself, the digest is not: a CPU write is lost
                               */
};

/* A wrong sector, and whose bytes it holds if they can be told. */
struct vidmm_content_finding {
    enum vidmm_content_kind kind;
    uint32_t sector;   /* 0 .. 7: the first that is wrong */
    uint32_t expected; /* number of the write that should be there, 0: none */
    uint32_t number;   /* number of the write that is there; STALE, NEWER, SHIFTED, FOREIGN only */
    uint32_t id;       /* the owner of the bytes there; SHIFTED, FOREIGN only */
    uint32_t page;     /* their page; SHIFTED, FOREIGN only */
    uint64_t word;     /* the first wrong word of the sector */
};

/*
 * Say whether a page holds what it should.
 *
 * page         VIDMM_CONTENT_PAGE bytes.
 * page_index   which page of the allocation, counted from 0.
 * generation   number of the GPU's last write to the allocation, 0: none.
 * digest       the page's share is added; unchanged if the answer is false.
 */
bool vidmm_content_check_page(const void *page, struct vidmm_content_key key, uint32_t page_index,
                              uint32_t generation, uint64_t *digest);

/* Rewrite one sector as the GPU's write number `generation` (1 or more). */
void vidmm_content_write_gpu(void *page, struct vidmm_content_key key, uint32_t page_index,
                             uint32_t generation);

/* Rewrite one sector as the CPU's write number `number` (1 or more) of this page. */
void vidmm_content_write_cpu(void *page, struct vidmm_content_key key, uint32_t page_index,
                             uint32_t number);

/* The share of a page, after the CPU's write number `number`, in the digest; 0 if that is 0. */
uint64_t vidmm_content_digest(struct vidmm_content_key key, uint32_t page_index, uint32_t number);

/* The number of the CPU's last write to the page, as the page itself says; 0: none. Trust it only
 * if the page checks. */
uint32_t vidmm_content_cpu_number(const void *page);

/*
 * Find out what a page that failed its check holds. Costs more than the check.
 * Answers RIGHT if nothing is wrong with it.
 */
struct vidmm_content_finding vidmm_content_examine(const void *page, struct vidmm_content_key key,
                                                   uint32_t page_index, uint32_t generation);

/* A kind in a few words: "an earlier write", "another allocation", ... */
const char *vidmm_content_kind_name(enum vidmm_content_kind kind);

#ifdef __cplusplus
}
#endif

#endif
