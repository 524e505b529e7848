/*
 * sources.c: a driver kit's `sources` file: NAME=VALUE lines, `\` at the end of a line, #
 * comments, !if !ifdef !ifndef !elseif !else !endif, !include.
 *
 * These names count: TARGETNAME, TARGETTYPE, SOURCES, INCLUDES, C_DEFINES, RUN_WPP, TARGETLIBS, and
 * LINKLIBS for a note. A name that is set nowhere is empty.
 *
 *     TARGETLIBS=$(DDK_LIB_PATH)\ntstrsafe.lib ..\help\$(O)\help.lib
 *
 * The driver kit's own libraries are in this kit. For any other one, the `sources` file that makes
 * it is looked for: in the folders above the library, and beside the driver's.
 *
 * Source: "Sources file macros" of the driver kit's public documentation.
 */
#include "import/project.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/posix_file.h"
#include "import/expand.h"
#include "import/includes.h"

#define FILE_MOST (1u << 20)
#define DEEP_MOST 32u
#define WINDOWS_7 "0x2005" /* the last system that such files are for; see wddm_version.h */

struct reading {
    struct vidmm_kit_project *project;
    struct vidmm_arena *arena;
    struct vidmm_kit_variables variables;
    struct vidmm_texts open; /* files */
    struct branch {
        bool live;  /* this part is read */
        bool taken; /* a part of this !if was */
        bool outer; /* the !if itself is read */
    } branches[DEEP_MOST];
    unsigned deep;
};

static bool live(const struct reading *r)
{
    return r->deep == 0 || r->branches[r->deep - 1].live;
}

static char *folder_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? vidmm_text(arena, ".")
                         : vidmm_text_cut(arena, path, (size_t)(slash - path));
}

static bool read_file(struct reading *r, const char *path);

/* ---- directives ------------------------------------------------------------------------------ */

/* `word` and what stands behind it; NULL: the line begins with another word. */
static const char *behind(const char *line, const char *word)
{
    size_t length = strlen(word);

    line += strspn(line, " \t");
    if (strncasecmp(line, word, length) != 0 || strchr(" \t(\"", line[length]) == NULL)
        return NULL;
    return line + length + strspn(line + length, " \t");
}

static bool truth(struct reading *r, const char *file, unsigned number, const char *condition)
{
    const char *error = NULL;
    bool result =
        vidmm_kit_condition(r->arena, &r->variables, condition, folder_of(r->arena, file), &error);

    if (error != NULL)
        vidmm_kit_refuse(r->project, "%s:%u: %s", file, number, error);
    return result;
}

static bool begin(struct reading *r, const char *file, unsigned number, bool result)
{
    if (r->deep == DEEP_MOST)
        return vidmm_kit_refuse(r->project, "%s:%u: !if too deep", file, number);
    bool outer = live(r);
    r->branches[r->deep++] = (struct branch){outer && result, result, outer};
    return true;
}

static bool conditional(struct reading *r, const char *file, unsigned number, const char *line,
                        bool *is)
{
    const char *rest;
    bool known = true;

    *is = true;
    if ((rest = behind(line, "ifdef")) != NULL || (rest = behind(line, "ifndef")) != NULL) {
        known = vidmm_kit_get(&r->variables,
                              vidmm_text_cut(r->arena, rest, strcspn(rest, " \t"))) != NULL;
        return begin(r, file, number, (behind(line, "ifdef") != NULL) == known);
    }
    if ((rest = behind(line, "if")) != NULL)
        return begin(r, file, number, live(r) && truth(r, file, number, rest));
    bool other = behind(line, "else") != NULL, more = behind(line, "elseif") != NULL;
    bool end = behind(line, "endif") != NULL;
    *is = other || more || end;
    if (*is && r->deep == 0)
        return vidmm_kit_refuse(r->project, "%s:%u: '!%s' without !if", file, number, line);
    struct branch *branch = r->deep > 0 ? &r->branches[r->deep - 1] : NULL;
    if (end) {
        r->deep--;
    } else if (other || more) {
        bool now = branch->outer && !branch->taken &&
                   (other || truth(r, file, number, behind(line, "elseif")));
        branch->live = now;
        branch->taken = branch->taken || now;
    }
    return true;
}

