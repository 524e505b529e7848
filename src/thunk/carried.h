/* carried.h: what a handle of the system carries to another process of the system, which has a
 * machine of its own.
 *
 *     process A                                      process B
 *     ShareObjects                                   Open...FromNtHandle
 *        | a message, into the end that is shared       | looks at it, and leaves it there
 *        v                                              v
 *     ===[ what it is, a memory file ]===============> the same memory file
 *
 * The message lies in the descriptor itself: so it is there for each process that gets a copy, and
 * after the end of the process that has shared. A message of another process is believed so far as
 * it can do no harm: the file cannot shrink, and is as long as the message says.
 *
 * Source: D3DKMTShareObjects; "Using cross-adapter resources in a hybrid system".
 */
#ifndef VIDMM_THUNK_CARRIED_H
#define VIDMM_THUNK_CARRIED_H

#include <stdbool.h>
#include <stdint.h>

enum vidmm_carried_kind { VIDMM_CARRIED_HEAP = 1, VIDMM_CARRIED_FENCE = 2 };

struct vidmm_carried {
    enum vidmm_carried_kind kind;
    uint32_t flags;   /* heap: D3DKMT_CREATEALLOCATIONFLAGS; fence: of its creation */
    uint32_t type;    /* fence: D3DDDI_SYNCHRONIZATIONOBJECT_TYPE */
    uint32_t runtime; /* heap: bytes of the runtime's data, in the file behind the memory */
    uint64_t size;    /* heap: bytes of memory, whole pages */
    int file;         /* heap: memory and data; fence: mirror.h */
};

/* A memory file of `size` bytes, zeros. -1: the system has none. */
int vidmm_carried_file(uint64_t size);

/* Put it into a pair of sockets, by the end that is not shared. False: the system does not. */
bool vidmm_carried_put(int end, const struct vidmm_carried *carried);

/* Read what a descriptor carries; the file is the caller's to close. False: nothing, or nothing
 * that is legal. */
bool vidmm_carried_look(int descriptor, struct vidmm_carried *carried);

#endif
