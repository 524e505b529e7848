/* process.c: machines, processes, and the reasons of refusals. */
#include "thunk/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <wddm/d3dkmthk_adapter.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/keeper.h"
#include "thunk/nt_handle.h"
#include "thunk/semaphore.h"
#include "thunk/share.h"
#include "thunk/trim.h"

static const char *const names[VIDMM_THUNKS] = {
#define BUILT(Name, Arguments) "D3DKMT" #Name,
#define UNBUILT(Name) "D3DKMT" #Name,
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
};

static _Thread_local struct vidmm_report reason;

const char *vidmm_thunk_reason(void)
{
    return reason.text;
}

struct vidmm_report *vidmm_thunk_report(void)
{
    reason.text[0] = '\0';
    return &reason;
}

NTSTATUS vidmm_thunk_refuse(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(reason.text, sizeof(reason.text), format, list);
    va_end(list);
    return STATUS_INVALID_PARAMETER;
}

NTSTATUS vidmm_thunk_not_supported(struct vidmm_thunk_process *process, enum vidmm_thunk function)
{
    atomic_fetch_add_explicit(&process->missed[function], 1, memory_order_relaxed);
    vidmm_thunk_refuse("%s is not built", names[function]);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_thunk_check_broadcast(struct vidmm_thunk_process *process, enum vidmm_thunk function,
                                     const char *member, ULONG count, ULONG least)
{
    if (count < least || count > D3DDDI_MAX_BROADCAST_CONTEXT)
        return vidmm_thunk_refuse("%s is %u; expected %u to %d", member, (unsigned)count,
                                  (unsigned)least, D3DDDI_MAX_BROADCAST_CONTEXT);
    if (count == least)
        return STATUS_SUCCESS;
    atomic_fetch_add_explicit(&process->missed[function], 1, memory_order_relaxed);
    vidmm_thunk_refuse("%s is %u; a signal by several at once is not built", member,
                       (unsigned)count);
    return STATUS_NOT_SUPPORTED;
}

uint64_t vidmm_thunk_missed(const struct vidmm_thunk_process *process, enum vidmm_thunk function)
{
    return atomic_load(&process->missed[function]);
}

/* ---- machines -------------------------------------------------------------------------------- */

static bool same_luid(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

static bool luids_are_legal(const struct vidmm_thunk_adapter *adapters, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (same_luid(adapters[i].luid, (LUID){0}))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (same_luid(adapters[i].luid, adapters[j].luid))
                return false;
    }
    return true;
}

struct vidmm_thunk_machine *vidmm_thunk_machine_create(const struct vidmm_thunk_adapter *adapters,
                                                       uint32_t count)
{
    struct vidmm_thunk_machine *machine;

    if (count == 0 || count > VIDMM_THUNK_ADAPTERS || !luids_are_legal(adapters, count))
        return NULL;
    machine = calloc(1, sizeof(*machine));
    if (machine == NULL)
        return NULL;
    if (pthread_mutex_init(&machine->mutex, NULL) != 0) {
        free(machine);
        return NULL;
    }
    if (pthread_mutex_init(&machine->keeper_mutex, NULL) != 0) {
        pthread_mutex_destroy(&machine->mutex);
        free(machine);
        return NULL;
    }
    memcpy(machine->adapters, adapters, count * sizeof(*adapters));
    machine->adapter_count = count;
    return machine;
}

void vidmm_thunk_machine_carry(struct vidmm_thunk_machine *machine)
{
    machine->carries = true;
}

void vidmm_thunk_machine_destroy(struct vidmm_thunk_machine *machine)
{
    if (machine == NULL)
        return;
    vidmm_nt_handles_sweep(machine, true);
    vidmm_share_forget_all(machine);
    vidmm_keepers_finish(machine);
    pthread_mutex_destroy(&machine->keeper_mutex);
    pthread_mutex_destroy(&machine->mutex);
    free(machine);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Locks of a process. False: it gives no lock, and nothing is held. */
static bool init_locks(struct vidmm_thunk_process *process)
{
    if (!vidmm_thunk_gate_init(&process->gate))
        return false;
    if (pthread_mutex_init(&process->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_mutex_init(&process->queue_mutex, NULL) != 0)
        goto no_queue_mutex;
    if (pthread_cond_init(&process->let_go, NULL) == 0)
        return true;
    pthread_mutex_destroy(&process->queue_mutex);
no_queue_mutex:
    pthread_mutex_destroy(&process->mutex);
no_mutex:
    vidmm_thunk_gate_finish(&process->gate);
    return false;
}

struct vidmm_thunk_process *vidmm_thunk_process_create(struct vidmm_thunk_machine *machine,
                                                       uint64_t number)
{
    struct vidmm_thunk_process *process =
        aligned_alloc(_Alignof(struct vidmm_thunk_process), sizeof(*process));

    if (process == NULL)
        return NULL;
    memset(process, 0, sizeof(*process));
    process->machine = machine;
    process->number = number;
    vidmm_handle_table_init(&process->table);
    process->trims = vidmm_trims_create(process);
    process->semaphores = vidmm_semaphores_create();
    if (process->trims == NULL || process->semaphores == NULL || !init_locks(process)) {
        vidmm_semaphores_destroy(process->semaphores);
        vidmm_trims_destroy(process->trims);
        free(process);
        return NULL;
    }
    return process;
}

bool vidmm_thunk_process_hush(struct vidmm_thunk_process *process)
{
    return vidmm_trims_hush(process->trims);
}

void vidmm_thunk_process_destroy(struct vidmm_thunk_process *process)
{
    if (process == NULL)
        return;
    while (process->adapters != NULL) {
        D3DKMT_CLOSEADAPTER close = {.hAdapter = process->adapters->handle};

        vidmm_thunk_CloseAdapter(process, &close);
    }
    vidmm_trims_destroy(process->trims);
    vidmm_semaphores_destroy(process->semaphores);
    vidmm_nt_handles_sweep(process->machine, false);
    pthread_cond_destroy(&process->let_go);
    pthread_mutex_destroy(&process->queue_mutex);
    pthread_mutex_destroy(&process->mutex);
    vidmm_thunk_gate_finish(&process->gate);
    vidmm_handle_table_finish(&process->table);
    free(process);
}
