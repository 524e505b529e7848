/* sync.h: synchronization objects of a process.
 *
 *     monitored fence        struct vidmm_fence, with a place in memory
 *     fence (D3DDDI_FENCE)   struct vidmm_fence that the GPU does not reach: queues alone use it
 *     mutex, semaphore       struct vidmm_semaphore: queues take it and give it
 *     CPU notification       an event that is set when a queue comes to a signal
 *
 * A fence that is shared belongs to no device of a process: it belongs to a device of the machine
 * (keeper.h) and lives as long as an opening of it is there.
 *
 * Source: D3DKMT_CREATESYNCHRONIZATIONOBJECT2, D3DKMT_OPENSYNCHRONIZATIONOBJECT.
 */
#ifndef VIDMM_THUNK_SYNC_H
#define VIDMM_THUNK_SYNC_H

#include <vidmm/fence.h>
#include <wddm/d3dukmdt_sync.h>

struct vidmm_mirror;
struct vidmm_semaphore;
struct vidmm_thunk_machine;
struct vidmm_thunk_object;
struct vidmm_thunk_process;

/* A shared fence, known to the machine. */
struct vidmm_sync_share {
    struct vidmm_sync_share *next;
    struct vidmm_adapter *adapter;
    struct vidmm_fence *fence;
    D3DKMT_HANDLE handle; /* global; 0: it is opened by NT handles alone */
    D3DDDI_SYNCHRONIZATIONOBJECT_TYPE type;
    D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS flags;
    uint32_t openings;
    struct vidmm_device *device; /* whose the fence is */
    struct vidmm_mirror *mirror; /* carries its values to other processes of the system; NULL: none
                                    has been asked for. Under the machine's mutex */
};

struct vidmm_thunk_sync {
    D3DDDI_SYNCHRONIZATIONOBJECT_TYPE type;
    struct vidmm_fence *fence;      /* NULL: a CPU notification */
    bool borrowed;                  /* the fence is its paging queue's */
    struct vidmm_sync_share *share; /* NULL: the fence is the device's */
    int event;                      /* of a CPU notification; else -1 */
    uint64_t signals;               /* of a context's own fence: the newest value asked for */
    struct vidmm_fence *grants;     /* of a context's own: its turns are granted; NULL: none yet */
    uint64_t granted;               /* the newest value of it that the queue waits for */
    struct vidmm_semaphore *semaphore; /* of a mutex or a semaphore; else NULL */
};

/* Make an object below `parent`, held, for an opening of a share (NULL: none), a fence, or an
 * event; not shown. STATUS_NO_MEMORY, STATUS_INVALID_PARAMETER: the parent is removed, and what was
 * to be opened is the caller's still. */
NTSTATUS vidmm_sync_add(struct vidmm_thunk_process *process, struct vidmm_thunk_object *parent,
                        const struct vidmm_thunk_sync *sync, struct vidmm_thunk_object **object);
/* The object's handle has gone, and its device, if it is that which went. */
void vidmm_sync_finish(struct vidmm_thunk_machine *machine, struct vidmm_thunk_sync *sync);

/* Make it known, with one opening. */
void vidmm_sync_share_publish(struct vidmm_thunk_machine *machine, struct vidmm_sync_share *share);
/* One opening less; the last takes the fence. Takes NULL. */
void vidmm_sync_share_close(struct vidmm_thunk_machine *machine, struct vidmm_sync_share *share);

/* Inside: the fences of `count` handles (1 to VIDMM_FENCES_AT_ONCE), with their values. If the
 * first is no monitored fence, none is, and all have the value `one`. */
NTSTATUS vidmm_sync_points(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *handles,
                           uint32_t count, const UINT64 *values, uint64_t one,
                           struct vidmm_fence_point *points);

#endif
