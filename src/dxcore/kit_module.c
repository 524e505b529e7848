/* kit_module.c: a miniport of the kit in somebody else's process. */
#include "dxcore/kit_module.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>

#include "dxcore/fault.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "kit/registry.h"
#include "miniport/configuration.h"
#include "miniport/device.h"
#include "miniport/frame.h"
#include "miniport/miniport.h"
#include "miniport/plugged.h"
#include "wddm/call.h"
#include "wddm/level.h"

enum { DESCRIPTION = 0 };                      /* DevicePropertyDeviceDescription */
enum { LATE = 0, KINDS = VIDMM_KIT_FINDINGS }; /* by number of the kit's; it has no 0 */

struct vidmm_kit_machine {
    const struct vidmm_kit_owner *owner;
    struct vidmm_miniport miniport;
    struct vidmm_miniport_owner told;
    pthread_mutex_t mutex; /* of what was seen */
    struct vidmm_kit_seen seen[KINDS];
};

/* ---- what is told ---------------------------------------------------------------------------- */

static void see(struct vidmm_kit_machine *machine, unsigned kind, const char *id, bool warning,
                const char *sentence, const char *text, const void *place)
{
    struct vidmm_kit_seen *seen = &machine->seen[kind];
    char where[120];

    vidmm_fault_place(place, where, sizeof(where));
    pthread_mutex_lock(&machine->mutex);
    if (seen->count++ == 0) {
        snprintf(seen->id, sizeof(seen->id), "%s", id);
        seen->warning = warning;
        snprintf(seen->first, sizeof(seen->first), "%.120s: %.200s%s%s", sentence, text,
                 where[0] != '\0' ? ", at " : "", where);
    }
    pthread_mutex_unlock(&machine->mutex);
}

static void take_problem(void *argument, const char *text)
{
    const struct vidmm_kit_machine *machine = argument;

    machine->owner->problem(machine->owner->argument, text);
}

static void take_misuse(void *argument, const char *text)
{
    const struct vidmm_kit_machine *machine = argument;

    machine->owner->misuse(machine->owner->argument, text);
}

/* A gap of the kit is no fault of the driver's. */
static void take_finding(void *argument, const struct vidmm_kit_finding *finding)
{
    char id[16];

    snprintf(id, sizeof(id), "K-%03d", (int)finding->id);
    see(argument, finding->id, id,
        finding->id == VIDMM_KIT_UNSUPPORTED || finding->id == VIDMM_KIT_PLAIN_ACCESS,
        finding->sentence, finding->text,
        finding->caller != NULL ? (const char *)finding->caller - 1 : NULL);
}

static void take_bug_check(void *argument, const struct vidmm_kit_bug_check *check)
{
    const struct vidmm_kit_machine *machine = argument;
    char text[300];

    snprintf(text, sizeof(text),
             "the miniport ends in bug check 0x%" PRIX32 " (0x%" PRIx64 ", 0x%" PRIx64
             ", 0x%" PRIx64 ", 0x%" PRIx64 "), in %s",
             check->code, check->parameters[0], check->parameters[1], check->parameters[2],
             check->parameters[3], vidmm_fault_call());
    machine->owner->fell(machine->owner->argument, text);
    vidmm_fault_abort();
}

static void drop_text(void *argument, const char *text)
{
    (void)argument;
    (void)text;
}

static void *open_file(void *argument, const char *path)
{
    const struct vidmm_kit_machine *machine = argument;

    return machine->owner->open(machine->owner->argument, path);
}

static void end_plugin(void *argument, const char *text)
{
    const struct vidmm_kit_machine *machine = argument;

    machine->owner->fell(machine->owner->argument, text);
    vidmm_fault_abort();
}

/* ---- the frame ------------------------------------------------------------------------------- */

static void *enter(void *argument, const struct vidmm_ddi_record *record, const char *name)
{
    (void)argument;
    return vidmm_fault_enter(record != NULL ? vidmm_ddi_call(record->ddi)->name : name);
}

static void leave(void *argument, void *entered)
{
    (void)argument;
    vidmm_fault_leave(entered);
}

