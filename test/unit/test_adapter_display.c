/* test_adapter_display.c: what a source shows, and what becomes of what it shows: refusals, memory
 * for want of which others leave, destruction, power, a reset, a driver that refuses. At WDDM 1.3;
 * test/rules/shows_physical.c has page tables, and evictions by programs.
 */
#include "test_adapter_rig.h"

#include <stdio.h>

#include <vidmm/display.h>
#include <vidmm/engine.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

enum { PRIMARIES = 3, OTHERS = 8, PAGES = 12, APERTURE = 1, MEMORY = 2 };

static struct rig rig;
static struct vidmm_resource *resources[PRIMARIES];
static struct rig_allocation *primaries[PRIMARIES]; /* the rig's allocations 0, 1, 2 */
static DRIVER_INITIALIZATION_DATA driver;
static NTSTATUS answers[2]; /* of the driver, to an address and to a visibility */
static char calls[200];     /* of the driver: A a source's address, V and D its visibility */

static void note(char what, UINT source)
{
    size_t length = strlen(calls);

    snprintf(calls + length, sizeof(calls) - length, "%c%u", what, source);
}

static NTSTATUS set_address(HANDLE adapter, const DXGKARG_SETVIDPNSOURCEADDRESS *arguments)
{
    note('A', arguments->VidPnSourceId);
    assert_int_equal(arguments->ContextCount, 0);
    assert_true(arguments->Flags.ModeChange);
    return answers[0] == STATUS_SUCCESS ? driver.DxgkDdiSetVidPnSourceAddress(adapter, arguments)
                                        : answers[0];
}

static NTSTATUS set_visibility(HANDLE adapter, const DXGKARG_SETVIDPNSOURCEVISIBILITY *arguments)
{
    note(arguments->Visible ? 'V' : 'D', arguments->VidPnSourceId);
    return answers[1] == STATUS_SUCCESS ? driver.DxgkDdiSetVidPnSourceVisibility(adapter, arguments)
                                        : answers[1];
}

