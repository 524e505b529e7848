/* test_adapter_resources.c: allocations created together, and shared between devices. */
#include "test_adapter_rig.h"

#include <vidmm/resource.h>

enum { MOST = 40 };

static struct rig rig;

static struct softgpu_allocation wishes[MOST];
static struct vidmm_description descriptions[MOST];
static struct vidmm_allocation *given[MOST];

/* The questions to the driver. */
static struct {
    unsigned creates, opens, closes, destroys;
    UINT created, opened, closed, destroyed; /* allocations */
    UINT last_opened, last_closed, last_destroyed;
    bool last_is_create, whole;
    HANDLE resource;
    D3DKMT_HANDLE handles[MOST]; /* of the last opening */
} asked;
static DXGKRNL_INTERFACE kernel;
static DRIVER_INITIALIZATION_DATA driver;
static void (*meanwhile)(void); /* in the driver's calls that make something; NULL: nothing */
static bool refuses_to_open;

static NTSTATUS create(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status;

    if (arguments->hResource != NULL)
        assert_ptr_equal(arguments->hResource, asked.resource);
    if (meanwhile != NULL)
        meanwhile();
    status = driver.DxgkDdiCreateAllocation(adapter, arguments);
    asked.creates++;
    asked.created += status == STATUS_SUCCESS ? arguments->NumAllocations : 0;
    asked.resource = arguments->hResource;
    return status;
}

static NTSTATUS open(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    asked.opens++;
    asked.opened += arguments->NumAllocations;
    asked.last_opened = arguments->NumAllocations;
    asked.last_is_create = arguments->Flags.Create;
    for (UINT i = 0; i < arguments->NumAllocations; i++)
        asked.handles[i] = arguments->pOpenAllocation[i].hAllocation;
    if (meanwhile != NULL)
        meanwhile();
    if (refuses_to_open) {
        asked.opened -= arguments->NumAllocations;
        return STATUS_NO_MEMORY;
    }
    return driver.DxgkDdiOpenAllocation(device, arguments);
}

static NTSTATUS close(HANDLE device, const DXGKARG_CLOSEALLOCATION *arguments)
{
    asked.closes++;
    asked.closed += arguments->NumAllocations;
    asked.last_closed = arguments->NumAllocations;
    return driver.DxgkDdiCloseAllocation(device, arguments);
}

static NTSTATUS destroy(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *arguments)
{
    asked.destroys++;
    asked.destroyed += arguments->NumAllocations;
    asked.last_destroyed = arguments->NumAllocations;
    asked.whole = arguments->Flags.DestroyResource;
    return driver.DxgkDdiDestroyAllocation(adapter, arguments);
}

static NTSTATUS start(void *context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                      ULONG *sources, ULONG *children)
{
    kernel = *interface;
    return driver.DxgkDdiStartDevice(context, info, interface, sources, children);
}

static void begin(struct rig_options options)
{
    NTSTATUS status;

    memset(&asked, 0, sizeof(asked));
    rig_build(&rig, &options);
    driver = rig.driver;
    rig.driver.DxgkDdiStartDevice = start;
    rig.driver.DxgkDdiCreateAllocation = create;
    rig.driver.DxgkDdiOpenAllocation = open;
    rig.driver.DxgkDdiCloseAllocation = close;
    rig.driver.DxgkDdiDestroyAllocation = destroy;
    status = rig_start(&rig);
    assert_int_equal(status, STATUS_SUCCESS);
    for (uint32_t i = 0; i < MOST; i++) {
        wishes[i] =
            (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                        .flags = (DXGK_ALLOCATIONINFOFLAGS){.CpuVisible = 1}.Value,
                                        .size = (1 + i % 3) * VIDMM_PAGE_SIZE,
                                        .read_set = 3,
                                        .write_set = 3,
                                        .priority = SOFTGPU_PRIORITY_NORMAL};
        descriptions[i] = (struct vidmm_description){.private_data = &wishes[i],
                                                     .private_data_size = sizeof(wishes[i]),
                                                     .vidpn_source = VIDMM_NO_SOURCE};
    }
}

static void settle(void)
{
    vidmm_machine_settle(rig.machine);
}

static NTSTATUS make(bool shared, uint32_t count, struct vidmm_resource **resource)
{
    const struct vidmm_resource_options options = {.shared = shared};

    return vidmm_resource_create(rig.device, &options, descriptions, count, resource, given,
                                 &rig.report);
}

