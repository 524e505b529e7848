/* A video present network, read and filled as a display driver does it. */
#include "../unit/harness.h"

#include "kit/vidpn.h"

#include <wddm/ntstatus.h>

enum { SOURCE = 3, TARGET = 5 };

struct net {
    struct vidmm_kit_vidpn *vidpn;
    D3DKMDT_HVIDPN handle;
    const DXGK_VIDPN_INTERFACE *table;
    D3DKMDT_HVIDPNTOPOLOGY topology;
    const DXGK_VIDPNTOPOLOGY_INTERFACE *paths;
};

static void net_open(struct net *net, bool path)
{
    net->vidpn = vidmm_kit_vidpn_open(path, SOURCE, TARGET);
    assert_non_null(net->vidpn);
    net->handle = vidmm_kit_vidpn_handle(net->vidpn);
    assert_int_equal(
        vidmm_kit_query_vidpn_interface(net->handle, DXGK_VIDPN_INTERFACE_VERSION_V1, &net->table),
        STATUS_SUCCESS);
    assert_int_equal(net->table->pfnGetTopology(net->handle, &net->topology, &net->paths),
                     STATUS_SUCCESS);
}

static void net_close(struct net *net)
{
    assert_int_equal(vidmm_kit_vidpn_held(net->vidpn), 0);
    vidmm_kit_vidpn_close(net->vidpn);
}

/* ---- the network and its topology ---- */

static void a_closed_network_is_refused_by_everything(void **state)
{
    struct net net;
    const DXGK_VIDPN_INTERFACE *table = NULL;
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNSOURCEMODESET set;
    SIZE_T count;

    (void)state;
    net_open(&net, true);
    assert_int_equal(
        vidmm_kit_query_vidpn_interface(net.handle, DXGK_VIDPN_INTERFACE_VERSION_V1, NULL),
        STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_kit_query_vidpn_interface(
                         net.handle,
                         (DXGK_VIDPN_INTERFACE_VERSION)(DXGK_VIDPN_INTERFACE_VERSION_V1 + 7),
                         &table),
                     STATUS_INVALID_PARAMETER);
    net_close(&net);
    assert_int_equal(
        vidmm_kit_query_vidpn_interface(net.handle, DXGK_VIDPN_INTERFACE_VERSION_V1, &table),
        STATUS_GRAPHICS_INVALID_VIDPN);
    assert_null(table);
    assert_int_equal(net.table->pfnAcquireSourceModeSet(net.handle, SOURCE, &set, &modes),
                     STATUS_GRAPHICS_INVALID_VIDPN);
    assert_int_equal(net.table->pfnAssignSourceModeSet(net.handle, SOURCE, set),
                     STATUS_GRAPHICS_INVALID_VIDPN);
    assert_int_equal(net.table->pfnReleaseSourceModeSet(net.handle, set),
                     STATUS_GRAPHICS_INVALID_VIDPN);
    assert_int_equal(net.table->pfnAssignMultisamplingMethodSet(net.handle, SOURCE, 0, NULL),
                     STATUS_GRAPHICS_INVALID_VIDPN);
    assert_int_equal(net.paths->pfnGetNumPaths(net.topology, &count),
                     STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY);
    assert_int_equal(net.paths->pfnRemovePath(net.topology, SOURCE, TARGET),
                     STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY);
}

static void more_networks_than_there_is_room_for_are_refused(void **state)
{
    struct vidmm_kit_vidpn *vidpns[VIDMM_KIT_VIDPNS];

    (void)state;
    for (unsigned i = 0; i < VIDMM_KIT_VIDPNS; i++)
        vidpns[i] = vidmm_kit_vidpn_open(false, 0, 0);
    assert_null(vidmm_kit_vidpn_open(false, 0, 0));
    for (unsigned i = 0; i < VIDMM_KIT_VIDPNS; i++)
        vidmm_kit_vidpn_close(vidpns[i]);
    vidmm_kit_vidpn_close(NULL);
}

