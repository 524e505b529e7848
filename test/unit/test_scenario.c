/* test_scenario.c: stories: the refusals of the reader and their words, the findings of playing,
 * the comparison of two narratives. */
#include "harness.h"

#include <stdio.h>

#include <vidmm/lock.h>

#include "story/scenario.h"

#define GPU "segment 1 aperture 16M\nsegment 2 memory 4M cpuvisible\n"

/* ---- the reader ------------------------------------------------------------------------------ */

static struct vidmm_scenario *read_text(const char *text, char error[400])
{
    error[0] = 0;
    return vidmm_scenario_read("x.scn", text, strlen(text), error, 400);
}

static void what_cannot_be_read_is_refused_with_line_and_word(void **state)
{
    static const struct {
        const char *text, *where, *word;
    } rows[] = {
        {"nonsense\n", "x.scn:1:", "nonsense"},
        {"\n\ngpu\n", "x.scn:3:", "KEY VALUE"},
        {GPU "gpu nonsense 3\nstart\n", "x.scn:3:", "nonsense"},
        {GPU "gpu paging_buffer 7\n", "x.scn:3:", "128"},
        {"segment 1 aperture 16M\n#\nsegment 3 memory 4M\nstart\n", "x.scn:3:", "1 to 2"},
        {GPU "gpu paging_buffer_segment 2\nstart\n", "x.scn:", "neither 0 nor an aperture"},
        {GPU "alloc a 1M\ngpu wddm 1.2\n", "x.scn:4:", "behind the first act"},
        {GPU "alloc a 1M\nmanager queue_limit 3\n", "x.scn:4:", "behind the first act"},
        {"manager\n", "x.scn:1:", "KEY VALUE"},
        {"manager colour red\n", "x.scn:1:", "paging_buffers"},
        {"manager queue_limit many\n", "x.scn:1:", "0 to 4294967295"},
        {"manager split_transfer_size 3X\n", "x.scn:1:", "3X"},
        {"manager submit_empty yes\n", "x.scn:1:", "off or on"},
        {"manager system_context off\n", "x.scn:1:", "null or system"},
        {"machine system_memory 100\n", "x.scn:1:", "4096"},
        {"machine system_memory 100G\n", "x.scn:1:", "17179869184"},
        {"process Game\n", "x.scn:1:", "Game"},
        {"process a\nprocess b\nprocess c\nprocess d\nprocess e\n", "x.scn:5:", "more than 4"},
        {GPU "alloc a 1M\nprocess game\n", "x.scn:4:", "before the first"},
        {GPU "alloc\n", "x.scn:3:", "NAME ... SIZE"},
        {GPU "alloc a b\n", "x.scn:3:", "NAME ... SIZE"},
        {GPU "alloc 1M\n", "x.scn:3:", "NAME ... SIZE"},
        {GPU "alloc A 1M\n", "x.scn:3:", "\"A\""},
        {GPU "alloc a 0\n", "x.scn:3:", "1 to 17179869184"},
        {GPU "alloc a 1M\nalloc a 1M\n", "x.scn:4:", "already"},
        {GPU "alloc a 1M colour\n", "x.scn:3:", "colour"},
        {GPU "alloc a 1M segments\n", "x.scn:3:", "segments"},
        {GPU "alloc a 1M segments 1,x\n", "x.scn:3:", "1,x"},
        {GPU "alloc a 1M segments 32\n", "x.scn:3:", "1 to 31"},
        {GPU "alloc a 1M prefer 1,2,1,2,1,2\n", "x.scn:3:", "1 to 5"},
        {GPU "alloc a 1M prefer 2f\n", "x.scn:3:", "2f"},
        {GPU "alloc a 1M align 0\n", "x.scn:3:", "align"},
        {GPU "submit a\n", "x.scn:3:", "none"},
        {GPU "alloc b c 1M\nsubmit a\n", "x.scn:4:", "b c"},
        {GPU "alloc a 1M\nsubmit a:x\n", "x.scn:4:", "a:x"},
        {GPU "alloc a 1M\nsubmit a on\n", "x.scn:4:", "0 to 63"},
        {GPU "alloc a 1M\nsubmit a on 64\n", "x.scn:4:", "0 to 63"},
        {GPU "alloc a 1M\nlock\n", "x.scn:4:", "NAME"},
        {GPU "alloc a 1M\nlock a later\n", "x.scn:4:", "nowait"},
        {GPU "alloc a 1M\nlock a pages\n", "x.scn:4:", "pages LIST"},
        {GPU "alloc a 1M\nlock a pages 1,x\n", "x.scn:4:", "\"x\""},
        {GPU "alloc a 1M\nlock a pages 1,2,3,4,5,6,7,8,9\n", "x.scn:4:", "more than 8"},
        {GPU "resource r 1M\n", "x.scn:3:", "NAME of NAME ... SIZE"},
        {GPU "resource r of 1M\n", "x.scn:3:", "NAME ... SIZE"},
        {GPU "resource R of a 1M\n", "x.scn:3:", "\"R\""},
        {GPU "resource r of a 1M\nshared r of b 1M\n", "x.scn:4:", "already"},
        {GPU "extend r by a 1M\n", "x.scn:3:", "no resource"},
        {GPU "resource r of a 1M\nextend r a 1M\n", "x.scn:4:", "by"},
        {GPU "open r as b\n", "x.scn:3:", "no resource"},
        {GPU "shared r of a 1M\nopen r as b c\n", "x.scn:4:", "fewer"},
        {GPU "shared r of a b 1M\nopen r as c\n", "x.scn:4:", "more"},
        {GPU "process p\nshared r of a 1M\nprocess q\nclose r\n", "x.scn:6:", "open"},
        {GPU "resource r of a 1M\nclose r\nsubmit a\n", "x.scn:5:", "\"a\""},
        {GPU "hang\n", "x.scn:3:", "NODE"},
        {GPU "hang 2\n", "x.scn:3:", "0 to 1"},
        {GPU "hang 0 fence 0\n", "x.scn:3:", "fence"},
        {GPU "hang 0 soon\n", "x.scn:3:", "preemptible"},
        {GPU "residency\n", "x.scn:3:", "NAME"},
        {GPU "neighbour a\n", "x.scn:3:", "unexpected argument"},
        {GPU "escape now\n", "x.scn:3:", "unexpected argument"},
        {GPU "alloc a 1M\nsubmit a offering b low\n", "x.scn:4:", "a NAME of this command"},
        {GPU "alloc a 1M\nsubmit a offering a\n", "x.scn:4:", "a NAME of this command"},
        {GPU "alloc a b 1M\nsubmit a offering b soon\n", "x.scn:4:", "low, normal, high or auto"},
        {GPU "standard mirror m 4x4\n", "x.scn:3:", "primary, shadow"},
        {GPU "standard shadow m 4\n", "x.scn:3:", "WIDTHxHEIGHT"},
        {GPU "standard shadow m 4x\n", "x.scn:3:", "height"},
        {GPU "alloc a 1M\ndestroy a\nsubmit a\n", "x.scn:5:", "\"a\""},
        {GPU "alloc a 1M\nexit\nsubmit a\n", "x.scn:5:", "\"a\""},
        {GPU "alloc a 1M\nwait a\n", "x.scn:4:", "unexpected argument"},
        {GPU "alloc a 1M\nstart\n", "x.scn:4:", "start"},
        {GPU "refused\n", "x.scn:3:", "an act"},
        {GPU "refused nonsense\n", "x.scn:3:", "nonsense"},
        {GPU "alloc a 1M\nrefused write a\n", "x.scn:4:", "write"},
        {GPU "refused alloc a 9M\nsubmit a\n", "x.scn:4:", "\"a\""},
        {GPU "alloc \x01 1M\n", "x.scn:3:", "byte 7"},
        {GPU "alloc \xc3\xa4 1M\n", "x.scn:3:", "byte 7"},
    };
    char error[400];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (read_text(rows[i].text, error) != NULL)
            fail_msg("read: %s", rows[i].text);
        if (strncmp(error, rows[i].where, strlen(rows[i].where)) != 0 ||
            strstr(error, rows[i].word) == NULL)
            fail_msg("\"%s\" should begin with %s and name %s", error, rows[i].where, rows[i].word);
    }
}

