/* Acts on allocations. */
#include "story/run.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "host/machine.h"
#include "softgpu/softgpu.h"
#include "story/narrate.h"

#define FLAG_EXISTING 0x10u        /* ExistingSysMem */
#define FLAG_EXISTING_KERNEL 0x20u /* ExistingKernelSysMem */

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

const char *vidmm_scenario_name(const struct vidmm_scenario_run *run, const struct vidmm_act *act,
                                uint32_t index)
{
    uint32_t named = vidmm_scenario_named(run, act, index);

    return run->scenario->references[act->first + index].of_resource
               ? run->scenario->resources[named].name
               : run->scenario->allocations[named].name;
}

/* Pages of the machine, mapped: the kernel's memory. False: it has no more. */
static bool take_kernel(struct vidmm_scenario_run *run, struct vidmm_scenario_existing *existing)
{
    const struct vidmm_host *host = vidmm_slot_host(run->slot);
    uint64_t pages = existing->size / VIDMM_PAGE_SIZE;

    existing->frames = calloc(pages, sizeof(*existing->frames));
    if (existing->frames == NULL)
        return false;
    if (host->take_pages(host->context, pages, VIDMM_ANY_FRAME, false, VIDMM_CACHED,
                         existing->frames)) {
        host->clear_pages(host->context, pages, existing->frames);
        existing->address = host->map_pages(host->context, pages, existing->frames);
        if (existing->address != NULL)
            return true;
        host->release_pages(host->context, pages, existing->frames);
    }
    free(existing->frames);
    return false;
}

static bool take_program(struct vidmm_scenario_existing *existing)
{
    existing->address = aligned_alloc(VIDMM_PAGE_SIZE, existing->size);
    if (existing->address != NULL)
        memset(existing->address, 0, existing->size);
    return existing->address != NULL;
}

struct vidmm_scenario_existing
vidmm_scenario_take_existing(struct vidmm_scenario_run *run,
                             const struct vidmm_scenario_allocation *wish)
{
    struct vidmm_scenario_existing none = {NULL, 0, NULL}, existing = none;
    bool kernel = (wish->flags & FLAG_EXISTING_KERNEL) != 0;

    if (!kernel && (wish->flags & FLAG_EXISTING) == 0)
        return none;
    existing.size = (wish->size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    if (!(kernel ? take_kernel(run, &existing) : take_program(&existing))) {
        vidmm_scenario_problem(run, "no memory for %s", wish->name);
        return none;
    }
    run->existing[run->existing_count] = existing;
    return run->existing[run->existing_count++];
}

void vidmm_scenario_free_existing(struct vidmm_scenario_run *run)
{
    while (run->existing_count > 0) {
        struct vidmm_scenario_existing *existing = &run->existing[--run->existing_count];
        const struct vidmm_host *host = vidmm_slot_host(run->slot);
        uint64_t pages = existing->size / VIDMM_PAGE_SIZE;

        if (existing->frames == NULL) {
            free(existing->address);
            continue;
        }
        host->unmap_pages(host->context, existing->address, pages);
        host->release_pages(host->context, pages, existing->frames);
        free(existing->frames);
    }
}

struct softgpu_allocation vidmm_scenario_describe(const struct vidmm_scenario_allocation *wish)
{
    return (struct softgpu_allocation){
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
        .renaming = wish->renaming,
    };
}

struct vidmm_scenario_memory *vidmm_scenario_memory(struct vidmm_scenario_run *run,
                                                    uint32_t allocation)
{
    return &run->memory[run->scenario->allocations[allocation].memory];
}

void vidmm_scenario_begin(struct vidmm_scenario_run *run, uint32_t allocation,
                          struct vidmm_allocation *handle)
{
    struct vidmm_scenario_memory *memory = &run->memory[allocation];

    run->allocations[allocation].handle = handle;
    memory->instances[0] = handle;
    memory->instance_count = 1;
    memory->pages = vidmm_allocation_size(handle) / VIDMM_PAGE_SIZE;
    memory->cpu = calloc(memory->pages, sizeof(*memory->cpu));
    if (memory->cpu == NULL)
        vidmm_scenario_problem(run, "no memory for %s",
                               run->scenario->allocations[allocation].name);
}

static NTSTATUS create_one(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                           uint32_t index)
{
    const struct vidmm_scenario_allocation *wish = vidmm_scenario_wish_of(run, act, index);
    const struct softgpu_allocation private_data = vidmm_scenario_describe(wish);
    struct vidmm_scenario_existing existing = vidmm_scenario_take_existing(run, wish);
    struct vidmm_allocation *handle;
    NTSTATUS status;

    vidmm_narrator_name(run->narrator, wish->name);
    status = vidmm_allocation_create_over(run->processes[act->process].device, &private_data,
                                          sizeof(private_data), existing.address, existing.size,
                                          &handle, &run->report);
    if (status == STATUS_SUCCESS)
        vidmm_scenario_begin(run, vidmm_scenario_named(run, act, index), handle);
    return status;
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
    memset(live, 0, sizeof(*live));
}

/* A reclaimed allocation begins with zeros again. */
static void lose_content(struct vidmm_scenario_run *run, uint32_t allocation)
{
    struct vidmm_scenario_memory *memory = vidmm_scenario_memory(run, allocation);

    memory->digest = memory->generation = 0;
    memset(memory->cpu, 0, memory->pages * sizeof(*memory->cpu));
}

static void tell_reclaimed(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                           const bool *discarded)
{
    const struct vidmm_scenario *scenario = run->scenario;

    for (uint32_t i = 0; i < act->count; i++) {
        uint32_t index = vidmm_scenario_named(run, act, i);
        bool of_resource = scenario->references[act->first + i].of_resource;

        vidmm_narrator_say(run->narrator, "%s: content %s", vidmm_scenario_name(run, act, i),
                           discarded[i] ? "discarded" : "kept");
        for (uint32_t j = 0; discarded[i] && j < scenario->allocation_count; j++)
            if (of_resource ? scenario->allocations[j].resource == index + 1 : j == index)
                lose_content(run, j);
    }
}

struct vidmm_selection vidmm_scenario_selection(struct vidmm_scenario_run *run,
                                                const struct vidmm_act *act,
                                                struct vidmm_scenario_named *named)
{
    struct vidmm_selection all = {.resources = named->resources, .allocations = named->allocations};

    for (uint32_t i = 0; i < act->count; i++)
        if (run->scenario->references[act->first + i].of_resource)
            named->resources[all.resource_count++] =
                run->resources[vidmm_scenario_named(run, act, i)];
        else
            named->allocations[all.allocation_count++] = vidmm_scenario_live(run, act, i)->handle;
    return all;
}

NTSTATUS vidmm_act_offer(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);

    return vidmm_offer(&all, act->value, 0, &run->report);
}

