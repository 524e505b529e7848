/* world.c: a round from beginning to end: build, run, judge, take apart. */
#include "stress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "softgpu/config.h"
#include "wddm/rule.h"

void stress_fail(struct stress_world *world, const char *format, ...)
{
    va_list arguments;

    if (!atomic_flag_test_and_set(&world->failure_taken)) {
        va_start(arguments, format);
        vsnprintf(world->failure, sizeof(world->failure), format, arguments);
        va_end(arguments);
    }
    atomic_store(&world->failed, true);
}

static void misuse(void *argument, const char *text)
{
    stress_fail(argument, "misuse of the host: %s", text);
}

/* ---- building -------------------------------------------------------------------------------- */

static bool plug(struct stress_world *world, const struct softgpu_config *config, unsigned place)
{
    struct vidmm_device_model model;
    char error[200] = "";

    world->slots[place] = vidmm_machine_add_slot(world->machine);
    if (world->slots[place] != NULL)
        world->gpus[place] = softgpu_device_create(vidmm_slot_bus(world->slots[place]), config,
                                                   &model, error, sizeof(error));
    if (world->gpus[place] == NULL || !vidmm_slot_plug(world->slots[place], &model)) {
        stress_fail(world, "no software GPU: %s", error);
        return false;
    }
    if (place > 0)
        softgpu_device_link(world->gpus[place], world->gpus[0]);
    return true;
}

static bool build_machine(struct stress_world *world, const struct softgpu_config *config)
{
    const struct stress_weather *weather = &world->weather;
    const struct vidmm_machine_options options = {
        .kind = weather->kind,
        .seed = weather->seed | 1,
        .system_memory = weather->system_memory,
        .poison = weather->seed % 2 == 0 ? VIDMM_POISON_HEAD : VIDMM_POISON_WHOLE,
        .misuse = misuse,
        .misuse_argument = world,
        .caches_apart = weather->caches_apart,
        .agp_aperture = weather->agp ? 1 << 20 : 0,
        .agp_posts = weather->agp_posts,
    };
    char error[200] = "";

    world->machine = vidmm_machine_create(&options, error, sizeof(error));
    if (world->machine == NULL) {
        stress_fail(world, "no machine: %s", error);
        return false;
    }
    for (unsigned place = 0; place < weather->links; place++)
        if (!plug(world, config, place))
            return false;
    return true;
}

static void write_log(void *context, const char *text, size_t length)
{
    fwrite(text, 1, length, context);
}

/* The driver, linked if need be, with the auditor in front. */
static bool build_driver(struct stress_world *world, const struct softgpu_config *config)
{
    const struct vidmm_host *host = vidmm_slot_host(world->slots[0]);
    const struct vidmm_tap_config tap = {
        .current_irql = host->current_irql,
        .irql_context = host->context,
        .paging_is_not_patched = !world->weather.adapter.patch_paging,
        .links = world->weather.links,
        .log = world->options->ddi_log != NULL ? write_log : NULL,
        .log_context = world->options->ddi_log,
    };
    DRIVER_INITIALIZATION_DATA driver;
    uint32_t count = world->weather.links;

    memset(&driver, 0, sizeof(driver));
    softgpu_driver_entry(softgpu_driver_version(config->wddm), &driver);
    if (count > 1)
        softgpu_driver_link(&driver);
    if (config->remapping)
        softgpu_driver_remap(&driver);
    world->tap = vidmm_tap_create(&tap, &driver);
    world->chain = (struct softgpu_chain){.uid = 7, .count = count};
    for (uint32_t place = 0; place < count; place++)
        world->places[place] = (struct softgpu_physical_device){&world->chain, place};
    for (uint32_t place = 1; place < count; place++)
        world->links[place - 1] = (struct vidmm_adapter_link){vidmm_slot_host(world->slots[place]),
                                                              &world->places[place]};
    if (count > 1) {
        world->weather.adapter.links = world->links;
        world->weather.adapter.link_count = count - 1;
    }
    if (world->tap == NULL)
        stress_fail(world, "no memory for the auditor");
    return world->tap != NULL;
}

static bool start(struct stress_world *world)
{
    struct vidmm_report report = {""};
    void *object = world->weather.links > 1 ? (void *)&world->places[0] : (void *)world;
    NTSTATUS status =
        vidmm_adapter_start(vidmm_slot_host(world->slots[0]), vidmm_tap_driver(world->tap), object,
                            &world->weather.adapter, &world->adapter, &report);

    if (status != STATUS_SUCCESS) {
        world->adapter = NULL;
        stress_fail(world, "the adapter does not start: 0x%08x: %s", (unsigned)status, report.text);
    }
    return status == STATUS_SUCCESS;
}

