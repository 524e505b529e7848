/* test_addressed_reset.c: an adapter with a GPU MMU is reset, and its memory has lost its bytes:
 * page tables among them. The GPU finds all the same what a program maps and submits afterwards.
 */
#include "test_addressed.h"

#define HOSTED "segment 2 memory 1M hostaperture\npaging_table_segment 2\n" /* W-004 */

enum { PAGES = 32, NOTIFIED = 0x10000 /* ExplicitResidencyNotification */ };

/* Questions to the driver between ResetFromTimeout and RestartFromTimeout. */
static struct {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    DXGKDDI_RESETFROMTIMEOUT *reset;
    DXGKDDI_RESTARTFROMTIMEOUT *restart;
    bool resetting;
    unsigned told, other; /* that something is not resident; anything else */
} asked;

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    bool told = arguments->Operation == DXGK_OPERATION_NOTIFY_RESIDENCY &&
                arguments->NotifyResidency.Resident == 0 &&
                arguments->NotifyResidency.PhysicalAddress.SegmentId == 0;

    if (asked.resetting)
        *(told ? &asked.told : &asked.other) += 1;
    return asked.build(adapter, arguments);
}

static NTSTATUS build_signal(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    asked.other += arguments->Operation == DXGK_OPERATION_SIGNAL_MONITORED_FENCE ? 1 : 0;
    return asked.build(adapter, arguments);
}

static NTSTATUS reset_from_timeout(HANDLE adapter)
{
    asked.resetting = true;
    return asked.reset(adapter);
}

static NTSTATUS restart_from_timeout(HANDLE adapter)
{
    asked.resetting = false;
    return asked.restart(adapter);
}

static void watch(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&asked, 0, sizeof(asked));
    asked.build = driver->DxgkDdiBuildPagingBuffer;
    asked.reset = driver->DxgkDdiResetFromTimeout;
    asked.restart = driver->DxgkDdiRestartFromTimeout;
    driver->DxgkDdiBuildPagingBuffer = build_paging_buffer;
    driver->DxgkDdiResetFromTimeout = reset_from_timeout;
    driver->DxgkDdiRestartFromTimeout = restart_from_timeout;
}

/* The second packet of the render engine never ends. */
static void hang_and_reset(const char *gpu, uint32_t flags)
{
    struct vidmm_statistics statistics;
    char text[200];

    snprintf(text, sizeof(text), "%shang 0 2\n%s", strstr(gpu, "segment 2 mem") ? "" : BASE_MEMORY,
             gpu);
    build(text);
    watch(&rig.driver);
    begin();
    rig.device = first.device;
    assert_int_equal(rig_create(&rig, &rig.allocations[0], BYTES(PAGES), MEMORY, flags),
                     STATUS_SUCCESS);
    make(&first, rig.allocations[0].handle);
    map(&first, rig.allocations[0].handle, AT);
    touch(&first, &rig.allocations[0], AT, true);
    touch_and_fault(&first, &rig.allocations[0], AT);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    assert_int_equal(vidmm_device_condition(first.device, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_SUCCESS);
}

/* The program is at work again, with a new device, beside its removed one: its process has kept its
 * addresses, and the upper tables of what it maps now are those of before. */
static void page_tables_are_written_anew(void **state)
{
    static const char *const gpus[] = {
        "page_table_segment 2\npaging_table_segment 2\n",
        "page_table_segment 2\n",
        "page_table_segment 0\n",
        "page_table_update cpu_virtual\npage_table_segment 0\n",
        "page_table_update gpu_virtual\n",
        "page_table_segment 2\npaging_table_segment 2\npaging_buffer_segment 0\n",
        HOSTED "page_table_segment 2\n",
        HOSTED "page_table_update cpu_virtual\npage_table_segment 0\n",
    };

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        hang_and_reset(gpus[index], 0);
        begin_program(&second, 1);
        create(&second, &rig.allocations[1], PAGES);
        make(&second, rig.allocations[1].handle);
        map(&second, rig.allocations[1].handle, AT + BYTES(PAGES));
        touch(&second, &rig.allocations[1], AT + BYTES(PAGES), true);
        evict(&second, rig.allocations[1].handle);
        make(&second, rig.allocations[1].handle);
        touch(&second, &rig.allocations[1], AT + BYTES(PAGES), false);
        end_program(&second);
        finish();
        assert_int_equal(asked.told, 0);
        assert_int_equal(asked.other, 0);
    }
}

