/* nt_handle.h: handles of the system: descriptors that lead to what is shared.
 *
 *     ShareObjects -----> a descriptor: the end of a pipe, of which the machine has the other end
 *                            |  dup(), fork(), a message over a socket: it is the same pipe
 *     Open...FromNtHandle <--'
 *
 * A handle keeps what it leads to: a fence, or a resource, which the machine has open on a device
 * of its own (keeper.h). When the last descriptor of the pipe is closed the other end says so; it
 * is asked whenever something is shared or opened, and when a process ends. A descriptor leads
 * somewhere in the process of the machine alone: another process has a machine of its own.
 *
 * Source: D3DKMTShareObjects, D3DKMT_OPENRESOURCEFROMNTHANDLE, D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2.
 */
#ifndef VIDMM_THUNK_NT_HANDLE_H
#define VIDMM_THUNK_NT_HANDLE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_resource;
struct vidmm_share;
struct vidmm_sync_share;
struct vidmm_thunk_machine;

/* One of the two: an opening that is the handle's. */
struct vidmm_nt_target {
    struct vidmm_sync_share *sync;
    struct vidmm_share *share;
    struct vidmm_resource *resource; /* of share, on the machine's device */
};

/* Make a handle. STATUS_NO_MEMORY, STATUS_INSUFFICIENT_RESOURCES: no descriptor is to be had; the
 * target is the caller's still. */
NTSTATUS vidmm_nt_handle_create(struct vidmm_thunk_machine *machine,
                                const struct vidmm_nt_target *target, HANDLE *handle);

/* One opening more of what the handle leads to. NULL: it leads to none; the reason says it. */
struct vidmm_sync_share *vidmm_nt_handle_open_sync(struct vidmm_thunk_machine *machine,
                                                   HANDLE handle);
struct vidmm_share *vidmm_nt_handle_open_share(struct vidmm_thunk_machine *machine, HANDLE handle);

/* Give up handles that nobody has any more; all of them, with `all`. */
void vidmm_nt_handles_sweep(struct vidmm_thunk_machine *machine, bool all);

#endif
