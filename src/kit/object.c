/* object.c: objects with references, and handles of them.
 *
 *     | head: magic, type, references, handles | body: a thread, an event, a key |
 *
 * I1  A handle holds one reference. An object without references is gone.
 * I2  One that is kept (the process, a thread of the host) has the kernel's own, which outlives it.
 */
#include "kit/registry.h"

#include <strings.h>

enum { HANDLES = 1024 };
#define MAGIC UINT64_C(0x6B69745F6F626A65)

struct object {
    uint64_t magic;
    struct object *next, *before;
    enum kit_object_type type;
    LONG references;
    void (*destroy)(void *body);
    const void *referrer; /* where the driver referenced it last; NULL: nowhere */
    bool kept;            /* one of the references is the kernel's own */
    char *name;           /* NULL: none */
} __attribute__((aligned(16)));

static struct object objects = {.next = &objects, .before = &objects};
static struct object *handles[HANDLES];
static const void *openers[HANDLES]; /* where each was opened */

static struct _OBJECT_TYPE {
    enum kit_object_type type;
} thread_type = {KIT_OBJECT_THREAD}, event_type = {KIT_OBJECT_EVENT},
  process_type = {KIT_OBJECT_PROCESS}, other_type = {0};
static POBJECT_TYPE thread_type_p = &thread_type, event_type_p = &event_type,
                    process_type_p = &process_type, other_type_p = &other_type;
POBJECT_TYPE *PsThreadType = &thread_type_p;
POBJECT_TYPE *PsProcessType = &process_type_p;
POBJECT_TYPE *ExEventObjectType = &event_type_p;
POBJECT_TYPE *ExSemaphoreObjectType = &other_type_p;
POBJECT_TYPE *IoFileObjectType = &other_type_p;

static void lock(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.objects);
}

static void unlock(void)
{
    pthread_mutex_unlock(&vidmm_kit_kernel.objects);
}

static struct object *head_of(const void *body)
{
    return body ? (struct object *)(uintptr_t)body - 1 : NULL;
}

/* Under the lock: is it an object at all? Only then may its head be read. */
static struct object *known(const void *body)
{
    for (struct object *at = objects.next; at != &objects; at = at->next)
        if (at == head_of(body))
            return at;
    return NULL;
}

void *vidmm_kit_object_create(enum kit_object_type type, size_t size, void (*destroy)(void *body))
{
    size_t room = sizeof(struct object) + (size + 15) / 16 * 16;
    struct object *object = aligned_alloc(16, room);

    if (!object)
        return NULL;
    memset(object, 0, room);
    object->magic = MAGIC;
    object->type = type;
    object->references = 1;
    object->destroy = destroy;
    lock();
    object->next = objects.next;
    object->before = &objects;
    object->next->before = object->before->next = object;
    unlock();
    return object + 1;
}

static void discard(struct object *object)
{
    free(object->name);
    free(object);
}

static LONG add(const void *caller, const void *body, LONG count, const char *routine)
{
    LONG now = -1;

    lock();
    struct object *object = known(body);
    if (object && object->references + count < object->kept)
        object = NULL;
    if (object) {
        now = object->references += count;
        object->referrer = count > 0 && caller ? caller : object->referrer;
        if (now == 0) {
            object->next->before = object->before;
            object->before->next = object->next;
        }
    }
    unlock();
    if (!object) {
        vidmm_kit_find(caller, VIDMM_KIT_OVER_DEREFERENCED, "%s: %p is no object, or none any more",
                       routine, body);
    } else if (now == 0) {
        if (object->destroy)
            object->destroy(object + 1);
        discard(object);
    }
    return now;
}

void vidmm_kit_object_ref(void *body)
{
    add(NULL, body, 1, "ObReferenceObject");
}

void vidmm_kit_object_unref(const void *caller, void *body)
{
    add(caller, body, -1, "ObDereferenceObject");
}

