/* test_instances.c: one handle in several places: the auditor's beliefs about renaming, and their
 * limits. */
#include "rig.h"

#define CPU_VISIBLE 0x1u
#define AT(n) (RIG_MEMORY_BASE + (n)*UINT64_C(0x10000))

/* An allocation that may be renamed `limit` times in all (0: as often as wanted), and the pages of
 * two instances more. */
struct renamed {
    struct rig rig;
    struct rig_allocation *a;
    struct rig_allocation more[2]; /* as it is, but for the pages */
};

static void begin_in(struct renamed *renamed, UINT flags, UINT limit, UINT sets)
{
    struct rig *rig = &renamed->rig;

    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    rig->info.Flags.Value = flags;
    rig->info.MaximumRenamingListLength = limit;
    renamed->a = rig_allocate(rig, 0x10000, sets, sets, RIG_SET(RIG_APERTURE));
    for (unsigned i = 0; i < 2; i++) {
        renamed->more[i] = *renamed->a;
        renamed->more[i].mdl = rig_new_mdl(16);
        MmGetMdlPfnArray(renamed->more[i].mdl)[0] = 0x20000 + i;
    }
}

static void begin(struct renamed *renamed, UINT flags, UINT limit)
{
    begin_in(renamed, flags, limit, RIG_SET(RIG_MEMORY));
}

static void page_in(struct renamed *renamed, const struct rig_allocation *instance, unsigned n)
{
    rig_build(&renamed->rig, rig_transfer_in(instance, RIG_MEMORY, AT(n)));
    rig_page(&renamed->rig);
}

static void page_out(struct renamed *renamed, const struct rig_allocation *instance, unsigned n)
{
    rig_build(&renamed->rig, rig_transfer_out(instance, RIG_MEMORY, AT(n)));
    rig_page(&renamed->rig);
}

static void use(struct renamed *renamed, unsigned n)
{
    struct rig *rig = &renamed->rig;

    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, renamed->a, RIG_MEMORY, AT(n)));
    rig_leave_context(rig); /* the allocations that it has used may move */
}

static void end(struct renamed *renamed, uint64_t moved)
{
    assert_int_equal(vidmm_tap_violations_of(renamed->rig.tap, VIDMM_RULE_D_085), moved);
    assert_int_equal(vidmm_tap_violations(renamed->rig.tap), moved);
    rig_allow(&renamed->rig, VIDMM_RULE_D_085);
    for (unsigned i = 0; i < 2; i++)
        free(renamed->more[i].mdl);
    rig_stop(&renamed->rig);
}

static void come_and_go(UINT flags)
{
    struct renamed renamed;

    begin(&renamed, flags, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    page_in(&renamed, &renamed.more[1], 2);
    for (unsigned n = 0; n < 3; n++)
        use(&renamed, n);
    page_out(&renamed, &renamed.more[0], 1);
    use(&renamed, 0);
    use(&renamed, 2);
    page_in(&renamed, &renamed.more[0], 4); /* elsewhere */
    use(&renamed, 4);
    page_out(&renamed, renamed.a, 0);
    use(&renamed, 4);
    end(&renamed, 0);
}

static void instances_come_and_go_by_themselves(void **state)
{
    (void)state;
    come_and_go(CPU_VISIBLE);
    come_and_go(0x40000); /* CpuVisibleOnDemand, which may be locked and discarded as well */
}

/* The first was filled, so nobody knows its pages: it leaves through an aperture all the same. */
static void what_was_filled_has_pages_too(void **state)
{
    struct renamed renamed;
    struct rig *rig = &renamed.rig;
    DXGKARG_BUILDPAGINGBUFFER asked;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    rig_build(rig, rig_fill(renamed.a, RIG_MEMORY, AT(0)));
    rig_page(rig);
    page_in(&renamed, &renamed.more[0], 1);
    use(&renamed, 0);
    use(&renamed, 1);
    rig_build(rig, rig_map(rig, renamed.a, 16));
    asked = rig_transfer_out(renamed.a, RIG_MEMORY, AT(0));
    asked.Transfer.Destination.SegmentId = RIG_APERTURE;
    asked.Transfer.Destination.SegmentAddress.QuadPart =
        (LONGLONG)RIG_APERTURE_BASE + 16 * PAGE_SIZE;
    rig_build(rig, asked);
    rig_page(rig);
    rig_build(rig, rig_unmap(rig, renamed.a, 16));
    rig_page(rig);
    use(&renamed, 1);
    page_in(&renamed, renamed.a, 3);
    use(&renamed, 3);
    end(&renamed, 0);
}

/* A fill says nothing of pages: it is taken for the first that is nowhere, and may be another's.
 * Its way out tells whose it was. */
static void what_was_filled_is_known_by_the_pages_it_leaves_to(void **state)
{
    struct renamed renamed;
    struct rig *rig = &renamed.rig;
    const struct rig_allocation *other = &renamed.more[0];
    uint64_t place = RIG_APERTURE_BASE + 20 * PAGE_SIZE;
    DXGKARG_BUILDPAGINGBUFFER asked;

    (void)state;
    begin_in(&renamed, CPU_VISIBLE, 0, RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE));
    page_in(&renamed, renamed.a, 0);
    page_out(&renamed, renamed.a, 0);
    rig_build(rig, rig_fill(other, RIG_MEMORY, AT(1)));
    rig_page(rig);
    use(&renamed, 1);
    rig_build(rig, rig_map(rig, other, 16));
    asked = rig_transfer_out(other, RIG_MEMORY, AT(1));
    asked.Transfer.Destination.SegmentId = RIG_APERTURE;
    asked.Transfer.Destination.SegmentAddress.QuadPart =
        (LONGLONG)RIG_APERTURE_BASE + 16 * PAGE_SIZE;
    rig_build(rig, asked);
    rig_page(rig);
    rig_build(rig, rig_unmap(rig, other, 16));
    rig_page(rig);
    rig_map_in(rig, &renamed.more[0], 20); /* over pages of the old place, and others */
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, renamed.a, RIG_APERTURE, place));
    rig_leave_context(rig);
    page_in(&renamed, renamed.a, 3);
    use(&renamed, 3);
    end(&renamed, 0);
}

