/* test_tap.c: the tap's work besides judging: it is not noticed, it counts, it writes. */
#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "rig.h"

#include "wddm/call.h"
#include "wddm/level.h"

/* ---- It is not noticed ---- */

static NTSTATUS escape(HANDLE adapter, const DXGKARG_ESCAPE *argument)
{
    (void)adapter;
    (void)argument;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS query_info(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *argument)
{
    return (HANDLE)(uintptr_t)argument->InputDataSize == adapter ? STATUS_SUCCESS
                                                                 : STATUS_INVALID_PARAMETER;
}

static void only_functions_with_a_row_are_wrapped(void **state)
{
    DRIVER_INITIALIZATION_DATA driver = {.Version = DXGKDDI_INTERFACE_VERSION_WDDM1_3,
                                         .DxgkDdiEscape = escape,
                                         .DxgkDdiQueryAdapterInfo = query_info};
    struct vidmm_tap *tap = vidmm_tap_create(NULL, &driver);
    const DRIVER_INITIALIZATION_DATA *wrapped = vidmm_tap_driver(tap);

    (void)state;
    assert_int_equal(wrapped->Version, DXGKDDI_INTERFACE_VERSION_WDDM1_3);
    assert_true(wrapped->DxgkDdiEscape == escape);
    assert_true(wrapped->DxgkDdiQueryAdapterInfo != query_info);
    assert_true(wrapped->DxgkDdiPatch == NULL);
    assert_true(wrapped->DxgkDdiUnload == NULL);
    vidmm_tap_destroy(tap);
}

/* An older driver's table ends earlier: nothing behind it is read. */
static void the_table_of_an_older_driver_is_read_to_its_end(void **state)
{
    static const ULONG versions[] = {DXGKDDI_INTERFACE_VERSION_VISTA,
                                     DXGKDDI_INTERFACE_VERSION_WIN7, DXGKDDI_INTERFACE_VERSION_WIN8,
                                     DXGKDDI_INTERFACE_VERSION_WDDM1_3};

    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        size_t size = vidmm_level_find(versions[i])->driver_size;
        DRIVER_INITIALIZATION_DATA *driver = malloc(size);
        struct vidmm_tap *tap;
        memset(driver, 0, size);
        driver->Version = versions[i];
        tap = vidmm_tap_create(NULL, driver);
        free(driver);
        assert_non_null(tap);
        assert_true(vidmm_tap_driver(tap)->DxgkDdiRenderGdi == NULL);
        vidmm_tap_destroy(tap);
    }
}

static void a_version_that_is_none_is_refused(void **state)
{
    DRIVER_INITIALIZATION_DATA driver = {.Version = 0x1000};

    (void)state;
    assert_null(vidmm_tap_create(NULL, &driver));
}

/* Each tap has functions of its own, until there are no more. */
static void as_many_taps_exist_as_there_are_sets_of_functions(void **state)
{
    DRIVER_INITIALIZATION_DATA driver = {.Version = DXGKDDI_INTERFACE_VERSION_WIN7,
                                         .DxgkDdiQueryAdapterInfo = query_info};
    DXGKARG_QUERYADAPTERINFO query = {.Type = DXGKQAITYPE_UMDRIVERPRIVATE, .InputDataSize = 0x30};
    struct vidmm_tap *taps[VIDMM_TAPS];

    (void)state;
    for (int i = 0; i < VIDMM_TAPS; i++) {
        taps[i] = vidmm_tap_create(NULL, &driver);
        assert_non_null(taps[i]);
    }
    assert_null(vidmm_tap_create(NULL, &driver));
    for (int i = 0; i < VIDMM_TAPS; i++) {
        const DRIVER_INITIALIZATION_DATA *wrapped = vidmm_tap_driver(taps[i]);
        for (int n = 0; n <= i; n++)
            assert_int_equal(wrapped->DxgkDdiQueryAdapterInfo((HANDLE)0x30, &query),
                             STATUS_SUCCESS);
        assert_int_equal(wrapped->DxgkDdiQueryAdapterInfo((HANDLE)0x31, &query),
                         STATUS_INVALID_PARAMETER);
        assert_int_equal(vidmm_tap_records(taps[i]), 2 * (i + 2));
    }
    vidmm_tap_destroy(taps[3]);
    taps[3] = vidmm_tap_create(NULL, &driver);
    assert_non_null(taps[3]);
    for (int i = 0; i < VIDMM_TAPS; i++)
        vidmm_tap_destroy(taps[i]);
    vidmm_tap_destroy(NULL);
}

