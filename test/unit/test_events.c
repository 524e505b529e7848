/* test_events.c: a recorded run plays again to the same plan, byte for byte. */
#include "test_adapter_rig.h"

#include <vidmm/engine.h>

#include "trace/events.h"
#include "trace/events_format.h"
#include "trace/trace.h"

struct text {
    char *bytes;
    size_t size;
    FILE *file;
};

static void text_init(struct text *text)
{
    memset(text, 0, sizeof(*text));
    text->file = open_memstream(&text->bytes, &text->size);
    assert_non_null(text->file);
}

static void text_finish(struct text *text)
{
    fclose(text->file);
    free(text->bytes);
}

static void assert_same(const struct text *a, const struct text *b)
{
    size_t at = 0, line = 1;

    while (at < a->size && at < b->size && a->bytes[at] == b->bytes[at])
        line += a->bytes[at++] == '\n';
    if (a->size != b->size || at < a->size)
        fail_msg("the plans differ in line %zu: \"%.80s\" and \"%.80s\"", line,
                 at < a->size ? a->bytes + at : "", at < b->size ? b->bytes + at : "");
}

/* Run the program, record it, play the record, and compare the two plans. */
static uint64_t record_and_play(struct rig_options options, uint32_t work_seed, uint32_t steps)
{
    struct text events, plan, again;
    struct vidmm_recorder recorder;
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;
    struct rig *rig = calloc(1, sizeof(*rig));

    text_init(&events);
    text_init(&plan);
    text_init(&again);
    vidmm_recorder_init(&recorder, events.file, plan.file);
    options.adapter.observer = &recorder.observer;
    rig_init(rig, &options);
    rig_work(rig, work_seed, steps);
    rig_read(rig);
    rig_finish(rig);
    assert_true(vidmm_recorder_is_whole(&recorder));

    counted_memory_init(&memory);
    if (!vidmm_events_play("recorded", events.bytes, events.size, &memory.table, again.file,
                           &result, &error))
        fail_msg("%s", error.text);
    fflush(again.file);
    counted_memory_finish(&memory);
    assert_int_equal(result.events, recorder.event);
    assert_same(&plan, &again);
    assert_true(plan.size > 1000);
    text_finish(&events);
    text_finish(&plan);
    text_finish(&again);
    free(rig);
    return result.operations;
}

static void a_simulated_run_plays_to_the_same_plan(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    for (uint32_t seed = 0; seed < 6; seed++) {
        options.machine_seed = seed;
        options.evict_through_aperture = seed % 2 == 0;
        options.gpu = seed % 3 == 0 ? "habit immediate\n" : NULL;
        options.adapter.split_transfer_size = seed % 3 == 1 ? 2 * VIDMM_PAGE_SIZE : 0;
        options.adapter.first_fence = seed % 2 == 0 ? 1 : 0xffffffc0u;
        assert_true(record_and_play(options, seed + 7, 300) > 1000);
    }
}

static void a_run_with_threads_plays_to_the_same_plan(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    for (uint32_t seed = 0; seed < 3; seed++) {
        options.machine_seed = seed;
        options.evict_through_aperture = seed % 2 != 0;
        assert_true(record_and_play(options, seed + 7, 300) > 1000);
    }
}

static void a_row_ends_with_a_field_without_a_name(void **state)
{
    const uint32_t last = VIDMM_EVENTS_FIELDS - 1;

    (void)state;
    for (uint32_t kind = 0; kind < VIDMM_EVENTS; kind++)
        assert_null(vidmm_events_rows[kind].fields[last].name);
    assert_null(vidmm_events_engine_row.fields[last].name);
    assert_null(vidmm_events_segment_row.fields[last].name);
}