static bool directive(struct reading *r, const char *file, unsigned number, const char *line)
{
    const char *rest;
    bool is;

    if (!conditional(r, file, number, line, &is) || is)
        return r->project->error == NULL;
    if (!live(r) || (rest = behind(line, "include")) == NULL)
        return true;
    char *name = vidmm_kit_expand(r->arena, &r->variables, rest, NULL), *unknown;
    if (vidmm_kit_of_tool_set(name))
        return true;
    if ((unknown = vidmm_kit_unknown(r->arena, name)) != NULL)
        return vidmm_kit_refuse(r->project,
                                "%s:%u: !include %s: $(%s) is set nowhere; give it with "
                                "--set %s=VALUE",
                                file, number, rest, unknown, unknown);
    char *path = vidmm_kit_find_file(r->arena, folder_of(r->arena, file), name);
    if (path == NULL)
        return vidmm_kit_refuse(r->project, "%s:%u: the included file %s is not there", file,
                                number, name);
    return read_file(r, path);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void assign(struct reading *r, char *line)
{
    char *equals = strchr(line, '=');
    struct vidmm_texts name = {0};

    if (equals == NULL)
        return;
    *equals = 0;
    vidmm_texts_split(r->arena, &name, line, " \t");
    if (name.count == 1)
        vidmm_kit_set(r->arena, &r->variables, name.word[0],
                      vidmm_kit_expand(r->arena, &r->variables,
                                       equals + 1 + strspn(equals + 1, " \t"), NULL));
}

static bool take_line(struct reading *r, const char *file, unsigned number, char *line)
{
    char *comment = strchr(line, '#');
    size_t from = strspn(line, " \t");

    if (comment != NULL)
        *comment = 0;
    for (char *at = line; *at != 0; at++) {
        *at = (char)(*at == '\f' || *at == '\t' ? ' ' : *at);
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            return vidmm_kit_refuse(r->project, "%s:%u: the control character 0x%02x", file, number,
                                    (unsigned char)*at);
    }
    if (line[from] == '!')
        return directive(r, file, number, vidmm_text(r->arena, "%s ", line + from + 1));
    if (live(r))
        assign(r, line);
    return true;
}

/* Lines, those that end in \ with the next; a comment ends what it is the last of. */
static bool take_lines(struct reading *r, const char *file, char *text)
{
    unsigned number = 0, first = 1;
    char *whole = vidmm_text(r->arena, "%s", "");

    for (char *line = text, *next; line != NULL && *line != 0; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = 0;
        number++;
        size_t length = strlen(line);
        while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
            line[--length] = 0;
        bool more = length > 0 && line[length - 1] == '\\';
        if (more)
            line[length - 1] = 0;
        first = *whole == 0 ? number : first;
        whole = vidmm_text(r->arena, "%s%s%s", whole, *whole != 0 ? " " : "", line);
        if (more)
            continue;
        if (!take_line(r, file, first, whole))
            return false;
        whole = vidmm_text(r->arena, "%s", "");
    }
    return *whole == 0 || take_line(r, file, first, whole);
}

static bool read_file(struct reading *r, const char *path)
{
    char why[400], *real = realpath(path, NULL);
    char *whole = vidmm_text(r->arena, "%s", real != NULL ? real : path);
    size_t size;

    free(real);
    if (vidmm_texts_has(&r->open, whole))
        return vidmm_kit_refuse(r->project, "%s includes itself", whole);
    if (r->open.count >= DEEP_MOST)
        return vidmm_kit_refuse(r->project, "%s: !include too deep", whole);
    char *text = vidmm_file_read(whole, FILE_MOST, &size, why, sizeof(why));
    if (text == NULL)
        return vidmm_kit_refuse(r->project, "%s", why);
    vidmm_texts_add(r->arena, &r->open, whole);
    unsigned deep = r->deep;
    bool done = take_lines(r, whole, text);
    free(text);
    r->open.word[--r->open.count] = NULL;
    if (done && r->deep != deep)
        return vidmm_kit_refuse(r->project, "%s: an !if has no !endif", whole);
    return done;
}

/* ---- the project ----------------------------------------------------------------------------- */

static const char *value(const struct reading *r, const char *name)
{
    const char *text = vidmm_kit_get(&r->variables, name);

    return text != NULL ? text : "";
}

/* The words of a command line, as the C runtime of Windows parts them: a quote takes the blanks up
 * to the next one in; before a quote two backslashes are one, and \" is a quote of the word. */
static void split_command(struct vidmm_arena *arena, struct vidmm_texts *words, const char *text)
{
    char *word = vidmm_arena_take(arena, strlen(text) + 1);
    size_t length = 0;
    bool quoted = false, begun = false;

    for (;; text++) {
        size_t slashes = strspn(text, "\\");
        bool before_quote = slashes > 0 && text[slashes] == '"';
        for (size_t i = before_quote ? slashes / 2 : slashes; i > 0; i--)
            word[length++] = '\\';
        begun = begun || slashes > 0;
        text += slashes;
        if (*text == 0 || (*text == ' ' && !quoted)) {
            if (begun)
                vidmm_texts_add(arena, words, vidmm_text_cut(arena, word, length));
            length = 0;
            begun = false;
            if (*text == 0)
                return;
            continue;
        }
        begun = true;
        if (*text == '"' && !(before_quote && slashes % 2 == 1))
            quoted = !quoted;
        else
            word[length++] = *text;
    }
}

/* -DNAME /DNAME=VALUE. The file's age gives the version of the interface, unless a define does. */
static bool add_defines(struct reading *r, struct vidmm_kit_source *source, const char *file)
{
    struct vidmm_texts words = {0};
    const char *where = vidmm_text(r->arena, "%s: C_DEFINES", file);
    bool done =
        vidmm_kit_add_define(r->project, source, "DXGKDDI_INTERFACE_VERSION=" WINDOWS_7, where);

    split_command(r->arena, &words, value(r, "C_DEFINES"));
    for (size_t i = 0; i < words.count && done; i++) {
        const char *word = words.word[i];
        if (!vidmm_kit_of_tool_set(word))
            word = vidmm_kit_unmarked(r->arena, word); /* for nmake an unset name is empty */
        if ((word[0] == '-' || word[0] == '/') && word[1] == 'D' && word[2] != 0)
            done = vidmm_kit_add_define(r->project, source, word + 2, where);
    }
    return done;
}

/* INCLUDES: for nmake a name that is set nowhere is empty. */
static char *folders(struct reading *r, const char *file)
{
    struct vidmm_texts words = {0}, kept = {0};

    vidmm_texts_add(r->arena, &kept, ".");
    vidmm_texts_split(r->arena, &words, value(r, "INCLUDES"), ";");
    for (size_t i = 0; i < words.count; i++) {
        const char *unset = vidmm_kit_unknown(r->arena, words.word[i]);
        if (unset == NULL)
            vidmm_texts_add(r->arena, &kept, words.word[i]);
        else if (*vidmm_kit_unmarked(r->arena, words.word[i]) != 0)
            vidmm_kit_note(r->project,
                           "%s: INCLUDES: a folder below $(%s), which is set nowhere, is left out; "
                           "give it with --set %s=VALUE",
                           file, unset, unset);
    }
    return vidmm_texts_join(r->arena, &kept, ";");
}

/* RUN_WPP: -func:NAME(PARAMETERS) a log function, -scan:FILE a file with a configuration. */
static void add_traces(struct reading *r, struct vidmm_kit_source *source, const char *folder)
{
    struct vidmm_texts words = {0};

    vidmm_texts_split(r->arena, &words, value(r, "RUN_WPP"), " \t");
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.word[i];
        const char *path = strncmp(word, "-scan:", 6) == 0
                               ? vidmm_kit_find_file(r->arena, folder, word + 6)
                               : NULL;
        if (path != NULL) {
            vidmm_texts_add(r->arena, &source->flags, "--wpp");
            vidmm_texts_add(r->arena, &source->flags, path);
        }
        if (strncmp(word, "-func:", 6) == 0) {
            vidmm_texts_add(r->arena, &source->flags, "--wpp-func");
            vidmm_texts_add(r->arena, &source->flags, word + 6);
        }
    }
}

