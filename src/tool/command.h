/* command.h: the commands of vidmm. Each answers an exit status of host/exit.h. */
#ifndef VIDMM_TOOL_COMMAND_H
#define VIDMM_TOOL_COMMAND_H

#include <stdio.h>

struct vidmm_command {
    const char *name;
    const char *summary; /* for the list of commands */
    /* arguments[0 .. count - 1] stand behind the command's name */
    int (*run)(int count, char *const *arguments);
    void (*help)(FILE *file);
};

extern const struct vidmm_command vidmm_command_check;    /* command_check.c */
extern const struct vidmm_command vidmm_command_compare;  /* command_compare.c */
extern const struct vidmm_command vidmm_command_explain;  /* command_explain.c */
extern const struct vidmm_command vidmm_command_kit;      /* command_kit.c */
extern const struct vidmm_command vidmm_command_record;   /* command_record.c */
extern const struct vidmm_command vidmm_command_replay;   /* command_replay.c */
extern const struct vidmm_command vidmm_command_rules;    /* command_rules.c */
extern const struct vidmm_command vidmm_command_run;      /* command_run.c */
extern const struct vidmm_command vidmm_command_scenario; /* command_scenario.c */
extern const struct vidmm_command vidmm_command_sweep;    /* command_sweep.c */
extern const struct vidmm_command vidmm_command_trace;    /* command_trace.c */

#endif
