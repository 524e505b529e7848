/* mirror.c: a thread that carries the values of a fence. */
#include "thunk/mirror.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vidmm/fence.h>
#include <wddm/ntstatus.h>

/* The file, as processes share it. */
struct board {
    _Atomic uint32_t changes; /* counts them; a futex */
    _Atomic uint64_t value;
};

struct vidmm_mirror {
    struct board *board;
    int file;
    struct vidmm_device *device;
    struct vidmm_fence *fence;
    uint64_t carried; /* the largest value that either side has had; the thread's */
    pthread_t thread;
    atomic_bool ends;
    atomic_bool waits;     /* a notice of the fence is outstanding */
    atomic_bool cancelled; /* ... and no other is to come */
    atomic_uint users;     /* the owner, and the notice (R2) */
};

_Static_assert(sizeof(struct board) <= VIDMM_MIRROR_BYTES, "the board is in the file");

static struct board *map_board(int file)
{
    void *board = mmap(NULL, VIDMM_MIRROR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    return board != MAP_FAILED ? board : NULL;
}

static void release(struct vidmm_mirror *mirror)
{
    if (atomic_fetch_sub(&mirror->users, 1) != 1)
        return;
    munmap(mirror->board, VIDMM_MIRROR_BYTES);
    close(mirror->file);
    free(mirror);
}

/* Wake the threads of all processes. */
static void tell(struct board *board)
{
    atomic_fetch_add(&board->changes, 1);
    syscall(SYS_futex, &board->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void publish(struct board *board, uint64_t value)
{
    uint64_t known = atomic_load(&board->value);

    while (known < value)
        if (atomic_compare_exchange_weak(&board->value, &known, value)) {
            tell(board);
            return;
        }
}

/* A notice: the fence has grown, or is no more. */
static void is_over(void *argument, NTSTATUS status)
{
    struct vidmm_mirror *mirror = argument;

    if (status != STATUS_SUCCESS)
        atomic_store(&mirror->cancelled, true);
    atomic_store(&mirror->waits, false);
    tell(mirror->board);
    release(mirror);
}

/* Be told when the fence has a value that is new. */
static void wait_for_more(struct vidmm_mirror *mirror)
{
    const struct vidmm_fence_point point = {mirror->fence, mirror->carried + 1};
    const struct vidmm_fence_notice notice = {is_over, mirror};

    if (mirror->carried == UINT64_MAX || atomic_load(&mirror->cancelled) ||
        atomic_exchange(&mirror->waits, true))
        return;
    atomic_fetch_add(&mirror->users, 1);
    if (vidmm_fence_notify(mirror->device, &point, 1, false, &notice, NULL) != STATUS_SUCCESS) {
        atomic_store(&mirror->waits, false); /* the next change tries again */
        release(mirror);
    }
}

/* Carry what is new to the other side. */
static void compare(struct vidmm_mirror *mirror)
{
    uint64_t common = atomic_load(&mirror->board->value), own = vidmm_fence_value(mirror->fence);

    if (common > mirror->carried && common > own)
        vidmm_fence_signal(mirror->device, &(struct vidmm_fence_point){mirror->fence, common}, 1,
                           NULL);
    if (own > mirror->carried)
        publish(mirror->board, own);
    if (mirror->carried < common)
        mirror->carried = common;
    if (mirror->carried < own)
        mirror->carried = own;
}

static void *carry(void *argument)
{
    struct vidmm_mirror *mirror = argument;

    while (!atomic_load(&mirror->ends)) {
        uint32_t seen = atomic_load(&mirror->board->changes);

        compare(mirror);
        wait_for_more(mirror);
        if (!atomic_load(&mirror->ends))
            syscall(SYS_futex, &mirror->board->changes, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
    return NULL;
}

struct vidmm_mirror *vidmm_mirror_create(struct vidmm_device *device, struct vidmm_fence *fence,
                                         int file)
{
    struct vidmm_mirror *mirror = calloc(1, sizeof(*mirror));

    if (mirror == NULL)
        return NULL;
    mirror->device = device;
    mirror->fence = fence;
    mirror->board = map_board(file);
    if (mirror->board == NULL)
        goto no_board;
    mirror->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (mirror->file < 0)
        goto no_file;
    atomic_store(&mirror->users, 1);
    compare(mirror); /* who opens it now finds the value */
    if (pthread_create(&mirror->thread, NULL, carry, mirror) == 0)
        return mirror;
    close(mirror->file);
no_file:
    munmap(mirror->board, VIDMM_MIRROR_BYTES);
no_board:
    free(mirror);
    return NULL;
}

int vidmm_mirror_file(const struct vidmm_mirror *mirror)
{
    return mirror->file;
}

void vidmm_mirror_end(struct vidmm_mirror *mirror)
{
    if (mirror == NULL)
        return;
    atomic_store(&mirror->ends, true);
    tell(mirror->board);
    pthread_join(mirror->thread, NULL);
    release(mirror);
}

uint64_t vidmm_mirror_value(int file)
{
    struct board *board = map_board(file);
    uint64_t value = board != NULL ? atomic_load(&board->value) : 0;

    if (board != NULL)
        munmap(board, VIDMM_MIRROR_BYTES);
    return value;
}
