/* shows_residency_lists.c: residency.def, budget.def, usage-tracking.def, allocation-info.def and
 * monitored-fence.def, obeyed on a physical driver of WDDM 2.0. Its memory has 64 pages.
 */
#include "rules_rig.h"

#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmddi_allocation.h>

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

enum { PERMANENT = 0x3, PHYSICALLY = 0x8000 }; /* PermanentSysMem and CpuVisible */
enum { APERTURE = 1, MEMORY = 2, EITHER = 3 };

static struct rig rig;
static struct vidmm_paging_queue *queue;

static void begin_with(NTSTATUS (*submit)(HANDLE, const DXGKARG_SUBMITCOMMAND *))
{
    struct rig_options options = rig_defaults();

    options.gpu = "wddm 2.0\n";
    rig_build(&rig, &options);
    if (submit != NULL)
        rig.driver.DxgkDdiSubmitCommand = submit;
    if (rig_start(&rig) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report), 0);
}

static void begin(void)
{
    begin_with(NULL);
}

static void end(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

/* Allocation `index` of the rig, by these sets. */
static void create_by(uint32_t index, uint32_t pages, uint32_t read_set, uint32_t write_set,
                      uint32_t preferred)
{
    struct rig_allocation *allocation = &rig.allocations[index];
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = PHYSICALLY,
                                            .size = BYTES(pages),
                                            .read_set = read_set,
                                            .write_set = write_set,
                                            .preferred = preferred,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};

    if (vidmm_allocation_create(rig.device, &wish, sizeof(wish), &allocation->handle,
                                &rig.report) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    allocation->id = ++rig.next_id;
    allocation->pages = pages;
}

static void create(uint32_t index, uint32_t pages)
{
    create_by(index, pages, MEMORY, MEMORY, 0);
}

static NTSTATUS make(uint32_t index, uint32_t flags, struct vidmm_residency_result *result)
{
    return vidmm_make_resident(queue, &rig.allocations[index].handle, 1, flags, result,
                               &rig.report);
}

static void make_and_wait(uint32_t index, uint32_t flags)
{
    struct vidmm_residency_result result;
    NTSTATUS status = make(index, flags, &result);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
}

static NTSTATUS evict(uint32_t index, uint32_t flags)
{
    NTSTATUS status =
        vidmm_evict(rig.device, &rig.allocations[index].handle, 1, flags, NULL, &rig.report);

    vidmm_machine_settle(rig.machine);
    return status;
}

static enum vidmm_residency residency_of(struct vidmm_allocation *allocation)
{
    const struct vidmm_selection selection = {.allocations = &allocation, .allocation_count = 1};
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&selection, &residency, NULL), STATUS_SUCCESS);
    return residency;
}

static enum vidmm_residency where(uint32_t index)
{
    return residency_of(rig.allocations[index].handle);
}

