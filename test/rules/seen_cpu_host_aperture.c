/* seen_cpu_host_aperture.c: cpu-host-aperture.def broken, and answered. */
#include "rules_rig.h"

#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>

enum { VISIBLE = 0x8001, EITHER = 3, PAGES = 10, SEGMENT = 2 };

/* Memory has 256 pages, and the aperture 16. */
static struct {
    DXGKDDI_QUERYADAPTERINFO *query;
    DXGKDDI_MAPCPUHOSTAPERTURE *map;
    LONGLONG address;    /* of the aperture; 0: where it is */
    UINT32 pages;        /* SizeInPages; 0: as many as there are */
    uint64_t maps, most; /* calls of Map, and the highest page that they name */
} bent;

static NTSTATUS query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = bent.query(adapter, arguments);
    const DXGK_QUERYSEGMENTOUT4 *out = arguments->pOutputData;
    DXGK_SEGMENTDESCRIPTOR4 *last;

    if (arguments->Type != DXGKQAITYPE_QUERYSEGMENT4 || out->pSegmentDescriptor == NULL)
        return status;
    last = (void *)(out->pSegmentDescriptor + (SEGMENT - 1) * out->SegmentDescriptorStride);
    if (bent.address != 0)
        last->CpuHostAperture.PhysicalAddress = (UINT64)bent.address;
    if (bent.pages != 0)
        last->CpuHostAperture.SizeInPages = bent.pages;
    return status;
}

static NTSTATUS map(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *arguments)
{
    bent.maps++;
    for (UINT64 index = 0; index < arguments->NumberOfPages; index++)
        if (arguments->pCpuHostAperturePages[index] > bent.most)
            bent.most = arguments->pCpuHostAperturePages[index];
    return bent.map(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    bent.query = driver->DxgkDdiQueryAdapterInfo;
    bent.map = driver->DxgkDdiMapCpuHostAperture;
    bent.maps = bent.most = 0;
    driver->DxgkDdiQueryAdapterInfo = query;
    driver->DxgkDdiMapCpuHostAperture = map;
}

static NTSTATUS start(struct shown *shown, LONGLONG address, UINT32 pages)
{
    struct rig_options options = rig_defaults();

    options.gpu = "wddm 2.0\nsegment 1 aperture 4M\nsegment 2 memory 1M hostaperture\n";
    bent.address = address;
    bent.pages = pages;
    shown_build(shown, &options, bend);
    return rig_start(&shown->rig);
}

static void refused(LONGLONG address, UINT32 pages)
{
    struct shown shown;

    shown_refused(&shown, start(&shown, address, pages), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-178");
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

/* Nothing of the device is there, or behind what is. */
void breaks_D_178(void **state)
{
    (void)state;
    refused(0x1000, 0);
    refused(0, 1u << 20);
}

/* Lock one of 10 pages. Answers whether it is shown by the aperture. */
static bool is_shown(UINT32 pages)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_paging_queue *queue;
    struct rig_allocation *one;
    struct shown shown;
    void *data;

    assert_int_equal(start(&shown, 0, pages), STATUS_SUCCESS);
    one = &shown.rig.allocations[0];
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, one, PAGES * VIDMM_PAGE_SIZE, EITHER, VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &one->handle, 1, 0, &result, NULL), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    for (uint32_t page = 0; page < PAGES; page++)
        rig_touch_page(&shown.rig, one, (char *)data + page * VIDMM_PAGE_SIZE, page, true);
    assert_int_equal(vidmm_unlock2(one->handle, NULL), STATUS_SUCCESS);
    one->handle = NULL;
    shown_finish(&shown);
    return bent.maps > 0;
}

/* The driver keeps a part of its BAR for itself: no page of that is ever named. */
void keeps_D_178(void **state)
{
    (void)state;
    assert_true(is_shown(0));
    assert_true(is_shown(PAGES));
    assert_true(bent.most < PAGES);
    assert_false(is_shown(PAGES - 1)); /* too small: it leaves, and nobody asks */
}
