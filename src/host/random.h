/* random.h: a small generator of random numbers whose seed is the whole of its state.
 *
 * xorshift64* (Marsaglia 2003, Vigna 2016), seeded through one round of splitmix64 so that near
 * seeds give far sequences. For shuffling and scheduling, not for secrets.
 */
#ifndef VIDMM_HOST_RANDOM_H
#define VIDMM_HOST_RANDOM_H

#include <stdint.h>

/* The state that belongs to a seed; never 0. */
static inline uint64_t vidmm_random_seed(uint64_t seed)
{
    uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return z != 0 ? z : 1;
}

/* The next 32 random bits. */
static inline uint32_t vidmm_random_next(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)(x * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

/* A number from 0 to limit - 1; limit is 1 or more. */
static inline uint32_t vidmm_random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((uint64_t)vidmm_random_next(state) * limit >> 32);
}

#endif
