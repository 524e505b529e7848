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
 * Source: D3DKMT_VAD_DESC, D3DKMT_VA_RANGE_DESC. Their numbers have no page: these are our own.
 */
#ifndef VIDMM_THUNK_ESCAPE_VADS_H
#define VIDMM_THUNK_ESCAPE_VADS_H

#include <wddm/d3dkmthk.h>

struct vidmm_adapter;

/* Answer GETNUMVADS, GETVAD or GETVADRANGE. STATUS_INVALID_PARAMETER: no such VAD, or range. */
NTSTATUS vidmm_escape_vads(struct vidmm_adapter *adapter, uint64_t process,
                           D3DKMT_VIDMM_ESCAPE *escape);

#endif
