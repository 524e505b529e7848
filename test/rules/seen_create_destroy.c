/* seen_create_destroy.c: create-destroy.def broken, and answered. */
#include <vidmm/lock2.h>

#include "create_answers.h"
#include "existing.h"
#include "flag_words.h"
#include "placed.h"
#include "primary_flags.h"
#include "together.h"
#include "wddm/level.h"

static NTSTATUS create_one(struct shown *shown)
{
    struct rig_allocation allocation;

    return rig_create(&shown->rig, &allocation, 3 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE);
}

/* ---- what the driver answers ---- */

void breaks_D_046(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_machine_counts before;
    struct shown shown;

    (void)state;
    create_answer = STATUS_SUCCESS;
    shown_init(&shown, &options, create_answers);
    before = vidmm_machine_counts(shown.rig.machine);
    create_answer = STATUS_UNSUCCESSFUL;
    shown_refused(&shown, create_one(&shown), STATUS_INVALID_PARAMETER, "D-046");
    assert_int_equal(shown_findings(&shown, "D-046"), 1);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).pages, before.pages);
    shown_finish(&shown);
}

void keeps_D_046(void **state)
{
    static const NTSTATUS legal[] = {STATUS_SUCCESS, STATUS_INVALID_PARAMETER, STATUS_NO_MEMORY,
                                     STATUS_GRAPHICS_DRIVER_MISMATCH};
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    create_answer = STATUS_SUCCESS;
    shown_init(&shown, &options, create_answers);
    for (size_t index = 0; index < sizeof(legal) / sizeof(legal[0]); index++) {
        create_answer = legal[index];
        assert_int_equal(create_one(&shown) == STATUS_SUCCESS, create_answer == STATUS_SUCCESS);
    }
    create_answer = STATUS_SUCCESS;
    assert_int_equal(shown_findings(&shown, "D-046"), 0);
    shown_finish(&shown);
}

/* ---- handles ---- */

static bool drop_handle;
static DXGKDDI_DESTROYALLOCATION *destroy_allocation;
static HANDLE created_handle, destroyed_handle; /* of the last call */

/* The driver's own record goes, for nobody can name it any more. */
static NTSTATUS create_unnamed(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status = shown_bend.create(adapter, arguments);
    DXGKARG_DESTROYALLOCATION forgotten = {.NumAllocations = 1};

    if (drop_handle && status == STATUS_SUCCESS) {
        forgotten.pAllocationList = &arguments->pAllocationInfo->hAllocation;
        destroy_allocation(adapter, &forgotten);
        arguments->pAllocationInfo->hAllocation = NULL;
    }
    created_handle = arguments->pAllocationInfo->hAllocation;
    return status;
}

static NTSTATUS destroy_named(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    destroyed_handle = arguments->pAllocationList[0];
    return destroy_allocation(adapter, arguments);
}

static void bend_handle(DRIVER_INITIALIZATION_DATA *driver)
{
    destroy_allocation = driver->DxgkDdiDestroyAllocation;
    driver->DxgkDdiDestroyAllocation = destroy_named;
    shown_bend.create = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiCreateAllocation = create_unnamed;
}

void breaks_S1_019(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    drop_handle = true;
    shown_init(&shown, &options, bend_handle);
    shown_refused(&shown, create_one(&shown), STATUS_INVALID_PARAMETER, "S1-019");
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_OPEN_ALLOCATION), 0);
    shown_finish(&shown);
}

/* And it is that handle that every later call brings. */
void keeps_S1_019(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    HANDLE answered;
    size_t at;

    (void)state;
    drop_handle = false;
    shown_init(&shown, &options, bend_handle);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    shown_use_one(&shown, &shown.rig.allocations[0], true);
    answered = created_handle;
    assert_non_null(answered);
    at = shown_next_build(&shown, 0, DXGK_OPERATION_FILL);
    assert_true(at != SIZE_MAX);
    assert_ptr_equal(shown.calls[at].argument.build.Fill.hAllocation, answered);
    vidmm_allocation_destroy(shown.rig.allocations[0].handle);
    shown.rig.allocations[0].handle = NULL;
    shown_settle(&shown);
    assert_ptr_equal(destroyed_handle, answered);
    shown_finish(&shown);
}

