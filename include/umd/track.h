/*
 * track.h: which queue uses an allocation, and until when.
 *
 *     queue 0   passed 7          submitted 9    next 10
 *                    |  8  |  9  |
 *     queue 1   passed 3    submitted 3          next 4
 *
 *     track     last read   9 of queue 0     the CPU may write when all of these have passed
 *               last write  8 of queue 0     the CPU may read when these have passed
 *
 * From WDDM 2.0 on nobody tells the memory manager what commands use, so a user-mode driver keeps
 * this itself. Each of its contexts is a *queue* with a monitored fence, which the context signals
 * with 1, 2, 3 ... behind its submissions. A *track*, one an allocation, has the values of its
 * newest uses, by queue. A question is a few comparisons with values in memory. A wait is one wait
 * for monitored fences: nothing polls.
 *
 *     value = umd_queue_next(&queues, 0);
 *     umd_track_use(&vertices.track, 0, value, UMD_READ);        each allocation, while recording
 *     umd_track_use(&target.track, 0, value, UMD_WRITE);
 *     vidmm_submit_command(...);
 *     umd_queue_signal(&queues, 0, report);                      and the value is submitted
 *     ...
 *     umd_track_wait(&queues, &target.track, UMD_READ, true, report);
 *
 * Uses are noted before they are submitted, so no thread sees an allocation idle in between. An
 * allocation may be destroyed while it is used: the manager holds its destruction back (S2-004).
 *
 * Ownership: all structures are the caller's, and are written by these functions alone. Submissions
 * of one queue, from umd_queue_next() to umd_queue_signal(), are one thread's at a time. Queues are
 * added before threads use them. Tracks may be used and asked about by any thread at any time.
 *
 * Source: "Allocation usage tracking", "Context monitoring"; S2-002, S2-008 to S2-010.
 */
#ifndef UMD_TRACK_H
#define UMD_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_context;
struct vidmm_device;
struct vidmm_fence;
struct vidmm_report;

#define UMD_QUEUES 16u /* of a device, at most */

/* An access: by the GPU in a submission, or by the CPU. */
#define UMD_READ 1u
#define UMD_WRITE 2u /* and maybe read too */

/* A context, and how far it is. */
struct umd_queue {
    struct vidmm_context *context;
    struct vidmm_fence *fence;
    const volatile uint64_t *passed; /* where the fence's value lies; the manager's */
    uint64_t submitted; /* newest value that the context signals; atomic, grows by one */
};

/* The queues of a device. */
struct umd_queues {
    struct vidmm_device *device;
    uint32_t count;
    struct umd_queue queues[UMD_QUEUES];
};

/* The newest uses of one allocation: values, by queue; 0: none. Atomic, they only grow. Zeros are a
 * track that was never used. */
struct umd_track {
    uint64_t last_read[UMD_QUEUES];
    uint64_t last_write[UMD_QUEUES];
};

/* ---- queues ---------------------------------------------------------------------------------- */

/* Begin without a queue. The device stays the caller's and outlives this. */
void umd_queues_init(struct umd_queues *queues, struct vidmm_device *device);
/* Destroy the fences. A wait for them ends with STATUS_CANCELLED, and nobody may ask about tracks
 * any more. Call it before the device is destroyed; contexts may be gone. Does not wait. */
void umd_queues_finish(struct umd_queues *queues);

/* Add a context of the device. *index receives the queue's number, from 0, on success only.
 * STATUS_INVALID_PARAMETER: there are UMD_QUEUES; and what vidmm_fence_create() answers:
 * STATUS_NOT_SUPPORTED below WDDM 2.0, STATUS_NO_MEMORY, why the device is in error. After a
 * refusal nothing has changed, and the report (may be NULL) says why. */
NTSTATUS umd_queues_add(struct umd_queues *queues, struct vidmm_context *context, uint32_t *index,
                        struct vidmm_report *report);

/* The value of the submission that is being made: 1 for the first. index: a queue's number. */
uint64_t umd_queue_next(const struct umd_queues *queues, uint32_t index);
/* Have the context signal that value when all that was queued on it before is complete: call this
 * behind each submission. If the submission was refused, call it too, or note the same value
 * with the next one: uses that no signal follows are never over. Answers as
 * vidmm_context_signal_fences(). After a refusal the value is still the next: call again. */
NTSTATUS umd_queue_signal(struct umd_queues *queues, uint32_t index, struct vidmm_report *report);
/* The newest value whose submission, with all before it, is complete; 0: none. Reads memory. */
uint64_t umd_queue_passed(const struct umd_queues *queues, uint32_t index);

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Note a use by the GPU. value: umd_queue_next(). access: UMD_READ, UMD_WRITE or both. Older values
 * than the newest change nothing. */
void umd_track_use(struct umd_track *track, uint32_t index, uint64_t value, uint32_t access);

/* Does the GPU stand in the way? access: with UMD_WRITE while any use is not over, with UMD_READ
 * alone while any write is not. Uses that are noted and not submitted count. */
bool umd_track_is_busy(const struct umd_queues *queues, const struct umd_track *track,
                       uint32_t access);

/* Are all uses that are noted submitted, so that a wait for them ends? */
bool umd_track_is_submitted(const struct umd_queues *queues, const struct umd_track *track);

/* The track as it is now, for a wait that may be longer than its life. */
struct umd_track umd_track_copy(const struct umd_track *track);

/* Wait until it does not, by monitored fences. wait: false answers instead of waiting.
 *
 * STATUS_SUCCESS: the CPU may do it now, until the next use is noted;
 * STATUS_GRAPHICS_ALLOCATION_BUSY (D3DERR_WASSTILLDRAWING): wait is false, and it would have to;
 * STATUS_INVALID_PARAMETER: wait is true, and a use was noted whose value no queue signals yet:
 *   submit it first, or this waits for ever;
 * why the device is in error; STATUS_CANCELLED: the fences or the device were destroyed meanwhile;
 * STATUS_DEVICE_REMOVED; STATUS_TIMEOUT: the host says that the value cannot come;
 *   STATUS_NO_MEMORY.
 * Nothing changes by it. The report (may be NULL) says why. obeys S2-008, S2-009, S2-010 */
NTSTATUS umd_track_wait(const struct umd_queues *queues, const struct umd_track *track,
                        uint32_t access, bool wait, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
