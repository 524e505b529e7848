/* Acts on contexts: the GPU's work, and the waits for it. */
#include "story/run.h"

#include <string.h>

#include <wddm/ntstatus.h>

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

NTSTATUS vidmm_act_submit(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct commands commands;
    struct vidmm_scenario_process *own = &run->processes[act->process];
    NTSTATUS status = vidmm_scenario_ensure_context(run, act);

    make_commands(run, act, &commands);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_render(own->contexts[act->node], &commands.buffer, commands.size, commands.list,
                         commands.elements, !act->no_wait, &own->values[act->node], &run->report);
    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, i))->generation +=
            run->scenario->references[act->first + i].write; /* S2 */
    return status;
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