static bool drop_opening;
static uint32_t drop_which; /* element of the call */
static DXGKDDI_OPENALLOCATIONINFO *open_allocation;
static DXGKDDI_CLOSEALLOCATION *close_allocation;

static NTSTATUS open_unnamed(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    NTSTATUS status = open_allocation(device, arguments);
    DXGKARG_CLOSEALLOCATION forgotten = {.NumAllocations = 1};

    if (drop_opening && status == STATUS_SUCCESS) {
        DXGK_OPENALLOCATIONINFO *dropped = &arguments->pOpenAllocation[drop_which];

        assert_true(drop_which < arguments->NumAllocations);
        forgotten.pOpenHandleList = &dropped->hDeviceSpecificAllocation;
        close_allocation(device, &forgotten);
        dropped->hDeviceSpecificAllocation = NULL;
    }
    return status;
}

/* The driver does not close allocations that it never opened. */
static NTSTATUS close_unnamed(HANDLE device, const DXGKARG_CLOSEALLOCATION *arguments)
{
    NTSTATUS status = STATUS_SUCCESS;

    for (UINT i = 0; i < arguments->NumAllocations; i++) {
        const DXGKARG_CLOSEALLOCATION one = {.NumAllocations = 1,
                                             .pOpenHandleList = &arguments->pOpenHandleList[i]};

        if (arguments->pOpenHandleList[i] != NULL && status == STATUS_SUCCESS)
            status = close_allocation(device, &one);
    }
    return status;
}

static void bend_opening(DRIVER_INITIALIZATION_DATA *driver)
{
    open_allocation = driver->DxgkDdiOpenAllocation;
    close_allocation = driver->DxgkDdiCloseAllocation;
    driver->DxgkDdiOpenAllocation = open_unnamed;
    driver->DxgkDdiCloseAllocation = close_unnamed;
}

void breaks_D_051(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_machine_counts before;
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    drop_opening = true;
    drop_which = 0;
    shown_init(&shown, &options, bend_opening);
    before = vidmm_machine_counts(shown.rig.machine);
    shown_refused(&shown, create_one(&shown), STATUS_INVALID_PARAMETER, "D-051");
    for (; drop_which < TOGETHER; drop_which++) /* any of several */
        shown_refused(&shown, together_create(&shown, false, &resource), STATUS_INVALID_PARAMETER,
                      "D-051");
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).pages, before.pages);
    drop_opening = false;
    shown_finish(&shown);
}

