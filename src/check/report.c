/* report.c: the results, for people and for programs. */
#include "check/check.h"

#include <jansson.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "check/places.h"

int vidmm_check_status(const struct vidmm_board *board)
{
    if (atomic_load(&board->finding_count) > 0)
        return 1;
    return atomic_load(&board->end) == VIDMM_BOARD_ENDED ? 0 : 2;
}

static unsigned shown(unsigned count)
{
    return count < VIDMM_BOARD_FINDINGS ? count : VIDMM_BOARD_FINDINGS;
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

static void print_finding(const struct vidmm_board_finding *finding, const char *driver, FILE *file)
{
    char place[512];
    unsigned count = atomic_load(&finding->count);

    if (!atomic_load(&finding->ready))
        return;
    fprintf(file, "\n%s  %s", finding->id, finding->sentence);
    if (count > 1)
        fprintf(file, " (%u times)", count);
    fputc('\n', file);
    if (finding->operation[0])
        fprintf(file, "  during    %s\n", finding->operation);
    if (finding->text[0])
        fprintf(file, "  seen      %s\n", finding->text);
    if (vidmm_place_of(driver, finding->address, place, sizeof(place)))
        fprintf(file, "  at        %s\n", place);
    for (unsigned i = 0; i < VIDMM_BOARD_CALLERS; i++)
        if (vidmm_place_of(driver, finding->callers[i], place, sizeof(place)))
            fprintf(file, "  from      %s\n", place);
    if (finding->record[0])
        fprintf(file, "  call      %s\n", finding->record);
    if (finding->document[0] && finding->document[0] != '-')
        fprintf(file, "  document  %s\n", finding->document);
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
    unsigned findings = atomic_load(&board->finding_count);
    uint64_t operations = 0, bytes = 0;

    for (unsigned i = 0; i < atomic_load(&board->step_count); i++) {
        operations += board->steps[i].operations;
        bytes += board->steps[i].bytes;
    }
    fprintf(file, "\nverdict: ");
    if (vidmm_check_status(board) == 2)
        fprintf(file, "could not run\n");
    else if (findings)
        fprintf(file, "%s%s\n", vidmm_counted(findings, "finding").text,
                atomic_load(&board->end) == VIDMM_BOARD_ENDED ? "" : "; not all steps were done");
    else
        fprintf(file, "clean: %s, %llu KiB compared\n",
                vidmm_counted(operations, "paging operation").text,
                (unsigned long long)((bytes + 1023) / 1024));
}

/* NULL: it is. */
static const char *unconfined(const struct vidmm_board *board, char *text, size_t size)
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
    if (unconfined(board, text, sizeof(text)))
        fprintf(file, "  %s\n", text);
    print_traces(board, driver, file);
}

void vidmm_check_report(const struct vidmm_board *board, const char *driver, FILE *file)
{
    char text[300];

    fprintf(file, "%s\n", driver);
    if (unconfined(board, text, sizeof(text)))
        fprintf(file, "  %s\n", text);
    for (unsigned i = 0; i < atomic_load(&board->fact_count); i++)
        fprintf(file, "  %s\n", board->facts[i]);
    print_start(board, file);
    if (vidmm_check_status(board) != 2) {
        fputs("\nsteps\n", file);
        for (unsigned i = 0; i < atomic_load(&board->step_count); i++)
            print_step(&board->steps[i], file);
    }
    for (unsigned i = 0; i < shown(atomic_load(&board->finding_count)); i++)
        print_finding(&board->findings[i], driver, file);
    if (atomic_load(&board->note_count) > 0)
        fputs("\nnotes (no fault of the driver's)\n", file);
    for (unsigned i = 0; i < shown(atomic_load(&board->note_count)); i++)
        if (atomic_load(&board->notes[i].ready))
            fprintf(file, "  %s  %s: %s\n", board->notes[i].id, board->notes[i].sentence,
                    board->notes[i].text);
    print_traces(board, driver, file);
    if (board->problem[0])
        fprintf(file, "\n%s\n", board->problem);
    print_verdict(board, file);
}

/* ---- programs ---- */

static json_t *callers_json(const struct vidmm_board_finding *finding, const char *driver)
{
    json_t *array = json_array();
    char place[512];

    for (unsigned i = 0; i < VIDMM_BOARD_CALLERS; i++)
        if (vidmm_place_of(driver, finding->callers[i], place, sizeof(place)))
            json_array_append_new(array, json_string(place));
    return array;
}

