/* paging_tables.h: the page tables of the paging process: their memory, and what is written to them
 * while the adapter starts.
 *
 *     vidmm_paging_tables_plan()    which there are; their ranges are reserved   before the engine
 *     vidmm_paging_tables_take()    their memory, as the CPU sees it             after the system
 *     vidmm_paging_tables_write()   cleared, and linked, leaves first            context
 *     vidmm_paging_tables_show()    SetRootPageTable
 *
 * The addresses of the paging process:
 *
 *     0        64K        window              buffers      scratch                       end
 *     +--------+----------------------------+------------+-----------------------------+
 *     | never  | the leaf tables themselves | of paging  | whatever is being paged      |
 *     | mapped | (GPU_VIRTUAL)              | (aperture) |                              |
 *     +--------+----------------------------+------------+-----------------------------+
 *                                                        | from | to | from, to of 64 KiB pages
 *
 * Source: "System paging process"; DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE,
 * DXGKARG_SETROOTPAGETABLE; measured starts (W-004 to W-010).
 */
#ifndef VIDMM_DDI_PAGING_TABLES_H
#define VIDMM_DDI_PAGING_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/ddi/table_layout.h"
#include "vidmm/object/backing.h"

struct _DXGK_PTE;
struct vidmm_adapter;
struct vidmm_report;
struct vidmm_table_memory;

/* The part of a CPU host aperture that shows them (host_aperture.h). */
struct vidmm_table_view {
    uint32_t segment;      /* 0: the CPU needs no view */
    uint32_t first, pages; /* of the aperture */
    uint64_t end;          /* bytes of the segment: behind the last table */
    uint8_t *cpu;          /* where the CPU sees the first page; NULL: not taken */
    uint64_t shown;        /* page of the segment that it shows */
    uint32_t count;        /* pages that are mapped; 0: it shows nothing */
};

struct vidmm_paging_tables {
    struct vidmm_table_layout layout;
    struct vidmm_table_view view;
    struct vidmm_backing pages;   /* system memory that holds tables */
    uint32_t engine;              /* the physical adapter whose tables are written now */
    bool written;                 /* the driver has written to them */
    NTSTATUS answered;            /* by the driver, to the newest write */
    uint32_t reason;              /* enum vidmm_reason: why that may be an error */
    struct _DXGK_PTE *entries;    /* scratch of a write; NULL: there was none yet */
    uint64_t window, window_size; /* where the leaf tables are mapped; 0: nowhere */
    uint64_t buffers;             /* where paging buffers are, from the first on */
    uint64_t buffer_stride;       /* bytes from one to the next; 0: they are not mapped */
    uint64_t scratch;             /* from here to the end of the layout */
    bool wide_scratch;            /* two leaves of it, behind the first two, have 64 KiB pages */
};

/* Lay the tables out, and reserve their ranges. A GPU without page tables needs nothing.
 * Refused: the report says why. */
NTSTATUS vidmm_paging_tables_plan(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Take their memory. Refused: the CPU does not see it, or there is none. */
NTSTATUS vidmm_paging_tables_take(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Have the driver clear them and write what never changes. Paging buffer 1 is there. Refused: the
 * driver was, or, the first time, no memory is left for entries. Again: when their bytes were lost
 * (D-263). */
NTSTATUS vidmm_paging_tables_write(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* The CPU sees none of them by a CPU host aperture from here on, until they are written again. */
void vidmm_paging_tables_hide(struct vidmm_adapter *adapter);
/* Tell the driver where the root is. */
void vidmm_paging_tables_show(struct vidmm_adapter *adapter);
/* Have the driver invalidate every entry, if it wants that of tables that go (D-133). */
void vidmm_paging_tables_clear(struct vidmm_adapter *adapter);
/* Give their memory back; what was never taken is none. */
void vidmm_paging_tables_finish(struct vidmm_adapter *adapter);

/* The table of a level that translates the address, which is below the layout's end. */
void vidmm_paging_table_find(struct vidmm_adapter *adapter, uint32_t level, uint64_t address,
                             struct vidmm_table_memory *memory);
/* The address behind all that is mapped, or will be: what follows may be the miniport's. */
uint64_t vidmm_paging_tables_used(const struct vidmm_adapter *adapter);
/* The bytes that they take of segments and of system memory. */
uint64_t vidmm_paging_tables_bytes(const struct vidmm_adapter *adapter);
/* The address by which the GPU fetches a paging buffer: of the paging process, or with the CPU's
 * page tables where the CPU sees it; 0: by none, offsets count (W-017). */
uint64_t vidmm_paging_tables_buffer(const struct vidmm_adapter *adapter, uint32_t paging_buffer);

#endif
