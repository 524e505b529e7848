/* start_sequence.c: the start of a foreign driver under the manager, call by call.
 *
 *      manager --> these functions, which write every call and its answer on the board --> shim
 *                                                                                           |
 *                                                                                         driver
 *
 * The lines stand on the board, which the parent shares: what a driver did before it fell is told
 * all the same. A refusal of the manager's is a finding, with its sentence and the bug check that
 * Windows stops with; a legal driver that this manager cannot run is a problem, and no finding.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/check.h"
#include "check/host.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "wddm/level.h"
#include "wddm/rule.h"
#include "wddm/status.h"

struct start {
    const struct vidmm_check_options *options;
    struct vidmm_board *board;
    struct vidmm_check_host host;
    DRIVER_INITIALIZATION_DATA driver; /* the functions of this file before the shim's */
    struct vidmm_adapter *adapter;
    bool over; /* calls that follow are no part of it */
};

static struct start *the_start; /* the calls name nobody */

static const DRIVER_INITIALIZATION_DATA *real(void)
{
    return the_start->host.table;
}

/* ---- lines ---- */

/* Write the answer behind the call that was begun, and count lines that are alike as one. */
static void end(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void end(const char *format, ...)
{
    struct vidmm_board *board = the_start->board;
    unsigned count = atomic_load(&board->start_count);
    struct vidmm_board_start *line, *before;
    va_list arguments;

    if (count == 0 || the_start->over)
        return;
    line = &board->starts[count - 1];
    va_start(arguments, format);
    vsnprintf(line->answer, sizeof(line->answer), format, arguments);
    va_end(arguments);
    before = count > 1 ? line - 1 : NULL;
    if (before && strcmp(before->call, line->call) == 0 &&
        strcmp(before->answer, line->answer) == 0) {
        before->times++;
        atomic_store(&board->start_count, count - 1);
    }
}

static void begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void begin(const char *format, ...)
{
    struct vidmm_board *board = the_start->board;
    unsigned count = atomic_load(&board->start_count);
    struct vidmm_board_start *line;
    va_list arguments;

    if (the_start->over)
        return;
    if (count == VIDMM_BOARD_STARTS) /* the last line stands for all that follow */
        count--;
    line = &board->starts[count];
    va_start(arguments, format);
    vsnprintf(line->call, sizeof(line->call), format, arguments);
    va_end(arguments);
    snprintf(line->answer, sizeof(line->answer), "does not come back");
    line->times = 1;
    atomic_store(&board->start_count, count + 1);
}

static const char *status_name(NTSTATUS status)
{
    static char name[64];
    struct vidmm_text text;

    vidmm_text_init(&text, name, sizeof(name));
    vidmm_status_print(&text, status);
    return name;
}

/* ---- calls ---- */

static NTSTATUS add_device(PDEVICE_OBJECT object, PVOID *context)
{
    NTSTATUS status;

    begin("AddDevice");
    status = real()->DxgkDdiAddDevice(object, context);
    end("%s", status_name(status));
    return status;
}

static NTSTATUS start_device(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                             PULONG sources, PULONG children)
{
    NTSTATUS status;

    begin("StartDevice");
    status = real()->DxgkDdiStartDevice(context, info, interface, sources, children);
    end("%s, %u sources, %u children", status_name(status), (unsigned)*sources,
        (unsigned)*children);
    return status;
}

static NTSTATUS query_children(PVOID context, PDXGK_CHILD_DESCRIPTOR relations, ULONG size)
{
    NTSTATUS status;

    begin("QueryChildRelations");
    status = real()->DxgkDdiQueryChildRelations(context, relations, size);
    end("%s", status_name(status));
    return status;
}

static const char *type_name(DXGK_QUERYADAPTERINFOTYPE type)
{
    static char number[32];
    static const struct {
        DXGK_QUERYADAPTERINFOTYPE type;
        const char *name;
    } names[] = {
        {DXGKQAITYPE_DRIVERCAPS, "DRIVERCAPS"},
        {DXGKQAITYPE_PHYSICALADAPTERCAPS, "PHYSICALADAPTERCAPS"},
        {DXGKQAITYPE_64BITONLYCAPS, "64BITONLYCAPS"},
        {DXGKQAITYPE_GPUMMUCAPS, "GPUMMUCAPS"},
        {DXGKQAITYPE_PAGETABLELEVELDESC, "PAGETABLELEVELDESC"},
        {DXGKQAITYPE_QUERYSEGMENT, "QUERYSEGMENT"},
        {DXGKQAITYPE_QUERYSEGMENT3, "QUERYSEGMENT3"},
        {DXGKQAITYPE_QUERYSEGMENT4, "QUERYSEGMENT4"},
        {DXGKQAITYPE_SEGMENTMEMORYSTATE, "SEGMENTMEMORYSTATE"},
        {DXGKQAITYPE_HISTORYBUFFERPRECISION, "HISTORYBUFFERPRECISION"},
        {DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION, "DISPLAY_DRIVERCAPS_EXTENSION"},
        {DXGKQAITYPE_PHYSICAL_MEMORY_CAPS, "PHYSICAL_MEMORY_CAPS"},
        {DXGKQAITYPE_IOMMU_CAPS, "IOMMU_CAPS"},
    };

    for (size_t index = 0; index < sizeof(names) / sizeof(names[0]); index++)
        if (names[index].type == type)
            return names[index].name;
    snprintf(number, sizeof(number), "%u", (unsigned)type);
    return number;
}

/* The part of an answer that decides what follows. */
static void end_query(const DXGKARG_QUERYADAPTERINFO *query, NTSTATUS status)
{
    const DXGK_DRIVERCAPS *caps = query->pOutputData;
    const DXGK_GPUMMUCAPS *mmu = query->pOutputData;
    const DXGK_PAGE_TABLE_LEVEL_DESC *level = query->pOutputData;
    const DXGK_QUERYSEGMENTOUT4 *segments = query->pOutputData;

    if (status != STATUS_SUCCESS) {
        end("%s", status_name(status));
    } else if (query->Type == DXGKQAITYPE_DRIVERCAPS) {
        end("%s, MemoryManagementCaps 0x%x, SchedulingCaps 0x%x", status_name(status),
            caps->MemoryManagementCaps.Value, caps->SchedulingCaps.Value);
    } else if (query->Type == DXGKQAITYPE_GPUMMUCAPS) {
        end("%s, %u levels, %u bits, update mode %u", status_name(status), mmu->PageTableLevelCount,
            mmu->VirtualAddressBitCount, (unsigned)mmu->PageTableUpdateMode);
    } else if (query->Type == DXGKQAITYPE_PAGETABLELEVELDESC) {
        end("%s, %u bits, segments %u and %u, %u bytes", status_name(status),
            level->PageTableIndexBitCount, level->PageTableSegmentId,
            level->PagingProcessPageTableSegmentId, level->PageTableSizeInBytes);
    } else if (query->Type == DXGKQAITYPE_QUERYSEGMENT4) {
        end("%s, NbSegment %u, PagingBufferSegmentId %u", status_name(status), segments->NbSegment,
            segments->PagingBufferSegmentId);
    } else {
        end("%s", status_name(status));
    }
}

static NTSTATUS query_adapter_info(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYPAGETABLELEVELDESCIN *level = query->pInputData;
    NTSTATUS status;

    if (query->Type == DXGKQAITYPE_PAGETABLELEVELDESC)
        begin("QueryAdapterInfo(PAGETABLELEVELDESC, level %u)", level->LevelIndex);
    else
        begin("QueryAdapterInfo(%s)", type_name(query->Type));
    status = real()->DxgkDdiQueryAdapterInfo(adapter, query);
    end_query(query, status);
    return status;
}

static NTSTATUS get_node_metadata(HANDLE adapter, UINT node, DXGKARG_GETNODEMETADATA *metadata)
{
    NTSTATUS status;

    begin("GetNodeMetadata(%u)", node);
    status = real()->DxgkDdiGetNodeMetadata(adapter, node, metadata);
    if (status == STATUS_SUCCESS)
        end("%s, engine type %u, GpuMmuSupported %u", status_name(status),
            (unsigned)metadata->EngineType, metadata->GpuMmuSupported);
    else
        end("%s", status_name(status));
    return status;
}

static NTSTATUS create_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    NTSTATUS status;

    begin("CreateProcess(flags %u, NumPasid %u)", arguments->Flags.Value, arguments->NumPasid);
    status = real()->DxgkDdiCreateProcess(adapter, arguments);
    end("%s", status_name(status));
    return status;
}

