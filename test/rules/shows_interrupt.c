/* shows_interrupt.c: interrupt.def, obeyed. */
#include "flag_words.h"
#include "hang.h"

#include <threads.h>

#include <vidmm/host.h>

static struct shown shown;

static DXGKRNL_INTERFACE callbacks; /* of the adapter started last */
static DXGKDDI_START_DEVICE *start;

static struct {
    BOOLEAN first, second, third;
    NTSTATUS unconnected, connected;
    unsigned routines, irql;
} seen;

static BOOLEAN note(PVOID context)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);

    (void)context;
    seen.routines++;
    seen.irql = host->current_irql(host->context);
    return TRUE;
}

static NTSTATUS start_and_keep(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               ULONG *sources, ULONG *children)
{
    BOOLEAN result = FALSE;

    memset(&callbacks, 0, sizeof(callbacks));
    memcpy(&callbacks, interface,
           interface->Size < sizeof(callbacks) ? interface->Size : sizeof(callbacks));
    seen.connected =
        callbacks.DxgkCbSynchronizeExecution(callbacks.DeviceHandle, note, NULL, 0, &result);
    return start(context, info, interface, sources, children);
}

static void bend_start(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&seen, 0, sizeof(seen));
    start = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_keep;
}

static NTSTATUS remove_and_try(PVOID context);
static DXGKDDI_REMOVE_DEVICE *remove_device;

/* The interrupt is not connected any more. */
static NTSTATUS remove_and_try(PVOID context)
{
    BOOLEAN result = FALSE;

    seen.unconnected =
        callbacks.DxgkCbSynchronizeExecution(callbacks.DeviceHandle, note, NULL, 0, &result);
    return remove_device(context);
}

static void bend_both_ends(DRIVER_INITIALIZATION_DATA *driver)
{
    bend_start(driver);
    remove_device = driver->DxgkDdiRemoveDevice;
    driver->DxgkDdiRemoveDevice = remove_and_try;
}

void shows_D_354(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    shown_init(&shown, &options, bend_start);
    shown_settle(&shown);
    seen.first = callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle);
    seen.second = callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle);
    shown_settle(&shown); /* it runs */
    seen.third = callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle);
    assert_true(seen.first && !seen.second && seen.third);
    shown_settle(&shown);
    shown_finish(&shown);
}

static struct {
    DXGKDDI_INTERRUPT_ROUTINE *isr;
    DXGKDDI_START_DEVICE *start;
    _Atomic unsigned inside, met, routines, interrupts;
    _Atomic bool done;
} exclusion;

enum { OFTEN = 30 };

static void enter_alone(void)
{
    if (atomic_fetch_add(&exclusion.inside, 1) != 0)
        atomic_fetch_add(&exclusion.met, 1);
}

static bool interrupt_is_raised(void)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(shown.rig.gpu, &gpu);
    return gpu.interrupts > atomic_load(&exclusion.interrupts);
}

/* Stay until an interrupt stands at the door, and then for as long as it takes to come in. */
static BOOLEAN routine_slowly(PVOID context)
{
    (void)context;
    enter_alone();
    while (!interrupt_is_raised() && !atomic_load(&exclusion.done))
        thrd_yield();
    for (unsigned turns = 0; turns < 100; turns++)
        thrd_yield();
    atomic_fetch_sub(&exclusion.inside, 1);
    atomic_fetch_add(&exclusion.routines, 1);
    return TRUE;
}

static BOOLEAN interrupt_slowly(PVOID context, ULONG message)
{
    enter_alone();
    atomic_fetch_add(&exclusion.interrupts, 1);
    thrd_yield();
    atomic_fetch_sub(&exclusion.inside, 1);
    return exclusion.isr(context, message);
}

static NTSTATUS start_for_exclusion(PVOID context, DXGK_START_INFO *info,
                                    DXGKRNL_INTERFACE *interface, ULONG *sources, ULONG *children)
{
    callbacks = *interface;
    return exclusion.start(context, info, interface, sources, children);
}

static void bend_exclusion(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&exclusion, 0, sizeof(exclusion));
    exclusion.isr = driver->DxgkDdiInterruptRoutine;
    exclusion.start = driver->DxgkDdiStartDevice;
    driver->DxgkDdiInterruptRoutine = interrupt_slowly;
    driver->DxgkDdiStartDevice = start_for_exclusion;
}

static enum vidmm_caller_state keep_rendering(void *argument)
{
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    unsigned *left = argument;
    bool done;

    assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    --*left;
    done = *left == 0 || (exclusion.interrupts >= OFTEN && exclusion.routines >= OFTEN);
    atomic_store(&exclusion.done, done);
    return done ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state keep_synchronizing(void *argument)
{
    BOOLEAN result;

    (void)argument;
    assert_int_equal(callbacks.DxgkCbSynchronizeExecution(callbacks.DeviceHandle, routine_slowly,
                                                          NULL, 0, &result),
                     STATUS_SUCCESS);
    return atomic_load(&exclusion.done) ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

/* Two programs on threads, until both have been there often: one whose work interrupts, one that
 * has the routine called. */
static void exclude_each_other(void)
{
    struct rig_options options = rig_defaults();
    unsigned left = 100 * OFTEN; /* a machine that is busy may let one run long before the other */
    char stuck[300] = "";

    options.kind = VIDMM_MACHINE_THREADED;
    shown_init(&shown, &options, bend_exclusion);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "renders", keep_rendering, &left));
    assert_true(
        vidmm_machine_add_caller(shown.rig.machine, "synchronizes", keep_synchronizing, NULL));
    if (!vidmm_machine_run(shown.rig.machine, stuck, sizeof(stuck)))
        fail_msg("%s", stuck);
    assert_true(exclusion.interrupts >= OFTEN && exclusion.routines >= OFTEN);
    assert_int_equal(exclusion.met, 0);
    shown_finish(&shown);
}

void shows_D_355(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    shown_init(&shown, &options, bend_both_ends);
    assert_int_equal(seen.connected, STATUS_SUCCESS);
    assert_int_equal(seen.irql, VIDMM_DEVICE_LEVEL); /* where no interrupt routine can run */
    assert_int_equal(seen.routines, 1);
    shown_finish(&shown);
    assert_int_equal(seen.unconnected, STATUS_UNSUCCESSFUL);
    assert_int_equal(seen.routines, 1);
    exclude_each_other();
}

void shows_D_361(void **state)
{
    struct rig_options options = hang_options("broken no_interrupt\n");
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    size_t query;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    query = shown_next(&shown, 0, VIDMM_DDI_QUERY_CURRENT_FENCE);
    assert_true(query != SIZE_MAX);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND),
                     0); /* it was all that it took */
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT), 0);
    shown_finish(&shown);
}
