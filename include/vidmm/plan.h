/* plan.h: the input of the manager's engine, and its output.
 *
 *     event --> vidmm_step() --> plan, an array of operations
 *
 * An event is something that happened: a request of a user-mode driver, or the answer to an
 * operation. An operation is something to do, in the documents' own terms. Both hold ids and
 * numbers only, no pointer of the host, so a run is a list of events that can be written to a file
 * and stepped again to the same list of operations, byte for byte.
 *
 * Ids of allocations, devices, DMA buffers and requests count from 1; 0 is none. Sizes and offsets
 * are bytes. A segment id counts from 1 as the documents do; segment 0 is system memory. An offset
 * in a segment counts from its start: the face adds the BaseAddress.
 */
#ifndef VIDMM_PLAN_H
#define VIDMM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_SEGMENTS 32u /* ids 0..31: five bits wherever the interface names one (D-005) */
#define VIDMM_NODES 64u    /* D-295 */

struct vidmm_place {
    uint32_t segment; /* 0: system memory, by MDL */
    uint32_t reserved;
    uint64_t offset; /* from the start of the segment; for segment 0 from the start of the MDL */
};

#define VIDMM_REFERENCE_WRITES 1u /* WriteOperation */
#define VIDMM_REFERENCE_LOCKED 2u /* the CPU holds a lock, so an aperture has to show it (D-160) */
#define VIDMM_REFERENCE_OWNED 4u  /* its context's own, which no list shows: every part needs it */

/* An allocation in a DMA buffer's allocation list. The patch locations say which have to be in
 * place (W-025); all of them count as used. */
struct vidmm_reference {
    uint32_t allocation;
    uint32_t write; /* VIDMM_REFERENCE_... */
};

/* A point of a DMA buffer that binds an allocation: D3DDDI_PATCHLOCATIONLIST, as the engine needs
 * it. From `split_offset` on its slot holds the allocation, until another location takes the
 * slot. */
struct vidmm_patch_location {
    uint32_t reference; /* index into the references; VIDMM_UNBOUND: the slot is emptied (D-338) */
    uint32_t slot;      /* SlotId */
    uint32_t split_offset; /* bytes from the start of the DMA buffer */
};

#define VIDMM_UNBOUND UINT32_MAX

/* ---- events ---------------------------------------------------------------------------------- */

enum vidmm_event_kind {
    VIDMM_EVENT_CREATE_DEVICE = 1,
    VIDMM_EVENT_DESTROY_DEVICE, /* its allocations and DMA buffers are gone already */
    VIDMM_EVENT_CREATE_ALLOCATION,
    VIDMM_EVENT_DESTROY_ALLOCATION,
    VIDMM_EVENT_SUBMIT,  /* a DMA buffer with its allocation list joins the queue */
    VIDMM_EVENT_PIN,     /* a buffer without hAllocation: into an aperture, until destroyed */
    VIDMM_EVENT_LOCK,    /* the slow path: the face could not grant it by itself */
    VIDMM_EVENT_REFRESH, /* the CPU has written the backing store of what keeps a copy there */
    VIDMM_EVENT_UNLOCK,  /* the last lock of an allocation on which a claim had failed */
    VIDMM_EVENT_PAGING_BUFFERS, /* paging buffers first .. first + count - 1 are usable */
    VIDMM_EVENT_CLAIMED,        /* answer to VIDMM_DO_CLAIM */
    VIDMM_EVENT_BUILT,          /* answer to VIDMM_DO_BUILD */
    VIDMM_EVENT_SUBMITTED,      /* answer to VIDMM_DO_SUBMIT and VIDMM_DO_SUBMIT_PAGING */
    VIDMM_EVENT_FENCE,          /* everything on `node` up to `fence` is complete */
    VIDMM_EVENT_TICK,           /* time has passed */
    VIDMM_EVENT_EVICT_ALL,      /* everything leaves its segment, pinned or not: VIDMM_DO_GRANT */
    VIDMM_EVENT_STOP,           /* finish what is in flight, take no more */
    VIDMM_EVENT_PREEMPTED,      /* `node` has stopped: none behind `last_completed` was run */
    VIDMM_EVENT_RECOVERED,      /* answer to VIDMM_DO_QUERY_FENCE .. VIDMM_DO_RESTART */
    VIDMM_EVENT_OFFER,          /* the program does without the content for now */
    VIDMM_EVENT_RECLAIM,        /* and wants it again */
    VIDMM_EVENT_PRIORITY,       /* a new priority */
    VIDMM_EVENT_REST,         /* everything leaves but what is preserved, nothing is begun: GRANT */
    VIDMM_EVENT_RESUME,       /* the power is back, or the rest is not waited for any more: GRANT */
    VIDMM_EVENT_FAIL,         /* the driver has done what Windows stops for: STOPPED */
    VIDMM_EVENT_RANGED,       /* answer to VIDMM_DO_ACQUIRE_RANGE and VIDMM_DO_RELEASE_RANGE */
    VIDMM_EVENT_READ_SEGMENT, /* the raw bytes of a range of a memory segment, into pages: GRANT */
    VIDMM_EVENT_ABANDON, /* a context ends while there is no power: its queued work is not run */
    /* These are of engines with explicit residency. */
    VIDMM_EVENT_JOIN, /* a device belongs to a process, which has budgets */
    VIDMM_EVENT_CREATE_PAGING_QUEUE,
    VIDMM_EVENT_DESTROY_PAGING_QUEUE, /* its queued works go on, and nobody is told */
    VIDMM_EVENT_MAKE_RESIDENT,        /* onto the list of the queue's device: pending, or at once */
    VIDMM_EVENT_EVICT,                /* off the list of the device */
    VIDMM_EVENT_RECLAIM_QUEUED,       /* RECLAIM, and allocations on the list come back: pending */
    VIDMM_EVENT_BUDGET,               /* bytes that a process may have resident */
    VIDMM_EVENT_RESERVE,              /* bytes that it has at any rate */
    VIDMM_EVENT_TRIM,                 /* the time for a periodic trim: VIDMM_DO_TRIM */
    VIDMM_EVENT_UPDATE_PROPERTY,      /* other segments for an allocation: pending */
    /* Monitored fences, of engines with explicit residency. */
    VIDMM_EVENT_CREATE_FENCE,
    VIDMM_EVENT_DESTROY_FENCE,
    VIDMM_EVENT_SIGNAL_FENCES,   /* by the CPU: VIDMM_DO_WRITE_FENCE of each */
    VIDMM_EVENT_WAIT_FENCES,     /* by the CPU: at once, or STATUS_PENDING and VIDMM_DO_WAITED */
    VIDMM_EVENT_QUEUE_WAIT,      /* in a context's queue: what is queued behind it waits */
    VIDMM_EVENT_QUEUE_SIGNAL,    /* in a context's queue: behind what was queued before */
    VIDMM_EVENT_FENCES_SIGNALED, /* a node has written fences: MONITORED_FENCE_SIGNALED */
    VIDMM_EVENT_FENCE_READ,      /* answer to VIDMM_DO_READ_FENCE */
    VIDMM_EVENT_FAULT,           /* a packet met an address that leads nowhere: its device fails */
    /* These are of engines with a GPU MMU. */
    VIDMM_EVENT_CREATE_PROCESS,  /* an address space, and page tables for it */
    VIDMM_EVENT_DESTROY_PROCESS, /* its devices are gone already; its tables follow */
    VIDMM_EVENT_RESERVE_ADDRESSES,
    VIDMM_EVENT_MAP_ADDRESSES,
    VIDMM_EVENT_UPDATE_ADDRESSES, /* of a reservation: another meaning, or that of others */
    VIDMM_EVENT_FREE_ADDRESSES,
    VIDMM_EVENT_DESTROY_AT_ONCE, /* no work of the device uses it: VIDMM_EVENT_DESTROY_ALLOCATION */
    VIDMM_EVENT_HOST_ANSWERED,   /* answer to VIDMM_DO_MAP_HOST and VIDMM_DO_UNMAP_HOST */
    VIDMM_EVENT_UPDATE_CONTEXT,  /* the driver changes a context allocation's content: GRANT */
    VIDMM_EVENT_HOLD,            /* no eviction takes it off the list of the device; or no more */
    VIDMM_EVENT_DISPLAY, /* a primary is displayed from here on, or no more: GRANT, and its place */
    VIDMM_EVENT_ROOT_SET,   /* answer to VIDMM_DO_SET_ROOT */
    VIDMM_EVENT_PAGE_OUT,   /* allocations leave for system memory, whoever lists them: GRANT */
    VIDMM_EVENT_COMPANION,  /* changes of addresses by a paging queue run on a context of its own */
    VIDMM_EVENT_SET_FAULTS, /* what a test has the engine do from here on */
    VIDMM_EVENT_SUSPEND_DEVICE, /* what its contexts have queued waits, and what they will */
    VIDMM_EVENT_RESUME_DEVICES, /* ... of all devices that were suspended by a number: it goes on */
    VIDMM_EVENT_COMPACT,        /* what a segment has moves towards one end of it: GRANT */
    VIDMM_EVENT_DISCARD,        /* what is offered loses its content, if it may now */
    VIDMM_EVENT_DELAY, /* a paging queue rests for a time, behind what it was asked before */
    VIDMM_EVENT_EVICTION_DELAY, /* what lists give up leaves so much later, from here on */
    VIDMM_EVENT_TRIM_INTERVALS, /* devices are asked for periodic trims by the clock */
    VIDMM_EVENTS,               /* kinds are below this */
};

