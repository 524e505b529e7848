/*
 * Theory. Contexts with addresses of their own. The root of a process's page tables is told a
 * context at a time (SetRootPageTable), and goes into each packet of the context: so the GPU has
 * the right address space whenever it begins one.
 *
 *     SubmitCommandVirtual   address, size  -->  packet: address by the root, root, fence
 *
 * A paging buffer that lies in no segment has no address for the GPU (PagingBufferSegmentId 0): its
 * commands are copied to the GPU's own memory, to a place a packet.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* ---- what the page tables are like ----------------------------------------------------------- */

static DXGK_GPUMMUCAPS caps_of(const struct softgpu_adapter *adapter)
{
    const struct softgpu_mmu *mmu = &adapter->registers->mmu;
    DXGK_GPUMMUCAPS caps;

    memset(&caps, 0, sizeof(caps));
    caps.ReadOnlyMemorySupported = mmu->read_only & 1;
    caps.NoExecuteMemorySupported = mmu->no_execute & 1;
    caps.ZeroInPteSupported = mmu->zero_pte & 1;
    caps.ExplicitPageTableInvalidation = mmu->explicit_invalidation & 1;
    caps.CacheCoherentMemorySupported = mmu->coherent & 1;
    caps.PageTableUpdateRequireAddressSpaceIdle = mmu->idle_updates & 1;
    caps.LargePageSupported = mmu->large_pages & 1;
    caps.DualPteSupported = mmu->pages_64k == SOFTGPU_64K_DUAL;
    caps.AllowNonAlignedLargePageAddress = mmu->unaligned_large & 1;
    caps.SysMem64KBPageSupported = mmu->system_64k & 1;
    caps.InvalidTlbEntriesNotCached = !mmu->invalid_cached && adapter->level >= 26;
    caps.SysMemLargePageSupported = mmu->system_large & 1;
    caps.CachedPageTables = mmu->cached_tables & 1;
    caps.PageTableUpdateMode = (DXGK_PAGETABLEUPDATEMODE)mmu->update_mode;
    caps.VirtualAddressBitCount = softgpu_address_bits(mmu);
    if (mmu->pages_64k != SOFTGPU_64K_OFF)
        caps.LeafPageTableSizeFor64KPagesInBytes = softgpu_size_of_table(8, mmu->index_bits[0] - 4);
    caps.PageTableLevelCount = mmu->levels;
    return caps;
}

static NTSTATUS refuse_query(struct softgpu_adapter *adapter, const DXGKARG_QUERYADAPTERINFO *args)
{
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                          "QueryAdapterInfo: type %d, input of %u bytes, output of %u",
                          (int)args->Type, args->InputDataSize, args->OutputDataSize);
}

NTSTATUS softgpu_query_mmu(struct softgpu_adapter *adapter, const DXGKARG_QUERYADAPTERINFO *args)
{
    const DXGK_QUERYGPUMMUCAPSIN *in = args->pInputData;
    const struct softgpu_adapter *member;
    DXGK_GPUMMUCAPS caps;

    if (adapter->registers->mmu.kind != SOFTGPU_MMU_GPU)
        return STATUS_NOT_SUPPORTED;
    if (in == NULL || args->InputDataSize < sizeof(*in) || args->OutputDataSize < sizeof(caps))
        return refuse_query(adapter, args);
    member = softgpu_engine(adapter, in->PhysicalAdapterIndex);
    if (member == NULL)
        return refuse_query(adapter, args);
    caps = caps_of(member);
    memcpy(args->pOutputData, &caps, sizeof(caps));
    return STATUS_SUCCESS;
}

NTSTATUS softgpu_query_level(struct softgpu_adapter *adapter, const DXGKARG_QUERYADAPTERINFO *args)
{
    const struct softgpu_mmu *mmu = &adapter->registers->mmu;
    const DXGK_QUERYPAGETABLELEVELDESCIN *in = args->pInputData;
    const struct softgpu_adapter *member;
    DXGK_PAGE_TABLE_LEVEL_DESC level;

    if (mmu->kind != SOFTGPU_MMU_GPU)
        return STATUS_NOT_SUPPORTED;
    if (in == NULL || args->InputDataSize < sizeof(*in) || args->OutputDataSize < sizeof(level))
        return refuse_query(adapter, args);
    member = softgpu_engine(adapter, in->PhysicalAdapterIndex);
    if (member == NULL || in->LevelIndex >= member->registers->mmu.levels)
        return refuse_query(adapter, args);
    mmu = &member->registers->mmu;
    level = (DXGK_PAGE_TABLE_LEVEL_DESC){
        .PageTableIndexBitCount = mmu->index_bits[in->LevelIndex],
        .PageTableSegmentId = mmu->table_segment,
        .PagingProcessPageTableSegmentId = mmu->paging_table_segment,
        .PageTableSizeInBytes = softgpu_table_size(mmu, in->LevelIndex),
        .PageTableAlignmentInBytes = SOFTGPU_PAGE_SIZE,
    };
    memcpy(args->pOutputData, &level, sizeof(level));
    return STATUS_SUCCESS;
}

