/* The pictures: seats worked out from operations, the chart drawn of them, the recording for
 * Perfetto. */
#include "fresh_memory.h"

#include <stdio.h>

#include <jansson.h>

#include <vidmm/engine.h>

#include "trace/chrome.h"
#include "trace/listed.h"
#include "trace/seats.h"
#include "trace/chart.h"

#define MIB 1048576u

/* ---- events and operations ------------------------------------------------------------------- */

static struct vidmm_event create(uint32_t allocation, uint64_t size)
{
    return (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                .create = {.allocation = allocation, .wish = {.size = size}}};
}

static struct vidmm_operation build(uint32_t operation, uint32_t allocation,
                                    struct vidmm_place from, struct vidmm_place to, uint64_t size)
{
    return (struct vidmm_operation){.kind = VIDMM_DO_BUILD,
                                    .allocation = allocation,
                                    .build = {.operation = operation,
                                              .flags = VIDMM_PAGING_START | VIDMM_PAGING_END,
                                              .source = from,
                                              .destination = to,
                                              .size = size}};
}

static struct vidmm_place at(uint32_t segment, uint64_t offset)
{
    return (struct vidmm_place){segment, 0, offset};
}

static const struct vidmm_place nowhere;

/* ---- seats ----------------------------------------------------------------------------------- */

/* The news that a listener has heard, as text: "+1@2:4096 in" for taken, "-..." for left. */
static char heard[512];
static uint64_t heard_bytes; /* of them, taken less left */

static const char *const reasons[] = {"in",    "fill",    "map",   "found",  "out",
                                      "moved", "discard", "unmap", "destroy"};

static void hear(char sign, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    size_t length = strlen(heard);

    snprintf(heard + length, sizeof(heard) - length, "%c%u@%u:%u %s;", sign, seat->allocation,
             seat->place.segment, (unsigned)seat->place.offset, reasons[reason]);
}

static void hear_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    (void)context;
    heard_bytes += seat->size;
    hear('+', seat, reason);
}

static void hear_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    (void)context;
    heard_bytes -= seat->size;
    hear('-', seat, reason);
}

static struct vidmm_seats *listen(void)
{
    const struct vidmm_seats_listener listener = {NULL, hear_taken, hear_left};
    struct vidmm_seats *seats = vidmm_seats_create(&memory.table, 1, &listener);

    assert_non_null(seats);
    heard[0] = 0;
    for (uint32_t id = 1; id <= 3; id++) {
        const struct vidmm_event event = create(id, 4096);

        assert_true(vidmm_seats_event(seats, &event));
    }
    return seats;
}

static void hand(struct vidmm_seats *seats, struct vidmm_operation operation)
{
    vidmm_seats_operation(seats, &operation);
}

static void seats_follow_paging_operations(void **state)
{
    struct vidmm_seats *seats = listen();

    (void)state;
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 4096), 4096));
    hand(seats, build(VIDMM_TRANSFER, 1, at(2, 4096), nowhere, 4096));
    hand(seats, build(VIDMM_TRANSFER, 1, nowhere, at(2, 8192), 4096));
    hand(seats, build(VIDMM_DISCARD_CONTENT, 1, nowhere, at(2, 8192), 4096));
    hand(seats, build(VIDMM_MAP_APERTURE_SEGMENT, 2, nowhere, at(1, 0), 4096));
    hand(seats, build(VIDMM_UNMAP_APERTURE_SEGMENT, 2, nowhere, at(1, 0), 4096));
    assert_string_equal(heard, "+1@2:4096 fill;-1@2:4096 out;+1@2:8192 in;-1@2:8192 discard;"
                               "+2@1:0 map;-2@1:0 unmap;");
    vidmm_seats_destroy(seats);
}

