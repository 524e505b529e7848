/* solution.c: see solution.h. */
#include "import/solution.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/posix_file.h"
#include "import/includes.h"
#include "import/project.h"

#define BYTES_MOST (16u << 20)

/* The index-th text in quotes of a line, from 0; NULL: it has fewer. */
static char *quoted(struct vidmm_arena *arena, const char *line, unsigned index)
{
    for (;; index--) {
        const char *from = strchr(line, '"');
        const char *to = from != NULL ? strchr(from + 1, '"') : NULL;
        if (to == NULL)
            return NULL;
        if (index == 0)
            return vidmm_text_cut(arena, from + 1, (size_t)(to - from - 1));
        line = to + 1;
    }
}

/* Project("{KIND}") = "NAME", "PATH", "{ID}" */
static void read_member(struct vidmm_arena *arena, struct vidmm_kit_solution *solution,
                        const char *line)
{
    const char *name = quoted(arena, line, 2), *id = quoted(arena, line, 3);

    if (id == NULL || fnmatch("*.vcxproj", name, FNM_CASEFOLD) != 0)
        return;
    char *path = vidmm_kit_find_file(arena, solution->folder, name);
    char *whole = path != NULL ? realpath(path, NULL) : NULL;
    if (whole == NULL) {
        vidmm_texts_add(arena, &solution->missing, name);
        return;
    }
    vidmm_texts_add(arena, &solution->paths, vidmm_text(arena, "%s", whole));
    vidmm_texts_add(arena, &solution->ids, id);
    free(whole);
}

/* {ID}.FROM.ActiveCfg = TO */
static void read_pair(struct vidmm_arena *arena, struct vidmm_kit_solution *solution,
                      const char *line)
{
    const char *end = strstr(line, ".ActiveCfg"), *close = strchr(line, '}');
    const char *equals = end != NULL ? strchr(end, '=') : NULL;

    if (equals == NULL || close == NULL || close[1] != '.' || close + 2 > end)
        return;
    const char *to = equals + 1 + strspn(equals + 1, " ");
    vidmm_texts_add(arena, &solution->owner,
                    vidmm_text_cut(arena, line, (size_t)(close + 1 - line)));
    vidmm_texts_add(arena, &solution->from,
                    vidmm_text_cut(arena, close + 2, (size_t)(end - close - 2)));
    vidmm_texts_add(arena, &solution->to, to);
}

struct vidmm_kit_solution *vidmm_kit_read_solution(struct vidmm_kit_project *project,
                                                   const char *path)
{
    struct vidmm_arena *arena = project->arena;
    struct vidmm_kit_solution *solution = vidmm_arena_take(arena, sizeof(*solution));
    struct vidmm_texts lines = {0};
    size_t size;
    char why[600], *text = vidmm_file_read(path, BYTES_MOST, &size, why, sizeof(why));
    char *whole = realpath(path, NULL);

    if (text != NULL && whole != NULL) {
        solution->file = vidmm_text(arena, "%s", whole);
        solution->folder = vidmm_text_cut(arena, whole, (size_t)(strrchr(whole, '/') - whole));
        vidmm_texts_split(arena, &lines, text, "\r\n");
    } else {
        vidmm_kit_refuse(project, "%s", why);
    }
    for (size_t i = 0; i < lines.count; i++)
        if (strncmp(lines.word[i], "Project(", 8) == 0)
            read_member(arena, solution, lines.word[i]);
        else if (lines.word[i][0] == '{')
            read_pair(arena, solution, lines.word[i]);
    bool done = text != NULL && whole != NULL;
    free(text);
    free(whole);
    return done ? solution : NULL;
}

struct vidmm_kit_solution *vidmm_kit_solution_above(struct vidmm_kit_project *project,
                                                    const char *folder)
{
    char *at = vidmm_text(project->arena, "%s", folder);
    const char *found = NULL;

    while (*at != 0 && found == NULL) {
        DIR *directory = opendir(at);
        for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
            if (fnmatch("*.sln", entry->d_name, FNM_CASEFOLD) == 0 &&
                (found == NULL || strcmp(entry->d_name, strrchr(found, '/') + 1) < 0))
                found = vidmm_text(project->arena, "%s/%s", at, entry->d_name);
        if (directory != NULL)
            closedir(directory);
        char *slash = strrchr(at, '/');
        *(slash != NULL ? slash : at) = 0;
    }
    return found != NULL ? vidmm_kit_read_solution(project, found) : NULL;
}

static const char *id_of(const struct vidmm_kit_solution *solution, const char *path)
{
    for (size_t i = 0; i < solution->paths.count; i++)
        if (strcmp(solution->paths.word[i], path) == 0)
            return solution->ids.word[i];
    return NULL;
}

const char *vidmm_kit_solution_of(const struct vidmm_kit_solution *solution, const char *path,
                                  const char *configuration)
{
    const char *id = id_of(solution, path);

    for (size_t i = 0; id != NULL && i < solution->from.count; i++)
        if (strcasecmp(solution->owner.word[i], id) == 0 &&
            strcasecmp(solution->from.word[i], configuration) == 0)
            return solution->to.word[i];
    return NULL;
}

const char *vidmm_kit_solution_pair(const struct vidmm_kit_solution *solution, const char *path,
                                    const char *configuration, const char *other)
{
    const char *id = id_of(solution, path), *answer = NULL;

    for (size_t i = 0; id != NULL && answer == NULL && i < solution->from.count; i++)
        if (strcasecmp(solution->owner.word[i], id) == 0 &&
            strcasecmp(solution->to.word[i], configuration) == 0)
            answer = vidmm_kit_solution_of(solution, other, solution->from.word[i]);
    return answer;
}