static void a_line_and_a_story_have_their_limits(void **state)
{
    static char text[200000];
    char error[400];
    size_t length = 0;

    (void)state;
    memset(text, 'a', 500);
    assert_null(read_text(text, error));
    assert_non_null(strstr(error, "longer than 399"));
    memset(text, 0, sizeof(text));
    for (int i = 0; i < 100; i++)
        length += (size_t)sprintf(text + length, "a ");
    assert_null(read_text(text, error));
    assert_non_null(strstr(error, "more than 80 words"));
    length = (size_t)sprintf(text, GPU);
    for (int i = 0; i < 300; i++)
        length += (size_t)sprintf(text + length, "alloc a%d 4K\n", i);
    assert_null(read_text(text, error));
    assert_non_null(strstr(error, "more than 256 allocations"));
    length = (size_t)sprintf(text, GPU);
    for (int i = 0; i < 600; i++)
        length += (size_t)sprintf(text + length, "wait\n");
    assert_null(read_text(text, error));
    assert_non_null(strstr(error, "more than 512 acts"));
    length = (size_t)sprintf(text, GPU "alloc a 4K\nsubmit");
    for (int i = 0; i < 70; i++)
        length += (size_t)sprintf(text + length, " a");
    assert_null(read_text(text, error));
    assert_non_null(strstr(error, "more than 64 names"));
}

