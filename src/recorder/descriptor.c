/* Sets of descriptors: what each names is looked up when it is written, and followed when a command
 * buffer that binds the set is submitted. Bound means referenced, also where no shader looks. */
#include <stdlib.h>
#include <string.h>

#include "recorder/hooks.h"

struct binding {
    uint32_t number, first, count;
    VkDescriptorType type;
};

struct vidmm_record_layout {
    struct vidmm_record_object object;
    struct binding *bindings; /* by number, ascending */
    uint32_t binding_count, descriptors;
};

struct template
{
    struct vidmm_record_object object;
    VkDescriptorUpdateTemplateEntry *entries;
    uint32_t count;
};

/* ---- layouts --------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const struct binding *one = a, *other = b;

    return (one->number > other->number) - (one->number < other->number);
}

static void finish_layout(void *object)
{
    free(((struct vidmm_record_layout *)object)->bindings);
}

VkResult vidmm_record_CreateDescriptorSetLayout(VkDevice handle,
                                                const VkDescriptorSetLayoutCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks,
                                                VkDescriptorSetLayout *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateDescriptorSetLayout(handle, info, callbacks, made);

    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct vidmm_record_layout *layout =
        vidmm_record_add(device, VIDMM_RECORD_SET_LAYOUT, VIDMM_RECORD_HANDLE(*made),
                         sizeof(*layout), finish_layout);
    layout->bindings = vidmm_record_allocate(info->bindingCount, sizeof(struct binding));
    layout->binding_count = info->bindingCount;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
        bool bytes = from->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;

        layout->bindings[i] = (struct binding){from->binding, 0, bytes ? 0 : from->descriptorCount,
                                               from->descriptorType};
    }
    qsort(layout->bindings, info->bindingCount, sizeof(struct binding), by_number);
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        layout->bindings[i].first = layout->descriptors;
        layout->descriptors += layout->bindings[i].count;
    }
    vidmm_record_unlock();
    return result;
}

void vidmm_record_DestroyDescriptorSetLayout(VkDevice handle, VkDescriptorSetLayout layout,
                                             const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_SET_LAYOUT, VIDMM_RECORD_HANDLE(layout));
    vidmm_record_unlock();
    device->next.DestroyDescriptorSetLayout(handle, layout, callbacks);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static void finish_set(void *object)
{
    struct vidmm_record_set *set = object;

    for (uint32_t i = 0; i < set->layout->descriptors; i++)
        vidmm_record_drop(set->references[i].resource);
    free(set->references);
    vidmm_record_drop(set->layout);
}

VkResult vidmm_record_AllocateDescriptorSets(VkDevice handle,
                                             const VkDescriptorSetAllocateInfo *info,
                                             VkDescriptorSet *sets)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.AllocateDescriptorSets(handle, info, sets);

    vidmm_record_lock();
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->descriptorSetCount; i++) {
        struct vidmm_record_layout *layout = vidmm_record_find(
            device, VIDMM_RECORD_SET_LAYOUT, VIDMM_RECORD_HANDLE(info->pSetLayouts[i]));
        if (layout == NULL)
            continue;
        struct vidmm_record_set *set = vidmm_record_add(
            device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(sets[i]), sizeof(*set), finish_set);
        set->pool = VIDMM_RECORD_HANDLE(info->descriptorPool);
        set->layout = vidmm_record_hold(layout);
        set->references =
            vidmm_record_allocate(layout->descriptors, sizeof(struct vidmm_record_reference));
    }
    vidmm_record_unlock();
    return result;
}

VkResult vidmm_record_FreeDescriptorSets(VkDevice handle, VkDescriptorPool pool, uint32_t count,
                                         const VkDescriptorSet *sets)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    for (uint32_t i = 0; i < count; i++)
        vidmm_record_forget(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(sets[i]));
    vidmm_record_unlock();
    return device->next.FreeDescriptorSets(handle, pool, count, sets);
}

/* Handles of the sets of a pool. */
struct of_pool {
    uint64_t pool, *handles;
    uint32_t count, room;
};

static void gather(void *object, void *context)
{
    struct vidmm_record_set *set = object;
    struct of_pool *of = context;

    if (set->pool != of->pool)
        return;
    of->handles = vidmm_record_grow(of->handles, of->count, &of->room, sizeof(of->handles[0]));
    of->handles[of->count++] = set->object.handle;
}

static void empty(struct vidmm_record_device *device, VkDescriptorPool pool)
{
    struct of_pool of = {.pool = VIDMM_RECORD_HANDLE(pool)};

    vidmm_record_lock();
    vidmm_record_each(device, VIDMM_RECORD_SET, gather, &of);
    for (uint32_t i = 0; i < of.count; i++)
        vidmm_record_forget(device, VIDMM_RECORD_SET, of.handles[i]);
    vidmm_record_unlock();
    free(of.handles);
}

