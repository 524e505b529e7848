/* foreign.c: find the kit's library, load it with the driver, and listen. */
#include "dxcore/foreign.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dxcore/account.h"
#include "dxcore/joined.h"
#include "miniport/machine_file.h"

#define LIBRARY "libvidmm-dxcore-kit.so"

struct vidmm_foreign {
    struct vidmm_account *account;
    const char *path; /* the driver's, as it was said */
    struct vidmm_joined files;
    const struct vidmm_kit_module *module;
    struct vidmm_kit_machine *machine;
    struct vidmm_kit_owner owner;
    struct vidmm_kit_facts facts;
    char *error; /* while it is made */
    size_t error_size;
};

static bool loaded;        /* this process has tried to load the files, or */
static bool loaded_before; /* a parent of it has */

void vidmm_foreign_forget(void)
{
    loaded_before |= loaded;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void take_problem(void *argument, const char *text)
{
    const struct vidmm_foreign *foreign = argument;

    if (foreign->error != NULL)
        snprintf(foreign->error, foreign->error_size, "%s", text);
}

static void take_misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "libdxcore: %s\n", text);
}

/* In a signal, perhaps: nothing is printed by halves, and no lock of stdio is waited for. */
static void take_fall(void *argument, const char *text)
{
    const struct vidmm_foreign *foreign = argument;
    char line[800];
    int length = snprintf(line, sizeof(line), "libdxcore: %s\n", text);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);

    (void)written;
    vidmm_account_fell(foreign->account, text);
}

static void *open_file(void *argument, const char *path)
{
    const struct vidmm_foreign *foreign = argument;

    if (strcmp(path, foreign->path) == 0)
        return foreign->files.driver;
    return vidmm_joined_load(path, loaded_before);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Beside this library: in a folder of its own, or in a build folder. */
static bool find_library(char *path, size_t size, char *error, size_t error_size)
{
    static const char *const folders[] = {"vidmm/", ""};
    const char *slash;
    Dl_info self;
    int length;

    if (!dladdr((const void *)&loaded_before, &self) || self.dli_fname == NULL)
        return false;
    slash = strrchr(self.dli_fname, '/');
    length = slash != NULL ? (int)(slash - self.dli_fname) + 1 : 0;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        snprintf(path, size, "%.*s%s" LIBRARY, length, self.dli_fname, folders[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    snprintf(error, error_size,
             LIBRARY " is missing: it is in neither %.*s%s nor %.*s; a miniport needs it", length,
             self.dli_fname, folders[0], length, self.dli_fname);
    return false;
}

static bool load(struct vidmm_foreign *foreign, char *error, size_t error_size)
{
    char library[PATH_MAX] = "";

    loaded = true;
    if (!find_library(library, sizeof(library), error, error_size) ||
        !vidmm_joined_open(&foreign->files, foreign->path, library, loaded_before, error,
                           error_size))
        return false;
    foreign->module = dlsym(foreign->files.kit, "vidmm_kit_module");
    if (foreign->module == NULL)
        snprintf(error, error_size, "%s is of another version", library);
    return foreign->module != NULL;
}

struct vidmm_foreign *vidmm_foreign_create(const struct vidmm_machine_file *file,
                                           struct vidmm_account *account, char *error,
                                           size_t error_size)
{
    struct vidmm_foreign *foreign = calloc(1, sizeof(*foreign));

    if (foreign == NULL) {
        snprintf(error, error_size, "no memory");
        return NULL;
    }
    foreign->account = account;
    foreign->path = file->driver;
    foreign->error = error;
    foreign->error_size = error_size;
    foreign->owner = (struct vidmm_kit_owner){.argument = foreign,
                                              .problem = take_problem,
                                              .misuse = take_misuse,
                                              .fell = take_fall,
                                              .open = open_file};
    if (load(foreign, error, error_size))
        foreign->machine = foreign->module->create(&file->configuration, file->driver,
                                                   &foreign->owner, &foreign->facts);
    foreign->error = NULL;
    if (foreign->machine != NULL)
        return foreign;
    vidmm_foreign_destroy(foreign);
    return NULL;
}

const struct vidmm_kit_facts *vidmm_foreign_facts(const struct vidmm_foreign *foreign)
{
    return &foreign->facts;
}

/* ---- the end --------------------------------------------------------------------------------- */

void vidmm_foreign_end(struct vidmm_foreign *foreign)
{
    struct vidmm_kit_seen seen;

    if (foreign == NULL)
        return;
    foreign->module->end(foreign->machine);
    for (unsigned i = 0; foreign->module->seen(foreign->machine, i, &seen); i++)
        vidmm_account_kit(foreign->account, &seen);
}

/* The files stay, for threads that may run in them. */
void vidmm_foreign_destroy(struct vidmm_foreign *foreign)
{
    if (foreign != NULL && foreign->machine != NULL)
        foreign->module->destroy(foreign->machine);
    free(foreign);
}
