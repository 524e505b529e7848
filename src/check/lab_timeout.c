/* lab_timeout.c: the steps that follow a late fence, asked for on an adapter that is idle.
 *
 *     QueryCurrentFence                       the fence that was reported last
 *     QueryEngineStatus                       where SupportPerEngineTDR: it is responsive
 *     ResetEngine                             likewise; nothing is cut off
 *     ResetFromTimeout, RestartFromTimeout    both succeed
 *
 * After each reset paging works as before. The content of video memory is not looked for: a reset
 * may lose it.
 */
#include "check/lab.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "wddm/level.h"

#define SIZE (16 * VIDMM_PAGE_SIZE)

/* The last fence of the paging node that is complete, as a driver counts. */
static uint32_t last_fence(struct vidmm_rig *rig)
{
    return (uint32_t)atomic_load(&rig->completed[rig->paging_node]);
}

void vidmm_check_current_fence(struct vidmm_rig *rig)
{
    DXGKARG_QUERYCURRENTFENCE arguments = {.NodeOrdinal = rig->paging_node};

    if (!rig->driver->DxgkDdiQueryCurrentFence)
        return;
    NTSTATUS status = rig->driver->DxgkDdiQueryCurrentFence(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS || arguments.CurrentFence != last_fence(rig))
        vidmm_check_find(rig->board, VIDMM_CHECK_WRONG_FENCE, "",
                         "DxgkDdiQueryCurrentFence answered %s and fence 0x%x; the last one is "
                         "0x%x, and was reported",
                         vidmm_rig_status(status), arguments.CurrentFence, last_fence(rig));
}

bool vidmm_lab_pages(struct vidmm_lab *lab, const char *what)
{
    static uint8_t bytes[SIZE];
    struct vidmm_rig_pages pages = {0};
    const struct vidmm_lab_transfer t = {.pages = &pages,
                                         .segment = lab->memory,
                                         .address = VIDMM_PAGE_SIZE,
                                         .size = SIZE,
                                         .in = true,
                                         .start = true,
                                         .end = true};
    uint64_t before = vidmm_lab_seed(lab), seed = vidmm_lab_seed(lab);
    bool right = false;

    if (!lab->memory || t.address + SIZE > lab->rig->segments[lab->memory].size)
        return true;
    if (!vidmm_rig_take_pages(lab->rig, SIZE, false, &pages))
        return false;
    vidmm_lab_fill(pages.address, SIZE, seed);
    if (vidmm_lab_put(lab, lab->memory, t.address, SIZE, before) &&
        vidmm_lab_transfer(lab, &t) == VIDMM_RIG_BUILT && vidmm_rig_finish(lab->rig) &&
        vidmm_lab_look(lab, lab->memory, t.address, SIZE, bytes))
        right = vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bytes, SIZE, seed, before, what);
    vidmm_rig_give_pages(lab->rig, &pages);
    return right;
}

/* Does the driver reset engines one by one? Obeys D-304. */
bool vidmm_check_resets_engines(const struct vidmm_rig *rig)
{
    const DRIVER_INITIALIZATION_DATA *driver = rig->driver;
    const char *missing = NULL;

    if (rig->level < VIDMM_LEVEL(1, 2) || !rig->caps.SupportPerEngineTDR)
        return false;
    if (!driver->DxgkDdiQueryDependentEngineGroup)
        missing = "DxgkDdiQueryDependentEngineGroup";
    if (!driver->DxgkDdiQueryEngineStatus)
        missing = "DxgkDdiQueryEngineStatus";
    if (!driver->DxgkDdiResetEngine)
        missing = "DxgkDdiResetEngine";
    if (missing)
        vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "",
                         "the caps say SupportPerEngineTDR, and there is no %s", missing);
    return missing == NULL;
}

