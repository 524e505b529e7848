/* test_host_iommu.c: addresses of processes, as devices find them by PASID. */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>

#include "host/machine.h"

enum { PAGE = VIDMM_PAGE_SIZE };

struct rig {
    struct vidmm_machine *machine;
    const struct vidmm_host *host;
    const struct vidmm_bus *bus;
};

static struct rig begin(void)
{
    const struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_SIMULATED,
                                                  .system_memory = 1 << 20};
    struct vidmm_machine *machine = vidmm_machine_create(&options, NULL, 0);
    struct vidmm_slot *slot = vidmm_machine_add_slot(machine);

    return (struct rig){machine, vidmm_slot_host(slot), vidmm_slot_bus(slot)};
}

static bool leads_to(const struct rig *rig, uint32_t pasid, uint64_t address, bool write,
                     uint64_t expected)
{
    uint64_t physical = 0;

    return rig->bus->translate(rig->bus->context, pasid, address, write, &physical) &&
           physical == expected;
}

static bool leads_nowhere(const struct rig *rig, uint32_t pasid, uint64_t address, bool write)
{
    uint64_t physical = 5;

    return !rig->bus->translate(rig->bus->context, pasid, address, write, &physical) &&
           physical == 5;
}

static uint32_t open_space(const struct rig *rig)
{
    uint32_t pasid = 0;

    assert_true(rig->host->open_space(rig->host->context, &pasid));
    assert_int_not_equal(pasid, 0);
    return pasid;
}

static bool reserve(const struct rig *rig, uint32_t pasid, uint64_t address, uint64_t count)
{
    return rig->host->reserve_space(rig->host->context, pasid, address, count);
}

static void release(const struct rig *rig, uint32_t pasid, uint64_t address)
{
    rig->host->release_space(rig->host->context, pasid, address);
}

static void map(const struct rig *rig, uint32_t pasid, uint64_t address, const uint64_t *frames,
                bool write)
{
    rig->host->map_space(rig->host->context, pasid, address, frames, write);
}

static void the_same_address_of_two_processes_leads_to_the_page_of_each(void **state)
{
    const uint64_t first[] = {17, 90, 18}, second[] = {40};
    struct rig rig = begin();
    uint32_t one = open_space(&rig), two = open_space(&rig);

    (void)state;
    assert_int_not_equal(one, two);
    assert_true(leads_nowhere(&rig, one, 0x7000, false));
    assert_true(reserve(&rig, one, 0x7000, 3));
    assert_true(reserve(&rig, two, 0x7000, 1));
    assert_true(leads_nowhere(&rig, one, 0x7000, false));
    map(&rig, one, 0x7000, first, true);
    map(&rig, two, 0x7000, second, false);
    assert_true(leads_to(&rig, one, 0x7028, true, 17 * PAGE + 0x28));
    assert_true(leads_to(&rig, one, 0x8fff, true, 90 * PAGE + 0xfff));
    assert_true(leads_to(&rig, one, 0x9000, false, 18 * PAGE));
    assert_true(leads_nowhere(&rig, one, 0xa000, false));
    assert_true(leads_nowhere(&rig, one, 0x6fff, false));
    assert_true(leads_to(&rig, two, 0x7028, false, 40 * PAGE + 0x28));
    assert_true(leads_nowhere(&rig, two, 0x7028, true));
    assert_true(leads_nowhere(&rig, two, 0x8000, false));
    assert_true(leads_nowhere(&rig, one + 1, 0x7000, false));
    vidmm_machine_destroy(rig.machine);
}

