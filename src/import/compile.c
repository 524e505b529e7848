/*
 * compile.c: see compile.h.
 */
#include "import/compile.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/exit.h"
#include "host/posix_file.h"
#include "import/dialect.h"
#include "import/hint.h"
#include "import/includes.h"
#include "import/missing.h"
#include "import/process.h"

#define PREPROCESSED_MOST (256u << 20)

enum mode { LINK, OBJECTS, OTHER };

/* A command line, taken apart. */
struct job {
    struct vidmm_arena *arena;
    struct vidmm_kit_place place;
    enum vidmm_kit_language language;
    enum mode mode;
    bool clang;
    enum vidmm_kit_machine target;
    const char *error; /* a bad argument; NULL: there is none */
    const char *output;
    struct vidmm_texts sources;
    struct vidmm_texts compile; /* for each source */
    struct vidmm_texts link;    /* objects, libraries, and flags that the linking needs as well */
    struct vidmm_texts folders, forced, trace_files, trace_functions;
};

/* ---- the command line ------------------------------------------------------------------------ */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool one_of(const char *text, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static const char *suffix_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');

    return dot != NULL && (slash == NULL || dot > slash) ? dot : "";
}

static bool is_cxx(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".C", ".CPP", ".Cpp", NULL};

    return one_of(suffix_of(path), suffixes);
}

static bool is_source(const char *path)
{
    return strcmp(suffix_of(path), ".c") == 0 || is_cxx(path);
}

/* An option whose value may stand behind it or be the next argument. */
static const char *value_of(const char *option, int count, char *const *arguments, int *used)
{
    const char *value = arguments[0] + strlen(option);

    if (*value != 0)
        return value;
    *used = 2;
    return count > 1 ? arguments[1] : "";
}

/* The options that this command must understand itself. False: it is none of them. */
static bool take_own(struct job *job, int count, char *const *arguments, int *used)
{
    static const char *const other[] = {"-E", "-S", "-M", "-MM", "-fsyntax-only", NULL};
    const char *argument = arguments[0];

    if (strcmp(argument, "--clang") == 0)
        job->clang = true;
    else if (strcmp(argument, "--target") == 0)
        vidmm_kit_read_machine(job->arena, value_of("--target", count, arguments, used),
                               &job->target, &job->error);
    else if (strcmp(argument, "--wpp") == 0)
        vidmm_texts_add(job->arena, &job->trace_files, value_of("--wpp", count, arguments, used));
    else if (strcmp(argument, "--wpp-func") == 0)
        vidmm_texts_add(job->arena, &job->trace_functions,
                        value_of("--wpp-func", count, arguments, used));
    else if (starts(argument, "-o"))
        job->output = value_of("-o", count, arguments, used);
    else if (strcmp(argument, "-c") == 0)
        job->mode = OBJECTS;
    else if (is_source(argument) && argument[0] != '-')
        vidmm_texts_add(job->arena, &job->sources, argument);
    else if (one_of(argument, other))
        job->mode = OTHER, vidmm_texts_add(job->arena, &job->compile, argument);
    else
        return false;
    return true;
}

/* Take the words that are for the compiler or the linker; folders and forced headers are noted on
 * the way. */
static void take_handed_on(struct job *job, int count, char *const *arguments, int *used)
{
    static const char *const valued[] = {"-D",       "-U", "-MF",     "-MT",      "-MQ",
                                         "-x",       "-L", "-l",      "-Xlinker", "-Xclang",
                                         "-include", "-I", "-iquote", "-isystem", "-idirafter",
                                         "-imacros", NULL};
    const char *argument = arguments[0];
    bool linker = argument[0] != '-' || starts(argument, "-Wl,") || starts(argument, "-l") ||
                  starts(argument, "-L") || strcmp(argument, "-Xlinker") == 0;
    bool both = starts(argument, "-f") || starts(argument, "-g") || starts(argument, "-O") ||
                starts(argument, "-m");

    if (starts(argument, "-I"))
        vidmm_texts_add(job->arena, &job->folders, value_of("-I", count, arguments, used));
    else if (one_of(argument, valued))
        *used = count > 1 ? 2 : 1;
    if (count > 1 && (strcmp(argument, "-iquote") == 0 || strcmp(argument, "-isystem") == 0))
        vidmm_texts_add(job->arena, &job->folders, arguments[1]);
    if (count > 1 && strcmp(argument, "-include") == 0)
        vidmm_texts_add(job->arena, &job->forced, arguments[1]);
    for (int i = 0; i < *used && i < count; i++) {
        if (!linker)
            vidmm_texts_add(job->arena, &job->compile, arguments[i]);
        if (linker || both)
            vidmm_texts_add(job->arena, &job->link, arguments[i]);
    }
}

