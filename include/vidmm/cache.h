/* cache.h: the processor's caches, of WDDM 2.x on a platform without I/O coherency.
 *
 *     CPU writes -- vidmm_invalidate_cache() --> memory has it: the GPU may read
 *     GPU writes -- vidmm_invalidate_cache() --> the caches have forgotten: the CPU may read
 *
 * Nobody tells the manager what commands use, so the program keeps cached allocations coherent: the
 * call is needed behind the CPU's writes and before the GPU reads, and behind the GPU's writes and
 * before the CPU reads, who may have read ahead into its caches before. The manager flushes by
 * itself for what it moves.
 *
 * Source: "Allocation usage tracking", I/O coherency; D3DKMT_INVALIDATECACHE; rules S2-029 to
 * S2-031, D-180.
 */
#ifndef VIDMM_CACHE_H
#define VIDMM_CACHE_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_report;

/*
 * Write back what the caches hold of these bytes of the allocation, and forget it: of all pages
 * that they touch. `offset` and `length` are bytes, `length` is 1 at least. There is nothing to do
 * if devices see the caches, or for an allocation that is not Cached. Any state of the
 * allocation, locked or not. The report may be NULL; after a refusal nothing has changed.
 *
 * STATUS_NOT_SUPPORTED: a driver below WDDM 2.0;
 * STATUS_INVALID_PARAMETER: an allocation of another device, no bytes, or bytes that it does not
 *   have.
 */
NTSTATUS vidmm_invalidate_cache(struct vidmm_device *device, struct vidmm_allocation *allocation,
                                uint64_t offset, uint64_t length, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
