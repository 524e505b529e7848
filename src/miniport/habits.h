/* habits.h: what the manager is to know of a driver's habits, from the configuration. */
#ifndef VIDMM_MINIPORT_HABITS_H
#define VIDMM_MINIPORT_HABITS_H

#include <stdbool.h>

struct vidmm_adapter_options;
struct vidmm_miniport_configuration;

/* Do transfers go in parts? */
bool vidmm_miniport_splits(const struct vidmm_miniport_configuration *habits);

/* Fill in the options of an adapter. post_device: the firmware shows its picture on the device
 * (kit/dxgk.h). */
void vidmm_miniport_adapter_options(const struct vidmm_miniport_configuration *habits,
                                    bool post_device, struct vidmm_adapter_options *options);

#endif
