/* context.h: a context and its DMA buffers as the rooms around the engine know them. Structures and
 * no more. The adapter's mutex guards what is not said to be atomic.
 */
#ifndef VIDMM_OBJECT_CONTEXT_H
#define VIDMM_OBJECT_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>

#include "vidmm/object/command_memory.h"

struct vidmm_allocation;
struct vidmm_device;
struct vidmm_hw_queue;
struct vidmm_patch_location;
struct vidmm_reference;
struct vidmm_update_queue;
struct vidmm_witness;
struct _D3DDDI_PATCHLOCATIONLIST;
struct _DXGK_ALLOCATIONLIST;

struct vidmm_dma_buffer {
    struct vidmm_command_memory memory;
    struct _DXGK_ALLOCATIONLIST *allocation_list;
    struct vidmm_allocation **allocations; /* of the elements that have one, in their order */
    struct vidmm_reference *references;    /* for the engine, of these; then the context's own */
    uint32_t reference_room;
    uint32_t *element_of;   /* by reference: its element of the allocation list */
    uint32_t *reference_of; /* by element; VIDMM_UNBOUND: it has no allocation */
    struct _D3DDDI_PATCHLOCATIONLIST *patch_list;
    struct vidmm_patch_location *patches; /* the list, for the engine */
    struct vidmm_context *context;
    uint32_t id; /* in events */
    uint32_t list_count, allocation_count, patch_count;
    uint32_t used, private_used; /* bytes */
    uint64_t address;         /* of a context with GPU virtual addresses: where its commands are */
    uint32_t program_private; /* ... and bytes of private data that are the program's */
    uint64_t value;           /* of the context; 0: never used */
    uint64_t progress;        /* in a hardware queue: its id */
    uint32_t fence;           /* ... and that of the engine; 0: it is not submitted */
    bool busy, present;       /* queued or in flight; from DxgkDdiPresent */
    uint32_t primary_count;   /* written primaries: the first of `references` */
    struct vidmm_witness *witness; /* what it may write, if anybody can tell (client/witness.c) */
};

/* A root page table as the miniport was told of it; entries 0: it was told of none. */
struct vidmm_root_table {
    uint32_t segment, entries;
    uint64_t offset; /* in the segment, bytes; of system memory the physical address */
};

struct vidmm_context {
    struct vidmm_device *device;
    struct vidmm_context *next, **link; /* of its device */
    HANDLE h_context;                   /* the miniport's; NULL if it knows no contexts */
    HANDLE h_linked[VIDMM_LINKS];       /* its handles of the engines behind the first */
    uint32_t engine, engines;           /* the first that it runs on; all of them, a bit each */
    uint32_t id;                        /* in events; 0: none yet */
    uint32_t node;
    struct vidmm_root_table root; /* from 2.0 on, of a GPU with page tables */
    bool rooting;                 /* the miniport is being told of it, by whoever pumps */
    uint32_t dma_buffer_count;
    uint32_t allocation_list_size, patch_list_size;
    uint32_t dma_buffer_size;           /* bytes of each; 0: they are not there yet, or no more */
    struct vidmm_update_queue *updates; /* of addresses, behind fences; NULL: none so far */
    struct vidmm_hw_queue *hw;          /* whose lane it is; NULL: it is a context */
    uint32_t companion_node;            /* that the driver has named for its companion */
    bool companion;                     /* it is one, and no program's */
    bool makes_queues;                  /* of it: its commands go to hardware queues alone */
    bool has_fences;                    /* waits or signals have been queued on it */
    bool rendering;                     /* a thread is in vidmm_render() */
    uint64_t next_value;                /* of the next DMA buffer */
    _Atomic uint64_t completed;         /* see vidmm_context_completed() */
    struct vidmm_report *refusal;       /* receives why one of its context allocations was
                                            * refused; NULL: it has been created */
    uint64_t given_up;                  /* the first value that was not executed; 0: none */
    NTSTATUS why;                       /* ... and why not */
    struct vidmm_dma_buffer dma_buffers[]; /* value v is in (v - 1) % dma_buffer_count */
};

#endif
