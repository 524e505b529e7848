/* shows_multipass.c: multipass.def, obeyed. */
#include "rules_rig.h"

void shows_S4_022(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    struct rig_allocation *a, *b;
    size_t again = 0, from;

    (void)state;
    options.gpu = "insufficient every 2\n";
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    shown_use_one(&shown, a, true);
    from = shown.call_count;
    shown_use_one(&shown, b, true);
    shown_use_one(&shown, a, true);
    for (size_t i = from; i < shown.call_count; i++) {
        const struct shown_call *call = &shown.calls[i];

        if (call->ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || !call->returned ||
            call->argument.build.Operation != DXGK_OPERATION_TRANSFER ||
            call->status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
            continue;
        /* The next call asks for the same sub-transfer, with what this one left behind. */
        size_t next = shown_next(&shown, i, VIDMM_DDI_BUILD_PAGING_BUFFER);

        assert_true(next != SIZE_MAX);
        assert_int_equal(shown.calls[next].argument.build.Operation, DXGK_OPERATION_TRANSFER);
        assert_int_equal(shown.calls[next].argument.build.MultipassOffset,
                         call->argument.build.MultipassOffset);
        assert_int_equal(shown.calls[next].argument.build.Transfer.TransferSize,
                         call->argument.build.Transfer.TransferSize);
        again++;
    }
    assert_true(again > 0);
    shown_finish(&shown);
}
