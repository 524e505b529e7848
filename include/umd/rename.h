/*
 * rename.h: several instances of one allocation, so that the CPU need not wait for the GPU to give
 * it new content.
 *
 *     pool      current [ C ]     spare, renamed longest ago first:  [ A ] [ B ]
 *                          GPU: uses C                                 idle  busy
 *
 *     umd_pool_discard()
 *               current [ A ]     [ B ] [ C ]           A is idle, and nobody wants what it holds
 *
 *     umd_pool_discard(), and nothing is idle
 *               current [ D ]     [ B ] [ C ] [ A ]     the pool has grown
 *
 * Nobody in the manager renames from WDDM 2.0 on; a user-mode driver has its own scheme (S2-007). A
 * pool grows when a discard finds all of its instances used, up to its most. It trims by itself: of
 * UMD_RENAME_PERIOD discards it remembers how many instances were in use at once, and has no more
 * than so many afterwards. An instance that was renamed away keeps its bytes until it is current
 * again, so a driver may copy from it what it has to keep.
 *
 * Ownership: pool and maker are the caller's, and the maker outlives the pool. Instances are the
 * pool's; the maker fills and empties them. A pool is used by one thread at a time; several pools
 * may be used at once. Tracks of instances may be noted in by any thread, as long as the instance
 * is there.
 *
 * Source: "Allocation usage tracking", Lock2; S2-004, S2-007.
 */
#ifndef UMD_RENAME_H
#define UMD_RENAME_H

#include <stdbool.h>
#include <stdint.h>

#include <umd/cache.h>
#include <umd/residency.h>
#include <umd/track.h>
#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_memory;
struct vidmm_report;

#define UMD_RENAME_PERIOD 64u /* discards after which a pool trims */

/* One instance. The maker fills in the first five members; they do not change. */
struct umd_instance {
    struct vidmm_allocation *allocation;
    unsigned char *data;          /* of Lock2, locked for life; NULL: the CPU does not see it */
    uint64_t address;             /* for the GPU, where commands name addresses; the maker's word */
    struct umd_resident resident; /* umd_resident_init(), with the instance's track */
    struct umd_cache cache;       /* umd_cache_init() */
    struct umd_track track;
    struct umd_instance *next; /* the pool's: renamed away after this one */
};

/* A driver's way to make an allocation. Both are called inside of pool functions. */
struct umd_maker {
    void *context;
    /* Fill in an instance, which is zeros: create, lock, map. A refusal is the caller's answer, and
     * leaves nothing behind. */
    NTSTATUS (*make)(void *context, struct umd_instance *instance, struct vidmm_report *report);
    /* Undo it: umd_residency_forget(), unlock, destroy. The GPU may still use it (S2-004). */
    void (*unmake)(void *context, struct umd_instance *instance);
};

struct umd_pool_options {
    const struct umd_queues *queues;
    const struct umd_maker *maker;
    const struct vidmm_memory *memory; /* for instances */
    uint32_t most;                     /* instances, 1 ..; 1: nothing is ever renamed */
};

struct umd_pool {
    struct umd_pool_options options;
    struct umd_instance *current;             /* the content */
    struct umd_instance *spares, *last_spare; /* renamed longest ago first */
    uint32_t count;                           /* instances, 1 .. most */
    uint32_t discards;                        /* of the period, 0 .. UMD_RENAME_PERIOD - 1 */
    uint32_t used_at_once;                    /* most instances in use at one time in the period */
    uint64_t renames;                         /* discards that changed `current`, in all */
    bool mapped;                              /* umd_map() (map.h) */
};

/* Begin with one instance. STATUS_INVALID_PARAMETER: `most` is 0; STATUS_NO_MEMORY; what the maker
 * answers. After a refusal there is nothing to finish. */
NTSTATUS umd_pool_init(struct umd_pool *pool, const struct umd_pool_options *options,
                       struct vidmm_report *report);
/* Unmake all instances, used or not. Does not wait. */
void umd_pool_finish(struct umd_pool *pool);

/*
 * Have a current instance that the CPU may write and whose content nobody wants: this one, if the
 * GPU does not use it; the spare that is idle and was renamed longest ago; a new one; or, if the
 * pool has its most or the maker has no memory, the spare renamed longest ago, which is waited for.
 * A driver names the new current instance in what it records from then on. wait: whether this may
 * wait for the GPU.
 *
 * STATUS_SUCCESS; STATUS_GRAPHICS_ALLOCATION_BUSY (D3DERR_WASSTILLDRAWING): wait is false, and it
 * would have to; what the maker answers, but STATUS_NO_MEMORY and STATUS_GRAPHICS_NO_VIDEO_MEMORY
 * while there is something to wait for; and what umd_track_wait() answers. After a refusal the
 * current instance is what it was, and no instance has come or gone.
 */
NTSTATUS umd_pool_discard(struct umd_pool *pool, bool wait, struct vidmm_report *report);

/* Unmake spares, renamed longest ago first, until there are no more than `keep` instances, or all
 * that are left have uses that are noted and not submitted. keep: 1 ..; 0 is as 1. Does not wait:
 * the manager holds back the destruction of what the GPU uses. Answers how many have gone. */
uint32_t umd_pool_trim(struct umd_pool *pool, uint32_t keep);

#ifdef __cplusplus
}
#endif

#endif
