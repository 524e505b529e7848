/* test_thunk_statistics.c: every type of D3DKMTQueryStatistics. Each number is changed by the test,
 * and another process's numbers stay. test_thunk_queries.c has ADAPTER, SEGMENT and NODE.
 */
#include "test_thunk_rig.h"

#include <vidmm/display.h>
#include <vidmm/engine.h>
#include <vidmm/resource.h>

#define GPU                                                                                        \
    "wddm 2.6\nmmu gpu\nsegment 1 aperture 4M\nsegment 2 memory 2M cpuvisible\nprivate_data 64\n"  \
    "segment 3 memory 64K cpuvisible\nsources 2\nengines render\n"
#define OLD_GPU                                                                                    \
    "wddm 1.3\nsegment 1 aperture 4M\nsegment 2 memory 1M cpuvisible\nsources 2\n"                 \
    "allocation_list 64\npatch_list 96\n"

enum {
    PAGES = 16,
    BYTES = PAGES * VIDMM_PAGE_SIZE,
    APERTURE = 0,
    MEMORY = 1,
    SMALL = 2,
    LOCAL = 0
};

#define HIGH 0xa0000000u

/* ---- questions ------------------------------------------------------------------------------- */

static D3DKMT_QUERYSTATISTICS question(D3DKMT_QUERYSTATISTICS_TYPE type, ULONG number)
{
    D3DKMT_QUERYSTATISTICS query = {.Type = type, .AdapterLuid = THUNK_LUID};

    if (type >= D3DKMT_QUERYSTATISTICS_ADAPTER2)
        query.QuerySegment2.SegmentId = (USHORT)number;
    else
        query.QuerySegment.SegmentId = number;
    memset(&query.QueryResult, 0x5a, sizeof(query.QueryResult));
    return query;
}

static D3DKMT_QUERYSTATISTICS_RESULT ask(const struct thunk_program *program,
                                         D3DKMT_QUERYSTATISTICS_TYPE type, ULONG number)
{
    D3DKMT_QUERYSTATISTICS query = question(type, number);

    succeeds(vidmm_thunk_QueryStatistics(program->process, &query));
    return query.QueryResult;
}

/* The answer, and that a type's second form has the same. */
static D3DKMT_QUERYSTATISTICS_RESULT ask_both(const struct thunk_program *program,
                                              D3DKMT_QUERYSTATISTICS_TYPE type,
                                              D3DKMT_QUERYSTATISTICS_TYPE second, ULONG number)
{
    D3DKMT_QUERYSTATISTICS_RESULT result = ask(program, type, number);
    D3DKMT_QUERYSTATISTICS_RESULT again = ask(program, second, number);

    assert_memory_equal(&again, &result, sizeof(result));
    return result;
}

static D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION
process_segment(const struct thunk_program *program, ULONG segment)
{
    return ask_both(program, D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT,
                    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT2, segment)
        .ProcessSegmentInformation;
}

static D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION segment(ULONG number)
{
    return ask_both(&one, D3DKMT_QUERYSTATISTICS_SEGMENT, D3DKMT_QUERYSTATISTICS_SEGMENT2, number)
        .SegmentInformation;
}

static D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION
process_adapter(const struct thunk_program *program)
{
    return ask_both(program, D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER,
                    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER2, 0)
        .ProcessAdapterInformation;
}

static D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION adapter(void)
{
    return ask_both(&one, D3DKMT_QUERYSTATISTICS_ADAPTER, D3DKMT_QUERYSTATISTICS_ADAPTER2, 0)
        .AdapterInformation;
}

static D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION
process_node(const struct thunk_program *program)
{
    return ask_both(program, D3DKMT_QUERYSTATISTICS_PROCESS_NODE,
                    D3DKMT_QUERYSTATISTICS_PROCESS_NODE2, 0)
        .ProcessNodeInformation;
}

static D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION node(void)
{
    return ask_both(&one, D3DKMT_QUERYSTATISTICS_NODE, D3DKMT_QUERYSTATISTICS_NODE2, 0)
        .NodeInformation.GlobalInformation;
}

static D3DKMT_QUERYSTATISTICS_SYSTEM_MEMORY system_memory(const struct thunk_program *program)
{
    return ask(program, D3DKMT_QUERYSTATISTICS_PROCESS, 0).ProcessInformation.SystemMemory;
}

