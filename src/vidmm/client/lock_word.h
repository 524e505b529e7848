/* lock_word.h: the changes of an allocation's lock word that are made at once, without the engine.
 *
 * Nothing here waits, allocates or steps the engine. The bits: object/lock_word.h.
 */
#ifndef VIDMM_CLIENT_LOCK_WORD_H
#define VIDMM_CLIENT_LOCK_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/object/allocation.h"
#include "vidmm/object/lock_word.h"

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_place;

/* One more lock, if `address` is right and nothing is in the way. False: the engine is to be asked.
 * Any thread. Inline: it is all that most locks do. */
static inline bool vidmm_lock_word_lock(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    while ((word & WORD_RIGHT) != 0 && (word & (WORD_BUSY | WORD_APERTURE)) == 0 &&
           (word & WORD_LOCKS) != WORD_LOCKS)
        if (atomic_compare_exchange_weak(&allocation->word, &word, (word + 1) | WORD_USED))
            return true;
    return false;
}
/* How a claim ends: enum vidmm_claim. `stays`: refuse it if a lock is held. `peeks`: as
 * VIDMM_DO_CLAIM says. The mutex is held. */
uint32_t vidmm_lock_word_claim(struct vidmm_allocation *allocation, bool stays, bool peeks);
/* The claim that follows is over; the mutex is held. */
void vidmm_lock_shown(struct vidmm_allocation *allocation, struct vidmm_place place, uint32_t range,
                      bool alternate);
/* The adapter has stopped: let nobody wait for a move that will not end. The mutex is held. */
void vidmm_lock_abandon(struct vidmm_adapter *adapter);
/* The device is removed: every further lock asks the engine, and is refused. The mutex is held. */
void vidmm_lock_close(struct vidmm_device *device);

/* A DMA buffer names the allocation. *locked: the CPU holds a lock, so an aperture has to show it;
 * false: it does, and none may (D-160), and nothing has changed. Any thread. */
bool vidmm_lock_word_use(struct vidmm_allocation *allocation, bool write, bool *locked);
/* It names it no more. */
void vidmm_lock_word_unuse(struct vidmm_allocation *allocation);
/* No lock is granted without the engine from here on. False: it is locked, and nothing has changed.
 * The mutex is held. */
bool vidmm_lock_word_close(struct vidmm_allocation *allocation);
/* Whether a lock that the engine has granted opens the word for the next one. */
bool vidmm_lock_word_stays_open(const struct vidmm_allocation *allocation);

#endif
