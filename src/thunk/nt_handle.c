/* nt_handle.c: sockets, known by their number in the system. */
#include "thunk/nt_handle.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "thunk/carried.h"
#include "thunk/foreign_share.h"
#include "thunk/process.h"
#include "thunk/share.h"
#include "thunk/sync.h"

struct vidmm_nt_handle {
    struct vidmm_nt_handle *next;
    int end;   /* ours of the pair; -1: the handle is of another process of the system */
    dev_t dev; /* of the socket that is shared */
    ino_t ino;
    struct vidmm_nt_target target;
};

static void destroy(struct vidmm_thunk_machine *machine, struct vidmm_nt_handle *handle)
{
    struct vidmm_nt_target *target = &handle->target;

    if (handle->end >= 0)
        close(handle->end);
    vidmm_sync_share_close(machine, target->sync);
    if (target->share != NULL) {
        vidmm_resource_destroy2(target->resource,
                                target->memory != NULL ? VIDMM_DESTROY_SYNCHRONOUS : 0, NULL);
        vidmm_share_close(machine, target->share);
    }
    if (target->memory != NULL)
        munmap(target->memory, target->memory_size);
    free(handle);
}

/* The machine's mutex is held. */
static bool nobody_has_it(const struct vidmm_nt_handle *handle)
{
    const struct vidmm_nt_target *target = &handle->target;
    struct pollfd end = {.fd = handle->end, .events = POLLIN};

    if (handle->end < 0) /* the record's own opening is left */
        return (target->sync != NULL ? target->sync->openings : target->share->openings) == 1;
    return poll(&end, 1, 0) == 1 && (end.revents & POLLHUP) != 0;
}

void vidmm_nt_handles_sweep(struct vidmm_thunk_machine *machine, bool all)
{
    struct vidmm_nt_handle *gone = NULL, **link = &machine->nt_handles;

    pthread_mutex_lock(&machine->mutex);
    while (*link != NULL) {
        struct vidmm_nt_handle *handle = *link;

        if (all || nobody_has_it(handle)) {
            *link = handle->next;
            handle->next = gone;
            gone = handle;
        } else
            link = &handle->next;
    }
    pthread_mutex_unlock(&machine->mutex);
    while (gone != NULL) {
        struct vidmm_nt_handle *handle = gone;

        gone = handle->next;
        destroy(machine, handle);
    }
}

static void add(struct vidmm_thunk_machine *machine, struct vidmm_nt_handle *handle)
{
    pthread_mutex_lock(&machine->mutex);
    handle->next = machine->nt_handles;
    machine->nt_handles = handle;
    pthread_mutex_unlock(&machine->mutex);
}

NTSTATUS vidmm_nt_handle_create(struct vidmm_thunk_machine *machine,
                                const struct vidmm_nt_target *target,
                                const struct vidmm_carried *carried, HANDLE *handle)
{
    struct vidmm_nt_handle *made = calloc(1, sizeof(*made));
    struct stat status;
    int ends[2];

    if (made == NULL)
        return STATUS_NO_MEMORY;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        free(made);
        vidmm_thunk_refuse("the system has no descriptors left for an NT handle");
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    if (carried != NULL && !vidmm_carried_put(ends[0], carried)) {
        free(made);
        close(ends[0]);
        close(ends[1]);
        vidmm_thunk_refuse("the system takes no descriptor into an NT handle");
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    fstat(ends[1], &status);
    made->end = ends[0];
    made->dev = status.st_dev;
    made->ino = status.st_ino;
    made->target = *target;
    add(machine, made);
    *handle = (HANDLE)(intptr_t)ends[1];
    return STATUS_SUCCESS;
}

/* The record of a descriptor's socket; of another process's, on the adapter. The machine's mutex is
 * held. */
static const struct vidmm_nt_handle *find(const struct vidmm_thunk_machine *machine,
                                          const struct vidmm_adapter *adapter,
                                          const struct stat *status)
{
    const struct vidmm_nt_handle *known;

    for (known = machine->nt_handles; known != NULL; known = known->next) {
        const struct vidmm_nt_target *target = &known->target;

        if (known->dev == status->st_dev && known->ino == status->st_ino &&
            (known->end >= 0 ||
             (target->sync != NULL ? target->sync->adapter : target->share->adapter) == adapter))
            return known;
    }
    return NULL;
}

/* Find what a handle leads to, and open it once more. False: nothing, or nothing yet. */
static bool open_known(struct vidmm_thunk_machine *machine, const struct vidmm_adapter *adapter,
                       const struct stat *status, struct vidmm_nt_target *target)
{
    const struct vidmm_nt_handle *known;

    pthread_mutex_lock(&machine->mutex);
    known = find(machine, adapter, status);
    if (known != NULL) {
        *target = known->target;
        if (target->sync != NULL)
            target->sync->openings++;
        else
            target->share->openings++;
    }
    pthread_mutex_unlock(&machine->mutex);
    return known != NULL;
}

/* Make what a handle of another process leads to on this machine, with a record. */
static bool import(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                   int descriptor, const struct stat *status)
{
    struct vidmm_nt_handle *made = calloc(1, sizeof(*made));

    if (made == NULL || !vidmm_import(machine, adapter, descriptor, &made->target)) {
        free(made);
        return false;
    }
    made->end = -1;
    made->dev = status->st_dev;
    made->ino = status->st_ino;
    add(machine, made);
    return true;
}

static bool open_target(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                        HANDLE handle, struct vidmm_nt_target *target)
{
    intptr_t descriptor = (intptr_t)handle;
    struct stat status;

    *target = (struct vidmm_nt_target){0};
    vidmm_thunk_report();
    if (descriptor <= 0 || descriptor > INT32_MAX || fstat((int)descriptor, &status) != 0)
        return false;
    if (open_known(machine, adapter, &status, target))
        return true;
    return machine->carries && S_ISSOCK(status.st_mode) &&
           import(machine, adapter, (int)descriptor, &status) &&
           open_known(machine, adapter, &status, target);
}

/* Say that a handle leads to none of what is asked for, unless a better reason is known. */
static void refuse_handle(HANDLE handle, const char *object)
{
    if (vidmm_thunk_reason()[0] == '\0')
        vidmm_thunk_refuse("hNtHandle is %lld, which leads to no %s here",
                           (long long)(intptr_t)handle, object);
}

struct vidmm_sync_share *vidmm_nt_handle_open_sync(struct vidmm_thunk_machine *machine,
                                                   struct vidmm_adapter *adapter, HANDLE handle)
{
    struct vidmm_nt_target target;

    if (open_target(machine, adapter, handle, &target) && target.sync == NULL)
        vidmm_share_close(machine, target.share);
    if (target.sync == NULL)
        refuse_handle(handle, "synchronization object");
    return target.sync;
}

struct vidmm_share *vidmm_nt_handle_open_share(struct vidmm_thunk_machine *machine,
                                               struct vidmm_adapter *adapter, HANDLE handle)
{
    struct vidmm_nt_target target;

    if (open_target(machine, adapter, handle, &target) && target.share == NULL)
        vidmm_sync_share_close(machine, target.sync);
    if (target.share == NULL)
        refuse_handle(handle, "resource");
    return target.share;
}
