/* test_host_isolation.c: the IOMMU between a device and system memory. */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>

#include "host/machine.h"

enum { PAGE = VIDMM_PAGE_SIZE };

struct rig {
    struct vidmm_machine *machine;
    struct vidmm_slot *slots[2];
    const struct vidmm_host *host;
    unsigned misuses;
    uint64_t frames[3]; /* one behind the other */
};

static void note_misuse(void *argument, const char *text)
{
    struct rig *rig = argument;

    (void)text;
    rig->misuses++;
}

static void begin(struct rig *rig)
{
    const struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_SIMULATED,
                                                  .system_memory = 1 << 20,
                                                  .misuse = note_misuse,
                                                  .misuse_argument = rig};

    *rig = (struct rig){.machine = vidmm_machine_create(&options, NULL, 0)};
    for (unsigned i = 0; i < 2; i++)
        rig->slots[i] = vidmm_machine_add_slot(rig->machine);
    rig->host = vidmm_slot_host(rig->slots[0]);
    assert_true(rig->host->take_pages(rig->host->context, 3, VIDMM_ANY_FRAME, true, VIDMM_CACHED,
                                      rig->frames));
}

static void end(struct rig *rig)
{
    rig->host->release_pages(rig->host->context, 3, rig->frames);
    vidmm_machine_destroy(rig->machine);
}

/* Whether the device of a slot reaches bytes from the first page on. */
static bool reaches(const struct rig *rig, unsigned slot, uint64_t offset, uint64_t size)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(rig->slots[slot]);

    return bus->memory(bus->context, rig->frames[0] * PAGE + offset, size) != NULL;
}

static uint64_t faults(const struct rig *rig, unsigned slot)
{
    uint64_t address;

    return vidmm_slot_faults(rig->slots[slot], &address);
}

static void a_device_reaches_what_its_domain_maps_once_it_is_attached(void **state)
{
    const struct vidmm_host *host;
    uint64_t address;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    assert_true(host->create_domain(host->context));
    assert_true(reaches(&rig, 0, 0, 3 * PAGE)); /* as before */
    host->map_domain(host->context, 1, &rig.frames[1]);
    assert_true(host->attach_domain(host->context, host));
    assert_true(reaches(&rig, 0, PAGE + 8, PAGE - 8));
    assert_int_equal(faults(&rig, 0), 0);
    assert_false(reaches(&rig, 0, 2 * PAGE + 8, 4));
    assert_int_equal(vidmm_slot_faults(rig.slots[0], &address), 1);
    assert_int_equal(address, rig.frames[2] * PAGE + 8);
    assert_false(reaches(&rig, 0, 0, 3 * PAGE)); /* its first page is a fault */
    assert_int_equal(faults(&rig, 0), 2);
    assert_false(reaches(&rig, 0, PAGE, 2 * PAGE)); /* that is asked for page by page */
    assert_int_equal(faults(&rig, 0), 2);
    assert_true(reaches(&rig, 1, 0, 3 * PAGE)); /* another device */
    host->unmap_domain(host->context, 1, &rig.frames[1]);
    assert_false(reaches(&rig, 0, PAGE, 8));
    assert_int_equal(faults(&rig, 0), 3);
    host->destroy_domain(host->context);
    assert_true(reaches(&rig, 0, 0, 3 * PAGE));
    assert_int_equal(rig.misuses, 0);
    end(&rig);
}

static void a_page_is_reached_until_it_was_unmapped_as_often_as_mapped(void **state)
{
    const struct vidmm_host *host;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    assert_true(host->create_domain(host->context));
    assert_true(host->attach_domain(host->context, host));
    host->map_domain(host->context, 2, rig.frames);
    host->map_domain(host->context, 1, rig.frames);
    host->unmap_domain(host->context, 2, rig.frames);
    assert_true(reaches(&rig, 0, 0, PAGE));
    assert_false(reaches(&rig, 0, PAGE, PAGE));
    host->unmap_domain(host->context, 1, rig.frames);
    assert_false(reaches(&rig, 0, 0, PAGE));
    assert_int_equal(rig.misuses, 0);
    host->destroy_domain(host->context);
    end(&rig);
}

static void linked_devices_share_a_domain(void **state)
{
    const struct vidmm_host *host, *other;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    other = vidmm_slot_host(rig.slots[1]);
    assert_true(host->create_domain(host->context));
    assert_true(other->attach_domain(other->context, host));
    assert_false(reaches(&rig, 1, 0, 8));
    host->map_domain(host->context, 1, rig.frames);
    assert_true(reaches(&rig, 1, 0, 8));
    assert_true(other->attach_domain(other->context, NULL));
    assert_true(reaches(&rig, 1, PAGE, 8));
    host->unmap_domain(host->context, 1, rig.frames);
    host->destroy_domain(host->context);
    assert_int_equal(rig.misuses, 0);
    end(&rig);
}

static void a_held_device_reaches_no_system_memory(void **state)
{
    const struct vidmm_host *host;
    const struct vidmm_bus *bus;
    uint64_t own;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    bus = vidmm_slot_bus(rig.slots[0]);
    assert_true(bus->add_memory(bus->context, 0, PAGE, &own));
    host->hold_device(host->context);
    assert_false(reaches(&rig, 0, 0, 8));
    assert_int_equal(faults(&rig, 0), 1);
    assert_non_null(bus->memory(bus->context, own, PAGE)); /* its own */
    assert_true(host->attach_domain(host->context, NULL));
    assert_true(reaches(&rig, 0, 0, 8));
    end(&rig);
}

static void misuse_is_told(void **state)
{
    const struct vidmm_host *host;
    const uint64_t none = 1;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    host->map_domain(host->context, 1, rig.frames); /* there is no domain */
    assert_int_equal(rig.misuses, 1);
    assert_false(host->attach_domain(host->context, host));
    assert_int_equal(rig.misuses, 2);
    assert_true(host->create_domain(host->context));
    assert_false(host->create_domain(host->context));
    assert_int_equal(rig.misuses, 3);
    host->map_domain(host->context, 1, &none); /* no page of system memory */
    assert_int_equal(rig.misuses, 4);
    host->unmap_domain(host->context, 1, rig.frames); /* it is not mapped */
    assert_int_equal(rig.misuses, 5);
    host->map_domain(host->context, 1, &rig.frames[2]);
    host->release_pages(host->context, 1, &rig.frames[2]); /* and mapped */
    assert_int_equal(rig.misuses, 6);
    host->destroy_domain(host->context); /* and something is mapped */
    assert_int_equal(rig.misuses, 7);
    assert_true(
        host->take_pages(host->context, 1, VIDMM_ANY_FRAME, false, VIDMM_CACHED, &rig.frames[2]));
    end(&rig);
}

static void without_memory_there_is_no_domain(void **state)
{
    const struct vidmm_host *host;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    vidmm_machine_fail_allocation(rig.machine, 1);
    assert_false(host->create_domain(host->context));
    assert_true(host->create_domain(host->context));
    host->destroy_domain(host->context);
    assert_int_equal(rig.misuses, 0);
    end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_reaches_what_its_domain_maps_once_it_is_attached),
        cmocka_unit_test(a_page_is_reached_until_it_was_unmapped_as_often_as_mapped),
        cmocka_unit_test(linked_devices_share_a_domain),
        cmocka_unit_test(a_held_device_reaches_no_system_memory),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(without_memory_there_is_no_domain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
