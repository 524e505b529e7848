/* steps.c: see steps.h. */
#include "import/steps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/expand.h"
#include "import/includes.h"
#include "import/project.h"
#include "import/quote.h"
#include "import/tree.h"

/* ---- commands -------------------------------------------------------------------------------- */

/* The words of a line as cmd.exe parts them; a `\\` is a `/` here. */
static void read_words(struct vidmm_arena *arena, const char *line, struct vidmm_texts *words)
{
    while (*(line += strspn(line, " \t")) != 0) {
        char *word = vidmm_text(arena, "%s", line), *to = word;
        bool quoted = false;
        for (; *line != 0 && (quoted || strchr(" \t", *line) == NULL); line++)
            if (*line == '"')
                quoted = !quoted;
            else
                *to++ = (char)(*line == '\\' ? '/' : *line);
        *to = 0;
        vidmm_texts_add(arena, words, word);
    }
}

/* `to`, and the words from `first` on without options of Windows (/y). */
static char *command_of(struct vidmm_arena *arena, const char *to, const struct vidmm_texts *words,
                        size_t first)
{
    struct vidmm_texts parts = {0};

    vidmm_texts_add(arena, &parts, to);
    for (size_t i = first; i < words->count; i++)
        if (words->word[i][0] != '/' || strlen(words->word[i]) > 2)
            vidmm_texts_add(arena, &parts, vidmm_quote_word(arena, words->word[i]));
    return vidmm_texts_join(arena, &parts, " ");
}

