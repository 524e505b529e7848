/* The command line's parts: sizes, options, where allocations may live, what is printed. */
#include "harness.h"

#include <stdio.h>

#include <jansson.h>

#include "softgpu/softgpu.h"
#include "base/text.h"
#include "tool/dialect.h"
#include "tool/options.h"
#include "tool/run.h"
#include "tool/size.h"
#include "tool/summary.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

static void sizes_are_read_as_people_write_them_in_whole_pages(void **state)
{
    static const struct {
        const char *text;
        uint64_t size;
    } sizes[] = {
        {"0", 0},
        {"4095", 0},
        {"4096", 4096},
        {"8191", 4096},
        {"8192 bytes", 8192},
        {"0x2000", 8192},
        {"0X2fff", 8192},
        {"3K", 0},
        {"5K", 4096},
        {"240M", 251658240},
        {"240MiB", 251658240},
        {"240.0 MiB", 251658240},
        {"240m", 251658240},
        {"1.5G", UINT64_C(3) << 29},
        {"0.0625T", UINT64_C(1) << 36},
        {"0.333333333333333333333M", 349525 / 4096 * 4096},
        {"64G", UINT64_C(68719476736)},
        {"18446744073709551615", UINT64_MAX - 4095},
        {"17179869183G", UINT64_C(17179869183) << 30},
        {"16777215.999999T", (UINT64_C(16777215) << 40) + (UINT64_C(1099510528264) / 4096 * 4096)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint64_t size = 1;

        assert_true(vidmm_size_parse(sizes[i].text, &size));
        assert_int_equal(size, sizes[i].size);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "M",
                                        "-1",
                                        "+1",
                                        "1.5",
                                        "1  M",
                                        "1 ",
                                        "1MB",
                                        "0x",
                                        "0x1.5",
                                        "1MM",
                                        " 1",
                                        "1.G",
                                        ".5G",
                                        "1.5.5G",
                                        "1.5 bytes",
                                        "1byt",
                                        "1Mi",
                                        "K1",
                                        "1 M ",
                                        "16777216T",
                                        "17179869184G",
                                        "1,5G",
                                        "18446744073709551616",
                                        "0x10000000000000000"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        uint64_t size = 1;

        assert_false(vidmm_size_parse(texts[i], &size));
        assert_true(size == 1);
    }
}

static void every_size_that_is_written_is_read_again(void **state)
{
    static const uint64_t sizes[] = {
        0, 1, 1023, 4096, 5 << 10, 3 << 20, UINT64_C(7) << 30, UINT64_C(5) << 41, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint64_t size = 2;

        assert_true(vidmm_size_read(vidmm_size_written(sizes[i]).text, &size));
        assert_int_equal(size, sizes[i]);
    }
    assert_string_equal(vidmm_size_written(5 << 10).text, "5K");
    assert_string_equal(vidmm_size_written(1025).text, "1025");
    assert_string_equal(vidmm_size_written(UINT64_C(5) << 41).text, "10240G");
}

static void sizes_are_written_in_the_unit_that_suits_them(void **state)
{
    (void)state;
    assert_string_equal(vidmm_size_text(0).text, "0 bytes");
    assert_string_equal(vidmm_size_text(1023).text, "1023 bytes");
    assert_string_equal(vidmm_size_text(1024).text, "1.0 KiB");
    assert_string_equal(vidmm_size_text(251658240).text, "240.0 MiB");
    assert_string_equal(vidmm_size_text(UINT64_C(3) << 29).text, "1.5 GiB");
    assert_string_equal(vidmm_size_text(UINT64_C(1) << 42).text, "4.0 TiB");
}

/* ---- options --------------------------------------------------------------------------------- */

struct wishes {
    bool loud, size_given;
    uint64_t size, number, colour;
    const char *name;
    struct vidmm_words words;
    char error[200];
};

static const char *const colours[] = {"red", "green", NULL};

static bool read_options(struct wishes *wishes, int count, const char *const *arguments)
{
    const struct vidmm_option options[] = {
        {"loud", VIDMM_OPTION_SWITCH, &wishes->loud, NULL, "", 0, 0, NULL, NULL},
        {"memory", VIDMM_OPTION_SIZE, &wishes->size, "SIZE", "", 4096, 1 << 20, NULL,
         &wishes->size_given},
        {"number", VIDMM_OPTION_NUMBER, &wishes->number, "N", "", 1, 9, NULL, NULL},
        {"colour", VIDMM_OPTION_CHOICE, &wishes->colour, "WORD", "", 0, 0, colours, NULL},
        {"name", VIDMM_OPTION_TEXT, &wishes->name, "NAME", "", 0, 0, NULL, NULL},
    };

    memset(wishes, 0, sizeof(*wishes));
    wishes->words.most = 2;
    return vidmm_options_parse(options, sizeof(options) / sizeof(options[0]), count,
                               (char *const *)(uintptr_t)arguments, &wishes->words, wishes->error,
                               sizeof(wishes->error));
}

#define READ(wishes, ...)                                                                          \
    read_options(wishes, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),            \
                 (const char *[]){__VA_ARGS__})

