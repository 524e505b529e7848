/* timer.c: timers, deferred procedure calls, work items, and the threads that run them.
 *
 *     timer thread   KTIMER due -> signaled; its DPC -> queue
 *     DPC thread     queue -> routine at DISPATCH_LEVEL, one at a time, like one processor
 *     work threads   two; queue -> routine at PASSIVE_LEVEL
 *
 * All queues are under the dispatcher's mutex.
 * I1  A timer is in the list if and only if its TimerListEntry.Flink is not NULL.
 * I2  A DPC is in the queue if and only if its DpcData is not NULL. Its Reserved is its importance.
 * I3  A timer in the list has the place that set it in Header.WaitListHead.Blink: nobody waits
 *     there.
 * I4  At the end nothing comes to the queue of DPCs: else one that queues itself would have no end.
 */
#include "kit/state.h"

#include <time.h>

enum { WORKERS = 2 };

struct _IO_WORKITEM {
    LIST_ENTRY List;
    PWORKER_THREAD_ROUTINE plain;
    PIO_WORKITEM_ROUTINE routine;
    PIO_WORKITEM_ROUTINE_EX routine_ex;
    PDEVICE_OBJECT device;
    void *context;
    bool queued;
};

static LIST_ENTRY timers, dpcs, plain_work, io_work;
static const KDPC *running_dpc;
static unsigned working;
static bool ending;
static unsigned started;
static pthread_t threads[2 + WORKERS];
static pthread_cond_t timer_changed;

static uint64_t due_of(const KTIMER *timer)
{
    return timer->DueTime.QuadPart;
}

/* ---- DPCs ---- */

static bool queue_dpc(KDPC *dpc, PVOID argument1, PVOID argument2)
{
    if (dpc->DpcData)
        return false;
    dpc->SystemArgument1 = argument1;
    dpc->SystemArgument2 = argument2;
    dpc->DpcData = &dpcs;
    if (dpc->Reserved == HighImportance)
        InsertHeadList(&dpcs, &dpc->DpcListEntry);
    else
        InsertTailList(&dpcs, &dpc->DpcListEntry);
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    return true;
}

static void run_one_dpc(void *argument)
{
    const KDPC *dpc = argument;

    dpc->DeferredRoutine((KDPC *)dpc->DpcData, dpc->DeferredContext, dpc->SystemArgument1,
                         dpc->SystemArgument2);
}

static void *dpc_thread(void *argument)
{
    (void)argument;
    vidmm_kit_lock_dispatcher();
    while (!ending || !IsListEmpty(&dpcs)) {
        if (IsListEmpty(&dpcs)) {
            pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
            continue;
        }
        KDPC *dpc = CONTAINING_RECORD(RemoveHeadList(&dpcs), KDPC, DpcListEntry);
        KDPC copy = *dpc; /* the routine may free it, or queue it again */
        dpc->DpcData = NULL;
        copy.DpcData = dpc;
        running_dpc = dpc;
        vidmm_kit_unlock_dispatcher();
        vidmm_kit_call(DISPATCH_LEVEL, run_one_dpc, &copy, "a DPC routine");
        vidmm_kit_lock_dispatcher();
        running_dpc = NULL;
        pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    }
    vidmm_kit_unlock_dispatcher();
    return NULL;
}

VOID KeInitializeDpc(PRKDPC dpc, PKDEFERRED_ROUTINE routine, PVOID context)
{
    memset(dpc, 0, sizeof(*dpc));
    dpc->Reserved = MediumImportance;
    dpc->TargetInfoAsUlong = 0x113; /* says that it was initialized */
    dpc->DeferredRoutine = routine;
    dpc->DeferredContext = context;
}

VOID KeInitializeThreadedDpc(PRKDPC dpc, PKDEFERRED_ROUTINE routine, PVOID context)
{
    KeInitializeDpc(dpc, routine, context);
}

BOOLEAN KeInsertQueueDpc(PRKDPC dpc, PVOID argument1, PVOID argument2)
{
    if (dpc->TargetInfoAsUlong != 0x113 || !dpc->DeferredRoutine) {
        vidmm_kit_find(CALLER, VIDMM_KIT_NOT_INITIALIZED, "KeInsertQueueDpc: DPC %p", (void *)dpc);
        return FALSE;
    }
    vidmm_kit_lock_dispatcher();
    bool late = ending; /* I4 */
    BOOLEAN queued = !late && queue_dpc(dpc, argument1, argument2);
    vidmm_kit_unlock_dispatcher();
    if (late)
        vidmm_kit_find(CALLER, VIDMM_KIT_TIMER_LEFT, "KeInsertQueueDpc: DPC %p", (void *)dpc);
    return queued;
}

