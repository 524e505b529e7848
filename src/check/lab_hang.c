/* lab_hang.c: a packet that does not end, and what Windows would do about it.
 *
 *     the register of the line `hang` is written: the GPU stands still
 *     SubmitCommand, fence f                  it does not come
 *     QueryCurrentFence                       f - 1
 *     PreemptCommand                          where PreemptionAware; packets that it takes back go
 *                                             again, and
 *       |  no answer, or not PreemptionAware  all is well
 *     QueryEngineStatus, ResetEngine          where SupportPerEngineTDR: f is cut off, nothing else
 *       |  it failed, or there is none        is lost
 *     ResetFromTimeout                        everything is purged: transfers of size 0, unmaps
 *     RestartFromTimeout                      what is outside of memory segments is as it was
 *
 * At last so many packets are queued behind one that hangs as the driver was promised at most
 * (RequiredDmaQueueEntry), and it must hold them all.
 *
 * The content of a target may be there or not if its packet was cut off; the bytes beside it must
 * not have changed. After an adapter's reset memory segments are not looked into (D-239). After
 * each of these paging works as before.
 */
#include "check/lab.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "miniport/configuration.h"
#include "check/host.h"
#include "wddm/level.h"

#define PAGE VIDMM_PAGE_SIZE
#define SIZE (16 * PAGE)
#define PATIENCE_MS 500u  /* for what does not come */
#define STILLNESS_MS 200u /* in which a GPU that was reset writes nothing */

/* A transfer that hangs, with a page on either side. */
struct stuck {
    struct vidmm_lab *lab;
    struct vidmm_rig_pages pages;
    uint64_t address; /* of the page before the target, in the memory segment */
    uint64_t seed, around;
    uint32_t fence;
    uint64_t packets; /* that its transfer took */
    bool full;        /* others are queued behind it */
};

/* ---- waiting in vain ------------------------------------------------------------------------- */

static bool is_there(void *argument)
{
    const struct stuck *stuck = argument;
    struct vidmm_rig *rig = stuck->lab->rig;

    return atomic_load(&rig->completed[rig->paging_node]) >= rig->submitted;
}

static bool is_preempted(void *argument)
{
    const struct stuck *stuck = argument;
    const struct vidmm_rig *rig = stuck->lab->rig;

    return atomic_load(&rig->preempted) == rig->preemption;
}

static bool comes(struct stuck *stuck, bool (*what)(void *argument))
{
    const struct vidmm_host *host = stuck->lab->rig->host;

    return host->wait(host->context, what, stuck, PATIENCE_MS * UINT64_C(1000000)) || what(stuck);
}

/* ---- the packet ------------------------------------------------------------------------------ */

static bool open_stuck(struct stuck *stuck, struct vidmm_lab *lab)
{
    *stuck = (struct stuck){.lab = lab, .address = PAGE};
    stuck->around = vidmm_lab_seed(lab);
    stuck->seed = vidmm_lab_seed(lab);
    if (!vidmm_rig_take_pages(lab->rig, SIZE, false, &stuck->pages))
        return false;
    vidmm_lab_fill(stuck->pages.address, SIZE, stuck->seed);
    return vidmm_lab_put(lab, lab->memory, stuck->address, SIZE + 2 * PAGE, stuck->around) &&
           vidmm_rig_finish(lab->rig);
}

static void close_stuck(struct stuck *stuck)
{
    vidmm_rig_give_pages(stuck->lab->rig, &stuck->pages);
}

/* Stop the GPU and give it the packet. False: it went on, or nothing can be done any more. */
static bool submit_stuck(struct stuck *stuck)
{
    struct vidmm_lab *lab = stuck->lab;
    struct vidmm_rig *rig = lab->rig;
    const struct vidmm_lab_transfer t = {.pages = &stuck->pages,
                                         .segment = lab->memory,
                                         .address = stuck->address + PAGE,
                                         .size = SIZE,
                                         .in = true,
                                         .start = true,
                                         .end = true};

    if (!vidmm_check_host_hang(rig->place)) {
        vidmm_board_skip(rig->board, "hang: the device has no such register");
        return false;
    }
    stuck->packets = rig->submitted;
    if (vidmm_lab_transfer(lab, &t) != VIDMM_RIG_BUILT || !vidmm_rig_submit(rig))
        return false;
    stuck->fence = (uint32_t)rig->submitted;
    stuck->packets = rig->submitted - stuck->packets;
    rig->hung = !comes(stuck, is_there);
    if (rig->hung)
        return true;
    vidmm_board_skip(rig->board, "the GPU went on: what the line `hang` writes does not stop it");
    return false;
}

