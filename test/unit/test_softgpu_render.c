/* Render and Patch: user mode's requests, and their results. */
#include "test_softgpu_world.h"

/* A program that draws: two allocations in memory, zeroed, a context, a DMA buffer. */
static struct drawing {
    HANDLE device, context, opened[2], allocations[2];
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference references[2];
    } command[3];
    DXGK_ALLOCATIONLIST list[3];
    D3DDDI_PATCHLOCATIONLIST patches[8];
    unsigned char private_data[64];
    uint64_t dma_physical;
    DXGKARG_RENDER render;
} drawing;

static void fill_command(unsigned index, uint32_t generation)
{
    drawing.command[index].touch = (struct softgpu_touch){
        .command = {.opcode = SOFTGPU_TOUCH, .size = softgpu_touch_size(2)},
        .reference_count = 2,
        .seed = 5,
    };
    for (uint32_t i = 0; i < 2; i++)
        drawing.command[index].references[i] =
            (struct softgpu_reference){.allocation_index = 1 + i,
                                       .flags = i == 1 ? SOFTGPU_REFERENCE_WRITE : 0,
                                       .pages = 3,
                                       .content_id = 10 + i,
                                       .generation = i == 1 ? generation : 0};
}

static void begin_drawing(const struct softgpu_config *config)
{
    struct softgpu_allocation wanted[2] = {wanted_of(3 * 4096), wanted_of(2 * 4096 + 1)};
    DXGK_ALLOCATIONINFO info[2];

    begin_paging(config);
    memset(&drawing, 0, sizeof(drawing));
    memset(world.machine.bar[1], 0, 64 * 4096);
    drawing.device = create_device();
    drawing.context = create_context(drawing.device, 0);
    assert_int_equal(create(wanted, 2, info, NULL), STATUS_SUCCESS);
    for (UINT i = 0; i < 2; i++) {
        drawing.allocations[i] = info[i].hAllocation;
        drawing.opened[i] = open_allocation(drawing.device, i, info[i].hAllocation);
        drawing.list[1 + i].hDeviceSpecificAllocation = drawing.opened[i];
        drawing.list[1 + i].WriteOperation = i == 1;
    }
    fill_command(0, 0);
    drawing.dma_physical = buffer.physical + 20 * 4096;
    drawing.render = (DXGKARG_RENDER){
        .pCommand = drawing.command,
        .CommandLength = softgpu_touch_size(2),
        .pDmaBuffer = machine_at(&world.machine, drawing.dma_physical),
        .DmaSize = 4096,
        .pDmaBufferPrivateData = drawing.private_data,
        .DmaBufferPrivateDataSize = sizeof(drawing.private_data),
        .pAllocationList = drawing.list,
        .AllocationListSize = 3,
        .pPatchLocationListOut = drawing.patches,
        .PatchLocationListOutSize = 8,
    };
}

static void end_drawing(void)
{
    for (UINT i = 0; i < 2; i++)
        close_allocation(drawing.device, drawing.opened[i]);
    destroy(2, drawing.allocations, NULL);
    assert_int_equal(world.ddi.DxgkDdiDestroyContext(drawing.context), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(drawing.device), STATUS_SUCCESS);
    end();
}

static NTSTATUS render(void)
{
    return world.ddi.DxgkDdiRender(drawing.context, &drawing.render);
}