BOOLEAN KeRemoveQueueDpc(PRKDPC dpc)
{
    vidmm_kit_lock_dispatcher();
    BOOLEAN was = dpc->DpcData != NULL;
    if (was) {
        RemoveEntryList(&dpc->DpcListEntry);
        dpc->DpcData = NULL;
    }
    vidmm_kit_unlock_dispatcher();
    return was;
}

VOID KeFlushQueuedDpcs(VOID)
{
    if (!vidmm_kit_irql_max(CALLER, PASSIVE_LEVEL, __func__))
        return;
    vidmm_kit_lock_dispatcher();
    while (!IsListEmpty(&dpcs) || running_dpc)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    vidmm_kit_unlock_dispatcher();
}

VOID KeSetImportanceDpc(PRKDPC dpc, KDPC_IMPORTANCE importance)
{
    vidmm_kit_lock_dispatcher();
    dpc->Reserved = (ULONG)importance;
    vidmm_kit_unlock_dispatcher();
}

VOID KeSetTargetProcessorDpc(PRKDPC dpc, CCHAR number)
{
    (void)dpc;
    if (number != 0)
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "KeSetTargetProcessorDpc: Number %d, there is processor 0", number);
}

NTSTATUS KeSetTargetProcessorDpcEx(PKDPC dpc, PPROCESSOR_NUMBER number)
{
    (void)dpc;
    return number->Number == 0 && number->Group == 0 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

/* ---- timers ---- */

static void insert_timer(KTIMER *timer)
{
    LIST_ENTRY *at = timers.Flink;

    while (at != &timers && due_of(CONTAINING_RECORD(at, KTIMER, TimerListEntry)) <= due_of(timer))
        at = at->Flink;
    InsertTailList(at, &timer->TimerListEntry);
    pthread_cond_signal(&timer_changed);
}

static bool remove_timer(KTIMER *timer)
{
    bool was = timer->TimerListEntry.Flink != NULL;

    if (was)
        RemoveEntryList(&timer->TimerListEntry);
    timer->TimerListEntry.Flink = NULL;
    return was;
}

static void fire(KTIMER *timer)
{
    remove_timer(timer);
    vidmm_kit_signal(&timer->Header, 1);
    if (timer->Period) {
        timer->DueTime.QuadPart += timer->Period * UINT64_C(1000000);
        insert_timer(timer);
    }
    if (timer->Dpc)
        queue_dpc(timer->Dpc, NULL, NULL);
}

static void *timer_thread(void *argument)
{
    (void)argument;
    vidmm_kit_lock_dispatcher();
    while (!ending) {
        KTIMER *first = CONTAINING_RECORD(timers.Flink, KTIMER, TimerListEntry);
        if (IsListEmpty(&timers)) {
            pthread_cond_wait(&timer_changed, &vidmm_kit_kernel.dispatcher);
        } else if (due_of(first) <= vidmm_kit_now_ns()) {
            fire(first);
        } else {
            uint64_t left = due_of(first) - vidmm_kit_now_ns();
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            left += (uint64_t)until.tv_nsec;
            until.tv_sec += (time_t)(left / 1000000000u);
            until.tv_nsec = (long)(left % 1000000000u);
            pthread_cond_timedwait(&timer_changed, &vidmm_kit_kernel.dispatcher, &until);
        }
    }
    vidmm_kit_unlock_dispatcher();
    return NULL;
}

VOID KeInitializeTimerEx(PKTIMER timer, TIMER_TYPE type)
{
    IRQL_MAX(DISPATCH_LEVEL);
    memset(timer, 0, sizeof(*timer));
    vidmm_kit_header_init(
        &timer->Header,
        type == NotificationTimer ? KIT_NOTIFICATION_TIMER : KIT_SYNCHRONIZATION_TIMER, 0);
}

VOID KeInitializeTimer(PKTIMER timer)
{
    IRQL_MAX(DISPATCH_LEVEL);
    KeInitializeTimerEx(timer, NotificationTimer);
}

static BOOLEAN set_timer(const void *caller, PKTIMER timer, LARGE_INTEGER due, ULONG period,
                         PKDPC dpc, const char *routine)
{
    LONGLONG from_now = due.QuadPart;

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (timer->Header.Type != KIT_NOTIFICATION_TIMER &&
        timer->Header.Type != KIT_SYNCHRONIZATION_TIMER) {
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "%s: timer %p", routine, (void *)timer);
        return FALSE;
    }
    if (from_now > 0)
        from_now = (LONGLONG)vidmm_kit_system_time() - from_now;
    if (from_now > 0)
        from_now = 0;
    vidmm_kit_lock_dispatcher();
    BOOLEAN was = remove_timer(timer);
    timer->Header.SignalState = 0;
    timer->Dpc = dpc;
    timer->Period = period;
    timer->DueTime.QuadPart = vidmm_kit_now_ns() + (uint64_t)-from_now * 100;
    timer->Header.WaitListHead.Blink = (LIST_ENTRY *)(uintptr_t)caller; /* I3 */
    insert_timer(timer);
    vidmm_kit_unlock_dispatcher();
    return was;
}