static struct vidmm_resource *create_primary(struct vidmm_device *device, bool shared, uint32_t set,
                                             struct rig_allocation *allocation)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = PAGES * VIDMM_PAGE_SIZE,
                                            .read_set = set,
                                            .write_set = set,
                                            .preferred = set,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .primary = true};
    const struct vidmm_resource_options options = {.shared = shared};
    struct vidmm_resource *resource;

    memset(allocation, 0, sizeof(*allocation));
    if (vidmm_resource_create(device, &options, &description, 1, &resource, &allocation->handle,
                              &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->id = ++rig.next_id;
    allocation->pages = PAGES;
    return resource;
}

static void build(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_build(&rig, &options);
    driver = rig.driver;
    rig.driver.DxgkDdiSetVidPnSourceAddress = set_address;
    rig.driver.DxgkDdiSetVidPnSourceVisibility = set_visibility;
    answers[0] = answers[1] = STATUS_SUCCESS;
    calls[0] = '\0';
}

static void start(void)
{
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    for (uint32_t i = 0; i < PRIMARIES; i++) {
        primaries[i] = &rig.allocations[i];
        resources[i] = create_primary(rig.device, false, i == 2 ? APERTURE : MEMORY, primaries[i]);
    }
}

static void begin(const char *gpu)
{
    build(gpu);
    start();
}

static void write(struct rig_allocation *allocation)
{
    if (rig_render(&rig, &allocation, 1, 1) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static NTSTATUS show(uint32_t source, const struct rig_allocation *primary)
{
    return vidmm_display_show(rig.device, source, primary->handle, &rig.report);
}

static NTSTATUS hide(uint32_t source)
{
    return vidmm_display_hide(rig.adapter, source, &rig.report);
}

/* The screen has the bytes that the GPU has written, and no others. */
static void is_on_screen(uint32_t source, const struct rig_allocation *primary)
{
    const struct vidmm_content_key key = {.seed = RIG_SEED, .id = primary->id};
    static unsigned char picture[PAGES * VIDMM_PAGE_SIZE];
    uint64_t digest = 0;

    assert_ptr_equal(vidmm_display_shown(rig.adapter, source), primary->handle);
    assert_true(softgpu_device_picture(rig.gpu, source, picture, sizeof(picture)));
    for (uint32_t page = 0; page < PAGES; page++)
        assert_true(vidmm_content_check_page(picture + page * VIDMM_PAGE_SIZE, key, page,
                                             primary->generation, &digest));
}

static void is_dark(uint32_t source)
{
    unsigned char picture[16];

    assert_null(vidmm_display_shown(rig.adapter, source));
    assert_false(softgpu_device_picture(rig.gpu, source, picture, sizeof(picture)));
}

static void is_refused(NTSTATUS status, NTSTATUS expected, const char *text)
{
    assert_int_equal(status, expected);
    if (!strstr(rig.report.text, text))
        fail_msg("\"%s\" is not in: %s", text, rig.report.text);
}

static void finish(void)
{
    for (uint32_t i = 0; i < PRIMARIES; i++) {
        if (primaries[i]->handle)
            vidmm_resource_destroy(resources[i]);
        primaries[i]->handle = NULL;
    }
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

/* Allocations of 8 pages each, more than the memory holds, used one after the other. */
static void fill_memory(void)
{
    for (uint32_t i = PRIMARIES; i < PRIMARIES + OTHERS && !rig.allocations[i].handle; i++)
        assert_int_equal(rig_create(&rig, &rig.allocations[i], 8 * VIDMM_PAGE_SIZE, MEMORY, 0),
                         STATUS_SUCCESS);
    for (uint32_t i = PRIMARIES; i < PRIMARIES + OTHERS; i++)
        write(&rig.allocations[i]);
}

/* ---- show and hide --------------------------------------------------------------------------- */

static void a_picture_is_what_the_gpu_has_written(void **state)
{
    (void)state;
    begin("sources 2\n");
    is_dark(0);
    for (uint32_t i = 0; i < PRIMARIES; i++) {
        write(primaries[i]);
        assert_int_equal(show(0, primaries[i]), STATUS_SUCCESS);
        is_on_screen(0, primaries[i]);
        is_dark(1);
    }
    assert_int_equal(show(1, primaries[0]), STATUS_SUCCESS);
    is_on_screen(0, primaries[2]);
    is_on_screen(1, primaries[0]);
    write(primaries[0]); /* from now on as it is written */
    is_on_screen(1, primaries[0]);
    assert_int_equal(hide(0), STATUS_SUCCESS);
    is_dark(0);
    assert_int_equal(hide(0), STATUS_SUCCESS);
    is_on_screen(1, primaries[0]);
    assert_string_equal(calls, "A0V0A0V0A0V0A1V1D0");
    finish();
}

static void what_is_shown_already_is_not_told_again(void **state)
{
    (void)state;
    begin("sources 1\n");
    write(primaries[0]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    assert_string_equal(calls, "A0V0");
    finish();
}

static void a_primary_that_was_never_used_comes_in_and_is_zero(void **state)
{
    unsigned char picture[PAGES * VIDMM_PAGE_SIZE];

    (void)state;
    begin("sources 1\n");
    for (uint32_t i = 0; i < PRIMARIES; i++) {
        assert_int_equal(show(0, primaries[i]), STATUS_SUCCESS);
        assert_true(softgpu_device_picture(rig.gpu, 0, picture, sizeof(picture)));
        for (size_t byte = 0; byte < sizeof(picture); byte++)
            assert_int_equal(picture[byte], 0);
    }
    finish();
}

static void what_is_shown_stays_where_it_is(void **state)
{
    (void)state;
    begin("sources 2\n");
    write(primaries[0]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    fill_memory();
    is_on_screen(0, primaries[0]); /* the address that the driver was told is still right */
    assert_int_equal(hide(0), STATUS_SUCCESS);
    for (uint32_t i = PRIMARIES; i < PRIMARIES + OTHERS; i++)
        write(&rig.allocations[i]);
    assert_int_equal(
        vidmm_engine_where(rig.adapter->engine, vidmm_allocation_id(primaries[0]->handle)).segment,
        0);
    write(primaries[0]); /* it has left since, and comes again */
    finish();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void a_refusal_names_what_is_wrong_and_the_screen_stays(void **state)
{
    struct rig_allocation plain;
    struct vidmm_device *other;

    (void)state;
    begin("sources 1\n");
    write(primaries[0]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, &plain, 4096, MEMORY, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, &rig.report), STATUS_SUCCESS);
    is_refused(vidmm_display_show(NULL, 0, primaries[1]->handle, &rig.report),
               STATUS_INVALID_PARAMETER, "device is NULL");
    is_refused(vidmm_display_show(rig.device, 0, NULL, &rig.report), STATUS_INVALID_PARAMETER,
               "primary is NULL");
    is_refused(vidmm_display_hide(NULL, 0, &rig.report), STATUS_INVALID_PARAMETER,
               "adapter is NULL");
    is_refused(show(1, primaries[1]), STATUS_INVALID_PARAMETER, "source is 1");
    is_refused(hide(1), STATUS_INVALID_PARAMETER, "source is 1");
    is_refused(show(0, &plain), STATUS_INVALID_PARAMETER, "a primary of the device");
    is_refused(vidmm_display_show(other, 0, primaries[1]->handle, &rig.report),
               STATUS_INVALID_PARAMETER, "a primary of the device");
    is_refused(vidmm_display_commit(rig.adapter, &rig, 1, NULL, &rig.report),
               STATUS_INVALID_PARAMETER, "source is 1");
    is_refused(vidmm_display_commit(rig.adapter, &rig, 0, plain.handle, &rig.report),
               STATUS_INVALID_PARAMETER, "a primary of the adapter");
    is_on_screen(0, primaries[0]);
    assert_string_equal(calls, "A0V0");
    vidmm_device_destroy(other);
    vidmm_allocation_destroy(plain.handle);
    finish();
}

static void an_adapter_that_only_renders_shows_nothing(void **state)
{
    (void)state;
    begin("");
    is_refused(show(0, primaries[0]), STATUS_INVALID_PARAMETER, "no video present source");
    is_refused(vidmm_display_interrupts(rig.adapter, true, &rig.report), STATUS_INVALID_PARAMETER,
               "no video present source");
    finish();
}

static void a_driver_without_the_functions_shows_nothing(void **state)
{
    (void)state;
    build("sources 1\n");
    rig.driver.DxgkDdiSetVidPnSourceVisibility = NULL;
    rig.driver.DxgkDdiCommitVidPn = NULL;
    rig.driver.DxgkDdiControlInterrupt = NULL;
    start();
    is_refused(show(0, primaries[0]), STATUS_NOT_SUPPORTED, "DxgkDdiSetVidPnSourceVisibility");
    is_refused(vidmm_display_commit(rig.adapter, &rig, 0, NULL, &rig.report), STATUS_NOT_SUPPORTED,
               "DxgkDdiCommitVidPn");
    is_refused(vidmm_display_interrupts(rig.adapter, true, &rig.report), STATUS_NOT_SUPPORTED,
               "DxgkDdiControlInterrupt");
    finish();
}

/* Either of its two functions refuses. */
static void if_the_driver_refuses_nothing_has_changed(void **state)
{
    (void)state;
    begin("sources 1\n");
    write(primaries[0]);
    write(primaries[1]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    answers[0] = STATUS_INVALID_PARAMETER;
    is_refused(show(0, primaries[1]), STATUS_INVALID_PARAMETER, "DxgkDdiSetVidPnSourceAddress");
    is_on_screen(0, primaries[0]);
    answers[0] = STATUS_SUCCESS;
    answers[1] = STATUS_UNSUCCESSFUL;
    is_refused(hide(0), STATUS_UNSUCCESSFUL, "DxgkDdiSetVidPnSourceVisibility");
    is_on_screen(0, primaries[0]);
    answers[1] = STATUS_SUCCESS;
    for (uint32_t i = 0; i < 3; i++)
        fill_memory();
    is_on_screen(0, primaries[0]); /* kept; and the other is not */
    assert_int_equal(
        vidmm_engine_where(rig.adapter->engine, vidmm_allocation_id(primaries[1]->handle)).segment,
        0);
    finish();
}

static void what_two_sources_would_show_is_refused(void **state)
{
    (void)state;
    begin("sources 2\n");
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    is_refused(show(1, primaries[0]), STATUS_INVALID_PARAMETER, "no other source");
    is_dark(1);
    finish();
}

static void an_offer_and_a_display_exclude_each_other(void **state)
{
    struct vidmm_selection one = {.allocations = &primaries[0]->handle, .allocation_count = 1};
    struct vidmm_selection other = {.allocations = &primaries[1]->handle, .allocation_count = 1};
    bool discarded;

    (void)state;
    begin("sources 1\n");
    one.allocations = &primaries[0]->handle;
    other.allocations = &primaries[1]->handle;
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    is_refused(vidmm_offer(&one, VIDMM_OFFER_LOW, 0, &rig.report), STATUS_INVALID_PARAMETER,
               "displayed");
    assert_int_equal(vidmm_offer(&other, VIDMM_OFFER_LOW, 0, &rig.report), STATUS_SUCCESS);
    is_refused(show(0, primaries[1]), STATUS_INVALID_PARAMETER, "not offered");
    assert_int_equal(vidmm_reclaim(&other, &discarded, &rig.report), STATUS_SUCCESS);
    assert_int_equal(show(0, primaries[1]), STATUS_SUCCESS);
    assert_int_equal(vidmm_offer(&one, VIDMM_OFFER_LOW, 0, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&one, &discarded, &rig.report), STATUS_SUCCESS);
    finish();
}

/* ---- the end of what is shown ---------------------------------------------------------------- */

static void a_source_is_dark_before_what_it_shows_is_destroyed(void **state)
{
    (void)state;
    begin("sources 2\n");
    write(primaries[0]);
    write(primaries[1]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    assert_int_equal(show(1, primaries[1]), STATUS_SUCCESS);
    vidmm_resource_destroy(resources[0]);
    primaries[0]->handle = NULL;
    is_dark(0);
    is_on_screen(1, primaries[1]);
    vidmm_allocation_destroy(primaries[1]->handle); /* alone, of a resource that stays */
    is_dark(1);
    vidmm_resource_destroy(resources[1]);
    primaries[1]->handle = NULL;
    assert_string_equal(calls, "A0V0A1V1D0D1");
    finish();
}

static void even_if_the_driver_refuses_what_is_destroyed_goes(void **state)
{
    (void)state;
    begin("sources 1\n");
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    answers[1] = STATUS_UNSUCCESSFUL;
    vidmm_resource_destroy(resources[0]);
    primaries[0]->handle = NULL;
    assert_null(vidmm_display_shown(rig.adapter, 0));
    finish();
}

/* Another device has the same memory open: the display ends with the opening that was named. */
static void a_shared_primary_is_shown_by_one_of_its_openings(void **state)
{
    struct rig_allocation shared, *mine = &shared;
    struct vidmm_resource *resource, *opening;
    struct vidmm_allocation *opened;
    struct vidmm_device *other;

    (void)state;
    begin("sources 1\n");
    resource = create_primary(rig.device, true, MEMORY, mine);
    write(mine);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_open(other, vidmm_resource_handle(resource), &opening, &opened,
                                         1, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_display_show(other, 0, opened, &rig.report), STATUS_SUCCESS);
    assert_ptr_equal(vidmm_display_shown(rig.adapter, 0), opened);
    assert_int_equal(show(0, mine), STATUS_SUCCESS); /* the same picture */
    is_on_screen(0, mine);
    vidmm_resource_destroy(opening);
    is_on_screen(0, mine);
    fill_memory();
    is_on_screen(0, mine);
    vidmm_device_destroy(other);
    vidmm_resource_destroy(resource);
    is_dark(0);
    finish();
}

static void without_power_all_is_dark_and_nothing_can_be_shown(void **state)
{
    (void)state;
    begin("sources 1\n");
    write(primaries[0]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report),
                     STATUS_SUCCESS);
    is_dark(0);
    is_refused(show(0, primaries[0]), STATUS_DEVICE_BUSY, "power");
    assert_int_equal(hide(0), STATUS_SUCCESS); /* it is dark */
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report),
                     STATUS_SUCCESS);
    is_dark(0);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    is_on_screen(0, primaries[0]);
    assert_string_equal(calls, "A0V0D0A0V0");
    finish();
}

static void a_device_goes_and_its_picture_with_it(void **state)
{
    struct rig_allocation primary;
    struct vidmm_device *other;

    (void)state;
    begin("sources 1\n");
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, &rig.report), STATUS_SUCCESS);
    create_primary(other, false, MEMORY, &primary);
    assert_int_equal(vidmm_display_show(other, 0, primary.handle, &rig.report), STATUS_SUCCESS);
    vidmm_device_destroy(other);
    is_dark(0);
    assert_string_equal(calls, "A0V0D0");
    finish();
}

static void a_reset_of_the_adapter_ends_all_displays(void **state)
{
    struct rig_allocation *one;

    (void)state;
    begin("sources 1\nhang 0 2\n");
    write(primaries[0]);
    assert_int_equal(show(0, primaries[0]), STATUS_SUCCESS);
    one = primaries[0];
    assert_int_equal(rig_render(&rig, &one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(rig.context, rig.value);
    vidmm_machine_settle(rig.machine);
    is_dark(0);
    is_refused(show(0, primaries[0]), STATUS_DEVICE_REMOVED, "");
    for (uint32_t i = 0; i < PRIMARIES; i++) {
        vidmm_resource_destroy(resources[i]);
        primaries[i]->handle = NULL;
    }
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_what_the_gpu_has_written),
        cmocka_unit_test(what_is_shown_already_is_not_told_again),
        cmocka_unit_test(a_primary_that_was_never_used_comes_in_and_is_zero),
        cmocka_unit_test(what_is_shown_stays_where_it_is),
        cmocka_unit_test(a_refusal_names_what_is_wrong_and_the_screen_stays),
        cmocka_unit_test(an_adapter_that_only_renders_shows_nothing),
        cmocka_unit_test(a_driver_without_the_functions_shows_nothing),
        cmocka_unit_test(if_the_driver_refuses_nothing_has_changed),
        cmocka_unit_test(what_two_sources_would_show_is_refused),
        cmocka_unit_test(an_offer_and_a_display_exclude_each_other),
        cmocka_unit_test(a_source_is_dark_before_what_it_shows_is_destroyed),
        cmocka_unit_test(even_if_the_driver_refuses_what_is_destroyed_goes),
        cmocka_unit_test(a_shared_primary_is_shown_by_one_of_its_openings),
        cmocka_unit_test(without_power_all_is_dark_and_nothing_can_be_shown),
        cmocka_unit_test(a_device_goes_and_its_picture_with_it),
        cmocka_unit_test(a_reset_of_the_adapter_ends_all_displays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