NTSTATUS vidmm_act_reclaim(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);
    bool discarded[VIDMM_SCENARIO_REFERENCES];
    NTSTATUS status = vidmm_reclaim(&all, discarded, &run->report);

    if (status == STATUS_SUCCESS)
        tell_reclaimed(run, act, discarded);
    return status;
}

NTSTATUS vidmm_act_priority(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);
    uint32_t values[VIDMM_SCENARIO_REFERENCES];

    for (uint32_t i = 0; i < act->count; i++)
        values[i] = act->value;
    return vidmm_set_priority(&all, values, &run->report);
}

/* Allocations of a resource go by list. */
static NTSTATUS destroy_list(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);
    NTSTATUS status =
        vidmm_allocations_destroy(all.allocations, all.allocation_count, &run->report);

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        vidmm_scenario_forget(vidmm_scenario_live(run, act, i));
    return status;
}

NTSTATUS vidmm_act_destroy(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    for (uint32_t i = 0; i < act->count; i++)
        if (vidmm_scenario_wish_of(run, act, i)->resource != 0)
            return destroy_list(run, act);
    for (uint32_t i = 0; i < act->count; i++) {
        vidmm_allocation_destroy(vidmm_scenario_live(run, act, i)->handle);
        vidmm_scenario_forget(vidmm_scenario_live(run, act, i));
    }
    return STATUS_SUCCESS;
}

static struct vidmm_content_key key_of(const struct vidmm_scenario_run *run, uint32_t memory,
                                       uint32_t version)
{
    return (struct vidmm_content_key){run->scenario->seed + 1,
                                      memory + 1 + version * VIDMM_SCENARIO_ALLOCATIONS};
}

struct vidmm_content_key vidmm_scenario_key(const struct vidmm_scenario_run *run,
                                            uint32_t allocation)
{
    uint32_t memory = run->scenario->allocations[allocation].memory;

    struct vidmm_content_key key = key_of(run, memory, run->memory[memory].versions);

    if (run->memory[memory].presented != 0) /* S5 */
        key.id = run->memory[memory].presented;
    return key;
}

struct vidmm_content_key vidmm_scenario_older_key(const struct vidmm_scenario_run *run,
                                                  uint32_t allocation)
{
    uint32_t memory = run->scenario->allocations[allocation].memory;

    return key_of(run, memory, run->memory[memory].older.version);
}
