/* check_file.h: the configuration file of check and of replay on a miniport. */
#ifndef VIDMM_TOOL_CHECK_FILE_H
#define VIDMM_TOOL_CHECK_FILE_H

#include "check/configuration.h"

/* Read it; path NULL: the defaults. False: why not was written to stderr, in the name of `command`. */
bool vidmm_check_file_read(const char *command, const char *path,
                           struct vidmm_check_configuration *configuration);

#endif
