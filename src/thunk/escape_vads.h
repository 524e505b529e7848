/* escape_vads.h: escapes about the addresses of the calling process.
 *
 *     VAD 0: reserved                              VAD 1: obtained by Map
 *     |---- A ----|------ zero ------|-- B --|     |---- C ----|
 *       range 0                       range 1        range 0
 *
 * A VAD is a reservation, and its ranges are the runs that mean an allocation. VADs count from 0 by
 * address, ranges from 0 in their VAD. VadAddress, the name of a VAD, is its first address; an end
 * is behind the last address. VadType: 0, of D3DKMTReserveGpuVirtualAddress; 1, of
 * D3DKMTMapGpuVirtualAddress. OwnerType is 1, an allocation, and pOwner its number in journals.
 * Protection is of D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE.
 *
 *     root, level 2    PageTableIndex[2] --> table of level 1
 *                                            PageTableIndex[1] --> leaf, level 0
 *                                                                  PageTableIndex[0] and on: Pte[]
 *
 * An entry of a page table is found by its index at each level; levels count from the leaf, which
 * is 0, as those of GET_GPUMMU_CAPS do, and indices below PageTableLevel are not looked at. NumPtes
 * entries from there on are told, to the end of the table at most, and NumValidEntries says how
 * many these are: 0, if an entry on the way leads to no table. Each is as the manager would have it
 * now, and maybe not yet known to the GPU; Valid may be 0. With DualPteSupported b64KBPte says
 * which of the two leaves is meant, and which of the two entries of level 1. With other drivers it
 * is not looked at, and receives whether the table is a leaf of 64 KiB pages.
 *
 * Source: D3DKMT_VAD_DESC, D3DKMT_VA_RANGE_DESC, D3DKMT_GET_PTE. Their numbers have no page: these
 * are our own.
 */
#ifndef VIDMM_THUNK_ESCAPE_VADS_H
#define VIDMM_THUNK_ESCAPE_VADS_H

#include <wddm/d3dkmthk.h>

struct vidmm_adapter;

/* Answer GETNUMVADS, GETVAD, GETVADRANGE or GET_PTE. STATUS_INVALID_PARAMETER: no such VAD, or
 * range; a level, an index or a number of entries out of its range. STATUS_NOT_SUPPORTED: GET_PTE,
 * and there are no page tables. */
NTSTATUS vidmm_escape_vads(struct vidmm_adapter *adapter, uint64_t process,
                           D3DKMT_VIDMM_ESCAPE *escape);

#endif
