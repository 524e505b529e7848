/*
 * notices.h: the reports at interrupt time, in a list that needs no lock.
 *
 *     producers (any thread, any level)              consumer (whoever holds the tap's lock)
 *        push ----> [ cell | cell | cell | ... ] ----> pop
 *
 * A bounded ring; each cell carries a turn number that says whose it is: equal to the position for
 * the producer that may fill it, one more for the consumer that may empty it. A producer claims a
 * position by compare-and-swap, fills the cell, then hands it over by the turn. Producers never
 * wait. The consumer waits for a cell that is claimed and not yet filled: a notice that was
 * appended before it looked has to be seen, whichever thread is slow.
 */
#ifndef VIDMM_CONTRACT_NOTICES_H
#define VIDMM_CONTRACT_NOTICES_H

#include <stdatomic.h>
#include <stdbool.h>

#include <wddm/d3dkmddi_completion.h>

#include "wddm/call.h"

#define VIDMM_NOTICES 256 /* a power of two */

/* One call of interrupt time, recorded at its entry only. */
struct vidmm_notice {
    enum vidmm_ddi ddi;
    int irql;
    uint64_t run; /* of the interrupt routine that makes the call; 0: of none */
    HANDLE handle;
    union {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data;         /* NOTIFY_INTERRUPT */
        struct vidmm_ddi_interrupt_routine interrupt; /* INTERRUPT_ROUTINE */
    };
};

struct vidmm_notices {
    struct {
        atomic_size_t turn;
        struct vidmm_notice notice;
    } cells[VIDMM_NOTICES];
    atomic_size_t tail; /* next position to fill */
    size_t head;        /* next position to empty; the consumer's */
};

void vidmm_notices_init(struct vidmm_notices *notices);

/* Append a copy. False: the list is full; nothing has changed. */
bool vidmm_notices_push(struct vidmm_notices *notices, const struct vidmm_notice *notice);

/* Take the oldest. False: there is none. */
bool vidmm_notices_pop(struct vidmm_notices *notices, struct vidmm_notice *notice);

#endif
