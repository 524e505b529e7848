/* adapter.c: start an adapter, stop it, ask what it is like.
 *
 *     AddDevice                                          the driver takes the device
 *     memory that the GPUs reach, IOMMU                  ddi/mmu.c
 *     StartDevice, QueryChildRelations                   the device starts
 *     caps, page tables, nodes, segments                 ddi/query.c
 *     engine
 *     system process, device and context, paging buffers adapter/paging.c
 *
 * Stopping undoes these, the newest first.
 *
 * Source: DXGKDDI_ADD_DEVICE, DXGKDDI_START_DEVICE, DXGK_START_INFO; rules D-273 to D-280, D-286,
 * D-298.
 */
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/adapter/paging.h"
#include "vidmm/adapter/totals.h"
#include "vidmm/client/device.h"
#include "vidmm/client/process.h"
#include "vidmm/client/tables.h"
#include "vidmm/ddi/cancel.h"
#include "vidmm/ddi/host_aperture.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/isolation.h"
#include "vidmm/ddi/link.h"
#include "vidmm/ddi/linked.h"
#include "vidmm/ddi/linked_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/mmu.h"
#include "vidmm/ddi/node.h"
#include "vidmm/ddi/page_entries.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/query.h"
#include "vidmm/ddi/recovery.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/hw_queue.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen_rules.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"
#include "base/pool.h"
#include "wddm/entry.h"
#include "wddm/level.h"
#include "wddm/rule.h"

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

/* ---- checks before anything is called -------------------------------------------------------- */

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
        {"link_count", options->link_count, 0, VIDMM_LINKS - 1, "legal: 0 to 3"},
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

/* Beside what every driver has, what it takes to run a program on it. From 2.0 on that depends on
 * its caps (ddi/mmu.c). */
static const char *missing_entry(const DRIVER_INITIALIZATION_DATA *driver, uint16_t level)
{
    bool older = level < VIDMM_LEVEL(2, 0);
    const struct {
        bool there;
        const char *name;
    } rows[] = {
        {driver->DxgkDdiInterruptRoutine, "DxgkDdiInterruptRoutine"},
        {!older || driver->DxgkDdiPatch, "DxgkDdiPatch"},
        {!older || driver->DxgkDdiSubmitCommand, "DxgkDdiSubmitCommand"},
        {!older || driver->DxgkDdiRender || driver->DxgkDdiPresent, "DxgkDdiRender"},
    };
    size_t index;

    for (index = 0; index < sizeof(rows) / sizeof(rows[0]); index++)
        if (!rows[index].there)
            return rows[index].name;
    return vidmm_entry_missing(driver);
}

/* ---- memory ---------------------------------------------------------------------------------- */

VIDMM_SEES(S2_013);
/* From 2.0 on there are none. Nor on a link: one shows the memory of one GPU, and
 * what the CPU wrote there would be the others' no more (S0-052). */
static uint32_t count_ranges(const struct vidmm_adapter *adapter)
{
    uint32_t count = adapter->miniport->caps.NumberOfSwizzlingRanges;

    if (adapter->level >= VIDMM_LEVEL(2, 0) ||
        !adapter->miniport->driver.DxgkDdiAcquireSwizzlingRange ||
        !adapter->miniport->driver.DxgkDdiReleaseSwizzlingRange ||
        !adapter->host->reserve_physical || vidmm_adapter_is_linked(adapter))
        return 0;
    return count < VIDMM_SWIZZLING_RANGES ? count : VIDMM_SWIZZLING_RANGES;
}

/* Whether its flags put it into the group that is not its kind's; both or none of them do not. */
static bool is_in_other_group(DXGK_SEGMENTFLAGS flags)
{
    bool aperture = flags.Aperture;

    return flags.LocalBudgetGroup != flags.NonLocalBudgetGroup &&
           flags.NonLocalBudgetGroup != aperture;
}

/* Whether a move inside a segment is one transfer: from WDDM 2.1 on the driver says so.
 * obeys D-233 */
static bool moves_directly(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(2, 1)
               ? vidmm_ddi_physical_flags(adapter).MovePagingSupported
               : adapter->options.move_directly;
}

/* Whether the segment is a protected range in which a move would need the paging context of
 * VPRPagingNode. There is no such context, and so no such move. */
static bool moves_in_two(const struct vidmm_adapter *adapter, uint32_t id)
{
    bool is_range = id > adapter->segment_count || adapter->segments[id].protected_id == id;

    return is_range && vidmm_ddi_physical_flags(adapter).VPRPagingContextRequired;
}

