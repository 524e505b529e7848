/* allocation.h: an allocation as the two faces know it, and what it belongs to.
 *
 *     resource (its original, and an opening a device)
 *        |  members
 *     allocation ----> original, of what is shared: engine id, backing store and lock word are its
 *     own
 *        |  renaming
 *     instances, each a record of its own, of which the miniport knows the first
 *
 * The adapter's mutex guards what is not said to be atomic (object/adapter.h, which includes this).
 */
#ifndef VIDMM_OBJECT_ALLOCATION_H
#define VIDMM_OBJECT_ALLOCATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/resource.h>

#include "vidmm/object/backing.h"
#include "vidmm/object/window.h"

struct vidmm_context;
struct vidmm_dma_buffer;
struct vidmm_request;

/* The lock word of an allocation: changed by compare-and-swap only. */
#define WORD_LOCKS UINT64_C(0xffff)     /* locks that the CPU holds */
#define WORD_BUSY_ONE UINT64_C(0x10000) /* one DMA buffer that names it, not yet retired */
#define WORD_BUSY (UINT64_C(0xffffff) << 16)
#define WORD_OPEN_BACKING (UINT64_C(1) << 40) /* `address` is right: the backing store */
#define WORD_OPEN_SEGMENT (UINT64_C(1) << 41) /* `address` is right: a place in a memory segment */
#define WORD_WANTED (UINT64_C(1) << 42)       /* a claim failed: the last unlock tells the engine */
#define WORD_COPY (UINT64_C(1) << 44)      /* a segment has a copy: the last unlock refreshes it */
#define WORD_FOLLOWED (UINT64_C(1) << 43)  /* `address` is right; touching it may wait for a move */
#define WORD_CPU_WROTE (UINT64_C(1) << 50) /* the caches may hold what memory lacks */
#define WORD_APERTURE                                                                              \
    (UINT64_C(1) << 52)                 /* the lock is one with AcquireAperture, and the only one */
#define WORD_RANGED (UINT64_C(1) << 53) /* ... by a swizzling range: its unlock tells the engine */
#define WORD_ALTERNATE (UINT64_C(1) << 54) /* ... for an alternate address */
#define WORD_GPU_WROTE (UINT64_C(1) << 51) /* memory may hold what the caches hide */

#define CHORE_CLEAR 1u
#define CHORE_DROP 2u
#define CHORE_DESTROY 4u

/* What a lock with UseAlternateVA needs of an allocation besides (ddi/range.c). */
struct vidmm_alternate {
    struct vidmm_backing backing; /* pages behind the alternate address */
    struct vidmm_allocation_window window;
};

/* One allocation as one device has it open. Of a shared resource there is one more, the original,
 * which belongs to the system device: engine, backing store and lock word are the original's. There
 * are many of them: what few need is behind a pointer. */
struct vidmm_allocation {
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_allocation *original; /* NULL: this is it */
    struct vidmm_renaming
        *_Atomic renaming;           /* its instances, of each the same; NULL: only itself */
    struct vidmm_resource *resource; /* that it belongs to; NULL: none */
    union {
        struct vidmm_allocation *sibling; /* the next one of the resource */
        struct vidmm_context
            *context; /* `context_allocation`: whose it is; NULL: all of the device */
    };
    struct vidmm_allocation **joined; /* what points to it in its resource; NULL: it never joined */
    struct vidmm_allocation *next, **link; /* of its device */
    struct vidmm_allocation *next_chore;
    HANDLE h_allocation;      /* the miniport's; NULL for a buffer */
    HANDLE h_device_specific; /* the miniport's, of this opening */
    struct vidmm_backing backing;
    struct vidmm_backing *instances; /* LinkInstanced: of engines 1 and up; NULL: one for all */
    struct vidmm_allocation_window *window; /* NULL: it was never locked by one */
    struct vidmm_alternate *alternate;      /* NULL: it was never locked by that address */
    void *address;                          /* of the last lock */
    uint64_t *written; /* pages that the CPU's locks may have written, a bit each; NULL: none yet */
    /* As the user-mode driver gave it, where more openings may follow; NULL: none, or not kept. */
    uint8_t *private_data;
    uint32_t private_data_size;
    uint32_t id;
    _Atomic uint64_t word;
    uint32_t flags;                 /* DXGK_ALLOCATIONINFOFLAGS.Value */
    uint32_t renaming_limit;        /* MaximumRenamingListLength */
    _Atomic uint32_t opening_locks; /* of an opening: those of `word` that are its own */

