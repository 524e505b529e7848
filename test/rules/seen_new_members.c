/* seen_new_members.c: members of allocations that are new with WDDM 2.x, broken and answered:
 * allocation-info.def, linked-adapter.def. */
#include "flag_words.h"
#include "seen_flags.h"

#include <vidmm/resource.h>

static uint32_t described_index, described_set;
static unsigned destroyed;
static DXGKDDI_DESTROYALLOCATION *destroy;

static void with_index(DXGK_ALLOCATIONINFO *info)
{
    info->PhysicalAdapterIndex = described_index;
}

static NTSTATUS count_destroyed(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    destroyed += arguments->NumAllocations;
    return destroy(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_creation(driver);
    destroy = driver->DxgkDdiDestroyAllocation;
    driver->DxgkDdiDestroyAllocation = count_destroyed;
    destroyed = 0;
}

static void begin(struct shown *shown, const char *gpu, void (*change)(DXGK_ALLOCATIONINFO *))
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    shown_bend.change = change;
    shown_init(shown, &options, bend);
}

/* Refused by this rule after the driver has succeeded: what it made goes again. */
static void creation_fails(struct shown *shown, NTSTATUS status, const char *rule)
{
    shown_refused(shown, status, STATUS_INVALID_PARAMETER, rule);
    assert_int_equal(destroyed, 1);
    shown_finish(shown);
}

/* ---- PhysicalAdapterIndex ---- */

void breaks_S1_018(void **state)
{
    static const uint32_t indices[] = {1, 2, UINT32_MAX};
    struct shown shown;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        described_index = indices[i];
        begin(&shown, "wddm 2.0\n", with_index);
        creation_fails(&shown, flags_create(&shown), "S1-018");
    }
}

/* The first is there; and below 2.0 the place says how long a list of instances may be. */
void keeps_S1_018(void **state)
{
    (void)state;
    described_index = 0;
    described_kept("S1-018", "wddm 2.0\n", with_index);
    described_index = 7;
    described_kept("S1-018", "wddm 1.3\n", with_index);
}

/* ---- Flags2 ---- */

static uint32_t described_flags2;

static void with_flags2(DXGK_ALLOCATIONINFO *info)
{
    info->Flags2.Value = described_flags2;
}

/* Told once an allocation, or refused by a strict adapter; and none of it is read. */
void breaks_S1_024(void **state)
{
    static const uint32_t words[] = {0x1, 0x2, 0x10, 0x80000000};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        described_flags2 = words[i];
        described_broken("S1-024", "wddm 2.0\n", with_flags2);
        described_broken("S1-024", "wddm 2.9\n", with_flags2);
    }
}

/* No flag, or a level that has them; below 2.0 nobody looks at the place. */
void keeps_S1_024(void **state)
{
    (void)state;
    described_flags2 = 0;
    described_kept("S1-024", "wddm 2.9\n", with_flags2);
    described_kept("S1-024", "wddm 3.0\n", with_flags2);
    described_flags2 = 0x8;
    described_kept("S1-024", "wddm 3.2\n", with_flags2);
    described_kept("S1-024", "wddm 1.3\n", with_flags2);
}

/* ---- segments of what the CPU sees ---- */

static void with_set(DXGK_ALLOCATIONINFO *info)
{
    info->FlagsWddm2.Value = CPU_VISIBLE;
    info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = described_set;
}

static void hidden_with_set(DXGK_ALLOCATIONINFO *info)
{
    info->FlagsWddm2.Value = 0;
    info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = described_set;
}

/* Segment 2 is hidden from the CPU, segment 3 is not. */
#define SOME_HIDDEN                                                                                \
    "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 memory 256K cpuvisible\n"

static void set_broken(const char *rule, const char *gpu, uint32_t set)
{
    struct shown shown;

    described_set = set;
    begin(&shown, gpu, with_set);
    creation_fails(&shown, flags_create(&shown), rule);
}

static void set_kept(const char *rule, const char *gpu, uint32_t set)
{
    described_set = set;
    described_kept(rule, gpu, with_set);
}

void breaks_S2_018(void **state)
{
    (void)state;
    set_broken("S2-018", "wddm 2.0\n" SOME_HIDDEN, 2);
    set_broken("S2-018", "wddm 2.0\n" SOME_HIDDEN, 2 | 4); /* one of them is enough */
}

void keeps_S2_018(void **state)
{
    (void)state;
    set_kept("S2-018", "wddm 2.0\n" SOME_HIDDEN, 1 | 2);
    set_kept("S2-018", "wddm 2.0\n" SOME_HIDDEN, 1 | 2 | 4);
    set_kept("S2-018", "wddm 2.0\n" SOME_HIDDEN, 4); /* the CPU sees all of it */
    set_kept("S2-018", "wddm 2.0\n" SOME_HIDDEN, 1);
    described_set = 2;
    described_kept("S2-018", "wddm 2.0\n" SOME_HIDDEN, hidden_with_set);
    set_kept("S2-018", "wddm 1.3\n" SOME_HIDDEN, 2);
}

/* ... and with the versions from 0xF002 on, whatever the CPU sees. */
void breaks_W_024(void **state)
{
    (void)state;
    set_broken("W-024", "wddm 3.0\n" SOME_HIDDEN, 4);
    set_broken("W-024", "wddm 3.2\n" SOME_HIDDEN, 2);
}

void keeps_W_024(void **state)
{
    (void)state;
    set_kept("W-024", "wddm 2.9\n" SOME_HIDDEN, 4); /* 0xE003 */
    set_kept("W-024", "wddm 3.0\n" SOME_HIDDEN, 1 | 4);
    set_kept("W-024", "wddm 3.0\n" SOME_HIDDEN, 1);
    described_set = 4;
    described_kept("W-024", "wddm 3.0\n" SOME_HIDDEN, hidden_with_set);
}

/* ---- what is shared ---- */

static NTSTATUS create_in_resource(struct shown *shown, bool shared,
                                   struct vidmm_resource **resource)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = VIDMM_PAGE_SIZE,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    const struct vidmm_resource_options options = {.shared = shared};
    struct vidmm_allocation *allocation;

    *resource = NULL;
    return vidmm_resource_create(shown->rig.device, &options, &description, 1, resource,
                                 &allocation, &shown->rig.report);
}

static void shared_kept(const char *gpu, bool shared, uint32_t set,
                        void (*change)(DXGK_ALLOCATIONINFO *info))
{
    struct vidmm_resource *resource;
    struct shown shown;

    described_set = set;
    begin(&shown, gpu, change);
    if (create_in_resource(&shown, shared, &resource) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    vidmm_resource_destroy(resource);
    shown_settle(&shown);
    assert_int_equal(shown_findings(&shown, "W-023"), 0);
    shown_finish(&shown);
}

void breaks_W_023(void **state)
{
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    for (described_set = 2; described_set <= 3; described_set++) { /* memory, and both */
        begin(&shown, "wddm 2.0\n", with_set);
        creation_fails(&shown, create_in_resource(&shown, true, &resource), "W-023");
        assert_null(resource);
    }
}

void keeps_W_023(void **state)
{
    (void)state;
    shared_kept("wddm 2.0\n", true, 1, with_set);
    shared_kept("wddm 2.0\n", false, 2, with_set);       /* not shared */
    shared_kept("wddm 2.0\n", true, 2, hidden_with_set); /* the CPU does not see it */
    shared_kept("wddm 1.3\n", true, 2, with_set);
}