void keeps_D_051(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    drop_opening = false;
    shown_init(&shown, &options, bend_opening);
    assert_int_equal(create_one(&shown), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* ---- existing memory ---- */

/* Memory that another allocation has adopted is the kernel's until that allocation is gone. */
static void existing_is_adopted_once(void)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *other;
    struct existing existing, part;
    struct shown shown;

    existing_take(&existing, 4);
    part = (struct existing){existing.address + VIDMM_PAGE_SIZE, 2 * VIDMM_PAGE_SIZE};
    shown_init(&shown, &options, NULL);
    assert_int_equal(
        existing_create(&shown, &existing, 0, existing.size, CPU_VISIBLE | CACHED | EXISTING),
        STATUS_SUCCESS);
    other = shown.rig.allocations[0].handle;
    shown_refused(&shown,
                  existing_create(&shown, &part, 0, part.size, CPU_VISIBLE | CACHED | EXISTING),
                  STATUS_INVALID_PARAMETER, "S0-030");
    vidmm_allocation_destroy(other);
    shown_settle(&shown);
    assert_int_equal(existing_create(&shown, &part, 0, part.size, CPU_VISIBLE | CACHED | EXISTING),
                     STATUS_SUCCESS);
    existing_destroy(&shown);
    shown_finish(&shown);
    existing_give_back(&existing);
}

void breaks_S0_030(void **state)
{
    struct existing existing, nowhere = {.address = (char *)4096, .size = 2 * VIDMM_PAGE_SIZE};
    const struct existing wrapping = {(char *)(UINTPTR_MAX & ~(uintptr_t)(VIDMM_PAGE_SIZE - 1)),
                                      2 * VIDMM_PAGE_SIZE};

    (void)state;
    existing_take(&existing, 2);
    existing_refused(&existing, 0, 3 * VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING,
                     "S0-030"); /* shorter than that */
    existing_give_back(&existing);
    existing_refused(&nowhere, 0, 2 * VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING, "S0-030");
    existing_refused(&wrapping, 0, 2 * VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING, "S0-030");
    existing_is_adopted_once();
}

void keeps_S0_030(void **state)
{
    struct existing existing;

    (void)state;
    existing_take(&existing, 2);
    existing_accepted(&existing, 2 * VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING);
    existing_give_back(&existing);
}

void breaks_S0_031(void **state)
{
    struct existing existing, ragged;

    (void)state;
    existing_take(&existing, 3);
    existing_refused(&existing, 16, VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING, "S0-031");
    ragged = (struct existing){existing.address, existing.size - 16};
    existing_refused(&ragged, 0, VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING, "S0-031");
    existing_give_back(&existing);
}

void keeps_S0_031(void **state)
{
    struct existing existing;

    (void)state;
    existing_take(&existing, 3);
    existing_accepted(&existing, 3 * VIDMM_PAGE_SIZE, CPU_VISIBLE | CACHED | EXISTING);
    existing_give_back(&existing);
}

/* ---- private data ---- */

static DXGKDDI_OPENALLOCATIONINFO *open_plain;
static bool writes_always, writes_resource;

static NTSTATUS open_writing(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    uint8_t *data = arguments->pOpenAllocation[0].pPrivateDriverData;
    NTSTATUS status = open_plain(device, arguments);

    if (arguments->Flags.Create || writes_always)
        data[arguments->pOpenAllocation[0].PrivateDriverDataSize - 1] ^= 1;
    if (writes_resource && arguments->pPrivateDriverData != NULL)
        ((uint8_t *)arguments->pPrivateDriverData)[0] ^= 1;
    return status;
}

static void bend_writing(DRIVER_INITIALIZATION_DATA *driver)
{
    open_plain = driver->DxgkDdiOpenAllocation;
    driver->DxgkDdiOpenAllocation = open_writing;
}

/* Create a shared resource, and open it for another device. */
static uint64_t open_twice(bool always, bool resource_too)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *theirs[TOGETHER];
    struct vidmm_resource *ours, *opened;
    struct shown shown;
    uint64_t findings;

    writes_always = always;
    writes_resource = resource_too;
    shown_init(&shown, &options, bend_writing);
    assert_int_equal(together_create(&shown, true, &ours), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_open(together_other(&shown), vidmm_resource_handle(ours),
                                         &opened, theirs, TOGETHER, NULL),
                     STATUS_SUCCESS);
    findings = shown_findings(&shown, "D-052");
    shown_finish(&shown);
    return findings;
}

void breaks_D_052(void **state)
{
    (void)state;
    assert_int_equal(open_twice(true, false), 1); /* the second time only: Create is clear */
    assert_int_equal(open_twice(false, true), 2); /* the resource's, never */
}

void keeps_D_052(void **state)
{
    (void)state;
    assert_int_equal(open_twice(false, false), 0);
}

/* ---- what programs do ---- */

void breaks_D_058(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(together_create(&shown, true, &resource), STATUS_SUCCESS);
    shown_refused(
        &shown, vidmm_resource_add(resource, together_descriptions, 1, together, &shown.rig.report),
        STATUS_INVALID_PARAMETER, "D-058");
    assert_int_equal(vidmm_resource_count(resource), TOGETHER);
    shown_finish(&shown);
}

void keeps_D_058(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(together_create(&shown, false, &resource), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_resource_add(resource, together_descriptions, 1, together, &shown.rig.report),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_count(resource), TOGETHER + 1);
    shown_finish(&shown);
}

/* A device goes, with a resource whose allocations were freed one by one. */
static uint64_t leave_empty(bool release, bool refill)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_resource_options plain = {0};
    struct vidmm_resource *resource;
    struct vidmm_device *device;
    struct shown shown;
    uint64_t findings;

    shown_init(&shown, &options, NULL);
    device = together_other(&shown);
    together_describe(1);
    assert_int_equal(vidmm_resource_create(device, &plain, together_descriptions, TOGETHER,
                                           &resource, together, NULL),
                     STATUS_SUCCESS);
    for (uint32_t i = 0; i < TOGETHER; i++)
        vidmm_allocation_destroy(together[i]);
    shown_settle(&shown);
    if (refill)
        assert_int_equal(vidmm_resource_add(resource, together_descriptions, 1, together, NULL),
                         STATUS_SUCCESS);
    if (release)
        vidmm_resource_destroy(resource);
    vidmm_device_destroy(device);
    findings = shown_findings(&shown, "D-067");
    shown_finish(&shown); /* the driver's own is destroyed all the same */
    return findings;
}