static NTSTATUS create_device(const HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    NTSTATUS status;

    begin("CreateDevice(system)");
    status = real()->DxgkDdiCreateDevice(adapter, arguments);
    end("%s", status_name(status));
    return status;
}

static NTSTATUS create_context(const HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    NTSTATUS status;

    begin("CreateContext(flags %u, node %u)", arguments->Flags.Value, arguments->NodeOrdinal);
    status = real()->DxgkDdiCreateContext(device, arguments);
    end("%s", status_name(status));
    return status;
}

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &arguments->UpdatePageTable;
    NTSTATUS status;

    if (arguments->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE)
        begin("UpdatePageTable(level %u, %u entries from %u%s%s)", update->PageTableLevel,
              update->NumPageTableEntries, update->StartIndex,
              update->Flags.Repeat ? ", Repeat" : "",
              update->Flags.InitialUpdate ? ", InitialUpdate" : "");
    else
        begin("BuildPagingBuffer(operation %u)", (unsigned)arguments->Operation);
    status = real()->DxgkDdiBuildPagingBuffer(adapter, arguments);
    end("%s", status_name(status));
    return status;
}

static void set_root_page_table(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    begin("SetRootPageTable(segment %u, offset 0x%llx, %u entries)", arguments->Address.SegmentId,
          (unsigned long long)arguments->Address.SegmentOffset, arguments->NumEntries);
    real()->DxgkDdiSetRootPageTable(adapter, arguments);
    end("returns");
}

