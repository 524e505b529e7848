/* adapter.c: start an adapter, stop it, ask what it is like.
 *
 *     AddDevice, StartDevice, QueryChildRelations       the driver takes the device
 *     caps, segments                                     kmd_query.c
 *     engine, bootstrap paging buffer                    contiguous system memory, id 1
 *     system device and context                          for the paging node
 *     paging buffers in their aperture                   mapped by operations in the bootstrap buffer
 *
 * Stopping is the same backwards. The bootstrap buffer exists because the first MapApertureSegment
 * must be written into some buffer, and the others cannot be fetched from an aperture that does not
 * show them yet.
 *
 * Source: DXGKDDI_ADD_DEVICE, DXGKDDI_START_DEVICE, DXGK_START_INFO; rules D-273 to D-280, D-286,
 * D-298.
 */
#include "seen.h"

#include "wddm/level.h"

#define BOOTSTRAP 1u

void vidmm_adapter_options_default(struct vidmm_adapter_options *options)
{
    *options = (struct vidmm_adapter_options){
        .first_fence = 1,
        .paging_buffers = 4,
        .dma_buffers = 8,
        .queue_limit = 31,
        .timeout_ms = 2000,
        .driver_timeout_ms = 5000,
        .patch_paging = true,
    };
}

/* ---- checks before anything is called ------------------------------------------------------------------- */

static NTSTATUS check_options(const struct vidmm_adapter_options *options,
                              struct vidmm_report *report)
{
    const struct {
        const char *name;
        uint64_t value, least, most;
        const char *legal;
    } rows[] = {
        {"first_fence", options->first_fence, 1, UINT64_MAX >> 1, "legal: 1 to 2^63 - 1"},
        {"paging_buffers", options->paging_buffers, 1, 64, "legal: 1 to 64"},
        {"dma_buffers", options->dma_buffers, 1, 64, "legal: 1 to 64"},
        {"queue_limit", options->queue_limit, 1, 1024, "legal: 1 to 1024"},
        {"timeout_ms", options->timeout_ms, 1, UINT32_MAX, "legal: 1 and more"},
        {"split_transfer_size", options->split_transfer_size % VIDMM_PAGE_SIZE, 0, 0,
         "legal: 0 or whole pages of 4096 bytes (what is over is shown)"},
    };
    size_t index;

    for (index = 0; index < sizeof(rows) / sizeof(rows[0]); index++) {
        if (rows[index].value < rows[index].least || rows[index].value > rows[index].most) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, rows[index].name,
                                        rows[index].value, rows[index].legal);
        }
    }
    return STATUS_SUCCESS;
}

static const char *missing_entry(const DRIVER_INITIALIZATION_DATA *driver)
{
    const struct {
        bool there;
        const char *name;
    } rows[] = {
        {driver->DxgkDdiAddDevice, "DxgkDdiAddDevice"},
        {driver->DxgkDdiStartDevice, "DxgkDdiStartDevice"},
        {driver->DxgkDdiStopDevice, "DxgkDdiStopDevice"},
        {driver->DxgkDdiRemoveDevice, "DxgkDdiRemoveDevice"},
        {driver->DxgkDdiInterruptRoutine, "DxgkDdiInterruptRoutine"},
        {driver->DxgkDdiQueryAdapterInfo, "DxgkDdiQueryAdapterInfo"},
        {driver->DxgkDdiCreateDevice, "DxgkDdiCreateDevice"},
        {driver->DxgkDdiDestroyDevice, "DxgkDdiDestroyDevice"},
        {driver->DxgkDdiCreateAllocation, "DxgkDdiCreateAllocation"},
        {driver->DxgkDdiDestroyAllocation, "DxgkDdiDestroyAllocation"},
        {driver->DxgkDdiOpenAllocation, "DxgkDdiOpenAllocation"},
        {driver->DxgkDdiCloseAllocation, "DxgkDdiCloseAllocation"},
        {driver->DxgkDdiPatch, "DxgkDdiPatch"},
        {driver->DxgkDdiSubmitCommand, "DxgkDdiSubmitCommand"},
        {driver->DxgkDdiBuildPagingBuffer, "DxgkDdiBuildPagingBuffer"},
        {driver->DxgkDdiRender, "DxgkDdiRender"},
    };
    size_t index;

    for (index = 0; index < sizeof(rows) / sizeof(rows[0]); index++) {
        if (!rows[index].there) {
            return rows[index].name;
        }
    }
    return NULL;
}

