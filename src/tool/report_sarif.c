/* report_sarif.c: findings as SARIF 2.1.0, which code hosts and editors read.
 *
 * Each id is a reportingDescriptor; each finding a result at the driver's line, or at the driver's
 * file where no line is known.
 */
#include "tool/check_reports.h"

#include <jansson.h>
#include <string.h>

#include "check/finding.h"
#include "check/places.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* A path as a URI: a relative one stays relative. */
static json_t *uri_json(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./~+@";
    char uri[2000] = "";
    size_t length;

    if (path[0] == '/')
        snprintf(uri, sizeof(uri), "file://");
    for (length = strlen(uri); *path && length + 4 < sizeof(uri); path++, length = strlen(uri))
        snprintf(uri + length, sizeof(uri) - length, strchr(plain, *path) ? "%c" : "%%%02X",
                 (unsigned char)*path);
    return json_string(uri);
}

static json_t *text_json(const char *text)
{
    return json_pack("{s:s}", "text", text);
}

static json_t *descriptor_json(const char *id)
{
    struct vidmm_finding_page page;
    char help[800];
    json_t *object;

    if (!vidmm_finding_page(id, &page))
        return json_pack("{s:s}", "id", id);
    snprintf(help, sizeof(help), "Windows: %s. Change: %s", page.windows, page.advice);
    object = json_pack("{s:s, s:o, s:o, s:{s:s}}", "id", id, "shortDescription",
                       text_json(page.sentence), "help", text_json(help), "properties", "party",
                       page.party);
    if (page.address[0])
        json_object_set_new(object, "helpUri", json_string(page.address));
    return object;
}

static json_t *location_json(const struct vidmm_board_finding *finding, const char *driver)
{
    struct vidmm_place place;
    json_t *physical, *location;

    if (vidmm_place_find(driver, finding->address, &place) && place.file[0])
        physical = json_pack("{s:{s:o}, s:{s:I}}", "artifactLocation", "uri", uri_json(place.file),
                             "region", "startLine", (json_int_t)place.line);
    else
        physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_json(driver));
    location = json_pack("{s:o}", "physicalLocation", physical);
    if (finding->address && place.function[0])
        json_object_set_new(location, "logicalLocations",
                            json_pack("[{s:s, s:s}]", "name", place.function, "kind", "function"));
    return location;
}

static json_t *result_json(const struct vidmm_board *board,
                           const struct vidmm_check_subject *subject,
                           const struct vidmm_board_finding *finding, uint32_t rule, bool note)
{
    char message[1400], again[1400];

    snprintf(message, sizeof(message), "%s: %s%s%s", finding->sentence, finding->text,
             finding->operation[0] ? ", during " : "", finding->operation);
    vidmm_check_again(board, subject, finding, again, sizeof(again));
    return json_pack("{s:s, s:I, s:s, s:o, s:[o], s:{s:s, s:s, s:I}}", "ruleId", finding->id,
                     "ruleIndex", (json_int_t)rule, "level", note ? "note" : "error", "message",
                     text_json(message), "locations", location_json(finding, subject->driver),
                     "properties", "again", again, "call", finding->record, "count",
                     (json_int_t)atomic_load(&finding->count));
}

/* The place of an id among the rules, where it stands once. */
static uint32_t place_of_rule(json_t *rules, const char *id)
{
    size_t index;
    json_t *rule;

    json_array_foreach(rules, index,
                       rule) if (strcmp(json_string_value(json_object_get(rule, "id")), id) ==
                                 0) return (uint32_t)index;
    json_array_append_new(rules, descriptor_json(id));
    return (uint32_t)index;
}

static void append_list(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        bool note, json_t *rules, json_t *results)
{
    const struct vidmm_board_finding *list = note ? board->notes : board->findings, *next;
    uint32_t count =
        vidmm_board_shown(atomic_load(note ? &board->note_count : &board->finding_count));
    struct vidmm_finding_group groups[VIDMM_BOARD_FINDINGS];
    uint32_t group_count = vidmm_finding_groups(list, count, groups);

    for (uint32_t i = 0; i < group_count; i++) {
        uint32_t rule = place_of_rule(rules, groups[i].first->id);

        for (next = groups[i].first; next; next = vidmm_finding_next(&groups[i], list, count, next))
            json_array_append_new(results, result_json(board, subject, next, rule, note));
    }
}

bool vidmm_report_sarif(const struct vidmm_board *board, const struct vidmm_check_subject *subject,
                        const char *path)
{
    json_t *rules = json_array(), *results = json_array(), *root;
    int status = vidmm_check_status(board);
    bool done;

    append_list(board, subject, false, rules, results);
    append_list(board, subject, true, rules, results);
    root = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o, s:[{s:b, s:i, s:s}]}]}", "$schema",
                     SCHEMA, "version", "2.1.0", "runs", "tool", "driver", "name", "vidmm",
                     "version", VIDMM_VERSION, "rules", rules, "results", results, "invocations",
                     "executionSuccessful", status != 2, "exitCode", status, "commandLine",
                     subject->again);
    if (root && board->problem[0]) {
        json_t *run = json_array_get(json_object_get(root, "runs"), 0);
        json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);

        json_object_set_new(
            invocation, "toolExecutionNotifications",
            json_pack("[{s:s, s:o}]", "level", "error", "message", text_json(board->problem)));
    }
    done = root && json_dump_file(root, path, JSON_INDENT(2)) == 0;
    json_decref(root);
    return done;
}
