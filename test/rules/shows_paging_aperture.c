/* shows_paging_aperture.c: paging-aperture.def, obeyed. */
#include "placed.h"

#include <vidmm/host.h>
#include <vidmm/resource.h>

void shows_S1_014(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation one, other;
    struct shown shown;
    size_t at;

    (void)state;
    for (uint32_t set = 0; set < 2; set++) {
        placed_init(&shown, NULL, NULL);
        wish.evict_set = set;
        placed_now(&shown, &one, &wish);
        placed_now(&shown, &other, &wish);
        at = shown_next_build(&shown, 0, DXGK_OPERATION_TRANSFER);
        assert_int_not_equal(at, SIZE_MAX);
        assert_int_equal(shown.calls[at].argument.build.Transfer.Destination.SegmentId, set);
        assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_MAP_APERTURE_SEGMENT), set);
        assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_UNMAP_APERTURE_SEGMENT), set);
        shown_finish(&shown);
    }
}

void shows_S4_041(void **state)
{
    static const char *const gpus[] = {
        "segment 1 aperture 1M\nsegment 2 memory 256K\n",
        "segment 1 aperture 1M cachecoherent\nsegment 2 memory 256K\n",
    };
    static const uint32_t flags[] = {0, 1, 5}; /* the last is Cached */
    struct shown shown;

    (void)state;
    for (uint32_t coherent = 0; coherent < 2; coherent++) {
        placed_init(&shown, gpus[coherent], NULL);
        for (uint32_t i = 0; i < 3; i++) {
            struct softgpu_allocation wish = placed_wish(4, 1);
            struct rig_allocation one;
            size_t at = shown.call_count;

            wish.flags = flags[i];
            placed_now(&shown, &one, &wish);
            at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
            assert_int_not_equal(at, SIZE_MAX);
            assert_int_equal(shown.calls[at].argument.build.MapApertureSegment.Flags.Value,
                             coherent == 1 && flags[i] == 5 ? 1 : 0);
        }
        shown_finish(&shown);
    }
}

static struct {
    DXGKDDI_CREATEDEVICE *create;
    HANDLE handles[4];
    unsigned count;
} known_devices;

static NTSTATUS note_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    NTSTATUS status = known_devices.create(adapter, arguments);

    known_devices.handles[known_devices.count++] = arguments->hDevice;
    return status;
}

static void bend_devices(DRIVER_INITIALIZATION_DATA *driver)
{
    known_devices.count = 0;
    known_devices.create = driver->DxgkDdiCreateDevice;
    driver->DxgkDdiCreateDevice = note_device;
}

/* The device that a mapping of this allocation names. */
static HANDLE device_of_mapping(struct vidmm_resource_options options, bool primary)
{
    const struct softgpu_allocation wish = placed_wish(4, 1);
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary};
    struct rig_allocation one = {.id = 500, .pages = 4};
    struct vidmm_resource *resource;
    struct shown shown;
    HANDLE device;
    size_t at;

    placed_init(&shown, NULL, bend_devices);
    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, &description, 1, &resource,
                                           &one.handle, &shown.rig.report),
                     STATUS_SUCCESS);
    at = shown.call_count;
    placed_use(&shown, &one, 1);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
    assert_int_not_equal(at, SIZE_MAX);
    assert_non_null(shown.calls[at].argument.build.MapApertureSegment.hAllocation);
    device = shown.calls[at].argument.build.MapApertureSegment.hDevice;
    vidmm_resource_destroy(resource);
    shown_settle(&shown);
    shown_finish(&shown);
    return device;
}

/* D-097: no allocation for a buffer, no device for a primary, one owner of what is shared. */
static void whose_device_is_named(void)
{
    struct shown shown;
    size_t at = 0, buffers = 0;
    HANDLE device;

    placed_init(&shown, "dma_buffer_segment 1\n", NULL);
    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) != SIZE_MAX;
         at++, buffers++) { /* there are DMA and paging buffers alone */
        assert_null(shown.calls[at].argument.build.MapApertureSegment.hAllocation);
        assert_int_equal(shown.calls[at].argument.build.MapApertureSegment.NumberOfPages,
                         (shown.calls[at].argument.build.MapApertureSegment.pMdl->ByteCount +
                          VIDMM_PAGE_SIZE - 1) /
                             VIDMM_PAGE_SIZE);
    }
    assert_true(buffers >= 4);
    shown_finish(&shown);
    assert_null(device_of_mapping((struct vidmm_resource_options){.shared = false}, true));
    device = device_of_mapping((struct vidmm_resource_options){.shared = false}, false);
    assert_ptr_equal(device, known_devices.handles[1]);
    device = device_of_mapping((struct vidmm_resource_options){.shared = true}, false);
    assert_ptr_equal(device, known_devices.handles[0]); /* the system's, whoever maps it */
}

static const char agp[] = "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 agp 4K\n";

static void agp_init(struct shown *shown)
{
    struct rig_options options = rig_defaults();

    options.gpu = agp;
    options.agp_aperture = 512 << 10;
    shown_init(shown, &options, NULL);
}

void shows_D_033(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 4);
    struct rig_allocation mapped, one, other;
    struct shown shown;
    size_t at;

    (void)state;
    agp_init(&shown);
    at = shown.call_count;
    assert_int_equal(placed_now(&shown, &mapped, &wish).segment, 3);
    wish = placed_wish(40, 2);
    wish.evict_set = 4;
    placed_now(&shown, &one, &wish);
    placed_now(&shown, &other, &wish); /* the one before leaves through segment 3 */
    placed_use(&shown, &mapped, 1);    /* the GPU finds all of it by the GART */
    placed_use(&shown, &one, 0);
    assert_int_equal(placed_builds(&shown, 0, &mapped, VIDMM_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_UNMAP_APERTURE_SEGMENT), 1);
    assert_int_equal(shown_count_builds(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 0);
    assert_int_equal(shown_count_builds(&shown, at, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT), 0);
    shown_finish(&shown);
    whose_device_is_named();
}

/* Something is written behind a range that is not mapped, where the entries show the dummy page. */
void shows_S4_047(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 1);
    struct vidmm_statistics statistics;
    struct rig_allocation mapped;
    struct shown shown;
    const struct vidmm_host *host;
    uint64_t frame, findings, *page;
    size_t at;

    (void)state;
    placed_init(&shown, NULL, NULL);
    host = vidmm_slot_host(shown.rig.slot);
    placed_now(&shown, &mapped, &wish);
    placed_use(&shown, &mapped, 1);
    vidmm_allocation_destroy(mapped.handle);
    shown_settle(&shown);
    at = shown_next_build(&shown, 0, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
    assert_true(at != SIZE_MAX);
    frame = (uint64_t)shown.calls[at].argument.build.UnmapApertureSegment.DummyPage.QuadPart >>
            VIDMM_PAGE_SHIFT;
    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    findings = statistics.findings;
    page = host->map_pages(host->context, 1, &frame);
    assert_non_null(page);
    page[100] = 1; /* as a GPU does that uses an address too long */
    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    assert_int_equal(statistics.findings, findings + 1);
    page[100] = 0;
    host->unmap_pages(host->context, page, 1);
    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    assert_int_equal(statistics.findings, findings);
    shown_finish(&shown);
}
