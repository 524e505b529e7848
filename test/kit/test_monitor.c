/* The monitor, read and filled as a display driver does it. */
#include "../unit/harness.h"

#include "kit/monitor.h"

#include <wddm/ntstatus.h>

enum { TARGET = 5 };

static const DXGK_MONITOR_INTERFACE *open_table(void)
{
    const DXGK_MONITOR_INTERFACE *table = NULL;

    vidmm_kit_monitor_reset();
    assert_int_equal(
        vidmm_kit_query_monitor_interface(NULL, DXGK_MONITOR_INTERFACE_VERSION_V1, &table),
        STATUS_SUCCESS);
    assert_int_equal(table->Version, DXGK_MONITOR_INTERFACE_VERSION_V1);
    return table;
}

static void another_version_is_refused(void **state)
{
    const DXGK_MONITOR_INTERFACE *table = NULL;

    (void)state;
    assert_int_equal(vidmm_kit_query_monitor_interface(
                         NULL, DXGK_MONITOR_INTERFACE_VERSION_UNINITIALIZED, &table),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(
        vidmm_kit_query_monitor_interface(NULL, (DXGK_MONITOR_INTERFACE_VERSION)3, &table),
        STATUS_INVALID_PARAMETER);
    assert_null(table);
    assert_int_equal(
        vidmm_kit_query_monitor_interface(NULL, DXGK_MONITOR_INTERFACE_VERSION_V1, NULL),
        STATUS_INVALID_PARAMETER);
}

static void its_modes_are_walked_and_released(void **state)
{
    const DXGK_MONITOR_INTERFACE *table = open_table();
    const DXGK_MONITORSOURCEMODESET_INTERFACE *modes;
    const D3DKMDT_MONITOR_SOURCE_MODE *mode, *next;
    D3DKMDT_HMONITORSOURCEMODESET set;
    SIZE_T count, walked = 0;

    (void)state;
    assert_int_equal(table->pfnAcquireMonitorSourceModeSet(NULL, TARGET, &set, &modes), 0);
    assert_int_equal(modes->pfnGetNumModes(set, &count), 0);
    assert_int_equal(modes->pfnAcquirePreferredModeInfo(set, &mode), 0);
    assert_int_equal(mode->VideoSignalInfo.ActiveSize.cx, 1024);
    assert_int_equal(mode->Preference, D3DKMDT_MP_PREFERRED);
    assert_int_equal(modes->pfnReleaseModeInfo(set, mode), 0);
    assert_int_equal(modes->pfnAcquireFirstModeInfo(set, &mode), 0);
    for (NTSTATUS status = STATUS_SUCCESS; status == STATUS_SUCCESS; mode = next) {
        const D3DKMDT_VIDEO_SIGNAL_INFO *signal = &mode->VideoSignalInfo;
        double hertz = (double)signal->VSyncFreq.Numerator / signal->VSyncFreq.Denominator;

        assert_true(hertz > 59.5 && hertz < 60.5);
        assert_true(signal->TotalSize.cx > signal->ActiveSize.cx);
        walked++;
        status = modes->pfnAcquireNextModeInfo(set, mode, &next);
        assert_true(status == STATUS_SUCCESS ||
                    status == STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET);
        assert_int_equal(modes->pfnReleaseModeInfo(set, mode), 0);
    }
    assert_int_equal(walked, count);
    assert_int_equal(vidmm_kit_monitor_held(), 1);
    assert_int_equal(table->pfnReleaseMonitorSourceModeSet(NULL, set), 0);
    assert_int_equal(vidmm_kit_monitor_held(), 0);
}

static void a_driver_adds_a_mode(void **state)
{
    const DXGK_MONITOR_INTERFACE *table = open_table();
    const DXGK_MONITORSOURCEMODESET_INTERFACE *modes;
    D3DKMDT_MONITOR_SOURCE_MODE *fresh, *dropped;
    D3DKMDT_HMONITORSOURCEMODESET set;
    SIZE_T before, after;

    (void)state;
    assert_int_equal(table->pfnAcquireMonitorSourceModeSet(NULL, TARGET, &set, &modes), 0);
    assert_int_equal(modes->pfnGetNumModes(set, &before), 0);
    assert_int_equal(modes->pfnCreateNewModeInfo(set, &fresh), 0);
    assert_int_equal(modes->pfnCreateNewModeInfo(set, &dropped), 0);
    assert_int_not_equal(fresh->Id, dropped->Id);
    assert_int_equal(modes->pfnGetNumModes(set, &after), 0);
    assert_int_equal(after, before); /* not before it is added */
    assert_int_equal(modes->pfnAddMode(set, fresh), 0);
    assert_int_equal(modes->pfnAddMode(set, fresh), STATUS_GRAPHICS_INVALID_MONITOR_SOURCE_MODE);
    assert_int_equal(modes->pfnReleaseModeInfo(set, dropped), 0);
    assert_int_equal(modes->pfnReleaseModeInfo(set, dropped), STATUS_INVALID_PARAMETER);
    assert_int_equal(modes->pfnGetNumModes(set, &after), 0);
    assert_int_equal(after, before + 1);
    assert_int_equal(modes->pfnGetNumModes(NULL, &after),
                     STATUS_GRAPHICS_INVALID_MONITOR_SOURCEMODESET);
    assert_int_equal(table->pfnReleaseMonitorSourceModeSet(NULL, set), 0);
    assert_int_equal(vidmm_kit_monitor_held(), 0);
}

static void it_has_neither_ranges_nor_descriptors(void **state)
{
    const DXGK_MONITOR_INTERFACE *table = open_table();
    const DXGK_MONITORFREQUENCYRANGESET_INTERFACE *ranges;
    const DXGK_MONITORDESCRIPTORSET_INTERFACE *descriptors;
    const D3DKMDT_MONITOR_DESCRIPTOR *descriptor;
    D3DKMDT_HMONITORFREQUENCYRANGESET *range_set;
    D3DKMDT_HMONITORDESCRIPTORSET *descriptor_set;
    SIZE_T count = 7;

    (void)state;
    assert_int_equal(table->pfnGetMonitorFrequencyRangeSet(NULL, TARGET, &range_set, &ranges), 0);
    assert_int_equal(ranges->pfnGetNumFrequencyRanges(
                         (D3DKMDT_HMONITORFREQUENCYRANGESET)(void *)range_set, &count),
                     0);
    assert_int_equal(count, 0);
    count = 7;
    assert_int_equal(table->pfnGetMonitorDescriptorSet(NULL, TARGET, &descriptor_set, &descriptors),
                     0);
    assert_int_equal(descriptors->pfnGetNumDescriptors(
                         (D3DKMDT_HMONITORDESCRIPTORSET)(void *)descriptor_set, &count),
                     0);
    assert_int_equal(count, 0);
    assert_int_equal(descriptors->pfnAcquireFirstDescriptorInfo(
                         (D3DKMDT_HMONITORDESCRIPTORSET)(void *)descriptor_set, &descriptor),
                     STATUS_GRAPHICS_DATASET_IS_EMPTY);
}

static void the_second_version_has_more_entries(void **state)
{
    const DXGK_MONITOR_INTERFACE *table;
    const DXGK_MONITOR_INTERFACE_V2 *second;
    DXGK_TARGETMODE_DETAIL_TIMING *more;
    UINT count = 7;

    (void)state;
    assert_int_equal(
        vidmm_kit_query_monitor_interface(NULL, DXGK_MONITOR_INTERFACE_VERSION_V2, &table), 0);
    second = (const void *)table;
    assert_int_equal(second->Version, DXGK_MONITOR_INTERFACE_VERSION_V2);
    assert_int_equal(second->pfnGetAdditionalMonitorModeSet(NULL, TARGET, &count, &more), 0);
    assert_int_equal(count, 0);
    assert_int_equal(second->pfnReleaseAdditionalMonitorModeSet(NULL, TARGET, more), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(its_modes_are_walked_and_released),
        cmocka_unit_test(a_driver_adds_a_mode),
        cmocka_unit_test(it_has_neither_ranges_nor_descriptors),
        cmocka_unit_test(the_second_version_has_more_entries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
