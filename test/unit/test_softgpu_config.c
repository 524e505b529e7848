/* The configuration of the software GPU: the meaning of a text, and its faults. */
#include "harness.h"

#include "softgpu/broken.h"
#include "softgpu/config.h"

static char error[256];

static struct softgpu_config parsed(const char *text)
{
    struct softgpu_config config = softgpu_config_default();

    error[0] = 0;
    if (!softgpu_config_parse(text, &config, error, sizeof(error)))
        fail_msg("%s", error);
    return config;
}

static void refused(const char *text, const char *sentence)
{
    struct softgpu_config config = softgpu_config_default(), before = config;

    error[0] = 0;
    assert_false(softgpu_config_parse(text, &config, error, sizeof(error)));
    assert_string_equal(error, sentence);
    assert_memory_equal(&config, &before, sizeof(config));
}

static void the_default_is_right_and_nothing_in_it_by_accident(void **state)
{
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    assert_true(softgpu_config_check(&config, error, sizeof(error)));
    assert_int_equal(config.segments[0].kind, SOFTGPU_SEGMENT_APERTURE);
    assert_int_equal(config.segments[1].kind, SOFTGPU_SEGMENT_MEMORY);
    assert_int_equal(config.paging_buffer_segment, 1);
    assert_int_equal(config.dma_buffer_segment, 1);
    assert_int_equal(config.queue, 31);
}

static void a_text_says_what_the_gpu_is_like(void **state)
{
    struct softgpu_config config = parsed("# a GPU\n"
                                          "wddm 1.2\n"
                                          "segment 1 memory 8M cpuvisible # first\n"
                                          "\n"
                                          "segment 2 aperture 64M cachecoherent commit 32M\r\n"
                                          "\tengines render copy copy\n"
                                          "paging_buffer 4K\n"
                                          "paging_buffer_segment 2\n"
                                          "dma_buffer_segment 0\n"
                                          "habit immediate\n"
                                          "interrupts late\n"
                                          "busy first\n"
                                          "insufficient every 3\n"
                                          "hang 1 5\n"
                                          "execute none");

    (void)state;
    assert_int_equal(config.wddm, 12);
    assert_int_equal(config.segment_count, 2);
    assert_true(config.segments[0].kind == SOFTGPU_SEGMENT_MEMORY);
    assert_true(config.segments[0].cpu_visible);
    assert_true(config.segments[0].size == 8 << 20);
    assert_true(config.segments[1].cache_coherent);
    assert_true(config.segments[1].commit_limit == 32 << 20);
    assert_int_equal(config.engine_count, 3);
    assert_int_equal(config.engines[2], SOFTGPU_ENGINE_COPY);
    assert_int_equal(config.paging_buffer, 4096);
    assert_int_equal(config.dma_buffer_segment, 0);
    assert_int_equal(config.habit, SOFTGPU_IMMEDIATE);
    assert_int_equal(config.interrupts, SOFTGPU_LATE);
    assert_true(config.busy_first);
    assert_int_equal(config.insufficient_every, 3);
    assert_int_equal(config.hang_engine, 1);
    assert_int_equal(config.hang_packet, 5);
    assert_false(config.execute);
}

static void a_size_is_rounded_down_to_whole_pages(void **state)
{
    (void)state;
    assert_true(parsed("memory 5001").segments[1].size == 4096);
    assert_true(parsed("aperture 1000K").segments[0].size == 1000 << 10);
    assert_true(parsed("memory 64G").segments[1].size == (uint64_t)64 << 30);
}

static void errors_name_line_word_and_range(void **state)
{
    (void)state;
    refused("wddm 1.4", "line 1: wddm: \"1.4\"; expected one of 1.0, 1.1, 1.2, 1.3, 2.0, 2.1, 2.2, "
                        "2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0, 3.1, 3.2");
    refused("\n\nqueue 0", "line 3: queue: \"0\"; expected 1 to 4096");
    refused("queue 99999999999999999999",
            "line 1: queue: \"99999999999999999999\"; expected 1 to 4096");
    refused("queue", "line 1: queue: expected 1 value, not 0");
    refused("queue 1 2", "line 1: queue: expected 1 value, not 2");
    refused("memory 0", "line 1: memory: \"0\"; expected 4K to 64G");
    refused("memory 65G", "line 1: memory: \"65G\"; expected 4K to 64G");
    refused("memory 18446744073709551615G",
            "line 1: memory: \"18446744073709551615G\"; expected 4K to 64G");
    refused("memory -1", "line 1: memory: \"-1\"; expected 4K to 64G");
    refused("paging_buffer 64x", "line 1: paging_buffer: \"64x\"; expected 128 to 16M");
    refused("colour blue", "line 1: there is no key \"colour\"");
    refused("habit lazy", "line 1: habit: \"lazy\"; expected one of queued, immediate");
    refused("broken everything", "line 1: broken: no misbehaviour is called \"everything\"");
    refused("segment 1", "line 1: segment: expected ID aperture|memory SIZE");
    refused("segment 2 memory 1M", "line 1: segment: \"2\"; expected 1 to 1");
    refused("segment 1 memory 1M\nsegment 1 memory 1M", "line 2: segment: 1 is there already");
    refused("segment 1 disk 1M",
            "line 1: segment: \"disk\"; expected one of aperture, memory, agp");
    refused("segment 1 memory 1M shiny",
            "line 1: segment: \"shiny\"; expected one of cpuvisible, "
            "pitchaligned, populated, standby, hibernate, directflip, partly SIZE, banks SIZE,...");
    refused("segment 1 aperture 1M commit 2M", "line 1: commit: \"2M\"; expected 4K to 1M");
    refused("engines render copy copy copy copy", "line 1: engines: expected 1 to 4 values, not 5");
    refused("hang 4 1", "line 1: hang: \"4\"; expected 0 to 3");
    refused("insufficient every 1",
            "line 1: insufficient (or never, every): \"1\"; expected 2 to 4294967295");
}

