/* test_adapter_nulls.c: a pointer that may not be NULL, an element named twice, elements of two
 * devices: each is refused by name, and nothing has changed.
 */
#include "test_adapter_rig.h"

#include <vidmm/budget.h>
#include <vidmm/caps.h>
#include <vidmm/dump.h>
#include <vidmm/engine.h>
#include <vidmm/history.h>
#include <vidmm/present.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>

enum { CPU_VISIBLE = 0x1 }; /* DXGK_ALLOCATIONINFOFLAGS */

static struct rig rig;

static const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                               .flags = CPU_VISIBLE,
                                               .size = VIDMM_PAGE_SIZE,
                                               .read_set = 3,
                                               .write_set = 3,
                                               .renaming = 4,
                                               .priority = SOFTGPU_PRIORITY_NORMAL};
static const struct vidmm_description description = {
    .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};

static struct vidmm_allocation *make(struct vidmm_device *device)
{
    struct vidmm_allocation *made = NULL;

    assert_int_equal(vidmm_allocation_create(device, &wish, sizeof(wish), &made, &rig.report),
                     STATUS_SUCCESS);
    return made;
}

static void begin(void)
{
    const struct rig_options options = rig_defaults();

    rig_init(&rig, &options);
}

/* The last call was refused, in words that begin with the name. */
static void refused(NTSTATUS status, const char *name)
{
    assert_int_equal(status, STATUS_INVALID_PARAMETER);
    if (strncmp(rig.report.text, name, strlen(name)) != 0)
        fail_msg("'%s' does not begin with %s", rig.report.text, name);
    rig.report.text[0] = '\0';
}

/* Each of them is the only one that lacks. */
static void an_adapter_needs_its_host_and_its_driver(void **state)
{
    struct vidmm_adapter_options options;
    struct vidmm_adapter *adapter = NULL;
    struct vidmm_report *report = &rig.report;

    (void)state;
    begin();
    const struct vidmm_host *host = vidmm_slot_host(rig.slot);
    vidmm_adapter_options_default(&options);
    refused(vidmm_adapter_start(NULL, &rig.driver, NULL, &options, &adapter, report),
            "host is NULL");
    refused(vidmm_adapter_start(host, NULL, NULL, &options, &adapter, report), "driver is NULL");
    refused(vidmm_adapter_start(host, &rig.driver, NULL, NULL, &adapter, report),
            "options is NULL");
    refused(vidmm_adapter_start(host, &rig.driver, NULL, &options, NULL, report),
            "adapter is NULL");
    assert_null(adapter);
    rig_finish(&rig);
}

static void what_asks_an_adapter_needs_one(void **state)
{
    const struct vidmm_segment_range range = {.segment = 1};
    struct vidmm_device *device;
    struct vidmm_budget_info info;
    struct vidmm_report *report = &rig.report;
    DXGK_NODEMETADATA metadata;
    uint32_t bits;

    (void)state;
    begin();
    refused(vidmm_device_create(NULL, 1, &device, report), "adapter is NULL");
    refused(vidmm_adapter_condition(NULL, report), "adapter is NULL");
    refused(vidmm_adapter_set_power(NULL, VIDMM_POWER_D3, report), "adapter is NULL");
    refused(vidmm_adapter_pnp_stop(NULL, report), "adapter is NULL");
    refused(vidmm_query_private(NULL, &bits, sizeof(bits), report), "adapter is NULL");
    refused(vidmm_query_node_metadata(NULL, 0, &metadata, report), "adapter is NULL");
    refused(vidmm_history_precision(NULL, 0, &bits, report), "adapter is NULL");
    refused(vidmm_read_segment(NULL, &range, &bits, report), "adapter is NULL");
    refused(vidmm_query_video_memory(NULL, 1, VIDMM_GROUP_LOCAL, &info, report), "adapter is NULL");
    refused(vidmm_reserve_video_memory(NULL, 1, VIDMM_GROUP_LOCAL, 0, report), "adapter is NULL");
    refused(vidmm_set_budget(NULL, 1, VIDMM_GROUP_LOCAL, 0, report), "adapter is NULL");
    refused(vidmm_trim_periodic(NULL, false, report), "adapter is NULL");
    rig_finish(&rig);
}

