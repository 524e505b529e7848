/* miniport.h: a miniport compiled with the kit, loaded: a machine, a device, the kernel,
 * DriverEntry.
 *
 *      configuration --> machine, slot --> device model (plug-in, or BARs alone)
 *                               |
 *      driver.so --load--> kernel (src/kit) --DriverEntry--> DRIVER_INITIALIZATION_DATA
 *                                                                      |
 *                                                       frame <--------+
 *
 * Steps, in this order: make_machine, load, open_plugin, device_make (device.h), start_kernel,
 * enter. The owner takes them, and is told what goes wrong. There is one miniport a process, as the
 * kernel is one.
 */
#ifndef VIDMM_MINIPORT_MINIPORT_H
#define VIDMM_MINIPORT_MINIPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/bus.h>
#include <vidmm/plugin.h>
#include <wddm/dispmprt.h>

struct vidmm_kit_bug_check;
struct vidmm_kit_finding;
struct vidmm_miniport_configuration;

/* The owner is told on any thread; all functions but `open` are needed. */
struct vidmm_miniport_owner {
    bool visitors; /* threads that the machine does not know call the manager (host/machine.h) */
    void *argument;
    /* Why a step has failed, a sentence. */
    void (*problem)(void *argument, const char *text);
    void (*misuse)(void *argument, const char *text);
    void (*finding)(void *argument, const struct vidmm_kit_finding *finding);
    void (*bug_check)(void *argument, const struct vidmm_kit_bug_check *check); /* never returns */
    void (*print)(void *argument, const char *text);
    /* Load a shared object of this path, as dlopen() does. NULL: dlopen() does it. */
    void *(*open)(void *argument, const char *path);
};

struct vidmm_miniport {
    const struct vidmm_miniport_owner *owner;
    const struct vidmm_miniport_configuration *configuration;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    const struct vidmm_host *host;
    struct vidmm_device_model model;
    struct vidmm_device_model plugins;     /* the plug-in's, behind `model` */
    uint8_t *registers[VIDMM_BUS_REGIONS]; /* of a device that has no model */
    /* Config space as the configuration has it, and which bits of it are the configuration's. */
    uint8_t space[4096], given[4096];
    const struct vidmm_plugin *plugin; /* or NULL */
    bool attached, plugged, kernel_runs;
    void *plugin_file, *driver_file;
    const DRIVER_INITIALIZATION_DATA *driver; /* what it has registered */
    PDXGKDDI_PRESENTDISPLAYONLY present;      /* of a display-only driver */
    bool display_only;                        /* it has no video memory */
};

/* Tell the owner; false, always. */
__attribute__((format(printf, 2, 3))) bool vidmm_miniport_problem(struct vidmm_miniport *miniport,
                                                                  const char *format, ...);

/* The steps. False: the owner knows why; what was made is to be closed all the same. */
bool vidmm_miniport_make_machine(struct vidmm_miniport *miniport);
bool vidmm_miniport_load(struct vidmm_miniport *miniport, const char *path);
bool vidmm_miniport_open_plugin(struct vidmm_miniport *miniport, const char *path);
bool vidmm_miniport_start_kernel(struct vidmm_miniport *miniport);
bool vidmm_miniport_enter(struct vidmm_miniport *miniport, const char *path);

/* After the driver's DxgkDdiUnload: stop the kernel, which reports leaks, and take the machine
 * apart; then unload the files. */
void vidmm_miniport_close(struct vidmm_miniport *miniport);
void vidmm_miniport_unload(struct vidmm_miniport *miniport);

#endif