static void an_eviction_through_an_aperture_has_both_seats_at_once(void **state)
{
    struct vidmm_seats *seats = listen();

    (void)state;
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 0), 4096));
    hand(seats, build(VIDMM_MAP_APERTURE_SEGMENT, 1, nowhere, at(1, 4096), 4096));
    hand(seats, build(VIDMM_TRANSFER, 1, at(2, 0), at(1, 4096), 4096));
    hand(seats, build(VIDMM_UNMAP_APERTURE_SEGMENT, 1, nowhere, at(1, 4096), 4096));
    assert_string_equal(heard, "+1@2:0 fill;+1@1:4096 map;-1@2:0 out;-1@1:4096 unmap;");
    vidmm_seats_destroy(seats);
}

static void a_split_transfer_moves_the_seat_at_its_end(void **state)
{
    struct vidmm_seats *seats = listen();
    struct vidmm_operation part = build(VIDMM_TRANSFER, 1, nowhere, at(2, 0), 2048);

    (void)state;
    part.build.flags = VIDMM_PAGING_START;
    hand(seats, part);
    assert_string_equal(heard, "");
    part.build.flags = VIDMM_PAGING_END;
    hand(seats, part);
    part.build.flags = VIDMM_PAGING_END | VIDMM_PAGING_AGAIN;
    hand(seats, part);
    assert_string_equal(heard, "+1@2:0 in;");
    vidmm_seats_destroy(seats);
}

static void a_direct_move_leaves_and_takes(void **state)
{
    struct vidmm_seats *seats = listen();

    (void)state;
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 8192), 4096));
    hand(seats, build(VIDMM_TRANSFER, 1, at(2, 8192), at(2, 0), 4096));
    assert_string_equal(heard, "+1@2:8192 fill;-1@2:8192 moved;+1@2:0 in;");
    vidmm_seats_destroy(seats);
}

static void a_submission_that_finds_an_allocation_elsewhere_is_believed(void **state)
{
    struct vidmm_seats *seats = listen();

    (void)state;
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 8192), 4096));
    hand(seats, (struct vidmm_operation){
                    .kind = VIDMM_DO_PLACED, .allocation = 1, .placed = {.place = at(2, 8192)}});
    assert_string_equal(heard, "+1@2:8192 fill;");
    hand(seats, (struct vidmm_operation){
                    .kind = VIDMM_DO_PLACED, .allocation = 1, .placed = {.place = at(2, 0)}});
    assert_string_equal(heard, "+1@2:8192 fill;-1@2:8192 moved;+1@2:0 found;");
    vidmm_seats_destroy(seats);
}

static void destruction_leaves_every_seat_and_unknown_ids_are_ignored(void **state)
{
    struct vidmm_seats *seats = listen();

    (void)state;
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 0), 4096));
    hand(seats, (struct vidmm_operation){.kind = VIDMM_DO_DESTROY, .allocation = 1});
    hand(seats, build(VIDMM_FILL, 1, nowhere, at(2, 0), 4096));
    hand(seats, build(VIDMM_FILL, 77777, nowhere, at(2, 0), 4096));
    assert_string_equal(heard, "+1@2:0 fill;-1@2:0 destroy;");
    vidmm_seats_destroy(seats);
}

/* ---- seats that are runs of pages ------------------------------------------------------------ */

#define PAGING 7u        /* the paging process */
#define PROGRAM 8u       /* another one */
#define RUNS (5 * 4096u) /* bytes of allocation 1 */

static struct vidmm_operation by_address(uint32_t operation, uint32_t allocation,
                                         struct vidmm_place from, struct vidmm_place to,
                                         uint64_t offset, uint32_t pages)
{
    return (struct vidmm_operation){.kind = VIDMM_DO_BUILD,
                                    .allocation = allocation,
                                    .table = {.operation = operation,
                                              .process = PAGING,
                                              .entry = VIDMM_ENTRY_IS_PAGES,
                                              .count = pages,
                                              .place = from,
                                              .at = to,
                                              .offset = offset,
                                              .size = (uint64_t)pages * 4096}};
}

