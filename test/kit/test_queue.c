/* Queues: deferred procedure calls and work items. */
#include "rig.h"

/* ---- deferred procedure calls ---- */

struct order {
    KDPC gate, calls[3];
    KEVENT open;
    atomic_int gate_runs;
    char text[8]; /* the routines that ran, in turn */
    KIRQL irql;
    PVOID arguments[2];
};

/* Keeps the queue's only thread busy until the test has queued what it wants. */
static VOID run_gate(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    struct order *order = context;

    (void)dpc, (void)argument1, (void)argument2;
    order->gate_runs = 1;
    while (order->gate_runs == 1)
        KeStallExecutionProcessor(100);
}

static VOID run_call(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    struct order *order = context;
    size_t length = strlen(order->text);

    order->text[length] = (char)('0' + (dpc - order->calls));
    order->irql = KeGetCurrentIrql();
    order->arguments[0] = argument1;
    order->arguments[1] = argument2;
}

static void wait_for_gate(struct order *order)
{
    LARGE_INTEGER moment = in_ms(1);

    KeInitializeDpc(&order->gate, run_gate, order);
    assert_true(KeInsertQueueDpc(&order->gate, NULL, NULL));
    while (order->gate_runs == 0)
        KeDelayExecutionThread(KernelMode, FALSE, &moment);
}

static void a_threaded_dpc_runs_as_any_other(void **state)
{
    struct rig rig;
    struct order order = {.text = ""};

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeThreadedDpc(&order.calls[1], run_call, &order);
    assert_true(KeInsertQueueDpc(&order.calls[1], &rig, &order));
    KeFlushQueuedDpcs();
    assert_string_equal(order.text, "1");
    assert_int_equal(order.irql, DISPATCH_LEVEL); /* threaded ones are not enabled here */
    assert_ptr_equal(order.arguments[0], &rig);
    assert_ptr_equal(order.arguments[1], &order);
    rig_stop(&rig);
}

static void an_important_dpc_goes_before_the_others(void **state)
{
    struct rig rig;
    struct order order = {.text = ""};

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 3; i++)
        KeInitializeDpc(&order.calls[i], run_call, &order);
    KeSetImportanceDpc(&order.calls[0], LowImportance);
    KeSetImportanceDpc(&order.calls[2], HighImportance);
    wait_for_gate(&order);
    for (int i = 0; i < 3; i++)
        assert_true(KeInsertQueueDpc(&order.calls[i], NULL, NULL));
    order.gate_runs = 2;
    KeFlushQueuedDpcs();
    assert_string_equal(order.text, "201");
    rig_stop(&rig);
}

static void a_dpc_may_be_sent_to_the_one_processor(void **state)
{
    struct rig rig;
    struct order order = {.text = ""};
    PROCESSOR_NUMBER number = {.Number = 0};

    (void)state;
    rig_start(&rig, NULL);
    KeInitializeDpc(&order.calls[0], run_call, &order);
    KeSetTargetProcessorDpc(&order.calls[0], 0);
    assert_int_equal(KeSetTargetProcessorDpcEx(&order.calls[0], &number), STATUS_SUCCESS);
    number.Number = 1;
    assert_int_equal(KeSetTargetProcessorDpcEx(&order.calls[0], &number), STATUS_INVALID_PARAMETER);
    number = (PROCESSOR_NUMBER){.Group = 1};
    assert_int_equal(KeSetTargetProcessorDpcEx(&order.calls[0], &number), STATUS_INVALID_PARAMETER);
    KeSetTargetProcessorDpc(&order.calls[0], 1);
    assert_found(&rig, BAD_ARGUMENT, 1);
    KeInsertQueueDpc(&order.calls[0], NULL, NULL);
    KeFlushQueuedDpcs();
    assert_string_equal(order.text, "0");
    rig_stop(&rig);
}

