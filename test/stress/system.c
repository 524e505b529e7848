/* system.c: power, messages to the driver, raw bytes, time stamps, questions. */
#include "stress.h"

#include <string.h>

#include <vidmm/page.h>

#include "softgpu/config.h"

/* ---- power ----------------------------------------------------------------------------------- */

static void give_power(struct stress_program *program)
{
    NTSTATUS status;

    stress_enter(program, STRESS_SET_POWER);
    status = vidmm_adapter_set_power(program->world->adapter, VIDMM_POWER_D0, &program->report);
    stress_leave(program, STRESS_SET_POWER, status);
    if (status == STATUS_SUCCESS || status == STATUS_DEVICE_REMOVED) {
        program->powered_down = false;
        atomic_flag_clear(&program->world->power);
    }
}

static void take_power(struct stress_program *program)
{
    static const enum vidmm_power states[] = {VIDMM_POWER_D3, VIDMM_POWER_STANDBY,
                                              VIDMM_POWER_HYBRID_SLEEP, VIDMM_POWER_HIBERNATE};
    NTSTATUS status;

    if (atomic_flag_test_and_set(&program->world->power))
        return;
    stress_enter(program, STRESS_SET_POWER);
    status = vidmm_adapter_set_power(program->world->adapter, states[stress_below(program, 4)],
                                     &program->report);
    stress_leave(program, STRESS_SET_POWER, status);
    program->powered_down = status == STATUS_SUCCESS;
    if (!program->powered_down)
        atomic_flag_clear(&program->world->power);
}

void stress_power_work(struct stress_program *program)
{
    if (program->powered_down)
        give_power(program);
    else
        take_power(program);
}

/* ---- messages, raw bytes, hangs -------------------------------------------------------------- */

static void escape(struct stress_program *program)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC};
    struct stress_device *device = stress_some_device(program);
    NTSTATUS status;

    if (device == NULL)
        return;
    stress_enter(program, STRESS_ESCAPE);
    status = vidmm_escape(device->handle, &message, sizeof(message), stress_chance(program, 15),
                          &program->report);
    stress_leave(program, STRESS_ESCAPE, status);
}

static void read_raw(struct stress_program *program)
{
    static _Thread_local unsigned char buffer[4 * VIDMM_PAGE_SIZE];
    struct vidmm_segment_info segment;
    struct vidmm_segment_range range = {.segment = 2,
                                        .engine = stress_below(program, 2),
                                        .size = (1 + stress_below(program, 4)) * VIDMM_PAGE_SIZE};
    NTSTATUS status;

    vidmm_adapter_segment(program->world->adapter, range.segment, &segment);
    range.offset = stress_below(program, (uint32_t)(segment.size / VIDMM_PAGE_SIZE)) *
                   (uint64_t)VIDMM_PAGE_SIZE;
    stress_enter(program, STRESS_READ_SEGMENT);
    status = vidmm_read_segment(program->world->adapter, &range, buffer, &program->report);
    stress_leave(program, STRESS_READ_SEGMENT, status);
}

/* Something fails soon: an engine, or the host's memory. */
void stress_fail_something(struct stress_program *program)
{
    struct stress_world *world = program->world;

    if (world->weather.hangs && stress_chance(program, 30))
        softgpu_device_hang(world->gpus[0], stress_below(program, world->weather.nodes), 0,
                            stress_chance(program, 70));
    if (!world->weather.poor)
        return;
    switch (stress_below(program, 3)) {
    case 0:
        vidmm_machine_fail_allocation(world->machine, 1 + stress_below(program, 20));
        break;
    case 1:
        vidmm_machine_fail_pages(world->machine, 1 + stress_below(program, 6));
        break;
    default:
        vidmm_machine_fail_mapping(world->machine, 1 + stress_below(program, 6));
    }
}

void stress_system_work(struct stress_program *program)
{
    switch (stress_below(program, 4)) {
    case 0:
        read_raw(program);
        break;
    case 1:
        stress_fail_something(program);
        break;
    default:
        escape(program);
    }
}

/* ---- time stamps ----------------------------------------------------------------------------- */

static struct stress_allocation *find_history(struct stress_device *device)
{
    for (unsigned i = 0; i < STRESS_ALLOCATIONS; i++)
        if (device->allocations[i].handle != NULL && device->allocations[i].history)
            return &device->allocations[i];
    return NULL;
}

static void render_history(struct stress_program *program, struct stress_context *context,
                           struct stress_allocation *buffer)
{
    const struct vidmm_render_reference list = {.allocation = buffer->handle, .write = true};
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {.touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(1)}, .reference_count = 1},
                 .reference = {.flags = SOFTGPU_REFERENCE_WRITE,
                               .pages = buffer->pages,
                               .generation = program->steps}};
    uint64_t value = context->value;
    NTSTATUS status;

    stress_enter(program, STRESS_RENDER);
    status = vidmm_render(context->handle, &command, sizeof(command), &list, 1, true, &value,
                          &program->report);
    if (stress_leave(program, STRESS_RENDER, status) == STATUS_SUCCESS) {
        context->value = value;
        buffer->used = context;
        buffer->value = value;
    }
}

static void read_history(struct stress_program *program, struct stress_context *context,
                         struct stress_allocation *buffer)
{
    struct vidmm_history history;
    uint64_t stamps[8];
    NTSTATUS status;

    stress_enter(program, STRESS_HISTORY_READ);
    status =
        vidmm_history_read(context->handle, buffer->handle, &history, stamps, 8, &program->report);
    stress_leave(program, STRESS_HISTORY_READ, status);
}

void stress_history_work(struct stress_program *program)
{
    struct stress_device *device = stress_some_device(program);
    struct stress_allocation *buffer = device != NULL ? find_history(device) : NULL;
    struct stress_context *context;
    uint32_t bits;

    if (stress_chance(program, 20)) {
        stress_enter(program, STRESS_HISTORY_PRECISION);
        stress_leave(program, STRESS_HISTORY_PRECISION,
                     vidmm_history_precision(program->world->adapter,
                                             stress_below(program, program->world->weather.nodes),
                                             &bits, &program->report));
    }
    if (buffer == NULL)
        return;
    context = &device->contexts[stress_below(program, STRESS_CONTEXTS)];
    if (context->handle == NULL || buffer->offered || buffer->locks > 0 ||
        (buffer->used != NULL && buffer->used != context))
        return;
    if (stress_chance(program, 60))
        render_history(program, context, buffer);
    else
        read_history(program, context, buffer);
}

/* ---- questions ------------------------------------------------------------------------------- */

void stress_ask_work(struct stress_program *program)
{
    struct vidmm_adapter *adapter = program->world->adapter;
    struct vidmm_memory_totals totals;
    struct vidmm_statistics statistics;
    struct vidmm_segment_info segment;
    struct vidmm_finding finding;
    unsigned char data[64];

    stress_enter(program, STRESS_ASK);
    vidmm_adapter_memory_totals(adapter, &totals);
    vidmm_adapter_statistics(adapter, &statistics);
    vidmm_adapter_segment(adapter, stress_below(program, 40), &segment);
    vidmm_adapter_finding(adapter, stress_below(program, 4), &finding);
    stress_leave(program, STRESS_ASK, STATUS_SUCCESS);
    stress_enter(program, STRESS_CONDITION);
    stress_leave(program, STRESS_CONDITION, vidmm_adapter_condition(adapter, &program->report));
    stress_enter(program, STRESS_QUERY_PRIVATE);
    stress_leave(
        program, STRESS_QUERY_PRIVATE,
        vidmm_query_private(adapter, data, stress_below(program, sizeof(data)), &program->report));
}
