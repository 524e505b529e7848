/* shows_deferred_destroy.c: deferred-destroy.def, obeyed for programs on a GPU with page tables.
 * Their commands are held back by a fence, or the GPU has not come to them: nothing runs on the
 * machine of these tests but while somebody waits.
 */
#include "unit/test_addressed.h"

#include <vidmm/fence.h>
#include <vidmm/host.h>
#include <vidmm/resource.h>

#include "rules.h"

enum { PAGES = 32 };

static DRIVER_INITIALIZATION_DATA driver;
static struct vidmm_fence *gate;
static uint32_t destroyed;     /* allocations that the driver was told of */
static struct vidmm_host host; /* the slot's, which counts */
static uint32_t waits;         /* calls of the manager that waited for something */

static bool count_wait(void *context, bool (*ready)(void *argument), void *argument,
                       uint64_t timeout_ns)
{
    waits++;
    return vidmm_slot_host(rig.slot)->wait(context, ready, argument, timeout_ns);
}

static NTSTATUS count_destroyed(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    destroyed += arguments->NumAllocations;
    return driver.DxgkDdiDestroyAllocation(adapter, arguments);
}

/* Allocation 0 is mapped at AT, and written. */
static struct vidmm_allocation *start_with_one(void)
{
    build("");
    driver = rig.driver;
    rig.driver.DxgkDdiDestroyAllocation = count_destroyed;
    destroyed = 0;
    host = *vidmm_slot_host(rig.slot);
    host.wait = count_wait;
    rig.host = &host;
    begin();
    create(&first, &rig.allocations[0], PAGES);
    make(&first, rig.allocations[0].handle);
    assert_true(map(&first, rig.allocations[0].handle, AT) == AT);
    touch(&first, &rig.allocations[0], AT, true);
    return rig.allocations[0].handle;
}

/* The context holds back all that is queued from here on, until open_gate(). */
static void close_gate(void)
{
    struct vidmm_fence_point point = {.value = 1};

    assert_int_equal(vidmm_fence_create(first.device, 0, 0, &gate, &rig.report), STATUS_SUCCESS);
    point.fence = gate;
    assert_int_equal(vidmm_context_wait_for_fences(first.context, &point, 1, &rig.report),
                     STATUS_SUCCESS);
}

static void open_gate(void)
{
    const struct vidmm_fence_point point = {.fence = gate, .value = 1};

    assert_int_equal(vidmm_fence_signal(first.device, &point, 1, &rig.report), STATUS_SUCCESS);
}

/* Its content is checked by a command that nobody waits for. */
static void queue_check(void)
{
    queue_touch(&first, &rig.allocations[0], AT, false);
}

static void destroy(struct vidmm_allocation *allocation, uint32_t flags)
{
    assert_int_equal(vidmm_allocations_destroy2(&allocation, 1, flags, &rig.report),
                     STATUS_SUCCESS);
    rig.allocations[0].handle = NULL;
}

static void wait_for_all(void)
{
    assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

/* Pages of the machine that something has. */
static uint64_t pages(void)
{
    return vidmm_machine_counts(rig.machine).pages;
}

/* Another program uses what memory is left: what is destroyed keeps its place and its addresses. */
static void crowd(void)
{
    begin_program(&second, 2);
    create(&second, &rig.allocations[1], 100);
    make(&second, rig.allocations[1].handle);
    assert_true(map(&second, rig.allocations[1].handle, AT) == AT);
    touch(&second, &rig.allocations[1], AT, true);
}

static void destroyed_while_queued(bool by_list)
{
    struct vidmm_allocation *one = start_with_one();

    close_gate();
    queue_check();
    if (by_list)
        destroy(one, 0);
    else
        vidmm_allocation_destroy(one);
    rig.allocations[0].handle = NULL;
    crowd();
    vidmm_machine_settle(rig.machine);
    assert_int_equal(destroyed, 0);
    open_gate();
    wait_for_all();
    assert_int_equal(destroyed, 1);
    vidmm_fence_destroy(gate);
    rig.allocations[1].handle = NULL;
    end_program(&second);
    finish(); /* obeys S2-005: no fault, and the content was right */
}

void shows_S2_005(void **state)
{
    (void)state;
    destroyed_while_queued(false);
}

/* The GPU finds the same, and the driver hears the same, at the same time. */
void shows_D_183(void **state)
{
    (void)state;
    destroyed_while_queued(true);
}

/* Commands that use it are queued behind a fence: it goes before them. */
void shows_D_181(void **state)
{
    struct vidmm_allocation *one;
    struct vidmm_page_fault fault;
    struct softgpu_statistics gpu;

    (void)state;
    one = start_with_one();
    close_gate();
    destroy(one, VIDMM_DESTROY_ASSUME_NOT_IN_USE); /* nothing that is queued uses it */
    vidmm_machine_settle(rig.machine);
    assert_int_equal(destroyed, 1);
    open_gate();
    finish();
    one = start_with_one();
    close_gate();
    queue_check();
    touched--; /* it does not come to that */
    destroy(one, VIDMM_DESTROY_ASSUME_NOT_IN_USE);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(destroyed, 1);
    open_gate();
    vidmm_context_wait(first.context, first.value);
    vidmm_machine_settle(rig.machine);
    assert_true(vidmm_device_page_fault(first.device, &fault)); /* its word was wrong */
    assert_true(fault.address >= AT && fault.address < AT + BYTES(PAGES));
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 1);
    end_program(&first);
    rig_finish(&rig);
}

