/* engine.h: the manager's engine, one an adapter: events in, plans out.
 *
 * The engine decides and never does. It has no thread, clock, lock or driver pointer; the only
 * thing it asks of its surroundings is memory for records. The same events give the same plans.
 *
 * Use: for each event call vidmm_step(), do the operations of the plan in order, and while the plan
 * says `more`, call again with a NULL event. The last operation of a plan may ask for an answer
 * (plan.h); hand it in as an event when it is there. Other events may come before it.
 *
 * Most callers want adapter.h, which does all of this.
 */
#ifndef VIDMM_ENGINE_H
#define VIDMM_ENGINE_H

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_SWIZZLING_RANGES 64u /* most of them; a driver's others are not used */
#define VIDMM_ENGINE_LEVELS 6u     /* of page tables: DXGK_MAX_PAGE_TABLE_LEVEL_COUNT */
#define VIDMM_ENGINE_ADAPTERS 4u   /* physical adapters of a link, at most */
#define VIDMM_ENGINE_ROOTS 21u     /* sizes of a root, each twice the one before */
#define VIDMM_PAGING_BUFFERS 66u   /* ids 1 .. 65: a bootstrap buffer and up to 64 others */

struct vidmm_engine;
struct vidmm_memory;

/* A range of a segment that nothing is ever placed in: bytes, whole pages. */
struct vidmm_reserved_range {
    uint64_t offset, size;
};

struct vidmm_engine_segment {
    uint64_t size;         /* bytes, whole pages; 0: no such segment */
    uint64_t commit_limit; /* aperture: bytes that may be mapped at once */
    bool aperture;
    bool apart_from_budgets; /* ApplicationTarget is clear: it counts for no budget (D-205) */
    bool other_group; /* memory in the non-local group, an aperture in the local one (D-205) */
    bool wide_pages;  /* memory segment: Use64KBPages */
    bool agp;         /* an aperture behind a bridge that may hold back what the GPU has written */
    bool
        move_in_two; /* a move inside it takes two transfers, whatever move_directly says (D-233) */
    bool preserved_standby, preserved_hibernate; /* content outlives it */
    uint64_t preserved_end; /* ... hibernation, of what ends at or below this offset (D-028) */
    bool cpu_visible;       /* memory segment: the CPU reaches it at its CpuTranslatedAddress */
    uint32_t host_pages;    /* ... or by so many pages of a CPU host aperture, which one segment at
                               most has; 0: none (explicit residency) */
    bool host_cached;       /* ... SupportsCachedCpuHostAperture */
    bool
        pitch_aligned; /* ranges are of PitchAlignedSize, and no page-out goes through it (D-037) */
    uint32_t bank_count;       /* 0: no banks */
    const uint64_t *bank_ends; /* bank_count offsets, ascending, the last the segment's size; the
                                  engine copies them */
    uint32_t reserved_count;   /* 0: none */
    const struct vidmm_reserved_range *reserved; /* none overlaps another; read at creation only */
    /* A part of that segment, which has a lower id and is none: as large, with all reserved that is
     * no part. Places in it are told as those of the whole; the whole has it reserved. 0: none. */
    uint32_t part_of;
};

/* How the GPU translates addresses; all levels count from the leaf, which is 0. */
struct vidmm_engine_mmu {
    uint32_t levels;                          /* 2 to VIDMM_ENGINE_LEVELS; 0: there is no MMU */
    uint32_t index_bits[VIDMM_ENGINE_LEVELS]; /* of each level but the highest: 1 to 20 */
    uint32_t root_entries;                    /* of the highest; if it is resized: at most */
    /* Entries of a root of two levels when a process begins, and bytes of one of as many << n. The
     * last is `root_entries`. 0: the root has a fixed size. The paging process's has one. */
    uint32_t root_least, root_size[VIDMM_ENGINE_ROOTS];
    uint32_t table_size[VIDMM_ENGINE_LEVELS];      /* bytes, whole pages */
    uint32_t table_alignment[VIDMM_ENGINE_LEVELS]; /* bytes; 0: a page's */
    uint32_t table_segment[VIDMM_ENGINE_LEVELS];   /* 0: system memory */
    uint32_t paging_segment[VIDMM_ENGINE_LEVELS];  /* where the paging process's tables lie */
    uint64_t low, high;                            /* addresses of a process are in [low, high) */
    /* The paging process maps from here on what it pages. All of its tables are there and written,
     * and the pump knows where. 0: the engine chooses, and makes the tables. */
    uint64_t scratch;
    bool wide_scratch;    /* ... by pages of 64 KiB too: the two parts of it are there twice, the
                        * second time translated by leaves of such pages */
    bool written_at_once; /* the CPU writes tables inside the call (CPU_VIRTUAL) */
    bool zero_entries, invalid_not_cached, explicit_invalidation; /* as DXGK_GPUMMUCAPS says */
    bool idle_updates;  /* PageTableUpdateRequireAddressSpaceIdle (D-132) */
    uint32_t wide_size; /* bytes of a leaf of 64 KiB pages, instead of one of 4 KiB; 0: none is */
    bool pairs;         /* ... and beside it: DualPteSupported */
    bool large_pages, unaligned_large; /* LargePageSupported, AllowNonAlignedLargePageAddress */
    bool contiguous;   /* every allocation in one range: not in runs of pages where it could be */
    uint32_t adapters; /* physical adapters of a link, to VIDMM_ENGINE_ADAPTERS: each has tables of
                        * its own, at the same places; 0, 1: there is no link */
};