/* Queue as many packets as the driver was promised at most: each does once more what a part of the
 * stuck one is to do. Nothing is waited for while the GPU stands still. Obeys D-277, D-278. */
static void fill_queue(struct stuck *stuck)
{
    struct vidmm_lab *lab = stuck->lab;
    struct vidmm_rig *rig = lab->rig;
    const struct vidmm_lab_transfer t = {.pages = &stuck->pages,
                                         .segment = lab->memory,
                                         .address = stuck->address + PAGE,
                                         .size = PAGE,
                                         .in = true,
                                         .start = true,
                                         .end = true};
    uint64_t first = rig->submitted - 1, before;

    vidmm_board_operation(rig->board,
                          "Transfer, with up to %u packets queued behind one that hangs",
                          rig->habits->queue_limit - 1);
    rig->stands = true;
    do
        before = rig->submitted;
    while (rig->submitted - first + stuck->packets <= rig->habits->queue_limit &&
           vidmm_lab_transfer(lab, &t) == VIDMM_RIG_BUILT && vidmm_rig_submit(rig) &&
           rig->submitted > before);
    rig->stands = false;
    stuck->full = true;
    if (!rig->dead)
        vidmm_board_fact(rig->board, "a packet that hangs: %llu more are queued behind it",
                         (unsigned long long)(rig->submitted - first - 1));
}

/* The fence before: nothing has ended since. */
static void judge_current_fence(struct stuck *stuck)
{
    struct vidmm_rig *rig = stuck->lab->rig;
    DXGKARG_QUERYCURRENTFENCE arguments = {.NodeOrdinal = rig->paging_node};
    NTSTATUS status;

    if (!rig->driver->DxgkDdiQueryCurrentFence)
        return;
    vidmm_board_operation(rig->board, "DxgkDdiQueryCurrentFence while fence 0x%x hangs",
                          stuck->fence);
    status = rig->driver->DxgkDdiQueryCurrentFence(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS || arguments.CurrentFence != stuck->fence - 1)
        vidmm_check_find(rig->board, VIDMM_CHECK_WRONG_FENCE, "",
                         "DxgkDdiQueryCurrentFence answered %s and fence 0x%x; 0x%x hangs, and the "
                         "one before it is complete",
                         vidmm_rig_status(status), arguments.CurrentFence, stuck->fence);
}

/* The bytes beside the target are as before. `whole`: the target has all that was to come. */
static void judge_contents(struct stuck *stuck, bool whole, const char *what)
{
    static uint8_t bytes[SIZE + 2 * PAGE], expected[SIZE + 2 * PAGE];
    struct vidmm_lab *lab = stuck->lab;

    if (!vidmm_lab_look(lab, lab->memory, stuck->address, sizeof(bytes), bytes))
        return;
    vidmm_lab_fill(expected, sizeof(expected), stuck->around);
    vidmm_board_step(lab->rig->board)->bytes += 2 * PAGE;
    if (memcmp(bytes, expected, PAGE) != 0 ||
        memcmp(bytes + PAGE + SIZE, expected + PAGE + SIZE, PAGE) != 0)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_OUTSIDE, "",
                         "%s: pages beside the target of the packet that hung have changed", what);
    if (whole)
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, bytes + PAGE, SIZE, stuck->seed, stuck->around,
                         what);
}

/* ---- preemption ------------------------------------------------------------------------------ */

/* obeys D-363: it comes before any reset. Answers whether the packet came back, and ran. */
static bool preempt(struct stuck *stuck)
{
    struct vidmm_rig *rig = stuck->lab->rig;
    NTSTATUS status;

    if (rig->level < VIDMM_LEVEL(1, 2) || !rig->caps.SchedulingCaps.PreemptionAware ||
        !rig->driver->DxgkDdiPreemptCommand)
        return false;
    vidmm_board_operation(rig->board, "DxgkDdiPreemptCommand while fence 0x%x hangs", stuck->fence);
    status = vidmm_rig_ask_preemption(rig);
    if (status != STATUS_SUCCESS)
        vidmm_check_find(rig->board, VIDMM_CHECK_PREEMPTION, "",
                         "DxgkDdiPreemptCommand answered %s", vidmm_rig_status(status));
    if (status != STATUS_SUCCESS || !comes(stuck, is_preempted))
        return false;
    if (atomic_load(&rig->preempted_last) != stuck->fence - 1)
        vidmm_check_find(rig->board, VIDMM_CHECK_PREEMPTION, "",
                         "the answer says LastCompletedFenceId 0x%x; 0x%x hung, and the one before "
                         "it was complete",
                         atomic_load(&rig->preempted_last), stuck->fence);
    if (vidmm_rig_resubmit(rig) && vidmm_rig_finish(rig))
        judge_contents(stuck, true, "in the segment, of a packet that hung and was preempted");
    if (!stuck->full)
        vidmm_board_fact(rig->board, "a packet that hangs: a preemption takes it back");
    return true;
}

