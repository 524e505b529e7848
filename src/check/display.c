/* display.c: see display.h. Every call is made at PASSIVE_LEVEL, and what the driver acquired of a
 * network in a call must be released when the call returns. */
#include "check/display.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <wddm/ntstatus.h>

#include "check/board.h"
#include "check/host.h"
#include "check/rig.h"
#include "check/shim.h"
#include "kit/dxgk.h"
#include "kit/monitor.h"
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
    unsigned held = (vidpn ? vidmm_kit_vidpn_held(vidpn) : 0) + vidmm_kit_monitor_held();

    if (held > 0)
        vidmm_check_find(display->board, VIDMM_CHECK_VIDPN, "",
                         "%s returned and keeps %u modes, paths or mode sets of the network or of "
                         "the monitor that it acquired or created",
                         name, held);
    if (held > 0)
        vidmm_kit_monitor_reset(); /* told once */
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

void vidmm_check_display_light(struct vidmm_check_display *display, bool commits, HANDLE primary)
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
    if (choose(display, vidpn) && commits)
        display->lit = commit(display, vidpn, primary) && show(display, true);
    vidmm_kit_vidpn_close(vidpn);
}

/* ---- a picture ---- */

#define BYTES (UINT64_C(4) * VIDMM_DISPLAY_WIDTH * VIDMM_DISPLAY_HEIGHT)
#define SECOND UINT64_C(1000000000)
#define PITCH_MOST (UINT64_C(1) << 16)

static atomic_int progress; /* presents that were reported as complete; -1: as failed */

void vidmm_check_display_progress(const DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS *told)
{
    atomic_store(&progress,
                 told->ProgressId == DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_COMPLETE ? 1 : -1);
}

static NTSTATUS take_progress(HANDLE adapter, const DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS *told)
{
    (void)adapter;
    vidmm_check_display_progress(told);
    return STATUS_SUCCESS;
}

static bool is_told(void *argument)
{
    (void)argument;
    return atomic_load(&progress) != 0;
}

/* Every pixel another. */
static uint32_t pixel(uint32_t i)
{
    return (i * 2654435761u >> 8) & 0xFFFFFF;
}

static NTSTATUS call_present(struct vidmm_check_display *display, void *pixels,
                             PDXGKDDI_PRESENTDISPLAYONLY present)
{
    RECT dirty = {0, 0, (LONG)VIDMM_DISPLAY_WIDTH, (LONG)VIDMM_DISPLAY_HEIGHT};
    const DXGKARG_PRESENT_DISPLAYONLY arguments = {.VidPnSourceId = SOURCE,
                                                   .pSource = pixels,
                                                   .BytesPerPixel = 4,
                                                   .Pitch = 4 * (LONG)VIDMM_DISPLAY_WIDTH,
                                                   .NumDirtyRects = 1,
                                                   .pDirtyRect = &dirty,
                                                   .pfnPresentDisplayOnlyProgress = take_progress};
    struct vidmm_board_call *call = vidmm_shim_enter("DxgkDdiPresentDisplayOnly");
    NTSTATUS status = present(display->adapter, &arguments);

    vidmm_board_leave(call);
    return status;
}

/* How many pixels at that address are not the picture's; *first: the first of them. */
static uint32_t count_wrong(const uint8_t *frame, uint64_t pitch, uint32_t *first)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < BYTES / 4; i++) {
        uint32_t there;
        memcpy(&there, frame + i / VIDMM_DISPLAY_WIDTH * pitch + 4 * (i % VIDMM_DISPLAY_WIDTH), 4);
        if ((there & 0xFFFFFF) != pixel(i) && wrong++ == 0)
            *first = i;
    }
    return wrong;
}

/* Do the first pixels of a row stand there? */
static bool is_row(const uint8_t *at, uint32_t row)
{
    uint32_t there[8];

    memcpy(there, at, sizeof(there));
    for (uint32_t i = 0; i < 8; i++)
        if ((there[i] & 0xFFFFFF) != pixel(row * VIDMM_DISPLAY_WIDTH + i))
            return false;
    return true;
}

/* The pitch of a picture that begins there, by where its second row begins; 0: none does. */
static uint64_t pitch_at(const uint8_t *at, uint64_t room)
{
    uint64_t pitch = UINT64_C(4) * VIDMM_DISPLAY_WIDTH;

    while (pitch <= PITCH_MOST && pitch * VIDMM_DISPLAY_HEIGHT <= room && !is_row(at + pitch, 1))
        pitch += 4;
    return pitch <= PITCH_MOST && pitch * VIDMM_DISPLAY_HEIGHT <= room ? pitch : 0;
}

