/* test_host_agp.c: the AGP aperture: pages appear in it, and go. */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>

#include "host/machine.h"

enum { PAGE = VIDMM_PAGE_SIZE };

static struct vidmm_machine *machine_with(uint64_t agp_aperture, char error[200])
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_SIMULATED, .system_memory = 1 << 20, .agp_aperture = agp_aperture};

    error[0] = 0;
    return vidmm_machine_create(&options, error, 200);
}

static void a_machine_has_none_unless_it_is_given_one(void **state)
{
    char error[200];
    uint64_t base, size;
    struct vidmm_machine *machine = machine_with(0, error);
    struct vidmm_slot *slot = vidmm_machine_add_slot(machine);
    const struct vidmm_host *host = vidmm_slot_host(slot);

    (void)state;
    assert_false(host->find_agp_aperture(host->context, &base, &size));
    vidmm_machine_destroy(machine);
    assert_null(machine_with(100, error));
    assert_non_null(strstr(error, "AGP"));
    assert_null(machine_with(VIDMM_MACHINE_AGP_LIMIT + PAGE, error));
}

static void a_device_sees_the_page_that_is_mapped_and_nothing_else(void **state)
{
    char error[200];
    uint64_t base = 0, size = 0, frames[2];
    struct vidmm_machine *machine = machine_with(16 * PAGE, error);
    struct vidmm_slot *slot = vidmm_machine_add_slot(machine);
    const struct vidmm_host *host = vidmm_slot_host(slot);
    const struct vidmm_bus *bus = vidmm_slot_bus(slot);

    (void)state;
    assert_true(host->find_agp_aperture(host->context, &base, &size));
    assert_int_equal(size, 16 * PAGE);
    assert_true(host->take_pages(host->context, 2, UINT64_MAX, false, VIDMM_CACHED, frames));
    assert_null(bus->memory(bus->context, base + 3 * PAGE, 8));
    host->map_agp(host->context, 3, 2, frames);
    for (uint64_t page = 0; page < 2; page++)
        assert_ptr_equal(bus->memory(bus->context, base + (3 + page) * PAGE + 40, 8),
                         bus->memory(bus->context, frames[page] * PAGE + 40, 8));
    assert_null(bus->memory(bus->context, base + 3 * PAGE + 40, PAGE)); /* two pages lie apart */
    assert_null(bus->memory(bus->context, base + 5 * PAGE, 8));
    host->unmap_agp(host->context, 3, 1);
    assert_null(bus->memory(bus->context, base + 3 * PAGE, 8));
    assert_non_null(bus->memory(bus->context, base + 4 * PAGE, 8));
    host->release_pages(host->context, 2, frames);
    vidmm_machine_destroy(machine);
}

static unsigned char *system_page(const struct vidmm_bus *bus, uint64_t frame)
{
    return bus->memory(bus->context, frame * PAGE, PAGE);
}

/* Posted writes reach memory in order: when they are pushed, or when the GART changes. */
static void a_bridge_that_posts_holds_writes_back(void **state)
{
    const struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_SIMULATED,
                                                  .system_memory = 1 << 20,
                                                  .agp_aperture = 16 * PAGE,
                                                  .agp_posts = true};
    char error[200];
    uint64_t base = 0, size = 0, frames[2];
    struct vidmm_machine *machine = vidmm_machine_create(&options, error, sizeof(error));
    struct vidmm_slot *slot = vidmm_machine_add_slot(machine);
    const struct vidmm_host *host = vidmm_slot_host(slot);
    const struct vidmm_bus *bus = vidmm_slot_bus(slot);

    (void)state;
    assert_true(host->find_agp_aperture(host->context, &base, &size));
    assert_true(host->take_pages(host->context, 2, UINT64_MAX, false, VIDMM_CACHED, frames));
    host->clear_pages(host->context, 2, frames);
    host->map_agp(host->context, 3, 2, frames);
    assert_false(bus->post(bus->context, frames[0] * PAGE, "x", 1)); /* not behind it */
    assert_false(bus->post(bus->context, base + 9 * PAGE, "x", 1));  /* nothing is mapped there */
    assert_true(bus->post(bus->context, base + 3 * PAGE, NULL, 0));
    assert_true(bus->post(bus->context, base + 3 * PAGE + 5, "ab", 2));
    assert_true(bus->post(bus->context, base + 3 * PAGE + 6, "c", 1));
    assert_int_equal(system_page(bus, frames[0])[5], 0);
    bus->push(bus->context);
    assert_memory_equal(system_page(bus, frames[0]) + 5, "ac", 2);
    assert_true(bus->post(bus->context, base + 4 * PAGE, "d", 1));
    host->unmap_agp(host->context, 3, 1);
    assert_int_equal(system_page(bus, frames[1])[0], 'd');
    assert_true(
        bus->post(bus->context, base + 4 * PAGE, "e", 1)); /* and is lost with the machine */
    host->release_pages(host->context, 2, frames);
    vidmm_machine_destroy(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_has_none_unless_it_is_given_one),
        cmocka_unit_test(a_device_sees_the_page_that_is_mapped_and_nothing_else),
        cmocka_unit_test(a_bridge_that_posts_holds_writes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
