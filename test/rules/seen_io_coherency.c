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

/* ---- the host's word ------------------------------------------------------------------------- */

/* Start on a host that says this, and count the calls of the driver. */
static NTSTATUS start_on(struct shown *shown, bool x64, bool caches_apart)
{
    static struct vidmm_host host;
    struct rig_options options = rig_defaults();

    options.caches_apart = caches_apart;
    shown_build(shown, &options, NULL);
    host = *vidmm_slot_host(shown->rig.slot);
    host.x64 = x64;
    shown->rig.host = &host;
    return rig_start(&shown->rig);
}

void breaks_S2_026(void **state)
{
    struct vidmm_machine_options machine = {
        .kind = VIDMM_MACHINE_SIMULATED, .caches_apart = true, .x64 = true};
    struct shown shown;
    char error[300] = "";

    (void)state;
    shown_refused(&shown, start_on(&shown, true, true), STATUS_INVALID_PARAMETER, "S2-026");
    assert_non_null(strstr(shown.rig.report.text, "x64"));
    assert_int_equal(shown.call_count, 0); /* the driver has heard of nothing */
    shown_end(&shown);
    assert_null(vidmm_machine_create(&machine, error, sizeof(error))); /* none like that, either */
    assert_non_null(strstr(error, "caches_apart is on, and x64 is on; expected caches_apart off"));
}

void keeps_S2_026(void **state)
{
    struct shown shown;

    (void)state;
    assert_int_equal(start_on(&shown, true, false), STATUS_SUCCESS);
    shown_finish(&shown);
    assert_int_equal(start_on(&shown, false, true), STATUS_SUCCESS); /* another processor */
    shown_finish(&shown);
}
