/*
 * tree.c: see tree.h.
 */
#include "import/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/arena.h"

#define ENTRIES_MOST 200000u /* of all folders that a pattern looks at */

/* ---- where a path leads ---------------------------------------------------------------------- */

/* The path with every `..` and every link resolved, as far as there is something already. */
static char *resolved(struct vidmm_arena *arena, const char *folder, const char *path)
{
    struct vidmm_texts parts = {0};
    char real[PATH_MAX], *at = vidmm_text(arena, "%s", "");

    vidmm_texts_split(arena, &parts,
                      path[0] == '/' ? path : vidmm_text(arena, "%s/%s", folder, path), "/");
    for (size_t i = 0; i < parts.count; i++) {
        char *slash = strrchr(at, '/');
        if (strcmp(parts.word[i], ".") == 0)
            continue;
        if (strcmp(parts.word[i], "..") != 0)
            at = vidmm_text(arena, "%s/%s", at, parts.word[i]);
        else if (slash != NULL)
            *slash = 0;
        if (realpath(at, real) != NULL)
            at = vidmm_text(arena, "%s", strcmp(real, "/") == 0 ? "" : real);
    }
    return at;
}

bool vidmm_kit_inside(struct vidmm_arena *arena, const char *root, const char *folder,
                      const char *path)
{
    const char *to = resolved(arena, folder, path), *from = resolved(arena, "/", root);
    size_t length = strlen(from);

    return strncmp(to, from, length) == 0 && (to[length] == 0 || to[length] == '/');
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* The last * passed takes one character more whenever what follows it does not match. */
bool vidmm_kit_matches(const char *pattern, const char *name, bool deep)
{
    const char *star = NULL, *from = NULL;

    while (*name != 0) {
        if (*pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (tolower((unsigned char)*pattern) == tolower((unsigned char)*name) ||
                   (*pattern == '?' && *name != '/')) {
            pattern++;
            name++;
        } else if (star != NULL && (deep || *from != '/')) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

struct walk {
    struct vidmm_arena *arena;
    const char *folder, *pattern;
    bool deep;
    struct vidmm_texts *names;
    unsigned entries;
};

/* All files below folder/relative that match. */
static void walk(struct walk *w, const char *relative)
{
    DIR *directory = opendir(vidmm_text(w->arena, "%s/%s", w->folder, relative));

    for (struct dirent *entry;
         directory != NULL && w->entries <= ENTRIES_MOST && (entry = readdir(directory)) != NULL;
         w->entries++) {
        struct stat status;
        char *name =
            vidmm_text(w->arena, "%s%s%s", relative, *relative != 0 ? "/" : "", entry->d_name);
        if (entry->d_name[0] == '.' ||
            lstat(vidmm_text(w->arena, "%s/%s", w->folder, name), &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            walk(w, name);
        else if (vidmm_kit_matches(w->pattern, name, w->deep))
            vidmm_texts_add(w->arena, w->names, name);
    }
    if (directory != NULL)
        closedir(directory);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool vidmm_kit_glob(struct vidmm_arena *arena, const char *root, const char *folder,
                    const char *pattern, struct vidmm_texts *names, const char **error)
{
    char *own = vidmm_text(arena, "%s", pattern), *deep = strstr(own, "**/");
    struct vidmm_texts found = {0};
    struct walk w = {.arena = arena, .folder = folder, .pattern = own, .names = &found};

    if (strpbrk(own, "*?") == NULL) {
        vidmm_texts_add(arena, names, own);
        return true;
    }
    if (deep != NULL) /* `**` stands for any folders, none too */
        memmove(deep + 1, deep + 3, strlen(deep + 3) + 1);
    w.deep = deep != NULL;
    size_t fixed = strcspn(own, "*?");
    while (fixed > 0 && own[fixed - 1] != '/')
        fixed--;
    char *start = vidmm_text_cut(arena, own, fixed > 0 ? fixed - 1 : 0);
    if (own[0] == '/' || !vidmm_kit_inside(arena, root, folder, start)) {
        *error = vidmm_text(arena, "the pattern '%s' leaves the project's tree, %s", pattern, root);
        return false;
    }
    walk(&w, start);
    if (w.entries > ENTRIES_MOST) {
        *error = vidmm_text(arena, "the pattern '%s' means a look at more than %u files", pattern,
                            ENTRIES_MOST);
        return false;
    }
    if (found.count > 0)
        qsort(found.word, found.count, sizeof(*found.word), by_name);
    vidmm_texts_add_all(arena, names, &found);
    return true;
}
