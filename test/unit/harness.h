/* harness.h: the tools of every unit test: cmocka, and host memory that counts and can fail.
 *
 *     test --> counted_memory_init(&memory)
 *              memory.table --> the module under test
 *          <-- counted_memory_finish(&memory): every block has come back
 *
 *     a block:  | size, mark | guard | ...the bytes asked for... | guard |
 *
 * To make each allocation of a piece of work fail once:
 *
 *     for (size_t n = 1;; n++) {
 *         counted_memory_fail_at(&memory, n);
 *         bool done = work();
 *         if (!counted_memory_refused(&memory))
 *             break; // it takes fewer than n allocations
 *         assert_false(done);
 *         // ...and nothing has changed
 *     }
 *
 * Both ends of each block are guarded and released bytes are overwritten, so that a write outside
 * a block and a use after release are found in every build, not only under a sanitizer. Blocks may
 * be taken and released by any thread; the other calls are for the one thread of the test.
 */
#ifndef TEST_UNIT_HARNESS_H
#define TEST_UNIT_HARNESS_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vidmm/memory.h>

/* LeakSanitizer needs ptrace, which many containers refuse, and then fails the program it watches.
 * So leaks are counted here, and `./dev` switches LeakSanitizer on where it works. The sanitizers
 * look this function up by name: it must be visible; weak, as several sources of a program have
 * it. */
__attribute__((used, visibility("default"), weak)) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* A pattern for mkstemp() and mkdtemp() in the folder for temporary files. A test removes what it
 * makes there. */
enum { HARNESS_PATH = 256 };

static inline void harness_temporary(char path[HARNESS_PATH], const char *name)
{
    const char *base = getenv("TMPDIR");

    snprintf(path, HARNESS_PATH, "%s/%s-XXXXXX",
             base != NULL && strlen(base) < HARNESS_PATH / 2 ? base : P_tmpdir, name);
}

enum { COUNTED_GUARD = 16, COUNTED_GUARD_BYTE = 0xFD, COUNTED_RELEASED_BYTE = 0xDD };

static const size_t COUNTED_LIVE = (size_t)0x6C6976656C697665u;

/* Stands in front of each block; 32 bytes, so that the block is 16-byte aligned. */
struct counted_block {
    size_t size; /* bytes asked for */
    size_t mark; /* COUNTED_LIVE while the block is taken */
    unsigned char guard[COUNTED_GUARD];
};

struct counted_memory {
    struct vidmm_memory table; /* hand this to the module under test */
    atomic_size_t calls;       /* allocations asked for since init or fail_at */
    atomic_size_t live_blocks; /* taken and not yet released */
    atomic_size_t live_bytes;
    atomic_size_t fail_at; /* the allocation that fails, counted from 1; 0: none */
    atomic_bool refused;   /* an allocation has failed since fail_at */
};

static inline void *counted_allocate(void *context, size_t size)
{
    struct counted_memory *memory = context;

    assert_true(size > 0);
    if (atomic_fetch_add(&memory->calls, 1) + 1 == atomic_load(&memory->fail_at)) {
        atomic_store(&memory->refused, true);
        return NULL;
    }
    struct counted_block *block = calloc(1, sizeof(*block) + size + COUNTED_GUARD);
    assert_non_null(block);
    unsigned char *bytes = (unsigned char *)(block + 1);
    block->size = size;
    block->mark = COUNTED_LIVE;
    memset(block->guard, COUNTED_GUARD_BYTE, COUNTED_GUARD);
    memset(bytes + size, COUNTED_GUARD_BYTE, COUNTED_GUARD);
    atomic_fetch_add(&memory->live_blocks, 1);
    atomic_fetch_add(&memory->live_bytes, size);
    return bytes;
}

/* Is the block taken, and nothing written in front of it or behind it? */
static inline bool counted_block_intact(const void *bytes)
{
    const struct counted_block *block = (const struct counted_block *)bytes - 1;

    if (block->mark != COUNTED_LIVE)
        return false;
    const unsigned char *end = (const unsigned char *)bytes + block->size;
    for (size_t i = 0; i < COUNTED_GUARD; i++)
        if (block->guard[i] != COUNTED_GUARD_BYTE || end[i] != COUNTED_GUARD_BYTE)
            return false;
    return true;
}

static inline void counted_free(void *context, void *bytes)
{
    struct counted_memory *memory = context;
    struct counted_block *block = (struct counted_block *)bytes - 1;

    assert_non_null(bytes);
    assert_true(counted_block_intact(bytes));
    atomic_fetch_sub(&memory->live_blocks, 1);
    atomic_fetch_sub(&memory->live_bytes, block->size);
    memset(block, COUNTED_RELEASED_BYTE, sizeof(*block) + block->size + COUNTED_GUARD);
    free(block);
}

/* Start counting, with no failure ordered. */
static inline void counted_memory_init(struct counted_memory *memory)
{
    memset(memory, 0, sizeof(*memory));
    memory->table.context = memory;
    memory->table.allocate = counted_allocate;
    memory->table.free = counted_free;
}

/* Let the n-th allocation from now fail, once; 0: none. Clears `refused`. */
static inline void counted_memory_fail_at(struct counted_memory *memory, size_t n)
{
    atomic_store(&memory->calls, 0);
    atomic_store(&memory->fail_at, n);
    atomic_store(&memory->refused, false);
}

/* Has the failure that counted_memory_fail_at() ordered taken place? */
static inline bool counted_memory_refused(struct counted_memory *memory)
{
    return atomic_load(&memory->refused);
}

/* Has every block come back? */
static inline bool counted_memory_all_back(struct counted_memory *memory)
{
    return atomic_load(&memory->live_blocks) == 0 && atomic_load(&memory->live_bytes) == 0;
}

/* Fail the test if a block has not come back. */
static inline void counted_memory_finish(struct counted_memory *memory)
{
    assert_true(counted_memory_all_back(memory));
}

#endif
