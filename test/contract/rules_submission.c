/* rules_submission.c: the rules of submission.def, broken and kept. */
#include "rig.h"

/* ---- Choice of the adapter ---- */

void breaks_S4_001(struct rig *rig)
{
    HANDLE adapter = rig->adapter;

    rig->adapter = (HANDLE)((char *)adapter + 8); /* the miniport takes it for its own */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig->adapter = adapter;
}

void keeps_S4_001(struct rig *rig)
{
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
}

/* ---- Answers of the KMD ---- */

void breaks_S4_002(struct rig *rig)
{
    rig_answer(rig, STATUS_NO_MEMORY, 0, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_002), 1);
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0); /* Fill has no idle flag */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_002), 2);
}

void keeps_S4_002(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE);

    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    rig_build(rig, asked);
    asked.Transfer.Flags.AllocationIsIdle = 1;
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 100, 0);
    rig_build(rig, asked);
    rig_page(rig);
    rig_build(rig, asked);
    rig_page(rig);
}

void breaks_S4_009(struct rig *rig)
{
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_answer(rig, STATUS_SUCCESS, (UINT)-8, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
}

/* Nothing written is no breach. */
void keeps_S4_009(struct rig *rig)
{
    rig_answer(rig, STATUS_SUCCESS, 0, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(rig);
}

void breaks_S4_010(struct rig *rig)
{
    rig_answer(rig, STATUS_SUCCESS, RIG_BUFFER_SIZE + 4, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
}

void keeps_S4_010(struct rig *rig)
{
    rig_answer(rig, STATUS_SUCCESS, RIG_BUFFER_SIZE, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
}

/* ---- Arguments of the KMD ---- */

void breaks_D_013(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE);

    rig->buffers[0].private_data[RIG_PRIVATE_SIZE - 1] = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_013), 1);
    rig->wants_no_private_data = true;
    rig_query_segments(rig);
    rig_new_buffer(rig);
    rig_place(rig, &asked);
    asked.DmaBufferPrivateDataSize = 0; /* memory all the same */
    rig_build_raw(rig, &asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_013), 2);
    rig_allow(rig, VIDMM_RULE_S4_006); /* neither buffer is submitted */
}

/* The KMD's data there stays, when the buffer is used afresh too. */
void keeps_D_013(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig->private_advance = 16;
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    memset(rig->buffers[0].private_data, 0x55, 16);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(rig);
    for (unsigned i = 2; i < 2 + RIG_BUFFERS; i++) {
        rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + i * 0x100000));
        rig_page(rig);
    }
    assert_int_equal(rig->buffers[0].private_data[0], 0x55);
    rig->wants_no_private_data = true;
    rig_query_segments(rig);
    asked = rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x600000);
    rig_place(rig, &asked);
    asked.pDmaBufferPrivateData = NULL;
    asked.DmaBufferPrivateDataSize = 0;
    rig_build_raw(rig, &asked);
}

void breaks_D_076(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    asked = rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    rig_place(rig, &asked);
    asked.pDmaBuffer = (char *)asked.pDmaBuffer + 64; /* a gap, "for alignment" */
    asked.DmaSize -= 64;
    rig_build_raw(rig, &asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_076), 1);
    rig->buffers[0].end = 192;
    rig_page(rig);
    asked = rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000);
    rig_place(rig, &asked);
    asked.pDmaBuffer = (char *)asked.pDmaBuffer + 16; /* a new one, not on a page */
    asked.DmaSize -= 16;
    rig_build_raw(rig, &asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_076), 2);
}

/* Odd lengths, a submission in between, and then on in the same buffer. */
void keeps_D_076(struct rig *rig)
{
    for (UINT i = 0; i < 8; i++) {
        rig_answer(rig, STATUS_SUCCESS, 7 + i * 3, 0);
        rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + i * 0x100000));
        if (i == 3)
            rig_complete(rig, RIG_PAGING_NODE, rig_flush(rig));
    }
    rig_page(rig);
}

