/* report.c: the results, for people. */
#include "check/check.h"

#include <string.h>

#include "base/text.h"
#include "check/board.h"
#include "check/finding.h"
#include "check/places.h"

int vidmm_check_status(const struct vidmm_board *board)
{
    if (atomic_load(&board->finding_count) > 0)
        return 1;
    return atomic_load(&board->end) == VIDMM_BOARD_ENDED ? 0 : 2;
}

/* ---- people ---- */

static void print_step(const struct vidmm_board_step *step, FILE *file)
{
    fprintf(file, "  %-52s", step->name);
    if (step->findings)
        fprintf(file, " %s", vidmm_counted(step->findings, "finding").text);
    else if (step->skipped[0] && step->operations == 0)
        fprintf(file, " not done");
    else
        fprintf(file, " ok");
    if (step->operations)
        fprintf(file, ", %s", vidmm_counted(step->operations, "operation").text);
    if (step->bytes)
        fprintf(file, ", %llu KiB compared", (unsigned long long)((step->bytes + 1023) / 1024));
    fputc('\n', file);
    if (step->skipped[0])
        fprintf(file, "    %s\n", step->skipped);
}

/* The start, call by call, and how it ended. */
static void print_start(const struct vidmm_board *board, FILE *file)
{
    if (atomic_load(&board->start_count) == 0)
        return;
    fputs("\nthe start, call by call\n", file);
    for (unsigned i = 0; i < atomic_load(&board->start_count); i++) {
        const struct vidmm_board_start *line = &board->starts[i];

        fprintf(file, "  %-58s %s", line->call, line->answer);
        if (line->times > 1)
            fprintf(file, " (%u times)", line->times);
        fputc('\n', file);
    }
    if (board->start_bug_check[0])
        fprintf(file, "  Windows stops here: bug check 0x%X, 0x%X\n", board->start_bug_check[0],
                board->start_bug_check[1]);
    if (board->start_end[0])
        fprintf(file, "  %s\n", board->start_end);
}

/* ---- findings ---- */

static void print_head(const char *head, FILE *file)
{
    fprintf(file, "  %-9s ", head);
}

static void print_line(const char *head, const char *text, FILE *file)
{
    if (text[0] == 0)
        return;
    print_head(head, file);
    fprintf(file, "%s\n", text);
}

/* A call, as it was recorded, with the members that the finding speaks of in >> <<. */
static void print_call(const struct vidmm_board_finding *finding, FILE *file)
{
    if (finding->record[0] == 0)
        return;
    print_head("call", file);
    for (const char *at = finding->record; *at;) {
        size_t length = strcspn(at, " "), name = strcspn(at, "=");
        bool named = name < length && vidmm_finding_names(finding, at, name);

        fprintf(file, named ? ">>%.*s<<" : "%.*s", (int)length, at);
        at += length;
        if (*at)
            fputc(*at++, file);
    }
    fputc('\n', file);
}

/* The place and the observation: the part of a finding that is its own. */
static void print_seen(const struct vidmm_board_finding *finding, const char *driver, FILE *file)
{
    char place[900];

    print_line("during", finding->operation, file);
    print_line("seen", finding->text, file);
    if (vidmm_place_of(driver, finding->address, place, sizeof(place)))
        print_line("at", place, file);
    for (unsigned i = 0; i < VIDMM_BOARD_CALLERS; i++)
        if (vidmm_place_of(driver, finding->callers[i], place, sizeof(place)))
            print_line("from", place, file);
    print_call(finding, file);
    print_line("before", finding->before, file);
}

static void print_rules(const struct vidmm_finding_page *page, FILE *file)
{
    for (uint32_t i = 0; i < page->rule_count; i++) {
        char id[16];
        struct vidmm_text text;

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, page->rule[i]);
        if (strcmp(id, page->id) == 0) /* its sentence is the finding's */
            continue;
        print_head(i == 0 ? "rule" : "", file);
        fprintf(file, "%s: %s\n", id, vidmm_rule(page->rule[i])->sentence);
    }
    if (page->rule_count == 0)
        print_line("rule", page->rules, file);
}

