/* thread.c: threads, and the level each is at.
 *
 * A thread is an object: of the driver, from its making on; one of the host (the manager's, the
 * test's), from its first call on and as long as it runs. The level is the machine's, so that an
 * interrupt routine that the machine calls is seen at device level here as well.
 */
#include "kit/state.h"

#include <time.h>
#include <unistd.h>

#define LEFT_MOST 16u /* threads that are told */

enum {
    GRACE_MS = 1000,
    NORMAL_PRIORITY = 8, /* of the system process */
    REAL_TIME = 16       /* priorities from here on are real-time */
};

static __thread struct _KTHREAD *current;
static pthread_key_t foreign;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic ULONG last_id;
static unsigned running; /* system threads; under dispatcher */
static struct _KTHREAD *first_running;

/* The only process there is; made once, and an object, as a driver may reference it. */
struct _KPROCESS {
    DISPATCHER_HEADER header;
};
PEPROCESS PsInitialSystemProcess;

/* A thread of the host has ended; its record stays as long as it is referenced. */
static void leave(void *thread)
{
    vidmm_kit_seh_end_thread(thread);
    vidmm_kit_object_release(thread);
}

static void make_key(void)
{
    pthread_key_create(&foreign, leave);
}

struct _KTHREAD *vidmm_kit_thread(void)
{
    if (current)
        return current;
    pthread_once(&once, make_key);
    struct _KTHREAD *thread = vidmm_kit_object_create(KIT_OBJECT_THREAD, sizeof(*thread), NULL);
    if (!thread)
        abort();
    vidmm_kit_object_keep(thread);
    thread->priority = thread->base_priority = NORMAL_PRIORITY;
    vidmm_kit_header_init(&thread->Header, KIT_THREAD, 0);
    thread->id = 4 * (atomic_fetch_add(&last_id, 1) + 1);
    pthread_setspecific(foreign, thread);
    current = thread;
    vidmm_kit_seh_begin_thread(thread);
    return thread;
}

bool vidmm_kit_in_try(void)
{
    return current && current->seh;
}

const char *vidmm_kit_routine(void)
{
    return current && !current->system ? current->routine : NULL;
}

bool vidmm_kit_spawn(pthread_t *thread, void *(*routine)(void *), void *argument)
{
    return pthread_create(thread, NULL, routine, argument) == 0;
}

bool vidmm_kit_threads_start(void)
{
    running = 0;
    if (!PsInitialSystemProcess) {
        PsInitialSystemProcess =
            vidmm_kit_object_create(KIT_OBJECT_PROCESS, sizeof(*PsInitialSystemProcess), NULL);
        if (PsInitialSystemProcess)
            vidmm_kit_object_keep(PsInitialSystemProcess);
    }
    return PsInitialSystemProcess != NULL;
}

/* A system thread outlives everybody's interest but not the kernel. */
bool vidmm_kit_threads_stop(void)
{
    const void *creators[LEFT_MOST];
    struct timespec until;
    unsigned left = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += GRACE_MS / 1000;
    vidmm_kit_lock_dispatcher();
    while (running > 0 && pthread_cond_timedwait(&vidmm_kit_kernel.changed,
                                                 &vidmm_kit_kernel.dispatcher, &until) == 0)
        continue;
    for (const struct _KTHREAD *at = first_running; at && left < LEFT_MOST; at = at->next_running)
        creators[left++] = at->creator;
    vidmm_kit_unlock_dispatcher();
    for (unsigned i = 0; i < left; i++)
        vidmm_kit_find(creators[i], VIDMM_KIT_THREAD_LEAK, "one of %u system threads", left);
    return left == 0;
}

/* ---- levels ---- */

KIRQL KeGetCurrentIrql(VOID)
{
    return vidmm_kit_kernel.host->current_irql(vidmm_kit_kernel.host->context);
}

static KIRQL raise_to(const void *caller, KIRQL irql, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL before = KeGetCurrentIrql();

    if (irql < before) {
        vidmm_kit_find(caller, VIDMM_KIT_IRQL_WRONG_WAY, "%s from %u to %u", routine, before, irql);
        return before;
    }
    host->raise_irql(host->context, irql);
    if (irql >= DISPATCH_LEVEL)
        vidmm_kit_page_out();
    return before;
}

KIRQL KfRaiseIrql(KIRQL irql)
{
    return raise_to(CALLER, irql, "KeRaiseIrql");
}

KIRQL KeRaiseIrqlToDpcLevel(VOID)
{
    return raise_to(CALLER, DISPATCH_LEVEL, "KeRaiseIrqlToDpcLevel");
}

VOID KeLowerIrql(KIRQL irql)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL before = KeGetCurrentIrql();

    if (irql > before)
        vidmm_kit_find(CALLER, VIDMM_KIT_IRQL_WRONG_WAY, "KeLowerIrql from %u to %u", before, irql);
    else
        host->lower_irql(host->context, irql);
}