static void what_is_created_needs_a_place_for_its_handle(void **state)
{
    const struct vidmm_description without = {.private_data_size = 8,
                                              .vidpn_source = VIDMM_NO_SOURCE};
    const struct vidmm_resource_options options = {.private_data = NULL},
                                        sized = {.private_data_size = 4};
    struct vidmm_allocation *given[1];
    struct vidmm_resource *resource;
    struct vidmm_context *context;
    struct vidmm_report *report = &rig.report;

    (void)state;
    begin();
    refused(vidmm_device_create(rig.adapter, 1, NULL, report), "device is NULL");
    refused(vidmm_context_create(rig.device, 0, NULL, 0, NULL, report), "context is NULL");
    refused(vidmm_context_create(rig.device, 0, NULL, 4, &context, report), "private_data is NULL");
    refused(vidmm_allocation_create(rig.device, &wish, sizeof(wish), NULL, report),
            "allocation is NULL");
    refused(vidmm_allocation_create(rig.device, NULL, sizeof(wish), given, report),
            "private_data is NULL");
    refused(vidmm_resource_create(rig.device, NULL, &description, 1, &resource, given, report),
            "options is NULL");
    refused(vidmm_resource_create(rig.device, &options, &description, 1, NULL, given, report),
            "resource is NULL");
    refused(vidmm_resource_create(rig.device, &options, NULL, 1, &resource, given, report),
            "descriptions is NULL");
    refused(vidmm_resource_create(rig.device, &options, &description, 1, &resource, NULL, report),
            "allocations is NULL");
    refused(vidmm_resource_create(rig.device, &options, &without, 1, &resource, given, report),
            "private_data of a description is NULL");
    refused(vidmm_resource_create(rig.device, &sized, &description, 1, &resource, given, report),
            "private_data of the resource is NULL");
    refused(vidmm_resource_open(rig.device, 1, NULL, given, 1, report), "resource is NULL");
    refused(vidmm_resource_open(rig.device, 1, &resource, NULL, 1, report), "allocations is NULL");
    refused(vidmm_standard_create(rig.device, NULL, &resource, given, NULL, report),
            "standard is NULL");
    rig_finish(&rig);
}

static void what_is_added_needs_a_place_too(void **state)
{
    const struct vidmm_resource_options options = {.private_data = NULL};
    struct vidmm_allocation *given[1];
    struct vidmm_resource *resource;

    (void)state;
    begin();
    assert_int_equal(
        vidmm_resource_create(rig.device, &options, &description, 1, &resource, given, &rig.report),
        STATUS_SUCCESS);
    refused(vidmm_resource_add(resource, NULL, 1, given, &rig.report), "descriptions is NULL");
    refused(vidmm_resource_add(resource, &description, 1, NULL, &rig.report),
            "allocations is NULL");
    assert_int_equal(vidmm_resource_count(resource), 1);
    rig_finish(&rig);
}

