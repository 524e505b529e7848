/* check.c: the child: everything is made, the sequences run, everything is taken apart. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>

#include "base/text.h"
#include "check/excuse.h"
#include "check/finding.h"
#include "check/host.h"
#include "check/lab.h"
#include "check/managed.h"
#include "contract/contract.h"
#include "wddm/level.h"
#include "wddm/rule.h"

#define WINDOW (UINT64_C(64) << 10)
#define STARTS 8u /* of a driver that falls again and again, at most */

struct check {
    const struct vidmm_check_options *options;
    struct vidmm_board *board;
    struct vidmm_check_host host;
    struct vidmm_tap *tap;
    struct vidmm_rig rig;
    struct vidmm_lab lab;
    struct vidmm_rig_allocation *primary;
    bool dark;     /* the display has been put out */
    size_t judged; /* violations that the auditor has told */
};

/* ---- the auditor ---- */

/* Has check found it by itself? */
static bool is_found(const struct vidmm_board *board, const char *rule)
{
    struct vidmm_finding_page page;

    for (uint32_t i = 0; i < vidmm_board_shown(atomic_load(&board->finding_count)); i++)
        if (vidmm_finding_page(board->findings[i].id, &page) && strstr(page.rules, rule) != NULL)
            return true;
    return false;
}

static void judge_one(struct check *check, const struct vidmm_violation *violation, const char *id,
                      bool note)
{
    const struct vidmm_rule *rule = vidmm_rule(violation->rule);

    if (note)
        vidmm_board_note(check->board, id, rule->sentence, rule->source, violation->record,
                         violation->detail);
    else
        vidmm_board_judge(check->board, vidmm_excuse_of(violation->sequence), id, rule->sentence,
                          rule->source, violation->record, violation->detail);
}

/* The rig's sequences are not a manager's: only what the driver did counts. A record that has been
 * judged is not judged again. No way of asking excuses a fence that was never submitted. */
static void judge(struct check *check, bool lenient)
{
    struct vidmm_violation violation;

    for (; vidmm_tap_violation(check->tap, check->judged, &violation); check->judged++) {
        const struct vidmm_rule *rule = vidmm_rule(violation.rule);
        struct vidmm_text text;
        char id[16];

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, violation.rule);
        vidmm_board_look_back(violation.sequence);
        if (rule->party == VIDMM_PARTY_KMD && !is_found(check->board, id))
            judge_one(check, &violation, id, lenient && violation.rule != VIDMM_RULE_D_357);
    }
    vidmm_board_look_back(0);
}

static uint64_t count_records(void *tap)
{
    return vidmm_tap_records(tap);
}

/* ---- sequences ---- */

static void measure(struct vidmm_lab *lab)
{
    const struct vidmm_rig *rig = lab->rig;

    for (uint32_t id = rig->segment_count; id >= 1; id--)
        if (rig->segments[id].flags.Aperture)
            lab->aperture = id;
        else if (!rig->segments[id].flags.PitchAlignment)
            lab->memory = id;
}

/* A primary for the one mode; it goes when the display is dark. */
static void try_display(struct check *check)
{
    struct vidmm_rig *rig = &check->rig;

    if (rig->display.sources > 0 && rig->display.connected && !check->primary)
        check->primary = vidmm_rig_create_primary(rig);
    vidmm_check_display_light(&rig->display, check->primary != NULL,
                              check->primary ? check->primary->kmd : NULL);
}

static void end_display(struct check *check)
{
    if (!check->rig.dead && !check->dark)
        vidmm_check_display_dim(&check->rig.display);
    check->dark = true;
    if (check->primary) /* of a dead rig, too: it would be called the driver's leak */
        vidmm_rig_destroy(&check->rig, check->primary);
    check->primary = NULL;
}

/* Can the driver make allocations at all? */
static void try_allocations(struct check *check)
{
    struct vidmm_rig_allocation *allocation = NULL;

    vidmm_board_begin(check->board, "allocations");
    for (uint64_t size = 4096; size <= 1 << 20; size *= 4) {
        allocation = vidmm_rig_create(&check->rig, size);
        vidmm_rig_destroy(&check->rig, allocation);
    }
    if (!allocation)
        vidmm_board_skip(check->board, "the driver rejected every private-data format tried; give "
                                       "one by --plugin. Without one, "
                                       "only raw bytes are transferred");
}

