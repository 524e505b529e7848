/*
 * tap.h: the tap itself, as its two sources share it.
 *
 * tap_slots.c has the functions that take the place of the miniport's and the manager's: one set
 * for each of VIDMM_TAPS slots, since nothing in their arguments says which tap is meant. tap.c has
 * what they all do: record, judge, log.
 *
 * Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_TAP_H
#define VIDMM_CONTRACT_TAP_H

#include <pthread.h>

#include <wddm/dispmprt.h>

#include "contract/audit.h"
#include "contract/notices.h"

struct vidmm_tap {
    int slot;
    const struct vidmm_level *level;
    DRIVER_INITIALIZATION_DATA driver;  /* the miniport's functions */
    DRIVER_INITIALIZATION_DATA wrapped; /* ours, in front of them */
    DXGKRNL_INTERFACE kernel;           /* the manager's functions, from StartDevice */
    DXGKRNL_INTERFACE wrapped_kernel;   /* ours, in front of them */
    unsigned adapters; /* physical ones between AddDevice and RemoveDevice. Under the lock */

    struct vidmm_notices notices;
    pthread_mutex_t lock; /* of all that follows; never held while a call is inside either side */
    struct vidmm_audit audit;
    atomic_uint_least64_t runs; /* of the interrupt routine so far; any thread */
    uint64_t sequence;
    uint64_t open_line; /* record whose line of the log has no end yet; 0: none */
};

/* Large enough for a copy of any argument struct that the driver may change. */
union vidmm_tap_argument {
    DXGKARG_BUILDPAGINGBUFFER build;
    DXGKARG_RENDER render;
    DXGKARG_PRESENT present;
    DXGKARG_CREATECONTEXT context;
    unsigned char bytes[384];
};

/* One call on its way: lives on the caller's stack. */
struct vidmm_tap_frame {
    struct vidmm_tap *tap;
    struct vidmm_ddi_record record;
    struct vidmm_audit_event event;
    union vidmm_tap_argument before;
};

/* Record that a call is about to be made, and that it has returned; the second answers `status`.
 * `argument` as in struct vidmm_ddi_record. */
void vidmm_tap_enter(struct vidmm_tap *tap, struct vidmm_tap_frame *frame, enum vidmm_ddi ddi,
                     HANDLE handle, const void *argument);
NTSTATUS vidmm_tap_leave(struct vidmm_tap_frame *frame, NTSTATUS status);

/* Record a call of interrupt time. Takes no lock, unless the list is full. */
void vidmm_tap_notice(struct vidmm_tap *tap, enum vidmm_ddi ddi, HANDLE handle,
                      const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data, ULONG message);

/* Record that the interrupt routine is called, and that what the thread does until the end is its
 * doing. begin answers what end is given. */
uint64_t vidmm_tap_begin_interrupt(struct vidmm_tap *tap, HANDLE handle, ULONG message);
void vidmm_tap_end_interrupt(uint64_t outer);

/* Record a callback (DDI_ASIDE) if the interrupt routine makes it; takes no lock. */
void vidmm_tap_aside(struct vidmm_tap *tap, enum vidmm_ddi ddi);

/* Begin and end to watch an adapter. begin: false, another is watched. */
bool vidmm_tap_begin_adapter(struct vidmm_tap *tap);
void vidmm_tap_end_adapter(struct vidmm_tap *tap);

/* Take a free slot for the tap and fill tap->wrapped; false: there is none. */
bool vidmm_tap_take_slot(struct vidmm_tap *tap);
void vidmm_tap_release_slot(struct vidmm_tap *tap);

/* Fill tap->wrapped_kernel in front of tap->kernel. */
void vidmm_tap_wrap_kernel(struct vidmm_tap *tap);

#endif
