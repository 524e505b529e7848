/*
 * options.h: the words behind a command on the command line, read by a table.
 *
 *     vidmm replay  openarena.vmt.gz  --memory 240M  --json
 *                   `- word           `- option      `- switch
 *
 * Options may stand anywhere, as `--name VALUE` or `--name=VALUE`; `--` ends them. A name that is
 * not known is answered with the nearest one that is.
 */
#ifndef VIDMM_TOOL_OPTIONS_H
#define VIDMM_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum vidmm_option_kind {
    VIDMM_OPTION_SWITCH, /* bool */
    VIDMM_OPTION_TEXT,   /* const char * */
    VIDMM_OPTION_SIZE,   /* uint64_t, bytes, whole pages, least .. most */
    VIDMM_OPTION_NUMBER, /* uint64_t, least .. most */
    VIDMM_OPTION_CHOICE, /* uint64_t, index of choices */
};

struct vidmm_option {
    const char *name; /* without the dashes */
    enum vidmm_option_kind kind;
    void *target;               /* by kind; keeps its value if the option is not given */
    const char *value;          /* the value's name in help */
    const char *help;           /* its effect; lines parted by \n */
    uint64_t least, most;       /* SIZE, NUMBER */
    const char *const *choices; /* CHOICE: the words, then NULL */
    bool *given;                /* or NULL: set if the option stands there */
};

struct vidmm_words {
    const char *word[4];
    unsigned count, most;
};

/*
 * Read the arguments of a command: arguments[0 .. count - 1], without its name.
 *
 * words->most, 0 to 4, says how many words there may be beside options.
 * error    receives a sentence that names option, value and what is legal.
 */
bool vidmm_options_parse(const struct vidmm_option *options, size_t option_count, int count,
                         char *const *arguments, struct vidmm_words *words, char *error,
                         size_t error_size);

/* Print the options and what they do. */
void vidmm_options_help(const struct vidmm_option *options, size_t option_count, FILE *file);

/* The candidate that is nearest to a mistyped word; NULL if none is near. The list ends in NULL. */
const char *vidmm_options_nearest(const char *word, const char *const *candidates);

#endif
