/* adapter.h: start a display adapter on a miniport, use it as a user-mode driver would, stop it.
 *
 *     process -- device -- context -- DMA buffers
 *                   \____ allocations
 *
 * This is the manager's upper face. Every call may come from any thread. A call that may have to
 * wait says so; under a host whose wait() answers false it answers STATUS_TIMEOUT.
 *
 * Ownership: every object created here belongs to its parent and is destroyed before it. Statuses
 * are NTSTATUS values (wddm/ntstatus.h). After any answer but success nothing has changed, unless
 * the function says otherwise. A report may be NULL; any other pointer that may not be, or that has
 * no bytes for a size, is refused by name (STATUS_INVALID_PARAMETER). After an adapter has stopped
 * by itself, calls answer STATUS_DEVICE_REMOVED.
 *
 * Sources: the five documents; D-001 and following for start and stop.
 */
#ifndef VIDMM_ADAPTER_H
#define VIDMM_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/plan.h>
#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_context;
struct vidmm_allocation;
struct vidmm_engine_config;
struct vidmm_host;
struct _DRIVER_INITIALIZATION_DATA; /* wddm/dispmprt.h */

/* Why a call was refused, for a person: the argument, its value, the legal range. */
struct vidmm_report {
    char text[320];
};

/* Sees every event before its step and every operation as it is handed out, in order, one caller at
 * a time. It must not call the adapter. */
struct vidmm_observer {
    void *context;
    void (*event)(void *context, const struct vidmm_event *event);
    void (*operation)(void *context, uint64_t time_ns, const struct vidmm_operation *operation);
    /* The engine's answer to an event, before its operations; or NULL. */
    void (*answered)(void *context, const struct vidmm_event *event, NTSTATUS status);
    /* The configuration of the engine, once, before the first event (engine.h); or NULL. */
    void (*engine)(void *context, const struct vidmm_engine_config *config);
};

#define VIDMM_SOURCES 16u /* video present sources (display.h): those above cannot be used */

/* Physical adapters of a link, at most. */
#define VIDMM_LINKS 4u

/*
 * A further physical adapter of a link. Several that are alike act as one: each has the same
 * segments, every allocation is at the same place on each, and what is submitted goes to each.
 *
 *                     struct vidmm_adapter
 *     EngineOrdinal   0 (the lead)   1        2
 *     backing store   ---- one, of LinkMirrored and where no flag is set ----
 *                     one            one      one      of LinkInstanced
 *
 * Source: DXGK_ALLOCATIONINFOFLAGS, LinkMirrored and LinkInstanced; DXGKDDI_LINK_DEVICE.
 */
struct vidmm_adapter_link {
    const struct vidmm_host *host; /* of its slot, on the machine of the lead's */
    void *physical_device_object;
};

/* The question whether a packet has written some bytes. */
struct vidmm_gpu_write {
    uint32_t node, fence; /* of the packet, which has been executed */
    uint32_t segment;     /* that they are in; 0: in physical memory */
    uint64_t offset;      /* from the start of the segment; or the physical address */
    uint64_t size;        /* bytes, 1 at least */
};

