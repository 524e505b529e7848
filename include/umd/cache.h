/*
 * cache.h: the processor's caches, where the GPU does not see them.
 *
 *     CPU writes    umd_cache_cpu_wrote()     bytes are dirty: memory may lack them
 *     submission    umd_cache_before_gpu()    writes dirty bytes back               (S2-030)
 *     GPU writes                              caches may hold what was before
 *     CPU reads     umd_cache_before_cpu()    forgets it, whole                     (S2-031)
 *
 * On a platform without I/O coherency a user-mode driver keeps Cached allocations coherent, from
 * WDDM 2.0 on. Two things are known of each: the bytes that the CPU wrote since the GPU last used
 * it, and whether the GPU wrote it since the CPU last looked. The CPU may have read ahead into its
 * caches at any time, so forgetting comes behind the GPU's writes and not before. A write by the
 * CPU is treated as a read, for it may touch a part of a cache line.
 *
 * The manager does nothing where devices see the caches, so there is no need to ask whether they
 * do. It flushes by itself for what it moves.
 *
 * Ownership: the structure is the caller's, one an allocation, used by one thread at a time.
 *
 * Source: "Allocation usage tracking", I/O coherency; D3DKMT_INVALIDATECACHE; S2-029 to S2-031.
 */
#ifndef UMD_CACHE_H
#define UMD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_report;

/* The caches' part of one allocation. Zeros: one that is not Cached, for which nothing is done. */
struct umd_cache {
    uint64_t dirty_begin, dirty_end; /* bytes that the CPU wrote, and some between; equal: none */
    bool cached;                     /* the allocation is Cached */
    bool gpu_wrote;                  /* since the CPU last looked */
};

/* Begin with an allocation that nobody has written. */
void umd_cache_init(struct umd_cache *cache, bool cached);

/* The CPU wrote `length` bytes from `offset` on; 0: none. Call it behind the writes. */
void umd_cache_cpu_wrote(struct umd_cache *cache, uint64_t offset, uint64_t length);

/* Make the CPU's writes visible to the GPU. Call it before the submission. access: UMD_READ,
 * UMD_WRITE or both (track.h), by the GPU; a write is one too, for a dirty line that leaves the
 * cache later would undo it. STATUS_SUCCESS, or what vidmm_invalidate_cache() answers; then nothing
 * has changed, and the report (may be NULL) says why. obeys S2-030 */
NTSTATUS umd_cache_before_gpu(struct umd_cache *cache, struct vidmm_device *device,
                              struct vidmm_allocation *allocation, uint32_t access,
                              struct vidmm_report *report);

/* Make the GPU's writes visible to the CPU. Call it when they are over (umd_track_wait()), before
 * the CPU reads or writes. over: false: some are not, and the next call does it again. Answers as
 * umd_cache_before_gpu(). obeys S2-031 */
NTSTATUS umd_cache_before_cpu(struct umd_cache *cache, struct vidmm_device *device,
                              struct vidmm_allocation *allocation, bool over,
                              struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
