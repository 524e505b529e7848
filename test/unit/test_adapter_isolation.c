/* test_adapter_isolation.c: an adapter is attached to the IOMMU, or is not, and what stays then. */
#include "test_adapter_rig.h"

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"

#define ISOLATED "wddm 2.4\nisolation on\n"

static struct rig rig;
static struct vidmm_host host; /* the slot's, with members changed */

/* The answers of the driver and the host. */
static struct answers {
    DRIVER_INITIALIZATION_DATA driver;
    NTSTATUS begins;
    unsigned begun, ended, attached;
    unsigned refused; /* number of the call of attach_domain() that is; 0: none */
    bool required;
} answers;

static NTSTATUS begin_access(HANDLE adapter, DXGKARG_BEGINEXCLUSIVEACCESS *arguments)
{
    answers.begun++;
    return answers.begins != STATUS_SUCCESS
               ? answers.begins
               : answers.driver.DxgkDdiBeginExclusiveAccess(adapter, arguments);
}

static NTSTATUS end_access(HANDLE adapter, DXGKARG_ENDEXCLUSIVEACCESS *arguments)
{
    answers.ended++;
    return answers.driver.DxgkDdiEndExclusiveAccess(adapter, arguments);
}

static NTSTATUS query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *question)
{
    NTSTATUS status = answers.driver.DxgkDdiQueryAdapterInfo(adapter, question);

    if (question->Type == DXGKQAITYPE_DRIVERCAPS)
        ((DXGK_DRIVERCAPS *)question->pOutputData)->MemoryManagementCaps.IoMmuSecureModeRequired =
            answers.required;
    return status;
}

static bool attach(void *context, const struct vidmm_host *owner)
{
    const struct vidmm_host *slot = vidmm_slot_host(rig.slot);

    if (owner != NULL && ++answers.attached == answers.refused)
        return false;
    return slot->attach_domain(context, owner != NULL ? slot : NULL);
}

static void build(const char *gpu, uint32_t links)
{
    struct rig_options options = rig_defaults();

    memset(&answers, 0, sizeof(answers));
    options.gpu = gpu;
    options.links = links;
    rig_build(&rig, &options);
    answers.driver = rig.driver;
    rig.driver.DxgkDdiQueryAdapterInfo = query;
    if (rig.driver.DxgkDdiBeginExclusiveAccess != NULL) {
        rig.driver.DxgkDdiBeginExclusiveAccess = begin_access;
        rig.driver.DxgkDdiEndExclusiveAccess = end_access;
    }
    host = *vidmm_slot_host(rig.slot);
    host.attach_domain = attach;
    rig.host = &host;
}

static void start(const char *gpu)
{
    build(gpu, 1);
    if (rig_start(&rig) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

static bool is_attached(void)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(rig.slot);
    uint64_t frame;
    bool reaches;

    assert_true(host.take_pages(host.context, 1, VIDMM_ANY_FRAME, false, VIDMM_CACHED, &frame));
    reaches = bus->memory(bus->context, frame * VIDMM_PAGE_SIZE, 8) != NULL;
    host.release_pages(host.context, 1, &frame);
    return !reaches;
}

/* It is refused in these words, and the adapter goes on as it was. */
static void is_refused(NTSTATUS status, const char *word)
{
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, &rig.report), status);
    if (strstr(rig.report.text, word) == NULL)
        fail_msg("\"%s\" does not say %s", rig.report.text, word);
    assert_false(is_attached());
    assert_int_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_SUCCESS);
}

static void what_cannot_be_isolated_is_refused_and_told(void **state)
{
    (void)state;
    assert_int_equal(vidmm_adapter_isolate(NULL, &rig.report), STATUS_INVALID_PARAMETER);
    start("wddm 2.4\n");
    is_refused(STATUS_NOT_SUPPORTED, "IoMmuSecureModeSupported is 0");
    rig_finish(&rig);
    start(NULL); /* 1.3 */
    is_refused(STATUS_NOT_SUPPORTED, "IoMmuSecureModeSupported is 0");
    rig_finish(&rig);
    build("wddm 2.4\nmmu io\nprivate_data 4K\nisolation on\n", 1);
    rig_start(&rig); /* there may be no context: the adapter matters */
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, &rig.report), STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(rig.report.text, "IoMmuSupported"));
    assert_false(is_attached());
    rig_finish(&rig);
    build(ISOLATED, 1);
    host.create_domain = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    is_refused(STATUS_NOT_SUPPORTED, "host->create_domain");
    rig_finish(&rig);
    build(ISOLATED, 1);
    rig.driver.DxgkDdiBeginExclusiveAccess = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    is_refused(STATUS_NOT_SUPPORTED, "DxgkDdiBeginExclusiveAccess");
    rig_finish(&rig);
    build(ISOLATED, 1);
    rig.driver.DxgkDdiEndExclusiveAccess = NULL;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    is_refused(STATUS_NOT_SUPPORTED, "DxgkDdiEndExclusiveAccess");
    rig_finish(&rig);
}

