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
#include "miniport/configuration.h"
#include "check/confine.h"
#include "check/crash.h"
#include "miniport/device.h"
#include "check/journal.h"
#include "miniport/plugged.h"
#include "miniport/shared_object.h"
#include "check/shim.h"
#include "check/stack.h"
#include "host/machine.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/level.h"
#include "wddm/status.h"

_Noreturn void vidmm_check_host_end(struct vidmm_board *board, enum vidmm_board_end end)
{
    atomic_store(&board->end, end);
    vidmm_check_leave();
}

/* ---- what the miniport tells ---- */

static void take_problem(void *argument, const char *text)
{
    struct vidmm_check_host *host = argument;

    vidmm_board_problem(host->board, "%s", text);
}

static void end_plugin(void *argument, const char *text)
{
    struct vidmm_check_host *host = argument;

    take_problem(host, text);
    vidmm_check_host_end(host->board, VIDMM_BOARD_COULD_NOT_RUN);
}

static void note_misuse(void *argument, const char *text)
{
    struct vidmm_check_host *host = argument;

    vidmm_check_find(host->board, VIDMM_CHECK_REFUSED, NULL, "the machine was misused: %s", text);
}

/* The routine that the finding follows from, which the kit does not have; NULL: none. An object, a
 * handle or a pointer that it did not give is no argument for the next; and a start that failed for
 * its sake may leave things behind. */
static const char *cause_of(enum vidmm_kit_finding_id id)
{
    switch (id) {
    case VIDMM_KIT_POOL_LEAK:
    case VIDMM_KIT_CONTIGUOUS_LEAK:
    case VIDMM_KIT_MAPPING_LEAK:
    case VIDMM_KIT_MDL_LEAK:
    case VIDMM_KIT_THREAD_LEAK:
    case VIDMM_KIT_HANDLE_LEAK:
    case VIDMM_KIT_REFERENCE_LEAK:
    case VIDMM_KIT_TIMER_LEFT:
    case VIDMM_KIT_IOMMU_LEAK:
        return vidmm_board_refused_by();
    case VIDMM_KIT_FREE_OF_NOTHING:
    case VIDMM_KIT_MDL_NOT_MAPPED:
    case VIDMM_KIT_NOT_INITIALIZED:
    case VIDMM_KIT_BAD_ARGUMENT:
    case VIDMM_KIT_UNHANDLED_EXCEPTION:
    case VIDMM_KIT_ASSERTION:
    case VIDMM_KIT_BREAK_POINT:
    case VIDMM_KIT_BAD_HANDLE:
    case VIDMM_KIT_OVER_DEREFERENCED:
        return vidmm_board_missing();
    default:
        return NULL;
    }
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
        vidmm_board_judge(host->board, cause_of(finding->id), id, finding->sentence,
                          "the routine's page", NULL, finding->text);
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

/* ---- the driver ---- */

/* Write what it is on the board. */
static void tell_driver(struct vidmm_check_host *host)
{
    const DRIVER_INITIALIZATION_DATA *driver = host->miniport.driver;
    const struct vidmm_level *level = vidmm_level_find(driver->Version);

    if (host->miniport.display_only)
        vidmm_board_fact(host->board, "display only: there is no video memory to check");
    vidmm_board_fact(host->board, "DXGKDDI_INTERFACE_VERSION 0x%x, WDDM %u.%u",
                     (unsigned)driver->Version, level->level >> 8, level->level & 0xFF);
}

static bool enter_driver(struct vidmm_check_host *host, const char *path)
{
    struct vidmm_board_call *call;
    bool entered;

    vidmm_board_operation(host->board, "DriverEntry");
    call = vidmm_board_enter(host->board);
    if (call)
        snprintf(call->text, sizeof(call->text), "DriverEntry");
    entered = vidmm_miniport_enter(&host->miniport, path);
    vidmm_board_leave(call);
    vidmm_board_operation(host->board, "start");
    if (!entered)
        return false;
    tell_driver(host);
    host->table = vidmm_shim_wrap(host->board, host->miniport.host, host->miniport.driver);
    return true;
}

static bool load_driver(struct vidmm_check_host *host, const char *path)
{
    bool loaded = vidmm_miniport_load(&host->miniport, path);

    vidmm_crash_loading(host->board, false);
    if (!loaded)
        return false;
    vidmm_crash_watch(host->board, host->miniport.driver_file, path);
    vidmm_stack_know(host->miniport.driver_file);
    return true;
}

static bool open_plugin(struct vidmm_check_host *host, const char *path)
{
    vidmm_plugged_use(end_plugin, host);
    if (!vidmm_miniport_open_plugin(&host->miniport, path))
        return false;
    if (host->miniport.plugin_file)
        vidmm_crash_know_plugin(host->miniport.plugin_file);
    return true;
}

bool vidmm_check_host_open(struct vidmm_check_host *host, struct vidmm_board *board,
                           const struct vidmm_miniport_configuration *configuration,
                           const char *driver, const char *plugin, const char *journal, bool print)
{
    struct vidmm_miniport *miniport = &host->miniport;

    *host = (struct vidmm_check_host){.board = board, .print = print};
    host->owner = (struct vidmm_miniport_owner){.argument = host,
                                                .problem = take_problem,
                                                .misuse = note_misuse,
                                                .finding = take_finding,
                                                .bug_check = take_bug_check,
                                                .print = print_text};
    miniport->owner = &host->owner;
    miniport->configuration = configuration;
    if (!vidmm_miniport_make_machine(miniport))
        return false;
    vidmm_crash_loading(board, true);
    vidmm_board_confined(board, vidmm_confine_descriptors());
    return vidmm_journal_open(board, journal) && load_driver(host, driver) &&
           open_plugin(host, plugin ? plugin : configuration->plugin) &&
           vidmm_miniport_device_make(miniport) && vidmm_miniport_start_kernel(miniport) &&
           enter_driver(host, driver);
}

bool vidmm_check_host_hang(struct vidmm_check_host *host)
{
    const struct vidmm_miniport_configuration *c = host->miniport.configuration;
    const struct vidmm_device_model *model = &host->miniport.model;
    const struct vidmm_register_region *region = &model->registers[c->hang.bar];

    if (!model->write_register || region->size < 4 || c->hang.offset > region->size - 4)
        return false;
    return model->write_register(model->device, c->hang.bar, c->hang.offset, &c->hang.value,
                                 sizeof(c->hang.value));
}

void vidmm_check_host_close(struct vidmm_check_host *host)
{
    if (host->table && host->table->DxgkDdiUnload)
        host->table->DxgkDdiUnload();
    vidmm_board_operation(host->board, "after the driver's end");
    vidmm_miniport_close(&host->miniport);
    vidmm_journal_close();
    vidmm_miniport_unload(&host->miniport);
}
