/* condition.h: whether a device still has something to do. */
#ifndef VIDMM_CLIENT_CONDITION_H
#define VIDMM_CLIENT_CONDITION_H

struct vidmm_device;

/* Wait until the GPU has done what is queued for the device, or the adapter has stopped. */
void vidmm_device_wait(struct vidmm_device *device);

#endif
