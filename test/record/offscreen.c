/* offscreen: a small Vulkan program without a window, for `vidmm record`. Its doings are known, so
 * the recording can be held against them line by line (test/record/run).
 *
 *   offscreen            three submissions: a copy with a set of descriptors, a clear, nothing
 *   offscreen threads    four threads, fifty submissions each, of memories of their own
 *   offscreen killed     it dies after its first submission
 *   offscreen nothing    it asks what there is, and submits nothing
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define THREADS 4
#define ROUNDS 50
#define KIB 1024u

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "offscreen: %s answered %d\n", what, (int)result);
    exit(3);
}
#define MUST(call) must(call, #call)

static void start(VkInstance *instance)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "offscreen",
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queues};
    uint32_t count = 1;

    MUST(vkCreateInstance(&info, NULL, instance));
    vkEnumeratePhysicalDevices(*instance, &count, &physical);
    MUST(count == 1 ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED);
    MUST(vkCreateDevice(physical, &device_info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
}

/* The first type that has all of some flags, and none of others if there is one. */
static uint32_t type_of(VkMemoryPropertyFlags all, VkMemoryPropertyFlags none)
{
    VkPhysicalDeviceMemoryProperties types;

    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    for (int strict = 1; strict >= 0; strict--)
        for (uint32_t i = 0; i < types.memoryTypeCount; i++) {
            VkMemoryPropertyFlags flags = types.memoryTypes[i].propertyFlags;

            if ((flags & all) == all && (!strict || (flags & none) == 0))
                return i;
        }
    return 0;
}

static VkDeviceMemory allocate(uint64_t size, uint32_t type)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = size,
                                       .memoryTypeIndex = type};
    VkDeviceMemory memory;

    MUST(vkAllocateMemory(device, &info, NULL, &memory));
    return memory;
}

static VkBuffer make_buffer(uint64_t size, VkBufferUsageFlags usage, VkDeviceMemory memory,
                            uint64_t offset)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    VkMemoryRequirements requirements;
    VkBuffer buffer;

    MUST(vkCreateBuffer(device, &info, NULL, &buffer));
    vkGetBufferMemoryRequirements(device, buffer, &requirements);
    MUST(vkBindBufferMemory(device, buffer, memory, offset));
    return buffer;
}

static VkImage make_image(VkDeviceMemory memory, uint64_t offset)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {64, 64, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkImage image;

    MUST(vkCreateImage(device, &info, NULL, &image));
    MUST(vkBindImageMemory(device, image, memory, offset));
    return image;
}

static VkCommandPool make_pool(void)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    VkCommandPool pool;

    MUST(vkCreateCommandPool(device, &info, NULL, &pool));
    return pool;
}

static VkCommandBuffer make_commands(VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;

    MUST(vkAllocateCommandBuffers(device, &info, &commands));
    return commands;
}

static void begin(VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

    MUST(vkBeginCommandBuffer(commands, &info));
}

static void submit(VkCommandBuffer commands, VkFence fence)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};

    pthread_mutex_lock(&queue_lock);
    MUST(vkQueueSubmit(queue, 1, &info, fence));
    pthread_mutex_unlock(&queue_lock);
}

/* ---- sets of descriptors --------------------------------------------------------------------- */

struct sets {
    VkDescriptorSetLayout layout;
    VkPipelineLayout pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

/* A set that names a buffer to read and one to write. */
static struct sets make_sets(VkBuffer read, VkBuffer written)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 2,
                                                  .pPoolSizes = sizes};
    struct sets sets;

    MUST(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &sets.layout));
    const VkPipelineLayoutCreateInfo pipeline_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &sets.layout};
    MUST(vkCreatePipelineLayout(device, &pipeline_info, NULL, &sets.pipeline));
    MUST(vkCreateDescriptorPool(device, &pool_info, NULL, &sets.pool));
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = sets.pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &sets.layout};
    MUST(vkAllocateDescriptorSets(device, &info, &sets.set));
    const VkDescriptorBufferInfo buffers[] = {{read, 0, VK_WHOLE_SIZE},
                                              {written, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet writes[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = sets.set,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                       .pBufferInfo = &buffers[0]}};
    writes[1] = writes[0];
    writes[1].dstBinding = 1;
    writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[1].pBufferInfo = &buffers[1];
    vkUpdateDescriptorSets(device, 2, writes, 0, NULL);
    return sets;
}