static void set_kept(void *body, bool kept)
{
    lock();
    head_of(body)->kept = kept;
    unlock();
}

void vidmm_kit_object_keep(void *body)
{
    set_kept(body, true);
}

void vidmm_kit_object_release(void *body)
{
    set_kept(body, false);
    vidmm_kit_object_unref(NULL, body);
}

/* ---- handles: index * 4 + 4, with the bit of a kernel's handle ---- */

#define KERNEL_HANDLE UINT64_C(0xFFFFFFFF80000000)

static int index_of(HANDLE handle)
{
    uint64_t value = (uintptr_t)handle ^ KERNEL_HANDLE;

    return value >= 4 && value % 4 == 0 && value / 4 <= HANDLES ? (int)(value / 4 - 1) : -1;
}

HANDLE vidmm_kit_handle_open(const void *caller, void *body)
{
    HANDLE handle = NULL;

    lock();
    for (unsigned i = 0; i < HANDLES && !handle; i++) {
        if (!handles[i]) {
            handles[i] = head_of(body);
            handles[i]->references++;
            openers[i] = caller;
            handle = (HANDLE)(uintptr_t)((i * 4u + 4u) ^ KERNEL_HANDLE);
        }
    }
    unlock();
    return handle;
}

void *vidmm_kit_handle_body(HANDLE handle, enum kit_object_type type)
{
    int index = index_of(handle);
    void *body = NULL;

    lock();
    if (index >= 0 && handles[index] && (type == 0 || handles[index]->type == type)) {
        handles[index]->references++;
        body = handles[index] + 1;
    }
    unlock();
    return body;
}

NTSTATUS ZwClose(HANDLE handle)
{
    int index = index_of(handle);
    struct object *object = NULL;

    IRQL_MAX(PASSIVE_LEVEL);
    lock();
    if (index >= 0) {
        object = handles[index];
        handles[index] = NULL;
    }
    unlock();
    if (!object) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_HANDLE, "ZwClose: %p", handle);
        return STATUS_INVALID_HANDLE;
    }
    vidmm_kit_object_unref(CALLER, object + 1);
    return STATUS_SUCCESS;
}

static void note_referrer(void *body, const void *caller)
{
    lock();
    head_of(body)->referrer = caller;
    unlock();
}

