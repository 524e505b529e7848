/* vidmm trace: the content of a recorded trace. */
#include <inttypes.h>

#include <jansson.h>

#include "base/text.h"
#include "host/exit.h"
#include "tool/command.h"
#include "tool/options.h"
#include "tool/size.h"
#include "trace/heap.h"
#include "trace/trace.h"

#define TYPES (1u << VIDMM_TRACE_TYPES)

static void help(FILE *file)
{
    fputs(
        "vidmm trace FILE.vmt.gz [--json]\n"
        "\n"
        "Check a recorded trace against every rule of its format (traces/format.md), and list its\n"
        "contents: how much memory the program had, of which kinds, and how much of it one\n"
        "submission needs at once, which is the least that can run it. --json prints one JSON\n"
        "object, sizes in bytes, and nothing else.\n"
        "\n"
        "example\n"
        "  vidmm trace traces/vkcube.vmt.gz\n"
        "\n"
        "exit status: 0 the trace is sound, 2 it is not, or cannot be read\n",
        file);
}

static void print_headers(const struct vidmm_trace *trace)
{
    for (uint32_t i = 0; i < trace->header_count; i++)
        printf("%-20s %s\n", trace->headers[i].key, trace->headers[i].value);
}

static void print_statistics(const struct vidmm_trace *trace)
{
    struct vidmm_trace_statistics s;

    vidmm_trace_measure(trace, &s);
    struct vidmm_size_text live = vidmm_size_text(s.peak_live_bytes);
    struct vidmm_size_text local = vidmm_size_text(s.peak_local_bytes);
    struct vidmm_size_text written = vidmm_size_text(s.written_bytes);
    struct vidmm_size_text largest = vidmm_size_text(s.largest_submission_bytes);

    printf("\nframes               %" PRIu64 "%s in %.1f s\n", s.frames,
           trace->presents ? "" : " (no presents: each submission is one)",
           (double)s.duration_us / 1e6);
    printf("submissions          %" PRIu64 ", with %s\n", s.submissions,
           vidmm_counted(s.references, "reference").text);
    printf("allocations          %" PRIu64 ", %" PRIu64 " of them freed\n", s.allocations, s.frees);
    printf("live at most         %s; local %s\n", live.text, local.text);
    printf("CPU writes           %" PRIu64 ", %s; %s, %s\n", s.writes, written.text,
           vidmm_counted(s.maps, "map").text, vidmm_counted(s.unmaps, "unmap").text);
    printf("largest submission   %s (%" PRIu64 " bytes): number %" PRIu32 ", line %" PRIu32
           ", frame %" PRIu32 "\n",
           largest.text, s.largest_submission_bytes, s.largest_submission,
           s.largest_submission_line, s.largest_submission_frame);
    if (trace->skipped != 0)
        printf("skipped              %s of unknown kinds\n",
               vidmm_counted(trace->skipped, "event").text);
}

static void print_type(uint32_t types, uint64_t count, uint64_t bytes)
{
    struct vidmm_size_text size = vidmm_size_text(bytes);
    const char *comma = "";

    printf("  %8" PRIu64 "  %12s  ", count, size.text);
    for (uint32_t bit = 0; bit < VIDMM_TRACE_TYPES; bit++) {
        if ((types >> bit & 1) == 0)
            continue;
        printf("%s%s", comma, vidmm_trace_type_name(bit));
        comma = ",";
    }
    puts(types == 0 ? "none" : "");
}

/* Allocations by the set of their types: a row a set. */
struct of_types {
    uint64_t count, bytes;
};

static void add_up(const struct vidmm_trace *trace, struct of_types of[TYPES])
{
    for (uint32_t i = 0; i < trace->allocation_count; i++) {
        of[trace->allocations[i].types % TYPES].count++;
        of[trace->allocations[i].types % TYPES].bytes += trace->allocations[i].size;
    }
}

