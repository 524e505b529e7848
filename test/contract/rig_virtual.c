/* rig_virtual.c: the rig's adapter at 2.0, with a GPU MMU. */
#include "rig_virtual.h"

enum { LEVELS = 3, SCRATCH = 16 };

/* ---- The miniport ---- */

static void answer_segments4(const struct rig *rig, DXGK_QUERYSEGMENTOUT4 *out)
{
    static const uint64_t bases[RIG_SEGMENTS] = {RIG_APERTURE_BASE, RIG_MEMORY_BASE,
                                                 RIG_OTHER_BASE};
    DXGK_SEGMENTDESCRIPTOR4 *segments = (DXGK_SEGMENTDESCRIPTOR4 *)out->pSegmentDescriptor;

    out->NbSegment = RIG_SEGMENTS;
    out->PagingBufferSegmentId = rig->paging_segment;
    out->PagingBufferSize = RIG_BUFFER_SIZE;
    out->PagingBufferPrivateDataSize = RIG_PRIVATE_SIZE;
    out->SegmentDescriptorStride = sizeof *segments;
    for (int i = 0; i < RIG_SEGMENTS && segments != NULL; i++) {
        segments[i].Flags.Aperture = i == 0;
        segments[i].BaseAddress.QuadPart = (LONGLONG)bases[i];
        segments[i].Size = segments[i].CommitLimit = RIG_SEGMENT_SIZE;
        segments[i].Flags.SupportsCpuHostAperture = i == RIG_OTHER_MEMORY - 1;
        segments[i].CpuHostAperture.SizeInPages = RIG_HOST_PAGES;
        if (i == RIG_MEMORY - 1 && rig->vpr_size != 0) {
            segments[i].Flags.VprSupported = 1;
            segments[i].VprAlignment = (UINT)RIG_PAGE;
            segments[i].VprRangeStartOffset = rig->vpr_start;
            segments[i].VprRangeSize = rig->vpr_size;
        }
    }
}

void rig_virtual_query(const struct rig *rig, const DXGKARG_QUERYADAPTERINFO *query)
{
    DXGK_GPUMMUCAPS *caps = query->pOutputData;
    DXGK_PAGE_TABLE_LEVEL_DESC *level = query->pOutputData;

    switch (query->Type) {
    case DXGKQAITYPE_QUERYSEGMENT4:
        if (query->OutputDataSize >= sizeof(DXGK_QUERYSEGMENTOUT4))
            answer_segments4(rig, query->pOutputData);
        break;
    case DXGKQAITYPE_GPUMMUCAPS:
        caps->Value = rig->mmu;
        caps->PageTableUpdateMode = rig->mode;
        caps->VirtualAddressBitCount = 39;
        caps->PageTableLevelCount = LEVELS;
        break;
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        level->PageTableIndexBitCount = 9;
        level->PageTableSegmentId = level->PagingProcessPageTableSegmentId = RIG_MEMORY;
        level->PageTableSizeInBytes = level->PageTableAlignmentInBytes = RIG_PAGE;
        break;
    default:
        break;
    }
}

/* ---- Operations ---- */

DXGK_PTE rig_entry(UINT segment, uint64_t offset)
{
    DXGK_PTE entry = {.PageAddress = offset / RIG_PAGE};

    entry.Valid = 1;
    entry.Segment = segment & 31;
    return entry;
}

DXGKARG_BUILDPAGINGBUFFER rig_update(HANDLE process, UINT level, uint64_t table, UINT first,
                                     UINT count, DXGK_PTE *entries)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE};

    asked.UpdatePageTable.hProcess = process;
    asked.UpdatePageTable.PageTableLevel = level;
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
    asked.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = RIG_MEMORY;
    asked.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = table;
    asked.UpdatePageTable.StartIndex = first;
    asked.UpdatePageTable.NumPageTableEntries = count;
    asked.UpdatePageTable.pPageTableEntries = entries;
    asked.UpdatePageTable.FirstPteVirtualAddress = (uint64_t)first << (12 + 9 * level);
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_clear(HANDLE process, UINT level, uint64_t table)
{
    static DXGK_PTE invalid;
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(process, level, table, 0, RIG_ENTRIES, &invalid);

    asked.UpdatePageTable.Flags.Repeat = 1;
    asked.UpdatePageTable.Flags.InitialUpdate = 1;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_flush_tlb(HANDLE process, uint64_t root)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_FLUSH_TLB};

    asked.FlushTlb.hProcess = process;
    asked.FlushTlb.RootPageTableAddress.SegmentId = RIG_MEMORY;
    asked.FlushTlb.RootPageTableAddress.SegmentOffset = root;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_fill_virtual(uint64_t address, uint64_t size)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_VIRTUAL_FILL};

    asked.FillVirtual.DestinationVirtualAddress = address;
    asked.FillVirtual.FillSizeInBytes = size;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_transfer_virtual(uint64_t from, uint64_t to, uint64_t size,
                                               DXGK_MEMORY_TRANSFER_DIRECTION direction)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_VIRTUAL_TRANSFER};

    asked.TransferVirtual.SourceVirtualAddress = from;
    asked.TransferVirtual.DestinationVirtualAddress = to;
    asked.TransferVirtual.TransferSizeInBytes = size;
    asked.TransferVirtual.TransferDirection = direction;
    return asked;
}

