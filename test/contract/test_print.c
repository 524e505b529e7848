/* test_print.c: records as text and as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "wddm/call.h"
#include "wddm/level.h"

#include "base/text.h"

#define LEVEL VIDMM_LEVEL(1, 3)

static char *print(const struct vidmm_ddi_record *record, unsigned limit)
{
    static char line[8192];
    struct vidmm_text text;

    vidmm_text_init(&text, line, sizeof line);
    vidmm_ddi_print(&text, record, limit);
    assert_false(vidmm_text_truncated(&text));
    return line;
}

/* The record as JSON, parsed. */
static json_t *parse(const struct vidmm_ddi_record *record)
{
    char line[8192];
    struct vidmm_text text;
    json_error_t error;
    json_t *object;

    vidmm_text_init(&text, line, sizeof line);
    vidmm_ddi_print_json(&text, record, 0);
    assert_false(vidmm_text_truncated(&text));
    object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        fail_msg("%s in: %s", error.text, line);
    return object;
}

static void expect_member(const json_t *object, const char *name, const char *value)
{
    assert_string_equal(json_string_value(json_object_get(object, name)), value);
}

static struct vidmm_ddi_record entry(enum vidmm_ddi ddi, const void *argument)
{
    return (struct vidmm_ddi_record){.sequence = 7,
                                     .ddi = ddi,
                                     .level = LEVEL,
                                     .irql = VIDMM_IRQL_ANY,
                                     .handle = (HANDLE)0x10,
                                     .argument = argument};
}

static DXGKARG_BUILDPAGINGBUFFER paging(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return (DXGKARG_BUILDPAGINGBUFFER){.pDmaBuffer = (void *)0x5000,
                                       .DmaSize = 4096,
                                       .pDmaBufferPrivateData = (void *)0x6000,
                                       .DmaBufferPrivateDataSize = 64,
                                       .Operation = operation};
}

#define BUFFER                                                                                     \
    " pDmaBuffer=0x5000 DmaSize=4096 pDmaBufferPrivateData=0x6000 DmaBufferPrivateDataSize=64 "    \
    "MultipassOffset=0x0"

static void expect_operation(const DXGKARG_BUILDPAGINGBUFFER *asked, const char *middle)
{
    struct vidmm_ddi_record record = entry(VIDMM_DDI_BUILD_PAGING_BUFFER, asked);
    char expected[1024] = "BuildPagingBuffer hAdapter=0x10 Operation=";

    strcat(expected, middle);
    strcat(expected, BUFFER);
    assert_string_equal(print(&record, 0), expected);
    json_decref(parse(&record));
}

