/* GPU virtual addresses of a recorded program, where the GPU has page tables: every allocation is
 * mapped whole as long as it lives, and commands lie in memory of the program's own, which the GPU
 * finds by an address too. A GPU with the CPU's page tables finds both where the CPU does.
 *
 *     commands   | slot 0 | slot 1 | ...      one a submission, in turn, once the GPU is done with
 *                                             the submission that had the slot before
 */
#include "trace/program.h"

#include <string.h>

#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"

/* Addresses for all of an allocation. */
static NTSTATUS map(struct vidmm_program *program, struct vidmm_allocation *allocation,
                    uint32_t access, uint64_t *address, struct vidmm_report *report)
{
    const struct vidmm_address_request request = {.size = vidmm_allocation_size(allocation)};
    const struct vidmm_address_use use = {
        .state = VIDMM_ADDRESSES_MAPPED, .access = access, .allocation = allocation};
    NTSTATUS status;

    if (program->options.shares_addresses)
        return vidmm_shared_address(allocation, address, report);
    status = vidmm_map_addresses(program->paging_queue, &request, &use, address, NULL, report);
    for (uint32_t gpu = 1; gpu < program->options.links && NT_SUCCESS(status); gpu++) {
        const struct vidmm_address_request same = {.base = *address, .size = request.size};

        status =
            vidmm_map_addresses(program->linked_queues[gpu], &same, &use, address, NULL, report);
    }
    /* Submissions behind the change find it. */
    return status == STATUS_PENDING ? STATUS_SUCCESS : status;
}

NTSTATUS vidmm_program_map(struct vidmm_program *program, struct vidmm_allocation *allocation,
                           uint64_t *address, struct vidmm_report *report)
{
    return map(program, allocation, VIDMM_ADDRESSES_WRITE, address, report);
}

/* The commands are resident from the first submission on. */
static NTSTATUS make_resident(struct vidmm_program *program, struct vidmm_report *report)
{
    struct vidmm_residency_result result;
    NTSTATUS status = vidmm_make_resident(
        program->paging_queue, &program->addresses.commands.handle, 1, 0, &result, report);

    program->awaited = status == STATUS_PENDING ? result.value : 0;
    return status == STATUS_PENDING ? STATUS_SUCCESS : status;
}

NTSTATUS vidmm_program_begin_addresses(struct vidmm_program *program, struct vidmm_report *report)
{
    struct vidmm_program_addresses *addresses = &program->addresses;

    addresses->slot_size = program->command_capacity / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE +
                           VIDMM_PAGE_SIZE + vidmm_program_copies_size(program);
    NTSTATUS status = vidmm_program_create_mapped(
        program, (uint64_t)addresses->slot_size * VIDMM_COMMAND_SLOTS, VIDMM_TRACE_VISIBLE,
        &addresses->commands.handle, &addresses->commands.bytes, report);
    if (status != STATUS_SUCCESS) {
        addresses->commands.handle = NULL;
        return status;
    }
    status = make_resident(program, report);
    return status == STATUS_SUCCESS
               ? map(program, addresses->commands.handle,
                     VIDMM_ADDRESSES_EXECUTE |
                         (program->options.by_copies ? VIDMM_ADDRESSES_WRITE : 0),
                     &addresses->commands.address, report)
               : status;
}

void vidmm_program_end_addresses(struct vidmm_program *program)
{
    if (program->addresses.commands.handle == NULL)
        return;
    vidmm_program_destroy_mapped(program->addresses.commands.handle,
                                 program->addresses.commands.bytes);
    program->addresses.commands.handle = NULL;
}

NTSTATUS vidmm_program_submit_by_address(struct vidmm_program *program,
                                         const struct vidmm_trace_record *record, bool wait,
                                         uint64_t *value, struct vidmm_report *report)
{
    struct vidmm_program_addresses *addresses = &program->addresses;
    struct vidmm_command_slot *slot = &addresses->slots[addresses->next];
    uint64_t offset = (uint64_t)addresses->next * addresses->slot_size;
    const struct vidmm_command command = {.address = addresses->commands.address + offset,
                                          .length = program->command_bytes};

    VIDMM_ASSERT(program->command_bytes <= addresses->slot_size);
    if (slot->value != 0 && vidmm_context_completed(program->contexts[slot->queue]) < slot->value)
        return STATUS_DEVICE_BUSY;
    memcpy(addresses->commands.bytes + offset, program->command, program->command_bytes);
    NTSTATUS status =
        vidmm_submit_command(program->contexts[record->queue], &command, wait, value, report);
    if (status != STATUS_SUCCESS)
        return status;
    slot->queue = record->queue;
    slot->value = *value;
    addresses->next = (addresses->next + 1) % VIDMM_COMMAND_SLOTS;
    return STATUS_SUCCESS;
}
