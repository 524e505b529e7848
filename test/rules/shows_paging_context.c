/* shows_paging_context.c: paging-context.def, obeyed. */
#include "rules_rig.h"

static bool is_init(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    return build->Operation == DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
}

/* The place that an initialisation brings, and whether the driver is to write there by the CPU. */
static void check_init(const DXGKARG_BUILDPAGINGBUFFER *build, bool aperture)
{
    assert_non_null(build->InitContextResource.hAllocation);
    assert_int_equal(build->InitContextResource.Destination.SegmentId, aperture ? 1 : 2);
    assert_int_equal(build->InitContextResource.Destination.VirtualAddress != NULL, aperture);
}

/* Initialisations since a call, all of them in that place; those of calls that were repeated count
 * once. */
static unsigned inits(const struct shown *shown, size_t from, bool aperture)
{
    HANDLE known[8];
    unsigned count = 0, index;

    for (; (from = shown_next(shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER)) != SIZE_MAX; from++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown->calls[from].argument.build;

        if (!is_init(build))
            continue;
        check_init(build, aperture);
        for (index = 0; index < count; index++)
            if (known[index] == build->InitContextResource.hAllocation)
                break;
        if (index == count) {
            assert_true(count < 8);
            known[count++] = build->InitContextResource.hAllocation;
        }
    }
    return count;
}

/* The context's own allocation and the table of all contexts: before the first DMA buffer, never
 * again. A CPU address comes where they are CpuVisible, Protected and in apertures alone. */
static void initialises(const char *gpu, bool aperture)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct shown shown;
    size_t submit;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    one = shown_create(&shown, 0, 1, 1);
    assert_int_equal(inits(&shown, 0, aperture), 0);
    shown_use_one(&shown, one, true);
    assert_int_equal(inits(&shown, 0, aperture), 2);
    submit = shown_next(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND);
    while (shown_submit(&shown, submit)->Flags.Paging)
        submit = shown_next(&shown, submit + 1, VIDMM_DDI_SUBMIT_COMMAND);
    assert_int_equal(inits(&shown, submit, aperture), 0);
    shown_use_one(&shown, one, true);
    assert_int_equal(inits(&shown, submit, aperture), 0);
    shown_finish(&shown);
}

void shows_D_137(void **state)
{
    (void)state;
    initialises("context_save memory\n", false);
    initialises("context_save aperture\n", true);
}
