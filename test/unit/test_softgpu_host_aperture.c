/* The CPU host aperture of the software GPU: what it says, what the CPU sees, what is refused. */
#include "test_softgpu_world.h"

enum { MEMORY_PAGES = 160 }; /* ten pages of aperture */

static struct softgpu_config config_of_aperture(void)
{
    struct softgpu_config config = machine_small_config();

    config.wddm = 20;
    config.segments[1].size = MEMORY_PAGES * 4096;
    config.segments[1].cpu_visible = false;
    config.segments[1].host_aperture = true;
    return config;
}

/* Segment `id` as QUERYSEGMENT4 describes it. */
static DXGK_SEGMENTDESCRIPTOR4 describe(UINT id)
{
    DXGK_SEGMENTDESCRIPTOR4 segments[2];
    DXGK_QUERYSEGMENTIN4 in = {.PhysicalAdapterIndex = 0};
    DXGK_QUERYSEGMENTOUT4 out = {.NbSegment = 2,
                                 .pSegmentDescriptor = (BYTE *)segments,
                                 .SegmentDescriptorStride = sizeof(segments[0])};

    memset(segments, 0, sizeof(segments));
    assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof(in), &out, sizeof(out)),
                     STATUS_SUCCESS);
    return segments[id - 1];
}

static NTSTATUS map(UINT segment, HANDLE allocation, UINT count, UINT32 *pages, UINT64 *memory)
{
    DXGKARG_MAPCPUHOSTAPERTURE args = {.hAllocation = allocation,
                                       .SegmentId = (WORD)segment,
                                       .NumberOfPages = count,
                                       .pCpuHostAperturePages = pages,
                                       .pMemorySegmentPages = memory};

    return world.ddi.DxgkDdiMapCpuHostAperture(world.adapter, &args);
}

static NTSTATUS unmap(UINT segment, UINT count, UINT32 *pages)
{
    DXGKARG_UNMAPCPUHOSTAPERTURE args = {
        .SegmentId = (WORD)segment, .NumberOfPages = count, .pCpuHostAperturePages = pages};

    return world.ddi.DxgkDdiUnmapCpuHostAperture(world.adapter, &args);
}

/* A page of memory is what the CPU sees there; MEMORY_PAGES: nothing. */
static void assert_seen(UINT page, uint64_t memory)
{
    uint64_t seen = world.machine.view[page];

    if (memory == MEMORY_PAGES)
        assert_int_equal(seen, 0);
    else
        assert_true(seen == MACHINE_BAR(1) + memory * 4096);
}

/* ---- what it says ---------------------------------------------------------------------------- */

static void it_is_a_sixteenth_of_its_segment(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct softgpu_config config = config_of_aperture();
        DXGK_SEGMENTDESCRIPTOR4 segment;

        if (wide) { /* D-175: pages of the segment */
            config.wddm = 29;
            config.mmu.kind = SOFTGPU_MMU_GPU;
            config.mmu.pages_64k = SOFTGPU_64K_SINGLE;
            config.segments[1].size = 512 * 4096;
            config.segments[1].host_cached = true;
        }
        begin(&config);
        segment = describe(MEMORY);
        assert_true(segment.Flags.SupportsCpuHostAperture);
        assert_false(segment.Flags.CpuVisible); /* D-043 */
        assert_int_equal(segment.Flags.SupportsCachedCpuHostAperture, wide);
        assert_true(segment.CpuHostAperture.PhysicalAddress == MACHINE_BAR(2));
        assert_int_equal(segment.CpuHostAperture.SizeInPages, wide ? 2 : 10);
        assert_int_equal(describe(APERTURE).Flags.SupportsCpuHostAperture, 0);
        end();
    }
}

static void where_there_is_none_nothing_is_said(void **state)
{
    struct softgpu_config config = machine_small_config();
    UINT32 page = 0;
    UINT64 memory = 0;

    (void)state;
    config.wddm = 20;
    begin(&config);
    assert_int_equal(describe(MEMORY).Flags.SupportsCpuHostAperture, 0);
    assert_true(describe(MEMORY).CpuTranslatedAddress.QuadPart != 0);
    assert_int_equal(map(MEMORY, NULL, 1, &page, &memory), STATUS_INVALID_PARAMETER);
    assert_refused("the one with an aperture is 0");
    end();
}

/* ---- what the CPU sees ----------------------------------------------------------------------- */

/* D-176, S2-024: in any order; hAllocation may be NULL */
static void pages_appear_in_the_places_that_are_named(void **state)
{
    struct softgpu_config config = config_of_aperture();
    UINT32 pages[] = {7, 2, 9}, more[] = {0};
    UINT64 memory[] = {MEMORY_PAGES - 1, 31, 7}, others[] = {31};

    (void)state;
    begin(&config);
    assert_int_equal(map(MEMORY, NULL, 3, pages, memory), STATUS_SUCCESS);
    assert_int_equal(map(MEMORY, NULL, 1, more, others), STATUS_SUCCESS);
    assert_seen(7, MEMORY_PAGES - 1);
    assert_seen(2, 31);
    assert_seen(9, 7);
    assert_seen(0, 31);
    assert_seen(1, MEMORY_PAGES);
    assert_int_equal(unmap(MEMORY, 2, pages), STATUS_SUCCESS);
    assert_seen(7, MEMORY_PAGES);
    assert_seen(2, MEMORY_PAGES);
    assert_seen(9, 7);
    assert_int_equal(map(MEMORY, NULL, 2, pages, memory + 1), STATUS_SUCCESS);
    assert_seen(7, 31);
    assert_seen(2, 7);
    end();
}

