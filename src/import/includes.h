/*
 * includes.h: a driver's #include lines, made to work where names have case.
 *
 *     #include "..\inc\Trace.H"     a file of that very name, in a folder of ours, that includes
 *                                   the file meant
 *     #include "main.tmh"           the log macros (wpp.h), in the same folder
 *
 * All that a source includes, and what that includes, is looked for before the compiler does: as it
 * is spelt, then without regard to case and with backslashes as slashes, in the folder of the
 * including file, those of the files that include that one, and the include folders. Headers that
 * the compiler finds by itself are left alone. Nothing of the driver's is changed or copied.
 */
#ifndef VIDMM_IMPORT_INCLUDES_H
#define VIDMM_IMPORT_INCLUDES_H

#include "import/arena.h"

struct vidmm_kit_place;

struct vidmm_kit_includes {
    const char *source;
    struct vidmm_texts folders;         /* of the command line, in order */
    struct vidmm_texts forced;          /* headers included before the source */
    struct vidmm_texts trace_files;     /* those that hold begin_wpp config and that nothing
                                         * includes */
    struct vidmm_texts trace_functions; /* of a project: wpp.h */
    const char *made;                   /* the folder to write to; made when something is written */
};

/*
 * Look at the source and write what is missing below `made`.
 *
 * include  receives the folder to add to the include folders; NULL: nothing was missing.
 * warnings receives sentences: a name that means two files.
 * False: a file cannot be read or written; error is a sentence.
 */
bool vidmm_kit_includes(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                        const struct vidmm_kit_includes *includes, const char **include,
                        struct vidmm_texts *warnings, const char **error);

/* The file that `name` means below `folder`, whatever its case and slashes; NULL: there is none. */
char *vidmm_kit_find_file(struct vidmm_arena *arena, const char *folder, const char *name);

/* Make a folder and those above it. */
bool vidmm_kit_make_folder(struct vidmm_arena *arena, const char *path);

#endif
