/* pool.c: records of one size, taken and released in any order. */
#include "base/pool.h"

#include <string.h>

#include <base/assert.h>
#include <vidmm/memory.h>

#define CHUNK_HEADER 16u

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define POOL_POISONS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POOL_POISONS
#endif

#ifdef POOL_POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

/* In builds that look, a released record holds rubbish until it is taken again. */
#ifdef VIDMM_CHECK
#define RUBBISH 0xDD

static void spoil(const struct vidmm_pool *pool, uint8_t *record)
{
    memset(record + sizeof(void *), RUBBISH, pool->size - sizeof(void *));
}

static void check_spoiled(const struct vidmm_pool *pool, const uint8_t *record)
{
    size_t index;

    for (index = sizeof(void *); index < pool->size; index++)
        VIDMM_VERIFY(record[index] == RUBBISH); /* nobody has written since its release */
}
#else
#define spoil(pool, record) ((void)0)
#define check_spoiled(pool, record) ((void)0)
#endif

void vidmm_pool_init(struct vidmm_pool *pool, const struct vidmm_memory *memory, size_t size)
{
    *pool = (struct vidmm_pool){.memory = memory, .size = (size + 7) & ~(size_t)7};
}

static bool add_chunk(struct vidmm_pool *pool)
{
    size_t size = VIDMM_POOL_CHUNK * pool->size;
    uint8_t *chunk = pool->memory->allocate(pool->memory->context, CHUNK_HEADER + size);

    if (!chunk)
        return false;
    memcpy(chunk, &pool->chunks, sizeof(pool->chunks));
    pool->chunks = chunk;
    pool->next = chunk + CHUNK_HEADER;
    pool->left = VIDMM_POOL_CHUNK;
    ASAN_POISON_MEMORY_REGION(pool->next, size);
    return true;
}

void *vidmm_pool_take(struct vidmm_pool *pool)
{
    void *record = pool->free;

    if (record) {
        ASAN_UNPOISON_MEMORY_REGION(record, pool->size);
        memcpy(&pool->free, record, sizeof(pool->free));
        check_spoiled(pool, record);
        memset(record, 0, pool->size);
        return record;
    }
    if (pool->left == 0 && !add_chunk(pool))
        return NULL;
    record = pool->next;
    pool->next += pool->size;
    pool->left--;
    ASAN_UNPOISON_MEMORY_REGION(record, pool->size);
    return record;
}

void vidmm_pool_release(struct vidmm_pool *pool, void *record)
{
    VIDMM_ASSERT(record);
    memcpy(record, &pool->free, sizeof(pool->free));
    pool->free = record;
    spoil(pool, record);
    ASAN_POISON_MEMORY_REGION(record, pool->size);
}

void vidmm_pool_finish(struct vidmm_pool *pool)
{
    while (pool->chunks) {
        void *chunk = pool->chunks;

        memcpy(&pool->chunks, chunk, sizeof(pool->chunks));
        ASAN_UNPOISON_MEMORY_REGION(chunk, CHUNK_HEADER + VIDMM_POOL_CHUNK * pool->size);
        pool->memory->free(pool->memory->context, chunk);
    }
    *pool = (struct vidmm_pool){0};
}
