/* test_start_rig.h: a scripted miniport at WDDM 2.x, for tests of the start.
 *
 * It answers as it is told, and writes down every call:
 *
 *     script_init(MODEL)        answers of a driver that is right
 *     script.caps ... = ...     one of them wrong
 *     script_start(&report)     a machine, a device with some memory, the adapter
 *     script_expect(...)        the calls so far, line by line
 *     script_stop()             the adapter stops; nothing of the host's is left
 *
 * It has page tables as bytes: eight an entry, written by the CPU at once, so that a test can walk
 * them from the root that it was told of.
 */
#ifndef TEST_UNIT_TEST_START_RIG_H
#define TEST_UNIT_TEST_START_RIG_H

#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/bus.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "host/machine.h"

enum {
    SCRIPT_LINES = 3000,
    SCRIPT_SEGMENTS = 6,
    SCRIPT_RANGES = 4,
    SCRIPT_TYPES = 64,
    SCRIPT_NODES = 4,
    SCRIPT_STRIDE = 104, /* bytes from one descriptor to the next, as it was measured */
};

enum script_model { SCRIPT_GPU_MMU, SCRIPT_IO_MMU, SCRIPT_PHYSICAL };

/* The device's memory: two BARs. */
#define SCRIPT_MEMORY (UINT64_C(64) << 20)
#define SCRIPT_TABLES (UINT64_C(8) << 20) /* from the bottom of a segment: page tables lie there */

struct script {
    DRIVER_INITIALIZATION_DATA table;
    enum script_model model;

    DXGK_DRIVERCAPS caps;
    DXGK_PHYSICALADAPTERCAPS physical;
    DXGK_GPUMMUCAPS mmu;
    DXGK_PAGE_TABLE_LEVEL_DESC levels[DXGK_MAX_PAGE_TABLE_LEVEL_COUNT];
    DXGKARG_GETNODEMETADATA nodes[SCRIPT_NODES];
    uint32_t node_count;
    DXGK_SEGMENTDESCRIPTOR4 segments[SCRIPT_SEGMENTS];
    uint32_t segment_count;
    uint32_t paging_segment, paging_size, paging_private_size;
    DXGK_MEMORYRANGE ranges[SCRIPT_RANGES]; /* of the segment that has invalid ones */
    size_t root_size;                       /* that GetRootPageTableSize answers */
    bool fills_first_pass;                  /* paging buffers are told in the first pass, too */
    NTSTATUS query[SCRIPT_TYPES];           /* of QueryAdapterInfo, by type */
    NTSTATUS create_process, create_device, create_context, update;
    uint32_t fails_at; /* CreateDevice number .., from 1 on, fails; 0: every one does as told */
    uint32_t writes;   /* bytes that it writes to the paging buffer of UpdatePageTable */
    DXGK_CONTEXTINFO context; /* that CreateContext answers */

    char lines[SCRIPT_LINES][96];
    uint32_t repeats[SCRIPT_LINES];
    uint32_t line_count, looked, devices, updates, submissions;
    int started, processes_alive, devices_alive, contexts_alive;
    uint8_t *next_table; /* of the update before this one, and the stride from it */
    DXGKARG_SETROOTPAGETABLE root;
    const void *dma_buffer; /* of the last UpdatePageTable */
    UINT dma_size, private_size;
    HANDLE process; /* of every UpdatePageTable */
    DXGKRNL_INTERFACE kernel;

    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct vidmm_bus bus;
    uint64_t memory[2]; /* physical addresses of the BARs */
    struct vidmm_adapter_options options;
    struct vidmm_adapter *adapter;
};

static struct script script;

/* The handles of its objects. */
#define SCRIPT_ADAPTER ((HANDLE)(uintptr_t)0xada)
#define SCRIPT_PROCESS ((HANDLE)(uintptr_t)0x9900)
#define SCRIPT_DEVICE ((HANDLE)(uintptr_t)0xde00)
#define SCRIPT_CONTEXT ((HANDLE)(uintptr_t)0xc000)

/* ---- what it writes down --------------------------------------------------------------------- */

static inline void script_log(const char *format, ...)
{
    char *line = script.lines[script.line_count];
    va_list arguments;

    assert_in_range(script.line_count, 0, SCRIPT_LINES - 1);
    va_start(arguments, format);
    vsnprintf(line, sizeof(script.lines[0]), format, arguments);
    va_end(arguments);
    if (script.line_count > script.looked &&
        strcmp(line, script.lines[script.line_count - 1]) == 0) {
        script.repeats[script.line_count - 1]++;
        return;
    }
    script.repeats[script.line_count++] = 1;
}

