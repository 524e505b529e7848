/* rig.h: check's own graphics kernel: starts an adapter and calls it, one thing at a time.
 *
 *     rig.c         AddDevice ... StopDevice, device, context, callbacks, fences
 *     rig_query.c   caps and segments
 *     rig_memory.c  system pages with an MDL, allocations
 *     rig_paging.c  BuildPagingBuffer by its protocol, Patch, SubmitCommand
 *
 * A manager decides for itself what it asks of a driver and when; a rig is told. It keeps the
 * protocol (a repeated call is the same call, a buffer that is full is submitted, what is busy is
 * made idle), and reports what the driver does against it. It has one thread, the child's first.
 *
 * After a finding that makes going on senseless (an illegal status, a lost fence) `dead` is set,
 * and every later call does nothing.
 */
#ifndef CHECK_RIG_H
#define CHECK_RIG_H

#include <stdatomic.h>

#include <wddm/dispmprt.h>

#include "check/display.h"
#include "wddm/rule.h"

#define VIDMM_RIG_SEGMENTS 33u /* ids 1 .. 32 */
#define VIDMM_RIG_NODES 64u
#define VIDMM_RIG_BUFFERS 64u /* paging buffers that may be in flight */
#define VIDMM_RIG_CONTEXT_ALLOCATIONS 16u
#define VIDMM_RIG_GUARD 4096u /* bytes behind a paging buffer and its private data */

struct vidmm_rig_segment {
    DXGK_SEGMENTFLAGS flags;
    uint64_t base, cpu_translated, size, commit_limit;
    uint64_t protected_start, protected_size; /* of the protected range; 0 bytes: there is none */
    uint8_t *cpu;                             /* the CPU's view; NULL: it has none */
};

/* System pages, with the list of them that a driver gets. */
struct vidmm_rig_pages {
    MDL *mdl;
    uint64_t count;
    uint64_t *frames; /* the MDL's */
    uint8_t *address; /* where the CPU sees them */
    uint64_t
        logical; /* the first page number by which the GPU finds them, no memory's; 0: frames */
};

struct vidmm_rig_buffer {
    struct vidmm_rig_pages pages; /* contiguous, the guard page behind them too */
    uint8_t *private_data;
    uint32_t used, private_used;
    uint32_t operations;    /* in it, that were answered with success */
    uint32_t aperture_page; /* where it is mapped, if paging buffers live in an aperture */
    D3DGPU_VIRTUAL_ADDRESS gpu_address; /* in the paging process, if work is submitted by address */
    uint64_t fence;                     /* the fence that ends it; 0: it was not submitted */
};

struct vidmm_rig_allocation {
    HANDLE kmd, opened, resource;
    bool shared; /* it is the one allocation of a resource */
    D3DKMT_HANDLE handle;
    DXGK_ALLOCATIONINFO info;
    uint64_t size;                         /* whole pages */
    _Alignas(8) uint8_t private_data[256]; /* VIDMM_USER_PRIVATE */
    uint32_t private_size;
};

/* One that the driver made by DxgkCbCreateContextAllocation. */
struct vidmm_rig_context_allocation {
    bool used;
    HANDLE driver; /* as it calls it */
    uint64_t size;
    uint32_t alignment, segments;
};

struct vidmm_rig {
    struct vidmm_check_host *place;
    struct vidmm_board *board;
    const struct vidmm_miniport_configuration *habits;
    const struct vidmm_host *host;
    const DRIVER_INITIALIZATION_DATA *driver;
    uint16_t level;
    bool dead, connected, started;
    bool again;      /* the adapter is started once more, so its GPU must go on */
    bool spent;      /* it died of what it need not bear */
    bool hung;       /* the GPU stands still: by the line `hang`, or an access that led nowhere */
    bool stands;     /* it does so now: nothing becomes idle */
    bool ends_early; /* behind the system context: its caps are such (W-002) */

    HANDLE adapter, device, context, system_context;
    DXGKRNL_INTERFACE interface;
    DXGK_DEVICEINFO device_info; /* without MultiEngineAware: sizes of DMA buffers */
    DXGK_DRIVERCAPS caps;
    bool by_address; /* the GPU has page tables: paging goes by address */
    DXGK_GPUMMUCAPS mmu;
    HANDLE process; /* the process that pages; the driver's handle */
    bool multi_engine;
    uint32_t nodes, paging_node;
    struct vidmm_check_display display;
    unsigned segment_form; /* QUERYSEGMENT4, 3, or 1: the first */
    uint32_t segment_count, paging_segment, paging_size, paging_private_size;
    struct vidmm_rig_segment segments[VIDMM_RIG_SEGMENTS];
    uint32_t named_set, eviction_set; /* segments in a set, the EvictionSegmentSet of allocations */
    struct vidmm_rig_pages dummy;