static void print_types(const struct vidmm_trace *trace)
{
    struct of_types of[TYPES] = {{0}};

    add_up(trace, of);
    puts("\nallocations          bytes  types");
    for (uint32_t types = 0; types < TYPES; types++)
        if (of[types].count != 0)
            print_type(types, of[types].count, of[types].bytes);
}

/* ---- telling a program ----------------------------------------------------------------------- */

static json_t *statistics_object(const struct vidmm_trace *trace)
{
    struct vidmm_trace_statistics s;
    json_t *object = json_object();

    vidmm_trace_measure(trace, &s);
    const struct {
        const char *key;
        uint64_t number;
    } rows[] = {
        {"frames", s.frames},
        {"duration_us", s.duration_us},
        {"submissions", s.submissions},
        {"references", s.references},
        {"allocations", s.allocations},
        {"frees", s.frees},
        {"peak_live_bytes", s.peak_live_bytes},
        {"peak_local_bytes", s.peak_local_bytes},
        {"writes", s.writes},
        {"written_bytes", s.written_bytes},
        {"maps", s.maps},
        {"unmaps", s.unmaps},
        {"largest_submission_bytes", s.largest_submission_bytes},
        {"largest_submission", s.largest_submission},
        {"largest_submission_line", s.largest_submission_line},
        {"largest_submission_frame", s.largest_submission_frame},
        {"skipped_events", trace->skipped},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        json_object_set_new(object, rows[i].key, json_integer((json_int_t)rows[i].number));
    json_object_set_new(object, "has_presents", json_boolean(trace->presents));
    return object;
}

static json_t *types_array(const struct vidmm_trace *trace)
{
    struct of_types of[TYPES] = {{0}};
    json_t *array = json_array();

    add_up(trace, of);
    for (uint32_t types = 0; types < TYPES; types++) {
        json_t *names = json_array();
        for (uint32_t bit = 0; bit < VIDMM_TRACE_TYPES; bit++)
            if ((types >> bit & 1) != 0)
                json_array_append_new(names, json_string(vidmm_trace_type_name(bit)));
        json_t *row = json_pack("{s:o, s:I, s:I}", "types", names, "allocations",
                                (json_int_t)of[types].count, "bytes", (json_int_t)of[types].bytes);
        if (of[types].count != 0)
            json_array_append(array, row);
        json_decref(row);
    }
    return array;
}

static void print_json(const struct vidmm_trace *trace)
{
    json_t *object = statistics_object(trace), *headers = json_object();

    for (uint32_t i = 0; i < trace->header_count; i++)
        json_object_set_new(headers, trace->headers[i].key, json_string(trace->headers[i].value));
    json_object_set_new(object, "headers", headers);
    json_object_set_new(object, "types", types_array(trace));
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
}

static int run(int count, char *const *arguments)
{
    struct vidmm_trace_error error = {""};
    struct vidmm_words words = {.most = 1};
    bool wants_help = false, json = false;
    const struct vidmm_option options[] = {
        {"json", VIDMM_OPTION_SWITCH, &json, NULL, "print one JSON object", 0, 0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &wants_help, NULL, "print this", 0, 0, NULL, NULL}};

    if (!vidmm_options_parse(options, 2, count, arguments, &words, error.text,
                             sizeof(error.text))) {
        fprintf(stderr, "vidmm trace: %s\n", error.text);
        return VIDMM_COULD_NOT_RUN;
    }
    if (wants_help || words.count == 0) {
        help(wants_help ? stdout : stderr);
        return wants_help ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
    }
    struct vidmm_trace *trace = vidmm_trace_read(&vidmm_heap, words.word[0], &error);
    if (trace == NULL) {
        fprintf(stderr, "vidmm trace: %s\n", error.text);
        return VIDMM_COULD_NOT_RUN;
    }
    if (json) {
        print_json(trace);
    } else {
        print_headers(trace);
        print_statistics(trace);
        print_types(trace);
    }
    vidmm_trace_destroy(trace);
    return VIDMM_CLEAN;
}

const struct vidmm_command vidmm_command_trace = {
    "trace", "check a recorded trace, and say what is in it", run, help};
