/* escape_defrag.h: D3DKMT_VIDMM_ESCAPE, Defrag: how full a segment is, and vidmm_compact(). */
#ifndef VIDMM_THUNK_ESCAPE_DEFRAG_H
#define VIDMM_THUNK_ESCAPE_DEFRAG_H

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* Carry out the operation, and say how full the segment is, and what its largest gap was before.
 * STATUS_INVALID_PARAMETER: no such segment, or operation; other answers as vidmm_compact(), or for
 * VERIFY_TRANSFER as vidmm_escape_check_transfers(). */
NTSTATUS vidmm_escape_defragment(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                                 D3DKMT_VIDMM_ESCAPE *escape);

#endif