/* Residency lists of two devices: what the plan tells, and that it plays again. */
static void a_list_of_version_6_plays_and_tells_of_signals_and_trims(void **state)
{
    static const char list[] =
        "# vidmm-events 6\n"
        "engine segments 2 nodes 1 paging_node 0 queue_limit 31 first_fence 1 timeout_ns 2000000000"
        " driver_timeout_ns 0 preemption 0 per_engine_reset 0 linked 0 split_transfer_size 0"
        " aperture_commit_limit 0 move_directly 0 submit_empty 0 reject_leaks 0 swizzling_ranges 0"
        " cancel_commands 0 context_switches 0 no_contexts 0 one_operation 0 whole_lists 0"
        " explicit_residency 1\n"
        "segment 1 size 65536 commit_limit 65536 aperture 1 agp 0 cpu_visible 0 preserved_standby 0"
        " preserved_hibernate 0 preserved_end 0 pitch_aligned 0 banks 0 apart_from_budgets 0\n"
        "segment 2 size 65536 commit_limit 0 aperture 0 agp 0 cpu_visible 0 preserved_standby 0"
        " preserved_hibernate 0 preserved_end 0 pitch_aligned 0 banks 0 apart_from_budgets 0\n"
        "1 create_device 1 0\n"
        "2 join 1 1\n"
        "3 paging_buffers 1 1\n"
        "4 create_paging_queue 1 1 1 0 0\n"
        "5 create_allocation 1 7 0 0 0 4096 4096 2 2 0 0 0 2013265920 0 0 0\n"
        "6 make_resident 1 0 1 7\n"
        "7 built 0 0 64\n"
        "8 submitted 0\n"
        "9 fence 0 1\n"
        "10 budget 1 0 0\n"
        "11 evict 1 1 1 7\n"
        "12 evict 1 1 1 7\n";
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;
    struct text plan;

    (void)state;
    counted_memory_init(&memory);
    text_init(&plan);
    assert_true(vidmm_events_play("list", list, sizeof(list) - 1, &memory.table, plan.file, &result,
                                  &error));
    fflush(plan.file);
    assert_int_equal(result.events, 12);
    assert_int_equal(result.refused, 1); /* it is not on the list any more */
    assert_non_null(strstr(plan.bytes, "[9] signal queue 1 value 7001 status 0x00000000\n"));
    assert_non_null(strstr(plan.bytes, "[10] trim device 1 flags 4 bytes_to_trim 4096\n"));
    text_finish(&plan);
    assert_false(vidmm_events_play("list", list, strlen(list) - 2, &memory.table, NULL, &result,
                                   &error)); /* the id is missing */
    assert_non_null(strstr(error.text, "list:16"));
    counted_memory_finish(&memory);
}

/* Memory in the non-local group: its budget there is what is trimmed for. */
static void a_head_tells_of_a_limit_of_nodes_and_of_another_group(void **state)
{
    struct vidmm_engine_config config = {
        .segment_count = 2, .node_count = 1, .queue_limit = 31, .first_fence = 1, .timeout_ns = 1};
    static const char events[] =
        "1 create_device 1 0\n"
        "2 join 1 1\n"
        "3 paging_buffers 1 1\n"
        "4 create_paging_queue 1 1 1 0 0\n"
        "5 create_allocation 1 7 0 0 0 4096 4096 2 2 0 0 0 2013265920 0 0 0\n"
        "6 make_resident 1 0 1 7\n"
        "7 built 0 0 64\n"
        "8 submitted 0\n"
        "9 fence 0 1\n"
        "10 budget 1 1 0\n";
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;

    (void)state;
    config.explicit_residency = true;
    config.segments[1] = (struct vidmm_engine_segment){
        .size = 65536, .commit_limit = 65536, .aperture = true, .apart_from_budgets = true};
    config.segments[2] = (struct vidmm_engine_segment){.size = 65536};
    for (unsigned said = 0; said < 2; said++) {
        struct text list, plan;

        config.node_queue_limit = said ? 3 : 0;
        config.segments[2].other_group = said != 0;
        counted_memory_init(&memory);
        text_init(&list);
        text_init(&plan);
        vidmm_events_write_config(list.file, &config);
        fputs(events, list.file);
        fflush(list.file);
        assert_int_equal(strstr(list.bytes, " node_queue_limit 3\n") != NULL, said);
        assert_int_equal(strstr(list.bytes, " other_group 1\n") != NULL, said);
        if (!vidmm_events_play("list", list.bytes, strlen(list.bytes), &memory.table, plan.file,
                               &result, &error))
            fail_msg("%s", error.text);
        fflush(plan.file);
        assert_int_equal(strstr(plan.bytes, "[10] trim device 1") != NULL, said);
        text_finish(&list);
        text_finish(&plan);
        counted_memory_finish(&memory);
    }
}