/* ---- doings ---------------------------------------------------------------------------------- */

static void settle(void)
{
    vidmm_machine_settle(thunk_rig.machine);
}

/* set: bit n is segment n + 1. preferred: DXGK_SEGMENTPREFERENCE. */
static D3DKMT_HANDLE create(struct thunk_program *program, uint64_t pages, uint32_t flags,
                            uint32_t set, uint32_t preferred, uint32_t priority)
{
    struct softgpu_allocation wish = thunk_wish(pages, flags, set);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION make = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    wish.preferred = preferred;
    wish.priority = priority;
    succeeds(vidmm_thunk_CreateAllocation2(program->process, &make));
    return info.hAllocation;
}

static void evict(struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    D3DKMT_EVICT arguments = {
        .hDevice = program->device, .NumAllocations = 1, .AllocationList = &allocation};

    succeeds(vidmm_thunk_Evict(program->process, &arguments));
    settle();
}

static void submit_write(struct thunk_program *program, uint64_t gpuva)
{
    succeeds(thunk_touch(program, gpuva, 1, 1, 0));
}

static void write_at(struct thunk_program *program, uint64_t gpuva)
{
    submit_write(program, gpuva);
    settle();
}

static void begin(const char *gpu)
{
    thunk_start(gpu);
    begin_program(&one);
    begin_program(&other);
    settle();
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* One prefers memory, and another the small segment, into which it does not fit. */
static void a_process_tells_its_allocations_by_segment(void **state)
{
    const uint32_t first = MEMORY + 1, second = (SMALL + 1) | (MEMORY + 1) << 6;
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION use;
    D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION before, after;
    D3DKMT_HANDLE allocations[3];

    (void)state;
    begin(GPU);
    before = segment(MEMORY);
    use = process_segment(&one, MEMORY);
    assert_int_equal(use.BytesCommitted, 0); /* buffers and page tables are no allocations of it */
    assert_int_equal(use.VideoMemory.AllocsCommitted, 0);
    allocations[0] = create(&one, PAGES, 0, 2, first, HIGH);
    allocations[1] = create(&one, 2 * PAGES, 0, 2 | 4, second, HIGH);
    allocations[2] = create(&one, 4 * PAGES, 0, 2, 0, HIGH);
    for (int i = 0; i < 3; i++)
        thunk_make_resident(&one, allocations[i]);
    settle();
    use = process_segment(&one, MEMORY);
    assert_int_equal(use.BytesCommitted, 7 * BYTES);
    assert_int_equal(use.VideoMemory.AllocsCommitted, 3);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[0].Count, 1);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[0].Bytes, BYTES);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[1].Count, 1);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[1].Bytes, 2 * BYTES);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[2].Count, 0);
    assert_int_equal(use.VideoMemory.AllocsResidentInNonPreferred.Count, 1);
    assert_int_equal(use.VideoMemory.AllocsResidentInNonPreferred.Bytes, 4 * BYTES);
    after = segment(MEMORY);
    assert_int_equal(after.Memory.AllocsCommitted, before.Memory.AllocsCommitted + 3);
    assert_int_equal(after.Memory.AllocsResident, before.Memory.AllocsResident + 3);
    use = process_segment(&other, MEMORY);
    assert_int_equal(use.BytesCommitted, 0);
    assert_int_equal(process_segment(&one, APERTURE).VideoMemory.AllocsResidentInP[0].Count, 0);
    assert_int_equal(process_segment(&one, APERTURE).BytesCommitted,
                     process_segment(&other, APERTURE).BytesCommitted);
    assert_int_equal(process_adapter(&one).CommitmentData.BytesBySegmentPreference[0], BYTES);
    assert_int_equal(process_adapter(&one).CommitmentData.BytesBySegmentPreference[1], 2 * BYTES);
    assert_int_equal(process_adapter(&other).CommitmentData.BytesBySegmentPreference[0], 0);
    evict(&one, allocations[1]);
    use = process_segment(&one, MEMORY);
    assert_int_equal(use.BytesCommitted, 5 * BYTES);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[1].Count, 0);
    assert_int_equal(segment(MEMORY).Memory.AllocsCommitted, before.Memory.AllocsCommitted + 2);
    thunk_finish();
}

