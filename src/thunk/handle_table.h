/* handle_table.h: the handles of a process: 32 bits that lead to an object, for a while.
 *
 *     handle   [ unique 2 | index 24 | instance 6 ]
 *                  |          |           '-- the low bits of how often the entry was used before
 *                  |          '-- entry of the table; entry 0 is none
 *                  '-- the high bits of it
 *
 * A handle that has died leads nowhere: its entry is used again only after many others have been,
 * and then the handle is another one. An entry has 256 of them.
 *
 * Threads: any number may find; adding and removing is for one thread at a time. An object that was
 * found stays as long as the caller sees to it that nobody removes it (object.h).
 */
#ifndef VIDMM_THUNK_HANDLE_TABLE_H
#define VIDMM_THUNK_HANDLE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <wddm/d3dukmdt_types.h>

enum {
    VIDMM_HANDLE_CHUNK = 4096,     /* entries that are made at once */
    VIDMM_HANDLE_CHUNKS = 4096,    /* so that an index has 24 bits */
    VIDMM_HANDLE_QUARANTINE = 1024 /* entries that are free before one is used again */
};

struct vidmm_thunk_object;

struct vidmm_handle_entry {
    _Atomic(uint32_t) handle; /* 0: free */
    _Atomic(struct vidmm_thunk_object *) object;
    uint32_t next_free; /* index; 0: the last */
    uint8_t used;       /* how often, modulo 256 */
};

struct vidmm_handle_table {
    _Atomic(struct vidmm_handle_entry *) chunks[VIDMM_HANDLE_CHUNKS];
    uint32_t count; /* entries that were ever used, entry 0 included */
    uint32_t oldest_free, newest_free, free_count;
};

void vidmm_handle_table_init(struct vidmm_handle_table *table);
void vidmm_handle_table_finish(struct vidmm_handle_table *table);

/* Give the object a handle, which leads nowhere until it is shown. 0: no memory, or 16777215
 * handles live. */
D3DKMT_HANDLE vidmm_handle_table_add(struct vidmm_handle_table *table,
                                     struct vidmm_thunk_object *object);
void vidmm_handle_table_show(struct vidmm_handle_table *table, D3DKMT_HANDLE handle);
/* The object of a handle. NULL: the handle is none. */
struct vidmm_thunk_object *vidmm_handle_table_find(struct vidmm_handle_table *table,
                                                   D3DKMT_HANDLE handle);
/* Give back a handle, shown or not: it leads nowhere. */
void vidmm_handle_table_remove(struct vidmm_handle_table *table, D3DKMT_HANDLE handle);

#endif