static json_t *finding_json(const struct vidmm_board_finding *finding, const char *driver)
{
    char place[512];
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:I}", "id", finding->id, "sentence", finding->sentence,
        "operation", finding->operation, "seen", finding->text, "call", finding->record, "document",
        finding->document, "count", (json_int_t)atomic_load(&finding->count));

    if (object && vidmm_place_of(driver, finding->address, place, sizeof(place)))
        json_object_set_new(object, "place", json_string(place));
    if (object && finding->callers[0] != 0)
        json_object_set_new(object, "from", callers_json(finding, driver));
    return object;
}

static json_t *traces_json(const struct vidmm_board *board, const char *driver)
{
    json_t *array = json_array();
    char place[512];

    for (unsigned i = 0; i < VIDMM_BOARD_TRACES; i++) {
        const struct vidmm_board_trace *trace = &board->traces[i];
        json_t *frames = atomic_load(&trace->ready) ? json_array() : NULL;

        for (uint32_t f = 0; frames && f < trace->count; f++) {
            const char *of = trace->frames[f].file[0] ? trace->frames[f].file : driver;

            if (vidmm_place_of(of, trace->frames[f].address, place, sizeof(place)))
                json_array_append_new(frames, json_string(place));
        }
        if (frames)
            json_array_append_new(array,
                                  json_pack("{s:s, s:o}", "thread", trace->what, "frames", frames));
    }
    return array;
}

static json_t *findings_json(const struct vidmm_board_finding *list, unsigned count,
                             const char *driver)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < shown(count); i++)
        if (atomic_load(&list[i].ready))
            json_array_append_new(array, finding_json(&list[i], driver));
    return array;
}

static json_t *steps_json(const struct vidmm_board *board)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < atomic_load(&board->step_count); i++) {
        const struct vidmm_board_step *step = &board->steps[i];

        json_array_append_new(array,
                              json_pack("{s:s, s:I, s:I, s:i, s:s}", "name", step->name,
                                        "operations", (json_int_t)step->operations,
                                        "bytes_compared", (json_int_t)step->bytes, "findings",
                                        (int)step->findings, "note", step->skipped));
    }
    return array;
}

/* The start as it went. */
static json_t *start_json(const struct vidmm_board *board)
{
    unsigned count = atomic_load(&board->start_count);
    json_t *calls, *object;

    calls = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(calls, json_pack("{s:s, s:s, s:I}", "call", board->starts[i].call,
                                               "answer", board->starts[i].answer, "times",
                                               (json_int_t)board->starts[i].times));
    object = json_pack("{s:o, s:s}", "calls", calls, "end", board->start_end);
    if (object && board->start_bug_check[0])
        json_object_set_new(object, "bug_check",
                            json_pack("{s:I, s:I}", "code", (json_int_t)board->start_bug_check[0],
                                      "parameter", (json_int_t)board->start_bug_check[1]));
    return object;
}

void vidmm_check_report_json(const struct vidmm_board *board, const char *driver, FILE *file)
{
    static const char *const verdicts[] = {"clean", "findings", "could not run"};
    json_t *facts = json_array();
    char text[300];

    if (unconfined(board, text, sizeof(text)))
        json_array_append_new(facts, json_string(text));
    for (unsigned i = 0; i < atomic_load(&board->fact_count); i++)
        json_array_append_new(facts, json_string(board->facts[i]));
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:o}", "driver", driver, "verdict",
                  verdicts[vidmm_check_status(board)], "complete",
                  (int)(atomic_load(&board->end) == VIDMM_BOARD_ENDED), "problem", board->problem,
                  "facts", facts, "steps", steps_json(board), "findings",
                  findings_json(board->findings, atomic_load(&board->finding_count), driver),
                  "notes", findings_json(board->notes, atomic_load(&board->note_count), driver),
                  "threads", traces_json(board, driver));

    if (object && atomic_load(&board->start_count) > 0)
        json_object_set_new(object, "start", start_json(board));
    if (object) {
        json_dumpf(object, file, JSON_INDENT(2));
        fputc('\n', file);
    }
    json_decref(object);
}