static void options_and_words_may_stand_anywhere(void **state)
{
    struct wishes w;

    (void)state;
    assert_true(READ(&w, "a", "--memory", "64K", "--loud", "b", "--colour=green",
                     "--name=", "--number", "9"));
    assert_int_equal(w.words.count, 2);
    assert_string_equal(w.words.word[0], "a");
    assert_string_equal(w.words.word[1], "b");
    assert_true(w.loud && w.size_given);
    assert_int_equal(w.size, 65536);
    assert_int_equal(w.number, 9);
    assert_int_equal(w.colour, 1);
    assert_string_equal(w.name, "");
    assert_true(READ(&w, "--", "--loud", "-x"));
    assert_false(w.loud);
    assert_string_equal(w.words.word[0], "--loud");
}

static void a_size_is_written_in_the_largest_unit_that_divides_it(void **state)
{
    (void)state;
    assert_string_equal(vidmm_size_written(0).text, "0");
    assert_string_equal(vidmm_size_written(1023).text, "1023");
    assert_string_equal(vidmm_size_written(4096).text, "4K");
    assert_string_equal(vidmm_size_written(4097 << 10).text, "4097K");
    assert_string_equal(vidmm_size_written(UINT64_C(64) << 30).text, "64G");
    assert_string_equal(vidmm_size_written(UINT64_C(3) << 40).text, "3072G");
}

static void one_is_singular(void **state)
{
    (void)state;
    assert_string_equal(vidmm_counted(0, "eviction").text, "0 evictions");
    assert_string_equal(vidmm_counted(1, "eviction").text, "1 eviction");
    assert_string_equal(vidmm_counted(2, "eviction").text, "2 evictions");
    assert_string_equal(vidmm_counted(1, "mismatch").text, "1 mismatch");
    assert_string_equal(vidmm_counted(2, "mismatch").text, "2 mismatches");
    assert_string_equal(vidmm_counted(2, "h").text, "2 hs");
}

static void wrong_options_are_refused_by_name_value_and_range(void **state)
{
    struct wishes w;

    (void)state;
    assert_false(READ(&w, "--memroy", "1M"));
    assert_string_equal(w.error, "there is no option --memroy; did you mean --memory?");
    assert_false(READ(&w, "--xylophone=3"));
    assert_string_equal(w.error, "there is no option --xylophone");
    assert_false(READ(&w, "--memory"));
    assert_string_equal(w.error, "--memory needs a value: --memory SIZE");
    assert_false(READ(&w, "--memory", "12"));
    assert_string_equal(w.error, "--memory: '12'; expected 4K to 1M, for example 4K");
    assert_false(READ(&w, "--memory=2M"));
    assert_false(READ(&w, "--number", "0"));
    assert_string_equal(w.error, "--number: '0'; expected 1 to 9");
    assert_false(READ(&w, "--number", "10"));
    assert_false(READ(&w, "--number", "-1"));
    assert_false(READ(&w, "--number", "3x"));
    assert_false(READ(&w, "--number", "99999999999999999999999"));
    assert_false(READ(&w, "--colour", "blue"));
    assert_string_equal(w.error, "--colour: 'blue'; expected one of red, green");
    assert_false(READ(&w, "--loud=yes"));
    assert_string_equal(w.error, "--loud takes no value");
    assert_false(READ(&w, "-l"));
    assert_string_equal(w.error, "'-l' is no option; options begin with two dashes");
    assert_false(READ(&w, "a", "b", "c"));
    assert_string_equal(w.error, "unexpected argument 'c'");
}

static void the_nearest_word_is_near(void **state)
{
    static const char *const words[] = {"replay", "trace", "help", NULL};

    (void)state;
    assert_string_equal(vidmm_options_nearest("repaly", words), "replay");
    assert_string_equal(vidmm_options_nearest("traces", words), "trace");
    assert_string_equal(vidmm_options_nearest("halp", words), "help");
    assert_null(vidmm_options_nearest("benchmark", words));
    assert_null(vidmm_options_nearest("", words));
    assert_null(
        vidmm_options_nearest("a word that is much longer than any word that is known", words));
}

