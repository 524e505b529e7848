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
    if (softgpu_config_parse(text, &config, error, sizeof(error)))
        fail_msg("\"%s\" is not refused", text);
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
    refused(
        "segment 1 memory 1M shiny",
        "line 1: segment: \"shiny\"; expected one of cpuvisible, hostaperture, cachedhostaperture, "
        "pitchaligned, populated, standby, hibernate, directflip, partly SIZE, vpr START SIZE, "
        "vprstandby, vprlost, encrypted, cleartext, banks SIZE,...");
    refused("segment 1 memory 1M vpr 1M 64K", "line 1: vpr START: \"1M\"; expected 0 to 960K");
    refused("segment 1 memory 1M vpr 512K 1M", "line 1: vpr SIZE: \"1M\"; expected 64K to 512K");
    refused("segment 1 memory 1M vpr 4K 64K",
            "line 1: vpr: START 4K, SIZE 64K; expected multiples of 64K");
    refused("segment 1 memory 4K vpr 0 4K", "line 1: vpr: the segment is smaller than 64K");
    refused("segment 1 aperture 1M commit 2M", "line 1: commit: \"2M\"; expected 4K to 1M");
    refused("engines render copy copy copy copy", "line 1: engines: expected 1 to 4 values, not 5");
    refused("hw_queues 5", "line 1: hw_queues: \"5\"; expected 0 to 4");
    refused("hang 8 1", "line 1: hang: \"8\"; expected 0 to 7");
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

#define VIRTUAL "wddm 2.9\nmmu gpu\n"

static void page_tables_are_as_the_text_says(void **state)
{
    struct softgpu_config config =
        parsed(VIRTUAL "levels 3\nindex_bits 9 9 8\npage_table_update gpu_virtual\n"
                       "page_table_segment 0\npaging_table_segment 2\npages_64k single\n"
                       "large_pages on\nsystem_large on\nsystem_64k on\nunaligned_large on\n"
                       "zero_pte off\nread_only off\nno_execute off\ncoherent off\n"
                       "invalid_cached off\nexplicit_invalidation on\nidle_updates on\n"
                       "page_fault stands\nmap_aperture2 on\natomics_64 off");
    struct softgpu_mmu *mmu = &config.mmu;

    (void)state;
    assert_int_equal(mmu->kind, SOFTGPU_MMU_GPU);
    assert_int_equal(softgpu_address_bits(mmu), 12 + 9 + 9 + 8);
    assert_int_equal(mmu->update_mode, SOFTGPU_UPDATE_GPU_VIRTUAL);
    assert_int_equal(mmu->table_segment, 0);
    assert_int_equal(mmu->paging_table_segment, 2);
    assert_int_equal(mmu->pages_64k, SOFTGPU_64K_SINGLE);
    assert_int_equal(mmu->on_page_fault, SOFTGPU_PAGE_FAULT_STANDS);
    assert_true(mmu->large_pages && mmu->system_large && mmu->system_64k && mmu->unaligned_large);
    assert_false(mmu->zero_pte || mmu->read_only || mmu->no_execute || mmu->coherent);
    assert_true(!mmu->invalid_cached && mmu->explicit_invalidation && mmu->idle_updates);
    assert_true(config.map_aperture2 && !config.atomics_64);
}

static void settings_of_page_tables_have_to_agree(void **state)
{
    (void)state;
    refused("mmu sometimes", "line 1: mmu: \"sometimes\"; expected one of none, gpu, io");
    refused("mmu gpu", "mmu: gpu; expected none below wddm 2.0");
    refused(VIRTUAL "multi_engine off", "mmu: gpu; expected multi_engine on");
    refused(VIRTUAL "context_save aperture",
            "context_save: aperture; expected none or memory with mmu");
    refused("levels 7", "line 1: levels: \"7\"; expected 2 to 6");
    refused("levels 1", "line 1: levels: \"1\"; expected 2 to 6");
    refused("index_bits 9 9 9",
            "line 1: index_bits: 3 values; expected 4, one a level, the leaf's first");
    refused("index_bits 6 9 9 9", "line 1: index_bits: \"6\"; expected 7 to 16");
    refused("index_bits 9 2 9 9", "line 1: index_bits: \"2\"; expected 3 to 16");
    refused("index_bits 16 16 16 9",
            "line 1: index_bits: addresses of 69 bits; expected 60 or fewer");
    refused("page_table_update by_hand", "line 1: page_table_update: \"by_hand\"; expected one of "
                                         "cpu_virtual, gpu_virtual, gpu_physical");
    refused("pages_64k many", "line 1: pages_64k: \"many\"; expected one of off, single, dual");
    refused("page_fault hides", "line 1: page_fault: \"hides\"; expected one of skips, stands");
    refused(VIRTUAL "companion 2", "companion: 2; expected a node of `engines`, below 2");
    refused(VIRTUAL "page_table_segment 1",
            "page_table_segment: 1 is neither 0 nor a memory segment without pitchaligned");
    refused(VIRTUAL "paging_table_segment 5",
            "paging_table_segment: 5 is neither 0 nor a memory segment without pitchaligned");
    refused(VIRTUAL "segment 1 aperture 1M\nsegment 2 memory 1M",
            "page_table_segment: segment 2 is not cpuvisible, and has no hostaperture (W-004)");
    refused(VIRTUAL "page_table_segment 0\nlevels 2",
            "page_table_segment: 0, and a table of level 1 takes 16384 bytes; expected 4096 in "
            "system memory (D-135)");
    refused(VIRTUAL "page_table_update cpu_virtual",
            "page_table_update: cpu_virtual, and page_table_segment is 2; expected 0 (D-131)");
    refused("wddm 2.5\nmmu gpu\ninvalid_cached off",
            "invalid_cached: off; expected on below wddm 2.6");
    refused(VIRTUAL "system_64k on",
            "system_64k: on; expected wddm 2.1 or later, and pages_64k single or dual");
    refused("wddm 2.8\nmmu gpu\nlarge_pages on\nsystem_large on",
            "system_large: on; expected wddm 2.9 or later, and large_pages on");
    refused("wddm 3.0\nmmu gpu\npage_table_segment 0\ncached_tables on",
            "cached_tables: on; expected wddm 3.1 or later, and page_table_segment 0");
    refused("wddm 3.1\nmmu gpu\ncached_tables on",
            "cached_tables: on; expected wddm 3.1 or later, and page_table_segment 0");
    refused(VIRTUAL "unaligned_large on",
            "unaligned_large: on; expected wddm 2.1 or later, and large_pages on");
    refused(VIRTUAL "dma_buffer_segment 0",
            "dma_buffer_segment: 0; expected an aperture with mmu gpu (W-001)");
    refused(VIRTUAL "paging_buffer_segment 0\nprivate_data 0",
            "private_data: 0; expected 16 or more with mmu gpu and paging_buffer_segment 0");
    refused(VIRTUAL "paging_buffer_segment 0\npaging_buffer 16M",
            "paging_buffer: 16777216 for a queue of 31; expected 64M in all with mmu gpu and "
            "paging_buffer_segment 0");
    refused("wddm 2.8\nmap_aperture2 on", "map_aperture2: on; expected off below wddm 2.9");
}