/* obeys D-134: asked of two levels alone */
SIZE_T SoftgpuGetRootPageTableSize(HANDLE hAdapter, DXGKARG_GETROOTPAGETABLESIZE *pArgs)
{
    struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_mmu *mmu = &adapter->registers->mmu;
    UINT entry = mmu->pages_64k == SOFTGPU_64K_DUAL ? 16 : 8;

    if (mmu->kind != SOFTGPU_MMU_GPU || mmu->levels != 2) {
        softgpu_refuse(adapter, STATUS_SUCCESS, "GetRootPageTableSize: the root has a fixed size");
        return 0;
    }
    return ((SIZE_T)pArgs->NumberOfPte * entry + SOFTGPU_PAGE_SIZE - 1) &
           ~(SIZE_T)(SOFTGPU_PAGE_SIZE - 1);
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* The node of companion contexts; UINT_MAX: none. obeys D-266 */
static UINT companion_node(const struct softgpu_registers *registers)
{
    switch (registers->mmu.companion) {
    case SOFTGPU_COMPANION_PAGING:
        return registers->paging_node;
    case SOFTGPU_COMPANION_NONE:
        return ~0u;
    default:
        return registers->mmu.companion - SOFTGPU_COMPANION_FIRST;
    }
}

void softgpu_begin_virtual(struct softgpu_context *context, DXGK_CONTEXTINFO *info, BOOLEAN gdi)
{
    context->virtual = TRUE;
    info->AllocationListSize = gdi ? 256 : 16; /* obeys D-095 */
    info->PatchLocationListSize = 0;
    info->Caps.NoPatchingRequired = 1;
    info->PagingCompanionNodeId = companion_node(context->device->adapter->registers);
}

static struct softgpu_context *virtual_context_of(HANDLE handle)
{
    struct softgpu_context *context = handle;

    return context != NULL && context->kind == SOFTGPU_CONTEXT && context->virtual ? context : NULL;
}

VOID SoftgpuSetRootPageTable(HANDLE hAdapter, const DXGKARG_SETROOTPAGETABLE *pSetPageTable)
{
    struct softgpu_context *context = virtual_context_of(pSetPageTable->hContext);

    if (context == NULL || !softgpu_has_tables(hAdapter)) {
        softgpu_refuse(hAdapter, STATUS_SUCCESS, "SetRootPageTable: the context has no %s",
                       context == NULL ? "virtual addresses" : "page tables of the GPU");
        return;
    }
    context->root = (struct softgpu_root){
        .address = pSetPageTable->Address.SegmentOffset,
        .segment = pSetPageTable->Address.SegmentId,
        .entries = pSetPageTable->NumEntries,
    };
}

/* ---- SubmitCommandVirtual -------------------------------------------------------------------- */

/* Copy a paging buffer to the GPU's memory, to the place of the packet that is given next. */
static NTSTATUS upload(struct softgpu_adapter *adapter, UINT node,
                       const DXGKARG_SUBMITCOMMANDVIRTUAL *args, struct softgpu_packet *packet)
{
    const struct softgpu_registers *registers = adapter->registers;
    UINT slot = adapter->nodes[node].given & (registers->engines[node].slots - 1);
    BOOLEAN pages = node == registers->paging_node || node == companion_node(registers);
    UINT64 place = registers->upload + (UINT64)slot * registers->upload_stride;
    struct softgpu_private_record record;

    if (node != registers->paging_node)
        place += (UINT64)registers->engines[node].slots * registers->upload_stride;
    packet->flags &= ~SOFTGPU_PACKET_VIRTUAL;
    if (args->DmaBufferSize == 0)
        return STATUS_SUCCESS;
    if (args->pDmaBufferPrivateData == NULL || args->DmaBufferPrivateDataSize < sizeof(record))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: a paging buffer without private data");
    memcpy(&record, args->pDmaBufferPrivateData, sizeof(record));
    if (record.mark != SOFTGPU_PRIVATE_MARK || record.at == NULL ||
        args->DmaBufferSize > registers->paging_buffer || !pages)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: %u bytes of a paging buffer of %u, node %u",
                              args->DmaBufferSize, registers->paging_buffer, node);
    memcpy((char *)adapter->registers + place, record.at, args->DmaBufferSize);
    packet->address = adapter->register_address + place;
    return STATUS_SUCCESS;
}