static void evictions_are_counted_in_bytes(void **state)
{
    D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION before, after;
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION all;
    D3DKMT_HANDLE allocation;

    (void)state;
    begin(GPU);
    allocation = create(&one, PAGES, 0, 2, 0, HIGH);
    thunk_make_resident(&one, allocation);
    settle();
    before = segment(MEMORY);
    all = adapter();
    assert_int_equal(process_adapter(&one).CommitmentData.TotalBytesEvictedFromProcess, 0);
    evict(&one, allocation);
    after = segment(MEMORY);
    assert_int_equal(after.Memory.TotalBytesEvicted, before.Memory.TotalBytesEvicted + BYTES);
    for (int rank = 0; rank < D3DKMT_MaxAllocationPriorityClass; rank++)
        assert_int_equal(after.TotalBytesEvictedByPriority[rank],
                         before.TotalBytesEvictedByPriority[rank] +
                             (rank == D3DKMT_AllocationPriorityClassHigh ? BYTES : 0));
    assert_int_equal(segment(APERTURE).TotalBytesEvictedByPriority[3], 0);
    assert_int_equal(adapter().PagingFault.Evictions.Bytes,
                     all.PagingFault.Evictions.Bytes + BYTES);
    assert_int_equal(process_adapter(&one).CommitmentData.TotalBytesEvictedFromProcess, BYTES);
    assert_int_equal(process_adapter(&other).CommitmentData.TotalBytesEvictedFromProcess, 0);
    thunk_finish();
}

/* A resource of one allocation. *share receives what opens it. */
static D3DKMT_HANDLE create_shared(struct thunk_program *program, uint64_t pages, uint32_t set,
                                   D3DKMT_HANDLE *share)
{
    struct softgpu_allocation wish = thunk_wish(pages, 0, set);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION make = {.hDevice = program->device,
                                    .NumAllocations = 1,
                                    .pAllocationInfo2 = &info,
                                    .Flags = {.CreateResource = 1, .CreateShared = 1}};

    wish.preferred = MEMORY + 1;
    wish.priority = HIGH;
    succeeds(vidmm_thunk_CreateAllocation2(program->process, &make));
    *share = make.hGlobalShare;
    return info.hAllocation;
}

static void open_shared(struct thunk_program *program, D3DKMT_HANDLE share)
{
    struct softgpu_allocation total;
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    D3DKMT_OPENRESOURCE open = {.hDevice = program->device,
                                .hGlobalShare = share,
                                .pOpenAllocationInfo2 = &opened,
                                .NumAllocations = 1,
                                .pTotalPrivateDriverDataBuffer = &total,
                                .TotalPrivateDriverDataBufferSize = sizeof(total)};

    succeeds(vidmm_thunk_OpenResource(program->process, &open));
}

/* Both have it open: each counts it, its segment counts it once. */
static void shared_allocations_are_everybodys(void **state)
{
    D3DKMT_HANDLE allocation, share;
    uint32_t before;

    (void)state;
    begin(GPU);
    before = segment(MEMORY).Memory.AllocsCommitted;
    allocation = create_shared(&one, PAGES, 2, &share);
    thunk_make_resident(&one, allocation);
    settle();
    assert_int_equal(process_segment(&one, MEMORY).BytesCommitted, BYTES);
    assert_int_equal(process_segment(&other, MEMORY).BytesCommitted, 0);
    assert_int_equal(system_memory(&other).BytesAllocated, 0);
    open_shared(&other, share);
    assert_int_equal(process_segment(&one, MEMORY).BytesCommitted, BYTES);
    assert_int_equal(process_segment(&other, MEMORY).BytesCommitted, BYTES);
    assert_int_equal(system_memory(&other).BytesAllocated, BYTES);
    assert_int_equal(segment(MEMORY).Memory.AllocsCommitted, before + 1);
    evict(&one, allocation);
    assert_int_equal(process_segment(&other, MEMORY).BytesCommitted, 0);
    assert_int_equal(process_adapter(&one).CommitmentData.TotalBytesEvictedFromProcess, 0);
    thunk_finish();
}

