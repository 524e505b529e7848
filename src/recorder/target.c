/* Render targets: render passes, framebuffers, dynamic rendering. */
#include <stdlib.h>

#include "recorder/hooks.h"

/* The attachments that a render pass writes. */
struct pass {
    struct vidmm_record_object object;
    bool *written;
    uint32_t count;
};

struct framebuffer {
    struct vidmm_record_object object;
    struct vidmm_record_resource **images; /* held; NULL: unknown */
    uint32_t count;
};

static void finish_pass(void *object)
{
    free(((struct pass *)object)->written);
}

static void finish_framebuffer(void *object)
{
    struct framebuffer *framebuffer = object;

    for (uint32_t i = 0; i < framebuffer->count; i++)
        vidmm_record_drop(framebuffer->images[i]);
    free(framebuffer->images);
}

static bool is_read_only(VkImageLayout layout)
{
    switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL:
        return true;
    default:
        return false;
    }
}

static void wrote(struct pass *pass, uint32_t attachment, VkImageLayout layout)
{
    if (attachment < pass->count && !is_read_only(layout))
        pass->written[attachment] = true;
}

static struct pass *made_pass(struct vidmm_record_device *device, VkRenderPass handle,
                              uint32_t count)
{
    struct pass *pass = vidmm_record_add(device, VIDMM_RECORD_RENDER_PASS,
                                         VIDMM_RECORD_HANDLE(handle), sizeof(*pass), finish_pass);

    pass->written = vidmm_record_allocate(count, sizeof(bool));
    pass->count = count;
    return pass;
}

/* Attachments that a render pass clears, or a subpass has as targets. Both versions of the
 * structures name their members alike. */
#define PASS_WRITES(pass, info)                                                                    \
    do {                                                                                           \
        for (uint32_t i_ = 0; i_ < (info)->attachmentCount; i_++)                                  \
            if ((info)->pAttachments[i_].loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR ||                  \
                (info)->pAttachments[i_].stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR)             \
                (pass)->written[i_] = true;                                                        \
        for (uint32_t i_ = 0; i_ < (info)->subpassCount; i_++)                                     \
            SUBPASS_WRITES(pass, &(info)->pSubpasses[i_]);                                         \
    } while (false)
#define SUBPASS_WRITES(pass, subpass)                                                              \
    do {                                                                                           \
        for (uint32_t j_ = 0; j_ < (subpass)->colorAttachmentCount; j_++) {                        \
            wrote(pass, (subpass)->pColorAttachments[j_].attachment, VK_IMAGE_LAYOUT_GENERAL);     \
            if ((subpass)->pResolveAttachments != NULL)                                            \
                wrote(pass, (subpass)->pResolveAttachments[j_].attachment,                         \
                      VK_IMAGE_LAYOUT_GENERAL);                                                    \
        }                                                                                          \
        if ((subpass)->pDepthStencilAttachment != NULL)                                            \
            wrote(pass, (subpass)->pDepthStencilAttachment->attachment,                            \
                  (subpass)->pDepthStencilAttachment->layout);                                     \
    } while (false)

VkResult vidmm_record_CreateRenderPass(VkDevice handle, const VkRenderPassCreateInfo *info,
                                       const VkAllocationCallbacks *callbacks, VkRenderPass *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateRenderPass(handle, info, callbacks, made);

    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct pass *pass = made_pass(device, *made, info->attachmentCount);
    PASS_WRITES(pass, info);
    vidmm_record_unlock();
    return result;
}

/* A depth buffer of several samples, resolved. */
static void resolves_depth(struct pass *pass, const VkSubpassDescription2 *subpass)
{
    const VkBaseInStructure *at = subpass->pNext;

    while (at != NULL && at->sType != VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE)
        at = at->pNext;
    const VkSubpassDescriptionDepthStencilResolve *resolve = (const void *)at;
    if (resolve != NULL && resolve->pDepthStencilResolveAttachment != NULL)
        wrote(pass, resolve->pDepthStencilResolveAttachment->attachment, VK_IMAGE_LAYOUT_GENERAL);
}

VkResult vidmm_record_CreateRenderPass2(VkDevice handle, const VkRenderPassCreateInfo2 *info,
                                        const VkAllocationCallbacks *callbacks, VkRenderPass *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateRenderPass2(handle, info, callbacks, made);

    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct pass *pass = made_pass(device, *made, info->attachmentCount);
    PASS_WRITES(pass, info);
    for (uint32_t i = 0; i < info->subpassCount; i++)
        resolves_depth(pass, &info->pSubpasses[i]);
    vidmm_record_unlock();
    return result;
}