/* Render from allocations of a context's device, checking what is in them. */
static void use(struct vidmm_context *context, struct rig_allocation *one, bool write)
{
    struct rig_allocation *list[] = {one};
    struct vidmm_context *own = rig.context;

    rig.context = context;
    assert_int_equal(rig_render(&rig, list, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, rig.value), STATUS_SUCCESS);
    rig.context = own;
}

static struct rig_allocation known(struct vidmm_allocation *allocation, uint32_t id)
{
    return (struct rig_allocation){
        .handle = allocation,
        .id = id,
        .pages = vidmm_allocation_size(allocation) / VIDMM_PAGE_SIZE,
    };
}

static void end(void)
{
    rig_read(&rig);
    rig_finish(&rig);
    assert_int_equal(asked.created, asked.destroyed);
    assert_int_equal(asked.opened, asked.closed);
}

/* ---- one device ------------------------------------------------------------------------------ */

static void a_resource_is_created_opened_closed_and_destroyed_as_a_whole(void **state)
{
    struct vidmm_resource *resource;
    struct rig_allocation one;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, MOST, &resource), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_count(resource), MOST);
    assert_int_equal(vidmm_resource_handle(resource), 0);
    assert_int_equal(asked.creates, 1);
    assert_int_equal(asked.opens, 1);
    assert_int_equal(asked.last_opened, MOST);
    assert_true(asked.last_is_create);
    one = known(given[7], 7);
    use(rig.context, &one, true);
    use(rig.context, &one, false);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(asked.closes, 1);
    assert_int_equal(asked.last_closed, MOST);
    assert_int_equal(asked.destroys, 1);
    assert_int_equal(asked.last_destroyed, MOST);
    assert_true(asked.whole);
    end();
}

static void one_freed_alone_leaves_the_rest(void **state)
{
    struct vidmm_resource *resource;
    struct rig_allocation one;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 3, &resource), STATUS_SUCCESS);
    vidmm_allocation_destroy(given[1]);
    settle();
    assert_int_equal(asked.destroyed, 1);
    assert_false(asked.whole);
    assert_int_equal(vidmm_resource_count(resource), 2);
    one = known(given[2], 2);
    use(rig.context, &one, true);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(asked.last_destroyed, 2);
    assert_true(asked.whole);
    end();
}

/* From the end, from the front, from between, all of them: the engine is asked for those that are
 * left. */
static void members_leave_in_any_order(void **state)
{
    struct vidmm_allocation *more[2];
    struct vidmm_resource *resource;
    struct rig_allocation one;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 6, &resource), STATUS_SUCCESS);
    vidmm_allocation_destroy(given[5]);
    vidmm_allocation_destroy(given[4]);
    vidmm_allocation_destroy(given[0]);
    vidmm_allocation_destroy(given[2]);
    settle();
    assert_int_equal(vidmm_resource_count(resource), 2);
    assert_int_equal(vidmm_resource_add(resource, descriptions, 2, more, &rig.report),
                     STATUS_SUCCESS); /* behind the last that is left */
    vidmm_allocation_destroy(given[3]);
    vidmm_allocation_destroy(given[1]);
    settle();
    assert_int_equal(vidmm_resource_count(resource), 2);
    one = known(more[1], 1);
    use(rig.context, &one, true);
    vidmm_allocation_destroy(more[1]);
    vidmm_allocation_destroy(more[0]);
    settle();
    assert_int_equal(vidmm_resource_count(resource), 0);
    assert_int_equal(asked.destroyed, 8);
    assert_int_equal(vidmm_resource_add(resource, descriptions, 2, more, &rig.report),
                     STATUS_SUCCESS);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(asked.last_closed, 2);
    assert_int_equal(asked.last_destroyed, 2);
    assert_true(asked.whole);
    end();
}

static void what_is_added_goes_with_the_rest(void **state)
{
    struct vidmm_resource *resource;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 0, &resource), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(vidmm_resource_add(resource, descriptions, 2, given + 2 * i, &rig.report),
                         STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_count(resource), 8);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(asked.last_closed, 8);
    assert_int_equal(asked.last_destroyed, 8);
    assert_int_equal(asked.destroys, 1);
    end();
}

static void a_resource_in_use_goes_when_the_gpu_is_done(void **state)
{
    struct rig_allocation one, *list[] = {&one};
    struct vidmm_resource *resource;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 2, &resource), STATUS_SUCCESS);
    one = known(given[0], 1);
    for (uint32_t round = 0; round < 3; round++)
        assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(asked.destroyed, 2);
    end();
}