static uint64_t root_of(const struct rig *rig, HANDLE process)
{
    return process == rig->system_process ? 0 : RIG_TABLES;
}

static void write_page(struct rig *rig, HANDLE process, UINT page, DXGK_PTE entry)
{
    uint64_t leaf = root_of(rig, process) + 2 * RIG_PAGE;

    rig_build(rig, rig_update(process, 0, leaf, (UINT)(RIG_ADDRESS / RIG_PAGE) + page, 1, &entry));
}

void rig_map_page(struct rig *rig, HANDLE process, UINT page, UINT segment, uint64_t offset)
{
    write_page(rig, process, page, rig_entry(segment, offset));
}

void rig_unmap_page(struct rig *rig, HANDLE process, UINT page)
{
    write_page(rig, process, page, (DXGK_PTE){{{0}}, {0}});
}

void rig_forget_addresses(struct rig *rig, HANDLE process)
{
    rig_build(rig, rig_flush_tlb(process, root_of(rig, process)));
}

void rig_map_scratch(struct rig *rig)
{
    DXGK_PTE entries[2 * SCRATCH];
    uint64_t first = RIG_ADDRESS / RIG_PAGE;

    for (UINT i = 0; i < SCRATCH; i++) {
        entries[i] = rig_entry(RIG_MEMORY, 0x100000 + i * RIG_PAGE);
        entries[SCRATCH + i] = rig_entry(0, 0x800000 + i * RIG_PAGE);
    }
    rig_build(rig,
              rig_update(rig->system_process, 0, 2 * RIG_PAGE, (UINT)first, 2 * SCRATCH, entries));
    rig_forget_addresses(rig, rig->system_process);
}

/* ---- Submission ---- */

DXGKARG_SUBMITCOMMANDVIRTUAL rig_paging_virtual(struct rig *rig)
{
    const struct rig_buffer *buffer = &rig->buffers[rig->current];
    DXGKARG_SUBMITCOMMANDVIRTUAL command = {
        .hContext = rig->paging_context,
        .DmaBufferVirtualAddress = buffer->start,
        .DmaBufferSize = buffer->end - buffer->start,
        .DmaBufferPrivateDataSize = buffer->private_end - buffer->private_start,
        .SubmissionFenceId = ++rig->fence,
        .NodeOrdinal = RIG_PAGING_NODE,
    };

    command.Flags.Paging = 1;
    return command;
}

void rig_page_virtual(struct rig *rig)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL command = rig_paging_virtual(rig);

    rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
    rig_complete(rig, RIG_PAGING_NODE, command.SubmissionFenceId);
    rig_new_buffer(rig);
}

void rig_set_root(struct rig *rig, HANDLE context, uint64_t root)
{
    DXGKARG_SETROOTPAGETABLE set = {.hContext = context, .NumEntries = RIG_ENTRIES};

    set.Address.SegmentId = RIG_MEMORY;
    set.Address.SegmentOffset = root;
    rig->driver->DxgkDdiSetRootPageTable(rig->adapter, &set);
}

UINT rig_run_virtual(struct rig *rig, HANDLE context)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL command = {
        .hContext = context,
        .DmaBufferVirtualAddress = RIG_ADDRESS,
        .DmaBufferSize = 64,
        .SubmissionFenceId = ++rig->fence,
        .NodeOrdinal = RIG_RENDER_NODE,
    };

    rig->driver->DxgkDdiSubmitCommandVirtual(rig->adapter, &command);
    return command.SubmissionFenceId;
}

/* ---- The start ---- */

static void ask(struct rig *rig, DXGK_QUERYADAPTERINFOTYPE type, void *in, UINT in_size, void *out,
                UINT size)
{
    DXGKARG_QUERYADAPTERINFO query = {.Type = type,
                                      .pInputData = in,
                                      .InputDataSize = in_size,
                                      .pOutputData = out,
                                      .OutputDataSize = size};

    assert_int_equal(rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &query), STATUS_SUCCESS);
}

