/* listed_fence.c: fences of a program of WDDM 2 that come and go, waits for them in two calls and
 * by notice, and queues that live for a moment.
 *
 *     create --> the CPU, a queue or nobody signals --> somebody waits --> destroy, over or not
 */
#include "stress.h"

#include <vidmm/delay.h>
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/paging_queue.h>

/* ---- waits ----------------------------------------------------------------------------------- */

static bool is_end_of_wait(NTSTATUS status)
{
    return status == STATUS_SUCCESS || status == STATUS_CANCELLED ||
           status == STATUS_DEVICE_REMOVED || status == STATUS_GRAPHICS_NO_VIDEO_MEMORY ||
           status == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE || status == STATUS_INTERNAL_ERROR;
}

static void over(void *argument, NTSTATUS status)
{
    struct stress_program *program = argument;

    atomic_fetch_add(&program->notices_come, 1);
    if (!is_end_of_wait(status))
        stress_fail(program->world, "program %u: a wait's end is told with 0x%08x", program->index,
                    (unsigned)status);
}

static void notify(struct stress_program *program, const struct vidmm_fence_point *points,
                   uint32_t count, bool any)
{
    const struct vidmm_fence_notice notice = {over, program};
    NTSTATUS status;

    atomic_fetch_add(&program->notices_due, 1); /* it may come before the call returns */
    stress_enter(program, STRESS_FENCE_NOTIFY);
    status =
        vidmm_fence_notify(program->explicit.device, points, count, any, &notice, &program->report);
    if (stress_listed_leave(program, STRESS_FENCE_NOTIFY, status) != STATUS_SUCCESS)
        atomic_fetch_sub(&program->notices_due, 1);
}

/* NULL: it is over, or was refused. */
static struct vidmm_fence_waiting *begin_wait(struct stress_program *program,
                                              const struct vidmm_fence_point *points,
                                              uint32_t count, bool any)
{
    struct vidmm_fence_waiting *waiting = NULL;
    NTSTATUS status;

    stress_enter(program, STRESS_FENCE_WAIT_BEGIN);
    status = vidmm_fence_wait_begin(program->explicit.device, points, count, any, &waiting,
                                    &program->report);
    stress_listed_leave(program, STRESS_FENCE_WAIT_BEGIN, status);
    return status == STATUS_PENDING ? waiting : NULL;
}

static NTSTATUS end_wait(struct stress_program *program, struct vidmm_fence_waiting *waiting)
{
    stress_enter(program, STRESS_FENCE_WAIT_END);
    return stress_listed_leave(program, STRESS_FENCE_WAIT_END,
                               vidmm_fence_wait_end(waiting, &program->report));
}

static void signal_by_cpu(struct stress_program *program, const struct vidmm_fence_point *point)
{
    NTSTATUS status;

    stress_enter(program, STRESS_FENCE_SIGNAL);
    status = vidmm_fence_signal(program->explicit.device, point, 1, &program->report);
    if (stress_listed_leave(program, STRESS_FENCE_SIGNAL, status) == STATUS_SUCCESS &&
        vidmm_fence_value(point->fence) != point->value)
        stress_fail(program->world, "program %u: a fence that was signaled with %llu has %llu",
                    program->index, (unsigned long long)point->value,
                    (unsigned long long)vidmm_fence_value(point->fence));
}

/* ---- what becomes of a fence ----------------------------------------------------------------- */

static void destroy_fence(struct stress_program *program, struct vidmm_fence *fence)
{
    stress_enter(program, STRESS_FENCE_DESTROY);
    vidmm_fence_destroy(fence);
    stress_leave(program, STRESS_FENCE_DESTROY, STATUS_SUCCESS);
}

/* The value of a queue of the program, which comes, and that of the fence, which nobody signals. */
static void wait_for_two(struct stress_program *program, const struct vidmm_fence_point *point)
{
    unsigned context = stress_below(program, STRESS_CONTEXTS);
    const struct vidmm_fence_point points[2] = {
        *point, {program->explicit.fences[context], program->explicit.fence_values[context]}};
    bool any = stress_chance(program, 50);
    struct vidmm_fence_waiting *waiting = begin_wait(program, points, 2, any);

    notify(program, points, 2, !any);
    if (waiting != NULL && any && stress_chance(program, 50)) {
        end_wait(program, waiting);
        waiting = NULL;
    }
    destroy_fence(program, point->fence);
    if (waiting != NULL && end_wait(program, waiting) == STATUS_SUCCESS && !any)
        stress_fail(program->world, "program %u: a wait for what nobody has signaled is over",
                    program->index);
}

