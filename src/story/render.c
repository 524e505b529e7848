/* Acts on contexts: the GPU's work, and the waits for it. */
#include "story/run.h"

#include <inttypes.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "softgpu/device.h"
#include "softgpu/softgpu.h"
#include "story/narrate.h"

NTSTATUS vidmm_scenario_ensure_context(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_process *own = &run->processes[act->process];
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (act->node < SOFTGPU_ENGINES && own->contexts[act->node] != NULL)
        return STATUS_SUCCESS;
    if (act->node < SOFTGPU_ENGINES) {
        vidmm_narrator_speak(run->narrator, false);
        status = vidmm_context_create(own->device, act->node, NULL, 0, &own->contexts[act->node],
                                      &run->report);
        vidmm_narrator_speak(run->narrator, true);
    }
    return status;
}

/* A command buffer of TOUCHes, and the allocation list that goes with it. */
struct commands {
    union {
        struct softgpu_touch align;
        unsigned char bytes[VIDMM_SCENARIO_REFERENCES *
                            (sizeof(struct softgpu_touch) + sizeof(struct softgpu_reference))];
    } buffer;
    uint32_t size;
    struct vidmm_render_reference list[VIDMM_SCENARIO_REFERENCES + 1];
    uint32_t elements;
    struct softgpu_touch *last;
};

/* The element of an allocation: each has one, however often it is named. */
static uint32_t element_of(struct commands *commands, struct vidmm_allocation *allocation,
                           const struct vidmm_act_reference *reference)
{
    uint32_t element = 0;

    while (element < commands->elements && commands->list[element].allocation != allocation)
        element++;
    if (element == commands->elements)
        commands->list[commands->elements++].allocation = allocation;
    commands->list[element].write |= reference->write;
    if (reference->offer != 0)
        commands->list[element].offer_priority = reference->offer;
    return element;
}

static void begin_command(struct commands *commands, uint64_t seed)
{
    commands->last = (void *)(commands->buffer.bytes + commands->size);
    *commands->last = (struct softgpu_touch){
        .command = {SOFTGPU_TOUCH, softgpu_touch_size(0)},
        .seed = seed,
    };
    commands->size += commands->last->command.size;
}

/* S2: how often what the reference names was written by those before it in the same act. */
static uint32_t writes_before(const struct vidmm_scenario_run *run, const struct vidmm_act *act,
                              uint32_t index)
{
    const struct vidmm_act_reference *references = &run->scenario->references[act->first];
    uint32_t writes = 0;

    for (uint32_t i = 0; i < index; i++)
        writes += references[i].allocation == references[index].allocation && references[i].write;
    return writes;
}

/* The allocation that a reference names, and the content that it finds there: the instance of
 * today, or the one before. */
static struct softgpu_reference look_at(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                                        uint32_t index, struct vidmm_allocation **handle)
{
    const struct vidmm_act_reference *reference = &run->scenario->references[act->first + index];
    const struct vidmm_scenario_memory *memory = vidmm_scenario_memory(run, reference->allocation);

    *handle = run->allocations[reference->allocation].handle;
    if (reference->older && memory->older.handle != NULL) {
        *handle = memory->older.handle;
        return (struct softgpu_reference){
            .digest = memory->older.digest,
            .content_id = vidmm_scenario_older_key(run, reference->allocation).id,
            .generation = memory->older.generation,
        };
    }
    return (struct softgpu_reference){
        .digest = memory->digest,
        .content_id = vidmm_scenario_key(run, reference->allocation).id,
        .generation = memory->generation + writes_before(run, act, index),
    };
}

/* Add the command's part about one allocation. */
static void add_reference(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                          uint32_t index, struct commands *commands)
{
    const struct vidmm_act_reference *reference = &run->scenario->references[act->first + index];
    struct softgpu_reference *to = (void *)(commands->buffer.bytes + commands->size);
    struct vidmm_allocation *handle;

    *to = look_at(run, act, index, &handle);
    to->allocation_index = element_of(commands, handle, reference);
    to->flags = (reference->write ? SOFTGPU_REFERENCE_WRITE : 0) |
                (reference->bound ? SOFTGPU_REFERENCE_BOUND : 0);
    to->pages = vidmm_scenario_memory(run, reference->allocation)->pages;
    commands->size += (uint32_t)sizeof(*to);
    commands->last->command.size += (uint32_t)sizeof(*to);
    commands->last->reference_count++;
}

