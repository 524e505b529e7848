/* witness.h: where the primaries are that a DMA buffer may write. Structures and no more; the
 * adapter's mutex guards them. */
#ifndef VIDMM_OBJECT_WITNESS_H
#define VIDMM_OBJECT_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <vidmm/process.h>

struct vidmm_allocation;

struct vidmm_witnessed {
    struct vidmm_allocation *primary; /* the original */
    struct vidmm_place place;
    uint64_t size;
    bool own_pages; /* an aperture's range: the GPU reaches the pages of its backing store */
};

struct vidmm_witness {
    uint32_t node, fence; /* of its packet */
    uint32_t count;
    struct vidmm_witnessed seen[VIDMM_WRITTEN_PRIMARIES];
};

#endif
