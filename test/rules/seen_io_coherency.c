/* seen_io_coherency.c: io-coherency.def broken, and answered. */
#include "existing.h"

/* Cacheable memory of a program, where no device sees the caches, described with these flags. */
static uint64_t adopt(bool caches_apart, uint32_t flags)
{
    struct rig_options options = rig_defaults();
    struct existing existing;
    struct shown shown;
    uint64_t findings;

    options.caches_apart = caches_apart;
    shown_init(&shown, &options, NULL);
    existing_take(&existing, 2);
    assert_int_equal(existing_create(&shown, &existing, 0, existing.size, flags), STATUS_SUCCESS);
    findings = shown_findings(&shown, "S0-021");
    vidmm_allocation_destroy(shown.rig.allocations[0].handle);
    memset(&shown.rig.allocations[0], 0, sizeof(shown.rig.allocations[0]));
    shown_settle(&shown);
    shown_finish(&shown);
    existing_give_back(&existing);
    return findings;
}

void breaks_S0_021(void **state)
{
    (void)state;
    assert_int_equal(adopt(true, 0x11), 1);
}

void keeps_S0_021(void **state)
{
    (void)state;
    assert_int_equal(adopt(true, 0x15), 0);
    assert_int_equal(adopt(false, 0x11), 0); /* coherent: nothing can go wrong */
}
