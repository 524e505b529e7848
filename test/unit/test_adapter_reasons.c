/* test_adapter_reasons.c: calls say why: a refused one in the driver's own words, a lock by its
 * report, a wait by its status.
 */
#include "test_adapter_rig.h"

static struct rig rig;

static void begin(const struct rig_options *options)
{
    rig_build(&rig, options);
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
}

/* A DMA buffer before the one that was given up is still told to have run. */
static void a_wait_tells_what_never_ran_from_what_did(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation one, *list[] = {&one};
    uint64_t first;

    (void)state;
    options.gpu = "hang 0 2\n";
    options.adapter.timeout_ms = 2000;
    begin(&options);
    assert_int_equal(rig_create(&rig, &one, 5000, 1, 0), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    first = rig.value;
    assert_int_equal(vidmm_context_wait(rig.context, first), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_context_wait(rig.context, first), STATUS_SUCCESS);
    rig_finish(&rig);
}

/* Mistakes of an embedder: each is told in the driver's words, with the member and its value. */
#define WHOLE sizeof(struct softgpu_allocation)

static void the_driver_says_what_it_did_not_like(void **state)
{
#define AT(member) offsetof(struct softgpu_allocation, member), sizeof(uint32_t)
    static const struct mistake {
        size_t offset, width; /* of the member that is wrong */
        uint64_t value;
        uint32_t size; /* of the private data */
        const char *words;
    } mistakes[] = {
        {AT(magic), 0x11, WHOLE, "private data: magic is 0x11, expected "},
        {offsetof(struct softgpu_allocation, size), 8, 0, WHOLE, "its size is 0x0, expected "},
        {AT(alignment), 3, WHOLE, "alignment is 0x3, expected "},
        {AT(read_set), 0x80, WHOLE, "read_set is 0x80, expected "},
        {AT(write_set), 0x40, WHOLE, "write_set is 0x40, expected "},
        {AT(evict_set), 2, WHOLE, "evict_set is 0x2, expected "},
        {AT(preferred), 31, WHOLE, "preferred is 0x1f, expected "},
        {AT(flags), 0x80000000, WHOLE, "flags is 0x80000000, expected "},
        {AT(priority), 0, WHOLE, "priority is 0x0, expected "},
        {0, 0, 0, 7, "private data: size is 0x7, expected "},
    };
#undef AT
    struct rig_options options = rig_defaults();
    const struct softgpu_allocation right = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                             .size = 4096,
                                             .read_set = 2,
                                             .write_set = 2,
                                             .evict_set = 1,
                                             .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_allocation *allocation;

    (void)state;
    begin(&options);
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        const struct mistake *mistake = &mistakes[i];
        struct softgpu_allocation wish = right;

        memcpy((char *)&wish + mistake->offset, &mistake->value, mistake->width);
        rig.driver_refusals++;
        assert_int_equal(
            vidmm_allocation_create(rig.device, &wish, mistake->size, &allocation, &rig.report),
            STATUS_INVALID_PARAMETER);
        assert_non_null(strstr(rig.report.text, "(D-046); it is 0xc000000d; the driver says: "));
        assert_non_null(strstr(rig.report.text, mistake->words));
    }
    rig_finish(&rig);
}

/* A lock that is refused says why. */
static void a_lock_has_a_report(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation one;
    struct vidmm_report report = {"?"};
    void *data = NULL;

    (void)state;
    begin(&options);
    assert_int_equal(rig_create(&rig, &one, 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(one.handle, 0x80000000, &data, &report), STATUS_INVALID_PARAMETER);
    assert_string_equal(report.text,
                        "Flags is 2147483664 (0x80000010); bits 11 to 31 are reserved and zero");
    assert_int_equal(vidmm_lock(NULL, 0, &data, &report), STATUS_INVALID_PARAMETER);
    assert_string_equal(report.text, "allocation is NULL; expected a pointer");
    assert_int_equal(vidmm_lock(one.handle, 0, NULL, &report), STATUS_INVALID_PARAMETER);
    assert_string_equal(report.text, "data is NULL; expected a pointer");
    assert_null(data);
    rig_finish(&rig);
}

/* Words for another status than the call was answered are of another call. */
static void words_are_of_the_call_that_was_refused(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *allocation;
    char text[80] = "as it was";
    const char nothing[8] = {0};

    (void)state;
    begin(&options);
    rig.driver_refusals++;
    assert_int_equal(
        vidmm_allocation_create(rig.device, nothing, sizeof(nothing), &allocation, NULL),
        STATUS_INVALID_PARAMETER); /* nobody read them */
    assert_false(softgpu_device_reason(rig.gpu, STATUS_NO_MEMORY, text, sizeof(text)));
    assert_string_equal(text, "as it was");
    assert_false(softgpu_device_reason(rig.gpu, STATUS_INVALID_PARAMETER, text, sizeof(text)));
    rig_finish(&rig);
}

static int prepare(void **state)
{
    (void)state;
    memset(&rig, 0, sizeof(rig));
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, prepare)
    const struct CMUnitTest tests[] = {
        TEST(a_wait_tells_what_never_ran_from_what_did),
        TEST(the_driver_says_what_it_did_not_like),
        TEST(words_are_of_the_call_that_was_refused),
        TEST(a_lock_has_a_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
