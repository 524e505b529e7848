/* shows_segments.c: segments.def, obeyed. */
#include "flag_words.h"
#include "placed.h"

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

#include "unit/test_by_address.h"
#include "unit/test_start_rig.h"

enum { DIRECTION = 0x20 }; /* of a slot of DXGK_SEGMENTPREFERENCE: from the end */

void shows_S0_043(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, other, large;
    struct shown shown;

    (void)state;
    placed_init(&shown, NULL, NULL); /* 64 pages: the last fifth begins in page 51 */
    wish.flags = OVERLAY;
    assert_true(placed_now(&shown, &one, &wish).offset >= PLACED_PAGES(52));
    wish.flags = OVERLAY | 0x40;
    assert_true(placed_now(&shown, &other, &wish).offset >= PLACED_PAGES(52));
    wish = placed_wish(13, 2);
    assert_int_equal(placed_try(&shown, &large, &wish), STATUS_SUCCESS); /* no overlay: anywhere */
    wish.flags = OVERLAY;
    assert_int_equal(placed_try(&shown, &large, &wish), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    shown_finish(&shown);
}

void shows_S0_045(void **state)
{
    struct softgpu_allocation overlay = placed_wish(16, 1), wish = placed_wish(110, 2);
    struct rig_allocation pinned, large, other, *list = &large;
    struct shown shown;

    (void)state;
    placed_init(&shown, "segment 1 aperture 512K\nsegment 2 memory 640K\n", NULL);
    overlay.flags = OVERLAY;
    wish.evict_set = 1;
    placed_now(&shown, &pinned, &overlay);
    placed_now(&shown, &large, &wish);
    placed_now(&shown, &other, &wish); /* the first has to leave, and cannot by the aperture */
    assert_int_equal(placed_builds(&shown, 0, &large, VIDMM_TRANSFER), 0);
    assert_int_equal(placed_builds(&shown, 0, &large, VIDMM_DISCARD_CONTENT), 1);
    assert_int_equal(rig_render(&shown.rig, &list, 1, 0), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    placed_use(&shown, &other, 0); /* nobody else notices */
    assert_int_equal(placed_at(&shown, &pinned).segment, 1);
    shown_finish(&shown);
}

/* The word has five bits for it, and the entries of what is in segment 8 say so. */
static void entries_name_it(void)
{
    DXGK_PTE entry = {.Segment = 31};
    struct vidmm_allocation *allocation;
    const struct by_call *call;
    unsigned from = 0;

    assert_int_equal(entry.Segment, 31);
    entry.Segment++;
    assert_int_equal(entry.Segment, 0); /* no sixth */
    by_start(BY_GPU "segment 3 memory 64K\nsegment 4 memory 64K\nsegment 5 memory 64K\n"
                    "segment 6 memory 64K\nsegment 7 memory 64K\nsegment 8 memory 64K\n");
    allocation = by_create(4 * (uint64_t)VIDMM_PAGE_SIZE, 1u << 7);
    by_make_resident(allocation->id);
    by_wait();
    by_count = 0;
    by_map(allocation, 0, VIDMM_ADDRESSES_WRITE);
    by_wait();
    do
        call = by_find(&from, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    while (call->build.UpdatePageTable.PageTableLevel != 0 || !call->entries[0].Valid);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(call->entries[i].Segment, 8);
    vidmm_allocation_destroy(allocation);
    by_finish();
}

void shows_D_005(void **state)
{
    static const char gpu[] = "segment 1 aperture 1M\nsegment 2 memory 64K\nsegment 3 memory 64K\n"
                              "segment 4 memory 64K\nsegment 5 memory 64K\nsegment 6 memory 64K\n"
                              "segment 7 memory 64K\nsegment 8 memory 64K\n";
    struct softgpu_allocation wish = placed_wish(4, 0xff);
    struct rig_options options = rig_defaults();
    struct rig_allocation one;
    struct shown shown;

    (void)state;
    placed_init(&shown, gpu, NULL);
    wish.preferred = 8 | DIRECTION; /* five bits, and the sixth is the direction */
    placed_is(placed_now(&shown, &one, &wish), 8, 12);
    shown_finish(&shown);
    options.gpu = "broken segments_many\n"; /* 33: their identifiers would not fit */
    shown_build(&shown, &options, NULL);
    shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-005");
    shown_end(&shown);
    entries_name_it();
}

/* The most bytes that were mapped at once into the segments of a set, by the calls. */
static uint64_t most_mapped(const struct shown *shown, uint32_t set)
{
    uint64_t mapped = 0, most = 0;

    for (size_t i = 0; i < shown->operation_count; i++) {
        const struct vidmm_operation *operation = &shown->operations[i];

        if (operation->kind != VIDMM_DO_BUILD ||
            (operation->build.flags & VIDMM_PAGING_AGAIN) != 0 ||
            (set >> operation->build.destination.segment & 1) == 0)
            continue;
        if (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT)
            mapped += operation->build.size;
        if (operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT)
            mapped -= operation->build.size;
        most = mapped > most ? mapped : most;
    }
    return most;
}

/* Four allocations of 20 pages, one after the other, over and over. */
static void map_in_turn(struct shown *shown, uint32_t set)
{
    struct rig_allocation allocations[4];
    struct softgpu_allocation wish = placed_wish(20, set);

    for (uint32_t i = 0; i < 4; i++) {
        wish.preferred = set == 1 || i % 2 == 0 ? 1 : 3;
        placed_create(shown, &allocations[i], &wish);
    }
    for (uint32_t i = 0; i < 12; i++)
        placed_use(shown, &allocations[i % 4], 1);
}

void shows_D_010(void **state)
{
    struct vidmm_segment_info info;
    struct shown shown;

    (void)state;
    placed_init(&shown, "segment 1 aperture 1M commit 256K\nsegment 2 memory 256K\n", NULL);
    map_in_turn(&shown, 1);
    assert_true(most_mapped(&shown, 1 << 1) <= 256 << 10);
    assert_true(most_mapped(&shown, 1 << 1) > (256 << 10) - PLACED_PAGES(20)); /* it did bind */
    vidmm_adapter_segment(shown.rig.adapter, 2, &info);
    assert_int_equal(info.commit_limit, 256 << 10);
    shown_finish(&shown);
    placed_init(&shown, "segment 1 aperture 1M\nsegment 2 memory 256K\n", NULL);
    map_in_turn(&shown, 1); /* without the limit all four stay */
    assert_true(most_mapped(&shown, 1 << 1) >= PLACED_PAGES(80));
    shown_finish(&shown);
}

static void limit_apertures(DXGK_DRIVERCAPS *caps)
{
    caps->ApertureSegmentCommitLimit = 256 << 10;
}

void shows_D_011(void **state)
{
    static const char gpu[] =
        "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 aperture 1M\n";
    struct vidmm_memory_totals totals;
    struct shown shown;

    (void)state;
    shown_bend.caps = limit_apertures;
    placed_init(&shown, gpu, shown_bend_caps);
    map_in_turn(&shown, 5);
    assert_true(most_mapped(&shown, 1 << 1 | 1 << 3) <= 256 << 10);
    assert_true(most_mapped(&shown, 1 << 1) > 0 && most_mapped(&shown, 1 << 3) > 0);
    shown_finish(&shown);
    shown_bend.caps = NULL;
    placed_init(&shown, gpu, NULL); /* computed: their own limits are lower than half of 8 MB */
    vidmm_adapter_memory_totals(shown.rig.adapter, &totals);
    assert_int_equal(totals.shared, 2 << 20);
    map_in_turn(&shown, 5);
    assert_true(most_mapped(&shown, 1 << 1 | 1 << 3) >= PLACED_PAGES(80));
    shown_finish(&shown);
}

void shows_D_017(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation one;
    struct shown shown;

    (void)state;
    placed_init(&shown, "segment 1 aperture 1M\nsegment 2 memory 256K banks 64K,128K,192K\n", NULL);
    wish.preferred = 2;
    wish.hinted_bank = 2; /* of 16 pages */
    assert_true(placed_now(&shown, &one, &wish).offset + PLACED_PAGES(40) <= 256 << 10);
    shown_finish(&shown);
}

static uint32_t described_preference;

static void describe_preference(DXGK_ALLOCATIONINFO *info)
{
    info->PreferredSegment.Value = described_preference;
}

/* Three allocations of 10 pages of 16 in one command: no two fit into one segment. */
static void place_three(struct shown *shown, struct rig_allocation *three)
{
    const struct softgpu_allocation wish = placed_wish(10, 0xe);
    struct rig_allocation *list[3];

    for (uint32_t i = 0; i < 3; i++) {
        placed_create(shown, &three[i], &wish);
        list[i] = &three[i];
    }
    assert_int_equal(rig_render(&shown->rig, list, 3, 7), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

void shows_D_018(void **state)
{
    static const char gpu[] = "segment 1 aperture 1M\nsegment 2 memory 64K\nsegment 3 memory 64K\n"
                              "segment 4 memory 64K\n";
    struct rig_allocation three[3];
    struct shown shown;

    (void)state;
    shown_bend.change = describe_preference;
    placed_init(&shown, gpu, shown_bend_creation);
    described_preference = 4 | (2 | DIRECTION) << 6 | 3 << 12;
    place_three(&shown, three);
    placed_is(placed_at(&shown, &three[0]), 4, 0);
    placed_is(placed_at(&shown, &three[1]), 2, 6);
    placed_is(placed_at(&shown, &three[2]), 3, 0);
    shown_finish(&shown);
    placed_init(&shown, gpu, shown_bend_creation);
    described_preference = 3 | 0 << 6 | 4 << 12; /* 0 ends it: 4 is preferred to 2 no more */
    place_three(&shown, three);
    assert_int_equal(placed_at(&shown, &three[0]).segment, 3);
    assert_int_equal(placed_at(&shown, &three[1]).segment, 2);
    assert_int_equal(placed_at(&shown, &three[2]).segment, 4);
    shown_finish(&shown);
}

static DXGKDDI_BUILDPAGINGBUFFER *build_paging_buffer;
static uint64_t frame_limit, frames_seen;

static NTSTATUS build_looking(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const MDL *mdl = NULL;

    if (arguments->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT)
        mdl = arguments->MapApertureSegment.pMdl;
    if (arguments->Operation == DXGK_OPERATION_TRANSFER &&
        arguments->Transfer.Destination.SegmentId == 0)
        mdl = arguments->Transfer.Destination.pMdl;
    for (uint32_t page = 0; mdl != NULL && page < mdl->ByteCount / VIDMM_PAGE_SIZE; page++) {
        assert_true(((const PFN_NUMBER *)(const void *)(mdl + 1))[page] < frame_limit);
        frames_seen++;
    }
    return build_paging_buffer(adapter, arguments);
}

static void bend_building(DRIVER_INITIALIZATION_DATA *driver)
{
    build_paging_buffer = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_looking;
}

void shows_D_029(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 3);
    struct rig_allocation allocations[16];
    struct shown shown;
    uint32_t count = 0;

    (void)state; /* system memory begins at 4 GiB: a megabyte of it is below the limit */
    frame_limit = ((UINT64_C(4) << 30) + (1 << 20)) >> VIDMM_PAGE_SHIFT;
    frames_seen = 0;
    placed_init(&shown, "highest_address 4195328K\n", bend_building);
    while (count < 16 && placed_try(&shown, &allocations[count], &wish) == STATUS_SUCCESS)
        placed_use(&shown, &allocations[count++], 1);
    assert_true(count > 2 && count < 7); /* 256 pages in all, and no other is taken */
    assert_true(frames_seen > 100);
    shown_finish(&shown);
}

static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;
static DXGKDDI_PATCH *patch;
static uint64_t told_base, told_size, patched;

/* The driver says something else about its AGP segment. */
static NTSTATUS query_agp(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_adapter_info(adapter, query);
    const DXGK_QUERYSEGMENTIN *in = query->pInputData;
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;

    if (query->Type != DXGKQAITYPE_QUERYSEGMENT3 || out->pSegmentDescriptor == NULL)
        return status;
    told_base = (uint64_t)in->AgpApertureBase.QuadPart;
    told_size = (uint64_t)in->AgpApertureSize.QuadPart;
    out->pSegmentDescriptor[2].BaseAddress.QuadPart = 0x1234000;
    out->pSegmentDescriptor[2].Size = 12345;
    return status;
}

static NTSTATUS patch_agp(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    for (UINT i = 0; i < arguments->AllocationListSize; i++)
        if (arguments->pAllocationList[i].SegmentId == 3)
            patched = (uint64_t)arguments->pAllocationList[i].PhysicalAddress.QuadPart;
    return patch(adapter, arguments);
}

static void bend_agp(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    patch = driver->DxgkDdiPatch;
    driver->DxgkDdiQueryAdapterInfo = query_agp;
    driver->DxgkDdiPatch = patch_agp;
}

void shows_D_008(void **state)
{
    const struct softgpu_allocation wish = placed_wish(4, 4);
    struct rig_options options = rig_defaults();
    struct vidmm_segment_info info;
    struct rig_allocation one;
    struct shown shown;

    (void)state;
    options.gpu = "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 agp 4K\n";
    options.agp_aperture = 512 << 10;
    shown_init(&shown, &options, bend_agp);
    placed_now(&shown, &one, &wish); /* and found there, every byte */
    assert_true(told_base != 0 && told_size == 512 << 10);
    assert_int_equal(patched, told_base + placed_at(&shown, &one).offset);
    vidmm_adapter_segment(shown.rig.adapter, 3, &info);
    assert_true(info.base_address == told_base && info.size == told_size);
    shown_finish(&shown);
}

/* ---- hibernation ----------------------------------------------------------------------------- */

/* Three allocations of 16K from the start of the segment on: how many are saved if so much is
 * preserved. */
static size_t saved_beyond(const char *gpu)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *all[3];
    struct shown it;
    size_t at, saved;

    options.gpu = gpu;
    shown_init(&it, &options, NULL);
    for (unsigned i = 0; i < 3; i++) {
        all[i] = &it.rig.allocations[i];
        assert_int_equal(rig_create(&it.rig, all[i], 16384, 2, CPU_VISIBLE), STATUS_SUCCESS);
    }
    assert_int_equal(rig_render(&it.rig, all, 3, 7), STATUS_SUCCESS);
    vidmm_context_wait(it.rig.context, it.rig.value);
    at = it.call_count;
    assert_int_equal(vidmm_adapter_set_power(it.rig.adapter, VIDMM_POWER_HIBERNATE, NULL),
                     STATUS_SUCCESS);
    saved = shown_count_builds(&it, at, DXGK_OPERATION_TRANSFER);
    assert_int_equal(vidmm_adapter_set_power(it.rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    assert_int_equal(rig_render(&it.rig, all, 3, 0), STATUS_SUCCESS); /* and every byte is there */
    vidmm_context_wait(it.rig.context, it.rig.value);
    shown_finish(&it);
    return saved;
}

void shows_D_028(void **state)
{
#define PARTLY(size)                                                                               \
    "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible standby partly " size "\n"

    (void)state;
    assert_int_equal(saved_beyond(PARTLY("32K")), 1); /* the second ends just there */
    assert_int_equal(saved_beyond(PARTLY("28K")), 2); /* the second straddles it */
    assert_int_equal(saved_beyond(PARTLY("4K")), 3);
    assert_int_equal(saved_beyond(PARTLY("48K")), 0);
}

/* ---- ranges that must not be used ---- */

enum { INVALID_RANGES = 2, INVALID_PAGES = 3, MEMORY_PAGES = 64 };
static const DXGK_MEMORYRANGE invalid[INVALID_RANGES] = {{PLACED_PAGES(0), PLACED_PAGES(1)},
                                                         {PLACED_PAGES(20), PLACED_PAGES(2)}};
static UINT invalid_count, ranges_asked;

static NTSTATUS query_invalid(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_QUERYSEGMENTMEMORYSTATE *state = query->pOutputData;
    const DXGK_QUERYSEGMENTOUT4 *out = query->pOutputData;
    NTSTATUS status;

    if (query->Type == DXGKQAITYPE_SEGMENTMEMORYSTATE) {
        ranges_asked++;
        assert_int_equal(state->DriverSegmentId, 2);
        assert_int_equal(state->NumInvalidMemoryRanges, invalid_count);
        memcpy(state->pMemoryRanges, invalid, invalid_count * sizeof(invalid[0]));
        return STATUS_SUCCESS;
    }
    status = query_adapter_info(adapter, query);
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT4 && out->pSegmentDescriptor != NULL) {
        void *second = (char *)out->pSegmentDescriptor + out->SegmentDescriptorStride;

        ((DXGK_SEGMENTDESCRIPTOR4 *)second)->NumInvalidMemoryRanges = invalid_count;
    }
    return status;
}

static void bend_ranges(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_invalid;
}

/* Have single pages resident until no more fit; answers how many do. */
static unsigned fill_memory(struct shown *shown, bool taken[MEMORY_PAGES])
{
    static struct rig_allocation all[MEMORY_PAGES + 1];
    struct softgpu_allocation wish = placed_wish(1, 2);
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;
    unsigned count = 0;

    wish.flags = ACCESSED_PHYSICALLY;
    assert_int_equal(vidmm_paging_queue_create(shown->rig.device, 1, &queue, NULL), 0);
    for (; count <= MEMORY_PAGES; count++) {
        NTSTATUS status;
        uint64_t page;

        placed_create(shown, &all[count], &wish);
        status = vidmm_make_resident(queue, &all[count].handle, 1, 0, &result, NULL);
        if (status == STATUS_PENDING)
            status = vidmm_paging_queue_wait(queue, result.value, NULL);
        if (status != STATUS_SUCCESS)
            break;
        placed_use(shown, &all[count], 1);
        assert_int_equal(placed_at(shown, &all[count]).segment, 2);
        page = placed_at(shown, &all[count]).offset / VIDMM_PAGE_SIZE;
        assert_false(taken[page]);
        taken[page] = true;
    }
    return count;
}

static void fills_all_but(UINT ranges, unsigned pages)
{
    bool taken[MEMORY_PAGES] = {false};
    struct shown shown;

    invalid_count = ranges;
    ranges_asked = 0;
    placed_init(&shown, "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K\n", bend_ranges);
    assert_int_equal(ranges_asked, ranges == 0 ? 0 : 1);
    assert_int_equal(fill_memory(&shown, taken), MEMORY_PAGES - pages);
    for (UINT range = 0; range < ranges; range++)
        for (uint64_t at = 0; at < invalid[range].SizeInBytes; at += VIDMM_PAGE_SIZE)
            assert_false(taken[(invalid[range].SegmentOffset + at) / VIDMM_PAGE_SIZE]);
    shown_finish(&shown);
}

static void range_is_refused(enum script_model model, DXGK_MEMORYRANGE range, const char *member)
{
    script_init(model);
    script.segments[0].NumInvalidMemoryRanges = 1;
    script.ranges[0] = range;
    script_is_refused(member, "(D-026)");
}

void shows_D_026(void **state)
{
    (void)state;
    fills_all_but(0, 0);
    fills_all_but(INVALID_RANGES, INVALID_PAGES);
    range_is_refused(SCRIPT_GPU_MMU, (DXGK_MEMORYRANGE){100, 4096}, "SegmentOffset is 100");
    range_is_refused(SCRIPT_GPU_MMU, (DXGK_MEMORYRANGE){4096, 100}, "SizeInBytes is 100");
}

/* ---- apertures ---- */

/* A start with this many apertures behind the segment of memory. */
static void script_apertures(enum script_model model, uint32_t count)
{
    script_init(model);
    for (uint32_t index = 1; index < count; index++) {
        script.segments[1 + index] = script.segments[1];
        script.segments[1 + index].BaseAddress.QuadPart += (LONGLONG)index << 30;
    }
    script.segment_count = 1 + count;
}

/* The finding about D-019 in words; NULL: there is none. */
static const char *found_of_apertures(void)
{
    static struct vidmm_finding finding; /* that is returned */

    for (uint32_t index = 0; vidmm_adapter_finding(script.adapter, index, &finding); index++)
        if (strcmp(finding.rule, "D-019") == 0)
            return finding.first;
    return NULL;
}

/* None, two and three are told, and no adapter is refused for them, strict or not. */
void shows_D_019(void **state)
{
    const struct {
        uint32_t count;
        const char *text;
    } counts[] = {{0, "count of aperture segments is 0x0"},
                  {1, NULL},
                  {2, "count of aperture segments is 0x2"},
                  {3, "count of aperture segments is 0x3"}};
    struct shown shown;

    (void)state;
    shown_init_gpu(&shown,
                   "segment 1 aperture 512K\nsegment 2 memory 640K\nsegment 3 aperture 512K\n",
                   NULL); /* WDDM 1 asks for no number */
    assert_int_equal(shown_findings(&shown, "D-019"), 0);
    shown_finish(&shown);
    for (size_t index = 0; index < sizeof(counts) / sizeof(counts[0]); index++) {
        uint32_t count = counts[index].count;
        const char *text = counts[index].text;

        script_apertures(SCRIPT_GPU_MMU, count);
        script_starts();
        assert_true(script_finds("D-019", count != 1));
        if (count != 1 && strstr(found_of_apertures(), text) == NULL)
            fail_msg("\"%s\" is not in: %s", text, found_of_apertures());
        script_stop();
        script_finish();
        script_apertures(SCRIPT_GPU_MMU, count);
        script.options.strict = true; /* it is a warning */
        script_starts();
        assert_true(script_finds("D-019", count != 1));
        script_stop();
        script_finish();
    }
}

/* ---- memory of 64 KiB pages ---- */

#define WIDE_MEMORY(kind) BY_GPU "page_table_segment 2\npages_64k " kind "\n"

enum { WIDE_ALLOCATIONS = 6, WIDE_SIZE = 0x10000, IN_ONE_PIECE = 0x8000 /* AccessedPhysically */ };

/* The driver leaves the alignment to the manager. */
static void leave_alignment(DXGK_ALLOCATIONINFO *info)
{
    info->Alignment = 0;
}

/* Map some of its pages wherever there is room. Answers where. */
static uint64_t map_pages(const struct vidmm_allocation *allocation, uint64_t first, uint64_t pages)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = BY_PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.access = VIDMM_ADDRESSES_WRITE;
    event.addresses.allocation = allocation->id;
    event.addresses.offset = first * VIDMM_PAGE_SIZE;
    event.addresses.size = pages * VIDMM_PAGE_SIZE;
    assert_int_equal(by_tell(event), STATUS_SUCCESS);
    return vidmm_engine_address(by_rig.adapter->engine);
}

/* Entries of the program's leaves that lead to memory; each address ends as its page does. */
static unsigned pages_in_step(void)
{
    unsigned count = 0;

    for (unsigned at = 0; (at = by_next(at, DXGK_OPERATION_UPDATE_PAGE_TABLE)) < by_count; at++) {
        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at].build.UpdatePageTable;
        uint64_t page = update->Flags.Use64KBPages ? WIDE_SIZE : VIDMM_PAGE_SIZE;

        if (update->hProcess != by_process(BY_PROGRAM) || update->PageTableLevel != 0 ||
            update->Flags.Repeat)
            continue;
        for (unsigned i = 0; i < update->NumPageTableEntries; i++) {
            const DXGK_PTE *entry = &by_calls[at].entries[i];

            assert_true(entry->Valid && entry->Segment == 2);
            assert_int_equal((update->FirstPteVirtualAddress + i * page) % WIDE_SIZE,
                             (uint64_t)entry->PageAddress * VIDMM_PAGE_SIZE % WIDE_SIZE);
            count += (unsigned)(page / VIDMM_PAGE_SIZE);
        }
    }
    return count;
}

/* Allocations of odd sizes; then holes between them, for one that lies in pieces. */
static void fill_wide_memory(const char *gpu)
{
    static const unsigned pages[WIDE_ALLOCATIONS] = {1, 17, 15, 40, 16, 3};
    struct vidmm_allocation *allocations[WIDE_ALLOCATIONS], *pieces;
    unsigned whole = 0;

    by_start(gpu);
    for (unsigned i = 0; i < WIDE_ALLOCATIONS; i++) {
        struct vidmm_place place;

        allocations[i] =
            by_create_flagged(pages[i] * (uint64_t)VIDMM_PAGE_SIZE - 100, 2, i % 2 * IN_ONE_PIECE);
        assert_int_equal(allocations[i]->backing.pages, (pages[i] + 15) / 16 * 16);
        by_make_resident(allocations[i]->id);
        place = vidmm_engine_where(by_rig.adapter->engine, allocations[i]->id);
        assert_int_equal(place.segment, 2);
        assert_int_equal(place.offset % WIDE_SIZE, 0);
        by_map(allocations[i], 0, 0);
        by_wait(); /* page tables lie between */
        whole += (unsigned)allocations[i]->backing.pages;
    }
    assert_int_equal(pages_in_step(), whole);
    for (unsigned i = 0; i < WIDE_ALLOCATIONS; i += 2)
        vidmm_allocation_destroy(allocations[i]);
    pieces = by_create(UINT64_C(1000) << 10, 2);
    by_make_resident(pieces->id);
    by_wait();
    by_count = 0;
    assert_int_equal(map_pages(pieces, 0, 250) % WIDE_SIZE, 0);
    assert_int_equal(map_pages(pieces, 3, 2) % WIDE_SIZE, 0x3000); /* as its page ends */
    assert_int_equal(map_pages(pieces, 31, 100) % WIDE_SIZE, 0xf000);
    by_wait();
    assert_true(pages_in_step() >=
                250 + 2 + 100); /* and some twice: a leaf of 64 KiB is replaced */
    vidmm_allocation_destroy(pieces);
    for (unsigned i = 1; i < WIDE_ALLOCATIONS; i += 2)
        vidmm_allocation_destroy(allocations[i]);
    by_finish();
}

void shows_D_025(void **state)
{
    (void)state;
    shown_bend.change = leave_alignment;
    by_bend.driver = shown_bend_creation;
    fill_wide_memory(WIDE_MEMORY("single"));
    fill_wide_memory(WIDE_MEMORY("dual"));
    by_bend.driver = NULL;
    shown_bend.change = NULL;
}
