/*
 * test_masks.c: the tables of src/wddm about the interface say what the headers say.
 *
 * A row of masks.def against the place that the compiler gives the bit-field; the sizes of
 * levels.def against the structs; every status against its macro.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <wddm/d3dkmthk.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "wddm/call.h"
#include "wddm/level.h"
#include "wddm/mask.h"
#include "wddm/status.h"

/* All bits of the member set: the word is the mask, and the mask alone. */
#define WORD(type)                                                                                 \
    static void masks_of_##type(void **state)                                                      \
    {                                                                                              \
        type word;                                                                                 \
        uint32_t value;                                                                            \
        _Static_assert(sizeof word >= sizeof value, #type);                                        \
        (void)state;
#define BIT(member, mask, major, minor)                                                            \
    memset(&word, 0, sizeof word);                                                                 \
    word.member = (mask) / ((mask) & (0u - (mask)));                                               \
    memcpy(&value, &word, sizeof value);                                                           \
    assert_int_equal(value, mask);
#define END_WORD(type)                                                                             \
    assert_string_equal(vidmm_mask_##type.name, #type);                                            \
    }
#include "wddm/masks.def"
#undef WORD
#undef BIT
#undef END_WORD

static void no_two_members_of_a_word_share_a_bit(void **state)
{
    static const struct vidmm_mask *const words[] = {
#define WORD(type) &vidmm_mask_##type,
#define BIT(member, mask, major, minor)
#define END_WORD(type)
#include "wddm/masks.def"
#undef WORD
#undef BIT
#undef END_WORD
    };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t seen = 0;
        for (size_t k = 0; k < words[i]->count; k++) {
            assert_int_equal(seen & words[i]->bits[k].mask, 0);
            seen |= words[i]->bits[k].mask;
        }
    }
}

static void a_bit_is_reserved_below_the_level_at_which_it_came(void **state)
{
    const struct vidmm_mask *word = &vidmm_mask_DXGK_SUBMITCOMMANDFLAGS;

    (void)state;
    assert_int_equal(vidmm_mask_reserved(word, VIDMM_LEVEL(1, 0), 0x7f), 0x40);
    assert_int_equal(vidmm_mask_reserved(word, VIDMM_LEVEL(1, 2), 0x7f), 0);
    assert_int_equal(vidmm_mask_reserved(word, VIDMM_LEVEL(1, 2), 0xffffffff), 0xffffff80);
}

static void print_mask(char *line, size_t size, const struct vidmm_mask *word, uint32_t value)
{
    struct vidmm_text text;

    vidmm_text_init(&text, line, size);
    vidmm_mask_print(&text, word, value);
}

static void a_word_is_printed_as_the_names_of_its_bits(void **state)
{
    char line[200];

    (void)state;
    print_mask(line, sizeof line, &vidmm_mask_DXGK_TRANSFERFLAGS, 0x18);
    assert_string_equal(line, "TransferStart|TransferEnd");
    print_mask(line, sizeof line, &vidmm_mask_DXGK_TRANSFERFLAGS, 0);
    assert_string_equal(line, "0");
    print_mask(line, sizeof line, &vidmm_mask_DXGK_TRANSFERFLAGS, 0x104);
    assert_string_equal(line, "AllocationIsIdle|0x100");
    print_mask(line, sizeof line, &vidmm_mask_DXGK_VIDSCHCAPS, 0x281);
    assert_string_equal(line, "MultiEngineAware|HwQueuePacketCap=5");
}

static void the_newest_level_has_the_structs_of_the_headers(void **state)
{
    const struct vidmm_level *newest = vidmm_level_find(DXGKDDI_INTERFACE_VERSION_WDDM3_2);

    (void)state;
    assert_int_equal(newest->driver_size, sizeof(DRIVER_INITIALIZATION_DATA));
    assert_int_equal(newest->interface_size, sizeof(DXGKRNL_INTERFACE));
    assert_int_equal(newest->caps_size, sizeof(DXGK_DRIVERCAPS));
}

/* The first member of a level begins where the structs of the level before end. */
static void a_level_ends_where_the_next_one_begins(void **state)
{
    static const struct {
        uint32_t version;
        size_t size;
    } ends[] = {
        {DXGKDDI_INTERFACE_VERSION_VISTA,
         offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdiDescribePageTable)},
        {DXGKDDI_INTERFACE_VERSION_WIN7,
         offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdiSetPowerComponentFState)},
        {DXGKDDI_INTERFACE_VERSION_WIN8,
         offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdiGetNodeMetadata)},
        {DXGKDDI_INTERFACE_VERSION_WDDM1_3, offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdiRenderGdi)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        assert_int_equal(vidmm_level_find(ends[i].version)->driver_size, ends[i].size);
}

/* The sizes by level that the layout table gives (test/abi/layout.tsv). */
static void a_level_knows_how_long_the_capabilities_are(void **state)
{
    static const struct {
        uint16_t level;
        size_t size;
    } sizes[] = {{VIDMM_LEVEL(1, 0), 336}, {VIDMM_LEVEL(1, 1), 528}, {VIDMM_LEVEL(1, 2), 544},
                 {VIDMM_LEVEL(1, 3), 552}, {VIDMM_LEVEL(2, 0), 576}, {VIDMM_LEVEL(2, 3), 576},
                 {VIDMM_LEVEL(2, 4), 584}, {VIDMM_LEVEL(2, 8), 584}, {VIDMM_LEVEL(2, 9), 592},
                 {VIDMM_LEVEL(3, 2), 592}, {VIDMM_LEVEL(1, 9), 552}, {VIDMM_LEVEL(9, 0), 592}};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(vidmm_level_caps_size(sizes[i].level), sizes[i].size);
}