static void the_queue_is_flushed_at_passive_level_alone(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(DISPATCH_LEVEL);
    KeFlushQueuedDpcs();
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

/* ---- work items ---- */

struct work {
    WORK_QUEUE_ITEM item;
    KEVENT begun, go, done;
    KIRQL irql;
    PVOID seen[2];
};

static void init_work(struct work *work)
{
    KeInitializeEvent(&work->begun, SynchronizationEvent, FALSE);
    KeInitializeEvent(&work->go, NotificationEvent, FALSE);
    KeInitializeEvent(&work->done, SynchronizationEvent, FALSE);
}

static VOID run_plain(PVOID context)
{
    struct work *work = context;

    work->irql = KeGetCurrentIrql();
    KeSetEvent(&work->begun, 0, FALSE);
    KeWaitForSingleObject(&work->go, Executive, KernelMode, FALSE, NULL);
    KeSetEvent(&work->done, 0, FALSE);
}

static void a_plain_work_item_is_free_once_it_runs(void **state)
{
    struct rig rig;
    struct work work;

    (void)state;
    rig_start(&rig, NULL);
    init_work(&work);
    ExInitializeWorkItem(&work.item, run_plain, &work);
    KfRaiseIrql(DISPATCH_LEVEL);
    ExQueueWorkItem(&work.item, DelayedWorkQueue);
    KeLowerIrql(PASSIVE_LEVEL);
    KeWaitForSingleObject(&work.begun, Executive, KernelMode, FALSE, NULL);
    assert_int_equal(work.irql, PASSIVE_LEVEL);
    ExQueueWorkItem(&work.item, CriticalWorkQueue); /* while the first still runs */
    KeSetEvent(&work.go, 0, FALSE);
    KeWaitForSingleObject(&work.done, Executive, KernelMode, FALSE, NULL);
    KeWaitForSingleObject(&work.begun, Executive, KernelMode, FALSE, NULL);
    rig_stop(&rig);
}

static void a_plain_work_item_queued_twice_is_found(void **state)
{
    struct rig rig;
    struct work work, keep[2];

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 2; i++) { /* both threads of the kernel are busy */
        init_work(&keep[i]);
        ExInitializeWorkItem(&keep[i].item, run_plain, &keep[i]);
        ExQueueWorkItem(&keep[i].item, DelayedWorkQueue);
        KeWaitForSingleObject(&keep[i].begun, Executive, KernelMode, FALSE, NULL);
    }
    init_work(&work);
    ExInitializeWorkItem(&work.item, run_plain, &work);
    ExQueueWorkItem(&work.item, DelayedWorkQueue);
    ExQueueWorkItem(&work.item, DelayedWorkQueue);
    assert_found(&rig, BAD_ARGUMENT, 1);
    KeSetEvent(&work.go, 0, FALSE);
    for (int i = 0; i < 2; i++)
        KeSetEvent(&keep[i].go, 0, FALSE);
    KeWaitForSingleObject(&work.done, Executive, KernelMode, FALSE, NULL);
    KfRaiseIrql(HIGH_LEVEL);
    ExQueueWorkItem(&work.item, DelayedWorkQueue);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static VOID run_item(PVOID object, PVOID context, PIO_WORKITEM item)
{
    struct work *work = context;

    work->irql = KeGetCurrentIrql();
    work->seen[0] = object;
    work->seen[1] = item;
    IoFreeWorkItem(item);
    KeSetEvent(&work->done, 0, FALSE);
}

static void a_work_item_is_handed_to_its_routine_which_may_free_it(void **state)
{
    struct rig rig;
    struct work work;
    PIO_WORKITEM item;

    (void)state;
    rig_start(&rig, NULL);
    init_work(&work);
    item = IoAllocateWorkItem(vidmm_kit_device());
    KfRaiseIrql(DISPATCH_LEVEL);
    IoQueueWorkItemEx(item, run_item, DelayedWorkQueue, &work);
    KeLowerIrql(PASSIVE_LEVEL);
    KeWaitForSingleObject(&work.done, Executive, KernelMode, FALSE, NULL);
    assert_int_equal(work.irql, PASSIVE_LEVEL);
    assert_ptr_equal(work.seen[0], vidmm_kit_device());
    assert_ptr_equal(work.seen[1], item);
    rig_stop(&rig); /* no pool block is left */
}

static void a_work_item_queued_twice_or_freed_while_queued_is_found(void **state)
{
    struct rig rig;
    struct work work, keep[2];
    PIO_WORKITEM item;

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 2; i++) {
        init_work(&keep[i]);
        ExInitializeWorkItem(&keep[i].item, run_plain, &keep[i]);
        ExQueueWorkItem(&keep[i].item, DelayedWorkQueue);
        KeWaitForSingleObject(&keep[i].begun, Executive, KernelMode, FALSE, NULL);
    }
    init_work(&work);
    item = IoAllocateWorkItem(vidmm_kit_device());
    IoQueueWorkItemEx(item, run_item, DelayedWorkQueue, &work);
    IoQueueWorkItemEx(item, run_item, DelayedWorkQueue, &work);
    assert_found(&rig, BAD_ARGUMENT, 1);
    IoFreeWorkItem(item);
    assert_found(&rig, FREED_IN_USE, 1);
    for (int i = 0; i < 2; i++)
        KeSetEvent(&keep[i].go, 0, FALSE);
    for (int i = 0; i < 2; i++)
        KeWaitForSingleObject(&keep[i].done, Executive, KernelMode, FALSE, NULL);
    assert_int_equal(KeReadStateEvent(&work.done), 0); /* it never ran */
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_threaded_dpc_runs_as_any_other),
        cmocka_unit_test(an_important_dpc_goes_before_the_others),
        cmocka_unit_test(a_dpc_may_be_sent_to_the_one_processor),
        cmocka_unit_test(the_queue_is_flushed_at_passive_level_alone),
        cmocka_unit_test(a_plain_work_item_is_free_once_it_runs),
        cmocka_unit_test(a_plain_work_item_queued_twice_is_found),
        cmocka_unit_test(a_work_item_is_handed_to_its_routine_which_may_free_it),
        cmocka_unit_test(a_work_item_queued_twice_or_freed_while_queued_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