/* No operation by address says that an allocation has left its place without its bytes. A driver
 * that wants to know where it is hears that it is nowhere. */
static void a_driver_that_is_notified_hears_of_it(void **state)
{
    (void)state;
    hang_and_reset("", NOTIFIED);
    finish();
    assert_int_equal(asked.told, 1);
    assert_int_equal(asked.other, 0);
}

/* Begin, on a GPU whose paging engine stops before that paging packet. Answers how many there were
 * until the program had begun. */
static uint64_t begin_with_hang(uint64_t packet)
{
    struct softgpu_statistics gpu;
    char text[200];

    snprintf(text, sizeof(text), BASE_MEMORY "hang 1 %u\n", (unsigned)packet);
    build(text);
    asked.build = rig.driver.DxgkDdiBuildPagingBuffer;
    rig.driver.DxgkDdiBuildPagingBuffer = build_signal;
    begin();
    vidmm_machine_settle(rig.machine);
    softgpu_device_statistics(rig.gpu, &gpu);
    return gpu.paging_packets;
}

/* The paging buffer that writes a queue's value never does: the queue comes to it all the same, and
 * the next value is written again. */
static void a_value_that_a_reset_has_lost_comes_by_the_cpu(void **state)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_statistics statistics;
    uint64_t packets;

    (void)state;
    packets = begin_with_hang(UINT32_MAX);
    finish();
    assert_int_equal(begin_with_hang(packets + 1), packets);
    create(&first, &rig.allocations[0], PAGES);
    asked.other = 0;
    assert_int_equal(
        vidmm_make_resident(first.queue, &rig.allocations[0].handle, 1, 0, &result, &rig.report),
        STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(first.queue, result.value, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(asked.other, 1);
    assert_int_equal(*vidmm_paging_queue_fence(first.queue), result.value);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    begin_program(&second, 2);
    create(&second, &rig.allocations[1], PAGES);
    make(&second, rig.allocations[1].handle);
    assert_true(asked.other > 1);
    end_program(&second);
    finish();
}

/* ---- an engine alone is reset ---- */

/* Three programs have the same addresses. The first hangs, and the others' commands come back from
 * the engine: when they are submitted again each is to find its own memory (D-084, D-136). */
static void what_runs_again_finds_its_own_memory(void **state)
{
    struct program third, *const programs[] = {&first, &second, &third};
    struct vidmm_statistics statistics;

    (void)state;
    build("engine_reset on\n");
    begin();
    begin_program(&second, 2);
    begin_program(&third, 3);
    for (uint32_t i = 0; i < 3; i++) {
        create(programs[i], &rig.allocations[i], 4);
        make(programs[i], rig.allocations[i].handle);
        assert_int_equal(map(programs[i], rig.allocations[i].handle, AT), AT);
        touch(programs[i], &rig.allocations[i], AT, true);
    }
    softgpu_device_hang(rig.gpu, 0, 0, false);
    for (uint32_t i = 0; i < 3; i++)
        queue_touch(programs[i], &rig.allocations[i], AT, i != 0);
    assert_int_equal(vidmm_context_wait(first.context, first.value),
                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    touched--;
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(vidmm_context_wait(programs[i]->context, programs[i]->value),
                         STATUS_SUCCESS);
        touch(programs[i], &rig.allocations[i], AT, false);
    }
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.engine_resets, 1);
    assert_int_equal(statistics.resets, 0);
    end_program(&third);
    end_program(&second);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_tables_are_written_anew),
        cmocka_unit_test(a_driver_that_is_notified_hears_of_it),
        cmocka_unit_test(a_value_that_a_reset_has_lost_comes_by_the_cpu),
        cmocka_unit_test(what_runs_again_finds_its_own_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
