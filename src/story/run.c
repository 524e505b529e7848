/* Theory. Acts are called from one thread on a simulated machine. Between acts the machine is let
 * run until nothing can happen any more (unless `hold`), so what an act brings about stands below
 * it.
 *
 * Contents are known at all times (base/content.h): the GPU checks what a command names, the CPU
 * what it locks, every page of it.
 */
#include "story/run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "story/narrate.h"
#include "wddm/status.h"

#include "contract/contract.h"

/* ---- sentences ------------------------------------------------------------------------------- */

bool vidmm_scenario_problem(struct vidmm_scenario_run *run, const char *format, ...)
{
    va_list arguments;

    if (run->result->problem[0] != 0)
        return false;
    va_start(arguments, format);
    vsnprintf(run->result->problem, sizeof(run->result->problem), format, arguments);
    va_end(arguments);
    return false;
}

void vidmm_scenario_surprise(struct vidmm_scenario_run *run, uint64_t *counter, const char *format,
                             ...)
{
    va_list arguments;

    ++*counter;
    if (run->result->surprise[0] != 0)
        return;
    va_start(arguments, format);
    vsnprintf(run->result->surprise, sizeof(run->result->surprise), format, arguments);
    va_end(arguments);
}

struct vidmm_scenario_status vidmm_scenario_status(NTSTATUS status)
{
    struct vidmm_scenario_status name;
    struct vidmm_text text;

    vidmm_text_init(&text, name.text, sizeof(name.text));
    vidmm_status_print(&text, status);
    return name;
}

/* ---- going through --------------------------------------------------------------------------- */

static const struct {
    vidmm_scenario_act *act;
    enum { ANYWHERE, AT_ADAPTER, AT_DEVICE } at; /* the thing that must be there before it */
} acts[] = {
    [VIDMM_ACT_START] = {vidmm_act_start, ANYWHERE},
    [VIDMM_ACT_ALLOC] = {vidmm_act_alloc, AT_DEVICE},
    [VIDMM_ACT_RESOURCE] = {vidmm_act_resource, AT_DEVICE},
    [VIDMM_ACT_STANDARD] = {vidmm_act_standard, AT_DEVICE},
    [VIDMM_ACT_EXTEND] = {vidmm_act_extend, AT_DEVICE},
    [VIDMM_ACT_OPEN] = {vidmm_act_open, AT_DEVICE},
    [VIDMM_ACT_CLOSE] = {vidmm_act_close, AT_DEVICE},
    [VIDMM_ACT_SUBMIT] = {vidmm_act_submit, AT_DEVICE},
    [VIDMM_ACT_PRESENT] = {vidmm_act_present, AT_DEVICE},
    [VIDMM_ACT_WAIT] = {vidmm_act_wait, AT_DEVICE},
    [VIDMM_ACT_LOCK] = {vidmm_act_lock, AT_DEVICE},
    [VIDMM_ACT_WRITE] = {vidmm_act_write, AT_DEVICE},
    [VIDMM_ACT_UNLOCK] = {vidmm_act_unlock, AT_DEVICE},
    [VIDMM_ACT_LOCK2] = {vidmm_act_lock2, AT_DEVICE},
    [VIDMM_ACT_LOOK] = {vidmm_act_look, AT_DEVICE},
    [VIDMM_ACT_UNLOCK2] = {vidmm_act_unlock2, AT_DEVICE},
    [VIDMM_ACT_INVALIDATE] = {vidmm_act_invalidate, AT_DEVICE},
    [VIDMM_ACT_RESIDENT] = {vidmm_act_resident, AT_DEVICE},
    [VIDMM_ACT_EVICT] = {vidmm_act_evict, AT_DEVICE},
    [VIDMM_ACT_MAP] = {vidmm_act_map, AT_DEVICE},
    [VIDMM_ACT_UNMAP] = {vidmm_act_unmap, AT_DEVICE},
    [VIDMM_ACT_OFFER] = {vidmm_act_offer, AT_DEVICE},
    [VIDMM_ACT_RECLAIM] = {vidmm_act_reclaim, AT_DEVICE},
    [VIDMM_ACT_PRIORITY] = {vidmm_act_priority, AT_DEVICE},
    [VIDMM_ACT_DESTROY] = {vidmm_act_destroy, AT_DEVICE},
    [VIDMM_ACT_EXIT] = {vidmm_act_exit, AT_DEVICE},
    [VIDMM_ACT_HOLD] = {vidmm_act_hold, AT_ADAPTER},
    [VIDMM_ACT_GO] = {vidmm_act_hold, AT_ADAPTER},
    [VIDMM_ACT_HANG] = {vidmm_act_hang, ANYWHERE},
    [VIDMM_ACT_NEIGHBOUR] = {vidmm_act_neighbour, ANYWHERE},
    [VIDMM_ACT_RELEASE] = {vidmm_act_release, ANYWHERE},
    [VIDMM_ACT_POWER] = {vidmm_act_power, AT_ADAPTER},
    [VIDMM_ACT_RESIDENCY] = {vidmm_act_residency, AT_DEVICE},
    [VIDMM_ACT_CONDITION] = {vidmm_act_condition, AT_DEVICE},
    [VIDMM_ACT_ESCAPE] = {vidmm_act_escape, AT_DEVICE},
    [VIDMM_ACT_STATISTICS] = {vidmm_act_statistics, AT_ADAPTER},
    [VIDMM_ACT_MEMORY] = {vidmm_act_memory, AT_ADAPTER},
    [VIDMM_ACT_HISTORY] = {vidmm_act_history, AT_DEVICE},
    [VIDMM_ACT_DUMP] = {vidmm_act_dump, AT_ADAPTER},
    [VIDMM_ACT_STOP] = {vidmm_act_stop, AT_ADAPTER},
};