/* ---- where allocations may live -------------------------------------------------------------- */

static struct softgpu_allocation wish(const struct vidmm_dialect *dialect, uint32_t types)
{
    _Alignas(8) unsigned char buffer[VIDMM_REPLAY_PRIVATE];
    struct softgpu_allocation allocation;
    struct vidmm_replay_driver driver = vidmm_dialect_driver(dialect);

    assert_int_equal(driver.describe(driver.context, 5000, types, buffer), sizeof(allocation));
    memcpy(&allocation, buffer, sizeof(allocation));
    assert_int_equal(allocation.magic, SOFTGPU_ALLOCATION_MAGIC);
    assert_int_equal(allocation.size, 5000);
    assert_int_equal(allocation.read_set, allocation.write_set);
    return allocation;
}

/* Segment 1 is the aperture, segment 2 memory. */
static void memory_types_become_segment_sets(void **state)
{
    const struct softgpu_config config = softgpu_config_default();
    struct vidmm_dialect dialect;

    (void)state;
    vidmm_dialect_init(&dialect, &config);
    struct softgpu_allocation local = wish(&dialect, VIDMM_TRACE_LOCAL | VIDMM_TRACE_IMAGE);
    assert_int_equal(local.read_set, 2);
    assert_int_equal(local.preferred, 2);
    assert_int_equal(local.flags, 0);
    assert_int_equal(local.evict_set, 0);
    struct softgpu_allocation both = wish(&dialect, VIDMM_TRACE_LOCAL | VIDMM_TRACE_VISIBLE);
    assert_int_equal(both.read_set, 2);
    assert_int_equal(both.flags, 1);
    struct softgpu_allocation cached = wish(&dialect, VIDMM_TRACE_VISIBLE | VIDMM_TRACE_CACHED);
    assert_int_equal(cached.read_set, 1);
    assert_int_equal(cached.preferred, 1);
    assert_int_equal(cached.flags, 5);
    struct softgpu_allocation none = wish(&dialect, 0);
    assert_int_equal(none.read_set, 1);
    assert_int_equal(none.flags, 0);
    assert_true(vidmm_dialect_memory_only(&dialect, VIDMM_TRACE_LOCAL));
    assert_false(vidmm_dialect_memory_only(&dialect, VIDMM_TRACE_VISIBLE));
}

static void spilling_adds_the_aperture_behind_the_memory(void **state)
{
    const struct softgpu_config config = softgpu_config_default();
    struct vidmm_dialect dialect;

    (void)state;
    vidmm_dialect_init(&dialect, &config);
    dialect.spill = true;
    dialect.evict_through_aperture = true;
    struct softgpu_allocation local = wish(&dialect, VIDMM_TRACE_LOCAL);
    assert_int_equal(local.read_set, 3);
    assert_int_equal(local.preferred, 2 | 1 << 6);
    assert_int_equal(local.evict_set, 1);
    assert_false(vidmm_dialect_memory_only(&dialect, VIDMM_TRACE_LOCAL));
}

static void what_the_cpu_must_reach_stays_out_of_memory_that_it_does_not(void **state)
{
    struct softgpu_config config = softgpu_config_default();
    struct vidmm_dialect dialect;

    (void)state;
    config.segments[1].cpu_visible = false;
    vidmm_dialect_init(&dialect, &config);
    assert_int_equal(wish(&dialect, VIDMM_TRACE_LOCAL | VIDMM_TRACE_VISIBLE).read_set, 1);
    assert_int_equal(wish(&dialect, VIDMM_TRACE_LOCAL).read_set, 2);
}

/* ---- summaries ------------------------------------------------------------------------------- */

static struct vidmm_run_result two_programs(void)
{
    struct vidmm_run_result result = {.program_count = 2, .memory_bytes = 4096};

    strcpy(result.programs[0].app, "one \"quoted\"");
    strcpy(result.programs[1].app, "two");
    result.programs[0].frames = 3;
    result.programs[1].frames = 4;
    result.programs[0].trace.largest_submission_bytes = 10;
    result.programs[1].trace.largest_submission_bytes = 20;
    result.programs[1].trace.peak_local_bytes = 7;
    result.programs[0].renames = 8;
    result.programs[1].renames = 9;
    result.mismatches = 5;
    result.violations = 6;
    strcpy(result.mismatch, "here");
    return result;
}

