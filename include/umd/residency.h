/*
 * residency.h: a residency set: what a device's submissions need is resident, and leaves again in
 * the order in which it was not used.
 *
 *     umd_residency_require(A, C)
 *
 *     oldest                    newest           missing: one vidmm_make_resident() for all of it
 *     [ B ] [ A ] [ D ] [ E ]        C           no room: [ B ] leaves, if the GPU is done with it
 *       '- leaves first
 *
 *     umd_residency_obey(request)                a trim request: to the budget, or periodic
 *
 * The set holds what it has put onto the device's residency list (vidmm/paging_queue.h), once each.
 * It trims when the manager refuses for want of room or because the process would be above its
 * budget, and when it asks for it (vidmm/budget.h). An allocation that the GPU uses stays: its
 * track says so. If everything that could leave is used, the set waits for the oldest by monitored
 * fences, or says that it would have to. If nothing could leave, it tells the manager that it
 * cannot trim further, which then allows for it above the budget if there is memory.
 * umd_residency_try() does none of this: a Direct3D 12 driver leaves it to its program.
 *
 *     value = umd_queue_next(&queues, 0);
 *     umd_track_use(&vertices.track, 0, value, UMD_READ);             first: what is used stays
 *     umd_residency_require(&set, list, count, true, &fence_value, report);
 *     if (fence_value != 0)                                           and the queue waits for it
 *         vidmm_context_wait_for_fences(context, &(struct vidmm_fence_point){
 *             vidmm_paging_queue_monitored_fence(paging_queue), fence_value}, 1, report);
 *     vidmm_submit_command(...); umd_queue_signal(...);
 *
 * Ownership: all structures are the caller's, and are written by these functions alone. Everything
 * may be called by any thread if there is a mutex, and otherwise by one at a time. The set is not
 * locked while it waits.
 *
 * Source: "Residency overview", "Process residency budgets"; D-193 to D-201, D-204 to D-207.
 */
#ifndef UMD_RESIDENCY_H
#define UMD_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct umd_queues;
struct umd_track;
struct vidmm_allocation;
struct vidmm_device;
struct vidmm_memory;
struct vidmm_paging_queue;
struct vidmm_report;
struct vidmm_trim_request;

/* A mutex of the caller's, not recursive. Functions that are NULL: there is none. */
struct umd_mutex {
    void *context;
    void (*lock)(void *context);
    void (*unlock)(void *context);
};

/* The set's part of one allocation. */
struct umd_resident {
    struct vidmm_allocation *allocation;
    const struct umd_track *track;      /* its uses by the GPU */
    struct umd_resident *older, *newer; /* while it is listed */
    uint64_t used;                      /* number of the newest request that named it; 0: none */
    uint64_t value;                     /* of the paging queue, when it is in place; 0: at once */
    uint32_t wanted;                    /* requests that are going on and name it */
    bool listed;                        /* on the device's residency list, by this set */
};

/* All of it stays the caller's and outlives the set. */
struct umd_residency_options {
    struct vidmm_device *device;
    struct vidmm_paging_queue *paging_queue; /* of the device */
    const struct umd_queues *queues;         /* of the device */
    const struct vidmm_memory *memory;       /* for a list of what is missing */
    struct umd_mutex mutex;
};

struct umd_residency {
    struct umd_residency_options options;
    struct umd_resident *oldest, *newest;
    uint64_t now;                      /* number of the newest request */
    uint64_t period;                   /* that number at the newest periodic trim */
    uint64_t bytes;                    /* listed */
    struct vidmm_allocation **missing; /* of the request that is going on */
    uint32_t missing_room;
};

/* Begin with an empty set. */
void umd_residency_init(struct umd_residency *set, const struct umd_residency_options *options);
/* End it, with its memory. The device's list stays as it is: destroy the device, or forget
 * residents first. */
void umd_residency_finish(struct umd_residency *set);

/* Begin with an allocation that is not listed. track: outlives it, may be noted in by any thread.*/
void umd_resident_init(struct umd_resident *resident, struct vidmm_allocation *allocation,
                       const struct umd_track *track);

/*
 * Have these in place for a submission. count: 0 to VIDMM_RESIDENCY_MOST; one may be named several
 * times. Note their uses before (umd_track_use()): until then other threads may trim them. wait:
 * whether this may wait for the GPU. *value, written on success only: the submission may run when
 * the paging queue has come to it; 0: at once. When it has come, vidmm_paging_queue_failure() says
 * whether all went well.
 *
 * STATUS_SUCCESS: all are listed, and the newest;
 * STATUS_GRAPHICS_ALLOCATION_BUSY: wait is false, and room would come when the GPU has done more;
 * STATUS_NO_MEMORY: more than the memory holds, with nothing left that could leave; or no memory
 *   for a list;
 * STATUS_INVALID_PARAMETER: more than VIDMM_RESIDENCY_MOST, or what vidmm_make_resident() refuses;
 * why the device is in error; and what vidmm_fence_wait() answers.
 * After a refusal none of those that were missing is listed; others may have left. The report (may
 * be NULL) says why.
 */
NTSTATUS umd_residency_require(struct umd_residency *set, struct umd_resident *const *residents,
                               uint32_t count, bool wait, uint64_t *value,
                               struct vidmm_report *report);

/*
 * Have them in place, or leave all as it is, for a Direct3D 12 driver, whose program decides what
 * leaves: ask once, trim nothing, and wait for nothing. *bytes_to_trim (may be NULL) receives how
 * many bytes would have to leave before the manager has room, and 0 if all is listed or if trimming
 * would not help.
 *
 * STATUS_SUCCESS: all are listed, and the newest;
 * STATUS_NO_MEMORY: there is no room, or no memory for a list;
 * STATUS_INVALID_PARAMETER: as above; and why the device is in error.
 * After a refusal nothing has changed: what was listed is listed, in its order, and nothing else
 * is; *value keeps what it held, so there is no fence to wait for. The report (may be NULL) says
 * why.
 * Source: pfnd3dddi_makeresidentcb; D-201.
 */
NTSTATUS umd_residency_try(struct umd_residency *set, struct umd_resident *const *residents,
                           uint32_t count, uint64_t *value, uint64_t *bytes_to_trim,
                           struct vidmm_report *report);

/* Have at least so many bytes leave, oldest first, as far as the GPU is done with them. Does not
 * wait. *trimmed (may be NULL) receives how many bytes left, which may be 0. STATUS_SUCCESS, or
 * what vidmm_evict() answers. */
NTSTATUS umd_residency_trim(struct umd_residency *set, uint64_t bytes, uint64_t *trimmed,
                            struct vidmm_report *report);

/* Obey a request of the manager (vidmm_trim_take(), vidmm_trim_wait()). TrimToBudget: as
 * umd_residency_trim(). PeriodicTrim: what no request named since the newest periodic trim leaves.
 * RestartPeriodicTrim: the period begins anew. Answers as umd_residency_trim(). Source:
 * D3DDDI_TRIMRESIDENCYSET_FLAGS; D-207. */
NTSTATUS umd_residency_obey(struct umd_residency *set, const struct vidmm_trim_request *request,
                            uint64_t *trimmed, struct vidmm_report *report);

/* Take it out of the set: call it before the allocation is destroyed. Does not wait, and may be
 * called while the GPU uses it; the manager takes a destroyed one off its list when that is over
 * (S2-005). */
void umd_residency_forget(struct umd_residency *set, struct umd_resident *resident);

#ifdef __cplusplus
}
#endif

#endif
