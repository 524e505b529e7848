/* pool.h: records of one size, taken and released in any order.
 *
 *     chunk --> chunk --> NULL         each VIDMM_POOL_CHUNK records long
 *     [ taken | free | taken | free | never taken ... ]
 *                 `-------------'-->  the released ones, the newest first
 *
 * Creating and destroying is what programs do most often after rendering; a record that was
 * released serves the next one, and costs the host nothing. Memory goes back when the pool is
 * finished: it holds as much as was ever taken at once. The pool's owner sees to it that one thread
 * at a time is in it. A use of a released record is found: under AddressSanitizer it is out of
 * bounds, in a build with VIDMM_CHECK it holds rubbish, and has to hold it still when it is taken
 * again.
 */
#ifndef VIDMM_POOL_H
#define VIDMM_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIDMM_POOL_CHUNK 32u /* records */

struct vidmm_pool {
    const struct vidmm_memory *memory;
    size_t size;   /* bytes of a record, a multiple of 8 */
    void *chunks;  /* the first word of each leads to the next */
    void *free;    /* the first word of each leads to the next */
    uint8_t *next; /* of the newest chunk: the first record that was never taken ... */
    uint32_t left; /* ... and how many there are from it on */
};

/* Begin with none. `size`: bytes of a record, 1 or more; `memory` is borrowed. */
void vidmm_pool_init(struct vidmm_pool *pool, const struct vidmm_memory *memory, size_t size);

/* Take a record, zeroed and 8-byte aligned. NULL: no memory; nothing has changed. */
void *vidmm_pool_take(struct vidmm_pool *pool);

/* Give a record back that take() gave. Cannot fail. */
void vidmm_pool_release(struct vidmm_pool *pool, void *record);

/* Give all memory back, of records that are still taken too. Takes one that is all zeroes. */
void vidmm_pool_finish(struct vidmm_pool *pool);

#endif
