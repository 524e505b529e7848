/* The reader of stories, on any bytes: it answers a story or a sentence that begins with the file,
 * and what it accepted holds together. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "fuzz_scenario: %s\n", what);
    abort();
}

static void check_act(const struct vidmm_scenario *scenario, const struct vidmm_act *act)
{
    must(strlen(act->text) > 0 && act->line > 0, "an act has its line");
    must(act->process < VIDMM_SCENARIO_PROCESSES, "a process there is");
    must(act->first + act->count <= scenario->reference_count, "references there are");
    for (uint32_t i = 0; i < act->count; i++)
        must(scenario->references[act->first + i].allocation < scenario->allocation_count,
             "an allocation there is");
}

static void check(const struct vidmm_scenario *scenario, size_t size)
{
    char why[200];

    must(softgpu_config_check(&scenario->gpu, why, sizeof(why)), why);
    must(scenario->body_size <= size, "the body is in the file");
    must(strlen(scenario->subject) < sizeof(scenario->subject), "the subject ends");
    for (uint32_t i = 0; i < scenario->allocation_count; i++)
        must(scenario->allocations[i].size > 0 && scenario->allocations[i].name[0] != 0,
             "an allocation has a size and a name");
    for (uint32_t i = 0; i < scenario->act_count; i++)
        check_act(scenario, &scenario->acts[i]);
    for (const char *at = scenario->expected; *at != 0; at += strcspn(at, "\n") + 1)
        must(strchr(at, '\n') != NULL, "what is expected ends in a line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[400] = "";
    struct vidmm_scenario *scenario =
        vidmm_scenario_read("input", (const char *)data, size, error, sizeof(error));

    if (scenario != NULL)
        check(scenario, size);
    else
        must(strncmp(error, "input:", 6) == 0, "refused without a word");
    vidmm_scenario_destroy(scenario);
    return 0;
}