/* The GPU does nothing for a while: page-ins that find no paging buffer are not built. */
static void what_is_not_there_yet_is_committed(void **state)
{
    enum { MANY = 100 };

    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION use;
    D3DKMT_HANDLE allocations[MANY];
    D3DDDI_MAKERESIDENT make = {.NumAllocations = MANY, .AllocationList = allocations};
    uint32_t before;

    (void)state;
    begin(GPU "paging_buffer 512\n");
    before = segment(MEMORY).Memory.AllocsResident;
    for (int i = 0; i < MANY; i++)
        allocations[i] = create(&one, 1, 0, 2, MEMORY + 1, HIGH);
    make.hPagingQueue = one.queue;
    softgpu_device_hang(thunk_rig.gpu, 0, 0, true);
    assert_int_equal(vidmm_thunk_MakeResident(one.process, &make), STATUS_PENDING);
    settle();
    use = process_segment(&one, MEMORY);
    assert_int_equal(use.VideoMemory.AllocsCommitted, MANY);
    assert_true(use.VideoMemory.AllocsResidentInP[0].Count < MANY);
    assert_true(use.VideoMemory.AllocsResidentInP[0].Bytes < use.BytesCommitted);
    assert_true(segment(MEMORY).Memory.AllocsResident < before + MANY);
    assert_true(process_adapter(&one).CommitmentData.BytesBySegmentPreference[0] <
                use.BytesCommitted);
    softgpu_device_release(thunk_rig.gpu);
    settle();
    comes(&one, STATUS_PENDING, make.PagingFenceValue);
    use = process_segment(&one, MEMORY);
    assert_int_equal(use.VideoMemory.AllocsResidentInP[0].Count, MANY);
    assert_int_equal(segment(MEMORY).Memory.AllocsResident, before + MANY);
    thunk_finish();
}

/* Memory that the CPU caches, and memory that it does not. */
static void a_process_tells_its_system_memory(void **state)
{
    const DXGK_ALLOCATIONINFOFLAGS cached = {.Cached = 1, .CpuVisible = 1};
    D3DKMT_QUERYSTATISTICS_SYSTEM_MEMORY before, after;

    (void)state;
    begin(GPU);
    before = system_memory(&one);
    assert_int_equal(before.BytesAllocated, 0); /* its commands lie in pages of its own */
    create(&one, PAGES, cached.Value, 1, 0, HIGH);
    after = system_memory(&one);
    assert_int_equal(after.BytesAllocated, BYTES);
    assert_int_equal(after.CachedBytesAllocated, BYTES);
    assert_int_equal(after.WriteCombinedBytesAllocated, 0);
    create(&one, 2 * PAGES, 0, 2, 0, HIGH);
    after = system_memory(&one);
    assert_int_equal(after.BytesAllocated, 3 * BYTES);
    assert_int_equal(after.CachedBytesAllocated, BYTES);
    assert_int_equal(after.WriteCombinedBytesAllocated, 2 * BYTES);
    assert_int_equal(system_memory(&other).BytesAllocated, 0);
    thunk_finish();
}

/* Both are listed, memory holds one of them: the other is demoted to the aperture. A process that
 * has it open and does not list it has nothing to do with that. */
static void a_group_tells_what_is_demoted(void **state)
{
    enum { LARGE = 250, NON_LOCAL = 1 };

    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP_INFORMATION group;
    const struct thunk_program *programs[] = {&one, &other};
    D3DKMT_HANDLE share;
    uint64_t usage[2];

    (void)state;
    begin(GPU);
    for (int i = 0; i < 2; i++)
        usage[i] = ask(programs[i], D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, LOCAL)
                       .ProcessSegmentGroupInformation.Usage;
    thunk_make_resident(&one, create(&one, LARGE, 0, 3, MEMORY + 1, HIGH));
    settle();
    group = ask(&one, D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, LOCAL)
                .ProcessSegmentGroupInformation;
    assert_int_equal(group.Demoted[D3DKMT_AllocationPriorityClassHigh], 0);
    thunk_make_resident(&one, create_shared(&one, LARGE, 3, &share));
    open_shared(&other, share);
    settle();
    group = ask_both(&one, D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP,
                     D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2, LOCAL)
                .ProcessSegmentGroupInformation;
    assert_int_equal(group.Usage, usage[0] + 2 * LARGE * VIDMM_PAGE_SIZE);
    assert_int_equal(group.Demoted[D3DKMT_AllocationPriorityClassHigh], LARGE * VIDMM_PAGE_SIZE);
    assert_int_equal(group.Demoted[D3DKMT_AllocationPriorityClassNormal], 0);
    group = ask_both(&one, D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP,
                     D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2, NON_LOCAL)
                .ProcessSegmentGroupInformation;
    assert_int_equal(group.Demoted[D3DKMT_AllocationPriorityClassHigh], 0);
    group = ask(&other, D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, LOCAL)
                .ProcessSegmentGroupInformation;
    assert_int_equal(group.Usage, usage[1]);
    assert_int_equal(group.Demoted[D3DKMT_AllocationPriorityClassHigh], 0);
    thunk_finish();
}

