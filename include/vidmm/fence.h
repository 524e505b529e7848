/* fence.h: monitored fences: 64-bit values that grow, which the CPU and the GPU read, signal and
 * wait for, from WDDM 2.0 on.
 *
 *                  vidmm_fence_signal()          a context's queue        commands of a program
 *                          |                            |                         |
 *                          v                            v                         v
 *     fence    value  41 -----> 42 -----------------> 43 --------------------> 44    in memory
 *                          ^                            ^                         ^
 *                          |                            |                         |
 *                   vidmm_fence_wait()           a context's queue        commands of a program
 *                   vidmm_fence_notify()
 *
 * A wait is over when the value is at or above its own, once (D-188). A signal may name any value,
 * a lower one too, but while somebody waits for less than it a program had better let it grow.
 *
 * The value lies in memory: vidmm_fence_address() is where the CPU reads it, and
 * vidmm_fence_gpu_address() where the GPU of a process with addresses reads and writes it. A GPU
 * that writes 32 bits at a time (No64BitAtomics) has the low half of it there, and all outstanding
 * waits and signals of the fence are within 0x7fffffff of its value (D-185). The CPU does not write
 * there: it signals (D-186).
 *
 * Nothing polls, and no timer looks: a value that the GPU has written is read when the miniport
 * reports that a packet is complete (DMA_COMPLETED), or that a fence was signaled
 * (MONITORED_FENCE_SIGNALED).
 *
 * Ownership: a fence belongs to its device, and goes with it. Other devices of the adapter may name
 * it if it was made with VIDMM_FENCE_SHARED. Everything may be called by any thread, but nobody may
 * name a fence that is being destroyed. After any answer but success and STATUS_PENDING nothing has
 * changed. Below WDDM 2.0 all of it answers STATUS_NOT_SUPPORTED.
 *
 * Sources: "Context monitoring"; D3DKMT_CREATESYNCHRONIZATIONOBJECT2 and its kin,
 * D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS; D-185 to D-192, D-247, D-251.
 */
#ifndef VIDMM_FENCE_H
#define VIDMM_FENCE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_context;
struct vidmm_device;
struct vidmm_fence;
struct vidmm_fence_waiting;
struct vidmm_report;

/* NtSecuritySharing: shared by handles of the system, which this library has none of; a flag that
 * is judged and has no behaviour. The others are in plan.h. */
#define VIDMM_FENCE_NT_SECURITY_SHARING 64u

/* A fence, and the value that it is to be signaled with or waited for. */
struct vidmm_fence_point {
    struct vidmm_fence *fence;
    uint64_t value;
};

/* Create a fence of the device. value: the first; of a GPU that writes 32 bits at most 0xffffffff.
 * flags: VIDMM_FENCE_SHARED .. VIDMM_FENCE_NO_GPU_ACCESS of plan.h, and
 * VIDMM_FENCE_NT_SECURITY_SHARING. STATUS_INVALID_PARAMETER: a flag that there is not, NO_SIGNAL
 * with NO_WAIT, NT_SECURITY_SHARING without SHARED (D-191), a value that is too large, `fence` is
 * NULL; STATUS_NOT_SUPPORTED: the adapter's level is below 2.0;
 * STATUS_NO_MEMORY; why the device is in error. Source: D3DDDI_MONITORED_FENCE. */
NTSTATUS vidmm_fence_create(struct vidmm_device *device, uint64_t value, uint32_t flags,
                            struct vidmm_fence **fence, struct vidmm_report *report);
/* The handle dies at once. Waits of the CPU end with STATUS_CANCELLED, those in a queue are over.
 * Its address may mean another fence later: whoever has the GPU signal it waits for that first.
 * Takes NULL. Does not wait. A fence of a paging queue goes with its queue: nothing happens. */
void vidmm_fence_destroy(struct vidmm_fence *fence);

/* The value: read from memory, all 64 bits of it; after the adapter has stopped, as it lies there.
 */
uint64_t vidmm_fence_value(struct vidmm_fence *fence);
/* The address at which the CPU reads the value: 8 bytes, aligned, good until the fence is
 * destroyed. A GPU that writes 32 bits writes the first 4 of them. It is cacheable where the GPU
 * sees the processor's caches (D-190). A write there is a fault of the program's, where the host
 * can keep it from writing (map_for_reading in host.h; D-186). Source:
 * FenceValueCPUVirtualAddress. */
const volatile uint64_t *vidmm_fence_address(const struct vidmm_fence *fence);
/* The address at which the GPU finds it, in the process of a device: of its own or, if it is
 * shared, of any. Good until the fence is destroyed. *address receives it.
 * STATUS_NOT_SUPPORTED: the GPU has no addresses, or the fence was made with
 * VIDMM_FENCE_NO_GPU_ACCESS; STATUS_INVALID_PARAMETER: `fence` or `address` is NULL, a fence of
 * another process that is not shared; STATUS_NO_MEMORY: none for a record or a page table;
 * STATUS_DEVICE_REMOVED. Source: FenceValueGPUVirtualAddress. */
