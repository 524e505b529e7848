/* report_json.c: the results, for programs. */
#include "check/check.h"

#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "check/board.h"
#include "check/finding.h"
#include "check/places.h"

static void put(json_t *object, const char *name, const char *text)
{
    json_object_set_new(object, name, json_string(text));
}

/* ---- places ---------------------------------------------------------------------------------- */

/* A place in one text, and taken apart. */
static void put_place(json_t *object, const char *driver, uint64_t address)
{
    struct vidmm_place place;
    char text[900];

    if (!vidmm_place_of(driver, address, text, sizeof(text)) ||
        !vidmm_place_find(driver, address, &place))
        return;
    put(object, "place", text);
    if (place.file[0]) {
        put(object, "file", place.file);
        json_object_set_new(object, "line", json_integer(place.line));
    }
    if (place.function[0])
        put(object, "function", place.function);
}

static json_t *callers_json(const struct vidmm_board_finding *finding, const char *driver)
{
    json_t *array = json_array();
    char place[900];

    for (unsigned i = 0; i < VIDMM_BOARD_CALLERS; i++)
        if (vidmm_place_of(driver, finding->callers[i], place, sizeof(place)))
            json_array_append_new(array, json_string(place));
    return array;
}

static json_t *frames_json(const struct vidmm_board_trace *trace, const char *driver)
{
    json_t *frames = json_array();
    char place[900];

    for (uint32_t f = 0; f < trace->count; f++) {
        const char *of = trace->frames[f].file[0] ? trace->frames[f].file : driver;

        if (vidmm_place_of(of, trace->frames[f].address, place, sizeof(place)))
            json_array_append_new(frames, json_string(place));
    }
    return frames;
}

static json_t *traces_json(const struct vidmm_board *board, const char *driver)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < VIDMM_BOARD_TRACES; i++) {
        const struct vidmm_board_trace *trace = &board->traces[i];

        if (atomic_load(&trace->ready))
            json_array_append_new(array, json_pack("{s:s, s:o}", "thread", trace->what, "frames",
                                                   frames_json(trace, driver)));
    }
    return array;
}

/* ---- findings -------------------------------------------------------------------------------- */

static json_t *members_json(const struct vidmm_board_finding *finding)
{
    json_t *array = json_array();

    for (const char *at = finding->record; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " "), name = strcspn(at, "=");

        if (name < length && vidmm_finding_names(finding, at, name))
            json_array_append_new(array, json_stringn(at, length));
        at += length;
    }
    return array;
}

static const char *step_name(const struct vidmm_board *board, uint32_t step)
{
    return step >= 1 && step <= atomic_load(&board->step_count) ? board->steps[step - 1].name : "";
}

/* One observation. */
static void put_seen(json_t *object, const struct vidmm_board *board,
                     const struct vidmm_board_finding *finding, const char *driver)
{
    put(object, "step", step_name(board, finding->step));
    put(object, "operation", finding->operation);
    put(object, "seen", finding->text);
    put(object, "call", finding->record);
    put(object, "before", finding->before);
    json_object_set_new(object, "members", members_json(finding));
    json_object_set_new(object, "count", json_integer(atomic_load(&finding->count)));
    put_place(object, driver, finding->address);
    if (finding->callers[0] != 0)
        json_object_set_new(object, "from", callers_json(finding, driver));
}

static json_t *rules_json(const struct vidmm_finding_page *page)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < page->rule_count; i++) {
        struct vidmm_text text;
        char id[16];

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, page->rule[i]);
        json_array_append_new(array, json_pack("{s:s, s:s}", "id", id, "sentence",
                                               vidmm_rule(page->rule[i])->sentence));
    }
    return array;
}

static void put_page(json_t *object, const struct vidmm_board_finding *finding)
{
    struct vidmm_finding_page page;

    put(object, "id", finding->id);
    put(object, "sentence", finding->sentence);
    put(object, "document", finding->document);
    if (!vidmm_finding_page(finding->id, &page))
        return;
    put(object, "party", page.party);
    json_object_set_new(object, "rules", rules_json(&page));
    put(object, "address", page.address);
    put(object, "windows", page.windows);
    put(object, "change", page.advice);
}

static json_t *group_json(const struct vidmm_board *board,
                          const struct vidmm_check_subject *subject,
                          const struct vidmm_board_finding *list, uint32_t count,
                          const struct vidmm_finding_group *group)
{
    json_t *object = json_object(), *steps = json_array(), *also = json_array();
    const struct vidmm_board_finding *next = group->first;
    char again[1400];

    put_page(object, group->first);
    put_seen(object, board, group->first, subject->driver);
    json_object_set_new(object, "count", json_integer(group->count));
    for (uint32_t i = 0; i < VIDMM_BOARD_STEPS; i++)
        if ((group->steps >> i & 1) != 0)
            json_array_append_new(steps, json_string(board->steps[i].name));
    json_object_set_new(object, "steps", steps);
    while ((next = vidmm_finding_next(group, list, count, next)) != NULL) {
        json_t *seen = json_object();

        put_seen(seen, board, next, subject->driver);
        json_array_append_new(also, seen);
    }
    json_object_set_new(object, "also", also);
    vidmm_check_again(board, subject, group->first, again, sizeof(again));
    put(object, "again", again);
    return object;
}

static json_t *findings_json(const struct vidmm_board *board,
                             const struct vidmm_check_subject *subject,
                             const struct vidmm_board_finding *list, uint32_t count)
{
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];
    uint32_t group_count = vidmm_finding_groups(list, vidmm_board_shown(count), groups);
    json_t *array = json_array();

    for (uint32_t i = 0; i < group_count; i++) {
        json_t *object = group_json(board, subject, list, vidmm_board_shown(count), &groups[i]);

        if (groups[i].cause >= 0)
            put(object, "follows", groups[groups[i].cause].first->id);
        json_array_append_new(array, object);
    }
    return array;
}

/* ---- the rest -------------------------------------------------------------------------------- */

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

void vidmm_check_report_json(const struct vidmm_board *board,
                             const struct vidmm_check_subject *subject, FILE *file)
{
    static const char *const verdicts[] = {"clean", "findings", "could not run"};
    json_t *facts = json_array();
    char text[300];

    if (vidmm_check_unconfined(board, text, sizeof(text)))
        json_array_append_new(facts, json_string(text));
    for (unsigned i = 0; i < atomic_load(&board->fact_count); i++)
        json_array_append_new(facts, json_string(board->facts[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:o}", "driver", subject->driver, "verdict",
        verdicts[vidmm_check_status(board)], "complete",
        (int)(atomic_load(&board->end) == VIDMM_BOARD_ENDED), "problem", board->problem, "facts",
        facts, "steps", steps_json(board), "findings",
        findings_json(board, subject, board->findings, atomic_load(&board->finding_count)), "notes",
        findings_json(board, subject, board->notes, atomic_load(&board->note_count)), "threads",
        traces_json(board, subject->driver));

    if (object && atomic_load(&board->start_count) > 0)
        json_object_set_new(object, "start", start_json(board));
    if (object) {
        json_dumpf(object, file, JSON_INDENT(2));
        fputc('\n', file);
    }
    json_decref(object);
}
