/*
 * links.c: libraries that a project links by name, not by a reference to their project.
 *
 *     <AdditionalDependencies>$(DDK_LIB_PATH)displib.lib;virtiolib.lib</AdditionalDependencies>
 *     <AdditionalLibraryDirectories>..\..\VirtIO\$(OutDir)</AdditionalLibraryDirectories>
 *
 * The driver kit's own are in this kit. For any other one, the project that makes it is looked for:
 * among those of the solution, in the folders where the linker would look and the ones above them,
 * and beside the driver's project.
 */
#include "import/msbuild.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "import/project.h"
#include "import/solution.h"

bool vidmm_kit_has_library(const char *name)
{
    static const char *const names[] = {
        "ntoskrnl", "ntkrnlmp", "hal",     "wmilib",  "displib",         "ntstrsafe",
        "libcntpr", "uuid",     "rtlver",  "wdmsec",  "wpprecorder",     "dxgkrnl",
        "watchdog", "aux_klib", "ksecdd",  "netio",   "bufferoverflow*", "wdm",
        "wdmguid",  "ntdll",    "libcmt*", "msvcrt*", "win32k",          "videoprt",
        "procgrp",  "kernel32", "dxguid",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (fnmatch(names[i], name, FNM_CASEFOLD) == 0)
            return true;
    return false;
}

char *vidmm_kit_library_name(struct vidmm_arena *arena, const char *item)
{
    const char *path = vidmm_kit_slashes(arena, item), *slash = strrchr(path, '/');
    char *name = vidmm_text(arena, "%s", slash != NULL ? slash + 1 : path);
    size_t length = strlen(name);

    if (length > 4 && strcasecmp(name + length - 4, ".lib") == 0)
        name[length - 4] = 0;
    return name;
}

/* ---- where projects may be ------------------------------------------------------------------- */

static void add_projects_of(struct vidmm_kit_evaluation *e, const char *folder,
                            struct vidmm_texts *found)
{
    DIR *directory = opendir(folder);

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        if (fnmatch("*.vcxproj", entry->d_name, FNM_CASEFOLD) != 0)
            continue;
        char *real = realpath(vidmm_text(e->arena, "%s/%s", folder, entry->d_name), NULL);
        if (real != NULL && !vidmm_texts_has(found, real))
            vidmm_texts_add(e->arena, found, vidmm_text(e->arena, "%s", real));
        free(real);
    }
    if (directory != NULL)
        closedir(directory);
}

/* Folders below `folder`, one deep. */
static void add_projects_beside(struct vidmm_kit_evaluation *e, const char *folder,
                                struct vidmm_texts *found)
{
    DIR *directory = opendir(folder);

    add_projects_of(e, folder, found);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.')
            add_projects_of(e, vidmm_text(e->arena, "%s/%s", folder, entry->d_name), found);
    if (directory != NULL)
        closedir(directory);
}

/* A folder that the linker is told of is made by the build: those above it that are there. */
static void add_projects_above(struct vidmm_kit_evaluation *e, const char *item,
                               struct vidmm_texts *found)
{
    char *name = vidmm_kit_unmarked(e->arena, vidmm_kit_slashes(e->arena, item));
    char *path = name[0] == '/' ? name : vidmm_text(e->arena, "%s/%s", e->folder, name);

    for (unsigned up = 0; up <= VIDMM_KIT_FOLDERS_UP; up++) {
        add_projects_of(e, path, found);
        char *slash = strrchr(path, '/');
        if (slash == NULL || slash == path || strcmp(slash, "/..") == 0)
            break;
        *slash = 0;
    }
}

static void add_candidates(struct vidmm_kit_evaluation *e, const char *item,
                           struct vidmm_texts *found)
{
    struct vidmm_texts folders = {0};
    const char *list = vidmm_kit_metadata(&e->link, "AdditionalLibraryDirectories");
    const char *path = vidmm_kit_slashes(e->arena, item), *slash = strrchr(path, '/');

    if (e->project->solution != NULL)
        vidmm_texts_add_all(e->arena, found, &e->project->solution->paths);
    if (slash != NULL)
        add_projects_above(e, vidmm_text_cut(e->arena, path, (size_t)(slash - path)), found);
    vidmm_texts_split(e->arena, &folders, list, ";");
    for (size_t i = 0; i < folders.count; i++)
        if (!vidmm_kit_of_tool_set(folders.word[i]))
            add_projects_above(e, folders.word[i], found);
    add_projects_beside(e, vidmm_text(e->arena, "%s/..", e->folder), found);
}

/* ---- what they make -------------------------------------------------------------------------- */

static bool makes(struct vidmm_kit_evaluation *e, const char *name)
{
    const char *output = vidmm_kit_metadata(&e->librarian, "OutputFile");
    const char *target = vidmm_kit_metadata(&e->variables, "TargetName");

    if (strcasecmp(vidmm_kit_metadata(&e->variables, "ConfigurationType"), "StaticLibrary") != 0)
        return false;
    return strcasecmp(name, *output != 0 ? vidmm_kit_library_name(e->arena, output) : target) ==
               0 ||
           strcasecmp(name, target) == 0;
}

static const char *maker_of(struct vidmm_kit_evaluation *e, const char *item, const char *name)
{
    struct vidmm_texts candidates = {0};
    const char *found = NULL;

    add_candidates(e, item, &candidates);
    for (size_t i = 0; i < candidates.count && found == NULL; i++) {
        if (strcmp(candidates.word[i], e->file) == 0)
            continue;
        struct vidmm_kit_evaluation *other = vidmm_kit_look_at(e->project, candidates.word[i]);
        if (other != NULL && makes(other, name))
            found = candidates.word[i];
        if (other != NULL)
            vidmm_kit_close(other);
    }
    return found;
}

static bool is_read(const struct vidmm_kit_project *project, const char *name)
{
    for (unsigned i = 1; i < project->count; i++)
        if (strcasecmp(project->targets[i].name, name) == 0)
            return true;
    return false;
}

static bool read_library(struct vidmm_kit_evaluation *e, const char *item)
{
    const char *name = vidmm_kit_library_name(e->arena, item), *path;

    if (vidmm_kit_of_tool_set(item) || vidmm_kit_unknown(e->arena, item) != NULL || *name == 0 ||
        vidmm_kit_has_library(name) || is_read(e->project, name))
        return true;
    if ((path = maker_of(e, item, name)) != NULL) {
        vidmm_kit_note(e->project, "%s.lib is linked by name: it is built from %s", name, path);
        return vidmm_kit_read_library(e->project, path);
    }
    vidmm_kit_note(e->project,
                   "%s links %s.lib, which no project here makes; if the driver wants it, name the "
                   "project that does: --library FILE.vcxproj",
                   e->file, name);
    return true;
}

bool vidmm_kit_read_libraries(struct vidmm_kit_evaluation *e)
{
    struct vidmm_texts items = {0};
    bool done = true;

    for (size_t i = 0; i < e->project->libraries.count && done; i++)
        done = vidmm_kit_read_library(e->project, e->project->libraries.word[i]);
    vidmm_texts_split(e->arena, &items, vidmm_kit_metadata(&e->link, "AdditionalDependencies"),
                      "; \t\r\n");
    for (size_t i = 0; i < items.count && done; i++)
        done = read_library(e, items.word[i]);
    return done;
}
