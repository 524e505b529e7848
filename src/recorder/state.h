/*
 * state.h: what the recorder knows of a program's Vulkan objects.
 *
 *     program --> loader --> vidmm_record_X() --> next->X (the next layer, or the driver)
 *                                 |
 *                                 '--> objects, by kind, device and handle --> stream
 *
 *     command buffer --refers to--> resource --has parts in--> memory
 *                    '--> set of descriptors --'
 *
 * Everything here is guarded by one lock, vidmm_record_lock(); a hook calls the next layer outside
 * it, so a thread that waits for the GPU stops nobody. Objects are counted: a command buffer may
 * refer to a resource that its program has destroyed. Such a resource has no parts any more, so
 * nothing is said of it.
 */
#ifndef VIDMM_RECORDER_STATE_H
#define VIDMM_RECORDER_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define VIDMM_RECORD_QUEUES 16u /* as many as a trace has */
#define VIDMM_RECORD_HEAPS 3u   /* of a card that is shown instead of the driver's */
#define VIDMM_RECORD_TYPES 4u

/* The functions of the next layer. */
struct vidmm_record_next {
    PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
#define HOOK(name, alias) PFN_vk##name name;
#include "recorder/hooks.def"
#undef HOOK
};

enum vidmm_record_kind {
    VIDMM_RECORD_MEMORY,
    VIDMM_RECORD_BUFFER,
    VIDMM_RECORD_IMAGE,
    VIDMM_RECORD_BUFFER_VIEW,
    VIDMM_RECORD_IMAGE_VIEW,
    VIDMM_RECORD_RENDER_PASS,
    VIDMM_RECORD_FRAMEBUFFER,
    VIDMM_RECORD_SET_LAYOUT,
    VIDMM_RECORD_SET,
    VIDMM_RECORD_TEMPLATE,
    VIDMM_RECORD_COMMANDS,
    VIDMM_RECORD_SWAPCHAIN,
    VIDMM_RECORD_FENCE,
    VIDMM_RECORD_SEMAPHORE,
    VIDMM_RECORD_KINDS,
};

struct vidmm_record_device;

/* The beginning of every object. */
struct vidmm_record_object {
    struct vidmm_record_object *next; /* of one slot of the table */
    struct vidmm_record_device *device;
    uint64_t handle;
    uint32_t kind;                /* enum vidmm_record_kind */
    uint32_t refs;                /* the table's is one of them */
    void (*finish)(void *object); /* gives back what the object holds; NULL: that is nothing */
};

struct vidmm_record_queue {
    VkQueue handle;
    uint32_t number;    /* in the trace */
    uint64_t submitted; /* submissions with a command buffer, so far */
    uint64_t completed; /* of these, known to the program */
};

struct vidmm_record_device {
    VkDevice handle; /* NULL: the place is free */
    void *key;       /* of this device, its queues and its command buffers */
    struct vidmm_record_next next;
    bool shown; /* another card than the driver's is shown */
    bool blind; /* the program names memory in a way that cannot be followed */
    struct vidmm_record_resource **addressed; /* resources that have an address */
    uint32_t addressed_count, addressed_room;
    uint64_t heap_used[VIDMM_RECORD_HEAPS];
    uint32_t types[VK_MAX_MEMORY_TYPES]; /* property flags, as the program sees them */
};

struct vidmm_record_memory {
    struct vidmm_record_object object;
    struct vidmm_record_memory *next, *before; /* of those that are mapped */
    uint32_t id;
    uint32_t heap; /* of the card that is shown */
    uint64_t size;
    bool visible, dead;
    uint8_t *mapped; /* NULL: it is not */
    uint64_t offset, length;
    uint8_t *shadow;                  /* length bytes: the content when last looked at */
    uint8_t *dirty;                   /* with page protection: a byte a page */
    struct vidmm_record_queue *queue; /* the GPU writes it there; NULL: it does not */
    uint64_t submission;              /* the last that does, counted from 1 */
};

/* A piece of memory that a resource is bound to. */
struct vidmm_record_part {
    struct vidmm_record_memory *memory; /* held */
    uint32_t id;                        /* in the recording */
};

struct vidmm_record_resource {
    struct vidmm_record_object object;
    uint64_t size;
    struct vidmm_record_part *parts;
    uint32_t part_count, part_room;
    bool addressed;
    uint64_t epoch; /* the recording of a command buffer that named it last */
    uint32_t place; /* its place in that list */
};

/* A view of a buffer or an image. */
struct vidmm_record_view {
    struct vidmm_record_object object;
    struct vidmm_record_resource *resource; /* held; NULL: unknown */
};

struct vidmm_record_reference {
    struct vidmm_record_resource *resource; /* held */
    bool write;
};

/* References that are named once each. */
struct vidmm_record_list {
    uint64_t epoch;
    struct vidmm_record_reference *references;
    uint32_t count, room;
};

void vidmm_record_lock(void);
void vidmm_record_unlock(void);

/* The device of a VkDevice, VkQueue or VkCommandBuffer. Needs no lock. */
struct vidmm_record_device *vidmm_record_device_of(const void *dispatchable);
/* A place for a new device; NULL: there is no room for one more. */
struct vidmm_record_device *vidmm_record_device_add(VkDevice handle);
/* Forget a device and all that is its own. */
void vidmm_record_device_remove(struct vidmm_record_device *device);
/* The queue; made known if it is new. NULL: the trace has no number for one more. */
struct vidmm_record_queue *vidmm_record_queue_of(VkQueue handle);

/* Call visit for each queue of a device. Under the lock. */
void vidmm_record_each_queue(struct vidmm_record_device *device,
                             void (*visit)(struct vidmm_record_queue *queue));

/* Zeroed memory; a program that has none left ends, as its recording would be wrong. */
void *vidmm_record_allocate(size_t count, size_t size);
/* Room for one more element of an array. */
void *vidmm_record_grow(void *array, uint32_t count, uint32_t *room, size_t size);

/* ---- objects; all under the lock ------------------------------------------------------------- */

/* A new object of `size` bytes, in the table; one that has the handle already is forgotten. */
void *vidmm_record_add(struct vidmm_record_device *device, uint32_t kind, uint64_t handle,
                       size_t size, void (*finish)(void *object));
/* NULL: none is known. */
void *vidmm_record_find(struct vidmm_record_device *device, uint32_t kind, uint64_t handle);
/* Take an object out of the table; its memory stays as long as somebody holds it. Takes unknown
 * handles. */
void vidmm_record_forget(struct vidmm_record_device *device, uint32_t kind, uint64_t handle);
void *vidmm_record_hold(void *object); /* takes NULL */
void vidmm_record_drop(void *object);  /* takes NULL */
/* Call visit for each object of a kind; it must not add or forget any. */
void vidmm_record_each(struct vidmm_record_device *device, uint32_t kind,
                       void (*visit)(void *object, void *context), void *context);

/* A new list, that names nothing. */
void vidmm_record_list_begin(struct vidmm_record_list *list);
/* Takes a resource of NULL. */
void vidmm_record_list_add(struct vidmm_record_list *list, struct vidmm_record_resource *resource,
                           bool write);
void vidmm_record_list_finish(struct vidmm_record_list *list);

#define VIDMM_RECORD_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

#endif
