/* seen_backing_store.c: a driver that wants to see backing stores (ShareBackingStoreWithKmd),
 * broken and kept: create-destroy.def.
 */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/lock2.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmddi_callback.h>

enum { EXISTING_SYS_MEM = 0x10, SHARES = 0x1 };

static struct shown shown;
static uint32_t described_set, described_flags, given;
static unsigned char *seen; /* by the driver */
static HANDLE seen_allocation;
static NTSTATUS answer;
static bool destroyed_with_content;
static DXGKDDI_DESTROYALLOCATION *destroy;
static DXGKRNL_INTERFACE kernel;
static PDXGKDDI_START_DEVICE start;

static void describe(DXGK_ALLOCATIONINFO *info)
{
    info->Flags2.Value = SHARES;
    info->FlagsWddm2.Value = described_flags;
    info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = described_set;
}

static NTSTATUS take_backing_store(HANDLE adapter, DXGKARG_SETALLOCATIONBACKINGSTORE *arguments)
{
    (void)adapter;
    seen = arguments->pBackingStore;
    seen_allocation = arguments->hDriverAllocation;
    given++;
    return answer;
}

/* Its last call about the allocation: the address is still good. */
static NTSTATUS look_and_destroy(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    if (seen != NULL && arguments->NumAllocations == 1 &&
        arguments->pAllocationList[0] == seen_allocation)
        destroyed_with_content = seen[0] == 0x5a && seen[VIDMM_PAGE_SIZE - 1] == 0xa5;
    return destroy(adapter, arguments);
}

static NTSTATUS start_and_keep(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *table,
                               ULONG *sources, ULONG *children)
{
    kernel = *table;
    return start(context, info, table, sources, children);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_creation(driver);
    destroy = driver->DxgkDdiDestroyAllocation;
    driver->DxgkDdiDestroyAllocation = look_and_destroy;
    start = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_keep;
    driver->DxgkDdiSetAllocationBackingStore = take_backing_store;
}

static void bend_without(DRIVER_INITIALIZATION_DATA *driver)
{
    bend(driver);
    driver->DxgkDdiSetAllocationBackingStore = NULL;
}

static void begin(const char *gpu, void (*bends)(DRIVER_INITIALIZATION_DATA *driver))
{
    described_set = 1;
    described_flags = CPU_VISIBLE;
    given = 0;
    answer = STATUS_SUCCESS;
    seen = NULL;
    seen_allocation = NULL;
    destroyed_with_content = false;
    shown_bend.change = describe;
    shown_init_gpu(&shown, gpu, bends);
}

static NTSTATUS create(bool shared, void *memory, struct vidmm_resource **resource,
                       struct vidmm_allocation **allocation)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = VIDMM_PAGE_SIZE,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = VIDMM_NO_SOURCE,
                                                  .address = memory,
                                                  .size = memory != NULL ? VIDMM_PAGE_SIZE : 0};
    const struct vidmm_resource_options options = {.shared = shared};

    *resource = NULL;
    return vidmm_resource_create(shown.rig.device, &options, &description, 1, resource, allocation,
                                 &shown.rig.report);
}

/* Refused by name, and the driver has seen no address. */
static void refused(bool shared, void *memory)
{
    struct vidmm_allocation *allocation;
    struct vidmm_resource *resource;

    shown_refused(&shown, create(shared, memory, &resource, &allocation), STATUS_INVALID_PARAMETER,
                  "D-068");
    assert_null(resource);
    assert_int_equal(given, 0);
    shown_settle(&shown);
    shown_finish(&shown);
}

void breaks_D_068(void **state)
{
    static unsigned char memory[VIDMM_PAGE_SIZE] __attribute__((aligned(VIDMM_PAGE_SIZE)));

    (void)state;
    begin("wddm 3.0\n", bend); /* the feature is not enabled */
    refused(true, NULL);
    begin("wddm 3.1\n", bend_without);
    refused(true, NULL);
    begin("wddm 3.1\n", bend);
    refused(false, NULL);
    begin("wddm 3.1\n", bend);
    described_flags = CPU_VISIBLE | EXISTING_SYS_MEM;
    refused(true, memory);
    for (uint32_t set = 2; set <= 3; set++) { /* memory, and both; what the CPU does not see */
        begin("wddm 3.1\n", bend);
        described_set = set;
        described_flags = 0;
        refused(true, NULL);
    }
}

/* The features that the system allows, by both callbacks. */
static void ask_features(BOOLEAN expected)
{
    DXGKARGCB_ISFEATUREENABLED one = {.DeviceHandle = kernel.DeviceHandle,
                                      .FeatureId = DXGK_FEATURE_SHARE_BACKING_STORE_WITH_KMD,
                                      .Enabled = !expected};
    DXGKARGCB_QUERYFEATURESUPPORT two = {.DeviceHandle = kernel.DeviceHandle,
                                         .FeatureId = DXGK_FEATURE_SHARE_BACKING_STORE_WITH_KMD,
                                         .DriverSupportState = DXGK_FEATURE_SUPPORT_STABLE,
                                         .Enabled = !expected};

    assert_int_equal(kernel.DxgkCbIsFeatureEnabled(&one), STATUS_SUCCESS);
    assert_int_equal(one.Enabled, expected);
    assert_int_equal(kernel.DxgkCbQueryFeatureSupport(&two), STATUS_SUCCESS);
    assert_int_equal(two.Enabled, expected);
    one.FeatureId = DXGK_FEATURE_NATIVE_FENCE;
    assert_int_equal(kernel.DxgkCbIsFeatureEnabled(&one), STATUS_SUCCESS);
    assert_int_equal(one.Enabled, FALSE);
    one.DeviceHandle = NULL;
    assert_int_equal(kernel.DxgkCbIsFeatureEnabled(&one), STATUS_INVALID_PARAMETER);
}

/* The driver learns of it during the creation, sees what the program writes, and sees it until it
 * has destroyed the allocation. */
static void is_shared(void)
{
    struct vidmm_allocation *allocation;
    struct vidmm_resource *resource;
    unsigned char *data;

    begin("wddm 3.1\n", bend);
    ask_features(TRUE);
    if (create(true, NULL, &resource, &allocation) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    assert_int_equal(given, 1);
    assert_non_null(seen);
    assert_int_equal(vidmm_lock2(allocation, 0, (void **)&data, NULL), STATUS_SUCCESS);
    data[0] = 0x5a;
    assert_int_equal(seen[0], 0x5a);
    seen[VIDMM_PAGE_SIZE - 1] = 0xa5;
    assert_int_equal(data[VIDMM_PAGE_SIZE - 1], 0xa5);
    assert_int_equal(vidmm_unlock2(allocation, NULL), STATUS_SUCCESS);
    vidmm_resource_destroy(resource);
    shown_settle(&shown);
    assert_true(destroyed_with_content);
    shown_finish(&shown);
}

void keeps_D_068(void **state)
{
    struct vidmm_allocation *allocation;
    struct vidmm_resource *resource;

    (void)state;
    is_shared();
    begin("wddm 3.0\n", bend);
    ask_features(FALSE);
    shown_finish(&shown);
    begin("wddm 3.1\n", bend); /* a driver that cannot take it has no allocation */
    answer = STATUS_NO_MEMORY;
    assert_int_equal(create(true, NULL, &resource, &allocation), STATUS_INVALID_PARAMETER);
    assert_int_equal(given, 1);
    assert_null(resource);
    shown_settle(&shown);
    shown_finish(&shown);
}
