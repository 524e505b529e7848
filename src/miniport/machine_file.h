/* machine_file.h: the file that describes the machine of a program: VIDMM_MACHINE, or `vidmm run
 * --machine`.
 *
 *     wddm 2.6                       the software GPU: docs/softgpu.md has its keys
 *     segment 1 aperture 1G
 *     ...
 *
 *     miniport atlas.so              or a miniport that was compiled with the kit,
 *     configuration atlas.conf       the configuration that `vidmm check` takes as well,
 *     plugin atlas_device.so 16384   a plug-in, in place of the one that the configuration names
 *
 * In place of the line `configuration`, the lines of a configuration (configuration.h) may stand
 * in the file itself. Paths in the file are relative to its folder.
 */
#ifndef VIDMM_MINIPORT_MACHINE_FILE_H
#define VIDMM_MINIPORT_MACHINE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "miniport/configuration.h"
#include "softgpu/config.h"

struct vidmm_machine_file {
    bool is_miniport;
    struct softgpu_config gpu;                         /* the software GPU, if it is one */
    char driver[PATH_MAX];                             /* else the miniport's file, */
    struct vidmm_miniport_configuration configuration; /* and what it runs on */
};

/*
 * Read it. path NULL, or empty: the software GPU by default. Driver and plug-in are looked at, and
 * not loaded.
 *
 * False: `error` names file, line, the value, and what is legal; nothing is to be finished.
 */
bool vidmm_machine_file_read(const char *path, struct vidmm_machine_file *file, char *error,
                             size_t error_size);
void vidmm_machine_file_finish(struct vidmm_machine_file *file);

#endif
