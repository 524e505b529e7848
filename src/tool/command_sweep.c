/* vidmm sweep: how much memory does a recorded program need? */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "host/exit.h"
#include "tool/command.h"
#include "tool/interrupt.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/progress.h"
#include "tool/size.h"
#include "tool/sweep.h"
#include "tool/sweep_picture.h"

#define SIZE_MOST (UINT64_C(64) << 30)
#define STEPS_DEFAULT 16u
#define RATE_DEFAULT 60u
#define OPTIONS 8

struct sweep_arguments {
    bool help, json;
    uint64_t from, to, steps, rate, level;
    const char *svg;
    struct vidmm_words words;
};

static const char *const level_words[] = {"1", "2", NULL};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct sweep_arguments *a)
{
    return (struct option_table){{
        {"from", VIDMM_OPTION_SIZE, &a->from, "SIZE",
         "least memory to try; default: the least that runs", 4096, SIZE_MOST, NULL, NULL},
        {"to", VIDMM_OPTION_SIZE, &a->to, "SIZE",
         "most memory to try; default: what the program has at most, and an eighth", 4096,
         SIZE_MOST, NULL, NULL},
        {"steps", VIDMM_OPTION_NUMBER, &a->steps, "N",
         "sizes to try, the least and the most among them; default 16", 2, VIDMM_SWEEP_STEPS, NULL,
         NULL},
        {"rate", VIDMM_OPTION_NUMBER, &a->rate, "FRAMES",
         "frames that are drawn in a second, for bytes a second; default 60", 1, 1000, NULL, NULL},
        {"wddm", VIDMM_OPTION_CHOICE, &a->level, "1|2",
         "the driver's level: 1 is 1.3, where residency follows from what is rendered; 2 is\n"
         "2.0, where the program makes resident what its next submission names. Default 1",
         0, 0, level_words, NULL},
        {"svg", VIDMM_OPTION_TEXT, &a->svg, "FILE.svg", "draw the curves", 0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL, "print one JSON object, and nothing else", 0,
         0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct sweep_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm sweep FILE.vmt.gz [FILE2.vmt.gz ... at most four] [options]\n"
        "\n"
        "How much video memory does a recorded program need? Each is replayed by itself on GPUs\n"
        "of many sizes, without looking at contents: the least that runs, the size from which\n"
        "nothing is paged, and what lies between. Beside the manager's numbers stand those of two\n"
        "policies that know no places: LRU, and Belady's, which knows the future and is best.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "A size is tried once. A few more sizes are tried to find from where nothing is paged.\n"
          "The knee is the size that lies deepest under a straight line from the least to there.\n"
          "\n"
          "examples\n"
          "  vidmm sweep traces/vkcube.vmt.gz\n"
          "  vidmm sweep traces/stk_vk.vmt.gz traces/vkd3d_gears.vmt.gz --svg sweep.svg\n"
          "\n"
          "exit status: 0 done, 2 could not run, 130 interrupted (Ctrl-C): what is done by then\n"
          "is printed and drawn\n",
          file);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_point(const struct vidmm_sweep *sweep, const struct vidmm_sweep_point *point,
                        uint64_t rate)
{
    struct vidmm_size_text memory = vidmm_size_text(point->memory);
    struct vidmm_size_text speed =
        vidmm_size_text((uint64_t)vidmm_sweep_a_second(sweep, point->bytes_again, rate));
    struct vidmm_size_text again = vidmm_size_text(point->bytes_again);
    struct vidmm_size_text out = vidmm_size_text(point->bytes_out);
    struct vidmm_size_text lru = vidmm_size_text(point->lru_bytes);
    struct vidmm_size_text belady = vidmm_size_text(point->belady_bytes);

    printf("  %11s  %11s  %11s/s  %11s  %11s  %11s  %7" PRIu64 "%s\n", memory.text, again.text,
           speed.text, out.text, lru.text, belady.text, point->frames_held,
           point->memory == sweep->enough ? "  <- nothing is paged from here on"
           : point->memory == sweep->knee ? "  <- the knee"
                                          : "");
}

static void print_sweep(const struct vidmm_sweep *sweep, uint64_t rate)
{
    printf("%s: %" PRIu64 " frames, %s of local memory at most\n", sweep->app, sweep->frames,
           vidmm_size_text(sweep->peak).text);
    puts("       memory     in again   in a second            out          LRU       Belady   "
         "frames held up");
    for (uint32_t i = 0; i < sweep->count; i++)
        print_point(sweep, &sweep->points[i], rate);
}

static void print_verdict(const struct vidmm_sweep *sweep)
{
    char verdict[400];

    vidmm_sweep_verdict(sweep, verdict, sizeof(verdict));
    printf("verdict: %s: %s\n", sweep->name, verdict);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static json_t *points_array(const struct vidmm_sweep *sweep)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct vidmm_sweep_point *point = &sweep->points[i];

        json_array_append_new(array, json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "memory_bytes",
                                               (json_int_t)point->memory, "bytes_in_again",
                                               (json_int_t)point->bytes_again, "bytes_out",
                                               (json_int_t)point->bytes_out, "frames_held",
                                               (json_int_t)point->frames_held, "lru_bytes",
                                               (json_int_t)point->lru_bytes, "belady_bytes",
                                               (json_int_t)point->belady_bytes));
    }
    return array;
}

/* A size that no point says is null. */
static json_t *size_or_null(uint64_t size)
{
    return size != 0 ? json_integer((json_int_t)size) : json_null();
}

static void print_json(const struct vidmm_sweep *sweeps, uint32_t count, uint64_t rate)
{
    json_t *programs = json_array();
    json_t *object = json_pack("{s:I, s:o}", "rate", (json_int_t)rate, "programs", programs);

    for (uint32_t i = 0; i < count; i++) {
        const struct vidmm_sweep *sweep = &sweeps[i];

        json_array_append_new(
            programs,
            json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "app", sweep->app, "file",
                      sweep->name, "frames", (json_int_t)sweep->frames, "least_bytes",
                      (json_int_t)sweep->least, "peak_local_bytes", (json_int_t)sweep->peak,
                      "nothing_paged_from_bytes", size_or_null(sweep->enough), "knee_bytes",
                      size_or_null(sweep->knee), "points", points_array(sweep)));
    }
    json_dumpf(object, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(object);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int refuse(const char *why)
{
    fprintf(stderr, "vidmm sweep: %s\n", why);
    return VIDMM_COULD_NOT_RUN;
}

static bool parse(struct sweep_arguments *a, int count, char *const *arguments, char *error,
                  size_t error_size)
{
    struct option_table table = table_of(a);

    a->words.most = VIDMM_SWEEPS;
    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a->words, error, error_size))
        return false;
    if (a->help)
        return true;
    if (a->words.count == 0) {
        snprintf(error, error_size, "which trace? vidmm sweep FILE.vmt.gz (vidmm help sweep)");
        return false;
    }
    for (unsigned i = 0; i < a->words.count; i++)
        if (strcmp(a->words.word[i], "-") == 0) {
            snprintf(error, error_size,
                     "-: a trace is played many times, and standard input can be "
                     "read once; name a file");
            return false;
        }
    return vidmm_outputs_apart(&(struct vidmm_output){"svg", a->svg}, 1, a->words.word,
                               a->words.count, error, error_size);
}

