/* The last line, and what should not be. */
#include "story/run.h"

#include <inttypes.h>

#include "base/size.h"
#include "base/text.h"

#include "contract/contract.h"
#include "softgpu/device.h"
#include "story/narrate.h"

/* A story that tells the driver to lie does not count the driver's breaches. */
static void tell_breaches(struct vidmm_scenario_run *run)
{
    struct vidmm_violation violation;

    for (size_t i = 0; vidmm_tap_violation(run->tap, i, &violation); i++) {
        const struct vidmm_rule *rule = vidmm_rule(violation.rule);
        char id[16];
        struct vidmm_text text;

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, violation.rule);
        vidmm_narrator_say(run->narrator, "%s breaks %s: %s", vidmm_rule_party_name(rule->party),
                           id, violation.detail);
        if (rule->party != VIDMM_PARTY_KMD || run->scenario->gpu.broken == 0)
            vidmm_scenario_surprise(run, &run->result->breaches, "%s is broken: %s", id,
                                    violation.detail);
    }
    if (!vidmm_tap_complete(run->tap))
        vidmm_scenario_problem(run, "the auditor ran out of memory");
}

/* As many contents as the story said were lost are not wrong. */
static void tell_contents(struct vidmm_scenario_run *run, const struct softgpu_device *device,
                          uint64_t told)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(device, &gpu);
    run->result->checks += gpu.content_checks;
    if (gpu.content_mismatches > told) {
        vidmm_narrator_say(run->narrator, "the GPU finds wrong contents: %s", gpu.mismatch);
        vidmm_scenario_surprise(run, &run->result->wrong, "the GPU finds wrong contents: %s",
                                gpu.mismatch);
        run->result->wrong += gpu.content_mismatches - told - 1;
    }
    if (gpu.faults > 0) {
        vidmm_narrator_say(run->narrator, "the GPU faults: %s", gpu.fault);
        vidmm_scenario_surprise(run, &run->result->wrong, "the GPU faults: %s", gpu.fault);
    }
}

/* Tell the work of each GPU of a link. */
static void tell_link(struct vidmm_scenario_run *run)
{
    for (uint32_t place = 0; place < run->linked.count; place++) {
        struct softgpu_statistics gpu;

        softgpu_device_statistics(place == 0 ? run->gpu : run->linked.gpus[place].device, &gpu);
        vidmm_narrator_say(run->narrator, "GPU %" PRIu32 " of the link: %s in, %s out; %s", place,
                           vidmm_size_written(gpu.bytes_in).text,
                           vidmm_size_written(gpu.bytes_out).text,
                           vidmm_counted(gpu.content_checks, "check").text);
    }
}

void vidmm_scenario_tell_sums(struct vidmm_scenario_run *run)
{
    const struct vidmm_statistics *s = &run->statistics;

    vidmm_narrator_speak(run->narrator, true);
    tell_contents(run, run->gpu, run->told_lost);
    for (uint32_t place = 1; place < run->linked.count; place++)
        tell_contents(run, run->linked.gpus[place].device, 0);
    tell_link(run);
    tell_breaches(run);
    vidmm_narrator_end(
        run->narrator, "%s, %s; %s filled, %s in, %s out; %s of contents, %" PRIu64 " wrong",
        vidmm_counted(s->page_ins, "page-in").text, vidmm_counted(s->evictions, "eviction").text,
        vidmm_size_written(s->bytes_filled).text, vidmm_size_written(s->bytes_in).text,
        vidmm_size_written(s->bytes_out).text, vidmm_counted(run->result->checks, "check").text,
        run->result->wrong);
}