/* Why even pinned allocations are evicted (S0-042). */
enum vidmm_exception {
    VIDMM_EXCEPTION_RESET = 1, /* timeout detection and recovery */
    VIDMM_EXCEPTION_STOP,      /* PnP stop */
    VIDMM_EXCEPTION_LEVEL_THREE,
};

/* States of an adapter's power. */
enum vidmm_power {
    VIDMM_POWER_D0, /* at work */
    VIDMM_POWER_D3, /* off, while the system is on: no segment is preserved */
    VIDMM_POWER_STANDBY,
    VIDMM_POWER_HIBERNATE,
    VIDMM_POWER_HYBRID_SLEEP, /* standby that may become hibernation */
};

/* Flags of a wish whose own bits mean something else at 1.x, and those of the engine alone. */
#define VIDMM_WISH_NO_LARGE_PAGES 0x80000000u    /* DisableLargePageMapping */
#define VIDMM_WISH_APERTURE_ADDRESS 0x40000000u  /* MapApertureCpuVisible, AccessedPhysically */
#define VIDMM_WISH_PRIMARY 0x20000000u           /* it lies in one piece, for the display (D-022) */
#define VIDMM_WISH_NOTIFIES_EVICTION 0x10000000u /* NotifyEviction: before it leaves an aperture */
#define VIDMM_WISH_DISPLAYED 0x08000000u         /* it stays where it is (VIDMM_EVENT_DISPLAY) */
#define VIDMM_WISH_SHARES_ADDRESS 0x04000000u    /* the GPU finds it by the CPU's page tables */
#define VIDMM_WISH_NOTIFIES_UNMAP 0x02000000u    /* NotifyIoMmuUnmap: ... unmapped for the IOMMU */
#define VIDMM_WISH_ELSEWHERE 0x01000000u         /* of a link's other adapter: no host aperture */
#define VIDMM_WISH_STORE_64K 0x00800000u         /* its backing store is mapped by 64 KiB pages */
#define VIDMM_WISH_STORE_LARGE 0x00400000u       /* ... and by large pages, where it is in place */

/* How the driver wants an allocation placed: DXGK_ALLOCATIONINFO, as the engine needs it. Sets:
 * bit n is segment id n + 1. */
struct vidmm_wish {
    uint64_t size;      /* whole pages */
    uint64_t alignment; /* power of two, a page at least */
    uint32_t read_set, write_set, eviction_set;
    uint32_t preferred;          /* DXGK_SEGMENTPREFERENCE.Value */
    uint32_t flags;              /* DXGK_ALLOCATIONINFOFLAGS.Value */
    uint32_t priority;           /* AllocationPriority */
    uint32_t hinted_bank;        /* DXGK_SEGMENTBANKPREFERENCE.Value */
    uint32_t pinned;             /* 1: a shared primary, which stays where it is */
    uint64_t pitch_aligned_size; /* whole pages; 0: it goes into no segment with PitchAlignment */
};

