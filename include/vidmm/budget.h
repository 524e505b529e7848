/* budget.h: how much memory a process may have resident, from WDDM 2.0 on, and who is asked to need
 * less.
 *
 *     segments with ApplicationTarget:   LocalBudgetGroup -> local group
 *                                        NonLocalBudgetGroup -> non-local group
 *                                        both or none: memory -> local, an aperture -> non-local
 *
 * A process has a budget in each group, which changes as others come and go, and a reservation,
 * which it has at any rate. Its usage is what its devices list (paging_queue.h). A process above
 * its budget is asked to trim, and need not obey: but nothing more becomes resident for it until it
 * is below, or says that it can trim no further.
 *
 * A process is the number that its devices were created with, and has budgets as long as one of
 * them is there. Everything may be called by any thread. After any answer but success nothing has
 * changed. Below WDDM 2.0 all of it answers STATUS_NOT_SUPPORTED.
 *
 * Sources: "Process residency budgets", D3DKMT_QUERYVIDEOMEMORYINFO,
 * D3DKMT_CHANGEVIDEOMEMORYRESERVATION, D3DDDI_TRIMRESIDENCYSET_FLAGS; D-204 to D-207.
 */
#ifndef VIDMM_BUDGET_H
#define VIDMM_BUDGET_H

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_budget_info;
struct vidmm_device;
struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

/* Say what share of a group a process has, in bytes. STATUS_INVALID_PARAMETER: `info` is NULL,
 * `group` is none of enum vidmm_segment_group, or the process has no device here;
 * STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED: the adapter has stopped. */
NTSTATUS vidmm_query_video_memory(struct vidmm_adapter *adapter, uint64_t process,
                                  enum vidmm_segment_group group, struct vidmm_budget_info *info,
                                  struct vidmm_report *report);

/* Reserve bytes of a group for a process. size: 0 to available_for_reservation (D-206).
 * STATUS_INVALID_PARAMETER: more, a group that is none, or the process has no device here;
 * STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_reserve_video_memory(struct vidmm_adapter *adapter, uint64_t process,
                                    enum vidmm_segment_group group, uint64_t size,
                                    struct vidmm_report *report);

/* Set the budget of a process, for tests. size: 0 to the bytes of the group, or UINT64_MAX: as the
 * memory allows, which it is at first. Answers as vidmm_reserve_video_memory(). Source:
 * D3DKMT_VIDMM_ESCAPE, SetBudget. */
NTSTATUS vidmm_set_budget(struct vidmm_adapter *adapter, uint64_t process,
                          enum vidmm_segment_group group, uint64_t size,
                          struct vidmm_report *report);

/* It is time for a periodic trim: every device is asked for it. restart: ask the devices to begin
 * their periods anew, and trim nothing. The manager looks at no clock, so whoever has one says so.
 * STATUS_NOT_SUPPORTED; STATUS_DEVICE_REMOVED. Source: D3DDDI_TRIMRESIDENCYSET_FLAGS; D-207. */
NTSTATUS vidmm_trim_periodic(struct vidmm_adapter *adapter, bool restart,
                             struct vidmm_report *report);

/* A request to a device's program to need less. */
struct vidmm_trim_request {
    uint32_t flags;         /* VIDMM_TRIM_... of plan.h, never both periodic ones */
    uint64_t bytes_to_trim; /* VIDMM_TRIM_TO_BUDGET: by so many its process is above its budget */
};

/* Take what the device's program is asked for and has not taken yet; requests that nobody took are
 * one by then. False: nothing, and *request is zeros. A wake() of the host follows each request. */
bool vidmm_trim_take(struct vidmm_device *device, struct vidmm_trim_request *request);
/* Wait until there is a request, and take it. STATUS_TIMEOUT: none came and none can;
 * STATUS_DEVICE_REMOVED: the adapter has stopped; STATUS_NOT_SUPPORTED. */
NTSTATUS vidmm_trim_wait(struct vidmm_device *device, struct vidmm_trim_request *request);

/* A function to be called when a device's program is asked for something. */
struct vidmm_trim_notice {
    /* Called by any thread, inside of the manager: it may wake somebody who takes the request, and
     * calls nothing of the manager. */
    void (*asked)(void *argument);
    void *argument;
};

/* Call *notice (copied) for each request to the device, and now if one stands there; one notice a
 * device, the newest. NULL: none; after that no call is under way. Devices are destroyed without
 * one. STATUS_INVALID_PARAMETER: `asked` is NULL; STATUS_NOT_SUPPORTED. */
NTSTATUS vidmm_trim_notify(struct vidmm_device *device, const struct vidmm_trim_notice *notice,
                           struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
