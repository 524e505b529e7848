/*
 * memory.h: where the library's own records come from.
 *
 * The library calls no allocator of its own: the embedder (a kernel, a host program, a test) hands
 * in this table. It is host memory for bookkeeping; the bytes of allocations never pass through it.
 */
#ifndef VIDMM_MEMORY_H
#define VIDMM_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A source of host memory.
 *
 * Ownership: the embedder owns the table and the context, and keeps both until the last object made
 * with them is finished. The library gives every block back, with the same context.
 */
struct vidmm_memory {
    /* handed to both functions, never looked at */
    void *context;

    /*
     * Give a block of `size` bytes (1 or more), zeroed and 16-byte aligned.
     * NULL: there is no memory now. The caller of the library then gets a refusal, and nothing has
     * changed.
     */
    void *(*allocate)(void *context, size_t size);

    /* Take back a block that `allocate` gave; `block` is never NULL. Cannot fail. */
    void (*free)(void *context, void *block);
};

#ifdef __cplusplus
}
#endif

#endif