static void is_refused(uint32_t flags)
{
    struct vidmm_allocation *one = rig.allocations[0].handle;

    assert_int_equal(vidmm_allocations_destroy2(&one, 1, flags, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "flags"));
    assert_non_null(strstr(rig.report.text, "(D-182)"));
    assert_int_equal(vidmm_resource_destroy2(NULL, flags, &rig.report), STATUS_INVALID_PARAMETER);
    rig.report.text[0] = '\0';
}

void shows_D_182(void **state)
{
    struct vidmm_allocation *one;
    uint64_t before;

    (void)state;
    one = start_with_one();
    is_refused(0x80000000u); /* SystemUseOnly */
    for (unsigned bit = 2; bit < 31; bit++)
        is_refused(1u << bit | VIDMM_DESTROY_SYNCHRONOUS);
    touch(&first, &rig.allocations[0], AT, false); /* nothing has changed */
    queue_check();
    before = pages();
    destroy(one, 0);
    assert_int_equal(destroyed, 0); /* the call does not wait */
    assert_true(pages() >= before);
    wait_for_all();
    assert_int_equal(destroyed, 1);
    assert_true(pages() <= before - PAGES);
    finish();
    one = start_with_one();
    queue_check();
    before = pages();
    destroy(one, VIDMM_DESTROY_SYNCHRONOUS);
    assert_int_equal(destroyed, 1);
    assert_true(pages() <= before - PAGES);
    finish();
}

/* The call returns while the GPU stands still, and has waited for nothing; its end comes with that
 * of the work, which finds its content. */
void shows_S2_003(void **state)
{
    struct vidmm_allocation *one;
    uint64_t before;

    (void)state;
    one = start_with_one();
    close_gate();
    queue_check();
    vidmm_machine_settle(rig.machine);
    before = pages();
    waits = 0;
    vidmm_allocation_destroy(one);
    rig.allocations[0].handle = NULL;
    assert_int_equal(waits, 0); /* does not block */
    assert_int_equal(destroyed, 0);
    assert_true(pages() >= before); /* asynchronously: the memory is still there */
    vidmm_machine_settle(rig.machine);
    assert_int_equal(destroyed, 0);
    open_gate();
    wait_for_all();
    assert_true(waits > 0); /* who waits is counted */
    assert_int_equal(destroyed, 1);
    assert_true(pages() <= before - PAGES);
    vidmm_fence_destroy(gate);
    finish(); /* safely: no fault, and the GPU found its content */
}

/* Commands that use another allocation are held back. One that they do not use goes without the
 * flag behind them, and with it before them; they find what they need. */
static void gone_before_others(uint32_t flags, uint32_t gone)
{
    struct vidmm_allocation *other;

    start_with_one();
    create(&first, &rig.allocations[1], PAGES);
    other = rig.allocations[1].handle;
    make(&first, other);
    close_gate();
    queue_check();
    assert_int_equal(vidmm_allocations_destroy2(&other, 1, flags, &rig.report), STATUS_SUCCESS);
    rig.allocations[1].handle = NULL;
    vidmm_machine_settle(rig.machine);
    assert_int_equal(destroyed, gone);
    open_gate();
    wait_for_all();
    assert_int_equal(destroyed, 1);
    vidmm_fence_destroy(gate);
    finish();
}

void shows_S2_006(void **state)
{
    (void)state;
    gone_before_others(0, 0);
    gone_before_others(VIDMM_DESTROY_ASSUME_NOT_IN_USE, 1);
}