    /* Known since its creation. */
    bool primary : 1;
    bool local : 1;      /* may live in a memory segment */
    bool bridged : 1;    /* the GPU may write it through an AGP-type segment */
    bool incoherent : 1; /* content that changes hands has to be flushed from the caches */
    bool aperture_read : 1, aperture_written : 1; /* an aperture may show it for that */
    bool on_demand : 1;                           /* it has an address only while it is locked */
    bool keeps_copy : 1;                          /* locked in its backing store, wherever it is */
    bool windowed : 1;           /* may be locked in a memory segment: by its window, that is */
    bool context_allocation : 1; /* made by the miniport, for its contexts */

    uint8_t chores;       /* CHORE_... */
    _Atomic bool offered; /* and not reclaimed */
    bool written_all;     /* the CPU's locks may have written every page */
    bool by_alternate;    /* the lock is by the alternate address */
    bool alone;           /* leaves its resource by itself, before the rest */
    bool opened;          /* h_device_specific is to be closed */
    bool destroyed;       /* by its owner; the engine may still need it */
    bool in_chores;       /* something of `chores` is due, or is being done */
    bool gone;            /* a context allocation: the engine has let go of it */
};

/* The instances of an allocation that a lock with Discard has renamed: each a record of its own,
 * with backing store, lock word and engine id, of which the miniport knows the first.
 * client/instance.c says what holds. */
enum vidmm_instance_state {
    VIDMM_INSTANCE_READY,
    VIDMM_INSTANCE_TAKEN,  /* it is being made, or locked for a discard, or let go of */
    VIDMM_INSTANCE_ASLEEP, /* a record without memory, which the engine does not know */
};

struct vidmm_instance {
    struct vidmm_allocation *allocation;
    uint64_t turn; /* of the discard that gave it, from 1 on; 0: none did */
    enum vidmm_instance_state state;
};

struct vidmm_renaming {
    struct vidmm_allocation *first; /* instances[0], which the miniport has created */
    struct vidmm_instance *instances;
    uint32_t count, room;
    uint32_t newest;     /* number of the instance that the last discard gave */
    uint64_t turns;      /* of the newest */
    uint64_t referenced; /* the newest turn that a DMA buffer names: older ones are retired */
    uint64_t walked;     /* ... that a patch location names, while a list is looked at */
    uint32_t surplus;    /* discards in a row that found more idle instances than one */
    uint32_t leaving;    /* instances that the engine is to let go of, and the record with them */
    bool dying, first_gone;
};

/* Allocations that belong together, as one device has them open; of a shared one there is an
 * original too (struct vidmm_allocation). */
struct vidmm_resource {
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_resource *next, **link; /* of its device */
    struct vidmm_resource *original;     /* NULL: this is it */
    struct vidmm_allocation *members;
    struct vidmm_allocation **end; /* of these, where the next one joins; not of an opening */
    HANDLE h_resource;             /* the miniport's */
    uint64_t process;              /* that created it */
    uint32_t id;                   /* in the adapter's handles; 0: none yet */
    uint32_t count;                /* members */
    uint32_t pending;              /* that the engine is to let go of, before the resource can go */
    uint32_t openings;             /* of an original */
    HANDLE *handles; /* room for as many as `room`, for the calls that close and destroy */
    uint32_t room;
    bool shared, primary;
    bool created; /* the miniport knows it */
    bool emptied; /* its last allocation was freed alone */
    bool dying;
    uint32_t private_data_size;
    _Alignas(16) uint8_t private_data[]; /* as above */
};

/* ---- client/lock.c, client/lock_flags.c: the lock word --------------------------------------- */

/* Refuse a lock by its arguments alone (client/lock_flags.c). */
NTSTATUS vidmm_lock_check(const struct vidmm_lock_arguments *arguments,
                          struct vidmm_report *report);
/* Why a lock was refused with this status. */
const char *vidmm_lock_why_not(const struct vidmm_allocation *allocation, NTSTATUS status);
/* Lock it, as the flags say that it is waited for. */
NTSTATUS vidmm_lock_one(struct vidmm_allocation *allocation, uint32_t flags);
/* A lock request is answered; the mutex is held. */
void vidmm_lock_granted(struct vidmm_request *request);
/* How a claim ends: enum vidmm_claim. The mutex is held. */
uint32_t vidmm_lock_word_claim(struct vidmm_allocation *allocation);
/* The claim that follows is over; the mutex is held. */
void vidmm_lock_shown(struct vidmm_allocation *allocation, struct vidmm_place place, uint32_t range,
                      bool alternate);