/* Properties of an allocation that change (D3DDDI_UPDATEALLOCPROPERTY): bits of a mask. */
#define VIDMM_PROPERTY_PHYSICAL 1u  /* SetAccessedPhysically */
#define VIDMM_PROPERTY_SEGMENTS 2u  /* SetSupportedSegmentSet */
#define VIDMM_PROPERTY_PREFERRED 4u /* SetPreferredSegment */

/* The properties of an allocation that are to change. A member that the mask does not name is not
 * looked at. */
struct vidmm_property {
    uint32_t mask;      /* VIDMM_PROPERTY_... */
    uint32_t physical;  /* 1: it is accessed physically */
    uint32_t segments;  /* those that may hold it: bit n is segment n + 1 */
    uint32_t preferred; /* DXGK_SEGMENTPREFERENCE.Value */
};

/* Priorities of paging queues: D3DDDI_PAGINGQUEUE_PRIORITY, and 1 more. */
#define VIDMM_PAGING_QUEUE_BELOW_NORMAL 0u
#define VIDMM_PAGING_QUEUE_NORMAL 1u
#define VIDMM_PAGING_QUEUE_ABOVE_NORMAL 2u

#define VIDMM_PAGING_QUEUES 0x10000u   /* ids are below this */
#define VIDMM_FIRST_PAGING_FENCE 7000u /* of each paging queue: passed from its creation on */
#define VIDMM_PAGING_QUEUE_CONTEXT (1u << 31)        /* numbers of contexts are below this */
#define VIDMM_LONGEST_DELAY_NS UINT64_C(60000000000) /* that a test may set: a minute */

/* D3DDDI_MAKERESIDENT_FLAGS, D3DDDI_EVICT_FLAGS, D3DDDI_TRIMRESIDENCYSET_FLAGS: their bits. */
#define VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER 1u
#define VIDMM_MAKE_RESIDENT_MUST_SUCCEED 2u
#define VIDMM_EVICT_ONLY_IF_NECESSARY 1u
#define VIDMM_EVICT_NOT_WRITTEN_TO 2u
#define VIDMM_EVICT_KEEPS 4u  /* of the event alone: the list counts them as before */
#define VIDMM_PAGE_OUT_ALL 1u /* PAGE_OUT: none of them, if one stays */
#define VIDMM_TRIM_PERIODIC 1u
#define VIDMM_TRIM_RESTART_PERIODIC 2u
#define VIDMM_TRIM_TO_BUDGET 4u

#define VIDMM_FENCES (1u << 27)             /* ids of monitored fences are below this */
#define VIDMM_PAGING_QUEUE_FENCE (1u << 31) /* ... but those of paging queues: this and the queue */
#define VIDMM_FENCES_AT_ONCE 32u            /* D3DDDI_MAX_OBJECT_WAITED_ON, ..._SIGNALED */

/* Properties of a monitored fence: D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS, and how it is stored. */
#define VIDMM_FENCE_SHARED 1u         /* any device may name it */
#define VIDMM_FENCE_NO_SIGNAL 2u      /* programs only wait for it */
#define VIDMM_FENCE_NO_WAIT 4u        /* programs only signal it */
#define VIDMM_FENCE_NO_MAX_VALUE 8u   /* NoSignalMaxValueOnTdr */
#define VIDMM_FENCE_NO_GPU_ACCESS 16u /* the GPU does not reach it: nobody has to read it */
#define VIDMM_FENCE_NARROW 32u        /* 32 bits of it are in memory: No64BitAtomics */

/* DXGK_PAGE_FAULT_FLAGS: their bits. */
#define VIDMM_FAULT_WRITE 1u
#define VIDMM_FAULT_FENCE_INVALID 2u /* nobody knows which packet it was */
#define VIDMM_FAULT_ADAPTER_RESET 4u
#define VIDMM_FAULT_ENGINE_RESET 8u
#define VIDMM_FAULT_FATAL 16u /* Windows stops */

/* A monitored fence, and the value to signal it with or to wait for. */
struct vidmm_fence_value {
    uint32_t fence, reserved;
    uint64_t value;
};

/* Groups of segments that budgets are counted by: D3DKMT_MEMORY_SEGMENT_GROUP. */
enum vidmm_segment_group { VIDMM_GROUP_LOCAL, VIDMM_GROUP_NON_LOCAL, VIDMM_SEGMENT_GROUPS };

#define VIDMM_PROCESSES 0x10000u /* ids are below this; 0: a process without budgets */

/* The kinds of allocations: `buffer` of VIDMM_EVENT_CREATE_ALLOCATION. */
enum vidmm_buffer_kind {
    VIDMM_BUFFER_NONE,     /* a program's or a context's */
    VIDMM_BUFFER_COMMANDS, /* a DMA or paging buffer, which has no hAllocation */
    VIDMM_BUFFER_OWN_PAGE, /* a page that nobody uses, for WritePhysical */
    VIDMM_BUFFER_READS,    /* pages for READ_SEGMENT, which go into no segment: both sets are 0 */
    VIDMM_BUFFER_FENCES,   /* values of monitored fences: system memory, which stays where it is and
                              may be mapped; the sets are 0 */
};

/* The uses by the GPU that a lock ignores, and the means by which it may be had. */
#define VIDMM_LOCKING_IGNORE_READS 1u /* IgnoreReadSync: only writes of the GPU are waited for */
#define VIDMM_LOCKING_IGNORE_ALL 2u   /* IgnoreSync: nothing is */
#define VIDMM_LOCKING_APERTURE 8u   /* AcquireAperture: by a swizzling range, if one is to be had */
#define VIDMM_LOCKING_ALTERNATE 16u /* UseAlternateVA: by a range, or not at all */
#define VIDMM_LOCKING_SET_UP 32u    /* the range alone, no lock (S0-049) */
#define VIDMM_LOCKING_DONOT_EVICT 4u /* DonotEvict: STATUS_GRAPHICS_CANT_LOCK_MEMORY instead */
#define VIDMM_LOCKING_LOCK2 64u /* Lock2: of what is not CpuVisible, too (explicit residency) */

