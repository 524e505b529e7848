/* vidmm replay: recorded programs on a software GPU. */
#include <stdlib.h>
#include <string.h>

#include "host/exit.h"
#include "host/posix_file.h"
#include "softgpu/driver.h"
#include "tool/command.h"
#include "tool/interrupt.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/replay_miniport.h"
#include "tool/run.h"
#include "tool/summary.h"

#define CONFIG_MOST 65536u /* bytes of a configuration file */
#define SIZE_MOST (UINT64_C(64) << 30)
#define LEVEL_1 13u /* 1.3, times ten */
#define LEVEL_2 20u
#define SIZE_DEFAULT (UINT64_C(256) << 20) /* as in the configuration by default */

static const char *const execute_words[] = {"full", "none", NULL};
static const char *const habit_words[] = {"queued", "immediate", NULL};
static const char *const mmu_words[] = {"none", "gpu", "io", NULL};
static const char *const level_words[] = {"1", "2", NULL};
static const char *const save_words[] = {"none", "memory", "aperture", NULL};
static const enum softgpu_mmu_kind mmu_kinds[] = {SOFTGPU_MMU_NONE, SOFTGPU_MMU_GPU,
                                                  SOFTGPU_MMU_IO};
enum { EXECUTE_FULL, EXECUTE_NONE };

/* The command line's words. */
struct replay_arguments {
    bool help, json;
    bool memory_given, aperture_given, execute_given, habit_given, save_given, level_given,
        mmu_given;
    uint64_t memory, aperture, execute, habit, save, level, mmu, links;
    const char *config;
    struct vidmm_run_options run;
    struct vidmm_words words;
};

static const char level_help[] =
    "the driver's level: 1 is 1.3, where residency follows from what is rendered; 2\n"
    "is 2.0, where the program makes resident what its next submission names, and\n"
    "evicts what it has not used for longest. Default 1; --config has all levels";
static const char mmu_hint[] = "none|gpu|io";
static const char mmu_help[] =
    "with --wddm 2: whether the GPU has page tables (gpu), or uses the CPU's (io).\n"
    "Commands name addresses then. Page tables of the GPU's take memory as well; by the\n"
    "CPU's it reaches system memory alone, as much as --aperture says. Default none";
static const char halve_help[] =
    "with --wddm 2: in the middle of each trace, halve the budget of its program, which\n"
    "then trims";
static const char seed_help[] =
    "the order of engines, interrupts and programs: each number is one.\n"
    "0, the default, is the fastest";
static const char contiguous_help[] =
    "with --mmu gpu: each allocation lies in one range of its segment, as a GPU without\n"
    "page tables needs it; by default in runs of pages, which nothing but their number\n"
    "can keep out of memory";
static const char cut_help[] =
    "cut each submission into commands of N allocations: a submission that\n"
    "does not fit at once may then run in parts. 0, the default: no cuts";
static const char links_help[] =
    "number of linked GPUs that act as one: each has its own memory and runs\n"
    "every submission, with --mmu gpu those of some queues; default 1";
static const char caches_help[] =
    "a machine whose caches the GPU does not see: cached allocations must be\n"
    "flushed when content changes hands, or wrong bytes are found";

