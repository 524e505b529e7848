/* Acts that ask, and change nothing. */
#include "story/run.h"

#include <inttypes.h>

#include <vidmm/residency.h>
#include <wddm/ntstatus.h>

#include "base/size.h"
#include "base/text.h"

#include "softgpu/softgpu.h"
#include "story/narrate.h"

NTSTATUS vidmm_act_residency(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    static const char *const places[] = {
        [VIDMM_RESIDENT_IN_GPU] = "in GPU memory",
        [VIDMM_RESIDENT_IN_SHARED] = "in shared memory",
        [VIDMM_NOT_RESIDENT] = "not resident",
    };
    struct vidmm_scenario_named named;
    struct vidmm_selection all = vidmm_scenario_selection(run, act, &named);
    enum vidmm_residency residency[VIDMM_SCENARIO_REFERENCES];
    NTSTATUS status = vidmm_query_residency(&all, residency, &run->report);

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        vidmm_narrator_say(run->narrator, "%s: %s", vidmm_scenario_name(run, act, i),
                           places[residency[i]]);
    return status;
}

NTSTATUS vidmm_act_condition(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    NTSTATUS status = vidmm_device_condition(run->processes[act->process].device, &run->report);

    if (status == STATUS_SUCCESS)
        vidmm_narrator_say(run->narrator, "the device is in order");
    return status;
}

/* The line `escape [idle]`: the driver's answers about its GPU; idle: nothing is in flight when it
 * is asked. */
NTSTATUS vidmm_act_escape(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC};
    NTSTATUS status = vidmm_escape(run->processes[act->process].device, &message, sizeof(message),
                                   act->value != 0, &run->report);

    if (status == STATUS_SUCCESS)
        vidmm_narrator_say(run->narrator,
                           "the driver: %s to do; %s pre-patched, %" PRIu64 " of them patched anew",
                           vidmm_counted(message.queued, "packet").text,
                           vidmm_counted(message.prepatched, "reference").text, message.repatched);
    return status;
}

NTSTATUS vidmm_act_statistics(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_statistics s;

    (void)act;
    vidmm_adapter_statistics(run->adapter, &s);
    vidmm_narrator_say(
        run->narrator, "%s, %s, %s; %s mapped, %s unmapped",
        vidmm_counted(s.page_ins, "page-in").text, vidmm_counted(s.evictions, "eviction").text,
        vidmm_counted(s.compactions, "compaction").text, vidmm_size_written(s.bytes_mapped).text,
        vidmm_size_written(s.bytes_unmapped).text);
    vidmm_narrator_say(run->narrator, "%s filled, %s in, %s out, %s moved, %s discarded",
                       vidmm_size_written(s.bytes_filled).text, vidmm_size_written(s.bytes_in).text,
                       vidmm_size_written(s.bytes_out).text, vidmm_size_written(s.bytes_moved).text,
                       vidmm_size_written(s.bytes_discarded).text);
    if (s.bytes_read > 0)
        vidmm_narrator_say(run->narrator, "%s read as it lies",
                           vidmm_size_written(s.bytes_read).text);
    vidmm_narrator_say(
        run->narrator, "%s with %s; %s, %s", vidmm_counted(s.paging_buffers, "paging buffer").text,
        vidmm_counted(s.paging_operations, "operation").text,
        vidmm_counted(s.submissions, "submission").text, vidmm_counted(s.splits, "split").text);
    vidmm_narrator_say(
        run->narrator, "%s, %s, %s; %s", vidmm_counted(s.preemptions, "preemption").text,
        vidmm_counted(s.engine_resets, "engine reset").text, vidmm_counted(s.resets, "reset").text,
        vidmm_counted(s.findings, "finding").text);
    vidmm_narrator_say(run->narrator, "%s; %s made, %" PRIu64 " gone",
                       vidmm_counted(s.renames, "rename").text,
                       vidmm_counted(s.instances_made, "instance").text, s.instances_gone);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_act_memory(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    struct vidmm_memory_totals totals;

    (void)act;
    for (uint32_t id = 1; id <= vidmm_adapter_segments(run->adapter); id++) {
        struct vidmm_segment_info info;

        vidmm_adapter_segment(run->adapter, id, &info);
        vidmm_narrator_say(run->narrator, "segment %u: %s, flags 0x%x, %s at once", id,
                           vidmm_size_written(info.size).text, info.flags,
                           vidmm_size_written(info.commit_limit).text);
    }
    vidmm_adapter_memory_totals(run->adapter, &totals);
    vidmm_narrator_say(run->narrator, "system memory %s, %s of it for graphics",
                       vidmm_size_written(totals.system).text,
                       vidmm_size_written(totals.available).text);
    vidmm_narrator_say(run->narrator, "dedicated: %s video, %s system; shared: %s; together %s",
                       vidmm_size_written(totals.dedicated_video).text,
                       vidmm_size_written(totals.dedicated_system).text,
                       vidmm_size_written(totals.shared).text,
                       vidmm_size_written(totals.total).text);
    return STATUS_SUCCESS;
}