VOID vidmm_kit_paged_code(const char *function)
{
    vidmm_kit_irql_max(CALLER, APC_LEVEL, function);
}

/* The state that must be unchanged when a routine of the driver comes back. */
struct before {
    unsigned locks, saved_states;
    bool told;
};

static void check_return(const void *routine, KIRQL irql, const struct before *before,
                         const char *name)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    struct _KTHREAD *thread = vidmm_kit_thread();
    KIRQL now = KeGetCurrentIrql();

    if (now != irql)
        vidmm_kit_find(routine, VIDMM_KIT_IRQL_NOT_RESTORED, "%s came at IRQL %u and went at %u",
                       name, irql, now);
    if (now > irql)
        host->lower_irql(host->context, irql);
    else if (now < irql)
        host->raise_irql(host->context, irql);
    if (thread->spin_locks > before->locks)
        vidmm_kit_find(routine, VIDMM_KIT_LOCK_NOT_RELEASED, "%s came back with %u spin locks",
                       name, thread->spin_locks - before->locks);
    thread->spin_locks = before->locks;
    if (thread->saved_states > before->saved_states)
        vidmm_kit_find(routine, VIDMM_KIT_STATE_NOT_RESTORED, "%s came back with %u states saved",
                       name, thread->saved_states - before->saved_states);
    thread->saved_states = before->saved_states;
    thread->irql_told = before->told;
}

void vidmm_kit_call(uint8_t irql, void (*routine)(void *argument), void *argument, const char *name)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    struct _KTHREAD *thread = vidmm_kit_thread();
    const struct before before = {thread->spin_locks, thread->saved_states, thread->irql_told};
    KIRQL level = host->raise_irql(host->context, irql);
    const char *outer = thread->routine;

    thread->routine = name;
    thread->irql_told = false; /* the routine's own calls count */
    if (irql >= DISPATCH_LEVEL)
        vidmm_kit_page_out();
    routine(argument);
    check_return((const void *)(uintptr_t)routine, irql, &before, name);
    thread->routine = outer;
    host->lower_irql(host->context, level);
}

/* ---- system threads ---- */

static void run_driver_thread(void *argument)
{
    struct _KTHREAD *thread = argument;

    if (setjmp(thread->end) == 0)
        thread->start(thread->context);
}

/* It runs no more. */
static void unlist(const struct _KTHREAD *thread)
{
    struct _KTHREAD **link = &first_running;

    vidmm_kit_lock_dispatcher();
    while (*link && *link != thread)
        link = &(*link)->next_running;
    if (*link)
        *link = thread->next_running;
    vidmm_kit_unlock_dispatcher();
}

static void *run(void *argument)
{
    struct _KTHREAD *thread = argument;

    current = thread;
    vidmm_kit_seh_begin_thread(thread);
    vidmm_kit_call(PASSIVE_LEVEL, run_driver_thread, thread, "a system thread");
    vidmm_kit_seh_end_thread(thread);
    vidmm_kit_lock_dispatcher();
    vidmm_kit_signal(&thread->Header, 1);
    vidmm_kit_unlock_dispatcher();
    unlist(thread);
    vidmm_kit_object_unref(NULL, thread);
    vidmm_kit_lock_dispatcher();
    running--;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    current = NULL;
    return NULL;
}

static bool begin(struct _KTHREAD *thread)
{
    pthread_t id;

    vidmm_kit_lock_dispatcher();
    running++;
    thread->next_running = first_running;
    first_running = thread;
    vidmm_kit_unlock_dispatcher();
    vidmm_kit_object_ref(thread); /* its own, until it ends */
    if (vidmm_kit_spawn(&id, run, thread)) {
        pthread_detach(id);
        return true;
    }
    unlist(thread);
    vidmm_kit_object_unref(NULL, thread);
    vidmm_kit_lock_dispatcher();
    running--;
    vidmm_kit_unlock_dispatcher();
    return false;
}

NTSTATUS PsCreateSystemThread(PHANDLE handle, ULONG access, POBJECT_ATTRIBUTES attributes,
                              HANDLE process, PCLIENT_ID client, PKSTART_ROUTINE start,
                              PVOID context)
{
    struct _KTHREAD *thread;
    NTSTATUS status = STATUS_SUCCESS;

    (void)access, (void)attributes, (void)process;
    if (!vidmm_kit_irql_max(CALLER, PASSIVE_LEVEL, __func__))
        return STATUS_UNSUCCESSFUL;
    thread = vidmm_kit_object_create(KIT_OBJECT_THREAD, sizeof(*thread), NULL);
    if (!thread)
        return STATUS_INSUFFICIENT_RESOURCES;
    vidmm_kit_header_init(&thread->Header, KIT_THREAD, 0);
    thread->id = 4 * (atomic_fetch_add(&last_id, 1) + 1);
    thread->system = true;
    thread->start = start;
    thread->creator = CALLER;
    thread->context = context;
    thread->priority = thread->base_priority = NORMAL_PRIORITY;
    if (client) {
        client->UniqueProcess = PsGetCurrentProcessId();
        client->UniqueThread = ULongToHandle(thread->id);
    }
    *handle = vidmm_kit_handle_open(CALLER, thread);
    if (!*handle || !begin(thread)) {
        if (*handle)
            ZwClose(*handle);
        status = STATUS_INSUFFICIENT_RESOURCES;
    }
    vidmm_kit_object_unref(NULL, thread);
    return status;
}

