/*
 * ninja.c: a project as build.ninja, and a README of three lines.
 */
#include "import/project.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/posix_file.h"
#include "import/includes.h"
#include "import/quote.h"
#include "import/steps.h"

/* A path in a build line. A path that ninja cannot carry is the project's error. */
static char *as_path(struct vidmm_kit_project *project, const char *path)
{
    vidmm_kit_plain(project, path, "the name of a file");
    if (strchr(path, '|') != NULL)
        vidmm_kit_refuse(project, "%s: ninja takes no '|' in the name of a file", path);
    return vidmm_quote_path(project->arena, path);
}

/* Words of a command. */
static char *as_words(struct vidmm_kit_project *project, const struct vidmm_texts *list,
                      const char *where)
{
    for (size_t i = 0; i < list->count; i++)
        vidmm_kit_plain(project, list->word[i], where);
    return vidmm_quote_value(project->arena, vidmm_quote_words(project->arena, list));
}

static const char *stem_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    return vidmm_text_cut(arena, name, strcspn(name, "."));
}

/* ---- the compiler ---------------------------------------------------------------------------- */

static bool is_program(struct vidmm_arena *arena, const char *name)
{
    const char *path = getenv("PATH");
    struct vidmm_texts folders = {0};

    vidmm_texts_split(arena, &folders, path != NULL ? path : "", ":");
    for (size_t i = 0; i < folders.count; i++)
        if (access(vidmm_text(arena, "%s/%s", folders.word[i], name), X_OK) == 0)
            return true;
    return false;
}

static bool has_cxx(const struct vidmm_kit_project *project)
{
    for (unsigned i = 0; i < project->count; i++)
        for (const struct vidmm_kit_source *s = project->targets[i].sources.first; s != NULL;
             s = s->next)
            if (s->cxx)
                return true;
    return false;
}

/* C++ that only Microsoft's compiler and clang take: a goto past an initialization, a macro's comma
 * before nothing. If a compiler is named (CXX), it is used. */
static const char *compiler_flags(struct vidmm_kit_project *project)
{
    const char *named = getenv("CXX");
    bool clang = has_cxx(project) && (named == NULL || *named == 0) &&
                 is_program(project->arena, "clang++") && is_program(project->arena, "clang");

    return vidmm_text(project->arena, "%s%s", clang ? " --clang" : "",
                      strcasecmp(project->platform, "ARM64") == 0 ? " --target aarch64" : "");
}

/* ---- build.ninja ----------------------------------------------------------------------------- */

static void head(struct vidmm_kit_project *project, struct vidmm_texts *text)
{
    vidmm_kit_plain(project, project->targets[0].file, "the name of the project");
    vidmm_kit_plain(project, project->configuration, "the configuration");
    vidmm_kit_plain(project, project->platform, "the platform");
    vidmm_kit_plain(project, project->self, "the name of this program");
    vidmm_texts_add(
        project->arena, text,
        vidmm_text(
            project->arena,
            "# %s, %s|%s, for the kit. Written by vidmm kit import; ninja -C here builds it.\n"
            "vidmm = %s\n"
            "flags =%s\n\n"
            "rule cc\n"
            "  command = $vidmm kit cc $flags $own -MMD -MF $out.d -c $in -o $out\n"
            "  depfile = $out.d\n  deps = gcc\n"
            "rule cxx\n"
            "  command = $vidmm kit c++ $flags $own -MMD -MF $out.d -c $in -o $out\n"
            "  depfile = $out.d\n  deps = gcc\n"
            "rule step\n"
            "  command = ($do) && touch $out\n"
            "rule library\n"
            "  command = rm -f $out && ar crs $out $in\n"
            "rule driver\n"
            "  command = $vidmm kit c++ $flags $in -o $out\n\n",
            project->targets[0].file, project->configuration, project->platform,
            vidmm_quote_value(project->arena, vidmm_quote_word(project->arena, project->self)),
            compiler_flags(project)));
}

