/* escape_fault.h: D3DKMT_VIDMM_ESCAPE, SetFault: what the memory manager is to do wrong, or never,
 * for a test.
 *
 * Source: D3DKMT_VIDMM_ESCAPE; the meaning is that of the members' names.
 */
#ifndef VIDMM_THUNK_ESCAPE_FAULT_H
#define VIDMM_THUNK_ESCAPE_FAULT_H

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;

/* Set these faults of the adapter, for all processes, and no others. STATUS_INVALID_PARAMETER: a
 * reserved bit, or two that exclude each other; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_escape_set_fault(struct vidmm_adapter *adapter, const D3DKMT_VIDMM_ESCAPE *escape);

#endif