/* Operations that came after 2.0: the newest version without, and the oldest with them. */
static const struct {
    DXGK_BUILDPAGINGBUFFER_OPERATION operation;
    ULONG before, with;
} later[] = {
    {DXGK_OPERATION_SIGNAL_MONITORED_FENCE, DXGKDDI_INTERFACE_VERSION_WDDM2_1,
     DXGKDDI_INTERFACE_VERSION_WDDM2_2},
    {DXGK_OPERATION_MAP_APERTURE_SEGMENT2, DXGKDDI_INTERFACE_VERSION_WDDM2_8,
     DXGKDDI_INTERFACE_VERSION_WDDM2_9},
    {DXGK_OPERATION_NOTIFY_FENCE_RESIDENCY, DXGKDDI_INTERFACE_VERSION_WDDM2_8,
     DXGKDDI_INTERFACE_VERSION_WDDM2_9},
    {(DXGK_BUILDPAGINGBUFFER_OPERATION)19, DXGKDDI_INTERFACE_VERSION_WDDM3_1,
     DXGKDDI_INTERFACE_VERSION_WDDM3_2},
    {(DXGK_BUILDPAGINGBUFFER_OPERATION)22, DXGKDDI_INTERFACE_VERSION_WDDM3_1,
     DXGKDDI_INTERFACE_VERSION_WDDM3_2},
};

void breaks_D_077(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE};

    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_077), 1);
    asked.Operation = DXGK_OPERATION_VIRTUAL_TRANSFER;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_077), 2);
    rig_expect(rig, VIDMM_RULE_D_077);
    rig_stop(rig);
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM2_0, NULL);
    asked.Operation = DXGK_OPERATION_TRANSFER; /* of 1.x only */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_077), 1);
    for (UINT i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
        rig_stop(rig);
        rig_start(rig, later[i].before, NULL);
        memset(&asked, 0, sizeof(asked));
        asked.Operation = later[i].operation;
        rig_build(rig, asked);
        assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_077), 1);
    }
}

void keeps_D_077(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_READ_PHYSICAL};

    asked.ReadPhysical.SegmentId = RIG_APERTURE;
    asked.ReadPhysical.PhysicalAddress.QuadPart = (LONGLONG)RIG_APERTURE_BASE;
    rig_build(rig, asked);
    asked.Operation = DXGK_OPERATION_WRITE_PHYSICAL;
    rig_build(rig, asked);
    rig_page(rig);
    rig_stop(rig);
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM2_0, NULL);
    rig_have_no_page_tables(rig); /* and is asked for what moves bytes as before */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
    for (UINT i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
        rig_stop(rig);
        rig_start(rig, later[i].with, NULL);
        memset(&asked, 0, sizeof(asked));
        asked.Operation = later[i].operation;
        rig_build(rig, asked);
    }
}

/* ---- Patch and SubmitCommand ---- */

void breaks_S4_006(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig->buffers[0].end += 64; /* more than is built */
    rig_flush(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_006), 1);

    rig_new_buffer(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    patch = rig_paging_patch(rig);
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    patch.SubmissionFenceId = command.SubmissionFenceId = ++rig->fence;
    rig_patch(rig, &patch);
    rig_submit(rig, &command); /* the same bytes again */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_006), 2);

    rig_complete(rig, RIG_PAGING_NODE, command.SubmissionFenceId);
    rig_new_buffer(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    rig_new_buffer(rig);
    rig->current = 2; /* from its beginning, and what was built is lost */
    rig->buffers[2].end = 0;
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x300000));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_006), 3);
}

/* Two submissions of one buffer; an empty one. */
void keeps_S4_006(struct rig *rig)
{
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_flush(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_flush(rig);
    rig_answer(rig, STATUS_SUCCESS, 0, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    rig_page(rig);
}

/* A patch of the paging buffer with so much of the two lists: one breach more. */
static void patch_with(struct rig *rig, DXGK_ALLOCATIONLIST *list, UINT count,
                       D3DDDI_PATCHLOCATIONLIST *locations, UINT location_count)
{
    uint64_t before = vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_007);
    DXGKARG_PATCH patch = rig_paging_patch(rig);

    patch.pAllocationList = list;
    patch.AllocationListSize = count;
    patch.pPatchLocationList = locations;
    patch.PatchLocationListSize = location_count;
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_007), before + 1);
}

