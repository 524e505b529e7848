/* shows_paging_residency_notify.c: paging-residency-notify.def, obeyed. */
#include "flag_words.h"
#include "placed.h"

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
