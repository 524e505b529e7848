/*
 * missing.c: see missing.h. This program exports the kit's kernel for the drivers that it
 * loads, so what dlsym() finds here a driver finds too.
 */
#include "import/missing.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "import/hint.h"

/* Names that a sanitizer's run time brings, in a vidmm that is built with it. */
static bool is_of_sanitizer(const char *name)
{
    static const char *const starts[] = {"__asan_", "__ubsan_", "__tsan_", "__sanitizer_",
                                         "__lsan_"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void say(struct vidmm_kit_hints *hints, const char *driver, const char *name)
{
    const char *hint = vidmm_kit_hint_name(hints, name);
    bool declared =
        hint != NULL && strstr(hint, "#include") != NULL && strncmp(name, "GUID_", 5) != 0;

    if (strncmp(name, "GUID_", 5) == 0)
        hint = "one source must include <initguid.h> before the header that names it";
    else if (hint == NULL || strncmp(hint, "no header", 9) == 0)
        hint = "no source or library of this command defines it";
    fprintf(stderr, "%s: warning: nobody defines '%s'\n%s: hint: %s%s\n", driver, name, driver,
            hint, declared ? "; the kit declares it and does not have it" : "");
}

unsigned vidmm_kit_missing(struct vidmm_kit_hints *hints, const char *driver)
{
    FILE *names = popen(vidmm_text(hints->arena, "nm -D -u '%s' 2>/dev/null", driver), "r");
    char line[1024], kind;
    unsigned missing = 0;

    while (names != NULL && fgets(line, sizeof(line), names) != NULL) {
        char *name = line + strspn(line, " ");

        kind = name[0];
        name += name[0] != 0 ? 1 + strspn(name + 1, " ") : 0;
        name[strcspn(name, "@\n")] = 0;
        if (kind != 'U' || *name == 0 || is_of_sanitizer(name) || dlsym(RTLD_DEFAULT, name) != NULL)
            continue;
        say(hints, driver, name);
        missing++;
    }
    if (names != NULL)
        pclose(names);
    return missing;
}
