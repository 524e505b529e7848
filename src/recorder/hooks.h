/* hooks.h: the functions that stand in for Vulkan's, each with the type of the one it stands for;
 * and what they tell each other. */
#ifndef VIDMM_RECORDER_HOOKS_H
#define VIDMM_RECORDER_HOOKS_H

#include "recorder/state.h"

#define HOOK(name, alias) __typeof__(vk##name) vidmm_record_##name;
#include "recorder/hooks.def"
#undef HOOK

/* A command buffer, and what was recorded into it. */
struct vidmm_record_commands {
    struct vidmm_record_object object;
    uint64_t pool;
    struct vidmm_record_list list;
    struct vidmm_record_object **others; /* sets and secondary command buffers, held */
    uint32_t other_count, other_room;
};

/* A set of descriptors. */
struct vidmm_record_set {
    struct vidmm_record_object object;
    uint64_t pool;
    struct vidmm_record_layout *layout;        /* held */
    struct vidmm_record_reference *references; /* a descriptor each; their resources are held */
};

/* The resource of a handle; NULL: none. Under the lock, as all below. */
struct vidmm_record_resource *vidmm_record_buffer(struct vidmm_record_device *device,
                                                  VkBuffer buffer);
struct vidmm_record_resource *vidmm_record_image(struct vidmm_record_device *device, VkImage image);
struct vidmm_record_resource *vidmm_record_view(struct vidmm_record_device *device,
                                                VkImageView view);
struct vidmm_record_resource *vidmm_record_buffer_view(struct vidmm_record_device *device,
                                                       VkBufferView view);
/* The resource has this much of the memory from now on. size 0: to the end of either. */
void vidmm_record_bind(struct vidmm_record_resource *resource, struct vidmm_record_memory *memory,
                       uint64_t offset, uint64_t size);
/* A memory that is the window system's. */
struct vidmm_record_memory *vidmm_record_memory_of_swapchain(struct vidmm_record_device *device,
                                                             uint64_t size);
/* The memory is given back: say so, and forget what is known of its content. */
void vidmm_record_memory_end(struct vidmm_record_memory *memory);
/* The program names memory in a way that cannot be followed; from now on all is referenced. */
void vidmm_record_blind(struct vidmm_record_device *device, const char *why);
/* The command buffer; NULL: it was not begun. */
struct vidmm_record_commands *vidmm_record_commands_of(struct vidmm_record_device *device,
                                                       VkCommandBuffer commands);
/* A command buffer refers to a set, or to another command buffer. */
void vidmm_record_refer(struct vidmm_record_commands *commands, void *other);
/* All that a set names. */
void vidmm_record_set_list(const struct vidmm_record_set *set, struct vidmm_record_list *list);

/* A command refers to a resource; these take the lock. */
void vidmm_record_uses_buffer(VkCommandBuffer commands, VkBuffer buffer, bool write);
void vidmm_record_uses_image(VkCommandBuffer commands, VkImage image, bool write);

#define VIDMM_RECORD_NEXT(dispatchable) (&vidmm_record_device_of(dispatchable)->next)

#endif