/* The page of an id. */
static void print_page(const struct vidmm_board_finding *finding, FILE *file)
{
    struct vidmm_finding_page page;

    if (!vidmm_finding_page(finding->id, &page)) {
        print_line("document", finding->document, file);
        return;
    }
    print_line("party", page.party, file);
    print_rules(&page, file);
    print_line("document", page.document, file);
    print_line("", page.address, file);
    print_line("Windows", page.windows, file);
    print_line("change", page.advice, file);
}

static const char *step_name(const struct vidmm_board *board, const struct vidmm_board_finding *of)
{
    return of->step >= 1 && of->step <= atomic_load(&board->step_count)
               ? board->steps[of->step - 1].name
               : "";
}

static void print_steps(const struct vidmm_board *board, const struct vidmm_finding_group *group,
                        FILE *file)
{
    const char *between = "";

    if ((group->steps & (group->steps - 1)) == 0)
        return;
    print_head("steps", file);
    for (unsigned i = 0; i < VIDMM_BOARD_STEPS; i++)
        if ((group->steps >> i & 1) != 0) {
            fprintf(file, "%s%s", between, board->steps[i].name);
            between = "; ";
        }
    fputc('\n', file);
}

void vidmm_check_again(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                       const struct vidmm_board_finding *finding, char *text, size_t size)
{
    const char *step = step_name(board, finding);

    if (subject->steps && step[0])
        snprintf(text, size, "%s --only '%s'", subject->again, step);
    else
        snprintf(text, size, "%s", subject->again);
}

static void print_group(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        const struct vidmm_finding_group *group, FILE *file)
{
    const struct vidmm_board_finding *list = board->findings, *next = group->first;
    uint32_t count = vidmm_board_shown(atomic_load(&board->finding_count));
    char again[1400];

    fprintf(file, "\n%s  %s", group->first->id, group->first->sentence);
    if (group->count > 1)
        fprintf(file, " (%u times)", group->count);
    fputc('\n', file);
    print_page(group->first, file);
    print_steps(board, group, file);
    print_seen(group->first, subject->driver, file);
    vidmm_check_again(board, subject, group->first, again, sizeof(again));
    print_line("again", again, file);
    while ((next = vidmm_finding_next(group, list, count, next)) != NULL) {
        print_line("also in", step_name(board, next), file);
        print_seen(next, subject->driver, file);
    }
}

static void print_effects(const struct vidmm_finding_group *groups, uint32_t count, uint32_t cause,
                          FILE *file)
{
    bool any = false;

    for (uint32_t i = 0; i < count; i++)
        if (groups[i].cause == (int)cause) {
            print_head(any ? "" : "leads to", file);
            any = true;
            fprintf(file, "%s  %s", groups[i].first->id, groups[i].first->sentence);
            fprintf(file, groups[i].count > 1 ? " (%u times)\n" : "\n", groups[i].count);
        }
}

static void print_findings(const struct vidmm_board *board,
                           const struct vidmm_check_subject *subject, FILE *file)
{
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];
    uint32_t count = vidmm_finding_groups(
        board->findings, vidmm_board_shown(atomic_load(&board->finding_count)), groups);

    for (uint32_t i = 0; i < count; i++)
        if (groups[i].cause < 0) {
            print_group(board, subject, &groups[i], file);
            print_effects(groups, count, i, file);
        }
    for (uint32_t i = 0; i < count; i++)
        if (groups[i].cause >= 0) {
            print_group(board, subject, &groups[i], file);
            print_line("follows", groups[groups[i].cause].first->id, file);
        }
}

