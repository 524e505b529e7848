/* mmu_state.h: what an engine with a GPU MMU has besides: processes, and the memory of page tables.
 *
 *     process --> address space (what addresses mean) --> page tables --> records that are due
 *                                                             |
 *                                                  a placement for each table that has memory
 *
 * For the modules of the engine that look into it: engine_state.h has a pointer. Structures only.
 */
#ifndef VIDMM_ENGINE_STATE_MMU_STATE_H
#define VIDMM_ENGINE_STATE_MMU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/memory.h>

#include "vidmm/engine/address/page_table.h"
#include "vidmm/engine/state/process.h"

struct vidmm_placement;

/* A process, from its event until the memory of its last table is free. process.c has P-states. */
struct vidmm_process {
    uint32_t id;
    bool paging;     /* paging operations use its addresses */
    bool privileged; /* companion contexts run in it: its tables stay */
    bool dying;      /* destroyed by its owner: all of its addresses are free */
    bool due;        /* in the list of those with something to write */
    bool asleep;     /* its tables have left, and nothing is written until it runs again */
    bool unused;     /* it maps nothing that was resident yet, and never ran: nothing is written */
    bool switched;   /* its contexts have its root, and old ones go */
    bool stale;      /* old leaves were written, and the GPU has not been told to forget */
    uint32_t companion; /* the paging queue whose companion tells the GPU of what is due; or 0 */
    uint32_t adapters;  /* of a link: its physical adapters; 1: there is no link */
    struct vidmm_process *next;                /* in that list */
    struct vidmm_address_space space;          /* of a link: what addresses mean on the lead */
    struct vidmm_address_space *linked_spaces; /* ... on the others (linked_space.c); else NULL */
    struct vidmm_page_tables tables;
    struct vidmm_address_link scratch; /* ring of what the paging process maps */
    uint64_t last_fence;               /* of the newest packet of the process; 0: there was none */
    uint64_t wait_fence; /* packets up to it use what entries are to lead to no more */
    uint64_t written;    /* number of the paging buffer that has its newest records */
};

/* The call of DxgkDdiBuildPagingBuffer for page tables that is under way, or to be made again. */
struct vidmm_table_call {
    struct vidmm_process *process;         /* NULL: there is none */
    bool handed;                           /* VIDMM_DO_BUILD is to be answered */
    uint32_t names;                        /* ... and names this allocation, which stays; or 0 */
    bool flush;                            /* it is FLUSH_TLB */
    bool again;                            /* into a fresh buffer */
    bool clears;                           /* it is for tables that leave (A27) */
    bool old;                              /* `flush`: of an old root, which goes */
    uint32_t told;                         /* entries of `update` that VIDMM_DO_ENTRY has told of:
                                            * all, then, with pairs, the second ones */
    bool apart;                            /* of a link: `update` is written adapter by adapter */
    uint32_t adapter;                      /* ... now of this one */
    uint32_t done, part;                   /* ... entries written, and in the call */
    struct vidmm_page_table_update update; /* `flush`: unused */
    uint64_t start, end;                   /* `flush`: addresses to be forgotten */
};

struct vidmm_mmu {
    struct vidmm_process **processes; /* by id */
    uint32_t process_capacity;
    struct vidmm_process *paging; /* NULL: there is none yet */
    struct vidmm_process *due, *due_last;
    struct vidmm_process *dead; /* destroyed, nothing is due: until the newest record is executed */
    struct vidmm_placement **tables; /* placements of page tables, by id less VIDMM_TABLE_IDS */
    uint32_t capacity, next_table;   /* the next id to try */
    struct vidmm_page_table *left, *left_last; /* until their last flush has been executed */
    struct vidmm_table_call call;
    struct vidmm_process *clearing; /* its tables leave: its root is still to say so; or NULL */
    bool root_cleared;              /* ... it says so, and the GPU is to forget */
    struct vidmm_placement *loose;  /* memory that such tables had, until that is executed */
    uint64_t loose_note;            /* number of the paging buffer with the flush */
    uint64_t opened, completed;     /* paging buffers, so far */
    uint32_t switching;             /* processes with an old root */
    uint32_t switch_process;        /* the one that VIDMM_DO_SET_ROOT names, until its answer */
    struct vidmm_memory backed; /* records of tables in system memory; `allocate` NULL: `memory` */
    uint64_t chunk;             /* paging by address: bytes of the chunk that is mapped */
    uint64_t chunk_protection;  /* ... and the driver protection by which it is */
    bool chunk_wide;            /* ... and in memory by pages of 64 KiB */
    bool scratch_due;           /* a FlushTlb of the scratch range is due (D-128, W-020) */
    uint32_t scratch_pages[SCRATCHES_WIDE]; /* so many entries of a part are valid, the first */
    uint64_t
        retry_ns;     /* a table got no record of the host's memory: when it is tried again; or 0 */
    uint64_t address; /* obtained by the newest event that asks for some */
};

#endif