    struct vidmm_rig_buffer buffers[VIDMM_RIG_BUFFERS];
    uint32_t buffer_count;
    struct vidmm_rig_buffer *open;  /* being filled; NULL: none */
    char built[1100];               /* record of the last operation that was built */
    char record[1100];              /* ... that was built for its own sake, not to look */
    bool looking;                   /* what is built now only puts bytes there, or looks at them */
    atomic_bool claims;             /* the answer of the newest run of the interrupt routine */
    bool share;                     /* allocations are made by another device, which goes */
    bool of_what_is_gone;           /* the operation names what a driver need not know: W-014 */
    atomic_uint_fast64_t submitted; /* the last fence */
    atomic_uint_fast64_t completed[VIDMM_RIG_NODES];
    atomic_uint preempted, preempted_last; /* the last answer: to which request, and which fence */
    uint32_t preemption;                   /* the last request */
    atomic_uint faulted;                   /* the last fence that was reported as page-faulted */
    atomic_uint low_irql, inside, wrong;
    atomic_uint last_wrong;

    struct vidmm_rig_allocation *allocations[256]; /* by handle, for DxgkCbGetHandleData */
    /* Has an allocation of a context updated, in the address space of the paging process; NULL:
     * cannot be. */
    NTSTATUS(*update)
    (void *argument, const struct vidmm_rig_context_allocation *allocation, const void *data,
     uint32_t size);
    void *update_argument;
    bool update_refused; /* it was asked for and could not be */
    struct vidmm_rig_context_allocation context_allocations[VIDMM_RIG_CONTEXT_ALLOCATIONS];
    D3DKMT_HANDLE next_handle;
    bool handles_are_dead;             /* DxgkCbGetHandleData finds nothing behind them */
    uint32_t null_answers;             /* so often it has found nothing */
    bool told_flags[VIDMM_RULE_COUNT]; /* rules on words of flags that were found broken */
};

/* ---- life (rig.c) ---- */

/* Start the adapter through `table` (the tap's). False: the board says why. Stop undoes the work in
 * either case. */
bool vidmm_rig_start(struct vidmm_rig *rig, struct vidmm_check_host *place,
                     const DRIVER_INITIALIZATION_DATA *table);
void vidmm_rig_stop(struct vidmm_rig *rig);
/* Let those DPCs run that are queued. */
void vidmm_rig_flush_dpcs(const struct vidmm_rig *rig);
/* Start a display-only driver: adapter and children, nothing that concerns memory. */
bool vidmm_rig_start_display(struct vidmm_rig *rig, struct vidmm_check_host *place,
                             const DRIVER_INITIALIZATION_DATA *table);
/* Ask caps and segments (rig_query.c). */
bool vidmm_rig_query(struct vidmm_rig *rig);
/* Name a status: "STATUS_NO_MEMORY", "0xc0000001". Good until the next four calls. */
const char *vidmm_rig_status(NTSTATUS status);
/* The driver broke a rule of the contract. `wrong`: it is a finding; else a note, as what it does
 * may be right where check does not see it, and as everything is in an attempt that may fail. */
__attribute__((format(printf, 4, 5))) void
vidmm_rig_breach(struct vidmm_rig *rig, enum vidmm_rule_id id, bool wrong, const char *format, ...);
/* Is everything up to `fence` of the paging node complete? Waits as long as the configuration says;
 * false: it is not, and the rig is dead. */
bool vidmm_rig_wait(struct vidmm_rig *rig, uint64_t fence);
bool vidmm_rig_wait_on(struct vidmm_rig *rig, uint32_t node, uint64_t fence);

/* May the driver make allocations for its contexts? From WDDM 1.2 on; from 2.0 on they have
 * addresses of the GPU's, which the rig does not give. */
bool vidmm_rig_has_context_allocations(const struct vidmm_rig *rig);

/* ---- words of flags (rig_flags.c) ---- */

/* Find the rules that the flags of the segments, or of an allocation, break; each once. */
void vidmm_rig_judge_segments(struct vidmm_rig *rig);
void vidmm_rig_judge_allocation(struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info,
                                bool primary);

/* ---- memory (rig_memory.c) ---- */

bool vidmm_rig_take_pages(struct vidmm_rig *rig, uint64_t size, bool contiguous,
                          struct vidmm_rig_pages *pages);
void vidmm_rig_give_pages(struct vidmm_rig *rig, struct vidmm_rig_pages *pages);

/* Create and open an allocation of about `size` bytes. Private data: of the plug-in, of the
 * configuration, of DxgkDdiGetStandardAllocationDriverData, none; the first that the driver takes.
 * NULL: it takes none of them. */
