/* trim.c: programs are told to trim.
 *
 * Invariants:
 *   M1  a device has a watch while it has a registration, and the manager has a notice of it.
 *   M2  `order` is held while watches come and go, and over no callback.
 *   M3  nothing of the manager is called with `mutex`: the manager's notice takes it.
 */
#include "thunk/trim.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include <vidmm/budget.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

struct registration {
    struct registration *next; /* a newer one */
    uint64_t id;               /* the program's handle; never again another's */
    D3DKMT_HANDLE device;
    PFND3DKMT_TRIMNOTIFICATIONCALLBACK callback;
    void *context;
};

struct watch {
    struct watch *next;
    struct vidmm_trims *trims;
    D3DKMT_HANDLE device;
    bool asked; /* a request stands at the device */
};

struct vidmm_trims {
    struct vidmm_thunk_process *process;
    pthread_mutex_t order; /* taken before `mutex` */
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    struct registration *registrations; /* the oldest first */
    struct watch *watches;
    uint64_t newest;           /* id */
    uint64_t calling;          /* the registration whose callback runs; 0: none */
    D3DKMT_HANDLE calling_for; /* its device */
    bool has_thread, ends, hushed;
    pthread_t thread;
};

/* ---- create and destroy ---------------------------------------------------------------------- */

struct vidmm_trims *vidmm_trims_create(struct vidmm_thunk_process *process)
{
    struct vidmm_trims *trims = calloc(1, sizeof(*trims));