static void keys_are_held_against_each_other(void **state)
{
    (void)state;
    refused("segment 1 aperture 1M\nsegment 2 memory 1M hostaperture\n"
            "paging_buffer_segment 1\n",
            "segment 2: hostaperture; expected none below wddm 2.0");
    refused("wddm 2.0\nsegment 1 memory 1M hostaperture\nsegment 2 aperture 1M\n"
            "paging_buffer_segment 2\ndma_buffer_segment 2",
            "segment 1: hostaperture; expected in the last, 2 (W-003)");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M hostaperture cpuvisible",
            "segment 2: hostaperture and cpuvisible; expected one of them");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M cachedhostaperture",
            "segment 2: cachedhostaperture; expected hostaperture with it");
    refused("wddm 2.0\nmmu gpu\npages_64k single\nsegment 1 aperture 1M\n"
            "segment 2 memory 1028K hostaperture",
            "segment 2: 1052672 bytes; expected whole pages of 64 KiB");
    refused("segment 1 aperture 1M\nsegment 2 memory 1M vpr 0 64K",
            "segment 2: vpr; expected none below wddm 2.0");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M vprstandby",
            "segment 2: vprstandby; expected vpr with it");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M vprlost",
            "segment 2: vprlost; expected vpr with it");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M vpr 0 64K vprstandby vprlost",
            "segment 2: vprstandby and vprlost; expected one of them");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M encrypted cleartext",
            "segment 2: encrypted and cleartext; expected one of them");
    refused("wddm 1.3\nsegment 1 aperture 1M\nsegment 2 memory 1M encrypted",
            "segment 2: encrypted; expected none below wddm 2.0");
    refused("wddm 1.3\nsegment 1 aperture 1M\nsegment 2 memory 1M cleartext",
            "segment 2: cleartext; expected none below wddm 2.0");
    refused("wddm 2.8\nmmu gpu\nisolation on\nremapping on",
            "remapping: on; expected off below wddm 2.9");
    refused("wddm 2.9\nmmu gpu\nisolation on\nremapping on",
            "remapping: on; expected off without isolation, map_aperture2 and mmu gpu");
    refused("wddm 2.9\nmmu gpu\nmap_aperture2 on\nremapping on",
            "remapping: on; expected off without isolation, map_aperture2 and mmu gpu");
    refused("wddm 2.9\nisolation on\nmap_aperture2 on\nremapping on",
            "remapping: on; expected off without isolation, map_aperture2 and mmu gpu");
    refused("wddm 2.0\nmove_paging on", "move_paging: on; expected off below wddm 2.1");
    refused("wddm 2.0\nvpr_context on", "vpr_context: on; expected off below wddm 2.1");
    refused("wddm 2.1\nhardware_protected on",
            "hardware_protected: on; expected off below wddm 2.2");
    refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 1M vpr 0 1M\nmemory 512K",
            "segment 2: vpr ends behind its 524288 bytes");
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
    refused("wddm 2.4\nmmu gpu\nhw_queues 1",
            "hw_queues: 1; expected 0 below wddm 2.5, and without mmu gpu");
    refused("wddm 2.6\nhw_queues 2",
            "hw_queues: 2; expected 0 below wddm 2.5, and without mmu gpu");
    refused("wddm 2.6\nmmu gpu\natomics_64 off\nhw_queues 1",
            "hw_queues: 1; expected 0 with atomics_64 off, and with context_save");
    refused("wddm 2.6\nmmu gpu\ncontext_save memory\nhw_queues 1",
            "hw_queues: 1; expected 0 with atomics_64 off, and with context_save");
    refused("wddm 2.6\nmmu gpu\nhw_queues 1\nhang 3 1", "hang: there are engines 0 .. 2 only");
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
        cmocka_unit_test(page_tables_are_as_the_text_says),
        cmocka_unit_test(settings_of_page_tables_have_to_agree),
        cmocka_unit_test(keys_are_held_against_each_other),
        cmocka_unit_test(one_key_is_set_like_a_line),
        cmocka_unit_test(every_misbehaviour_has_a_name_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
