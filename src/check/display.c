/* display.c: see display.h. Every call is made at PASSIVE_LEVEL, and what the driver acquired of a
 * network in a call must be released when the call returns. */
#include "check/display.h"

#include <stdlib.h>
#include <string.h>

#include "check/rig.h"
#include "check/shim.h"
#include "kit/vidpn.h"

#define SOURCE 0u
#define CHILDREN_MOST 1024u

/* ---- children ---- */

static bool is_output(const DXGK_CHILD_DESCRIPTOR *child)
{
    return child->ChildDeviceType == TypeVideoOutput ||
           child->ChildDeviceType == TypeIntegratedDisplay;
}

static bool is_connected(struct vidmm_check_display *display, const DXGK_CHILD_DESCRIPTOR *child)
{
    DXGK_CHILD_STATUS status = {.Type = StatusConnection, .ChildUid = child->ChildUid};
    struct vidmm_board_call *call;
    NTSTATUS answer;

    if (!display->driver->DxgkDdiQueryChildStatus)
        return true;
    call = vidmm_shim_enter("DxgkDdiQueryChildStatus");
    answer = display->driver->DxgkDdiQueryChildStatus(display->adapter, &status, FALSE);
    vidmm_board_leave(call);
    return child->ChildCapabilities.HpdAwareness == HpdAwarenessAlwaysConnected ||
           (answer == STATUS_SUCCESS && status.HotPlug.Connected);
}

static void take_children(struct vidmm_check_display *display,
                          const DXGK_CHILD_DESCRIPTOR *relations)
{
    for (uint32_t i = 0; i < display->children; i++) {
        if (!is_output(&relations[i]) || !is_connected(display, &relations[i]) ||
            display->connected)
            continue;
        display->connected = true;
        display->target = (uint32_t)relations[i].ChildUid;
    }
}

bool vidmm_check_display_children(struct vidmm_check_display *display)
{
    size_t bytes = (display->children + 1) * sizeof(DXGK_CHILD_DESCRIPTOR);
    DXGK_CHILD_DESCRIPTOR *relations;
    NTSTATUS status;

    if (!display->driver->DxgkDdiQueryChildRelations || display->children == 0 ||
        display->children > CHILDREN_MOST)
        return true;
    relations = calloc(1, bytes);
    if (!relations)
        return vidmm_board_problem(display->board, "no memory");
    status = display->driver->DxgkDdiQueryChildRelations(display->adapter, relations, (ULONG)bytes);
    if (status == STATUS_SUCCESS)
        take_children(display, relations);
    else
        vidmm_check_find(display->board, VIDMM_CHECK_REFUSED, "", "DxgkDdiQueryChildRelations: %s",
                         vidmm_rig_status(status));
    free(relations);
    return true;
}

/* ---- calls about a network ---- */

static bool must(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn,
                 const char *name, NTSTATUS status)
{
    unsigned held = vidpn ? vidmm_kit_vidpn_held(vidpn) : 0;

    if (held > 0)
        vidmm_check_find(display->board, VIDMM_CHECK_VIDPN, "",
                         "%s returned and keeps %u modes, paths or mode sets of the network that "
                         "it acquired or created",
                         name, held);
    if (status == STATUS_SUCCESS)
        return held == 0;
    vidmm_check_find(display->board, VIDMM_CHECK_REFUSED, "", "%s answered %s", name,
                     vidmm_rig_status(status));
    return false;
}

static bool is_supported(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn,
                         const char *what)
{
    DXGKARG_ISSUPPORTEDVIDPN arguments = {.hDesiredVidPn = vidmm_kit_vidpn_handle(vidpn)};
    struct vidmm_board_call *call = vidmm_shim_enter("DxgkDdiIsSupportedVidPn");
    NTSTATUS status = display->driver->DxgkDdiIsSupportedVidPn(display->adapter, &arguments);

    vidmm_board_leave(call);
    if (!must(display, vidpn, "DxgkDdiIsSupportedVidPn", status))
        return false;
    if (!arguments.IsVidPnSupported)
        vidmm_check_find(display->board, VIDMM_CHECK_VIDPN, "",
                         "DxgkDdiIsSupportedVidPn does not support %s", what);
    return arguments.IsVidPnSupported;
}

/* A driver may have nothing to recommend. */
static bool recommend(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn)
{
    D3DDDI_VIDEO_PRESENT_TARGET_ID target = display->target;
    const DXGKARG_RECOMMENDFUNCTIONALVIDPN arguments = {.NumberOfVidPnTargets = 1,
                                                        .pVidPnTargetPrioritizationVector = &target,
                                                        .hRecommendedFunctionalVidPn =
                                                            vidmm_kit_vidpn_handle(vidpn),
                                                        .RequestReason = DXGK_RFVR_USERMODE};
    struct vidmm_board_call *call;
    NTSTATUS status;

    if (!display->driver->DxgkDdiRecommendFunctionalVidPn)
        return true;
    call = vidmm_shim_enter("DxgkDdiRecommendFunctionalVidPn");
    status = display->driver->DxgkDdiRecommendFunctionalVidPn(display->adapter, &arguments);
    vidmm_board_leave(call);
    if (status == STATUS_GRAPHICS_NO_RECOMMENDED_FUNCTIONAL_VIDPN ||
        status == STATUS_NOT_SUPPORTED || status == STATUS_NOT_IMPLEMENTED)
        status = STATUS_SUCCESS;
    return must(display, vidpn, "DxgkDdiRecommendFunctionalVidPn", status);
}