static void each_operation_shows_its_members(void **state)
{
    DXGKARG_BUILDPAGINGBUFFER asked = paging(DXGK_OPERATION_FILL);

    (void)state;
    asked.Fill.hAllocation = (HANDLE)0x20;
    asked.Fill.FillSize = 65536;
    asked.Fill.FillPattern = 0xab;
    asked.Fill.Destination.SegmentId = 2;
    asked.Fill.Destination.SegmentAddress.QuadPart = 0x100000000;
    expect_operation(&asked, "FILL hAllocation=0x20 FillSize=65536 FillPattern=0xab SegmentId=2 "
                             "SegmentAddress=0x100000000");
    asked = paging(DXGK_OPERATION_DISCARD_CONTENT);
    asked.DiscardContent.hAllocation = (HANDLE)0x20;
    asked.DiscardContent.Flags.AllocationIsIdle = 1;
    asked.DiscardContent.SegmentId = 2;
    expect_operation(&asked, "DISCARD_CONTENT hAllocation=0x20 Flags=AllocationIsIdle SegmentId=2 "
                             "SegmentAddress=0x0");
    asked = paging(DXGK_OPERATION_WRITE_PHYSICAL);
    asked.WritePhysical.SegmentId = 1;
    asked.WritePhysical.PhysicalAddress.QuadPart = 0x7000;
    expect_operation(&asked, "WRITE_PHYSICAL SegmentId=1 PhysicalAddress=0x7000");
    asked = paging(DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
    asked.UnmapApertureSegment.hAllocation = (HANDLE)0x20;
    asked.UnmapApertureSegment.SegmentId = 1;
    asked.UnmapApertureSegment.OffsetInPages = 16;
    asked.UnmapApertureSegment.NumberOfPages = 4;
    asked.UnmapApertureSegment.DummyPage.QuadPart = 0x9000;
    expect_operation(&asked, "UNMAP_APERTURE_SEGMENT hDevice=0x0 hAllocation=0x20 SegmentId=1 "
                             "OffsetInPages=16 NumberOfPages=4 DummyPage=0x9000");
}

static void an_mdl_shows_its_pages(void **state)
{
    MDL mdl = {.ByteCount = 3 * PAGE_SIZE, .ByteOffset = 16}; /* it touches four */
    DXGKARG_BUILDPAGINGBUFFER asked = paging(DXGK_OPERATION_TRANSFER);
    struct vidmm_ddi_record record = entry(VIDMM_DDI_BUILD_PAGING_BUFFER, &asked);
    json_t *object, *source;

    (void)state;
    asked.Transfer.hAllocation = (HANDLE)0x20;
    asked.Transfer.TransferSize = 16384;
    asked.Transfer.Source.pMdl = &mdl;
    asked.Transfer.Destination.SegmentId = 2;
    asked.Transfer.Destination.SegmentAddress.QuadPart = 0x100000000;
    asked.Transfer.Flags.TransferStart = 1;
    asked.Transfer.Flags.TransferEnd = 1;
    assert_non_null(strstr(print(&record, 0), " pages=4} Destination={SegmentId=2 "
                                              "SegmentAddress=0x100000000} "
                                              "Flags=TransferStart|TransferEnd MdlOffset=0 "));
    object = parse(&record);
    source = json_object_get(object, "Source");
    assert_int_equal(json_integer_value(json_object_get(source, "pages")), 4);
    expect_member(object, "call", "BuildPagingBuffer");
    expect_member(object, "at", "entry");
    expect_member(object, "Operation", "TRANSFER");
    expect_member(object, "Flags", "TransferStart|TransferEnd");
    json_decref(object);
    asked.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    memset(&asked.MapApertureSegment, 0, sizeof asked.MapApertureSegment);
    asked.MapApertureSegment.pMdl = &mdl;
    assert_non_null(strstr(print(&record, 0), " pages=4} Flags=0 MdlOffset=0 "));
    json_decref(parse(&record));
}

/* After an answer that refuses, only what goes in and out has a meaning. */
static void a_return_shows_what_came_out(void **state)
{
    DXGKARG_BUILDPAGINGBUFFER before = paging(DXGK_OPERATION_FILL), after = before;
    struct vidmm_ddi_record record = entry(VIDMM_DDI_BUILD_PAGING_BUFFER, &after);
    json_t *object;

    (void)state;
    after.pDmaBuffer = (void *)0x5040;
    after.MultipassOffset = 3;
    record.returned = true;
    record.before = &before;
    record.entered = 5;
    record.status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    assert_string_equal(print(&record, 0),
                        "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER pDmaBuffer=0x5040 "
                        "pDmaBufferPrivateData=0x6000 MultipassOffset=0x3 wrote=64");
    object = parse(&record);
    expect_member(object, "status", "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER");
    assert_int_equal(json_integer_value(json_object_get(object, "entered")), 5);
    json_decref(object);
}

static void lists_are_cut_at_the_limit(void **state)
{
    HANDLE handles[5] = {(HANDLE)1, (HANDLE)2, (HANDLE)3, (HANDLE)4, (HANDLE)5};
    DXGKARG_DESTROYALLOCATION destroy = {.NumAllocations = 5, .pAllocationList = handles};
    struct vidmm_ddi_record record = entry(VIDMM_DDI_DESTROY_ALLOCATION, &destroy);
    json_t *object;

    (void)state;
    assert_string_equal(print(&record, 0), "DestroyAllocation hAdapter=0x10 Flags=0 hResource=0x0 "
                                           "pAllocationList=[0x1 0x2 0x3 0x4 0x5]");
    assert_string_equal(print(&record, 2), "DestroyAllocation hAdapter=0x10 Flags=0 hResource=0x0 "
                                           "pAllocationList=[0x1 0x2 +3]");
    object = parse(&record);
    assert_int_equal(json_array_size(json_object_get(object, "pAllocationList")), 5);
    json_decref(object);
}

static void a_segment_query_shows_the_segments(void **state)
{
    DXGK_SEGMENTDESCRIPTOR3 segments[2];
    DXGK_QUERYSEGMENTOUT3 out = {.NbSegment = 2, .pSegmentDescriptor = segments};
    DXGKARG_QUERYADAPTERINFO query = {
        .Type = DXGKQAITYPE_QUERYSEGMENT3, .pOutputData = &out, .OutputDataSize = sizeof out};
    struct vidmm_ddi_record record = entry(VIDMM_DDI_QUERY_ADAPTER_INFO, &query);
    json_t *object, *list;

    (void)state;
    memset(segments, 0, sizeof segments);
    segments[0].Flags.Aperture = 1;
    segments[1].BaseAddress.QuadPart = 0x100000000;
    segments[1].Size = 4096;
    assert_string_equal(print(&record, 0), "QueryAdapterInfo hAdapter=0x10 Type=QUERYSEGMENT3 "
                                           "InputDataSize=0 OutputDataSize=32");
    record.returned = true;
    record.before = &query;
    object = parse(&record);
    list = json_object_get(object, "pSegmentDescriptor");
    assert_int_equal(json_array_size(list), 2);
    expect_member(json_array_get(list, 0), "Flags", "Aperture");
    expect_member(json_array_get(list, 1), "BaseAddress", "0x100000000");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "Size")), 4096);
    json_decref(object);
    query.OutputDataSize = 8; /* nothing behind the first member may be read */
    object = parse(&record);
    assert_null(json_object_get(object, "pSegmentDescriptor"));
    json_decref(object);
}