static bool add_sources(struct reading *r, struct vidmm_kit_target *target, const char *folder)
{
    struct vidmm_texts names = {0};

    vidmm_texts_split(r->arena, &names, value(r, "SOURCES"), " \t");
    for (size_t i = 0; i < names.count; i++) {
        const char *unset = vidmm_kit_unknown(r->arena, names.word[i]);
        const char *name = vidmm_kit_unmarked(r->arena, names.word[i]);
        if (unset != NULL && *name == 0)
            continue; /* for nmake a name that is set nowhere is empty */
        if (unset != NULL && vidmm_kit_find_file(r->arena, folder, name) == NULL)
            return vidmm_kit_refuse(
                r->project, "%s: SOURCES: $(%s) is set nowhere; give it with --set %s=VALUE",
                target->file, unset, unset);
        struct vidmm_kit_source *source = vidmm_kit_add_source(r->project, target, folder, name);
        if (r->project->error != NULL)
            return false;
        if (source == NULL)
            continue;
        vidmm_texts_add(r->arena, &source->flags,
                        strcasecmp(r->project->configuration, "Debug") == 0 ? "-DDBG=1"
                                                                            : "-DDBG=0");
        add_traces(r, source, folder);
        if (!add_defines(r, source, target->file) ||
            !vidmm_kit_add_folders(r->project, source, folder, folders(r, target->file),
                                   vidmm_text(r->arena, "%s: INCLUDES", target->file)))
            return false;
    }
    return target->sources.first != NULL ||
           vidmm_kit_refuse(r->project, "%s has no C or C++ sources (SOURCES)", target->file);
}