static bool draw(const struct sweep_arguments *a, const struct vidmm_sweep *sweeps, uint32_t count)
{
    FILE *file = fopen(a->svg, "w");
    bool drawn = file != NULL && vidmm_sweep_draw(sweeps, count, a->rate, file);

    if (file != NULL && fclose(file) != 0)
        drawn = false;
    if (!drawn)
        fprintf(stderr, "vidmm sweep: %s: %s\n", a->svg, strerror(errno));
    else if (!a->json)
        printf("written: %s (--svg)\n", a->svg);
    return drawn;
}

/* Sweeps that have points, in order; answers the exit status. *done receives how many. */
static int sweep_all(const struct sweep_arguments *a, struct vidmm_sweep *sweeps, uint32_t *done)
{
    struct vidmm_progress progress;
    uint64_t replays = 0;
    int status = VIDMM_CLEAN;

    vidmm_progress_begin(&progress, a->words.count * (a->steps + VIDMM_SWEEP_HALVINGS));
    for (unsigned i = 0; i < a->words.count && status == VIDMM_CLEAN; i++) {
        const struct vidmm_sweep_options options = {.file = a->words.word[i],
                                                    .from = a->from,
                                                    .to = a->to,
                                                    .steps = (uint32_t)a->steps,
                                                    .wddm = a->level == 1 ? 20u : 13u};

        if (!vidmm_sweep(&options, &progress, &replays, &sweeps[i]))
            status = sweeps[i].interrupted != 0 ? 128 + sweeps[i].interrupted : VIDMM_COULD_NOT_RUN;
        replays = (i + 1) * (a->steps + VIDMM_SWEEP_HALVINGS);
        *done += sweeps[i].count != 0;
    }
    vidmm_progress_end(&progress);
    return status;
}

static int report(const struct sweep_arguments *a, const struct vidmm_sweep *sweeps, uint32_t count,
                  int status)
{
    if (a->json) {
        print_json(sweeps, count, a->rate);
    } else {
        for (uint32_t i = 0; i < count; i++)
            print_sweep(&sweeps[i], a->rate);
        for (uint32_t i = 0; i < count; i++)
            print_verdict(&sweeps[i]);
    }
    if (a->svg != NULL && count != 0 && !draw(a, sweeps, count))
        return VIDMM_COULD_NOT_RUN;
    return status;
}

static int run(int count, char *const *arguments)
{
    static struct vidmm_sweep sweeps[VIDMM_SWEEPS];
    struct sweep_arguments a = {.steps = STEPS_DEFAULT, .rate = RATE_DEFAULT};
    uint32_t done = 0;
    char error[400];

    if (!parse(&a, count, arguments, error, sizeof(error)))
        return refuse(error);
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    vidmm_interrupt_watch();
    int status = sweep_all(&a, sweeps, &done);
    if (status == VIDMM_COULD_NOT_RUN)
        for (unsigned i = 0; i < a.words.count; i++)
            if (sweeps[i].problem[0] != 0)
                return refuse(sweeps[i].problem);
    return report(&a, sweeps, done, status);
}

const struct vidmm_command vidmm_command_sweep = {
    "sweep", "find out how much video memory a recorded program needs", run, help};
