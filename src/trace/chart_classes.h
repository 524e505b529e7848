/* chart_classes.h: the kinds of allocations that a recorded program has, in a picture: images,
 * buffers, both, the swapchain; colours of their own for a second program. */
#ifndef VIDMM_TRACE_CHART_CLASSES_H
#define VIDMM_TRACE_CHART_CLASSES_H

#include <stdint.h>

struct vidmm_chart_options;

/* Put the classes into the options of a chart. */
void vidmm_chart_classes(struct vidmm_chart_options *options);
/* The class of an allocation with these types (VIDMM_TRACE_...) of program 0 or 1. */
uint32_t vidmm_chart_class_of(uint32_t types, uint32_t program);

#endif
