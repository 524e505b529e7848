/* shows_paging_process.c: the paging process, built each time that the adapter enters D0. */
#include "rules_rig.h"

#include <vidmm/paging_queue.h>

#include "vidmm/object/adapter.h"

#define IN_MEMORY                                                                                  \
    "wddm 2.6\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\n"                   \
    "page_table_segment 0\npaging_table_segment 2\n"
#define IN_SYSTEM                                                                                  \
    "wddm 2.6\nmmu gpu\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\n"                   \
    "page_table_segment 2\npaging_table_segment 0\n"

enum { SETS_MOST = 1024, LEVELS = 4 };

static struct shown shown;

/* ---- memory that the manager takes ---- */

/* Pages that were taken together, behind so many records, and where the CPU sees them. */
static struct {
    size_t behind;
    uint64_t frame, pages;
    const uint8_t *start;
} sets[SETS_MOST];
static size_t set_count;
static struct vidmm_host host, slot_host;

static bool take_pages(void *context, uint64_t count, uint64_t highest_frame, bool contiguous,
                       enum vidmm_caching caching, uint64_t *frames)
{
    bool taken = slot_host.take_pages(context, count, highest_frame, contiguous, caching, frames);

    assert_true(set_count < SETS_MOST);
    if (taken) {
        sets[set_count].behind = shown.call_count;
        sets[set_count].frame = frames[0];
        sets[set_count].pages = count;
        sets[set_count++].start = NULL;
    }
    return taken;
}

static void *map_pages(void *context, uint64_t count, const uint64_t *frames)
{
    void *start = slot_host.map_pages(context, count, frames);

    for (size_t at = set_count; at-- > 0;)
        if (sets[at].frame == frames[0] && sets[at].pages == count) {
            sets[at].start = start;
            break;
        }
    return start;
}

/* When the page at the CPU's address was taken; SIZE_MAX: it is of no such set. */
static size_t taken_at(const uint8_t *address)
{
    for (size_t at = set_count; at-- > 0;)
        if (sets[at].start != NULL && address >= sets[at].start &&
            address < sets[at].start + sets[at].pages * VIDMM_PAGE_SIZE)
            return sets[at].behind;
    return SIZE_MAX;
}

/* ---- what the miniport is asked ---- */

/* The return of the call that was entered there. */
static const struct shown_call *return_of(size_t entry)
{
    for (size_t at = entry; at < shown.call_count; at++)
        if (shown.calls[at].returned && shown.calls[at].entered == shown.calls[entry].sequence) {
            assert_int_equal(shown.calls[at].status, STATUS_SUCCESS);
            return &shown.calls[at];
        }
    fail_msg("a call has not returned");
    return NULL;
}

/* The next entry of the call, which no other of these comes before. */
static size_t next_of_building(size_t from, enum vidmm_ddi ddi)
{
    static const enum vidmm_ddi steps[] = {VIDMM_DDI_CREATE_PROCESS, VIDMM_DDI_CREATE_DEVICE,
                                           VIDMM_DDI_CREATE_CONTEXT, VIDMM_DDI_BUILD_PAGING_BUFFER,
                                           VIDMM_DDI_SET_ROOT_PAGE_TABLE};
    size_t first = SIZE_MAX;

    for (size_t index = 0; index < sizeof(steps) / sizeof(steps[0]); index++) {
        size_t at = shown_next(&shown, from, steps[index]);

        first = at < first ? at : first;
    }
    assert_int_not_equal(first, SIZE_MAX);
    assert_int_equal(shown.calls[first].ddi, ddi);
    return first;
}

static size_t next_device(size_t from, HANDLE process)
{
    size_t device = next_of_building(from, VIDMM_DDI_CREATE_DEVICE);

    assert_true(shown.calls[device].argument.create_device.Flags.SystemDevice);
    assert_ptr_equal(shown.calls[device].argument.create_device.hKmdProcess, process);
    return device;
}

/* One update of a table: where the caps say, and the first of a table initialises it. */
static void check_update(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update, size_t devices,
                         UINT segment, HANDLE process)
{
    const uint8_t *table = update->PageTableAddress.CpuVirtual;
    const uint8_t *memory = shown.rig.adapter->segments[2].cpu;

    assert_ptr_equal(update->hProcess, process);
    assert_int_equal(update->UpdateMode, DXGK_PAGETABLEUPDATE_CPU_VIRTUAL);
    if (segment == 0) {
        assert_int_not_equal(taken_at(table), SIZE_MAX);
        assert_true(taken_at(table) > devices);
    } else {
        assert_true(table >= memory && table < memory + (2u << 20));
    }
}

/* Updates from there on, all of them of these tables, up to another call. Every level is
 * initialised, and before anything else is written in it. */