static SIZE_T get_root_size(HANDLE adapter, DXGKARG_GETROOTPAGETABLESIZE *arguments)
{
    SIZE_T size;

    begin("GetRootPageTableSize(%u entries)", arguments->NumberOfPte);
    size = real()->DxgkDdiGetRootPageTableSize(adapter, arguments);
    end("%llu bytes", (unsigned long long)size);
    return size;
}

/* A function that the driver does not have stays away. */
#define BETWEEN(member, function)                                                                  \
    do {                                                                                           \
        if (start->driver.member)                                                                  \
            start->driver.member = function;                                                       \
    } while (0)

static void stand_between(struct start *start)
{
    bool newer = vidmm_level_find(start->driver.Version)->level >= VIDMM_LEVEL(2, 0);

    BETWEEN(DxgkDdiAddDevice, add_device);
    BETWEEN(DxgkDdiStartDevice, start_device);
    BETWEEN(DxgkDdiQueryChildRelations, query_children);
    BETWEEN(DxgkDdiQueryAdapterInfo, query_adapter_info);
    BETWEEN(DxgkDdiCreateDevice, create_device);
    BETWEEN(DxgkDdiCreateContext, create_context);
    BETWEEN(DxgkDdiBuildPagingBuffer, build_paging_buffer);
    if (vidmm_level_find(start->driver.Version)->level >= VIDMM_LEVEL(1, 3))
        BETWEEN(DxgkDdiGetNodeMetadata, get_node_metadata);
    if (newer) {
        BETWEEN(DxgkDdiCreateProcess, create_process);
        BETWEEN(DxgkDdiSetRootPageTable, set_root_page_table);
        BETWEEN(DxgkDdiGetRootPageTableSize, get_root_size);
    }
}

/* ---- the whole ---- */