static void a_page_of_64k_is_sixteen_of_4k(void **state)
{
    struct softgpu_config config = config_of_aperture();
    UINT32 page = 1;
    UINT64 memory = 3;

    (void)state;
    config.mmu.kind = SOFTGPU_MMU_GPU;
    config.mmu.pages_64k = SOFTGPU_64K_SINGLE;
    config.segments[1].size = 512 * 4096;
    begin(&config);
    assert_int_equal(map(MEMORY, NULL, 1, &page, &memory), STATUS_SUCCESS);
    for (UINT i = 0; i < 16; i++)
        assert_true(world.machine.view[16 + i] == MACHINE_BAR(1) + (3 * 16 + i) * 4096);
    assert_int_equal(world.machine.view[15], 0);
    end();
}

static void nothing_is_shown_after_a_loss_of_power_or_a_new_start(void **state)
{
    struct softgpu_config config = config_of_aperture();
    UINT32 page = 4;
    UINT64 memory = 5;

    (void)state;
    begin(&config);
    assert_int_equal(map(MEMORY, NULL, 1, &page, &memory), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiSetPowerState(world.adapter, DISPLAY_ADAPTER_HW_ID,
                                                    PowerDeviceD3, PowerActionSleep),
                     STATUS_SUCCESS);
    assert_seen(4, MEMORY_PAGES);
    assert_int_equal(world.ddi.DxgkDdiSetPowerState(world.adapter, DISPLAY_ADAPTER_HW_ID,
                                                    PowerDeviceD0, PowerActionSleep),
                     STATUS_SUCCESS);
    assert_int_equal(map(MEMORY, NULL, 1, &page, &memory), STATUS_SUCCESS);
    assert_seen(4, 5);
    assert_int_equal(world.ddi.DxgkDdiStopDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(start_device(31), STATUS_SUCCESS);
    assert_seen(4, MEMORY_PAGES);
    end();
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* A wrong page behind a right one: nothing of the call stays. */
static void refused_map(UINT segment, HANDLE allocation, UINT32 page, UINT64 memory,
                        const char *text)
{
    struct softgpu_config config = config_of_aperture();
    UINT32 first = 6, pages[] = {3, page};
    UINT64 one = 1, memories[] = {20, memory};

    begin(&config);
    assert_int_equal(map(MEMORY, NULL, 1, &first, &one), STATUS_SUCCESS);
    assert_int_equal(map(segment, allocation, 2, pages, memories), STATUS_INVALID_PARAMETER);
    assert_refused(text);
    assert_seen(3, MEMORY_PAGES);
    assert_seen(6, 1);
    assert_int_equal(map(MEMORY, NULL, 1, pages, memories), STATUS_SUCCESS);
    end();
}

static void a_map_that_is_wrong_changes_nothing(void **state)
{
    UINT kind = 0x6f634753; /* a context */

    (void)state;
    refused_map(APERTURE, NULL, 4, 5, "SegmentId 1; the one with an aperture is 2");
    refused_map(MEMORY, NULL, 10, 5, "page 10; SizeInPages is 10");
    refused_map(MEMORY, NULL, 4, MEMORY_PAGES, "page 160 of a segment of 160");
    refused_map(MEMORY, NULL, 6, 5, "page 6 is mapped already"); /* D-177 */
    refused_map(MEMORY, NULL, 3, 5, "page 3 is mapped already");
    refused_map(MEMORY, &kind, 4, 5, "hAllocation is no allocation");
}

static void an_unmap_of_what_is_not_mapped_changes_nothing(void **state)
{
    struct softgpu_config config = config_of_aperture();
    UINT32 pages[] = {3, 4}, behind = 10;
    UINT64 memory = 20;

    (void)state;
    begin(&config);
    assert_int_equal(map(MEMORY, NULL, 1, pages, &memory), STATUS_SUCCESS);
    assert_int_equal(unmap(MEMORY, 2, pages), STATUS_INVALID_PARAMETER);
    assert_refused("page 4 of 10 is not mapped");
    assert_seen(3, 20);
    assert_int_equal(unmap(MEMORY, 1, &behind), STATUS_INVALID_PARAMETER);
    assert_int_equal(unmap(APERTURE, 1, pages), STATUS_INVALID_PARAMETER);
    assert_seen(3, 20);
    assert_int_equal(unmap(MEMORY, 1, pages), STATUS_SUCCESS);
    assert_seen(3, MEMORY_PAGES);
    end();
}

static void a_machine_without_room_has_no_such_device(void **state)
{
    struct softgpu_config config = config_of_aperture();
    struct vidmm_device_model model;
    struct machine machine;
    char error[SOFTGPU_TEXT] = "";

    (void)state;
    machine_init(&machine);
    machine.bus.add_view = NULL;
    assert_null(softgpu_device_create(&machine.bus, &config, &model, error, sizeof(error)));
    assert_non_null(strstr(error, "CPU host aperture, 40960 bytes"));
    for (int i = 0; i < VIDMM_BUS_REGIONS; i++)
        free(machine.bar[i]);
    free(machine.system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_sixteenth_of_its_segment),
        cmocka_unit_test(where_there_is_none_nothing_is_said),
        cmocka_unit_test(pages_appear_in_the_places_that_are_named),
        cmocka_unit_test(a_page_of_64k_is_sixteen_of_4k),
        cmocka_unit_test(nothing_is_shown_after_a_loss_of_power_or_a_new_start),
        cmocka_unit_test(a_map_that_is_wrong_changes_nothing),
        cmocka_unit_test(an_unmap_of_what_is_not_mapped_changes_nothing),
        cmocka_unit_test(a_machine_without_room_has_no_such_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