static void late(void *argument, const char *name)
{
    /* C-037 of check, which has no page here */
    see(argument, LATE, "C-037", false, "a callback was made for a device that is gone", name,
        NULL);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* As the configuration has it (`property 0`), or else the name of the driver's file. */
static void describe(const char *driver, char *text, size_t size)
{
    const char *slash = strrchr(driver, '/'), *name = slash != NULL ? slash + 1 : driver;
    ULONG bytes = 0;
    const WCHAR *wide = vidmm_kit_property(DESCRIPTION, &bytes);
    char *narrow = wide != NULL ? vidmm_kit_narrow(wide, bytes / sizeof(WCHAR)) : NULL;

    if (narrow != NULL)
        snprintf(text, size, "%s", narrow);
    else
        snprintf(text, size, "%.*s", (int)strcspn(name, "."), name);
    free(narrow);
}

static void find_facts(struct vidmm_kit_machine *machine, const char *driver,
                       struct vidmm_kit_facts *facts)
{
    const struct vidmm_frame_watch watch = {
        .argument = machine, .enter = enter, .leave = leave, .late = late};

    facts->host = machine->miniport.host;
    facts->driver = vidmm_frame_driver(&watch, machine->miniport.host, machine->miniport.driver);
    facts->object = vidmm_kit_device();
    facts->level = vidmm_level_find(machine->miniport.driver->Version)->level;
    facts->post_device = vidmm_kit_is_post_device();
    describe(driver, facts->description, sizeof(facts->description));
}

static bool open_driver(struct vidmm_kit_machine *machine, const char *driver)
{
    struct vidmm_miniport *miniport = &machine->miniport;
    void *entered;
    bool right;

    if (!vidmm_miniport_make_machine(miniport) || !vidmm_miniport_load(miniport, driver))
        return false;
    vidmm_fault_watch(miniport->driver_file, driver,
                      &(struct vidmm_fault_owner){machine->owner->argument, machine->owner->fell});
    vidmm_plugged_use(end_plugin, machine);
    if (!vidmm_miniport_open_plugin(miniport, miniport->configuration->plugin) ||
        !vidmm_miniport_device_make(miniport) || !vidmm_miniport_start_kernel(miniport))
        return false;
    entered = vidmm_fault_enter("DriverEntry");
    right = vidmm_miniport_enter(miniport, driver);
    vidmm_fault_leave(entered);
    return right && (!miniport->display_only ||
                     vidmm_miniport_problem(miniport,
                                            "%s is display only: it has no video memory "
                                            "for a program",
                                            driver));
}

static void end(struct vidmm_kit_machine *machine)
{
    const DRIVER_INITIALIZATION_DATA *driver = machine->miniport.driver;

    if (driver != NULL && driver->DxgkDdiUnload != NULL) {
        void *entered = vidmm_fault_enter("DxgkDdiUnload");

        driver->DxgkDdiUnload();
        vidmm_fault_leave(entered);
    }
    vidmm_miniport_close(&machine->miniport);
    vidmm_fault_forget();
}

/* The files stay loaded: threads that the driver has left behind may run in them. */
static void destroy(struct vidmm_kit_machine *machine)
{
    pthread_mutex_destroy(&machine->mutex);
    free(machine);
}

static struct vidmm_kit_machine *create(const struct vidmm_miniport_configuration *configuration,
                                        const char *driver, const struct vidmm_kit_owner *owner,
                                        struct vidmm_kit_facts *facts)
{
    struct vidmm_kit_machine *machine = calloc(1, sizeof(*machine));

    if (machine == NULL || pthread_mutex_init(&machine->mutex, NULL) != 0) {
        owner->problem(owner->argument, "no memory for a machine");
        free(machine);
        return NULL;
    }
    machine->owner = owner;
    machine->told = (struct vidmm_miniport_owner){.visitors = true,
                                                  .argument = machine,
                                                  .problem = take_problem,
                                                  .misuse = take_misuse,
                                                  .finding = take_finding,
                                                  .bug_check = take_bug_check,
                                                  .print = drop_text,
                                                  .open = open_file};
    machine->miniport.owner = &machine->told;
    machine->miniport.configuration = configuration;
    if (open_driver(machine, driver)) {
        find_facts(machine, driver, facts);
        return machine;
    }
    end(machine);
    destroy(machine);
    return NULL;
}

static bool next_seen(const struct vidmm_kit_machine *machine, unsigned index,
                      struct vidmm_kit_seen *seen)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (machine->seen[kind].count != 0 && index-- == 0) {
            *seen = machine->seen[kind];
            return true;
        }
    return false;
}

__attribute__((visibility("default")))
const struct vidmm_kit_module vidmm_kit_module = {create, end, next_seen, destroy};