BOOLEAN KeSetTimer(PKTIMER timer, LARGE_INTEGER due, PKDPC dpc)
{
    return set_timer(CALLER, timer, due, 0, dpc, "KeSetTimer");
}

BOOLEAN KeSetTimerEx(PKTIMER timer, LARGE_INTEGER due, LONG period, PKDPC dpc)
{
    return set_timer(CALLER, timer, due, (ULONG)period, dpc, "KeSetTimerEx");
}

BOOLEAN KeSetCoalescableTimer(PKTIMER timer, LARGE_INTEGER due, ULONG period, ULONG delay,
                              PKDPC dpc)
{
    (void)delay;
    return set_timer(CALLER, timer, due, period, dpc, "KeSetCoalescableTimer");
}

BOOLEAN KeCancelTimer(PKTIMER timer)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    BOOLEAN was = remove_timer(timer);
    vidmm_kit_unlock_dispatcher();
    return was;
}

BOOLEAN KeReadStateTimer(PKTIMER timer)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    BOOLEAN state = timer->Header.SignalState > 0;
    vidmm_kit_unlock_dispatcher();
    return state;
}

/* ---- work items ---- */

static void run_work(void *argument)
{
    struct _IO_WORKITEM *work = argument;

    if (work->plain)
        work->plain(work->context);
    else if (work->routine)
        work->routine(work->device, work->context);
    else
        work->routine_ex(work->device, work->context, (PIO_WORKITEM)work->List.Flink);
}

static bool next_work(struct _IO_WORKITEM *copy)
{
    if (!IsListEmpty(&io_work)) {
        struct _IO_WORKITEM *work =
            CONTAINING_RECORD(RemoveHeadList(&io_work), struct _IO_WORKITEM, List);
        *copy = *work;
        copy->List.Flink = (LIST_ENTRY *)work; /* the routine is told which it is */
        work->queued = false;
        return true;
    }
    if (!IsListEmpty(&plain_work)) {
        WORK_QUEUE_ITEM *item =
            CONTAINING_RECORD(RemoveHeadList(&plain_work), WORK_QUEUE_ITEM, List);
        *copy = (struct _IO_WORKITEM){.plain = item->WorkerRoutine, .context = item->Parameter};
        item->List.Flink = NULL;
        return true;
    }
    return false;
}

static void *work_thread(void *argument)
{
    struct _IO_WORKITEM copy;

    (void)argument;
    vidmm_kit_lock_dispatcher();
    for (;;) {
        if (next_work(&copy)) {
            working++;
            vidmm_kit_unlock_dispatcher();
            vidmm_kit_call(PASSIVE_LEVEL, run_work, &copy, "a work item's routine");
            vidmm_kit_lock_dispatcher();
            working--;
            pthread_cond_broadcast(&vidmm_kit_kernel.changed);
        } else if (ending) {
            break;
        } else {
            pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
        }
    }
    vidmm_kit_unlock_dispatcher();
    return NULL;
}

VOID ExQueueWorkItem(PWORK_QUEUE_ITEM item, WORK_QUEUE_TYPE type)
{
    (void)type;
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    bool queued = item->List.Flink != NULL;
    if (!queued)
        InsertTailList(&plain_work, &item->List);
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (queued)
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "ExQueueWorkItem: %p is queued already, or was never initialized",
                       (void *)item);
}