static void bytes_are_taken_and_free(void **state)
{
    D3DKMT_QUERYSTATISTICS_MEMORY_USAGE before, after, small, group;

    (void)state;
    begin(GPU);
    before = ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE, MEMORY).SegmentUsageInformation;
    thunk_make_resident(&one, create(&one, PAGES, 0, 2, 0, HIGH));
    settle();
    after = ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE, MEMORY).SegmentUsageInformation;
    assert_int_equal(after.AllocatedBytes, before.AllocatedBytes + BYTES);
    assert_int_equal(after.FreeBytes, before.FreeBytes - BYTES);
    small = ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE, SMALL).SegmentUsageInformation;
    assert_true(small.FreeBytes > 0);
    group =
        ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_GROUP_USAGE, LOCAL).SegmentGroupUsageInformation;
    assert_int_equal(group.AllocatedBytes, after.AllocatedBytes + small.AllocatedBytes);
    assert_int_equal(group.FreeBytes, after.FreeBytes + small.FreeBytes);
    /* No budget counts the aperture of this GPU. */
    group = ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_GROUP_USAGE, 1).SegmentGroupUsageInformation;
    assert_true(group.AllocatedBytes == 0 && group.FreeBytes == 0);
    after = ask(&one, D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE, APERTURE).SegmentUsageInformation;
    assert_true(after.FreeBytes > 0);
    thunk_finish();
}

/* ---- nodes and sources ----------------------------------------------------------------------- */

static const D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION *
rendering(const D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION *information)
{
    return &information->PacketStatistics.DmaPacket[D3DKMT_ClientRenderBuffer];
}

static void a_node_tells_whose_packets_it_ran(void **state)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION mine, theirs, all;
    D3DKMT_HANDLE allocation;
    uint64_t address;

    (void)state;
    begin(GPU);
    allocation = create(&one, PAGES, 0, 2, 0, HIGH);
    thunk_make_resident(&one, allocation);
    address = thunk_map(&one, allocation, PAGES);
    mine = process_node(&one);
    assert_int_equal(rendering(&mine)->PacketSubmited, 0); /* paging is the system's */
    assert_int_equal(mine.RunningTime.QuadPart, 0);
    write_at(&one, address);
    write_at(&one, address);
    write_at(&other, 0x7000000); /* which leads nowhere */
    mine = process_node(&one);
    theirs = process_node(&other);
    all = node();
    assert_int_equal(rendering(&mine)->PacketSubmited, 2);
    assert_int_equal(rendering(&mine)->PacketCompleted, 2);
    assert_int_equal(rendering(&mine)->PacketFaulted, 0);
    assert_true(mine.RunningTime.QuadPart > 0);
    assert_int_equal(rendering(&theirs)->PacketSubmited, 1);
    assert_int_equal(rendering(&theirs)->PacketFaulted, 1);
    assert_int_equal(rendering(&all)->PacketSubmited, 3);
    assert_int_equal(rendering(&all)->PacketFaulted, 1);
    thunk_finish_after_faults();
}

static bool has_gone_again(void *argument)
{
    const D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION mine = process_node(&one);

    (void)argument;
    return rendering(&mine)->PacketCompleted == 1;
}

/* The node hangs and is preempted: packets come back, and go again. */
static void packets_that_come_back_are_counted(void **state)
{
    const struct vidmm_host *host;
    D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION mine, theirs, all;
    D3DKMT_HANDLE allocation;
    uint64_t address;

    (void)state;
    begin(GPU);
    host = vidmm_slot_host(thunk_rig.slot);
    allocation = create(&one, PAGES, 0, 2, 0, HIGH);
    thunk_make_resident(&one, allocation);
    address = thunk_map(&one, allocation, PAGES);
    settle();
    softgpu_device_hang(thunk_rig.gpu, 0, 0, true);
    submit_write(&one, address);
    assert_true(host->wait(host->context, has_gone_again, NULL, UINT64_C(60000000000)));
    mine = process_node(&one);
    theirs = process_node(&other);
    all = node();
    assert_int_equal(rendering(&mine)->PacketPreempted, 1);
    assert_int_equal(rendering(&mine)->PacketSubmited, 2);
    assert_int_equal(rendering(&all)->PacketPreempted, 1);
    assert_int_equal(rendering(&theirs)->PacketPreempted + rendering(&theirs)->PacketSubmited, 0);
    thunk_finish();
}