static void signal_by_queue(struct stress_program *program, const struct vidmm_fence_point *point)
{
    struct stress_context *queue =
        &program->explicit.contexts[stress_below(program, STRESS_CONTEXTS)];
    struct vidmm_fence_waiting *waiting = begin_wait(program, point, 1, false);

    notify(program, point, 1, true);
    if (stress_queue_signal(program, queue, point) != STATUS_SUCCESS) /* nobody signals it */
        signal_by_cpu(program, point);
    if (waiting != NULL && end_wait(program, waiting) == STATUS_SUCCESS &&
        vidmm_fence_value(point->fence) < point->value)
        stress_fail(program->world, "program %u: a value that was waited for is not there",
                    program->index);
    destroy_fence(program, point->fence);
}

/* The queue goes on behind its wait when the fence goes. */
static void hold_a_queue(struct stress_program *program, const struct vidmm_fence_point *point)
{
    struct stress_context *queue =
        &program->explicit.contexts[stress_below(program, STRESS_CONTEXTS)];

    stress_queue_follow(program, queue, point);
    if (stress_chance(program, 50))
        signal_by_cpu(program, point);
    destroy_fence(program, point->fence);
}

/* Judge its value, as the call tells it and as it lies there, and its address. */
static void look_at(struct stress_program *program, struct vidmm_fence *fence, uint32_t flags,
                    uint64_t value)
{
    uint64_t address = 0;
    NTSTATUS status;

    if (vidmm_fence_value(fence) != value || *vidmm_fence_address(fence) != value)
        stress_fail(
            program->world, "program %u: a fence made with %llu has %llu, and %llu lies there",
            program->index, (unsigned long long)value, (unsigned long long)vidmm_fence_value(fence),
            (unsigned long long)*vidmm_fence_address(fence));
    stress_enter(program, STRESS_FENCE_GPU_ADDRESS);
    status = vidmm_fence_gpu_address(fence, program->explicit.device, &address, &program->report);
    stress_listed_leave(program, STRESS_FENCE_GPU_ADDRESS, status);
    if ((status == STATUS_SUCCESS &&
         (address == 0 || address % 8 != 0 || (flags & VIDMM_FENCE_NO_GPU_ACCESS) != 0)) ||
        (status == STATUS_NOT_SUPPORTED && (flags & VIDMM_FENCE_NO_GPU_ACCESS) == 0 &&
         !program->world->weather.io))
        stress_fail(program->world, "program %u: a fence with flags 0x%x is at 0x%llx: 0x%08x",
                    program->index, flags, (unsigned long long)address, (unsigned)status);
}

static void fence_work(struct stress_program *program)
{
    static const uint32_t kinds[] = {0, VIDMM_FENCE_SHARED, VIDMM_FENCE_NO_MAX_VALUE,
                                     VIDMM_FENCE_NO_GPU_ACCESS,
                                     VIDMM_FENCE_SHARED | VIDMM_FENCE_NT_SECURITY_SHARING};
    static void (*const ends[])(struct stress_program *, const struct vidmm_fence_point *) = {
        wait_for_two, signal_by_queue, hold_a_queue};
    uint32_t flags = kinds[stress_below(program, 5)];
    uint64_t value = stress_below(program, 1000);
    struct vidmm_fence *fence;
    NTSTATUS status;

    stress_enter(program, STRESS_FENCE_CREATE);
    status = vidmm_fence_create(program->explicit.device, value, flags, &fence, &program->report);
    if (stress_listed_leave(program, STRESS_FENCE_CREATE, status) != STATUS_SUCCESS)
        return;
    look_at(program, fence, flags, value);
    ends[stress_below(program, 3)](program, &(struct vidmm_fence_point){fence, value + 1});
}

/* ---- paging queues --------------------------------------------------------------------------- */

