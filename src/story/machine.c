/* The stage on which a story is played: a machine, a software GPU in its slot, the auditor in front
 * of its driver, the adapter; and the programs. */
#include "story/run.h"

#include <string.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/text.h"

#include "contract/contract.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "story/narrate.h"

/* ---- machine and adapter --------------------------------------------------------------------- */

static void note_misuse(void *argument, const char *text)
{
    vidmm_scenario_problem(argument, "the manager misused the host: %s", text);
}

bool vidmm_scenario_make_machine(struct vidmm_scenario_run *run)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_SIMULATED,
        .seed = run->seed,
        .system_memory = run->scenario->system_memory,
        .agp_aperture = run->scenario->agp_aperture,
        .agp_posts = run->scenario->agp_posts,
        .poison = VIDMM_POISON_WHOLE,
        .misuse = note_misuse,
        .misuse_argument = run,
        .caches_apart = run->scenario->caches_apart,
        .x64 = run->scenario->x64,
    };
    struct vidmm_device_model model;
    char error[200] = "";

    run->machine = vidmm_machine_create(&options, error, sizeof(error));
    if (run->machine == NULL)
        return vidmm_scenario_problem(run, "no machine: %s", error);
    run->slot = vidmm_machine_add_slot(run->machine);
    if (run->slot == NULL)
        return vidmm_scenario_problem(run, "no memory for a slot");
    run->gpu = softgpu_device_create(vidmm_slot_bus(run->slot), &run->scenario->gpu, &model, error,
                                     sizeof(error));
    if (run->gpu == NULL)
        return vidmm_scenario_problem(run, "no software GPU: %s", error);
    run->plugged = vidmm_slot_plug(run->slot, &model);
    return run->plugged &&
           (vidmm_linked_plug(&run->linked, run->machine, run->gpu, &run->scenario->gpu,
                              run->scenario->links, error, sizeof(error)) ||
            vidmm_scenario_problem(run, "no software GPU: %s", error));
}

bool vidmm_scenario_make_tap(struct vidmm_scenario_run *run)
{
    const struct vidmm_host *host = vidmm_slot_host(run->slot);
    const struct vidmm_tap_config config = {
        .current_irql = host->current_irql,
        .irql_context = host->context,
        .paging_is_not_patched = !run->scenario->manager.patch_paging,
        .links = run->scenario->links,
    };
    DRIVER_INITIALIZATION_DATA driver;

    memset(&driver, 0, sizeof(driver));
    if (softgpu_driver_entry(softgpu_driver_version(run->scenario->gpu.wddm), &driver) !=
        STATUS_SUCCESS)
        return vidmm_scenario_problem(run, "softgpu has no driver of this version");
    vidmm_linked_driver(&run->linked, &driver);
    if (run->scenario->gpu.remapping)
        softgpu_driver_remap(&driver);
    run->tap = vidmm_tap_create(&config, &driver);
    return run->tap != NULL || vidmm_scenario_problem(run, "no memory for the auditor");
}

static NTSTATUS start_adapter(struct vidmm_scenario_run *run)
{
    struct vidmm_adapter_options options = run->scenario->manager;
    void *device = vidmm_linked_options(&run->linked, &options);

    run->started = true;
    options.observer = vidmm_narrator_observer(run->narrator);
    return vidmm_adapter_start(vidmm_slot_host(run->slot), vidmm_tap_driver(run->tap),
                               device != NULL ? device : run, &options, &run->adapter,
                               &run->report);
}

bool vidmm_scenario_ensure_adapter(struct vidmm_scenario_run *run)
{
    NTSTATUS status;

    if (run->started)
        return run->adapter != NULL ||
               vidmm_scenario_problem(run,
                                      "there is no adapter: it did not start, or has been stopped");
    status = start_adapter(run);
    return status == STATUS_SUCCESS ||
           vidmm_scenario_problem(run, "the adapter does not start: %s: %s",
                                  vidmm_scenario_status(status).text, run->report.text);
}

const char *vidmm_scenario_process_name(const struct vidmm_scenario_run *run, uint32_t process)
{
    return run->scenario->process_count > 0 ? run->scenario->processes[process] : NULL;
}

bool vidmm_scenario_ensure_device(struct vidmm_scenario_run *run, uint32_t process)
{
    const char *name = vidmm_scenario_process_name(run, process);
    struct vidmm_scenario_process *own = &run->processes[process];
    NTSTATUS status = STATUS_SUCCESS;

    if (own->device != NULL)
        return true;
    vidmm_narrator_process(run->narrator, name != NULL ? name : "the program");
    status = vidmm_device_create(run->adapter, process + 1, &own->device, &run->report);
    return status == STATUS_SUCCESS ||
           vidmm_scenario_problem(run, "no device: %s: %s", vidmm_scenario_status(status).text,
                                  run->report.text);
}

/* ---- acts ------------------------------------------------------------------------------------ */

NTSTATUS vidmm_act_start(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    (void)act;
    return start_adapter(run);
}

/* Handles of a process are dead. */
static void forget_process(struct vidmm_scenario_run *run, uint32_t process)
{
    for (uint32_t i = 0; i < run->scenario->allocation_count; i++)
        if (run->scenario->allocations[i].process == process)
            vidmm_scenario_forget(&run->allocations[i]);
    for (uint32_t i = 0; i < run->scenario->resource_count; i++)
        if (run->scenario->resources[i].process == process)
            run->resources[i] = NULL;
    memset(&run->processes[process], 0, sizeof(run->processes[process]));
}

NTSTATUS vidmm_act_exit(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    vidmm_device_destroy(run->processes[act->process].device);
    forget_process(run, act->process);
    return STATUS_SUCCESS;
}

/* How the driver of the POST device was stopped (D-299). */
static void tell_display(struct vidmm_scenario_run *run)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(run->gpu, &gpu);
    vidmm_narrator_say(run->narrator, "the display of the firmware is %s; %s of StopDevice",
                       gpu.driver_releases > 0 ? "released" : "not released",
                       vidmm_counted(gpu.driver_stops, "call").text);
}

NTSTATUS vidmm_act_stop(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    (void)act;
    vidmm_adapter_statistics(run->adapter, &run->statistics);
    vidmm_adapter_stop(run->adapter);
    run->adapter = NULL;
    if (run->scenario->manager.post_device)
        tell_display(run);
    run->findings_told = 0;
    for (uint32_t process = 0; process < VIDMM_SCENARIO_PROCESSES; process++)
        forget_process(run, process);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_hold(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    run->held = act->kind == VIDMM_ACT_HOLD;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_hang(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    softgpu_device_hang(run->gpu, act->node, act->value, act->preemptible);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_release(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    (void)act;
    softgpu_device_release(run->gpu);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_power(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    return vidmm_adapter_set_power(run->adapter, act->power, &run->report);
}