static void flags_of_an_allocation_are_those_of_the_level(void **state)
{
    DXGK_ALLOCATIONINFO info;
    DXGKARG_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo = &info};
    struct vidmm_ddi_record record = entry(VIDMM_DDI_CREATE_ALLOCATION, &create);

    (void)state;
    memset(&info, 0, sizeof info);
    info.Flags.Swizzled = 1;
    info.PreferredSegment.Value = 2 | (1 | 32) << 6; /* 2, then 1 from its end */
    record.returned = true;
    record.before = &create;
    assert_non_null(strstr(print(&record, 0), " Flags=Swizzled "));
    assert_non_null(strstr(print(&record, 0), " PreferredSegment=2,1(end) "));
    assert_null(strstr(print(&record, 0), "Flags2"));
    json_decref(parse(&record));
    record.level = VIDMM_LEVEL(3, 0);
    assert_non_null(strstr(print(&record, 0), " FlagsWddm2=DisableLargePageMapping Flags2=0 "));
}

static void an_interrupt_shows_the_members_of_its_type(void **state)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED};
    struct vidmm_ddi_record record = entry(VIDMM_DDI_NOTIFY_INTERRUPT, &data);

    (void)state;
    data.DmaCompleted.SubmissionFenceId = 0x99;
    data.DmaCompleted.NodeOrdinal = 1;
    assert_string_equal(print(&record, 0),
                        "DxgkCbNotifyInterrupt DeviceHandle=0x10 InterruptType=DMA_COMPLETED "
                        "SubmissionFenceId=0x99 NodeOrdinal=1 EngineOrdinal=0");
    data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    assert_non_null(strstr(print(&record, 0), " LastCompletedFenceId=0x1 "));
    data.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC;
    assert_string_equal(print(&record, 0),
                        "DxgkCbNotifyInterrupt DeviceHandle=0x10 InterruptType=CRTC_VSYNC");
}

/* Below 1.2 there is no NodeOrdinal: the bytes behind the struct are not read. */
static void members_that_the_level_lacks_are_not_read(void **state)
{
    DXGKARG_SUBMITCOMMAND *command = calloc(1, 88);
    struct vidmm_ddi_record record = entry(VIDMM_DDI_SUBMIT_COMMAND, command);

    (void)state;
    record.level = VIDMM_LEVEL(1, 1);
    assert_null(strstr(print(&record, 0), "NodeOrdinal"));
    free(command);
}

/* All bytes zero, entered and returned, with success and without: each call prints, and parses. */
static void every_call_has_a_text_and_a_json_object(void **state)
{
    (void)state;
    for (unsigned ddi = 0; ddi < VIDMM_DDI_COUNT; ddi++) {
        unsigned char zeros[1024] = {0};
        for (int i = 0; i < 3; i++) {
            struct vidmm_ddi_record record =
                entry(ddi, vidmm_ddi_argument_size(ddi, LEVEL) == 0 ? NULL : zeros);
            json_t *object;
            record.returned = i > 0;
            record.before = zeros;
            record.irql = 2;
            record.status = i == 2 ? STATUS_NO_MEMORY : STATUS_SUCCESS;
            if (i == 0)
                assert_ptr_equal(strstr(print(&record, 0), vidmm_ddi_call(ddi)->name),
                                 print(&record, 0));
            object = parse(&record);
            expect_member(object, "call", vidmm_ddi_call(ddi)->name);
            assert_int_equal(json_integer_value(json_object_get(object, "irql")), 2);
            json_decref(object);
        }
    }
}

static void an_unknown_operation_shows_its_number(void **state)
{
    DXGKARG_BUILDPAGINGBUFFER asked = paging((DXGK_BUILDPAGINGBUFFER_OPERATION)77);

    (void)state;
    expect_operation(&asked, "77");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_shows_its_members),
        cmocka_unit_test(an_unknown_operation_shows_its_number),
        cmocka_unit_test(an_mdl_shows_its_pages),
        cmocka_unit_test(a_return_shows_what_came_out),
        cmocka_unit_test(lists_are_cut_at_the_limit),
        cmocka_unit_test(a_segment_query_shows_the_segments),
        cmocka_unit_test(flags_of_an_allocation_are_those_of_the_level),
        cmocka_unit_test(an_interrupt_shows_the_members_of_its_type),
        cmocka_unit_test(members_that_the_level_lacks_are_not_read),
        cmocka_unit_test(every_call_has_a_text_and_a_json_object),
    };

    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