/* ---- the driver takes the device --------------------------------------------------------------------------- */

static NTSTATUS add_device(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    PVOID context = NULL;
    NTSTATUS status = adapter->driver.DxgkDdiAddDevice(adapter->physical_device_object, &context);

    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "status of DxgkDdiAddDevice", (uint32_t)status,
                                    "the driver would not take the device");
    }
    if (!context) { /* obeys D-274 */
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                    "MiniportDeviceContext", 0,
                                    "the driver declines this device (D-274)");
    }
    adapter->h_adapter = context;
    return STATUS_SUCCESS;
}

/* obeys D-279, D-280 */
static bool is_zero(const void *block, size_t size)
{
    const uint8_t *bytes = block;
    size_t index;

    for (index = 0; index < size && bytes[index] == 0; index++) {
    }
    return index == size;
}

VIDMM_SEES(D_280);
static NTSTATUS query_children(struct vidmm_adapter *adapter, uint32_t children)
{
    size_t bytes = (children + 1) * sizeof(DXGK_CHILD_DESCRIPTOR);
    DXGK_CHILD_DESCRIPTOR *relations;
    NTSTATUS status;

    if (!adapter->driver.DxgkDdiQueryChildRelations) {
        return STATUS_SUCCESS;
    }
    relations = vidmm_allocate(adapter->host, bytes);
    if (!relations) {
        return STATUS_NO_MEMORY;
    }
    status =
        adapter->driver.DxgkDdiQueryChildRelations(adapter->h_adapter, relations, (ULONG)bytes);
    if (status == STATUS_SUCCESS && !is_zero(&relations[children], sizeof(*relations))) {
        vidmm_seen(adapter, VIDMM_RULE_D_280, "element of the child relations", children);
    }
    vidmm_free(adapter->host, relations);
    return status;
}

static NTSTATUS start_device(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    DXGK_START_INFO info;
    ULONG sources = 0, children = 0;
    NTSTATUS status;

    memset(&info, 0, sizeof(info));
    info.RequiredDmaQueueEntry = adapter->options.queue_limit; /* obeys D-277 */
    vidmm_kmd_fill_callbacks(adapter);
    status = adapter->driver.DxgkDdiStartDevice(adapter->h_adapter, &info, &adapter->callbacks,
                                                &sources, &children);
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "status of DxgkDdiStartDevice",
                                    (uint32_t)status, "the driver could not start the device");
    }
    adapter->started = true;
    adapter->sources = sources;
    if (children > 1024) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "NumberOfChildren",
                                    children, "more than 1024 is no display adapter (D-276)");
    }
    status = query_children(adapter, children);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of DxgkDdiQueryChildRelations",
                                      (uint32_t)status, "it must succeed (D-279)");
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

uint32_t vidmm_adapter_nodes(const struct vidmm_adapter *adapter)
{
    return adapter->multi_engine ? adapter->caps.GpuEngineTopology.NbAsymetricProcessingNodes : 1;
}

static NTSTATUS create_engine(struct vidmm_adapter *adapter)
{
    struct vidmm_engine_config config = {
        .segment_count = adapter->segment_count,
        .node_count = vidmm_adapter_nodes(adapter),
        .paging_node =
            adapter->multi_engine ? adapter->caps.MemoryManagementCaps.PagingNode : 0, /* D-260 */
        .queue_limit = adapter->options.queue_limit,
        .first_fence = adapter->options.first_fence,
        .timeout_ns = adapter->options.timeout_ms * UINT64_C(1000000),
        .driver_timeout_ns = adapter->options.driver_timeout_ms * UINT64_C(1000000),
        .preemption = vidmm_kmd_preempts(adapter),
        .per_engine_reset = vidmm_kmd_resets_engines(adapter),
        .split_transfer_size = adapter->options.split_transfer_size,
        .aperture_commit_limit = vidmm_aperture_commit_limit(adapter),
        .move_directly = adapter->options.move_directly,
        .submit_empty = adapter->options.submit_empty,
        .reject_leaks = adapter->options.reject_leaks &&
                        adapter->caps.SchedulingCaps.PreemptionAware &&
                        !adapter->caps.SchedulingCaps.NoDmaPatching,
    };
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        config.segments[id] = (struct vidmm_engine_segment){
            .size = adapter->segments[id].info.size,
            .commit_limit = adapter->segments[id].info.commit_limit,
            .aperture = flags.Aperture,
            .cpu_visible = adapter->segments[id].cpu != NULL,
            .preserved_standby = flags.PreservedDuringStandby,
            .preserved_hibernate = flags.PreservedDuringHibernate,
            .preserved_end = flags.PartiallyPreservedDuringHibernate
                                 ? adapter->segments[id].info.system_memory_end
                                 : 0,
            .pitch_aligned = flags.PitchAlignment,
            .bank_count = adapter->segments[id].info.bank_count,
            .bank_ends = adapter->segments[id].info.bank_ends,
        };
    }
    if (adapter->options.observer && adapter->options.observer->engine) {
        adapter->options.observer->engine(adapter->options.observer->context, &config);
    }
    adapter->engine = vidmm_engine_create(&config, &adapter->host->memory);
    return adapter->engine ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