/* The bug check that the sentence of a refusal speaks of; else nothing changes. */
static void note_bug_check(struct vidmm_board *board, const char *text)
{
    const char *at = strstr(text, "bug check 0x");
    unsigned code, parameter;

    if (at && sscanf(at, "bug check %x, %x", &code, &parameter) == 2) {
        board->start_bug_check[0] = code;
        board->start_bug_check[1] = parameter;
    }
}

static const struct vidmm_rule *rule_named(const char *name)
{
    for (int i = 0; i < VIDMM_RULE_COUNT; i++) {
        struct vidmm_text text;
        char id[16];

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, (enum vidmm_rule_id)i);
        if (strcmp(id, name) == 0)
            return vidmm_rule((enum vidmm_rule_id)i);
    }
    return NULL;
}

/* Rules that were broken on the way, and that do not keep the adapter from starting. */
static void judge(struct start *start)
{
    struct vidmm_finding finding;

    for (uint32_t i = 0; vidmm_adapter_finding(start->adapter, i, &finding); i++) {
        const struct vidmm_rule *rule = rule_named(finding.rule);
        char seen[sizeof(struct vidmm_report) + 40];

        snprintf(seen, sizeof(seen), "%s (%s)", finding.first,
                 vidmm_counted(finding.count, "time").text);
        if (finding.warning)
            vidmm_board_note(start->board, finding.rule, rule ? rule->sentence : "",
                             rule ? rule->source : "", "", seen);
        else
            vidmm_board_find(start->board, finding.rule, rule ? rule->sentence : "",
                             rule ? rule->source : "", "", seen);
    }
}

static void run(struct start *start)
{
    struct vidmm_adapter_options options;
    struct vidmm_report report = {""};
    NTSTATUS status;

    start->driver = *start->host.table;
    stand_between(start);
    vidmm_adapter_options_default(&options);
    options.poison = true;
    options.post_device = vidmm_kit_is_post_device();
    status = vidmm_adapter_start(start->host.miniport.host, &start->driver, vidmm_kit_device(),
                                 &options, &start->adapter, &report);
    start->over = true;
    if (status == STATUS_SUCCESS) {
        snprintf(start->board->start_end, sizeof(start->board->start_end), "the adapter starts");
        judge(start);
        return;
    }
    start->adapter = NULL;
    snprintf(start->board->start_end, sizeof(start->board->start_end), "%s", report.text);
    if (status == STATUS_NOT_SUPPORTED || status == STATUS_NO_MEMORY) {
        vidmm_board_problem(start->board, "%s", report.text);
        return;
    }
    note_bug_check(start->board, report.text);
    vidmm_check_find(start->board, VIDMM_CHECK_START, "", "%s", report.text);
}

static enum vidmm_board_end body(struct vidmm_board *board, void *argument)
{
    struct start *start = calloc(1, sizeof(*start));
    enum vidmm_board_end ended = VIDMM_BOARD_ENDED;

    if (!start)
        return VIDMM_BOARD_COULD_NOT_RUN;
    the_start = start;
    start->options = argument;
    start->board = board;
    vidmm_board_begin(board, "start");
    if (vidmm_check_host_open(&start->host, board, start->options->configuration,
                              start->options->driver, start->options->plugin,
                              start->options->journal, start->options->print)) {
        if (start->host.miniport.display_only)
            vidmm_board_problem(board, "the driver is display only: no manager of video memory "
                                       "starts it");
        else
            run(start);
    }
    vidmm_board_begin(board, "stop");
    vidmm_adapter_stop(start->adapter);
    vidmm_check_host_close(&start->host);
    if (board->problem[0])
        ended =
            atomic_load(&board->finding_count) ? VIDMM_BOARD_GAVE_UP : VIDMM_BOARD_COULD_NOT_RUN;
    free(start);
    return ended;
}

bool vidmm_check_start(struct vidmm_board *board, const struct vidmm_check_options *options)
{
    return vidmm_check_watch(board, options, body, (void *)(uintptr_t)options);
}
