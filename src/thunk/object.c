/* object.c: families of objects, under the mutex of their process.
 *
 * Order of locks: the gate, then the mutex. A handle is removed while the gate is closed, so
 * whoever is inside and has found an object finds it whole. A hold is one number of one object,
 * taken inside; whoever removes a family waits for the numbers of all its members. An object that
 * is let go may be freed at once by who waits for it, so the last look at it is the subtraction,
 * which tells whether somebody waits.
 */
#include "thunk/object.h"

#include <assert.h>
#include <stdlib.h>

#include <wddm/ntstatus.h>

#include "thunk/process.h"
#include "thunk/render.h"
#include "thunk/share.h"
#include "thunk/sync.h"

static const char *const type_names[VIDMM_THUNK_TYPES] = {
    [VIDMM_THUNK_ADAPTER] = "an adapter",        [VIDMM_THUNK_DEVICE] = "a device",
    [VIDMM_THUNK_CONTEXT] = "a context",         [VIDMM_THUNK_PAGING_QUEUE] = "a paging queue",
    [VIDMM_THUNK_HW_QUEUE] = "a hardware queue", [VIDMM_THUNK_ALLOCATION] = "an allocation",
    [VIDMM_THUNK_RESOURCE] = "a resource",       [VIDMM_THUNK_SYNC] = "a synchronization object",
};

void vidmm_thunk_enter(struct vidmm_thunk_process *process)
{
    vidmm_thunk_gate_enter(&process->gate);
}

void vidmm_thunk_leave(struct vidmm_thunk_process *process)
{
    vidmm_thunk_gate_leave(&process->gate);
}

struct vidmm_thunk_object *vidmm_thunk_find(struct vidmm_thunk_process *process,
                                            D3DKMT_HANDLE handle, enum vidmm_thunk_type type,
                                            const char *member)
{
    struct vidmm_thunk_object *object = vidmm_handle_table_find(&process->table, handle);

    if (object != NULL && object->type == type)
        return object;
    if (object == NULL)
        vidmm_thunk_refuse("%s is 0x%x, which is no handle of this process", member, handle);
    else
        vidmm_thunk_refuse("%s is 0x%x, the handle of %s; expected that of %s", member, handle,
                           type_names[object->type], type_names[type]);
    return NULL;
}

NTSTATUS vidmm_thunk_find_all(struct vidmm_thunk_process *process,
                              const struct vidmm_thunk_object *device, const D3DKMT_HANDLE *handles,
                              uint32_t count, enum vidmm_thunk_type type, const char *member,
                              void **of)
{
    for (uint32_t i = 0; i < count; i++) {
        struct vidmm_thunk_object *object = vidmm_handle_table_find(&process->table, handles[i]);

        if (object == NULL || object->type != type) {
            vidmm_thunk_find(process, handles[i], type, member); /* says why it is refused */
            return STATUS_INVALID_PARAMETER;
        }
        if (object->parent != device && vidmm_thunk_device_of(object) != device)
            return vidmm_thunk_refuse("%s is 0x%x, of another device", member, handles[i]);
        of[i] = object->of;
    }
    return STATUS_SUCCESS;
}

struct vidmm_thunk_object *vidmm_thunk_find_of_device(struct vidmm_thunk_process *process,
                                                      D3DKMT_HANDLE device, D3DKMT_HANDLE handle,
                                                      enum vidmm_thunk_type type,
                                                      const char *member)
{
    struct vidmm_thunk_object *object =
        vidmm_thunk_find(process, device, VIDMM_THUNK_DEVICE, "hDevice");

    if (object != NULL)
        object = vidmm_thunk_find(process, handle, type, member);
    if (object == NULL || vidmm_thunk_device_of(object)->handle == device)
        return object;
    vidmm_thunk_refuse("%s is 0x%x, of another device than hDevice", member, handle);
    return NULL;
}

void vidmm_thunk_hold(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    (void)process;
    atomic_fetch_add(&object->holds, 1);
}

