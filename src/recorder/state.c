/* Objects by kind, device and handle: a hash table of lists.
 *
 * R1  an object in the table has one reference for that, and its handle is there once
 */
#include "recorder/state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/stream.h"

#define SLOTS_FIRST 1024u
#define DEVICES 64u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vidmm_record_object **slots;
static uint32_t slot_count, object_count;
static uint64_t epochs;

/* A device's place is filled before its key, which is what others look for. */
static struct vidmm_record_device devices[DEVICES];
static void *_Atomic keys[DEVICES];
static struct vidmm_record_queue queues[VIDMM_RECORD_QUEUES];
static uint32_t queue_count;

void vidmm_record_lock(void)
{
    pthread_mutex_lock(&lock);
}

void vidmm_record_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void *vidmm_record_allocate(size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size);

    if (memory == NULL) {
        fputs("vidmm record: no memory left to record with\n", stderr);
        abort();
    }
    return memory;
}

void *vidmm_record_grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room == 0 ? 8 : *room * 2;
    void *larger = vidmm_record_allocate(*room, size);
    if (count != 0)
        memcpy(larger, array, count * size);
    free(array);
    return larger;
}

/* ---- devices and queues ---------------------------------------------------------------------- */

static void *key_of(const void *dispatchable)
{
    return *(void *const *)dispatchable;
}

struct vidmm_record_device *vidmm_record_device_of(const void *dispatchable)
{
    void *key = key_of(dispatchable);

    for (uint32_t i = 0; i < DEVICES; i++)
        if (atomic_load(&keys[i]) == key)
            return &devices[i];
    fputs("vidmm record: a call for a device that nobody made\n", stderr);
    abort();
}

struct vidmm_record_device *vidmm_record_device_add(VkDevice handle)
{
    for (uint32_t i = 0; i < DEVICES; i++)
        if (devices[i].handle == NULL) {
            devices[i] = (struct vidmm_record_device){.handle = handle, .key = key_of(handle)};
            atomic_store(&keys[i], devices[i].key);
            return &devices[i];
        }
    return NULL;
}

void vidmm_record_device_remove(struct vidmm_record_device *device)
{
    for (uint32_t i = 0; i < slot_count; i++)
        for (struct vidmm_record_object **at = &slots[i]; *at != NULL;) {
            struct vidmm_record_object *object = *at;

            if (object->device != device)
                at = &object->next;
            else
                vidmm_record_forget(device, object->kind, object->handle);
        }
    for (uint32_t i = 0; i < device->addressed_count; i++)
        vidmm_record_drop(device->addressed[i]);
    free(device->addressed);
    for (uint32_t i = 0; i < queue_count; i++)
        if (queues[i].handle != NULL && key_of(queues[i].handle) == device->key)
            queues[i].handle = NULL;
    atomic_store(&keys[device - devices], NULL);
    *device = (struct vidmm_record_device){.handle = NULL};
}

struct vidmm_record_queue *vidmm_record_queue_of(VkQueue handle)
{
    for (uint32_t i = 0; i < queue_count; i++)
        if (queues[i].handle == handle)
            return &queues[i];
    if (queue_count == VIDMM_RECORD_QUEUES) {
        vidmm_stream_header("truncated", "queues beyond the sixteenth are not recorded");
        return NULL;
    }
    queues[queue_count] = (struct vidmm_record_queue){.handle = handle, .number = queue_count};
    return &queues[queue_count++];
}

void vidmm_record_each_queue(struct vidmm_record_device *device,
                             void (*visit)(struct vidmm_record_queue *queue))
{
    for (uint32_t i = 0; i < queue_count; i++)
        if (queues[i].handle != NULL && key_of(queues[i].handle) == device->key)
            visit(&queues[i]);
}

/* ---- objects --------------------------------------------------------------------------------- */

static uint32_t slot_of(uint32_t kind, uint64_t handle)
{
    uint64_t mixed = (handle ^ (uint64_t)kind << 56) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(mixed >> 32) & (slot_count - 1);
}

