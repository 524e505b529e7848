/* Another adapter in the same machine: the fate of the story's own adapter is no affair of it. It
 * has a GPU of the same kind that neither hangs nor lies, and one allocation, which it writes in
 * each act; with `nowait` it is told what is to be done, and does it while the story goes on. */
#include "story/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/bus.h>
#include <vidmm/page.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"
#include "story/narrate.h"

#define NEIGHBOUR_SIZE (16 * VIDMM_PAGE_SIZE)
#define NEIGHBOUR_CONTENT 0x6e656967u /* no allocation of the story has this content_id */

struct vidmm_scenario_neighbour {
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    bool plugged;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_allocation *allocation;
    uint32_t generation; /* the GPU's writes */
    uint64_t value;      /* of the newest command */
};

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool make_gpu(struct vidmm_scenario_run *run, struct vidmm_scenario_neighbour *neighbour)
{
    struct softgpu_config config = run->scenario->gpu;
    struct vidmm_device_model model;
    char error[200] = "";

    config.hang_packet = 0;
    config.broken = 0;
    neighbour->slot = vidmm_machine_add_slot(run->machine);
    if (neighbour->slot == NULL)
        return vidmm_scenario_problem(run, "no memory for a slot");
    neighbour->gpu = softgpu_device_create(vidmm_slot_bus(neighbour->slot), &config, &model, error,
                                           sizeof(error));
    if (neighbour->gpu == NULL)
        return vidmm_scenario_problem(run, "no software GPU for a neighbour: %s", error);
    neighbour->plugged = vidmm_slot_plug(neighbour->slot, &model);
    return neighbour->plugged;
}

static NTSTATUS make_allocation(struct vidmm_scenario_run *run,
                                struct vidmm_scenario_neighbour *neighbour)
{
    const struct softgpu_config *gpu = &run->scenario->gpu;
    uint32_t set = 1u << (softgpu_config_segment(gpu, SOFTGPU_SEGMENT_MEMORY) - 1);
    const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .size = NEIGHBOUR_SIZE,
        .read_set = set,
        .write_set = set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };

    return vidmm_allocation_create(neighbour->device, &wish, sizeof(wish), &neighbour->allocation,
                                   &run->report);
}

static NTSTATUS start(struct vidmm_scenario_run *run, struct vidmm_scenario_neighbour *neighbour)
{
    DRIVER_INITIALIZATION_DATA driver;
    NTSTATUS status;

    memset(&driver, 0, sizeof(driver));
    status = softgpu_driver_entry(softgpu_driver_version(run->scenario->gpu.wddm), &driver);
    if (status == STATUS_SUCCESS)
        status = vidmm_adapter_start(vidmm_slot_host(neighbour->slot), &driver, neighbour,
                                     &run->scenario->manager, &neighbour->adapter, &run->report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_create(neighbour->adapter, VIDMM_SCENARIO_PROCESSES + 1,
                                     &neighbour->device, &run->report);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_context_create(neighbour->device, 0, NULL, 0, &neighbour->context, &run->report);
    return status == STATUS_SUCCESS ? make_allocation(run, neighbour) : status;
}

static bool ensure(struct vidmm_scenario_run *run)
{
    NTSTATUS status;

    if (run->neighbour != NULL)
        return true;
    if (softgpu_config_segment(&run->scenario->gpu, SOFTGPU_SEGMENT_MEMORY) == 0)
        return vidmm_scenario_problem(run, "neighbour: the GPU has no memory segment");
    run->neighbour = calloc(1, sizeof(*run->neighbour));
    if (run->neighbour == NULL)
        return vidmm_scenario_problem(run, "no memory for a neighbour");
    if (!make_gpu(run, run->neighbour))
        return false;
    status = start(run, run->neighbour);
    return status == STATUS_SUCCESS ||
           vidmm_scenario_problem(run, "the neighbour does not start: %s: %s",
                                  vidmm_scenario_status(status).text, run->report.text);
}

void vidmm_scenario_end_neighbour(struct vidmm_scenario_run *run)
{
    struct vidmm_scenario_neighbour *neighbour = run->neighbour;

    if (neighbour == NULL)
        return;
    if (neighbour->adapter != NULL)
        vidmm_adapter_stop(neighbour->adapter);
    if (neighbour->plugged)
        vidmm_slot_unplug(neighbour->slot);
    softgpu_device_destroy(neighbour->gpu);
    free(neighbour);
    run->neighbour = NULL;
}

/* ---- the act --------------------------------------------------------------------------------- */

/* Check every byte and write them. */
static NTSTATUS render(struct vidmm_scenario_run *run, struct vidmm_scenario_neighbour *neighbour)
{
    const struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {
        .touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(1)},
                  .reference_count = 1,
                  .seed = run->scenario->seed + 1},
        .reference = {.flags = SOFTGPU_REFERENCE_WRITE,
                      .pages = NEIGHBOUR_SIZE / VIDMM_PAGE_SIZE,
                      .content_id = NEIGHBOUR_CONTENT,
                      .generation = neighbour->generation},
    };
    const struct vidmm_render_reference list = {.allocation = neighbour->allocation, .write = true};
    NTSTATUS status = vidmm_render(neighbour->context, &command, sizeof(command), &list, 1, true,
                                   &neighbour->value, &run->report);

    neighbour->generation += status == STATUS_SUCCESS;
    return status;
}

static NTSTATUS wait_for(struct vidmm_scenario_run *run,
                         const struct vidmm_scenario_neighbour *neighbour)
{
    NTSTATUS status = vidmm_context_wait(neighbour->context, neighbour->value);

    return status == STATUS_SUCCESS ? vidmm_device_condition(neighbour->device, &run->report)
                                    : status;
}

static void tell(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_statistics statistics;
    struct softgpu_statistics gpu;

    vidmm_adapter_statistics(run->neighbour->adapter, &statistics);
    softgpu_device_statistics(run->neighbour->gpu, &gpu);
    vidmm_narrator_say(run->narrator,
                       "the other adapter: %s, %s, %s; %s of contents, %" PRIu64 " wrong",
                       vidmm_counted(statistics.submissions, "submission").text,
                       vidmm_counted(statistics.preemptions, "preemption").text,
                       vidmm_counted(statistics.resets, "reset").text,
                       vidmm_counted(gpu.content_checks, "check").text, gpu.content_mismatches);
    if (gpu.content_mismatches + gpu.faults > 0)
        vidmm_scenario_surprise(run, &run->result->wrong,
                                "line %" PRIu32 ": the other adapter: %s%s", act->line,
                                gpu.mismatch, gpu.fault);
}

NTSTATUS vidmm_act_neighbour(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    NTSTATUS status;

    if (!ensure(run))
        return STATUS_SUCCESS; /* the problem is told */
    status = render(run, run->neighbour);
    if (status == STATUS_SUCCESS && !act->no_wait)
        status = wait_for(run, run->neighbour);
    if (status == STATUS_SUCCESS && !act->no_wait)
        tell(run, act);
    return status;
}
