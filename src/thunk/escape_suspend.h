/* escape_suspend.h: D3DKMT_VIDMM_ESCAPE, SuspendProcess and ResumeProcess: <vidmm/suspend.h>. */
#ifndef VIDMM_THUNK_ESCAPE_SUSPEND_H
#define VIDMM_THUNK_ESCAPE_SUSPEND_H

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* Carry out the one that `escape` asks for, for the calling process. STATUS_INVALID_PARAMETER:
 * another process is named; other answers as <vidmm/suspend.h> says. */
NTSTATUS vidmm_escape_suspend(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                              const D3DKMT_VIDMM_ESCAPE *escape);

#endif