void breaks_S4_007(struct rig *rig)
{
    DXGK_ALLOCATIONLIST list[1] = {{0}};
    D3DDDI_PATCHLOCATIONLIST locations[1] = {{0}};
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    patch_with(rig, list, 1, NULL, 0);
    patch_with(rig, list, 0, NULL, 0); /* an address alone, or a size alone, is too much */
    patch_with(rig, NULL, 0, locations, 1);
    patch_with(rig, NULL, 0, locations, 0);
    patch_with(rig, NULL, 0, NULL, 1);
    patch = rig_paging_patch(rig);
    patch.Flags.Paging = 0;
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_007), 6);
    command = rig_paging_submit(rig, ++rig->fence); /* without Patch */
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_007), 7);
}

void keeps_S4_007(struct rig *rig)
{
    struct vidmm_tap_config config = {.paging_is_not_patched = true};
    DXGKARG_SUBMITCOMMAND command;

    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
    rig_expect_none(rig);
    rig_stop(rig);
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config); /* nobody asks for Patch */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    command = rig_paging_submit(rig, ++rig->fence);
    rig_submit(rig, &command);
}

static void submit_with_status(struct rig *rig, NTSTATUS status)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig->status = status;
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig->status = STATUS_SUCCESS;
}

void breaks_D_079(struct rig *rig)
{
    submit_with_status(rig, STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_079), 2);
}

void keeps_D_079(struct rig *rig)
{
    submit_with_status(rig, STATUS_SUCCESS);
}

void breaks_D_080(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGK_ALLOCATIONLIST list[1];
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    patch = rig_paging_patch(rig);
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    command.Flags.Paging = 0;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_080), 1);
    rig_complete(rig, RIG_PAGING_NODE, command.SubmissionFenceId);
    list[0] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, true);
    patch = rig_dma_patch(rig, list, 1);
    command = rig_dma_submit(rig, patch.SubmissionFenceId);
    command.hContext = NULL;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_080), 2);
}

/* Paging with no context, and with a system context. */
void keeps_D_080(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    patch = rig_paging_patch(rig);
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    patch.hContext = command.hContext = rig->paging_context;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
}

static void submit_bent(struct rig *rig, struct rig_allocation *allocation,
                        void (*bend)(DXGKARG_SUBMITCOMMAND *command))
{
    DXGK_ALLOCATIONLIST list[1] = {rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, true)};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    bend(&command);
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
}

static void bend_end(DXGKARG_SUBMITCOMMAND *command)
{
    command->DmaBufferSubmissionEndOffset += 8;
}

static void bend_address(DXGKARG_SUBMITCOMMAND *command)
{
    command->DmaBufferPhysicalAddress.QuadPart += 4096;
}

static void bend_fence(DXGKARG_SUBMITCOMMAND *command)
{
    command->SubmissionFenceId += 0x1000; /* of no Patch */
}

void breaks_D_081(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    rig_page_in(rig, allocation, 0);
    submit_bent(rig, allocation, bend_end);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_081), 1);
    submit_bent(rig, allocation, bend_address);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_081), 2);
    submit_bent(rig, allocation, bend_fence);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_081), 3);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_flush(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    patch = rig_paging_patch(rig); /* at the beginning of the part, not of the buffer */
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    patch.DmaBufferPhysicalAddress.QuadPart += 64;
    command.DmaBufferPhysicalAddress.QuadPart += 64;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_081), 4);
}

/* And a driver that wants no Patch gets none. */
void keeps_D_081(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGK_DRIVERCAPS caps;
    DXGKARG_QUERYADAPTERINFO query = {
        .Type = DXGKQAITYPE_DRIVERCAPS, .pOutputData = &caps, .OutputDataSize = sizeof caps};
    DXGKARG_SUBMITCOMMAND command;

    rig_page_in(rig, allocation, 0);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_flush(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    rig_flush(rig);
    rig->caps |= 0x8; /* NoDmaPatching */
    memset(&caps, 0, sizeof caps);
    rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &query);
    command = rig_dma_submit(rig, ++rig->fence);
    rig_submit(rig, &command);
}

void breaks_D_082(struct rig *rig)
{
    DXGK_ALLOCATIONLIST list[1] = {{0}};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    patch.DmaBufferPrivateDataSubmissionStartOffset = 8;
    patch.DmaBufferPrivateDataSubmissionEndOffset = 16;
    patch.DmaBufferPrivateDataSize = 64;
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_082), 1);
    command.DmaBufferPrivateDataSubmissionEndOffset = 65;
    command.DmaBufferPrivateDataSize = 64;
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_082), 2);
    rig->private_advance = 24;
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig->buffers[0].private_end = 0; /* the KMD's data is not passed on */
    rig_flush(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_082), 3);
}

