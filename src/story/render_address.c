/* The GPU's work where it finds things by address: commands lie in memory of the process, and name
 * addresses. With the CPU's page tables these are the ones that Lock2 answers; with the GPU's own
 * the ones that were mapped.
 *
 *     commands   | slot 0 | slot 1 | ...     a page each, one a submission, in turn
 */
#include "story/run.h"

#include <string.h>

#include <vidmm/lock2.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "softgpu/config.h"
#include "softgpu/softgpu.h"
#include "story/narrate.h"

_Static_assert(VIDMM_SCENARIO_REFERENCES *(sizeof(struct softgpu_virtual_touch) +
                                           sizeof(struct softgpu_virtual_reference)) <=
                   2 * VIDMM_PAGE_SIZE,
               "the commands of an act fit in a slot");

#define SLOT_SIZE (2 * (uint64_t)VIDMM_PAGE_SIZE)

/* The address by which the GPU finds the commands. */
static NTSTATUS map_commands(struct vidmm_scenario_run *run, struct vidmm_scenario_process *own)
{
    const struct vidmm_address_request request = {.size = VIDMM_SCENARIO_SLOTS * SLOT_SIZE};
    const struct vidmm_address_use use = {.state = VIDMM_ADDRESSES_MAPPED,
                                          .access = VIDMM_ADDRESSES_EXECUTE,
                                          .allocation = own->commands.handle};
    uint64_t value = 0;
    NTSTATUS status;

    own->commands.address = (uint64_t)(uintptr_t)own->commands.bytes;
    if (run->scenario->gpu.mmu.kind == SOFTGPU_MMU_IO)
        return STATUS_SUCCESS;
    status = vidmm_map_addresses(own->queue, &request, &use, &own->commands.address, &value,
                                 &run->report);
    return status == STATUS_PENDING ? vidmm_paging_queue_wait(own->queue, value, &run->report)
                                    : status;
}

/* Allocate them in an aperture, see them, have them resident, and let the GPU find them. */
static NTSTATUS make(struct vidmm_scenario_run *run, struct vidmm_scenario_process *own)
{
    const uint32_t segment = softgpu_config_segment(&run->scenario->gpu, SOFTGPU_SEGMENT_APERTURE);
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .size = VIDMM_SCENARIO_SLOTS * SLOT_SIZE,
        .read_set = 1u << (segment - 1),
        .write_set = 1u << (segment - 1),
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    struct vidmm_residency_result result = {0};
    void *bytes = NULL;
    NTSTATUS status;

    vidmm_narrator_name(run->narrator, "commands");
    status = vidmm_allocation_create(own->device, &wish, sizeof(wish), &own->commands.handle,
                                     &run->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_lock2(own->commands.handle, 0, &bytes, &run->report);
    own->commands.bytes = bytes;
    if (status == STATUS_SUCCESS && own->queue == NULL)
        status = vidmm_paging_queue_create(own->device, VIDMM_PAGING_QUEUE_NORMAL, &own->queue,
                                           &run->report);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_make_resident(own->queue, &own->commands.handle, 1, 0, &result, &run->report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(own->queue, result.value, &run->report);
    return status == STATUS_SUCCESS ? map_commands(run, own) : status;
}

static NTSTATUS ensure(struct vidmm_scenario_run *run, struct vidmm_scenario_process *own)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (own->commands.bytes != NULL)
        return status;
    vidmm_narrator_speak(run->narrator, false);
    status = make(run, own);
    vidmm_narrator_speak(run->narrator, true);
    return status;
}

/* Write one command, whose references are the allocations of a list. Its size, or 0: one of them
 * has no address. */
static uint32_t translate(struct vidmm_scenario_run *run, const struct softgpu_touch *from,
                          const struct vidmm_render_reference *list, unsigned char *to)
{
    const struct softgpu_reference *references = (const void *)(from + 1);
    struct softgpu_virtual_touch *touch = (void *)to;
    struct softgpu_virtual_reference *named = (void *)(touch + 1);

    *touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH,
                    (uint32_t)(sizeof(*touch) + from->reference_count * sizeof(*named))},
        .reference_count = from->reference_count,
        .seed = from->seed,
    };
    for (uint32_t i = 0; i < from->reference_count; i++) {
        named[i] = (struct softgpu_virtual_reference){
            .pages = references[i].pages,
            .digest = references[i].digest,
            .content_id = references[i].content_id,
            .generation = references[i].generation,
            .flags = references[i].flags & SOFTGPU_REFERENCE_WRITE,
        };
        if (vidmm_scenario_address(run, list[references[i].allocation_index].allocation,
                                   &named[i].gpuva) != STATUS_SUCCESS)
            return 0;
    }
    return touch->command.size;
}

NTSTATUS vidmm_scenario_submit_at(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                                  const unsigned char *commands, uint32_t size,
                                  const struct vidmm_render_reference *list)
{
    struct vidmm_scenario_process *own = &run->processes[act->process];
    struct vidmm_scenario_slot *slot = &own->commands.slots[own->commands.next];
    uint64_t offset = own->commands.next * SLOT_SIZE;
    struct vidmm_command command = {0};
    NTSTATUS status = ensure(run, own);

    if (status == STATUS_SUCCESS && slot->value != 0)
        status = vidmm_context_wait(own->contexts[slot->node], slot->value);
    for (uint32_t at = 0, written = 0; at < size && status == STATUS_SUCCESS;
         command.length += written) {
        const struct softgpu_touch *touch = (const void *)(commands + at);

        written = translate(run, touch, list, own->commands.bytes + offset + command.length);
        status = written != 0 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
        at += touch->command.size;
    }
    if (status != STATUS_SUCCESS)
        return status;
    command.address = own->commands.address + offset;
    status = vidmm_submit_command(own->contexts[act->node], &command, !act->no_wait,
                                  &own->values[act->node], &run->report);
    if (status == STATUS_SUCCESS) {
        *slot = (struct vidmm_scenario_slot){act->node, own->values[act->node]};
        own->commands.next = (own->commands.next + 1) % VIDMM_SCENARIO_SLOTS;
    }
    return status;
}
