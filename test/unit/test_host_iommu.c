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

static void the_same_address_of_two_processes_leads_to_the_page_of_each(void **state)
{
    const uint64_t first[] = {17, 90, 18}, second[] = {40};
    struct rig rig = begin();
    uint32_t one = 0, two = 0;

    (void)state;
    assert_true(rig.host->open_space(rig.host->context, &one));
    assert_true(rig.host->open_space(rig.host->context, &two));
    assert_true(one != 0 && two != 0 && one != two);
    assert_true(leads_nowhere(&rig, one, 0x7000, false));
    assert_true(rig.host->map_space(rig.host->context, one, 0x7000, 3, first, true));
    assert_true(rig.host->map_space(rig.host->context, two, 0x7000, 1, second, false));
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
    const uint64_t frames[] = {17, 90}, others[] = {33};
    struct rig rig = begin();
    uint32_t one = 0, two = 0;

    (void)state;
    assert_true(rig.host->open_space(rig.host->context, &one));
    assert_true(rig.host->open_space(rig.host->context, &two));
    assert_true(rig.host->map_space(rig.host->context, one, 0x7000, 2, frames, true));
    assert_true(rig.host->map_space(rig.host->context, two, 0x7000, 2, frames, true));
    assert_true(rig.host->map_space(rig.host->context, one, 0x8000, 1, others, false));
    assert_true(leads_to(&rig, one, 0x8000, false, 33 * PAGE));
    assert_true(leads_nowhere(&rig, one, 0x8000, true));
    rig.host->unmap_space(rig.host->context, one, 0x7000, 1);
    assert_true(leads_nowhere(&rig, one, 0x7000, false));
    assert_true(leads_to(&rig, one, 0x8000, false, 33 * PAGE));
    rig.host->close_space(rig.host->context, one);
    assert_true(leads_nowhere(&rig, one, 0x8000, false));
    assert_true(leads_to(&rig, two, 0x7000, true, 17 * PAGE));
    assert_false(rig.host->map_space(rig.host->context, one, 0x7000, 1, others, true));
    assert_false(rig.host->map_space(rig.host->context, two, 0x7001, 1, others, true));
    assert_true(leads_to(&rig, two, 0x7000, true, 17 * PAGE));
    vidmm_machine_destroy(rig.machine); /* what is open still goes with the machine */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_address_of_two_processes_leads_to_the_page_of_each),
        cmocka_unit_test(pages_change_and_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
