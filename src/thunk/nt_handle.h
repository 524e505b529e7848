/* nt_handle.h: handles of the system: descriptors that lead to what is shared.
 *
 *     ShareObjects -----> a descriptor: a socket of a pair, of which the machine has the other one
 *                            |  dup(), fork(), a message over a socket: it is the same socket
 *     Open...FromNtHandle <--'
 *
 * A handle keeps what it leads to: a fence, or a resource, which the machine has open on a device
 * of its own (keeper.h). When the last descriptor of the socket is closed the other end says so; it
 * is asked whenever something is shared or opened, and when a process ends.
 *
 * Another process of the system has a machine of its own. If it can open the object a message lies
 * in the socket (carried.h): by that it makes the same thing on its own machine, and has a record
 * of the handle, too, as long as one of its own processes has it open (foreign_share.h).
 *
 * Source: D3DKMTShareObjects, D3DKMT_OPENRESOURCEFROMNTHANDLE, D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2.
 */
#ifndef VIDMM_THUNK_NT_HANDLE_H
#define VIDMM_THUNK_NT_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_carried;
struct vidmm_resource;
struct vidmm_share;
struct vidmm_sync_share;
struct vidmm_thunk_machine;

/* One of the two: an opening that is the handle's. */
struct vidmm_nt_target {
    struct vidmm_sync_share *sync;
    struct vidmm_share *share;
    struct vidmm_resource *resource; /* of share, on the machine's device */
    /* The memory of another process of the system over which the resource lies; NULL: none. */
    void *memory;
    uint64_t memory_size;
};

/* Make a handle. carried: for other processes of the system; NULL: nothing is. STATUS_NO_MEMORY,
 * STATUS_INSUFFICIENT_RESOURCES: no descriptor is to be had; the target is the caller's still. */
NTSTATUS vidmm_nt_handle_create(struct vidmm_thunk_machine *machine,
                                const struct vidmm_nt_target *target,
                                const struct vidmm_carried *carried, HANDLE *handle);

/* One opening more of what the handle leads to. adapter: on which it is made, if the handle is of
 * another process of the system. NULL: it leads to none; the reason says it. */
struct vidmm_sync_share *vidmm_nt_handle_open_sync(struct vidmm_thunk_machine *machine,
                                                   struct vidmm_adapter *adapter, HANDLE handle);
struct vidmm_share *vidmm_nt_handle_open_share(struct vidmm_thunk_machine *machine,
                                               struct vidmm_adapter *adapter, HANDLE handle);

/* Give up handles that nobody has any more, and those of other processes of the system that lead to
 * what nobody here has open; all of them, with `all`. */
void vidmm_nt_handles_sweep(struct vidmm_thunk_machine *machine, bool all);

#endif