/* Report a place if no instance is there, or none any more. */
static void a_place_of_none_is_reported(void **state)
{
    struct renamed renamed;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    use(&renamed, 2);
    page_out(&renamed, renamed.a, 0);
    use(&renamed, 0);
    end(&renamed, 2);
}

/* One of them leaves while the GPU uses it; that the other is idle is no excuse. */
static void each_is_busy_by_itself(void **state)
{
    struct renamed renamed;
    struct rig *rig = &renamed.rig;
    UINT fence;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    fence = rig_render(rig, renamed.a, RIG_MEMORY, AT(1));
    rig_leave_context(rig);
    page_out(&renamed, renamed.a, 0);
    assert_int_equal(vidmm_tap_violations(rig->tap), 0);
    page_out(&renamed, &renamed.more[0], 1);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    end(&renamed, 1);
}

/* Pages cannot be in two places: an allocation that is paged in again has moved. */
static void other_pages_are_needed(void **state)
{
    struct renamed renamed;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, renamed.a, 1);
    use(&renamed, 0);
    end(&renamed, 1);
}

/* An allocation that may not be renamed by its description is in one place. */
/* The manager has given back the pages of one that is in memory, and another has got them. */
static void pages_are_given_back(void **state)
{
    struct renamed renamed;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    page_out(&renamed, &renamed.more[0], 1);
    MmGetMdlPfnArray(renamed.more[0].mdl)[0] = MmGetMdlPfnArray(renamed.a->mdl)[0];
    page_in(&renamed, &renamed.more[0], 3);
    use(&renamed, 0);
    use(&renamed, 3);
    page_out(&renamed, &renamed.more[0], 3);
    use(&renamed, 0);
    end(&renamed, 0);
}

static void the_description_has_to_let_it(void **state)
{
    static const struct {
        UINT flags, limit;
    } cases[] = {{0, 0}, {CPU_VISIBLE, 1}, {CPU_VISIBLE | 0x100, 0}, {CPU_VISIBLE | 0x10, 0}};
    struct renamed renamed;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(&renamed, cases[i].flags, cases[i].limit);
        page_in(&renamed, renamed.a, 0);
        page_in(&renamed, &renamed.more[0], 1);
        use(&renamed, 0);
        end(&renamed, 1);
    }
}

/* One more than MaximumRenamingListLength takes the place of another. */
static void the_list_has_an_end(void **state)
{
    struct renamed renamed;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 2);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    use(&renamed, 0);
    use(&renamed, 1);
    page_in(&renamed, &renamed.more[1], 2);
    use(&renamed, 0);
    end(&renamed, 1);
}

/* Pages that are given back make room for others. */
static void pages_are_exchanged(void **state)
{
    struct renamed renamed;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 2);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    page_out(&renamed, &renamed.more[0], 1);
    page_in(&renamed, &renamed.more[1], 2);
    use(&renamed, 0);
    use(&renamed, 2);
    end(&renamed, 0);
}

/* A transfer that found it busy is asked for again, though another instance's came between. */
static void each_has_its_own_operation(void **state)
{
    struct renamed renamed;
    struct rig *rig = &renamed.rig;
    DXGKARG_BUILDPAGINGBUFFER asked;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    asked = rig_transfer_out(renamed.a, RIG_MEMORY, AT(0));
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    rig_build(rig, asked);
    page_out(&renamed, &renamed.more[0], 1);
    asked.Transfer.Flags.AllocationIsIdle = 1;
    rig_build(rig, asked);
    rig_page(rig);
    end(&renamed, 0);
}

/* All of them go with the allocation. */
static void destroying_ends_all(void **state)
{
    struct renamed renamed;
    struct rig *rig = &renamed.rig;
    struct rig_allocation *next;

    (void)state;
    begin(&renamed, CPU_VISIBLE, 0);
    page_in(&renamed, renamed.a, 0);
    page_in(&renamed, &renamed.more[0], 1);
    rig_close(rig, renamed.a);
    rig_destroy(rig, renamed.a);
    next = rig_simple(rig);
    rig_build(rig, rig_transfer_in(next, RIG_MEMORY, AT(1)));
    rig_page(rig);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, next, RIG_MEMORY, AT(1)));
    end(&renamed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_come_and_go_by_themselves),
        cmocka_unit_test(what_was_filled_has_pages_too),
        cmocka_unit_test(what_was_filled_is_known_by_the_pages_it_leaves_to),
        cmocka_unit_test(a_place_of_none_is_reported),
        cmocka_unit_test(each_is_busy_by_itself),
        cmocka_unit_test(other_pages_are_needed),
        cmocka_unit_test(pages_are_given_back),
        cmocka_unit_test(the_description_has_to_let_it),
        cmocka_unit_test(the_list_has_an_end),
        cmocka_unit_test(pages_are_exchanged),
        cmocka_unit_test(each_has_its_own_operation),
        cmocka_unit_test(destroying_ends_all),
    };

    return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