VkResult vidmm_record_ResetDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                          VkDescriptorPoolResetFlags flags)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    empty(device, pool);
    return device->next.ResetDescriptorPool(handle, pool, flags);
}

void vidmm_record_DestroyDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                        const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    empty(device, pool);
    device->next.DestroyDescriptorPool(handle, pool, callbacks);
}

/* ---- updates --------------------------------------------------------------------------------- */

/* The place of a descriptor of a set; count goes on into the bindings behind it. */
static struct vidmm_record_reference *place_of(struct vidmm_record_set *set, uint32_t number,
                                               uint32_t element, uint32_t *left)
{
    const struct vidmm_record_layout *layout = set != NULL ? set->layout : NULL;

    for (uint32_t i = 0; layout != NULL && i < layout->binding_count; i++)
        if (layout->bindings[i].number == number &&
            layout->bindings[i].first + element < layout->descriptors) {
            *left = layout->descriptors - layout->bindings[i].first - element;
            return &set->references[layout->bindings[i].first + element];
        }
    *left = 0;
    return NULL;
}

static void put(struct vidmm_record_reference *reference, struct vidmm_record_resource *resource,
                bool write)
{
    vidmm_record_hold(resource);
    vidmm_record_drop(reference->resource);
    *reference = (struct vidmm_record_reference){resource, write};
}

/* The resource that a descriptor names, and whether a shader may write it. data: as its type has
 * it. */
static struct vidmm_record_reference named(struct vidmm_record_device *device,
                                           VkDescriptorType type, const void *data)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return (struct vidmm_record_reference){
            vidmm_record_view(device, ((const VkDescriptorImageInfo *)data)->imageView),
            type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return (struct vidmm_record_reference){
            vidmm_record_buffer_view(device, *(const VkBufferView *)data),
            type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return (struct vidmm_record_reference){
            vidmm_record_buffer(device, ((const VkDescriptorBufferInfo *)data)->buffer),
            type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC};
    default: /* samplers, bytes; acceleration structures are named by their buffers' addresses */
        return (struct vidmm_record_reference){NULL, false};
    }
}

/* The array of a VkWriteDescriptorSet, and the size of an element. */
static const uint8_t *array_of(const VkWriteDescriptorSet *write, size_t *stride)
{
    switch (write->descriptorType) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        *stride = sizeof(VkDescriptorImageInfo);
        return (const uint8_t *)write->pImageInfo;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        *stride = sizeof(VkBufferView);
        return (const uint8_t *)write->pTexelBufferView;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        *stride = sizeof(VkDescriptorBufferInfo);
        return (const uint8_t *)write->pBufferInfo;
    default:
        return NULL;
    }
}

/* set NULL: the descriptors are pushed into the command buffer, whose list is given. */
static void update(struct vidmm_record_device *device, struct vidmm_record_set *set,
                   struct vidmm_record_list *list, const VkWriteDescriptorSet *write)
{
    size_t stride = 0;
    uint32_t left = write->descriptorCount;
    const uint8_t *array = array_of(write, &stride);
    struct vidmm_record_reference *at =
        set != NULL ? place_of(set, write->dstBinding, write->dstArrayElement, &left) : NULL;

    for (uint32_t i = 0; array != NULL && i < write->descriptorCount && i < left; i++) {
        struct vidmm_record_reference reference =
            named(device, write->descriptorType, array + i * stride);

        if (at != NULL)
            put(&at[i], reference.resource, reference.write);
        else if (list != NULL)
            vidmm_record_list_add(list, reference.resource, reference.write);
    }
}

static void copy(struct vidmm_record_device *device, const VkCopyDescriptorSet *info)
{
    uint32_t from_left, to_left;
    struct vidmm_record_reference *from =
        place_of(vidmm_record_find(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(info->srcSet)),
                 info->srcBinding, info->srcArrayElement, &from_left);
    struct vidmm_record_reference *to =
        place_of(vidmm_record_find(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(info->dstSet)),
                 info->dstBinding, info->dstArrayElement, &to_left);

    for (uint32_t i = 0; i < info->descriptorCount && i < from_left && i < to_left; i++)
        put(&to[i], from[i].resource, from[i].write);
}

void vidmm_record_UpdateDescriptorSets(VkDevice handle, uint32_t write_count,
                                       const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                       const VkCopyDescriptorSet *copies)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    for (uint32_t i = 0; i < write_count; i++) {
        struct vidmm_record_set *set =
            vidmm_record_find(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(writes[i].dstSet));
        if (set != NULL)
            update(device, set, NULL, &writes[i]);
    }
    for (uint32_t i = 0; i < copy_count; i++)
        copy(device, &copies[i]);
    vidmm_record_unlock();
    device->next.UpdateDescriptorSets(handle, write_count, writes, copy_count, copies);
}

