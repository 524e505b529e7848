/* rules_protected.c: the rules of protected-vpr-drm.def, broken and kept. */
#include "rig_virtual.h"

#define RANGE UINT64_C(0x200000) /* of segment 2 */
#define SIZE UINT64_C(0x20000)

/* An allocation of 64 KiB for the protected range of segment 2, which is there. */
static struct rig_allocation *protect(struct rig *rig)
{
    rig->vpr_start = RANGE;
    rig->vpr_size = SIZE;
    rig_query_mmu(rig);
    rig->info.FlagsWddm2.CreateInVpr = 1;
    return rig_simple(rig);
}

/* A leaf of the program says that its page is there. */
static void show(struct rig *rig, const struct rig_allocation *allocation, UINT segment,
                 uint64_t offset)
{
    DXGK_PTE entry = rig_entry(segment, offset);
    DXGKARG_BUILDPAGINGBUFFER update =
        rig_update(rig->process, 0, RIG_TABLES + 2 * RIG_PAGE, 0, 1, &entry);

    update.UpdatePageTable.hAllocation = allocation->handle;
    rig_build(rig, update);
}

static uint64_t found(struct rig *rig)
{
    return vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S3_023);
}

void breaks_S3_023(struct rig *rig)
{
    struct rig_allocation *allocation = protect(rig);

    rig_have_no_page_tables(rig);
    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE + RANGE - RIG_PAGE));
    assert_int_equal(found(rig), 1); /* it begins before the range */
    rig_build(rig, rig_fill(allocation, RIG_MEMORY,
                            RIG_MEMORY_BASE + RANGE + SIZE - allocation->size + RIG_PAGE));
    assert_int_equal(found(rig), 2); /* it ends behind it */
    show(rig, allocation, RIG_MEMORY, RANGE - RIG_PAGE);
    assert_int_equal(found(rig), 3);
    show(rig, allocation, RIG_MEMORY, RANGE + SIZE);
    assert_int_equal(found(rig), 4);
    show(rig, allocation, RIG_OTHER_MEMORY, RANGE); /* a segment without such a range */
    assert_int_equal(found(rig), 5);
}

/* In the first bytes and the last; in system memory; of others, and in a range that is said
 * wrongly, anywhere. */
void keeps_S3_023(struct rig *rig)
{
    struct rig_allocation *allocation = protect(rig), *other;

    rig_have_no_page_tables(rig);
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE + RANGE));
    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY,
                                   RIG_MEMORY_BASE + RANGE + SIZE - allocation->size));
    show(rig, allocation, RIG_MEMORY, RANGE);
    show(rig, allocation, RIG_MEMORY, RANGE + SIZE - RIG_PAGE);
    show(rig, allocation, 0, 0x1000);
    rig->info.FlagsWddm2.CreateInVpr = 0;
    other = rig_simple(rig);
    show(rig, other, RIG_MEMORY, RANGE - RIG_PAGE);
    rig->vpr_size = RIG_SEGMENT_SIZE;
    rig_query_mmu(rig);
    show(rig, allocation, RIG_MEMORY, RANGE - RIG_PAGE);
}
