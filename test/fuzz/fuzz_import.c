/* The project reader, on any bytes: it answers a sentence, or writes a build.ninja in which a
 * project has added no rule, and to no command anything but quoted words.
 *
 * The first byte says what the rest is: v a .vcxproj, s a `sources` file, l a solution of one
 * project that is read too, m message texts, e a manifest of events. Behind a line feed, \x1e and
 * another line feed stands b.props, for a project that imports it. */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/expand.h"
#include "import/message.h"
#include "import/project.h"
#include "import/solution.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char place[64], text[1 << 20];

static void must(bool held, const char *what, const char *line)
{
    if (held)
        return;
    fprintf(stderr, "fuzz_import: %s: %.200s\n", what, line);
    abort();
}

static char *in_place(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof(paths[0]), "%s/%s", place, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_place(name), "wb");

    must(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "no file",
         name);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static void remove_place(void)
{
    nftw(place, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_place(void)
{
    static const char source[] = "int DriverEntry(void) { return 0; }\n";
    const char *base = getenv("TMPDIR");

    if (*place != 0)
        return;
    snprintf(place, sizeof(place), "%s/fuzz-import-XXXXXX",
             base != NULL && strlen(base) < 40 ? base : "/tmp");
    must(mkdtemp(place) != NULL, "no folder", place);
    atexit(remove_place);
    must(mkdir(in_place("in"), 0777) == 0, "no folder", place);
    write_file("in/entry.c", source, strlen(source));
}

/* ---- what a build.ninja may hold ------------------------------------------------------------- */

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* ninja's `$$` is a dollar for the shell; any other `$` would be a variable. In place. */
static void unescape(char *value)
{
    char *to = value;

    for (char *at = value; *at != 0; at++) {
        if (*at == '$')
            must(*++at == '$', "a variable of ninja's", value);
        *to++ = *at;
    }
    *to = 0;
}

/* Words of sh: between single quotes anything, outside of them nothing with a meaning. */
static void check_words(char *value, const char *besides)
{
    unescape(value);
    for (const char *at = value; *at != 0; at++) {
        if (*at == '\'') {
            at = strchr(at + 1, '\'');
            must(at != NULL, "a quote is not closed", value);
            continue;
        }
        bool escaped = at[0] == '\\' && at[1] == '\'';
        must(escaped || strchr("_-+=./,:@% ", *at) != NULL || (*at >= '0' && *at <= '9') ||
                 (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') ||
                 strchr(besides, *at) != NULL,
             "a character outside of quotes", value);
        at += escaped;
    }
}

/* cd, cp, mkdir, the tool itself: a step runs nothing else. */
static void check_step(char *value)
{
    static const char *const programs[] = {"cd ", "cp -- ", "mkdir -p -- ", "self kit mc ",
                                           "echo "};

    check_words(value, "&|");
    for (char *at = value; at != NULL;) {
        bool known = false;
        for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
            known = known || starts(at, programs[i]);
        must(known, "a program", at);
        bool quoted = false;
        for (; *at != 0 && (quoted || (at[0] != '&' && at[0] != '|')); at++)
            quoted = quoted != (*at == '\'' && (at == value || at[-1] != '\\' || quoted));
        at = *at != 0 ? at + 3 : NULL;
    }
}

static void check_line(char *line, unsigned *rules, unsigned *commands)
{
    static const char *const known[] = {"# ",       "vidmm = self",       "flags =",     "build ",
                                        "default ", "  depfile = $out.d", "  deps = gcc"};
    bool ok = *line == 0;

    for (const char *at = line; *at != 0; at++)
        must((unsigned char)*at >= ' ' && *at != 0x7F, "a control character", line);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        ok = ok || starts(line, known[i]);
    *rules += starts(line, "rule ");
    *commands += starts(line, "  command = ");
    if (starts(line, "build "))
        must(strchr("./-@", line[strlen("build ")]) == NULL, "an output elsewhere", line);
    if (starts(line, "  own = "))
        check_words(line + strlen("  own = "), "");
    else if (starts(line, "  do = "))
        check_step(line + strlen("  do = "));
    else
        must(ok || starts(line, "rule ") || starts(line, "  command = "), "a line", line);
}

static void check_output(void)
{
    FILE *file = fopen(in_place("out/build.ninja"), "rb");
    unsigned rules = 0, commands = 0;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    must(file != NULL, "no build.ninja", "");
    while ((length = getline(&line, &room, file)) > 0) {
        must(line[length - 1] == '\n' && strlen(line) == (size_t)length, "no line", line);
        line[length - 1] = 0;
        check_line(line, &rules, &commands);
    }
    must(rules == 5 && commands == 5, "rules", "");
    free(line);
    fclose(file);
    unlink(in_place("out/build.ninja"));
    unlink(in_place("out/README.md"));
    must(rmdir(in_place("out")) == 0, "other files in the output", "");
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_project(struct vidmm_arena *arena, char kind)
{
    struct vidmm_kit_variables given = {0};
    struct vidmm_kit_project *project = vidmm_arena_take(arena, sizeof(*project));

    *project = (struct vidmm_kit_project){.arena = arena,
                                          .self = "self",
                                          .configuration = "Release",
                                          .platform = "x64",
                                          .given = &given};
    if (kind == 'l')
        project->solution = vidmm_kit_read_solution(project, in_place("in/p.sln"));
    bool read = project->error == NULL &&
                (kind == 's' ? vidmm_kit_read_sources(project, in_place("in/sources"))
                             : vidmm_kit_read_msbuild(project, in_place("in/p.vcxproj")));
    must(read == (project->error == NULL), "refused without a word, or taken with one",
         project->error != NULL ? project->error : "");
    if (read && vidmm_kit_write_ninja(project, in_place("out")))
        check_output();
    must(access(in_place("out"), F_OK) != 0, "output of a project that is refused", "");
}

static void read_messages(struct vidmm_arena *arena, char kind)
{
    const char *error = NULL;
    char *header = kind == 'm' ? vidmm_kit_message_header(arena, "in", text, false, &error)
                               : vidmm_kit_manifest_header(arena, in_place("in/events.man"),
                                                           "EventWrite", &error);

    must((header == NULL) == (error != NULL), "refused without a word, or taken with one", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char project[] =
        "<Project><PropertyGroup><ConfigurationType>Driver</ConfigurationType></PropertyGroup>"
        "<ItemGroup><ClCompile Include=\"entry.c\"/></ItemGroup></Project>";
    struct vidmm_arena arena = {0};

    if (size < 1 || size >= sizeof(text) || strchr("vslme", data[0]) == NULL || data[0] == 0)
        return 0;
    make_place();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    char *more = strstr(text, "\n\x1e\n");
    size_t first = more != NULL ? (size_t)(more - text) : size - 1;
    write_file("in/b.props", more != NULL ? more + 3 : "", more != NULL ? strlen(more + 3) : 0);
    write_file(data[0] == 's'   ? "in/sources"
               : data[0] == 'l' ? "in/p.sln"
               : data[0] == 'e' ? "in/events.man"
                                : "in/p.vcxproj",
               text, first);
    if (data[0] == 'l')
        write_file("in/p.vcxproj", project, strlen(project));
    if (data[0] == 'm' || data[0] == 'e')
        read_messages(&arena, (char)data[0]);
    else
        read_project(&arena, (char)data[0]);
    unlink(in_place("in/p.sln"));
    vidmm_arena_finish(&arena);
    return 0;
}
