/*
 * solution.h: a Visual Studio solution: which projects there are, and which configuration each
 * has for one of the solution's.
 *
 *     Project("{KIND}") = "viogpu", "viogpu\viogpu.vcxproj", "{ID}"
 *     {ID}.Win10 Release|x86.ActiveCfg = Win10 Release|Win32
 *
 * Source: "Solution (.sln) file" of the public documentation.
 */
#ifndef VIDMM_IMPORT_SOLUTION_H
#define VIDMM_IMPORT_SOLUTION_H

#include "import/arena.h"

struct vidmm_kit_project;

struct vidmm_kit_solution {
    const char *file, *folder;          /* whole */
    struct vidmm_texts paths, ids;      /* of its .vcxproj files: whole; "{...}" */
    struct vidmm_texts missing;         /* named and not there */
    struct vidmm_texts from, to, owner; /* "Release|x86" -> "Release|Win32", of the project {ID} */
};

/* NULL: it cannot be read, which is project->error. */
struct vidmm_kit_solution *vidmm_kit_read_solution(struct vidmm_kit_project *project,
                                                   const char *path);

/* The nearest solution at or above a folder; NULL: there is none. */
struct vidmm_kit_solution *vidmm_kit_solution_above(struct vidmm_kit_project *project,
                                                    const char *folder);

/* The configuration of `other` that the solution builds when it builds `path` as `configuration`
 * ("Release|x64"). NULL: it does not say. Paths are whole. */
const char *vidmm_kit_solution_pair(const struct vidmm_kit_solution *solution, const char *path,
                                    const char *configuration, const char *other);

/* The configuration of one project that belongs to the solution's `configuration`. NULL: it does
 * not say. */
const char *vidmm_kit_solution_of(const struct vidmm_kit_solution *solution, const char *path,
                                  const char *configuration);

#endif
