/* escape_vidmm.h: escapes that the memory manager itself answers. */
#ifndef VIDMM_THUNK_ESCAPE_VIDMM_H
#define VIDMM_THUNK_ESCAPE_VIDMM_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* Answer one, in the program's D3DKMT_VIDMM_ESCAPE, which is written on success only. The adapter
 * is held. STATUS_NOT_SUPPORTED: not built; the reason names it. */
NTSTATUS vidmm_escape_vidmm(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            void *data, UINT size);

#endif
