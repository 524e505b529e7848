/* residency.h: a program's words about allocations that it is not using, and its questions about
 * all.
 *
 *     priority    which leave first when room is wanted
 *     offer       it does without the content for now: leaves before all others, and without
 *                 content
 *     reclaim     it wants it again; was the content discarded?
 *     residency   where is it?
 *
 * Allocations are named by resource or by handle, never by both at once (D-209, D-213). Every call
 * may come from any thread; none waits. After any answer but success nothing has changed.
 *
 * Sources: pfnSetPriorityCb, pfnOfferAllocationsCb, pfnReclaimAllocationsCb, pfnQueryResidencyCb;
 * D-155, D-208 to D-214, D-244, D-252.
 */
#ifndef VIDMM_RESIDENCY_H
#define VIDMM_RESIDENCY_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

/* Either resources or allocations; the other count is 0. All of one device. */
struct vidmm_selection {
    struct vidmm_resource *const *resources;
    uint32_t resource_count;
    struct vidmm_allocation *const *allocations;
    uint32_t allocation_count;
};

/* When system memory is short, what is offered may lose its backing store too, and is never of use
 * again: a reclaim answers VIDMM_NOT_COMMITTED. From WDDM 2.0 on. D3DKMT_OFFER_FLAGS. */
#define VIDMM_OFFER_ALLOW_DECOMMIT 1u

/* Offer them. They may be neither locked nor named by a DMA buffer until they are reclaimed
 * (D-211). Work that was queued before still finds their content (D-210). priority: VIDMM_OFFER_LOW
 * .. VIDMM_OFFER_AUTO of plan.h; flags: 0 or VIDMM_OFFER_ALLOW_DECOMMIT. The newest offer of an
 * allocation counts. STATUS_INVALID_PARAMETER: NONE or another priority (D-212), another flag, both
 * or nothing selected, elements of two devices, or one that is locked; STATUS_NOT_SUPPORTED: a flag
 * before WDDM 2.0; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_offer(const struct vidmm_selection *selection, uint32_t priority, uint32_t flags,
                     struct vidmm_report *report);

/* Take back what was offered; other allocations are left as they are. discarded (NULL: a loss is
 * accepted) receives an answer for each element of the selection: true, its content, or of a
 * resource that of one of its allocations, is lost and its next use begins with zeros (D-214). */
NTSTATUS vidmm_reclaim(const struct vidmm_selection *selection, bool *discarded,
                       struct vidmm_report *report);

/* Set the priority, a hint (D-208). With resources, one, priorities[0] is for all its allocations;
 * with allocations priorities[i] is for the i-th (D-209).
 * STATUS_INVALID_PARAMETER: both or nothing selected, or several resources;
 * STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_set_priority(const struct vidmm_selection *selection, const uint32_t *priorities,
                            struct vidmm_report *report);

/* Say the priority of each element of the selection, as it was set last, or as the driver said at
 * creation; of a resource the highest among its allocations, and 0 if it has none. Answers as
 * vidmm_set_priority(), for any number of resources. Source: D3DKMT_GETALLOCATIONPRIORITY. */
NTSTATUS vidmm_get_priority(const struct vidmm_selection *selection, uint32_t *priorities,
                            struct vidmm_report *report);

enum vidmm_residency {
    VIDMM_RESIDENT_IN_GPU = 1,    /* in a memory segment */
    VIDMM_RESIDENT_IN_SHARED = 2, /* in system memory that an aperture shows */
    VIDMM_NOT_RESIDENT = 3,
};

/* Say where each element of the selection is, by the numbers of D3DDDI_RESIDENCYSTATUS; of a
 * resource the lowest number among its allocations (D-252). An empty resource is not resident. */
NTSTATUS vidmm_query_residency(const struct vidmm_selection *selection,
                               enum vidmm_residency *residency, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
