/* vidmm: the command line. A command is a file, command_NAME.c, and a row here. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/exit.h"
#include "tool/command.h"
#include "tool/manual.h"
#include "tool/options.h"

static const struct vidmm_command *const commands[] = {
    &vidmm_command_check,    &vidmm_command_compare, &vidmm_command_explain, &vidmm_command_kit,
    &vidmm_command_record,   &vidmm_command_replay,  &vidmm_command_rules,   &vidmm_command_run,
    &vidmm_command_scenario, &vidmm_command_sweep,   &vidmm_command_trace,
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct vidmm_command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char summary[] = "the WDDM video memory manager, run, recorded, judged and drawn";

static void general_help(FILE *file)
{
    fprintf(file, "vidmm: %s\n\n", summary);
    fputs("  vidmm COMMAND [arguments]\n"
          "\n",
          file);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("  help       say how a command is used: vidmm help replay; help --man replay prints a "
          "page\n"
          "\n"
          "Try: vidmm replay traces/vkcube.vmt.gz; vidmm --version says which vidmm this is\n",
          file);
}

static int unknown(const char *name)
{
    const char *names[COMMANDS + 2] = {"help"};

    for (size_t i = 0; i < COMMANDS; i++)
        names[i + 1] = commands[i]->name;
    const char *nearest = vidmm_options_nearest(name, names);
    if (nearest != NULL)
        fprintf(stderr, "vidmm: there is no command '%s'; did you mean '%s'?\n", name, nearest);
    else
        fprintf(stderr, "vidmm: there is no command '%s'; see vidmm help\n", name);
    return VIDMM_COULD_NOT_RUN;
}

/* Print help as a manual page: of a command, or of all. */
static int manual(const struct vidmm_command *command)
{
    char *text = NULL, *others = NULL, name[32] = "vidmm";
    size_t size;
    FILE *memory = open_memstream(&text, &size), *names = open_memstream(&others, &size);

    if (memory != NULL)
        (command != NULL ? command->help : general_help)(memory);
    if (names != NULL && command != NULL)
        fputs("vidmm", names);
    for (size_t i = 0; names != NULL && command == NULL && i < COMMANDS; i++)
        fprintf(names, "vidmm-%s ", commands[i]->name);
    bool whole = memory != NULL && names != NULL;
    whole &= memory == NULL || fclose(memory) == 0;
    whole &= names == NULL || fclose(names) == 0;
    if (!whole)
        fputs("vidmm: no memory for a manual page\n", stderr);
    else if (command == NULL) /* its first line is the summary */
        vidmm_manual_write(stdout, name, summary, strstr(text, "\n\n") + 2, others);
    else {
        snprintf(name, sizeof(name), "vidmm-%s", command->name);
        vidmm_manual_write(stdout, name, command->summary, text, others);
    }
    free(text);
    free(others);
    return whole ? VIDMM_CLEAN : VIDMM_OUT_OF_MEMORY;
}

static int help(int count, char *const *arguments)
{
    bool as_page = count > 0 && strcmp(arguments[0], "--man") == 0;
    const char *name = count > as_page ? arguments[as_page] : "help";
    const struct vidmm_command *command = find(name);

    if (command == NULL && strcmp(name, "help") != 0)
        return unknown(name);
    if (as_page)
        return manual(command);
    (command != NULL ? command->help : general_help)(stdout);
    return VIDMM_CLEAN;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        general_help(stderr);
        return VIDMM_COULD_NOT_RUN;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) {
        puts("vidmm " VIDMM_VERSION);
        return VIDMM_CLEAN;
    }
    const struct vidmm_command *command = find(name);
    return command != NULL ? command->run(argc - 2, argv + 2) : unknown(name);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);

    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "vidmm: what was to be printed cannot be written: %s\n", strerror(errno));
    return VIDMM_COULD_NOT_RUN;
}
