/* steps.c: see steps.h. */
#include "import/steps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "import/includes.h"
#include "import/project.h"

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

static char *quoted(struct vidmm_arena *arena, const char *word)
{
    struct vidmm_texts parts = {0};

    vidmm_texts_add(arena, &parts, "'");
    for (; *word != 0; word++)
        vidmm_texts_add(arena, &parts,
                        *word == '\''  ? "'\\''"
                        : *word == '$' ? "$$" /* ninja's own sign */
                                       : vidmm_text_cut(arena, word, 1));
    vidmm_texts_add(arena, &parts, "'");
    return vidmm_texts_join(arena, &parts, "");
}

/* `to`, and the words from `first` on without options of Windows (/y). */
static char *command_of(struct vidmm_arena *arena, const char *to, const struct vidmm_texts *words,
                        size_t first)
{
    struct vidmm_texts parts = {0};

    vidmm_texts_add(arena, &parts, to);
    for (size_t i = first; i < words->count; i++)
        if (words->word[i][0] != '/' || strlen(words->word[i]) > 2)
            vidmm_texts_add(arena, &parts, quoted(arena, words->word[i]));
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

/* A line for sh; "": it does nothing; NULL: it cannot be done here, *missing says for want of
 * what. */
static const char *line_for_sh(struct vidmm_arena *arena, const char *line, const char **missing)
{
    struct vidmm_texts words = {0};

    read_words(arena, line, &words);
    if (words.count == 0)
        return "";
    const char *name = program_of(arena, words.word[0]), *program;
    if (strcmp(name, "if") == 0 && words.count > 3 && strcasecmp(words.word[1], "not") == 0 &&
        strcasecmp(words.word[2], "exist") == 0) {
        const char *then = words.count > 4 ? program_of(arena, words.word[4]) : "";
        if (strcmp(then, "mkdir") == 0 || strcmp(then, "md") == 0)
            return command_of(arena, "mkdir -p", &words, 5);
    }
    if (strcmp(name, "if") == 0 && strstr(line, "errorlevel") != NULL)
        return "";
    *missing = name;
    if (redirects(line))
        return NULL;
    if (says_nothing(name))
        return "";
    if (strcmp(name, "mc") == 0)
        return command_of(arena, "$vidmm kit mc", &words, 1);
    if (strcmp(name, "copy") == 0 || strcmp(name, "xcopy") == 0)
        return command_of(arena, "cp", &words, 1);
    if (strcmp(name, "mkdir") == 0 || strcmp(name, "md") == 0)
        return command_of(arena, "mkdir -p", &words, 1);
    program = program_here(arena, name);
    return program != NULL ? command_of(arena, program, &words, 1) : NULL;
}

/* All lines of a command; NULL: one of them cannot be done. */
static const char *for_sh(struct vidmm_arena *arena, const char *command, const char **missing)
{
    struct vidmm_texts lines = {0}, done = {0};

    vidmm_texts_split(arena, &lines, command, "\r\n");
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = line_for_sh(arena, lines.word[i], missing);
        if (line == NULL)
            return NULL;
        if (*line != 0)
            vidmm_texts_add(arena, &done, line);
    }
    return vidmm_texts_join(arena, &done, " && ");
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

static void say_missing(struct vidmm_kit_project *project, const char *where, const char *missing,
                        const struct vidmm_texts *outputs, bool there)
{
    char *list = vidmm_texts_join(project->arena, outputs, ", ");

    if (there && outputs->count > 0)
        vidmm_kit_note(project, "%s is not run, for want of '%s'; what it makes is there: %s",
                       where, missing, list);
    else if (outputs->count > 0)
        vidmm_kit_note(
            project,
            "%s is not run: '%s' is not to be had here. It makes %s: run it where it is, "
            "and copy what it makes there",
            where, missing, list);
    else
        vidmm_kit_note(project,
                       "%s is not run: '%s' is not to be had here, and it does not say what it "
                       "makes. If the build lacks a file, it is of this step",
                       where, missing);
}

void vidmm_kit_add_step(struct vidmm_kit_project *project, const char *where, const char *folder,
                        const char *command, const char *inputs, const char *outputs)
{
    struct vidmm_arena *arena = project->arena;
    struct vidmm_kit_step *step = vidmm_arena_take(arena, sizeof(*step));
    struct vidmm_kit_step **end = &project->steps;
    const char *missing = "";
    bool there, read;

    add_files(arena, folder, outputs, &step->outputs, &there);
    add_files(arena, folder, inputs, &step->inputs, &read);
    const char *sh = for_sh(arena, command, &missing);
    if (sh == NULL) {
        say_missing(project, where, missing, &step->outputs, there);
        return;
    }
    if (*sh == 0)
        return;
    step->command = vidmm_text(arena, "cd %s && %s", quoted(arena, folder), sh);
    while (*end != NULL)
        end = &(*end)->next;
    *end = step;
}