PIO_WORKITEM IoAllocateWorkItem(PDEVICE_OBJECT device)
{
    struct _IO_WORKITEM *work =
        ExAllocatePoolZero(NonPagedPoolNx, sizeof(*work), 0x6B726F57 /* "Work" */);

    if (work)
        work->device = device;
    return work;
}

VOID IoFreeWorkItem(PIO_WORKITEM work)
{
    vidmm_kit_lock_dispatcher();
    bool queued = work->queued;
    if (queued)
        RemoveEntryList(&work->List);
    vidmm_kit_unlock_dispatcher();
    if (queued)
        vidmm_kit_find(CALLER, VIDMM_KIT_FREED_IN_USE, "IoFreeWorkItem: %p is queued",
                       (void *)work);
    ExFreePool(work);
}

static void queue_work(const void *caller, PIO_WORKITEM work, PIO_WORKITEM_ROUTINE routine,
                       PIO_WORKITEM_ROUTINE_EX routine_ex, PVOID context, const char *name)
{
    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, name);
    vidmm_kit_lock_dispatcher();
    bool queued = work->queued;
    if (!queued) {
        work->routine = routine;
        work->routine_ex = routine_ex;
        work->context = context;
        work->queued = true;
        InsertTailList(&io_work, &work->List);
        pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    }
    vidmm_kit_unlock_dispatcher();
    if (queued)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: %p is queued already", name,
                       (void *)work);
}

VOID IoQueueWorkItem(PIO_WORKITEM work, PIO_WORKITEM_ROUTINE routine, WORK_QUEUE_TYPE type,
                     PVOID context)
{
    (void)type;
    queue_work(CALLER, work, routine, NULL, context, "IoQueueWorkItem");
}

VOID IoQueueWorkItemEx(PIO_WORKITEM work, PIO_WORKITEM_ROUTINE_EX routine, WORK_QUEUE_TYPE type,
                       PVOID context)
{
    (void)type;
    queue_work(CALLER, work, NULL, routine, context, "IoQueueWorkItemEx");
}

/* ---- start, end ---- */

bool vidmm_kit_timers_start(void)
{
    static void *(*const routines[])(void *) = {dpc_thread, timer_thread, work_thread, work_thread};
    pthread_condattr_t attributes;

    InitializeListHead(&timers);
    InitializeListHead(&dpcs);
    InitializeListHead(&plain_work);
    InitializeListHead(&io_work);
    ending = false;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&timer_changed, &attributes);
    pthread_condattr_destroy(&attributes);
    for (started = 0; started < ARRAYSIZE(routines); started++)
        if (!vidmm_kit_spawn(&threads[started], routines[started], NULL))
            return false;
    return true;
}

void vidmm_kit_timers_stop(void)
{
    const void *setter = NULL;
    unsigned left = 0;

    vidmm_kit_lock_dispatcher();
    ending = true;
    while (!IsListEmpty(&timers)) {
        KTIMER *timer = CONTAINING_RECORD(timers.Flink, KTIMER, TimerListEntry);

        setter = timer->Header.WaitListHead.Blink; /* I3 */
        remove_timer(timer);
        left++;
    }
    pthread_cond_broadcast(&timer_changed);
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    while (started > 0)
        pthread_join(threads[--started], NULL);
    pthread_cond_destroy(&timer_changed);
    if (left > 0)
        vidmm_kit_find(setter, VIDMM_KIT_TIMER_LEFT, "%u timer%s set", left,
                       left == 1 ? " is" : "s are");
}

const char *vidmm_kit_active_in(const void *start, size_t size)
{
    uintptr_t from = (uintptr_t)start;
    const char *what = NULL;
    LIST_ENTRY *at;

    vidmm_kit_lock_dispatcher();
    for (at = timers.Flink; at != &timers && !what; at = at->Flink) {
        if ((uintptr_t)at - from < size) {
            remove_timer(CONTAINING_RECORD(at, KTIMER, TimerListEntry));
            what = "a timer that is set";
            break;
        }
    }
    for (at = dpcs.Flink; at != &dpcs && !what; at = at->Flink) {
        if ((uintptr_t)at - from < size) {
            CONTAINING_RECORD(at, KDPC, DpcListEntry)->DpcData = NULL;
            RemoveEntryList(at);
            what = "a DPC that is queued";
            break;
        }
    }
    vidmm_kit_unlock_dispatcher();
    return what;
}
