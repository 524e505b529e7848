/*
 * size.h: sizes as people write and read them.
 *
 *     240M -> 251658240        251658240 -> "240.0 MiB"
 */
#ifndef VIDMM_TOOL_SIZE_H
#define VIDMM_TOOL_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* Read a whole number of bytes, or of K, M or G (2^10, 2^20, 2^30), and round it down to whole
 * pages. False: it is no such number, or the bytes need more than 64 bits. */
bool vidmm_size_parse(const char *text, uint64_t *size);

struct vidmm_size_text {
    char text[32];
};

/* As a size is typed: in the largest of G, M, K that divides it, else in bytes: "256K". */
struct vidmm_size_text vidmm_size_written(uint64_t bytes);

/* In the largest unit that leaves one or more of it, with one digit behind the point. */
struct vidmm_size_text vidmm_size_text(uint64_t bytes);

#endif
