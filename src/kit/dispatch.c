/* dispatch.c: things to wait for: events, semaphores, mutexes; and the wait.
 *
 * One mutex guards the state of them all and one condition is broadcast when any of it changes; a
 * waiter looks again. So waiting for all of several takes them at one moment, or none.
 *
 * I1  SignalState > 0: a wait is satisfied, and takes what is the object's to give: a
 *     synchronization event or timer goes to 0, a semaphore one down, a mutex to the waiter.
 * A pulse is for those who wait at that moment: they stand in a list, the oldest first, and the
 * pulse hands them what they wait for.
 *
 * I2  A mutex is 1 if free, and 1 - n if its owner took it n times.
 */
#include "kit/state.h"

#include <errno.h>
#include <time.h>

#define HUNDRED_NS 100

enum { BLOCKED_WAIT_MS = 2000 }; /* longest wait at a level where none is legal */

void vidmm_kit_lock_dispatcher(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.dispatcher);
}

void vidmm_kit_unlock_dispatcher(void)
{
    pthread_mutex_unlock(&vidmm_kit_kernel.dispatcher);
}

void vidmm_kit_header_init(DISPATCHER_HEADER *header, enum kit_dispatcher_type type, LONG state)
{
    vidmm_kit_lock_dispatcher();
    memset(header, 0, sizeof(*header));
    header->Type = (UCHAR)type;
    header->SignalState = state;
    header->WaitListHead.Flink = header->WaitListHead.Blink = &header->WaitListHead;
    vidmm_kit_unlock_dispatcher();
}

void vidmm_kit_signal(DISPATCHER_HEADER *header, LONG state)
{
    header->SignalState = state;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
}

static bool is_one(const void *caller, const DISPATCHER_HEADER *header, unsigned first,
                   unsigned last, const char *routine)
{
    unsigned type = header ? header->Type : 0;

    if (header && type >= first && type <= last)
        return true;
    vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "%s: object %p", routine,
                   (const void *)header);
    return false;
}
#define IS(header, first, last) is_one(CALLER, (header), (first), (last), __func__)
#define IS_EVENT(event) IS(&(event)->Header, KIT_NOTIFICATION_EVENT, KIT_SYNCHRONIZATION_EVENT)

/* ---- the wait ---- */

static bool is_ready(const DISPATCHER_HEADER *header, const struct _KTHREAD *me)
{
    if (header->SignalState > 0)
        return true;
    return header->Type == KIT_MUTEX && ((const KMUTEX *)header)->OwnerThread == me;
}

static void take(DISPATCHER_HEADER *header, struct _KTHREAD *me)
{
    switch (header->Type) {
    case KIT_SYNCHRONIZATION_EVENT:
    case KIT_SYNCHRONIZATION_TIMER:
        header->SignalState = 0;
        break;
    case KIT_SEMAPHORE:
        header->SignalState--;
        break;
    case KIT_MUTEX:
        header->SignalState--;
        ((KMUTEX *)header)->OwnerThread = me;
        break;
    default: /* stays signaled */
        break;
    }
}

/* Find an object that is there: an index for any, 0 for all, -1 for not yet. Takes it. */
static int try_all(ULONG count, PVOID object[], bool all, struct _KTHREAD *me)
{
    if (!all) {
        for (ULONG i = 0; i < count; i++) {
            if (is_ready(object[i], me)) {
                take(object[i], me);
                return (int)i;
            }
        }
        return -1;
    }
    for (ULONG i = 0; i < count; i++)
        if (!is_ready(object[i], me))
            return -1;
    for (ULONG i = 0; i < count; i++)
        take(object[i], me);
    return 0;
}

/* The moment of CLOCK_MONOTONIC at which the wait ends. */
static void deadline_of(const LARGE_INTEGER *timeout, struct timespec *until)
{
    LONGLONG left = timeout->QuadPart;

    if (left > 0) {
        left = (LONGLONG)vidmm_kit_system_time() - left;
        if (left > 0)
            left = 0;
    }
    if (left < -(LONGLONG)(1000000ll * 10000000)) /* 11 days are for ever */
        left = -(LONGLONG)(1000000ll * 10000000);
    clock_gettime(CLOCK_MONOTONIC, until);
    LONGLONG ns = -left * HUNDRED_NS + until->tv_nsec;
    until->tv_sec += ns / 1000000000;
    until->tv_nsec = ns % 1000000000;
}

/* A wait under way. Guarded by the dispatcher's mutex. */
struct waiter {
    ULONG count;
    PVOID *object;
    bool all;
    struct _KTHREAD *thread;
    int which; /* the object that it got; -1: none yet */
    struct waiter *next;
};

static struct waiter *waiters;

static void join_waiters(struct waiter *waiter)
{
    struct waiter **end = &waiters;

    while (*end)
        end = &(*end)->next;
    *end = waiter;
}