/* The CPU's window on a CpuVisible memory segment (D-009); the address that an aperture names may be a
 * lie, and is never used (kit). */
static NTSTATUS map_segments(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        struct vidmm_segment_view *segment = &adapter->segments[id];
        DXGK_SEGMENTFLAGS flags = {.Value = segment->info.flags};

        if (flags.CpuVisible && !flags.Aperture) {
            segment->cpu = host->map_physical(host->context, segment->info.cpu_translated_address,
                                              segment->info.size);
            if (!segment->cpu) {
                return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                            "CpuTranslatedAddress",
                                            segment->info.cpu_translated_address,
                                            "there is no such memory of the device (D-009)");
            }
        }
    }
    return STATUS_SUCCESS;
}

static NTSTATUS use_paging_buffers(struct vidmm_adapter *adapter, uint32_t first, uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS};

    event.paging_buffers.first = first;
    event.paging_buffers.count = count;
    return vidmm_pump_event(adapter, &event);
}

static NTSTATUS init_paging_buffer(struct vidmm_adapter *adapter, uint32_t id, uint32_t segment_set)
{
    return vidmm_command_memory_init(adapter, adapter->system_device, &adapter->paging[id].memory,
                                     segment_set, adapter->paging_size,
                                     adapter->paging_private_size);
}

/* obeys D-286 */
static NTSTATUS init_paging(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t set = adapter->paging_segment == 0 ? 0 : 1u << (adapter->paging_segment - 1);
    uint32_t index;
    NTSTATUS status = init_paging_buffer(adapter, BOOTSTRAP, 0);

    if (status == STATUS_SUCCESS) {
        status = use_paging_buffers(adapter, BOOTSTRAP, 1);
    }
    if (status == STATUS_SUCCESS) {
        status = vidmm_system_context_create(adapter);
    }
    for (index = 1; index <= adapter->options.paging_buffers && status == STATUS_SUCCESS; index++) {
        status = init_paging_buffer(adapter, BOOTSTRAP + index, set);
    }
    if (status == STATUS_SUCCESS) {
        status = use_paging_buffers(adapter, BOOTSTRAP + 1, adapter->options.paging_buffers);
    }
    if (status != STATUS_SUCCESS) {
        const char *why = adapter->stopped ? adapter->stop_report.text
                                           : "paging buffers, system device or context: no room, "
                                             "or the driver refused";

        return vidmm_report_refusal(report, status, "status of setting up paging", (uint32_t)status,
                                    why);
    }
    return STATUS_SUCCESS;
}

/* ---- start --------------------------------------------------------------------------------------------------- */

static NTSTATUS connect(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_host_client client = {
        .argument = adapter,
        .service = vidmm_kmd_interrupt,
        .dpc = vidmm_kmd_dpc,
        .work = vidmm_pump_work,
        .work_never_waits = true,
    };

    adapter->connected = adapter->host->connect(adapter->host->context, &client);
    return adapter->connected ? STATUS_SUCCESS
                              : vidmm_report_refusal(report, STATUS_NO_MEMORY, "the interrupt", 0,
                                                     "the host could not connect it");
}