/* Patch and submit what was rendered, with the allocations where they are. */
static void draw(UINT patches)
{
    UINT end = (UINT)((unsigned char *)drawing.render.pDmaBuffer -
                      machine_at(&world.machine, drawing.dma_physical));
    UINT private_end =
        (UINT)((unsigned char *)drawing.render.pDmaBufferPrivateData - drawing.private_data);
    DXGKARG_PATCH patch = {
        .hContext = drawing.context,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)drawing.dma_physical,
        .pDmaBuffer = machine_at(&world.machine, drawing.dma_physical),
        .DmaBufferSize = 4096,
        .DmaBufferSubmissionEndOffset = end,
        .pDmaBufferPrivateData = drawing.private_data,
        .DmaBufferPrivateDataSize = sizeof(drawing.private_data),
        .DmaBufferPrivateDataSubmissionEndOffset = private_end,
        .pAllocationList = drawing.list,
        .AllocationListSize = 3,
        .pPatchLocationList = drawing.patches,
        .PatchLocationListSize = 8,
        .PatchLocationListSubmissionLength = patches,
        .SubmissionFenceId = ++world.fence,
    };
    DXGKARG_SUBMITCOMMAND submit = {
        .hContext = drawing.context,
        .DmaBufferPhysicalAddress = patch.DmaBufferPhysicalAddress,
        .DmaBufferSize = 4096,
        .DmaBufferSubmissionEndOffset = end,
        .pDmaBufferPrivateData = drawing.private_data,
        .DmaBufferPrivateDataSize = sizeof(drawing.private_data),
        .DmaBufferPrivateDataSubmissionEndOffset = private_end,
        .SubmissionFenceId = world.fence,
    };

    for (UINT i = 0; i < 2; i++) {
        drawing.list[1 + i].SegmentId = MEMORY;
        drawing.list[1 + i].PhysicalAddress.QuadPart =
            (LONGLONG)(SOFTGPU_SEGMENT_BASE(MEMORY) + (10 + 20 * i) * 4096);
    }
    assert_int_equal(world.ddi.DxgkDdiPatch(world.adapter, &patch), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiSubmitCommand(world.adapter, &submit), STATUS_SUCCESS);
    settle();
}

static void what_is_rendered_patched_and_submitted_touches_its_pages(void **state)
{
    for (int habit = 0; habit < 2; habit++) {
        struct softgpu_config config = machine_small_config();

        (void)state;
        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_drawing(&config);
        assert_int_equal(render(), STATUS_SUCCESS);
        assert_int_equal(drawing.render.pPatchLocationListOut - drawing.patches, 2);
        assert_int_equal(drawing.patches[1].AllocationIndex, 2);
        assert_int_equal(drawing.patches[1].DriverId, 1);
        assert_int_equal(drawing.patches[1].SplitOffset, 0);
        draw(2);
        assert_int_equal(statistics().content_checks, 2);
        assert_int_equal(statistics().content_mismatches, 0);
        assert_int_equal(statistics().content_bytes_written, 3 * 512);
        assert_string_equal(statistics().fault, "");
        assert_int_equal(world.machine.bar[1][30 * 4096], 1); /* number of the write */
        end_drawing();
    }
}

static void commands_share_a_split_offset_with_their_references_only(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    begin_drawing(&config);
    for (uint32_t i = 0; i < 3; i++)
        fill_command(i, i);
    drawing.render.CommandLength = 3 * softgpu_touch_size(2);
    assert_int_equal(render(), STATUS_SUCCESS);
    for (UINT i = 0; i < 6; i++) {
        assert_int_equal(drawing.patches[i].SplitOffset, i / 2 * (24 + 2 * 40));
        assert_true(drawing.patches[i].PatchOffset > drawing.patches[i].SplitOffset);
    }
    draw(6);
    assert_int_equal(statistics().content_checks, 6);
    assert_int_equal(statistics().content_mismatches, 0);
    end_drawing();
}