void keeps_D_082(struct rig *rig)
{
    DXGK_ALLOCATIONLIST list[1] = {{0}};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    patch.DmaBufferPrivateDataSize = command.DmaBufferPrivateDataSize = 64;
    patch.DmaBufferPrivateDataSubmissionEndOffset = 64;
    command.DmaBufferPrivateDataSubmissionEndOffset = 64;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    for (UINT i = 0; i < 2; i++) { /* two submissions, a part each */
        rig->private_advance = 24;
        rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + i * 0x100000));
        rig_flush(rig);
    }
}

/* ---- References ---- */

static void patched_elsewhere(struct rig *rig, struct rig_allocation *allocation)
{
    DXGK_ALLOCATIONLIST list[1];
    DXGKARG_PATCH patch;

    list[0] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE + 0x1000, true);
    patch = rig_dma_patch(rig, list, 1);
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 1);
    list[0] = rig_reference(allocation, 0, 0, true); /* not paged in, says the list itself */
    patch = rig_dma_patch(rig, list, 1);
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 2);
}

/* Patched, then evicted, then submitted. */
static void moved_after_patch(struct rig *rig, struct rig_allocation *allocation)
{
    DXGK_ALLOCATIONLIST list[1] = {rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, true)};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    rig_patch(rig, &patch);
    rig_build(rig, rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 3);
    rig_complete(rig, RIG_RENDER_NODE, command.SubmissionFenceId);
}

static void paged_in_too_late(struct rig *rig, struct rig_allocation *allocation)
{
    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 4); /* not submitted */
    rig_flush(rig);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 5); /* not complete */
    rig_complete(rig, RIG_PAGING_NODE, rig->buffers[rig->current].fence);
    rig_new_buffer(rig);
}

void breaks_D_085(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig), *other = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    patched_elsewhere(rig, allocation);
    moved_after_patch(rig, allocation);
    paged_in_too_late(rig, allocation);

    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_leave_context(rig);
    rig_build(rig, rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_flush(rig); /* a victim still referenced */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 6);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence - 1);
    rig_complete(rig, RIG_PAGING_NODE, rig->fence);

    rig_new_buffer(rig);
    rig_page_in(rig, allocation, 0);
    rig_page_in(rig, other, 0x8000); /* over it */
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 7);

    other = rig_simple(rig);
    rig_build(rig, rig_transfer_in(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x400000));
    rig_flush(rig); /* it goes on, on another node */
    rig_new_buffer(rig);
    rig_build(rig, rig_transfer_out(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x400000));
    rig_render(rig, other, RIG_MEMORY, RIG_MEMORY_BASE + 0x400000);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_085), 8);
}

/* The first of two parts only reads the place: until it is submitted, what comes before it finds
 * the allocation there. */
static void use_what_leaves_in_two_parts(struct rig *rig)
{
    struct rig_allocation *leaving = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;
    UINT fence;

    rig_page_in(rig, leaving, 0x800000);
    asked = rig_transfer_out(leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x800000);
    asked.Transfer.TransferSize = PAGE_SIZE;
    asked.Transfer.Flags.TransferEnd = 0;
    rig_build(rig, asked);
    fence = rig_render(rig, leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x800000);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    asked = rig_transfer_out(leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x800000);
    asked.Transfer.TransferOffset = PAGE_SIZE;
    asked.Transfer.TransferSize -= PAGE_SIZE;
    asked.Transfer.Flags.TransferStart = 0;
    asked.Transfer.MdlOffset = 1;
    rig_build(rig, asked);
    rig_leave_context(rig);
    rig_page(rig);
}

/* The last pass of a map leaves nothing to be executed. */
static void use_what_two_passes_mapped(struct rig *rig)
{
    UINT both = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE), fence;
    struct rig_allocation *mapped = rig_allocate(rig, 0x8000, both, both, 0);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_map(rig, mapped, 64);

    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 64, 3);
    rig_build(rig, asked);
    fence = rig_flush(rig);
    rig_new_buffer(rig);
    asked.MultipassOffset = 3;
    rig_answer(rig, STATUS_SUCCESS, 0, 8);
    rig_build(rig, asked);
    rig_complete(rig, RIG_PAGING_NODE, fence);
    rig_render(rig, mapped, RIG_APERTURE, RIG_APERTURE_BASE + 64 * PAGE_SIZE);
}

