/* suspend.h: devices of processes that a test holds back (<vidmm/suspend.h>). */
#ifndef VIDMM_CLIENT_SUSPEND_H
#define VIDMM_CLIENT_SUSPEND_H

#include <stdbool.h>

struct vidmm_context;
struct vidmm_device;

/* Whether its work is held back. The mutex is held. */
bool vidmm_device_is_suspended(const struct vidmm_device *device);
/* Whether work is queued on the context, and is held back. The mutex is held. */
bool vidmm_context_is_suspended(const struct vidmm_context *context);
/* A device is new, and among those of its adapter: it is suspended like the others of its process.
 * The mutex is held. */
void vidmm_suspend_like_others(struct vidmm_device *device);
/* Wait for something that the device's queued work leads to. It is not suspended any more then, if
 * that is not so already. */
void vidmm_wait_for_work(struct vidmm_device *device, bool (*done)(void *argument), void *argument);

#endif
