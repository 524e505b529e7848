/* test_adapter_links.c: several GPUs that are linked do together what one does alone. */
#include "test_adapter_rig.h"

#include <string.h>

#include <vidmm/lock.h>

#define MIRRORED 0x1000u
#define INSTANCED 0x2000u

static struct rig rig;

static struct rig_options linked(uint32_t links, enum vidmm_machine_kind kind, uint64_t seed,
                                 const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.links = links;
    options.kind = kind;
    options.machine_seed = seed;
    options.gpu = gpu;
    return options;
}

static uint64_t play(const struct rig_options *options, uint32_t steps)
{
    uint64_t hash;

    rig_init(&rig, options);
    rig_work(&rig, 11, steps);
    hash = rig_read(&rig);
    rig_finish(&rig);
    return hash;
}

/* The configurations of a GPU under which a transfer may take several calls, or an operation
 * two. */
static const char *const gpus[] = {
    "",
    "habit immediate\n",
    "paging_buffer 512\n",
    "busy first\n",
    "insufficient every 3\n",
    "wddm 1.0\n",
    "multi_engine off\n",
};

enum { GPUS = sizeof(gpus) / sizeof(gpus[0]) };

/* One backing store: the GPUs' writes lie in the memory of each, and the CPU's writes reach all. */
static void mirrored_content_is_that_of_one_gpu(void **state)
{
    (void)state;
    for (uint32_t gpu = 0; gpu < GPUS; gpu++) {
        struct rig_options options = linked(1, VIDMM_MACHINE_SIMULATED, gpu, gpus[gpu]);
        uint64_t alone, together;

        options.sets = 2;
        options.more_flags = gpu % 2 == 0 ? MIRRORED : 0;
        alone = play(&options, 150);
        options.links = 2 + gpu % 3;
        options.evict_through_aperture = gpu % 2 == 0;
        together = play(&options, 150);
        assert_true(alone == together);
    }
}

/* A backing store each: an aperture shows each GPU its own pages. The CPU sees the lead's. */
static void instanced_content_is_each_gpus_own(void **state)
{
    (void)state;
    for (uint32_t gpu = 0; gpu < GPUS; gpu++) {
        struct rig_options options = linked(1, VIDMM_MACHINE_SIMULATED, gpu, gpus[gpu]);
        uint64_t alone, together;

        options.no_cpu = true;
        options.more_flags = INSTANCED;
        options.evict_through_aperture = gpu % 2 != 0;
        alone = play(&options, 150);
        options.links = 2 + gpu % 3;
        together = play(&options, 150);
        assert_true(alone == together);
    }
}

static void so_it_is_with_threads(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_THREADED, 1, NULL);

    (void)state;
    options.sets = 2;
    play(&options, 300);
    options.sets = 0;
    options.no_cpu = true;
    options.more_flags = INSTANCED;
    play(&options, 300);
}

/* Operations that one GPU has built stand in a paging buffer of its own, which is submitted once:
 * the rest of an operation, which another GPU builds in the next buffer, does not bring them along
 * again. */
static void a_gpu_that_has_built_all_submits_it_once(void **state)
{
    static const char *const slow[] = {"insufficient every 2\n", "insufficient every 3\n",
                                       "paging_buffer 512\ninsufficient every 2\n"};

    (void)state;
    for (uint32_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++) {
        struct rig_options options = linked(1, VIDMM_MACHINE_SIMULATED, i, NULL);
        uint64_t alone, together;

        options.sets = 2;
        alone = play(&options, 150);
        options.links = 2;
        options.last_gpu = slow[i];
        options.adapter.paging_buffers = 1;
        together = play(&options, 150);
        assert_true(alone == together);
    }
}

/* ---- what the driver says of the link -------------------------------------------------------- */

/* A write by the CPU through a swizzling range would reach one GPU alone. */
static void the_cpu_sees_no_gpu_of_a_link_by_a_range(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_SIMULATED, 0, "ranges 2\n");
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_lock_arguments arguments = {
        .flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA};

    (void)state;
    rig_init(&rig, &options);
    assert_int_equal(rig_create(&rig, one, 8 * VIDMM_PAGE_SIZE, 2, 0x81 | MIRRORED),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &one, 1, 1), STATUS_SUCCESS);
    arguments.allocation = one->handle;
    assert_int_equal(vidmm_lock_pages(&arguments, &rig.report),
                     STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED);
    assert_non_null(strstr(rig.report.text, "link"));
    arguments.flags &= ~VIDMM_LOCK_USE_ALTERNATE_VA;
    assert_int_equal(vidmm_lock_pages(&arguments, &rig.report), STATUS_SUCCESS);
    for (uint32_t page = 0; page < one->pages; page++)
        rig_touch_page(&rig, one, (char *)arguments.data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &one, 1, 0), STATUS_SUCCESS);
    rig_finish(&rig); /* both GPUs found it */
}

static void refused(const char *word)
{
    NTSTATUS status = rig_start(&rig);

    assert_int_equal(status, STATUS_GRAPHICS_DRIVER_MISMATCH);
    if (strstr(rig.report.text, word) == NULL)
        fail_msg("%s", rig.report.text);
    rig_finish(&rig);
}