static NTSTATUS bring_up(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = add_device(adapter, report);

    if (status == STATUS_SUCCESS) {
        status = connect(adapter, report);
    }
    if (status == STATUS_SUCCESS) {
        status = start_device(adapter, report);
    }
    if (status == STATUS_SUCCESS) {
        status = vidmm_kmd_query(adapter, report);
    }
    if (status == STATUS_SUCCESS) {
        status = map_segments(adapter, report);
    }
    if (status == STATUS_SUCCESS) {
        status = create_engine(adapter);
    }
    if (status == STATUS_SUCCESS) {
        adapter->has_dummy = adapter->host->take_pages(adapter->host->context, 1, VIDMM_ANY_FRAME,
                                                       true, VIDMM_WRITE_COMBINED,
                                                       &adapter->dummy_frame);
        status = adapter->has_dummy ? STATUS_SUCCESS : STATUS_NO_MEMORY;
    }
    if (status == STATUS_SUCCESS) {
        adapter->host->clear_pages(adapter->host->context, 1, &adapter->dummy_frame);
        status = init_paging(adapter, report);
    }
    return status;
}

static NTSTATUS check_driver(const DRIVER_INITIALIZATION_DATA *driver,
                             const struct vidmm_level *level, struct vidmm_report *report)
{
    const char *missing;

    if (!level) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                    "DRIVER_INITIALIZATION_DATA.Version", driver->Version,
                                    "the oldest there is is 0x1052");
    }
    missing = missing_entry(driver);
    if (missing) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, missing, 0,
                                    "the entry point must be there");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_adapter_start(const struct vidmm_host *host,
                             const DRIVER_INITIALIZATION_DATA *driver, void *physical_device_object,
                             const struct vidmm_adapter_options *options,
                             struct vidmm_adapter **result, struct vidmm_report *report)
{
    const struct vidmm_level *level = vidmm_level_find(driver->Version);
    struct vidmm_adapter *adapter;
    NTSTATUS status = check_options(options, report);

    if (status == STATUS_SUCCESS) {
        status = check_driver(driver, level, report);
    }
    if (status != STATUS_SUCCESS) {
        return status;
    }
    adapter = vidmm_allocate(host, sizeof(*adapter));
    if (!adapter) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "memory for the adapter",
                                    sizeof(*adapter), "none");
    }
    adapter->host = host;
    adapter->options = *options;
    adapter->level = level->level;
    adapter->physical_device_object = physical_device_object;
    adapter->deadline_ns = UINT64_MAX;
    memcpy(&adapter->driver, driver,
           level->driver_size < sizeof(*driver) ? level->driver_size : sizeof(*driver));
    adapter->callbacks.Size = (ULONG)level->interface_size;
    if (!vidmm_adapter_register(adapter)) {
        vidmm_free(host, adapter);
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "adapters running", 16,
                                    "that is the most");
    }
    if (report) {
        report->text[0] = '\0';
    }
    status = bring_up(adapter, report);
    if (status != STATUS_SUCCESS) {
        if (report && report->text[0] == '\0') {
            vidmm_report_refusal(report, status, "status of starting the adapter", (uint32_t)status,
                                 "memory for its records ran out");
        }
        vidmm_adapter_stop(adapter);
        return status;
    }
    *result = adapter;
    return STATUS_SUCCESS;
}

/* ---- stop ---------------------------------------------------------------------------------------------------- */

static bool is_still(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool still;

    vidmm_adapter_lock(adapter);
    still = vidmm_adapter_is_still(adapter);
    vidmm_adapter_unlock(adapter);
    return still;
}

/* S4-047: what the GPU did behind unmapped ranges is on the dummy page. */
static void inspect_dummy(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;
    const uint64_t *page = host->map_pages(host->context, 1, &adapter->dummy_frame);
    uint32_t index;

    for (index = 0; page && index < VIDMM_PAGE_SIZE / sizeof(*page); index++) {
        if (page[index] != 0) {
            adapter->findings++;
            break;
        }
    }
    if (page) {
        host->unmap_pages(host->context, (void *)(uintptr_t)page, 1);
    }
}

static void finish_paging(struct vidmm_adapter *adapter)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_STOP};
    uint32_t id;

    use_paging_buffers(adapter, BOOTSTRAP, 1);
    for (id = BOOTSTRAP + 1; id < VIDMM_PAGING_BUFFERS; id++) {
        if (adapter->paging[id].memory.size != 0) {
            vidmm_command_memory_finish(adapter, &adapter->paging[id].memory);
        }
    }
    vidmm_pump_event(adapter, &event);
    adapter->host->wait(adapter->host->context, is_still, adapter, UINT64_MAX);
    vidmm_command_memory_finish(adapter, &adapter->paging[BOOTSTRAP].memory);
}

