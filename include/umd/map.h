/*
 * map.h: the CPU writes and reads an allocation that the GPU uses too.
 *
 *     WRITE, READ               wait until the GPU is not in the way; or, with DO_NOT_WAIT, answer
 *     WRITE | DISCARD           another instance, if the GPU uses this one: no wait (rename.h)
 *     WRITE | NO_OVERWRITE      this one, at once: the program writes what the GPU does not use
 *
 *     umd_map(&pool, UMD_MAP_WRITE | UMD_MAP_DISCARD, device, &data, report);
 *     memcpy(data + offset, vertices, length);
 *     umd_unmap(&pool, offset, length);
 *
 * Lock2 has no flags and waits for nothing that the GPU does, so that all of this is a user-mode
 * driver's business. Every instance is locked once, for life: a map is no call of the manager, if
 * it does not wait and the caches are the GPU's too. Behind a map with DISCARD the current instance
 * of the pool may be another one, and what is recorded from then on has to name that.
 *
 * Ownership: as of rename.h. The pointer is good until umd_unmap(), and a pool is mapped once at a
 * time.
 *
 * Source: "Allocation usage tracking", Lock2; D3D11_MAP, D3D11_MAP_FLAG; S2-007 to S2-011, S2-031.
 */
#ifndef UMD_MAP_H
#define UMD_MAP_H

#include <stdint.h>

#include <umd/rename.h>
#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_device;
struct vidmm_report;

#define UMD_MAP_READ 1u
#define UMD_MAP_WRITE 2u
#define UMD_MAP_DISCARD 4u      /* with WRITE alone: nobody wants the content */
#define UMD_MAP_NO_OVERWRITE 8u /* with WRITE alone: what the GPU uses is not written */
#define UMD_MAP_DO_NOT_WAIT 16u /* not with NO_OVERWRITE, which never waits */

/*
 * Have a pointer to all of the current instance. flags: UMD_MAP_...; READ, WRITE, or both. device:
 * of the pool's allocations. *data receives the address of its first byte, on success only.
 *
 * STATUS_SUCCESS: the CPU may do what the flags say until umd_unmap();
 * STATUS_GRAPHICS_ALLOCATION_BUSY (D3DERR_WASSTILLDRAWING): DO_NOT_WAIT, and it would have to
 *   (S2-008); with DISCARD: every instance is in use, and the pool has its most;
 * STATUS_INVALID_PARAMETER: flags that are not legal together, a pool that is mapped, an instance
 *   that the CPU does not see, a use that is noted and not submitted (track.h);
 * what umd_track_wait(), umd_pool_discard() and vidmm_invalidate_cache() answer.
 * After a refusal nothing is mapped. The report (may be NULL) says why.
 */
NTSTATUS umd_map(struct umd_pool *pool, uint32_t flags, struct vidmm_device *device, void **data,
                 struct vidmm_report *report);

/* End it. The CPU wrote `length` bytes from `offset` on; 0: none, as it only read.
 * STATUS_INVALID_PARAMETER: the pool is not mapped, or has not so many bytes; then it is as it
 * was. */
NTSTATUS umd_unmap(struct umd_pool *pool, uint64_t offset, uint64_t length,
                   struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