static void parse(struct job *job, int count, char *const *arguments)
{
    for (int i = 0, used; i < count; i += used) {
        used = 1;
        if (!take_own(job, count - i, arguments + i, &used))
            take_handed_on(job, count - i, arguments + i, &used);
    }
}

/* ---- compiling ------------------------------------------------------------------------------- */

static bool refuse(const char *error)
{
    fprintf(stderr, "vidmm kit: %s\n", error);
    return false;
}

static enum vidmm_kit_language language_of(const struct job *job, const char *source)
{
    return job->language == VIDMM_KIT_CXX || is_cxx(source) ? VIDMM_KIT_CXX : VIDMM_KIT_C;
}

/* Make the headers that the compiler would otherwise look for in vain. */
static bool make_includes(struct job *job, const char *source, const char *made,
                          const char **include)
{
    struct vidmm_kit_includes wish = {.source = source,
                                      .folders = job->folders,
                                      .forced = job->forced,
                                      .trace_files = job->trace_files,
                                      .trace_functions = job->trace_functions,
                                      .made = made};
    struct vidmm_texts warnings = {0};
    const char *error = NULL;

    if (!vidmm_kit_includes(job->arena, &job->place, &wish, include, &warnings, &error))
        return refuse(error);
    for (size_t i = 0; i < warnings.count; i++)
        fprintf(stderr, "%s: warning: %s\n", source, warnings.word[i]);
    return true;
}

/* A source on its way to an object. */
struct step {
    const char *source, *object, *made; /* made: where what the kit writes goes */
    enum vidmm_kit_language language;
    struct vidmm_kit_compiler compiler;
    struct vidmm_texts flags; /* the kit's */
    const char *include;      /* a folder more; NULL: none */
    bool no_text;             /* the preprocessor has failed */
};

/* Options that have done their work when a source is preprocessed; *used: how many words. */
static bool is_spent(const char *argument, int *used)
{
    static const char *const valued[] = {"-I", "-MF", "-MT", "-MQ", "-include", "-imacros", NULL};

    *used = one_of(argument, valued) ? 2 : 1;
    return *used == 2 || starts(argument, "-M") || starts(argument, "-I");
}

/* Whether the source is read as Microsoft's compiler would before it is compiled. */
static bool translates(const struct job *job, const struct step *step)
{
    return step->object != NULL && job->mode != OTHER;
}

/* The compiler and all flags. */
static void begin_command(struct job *job, const struct step *step, bool preprocessed,
                          struct vidmm_texts *command)
{
    vidmm_texts_add_all(job->arena, command, &step->compiler.command);
    if (isatty(STDERR_FILENO))
        vidmm_texts_add(job->arena, command, "-fdiagnostics-color=always");
    for (size_t i = 0; i < step->flags.count; i++) { /* the driver's folders before the kit's */
        int used;
        if (is_spent(step->flags.word[i], &used) && preprocessed)
            i += (size_t)used - 1;
        else if (!starts(step->flags.word[i], "-I"))
            vidmm_texts_add(job->arena, command, step->flags.word[i]);
    }
    for (size_t i = 0; i < job->compile.count; i++) {
        int used;
        if (is_spent(job->compile.word[i], &used) && preprocessed)
            i += (size_t)used - 1;
        else
            vidmm_texts_add(job->arena, command, job->compile.word[i]);
    }
    if (translates(job, step))
        vidmm_texts_add(job->arena, command, "-DKIT_TRANSLATES");
    if (step->language == VIDMM_KIT_CXX && step->compiler.clang) /* they need RTTI */
        vidmm_texts_add(job->arena, command, "-fno-sanitize=function,vptr");
    for (size_t i = 0; i < step->flags.count && !preprocessed; i++)
        if (starts(step->flags.word[i], "-I"))
            vidmm_texts_add(job->arena, command, step->flags.word[i]);
    if (step->include != NULL && !preprocessed)
        vidmm_texts_add(job->arena, command, vidmm_text(job->arena, "-I%s", step->include));
}

/* A word for names that this source alone has; NULL: it needs none.
 * Microsoft's compiler takes a `static` that comes late in C, not in C++. */
static const char *unique_word(struct job *job, const struct step *step)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    if (step->language == VIDMM_KIT_CXX)
        return NULL;
    for (const char *at = vidmm_text(job->arena, "%s %s", step->source, step->object); *at != 0;
         at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    return vidmm_text(job->arena, "%016llx", (unsigned long long)hash);
}

