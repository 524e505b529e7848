/* parts.h: a machine's parts, made in order and taken apart in the opposite order.
 *
 *     file --+-- machine, software GPU ----+-- auditor's tap -- adapter -- processes of the model
 *            '-- machine, kit, miniport ---'
 */
#ifndef VIDMM_DXCORE_PARTS_H
#define VIDMM_DXCORE_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/adapter.h>
#include <vidmm/dxcore.h>

#include "dxcore/machine.h"
#include "miniport/machine_file.h"
#include "thunk/thunk.h"

struct vidmm_dxcore_parts {
    struct vidmm_machine_file file;
    struct vidmm_account *account; /* or NULL: nobody asked for one */
    struct vidmm_own_gpu *own;     /* the software GPU, or */
    struct vidmm_foreign *foreign; /* a miniport of the kit */
    const struct vidmm_host *host;
    void *object; /* for DxgkDdiAddDevice */
    struct vidmm_adapter_options options;
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    struct vidmm_dxcore_adapter facts;
    struct vidmm_thunk_machine *thunks;
    pthread_mutex_t mutex; /* protects the processes but the first, which stands to the end */
    struct {
        uint64_t number;
        struct vidmm_thunk_process *process; /* NULL: the place is free */
    } processes[VIDMM_DXCORE_PROCESSES];
};

/* Make them. path: the file that describes the machine, or NULL for the default. NULL: error says
 * why. */
struct vidmm_dxcore_parts *vidmm_dxcore_parts_create(const char *path, char *error, size_t size);
/* Takes NULL. No thread is in a call. */
void vidmm_dxcore_parts_destroy(struct vidmm_dxcore_parts *parts);
/* Write the account of one that is left as it is. Takes NULL. Nobody makes or ends processes
 * meanwhile; threads may be in a call. */
void vidmm_dxcore_parts_break_off(struct vidmm_dxcore_parts *parts);

/* Call nothing of the program's any more. False: a callback of it is running still, in another
 * thread. Nobody makes or ends processes meanwhile. */
bool vidmm_dxcore_parts_hush(struct vidmm_dxcore_parts *parts);

/* With the mutex: a process of the model by its number; begin it if it is wanted and is none. NULL:
 * it is none, or cannot be. */
struct vidmm_thunk_process *vidmm_dxcore_parts_process(struct vidmm_dxcore_parts *parts,
                                                       uint64_t number, bool wanted);
/* Take a process out of the table; it is the caller's to end. NULL: it is none. */
struct vidmm_thunk_process *vidmm_dxcore_parts_forget(struct vidmm_dxcore_parts *parts,
                                                      uint64_t number);

#endif
