/*
 * place.h: where the kit's headers are, and what a driver is compiled and linked with.
 *
 *     build tree   build/KIND/src/tool/vidmm    ->  include/kit, include/wddm of the source tree
 *     installed    PREFIX/bin/vidmm             ->  PREFIX/include/vidmm-kit/kit, .../wddm
 *
 * The flags are a text file beside the headers, include/kit/flags, so that the tool, the build of
 * miniports/ and pkg-config's vidmm-kit say the same.
 */
#ifndef VIDMM_IMPORT_PLACE_H
#define VIDMM_IMPORT_PLACE_H

#include "import/arena.h"

struct vidmm_kit_place {
    const char *self; /* this program */
    const char *kit;  /* folder of ntddk.h */
    const char *wddm; /* folder of d3dkmddi.h */
    const char *map;  /* the version script that exports DriverEntry alone */
    const char *flags;
};

/* False: the headers are not there; error is a sentence. */
bool vidmm_kit_place(struct vidmm_arena *arena, struct vidmm_kit_place *place, const char **error);

enum vidmm_kit_language { VIDMM_KIT_C, VIDMM_KIT_CXX };

/* The machines that drivers are compiled for. */
enum vidmm_kit_machine { VIDMM_KIT_X86_64, VIDMM_KIT_AARCH64 };

/* The machine that this program runs on: drivers are for it, unless another one is named. */
enum vidmm_kit_machine vidmm_kit_own_machine(void);

/* Read the name of a machine: x86_64 or aarch64; x64 and arm64, as Windows calls them. False: it
 * is another one; error is a sentence. */
bool vidmm_kit_read_machine(struct vidmm_arena *arena, const char *name,
                            enum vidmm_kit_machine *target, const char **error);

/* A compiler, and the machine that it compiles for. */
struct vidmm_kit_compiler {
    struct vidmm_texts command; /* the compiler's words: "clang", "ccache gcc" */
    enum vidmm_kit_machine target;
    bool clang;
};

/* The compiler of a language: $CC or $CXX if it is set, else clang if it is wanted, else gcc, which
 * for another machine is Debian's cross compiler. A program that calls itself clang, or has the
 * word in its name, is clang. */
struct vidmm_kit_compiler vidmm_kit_compiler(struct vidmm_arena *arena,
                                             enum vidmm_kit_language language, bool clang,
                                             enum vidmm_kit_machine target);

/* The command that compiles a driver's source, include folders first; the command that links its
 * objects. False: the file of flags cannot be read or a line is bad. */
bool vidmm_kit_compile_flags(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                             enum vidmm_kit_language language,
                             const struct vidmm_kit_compiler *compiler, struct vidmm_texts *flags,
                             const char **error);
bool vidmm_kit_link_flags(struct vidmm_arena *arena, const struct vidmm_kit_place *place,
                          struct vidmm_texts *flags, const char **error);

#endif