/* An aperture that is mapped in two parts; paging on the node that renders needs no waiting; a part
 * of a buffer needs what its part of the patch locations names. */
void keeps_D_085(struct rig *rig)
{
    UINT both = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE);
    struct rig_allocation *allocation = rig_simple(rig), *absent = rig_simple(rig);
    struct rig_allocation *leaving = rig_simple(rig);
    struct rig_allocation *mapped = rig_allocate(rig, 0x8000, both, both, 0);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_map(rig, mapped, 16);
    D3DDDI_PATCHLOCATIONLIST locations[2] = {{.AllocationIndex = 0}, {.AllocationIndex = 1}};
    DXGK_ALLOCATIONLIST list[2];
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;
    UINT fence;

    asked.MapApertureSegment.NumberOfPages = 5;
    rig_build(rig, asked);
    asked.MapApertureSegment.OffsetInPages = 16 + 5;
    asked.MapApertureSegment.MdlOffset = 5;
    asked.MapApertureSegment.NumberOfPages = 3;
    rig_build(rig, asked);
    rig_page(rig);
    rig_render(rig, mapped, RIG_APERTURE, RIG_APERTURE_BASE + 16 * PAGE_SIZE);

    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    patch = rig_paging_patch(rig);
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    command.NodeOrdinal = RIG_RENDER_NODE;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_new_buffer(rig);

    list[0] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, true);
    list[1] = rig_reference(absent, 0, 0, true);
    patch = rig_dma_patch(rig, list, 2);
    patch.pPatchLocationList = locations;
    patch.PatchLocationListSize = 2;
    patch.PatchLocationListSubmissionLength = 1; /* the first */
    command = rig_dma_submit(rig, patch.SubmissionFenceId);
    rig_patch(rig, &patch);
    rig_submit(rig, &command);

    patch = rig_dma_patch(rig, list, 2); /* all of it, and nothing names the second: W-025 */
    patch.PatchLocationListSize = patch.PatchLocationListSubmissionLength = 1;
    command = rig_dma_submit(rig, patch.SubmissionFenceId);
    rig_patch(rig, &patch);
    rig_submit(rig, &command);

    rig_page_in(rig, leaving, 0x200000);
    rig_build(rig, rig_transfer_out(leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    fence = rig_render(rig, leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000); /* yet there */
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_leave_context(rig);
    rig_page(rig);
    rig_build(rig, rig_transfer_in(leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    patch = rig_paging_patch(rig);
    command = rig_paging_submit(rig, patch.SubmissionFenceId);
    command.NodeOrdinal = RIG_RENDER_NODE;
    rig_patch(rig, &patch);
    rig_submit(rig, &command); /* not complete, and before the DMA buffer by order */
    rig_new_buffer(rig);
    rig_build(rig, rig_transfer_out(leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    fence = rig_render(rig, leaving, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_leave_context(rig);
    rig_page(rig);
    use_what_two_passes_mapped(rig);
    use_what_leaves_in_two_parts(rig);
}

void breaks_D_334(struct rig *rig)
{
    DXGKARG_RENDER render = {.pDmaBuffer = rig->dma, .DmaSize = PAGE_SIZE};
    DXGK_ALLOCATIONLIST list[1] = {{0}};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    rig->driver->DxgkDdiRender(rig->context, &render);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_334), 1);
    patch.DmaBufferPhysicalAddress.QuadPart = command.DmaBufferPhysicalAddress.QuadPart = 0;
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_334), 2);
    rig_submit(rig, &command);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_334), 3);
}

void keeps_D_334(struct rig *rig)
{
    DXGKARG_RENDER render = {.pDmaBuffer = rig->dma,
                             .DmaSize = PAGE_SIZE,
                             .DmaBufferSegmentId = RIG_APERTURE,
                             .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)RIG_APERTURE_BASE};

    rig->driver->DxgkDdiRender(rig->context, &render);
}

/* ---- Before a move ---- */

