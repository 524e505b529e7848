/* shows_power.c: power.def obeyed. */
#include "isolated.h"

#include "host/machine.h"

static void set_range(unsigned index, uint64_t base, uint64_t size)
{
    isolated.ranges[index].BaseAddress.QuadPart = (LONGLONG)base;
    isolated.ranges[index].NumberOfBytes.QuadPart = (LONGLONG)size;
}

/* The last of three ranges; the others are beside everything. */
static NTSTATUS start_with(struct shown *shown, uint64_t base, uint64_t size)
{
    isolated = (struct isolated){.range_count = ISOLATED_RANGES};
    set_range(0, 0x1000, 0x1000);
    set_range(1, UINT64_C(1) << 60, 0x1000);
    set_range(2, base, size);
    return isolated_start(shown, ISOLATED_GPU, false);
}

static void range_is_taken(uint64_t base, uint64_t size)
{
    struct shown shown;

    if (start_with(&shown, base, size) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    assert_int_equal(isolated.first_asked, 1);
    assert_int_equal(isolated.second_asked, 1);
    shown_finish(&shown);
}

static void range_is_refused(uint64_t base, uint64_t size)
{
    struct shown shown;

    shown_refused(&shown, start_with(&shown, base, size), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-318");
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

/* The end of the machine's memory. */
static uint64_t find_end(void)
{
    struct shown shown;
    const struct vidmm_host *host;
    uint64_t end;

    shown_init_gpu(&shown, NULL, NULL);
    host = vidmm_slot_host(shown.rig.slot);
    end = VIDMM_MACHINE_SYSTEM_BASE + host->system_memory(host->context);
    shown_finish(&shown);
    return end;
}

void shows_D_318(void **state)
{
    uint64_t base = VIDMM_MACHINE_SYSTEM_BASE, end;
    struct shown shown;

    (void)state;
    end = find_end();
    range_is_taken(base - 0x2000, 0x2000);
    range_is_taken(end, 0x2000);
    range_is_refused(base - 0x2000, 0x3000);
    range_is_refused(base, 0x1000);
    range_is_refused(end - 0x1000, 0x1000);
    range_is_refused(end - 0x1000, 0x5000);
    range_is_refused(base - 0x1000, end - base + 0x2000);
    range_is_refused(base - 0x1000, UINT64_MAX); /* its end is beyond all addresses */
    isolated = (struct isolated){.range_count = 1, .more = 1};
    assert_int_equal(isolated_start(&shown, ISOLATED_GPU, false), STATUS_GRAPHICS_DRIVER_MISMATCH);
    shown_end(&shown);
    isolated = (struct isolated){.range_count = 0};
    assert_int_equal(isolated_start(&shown, ISOLATED_GPU, false), STATUS_SUCCESS);
    assert_int_equal(isolated.first_asked, 1);
    assert_int_equal(isolated.second_asked, 0);
    shown_finish(&shown);
}
