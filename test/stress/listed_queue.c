/* listed_queue.c: where a program of WDDM 2 queues its commands: a context, or a hardware queue of
 * one. Both are the same to those who ask: values that grow, and the last one that is done.
 */
#include "stress.h"

#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/process.h>

unsigned stress_place_of(const struct stress_program *program)
{
    return program->index % program->world->weather.links;
}

static NTSTATUS begin_plain(struct stress_program *program, struct stress_context *queue)
{
    return vidmm_context_create_on(program->explicit.device, queue->node,
                                   1u << stress_place_of(program), NULL, 0, &queue->handle,
                                   &program->report);
}

/* The driver has as many queues as the GPU has rings. */
static bool is_short_of_queues(NTSTATUS status)
{
    return status == STATUS_GRAPHICS_NO_VIDEO_MEMORY || status == STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS stress_queue_begin(struct stress_program *program, struct stress_context *queue)
{
    uint32_t share = program->world->weather.many ? 20 : 60; /* percent: queues are few */
    NTSTATUS status;

    queue->node = stress_below(program, program->world->weather.nodes);
    if (!program->world->weather.hw_queues || !stress_chance(program, share) ||
        vidmm_hw_queues_of(program->world->adapter, queue->node) == 0)
        return begin_plain(program, queue);
    status = vidmm_hw_context_create(program->explicit.device, queue->node, NULL, 0, &queue->handle,
                                     &program->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_hw_queue_create(queue->handle, 0, NULL, 0, &queue->hw, &program->report);
    if (!is_short_of_queues(status))
        return status;
    vidmm_context_destroy(queue->handle);
    queue->hw = NULL;
    return begin_plain(program, queue);
}

uint64_t stress_queue_completed(const struct stress_context *queue)
{
    return queue->hw != NULL ? vidmm_fence_value(vidmm_hw_queue_fence(queue->hw))
                             : vidmm_context_completed(queue->handle);
}

NTSTATUS stress_queue_submit(struct stress_program *program, struct stress_context *queue,
                             const struct vidmm_command *command)
{
    NTSTATUS status;

    if (queue->hw == NULL) {
        stress_enter(program, STRESS_SUBMIT_COMMAND);
        status =
            vidmm_submit_command(queue->handle, command, true, &queue->value, &program->report);
        return stress_listed_leave(program, STRESS_SUBMIT_COMMAND, status);
    }
    stress_enter(program, STRESS_HW_SUBMIT);
    status = vidmm_hw_queue_submit(queue->hw, command, queue->value + 1, true, &program->report);
    queue->value += status == STATUS_SUCCESS;
    return stress_listed_leave(program, STRESS_HW_SUBMIT, status);
}

NTSTATUS stress_queue_wait(struct stress_program *program, const struct stress_context *queue,
                           uint64_t value)
{
    struct vidmm_fence_point point = {.value = value};
    NTSTATUS status;

    if (queue->hw == NULL) {
        stress_enter(program, STRESS_CONTEXT_WAIT);
        return stress_listed_leave(program, STRESS_CONTEXT_WAIT,
                                   vidmm_context_wait(queue->handle, value));
    }
    point.fence = vidmm_hw_queue_fence(queue->hw);
    stress_enter(program, STRESS_FENCE_WAIT);
    status = vidmm_fence_wait(program->explicit.device, &point, 1, false, &program->report);
    return stress_listed_leave(program, STRESS_FENCE_WAIT, status);
}

NTSTATUS stress_queue_signal(struct stress_program *program, const struct stress_context *queue,
                             const struct vidmm_fence_point *point)
{
    NTSTATUS status;

    if (queue->hw == NULL) {
        stress_enter(program, STRESS_CONTEXT_SIGNAL);
        status = vidmm_context_signal_fences(queue->handle, point, 1, &program->report);
        return stress_listed_leave(program, STRESS_CONTEXT_SIGNAL, status);
    }
    stress_enter(program, STRESS_HW_SIGNAL);
    status = vidmm_hw_queue_signal_fences(queue->hw, point, 1, &program->report);
    return stress_listed_leave(program, STRESS_HW_SIGNAL, status);
}

NTSTATUS stress_queue_follow(struct stress_program *program, const struct stress_context *queue,
                             const struct vidmm_fence_point *point)
{
    NTSTATUS status;

    if (queue->hw == NULL) {
        stress_enter(program, STRESS_CONTEXT_FENCES);
        status = vidmm_context_wait_for_fences(queue->handle, point, 1, &program->report);
        return stress_listed_leave(program, STRESS_CONTEXT_FENCES, status);
    }
    stress_enter(program, STRESS_HW_FENCES);
    status = vidmm_hw_queue_wait_for_fences(queue->hw, point, 1, &program->report);
    return stress_listed_leave(program, STRESS_HW_FENCES, status);
}
