/* device.h: a device as the rooms around the engine know it. A structure and no more. The adapter's
 * mutex guards what is not said to be atomic.
 */
#ifndef VIDMM_OBJECT_DEVICE_H
#define VIDMM_OBJECT_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/fence.h>
#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_context;
struct vidmm_fence;
struct vidmm_paging_queue;
struct vidmm_process;
struct vidmm_resource;
struct _DXGK_DEVICEINFO;

struct vidmm_device {
    struct vidmm_adapter *adapter;
    struct vidmm_device *next, **link; /* of its adapter */
    struct vidmm_context *contexts;
    struct vidmm_allocation *allocations;
    struct vidmm_allocation *context_allocations;
    struct vidmm_resource *resources;
    struct vidmm_paging_queue *paging_queues;
    struct vidmm_fence *fences; /* without those of paging queues */
    HANDLE h_device;            /* the miniport's */
    bool made;                  /* the miniport has its side of it */
    bool system;
    struct _DXGK_DEVICEINFO *info; /* in the same block */
    uint32_t id, handle;
    uint64_t process;
    struct vidmm_process *owner;    /* of that number; NULL: below 2.0 */
    _Atomic uint64_t unmatched;     /* locks that ended with their allocation, not by an unlock */
    uint64_t frames[VIDMM_SOURCES]; /* that sources have shown of it so far */
    uint32_t awaited;               /* allocations whose end a thread waits for */
    uint32_t trim;                  /* VIDMM_TRIM_...: asked of its program, and not yet told */
    uint64_t bytes_to_trim;         /* VIDMM_TRIM_TO_BUDGET: as of the newest request */
    struct vidmm_trim_notice trim_notice; /* of its program; `asked` NULL: none */
    NTSTATUS status;                      /* why it is in error */
    bool page_faulted;                    /* ... because of this: */
    struct vidmm_page_fault fault;
    struct vidmm_report report;
    struct vidmm_report refusal; /* why the last context allocation of no context was refused */
};

#endif