/* A segment as the engine is told of it. */
static struct vidmm_engine_segment engine_segment(const struct vidmm_adapter *adapter, uint32_t id)
{
    const struct vidmm_segment_view *view = &adapter->segments[id];
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0);
    DXGK_SEGMENTFLAGS flags = {.Value = view->info.flags};

    return (struct vidmm_engine_segment){
        .size = view->info.size,
        .commit_limit = view->info.commit_limit,
        .aperture = flags.Aperture,
        .apart_from_budgets = newer && !flags.ApplicationTarget, /* obeys D-205 */
        .other_group = newer && is_in_other_group(flags),        /* obeys D-205 */
        .wide_pages = newer && flags.Use64KBPages && !flags.Aperture,
        .agp = flags.Agp,
        .cpu_visible = view->cpu != NULL,
        .host_pages = view->host_pages,
        .host_cached = flags.SupportsCachedCpuHostAperture,
        .move_in_two = moves_in_two(adapter, id),
        .preserved_standby = flags.PreservedDuringStandby,
        .preserved_hibernate = flags.PreservedDuringHibernate,
        .preserved_end = flags.PartiallyPreservedDuringHibernate ? view->info.system_memory_end : 0,
        .pitch_aligned = flags.PitchAlignment,
        .bank_count = view->info.bank_count,
        .bank_ends = view->info.bank_ends,
        .reserved_count = view->reserved_count,
        .reserved = view->reserved,
    };
}

/* Nodes of events for hardware queues, behind those of the driver, if it has any. */
static NTSTATUS make_places(struct vidmm_adapter *adapter, struct vidmm_engine_config *config)
{
    uint32_t nodes = adapter->node_count, each = VIDMM_NODES / nodes - 1;

    if (each > VIDMM_HW_QUEUES_MOST)
        each = VIDMM_HW_QUEUES_MOST;
    if (adapter->miniport->hw_nodes == 0 || each == 0)
        return STATUS_SUCCESS;
    adapter->hw_queues = vidmm_allocate(adapter->host, nodes * each * sizeof(*adapter->hw_queues));
    if (!adapter->hw_queues)
        return STATUS_NO_MEMORY;
    adapter->hw_queue_count = nodes * each;
    config->hw_first = nodes;
    config->hw_queues = each;
    config->hw_queue_limit = adapter->miniport->hw_limit;
    config->node_count += nodes * each;
    return STATUS_SUCCESS;
}