static void a_driver_or_a_host_that_refuses_leaves_all_as_it_was(void **state)
{
    (void)state;
    start(ISOLATED);
    answers.begins = STATUS_DEVICE_BUSY;
    is_refused(STATUS_DEVICE_BUSY, "DxgkDdiBeginExclusiveAccess");
    assert_int_equal(answers.begun, 1);
    assert_int_equal(answers.ended, 0); /* it has not begun */
    answers.begins = STATUS_SUCCESS;
    answers.refused = 1;
    is_refused(STATUS_UNSUCCESSFUL, "attach_domain");
    assert_int_equal(answers.begun, 2);
    assert_int_equal(answers.ended, 1);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    is_refused(STATUS_DEVICE_BUSY, "power");
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    assert_int_equal(answers.begun, 2);
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, NULL), STATUS_SUCCESS);
    assert_true(is_attached());
    assert_int_equal(answers.begun, 3);
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, NULL), STATUS_SUCCESS); /* once more */
    assert_int_equal(answers.begun, 3);
    rig_stop(&rig);
    assert_false(is_attached());
    rig_start(&rig); /* and again from the start */
    assert_false(is_attached());
    rig_finish(&rig);
}

static void a_start_attaches_if_it_is_told_to(void **state)
{
    (void)state;
    start("wddm 2.7\nisolation on\n");
    assert_false(is_attached());
    rig_finish(&rig);
    build("wddm 2.4\nisolation on\n", 1);
    rig.options.adapter.isolate = true;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_true(is_attached());
    rig_finish(&rig);
    build("wddm 2.7\nisolation on\n", 1);
    answers.required = true; /* the IOMMU, and that is there */
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_false(is_attached());
    rig_finish(&rig);
    build("wddm 2.4\n", 1);
    rig.options.adapter.isolate = true;
    assert_int_equal(rig_start(&rig), STATUS_NOT_SUPPORTED);
    rig_finish(&rig);
    build("wddm 2.7\nisolation on\n", 1);
    answers.required = true;
    host.create_domain = NULL;
    assert_int_equal(rig_start(&rig), STATUS_NOT_SUPPORTED);
    assert_non_null(strstr(rig.report.text, "IoMmuSecureModeRequired"));
    rig_finish(&rig);
}

static bool reaches(struct vidmm_slot *slot, uint64_t frame)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(slot);

    return bus->memory(bus->context, frame * VIDMM_PAGE_SIZE, 8) != NULL;
}

static bool are_attached(uint64_t frame)
{
    bool first = !reaches(rig.slot, frame);

    assert_int_equal(!reaches(rig.more_slots[1], frame), first);
    return first;
}

/* The lead's host refuses, behind the other's or before it; then nobody does. */
static void linked_devices_are_attached_together_or_not_at_all(void **state)
{
    uint64_t frame;

    (void)state;
    build(ISOLATED, 2);
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_true(host.take_pages(host.context, 1, VIDMM_ANY_FRAME, false, VIDMM_CACHED, &frame));
    assert_false(are_attached(frame));
    answers.refused = 1;
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, NULL), STATUS_UNSUCCESSFUL);
    assert_false(are_attached(frame));
    assert_int_equal(answers.begun, 2);
    assert_int_equal(answers.ended, 2);
    assert_int_equal(vidmm_adapter_isolate(rig.adapter, NULL), STATUS_SUCCESS);
    assert_true(are_attached(frame));
    assert_true(reaches(rig.slot, vidmm_backing_frame(rig.adapter->dummy, 0)));
    assert_true(reaches(rig.more_slots[1], vidmm_backing_frame(rig.adapter->dummy, 0)));
    host.release_pages(host.context, 1, &frame);
    rig_finish(&rig);
}

static void without_memory_for_a_domain_there_is_no_start(void **state)
{
    unsigned refused = 0;

    (void)state;
    for (uint64_t n = 1; n <= 60; n++) { /* some of them it can do without */
        NTSTATUS status;

        build(ISOLATED, 1);
        rig.options.adapter.isolate = true;
        vidmm_machine_fail_allocation(rig.machine, n);
        status = rig_start(&rig);
        refused += status == STATUS_NO_MEMORY ? 1 : 0;
        assert_true(status == STATUS_NO_MEMORY || status == STATUS_SUCCESS);
        assert_int_equal(is_attached(), rig.adapter != NULL);
        rig_finish(&rig);
    }
    assert_true(refused > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_isolated_is_refused_and_told),
        cmocka_unit_test(a_driver_or_a_host_that_refuses_leaves_all_as_it_was),
        cmocka_unit_test(a_start_attaches_if_it_is_told_to),
        cmocka_unit_test(linked_devices_are_attached_together_or_not_at_all),
        cmocka_unit_test(without_memory_for_a_domain_there_is_no_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