/* Preprocess the source, and put it as Microsoft's compiler would read it. NULL: it reads alike, or
 * it does not get that far, which the compiler will say. */
static const char *translate(struct job *job, struct step *step)
{
    const char *suffix = step->language == VIDMM_KIT_CXX ? "ii" : "i";
    char *path = vidmm_text(job->arena, "%s/translated.%s", step->made, suffix);
    struct vidmm_texts command = {0};
    char why[400], *text, *translated;
    size_t size;

    if (!translates(job, step) || !vidmm_kit_make_folder(job->arena, step->made))
        return NULL;
    begin_command(job, step, false, &command);
    vidmm_texts_add(job->arena, &command, "-E");
    for (size_t i = 0; i < job->compile.count; i++)
        if (starts(job->compile.word[i], "-MD") || starts(job->compile.word[i], "-MMD"))
            vidmm_texts_add(job->arena, &command, vidmm_text(job->arena, "-MT%s", step->object));
    vidmm_texts_add(job->arena, &command, "-o");
    vidmm_texts_add(job->arena, &command, path);
    vidmm_texts_add(job->arena, &command, step->source);
    int status = vidmm_kit_run_quietly(&command);
    step->no_text = status != 0;
    text = status == 0 ? vidmm_file_read(path, PREPROCESSED_MOST, &size, NULL, 0) : NULL;
    translated = text != NULL
                     ? vidmm_kit_dialect(job->arena, &job->place, unique_word(job, step), text)
                     : NULL;
    free(text);
    if (translated != NULL &&
        vidmm_file_write(path, translated, strlen(translated), why, sizeof(why)))
        return path;
    unlink(path);
    rmdir(step->made); /* if nothing else is in it */
    return NULL;
}

/* Compile one source; made: where the includes go. Answers the exit status. */
static int compile(struct job *job, const char *source, const char *object, const char *made)
{
    struct step step = {.source = source, .object = object, .made = made};
    struct vidmm_kit_hints hints = {.arena = job->arena, .place = &job->place};
    struct vidmm_texts command = {0};
    const char *error = NULL;

    step.language = language_of(job, source);
    step.compiler = vidmm_kit_compiler(job->arena, step.language, job->clang, job->target);
    if (!vidmm_kit_compile_flags(job->arena, &job->place, step.language, &step.compiler,
                                 &step.flags, &error))
        return refuse(error), VIDMM_COULD_NOT_RUN;
    if (!make_includes(job, source, made, &step.include))
        return VIDMM_COULD_NOT_RUN;
    const char *translated = translate(job, &step);
    begin_command(job, &step, translated != NULL, &command);
    if (translated != NULL && step.compiler.clang) { /* it would show what we made of the line */
        vidmm_texts_add(job->arena, &command, "-fno-caret-diagnostics");
        hints.show_lines = true;
    }
    if (step.no_text)
        object = "/dev/null";
    if (job->mode != OTHER) /* if a header is missing, no other error would be true */
        vidmm_texts_add(job->arena, &command, step.no_text ? "-E" : "-c");
    if (object != NULL) {
        vidmm_texts_add(job->arena, &command, "-o");
        vidmm_texts_add(job->arena, &command, object);
    }
    vidmm_texts_add(job->arena, &command, translated != NULL ? translated : source);
    return vidmm_kit_run(&command, &hints);
}

static const char *stem_of(struct vidmm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    return vidmm_text_cut(arena, name, strlen(name) - strlen(suffix_of(name)));
}

/* -c: one object a source. */
static int compile_objects(struct job *job)
{
    if (job->output != NULL && job->sources.count > 1)
        return refuse("-o names one object, and there are several sources"), VIDMM_COULD_NOT_RUN;
    for (size_t i = 0; i < job->sources.count; i++) {
        const char *object =
            job->output != NULL
                ? job->output
                : vidmm_text(job->arena, "%s.o", stem_of(job->arena, job->sources.word[i]));
        int status =
            compile(job, job->sources.word[i], object, vidmm_text(job->arena, "%s.kit", object));
        if (status != 0)
            return status;
    }
    return 0;
}

