/* late.h: routines that are no calls: DPCs, work items, timers; and how they do not come to an end.
 */
static KDPC LateDpc;
static KTIMER LateTimer;
static WORK_QUEUE_ITEM LateWork;

static VOID RunForever(PKDPC Dpc, PVOID Context, PVOID Argument1, PVOID Argument2)
{
    volatile BOOLEAN Forever = TRUE;

    (void)Dpc, (void)Context, (void)Argument1, (void)Argument2;
    while (Forever)
        YieldProcessor();
}

static VOID QueueAgain(PKDPC Dpc, PVOID Context, PVOID Argument1, PVOID Argument2)
{
    (void)Context, (void)Argument1, (void)Argument2;
    KeInsertQueueDpc(Dpc, NULL, NULL);
}

static VOID DoNothing(PKDPC Dpc, PVOID Context, PVOID Argument1, PVOID Argument2)
{
    (void)Dpc, (void)Context, (void)Argument1, (void)Argument2;
}

static VOID WorkForever(PVOID Context)
{
    LARGE_INTEGER Second;

    (void)Context;
    Second.QuadPart = -10000000;
    for (;;)
        KeDelayExecutionThread(KernelMode, FALSE, &Second);
}

static void QueueDpc(PKDEFERRED_ROUTINE Routine)
{
    KeInitializeDpc(&LateDpc, Routine, NULL);
    KeInsertQueueDpc(&LateDpc, NULL, NULL);
}

static void LeaveTimer(void)
{
    LARGE_INTEGER Second;

    Second.QuadPart = -10000000;
    KeInitializeTimer(&LateTimer);
    KeInitializeDpc(&LateDpc, DoNothing, NULL);
    KeSetTimerEx(&LateTimer, Second, 1000, &LateDpc);
}

/* Once. */
static void BeLate(struct device *Device)
{
    static volatile LONG Done;

    if (InterlockedIncrement(&Done) != 1)
        return;
    if (Is(Device, "late_dpc"))
        QueueDpc(RunForever);
    else if (Is(Device, "late_again"))
        QueueDpc(QueueAgain);
    else if (Is(Device, "late_timer"))
        LeaveTimer();
    ExInitializeWorkItem(&LateWork, WorkForever, NULL);
    if (Is(Device, "late_work"))
        ExQueueWorkItem(&LateWork, DelayedWorkQueue);
}