/* A rule a step: its command. */
static void steps(struct vidmm_kit_project *project, struct vidmm_texts *text)
{
    struct vidmm_arena *arena = project->arena;
    struct vidmm_texts made = {0};
    unsigned number = 0;

    for (const struct vidmm_kit_step *step = project->steps; step != NULL; step = step->next) {
        const char *stamp = vidmm_text(arena, "step.%u", number++);
        struct vidmm_texts inputs = {0}, outputs = {0};
        for (size_t i = 0; i < step->inputs.count; i++)
            if (access(step->inputs.word[i], F_OK) == 0)
                vidmm_texts_add(arena, &inputs, as_path(project, step->inputs.word[i]));
        for (size_t i = 0; i < step->outputs.count; i++)
            vidmm_texts_add(arena, &outputs, as_path(project, step->outputs.word[i]));
        vidmm_kit_plain(project, step->command, "the command of a step");
        const char *otherwise =
            outputs.count > 0 ? "" : " || echo 'that failed; on with the build'";
        vidmm_texts_add(arena, text,
                        vidmm_text(arena, "build %s %s %s: step %s\n  do = %s%s\n", stamp,
                                   outputs.count > 0 ? "|" : "",
                                   vidmm_texts_join(arena, &outputs, " "),
                                   vidmm_texts_join(arena, &inputs, " "),
                                   vidmm_quote_value(arena, step->command), otherwise));
        vidmm_texts_add(arena, &made, stamp);
    }
    vidmm_texts_add(
        arena, text,
        vidmm_text(arena, "build steps: phony %s\n\n", vidmm_texts_join(arena, &made, " ")));
}

/* One line a source, then the library or the driver. */
static void target(struct vidmm_kit_project *project, struct vidmm_texts *text, unsigned index)
{
    struct vidmm_arena *arena = project->arena;
    const struct vidmm_kit_target *t = &project->targets[index];
    struct vidmm_texts objects = {0};
    unsigned number = 0;

    for (const struct vidmm_kit_source *source = t->sources.first; source != NULL;
         source = source->next) {
        char *object = as_path(project, vidmm_text(arena, "%s.obj/%u-%s.o", t->name, number++,
                                                   stem_of(arena, source->path)));
        vidmm_texts_add(arena, &objects, object);
        vidmm_texts_add(arena, text,
                        vidmm_text(arena, "build %s: %s %s || steps\n  own = %s\n", object,
                                   source->cxx ? "cxx" : "cc", as_path(project, source->path),
                                   as_words(project, &source->flags, "a flag of a source")));
    }
    for (unsigned i = 1; index == 0 && i < project->count; i++)
        vidmm_texts_add(arena, &objects,
                        as_path(project, vidmm_text(arena, "%s.a", project->targets[i].name)));
    vidmm_texts_add(
        arena, text,
        vidmm_text(arena, "build %s: %s %s\n\n",
                   as_path(project, vidmm_text(arena, "%s.%s", t->name, index == 0 ? "so" : "a")),
                   index == 0 ? "driver" : "library", vidmm_texts_join(arena, &objects, " ")));
}

static bool write_text(struct vidmm_kit_project *project, const char *path, const char *text)
{
    char why[PATH_MAX + 200];

    return vidmm_file_write(path, text, strlen(text), why, sizeof(why)) ||
           vidmm_kit_refuse(project, "%s", why);
}

bool vidmm_kit_write_ninja(struct vidmm_kit_project *project, const char *out)
{
    struct vidmm_arena *arena = project->arena;
    const char *name = project->targets[0].name;
    struct vidmm_texts text = {0};

    head(project, &text);
    steps(project, &text);
    for (unsigned i = project->count; i-- > 0;)
        target(project, &text, i);
    vidmm_texts_add(
        arena, &text,
        vidmm_text(arena, "default %s\n", as_path(project, vidmm_text(arena, "%s.so", name))));
    char *readme =
        vidmm_text(arena,
                   "%s, built from %s (%s, %s) for vidmm's user-space kernel.\n"
                   "Build it with `ninja -C .`; with sanitizers, add them to `flags =` in "
                   "build.ninja: -fsanitize=address.\n"
                   "Judge it with `vidmm check %s`.\n",
                   name, project->targets[0].file, project->configuration, project->platform,
                   vidmm_quote_word(arena, vidmm_text(arena, "./%s.so", name)));
    if (project->error != NULL)
        return false;
    if (!vidmm_kit_make_folder(arena, out))
        return vidmm_kit_refuse(project, "%s: %s", out, strerror(errno));
    return write_text(project, vidmm_text(arena, "%s/build.ninja", out),
                      vidmm_texts_join(arena, &text, "")) &&
           write_text(project, vidmm_text(arena, "%s/README.md", out), readme);
}