static void widen(void)
{
    uint32_t old_count = slot_count;
    struct vidmm_record_object **old = slots;

    if (object_count < slot_count)
        return;
    slot_count = slot_count == 0 ? SLOTS_FIRST : slot_count * 2;
    slots = vidmm_record_allocate(slot_count, sizeof(struct vidmm_record_object *));
    for (uint32_t i = 0; i < old_count; i++)
        while (old[i] != NULL) {
            struct vidmm_record_object *object = old[i];
            struct vidmm_record_object **slot = &slots[slot_of(object->kind, object->handle)];

            old[i] = object->next;
            object->next = *slot;
            *slot = object;
        }
    free(old);
}

static struct vidmm_record_object **place_of(struct vidmm_record_device *device, uint32_t kind,
                                             uint64_t handle)
{
    struct vidmm_record_object **at = &slots[slot_of(kind, handle)];

    while (*at != NULL &&
           ((*at)->handle != handle || (*at)->kind != kind || (*at)->device != device))
        at = &(*at)->next;
    return at;
}

void *vidmm_record_add(struct vidmm_record_device *device, uint32_t kind, uint64_t handle,
                       size_t size, void (*finish)(void *object))
{
    struct vidmm_record_object *object = vidmm_record_allocate(1, size);

    vidmm_record_forget(device, kind, handle); /* R1 */
    widen();
    struct vidmm_record_object **slot = &slots[slot_of(kind, handle)];
    *object = (struct vidmm_record_object){*slot, device, handle, kind, 1, finish};
    *slot = object;
    object_count++;
    return object;
}

void *vidmm_record_find(struct vidmm_record_device *device, uint32_t kind, uint64_t handle)
{
    return slot_count == 0 || handle == 0 ? NULL : *place_of(device, kind, handle);
}

void vidmm_record_forget(struct vidmm_record_device *device, uint32_t kind, uint64_t handle)
{
    if (slot_count == 0 || handle == 0)
        return;
    struct vidmm_record_object **at = place_of(device, kind, handle), *object = *at;
    if (object == NULL)
        return;
    *at = object->next;
    object_count--;
    vidmm_record_drop(object);
}

void *vidmm_record_hold(void *object)
{
    if (object != NULL)
        ((struct vidmm_record_object *)object)->refs++;
    return object;
}

void vidmm_record_drop(void *object)
{
    struct vidmm_record_object *dropped = object;

    if (dropped == NULL || --dropped->refs != 0)
        return;
    if (dropped->finish != NULL)
        dropped->finish(dropped);
    free(dropped);
}

void vidmm_record_each(struct vidmm_record_device *device, uint32_t kind,
                       void (*visit)(void *object, void *context), void *context)
{
    for (uint32_t i = 0; i < slot_count; i++)
        for (struct vidmm_record_object *object = slots[i]; object != NULL; object = object->next)
            if (object->device == device && object->kind == kind)
                visit(object, context);
}

/* ---- lists of references --------------------------------------------------------------------- */

void vidmm_record_list_begin(struct vidmm_record_list *list)
{
    vidmm_record_list_finish(list);
    list->epoch = ++epochs;
}

void vidmm_record_list_add(struct vidmm_record_list *list, struct vidmm_record_resource *resource,
                           bool write)
{
    if (resource == NULL)
        return;
    if (list->epoch == 0)
        list->epoch = ++epochs;
    if (resource->epoch == list->epoch) {
        list->references[resource->place].write |= write;
        return;
    }
    list->references =
        vidmm_record_grow(list->references, list->count, &list->room, sizeof(list->references[0]));
    resource->epoch = list->epoch;
    resource->place = list->count;
    list->references[list->count++] =
        (struct vidmm_record_reference){vidmm_record_hold(resource), write};
}

void vidmm_record_list_finish(struct vidmm_record_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        vidmm_record_drop(list->references[i].resource);
    free(list->references);
    *list = (struct vidmm_record_list){.epoch = 0};
}