/* A GPU with page tables. */
static struct vidmm_seats *listen_by_address(void)
{
    static const struct vidmm_engine_config engine = {
        .mmu = {.levels = 2, .table_size = {4096, 8192}, .wide_size = 16384}};
    const struct vidmm_event process = {.kind = VIDMM_EVENT_CREATE_PROCESS,
                                        .process = {.process = PAGING, .paging = 1}};
    const struct vidmm_event privileged = {
        .kind = VIDMM_EVENT_CREATE_PROCESS,
        .process = {.process = PAGING + 1, .paging = VIDMM_PROCESS_PRIVILEGED}};
    const struct vidmm_event larger = create(1, RUNS);
    struct vidmm_seats *seats = listen();

    vidmm_seats_engine(seats, &engine);
    assert_true(vidmm_seats_event(seats, &process));
    assert_true(vidmm_seats_event(seats, &privileged)); /* it does not page */
    assert_true(vidmm_seats_event(seats, &larger));
    return seats;
}

/* The scratch range shows pages of allocation 1. */
static void show_run(struct vidmm_seats *seats, uint64_t where, uint64_t offset, uint32_t pages)
{
    hand(seats, by_address(VIDMM_UPDATE_PAGE_TABLE, 1, at(2, where), at(2, 0), offset, pages));
}

static void fill_in_runs(struct vidmm_seats *seats)
{
    show_run(seats, 65536, 0, 2);
    show_run(seats, 8192, 8192, 3);
    hand(seats, by_address(VIDMM_FLUSH_TLB, 1, nowhere, nowhere, 0, 0));
    hand(seats, by_address(VIDMM_FILL_VIRTUAL, 1, nowhere, at(2, 65536), 0, 5));
    hand(seats, by_address(VIDMM_FLUSH_TLB, 1, nowhere, nowhere, 0, 0));
}

static void what_comes_and_leaves_by_address_has_a_seat_a_run(void **state)
{
    struct vidmm_seats *seats = listen_by_address();

    (void)state;
    fill_in_runs(seats);
    assert_string_equal(heard, "+1@2:65536 fill;+1@2:8192 fill;");
    heard[0] = 0;
    show_run(seats, 65536, 0, 2);
    show_run(seats, 8192, 8192, 3);
    hand(seats, by_address(VIDMM_UPDATE_PAGE_TABLE, 1, nowhere, at(2, 0), 0, 5));
    hand(seats, by_address(VIDMM_FLUSH_TLB, 1, nowhere, nowhere, 0, 0));
    assert_string_equal(heard, "");
    hand(seats, by_address(VIDMM_TRANSFER_VIRTUAL, 1, at(2, 65536), nowhere, 0, 5));
    assert_string_equal(heard, "-1@2:8192 out;-1@2:65536 out;");
    vidmm_seats_destroy(seats);
}

/* Two chunks: it is there with the second. Other processes' tables say nothing of it. */
static void chunks_that_come_by_address_are_gathered(void **state)
{
    struct vidmm_seats *seats = listen_by_address();
    struct vidmm_operation mapped;

    (void)state;
    show_run(seats, 4096, 0, 2);
    hand(seats, by_address(VIDMM_TRANSFER_VIRTUAL, 1, nowhere, at(2, 4096), 0, 2));
    assert_string_equal(heard, "");
    mapped = by_address(VIDMM_UPDATE_PAGE_TABLE, 1, at(2, 0), at(2, 0), 0, 5);
    mapped.table.process = PROGRAM;
    hand(seats, mapped);
    show_run(seats, 32768, 8192, 3);
    mapped = by_address(VIDMM_UPDATE_PAGE_TABLE, 1, at(2, 32768), at(2, 0), 8192, 3);
    mapped.table.flags = VIDMM_PAGING_AGAIN;
    hand(seats, mapped);
    hand(seats, by_address(VIDMM_TRANSFER_VIRTUAL, 1, nowhere, at(2, 32768), 8192, 3));
    assert_string_equal(heard, "+1@2:4096 in;+1@2:32768 in;");
    vidmm_seats_destroy(seats);
}

