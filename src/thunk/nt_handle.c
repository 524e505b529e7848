/* nt_handle.c: pipes, known by their number in the system. */
#include "thunk/nt_handle.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"
#include "thunk/share.h"
#include "thunk/sync.h"

struct vidmm_nt_handle {
    struct vidmm_nt_handle *next;
    int end;   /* ours; it reads */
    dev_t dev; /* of the pipe */
    ino_t ino;
    struct vidmm_nt_target target;
};

static void destroy(struct vidmm_thunk_machine *machine, struct vidmm_nt_handle *handle)
{
    close(handle->end);
    vidmm_sync_share_close(machine, handle->target.sync);
    if (handle->target.share != NULL) {
        vidmm_resource_destroy(handle->target.resource);
        vidmm_share_close(machine, handle->target.share);
    }
    free(handle);
}

static bool nobody_has_it(const struct vidmm_nt_handle *handle)
{
    struct pollfd end = {.fd = handle->end, .events = POLLIN};

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

NTSTATUS vidmm_nt_handle_create(struct vidmm_thunk_machine *machine,
                                const struct vidmm_nt_target *target, HANDLE *handle)
{
    struct vidmm_nt_handle *made = calloc(1, sizeof(*made));
    struct stat status;
    int ends[2];

    if (made == NULL)
        return STATUS_NO_MEMORY;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(made);
        vidmm_thunk_refuse("the system has no descriptors left for an NT handle");
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    fstat(ends[0], &status);
    made->end = ends[0];
    made->dev = status.st_dev;
    made->ino = status.st_ino;
    made->target = *target;
    pthread_mutex_lock(&machine->mutex);
    made->next = machine->nt_handles;
    machine->nt_handles = made;
    pthread_mutex_unlock(&machine->mutex);
    *handle = (HANDLE)(intptr_t)ends[1];
    return STATUS_SUCCESS;
}

/* The record of a handle. The machine's mutex is held. */
static const struct vidmm_nt_handle *find(const struct vidmm_thunk_machine *machine, HANDLE handle)
{
    intptr_t descriptor = (intptr_t)handle;
    struct vidmm_nt_handle *known;
    struct stat status;

    if (descriptor <= 0 || descriptor > INT32_MAX || fstat((int)descriptor, &status) != 0)
        return NULL;
    for (known = machine->nt_handles; known != NULL; known = known->next)
        if (known->dev == status.st_dev && known->ino == status.st_ino)
            return known;
    return NULL;
}

struct vidmm_sync_share *vidmm_nt_handle_open_sync(struct vidmm_thunk_machine *machine,
                                                   HANDLE handle)
{
    const struct vidmm_nt_handle *known;
    struct vidmm_sync_share *sync = NULL;

    pthread_mutex_lock(&machine->mutex);
    known = find(machine, handle);
    if (known != NULL && known->target.sync != NULL) {
        sync = known->target.sync;
        sync->openings++;
    }
    pthread_mutex_unlock(&machine->mutex);
    if (sync == NULL)
        vidmm_thunk_refuse("hNtHandle is %lld, which leads to no synchronization object here",
                           (long long)(intptr_t)handle);
    return sync;
}

struct vidmm_share *vidmm_nt_handle_open_share(struct vidmm_thunk_machine *machine, HANDLE handle)
{
    const struct vidmm_nt_handle *known;
    struct vidmm_share *share = NULL;

    pthread_mutex_lock(&machine->mutex);
    known = find(machine, handle);
    if (known != NULL && known->target.share != NULL) {
        share = known->target.share;
        share->openings++;
    }
    pthread_mutex_unlock(&machine->mutex);
    if (share == NULL)
        vidmm_thunk_refuse("hNtHandle is %lld, which leads to no resource here",
                           (long long)(intptr_t)handle);
    return share;
}
