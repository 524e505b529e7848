/* vidmm check: a miniport, compiled with the kit, is put through its paces. */
#include <string.h>

#include "check/check.h"
#include "check/configuration.h"
#include "host/exit.h"
#include "tool/check_file.h"
#include "tool/command.h"
#include "tool/options.h"
#include "tool/outputs.h"
#include "tool/progress.h"

#define OPTIONS 8

struct check_arguments {
    bool help, json, print, start;
    uint64_t timeout;
    const char *config, *plugin, *journal;
    struct vidmm_words words;
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct check_arguments *a)
{
    return (struct option_table){{
        {"config", VIDMM_OPTION_TEXT, &a->config, "FILE",
         "the device, the driver's habits, the registry (docs/check.md)", 0, 0, NULL, NULL},
        {"plugin", VIDMM_OPTION_TEXT, &a->plugin, "FILE.so",
         "a device model, or private data for allocations (include/vidmm/plugin.h)", 0, 0, NULL,
         NULL},
        {"journal", VIDMM_OPTION_TEXT, &a->journal, "FILE",
         "write each paging operation: process, addresses, allocation, places, fence", 0, 0, NULL,
         NULL},
        {"timeout", VIDMM_OPTION_NUMBER, &a->timeout, "S",
         "seconds that one call of the driver may take; default 10", 1, 3600, NULL, NULL},
        {"start", VIDMM_OPTION_SWITCH, &a->start, NULL,
         "only start it, under the manager, and show the calls and answers in their order", 0, 0,
         NULL, NULL},
        {"print", VIDMM_OPTION_SWITCH, &a->print, NULL, "show the driver's debug output on stderr",
         0, 0, NULL, NULL},
        {"json", VIDMM_OPTION_SWITCH, &a->json, NULL, "print one JSON object, and nothing else", 0,
         0, NULL, NULL},
        {"help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL},
    }};
}

static void help(FILE *file)
{
    struct check_arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs(
        "vidmm check DRIVER.so [options]\n"
        "\n"
        "Start a display miniport that was compiled with the kit (vidmm kit cc), in a process of\n"
        "its own: read its caps and segments, create allocations, ask it for every paging "
        "operation\n"
        "of its WDDM level, and compare contents after each fence. Each fault is a finding with\n"
        "the call, the bytes and the document. A crash, a hang and a bug check are findings too.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm check ./driver.so\n"
          "  vidmm check ./driver.so --config gpu.conf --print\n"
          "  vidmm check ./driver.so --start\n"
          "\n"
          "exit status: 0 clean, 1 findings, 2 could not run\n",
          file);
}

static int check(const struct check_arguments *a)
{
    struct vidmm_board *board = vidmm_board_create();
    struct vidmm_check_configuration configuration;
    const struct vidmm_check_options options = {
        .driver = a->words.word[0],
        .plugin = a->plugin,
        .journal = a->journal,
        .timeout_s = (uint32_t)a->timeout,
        .print = a->print,
        .progress = vidmm_progress_can_draw() && !a->json ? stderr : NULL,
        .configuration = &configuration,
    };
    int status = VIDMM_COULD_NOT_RUN;
    char error[900];

    if (!board) {
        fputs("vidmm check: no memory\n", stderr);
        return status;
    }
    if (vidmm_check_file_read(a->config, &configuration, error, sizeof(error))) {
        if (a->start)
            vidmm_check_start(board, &options);
        else
            vidmm_check_run(board, &options);
        vidmm_check_configuration_finish(&configuration);
    } else {
        vidmm_board_problem(board, "%s", error);
    }
    status = vidmm_check_status(board);
    if (a->json)
        vidmm_check_report_json(board, a->words.word[0], stdout);
    else if (status == VIDMM_COULD_NOT_RUN)
        vidmm_check_report_problem(board, "check", a->words.word[0], stderr);
    else
        vidmm_check_report(board, a->words.word[0], stdout);
    vidmm_board_destroy(board);
    return status;
}

/* Nothing is written over that is read. */
static bool journal_is_apart(const struct check_arguments *a, char *error, size_t size)
{
    const struct vidmm_output output = {"journal", a->journal};
    const char *const inputs[] = {a->words.word[0], a->config, a->plugin};

    return vidmm_outputs_apart(&output, 1, inputs, 3, error, size);
}

static int run(int count, char *const *arguments)
{
    struct check_arguments a = {.timeout = 10, .words.most = 1};
    struct option_table table = table_of(&a);
    char error[400];

    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a.words, error,
                             sizeof(error))) {
        fprintf(stderr, "vidmm check: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    if (a.help) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    if (a.words.count == 0) {
        fputs("vidmm check: which driver? vidmm check DRIVER.so (vidmm help check)\n", stderr);
        return VIDMM_COULD_NOT_RUN;
    }
    if (!journal_is_apart(&a, error, sizeof(error))) {
        fprintf(stderr, "vidmm check: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    return check(&a);
}

const struct vidmm_command vidmm_command_check = {
    "check", "put a display miniport through its paces, and compare every byte", run, help};
