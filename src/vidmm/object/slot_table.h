/* slot_table.h: numbers for objects.
 *
 * A number is the index of a slot, without gaps; a slot that was released is the first to be taken
 * again. A slot holds a pointer, which stays its owner's. The caller locks a table that it shares.
 */
#ifndef VIDMM_OBJECT_SLOT_TABLE_H
#define VIDMM_OBJECT_SLOT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_memory;

/* The kinds of objects that a 32-bit handle given to the miniport stands for. */
enum vidmm_handle_type {
    VIDMM_HANDLE_NONE,
    VIDMM_HANDLE_ALLOCATION,
    VIDMM_HANDLE_DEVICE,
    VIDMM_HANDLE_RESOURCE,
    VIDMM_HANDLE_CONTEXT,
    VIDMM_HANDLE_PROCESS,
    VIDMM_HANDLE_PAGING_QUEUE,
    VIDMM_HANDLE_FENCE,
    VIDMM_HANDLE_FENCE_WAIT,
};

/* A 32-bit number for an object, without gaps: index + 1, with the adapter's number above. */
#define VIDMM_HANDLE_BITS 28u /* of index + 1, the id */

static inline uint32_t vidmm_handle_of(uint32_t adapter_number, uint32_t id)
{
    return adapter_number << VIDMM_HANDLE_BITS | id;
}

static inline uint32_t vidmm_handle_id(uint32_t handle)
{
    return handle & ((1u << VIDMM_HANDLE_BITS) - 1);
}

/* The slots, and which of them are free. */
struct vidmm_slot_table {
    struct vidmm_slot_entry {
        void *object; /* NULL: free */
        uint32_t next_free;
        uint8_t type;
    } * entries;
    uint32_t capacity, first_free; /* first_free: index + 1, 0: none */
    uint32_t fresh;                /* entries from here on were never used */
};

/* Take a slot for the object. *index receives its number. It may allocate: the table grows. False:
 * no memory, and nothing has changed. */
bool vidmm_slot_take(struct vidmm_slot_table *table, const struct vidmm_memory *memory,
                     void *object, uint8_t type, uint32_t *index);
/* The object of a slot. NULL: the slot is free, of another type, or was never used. */
void *vidmm_slot_find(const struct vidmm_slot_table *table, uint32_t index, uint8_t type);
/* Release a slot that was taken. It cannot fail. */
void vidmm_slot_release(struct vidmm_slot_table *table, uint32_t index);
/* Give the table's memory back; takes one that is zeroed. */
void vidmm_slot_finish(struct vidmm_slot_table *table, const struct vidmm_memory *memory);

#endif