static void what_is_asked_needs_a_place_for_the_answer(void **state)
{
    const struct vidmm_segment_range range = {.segment = 2, .size = VIDMM_PAGE_SIZE};
    struct vidmm_lock_arguments lock = {.page_count = 1};
    struct vidmm_allocation *one;
    struct vidmm_history history;
    struct vidmm_report *report = &rig.report;
    unsigned char bytes[4];
    uint64_t value;

    (void)state;
    begin();
    one = make(rig.device);
    refused(vidmm_query_private(rig.adapter, NULL, 4, report), "data is NULL");
    refused(vidmm_escape(rig.device, NULL, 4, false, report), "data is NULL");
    refused(vidmm_render(rig.context, bytes, 4, NULL, 0, true, NULL, report), "value is NULL");
    refused(vidmm_render(rig.context, NULL, 4, NULL, 0, true, &value, report), "command is NULL");
    refused(vidmm_render(rig.context, bytes, 4, NULL, 1, true, &value, report),
            "references is NULL");
    refused(vidmm_present(rig.context, NULL, true, &value, report), "present is NULL");
    refused(vidmm_history_precision(rig.adapter, 0, NULL, report), "bits is NULL");
    refused(vidmm_history_read(rig.context, NULL, &history, NULL, 0, report), "allocation is NULL");
    refused(vidmm_history_read(rig.context, one, NULL, NULL, 0, report), "history is NULL");
    refused(vidmm_history_read(rig.context, one, &history, NULL, 3, report), "stamps is NULL");
    refused(vidmm_read_segment(rig.adapter, NULL, bytes, report), "range is NULL");
    refused(vidmm_read_segment(rig.adapter, &range, NULL, report), "buffer is NULL");
    refused(vidmm_lock_pages(NULL, report), "arguments is NULL");
    refused(vidmm_lock_pages(&lock, report), "allocation is NULL");
    lock.allocation = one;
    refused(vidmm_lock_pages(&lock, report), "pages is NULL");
    assert_int_equal(vidmm_lock(one, 0, NULL, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_unlock(one), STATUS_INVALID_PARAMETER); /* nothing is locked */
    rig_finish(&rig);
}

/* Refuse a selection, whatever its purpose. */
static void refused_selection(const struct vidmm_selection *selection, const char *name)
{
    enum vidmm_residency where[2];
    uint32_t priorities[2] = {1, 1};
    bool discarded[2];

    refused(vidmm_offer(selection, 1, 0, &rig.report), name);
    refused(vidmm_reclaim(selection, discarded, &rig.report), name);
    refused(vidmm_set_priority(selection, priorities, &rig.report), name);
    refused(vidmm_query_residency(selection, where, &rig.report), name);
}

static void a_selection_is_of_one_device(void **state)
{
    struct vidmm_selection selection = {.allocation_count = 2};
    struct vidmm_allocation *list[2] = {NULL};
    struct vidmm_device *other;

    (void)state;
    begin();
    refused_selection(NULL, "selection is NULL");
    refused_selection(&selection, "allocations is NULL");
    selection.allocations = list;
    list[0] = make(rig.device);
    refused_selection(&selection, "an element of a selection is NULL");
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, &rig.report), STATUS_SUCCESS);
    list[1] = make(other);
    refused_selection(&selection, "element of a selection is 1; it is of another device");
    selection.allocation_count = 1;
    refused(vidmm_set_priority(&selection, NULL, &rig.report), "priorities is NULL");
    refused(vidmm_query_residency(&selection, NULL, &rig.report), "residency is NULL");
    assert_int_equal(vidmm_offer(&selection, 1, 0, &rig.report), STATUS_SUCCESS); /* it was not */
    vidmm_device_destroy(other);
    rig_finish(&rig);
}

static void an_allocation_is_destroyed_once(void **state)
{
    struct vidmm_lock_arguments lock = {.flags = VIDMM_LOCK_ENTIRE | VIDMM_LOCK_DISCARD};
    struct vidmm_allocation *list[3];

    (void)state;
    begin();
    list[0] = list[2] = make(rig.device);
    list[1] = make(rig.device);
    refused(vidmm_allocations_destroy(NULL, 3, &rig.report), "allocations is NULL");
    refused(vidmm_allocations_destroy(list, 3, &rig.report),
            "index of an allocation: one that is named once; it is 0x2");
    lock.allocation = list[0];
    assert_int_equal(vidmm_lock_pages(&lock, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(lock.allocation), STATUS_SUCCESS);
    assert_ptr_not_equal(lock.allocation, list[0]); /* another instance of it */
    list[2] = lock.allocation;
    assert_int_equal(vidmm_allocations_destroy(list, 3, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_allocations_destroy(list, 2, &rig.report), STATUS_SUCCESS);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_adapter_needs_its_host_and_its_driver),
        cmocka_unit_test(what_asks_an_adapter_needs_one),
        cmocka_unit_test(what_is_created_needs_a_place_for_its_handle),
        cmocka_unit_test(what_is_added_needs_a_place_too),
        cmocka_unit_test(what_is_asked_needs_a_place_for_the_answer),
        cmocka_unit_test(a_selection_is_of_one_device),
        cmocka_unit_test(an_allocation_is_destroyed_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