static void use(uint32_t index, bool write)
{
    struct rig_allocation *one = &rig.allocations[index];

    if (rig_render(&rig, &one, 1, write ? 1 : 0) != STATUS_SUCCESS)
        fail_msg("%s", rig.report.text);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static struct vidmm_statistics statistics(void)
{
    struct vidmm_statistics out;

    vidmm_adapter_statistics(rig.adapter, &out);
    return out;
}

static struct vidmm_budget_info share(uint64_t process, enum vidmm_segment_group group)
{
    struct vidmm_budget_info info;

    assert_int_equal(vidmm_query_video_memory(rig.adapter, process, group, &info, &rig.report), 0);
    return info;
}

/* ---- residency.def --------------------------------------------------------------------------- */

static DRIVER_INITIALIZATION_DATA driver;
static struct vidmm_allocation *of_first[2], *of_second;
static unsigned submissions[2]; /* by device */
static bool second_runs;        /* the submission that is due is the second device's */

/* In the driver, where a packet goes to the GPU. */
static NTSTATUS submit_and_look(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    if (!arguments->Flags.Paging && !second_runs) {
        assert_int_equal(residency_of(of_first[0]), VIDMM_RESIDENT_IN_GPU);
        assert_int_equal(residency_of(of_first[1]), VIDMM_RESIDENT_IN_GPU);
    } else if (!arguments->Flags.Paging) {
        assert_int_equal(residency_of(of_second), VIDMM_RESIDENT_IN_GPU);
    }
    submissions[second_runs] += !arguments->Flags.Paging;
    return driver.DxgkDdiSubmitCommand(adapter, arguments);
}

/* A submission that names no allocation. */
static void submit_nothing(struct vidmm_context *context)
{
    rig.context = context;
    assert_int_equal(rig_render(&rig, NULL, 0, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, rig.value), STATUS_SUCCESS);
}

void shows_D_193(void **state)
{
    struct vidmm_context *render, *copy, *other;
    struct vidmm_device *first;

    (void)state;
    assert_int_equal(softgpu_driver_entry(softgpu_driver_version(20), &driver), STATUS_SUCCESS);
    submissions[0] = submissions[1] = 0;
    second_runs = false;
    begin_with(submit_and_look);
    render = rig.context;
    assert_int_equal(vidmm_context_create(rig.device, 1, NULL, 0, &copy, &rig.report), 0);
    create(0, 16);
    create(1, 24);
    of_first[0] = rig.allocations[0].handle;
    of_first[1] = rig.allocations[1].handle;
    make_and_wait(0, 0);
    make_and_wait(1, 0);
    first = rig.device;
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &rig.device, &rig.report), 0);
    assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &other, &rig.report), 0);
    assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report), 0);
    create(2, 40);
    of_second = rig.allocations[2].handle;
    make_and_wait(2, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER);
    for (uint32_t round = 0; round < 3; round++) { /* the two lists do not fit together */
        second_runs = true;
        submit_nothing(other);
        second_runs = false;
        submit_nothing(round % 2 == 0 ? render : copy); /* of every engine */
    }
    assert_int_equal(submissions[0], 3);
    assert_int_equal(submissions[1], 3);
    vidmm_device_destroy(rig.device);
    rig.device = first;
    end();
}

void shows_D_194(void **state)
{
    struct vidmm_allocation *twice[2];

    (void)state;
    begin();
    create(0, 16);
    twice[0] = twice[1] = rig.allocations[0].handle;
    assert_int_equal(vidmm_make_resident(queue, twice, 2, 0, NULL, &rig.report), STATUS_PENDING);
    make_and_wait(0, 0); /* three times */
    for (uint32_t count = 3; count > 0; count--) {
        assert_int_equal(where(0), VIDMM_RESIDENT_IN_GPU);
        assert_int_equal(share(1, VIDMM_GROUP_LOCAL).usage, BYTES(16));
        assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    }
    assert_int_equal(where(0), VIDMM_NOT_RESIDENT);
    assert_int_equal(share(1, VIDMM_GROUP_LOCAL).usage, 0);
    assert_int_equal(evict(0, 0), STATUS_INVALID_PARAMETER);
    end();
}

