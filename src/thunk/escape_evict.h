/* escape_evict.h: D3DKMT_VIDMM_ESCAPE, Evict and its kin: memory leaves its segment now.
 *
 *     EVICT               an allocation; those of a resource; of the calling process, all that may
 *     EVICT_BY_NT_HANDLE  those of a shared resource
 *     EVICT_BY_CRITERIA   of all processes, those of some size that may
 *
 * The meaning of the calls stands in <vidmm/page_out.h>. Source: D3DKMT_VIDMM_ESCAPE,
 * D3DKMT_EVICTION_CRITERIA.
 */
#ifndef VIDMM_THUNK_ESCAPE_EVICT_H
#define VIDMM_THUNK_ESCAPE_EVICT_H

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* Carry out the one that `escape` asks for. STATUS_INVALID_PARAMETER: a handle, a size or a flag
 * that is not legal; other answers as <vidmm/page_out.h> says. */
NTSTATUS vidmm_escape_evict(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            const D3DKMT_VIDMM_ESCAPE *escape);
/* EVICT_BY_NT_HANDLE alone. */
NTSTATUS vidmm_escape_evict_shared(struct vidmm_thunk_process *process,
                                   struct vidmm_adapter *adapter, UINT64 handle);

#endif
