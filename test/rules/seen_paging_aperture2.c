/* seen_paging_aperture2.c: paging-aperture2.def broken, and answered. */
#include "flag_words.h"
#include "placed.h"
#include "seen_flags.h"

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

#define BY_LIST "wddm 2.9\nmap_aperture2 on\n"

/* Make an allocation resident in the aperture, and answer the address that its mapping names. */
static PVOID address_by(const char *gpu, uint32_t flags)
{
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    struct softgpu_allocation wish = placed_wish(4, 1);
    struct rig_allocation one;
    struct shown shown;
    PVOID address;
    NTSTATUS status;
    size_t at;

    placed_init(&shown, gpu, NULL);
    wish.flags = flags;
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report), 0);
    placed_create(&shown, &one, &wish);
    at = shown.call_count;
    status = vidmm_make_resident(queue, &one.handle, 1, 0, &result, &shown.rig.report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &shown.rig.report);
    assert_int_equal(status, STATUS_SUCCESS);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT2);
    assert_int_not_equal(at, SIZE_MAX);
    address = shown.calls[at].argument.build.MapApertureSegment2.CpuVisibleAddress;
    shown_finish(&shown);
    return address;
}

/* One flag without the other; the cap that is not there is S3-027. */
void breaks_D_104(void **state)
{
    (void)state;
    flags_broken("D-104", BY_LIST, CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE);
    assert_null(address_by(BY_LIST, CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE));
}

void keeps_D_104(void **state)
{
    (void)state;
    flags_kept("D-104", BY_LIST, CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE | ACCESSED_PHYSICALLY);
    flags_kept("D-104", BY_LIST, CPU_VISIBLE | ACCESSED_PHYSICALLY);
    flags_kept("D-104", "wddm 2.9\n", CPU_VISIBLE | ACCESSED_PHYSICALLY);
    assert_non_null(
        address_by(BY_LIST, CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE | ACCESSED_PHYSICALLY));
    assert_null(address_by(BY_LIST, CPU_VISIBLE | ACCESSED_PHYSICALLY));
}
