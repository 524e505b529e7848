/*
 * function.h: property functions of project files.
 *
 *     $(NAME.Replace('a', 'b').ToLower())     methods of a text, one behind the other
 *     $([System.IO.Path]::Combine('a', 'b'))  functions of a class
 *
 * Source: "Property functions" of MSBuild's public documentation; those that concern texts and
 * paths.
 */
#ifndef VIDMM_IMPORT_FUNCTION_H
#define VIDMM_IMPORT_FUNCTION_H

struct vidmm_arena;
struct vidmm_kit_variables;

/* The value of what stands between $( and ), if it is more than a name. NULL: it is a name, or
 * nothing that is known here. */
char *vidmm_kit_function(struct vidmm_arena *arena, const struct vidmm_kit_variables *variables,
                         const char *expression);

#endif