static void wait_for(struct stress_program *program, struct vidmm_paging_queue *queue,
                     uint64_t value)
{
    stress_enter(program, STRESS_PAGING_WAIT);
    if (stress_leave(program, STRESS_PAGING_WAIT,
                     vidmm_paging_queue_wait(queue, value, &program->report)) != STATUS_SUCCESS)
        return;
    if (vidmm_paging_queue_passed(queue) < value || *vidmm_paging_queue_fence(queue) < value ||
        vidmm_fence_value(vidmm_paging_queue_monitored_fence(queue)) < value)
        stress_fail(program->world, "program %u: a paging queue has not come to %llu",
                    program->index, (unsigned long long)value);
}

static void paging_queue_work(struct stress_program *program)
{
    struct vidmm_residency_result result = {0, 0};
    struct vidmm_paging_queue *queue;
    NTSTATUS status;

    stress_enter(program, STRESS_PAGING_CREATE);
    status = vidmm_paging_queue_create(program->explicit.device, stress_below(program, 3), &queue,
                                       &program->report);
    if (stress_listed_leave(program, STRESS_PAGING_CREATE, status) != STATUS_SUCCESS)
        return;
    stress_enter(program, STRESS_QUEUE_DELAY);
    status = vidmm_paging_queue_delay(queue, 1 + stress_below(program, 500000), &result,
                                      &program->report);
    stress_listed_leave(program, STRESS_QUEUE_DELAY, status);
    if (status == STATUS_PENDING && stress_chance(program, 70))
        wait_for(program, queue, result.value);
    stress_enter(program, STRESS_PAGING_FAILURE);
    stress_leave(program, STRESS_PAGING_FAILURE, vidmm_paging_queue_failure(queue));
    stress_enter(program, STRESS_PAGING_DESTROY);
    vidmm_paging_queue_destroy(queue);
    stress_leave(program, STRESS_PAGING_DESTROY, STATUS_SUCCESS);
}

/* The program's own queue, which has answered that value. */
static void own_queue_work(struct stress_program *program)
{
    const struct stress_listed *one =
        &program->explicit.allocations[stress_below(program, STRESS_LISTED)];

    if (one->handle != NULL)
        wait_for(program, program->explicit.queue, one->value);
    stress_enter(program, STRESS_PAGING_FAILURE);
    stress_leave(program, STRESS_PAGING_FAILURE,
                 vidmm_paging_queue_failure(program->explicit.queue));
}

/* ---- hardware queues ------------------------------------------------------------------------- */

/* A queue for a moment, if the GPU has one. */
static void hw_queue_work(struct stress_program *program)
{
    uint32_t node = stress_below(program, program->world->weather.nodes);
    struct vidmm_context *context;
    struct vidmm_hw_queue *queue = NULL;
    NTSTATUS status;

    if (!program->world->weather.hw_queues ||
        vidmm_hw_queues_of(program->world->adapter, node) == 0)
        return;
    stress_enter(program, STRESS_HW_CREATE);
    status = vidmm_hw_context_create(program->explicit.device, node, NULL, 0, &context,
                                     &program->report);
    if (stress_leave(program, STRESS_HW_CREATE, status) != STATUS_SUCCESS)
        return;
    stress_enter(program, STRESS_HW_CREATE);
    status =
        vidmm_hw_queue_create(context, stress_below(program, 8), NULL, 0, &queue, &program->report);
    if (stress_leave(program, STRESS_HW_CREATE, status) == STATUS_SUCCESS) {
        if (vidmm_hw_queue_fence_address(queue) % 8 != 0)
            stress_fail(program->world, "program %u: a progress fence at 0x%llx", program->index,
                        (unsigned long long)vidmm_hw_queue_fence_address(queue));
        stress_enter(program, STRESS_HW_DESTROY);
        vidmm_hw_queue_destroy(queue);
        stress_leave(program, STRESS_HW_DESTROY, STATUS_SUCCESS);
    }
    stress_enter(program, STRESS_CONTEXT_DESTROY);
    vidmm_context_destroy(context);
    stress_leave(program, STRESS_CONTEXT_DESTROY, STATUS_SUCCESS);
}

/* How often, of 100 steps. */
static const struct stress_work works[] = {
    {60, fence_work}, {20, paging_queue_work}, {10, own_queue_work}, {10, hw_queue_work}};

void stress_listed_fence_work(struct stress_program *program)
{
    stress_do(program, works, stress_below(program, 100));
}
