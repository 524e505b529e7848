/* vidmm compare: two runs side by side. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "host/exit.h"
#include "tool/command.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/size.h"

#define OPTIONS 2
#define RUNS 2u

/* The numbers of `vidmm replay --json` that are compared; less is better in most. */
enum unit { BYTES, COUNT, SECONDS };
static const struct row {
    const char *key, *name;
    enum unit unit;
    bool drawn;
} rows[] = {
    {"frames", "frames", COUNT, false},
    {"memory_bytes", "memory of the GPU", BYTES, false},
    {"peak_local_bytes", "wanted of it at most", BYTES, false},
    {"bytes_in", "paged in", BYTES, true},
    {"bytes_in_again", "of it again", BYTES, true},
    {"bytes_out", "paged out", BYTES, true},
    {"bytes_filled", "filled", BYTES, true},
    {"page_ins", "page-ins", COUNT, true},
    {"evictions", "evictions", COUNT, true},
    {"frames_held", "frames held up", COUNT, true},
    {"paging_operations", "paging operations", COUNT, true},
    {"paging_buffers", "paging buffers", COUNT, true},
    {"content_mismatches", "content mismatches", COUNT, false},
    {"violations", "violations", COUNT, false},
    {"wall_s", "seconds", SECONDS, false},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct compare_arguments {
    bool help;
    const char *svg;
    struct vidmm_words words;
};

struct run {
    const char *file;
    char app[160];
    double value[ROWS];
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct compare_arguments *a)
{
    return (struct option_table){{
        {"svg", VIDMM_OPTION_TEXT, &a->svg, "FILE.svg", "draw both, a pair of bars a number", 0, 0,
         NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct compare_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm compare A.json B.json [--svg FILE.svg]\n"
        "\n"
        "Put two runs side by side: bytes paged, evictions, frames held up. A and B are what\n"
        "`vidmm replay --json` printed, of one program with two sizes of memory, two settings, or\n"
        "two versions of the manager.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm compare a.json b.json --svg both.svg\n"
          "\n"
          "exit status: 0 done, whatever differs; 2 could not run\n",
          file);
}

static int refuse(const char *why)
{
    fprintf(stderr, "vidmm compare: %s\n", why);
    return VIDMM_COULD_NOT_RUN;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_run(const char *file, struct run *run, char *error, size_t error_size)
{
    json_error_t why;
    json_t *object = json_load_file(file, 0, &why);
    bool right = true;

    run->file = file;
    if (object == NULL && why.line <= 0)
        snprintf(error, error_size, "%s: %s", file, strerror(errno));
    else if (object == NULL)
        snprintf(error, error_size, "%s:%d: %s", file, why.line, why.text);
    if (object == NULL)
        return false;
    const char *app = json_string_value(json_object_get(object, "app"));
    snprintf(run->app, sizeof(run->app), "%s", app != NULL ? app : "?");
    for (size_t i = 0; i < ROWS && right; i++) {
        const json_t *number = json_object_get(object, rows[i].key);

        right = json_is_number(number);
        run->value[i] = json_number_value(number);
        if (!right)
            snprintf(error, error_size,
                     "%s: it has no number \"%s\"; expected what vidmm replay --json prints", file,
                     rows[i].key);
    }
    json_decref(object);
    return right;
}

/* ---- printing -------------------------------------------------------------------------------- */

struct text {
    char text[32];
};

static struct text value_text(const struct row *row, double value)
{
    struct text text;

    if (row->unit == BYTES)
        snprintf(text.text, sizeof(text.text), "%s", vidmm_size_text((uint64_t)value).text);
    else if (row->unit == SECONDS)
        snprintf(text.text, sizeof(text.text), "%.2f", value);
    else
        snprintf(text.text, sizeof(text.text), "%.0f", value);
    return text;
}

static struct text change_text(double from, double to)
{
    struct text text = {"same"};

    if (from == 0 && to != 0)
        snprintf(text.text, sizeof(text.text), "from none");
    else if (from != to)
        snprintf(text.text, sizeof(text.text), "%+.1f %%", (to - from) / from * 100);
    return text;
}

static void print(const struct run run[RUNS])
{
    printf("A  %s: %s\nB  %s: %s\n\n%-22s  %14s  %14s  %10s\n", run[0].file, run[0].app,
           run[1].file, run[1].app, "", "A", "B", "change");
    for (size_t i = 0; i < ROWS; i++)
        printf("%-22s  %14s  %14s  %10s\n", rows[i].name,
               value_text(&rows[i], run[0].value[i]).text,
               value_text(&rows[i], run[1].value[i]).text,
               change_text(run[0].value[i], run[1].value[i]).text);
    if (strcmp(run[0].app, run[1].app) != 0)
        puts("note: these are runs of two programs");
}

/* ---- drawing --------------------------------------------------------------------------------- */

#define WIDTH 860
#define LEFT 190
#define BAR_MOST 480.0
#define PAIR 46
#define TOP 84

static void put_escaped(const char *text, FILE *file)
{
    for (; *text != 0; text++)
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

static void draw_pair(const struct run run[RUNS], size_t row, int y, FILE *file)
{
    double most = fmax(run[0].value[row], run[1].value[row]);

    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT - 10, y + 23,
            rows[row].name);
    for (unsigned i = 0; i < RUNS; i++) {
        double width = most > 0 ? run[i].value[row] / most * BAR_MOST : 0;
        int top = y + (int)i * 17;

        fprintf(file,
                "<rect class=\"%c\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"15\"/>\n"
                "<text x=\"%.1f\" y=\"%d\">%s%s%s</text>\n",
                i == 0 ? 'a' : 'b', LEFT, top + 2, width < 1 ? 1 : width, LEFT + width + 6,
                top + 14, value_text(&rows[row], run[i].value[row]).text, i == 0 ? "" : "  ",
                i == 0 ? "" : change_text(run[0].value[row], run[1].value[row]).text);
    }
}

static bool draw(const struct run run[RUNS], const char *path)
{
    FILE *file = fopen(path, "w");
    int y = TOP, count = 0;

    if (file == NULL)
        return false;
    for (size_t i = 0; i < ROWS; i++)
        count += rows[i].drawn;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.back { fill: #fff } text { fill: #222 } .a { fill: #2b6cb0 } .b { fill: "
            "#c05621 }\n"
            "@media (prefers-color-scheme: dark) { .back { fill: #14171a } text { fill: #ddd } "
            ".a { fill: #63b3ed } .b { fill: #f6ad55 } }</style>\n"
            "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n",
            WIDTH, TOP + count * PAIR, WIDTH, TOP + count * PAIR);
    for (unsigned i = 0; i < RUNS; i++) {
        fprintf(file,
                "<rect class=\"%c\" x=\"20\" y=\"%u\" width=\"15\" height=\"15\"/><text x=\"44\" "
                "y=\"%u\">%c: ",
                "ab"[i], 18 + i * 24, 30 + i * 24, "AB"[i]);
        put_escaped(run[i].file, file);
        fputs(", ", file);
        put_escaped(run[i].app, file);
        fprintf(file, ", %s of memory</text>\n", value_text(&rows[1], run[i].value[1]).text);
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (!rows[i].drawn)
            continue;
        draw_pair(run, i, y, file);
        y += PAIR;
    }
    fputs("</svg>\n", file);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_command(int count, char *const *arguments)
{
    struct compare_arguments a = {.words.most = RUNS};
    struct option_table table = table_of(&a);
    struct run run[RUNS];
    char error[400];

    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a.words, error,
                             sizeof(error)))
        return refuse(error);
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    if (a.words.count != RUNS)
        return refuse("expected two files: vidmm compare A.json B.json (vidmm help compare)");
    if (!vidmm_outputs_apart(&(struct vidmm_output){"svg", a.svg}, 1, a.words.word, RUNS, error,
                             sizeof(error)))
        return refuse(error);
    for (unsigned i = 0; i < RUNS; i++)
        if (!read_run(a.words.word[i], &run[i], error, sizeof(error)))
            return refuse(error);
    print(run);
    if (a.svg == NULL)
        return VIDMM_CLEAN;
    if (!draw(run, a.svg)) {
        snprintf(error, sizeof(error), "%s: %s", a.svg, strerror(errno));
        return refuse(error);
    }
    printf("written: %s (--svg)\n", a.svg);
    return VIDMM_CLEAN;
}

const struct vidmm_command vidmm_command_compare = {"compare", "put two runs side by side",
                                                    run_command, help};