/* It is used by the context that the render node runs from then on. Answers the fence. */
static UINT run_with(struct rig *rig, struct rig_allocation *allocation, uint64_t offset)
{
    UINT fence;

    rig_page_in(rig, allocation, offset);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE + offset);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    return fence;
}

static void page_out(struct rig *rig, const struct rig_allocation *allocation, uint64_t offset)
{
    rig_build(rig, rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE + offset));
    rig_page(rig);
}

void breaks_D_256(struct rig *rig)
{
    struct rig_allocation *one = rig_simple(rig), *other = rig_simple(rig);

    run_with(rig, one, 0);
    run_with(rig, other, 0x100000);
    page_out(rig, one, 0); /* of two DMA buffers ago, but of the same run */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_256), 1);
    rig_leave_context(rig);
    page_out(rig, other, 0x100000);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_256), 1);
    run_with(rig, one, 0);
    rig_build(rig, rig_discard(one, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_256), 2);
}

/* The part of a DMA buffer that this patch location begins and ends. */
static void run_part(struct rig *rig, DXGK_ALLOCATIONLIST *list, UINT part, UINT parts)
{
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 2);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    patch.PatchLocationListSize = parts;
    patch.PatchLocationListSubmissionStart = part;
    patch.PatchLocationListSubmissionLength = 1;
    patch.DmaBufferSubmissionStartOffset = command.DmaBufferSubmissionStartOffset = part * 128;
    patch.DmaBufferSubmissionEndOffset = command.DmaBufferSubmissionEndOffset = (part + 1) * 128;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    rig_complete(rig, RIG_RENDER_NODE, command.SubmissionFenceId);
}

static void leave_by_aperture(struct rig *rig, struct rig_allocation *one)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_out(one, RIG_MEMORY, RIG_MEMORY_BASE);

    rig_build(rig, rig_map(rig, one, 16));
    asked.Transfer.Destination.SegmentId = RIG_APERTURE;
    asked.Transfer.Destination.SegmentAddress.QuadPart = RIG_APERTURE_BASE + 16 * PAGE_SIZE;
    rig_build(rig, asked);
    rig_page(rig);
}

/* One leaves through the aperture, from between two parts of a DMA buffer if it is `split`. A
 * context has it in its list meanwhile, without a place, and no patch location names it. */
static void leave_beside(struct rig *rig, struct rig_allocation *one, struct rig_allocation *other,
                         bool split)
{
    DXGK_ALLOCATIONLIST list[2] = {rig_reference(one, RIG_MEMORY, RIG_MEMORY_BASE, true),
                                   rig_reference(other, 0, 0, true)};

    rig_page_in(rig, one, 0);
    if (split)
        run_part(rig, list, 0, 2);
    leave_by_aperture(rig, one);
    rig_page_in(rig, other, 0x100000);
    list[split ? 0 : 1] = rig_reference(one, 0, 0, true);
    list[split ? 1 : 0] = rig_reference(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000, true);
    run_part(rig, list, split ? 1 : 0, split ? 2 : 1);
    rig_build(rig, rig_unmap(rig, one, 16));
    rig_page(rig);
    rig_leave_context(rig);
    page_out(rig, other, 0x100000);
}

/* It is used in the AGP aperture, which the system maps without a word, and what was mapped on its
 * way there is unmapped. */
static void leave_behind_agp(struct rig *rig)
{
    const UINT set = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_OTHER);
    struct rig_allocation *one = rig_allocate(rig, 0x10000, set, set, RIG_SET(RIG_APERTURE));
    UINT fence;

    rig->agp = true;
    rig_query_segments(rig);
    rig_build(rig, rig_map(rig, one, 16));
    rig_page(rig);
    fence = rig_render(rig, one, RIG_OTHER, RIG_OTHER_BASE);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_build(rig, rig_unmap(rig, one, 16));
    rig_page(rig);
    rig_leave_context(rig);
    rig->agp = false;
    rig_query_segments(rig);
}