/* Facts about a granted lock. */
#define VIDMM_GRANT_APART 1u  /* the GPU may be using it: the last unlock is to be told (UNLOCK) */
#define VIDMM_GRANT_RANGED 4u /* by a swizzling range: the unlock is to be told, at once (UNLOCK) */
#define VIDMM_GRANT_ALTERNATE 8u /* ... and by the alternate address */
#define VIDMM_GRANT_SET_UP 16u   /* a swizzling range was set up, and nothing is locked (S0-049) */
#define VIDMM_GRANT_STAGED 32u   /* no memory segment gets it before its last unlock: UNLOCK */
#define VIDMM_GRANT_COPY 2u /* a memory segment has a copy, refreshed at the unlock (REFRESH) */

/* States of addresses, and what the GPU may do with those that are mapped, besides reading. */
#define VIDMM_ADDRESSES_NO_ACCESS 1u
#define VIDMM_ADDRESSES_ZERO 2u
#define VIDMM_ADDRESSES_NO_COMMIT 3u /* RESERVE_ADDRESSES alone */
#define VIDMM_ADDRESSES_MAPPED 4u
#define VIDMM_ADDRESSES_COPIED 5u /* UPDATE_ADDRESSES alone: they mean what others do */
#define VIDMM_ADDRESSES_WRITE 1u
#define VIDMM_ADDRESSES_EXECUTE 2u

/* How gladly offered content is given away: D3DDDI_OFFER_PRIORITY. */
#define VIDMM_OFFER_LOW 1u
#define VIDMM_OFFER_NORMAL 2u
#define VIDMM_OFFER_HIGH 3u
#define VIDMM_OFFER_AUTO 4u /* by the allocation's priority */

/* The end towards which a segment is compacted, or the one to which fewer bytes move. */
enum vidmm_compaction { VIDMM_COMPACT_DOWN = 1, VIDMM_COMPACT_UP, VIDMM_COMPACT_CHEAPER };

/* How a claim ended. */
enum vidmm_claim {
    VIDMM_CLAIM_REFUSED = 0, /* the CPU holds a lock on it, and needs the content where it is */
    VIDMM_CLAIM_GRANTED = 1, /* no lock is held */
    /* Locks are held, by addresses that follow: a thread that touches them waits for VIDMM_DO_SHOW,
     * or a VIDMM_DO_GRANT for the allocation. */
    VIDMM_CLAIM_FOLLOWS = 2,
    VIDMM_CLAIM_USED = 3, /* `peeks`: no lock is held, but some was since it was asked before */
};

