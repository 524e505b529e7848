/*
 * steps.h: the steps of a project besides compiling: custom build steps, message compilers, events
 * before the build.
 *
 * Their commands are Windows's. Those that this machine can do become rules of build.ninja, before
 * all sources are compiled; of any other one a note says what it would make and what is missing:
 *
 *     mc                         `vidmm kit mc`
 *     copy, xcopy, mkdir, md     cp, mkdir -p
 *     python, perl, ...          the program of that name, if it is here and --programs was given:
 *                                it does as the project's author likes
 *
 * The others write only to the project's tree (tree.h).
 *
 * Source: "Customize build steps", "Specify custom build tools" of the public documentation.
 */
#ifndef VIDMM_IMPORT_STEPS_H
#define VIDMM_IMPORT_STEPS_H

#include "import/arena.h"

struct vidmm_kit_project;

struct vidmm_kit_step {
    const char *command;                /* for sh, in the project's folder */
    struct vidmm_texts inputs, outputs; /* whole */
    struct vidmm_kit_step *next;
};

/*
 * Take a step of a project.
 *
 * where:   the project file, and what it is of it: "x.vcxproj: CustomBuild a.mc"
 * command: lines of cmd.exe
 * Outputs and inputs are names below `folder`. A step that cannot be done is a note.
 */
void vidmm_kit_add_step(struct vidmm_kit_project *project, const char *where, const char *folder,
                        const char *command, const char *inputs, const char *outputs);

#endif