static struct vidmm_allocation *primary_of(struct vidmm_device *device)
{
    const struct softgpu_allocation wish = thunk_wish(1, 0, 2);
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .primary = true};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_allocation *primary = NULL;
    struct vidmm_resource *resource;
    struct vidmm_report report;

    assert_int_equal(
        vidmm_resource_create(device, &options, &description, 1, &resource, &primary, &report),
        STATUS_SUCCESS);
    return primary;
}

static ULONG frames(const struct thunk_program *program, ULONG source)
{
    return ask(program, D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE, source)
        .ProcessVidPnSourceInformation.Frame;
}

static D3DKMT_QUERYSTATISTICS_VIDPNSOURCE_INFORMATION source(ULONG number)
{
    return ask(&one, D3DKMT_QUERYSTATISTICS_VIDPNSOURCE, number).VidPnSourceInformation;
}

/* A device of each process shows primaries. */
static void a_source_tells_whose_frames_it_showed(void **state)
{
    struct vidmm_allocation *primaries[2], *theirs;
    struct vidmm_device *devices[2];
    struct vidmm_report report;

    (void)state;
    thunk_start(OLD_GPU);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            vidmm_device_create(thunk_rig.adapter, (uint64_t)i + 1, &devices[i], &report),
            STATUS_SUCCESS);
    primaries[0] = primary_of(devices[0]);
    primaries[1] = primary_of(devices[0]);
    theirs = primary_of(devices[1]);
    assert_int_equal(source(1).GlobalInformation.Frame, 0);
    assert_int_equal(vidmm_display_show(devices[0], 1, primaries[0], &report), STATUS_SUCCESS);
    assert_int_equal(vidmm_display_show(devices[0], 1, primaries[1], &report), STATUS_SUCCESS);
    assert_int_equal(vidmm_display_show(devices[1], 1, theirs, &report), STATUS_SUCCESS);
    assert_int_equal(vidmm_display_show(devices[1], 1, theirs, &report), STATUS_SUCCESS); /* is */
    assert_int_equal(vidmm_display_show(devices[1], 2, theirs, &report), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_display_hide(thunk_rig.adapter, 1, &report), STATUS_SUCCESS);
    assert_int_equal(frames(&one, 1), 2);
    assert_int_equal(frames(&other, 1), 1);
    assert_int_equal(source(1).GlobalInformation.Frame, 3);
    assert_int_equal(source(1).SystemInformation.Frame, 0);
    assert_int_equal(source(0).GlobalInformation.Frame, 0);
    assert_int_equal(frames(&one, 0), 0);
    for (int i = 0; i < 2; i++)
        vidmm_device_destroy(devices[i]);
    thunk_finish();
}

/* ---- DMA buffers ----------------------------------------------------------------------------- */

static void a_process_tells_its_dma_buffers(void **state)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATECONTEXT context = {0};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_QUERYSTATISTICS_DMA_BUFFER use;
    uint32_t count;

    (void)state;
    thunk_start(OLD_GPU);
    count = thunk_rig.options.adapter.dma_buffers;
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    use = process_adapter(&one).DmaBuffer;
    assert_true(use.Size.Count == 0 && use.Size.Bytes == 0 && use.AllocationListBytes == 0);
    context.hDevice = device.hDevice;
    succeeds(vidmm_thunk_CreateContext(one.process, &context));
    use = process_adapter(&one).DmaBuffer;
    assert_true(count > 0);
    assert_int_equal(use.Size.Count, count);
    assert_int_equal(use.Size.Bytes, (uint64_t)count * context.CommandBufferSize);
    assert_int_equal(use.AllocationListBytes, count * 64 * sizeof(DXGK_ALLOCATIONLIST));
    assert_int_equal(use.PatchLocationListBytes, count * 96 * sizeof(D3DDDI_PATCHLOCATIONLIST));
    assert_int_equal(process_adapter(&other).DmaBuffer.Size.Count, 0);
    thunk_finish();
}

