/* present SOURCE DESTINATION [bands N] [on NODE] [nowait]: one surface becomes like another. */
#include "story/reader.h"
#include "story/run.h"

#include <string.h>

#include <vidmm/present.h>
#include <wddm/ntstatus.h>

#define BANDS 256u /* most of one act */

/* The act that has made the surface; NULL: it is none. */
static const struct vidmm_act *maker_of(const struct vidmm_scenario *scenario, uint32_t allocation)
{
    uint32_t memory = scenario->allocations[allocation].memory;

    for (uint32_t i = 0; i < scenario->act_count; i++)
        if (scenario->acts[i].kind == VIDMM_ACT_STANDARD &&
            scenario->references[scenario->acts[i].first].allocation == memory)
            return &scenario->acts[i];
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_options(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    uint64_t number;

    act->value = 1;
    for (uint32_t i = 3; i < reader->count; i++) {
        const char *word = reader->word[i];
        const char *value = i + 1 < reader->count ? reader->word[i + 1] : "";

        if (strcmp(word, "nowait") == 0) {
            act->no_wait = true;
        } else if (strcmp(word, "on") == 0) {
            if (!vidmm_scenario_number(reader, "present: on", value, 0, VIDMM_NODES - 1, &number))
                return false;
            act->node = (uint32_t)number;
            i++;
        } else if (strcmp(word, "bands") == 0) {
            if (!vidmm_scenario_number(reader, "present: bands", value, 1, BANDS, &number))
                return false;
            act->value = (uint32_t)number;
            i++;
        } else {
            return vidmm_scenario_wrong(
                reader, "present: \"%s\" ; expected bands N, on NODE or nowait", word);
        }
    }
    return true;
}

bool vidmm_scenario_read_present(struct vidmm_scenario_reader *reader, struct vidmm_act *act)
{
    const struct vidmm_scenario *scenario = reader->scenario;
    const struct vidmm_act *source, *destination;

    if (reader->count < 3)
        return vidmm_scenario_wrong(reader, "present: expected SOURCE DESTINATION");
    if (!vidmm_scenario_refer(reader, act, reader->word[1], false) ||
        !vidmm_scenario_refer(reader, act, reader->word[2], true))
        return false;
    source = maker_of(scenario, scenario->references[act->first].allocation);
    destination = maker_of(scenario, scenario->references[act->first + 1].allocation);
    if (source == NULL || destination == NULL)
        return vidmm_scenario_wrong(reader, "present: \"%s\" is no surface (standard)",
                                    reader->word[source == NULL ? 1 : 2]);
    if (source->width != destination->width || source->height != destination->height)
        return vidmm_scenario_wrong(reader, "present: %ux%u pixels and %ux%u, not the same",
                                    source->width, source->height, destination->width,
                                    destination->height);
    act->width = source->width;
    act->height = source->height;
    return read_options(reader, act) &&
           (act->value <= act->height ||
            vidmm_scenario_wrong(reader, "present: %u bands of %u lines", act->value, act->height));
}

/* ---- playing --------------------------------------------------------------------------------- */

/* S5: the content of the source at the request is in the destination when that is used next. */
static void take_content(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const struct vidmm_scenario_memory *from =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 0));
    struct vidmm_scenario_memory *to =
        vidmm_scenario_memory(run, vidmm_scenario_named(run, act, 1));

    to->presented = vidmm_scenario_key(run, vidmm_scenario_named(run, act, 0)).id;
    to->digest = from->digest;
    to->generation = from->generation;
    memcpy(to->cpu, from->cpu, from->pages * sizeof(*from->cpu));
}

NTSTATUS vidmm_act_present(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_scenario_process *own = &run->processes[act->process];
    RECT all = {0, 0, (LONG)act->width, (LONG)act->height}, bands[BANDS];
    const struct vidmm_present present = {
        .source = vidmm_scenario_live(run, act, 0)->handle,
        .destination = vidmm_scenario_live(run, act, 1)->handle,
        .source_rect = all,
        .destination_rect = all,
        .sub_rects = bands,
        .sub_rect_count = act->value,
    };
    NTSTATUS status = vidmm_scenario_ensure_context(run, act);

    for (uint32_t i = 0; i < act->value; i++) {
        bands[i] = all;
        bands[i].top = (LONG)((uint64_t)act->height * i / act->value);
        bands[i].bottom = (LONG)((uint64_t)act->height * (i + 1) / act->value);
    }
    if (status == STATUS_SUCCESS)
        status = vidmm_present(own->contexts[act->node], &present, !act->no_wait,
                               &own->values[act->node], &run->report);
    if (status == STATUS_SUCCESS)
        take_content(run, act);
    return status;
}
