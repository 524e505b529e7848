/* lab_preempt.c: DxgkDdiPreemptCommand, where the caps say PreemptionAware: with nothing in the
 * queue, and with much. Each request gets its answer, and what was taken back arrives when it is
 * submitted again.
 */
#include "check/lab.h"

#include <vidmm/page.h>

#include "wddm/level.h"

#define PAGE VIDMM_PAGE_SIZE
#define JOBS 8u
#define SIZE (16 * PAGE)

/* Jobs: system pages, each to a place of its own in the memory segment. */
struct jobs {
    struct vidmm_lab *lab;
    struct vidmm_rig_pages pages[JOBS];
    uint64_t seeds[JOBS], before;
};

static uint64_t place(unsigned i)
{
    return PAGE + i * SIZE;
}

static bool make_jobs(struct jobs *jobs)
{
    struct vidmm_lab *lab = jobs->lab;

    jobs->before = vidmm_lab_seed(lab);
    for (unsigned i = 0; i < JOBS; i++) {
        if (!vidmm_rig_take_pages(lab->rig, SIZE, false, &jobs->pages[i]))
            return false;
        jobs->seeds[i] = vidmm_lab_seed(lab);
        vidmm_lab_fill(jobs->pages[i].address, SIZE, jobs->seeds[i]);
        if (!vidmm_lab_put(lab, lab->memory, place(i), SIZE, jobs->before))
            return false;
    }
    return true;
}

/* Each in a submission of its own. */
static bool submit_jobs(struct jobs *jobs)
{
    for (unsigned i = 0; i < JOBS; i++) {
        const struct vidmm_lab_transfer t = {.pages = &jobs->pages[i],
                                             .segment = jobs->lab->memory,
                                             .address = place(i),
                                             .size = SIZE,
                                             .in = true,
                                             .start = true,
                                             .end = true};

        if (vidmm_lab_transfer(jobs->lab, &t) != VIDMM_RIG_BUILT ||
            !vidmm_rig_submit(jobs->lab->rig))
            return false;
    }
    return true;
}

static void judge_jobs(struct jobs *jobs)
{
    static uint8_t bytes[SIZE];

    for (unsigned i = 0; i < JOBS; i++)
        if (vidmm_lab_look(jobs->lab, jobs->lab->memory, place(i), SIZE, bytes))
            vidmm_lab_expect(jobs->lab, VIDMM_CHECK_CONTENT, bytes, SIZE, jobs->seeds[i],
                             jobs->before, "in the segment, after a preemption");
}

static void preempt_busy(struct vidmm_lab *lab)
{
    struct jobs jobs = {.lab = lab};

    vidmm_board_operation(lab->rig->board, "DxgkDdiPreemptCommand with up to %u submissions queued",
                          JOBS);
    if (make_jobs(&jobs) && submit_jobs(&jobs) && vidmm_rig_preempt(lab->rig) &&
        vidmm_rig_resubmit(lab->rig) && vidmm_rig_finish(lab->rig)) {
        judge_jobs(&jobs);
        vidmm_check_current_fence(lab->rig);
    }
    for (unsigned i = 0; i < JOBS; i++)
        vidmm_rig_give_pages(lab->rig, &jobs.pages[i]);
}

void vidmm_check_preemption(struct vidmm_lab *lab)
{
    struct vidmm_rig *rig = lab->rig;

    if (rig->dead || rig->level < VIDMM_LEVEL(1, 2) || !rig->caps.SchedulingCaps.PreemptionAware ||
        !vidmm_board_try(rig->board, "PreemptCommand"))
        return;
    if (!rig->driver->DxgkDdiPreemptCommand) {
        vidmm_check_find(rig->board, VIDMM_CHECK_PREEMPTION, "",
                         "the caps say PreemptionAware, and there is no DxgkDdiPreemptCommand");
        return;
    }
    vidmm_board_operation(rig->board, "DxgkDdiPreemptCommand with nothing queued");
    if (!vidmm_rig_finish(rig) || !vidmm_rig_preempt(rig))
        return;
    if (lab->memory && place(JOBS) <= rig->segments[lab->memory].size)
        preempt_busy(lab);
}