/* Is the picture anywhere in this memory of the device's? A driver may scan out from where it
 * likes. */
static bool is_in_memory(struct vidmm_check_display *display, const struct vidmm_host *host,
                         uint64_t at, uint64_t size)
{
    uint8_t *bytes = host->map_physical(host->context, at, size);
    uint64_t offset = 0, pitch = 0;
    uint32_t first;

    for (; bytes && offset + BYTES <= size; offset += 4) {
        pitch = is_row(bytes + offset, 0) ? pitch_at(bytes + offset, size - offset) : 0;
        if (pitch && count_wrong(bytes + offset, pitch, &first) == 0)
            break;
        pitch = 0;
    }
    if (pitch)
        vidmm_board_fact(display->board,
                         "the picture is at byte 0x%llx of the device's memory at 0x%llx, rows of "
                         "%llu bytes",
                         (unsigned long long)offset, (unsigned long long)at,
                         (unsigned long long)pitch);
    if (bytes)
        host->unmap_physical(host->context, bytes, size);
    return pitch != 0;
}

static bool is_elsewhere(struct vidmm_check_display *display, const struct vidmm_host *host)
{
    uint64_t at, size;

    for (unsigned i = 0; vidmm_kit_device_memory(i, &at, &size); i++)
        if (is_in_memory(display, host, at, size))
            return true;
    return false;
}

/* In the frame buffer that the firmware left, or where else the device has memory. The memory that
 * a device of a plug-in shows is not known. */
static void look_for_picture(struct vidmm_rig *rig, const struct vidmm_host *host,
                             const DXGK_DISPLAY_INFORMATION *post)
{
    struct vidmm_check_display *display = &rig->display;
    uint64_t at = (uint64_t)post->PhysicAddress.QuadPart;
    uint8_t *frame = post->Width ? host->map_physical(host->context, at, BYTES) : NULL;
    uint32_t first = 0, wrong = frame ? count_wrong(frame, post->Pitch, &first) : 1;

    if (frame)
        host->unmap_physical(host->context, frame, BYTES);
    if (wrong == 0 || is_elsewhere(display, host)) {
        vidmm_board_step(display->board)->bytes += BYTES;
        return;
    }
    if (!frame || rig->place->miniport.attached) {
        vidmm_board_skip(display->board, "the picture is not in the device's memory, and what the "
                                         "device shows from is not known: nothing is compared");
        return;
    }
    vidmm_board_step(display->board)->bytes += BYTES;
    vidmm_check_find(display->board, VIDMM_CHECK_PRESENT, "",
                     "%u pixels of the frame buffer are not the picture's, the first at %u, %u; "
                     "and it is nowhere else in the device's memory",
                     wrong, first % VIDMM_DISPLAY_WIDTH, first / VIDMM_DISPLAY_WIDTH);
}

void vidmm_check_display_present(struct vidmm_rig *rig, PDXGKDDI_PRESENTDISPLAYONLY present)
{
    struct vidmm_check_display *display = &rig->display;
    const struct vidmm_host *host = rig->host;
    struct vidmm_rig_pages pixels; /* pages that the driver may lock */
    DXGK_DISPLAY_INFORMATION post;
    NTSTATUS status;

    if (!display->lit || !present || !vidmm_rig_take_pages(rig, BYTES, false, &pixels))
        return;
    vidmm_board_begin(display->board, "DxgkDdiPresentDisplayOnly");
    vidmm_board_operation(display->board, "a picture of %u by %u pixels", VIDMM_DISPLAY_WIDTH,
                          VIDMM_DISPLAY_HEIGHT);
    for (uint32_t i = 0; i < BYTES / 4; i++) {
        uint32_t word = pixel(i);
        memcpy(pixels.address + 4 * i, &word, 4);
    }
    atomic_store(&progress, 0);
    status = call_present(display, pixels.address, present);
    if (status == STATUS_PENDING) {
        host->wait(host->context, is_told, NULL, 2 * SECOND);
        status = atomic_load(&progress) == 1 ? STATUS_SUCCESS : STATUS_PENDING;
    }
    if (must(display, NULL, "DxgkDdiPresentDisplayOnly", status)) {
        vidmm_kit_post_display(&post); /* all zero: the driver took none over */
        look_for_picture(rig, host, &post);
    }
    vidmm_rig_give_pages(rig, &pixels);
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
