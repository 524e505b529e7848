/* replay_miniport.c: the command line of a replay on a foreign driver. */
#include "tool/replay_miniport.h"

#include <string.h>

#include "check/check.h"
#include "miniport/configuration.h"
#include "host/exit.h"
#include "miniport/configuration_file.h"
#include "tool/check_options.h"
#include "tool/check_reports.h"
#include "tool/options.h"
#include "tool/outputs.h"

#define FORMS 6 /* rows before those of the reports */
#define OPTIONS (FORMS + VIDMM_FORM_OPTIONS)
#define TIMEOUT_S 30u

struct arguments {
    struct vidmm_driver_run run;
    const char *miniport, *timeline;
    struct vidmm_words words;
};

struct option_table {
    struct vidmm_option option[OPTIONS];
};

static struct option_table table_of(struct arguments *a)
{
    struct option_table table = {{
        {"miniport", VIDMM_OPTION_TEXT, &a->miniport, "FILE.so",
         "play on this driver (compiled with vidmm kit cc), not on the software GPU.\n"
         "Its segments decide how much memory there is",
         0, 0, NULL, NULL},
        vidmm_option_config(&a->run),
        {"plugin", VIDMM_OPTION_TEXT, &a->run.plugin, "FILE.so",
         "a device model, private data, commands (include/vidmm/plugin.h)", 0, 0, NULL, NULL},
        vidmm_option_journal(&a->run),
        {"timeline", VIDMM_OPTION_TEXT, &a->timeline, "FILE.svg",
         "draw which allocation was where in the driver's segments, frame by frame", 0, 0, NULL,
         NULL},
        {"timeout", VIDMM_OPTION_NUMBER, &a->run.timeout, "S",
         "seconds that one call of the driver may take; default 30", 1, 3600, NULL, NULL},
    }};

    vidmm_option_forms(&a->run, &table.option[FORMS]);
    return table;
}

bool vidmm_replay_wants_miniport(int count, char *const *arguments)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--miniport") == 0 ||
            strncmp(arguments[i], "--miniport=", 11) == 0)
            return true;
    return false;
}

void vidmm_replay_miniport_help(FILE *file)
{
    struct arguments arguments;
    struct option_table table = table_of(&arguments);

    fputs("on a miniport of your own\n", file);
    vidmm_options_help(table.option, OPTIONS, file);
}

static void put_command(const struct arguments *a, char *text, size_t size)
{
    const char *words[VIDMM_REPLAY_FILES + 2];
    size_t count = 0;

    for (uint32_t i = 0; i < a->words.count; i++)
        words[count++] = a->words.word[i];
    words[count++] = "--miniport";
    words[count++] = a->miniport;
    vidmm_report_command(
        &(struct vidmm_report_run){.verb = "replay",
                                   .words = words,
                                   .count = count,
                                   .config = a->run.config,
                                   .plugin = a->run.plugin,
                                   .timeout = a->run.timeout != TIMEOUT_S ? a->run.timeout : 0},
        text, size);
}

static int play(const struct arguments *a)
{
    struct vidmm_board *board = vidmm_board_create();
    struct vidmm_miniport_configuration configuration;
    struct vidmm_replay_options options = {
        .check = vidmm_driver_run_options(&a->run, a->miniport, &configuration),
        .file_count = a->words.count,
        .timeline = a->timeline,
    };
    char error[900], again[1200];
    const struct vidmm_check_subject subject = {a->miniport, again, false};
    int status;

    put_command(a, again, sizeof(again));
    for (uint32_t i = 0; i < a->words.count; i++)
        options.files[i] = a->words.word[i];
    if (!board) {
        fputs("vidmm replay: no memory\n", stderr);
        return VIDMM_COULD_NOT_RUN;
    }
    if (vidmm_miniport_configuration_file(a->run.config, &configuration, error, sizeof(error))) {
        vidmm_check_replay(board, &options);
        vidmm_miniport_configuration_finish(&configuration);
    } else {
        vidmm_board_problem(board, "%s", error);
    }
    status = vidmm_reports_write(board, "replay", &subject, &a->run.forms);
    if (status == VIDMM_COULD_NOT_RUN && board->out_of_memory)
        status = VIDMM_OUT_OF_MEMORY;
    vidmm_board_destroy(board);
    return status;
}

/* Nothing is written over that is read. */
static bool outputs_are_apart(const struct arguments *a, char *error, size_t size)
{
    const struct vidmm_output outputs[] = {{"journal", a->run.journal},
                                           {"timeline", a->timeline},
                                           {"sarif", a->run.forms.sarif},
                                           {"junit", a->run.forms.junit}};
    const char *const inputs[] = {a->miniport, a->run.config, a->run.plugin,
                                  a->words.count > 0 ? a->words.word[0] : NULL,
                                  a->words.count > 1 ? a->words.word[1] : NULL};

    return vidmm_outputs_apart(outputs, 4, inputs, 5, error, size);
}

int vidmm_replay_miniport(int count, char *const *arguments)
{
    struct arguments a = {.run.timeout = TIMEOUT_S, .words.most = VIDMM_REPLAY_FILES};
    struct option_table table = table_of(&a);
    char error[400];

    if (!vidmm_options_parse(table.option, OPTIONS, count, arguments, &a.words, error,
                             sizeof(error))) {
        fprintf(stderr,
                "vidmm replay: %s (with --miniport, segments are the driver's; see vidmm "
                "help replay)\n",
                error);
        return VIDMM_COULD_NOT_RUN;
    }
    if (a.words.count == 0) {
        fputs("vidmm replay: which trace? vidmm replay FILE.vmt.gz --miniport DRIVER.so\n", stderr);
        return VIDMM_COULD_NOT_RUN;
    }
    if (!outputs_are_apart(&a, error, sizeof(error))) {
        fprintf(stderr, "vidmm replay: %s\n", error);
        return VIDMM_COULD_NOT_RUN;
    }
    return play(&a);
}
