/* bits.h: which bit is the lowest or the highest that is set. */
#ifndef VIDMM_BASE_BITS_H
#define VIDMM_BASE_BITS_H

#include <stdint.h>

/* Number of the lowest set bit, 0 to 63. `bits` is not 0. */
static inline uint32_t vidmm_lowest_bit(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

/* Number of the highest set bit, 0 to 63. `bits` is not 0. */
static inline uint32_t vidmm_highest_bit(uint64_t bits)
{
    return 63u ^ (uint32_t)__builtin_clzll(bits);
}

#endif