/* The calls since the last time, as text: a line a call, "xN" behind those that came N times. */
static inline const char *script_calls(void)
{
    static char text[65536];
    size_t used = 0;

    text[0] = '\0';
    for (; script.looked < script.line_count; script.looked++) {
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used, "%s", script.lines[script.looked]);
        if (script.repeats[script.looked] > 1)
            used += (size_t)snprintf(text + used, sizeof(text) - used, " x%u",
                                     script.repeats[script.looked]);
        used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
        assert_true(used < sizeof(text));
    }
    return text;
}

static inline void script_expect(const char *expected)
{
    assert_string_equal(script_calls(), expected);
}

/* ---- the entries ----------------------------------------------------------------------------- */

static inline NTSTATUS script_add(PDEVICE_OBJECT device, PVOID *context)
{
    (void)device;
    script_log("AddDevice");
    *context = SCRIPT_ADAPTER;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_start_device(PVOID context, PDXGK_START_INFO info,
                                           PDXGKRNL_INTERFACE interface, PULONG sources,
                                           PULONG children)
{
    (void)info;
    assert_ptr_equal(context, SCRIPT_ADAPTER);
    script_log("StartDevice");
    script.started++;
    script.kernel = *interface;
    *sources = *children = 0;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_children(PVOID context, PDXGK_CHILD_DESCRIPTOR relations, ULONG size)
{
    (void)context;
    (void)relations;
    (void)size;
    script_log("QueryChildRelations");
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_stop_device(PVOID context)
{
    (void)context;
    script_log("StopDevice");
    assert_int_equal(script.processes_alive + script.devices_alive + script.contexts_alive, 0);
    script.started--;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_remove(PVOID context)
{
    (void)context;
    script_log("RemoveDevice");
    assert_int_equal(script.started, 0);
    return STATUS_SUCCESS;
}

static inline BOOLEAN script_interrupt(PVOID context, ULONG message)
{
    (void)context;
    (void)message;
    return FALSE;
}

static inline NTSTATUS script_segments(const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_QUERYSEGMENTOUT4 *out = query->pOutputData;

    assert_int_equal(query->InputDataSize, sizeof(DXGK_QUERYSEGMENTIN4));
    assert_int_equal(out->SegmentDescriptorStride, SCRIPT_STRIDE);
    script_log("QueryAdapterInfo 11, array of %u", out->pSegmentDescriptor ? out->NbSegment : 0);
    if (out->pSegmentDescriptor == NULL || script.fills_first_pass) {
        out->PagingBufferSegmentId = script.fills_first_pass ? script.paging_segment : 0;
        out->PagingBufferSize = script.fills_first_pass ? script.paging_size : 0;
    }
    if (out->pSegmentDescriptor == NULL) {
        assert_int_equal(out->NbSegment, 0);
        out->NbSegment = script.segment_count;
        return script.query[query->Type];
    }
    for (uint32_t index = 0; index < script.segment_count; index++)
        memcpy(out->pSegmentDescriptor + index * out->SegmentDescriptorStride,
               &script.segments[index], sizeof(script.segments[index]));
    out->PagingBufferSegmentId = script.paging_segment;
    out->PagingBufferSize = script.paging_size;
    out->PagingBufferPrivateDataSize = script.paging_private_size;
    return script.query[query->Type];
}

static inline NTSTATUS script_level(const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYPAGETABLELEVELDESCIN *input = query->pInputData;

    script_log("QueryAdapterInfo 14 level %u, in %u, out %u", input->LevelIndex,
               query->InputDataSize, query->OutputDataSize);
    assert_in_range(input->LevelIndex, 0, DXGK_MAX_PAGE_TABLE_LEVEL_COUNT - 1);
    if (script.query[query->Type] == STATUS_SUCCESS)
        memcpy(query->pOutputData, &script.levels[input->LevelIndex], query->OutputDataSize);
    return script.query[query->Type];
}

static inline NTSTATUS script_ranges(const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_QUERYSEGMENTMEMORYSTATE *state = query->pOutputData;

    script_log("QueryAdapterInfo 12 segment %u, %u ranges", state->DriverSegmentId,
               state->NumInvalidMemoryRanges);
    assert_in_range(state->NumInvalidMemoryRanges, 1, SCRIPT_RANGES);
    if (script.query[query->Type] == STATUS_SUCCESS)
        memcpy(state->pMemoryRanges, script.ranges,
               state->NumInvalidMemoryRanges * sizeof(script.ranges[0]));
    return script.query[query->Type];
}

static inline NTSTATUS script_query(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    const struct {
        const void *answer;
        size_t size;
    } answers[SCRIPT_TYPES] = {
        [DXGKQAITYPE_DRIVERCAPS] = {&script.caps, sizeof(script.caps)},
        [DXGKQAITYPE_PHYSICALADAPTERCAPS] = {&script.physical, sizeof(script.physical)},
        [DXGKQAITYPE_GPUMMUCAPS] = {&script.mmu, sizeof(script.mmu)},
    };
    size_t size = query->OutputDataSize;

    assert_ptr_equal(adapter, SCRIPT_ADAPTER);
    assert_in_range(query->Type, 0, SCRIPT_TYPES - 1);
    assert_null(query->hKmdProcessHandle);
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT4)
        return script_segments(query);
    if (query->Type == DXGKQAITYPE_PAGETABLELEVELDESC)
        return script_level(query);
    if (query->Type == DXGKQAITYPE_SEGMENTMEMORYSTATE)
        return script_ranges(query);
    script_log("QueryAdapterInfo %u, in %u, out %u", query->Type, query->InputDataSize,
               query->OutputDataSize);
    if (answers[query->Type].answer != NULL && script.query[query->Type] == STATUS_SUCCESS)
        memcpy(query->pOutputData, answers[query->Type].answer,
               size < answers[query->Type].size ? size : answers[query->Type].size);
    return script.query[query->Type];
}

static inline NTSTATUS script_node(HANDLE adapter, UINT node, DXGKARG_GETNODEMETADATA *metadata)
{
    (void)adapter;
    script_log("GetNodeMetadata %u", node);
    if (node >= script.node_count)
        return STATUS_INVALID_PARAMETER;
    *metadata = script.nodes[node];
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_create_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    (void)adapter;
    script_log("CreateProcess flags %u, NumPasid %u", arguments->Flags.Value, arguments->NumPasid);
    assert_non_null(arguments->hDxgkProcess);
    assert_non_null(arguments->pPasid);
    arguments->hKmdProcess = SCRIPT_PROCESS;
    script.processes_alive += script.create_process == STATUS_SUCCESS;
    return script.create_process;
}

static inline NTSTATUS script_destroy_process(HANDLE adapter, HANDLE process)
{
    (void)adapter;
    assert_ptr_equal(process, SCRIPT_PROCESS);
    script_log("DestroyProcess");
    assert_int_equal(script.devices_alive, 0);
    script.processes_alive--;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    (void)adapter;
    script_log("CreateDevice flags %u", arguments->Flags.Value);
    if (script.table.DxgkDdiCreateProcess != NULL)
        assert_ptr_equal(arguments->hKmdProcess, SCRIPT_PROCESS);
    if (script.fails_at != 0 && ++script.devices == script.fails_at)
        return script.create_device;
    arguments->hDevice = (HANDLE)((uintptr_t)SCRIPT_DEVICE + script.devices);
    script.devices_alive++;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_destroy_device(const HANDLE device)
{
    (void)device;
    script_log("DestroyDevice");
    assert_int_equal(script.contexts_alive, 0);
    script.devices_alive--;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_create_context(const HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    (void)device;
    script_log("CreateContext flags %u, node %u", arguments->Flags.Value, arguments->NodeOrdinal);
    arguments->hContext = SCRIPT_CONTEXT;
    arguments->ContextInfo = script.context;
    script.contexts_alive += script.create_context == STATUS_SUCCESS;
    return script.create_context;
}

static inline NTSTATUS script_destroy_context(const HANDLE context)
{
    assert_ptr_equal(context, SCRIPT_CONTEXT);
    script_log("DestroyContext");
    script.contexts_alive--;
    return STATUS_SUCCESS;
}

/* An entry as the device has it: page and segment, and whether it is valid. */
static inline uint64_t script_entry(const DXGK_PTE *entry)
{
    return entry->Valid ? entry->PageAddress << 12 | (uint64_t)entry->Segment << 1 | 1u : 0;
}

static inline NTSTATUS script_update(DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    uint8_t *table = update->PageTableAddress.CpuVirtual;

    script_log("UpdatePageTable level %u, %u + %u%s%s%s%s", update->PageTableLevel,
               update->StartIndex, update->NumPageTableEntries,
               update->Flags.Repeat ? ", Repeat" : "",
               update->Flags.InitialUpdate ? ", InitialUpdate" : "",
               table == script.next_table ? ", 4096 further" : "",
               update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL ? "" : ", not by the CPU");
    assert_null(update->hAllocation);
    assert_ptr_equal(arguments->hSystemContext, SCRIPT_CONTEXT);
    assert_int_equal(arguments->MultipassOffset, 0);
    script.process = update->hProcess;
    script.dma_buffer = arguments->pDmaBuffer;
    script.dma_size = arguments->DmaSize;
    script.private_size = arguments->DmaBufferPrivateDataSize;
    script.updates++;
    for (UINT index = 0; index < update->NumPageTableEntries; index++) {
        uint64_t entry = script_entry(&update->pPageTableEntries[update->Flags.Repeat ? 0 : index]);

        memcpy(table + (update->StartIndex + index) * sizeof(entry), &entry, sizeof(entry));
    }
    script.next_table = table + 4096;
    arguments->pDmaBuffer = (uint8_t *)arguments->pDmaBuffer + script.writes;
    return script.update;
}

static inline NTSTATUS script_build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    (void)adapter;
    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE)
        return script_update(arguments);
    script_log("BuildPagingBuffer operation %u", arguments->Operation);
    return STATUS_SUCCESS;
}

static inline void script_set_root(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    (void)adapter;
    script_log("SetRootPageTable segment %u, offset %llu, %u entries", arguments->Address.SegmentId,
               (unsigned long long)arguments->Address.SegmentOffset, arguments->NumEntries);
    assert_ptr_equal(arguments->hContext, SCRIPT_CONTEXT);
    script.root = *arguments;
}

static inline SIZE_T script_root_size(HANDLE adapter, DXGKARG_GETROOTPAGETABLESIZE *arguments)
{
    (void)adapter;
    script_log("GetRootPageTableSize %u entries", arguments->NumberOfPte);
    return script.root_size;
}

static inline NTSTATUS script_submit_virtual(HANDLE adapter,
                                             const DXGKARG_SUBMITCOMMANDVIRTUAL *arguments)
{
    (void)adapter;
    (void)arguments;
    script_log("SubmitCommandVirtual");
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_submit(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    (void)adapter;
    (void)arguments;
    script_log("SubmitCommand");
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_patch(HANDLE adapter, const DXGKARG_PATCH *arguments)
{
    (void)adapter;
    (void)arguments;
    script_log("Patch");
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_render(HANDLE context, DXGKARG_RENDER *arguments)
{
    (void)context;
    (void)arguments;
    return STATUS_NOT_SUPPORTED;
}

static inline NTSTATUS script_create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    (void)adapter;
    (void)arguments;
    return STATUS_NO_MEMORY;
}

static inline NTSTATUS script_destroy_allocation(HANDLE adapter,
                                                 const DXGKARG_DESTROYALLOCATION *arguments)
{
    (void)adapter;
    (void)arguments;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_open(HANDLE device, const DXGKARG_OPENALLOCATION *arguments)
{
    (void)device;
    (void)arguments;
    return STATUS_SUCCESS;
}

static inline NTSTATUS script_close(HANDLE device, const DXGKARG_CLOSEALLOCATION *arguments)
{
    (void)device;
    (void)arguments;
    return STATUS_SUCCESS;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static inline void script_misuse(void *argument, const char *text)
{
    (void)argument;
    fprintf(stderr, "misuse of the host: %s\n", text);
    abort();
}

static inline void script_plug(void)
{
    const struct vidmm_machine_options machine = {
        .kind = VIDMM_MACHINE_SIMULATED,
        .system_memory = 16 << 20,
        .poison = VIDMM_POISON_WHOLE,
        .misuse = script_misuse,
    };
    const struct vidmm_device_model model = {.vendor_id = 1, .device_id = 2};
    const struct vidmm_bus *bus;
    char error[200] = "";

    script.machine = vidmm_machine_create(&machine, error, sizeof(error));
    assert_non_null(script.machine);
    script.slot = vidmm_machine_add_slot(script.machine);
    assert_non_null(script.slot);
    bus = vidmm_slot_bus(script.slot);
    for (unsigned region = 0; region < 2; region++) {
        uint8_t *bytes;

        assert_true(bus->add_memory(bus->context, region, SCRIPT_MEMORY, &script.memory[region]));
        bytes = bus->memory(bus->context, script.memory[region], SCRIPT_MEMORY);
        assert_non_null(bytes);
        memset(bytes, 0xa5, SCRIPT_TABLES); /* no table is right before it is written */
    }
    assert_true(vidmm_slot_plug(script.slot, &model));
}

/* ---- answers of a driver that is right ------------------------------------------------------- */

static inline void script_fill_table(void)
{
    script.table = (DRIVER_INITIALIZATION_DATA){
        .Version = DXGKDDI_INTERFACE_VERSION_WDDM3_0,
        .DxgkDdiAddDevice = script_add,
        .DxgkDdiStartDevice = script_start_device,
        .DxgkDdiStopDevice = script_stop_device,
        .DxgkDdiRemoveDevice = script_remove,
        .DxgkDdiInterruptRoutine = script_interrupt,
        .DxgkDdiQueryChildRelations = script_children,
        .DxgkDdiQueryAdapterInfo = script_query,
        .DxgkDdiCreateDevice = script_create_device,
        .DxgkDdiDestroyDevice = script_destroy_device,
        .DxgkDdiCreateContext = script_create_context,
        .DxgkDdiDestroyContext = script_destroy_context,
        .DxgkDdiCreateAllocation = script_create_allocation,
        .DxgkDdiDestroyAllocation = script_destroy_allocation,
        .DxgkDdiOpenAllocation = script_open,
        .DxgkDdiCloseAllocation = script_close,
        .DxgkDdiBuildPagingBuffer = script_build,
        .DxgkDdiGetNodeMetadata = script_node,
        .DxgkDdiCreateProcess = script_create_process,
        .DxgkDdiDestroyProcess = script_destroy_process,
    };
    if (script.model == SCRIPT_PHYSICAL) {
        script.table.DxgkDdiPatch = script_patch;
        script.table.DxgkDdiSubmitCommand = script_submit;
        script.table.DxgkDdiRender = script_render;
    } else {
        script.table.DxgkDdiSubmitCommandVirtual = script_submit_virtual;
    }
    if (script.model == SCRIPT_GPU_MMU) {
        script.table.DxgkDdiSetRootPageTable = script_set_root;
        script.table.DxgkDdiGetRootPageTableSize = script_root_size;
    }
}

/* Segment 1: memory that the CPU sees; 2: an aperture. */
static inline void script_fill_segments(void)
{
    script.segment_count = 2;
    script.segments[0] = (DXGK_SEGMENTDESCRIPTOR4){
        .Flags = {.CpuVisible = 1},
        .BaseAddress = {.QuadPart = 0x10000000},
        .Size = SCRIPT_MEMORY,
        .CpuTranslatedAddress = {.QuadPart = (LONGLONG)script.memory[0]},
    };
    script.segments[1] = (DXGK_SEGMENTDESCRIPTOR4){
        .Flags = {.Aperture = 1},
        .BaseAddress = {.QuadPart = 0x80000000},
        .Size = 16 << 20,
    };
    script.paging_size = 0x10000;
    script.paging_private_size = 32;
}

static inline void script_fill_caps(void)
{
    bool tables = script.model == SCRIPT_GPU_MMU, shared = script.model == SCRIPT_IO_MMU;

    script.caps.SchedulingCaps.MultiEngineAware = 1;
    script.caps.SchedulingCaps.PreemptionAware = 1;
    script.caps.GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    script.caps.MemoryManagementCaps.VirtualAddressingSupported = tables || shared;
    script.caps.MemoryManagementCaps.GpuMmuSupported = tables;
    script.caps.MemoryManagementCaps.IoMmuSupported = shared;
    script.physical.NumExecutionNodes = 1;
    script.physical.Flags.GpuMmuSupported = tables;
    script.physical.Flags.IoMmuSupported = shared;
    script.node_count = 1;
    for (uint32_t node = 0; node < SCRIPT_NODES; node++) {
        script.nodes[node].EngineType = DXGK_ENGINE_TYPE_3D;
        script.nodes[node].GpuMmuSupported = tables;
        script.nodes[node].IoMmuSupported = shared;
    }
    script.mmu.PageTableUpdateMode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
    script.mmu.VirtualAddressBitCount = 48;
    script.mmu.PageTableLevelCount = 4;
    for (uint32_t level = 0; level < DXGK_MAX_PAGE_TABLE_LEVEL_COUNT; level++) {
        script.levels[level] = (DXGK_PAGE_TABLE_LEVEL_DESC){
            .PageTableIndexBitCount = 9,
            .PageTableSegmentId = 1,
            .PagingProcessPageTableSegmentId = 1,
            .PageTableSizeInBytes = 4096,
            .PageTableAlignmentInBytes = 4096,
        };
    }
    script.root_size = 4096;
    script.context = (DXGK_CONTEXTINFO){.DmaBufferSize = 4096, .DmaBufferSegmentSet = 2};
}

static inline void script_init(enum script_model model)
{
    memset(&script, 0, sizeof(script));
    script.model = model;
    script_plug();
    script_fill_table();
    script_fill_segments();
    script_fill_caps();
    vidmm_adapter_options_default(&script.options);
    script.options.paging_buffers = 2;
}

/* ---- start and stop -------------------------------------------------------------------------- */

static inline NTSTATUS script_start(struct vidmm_report *report)
{
    return vidmm_adapter_start(vidmm_slot_host(script.slot), &script.table, &script,
                               &script.options, &script.adapter, report);
}

/* Take the machine apart: nothing of the host's may be left. */
static inline void script_finish(void)
{
    struct vidmm_machine_counts counts = vidmm_machine_counts(script.machine);

    assert_int_equal(counts.blocks, 0);
    assert_int_equal(counts.bytes, 0);
    assert_int_equal(counts.pages, 0);
    assert_int_equal(counts.mappings, 0);
    vidmm_slot_unplug(script.slot);
    vidmm_machine_destroy(script.machine);
}

static inline void script_stop(void)
{
    vidmm_adapter_stop(script.adapter);
    script.adapter = NULL;
}

/* A driver that is right starts. */
static inline void script_starts(void)
{
    struct vidmm_report report;
    NTSTATUS status = script_start(&report);

    if (status != STATUS_SUCCESS)
        fail_msg("it does not start: 0x%08x: %s", (unsigned)status, report.text);
}

/* A driver that is wrong does not, and the report says all of these. Nothing is left of it. */
static inline void script_is_refused(const char *first, const char *second)
{
    struct vidmm_report report = {""};

    assert_int_not_equal(script_start(&report), STATUS_SUCCESS);
    assert_string_equal(script.lines[script.line_count - 1], "RemoveDevice");
    if (strstr(report.text, first) == NULL || strstr(report.text, second) == NULL)
        fail_msg("\"%s\" and \"%s\" are not in: %s", first, second, report.text);
    script_finish();
}

/* Whether a rule was found broken, as often as that. */
static inline bool script_finds(const char *rule, uint64_t count)
{
    struct vidmm_finding finding;

    for (uint32_t index = 0; vidmm_adapter_finding(script.adapter, index, &finding); index++)
        if (strcmp(finding.rule, rule) == 0)
            return finding.count == count;
    return count == 0;
}

/* ---- its page tables ------------------------------------------------------------------------- */

/* The entry of a table, which lies in a segment or in system memory. */
static inline uint64_t script_read(uint64_t table, uint32_t segment, uint64_t index)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(script.slot);
    uint64_t at = table + index * sizeof(uint64_t), entry;
    const void *bytes =
        bus->memory(bus->context, segment == 0 ? at : script.memory[segment - 1] + at, 8);

    assert_non_null(bytes);
    memcpy(&entry, bytes, sizeof(entry));
    return entry;
}

/* Walk from the root that the driver was told of: where an address leads to; 0: nowhere. */
static inline uint64_t script_translate(uint64_t address)
{
    uint32_t levels = script.mmu.PageTableLevelCount, level = levels;
    uint64_t table = script.root.Address.SegmentOffset, entry = 0;
    uint32_t segment = script.root.Address.SegmentId;

    while (level-- > 0) {
        uint32_t shift = 12 + level * script.levels[0].PageTableIndexBitCount;
        uint64_t index = address >> shift;

        if (level + 1 < levels)
            index &= (1u << script.levels[level].PageTableIndexBitCount) - 1;
        else
            assert_in_range(index, 0, script.root.NumEntries - 1);
        entry = script_read(table, segment, index);
        if ((entry & 1) == 0)
            return 0;
        table = entry >> 12 << 12;
        segment = entry >> 1 & 31;
    }
    return entry;
}

#endif