struct vidmm_engine_config {
    uint32_t segment_count; /* ids 1 .. segment_count */
    uint32_t node_count;
    uint32_t paging_node;
    uint32_t queue_limit;      /* packets in flight at most */
    uint32_t node_queue_limit; /* ... on one node (D-305); 0: as many as on all */
    /* Hardware queues count as nodes: those of node n are hw_first + n * hw_queues and up. */
    uint32_t hw_first;       /* the nodes of the driver; 0: there are no hardware queues */
    uint32_t hw_queues;      /* of each node; hw_first * (1 + hw_queues) is node_count */
    uint32_t hw_queue_limit; /* packets in flight on the queues of one node; 0: any number */
    uint64_t first_fence;
    uint64_t timeout_ns;        /* for the first packet of a node, and for a preemption */
    uint64_t driver_timeout_ns; /* for one call of the driver; 0: none (D-242) */
    bool preemption;            /* PreemptionAware: a node is preempted before it is reset */
    bool per_engine_reset;      /* SupportPerEngineTDR */
    bool linked; /* each packet runs on several GPUs, over one backing store: one may be ahead */
    bool cancel_commands;         /* CancelCommandAware: a DMA buffer that never reached the GPU is
                                   * cancelled */
    bool context_switches;        /* the driver knows ContextSwitch: from Windows 8 (D-256) */
    bool no_contexts;             /* not MultiEngineAware: to the driver a device is one context */
    uint64_t split_transfer_size; /* 0: never */
    uint64_t aperture_commit_limit; /* over all apertures; 0: none */
    uint32_t swizzling_ranges;      /* NumberOfSwizzlingRanges, to VIDMM_SWIZZLING_RANGES */
    bool move_directly;
    bool submit_empty;
    bool one_operation; /* in a paging buffer */
    bool reject_leaks;  /* of bindings, into a part of a split DMA buffer (D-343) */
    bool whole_lists;   /* an allocation that no patch location names is needed in place too, by
                         * every part */
    bool explicit_residency; /* WDDM 2: in place is what a device's residency list names */
    bool isolated; /* an IOMMU is between GPU and memory: what the GPU is to reach is mapped */
    struct vidmm_engine_mmu mmu;
    struct vidmm_engine_segment segments[VIDMM_SEGMENTS]; /* by id */
};

struct vidmm_engine_statistics {
    uint64_t bytes_in, bytes_out, bytes_moved, bytes_filled, bytes_discarded;
    uint64_t bytes_read; /* of segments, raw (VIDMM_EVENT_READ_SEGMENT) */
    uint64_t bytes_mapped, bytes_unmapped;
    uint64_t page_ins, evictions, compactions;
    uint64_t paging_buffers, paging_operations, submissions;
    uint64_t splits; /* submissions that are followed by another part of their DMA buffer */
    uint64_t preemptions, engine_resets, resets; /* resets: of the adapter */
    uint64_t context_switches;                   /* packets with ContextSwitch */
    uint64_t context_inits;                      /* InitContextResource */
    uint64_t demotions, promotions; /* of what is wanted: out of a memory segment, and back */
    uint64_t resident_most;         /* bytes of the local group that lists named at once, at most */
    uint64_t suspensions;           /* devices whose list could not stay in place */
    uint64_t table_updates, flushes; /* UpdatePageTable, FlushTlb */
    uint64_t tables, table_bytes;    /* page tables that have memory now */
    uint64_t table_bytes_most;       /* ... that had at once, at any time */
    uint64_t table_evictions;        /* processes whose page tables have left */
};

