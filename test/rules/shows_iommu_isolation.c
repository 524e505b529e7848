/* shows_iommu_isolation.c: iommu.def, obeyed: what the GPU reaches, and exclusive access. */
#include "flag_words.h"
#include "rules_rig.h"
#include "unit/test_by_address.h"

#include <vidmm/fence.h>
#include <vidmm/paging_queue.h>

#include "vidmm/client/fence_page.h"
#include "vidmm/object/fence.h"

/* ---- what the GPU reaches -------------------------------------------------------------------- */

enum { ISOLATED_PAGES = 160 /* more than one chunk of a transfer */ };

static struct vidmm_slot *probe;         /* a slot whose device would reach what the GPU does */
static struct vidmm_allocation *watched; /* NULL: none */
static unsigned transfers, maps;         /* of it */

static bool reaches_frame(uint64_t frame)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(probe);

    return bus->memory(bus->context, frame << VIDMM_PAGE_SHIFT, VIDMM_PAGE_SIZE) != NULL;
}

/* How many pages of its backing store the GPU reaches. */
static unsigned reached(const struct vidmm_allocation *allocation)
{
    unsigned count = 0;

    for (uint64_t page = 0; page < allocation->backing.pages; page++)
        count += reaches_frame(vidmm_backing_frame(&allocation->backing, page * VIDMM_PAGE_SIZE));
    return count;
}

/* The driver is asked for an operation that the GPU is to read or write the backing store by. */
static NTSTATUS build_and_look(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    bool of_it = watched != NULL && arguments->Transfer.hAllocation == watched->h_allocation;

    if (of_it && (arguments->Operation == DXGK_OPERATION_TRANSFER ||
                  arguments->Operation == DXGK_OPERATION_VIRTUAL_TRANSFER)) {
        assert_int_equal(reached(watched), watched->backing.pages);
        transfers++;
    }
    if (watched != NULL && arguments->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT &&
        arguments->MapApertureSegment.hAllocation == watched->h_allocation) {
        assert_int_equal(reached(watched), watched->backing.pages);
        maps++;
    }
    return by_build(adapter, arguments);
}

static void bend_look(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiBuildPagingBuffer = build_and_look;
}

/* Start, and attach the GPU and the probe. */
static void begin_isolated(const char *gpu)
{
    const struct vidmm_host *host;

    by_bend.driver = bend_look;
    by_start(gpu);
    by_bend.driver = NULL;
    probe = vidmm_machine_add_slot(by_rig.machine);
    assert_non_null(probe);
    host = vidmm_slot_host(probe);
    assert_int_equal(vidmm_adapter_isolate(by_rig.adapter, &by_rig.report), STATUS_SUCCESS);
    assert_true(host->attach_domain(host->context, by_rig.adapter->host));
    watched = NULL;
    transfers = maps = 0;
}

/* The GPU has found all that it looked for: the attached one was stopped at nothing. */
static void finish_isolated(void)
{
    uint64_t address;

    by_wait();
    assert_int_equal(vidmm_slot_faults(by_rig.slot, &address), 0);
    watched = NULL;
    by_finish();
}

/* In memory the GPU has no need of the backing store, on the way it has. */
static void is_reached_during_transfers(void)
{
    struct vidmm_allocation *one = by_create(ISOLATED_PAGES * UINT64_C(4096), 2);

    watched = one;
    assert_int_equal(reached(one), 0);
    for (unsigned round = 0; round < 2; round++) {
        unsigned before = transfers;

        by_make_resident(one->id); /* filled, and from then on transferred */
        by_wait();
        assert_int_equal(reached(one), 0);
        assert_int_equal(transfers > before, round > 0);
        before = transfers;
        by_evict(one->id);
        by_wait();
        assert_true(transfers > before);
        assert_int_equal(reached(one), 0);
    }
    vidmm_allocation_destroy(one);
    by_wait();
    watched = NULL;
}

/* In an aperture, or the implicit system memory segment, it is reached all the time. */
static void is_reached_in_an_aperture(uint32_t flags, bool mapped)
{
    struct vidmm_allocation *one = by_create_flagged(8 * UINT64_C(4096), 1, flags);

    watched = one;
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(reached(one), 0);
        by_make_resident(one->id);
        assert_int_equal(reached(one), one->backing.pages);
        by_wait();
        assert_int_equal(reached(one), one->backing.pages);
        by_evict(one->id);
        by_wait();
    }
    assert_int_equal(reached(one), 0);
    assert_int_equal(maps, mapped ? 2 : 0); /* or by page tables alone */
    by_make_resident(one->id);
    by_wait();
    vidmm_allocation_destroy(one); /* nothing mapped may be given back: the machine would say so */
    by_wait();
    watched = NULL;
}