static void destroy_sets(const struct sets *sets)
{
    vkDestroyDescriptorPool(device, sets->pool, NULL);
    vkDestroyPipelineLayout(device, sets->pipeline, NULL);
    vkDestroyDescriptorSetLayout(device, sets->layout, NULL);
}

/* ---- the story ------------------------------------------------------------------------------- */

static void clear(VkCommandBuffer commands, VkImage image)
{
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
}

static void story(bool killed)
{
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkDeviceMemory local = allocate(1024 * KIB, type_of(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT));
    VkDeviceMemory visible = allocate(64 * KIB, type_of(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                                        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT));
    VkBuffer source = make_buffer(16 * KIB, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, visible, 0);
    VkBuffer uniform = make_buffer(16 * KIB, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, visible, 16 * KIB);
    VkBuffer target = make_buffer(
        64 * KIB, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, local, 0);
    VkImage image = make_image(local, 512 * KIB);
    struct sets sets = make_sets(uniform, target);
    VkCommandPool pool = make_pool();
    VkCommandBuffer commands = make_commands(pool);
    const VkBufferCopy region = {0, 0, 16 * KIB};
    uint8_t *bytes;
    VkFence fence;

    MUST(vkCreateFence(device, &fence_info, NULL, &fence));
    MUST(vkMapMemory(device, visible, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
    memset(bytes + 5000, 0xab, 10); /* in page 1, which is of source */
    begin(commands);
    vkCmdCopyBuffer(commands, source, target, 1, &region);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, sets.pipeline, 0, 1,
                            &sets.set, 0, NULL);
    MUST(vkEndCommandBuffer(commands));
    submit(commands, fence);
    MUST(vkWaitForFences(device, 1, &fence, true, UINT64_MAX));
    if (killed)
        abort();

    bytes[0] = 0xcd;                          /* page 0, of source */
    memset(bytes + 5 * 4096, 0xef, 2 * 4096); /* pages 5 and 6, of uniform */
    begin(commands);
    clear(commands, image);
    MUST(vkEndCommandBuffer(commands));
    submit(commands, VK_NULL_HANDLE);
    MUST(vkQueueWaitIdle(queue));

    begin(commands);
    MUST(vkEndCommandBuffer(commands));
    submit(commands, VK_NULL_HANDLE);
    MUST(vkDeviceWaitIdle(device));

    vkUnmapMemory(device, visible);
    vkDestroyFence(device, fence, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    destroy_sets(&sets);
    vkDestroyBuffer(device, source, NULL);
    vkDestroyBuffer(device, uniform, NULL);
    vkDestroyBuffer(device, target, NULL);
    vkDestroyImage(device, image, NULL);
    vkFreeMemory(device, visible, NULL);
    vkFreeMemory(device, local, NULL);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* A memory, a buffer in it that the CPU writes and a command reads, fifty times over. */
static void *thread(void *argument)
{
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    uint32_t type =
        type_of(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkCommandPool pool = make_pool();
    VkCommandBuffer commands = make_commands(pool);
    const VkBufferCopy region = {0, 4096, 4096};
    VkFence fence;

    MUST(vkCreateFence(device, &fence_info, NULL, &fence));
    for (int i = 0; i < ROUNDS; i++) {
        VkDeviceMemory memory = allocate(16 * KIB, type);
        VkBuffer from = make_buffer(8 * KIB, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, memory, 0);
        VkBuffer to = make_buffer(8 * KIB, VK_BUFFER_USAGE_TRANSFER_DST_BIT, memory, 8 * KIB);
        uint8_t *bytes;

        MUST(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
        bytes[1] = (uint8_t)(bytes[1] + 1 + i);
        begin(commands);
        vkCmdCopyBuffer(commands, from, to, 1, &region);
        MUST(vkEndCommandBuffer(commands));
        submit(commands, fence);
        MUST(vkWaitForFences(device, 1, &fence, true, UINT64_MAX));
        MUST(vkResetFences(device, 1, &fence));
        vkDestroyBuffer(device, from, NULL);
        vkDestroyBuffer(device, to, NULL);
        vkFreeMemory(device, memory, NULL);
    }
    vkDestroyFence(device, fence, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    return argument;
}

static void threads(void)
{
    pthread_t all[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&all[i], NULL, thread, NULL) != 0)
            exit(3);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "story";
    VkInstance instance;

    start(&instance);
    if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "nothing") != 0)
        story(strcmp(what, "killed") == 0);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
