/* bars.h: are the BARs of a device model such as a PCI device can have?
 *
 * Sizes go by what a driver can read of them: a BAR is a power of two, because writing ones to it
 * shows which address bits it decodes. The machine alone would round up, and the driver of a
 * device of 3 MiB would find 4. Source: PCI Local Bus Specification 3.0, 6.2.5.1.
 *
 *     memory      4 KiB to 64 GiB     add_memory() of struct vidmm_bus; a window of the machine
 *     registers   16 bytes to 4 GiB   registers[] of struct vidmm_device_model; a window of the kit
 *     ports       4 bytes to 4 KiB
 *
 * A BAR of 32 bits has an address below 4 GiB: at most 512 MiB, and all of them together 1 GiB.
 * include/vidmm/bus.h draws the places of BARs in config space.
 */
#ifndef VIDMM_MINIPORT_BARS_H
#define VIDMM_MINIPORT_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_device_model;
struct vidmm_slot;

enum vidmm_bar_kind { VIDMM_BAR_NONE, VIDMM_BAR_MEMORY, VIDMM_BAR_REGISTERS, VIDMM_BAR_PORTS };

struct vidmm_bar {
    enum vidmm_bar_kind kind;
    uint64_t size; /* bytes */
    bool narrow;   /* it has 32 bits, not for its number or its kind alone */
};

/* The BAR whose place in config space is behind; VIDMM_BUS_REGIONS: none is. */
unsigned vidmm_bar_behind(unsigned bar);

/* Is that a size of bytes for a BAR of the kind, which is not VIDMM_BAR_NONE? */
bool vidmm_bar_size(enum vidmm_bar_kind kind, uint64_t size);

/* Look through the BARs of a device (VIDMM_BUS_REGIONS), whose sizes are powers of two. False: they
 * have no place in six words of config space, or no addresses below 4 GiB, and `error` (`room`
 * bytes) says which. */
bool vidmm_bars_fit(const struct vidmm_bar *bars, char *error, size_t room);

/* Look through what the model in the slot asked for and describes. False: a BAR has a size that it
 * cannot have, or they do not fit, and `error` (`room` bytes) says which, and what it may be. */
bool vidmm_bars_judge(const struct vidmm_slot *slot, const struct vidmm_device_model *model,
                      char *error, size_t room);

#endif
