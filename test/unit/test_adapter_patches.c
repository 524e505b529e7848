/* test_adapter_patches.c: patch locations that are impossible, one thing each: the DMA buffer is
 * refused, the report names what and how much, and the next one is none the worse. So it is with a
 * DMA buffer that the driver refuses.
 */
#include "test_adapter_rig.h"

static DXGKDDI_RENDER *honest_render;
static void (*spoil)(D3DDDI_PATCHLOCATIONLIST *last, UINT used); /* the last of two */

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *arguments)
{
    char *start = arguments->pDmaBuffer;
    NTSTATUS status = honest_render(context, arguments);

    if (spoil != NULL)
        spoil(arguments->pPatchLocationListOut - 1, (UINT)((char *)arguments->pDmaBuffer - start));
    return status;
}

static DXGKDDI_QUERYADAPTERINFO *honest_query;

static NTSTATUS query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = honest_query(adapter, arguments);

    if (arguments->Type == DXGKQAITYPE_DRIVERCAPS)
        ((DXGK_DRIVERCAPS *)arguments->pOutputData)->MaxAllocationListSlotId = 16;
    return status;
}

static void bad_index(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    (void)used;
    last->AllocationIndex = 2;
}

static void bad_patch(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    last->PatchOffset = used + 1;
}

static void bad_split(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    last->SplitOffset = used + 1;
}

static void bad_order(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    last[-1].SplitOffset = last->SplitOffset = used;
    last->SplitOffset--;
}

static void bad_slot(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    (void)used;
    last->SlotId = 4096;
}

static void bad_rest(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    (void)used;
    last->Reserved = 1;
}

static void good(D3DDDI_PATCHLOCATIONLIST *last, UINT used)
{
    last->SplitOffset = used; /* the ends are within */
}

static void impossible_patch_locations_are_refused(void **state)
{
    static const struct {
        void (*spoil)(D3DDDI_PATCHLOCATIONLIST *, UINT);
        const char *words;
    } rows[] = {
        {bad_index, "names no element of the allocation list (D-087)"},
        {bad_patch, "PatchOffset lies outside the DMA buffer"},
        {bad_split, "SplitOffset lies outside the DMA buffer"},
        {bad_order, "SplitOffset is below that of the location before it"},
        {bad_slot, "SlotId is not below MaxAllocationListSlotId (D-339)"},
        {bad_rest, "(D-339)"},
    };
    struct rig_options options = rig_defaults();
    struct rig_allocation *list[2];
    struct rig rig;

    (void)state;
    rig_build(&rig, &options);
    honest_render = rig.driver.DxgkDdiRender;
    rig.driver.DxgkDdiRender = render;
    honest_query = rig.driver.DxgkDdiQueryAdapterInfo;
    rig.driver.DxgkDdiQueryAdapterInfo = query;
    spoil = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        list[i] = &rig.allocations[i];
        assert_int_equal(rig_create(&rig, list[i], VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t before = rig.value;

        spoil = rows[i].spoil;
        assert_int_equal(rig_render(&rig, list, 2, 3), STATUS_INVALID_PARAMETER);
        if (strstr(rig.report.text, rows[i].words) == NULL)
            fail_msg("'%s' does not say '%s'", rig.report.text, rows[i].words);
        spoil = good;
        assert_int_equal(rig_render(&rig, list, 2, 3), STATUS_SUCCESS);
        assert_int_equal(rig.value, before + 1); /* a refusal takes no number */
    }
    for (unsigned i = 0; i < 2; i++)
        vidmm_allocation_destroy(list[i]->handle);
    rig_finish(&rig);
}

static bool refuses;

static NTSTATUS render_or_refuse(HANDLE context, DXGKARG_RENDER *arguments)
{
    return refuses ? STATUS_NO_MEMORY : honest_render(context, arguments);
}

/* A refused DMA buffer owns only its allocation list: the patch locations of the one before it
 * name an allocation that has gone. One of the others is renamed, so that they matter. */
static void patch_locations_of_an_earlier_dma_buffer_are_left_alone(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_lock_arguments discard = {.flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_DISCARD};
    struct rig_allocation *list[3], first;
    struct rig rig;

    (void)state;
    options.gpu = "execute none\n";
    rig_build(&rig, &options);
    honest_render = rig.driver.DxgkDdiRender;
    rig.driver.DxgkDdiRender = render_or_refuse;
    refuses = false;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    for (unsigned i = 0; i < 3; i++) {
        list[i] = &rig.allocations[i];
        assert_int_equal(rig_create(&rig, list[i], VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    }
    first = *list[0];
    discard.allocation = first.handle;
    assert_int_equal(vidmm_lock_pages(&discard, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(discard.allocation), STATUS_SUCCESS);
    assert_ptr_not_equal(discard.allocation, first.handle);
    list[0]->handle = discard.allocation;
    for (unsigned i = 0; i < options.adapter.dma_buffers; i++)
        assert_int_equal(rig_render(&rig, list, 3, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    vidmm_allocation_destroy(list[2]->handle);
    vidmm_machine_settle(rig.machine);
    refuses = true;
    assert_int_equal(rig_render(&rig, list, 1, 0), STATUS_NO_MEMORY);
    refuses = false;
    assert_int_equal(rig_render(&rig, list, 2, 0), STATUS_SUCCESS);
    vidmm_allocation_destroy(list[1]->handle);
    vidmm_allocation_destroy(first.handle);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_patch_locations_are_refused),
        cmocka_unit_test(patch_locations_of_an_earlier_dma_buffer_are_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
