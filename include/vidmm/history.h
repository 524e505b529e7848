/* history.h: time stamps of the GPU, in history buffers (WDDM 1.3).
 *
 * A user-mode driver creates an allocation that its miniport marks HistoryBuffer, names it,
 * written, in a DMA buffer, and destroys it when it likes. While the DMA buffer runs the GPU fills
 * it in:
 *
 *     DXGK_HISTORY_BUFFER_HEADER | private data | start | end | marker | marker | ...
 *                                 PrivateDataSize
 *
 * How many bits of a stamp mean something the miniport says once for each node
 * (DXGKQAITYPE_HISTORYBUFFERPRECISION): 32, four bytes a stamp; 33 to 64, eight bytes, of which
 * those above are junk; or 0, and then nobody but the miniport can read it, and
 * DxgkDdiFormatHistoryBuffer is called, as often as it takes. Anything else is refused.
 *
 * Every call may come from any thread at PASSIVE_LEVEL. Memory that is answered is the caller's
 * own.
 *
 * Source: DXGK_HISTORY_BUFFER, DXGK_HISTORY_BUFFER_HEADER, DXGKDDI_FORMATHISTORYBUFFER,
 * DXGKARG_FORMATHISTORYBUFFER, DXGKARG_HISTORYBUFFERPRECISION; D-234, D-270.
 */
#ifndef VIDMM_HISTORY_H
#define VIDMM_HISTORY_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_context;
struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_history {
    uint32_t sequence;  /* RenderCbSequence */
    uint32_t count;     /* stamps; the first two are the start and the end of the DMA buffer */
    uint32_t precision; /* bits of each that mean something, 32 to 64; the others are 0 */
    uint32_t calls;     /* of DxgkDdiFormatHistoryBuffer; 0: the stamps lay ready */
};

/* Ask the miniport for the precision of the stamps of a node. bits receives PrecisionBits: 0, or 32
 * to 64. STATUS_INVALID_PARAMETER: there is no such node; STATUS_NOT_SUPPORTED: the driver is below
 * WDDM 1.3, or keeps no history; STATUS_GRAPHICS_DRIVER_MISMATCH: a value of 1 to 31, or above 64
 * (D-234); STATUS_NO_MEMORY; STATUS_DEVICE_REMOVED. */
NTSTATUS vidmm_history_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits,
                                 struct vidmm_report *report);

/* Read the stamps of the DMA buffer that has named `allocation` last, one of `context`; waits until
 * the GPU is done with it. history receives what they are. A history buffer that no DMA buffer has
 * filled in has count 0. stamps receives the first `room` of them, or all; count may be more.
 * STATUS_INVALID_PARAMETER: it is no history buffer, or of another adapter, or its header is none
 * (says more than there are bytes; Reserved is not 0); STATUS_GRAPHICS_DRIVER_MISMATCH: a precision
 * as above, or an answer of DxgkDdiFormatHistoryBuffer that cannot be: more stamps than the buffer
 * holds, bytes behind it, no progress; the error of DxgkDdiFormatHistoryBuffer; else as
 * vidmm_history_precision() and vidmm_lock(). */
NTSTATUS vidmm_history_read(struct vidmm_context *context, struct vidmm_allocation *allocation,
                            struct vidmm_history *history, uint64_t *stamps, uint32_t room,
                            struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