/* A run that is mapped by pages of 64 KiB. */
static void a_wide_entry_is_of_sixteen_pages(void **state)
{
    struct vidmm_seats *seats = listen_by_address();
    const struct vidmm_event large = create(2, 3 * 65536);
    struct vidmm_operation mapped =
        by_address(VIDMM_UPDATE_PAGE_TABLE, 2, at(2, 131072), at(2, 0), 0, 2);

    (void)state;
    assert_true(vidmm_seats_event(seats, &large));
    mapped.table.flags = VIDMM_PAGING_WIDE;
    hand(seats, mapped);
    hand(seats, by_address(VIDMM_UPDATE_PAGE_TABLE, 2, at(2, 0), at(2, 0), 131072, 16));
    heard_bytes = 0;
    hand(seats, by_address(VIDMM_FILL_VIRTUAL, 2, nowhere, at(2, 131072), 0, 48));
    assert_string_equal(heard, "+2@2:131072 fill;+2@2:0 fill;");
    assert_int_equal(heard_bytes, 3 * 65536);
    vidmm_seats_destroy(seats);
}

static void a_flush_alone_is_a_discard_and_a_reset_loses_all(void **state)
{
    struct vidmm_seats *seats = listen_by_address();

    (void)state;
    fill_in_runs(seats);
    heard[0] = 0;
    hand(seats, by_address(VIDMM_FLUSH_TLB, 1, nowhere, nowhere, 0, 0));
    assert_string_equal(heard, "-1@2:8192 discard;-1@2:65536 discard;");
    fill_in_runs(seats);
    hand(seats, build(VIDMM_MAP_APERTURE_SEGMENT, 2, nowhere, at(1, 0), 4096));
    heard[0] = 0;
    hand(seats, (struct vidmm_operation){.kind = VIDMM_DO_RESET});
    assert_string_equal(heard, "-1@2:8192 discard;-1@2:65536 discard;");
    vidmm_seats_destroy(seats);
}

static struct vidmm_operation write_table(uint32_t table, uint32_t level, uint32_t flags,
                                          uint64_t where)
{
    struct vidmm_operation written =
        by_address(VIDMM_UPDATE_PAGE_TABLE, 0, nowhere, at(2, where), 0, 1);

    written.table.process = PROGRAM;
    written.table.table = VIDMM_TABLE_IDS + table;
    written.table.level = level;
    written.table.flags = flags;
    return written;
}

static uint64_t taken_bytes;

static void sum_taken(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    (void)context, (void)reason;
    assert_true(seat->allocation >= VIDMM_TABLE_IDS);
    taken_bytes += seat->size;
}

static void sum_left(void *context, const struct vidmm_seat *seat, enum vidmm_seat_reason reason)
{
    (void)context, (void)reason;
    taken_bytes -= seat->size;
}

static void page_tables_have_seats_of_their_level(void **state)
{
    static const struct vidmm_engine_config engine = {
        .mmu = {.levels = 2, .table_size = {4096, 8192}, .wide_size = 16384}};
    const struct vidmm_seats_listener listener = {NULL, sum_taken, sum_left};
    struct vidmm_seats *seats = vidmm_seats_create(&memory.table, 1, &listener);

    (void)state;
    assert_non_null(seats);
    taken_bytes = 0;
    hand(seats, write_table(1, 0, 0, 0)); /* nobody knows how large it is */
    assert_int_equal(taken_bytes, 0);
    vidmm_seats_engine(seats, &engine);
    hand(seats, write_table(1, 0, 0, 0));
    assert_int_equal(taken_bytes, 4096);
    hand(seats, write_table(1, 0, 0, 0)); /* once more */
    assert_int_equal(taken_bytes, 4096);
    hand(seats, write_table(2, 1, 0, 65536));
    hand(seats, write_table(3, 0, VIDMM_PAGING_WIDE, 131072));
    assert_int_equal(taken_bytes, 4096 + 8192 + 16384);
    hand(seats, write_table(2, 1, 0, 262144)); /* elsewhere */
    assert_int_equal(taken_bytes, 4096 + 8192 + 16384);
    hand(seats, (struct vidmm_operation){.kind = VIDMM_DO_FREE_TABLE,
                                         .root = {.table = VIDMM_TABLE_IDS + 3}});
    assert_int_equal(taken_bytes, 4096 + 8192);
    assert_true(vidmm_seats_are_whole(seats));
    vidmm_seats_destroy(seats);
}

