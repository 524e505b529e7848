/* shows_physical.c: allocations that are accessed physically, and primaries, on a GPU with page
 * tables: paging-aperture.def and segments.def, obeyed. The memory has 256 pages, page tables
 * included.
 */
#include "unit/test_addressed.h"

#include <vidmm/display.h>
#include <vidmm/engine.h>
#include <vidmm/resource.h>

#include "rules.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

enum { PHYSICALLY = 0x8000, EITHER = 3, PAGES = 16, MOST_MAPS = 256 };

#define SCREENS "sources 2\n"

/* The maps and unmaps that the driver was asked for. */
static struct map {
    HANDLE allocation;
    bool unmaps;
    uint32_t segment;
    uint64_t first, count; /* pages of the segment */
} maps[MOST_MAPS];

static uint32_t map_count;
static DRIVER_INITIALIZATION_DATA driver;

static NTSTATUS note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct map map = {.unmaps = arguments->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT};

    if (map.unmaps) {
        map.allocation = arguments->UnmapApertureSegment.hAllocation;
        map.segment = arguments->UnmapApertureSegment.SegmentId;
        map.first = arguments->UnmapApertureSegment.OffsetInPages;
        map.count = arguments->UnmapApertureSegment.NumberOfPages;
    } else if (arguments->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT) {
        map.allocation = arguments->MapApertureSegment.hAllocation;
        map.segment = arguments->MapApertureSegment.SegmentId;
        map.first = arguments->MapApertureSegment.OffsetInPages;
        map.count = arguments->MapApertureSegment.NumberOfPages;
    }
    if (map.segment != 0) {
        assert_in_range(map_count, 0, MOST_MAPS - 1);
        maps[map_count++] = map;
    }
    return driver.DxgkDdiBuildPagingBuffer(adapter, arguments);
}

static void start_noted(const char *gpu)
{
    build(gpu);
    driver = rig.driver;
    rig.driver.DxgkDdiBuildPagingBuffer = note;
    map_count = 0;
    (void)second; /* one program is enough here */
    begin();
}

static struct rig_allocation *create_by(uint32_t index, uint32_t pages, uint32_t set,
                                        uint32_t preferred, uint32_t flags)
{
    struct rig_allocation *allocation = &rig.allocations[index];
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = flags,
                                            .size = BYTES(pages),
                                            .read_set = set,
                                            .write_set = set,
                                            .preferred = preferred,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};

    if (vidmm_allocation_create(first.device, &wish, sizeof(wish), &allocation->handle,
                                &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->id = ++rig.next_id;
    allocation->pages = pages;
    return allocation;
}

static uint32_t count_of(const struct rig_allocation *allocation, bool unmaps)
{
    uint32_t count = 0;

    for (uint32_t index = 0; index < map_count; index++)
        count += maps[index].allocation == allocation->handle->h_allocation &&
                 maps[index].unmaps == unmaps;
    return count;
}

/* So often it was mapped and unmapped; each map is of all of it, and each unmap of the map before
 * it. */
static void was_mapped(const struct rig_allocation *allocation, uint32_t mapped, uint32_t unmapped)
{
    const struct map *last = NULL;

    assert_int_equal(count_of(allocation, false), mapped);
    assert_int_equal(count_of(allocation, true), unmapped);
    for (uint32_t index = 0; index < map_count; index++) {
        if (maps[index].allocation != allocation->handle->h_allocation)
            continue;
        assert_int_equal(maps[index].segment, 1);
        assert_int_equal(maps[index].count, allocation->pages);
        assert_true(maps[index].unmaps == (last != NULL && !last->unmaps));
        assert_true(!maps[index].unmaps || maps[index].first == last->first);
        last = &maps[index];
    }
}

static void evict_and_settle(struct rig_allocation *allocation)
{
    evict(&first, allocation->handle);
    vidmm_machine_settle(rig.machine);
}

/* Mapped while it is in system memory for the GPU, and not before or afterwards. */
static void only_in_the_aperture(void)
{
    struct rig_allocation *one, *other;

    start_noted("");
    one = create_by(0, PAGES, APERTURE, 0, PHYSICALLY);
    other = create_by(1, PAGES, APERTURE, 0, 0);
    was_mapped(one, 0, 0);
    make(&first, one->handle);
    make(&first, other->handle);
    was_mapped(one, 1, 0);
    touch(&first, one, map(&first, one->handle, AT), true);
    touch(&first, other, map(&first, other->handle, 2 * AT), true);
    evict_and_settle(one);
    evict_and_settle(other);
    was_mapped(one, 1, 1);
    make(&first, one->handle);
    make(&first, other->handle);
    was_mapped(one, 2, 1);
    touch(&first, one, AT, false);
    was_mapped(other, 0, 0); /* by its addresses alone */
    finish();
}

/* In memory it is not mapped; for want of memory it comes to the aperture, and goes back. */
static void demoted(void)
{
    struct vidmm_residency_result result;
    struct rig_allocation *one, *large;
    NTSTATUS status;

    start_noted("");
    one = create_by(0, PAGES, EITHER, 2, PHYSICALLY);
    large = create_by(1, 220, MEMORY, 0, 0);
    make(&first, one->handle);
    touch(&first, one, map(&first, one->handle, AT), true);
    was_mapped(one, 0, 0);
    status = vidmm_make_resident(first.queue, &large->handle, 1,
                                 VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result, &rig.report);
    passes(&first, status, result.value);
    touch(&first, one, AT, true);
    was_mapped(one, 1, 0);
    evict_and_settle(large);
    touch(&first, one, AT, false);
    was_mapped(one, 1, 1);
    finish();
}

/* The property changes where it is. */
static void changed(void)
{
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1};
    struct vidmm_residency_result result;
    struct rig_allocation *one;
    NTSTATUS status;

    start_noted("");
    one = create_by(0, PAGES, APERTURE, 0, 0);
    make(&first, one->handle);
    touch(&first, one, map(&first, one->handle, AT), true);
    was_mapped(one, 0, 0);
    status = vidmm_update_property(first.queue, one->handle, &property, &result, &rig.report);
    passes(&first, status, result.value);
    was_mapped(one, 1, 0);
    touch(&first, one, AT, true);
    property.physical = 0;
    status = vidmm_update_property(first.queue, one->handle, &property, &result, &rig.report);
    passes(&first, status, result.value);
    was_mapped(one, 1, 1);
    touch(&first, one, AT, false);
    finish();
}