/* ---- what is asked --------------------------------------------------------------------------- */

static void every_answer_tells_how_many_there_are(void **state)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_INFORMATION process;
    D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER_INFORMATION physical;

    (void)state;
    thunk_start(GPU); /* neither process has a device yet */
    assert_int_equal(process_adapter(&one).NbSegments, 3);
    assert_int_equal(process_adapter(&one).NodeCount, 1);
    assert_int_equal(process_adapter(&one).VidPnSourceCount, 2);
    process = ask(&one, D3DKMT_QUERYSTATISTICS_PROCESS, 0).ProcessInformation;
    assert_int_equal(process.NodeCount, 1);
    assert_int_equal(process.VidPnSourceCount, 2);
    assert_int_equal(process_segment(&one, MEMORY).BytesCommitted, 0);
    assert_int_equal(process_node(&one).RunningTime.QuadPart, 0);
    physical = ask(&one, D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER, 0).PhysAdapterInformation;
    assert_int_equal(physical.AdapterPerfData.PhysicalAdapterIndex, 0);
    assert_int_equal(physical.GpuVersion.BiosVersion[0], 0);
    thunk_finish();
}

/* By type the first number that is none, and words of the refusal. */
static const struct {
    D3DKMT_QUERYSTATISTICS_TYPE type;
    ULONG number;
    const char *words;
} wrong[] = {
    {D3DKMT_QUERYSTATISTICS_SEGMENT, 3, "SegmentId is 3; expected 0 to 2"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT, 3, "SegmentId is 3; expected 0 to 2"},
    {D3DKMT_QUERYSTATISTICS_NODE, 1, "NodeId is 1; expected 0 to 0"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_NODE, 1, "NodeId is 1; expected 0 to 0"},
    {D3DKMT_QUERYSTATISTICS_VIDPNSOURCE, 2, "VidPnSourceId is 2; expected 0 to 1"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE, 2, "VidPnSourceId is 2; expected 0 to 1"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, 2, "segment group is 2; expected 0 to 1"},
    {D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER, 1, "PhysicalAdapterIndex is 1; expected 0 to 0"},
    {D3DKMT_QUERYSTATISTICS_SEGMENT2, 3, "SegmentId is 3; expected 0 to 2"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT2, 3, "SegmentId is 3; expected 0 to 2"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2, 2, "segment group is 2; expected 0 to 1"},
    {D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE, 3, "SegmentId is 3; expected 0 to 2"},
    {D3DKMT_QUERYSTATISTICS_SEGMENT_GROUP_USAGE, 2, "segment group is 2; expected 0 to 1"},
    {D3DKMT_QUERYSTATISTICS_NODE2, 1, "NodeId is 1; expected 0 to 0"},
    {D3DKMT_QUERYSTATISTICS_PROCESS_NODE2, 1, "NodeId is 1; expected 0 to 0"},
};

static void is_refused(D3DKMT_QUERYSTATISTICS query, const char *words)
{
    const D3DKMT_QUERYSTATISTICS before = query;

    refused(vidmm_thunk_QueryStatistics(one.process, &query), words);
    assert_memory_equal(&query, &before, sizeof(query));
}

static void what_there_is_not_is_refused(void **state)
{
    D3DKMT_QUERYSTATISTICS query;
    D3DKMT_QUERYVIDEOMEMORYINFO memory = {.hProcess = (HANDLE)(intptr_t)-1};

    (void)state;
    begin(GPU);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        is_refused(question(wrong[i].type, wrong[i].number), wrong[i].words);
    for (int type = D3DKMT_QUERYSTATISTICS_ADAPTER2; type <= D3DKMT_QUERYSTATISTICS_PROCESS_NODE2;
         type++) {
        query = question((D3DKMT_QUERYSTATISTICS_TYPE)type, 0);
        query.QueryAdapter2.PhysicalAdapterIndex = 1;
        is_refused(query, "PhysicalAdapterIndex is 1; expected 0 to 0");
    }
    query = question((D3DKMT_QUERYSTATISTICS_TYPE)20, 0);
    is_refused(query, "Type is 20; expected 0 to 19");
    query.Type = (D3DKMT_QUERYSTATISTICS_TYPE)-1;
    is_refused(query, "Type is -1; expected 0 to 19");
    query = question(D3DKMT_QUERYSTATISTICS_PROCESS, 0);
    query.hProcess = &query;
    is_refused(query, "hProcess");
    query.hProcess = (HANDLE)(intptr_t)-1; /* the calling process */
    succeeds(vidmm_thunk_QueryStatistics(one.process, &query));
    query.AdapterLuid.LowPart++;
    is_refused(query, "AdapterLuid");
    memory.hAdapter = one.adapter;
    succeeds(vidmm_thunk_QueryVideoMemoryInfo(one.process, &memory));
    memory.hProcess = &memory;
    refused(vidmm_thunk_QueryVideoMemoryInfo(one.process, &memory), "hProcess");
    thunk_finish();
}

