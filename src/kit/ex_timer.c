/* ex_timer.c: timers that the system allocates: a KTIMER whose deferred call runs the callback.
 *
 * I1  Memory is given back once: by whoever deletes, or, if the callback is running then, when it
 *     has come back.
 */
#include "kit/state.h"

#define TIMER_TAG 0x6D695445u /* "ETim" */

struct _EX_TIMER {
    KTIMER timer; /* first: one may wait for the whole */
    KDPC dpc;
    PEXT_CALLBACK callback;
    void *context;
    PEXT_DELETE_CALLBACK delete_callback;
    void *delete_context;
    bool running, deleted; /* under dispatcher */
};

static void finish(PEX_TIMER timer)
{
    PEXT_DELETE_CALLBACK callback = timer->delete_callback;
    void *context = timer->delete_context;

    ExFreePoolWithTag(timer, TIMER_TAG);
    if (callback)
        callback(context);
}

static VOID run(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PEX_TIMER timer = context;

    (void)dpc, (void)argument1, (void)argument2;
    vidmm_kit_lock_dispatcher();
    timer->running = true;
    vidmm_kit_unlock_dispatcher();
    timer->callback(timer, timer->context);
    vidmm_kit_lock_dispatcher();
    timer->running = false;
    bool last = timer->deleted;
    vidmm_kit_unlock_dispatcher();
    if (last)
        finish(timer);
}

PEX_TIMER ExAllocateTimer(PEXT_CALLBACK callback, PVOID context, ULONG attributes)
{
    PEX_TIMER timer;

    IRQL_MAX(DISPATCH_LEVEL);
    timer = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof(*timer), TIMER_TAG);
    if (!timer)
        return NULL;
    memset(timer, 0, sizeof(*timer));
    KeInitializeTimerEx(&timer->timer, attributes & EX_TIMER_NOTIFICATION ? NotificationTimer
                                                                          : SynchronizationTimer);
    KeInitializeDpc(&timer->dpc, run, timer);
    timer->callback = callback;
    timer->context = context;
    return timer;
}

BOOLEAN ExSetTimer(PEX_TIMER timer, LONGLONG due, LONGLONG period, PEXT_SET_PARAMETERS parameters)
{
    LARGE_INTEGER when = {.QuadPart = due};
    LONG ms = period > 0 ? (LONG)((period + 9999) / 10000) : 0; /* the kit's timers count ms */

    (void)parameters;
    return KeSetTimerEx(&timer->timer, when, ms, timer->callback ? &timer->dpc : NULL);
}

BOOLEAN ExCancelTimer(PEX_TIMER timer, PEXT_CANCEL_PARAMETERS parameters)
{
    (void)parameters;
    return KeCancelTimer(&timer->timer);
}

BOOLEAN ExDeleteTimer(PEX_TIMER timer, BOOLEAN cancel, BOOLEAN wait,
                      PEXT_DELETE_PARAMETERS parameters)
{
    BOOLEAN was = FALSE;

    if (wait)
        vidmm_kit_irql_max(CALLER, APC_LEVEL, __func__);
    if (parameters) {
        timer->delete_callback = parameters->DeleteCallback;
        timer->delete_context = parameters->DeleteContext;
    }
    if (cancel)
        was = KeCancelTimer(&timer->timer);
    else if (timer->timer.TimerListEntry.Flink)
        vidmm_kit_find(CALLER, VIDMM_KIT_FREED_IN_USE, "ExDeleteTimer: timer %p is set",
                       (void *)timer);
    KeRemoveQueueDpc(&timer->dpc);
    vidmm_kit_lock_dispatcher();
    while (wait && timer->running)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    timer->deleted = true;
    bool last = !timer->running;
    vidmm_kit_unlock_dispatcher();
    if (last)
        finish(timer);
    return was;
}

VOID ExInitializeSetTimerParameters(PEXT_SET_PARAMETERS parameters)
{
    memset(parameters, 0, sizeof(*parameters));
}

VOID ExInitializeDeleteTimerParameters(PEXT_DELETE_PARAMETERS parameters)
{
    memset(parameters, 0, sizeof(*parameters));
}