/* ---- the lists ------------------------------------------------------------------------------- */

static void lists_say_what_a_device_has_resident(void **state)
{
    struct vidmm_lists *lists = vidmm_lists_create(&memory.table);
    const uint32_t ids[] = {3, 5};
    struct vidmm_event event = {
        .kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 2, .paging_queue = {.queue = 9}};
    uint32_t count;

    (void)state;
    assert_non_null(lists);
    assert_true(vidmm_lists_event(lists, &event));
    event = (struct vidmm_event){.kind = VIDMM_EVENT_MAKE_RESIDENT,
                                 .residency = {.queue = 9, .count = 2, .allocations = ids}};
    assert_true(vidmm_lists_event(lists, &event));
    event.residency.count = 1;
    assert_true(vidmm_lists_event(lists, &event)); /* 3, twice */
    vidmm_lists_of(lists, 2, &count);
    assert_int_equal(count, 2);
    assert_null(vidmm_lists_of(lists, 1, &count));
    assert_int_equal(count, 0);
    event = (struct vidmm_event){
        .kind = VIDMM_EVENT_EVICT, .device = 2, .residency = {.count = 2, .allocations = ids}};
    assert_true(vidmm_lists_event(lists, &event));
    assert_true(vidmm_lists_have(lists, 2, 3));
    assert_false(vidmm_lists_have(lists, 2, 5));
    event = (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_ALLOCATION, .destroy = {3}};
    assert_true(vidmm_lists_event(lists, &event));
    assert_false(vidmm_lists_have(lists, 2, 3));
    vidmm_lists_destroy(lists);
}

/* ---- the chart ---------------------------------------------------------------------------- */

static const struct vidmm_chart_options options = {
    .segments = {{1, true, 4 * MIB}, {2, false, 4 * MIB}},
    .segment_count = 2,
    .classes = {{"other", 0, 0}, {"buffers", 0, 0}, {"images & more", 210, 60}},
    .class_count = 3,
};

static const struct vidmm_chart_text words = {"<title>", {"one", "two & three"}, "frame", "frames"};

static void tell(struct vidmm_chart *chart, struct vidmm_operation operation)
{
    vidmm_chart_operation(chart, &operation);
}

static void hear_event(struct vidmm_chart *chart, struct vidmm_event event)
{
    vidmm_chart_event(chart, &event);
}

static void submit(struct vidmm_chart *chart)
{
    hear_event(chart, (struct vidmm_event){.kind = VIDMM_EVENT_SUBMIT});
    tell(chart, (struct vidmm_operation){.kind = VIDMM_DO_SUBMIT});
}

/* Two frames: allocation 1 (1 MiB at 0) is there in the first, then evicted for allocation 2 (2 MiB
 * at 1 MiB). */
static struct vidmm_chart *small_story(void)
{
    struct vidmm_chart *chart = vidmm_chart_create(&memory.table, &options);

    if (chart == NULL)
        return NULL;
    hear_event(chart, create(1, MIB));
    hear_event(chart, create(2, 2 * MIB));
    vidmm_chart_name(chart, 1, 2, 41, true);
    vidmm_chart_name(chart, 2, 2, 42, true);
    tell(chart, build(VIDMM_FILL, 1, nowhere, at(2, 0), MIB));
    tell(chart, (struct vidmm_operation){
                    .kind = VIDMM_DO_PLACED, .allocation = 1, .placed = {.place = at(2, 0)}});
    submit(chart);
    vidmm_chart_frame(chart);
    tell(chart, build(VIDMM_TRANSFER, 1, at(2, 0), nowhere, MIB));
    tell(chart, build(VIDMM_TRANSFER, 2, nowhere, at(2, MIB), 2 * MIB));
    submit(chart);
    vidmm_chart_frame(chart);
    return chart;
}

