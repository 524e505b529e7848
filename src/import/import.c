/*
 * import.c: see import.h.
 */
#include "import/import.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "host/exit.h"
#include "import/expand.h"
#include "import/place.h"
#include "import/project.h"
#include "import/solution.h"

struct arguments {
    const char *path, *out, *configuration, *platform;
    struct vidmm_kit_variables given;
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* The value of an option `--name VALUE` or `--name=VALUE`; NULL: the argument is not that option,
 * or *missing. */
static const char *value_of(const char *name, int count, char *const *arguments, int *used,
                            bool *missing)
{
    size_t length = strlen(name);

    if (strncmp(arguments[0], name, length) != 0 || strchr("=", arguments[0][length]) == NULL)
        return NULL;
    if (arguments[0][length] == '=')
        return arguments[0] + length + 1;
    *used = 2;
    *missing = count < 2;
    return count < 2 ? NULL : arguments[1];
}

static bool set_given(struct vidmm_kit_project *project, struct arguments *a, const char *text)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text)
        return vidmm_kit_refuse(project, "--set '%s' is no NAME=VALUE", text);
    vidmm_kit_set(project->arena, &a->given,
                  vidmm_text_cut(project->arena, text, (size_t)(equals - text)), equals + 1);
    return true;
}

static bool define_given(struct vidmm_kit_project *project, const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return vidmm_kit_refuse(project, "--define '%s' is no NAME or NAME=VALUE", text);
    vidmm_texts_add(project->arena, &project->defines, text);
    return true;
}

static bool take(struct vidmm_kit_project *project, struct arguments *a, int count,
                 char *const *arguments, int *used)
{
    bool missing = false;
    const char *value;

    if (strcmp(arguments[0], "--programs") == 0)
        project->programs = true;
    else if ((value = value_of("--configuration", count, arguments, used, &missing)) != NULL)
        a->configuration = value;
    else if (!missing && (value = value_of("--platform", count, arguments, used, &missing)) != NULL)
        a->platform = value;
    else if (!missing && (value = value_of("-o", count, arguments, used, &missing)) != NULL)
        a->out = value;
    else if (!missing && (value = value_of("--set", count, arguments, used, &missing)) != NULL)
        return set_given(project, a, value);
    else if (!missing && (value = value_of("--define", count, arguments, used, &missing)) != NULL)
        return define_given(project, value);
    else if (!missing && (value = value_of("--library", count, arguments, used, &missing)) != NULL)
        vidmm_texts_add(project->arena, &project->libraries, value);
    else if (missing)
        return vidmm_kit_refuse(project, "%s needs a value", arguments[0]);
    else if (arguments[0][0] == '-')
        return vidmm_kit_refuse(project, "'%s' is no option of import", arguments[0]);
    else if (a->path != NULL)
        return vidmm_kit_refuse(project, "unexpected argument '%s'", arguments[0]);
    else
        a->path = arguments[0];
    return true;
}

/* ---- which file ------------------------------------------------------------------------------ */

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);

    return length > tail && strcasecmp(name + length - tail, suffix) == 0;
}

/* The project file of a folder: its one driver's .vcxproj, `sources`, or its one solution. */
static const char *choose(struct vidmm_kit_project *project, const char *folder)
{
    struct vidmm_arena *arena = project->arena;
    struct vidmm_texts projects = {0}, solutions = {0};
    const char *sources = NULL;
    DIR *directory = opendir(folder);

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char *path = vidmm_text(arena, "%s/%s", folder, entry->d_name);
        if (ends_in(entry->d_name, ".vcxproj"))
            vidmm_texts_add(arena, &projects, path);
        if (ends_in(entry->d_name, ".sln"))
            vidmm_texts_add(arena, &solutions, path);
        if (strcasecmp(entry->d_name, "sources") == 0)
            sources = path;
    }
    if (directory != NULL)
        closedir(directory);
    if (projects.count == 1)
        return projects.word[0];
    if (projects.count > 1)
        return vidmm_kit_pick_driver(project, &projects, folder);
    if (sources != NULL || solutions.count == 1)
        return sources != NULL ? sources : solutions.word[0];
    if (solutions.count > 1)
        vidmm_kit_refuse(project, "%s has several solutions, name one: %s", folder,
                         vidmm_texts_join(arena, &solutions, ", "));
    else
        vidmm_kit_refuse(project, "%s has neither a .vcxproj or .sln nor a `sources` file", folder);
    return NULL;
}