/* The answer to VIDMM_EVENT_MAKE_RESIDENT, EVICT, RECLAIM_QUEUED, or one about addresses, besides
 * its status. */
struct vidmm_residency_answer {
    uint64_t value;         /* STATUS_PENDING: the paging queue passes it when all is in place */
    uint64_t bytes_to_trim; /* by which the process is, or would be, above its budget */
};

/* A process's share of a segment group: D3DKMT_QUERYVIDEOMEMORYINFO. Bytes. */
struct vidmm_budget_info {
    uint64_t budget, usage, reservation, available_for_reservation;
};

/* A run of a process's addresses whose meaning goes on, inside one reservation. Bytes. */
struct vidmm_address_info {
    uint64_t start, end; /* end: behind the last address */
    bool begins;         /* the first run of its reservation */
    bool mapped;         /* its reservation was obtained by mapping, not by reserving */
    uint32_t state;      /* VIDMM_ADDRESSES_NO_ACCESS .. VIDMM_ADDRESSES_MAPPED of plan.h */
    uint32_t access;     /* VIDMM_ADDRESSES_WRITE, ..._EXECUTE */
    uint64_t driver_protection;
    uint32_t allocation; /* MAPPED: its id; else 0 */
    uint64_t offset;     /* MAPPED: of `start`, into the allocation */
};

/* Classes by which evictions are told: AllocationPriority below LOW, from LOW, NORMAL, HIGH and
 * MAXIMUM on. */
#define VIDMM_EVICTED_CLASSES 5u

/* Bytes of allocations that have left a segment, by the class of their own priority. */
struct vidmm_evicted {
    uint64_t bytes[VIDMM_EVICTED_CLASSES];
};

/* An allocation's part of video memory now. */
struct vidmm_holding {
    uint32_t segment;    /* that it has a range in, or is given one; 0: none */
    uint32_t preference; /* the slot of DXGK_SEGMENTPREFERENCE that names it; 5: none does */
    uint64_t size;       /* bytes of the range */
    uint32_t resident;   /* 1: its content is there, as far as building goes */
    uint32_t demoted;    /* 1: it is in an aperture, and a memory segment would have it too */
    uint32_t rank;       /* of its own priority, 0 .. VIDMM_EVICTED_CLASSES - 1 */
    uint32_t group;      /* enum vidmm_segment_group, where it is best; another number: none */
    uint32_t buffer;     /* 1: of commands or paging, and no program's allocation; always told */
};

/* Whether a device can go on, and where its page fault was: D3DKMT_GETDEVICESTATE. */
struct vidmm_device_state {
    uint32_t status; /* NTSTATUS: success, or why its work is refused */
    uint32_t reason; /* enum vidmm_reason */
    uint32_t node;   /* PAGE_FAULT: that ran the packet */
    uint32_t flags;  /* ... VIDMM_FAULT_... */
    uint64_t address;
};

/* A page of the CPU host aperture, and the page of the segment that it shows; both are of the
 * segment's page size (D-175). */
struct vidmm_host_page_pair {
    uint32_t aperture, memory;
};

struct vidmm_plan {
    const struct vidmm_operation *operations; /* the engine's; good until the next step */
    uint32_t count;
    bool more; /* call again with no event */
};

/* Make an engine. NULL: no memory, or a segment of a size that segment.h does not take. */
struct vidmm_engine *vidmm_engine_create(const struct vidmm_engine_config *config,
                                         const struct vidmm_memory *memory);
void vidmm_engine_destroy(struct vidmm_engine *engine); /* takes NULL */

/* Take the records of programs' page tables that are to lie in system memory from here, before the
 * first event. The owner puts a page aside for each of them, so a change of addresses is refused if
 * there is no page for a table that it needs. */
void vidmm_engine_back_tables(struct vidmm_engine *engine, const struct vidmm_memory *memory);