static void fences_are_reached(void)
{
    struct vidmm_fence *fence;
    uint64_t frame;

    assert_int_equal(vidmm_fence_create(by_rig.device, 0, 0, &fence, &by_rig.report),
                     STATUS_SUCCESS);
    frame = vidmm_backing_frame(&fence->page->backing, 0);
    assert_true(reaches_frame(frame));
    vidmm_fence_destroy(fence);
    by_wait();
}

void shows_D_235(void **state)
{
    static const char *const tables[] = {
        "page_table_update gpu_physical\n",
        "page_table_update gpu_virtual\n",
        "page_table_update cpu_virtual\npage_table_segment 0\npaging_buffer_segment 0\n",
    };
    char gpu[300];

    (void)state;
    for (unsigned mode = 0; mode < 3; mode++) {
        snprintf(gpu, sizeof(gpu),
                 "wddm 2.4\nmmu gpu\nisolation on\nprivate_data 4K\nsegment 1 aperture 1M\n"
                 "segment 2 memory 4M cpuvisible\nindex_bits 7 8 6 6\nhabit %s\n%s",
                 mode == 1 ? "immediate" : "queued", tables[mode]);
        begin_isolated(gpu);
        is_reached_during_transfers();
        is_reached_in_an_aperture(0, false);
        is_reached_in_an_aperture(ACCESSED_PHYSICALLY, true);
        fences_are_reached();
        finish_isolated();
    }
    begin_isolated("wddm 2.4\nisolation on\nsegment 1 aperture 1M\n"
                   "segment 2 memory 4M cpuvisible\n"); /* by segments */
    is_reached_during_transfers();
    is_reached_in_an_aperture(0, true);
    finish_isolated();
}

/* ---- the notice before an unmap -------------------------------------------------------------- */

enum { UNMAPPED_PAGES = 40, BESIDE_PAGES = 300 };

/* A driver of the GpuVaIoMmu model, and a host that looks on as it unmaps. */
static struct unmaps {
    struct vidmm_host host;
    DXGKDDI_QUERYADAPTERINFO *query;
    uint32_t caps;    /* DXGK_IOMMU_CAPS.Value */
    uint32_t flags2;  /* of what is created from here on */
    uint64_t frame;   /* whose unmap is watched; 0: none */
    bool told;        /* the driver is told of it */
    unsigned count;   /* of unmaps of it */
    unsigned told_by; /* notices of unmaps when it was unmapped */
} unmaps;

#define NOTIFY_EVICTION 0x10u
#define NOTIFY_IOMMU_UNMAP 0x20u

static NTSTATUS query_of_model(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    if (query->Type != DXGKQAITYPE_IOMMU_CAPS)
        return unmaps.query(adapter, query);
    ((DXGK_IOMMU_CAPS *)query->pOutputData)->Value = unmaps.caps;
    return STATUS_SUCCESS;
}

static void with_flags2(DXGK_ALLOCATIONINFO *info)
{
    info->Flags2.Value = unmaps.flags2;
}

static unsigned notices(uint32_t flags, unsigned from)
{
    unsigned count = 0;

    for (; (from = by_next(from, DXGK_OPERATION_NOTIFY_ALLOC)) < by_count; from++)
        count += by_calls[from].build.NotifyAllocation.Flags.Value == flags;
    return count;
}

static uint64_t paging_in_flight(void)
{
    uint64_t count = 0;

    for (uint32_t node = 0; node < 2; node++) {
        struct vidmm_node_use use = vidmm_engine_node_use(by_rig.adapter->engine, node);

        count += use.paging.submitted - use.paging.completed;
    }
    return count;
}

/* obeyed: all paging operations are complete */
static void unmap_and_look(void *context, uint64_t count, const uint64_t *frames)
{
    if (unmaps.frame != 0 && frames[0] == unmaps.frame) {
        assert_true(!unmaps.told || paging_in_flight() == 0);
        unmaps.count++;
        unmaps.told_by = notices(2, 0);
    }
    vidmm_slot_host(by_rig.slot)->unmap_domain(context, count, frames);
}

