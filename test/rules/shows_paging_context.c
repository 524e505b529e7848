/* shows_paging_context.c: paging-context.def, obeyed. */
#include "rules_rig.h"
#include "unit/test_by_address.h"

#include <wddm/d3dkmddi_callback.h>

#include "vidmm/ddi/registry.h"

static bool is_init(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    return build->Operation == DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
}

/* The place that an initialisation brings, and whether the driver is to write there by the CPU. */
static void check_init(const DXGKARG_BUILDPAGINGBUFFER *build, bool aperture)
{
    assert_non_null(build->InitContextResource.hAllocation);
    assert_int_equal(build->InitContextResource.Destination.SegmentId, aperture ? 1 : 2);
    assert_int_equal(build->InitContextResource.Destination.VirtualAddress != NULL, aperture);
}

/* Initialisations since a call, all of them in that place; those of calls that were repeated count
 * once. */
static unsigned inits(const struct shown *shown, size_t from, bool aperture)
{
    HANDLE known[8];
    unsigned count = 0, index;

    for (; (from = shown_next(shown, from, VIDMM_DDI_BUILD_PAGING_BUFFER)) != SIZE_MAX; from++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown->calls[from].argument.build;

        if (!is_init(build))
            continue;
        check_init(build, aperture);
        for (index = 0; index < count; index++)
            if (known[index] == build->InitContextResource.hAllocation)
                break;
        if (index == count) {
            assert_true(count < 8);
            known[count++] = build->InitContextResource.hAllocation;
        }
    }
    return count;
}

/* The context's own allocation and the table of all contexts: before the first DMA buffer, never
 * again. A CPU address comes where they are CpuVisible, Protected and in apertures alone. */
static void initialises(const char *gpu, bool aperture)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct shown shown;
    size_t submit;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    one = shown_create(&shown, 0, 1, 1);
    assert_int_equal(inits(&shown, 0, aperture), 0);
    shown_use_one(&shown, one, true);
    assert_int_equal(inits(&shown, 0, aperture), 2);
    submit = shown_next(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND);
    while (shown_submit(&shown, submit)->Flags.Paging)
        submit = shown_next(&shown, submit + 1, VIDMM_DDI_SUBMIT_COMMAND);
    assert_int_equal(inits(&shown, submit, aperture), 0);
    shown_use_one(&shown, one, true);
    assert_int_equal(inits(&shown, submit, aperture), 0);
    shown_finish(&shown);
}

void shows_D_137(void **state)
{
    (void)state;
    initialises("context_save memory\n", false);
    initialises("context_save aperture\n", true);
}

/* ---- UpdateContextAllocation ----------------------------------------------------------------- */

enum { DATA_SIZE = 300, CONTEXT_ALLOCATIONS = 4 };

static DXGKDDI_START_DEVICE *start_really;
static DXGKCB_CREATECONTEXTALLOCATION create_really;
static DXGKRNL_INTERFACE kernel;
static HANDLE handles[CONTEXT_ALLOCATIONS];
static unsigned handle_count;
static unsigned char passed_on[DATA_SIZE]; /* private data, as the operation brought it */

static NTSTATUS create_and_note(DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    NTSTATUS status = create_really(arguments);

    assert_true(status == STATUS_SUCCESS && handle_count < CONTEXT_ALLOCATIONS);
    handles[handle_count++] = arguments->hAllocation;
    return status;
}

static NTSTATUS start_and_note(PVOID adapter, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                               PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE mine = *interface;

    kernel = *interface;
    create_really = kernel.DxgkCbCreateContextAllocation;
    mine.DxgkCbCreateContextAllocation = create_and_note;
    return start_really(adapter, info, &mine, sources, children);
}

/* The data is good during the call. */
static NTSTATUS build_and_note(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION *update =
        &arguments->UpdateContextAllocation;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION) {
        assert_int_equal(update->DriverPrivateDataSize, DATA_SIZE);
        memcpy(passed_on, update->pDriverPrivateData, DATA_SIZE);
    }
    return by_build(adapter, arguments);
}

static void bend_updates(DRIVER_INITIALIZATION_DATA *driver)
{
    start_really = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_note;
    driver->DxgkDdiBuildPagingBuffer = build_and_note;
    handle_count = 0;
}