static void a_device_takes_its_resources_along(void **state)
{
    struct vidmm_resource *resource;
    struct vidmm_device *device;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &device, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_create(device, &(struct vidmm_resource_options){.shared = true},
                                           descriptions, 3, &resource, given, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_create(device, &(struct vidmm_resource_options){0},
                                           descriptions, 3, &resource, given, &rig.report),
                     STATUS_SUCCESS);
    vidmm_device_destroy(device);
    settle();
    assert_int_equal(asked.destroyed, 6);
    assert_int_equal(asked.closed, 6);
    end();
}

static void a_list_is_of_one_resource_or_of_none(void **state)
{
    struct vidmm_allocation *list[3];
    struct vidmm_resource *first, *second;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 2, &first), STATUS_SUCCESS);
    list[0] = given[0];
    assert_int_equal(make(false, 2, &second), STATUS_SUCCESS);
    list[1] = given[0];
    assert_int_equal(vidmm_allocations_destroy(list, 2, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-066"));
    assert_int_equal(asked.destroyed, 0);
    assert_int_equal(vidmm_allocations_destroy(given, 2, &rig.report), STATUS_SUCCESS);
    settle();
    assert_int_equal(asked.destroyed, 2);
    vidmm_resource_destroy(second);
    vidmm_resource_destroy(first);
    settle();
    assert_int_equal(asked.destroyed, 4);
    end();
}

static void what_is_refused_leaves_nothing(void **state)
{
    struct vidmm_machine_counts before;
    struct vidmm_resource *resource = NULL;

    (void)state;
    begin(rig_defaults());
    before = vidmm_machine_counts(rig.machine);
    wishes[2].size = 1 << 20; /* more than the segment has; the two before it would have fitted */
    wishes[2].read_set = wishes[2].write_set = 2;
    assert_int_equal(make(false, 4, &resource), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    settle();
    assert_int_equal(make(true, 4, &resource), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    settle();
    wishes[2].size = 0;
    rig.driver_refusals++;
    assert_int_equal(make(false, 4, &resource), STATUS_INVALID_PARAMETER);
    settle();
    assert_int_equal(make(true, 0, &resource), STATUS_INVALID_PARAMETER);
    assert_int_equal(make(false, VIDMM_RESOURCE_MOST + 1, &resource), STATUS_INVALID_PARAMETER);
    descriptions[0].vidpn_source = 0;
    assert_int_equal(make(false, 1, &resource), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-062"));
    assert_null(resource);
    assert_int_equal(vidmm_machine_counts(rig.machine).pages, before.pages);
    assert_int_equal(vidmm_machine_counts(rig.machine).blocks, before.blocks);
    end();
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
    struct vidmm_resource *resource = NULL;
    struct vidmm_machine_counts before;

    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        begin(rig_defaults());
        for (uint64_t n = 1;; n++) {
            NTSTATUS status;

            before = vidmm_machine_counts(rig.machine);
            vidmm_machine_fail_allocation(rig.machine, n);
            status = make(shared != 0, 3, &resource);
            vidmm_machine_fail_allocation(rig.machine, 0);
            settle();
            if (status == STATUS_SUCCESS)
                break;
            assert_int_equal(status, STATUS_NO_MEMORY);
            assert_int_equal(vidmm_machine_counts(rig.machine).pages, before.pages);
            assert_true(n < 100);
        }
        vidmm_resource_destroy(resource);
        settle();
        end();
    }
}

/* ---- several devices ------------------------------------------------------------------------- */

static struct vidmm_device *other;
static struct vidmm_context *other_context;

static void begin_two(struct rig_options options)
{
    begin(options);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(other, 0, NULL, 0, &other_context, NULL), STATUS_SUCCESS);
}

static void what_one_process_draws_another_sees(void **state)
{
    struct vidmm_allocation *theirs[2];
    struct vidmm_resource *ours, *opened;
    struct rig_allocation one;
    void *data;

    (void)state;
    begin_two(rig_defaults());
    assert_int_equal(make(true, 2, &ours), STATUS_SUCCESS);
    assert_int_not_equal(vidmm_resource_handle(ours), 0);
    assert_int_equal(asked.last_opened, 2);
    assert_int_equal(
        vidmm_resource_open(other, vidmm_resource_handle(ours), &opened, theirs, 2, &rig.report),
        STATUS_SUCCESS);
    assert_false(asked.last_is_create);
    assert_int_equal(vidmm_allocation_id(theirs[1]), vidmm_allocation_id(given[1]));
    one = known(given[1], 5);
    use(rig.context, &one, true);
    one.handle = theirs[1];
    use(other_context, &one, true);
    one.handle = given[1];
    use(rig.context, &one, false);
    /* S0-006: only the creator locks */
    assert_int_equal(vidmm_lock(theirs[1], 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_true(rig_lock_and_touch(&rig, &one, true));
    one.handle = theirs[1];
    use(other_context, &one, true);
    vidmm_resource_destroy(ours); /* the other still has it */
    settle();
    assert_int_equal(asked.destroyed, 0);
    use(other_context, &one, true);
    assert_int_equal(rig.cpu_mismatches, 0);
    vidmm_resource_destroy(opened);
    settle();
    assert_int_equal(asked.destroyed, 2);
    assert_true(asked.whole);
    end();
}

static void a_device_may_go_before_what_it_shared(void **state)
{
    struct vidmm_allocation *theirs[1];
    struct vidmm_resource *ours, *opened;
    struct rig_allocation one;

    (void)state;
    begin_two(rig_defaults());
    assert_int_equal(vidmm_resource_create(other, &(struct vidmm_resource_options){.shared = true},
                                           descriptions, 1, &ours, given, &rig.report),
                     STATUS_SUCCESS);
    one = known(given[0], 9);
    use(other_context, &one, true);
    assert_int_equal(vidmm_resource_open(rig.device, vidmm_resource_handle(ours), &opened, theirs,
                                         1, &rig.report),
                     STATUS_SUCCESS);
    vidmm_device_destroy(other);
    settle();
    one.handle = theirs[0];
    use(rig.context, &one, true);
    use(rig.context, &one, false);
    vidmm_resource_destroy(opened);
    settle();
    assert_int_equal(asked.destroyed, 1);
    end();
}

/* The engine never lets go of the originals: they go with the system device, resources and all. */
static void what_is_shared_goes_with_an_adapter_that_has_stopped(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *theirs[2];
    struct vidmm_resource *ours, *opened;
    struct rig_allocation one, *list[] = {&one};

    (void)state;
    options.gpu = "hang 0 1\nrecovery preempt_fails\n";
    begin_two(options);
    assert_int_equal(make(true, 2, &ours), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_resource_open(other, vidmm_resource_handle(ours), &opened, theirs, 2, &rig.report),
        STATUS_SUCCESS);
    one = known(given[0], 9);
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_not_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    assert_int_not_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_SUCCESS);
    vidmm_resource_destroy(ours);
    vidmm_resource_destroy(opened);
    assert_int_equal(asked.closed, 4);
    assert_int_equal(asked.destroyed, 0);
    rig_finish(&rig);
    assert_int_equal(asked.created, asked.destroyed);
}

static void nobody_opens_what_is_not_shared_or_gone(void **state)
{
    struct vidmm_allocation *theirs[4];
    struct vidmm_resource *ours, *alone, *opened = NULL;
    uint32_t handle;

    (void)state;
    begin_two(rig_defaults());
    assert_int_equal(make(false, 1, &alone), STATUS_SUCCESS);
    assert_int_equal(make(true, 3, &ours), STATUS_SUCCESS);
    handle = vidmm_resource_handle(ours);
    for (uint32_t wrong = 0; wrong < 40; wrong++)
        if (wrong != (handle & 0xfffffff))
            assert_int_equal(vidmm_resource_open(other, (handle & 0xf0000000) | wrong, &opened,
                                                 theirs, 4, &rig.report),
                             STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_resource_open(other, handle ^ 0x10000000, &opened, theirs, 4, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_resource_open(other, handle, &opened, theirs, 2, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_resource_add(ours, descriptions, 1, given, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-058"));
    vidmm_resource_destroy(ours);
    settle();
    assert_int_equal(vidmm_resource_open(other, handle, &opened, theirs, 4, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_null(opened);
    vidmm_resource_destroy(alone);
    settle();
    end();
}

static uint32_t stale; /* a handle of what has gone */
static unsigned tried; /* handles, in all */

/* Another program tries whatever handle there may be. */
static void open_anything(void)
{
    struct vidmm_allocation *theirs[MOST];
    struct vidmm_resource *opened;
    void (*again)(void) = meanwhile;

    meanwhile = NULL;
    for (uint32_t number = 0; number < 40; number++, tried++)
        assert_int_equal(vidmm_resource_open(other, (stale & 0xf0000000) | number, &opened, theirs,
                                             MOST, &rig.report),
                         STATUS_INVALID_PARAMETER);
    meanwhile = again;
}

/* The number of a resource that went is that of the next one: a holder of the old number may try it
 * at any time, and finds nothing before vidmm_resource_create() has succeeded. */
static void nobody_opens_what_is_still_being_created(void **state)
{
    struct vidmm_resource *ours;

    (void)state;
    begin_two(rig_defaults());
    assert_int_equal(make(true, 3, &ours), STATUS_SUCCESS);
    stale = vidmm_resource_handle(ours);
    assert_true((stale & 0xfffffff) < 40);
    vidmm_resource_destroy(ours);
    settle();
    tried = 0;
    meanwhile = open_anything;
    assert_int_equal(make(true, 3, &ours), STATUS_SUCCESS);
    vidmm_resource_destroy(ours);
    settle();
    refuses_to_open = true;
    assert_int_equal(make(true, 3, &ours), STATUS_NO_MEMORY);
    refuses_to_open = false;
    meanwhile = NULL;
    settle();
    assert_int_equal(tried, 4 * 40);
    end();
}

static D3DKMT_HANDLE child(D3DKMT_HANDLE resource, UINT index)
{
    const DXGKARGCB_ENUMHANDLECHILDREN arguments = {.hObject = resource, .Index = index};

    return kernel.DxgkCbEnumHandleChildren(&arguments);
}

static void a_driver_goes_from_an_allocation_to_its_resource_and_its_siblings(void **state)
{
    const DXGKARGCB_GETHANDLEDATA nothing = {.hObject = 0, .Type = DXGK_HANDLE_RESOURCE};
    DXGKARGCB_GETHANDLEDATA data = {.Type = DXGK_HANDLE_RESOURCE};
    struct vidmm_resource *resource;
    struct rig_allocation alone;
    D3DKMT_HANDLE parent;

    (void)state;
    begin(rig_defaults());
    assert_int_equal(make(false, 3, &resource), STATUS_SUCCESS);
    parent = kernel.DxgkCbGetHandleParent(asked.handles[0]);
    assert_int_not_equal(parent, 0);
    for (UINT i = 0; i < 3; i++) {
        assert_int_equal(kernel.DxgkCbGetHandleParent(asked.handles[i]), parent);
        assert_int_equal(child(parent, i), asked.handles[i]);
    }
    assert_int_equal(child(parent, 3), 0);
    assert_int_equal(child(asked.handles[0], 0), 0); /* an allocation has no children */
    data.hObject = parent;
    assert_ptr_equal(kernel.DxgkCbGetHandleData(&data), asked.resource);
    assert_null(kernel.DxgkCbGetHandleData(&nothing));
    assert_int_equal(rig_create(&rig, &alone, VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_int_equal(kernel.DxgkCbGetHandleParent(asked.handles[0]), 0);
    vidmm_allocation_destroy(alone.handle);
    vidmm_resource_destroy(resource);
    settle();
    assert_int_equal(kernel.DxgkCbGetHandleParent(parent), 0);
    assert_int_equal(child(parent, 0), 0);
    assert_null(kernel.DxgkCbGetHandleData(&data)); /* an allocation that is gone has no name */
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resource_is_created_opened_closed_and_destroyed_as_a_whole),
        cmocka_unit_test(one_freed_alone_leaves_the_rest),
        cmocka_unit_test(members_leave_in_any_order),
        cmocka_unit_test(what_is_added_goes_with_the_rest),
        cmocka_unit_test(a_resource_in_use_goes_when_the_gpu_is_done),
        cmocka_unit_test(a_device_takes_its_resources_along),
        cmocka_unit_test(a_list_is_of_one_resource_or_of_none),
        cmocka_unit_test(what_is_refused_leaves_nothing),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing),
        cmocka_unit_test(what_one_process_draws_another_sees),
        cmocka_unit_test(a_device_may_go_before_what_it_shared),
        cmocka_unit_test(what_is_shared_goes_with_an_adapter_that_has_stopped),
        cmocka_unit_test(nobody_opens_what_is_not_shared_or_gone),
        cmocka_unit_test(nobody_opens_what_is_still_being_created),
        cmocka_unit_test(a_driver_goes_from_an_allocation_to_its_resource_and_its_siblings),
    };

    return cmocka_run_group_tests_name("adapter, resources", tests, NULL, NULL);
}
