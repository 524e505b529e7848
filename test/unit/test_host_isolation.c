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

/* ---- logical pages --------------------------------------------------------------------------- */

/* The memory at an address of the device of slot 0; NULL: none. */
static uint8_t *find(const struct rig *rig, uint64_t address, uint64_t size)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(rig->slots[0]);

    return bus->memory(bus->context, address, size);
}

static void pages_are_found_at_logical_ones_and_nowhere_else(void **state)
{
    uint64_t first, other, address, frames[3];
    const struct vidmm_host *host;
    uint8_t *bytes;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    frames[0] = rig.frames[2];
    frames[1] = rig.frames[0];
    frames[2] = rig.frames[1];
    assert_int_equal(host->highest_page(host->context),
                     VIDMM_MACHINE_SYSTEM_BASE / PAGE + (1 << 20) / PAGE - 1);
    bytes = find(&rig, rig.frames[0] * PAGE, 3 * PAGE);
    assert_true(host->create_logical_domain(host->context));
    assert_true(host->take_logical(host->context, 3, 0xfffff, &first));
    assert_true(first != 0 && first + 2 <= 0xfffff);
    assert_true(host->attach_domain(host->context, host));
    assert_null(find(&rig, first * PAGE, 8));
    assert_int_equal(vidmm_slot_faults(rig.slots[0], &address), 1);
    assert_int_equal(address, first * PAGE);
    host->map_logical(host->context, first, 3, frames);
    assert_ptr_equal(find(&rig, first * PAGE + 8, 8), bytes + 2 * PAGE + 8);
    assert_ptr_equal(find(&rig, (first + 1) * PAGE, 2 * PAGE), bytes); /* one behind the other */
    assert_int_equal(faults(&rig, 0), 1);
    assert_null(find(&rig, first * PAGE, 2 * PAGE)); /* that is asked for page by page */
    assert_int_equal(faults(&rig, 0), 1);
    assert_null(find(&rig, rig.frames[0] * PAGE, 8)); /* by its own address it is nowhere */
    assert_null(find(&rig, 0, 8));
    assert_int_equal(faults(&rig, 0), 3);
    assert_true(reaches(&rig, 1, 0, 3 * PAGE)); /* another device */
    host->unmap_logical(host->context, first + 1, 1);
    assert_null(find(&rig, (first + 1) * PAGE, 8));
    assert_non_null(find(&rig, (first + 2) * PAGE, 8));
    host->unmap_logical(host->context, first, 1);
    host->unmap_logical(host->context, first + 2, 1);
    assert_true(host->take_logical(host->context, 1, VIDMM_ANY_FRAME, &other));
    assert_true(other < first || other > first + 2);
    host->release_logical(host->context, other, 1);
    host->release_logical(host->context, first, 3);
    host->destroy_domain(host->context);
    assert_ptr_equal(find(&rig, rig.frames[0] * PAGE, 3 * PAGE), bytes);
    assert_int_equal(rig.misuses, 0);
    end(&rig);
}

static void there_are_as_many_logical_pages_as_fit_below_the_highest(void **state)
{
    const struct vidmm_host *host;
    uint64_t first, more = 77;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    assert_true(host->create_logical_domain(host->context));
    assert_true(host->take_logical(host->context, 9, 9, &first)); /* page 0 is nobody's */
    assert_int_equal(first, 1);
    assert_false(host->take_logical(host->context, 1, 9, &more));
    assert_false(host->take_logical(host->context, 1, 0, &more));
    assert_false(host->take_logical(host->context, 2 * ((1 << 20) / PAGE), VIDMM_ANY_FRAME, &more));
    assert_false(host->take_logical(host->context, 0, VIDMM_ANY_FRAME, &more));
    assert_int_equal(more, 77);
    assert_true(host->take_logical(host->context, 1, 10, &more));
    assert_int_equal(more, 10);
    vidmm_machine_fail_mapping(rig.machine, 1);
    assert_false(host->take_logical(host->context, 1, 11, &more));
    host->release_logical(host->context, first, 9);
    host->release_logical(host->context, 10, 1);
    host->destroy_domain(host->context);
    assert_int_equal(rig.misuses, 0);
    end(&rig);
}

static void misuse_of_logical_pages_is_told(void **state)
{
    const struct vidmm_host *host;
    unsigned misuses = 0;
    uint64_t first;
    struct rig rig;

    (void)state;
    begin(&rig);
    host = rig.host;
    assert_false(host->take_logical(host->context, 1, VIDMM_ANY_FRAME, &first)); /* no domain */
    assert_int_equal(rig.misuses, ++misuses);
    assert_true(host->create_domain(host->context));
    assert_false(host->take_logical(host->context, 1, VIDMM_ANY_FRAME, &first)); /* not of those */
    assert_int_equal(rig.misuses, ++misuses);
    host->destroy_domain(host->context);
    assert_true(host->create_logical_domain(host->context));
    assert_false(host->create_logical_domain(host->context)); /* there is one */
    assert_int_equal(rig.misuses, ++misuses);
    assert_true(host->take_logical(host->context, 2, VIDMM_ANY_FRAME, &first));
    host->map_domain(host->context, 1, rig.frames); /* not in this kind of domain */
    host->unmap_domain(host->context, 1, rig.frames);
    host->map_logical(host->context, first + 2, 1, rig.frames); /* nobody took that */
    host->release_logical(host->context, 0, 1);
    host->unmap_logical(host->context, first, 1); /* it shows nothing */
    assert_int_equal(rig.misuses, misuses += 5);
    host->map_logical(host->context, first, 1, rig.frames);
    host->map_logical(host->context, first, 1, rig.frames); /* it shows that */
    host->release_logical(host->context, first, 1);         /* still */
    host->destroy_domain(host->context);                    /* pages are mapped, and taken */
    assert_int_equal(rig.misuses, misuses + 4);
    assert_true(host->create_logical_domain(host->context)); /* and all is forgotten */
    assert_true(host->take_logical(host->context, first + 1, first + 1, &first));
    assert_true(host->attach_domain(host->context, host));
    assert_null(find(&rig, first * PAGE, 8));
    host->release_logical(host->context, first, 1);
    host->destroy_domain(host->context);
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
        cmocka_unit_test(pages_are_found_at_logical_ones_and_nowhere_else),
        cmocka_unit_test(there_are_as_many_logical_pages_as_fit_below_the_highest),
        cmocka_unit_test(misuse_of_logical_pages_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
