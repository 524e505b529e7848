/* shows_paging_aperture2.c: paging-aperture2.def, obeyed on a physical driver of WDDM 2.9 with the
 * cap for lists of pages. Segment 1 is an aperture.
 */
#include "flag_words.h"
#include "placed.h"
#include "unit/test_engine_rig.h"

#include <unistd.h>

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

#define BY_LIST "wddm 2.9\nmap_aperture2 on\n"
#define REMAPPED                                                                                   \
    "segment 1 aperture 4M\nsegment 2 memory 4M cpuvisible\nwddm 2.9\nmmu gpu\nisolation on\n"     \
    "map_aperture2 on\nprivate_data 4K\nremapping on\n"

enum { CPU_SEES = ACCESSED_PHYSICALLY | CPU_VISIBLE | MAP_APERTURE_CPU_VISIBLE };

static struct shown shown;
static struct vidmm_paging_queue *queue;

static void begin(const char *gpu)
{
    shown_init_gpu(&shown, gpu, NULL);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report), 0);
}

static void end(void)
{
    rig_judge(&shown.rig, shown.rig.gpu);
    rig_stop(&shown.rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

static void make(struct rig_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status =
        vidmm_make_resident(queue, &allocation->handle, 1, 0, &result, &shown.rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &shown.rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
}

static void destroy(struct rig_allocation *allocation)
{
    vidmm_allocation_destroy(allocation->handle);
    shown_settle(&shown);
}

/* Make one in the aperture, and answer the number of the call that mapped it. */
static size_t map_only(struct rig_allocation *allocation, uint64_t pages, uint32_t flags)
{
    struct softgpu_allocation wish = placed_wish(pages, 1);
    size_t at = shown.call_count;

    wish.flags = flags;
    placed_create(&shown, allocation, &wish);
    make(allocation);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT2);
    assert_int_not_equal(at, SIZE_MAX);
    return at;
}

/* Have the GPU find every page of it, too, and answer the call. */
static const DXGKARG_BUILDPAGINGBUFFER *map(struct rig_allocation *allocation, uint64_t pages,
                                            uint32_t flags)
{
    size_t at = map_only(allocation, pages, flags);

    placed_use(&shown, allocation, 1);
    return &shown.calls[at].argument.build;
}

/* A list of logical pages is always one range, below the 4G that the GPU reaches, where the machine
 * has no memory. */
static void remapped_lists_are_contiguous(void)
{
    struct rig_allocation one;
    DXGK_ADL list;
    size_t at;

    begin(REMAPPED);
    at = map_only(&one, 24, ACCESSED_PHYSICALLY);
    list = shown.calls[at].argument.build.MapApertureSegment2.Adl;
    assert_int_equal(list.Flags.Value, 1);
    assert_int_equal(list.PageCount, 24);
    assert_true(list.BasePageNumber != 0 && list.BasePageNumber + 23 <= 0xfffff);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    destroy(&one);
    end();
}

/* Both forms of lists go to the driver, and the GPU finds the pages by both. */
void shows_D_100(void **state)
{
    static const uint64_t pages[] = {1, 24};
    struct softgpu_allocation wish = placed_wish(4, 1);
    struct rig_allocation one;
    size_t from;

    (void)state;
    begin(BY_LIST);
    for (size_t i = 0; i < 2; i++) {
        const DXGKARG_BUILDPAGINGBUFFER *asked = map(&one, pages[i], ACCESSED_PHYSICALLY);
        DXGK_ADL list = asked->MapApertureSegment2.Adl;

        assert_int_equal(asked->MapApertureSegment2.SegmentId, 1);
        assert_int_equal(asked->MapApertureSegment2.NumberOfPages, pages[i]);
        assert_int_equal(list.PageCount, pages[i]);
        assert_int_equal(asked->MapApertureSegment2.AdlOffset, 0);
        assert_int_equal(list.Flags.Value, i == 0); /* one page is contiguous, many are not here */
        assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_MAP_APERTURE_SEGMENT),
                         i + 1); /* its number is that of the one before */
        destroy(&one);
    }
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 2);
    end();
    begin("wddm 2.9\n"); /* who did not ask for it is asked as ever */
    from = shown.call_count;
    wish.flags = ACCESSED_PHYSICALLY;
    placed_create(&shown, &one, &wish);
    make(&one);
    placed_use(&shown, &one, 1);
    assert_int_equal(shown_count_builds(&shown, from, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_MAP_APERTURE_SEGMENT2), 0);
    end();
    remapped_lists_are_contiguous();
}

static bool is_mapped(void *address)
{
    int ends[2];
    bool mapped;

    assert_int_equal(pipe(ends), 0);
    mapped = write(ends[1], address, 1) == 1; /* EFAULT: nothing is there */
    close(ends[0]);
    close(ends[1]);
    return mapped;
}

static const uint8_t zeroes[VIDMM_PAGE_SIZE];

/* The address shows what the GPU wrote, until the unmap, and then nothing. */
void shows_D_103(void **state)
{
    struct rig_allocation one, other;
    uint8_t *address, *next;
    size_t from;

    (void)state;
    begin(BY_LIST);
    address = map(&one, 24, CPU_SEES)->MapApertureSegment2.CpuVisibleAddress;
    assert_non_null(address);
    assert_true(is_mapped(address) && is_mapped(address + 23 * VIDMM_PAGE_SIZE));
    assert_true(memcmp(address, zeroes, sizeof(zeroes)) != 0); /* as the GPU has written */
    next = map(&other, 24, CPU_SEES)->MapApertureSegment2.CpuVisibleAddress;
    assert_ptr_not_equal(next, address);
    assert_true(is_mapped(address)); /* the other's is its own */
    assert_null(
        map(&other, 24, ACCESSED_PHYSICALLY | CPU_VISIBLE)->MapApertureSegment2.CpuVisibleAddress);
    from = shown.call_count;
    assert_int_equal(vidmm_evict(shown.rig.device, &one.handle, 1, 0, NULL, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_settle(&shown);
    assert_int_equal(shown_count_builds(&shown, from, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 1);
    assert_false(is_mapped(address)); /* scattered pages: the machine unmaps them */
    assert_true(is_mapped(next));
    from = shown.call_count;
    make(&one); /* and is mapped once more */
    from = shown_next_build(&shown, from, DXGK_OPERATION_MAP_APERTURE_SEGMENT2);
    assert_int_not_equal(from, SIZE_MAX);
    assert_true(is_mapped(shown.calls[from].argument.build.MapApertureSegment2.CpuVisibleAddress));
    end();
}
