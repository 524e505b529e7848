/* Acts of residency, from WDDM 2.0 on: programs say what is to be in place, and wait for it. */
#include "story/run.h"

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <wddm/ntstatus.h>

NTSTATUS vidmm_scenario_queue(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                              struct vidmm_paging_queue **queue)
{
    struct vidmm_scenario_process *process = &run->processes[act->process];
    NTSTATUS status = STATUS_SUCCESS;

    if (process->queue == NULL)
        status = vidmm_paging_queue_create(process->device, VIDMM_PAGING_QUEUE_NORMAL,
                                           &process->queue, &run->report);
    *queue = process->queue;
    return status;
}

NTSTATUS vidmm_act_resident(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_paging_queue *queue;
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);
    NTSTATUS status = vidmm_scenario_queue(run, act, &queue);

    if (status == STATUS_SUCCESS)
        status = vidmm_make_resident(queue, named.allocations, all.allocation_count, 0, &result,
                                     &run->report);
    return status == STATUS_PENDING ? vidmm_paging_queue_wait(queue, result.value, &run->report)
                                    : status;
}

NTSTATUS vidmm_act_evict(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);

    return vidmm_evict(run->processes[act->process].device, named.allocations, all.allocation_count,
                       0, NULL, &run->report);
}
