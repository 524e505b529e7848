/*
 * rig.h: a manager made of single calls, a tap, and a miniport that does as it is told.
 *
 *     test --> rig_...() --> [ tap ] --> scripted miniport
 *                               `--> violations
 *
 * The adapter: segment 1 is an aperture of 64 MiB, segment 2 and 3 are memory of 64 MiB; the base
 * addresses are large and differ. Node 0 renders, node 1 pages. Three paging buffers of 4096 bytes
 * lie in the aperture, with 64 bytes of private data each.
 *
 * Every rig_ function makes calls as the contract wants them. A test that breaks a rule makes the
 * one call that does so by hand, or bends what a function is about to do.
 */
#ifndef TEST_CONTRACT_RIG_H
#define TEST_CONTRACT_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "contract/contract.h"

enum {
    RIG_APERTURE = 1,
    RIG_MEMORY = 2,
    RIG_OTHER = 3,
    RIG_OTHER_MEMORY = 3,
    RIG_SEGMENTS = 3,
    RIG_RENDER_NODE = 0,
    RIG_PAGING_NODE = 1,
    RIG_BUFFERS = 3,
    RIG_BUFFER_SIZE = 4096,
    RIG_PRIVATE_SIZE = 64,
    RIG_ALLOCATIONS = 32,
    RIG_HOST_PAGES = 64,    /* of the CPU host aperture of segment 3, from 2.0 on */
    RIG_STANDARD_SIZE = 24, /* private data of a standard allocation */
};

#define RIG_APERTURE_BASE UINT64_C(0x40000000)
#define RIG_MEMORY_BASE UINT64_C(0x100000000)
#define RIG_OTHER_BASE UINT64_C(0x200000000)
#define RIG_SEGMENT_SIZE UINT64_C(0x4000000)

struct rig_allocation {
    HANDLE handle;        /* the miniport's */
    D3DKMT_HANDLE opened; /* the manager's */
    HANDLE open;          /* device-specific */
    uint64_t size;
    MDL *mdl; /* of its backing pages */
};

struct rig_buffer {
    unsigned char *memory; /* page-aligned */
    unsigned char private_data[RIG_PRIVATE_SIZE];
    uint64_t address; /* segment address, in the aperture */
    UINT start, end;  /* built and not submitted */
    UINT private_start, private_end;
    UINT fence;
};

struct rig {
    struct vidmm_tap *tap;
    const DRIVER_INITIALIZATION_DATA *driver; /* the wrapped one */
    DXGKRNL_INTERFACE kernel;                 /* the manager's callbacks */
    DXGKRNL_INTERFACE seen;                   /* the callbacks that the miniport got */
    ULONG version;
    bool immediate; /* the miniport writes nothing and does all by CPU */

    HANDLE adapter, device, other_device, context, paging_context;
    HANDLE same_process; /* what the miniport answers once more; NULL: it answers new handles */
    HANDLE kernel_device,
        kernel_context; /* the manager's handles of `device` and of the newest context */
    struct rig_allocation allocations[RIG_ALLOCATIONS];
    unsigned allocation_count;
    struct rig_buffer buffers[RIG_BUFFERS];
    unsigned current; /* buffer being built */
    UINT fence;       /* last one given out */
    uintptr_t next_handle;
    unsigned char *dma; /* DMA buffer for rendering */

    /* The miniport's answer at the next BuildPagingBuffer, once. */
    NTSTATUS answer;
    UINT advance, private_advance, multipass;
    void (*during)(struct rig *rig); /* called from inside */

    /* Its answer to the others, until changed. */
    NTSTATUS status;
    DXGK_ALLOCATIONINFO info; /* given out by CreateAllocation, with another handle each time */
    UINT caps;
    UINT allocation_list_size;  /* of a context */
    UINT current_fence;         /* of QueryCurrentFence; LastAbortedFenceId of ResetEngine */
    bool reports_fence;         /* QueryCurrentFence reports it as complete */
    bool wants_no_private_data; /* of a paging buffer */
    bool reports_preemption;    /* from inside PreemptCommand: all that was submitted is complete */
    bool sets_no_sources, sets_no_children;        /* StartDevice */
    bool agp;                                      /* segment 3 is the AGP aperture */
    UINT height;                                   /* of DescribeAllocation; lines of 64 pixels */
    void (*in_interrupt_routine)(struct rig *rig); /* called from inside */

    atomic_uint interrupts, dpcs; /* those that arrived at the manager */
    bool physical;                /* from 2.0 on: not GpuMmuSupported */
    bool allowed[VIDMM_RULE_COUNT];

    /* At 2.0 (rig_virtual.h). */
    UINT mmu;                                      /* DXGK_GPUMMUCAPS.Value */
    DXGK_PAGETABLEUPDATEMODE mode;                 /* PageTableUpdateMode */
    UINT paging_segment, dma_set;                  /* PagingBufferSegmentId, DmaBufferSegmentSet */
    uint64_t vpr_start, vpr_size;                  /* of segment 2; 0 bytes: it has none */
    HANDLE system_process, process, system_device; /* the miniport's */
};

/* The level that the calling thread runs at. */
extern _Thread_local uint8_t rig_irql;

/* ---- The adapter ---- */

/* Start at a level; config may be NULL. Allocations do not exist yet. */
void rig_start(struct rig *rig, ULONG version, const struct vidmm_tap_config *config);
/* From 2.0 on: the driver says now that its GPU uses physical addresses. */
void rig_have_no_page_tables(struct rig *rig);
/* Ask the miniport for its segments once more. */
void rig_query_segments(struct rig *rig);
/* Stop and free all. */
void rig_stop(struct rig *rig);
/* Free what is the rig's own, when adapter and tap are gone. */
void rig_forget(struct rig *rig);

