/* shim.h: what check adds to the frame around the driver's functions (miniport/frame.h).
 *
 *      manager or rig --> auditor's tap --> shim --> frame --> driver
 *                                            |
 *                                            +--> board: which call is under way, decoded
 *
 * Each call stands on the board while it lasts, so that who watches from outside knows where the
 * driver crashed or hangs. One driver a process.
 */
#ifndef CHECK_SHIM_H
#define CHECK_SHIM_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

struct vidmm_board;
struct vidmm_host;

/* Stand in front of `driver`. Answers the table to call instead; good until the process ends. */
const DRIVER_INITIALIZATION_DATA *vidmm_shim_wrap(struct vidmm_board *board,
                                                  const struct vidmm_host *host,
                                                  const DRIVER_INITIALIZATION_DATA *driver);

/* The driver's answer when it was started. False: it was not. */
bool vidmm_shim_started(HANDLE *adapter, uint32_t *sources, uint32_t *children);

/* For a call that has no row in wddm/calls.def: it stands on the board as `name`. */
struct vidmm_board_call *vidmm_shim_enter(const char *name);

/* The name of this thread's last call of the driver. NULL: it has made none. */
const char *vidmm_shim_last(void);

/* The driver's function that a record of a call begins with; of the last call of this thread, where
 * it is NULL. NULL: none. */
const void *vidmm_shim_entry(const char *record);

#endif
