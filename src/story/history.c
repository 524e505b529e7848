/* The act that reads time stamps. */
#include "story/run.h"

#include <inttypes.h>

#include <vidmm/history.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "story/narrate.h"

enum { STAMPS = 600, TOLD = 8 }; /* a formatted buffer holds 512 */

static void tell_markers(struct vidmm_scenario_run *run, const uint64_t *stamps, uint32_t count)
{
    char markers[TOLD * 24] = "";
    struct vidmm_text text;

    vidmm_text_init(&text, markers, sizeof(markers));
    for (uint32_t i = 2; i < count && i < 2 + TOLD; i++) {
        vidmm_text_string(&text, i == 2 ? "markers " : ", ");
        vidmm_text_number(&text, stamps[i]);
    }
    if (count > 2)
        vidmm_narrator_say(run->narrator, "%s%s", markers, count > 2 + TOLD ? ", ..." : "");
}

NTSTATUS vidmm_act_history(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    const char *name = vidmm_scenario_wish_of(run, act, 0)->name;
    uint64_t stamps[STAMPS];
    struct vidmm_history history;
    NTSTATUS status = vidmm_scenario_ensure_context(run, act);

    if (status == STATUS_SUCCESS)
        status = vidmm_history_read(run->processes[act->process].contexts[act->node],
                                    vidmm_scenario_live(run, act, 0)->handle, &history, stamps,
                                    STAMPS, &run->report);
    if (status != STATUS_SUCCESS)
        return status;
    if (history.count == 0)
        vidmm_narrator_say(run->narrator, "%s: no time stamps", name);
    else
        vidmm_narrator_say(run->narrator, "%s: sequence %" PRIu32 ", %s of %" PRIu32 " bits%s%s",
                           name, history.sequence, vidmm_counted(history.count, "time stamp").text,
                           history.precision, history.calls > 0 ? ", formatted in " : "",
                           history.calls > 0 ? vidmm_counted(history.calls, "call").text : "");
    if (history.count >= 2)
        vidmm_narrator_say(run->narrator, "began at %" PRIu64 ", ended at %" PRIu64, stamps[0],
                           stamps[1]);
    tell_markers(run, stamps, history.count < STAMPS ? history.count : STAMPS);
    return STATUS_SUCCESS;
}