/* Fail unless exactly these violations were found: of this rule, and of those that were allowed. */
void rig_expect(struct rig *rig, enum vidmm_rule_id rule);
void rig_expect_none(struct rig *rig);
/* The test breaks this rule too, as a consequence. */
void rig_allow(struct rig *rig, enum vidmm_rule_id rule);

/* ---- Allocations ---- */

#define RIG_SET(id) (1u << ((id)-1))

/* Create and open one; sets name segments by RIG_SET. */
struct rig_allocation *rig_allocate(struct rig *rig, uint64_t size, UINT read, UINT write,
                                    UINT eviction);
/* One of 64 KiB that may live in segment 2. */
struct rig_allocation *rig_simple(struct rig *rig);
void rig_close(struct rig *rig, struct rig_allocation *allocation);
void rig_destroy(struct rig *rig, struct rig_allocation *allocation);

/* ---- Paging ---- */

/* One for all of `device`'s contexts, or for the newest context alone; set names segments. The
 * miniport asks for it from inside no call, which it may. */
struct rig_allocation *rig_context_allocation(struct rig *rig, UINT set, UINT flags, bool shared);
DXGKARG_BUILDPAGINGBUFFER rig_init(const struct rig_allocation *allocation, UINT segment,
                                   uint64_t address);
/* Submit a DMA buffer of the context that needs nothing else. */
UINT rig_run(struct rig *rig, HANDLE context);
/* Have the render node leave what it runs. */
void rig_switch(struct rig *rig);
/* One more context of `device`. */
HANDLE rig_new_context(struct rig *rig);

/* Arguments of an operation; the members of the buffer are filled by rig_build. */
DXGKARG_BUILDPAGINGBUFFER rig_transfer_in(const struct rig_allocation *allocation, UINT segment,
                                          uint64_t address);
DXGKARG_BUILDPAGINGBUFFER rig_transfer_out(const struct rig_allocation *allocation, UINT segment,
                                           uint64_t address);
DXGKARG_BUILDPAGINGBUFFER rig_fill(const struct rig_allocation *allocation, UINT segment,
                                   uint64_t address);
DXGKARG_BUILDPAGINGBUFFER rig_discard(const struct rig_allocation *allocation, UINT segment,
                                      uint64_t address);
DXGKARG_BUILDPAGINGBUFFER rig_map(const struct rig *rig, const struct rig_allocation *allocation,
                                  uint64_t page);
DXGKARG_BUILDPAGINGBUFFER rig_unmap(const struct rig *rig, const struct rig_allocation *allocation,
                                    uint64_t page);

/* Give the operation the place where the current buffer goes on. */
void rig_place(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER *asked);
/* Place, call, and keep in step. The miniport succeeds and writes 64 bytes unless told
 * otherwise. */
NTSTATUS rig_build(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER asked);
/* Call and keep in step without placing; `asked` is as the miniport left it. */
NTSTATUS rig_build_raw(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER *asked);
/* Tell the miniport how to answer the next call. */
void rig_answer(struct rig *rig, NTSTATUS status, UINT advance, UINT multipass);

/* Go on in the next paging buffer, emptied; its private data stays as it is. */
void rig_new_buffer(struct rig *rig);
/* Patch and submit what is built in the current buffer; answers the fence id. */
UINT rig_flush(struct rig *rig);
/* Flush, complete, and take a new buffer. */
void rig_page(struct rig *rig);

/* Tell the render node to leave its context, as is due before what it has used moves (D-256). */
void rig_leave_context(struct rig *rig);
/* Bring an allocation to segment 2 at this offset, or map it at this page, and wait. */
void rig_page_in(struct rig *rig, struct rig_allocation *allocation, uint64_t offset);
void rig_map_in(struct rig *rig, struct rig_allocation *allocation, uint64_t page);

/* ---- Work ---- */

/* Arguments of Patch and SubmitCommand for the current paging buffer, or for a DMA buffer. */
DXGKARG_PATCH rig_paging_patch(struct rig *rig);
DXGKARG_SUBMITCOMMAND rig_paging_submit(struct rig *rig, UINT fence);
DXGKARG_PATCH rig_dma_patch(struct rig *rig, DXGK_ALLOCATIONLIST *list, UINT count);
DXGKARG_SUBMITCOMMAND rig_dma_submit(struct rig *rig, UINT fence);
NTSTATUS rig_patch(struct rig *rig, const DXGKARG_PATCH *patch);
NTSTATUS rig_submit(struct rig *rig, const DXGKARG_SUBMITCOMMAND *command);

DXGK_ALLOCATIONLIST rig_reference(const struct rig_allocation *allocation, UINT segment,
                                  uint64_t address, bool write);
/* Patch and submit a DMA buffer with one reference; answers the fence id. */
UINT rig_render(struct rig *rig, const struct rig_allocation *allocation, UINT segment,
                uint64_t address);

/* The miniport reports. */
void rig_complete(struct rig *rig, UINT node, UINT fence);
void rig_preempted(struct rig *rig, UINT node, UINT last_completed);

MDL *rig_new_mdl(uint64_t pages);

/* ---- The tests of the rules ---- */

#define RULE(id, party, level, how, calls, checker, source, bugcheck, sentence)                    \
    void breaks_##id(struct rig *rig);                                                             \
    void keeps_##id(struct rig *rig);
#include "wddm/rules.def"

#endif