void vidmm_check_engine_status(struct vidmm_rig *rig, bool idle)
{
    DXGKARG_QUERYENGINESTATUS arguments = {.NodeOrdinal = rig->paging_node};
    NTSTATUS status;

    vidmm_board_operation(rig->board, "DxgkDdiQueryEngineStatus of an engine that %s",
                          idle ? "has nothing to do" : "hangs");
    status = rig->driver->DxgkDdiQueryEngineStatus(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS || arguments.EngineStatus.Reserved != 0)
        vidmm_check_find(
            rig->board, VIDMM_CHECK_RESET, "",
            "DxgkDdiQueryEngineStatus of node %u answered %s and 0x%x; only Responsive, "
            "0x1, may be set",
            rig->paging_node, vidmm_rig_status(status), arguments.EngineStatus.Value);
    else if (idle && !arguments.EngineStatus.Responsive)
        vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "",
                         "DxgkDdiQueryEngineStatus says that node %u is not responsive; it has "
                         "nothing to do, and has done what it had",
                         rig->paging_node);
    else if (!idle)
        vidmm_board_fact(rig->board, "a packet that hangs: the engine is said %sto be responsive",
                         arguments.EngineStatus.Responsive ? "" : "not ");
}

/* A failure is legal: it asks for a reset of all (D-370). */
static void reset_engine(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;
    DXGKARG_QUERYDEPENDENTENGINEGROUP group = {.NodeOrdinal = rig->paging_node};
    DXGKARG_RESETENGINE arguments = {.NodeOrdinal = rig->paging_node};
    NTSTATUS status;

    vidmm_board_operation(rig->board, "DxgkDdiResetEngine with nothing queued");
    status = rig->driver->DxgkDdiQueryDependentEngineGroup(rig->adapter, &group);
    if (status != STATUS_SUCCESS)
        vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "",
                         "DxgkDdiQueryDependentEngineGroup of node %u answered %s",
                         rig->paging_node, vidmm_rig_status(status));
    status = rig->driver->DxgkDdiResetEngine(rig->adapter, &arguments);
    if (status == STATUS_SUCCESS && arguments.LastAbortedFenceId != last_fence(rig))
        vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "",
                         "DxgkDdiResetEngine answered LastAbortedFenceId 0x%x; nothing was queued, "
                         "and the last fence is 0x%x",
                         arguments.LastAbortedFenceId, last_fence(rig));
    if (status == STATUS_SUCCESS)
        vidmm_lab_pages(lab, "in the segment, after DxgkDdiResetEngine");
}

static bool succeeds(struct vidmm_rig *rig, const char *name, NTSTATUS status)
{
    if (status == STATUS_SUCCESS)
        return true;
    vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "", "%s answered %s", name,
                     vidmm_rig_status(status));
    rig->dead = true;
    return false;
}

static void reset_adapter(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    vidmm_board_operation(rig->board, "DxgkDdiResetFromTimeout with nothing queued");
    vidmm_rig_flush_dpcs(rig); /* obeys D-368 */
    if (succeeds(rig, "DxgkDdiResetFromTimeout",
                 rig->driver->DxgkDdiResetFromTimeout(rig->adapter)) &&
        succeeds(rig, "DxgkDdiRestartFromTimeout",
                 rig->driver->DxgkDdiRestartFromTimeout(rig->adapter)))
        vidmm_lab_pages(lab, "in the segment, after DxgkDdiRestartFromTimeout");
}

void vidmm_check_timeout(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    if (rig->dead || !vidmm_rig_finish(rig) || !vidmm_board_try(rig->board, "time-outs"))
        return;
    vidmm_board_operation(rig->board, "DxgkDdiQueryCurrentFence with nothing queued");
    vidmm_check_current_fence(rig);
    if (vidmm_check_resets_engines(rig)) {
        vidmm_check_engine_status(rig, true);
        reset_engine(lab);
    }
    if (rig->dead)
        return;
    if (!rig->driver->DxgkDdiResetFromTimeout || !rig->driver->DxgkDdiRestartFromTimeout)
        vidmm_board_skip(rig->board, "DxgkDdiResetFromTimeout or DxgkDdiRestartFromTimeout is "
                                     "missing: Windows could not go on after a time-out");
    else if (rig->paging_segment != 0)
        vidmm_board_skip(rig->board, "the adapter is not reset: its paging buffers are seen "
                                     "through an aperture, which a reset may empty");
    else
        reset_adapter(lab);
}
