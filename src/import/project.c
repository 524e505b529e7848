/*
 * project.c: see project.h.
 */
#include "import/project.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "import/expand.h"
#include "import/includes.h"
#include "import/quote.h"
#include "import/steps.h"

bool vidmm_kit_refuse(struct vidmm_kit_project *project, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (project->error == NULL)
        project->error = vidmm_text_v(project->arena, format, arguments);
    va_end(arguments);
    return false;
}

void vidmm_kit_note(struct vidmm_kit_project *project, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *note = vidmm_text_v(project->arena, format, arguments);
    va_end(arguments);
    if (!vidmm_texts_has(&project->notes, note))
        vidmm_texts_add(project->arena, &project->notes, note);
}

bool vidmm_kit_plain(struct vidmm_kit_project *project, const char *text, const char *where)
{
    unsigned control = vidmm_quote_control(text);

    return control == 0 ||
           vidmm_kit_refuse(project, "%s has the control character 0x%02x: '%s'", where, control,
                            vidmm_quote_shown(project->arena, text));
}

struct vidmm_kit_target *vidmm_kit_add_target(struct vidmm_kit_project *project, const char *file,
                                              const char *name)
{
    if (project->count == VIDMM_KIT_TARGETS) {
        vidmm_kit_refuse(project, "%s: more than %u projects", file, VIDMM_KIT_TARGETS);
        return NULL;
    }
    const char *bad = vidmm_quote_bad_name(name);
    if (!vidmm_kit_plain(project, name, vidmm_text(project->arena, "%s: TargetName", file)))
        return NULL;
    if (bad != NULL) {
        vidmm_kit_refuse(project, "%s: TargetName '%s' %s", file, name, bad);
        return NULL;
    }
    struct vidmm_kit_target *target = &project->targets[project->count++];
    *target = (struct vidmm_kit_target){.file = file, .name = name};
    return target;
}

static bool ends_in(const char *path, const char *const *suffixes)
{
    const char *dot = strrchr(path, '.');

    for (; dot != NULL && *suffixes != NULL; suffixes++)
        if (strcasecmp(dot, *suffixes) == 0)
            return true;
    return false;
}

/* The file of that name that a step of the build will make; NULL: none does. */
static char *made(struct vidmm_kit_project *project, const char *folder, const char *name)
{
    char *path = name[0] == '/' ? vidmm_text(project->arena, "%s", name)
                                : vidmm_text(project->arena, "%s/%s", folder, name);

    for (char *at = path; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    for (const struct vidmm_kit_step *step = project->steps; step != NULL; step = step->next)
        if (vidmm_texts_has(&step->outputs, path))
            return path;
    return NULL;
}

struct vidmm_kit_source *vidmm_kit_add_source(struct vidmm_kit_project *project,
                                              struct vidmm_kit_target *target, const char *folder,
                                              const char *name)
{
    static const char *const c[] = {".c", NULL}, *const cxx[] = {".cpp", ".cxx", ".cc", NULL};

    if (!vidmm_kit_plain(project, name, vidmm_text(project->arena, "%s: a source", target->file)))
        return NULL;
    if (!ends_in(name, c) && !ends_in(name, cxx)) {
        vidmm_kit_note(project, "%s is left out: it is neither C nor C++", name);
        return NULL;
    }
    char *path = vidmm_kit_find_file(project->arena, folder, name);
    if (path == NULL)
        path = made(project, folder, name);
    if (path == NULL) {
        vidmm_kit_refuse(project, "%s: there is no source '%s' in %s", target->file, name, folder);
        return NULL;
    }
    char *whole = realpath(path, NULL);
    struct vidmm_kit_source *source = vidmm_arena_take(project->arena, sizeof(*source));
    source->path = vidmm_text(project->arena, "%s", whole != NULL ? whole : path);
    free(whole);
    source->cxx = ends_in(name, cxx);
    vidmm_kit_sources_add(&target->sources, source);
    return source;
}

/* Whether an item may be used: not if it is the tool set's; *bad: it has an unknown in it. */
static bool usable(struct vidmm_kit_project *project, const char *item, const char *where,
                   bool *bad)
{
    char *unknown = vidmm_kit_unknown(project->arena, item);

    if (unknown != NULL) {
        vidmm_kit_refuse(project, "%s: $(%s) is set nowhere; give it with --set %s=VALUE", where,
                         unknown, unknown);
        *bad = true;
    } else if (!vidmm_kit_of_tool_set(item) && !vidmm_kit_plain(project, item, where)) {
        *bad = true;
        return false;
    }
    return unknown == NULL && !vidmm_kit_of_tool_set(item);
}

/* The last definition of a name is the one that counts, as for Microsoft's compiler. */
static void define(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                   const char *item)
{
    char *flag = vidmm_text(project->arena, "-D%s", item);
    size_t length = strcspn(flag, "=");

    for (size_t i = 0; i < source->flags.count; i++) {
        char **word = &source->flags.word[i];

        if (strncmp(*word, flag, length) == 0 && ((*word)[length] == '=' || (*word)[length] == 0)) {
            *word = flag;
            return;
        }
    }
    vidmm_texts_add(project->arena, &source->flags, flag);
}

bool vidmm_kit_add_define(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                          const char *item, const char *where)
{
    bool bad = false;

    if (usable(project, item, where, &bad))
        define(project, source, item);
    return !bad;
}

bool vidmm_kit_add_defines(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                           const char *list, const char *where)
{
    struct vidmm_texts items = {0};
    bool done = true;

    vidmm_texts_split(project->arena, &items, list, ";");
    for (size_t i = 0; i < items.count && done; i++)
        done = vidmm_kit_add_define(project, source, items.word[i], where);
    return done;
}

/* A folder whatever its case; NULL: there is none. */
static char *find_folder(struct vidmm_arena *arena, const char *folder, const char *name)
{
    struct vidmm_texts parts = {0};
    char *path = name[0] == '/' ? vidmm_text(arena, "/") : vidmm_text(arena, "%s", folder);

    vidmm_texts_split(arena, &parts, name, "/\\");
    for (size_t i = 0; i < parts.count && path != NULL; i++) {
        char *next = vidmm_text(arena, "%s/%s", path, parts.word[i]);
        struct stat status;
        DIR *directory = stat(next, &status) == 0 && S_ISDIR(status.st_mode) ? NULL : opendir(path);
        if (directory != NULL) {
            next = NULL;
            for (struct dirent *entry; next == NULL && (entry = readdir(directory)) != NULL;)
                if (strcasecmp(entry->d_name, parts.word[i]) == 0)
                    next = vidmm_text(arena, "%s/%s", path, entry->d_name);
            closedir(directory);
        }
        path = next;
    }
    char *whole = path != NULL ? realpath(path, NULL) : NULL;
    path = whole != NULL ? vidmm_text(arena, "%s", whole) : NULL;
    free(whole);
    return path;
}

bool vidmm_kit_add_folders(struct vidmm_kit_project *project, struct vidmm_kit_source *source,
                           const char *folder, const char *list, const char *where)
{
    struct vidmm_texts items = {0};
    bool bad = false;

    vidmm_texts_split(project->arena, &items, list, ";");
    for (size_t i = 0; i < items.count && !bad; i++) {
        if (!usable(project, items.word[i], where, &bad))
            continue;
        char *path = find_folder(project->arena, folder, items.word[i]);
        if (path == NULL)
            vidmm_kit_note(project, "the include folder %s is not there (%s)", items.word[i],
                           where);
        else
            vidmm_texts_add(project->arena, &source->flags,
                            vidmm_text(project->arena, "-I%s", path));
    }
    return !bad;
}