static NTSTATUS create_engine(struct vidmm_adapter *adapter)
{
    struct vidmm_engine_config config = {
        .segment_count = adapter->segment_count + adapter->part_count,
        .node_count = adapter->node_count,
        .paging_node = adapter->paging_node,
        .queue_limit = adapter->options.queue_limit,
        .node_queue_limit = vidmm_ddi_node_queue_limit(adapter),
        .first_fence = adapter->options.first_fence,
        .timeout_ns = adapter->options.timeout_ms * UINT64_C(1000000),
        .driver_timeout_ns = adapter->options.driver_timeout_ms * UINT64_C(1000000),
        .preemption = vidmm_ddi_preempts(adapter),
        .per_engine_reset = vidmm_ddi_resets_engines(adapter),
        .linked = vidmm_adapter_is_linked(adapter),
        .cancel_commands = vidmm_ddi_cancels(adapter),
        .context_switches = adapter->level >= VIDMM_LEVEL(1, 2),
        .no_contexts = !vidmm_ddi_has_contexts(adapter),
        .split_transfer_size = adapter->options.split_transfer_size,
        .aperture_commit_limit = vidmm_aperture_commit_limit(adapter),
        .move_directly = moves_directly(adapter),
        .submit_empty = adapter->options.submit_empty,
        .one_operation = adapter->options.one_operation,
        .whole_lists =
            adapter->options.whole_lists || adapter->miniport->caps.SchedulingCaps.NoDmaPatching,
        .reject_leaks = adapter->options.reject_leaks &&
                        adapter->miniport->caps.SchedulingCaps.PreemptionAware &&
                        !adapter->miniport->caps.SchedulingCaps.NoDmaPatching,
        .explicit_residency = adapter->level >= VIDMM_LEVEL(2, 0), /* obeys D-094 */
        .isolated = adapter->isolated,
    };
    uint32_t id;

    VIDMM_ASSERT(!adapter->engine && adapter->segment_count > 0);
    VIDMM_ASSERT(adapter->paging_node < adapter->node_count && adapter->node_count <= VIDMM_NODES);
    if (make_places(adapter, &config) != STATUS_SUCCESS)
        return STATUS_NO_MEMORY;
    config.mmu = vidmm_ddi_engine_mmu(adapter);
    config.swizzling_ranges = adapter->range_count = count_ranges(adapter);
    for (id = 1; id <= config.segment_count; id++)
        config.segments[id] = engine_segment(adapter, id);
    for (id = 1; id <= adapter->segment_count; id++)
        if (adapter->segments[id].protected_id > id)
            config.segments[adapter->segments[id].protected_id].part_of = id;
    if (adapter->options.observer && adapter->options.observer->engine)
        adapter->options.observer->engine(adapter->options.observer->context, &config);
    vidmm_adapter_lock(adapter); /* a driver that is started may interrupt, and who pumps looks */
    adapter->engine = vidmm_engine_create(&config, &adapter->host->memory);
    if (adapter->engine)
        vidmm_engine_back_tables(adapter->engine, vidmm_table_memory_backing(adapter));
    vidmm_adapter_unlock(adapter);
    return adapter->engine ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

/* Whether all of the CPU host aperture, as the driver describes it, is there. */
static bool is_of_device(const struct vidmm_host *host, const struct vidmm_segment_view *segment)
{
    void *cpu = host->map_physical(host->context, segment->host_address, segment->host_size);

    if (cpu)
        host->unmap_physical(host->context, cpu, segment->host_size);
    return cpu != NULL;
}

VIDMM_SEES(D_178);
/* The CPU's window on a CpuVisible memory segment (D-009); the address that an aperture names may
 * be a lie, and is never used (kit). None on a link: the CPU's writes would reach one physical
 * adapter. */
static NTSTATUS map_segments(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t id;

    VIDMM_ASSERT(adapter->segment_count < VIDMM_SEGMENTS);
    for (id = 1; id <= adapter->segment_count; id++) {
        struct vidmm_segment_view *segment = &adapter->segments[id];
        DXGK_SEGMENTFLAGS flags = {.Value = segment->info.flags};

        if (flags.Agp && vidmm_adapter_is_linked(adapter)) {
            return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "Flags of segment", id,
                                        "there is one GART: a link has no AGP segment");
        }
        if (!vidmm_ddi_has_host_aperture(adapter, id))
            segment->host_pages = 0;
        if (segment->host_pages != 0 && !is_of_device(host, segment)) {
            return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                        "CpuHostAperture.PhysicalAddress", segment->host_address,
                                        "SizeInPages from there on are no memory of the device "
                                        "(D-178)");
        }
        /* that the CPU sees nothing of page tables is told later (W-004) */
        if (segment->info.cpu_translated_address == 0 && vidmm_ddi_holds_paging_tables(adapter, id))
            continue;
        if (flags.CpuVisible && !flags.Aperture && !vidmm_adapter_is_linked(adapter)) {
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

static void sort_segments(struct vidmm_adapter *adapter)
{
    struct vidmm_segment_sets *sets = &adapter->sets;
    uint32_t id;

    VIDMM_ASSERT(adapter->sets.apertures == 0 && adapter->sets.windowed == 0);
    for (id = 1; id <= adapter->segment_count; id++)
        if (adapter->segments[id].protected_id > id)
            adapter->segments[adapter->segments[id].protected_id].cpu = adapter->segments[id].cpu;
    for (id = 1; id <= adapter->segment_count + adapter->part_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};
        uint32_t bit = 1u << (id - 1);

        sets->apertures |= flags.Aperture ? bit : 0;
        sets->bridged |= flags.Agp ? bit : 0;
        sets->coherent |= flags.Aperture && flags.CacheCoherent ? bit : 0;
        sets->rows |= flags.PitchAlignment ? bit : 0;
        sets->hidden |= !flags.Aperture && !flags.CpuVisible ? bit : 0;
        sets->hosted |= adapter->segments[id].host_pages != 0 ? bit : 0;
        sets->wide |=
            adapter->level >= VIDMM_LEVEL(2, 0) && flags.Use64KBPages && !flags.Aperture ? bit : 0;
        sets->windowed |= adapter->segments[id].cpu ? bit : 0;
    }
    sets->windowed |= sets->hosted;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* The entries that a driver must have whose caps are known. */
static NTSTATUS check_entries(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const char *missing =
        adapter->level >= VIDMM_LEVEL(2, 0) ? vidmm_ddi_missing_entry(adapter) : NULL;

    return missing ? vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, missing, 0,
                                          "the entry point must be there")
                   : STATUS_SUCCESS;
}

static NTSTATUS make_dummy(struct vidmm_adapter *adapter)
{
    struct vidmm_backing *dummy = vidmm_allocate(adapter->host, sizeof(*dummy));
    NTSTATUS status =
        dummy ? vidmm_backing_init(dummy, adapter, VIDMM_PAGE_SIZE, true, VIDMM_WRITE_COMBINED)
              : STATUS_NO_MEMORY;

    VIDMM_ASSERT(!adapter->dummy);
    if (status != STATUS_SUCCESS) {
        vidmm_free(adapter->host, dummy);
        return status;
    }
    vidmm_backing_clear(dummy, adapter->host);
    vidmm_backing_reach(adapter, dummy);
    adapter->dummy = dummy;
    return STATUS_SUCCESS;
}

static void finish_dummy(struct vidmm_adapter *adapter)
{
    if (adapter->dummy)
        vidmm_backing_finish(adapter->dummy, adapter->host);
    vidmm_free(adapter->host, adapter->dummy);
}

static NTSTATUS bring_up(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_links_add(adapter, report);

    VIDMM_ASSERT(adapter->link_count >= 1 && !adapter->engine);
    if (status == STATUS_SUCCESS)
        status = vidmm_links_connect(adapter, report);
    if (status == STATUS_SUCCESS)
        vidmm_ddi_query_iommu(adapter);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_remapping_begin(adapter);
    if (status == STATUS_SUCCESS)
        status = vidmm_links_start(adapter, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query(adapter, report);
    if (status == STATUS_SUCCESS)
        status = check_entries(adapter, report);
    if (status == STATUS_SUCCESS) {
        vidmm_ddi_remapping_settle(adapter);
        status = vidmm_ddi_isolation_begin(adapter, report);
    }
    if (status == STATUS_SUCCESS) {
        atomic_store(&adapter->miniport->known, true);
        status = map_segments(adapter, report);
        if (status == STATUS_SUCCESS)
            status = vidmm_ddi_map_linked_tables(adapter, report);
        sort_segments(adapter);
    }
    if (status == STATUS_SUCCESS)
        status = vidmm_paging_tables_plan(adapter, report);
    if (status == STATUS_SUCCESS)
        status = create_engine(adapter);
    if (status == STATUS_SUCCESS && !vidmm_page_entries_init(adapter))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        status = make_dummy(adapter);
    if (status == STATUS_SUCCESS)
        status = vidmm_paging_start(adapter, report);
    if (status == STATUS_SUCCESS && adapter->options.isolate)
        status = vidmm_adapter_isolate(adapter, report);
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
    missing = missing_entry(driver, level->level);
    if (missing) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, missing, 0,
                                    "the entry point must be there");
    }
    return STATUS_SUCCESS;
}