void vidmm_thunk_let_go(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    unsigned before = atomic_fetch_sub(&object->holds, 1);

    assert((before & ~VIDMM_THUNK_REMOVED) > 0);
    if ((before & VIDMM_THUNK_REMOVED) != 0) {
        pthread_mutex_lock(&process->mutex);
        pthread_cond_broadcast(&process->let_go);
        pthread_mutex_unlock(&process->mutex);
    }
}

struct vidmm_thunk_object *vidmm_thunk_find_and_hold(struct vidmm_thunk_process *process,
                                                     D3DKMT_HANDLE handle,
                                                     enum vidmm_thunk_type type, const char *member)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(process);
    object = vidmm_thunk_find(process, handle, type, member);
    if (object != NULL)
        vidmm_thunk_hold(process, object);
    vidmm_thunk_leave(process);
    return object;
}

static struct vidmm_thunk_object **family(struct vidmm_thunk_process *process,
                                          struct vidmm_thunk_object *parent)
{
    return parent != NULL ? &parent->children : &process->adapters;
}

static void link_in(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    struct vidmm_thunk_object **first = family(process, object->parent);

    object->next = *first;
    if (*first != NULL)
        (*first)->previous = object;
    *first = object;
}

static void unlink_from(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    if (object->previous != NULL)
        object->previous->next = object->next;
    else
        *family(process, object->parent) = object->next;
    if (object->next != NULL)
        object->next->previous = object->previous;
    object->next = object->previous = NULL;
}

NTSTATUS vidmm_thunk_add(struct vidmm_thunk_process *process, struct vidmm_thunk_object *parent,
                         enum vidmm_thunk_type type, void *of, struct vidmm_thunk_object **object)
{
    struct vidmm_thunk_object *made = calloc(1, sizeof(*made));
    NTSTATUS status = STATUS_SUCCESS;

    if (made == NULL)
        return STATUS_NO_MEMORY;
    made->type = type;
    made->of = of;
    made->parent = parent;
    pthread_mutex_lock(&process->mutex);
    for (struct vidmm_thunk_object *above = parent; above != NULL; above = above->parent)
        if (above->removed)
            status = vidmm_thunk_refuse("the handle 0x%x is being removed", above->handle);
    if (status == STATUS_SUCCESS) {
        made->handle = vidmm_handle_table_add(&process->table, made);
        if (made->handle == 0)
            status = STATUS_NO_MEMORY;
        else
            link_in(process, made);
    }
    pthread_mutex_unlock(&process->mutex);
    if (status != STATUS_SUCCESS) {
        free(made);
        return status;
    }
    *object = made;
    return STATUS_SUCCESS;
}

/* The next object of the family of `root`, in an order in which a parent comes before its
 * children. */
static struct vidmm_thunk_object *next_of_family(struct vidmm_thunk_object *root,
                                                 struct vidmm_thunk_object *object)
{
    if (object->children != NULL)
        return object->children;
    while (object != root && object->next == NULL)
        object = object->parent;
    return object != root ? object->next : NULL;
}

/* Free an object and all below it. */
static void free_family(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    struct vidmm_thunk_object *child;

    while ((child = object->children) != NULL) {
        object->children = child->next;
        free_family(process, child);
    }
    if (object->share != NULL)
        vidmm_share_close(process->machine, object->share);
    if (object->type == VIDMM_THUNK_SYNC)
        vidmm_sync_finish(process->machine, object->of);
    vidmm_command_room_destroy(object->room);
    free(object);
}

void vidmm_thunk_show(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    pthread_mutex_lock(&process->mutex);
    for (struct vidmm_thunk_object *o = object; o != NULL; o = next_of_family(object, o))
        if (!o->removed)
            vidmm_handle_table_show(&process->table, o->handle);
    pthread_mutex_unlock(&process->mutex);
}

void vidmm_thunk_cancel(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    pthread_mutex_lock(&process->mutex);
    unlink_from(process, object);
    for (struct vidmm_thunk_object *o = object; o != NULL; o = next_of_family(object, o))
        if (!o->removed)
            vidmm_handle_table_remove(&process->table, o->handle);
    pthread_mutex_unlock(&process->mutex);
    free_family(process, object);
}

