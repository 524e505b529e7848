/* vidmm check: a miniport, compiled with the kit, is put through its paces. */
#include <string.h>

#include "check/check.h"
#include "miniport/configuration.h"
#include "host/exit.h"
#include "miniport/configuration_file.h"
#include "tool/check_options.h"
#include "tool/check_reports.h"
#include "tool/command.h"
#include "tool/options.h"
#include "tool/outputs.h"

#define FORMS 6 /* rows before those of the reports */
#define OPTIONS (FORMS + VIDMM_FORM_OPTIONS + 1)
#define TIMEOUT_S 10u

struct check_arguments {
    bool help, start;
    const char *only;
    struct vidmm_driver_run run;
    struct vidmm_words words;
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct check_arguments *a)
{
    struct option_table table = {{
        vidmm_option_config(&a->run),
        {"plugin", VIDMM_OPTION_TEXT, &a->run.plugin, "FILE.so",
         "a device model, or private data for allocations (include/vidmm/plugin.h)", 0, 0, NULL,
         NULL},
        vidmm_option_journal(&a->run),
        {"timeout", VIDMM_OPTION_NUMBER, &a->run.timeout, "S",
         "seconds that one call of the driver may take; default 10", 1, 3600, NULL, NULL},
        {"start", VIDMM_OPTION_SWITCH, &a->start, NULL,
         "only start it, under the manager, and show the calls and answers in their order", 0, 0,
         NULL, NULL},
        {"only", VIDMM_OPTION_TEXT, &a->only, "STEP",
         "only the steps that have this in their names, as the report prints them, beside\n"
         "those that must be: start, allocations, stop",
         0, 0, NULL, NULL},
    }};

    vidmm_option_forms(&a->run, &table.option[FORMS]);
    table.option[FORMS + VIDMM_FORM_OPTIONS] = (struct vidmm_option){
        "help", VIDMM_OPTION_SWITCH, &a->help, NULL, "print this", 0, 0, NULL, NULL};
    return table;
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
        "of its WDDM level, and compare contents after each fence. Each fault is a finding: who\n"
        "is to change what, the call, the bytes, the document, and how to see it again (vidmm\n"
        "explain C-007 says all of one). A crash, a hang and a bug check are findings too.\n"
        "\n",
        file);
    vidmm_options_help(table.option, OPTIONS, file);
    fputs("\n"
          "examples\n"
          "  vidmm check ./driver.so\n"
          "  vidmm check ./driver.so --config gpu.conf --print\n"
          "  vidmm check ./driver.so --start\n"
          "  vidmm check ./driver.so --only 'segment 1: Fill'\n"
          "  vidmm check ./driver.so --sarif driver.sarif --junit driver.xml\n"
          "\n"
          "exit status: 0 clean, 1 findings, 2 could not run\n",
          file);
}

static void put_command(const struct check_arguments *a, char *text, size_t size)
{
    const char *const words[] = {a->words.word[0], "--start"};

    vidmm_report_command(
        &(struct vidmm_report_run){.verb = "check",
                                   .words = words,
                                   .count = a->start ? 2 : 1,
                                   .config = a->run.config,
                                   .plugin = a->run.plugin,
                                   .timeout = a->run.timeout != TIMEOUT_S ? a->run.timeout : 0},
        text, size);
}

static int check(const struct check_arguments *a)
{
    struct vidmm_board *board = vidmm_board_create();
    struct vidmm_miniport_configuration configuration;
    struct vidmm_check_options options =
        vidmm_driver_run_options(&a->run, a->words.word[0], &configuration);
    char error[900], again[1200];
    const struct vidmm_check_subject subject = {a->words.word[0], again, !a->start};
    int status;

    if (!board) {
        fputs("vidmm check: no memory\n", stderr);
        return VIDMM_COULD_NOT_RUN;
    }
    options.only = a->only;
    put_command(a, again, sizeof(again));
    if (vidmm_miniport_configuration_file(a->run.config, &configuration, error, sizeof(error))) {
        if (a->start)
            vidmm_check_start(board, &options);
        else
            vidmm_check_run(board, &options);
        vidmm_miniport_configuration_finish(&configuration);
    } else {
        vidmm_board_problem(board, "%s", error);
    }
    status = vidmm_reports_write(board, "check", &subject, &a->run.forms);
    vidmm_board_destroy(board);
    return status;
}

/* Nothing is written over that is read. */
static bool outputs_are_apart(const struct check_arguments *a, char *error, size_t size)
{
    const struct vidmm_output outputs[] = {
        {"journal", a->run.journal}, {"sarif", a->run.forms.sarif}, {"junit", a->run.forms.junit}};
    const char *const inputs[] = {a->words.word[0], a->run.config, a->run.plugin};

    return vidmm_outputs_apart(outputs, 3, inputs, 3, error, size);
}

static int run(int count, char *const *arguments)
{
    struct check_arguments a = {.run.timeout = TIMEOUT_S, .words.most = 1};
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
    if (!outputs_are_apart(&a, error, sizeof(error))) {
        fprintf(stderr, "vidmm check: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    return check(&a);
}

const struct vidmm_command vidmm_command_check = {
    "check", "put a display miniport through its paces, and compare every byte", run, help};
