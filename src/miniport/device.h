/* device.h: the device that the driver is for: a plug-in's, or what the configuration makes.
 *
 *      machine --> model --+-- config space: lines `config`, `capability`; else the plug-in's
 *                          +-- registers: the plug-in's, or bytes that keep what is written
 *
 * Source: PCI Local Bus Specification 3.0, 6.1 and 6.7; PCI Express Base Specification, 7.6.
 */
#ifndef VIDMM_MINIPORT_DEVICE_H
#define VIDMM_MINIPORT_DEVICE_H

#include <stdbool.h>

struct vidmm_miniport;

/* Make the device of the host's configuration and plug-in, and plug it in. False: the board has the
 * problem; the parts made are to be unmade all the same. */
bool vidmm_miniport_device_make(struct vidmm_miniport *miniport);
void vidmm_miniport_device_unmake(struct vidmm_miniport *miniport);

/* The kernel's part of the configuration, with the hardware ids of the device if it has none;
 * malloc()ed. NULL: no memory. */
char *vidmm_miniport_device_text(const struct vidmm_miniport *miniport);

#endif
