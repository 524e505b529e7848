/*
 * place.c: see place.h.
 */
#include "import/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "host/posix_file.h"

#define FLAGS_MOST 65536u

/* ---- the folders ----------------------------------------------------------------------------- */

static const char *own_path(struct vidmm_arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path));

    return vidmm_text_cut(arena, path, length > 0 ? (size_t)length : 0);
}

static bool is_place(struct vidmm_arena *arena, const char *folder)
{
    return access(vidmm_text(arena, "%s/kit/ntddk.h", folder), R_OK) == 0 &&
           access(vidmm_text(arena, "%s/wddm/d3dkmddi.h", folder), R_OK) == 0;
}

/* The folder that has both, at the path or, for each of `up` folders above it, below one of
 * them. */
static const char *search(struct vidmm_arena *arena, const char *self)
{
    static const char *const below[] = {"include/vidmm-kit", "include"};
    char *folder = vidmm_text(arena, "%s", self), *slash;

    while ((slash = strrchr(folder, '/')) != NULL) {
        *slash = 0;
        for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
            const char *found = vidmm_text(arena, "%s/%s", folder, below[i]);
            if (is_place(arena, found))
                return found;
        }
    }
#ifdef VIDMM_KIT_SOURCE /* a build folder outside the source tree */
    if (is_place(arena, VIDMM_KIT_SOURCE))
        return VIDMM_KIT_SOURCE;
#endif
    return NULL;
}

bool vidmm_kit_place(struct vidmm_arena *arena, struct vidmm_kit_place *place, const char **error)
{
    place->self = own_path(arena);
    const char *folder = search(arena, place->self);

    if (folder == NULL) {
        *error = vidmm_text(arena,
                            "the kit's headers (kit/ntddk.h, wddm/d3dkmddi.h) are in no "
                            "include folder above %s",
                            place->self);
        return false;
    }
    place->kit = vidmm_text(arena, "%s/kit", folder);
    place->wddm = vidmm_text(arena, "%s/wddm", folder);
    place->map = vidmm_text(arena, "%s/kit/driver.map", folder);
    place->flags = vidmm_text(arena, "%s/kit/flags", folder);
    return true;
}

/* ---- the compiler ---------------------------------------------------------------------------- */

static const char *const machines[] = {"x86_64", "aarch64"};

enum vidmm_kit_machine vidmm_kit_own_machine(void)
{
#if defined(__aarch64__)
    return VIDMM_KIT_AARCH64;
#else
    return VIDMM_KIT_X86_64;
#endif
}

bool vidmm_kit_read_machine(struct vidmm_arena *arena, const char *name,
                            enum vidmm_kit_machine *target, const char **error)
{
    if (strcmp(name, "x86_64") == 0 || strcasecmp(name, "x64") == 0)
        *target = VIDMM_KIT_X86_64;
    else if (strcmp(name, "aarch64") == 0 || strcasecmp(name, "arm64") == 0)
        *target = VIDMM_KIT_AARCH64;
    else
        *error = vidmm_text(arena, "--target: expected x86_64 or aarch64, found '%s'", name);
    return *error == NULL;
}

struct vidmm_kit_compiler vidmm_kit_compiler(struct vidmm_arena *arena,
                                             enum vidmm_kit_language language, bool clang,
                                             enum vidmm_kit_machine target)
{
    static const char *const names[2][2] = {{"gcc", "g++"}, {"clang", "clang++"}};
    const char *wish = getenv(language == VIDMM_KIT_C ? "CC" : "CXX");
    struct vidmm_kit_compiler compiler = {.clang = clang, .target = target};
    bool cross = target != vidmm_kit_own_machine();

    if (!clang && wish != NULL && wish[strspn(wish, " ")] != 0) {
        vidmm_texts_split(arena, &compiler.command, wish, " ");
        compiler.clang = strstr(wish, "clang") != NULL;
    } else {
        vidmm_texts_add(arena, &compiler.command,
                        vidmm_text(arena, "%s%s%s", cross && !clang ? machines[target] : "",
                                   cross && !clang ? "-linux-gnu-" : "", names[clang][language]));
    }
    if (cross && compiler.clang)
        vidmm_texts_add(arena, &compiler.command,
                        vidmm_text(arena, "--target=%s-linux-gnu", machines[target]));
    return compiler;
}

/* ---- the flags ------------------------------------------------------------------------------- */

static bool matches(const char *wish, const char *is)
{
    return strcmp(wish, "*") == 0 || strcmp(wish, is) == 0;
}

/* Lines `LANGUAGE COMPILER FLAG...`, `*` for any; `link` is the language of linking, and a machine
 * that of both languages there. */
static bool read_flags(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                       const char *language, const char *compiler, const char *machine,
                       struct vidmm_texts *flags, const char **error)
{
    char why[400];
    size_t size;
    char *text = vidmm_file_read(place->flags, FLAGS_MOST, &size, why, sizeof(why));
    struct vidmm_texts lines = {0};

    if (text == NULL) {
        *error = vidmm_text(arena, "%s", why);
        return false;
    }
    vidmm_texts_split(arena, &lines, text, "\n");
    free(text);
    for (size_t i = 0; i < lines.count; i++) {
        struct vidmm_texts words = {0};
        vidmm_texts_split(arena, &words, lines.word[i], " \t");
        if (words.word[0][0] == '#')
            continue;
        if (words.count < 3) {
            *error = vidmm_text(arena, "%s: '%s' is no LANGUAGE COMPILER FLAG...", place->flags,
                                lines.word[i]);
            return false;
        }
        bool link = strcmp(language, "link") == 0;
        if ((link ? strcmp(words.word[0], "link") == 0
                  : matches(words.word[0], language) || strcmp(words.word[0], machine) == 0) &&
            matches(words.word[1], compiler))
            for (size_t j = 2; j < words.count; j++)
                vidmm_texts_add(arena, flags, words.word[j]);
    }
    return true;
}

bool vidmm_kit_compile_flags(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                             enum vidmm_kit_language language,
                             const struct vidmm_kit_compiler *compiler, struct vidmm_texts *flags,
                             const char **error)
{
    vidmm_texts_add(arena, flags, vidmm_text(arena, "-I%s", place->kit));
    vidmm_texts_add(arena, flags, vidmm_text(arena, "-I%s", place->wddm));
    return read_flags(arena, place, language == VIDMM_KIT_C ? "c" : "c++",
                      compiler->clang ? "clang" : "gcc", machines[compiler->target], flags, error);
}

bool vidmm_kit_link_flags(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                          struct vidmm_texts *flags, const char **error)
{
    if (!read_flags(arena, place, "link", "*", "", flags, error))
        return false;
    vidmm_texts_add(arena, flags, vidmm_text(arena, "-Wl,--version-script=%s", place->map));
    return true;
}
