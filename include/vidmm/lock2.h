/* lock2.h: Lock2 and Unlock2 of WDDM 2.x.
 *
 *     vidmm_lock2() -----> a pointer to all of the allocation, wherever it is
 *        |                   it stays the same until the unlock, whatever becomes of it:
 *        |                   made resident, demoted or evicted meanwhile, it shows the content; who
 *        |                   touches it during the move waits
 *     vidmm_unlock2() ---> one for each lock
 *
 * Nobody tells the manager what commands use, so a lock waits for nothing that the GPU does: the
 * program proves by fences that the GPU is done, or that it does not mind. Most allocations are
 * locked once and stay so.
 *
 *     allocation           in memory that the CPU sees   in other memory      elsewhere
 *     CpuVisible           there                         leaves it *          there
 *     CpuVisible, Cached   leaves it *                   leaves it *          there
 *     not CpuVisible       leaves it *                   leaves it *          there
 *
 *     *  if an aperture of its set can show it, or if it is not resident; refused otherwise. No
 *        memory segment gets it before its last unlock, and then it goes back.
 *
 * Memory that has a CPU host aperture is memory that the CPU sees, as long as the aperture has
 * pages for it. With a cached one that holds for Cached allocations too.
 *
 * An allocation that is locked while it is in no memory segment follows into one only if the CPU
 * can reach it in every memory segment of its set. Otherwise an aperture of its set has to do as
 * long as it is locked; if there is none, its device waits for the unlock, and nobody else does
 * (S2-021).
 *
 * An allocation that keeps its backing store (PermanentSysMem, existing memory) is always locked
 * there; the last unlock refreshes the copy in a segment.
 *
 * Source: "Allocation usage tracking"; D3DKMT_LOCK2, D3DKMT_UNLOCK2; rules S2-014 to S2-022.
 */
#ifndef VIDMM_LOCK2_H
#define VIDMM_LOCK2_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_report;

/*
 * Lock. *data receives the address of the first byte, on success only; `flags` is
 * D3DDDICB_LOCK2FLAGS, which has none. After any answer but STATUS_SUCCESS nothing is locked, and
 * the report (may be NULL) says why.
 *
 * STATUS_NOT_SUPPORTED: a driver below WDDM 2.0;
 * STATUS_INVALID_PARAMETER: flags that are not 0, a Protected allocation, one that another process
 *   has created, one that is offered, one that would have to leave its segment and cannot (S2-017,
 *   S2-020);
 * STATUS_GRAPHICS_TOO_MANY_REFERENCES: it is locked 65535 times;
 * STATUS_NO_MEMORY: no address space; STATUS_DEVICE_REMOVED; STATUS_TIMEOUT.
 */
NTSTATUS vidmm_lock2(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                     struct vidmm_report *report);
/* One unlock a lock. STATUS_INVALID_PARAMETER: this opening of it is not locked (D-166);
 * STATUS_NOT_SUPPORTED: a driver below WDDM 2.0. */
NTSTATUS vidmm_unlock2(struct vidmm_allocation *allocation, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
