/* shows_protection.c: protected content that leaves memory, outlives a standby, or is moved, on
 * GPUs that go by physical addresses. protected-vpr-drm.def, obeyed.
 *
 *     page     0        16        32
 *     memory   |        |#########|      # the range
 */
#include "rules_rig.h"

#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>

#include "flag_words.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"

enum { LOW = 16, HIGH = 32, HARDWARE_PROTECTED = 0x20000 };

#define LEVEL "wddm 2.2\nsegment 1 aperture 1M\n"
#define PLAIN LEVEL "segment 2 memory 128K cpuvisible\n"
#define RANGE LEVEL "segment 2 memory 128K cpuvisible vpr 64K 64K\n"
#define EACH "hardware_protected on\n" /* protection goes by the allocation */

static struct shown shown;
static struct vidmm_paging_queue *queue;

static void start_with(const char *gpu, bool move_directly)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.move_directly = move_directly;
    shown_init(&shown, &options, NULL);
    if (vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
}

static void start(const char *gpu)
{
    start_with(gpu, false);
}

/* No byte is looked for at the end: the CPU may see none of them. */
static void finish(void)
{
    for (uint32_t i = 0; i < RIG_ALLOCATIONS; i++)
        if (shown.rig.allocations[i].handle != NULL)
            vidmm_allocation_destroy(shown.rig.allocations[i].handle);
    shown_settle(&shown);
    rig_judge(&shown.rig, shown.rig.gpu);
    rig_stop(&shown.rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

static struct rig_allocation *bring(uint32_t index, uint32_t pages, uint32_t flags)
{
    struct rig_allocation *one = &shown.rig.allocations[index];
    struct vidmm_residency_result result;
    NTSTATUS status =
        rig_create(&shown.rig, one, pages * VIDMM_PAGE_SIZE, 2, flags | ACCESSED_PHYSICALLY);

    if (status != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    status = vidmm_make_resident(queue, &one->handle, 1, 0, &result, &shown.rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &shown.rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    return one;
}

static void release(const struct rig_allocation *one)
{
    assert_int_equal(vidmm_evict(shown.rig.device, &one->handle, 1, 0, NULL, &shown.rig.report),
                     STATUS_SUCCESS);
}

static struct vidmm_statistics counts(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    return statistics;
}

static struct vidmm_place place_of(const struct rig_allocation *one)
{
    uint64_t size;

    return vidmm_engine_where_at(shown.rig.adapter->engine, one->handle->id, 0, &size);
}

static bool is_in_range(const struct rig_allocation *one)
{
    struct vidmm_place place = place_of(one);

    assert_int_equal(place.segment, 2);
    return place.offset >= LOW * VIDMM_PAGE_SIZE &&
           place.offset + one->pages * VIDMM_PAGE_SIZE <= HIGH * VIDMM_PAGE_SIZE;
}

/* ---- survival -------------------------------------------------------------------------------- */

/* A standby: so many pages leave, of 4 in the range and 4 that are not. */
static void stands_by(const char *gpu, uint64_t leaves)
{
    struct rig_allocation *inside, *other;
    uint64_t before;

    start(gpu);
    inside = bring(0, 4, CREATE_IN_VPR);
    other = bring(1, 4, 0);
    shown_use_one(&shown, inside, true);
    shown_use_one(&shown, other, true);
    before = counts().bytes_out;
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_STANDBY, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(counts().bytes_out - before, leaves * VIDMM_PAGE_SIZE);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    shown_use_one(&shown, inside, false); /* the GPU checks the bytes */
    shown_use_one(&shown, other, false);
    finish();
}

/* ---- encryption ------------------------------------------------------------------------------ */

/* The bytes in the backing store, of an allocation that has left. */
static void leaves(const char *gpu, uint32_t flags, bool plain)
{
    struct rig_allocation *one;
    const uint64_t *words;
    uint64_t digest = 0;

    start(gpu);
    one = bring(0, 4, flags);
    shown_use_one(&shown, one, true);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                     STATUS_SUCCESS);
    words = vidmm_machine_memory(shown.rig.machine,
                                 vidmm_backing_frame(&one->handle->backing, 0) << VIDMM_PAGE_SHIFT,
                                 VIDMM_PAGE_SIZE);
    assert_non_null(words);
    assert_int_equal(vidmm_content_check_page(words, rig_key(one), 0, one->generation, &digest),
                     plain);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    shown_use_one(&shown, one, false); /* in memory it is as it was */
    finish();
}

void shows_D_232(void **state)
{
    (void)state;
    stands_by(LEVEL "segment 2 memory 128K cpuvisible vpr 64K 64K vprstandby\n", 4);
    stands_by(LEVEL "segment 2 memory 128K cpuvisible standby vpr 64K 64K\n", 4);
    stands_by(LEVEL "segment 2 memory 128K cpuvisible standby vpr 64K 64K vprstandby\n", 0);
    stands_by(RANGE, 8);
    stands_by(LEVEL "segment 2 memory 128K cpuvisible vpr 0 128K vprstandby\n", 0);
    stands_by(LEVEL "segment 2 memory 128K cpuvisible standby vpr 0 128K\n", 8);
    leaves(LEVEL "segment 2 memory 128K cpuvisible encrypted\n" EACH, HARDWARE_PROTECTED, false);
    leaves(LEVEL "segment 2 memory 128K cpuvisible encrypted\n" EACH, 0, true);
    leaves(LEVEL "segment 2 memory 128K cpuvisible\n" EACH, HARDWARE_PROTECTED, true);
    leaves(LEVEL "segment 2 memory 128K cpuvisible vpr 64K 64K encrypted\n", HARDWARE_PROTECTED,
           false);
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* An allocation stands in the way, and is moved within its segment: how many bytes go directly. */
static uint64_t moved(const char *gpu, bool option, uint32_t flags)
{
    struct rig_allocation *first, *middle, *last;
    struct vidmm_place before;
    uint64_t bytes;

    start_with(gpu, option);
    first = bring(0, 6, flags);
    middle = bring(1, 4, flags);
    last = bring(2, 6, flags);
    shown_use_one(&shown, middle, true);
    before = place_of(middle);
    release(first);
    release(last);
    bring(3, 12, flags);
    shown_settle(&shown);
    assert_int_not_equal(place_of(middle).offset, before.offset);
    bytes = counts().bytes_moved;
    assert_true(bytes != 0 || counts().bytes_out >= middle->pages * VIDMM_PAGE_SIZE);
    shown_use_one(&shown, middle, false);
    finish();
    return bytes;
}

static void is_placed(const char *gpu, uint32_t flags, bool inside)
{
    start(gpu);
    assert_int_equal(is_in_range(bring(0, 4, flags)), inside);
    finish();
}

static void is_refused(const char *gpu, NTSTATUS status, const char *why)
{
    struct rig_allocation one;

    start(gpu);
    shown_refused(&shown, rig_create(&shown.rig, &one, VIDMM_PAGE_SIZE, 2, HARDWARE_PROTECTED),
                  status, why);
    bring(0, 4, 0);
    finish();
}

static DXGKDDI_QUERYADAPTERINFO *query;

static NTSTATUS allow(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = query(adapter, arguments);
    DXGK_PHYSICALADAPTERCAPS *caps = arguments->pOutputData;

    if (arguments->Type == DXGKQAITYPE_PHYSICALADAPTERCAPS && status == STATUS_SUCCESS)
        caps->Flags.AllowHardwareProtectedNoVpr = 1;
    return status;
}

static void bend_to_allow(DRIVER_INITIALIZATION_DATA *driver)
{
    query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = allow;
}

/* A bit of 2.2 says nothing at 2.1. */
static void is_not_there_yet(const char *level, NTSTATUS status)
{
    struct rig_allocation one;
    char gpu[100];

    snprintf(gpu, sizeof(gpu), "%s\nsegment 1 aperture 1M\nsegment 2 memory 128K\n", level);
    shown_init_gpu(&shown, gpu, bend_to_allow);
    assert_int_equal(rig_create(&shown.rig, &one, VIDMM_PAGE_SIZE, 2, HARDWARE_PROTECTED), status);
    finish();
}

#define SMALL "segment 2 memory 64K cpuvisible\n"
#define SMALL_RANGE "segment 2 memory 64K cpuvisible vpr 0 64K\n"

void shows_D_233(void **state)
{
    const uint64_t all = 4 * VIDMM_PAGE_SIZE;

    (void)state;
    is_placed(RANGE, HARDWARE_PROTECTED, true);
    is_placed(RANGE, 0, false);
    is_placed(RANGE EACH, HARDWARE_PROTECTED, false);
    is_placed(RANGE EACH, HARDWARE_PROTECTED | CREATE_IN_VPR, true);
    is_placed(PLAIN EACH, HARDWARE_PROTECTED, false);
    is_refused(PLAIN, STATUS_INVALID_PARAMETER, "D-233");
    is_refused("wddm 2.0\nsegment 1 aperture 1M\nsegment 2 memory 128K cpuvisible\n",
               STATUS_NOT_SUPPORTED, "HardwareProtected (0x20000)");
    is_not_there_yet("wddm 2.1", STATUS_INVALID_PARAMETER);
    is_not_there_yet("wddm 2.2", STATUS_SUCCESS);
    assert_int_equal(moved(LEVEL SMALL, true, 0), 0);
    assert_int_equal(moved(LEVEL SMALL "move_paging on\n", false, 0), all);
    assert_int_equal(moved("wddm 2.0\nsegment 1 aperture 1M\n" SMALL, true, 0), all);
    assert_int_equal(moved(LEVEL SMALL_RANGE "move_paging on\n", false, CREATE_IN_VPR), all);
    assert_int_equal(
        moved(LEVEL SMALL_RANGE "move_paging on\nvpr_context on\n", false, CREATE_IN_VPR), 0);
    assert_int_equal(moved(RANGE "move_paging on\nvpr_context on\n", false, CREATE_IN_VPR), 0);
    assert_int_equal(moved(RANGE "move_paging on\nvpr_context on\n", false, 0), all);
}
