/*
 * includes.c: see includes.h.
 *
 * The folder that is made is deep (DEPTH below `made`), so that "../Inc/x.h" stays below `made`
 * too. A name with backslashes is one file name there.
 *
 * I1  A file is read once a source.
 * I2  A name is written once; the first file it means is the one.
 */
#include "import/includes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/posix_file.h"
#include "import/place.h"
#include "import/wpp.h"

#define DEPTH "/i/i/i/i/i/i"
#define DEEP 6
#define FILE_MOST (64u << 20)

struct scan {
    struct vidmm_arena *arena;
    const struct vidmm_kit_place *place;
    const struct vidmm_kit_includes *wish;
    struct vidmm_texts seen;             /* files read */
    struct vidmm_texts spelled, targets; /* a name and the file it means */
    struct vidmm_texts traces;           /* names that end in .tmh and are nowhere */
    struct vidmm_kit_wpp wpp;
    struct vidmm_texts *warnings;
};

/* The file being read, and whoever includes it. */
struct frame {
    const struct frame *outer;
    const char *folder;
};

/* ---- files and folders ----------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static char *folder_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? vidmm_text(arena, ".")
                         : vidmm_text_cut(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

bool vidmm_kit_make_folder(struct vidmm_arena *arena, const char *path)
{
    char *part = vidmm_text(arena, "%s", path);

    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part, 0777) == 0 || errno == EEXIST;
}

/* The entry of a folder that is `name` but for case. */
static char *loose_entry(struct vidmm_arena *arena, const char *folder, const char *name)
{
    char *exact = vidmm_text(arena, "%s/%s", folder, name), *found = NULL;
    DIR *directory = access(exact, F_OK) == 0 ? NULL : opendir(folder);

    if (directory == NULL)
        return access(exact, F_OK) == 0 ? exact : NULL;
    for (struct dirent *entry; found == NULL && (entry = readdir(directory)) != NULL;)
        if (strcasecmp(entry->d_name, name) == 0)
            found = vidmm_text(arena, "%s/%s", folder, entry->d_name);
    closedir(directory);
    return found;
}

char *vidmm_kit_find_file(struct vidmm_arena *arena, const char *folder, const char *name)
{
    struct vidmm_texts parts = {0};
    char *path = name[0] == '/' ? vidmm_text(arena, "/") : vidmm_text(arena, "%s", folder);

    vidmm_texts_split(arena, &parts, name, "/\\");
    for (size_t i = 0; i < parts.count && path != NULL; i++)
        path = loose_entry(arena, path, parts.word[i]);
    return path != NULL && is_file(path) ? path : NULL;
}

/* ---- what an #include means ------------------------------------------------------------------ */

/* As the compiler finds it. */
static char *find_exact(struct scan *scan, const struct frame *frame, const char *name, bool quoted)
{
    const char *const kit[] = {scan->place->kit, scan->place->wddm};
    char *path = vidmm_text(scan->arena, "%s%s%s", name[0] == '/' ? "" : frame->folder,
                            name[0] == '/' ? "" : "/", name);

    if ((quoted || name[0] == '/') && is_file(path))
        return path;
    for (size_t i = 0; i < scan->wish->folders.count + 2; i++) {
        size_t own = scan->wish->folders.count;
        const char *folder = i < own ? scan->wish->folders.word[i] : kit[i - own];
        path = vidmm_text(scan->arena, "%s/%s", folder, name);
        if (is_file(path))
            return path;
    }
    return NULL;
}

/* As it may have been meant. */
static char *find_loose(struct scan *scan, const struct frame *frame, const char *name)
{
    const char *const kit[] = {scan->place->kit, scan->place->wddm};
    char *path = NULL;

    for (; frame != NULL && path == NULL; frame = frame->outer)
        path = vidmm_kit_find_file(scan->arena, frame->folder, name);
    for (size_t i = 0; path == NULL && i < scan->wish->folders.count; i++)
        path = vidmm_kit_find_file(scan->arena, scan->wish->folders.word[i], name);
    for (size_t i = 0; path == NULL && i < 2; i++)
        path = vidmm_kit_find_file(scan->arena, kit[i], name);
    return path;
}

/* Whether a file of that name would stand below `made`: DEPTH has room for so many .. */
static bool stays(const char *name)
{
    int depth = DEEP;

    for (size_t length; *name != 0; name += length + (name[length] != 0)) {
        length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0)
            depth--;
        else if (length > 1 || (length == 1 && *name != '.'))
            depth++;
        if (depth < 0)
            return false;
    }
    return true;
}

static void forward_as(struct scan *scan, const char *name, const char *target)
{
    char *whole = realpath(target, NULL);
    const char *path = vidmm_text(scan->arena, "%s", whole != NULL ? whole : target);

    free(whole);
    if (!stays(name)) {
        vidmm_texts_add(scan->arena, scan->warnings,
                        vidmm_text(scan->arena,
                                   "#include '%s' means %s: it has too many .. to be put right",
                                   name, path));
        return;
    }
    for (size_t i = 0; i < scan->spelled.count; i++) {
        if (strcmp(scan->spelled.word[i], name) != 0)
            continue;
        if (strcmp(scan->targets.word[i], path) != 0)
            vidmm_texts_add(scan->arena, scan->warnings,
                            vidmm_text(scan->arena,
                                       "#include '%s' may mean %s or %s; the first is taken", name,
                                       scan->targets.word[i], path));
        return;
    }
    vidmm_texts_add(scan->arena, &scan->spelled, name);
    vidmm_texts_add(scan->arena, &scan->targets, path);
}

