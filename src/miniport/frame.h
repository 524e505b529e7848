/* frame.h: the last thing before the driver, around each of its functions.
 *
 *      manager or rig --> auditor's tap --> frame --> driver
 *                                             |
 *                                             +--> watch: which call is under way
 *                                             +--> kit: level and spin locks on return
 *
 * StartDevice gives the driver a DXGKRNL_INTERFACE without holes (kit/dxgk.h). Callbacks that a
 * thread of the driver's makes after DxgkDdiRemoveDevice do nothing. One driver a process.
 */
#ifndef VIDMM_MINIPORT_FRAME_H
#define VIDMM_MINIPORT_FRAME_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

struct vidmm_ddi_record;
struct vidmm_host;

/* The one who watches, told from any thread. */
struct vidmm_frame_watch {
    void *argument;
    /* A call begins: its record, or NULL and its name, for one that has no row in wddm/calls.def.
     * The answer is for `leave`. */
    void *(*enter)(void *argument, const struct vidmm_ddi_record *record, const char *name);
    void (*leave)(void *argument, void *entered);
    /* A callback by this name comes after DxgkDdiRemoveDevice. */
    void (*late)(void *argument, const char *name);
    void (*completed)(void *argument); /* the driver has reported a fence; or NULL */
};

/* Stand in front of `driver`. Answers the table to call instead; good until the process ends. */
const DRIVER_INITIALIZATION_DATA *vidmm_frame_driver(const struct vidmm_frame_watch *watch,
                                                     const struct vidmm_host *host,
                                                     const DRIVER_INITIALIZATION_DATA *driver);

/* Whether this thread is inside the driver's SubmitCommand, and not in its interrupt routine. */
bool vidmm_frame_in_submit(void);

#endif
