/* trouble.c: what befalls a device, or all of them: a program puts one in error, a message has the
 * driver alone, an IOMMU comes between the GPU and memory, Plug and Play stops the device.
 */
#include "stress.h"

#include <string.h>

#include <vidmm/process.h>

/* ---- a device in error ----------------------------------------------------------------------- */

/* The device is in error, and takes no work. */
static void try_work(struct stress_program *program, const struct stress_target *target)
{
    const struct softgpu_touch touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    uint64_t value = 0;
    NTSTATUS status;

    stress_enter(program, STRESS_DEVICE_CONDITION);
    status = vidmm_device_condition(target->device, &program->report);
    if (stress_leave(program, STRESS_DEVICE_CONDITION, status) == STATUS_SUCCESS)
        stress_fail(program->world, "program %u: its device is in no error", program->index);
    if (target->context == NULL || program->world->weather.level >= 20)
        return;
    stress_enter(program, STRESS_RENDER);
    stress_refused(program, STRESS_RENDER,
                   vidmm_render(target->context, &touch, sizeof(touch), NULL, 0, true, &value,
                                &program->report),
                   "work of a device in error");
}

static void try_commands(struct stress_program *program)
{
    struct stress_explicit *explicit = &program->explicit;
    const struct vidmm_command command = {.address = explicit->commands_address, .length = 16};
    struct stress_context *queue = &explicit->contexts[stress_below(program, STRESS_CONTEXTS)];

    if (stress_queue_submit(program, queue, &command) == STATUS_SUCCESS)
        stress_fail(program->world, "program %u: a device in error takes commands", program->index);
}

static struct stress_device *find_device(struct stress_program *program,
                                         const struct vidmm_device *handle)
{
    for (unsigned i = 0; i < STRESS_DEVICES; i++)
        if (program->devices[i].handle == handle)
            return &program->devices[i];
    return NULL;
}

/* It goes with all it has: no content of it is known any more. */
static void fail_device(struct stress_program *program, const struct stress_target *target)
{
    NTSTATUS status;

    program->failing = true;
    stress_enter(program, STRESS_DEVICE_FAIL);
    status = vidmm_device_fail(target->device, &program->report);
    if (stress_leave(program, STRESS_DEVICE_FAIL, status) == STATUS_SUCCESS) {
        try_work(program, target);
        if (program->world->weather.level >= 20)
            try_commands(program);
    }
    if (program->world->weather.level >= 20)
        stress_listed_finish(program);
    else
        stress_device_finish(program, find_device(program, target->device));
    program->failing = false;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* About the adapter, a device, or a context; from whomever. */
static void send_message(struct stress_program *program, const struct stress_target *target)
{
    struct softgpu_escape data = {.magic = SOFTGPU_ESCAPE_MAGIC};
    struct vidmm_message message = {.data = &data,
                                    .size = sizeof(data),
                                    .hardware_access = stress_chance(program, 15),
                                    .no_synchronization = stress_chance(program, 30)};

    if (stress_chance(program, 60))
        message.device = target->device;
    if (message.device != NULL && stress_chance(program, 60))
        message.context = target->context;
    if (stress_chance(program, 60))
        message.sender = target->device;
    stress_enter(program, STRESS_ESCAPE_TO);
    stress_leave(program, STRESS_ESCAPE_TO,
                 vidmm_escape_to(program->world->adapter, &message, &program->report));
}

static void send_wrong_message(struct stress_program *program, const struct stress_target *target)
{
    struct softgpu_escape data = {.magic = SOFTGPU_ESCAPE_MAGIC};
    struct vidmm_message message = {.device = target->device, .data = &data, .size = sizeof(data)};
    const char *what = "a message of rubbish";

    if (stress_chance(program, 30) && target->context != NULL) {
        message.device = NULL;
        message.context = target->context;
        what = "a message about a context, and not about its device";
    } else if (stress_chance(program, 50)) {
        message.data = NULL;
        what = "a message without data";
    } else {
        data.magic = stress_below(program, 1000);
    }
    stress_enter(program, STRESS_LATER_WRONG);
    stress_refused(program, STRESS_LATER_WRONG,
                   vidmm_escape_to(program->world->adapter, &message, &program->report), what);
}

/* ---- the adapter ----------------------------------------------------------------------------- */

static void isolate(struct stress_program *program)
{
    struct stress_world *world = program->world;
    NTSTATUS status;

    stress_enter(program, STRESS_ISOLATE);
    status = vidmm_adapter_isolate(world->adapter, &program->report);
    stress_leave(program, STRESS_ISOLATE, status);
    if ((status == STATUS_NOT_SUPPORTED) == world->weather.isolated)
        stress_fail(world, "program %u: isolation: 0x%08x: %s", program->index, (unsigned)status,
                    program->report.text);
}

/* The others see it at their next calls. */
static void stop_device(struct stress_program *program)
{
    stress_enter(program, STRESS_PNP_STOP);
    stress_leave(program, STRESS_PNP_STOP,
                 vidmm_adapter_pnp_stop(program->world->adapter, &program->report));
}

void stress_trouble_work(struct stress_program *program)
{
    const struct stress_world *world = program->world;
    struct stress_target target;

    if (world->weather.unplugs && program->index == 0 &&
        program->steps > world->options->calls / 4 * 3) {
        stop_device(program);
        return;
    }
    if (!stress_aim(program, &target))
        return;
    if (stress_chance(program, 8))
        fail_device(program, &target);
    else if (stress_chance(program, 10))
        isolate(program);
    else if (stress_chance(program, 20))
        send_wrong_message(program, &target);
    else
        send_message(program, &target);
}