static void print_traces(const struct vidmm_board *board, const char *driver, FILE *file)
{
    char place[512];

    for (unsigned i = 0; i < VIDMM_BOARD_TRACES; i++) {
        const struct vidmm_board_trace *trace = &board->traces[i];

        if (!atomic_load(&trace->ready))
            continue;
        fprintf(file, "\nthe thread %s\n", trace->what);
        for (uint32_t f = 0; f < trace->count; f++) {
            const char *of = trace->frames[f].file[0] ? trace->frames[f].file : driver;

            if (vidmm_place_of(of, trace->frames[f].address, place, sizeof(place)))
                fprintf(file, "  %s\n", place);
        }
    }
}

static void print_verdict(const struct vidmm_board *board, FILE *file)
{
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];
    uint32_t findings = vidmm_finding_groups(
        board->findings, vidmm_board_shown(atomic_load(&board->finding_count)), groups);
    uint64_t operations = 0, bytes = 0;
    uint32_t following = 0;

    for (uint32_t i = 0; i < findings; i++)
        following += groups[i].cause >= 0;
    for (unsigned i = 0; i < atomic_load(&board->step_count); i++) {
        operations += board->steps[i].operations;
        bytes += board->steps[i].bytes;
    }
    fprintf(file, "\nverdict: ");
    if (vidmm_check_status(board) == 2)
        fprintf(file, "could not run\n");
    else if (findings)
        fprintf(file, following ? "%s, and %u that follow from it%s\n" : "%s%.0u%s\n",
                vidmm_counted(findings - following, "finding").text, following,
                atomic_load(&board->end) == VIDMM_BOARD_ENDED ? "" : "; not all steps were done");
    else
        fprintf(file, "clean: %s, %llu KiB compared\n",
                vidmm_counted(operations, "paging operation").text,
                (unsigned long long)((bytes + 1023) / 1024));
}

const char *vidmm_check_unconfined(const struct vidmm_board *board, char *text, size_t size)
{
    int error = atomic_load(&board->unconfined);

    snprintf(text, size,
             "not confined: the system denies filters of system calls (seccomp: %s), so what the "
             "driver does to others is not refused; what it leaves running is ended",
             strerror(error));
    return error ? text : NULL;
}

void vidmm_check_report_problem(const struct vidmm_board *board, const char *command,
                                const char *driver, FILE *file)
{
    char text[300];

    fprintf(file, "vidmm %s: %s\n", command, board->problem);
    if (vidmm_check_unconfined(board, text, sizeof(text)))
        fprintf(file, "  %s\n", text);
    print_traces(board, driver, file);
}

void vidmm_check_report(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        FILE *file)
{
    char text[300];

    fprintf(file, "%s\n", subject->driver);
    if (vidmm_check_unconfined(board, text, sizeof(text)))
        fprintf(file, "  %s\n", text);
    for (unsigned i = 0; i < atomic_load(&board->fact_count); i++)
        fprintf(file, "  %s\n", board->facts[i]);
    print_start(board, file);
    if (vidmm_check_status(board) != 2) {
        fputs("\nsteps\n", file);
        for (unsigned i = 0; i < atomic_load(&board->step_count); i++)
            print_step(&board->steps[i], file);
    }
    print_findings(board, subject, file);
    if (atomic_load(&board->note_count) > 0)
        fputs("\nnotes (no fault of the driver's)\n", file);
    for (unsigned i = 0; i < vidmm_board_shown(atomic_load(&board->note_count)); i++)
        if (atomic_load(&board->notes[i].ready))
            fprintf(file, "  %s  %s: %s\n", board->notes[i].id, board->notes[i].sentence,
                    board->notes[i].text);
    print_traces(board, subject->driver, file);
    if (board->problem[0])
        fprintf(file, "\n%s\n", board->problem);
    if (atomic_load(&board->finding_count) > 0)
        fprintf(file, "\nunder a debugger: gdb -ex 'set follow-fork-mode child' --args %s\n",
                subject->again);
    print_verdict(board, file);
}