/* Draw into memory. NULL: it could not be drawn. */
static char *drawn(struct vidmm_chart *chart, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);

    assert_non_null(file);
    bool done = vidmm_chart_write(chart, &words, file);
    assert_int_equal(fclose(file), 0);
    if (done)
        return text;
    free(text);
    return NULL;
}

static void assert_holds(const char *text, const char *piece)
{
    if (strstr(text, piece) == NULL)
        fail_msg("there is no '%s'", piece);
}

static void a_stay_is_a_rectangle_of_its_address_and_time(void **state)
{
    struct vidmm_chart *chart = small_story();
    size_t size;
    char *svg = drawn(chart, &size);

    (void)state;
    assert_non_null(svg);
    /* The panel of the segment is 1152 x 400 pixels: a frame 576, a MiB 100. */
    assert_holds(svg, "x=\"92\" y=\"434\" width=\"576\" height=\"100\"");
    assert_holds(svg, "<title>images &amp; more 41: 1.00 MiB at 0.00 MiB, from 0.0 to 1.0</title>");
    assert_holds(svg, "x=\"668\" y=\"234\" width=\"576\" height=\"200\"");
    assert_holds(svg, "<title>images &amp; more 42: 2.00 MiB at 1.00 MiB, from 1.0 to 2.0</title>");
    assert_holds(svg, "class=\"evicted\" d=\"M667.5 434v100\"");
    assert_holds(svg, "class=\"paged\" d=\"M668.5 234v200\"");
    free(svg);
    vidmm_chart_destroy(chart);
}

static void titles_and_legends_are_escaped(void **state)
{
    struct vidmm_chart *chart = small_story();
    size_t size;
    char *svg = drawn(chart, &size);

    (void)state;
    assert_non_null(svg);
    assert_holds(svg, "&lt;title&gt;");
    assert_holds(svg, "two &amp; three");
    assert_holds(svg, "legend\">images &amp; more<");
    assert_holds(svg, ">frames<");
    assert_null(strstr(svg, "nothing was paged"));
    assert_null(strstr(svg, "nan"));
    free(svg);
    vidmm_chart_destroy(chart);
}

static void nothing_at_all_can_be_drawn(void **state)
{
    struct vidmm_chart *chart = vidmm_chart_create(&memory.table, &options);
    size_t size;
    char *svg = drawn(chart, &size);

    (void)state;
    assert_non_null(svg);
    assert_holds(svg, "nothing was paged");
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    free(svg);
    vidmm_chart_destroy(chart);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Hundreds of thousands of stays, as scattered as can be. */
static void a_storm_of_paging_still_fits_in_two_megabytes(void **state)
{
    struct vidmm_chart *chart = vidmm_chart_create(&memory.table, &options);
    static struct vidmm_place places[1025];
    uint32_t random = 1;
    size_t size;

    (void)state;
    memset(places, 0, sizeof(places));
    for (uint32_t id = 1; id <= 1024; id++)
        hear_event(chart, create(id, 4096));
    for (uint32_t i = 0; i < 300000; i++) {
        uint32_t id = next_random(&random) % 1024 + 1;

        if (places[id].segment != 0)
            tell(chart, build(VIDMM_TRANSFER, id, places[id], nowhere, 4096));
        places[id] = at(2, (uint64_t)(next_random(&random) % 1024) * 4096);
        tell(chart, build(VIDMM_TRANSFER, id, nowhere, places[id], 4096));
        if (i % 50 == 0)
            submit(chart);
        if (i % 100 == 0)
            vidmm_chart_frame(chart);
    }
    char *svg = drawn(chart, &size);
    assert_non_null(svg);
    assert_true(size < 2000000);
    free(svg);
    vidmm_chart_destroy(chart);
}

static void a_chart_without_memory_is_not_drawn_by_halves(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t n = 1;; n++) {
        size_t size;

        counted_memory_fail_at(&memory, n);
        struct vidmm_chart *chart = small_story();
        char *svg = chart != NULL ? drawn(chart, &size) : NULL;
        vidmm_chart_destroy(chart);
        assert_true(counted_memory_all_back(&memory));
        if (!counted_memory_refused(&memory)) {
            assert_non_null(svg);
            free(svg);
            break;
        }
        assert_null(svg);
        failures++;
    }
    assert_true(failures > 8);
}