static void judge_answer(struct vidmm_scenario_run *run, const struct vidmm_act *act,
                         NTSTATUS status)
{
    if (status != STATUS_SUCCESS)
        vidmm_narrator_say(run->narrator, "refused: %s%s%s", vidmm_scenario_status(status).text,
                           run->report.text[0] != 0 ? ": " : "", run->report.text);
    if ((status != STATUS_SUCCESS) == act->refused)
        return;
    if (act->refused)
        vidmm_narrator_say(run->narrator, "not refused");
    vidmm_scenario_surprise(run, &run->result->surprises, "line %" PRIu32 ": \"%s\" is %s%s%s%s",
                            act->line, act->text, act->refused ? "not refused" : "refused: ",
                            act->refused ? "" : vidmm_scenario_status(status).text,
                            act->refused || run->report.text[0] == 0 ? "" : ": ",
                            act->refused ? "" : run->report.text);
}

/* Tell the manager's new findings that it let pass. */
static void tell_findings(struct vidmm_scenario_run *run)
{
    struct vidmm_finding finding;

    for (;
         run->adapter != NULL && vidmm_adapter_finding(run->adapter, run->findings_told, &finding);
         run->findings_told++)
        vidmm_narrator_say(run->narrator, "seen, and let pass: %s", finding.first);
}

/* Whether acts to come may name what this one makes. */
static bool makes_names(const struct vidmm_act *act)
{
    return act->kind == VIDMM_ACT_ALLOC || act->kind == VIDMM_ACT_RESOURCE ||
           act->kind == VIDMM_ACT_STANDARD || act->kind == VIDMM_ACT_EXTEND ||
           act->kind == VIDMM_ACT_OPEN;
}

static bool perform(struct vidmm_scenario_run *run, const struct vidmm_act *act)
{
    bool adapter = acts[act->kind].at >= AT_ADAPTER, device = acts[act->kind].at == AT_DEVICE;
    NTSTATUS status;

    vidmm_narrator_speak(run->narrator, false);
    if (adapter && !vidmm_scenario_ensure_adapter(run))
        return false;
    if (device && !vidmm_scenario_ensure_device(run, act->process))
        return false;
    vidmm_narrator_speak(run->narrator, true);
    vidmm_narrator_act(run->narrator,
                       device ? vidmm_scenario_process_name(run, act->process) : NULL, act->text);
    memset(&run->report, 0, sizeof(run->report));
    status = acts[act->kind].act(run, act);
    if (!run->held)
        vidmm_machine_settle(run->machine);
    judge_answer(run, act, status);
    tell_findings(run);
    if (status != STATUS_SUCCESS && !act->refused && makes_names(act)) {
        vidmm_narrator_say(run->narrator, "the story ends here: it goes on with what is missing");
        return false;
    }
    return run->result->problem[0] == 0;
}

static void take_apart(struct vidmm_scenario_run *run)
{
    if (run->narrator != NULL)
        vidmm_narrator_speak(run->narrator, false);
    if (run->adapter != NULL)
        vidmm_act_stop(run, NULL);
    if (run->tap != NULL && run->result->problem[0] == 0)
        vidmm_scenario_tell_sums(run);
    vidmm_scenario_free_existing(run);
    if (run->plugged)
        vidmm_slot_unplug(run->slot);
    vidmm_scenario_end_neighbour(run);
    softgpu_device_destroy(run->gpu);
    vidmm_linked_unplug(&run->linked);
    vidmm_tap_destroy(run->tap);
    vidmm_machine_destroy(run->machine);
    for (uint32_t i = 0; i < VIDMM_SCENARIO_ALLOCATIONS; i++)
        free(run->memory[i].cpu);
    if (run->narrator != NULL)
        run->result->narrative = vidmm_narrator_text(run->narrator);
    vidmm_narrator_destroy(run->narrator);
}

void vidmm_scenario_play(const struct vidmm_scenario *scenario, uint64_t seed,
                         struct vidmm_scenario_result *result)
{
    struct vidmm_scenario_run *run = calloc(1, sizeof(*run));

    memset(result, 0, sizeof(*result));
    if (run == NULL) {
        snprintf(result->problem, sizeof(result->problem), "no memory");
        return;
    }
    run->scenario = scenario;
    run->result = result;
    run->seed = seed != 0 ? seed : scenario->seed;
    run->narrator = vidmm_narrator_create();
    if (run->narrator == NULL)
        vidmm_scenario_problem(run, "no memory");
    else if (vidmm_scenario_make_machine(run) && vidmm_scenario_make_tap(run))
        for (uint32_t i = 0; i < scenario->act_count; i++)
            if (!perform(run, &scenario->acts[i]))
                break;
    take_apart(run);
    free(run);
}

void vidmm_scenario_result_finish(struct vidmm_scenario_result *result)
{
    free(result->narrative);
    result->narrative = NULL;
}
