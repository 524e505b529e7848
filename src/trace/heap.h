/* heap.h: records from the C library, for programs that have one. */
#ifndef VIDMM_TRACE_HEAP_H
#define VIDMM_TRACE_HEAP_H

#include <vidmm/memory.h>

extern const struct vidmm_memory vidmm_heap;

#endif