/* A queue rests, an eviction comes late, and a trim is asked for by the clock: at these times. */
static void times_are_written_and_read(void **state)
{
    const struct vidmm_engine_config config = {
        .segment_count = 1,
        .node_count = 1,
        .queue_limit = 31,
        .first_fence = 1,
        .timeout_ns = 1,
        .explicit_residency = true,
        .segments = {[1] = {.size = 65536}},
    };
    struct vidmm_event delay = {.kind = VIDMM_EVENT_DELAY, .time_ns = 4};
    struct vidmm_event late = {.kind = VIDMM_EVENT_EVICTION_DELAY, .time_ns = 5};
    struct vidmm_event trims = {.kind = VIDMM_EVENT_TRIM_INTERVALS, .time_ns = 6};
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;
    struct text list, plan;

    (void)state;
    delay.test.queue = 1;
    delay.test.time_ns[0] = 1000;
    late.test.time_ns[0] = 77;
    trims.test.time_ns[0] = 40;
    trims.test.time_ns[1] = 50;
    trims.test.time_ns[2] = 60;
    counted_memory_init(&memory);
    text_init(&list);
    text_init(&plan);
    vidmm_events_write_config(list.file, &config);
    fputs("1 create_device 1 0\n2 join 1 1\n3 create_paging_queue 1 1 1 0 0\n", list.file);
    vidmm_events_write(list.file, &delay);
    vidmm_events_write(list.file, &late);
    vidmm_events_write(list.file, &trims);
    fputs("65 tick\n66 tick\n1003 tick\n1004 tick\n", list.file);
    fflush(list.file);
    assert_non_null(strstr(list.bytes, "\n4 delay 1 1000\n5 eviction_delay 77\n"));
    assert_non_null(strstr(list.bytes, "\n6 trim_intervals 40 50 60\n"));
    if (!vidmm_events_play("list", list.bytes, strlen(list.bytes), &memory.table, plan.file,
                           &result, &error))
        fail_msg("%s", error.text);
    fflush(plan.file);
    assert_int_equal(result.events, 10);
    assert_int_equal(result.refused, 0);
    assert_non_null(strstr(plan.bytes, "[8] trim device 1 flags 1 ")); /* 6 + 60, and once */
    assert_non_null(strstr(plan.bytes, "[10] signal queue 1 value 7001 status 0x00000000\n"));
    text_finish(&list);
    text_finish(&plan);
    counted_memory_finish(&memory);
}

/* A part of a segment has the segment's places, and says so. */
static void parts_of_segments_are_written_and_read(void **state)
{
    static const struct vidmm_reserved_range low = {0, 4096}, high = {4096, 61440};
    struct vidmm_engine_config config = {
        .segment_count = 2,
        .node_count = 1,
        .queue_limit = 1,
        .first_fence = 1,
        .timeout_ns = 1,
        .explicit_residency = true,
        .segments = {[1] = {.size = 65536, .reserved_count = 1, .reserved = &low},
                     [2] = {.size = 65536,
                            .reserved_count = 1,
                            .reserved = &high,
                            .part_of = 1,
                            .move_in_two = true}},
    };
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;
    struct text list;
    char *part;

    (void)state;
    counted_memory_init(&memory);
    text_init(&list);
    vidmm_events_write_config(list.file, &config);
    fflush(list.file);
    part = strstr(list.bytes, "reserved 4096 61440\npart 1\nmove_in_two\n");
    assert_non_null(part);
    assert_true(
        vidmm_events_play("list", list.bytes, list.size, &memory.table, NULL, &result, &error));
    part[strlen("reserved 4096 61440\npart ")] = '2'; /* its own part */
    assert_false(
        vidmm_events_play("list", list.bytes, list.size, &memory.table, NULL, &result, &error));
    part[strlen("reserved 4096 61440\npart ")] = '0';
    assert_false(
        vidmm_events_play("list", list.bytes, list.size, &memory.table, NULL, &result, &error));
    assert_non_null(strstr(error.text, "part: 0; expected 1 to 31"));
    text_finish(&list);
    counted_memory_finish(&memory);
}

