/* shows_linked_adapter.c: linked-adapter.def, obeyed. */
#include "rules_rig.h"

#define MIRRORED 0x1000u
#define INSTANCED 0x2000u

static struct rig_options linked(uint32_t links)
{
    struct rig_options options = rig_defaults();

    options.links = links;
    options.sets = 2; /* memory that every GPU writes by itself must be in its own place */
    return options;
}

/* Calls of BuildPagingBuffer that move this allocation into or out of segment 2: the first has
 * number *first, and all of them are for different adapters. Their MDLs go to `mdls`. */
static size_t moves_of(const struct shown *shown, size_t from, bool in, MDL *mdls[SOFTGPU_LINKS])
{
    HANDLE adapters[SOFTGPU_LINKS];
    size_t count = 0;

    for (; (from = shown_next_build(shown, from, DXGK_OPERATION_TRANSFER)) != SIZE_MAX; from++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown->calls[from].argument.build;

        if ((build->Transfer.Source.SegmentId == 0) != in)
            continue;
        assert_true(count < SOFTGPU_LINKS);
        mdls[count] = in ? build->Transfer.Source.pMdl : build->Transfer.Destination.pMdl;
        adapters[count] = shown->calls[from].handle;
        for (size_t other = 0; other < count; other++)
            assert_ptr_not_equal(adapters[other], adapters[count]);
        count++;
    }
    return count;
}

/* One allocation comes in, is written by every GPU, and is locked: it has left. Answers the number
 * of different backing stores. */
static size_t stores_of(uint32_t links, uint32_t flags)
{
    struct rig_options options = linked(links);
    MDL *in[SOFTGPU_LINKS], *out[SOFTGPU_LINKS];
    struct rig_allocation *one;
    struct shown shown;
    size_t from, stores = 0;

    shown_init(&shown, &options, NULL);
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, one, 8 * VIDMM_PAGE_SIZE, 2, 1 | flags),
                     STATUS_SUCCESS);
    if (flags != INSTANCED)
        rig_lock_and_touch(&shown.rig, one, true);
    assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
    rig_lock_and_touch(&shown.rig, one, false);
    from = shown.call_count;
    assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
    rig_lock_and_touch(&shown.rig, one, false);
    assert_int_equal(moves_of(&shown, from, true, in), links);
    assert_int_equal(moves_of(&shown, from, false, out), links);
    for (size_t index = 0; index < links; index++) {
        size_t other = 0;

        assert_ptr_equal(in[index], out[index]); /* it comes back from where it went */
        while (other < index && in[other] != in[index])
            other++;
        stores += other == index;
    }
    shown_finish(&shown);
    return stores;
}

void shows_S0_052(void **state)
{
    (void)state;
    assert_int_equal(stores_of(2, MIRRORED), 1);
    assert_int_equal(stores_of(3, MIRRORED), 1);
    assert_int_equal(stores_of(2, 0), 1); /* an allocation that is not said to be instanced is
                                           * one */
}

void shows_S0_053(void **state)
{
    (void)state;
    assert_int_equal(stores_of(2, INSTANCED),
                     2); /* and each GPU finds what it wrote (shown_finish) */
    assert_int_equal(stores_of(3, INSTANCED), 3);
}
