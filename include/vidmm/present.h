/* present.h: the driver copies from one surface to another (DxgkDdiPresent).
 *
 *     source                     destination: a primary, or a surface in system memory
 *     +-----------------+        +-----------------------+
 *     |   +--------+    |        |                       |
 *     |   | source |    |  --->  |   +--------+          |
 *     |   |  _rect |    |        |   | desti- |  only sub_rects of it are
 *     |   +--------+    |        |   | nation |  written, the rest is
 *     +-----------------+        |   |  _rect |  somebody's window
 *                                |   +--------+          |
 *                                +-----------------------+
 *
 * A present is a DMA buffer like one that is rendered: both allocations are in place when it runs,
 * it has a value of its context, and it waits in the same queue. A driver that has DxgkDdiPresent
 * and no DxgkDdiRender can be driven by presents alone. Only the driver knows the layout of its
 * surfaces; presents are meant for the surfaces that vidmm_standard_create() makes.
 *
 * Source: DXGKDDI_PRESENT, DXGKARG_PRESENT, DXGK_PRESENTFLAGS (Blt).
 */
#ifndef VIDMM_PRESENT_H
#define VIDMM_PRESENT_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_context;
struct vidmm_report;

#ifdef __cplusplus
extern "C" {
#endif

/* Belongs to the caller, who may forget it when vidmm_present() returns. */
struct vidmm_present {
    struct vidmm_allocation *source, *destination; /* of one device, and not the same memory */
    RECT source_rect, destination_rect;            /* pixels; the two have the same size */
    const RECT *sub_rects;   /* the parts to write, in the destination; inside of
                              * destination_rect */
    uint32_t sub_rect_count; /* 0: all of destination_rect */
};

/* Have the driver make the commands of a copy (DxgkDdiPresent, Flags.Blt), and queue them. A copy
 * that does not fit into one DMA buffer goes on in the next; *value receives the last of them.
 * wait: as in vidmm_render(). STATUS_INVALID_PARAMETER: a rectangle that is empty, begins below 0,
 * or lies outside of its own; rectangles of two sizes (nothing is stretched); source and
 * destination of another device, or the same memory; or what the driver answered.
 * STATUS_NOT_SUPPORTED: the driver has no DxgkDdiPresent. STATUS_DEVICE_BUSY: no DMA buffer is
 * free, and `wait` is false. Otherwise as vidmm_render(). After a refusal nothing more has been
 * queued than what *value says. */
NTSTATUS vidmm_present(struct vidmm_context *context, const struct vidmm_present *present,
                       bool wait, uint64_t *value, struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