struct vidmm_event {
    uint32_t kind; /* enum vidmm_event_kind */
    uint32_t device;
    uint64_t time_ns;
    union {
        struct {
            uint32_t system;  /* 1: the system device, which a reset leaves alone (D-375) */
            uint32_t process; /* whose addresses its contexts use; 0: it has none */
        } create_device;
        struct {
            uint32_t allocation;
            uint32_t buffer; /* enum vidmm_buffer_kind */
            uint32_t shared; /* 1: DMA buffers of any device may name it */
            uint32_t
                context_allocation; /* 1: its first content is the driver's to make, and it stays
                                            while a node runs what has used it (D-137, D-138) */
            struct vidmm_wish wish;
        } create;
        struct {
            uint32_t allocation;
        } destroy, unlock, reclaim, discard;
        struct {
            uint32_t dma_buffer, node;
            uint32_t size; /* bytes of commands: the DMA buffer ends there */
            uint32_t reference_count;
            uint32_t patch_count; /* with no two split offsets it cannot be split */
            uint32_t context;     /* number of its context, from 1; 0: it has none */
            const struct vidmm_reference *references;   /* read during the step only */
            const struct vidmm_patch_location *patches; /* by split_offset; for the step only */
        } submit;
        struct {
            uint32_t request, allocation;
        } pin;
        struct {
            uint32_t request, allocation;
            uint32_t wait;  /* 0: DonotWait */
            uint32_t flags; /* VIDMM_LOCKING_... */
            uint32_t data;  /* PrivateDriverData, for a swizzling range */
        } lock;
        struct {
            uint32_t allocation, first, count; /* pages */
        } refresh;
        struct {
            uint32_t allocation;
            uint32_t held; /* 1; or 0: no more */
        } hold;
        struct {
            uint32_t allocation;
            uint32_t priority; /* VIDMM_OFFER_LOW .. VIDMM_OFFER_AUTO; or as AllocationPriority */
        } offer, priority;
        struct {
            uint32_t first, count;
        } paging_buffers;
        struct {
            uint32_t allocation;
            uint32_t granted; /* enum vidmm_claim */
        } claimed;
        struct {
            uint32_t status;           /* the NTSTATUS that the driver answered */
            uint32_t multipass_offset; /* as the driver left it */
            uint64_t written; /* bytes the call added to the paging buffer and its private data */
        } built;
        struct {
            uint32_t node, fence; /* SubmissionFenceId */
        } fence;
        struct {
            uint32_t request;
            uint32_t reason; /* enum vidmm_exception */
        } evict_all;
        struct {
            uint32_t node, fence;    /* PreemptionFenceId */
            uint32_t last_completed; /* LastCompletedFenceId */
        } preempted;
        struct {
            uint32_t status; /* the NTSTATUS that the driver answered */
            uint32_t fence;  /* CurrentFence, or LastAbortedFenceId */
            uint64_t nodes;  /* DependentNodeOrdinalMask */
        } recovered;
        struct {
            uint32_t request;
            uint32_t power; /* enum vidmm_power; RESUME: 0 */
        } rest;
        struct {
            uint32_t reason; /* enum vidmm_reason */
            uint32_t status; /* NTSTATUS behind it, if there is one */
        } fail;
        struct {
            uint32_t context; /* as SUBMIT calls it */
        } abandon;
        struct {
            uint32_t status; /* the NTSTATUS that the driver answered */
            uint64_t size;   /* of an alternate address: bytes, whole pages */
        } ranged;
        struct {
            uint32_t status; /* the NTSTATUS that the driver answered */
        } submitted, host;
        struct {
            uint32_t process; /* from 1 */
            uint32_t paging;  /* VIDMM_PROCESS_... */
        } process;
        struct {
            uint32_t process;
            uint32_t state;      /* VIDMM_ADDRESSES_NO_ACCESS .. VIDMM_ADDRESSES_COPIED */
            uint32_t access;     /* MAPPED: VIDMM_ADDRESSES_WRITE, ..._EXECUTE */
            uint32_t allocation; /* MAPPED: to which it is; else 0 */
            uint64_t base, size; /* RESERVE, MAP: base 0, the engine chooses */
            uint64_t minimum, maximum, alignment; /* ... from here to there; 0: anywhere */
            uint64_t offset; /* MAPPED: bytes into the allocation; COPIED: address of the others */
            uint64_t period; /* UPDATE, MAPPED: from the start again behind it; 0: never */
            uint64_t driver_protection;
            uint32_t queue; /* RESERVE, MAP, UPDATE: the paging queue that passes a value when the
                               page tables are written: pending; 0: none does */
            uint32_t adapters; /* MAP, UPDATE, of a link: the physical adapters for which the
                                  addresses get this meaning, a bit each; 0: for all */
        } addresses;
        struct {
            uint32_t request, allocation; /* as many bytes as it has pages for */
            uint32_t segment;
            uint64_t offset; /* from the start of the segment, whole pages */
        } read_segment;
        struct {
            uint32_t request, allocation;
        } update_context;
        struct {
            uint32_t request, allocation;
            uint32_t displayed; /* 1; or 0: no more */
        } display;
        struct {
            uint32_t faults;                /* SET_FAULTS: of VIDMM_TEST_ENGINE (test_fault.h) */
            uint32_t suspension;            /* SUSPEND_DEVICE, RESUME_DEVICES: a number, from 1 */
            uint32_t wakes;                 /* SUSPEND_DEVICE: 1: a submission ends it */
            uint32_t request, segment, way; /* COMPACT: enum vidmm_compaction */
            uint32_t queue;                 /* DELAY */
            uint64_t time_ns[3]; /* [0] of delays; of intervals: above a budget, else, idle */
        } test;
        struct {
            uint32_t process;
        } join;
        struct {
            uint32_t queue;    /* from 1 */
            uint32_t priority; /* VIDMM_PAGING_QUEUE_..._NORMAL */
            uint32_t fences;   /* CREATE: the VIDMM_BUFFER_FENCES that has its value; 0: none */
            uint32_t offset;   /* ... in bytes: paging buffers write it there */
            uint32_t context;  /* COMPANION: its number for SUBMIT_PAGING; 0: there is none now */
            uint32_t node, process; /* ... that it runs on, and in: VIDMM_PROCESS_PRIVILEGED */
        } paging_queue;
        struct {
            uint32_t queue; /* MAKE_RESIDENT, RECLAIM_QUEUED; its device is meant */
            uint32_t flags; /* VIDMM_MAKE_RESIDENT_..., VIDMM_EVICT_..., VIDMM_PAGE_OUT_... */
            uint32_t count;
            uint32_t request;            /* PAGE_OUT */
            const uint32_t *allocations; /* read during the step only */
        } residency;
        struct {
            uint32_t queue, allocation;
            struct vidmm_property to;
        } property;
        struct {
            uint32_t process, group; /* enum vidmm_segment_group */
            uint64_t size;           /* bytes; BUDGET, UINT64_MAX: as the memory allows */
        } budget;
        struct {
            uint32_t restart; /* 1: RestartPeriodicTrim, 0: PeriodicTrim */
        } trim;
        struct {
            uint32_t fence;
            uint32_t flags; /* CREATE_FENCE: VIDMM_FENCE_... */
            uint64_t value; /* CREATE_FENCE: the first; FENCE_READ: what the memory holds */
        } fence_object;
        struct {
            uint32_t request; /* WAIT_FENCES: of VIDMM_DO_WAITED */
            uint32_t any;     /* WAIT_FENCES: one of them is enough (WaitAny) */
            uint32_t context; /* QUEUE_WAIT, QUEUE_SIGNAL: as SUBMIT calls it */
            uint32_t count;   /* 1 to VIDMM_FENCES_AT_ONCE */
            const struct vidmm_fence_value *values; /* read during the step only */
        } fences;
        struct {
            uint32_t node;
        } fences_signaled;
        struct {
            uint32_t node, fence; /* FaultedFenceId */
            uint32_t flags;       /* VIDMM_FAULT_... */
            uint64_t address;     /* FaultedVirtualAddress */
        } fault;
    };
};

/* ---- operations ------------------------------------------------------------------------------ */