/* Unlock what is still locked of it, and note that the program did not. */
void vidmm_unlock_all(struct vidmm_allocation *opened);
/* The adapter has stopped: let nobody wait for a move that will not end. The mutex is held. */
void vidmm_lock_abandon(struct vidmm_adapter *adapter);

/* A DMA buffer names the allocation. *locked: the CPU holds a lock, so an aperture has to show it;
 * false: it does, and none may (D-160). Any thread. */
bool vidmm_lock_word_use(struct vidmm_allocation *allocation, bool write, bool *locked);
/* No lock is granted without the engine from here on. False: it is locked. The mutex is held. */
bool vidmm_lock_word_close(struct vidmm_allocation *allocation);
void vidmm_lock_word_unuse(struct vidmm_allocation *allocation);
/* The device is removed: every further lock asks the engine, and is refused. The mutex is held. */
void vidmm_lock_close(struct vidmm_device *device);

/* ---- client/context_allocation.c: allocations of contexts ------------------------------------ */

/* What DxgkCbCreateContextAllocation and DxgkCbDestroyContextAllocation ask for. Passive level, the
 * mutex is not held. */
NTSTATUS vidmm_context_allocation_create(struct vidmm_adapter *adapter,
                                         DXGKARGCB_CREATECONTEXTALLOCATION *arguments);
NTSTATUS vidmm_context_allocation_destroy(struct vidmm_adapter *adapter, HANDLE handle);
/* The miniport's context is gone (NULL: the whole device): what it has left behind goes too. May
 * wait. */
void vidmm_context_allocations_leave(struct vidmm_device *device,
                                     const struct vidmm_context *context);
/* Add to a DMA buffer's references what its context needs besides; *count receives how many there
 * are. False: no memory. The mutex is held. */
bool vidmm_context_allocations_refer(struct vidmm_dma_buffer *dma_buffer, uint32_t *count);

/* ---- cache.c: the processor's caches, where a device does not see them ----------------------- */

/* Whether the manager has to flush for it: S0-019, S0-032. */
bool vidmm_cache_is_incoherent(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish,
                               const struct vidmm_backing *backing);
/* The GPU is about to use what the CPU may have written, by a DMA buffer or a transfer. */
void vidmm_cache_give(struct vidmm_allocation *allocation, bool gpu_writes);
/* The CPU is about to use what the GPU may have written. */
void vidmm_cache_take(struct vidmm_allocation *allocation);

/* ---- client/group.c: allocations that are created, opened, closed and destroyed together ----- */

/* What one call of DxgkDdiCreateAllocation is about. */
struct vidmm_group {
    struct vidmm_device *device;     /* that they belong to */
    struct vidmm_resource *resource; /* NULL: none */
    const struct vidmm_description *descriptions;
    uint32_t count;
    struct vidmm_allocation **allocations; /* receives them; room for `count` */
    struct vidmm_report *report;
};

/* Create them, in the driver and the engine; those of a shared resource are not opened. Refused:
 * nothing is left of them. */
NTSTATUS vidmm_group_create(const struct vidmm_group *group);
/* DxgkDdiOpenAllocation for a device; of each opening, allocations[n], the original is there, or it
 * is its own. Refused: nothing is open. */
NTSTATUS vidmm_group_open(struct vidmm_device *device, struct vidmm_allocation **allocations,
                          uint32_t count, bool create, struct vidmm_report *report);
/* DxgkDdiCloseAllocation for those members that are open. Inside the process's turn. */
void vidmm_group_close(struct vidmm_resource *resource);
/* Room for the handles of `count` members. False: no memory. Inside the process's turn. */
bool vidmm_resource_reserve(struct vidmm_resource *resource, uint32_t count);
/* A record that stands in no list, with a number and nothing else. NULL: no memory. */
struct vidmm_allocation *vidmm_allocation_record(struct vidmm_device *device);
/* One of the manager's own, which no program can name, in the list of the device, so that what the
 * engine says of it finds its MDL. NULL: no memory. The mutex is not held. */
struct vidmm_allocation *vidmm_allocation_own_record(struct vidmm_device *device);
/* The same, with what the description says of it. Its private data is copied to `room` (16-byte
 * aligned), which stays the caller's, or if that is NULL into a block of its own. */
struct vidmm_allocation *vidmm_allocation_make(struct vidmm_device *device,
                                               const struct vidmm_description *description,
                                               uint8_t *room);
