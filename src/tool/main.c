/* vidmm: the command line. A command is a file, command_NAME.c, and a row here. */
#include <errno.h>
#include <string.h>

#include "host/exit.h"
#include "tool/command.h"
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

static void general_help(FILE *file)
{
    fputs("vidmm: the WDDM video memory manager, run, recorded, judged and drawn\n"
          "\n"
          "  vidmm COMMAND [arguments]\n"
          "\n",
          file);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("  help       say how a command is used: vidmm help replay\n"
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

static int help(int count, char *const *arguments)
{
    if (count == 0) {
        general_help(stdout);
        return VIDMM_CLEAN;
    }
    const struct vidmm_command *command = find(arguments[0]);
    if (command == NULL && strcmp(arguments[0], "help") != 0)
        return unknown(arguments[0]);
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
