/* lock.h: Lock and Unlock of WDDM 1.x, as a user-mode driver asks for them.
 *
 *     vidmm_lock() ----> a pointer to the whole allocation, readable and writable
 *        |                 it stays the same until the unlock, whatever becomes of the allocation:
 *        |                 evicted meanwhile, it shows system memory; who touches it during the
 *                          move
 *        |                 waits (D-147)
 *     vidmm_unlock() --> what the CPU wrote is the content
 *
 * Several locks of one allocation may be held at once, by any thread; each has its unlock. An
 * allocation that keeps its backing store (PermanentSysMem, ExistingSysMem, ExistingKernelSysMem)
 * is always locked there; the pages written are copied to the segment at the last unlock, the named
 * ones or all of them (S0-012, S0-013).
 *
 * A lock with Discard says that the content is wanted no more, and need not wait for the GPU: it
 * may answer with another *instance* of the allocation, with memory of its own.
 *
 *     arguments.allocation = A0, Discard -->  arguments.allocation = A1: lock, write, unlock
 *     vidmm_render() on A1                    A0, which the GPU reads, is not touched
 *     arguments.allocation = A1, Discard -->  A0 again, when it is idle; or A2
 *
 * From then on the caller names the instance that was answered. Older ones may be named until a
 * command buffer has named a newer one: then they are retired, and refused (D-172); the pointer
 * stays good. A command buffer that has not been submitted yet may name the newest, and nobody
 * knows but the caller: so a discard leaves that one alone, unless NoExistingReference says that
 * there is no such buffer. All instances go with the allocation, which may be destroyed, closed or
 * asked about by any of them; an offer takes the newest (D-271). Discard changes nothing for what
 * is shared, a primary, an overlay, over memory that exists, or of a link (D-171): it is waited
 * for.
 *
 * Source: PFND3DDDI_LOCKCB, D3DDDICB_LOCK, D3DDDICB_LOCKFLAGS, D3DKMT_LOCK, "Requesting to Rename
 * an Allocation"; rules D-147 to D-160, D-168 to D-173, S1-016.
 */
#ifndef VIDMM_LOCK_H
#define VIDMM_LOCK_H

#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_report;

/* D3DDDICB_LOCKFLAGS.Value */
#define VIDMM_LOCK_READ_ONLY 0x1u
#define VIDMM_LOCK_WRITE_ONLY 0x2u
#define VIDMM_LOCK_DONOT_WAIT 0x4u /* answer ALLOCATION_BUSY rather than wait; not with Discard */
#define VIDMM_LOCK_IGNORE_SYNC                                                                     \
    0x8u                        /* with DonotWait, not Discard: though the GPU may be using it */
#define VIDMM_LOCK_ENTIRE 0x10u /* all pages: no list */
#define VIDMM_LOCK_DONOT_EVICT 0x20u
#define VIDMM_LOCK_ACQUIRE_APERTURE 0x40u
#define VIDMM_LOCK_DISCARD 0x80u /* nobody wants the content: another instance will do */
#define VIDMM_LOCK_NO_EXISTING_REFERENCE 0x100u /* with Discard: any instance will do */
#define VIDMM_LOCK_USE_ALTERNATE_VA 0x200u
#define VIDMM_LOCK_IGNORE_READ_SYNC 0x400u /* only the GPU's writes are waited for */

struct vidmm_lock_arguments {
    struct vidmm_allocation *allocation; /* in; and with Discard out: the instance that is locked */
    uint32_t flags;                      /* VIDMM_LOCK_... */
    uint32_t private_data; /* with AcquireAperture: for DxgkDdiAcquireSwizzlingRange */
    uint32_t page_count;   /* elements of the list; 0 with VIDMM_LOCK_ENTIRE */
    const uint32_t *pages; /* the pages wanted, from 0 in the allocation */
    void *data;            /* out: address of the allocation's first byte, with a list too */
};

/*
 * Lock. After any answer but STATUS_SUCCESS nothing is locked, and the report (may be NULL) says
 * why.
 *
 * STATUS_INVALID_PARAMETER: not CpuVisible (S0-004), a retired instance (D-172), flags that exclude
 * one another or need another
 *   (D-149, D-173), reserved flags, LockEntire with a list, a page outside of the allocation
 *   (D-154), IgnoreSync or IgnoreReadSync where no aperture can show it or the caches hide it
 *   (D-150);
 * STATUS_GRAPHICS_ALLOCATION_BUSY (D3DERR_WASSTILLDRAWING): DonotWait, and it would have to wait;
 * try
 *   again after a wake() (D-148); Discard, and every instance that exists may be named by a buffer
 *   that is not submitted: submit it, and lock with Discard and NoExistingReference (D-173);
 * STATUS_GRAPHICS_CANT_LOCK_MEMORY (D3DERR_NOTAVAILABLE): neither LockEntire nor a list (D-153);
 *   DonotEvict, and it would have to leave its segment (D-152);
 * STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED, .._UNAVAILABLE (D3DERR_NOTAVAILABLE):
 * UseAlternateVA,
 *   and the driver has no swizzling ranges, or none is to be had now;
 * STATUS_GRAPHICS_NO_VIDEO_MEMORY: it has to be in a memory segment for the lock, and there is no
 *   room; STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE: there is no room for it, and its device
 *   is in error;
 * STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION: the CPU cannot see where it is pinned (D-158);
 * STATUS_NO_MEMORY: no address space; STATUS_DEVICE_REMOVED; STATUS_TIMEOUT.
 */
NTSTATUS vidmm_lock_pages(struct vidmm_lock_arguments *arguments, struct vidmm_report *report);
/* Lock all pages, as vidmm_lock_pages() with VIDMM_LOCK_ENTIRE; *data is written on success only.
 * There is no room for another instance: with Discard too, it is this one that is locked and waited
 * for. The report may be NULL. */
NTSTATUS vidmm_lock(struct vidmm_allocation *allocation, uint32_t flags, void **data,
                    struct vidmm_report *report);
/* One unlock a lock. STATUS_INVALID_PARAMETER: it is not locked. */
NTSTATUS vidmm_unlock(struct vidmm_allocation *allocation);

#ifdef __cplusplus
}
#endif

#endif