/* ---- primaries ------------------------------------------------------------------------------- */

static struct vidmm_resource *create_primary(bool primary, uint32_t set, uint32_t pages,
                                             struct rig_allocation *allocation)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = BYTES(pages),
                                            .read_set = set,
                                            .write_set = set,
                                            .preferred = set, /* segment 1 or 2 */
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = primary ? 0 : VIDMM_NO_SOURCE,
                                                  .primary = primary};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_resource *resource;

    if (vidmm_resource_create(first.device, &options, &description, 1, &resource,
                              &allocation->handle, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->id = ++rig.next_id;
    allocation->pages = pages;
    return resource;
}

static uint64_t first_piece(const struct rig_allocation *allocation)
{
    uint64_t size;

    vidmm_engine_where_at(rig.adapter->engine, vidmm_allocation_id(allocation->handle), 0, &size);
    return size;
}

/* In a memory with holes of 20 pages an allocation of 40 lies in several of them; a primary does
 * not. */
static void in_one_piece(bool primary)
{
    struct rig_allocation *shown = &rig.allocations[11];
    struct vidmm_resource *resource;

    start_noted("");
    for (uint32_t index = 0; index < 11; index++) {
        create(&first, &rig.allocations[index], 20);
        make(&first, rig.allocations[index].handle);
    }
    for (uint32_t index = 0; index < 10; index += 2) {
        evict(&first, rig.allocations[index].handle);
        vidmm_allocation_destroy(rig.allocations[index].handle);
        rig.allocations[index].handle = NULL;
    }
    vidmm_machine_settle(rig.machine);
    resource = create_primary(primary, MEMORY, 40, shown);
    make(&first, shown->handle);
    touch(&first, shown, map(&first, shown->handle, AT), true);
    assert_int_equal(first_piece(shown) == BYTES(40), primary);
    evict_and_settle(shown);
    vidmm_resource_destroy(resource);
    shown->handle = NULL;
    finish();
}

/* It is not displayed, so the aperture does not show it. */
static void not_mapped(void)
{
    struct rig_allocation *shown = &rig.allocations[0];
    struct vidmm_resource *resource;

    start_noted("");
    resource = create_primary(true, APERTURE, PAGES, shown);
    make(&first, shown->handle);
    touch(&first, shown, map(&first, shown->handle, AT), true);
    was_mapped(shown, 0, 0);
    evict_and_settle(shown);
    vidmm_resource_destroy(resource);
    shown->handle = NULL;
    finish();
}

static void shows(uint32_t source, struct rig_allocation *primary)
{
    if (vidmm_display_show(first.device, source, primary->handle, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

static void hides(uint32_t source)
{
    if (vidmm_display_hide(rig.adapter, source, &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

/* The screen has the bytes that the GPU has written, and no others. */
static void is_on_screen(uint32_t source, const struct rig_allocation *primary)
{
    const struct vidmm_content_key key = {.seed = RIG_SEED, .id = primary->id};
    static unsigned char picture[BYTES(64)];
    uint64_t digest = 0;

    assert_true(softgpu_device_picture(rig.gpu, source, picture, BYTES(primary->pages)));
    for (uint32_t page = 0; page < primary->pages; page++)
        assert_true(vidmm_content_check_page(picture + BYTES(page), key, page, primary->generation,
                                             &digest));
}

static void is_dark(uint32_t source)
{
    unsigned char picture[16];

    assert_false(softgpu_device_picture(rig.gpu, source, picture, sizeof(picture)));
}

static void destroy_primary(struct vidmm_resource *resource, struct rig_allocation *primary)
{
    evict_and_settle(primary);
    vidmm_resource_destroy(resource);
    primary->handle = NULL;
}

/* A primary in the aperture's segment is mapped from the moment on at which it is displayed, and as
 * long as that, whether it was used before or not. */
static void mapped_while_displayed(void)
{
    struct rig_allocation *one = &rig.allocations[0], *other = &rig.allocations[1];
    struct vidmm_resource *resources[2];

    start_noted(SCREENS);
    resources[0] = create_primary(true, APERTURE, PAGES, one);
    resources[1] = create_primary(true, APERTURE, PAGES, other);
    make(&first, one->handle);
    make(&first, other->handle);
    touch(&first, one, map(&first, one->handle, AT), true);
    touch(&first, other, map(&first, other->handle, 2 * AT), true);
    was_mapped(one, 0, 0);
    is_dark(0);
    shows(0, one);
    was_mapped(one, 1, 0);
    is_on_screen(0, one);
    shows(0, other); /* mapped before, and the other is let go behind it */
    was_mapped(other, 1, 0);
    was_mapped(one, 1, 1);
    is_on_screen(0, other);
    touch(&first, one, AT, true);
    touch(&first, other, 2 * AT, true);
    is_on_screen(0, other); /* as it is now */
    shows(1, one);
    was_mapped(one, 2, 1);
    is_on_screen(1, one);
    hides(0);
    was_mapped(other, 1, 1);
    is_dark(0);
    hides(1);
    was_mapped(one, 2, 2);
    touch(&first, one, AT, false);
    touch(&first, other, 2 * AT, false);
    destroy_primary(resources[0], one);
    destroy_primary(resources[1], other);
    finish();
}

/* In memory it is displayed from there, in one piece, and no aperture shows it. */
static void displayed_from_memory(void)
{
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_resource *resource;

    start_noted(SCREENS);
    resource = create_primary(true, MEMORY, 40, one);
    make(&first, one->handle);
    touch(&first, one, map(&first, one->handle, AT), true);
    shows(0, one);
    is_on_screen(0, one);
    assert_int_equal(first_piece(one), BYTES(40));
    was_mapped(one, 0, 0);
    hides(0);
    was_mapped(one, 0, 0);
    destroy_primary(resource, one);
    finish();
}

/* A primary that is accessed physically is mapped all the while, displayed or not. */
static void displayed_and_physical(void)
{
    struct vidmm_property property = {.mask = VIDMM_PROPERTY_PHYSICAL, .physical = 1};
    struct rig_allocation *one = &rig.allocations[0];
    struct vidmm_residency_result result;
    struct vidmm_resource *resource;
    NTSTATUS status;

    start_noted(SCREENS);
    resource = create_primary(true, APERTURE, PAGES, one);
    status = vidmm_update_property(first.queue, one->handle, &property, &result, &rig.report);
    passes(&first, status, result.value);
    make(&first, one->handle);
    touch(&first, one, map(&first, one->handle, AT), true);
    was_mapped(one, 1, 0);
    shows(0, one);
    is_on_screen(0, one);
    hides(0);
    was_mapped(one, 1, 0);
    destroy_primary(resource, one);
    finish();
}

void shows_D_022(void **state)
{
    (void)state;
    in_one_piece(true);
    in_one_piece(false);
    not_mapped();
    mapped_while_displayed();
    displayed_from_memory();
}

void shows_D_099(void **state)
{
    (void)state;
    only_in_the_aperture();
    demoted();
    changed();
    not_mapped();
    mapped_while_displayed();
    displayed_and_physical();
}