static void a_second_adapter_needs_a_second_tap(void **state)
{
    struct rig rig;
    PVOID context;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    assert_int_equal(rig.driver->DxgkDdiAddDevice(NULL, &context), STATUS_DEVICE_BUSY);
    rig.driver->DxgkDdiRemoveDevice(rig.adapter);
    assert_int_equal(rig.driver->DxgkDdiAddDevice(NULL, &context), STATUS_SUCCESS);
    rig_stop(&rig);
}

/* Submit an empty DMA buffer to those engines of a link whose bits are set. */
static UINT submit_to(struct rig *rig, UINT engines)
{
    DXGKARG_PATCH patch = rig_dma_patch(rig, NULL, 0);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    for (UINT engine = 0; engine < 2; engine++) {
        if ((engines >> engine & 1) == 0)
            continue;
        patch.EngineOrdinal = command.EngineOrdinal = engine;
        rig_patch(rig, &patch);
        rig_submit(rig, &command);
    }
    return command.SubmissionFenceId;
}

static void complete_on(struct rig *rig, UINT engine, UINT fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED};

    data.DmaCompleted.SubmissionFenceId = fence;
    data.DmaCompleted.NodeOrdinal = RIG_RENDER_NODE;
    data.DmaCompleted.EngineOrdinal = engine;
    rig->seen.DxgkCbNotifyInterrupt(rig->seen.DeviceHandle, &data);
}

static void engines_of_a_link_are_judged_apart(void **state)
{
    const struct vidmm_tap_config config = {.links = 2};
    struct rig rig;
    HANDLE lead;
    PVOID context;
    UINT fence;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    lead = rig.adapter;
    rig.adapter = &rig; /* the second physical adapter */
    assert_int_equal(rig.driver->DxgkDdiAddDevice(NULL, &context), STATUS_SUCCESS);
    assert_int_equal(rig.driver->DxgkDdiAddDevice(NULL, &context), STATUS_DEVICE_BUSY);
    rig.adapter = lead;
    fence = submit_to(&rig, 3);
    complete_on(&rig, 1, fence); /* one fence, reported by each: no breach */
    complete_on(&rig, 0, fence);
    rig_expect_none(&rig);
    fence = submit_to(&rig, 1);
    complete_on(&rig, 0, fence);
    complete_on(&rig, 1, fence); /* it was never given to that one */
    rig_expect(&rig, VIDMM_RULE_D_357);
    rig.driver->DxgkDdiRemoveDevice(&rig);
    rig_stop(&rig);
}

static void callbacks_reach_the_manager_and_others_are_its_own(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    assert_true(rig.seen.DxgkCbNotifyInterrupt != rig.kernel.DxgkCbNotifyInterrupt);
    assert_true(rig.seen.DxgkCbLogEtwEvent == rig.kernel.DxgkCbLogEtwEvent);
    assert_true(rig.seen.DxgkCbMapMemory == NULL);
    assert_ptr_equal(rig.seen.DeviceHandle, rig.kernel.DeviceHandle);
    rig_page_in(&rig, rig_simple(&rig), 0);
    assert_int_equal(rig.interrupts, 1);
    rig.seen.DxgkCbNotifyDpc(rig.seen.DeviceHandle);
    assert_int_equal(rig.dpcs, 1);
    assert_int_equal(rig.seen.DxgkCbQueueDpc(rig.seen.DeviceHandle), TRUE);
    rig_stop(&rig);
}

/* ---- It understands what happens meanwhile ---- */

static void complete_at_once(struct rig *rig)
{
    rig_complete(rig, RIG_PAGING_NODE, rig->fence);
}

/* The immediate habit: the driver has done it before it answers. Nothing is left to be waited
 * for. */
