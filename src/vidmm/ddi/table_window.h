/* table_window.h: page tables of programs as the GPU writes them by address (GPU_VIRTUAL).
 *
 *     paging process   ... [ window ] ...            one table at a time is mapped there
 *                              |
 *     UpdatePageTable          |  of the paging process: the window's entries    (stage 0)
 *     FlushTlb                 |  of the paging root                             (stage 1)
 *     UpdatePageTable          '- of the program's table, at the window's address
 *
 * The two calls before are left out as long as the window shows the table already, and the flush
 * where the GPU keeps no invalid entries and all of the window's were. Everything is executed in
 * order, so the window may be used again in the same paging buffer.
 *
 * Source: D-387.
 */
#ifndef VIDMM_DDI_TABLE_WINDOW_H
#define VIDMM_DDI_TABLE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/adapter.h>

struct vidmm_adapter;
struct vidmm_operation;
struct _DXGK_PTE;
struct _DXGKARG_BUILDPAGINGBUFFER;

struct vidmm_table_window {
    uint64_t address, size;      /* of the paging process; 0: the GPU writes no tables by address */
    struct _DXGK_PTE *entries;   /* of the largest table */
    struct vidmm_table_shown {   /* of each physical adapter */
        uint32_t segment, stage; /* of what it shows, or is to show; 2: it shows it */
        bool mapped;             /* its entries have been valid */
        uint64_t offset;
    } shown[VIDMM_LINKS];
};

/* Bytes that the window takes: those of the largest table; 0: there is none. */
uint64_t vidmm_table_window_size(const struct vidmm_adapter *adapter);
/* Room for its entries. Its address is known. False: no memory. */
bool vidmm_table_window_init(struct vidmm_adapter *adapter);
void vidmm_table_window_finish(struct vidmm_adapter *adapter);

/* Write the arguments of the next call that the operation needs before it; it has been done when
 * vidmm_table_window_advance() says so. False: the window shows the table, or none is needed. */
bool vidmm_table_window_fill(struct vidmm_adapter *adapter, uint32_t engine,
                             const struct vidmm_operation *operation,
                             struct _DXGKARG_BUILDPAGINGBUFFER *arguments);
void vidmm_table_window_advance(struct vidmm_adapter *adapter, uint32_t engine);
/* Calls that were built may never be executed: it shows nothing. */
void vidmm_table_window_forget(struct vidmm_adapter *adapter);

#endif
