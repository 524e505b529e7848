/* bounds.h: bytes that a recorded program pages in again under two policies that know no places:
 * any free bytes will do, and of who leaves only as many bytes as are wanted.
 *
 *     Belady   who is used last in the future leaves: no policy brings in less
 *     LRU      who has not been used for longest leaves
 *
 * Only `local` allocations count, in whole pages. The first time that an allocation is needed it is
 * filled, which is not counted. Nor are bytes that go out: an allocation that has a copy need not
 * go.
 */
#ifndef VIDMM_TRACE_BOUNDS_H
#define VIDMM_TRACE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_memory;
struct vidmm_trace;

enum vidmm_bound_policy { VIDMM_BOUND_BELADY, VIDMM_BOUND_LRU };

struct vidmm_bound {
    uint64_t bytes;       /* that come in again */
    uint64_t frames_held; /* frames in which some do; without presents a submission is a frame */
};

/*
 * Play the trace's submissions in `capacity` bytes of memory; O(references + bytes that leave in
 * pieces * allocations).
 *
 * memory   for the time of the call.
 * False: a submission needs more than `capacity`, or there is no memory; `bound` is then all zero.
 */
bool vidmm_trace_bound(const struct vidmm_trace *trace, const struct vidmm_memory *memory,
                       uint64_t capacity, enum vidmm_bound_policy policy,
                       struct vidmm_bound *bound);

#endif
