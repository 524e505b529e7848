/* vidmm kit: build drivers for the user-space kernel. */
#include <string.h>

#include "host/exit.h"
#include "import/compile.h"
#include "import/import.h"
#include "import/message.h"
#include "import/place.h"
#include "tool/command.h"

static void help(FILE *file)
{
    fputs(
        "vidmm kit cc|c++ [--clang] [--target MACHINE] [--wpp FILE] [--wpp-func FUNC] ARGS...\n"
        "    compile a driver's sources with the compiler's arguments ARGS and the kit's, and "
        "link\n"
        "    them: a shared object that exports DriverEntry. Includes are found whatever their\n"
        "    case and slashes. .tmh files and log macros are made; --wpp FILE names a file with a\n"
        "    `begin_wpp config` that no source includes. The compiler is $CC or $CXX, else gcc or\n"
        "    clang. Errors about unknown names say which documented header has them. As with\n"
        "    Microsoft's compiler, `long` has 32 bits, and a macro's comma before an empty "
        "argument\n"
        "    is dropped. MACHINE is x86_64 or aarch64: for another one than this, Debian's cross\n"
        "    compiler is used, and the driver runs under the vidmm of that machine.\n"
        "vidmm kit cflags [--c++] [--clang] [--target MACHINE]\n"
        "vidmm kit libs\n"
        "    print the kit's flags for the compiler and the linker, for other build systems;\n"
        "    pkg-config has them as vidmm-kit\n"
        "vidmm kit import DIR|FILE.vcxproj|FILE.sln|sources [--configuration Release]\n"
        "                 [--platform x64] [--set NAME=VALUE]... [--define NAME[=VALUE]]...\n"
        "                 [--library FILE.vcxproj]... [--programs] [-o OUT]\n"
        "    read a Visual Studio project, the driver of a solution, or a driver kit's `sources`\n"
        "    file, and write a project for the kit: `ninja -C OUT` builds OUT/NAME.so. Static\n"
        "    libraries that it refers to or links by name are built too, where a project near it\n"
        "    makes them; --library names a project that lies elsewhere. --set gives a name of the\n"
        "    project files, --define one of the preprocessor, for all sources. A `sources` file\n"
        "    means the interface of Windows 7, unless it or --define says which\n"
        "    DXGKDDI_INTERFACE_VERSION. C++ is compiled by clang unless $CXX names a compiler,\n"
        "    because clang takes more of what Microsoft's compiler takes. The project's own steps\n"
        "    run where they write message headers, copy files or make folders, all inside its "
        "tree.\n"
        "    --programs also runs python, perl and the like; these do whatever the project's "
        "author\n"
        "    wrote.\n"
        "vidmm kit mc FILE.mc|FILE.man [-h FOLDER] [-z NAME] [-p PREFIX] [-c]\n"
        "    make the header of a message text or of a manifest of events; its log macros take\n"
        "    their arguments and log nothing\n"
        "\n"
        "examples\n"
        "  vidmm kit cc test/kit/driver.c -o driver.so\n"
        "  vidmm kit c++ -c -DDBG=1 -Iinc driver.cpp -o driver.o\n"
        "  vidmm kit import driver/driver.vcxproj --configuration Debug -o build-driver\n"
        "\n"
        "exit status: cc, c++: the compiler's; 2 could not run, with the reason\n",
        file);
}

static int refuse(const char *error)
{
    fprintf(stderr, "vidmm kit: %s\n", error);
    return VIDMM_COULD_NOT_RUN;
}

static int print_flags(bool link, int count, char *const *arguments)
{
    struct vidmm_arena arena = {0};
    struct vidmm_kit_place place;
    struct vidmm_texts flags = {0};
    enum vidmm_kit_language language = VIDMM_KIT_C;
    bool clang = false;
    enum vidmm_kit_machine target = vidmm_kit_own_machine();
    const char *error = NULL;

    for (int i = 0; i < count; i++) {
        if (strcmp(arguments[i], "--c++") == 0 && !link)
            language = VIDMM_KIT_CXX;
        else if (strcmp(arguments[i], "--clang") == 0)
            clang = true;
        else if (strcmp(arguments[i], "--target") == 0 && !link)
            vidmm_kit_read_machine(&arena, i + 1 < count ? arguments[++i] : "", &target, &error);
        else
            error = vidmm_text(&arena, "'%s' is no option of %s", arguments[i],
                               link ? "libs" : "cflags");
    }
    struct vidmm_kit_compiler compiler = vidmm_kit_compiler(&arena, language, clang, target);
    if (error == NULL && vidmm_kit_place(&arena, &place, &error) &&
        (link ? vidmm_kit_link_flags(&arena, &place, &flags, &error)
              : vidmm_kit_compile_flags(&arena, &place, language, &compiler, &flags, &error)))
        printf("%s\n", vidmm_texts_join(&arena, &flags, " "));
    int status = error == NULL ? VIDMM_CLEAN : refuse(error);
    vidmm_arena_finish(&arena);
    return status;
}

static int run(int count, char *const *arguments)
{
    const char *verb = count > 0 ? arguments[0] : "";
    bool is_compiler =
        strcmp(verb, "cc") == 0 || strcmp(verb, "c++") == 0; /* has a --help of its own */

    if (strcmp(verb, "--help") == 0 || strcmp(verb, "help") == 0 ||
        (count == 2 && !is_compiler && strcmp(arguments[1], "--help") == 0)) {
        help(stdout);
        return VIDMM_CLEAN;
    }
    if (strcmp(verb, "cc") == 0)
        return vidmm_kit_compile(VIDMM_KIT_C, count - 1, arguments + 1);
    if (strcmp(verb, "c++") == 0)
        return vidmm_kit_compile(VIDMM_KIT_CXX, count - 1, arguments + 1);
    if (strcmp(verb, "cflags") == 0)
        return print_flags(false, count - 1, arguments + 1);
    if (strcmp(verb, "libs") == 0)
        return print_flags(true, count - 1, arguments + 1);
    if (strcmp(verb, "import") == 0)
        return vidmm_kit_import(count - 1, arguments + 1);
    if (strcmp(verb, "mc") == 0)
        return vidmm_kit_mc(count - 1, arguments + 1);
    return refuse("expected cc, c++, cflags, libs, import or mc (vidmm help kit)");
}

const struct vidmm_command vidmm_command_kit = {
    "kit", "compile a real display driver for the user-space kernel", run, help};
