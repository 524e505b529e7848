/* bars.h: are the BARs of a device model such as a PCI device can have?
 *
 * Sizes go by what a driver can read of them: a BAR is a power of two, because writing ones to it
 * shows which address bits it decodes. The machine alone would round up, and the driver of a
 * device of 3 MiB would find 4. Source: PCI Local Bus Specification 3.0, 6.2.5.1.
 *
 *     memory      4 KiB to 64 GiB     add_memory() of struct vidmm_bus; a window of the machine
 *     registers   16 bytes to 4 GiB   registers[] of struct vidmm_device_model; a window of the kit
 *     ports       4 bytes to 4 KiB
 */
#ifndef VIDMM_MINIPORT_BARS_H
#define VIDMM_MINIPORT_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_device_model;
struct vidmm_slot;

enum vidmm_bar_kind { VIDMM_BAR_NONE, VIDMM_BAR_MEMORY, VIDMM_BAR_REGISTERS, VIDMM_BAR_PORTS };

/* Is that a size of bytes for a BAR of the kind, which is not VIDMM_BAR_NONE? */
bool vidmm_bar_size(enum vidmm_bar_kind kind, uint64_t size);

/* Write "BAR 1: memory of 12288 bytes; it is 4K to 64G, a power of two" to `error` (`room` bytes).
 * `kind` is not VIDMM_BAR_NONE. */
void vidmm_bar_explain(unsigned bar, enum vidmm_bar_kind kind, uint64_t size, char *error,
                       size_t room);

/* Look through what the model in the slot asked for and describes. False: a BAR has a size that it
 * cannot have, and `error` (`room` bytes) says which, and what it may be. */
bool vidmm_bars_judge(const struct vidmm_slot *slot, const struct vidmm_device_model *model,
                      char *error, size_t room);

#endif