#define OPTIONS 23
struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct replay_arguments *a)
{
    return (struct option_table){{
        {"memory", VIDMM_OPTION_SIZE, &a->memory, "SIZE",
         "size of the GPU's memory segment, in bytes or with K, M, G; default 256M", 4096,
         SIZE_MOST, NULL, &a->memory_given},
        {"aperture", VIDMM_OPTION_SIZE, &a->aperture, "SIZE",
         "size of the aperture segment; default 256M", 4096, SIZE_MOST, NULL, &a->aperture_given},
        {"spill", VIDMM_OPTION_SWITCH, &a->run.spill, NULL,
         "when memory is full, let allocations that the program wants in the GPU's\n"
         "memory live in the aperture",
         0, 0, NULL, NULL},
        {"execute", VIDMM_OPTION_CHOICE, &a->execute, "full|none",
         "whether the GPU checks and writes contents; default full. Paging is always\ndone", 0, 0,
         execute_words, &a->execute_given},
        {"habit", VIDMM_OPTION_CHOICE, &a->habit, "queued|immediate",
         "how the driver pages: by commands that complete later, or at once; default\nqueued", 0, 0,
         habit_words, &a->habit_given},
        {"context-save", VIDMM_OPTION_CHOICE, &a->save, "none|memory|aperture",
         "where the GPU saves its contexts: 64K for each, and 8K for each program;\ndefault none",
         0, 0, save_words, &a->save_given},
        {"wddm", VIDMM_OPTION_CHOICE, &a->level, "1|2", level_help, 0, 0, level_words,
         &a->level_given},
        {"mmu", VIDMM_OPTION_CHOICE, &a->mmu, mmu_hint, mmu_help, 0, 0, mmu_words, &a->mmu_given},
        {"halve-budget", VIDMM_OPTION_SWITCH, &a->run.halve_budget, NULL, halve_help, 0, 0, NULL,
         NULL},
        {"contiguous", VIDMM_OPTION_SWITCH, &a->run.contiguous, NULL, contiguous_help, 0, 0, NULL,
         NULL},
        {"seed", VIDMM_OPTION_NUMBER, &a->run.seed, "N", seed_help, 0, INT64_MAX, NULL, NULL},
        {"threads", VIDMM_OPTION_SWITCH, &a->run.threads, NULL,
         "run everything in threads at the same time, not one step after the other", 0, 0, NULL,
         NULL},
        {"evict-through-aperture", VIDMM_OPTION_SWITCH, &a->run.evict_through_aperture, NULL,
         "map evicted allocations into the aperture first", 0, 0, NULL, NULL},
        {"caches-apart", VIDMM_OPTION_SWITCH, &a->run.caches_apart, NULL, caches_help, 0, 0, NULL,
         NULL},
        {"links", VIDMM_OPTION_NUMBER, &a->links, "N", links_help, 1, SOFTGPU_LINKS, NULL, NULL},
        {"strict", VIDMM_OPTION_SWITCH, &a->run.strict, NULL,
         "refuse everything that breaks a rule of the contract, not only what\nWindows refuses", 0,
         0, NULL, NULL},
        {"cut", VIDMM_OPTION_NUMBER, &a->run.command_uses, "N", cut_help, 0, 65536, NULL, NULL},
        {"config", VIDMM_OPTION_TEXT, &a->config, "FILE",
         "the software GPU's configuration (docs/softgpu.md); the options\n"
         "above override it",
         0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL, "print one JSON object, and nothing else", 0,
         0, NULL, NULL},
        {"timeline", VIDMM_OPTION_TEXT, &a->run.timeline, "FILE.svg",
         "draw which allocation was where in the segments, frame by frame", 0, 0, NULL, NULL},
        {"events", VIDMM_OPTION_TEXT, &a->run.events, "FILE.json",
         "record what the engines did, for ui.perfetto.dev", 0, 0, NULL, NULL},
        {"ddi-log", VIDMM_OPTION_TEXT, &a->run.ddi_log, "FILE",
         "write every call between manager and driver, decoded", 0, 0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct replay_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm replay FILE.vmt.gz [FILE2.vmt.gz] [options]\n"
        "\n"
        "Play what a real program did with GPU memory (traces/) on a software GPU, under the\n"
        "video memory manager and through the real driver interface. Every page of every\n"
        "allocation has known contents: a lost, stale or misplaced page is found when the GPU or\n"
        "the CPU touches it next. Every call is held against the contract of the interface.\n"
        "\n"
        "Allocations that the program asked for as `local` may live only in the GPU's memory\n"
        "segment, so a GPU with less memory than the program wants must page. Other allocations\n"
        "live in the aperture. Two files are two programs on one GPU.\n"
        "\n"
        "The lists of a DMA buffer have 1,024 elements, or as many as the longest submission\n"
        "needs, up to 65,536; one that names more than 1,024 allocations is several commands.\n"
        "Lists that --config sets are taken as they are: a longer list is refused.\n"
        "\n"
        "The file - is standard input; as the file of an option it is standard output, and the\n"
        "report then goes to standard error. No file is written over that is read.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n", file);
    vidmm_replay_miniport_help(file);
    fputs("\n"
          "examples\n"
          "  vidmm replay traces/openarena.vmt.gz --memory 240M --timeline openarena.svg\n"
          "  vidmm replay traces/openarena.vmt.gz traces/extremetuxracer.vmt.gz --memory 260M\n"
          "  vidmm replay traces/vkcube.vmt.gz --seed 7 --habit immediate --json\n"
          "\n"
          "exit status: 0 clean, 1 a content mismatch or a violation of the contract, 2 could not\n"
          "run (a bad file or option), 3 out of memory (a submission needs more than the GPU has,\n"
          "or the run more than this machine has), 130 interrupted (Ctrl-C): the report, pictures\n"
          "and records cover the part that was played\n",
          file);
}

/* ---- the configuration ----------------------------------------------------------------------- */

static bool read_config(const char *path, struct softgpu_config *config, char *error,
                        size_t error_size)
{
    char why[200] = "";
    size_t size;
    char *text = vidmm_file_read(path, CONFIG_MOST, &size, error, error_size);

    if (text == NULL)
        return false;
    bool right = strlen(text) == size && softgpu_config_parse(text, config, why, sizeof(why));
    if (!right)
        snprintf(error, error_size, "%s: %s", path,
                 why[0] != 0 ? why : "a byte of 0 in it; a configuration is text");
    free(text);
    return right;
}

static bool set_size(struct softgpu_config *config, enum softgpu_segment_kind kind, uint64_t size,
                     const char *option, char *error, size_t error_size)
{
    uint32_t id = softgpu_config_segment(config, kind);

    if (id == 0) {
        snprintf(error, error_size, "--%s: the configuration has no such segment", option);
        return false;
    }
    config->segments[id - 1].size = size;
    if (config->segments[id - 1].commit_limit > size)
        config->segments[id - 1].commit_limit = size;
    return true;
}

/* Default, then the file, then the options. */
static bool configure(struct replay_arguments *a, char *error, size_t error_size)
{
    struct softgpu_config *config = &a->run.config;
    char why[200];

    *config = softgpu_config_default();
    if (a->config != NULL && !read_config(a->config, config, error, error_size))
        return false;
    if (a->memory_given &&
        !set_size(config, SOFTGPU_SEGMENT_MEMORY, a->memory, "memory", error, error_size))
        return false;
    if (a->aperture_given &&
        !set_size(config, SOFTGPU_SEGMENT_APERTURE, a->aperture, "aperture", error, error_size))
        return false;
    if (a->execute_given)
        config->execute = a->execute == EXECUTE_FULL;
    if (a->habit_given)
        config->habit = a->habit == 0 ? SOFTGPU_QUEUED : SOFTGPU_IMMEDIATE;
    if (a->save_given)
        config->context_save = (enum softgpu_save)a->save;
    if (a->level_given)
        config->wddm = a->level == 0 ? LEVEL_1 : LEVEL_2;
    if (a->mmu_given)
        config->mmu.kind = mmu_kinds[a->mmu];
    if (softgpu_config_check(config, why, sizeof(why)))
        return true;
    snprintf(error, error_size, "the configuration: %s", why);
    return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

#define OUTPUTS 3
struct output_table {
    struct vidmm_output output[OUTPUTS];
};

static struct output_table outputs_of(const struct vidmm_run_options *run)
{
    return (struct output_table){
        {{"timeline", run->timeline}, {"events", run->events}, {"ddi-log", run->ddi_log}}};
}

static bool is_standard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* The options whose file is standard output. */
static unsigned standard_outputs(const struct vidmm_run_options *run)
{
    const struct output_table table = outputs_of(run);
    unsigned count = 0;

    for (unsigned i = 0; i < OUTPUTS; i++)
        count += is_standard(table.output[i].path);
    return count;
}

/* Nothing is written over that is read, or that is written by another option. */
static bool check_files(const struct replay_arguments *a, char *error, size_t error_size)
{
    const struct output_table table = outputs_of(&a->run);
    const char *const inputs[] = {a->run.files[0], a->run.files[1], a->config};

    if (is_standard(a->run.files[0]) && is_standard(a->run.files[1])) {
        snprintf(error, error_size, "- and -: standard input can be read once; name a file");
        return false;
    }
    if (standard_outputs(&a->run) + a->json > 1) {
        snprintf(error, error_size,
                 "-: only one of --timeline, --events, --ddi-log and --json can have standard "
                 "output");
        return false;
    }
    return vidmm_outputs_apart(table.output, OUTPUTS, inputs, 3, error, error_size);
}

/* Refuse what is not there yet from WDDM 2.0 on, or for a GPU with page tables. */
static bool check_new(const struct replay_arguments *a, char *error, size_t error_size)
{
    bool is_new = a->run.config.wddm >= LEVEL_2, io = a->run.config.mmu.kind == SOFTGPU_MMU_IO;
    const char *why = NULL;

    if (!is_new && a->run.halve_budget)
        why = "--halve-budget: only with --wddm 2: there are no budgets before";
    else if (a->run.contiguous && a->run.config.mmu.kind != SOFTGPU_MMU_GPU)
        why = "--contiguous: only with --mmu gpu: other GPUs find every allocation in one range";
    else if (io && a->links > 1)
        why = "--links: not with --mmu io yet: the manager refuses such a link";
    if (why != NULL)
        snprintf(error, error_size, "%s", why);
    return why == NULL;
}

/* Name the files that were written. */
static void name_files(const struct vidmm_run_options *run, FILE *file)
{
    const struct output_table table = outputs_of(run);

    for (unsigned i = 0; i < OUTPUTS; i++)
        if (table.output[i].path != NULL && !is_standard(table.output[i].path))
            fprintf(file, "written: %s (--%s)\n", table.output[i].path, table.output[i].option);
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool parse(struct replay_arguments *a, int count, char *const *arguments, char *error,
                  size_t error_size)
{
    struct option_table table = table_of(a);

    a->words.most = VIDMM_RUN_PROGRAMS;
    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a->words, error, error_size))
        return false;
    if (a->help)
        return true;
    if (a->words.count == 0) {
        snprintf(error, error_size, "which trace? vidmm replay FILE.vmt.gz (vidmm help replay)");
        return false;
    }
    a->run.links = (uint32_t)a->links;
    a->run.file_count = a->words.count;
    for (unsigned i = 0; i < a->words.count; i++)
        a->run.files[i] = a->words.word[i];
    return check_files(a, error, error_size) && configure(a, error, error_size) &&
           check_new(a, error, error_size);
}

static int report(const struct vidmm_run_result *result, const struct vidmm_run_options *options,
                  bool json)
{
    FILE *text = standard_outputs(options) != 0 ? stderr : stdout;
    int status = vidmm_summary_status(result);

    if (result->problem[0] != 0) {
        fprintf(stderr, "vidmm replay: %s\n", result->problem);
        if (result->violation_report != NULL) /* often the cause */
            fputs(result->violation_report, stderr);
        return status;
    }
    if (!json) {
        vidmm_summary_print(result, text);
        name_files(options, text);
        return status;
    }
    if (result->mismatches != 0)
        fprintf(stderr, "vidmm replay: first mismatch: %s\n", result->mismatch);
    if (result->device.faults != 0)
        fprintf(stderr, "vidmm replay: first fault: %s\n", result->device.fault);
    if (result->violation_report != NULL)
        fputs(result->violation_report, stderr);
    return vidmm_summary_json(result, stdout) ? status : VIDMM_COULD_NOT_RUN;
}

static int run(int count, char *const *arguments)
{
    static struct vidmm_run_result result;
    struct replay_arguments a = {.memory = SIZE_DEFAULT, .aperture = SIZE_DEFAULT, .links = 1};
    char error[400];

    if (vidmm_replay_wants_miniport(count, arguments))
        return vidmm_replay_miniport(count, arguments);
    if (!parse(&a, count, arguments, error, sizeof(error))) {
        fprintf(stderr, "vidmm replay: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    vidmm_interrupt_watch();
    vidmm_run(&a.run, &result);
    int status = report(&result, &a.run, a.json);
    vidmm_run_result_finish(&result);
    return status;
}

const struct vidmm_command vidmm_command_replay = {
    "replay", "play a recorded program on a software GPU, and check every byte", run, help};
