/* outputs.h: files that a command writes, kept apart from those that it reads, and from each
 * other. */
#ifndef VIDMM_TOOL_OUTPUTS_H
#define VIDMM_TOOL_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_output {
    const char *option; /* without the dashes */
    const char *path;   /* NULL: it is not wanted */
};

/*
 * Is none of the outputs one of the inputs, nor another output, by whatever name? Files that are no
 * regular files (a terminal, /dev/null) may be written by several.
 *
 * inputs   paths; NULL: none.
 * False: error receives a sentence that names both. No file is opened or made.
 */
bool vidmm_outputs_apart(const struct vidmm_output *outputs, size_t output_count,
                         const char *const *inputs, size_t input_count, char *error,
                         size_t error_size);

#endif