static void bend_unmaps(DRIVER_INITIALIZATION_DATA *driver)
{
    unmaps.query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_of_model;
    shown_bend.change = with_flags2;
    shown_bend_creation(driver);
    unmaps.host = *vidmm_slot_host(by_rig.slot);
    unmaps.host.unmap_domain = unmap_and_look;
    by_rig.host = &unmaps.host;
}

static void begin_unmaps(uint64_t seed, uint32_t caps, const char *more)
{
    char gpu[300];

    snprintf(gpu, sizeof(gpu),
             "wddm 3.2\nmmu gpu\nisolation on\nprivate_data 4K\nsegment 1 aperture 4M\n"
             "segment 2 memory 4M cpuvisible\nindex_bits 7 8 6 6\n%s",
             more);
    unmaps = (struct unmaps){.caps = caps};
    by_seed = seed;
    by_bend.driver = bend_unmaps;
    by_start(gpu);
    by_bend.driver = NULL;
    by_seed = 0;
}

/* Paging of another allocation is under way. */
static void begin_paging_beside(const struct vidmm_allocation *beside)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};

    event.residency.queue = 1;
    event.residency.count = 1;
    event.residency.allocations = &beside->id;
    by_tell(event);
}

/* Its two mappings are told of, in the process whose they are, and not of eviction. */
static void is_told_for(const struct vidmm_allocation *one, unsigned from,
                        const uint64_t *addresses)
{
    bool seen[2] = {false, false};

    for (; (from = by_next(from, DXGK_OPERATION_NOTIFY_ALLOC)) < by_count; from++) {
        const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *told = &by_calls[from].build.NotifyAllocation;
        unsigned which = told->GpuVirtualAddressAtOffset == addresses[0] ? 0 : 1;

        assert_ptr_equal(told->hAllocation, one->h_allocation);
        assert_true(told->Flags.Value == 1 || told->Flags.Value == 2); /* one of them */
        if (told->Flags.Value == 1)
            continue;
        assert_int_equal(told->GpuVirtualAddressAtOffset, addresses[which]);
        assert_ptr_equal(told->hKmdProcessHandle, by_process(BY_PROGRAM));
        assert_int_equal(told->OffsetInBytes, 0);
        assert_int_equal(told->SizeInBytes, UNMAPPED_PAGES * UINT64_C(4096));
        assert_false(seen[which]);
        seen[which] = true;
    }
    assert_true(seen[0] && seen[1]);
}

/* It comes to an aperture and leaves while something else pages; `told`: of the unmap. */
static void leave_beside_paging(uint32_t flags2, bool told)
{
    struct vidmm_allocation *one, *beside;
    uint64_t addresses[2];
    unsigned from;

    unmaps.flags2 = flags2;
    one = by_create(UNMAPPED_PAGES * UINT64_C(4096), 1);
    unmaps.flags2 = 0;
    beside = by_create(BESIDE_PAGES * UINT64_C(4096), 2);
    for (unsigned i = 0; i < 2; i++)
        addresses[i] = by_map(one, 0, VIDMM_ADDRESSES_WRITE);
    for (unsigned round = 0; round < 2; round++) {
        by_make_resident(one->id);
        by_wait();
        from = by_count;
        unmaps.frame = vidmm_backing_frame(&one->backing, 0);
        unmaps.told = told;
        unmaps.count = 0;
        begin_paging_beside(beside);
        by_evict(one->id);
        by_evict(beside->id);
        by_wait();
        unmaps.frame = 0;
        assert_int_equal(unmaps.count, 1);
        assert_int_equal(notices(2, from), told ? 2 : 0);
        assert_int_equal(notices(1, from) > 0, (flags2 & NOTIFY_EVICTION) != 0);
        assert_int_equal(unmaps.told_by, notices(2, 0)); /* before the unmap */
        if (told)
            is_told_for(one, from, addresses);
    }
    vidmm_allocation_destroy(one);
    vidmm_allocation_destroy(beside);
}