void breaks_D_067(void **state)
{
    (void)state;
    assert_int_equal(leave_empty(false, false), 1);
}

void keeps_D_067(void **state)
{
    (void)state;
    assert_int_equal(leave_empty(true, false), 0);
    assert_int_equal(leave_empty(false, true), 0); /* it is not empty any more */
}

/* ---- primaries ---- */

/* A primary described with these flags and write set; how often the rule was seen broken. */
static bool writes_primary = true;
static UINT primary_in; /* the segment that a command found the last one in */

static uint64_t make_primary(const char *rule, uint32_t flags, uint32_t write_set)
{
    const char *const gpu = "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible\n"
                            "segment 3 memory 256K\n";
    struct rig_options options = rig_defaults();
    const struct vidmm_resource_options plain = {0};
    struct vidmm_resource *resource;
    struct shown shown;
    uint64_t findings;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    together_describe(1);
    together_wishes[0].flags = flags;
    together_wishes[0].write_set = write_set;
    together_wishes[0].read_set = 7;
    together_descriptions[0].primary = true;
    together_descriptions[0].vidpn_source = 0;
    assert_int_equal(vidmm_resource_create(shown.rig.device, &plain, together_descriptions, 1,
                                           &resource, together, &shown.rig.report),
                     STATUS_SUCCESS);
    findings = shown_findings(&shown, rule);
    struct rig_allocation primary = {.handle = together[0], .id = ++shown.rig.next_id, .pages = 1};
    placed_use(&shown, &primary, writes_primary);
    primary_in = placed_at(&shown, &primary).segment;
    shown_finish(&shown);
    return findings;
}

void breaks_D_063(void **state)
{
    struct rig_options options = rig_defaults();
    struct existing existing;
    struct shown shown;

    (void)state;
    assert_int_equal(make_primary("D-063", CPU_VISIBLE | PERMANENT, 2), 1);
    assert_int_equal(make_primary("D-063", CPU_VISIBLE | CACHED, 2), 1);
    assert_int_equal(make_primary("D-063", CPU_VISIBLE | PROTECTED, 2), 1);
    /* Each of the five, of the word alone. */
    for (uint32_t bit = PERMANENT; bit <= EXISTING_KERNEL; bit <<= 1) {
        assert_true(flags_break(VIDMM_RULE_D_063, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3),
                                VIDMM_IS_PRIMARY, CPU_VISIBLE | bit));
        assert_false(flags_break(VIDMM_RULE_D_063, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                 CPU_VISIBLE | bit));
    }
    existing_take(&existing, 1); /* and by the manager, over a program's memory */
    shown_init(&shown, &options, NULL);
    assert_int_equal(primary_create(&shown, true, CPU_VISIBLE | EXISTING, &existing),
                     STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-063"), 1);
    primary_destroy(&shown);
    shown_finish(&shown);
    existing_give_back(&existing);
}

void keeps_D_063(void **state)
{
    (void)state;
    assert_int_equal(make_primary("D-063", CPU_VISIBLE, 2), 0);
    /* Other bits are not its business. */
    for (uint32_t flags = FROM_END; flags <= USE_ALTERNATE_VA; flags <<= 1)
        assert_false(flags_break(VIDMM_RULE_D_063, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3),
                                 VIDMM_IS_PRIMARY, CPU_VISIBLE | flags));
}

void breaks_D_064(void **state)
{
    (void)state;
    assert_int_equal(make_primary("D-064", CPU_VISIBLE, 6), 1); /* segment 3: no CPU sees it */
}

