/* test_addressed_power.c: the adapter of a GPU with page tables loses its power, while programs go
 * on to change their addresses. Nothing is built for a GPU that is off; all is there when it is
 * back.
 */
#include "test_addressed.h"

enum { PAGES = 16 };

static struct {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    DXGKDDI_SUBMITCOMMANDVIRTUAL *submit;
    DXGKDDI_SET_POWER_STATE *power;
    DXGKDDI_SETROOTPAGETABLE *root;
    bool off;
    unsigned while_off; /* calls about paging */
} asked;

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    asked.while_off += asked.off ? 1 : 0;
    return asked.build(adapter, arguments);
}

static NTSTATUS submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    asked.while_off += asked.off ? 1 : 0;
    return asked.submit(adapter, arguments);
}

static void set_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    asked.while_off += asked.off ? 1 : 0;
    asked.root(adapter, arguments);
}

static NTSTATUS set_power(void *adapter, ULONG uid, DEVICE_POWER_STATE state, POWER_ACTION action)
{
    asked.off = state != PowerDeviceD0;
    return asked.power(adapter, uid, state, action);
}

static void power(enum vidmm_power state)
{
    if (vidmm_adapter_set_power(rig.adapter, state, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

static uint64_t ask(struct program *program, struct vidmm_allocation *allocation, uint64_t base)
{
    uint64_t address = 0, value = 0;

    assert_int_equal(ask_to_map(program, allocation, base, 0, BYTES(PAGES), &address, &value),
                     STATUS_PENDING);
    assert_int_equal(address, base);
    return value;
}

/* One allocation has addresses before, another program's gets them meanwhile, and those of a third
 * go. */
static void lose_power(const char *gpu, enum vidmm_power state)
{
    struct rig_allocation *all = rig.allocations;
    uint64_t value;

    memset(&asked, 0, sizeof(asked));
    build(gpu);
    asked.build = rig.driver.DxgkDdiBuildPagingBuffer;
    asked.submit = rig.driver.DxgkDdiSubmitCommandVirtual;
    asked.root = rig.driver.DxgkDdiSetRootPageTable;
    asked.power = rig.driver.DxgkDdiSetPowerState;
    rig.driver.DxgkDdiBuildPagingBuffer = build_paging_buffer;
    rig.driver.DxgkDdiSubmitCommandVirtual = submit_command;
    rig.driver.DxgkDdiSetRootPageTable = set_root;
    rig.driver.DxgkDdiSetPowerState = set_power;
    begin();
    begin_program(&second, 2);
    for (uint32_t i = 0; i < 3; i++) {
        struct program *program = i == 1 ? &second : &first;

        create(program, &all[i], PAGES);
        make(program, all[i].handle);
    }
    map(&first, all[0].handle, AT);
    map(&first, all[2].handle, AT + BYTES(512));
    touch(&first, &all[0], AT, true);
    touch(&first, &all[2], AT + BYTES(512), true);

    power(state);
    value = ask(&second, all[1].handle, AT); /* a leaf that there was not */
    assert_int_equal(vidmm_free_addresses(first.device, AT + BYTES(512), BYTES(PAGES), &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_true(vidmm_paging_queue_passed(second.queue) < value);
    power(VIDMM_POWER_D0);
    assert_int_equal(asked.while_off, 0);
    assert_int_equal(vidmm_paging_queue_wait(second.queue, value, &rig.report), STATUS_SUCCESS);

    touch(&first, &all[0], AT, false);
    touch(&second, &all[1], AT, true);
    touch(&first, &all[0], AT, true);
    touch(&second, &all[1], AT, false);
    end_program(&second);
    finish();
}

static void nothing_is_built_for_a_gpu_that_is_off(void **state)
{
    static const char *const gpus[] = {
        "page_table_update gpu_physical\n",
        "page_table_update gpu_virtual\n", /* one table after the other is in a window */
        "page_table_update cpu_virtual\npage_table_segment 0\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        lose_power(gpus[i], VIDMM_POWER_D3);
        lose_power(gpus[i], VIDMM_POWER_HIBERNATE);
    }
}

/* The page table that was written last before is the first one behind it, too: the window that
 * showed it (GPU_VIRTUAL) shows nothing any more. */
static void one_leaf_is_written_last_and_first(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];

    (void)state;
    start("page_table_update gpu_virtual\n");
    create(&first, one, PAGES);
    make(&first, one->handle);
    map(&first, one->handle, BYTES(64)); /* in the leaf of the commands */
    touch(&first, one, BYTES(64), true);
    for (uint32_t round = 0; round < 3; round++) {
        map(&first, one->handle, BYTES(64) * (round + 2));
        power(round == 1 ? VIDMM_POWER_HIBERNATE : VIDMM_POWER_D3);
        power(VIDMM_POWER_D0);
        touch(&first, one, BYTES(64), round == 1);
    }
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_built_for_a_gpu_that_is_off),
        cmocka_unit_test(one_leaf_is_written_last_and_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
