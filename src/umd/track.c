/* track.c: which queue uses an allocation, and until when.
 *
 * T1  submitted[q] is the newest value that context q was told to signal; passed[q] <= submitted[q]
 * T2  a use is over when passed[q] is at or above its value: a context works in order
 * T3  values of a track only grow, so that notes of several threads may come in any order
 * T4  a value above submitted[q] + 1 is in no track
 *
 * The words of tracks and queues are plain in the header, so that C++ can include it, and atomic
 * here.
 */
#include <umd/track.h>

#include <stdatomic.h>
#include <stddef.h>

#include <vidmm/adapter.h>
#include <vidmm/fence.h>
#include <wddm/ntstatus.h>

#include "umd/refuse.h"

_Static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "words are atomic as they lie there");

static uint64_t load(const uint64_t *word)
{
    return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_acquire);
}

/* T3 */
static void raise(uint64_t *word, uint64_t value)
{
    _Atomic uint64_t *at = (_Atomic uint64_t *)word;
    uint64_t there = atomic_load_explicit(at, memory_order_relaxed);

    while (there < value && !atomic_compare_exchange_weak_explicit(
                                at, &there, value, memory_order_release, memory_order_relaxed)) {
    }
}

/* ---- queues ---------------------------------------------------------------------------------- */

void umd_queues_init(struct umd_queues *queues, struct vidmm_device *device)
{
    *queues = (struct umd_queues){.device = device};
}

void umd_queues_finish(struct umd_queues *queues)
{
    for (uint32_t i = 0; i < queues->count; i++)
        vidmm_fence_destroy(queues->queues[i].fence);
    queues->count = 0;
}

NTSTATUS umd_queues_add(struct umd_queues *queues, struct vidmm_context *context, uint32_t *index,
                        struct vidmm_report *report)
{
    struct umd_queue *queue = &queues->queues[queues->count];
    struct vidmm_fence *fence;

    if (queues->count == UMD_QUEUES)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "queues of the device: there are 16 already, expected fewer");
    /* Only the system signals it: 64 bits, whatever the GPU can write. */
    NTSTATUS status =
        vidmm_fence_create(queues->device, 0, VIDMM_FENCE_NO_GPU_ACCESS, &fence, report);
    if (status != STATUS_SUCCESS)
        return status;
    *queue = (struct umd_queue){
        .context = context, .fence = fence, .passed = vidmm_fence_address(fence)};
    *index = queues->count++;
    return STATUS_SUCCESS;
}

uint64_t umd_queue_next(const struct umd_queues *queues, uint32_t index)
{
    return load(&queues->queues[index].submitted) + 1;
}

NTSTATUS umd_queue_signal(struct umd_queues *queues, uint32_t index, struct vidmm_report *report)
{
    struct umd_queue *queue = &queues->queues[index];
    const struct vidmm_fence_point point = {queue->fence, umd_queue_next(queues, index)};
    NTSTATUS status = vidmm_context_signal_fences(queue->context, &point, 1, report);

    if (status == STATUS_SUCCESS)
        raise(&queue->submitted, point.value); /* T1: who waits for it from now on, waits rightly */
    return status;
}

uint64_t umd_queue_passed(const struct umd_queues *queues, uint32_t index)
{
    return atomic_load_explicit((const volatile _Atomic uint64_t *)queues->queues[index].passed,
                                memory_order_acquire);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

void umd_track_use(struct umd_track *track, uint32_t index, uint64_t value, uint32_t access)
{
    if ((access & UMD_READ) != 0)
        raise(&track->last_read[index], value);
    if ((access & UMD_WRITE) != 0)
        raise(&track->last_write[index], value);
}

/* The value of a queue for which the CPU has to wait; 0: none. */
static uint64_t value_of(const struct umd_track *track, uint32_t index, uint32_t access)
{
    uint64_t write = load(&track->last_write[index]);
    uint64_t read = (access & UMD_WRITE) != 0 ? load(&track->last_read[index]) : 0;

    return read > write ? read : write;
}

bool umd_track_is_busy(const struct umd_queues *queues, const struct umd_track *track,
                       uint32_t access)
{
    for (uint32_t i = 0; i < queues->count; i++) {
        uint64_t value = value_of(track, i, access);

        if (value != 0 && umd_queue_passed(queues, i) < value)
            return true;
    }
    return false;
}

bool umd_track_is_submitted(const struct umd_queues *queues, const struct umd_track *track)
{
    for (uint32_t i = 0; i < queues->count; i++)
        if (value_of(track, i, UMD_READ | UMD_WRITE) > load(&queues->queues[i].submitted))
            return false;
    return true;
}

struct umd_track umd_track_copy(const struct umd_track *track)
{
    struct umd_track copy;

    for (uint32_t i = 0; i < UMD_QUEUES; i++) {
        copy.last_read[i] = load(&track->last_read[i]);
        copy.last_write[i] = load(&track->last_write[i]);
    }
    return copy;
}

/* Wait for what is submitted, which has to be all. */
static NTSTATUS wait_for_all(const struct umd_queues *queues, const struct umd_track *track,
                             uint32_t access, struct vidmm_report *report)
{
    struct vidmm_fence_point points[UMD_QUEUES];
    uint32_t count = 0;

    for (uint32_t i = 0; i < queues->count; i++) {
        const struct umd_queue *queue = &queues->queues[i];
        uint64_t value = value_of(track, i, access);

        if (value == 0 || umd_queue_passed(queues, i) >= value)
            continue;
        if (value > load(&queue->submitted))
            return umd_refuse(report, STATUS_INVALID_PARAMETER,
                              "track: a use of it is noted and not submitted; submit it, and call "
                              "umd_queue_signal(), before you wait");
        points[count++] = (struct vidmm_fence_point){queue->fence, value};
    }
    return count == 0 ? STATUS_SUCCESS
                      : vidmm_fence_wait(queues->device, points, count, false, report);
}

NTSTATUS umd_track_wait(const struct umd_queues *queues, const struct umd_track *track,
                        uint32_t access, bool wait, struct vidmm_report *report)
{
    if (!umd_track_is_busy(queues, track, access))
        return STATUS_SUCCESS;
    if (wait)
        return wait_for_all(queues, track, access, report);
    /* A caller that asks again and again must hear of it if the GPU will never be done. */
    NTSTATUS status = vidmm_device_condition(queues->device, report);
    return status != STATUS_SUCCESS
               ? status
               : umd_refuse(report, STATUS_GRAPHICS_ALLOCATION_BUSY,
                            "track: the GPU is not done with it (WasStillDrawing)");
}
