/* link.h: a physical adapter as the rooms around the engine know it, with the ring that its driver
 * reports into. Structures and no more; ddi/link.h and ddi/interrupt.c say what holds.
 */
#ifndef VIDMM_OBJECT_LINK_H
#define VIDMM_OBJECT_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/host.h>
#include <wddm/d3dkmddi.h>

struct vidmm_adapter;
struct vidmm_paging_memory;

#define REPORTS 2048u /* completions that may be waiting to be taken in; a power of two */

/* The reports of the interrupt routine, in order. One writer at a time (D-349), one reader. */
struct vidmm_reports {
    struct vidmm_notice {
        uint32_t node, fence;
        uint32_t last_completed; /* a preemption's */
        uint16_t engine;
        bool preempted, faulted;
        uint8_t fails; /* enum vidmm_reason: what Windows stops for */
    } entries[REPORTS];
    _Atomic uint32_t written, read;
    _Atomic uint64_t lost; /* there was no room: the driver reports without end */
};

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

    /* For a link only; the lead's paging buffers are the adapter's. */
    struct vidmm_paging_memory *paging; /* VIDMM_PAGING_BUFFERS of them, by id */
    HANDLE h_system_context;
    uint32_t multipass_offset; /* of the operation that is being asked for */
    bool built;                /* it has been answered */
};

/* A packet that was given to the engines of a link. */
struct vidmm_linked_packet {
    uint32_t node, fence;
    uint32_t engines; /* that have not completed it, a bit each */
};

#endif