/* Two linked GPUs: each index is answered, with the numbers of both. */
static void a_link_is_asked_by_index(void **state)
{
    struct vidmm_thunk_adapter linked = {.luid = THUNK_LUID};
    struct rig_options options = rig_defaults();
    D3DKMT_QUERYSTATISTICS query, second;

    (void)state;
    options.links = 2;
    rig_init(&thunk_rig, &options);
    linked.adapter = thunk_rig.adapter;
    thunk_machine = vidmm_thunk_machine_create(&linked, 1);
    one = other = (struct thunk_program){.process = vidmm_thunk_process_create(thunk_machine, 1)};
    for (int type = D3DKMT_QUERYSTATISTICS_ADAPTER2; type <= D3DKMT_QUERYSTATISTICS_PROCESS_NODE2;
         type++) {
        if (type == D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2)
            continue; /* below 2.0 nobody has budgets */
        query = second = question((D3DKMT_QUERYSTATISTICS_TYPE)type, 0);
        second.QueryAdapter2.PhysicalAdapterIndex = 1;
        succeeds(vidmm_thunk_QueryStatistics(one.process, &query));
        succeeds(vidmm_thunk_QueryStatistics(one.process, &second));
        assert_memory_equal(&query.QueryResult, &second.QueryResult, sizeof(query.QueryResult));
        second.QueryAdapter2.PhysicalAdapterIndex = 2;
        is_refused(second, "PhysicalAdapterIndex is 2; expected 0 to 1");
    }
    query = question(D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER, 1);
    succeeds(vidmm_thunk_QueryStatistics(one.process, &query));
    assert_int_equal(query.QueryResult.PhysAdapterInformation.AdapterPerfData.PhysicalAdapterIndex,
                     1);
    assert_int_equal(
        query.QueryResult.PhysAdapterInformation.AdapterPerfDataCaps.PhysicalAdapterIndex, 1);
    assert_int_equal(query.QueryResult.PhysAdapterInformation.GpuVersion.PhysicalAdapterIndex, 1);
    query = question(D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, 0);
    assert_int_equal(vidmm_thunk_QueryStatistics(one.process, &query), STATUS_NOT_SUPPORTED);
    vidmm_thunk_process_destroy(one.process);
    vidmm_thunk_machine_destroy(thunk_machine);
    rig_finish(&thunk_rig);
}

static void a_gpu_without_sources_has_none(void **state)
{
    (void)state;
    begin(THUNK_GPU);
    is_refused(question(D3DKMT_QUERYSTATISTICS_VIDPNSOURCE, 0),
               "VidPnSourceId is 0; the adapter has none");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_tells_its_allocations_by_segment),
        cmocka_unit_test(evictions_are_counted_in_bytes),
        cmocka_unit_test(shared_allocations_are_everybodys),
        cmocka_unit_test(what_is_not_there_yet_is_committed),
        cmocka_unit_test(a_process_tells_its_system_memory),
        cmocka_unit_test(a_group_tells_what_is_demoted),
        cmocka_unit_test(bytes_are_taken_and_free),
        cmocka_unit_test(a_node_tells_whose_packets_it_ran),
        cmocka_unit_test(packets_that_come_back_are_counted),
        cmocka_unit_test(a_source_tells_whose_frames_it_showed),
        cmocka_unit_test(a_process_tells_its_dma_buffers),
        cmocka_unit_test(every_answer_tells_how_many_there_are),
        cmocka_unit_test(what_there_is_not_is_refused),
        cmocka_unit_test(a_link_is_asked_by_index),
        cmocka_unit_test(a_gpu_without_sources_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
