/* paging_queue.h: from WDDM 2.0 on a program says what has to be resident, by device, and hears by
 * a fence when it is.
 *
 *     vidmm_make_resident(queue, ...) --> success: all is in place
 *          |                         '--> pending, and a value
 *          v
 *     device's residency list ....... the queue comes to the value: all of it is in place
 *          |
 *     vidmm_evict(device, ...)
 *
 * A device's *residency list* counts allocations: as many evictions as requests take one off it
 * (D-194). All that it names is in place whenever a context of the device runs (D-193); a device
 * whose list cannot be in place is suspended, its DMA buffers wait, and its calls still answer. The
 * lists of vidmm_render() make nothing resident (D-094).
 *
 * A *paging queue* works in order. Each of its operations that is pending has a value of its own,
 * the next one; the queue's fence begins at 7000, so the first one that is pending answers 7001
 * (W-021).
 *
 * Ownership: a queue belongs to its device and goes with it. Everything may be called by any
 * thread. After any answer but success and STATUS_PENDING nothing has changed. Below WDDM 2.0 all
 * of it answers STATUS_NOT_SUPPORTED, and residency follows from what is rendered.
 *
 * Sources: pfnCreatePagingQueueCb, pfnMakeResidentCb, pfnEvictCb, pfnReclaimAllocations2Cb and
 * their D3DKMT functions; "Residency overview"; D-193 to D-201, D-215, D-250, D-254, W-021.
 */
#ifndef VIDMM_PAGING_QUEUE_H
#define VIDMM_PAGING_QUEUE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_fence;
struct vidmm_paging_queue;
struct vidmm_property; /* plan.h */
struct vidmm_report;
struct vidmm_selection;

#define VIDMM_RESIDENCY_MOST 10240u /* allocations of one call */

/* Create a paging queue of the device. priority: VIDMM_PAGING_QUEUE_BELOW_NORMAL ..
 * VIDMM_PAGING_QUEUE_ABOVE_NORMAL of plan.h. STATUS_INVALID_PARAMETER: another priority, `queue` is
 * NULL; STATUS_NOT_SUPPORTED: the adapter's level is below 2.0; STATUS_NO_MEMORY: none for a
 * record, or the adapter has 65535 queues; why the device is in error (vidmm_device_condition()).
 * Source: D3DKMT_CREATEPAGINGQUEUE. */
NTSTATUS vidmm_paging_queue_create(struct vidmm_device *device, uint32_t priority,
                                   struct vidmm_paging_queue **queue, struct vidmm_report *report);
/* Create one for the page tables of one physical adapter of a link: its maps, updates and copies
 * change that one's tables and no other's (D-229), and lead to the memory of whichever adapter the
 * allocation belongs to. physical_adapter: 0, the lead, which the other function takes, or one
 * of the link; STATUS_INVALID_PARAMETER: there are fewer. Source: D3DKMT_CREATEPAGINGQUEUE,
 * PhysicalAdapterIndex. */
NTSTATUS vidmm_paging_queue_create_for(struct vidmm_device *device, uint32_t priority,
                                       uint32_t physical_adapter, struct vidmm_paging_queue **queue,
                                       struct vidmm_report *report);
/* Wait until nothing is pending on the queue, and destroy it with its fence (D-249). While its
 * device is suspended this waits until the device is resumed. No other thread may use the queue, or
 * wait for it. Takes NULL. Passive level. Source: D3DDDI_DESTROYPAGINGQUEUE. */
void vidmm_paging_queue_destroy(struct vidmm_paging_queue *queue);

/* The newest value that the queue has come to: 7000, or the value of an operation, which has ended
 * with all before it. An operation that could not be carried out ends too. */
uint64_t vidmm_paging_queue_passed(const struct vidmm_paging_queue *queue);
/* The address at which the CPU reads that value: 8 bytes, aligned, which the manager alone writes
 * (vidmm_fence_address() says how); good until the queue is destroyed. Source:
 * D3DKMT_CREATEPAGINGQUEUE, FenceValueCPUVirtualAddress. */
const volatile uint64_t *vidmm_paging_queue_fence(const struct vidmm_paging_queue *queue);
/* Its monitored fence (fence.h), which CPU, GPU and queues of contexts wait for; nobody signals it
 * but the manager. The queue's, good until that is destroyed. */
struct vidmm_fence *vidmm_paging_queue_monitored_fence(const struct vidmm_paging_queue *queue);
/* Wait for a value. value: any that has been answered. STATUS_SUCCESS; STATUS_INVALID_PARAMETER: no
 * operation of the queue has been given it yet; STATUS_TIMEOUT: it did not come and cannot, or the
 * adapter has stopped. */
NTSTATUS vidmm_paging_queue_wait(struct vidmm_paging_queue *queue, uint64_t value,
                                 struct vidmm_report *report);
/* Why the newest operation that failed could not be carried out (STATUS_SUCCESS: none has, since
 * this was asked last). */
NTSTATUS vidmm_paging_queue_failure(struct vidmm_paging_queue *queue);