/* An adapter with the parts that its rooms have of it, one block. */
struct whole {
    struct vidmm_adapter adapter; /* first member: the block is given back by its address */
    struct vidmm_miniport miniport;
    struct vidmm_pump pump;
    struct vidmm_paging_memory paging[VIDMM_PAGING_BUFFERS]; /* of the lead */
    struct vidmm_seen_rules seen;
};

/* NULL: no memory. */
static struct vidmm_adapter *new_adapter(const struct vidmm_host *host)
{
    struct whole *whole = vidmm_allocate(host, sizeof(*whole));

    if (!whole)
        return NULL;
    whole->adapter = (struct vidmm_adapter){
        .host = host,
        .miniport = &whole->miniport,
        .pump = &whole->pump,
        .paging = {whole->paging},
        .seen = &whole->seen,
        .range_addresses = whole->miniport.range_addresses,
        .node_count = 1,
        .highest_frame = VIDMM_ANY_FRAME,
    };
    whole->pump.deadline_ns = UINT64_MAX;
    return &whole->adapter;
}

/* Is one of the pointers NULL that a start needs? */
static bool lacks(const void *host, const void *driver, const void *options, const void *adapter,
                  struct vidmm_report *report)
{
    return vidmm_report_null(host, "host", report) || vidmm_report_null(driver, "driver", report) ||
           vidmm_report_null(options, "options", report) ||
           vidmm_report_null(adapter, "adapter", report);
}

VIDMM_SEES(S2_026);
/* The GPU of a slot is as coherent as its host says that devices are. */
static NTSTATUS check_host(const struct vidmm_host *host, struct vidmm_report *report)
{
    if (!host->x64 || !host->flush_pages)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "host->x64", 1,
                                "false where flush_pages is not NULL: on x86 and x64 a GPU reads "
                                "and writes cacheable memory coherently (S2-026)");
}