/* From 2.0 on the CPU need not reach a primary. */
static uint64_t make_hidden_primary(void)
{
    struct rig_options options = rig_defaults();
    const struct vidmm_resource_options plain = {0};
    struct vidmm_resource *resource;
    struct shown shown;
    uint64_t findings;

    options.gpu = "wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 256K\n";
    shown_init(&shown, &options, NULL);
    together_describe(1);
    together_wishes[0].flags = 0;
    together_wishes[0].write_set = together_wishes[0].read_set = 2;
    together_descriptions[0].primary = true;
    together_descriptions[0].vidpn_source = 0;
    assert_int_equal(vidmm_resource_create(shown.rig.device, &plain, together_descriptions, 1,
                                           &resource, together, &shown.rig.report),
                     STATUS_SUCCESS);
    findings = shown_findings(&shown, "D-064");
    shown_finish(&shown);
    return findings;
}

void keeps_D_064(void **state)
{
    (void)state;
    assert_int_equal(make_hidden_primary(), 0);
    assert_int_equal(make_primary("D-064", CPU_VISIBLE, 3), 0);
    /* read from three segments, and pinned in the one of the write set */
    assert_int_equal(make_primary("D-064", CPU_VISIBLE, 2), 0);
    assert_int_equal(primary_in, 2);
    writes_primary = false;
    assert_int_equal(make_primary("D-064", CPU_VISIBLE, 2), 0);
    assert_int_equal(primary_in, 2);
    writes_primary = true;
}

static bool creation_breaks(uint32_t value)
{
    return flags_break(VIDMM_RULE_D_059, VIDMM_FLAGS_CREATION, VIDMM_LEVEL(1, 3), 0, value);
}

void breaks_D_059(void **state)
{
    (void)state;
    assert_true(creation_breaks(CREATE_SHARED));
    assert_true(creation_breaks(NT_SECURITY_SHARING));
    assert_true(creation_breaks(CREATE_RESOURCE | NT_SECURITY_SHARING));
    assert_true(creation_breaks(CREATE_SHARED | NT_SECURITY_SHARING));
}

void keeps_D_059(void **state)
{
    (void)state;
    assert_false(creation_breaks(0));
    assert_false(creation_breaks(CREATE_RESOURCE));
    assert_false(creation_breaks(CREATE_RESOURCE | CREATE_SHARED));
    assert_false(creation_breaks(CREATE_RESOURCE | CREATE_SHARED | NT_SECURITY_SHARING));
}

/* ---- a standard allocation over memory of the program ---- */

enum {
    HEAP_PAGES = 4,
    HEAP = CREATE_STANDARD | CREATE_EXISTING_SYS_MEM | CREATE_RESOURCE | CREATE_SHARED |
           CREATE_CROSS_ADAPTER,
};

static D3DKMDT_GDISURFACEDATA heap_surface;
static DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *heap_describe;

static NTSTATUS heap_note(HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    assert_int_equal(arguments->StandardAllocationType, D3DKMDT_STANDARDALLOCATION_GDISURFACE);
    heap_surface = *arguments->pCreateGdiSurfaceData;
    return heap_describe(adapter, arguments);
}

static void heap_bend(DRIVER_INITIALIZATION_DATA *driver)
{
    heap_describe = driver->DxgkDdiGetStandardAllocationDriverData;
    driver->DxgkDdiGetStandardAllocationDriverData = heap_note;
}

static void heap_begin(struct shown *shown, struct existing *existing, bool strict)
{
    struct rig_options options = rig_defaults();

    options.gpu = "wddm 2.6\nmmu gpu\n";
    options.adapter.strict = strict;
    shown_init(shown, &options, heap_bend);
    existing_take(existing, HEAP_PAGES);
}

static void heap_end(struct shown *shown, struct existing *existing)
{
    shown_finish(shown);
    existing_give_back(existing);
}

static NTSTATUS heap_create(struct shown *shown, const struct existing *existing, uint32_t flags,
                            struct vidmm_resource **resource)
{
    const struct vidmm_heap heap = {existing->address, existing->size, flags};

    return vidmm_heap_create(shown->rig.device, &heap, resource, together, &shown->rig.report);
}

static void heap_refused(uint32_t flags, bool strict)
{
    struct vidmm_machine_counts before;
    struct vidmm_resource *resource;
    struct existing existing;
    struct shown shown;

    heap_begin(&shown, &existing, strict);
    before = vidmm_machine_counts(shown.rig.machine);
    shown_refused(&shown, heap_create(&shown, &existing, flags, &resource),
                  STATUS_INVALID_PARAMETER, "D-060");
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).blocks, before.blocks);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CREATE_ALLOCATION), 0);
    heap_end(&shown, &existing);
}