/* Some compilers take backslashes for slashes before they look, some do not. */
static void forward(struct scan *scan, const char *name, const char *target)
{
    char *slashed = vidmm_text(scan->arena, "%s", name);

    for (char *at = slashed; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    forward_as(scan, name, target);
    if (strcmp(slashed, name) != 0)
        forward_as(scan, slashed, target);
}

static bool ends_in_tmh(const char *name)
{
    size_t length = strlen(name);

    return length > 4 && strcasecmp(name + length - 4, ".tmh") == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_source(struct scan *scan, const struct frame *outer, const char *path);

static void take_include(struct scan *scan, const struct frame *frame, const char *name,
                         bool quoted)
{
    char *path = find_exact(scan, frame, name, quoted);

    if (path == NULL && (path = find_loose(scan, frame, name)) != NULL)
        forward(scan, name, path);
    if (path != NULL)
        read_source(scan, frame, path);
    else if (ends_in_tmh(name) && stays(name) && !vidmm_texts_has(&scan->traces, name))
        vidmm_texts_add(scan->arena, &scan->traces, name);
}

/* `# include "name"` or <name>, and nothing else. */
static void read_line(struct scan *scan, const struct frame *frame, const char *line)
{
    static const char blanks[] = " \t";

    line += strspn(line, blanks);
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, blanks);
    if (strncmp(line, "include", 7) != 0)
        return;
    line += 7 + strspn(line + 7, blanks);
    size_t length = *line == '"'   ? strcspn(line + 1, "\"\r\n")
                    : *line == '<' ? strcspn(line + 1, ">\r\n")
                                   : 0;
    if (length > 0 && (line[length + 1] == '"' || line[length + 1] == '>'))
        take_include(scan, frame, vidmm_text_cut(scan->arena, line + 1, length), *line == '"');
}

static bool is_ours(const struct scan *scan, const char *path)
{
    return strncmp(path, scan->place->kit, strlen(scan->place->kit)) == 0 ||
           strncmp(path, scan->place->wddm, strlen(scan->place->wddm)) == 0;
}

static void read_source(struct scan *scan, const struct frame *outer, const char *path)
{
    struct frame frame = {.outer = outer, .folder = folder_of(scan->arena, path)};
    size_t size;

    if (is_ours(scan, path) || vidmm_texts_has(&scan->seen, path))
        return;
    vidmm_texts_add(scan->arena, &scan->seen, path);
    char *text = vidmm_file_read(path, FILE_MOST, &size, NULL, 0);
    if (text == NULL)
        return; /* the compiler says so */
    vidmm_kit_wpp_read(scan->arena, &scan->wpp, text);
    for (char *line = text, *end; line != NULL; line = end != NULL ? end + 1 : NULL) {
        end = strchr(line, '\n');
        read_line(scan, &frame, line);
    }
    free(text);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_text(struct scan *scan, const char *name, const char *text, const char **error)
{
    char why[PATH_MAX + 200];
    char *path = vidmm_text(scan->arena, "%s" DEPTH "/%s", scan->wish->made, name);

    if (!vidmm_kit_make_folder(scan->arena, folder_of(scan->arena, path))) {
        *error = vidmm_text(scan->arena, "%s: %s", folder_of(scan->arena, path), strerror(errno));
        return false;
    }
    size_t size;
    char *old = vidmm_file_read(path, FILE_MOST, &size, NULL, 0);
    bool same = old != NULL && strcmp(old, text) == 0; /* leave its time alone: nothing changed */
    free(old);
    if (same || vidmm_file_write(path, text, strlen(text), why, sizeof(why)))
        return true;
    *error = vidmm_text(scan->arena, "%s", why);
    return false;
}

static bool write_all(struct scan *scan, const char **error)
{
    const char *header = vidmm_kit_wpp_header(scan->arena, &scan->wpp);

    for (size_t i = 0; i < scan->spelled.count; i++)
        if (!write_text(scan, scan->spelled.word[i],
                        vidmm_text(scan->arena, "#include \"%s\"\n", scan->targets.word[i]), error))
            return false;
    for (size_t i = 0; i < scan->traces.count; i++)
        if (!write_text(scan, scan->traces.word[i], header, error))
            return false;
    return true;
}

bool vidmm_kit_includes(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                        const struct vidmm_kit_includes *includes, const char **include,
                        struct vidmm_texts *warnings, const char **error)
{
    struct scan scan = {.arena = arena, .place = place, .wish = includes, .warnings = warnings};
    struct frame top = {.folder = folder_of(arena, includes->source)};

    *include = NULL;
    for (size_t i = 0; i < includes->trace_files.count; i++)
        read_source(&scan, NULL, includes->trace_files.word[i]);
    for (size_t i = 0; i < includes->trace_functions.count; i++)
        vidmm_kit_wpp_func(arena, &scan.wpp, includes->trace_functions.word[i]);
    for (size_t i = 0; i < includes->forced.count; i++)
        take_include(&scan, &top, includes->forced.word[i], true);
    read_source(&scan, NULL, includes->source);
    if (scan.spelled.count + scan.traces.count == 0)
        return true;
    *include = vidmm_text(arena, "%s" DEPTH, includes->made);
    return write_all(&scan, error);
}
