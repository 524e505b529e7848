/* renaming.h: the instances of an allocation that a lock with Discard has renamed. A structure, and
 * how it is found; instance.h makes them and says what holds.
 */
#ifndef VIDMM_CLIENT_RENAMING_H
#define VIDMM_CLIENT_RENAMING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "vidmm/object/allocation.h"

/* The instances of an allocation that a lock with Discard has renamed: each a record of its own,
 * with backing store, lock word and engine id, of which the miniport knows the first.
 * client/instance.c says what holds. */
enum vidmm_instance_state {
    VIDMM_INSTANCE_READY,
    VIDMM_INSTANCE_TAKEN,  /* it is being made, or locked for a discard, or let go of */
    VIDMM_INSTANCE_ASLEEP, /* a record without memory, which the engine does not know */
};

struct vidmm_instance {
    struct vidmm_allocation *allocation;
    uint64_t turn; /* of the discard that gave it, from 1 on; 0: none did */
    enum vidmm_instance_state state;
};

struct vidmm_renaming {
    struct vidmm_allocation *first; /* instances[0], which the miniport has created */
    struct vidmm_instance *instances;
    uint32_t count, room;
    uint32_t newest;     /* number of the instance that the last discard gave */
    uint64_t turns;      /* of the newest */
    uint64_t referenced; /* the newest turn that a DMA buffer names: older ones are retired */
    uint64_t walked;     /* ... that a patch location names, while a list is looked at */
    uint32_t surplus;    /* discards in a row that found more idle instances than one */
    uint32_t leaving;    /* instances that the engine is to let go of, and the record with them */
    bool dying, first_gone;
};

/* Its instances. NULL: it was never renamed. Any thread. */
static inline struct vidmm_renaming *vidmm_renaming_of(const struct vidmm_allocation *allocation)
{
    return atomic_load_explicit(&allocation->renaming, memory_order_acquire);
}

/* The one that the miniport has created, of an allocation's instances. */
static inline struct vidmm_allocation *vidmm_instance_first(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);

    return renaming ? renaming->first : allocation;
}

#endif