/* Programs do so, and run: it is told, and refused by a strict adapter. */
static void heap_told(uint32_t flags)
{
    struct vidmm_resource *resource;
    struct existing existing;
    struct shown shown;

    heap_begin(&shown, &existing, false);
    for (unsigned times = 1; times <= 2; times++) {
        assert_int_equal(heap_create(&shown, &existing, flags, &resource), STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "D-060"), times);
        assert_int_equal(resource != NULL, (flags & CREATE_RESOURCE) != 0);
        if (resource != NULL)
            vidmm_resource_destroy(resource);
        else
            vidmm_allocation_destroy(together[0]);
        shown_settle(&shown);
    }
    heap_end(&shown, &existing);
    heap_refused(flags, true);
}

static void creation_refused(uint32_t flags, uint32_t count, bool adds)
{
    struct existing existing;
    struct shown shown;

    heap_begin(&shown, &existing, false);
    assert_int_equal(vidmm_creation_check(shown.rig.device, HEAP, 1, false, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_refused(&shown,
                  vidmm_creation_check(shown.rig.device, flags, count, adds, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-060");
    heap_end(&shown, &existing);
}

void breaks_D_060(void **state)
{
    (void)state;
    /* one of the two, and StandardAllocation */
    heap_refused(HEAP & ~(uint32_t)CREATE_EXISTING_SYS_MEM, false);
    heap_refused(HEAP | CREATE_EXISTING_SECTION, false);
    heap_refused(HEAP & ~(uint32_t)CREATE_STANDARD, false);
    heap_refused((HEAP & ~(uint32_t)(CREATE_STANDARD | CREATE_EXISTING_SYS_MEM)) |
                     CREATE_EXISTING_SECTION,
                 false);
    creation_refused(CREATE_EXISTING_SYS_MEM, 1, false);
    creation_refused(CREATE_EXISTING_SECTION, 1, false);
    /* one allocation, of no resource that there is */
    creation_refused(HEAP, 2, false);
    creation_refused(HEAP, 0, false);
    creation_refused(HEAP, 1, true);
    /* CreateShared and CrossAdapter */
    heap_told(HEAP & ~(uint32_t)CREATE_CROSS_ADAPTER);
    heap_told(HEAP & ~(uint32_t)CREATE_SHARED);
    heap_told(CREATE_STANDARD | CREATE_EXISTING_SYS_MEM);
}

/* The driver describes a surface of as many bytes, in its own terms. */
static void heap_is_described(const struct existing *existing)
{
    assert_int_equal(heap_surface.Width, existing->size);
    assert_int_equal(heap_surface.Height, 1);
    assert_int_equal(heap_surface.Format, D3DDDIFMT_UNKNOWN);
    assert_int_equal(heap_surface.Type, D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER);
}

void keeps_D_060(void **state)
{
    struct vidmm_resource *resource;
    struct existing existing;
    struct shown shown;
    void *data;

    (void)state;
    for (unsigned strict = 0; strict < 2; strict++) {
        heap_begin(&shown, &existing, strict != 0);
        assert_int_equal(heap_create(&shown, &existing, HEAP, &resource), STATUS_SUCCESS);
        assert_int_not_equal(vidmm_resource_handle(resource), 0); /* shared */
        assert_int_equal(vidmm_resource_count(resource), 1);
        assert_int_equal(vidmm_allocation_size(together[0]), existing.size);
        heap_is_described(&existing);
        assert_int_equal(vidmm_lock2(together[0], 0, &data, NULL), STATUS_SUCCESS);
        assert_ptr_equal(data, existing.address);
        assert_int_equal(vidmm_unlock2(together[0], NULL), STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "D-060"), 0);
        vidmm_resource_destroy(resource);
        shown_settle(&shown);
        assert_int_equal(existing.address[0], 0x5a);
        heap_end(&shown, &existing);
    }
    /* below WDDM 2.0 the rule says nothing */
    assert_false(flags_break(VIDMM_RULE_D_060, VIDMM_FLAGS_CREATION, VIDMM_LEVEL(1, 3), 0,
                             CREATE_EXISTING_SYS_MEM));
}
