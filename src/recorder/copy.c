/* Commands that copy, blit, resolve, fill and clear. */
#include "recorder/hooks.h"

static void buffer_to_buffer(VkCommandBuffer c, VkBuffer from, VkBuffer to)
{
    vidmm_record_uses_buffer(c, from, false);
    vidmm_record_uses_buffer(c, to, true);
}

static void image_to_image(VkCommandBuffer c, VkImage from, VkImage to)
{
    vidmm_record_uses_image(c, from, false);
    vidmm_record_uses_image(c, to, true);
}

static void buffer_to_image(VkCommandBuffer c, VkBuffer from, VkImage to)
{
    vidmm_record_uses_buffer(c, from, false);
    vidmm_record_uses_image(c, to, true);
}

static void image_to_buffer(VkCommandBuffer c, VkImage from, VkBuffer to)
{
    vidmm_record_uses_image(c, from, false);
    vidmm_record_uses_buffer(c, to, true);
}

void vidmm_record_CmdCopyBuffer(VkCommandBuffer c, VkBuffer from, VkBuffer to, uint32_t count,
                                const VkBufferCopy *regions)
{
    buffer_to_buffer(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdCopyBuffer(c, from, to, count, regions);
}

void vidmm_record_CmdCopyImage(VkCommandBuffer c, VkImage from, VkImageLayout from_layout,
                               VkImage to, VkImageLayout to_layout, uint32_t count,
                               const VkImageCopy *regions)
{
    image_to_image(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdCopyImage(c, from, from_layout, to, to_layout, count, regions);
}

void vidmm_record_CmdBlitImage(VkCommandBuffer c, VkImage from, VkImageLayout from_layout,
                               VkImage to, VkImageLayout to_layout, uint32_t count,
                               const VkImageBlit *regions, VkFilter filter)
{
    image_to_image(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdBlitImage(c, from, from_layout, to, to_layout, count, regions, filter);
}

void vidmm_record_CmdResolveImage(VkCommandBuffer c, VkImage from, VkImageLayout from_layout,
                                  VkImage to, VkImageLayout to_layout, uint32_t count,
                                  const VkImageResolve *regions)
{
    image_to_image(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdResolveImage(c, from, from_layout, to, to_layout, count, regions);
}

void vidmm_record_CmdCopyBufferToImage(VkCommandBuffer c, VkBuffer from, VkImage to,
                                       VkImageLayout layout, uint32_t count,
                                       const VkBufferImageCopy *regions)
{
    buffer_to_image(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdCopyBufferToImage(c, from, to, layout, count, regions);
}

void vidmm_record_CmdCopyImageToBuffer(VkCommandBuffer c, VkImage from, VkImageLayout layout,
                                       VkBuffer to, uint32_t count,
                                       const VkBufferImageCopy *regions)
{
    image_to_buffer(c, from, to);
    VIDMM_RECORD_NEXT(c)->CmdCopyImageToBuffer(c, from, layout, to, count, regions);
}

/* The second versions take a structure. */
#define COPY2(name, info_type, uses, from, to)                                                     \
    void vidmm_record_##name(VkCommandBuffer c, const info_type *info)                             \
    {                                                                                              \
        uses(c, info->from, info->to);                                                             \
        VIDMM_RECORD_NEXT(c)->name(c, info);                                                       \
    }
COPY2(CmdCopyBuffer2, VkCopyBufferInfo2, buffer_to_buffer, srcBuffer, dstBuffer)
COPY2(CmdCopyImage2, VkCopyImageInfo2, image_to_image, srcImage, dstImage)
COPY2(CmdBlitImage2, VkBlitImageInfo2, image_to_image, srcImage, dstImage)
COPY2(CmdResolveImage2, VkResolveImageInfo2, image_to_image, srcImage, dstImage)
COPY2(CmdCopyBufferToImage2, VkCopyBufferToImageInfo2, buffer_to_image, srcBuffer, dstImage)
COPY2(CmdCopyImageToBuffer2, VkCopyImageToBufferInfo2, image_to_buffer, srcImage, dstBuffer)

void vidmm_record_CmdUpdateBuffer(VkCommandBuffer c, VkBuffer to, VkDeviceSize offset,
                                  VkDeviceSize size, const void *data)
{
    vidmm_record_uses_buffer(c, to, true);
    VIDMM_RECORD_NEXT(c)->CmdUpdateBuffer(c, to, offset, size, data);
}

void vidmm_record_CmdFillBuffer(VkCommandBuffer c, VkBuffer to, VkDeviceSize offset,
                                VkDeviceSize size, uint32_t data)
{
    vidmm_record_uses_buffer(c, to, true);
    VIDMM_RECORD_NEXT(c)->CmdFillBuffer(c, to, offset, size, data);
}

void vidmm_record_CmdClearColorImage(VkCommandBuffer c, VkImage image, VkImageLayout layout,
                                     const VkClearColorValue *color, uint32_t count,
                                     const VkImageSubresourceRange *ranges)
{
    vidmm_record_uses_image(c, image, true);
    VIDMM_RECORD_NEXT(c)->CmdClearColorImage(c, image, layout, color, count, ranges);
}

void vidmm_record_CmdClearDepthStencilImage(VkCommandBuffer c, VkImage image, VkImageLayout layout,
                                            const VkClearDepthStencilValue *value, uint32_t count,
                                            const VkImageSubresourceRange *ranges)
{
    vidmm_record_uses_image(c, image, true);
    VIDMM_RECORD_NEXT(c)->CmdClearDepthStencilImage(c, image, layout, value, count, ranges);
}

void vidmm_record_CmdCopyQueryPoolResults(VkCommandBuffer c, VkQueryPool pool, uint32_t first,
                                          uint32_t count, VkBuffer to, VkDeviceSize offset,
                                          VkDeviceSize stride, VkQueryResultFlags flags)
{
    vidmm_record_uses_buffer(c, to, true);
    VIDMM_RECORD_NEXT(c)->CmdCopyQueryPoolResults(c, pool, first, count, to, offset, stride, flags);
}