static bool build(struct stress_world *world)
{
    struct softgpu_config config = softgpu_config_default();
    char error[200] = "";

    if (!softgpu_config_parse(world->weather.gpu, &config, error, sizeof(error))) {
        stress_fail(world, "the configuration: %s", error);
        return false;
    }
    return build_machine(world, &config) && build_driver(world, &config) && start(world) &&
           (world->weather.level >= 20 || stress_common_begin(world));
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Judge the auditor's findings against the manager. Faults that programs make the driver commit on
 * purpose are the driver's; and an adapter that has stopped by itself ends no operation that it has
 * begun. */
static void judge_calls(struct stress_world *world, bool stopped)
{
    struct vidmm_violation violation;

    for (size_t index = 0; vidmm_tap_violation(world->tap, index, &violation); index++)
        if (vidmm_rule(violation.rule)->party == VIDMM_PARTY_VIDMM &&
            !(stopped && violation.rule == VIDMM_RULE_S4_012))
            stress_fail(world, "the auditor: %s: %s: call %llu: %s", vidmm_rule(violation.rule)->id,
                        violation.detail, (unsigned long long)violation.sequence, violation.record);
    if (!vidmm_tap_complete(world->tap))
        stress_fail(world, "the auditor ran out of memory");
}

/* Each wait for fences has had its notice, and none has come twice. */
static void judge_notices(struct stress_world *world)
{
    for (unsigned i = 0; i < world->options->programs; i++) {
        const struct stress_program *program = &world->programs[i];
        unsigned due = atomic_load(&program->notices_due),
                 come = atomic_load(&program->notices_come);

        if (due != come)
            stress_fail(world, "program %u: %u notices of waits are due, and %u have come", i, due,
                        come);
    }
}

static void judge_gpu(struct stress_world *world, const struct softgpu_device *device)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(device, &gpu);
    if (gpu.content_mismatches != 0)
        stress_fail(world, "the GPU: %llu mismatches, first: %s",
                    (unsigned long long)gpu.content_mismatches, gpu.mismatch);
    if (gpu.faults != 0)
        stress_fail(world, "the GPU: %llu faults, first: %s", (unsigned long long)gpu.faults,
                    gpu.fault);
    if (gpu.dummy_accesses != 0)
        stress_fail(world, "the GPU: %llu pages used that are not mapped",
                    (unsigned long long)gpu.dummy_accesses);
}

/* Nothing is left of the machine's. */
static void judge_rest(struct stress_world *world)
{
    struct vidmm_machine_counts counts = vidmm_machine_counts(world->machine);

    if (counts.blocks != 0 || counts.pages != 0 || counts.mappings != 0)
        stress_fail(world, "left behind: %llu blocks, %llu pages, %llu mappings",
                    (unsigned long long)counts.blocks, (unsigned long long)counts.pages,
                    (unsigned long long)counts.mappings);
}

/* ---- a round --------------------------------------------------------------------------------- */

static void run(struct stress_world *world)
{
    static const char *const names[STRESS_PROGRAMS] = {
        "program 0",  "program 1",  "program 2",  "program 3", "program 4",  "program 5",
        "program 6",  "program 7",  "program 8",  "program 9", "program 10", "program 11",
        "program 12", "program 13", "program 14", "program 15"};
    char report[600] = "";

    for (unsigned index = 0; index < world->options->programs; index++) {
        struct stress_program *program = &world->programs[index];

        program->world = world;
        program->index = index;
        program->random = (world->weather.seed + index + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
        program->next_id = index << 24;
        atomic_store(&program->doing, -1);
        if (!vidmm_machine_add_caller(world->machine, names[index], stress_step, program))
            stress_fail(world, "no memory for a program");
    }
    if (!vidmm_machine_run(world->machine, report, sizeof(report)))
        stress_fail(world, "nothing can change any more: %s", report);
}

static void take_apart(struct stress_world *world)
{
    bool stopped = vidmm_adapter_condition(world->adapter, NULL) != STATUS_SUCCESS;

    vidmm_machine_fail_allocation(world->machine, 0);
    vidmm_machine_fail_pages(world->machine, 0);
    vidmm_machine_fail_mapping(world->machine, 0);
    if (world->common_device != NULL)
        stress_common_end(world);
    vidmm_adapter_stop(world->adapter);
    judge_notices(world);
    judge_rest(world);
    for (unsigned place = 0; place < world->weather.links; place++)
        judge_gpu(world, world->gpus[place]);
    judge_calls(world, stopped);
    for (unsigned place = 0; place < world->weather.links; place++) {
        vidmm_slot_unplug(world->slots[place]);
        softgpu_device_destroy(world->gpus[place]);
    }
    vidmm_tap_destroy(world->tap);
    stress_program_memories_free(world);
    vidmm_machine_destroy(world->machine);
}

/* Say the first fault of each GPU, beside what failed. */
static void tell_faults(const struct stress_world *world)
{
    struct softgpu_statistics gpu;

    for (unsigned place = 0; place < world->weather.links; place++) {
        softgpu_device_statistics(world->gpus[place], &gpu);
        if (gpu.faults != 0)
            printf("GPU %u: %llu faults, first: %s\n", place, (unsigned long long)gpu.faults,
                   gpu.fault);
    }
}

bool stress_round(struct stress_world *world)
{
    if (!build(world))
        return false; /* the parts that exist stay: the program ends */
    run(world);
    /* After a failure nobody knows what is still in use. */
    if (!atomic_load(&world->failed))
        take_apart(world);
    else
        tell_faults(world);
    if (world->options->ddi_log != NULL)
        fflush(world->options->ddi_log);
    return !atomic_load(&world->failed);
}