/* Records of buffers that a failed engine never let go of. */
static void abandon_buffers(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->handles.fresh; index++) {
        struct vidmm_allocation *record =
            vidmm_slot_find(&adapter->handles, index, VIDMM_HANDLE_ALLOCATION);

        if (record) {
            vidmm_allocation_free(record);
        }
    }
}

static void finish_memory(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t id;

    if (adapter->engine) {
        finish_paging(adapter);
    }
    abandon_buffers(adapter);
    if (adapter->h_system_context) {
        adapter->driver.DxgkDdiDestroyContext(adapter->h_system_context);
    }
    vidmm_device_destroy(adapter->system_device);
    for (id = 1; id <= adapter->segment_count; id++) {
        if (adapter->segments[id].cpu) {
            host->unmap_physical(host->context, adapter->segments[id].cpu,
                                 adapter->segments[id].info.size);
        }
    }
}

void vidmm_adapter_stop(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host;
    uint32_t id;

    if (!adapter) {
        return;
    }
    host = adapter->host;
    while (adapter->devices && adapter->devices != adapter->system_device) {
        vidmm_device_destroy(adapter->devices);
    }
    finish_memory(adapter);
    if (adapter->started) {
        vidmm_flush_dpcs(adapter); /* they may look at what StopDevice takes away */
        adapter->driver.DxgkDdiStopDevice(adapter->h_adapter); /* obeys D-298 */
    }
    if (adapter->connected) {
        if (host->set_timer)
            host->set_timer(host->context, UINT64_MAX);
        host->disconnect(host->context);
    }
    if (adapter->h_adapter) {
        adapter->driver.DxgkDdiRemoveDevice(adapter->h_adapter);
    }
    if (adapter->has_dummy) {
        inspect_dummy(adapter);
        host->release_pages(host->context, 1, &adapter->dummy_frame);
    }
    vidmm_engine_destroy(adapter->engine);
    for (id = 1; id < VIDMM_SEGMENTS; id++) {
        if (adapter->segments[id].bank_ends) {
            vidmm_free(host, adapter->segments[id].bank_ends);
        }
    }
    vidmm_slot_finish(&adapter->handles, &host->memory);
    vidmm_slot_finish(&adapter->dma_buffers, &host->memory);
    vidmm_adapter_unregister(adapter);
    vidmm_free(host, adapter);
}

/* ---- questions ------------------------------------------------------------------------------------------------ */

uint32_t vidmm_adapter_segments(const struct vidmm_adapter *adapter)
{
    return adapter->segment_count;
}

void vidmm_adapter_segment(const struct vidmm_adapter *adapter, uint32_t id,
                           struct vidmm_segment_info *info)
{
    *info = adapter->segments[id].info;
}

void vidmm_adapter_statistics(const struct vidmm_adapter *adapter, struct vidmm_statistics *out)
{
    struct vidmm_engine_statistics engine;

    vidmm_adapter_lock(adapter);
    vidmm_engine_get_statistics(adapter->engine, &engine);
    *out = (struct vidmm_statistics){
        .bytes_in = engine.bytes_in,
        .bytes_out = engine.bytes_out,
        .bytes_moved = engine.bytes_moved,
        .bytes_filled = engine.bytes_filled,
        .bytes_discarded = engine.bytes_discarded,
        .bytes_mapped = engine.bytes_mapped,
        .bytes_unmapped = engine.bytes_unmapped,
        .page_ins = engine.page_ins,
        .evictions = engine.evictions,
        .compactions = engine.compactions,
        .paging_buffers = engine.paging_buffers,
        .paging_operations = engine.paging_operations,
        .submissions = engine.submissions,
        .splits = engine.splits,
        .preemptions = engine.preemptions,
        .engine_resets = engine.engine_resets,
        .resets = engine.resets,
        .findings = atomic_load(&adapter->findings) + atomic_load(&adapter->reports.lost),
    };
    vidmm_adapter_unlock(adapter);
}

NTSTATUS vidmm_adapter_condition(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    vidmm_adapter_lock(adapter);
    if (adapter->stopped && !adapter->at_rest) {
        status = adapter->stop_status != STATUS_SUCCESS ? adapter->stop_status : STATUS_TIMEOUT;
        if (report) {
            *report = adapter->stop_report;
        }
    }
    vidmm_adapter_unlock(adapter);
    return status;
}
