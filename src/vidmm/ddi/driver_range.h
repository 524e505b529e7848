/* driver_range.h: addresses that the miniport reserves for itself in a process, by
 * DxgkCbReserveGpuVirtualAddressRange.
 *
 *     0        one leaf table                                         end
 *     +--------+-----------------+------------------+-----------------+
 *     | VidMm  |                 | the miniport's   |                 |   of a program
 *     +--------+-----------------+------------------+-----------------+
 *     | what stays mapped, scratch range |  the miniport's  |         |   of the paging process
 *     +----------------------------------+------------------+---------+
 *
 * A range is of whole leaf tables, so that no entry above a leaf is shared. It is reserved while
 * the process is created, that of the paging process while the system device is, too; it stays as
 * long as the process. Its entries are invalid, and the miniport may lead them to tables of its
 * own.
 *
 * Source: DXGKCB_RESERVEGPUVIRTUALADDRESSRANGE, DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE; rules
 * D-225, D-391.
 */
#ifndef VIDMM_DDI_DRIVER_RANGE_H
#define VIDMM_DDI_DRIVER_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct _DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE;
struct vidmm_adapter;
struct vidmm_process;

/* Answer the callback: StartVirtualAddress is where, or 0 after a refusal, which changes nothing
 * else. STATUS_INVALID_PARAMETER: no process that is being created, or what a page forbids;
 * STATUS_NOT_SUPPORTED: the process has no addresses; STATUS_NO_MEMORY: no such addresses are free,
 * or the process has VIDMM_DRIVER_RANGES. */
NTSTATUS vidmm_ddi_reserve_addresses(struct vidmm_adapter *adapter,
                                     struct _DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *arguments);
/* The range of the process that [start, end) meets; NULL: none. */
const struct vidmm_driver_range *vidmm_driver_range_at(const struct vidmm_process *process,
                                                       uint64_t start, uint64_t end);

#endif
