/* check_file.h: the configuration file of check and of replay on a miniport. */
#ifndef VIDMM_TOOL_CHECK_FILE_H
#define VIDMM_TOOL_CHECK_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_check_configuration;

/* Read it; path NULL: the defaults. False: `error` (`room` bytes) names file, line and what is
 * wrong; nothing is to be finished. */
bool vidmm_check_file_read(const char *path, struct vidmm_check_configuration *configuration,
                           char *error, size_t room);

#endif