/* Several commands need the element without an allocation, by which slots are emptied. */
static void make_commands(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                          struct commands *commands)
{
    const struct vidmm_act_reference *references = &run->scenario->references[act->first];

    memset(commands, 0, sizeof(*commands));
    commands->elements = act->count > 0 && references[act->count - 1].command > 0 ? 1 : 0;
    begin_command(commands, vidmm_scenario_key(run, 0).seed);
    for (uint32_t i = 0; i < act->count; i++) {
        if (i > 0 && references[i].command != references[i - 1].command)
            begin_command(commands, vidmm_scenario_key(run, 0).seed);
        add_reference(run, act, i, commands);
    }
}

static uint64_t mismatches(const struct vidmm_scenario_run *run)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(run->gpu, &gpu);
    return gpu.content_mismatches;
}

/* How many of the references are to miss what the CPU wrote: S2-030. */
static uint32_t count_lost(const struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    uint32_t lost = 0;

    for (uint32_t i = 0; i < act->count; i++)
        lost += run->scenario->references[act->first + i].lost;
    return lost;
}

/* The GPU has found so many contents wrong before. Let it end, and see whether it has found as many
 * more as the story says; the first of all is a write of the CPU that is lost. */
static NTSTATUS check_lost(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                           uint64_t before, uint32_t lost)
{
    NTSTATUS status = vidmm_act_wait(run, act);
    struct softgpu_statistics gpu;

    if (status != STATUS_SUCCESS)
        return status;
    softgpu_device_statistics(run->gpu, &gpu);
    if (gpu.content_mismatches != before + lost ||
        gpu.first_mismatch.finding.kind != VIDMM_CONTENT_LOST_CPU) {
        vidmm_scenario_problem(run, "line %" PRIu32 ": the GPU finds %s%s%s; expected %s",
                               act->line,
                               vidmm_counted(gpu.content_mismatches - before, "mismatch").text,
                               gpu.mismatch[0] != 0 ? ", the first at " : "", gpu.mismatch,
                               vidmm_counted(lost, "lost CPU write").text);
        return STATUS_SUCCESS;
    }
    run->told_lost += lost;
    for (uint32_t i = 0; i < act->count; i++)
        if (run->scenario->references[act->first + i].lost)
            vidmm_narrator_say(run->narrator, "%s: the GPU finds a CPU write lost",
                               vidmm_scenario_wish_of(run, act, i)->name);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_submit(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct commands commands;
    struct vidmm_scenario_process *own = &run->processes[act->process];
    NTSTATUS status = vidmm_scenario_ensure_context(run, act);
    uint32_t lost = count_lost(run, act);
    uint64_t before = lost != 0 ? mismatches(run) : 0;

    make_commands(run, act, &commands);
    if (status == STATUS_SUCCESS && vidmm_scenario_uses_addresses(run))
        status =
            vidmm_scenario_submit_at(run, act, commands.buffer.bytes, commands.size, commands.list);
    else if (status == STATUS_SUCCESS)
        status =
            vidmm_render(own->contexts[act->node], &commands.buffer, commands.size, commands.list,
                         commands.elements, !act->no_wait, &own->values[act->node], &run->report);
    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, i))->generation +=
            run->scenario->references[act->first + i].write; /* S2 */
    return status == STATUS_SUCCESS && lost != 0 ? check_lost(run, act, before, lost) : status;
}

NTSTATUS vidmm_act_wait(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario_process *own = &run->processes[act->process];
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t node = 0; node < SOFTGPU_ENGINES && status == STATUS_SUCCESS; node++)
        if (own->contexts[node] != NULL)
            status = vidmm_context_wait(own->contexts[node], own->values[node]);
    NTSTATUS condition = vidmm_device_condition(own->device, &run->report);
    return status != STATUS_SUCCESS ? status : condition;
}