/* ---- one engine ------------------------------------------------------------------------------ */

/* obeys D-367: a successful reset answers the last fence that is complete. */
static void cut_off(struct vidmm_rig *rig, uint64_t fence)
{
    atomic_store(&rig->completed[rig->paging_node], fence);
}

/* Answers whether the engine runs again. */
static bool reset_engine(struct stuck *stuck)
{
    struct vidmm_rig *rig = stuck->lab->rig;
    DXGKARG_QUERYDEPENDENTENGINEGROUP group = {.NodeOrdinal = rig->paging_node};
    DXGKARG_RESETENGINE arguments = {.NodeOrdinal = rig->paging_node};
    NTSTATUS status;

    if (!vidmm_check_resets_engines(rig))
        return false;
    vidmm_check_engine_status(rig, false);
    vidmm_board_operation(rig->board, "DxgkDdiResetEngine while fence 0x%x hangs", stuck->fence);
    rig->driver->DxgkDdiQueryDependentEngineGroup(rig->adapter, &group);
    vidmm_rig_flush_dpcs(rig); /* obeys D-368 */
    status = rig->driver->DxgkDdiResetEngine(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS) { /* legal: D-370 */
        vidmm_board_fact(rig->board, "a packet that hangs: DxgkDdiResetEngine answers %s",
                         vidmm_rig_status(status));
        return false;
    }
    if (arguments.LastAbortedFenceId != stuck->fence)
        vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "",
                         "DxgkDdiResetEngine answered LastAbortedFenceId 0x%x; the one packet that "
                         "was queued, and hung, has 0x%x",
                         arguments.LastAbortedFenceId, stuck->fence);
    cut_off(rig, rig->submitted);
    if (vidmm_rig_finish(rig))
        judge_contents(stuck, false, "after DxgkDdiResetEngine");
    if (vidmm_lab_pages(stuck->lab,
                        "in the segment, after DxgkDdiResetEngine of an engine that hung"))
        vidmm_board_fact(rig->board, "a packet that hangs: DxgkDdiResetEngine ends it");
    return !rig->dead;
}

/* ---- the adapter ----------------------------------------------------------------------------- */

/* obeys D-239: an allocation leaves the memory segment, and nothing is copied. */
static bool purge(struct stuck *stuck)
{
    struct vidmm_lab *lab = stuck->lab;
    const struct vidmm_lab_transfer t = {.pages = &stuck->pages,
                                         .segment = lab->memory,
                                         .address = stuck->address + PAGE,
                                         .size = 0,
                                         .start = true,
                                         .end = true};

    DXGKARG_BUILDPAGINGBUFFER unmap = {.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT};

    vidmm_board_operation(lab->rig->board, "Transfer of 0 bytes, after DxgkDdiResetFromTimeout");
    if (vidmm_lab_transfer(lab, &t) != VIDMM_RIG_BUILT)
        return false;
    if (!lab->aperture)
        return true;
    vidmm_board_operation(lab->rig->board, "UnmapApertureSegment, after DxgkDdiResetFromTimeout");
    unmap.UnmapApertureSegment.hDevice = lab->rig->device;
    unmap.UnmapApertureSegment.SegmentId = lab->aperture;
    unmap.UnmapApertureSegment.OffsetInPages = lab->free_page;
    unmap.UnmapApertureSegment.NumberOfPages = 1;
    unmap.UnmapApertureSegment.DummyPage.QuadPart = (LONGLONG)(lab->rig->dummy.frames[0] * PAGE);
    return vidmm_rig_build(lab->rig, &unmap) == VIDMM_RIG_BUILT;
}

static bool succeeds(struct vidmm_rig *rig, const char *name, NTSTATUS status)
{
    if (status == STATUS_SUCCESS)
        return true;
    vidmm_check_find(rig->board, VIDMM_CHECK_RESET, "", "%s answered %s while the GPU hung", name,
                     vidmm_rig_status(status));
    rig->dead = true;
    return false;
}

static bool never(void *argument)
{
    (void)argument;
    return false;
}