void rig_query_mmu(struct rig *rig)
{
    DXGK_SEGMENTDESCRIPTOR4 segments[RIG_SEGMENTS];
    DXGK_QUERYSEGMENTIN4 in = {0};
    DXGK_QUERYSEGMENTOUT4 out = {0};
    DXGK_QUERYPAGETABLELEVELDESCIN which = {0};
    DXGK_PAGE_TABLE_LEVEL_DESC level = {0};
    DXGK_GPUMMUCAPS caps = {.PageTableLevelCount = 0};

    memset(segments, 0, sizeof segments);
    ask(rig, DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof in, &out, sizeof out);
    out.pSegmentDescriptor = (BYTE *)segments;
    ask(rig, DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof in, &out, sizeof out);
    ask(rig, DXGKQAITYPE_GPUMMUCAPS, &which, 4, &caps, sizeof caps);
    for (which.LevelIndex = 0; which.LevelIndex < LEVELS; which.LevelIndex++)
        ask(rig, DXGKQAITYPE_PAGETABLELEVELDESC, &which, sizeof which, &level, sizeof level);
}

static HANDLE new_process(struct rig *rig, bool system)
{
    DXGKARG_CREATEPROCESS create = {.hDxgkProcess = rig, .NumPasid = 1};

    create.Flags.SystemProcess = system;
    assert_int_equal(rig->driver->DxgkDdiCreateProcess(rig->adapter, &create), STATUS_SUCCESS);
    return create.hKmdProcess;
}

static HANDLE new_device(struct rig *rig, HANDLE process)
{
    DXGKARG_CREATEDEVICE create = {.hDevice = rig, .hKmdProcess = process};

    assert_int_equal(rig->driver->DxgkDdiCreateDevice(rig->adapter, &create), STATUS_SUCCESS);
    return create.hDevice;
}

static HANDLE new_context(struct rig *rig, HANDLE device, UINT node, UINT flags)
{
    DXGKARG_CREATECONTEXT create = {.hContext = rig, .NodeOrdinal = node, .EngineAffinity = 1};

    create.Flags.Value = flags;
    assert_int_equal(rig->driver->DxgkDdiCreateContext(device, &create), STATUS_SUCCESS);
    return create.hContext;
}

/* Leaf, then the table above it, then the root. */
static void make_tables(struct rig *rig, HANDLE process)
{
    uint64_t root = root_of(rig, process);

    for (UINT level = 0; level < LEVELS; level++) {
        DXGK_PTE child = rig_entry(RIG_MEMORY, root + (LEVELS - level) * RIG_PAGE);
        uint64_t table = root + (LEVELS - 1 - level) * RIG_PAGE;

        rig_build(rig, rig_clear(process, level, table));
        if (level > 0)
            rig_build(rig, rig_update(process, level, table, 0, 1, &child));
    }
    rig_forget_addresses(rig, process);
}

enum { SYSTEM = 1, BY_ADDRESS = 4 }; /* of DXGK_CREATECONTEXTFLAGS */

void rig_virtual_start(struct rig *rig)
{
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM2_1, NULL);
    rig->mode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
    rig->paging_segment = 0;
    rig->dma_set = RIG_SET(RIG_APERTURE);
    rig_query_mmu(rig);
    rig->system_process = new_process(rig, true);
    rig->process = new_process(rig, false);
    rig->system_device = new_device(rig, rig->system_process);
    rig->paging_context =
        new_context(rig, rig->system_device, RIG_PAGING_NODE, SYSTEM | BY_ADDRESS);
    rig->device = new_device(rig, rig->process);
    rig->context = new_context(rig, rig->device, RIG_RENDER_NODE, BY_ADDRESS);
    make_tables(rig, rig->system_process);
    make_tables(rig, rig->process);
    rig_set_root(rig, rig->paging_context, 0);
    rig_page_virtual(rig);
}

void rig_renew_process(struct rig *rig)
{
    DXGKDDI_DESTROYCONTEXT *destroy = rig->driver->DxgkDdiDestroyContext;

    assert_int_equal(destroy(rig->context), STATUS_SUCCESS);
    assert_int_equal(rig->driver->DxgkDdiDestroyDevice(rig->device), STATUS_SUCCESS);
    assert_int_equal(rig->driver->DxgkDdiDestroyProcess(rig->adapter, rig->process),
                     STATUS_SUCCESS);
    rig->same_process = rig->process;
    assert_ptr_equal(new_process(rig, false), rig->process);
    rig->same_process = NULL;
    rig->device = new_device(rig, rig->process);
    rig->context = new_context(rig, rig->device, RIG_RENDER_NODE, BY_ADDRESS);
}