struct vidmm_adapter_options {
    uint64_t first_fence;    /* the first SubmissionFenceId is its low 32 bits; default 1 */
    uint32_t paging_buffers; /* 1 .. 64, how many may be in flight at once; default 4 */
    uint32_t dma_buffers;    /* 1 .. 64 a context; default 8 */
    uint32_t queue_limit;    /* RequiredDmaQueueEntry, 1 .. 1024; default 31 */
    uint64_t
        split_transfer_size;    /* 0: transfers are never split; else whole pages a sub-transfer */
    uint32_t timeout_ms;        /* for a fence, and for a preemption, 1 ..; default 2000 (D-242) */
    uint32_t driver_timeout_ms; /* for one call of the driver; 0: none; default 5000 (D-242) */
    bool move_directly; /* a move inside a segment is one transfer; default two (kit). From WDDM 2.1
                         * on the driver says so: MovePagingSupported (D-233) */
    bool submit_empty;  /* submit a paging buffer in which the driver wrote nothing */
    bool one_operation; /* each operation in a paging buffer of its own; default: packed */
    bool patch_paging;  /* call DxgkDdiPatch on paging buffers (S4-007); default true */
    bool system_context; /* paging names the system context; default NULL (D-319) */
    bool strict;         /* refuse whatever breaks a rule where there is something to refuse */
    bool poison;         /* fill retired DMA and paging buffers with 0xdb */
    bool post_device;    /* the firmware has set its display mode: how it is stopped (D-299) */
    bool null_rendering; /* for profiling: DMA buffers complete, nothing runs (D-258) */
    bool isolate;        /* vidmm_adapter_isolate() at the end of the start, which it may fail */
    bool whole_lists;    /* every element of an allocation list is made resident, and not only what
                            patch locations name; of a driver with NoDmaPatching in any case */
    bool contiguous;     /* a GPU with page tables finds every allocation in one range of a segment,
                          * and none in runs of pages */
    bool reject_leaks;   /* binding leak detection (D-343): a part of a split DMA buffer that needs
                         what is bound before it, and not bound anew, puts the device in error. For
                         drivers that are PreemptionAware and do not set NoDmaPatching; default
                         false */
    const struct vidmm_observer *observer; /* or NULL; must outlive the adapter */
    /* Why the driver answered `status` to a call, in its own words, if somebody knows: a report
     * then ends with them. Writes a text of `size` bytes at most, the closing 0 included; false:
     * there is none. Any thread, inside the call that was refused. NULL: nobody knows.
     * softgpu_device_reason() is one. */
    bool (*driver_reason)(void *context, NTSTATUS status, char *text, uint32_t size);
    void *driver_reason_context;
    /* A breach of the contract was seen: one that vidmm_adapter_finding() counts, a warning too;
     * `rule` is the rule's number. Any thread, any level, right behind the call of the driver that
     * it is of; it waits for nothing and calls nothing of the manager. NULL: nobody listens. */
    void (*breach)(void *context, uint32_t rule);
    void *breach_context;
    /* Whether the GPU has written any of those bytes, for the sake of D-092; a machine's whose GPU
     * can be looked into. False: it has not, or nobody knows. Any thread; it waits for nothing and
     * calls nothing of the manager. NULL: nobody can tell, and the rule is not judged.
     * softgpu_device_wrote() answers it. */
    bool (*gpu_wrote)(void *context, const struct vidmm_gpu_write *question);
    void *gpu_wrote_context;
    const struct vidmm_adapter_link
        *links;          /* physical adapters but the lead, or NULL; for start() */
    uint32_t link_count; /* of these, 0 .. VIDMM_LINKS - 1; default 0 */
};

/* The defaults that shipping drivers assume. */
void vidmm_adapter_options_default(struct vidmm_adapter_options *options);

/* Start the adapter: AddDevice, StartDevice, child relations, caps, segments, paging buffers,
 * system device and context. `driver` is what the miniport registered; it must outlive the adapter.
 * physical_device_object is handed to AddDevice as it is. In a link, host and
 * physical_device_object are the lead's: DxgkDdiLinkDevice has to name the same lead and the same
 * number of adapters. report may be NULL. STATUS_SUCCESS; the driver's own answer if it refused;
 * STATUS_GRAPHICS_DRIVER_MISMATCH: it answered nonsense (the report says what); STATUS_NO_MEMORY;
 * STATUS_INVALID_PARAMETER: an option, or host, driver, options or adapter is NULL. An adapter of
 * NULL is refused so by the other functions that take a report, too. */
NTSTATUS vidmm_adapter_start(const struct vidmm_host *host,
                             const struct _DRIVER_INITIALIZATION_DATA *driver,
                             void *physical_device_object,
                             const struct vidmm_adapter_options *options,
                             struct vidmm_adapter **adapter, struct vidmm_report *report);