NTSTATUS PsTerminateSystemThread(NTSTATUS status)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    (void)status;
    if (!thread->system) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "PsTerminateSystemThread on a thread that is none of the driver's");
        return STATUS_INVALID_PARAMETER;
    }
    longjmp(thread->end, 1);
}

PKTHREAD KeGetCurrentThread(VOID)
{
    return vidmm_kit_thread();
}

PETHREAD PsGetCurrentThread(VOID)
{
    return vidmm_kit_thread();
}

HANDLE PsGetCurrentThreadId(VOID)
{
    return ULongToHandle(vidmm_kit_thread()->id);
}

HANDLE PsGetThreadId(PETHREAD thread)
{
    return ULongToHandle(thread->id);
}

BOOLEAN PsIsSystemThread(PETHREAD thread)
{
    return thread->system;
}

KPRIORITY KeSetPriorityThread(PKTHREAD thread, KPRIORITY priority)
{
    IRQL_MAX(PASSIVE_LEVEL);
    if (priority < 1 || priority > 31) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "KeSetPriorityThread: Priority %d, 1 to 31",
                       priority);
        return atomic_load(&thread->priority);
    }
    return atomic_exchange(&thread->priority, priority);
}

KPRIORITY KeQueryPriorityThread(PKTHREAD thread)
{
    IRQL_MAX(PASSIVE_LEVEL);
    return atomic_load(&thread->priority);
}

/* The base stays in the class of the system process, which is not real-time. */
LONG KeSetBasePriorityThread(PKTHREAD thread, LONG increment)
{
    LONG base = increment > REAL_TIME - 1 - NORMAL_PRIORITY ? REAL_TIME - 1
                : increment < 1 - NORMAL_PRIORITY           ? 1
                                                            : NORMAL_PRIORITY + increment;

    IRQL_MAX(PASSIVE_LEVEL);
    atomic_store(&thread->priority, base);
    return atomic_exchange(&thread->base_priority, base) - NORMAL_PRIORITY;
}

static void leave_region(const void *caller, unsigned *entered, const char *region)
{
    if (*entered == 0)
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_NOT_HELD, "KeLeave%sRegion without KeEnter%sRegion",
                       region, region);
    else
        --*entered;
}

VOID KeEnterCriticalRegion(VOID)
{
    IRQL_MAX(APC_LEVEL);
    vidmm_kit_thread()->critical++;
}

VOID KeLeaveCriticalRegion(VOID)
{
    IRQL_MAX(APC_LEVEL);
    leave_region(CALLER, &vidmm_kit_thread()->critical, "Critical");
}

VOID KeEnterGuardedRegion(VOID)
{
    IRQL_MAX(APC_LEVEL);
    vidmm_kit_thread()->guarded++;
}

VOID KeLeaveGuardedRegion(VOID)
{
    IRQL_MAX(APC_LEVEL);
    leave_region(CALLER, &vidmm_kit_thread()->guarded, "Guarded");
}

BOOLEAN KeAreApcsDisabled(VOID)
{
    const struct _KTHREAD *thread = vidmm_kit_thread();

    IRQL_MAX(DISPATCH_LEVEL);
    return thread->critical > 0 || thread->guarded > 0;
}

BOOLEAN KeAreAllApcsDisabled(VOID)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return vidmm_kit_thread()->guarded > 0 || KeGetCurrentIrql() >= APC_LEVEL;
}

/* ---- processes: the system's ---- */

PEPROCESS PsGetCurrentProcess(VOID)
{
    return PsInitialSystemProcess;
}

PEPROCESS IoGetCurrentProcess(VOID)
{
    return PsInitialSystemProcess;
}

HANDLE PsGetCurrentProcessId(VOID)
{
    return ULongToHandle(4);
}

HANDLE PsGetProcessId(PEPROCESS process)
{
    (void)process;
    return PsGetCurrentProcessId();
}

VOID KeStackAttachProcess(PRKPROCESS process, PRKAPC_STATE state)
{
    (void)process;
    memset(state, 0, sizeof(*state));
    IRQL_MAX(APC_LEVEL);
}

VOID KeUnstackDetachProcess(PRKAPC_STATE state)
{
    (void)state;
    IRQL_MAX(APC_LEVEL);
}
