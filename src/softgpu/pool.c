/* A block is a header and the bytes behind it; the header says whether it is one, and whose. */
#include "softgpu/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define TAKEN 0x706f6f6cu
#define FRESH 0xcd /* the content of a block before its owner writes it */

struct block {
    uint32_t mark, tag;
    size_t size;
};

_Static_assert(sizeof(struct block) == 16, "what follows is 16-byte aligned");

static _Atomic uint32_t fail_at;
static _Atomic uint64_t outstanding;

/* Whether this allocation is the one that fails. */
static int fails(void)
{
    uint32_t left = atomic_load(&fail_at);

    while (left != 0 && !atomic_compare_exchange_weak(&fail_at, &left, left - 1))
        ;
    return left == 1;
}

void *softgpu_pool_allocate(enum softgpu_pool_type type, size_t size, uint32_t tag)
{
    struct block *block;

    (void)type;
    if (fails() || size > SIZE_MAX - sizeof(*block))
        return NULL;
    block = malloc(sizeof(*block) + size);
    if (block == NULL)
        return NULL;
    *block = (struct block){.mark = TAKEN, .tag = tag, .size = size};
    memset(block + 1, FRESH, size);
    atomic_fetch_add(&outstanding, 1);
    return block + 1;
}

void softgpu_pool_free(void *memory, uint32_t tag)
{
    struct block *block = (struct block *)memory - 1;

    VIDMM_VERIFY(block->mark == TAKEN && block->tag == tag);
    block->mark = 0;
    atomic_fetch_sub(&outstanding, 1);
    free(block);
}

void softgpu_pool_fail_at(uint32_t n)
{
    atomic_store(&fail_at, n);
}

uint64_t softgpu_pool_outstanding(void)
{
    return atomic_load(&outstanding);
}
