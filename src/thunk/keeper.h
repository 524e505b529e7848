/* keeper.h: devices of the machine itself, to which belongs what processes share.
 *
 *     process 1 --- fence handle --.
 *                                   >--- shared fence --- keeper: a device of process 0
 *     process 2 --- fence handle --'
 *
 * A fence goes with its device, and a shared one has to outlive the process that made it.
 * An adapter has no keeper before something is shared, and another one when the first is in error,
 * as a reset of the adapter leaves it.
 */
#ifndef VIDMM_THUNK_KEEPER_H
#define VIDMM_THUNK_KEEPER_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_thunk_machine;

/* A device that works. STATUS_NO_MEMORY, or why a device cannot be created. */
NTSTATUS vidmm_keeper_take(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                           struct vidmm_device **device);
/* Destroy them all, with what they still own. */
void vidmm_keepers_finish(struct vidmm_thunk_machine *machine);

#endif
