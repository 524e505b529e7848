/* host.c: load a driver and call its DriverEntry. */
#include "check/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/check.h"
#include "check/configuration.h"
#include "check/confine.h"
#include "check/crash.h"
#include "check/device.h"
#include "check/journal.h"
#include "check/plugged.h"
#include "check/shared_object.h"
#include "check/shim.h"
#include "check/stack.h"
#include "host/machine.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/level.h"
#include "wddm/status.h"

#define KERNEL_SAYS "configuration" /* for the name of the file */

_Noreturn void vidmm_check_host_end(struct vidmm_board *board, enum vidmm_board_end end)
{
    atomic_store(&board->end, end);
    vidmm_check_leave();
}

/* ---- files ---- */

/* Load a shared object of which the headers are in order. A name without a folder is one here.
 * NULL: the board has the problem. */
static void *load(struct vidmm_check_host *host, const char *what, const char *path)
{
    char here[1024], error[1200];
    void *file;

    if (!vidmm_check_shared_object(path, error, sizeof(error))) {
        vidmm_board_problem(host->board, "%s%s", what, error);
        return NULL;
    }
    snprintf(here, sizeof(here), "%s%s", strchr(path, '/') ? "" : "./", path);
    file = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        const char *said = dlerror();

        vidmm_board_problem(
            host->board, "%s%s does not load: %s%s", what, path, said,
            strstr(said, "undefined symbol")
                ? ": neither the driver nor the kit has it; is a source or a library "
                  "missing?"
                : "");
    }
    return file;
}

/* ---- the plug-in ---- */

static bool open_plugin(struct vidmm_check_host *host, const char *path)
{
    if (!path || path[0] == 0)
        return true;
    host->plugin_file = load(host, "the plug-in: ", path);
    if (!host->plugin_file)
        return false;
    vidmm_crash_know_plugin(host->plugin_file);
    vidmm_plugged_use(host->board);
    host->plugin = dlsym(host->plugin_file, "vidmm_plugin");
    if (!host->plugin)
        return vidmm_board_problem(host->board, "%s: it exports no vidmm_plugin (vidmm/plugin.h)",
                                   path);
    if (host->plugin->version != VIDMM_PLUGIN_VERSION)
        return vidmm_board_problem(host->board, "%s: its version is %u; this vidmm knows %u", path,
                                   host->plugin->version, VIDMM_PLUGIN_VERSION);
    return true;
}

/* ---- machine and kernel ---- */

static void note_misuse(void *argument, const char *text)
{
    struct vidmm_check_host *host = argument;

    vidmm_check_find(host->board, VIDMM_CHECK_REFUSED, NULL, "the machine was misused: %s", text);
}

static bool make_machine(struct vidmm_check_host *host)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_THREADED,
        .seed = 7,
        .system_memory = host->configuration->system_memory,
        .poison = VIDMM_POISON_HEAD,
        .misuse = note_misuse,
        .misuse_argument = host,
    };
    char error[200] = "";

    host->machine = vidmm_machine_create(&options, error, sizeof(error));
    host->slot = host->machine ? vidmm_machine_add_slot(host->machine) : NULL;
    if (!host->slot)
        return vidmm_board_problem(host->board, "no machine: %s", error);
    host->host = vidmm_slot_host(host->slot);
    return true;
}

/* A gap of the kit is no fault of the driver's. */
static void take_finding(void *argument, const struct vidmm_kit_finding *finding)
{
    struct vidmm_check_host *host = argument;
    char id[16];

    if (finding->id == VIDMM_KIT_BUG_CHECK)
        return; /* take_bug_check() says it, with all parameters */
    snprintf(id, sizeof(id), "K-%03d", (int)finding->id);
    vidmm_board_at(vidmm_crash_address(finding->caller));
    if (finding->id == VIDMM_KIT_UNSUPPORTED)
        vidmm_board_missed(host->board, finding->text);
    if (finding->id == VIDMM_KIT_UNSUPPORTED || finding->id == VIDMM_KIT_PLAIN_ACCESS)
        vidmm_board_note(host->board, id, finding->sentence, "", NULL, finding->text);
    else
        vidmm_board_find(host->board, id, finding->sentence, "the routine's page", NULL,
                         finding->text);
}

static void take_bug_check(void *argument, const struct vidmm_kit_bug_check *check)
{
    struct vidmm_check_host *host = argument;

    vidmm_crash_note_stack();
    if (vidmm_board_missing())
        vidmm_board_problem(host->board, "the driver could not go on: bug check 0x%X", check->code);
    vidmm_check_find(
        host->board, VIDMM_CHECK_BUG_CHECK, NULL, "bug check 0x%X (0x%llx, 0x%llx, 0x%llx, 0x%llx)",
        check->code, (unsigned long long)check->parameters[0],
        (unsigned long long)check->parameters[1], (unsigned long long)check->parameters[2],
        (unsigned long long)check->parameters[3]);
    vidmm_check_host_end(host->board, VIDMM_BOARD_GAVE_UP);
}

static void print_text(void *argument, const char *text)
{
    struct vidmm_check_host *host = argument;

    if (host->print)
        fputs(text, stderr);
}