/* A number for a record that has none. False: no memory. The mutex is held. */
bool vidmm_allocation_number(struct vidmm_allocation *allocation);
/* By which the miniport asks for it (DxgkCbGetHandleData). */
uint32_t vidmm_allocation_handle(const struct vidmm_allocation *allocation);
/* The process for which the driver is called about it. */
uint64_t vidmm_allocation_process(const struct vidmm_allocation *allocation);
/* The engine has let go of it: it goes, or its resource with it. Inside its process's turn. */
void vidmm_allocation_gone(struct vidmm_allocation *allocation);
/* Have the engine let go of it. */
void vidmm_allocation_let_go(struct vidmm_allocation *allocation);
/* All members of a resource that dies are let go of: nothing of it is left. Inside the process's
 * turn. */
void vidmm_resource_gone(struct vidmm_resource *resource);

static inline struct vidmm_allocation *vidmm_original(struct vidmm_allocation *allocation)
{
    return allocation->original ? allocation->original : allocation;
}

/* ---- client/instance.c, client/rename.c: instances of an allocation -------------------------- */

static inline struct vidmm_renaming *vidmm_renaming_of(const struct vidmm_allocation *allocation)
{
    return atomic_load_explicit(&allocation->renaming, memory_order_acquire);
}

/* The one that the miniport has created, of an allocation's instances. */
static inline struct vidmm_allocation *vidmm_instance_first(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);

    return renaming ? renaming->first : allocation;
}

/* The one that the last discard gave. The mutex is held. */
struct vidmm_allocation *vidmm_instance_newest(struct vidmm_allocation *allocation);
/* Whether a newer one was referenced, so that it may not be any more (D-172). The mutex is held. */
bool vidmm_instance_is_retired(const struct vidmm_allocation *allocation);
/* Room for one more in the list, the first time for the allocation itself too: TAKEN, perhaps
 * without memory. SIZE_MAX: no memory. The mutex is held. */
size_t vidmm_instance_reserve(struct vidmm_allocation *allocation);
/* Give what is reserved its memory, and tell the engine. Refused: it is asleep. */
NTSTATUS vidmm_instance_wake(struct vidmm_renaming *renaming, size_t index);
/* Have the engine let go of one that is TAKEN; it is asleep then. Not the first. */
void vidmm_instance_let_go(struct vidmm_renaming *renaming, size_t index);
/* The same with all but the first, for good. */
void vidmm_instances_let_go(struct vidmm_allocation *allocation);
/* The engine has let go of the allocation. False: of nothing that was renamed, or of the first,
 * behind all others. Inside its process's turn. */
bool vidmm_instance_gone(struct vidmm_allocation *allocation);
/* The adapter has stopped: give back all but the first. */
void vidmm_instances_abandon(struct vidmm_device *device);

/* Lock with Discard: arguments->allocation becomes the instance that is locked (rename.c). */
NTSTATUS vidmm_rename_lock(struct vidmm_lock_arguments *arguments, struct vidmm_report *report);
/* Whether a discard may give another instance of it: obeys D-171. */
bool vidmm_rename_may(const struct vidmm_allocation *allocation);
/* Hold the references of a command buffer, or the patch locations of a DMA buffer, against
 * D-172. */
NTSTATUS vidmm_rename_check(const struct vidmm_render_reference *references, uint32_t count,
                            struct vidmm_report *report);
NTSTATUS vidmm_rename_check_patches(struct vidmm_dma_buffer *dma_buffer,
                                    struct vidmm_report *report);
/* The DMA buffer is queued: what is older than what it names is retired. */
void vidmm_rename_referenced(const struct vidmm_dma_buffer *dma_buffer);

/* What client/allocation.c knows: check and take over what the miniport described. */
NTSTATUS vidmm_allocation_accept(struct vidmm_allocation *allocation, DXGK_ALLOCATIONINFO *info,
                                 struct vidmm_wish *wish, struct vidmm_report *report);
/* Its backing store: pages, or the memory of the description. */
NTSTATUS vidmm_allocation_back(struct vidmm_allocation *allocation, const struct vidmm_wish *wish,
                               const struct vidmm_description *description,
                               struct vidmm_report *report);
/* What a program is told for what the driver answered to DxgkDdiCreateAllocation. */
NTSTATUS vidmm_allocation_status(struct vidmm_adapter *adapter, NTSTATUS status);
/* Tell why; answers the status. */
NTSTATUS vidmm_allocation_refuse(struct vidmm_report *report, NTSTATUS status, const char *what,
                                 uint64_t value);

/* Put it into the list of its device, which waits for it before it goes. The mutex is held. */
void vidmm_allocation_link(struct vidmm_allocation *allocation);
/* Give back what it has but its record: window, backing store, number. */
void vidmm_allocation_empty(struct vidmm_allocation *allocation);
/* Give all records of a destroyed allocation back. */
void vidmm_allocation_free(struct vidmm_allocation *allocation);

#endif
