/* miniport.h: the miniport below an adapter, as the DDI's room knows it. Structures and no more.
 *
 *     adapter  --miniport-->  driver    its table of functions
 *                             caps      its description of itself
 *                             links     its physical adapters, one or several
 *                             inside    who is in it, and for which process
 *
 * The adapter's mutex guards everything here that is not said to be atomic (object/adapter.h). No
 * room but ddi/ and adapter/ includes this: the others ask ddi/, or find in object/adapter.h the
 * numbers that follow from the caps.
 */
#ifndef VIDMM_DDI_MINIPORT_H
#define VIDMM_DDI_MINIPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <wddm/dispmprt.h>

#include "vidmm/ddi/mmu.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/ddi/table_window.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/context.h"
#include "vidmm/object/reports.h"

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_inside;

/* How the driver of a physical adapter reports, as ddi/interrupt.c judges it. */
struct vidmm_interrupts {
    _Atomic uint32_t reporting; /* threads in DxgkCbNotifyInterrupt */
    _Atomic uint32_t message;   /* of the routine that runs at device level, plus 1; 0: none does */
    _Atomic bool unqueued;      /* it has reported, and has queued no DPC since */
    _Atomic bool owed;          /* a DPC was queued for a report, and has not begun */
    _Atomic bool notified;      /* DxgkCbNotifyDpc was called since the last DPC began */
};

/* One physical adapter: the only one, or one of a link (ddi/link.c). */
struct vidmm_link {
    struct vidmm_adapter *adapter;
    const struct vidmm_host *host; /* its slot's */
    void *physical_device_object;
    HANDLE h_adapter;            /* MiniportDeviceContext */
    DXGKRNL_INTERFACE callbacks; /* DeviceHandle: this record */
    bool started, connected;
    struct vidmm_reports reports;
    struct vidmm_interrupts interrupts;

    /* For a link only. */
    HANDLE h_system_context;
    uint64_t cpu_addresses[VIDMM_SEGMENTS]; /* of its segments, or of their CPU host aperture */
    uint8_t *memory[VIDMM_SEGMENTS]; /* where the CPU sees a segment of it that holds page tables;
                                      * NULL: nowhere */
    uint32_t multipass_offset;       /* of the operation that is being asked for */
    bool built;                      /* it has been answered */
};

/* A packet that was given to the engines of a link. */
struct vidmm_linked_packet {
    uint32_t node, fence;
    uint32_t engines; /* those that have not completed it, a bit each */
};

/* The driver on an IOMMU (ddi/mmu.c). It may refuse either question: then it has said nothing. */
struct vidmm_iommu_caps {
    bool told;                     /* DXGK_IOMMU_CAPS */
    uint32_t value;                /* its Value */
    uint64_t highest[VIDMM_LINKS]; /* HighestVisibleAddress by EngineOrdinal; 0: nothing said */
};

struct vidmm_miniport {
    DRIVER_INITIALIZATION_DATA driver; /* functions newer than the miniport are NULL */
    ULONG interface_size;              /* of the callback table */
    HANDLE h_adapter;                  /* MiniportDeviceContext; of a link the lead's */
    HANDLE h_system_context;
    uint32_t sources; /* video present sources; 0: it only renders */
    DXGK_DRIVERCAPS caps;
    struct vidmm_mmu mmu;              /* from 2.0 on */
    struct vidmm_iommu_caps iommu;     /* from 2.9 on */
    struct vidmm_paging_tables tables; /* of a GPU with page tables */
    struct vidmm_table_pages table_pages;
    struct vidmm_table_window window; /* where the GPU writes tables by address */
    DXGK_PTE *entries;                /* room for those of one table (page_entries.h) */
    uint32_t entry_room;              /* ... so many, twice: DualPteSupported has two arrays */
    struct vidmm_backing zeroes;      /* a page that nobody writes */
    struct vidmm_root_table root;     /* that the context of the next submission is to have */
    uint64_t hw_nodes;                /* with hardware queues, a bit each */
    uint32_t hw_limit;                /* their packets of a node in flight; 0: any number */
    bool refuses_signals;             /* it has answered a SignalMonitoredFence so */
    bool multi_engine;
    _Atomic bool known; /* the driver has said what its nodes, messages and displays are */

    struct vidmm_link *links[VIDMM_LINKS]; /* by EngineOrdinal; the lead is 0 */
    struct vidmm_link lead;
    struct vidmm_linked_packet *linked; /* packets in flight, in order; NULL: not linked */
    uint32_t linked_count;
    bool build_again;    /* some engine has not built all of it */
    uint32_t call_fails; /* enum vidmm_reason: a breach that Windows stops for, found in the call */

    uint32_t paging_segment;                          /* of paging buffers; 0: none */
    uint64_t range_addresses[VIDMM_SWIZZLING_RANGES]; /* CPUTranslatedAddress of each */
    struct vidmm_allocation *range_owners[VIDMM_SWIZZLING_RANGES]; /* NULL: the driver has it */
    uint32_t range_data[VIDMM_SWIZZLING_RANGES];                   /* PrivateDriverData of each */
    _Atomic uint32_t overlay_apertures; /* in which an overlay may be; bit n is segment n + 1 */
    /* Apertures through which more than 80 percent of one allocation may leave (S0-044). */
    _Atomic uint32_t crowded_apertures;
    _Atomic uint64_t silent; /* nodes that were reset and not resumed, a bit each */

    struct vidmm_inside *inside; /* ddi/turn.c: the threads in the driver, by process */
    _Atomic uint32_t gate;       /* ddi/gate.c: the threads in the driver, and whether it is shut */
};

#endif