/* Is the size of private data, which a program says, looked at before the data are? */
static void try_short(struct check *check)
{
    struct vidmm_rig_allocation *whole;

    if (!vidmm_board_try(check->board, "private data cut short"))
        return;
    whole = vidmm_rig_create(&check->rig, 4096);
    if (whole && whole->private_size > 0)
        vidmm_rig_try_short(&check->rig, whole);
    else
        vidmm_board_skip(check->board,
                         "the driver takes allocations without private data, or none");
    vidmm_rig_destroy(&check->rig, whole);
}

static void try_dead_handle(struct check *check)
{
    if (!check->rig.dead && vidmm_board_try(check->board, "a handle that names nothing"))
        vidmm_rig_try_dead_handle(&check->rig);
}

static void try_paging(struct check *check)
{
    struct vidmm_lab *lab = &check->lab;

    if (check->rig.by_address) {
        vidmm_check_virtual(lab);
        return;
    }
    if (check->rig.mmu.PageTableLevelCount > 0) {
        vidmm_board_begin(check->board, "page tables");
        vidmm_board_skip(check->board,
                         "work is not submitted by address: what follows is physical");
    }
    if (vidmm_rig_take_pages(&check->rig, WINDOW, false, &lab->window)) {
        vidmm_check_memory(lab);
        vidmm_check_aperture(lab);
        vidmm_check_ranges(lab);
        vidmm_check_preemption(lab);
        vidmm_check_context(lab, 0);
        vidmm_check_present(lab);
        vidmm_check_render(lab);
        vidmm_check_relocation(lab);
        vidmm_check_timeout(lab);
        vidmm_check_hang(lab);
        end_display(check);
        vidmm_check_power(lab);
        judge(check, false);
        vidmm_check_readings(lab);
        judge(check, true);
    }
    vidmm_rig_give_pages(&check->rig, &lab->window);
}

/* The messages of programs come last: a driver may do anything then that it does for programs. */
static void run_sequences(struct check *check)
{
    check->lab.rig = &check->rig;
    measure(&check->lab);
    try_display(check);
    try_allocations(check);
    try_short(check);
    try_dead_handle(check);
    vidmm_check_cross_adapter(&check->rig);
    try_paging(check);
    vidmm_check_escape(&check->rig);
}

/* ---- the child ---- */

static bool make_tap(struct check *check)
{
    const struct vidmm_tap_config config = {
        .current_irql = check->host.miniport.host->current_irql,
        .irql_context = check->host.miniport.host->context,
        .record = vidmm_excuse_record,
        .paging_is_not_patched = true,
        .no_audit = vidmm_level_find(check->host.table->Version)->level >= VIDMM_LEVEL(2, 0),
    };

    check->tap = vidmm_tap_create(&config, check->host.table);
    vidmm_board_record_by(check->tap ? count_records : NULL, check->tap);
    return check->tap || vidmm_board_problem(check->board, "no memory for the auditor");
}

/* A driver without video memory: one mode, one picture. */
static void run_display(struct check *check)
{
    struct vidmm_rig *rig = &check->rig;

    if (!vidmm_rig_start_display(rig, &check->host, check->host.table)) {
        rig->dead = true;
    } else {
        vidmm_check_display_light(&rig->display, true, NULL);
        vidmm_check_display_present(rig, check->host.miniport.present);
    }
    vidmm_board_begin(check->board, "stop");
    end_display(check);
    vidmm_rig_stop(rig);
}

static uint32_t apertures_of(const struct vidmm_rig *rig)
{
    uint32_t set = 0;

    for (uint32_t id = 1; id <= rig->segment_count; id++)
        set |= (uint32_t)rig->segments[id].flags.Aperture << (id - 1);
    return set;
}

/* Whether programs will run on it, under the manager. */
static bool comes_again(const struct check *check)
{
    return check->rig.by_address && check->host.miniport.plugin &&
           check->host.miniport.plugin->copy &&
           vidmm_board_wants(check->board, "under the manager");
}

static void run_all(struct check *check)
{
    if (vidmm_rig_start(&check->rig, &check->host, vidmm_tap_driver(check->tap))) {
        check->rig.again = comes_again(check);
        run_sequences(check);
    } else {
        check->rig.dead = true;
    }
    vidmm_board_begin(check->board, "stop");
    end_display(check);
    vidmm_rig_stop(&check->rig);
    judge(check, false);
    if (check->rig.by_address && !check->rig.hung &&
        vidmm_board_wants(check->board, "under the manager"))
        vidmm_check_managed(&check->host, apertures_of(&check->rig));
}