static bool is_library(const char *type)
{
    return strcasecmp(type, "LIBRARY") == 0 || strcasecmp(type, "DRIVER_LIBRARY") == 0;
}

static bool check_type(struct reading *r, const char *file)
{
    const char *type = value(r, "TARGETTYPE");

    if (*value(r, "TARGETNAME") == 0)
        return vidmm_kit_refuse(r->project, "%s sets no TARGETNAME", file);
    if (*type == 0 || strcasecmp(type, "DRIVER") == 0 || strcasecmp(type, "GDI_DRIVER") == 0 ||
        strcasecmp(type, "EXPORT_DRIVER") == 0 || strcasecmp(type, "MINIPORT") == 0)
        return true;
    return vidmm_kit_refuse(r->project, "%s is no driver: its TARGETTYPE is %s", file, type);
}

static struct reading *open_reading(struct vidmm_kit_project *project)
{
    struct reading *r = vidmm_arena_take(project->arena, sizeof(*r));
    bool debug = strcasecmp(project->configuration, "Debug") == 0;

    r->project = project;
    r->arena = project->arena;
    vidmm_kit_bound(r->arena, &r->variables, &project->error);
    for (size_t i = 0; i < project->given->names.count; i++)
        vidmm_kit_fix(r->arena, &r->variables, project->given->names.word[i],
                      project->given->values.word[i]);
    vidmm_kit_set(r->arena, &r->variables, "FREEBUILD", debug ? "0" : "1");
    vidmm_kit_set(r->arena, &r->variables, "DDKBUILDENV", debug ? "chk" : "fre");
    vidmm_kit_set(r->arena, &r->variables, "_BUILDARCH", "amd64");
    vidmm_kit_set(r->arena, &r->variables, "AMD64", "1");
    vidmm_kit_set(r->arena, &r->variables, "O", "obj");
    return r;
}

static bool add_target(struct reading *r, const char *file)
{
    struct vidmm_kit_target *target = vidmm_kit_add_target(
        r->project, file, vidmm_kit_unmarked(r->arena, value(r, "TARGETNAME")));

    return target != NULL && add_sources(r, target, folder_of(r->arena, file));
}

/* ---- libraries ------------------------------------------------------------------------------- */

/* The `sources` file of a folder; NULL: it has none. */
static const char *sources_in(struct reading *r, const char *folder)
{
    char *path = vidmm_kit_find_file(r->arena, folder, "sources");
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    const char *whole = real != NULL ? vidmm_text(r->arena, "%s", real) : NULL;

    free(real);
    return whole;
}