void shows_D_144(void **state)
{
    enum { ISOLATED = 1, VA = 8, VA_GLOBAL = 16 };

    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const char *more = seed % 2 == 0 ? "page_table_update gpu_physical\n"
                                         : "page_table_update cpu_virtual\npage_table_segment 0\n";

        begin_unmaps(seed, ISOLATED | (seed % 2 == 0 ? VA : VA_GLOBAL), more);
        leave_beside_paging(NOTIFY_IOMMU_UNMAP, true);
        leave_beside_paging(NOTIFY_IOMMU_UNMAP | NOTIFY_EVICTION, true);
        by_finish();
    }
    begin_unmaps(0, ISOLATED, ""); /* another model */
    leave_beside_paging(NOTIFY_IOMMU_UNMAP, false);
    by_finish();
    shown_bend.change = NULL;
}

/* ---- exclusive access ------------------------------------------------------------------------ */

enum { EXCLUSIVE_COMMANDS = 4 };

/* An adapter whose devices are attached while programs are at work. The driver takes a second, on
 * the machine's clock, in which everybody else does what he can. */
static struct exclusive {
    struct shown shown;
    struct vidmm_host host;        /* the slot's, but for what is watched */
    const struct vidmm_host *slot; /* of the lead */
    DRIVER_INITIALIZATION_DATA driver;
    struct vidmm_paging_queue *queue;
    struct rig_allocation used;
    uint64_t frame; /* of `used`, which an aperture shows */
    bool inside;    /* between BeginExclusiveAccess and EndExclusiveAccess */
    bool tried;     /* another program has asked for something meanwhile */
    unsigned begun, ended, attached;
    NTSTATUS status; /* of attaching */
} exclusive;

static bool gpu_reaches(void)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(exclusive.shown.rig.slot);

    return bus->memory(bus->context, exclusive.frame << VIDMM_PAGE_SHIFT, 8) != NULL;
}

static bool never(void *argument)
{
    (void)argument;
    return false;
}

/* Others have a second for what they want. */
static void linger(void)
{
    const struct vidmm_host *host = exclusive.slot;

    host->wait(host->context, never, NULL, UINT64_C(1000000000));
}

/* Packets that the GPU was given and has not completed. */
static unsigned in_flight(void)
{
    struct vidmm_node_use use;
    uint64_t count = 0;

    for (uint32_t node = 0; node < 2; node++) {
        use = vidmm_engine_node_use(exclusive.shown.rig.adapter->engine, node);
        count += use.render.submitted - use.render.completed;
        count += use.paging.submitted - use.paging.completed;
    }
    return (unsigned)count;
}

static NTSTATUS begin_and_linger(HANDLE adapter, DXGKARG_BEGINEXCLUSIVEACCESS *arguments)
{
    assert_int_equal(in_flight(), 0); /* all work is flushed */
    exclusive.begun++;
    exclusive.inside = true;
    linger();
    return exclusive.driver.DxgkDdiBeginExclusiveAccess(adapter, arguments);
}

static NTSTATUS linger_and_end(HANDLE adapter, DXGKARG_ENDEXCLUSIVEACCESS *arguments)
{
    linger();
    assert_int_equal(in_flight(), 0); /* the scheduler is suspended */
    exclusive.inside = false;
    exclusive.ended++;
    return exclusive.driver.DxgkDdiEndExclusiveAccess(adapter, arguments);
}

static void bend_exclusive(DRIVER_INITIALIZATION_DATA *driver)
{
    exclusive.driver = *driver;
    driver->DxgkDdiBeginExclusiveAccess = begin_and_linger;
    driver->DxgkDdiEndExclusiveAccess = linger_and_end;
}

/* Between domains the device reaches nothing, and behind that what is mapped. */
static bool attach_and_look(void *context, const struct vidmm_host *owner)
{
    struct vidmm_host lead = *exclusive.slot;

    assert_true(exclusive.inside && owner == &exclusive.host);
    assert_false(gpu_reaches());
    exclusive.attached++;
    if (!exclusive.slot->attach_domain(context, &lead))
        return false;
    assert_true(gpu_reaches());
    return true;
}

static enum vidmm_caller_state program_that_attaches(void *argument)
{
    (void)argument;
    exclusive.status =
        vidmm_adapter_isolate(exclusive.shown.rig.adapter, &exclusive.shown.rig.report);
    return VIDMM_CALLER_DONE;
}

/* It renders, creates and destroys while the driver has exclusive access. */
static enum vidmm_caller_state program_beside(void *argument)
{
    struct rig *rig = &exclusive.shown.rig;
    struct rig_allocation *used = &exclusive.used, other;