static void leave_waiters(struct waiter *waiter)
{
    struct waiter **at = &waiters;

    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
}

static void try_waiter(struct waiter *waiter)
{
    if (waiter->which < 0)
        waiter->which = try_all(waiter->count, waiter->object, waiter->all, waiter->thread);
}

static NTSTATUS wait_for(ULONG count, PVOID object[], bool all, const LARGE_INTEGER *timeout)
{
    struct waiter waiter = {
        .count = count, .object = object, .all = all, .thread = vidmm_kit_thread(), .which = -1};
    struct timespec until = {0, 0};
    int late = 0;

    if (timeout)
        deadline_of(timeout, &until);
    vidmm_kit_lock_dispatcher();
    join_waiters(&waiter);
    while (try_waiter(&waiter), waiter.which < 0 && late == 0) {
        if (!timeout)
            pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
        else
            late = pthread_cond_timedwait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher,
                                          &until);
    }
    leave_waiters(&waiter);
    vidmm_kit_unlock_dispatcher();
    return waiter.which >= 0 ? STATUS_WAIT_0 + waiter.which : STATUS_TIMEOUT;
}

/* A wait at DISPATCH_LEVEL is a finding, and then one that cannot last for ever. */
static NTSTATUS wait_checked(const void *caller, ULONG count, PVOID object[], bool all,
                             const LARGE_INTEGER *timeout, const char *routine)
{
    KIRQL irql = KeGetCurrentIrql();
    LARGE_INTEGER limit = {.QuadPart = -BLOCKED_WAIT_MS * 10000LL};

    for (ULONG i = 0; i < count; i++)
        if (!is_one(caller, object[i], KIT_NOTIFICATION_EVENT, KIT_THREAD, routine))
            return STATUS_INVALID_PARAMETER;
    if (irql >= DISPATCH_LEVEL && !(timeout && timeout->QuadPart == 0)) {
        vidmm_kit_find(caller, VIDMM_KIT_WAIT_AT_RAISED_IRQL, "%s at IRQL %u with %s", routine,
                       irql, timeout ? "a timeout that is not 0" : "no timeout");
        if (!timeout || timeout->QuadPart > 0 || timeout->QuadPart < limit.QuadPart)
            timeout = &limit;
    }
    return wait_for(count, object, all, timeout);
}

NTSTATUS KeWaitForSingleObject(PVOID object, KWAIT_REASON reason, KPROCESSOR_MODE mode,
                               BOOLEAN alertable, PLARGE_INTEGER timeout)
{
    (void)reason, (void)mode, (void)alertable;
    return wait_checked(CALLER, 1, &object, false, timeout, "KeWaitForSingleObject");
}

NTSTATUS KeWaitForMultipleObjects(ULONG count, PVOID object[], WAIT_TYPE type, KWAIT_REASON reason,
                                  KPROCESSOR_MODE mode, BOOLEAN alertable, PLARGE_INTEGER timeout,
                                  PKWAIT_BLOCK blocks)
{
    (void)reason, (void)mode, (void)alertable;
    if (count == 0 || count > MAXIMUM_WAIT_OBJECTS || (count > THREAD_WAIT_OBJECTS && !blocks)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "KeWaitForMultipleObjects: Count %u, 1 to %u without WaitBlockArray, to %u "
                       "with it",
                       count, THREAD_WAIT_OBJECTS, MAXIMUM_WAIT_OBJECTS);
        return STATUS_INVALID_PARAMETER;
    }
    return wait_checked(CALLER, count, object, type == WaitAll, timeout,
                        "KeWaitForMultipleObjects");
}

NTSTATUS KeDelayExecutionThread(KPROCESSOR_MODE mode, BOOLEAN alertable, PLARGE_INTEGER interval)
{
    (void)mode, (void)alertable;
    IRQL_MAX(APC_LEVEL);
    wait_for(0, NULL, false, interval);
    return STATUS_SUCCESS;
}

/* ---- events ---- */

VOID KeInitializeEvent(PRKEVENT event, EVENT_TYPE type, BOOLEAN state)
{
    vidmm_kit_header_init(
        &event->Header,
        type == NotificationEvent ? KIT_NOTIFICATION_EVENT : KIT_SYNCHRONIZATION_EVENT, state != 0);
}

static LONG exchange(DISPATCHER_HEADER *header, LONG state)
{
    vidmm_kit_lock_dispatcher();
    LONG before = header->SignalState;
    vidmm_kit_signal(header, state);
    vidmm_kit_unlock_dispatcher();
    return before;
}