static void what_writes_nothing_is_done_when_it_returns(void **state)
{
    struct rig rig;
    struct rig_allocation *allocation;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    rig.immediate = true;
    rig_answer(&rig, STATUS_SUCCESS, 0, 0);
    allocation = rig_allocate(&rig, 8192, RIG_SET(RIG_APERTURE), RIG_SET(RIG_APERTURE), 0);
    rig_build(&rig, rig_map(&rig, allocation, 16));
    rig_render(&rig, allocation, RIG_APERTURE, RIG_APERTURE_BASE + 16 * PAGE_SIZE);
    rig_expect_none(&rig);
    rig_stop(&rig);
}

static void completion_frees_the_buffer_for_the_next_use(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    for (uint64_t i = 0; i < 20; i++) {
        DXGKARG_PATCH patch;
        DXGKARG_SUBMITCOMMAND command;
        rig_build(&rig, rig_fill(rig_simple(&rig), RIG_MEMORY, RIG_MEMORY_BASE + i * 0x10000));
        patch = rig_paging_patch(&rig);
        command = rig_paging_submit(&rig, patch.SubmissionFenceId);
        rig_patch(&rig, &patch);
        rig_submit(&rig, &command);
        complete_at_once(&rig);
        rig_new_buffer(&rig);
    }
    rig_expect_none(&rig);
    rig_stop(&rig);
}

