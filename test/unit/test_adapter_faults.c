/* test_adapter_faults.c: faults that a test sets (vidmm_adapter_set_faults()), as a driver of WDDM
 * 1.x meets them. */
#include "test_adapter_rig.h"

#include <vidmm/page_out.h>
#include <vidmm/test_fault.h>

enum { PAGES = 40, MEMORY = 2 };

static struct rig rig;

static struct {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    DXGKDDI_RENDER *render;
    unsigned transfers, hints; /* `hints`: elements of allocation lists with a place */
    uint64_t moved;            /* bytes of the transfers */
} driver;

static NTSTATUS build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (arguments->Operation == DXGK_OPERATION_TRANSFER) {
        assert_int_equal(arguments->Transfer.TransferOffset, driver.moved);
        driver.transfers++;
        driver.moved += arguments->Transfer.TransferSize;
    }
    return driver.build(adapter, arguments);
}

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *arguments)
{
    for (UINT i = 0; i < arguments->AllocationListSize; i++)
        driver.hints += arguments->pAllocationList[i].SegmentId != 0;
    return driver.render(context, arguments);
}

static void start(void)
{
    struct rig_options options = rig_defaults();

    rig_build(&rig, &options);
    driver.build = rig.driver.DxgkDdiBuildPagingBuffer;
    driver.render = rig.driver.DxgkDdiRender;
    rig.driver.DxgkDdiBuildPagingBuffer = build;
    rig.driver.DxgkDdiRender = render;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, &rig.allocations[0], PAGES * VIDMM_PAGE_SIZE, MEMORY, 0),
                     STATUS_SUCCESS);
}

static void set_faults(uint32_t faults)
{
    assert_int_equal(vidmm_adapter_set_faults(rig.adapter, faults, &rig.report), STATUS_SUCCESS);
}

static void use(void)
{
    struct rig_allocation *one = &rig.allocations[0];

    assert_int_equal(rig_render(&rig, &one, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static void finish(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

static unsigned transfers_with(uint32_t faults)
{
    set_faults(faults);
    use();
    driver.transfers = 0;
    driver.moved = 0;
    assert_int_equal(vidmm_page_out(rig.allocations[0].handle, &rig.report), STATUS_SUCCESS);
    assert_int_equal(driver.moved, PAGES * VIDMM_PAGE_SIZE);
    driver.moved = 0;
    return driver.transfers;
}

/* In order, and together they are all of it. */
static void memory_is_paged_by_pieces(void **state)
{
    (void)state;
    start();
    assert_int_equal(transfers_with(0), 1);
    assert_int_equal(transfers_with(VIDMM_TEST_SUB_RANGES), 3);
    assert_int_equal(transfers_with(0), 1);
    finish();
}

/* The driver is told of no place, so it pre-patches nothing; the GPU finds all in place. */
static void no_place_is_told_of_before_the_patch(void **state)
{
    (void)state;
    start();
    use();
    driver.hints = 0;
    use();
    assert_int_equal(driver.hints, 1);
    set_faults(VIDMM_TEST_NO_PRE_PATCHING);
    driver.hints = 0;
    use();
    assert_int_equal(driver.hints, 0);
    set_faults(0);
    use();
    assert_int_equal(driver.hints, 1);
    finish();
}

static void faults_that_are_none_are_refused(void **state)
{
    (void)state;
    start();
    assert_int_equal(vidmm_adapter_set_faults(rig.adapter, 0x2000, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "bits of VIDMM_TEST_"));
    assert_int_equal(vidmm_adapter_set_faults(
                         rig.adapter, VIDMM_TEST_CLIENT | (VIDMM_TEST_ENGINE & ~64u), &rig.report),
                     STATUS_SUCCESS);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_paged_by_pieces),
        cmocka_unit_test(no_place_is_told_of_before_the_patch),
        cmocka_unit_test(faults_that_are_none_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
