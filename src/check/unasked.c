/* unasked.c: calls that Windows never makes: paging operations that no WDDM has, and calls with
 * nothing in them.
 *
 *      tool ---- first child:  all other steps, on the board of the report
 *           ---- next child:   start, these calls one by one, stop; on a board of its own
 *
 * No answer to such a call is wrong, and a driver that crashes in one keeps its contract: it is
 * told as a note. The process of the report is spared for that reason. A child that ends in a call
 * is followed by another, which begins behind that call.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/check.h"
#include "miniport/configuration.h"
#include "check/host.h"
#include "check/rig.h"

#define STEP "calls that Windows never makes"

/* ---- the calls ---- */

enum unasked_call { BEHIND_THE_LAST, LARGEST, FILL, MAP, CREATE, CLOSE, DESTROY, CALLS };

static const char *const names[CALLS] = {
    [BEHIND_THE_LAST] = "paging operation 23",
    [LARGEST] = "paging operation 31",
    [FILL] = "Fill of 0 bytes",
    [MAP] = "a map of 0 pages",
    [CREATE] = "DxgkDdiCreateAllocation of none",
    [CLOSE] = "DxgkDdiCloseAllocation of none",
    [DESTROY] = "DxgkDdiDestroyAllocation of none",
};

static uint32_t aperture_of(const struct vidmm_rig *rig)
{
    uint32_t id = rig->segment_count;

    while (id > 0 && !rig->segments[id].flags.Aperture)
        id--;
    return id;
}

static uint32_t memory_of(const struct vidmm_rig *rig)
{
    uint32_t id = rig->segment_count;

    while (id > 0 && rig->segments[id].flags.Aperture)
        id--;
    return id;
}

/* Fill the arguments of a paging operation. False: the driver cannot be asked for it. */
static bool fill(const struct vidmm_rig *rig, enum unasked_call which,
                 DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    static const struct vidmm_rig_pages none = {0};

    switch (which) {
    case BEHIND_THE_LAST:
        arguments->Operation = (DXGK_BUILDPAGINGBUFFER_OPERATION)(DXGK_OPERATION_NOTIFY_ALLOC + 1);
        return true;
    case LARGEST: /* that the enumeration can hold in C++ */
        arguments->Operation = (DXGK_BUILDPAGINGBUFFER_OPERATION)31;
        return true;
    case FILL:
        if (rig->by_address) {
            arguments->Operation = DXGK_OPERATION_VIRTUAL_FILL;
            return true;
        }
        arguments->Operation = DXGK_OPERATION_FILL;
        arguments->Fill.Destination.SegmentId = memory_of(rig);
        arguments->Fill.Destination.SegmentAddress.QuadPart =
            (LONGLONG)rig->segments[memory_of(rig)].base;
        return memory_of(rig) != 0;
    default:
        vidmm_rig_fill_map(rig, arguments, aperture_of(rig), 0, 0, &none, 0);
        return aperture_of(rig) != 0 && !rig->by_address;
    }
}

static NTSTATUS create_none(const struct vidmm_rig *rig)
{
    DXGKARG_CREATEALLOCATION arguments = {0};

    return rig->driver->DxgkDdiCreateAllocation(rig->adapter, &arguments);
}

static NTSTATUS close_none(const struct vidmm_rig *rig)
{
    DXGKARG_CLOSEALLOCATION arguments = {0};

    return rig->driver->DxgkDdiCloseAllocation(rig->device, &arguments);
}

static NTSTATUS destroy_none(const struct vidmm_rig *rig)
{
    DXGKARG_DESTROYALLOCATION arguments = {0};

    return rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &arguments);
}

/* False: the driver cannot be asked. */
static bool ask(struct vidmm_rig *rig, enum unasked_call which, NTSTATUS *status)
{
    DXGKARG_BUILDPAGINGBUFFER arguments = {0};

    switch (which) {
    case CREATE:
        *status = create_none(rig);
        return true;
    case CLOSE:
        *status = close_none(rig);
        return true;
    case DESTROY:
        *status = destroy_none(rig);
        return true;
    default:
        return fill(rig, which, &arguments) && vidmm_rig_ask(rig, &arguments, status);
    }
}

/* ---- the child ---- */

struct attempt {
    const struct vidmm_check_options *options;
    unsigned first; /* the call to begin with */
};

/* The answer to each call stands where another step says why it was not done. */
static void ask_all(struct vidmm_rig *rig, struct vidmm_board *board, unsigned first)
{
    for (unsigned which = first; which < CALLS; which++) {
        NTSTATUS status;

        vidmm_board_begin(board, names[which]);
        if (ask(rig, (enum unasked_call)which, &status))
            vidmm_board_skip(board, "%s", vidmm_rig_status(status));
    }
}

static enum vidmm_board_end body(struct vidmm_board *board, void *argument)
{
    const struct attempt *attempt = argument;
    const struct vidmm_check_options *options = attempt->options;
    struct vidmm_check_host *host = calloc(1, sizeof(*host));
    struct vidmm_rig *rig = calloc(1, sizeof(*rig));
    bool started = false;