static bool enumerate(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn)
{
    const DXGKARG_ENUMVIDPNCOFUNCMODALITY arguments = {
        .hConstrainingVidPn = vidmm_kit_vidpn_handle(vidpn), .EnumPivotType = D3DKMDT_EPT_NOPIVOT};
    struct vidmm_board_call *call = vidmm_shim_enter("DxgkDdiEnumVidPnCofuncModality");
    NTSTATUS status = display->driver->DxgkDdiEnumVidPnCofuncModality(display->adapter, &arguments);

    vidmm_board_leave(call);
    return must(display, vidpn, "DxgkDdiEnumVidPnCofuncModality", status);
}

static bool commit(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn,
                   HANDLE primary)
{
    const DXGKARG_COMMITVIDPN arguments = {.hFunctionalVidPn = vidmm_kit_vidpn_handle(vidpn),
                                           .AffectedVidPnSourceId = SOURCE,
                                           .MonitorConnectivityChecks = D3DKMDT_MCC_IGNORE,
                                           .hPrimaryAllocation = primary};
    struct vidmm_board_call *call = vidmm_shim_enter("DxgkDdiCommitVidPn");
    NTSTATUS status = display->driver->DxgkDdiCommitVidPn(display->adapter, &arguments);

    vidmm_board_leave(call);
    return must(display, vidpn, "DxgkDdiCommitVidPn", status);
}

static bool show(struct vidmm_check_display *display, bool visible)
{
    const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments = {.VidPnSourceId = SOURCE,
                                                        .Visible = visible};
    struct vidmm_board_call *call;
    NTSTATUS status;

    if (!display->driver->DxgkDdiSetVidPnSourceVisibility)
        return true;
    call = vidmm_shim_enter("DxgkDdiSetVidPnSourceVisibility");
    status = display->driver->DxgkDdiSetVidPnSourceVisibility(display->adapter, &arguments);
    vidmm_board_leave(call);
    return must(display, NULL, "DxgkDdiSetVidPnSourceVisibility", status);
}

/* ---- the mode ---- */

/* From a path alone to a network in which everything is pinned. */
static bool choose(struct vidmm_check_display *display, struct vidmm_kit_vidpn *vidpn)
{
    uint32_t width = VIDMM_DISPLAY_WIDTH, height = VIDMM_DISPLAY_HEIGHT;

    if (!is_supported(display, vidpn, "a path to a connected output") || !enumerate(display, vidpn))
        return false;
    if (!vidmm_kit_vidpn_pin_source(vidpn, &width, &height)) {
        vidmm_check_find(display->board, VIDMM_CHECK_VIDPN, "",
                         "DxgkDdiEnumVidPnCofuncModality offers no mode of source %u", SOURCE);
        return false;
    }
    if (!enumerate(display, vidpn))
        return false;
    if (!vidmm_kit_vidpn_pin_target(vidpn, width, height)) {
        vidmm_check_find(display->board, VIDMM_CHECK_VIDPN, "",
                         "DxgkDdiEnumVidPnCofuncModality offers no mode of target %u for %u by %u",
                         display->target, width, height);
        return false;
    }
    vidmm_board_fact(display->board, "display: output %u, %u by %u, of %u modes", display->target,
                     width, height, vidmm_kit_vidpn_modes(vidpn, false));
    return is_supported(display, vidpn, "the modes that it offered");
}

static bool ask_empty(struct vidmm_check_display *display)
{
    struct vidmm_kit_vidpn *vidpn = vidmm_kit_vidpn_open(false, 0, 0);
    bool done = vidpn && is_supported(display, vidpn, "a network without a path") &&
                recommend(display, vidpn);

    vidmm_kit_vidpn_close(vidpn);
    return done;
}

void vidmm_check_display_light(struct vidmm_check_display *display, HANDLE primary)
{
    const DRIVER_INITIALIZATION_DATA *driver = display->driver;
    struct vidmm_kit_vidpn *vidpn;

    if (display->sources == 0 || !display->connected || !driver->DxgkDdiIsSupportedVidPn ||
        !driver->DxgkDdiEnumVidPnCofuncModality || !driver->DxgkDdiCommitVidPn)
        return;
    vidmm_board_begin(display->board, "display");
    vidmm_board_operation(display->board, "a network of one source and one target");
    if (!ask_empty(display))
        return;
    vidpn = vidmm_kit_vidpn_open(true, SOURCE, display->target);
    if (choose(display, vidpn) && primary)
        display->lit = commit(display, vidpn, primary) && show(display, true);
    vidmm_kit_vidpn_close(vidpn);
}

void vidmm_check_display_dim(struct vidmm_check_display *display)
{
    struct vidmm_kit_vidpn *vidpn;

    if (!display->lit)
        return;
    display->lit = false;
    vidmm_board_operation(display->board, "the display goes dark");
    vidpn = vidmm_kit_vidpn_open(false, 0, 0);
    if (show(display, false) && vidpn)
        commit(display, vidpn, NULL);
    vidmm_kit_vidpn_close(vidpn);
}