static void a_version_belongs_to_the_newest_level_not_above_it(void **state)
{
    (void)state;
    assert_null(vidmm_level_find(0x1051));
    assert_int_equal(vidmm_level_find(0x1052)->level, VIDMM_LEVEL(1, 0));
    assert_int_equal(vidmm_level_find(0x1053)->level, VIDMM_LEVEL(1, 0));
    assert_int_equal(vidmm_level_find(DXGKDDI_INTERFACE_VERSION_WIN7)->level, VIDMM_LEVEL(1, 1));
    assert_int_equal(vidmm_level_find(0x4003)->level, VIDMM_LEVEL(1, 3));
    assert_int_equal(vidmm_level_find(0x99999)->level, VIDMM_LEVEL(3, 2));
}

static void an_older_level_has_shorter_arguments(void **state)
{
    (void)state;
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_SUBMIT_COMMAND, VIDMM_LEVEL(1, 0)), 80);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_SUBMIT_COMMAND, VIDMM_LEVEL(1, 1)), 88);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_SUBMIT_COMMAND, VIDMM_LEVEL(1, 2)), 96);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_BUILD_PAGING_BUFFER, VIDMM_LEVEL(1, 3)),
                     304);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_BUILD_PAGING_BUFFER, VIDMM_LEVEL(2, 0)),
                     320);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_OPEN_ALLOCATION, VIDMM_LEVEL(1, 1)), 32);
    assert_int_equal(vidmm_ddi_argument_size(VIDMM_DDI_DESTROY_DEVICE, VIDMM_LEVEL(1, 1)), 0);
    for (unsigned ddi = 0; ddi < VIDMM_DDI_COUNT; ddi++)
        for (unsigned minor = 0; minor < 4; minor++)
            assert_true(vidmm_ddi_argument_size(ddi, VIDMM_LEVEL(1, minor)) <=
                        vidmm_ddi_argument_size(ddi, VIDMM_LEVEL(3, 2)));
}

static void a_status_is_printed_by_name_or_by_number(void **state)
{
    char line[80];
    struct vidmm_text text;

    (void)state;
    assert_string_equal(vidmm_status_find(STATUS_NO_MEMORY)->name, "STATUS_NO_MEMORY");
    assert_null(vidmm_status_find((NTSTATUS)0xC0FFEE00));
    vidmm_text_init(&text, line, sizeof line);
    vidmm_status_print(&text, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_string_equal(line, "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER");
    vidmm_text_init(&text, line, sizeof line);
    vidmm_status_print(&text, (NTSTATUS)0xC0FFEE00);
    assert_string_equal(line, "0xc0ffee00");
}

/* Every "#define STATUS_..." of a header that ends in a number, but success and what a wait
 * answers: its number is printed as that name, or as another name that the headers give it. */
static unsigned named_codes(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[200], name[100];
    unsigned count = 0, code;

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *number = strstr(line, "0x");
        if (sscanf(line, "#define %99[A-Z0-9_]", name) != 1 || number == NULL ||
            strncmp(name, "STATUS_", 7) != 0 || strncmp(name, "STATUS_WAIT_", 12) == 0)
            continue;
        assert_int_equal(sscanf(number, "%x", &code), 1);
        const char *printed = vidmm_status_name((NTSTATUS)code);
        if (printed == NULL || (strcmp(printed, name) != 0 && strstr(name, "_WAIT_") == NULL))
            fail_msg("%s: 0x%x is printed as %s", name, code, printed ? printed : "a number");
        count++;
    }
    fclose(file);
    return count;
}

static void every_status_of_the_headers_has_its_name(void **state)
{
    char line[80];
    struct vidmm_text text;

    (void)state;
    assert_true(named_codes(INCLUDE "/wddm/ntstatus.h") > 200);
    assert_true(named_codes(INCLUDE "/kit/kit_status.h") > 70);
    vidmm_text_init(&text, line, sizeof line);
    vidmm_status_print(&text, (NTSTATUS)0xC0000182);
    assert_string_equal(line, "STATUS_DEVICE_CONFIGURATION_ERROR");
    vidmm_text_init(&text, line, sizeof line);
    vidmm_status_print(&text, (NTSTATUS)1);
    assert_string_equal(line, "0x1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define WORD(type) cmocka_unit_test(masks_of_##type),
#define BIT(member, mask, major, minor)
#define END_WORD(type)
#include "wddm/masks.def"
#undef WORD
#undef BIT
#undef END_WORD
        cmocka_unit_test(no_two_members_of_a_word_share_a_bit),
        cmocka_unit_test(a_bit_is_reserved_below_the_level_at_which_it_came),
        cmocka_unit_test(a_word_is_printed_as_the_names_of_its_bits),
        cmocka_unit_test(the_newest_level_has_the_structs_of_the_headers),
        cmocka_unit_test(a_level_ends_where_the_next_one_begins),
        cmocka_unit_test(a_level_knows_how_long_the_capabilities_are),
        cmocka_unit_test(a_version_belongs_to_the_newest_level_not_above_it),
        cmocka_unit_test(an_older_level_has_shorter_arguments),
        cmocka_unit_test(a_status_is_printed_by_name_or_by_number),
        cmocka_unit_test(every_status_of_the_headers_has_its_name),
    };

    return cmocka_run_group_tests_name("masks", tests, NULL, NULL);
}
