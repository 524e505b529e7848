/* escape_test.h: D3DKMT_VIDMM_ESCAPE, the tests that the manager makes on itself, on the GPU and on
 * the driver, with the memory of the calling process. */
#ifndef VIDMM_THUNK_ESCAPE_TEST_H
#define VIDMM_THUNK_ESCAPE_TEST_H

#include <stdint.h>

#include <wddm/d3dkmthk_escape.h>

struct vidmm_adapter;
struct vidmm_thunk_process;

/* RUN_COHERENCY_TEST, RUN_UNMAP_TO_DUMMY_PAGE_TEST, APERTURE_CORRUPTION_CHECK and
 * SUSPEND_CPU_ACCESS_TEST. STATUS_UNSUCCESSFUL: it fails, and the reason says at what;
 * STATUS_TIMEOUT: the GPU does not come to an end; other answers as <vidmm/page_out.h> says. */
NTSTATUS vidmm_escape_test(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                           const D3DKMT_VIDMM_ESCAPE *escape);
/* The coherency test with what is in a segment (0: in any) alone. */
NTSTATUS vidmm_escape_check_transfers(struct vidmm_thunk_process *process,
                                      struct vidmm_adapter *adapter, uint32_t segment);

#endif