static void pages_change_and_go(void **state)
{
    const uint64_t frames[] = {17, 90}, others[] = {33, 34};
    struct rig rig = begin();
    uint32_t one = open_space(&rig), two = open_space(&rig);

    (void)state;
    assert_true(reserve(&rig, one, 0x7000, 2) && reserve(&rig, two, 0x7000, 2));
    map(&rig, one, 0x7000, frames, true);
    map(&rig, two, 0x7000, frames, true);
    map(&rig, one, 0x7000, others, false);
    assert_true(leads_to(&rig, one, 0x8000, false, 34 * PAGE));
    assert_true(leads_nowhere(&rig, one, 0x8000, true));
    assert_true(leads_to(&rig, two, 0x8000, true, 90 * PAGE));
    rig.host->unmap_space(rig.host->context, two, 0x7000);
    assert_true(leads_nowhere(&rig, two, 0x8000, false));
    map(&rig, two, 0x7000, frames, true);
    rig.host->close_space(rig.host->context, one);
    assert_true(leads_nowhere(&rig, one, 0x8000, false));
    assert_true(leads_to(&rig, two, 0x7000, true, 17 * PAGE));
    assert_false(reserve(&rig, one, 0x7000, 1));
    assert_false(reserve(&rig, two, 0xa001, 1));
    assert_false(reserve(&rig, two, 0xa000, 0));
    assert_true(leads_to(&rig, two, 0x7000, true, 17 * PAGE));
    vidmm_machine_destroy(rig.machine); /* what is open still goes with the machine */
}

static void what_is_reserved_twice_stays_until_the_second_release(void **state)
{
    const uint64_t frames[] = {17, 90};
    struct rig rig = begin();
    uint32_t pasid = open_space(&rig);

    (void)state;
    assert_true(reserve(&rig, pasid, 0x7000, 2));
    map(&rig, pasid, 0x7000, frames, true);
    assert_true(reserve(&rig, pasid, 0x7000, 2));
    assert_true(leads_to(&rig, pasid, 0x8000, true, 90 * PAGE));
    release(&rig, pasid, 0x7000);
    assert_true(leads_to(&rig, pasid, 0x8000, true, 90 * PAGE));
    release(&rig, pasid, 0x7000);
    assert_true(leads_nowhere(&rig, pasid, 0x8000, false));
    assert_true(reserve(&rig, pasid, 0x7000, 1)); /* another size */
    assert_true(leads_nowhere(&rig, pasid, 0x7000, false));
    vidmm_machine_destroy(rig.machine);
}

static void ranges_do_not_meet(void **state)
{
    struct rig rig = begin();
    uint32_t pasid = open_space(&rig);

    (void)state;
    assert_true(reserve(&rig, pasid, 0x10000, 4));
    assert_false(reserve(&rig, pasid, 0x10000, 3));
    assert_false(reserve(&rig, pasid, 0x13000, 1));
    assert_false(reserve(&rig, pasid, 0xf000, 2));
    assert_false(reserve(&rig, pasid, 0xe000, 8));
    assert_true(reserve(&rig, pasid, 0xf000, 1));
    assert_true(reserve(&rig, pasid, 0x14000, 1));
    vidmm_machine_destroy(rig.machine);
}

/* In an order of its own, so that each is found among its neighbours. */
static void many_ranges_are_found(void **state)
{
    enum { COUNT = 97 };
    struct rig rig = begin();
    uint32_t pasid = open_space(&rig);

    (void)state;
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t number = i * 31 % COUNT, frame = 100 + number;

        assert_true(reserve(&rig, pasid, (number + 1) * 2 * PAGE, 1));
        map(&rig, pasid, (number + 1) * 2 * PAGE, &frame, true);
    }
    for (uint64_t i = 0; i < COUNT; i += 3)
        release(&rig, pasid, (i + 1) * 2 * PAGE);
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t address = (i + 1) * 2 * PAGE;

        if (i % 3 == 0)
            assert_true(leads_nowhere(&rig, pasid, address, false));
        else
            assert_true(leads_to(&rig, pasid, address + 5, true, (100 + i) * PAGE + 5));
        assert_true(leads_nowhere(&rig, pasid, address + PAGE, false));
    }
    vidmm_machine_destroy(rig.machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_address_of_two_processes_leads_to_the_page_of_each),
        cmocka_unit_test(pages_change_and_go),
        cmocka_unit_test(what_is_reserved_twice_stays_until_the_second_release),
        cmocka_unit_test(ranges_do_not_meet),
        cmocka_unit_test(many_ranges_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