static NTSTATUS check_all(const struct vidmm_host *host, const DRIVER_INITIALIZATION_DATA *driver,
                          const struct vidmm_level *level,
                          const struct vidmm_adapter_options *options, struct vidmm_report *report)
{
    NTSTATUS status = check_options(options, report);

    if (status == STATUS_SUCCESS)
        status = check_host(host, report);
    return status == STATUS_SUCCESS ? check_driver(driver, level, report) : status;
}

NTSTATUS vidmm_adapter_start(const struct vidmm_host *host,
                             const struct _DRIVER_INITIALIZATION_DATA *driver,
                             void *physical_device_object,
                             const struct vidmm_adapter_options *options,
                             struct vidmm_adapter **result, struct vidmm_report *report)
{
    const struct vidmm_level *level;
    struct vidmm_adapter *adapter;
    NTSTATUS status;

    if (lacks(host, driver, options, result, report))
        return STATUS_INVALID_PARAMETER;
    level = vidmm_level_find(driver->Version);
    status = check_all(host, driver, level, options, report);
    if (status != STATUS_SUCCESS)
        return status;
    adapter = new_adapter(host);
    if (!adapter) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "memory for the adapter",
                                    sizeof(struct whole), "none");
    }
    adapter->options = *options;
    adapter->client = &vidmm_pump_client;
    adapter->above = &vidmm_ddi_above;
    adapter->level = level->level;
    adapter->interface_version = driver->Version;
    vidmm_pool_init(&adapter->allocation_pool, &host->memory, sizeof(struct vidmm_allocation));
    memcpy(&adapter->miniport->driver, driver,
           level->driver_size < sizeof(*driver) ? level->driver_size : sizeof(*driver));
    adapter->miniport->interface_size = (ULONG)level->interface_size;
    status = vidmm_links_init(adapter, host, physical_device_object);
    if (status != STATUS_SUCCESS) {
        vidmm_links_finish(adapter);
        vidmm_free(host, adapter);
        return vidmm_report_refusal(report, status, "memory for physical adapters",
                                    options->link_count, "none");
    }
    if (!vidmm_adapter_register(adapter)) {
        vidmm_links_finish(adapter);
        vidmm_free(host, adapter);
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "adapters running", 16,
                                    "that is the most");
    }
    if (report)
        report->text[0] = '\0';
    status = bring_up(adapter, report);
    if (status != STATUS_SUCCESS) {
        if (report && report->text[0] == '\0') {
            vidmm_report_refusal(report, status, "status of starting the adapter", (uint32_t)status,
                                 "memory for its records ran out");
        }
        vidmm_report_reason(adapter, report, status);
        vidmm_adapter_stop(adapter);
        return status;
    }
    *result = adapter;
    return STATUS_SUCCESS;
}

/* ---- stop ------------------------------------------------------------------------------------ */

/* Records of buffers that a failed engine never let go of. */
static void abandon_buffers(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->handles.fresh; index++) {
        struct vidmm_allocation *record =
            vidmm_slot_find(&adapter->handles, index, VIDMM_HANDLE_ALLOCATION);

        if (record)
            vidmm_allocation_free(record);
    }
}

static void finish_memory(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t id;

    if (adapter->engine)
        vidmm_paging_stop(adapter);
    vidmm_ddi_destroy_system_contexts(adapter);
    while (adapter->devices) /* of the system, the last one made first */
        vidmm_device_destroy(adapter->devices);
    vidmm_paging_tables_finish(adapter);
    vidmm_table_memory_finish(adapter);
    vidmm_page_entries_finish(adapter);
    abandon_buffers(adapter); /* the rest; originals went with their resources */
    vidmm_ddi_unmap_linked_tables(adapter);
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

    if (!adapter)
        return;
    host = adapter->host;
    while (adapter->devices && !adapter->devices->system)
        vidmm_device_destroy(adapter->devices);
    if (adapter->system_device) /* shared memory leaves by the paging buffers, too */
        vidmm_device_wait_for_shared(adapter->system_device);
    finish_memory(adapter);
    vidmm_links_stop(adapter);
    vidmm_links_disconnect(adapter);
    vidmm_links_remove(adapter);
    finish_dummy(adapter);
    vidmm_processes_finish(adapter);
    vidmm_ddi_isolation_end(adapter);
    vidmm_engine_destroy(adapter->engine);
    for (id = 1; id < VIDMM_SEGMENTS; id++) {
        vidmm_free(host, adapter->segments[id].bank_ends);
        vidmm_free(host, adapter->segments[id].reserved);
    }
    vidmm_free(host, adapter->hw_queues);
    vidmm_pool_finish(&adapter->allocation_pool);
    vidmm_slot_finish(&adapter->handles, &host->memory);
    vidmm_slot_finish(&adapter->dma_buffers, &host->memory);
    vidmm_slot_finish(&adapter->paging_queues, &host->memory);
    vidmm_slot_finish(&adapter->fences, &host->memory);
    vidmm_slot_finish(&adapter->fence_waits, &host->memory);
    vidmm_adapter_unregister(adapter);
    vidmm_links_finish(adapter);
    vidmm_free(host, adapter);
}

