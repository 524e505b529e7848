/* adapter.h: an adapter as the rooms around the engine know it. Structures and no more.
 *
 *     client/   what a user-mode driver asks for       handles, blocking, the lock word
 *        |  events
 *     pump/     events to the engine, its plans carried out, one DDI caller at a time
 *        |  operations
 *     ddi/      what the miniport is asked for          DXGKARG_... structures, addresses
 *
 * Locks: the adapter's one mutex (object/mutex.h) guards everything here that is not said to be
 * atomic. No call into the miniport is made with it held. Levels: the miniport's interrupt routine
 * may run at any time and touches `reports` and what is atomic only.
 */
#ifndef VIDMM_OBJECT_ADAPTER_H
#define VIDMM_OBJECT_ADAPTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>

#include "vidmm/object/slot_table.h"
#include "base/pool.h"
#include "base/queue.h"

struct vidmm_allocation;
VIDMM_QUEUE_STRUCT(vidmm_chore_queue, struct vidmm_allocation); /* by `next_chore` */
struct vidmm_ddi_above;
struct vidmm_device;
struct vidmm_engine;
struct vidmm_fence_page;
struct vidmm_fence_waiting;
struct vidmm_update_queue;
struct vidmm_miniport;
struct vidmm_paging_memory;
struct vidmm_process;
struct vidmm_pump;
struct vidmm_pump_client;
struct vidmm_reports;
struct vidmm_reserved_range;
struct vidmm_seen_rules;

/* How a GPU finds memory; physical below 2.0 (ddi/mmu.h). */
enum vidmm_memory_model { VIDMM_MODEL_PHYSICAL, VIDMM_MODEL_GPU_MMU, VIDMM_MODEL_IO_MMU };

struct vidmm_segment_view {
    struct vidmm_segment_info info;
    uint8_t *cpu;           /* where the CPU sees a CpuVisible memory segment; NULL: nowhere */
    uint64_t *bank_ends;    /* of `info`; ours */
    uint32_t invalid_count; /* NumInvalidMemoryRanges */
    struct vidmm_reserved_range *reserved; /* that nothing is placed in; ours */
    uint32_t reserved_count;
    uint64_t host_address;   /* of the CPU host aperture on the bus */
    uint32_t host_pages;     /* 0: it has none that the CPU can use */
    uint32_t host_page_size; /* bytes */
    uint64_t host_size;      /* bytes, as the driver says: SizeInPages */
    uint64_t protected_offset,
        protected_size;      /* of a protected range; whole pages; 0: it has none */
    uint64_t protected_kept; /* bytes behind it that are the driver's */
    uint32_t protected_id;   /* of the part that is the range; the segment's own: it is all of it */
};

/* The sets of segments that each creation asks about, known since the adapter's start. Bit n is
 * segment n + 1, as in SupportedReadSegmentSet. */
struct vidmm_segment_sets {
    uint32_t bridged; /* of AGP type: the GPU's writes may be held back (posted.c) */
    uint32_t apertures;
    uint32_t coherent; /* of these, CacheCoherent */
    uint32_t rows;     /* PitchAlignment */
    uint32_t hidden;   /* memory, not CpuVisible */
    uint32_t windowed; /* memory that the CPU sees: `cpu` of the view is there, or `host_pages` */
    uint32_t hosted;   /* ... by a CPU host aperture */
    uint32_t wide;     /* memory of 64 KiB pages (Use64KBPages, from 2.0 on) */
};

struct vidmm_adapter {
    const struct vidmm_host *host;
    struct vidmm_adapter_options options;
    struct vidmm_miniport *miniport; /* ddi/miniport.h: its functions, caps and physical adapters */
    struct vidmm_pump *pump;         /* pump/state.h */
    struct vidmm_engine *engine;     /* NULL: StartDevice and what is asked after it go on */
    const struct vidmm_ddi_above *above;    /* the DDI's calls up */
    const struct vidmm_pump_client *client; /* ... and of the pump */

