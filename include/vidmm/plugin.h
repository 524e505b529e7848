/* plugin.h: the facts that the author of a miniport tells vidmm about the hardware and the
 * user-mode driver.
 *
 * A plug-in is a shared object that exports one struct by the name vidmm_plugin. It has up to two
 * halves, and what it leaves NULL it leaves to vidmm:
 *
 *     attach, detach       the GPU: a device model on the machine's bus (bus.h). Without it there
 *                          are the BARs that the configuration file names, and nobody behind them
 *     describe, command    the user-mode driver: the private data that its kernel half expects with
 *                          an allocation, and the commands that DxgkDdiRender expects. Without it
 *                          private data comes from DxgkDdiGetStandardAllocationDriverData, and
 *                          commands are empty
 *
 *     const struct vidmm_plugin vidmm_plugin = {
 *         .version = VIDMM_PLUGIN_VERSION,
 *         .name = "my gpu",
 *         .describe = describe,
 *     };
 *
 * It is loaded into the process that the driver runs in: a child of `vidmm check`, in which its
 * functions cannot start processes of their own, or a program that has the driver in its machine.
 * Its functions are called on that process's threads. Ownership: buffers and bus are the caller's.
 */
#ifndef VIDMM_PLUGIN_H
#define VIDMM_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/bus.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_PLUGIN_VERSION 2u

/* An allocation that is wanted. */
struct vidmm_plugin_wish {
    uint64_t size;     /* bytes */
    uint32_t segments; /* bit n: it should live in segment n + 1; 0: wherever the driver likes */
    bool cpu_visible;  /* the CPU wants to lock it */
};

/* An allocation that a command uses. */
struct vidmm_plugin_use {
    uint32_t index; /* in the allocation list */
    uint64_t size;  /* bytes */
    bool write;
    uint64_t address; /* by which the GPU finds it; 0: commands of this driver name no addresses */
};

struct vidmm_plugin {
    uint32_t version; /* VIDMM_PLUGIN_VERSION */
    const char *name; /* for reports */

    /* Make the device on `bus` and describe it. `text` is what the configuration file says behind
     * the plug-in's name, perhaps empty. False: it cannot be made; `error` has room for 200 bytes
     * and says why. */
    bool (*attach)(const struct vidmm_bus *bus, const char *text, struct vidmm_device_model *model,
                   char *error);
    /* Take it away; nothing of it runs any more. */
    void (*detach)(struct vidmm_device_model *model);

    /* Write the private data of an allocation to `data`, which has room for `room` bytes and is
     * aligned to 8. Answers its size; 0: there is no such allocation. */
    uint32_t (*describe)(const struct vidmm_plugin_wish *wish, void *data, uint32_t room);

    /* Write a command buffer that uses these allocations to `data`, which has room for `room`
     * bytes, all zero, and is aligned to 8. Answers its size; 0: DxgkDdiRender gets an empty
     * one. */
    uint32_t (*command)(const struct vidmm_plugin_use *uses, uint32_t count, void *data,
                        uint32_t room);

    /* For GPUs whose commands name addresses: write those that copy `size` bytes between two to
     * `data`, as above. By them vidmm replay puts known bytes into allocations that the CPU does
     * not see, and fetches them again. Answers their size; 0: they do not fit. NULL: such bytes are
     * not looked at. */
    uint32_t (*copy)(uint64_t to, uint64_t from, uint64_t size, void *data, uint32_t room);
};

/* The plug-in's own, which it defines. */
extern const struct vidmm_plugin vidmm_plugin;

#ifdef __cplusplus
}
#endif

#endif
