/* suspend.h: a process is held back, for tests.
 *
 *     vidmm_process_suspend()   what its contexts have queued waits, and what they will be given
 *     vidmm_process_resume()    it goes on, in the order in which it was queued
 *
 *     process 1   at work | suspended: [ ] [ ] wait    | [ packet ] [ packet ]
 *     process 2   at work | at work, in all the memory | at work
 *
 * A process is the number that its devices were created with. While it is suspended its calls
 * answer, DMA buffers and waits and signals for its contexts are queued, and its paging queues go
 * on. The packets that the GPU has already end, and so does a DMA buffer of which a part has been
 * submitted. From WDDM 2.0 on its residency lists are not kept in place; memory that has left comes
 * back for the first work behind the end of the suspension. A device that the process creates
 * meanwhile is suspended too.
 *
 * No call hangs, for one that has to wait for what is queued ends the suspension: a lock that waits
 * until the GPU has done with an allocation, the destruction of a context or of a device, the end
 * of an opening of a shared resource, and a destruction with VIDMM_DESTROY_SYNCHRONOUS. A context
 * whose DMA buffers are all queued refuses the next one with STATUS_DEVICE_BUSY. Waits for a value,
 * of a context or of a fence, last until the process is resumed. A device in error is not suspended
 * any more: its work is given up.
 *
 * Source: D3DKMT_VIDMM_ESCAPE, SuspendProcess, ResumeProcess.
 */
#ifndef VIDMM_SUSPEND_H
#define VIDMM_SUSPEND_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

/* Suspend all devices of a process. wakes: what it queues next on a context resumes it, this
 * submission included. Does not wait. STATUS_INVALID_PARAMETER: it has no device on this adapter
 * that is not in error, or is suspended already; STATUS_DEVICE_REMOVED: the adapter has stopped.
 * Refused: nothing has changed. */
NTSTATUS vidmm_process_suspend(struct vidmm_adapter *adapter, uint64_t process, bool wakes,
                               struct vidmm_report *report);
/* Resume them. STATUS_INVALID_PARAMETER: it is not suspended, for instance because a submission has
 * resumed it; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_process_resume(struct vidmm_adapter *adapter, uint64_t process,
                              struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