    uint32_t interface_version; /* DXGKDDI_INTERFACE_VERSION of the driver */
    uint16_t level;             /* VIDMM_LEVEL() */
    enum vidmm_memory_model model;
    uint32_t number;        /* in the table of adapters, for handles */
    uint32_t link_count;    /* physical adapters; 1: it is not linked */
    uint32_t node_count;    /* 1, if the driver is not MultiEngineAware */
    uint32_t paging_node;   /* the node that paging goes to: obeys D-260 */
    uint64_t highest_frame; /* of a page that the GPUs can address, or VIDMM_ANY_FRAME */

    struct vidmm_segment_view segments[VIDMM_SEGMENTS];
    uint32_t segment_count;
    uint32_t part_count; /* parts of segments, behind them (ddi/memory_range.h) */
    struct vidmm_segment_sets sets;
    uint32_t range_count; /* swizzling ranges */
    const uint64_t
        *range_addresses; /* CPUTranslatedAddress of each; the miniport's record has them */
    uint32_t paging_size, paging_private_size;
    struct vidmm_backing *dummy; /* the dummy page; NULL: it was not made yet */
    bool isolated; /* the IOMMU has a domain, in which is mapped what the GPUs are to reach ... */
    bool remapped; /* ... at logical pages, highest_frame and below ... */
    bool attached; /* ... and they are attached to it */

    /* VIDMM_PAGING_BUFFERS of each physical adapter, by id; 1 is the bootstrap buffer. */
    struct vidmm_paging_memory *paging[VIDMM_LINKS];
    struct vidmm_reports *reports[VIDMM_LINKS]; /* of each physical adapter */
    struct vidmm_device *devices;
    struct vidmm_device *system_device;   /* it has the contexts of paging */
    struct vidmm_process *processes;      /* from 2.0 on */
    struct vidmm_process *gone_processes; /* of which page tables are still to be written */
    struct vidmm_process *system_process; /* of these, the one that pages; NULL: there is none */
    uint32_t last_process;                /* the number that the newest of them was given */
    struct vidmm_pool allocation_pool;    /* records of allocations */
    struct vidmm_slot_table handles; /* index + 1 is the engine's id of an allocation or device */
    struct vidmm_slot_table dma_buffers;
    struct vidmm_slot_table paging_queues; /* of all devices: index + 1 is the id in events */
    struct vidmm_slot_table fences;        /* so are these, without those of paging queues */
    struct vidmm_slot_table fence_waits;   /* of the CPU: index + 1 is the request in events */
    struct vidmm_hw_queue **hw_queues; /* by their node, less node_count; NULL: none, or no such */
    uint32_t hw_queue_count;           /* ... so many places, as many of each node */
    struct vidmm_fence_page *fence_pages;
    struct vidmm_fence_waiting *fence_news;   /* whose end is to be told */
    struct vidmm_update_queue *update_queues; /* of contexts: addresses, behind fences */
    bool updates_due;                         /* one of them may go on */
    bool updates_hold;                        /* they may hold allocations on residency lists */
    enum vidmm_power power;
    struct vidmm_allocation *shown[VIDMM_SOURCES]; /* by video present source; NULL: nothing */
    uint64_t frames[VIDMM_SOURCES];                /* that each has shown so far */

    /* The pump changes these, and the rooms around it look at them. */
    bool pumping;
    bool locked;            /* somebody holds the mutex (object/mutex.h) */
    bool changed;           /* somebody may be waiting for what has happened */
    uint32_t engine_wanted; /* threads in the driver that wait for the engine (A2) */
    struct vidmm_chore_queue chores;
    struct vidmm_allocation *graves; /* to be destroyed when it is their process's turn (D-055) */
    bool inside_waits;               /* somebody was kept out of the driver */
    uint64_t bytes_decommitted;      /* of backing stores, so far (client/decommit.c) */
    uint64_t buried;       /* allocations that the pump has taken out of the world so far, but for
                            * those that were tried */
    uint32_t relief_waits; /* threads that wait for one (pump/relief.c) */
    bool stopped;          /* the engine has said so */
    NTSTATUS stop_status;
    struct vidmm_report stop_report;
    uint32_t suspensions;      /* of processes, so far: the number of the newest */
    _Atomic uint32_t faults;   /* VIDMM_TEST_... */
    _Atomic uint64_t findings; /* breaches that Windows would not forgive */
    struct vidmm_seen_rules *seen;
    uint64_t renames, instances_made, instances_gone; /* so far */
};

#endif