static void json_has_the_keys_that_were_promised(void **state)
{
    static const char *const keys[] = {"app",
                                       "frames",
                                       "submissions",
                                       "allocations",
                                       "renames",
                                       "memory_bytes",
                                       "peak_live_bytes",
                                       "peak_local_bytes",
                                       "largest_submission_bytes",
                                       "bytes_in",
                                       "bytes_in_again",
                                       "bytes_out",
                                       "bytes_filled",
                                       "bytes_discarded",
                                       "bytes_decommitted",
                                       "evictions",
                                       "page_ins",
                                       "resident_bytes_most",
                                       "page_table_bytes_most",
                                       "paging_process_table_bytes",
                                       "frames_held",
                                       "paging_buffers",
                                       "paging_operations",
                                       "content_checks",
                                       "content_sum",
                                       "content_mismatches",
                                       "violations",
                                       "wall_s",
                                       "check_s",
                                       "programs"};
    struct vidmm_run_result result = two_programs();
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    assert_true(vidmm_summary_json(&result, file));
    fclose(file);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_object_size(root), sizeof(keys) / sizeof(keys[0]));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_non_null(json_object_get(root, keys[i]));
    assert_string_equal(json_string_value(json_object_get(root, "app")), "one \"quoted\" + two");
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 7);
    assert_int_equal(json_integer_value(json_object_get(root, "renames")), 17);
    assert_int_equal(json_integer_value(json_object_get(root, "largest_submission_bytes")), 20);
    assert_int_equal(json_integer_value(json_object_get(root, "content_mismatches")), 5);
    json_t *second = json_array_get(json_object_get(root, "programs"), 1);
    assert_int_equal(json_integer_value(json_object_get(second, "frames")), 4);
    assert_int_equal(json_integer_value(json_object_get(second, "peak_local_bytes")), 7);
    json_decref(root);
    free(text);
}

static void json_of_one_program_has_no_list_of_programs(void **state)
{
    struct vidmm_run_result result = two_programs();
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    result.program_count = 1;
    assert_true(vidmm_summary_json(&result, file));
    fclose(file);
    assert_null(strstr(text, "programs"));
    free(text);
}

static void the_verdict_is_the_last_line(void **state)
{
    struct vidmm_run_result result = two_programs();
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    static const char last[] = "\nverdict: one \"quoted\" + two: 5 mismatches, 6 violations\n";

    (void)state;
    vidmm_summary_print(&result, file);
    fclose(file);
    assert_true(size > sizeof(last));
    assert_string_equal(text + size - (sizeof(last) - 1), last);
    assert_non_null(strstr(text, "first mismatch: here\n"));
    free(text);
}

static void the_exit_status_tells_findings_from_failures(void **state)
{
    struct vidmm_run_result result = {.program_count = 1};

    (void)state;
    assert_int_equal(vidmm_summary_status(&result), 0);
    result.violations = 1;
    assert_int_equal(vidmm_summary_status(&result), 1);
    result.violations = 0;
    result.mismatches = 1;
    assert_int_equal(vidmm_summary_status(&result), 1);
    strcpy(result.problem, "no");
    assert_int_equal(vidmm_summary_status(&result), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read_as_people_write_them_in_whole_pages),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(every_size_that_is_written_is_read_again),
        cmocka_unit_test(sizes_are_written_in_the_unit_that_suits_them),
        cmocka_unit_test(options_and_words_may_stand_anywhere),
        cmocka_unit_test(a_size_is_written_in_the_largest_unit_that_divides_it),
        cmocka_unit_test(one_is_singular),
        cmocka_unit_test(wrong_options_are_refused_by_name_value_and_range),
        cmocka_unit_test(the_nearest_word_is_near),
        cmocka_unit_test(memory_types_become_segment_sets),
        cmocka_unit_test(spilling_adds_the_aperture_behind_the_memory),
        cmocka_unit_test(what_the_cpu_must_reach_stays_out_of_memory_that_it_does_not),
        cmocka_unit_test(json_has_the_keys_that_were_promised),
        cmocka_unit_test(json_of_one_program_has_no_list_of_programs),
        cmocka_unit_test(the_verdict_is_the_last_line),
        cmocka_unit_test(the_exit_status_tells_findings_from_failures),
    };

    return cmocka_run_group_tests_name("trace_tool", tests, NULL, NULL);
}
