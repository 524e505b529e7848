/*
 * size.h: sizes of memory, which is made of pages, as people write them.
 *
 *     240M, 240MiB, 0.25g -> bytes
 */
#ifndef VIDMM_TOOL_SIZE_H
#define VIDMM_TOOL_SIZE_H

#include "base/size.h"

/* Read a size (base/size.h) and round it down to whole pages. False: it is none; `size` is as it
 * was. */
bool vidmm_size_parse(const char *text, uint64_t *size);

#endif