/* Destroy what is left of it, finish what is in flight, StopDevice, RemoveDevice. Takes NULL. */
void vidmm_adapter_stop(struct vidmm_adapter *adapter);

/* Plug and Play stops the device, because it is disabled or taken away while programs use it.
 * Packets in flight end and everything leaves video memory, pinned allocations too; then the
 * adapter has stopped: programs, and vidmm_adapter_condition(), are answered STATUS_DEVICE_REMOVED
 * (D-244). Devices and allocations are still to be destroyed, and vidmm_adapter_stop() has the
 * driver stop the device. Waits for the GPU. The report may be NULL. After a refusal all goes on,
 * but nothing is displayed any more after STATUS_TIMEOUT. STATUS_DEVICE_BUSY: there is no power;
 * STATUS_TIMEOUT: a lock whose address cannot follow keeps an allocation in place, or somebody else
 * has the adapter rest; STATUS_DEVICE_REMOVED: it has stopped. */
NTSTATUS vidmm_adapter_pnp_stop(struct vidmm_adapter *adapter, struct vidmm_report *report);

/* Take the adapter's power away, or give it back. Before it goes everything leaves video memory and
 * is saved, pinned allocations too, but what stands in a segment that the driver preserves through
 * it (PreservedDuringStandby, PreservedDuringHibernate, PartiallyPreservedDuringHibernate). While
 * it is away vidmm_render() waits, or answers STATUS_DEVICE_BUSY. Waits for the GPU; one thread at
 * a time. The report may be NULL. STATUS_INVALID_PARAMETER: no such state, or not from D0 or to D0;
 * STATUS_TIMEOUT: a lock whose address cannot follow keeps an allocation in place;
 * STATUS_DEVICE_REMOVED: it has stopped. */
NTSTATUS vidmm_adapter_set_power(struct vidmm_adapter *adapter, enum vidmm_power power,
                                 struct vidmm_report *report);

/* Attach the adapter's devices to the IOMMU: from then on they reach what is mapped for them of
 * system memory, and nothing else. It can not be undone; an adapter that is attached answers
 * STATUS_SUCCESS, and the driver hears nothing. Waits until what is in flight has ended; then the
 * driver has exclusive access (DxgkDdiBeginExclusiveAccess), nothing else is called, the devices
 * are held still and attached, and the engine goes on. After a refusal nothing has changed. The
 * report may be NULL. STATUS_NOT_SUPPORTED: the host has no IOMMU, or the driver no
 * IoMmuSecureModeSupported (from 2.4), or not both entry points; STATUS_DEVICE_BUSY: there is no
 * power; the driver's status, if it does not take exclusive access; STATUS_UNSUCCESSFUL: the host
 * does not attach a device; STATUS_TIMEOUT: it does not come to rest; STATUS_DEVICE_REMOVED: it
 * has stopped. Source: "IOMMU-based GPU isolation", DXGKDDI_BEGINEXCLUSIVEACCESS; rules D-235,
 * D-237. */
NTSTATUS vidmm_adapter_isolate(struct vidmm_adapter *adapter, struct vidmm_report *report);

/* The miniport's description of itself for user-mode drivers (DXGKQAITYPE_UMDRIVERPRIVATE). Waits
 * for nothing, and may run beside a change of power (D-308). The report may be NULL. The driver's
 * status, or STATUS_INVALID_PARAMETER: no place for `size` bytes; STATUS_NO_MEMORY: no host memory
 * for them, and the driver was not asked; STATUS_DEVICE_REMOVED: it has stopped. Nothing is written
 * to `data` but on success. */
NTSTATUS vidmm_query_private(struct vidmm_adapter *adapter, void *data, uint32_t size,
                             struct vidmm_report *report);