void keeps_D_256(struct rig *rig)
{
    struct rig_allocation *one = rig_simple(rig), *other = rig_simple(rig);

    leave_behind_agp(rig);
    run_with(rig, one, 0);
    rig_page_in(rig, other, 0x100000);
    page_out(rig, other, 0x100000); /* the context has not used it */
    rig_leave_context(rig);
    page_out(rig, one, 0);
    leave_beside(rig, one, other, false);
    leave_beside(rig, one, other, true);
    rig->current_fence = run_with(rig, one, 0);
    rig->driver->DxgkDdiResetEngine(rig->adapter,
                                    &(DXGKARG_RESETENGINE){.NodeOrdinal = RIG_RENDER_NODE});
    page_out(rig, one, 0);
}

/* ---- After a preemption, and after the reset of an engine ---- */

/* Two paging packets in flight. */
static void submit_two(struct rig *rig, DXGKARG_SUBMITCOMMAND *again)
{
    for (unsigned i = 0; i < 2; i++) {
        DXGKARG_PATCH patch;

        rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + i * 0x100000));
        patch = rig_paging_patch(rig);
        again[i] = rig_paging_submit(rig, patch.SubmissionFenceId);
        rig_flush(rig);
        again[i].SubmissionFenceId = rig->fence;
        rig_new_buffer(rig);
    }
}

/* ... both taken back. */
static void preempt_two(struct rig *rig, DXGKARG_SUBMITCOMMAND *again)
{
    UINT last = again[1].SubmissionFenceId; /* complete */

    submit_two(rig, again);
    rig_preempted(rig, RIG_PAGING_NODE, last);
}

static void reset_paging_node(struct rig *rig, UINT last_aborted)
{
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = RIG_PAGING_NODE};

    rig->current_fence = last_aborted;
    assert_int_equal(rig->driver->DxgkDdiResetEngine(rig->adapter, &reset), STATUS_SUCCESS);
}

void breaks_D_084(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND again[2] = {{.SubmissionFenceId = 0}};

    preempt_two(rig, again);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x300000));
    rig_flush(rig); /* a new one ahead of both */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_084), 1);
    rig_submit(rig, &again[1]);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_084), 2);
    rig_submit(rig, &again[0]);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_084), 2);
    rig_complete(rig, RIG_PAGING_NODE, again[0].SubmissionFenceId);
    rig_new_buffer(rig);
    submit_two(rig, again);
    reset_paging_node(rig, again[0].SubmissionFenceId); /* the first is given up */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x500000));
    rig_flush(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_084), 3);
    rig_submit(rig, &again[1]);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_084), 3);
}

void keeps_D_084(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND again[2] = {{.SubmissionFenceId = 0}};
    UINT complete;

    preempt_two(rig, again);
    rig_submit(rig, &again[0]);
    rig_submit(rig, &again[1]);
    rig_complete(rig, RIG_PAGING_NODE, again[1].SubmissionFenceId);
    rig_new_buffer(rig);
    preempt_two(rig, again); /* the first is done before the second has come again */
    rig_submit(rig, &again[0]);
    rig_complete(rig, RIG_PAGING_NODE, again[0].SubmissionFenceId);
    rig_submit(rig, &again[1]);
    rig_complete(rig, RIG_PAGING_NODE, again[1].SubmissionFenceId);
    rig_page_in(rig, rig_simple(rig), 0x300000);
    complete = rig->fence;
    submit_two(rig, again);
    reset_paging_node(rig, complete); /* nothing is given up */
    rig_submit(rig, &again[0]);
    rig_submit(rig, &again[1]);
    rig_complete(rig, RIG_PAGING_NODE, again[1].SubmissionFenceId);
}

/* ---- After a reset ---- */

/* Transfers of nothing tell what leaves. */
static DXGKARG_BUILDPAGINGBUFFER purge(const struct rig_allocation *allocation)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.Transfer.TransferSize = 0;
    return asked;
}

void breaks_D_239(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig_build(rig, rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_239), 1);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_239), 2);
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
    rig_page(rig);

    allocation = rig_simple(rig);
    rig_page_in(rig, allocation, 0x200000);
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
    rig_page_in(rig, allocation, 0x300000); /* though nobody said that it has left */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_239), 3);
}

void keeps_D_239(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig_build(rig, purge(allocation));
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
    rig_page(rig);
    rig_page_in(rig, allocation, 0);
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
    rig_build(rig, purge(allocation)); /* no sooner, for want of room */
    rig_page(rig);
    rig_page_in(rig, allocation, 0);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(rig);
}