    if (trims == NULL)
        return NULL;
    trims->process = process;
    if (pthread_mutex_init(&trims->order, NULL) != 0)
        goto no_order;
    if (pthread_mutex_init(&trims->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_cond_init(&trims->changed, NULL) == 0)
        return trims;
    pthread_mutex_destroy(&trims->mutex);
no_mutex:
    pthread_mutex_destroy(&trims->order);
no_order:
    free(trims);
    return NULL;
}

bool vidmm_trims_hush(struct vidmm_trims *trims)
{
    bool silent;

    pthread_mutex_lock(&trims->mutex);
    trims->hushed = true;
    silent = trims->calling == 0 || pthread_equal(trims->thread, pthread_self());
    pthread_mutex_unlock(&trims->mutex);
    return silent;
}

void vidmm_trims_destroy(struct vidmm_trims *trims)
{
    if (trims == NULL)
        return;
    pthread_mutex_lock(&trims->mutex);
    trims->ends = true;
    pthread_cond_broadcast(&trims->changed);
    pthread_mutex_unlock(&trims->mutex);
    if (trims->has_thread) {
        if (pthread_equal(trims->thread, pthread_self()))
            return; /* a callback ended the Linux process */
        pthread_join(trims->thread, NULL);
    }
    pthread_cond_destroy(&trims->changed);
    pthread_mutex_destroy(&trims->mutex);
    pthread_mutex_destroy(&trims->order);
    free(trims);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* With the mutex: the registration of the device that is older than all others but those to `id`.
 */
static struct registration *next_of_device(const struct vidmm_trims *trims, D3DKMT_HANDLE device,
                                           uint64_t id)
{
    struct registration *found = trims->registrations;

    while (found != NULL && (found->device != device || found->id <= id))
        found = found->next;
    return found;
}

/* With the mutex, which is given up while the callback runs. */
static void call(struct vidmm_trims *trims, const struct registration *registration,
                 const struct vidmm_trim_request *request)
{
    PFND3DKMT_TRIMNOTIFICATIONCALLBACK callback = registration->callback;
    D3DKMT_TRIMNOTIFICATION notification = {.Context = registration->context,
                                            .Flags = {.Value = request->flags},
                                            .NumBytesToTrim = request->bytes_to_trim};

    trims->calling = registration->id;
    trims->calling_for = registration->device;
    pthread_mutex_unlock(&trims->mutex);
    callback(&notification);
    pthread_mutex_lock(&trims->mutex);
    trims->calling = 0;
    trims->calling_for = 0;
    pthread_cond_broadcast(&trims->changed);
}

/* With the mutex, which is given up meanwhile. */
static void deliver(struct vidmm_trims *trims, D3DKMT_HANDLE handle)
{
    struct vidmm_trim_request request = {0};
    struct vidmm_thunk_object *device;
    struct registration *next;

    pthread_mutex_unlock(&trims->mutex);
    device = vidmm_thunk_find_and_hold(trims->process, handle, VIDMM_THUNK_DEVICE, "hDevice");
    if (device != NULL) {
        vidmm_trim_take(device->of, &request);
        vidmm_thunk_let_go(trims->process, device);
    }
    pthread_mutex_lock(&trims->mutex);
    if (request.flags == 0)
        return;
    for (uint64_t id = 0; !trims->hushed && (next = next_of_device(trims, handle, id)) != NULL;) {
        id = next->id;
        call(trims, next, &request);
    }
}

static void *tell(void *argument)
{
    struct vidmm_trims *trims = argument;

    pthread_mutex_lock(&trims->mutex);
    while (!trims->ends) {
        struct watch *asked = trims->watches;

        while (asked != NULL && !asked->asked)
            asked = asked->next;
        if (asked == NULL)
            pthread_cond_wait(&trims->changed, &trims->mutex);
        else {
            asked->asked = false;
            deliver(trims, asked->device);
        }
    }
    pthread_mutex_unlock(&trims->mutex);
    return NULL;
}

/* With `order`. The program's signals are for its own threads. */
static NTSTATUS begin_thread(struct vidmm_trims *trims)
{
    sigset_t all, before;
    int error;

    if (trims->has_thread)
        return STATUS_SUCCESS;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&trims->thread, NULL, tell, trims);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    trims->has_thread = error == 0;
    return error == 0 ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

/* Inside of the manager. */
static void is_asked(void *argument)
{
    struct watch *watch = argument;

    pthread_mutex_lock(&watch->trims->mutex);
    watch->asked = true;
    pthread_cond_broadcast(&watch->trims->changed);
    pthread_mutex_unlock(&watch->trims->mutex);
}

/* ---- register -------------------------------------------------------------------------------- */

/* With `order`: the device, held, has a watch from now on. obeys M1 */
static NTSTATUS watch_device(struct vidmm_trims *trims, const struct vidmm_thunk_object *device)
{
    struct vidmm_trim_notice notice = {.asked = is_asked};
    struct watch *watch = trims->watches;
    NTSTATUS status;

    while (watch != NULL && watch->device != device->handle)
        watch = watch->next;
    if (watch != NULL)
        return STATUS_SUCCESS;
    notice.argument = watch = malloc(sizeof(*watch));
    if (watch == NULL)
        return STATUS_NO_MEMORY;
    pthread_mutex_lock(&trims->mutex);
    *watch = (struct watch){trims->watches, trims, device->handle, false};
    trims->watches = watch;
    pthread_mutex_unlock(&trims->mutex);
    status = vidmm_trim_notify(device->of, &notice, vidmm_thunk_report());
    if (status != STATUS_SUCCESS) {
        pthread_mutex_lock(&trims->mutex);
        trims->watches = watch->next;
        pthread_mutex_unlock(&trims->mutex);
        free(watch);
    }
    return status;
}

/* With `order`. */
static void add(struct vidmm_trims *trims, struct registration *added)
{
    struct registration **last = &trims->registrations;

    pthread_mutex_lock(&trims->mutex);
    while (*last != NULL)
        last = &(*last)->next;
    added->id = ++trims->newest;
    *last = added;
    pthread_mutex_unlock(&trims->mutex);
}

/* With `order`: take a registration out of the list. */
static void unlist(struct vidmm_trims *trims, const struct registration *listed)
{
    struct registration **link = &trims->registrations;

    pthread_mutex_lock(&trims->mutex);
    while (*link != listed)
        link = &(*link)->next;
    *link = listed->next;
    pthread_mutex_unlock(&trims->mutex);
}

/* The device is held. The registration comes before the watch: the first request may stand already,
 * and is to find it. */
static NTSTATUS register_device(struct vidmm_trims *trims, const struct vidmm_thunk_object *device,
                                D3DKMT_REGISTERTRIMNOTIFICATION *arguments)
{
    struct registration *added = malloc(sizeof(*added));
    NTSTATUS status;

    if (added == NULL)
        return STATUS_NO_MEMORY;
    *added =
        (struct registration){NULL, 0, arguments->hDevice, arguments->Callback, arguments->Context};
    pthread_mutex_lock(&trims->order);
    status = begin_thread(trims);
    if (status == STATUS_SUCCESS) {
        add(trims, added);
        status = watch_device(trims, device);
        if (status == STATUS_SUCCESS)
            arguments->Handle = (void *)(uintptr_t)added->id;
        else
            unlist(trims, added);
    }
    pthread_mutex_unlock(&trims->order);
    if (status != STATUS_SUCCESS)
        free(added);
    return status;
}

NTSTATUS vidmm_thunk_RegisterTrimNotification(struct vidmm_thunk_process *process,
                                              D3DKMT_REGISTERTRIMNOTIFICATION *arguments)
{
    const struct vidmm_thunk_adapter *adapter;
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Callback == NULL)
        return vidmm_thunk_refuse("Callback is NULL");
    adapter = vidmm_thunk_adapter_by_luid(process->machine, arguments->AdapterLuid);
    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    if (device->parent->of == adapter)
        status = register_device(process->trims, device, arguments);
    else
        status = vidmm_thunk_refuse("hDevice is 0x%x, of another adapter than AdapterLuid",
                                    arguments->hDevice);
    vidmm_thunk_let_go(process, device);
    return status;
}

/* ---- unregister ------------------------------------------------------------------------------ */

/* With the mutex: wait until the callback of a registration, or of any of a device, is over.
 * Nobody waits for himself. */
static void wait_for_callback(struct vidmm_trims *trims, uint64_t id, D3DKMT_HANDLE device)
{
    if (trims->has_thread && pthread_equal(trims->thread, pthread_self()))
        return;
    while ((id != 0 && trims->calling == id) || (device != 0 && trims->calling_for == device))
        pthread_cond_wait(&trims->changed, &trims->mutex);
}

/* With `order`: a device, held or removed, has no registration left: its watch goes. obeys M1 */
static void unwatch(struct vidmm_trims *trims, const struct vidmm_thunk_object *device)
{
    struct watch **link = &trims->watches, *watch;

    while (*link != NULL && (*link)->device != device->handle)
        link = &(*link)->next;
    watch = *link;
    if (watch == NULL)
        return;
    vidmm_trim_notify(device->of, NULL, vidmm_thunk_report());
    pthread_mutex_lock(&trims->mutex);
    *link = watch->next;
    pthread_mutex_unlock(&trims->mutex);
    free(watch);
}

/* With `order`: take a registration out. NULL: there is none, or it is refused. */
static struct registration *take(struct vidmm_trims *trims,
                                 const D3DKMT_UNREGISTERTRIMNOTIFICATION *arguments)
{
    struct registration *taken = trims->registrations;

    while (taken != NULL && taken->id != (uintptr_t)arguments->Handle)
        taken = taken->next;
    if (taken == NULL) {
        vidmm_thunk_refuse("Handle is %p, which is no registration", arguments->Handle);
        return NULL;
    }
    if (arguments->Callback != NULL && arguments->Callback != taken->callback) {
        vidmm_thunk_refuse("Callback is not the one that Handle, %p, was registered with; expected "
                           "that one, or NULL",
                           arguments->Handle);
        return NULL;
    }
    unlist(trims, taken);
    return taken;
}

/* The watch of a device that is being removed is left to vidmm_trims_forget(). */
NTSTATUS vidmm_thunk_UnregisterTrimNotification(struct vidmm_thunk_process *process,
                                                D3DKMT_UNREGISTERTRIMNOTIFICATION *arguments)
{
    struct vidmm_trims *trims = process->trims;
    struct vidmm_thunk_object *device;
    struct registration *taken;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    pthread_mutex_lock(&trims->order);
    taken = take(trims, arguments);
    if (taken != NULL && next_of_device(trims, taken->device, 0) == NULL) {
        device = vidmm_thunk_find_and_hold(process, taken->device, VIDMM_THUNK_DEVICE, "hDevice");
        if (device != NULL) {
            unwatch(trims, device);
            vidmm_thunk_let_go(process, device);
        }
    }
    pthread_mutex_unlock(&trims->order);
    if (taken == NULL)
        return STATUS_INVALID_PARAMETER;
    pthread_mutex_lock(&trims->mutex);
    wait_for_callback(trims, taken->id, 0);
    pthread_mutex_unlock(&trims->mutex);
    free(taken);
    return STATUS_SUCCESS;
}

void vidmm_trims_forget(struct vidmm_trims *trims, const struct vidmm_thunk_object *device)
{
    struct registration **link = &trims->registrations, *gone;

    pthread_mutex_lock(&trims->order);
    pthread_mutex_lock(&trims->mutex);
    while ((gone = *link) != NULL)
        if (gone->device == device->handle) {
            *link = gone->next;
            free(gone);
        } else
            link = &gone->next;
    pthread_mutex_unlock(&trims->mutex);
    unwatch(trims, device);
    pthread_mutex_unlock(&trims->order);
    pthread_mutex_lock(&trims->mutex);
    wait_for_callback(trims, 0, device->handle);
    pthread_mutex_unlock(&trims->mutex);
}