struct vidmm_rig_allocation *vidmm_rig_create(struct vidmm_rig *rig, uint64_t size);
/* Create the shared primary of the fixed mode; where the driver has none, any allocation. */
struct vidmm_rig_allocation *vidmm_rig_create_primary(struct vidmm_rig *rig);
/* Create an allocation like `whole` with less private data than the driver took, at the end of a
 * page behind which there is nothing: whether it succeeds is the driver's to say, but it may not
 * read further. */
void vidmm_rig_try_short(struct vidmm_rig *rig, const struct vidmm_rig_allocation *whole);
/* Open an allocation of which DxgkCbGetHandleData knows nothing: a driver that asks fails the
 * call. From WDDM 2.0 on that is how it always is there (W-027), and nothing is tried. */
void vidmm_rig_try_dead_handle(struct vidmm_rig *rig);
/* A call begins in which handles name nothing; it has ended with `status`: find if the driver has
 * asked for the object behind one, and the call succeeded (D-385). Answers whether it has asked. */
void vidmm_rig_begin_dead_handles(struct vidmm_rig *rig);
bool vidmm_rig_judge_dead_handles(struct vidmm_rig *rig, const char *function, NTSTATUS status);
void vidmm_rig_destroy(struct vidmm_rig *rig, struct vidmm_rig_allocation *allocation);

/* ---- paging (rig_paging.c) ---- */

/* How a call ended. */
enum vidmm_rig_answer {
    VIDMM_RIG_BUILT,
    VIDMM_RIG_UNKNOWN, /* the driver does not know the operation: it said so by its status */
    VIDMM_RIG_DEAD,
};

/* The segments that an allocation may be used in, bit n for segment n + 1: from WDDM 2.0 on those
 * of SupportedWriteSegmentSet alone, for reads too (S1-025). */
uint32_t vidmm_rig_set(const struct vidmm_rig *rig, const DXGK_ALLOCATIONINFO *info);

/* Are pages mapped by address descriptor lists, which may be logical? */
bool vidmm_rig_maps_by_list(const struct vidmm_rig *rig);
/* Let the GPU find pages that lie in a row by numbers that mean nothing to the CPU, as an IOMMU
 * does, until they are taken back by vidmm_rig_no_logical(). A driver that maps one for the CPU is
 * found. One set of pages at a time, while the GPU uses none. */
void vidmm_rig_make_logical(struct vidmm_rig *rig, struct vidmm_rig_pages *pages);
void vidmm_rig_no_logical(struct vidmm_rig *rig, struct vidmm_rig_pages *pages);

/* Fill the arguments for a map of `count` pages, from page `first` of `pages` on, into an aperture
 * segment from its page `page` on: MapApertureSegment, or MapApertureSegment2 where the caps say
 * MapAperture2Supported. The allocation is the caller's to fill, where there is one; both have
 * hAllocation in the same place. */
void vidmm_rig_fill_map(const struct vidmm_rig *rig, DXGKARG_BUILDPAGINGBUFFER *arguments,
                        uint32_t segment, uint64_t page, uint64_t count,
                        const struct vidmm_rig_pages *pages, uint64_t first);

/* Have the driver build an operation: arguments->Operation and its member are filled, the rest is
 * the rig's. Paging buffers are submitted as they fill up. */
enum vidmm_rig_answer vidmm_rig_build(struct vidmm_rig *rig,
                                      const DXGKARG_BUILDPAGINGBUFFER *arguments);
/* Call the driver with an operation and take its answer: nothing is judged, and what it wrote is
 * forgotten. False: no paging buffer is free. */
bool vidmm_rig_ask(struct vidmm_rig *rig, const DXGKARG_BUILDPAGINGBUFFER *arguments,
                   NTSTATUS *status);
/* Submit the open paging buffer, if there is one. */
bool vidmm_rig_submit(struct vidmm_rig *rig);
/* Submit, and wait for everything. */
bool vidmm_rig_finish(struct vidmm_rig *rig);
/* Take back what the paging node has not begun, and wait for the answer (DMA_PREEMPTED). False:
 * there was none, and the rig is dead. */
bool vidmm_rig_preempt(struct vidmm_rig *rig);
/* The call alone; its answer, if it comes, is in `preempted`. */
NTSTATUS vidmm_rig_ask_preemption(struct vidmm_rig *rig);
/* Submit again what was taken back, in its order, by new fences. */
bool vidmm_rig_resubmit(struct vidmm_rig *rig);
/* Take the paging buffers into use; and away. */
bool vidmm_rig_paging_start(struct vidmm_rig *rig);
void vidmm_rig_paging_stop(struct vidmm_rig *rig);

#endif