static NTSTATUS reference(const void *caller, HANDLE handle, POBJECT_TYPE type, PVOID *object,
                          const char *routine)
{
    *object = handle == NtCurrentThread()    ? (void *)vidmm_kit_thread()
              : handle == NtCurrentProcess() ? (void *)PsInitialSystemProcess
                                             : vidmm_kit_handle_body(handle, 0);
    if (handle == NtCurrentThread() || handle == NtCurrentProcess())
        vidmm_kit_object_ref(*object);
    if (!*object) {
        vidmm_kit_find(caller, VIDMM_KIT_BAD_HANDLE, "%s: %p", routine, handle);
        return STATUS_INVALID_HANDLE;
    }
    if (type && type->type != head_of(*object)->type) {
        vidmm_kit_object_unref(caller, *object);
        *object = NULL;
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    note_referrer(*object, caller);
    return STATUS_SUCCESS;
}

NTSTATUS ObReferenceObjectByHandle(HANDLE handle, ACCESS_MASK access, POBJECT_TYPE type,
                                   KPROCESSOR_MODE mode, PVOID *object,
                                   POBJECT_HANDLE_INFORMATION information)
{
    (void)access, (void)mode;
    IRQL_MAX(PASSIVE_LEVEL);
    if (information)
        memset(information, 0, sizeof(*information));
    return reference(CALLER, handle, type, object, "ObReferenceObjectByHandle");
}

NTSTATUS ObReferenceObjectByHandleWithTag(HANDLE handle, ACCESS_MASK access, POBJECT_TYPE type,
                                          KPROCESSOR_MODE mode, ULONG tag, PVOID *object,
                                          POBJECT_HANDLE_INFORMATION information)
{
    (void)access, (void)mode, (void)tag;
    IRQL_MAX(PASSIVE_LEVEL);
    if (information)
        memset(information, 0, sizeof(*information));
    return reference(CALLER, handle, type, object, "ObReferenceObjectByHandleWithTag");
}

NTSTATUS ObReferenceObjectByPointer(PVOID object, ACCESS_MASK access, POBJECT_TYPE type,
                                    KPROCESSOR_MODE mode)
{
    (void)access, (void)mode;
    IRQL_MAX(DISPATCH_LEVEL);
    lock();
    struct object *one = known(object);
    bool fits = one && (!type || type->type == one->type);
    if (fits)
        one->references++;
    unlock();
    if (!one)
        vidmm_kit_find(CALLER, VIDMM_KIT_OVER_DEREFERENCED,
                       "ObReferenceObjectByPointer: %p is no object, or none any more", object);
    return fits ? STATUS_SUCCESS : STATUS_OBJECT_TYPE_MISMATCH;
}

NTSTATUS ObOpenObjectByPointer(PVOID object, ULONG attributes, PACCESS_STATE state,
                               ACCESS_MASK access, POBJECT_TYPE type, KPROCESSOR_MODE mode,
                               PHANDLE handle)
{
    NTSTATUS status = ObReferenceObjectByPointer(object, access, type, mode);

    (void)attributes, (void)state;
    IRQL_MAX(APC_LEVEL);
    if (status != STATUS_SUCCESS)
        return status;
    *handle = vidmm_kit_handle_open(CALLER, object);
    vidmm_kit_object_unref(CALLER, object);
    return *handle ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

LONG_PTR ObfReferenceObject(PVOID object)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return add(CALLER, object, 1, "ObReferenceObject");
}

LONG_PTR ObfReferenceObjectWithTag(PVOID object, ULONG tag)
{
    (void)tag;
    IRQL_MAX(DISPATCH_LEVEL);
    return add(CALLER, object, 1, "ObReferenceObjectWithTag");
}

LONG_PTR ObfDereferenceObject(PVOID object)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return add(CALLER, object, -1, "ObDereferenceObject");
}

LONG_PTR ObfDereferenceObjectWithTag(PVOID object, ULONG tag)
{
    (void)tag;
    IRQL_MAX(DISPATCH_LEVEL);
    return add(CALLER, object, -1, "ObDereferenceObjectWithTag");
}

VOID ObDereferenceObjectDeferDelete(PVOID object)
{
    IRQL_MAX(DISPATCH_LEVEL);
    add(CALLER, object, -1, "ObDereferenceObjectDeferDelete");
}

/* ---- events with handles ---- */

/* Give the event a name; or, if another has it, let the event go: the other, referenced. Takes
 * `name`. */
static KEVENT *name_event(KEVENT *event, char *name)
{
    struct object *at, *other = NULL;

    lock();
    for (at = objects.next; at != &objects && !other; at = at->next)
        if (at->type == KIT_OBJECT_EVENT && at->name && strcasecmp(at->name, name) == 0)
            other = at;
    if (other)
        other->references++;
    else
        head_of(event)->name = name;
    unlock();
    if (!other)
        return event;
    free(name);
    vidmm_kit_object_unref(NULL, event);
    return (KEVENT *)(other + 1);
}