/* Take an event in (NULL: none, go on with the last plan). *plan receives what to do now.
 * STATUS_SUCCESS: taken. STATUS_PENDING: taken, and VIDMM_DO_SIGNAL will tell of its end
 * (vidmm_engine_residency_answer()), or VIDMM_DO_WAITED. Anything else: refused, and the engine is
 * as before:
 * STATUS_INVALID_PARAMETER: an id that is not alive, an answer that nothing waits for;
 * STATUS_NO_MEMORY, which of MAKE_RESIDENT may mean the GPU's, and then bytes are to be trimmed;
 * STATUS_GRAPHICS_NO_VIDEO_MEMORY: larger than every segment of its sets;
 * STATUS_DEVICE_REMOVED: the engine has stopped, or the device was there when the adapter was
 * reset; or the status of a device in error. */
NTSTATUS vidmm_step(struct vidmm_engine *engine, const struct vidmm_event *event,
                    struct vidmm_plan *plan);

/* When the first packet in flight will be overdue, in the time of the events; UINT64_MAX: never. */
uint64_t vidmm_engine_deadline(const struct vidmm_engine *engine);
void vidmm_engine_get_statistics(const struct vidmm_engine *engine,
                                 struct vidmm_engine_statistics *out);
/* Whether nothing is queued, built or in flight, and no call is under way. */
bool vidmm_engine_is_quiet(const struct vidmm_engine *engine);
/* Kinds of processes: `paging` of VIDMM_EVENT_CREATE_PROCESS. */
#define VIDMM_PROCESS_PROGRAM 0u
#define VIDMM_PROCESS_PAGING 1u     /* the one whose addresses paging operations use */
#define VIDMM_PROCESS_PRIVILEGED 2u /* companion contexts run in it, and nothing of a program */

/* Whether the id is of a process, or of one that is gone and whose page tables are not written. */
bool vidmm_engine_has_process(const struct vidmm_engine *engine, uint32_t process);
/* Whether a paging buffer of a companion context, as COMPANION calls it, is open or in flight. */
bool vidmm_engine_runs_companion(const struct vidmm_engine *engine, uint32_t context);
/* Whether the fence is of a paging packet in flight on the node. */
bool vidmm_engine_pages(const struct vidmm_engine *engine, uint32_t node, uint32_t fence);
/* The place of an allocation now, for hints to DxgkDdiRender: {0, 0} if not in a segment
 * (D-337). */
struct vidmm_place vidmm_engine_where(const struct vidmm_engine *engine, uint32_t allocation);
/* The place of a byte of it, in whole pages from its start; *size receives how many bytes follow
 * there in one piece. {0, 0}: its content is in no segment, or it has gone. */
struct vidmm_place vidmm_engine_where_at(const struct vidmm_engine *engine, uint32_t allocation,
                                         uint64_t offset, uint64_t *size);
/* List pages of the CPU host aperture that the allocation has, in its order, but for the first
 * `skip`, and the pages of the segment that they show. Answers how many were written, `room` at
 * most. */
uint32_t vidmm_engine_host_pages(const struct vidmm_engine *engine, uint32_t allocation,
                                 uint32_t skip, struct vidmm_host_page_pair *pairs, uint32_t room);
/* Whether the content of an offered allocation has gone since: the answer to a reclaim (D-214). */
bool vidmm_engine_discarded(const struct vidmm_engine *engine, uint32_t allocation);
/* Whether it has gone, and nothing asks for the backing store again before a reclaim. */
bool vidmm_engine_needs_no_backing(const struct vidmm_engine *engine, uint32_t allocation);
/* How early an offered allocation is given up: 0 the first, below VIDMM_OFFER_RANKS; that number:
 * it is not offered. */
#define VIDMM_OFFER_RANKS 3u
uint32_t vidmm_engine_offer_rank(const struct vidmm_engine *engine, uint32_t allocation);
/* How an allocation wants to be placed, so that another can be made like it; NULL: no such id. Good
 * until the next step. */
const struct vidmm_wish *vidmm_engine_wish(const struct vidmm_engine *engine, uint32_t allocation);
/* The answer to the newest of the events that have one; zeros before the first. */
struct vidmm_residency_answer vidmm_engine_residency_answer(const struct vidmm_engine *engine);
/* How often the device's residency list counts the allocation; 0: it is not on it. */
uint32_t vidmm_engine_residency_count(const struct vidmm_engine *engine, uint32_t device,
                                      uint32_t allocation);
/* Whether a MakeResident of it by the device would do nothing but count it once more: the program
 * has it on the list, it is in place, and the device is at work. */
bool vidmm_engine_stands_listed(const struct vidmm_engine *engine, uint32_t device,
                                uint32_t allocation);
