/* object.h: what handles stand for, and how long it lives.
 *
 *     adapter --- device --- context
 *                       |        '--- hardware queue
 *                       |                 '--- synchronization object: its progress fence
 *                       |--- paging queue
 *                       |        '--- synchronization object: its fence
 *                       |--- synchronization object
 *                       |--- allocation --- allocation: another instance of it
 *                       '--- resource --- allocation --- ...
 *
 * A thunk enters the process, finds objects and uses them, and leaves: so long nothing is removed.
 * A thunk that may have to wait *holds* its objects instead: it enters, finds, holds and leaves; it
 * lets go when it is done. Removing an object takes its handle and those of all below it at once,
 * and then waits for whoever holds it or something below it. Until it is forgotten, it holds all
 * that is above it.
 *
 *     enter, find, use, leave                        a call that waits for nothing
 *     enter, find, hold, leave; use; let go          ... that may wait
 *     hold the parent; make, add, show; let go       ... that makes an object
 *     remove; destroy what it stood for; forget      an end
 */
#ifndef VIDMM_THUNK_OBJECT_H
#define VIDMM_THUNK_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <wddm/d3dukmdt_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_command_room;
struct vidmm_share;
struct vidmm_thunk_process;

enum vidmm_thunk_type {
    VIDMM_THUNK_ADAPTER,
    VIDMM_THUNK_DEVICE,
    VIDMM_THUNK_CONTEXT,
    VIDMM_THUNK_PAGING_QUEUE,
    VIDMM_THUNK_ALLOCATION,
    VIDMM_THUNK_RESOURCE,
    VIDMM_THUNK_SYNC,
    VIDMM_THUNK_HW_QUEUE,
    VIDMM_THUNK_TYPES
};

#define VIDMM_THUNK_REMOVED 0x80000000u /* somebody waits for its holders */

struct vidmm_thunk_object {
    enum vidmm_thunk_type type;
    D3DKMT_HANDLE handle;
    void *of; /* by type: struct vidmm_thunk_adapter, vidmm_device, vidmm_context, ... */
    struct vidmm_share *share;                  /* of a resource that is shared; else NULL */
    struct vidmm_command_room *room;            /* of a context that renders; else NULL */
    atomic_int priority, in_process_priority;   /* of a context: context_priority.c */
    atomic_uint holds;                          /* of it, and VIDMM_THUNK_REMOVED */
    bool removed;                               /* under the mutex: no handle leads to it */
    struct vidmm_thunk_object *parent;          /* NULL: an adapter */
    struct vidmm_thunk_object *children;        /* the newest first */
    struct vidmm_thunk_object *next, *previous; /* among the children of its parent */
};

/* Inside, nothing is removed. Nobody waits inside, or enters twice. */
void vidmm_thunk_enter(struct vidmm_thunk_process *process);
void vidmm_thunk_leave(struct vidmm_thunk_process *process);

/* Inside: the object of a handle. NULL: the handle is none, or of another type; the reason says it,
 * with the name of the member. */
struct vidmm_thunk_object *vidmm_thunk_find(struct vidmm_thunk_process *process,
                                            D3DKMT_HANDLE handle, enum vidmm_thunk_type type,
                                            const char *member);

/* Inside: what each of `count` handles stands for, all of one device. */
NTSTATUS vidmm_thunk_find_all(struct vidmm_thunk_process *process,
                              const struct vidmm_thunk_object *device, const D3DKMT_HANDLE *handles,
                              uint32_t count, enum vidmm_thunk_type type, const char *member,
                              void **of);
/* Inside: as vidmm_thunk_find(), of a device. NULL also: it is another device's, or the handle of
 * the device, hDevice, is none. */
struct vidmm_thunk_object *vidmm_thunk_find_of_device(struct vidmm_thunk_process *process,
                                                      D3DKMT_HANDLE device, D3DKMT_HANDLE handle,
                                                      enum vidmm_thunk_type type,
                                                      const char *member);

/* Inside: hold an object that was found. */
void vidmm_thunk_hold(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object);
void vidmm_thunk_let_go(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object);
/* Enter, find, hold, leave. */
struct vidmm_thunk_object *vidmm_thunk_find_and_hold(struct vidmm_thunk_process *process,
                                                     D3DKMT_HANDLE handle,
                                                     enum vidmm_thunk_type type,
                                                     const char *member);

/* Outside, with the parent held (NULL: an adapter): make an object for `of`, with a handle that
 * leads to it as soon as it is shown. STATUS_NO_MEMORY; STATUS_INVALID_PARAMETER: the parent is
 * removed meanwhile. */
NTSTATUS vidmm_thunk_add(struct vidmm_thunk_process *process, struct vidmm_thunk_object *parent,
                         enum vidmm_thunk_type type, void *of, struct vidmm_thunk_object **object);
/* Let the handle of an object and of those below it lead to them. From then on anybody may remove
 * it. If the parent was removed meanwhile, they go with it. */
void vidmm_thunk_show(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object);
/* Take back an object that was not shown, with those below it. */
void vidmm_thunk_cancel(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object);

/* Outside, holding nothing: remove the object and all below it, and return when nobody holds any of
 * them. NULL: the handle is none, or of another type. The object is the caller's. */
struct vidmm_thunk_object *vidmm_thunk_remove(struct vidmm_thunk_process *process,
                                              D3DKMT_HANDLE handle, enum vidmm_thunk_type type,
                                              const char *member);
/* Remove allocations of a device: all of one unshared resource, or all of none (D-066), each named
 * once, and say who they are. count: 1 or more. STATUS_INVALID_PARAMETER: they are not; nothing has
 * been removed. */
NTSTATUS vidmm_thunk_remove_allocations(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                                        const D3DKMT_HANDLE *handles, uint32_t count,
                                        struct vidmm_thunk_object **objects);
/* Give up an object that was removed, with all below it. */
void vidmm_thunk_forget(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object);

/* With the object held, or removed: its newest child of a type. NULL: it has none. */
struct vidmm_thunk_object *vidmm_thunk_child(struct vidmm_thunk_process *process,
                                             const struct vidmm_thunk_object *object,
                                             enum vidmm_thunk_type type);
/* Inside: a device of an adapter. NULL: it has none yet. */
struct vidmm_thunk_object *vidmm_thunk_any_device(struct vidmm_thunk_process *process,
                                                  const struct vidmm_thunk_object *adapter);
/* Outside, or inside: the handles of all allocations that the process has on an adapter, resources'
 * too, those that are removed meanwhile among them. *handles is the caller's, of malloc(); NULL: it
 * has none. False: no memory. */
bool vidmm_thunk_list_allocations(struct vidmm_thunk_process *process,
                                  const struct vidmm_adapter *adapter, D3DKMT_HANDLE **handles,
                                  uint32_t *count);
/* The adapter that an object belongs to. */
struct vidmm_adapter *vidmm_thunk_adapter_of(const struct vidmm_thunk_object *object);
/* The first instance of an allocation. */
struct vidmm_thunk_object *vidmm_thunk_first_instance(struct vidmm_thunk_object *allocation);
/* With the first instance held: the object of an instance. NULL: it has none yet. */
struct vidmm_thunk_object *vidmm_thunk_instance(struct vidmm_thunk_process *process,
                                                struct vidmm_thunk_object *first,
                                                const struct vidmm_allocation *instance);
/* The device that an object belongs to, or is. */
struct vidmm_thunk_object *vidmm_thunk_device_of(struct vidmm_thunk_object *object);

#endif
