/* Acts on allocations. */
#include "tool/scenario_run.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/residency.h>

#define FLAG_EXISTING 0x10u /* ExistingSysMem */

uint32_t vidmm_scenario_named(const struct vidmm_scenario_run *run, const struct vidmm_act *act,
                              uint32_t index)
{
    return run->scenario->references[act->first + index].allocation;
}

struct vidmm_scenario_live *vidmm_scenario_live(struct vidmm_scenario_run *run,
                                                const struct vidmm_act *act, uint32_t index)
{
    return &run->allocations[vidmm_scenario_named(run, act, index)];
}

const struct vidmm_scenario_allocation *vidmm_scenario_wish_of(const struct vidmm_scenario_run *run,
                                                               const struct vidmm_act *act,
                                                               uint32_t index)
{
    return &run->scenario->allocations[vidmm_scenario_named(run, act, index)];
}

/* Memory of the program's own, zeroed, for as long as the story is told. Address NULL: none. */
static struct vidmm_scenario_existing take_existing(struct vidmm_scenario_run *run,
                                                    const struct vidmm_scenario_allocation *wish)
{
    uint64_t size = (wish->size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    struct vidmm_scenario_existing none = {NULL, 0};
    void *address;

    if ((wish->flags & FLAG_EXISTING) == 0)
        return none;
    address = aligned_alloc(VIDMM_PAGE_SIZE, size);
    if (address == NULL) {
        vidmm_scenario_problem(run, "no memory for %s", wish->name);
        return none;
    }
    memset(address, 0, size);
    run->existing[run->existing_count] = (struct vidmm_scenario_existing){address, size};
    return run->existing[run->existing_count++];
}

static NTSTATUS create_one(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                           uint32_t index)
{
    const struct vidmm_scenario_allocation *wish = vidmm_scenario_wish_of(run, act, index);
    struct vidmm_scenario_live *live = vidmm_scenario_live(run, act, index);
    const struct softgpu_allocation private_data = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = wish->flags,
        .size = wish->size,
        .alignment = wish->alignment,
        .read_set = wish->read_set,
        .write_set = wish->write_set,
        .evict_set = wish->evict_set,
        .preferred = wish->preferred,
        .hinted_bank = wish->hinted_bank,
        .priority = wish->priority,
    };
    struct vidmm_scenario_existing existing = take_existing(run, wish);
    NTSTATUS status;

    vidmm_narrator_name(run->narrator, wish->name);
    status = vidmm_allocation_create_over(run->processes[act->process].device, &private_data,
                                          sizeof(private_data), existing.address, existing.size,
                                          &live->handle, &run->report);
    if (status != STATUS_SUCCESS)
        return status;
    live->pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE;
    live->cpu = calloc(live->pages, sizeof(*live->cpu));
    if (live->cpu == NULL)
        vidmm_scenario_problem(run, "no memory for %s", wish->name);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_alloc(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        status = create_one(run, act, i);
    return status;
}

void vidmm_scenario_forget(struct vidmm_scenario_live *live)
{
    free(live->cpu);
    memset(live, 0, sizeof(*live));
}

/* The content of what was reclaimed is kept, or begins with zeros again. */
static void tell_reclaimed(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                           const bool *discarded)
{
    for (uint32_t i = 0; i < act->count; i++) {
        uint32_t allocation = vidmm_scenario_named(run, act, i);
        struct vidmm_scenario_live *live = &run->allocations[allocation];
        vidmm_narrator_say(run->narrator, "%s: content %s",
                           run->scenario->allocations[allocation].name,
                           discarded[i] ? "discarded" : "kept");
        if (!discarded[i])
            continue;
        live->digest = live->generation = 0;
        memset(live->cpu, 0, live->pages * sizeof(*live->cpu));
    }
}

/* The handles that an act names. */
static struct vidmm_selection selection_of(struct vidmm_scenario_run *run,
                                           const struct vidmm_act *act,
                                           struct vidmm_allocation **handles)
{
    for (uint32_t i = 0; i < act->count; i++)
        handles[i] = vidmm_scenario_live(run, act, i)->handle;
    return (struct vidmm_selection){.allocations = handles, .allocation_count = act->count};
}

NTSTATUS vidmm_act_offer(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_selection all = selection_of(run, act, handles);

    return vidmm_offer(&all, act->value, &run->report);
}

NTSTATUS vidmm_act_reclaim(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_selection all = selection_of(run, act, handles);
    bool discarded[VIDMM_SCENARIO_REFERENCES];
    NTSTATUS status = vidmm_reclaim(&all, discarded, &run->report);

    if (status == STATUS_SUCCESS)
        tell_reclaimed(run, act, discarded);
    return status;
}

NTSTATUS vidmm_act_priority(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_selection all = selection_of(run, act, handles);
    uint32_t values[VIDMM_SCENARIO_REFERENCES];

    for (uint32_t i = 0; i < act->count; i++)
        values[i] = act->value;
    return vidmm_set_priority(&all, values, &run->report);
}

NTSTATUS vidmm_act_destroy(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    for (uint32_t i = 0; i < act->count; i++) {
        vidmm_allocation_destroy(vidmm_scenario_live(run, act, i)->handle);
        vidmm_scenario_forget(vidmm_scenario_live(run, act, i));
    }
    return STATUS_SUCCESS;
}

struct vidmm_content_key vidmm_scenario_key(const struct vidmm_scenario_run *run,
                                            uint32_t allocation)
{
    return (struct vidmm_content_key){run->scenario->seed + 1, allocation + 1};
}