static bool start_kernel(struct vidmm_check_host *host)
{
    char *text = vidmm_check_device_text(host);
    const struct vidmm_kit_options options = {
        .host = host->host,
        .model = &host->model,
        .finding = take_finding,
        .bug_check = take_bug_check,
        .print = print_text,
        .argument = host,
        .configuration = text,
        .system_base = VIDMM_MACHINE_SYSTEM_BASE,
        .system_memory = host->configuration->system_memory,
        .catch_faults = true,
    };
    char error[200] = "no memory";

    host->kernel_runs = text && vidmm_kit_start(&options, error, sizeof(error));
    free(text);
    if (!host->kernel_runs && host->configuration->file[0] &&
        strncmp(error, KERNEL_SAYS, strlen(KERNEL_SAYS)) == 0)
        return vidmm_board_problem(host->board, "%s%s", host->configuration->file,
                                   error + strlen(KERNEL_SAYS));
    if (!host->kernel_runs)
        return vidmm_board_problem(host->board, "%s", error);
    host->host = vidmm_kit_host(); /* the driver may ask about pages mapped from now on */
    return true;
}

/* ---- the driver ---- */

static bool register_driver(struct vidmm_check_host *host)
{
    bool display_only;
    const DRIVER_INITIALIZATION_DATA *driver = vidmm_kit_registered(&display_only);
    const struct vidmm_level *level;

    const KMDDOD_INITIALIZATION_DATA *display = vidmm_kit_registered_display(&driver);
    if (!driver)
        return vidmm_board_problem(host->board,
                                   "DriverEntry succeeded without calling DxgkInitialize");
    host->display_only = display != NULL;
    if (display) {
        host->present = display->DxgkDdiPresentDisplayOnly;
        vidmm_board_fact(host->board, "display only: there is no video memory to check");
    }
    level = vidmm_level_find(driver->Version);
    vidmm_board_fact(host->board, "DXGKDDI_INTERFACE_VERSION 0x%x, WDDM %u.%u",
                     (unsigned)driver->Version, level->level >> 8, level->level & 0xFF);
    host->table = vidmm_shim_wrap(host->board, host->host, driver);
    return true;
}

static bool enter_driver(struct vidmm_check_host *host, const char *path)
{
    NTSTATUS (*entry)(void *, void *) = NULL;
    struct vidmm_board_call *call;
    struct vidmm_text text;
    char name[64];
    NTSTATUS status;

    *(void **)(void *)&entry = dlsym(host->driver_file, "DriverEntry");
    if (!entry)
        return vidmm_board_problem(host->board,
                                   "%s exports no DriverEntry: it is no driver, or it "
                                   "was linked without the kit's version script",
                                   path);
    vidmm_kit_forget_registered();
    vidmm_board_operation(host->board, "DriverEntry");
    call = vidmm_board_enter(host->board);
    if (call)
        snprintf(call->text, sizeof(call->text), "DriverEntry");
    status = entry(vidmm_kit_driver(), vidmm_kit_registry_path());
    vidmm_board_leave(call);
    vidmm_board_operation(host->board, "start");
    if (status != STATUS_SUCCESS) {
        vidmm_text_init(&text, name, sizeof(name));
        vidmm_status_print(&text, status);
        return vidmm_board_problem(host->board, "DriverEntry answered %s", name);
    }
    return register_driver(host);
}

bool vidmm_check_host_open(struct vidmm_check_host *host, struct vidmm_board *board,
                           const struct vidmm_check_configuration *configuration,
                           const char *driver, const char *plugin, const char *journal, bool print)
{
    *host =
        (struct vidmm_check_host){.board = board, .configuration = configuration, .print = print};
    if (!make_machine(host))
        return false;
    vidmm_crash_loading(board, true);
    vidmm_board_confined(board, vidmm_confine_descriptors());
    if (!vidmm_journal_open(board, journal))
        return false;
    host->driver_file = load(host, "", driver);
    vidmm_crash_loading(board, false);
    if (!host->driver_file)
        return false;
    vidmm_crash_watch(board, host->driver_file, driver);
    vidmm_stack_know(host->driver_file);
    if (!open_plugin(host, plugin ? plugin : configuration->plugin) ||
        !vidmm_check_device_make(host))
        return false;
    return start_kernel(host) && enter_driver(host, driver);
}

bool vidmm_check_host_hang(struct vidmm_check_host *host)
{
    const struct vidmm_check_configuration *c = host->configuration;
    const struct vidmm_register_region *region = &host->model.registers[c->hang.bar];

    if (!host->model.write_register || region->size < 4 || c->hang.offset > region->size - 4)
        return false;
    return host->model.write_register(host->model.device, c->hang.bar, c->hang.offset,
                                      &c->hang.value, sizeof(c->hang.value));
}

void vidmm_check_host_close(struct vidmm_check_host *host)
{
    if (host->table && host->table->DxgkDdiUnload)
        host->table->DxgkDdiUnload();
    vidmm_board_operation(host->board, "after the driver's end");
    if (host->kernel_runs)
        vidmm_kit_stop();
    vidmm_check_device_unmake(host);
    vidmm_machine_destroy(host->machine);
    vidmm_journal_close();
    if (host->driver_file)
        dlclose(host->driver_file);
    if (host->plugin_file)
        dlclose(host->plugin_file);
}
