/* present.c: a copy between two surfaces becomes a DMA buffer.
 *
 *     allocation list    0 nothing    1 the source    2 the destination, which is written
 *
 * The driver does no clipping: every rectangle lies inside its surface. All else is as with a
 * command buffer (render.c).
 *
 * Source: DXGKARG_PRESENT.
 */
#include <vidmm/adapter.h>
#include <vidmm/present.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/dma_buffer.h"
#include "vidmm/client/dma_request.h"
#include "vidmm/ddi/render.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"

static bool is_inside(const RECT *inner, const RECT *outer)
{
    return inner->left >= outer->left && inner->top >= outer->top && inner->right <= outer->right &&
           inner->bottom <= outer->bottom;
}

static NTSTATUS check_rect(const char *what, const RECT *rect, struct vidmm_report *report)
{
    if (rect->left < 0 || rect->top < 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what,
                                    (uint64_t) -
                                        (LONGLONG)(rect->left < 0 ? rect->left : rect->top),
                                    "so far below 0: left and top are 0 or more");
    }
    if (rect->right <= rect->left || rect->bottom <= rect->top) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what, 0,
                                    "it is empty: right and bottom lie behind left and top");
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check_rects(const struct vidmm_present *copy, struct vidmm_report *report)
{
    const RECT *from = &copy->source_rect, *to = &copy->destination_rect;
    NTSTATUS status = check_rect("source_rect", from, report);
    uint32_t index;

    if (status == STATUS_SUCCESS)
        status = check_rect("destination_rect", to, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (from->right - from->left != to->right - to->left ||
        from->bottom - from->top != to->bottom - to->top) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "width of destination_rect",
                                    (uint64_t)(to->right - to->left),
                                    "source_rect has another size, and nothing is stretched");
    }
    for (index = 0; index < copy->sub_rect_count && status == STATUS_SUCCESS; index++) {
        status = check_rect("sub_rects", &copy->sub_rects[index], report);
        if (status == STATUS_SUCCESS && !is_inside(&copy->sub_rects[index], to)) {
            status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a sub_rect",
                                          index, "it is not inside of destination_rect");
        }
    }
    return status;
}

static NTSTATUS copy(struct vidmm_context *context, const struct vidmm_present *present, bool wait,
                     uint64_t *value, struct vidmm_report *report)
{
    const struct vidmm_render_reference references[] = {
        [DXGK_PRESENT_SOURCE_INDEX] = {.allocation = present->source},
        [DXGK_PRESENT_DESTINATION_INDEX] = {.allocation = present->destination, .write = true},
    };
    const struct vidmm_dma_request request = {
        .references = references,
        .count = VIDMM_PRESENT_LIST,
        .call_status = "status of DxgkDdiPresent",
        .call_end = "pDmaBuffer of DxgkDdiPresent, in bytes",
        .call_patch = "a patch location of DxgkDdiPresent",
        .copy = present,
    };
    NTSTATUS status;

    if (!vidmm_ddi_presents(context->device->adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DxgkDdiPresent", 0,
                                    "the driver does not have it");
    }
    if (!present->source || !present->destination) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "source or destination", 0,
                                    "a copy needs both");
    }
    if (vidmm_original(present->source) == vidmm_original(present->destination)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "destination",
                                    vidmm_allocation_id(present->destination),
                                    "it is the same memory as the source");
    }
    status = check_rects(present, report);
    return status == STATUS_SUCCESS ? vidmm_dma_request(context, &request, wait, value, report)
                                    : status;
}

NTSTATUS vidmm_present(struct vidmm_context *context, const struct vidmm_present *present,
                       bool wait, uint64_t *value, struct vidmm_report *report)
{
    if (vidmm_report_null(present, "present", report) ||
        vidmm_report_null(value, "value", report) ||
        vidmm_report_lacking(present->sub_rects, present->sub_rect_count, "sub_rects", report))
        return STATUS_INVALID_PARAMETER;
    return copy(context, present, wait, value, report);
}