void shows_D_195(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    begin();
    create(0, 16);
    assert_int_equal(make(0, 0, &result), STATUS_PENDING);
    assert_true(result.value > vidmm_paging_queue_passed(queue) ||
                where(0) == VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    assert_int_equal(where(0), VIDMM_RESIDENT_IN_GPU);
    use(0, true);
    assert_int_equal(make(0, 0, &result), STATUS_SUCCESS); /* usable at once */
    assert_int_equal(result.value, 0);
    use(0, false);
    end();
}

void shows_D_196(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_allocation *three[3];

    (void)state;
    begin();
    create(0, 16);
    create(1, 40);
    create(2, 20);
    make_and_wait(0, 0);
    make_and_wait(0, 0);
    for (uint32_t index = 0; index < 3; index++)
        three[index] = rig.allocations[index].handle;
    assert_int_equal(vidmm_make_resident(queue, three, 3, 0, &result, &rig.report),
                     STATUS_NO_MEMORY);
    assert_int_equal(result.bytes_to_trim, BYTES(16 + 40 + 20 - 64));
    assert_int_equal(result.value, 0);
    assert_int_equal(share(1, VIDMM_GROUP_LOCAL).usage, BYTES(16));
    assert_int_equal(evict(1, 0), STATUS_INVALID_PARAMETER); /* none was counted */
    assert_int_equal(evict(2, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    assert_int_equal(evict(0, 0), STATUS_INVALID_PARAMETER); /* twice, as before */
    end();
}

void shows_D_200(void **state)
{
    uint64_t out;

    (void)state;
    begin();
    assert_int_equal(
        rig_create(&rig, &rig.allocations[0], BYTES(40), MEMORY, PERMANENT | PHYSICALLY), 0);
    create(1, 40);
    make_and_wait(0, 0);
    make_and_wait(0, 0);
    use(0, true);
    assert_int_equal(evict(0, VIDMM_EVICT_ONLY_IF_NECESSARY), STATUS_SUCCESS);
    assert_int_equal(share(1, VIDMM_GROUP_LOCAL).usage, BYTES(40)); /* counted once more */
    assert_int_equal(evict(0, VIDMM_EVICT_ONLY_IF_NECESSARY), STATUS_SUCCESS);
    assert_int_equal(where(0), VIDMM_RESIDENT_IN_GPU); /* until memory is low */
    make_and_wait(1, 0);
    assert_int_equal(where(0), VIDMM_NOT_RESIDENT);
    assert_int_equal(evict(1, 0), STATUS_SUCCESS);
    assert_int_equal(where(1), VIDMM_NOT_RESIDENT); /* at once, without the flag */
    make_and_wait(0, 0);
    make_and_wait(0, 0);
    use(0, false);
    out = statistics().bytes_out;
    assert_int_equal(evict(0, VIDMM_EVICT_NOT_WRITTEN_TO), STATUS_SUCCESS); /* an early one */
    assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    assert_int_equal(where(0), VIDMM_NOT_RESIDENT);
    assert_int_equal(statistics().bytes_out, out); /* discarded: its copy is as new */
    make_and_wait(0, 0);
    use(0, true);
    assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    assert_int_equal(statistics().bytes_out, out + BYTES(40));
    end();
}

void shows_W_021(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    begin();
    create(0, 4);
    assert_int_equal(vidmm_paging_queue_passed(queue), 7000);
    assert_int_equal(make(0, 0, &result), STATUS_PENDING);
    assert_int_equal(result.value, 7001);
    assert_int_equal(vidmm_paging_queue_wait(queue, 7001, &rig.report), STATUS_SUCCESS);
    assert_int_equal(*vidmm_paging_queue_fence(queue), 7001);
    end();
}

/* ---- monitored-fence.def --------------------------------------------------------------------- */

void shows_D_250(void **state)
{
    struct vidmm_paging_queue *second;
    struct vidmm_residency_result result;
    uint64_t last = 7000;

    (void)state;
    begin();
    assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &second, &rig.report), 0);
    for (uint32_t index = 0; index < 6; index++) {
        create(index, 4);
        assert_int_equal(make(index, 0, &result), STATUS_PENDING);
        assert_true(result.value == last + 1);
        last = result.value;
    }
    assert_int_equal(vidmm_paging_queue_wait(queue, last, &rig.report), STATUS_SUCCESS);
    assert_true(vidmm_paging_queue_passed(queue) == last);
    for (uint32_t index = 0; index < 6; index++)
        assert_int_equal(where(index), VIDMM_RESIDENT_IN_GPU); /* signalled on completion */
    assert_int_equal(make(3, 0, &result), STATUS_SUCCESS);
    assert_int_equal(result.value, 0);
    assert_true(vidmm_paging_queue_passed(second) == 7000); /* of another queue */
    end();
}

static uint64_t records(void)
{
    vidmm_machine_settle(rig.machine);
    return vidmm_machine_counts(rig.machine).blocks;
}

/* Six pages-in are queued when the device goes: all of them have come to their end by then. */
static void destroy_with_work(struct vidmm_device *device)
{
    struct vidmm_device *first = rig.device;
    struct vidmm_residency_result result;
    const struct vidmm_statistics before = statistics();

    rig.device = device;
    for (uint32_t index = 0; index < 6; index++) {
        create(index, 4);
        assert_int_equal(make(index, 0, &result), STATUS_PENDING);
    }
    rig.device = first;
    vidmm_device_destroy(device);
    assert_true(statistics().bytes_filled == before.bytes_filled + BYTES(24));
}

/* Destroying waits for all that is queued, and the fence goes with the queue; a device's
 * queues go so with it. */
void shows_D_249(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_device *device;
    uint64_t before;

    (void)state;
    begin();
    for (uint32_t index = 0; index < 6; index++) {
        create(index, 4);
        assert_int_equal(make(index, 0, &result), STATUS_PENDING);
    }
    vidmm_paging_queue_destroy(queue);
    for (uint32_t index = 0; index < 6; index++)
        assert_int_equal(where(index), VIDMM_RESIDENT_IN_GPU);

    before = records();
    assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report), 0);
    assert_true(records() > before);
    vidmm_paging_queue_destroy(queue);
    assert_true(records() == before);

    assert_int_equal(vidmm_device_create(rig.adapter, 2, &device, &rig.report), 0);
    before = records();
    assert_int_equal(vidmm_paging_queue_create(device, 1, &queue, &rig.report), 0);
    vidmm_device_destroy(device);
    assert_true(records() <= before);

    assert_int_equal(vidmm_device_create(rig.adapter, 2, &device, &rig.report), 0);
    assert_int_equal(vidmm_paging_queue_create(device, 1, &queue, &rig.report), 0);
    destroy_with_work(device);
    end();
}