static size_t check_updates(size_t from, UINT segment, HANDLE process)
{
    size_t at = next_of_building(from, VIDMM_DDI_BUILD_PAGING_BUFFER);
    UINT initialised = 0;

    for (; shown.calls[at].ddi == VIDMM_DDI_BUILD_PAGING_BUFFER; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at].argument.build;

        if (shown.calls[at].returned)
            continue;
        assert_int_equal(build->Operation, DXGK_OPERATION_UPDATE_PAGE_TABLE);
        check_update(&build->UpdatePageTable, from, segment, process);
        if (build->UpdatePageTable.Flags.InitialUpdate)
            initialised |= 1u << build->UpdatePageTable.PageTableLevel;
        assert_true(initialised >> build->UpdatePageTable.PageTableLevel & 1);
    }
    assert_int_equal(initialised, (1u << LEVELS) - 1);
    return at;
}

/* The handles of what a process was built from, the miniport's. */
struct built {
    HANDLE process, devices[2], context;
};

static struct built is_built(size_t from, UINT segment)
{
    size_t at = next_of_building(from, VIDMM_DDI_CREATE_PROCESS);
    struct built built;

    built.process =
        ((const DXGKARG_CREATEPROCESS *)(const void *)&return_of(at)->argument)->hKmdProcess;
    assert_non_null(built.process);
    for (int index = 0; index < 2; index++) {
        at = next_device(at + 1, built.process);
        built.devices[index] = return_of(at)->argument.create_device.hDevice;
    }
    at = next_of_building(at + 1, VIDMM_DDI_CREATE_CONTEXT);
    assert_ptr_equal(shown.calls[at].handle, built.devices[0]);
    assert_true(shown.calls[at].argument.create_context.Flags.SystemContext);
    built.context = return_of(at)->argument.create_context.hContext;
    at = check_updates(at + 1, segment, built.process);
    at = next_of_building(at, VIDMM_DDI_SET_ROOT_PAGE_TABLE);
    assert_ptr_equal(
        ((const DXGKARG_SETROOTPAGETABLE *)(const void *)&shown.calls[at].argument)->hContext,
        built.context);
    return built;
}

/* Between D3 and D0 nothing of before is left: what pages is destroyed, the process as the last. */
static void is_gone(size_t from, const struct built *old)
{
    size_t until = shown_next(&shown, from, VIDMM_DDI_CREATE_PROCESS);
    size_t context = shown_next(&shown, from, VIDMM_DDI_DESTROY_CONTEXT);
    size_t device = shown_next(&shown, from, VIDMM_DDI_DESTROY_DEVICE);
    size_t process = shown_next(&shown, from, VIDMM_DDI_DESTROY_PROCESS);

    assert_true(context < device && device < process && process < until);
    assert_ptr_equal(shown.calls[context].handle, old->context);
    assert_ptr_equal(shown.calls[device].handle, old->devices[1]);
    device = shown_next(&shown, device + 1, VIDMM_DDI_DESTROY_DEVICE);
    assert_true(device < process);
    assert_ptr_equal(shown.calls[device].handle, old->devices[0]);
    assert_ptr_equal(
        ((const struct vidmm_ddi_destroy_process *)(const void *)&shown.calls[process].argument)
            ->hKmdProcess,
        old->process);
}

/* An allocation comes in: the context that was made last pages, in its process. */
static void pages_by(const struct built *built, unsigned index)
{
    size_t from = shown.call_count, at;
    struct rig_allocation *one = &shown.rig.allocations[index];
    struct vidmm_residency_result result;
    struct vidmm_paging_queue *queue;

    assert_int_equal(rig_create(&shown.rig, one, 4 * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_make_resident(queue, &one->handle, 1, 0, &result, NULL), STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, NULL), STATUS_SUCCESS);
    at = shown_next_build(&shown, from, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    assert_int_not_equal(at, SIZE_MAX);
    assert_ptr_equal(shown.calls[at].argument.build.UpdatePageTable.hProcess, built->process);
    at = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL);
    assert_int_not_equal(at, SIZE_MAX);
    assert_ptr_equal(
        ((const DXGKARG_SUBMITCOMMANDVIRTUAL *)(const void *)&shown.calls[at].argument)->hContext,
        built->context);
}

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    set_count = 0;
    shown_build(&shown, &options, NULL);
    slot_host = *vidmm_slot_host(shown.rig.slot);
    host = slot_host;
    host.take_pages = take_pages;
    host.map_pages = map_pages;
    shown.rig.host = &host;
    if (rig_start(&shown.rig) != STATUS_SUCCESS)
        fail_msg("the rig does not start: %s", shown.rig.report.text);
}

static void is_built_each_time(const char *gpu, UINT segment)
{
    struct built built;
    size_t from;

    start(gpu);
    built = is_built(0, segment);
    pages_by(&built, 0);
    for (unsigned time = 1; time < 3; time++) {
        assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                         STATUS_SUCCESS);
        from = shown.call_count;
        assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                         STATUS_SUCCESS);
        from = shown_next(&shown, from, VIDMM_DDI_SET_POWER_STATE);
        is_gone(from, &built);
        built = is_built(from, segment);
        pages_by(&built, time);
    }
    shown_finish(&shown);
}

void shows_D_290(void **state)
{
    (void)state;
    is_built_each_time(IN_MEMORY, 2);
    is_built_each_time(IN_SYSTEM, 0);
    is_built_each_time(IN_MEMORY "context_save memory\n", 2); /* devices have memory of their own */
}