NTSTATUS vidmm_fence_gpu_address(struct vidmm_fence *fence, struct vidmm_device *device,
                                 uint64_t *address, struct vidmm_report *report);

/* ---- by the CPU ------------------------------------------------------------------------------ */

/* Signal fences, all of them with a value each. count: 1 to VIDMM_FENCES_AT_ONCE. The memory has
 * the values when this returns, and waits that are over by them go on (D-187).
 * STATUS_INVALID_PARAMETER: `points` is NULL, a count out of range, a fence that is NULL, of
 * another adapter, or of another device and not shared, or a value that a fence of 32 bits does not
 * reach;
 * STATUS_ACCESS_DENIED: one was made with NO_SIGNAL, or is a paging queue's (D-191);
 * STATUS_NOT_SUPPORTED; why the device is in error.
 * Source: D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU. */
NTSTATUS vidmm_fence_signal(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, struct vidmm_report *report);

/* Wait for all of the fences, or with `any` for one of them. Fences as for vidmm_fence_signal(),
 * but NO_WAIT for NO_SIGNAL. Blocks without end.
 * STATUS_SUCCESS: it is so; STATUS_CANCELLED: a fence, or the device, was destroyed meanwhile; the
 * status of the device, which came to be in error; STATUS_DEVICE_REMOVED: the adapter has stopped;
 * STATUS_TIMEOUT: the value cannot come any more, and the host says so; STATUS_NO_MEMORY: none for
 * a record; and those of vidmm_fence_signal(). Source:
 * D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU. */
NTSTATUS vidmm_fence_wait(struct vidmm_device *device, const struct vidmm_fence_point *points,
                          uint32_t count, bool any, struct vidmm_report *report);

/* vidmm_fence_wait() in two calls. The first does not block; fences and device may be destroyed as
 * soon as it has returned, and their end is the wait's. STATUS_PENDING: *waiting receives what the
 * second one takes, exactly once, before the adapter stops being there; STATUS_SUCCESS: it is so
 * already; otherwise as vidmm_fence_wait(). */
NTSTATUS vidmm_fence_wait_begin(struct vidmm_device *device, const struct vidmm_fence_point *points,
                                uint32_t count, bool any, struct vidmm_fence_waiting **waiting,
                                struct vidmm_report *report);
/* Block until it is over. Answers as vidmm_fence_wait(). */
NTSTATUS vidmm_fence_wait_end(struct vidmm_fence_waiting *waiting, struct vidmm_report *report);

/* A function to be called when a wait is over. */
struct vidmm_fence_notice {
    /* status: as vidmm_fence_wait() would answer. Called once, on any thread, with nothing of the
     * adapter held. It may ask and signal, but not wait, nor destroy a device. */
    void (*over)(void *argument, NTSTATUS status);
    void *argument;
};

/* Wait as vidmm_fence_wait(), without blocking: *notice (copied) is called when it is over, maybe
 * before this returns. STATUS_SUCCESS: the call comes, or has come; anything else: it does not.
 * Source: the same, hAsyncEvent. */
NTSTATUS vidmm_fence_notify(struct vidmm_device *device, const struct vidmm_fence_point *points,
                            uint32_t count, bool any, const struct vidmm_fence_notice *notice,
                            struct vidmm_report *report);

/* ---- in a queue ------------------------------------------------------------------------------ */

/* Hold back what is queued on the context after this until all of the fences have their values;
 * what was queued before goes on (D-189). Answers at once, as vidmm_fence_wait(), and
 * STATUS_NO_MEMORY. A fence that is destroyed, and a device in error, hold nothing back. If the
 * context is destroyed while it waits, what stands behind the wait is given up.
 * Source: D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU. */
NTSTATUS vidmm_context_wait_for_fences(struct vidmm_context *context,
                                       const struct vidmm_fence_point *points, uint32_t count,
                                       struct vidmm_report *report);
/* Signal the fences when all that was queued on the context before this is complete (D-251).
 * Answers as vidmm_fence_signal(), at once, and STATUS_NO_MEMORY.
 * Source: D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2. */
NTSTATUS vidmm_context_signal_fences(struct vidmm_context *context,
                                     const struct vidmm_fence_point *points, uint32_t count,
                                     struct vidmm_report *report);

/* ---- page faults ----------------------------------------------------------------------------- */

/* A page fault: commands of a device met an address that leads nowhere. */
struct vidmm_page_fault {
    uint64_t address; /* of its process; 0: the miniport does not know it */
    uint32_t node;    /* that ran the commands */
    uint32_t flags;   /* VIDMM_FAULT_... of plan.h */
};

/* Whether the device is in error because of a page fault; then *fault says where. fault may be
 * NULL. Source: D3DKMT_GETDEVICESTATE, D3DKMT_DEVICESTATE_PAGE_FAULT. */
bool vidmm_device_page_fault(const struct vidmm_device *device, struct vidmm_page_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