/* ---- budget.def ------------------------------------------------------------------------------ */

void shows_D_204(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_trim_request trim;
    struct vidmm_device *second;

    (void)state;
    begin();
    create(0, 40);
    create(1, 8);
    make_and_wait(0, 0);
    assert_int_equal(share(1, VIDMM_GROUP_LOCAL).budget, BYTES(64));
    assert_int_equal(share(1, VIDMM_GROUP_NON_LOCAL).usage, 0); /* a budget of its own */
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &second, &rig.report), 0);
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 2, VIDMM_GROUP_LOCAL, BYTES(30), &rig.report), 0);
    assert_int_equal(share(1, VIDMM_GROUP_LOCAL).budget, BYTES(34)); /* it has changed */
    assert_true(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_TO_BUDGET);
    assert_int_equal(trim.bytes_to_trim, BYTES(6));
    assert_int_equal(make(1, 0, &result), STATUS_NO_MEMORY);
    assert_int_equal(result.bytes_to_trim, BYTES(14));
    make_and_wait(1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER);
    assert_int_equal(
        vidmm_evict(rig.device, &rig.allocations[1].handle, 1, 0, &result, &rig.report), 0);
    assert_int_equal(result.bytes_to_trim, BYTES(6));
    assert_int_equal(
        vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, &result, &rig.report), 0);
    assert_int_equal(result.bytes_to_trim, 0);
    vidmm_device_destroy(second);
    end();
}

void shows_D_206(void **state)
{
    struct vidmm_budget_info info;

    (void)state;
    begin();
    create(0, 40);
    make_and_wait(0, 0);
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(65), &rig.report),
        STATUS_INVALID_PARAMETER);
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(64), &rig.report), 0);
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(10), &rig.report), 0);
    info = share(1, VIDMM_GROUP_LOCAL);
    assert_int_equal(info.budget, BYTES(64));
    assert_int_equal(info.usage, BYTES(40));
    assert_int_equal(info.reservation, BYTES(10));
    assert_int_equal(info.available_for_reservation, BYTES(64));
    info = share(1, VIDMM_GROUP_NON_LOCAL); /* no aperture of this driver is for programs */
    assert_int_equal(info.budget + info.usage + info.reservation, 0);
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 1, VIDMM_GROUP_NON_LOCAL, 4096, &rig.report),
        STATUS_INVALID_PARAMETER);
    end();
}

static DXGK_SEGMENTFLAGS with_flags[2]; /* of the aperture and of the memory: budgets, by group */
static DXGKDDI_QUERYADAPTERINFO *honest_query;

static NTSTATUS query_with_groups(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYSEGMENTOUT4 *out = query->pOutputData;
    NTSTATUS status = honest_query(adapter, query);

    if (query->Type != DXGKQAITYPE_QUERYSEGMENT4 || out->pSegmentDescriptor == NULL)
        return status;
    for (uint32_t index = 0; index < 2; index++) {
        DXGK_SEGMENTDESCRIPTOR4 *to =
            (void *)(out->pSegmentDescriptor + index * out->SegmentDescriptorStride);

        to->Flags.ApplicationTarget = with_flags[index].ApplicationTarget;
        to->Flags.LocalBudgetGroup = with_flags[index].LocalBudgetGroup;
        to->Flags.NonLocalBudgetGroup = with_flags[index].NonLocalBudgetGroup;
    }
    return status;
}