/* The segments as the miniport reported them, for tools. */
struct vidmm_segment_info {
    uint32_t flags; /* DXGK_SEGMENTFLAGS.Value */
    uint64_t base_address, cpu_translated_address, size, commit_limit;
    uint64_t system_memory_end; /* PartiallyPreservedDuringHibernate: segments that end here are
                                 * kept */
    uint32_t bank_count;        /* 0: no banks */
    const uint64_t *bank_ends;  /* of each bank, from the segment's start; the adapter's */
};
uint32_t vidmm_adapter_segments(const struct vidmm_adapter *adapter); /* ids 1 .. this */
/* `info` receives the report of a segment; zeros for an id that is none. */
void vidmm_adapter_segment(const struct vidmm_adapter *adapter, uint32_t id,
                           struct vidmm_segment_info *info);

/* How full a segment is now. `use` receives zeros for an id that is none. */
void vidmm_adapter_segment_use(const struct vidmm_adapter *adapter, uint32_t id,
                               struct vidmm_segment_use *use);
/* The packets of a node since the start; of a link, those that all its GPUs run as one. `use`
 * receives zeros for a node that is none. Source: D3DKMT_QUERYSTATISTICS_NODE_INFORMATION. */
void vidmm_adapter_node_use(const struct vidmm_adapter *adapter, uint32_t node,
                            struct vidmm_node_use *use);

/* Their totals by the formula of "Calculating graphics memory" (D-246). Bytes. */
struct vidmm_memory_totals {
    uint64_t system;           /* as the operating system sees it; 0: the host does not say */
    uint64_t available;        /* of it for graphics: half, 64 MB at least */
    uint64_t dedicated_video;  /* memory segments of the device's own */
    uint64_t dedicated_system; /* those with PopulatedFromSystemMemory */
    uint64_t shared;           /* the most that all apertures together can show at once */
    uint64_t total;
};
/* The formula itself. commit_limit: ApertureSegmentCommitLimit, 0: the driver sets none. */
struct vidmm_memory_totals vidmm_memory_totals(const struct vidmm_segment_info *segments,
                                               uint32_t count, uint64_t system_memory,
                                               uint64_t commit_limit);
void vidmm_adapter_memory_totals(const struct vidmm_adapter *adapter,
                                 struct vidmm_memory_totals *out);

struct vidmm_statistics {
    uint64_t bytes_in, bytes_out; /* transferred into, out of memory segments */
    uint64_t bytes_moved;         /* inside one, directly (move_directly) */
    uint64_t bytes_read;          /* by vidmm_read_segment() */
    uint64_t bytes_filled, bytes_discarded, bytes_mapped, bytes_unmapped;
    uint64_t bytes_decommitted;     /* backing stores of offered allocations that were given up */
    uint64_t page_ins, evictions;   /* allocations, by any operation */
    uint64_t compactions;           /* times a segment had to be packed anew */
    uint64_t paging_buffers;        /* submitted */
    uint64_t paging_operations;     /* calls of DxgkDdiBuildPagingBuffer that succeeded */
    uint64_t submissions;           /* DMA buffers submitted, or parts of them */
    uint64_t splits;                /* of these, followed by another part of the same DMA buffer */
    uint64_t preemptions;           /* times a node was asked to stop */
    uint64_t engine_resets, resets; /* of a node alone; of the adapter */
    uint64_t context_switches;      /* packets with ContextSwitch */
    uint64_t renames;               /* discards that got another instance */
    uint64_t instances_made, instances_gone; /* of allocations, besides the first */
    uint64_t context_inits;                  /* InitContextResource */
    uint64_t demotions, promotions; /* of what is on residency lists: out of a memory segment, and
                                     * back */
    uint64_t resident_most; /* bytes of memory segments that residency lists named at once, at most,
                             * wherever they were by then */
    uint64_t suspensions;   /* devices whose residency list could not stay in place */
    uint64_t table_evictions;    /* times the page tables of a process left, until it runs again */
    uint64_t table_bytes_most;   /* of page tables of programs, at once; a GPU's own (GpuMmu) */
    uint64_t paging_table_bytes; /* of those of the paging process, from the start on */
    uint64_t findings;           /* things a driver did that Windows would not forgive */
    bool dummy_written;          /* of these: the dummy page behind unmapped ranges of apertures is
                                 written (S4-047) */
};
void vidmm_adapter_statistics(const struct vidmm_adapter *adapter, struct vidmm_statistics *out);