/* With the gate closed and the mutex: no handle leads to it or to anything below it. It holds what
 * is above until it is forgotten. */
static void take_out(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    unlink_from(process, object);
    if (object->parent != NULL)
        atomic_fetch_add(&object->parent->holds, 1);
    for (struct vidmm_thunk_object *o = object; o != NULL; o = next_of_family(object, o)) {
        o->removed = true;
        atomic_fetch_or(&o->holds, VIDMM_THUNK_REMOVED);
        vidmm_handle_table_remove(&process->table, o->handle);
    }
}

/* With the mutex. */
static void await_holders(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    struct vidmm_thunk_object *o = object;

    while (o != NULL)
        if (atomic_load(&o->holds) != VIDMM_THUNK_REMOVED) {
            pthread_cond_wait(&process->let_go, &process->mutex);
            o = object;
        } else
            o = next_of_family(object, o);
}

struct vidmm_thunk_object *vidmm_thunk_remove(struct vidmm_thunk_process *process,
                                              D3DKMT_HANDLE handle, enum vidmm_thunk_type type,
                                              const char *member)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_gate_close(&process->gate);
    pthread_mutex_lock(&process->mutex);
    object = vidmm_thunk_find(process, handle, type, member);
    if (object != NULL)
        take_out(process, object);
    vidmm_thunk_gate_open(&process->gate);
    if (object != NULL)
        await_holders(process, object);
    pthread_mutex_unlock(&process->mutex);
    return object;
}

/* With the gate closed: find them; `removed` marks those that were named already. */
static NTSTATUS find_allocations(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                                 const D3DKMT_HANDLE *handles, uint32_t count,
                                 struct vidmm_thunk_object **objects)
{
    uint32_t found = 0;
    NTSTATUS status = STATUS_SUCCESS;

    if (vidmm_thunk_find(process, device, VIDMM_THUNK_DEVICE, "hDevice") == NULL)
        return STATUS_INVALID_PARAMETER;
    for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++) {
        struct vidmm_thunk_object *object = vidmm_thunk_find(
            process, handles[i], VIDMM_THUNK_ALLOCATION, "an element of phAllocationList");

        if (object != NULL)
            object = vidmm_thunk_first_instance(object);
        if (object == NULL)
            status = STATUS_INVALID_PARAMETER;
        else if (object->removed)
            status = vidmm_thunk_refuse("phAllocationList[%u] is 0x%x, which is named twice", i,
                                        handles[i]);
        else if (vidmm_thunk_device_of(object)->handle != device)
            status = vidmm_thunk_refuse("phAllocationList[%u] is 0x%x, of another device than "
                                        "hDevice",
                                        i, handles[i]);
        else if (object->parent->share != NULL)
            status = vidmm_thunk_refuse("phAllocationList[%u] is 0x%x, of a shared resource, "
                                        "which goes as a whole (D-066)",
                                        i, handles[i]);
        else if (i > 0 && object->parent != objects[0]->parent)
            status = vidmm_thunk_refuse("phAllocationList[%u] is 0x%x, of another resource than "
                                        "the first (D-066)",
                                        i, handles[i]);
        else {
            object->removed = true;
            objects[found++] = object;
        }
    }
    if (status != STATUS_SUCCESS)
        while (found > 0)
            objects[--found]->removed = false;
    return status;
}

NTSTATUS vidmm_thunk_remove_allocations(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                                        const D3DKMT_HANDLE *handles, uint32_t count,
                                        struct vidmm_thunk_object **objects)
{
    NTSTATUS status;

    vidmm_thunk_gate_close(&process->gate);
    pthread_mutex_lock(&process->mutex);
    status = find_allocations(process, device, handles, count, objects);
    for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++)
        take_out(process, objects[i]);
    vidmm_thunk_gate_open(&process->gate);
    for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++)
        await_holders(process, objects[i]);
    pthread_mutex_unlock(&process->mutex);
    return status;
}