static NTSTATUS check_submission(struct softgpu_adapter *adapter,
                                 const DXGKARG_SUBMITCOMMANDVIRTUAL *args)
{
    const struct softgpu_context *context = virtual_context_of(args->hContext);

    if (context != NULL && args->EngineOrdinal != context->engine)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: EngineOrdinal %u, and the context is of %u",
                              args->EngineOrdinal, context->engine);
    if (context == NULL || args->NodeOrdinal != context->node)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: node %u, and the context is %s",
                              args->NodeOrdinal,
                              context == NULL ? "none with virtual addresses" : "of another");
    if (args->DmaBufferUmdPrivateDataSize > args->DmaBufferPrivateDataSize)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: private data of %u bytes, %u of user mode's",
                              args->DmaBufferPrivateDataSize, args->DmaBufferUmdPrivateDataSize);
    return softgpu_check_room(adapter, "SubmitCommandVirtual");
}

/* Bytes of the DMA buffer that were run before a preemption cut it. */
static UINT start_of(struct softgpu_context *context, const DXGKARG_SUBMITCOMMANDVIRTUAL *args)
{
    UINT cut_at = atomic_exchange(&context->cut_at, 0);

    return args->Flags.Resubmission && cut_at <= args->DmaBufferSize ? cut_at : 0;
}

static struct softgpu_packet packet_of(struct softgpu_context *context,
                                       const DXGKARG_SUBMITCOMMANDVIRTUAL *args)
{
    const struct softgpu_process *process = context->device->process;

    return (struct softgpu_packet){
        .address = args->DmaBufferVirtualAddress,
        .segment = 0,
        .size = args->DmaBufferSize,
        .fence = args->SubmissionFenceId,
        .flags = SOFTGPU_PACKET_VIRTUAL | (args->Flags.Paging ? SOFTGPU_PACKET_PAGING : 0) |
                 (args->Flags.ContextSwitch ? SOFTGPU_PACKET_SWITCH : 0) |
                 (args->Flags.NullRendering ? SOFTGPU_PACKET_NULL : 0) |
                 (args->Flags.Paging ? 0 : SOFTGPU_PACKET_FIRST),
        .instance = context->engine,
        .start = start_of(context, args),
        .owner = (uint64_t)(uintptr_t)context,
        .pasid = context->device->pasid,
        .root = context->root,
        .process = process != NULL ? (uint64_t)(uintptr_t)process->dxgk_handle : 0,
    };
}

/* obeys D-090 */
NTSTATUS SoftgpuSubmitCommandVirtual(HANDLE hAdapter,
                                     const DXGKARG_SUBMITCOMMANDVIRTUAL *pSubmitCommand)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pSubmitCommand->EngineOrdinal);
    struct softgpu_context *context = pSubmitCommand->hContext;
    struct softgpu_packet packet;
    NTSTATUS status;

    if (adapter == NULL)
        return softgpu_refuse(hAdapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandVirtual: EngineOrdinal %u",
                              pSubmitCommand->EngineOrdinal);
    status = check_submission(adapter, pSubmitCommand);
    if (!NT_SUCCESS(status))
        return STATUS_INVALID_PARAMETER;
    packet = packet_of(context, pSubmitCommand);
    if (pSubmitCommand->Flags.Paging && adapter->registers->paging_buffer_segment == 0)
        status = upload(adapter, context->node, pSubmitCommand, &packet);
    else if (!pSubmitCommand->Flags.Paging && !pSubmitCommand->Flags.ContextSwitch)
        softgpu_name_context(adapter, context, &packet);
    if (!NT_SUCCESS(status))
        return status;
    return softgpu_give_packet(adapter, context->node, &packet);
}