/* Read the `sources` file of a folder as that of library `name`, and add it if it is. False: it is
 * not, or it is and cannot be read, which is the error. */
static bool takes_library(struct reading *r, const char *folder, const char *name)
{
    const char *file = sources_in(r, folder);
    struct reading *library;

    if (file == NULL || strcmp(file, r->project->targets[0].file) == 0)
        return false;
    library = open_reading(r->project);
    if (!read_file(library, file) || !is_library(value(library, "TARGETTYPE")) ||
        strcasecmp(vidmm_kit_unmarked(r->arena, value(library, "TARGETNAME")), name) != 0)
        return false;
    vidmm_kit_note(r->project, "%s.lib is linked by name: it is built from %s", name, file);
    return add_target(library, file);
}

/* Beside the driver's folder, one deep. */
static bool takes_beside(struct reading *r, const char *folder, const char *name)
{
    DIR *directory = opendir(folder);
    bool taken = false;

    for (struct dirent *entry; directory != NULL && !taken && r->project->error == NULL &&
                               (entry = readdir(directory)) != NULL;)
        taken = entry->d_name[0] != '.' &&
                takes_library(r, vidmm_text(r->arena, "%s/%s", folder, entry->d_name), name);
    if (directory != NULL)
        closedir(directory);
    return taken;
}

/* The folders above the library, of which the last ones are made by the build. */
static bool takes_above(struct reading *r, const char *folder, const char *item, const char *name)
{
    char *path = vidmm_text(r->arena, "%s/%s", folder, vidmm_kit_slashes(r->arena, item));

    for (unsigned up = 0; up <= VIDMM_KIT_FOLDERS_UP && r->project->error == NULL; up++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL || slash == path || strcmp(slash, "/..") == 0)
            break;
        *slash = 0;
        if (takes_library(r, path, name))
            return true;
    }
    return false;
}

static bool is_read(const struct vidmm_kit_project *project, const char *name)
{
    for (unsigned i = 1; i < project->count; i++)
        if (strcasecmp(project->targets[i].name, name) == 0)
            return true;
    return false;
}

/* TARGETLIBS; and the files that the caller named: --library. */
static bool add_libraries(struct reading *r, const char *file)
{
    const char *folder = folder_of(r->arena, file);
    struct vidmm_texts items = {0};

    for (size_t i = 0; i < r->project->libraries.count; i++) {
        struct reading *library = open_reading(r->project);
        const char *path = r->project->libraries.word[i];

        if (!read_file(library, path) || !add_target(library, path))
            return false;
    }
    vidmm_texts_split(r->arena, &items, value(r, "TARGETLIBS"), " \t");
    for (size_t i = 0; i < items.count; i++) {
        const char *item = vidmm_kit_unmarked(r->arena, items.word[i]);
        const char *name = vidmm_kit_library_name(r->arena, item);

        if (vidmm_kit_of_tool_set(items.word[i]) || *name == 0 || vidmm_kit_has_library(name) ||
            is_read(r->project, name) || takes_above(r, folder, item, name))
            continue;
        if (r->project->error == NULL &&
            !takes_beside(r, vidmm_text(r->arena, "%s/..", folder), name))
            vidmm_kit_note(r->project,
                           "%s links %s.lib, which no sources file here makes; if the driver wants "
                           "it, name the file that does: --library FOLDER/sources",
                           file, name);
        if (r->project->error != NULL)
            return false;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool vidmm_kit_read_sources(struct vidmm_kit_project *project, const char *path)
{
    char *real = realpath(path, NULL);
    char *whole = vidmm_text(project->arena, "%s", real != NULL ? real : path);

    free(real);
    project->tree = folder_of(project->arena, whole);
    struct reading *r = open_reading(project);
    if (!read_file(r, whole) || !check_type(r, whole))
        return false;
    if (*value(r, "LINKLIBS") != 0)
        vidmm_kit_note(project, "%s: LINKLIBS is left out: %s", whole,
                       vidmm_kit_unmarked(r->arena, value(r, "LINKLIBS")));
    return add_target(r, whole) && add_libraries(r, whole);
}