/* -E and its kin: the files made are removed again. */
static int compile_other(struct job *job)
{
    const char *base = getenv("TMPDIR");
    char *made = vidmm_text(job->arena, "%s/vidmm-kit-XXXXXX", base != NULL ? base : P_tmpdir);
    int status = 0;

    if (mkdtemp(made) == NULL)
        return refuse(vidmm_text(job->arena, "%s: %s", made, strerror(errno))), VIDMM_COULD_NOT_RUN;
    for (size_t i = 0; i < job->sources.count && status == 0; i++)
        status = compile(job, job->sources.word[i], job->output, made);
    vidmm_kit_remove_folder(made);
    return status;
}

/* ---- linking --------------------------------------------------------------------------------- */

static int link_objects(struct job *job, const struct vidmm_texts *objects, bool cxx)
{
    enum vidmm_kit_language language = cxx ? VIDMM_KIT_CXX : job->language;
    struct vidmm_kit_compiler compiler =
        vidmm_kit_compiler(job->arena, language, job->clang, job->target);
    struct vidmm_texts command = {0};
    struct vidmm_kit_hints hints = {.arena = job->arena, .place = &job->place};
    const char *error = NULL;

    vidmm_texts_add_all(job->arena, &command, &compiler.command);
    if (!vidmm_kit_link_flags(job->arena, &job->place, &command, &error))
        return refuse(error), VIDMM_COULD_NOT_RUN;
    vidmm_texts_add(job->arena, &command, "-o");
    vidmm_texts_add(job->arena, &command, job->output);
    vidmm_texts_add_all(job->arena, &command, objects);
    vidmm_texts_add_all(job->arena, &command, &job->link);
    vidmm_texts_add(job->arena, &command, "-lgcc");
    int status = vidmm_kit_run(&command, &hints);
    if (status == 0)
        vidmm_kit_missing(&hints, job->output);
    return status;
}

static int compile_and_link(struct job *job)
{
    struct vidmm_texts objects = {0};
    bool cxx = false;

    if (job->output == NULL)
        job->output = vidmm_text(job->arena, "%s.so",
                                 job->sources.count > 0 ? stem_of(job->arena, job->sources.word[0])
                                                        : "driver");
    const char *made = vidmm_text(job->arena, "%s.kit", job->output);
    if (job->sources.count > 0 && !vidmm_kit_make_folder(job->arena, made))
        return refuse(vidmm_text(job->arena, "%s: %s", made, strerror(errno))), VIDMM_COULD_NOT_RUN;
    for (size_t i = 0; i < job->sources.count; i++) {
        const char *source = job->sources.word[i];
        const char *object =
            vidmm_text(job->arena, "%s/%zu-%s.o", made, i, stem_of(job->arena, source));
        int status = compile(job, source, object, vidmm_text(job->arena, "%s.kit", object));
        if (status != 0)
            return status;
        vidmm_texts_add(job->arena, &objects, object);
        cxx = cxx || is_cxx(source);
    }
    return link_objects(job, &objects, cxx);
}

static int nothing_to_do(struct job *job, int count, char *const *arguments)
{
    struct vidmm_kit_compiler compiler =
        vidmm_kit_compiler(job->arena, job->language, job->clang, job->target);

    if (count == 0)
        return refuse("nothing to compile: vidmm kit cc FILE.c ... -o DRIVER.so (vidmm help kit)"),
               VIDMM_COULD_NOT_RUN;
    for (int i = 0; i < count; i++) /* such as --version */
        if (strcmp(arguments[i], "--target") == 0)
            i++;
        else if (strcmp(arguments[i], "--clang") != 0)
            vidmm_texts_add(job->arena, &compiler.command, arguments[i]);
    return vidmm_kit_run(&compiler.command, NULL);
}

static int run(struct job *job, int count, char *const *arguments)
{
    const char *error = NULL;

    parse(job, count, arguments);
    if (job->error != NULL)
        return refuse(job->error), VIDMM_COULD_NOT_RUN;
    if (!vidmm_kit_place(job->arena, &job->place, &error))
        return refuse(error), VIDMM_COULD_NOT_RUN;
    bool objects = false;
    for (size_t i = 0; i < job->link.count; i++)
        objects = objects || job->link.word[i][0] != '-';
    if (job->sources.count == 0 && (!objects || job->mode != LINK))
        return nothing_to_do(job, count, arguments);
    return job->mode == LINK      ? compile_and_link(job)
           : job->mode == OBJECTS ? compile_objects(job)
                                  : compile_other(job);
}

int vidmm_kit_compile(enum vidmm_kit_language language, int count, char *const *arguments)
{
    struct vidmm_arena arena = {0};
    struct job job = {.arena = &arena, .language = language, .target = vidmm_kit_own_machine()};
    int status = run(&job, count, arguments);

    vidmm_arena_finish(&arena);
    return status;
}