    if (host && rig &&
        vidmm_check_host_open(host, board, options->configuration, options->driver, options->plugin,
                              NULL, false) &&
        !host->miniport.display_only) {
        started = vidmm_rig_start(rig, host, host->table);
        if (started)
            ask_all(rig, board, attempt->first);
        vidmm_board_begin(board, "stop");
        vidmm_rig_stop(rig);
    }
    if (host)
        vidmm_check_host_close(host);
    free(host);
    free(rig);
    return started ? VIDMM_BOARD_ENDED : VIDMM_BOARD_COULD_NOT_RUN;
}

/* ---- the tool ---- */

/* The answers to the calls, as words; empty: there is none. */
struct answers {
    char status[CALLS][64];
    bool ended[CALLS]; /* the child ended in the call */
    char reason[240];  /* ... the first time */
};

/* The number of a call by the name of its step; CALLS: it is none of them. */
static unsigned call_of(const struct vidmm_board_step *step)
{
    unsigned which = 0;

    while (which < CALLS && strcmp(names[which], step->name) != 0)
        which++;
    return which;
}

/* Take the answers of a child; and say in which call it ended. CALLS: in none. */
static unsigned take_answers(const struct vidmm_board *tried, struct answers *answers)
{
    unsigned count = atomic_load(&tried->step_count), which = CALLS;

    for (unsigned i = 0; i < count; i++) {
        which = call_of(&tried->steps[i]);
        if (which < CALLS)
            snprintf(answers->status[which], sizeof(answers->status[which]), "%.60s",
                     tried->steps[i].skipped);
    }
    return which;
}

/* One fact an answer, with all the calls that were answered so. */
static void tell_answers(struct vidmm_board *board, struct answers *answers)
{
    for (unsigned which = 0; which < CALLS; which++) {
        char calls[160];
        struct vidmm_text text;

        if (!answers->status[which][0])
            continue;
        vidmm_text_init(&text, calls, sizeof(calls));
        for (unsigned other = which + 1; other < CALLS; other++)
            if (strcmp(answers->status[other], answers->status[which]) == 0) {
                vidmm_text_string(&text, "; ");
                vidmm_text_string(&text, names[other]);
                answers->status[other][0] = 0;
            }
        vidmm_board_fact(board, "never asked by Windows, answered %s: %s%s", answers->status[which],
                         names[which], calls);
    }
}

/* One note of all calls in which a child ended, with the reason of the first. */
static void tell_ends(struct vidmm_board *board, const struct answers *answers)
{
    char others[200];
    struct vidmm_text text;
    unsigned first = 0;

    while (first < CALLS && !answers->ended[first])
        first++;
    if (first == CALLS)
        return;
    vidmm_text_init(&text, others, sizeof(others));
    for (unsigned which = first + 1; which < CALLS; which++)
        if (answers->ended[which]) {
            vidmm_text_string(&text, text.length ? ", " : "; the same in: ");
            vidmm_text_string(&text, names[which]);
        }
    vidmm_check_find(board, VIDMM_CHECK_UNASKED, "", "%s: %s%s", names[first], answers->reason,
                     others);
}

static void take_end(const struct vidmm_board *tried, unsigned which, struct answers *answers)
{
    uint32_t count = vidmm_board_shown(atomic_load(&tried->finding_count));
    const struct vidmm_board_finding *finding = &tried->findings[count > 0 ? count - 1 : 0];
    bool found = count > 0 && atomic_load(&finding->ready); /* the newest is what ended it */

    answers->ended[which] = true;
    if (!answers->reason[0])
        snprintf(answers->reason, sizeof(answers->reason), "%.220s",
                 found ? finding->text : "the driver's process ended");
}

/* One child, with a board of its own. Answers the call to go on with; CALLS: all are done, or
 * `obstacle` says why not. */
static unsigned try_from(const struct vidmm_check_options *options, unsigned first,
                         struct answers *answers, const char **obstacle)
{
    struct attempt attempt = {options, first};
    struct vidmm_board *tried = vidmm_board_create();
    unsigned last = CALLS;

    if (!tried) {
        *obstacle = "no memory for a second board";
        return CALLS;
    }
    if (vidmm_check_watch(tried, options, body, &attempt))
        last = take_answers(tried, answers);
    if (last < CALLS)
        take_end(tried, last, answers);
    else if (atomic_load(&tried->end) != VIDMM_BOARD_ENDED)
        *obstacle = "the driver did not start and stop a second time";
    vidmm_board_destroy(tried);
    return last < CALLS ? last + 1 : CALLS;
}

void vidmm_check_unasked(struct vidmm_board *board, const struct vidmm_check_options *options)
{
    struct vidmm_check_options again = *options;
    struct answers answers = {0};
    const char *obstacle = NULL;

    if (atomic_load(&board->end) != VIDMM_BOARD_ENDED || !vidmm_board_try(board, STEP))
        return;
    again.progress = NULL;
    for (unsigned next = 0; next < CALLS;)
        next = try_from(&again, next, &answers, &obstacle);
    if (obstacle)
        vidmm_board_skip(board, "%s", obstacle);
    vidmm_board_step(board)->done = true;
    tell_answers(board, &answers);
    tell_ends(board, &answers);
}
