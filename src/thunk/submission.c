/* submission.c: commands that a program has written at a GPU virtual address. */
#include "thunk/submission.h"

#include <stdbool.h>

#include <vidmm/hw_queue.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

static NTSTATUS check(const struct vidmm_thunk_submission *submission)
{
    if (submission->private_data == NULL && submission->private_data_size != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  submission->private_data_size);
    if (submission->primary_count > VIDMM_WRITTEN_PRIMARIES)
        return vidmm_thunk_refuse("NumPrimaries is %u; expected 0 to %u", submission->primary_count,
                                  VIDMM_WRITTEN_PRIMARIES);
    if (submission->primary_count != 0 && submission->primaries == NULL)
        return vidmm_thunk_refuse("WrittenPrimaries is NULL, and NumPrimaries is %u",
                                  submission->primary_count);
    return STATUS_SUCCESS;
}

enum { MOST_USED = VIDMM_WRITTEN_PRIMARIES + D3DDDI_MAX_BROADCAST_CONTEXT };

/* The objects of a submission: the primaries that are written, and behind them the queues. */
struct used {
    struct vidmm_thunk_object *objects[MOST_USED];
    struct vidmm_allocation *primaries[VIDMM_WRITTEN_PRIMARIES];
    UINT queued; /* so many queues have the commands */
};

/* Inside. Queues are of one device, so that what one of them refuses in general they all do. */
static NTSTATUS find_queues(struct vidmm_thunk_process *process,
                            const struct vidmm_thunk_submission *submission,
                            struct vidmm_thunk_object **queues)
{
    for (UINT i = 0; i < submission->queue_count; i++) {
        queues[i] =
            vidmm_thunk_find(process, submission->queues[i], submission->type, submission->member);
        if (queues[i] == NULL)
            return STATUS_INVALID_PARAMETER;
        if (vidmm_thunk_device_of(queues[i]) != vidmm_thunk_device_of(queues[0]))
            return vidmm_thunk_refuse("%s is 0x%x, of another device than the first",
                                      submission->member, submission->queues[i]);
    }
    return STATUS_SUCCESS;
}

/* Inside. */
static NTSTATUS find_used(struct vidmm_thunk_process *process,
                          const struct vidmm_thunk_submission *submission, struct used *used)
{
    UINT count = submission->primary_count;

    for (UINT i = 0; i < count; i++) {
        used->objects[i] =
            vidmm_thunk_find(process, submission->primaries[i], VIDMM_THUNK_ALLOCATION,
                             "an element of WrittenPrimaries");
        if (used->objects[i] == NULL)
            return STATUS_INVALID_PARAMETER;
        used->primaries[i] = used->objects[i]->of;
    }
    return find_queues(process, submission, &used->objects[count]);
}

/* Queue the commands to those that do not have them yet, until one answers no success. */
static NTSTATUS queue(const struct vidmm_thunk_submission *submission, struct used *used, bool wait)
{
    const struct vidmm_command command = {.address = submission->address,
                                          .length = submission->length,
                                          .private_data = submission->private_data,
                                          .private_data_size = submission->private_data_size,
                                          .written_primaries = used->primaries,
                                          .written_primary_count = submission->primary_count};

    for (; used->queued < submission->queue_count; used->queued++) {
        void *of = used->objects[submission->primary_count + used->queued]->of;
        uint64_t value;
        NTSTATUS status =
            submission->type == VIDMM_THUNK_HW_QUEUE
                ? vidmm_hw_queue_submit(of, &command, submission->id, wait, vidmm_thunk_report())
                : vidmm_submit_command(of, &command, wait, &value, vidmm_thunk_report());

        if (status != STATUS_SUCCESS)
            return status;
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_submit(struct vidmm_thunk_process *process,
                            const struct vidmm_thunk_submission *submission)
{
    UINT count = submission->primary_count + submission->queue_count;
    struct used used;
    NTSTATUS status = check(submission);

    if (status != STATUS_SUCCESS)
        return status;
    used.queued = 0;
    vidmm_thunk_enter(process);
    status = find_used(process, submission, &used);
    if (status == STATUS_SUCCESS)
        status = queue(submission, &used, false);
    if (status != STATUS_DEVICE_BUSY) {
        vidmm_thunk_leave(process);
        return status;
    }
    for (UINT i = 0; i < count; i++)
        vidmm_thunk_hold(process, used.objects[i]);
    vidmm_thunk_leave(process);
    status = queue(submission, &used, true);
    for (UINT i = 0; i < count; i++)
        vidmm_thunk_let_go(process, used.objects[i]);
    return status;
}
