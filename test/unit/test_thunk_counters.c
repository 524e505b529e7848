/* test_thunk_counters.c: the numbers that D3DKMTQueryStatistics has of an adapter, its segments and
 * its node, each moved by the test, and by another amount than its neighbours.
 * test_thunk_statistics.c has the numbers of processes.
 */
#include "test_thunk_rig.h"

enum { APERTURE = 0, MEMORY = 1, CPU_VISIBLE = 1 };

#define HOUR UINT64_C(3600000000000) /* in nanoseconds; the machine is simulated, and so is time */
#define OLD_GPU "wddm 1.2\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\n"

/* ---- questions ------------------------------------------------------------------------------- */

static D3DKMT_QUERYSTATISTICS_RESULT ask(D3DKMT_QUERYSTATISTICS_TYPE type, ULONG number)
{
    D3DKMT_QUERYSTATISTICS query = {
        .Type = type, .AdapterLuid = THUNK_LUID, .QuerySegment.SegmentId = number};

    succeeds(vidmm_thunk_QueryStatistics(one.process, &query));
    return query.QueryResult;
}

static D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION adapter(void)
{
    vidmm_machine_settle(thunk_rig.machine);
    return ask(D3DKMT_QUERYSTATISTICS_ADAPTER, 0).AdapterInformation;
}

static D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION segment(ULONG number)
{
    vidmm_machine_settle(thunk_rig.machine);
    return ask(D3DKMT_QUERYSTATISTICS_SEGMENT, number).SegmentInformation;
}

/* Pages that were paged since the last question, by kind. */
struct paged {
    uint64_t mapped, unmapped, discarded, in, out;
};

static D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION last;

static void are_paged(struct paged pages)
{
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION now = adapter();

#define SINCE(Member) ((now.PagingTransfer.Member - last.PagingTransfer.Member) / VIDMM_PAGE_SIZE)
    assert_int_equal(SINCE(BytesMappedIntoAperture), pages.mapped);
    assert_int_equal(SINCE(BytesUnmappedFromAperture), pages.unmapped);
    assert_int_equal(SINCE(BytesDiscarded), pages.discarded);
    assert_int_equal(SINCE(BytesTransferredFromMdlToMemory), pages.in);
    assert_int_equal(SINCE(BytesTransferredFromMemoryToMdl), pages.out);
#undef SINCE
    last = now;
}

/* ---- doings ---------------------------------------------------------------------------------- */

static D3DKMT_HANDLE create(const struct thunk_program *program, uint64_t pages, uint32_t flags,
                            uint32_t set)
{
    struct softgpu_allocation wish = thunk_wish(pages, flags, set);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION make = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &make));
    return info.hAllocation;
}

static void evict(D3DKMT_HANDLE allocation)
{
    D3DKMT_EVICT arguments = {
        .hDevice = one.device, .NumAllocations = 1, .AllocationList = &allocation};

    succeeds(vidmm_thunk_Evict(one.process, &arguments));
}

static void write_to(D3DKMT_HANDLE allocation, uint32_t pages)
{
    succeeds(thunk_touch(&one, thunk_map(&one, allocation, pages), pages, pages, 0));
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void paging_is_told_by_its_kind(void **state)
{
    D3DKMT_HANDLE shown, written;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    shown = create(&one, 7, 0, 1);
    written = create(&one, 16, 0, 2);
    last = adapter();
    thunk_make_resident(&one, shown);
    are_paged((struct paged){.mapped = 7});
    evict(shown);
    are_paged((struct paged){.unmapped = 7});
    thunk_make_resident(&one, written);
    write_to(written, 16);
    last = adapter();
    evict(written);
    are_paged((struct paged){.out = 16});
    thunk_make_resident(&one, written);
    are_paged((struct paged){.in = 16});
    thunk_finish();
}

static void dma_buffers_are_counted(void **state)
{
    uint32_t before;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    before = adapter().Preparation.NbDMAPrepared;
    for (unsigned i = 0; i < 3; i++)
        succeeds(thunk_touch_nothing(&one));
    assert_int_equal(adapter().Preparation.NbDMAPrepared, before + 3);
    thunk_finish();
}

/* argument: uint32_t. */
static bool has_timed_out(void *argument)
{
    return ask(D3DKMT_QUERYSTATISTICS_ADAPTER, 0).AdapterInformation.TdrDetectedCount ==
           *(uint32_t *)argument;
}

/* The first hang is ended by a reset of the engine, which costs the device. */
static void timeouts_are_counted(void **state)
{
    const struct vidmm_host *host;
    uint32_t expected = 1;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    assert_int_equal(adapter().TdrDetectedCount, 0);
    host = vidmm_slot_host(thunk_rig.slot);
    for (struct thunk_program *program = &one; expected <= 2; expected++, program = &other) {
        if (expected > 1)
            begin_program(program);
        softgpu_device_hang(thunk_rig.gpu, 0, 0, false);
        succeeds(thunk_touch_nothing(program));
        assert_true(host->wait(host->context, has_timed_out, &expected, HOUR));
    }
    thunk_finish();
}

/* ---- WDDM 1.2 -------------------------------------------------------------------------------- */

static D3DKMT_CREATECONTEXT context;

static void start_old(void)
{
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    context.hDevice = one.device;
    succeeds(vidmm_thunk_CreateContext(one.process, &context));
}

/* Have the GPU write so many pages of an allocation that nothing is known of; 0: name it alone. */
static void write_by_list(D3DKMT_HANDLE allocation, uint32_t pages)
{
    static uint32_t id;
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } *words = context.pCommandBuffer;
    uint32_t length = pages > 0 ? sizeof(*words) : sizeof(words->touch);
    D3DKMT_RENDER render = {
        .hContext = context.hContext, .AllocationCount = 1, .CommandLength = length};

    words->touch = (struct softgpu_touch){
        .command = {SOFTGPU_TOUCH, length}, .reference_count = pages > 0, .seed = RIG_SEED};
    words->reference = (struct softgpu_reference){
        .flags = SOFTGPU_REFERENCE_WRITE, .pages = pages, .content_id = ++id};
    context.pAllocationList[0] =
        (D3DDDI_ALLOCATIONLIST){.hAllocation = allocation, .WriteOperation = 1};
    succeeds(vidmm_thunk_Render(one.process, &render));
    vidmm_machine_settle(thunk_rig.machine);
}