/* A rule of the contract that the driver or a program broke while the manager looked, and that was
 * let pass. The call is refused instead, and there is no finding, if a public page says that start
 * or creation fails, or if the option `strict` is set and there is something to refuse. */
struct vidmm_finding {
    char rule[8];      /* its id: "S0-015" */
    const char *party; /* the party that broke it: "KMD", "UMD" */
    bool warning;      /* Windows goes on, as measured or as public drivers show */
    uint64_t count;    /* how often so far */
    const char *first; /* the first time, in words: value, sentence, id, document */
};
/* Finding number `index`, in the order in which rules were first broken; each rule is one. The
 * texts are the adapter's. False: there are not so many. */
bool vidmm_adapter_finding(const struct vidmm_adapter *adapter, uint32_t index,
                           struct vidmm_finding *finding);

/* Carry out what is due now. finish: and wait until nothing that can go on is queued or in flight,
 * for at most the option timeout_ms. Work behind a wait for a fence, which only its signal ends, is
 * not waited for. False: the time is over, for instance because other programs have submitted all
 * the while; what was due is carried out all the same. Source: D3DKMT_VIDMM_ESCAPE, Wake. */
bool vidmm_adapter_wake(struct vidmm_adapter *adapter, bool finish);
/* Stop the program if an invariant of the manager's state does not hold. Looks at everything, in
 * every build. Source: D3DKMT_VIDMM_ESCAPE, VerifyIntegrity. */
void vidmm_adapter_check(const struct vidmm_adapter *adapter);

/* Have these faults for tests from here on, and no others, for all processes: bits of test_fault.h,
 * none at first. STATUS_INVALID_PARAMETER: a bit that is none, or offers that are to keep their
 * content and to lose it; STATUS_DEVICE_REMOVED: the adapter has stopped. Refused: the faults are
 * as before. Source: D3DKMT_VIDMM_ESCAPE, SetFault. */
NTSTATUS vidmm_adapter_set_faults(struct vidmm_adapter *adapter, uint32_t faults,
                                  struct vidmm_report *report);

/* Why the adapter stopped by itself (a driver that broke its contract, a fence that never came):
 * STATUS_SUCCESS while it runs; else the status that the driver answered, and STATUS_TIMEOUT where
 * it was not a status of the driver's; STATUS_DEVICE_REMOVED where Plug and Play has stopped it.
 * The text names the call, the value, and what Windows would do. */
NTSTATUS vidmm_adapter_condition(const struct vidmm_adapter *adapter, struct vidmm_report *report);

/* ---- devices and contexts -------------------------------------------------------------------- */

/* Create a device, for a process: any number that tells processes apart. May wait for the driver.
 * STATUS_NO_MEMORY; STATUS_DEVICE_REMOVED: the adapter has stopped; or what the driver answered to
 * DxgkDdiCreateDevice. */
NTSTATUS vidmm_device_create(struct vidmm_adapter *adapter, uint64_t process,
                             struct vidmm_device **device, struct vidmm_report *report);
/* Destroy it with all it owns; waits for the GPU. Takes NULL. */
void vidmm_device_destroy(struct vidmm_device *device);
/* A message of a program to the miniport. */
struct vidmm_message {
    struct vidmm_device *device;       /* that it is about; NULL: it is about the adapter */
    struct vidmm_context *context;     /* of the device, that it is about; NULL: none */
    const struct vidmm_device *sender; /* any device of the process that sends it: the driver is
                                          told its process, from WDDM 2.0 on; NULL: it is not */
    void *data;                        /* `size` bytes, which the driver may answer in place */
    uint32_t size;
    bool hardware_access;
    bool no_synchronization; /* the driver is told so; without hardware_access it comes beside other
                                calls in any case */
};

