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

/* Inside: the primaries that are written, and the queue, which is the last of `used`. */
static bool find_used(struct vidmm_thunk_process *process,
                      const struct vidmm_thunk_submission *submission,
                      struct vidmm_thunk_object **used, struct vidmm_allocation **primaries)
{
    UINT count = submission->primary_count;

    for (UINT i = 0; i < count; i++) {
        used[i] = vidmm_thunk_find(process, submission->primaries[i], VIDMM_THUNK_ALLOCATION,
                                   "an element of WrittenPrimaries");
        if (used[i] == NULL)
            return false;
        primaries[i] = used[i]->of;
    }
    used[count] =
        vidmm_thunk_find(process, submission->queue, submission->type, submission->member);
    return used[count] != NULL;
}

static NTSTATUS queue(const struct vidmm_thunk_submission *submission, void *of,
                      const struct vidmm_command *command, bool wait)
{
    uint64_t value;

    return submission->type == VIDMM_THUNK_HW_QUEUE
               ? vidmm_hw_queue_submit(of, command, submission->id, wait, vidmm_thunk_report())
               : vidmm_submit_command(of, command, wait, &value, vidmm_thunk_report());
}

NTSTATUS vidmm_thunk_submit(struct vidmm_thunk_process *process,
                            const struct vidmm_thunk_submission *submission)
{
    struct vidmm_allocation *primaries[VIDMM_WRITTEN_PRIMARIES];
    struct vidmm_thunk_object *used[VIDMM_WRITTEN_PRIMARIES + 1];
    UINT count = submission->primary_count;
    const struct vidmm_command command = {.address = submission->address,
                                          .length = submission->length,
                                          .private_data = submission->private_data,
                                          .private_data_size = submission->private_data_size,
                                          .written_primaries = primaries,
                                          .written_primary_count = count};
    NTSTATUS status = check(submission);

    if (status != STATUS_SUCCESS)
        return status;
    vidmm_thunk_enter(process);
    if (!find_used(process, submission, used, primaries)) {
        vidmm_thunk_leave(process);
        return STATUS_INVALID_PARAMETER;
    }
    status = queue(submission, used[count]->of, &command, false);
    if (status != STATUS_DEVICE_BUSY) {
        vidmm_thunk_leave(process);
        return status;
    }
    for (UINT i = 0; i <= count; i++)
        vidmm_thunk_hold(process, used[i]);
    vidmm_thunk_leave(process);
    status = queue(submission, used[count]->of, &command, true);
    for (UINT i = 0; i <= count; i++)
        vidmm_thunk_let_go(process, used[i]);
    return status;
}