/* An offer leaves without its content when there is no room. */
static void what_is_discarded_is_counted(void **state)
{
    D3DKMT_HANDLE allocation;
    D3DKMT_OFFERALLOCATIONS offer = {
        .HandleList = &allocation, .NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};

    (void)state;
    start_old();
    allocation = create(&one, 5, 0, 2);
    write_by_list(allocation, 5);
    offer.hDevice = one.device;
    succeeds(vidmm_thunk_OfferAllocations(one.process, &offer));
    last = adapter();
    write_by_list(create(&one, 253, 0, 2), 1);
    are_paged((struct paged){.discarded = 5});
    thunk_finish();
}

static void lock_and_unlock(D3DKMT_HANDLE *allocation)
{
    D3DKMT_LOCK lock = {.hDevice = one.device,
                        .hAllocation = *allocation,
                        .Flags = {.LockEntire = 1, .Discard = 1}};
    D3DKMT_UNLOCK unlock = {one.device, 1, allocation};

    succeeds(vidmm_thunk_Lock(one.process, &lock));
    *allocation = lock.hAllocation;
    succeeds(vidmm_thunk_Unlock(one.process, &unlock));
}

/* No command buffer is seen between the first locks, so each but the first makes an instance; then
 * all but the newest and one more are too many, and leave after a while. */
static void instances_come_and_go(void **state)
{
    enum { MADE = 4, TURNS = 100 };

    D3DKMT_HANDLE allocation;

    (void)state;
    start_old();
    allocation = create(&one, 3, CPU_VISIBLE, 2);
    for (unsigned i = 0; i < MADE; i++)
        lock_and_unlock(&allocation);
    assert_int_equal(adapter().Renaming.NbAllocationsRenamed, MADE);
    assert_int_equal(adapter().Renaming.NbAllocationsShrinked, 0);
    for (unsigned i = 0; i < TURNS; i++) {
        write_by_list(allocation, 0);
        lock_and_unlock(&allocation);
    }
    assert_int_equal(adapter().Renaming.NbAllocationsRenamed, MADE + TURNS);
    assert_int_equal(adapter().Renaming.NbAllocationsShrinked, MADE - 2);
    thunk_finish();
}

/* A context that is destroyed is left, so that its state is where nobody needs it. */
static void switches_to_no_context_are_counted(void **state)
{
    D3DKMT_DESTROYCONTEXT end = {0};
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION node;

    (void)state;
    thunk_start("wddm 2.6\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\n"
                "private_data 64\ncontext_save memory\n");
    begin_program(&one);
    succeeds(thunk_touch_nothing(&one));
    vidmm_machine_settle(thunk_rig.machine);
    node = ask(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    assert_int_equal(node.GlobalInformation.ContextSwitch, 0);
    end.hContext = one.context;
    succeeds(vidmm_thunk_DestroyContext(one.process, &end));
    vidmm_machine_settle(thunk_rig.machine);
    node = ask(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    assert_int_equal(node.GlobalInformation.ContextSwitch, 1);
    thunk_finish();
}

static void segments_tell_their_properties(void **state)
{
    static const struct {
        uint64_t end;
        uint32_t standby, hibernate, partly, system;
    } expected[] = {
        {0, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 1, 1, 0, 0}, {512 << 10, 1, 0, 1, 0}, {0, 0, 0, 0, 1},
    };

    (void)state;
    thunk_start("wddm 2.0\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible standby\n"
                "segment 3 memory 1M standby hibernate\nsegment 4 memory 1M standby partly 512K\n"
                "segment 5 memory 1M populated\n");
    for (ULONG i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION info = segment(i);

        assert_int_equal(info.SystemMemoryEndAddress, expected[i].end);
        assert_int_equal(info.PowerFlags.PreservedDuringStandby, expected[i].standby);
        assert_int_equal(info.PowerFlags.PreservedDuringHibernate, expected[i].hibernate);
        assert_int_equal(info.PowerFlags.PartiallyPreservedDuringHibernate, expected[i].partly);
        assert_int_equal(info.SegmentProperties.SystemMemory, expected[i].system);
    }
    thunk_finish();
}

static void a_segment_tells_what_is_committed(void **state)
{
    uint64_t memory, aperture;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    memory = segment(MEMORY).BytesCommitted;
    aperture = segment(APERTURE).BytesCommitted;
    thunk_make_resident(&one, create(&one, 7, 0, 1));
    thunk_make_resident(&one, create(&one, 16, 0, 2));
    assert_int_equal(segment(APERTURE).BytesCommitted, aperture + 7 * VIDMM_PAGE_SIZE);
    assert_int_equal(segment(MEMORY).BytesCommitted, memory + 16 * VIDMM_PAGE_SIZE);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paging_is_told_by_its_kind),
        cmocka_unit_test(dma_buffers_are_counted),
        cmocka_unit_test(timeouts_are_counted),
        cmocka_unit_test(what_is_discarded_is_counted),
        cmocka_unit_test(instances_come_and_go),
        cmocka_unit_test(switches_to_no_context_are_counted),
        cmocka_unit_test(segments_tell_their_properties),
        cmocka_unit_test(a_segment_tells_what_is_committed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