/* obeys D-240: from here on to the restart the GPU writes nothing, neither what hung nor what was
 * queued behind it. Other bytes are put where all that was to go. Reads are not seen. */
static void judge_stillness(struct stuck *stuck)
{
    static uint8_t bytes[SIZE + 2 * PAGE];
    struct vidmm_lab *lab = stuck->lab;
    const struct vidmm_host *host = lab->rig->host;
    uint8_t *cpu = lab->rig->segments[lab->memory].cpu;
    uint64_t seed = vidmm_lab_seed(lab);

    if (!cpu)
        return;
    vidmm_board_operation(lab->rig->board, "a look at memory, after DxgkDdiResetFromTimeout");
    vidmm_lab_fill(cpu + stuck->address, sizeof(bytes), seed);
    host->wait(host->context, never, stuck, STILLNESS_MS * UINT64_C(1000000));
    memcpy(bytes, cpu + stuck->address, sizeof(bytes));
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, sizeof(bytes), seed, stuck->around,
                     "where packets were to write, after DxgkDdiResetFromTimeout came back");
}

static void reset_adapter(struct stuck *stuck)
{
    struct vidmm_lab *lab = stuck->lab;
    struct vidmm_rig *rig = lab->rig;
    struct vidmm_miniport_configuration habits = *rig->habits;
    const struct vidmm_miniport_configuration *kept = rig->habits;

    vidmm_board_operation(rig->board, "DxgkDdiResetFromTimeout while fence 0x%x hangs",
                          stuck->fence);
    vidmm_rig_flush_dpcs(rig); /* obeys D-368 */
    if (!succeeds(rig, "DxgkDdiResetFromTimeout",
                  rig->driver->DxgkDdiResetFromTimeout(rig->adapter)))
        return;
    cut_off(rig, rig->submitted);
    judge_stillness(stuck);
    habits.batching = true; /* nothing is submitted before the restart */
    rig->habits = &habits;
    bool purged = purge(stuck);
    rig->habits = kept;
    if (!purged ||
        !succeeds(rig, "DxgkDdiRestartFromTimeout",
                  rig->driver->DxgkDdiRestartFromTimeout(rig->adapter)) ||
        !vidmm_rig_finish(rig))
        return;
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, stuck->pages.address, SIZE, stuck->seed, 0,
                     "in the system pages of an allocation, after a transfer of 0 bytes out of a "
                     "segment that a reset has emptied");
    if (vidmm_lab_pages(lab,
                        "in the segment, after DxgkDdiRestartFromTimeout of a GPU that hung") &&
        !stuck->full)
        vidmm_board_fact(
            rig->board,
            "a packet that hangs: DxgkDdiResetFromTimeout, DxgkDdiRestartFromTimeout end it");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Hang once; go on as far as the driver needs, but not the way that ended it before. full: with a
 * full queue. Answers whether there is a further way. */
static bool hang(struct vidmm_lab *lab, bool engine, bool full)
{
    struct vidmm_rig *rig = lab->rig;
    bool further = false;
    struct stuck stuck;

    if (open_stuck(&stuck, lab) && submit_stuck(&stuck)) {
        if (full)
            fill_queue(&stuck);
        if (!rig->dead)
            judge_current_fence(&stuck);
        if (!rig->dead && !preempt(&stuck) && !rig->dead) {
            further = engine && reset_engine(&stuck);
            if (!further && !rig->dead)
                reset_adapter(&stuck);
        }
    }
    close_stuck(&stuck);
    return further && !rig->dead;
}

void vidmm_check_hang(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    if (rig->dead || !rig->habits->hang.asked || !vidmm_rig_finish(rig) ||
        !vidmm_board_try(rig->board, "a packet that hangs"))
        return;
    if (!lab->memory || PAGE + SIZE + 2 * PAGE > rig->segments[lab->memory].size)
        vidmm_board_skip(rig->board, "there is no memory segment for it");
    else if (!rig->driver->DxgkDdiResetFromTimeout || !rig->driver->DxgkDdiRestartFromTimeout)
        vidmm_board_skip(rig->board,
                         "DxgkDdiResetFromTimeout or DxgkDdiRestartFromTimeout is missing");
    else if (rig->paging_segment != 0)
        vidmm_board_skip(rig->board,
                         "the adapter is not reset: its paging buffers are seen through an "
                         "aperture, which a reset may empty");
    else {
        if (hang(lab, true, false))
            hang(lab, false, false); /* the engine's reset has ended it: once more, without it */
        if (!rig->dead && rig->hung)
            hang(lab, false, true);
    }
}