/* Make an event, or open the one of that name; `name` NULL: none. Takes `name`. */
static NTSTATUS open_event(const void *caller, char *name, PHANDLE handle, EVENT_TYPE type,
                           BOOLEAN state, PKEVENT *event)
{
    KEVENT *body = vidmm_kit_object_create(KIT_OBJECT_EVENT, sizeof(*body), NULL);

    *event = NULL;
    if (!body) {
        free(name);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    KeInitializeEvent(body, type, state);
    if (name)
        body = name_event(body, name);
    *handle = vidmm_kit_handle_open(caller, body);
    *event = *handle ? body : NULL;
    vidmm_kit_object_unref(NULL, body);
    return *handle ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS ZwCreateEvent(PHANDLE handle, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes,
                       EVENT_TYPE type, BOOLEAN state)
{
    PKEVENT event;

    (void)access, (void)attributes;
    IRQL_MAX(PASSIVE_LEVEL);
    return open_event(CALLER, NULL, handle, type, state, &event);
}

static PKEVENT io_event(const void *caller, const UNICODE_STRING *name, PHANDLE handle,
                        EVENT_TYPE type, const char *routine)
{
    char *narrow = name && name->Length ? vidmm_kit_narrow(name->Buffer, name->Length / 2u) : NULL;
    PKEVENT event = NULL;

    vidmm_kit_irql_max(caller, PASSIVE_LEVEL, routine);
    *handle = NULL;
    if (narrow || !name || !name->Length)
        open_event(caller, narrow, handle, type, TRUE, &event);
    return event;
}

PKEVENT IoCreateNotificationEvent(PUNICODE_STRING name, PHANDLE handle)
{
    return io_event(CALLER, name, handle, NotificationEvent, "IoCreateNotificationEvent");
}

PKEVENT IoCreateSynchronizationEvent(PUNICODE_STRING name, PHANDLE handle)
{
    return io_event(CALLER, name, handle, SynchronizationEvent, "IoCreateSynchronizationEvent");
}

NTSTATUS ZwSetEvent(HANDLE handle, PLONG previous)
{
    KEVENT *event = vidmm_kit_handle_body(handle, KIT_OBJECT_EVENT);
    LONG before;

    IRQL_MAX(PASSIVE_LEVEL);
    if (!event) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_HANDLE, "ZwSetEvent: %p", handle);
        return STATUS_INVALID_HANDLE;
    }
    before = KeSetEvent(event, IO_NO_INCREMENT, FALSE);
    if (previous)
        *previous = before;
    vidmm_kit_object_unref(CALLER, event);
    return STATUS_SUCCESS;
}

NTSTATUS ZwWaitForSingleObject(HANDLE handle, BOOLEAN alertable, PLARGE_INTEGER timeout)
{
    void *body = vidmm_kit_handle_body(handle, 0);
    NTSTATUS status;

    IRQL_MAX(PASSIVE_LEVEL);
    if (!body) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_HANDLE, "ZwWaitForSingleObject: %p", handle);
        return STATUS_INVALID_HANDLE;
    }
    status = KeWaitForSingleObject(body, UserRequest, KernelMode, alertable, timeout);
    vidmm_kit_object_unref(CALLER, body);
    return status;
}

/* A thread that still runs keeps its own object; it was reported. */
void vidmm_kit_objects_stop(void)
{
    for (unsigned i = 0; i < HANDLES; i++) {
        struct object *object = handles[i];
        if (!object)
            continue;
        vidmm_kit_find(openers[i], VIDMM_KIT_HANDLE_LEAK, "handle %p of %s",
                       (void *)(uintptr_t)((i * 4u + 4u) ^ KERNEL_HANDLE),
                       object->type == KIT_OBJECT_THREAD    ? "a thread"
                       : object->type == KIT_OBJECT_EVENT   ? "an event"
                       : object->type == KIT_OBJECT_PROCESS ? "the process"
                                                            : "a key");
        handles[i] = NULL;
        vidmm_kit_object_unref(NULL, object + 1);
    }
    struct object *next;
    for (struct object *object = objects.next; object != &objects; object = next) {
        next = object->next;
        if (object->references > object->kept)
            vidmm_kit_find(object->referrer, VIDMM_KIT_REFERENCE_LEAK, "%d references of object %p",
                           object->references - object->kept, (void *)(object + 1));
        object->references = object->kept;
        if (!object->kept) {
            object->before->next = object->next;
            object->next->before = object->before;
            discard(object);
        }
    }
}