enum vidmm_operation_kind {
    /* One of these at most is under way; the event named is its answer. */
    VIDMM_DO_CLAIM = 1,     /* keep the CPU off an allocation: CLAIMED */
    VIDMM_DO_BUILD,         /* call DxgkDdiBuildPagingBuffer: BUILT */
    VIDMM_DO_SUBMIT_PAGING, /* call DxgkDdiPatch, ..SubmitCommand on a paging buffer: SUBMITTED */
    VIDMM_DO_SUBMIT,        /* call both on a DMA buffer: SUBMITTED */
    VIDMM_DO_CANCEL,        /* call DxgkDdiCancelCommand for the rest of a DMA buffer: SUBMITTED */
    VIDMM_DO_SWITCH, /* call DxgkDdiSubmitCommand with ContextSwitch and no commands: SUBMITTED */
    /* A fence is late; the calls of timeout detection and recovery, RECOVERED each. */
    VIDMM_DO_QUERY_FENCE, /* call DxgkDdiQueryCurrentFence */
    VIDMM_DO_PREEMPT, /* call DxgkDdiPreemptCommand; PREEMPTED comes when the node has stopped */
    VIDMM_DO_QUERY_ENGINE,  /* call DxgkDdiQueryEngineStatus; `nodes`: it is Responsive */
    VIDMM_DO_QUERY_GROUP,   /* call DxgkDdiQueryDependentEngineGroup */
    VIDMM_DO_RESET_ENGINE,  /* flush DPCs, call DxgkDdiResetEngine */
    VIDMM_DO_RESET,         /* nobody in the driver, flush DPCs, call DxgkDdiResetFromTimeout */
    VIDMM_DO_RESTART,       /* call DxgkDdiRestartFromTimeout */
    VIDMM_DO_ACQUIRE_RANGE, /* call DxgkDdiAcquireSwizzlingRange: RANGED */
    VIDMM_DO_RELEASE_RANGE, /* call DxgkDdiReleaseSwizzlingRange: RANGED */
    VIDMM_DO_MAP_HOST,      /* call DxgkDdiMapCpuHostAperture: HOST_ANSWERED */
    VIDMM_DO_UNMAP_HOST,    /* call DxgkDdiUnmapCpuHostAperture: HOST_ANSWERED */
    VIDMM_DO_SET_ROOT,      /* call DxgkDdiSetRootPageTable for each context of the process that has
                               another root; all are idle: ROOT_SET */
    /* These have no answer. */
    VIDMM_DO_PLACED, /* a reference of the next VIDMM_DO_SUBMIT: where the allocation is; segment 0:
                         this part does not need it */
    VIDMM_DO_GRANT,  /* answer a lock or pin request */
    VIDMM_DO_SHOW,   /* the claim that follows is over: where the content is now */
    VIDMM_DO_CLEAR,  /* zero the backing store */
    VIDMM_DO_DROP,   /* the bytes of the backing store are wanted no more */
    VIDMM_DO_RETIRE, /* a DMA buffer is done with, executed or not */
    VIDMM_DO_DESTROY,     /* nothing refers to the allocation any more: give all of it back */
    VIDMM_DO_ERROR,       /* a device is in error from here on */
    VIDMM_DO_STOPPED,     /* the adapter is at rest, or beyond help */
    VIDMM_DO_LOST,        /* the content of an allocation could not be saved (S0-045) */
    VIDMM_DO_SIGNAL,      /* a paging queue has come to a fence value, which the CPU can read */
    VIDMM_DO_TRIM,        /* ask a device to need less */
    VIDMM_DO_ENTRY,       /* an entry, above a leaf, of the next VIDMM_DO_BUILD: what it leads to */
    VIDMM_DO_ROOT,        /* of the next VIDMM_DO_SUBMIT or ..._PAGING: the root of its context */
    VIDMM_DO_FREE_TABLE,  /* nothing leads to the page table any more: give its memory back */
    VIDMM_DO_WRITE_FENCE, /* a monitored fence is to hold a value, before what follows is done */
    VIDMM_DO_READ_FENCE,  /* read one that the GPU may have written and is waited for: FENCE_READ */
    VIDMM_DO_WAITED,      /* a wait of the CPU is over */
    /* These are of engines behind an IOMMU. */
    VIDMM_DO_MAP_DOMAIN,   /* the GPU is to reach the backing store, before what follows is done */
    VIDMM_DO_UNMAP_DOMAIN, /* it reaches it no longer */
};

/* The paging operations, by the values of DXGK_BUILDPAGINGBUFFER_OPERATION. */
enum vidmm_paging_kind {
    VIDMM_TRANSFER = 0,
    VIDMM_FILL = 1,
    VIDMM_DISCARD_CONTENT = 2,
    VIDMM_READ_PHYSICAL = 3,
    VIDMM_WRITE_PHYSICAL = 4,
    VIDMM_MAP_APERTURE_SEGMENT = 5,
    VIDMM_UNMAP_APERTURE_SEGMENT = 6,
    VIDMM_SPECIAL_LOCK_TRANSFER = 7,
    VIDMM_TRANSFER_VIRTUAL = 8,
    VIDMM_FILL_VIRTUAL = 9,
    VIDMM_INIT_CONTEXT_RESOURCE = 10,
    VIDMM_UPDATE_PAGE_TABLE = 11,
    VIDMM_FLUSH_TLB = 12,
    VIDMM_UPDATE_CONTEXT_ALLOCATION = 13, /* `table`: all of it, at `address` */
    VIDMM_NOTIFY_RESIDENCY = 15, /* `build`: its place in memory; segment 0: it is about to leave */
    VIDMM_SIGNAL_MONITORED_FENCE = 16, /* `table`: the value `end` at `address` */
    VIDMM_NOTIFY_ALLOCATION = 22, /* `table`: about to be evicted; what is so far at `address` */
};

/* The kinds of page-table entries. */
enum vidmm_entry_kind {
    VIDMM_ENTRY_IS_INVALID,
    VIDMM_ENTRY_IS_ZERO,
    VIDMM_ENTRY_IS_PAGES,
    VIDMM_ENTRY_IS_TABLES,
};

/* Page tables have ids from here on; those of allocations of an engine with a GPU MMU are below. */
#define VIDMM_TABLE_IDS (1u << 27)

#define VIDMM_PAGING_IDLE 1u   /* AllocationIsIdle */
#define VIDMM_PAGING_START 2u  /* TransferStart */
#define VIDMM_PAGING_END 4u    /* TransferEnd */
#define VIDMM_PAGING_PURGE 16u /* after a reset: `allocation` has left, no content moves (D-239) */
#define VIDMM_PAGING_SWIZZLE 32u       /* Swizzle: from the CPU's order into the GPU's */
#define VIDMM_PAGING_UNSWIZZLE 64u     /* Unswizzle: the other way */
#define VIDMM_PAGING_REPEAT 128u       /* Repeat: one entry, as often as there are */
#define VIDMM_PAGING_INITIAL 256u      /* InitialUpdate: the table has just appeared */
#define VIDMM_PAGING_WIDE 512u         /* Use64KBPages: the table is a leaf of 64 KiB pages */
#define VIDMM_PAGING_SOURCE_WIDE 1024u /* Src64KBPages: where a transfer reads is mapped by those */
#define VIDMM_PAGING_TARGET_WIDE 2048u /* Dst64KBPages: ... and where it writes */
#define VIDMM_PAGING_DISPLAYED 4096u   /* MapApertureSegment: of a primary, to be displayed */
#define VIDMM_PAGING_UNMAPS 8192u      /* NOTIFY_ALLOCATION: IoMmuUnmap, of `process` */
#define VIDMM_PAGING_AGAIN 8u /* the same call as before, into a fresh paging buffer or idle now */