/* The answer to a request, besides its status. */
struct vidmm_residency_result {
    uint64_t value;         /* STATUS_PENDING: of the queue; 0: already done (D-250) */
    uint64_t bytes_to_trim; /* how far the process is, or would be, above its budget (D-196) */
};

/* Put allocations onto the residency list of the queue's device, each once more than it is.
 * flags: VIDMM_MAKE_RESIDENT_... of plan.h; MustSucceed only with CantTrimFurther (D-197). count: 1
 * to VIDMM_RESIDENCY_MOST; one may be named several times. All are of the queue's device (D-198).
 * *result, which may be NULL, is written after every answer.
 * STATUS_SUCCESS: all is in place; STATUS_PENDING: it is when the queue has come to the value, and
 * the GPU may not use it before (D-195); STATUS_NO_MEMORY, bytes_to_trim not 0: it is more than the
 * budget, or with CantTrimFurther more than the memory, and the device is in error if it must
 * succeed; bytes_to_trim 0: no memory for a record; STATUS_INVALID_PARAMETER: a flag, count or
 * allocation that is not legal; why the device is in error. Source: D3DDDI_MAKERESIDENT. */
NTSTATUS vidmm_make_resident(struct vidmm_paging_queue *queue,
                             struct vidmm_allocation *const *allocations, uint32_t count,
                             uint32_t flags, struct vidmm_residency_result *result,
                             struct vidmm_report *report);

/* Take allocations off the residency list of a device, each as often as it is named. flags:
 * VIDMM_EVICT_... of plan.h. One that no list names any more leaves its segment now, or with
 * OnlyIfNecessary when room is wanted; work that was queued before still finds it (D-199, D-200).
 * NotWrittenTo: the GPU has not written it since it came, so its content need not be saved.
 * result->value is 0. STATUS_INVALID_PARAMETER: a flag, count or allocation that is not legal, or
 * one that is not on the list as often as it is named; STATUS_DEVICE_REMOVED: the adapter has
 * stopped. Source: D3DKMT_EVICT. */
NTSTATUS vidmm_evict(struct vidmm_device *device, struct vidmm_allocation *const *allocations,
                     uint32_t count, uint32_t flags, struct vidmm_residency_result *result,
                     struct vidmm_report *report);

/* The numbers of D3DDDI_RECLAIM_RESULT. */
enum vidmm_reclaimed {
    VIDMM_RECLAIMED,           /* with its content, or it was not offered */
    VIDMM_RECLAIMED_DISCARDED, /* its content is lost; its next use begins with zeros */
    VIDMM_NOT_COMMITTED,       /* so is its memory: it stays offered, and can only be destroyed */
};

/* Take back what was offered (vidmm_offer()), and bring in again what of it is on the residency
 * list. results receives an answer for each element of the selection, of a resource the worst among
 * its allocations; NULL: a loss is accepted, of what was offered without
 * VIDMM_OFFER_ALLOW_DECOMMIT. Answers as vidmm_make_resident(), without a budget;
 * STATUS_INVALID_PARAMETER also: a selection that is not legal, or of another device than the
 * queue's, or no results for what was offered with that flag. Source: D3DKMT_RECLAIMALLOCATIONS2;
 * D-214, D-215. */
NTSTATUS vidmm_reclaim_queued(struct vidmm_paging_queue *queue,
                              const struct vidmm_selection *selection,
                              enum vidmm_reclaimed *results, struct vidmm_residency_result *result,
                              struct vidmm_report *report);

/* Change properties of an allocation of the queue's device, of whatever process has it open. A
 * property that it has already is passed over. The driver is asked first
 * (DxgkDdiValidateUpdateAllocationProperty); then the allocation leaves a segment that is not the
 * first of its new set, by its new preferences, and comes in again where its residency lists want
 * it, behind what the queue was asked before. *result, which may be NULL, is written after every
 * answer.
 * STATUS_SUCCESS: it has these properties, and value is 0; STATUS_PENDING: it has them when the
 * queue has come to the value, and commands that need them wait for that. A change that is
 * not possible any more at that time puts the device in error, as an allocation that fits nowhere
 * does.
 * STATUS_NOT_SUPPORTED: the adapter's level is below 2.1, the driver lacks that function, or this
 * version cannot make the change (CAVEATS.md, Segments and descriptions); STATUS_INVALID_PARAMETER:
 * NULL, a property that is not legal, an allocation of another device, a shared primary or an
 * allocation of a context, segments that are all too small, or the driver refused;
 * STATUS_NO_MEMORY: bytes_to_trim not 0, the residency list would be so much larger than the
 * segments that may hold it; 0, no memory for a record; why the device is in error. No lock is
 * held, or its pointer follows. Source: D3DDDI_UPDATEALLOCPROPERTY, pfnUpdateAllocationPropertyCb;
 * D-254. */
NTSTATUS vidmm_update_property(struct vidmm_paging_queue *queue,
                               struct vidmm_allocation *allocation,
                               const struct vidmm_property *property,
                               struct vidmm_residency_result *result, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
