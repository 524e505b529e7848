/* trim.h: requests to trim, as a program hears of them: by functions of its own.
 *
 *     manager --- a request stands ---> watch of the device, asked
 *                                         |  a thread of the process wakes, and takes the request
 *                                         v
 *     program <--- Callback(request) --- each registration of the device, the oldest first
 *
 * The thread begins with the first registration and ends with the process. It holds nothing while
 * a callback runs, so a callback may call every thunk.
 *
 * Source: D3DKMTRegisterTrimNotification, D3DKMT_TRIMNOTIFICATION.
 */
#ifndef VIDMM_THUNK_TRIM_H
#define VIDMM_THUNK_TRIM_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_device;
struct vidmm_thunk_object;
struct vidmm_thunk_process;
struct vidmm_trims;

/* NULL: no memory. */
struct vidmm_trims *vidmm_trims_create(struct vidmm_thunk_process *process);
/* Begin no callback from now on. False: one is running still, of another thread than this. */
bool vidmm_trims_hush(struct vidmm_trims *trims);
/* No registration is left. Waits for the thread. Takes NULL. */
void vidmm_trims_destroy(struct vidmm_trims *trims);
/* A device that was removed is about to be destroyed: its registrations go. Waits for a callback
 * of them, unless that is the caller. */
void vidmm_trims_forget(struct vidmm_trims *trims, const struct vidmm_thunk_object *device);

#endif
