/*
 * expand.h: the variables and conditions of build files: $(NAME), '$(A)|$(B)' == 'x|y'.
 *
 * A value may hold marks, which travel with it until somebody uses the value:
 *
 *     $(DDK_INC_PATH)   a folder of the driver kit, which is not here   -> the mark of a tool set
 *     $(WHATEVER)       set nowhere                                     -> the mark of an unknown
 *
 * so that a variable that nobody uses may be unknown, and one that matters is named. In conditions
 * both are empty, as their authors expect.
 *
 * Source: "MSBuild conditions", "MSBuild properties", "Sources file macros" of the public
 * documentation.
 */
#ifndef VIDMM_IMPORT_EXPAND_H
#define VIDMM_IMPORT_EXPAND_H

#include "import/arena.h"

struct vidmm_kit_variables {
    struct vidmm_texts names, values; /* names without regard to case */
    struct vidmm_texts fixed;         /* names that only the command line sets */
    struct vidmm_kit_bounds *bounds;  /* for expansions with them; NULL: nothing may be */
};

/* How far an expansion goes: a value of 1 MiB, 256 MiB of texts in the arena, functions 32 deep.
 * A deeper or longer expansion is empty, and *error says so, if it does not say something
 * already. */
void vidmm_kit_bound(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                     const char **error);
/* Enter a function; false: it is too deep. Leave it either way. */
bool vidmm_kit_enter(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                     const char *text);
void vidmm_kit_leave(const struct vidmm_kit_variables *variables);

void vidmm_kit_set(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                   const char *name, const char *value);
/* Set a variable for good: vidmm_kit_set() does not change it any more. */
void vidmm_kit_fix(struct vidmm_arena *arena, struct vidmm_kit_variables *variables,
                   const char *name, const char *value);
/* NULL: it is not set. */
const char *vidmm_kit_get(const struct vidmm_kit_variables *variables, const char *name);

/* `text` with each $(NAME) replaced; each %(NAME) by `inherited` (NULL: leave them). */
char *vidmm_kit_expand(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                       const char *text, const char *inherited);

/* The name of the first unknown in an expanded text; NULL: there is none. */
char *vidmm_kit_unknown(struct vidmm_arena *arena, const char *expanded);
bool vidmm_kit_of_tool_set(const char *expanded);
/* The text without marks. */
char *vidmm_kit_unmarked(struct vidmm_arena *arena, const char *expanded);

/*
 * Evaluate a condition: ==, !=, <, <=, >, >=, and, or, && , ||, !, parentheses, Exists('path'),
 * HasTrailingSlash('text'), defined(NAME), text alone (true, or a number that is not 0).
 *
 * folder: the folder that a relative path in Exists() begins at. False in *error's place: it cannot
 * be read; *error says why.
 */
bool vidmm_kit_condition(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                         const char *condition, const char *folder, const char **error);

#endif
