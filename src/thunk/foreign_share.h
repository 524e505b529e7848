/* foreign_share.h: what processes of the system share, each on a machine of its own.
 *
 *     a heap of CrossAdapter     its memory is one; each machine has a resource over it
 *     a fence                    each machine has one, and a mirror carries the values
 *
 * Nothing else can be opened by another process of the system: other resources lie in the memory
 * of one machine. A fence with NoSignal or NoWait is not carried either, since the mirror does
 * both.
 *
 * Source: "Using cross-adapter resources in a hybrid system"; D3DKMTShareObjects.
 */
#ifndef VIDMM_THUNK_FOREIGN_SHARE_H
#define VIDMM_THUNK_FOREIGN_SHARE_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_carried;
struct vidmm_nt_target;
struct vidmm_thunk_machine;

/* Describe what a handle of the target has to carry; the file stays the target's. False: other
 * processes of the system cannot open it. */
bool vidmm_export(struct vidmm_thunk_machine *machine, const struct vidmm_nt_target *target,
                  struct vidmm_carried *carried);
/* Make on this machine what a descriptor of another process carries; *target has one opening of it.
 * False: it carries nothing that is legal, or it cannot be made; the reason says why, or is empty.
 */
bool vidmm_import(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                  int descriptor, struct vidmm_nt_target *target);

#endif