/* Monitored fences: a context waits for what another signals, and the CPU for both. */
static void fences_of_version_6_play_and_their_plans_tell_of_them(void **state)
{
    static const char list[] =
        "# vidmm-events 6\n"
        "engine segments 1 nodes 1 paging_node 0 queue_limit 31 first_fence 1 timeout_ns 2000000000"
        " driver_timeout_ns 0 preemption 0 per_engine_reset 0 linked 0 split_transfer_size 0"
        " aperture_commit_limit 0 move_directly 0 submit_empty 0 reject_leaks 0 swizzling_ranges 0"
        " cancel_commands 0 context_switches 0 no_contexts 0 one_operation 0 whole_lists 0"
        " explicit_residency 1\n"
        "segment 1 size 65536 commit_limit 0 aperture 0 agp 0 cpu_visible 0 preserved_standby 0"
        " preserved_hibernate 0 preserved_end 0 pitch_aligned 0 banks 0 apart_from_budgets 0\n"
        "1 create_device 1 0\n"
        "2 paging_buffers 1 1\n"
        "3 create_fence 1 5 32 10\n"
        "4 create_fence 1 6 16 0\n"
        "5 wait_fences 1 3 0 2 5=12 6=18446744073709551615\n"
        "6 queue_wait 1 1 1 5=11\n"
        "7 queue_signal 1 1 1 6=18446744073709551615\n"
        "8 fences_signaled 0\n"
        "9 fence_read 5 11\n"
        "10 signal_fences 1 1 5=4294967295\n"
        "11 destroy_fence 5\n"
        "12 destroy_fence 5\n";
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    struct counted_memory memory;
    struct text plan;

    (void)state;
    counted_memory_init(&memory);
    text_init(&plan);
    assert_true(vidmm_events_play("list", list, sizeof(list) - 1, &memory.table, plan.file, &result,
                                  &error));
    fflush(plan.file);
    assert_int_equal(result.events, 12);
    assert_int_equal(result.refused, 2); /* it is out of reach by 1, for it has 32 bits; and gone */
    assert_non_null(strstr(plan.bytes, "[5] read fence fence 5\n"));
    assert_non_null(strstr(plan.bytes, "[8] read fence fence 5\n"));
    assert_non_null(
        strstr(plan.bytes, "[9] write fence fence 6 narrow 0 value 18446744073709551615\n"));
    assert_non_null(strstr(plan.bytes, "[11] waited request 3 status 0xc0000120\n"));
    text_finish(&plan);
    assert_false(vidmm_events_play("list", list, (size_t)(strstr(list, " 6=1844") - list) + 2,
                                   &memory.table, NULL, &result,
                                   &error)); /* a fence without its value */
    assert_non_null(strstr(error.text, "FENCE=VALUE"));
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_ends_with_a_field_without_a_name),
        cmocka_unit_test(a_list_of_version_6_plays_and_tells_of_signals_and_trims),
        cmocka_unit_test(a_head_tells_of_a_limit_of_nodes_and_of_another_group),
        cmocka_unit_test(times_are_written_and_read),
        cmocka_unit_test(parts_of_segments_are_written_and_read),
        cmocka_unit_test(fences_of_version_6_play_and_their_plans_tell_of_them),
        cmocka_unit_test(a_simulated_run_plays_to_the_same_plan),
        cmocka_unit_test(a_run_with_threads_plays_to_the_same_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
