/* test_thunk_carried.c: what a descriptor carries to another process of the system, and what is no
 * such thing; memory of a program in a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vidmm/page.h>

#include "thunk/carried.h"
#include "thunk/heap_file.h"
#include "thunk/mirror.h"

static int ends[2];

static void open_pair(int type)
{
    assert_int_equal(socketpair(AF_UNIX, type, 0, ends), 0);
}

static void close_pair(void)
{
    close(ends[0]);
    close(ends[1]);
}

static struct vidmm_carried heap_of(int file)
{
    return (struct vidmm_carried){.kind = VIDMM_CARRIED_HEAP,
                                  .flags = 0x10022,
                                  .runtime = 5,
                                  .size = 2 * VIDMM_PAGE_SIZE,
                                  .file = file};
}

/* It is there for each that looks, after the end of who has put it there, too. */
static void a_message_stays_where_it_is(void **state)
{
    int file = vidmm_carried_file(2 * VIDMM_PAGE_SIZE + 5);
    struct vidmm_carried carried = heap_of(file), seen;

    (void)state;
    open_pair(SOCK_SEQPACKET);
    assert_true(vidmm_carried_put(ends[0], &carried));
    assert_int_equal(pwrite(file, "x", 1, VIDMM_PAGE_SIZE), 1);
    close(file);
    for (int look = 0; look < 3; look++) {
        char byte = 0;

        if (look == 2)
            close(ends[0]);
        assert_true(vidmm_carried_look(ends[1], &seen));
        assert_int_equal(seen.kind, VIDMM_CARRIED_HEAP);
        assert_int_equal(seen.flags, 0x10022);
        assert_int_equal(seen.runtime, 5);
        assert_int_equal(seen.size, 2 * VIDMM_PAGE_SIZE);
        assert_int_equal(pread(seen.file, &byte, 1, VIDMM_PAGE_SIZE), 1);
        assert_int_equal(byte, 'x');
        assert_int_equal(ftruncate(seen.file, 0), -1); /* it cannot shrink */
        close(seen.file);
    }
    close(ends[1]);
}

static void is_none(int type, const struct vidmm_carried *carried)
{
    struct vidmm_carried seen = {.file = -7};

    open_pair(type);
    if (carried != NULL)
        assert_true(vidmm_carried_put(ends[0], carried));
    assert_false(vidmm_carried_look(ends[1], &seen));
    assert_int_equal(seen.file, -7);
    close_pair();
}

static void what_is_not_legal_is_nothing(void **state)
{
    int file = vidmm_carried_file(2 * VIDMM_PAGE_SIZE + 5), unsealed, pipes[2];
    struct vidmm_carried carried;

    (void)state;
    is_none(SOCK_SEQPACKET, NULL);
    is_none(SOCK_STREAM, NULL);
#define NONE(Member, Value)                                                                        \
    carried = heap_of(file);                                                                       \
    carried.Member = Value;                                                                        \
    is_none(SOCK_SEQPACKET, &carried)
    NONE(kind, (enum vidmm_carried_kind)0);
    NONE(kind, (enum vidmm_carried_kind)3);
    NONE(kind, VIDMM_CARRIED_FENCE); /* which has no size */
    NONE(runtime, 6);                /* the file is shorter */
    NONE(runtime, UINT32_MAX);
    NONE(size, 0);
    NONE(size, VIDMM_PAGE_SIZE + 1);
    NONE(size, 3 * VIDMM_PAGE_SIZE);
    NONE(size, UINT64_C(1) << 32);
    NONE(size, UINT64_MAX - VIDMM_PAGE_SIZE + 1);
    unsealed = memfd_create("unsealed", MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(unsealed, 4 * VIDMM_PAGE_SIZE), 0);
    NONE(file, unsealed);
    assert_int_equal(pipe(pipes), 0);
    NONE(file, pipes[0]);
    is_none(SOCK_STREAM, &(struct vidmm_carried){.kind = VIDMM_CARRIED_FENCE, .file = unsealed});
    close(pipes[0]);
    close(pipes[1]);
    close(unsealed);
    close(file);
}

/* Bytes that are no message of ours, and ours with something behind it. */
static void other_bytes_are_nothing(void **state)
{
    struct vidmm_carried seen;
    char bytes[4096];

    (void)state;
    memset(bytes, 0x6d, sizeof(bytes));
    for (size_t size = 1; size <= sizeof(bytes); size += size < 64 ? 1 : 1000) {
        open_pair(SOCK_SEQPACKET);
        assert_int_equal(send(ends[0], bytes, size, 0), size);
        assert_false(vidmm_carried_look(ends[1], &seen));
        close_pair();
    }
    assert_false(vidmm_carried_look(-1, &seen));
    assert_false(vidmm_carried_look(0, &seen));
}

static void private_memory_goes_into_a_file_and_back(void **state)
{
    const uint64_t size = 3 * VIDMM_PAGE_SIZE;
    char *memory = aligned_alloc(VIDMM_PAGE_SIZE, size), words[3], byte = 0;
    int file;

    (void)state;
    memset(memory, 'a', size);
    file = vidmm_heap_file_create(memory, size, "abc", 3);
    assert_true(file >= 0);
    assert_int_equal(pread(file, words, 3, (off_t)size), 3);
    assert_memory_equal(words, "abc", 3);
    assert_int_equal(memory[size - 1], 'a');
    memory[VIDMM_PAGE_SIZE] = 'b';
    assert_int_equal(pread(file, &byte, 1, VIDMM_PAGE_SIZE), 1);
    assert_int_equal(byte, 'b');
    assert_int_equal(vidmm_heap_file_create(memory, size, NULL, 0), -1); /* it is shared now */
    file = dup(file);
    assert_true(file >= 0);
    vidmm_heap_file_undo(memory, size, file);
    assert_int_equal(memory[VIDMM_PAGE_SIZE], 'b');
    assert_int_equal(memory[size - 1], 'a');
    file = vidmm_heap_file_create(memory, size, NULL, 0); /* and private again */
    assert_true(file >= 0);
    close(file);
    free(memory);
}

static void other_memory_is_left_alone(void **state)
{
    char *memory =
        mmap(NULL, 2 * VIDMM_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    memory[0] = 1;
    assert_int_equal(vidmm_heap_file_create(memory, 0, NULL, 0), -1);
    assert_int_equal(vidmm_heap_file_create(memory, 100, NULL, 0), -1);
    assert_int_equal(vidmm_heap_file_create(memory + 16, VIDMM_PAGE_SIZE, NULL, 0), -1);
    assert_int_equal(vidmm_heap_file_create(NULL, VIDMM_PAGE_SIZE, NULL, 0), -1);
    mprotect(memory + VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE, PROT_READ);
    assert_int_equal(vidmm_heap_file_create(memory, 2 * VIDMM_PAGE_SIZE, NULL, 0), -1);
    munmap(memory + VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE);
    assert_int_equal(vidmm_heap_file_create(memory, 2 * VIDMM_PAGE_SIZE, NULL, 0), -1);
    assert_int_equal(memory[0], 1);
    munmap(memory, VIDMM_PAGE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_stays_where_it_is),
        cmocka_unit_test(what_is_not_legal_is_nothing),
        cmocka_unit_test(other_bytes_are_nothing),
        cmocka_unit_test(private_memory_goes_into_a_file_and_back),
        cmocka_unit_test(other_memory_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
