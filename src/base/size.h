/* size.h: sizes as people write them.
 *
 *     4096   0x1000   256K   240M   3MiB   1.5G   64k         a number and a unit, if one likes
 *     bytes, K, M, G, T: 1, 2^10, 2^20, 2^30, 2^40, with or without iB behind, large or small
 *
 * The project reads every size that it prints: "240.0 MiB" has a space in it, which may be there.
 */
#ifndef VIDMM_BASE_SIZE_H
#define VIDMM_BASE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* Read a size; all of the text is one. A number with a point has a unit, and what is less than a
 * byte of it is dropped. False: it is no size, or it needs more than 64 bits; `bytes` is as it
 * was. */
bool vidmm_size_read(const char *text, uint64_t *bytes);

struct vidmm_size_text {
    char text[32];
};

/* As a size is typed: in the largest of G, M, K that divides it, else in bytes: "256K". */
struct vidmm_size_text vidmm_size_written(uint64_t bytes);

/* In the largest unit that leaves one or more of it, with one digit behind the point: "240.0 MiB".
 * Less than 1 KiB: "17 bytes". */
struct vidmm_size_text vidmm_size_text(uint64_t bytes);

#endif