static void a_story_is_read_as_it_is_written(void **state)
{
    char error[400];
    struct vidmm_scenario *s =
        read_text("# x.scn: the subject\n"
                  "gpu habit   immediate # and so on\n" GPU "manager split_transfer_size 64K\n"
                  "machine seed 7\n\nprocess game\n"
                  "alloc a b  12K read 1,2 write 2 evict 1 prefer 2e,1 align 64K cpuvisible\n"
                  "submit a:w   b on 0\nprocess editor\nrefused lock a nowait\n"
                  "\nexpect\n  [  1] one\n\n    two\n\n",
                  error);

    (void)state;
    assert_non_null(s);
    assert_string_equal(s->subject, "the subject");
    assert_int_equal(s->gpu.habit, SOFTGPU_IMMEDIATE);
    assert_int_equal(s->gpu.segments[1].size, 4 << 20);
    assert_int_equal(s->manager.split_transfer_size, 65536);
    assert_int_equal(s->seed, 7);
    assert_int_equal(s->process_count, 2);
    assert_int_equal(s->allocation_count, 2);
    assert_int_equal(s->allocations[0].size, 12288);
    assert_int_equal(s->allocations[0].read_set, 3);
    assert_int_equal(s->allocations[0].write_set, 2);
    assert_int_equal(s->allocations[0].evict_set, 1);
    assert_int_equal(s->allocations[0].preferred, 0x22 | 1 << 6);
    assert_int_equal(s->allocations[0].alignment, 65536);
    assert_int_equal(s->allocations[0].flags, 1);
    assert_int_equal(s->act_count, 3);
    assert_string_equal(s->acts[1].text, "submit a:w b on 0");
    assert_true(s->references[s->acts[1].first].write);
    assert_false(s->references[s->acts[1].first + 1].write);
    assert_true(s->acts[2].refused && (s->acts[2].value & VIDMM_LOCK_DONOT_WAIT) != 0);
    assert_int_equal(s->acts[2].process, 1);
    assert_string_equal(s->expected, "[  1] one\n\n  two\n");
    vidmm_scenario_destroy(s);
}

/* ---- playing --------------------------------------------------------------------------------- */

static void play(const char *text, uint64_t seed, struct vidmm_scenario_result *result)
{
    char error[400];
    struct vidmm_scenario *scenario = read_text(text, error);

    if (scenario == NULL)
        fail_msg("%s", error);
    vidmm_scenario_play(scenario, seed, result);
    vidmm_scenario_destroy(scenario);
}

#define WORK                                                                                       \
    "alloc a b 3M cpuvisible\nsubmit a:w\nsubmit b:w\nlock a\nwrite a\nunlock a\nsubmit a\n"

static void the_same_story_is_told_in_the_same_words(void **state)
{
    struct vidmm_scenario_result one, two, other;

    (void)state;
    play(GPU WORK, 0, &one);
    play(GPU WORK, 0, &two);
    play(GPU WORK, 5, &other);
    assert_string_equal(one.narrative, two.narrative);
    assert_non_null(strstr(one.narrative, "transfer 3M"));
    assert_true(one.checks == 5 && one.wrong + one.surprises + one.breaches == 0);
    assert_true(other.checks == 5 && other.wrong + other.surprises + other.breaches == 0);
    vidmm_scenario_result_finish(&one);
    vidmm_scenario_result_finish(&two);
    vidmm_scenario_result_finish(&other);
}

static void an_act_that_is_refused_and_should_not_be_is_a_surprise(void **state)
{
    struct vidmm_scenario_result result;

    (void)state;
    play(GPU "alloc a 5M cpuvisible\nlock a\n", 0,
         &result); /* nothing is done with what is missing */
    assert_int_equal(result.surprises, 1);
    assert_non_null(strstr(result.surprise, "line 3"));
    assert_non_null(strstr(result.surprise, "STATUS_GRAPHICS_NO_VIDEO_MEMORY"));
    vidmm_scenario_result_finish(&result);
}

