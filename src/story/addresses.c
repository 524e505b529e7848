/* Acts on GPU virtual addresses: a program maps what it has, each allocation in one piece. */
#include "story/run.h"

#include <inttypes.h>

#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "softgpu/config.h"
#include "story/narrate.h"

/* Map one, where the manager likes, and wait until the GPU could know. */
static NTSTATUS map_one(struct vidmm_scenario_run *run, const struct vidmm_act *act, uint32_t index)
{
    struct vidmm_scenario_process *own = &run->processes[act->process];
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, index);
    const struct vidmm_address_request request = {.size = vidmm_allocation_size(live->handle)};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = VIDMM_ADDRESSES_WRITE,
                                          .allocation = live->handle};
    uint64_t value = 0;
    NTSTATUS status =
        vidmm_map_addresses(own->queue, &request, &use, &live->address, &value, &run->report);

    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        vidmm_narrator_say(run->narrator, "%s: at address 0x%" PRIx64,
                           vidmm_scenario_name(run, act, index), live->address);
    return status == STATUS_PENDING ? vidmm_paging_queue_wait(own->queue, value, &run->report)
                                    : status;
}

NTSTATUS vidmm_act_map(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_paging_queue *queue;
    NTSTATUS status = vidmm_scenario_queue(run, act, &queue);

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        status = map_one(run, act, i);
    return status;
}

NTSTATUS vidmm_act_unmap(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++) {
        struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, i);

        status = vidmm_free_addresses(run->processes[act->process].device, live->address,
                                      vidmm_allocation_size(live->handle), &run->report);
        live->address = status == STATUS_SUCCESS ? 0 : live->address;
    }
    return status;
}

bool vidmm_scenario_uses_addresses(const struct vidmm_scenario_run *run)
{
    return run->scenario->gpu.mmu.kind != SOFTGPU_MMU_NONE;
}

NTSTATUS vidmm_scenario_address(struct vidmm_scenario_run *run,
                                const struct vidmm_allocation *handle, uint64_t *address)
{
    *address = 0;
    if (run->scenario->gpu.mmu.kind == SOFTGPU_MMU_IO)
        return vidmm_shared_address(handle, address, &run->report);
    for (uint32_t i = 0; i < VIDMM_SCENARIO_ALLOCATIONS; i++)
        if (run->allocations[i].handle == handle)
            *address = run->allocations[i].address;
    return STATUS_SUCCESS;
}
