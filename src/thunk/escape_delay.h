/* escape_delay.h: D3DKMT_VIDMM_ESCAPE, what is done later or by the clock: <vidmm/delay.h>. */
#ifndef VIDMM_THUNK_ESCAPE_DELAY_H
#define VIDMM_THUNK_ESCAPE_DELAY_H

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* Carry out DelayExecution, DelayedEvictionConfig or SetTrimIntervals. STATUS_INVALID_PARAMETER: a
 * time that is not legal, or no such paging queue or physical adapter; other answers as
 * <vidmm/delay.h> says. */
NTSTATUS vidmm_escape_delay(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                            D3DKMT_VIDMM_ESCAPE *escape);

#endif
