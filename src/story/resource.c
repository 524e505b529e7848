/* Acts on resources: allocations that are created, opened and closed together. */
#include "story/run.h"

#include <string.h>

#include <vidmm/resource.h>
#include <wddm/d3dkmdt_types.h>
#include <wddm/ntstatus.h>

#include "base/size.h"
#include "softgpu/softgpu.h"
#include "story/narrate.h"

/* The arguments for the creation of several at once. */
struct batch {
    struct softgpu_allocation private_data[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_description descriptions[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
};

static void describe(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                     struct batch *batch)
{
    for (uint32_t i = 0; i < act->count; i++) {
        const struct vidmm_scenario_allocation *wish = vidmm_scenario_wish_of(run, act, i);
        struct vidmm_scenario_existing existing = vidmm_scenario_take_existing(run, wish);

        batch->private_data[i] = vidmm_scenario_describe(wish);
        batch->descriptions[i] = (struct vidmm_description){
            .private_data = &batch->private_data[i],
            .private_data_size = sizeof(batch->private_data[i]),
            .vidpn_source = VIDMM_NO_SOURCE,
            .address = existing.address,
            .size = existing.size,
        };
        if (i == 0)
            vidmm_narrator_name(run->narrator, wish->name);
        else
            vidmm_narrator_name_next(run->narrator, wish->name);
    }
}

static void begin_all(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                      struct vidmm_allocation *const *handles)
{
    for (uint32_t i = 0; i < act->count; i++)
        vidmm_scenario_begin(run, vidmm_scenario_named(run, act, i), handles[i]);
}

NTSTATUS vidmm_act_resource(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct batch batch;
    const struct vidmm_resource_options options = {
        .shared = run->scenario->resources[act->resource].shared,
    };
    NTSTATUS status;

    describe(run, act, &batch);
    status = vidmm_resource_create(run->processes[act->process].device, &options,
                                   batch.descriptions, act->count, &run->resources[act->resource],
                                   batch.handles, &run->report);
    if (status == STATUS_SUCCESS)
        begin_all(run, act, batch.handles);
    return status;
}

NTSTATUS vidmm_act_extend(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct batch batch;
    NTSTATUS status;

    describe(run, act, &batch);
    status = vidmm_resource_add(run->resources[act->resource], batch.descriptions, act->count,
                                batch.handles, &run->report);
    if (status == STATUS_SUCCESS)
        begin_all(run, act, batch.handles);
    return status;
}

NTSTATUS vidmm_act_standard(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_standard standard = {
        .type = (D3DKMDT_STANDARDALLOCATION_TYPE)act->standard,
        .width = act->width,
        .height = act->height,
        .format = D3DDDIFMT_X8R8G8B8,
    };
    const char *name = vidmm_scenario_wish_of(run, act, 0)->name;
    struct vidmm_allocation *handle;
    uint32_t pitch;
    NTSTATUS status;

    vidmm_narrator_name(run->narrator, name);
    status = vidmm_standard_create(run->processes[act->process].device, &standard,
                                   &run->resources[act->resource], &handle, &pitch, &run->report);
    if (status != STATUS_SUCCESS)
        return status;
    begin_all(run, act, &handle);
    struct vidmm_size_text size = vidmm_size_written(vidmm_allocation_size(handle));
    if (pitch == 0)
        vidmm_narrator_say(run->narrator, "%s: %s", name, size.text);
    else
        vidmm_narrator_say(run->narrator, "%s: %s, %s in a row", name, size.text,
                           vidmm_size_written(pitch).text);
    return status;
}

NTSTATUS vidmm_act_open(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario *scenario = run->scenario;
    const struct vidmm_resource *opened =
        run->resources[scenario->resources[act->resource].opened - 1];
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
    NTSTATUS status;

    status = vidmm_resource_open(run->processes[act->process].device, vidmm_resource_handle(opened),
                                 &run->resources[act->resource], handles, act->count, &run->report);
    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++) {
        const struct vidmm_scenario_allocation *wish = vidmm_scenario_wish_of(run, act, i);

        vidmm_scenario_live(run, act, i)->handle = handles[i];
        vidmm_narrator_say(run->narrator, "%s: the memory of %s", wish->name,
                           scenario->allocations[wish->memory].name);
    }
    return status;
}

NTSTATUS vidmm_act_close(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    vidmm_resource_destroy(run->resources[act->resource]);
    run->resources[act->resource] = NULL;
    for (uint32_t i = 0; i < run->scenario->allocation_count; i++)
        if (run->scenario->allocations[i].resource == act->resource + 1)
            vidmm_scenario_forget(&run->allocations[i]);
    return STATUS_SUCCESS;
}