/* The allocation's bytes in memory, as the CPU sees them. */
static void read_memory(const struct vidmm_allocation *allocation, unsigned char *bytes)
{
    struct vidmm_place place = vidmm_engine_where(by_rig.adapter->engine, allocation->id);
    const struct vidmm_host *host = by_rig.adapter->host;
    struct vidmm_segment_info info;
    const void *mapped;

    assert_int_equal(place.segment, 2);
    vidmm_adapter_segment(by_rig.adapter, place.segment, &info);
    mapped = host->map_physical(host->context, info.cpu_translated_address + place.offset,
                                VIDMM_PAGE_SIZE);
    assert_non_null(mapped);
    memcpy(bytes, mapped, DATA_SIZE);
    host->unmap_physical(host->context, (void *)(uintptr_t)mapped, VIDMM_PAGE_SIZE);
}

/* All pages of the allocation are at that address of the paging process, when call `at` is made. */
static void is_mapped_for(unsigned at, const struct vidmm_allocation *allocation, UINT64 address)
{
    struct vidmm_place place = vidmm_engine_where(by_rig.adapter->engine, allocation->id);
    HANDLE paging = by_rig.adapter->system_process->h_process;
    const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush = &by_calls[at - 1].build.FlushTlb;
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &by_calls[at - 2].build.UpdatePageTable;

    assert_true(at >= 2);
    assert_int_equal(by_calls[at - 1].what, DXGK_OPERATION_FLUSH_TLB);
    assert_ptr_equal(flush->hProcess, paging);
    assert_in_range(address, flush->StartVirtualAddress, flush->EndVirtualAddress - 1);
    assert_int_equal(by_calls[at - 2].what, DXGK_OPERATION_UPDATE_PAGE_TABLE);
    assert_ptr_equal(update->hProcess, paging);
    assert_ptr_equal(update->hAllocation, allocation->h_allocation);
    assert_int_equal(update->FirstPteVirtualAddress, address);
    assert_int_equal(update->NumPageTableEntries, allocation->backing.pages);
    for (unsigned page = 0; page < allocation->backing.pages; page++) {
        assert_true(by_calls[at - 2].entries[page].Valid);
        assert_int_equal(by_calls[at - 2].entries[page].Segment, place.segment);
        assert_int_equal(by_calls[at - 2].entries[page].PageAddress,
                         (place.offset >> VIDMM_PAGE_SHIFT) + page);
    }
}

/* The change is not lost: the driver has made the first content before. */
static void is_initialised_before(unsigned at, const struct vidmm_allocation *allocation)
{
    unsigned init = 0;

    while ((init = by_next(init, DXGK_OPERATION_INIT_CONTEXT_RESOURCE)) < at &&
           by_calls[init].build.InitContextResource.hAllocation != allocation->h_allocation)
        init++;
    assert_true(init < at);
}

/* One request, from a driver's thread: when it returns the GPU has written the driver's data. */
static void changes(HANDLE handle, unsigned char first_byte)
{
    struct vidmm_allocation *allocation =
        vidmm_registry_find_in(by_rig.adapter, handle, VIDMM_HANDLE_ALLOCATION);
    unsigned char data[DATA_SIZE], seen[DATA_SIZE];
    DXGKARGCB_UPDATECONTEXTALLOCATION update = {
        .hAllocation = handle, .pPrivateDriverData = data, .PrivateDriverDataSize = DATA_SIZE};
    const DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION *told;
    unsigned from = by_count, at;

    for (unsigned byte = 0; byte < DATA_SIZE; byte++)
        data[byte] = (unsigned char)(first_byte + byte);
    assert_int_equal(kernel.DxgkCbUpdateContextAllocation(kernel.DeviceHandle, &update),
                     STATUS_SUCCESS);
    read_memory(allocation, seen); /* at once: nothing is waited for here */
    assert_memory_equal(seen, data, DATA_SIZE);
    assert_memory_equal(passed_on, data, DATA_SIZE);
    at = by_next(from, DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION);
    assert_true(at < by_count);
    told = &by_calls[at].build.UpdateContextAllocation;
    assert_int_equal(told->ContextAllocationSize,
                     allocation->backing.pages * (UINT64)VIDMM_PAGE_SIZE);
    is_mapped_for(at, allocation, told->ContextAllocation);
    is_initialised_before(at, allocation);
    assert_int_equal(by_next(at + 1, DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION), by_count);
}

/* The allocations of a context and of all of them, before anything has run, and once more. */
void shows_D_140(void **state)
{
    (void)state;
    by_bend.driver = bend_updates;
    by_start(BY_GPU "context_save memory\n");
    assert_true(handle_count >= 2);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned index = 0; index < 2; index++)
            changes(handles[index], (unsigned char)(17 * round + 5 * index));
    by_bend.driver = NULL;
    by_finish();
}