void vidmm_thunk_forget(struct vidmm_thunk_process *process, struct vidmm_thunk_object *object)
{
    struct vidmm_thunk_object *parent = object->parent;

    free_family(process, object);
    if (parent != NULL)
        vidmm_thunk_let_go(process, parent);
}

struct vidmm_thunk_object *vidmm_thunk_child(struct vidmm_thunk_process *process,
                                             const struct vidmm_thunk_object *object,
                                             enum vidmm_thunk_type type)
{
    struct vidmm_thunk_object *child;

    pthread_mutex_lock(&process->mutex);
    for (child = object->children; child != NULL && child->type != type; child = child->next) {
    }
    pthread_mutex_unlock(&process->mutex);
    return child;
}

struct vidmm_thunk_object *vidmm_thunk_any_device(struct vidmm_thunk_process *process,
                                                  const struct vidmm_thunk_object *adapter)
{
    struct vidmm_thunk_object *device;

    pthread_mutex_lock(&process->mutex);
    for (device = adapter->children; device != NULL && device->type != VIDMM_THUNK_DEVICE;)
        device = device->next;
    pthread_mutex_unlock(&process->mutex);
    return device;
}

/* Handles of the allocations at and below `object`, with the mutex held; NULL: they are counted
 * only. A family has few generations: device, resource, allocation, instance. */
static uint32_t list_below(const struct vidmm_thunk_object *object, D3DKMT_HANDLE *handles)
{
    const struct vidmm_thunk_object *child;
    uint32_t count = 0;

    if (object->type == VIDMM_THUNK_ALLOCATION) {
        if (handles != NULL)
            handles[count] = object->handle;
        count++;
    }
    for (child = object->children; child != NULL; child = child->next)
        count += list_below(child, handles != NULL ? handles + count : NULL);
    return count;
}

static uint32_t list_all(const struct vidmm_thunk_process *process,
                         const struct vidmm_adapter *adapter, D3DKMT_HANDLE *handles)
{
    const struct vidmm_thunk_object *object;
    uint32_t count = 0;

    for (object = process->adapters; object != NULL; object = object->next)
        if (vidmm_thunk_adapter_of(object) == adapter)
            count += list_below(object, handles != NULL ? handles + count : NULL);
    return count;
}

bool vidmm_thunk_list_allocations(struct vidmm_thunk_process *process,
                                  const struct vidmm_adapter *adapter, D3DKMT_HANDLE **handles,
                                  uint32_t *count)
{
    pthread_mutex_lock(&process->mutex);
    *count = list_all(process, adapter, NULL);
    *handles = *count > 0 ? malloc(*count * sizeof(**handles)) : NULL;
    if (*handles != NULL)
        list_all(process, adapter, *handles);
    pthread_mutex_unlock(&process->mutex);
    return *count == 0 || *handles != NULL;
}

struct vidmm_adapter *vidmm_thunk_adapter_of(const struct vidmm_thunk_object *object)
{
    while (object->parent != NULL)
        object = object->parent;
    return ((const struct vidmm_thunk_adapter *)object->of)->adapter;
}

struct vidmm_thunk_object *vidmm_thunk_first_instance(struct vidmm_thunk_object *allocation)
{
    while (allocation->parent->type == VIDMM_THUNK_ALLOCATION)
        allocation = allocation->parent;
    return allocation;
}

struct vidmm_thunk_object *vidmm_thunk_instance(struct vidmm_thunk_process *process,
                                                struct vidmm_thunk_object *first,
                                                const struct vidmm_allocation *instance)
{
    struct vidmm_thunk_object *object;

    if (first->of == instance)
        return first;
    pthread_mutex_lock(&process->mutex);
    for (object = first->children; object != NULL && object->of != instance;)
        object = object->next;
    pthread_mutex_unlock(&process->mutex);
    return object;
}

struct vidmm_thunk_object *vidmm_thunk_device_of(struct vidmm_thunk_object *object)
{
    while (object->type != VIDMM_THUNK_DEVICE)
        object = object->parent;
    return object;
}