/* Why a device is in error, or an adapter stopped. */
enum vidmm_reason {
    VIDMM_REASON_NONE = 0,
    VIDMM_REASON_OUT_OF_MEMORY,  /* D-089: a part of a DMA buffer needs more than fits */
    VIDMM_REASON_ILLEGAL_STATUS, /* S4-002, S4-003: DxgkDdiBuildPagingBuffer answered nonsense */
    VIDMM_REASON_BUSY_WHEN_IDLE, /* ALLOCATION_BUSY where it cannot be resolved */
    VIDMM_REASON_NO_PROGRESS,    /* INSUFFICIENT_DMA_BUFFER on a fresh buffer, nothing written */
    VIDMM_REASON_SUBMIT_FAILED,  /* D-079: DxgkDdiSubmitCommand failed */
    VIDMM_REASON_UNKNOWN_FENCE,  /* D-357: a fence was reported that was never submitted */
    VIDMM_REASON_TIMEOUT,        /* D-242: the GPU hung once more than a minute allows */
    VIDMM_REASON_HUNG,           /* a device: its DMA buffer hung, and the engine was reset */
    VIDMM_REASON_REMOVED,        /* a device: the adapter was reset */
    VIDMM_REASON_CANCEL_FAILED,  /* D-347: DxgkDdiCancelCommand failed */
    VIDMM_REASON_PREEMPT_FAILED, /* D-364: DxgkDdiPreemptCommand failed */
    VIDMM_REASON_ABORTED_FENCE,  /* D-243: LastAbortedFenceId is out of range */
    VIDMM_REASON_ENGINE_GROUP,   /* D-373: QueryDependentEngineGroup failed, or left out the node */
    VIDMM_REASON_RESET_FAILED,   /* D-374: DxgkDdiResetFromTimeout or ..Restart.. failed */
    VIDMM_REASON_DRIVER_TIMEOUT, /* D-242: a thread was too long in the driver */
    VIDMM_REASON_EARLY_REPORT, /* D-371: an engine reported between its reset and its resumption */
    VIDMM_REASON_GUARANTEE,    /* D-088: a guaranteed DMA buffer was too small */
    VIDMM_REASON_ACQUIRE_STATUS, /* D-161: DxgkDdiAcquireSwizzlingRange answered nonsense */
    VIDMM_REASON_RELEASE_STATUS, /* DxgkDdiReleaseSwizzlingRange failed */
    VIDMM_REASON_BINDING_LEAK, /* D-343: a part of a DMA buffer leans on what was bound before it */
    VIDMM_REASON_PATCH_FAILED, /* D-079: DxgkDdiPatch failed */
    VIDMM_REASON_OVERRUN,      /* S4-010, D-332: the driver wrote past the end of a buffer */
    VIDMM_REASON_PRIVATE_OVERRUN, /* ... of its private data */
    VIDMM_REASON_DISPLAY_REPORT,  /* D-359: a display interrupt, and there is no display */
    VIDMM_REASON_COMMAND_FAILED,  /* D-358: a paging packet was reported as faulted */
    VIDMM_REASON_DISPLAY_MASK,    /* D-359: a display interrupt of no GPU of a link */
    VIDMM_REASON_NOT_RESIDENT, /* D-094: a DMA buffer refers to what is not on its device's list */
    VIDMM_REASON_MUST_SUCCEED, /* D-197: what the device cannot do without fits nowhere */
    VIDMM_REASON_PAGE_FAULT,   /* a device: its DMA buffer met an address that leads nowhere */
    VIDMM_REASON_FAULT_FLAGS,  /* D-269: a page fault of no packet, and nothing is to be reset */
    VIDMM_REASON_FATAL_FAULT,  /* a page fault after which the hardware cannot go on */
    VIDMM_REASON_UNMAP_HOST,   /* DxgkDdiUnmapCpuHostAperture failed */
    VIDMM_REASON_MAP_HOST,     /* D-174: DxgkDdiMapCpuHostAperture failed for page tables */
    VIDMM_REASON_PNP_STOP,     /* D-244: Plug and Play has stopped the device; nobody erred */
    VIDMM_REASON_NO_PAGING, /* D-290: the paging process could not be built when power was back */
};