/* The name of a program, without folder and .exe, in small letters. */
static char *program_of(struct vidmm_arena *arena, const char *word)
{
    const char *slash = strrchr(word, '/');
    char *name = vidmm_text(arena, "%s", slash != NULL ? slash + 1 : word);
    size_t length = strlen(name);

    if (length > 4 && strcasecmp(name + length - 4, ".exe") == 0)
        name[length - 4] = 0;
    for (char *at = name; *at != 0; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

/* The program for a name of Windows's: python is python3 here. NULL: there is none. */
static const char *program_here(struct vidmm_arena *arena, const char *name)
{
    static const char *const kin[][2] = {
        {"py", "python3"},  {"python", "python3"}, {"python3", "python3"}, {"perl", "perl"},
        {"node", "node"},   {"awk", "awk"},        {"gawk", "gawk"},       {"sed", "sed"},
        {"bison", "bison"}, {"flex", "flex"},      {"win_bison", "bison"}, {"win_flex", "flex"},
        {"cmake", "cmake"}, {"m4", "m4"},          {"lua", "lua"},         {"ruby", "ruby"},
    };
    const char *path = getenv("PATH"), *program = NULL;
    struct vidmm_texts folders = {0};

    for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
        if (strcmp(kin[i][0], name) == 0)
            program = kin[i][1];
    vidmm_texts_split(arena, &folders, path != NULL ? path : "", ":");
    for (size_t i = 0; program != NULL && i < folders.count; i++)
        if (access(vidmm_text(arena, "%s/%s", folders.word[i], program), X_OK) == 0)
            return program;
    return NULL;
}

/* Lines that only steer cmd.exe, and talk. */
static bool says_nothing(const char *name)
{
    static const char *const words[] = {"rem",  "setlocal", "endlocal", "echo", "@echo",
                                        "exit", "goto",     "pushd",    "popd", "title"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return name[0] == ':';
}

/* Whether a line writes a file by > or hands on by |, which is left to no one here. */
static bool redirects(const char *line)
{
    return strpbrk(line, "<>|&") != NULL;
}

/* A step while it is read. */
struct reading {
    struct vidmm_kit_project *project;
    struct vidmm_arena *arena;
    const char *folder;
    const char *why; /* it cannot be done; NULL: it can */
};

static const char *cannot(struct reading *r, const char *why)
{
    r->why = why;
    return NULL;
}

/* Whether a step may write there: the project's tree, and the folder of its own project. */
static bool stays(struct reading *r, const char *path)
{
    return vidmm_kit_inside(r->arena, r->project->tree, r->folder, path) ||
           vidmm_kit_inside(r->arena, r->folder, r->folder, path);
}

static const char *leaves(struct reading *r, const char *path)
{
    return cannot(r, vidmm_text(r->arena, "it writes %s, which leaves the project's tree", path));
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool is_folder(struct reading *r, const char *path)
{
    struct stat status;

    path = path[0] == '/' ? path : vidmm_text(r->arena, "%s/%s", r->folder, path);
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Read a cp of the words from `first` on: the last one, and what may lie in it, is written. A name
 * that ends with a slash is a folder, which xcopy makes. */
static const char *copy(struct reading *r, const struct vidmm_texts *words, size_t first)
{
    struct vidmm_texts paths = {0}, folder = {0};

    for (size_t i = first; i < words->count; i++)
        if (words->word[i][0] != '/' || strlen(words->word[i]) > 2) /* /y */
            vidmm_texts_add(r->arena, &paths, words->word[i]);
    const char *to = paths.count > 1 ? paths.word[paths.count - 1] : ".";
    for (size_t i = 0; i < paths.count; i++) {
        const char *path =
            i + 1 < paths.count ? vidmm_text(r->arena, "%s/%s", to, name_of(paths.word[i])) : to;
        if (!stays(r, path))
            return leaves(r, path);
        if (i + 1 < paths.count && is_folder(r, paths.word[i]))
            return cannot(r, vidmm_text(r->arena, "it copies a whole folder, %s", paths.word[i]));
    }
    const char *line = command_of(r->arena, "cp --", words, first);
    if (*to == 0 || to[strlen(to) - 1] != '/')
        return line;
    vidmm_texts_add(r->arena, &folder, to);
    return vidmm_text(r->arena, "%s && %s", command_of(r->arena, "mkdir -p --", &folder, 0), line);
}

static const char *make_folders(struct reading *r, const struct vidmm_texts *words, size_t first)
{
    for (size_t i = first; i < words->count; i++)
        if (!stays(r, words->word[i]))
            return leaves(r, words->word[i]);
    return command_of(r->arena, "mkdir -p --", words, first);
}

/* The header that mc writes of a file: FOLDER/BASE.h by -h and -z. */
static const char *messages(struct reading *r, const struct vidmm_texts *words)
{
    const char *folder = ".", *base = NULL;

    for (size_t i = 1; i + 1 < words->count; i++) {
        folder = strcmp(words->word[i], "-h") == 0 ? words->word[i + 1] : folder;
        base = strcmp(words->word[i], "-z") == 0 ? words->word[i + 1] : base;
    }
    for (size_t i = 1; i < words->count; i++) {
        const char *name = base != NULL ? base : name_of(words->word[i]), *dot = strrchr(name, '.');
        size_t length = base == NULL && dot != NULL ? (size_t)(dot - name) : strlen(name);
        const char *path = vidmm_text(r->arena, "%s/%.*s.h", folder, (int)length, name);
        if (!stays(r, path))
            return leaves(r, path);
    }
    return command_of(
        r->arena, vidmm_text(r->arena, "%s kit mc", vidmm_quote_word(r->arena, r->project->self)),
        words, 1);
}

/* A program of this machine does what it is told to by the project's author. */
static const char *run_program(struct reading *r, const char *name, const struct vidmm_texts *words)
{
    const char *program = program_here(r->arena, name);

    if (program == NULL)
        return cannot(r, vidmm_text(r->arena, "'%s' is not to be had here", name));
    const char *line = command_of(r->arena, program, words, 1);
    return r->project->programs
               ? line
               : cannot(r, vidmm_text(r->arena,
                                      "it is a program that does as the project's author likes; "
                                      "look at it, and allow it by --programs: %s",
                                      vidmm_quote_shown(r->arena, line)));
}

/* A line for sh; "": it does nothing; NULL: it cannot be done here, r->why. */
static const char *line_for_sh(struct reading *r, const char *line)
{
    struct vidmm_arena *arena = r->arena;
    struct vidmm_texts words = {0};

    read_words(arena, line, &words);
    if (words.count == 0)
        return "";
    const char *name = program_of(arena, words.word[0]);
    if (strcmp(name, "if") == 0 && words.count > 3 && strcasecmp(words.word[1], "not") == 0 &&
        strcasecmp(words.word[2], "exist") == 0) {
        const char *then = words.count > 4 ? program_of(arena, words.word[4]) : "";
        if (strcmp(then, "mkdir") == 0 || strcmp(then, "md") == 0)
            return make_folders(r, &words, 5);
    }
    if (strcmp(name, "if") == 0 && strstr(line, "errorlevel") != NULL)
        return "";
    if (redirects(line))
        return cannot(
            r, vidmm_text(arena, "'%s' is not to be had here", vidmm_quote_shown(arena, name)));
    if (says_nothing(name))
        return "";
    if (strcmp(name, "mc") == 0)
        return messages(r, &words);
    if (strcmp(name, "copy") == 0 || strcmp(name, "xcopy") == 0)
        return copy(r, &words, 1);
    if (strcmp(name, "mkdir") == 0 || strcmp(name, "md") == 0)
        return make_folders(r, &words, 1);
    return run_program(r, name, &words);
}

/* All lines of a command; NULL: one of them cannot be done. */
static const char *for_sh(struct reading *r, const char *command)
{
    struct vidmm_texts lines = {0}, done = {0};

    vidmm_texts_split(r->arena, &lines, command, "\r\n");
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = line_for_sh(r, lines.word[i]);
        if (line == NULL)
            return NULL;
        if (*line != 0)
            vidmm_texts_add(r->arena, &done, line);
    }
    return vidmm_texts_join(r->arena, &done, " && ");
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Whole names of a list; *there: all are files already. */
static void add_files(struct vidmm_arena *arena, const char *folder, const char *list,
                      struct vidmm_texts *files, bool *there)
{
    struct vidmm_texts items = {0};

    *there = true;
    vidmm_texts_split(arena, &items, list, ";");
    for (size_t i = 0; i < items.count; i++) {
        char *found = vidmm_kit_find_file(arena, folder, items.word[i]), *name = items.word[i];
        for (char *at = name; (at = strchr(at, '\\')) != NULL;)
            *at = '/';
        *there = *there && found != NULL;
        vidmm_texts_add(arena, files,
                        found != NULL    ? found
                        : name[0] == '/' ? name
                                         : vidmm_text(arena, "%s/%s", folder, name));
    }
}

static void say_why(struct vidmm_kit_project *project, const char *where, const char *why,
                    const struct vidmm_texts *outputs, bool there)
{
    char *list = vidmm_texts_join(project->arena, outputs, ", ");

    if (there && outputs->count > 0)
        vidmm_kit_note(project, "%s is not run: %s. Its files are there: %s", where, why, list);
    else if (outputs->count > 0)
        vidmm_kit_note(project,
                       "%s is not run: %s. It makes %s: run it where it is, and copy what it makes "
                       "there",
                       where, why, list);
    else
        vidmm_kit_note(project,
                       "%s is not run: %s. It does not say what it makes: if the build lacks a "
                       "file, it is of this step",
                       where, why);
}

/* Ninja makes the folders of what a step is said to make. */
static const char *leaving_output(struct reading *r, const struct vidmm_texts *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (!stays(r, outputs->word[i]))
            return outputs->word[i];
    return NULL;
}

/* A step's text without names that have no value: they are empty. */
static const char *without_unset(struct vidmm_kit_project *project, const char *where,
                                 const char *text)
{
    const char *unset = vidmm_kit_unknown(project->arena, text);

    if (unset != NULL)
        vidmm_kit_note(project, "%s: nothing sets $(%s): it is taken as empty", where, unset);
    return vidmm_kit_unmarked(project->arena, text);
}

void vidmm_kit_add_step(struct vidmm_kit_project *project, const char *where, const char *folder,
                        const char *command, const char *inputs, const char *outputs)
{
    struct vidmm_arena *arena = project->arena;
    struct vidmm_kit_step *step = vidmm_arena_take(arena, sizeof(*step));
    struct vidmm_kit_step **end = &project->steps;
    struct reading r = {.project = project, .arena = arena, .folder = folder};
    bool there, read;

    command = without_unset(project, where, command);
    add_files(arena, folder, without_unset(project, where, outputs), &step->outputs, &there);
    add_files(arena, folder, without_unset(project, where, inputs), &step->inputs, &read);
    const char *sh = for_sh(&r, command);
    const char *away = sh != NULL ? leaving_output(&r, &step->outputs) : NULL;
    if (away != NULL)
        sh = leaves(&r, away);
    if (sh == NULL) {
        say_why(project, where, r.why, &step->outputs, there);
        return;
    }
    if (*sh == 0)
        return;
    step->command = vidmm_text(arena, "cd %s && %s", vidmm_quote_word(arena, folder), sh);
    while (*end != NULL)
        end = &(*end)->next;
    *end = step;
}