/* The budgets that 16 pages in memory leave, in the groups that memory and the aperture are in. */
static void groups(uint32_t memory, uint32_t local, uint32_t aperture, bool usage_is_local)
{
    struct rig_options options = rig_defaults();
    uint64_t in_memory = BYTES(64), in_aperture, total = 0;
    struct vidmm_segment_info info;

    with_flags[0] = (DXGK_SEGMENTFLAGS){.ApplicationTarget = aperture != 0,
                                        .LocalBudgetGroup = aperture == 1,
                                        .NonLocalBudgetGroup = aperture == 2};
    with_flags[1] = (DXGK_SEGMENTFLAGS){.ApplicationTarget = memory != 0,
                                        .LocalBudgetGroup = (local & 1) != 0,
                                        .NonLocalBudgetGroup = (local & 2) != 0};
    options.gpu = "wddm 2.0\n";
    rig_build(&rig, &options);
    honest_query = rig.driver.DxgkDdiQueryAdapterInfo;
    rig.driver.DxgkDdiQueryAdapterInfo = query_with_groups;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report), 0);
    vidmm_adapter_segment(rig.adapter, 1, &info);
    in_aperture = info.commit_limit;
    create(0, 16);
    make_and_wait(0, 0);
    for (uint32_t group = 0; group < VIDMM_SEGMENT_GROUPS; group++) {
        bool is_local = group == VIDMM_GROUP_LOCAL;
        uint64_t expected = (memory && usage_is_local == is_local ? in_memory : 0) +
                            (aperture != 0 && (aperture == 1) == is_local ? in_aperture : 0);
        struct vidmm_budget_info is = share(1, group);

        assert_int_equal(is.budget, expected);
        assert_int_equal(is.usage, memory && usage_is_local == is_local ? BYTES(16) : 0);
        total += is.budget;
    }
    assert_int_equal(total, (memory ? in_memory : 0) + (aperture ? in_aperture : 0));
    end();
}

void shows_D_205(void **state)
{
    (void)state;
    groups(0, 1, 0, true); /* no ApplicationTarget: no budget, whatever the group */
    groups(0, 2, 2, true);
    groups(1, 1, 0, true);
    groups(1, 2, 0, false);
    groups(1, 1, 1, true);
    groups(1, 2, 2, false);
    groups(1, 2, 1, false);
    groups(1, 0, 2, true); /* none, or both: by its kind */
    groups(1, 3, 2, true);
}

/* ---- usage-tracking.def ---------------------------------------------------------------------- */

void shows_D_094(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];
    struct softgpu_statistics gpu;

    (void)state;
    begin();
    create(0, 16);
    submit_nothing(rig.context);
    assert_int_equal(where(0), VIDMM_NOT_RESIDENT);
    make_and_wait(0, 0);
    use(0, false); /* the list is there for patching: the GPU finds it */
    assert_int_equal(evict(0, 0), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &one, 1, 0), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_device_condition(rig.device, &rig.report), STATUS_INVALID_PARAMETER);
    softgpu_device_statistics(rig.gpu, &gpu);
    assert_int_equal(gpu.content_checks, 1); /* the second was rejected */
    end();
}

void shows_D_096(void **state)
{
    struct rig_allocation *one = &rig.allocations[0];

    (void)state;
    begin();
    assert_int_equal(rig_create(&rig, one, BYTES(4), MEMORY, 0), STATUS_SUCCESS);
    make_and_wait(0, 0);
    assert_int_equal(rig_render(&rig, &one, 1, 0), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-096"));
    assert_int_equal(vidmm_device_condition(rig.device, &rig.report), STATUS_SUCCESS);
    create(1, 4);
    make_and_wait(1, 0);
    use(1, true);
    end();
}

/* ---- allocation-info.def --------------------------------------------------------------------- */

void shows_S1_025(void **state)
{
    (void)state;
    begin();
    create_by(0, 4, APERTURE, MEMORY, 0);
    create_by(1, 4, MEMORY, APERTURE, 0);
    make_and_wait(0, 0);
    make_and_wait(1, 0);
    assert_int_equal(where(0), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(where(1), VIDMM_RESIDENT_IN_SHARED);
    use(0, true);
    use(1, true);
    end();
}

void shows_S1_027(void **state)
{
    (void)state;
    begin();
    create_by(0, 40, EITHER, EITHER, 2 | 1 << 6);
    make_and_wait(0, 0);
    assert_int_equal(where(0), VIDMM_RESIDENT_IN_GPU);
    use(0, true);
    create(1, 40);
    make_and_wait(1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER); /* and no room for both */
    use(1, true);
    assert_int_equal(where(1), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(where(0), VIDMM_RESIDENT_IN_SHARED); /* another member of the set */
    use(0, false);
    end();
}
