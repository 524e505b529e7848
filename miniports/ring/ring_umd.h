/* ring_umd.h: the words between the user-mode driver and the miniport. Neither of them trusts it:
 * every word that comes from user mode is checked where it is read. */
#ifndef RING_UMD_H
#define RING_UMD_H

#include <stdint.h>

/* Private data of an allocation. */
struct ring_private {
    uint32_t magic; /* RING_PRIVATE_MAGIC */
    uint32_t flags; /* RING_PRIVATE_... */
    uint64_t size;  /* bytes */
};

enum {
    RING_PRIVATE_MAGIC = 0x50474E52,
    RING_PRIVATE_LOCAL = 1 /* it never leaves GPU memory for
                                                                   the aperture */
};

/* A command buffer is an array of these. Allocations are named by their index in the allocation
 * list, since nobody knows yet where they will be. */
struct ring_user_command {
    uint32_t opcode; /* RING_NOP, RING_READ, RING_FILL or RING_COPY */
    uint32_t allocation, source;
    uint32_t pattern;
    uint64_t offset, source_offset;
    uint64_t count; /* bytes */
};

#endif