/* ---- questions ------------------------------------------------------------------------------- */

uint32_t vidmm_adapter_segments(const struct vidmm_adapter *adapter)
{
    return adapter->segment_count;
}

void vidmm_adapter_segment(const struct vidmm_adapter *adapter, uint32_t id,
                           struct vidmm_segment_info *info)
{
    *info = id >= 1 && id <= adapter->segment_count ? adapter->segments[id].info
                                                    : (struct vidmm_segment_info){0};
}

/* obeys S4-047: the GPU's writes behind unmapped ranges are on the dummy page */
static bool dummy_was_written(const struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;
    uint32_t index = 0;
    uint64_t *page, frame;

    if (!adapter->dummy)
        return false;
    frame = vidmm_backing_frame(adapter->dummy, 0);
    page = host->map_pages(host->context, 1, &frame);
    if (!page)
        return false;
    while (index < VIDMM_PAGE_SIZE / sizeof(*page) && page[index] == 0)
        index++;
    host->unmap_pages(host->context, page, 1);
    return index < VIDMM_PAGE_SIZE / sizeof(*page);
}

static uint64_t lost_reports(const struct vidmm_adapter *adapter)
{
    uint64_t lost = 0;
    uint32_t index;

    VIDMM_ASSERT(adapter->link_count <= VIDMM_LINKS);
    for (index = 0; index < adapter->link_count; index++)
        lost += atomic_load(&adapter->reports[index]->lost);
    return lost;
}

void vidmm_adapter_segment_use(const struct vidmm_adapter *adapter, uint32_t id,
                               struct vidmm_segment_use *use)
{
    vidmm_adapter_lock(adapter);
    *use = vidmm_engine_segment_use(adapter->engine, id);
    vidmm_adapter_unlock(adapter);
}

void vidmm_adapter_statistics(const struct vidmm_adapter *adapter, struct vidmm_statistics *out)
{
    struct vidmm_engine_statistics engine;
    bool stray = dummy_was_written(adapter);

    VIDMM_ASSERT(adapter->engine);
    vidmm_adapter_lock(adapter);
    vidmm_engine_get_statistics(adapter->engine, &engine);
    *out = (struct vidmm_statistics){
        .bytes_in = engine.bytes_in,
        .bytes_out = engine.bytes_out,
        .bytes_moved = engine.bytes_moved,
        .bytes_read = engine.bytes_read,
        .bytes_filled = engine.bytes_filled,
        .bytes_discarded = engine.bytes_discarded,
        .bytes_decommitted = adapter->bytes_decommitted,
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
        .context_switches = engine.context_switches,
        .renames = adapter->renames,
        .instances_made = adapter->instances_made,
        .instances_gone = adapter->instances_gone,
        .context_inits = engine.context_inits,
        .demotions = engine.demotions,
        .table_evictions = engine.table_evictions,
        .table_bytes_most = engine.table_bytes_most,
        .paging_table_bytes = vidmm_paging_tables_bytes(adapter),
        .promotions = engine.promotions,
        .suspensions = engine.suspensions,
        .resident_most = engine.resident_most,
        .findings = atomic_load(&adapter->findings) + lost_reports(adapter) + stray,
        .dummy_written = stray,
    };
    vidmm_adapter_unlock(adapter);
}

NTSTATUS vidmm_adapter_condition(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(adapter);
    if (adapter->stopped && !adapter->pump->at_rest) {
        status = adapter->stop_status != STATUS_SUCCESS ? adapter->stop_status : STATUS_TIMEOUT;
        if (report)
            *report = adapter->stop_report;
    }
    vidmm_adapter_unlock(adapter);
    return status;
}