struct vidmm_operation {
    uint32_t kind; /* enum vidmm_operation_kind */
    uint32_t allocation;
    union {
        struct {
            uint32_t paging_buffer;
            uint32_t operation; /* enum vidmm_paging_kind */
            uint32_t flags;     /* VIDMM_PAGING_... */
            uint32_t multipass_offset;
            struct vidmm_place source, destination; /* of all but transfers: destination */
            uint64_t transfer_offset; /* of this sub-transfer from the start of the allocation */
            uint64_t size;            /* of this operation; read and write physical: 0 */
            uint32_t range, data;     /* special-lock transfer: of the lock; the range from 1 */
        } build;
        struct { /* VIDMM_DO_BUILD, of operations 8, 9, 11 to 13, 16 and 22 */
            uint32_t paging_buffer;
            uint32_t operation; /* as of `build`, and so are these */
            uint32_t flags;
            uint32_t multipass_offset;
            uint32_t process;      /* whose tables, or addresses */
            uint32_t table;        /* UPDATE_PAGE_TABLE: its id; FLUSH_TLB: that of the root */
            uint32_t level;        /* 0: a leaf */
            uint32_t first, count; /* entries */
            uint32_t entry;        /* enum vidmm_entry_kind; TABLES: VIDMM_DO_ENTRY says which */
            uint32_t access;       /* VIDMM_ADDRESSES_WRITE, ... */
            uint32_t adapter; /* the one physical adapter of a link it is for, from 1; 0: all */
            struct vidmm_place at;    /* where the table is */
            struct vidmm_place place; /* where the page of the first entry is */
            uint64_t offset;  /* of that page, or of the bytes, from the start of the allocation */
            uint64_t address; /* that the first entry translates; the first of FLUSH_TLB, of
                                 FILL_VIRTUAL, of UPDATE_CONTEXT_ALLOCATION and of
                                 NOTIFY_ALLOCATION; the source of TRANSFER_VIRTUAL */
            uint64_t end;     /* FLUSH_TLB: behind the last; TRANSFER_VIRTUAL: the destination */
            uint64_t size;    /* of all but UPDATE_PAGE_TABLE and FLUSH_TLB: bytes */
            uint64_t driver_protection;
            uint32_t context; /* the companion context that runs it; 0: the system's does */
        } table;
        struct {
            uint32_t index;           /* of the table that the next VIDMM_DO_BUILD is for */
            uint32_t entry;           /* enum vidmm_entry_kind */
            uint32_t table;           /* TABLES: the one that it leads to */
            uint32_t wide;            /* TABLES: 1: that one is a leaf of 64 KiB pages */
            uint32_t second;          /* 1: of the two that the entry is, the one for such leaves */
            uint32_t access;          /* PAGES: VIDMM_ADDRESSES_WRITE, ... */
            struct vidmm_place place; /* PAGES: a large page of `allocation` ... */
            uint64_t offset;          /* ... from that byte of it on */
        } entry;
        struct {
            uint32_t process, table; /* ROOT, SET_ROOT, FREE_TABLE */
            uint32_t entries;        /* ROOT, SET_ROOT: of the root */
            struct vidmm_place place;
        } root;
        struct {
            uint32_t paging_buffer;
            uint32_t fence;         /* SubmissionFenceId */
            uint32_t again;         /* 1: it was preempted */
            uint32_t node, context; /* the companion context that runs it; 0: the system's does */
        } submit_paging;
        struct {
            uint32_t dma_buffer, node;
            uint32_t fence;
            uint32_t reference_count; /* VIDMM_DO_PLACED operations before this one; `again`: none,
                                         everything is where it was */
            uint32_t start, end;      /* bytes of the DMA buffer, of this part */
            uint32_t patch_first,
                patch_count; /* its patch locations; all of them, if none were told */
            uint32_t last;   /* 0: another part follows */
            uint32_t
                again; /* 1: it was preempted, and has a new fence; patch_count 0: the list is that
                               of a later part, and this one is patched already */
        } submit;
        struct {
            uint32_t node, fence;
            uint32_t context; /* the context that the node leaves, as SUBMIT called it */
            uint32_t paging;  /* 1: the newest packet there was a paging buffer */
            uint32_t again;   /* 1: it was preempted, and has a new fence */
        } switching;
        struct {
            uint32_t node;
            uint32_t fence; /* VIDMM_DO_PREEMPT: PreemptionFenceId */
        } recover;
        struct {
            uint32_t dma_buffer, index; /* index in the allocation list */
            struct vidmm_place place;
        } placed;
        struct {
            uint32_t request;
            uint32_t status; /* NTSTATUS */
            struct vidmm_place place;
            uint32_t flags; /* VIDMM_GRANT_... */
            uint32_t range; /* swizzling range by which it is seen, from 1; 0: none */
        } grant;
        struct {
            struct vidmm_place place; /* segment 0: the backing store */
            uint32_t range;           /* as of a grant */
            uint32_t
                alternate; /* 1: not the backing store, but the pages of the alternate address */
        } show;
        struct {
            uint32_t stays; /* 1: if locks are held, refuse; the addresses cannot follow */
            uint32_t peeks; /* 1: ... and if any was taken since the last such claim, USED; a
                               refusal is not remembered */
        } claim;
        struct {
            uint32_t segment;
            uint32_t pages; /* vidmm_engine_host_pages() lists them */
        } host;
        struct {
            uint32_t range;     /* from 1; RangeId is one less */
            uint32_t data;      /* PrivateDriverData */
            uint32_t alternate; /* 1: RangeSize may be changed */
            uint32_t reserved;
            struct vidmm_place place;
            uint64_t size; /* bytes */
        } range;
        struct {
            uint32_t dma_buffer;
            uint32_t status; /* NTSTATUS: success, or why it was not executed */
        } retire;
        struct {
            uint32_t device; /* VIDMM_DO_STOPPED: 0 */
            uint32_t reason; /* enum vidmm_reason */
            uint32_t dma_buffer;
            uint32_t status; /* NTSTATUS behind it, if there is one */
            uint64_t needed; /* bytes that would have had to fit together */
        } error;
        struct {
            uint32_t queue;
            uint32_t status; /* NTSTATUS: success, or why what was asked for was not done */
            uint64_t value;  /* the newest that has passed */
        } signal;
        struct {
            uint32_t device;
            uint32_t flags;         /* VIDMM_TRIM_... */
            uint64_t bytes_to_trim; /* VIDMM_TRIM_TO_BUDGET: by which its process is above it */
        } trim;
        struct {
            uint32_t fence;
            uint32_t narrow; /* WRITE_FENCE: 1, 32 bits are written; 0, 64 */
            uint64_t value;  /* WRITE_FENCE */
        } fence;
        struct {
            uint32_t request;
            uint32_t status; /* NTSTATUS: success; STATUS_CANCELLED: a fence, or the device, was
                                destroyed; or the status of the device in error */
        } waited;
    };
};

/* Name of an operation, event or reason, for people. Never NULL. */
const char *vidmm_operation_name(uint32_t kind);
const char *vidmm_event_name(uint32_t kind);
const char *vidmm_paging_name(uint32_t kind);
const char *vidmm_reason_text(uint32_t reason);

/* How full a segment is. Bytes. */
struct vidmm_segment_use {
    uint64_t taken;        /* by allocations and page tables, come or coming, or going */
    uint64_t free;         /* in all holes; what is set apart is in neither */
    uint64_t largest_hole; /* one of them */
};

/* The packets of one kind on a node. One that is submitted again counts once more. */
struct vidmm_packet_use {
    uint64_t running_ns; /* each from the end of the one before, or its submission, to its own end;
                            if one report ends several, all of it is the first one's */
    uint64_t submitted, completed; /* completed: with those that a reset or a fault ended */
    uint64_t preempted;            /* came back from the driver, not executed to the end */
    uint64_t faulted;              /* ended by a page fault or a reset of the node */
};

/* The packets of a node since the adapter was started. */
struct vidmm_node_use {
    struct vidmm_packet_use render; /* DMA buffers */
    struct vidmm_packet_use paging; /* paging buffers */
    uint64_t context_switches;      /* packets of nothing else */
};

#ifdef __cplusplus
}
#endif

#endif
