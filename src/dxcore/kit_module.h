/* kit_module.h: libvidmm-dxcore-kit.so, which libdxcore.so loads with a miniport, and only then.
 *
 *     libdxcore.so --- struct vidmm_kit_module ---> machine, kit, frame --- driver.so
 *         manager <--- host, driver's functions ------'
 *
 * It exports the routines of the kit, for the driver, and vidmm_kit_module. The machine that it
 * makes is its own: the manager reaches it by the tables of `facts` alone.
 */
#ifndef VIDMM_DXCORE_KIT_MODULE_H
#define VIDMM_DXCORE_KIT_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct _DRIVER_INITIALIZATION_DATA; /* wddm/dispmprt.h */
struct vidmm_host;
struct vidmm_kit_machine;
struct vidmm_miniport_configuration;

/* Told on any thread. */
struct vidmm_kit_owner {
    void *argument;
    void (*problem)(void *argument, const char *text); /* why the machine cannot be made */
    void (*misuse)(void *argument, const char *text);
    /* The process ends, by a fault or a bug check of the driver: perhaps inside a signal. */
    void (*fell)(void *argument, const char *text);
    void *(*open)(void *argument, const char *path); /* as dlopen() does */
};

struct vidmm_kit_facts {
    const struct vidmm_host *host;
    const struct _DRIVER_INITIALIZATION_DATA *driver; /* its functions, each in a frame */
    void *object;                                     /* the physical device object */
    uint16_t level;                                   /* VIDMM_LEVEL(...) */
    bool post_device;
    char description[128]; /* UTF-8 */
};

/* A mistake of the driver that the kit has found. */
struct vidmm_kit_seen {
    char id[16];
    bool warning;
    uint64_t count;
    char first[480];
};

struct vidmm_kit_module {
    /* Load, make, and call DriverEntry. NULL: the owner knows why. All arguments outlive it. */
    struct vidmm_kit_machine *(*create)(const struct vidmm_miniport_configuration *configuration,
                                        const char *driver, const struct vidmm_kit_owner *owner,
                                        struct vidmm_kit_facts *facts);
    /* After the adapter's end: DxgkDdiUnload, the end of the kernel, which finds what is left, and
     * of the machine. */
    void (*end)(struct vidmm_kit_machine *machine);
    /* One mistake after another: false: there are no more. */
    bool (*seen)(const struct vidmm_kit_machine *machine, unsigned index,
                 struct vidmm_kit_seen *seen);
    void (*destroy)(struct vidmm_kit_machine *machine);
};

extern const struct vidmm_kit_module vidmm_kit_module;

#endif