static void a_link_that_is_not_what_the_driver_says_is_refused(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_SIMULATED, 0, NULL);

    (void)state;
    rig_build(&rig, &options);
    rig.driver.DxgkDdiLinkDevice = NULL;
    refused("NumberOfLinksInChain");
    rig_build(&rig, &options);
    rig.options.adapter.link_count = 0; /* one of two */
    refused("NumberOfLinksInChain");
    rig_build(&rig, &options);
    rig.places[0].place = 1;
    rig.places[1].place = 0;
    refused("LeadLink");
    options.links = 3;
    rig_build(&rig, &options);
    rig.options.adapter.link_count = VIDMM_LINKS;
    assert_int_equal(rig_start(&rig), STATUS_INVALID_PARAMETER);
    rig_finish(&rig);
}

/* ---- recovery -------------------------------------------------------------------------------- */

static void one_gpu_that_hangs_resets_all(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_SIMULATED, 0, NULL);
    struct rig_allocation *one[] = {&rig.allocations[0]};
    struct vidmm_statistics statistics;

    (void)state;
    options.last_gpu = "hang 0 1\n"; /* the lead completes its packet */
    options.adapter.timeout_ms = 2000;
    rig_init(&rig, &options);
    assert_int_equal(rig_create(&rig, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(rig.context, rig.value);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.resets, 1);
    assert_int_equal(statistics.preemptions, 0);
    assert_int_equal(vidmm_device_condition(rig.device, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_SUCCESS);
    rig_finish(&rig);
}

/* A driver that reports the second GPU's work in the name of an engine that there is not. */
static struct {
    DXGKDDI_START_DEVICE *start;
    DXGKCB_NOTIFY_INTERRUPT notify;
} honest;

static VOID notify_for_nobody(HANDLE handle, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA bent = *data;

    if (bent.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED && bent.DmaCompleted.NodeOrdinal == 0 &&
        bent.DmaCompleted.EngineOrdinal == 1)
        bent.DmaCompleted.EngineOrdinal = 40;
    honest.notify(handle, &bent);
}

static NTSTATUS start_bent(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *kernel,
                           PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE bent = *kernel;

    honest.notify = kernel->DxgkCbNotifyInterrupt;
    bent.DxgkCbNotifyInterrupt = notify_for_nobody;
    return honest.start(context, info, &bent, sources, children);
}

static void an_engine_that_there_is_not_completes_nothing(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_SIMULATED, 0, NULL);
    struct rig_allocation *one[] = {&rig.allocations[0]};
    struct vidmm_statistics statistics;
    struct vidmm_finding finding;

    (void)state;
    options.adapter.timeout_ms = 2000;
    rig_build(&rig, &options);
    honest.start = rig.driver.DxgkDdiStartDevice;
    rig.driver.DxgkDdiStartDevice = start_bent;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, one[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(rig.context, rig.value);
    assert_true(vidmm_adapter_finding(rig.adapter, 0, &finding));
    assert_string_equal(finding.rule, "D-356");
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.submissions, 1);
    rig_finish(&rig);
}

static void power_goes_and_comes_for_all(void **state)
{
    struct rig_options options = linked(3, VIDMM_MACHINE_SIMULATED, 2, NULL);

    (void)state;
    options.sets = 2;
    rig_init(&rig, &options);
    rig_work(&rig, 5, 80);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report),
                     STATUS_SUCCESS);
    rig_work(&rig, 6, 80);
    rig_read(&rig);
    rig_finish(&rig);
}

/* Each request of pages or memory fails once while a link is made, used and taken apart. */
static void what_runs_out_leaves_nothing_behind(void **state)
{
    struct rig_options options = linked(2, VIDMM_MACHINE_SIMULATED, 0, NULL);

    (void)state;
    options.no_cpu = true;
    options.more_flags = INSTANCED;
    options.may_refuse = true;
    for (uint64_t n = 1; n < 120; n += 2) {
        rig_build(&rig, &options);
        vidmm_machine_fail_allocation(rig.machine, n);
        vidmm_machine_fail_pages(rig.machine, n % 40 + 1);
        if (rig_start(&rig) == STATUS_SUCCESS)
            rig_work(&rig, 3, 40);
        rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrored_content_is_that_of_one_gpu),
        cmocka_unit_test(instanced_content_is_each_gpus_own),
        cmocka_unit_test(so_it_is_with_threads),
        cmocka_unit_test(a_gpu_that_has_built_all_submits_it_once),
        cmocka_unit_test(the_cpu_sees_no_gpu_of_a_link_by_a_range),
        cmocka_unit_test(a_link_that_is_not_what_the_driver_says_is_refused),
        cmocka_unit_test(one_gpu_that_hangs_resets_all),
        cmocka_unit_test(an_engine_that_there_is_not_completes_nothing),
        cmocka_unit_test(power_goes_and_comes_for_all),
        cmocka_unit_test(what_runs_out_leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