void vidmm_record_DestroyRenderPass(VkDevice handle, VkRenderPass pass,
                                    const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_RENDER_PASS, VIDMM_RECORD_HANDLE(pass));
    vidmm_record_unlock();
    device->next.DestroyRenderPass(handle, pass, callbacks);
}

VkResult vidmm_record_CreateFramebuffer(VkDevice handle, const VkFramebufferCreateInfo *info,
                                        const VkAllocationCallbacks *callbacks, VkFramebuffer *made)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    VkResult result = device->next.CreateFramebuffer(handle, info, callbacks, made);

    if (result != VK_SUCCESS)
        return result;
    vidmm_record_lock();
    struct framebuffer *framebuffer =
        vidmm_record_add(device, VIDMM_RECORD_FRAMEBUFFER, VIDMM_RECORD_HANDLE(*made),
                         sizeof(*framebuffer), finish_framebuffer);
    if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0) {
        framebuffer->images =
            vidmm_record_allocate(info->attachmentCount, sizeof(struct vidmm_record_resource *));
        framebuffer->count = info->attachmentCount;
        for (uint32_t i = 0; i < info->attachmentCount; i++)
            framebuffer->images[i] =
                vidmm_record_hold(vidmm_record_view(device, info->pAttachments[i]));
    }
    vidmm_record_unlock();
    return result;
}

void vidmm_record_DestroyFramebuffer(VkDevice handle, VkFramebuffer framebuffer,
                                     const VkAllocationCallbacks *callbacks)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    vidmm_record_forget(device, VIDMM_RECORD_FRAMEBUFFER, VIDMM_RECORD_HANDLE(framebuffer));
    vidmm_record_unlock();
    device->next.DestroyFramebuffer(handle, framebuffer, callbacks);
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool pass_writes(const struct pass *pass, uint32_t attachment)
{
    return pass == NULL || attachment >= pass->count || pass->written[attachment];
}

static void begin(VkCommandBuffer handle, const VkRenderPassBeginInfo *info)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);
    const VkBaseInStructure *at = info->pNext;

    while (at != NULL && at->sType != VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO)
        at = at->pNext;
    const VkRenderPassAttachmentBeginInfo *views = (const void *)at; /* imageless */
    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    const struct pass *pass =
        vidmm_record_find(device, VIDMM_RECORD_RENDER_PASS, VIDMM_RECORD_HANDLE(info->renderPass));
    const struct framebuffer *framebuffer =
        vidmm_record_find(device, VIDMM_RECORD_FRAMEBUFFER, VIDMM_RECORD_HANDLE(info->framebuffer));
    for (uint32_t i = 0; commands != NULL && framebuffer != NULL && i < framebuffer->count; i++)
        vidmm_record_list_add(&commands->list, framebuffer->images[i], pass_writes(pass, i));
    for (uint32_t i = 0; commands != NULL && views != NULL && i < views->attachmentCount; i++)
        vidmm_record_list_add(&commands->list, vidmm_record_view(device, views->pAttachments[i]),
                              pass_writes(pass, i));
    vidmm_record_unlock();
}

void vidmm_record_CmdBeginRenderPass(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                     VkSubpassContents contents)
{
    begin(commands, info);
    VIDMM_RECORD_NEXT(commands)->CmdBeginRenderPass(commands, info, contents);
}

void vidmm_record_CmdBeginRenderPass2(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                      const VkSubpassBeginInfo *subpass)
{
    begin(commands, info);
    VIDMM_RECORD_NEXT(commands)->CmdBeginRenderPass2(commands, info, subpass);
}

static void target(struct vidmm_record_device *device, struct vidmm_record_commands *commands,
                   const VkRenderingAttachmentInfo *attachment)
{
    if (attachment == NULL || commands == NULL)
        return;
    vidmm_record_list_add(&commands->list, vidmm_record_view(device, attachment->imageView),
                          !is_read_only(attachment->imageLayout) ||
                              attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR);
    if (attachment->resolveMode != VK_RESOLVE_MODE_NONE)
        vidmm_record_list_add(&commands->list,
                              vidmm_record_view(device, attachment->resolveImageView), true);
}

void vidmm_record_CmdBeginRendering(VkCommandBuffer handle, const VkRenderingInfo *info)
{
    struct vidmm_record_device *device = vidmm_record_device_of(handle);

    vidmm_record_lock();
    struct vidmm_record_commands *commands = vidmm_record_commands_of(device, handle);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        target(device, commands, &info->pColorAttachments[i]);
    target(device, commands, info->pDepthAttachment);
    target(device, commands, info->pStencilAttachment);
    vidmm_record_unlock();
    device->next.CmdBeginRendering(handle, info);
}
