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
#include <vidmm/engine.h>
#include <vidmm/plan.h>

#include "vidmm/object/command_memory.h"
#include "vidmm/object/link.h"
#include "vidmm/object/seen_rules.h"
#include "vidmm/object/slot_table.h"
#include "base/pool.h"

struct vidmm_allocation;
struct vidmm_ddi_above;
struct vidmm_device;
struct vidmm_inside;
struct vidmm_pump_client;
struct vidmm_request;

struct vidmm_segment_view {
    struct vidmm_segment_info info;
    uint8_t *cpu;        /* where the CPU sees a CpuVisible memory segment; NULL: nowhere */
    uint64_t *bank_ends; /* of `info`; ours */
};

/* What each creation asks of the segments, known since the adapter's start. Bit n is segment n + 1,
 * as in SupportedReadSegmentSet. */
struct vidmm_segment_sets {
    uint32_t bridged; /* of AGP type: the GPU's writes may be held back (posted.c) */
    uint32_t apertures;
    uint32_t coherent; /* of these, CacheCoherent */
    uint32_t rows;     /* PitchAlignment */
    uint32_t hidden;   /* memory, not CpuVisible */
    uint32_t windowed; /* memory that the CPU sees: `cpu` of the view is there */
};

struct vidmm_adapter {
    const struct vidmm_host *host;
    struct vidmm_adapter_options options;
    DRIVER_INITIALIZATION_DATA driver; /* what is newer than the miniport is NULL */
    ULONG interface_size;              /* of the callback table */
    uint16_t level;                    /* VIDMM_LEVEL() */
    uint32_t number;                   /* in the table of adapters, for handles */
    uint32_t sources;                  /* video present sources; 0: it only renders */
    HANDLE h_adapter;                  /* MiniportDeviceContext; of a link the lead's */
    DXGK_DRIVERCAPS caps;
    bool multi_engine;

    uint32_t link_count;                   /* physical adapters; 1: it is not linked */
    struct vidmm_link *links[VIDMM_LINKS]; /* by EngineOrdinal; the lead is 0 */
    struct vidmm_link lead;
    struct vidmm_linked_packet *linked; /* packets in flight, in order; NULL: not linked */
    uint32_t linked_count;
    bool build_again;    /* some engine has not built all of it */
    uint32_t call_fails; /* enum vidmm_reason: what Windows stops for, found during the call */

    struct vidmm_segment_view segments[VIDMM_SEGMENTS];
    uint32_t segment_count;
    struct vidmm_segment_sets sets;
    struct vidmm_command_memory own_page; /* in the AGP-type segment; size 0: there is none */
    uint32_t range_count;
    uint64_t range_addresses[VIDMM_SWIZZLING_RANGES]; /* CPUTranslatedAddress of each */
    struct vidmm_allocation *range_owners[VIDMM_SWIZZLING_RANGES]; /* NULL: the driver has it */
    uint32_t range_data[VIDMM_SWIZZLING_RANGES];                   /* PrivateDriverData of each */
    uint32_t paging_segment, paging_size, paging_private_size;
    uint64_t dummy_frame;
    bool has_dummy;

    const struct vidmm_ddi_above *above;    /* what calls up: of the DDI */
    const struct vidmm_pump_client *client; /* ... and of the pump */
    struct vidmm_engine *engine;            /* NULL: StartDevice and what is asked after it go on */
    _Atomic bool known; /* the driver has said what its nodes, messages and displays are */
    struct vidmm_paging_memory paging[VIDMM_PAGING_BUFFERS]; /* by id; 1 is the bootstrap buffer */
    struct vidmm_device *devices;
    struct vidmm_device *system_device;
    HANDLE h_system_context;
    struct vidmm_pool allocation_pool; /* records of allocations */
    struct vidmm_slot_table handles;   /* index + 1 is the engine's id of an allocation or device */
    struct vidmm_slot_table dma_buffers;

    enum vidmm_power power;
    bool resting;          /* somebody has it rest, for a call of level two or three */
    _Atomic uint32_t gate; /* ddi/gate.c: who is in the driver, and whether it is shut */

    /* pump/ */
    bool pumping;
    bool changed;  /* somebody may be waiting for what has happened */
    bool call_due; /* `call` is to be made */
    struct vidmm_operation call;
    struct vidmm_allocation *chores_first, *chores_last;
    struct vidmm_allocation *graves; /* to be destroyed when it is their process's turn (D-055) */
    struct vidmm_inside *inside;
    bool inside_waits; /* somebody was kept out of the driver */
    struct vidmm_request *requests;
    uint32_t next_request;
    bool stopped; /* the engine has said so */
    bool at_rest; /* ... because it was asked to, and all has ended */
    uint32_t stop_reason;
    NTSTATUS stop_status;
    struct vidmm_report stop_report;
    _Atomic uint64_t findings; /* what was done that Windows would not forgive */
    struct vidmm_seen_rules seen;
    uint64_t renames, instances_made, instances_gone; /* so far */
    _Atomic uint32_t overlay_apertures; /* in which an overlay may be; bit n is segment n + 1 */
    _Atomic uint32_t
        crowded_apertures;   /* through which more than 80 percent of one may leave (S0-044) */
    uint64_t deadline_ns;    /* last given to host->set_timer */
    _Atomic uint64_t silent; /* nodes that were reset and not resumed, a bit each */
};

#endif