LONG KeSetEvent(PRKEVENT event, KPRIORITY increment, BOOLEAN wait)
{
    (void)increment;
    vidmm_kit_irql_max(CALLER, wait ? APC_LEVEL : DISPATCH_LEVEL, "KeSetEvent");
    return IS_EVENT(event) ? exchange(&event->Header, 1) : 0;
}

LONG KePulseEvent(PRKEVENT event, KPRIORITY increment, BOOLEAN wait)
{
    (void)increment;
    vidmm_kit_irql_max(CALLER, wait ? APC_LEVEL : DISPATCH_LEVEL, "KePulseEvent");
    if (!IS_EVENT(event))
        return 0;
    vidmm_kit_lock_dispatcher();
    LONG before = event->Header.SignalState;
    vidmm_kit_signal(&event->Header, 1);
    for (struct waiter *waiter = waiters; waiter; waiter = waiter->next)
        try_waiter(waiter);
    event->Header.SignalState = 0;
    vidmm_kit_unlock_dispatcher();
    return before;
}

LONG KeResetEvent(PRKEVENT event)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return IS_EVENT(event) ? exchange(&event->Header, 0) : 0;
}

VOID KeClearEvent(PRKEVENT event)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (IS_EVENT(event))
        exchange(&event->Header, 0);
}

static LONG state_of(DISPATCHER_HEADER *header)
{
    vidmm_kit_lock_dispatcher();
    LONG state = header->SignalState;
    vidmm_kit_unlock_dispatcher();
    return state;
}

LONG KeReadStateEvent(PRKEVENT event)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return IS_EVENT(event) ? state_of(&event->Header) : 0;
}

/* ---- semaphores ---- */

VOID KeInitializeSemaphore(PRKSEMAPHORE semaphore, LONG count, LONG limit)
{
    IRQL_MAX(PASSIVE_LEVEL);
    if (count < 0 || limit < 1 || count > limit)
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT, "KeInitializeSemaphore: Count %d, Limit %d",
                       count, limit);
    vidmm_kit_header_init(&semaphore->Header, KIT_SEMAPHORE, count);
    semaphore->Limit = limit;
}

LONG KeReleaseSemaphore(PRKSEMAPHORE semaphore, KPRIORITY increment, LONG adjustment, BOOLEAN wait)
{
    LONG before;
    bool over;

    (void)increment;
    vidmm_kit_irql_max(CALLER, wait ? APC_LEVEL : DISPATCH_LEVEL, "KeReleaseSemaphore");
    if (!IS(&semaphore->Header, KIT_SEMAPHORE, KIT_SEMAPHORE))
        return 0;
    vidmm_kit_lock_dispatcher();
    before = semaphore->Header.SignalState;
    over = adjustment < 1 || adjustment > semaphore->Limit - before;
    if (!over)
        vidmm_kit_signal(&semaphore->Header, before + adjustment);
    vidmm_kit_unlock_dispatcher();
    if (over)
        vidmm_kit_raise(STATUS_SEMAPHORE_LIMIT_EXCEEDED, CALLER);
    return before;
}

LONG KeReadStateSemaphore(PRKSEMAPHORE semaphore)
{
    return IS(&semaphore->Header, KIT_SEMAPHORE, KIT_SEMAPHORE) ? state_of(&semaphore->Header) : 0;
}

/* ---- mutexes ---- */

VOID KeInitializeMutex(PRKMUTEX mutex, ULONG level)
{
    (void)level;
    memset(mutex, 0, sizeof(*mutex));
    vidmm_kit_header_init(&mutex->Header, KIT_MUTEX, 1);
}

LONG KeReleaseMutex(PRKMUTEX mutex, BOOLEAN wait)
{
    struct _KTHREAD *me = vidmm_kit_thread();
    LONG before;
    bool mine;

    vidmm_kit_irql_max(CALLER, wait ? APC_LEVEL : DISPATCH_LEVEL, "KeReleaseMutex");
    if (!IS(&mutex->Header, KIT_MUTEX, KIT_MUTEX))
        return 0;
    vidmm_kit_lock_dispatcher();
    before = mutex->Header.SignalState;
    mine = mutex->OwnerThread == me;
    if (mine) {
        if (before == 0)
            mutex->OwnerThread = NULL;
        vidmm_kit_signal(&mutex->Header, before + 1);
    }
    vidmm_kit_unlock_dispatcher();
    if (!mine) {
        vidmm_kit_find(CALLER, VIDMM_KIT_NOT_OWNER, "KeReleaseMutex: mutex %p", (void *)mutex);
        vidmm_kit_raise(STATUS_MUTANT_NOT_OWNED, CALLER);
    }
    return before;
}

LONG KeReadStateMutex(PRKMUTEX mutex)
{
    IRQL_MAX(DISPATCH_LEVEL);
    return IS(&mutex->Header, KIT_MUTEX, KIT_MUTEX) ? state_of(&mutex->Header) : 0;
}