/* ---- the recording for Perfetto -------------------------------------------------------------- */

static const struct vidmm_chrome_options recording = {
    .apertures = 1,
    .paging_node = 1,
    .node_count = 2,
    .nodes = {"render", "copy \"quoted\""},
    .program_count = 1,
    .programs = {"a program"},
};

static void record_operation(struct vidmm_chrome *chrome, uint64_t time_ns,
                             struct vidmm_operation operation)
{
    vidmm_chrome_operation(chrome, time_ns, &operation);
}

static void record_fence(struct vidmm_chrome *chrome, uint64_t time_ns, uint32_t node,
                         uint32_t fence)
{
    const struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE, .fence = {node, fence}};

    vidmm_chrome_event(chrome, time_ns, &event);
}

static bool record_story(FILE *file)
{
    struct vidmm_chrome *chrome = vidmm_chrome_create(&memory.table, &recording, file);
    const struct vidmm_event first = create(1, MIB), second = create(2, 3 * MIB);

    if (chrome == NULL)
        return false;
    vidmm_chrome_event(chrome, 0, &first);
    vidmm_chrome_event(chrome, 0, &second);
    vidmm_chrome_name(chrome, 1, 0, 7);
    record_operation(chrome, 1000, build(VIDMM_TRANSFER, 1, nowhere, at(2, 0), MIB));
    record_operation(chrome, 1000, build(VIDMM_FILL, 2, nowhere, at(2, MIB), 3 * MIB));
    record_operation(
        chrome, 2000,
        (struct vidmm_operation){.kind = VIDMM_DO_SUBMIT_PAGING,
                                 .submit_paging = {.paging_buffer = 5, .fence = UINT32_MAX}});
    record_operation(
        chrome, 3000,
        (struct vidmm_operation){.kind = VIDMM_DO_SUBMIT, .submit = {.node = 0, .fence = 1}});
    vidmm_chrome_buffer(chrome, 4, 0);
    record_operation(chrome, 4000,
                     (struct vidmm_operation){.kind = VIDMM_DO_SUBMIT,
                                              .submit = {.dma_buffer = 4, .node = 0, .fence = 2}});
    record_fence(chrome, 6000, 1, 0); /* 0 follows UINT32_MAX */
    record_fence(chrome, 9000, 0, 1);
    record_fence(chrome, 9500, 0, 2);
    vidmm_chrome_frame(chrome, 9500, 0, 1);
    return vidmm_chrome_finish(chrome);
}

static json_t *recorded(void)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    json_error_t error;

    assert_non_null(file);
    assert_true(record_story(file));
    assert_int_equal(fclose(file), 0);
    json_t *root = json_loads(text, 0, &error);
    if (root == NULL)
        fail_msg("%s: %s", error.text, text);
    free(text);
    return root;
}

static bool same(json_t *a, json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key)) == 1;
}

/* When the slice ends that begins with this event: by the E that closes it. */
static double end_of(json_t *root, json_t *begin)
{
    json_t *event;
    size_t i;
    int depth = 0;
    bool begun = false;

    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *phase = json_string_value(json_object_get(event, "ph"));

        begun |= event == begin;
        if (!begun || !same(event, begin, "pid") || !same(event, begin, "tid"))
            continue;
        depth += strcmp(phase, "B") == 0 ? 1 : strcmp(phase, "E") == 0 ? -1 : 0;
        if (depth == 0)
            return json_number_value(json_object_get(event, "ts"));
    }
    fail_msg("a slice has no end");
    return 0;
}

