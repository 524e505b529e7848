/*
 * size.h: sizes of memory, which is made of pages, as people write and read them.
 *
 *     240M, 240MiB, 0.25g -> bytes        251658240 -> "240.0 MiB"
 */
#ifndef VIDMM_TOOL_SIZE_H
#define VIDMM_TOOL_SIZE_H

#include "base/size.h"

/* Read a size (base/size.h) and round it down to whole pages. False: it is none; `size` is as it
 * was. */
bool vidmm_size_parse(const char *text, uint64_t *size);

/* In the largest unit that leaves one or more of it, with one digit behind the point. */
struct vidmm_size_text vidmm_size_text(uint64_t bytes);

#endif