static void absurd_texts_are_refused(void **state)
{
    char text[600];

    (void)state;
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = 0;
    refused(text, "line 1: longer than 255 bytes");
    refused("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "line 1: more than 16 words");
}

static void keys_are_held_against_each_other(void **state)
{
    (void)state;
    refused("wddm 2.0\nranges 3", "ranges: 3; expected 0 with wddm 2.0 or later");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 agp 1M",
            "segment 2: agp; expected none with wddm 2.0 or later");
    refused("wddm 3.2\nsegment 1 aperture 1M\nsegment 2 memory 1M banks 4K",
            "segment 2: banks; expected none with wddm 2.0 or later");
    refused("paging_buffer_segment 2", "paging_buffer_segment: 2 is neither 0 nor an aperture "
                                       "segment");
    refused("dma_buffer_segment 8", "dma_buffer_segment: 8 is neither 0 nor an aperture segment");
    refused("paging_buffer 256\nhabit immediate",
            "paging_buffer: 256 is below 512, one record of habit immediate");
    refused("private_data 8", "private_data: 8 is below 16, one record of habit queued");
    refused("private_data 0\nhabit immediate",
            "private_data: 0 is below 16, one record of habit immediate");
    refused("engines copy", "engines: none that renders");
    refused("engines copy render\nmulti_engine off",
            "engines: none that renders at node 0, the only one without multi_engine");
    refused("engines render\nhang 1 1", "hang: there are engines 0 .. 0 only");
}

static void one_key_is_set_like_a_line(void **state)
{
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    assert_true(softgpu_config_set(&config, "memory", "240M", error, sizeof(error)));
    assert_true(config.segments[1].size == 240 << 20);
    assert_true(softgpu_config_set(&config, "segment", "2 memory 4M", error, sizeof(error)));
    assert_true(softgpu_config_set(&config, "segment", "3 aperture 1M", error, sizeof(error)));
    assert_int_equal(config.segment_count, 3);
    assert_false(config.segments[1].cpu_visible);
    assert_true(config.segments[0].size == 256 << 20);
    assert_false(softgpu_config_set(&config, "memory", "none", error, sizeof(error)));
    assert_string_equal(error, "memory: \"none\"; expected 4K to 64G");
    assert_false(softgpu_config_set(&config, "", "", error, sizeof(error)));
    assert_false(softgpu_config_set(&config, "queue", "", NULL, 0));
}

static void every_misbehaviour_has_a_name_of_its_own(void **state)
{
    uint32_t count = 0;

    (void)state;
    for (; softgpu_broken_name(count) != NULL; count++) {
        struct softgpu_config config = softgpu_config_default();

        assert_true(softgpu_config_set(&config, "broken", softgpu_broken_name(count), NULL, 0));
        assert_true(config.broken == (uint64_t)1 << count);
        assert_true(strlen(softgpu_broken_sentence(count)) > 8);
    }
    assert_int_equal(count, SOFTGPU_BROKEN_COUNT);
    assert_null(softgpu_broken_sentence(count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_right_and_nothing_in_it_by_accident),
        cmocka_unit_test(a_text_says_what_the_gpu_is_like),
        cmocka_unit_test(a_size_is_rounded_down_to_whole_pages),
        cmocka_unit_test(errors_name_line_word_and_range),
        cmocka_unit_test(absurd_texts_are_refused),
        cmocka_unit_test(keys_are_held_against_each_other),
        cmocka_unit_test(one_key_is_set_like_a_line),
        cmocka_unit_test(every_misbehaviour_has_a_name_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