static void finish_template(void *object)
{
    free(((struct template *)object)->entries);
}

VkResult vidmm_record_CreateDescriptorUpdateTemplate(
    VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
    const VkAllocationCallbacks *callbacks, VkDescriptorUpdateTemplate *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateDescriptorUpdateTemplate(handle, info, callbacks, made);
    uint32_t count = info->descriptorUpdateEntryCount;

    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct template *template =
        vidmm_record_add(device, VIDMM_RECORD_TEMPLATE, VIDMM_RECORD_HANDLE(*made),
                         sizeof(*template), finish_template);
    template->entries = vidmm_record_allocate(count, sizeof(template->entries[0]));
    template->count = count;
    if (count != 0)
        memcpy(template->entries, info->pDescriptorUpdateEntries,
               count * sizeof(template->entries[0]));
    vidmm_record_unlock();
    return result;
}

void vidmm_record_DestroyDescriptorUpdateTemplate(VkDevice handle,
                                                  VkDescriptorUpdateTemplate template,
                                                  const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_TEMPLATE, VIDMM_RECORD_HANDLE(template));
    vidmm_record_unlock();
    device->next.DestroyDescriptorUpdateTemplate(handle, template, callbacks);
}

static void fill(struct vidmm_record_device *device, VkDescriptorUpdateTemplate handle,
                 struct vidmm_record_set *set, struct vidmm_record_list *list, const uint8_t *data)
{
    const struct template *template =
        vidmm_record_find(device, VIDMM_RECORD_TEMPLATE, VIDMM_RECORD_HANDLE(handle));

    for (uint32_t i = 0; template != NULL && i < template->count; i++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
        uint32_t left = entry->descriptorCount;
        struct vidmm_record_reference *at =
            set != NULL ? place_of(set, entry->dstBinding, entry->dstArrayElement, &left) : NULL;

        if (entry->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
            continue;
        for (uint32_t j = 0; j < entry->descriptorCount && j < left; j++) {
            struct vidmm_record_reference reference =
                named(device, entry->descriptorType, data + entry->offset + j * entry->stride);

            if (at != NULL)
                put(&at[j], reference.resource, reference.write);
            else if (list != NULL)
                vidmm_record_list_add(list, reference.resource, reference.write);
        }
    }
}

void vidmm_record_UpdateDescriptorSetWithTemplate(VkDevice handle, VkDescriptorSet updated,
                                                  VkDescriptorUpdateTemplate template,
                                                  const void *data)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_set *set =
        vidmm_record_find(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(updated));
    if (set != NULL)
        fill(device, template, set, NULL, data);
    vidmm_record_unlock();
    device->next.UpdateDescriptorSetWithTemplate(handle, updated, template, data);
}

/* ---- commands -------------------------------------------------------------------------------- */

void vidmm_record_set_list(const struct vidmm_record_set *set, struct vidmm_record_list *list)
{
    for (uint32_t i = 0; i < set->layout->descriptors; i++)
        vidmm_record_list_add(list, set->references[i].resource, set->references[i].write);
}

void vidmm_record_CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point,
                                        VkPipelineLayout layout, uint32_t first, uint32_t count,
                                        const VkDescriptorSet *sets, uint32_t offset_count,
                                        const uint32_t *offsets)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    for (uint32_t i = 0; commands != NULL && i < count; i++)
        vidmm_record_refer(
            commands, vidmm_record_find(device, VIDMM_RECORD_SET, VIDMM_RECORD_HANDLE(sets[i])));
    vidmm_record_unlock();
    device->next.CmdBindDescriptorSets(handle, point, layout, first, count, sets, offset_count,
                                       offsets);
}

void vidmm_record_CmdPushDescriptorSetKHR(VkCommandBuffer handle, VkPipelineBindPoint point,
                                          VkPipelineLayout layout, uint32_t set, uint32_t count,
                                          const VkWriteDescriptorSet *writes)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    for (uint32_t i = 0; commands != NULL && i < count; i++)
        update(device, NULL, &commands->list, &writes[i]);
    vidmm_record_unlock();
    device->next.CmdPushDescriptorSetKHR(handle, point, layout, set, count, writes);
}

void vidmm_record_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer handle,
                                                      VkDescriptorUpdateTemplate template,
                                                      VkPipelineLayout layout, uint32_t set,
                                                      const void *data)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    if (commands != NULL)
        fill(device, template, NULL, &commands->list, data);
    vidmm_record_unlock();
    device->next.CmdPushDescriptorSetWithTemplateKHR(handle, template, layout, set, data);
}
