/* shows_multipass.c: multipass.def, obeyed. */
#include "rules_rig.h"

#include "softgpu/hardware.h"

enum { FIRST = 0x1000, SECOND = 0x77 }; /* MultipassOffset as the passes leave it */

static DXGKDDI_BUILDPAGINGBUFFER *build_at_once;

/* Each transfer takes three calls: two write a command that does nothing and say that there is no
 * more room. */
static NTSTATUS build_in_three(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    const struct softgpu_command nothing = {.opcode = SOFTGPU_OP_NOTHING, .size = sizeof(nothing)};

    if (asked->Operation != DXGK_OPERATION_TRANSFER || asked->MultipassOffset == SECOND) {
        asked->MultipassOffset = 0;
        return build_at_once(adapter, asked);
    }
    if (asked->DmaSize >= sizeof(nothing)) {
        memcpy(asked->pDmaBuffer, &nothing, sizeof(nothing));
        asked->pDmaBuffer = (char *)asked->pDmaBuffer + sizeof(nothing);
        asked->MultipassOffset = asked->MultipassOffset == FIRST ? SECOND : FIRST;
    }
    return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static void bend_passes(DRIVER_INITIALIZATION_DATA *driver)
{
    build_at_once = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_in_three;
}

void shows_S4_022(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    struct rig_allocation *a, *b;
    size_t again = 0, ends = 0, from;
    UINT most = 0;

    (void)state;
    options.gpu = "private_data 0\n"; /* in which the GPU's commands would be counted */
    shown_init(&shown, &options, bend_passes);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    shown_use_one(&shown, a, true);
    from = shown.call_count;
    shown_use_one(&shown, b, true); /* a leaves */
    shown_use_one(&shown, a, true); /* b leaves, a comes back */
    for (size_t i = from; i < shown.call_count; i++) {
        const struct shown_call *call = &shown.calls[i];

        if (call->ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || !call->returned ||
            call->argument.build.Operation != DXGK_OPERATION_TRANSFER)
            continue;
        if (call->status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) { /* it ends with success */
            assert_int_equal(call->status, STATUS_SUCCESS);
            ends++;
            continue;
        }
        most |= call->argument.build.MultipassOffset;
        /* The next call asks for the same sub-transfer, with what this one left behind. */
        size_t next = shown_next(&shown, i, VIDMM_DDI_BUILD_PAGING_BUFFER);

        assert_true(next != SIZE_MAX);
        assert_int_equal(shown.calls[next].argument.build.Operation, DXGK_OPERATION_TRANSFER);
        assert_int_equal(shown.calls[next].argument.build.MultipassOffset,
                         call->argument.build.MultipassOffset);
        assert_int_equal(shown.calls[next].argument.build.Transfer.TransferSize,
                         call->argument.build.Transfer.TransferSize);
        assert_int_equal(shown.calls[next].argument.build.Transfer.TransferOffset,
                         call->argument.build.Transfer.TransferOffset);
        assert_ptr_equal(shown.calls[next].argument.build.Transfer.hAllocation,
                         call->argument.build.Transfer.hAllocation);
        again++;
    }
    assert_int_equal(most, FIRST | SECOND);
    assert_int_equal(ends, 3); /* a out, a in, b out */
    assert_int_equal(again, 2 * ends);
    shown_finish(&shown);
}
