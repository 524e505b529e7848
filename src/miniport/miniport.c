/* miniport.c: load a driver and call its DriverEntry. */
#include "miniport/miniport.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "host/machine.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "miniport/configuration.h"
#include "miniport/device.h"
#include "miniport/shared_object.h"
#include "wddm/status.h"

#define KERNEL_SAYS "configuration" /* for the name of the file */

bool vidmm_miniport_problem(struct vidmm_miniport *miniport, const char *format, ...)
{
    char text[1600];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    miniport->owner->problem(miniport->owner->argument, text);
    return false;
}

/* ---- files ---- */

/* Load a shared object of which the headers are in order. A name without a folder is one here.
 * NULL: the owner has the problem. */
static void *load(struct vidmm_miniport *miniport, const char *what, const char *path)
{
    const struct vidmm_miniport_owner *owner = miniport->owner;
    char here[1024], error[1200];
    void *file;

    if (!vidmm_shared_object_judge(path, error, sizeof(error))) {
        vidmm_miniport_problem(miniport, "%s%s", what, error);
        return NULL;
    }
    snprintf(here, sizeof(here), "%s%s", strchr(path, '/') ? "" : "./", path);
    file = owner->open ? owner->open(owner->argument, path) : dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        const char *said = dlerror();

        vidmm_miniport_problem(
            miniport, "%s%s does not load: %s%s", what, path, said,
            strstr(said, "undefined symbol")
                ? ": neither the driver nor the kit has it; is a source or a library "
                  "missing?"
                : "");
    }
    return file;
}

bool vidmm_miniport_load(struct vidmm_miniport *miniport, const char *path)
{
    miniport->driver_file = load(miniport, "", path);
    return miniport->driver_file != NULL;
}

bool vidmm_miniport_open_plugin(struct vidmm_miniport *miniport, const char *path)
{
    if (!path || path[0] == 0)
        return true;
    miniport->plugin_file = load(miniport, "the plug-in: ", path);
    if (!miniport->plugin_file)
        return false;
    miniport->plugin = dlsym(miniport->plugin_file, "vidmm_plugin");
    if (!miniport->plugin)
        return vidmm_miniport_problem(miniport, "%s: it exports no vidmm_plugin (vidmm/plugin.h)",
                                      path);
    if (miniport->plugin->version != VIDMM_PLUGIN_VERSION)
        return vidmm_miniport_problem(miniport, "%s: its version is %u; this vidmm knows %u", path,
                                      miniport->plugin->version, VIDMM_PLUGIN_VERSION);
    return true;
}

/* ---- machine and kernel ---- */

bool vidmm_miniport_make_machine(struct vidmm_miniport *miniport)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED,
        .seed = 7,
        .system_memory = miniport->configuration->system_memory,
        .poison = VIDMM_POISON_HEAD,
        .visitors = miniport->owner->visitors,
        .misuse = miniport->owner->misuse,
        .misuse_argument = miniport->owner->argument,
    };
    char error[200] = "";

    miniport->machine = vidmm_machine_create(&options, error, sizeof(error));
    miniport->slot = miniport->machine ? vidmm_machine_add_slot(miniport->machine) : NULL;
    if (!miniport->slot)
        return vidmm_miniport_problem(miniport, "no machine: %s", error);
    miniport->host = vidmm_slot_host(miniport->slot);
    return true;
}

bool vidmm_miniport_start_kernel(struct vidmm_miniport *miniport)
{
    const struct vidmm_miniport_configuration *configuration = miniport->configuration;
    char *text = vidmm_miniport_device_text(miniport);
    const struct vidmm_kit_options options = {
        .host = miniport->host,
        .model = &miniport->model,
        .finding = miniport->owner->finding,
        .bug_check = miniport->owner->bug_check,
        .print = miniport->owner->print,
        .argument = miniport->owner->argument,
        .configuration = text,
        .system_base = VIDMM_MACHINE_SYSTEM_BASE,
        .system_memory = configuration->system_memory,
        .catch_faults = true,
    };
    char error[200] = "no memory";

    miniport->kernel_runs = text && vidmm_kit_start(&options, error, sizeof(error));
    free(text);
    if (!miniport->kernel_runs && configuration->file[0] &&
        strncmp(error, KERNEL_SAYS, strlen(KERNEL_SAYS)) == 0)
        return vidmm_miniport_problem(miniport, "%s%s", configuration->file,
                                      error + strlen(KERNEL_SAYS));
    if (!miniport->kernel_runs)
        return vidmm_miniport_problem(miniport, "%s", error);
    miniport->host = vidmm_kit_host(); /* the driver may ask about pages mapped from now on */
    return true;
}

/* ---- the driver ---- */

static bool register_driver(struct vidmm_miniport *miniport)
{
    const KMDDOD_INITIALIZATION_DATA *display;
    bool display_only;

    miniport->driver = vidmm_kit_registered(&display_only);
    display = vidmm_kit_registered_display(&miniport->driver);
    if (!miniport->driver)
        return vidmm_miniport_problem(miniport,
                                      "DriverEntry succeeded without calling DxgkInitialize");
    miniport->display_only = display != NULL;
    if (display)
        miniport->present = display->DxgkDdiPresentDisplayOnly;
    return true;
}

bool vidmm_miniport_enter(struct vidmm_miniport *miniport, const char *path)
{
    NTSTATUS (*entry)(void *, void *) = NULL;
    struct vidmm_text text;
    char name[64];
    NTSTATUS status;

    *(void **)(void *)&entry = dlsym(miniport->driver_file, "DriverEntry");
    if (!entry)
        return vidmm_miniport_problem(miniport,
                                      "%s exports no DriverEntry: it is no driver, or it "
                                      "was linked without the kit's version script",
                                      path);
    vidmm_kit_forget_registered();
    status = entry(vidmm_kit_driver(), vidmm_kit_registry_path());
    if (status == STATUS_SUCCESS)
        return register_driver(miniport);
    vidmm_text_init(&text, name, sizeof(name));
    vidmm_status_print(&text, status);
    return vidmm_miniport_problem(miniport, "DriverEntry answered %s", name);
}

/* ---- the end ---- */

void vidmm_miniport_close(struct vidmm_miniport *miniport)
{
    if (miniport->kernel_runs)
        vidmm_kit_stop();
    vidmm_miniport_device_unmake(miniport);
    vidmm_machine_destroy(miniport->machine);
}

void vidmm_miniport_unload(struct vidmm_miniport *miniport)
{
    if (miniport->driver_file)
        dlclose(miniport->driver_file);
    if (miniport->plugin_file)
        dlclose(miniport->plugin_file);
}