static void a_command_buffer_is_rendered_in_as_many_passes_as_it_needs(void **state)
{
    struct softgpu_config config = machine_small_config();
    unsigned passes = 0;

    (void)state;
    begin_drawing(&config);
    for (uint32_t i = 0; i < 3; i++)
        fill_command(i, i);
    drawing.render.CommandLength = 3 * softgpu_touch_size(2);
    for (NTSTATUS status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER; status != STATUS_SUCCESS;
         passes++) {
        drawing.render.pDmaBuffer = machine_at(&world.machine, drawing.dma_physical);
        drawing.render.DmaSize = 110; /* one command */
        drawing.render.pPatchLocationListOut = drawing.patches;
        drawing.render.pDmaBufferPrivateData = drawing.private_data;
        status = render();
        assert_true(status == STATUS_SUCCESS || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
        assert_int_equal(drawing.render.MultipassOffset, (passes + 1) * softgpu_touch_size(2));
        draw(2);
    }
    assert_int_equal(passes, 3);
    assert_int_equal(statistics().content_checks, 6);
    assert_int_equal(statistics().content_mismatches, 0);
    end_drawing();
}

static void a_place_known_at_render_is_patched_at_once(void **state)
{
    struct softgpu_config config = machine_small_config();
    struct softgpu_op_reference reference;

    (void)state;
    begin_drawing(&config);
    drawing.list[1].SegmentId = MEMORY;
    drawing.list[1].PhysicalAddress.QuadPart = 0x2000005000;
    assert_int_equal(render(), STATUS_SUCCESS); /* D-087: pre-patched, and in the list */
    assert_int_equal(drawing.render.pPatchLocationListOut - drawing.patches, 2);
    memcpy(&reference,
           machine_at(&world.machine, drawing.dma_physical) + sizeof(struct softgpu_op_touch),
           sizeof(reference));
    assert_true(reference.address == 0x2000005000);
    end_drawing();
}

/* D-338, D-086: each command's locations carry its own split offset; an allocation that is not used
 * any more is unbound; its slot's next allocation has no location. */
static void slots_are_bound_and_unbound(void **state)
{
    struct softgpu_config config = machine_small_config();
    UINT size =
        (UINT)sizeof(struct softgpu_op_touch) + 2 * (UINT)sizeof(struct softgpu_op_reference);

    (void)state;
    begin_drawing(&config);
    fill_command(1, 1);
    drawing.command[1].touch.command.size = softgpu_touch_size(1);
    drawing.command[1].touch.reference_count = 1;
    drawing.command[1].references[0].flags = SOFTGPU_REFERENCE_BOUND;
    drawing.render.CommandLength = softgpu_touch_size(2) + softgpu_touch_size(1);
    assert_int_equal(render(), STATUS_SUCCESS);
    assert_int_equal(drawing.render.pPatchLocationListOut - drawing.patches, 3);
    for (UINT i = 0; i < 2; i++) {
        assert_int_equal(drawing.patches[i].AllocationIndex, 1 + i);
        assert_int_equal(drawing.patches[i].SlotId, i);
        assert_int_equal(drawing.patches[i].SplitOffset, 0);
    }
    assert_int_equal(drawing.patches[2].AllocationIndex, 0); /* the null element */
    assert_int_equal(drawing.patches[2].SlotId, 1);
    assert_int_equal(drawing.patches[2].SplitOffset, size);
    draw(3);
    assert_int_equal(statistics().content_mismatches, 0);
    assert_int_equal(statistics().content_checks, 3);
    assert_int_equal(statistics().faults, 0);
    end_drawing();
}

static void user_mode_cannot_make_render_do_wrong(void **state)
{
    static const struct {
        size_t offset;
        uint32_t value;
    } cases[] = {
        {offsetof(struct softgpu_touch, command.opcode), 7},
        {offsetof(struct softgpu_touch, command.size), 0},
        {offsetof(struct softgpu_touch, command.size), 8},
        {offsetof(struct softgpu_touch, command.size), 4096},
        {offsetof(struct softgpu_touch, reference_count), 3},
        {offsetof(struct softgpu_touch, reference_count), UINT32_MAX},
        {offsetof(struct softgpu_touch, reserved), 1},
        {24 + offsetof(struct softgpu_reference, allocation_index), 0}, /* a null element */
        {24 + offsetof(struct softgpu_reference, allocation_index), 3},
        {24 + offsetof(struct softgpu_reference, flags), 1}, /* no WriteOperation */
        {24 + offsetof(struct softgpu_reference, flags), 4},
        {24 + offsetof(struct softgpu_reference, pages), 0},
        {24 + offsetof(struct softgpu_reference, pages), 4},
        {24 + offsetof(struct softgpu_reference, pages) + 4, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct softgpu_config config = machine_small_config();
        DXGKARG_RENDER before;

        begin_drawing(&config);
        memcpy((char *)drawing.command + cases[i].offset, &cases[i].value, 4);
        before = drawing.render;
        assert_int_equal(render(), STATUS_INVALID_PARAMETER);
        assert_memory_equal(&before, &drawing.render, sizeof(before));
        assert_int_equal(statistics().driver_refusals, 1);
        end_drawing();
    }
}

static void rubbish_from_user_mode_is_survived(void **state)
{
    struct softgpu_config config = machine_small_config();
    uint64_t random = 3;
    unsigned accepted = 0;

    (void)state;
    begin_drawing(&config);
    for (unsigned n = 0; n < 20000; n++) {
        DXGKARG_RENDER fresh = drawing.render;
        unsigned char *bytes = (unsigned char *)drawing.command;

        fill_command(0, 0);
        for (unsigned i = 0; i < n % 4; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[(random >> 40) % softgpu_touch_size(2)] ^= (unsigned char)(random >> 33);
        }
        drawing.render.CommandLength = n % 5 ? softgpu_touch_size(2) : (UINT)(random >> 50) % 88;
        accepted += render() == STATUS_SUCCESS;
        drawing.render = fresh;
    }
    assert_true(accepted > 1000 && accepted < 19000);
    end_drawing();
}

static void a_command_larger_than_a_dma_buffer_is_refused(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    config.dma_buffer = 128;
    begin_paging(&config);
    end();
    config.dma_buffer = 65536;
    begin_drawing(&config);
    drawing.render.DmaSize = 65536;
    drawing.render.PatchLocationListOutSize = 1;
    assert_int_equal(render(), STATUS_INVALID_PARAMETER);
    assert_refused("one command needs more than a DMA buffer");
    end_drawing();
}

static void what_was_not_patched_is_a_fault_of_the_gpu(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    begin_drawing(&config);
    assert_int_equal(render(), STATUS_SUCCESS);
    draw(1); /* the second location is left out */
    assert_int_equal(statistics().faults, 1);
    assert_int_equal(statistics().content_checks, 1);
    end_drawing();
}

static void a_patch_out_of_range_writes_nothing(void **state)
{
    struct softgpu_config config = machine_small_config();
    unsigned char before[256];

    (void)state;
    begin_drawing(&config);
    assert_int_equal(render(), STATUS_SUCCESS);
    drawing.patches[0].PatchOffset = 4096 - 4;
    drawing.patches[1].AllocationIndex = 99;
    memcpy(before, machine_at(&world.machine, drawing.dma_physical), sizeof(before));
    draw(2);
    assert_memory_equal(before, machine_at(&world.machine, drawing.dma_physical), sizeof(before));
    assert_int_equal(statistics().driver_refusals, 2);
    end_drawing();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_rendered_patched_and_submitted_touches_its_pages),
        cmocka_unit_test(commands_share_a_split_offset_with_their_references_only),
        cmocka_unit_test(a_command_buffer_is_rendered_in_as_many_passes_as_it_needs),
        cmocka_unit_test(a_place_known_at_render_is_patched_at_once),
        cmocka_unit_test(slots_are_bound_and_unbound),
        cmocka_unit_test(user_mode_cannot_make_render_do_wrong),
        cmocka_unit_test(rubbish_from_user_mode_is_survived),
        cmocka_unit_test(a_command_larger_than_a_dma_buffer_is_refused),
        cmocka_unit_test(what_was_not_patched_is_a_fault_of_the_gpu),
        cmocka_unit_test(a_patch_out_of_range_writes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
