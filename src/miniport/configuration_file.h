/* configuration_file.h: the configuration of a miniport, from a file. */
#ifndef VIDMM_MINIPORT_CONFIGURATION_FILE_H
#define VIDMM_MINIPORT_CONFIGURATION_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_miniport_configuration;

/* Read it; path NULL: the defaults. False: `error` (`room` bytes) names file, line and what is
 * wrong; nothing is to be finished. */
bool vidmm_miniport_configuration_file(const char *path,
                                       struct vidmm_miniport_configuration *configuration,
                                       char *error, size_t room);

#endif