/* Paging packets come again with their ids, and their buffers are not free meanwhile. */
static void preempted_paging_packets_come_again(void **state)
{
    struct rig rig;
    struct rig_allocation *first, *second;
    DXGKARG_SUBMITCOMMAND again[2];
    UINT rendered;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    first = rig_simple(&rig);
    second = rig_simple(&rig);
    rig_build(&rig, rig_fill(first, RIG_MEMORY, RIG_MEMORY_BASE));
    again[0] = rig_paging_submit(&rig, rig.fence + 1);
    rig_flush(&rig);
    rig_new_buffer(&rig);
    rig_build(&rig, rig_fill(second, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    again[1] = rig_paging_submit(&rig, rig.fence + 1);
    rig_flush(&rig);
    rig_preempted(&rig, RIG_PAGING_NODE, again[0].SubmissionFenceId - 1);
    rig_submit(&rig, &again[0]);
    rig_submit(&rig, &again[1]);
    rig_complete(&rig, RIG_PAGING_NODE, again[1].SubmissionFenceId);
    rendered = rig_render(&rig, first, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_preempted(&rig, RIG_RENDER_NODE, rendered - 1);
    rig_build(&rig, rig_fill(second, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_render(&rig, first, RIG_MEMORY, RIG_MEMORY_BASE); /* with a new id */
    rig_expect_none(&rig);
    rig_stop(&rig);
}

static void a_preempted_paging_packet_is_not_done(void **state)
{
    struct rig rig;
    struct rig_allocation *allocation;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    allocation = rig_simple(&rig);
    rig_build(&rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_flush(&rig);
    rig_preempted(&rig, RIG_PAGING_NODE, rig.fence - 1);
    rig_render(&rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_expect(&rig, VIDMM_RULE_D_085);
    rig_stop(&rig);
}

/* Below 1.2 a submission has no NodeOrdinal: its context tells, or for paging the caps. */
static void an_older_driver_names_its_nodes_by_context(void **state)
{
    struct rig rig;
    DXGKARG_SUBMITCOMMAND command;
    DXGKARG_PATCH patch;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WIN7, NULL);
    patch = rig_paging_patch(&rig);
    command = rig_paging_submit(&rig, patch.SubmissionFenceId);
    command.NodeOrdinal = 77; /* behind the end of its struct */
    rig_patch(&rig, &patch);
    rig_submit(&rig, &command);
    rig_complete(&rig, RIG_PAGING_NODE, command.SubmissionFenceId);
    patch = rig_dma_patch(&rig, NULL, 0);
    command = rig_dma_submit(&rig, patch.SubmissionFenceId);
    command.NodeOrdinal = 77;
    rig_patch(&rig, &patch);
    rig_submit(&rig, &command);
    rig_complete(&rig, RIG_RENDER_NODE, command.SubmissionFenceId);
    rig_allow(&rig, VIDMM_RULE_D_081); /* no paging buffer was built here */
    rig_expect_none(&rig);
    rig_stop(&rig);
}

/* Work in flight has come to its end, requests are given up. */
static void a_reset_ends_everything(void **state)
{
    struct rig rig;
    struct rig_allocation *allocation, *other;
    DXGKARG_BUILDPAGINGBUFFER asked;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    allocation = rig_simple(&rig);
    other = rig_simple(&rig);
    rig_page_in(&rig, allocation, 0);
    rig_render(&rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked = rig_transfer_in(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    asked.Transfer.TransferSize = 8192;
    asked.Transfer.Flags.TransferEnd = 0;
    rig_build(&rig, asked); /* an open transfer */
    rig_flush(&rig);
    rig_answer(&rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 100, 5);
    asked.Transfer.TransferOffset = 8192;
    asked.Transfer.MdlOffset = 2;
    asked.Transfer.Flags.TransferStart = 0;
    rig_build(&rig, asked); /* a pending operation, a buffer not submitted */
    assert_int_equal(rig.driver->DxgkDdiResetFromTimeout(rig.adapter), STATUS_SUCCESS);
    assert_int_equal(rig.driver->DxgkDdiRestartFromTimeout(rig.adapter), STATUS_SUCCESS);
    rig.current = 0;
    rig_new_buffer(&rig);
    asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.TransferSize = 0;
    rig_build(&rig, asked); /* it has left (D-239) */
    rig_build(&rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_build(&rig, rig_transfer_in(other, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(&rig);
    rig_expect_none(&rig);
    rig_stop(&rig);
}

static void a_handle_may_come_back_for_another_allocation(void **state)
{
    struct rig rig;
    struct rig_allocation *allocation, *again;
    uintptr_t handles;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    handles = rig.next_handle;
    allocation = rig_simple(&rig);
    rig_page_in(&rig, allocation, 0);
    rig_complete(&rig, RIG_RENDER_NODE, rig_render(&rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_close(&rig, allocation);
    rig_destroy(&rig, allocation);
    allocation->opened = 0;
    rig.next_handle = handles;
    again = rig_simple(&rig);
    assert_ptr_equal(again->handle, allocation->handle);
    rig_page_in(&rig, again, 0x100000);
    rig_render(&rig, again, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    rig_expect_none(&rig);
    rig_render(&rig, again, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_expect(&rig, VIDMM_RULE_D_085);
    rig_stop(&rig);
}

static void a_reference_that_cannot_be_named_is_counted(void **state)
{
    struct rig rig;
    struct rig_allocation *allocation;
    DXGK_OPENALLOCATIONINFO info = {.hAllocation = 0x12345678}; /* the manager denies it */
    DXGKARG_OPENALLOCATION open = {.NumAllocations = 1, .pOpenAllocation = &info};

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    allocation = rig_simple(&rig);
    rig.driver->DxgkDdiOpenAllocation(rig.device, &open);
    allocation->open = info.hDeviceSpecificAllocation;
    rig_render(&rig, allocation, RIG_MEMORY, 0x77); /* nobody knows where that should be */
    assert_int_equal(vidmm_tap_unknown_references(rig.tap), 1);
    assert_int_equal(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_085), 0);
    rig_stop(&rig);
}

/* Addresses and pages that no segment has, sizes that overflow: reported, and forgotten. */
static void nonsense_is_reported_and_survived(void **state)
{
    static const uint64_t addresses[] = {0, RIG_MEMORY_BASE - PAGE_SIZE, UINT64_MAX,
                                         UINT64_MAX - PAGE_SIZE,
                                         RIG_MEMORY_BASE + RIG_SEGMENT_SIZE};
    struct rig rig;
    struct rig_allocation *allocation;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    allocation = rig_simple(&rig);
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        DXGKARG_BUILDPAGINGBUFFER asked = rig_map(&rig, allocation, addresses[i]);
        rig_build(&rig, asked);
        rig_build(&rig, rig_unmap(&rig, allocation, addresses[i]));
        asked.MapApertureSegment.OffsetInPages = 16;
        asked.MapApertureSegment.NumberOfPages = UINT64_MAX / PAGE_SIZE;
        rig_build(&rig, asked);
        rig_build(&rig, rig_transfer_in(allocation, RIG_MEMORY, addresses[i]));
        rig_build(&rig, rig_fill(allocation, 31, addresses[i]));
        rig_page(&rig);
        asked = rig_transfer_out(allocation, RIG_MEMORY, addresses[i]);
        asked.Transfer.TransferSize = UINT64_MAX;
        asked.Transfer.TransferOffset = UINT32_MAX;
        asked.Transfer.MdlOffset = UINT32_MAX;
        rig_build(&rig, asked);
        rig_page(&rig);
        rig_render(&rig, allocation, 31, addresses[i]);
    }
    assert_true(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_007) >= 10);
    assert_true(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_097) >= 10);
    assert_true(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_004) >= 5);
    assert_true(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_085) >= 5);
    assert_true(vidmm_tap_complete(rig.tap));
    rig_stop(&rig);
}

/* ---- It counts and writes ---- */

struct lines {
    char text[65536];
    size_t length;
};

static void collect(void *context, const char *text, size_t length)
{
    struct lines *lines = context;

    assert_true(lines->length + length < sizeof lines->text);
    memcpy(lines->text + lines->length, text, length);
    lines->length += length;
    lines->text[lines->length] = '\0';
}

/* A call by itself is one line; one with something inside is opened and closed. */
static void the_log_has_a_line_for_each_call(void **state)
{
    static struct lines lines;
    struct vidmm_tap_config config = {.log = collect, .log_context = &lines};
    struct rig rig;
    char expected[200];
    const char *at;

    (void)state;
    memset(&lines, 0, sizeof lines);
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    lines.length = 0;
    rig_build(&rig, rig_fill(rig_simple(&rig), RIG_MEMORY, RIG_MEMORY_BASE));
    at = strstr(lines.text, "BuildPagingBuffer");
    assert_non_null(at);
    assert_non_null(strstr(at, " -> STATUS_SUCCESS "));
    assert_ptr_equal(strchr(at, '\n'), lines.text + lines.length - 1);
    lines.length = 0;
    rig.during = complete_at_once;
    rig_allow(&rig, VIDMM_RULE_D_357);
    rig_build(&rig, rig_fill(rig_simple(&rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    at = strstr(lines.text, "BuildPagingBuffer");
    at = strstr(at, "\n") + 1;
    snprintf(expected, sizeof expected, "%8llu DxgkCbNotifyInterrupt ",
             (unsigned long long)vidmm_tap_records(rig.tap) - 1);
    assert_memory_equal(at, expected, strlen(expected));
    at = strstr(at, "\n") + 1;
    snprintf(expected, sizeof expected, "%8llu BuildPagingBuffer of %llu -> STATUS_SUCCESS ",
             (unsigned long long)vidmm_tap_records(rig.tap),
             (unsigned long long)vidmm_tap_records(rig.tap) - 2);
    assert_memory_equal(at, expected, strlen(expected));
    rig_stop(&rig);
    assert_int_equal(lines.text[lines.length - 1], '\n');
}

static void the_log_shows_the_level_and_long_lists(void **state)
{
    static struct lines lines;
    struct vidmm_tap_config config = {
        .log = collect, .log_context = &lines, .list_limit = UINT32_MAX};
    DXGK_ALLOCATIONLIST list[200] = {{0}};
    struct rig rig;
    DXGKARG_PATCH patch;
    DXGKARG_SUBMITCOMMAND command;
    unsigned braces = 0;

    (void)state;
    memset(&lines, 0, sizeof lines);
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    patch = rig_dma_patch(&rig, list, 200);
    patch.PatchLocationListSize = patch.PatchLocationListSubmissionLength = 0;
    command = rig_dma_submit(&rig, patch.SubmissionFenceId);
    lines.length = 0;
    rig_patch(&rig, &patch);
    for (size_t i = 0; i < lines.length; i++)
        braces += lines.text[i] == '{';
    assert_int_equal(braces, 200);
    assert_int_equal(lines.text[lines.length - 1], '\n');
    lines.length = 0;
    rig_submit(&rig, &command);
    assert_non_null(strstr(lines.text, " @2 SubmitCommand hAdapter="));
    rig_stop(&rig);
}

struct count {
    uint64_t records, last;
    bool gap;
};

static void count_record(void *context, const struct vidmm_ddi_record *record)
{
    struct count *count = context;

    count->gap |= record->sequence != count->last + 1;
    count->last = record->sequence;
    count->records++;
    if (record->returned)
        assert_true(record->entered > 0 && record->entered < record->sequence);
}

static void records_are_numbered_without_gaps(void **state)
{
    struct count count = {0};
    struct vidmm_tap_config config = {.record = count_record, .record_context = &count};
    struct rig rig;
    uint64_t records;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    for (uint64_t i = 0; i < 10; i++)
        rig_page_in(&rig, rig_simple(&rig), i * 0x10000);
    records = vidmm_tap_records(rig.tap); /* the last interrupt among them */
    assert_int_equal(records, count.records);
    assert_true(count.records > 60);
    assert_false(count.gap);
    rig_stop(&rig);
}

static void breaches_are_counted_and_the_first_ones_kept(void **state)
{
    static struct lines lines;
    struct vidmm_tap_config config = {.keep = 2};
    struct vidmm_violation violation;
    struct rig rig;
    json_t *array, *object;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    memset(&lines, 0, sizeof lines);
    vidmm_tap_report(rig.tap, VIDMM_REPORT_TEXT, collect, &lines);
    assert_int_equal(lines.length, 0);
    vidmm_tap_report(rig.tap, VIDMM_REPORT_JSON, collect, &lines);
    assert_string_equal(lines.text, "[]");
    for (uint64_t i = 0; i < 5; i++)
        rig_build(&rig, rig_transfer_in(rig_simple(&rig), RIG_MEMORY, i * 0x10000));
    assert_int_equal(vidmm_tap_violations(rig.tap), 5);
    assert_int_equal(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_007), 5);
    assert_true(vidmm_tap_violation(rig.tap, 1, &violation));
    assert_false(vidmm_tap_violation(rig.tap, 2, &violation));
    assert_int_equal(violation.rule, VIDMM_RULE_D_007);
    assert_non_null(strstr(violation.record, "BuildPagingBuffer hAdapter="));
    assert_non_null(strstr(violation.detail, "BaseAddress 0x100000000"));
    lines.length = 0;
    vidmm_tap_report(rig.tap, VIDMM_REPORT_TEXT, collect, &lines);
    assert_non_null(strstr(lines.text, "D-007 broken by VidMm, 5 times: A segment address is "));
    lines.length = 0;
    vidmm_tap_report(rig.tap, VIDMM_REPORT_JSON, collect, &lines);
    array = json_loads(lines.text, 0, NULL);
    assert_int_equal(json_array_size(array), 1);
    object = json_array_get(array, 0);
    assert_string_equal(json_string_value(json_object_get(object, "rule")), "D-007");
    assert_int_equal(json_integer_value(json_object_get(object, "count")), 5);
    assert_int_equal(json_array_size(json_object_get(object, "examples")), 2);
    json_decref(array);
    rig_stop(&rig);
}

static void without_audit_it_only_records(void **state)
{
    struct count count = {0};
    struct vidmm_tap_config config = {
        .no_audit = true, .record = count_record, .record_context = &count};
    struct rig rig;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, &config);
    rig_build(&rig, rig_transfer_in(rig_simple(&rig), RIG_MEMORY, 0));
    rig_flush(&rig);
    assert_int_equal(vidmm_tap_violations(rig.tap), 0);
    assert_true(count.records > 20);
    rig_stop(&rig);
}

/* ---- Threads ---- */

/* More interrupts than the list holds, with no other call to empty it. */
static void no_interrupt_is_lost(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    for (UINT i = 0; i < 5000; i++)
        rig_complete(&rig, RIG_RENDER_NODE, 77);
    assert_int_equal(vidmm_tap_violations_of(rig.tap, VIDMM_RULE_D_357), 5000);
    assert_int_equal(rig.interrupts, 5000);
    rig_stop(&rig);
}

struct worker {
    struct rig *rig;
    struct rig_allocation *allocation;
    HANDLE device;
};

enum { ROUNDS = 2000 };

/* Calls of level zero. */
static void *open_and_close(void *argument)
{
    struct worker *worker = argument;

    for (int i = 0; i < ROUNDS; i++) {
        DXGK_OPENALLOCATIONINFO info = {.hAllocation = worker->allocation->opened};
        DXGKARG_OPENALLOCATION open = {.NumAllocations = 1, .pOpenAllocation = &info};
        DXGKARG_CLOSEALLOCATION close = {.NumAllocations = 1,
                                         .pOpenHandleList = &info.hDeviceSpecificAllocation};
        info.hDeviceSpecificAllocation = NULL;
        worker->rig->driver->DxgkDdiOpenAllocation(worker->device, &open);
        worker->rig->driver->DxgkDdiCloseAllocation(worker->device, &close);
    }
    return NULL;
}

static void *interrupt(void *argument)
{
    struct worker *worker = argument;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC};

    for (int i = 0; i < ROUNDS; i++)
        worker->rig->seen.DxgkCbNotifyInterrupt(worker->rig->seen.DeviceHandle, &data);
    return NULL;
}

static void threads_may_call_at_the_same_time(void **state)
{
    struct rig rig;
    struct worker workers[3];
    pthread_t threads[3];
    uint64_t before;

    (void)state;
    rig_start(&rig, DXGKDDI_INTERFACE_VERSION_WDDM1_3, NULL);
    for (int i = 0; i < 3; i++)
        workers[i] =
            (struct worker){&rig, rig_simple(&rig), i == 0 ? rig.device : rig.other_device};
    before = vidmm_tap_records(rig.tap);
    pthread_create(&threads[0], NULL, interrupt, &workers[0]);
    pthread_create(&threads[1], NULL, open_and_close, &workers[1]);
    for (int i = 0; i < 200; i++) {
        rig_build(&rig, rig_fill(workers[2].allocation, RIG_MEMORY, RIG_MEMORY_BASE));
        rig_page(&rig);
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_int_equal(vidmm_tap_records(rig.tap) - before, ROUNDS + ROUNDS * 4 + 200 * 7);
    rig_expect_none(&rig);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_functions_with_a_row_are_wrapped),
        cmocka_unit_test(the_table_of_an_older_driver_is_read_to_its_end),
        cmocka_unit_test(a_version_that_is_none_is_refused),
        cmocka_unit_test(as_many_taps_exist_as_there_are_sets_of_functions),
        cmocka_unit_test(a_second_adapter_needs_a_second_tap),
        cmocka_unit_test(engines_of_a_link_are_judged_apart),
        cmocka_unit_test(callbacks_reach_the_manager_and_others_are_its_own),
        cmocka_unit_test(what_writes_nothing_is_done_when_it_returns),
        cmocka_unit_test(completion_frees_the_buffer_for_the_next_use),
        cmocka_unit_test(preempted_paging_packets_come_again),
        cmocka_unit_test(a_preempted_paging_packet_is_not_done),
        cmocka_unit_test(an_older_driver_names_its_nodes_by_context),
        cmocka_unit_test(a_reset_ends_everything),
        cmocka_unit_test(a_handle_may_come_back_for_another_allocation),
        cmocka_unit_test(a_reference_that_cannot_be_named_is_counted),
        cmocka_unit_test(nonsense_is_reported_and_survived),
        cmocka_unit_test(the_log_has_a_line_for_each_call),
        cmocka_unit_test(the_log_shows_the_level_and_long_lists),
        cmocka_unit_test(records_are_numbered_without_gaps),
        cmocka_unit_test(breaches_are_counted_and_the_first_ones_kept),
        cmocka_unit_test(without_audit_it_only_records),
        cmocka_unit_test(no_interrupt_is_lost),
        cmocka_unit_test(threads_may_call_at_the_same_time),
    };

    return cmocka_run_group_tests_name("tap", tests, NULL, NULL);
}