/* The driver of a solution. The configuration asked for is the solution's. */
static const char *of_solution(struct vidmm_kit_project *project, const char *path)
{
    struct vidmm_kit_solution *solution = vidmm_kit_read_solution(project, path);

    if ((project->solution = solution) == NULL)
        return NULL;
    for (size_t i = 0; i < solution->missing.count; i++)
        vidmm_kit_note(project, "%s names %s, which is not there", path, solution->missing.word[i]);
    return vidmm_kit_pick_driver(project, &solution->paths, path);
}

static bool read(struct vidmm_kit_project *project, const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return vidmm_kit_refuse(project, "%s is not there", path);
    if (S_ISDIR(status.st_mode))
        path = choose(project, path);
    if (path != NULL && ends_in(path, ".sln"))
        path = of_solution(project, path);
    if (project->error != NULL)
        return false;
    return ends_in(path, ".vcxproj") ? vidmm_kit_read_msbuild(project, path)
                                     : vidmm_kit_read_sources(project, path);
}

/* A definition of the caller counts, whatever the project says. */
static bool define_in_all(struct vidmm_kit_project *project)
{
    bool done = true;

    for (unsigned i = 0; i < project->count; i++)
        for (struct vidmm_kit_source *source = project->targets[i].sources.first; source != NULL;
             source = source->next)
            for (size_t k = 0; k < project->defines.count && done; k++)
                done = vidmm_kit_add_define(project, source, project->defines.word[k], "--define");
    return done;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool import(struct vidmm_kit_project *project, int count, char *const *words)
{
    struct arguments a = {.platform = "x64"};
    struct vidmm_kit_place place;

    for (int i = 0, used; i < count; i += used) {
        used = 1;
        if (!take(project, &a, count - i, words + i, &used))
            return false;
    }
    if (a.path == NULL)
        return vidmm_kit_refuse(project,
                                "which project? vidmm kit import DIR|FILE.vcxproj|FILE.sln");
    project->named = a.configuration != NULL;
    project->configuration = project->named ? a.configuration : "Release";
    project->platform = a.platform;
    project->given = &a.given;
    if (!vidmm_kit_place(project->arena, &place, &project->error))
        return false;
    project->self = place.self;
    if (!read(project, a.path) || !define_in_all(project))
        return false;
    const char *name = project->targets[0].name;
    const char *out = a.out != NULL ? a.out : vidmm_text(project->arena, "%s-kit", name);
    if (!vidmm_kit_write_ninja(project, out))
        return false;
    for (size_t i = 0; i < project->notes.count; i++)
        fprintf(stderr, "note: %s\n", project->notes.word[i]);
    printf("%s: %s|%s, %u static libraries; build it with: ninja -C %s\n", name,
           project->configuration, project->platform, project->count - 1, out);
    return true;
}

int vidmm_kit_import(int count, char *const *arguments)
{
    struct vidmm_arena arena = {0};
    struct vidmm_kit_project *project = vidmm_arena_take(&arena, sizeof(*project));

    project->arena = &arena;
    bool done = import(project, count, arguments);
    if (!done)
        fprintf(stderr, "vidmm kit import: %s\n", project->error);
    vidmm_arena_finish(&arena);
    return done ? VIDMM_CLEAN : VIDMM_COULD_NOT_RUN;
}