static void the_path_is_found_from_either_end(void **state)
{
    struct net net;
    SIZE_T count = 9;
    D3DDDI_VIDEO_PRESENT_TARGET_ID target = 0;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID source = 0;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.paths->pfnGetNumPaths(net.topology, &count), STATUS_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(net.paths->pfnGetNumPathsFromSource(net.topology, SOURCE, &count),
                     STATUS_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(net.paths->pfnGetNumPathsFromSource(net.topology, SOURCE + 1, &count),
                     STATUS_SUCCESS);
    assert_int_equal(count, 0);
    assert_int_equal(net.paths->pfnGetNumPathsFromSource(net.topology, SOURCE, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(net.paths->pfnEnumPathTargetsFromSource(net.topology, SOURCE, 0, &target),
                     STATUS_SUCCESS);
    assert_int_equal(target, TARGET);
    assert_int_equal(net.paths->pfnEnumPathTargetsFromSource(net.topology, SOURCE, 0, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(net.paths->pfnEnumPathTargetsFromSource(net.topology, SOURCE, 1, &target),
                     STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY);
    assert_int_equal(net.paths->pfnGetPathSourceFromTarget(net.topology, TARGET, &source),
                     STATUS_SUCCESS);
    assert_int_equal(source, SOURCE);
    assert_int_equal(net.paths->pfnGetPathSourceFromTarget(net.topology, TARGET, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(net.paths->pfnGetPathSourceFromTarget(net.topology, TARGET + 1, &source),
                     STATUS_GRAPHICS_TARGET_NOT_IN_TOPOLOGY);
    net_close(&net);
}

static void a_path_that_is_acquired_is_released(void **state)
{
    struct net net;
    const D3DKMDT_VIDPN_PRESENT_PATH *path, *next;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.paths->pfnAcquireFirstPathInfo(net.topology, &path), STATUS_SUCCESS);
    assert_int_equal(path->VidPnSourceId, SOURCE);
    assert_int_equal(path->ContentTransformation.Scaling, D3DKMDT_VPPS_UNPINNED);
    assert_int_equal(net.paths->pfnAcquireNextPathInfo(net.topology, path, &next),
                     STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET);
    assert_null(next);
    assert_int_equal(net.paths->pfnAcquireNextPathInfo(net.topology, NULL, &next),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), 1);
    assert_int_equal(net.paths->pfnAcquirePathInfo(net.topology, SOURCE, TARGET, &path),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), 2);
    assert_int_equal(net.paths->pfnAcquirePathInfo(net.topology, TARGET, SOURCE, &next),
                     STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
    for (int i = 0; i < 2; i++)
        assert_int_equal(net.paths->pfnReleasePathInfo(net.topology, path), STATUS_SUCCESS);
    assert_int_equal(net.paths->pfnReleasePathInfo(net.topology, path), STATUS_INVALID_PARAMETER);
    net_close(&net);
}

static void what_a_path_supports_is_updated_and_nothing_else(void **state)
{
    struct net net;
    const D3DKMDT_VIDPN_PRESENT_PATH *path;
    D3DKMDT_VIDPN_PRESENT_PATH mine;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.paths->pfnAcquireFirstPathInfo(net.topology, &path), STATUS_SUCCESS);
    mine = *path;
    mine.ContentTransformation.ScalingSupport.Identity = 1;
    mine.ContentTransformation.RotationSupport.Rotate90 = 1;
    mine.ContentTransformation.Scaling = D3DKMDT_VPPS_CENTERED;
    assert_int_equal(net.paths->pfnUpdatePathSupportInfo(net.topology, &mine), STATUS_SUCCESS);
    assert_int_equal(path->ContentTransformation.ScalingSupport.Identity, 1);
    assert_int_equal(path->ContentTransformation.RotationSupport.Rotate90, 1);
    assert_int_equal(path->ContentTransformation.Scaling, D3DKMDT_VPPS_UNPINNED);
    mine.VidPnTargetId++;
    assert_int_equal(net.paths->pfnUpdatePathSupportInfo(net.topology, &mine),
                     STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
    assert_int_equal(net.paths->pfnUpdatePathSupportInfo(net.topology, NULL),
                     STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
    net.paths->pfnReleasePathInfo(net.topology, path);
    net_close(&net);
}

static void a_driver_adds_a_path_of_its_own_and_removes_it(void **state)
{
    struct net net;
    D3DKMDT_VIDPN_PRESENT_PATH *fresh, other;
    const D3DKMDT_VIDPN_PRESENT_PATH *path;

    (void)state;
    net_open(&net, false);
    assert_int_equal(net.paths->pfnAcquireFirstPathInfo(net.topology, &path),
                     STATUS_GRAPHICS_DATASET_IS_EMPTY);
    assert_null(path);
    assert_int_equal(
        net.paths->pfnCreateNewPathInfo((D3DKMDT_HVIDPNTOPOLOGY)(void *)net.vidpn, &fresh),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), 1);
    fresh->VidPnSourceId = 1;
    fresh->VidPnTargetId = 2;
    other = *fresh;
    assert_int_equal(net.paths->pfnAddPath(net.topology, &other), STATUS_INVALID_PARAMETER);
    assert_int_equal(net.paths->pfnAddPath(net.topology, fresh), STATUS_SUCCESS);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), 0);
    assert_int_equal(net.paths->pfnAddPath(net.topology, fresh), STATUS_INVALID_PARAMETER);
    assert_int_equal(net.paths->pfnRemovePath(net.topology, 1, 1),
                     STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
    assert_int_equal(net.paths->pfnRemovePath(net.topology, 1, 2), STATUS_SUCCESS);
    assert_int_equal(net.paths->pfnRemovePath(net.topology, 1, 2),
                     STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
    net_close(&net);
}

/* ---- mode sets ---- */

/* Add a mode of that size to a set of the source; its Id. */
static UINT add_source_mode(const DXGK_VIDPNSOURCEMODESET_INTERFACE *modes,
                            D3DKMDT_HVIDPNSOURCEMODESET set, uint32_t width, uint32_t height)
{
    D3DKMDT_VIDPN_SOURCE_MODE *mode;

    assert_int_equal(modes->pfnCreateNewModeInfo(set, &mode), STATUS_SUCCESS);
    mode->Type = D3DKMDT_RMT_GRAPHICS;
    mode->Format.Graphics.VisibleRegionSize.cx = width;
    mode->Format.Graphics.VisibleRegionSize.cy = height;
    assert_int_equal(modes->pfnAddMode(set, mode), STATUS_SUCCESS);
    assert_int_equal(modes->pfnAddMode(set, mode), STATUS_INVALID_PARAMETER);
    return mode->Id;
}

static void a_new_set_holds_what_is_added_once_it_is_assigned(void **state)
{
    struct net net;
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNSOURCEMODESET set;
    uint32_t width = 1024, height = 768;
    SIZE_T count = 0;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.table->pfnCreateNewSourceModeSet(net.handle, SOURCE, &set, &modes),
                     STATUS_SUCCESS);
    add_source_mode(modes, set, 640, 480);
    add_source_mode(modes, set, 1024, 768);
    assert_int_equal(modes->pfnGetNumModes(set, &count), STATUS_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(vidmm_kit_vidpn_modes(net.vidpn, false), 0);
    assert_false(vidmm_kit_vidpn_pin_source(net.vidpn, &width, &height));
    assert_int_equal(net.table->pfnAssignSourceModeSet(net.handle, SOURCE, set), STATUS_SUCCESS);
    assert_int_equal(vidmm_kit_vidpn_modes(net.vidpn, false), 2);
    assert_true(vidmm_kit_vidpn_pin_source(net.vidpn, &width, &height));
    assert_int_equal(width, 1024);
    width = height = 1;
    assert_true(vidmm_kit_vidpn_pin_source(net.vidpn, &width, &height)); /* the first */
    assert_int_equal(width, 640);
    assert_int_equal(height, 480);
    assert_int_equal(net.table->pfnAssignSourceModeSet(net.handle, SOURCE, set),
                     STATUS_GRAPHICS_INVALID_VIDPN_SOURCEMODESET); /* it is not held any more */
    net_close(&net);
}

static void modes_are_walked_and_pinned_by_id(void **state)
{
    struct net net;
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNSOURCEMODESET set;
    const D3DKMDT_VIDPN_SOURCE_MODE *first, *second, *pinned;
    UINT id;

    (void)state;
    net_open(&net, true);
    net.table->pfnCreateNewSourceModeSet(net.handle, SOURCE, &set, &modes);
    assert_int_equal(modes->pfnAcquireFirstModeInfo(set, &first), STATUS_GRAPHICS_DATASET_IS_EMPTY);
    add_source_mode(modes, set, 640, 480);
    id = add_source_mode(modes, set, 800, 600);
    assert_int_equal(modes->pfnAcquirePinnedModeInfo(set, &pinned), STATUS_SUCCESS);
    assert_null(pinned);
    assert_int_equal(modes->pfnAcquireFirstModeInfo(set, &first), STATUS_SUCCESS);
    assert_int_equal(modes->pfnAcquireNextModeInfo(set, first, &second), STATUS_SUCCESS);
    assert_int_equal(second->Id, id);
    assert_int_equal(modes->pfnAcquireNextModeInfo(set, second, &pinned),
                     STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET);
    assert_int_equal(modes->pfnAcquireNextModeInfo(set, NULL, &pinned), STATUS_INVALID_PARAMETER);
    assert_int_equal(modes->pfnPinMode(set, id + 1),
                     STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_SOURCE_MODE);
    assert_int_equal(modes->pfnPinMode(set, id), STATUS_SUCCESS);
    assert_int_equal(modes->pfnAcquirePinnedModeInfo(set, &pinned), STATUS_SUCCESS);
    assert_ptr_equal(pinned, second);
    assert_int_equal(modes->pfnReleaseModeInfo(set, first), STATUS_SUCCESS);
    assert_int_equal(modes->pfnReleaseModeInfo(set, second), STATUS_SUCCESS);
    assert_int_equal(modes->pfnReleaseModeInfo(set, pinned), STATUS_SUCCESS);
    assert_int_equal(modes->pfnReleaseModeInfo(set, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(net.table->pfnReleaseSourceModeSet(net.handle, set), STATUS_SUCCESS);
    assert_int_equal(modes->pfnReleaseModeInfo(set, first),
                     STATUS_GRAPHICS_INVALID_VIDPN_SOURCEMODESET); /* the set is gone */
    net_close(&net);
}

static void a_mode_that_is_released_unadded_is_gone(void **state)
{
    struct net net;
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNSOURCEMODESET set;
    D3DKMDT_VIDPN_SOURCE_MODE *mode;
    unsigned made = 0;

    (void)state;
    net_open(&net, true);
    net.table->pfnCreateNewSourceModeSet(net.handle, SOURCE, &set, &modes);
    assert_int_equal(modes->pfnCreateNewModeInfo(set, &mode), STATUS_SUCCESS);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), 2);
    assert_int_equal(modes->pfnReleaseModeInfo(set, mode), STATUS_SUCCESS);
    assert_int_equal(modes->pfnAddMode(set, mode), STATUS_INVALID_PARAMETER);
    for (; modes->pfnCreateNewModeInfo(set, &mode) == STATUS_SUCCESS; made++)
        assert_int_equal(modes->pfnAddMode(set, mode), STATUS_SUCCESS);
    assert_in_range(made, 100, 1000); /* and then STATUS_NO_MEMORY */
    assert_int_equal(modes->pfnCreateNewModeInfo(set, &mode), STATUS_NO_MEMORY);
    net.table->pfnReleaseSourceModeSet(net.handle, set);
    net_close(&net);
}

static void a_set_of_the_target_is_no_set_of_the_source(void **state)
{
    struct net net;
    const DXGK_VIDPNSOURCEMODESET_INTERFACE *source_modes;
    const DXGK_VIDPNTARGETMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNSOURCEMODESET wrong;
    D3DKMDT_HVIDPNTARGETMODESET set;
    D3DKMDT_VIDPN_TARGET_MODE *mode;
    SIZE_T count;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.table->pfnAcquireTargetModeSet(net.handle, SOURCE, &set, &modes),
                     STATUS_GRAPHICS_TARGET_NOT_IN_TOPOLOGY);
    assert_int_equal(net.table->pfnAcquireTargetModeSet(net.handle, TARGET, &set, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(net.table->pfnAcquireTargetModeSet(net.handle, TARGET, &set, &modes),
                     STATUS_SUCCESS);
    assert_int_equal(modes->pfnCreateNewModeInfo(set, &mode), STATUS_SUCCESS);
    mode->VideoSignalInfo.ActiveSize.cx = 800;
    mode->VideoSignalInfo.ActiveSize.cy = 600;
    assert_int_equal(modes->pfnAddMode(set, mode), STATUS_SUCCESS);
    assert_int_equal(net.table->pfnAcquireSourceModeSet(net.handle, SOURCE, &wrong, &source_modes),
                     STATUS_SUCCESS);
    assert_int_equal(modes->pfnGetNumModes((D3DKMDT_HVIDPNTARGETMODESET)(void *)wrong, &count),
                     STATUS_GRAPHICS_INVALID_VIDPN_TARGETMODESET);
    assert_int_equal(source_modes->pfnGetNumModes((D3DKMDT_HVIDPNSOURCEMODESET)(void *)set, &count),
                     STATUS_GRAPHICS_INVALID_VIDPN_SOURCEMODESET);
    assert_int_equal(net.table->pfnReleaseSourceModeSet(net.handle, wrong), STATUS_SUCCESS);
    assert_int_equal(net.table->pfnReleaseTargetModeSet(net.handle, set), STATUS_SUCCESS);
    assert_int_equal(net.table->pfnReleaseTargetModeSet(net.handle, set),
                     STATUS_GRAPHICS_INVALID_VIDPN_TARGETMODESET);
    assert_int_equal(vidmm_kit_vidpn_modes(net.vidpn, true), 1);
    assert_true(vidmm_kit_vidpn_pin_target(net.vidpn, 800, 600));
    net_close(&net);
}

static void more_sets_than_there_is_room_for_are_refused(void **state)
{
    struct net net;
    const DXGK_VIDPNTARGETMODESET_INTERFACE *modes;
    D3DKMDT_HVIDPNTARGETMODESET sets[16];
    unsigned made = 0;

    (void)state;
    net_open(&net, true);
    while (made < 16 && net.table->pfnCreateNewTargetModeSet(net.handle, TARGET, &sets[made],
                                                             &modes) == STATUS_SUCCESS)
        made++;
    assert_in_range(made, 2, 15);
    assert_int_equal(net.table->pfnCreateNewTargetModeSet(net.handle, TARGET, &sets[made], &modes),
                     STATUS_NO_MEMORY);
    assert_int_equal(vidmm_kit_vidpn_held(net.vidpn), made);
    assert_int_equal(net.table->pfnAssignTargetModeSet(net.handle, TARGET, sets[0]),
                     STATUS_SUCCESS);
    for (unsigned i = 1; i < made; i++)
        assert_int_equal(net.table->pfnReleaseTargetModeSet(net.handle, sets[i]), STATUS_SUCCESS);
    net_close(&net);
}

static void methods_of_multisampling_are_taken_for_the_source(void **state)
{
    D3DDDI_MULTISAMPLINGMETHOD method = {.NumSamples = 4};
    struct net net;

    (void)state;
    net_open(&net, true);
    assert_int_equal(net.table->pfnAssignMultisamplingMethodSet(net.handle, SOURCE, 1, &method),
                     STATUS_SUCCESS);
    assert_int_equal(net.table->pfnAssignMultisamplingMethodSet(net.handle, SOURCE, 1, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(net.table->pfnAssignMultisamplingMethodSet(net.handle, TARGET, 0, NULL),
                     STATUS_GRAPHICS_SOURCE_NOT_IN_TOPOLOGY);
    net_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_network_is_refused_by_everything),
        cmocka_unit_test(more_networks_than_there_is_room_for_are_refused),
        cmocka_unit_test(the_path_is_found_from_either_end),
        cmocka_unit_test(a_path_that_is_acquired_is_released),
        cmocka_unit_test(what_a_path_supports_is_updated_and_nothing_else),
        cmocka_unit_test(a_driver_adds_a_path_of_its_own_and_removes_it),
        cmocka_unit_test(a_new_set_holds_what_is_added_once_it_is_assigned),
        cmocka_unit_test(modes_are_walked_and_pinned_by_id),
        cmocka_unit_test(a_mode_that_is_released_unadded_is_gone),
        cmocka_unit_test(a_set_of_the_target_is_no_set_of_the_source),
        cmocka_unit_test(more_sets_than_there_is_room_for_are_refused),
        cmocka_unit_test(methods_of_multisampling_are_taken_for_the_source),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