/* It died of what the kit does not have, and that is no finding. */
static enum vidmm_board_end ending(const struct check *check)
{
    if (check->rig.dead && !check->rig.spent && atomic_load(&check->board->finding_count) == 0)
        vidmm_board_problem(check->board, "the driver could not go on: see the notes");
    if (check->board->problem[0] && atomic_load(&check->board->finding_count) == 0)
        return VIDMM_BOARD_COULD_NOT_RUN;
    return (check->rig.dead && !check->rig.spent) || check->board->problem[0] ? VIDMM_BOARD_GAVE_UP
                                                                              : VIDMM_BOARD_ENDED;
}

static enum vidmm_board_end body(struct vidmm_board *board, void *argument)
{
    const struct vidmm_check_options *options = argument;
    struct check *check = calloc(1, sizeof(*check));
    enum vidmm_board_end end;

    if (!check)
        return VIDMM_BOARD_COULD_NOT_RUN;
    check->options = options;
    check->board = board;
    vidmm_board_begin(board, "start");
    if (vidmm_check_host_open(&check->host, board, options->configuration, options->driver,
                              options->plugin, options->journal, options->print)) {
        if (check->host.miniport.display_only)
            run_display(check);
        else if (make_tap(check))
            run_all(check);
    }
    vidmm_check_host_close(&check->host);
    end = ending(check);
    vidmm_board_record_by(NULL, NULL);
    vidmm_tap_destroy(check->tap);
    free(check);
    return end;
}

/* A step that nobody has is asked for by mistake. */
static void refuse_only(struct vidmm_board *board)
{
    for (unsigned i = 0; i < atomic_load(&board->step_count); i++)
        if (vidmm_board_wants(board, board->steps[i].name))
            return;
    if (atomic_load(&board->finding_count) > 0 || board->problem[0])
        return;
    atomic_store(&board->end, VIDMM_BOARD_COULD_NOT_RUN);
    vidmm_board_problem(board,
                        "--only '%s' is in the name of no step of this driver's; steps are %s",
                        board->only, board->passed);
}

/* Whether the board has a finding of that id, from the one on and before the other. */
static bool has(const struct vidmm_board *board, const char *id, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (atomic_load(&board->findings[i].ready) && strcmp(board->findings[i].id, id) == 0)
            return true;
    return false;
}

/* Whether the child has found what ended it: a crash or a bug check, at a place where no child fell
 * before; or the first call that did not come back, since each of those takes a time-out. */
static bool has_fallen(const struct vidmm_board *board)
{
    uint32_t before = vidmm_board_shown(board->findings_before);
    uint32_t count = vidmm_board_shown(atomic_load(&board->finding_count));

    return has(board, "C-001", before, count) || has(board, "C-003", before, count) ||
           (has(board, "C-002", before, count) && !has(board, "C-002", 0, before));
}

/* Whether the driver may be started again, to do what comes behind the step that ended it, or its
 * GPU. The first steps and the last are done each time. */
static bool may_go_on(struct vidmm_board *board)
{
    const struct vidmm_board_step *step = vidmm_board_step(board);
    bool more = board->more;

    board->more = false;
    if (board->problem[0] || board->only[0])
        return false;
    if (atomic_load(&board->end) == VIDMM_BOARD_ENDED)
        return more;
    return atomic_load(&board->end) == VIDMM_BOARD_GAVE_UP && has_fallen(board) &&
           atomic_load(&board->step) > board->steps_before && strcmp(step->name, "start") != 0 &&
           strcmp(step->name, "allocations") != 0 && strcmp(step->name, "stop") != 0;
}

bool vidmm_check_run(struct vidmm_board *board, const struct vidmm_check_options *options)
{
    void *argument = (void *)(uintptr_t)options;
    unsigned starts = 1;
    bool ran;

    snprintf(board->only, sizeof(board->only), "%s", options->only ? options->only : "");
    ran = vidmm_check_watch(board, options, body, argument);
    for (; ran && starts < STARTS && may_go_on(board); starts++) {
        vidmm_board_fact(board, "started again, behind the step: %s",
                         vidmm_board_step(board)->name);
        vidmm_board_go_on(board);
        ran = vidmm_check_watch(board, options, body, argument);
    }

    if (ran)
        vidmm_check_unasked(board, options);
    vidmm_check_habits(board, options->configuration);
    refuse_only(board);
    return ran;
}
