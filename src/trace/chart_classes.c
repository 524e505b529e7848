#include "trace/chart_classes.h"

#include <string.h>

#include "trace/chart.h"
#include "trace/trace.h"

enum {
    CLASS_OTHER,
    CLASS_BUFFER,
    CLASS_IMAGES,
    CLASS_BUFFERS,
    CLASS_MIXED,
    CLASS_SWAPCHAIN,
    CLASSES_A_PROGRAM = CLASS_SWAPCHAIN - CLASS_IMAGES + 1,
    CLASS_TABLES = CLASS_IMAGES + 2 * CLASSES_A_PROGRAM,
};

static const struct vidmm_chart_class classes[] = {
    [CLASS_OTHER] = {"other", 0, 0},
    [CLASS_BUFFER] = {"DMA and paging buffers", 0, 8},
    [CLASS_IMAGES] = {"images", 210, 65},
    [CLASS_BUFFERS] = {"buffers", 130, 45},
    [CLASS_MIXED] = {"images and buffers", 280, 40},
    [CLASS_SWAPCHAIN] = {"swapchain", 35, 85},
    /* of the second program */
    {"images (second)", 350, 65},
    {"buffers (second)", 60, 60},
    {"images and buffers (second)", 320, 50},
    {"swapchain (second)", 15, 85},
    [CLASS_TABLES] = {"page tables", 190, 20},
};

uint32_t vidmm_chart_class_of(uint32_t types, uint32_t program)
{
    uint32_t kinds = types & (VIDMM_TRACE_IMAGE | VIDMM_TRACE_BUFFER), class_index = CLASS_OTHER;

    if (types & VIDMM_TRACE_SWAPCHAIN)
        class_index = CLASS_SWAPCHAIN;
    else if (kinds == (VIDMM_TRACE_IMAGE | VIDMM_TRACE_BUFFER))
        class_index = CLASS_MIXED;
    else if (kinds == VIDMM_TRACE_IMAGE)
        class_index = CLASS_IMAGES;
    else if (kinds == VIDMM_TRACE_BUFFER)
        class_index = CLASS_BUFFERS;
    else
        return CLASS_OTHER;
    return class_index + program * CLASSES_A_PROGRAM;
}

void vidmm_chart_classes(struct vidmm_chart_options *options)
{
    options->class_count = sizeof(classes) / sizeof(classes[0]);
    memcpy(options->classes, classes, sizeof(classes));
    options->table_class = CLASS_TABLES;
}