/* Hand the miniport a message. hardware_access: nothing is in flight and nobody else is in the
 * driver meanwhile, and memory stays where it is (D-309); waits for the GPU and for who is in the
 * driver. The driver's status; STATUS_INVALID_PARAMETER: a device of another adapter, a context of
 * another device, no data; STATUS_NOT_SUPPORTED: it has no DxgkDdiEscape; STATUS_DEVICE_BUSY:
 * hardware_access, and the adapter has no power; STATUS_TIMEOUT: hardware_access, and what is in
 * flight never ends, or somebody never comes out of the driver; STATUS_DEVICE_REMOVED; why the
 * device is in error. Source: D3DKMT_ESCAPE, DXGKARG_ESCAPE. */
NTSTATUS vidmm_escape_to(struct vidmm_adapter *adapter, const struct vidmm_message *message,
                         struct vidmm_report *report);
/* Hand it a message about a device, and about no context. */
NTSTATUS vidmm_escape(struct vidmm_device *device, void *data, uint32_t size, bool hardware_access,
                      struct vidmm_report *report);
/* STATUS_SUCCESS, or why the device is in error. STATUS_GRAPHICS_NO_VIDEO_MEMORY: D-089;
 * STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE: its DMA buffer hung, and the engine was reset (D-243);
 * STATUS_DEVICE_REMOVED: it was there when the adapter was reset, or the adapter has stopped;
 * STATUS_INTERNAL_ERROR: vidmm_device_fail(). */
NTSTATUS vidmm_device_condition(const struct vidmm_device *device, struct vidmm_report *report);

/* Put a device in error, as its program asks: its work is refused from now on with
 * STATUS_INTERNAL_ERROR. One that is in error stays in that error. STATUS_DEVICE_REMOVED: the
 * adapter has stopped. Source: D3DKMTMarkDeviceAsError. */
NTSTATUS vidmm_device_fail(struct vidmm_device *device, struct vidmm_report *report);

/* A context on a node, with its DMA buffers. private_data (may be NULL) goes to the driver.
 * STATUS_INVALID_PARAMETER: no such node; STATUS_NO_MEMORY; STATUS_GRAPHICS_NO_VIDEO_MEMORY: no
 * room for its DMA buffers; or the driver's answer. */
NTSTATUS vidmm_context_create(struct vidmm_device *device, uint32_t node, void *private_data,
                              uint32_t private_data_size, struct vidmm_context **context,
                              struct vidmm_report *report);
/* Create a context on some GPUs of a link with page tables. engines: a bit for each physical
 * adapter; 0: all of them, as the other function has it. Each of these runs every DMA buffer, by
 * its own page tables. STATUS_INVALID_PARAMETER: there are fewer; or the link has no page tables,
 * and not all are named. Source: D3DKMT_CREATECONTEXTVIRTUAL, EngineAffinity. */
NTSTATUS vidmm_context_create_on(struct vidmm_device *device, uint32_t node, uint32_t engines,
                                 void *private_data, uint32_t private_data_size,
                                 struct vidmm_context **context, struct vidmm_report *report);
/* Destroy it, once its DMA buffers are done; while the adapter has no power, those that have not
 * begun are given up. Takes NULL. */
void vidmm_context_destroy(struct vidmm_context *context);

/* How much one command buffer of a context may be: for programs that make room for theirs. */
struct vidmm_context_room {
    uint32_t command_size; /* bytes, as many as one of its DMA buffers has */
    uint32_t allocations;  /* elements of an allocation list */
};
void vidmm_context_get_room(const struct vidmm_context *context, struct vidmm_context_room *room);

/* ---- allocations ----------------------------------------------------------------------------- */

/* Create and open one allocation without a resource. private_data is the driver's business.
 * STATUS_INVALID_PARAMETER: the driver described something illegal (the report names the rule);
 * STATUS_NOT_SUPPORTED: it asked for something this version of the manager does not do yet;
 * STATUS_NO_MEMORY; STATUS_GRAPHICS_NO_VIDEO_MEMORY: larger than every segment it may live in;
 * STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE: UseAlternateVA, and no swizzling range is to be
 * had (S0-049); STATUS_DEVICE_REMOVED. A driver's own refusal becomes one of these (D-065). */
