/*
 * project.h: a driver's project as read from whatever build files it has.
 *
 *     FILE.vcxproj  --msbuild--> --ninja--> OUT/build.ninja targets: sources, flags,
 *                                     libraries
 *     sources       --sources--> OUT/README.md
 *
 * Target 0 is the driver; the others are the static libraries that it is linked with.
 */
#ifndef VIDMM_IMPORT_PROJECT_H
#define VIDMM_IMPORT_PROJECT_H

#include "base/queue.h"
#include "import/arena.h"

#define VIDMM_KIT_TARGETS 64u

struct vidmm_kit_source {
    const char *path; /* whole */
    bool cxx;
    struct vidmm_texts flags; /* -D, -I, -include, -std=, --wpp */
    struct vidmm_kit_source *next;
};

VIDMM_QUEUE(vidmm_kit_sources, struct vidmm_kit_source, next);

struct vidmm_kit_target {
    const char *file; /* the project file, whole */
    const char *name; /* of the output, without suffix */
    struct vidmm_kit_sources sources;
};

struct vidmm_kit_project {
    struct vidmm_arena *arena;
    const char *self; /* this program */
    const char *tree; /* tree.h */
    const char *configuration, *platform;
    bool programs;                       /* steps may run programs of this machine: --programs */
    bool named;                          /* by the caller: no other configuration will do */
    struct vidmm_texts libraries;        /* projects to link besides: --library */
    struct vidmm_texts defines;          /* NAME or NAME=VALUE, for all sources: --define */
    struct vidmm_kit_solution *solution; /* NULL: there is none */
    const struct vidmm_kit_variables *given; /* --set */
    struct vidmm_kit_target targets[VIDMM_KIT_TARGETS];
    unsigned count;
    struct vidmm_kit_step *steps; /* before the sources */
    struct vidmm_texts notes;     /* things left out or taken on trust */
    const char *error;
};

/* Read a project file and all it needs. False: project->error names the file and what is wrong. */
bool vidmm_kit_read_msbuild(struct vidmm_kit_project *project, const char *path);
bool vidmm_kit_read_sources(struct vidmm_kit_project *project, const char *path);

/* The one driver among .vcxproj files: not a library, a program or a package. NULL: there is none,
 * or there are several, which is the error; `where` is what they were found in. */
const char *vidmm_kit_pick_driver(struct vidmm_kit_project *project,
                                  const struct vidmm_texts *paths, const char *where);

/* Write OUT/build.ninja and OUT/README.md, and nothing else. False: one of them cannot be written,
 * or the project has a text that neither ninja nor sh can carry; in that case nothing is made. */
bool vidmm_kit_write_ninja(struct vidmm_kit_project *project, const char *out);

/* ---- for the readers ---- */

/* From where a library would lie to where its project may. */
#define VIDMM_KIT_FOLDERS_UP 3u

/* A text with `/` for each backslash. msbuild.c */
char *vidmm_kit_slashes(struct vidmm_arena *arena, const char *path);

/* Whether a library of the driver kit is in this kit: "ntoskrnl", under any case. links.c */
bool vidmm_kit_has_library(const char *name);
/* NAME of `..\lib\NAME.lib`. links.c */
char *vidmm_kit_library_name(struct vidmm_arena *arena, const char *item);

/* Set project->error. Answers false. */
bool vidmm_kit_refuse(struct vidmm_kit_project *project, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void vidmm_kit_note(struct vidmm_kit_project *project, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* False: a text has a control character, which is the error; `where` names the text. */
bool vidmm_kit_plain(struct vidmm_kit_project *project, const char *text, const char *where);

/* A new target. NULL: there are too many, or the name is none that a file of the output may have,
 * which is the error. */
struct vidmm_kit_target *vidmm_kit_add_target(struct vidmm_kit_project *project, const char *file,
                                              const char *name);

/* A new source. NULL: there is no such file below `folder` under any case, which is the error; or
 * it is none that a compiler takes, which is a note. */
struct vidmm_kit_source *vidmm_kit_add_source(struct vidmm_kit_project *project,
                                              struct vidmm_kit_target *target, const char *folder,
                                              const char *name);

/* Add NAME or NAME=VALUE to a source's flags, whatever the value holds. `where` is for errors.
 * False: a control character or an unknown variable is in it, which is the error. */
bool vidmm_kit_add_define(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                          const char *item, const char *where);

/* Add what a list says to a source's flags: names parted by ; (defines, folders, headers). `where`
 * is for errors. False: an unknown variable is in it. */
bool vidmm_kit_add_defines(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                           const char *list, const char *where);
bool vidmm_kit_add_folders(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                           const char *folder, const char *list, const char *where);

#endif