/* Whether an Evict by the device that takes nothing off its list would do nothing: its process is
 * within its budget, and nobody has told it otherwise. */
bool vidmm_engine_is_within_budget(const struct vidmm_engine *engine, uint32_t device);
/* Whether all of the device's residency list is in place, as far as building goes. */
bool vidmm_engine_is_whole(const struct vidmm_engine *engine, uint32_t device);
/* The newest value that the paging queue has passed. 0: there is no such queue. */
uint64_t vidmm_engine_paging_fence(const struct vidmm_engine *engine, uint32_t queue);
/* The state of a device. One that does not exist: all zeros. */
struct vidmm_device_state vidmm_engine_device_state(const struct vidmm_engine *engine,
                                                    uint32_t device);
/* The newest value of a monitored fence that is known, of a program or of a paging queue
 * (VIDMM_PAGING_QUEUE_FENCE). 0: there is no such fence. */
uint64_t vidmm_engine_fence_value(const struct vidmm_engine *engine, uint32_t fence);
/* Whether what is queued on the context, as SUBMIT calls it, waits for monitored fences, or for the
 * end of a suspension. */
bool vidmm_engine_context_waits(const struct vidmm_engine *engine, uint32_t context);
/* The number by which the device is suspended (VIDMM_EVENT_SUSPEND_DEVICE); 0: it is not. *wakes
 * (may be NULL): whether a submission ends that. */
uint32_t vidmm_engine_suspension(const struct vidmm_engine *engine, uint32_t device, bool *wakes);
/* The process's share of a group of segments. A process or group that does not exist: zeros. */
struct vidmm_budget_info vidmm_engine_budget(const struct vidmm_engine *engine, uint32_t process,
                                             uint32_t group);
/* The address that the newest RESERVE_ADDRESSES or MAP_ADDRESSES has obtained; 0: none has. */
uint64_t vidmm_engine_address(const struct vidmm_engine *engine);
/* Describe the addresses of a process that hold `address`, or else the first behind it, as they are
 * to one physical adapter of a link; 0: to the lead. False: there are none, or no such process or
 * adapter. */
bool vidmm_engine_addresses(const struct vidmm_engine *engine, uint32_t process, uint32_t adapter,
                            uint64_t address, struct vidmm_address_info *info);
/* Describe an entry of a process's page tables as it is asked for now: as VIDMM_DO_ENTRY does above
 * a leaf, and as VIDMM_DO_BUILD of VIDMM_UPDATE_PAGE_TABLE, of one entry, does of a leaf. Levels
 * count from the leaf, which is 0; indices[n] is the entry of the table of level n on the way from
 * the root, and nothing below `level` is looked at. *wide receives whether the table is a leaf of
 * 64 KiB pages. With pairs it says which leaf is asked for, or which of the two entries of level 1,
 * and stays. adapter: whose tables, of a link; 0: the lead's. False: no such process, adapter,
 * level or entry, or an entry on the way leads to no table. */
bool vidmm_engine_page_entry(const struct vidmm_engine *engine, uint32_t process, uint32_t adapter,
                             uint32_t level, const uint32_t *indices, bool *wide,
                             struct vidmm_operation *told);
/* How full a segment is; zeros for an id that is none. Looks at holes of one size. */
struct vidmm_segment_use vidmm_engine_segment_use(const struct vidmm_engine *engine,
                                                  uint32_t segment);
/* Say what has left a segment so far; zeros for an id that is none. */
struct vidmm_evicted vidmm_engine_evicted(const struct vidmm_engine *engine, uint32_t segment);
/* The part of an allocation; zeros for an id that is none. */
struct vidmm_holding vidmm_engine_holding(const struct vidmm_engine *engine, uint32_t allocation);
/* The packets of a node so far; zeros for one that is none. */
struct vidmm_node_use vidmm_engine_node_use(const struct vidmm_engine *engine, uint32_t node);
/* The DMA buffers of a device on a node so far; zeros for a device or node that is none. */
struct vidmm_packet_use vidmm_engine_device_packets(const struct vidmm_engine *engine,
                                                    uint32_t device, uint32_t node);
/* Bytes of allocations that the device has made and that have left segments; 0: no such device. */
uint64_t vidmm_engine_device_evicted(const struct vidmm_engine *engine, uint32_t device);
/* Stop the program if an invariant does not hold. Looks at everything. */
void vidmm_engine_check(const struct vidmm_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
