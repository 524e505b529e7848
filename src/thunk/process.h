/* process.h: a process and the machine that it runs on, for the sources of src/thunk. */
#ifndef VIDMM_THUNK_PROCESS_H
#define VIDMM_THUNK_PROCESS_H

#include <stdatomic.h>

#include <pthread.h>

#include "thunk/gate.h"
#include "thunk/handle_table.h"
#include "thunk/object.h"
#include "thunk/thunk.h"

struct vidmm_keeper;
struct vidmm_nt_handle;
struct vidmm_semaphores;
struct vidmm_share;
struct vidmm_sync_share;
struct vidmm_trims;

struct vidmm_thunk_machine {
    struct vidmm_thunk_adapter adapters[VIDMM_THUNK_ADAPTERS];
    uint32_t adapter_count;
    bool carries; /* handles of the system lead into other processes of the system, too */
    pthread_mutex_t mutex;
    struct vidmm_share *shares;         /* share.h: shared resources, under the mutex */
    struct vidmm_sync_share *syncs;     /* sync.h: shared fences, under the mutex */
    uint32_t numbered_syncs;            /* so many have had a global handle */
    struct vidmm_nt_handle *nt_handles; /* nt_handle.h, under the mutex */
    pthread_mutex_t keeper_mutex;
    struct vidmm_keeper *keepers; /* keeper.h, under its mutex */
};

struct vidmm_thunk_process {
    struct vidmm_thunk_machine *machine;
    uint64_t number;
    struct vidmm_thunk_gate gate;
    pthread_mutex_t mutex; /* the table's changes, families, holds */
    pthread_cond_t let_go;
    pthread_mutex_t queue_mutex; /* sync_wait.c: events in queues. Taken before `mutex` */
    struct vidmm_handle_table table;
    struct vidmm_thunk_object *adapters; /* the newest first */
    struct vidmm_trims *trims;           /* trim.h */
    struct vidmm_semaphores *semaphores; /* semaphore.h */
    atomic_uint_fast64_t missed[VIDMM_THUNKS];
};

/* NULL: no adapter has this LUID; the reason says it. */
struct vidmm_thunk_adapter *vidmm_thunk_adapter_by_luid(struct vidmm_thunk_machine *machine,
                                                        LUID luid);

/* Whether an hProcess names the calling process: NULL, or what GetCurrentProcess() answers. Nobody
 * is told of another process. */
static inline bool vidmm_thunk_is_own(HANDLE process)
{
    return process == NULL || process == (HANDLE)(intptr_t)-1;
}

/* Say why a call is refused. Answers STATUS_INVALID_PARAMETER. */
NTSTATUS vidmm_thunk_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Judge how many contexts, or queues, a signal is broadcast to. least: 0 if the call names one
 * more, or 1. STATUS_INVALID_PARAMETER: above what the documents allow; STATUS_NOT_SUPPORTED, and
 * it is counted: above `least`. */
NTSTATUS vidmm_thunk_check_broadcast(struct vidmm_thunk_process *process, enum vidmm_thunk function,
                                     const char *member, ULONG count, ULONG least);

/* The reason of this thread, emptied, for <vidmm/...> to write why it refuses. */
struct vidmm_report *vidmm_thunk_report(void);

#endif