static void an_act_that_should_be_refused_and_is_not_is_a_surprise(void **state)
{
    struct vidmm_scenario_result result;

    (void)state;
    play(GPU "refused alloc a 3M\n", 0, &result);
    assert_int_equal(result.surprises, 1);
    assert_non_null(strstr(result.surprise, "not refused"));
    vidmm_scenario_result_finish(&result);
}

/* The software GPU leaves out the last page of each transfer: its next look finds it. */
static void wrong_contents_are_told_of(void **state)
{
    struct vidmm_scenario_result result;

    (void)state;
    play("gpu broken transfer_last_page\n" GPU WORK, 0, &result);
    assert_true(result.wrong > 0);
    assert_non_null(strstr(result.narrative, "wrong"));
    assert_true(result.surprise[0] != 0);
    vidmm_scenario_result_finish(&result);
}

static void what_cannot_be_played_says_why(void **state)
{
    struct vidmm_scenario_result result;

    (void)state;
    play("gpu broken segments_zero\n" GPU "alloc a 1M\n", 0, &result);
    assert_non_null(strstr(result.problem, "NbSegment"));
    vidmm_scenario_result_finish(&result);
    play(GPU "alloc a 1M cpuvisible\nwrite a\n", 0, &result);
    assert_non_null(strstr(result.problem, "a is not locked"));
    vidmm_scenario_result_finish(&result);
    play(GPU "alloc a 1M\nstop\nwait\n", 0, &result);
    assert_non_null(strstr(result.problem, "there is no adapter"));
    vidmm_scenario_result_finish(&result);
}

/* NAME:l is not had without a write that is lost, nor is another mistake taken for one. */
static void a_write_that_is_to_be_lost_is_lost_or_the_story_ends(void **state)
{
    static const char *const wrong[] = {
        GPU "alloc a 64K cpuvisible\nlock a\nwrite a\nunlock a\nsubmit a:l\n",
        "gpu broken transfer_last_page\n" GPU
        "alloc a b 3M\nsubmit a:w\nsubmit b:w\nwait\nsubmit a:l\n",
    };
    struct vidmm_scenario_result result;

    (void)state;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        play(wrong[i], 0, &result);
        assert_non_null(strstr(result.problem, "expected 1 lost CPU write"));
        vidmm_scenario_result_finish(&result);
    }
    play("machine caches_apart on\ngpu wddm 2.0\nsegment 1 aperture 16M\n"
         "alloc a 64K physical cpuvisible cached segments 1\nresident a\nlock2 a\nwrite a\n"
         "submit a:l\nsubmit a\nwait\n",
         0, &result);
    assert_string_equal(result.problem, "");
    assert_int_equal(result.wrong, 1); /* the one that the story did not tell */
    vidmm_scenario_result_finish(&result);
}

/* ---- the diff -------------------------------------------------------------------------------- */

static void assert_diff(const char *expected, const char *found, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    assert_true(vidmm_scenario_diff(expected, found, file));
    fclose(file);
    assert_string_equal(text, wanted);
    free(text);
}

static void a_diff_shows_what_differs_and_a_little_around(void **state)
{
    (void)state;
    assert_diff("a\nb\nc\n", "a\nb\nc\n", "");
    assert_diff("a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n+ x\n  c\n");
    assert_diff("", "a\n", "+ a\n");
    assert_diff("a\n", "", "- a\n");
    assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n5\n6\n8\n", "  ...\n  5\n  6\n- 7\n  8\n");
    assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                "+ 0\n  1\n  2\n  ...\n  7\n  8\n+ 9\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_read_is_refused_with_line_and_word),
        cmocka_unit_test(a_line_and_a_story_have_their_limits),
        cmocka_unit_test(a_story_is_read_as_it_is_written),
        cmocka_unit_test(the_same_story_is_told_in_the_same_words),
        cmocka_unit_test(an_act_that_is_refused_and_should_not_be_is_a_surprise),
        cmocka_unit_test(an_act_that_should_be_refused_and_is_not_is_a_surprise),
        cmocka_unit_test(wrong_contents_are_told_of),
        cmocka_unit_test(what_cannot_be_played_says_why),
        cmocka_unit_test(a_write_that_is_to_be_lost_is_lost_or_the_story_ends),
        cmocka_unit_test(a_diff_shows_what_differs_and_a_little_around),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
