/* shows_paging_residency_notify.c: paging-residency-notify.def, obeyed. */
#include "flag_words.h"
#include "placed.h"
#include "unit/test_by_address.h"

enum { NOTIFIED_PAGES = 160, /* more than one chunk of a transfer */ NOTIFIED_SEGMENT = 2 };

/* How often the driver was told of that residency of an allocation, and how often of another. */
static unsigned count_told(const struct vidmm_allocation *allocation, bool resident)
{
    unsigned count = 0;

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_NOTIFY_RESIDENCY)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *told = &by_calls[at].build.NotifyResidency;

        assert_ptr_equal(told->hAllocation, allocation->h_allocation);
        count += (told->Resident != 0) == resident;
    }
    return count;
}

/* Two allocations, of which the second is notified: they come and go. */
static struct vidmm_allocation *begin_notified(struct vidmm_allocation **plain)
{
    const uint32_t flags = EXPLICIT_RESIDENCY_NOTIFICATION | ACCESSED_PHYSICALLY;

    by_start(BY_GPU "index_bits 7 8 6 6\n");
    *plain = by_create(NOTIFIED_PAGES * UINT64_C(4096), 2);
    return by_create_flagged(NOTIFIED_PAGES * UINT64_C(4096), 2, flags);
}

static void finish_notified(struct vidmm_allocation *plain, struct vidmm_allocation *notified)
{
    vidmm_allocation_destroy(plain);
    vidmm_allocation_destroy(notified);
    by_finish();
}

static void come_and_go(struct vidmm_allocation *one)
{
    by_make_resident(one->id);
    by_wait();
    by_evict(one->id);
    by_wait();
}

void shows_S3_032(void **state)
{
    struct vidmm_allocation *plain, *notified;

    (void)state;
    notified = begin_notified(&plain);
    for (unsigned round = 1; round <= 3; round++) {
        come_and_go(plain);
        come_and_go(notified);
        assert_int_equal(count_told(notified, true), round);
        assert_int_equal(count_told(notified, false), round);
    }
    finish_notified(plain, notified);
}

/* Whether the driver was asked for a transfer or a fill in [from, end). */
static bool moves_between(unsigned from, unsigned end)
{
    return by_next(from, DXGK_OPERATION_VIRTUAL_TRANSFER) < end ||
           by_next(from, DXGK_OPERATION_VIRTUAL_FILL) < end;
}

/* The number of the call that tells of residency next: it must be that one. */
static unsigned find_told(unsigned from, bool resident, uint32_t segment)
{
    unsigned at = by_next(from, DXGK_OPERATION_NOTIFY_RESIDENCY);

    assert_true(at < by_count);
    assert_int_equal(by_calls[at].build.NotifyResidency.Resident, resident);
    assert_int_equal(by_calls[at].build.NotifyResidency.PhysicalAddress.SegmentId, segment);
    return at;
}

/* Filled and evicted, then transferred in, each in more than one chunk. */
void shows_D_141(void **state)
{
    struct vidmm_allocation *plain, *notified;
    unsigned from = 0, at;

    (void)state;
    notified = begin_notified(&plain);
    for (unsigned round = 0; round < 2; round++) {
        from = by_count;
        by_make_resident(notified->id);
        by_wait();
        at = find_told(from, true, NOTIFIED_SEGMENT);
        assert_true(moves_between(from, at));
        assert_false(moves_between(at, by_count));
        from = by_count;
        by_evict(notified->id);
        by_wait();
        at = find_told(from, false, 0);
        assert_false(moves_between(from, at));
        assert_true(moves_between(at, by_count));
    }
    finish_notified(plain, notified);
}

void shows_S0_061(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation one, other;
    struct shown shown;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};

    (void)state;
    flags.ExplicitResidencyNotification = 1;
    assert_int_equal(flags.Value, 0x10000);
    placed_init(&shown, NULL, NULL);
    wish.flags = EXPLICIT_RESIDENCY_NOTIFICATION | ACCESSED_PHYSICALLY;
    placed_now(&shown, &one, &wish);
    assert_int_equal(shown_findings(&shown, "S0-061"), 1);
    wish.flags = 0;
    placed_now(&shown, &other, &wish); /* the first is evicted */
    placed_use(&shown, &one, 0);
    assert_int_equal(shown_findings(&shown, "S0-061"), 1);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_NOTIFY_RESIDENCY), 0);
    shown_finish(&shown);
}
