/* thunk.h: the requests of user-mode drivers (D3DKMT...), as programs make them.
 *
 *     program --- D3DKMTMakeResident(handles) ---> vidmm_thunk_MakeResident(process, ...)
 *                                                     |  handles -> objects, flags -> flags
 *                                                     v
 *                                                  vidmm_make_resident(objects)
 *
 * A thunk is a check of its arguments and one call of <vidmm/...>, which is where the meaning is.
 * All of them are listed in thunks.def; calls.h declares those that are built.
 *
 * A process has handles of its own: a handle of another process is none. A handle is typed; one
 * that has died is refused, and its number is not given out again soon. All that a process leaves
 * behind goes when it closes its adapter, or ends.
 *
 * Every function may be called by any thread at any time. A thunk waits for what the call below it
 * waits for. STATUS_INVALID_PARAMETER: a handle that is none, or of another type; a count or a flag
 * out of its range; a NULL pointer where there has to be something. After any answer that is no
 * success nothing has changed, but the members that the page of the structure calls out.
 *
 * Source: the pages of d3dkmthk.h.
 */
#ifndef VIDMM_THUNK_THUNK_H
#define VIDMM_THUNK_THUNK_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_thunk_machine;
struct vidmm_thunk_process;

/* An adapter that processes may open. */
struct vidmm_thunk_adapter {
    LUID luid;                     /* not zeros, and no other adapter's */
    struct vidmm_adapter *adapter; /* started; outlives the machine */
    const char *description;       /* UTF-8; outlives the machine. NULL: none */
    uint64_t driver_version;       /* four numbers of 16 bits, the first above. 0: not known */
};

#define VIDMM_THUNK_ADAPTERS 64u /* of a machine, at most */

/* Describe a machine: the adapters of `count` elements, copied, 1 to VIDMM_THUNK_ADAPTERS. NULL: a
 * count or a LUID that is not legal, or no memory. */
struct vidmm_thunk_machine *vidmm_thunk_machine_create(const struct vidmm_thunk_adapter *adapters,
                                                       uint32_t count);
/* From now on handles of the system lead into other processes of the system, which have machines of
 * their own, and come from there. Threads of the machine call the adapters then, so these have to
 * be of a host with threads. Before the first process. */
void vidmm_thunk_machine_carry(struct vidmm_thunk_machine *machine);
/* Every process has ended. Takes NULL. */
void vidmm_thunk_machine_destroy(struct vidmm_thunk_machine *machine);

/* Begin a process. number: not 0, and no other living process's; the manager tells processes apart
 * by it. NULL: no memory. */
struct vidmm_thunk_process *vidmm_thunk_process_create(struct vidmm_thunk_machine *machine,
                                                       uint64_t number);
/* End it: all its adapters are closed, with what it has left. No thread is in a call of it. Waits
 * for the GPU. Takes NULL. */
void vidmm_thunk_process_destroy(struct vidmm_thunk_process *process);

/* Call nothing of the program's any more: no callback that asks it to trim begins. False: one is
 * running still, of another thread. vidmm_thunk_process_destroy() would wait for it. */
bool vidmm_thunk_process_hush(struct vidmm_thunk_process *process);

/* Why the newest call of this thread was refused, in words; "" at first. Valid until its next call.
 */
const char *vidmm_thunk_reason(void);

/* The functions by number, in the order of thunks.def. */
enum vidmm_thunk {
#define BUILT(Name, Arguments) VIDMM_THUNK_##Name,
#define UNBUILT(Name) VIDMM_THUNK_##Name,
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
    VIDMM_THUNKS
};

/* Answer a function that is not built: STATUS_NOT_SUPPORTED, and it is counted. */
NTSTATUS vidmm_thunk_not_supported(struct vidmm_thunk_process *process, enum vidmm_thunk function);
/* How often the process has called a function that is not built, or one that is with a type of
 * question that is not. */
uint64_t vidmm_thunk_missed(const struct vidmm_thunk_process *process, enum vidmm_thunk function);

#endif