NTSTATUS vidmm_allocation_create(struct vidmm_device *device, const void *private_data,
                                 uint32_t private_data_size, struct vidmm_allocation **allocation,
                                 struct vidmm_report *report);

/* Create an allocation over memory that exists: `size` bytes at `address` become the backing store,
 * for a driver that answers ExistingSysMem (memory of the calling process) or ExistingKernelSysMem
 * (of the kernel: here, memory that the host has mapped). Page aligned, whole pages, no fewer than
 * the driver describes; size 0: as many as it describes. It stays the caller's, with its bytes, and
 * is there until the allocation is gone; Lock answers `address`. While it is created and destroyed
 * nobody may touch it. STATUS_INVALID_PARAMETER also: the memory is not what it has to be, the
 * driver does not ask for existing memory, or it asks and none was given to
 * vidmm_allocation_create(). Source: DXGK_ALLOCATIONINFOFLAGS, ExistingSysMem,
 * ExistingKernelSysMem; S0-029 to S0-038. */
NTSTATUS vidmm_allocation_create_over(struct vidmm_device *device, const void *private_data,
                                      uint32_t private_data_size, void *address, uint64_t size,
                                      struct vidmm_allocation **allocation,
                                      struct vidmm_report *report);
/* The handle dies at once; the memory goes when the last reference and lock are gone. Takes NULL.
 * Does not wait. */
void vidmm_allocation_destroy(struct vidmm_allocation *allocation);
uint32_t vidmm_allocation_id(const struct vidmm_allocation *allocation);   /* as in plan.h */
uint64_t vidmm_allocation_size(const struct vidmm_allocation *allocation); /* whole pages */

/* ---- rendering ------------------------------------------------------------------------------- */

struct vidmm_render_reference {
    struct vidmm_allocation *allocation; /* NULL: for patch locations that empty a slot (D-338) */
    bool write;
    /* VIDMM_OFFER_...: offered (residency.h) as soon as the DMA buffer is done with it, unless the
     * CPU has it locked; 0: not. Source: D3DDDI_ALLOCATIONLIST, OfferPriority. */
    uint32_t offer_priority;
};

/* Have the driver turn a command buffer into a DMA buffer (DxgkDdiRender) and queue it. The
 * allocations of the list are in place when it runs; if they do not fit together, it runs in parts,
 * cut at the driver's split points. *value receives the context's fence value: its DMA buffers
 * count from 1. wait: if no DMA buffer is free, wait for one; otherwise answer STATUS_DEVICE_BUSY
 * (try again after a wake()). STATUS_INVALID_PARAMETER: an allocation of another device, an
 * instance that is retired (D-172), the list longer than the driver allows, or what the driver
 * answered; STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION: D-160; STATUS_GRAPHICS_NO_VIDEO_MEMORY,
 * STATUS_DEVICE_REMOVED: the device is in error; STATUS_NO_MEMORY; STATUS_TIMEOUT. */
NTSTATUS vidmm_render(struct vidmm_context *context, const void *command, uint32_t command_length,
                      const struct vidmm_render_reference *references, uint32_t reference_count,
                      bool wait, uint64_t *value, struct vidmm_report *report);
/* The newest value whose DMA buffer, and all before it, are complete (or were given up). */
uint64_t vidmm_context_completed(const struct vidmm_context *context);
/* Wait for a value. STATUS_SUCCESS: its DMA buffer, and all before it, have been executed.
 * A status of vidmm_device_condition(): the device is in error, and this DMA buffer, or one before
 * it, was given up: it never ran, or not to its end.
 * STATUS_TIMEOUT: it did not come and cannot, or the adapter is stopped. */
NTSTATUS vidmm_context_wait(struct vidmm_context *context, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