/* The n-th event of a name. */
static json_t *find(json_t *root, const char *name, size_t n)
{
    json_t *event;
    size_t i;

    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *its_name = json_string_value(json_object_get(event, "name"));

        if (its_name != NULL && strcmp(its_name, name) == 0 && n-- == 0)
            return event;
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

static void assert_slice(json_t *root, json_t *event, int track, double begin_us,
                         double duration_us)
{
    assert_string_equal(json_string_value(json_object_get(event, "ph")), "B");
    assert_int_equal(json_integer_value(json_object_get(event, "tid")), track);
    assert_float_equal((float)json_number_value(json_object_get(event, "ts")), (float)begin_us,
                       1e-3);
    assert_float_equal((float)(end_of(root, event) - begin_us), (float)duration_us, 1e-3);
}

static void a_recording_is_json_with_slices_and_counters(void **state)
{
    json_t *root = recorded(), *transfer;

    (void)state;
    assert_slice(root, find(root, "paging buffer", 0), 1, 2, 4);
    transfer = find(root, "transfer in", 0);
    assert_slice(root, transfer, 1, 2, 1.0005); /* a quarter of the bytes */
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(transfer, "args"), "allocation")), 7);
    assert_slice(root, find(root, "fill", 0), 1, 3.0005, 2.9995);
    assert_slice(root, find(root, "DMA buffer", 0), 0, 3, 6);
    assert_slice(root, find(root, recording.programs[0], 0), 0, 9, 0.5); /* whose it is */
    assert_slice(root, find(root, "frame", 0), 0, 0, 9.5);
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(find(root, "frame", 0), "args"), "number")),
                     1);
    assert_float_equal(json_number_value(json_object_get(
                           json_object_get(find(root, "segment 2 in use", 0), "args"), "MiB")),
                       4, 1e-6);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(find(root, "thread_name", 2), "args"), "name")),
                        "copy \"quoted\"");
    json_decref(root);
}

static void a_recording_says_when_memory_ran_out(void **state)
{
    size_t failures = 0;

    (void)state;
    for (size_t n = 1;; n++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);

        counted_memory_fail_at(&memory, n);
        bool done = record_story(file);
        fclose(file);
        free(text);
        assert_true(counted_memory_all_back(&memory));
        if (!counted_memory_refused(&memory)) {
            assert_true(done);
            break;
        }
        assert_false(done);
        failures++;
    }
    assert_true(failures > 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seats_follow_paging_operations),
        TEST(an_eviction_through_an_aperture_has_both_seats_at_once),
        TEST(a_split_transfer_moves_the_seat_at_its_end),
        TEST(a_direct_move_leaves_and_takes),
        TEST(a_submission_that_finds_an_allocation_elsewhere_is_believed),
        TEST(destruction_leaves_every_seat_and_unknown_ids_are_ignored),
        TEST(what_comes_and_leaves_by_address_has_a_seat_a_run),
        TEST(chunks_that_come_by_address_are_gathered),
        TEST(a_wide_entry_is_of_sixteen_pages),
        TEST(a_flush_alone_is_a_discard_and_a_reset_loses_all),
        TEST(page_tables_have_seats_of_their_level),
        TEST(lists_say_what_a_device_has_resident),
        TEST(a_stay_is_a_rectangle_of_its_address_and_time),
        TEST(titles_and_legends_are_escaped),
        TEST(nothing_at_all_can_be_drawn),
        TEST(a_storm_of_paging_still_fits_in_two_megabytes),
        TEST(a_chart_without_memory_is_not_drawn_by_halves),
        TEST(a_recording_is_json_with_slices_and_counters),
        TEST(a_recording_says_when_memory_ran_out),
    };

    return cmocka_run_group_tests_name("chart", tests, NULL, NULL);
}
