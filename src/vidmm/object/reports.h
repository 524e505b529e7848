/* reports.h: the ring that the driver of a physical adapter reports into. Structures and no more;
 * ddi/interrupt.h writes it, pump/pump.c reads it.
 */
#ifndef VIDMM_OBJECT_REPORTS_H
#define VIDMM_OBJECT_REPORTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define REPORTS 2048u /* completions that may be waiting to be taken in; a power of two */

/* The reports of the interrupt routine, in order. One writer at a time (D-349), one reader. */
struct vidmm_reports {
    struct vidmm_notice {
        uint32_t node, fence;
        uint32_t last_completed; /* a preemption's */
        uint16_t engine;
        bool preempted, faulted;
        bool signaled;      /* a node has written monitored fences, and `fence` is nothing */
        bool page_faulted;  /* a packet met an address that leads nowhere */
        uint8_t flags;      /* ... VIDMM_FAULT_... */
        bool queue_faulted; /* ... of the hardware queue with this handle and progress id */
        const void *queue;
        uint64_t progress;
        uint64_t address;
        uint8_t fails; /* enum vidmm_reason: a breach that Windows stops for */
    } entries[REPORTS];
    _Atomic uint32_t written, read;
    _Atomic uint64_t lost; /* there was no room: the driver reports without end */
};

#endif
