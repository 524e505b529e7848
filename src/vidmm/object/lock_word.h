/* lock_word.h: the bits of the word that all which a lock depends on is in.
 *
 *     55: used
 *     53, 52           51, 50                  44    43        42      41, 40        39..16 15..0
 *     ranged, aperture GPU wrote, CPU wrote    copy  followed  wanted  open segment, busy   locks
 *                                                                      open backing
 *
 * client/lock_word.h changes it; object/cache.h has the two about the caches.
 */
#ifndef VIDMM_OBJECT_LOCK_WORD_H
#define VIDMM_OBJECT_LOCK_WORD_H

#include <stdint.h>

/* The lock word of an allocation: changed by compare-and-swap only. */
#define WORD_LOCKS UINT64_C(0xffff)     /* locks that the CPU holds */
#define WORD_BUSY_ONE UINT64_C(0x10000) /* one DMA buffer that names it, not yet retired */
#define WORD_BUSY (UINT64_C(0xffffff) << 16)
#define WORD_OPEN_BACKING (UINT64_C(1) << 40) /* `address` is right: the backing store */
#define WORD_OPEN_SEGMENT (UINT64_C(1) << 41) /* `address` is right: a place in a memory segment */
#define WORD_WANTED (UINT64_C(1) << 42)       /* a claim failed: the last unlock tells the engine */
#define WORD_COPY (UINT64_C(1) << 44)      /* a segment has a copy: the last unlock refreshes it */
#define WORD_FOLLOWED (UINT64_C(1) << 43)  /* `address` is right; touching it may wait for a move */
#define WORD_CPU_WROTE (UINT64_C(1) << 50) /* the caches may hold what memory lacks */
#define WORD_APERTURE                                                                              \
    (UINT64_C(1) << 52)                 /* the lock is one with AcquireAperture, and the only one */
#define WORD_RANGED (UINT64_C(1) << 53) /* ... by a swizzling range: its unlock tells the engine */
#define WORD_ALTERNATE (UINT64_C(1) << 54) /* ... for an alternate address */
#define WORD_USED (UINT64_C(1) << 55) /* it was locked without the engine, since it was asked */
#define WORD_GPU_WROTE (UINT64_C(1) << 51) /* memory may hold what the caches hide */

/* Any of these: `address` is right. */
#define WORD_RIGHT (WORD_OPEN_BACKING | WORD_OPEN_SEGMENT | WORD_FOLLOWED)

#endif
