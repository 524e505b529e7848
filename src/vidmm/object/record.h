/* record.h: the records of allocations, whoever made them.
 *
 *     record -- number -- (backing, window, private data) -- link -- ... -- free
 *
 * A record comes from the adapter's pool and has a number, which is the engine's id of it and, with
 * the adapter's number above it, the handle by which the miniport asks for it. The engine is told
 * by whoever needs it told.
 */
#ifndef VIDMM_OBJECT_RECORD_H
#define VIDMM_OBJECT_RECORD_H

#include "vidmm/object/allocation.h"

struct vidmm_description;

/* The record of engine id, backing store and lock word: its original's, of what is shared. */
static inline struct vidmm_allocation *vidmm_original(struct vidmm_allocation *allocation)
{
    return allocation->original ? allocation->original : allocation;
}

/* A record that stands in no list, with a number and nothing else. NULL: no memory, and nothing was
 * taken. The mutex is not held. */
struct vidmm_allocation *vidmm_allocation_record(struct vidmm_device *device);
/* vidmm_allocation_record() where the mutex is held. */
struct vidmm_allocation *vidmm_allocation_take_record(struct vidmm_device *device);
/* One of the manager's own, which no program can name, in the list of the device, so that what the
 * engine says of it finds its MDL. NULL: no memory, and nothing was taken. The mutex is not
 * held. */
struct vidmm_allocation *vidmm_allocation_own_record(struct vidmm_device *device);
/* Say of a new record what the description does. Its private data is copied to `room` (16-byte
 * aligned), which stays the caller's, or if that is NULL into a block of its own. False: no memory;
 * the record is as it was. */
bool vidmm_allocation_describe(struct vidmm_allocation *allocation,
                               const struct vidmm_description *description, uint8_t *room);
/* A record with what the description says of it, private data in a block of its own. NULL: no
 * memory, and nothing was taken. The mutex is not held. */
struct vidmm_allocation *vidmm_allocation_make(struct vidmm_device *device,
                                               const struct vidmm_description *description);
/* The record of the engine's id; NULL: there is none. The mutex is not held; it is taken. */
struct vidmm_allocation *vidmm_allocation_of(struct vidmm_adapter *adapter, uint32_t id);
/* Give a number to a record that has none; may allocate. False: no memory, it has none still. The
 * mutex is held. */
bool vidmm_allocation_number(struct vidmm_allocation *allocation);
/* Put it into the list of its device, which waits for it before it goes. The mutex is held. */
void vidmm_allocation_link(struct vidmm_allocation *allocation);
/* Give back what it has but its record: window, backing store, number. The mutex is not held. */
void vidmm_allocation_empty(struct vidmm_allocation *allocation);
/* Give everything of it back, the record too, and take it out of its list. The mutex is not
 * held. */
void vidmm_allocation_free(struct vidmm_allocation *allocation);
/* The two halves of it: its memory goes, without the mutex; then it, with the mutex held. */
void vidmm_allocation_give_back(struct vidmm_allocation *allocation);
void vidmm_allocation_forget(struct vidmm_allocation *allocation);
/* Give up its memory for good; it lives on, offered. Nothing may ask for its pages any more. The
 * mutex is held. */
void vidmm_allocation_decommit(struct vidmm_allocation *allocation);
/* The handle by which the miniport asks for it (DxgkCbGetHandleData). */
uint32_t vidmm_allocation_handle(const struct vidmm_allocation *allocation);
/* The process for which the driver is called about it. */
uint64_t vidmm_allocation_process(const struct vidmm_allocation *allocation);

#endif