    (void)argument;
    if (!exclusive.inside)
        return VIDMM_CALLER_RAN;
    exclusive.tried = true;
    assert_int_equal(rig_render(rig, &used, 1, 1), STATUS_SUCCESS);
    assert_int_equal(rig_create(rig, &other, 4096, 1, 0), STATUS_SUCCESS);
    vidmm_allocation_destroy(other.handle);
    return VIDMM_CALLER_DONE;
}

static void begin_exclusive(uint64_t seed)
{
    struct rig_options options = rig_defaults();
    struct rig *rig = &exclusive.shown.rig;
    struct vidmm_residency_result result;
    NTSTATUS status;

    memset(&exclusive, 0, sizeof(exclusive));
    options.gpu = "wddm 2.4\nisolation on\n";
    options.machine_seed = seed;
    shown_build(&exclusive.shown, &options, bend_exclusive);
    exclusive.slot = vidmm_slot_host(rig->slot);
    exclusive.host = *exclusive.slot;
    exclusive.host.attach_domain = attach_and_look;
    rig->host = &exclusive.host;
    if (rig_start(rig) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    assert_int_equal(vidmm_paging_queue_create(rig->device, 1, &exclusive.queue, NULL),
                     STATUS_SUCCESS);
    if (rig_create(rig, &exclusive.used, 9000, 1, ACCESSED_PHYSICALLY) != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    status =
        vidmm_make_resident(exclusive.queue, &exclusive.used.handle, 1, 0, &result, &rig->report);
    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(exclusive.queue, result.value, &rig->report);
    if (status != STATUS_SUCCESS)
        fail_msg("%s", rig->report.text);
    exclusive.frame = vidmm_backing_frame(&exclusive.used.handle->backing, 0);
}

/* From BeginExclusiveAccess on until EndExclusiveAccess has returned nothing of the driver is
 * called, but by the hardware: it masks late interrupts, if it minds. */
static void nothing_was_called_between(void)
{
    const struct shown *shown = &exclusive.shown;
    size_t begin = shown_next(shown, 0, VIDMM_DDI_BEGIN_EXCLUSIVE_ACCESS), end = begin;
    unsigned records = 0;

    assert_true(begin != SIZE_MAX);
    for (; shown->calls[end].ddi != VIDMM_DDI_END_EXCLUSIVE_ACCESS || !shown->calls[end].returned;
         end++) {
        assert_true(end + 1 < shown->call_count);
        records += shown->calls[end].ddi != VIDMM_DDI_INTERRUPT_ROUTINE;
    }
    assert_int_equal(records, 3); /* the two are entered, and the first returns */
    assert_true(shown_next(shown, end, VIDMM_DDI_RENDER) != SIZE_MAX); /* what was kept out */
    assert_true(shown_next(shown, end, VIDMM_DDI_CREATE_ALLOCATION) != SIZE_MAX);
}

static void attach_beside_work(uint64_t seed)
{
    struct rig *rig = &exclusive.shown.rig;
    struct rig_allocation *used = &exclusive.used;
    uint64_t address, before;
    char stuck[300] = "";

    begin_exclusive(seed);
    for (unsigned i = 0; i < EXCLUSIVE_COMMANDS; i++)
        if (rig_render(rig, &used, 1, 1) != STATUS_SUCCESS)
            fail_msg("%s", rig->report.text);
    before = vidmm_slot_faults(rig->slot, &address);
    assert_true(vidmm_machine_add_caller(rig->machine, "attaches", program_that_attaches, NULL));
    assert_true(vidmm_machine_add_caller(rig->machine, "beside", program_beside, NULL));
    if (!vidmm_machine_run(rig->machine, stuck, sizeof(stuck)))
        fail_msg("%s", stuck);
    assert_int_equal(exclusive.status, STATUS_SUCCESS);
    assert_true(exclusive.tried);
    assert_int_equal(exclusive.begun, 1);
    assert_int_equal(exclusive.ended, 1);
    assert_int_equal(exclusive.attached, 1);
    assert_int_equal(vidmm_slot_faults(rig->slot, &address), before + 1); /* that of gpu_reaches */
    nothing_was_called_between();
    assert_int_equal(vidmm_context_wait(rig->context, rig->value), STATUS_SUCCESS);
    vidmm_paging_queue_destroy(exclusive.queue);
    vidmm_allocation_destroy(used->handle);
    shown_finish(&exclusive.shown);
}

void shows_D_237(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        attach_beside_work(seed);
}
