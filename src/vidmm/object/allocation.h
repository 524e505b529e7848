/* allocation.h: an allocation as the rooms around the engine know it. A structure and no more.
 *
 *     resource (its original, and an opening a device)
 *        |  members
 *     allocation ----> original, of what is shared: engine id, backing store and lock word are its
 *     own
 *        |  renaming
 *     instances, each a record of its own, of which the miniport knows the first
 *
 * The adapter's mutex guards what is not said to be atomic (object/adapter.h).
 */
#ifndef VIDMM_OBJECT_ALLOCATION_H
#define VIDMM_OBJECT_ALLOCATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "vidmm/object/backing.h"
#include "vidmm/object/window.h"

struct vidmm_adapter;
struct vidmm_aperture_address;
struct vidmm_context;
struct vidmm_device;
struct vidmm_renaming;
struct vidmm_resource;

/* So many locks that are all WriteOnly tell what an allocation is for (S0-023). */
#define VIDMM_WRITE_ONLY_ENOUGH 8u

#define CHORE_CLEAR 1u
#define CHORE_DROP 2u
#define CHORE_DESTROY 4u

/* The pages that a lock with UseAlternateVA needs besides (ddi/range.c). */
struct vidmm_alternate {
    struct vidmm_backing backing; /* pages behind the alternate address */
    struct vidmm_allocation_window window;
};

/* One allocation as one device has it open. A shared resource has one more, the original,
 * which belongs to the system device: engine, backing store and lock word are the original's. There
 * are many of them: rarely needed members are behind a pointer. */
struct vidmm_allocation {
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_allocation *original;       /* NULL: this is it */
    struct vidmm_renaming *_Atomic renaming; /* shared by all of its instances; NULL: only itself */
    struct vidmm_resource *resource;         /* the resource that it belongs to; NULL: none */
    union {
        struct vidmm_allocation *sibling; /* the next one of the resource */
        struct vidmm_context
            *context; /* `context_allocation`: its owner; NULL: all of the device */
    };
    struct vidmm_allocation **joined; /* the pointer to it in its resource; NULL: it never joined */
    struct vidmm_allocation *next, **link; /* of its device */
    struct vidmm_allocation *next_chore;
    HANDLE h_allocation;      /* the miniport's; NULL for a buffer */
    HANDLE h_device_specific; /* the miniport's, of this opening */
    struct vidmm_backing backing;
    struct vidmm_backing *instances; /* LinkInstanced: of engines 1 and up; NULL: one for all */
    struct vidmm_allocation_window *window; /* NULL: it was never locked by one */
    struct vidmm_alternate *alternate;      /* NULL: it was never locked by that address */
    /* for MapApertureSegment2; NULL: the driver asked for none */
    struct vidmm_aperture_address *aperture_address;
    void *address;     /* of the last lock */
    uint64_t *written; /* pages that the CPU's locks may have written, a bit each; NULL: none yet */
    /* As the user-mode driver gave it, where more openings may follow; NULL: none, or not kept.
     * `context_allocation`: as the miniport gave it for the newest change. */
    uint8_t *private_data;
    uint32_t private_data_size;
    uint32_t id;
    uint32_t holds;     /* DxgkCbAcquireHandleData: so long it is not destroyed (D-386) */
    uint32_t unused_by; /* destroyed: a device of which no work uses it, by its id; 0: none */
    _Atomic uint64_t word;
    _Atomic uint32_t flags;         /* DXGK_ALLOCATIONINFOFLAGS.Value */
    uint32_t renaming_limit;        /* MaximumRenamingListLength */
    _Atomic uint32_t opening_locks; /* of an opening: those of `word` that are its own */
    uint32_t counted; /* MakeResidents that the engine has not heard of (client/counted.c) */

    /* Known since its creation. To write a bit costs more than to write a byte: the bytes are those
     * that each creation writes. */
    bool primary : 1;
    bool aperture_read : 1, aperture_written : 1; /* an aperture may show it for that */
    bool keeps_copy : 1;                          /* locked in its backing store, wherever it is */
    bool cached : 1;                              /* Cached, and only locks show it to the CPU */
    bool context_allocation : 1;                  /* made by the miniport, for its contexts */
    bool told : 1;   /* the miniport knows the address of its backing store */
    bool shares : 1; /* CPU and GPU find it at that address (object/shared_address.h) */
    bool windowed;   /* may be locked in a memory segment: by its window, that is */
    bool plain;      /* `untracked`, not shared, and a Lock2 notes nothing of it */
    bool local;      /* may live in a memory segment */
    bool bridged;    /* the GPU may write it through an AGP-type segment */
    bool incoherent; /* content that changes hands has to be flushed from the caches */
    bool on_demand;  /* it has an address only while it is locked */
    bool untracked;  /* from WDDM 2.0 on: nobody is told of the GPU's use of it */
    bool over_heap;  /* standard, over a program's memory: the miniport is not told */

    uint8_t physical_adapter;         /* from 2.0 on: of a link, to which it belongs (S1-018) */
    uint8_t chores;                   /* CHORE_... */
    _Atomic uint8_t write_only_locks; /* `cached`: to VIDMM_WRITE_ONLY_ENOUGH */
    _Atomic bool read_back;           /* `cached`: a lock of it was not WriteOnly */
    _Atomic bool offered;             /* and not reclaimed */
    bool may_decommit;                /* ... and its memory may go for good (AllowDecommit) */
    bool decommitted;                 /* ... has gone: it stays offered until it is destroyed */
    _Atomic bool opening;             /* its DxgkDdiOpenAllocation has not returned (W-027) */
    bool written_all;                 /* the CPU's locks may have written every page */
    bool by_alternate;                /* the lock is by the alternate address */
    bool alone;                       /* leaves its resource by itself, before the rest */
    bool in_aperture;                 /* the miniport was told to map it; known to the pump */
    bool opened;                      /* h_device_specific is to be closed */
    bool reserved;        /* `shares`: its address is, in the space of its device's process */
    bool shown;           /* `shares`: its pages are, in each space that has reserved its address */
    bool held_by_changes; /* on its device's list: queued changes of addresses need it */
    bool displayed;       /* a source shows it (client/display.c) */
    bool listed;          /* while vidmm_allocations_destroy() looks for one named twice */
    bool destroyed;       /* by its owner; the engine may still need it */
    bool awaited;         /* ... and `awaited` of its device counts it */
    bool in_chores;       /* something of `chores` is due, or is being done */
    bool gone;            /* a context allocation: the engine has let go of it */
    bool going;           /* the miniport is told that it goes: nobody can hold it any more */
    bool held_back;       /* it would have gone, and is held: it goes when it is let go */
    bool tried;           /* of a creation that failed: its end is no relief (pump/relief.c) */
};

#endif
