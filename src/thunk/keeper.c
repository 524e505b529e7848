/* keeper.c: devices of the machine, the newest of an adapter first. */
#include "thunk/keeper.h"

#include <stdlib.h>

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "thunk/process.h"

struct vidmm_keeper {
    struct vidmm_keeper *next;
    struct vidmm_adapter *adapter;
    struct vidmm_device *device;
};

enum { MACHINE = 0 }; /* a process number that no process has */

static NTSTATUS create(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                       struct vidmm_device **device)
{
    struct vidmm_keeper *keeper = calloc(1, sizeof(*keeper));
    NTSTATUS status;

    if (keeper == NULL)
        return STATUS_NO_MEMORY;
    status = vidmm_device_create(adapter, MACHINE, &keeper->device, vidmm_thunk_report());
    if (status != STATUS_SUCCESS) {
        free(keeper);
        return status;
    }
    keeper->adapter = adapter;
    keeper->next = machine->keepers;
    machine->keepers = keeper;
    *device = keeper->device;
    return status;
}

NTSTATUS vidmm_keeper_take(struct vidmm_thunk_machine *machine, struct vidmm_adapter *adapter,
                           struct vidmm_device **device)
{
    NTSTATUS status = STATUS_SUCCESS;
    struct vidmm_keeper *keeper;

    pthread_mutex_lock(&machine->keeper_mutex);
    for (keeper = machine->keepers; keeper != NULL; keeper = keeper->next)
        if (keeper->adapter == adapter &&
            vidmm_device_condition(keeper->device, NULL) == STATUS_SUCCESS)
            break;
    if (keeper != NULL)
        *device = keeper->device;
    else
        status = create(machine, adapter, device);
    pthread_mutex_unlock(&machine->keeper_mutex);
    return status;
}

void vidmm_keepers_finish(struct vidmm_thunk_machine *machine)
{
    while (machine->keepers != NULL) {
        struct vidmm_keeper *keeper = machine->keepers;

        machine->keepers = keeper->next;
        vidmm_device_destroy(keeper->device);
        free(keeper);
    }
}
