/* test_softgpu_world.h: a system in small for one adapter of the software GPU: the callbacks of the
 * driver, and what came of them; devices, contexts and allocations; paging buffers, built by the
 * protocol of the fifth document.
 */
#ifndef TEST_UNIT_TEST_SOFTGPU_WORLD_H
#define TEST_UNIT_TEST_SOFTGPU_WORLD_H

#include "test_softgpu_machine.h"

#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "softgpu/driver.h"
#include "softgpu/pool.h"

enum { MEMORY = 2, APERTURE = 1, LOG = 64 };

/* An event that the driver told the system. */
struct event {
    DXGK_INTERRUPT_TYPE type;
    UINT fence, last_completed, node;
    UINT flags, level; /* of a page fault */
    uint64_t address;
    HANDLE process;
};

/* A system for one adapter: the callbacks, and what came of them. */
static struct world {
    struct machine machine;
    DRIVER_INITIALIZATION_DATA ddi;
    DXGKRNL_INTERFACE dxgk;
    PVOID adapter;
    struct event events[LOG];
    unsigned event_count;
    unsigned dpcs_queued, dpcs_notified, mappings;
    bool dpc_pending, at_device_level;
    HANDLE handle_data[8]; /* of kernel handles 0x100, 0x101, ... */
    UINT fence;            /* the newest given */
    bool started;
} world;

/* ---- callbacks ------------------------------------------------------------------------------- */

static inline NTSTATUS read_space(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer, ULONG Offset,
                                  ULONG Length, PULONG BytesRead)
{
    uint64_t bar;

    assert_ptr_equal(DeviceHandle, &world);
    assert_int_equal(DataType, 0);
    assert_true(Offset % 8 == 0 && Offset >= 0x10 && Offset < 0x28 && Length == 8);
    bar = MACHINE_BAR((Offset - 0x10) / 8) | 0xc; /* 64 bits wide, prefetchable */
    memcpy(Buffer, &bar, sizeof(bar));
    *BytesRead = Length;
    return STATUS_SUCCESS;
}

static inline NTSTATUS write_space(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer, ULONG Offset,
                                   ULONG Length, PULONG BytesWritten)
{
    assert_ptr_equal(DeviceHandle, &world);
    assert_int_equal(DataType, 0);
    assert_true(Offset >= 0x40);
    if (!world.machine.model.write_config(world.machine.model.device, Offset, Buffer, Length))
        return STATUS_INVALID_PARAMETER;
    *BytesWritten = Length;
    return STATUS_SUCCESS;
}

static inline NTSTATUS map_memory(HANDLE DeviceHandle, PHYSICAL_ADDRESS TranslatedAddress,
                                  ULONG Length, BOOLEAN InIoSpace, BOOLEAN MapToUserMode,
                                  MEMORY_CACHING_TYPE CacheType, PVOID *VirtualAddress)
{
    assert_ptr_equal(DeviceHandle, &world);
    assert_false(InIoSpace || MapToUserMode);
    (void)CacheType;
    *VirtualAddress = machine_memory(&world.machine, (uint64_t)TranslatedAddress.QuadPart, Length);
    if (*VirtualAddress == NULL)
        return STATUS_INVALID_PARAMETER;
    world.mappings++;
    return STATUS_SUCCESS;
}

static inline NTSTATUS unmap_memory(HANDLE DeviceHandle, PVOID VirtualAddress)
{
    assert_ptr_equal(DeviceHandle, &world);
    assert_non_null(VirtualAddress);
    world.mappings--;
    return STATUS_SUCCESS;
}

static inline VOID notify_interrupt(HANDLE hAdapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    struct event *event = &world.events[world.event_count++ % LOG];

    assert_ptr_equal(hAdapter, &world);
    assert_true(world.at_device_level); /* D-348 */
    event->type = data->InterruptType;
    if (data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED) {
        event->fence = data->DmaCompleted.SubmissionFenceId;
        event->node = data->DmaCompleted.NodeOrdinal;
    } else if (data->InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED) {
        event->fence = data->DmaPageFaulted.FaultedFenceId;
        event->node = data->DmaPageFaulted.NodeOrdinal;
        event->flags = data->DmaPageFaulted.PageFaultFlags;
        event->level = data->DmaPageFaulted.PageTableLevel;
        event->address = data->DmaPageFaulted.FaultedVirtualAddress;
        event->process = data->DmaPageFaulted.FaultedProcessHandle;
    } else if (data->InterruptType == DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED) {
        event->node = data->MonitoredFenceSignaled.NodeOrdinal;
    } else {
        assert_int_equal(data->InterruptType, DXGK_INTERRUPT_DMA_PREEMPTED);
        event->fence = data->DmaPreempted.PreemptionFenceId;
        event->last_completed = data->DmaPreempted.LastCompletedFenceId;
        event->node = data->DmaPreempted.NodeOrdinal;
    }
}

static inline BOOLEAN queue_dpc(HANDLE DeviceHandle)
{
    bool was_pending = world.dpc_pending;

    assert_ptr_equal(DeviceHandle, &world);
    world.dpc_pending = true;
    world.dpcs_queued++;
    return !was_pending;
}

static inline VOID notify_dpc(HANDLE hAdapter)
{
    assert_ptr_equal(hAdapter, &world);
    assert_false(world.at_device_level);
    world.dpcs_notified++;
}

static inline NTSTATUS synchronize(HANDLE DeviceHandle, PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                                   PVOID Context, ULONG MessageNumber, PBOOLEAN ReturnValue)
{
    assert_ptr_equal(DeviceHandle, &world);
    assert_int_equal(MessageNumber, 0);
    assert_false(world.at_device_level);
    world.at_device_level = true;
    *ReturnValue = SynchronizeRoutine(Context);
    world.at_device_level = false;
    return STATUS_SUCCESS;
}

static inline PVOID get_handle_data(const DXGKARGCB_GETHANDLEDATA *question)
{
    assert_int_equal(question->Type, DXGK_HANDLE_ALLOCATION);
    assert_int_equal(question->Flags.Value, 0);
    return question->hObject - 0x100 < 8 ? world.handle_data[question->hObject - 0x100] : NULL;
}

static inline void on_interrupt(struct machine *machine)
{
    bool was = world.at_device_level;

    (void)machine;
    assert_false(was); /* D-349 */
    world.at_device_level = true;
    assert_true(world.ddi.DxgkDdiInterruptRoutine(world.adapter, 0));
    world.at_device_level = false;
}

/* ---- an adapter ------------------------------------------------------------------------------ */

static inline void settle(void)
{
    do {
        machine_settle_engines(&world.machine);
        if (world.dpc_pending) {
            world.dpc_pending = false;
            world.ddi.DxgkDdiDpcRoutine(world.adapter);
        }
    } while (world.dpc_pending);
}

static inline NTSTATUS start_device(ULONG queue)
{
    DXGK_START_INFO info = {.RequiredDmaQueueEntry = queue};
    ULONG sources = 77, children = 77;
    NTSTATUS status;

    world.dxgk = (DXGKRNL_INTERFACE){
        .Size = sizeof(world.dxgk),
        .DeviceHandle = &world,
        .DxgkCbReadDeviceSpace = read_space,
        .DxgkCbWriteDeviceSpace = write_space,
        .DxgkCbMapMemory = map_memory,
        .DxgkCbUnmapMemory = unmap_memory,
        .DxgkCbNotifyInterrupt = notify_interrupt,
        .DxgkCbQueueDpc = queue_dpc,
        .DxgkCbNotifyDpc = notify_dpc,
        .DxgkCbSynchronizeExecution = synchronize,
        .DxgkCbGetHandleData = get_handle_data,
    };
    status = world.ddi.DxgkDdiStartDevice(world.adapter, &info, &world.dxgk, &sources, &children);
    world.started = NT_SUCCESS(status);
    if (world.started)
        assert_int_equal(sources, 0);
    world.machine.listener = on_interrupt;
    return status;
}

static inline void add(const struct softgpu_config *config)
{
    memset(&world, 0, sizeof(world));
    machine_init(&world.machine);
    machine_plug(&world.machine, config);
    assert_int_equal(softgpu_driver_entry(softgpu_driver_version(config->wddm), &world.ddi),
                     STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiAddDevice((PDEVICE_OBJECT)(void *)&world, &world.adapter),
                     STATUS_SUCCESS);
    assert_non_null(world.adapter);
}

static inline void begin(const struct softgpu_config *config)
{
    add(config);
    assert_int_equal(start_device(config->queue), STATUS_SUCCESS);
}

/* Take it all down; nothing may be left of it. */
static inline void end(void)
{
    if (world.started)
        assert_int_equal(world.ddi.DxgkDdiStopDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiRemoveDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(world.mappings, 0);
    assert_int_equal(softgpu_pool_outstanding(), 0);
    machine_finish(&world.machine);
}

static inline void begin_small(void)
{
    struct softgpu_config config = machine_small_config();

    begin(&config);
}

static inline struct softgpu_statistics statistics(void)
{
    return machine_statistics(&world.machine);
}

static inline void assert_refused(const char *text)
{
    struct softgpu_statistics now = statistics();

    if (now.driver_refusals == 0 || strstr(now.refusal, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, now.refusal);
}

static inline NTSTATUS query(DXGK_QUERYADAPTERINFOTYPE type, void *in, UINT in_size, void *out,
                             UINT out_size)
{
    DXGKARG_QUERYADAPTERINFO args = {.Type = type,
                                     .pInputData = in,
                                     .InputDataSize = in_size,
                                     .pOutputData = out,
                                     .OutputDataSize = out_size};

    return world.ddi.DxgkDdiQueryAdapterInfo(world.adapter, &args);
}

/* ---- objects --------------------------------------------------------------------------------- */

static inline struct softgpu_allocation wanted_of(uint64_t size)
{
    return (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                       .flags = (DXGK_ALLOCATIONINFOFLAGS){.CpuVisible = 1}.Value,
                                       .size = size,
                                       .write_set = 2,
                                       .read_set = 2,
                                       .preferred = MEMORY,
                                       .priority = SOFTGPU_PRIORITY_NORMAL};
}

static inline NTSTATUS create(struct softgpu_allocation *wanted, UINT count,
                              DXGK_ALLOCATIONINFO *info, HANDLE *resource)
{
    DXGKARG_CREATEALLOCATION args = {
        .NumAllocations = count, .pAllocationInfo = info, .Flags.Resource = resource != NULL};
    NTSTATUS status;

    memset(info, 0, count * sizeof(*info));
    for (UINT i = 0; i < count; i++) {
        info[i].pPrivateDriverData = &wanted[i];
        info[i].PrivateDriverDataSize = sizeof(wanted[i]);
    }
    status = world.ddi.DxgkDdiCreateAllocation(world.adapter, &args);
    if (resource != NULL)
        *resource = args.hResource;
    return status;
}

static inline void destroy(UINT count, const HANDLE *allocations, HANDLE resource)
{
    DXGKARG_DESTROYALLOCATION args = {.NumAllocations = count,
                                      .pAllocationList = allocations,
                                      .hResource = resource,
                                      .Flags.DestroyResource = resource != NULL};

    assert_int_equal(world.ddi.DxgkDdiDestroyAllocation(world.adapter, &args), STATUS_SUCCESS);
}

static inline HANDLE create_device(void)
{
    DXGKARG_CREATEDEVICE args = {.hDevice = &world};

    assert_int_equal(world.ddi.DxgkDdiCreateDevice(world.adapter, &args), STATUS_SUCCESS);
    assert_ptr_not_equal(args.hDevice, &world);
    assert_int_equal(args.pInfo->DmaBufferSize, 65536);
    return args.hDevice;
}

static inline HANDLE create_context(HANDLE device, UINT node)
{
    DXGKARG_CREATECONTEXT args = {.NodeOrdinal = node, .EngineAffinity = 1};

    assert_int_equal(world.ddi.DxgkDdiCreateContext(device, &args), STATUS_SUCCESS);
    assert_int_equal(args.ContextInfo.DmaBufferSegmentSet, 1);
    assert_int_equal(args.ContextInfo.DmaBufferSize, 65536);
    return args.hContext;
}

/* Open kernel handle 0x100 + index, which stands for `allocation`. */
static inline HANDLE open_allocation(HANDLE device, UINT index, HANDLE allocation)
{
    DXGK_OPENALLOCATIONINFO info = {.hAllocation = 0x100 + index};
    DXGKARG_OPENALLOCATION args = {.NumAllocations = 1, .pOpenAllocation = &info};

    world.handle_data[index] = allocation;
    assert_int_equal(world.ddi.DxgkDdiOpenAllocation(device, &args), STATUS_SUCCESS);
    assert_non_null(info.hDeviceSpecificAllocation);
    return info.hDeviceSpecificAllocation;
}

static inline void close_allocation(HANDLE device, HANDLE opened)
{
    DXGKARG_CLOSEALLOCATION args = {.NumAllocations = 1, .pOpenHandleList = &opened};

    assert_int_equal(world.ddi.DxgkDdiCloseAllocation(device, &args), STATUS_SUCCESS);
}

/* ---- paging: a manager in small -------------------------------------------------------------- */

enum { PAGES = 40, GUARD = 64 };

/* An MDL over scattered frames. */
struct pages {
    MDL mdl;
    PFN_NUMBER frames[PAGES];
};

static inline void take_pages(struct pages *pages, UINT count)
{
    memset(pages, 0, sizeof(*pages));
    pages->mdl.Size = (SHORT)(sizeof(MDL) + count * sizeof(PFN_NUMBER));
    pages->mdl.ByteCount = count * 4096;
    for (UINT i = 0; i < count; i++)
        pages->frames[i] = machine_frame(&world.machine);
}

static inline unsigned char *page_at(const struct pages *pages, UINT index)
{
    return machine_at(&world.machine, pages->frames[index] * 4096);
}

/* A paging buffer in contiguous system memory, its private data, and guards behind both. */
static struct buffer {
    uint64_t physical;
    unsigned char *start;
    UINT size, private_size;
    unsigned char private_data[1024 + GUARD];
    DXGKARG_BUILDPAGINGBUFFER args;
    UINT submitted, private_submitted; /* offsets that earlier submissions reached */
    unsigned calls, submissions;
    bool patch, empty; /* call Patch for paging; submit what nothing was written to */
    bool held;         /* leave what is submitted in its queue */
    void (*submit)(UINT end, UINT private_end); /* by an address, or NULL */
} buffer;

static inline void fresh_buffer(void)
{
    memset(buffer.start, 0xdb, 65536 + GUARD);
    memset(buffer.private_data, 0, buffer.private_size);
    memset(buffer.private_data + buffer.private_size, 0xdb, GUARD);
    buffer.submitted = buffer.private_submitted = 0;
    buffer.args.pDmaBuffer = buffer.start;
    buffer.args.DmaSize = buffer.size;
    buffer.args.pDmaBufferPrivateData = buffer.private_data;
    buffer.args.DmaBufferPrivateDataSize = buffer.private_size;
}

static inline void begin_paging(const struct softgpu_config *config)
{
    begin(config);
    memset(&buffer, 0, sizeof(buffer));
    buffer.physical = MACHINE_SYSTEM + (MACHINE_PAGES - 32) * 4096ull;
    buffer.start = machine_at(&world.machine, buffer.physical);
    world.machine.page_limit = MACHINE_PAGES - 32;
    buffer.size = config->paging_buffer;
    buffer.private_size = config->private_data;
    buffer.patch = true;
    fresh_buffer();
}

static inline void assert_guards(void)
{
    for (UINT i = 0; i < GUARD; i++) {
        assert_int_equal(buffer.start[buffer.size + i], 0xdb);
        assert_int_equal(buffer.private_data[buffer.private_size + i], 0xdb);
    }
}

static inline void patch_paging(UINT end, UINT private_end)
{
    DXGKARG_PATCH args = {
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer.physical,
        .pDmaBuffer = buffer.start,
        .DmaBufferSize = buffer.size,
        .DmaBufferSubmissionStartOffset = buffer.submitted,
        .DmaBufferSubmissionEndOffset = end,
        .pDmaBufferPrivateData = buffer.private_data,
        .DmaBufferPrivateDataSize = buffer.private_size,
        .DmaBufferPrivateDataSubmissionStartOffset = buffer.private_submitted,
        .DmaBufferPrivateDataSubmissionEndOffset = private_end,
        .SubmissionFenceId = world.fence,
        .Flags.Paging = 1,
    };

    assert_int_equal(world.ddi.DxgkDdiPatch(world.adapter, &args), STATUS_SUCCESS);
}

/* Submit what has been built since the last submission, and let it run. */
static inline void submit_paging(void)
{
    UINT end = (UINT)((unsigned char *)buffer.args.pDmaBuffer - buffer.start);
    UINT private_end =
        (UINT)((unsigned char *)buffer.args.pDmaBufferPrivateData - buffer.private_data);
    DXGKARG_SUBMITCOMMAND args = {
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer.physical,
        .DmaBufferSize = buffer.size,
        .DmaBufferSubmissionStartOffset = buffer.submitted,
        .DmaBufferSubmissionEndOffset = end,
        .pDmaBufferPrivateData = buffer.private_data,
        .DmaBufferPrivateDataSize = buffer.private_size,
        .DmaBufferPrivateDataSubmissionStartOffset = buffer.private_submitted,
        .DmaBufferPrivateDataSubmissionEndOffset = private_end,
        .SubmissionFenceId = ++world.fence,
        .Flags.Paging = 1,
        .NodeOrdinal = 1,
    };

    if (end == buffer.submitted && !buffer.empty) {
        world.fence--;
        return;
    }
    if (buffer.patch && buffer.submit == NULL)
        patch_paging(end, private_end);
    if (buffer.submit != NULL)
        buffer.submit(end, private_end);
    else
        assert_int_equal(world.ddi.DxgkDdiSubmitCommand(world.adapter, &args), STATUS_SUCCESS);
    if (!buffer.held) {
        settle();
        assert_int_equal(world.events[(world.event_count - 1) % LOG].fence, world.fence);
    }
    buffer.submitted = end;
    buffer.private_submitted = private_end;
    buffer.submissions++;
}

/* One operation by the protocol of the fifth document; args.Operation and its members are set. */
static inline void build(void)
{
    DXGKARG_BUILDPAGINGBUFFER *args = &buffer.args;
    NTSTATUS status;
    unsigned stuck = 0;

    args->MultipassOffset = 0;
    for (;;) {
        unsigned char *before = args->pDmaBuffer;
        UINT room = args->DmaSize;

        status = world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, args);
        buffer.calls++;
        assert_guards();
        assert_true((unsigned char *)args->pDmaBuffer >= before &&
                    (unsigned char *)args->pDmaBuffer <= before + room);
        args->DmaSize = (UINT)(buffer.start + buffer.size - (unsigned char *)args->pDmaBuffer);
        args->DmaBufferPrivateDataSize = (UINT)(buffer.private_data + buffer.private_size -
                                                (unsigned char *)args->pDmaBufferPrivateData);
        if (status == STATUS_SUCCESS)
            return;
        if (status == STATUS_GRAPHICS_ALLOCATION_BUSY) {
            submit_paging();
            if (args->Operation == DXGK_OPERATION_TRANSFER) {
                assert_false(args->Transfer.Flags.AllocationIsIdle);
                args->Transfer.Flags.AllocationIsIdle = 1;
            } else {
                assert_int_equal(args->Operation, DXGK_OPERATION_DISCARD_CONTENT);
                assert_false(args->DiscardContent.Flags.AllocationIsIdle);
                args->DiscardContent.Flags.AllocationIsIdle = 1;
            }
            continue;
        }
        assert_int_equal(status, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
        assert_true(room < buffer.size || args->pDmaBuffer != before || stuck++ == 0);
        submit_paging();
        fresh_buffer();
    }
}

static inline void build_transfer(HANDLE allocation, bool in, struct pages *pages, UINT mdl_offset,
                                  uint64_t address, UINT offset, uint64_t size)
{
    DXGKARG_BUILDPAGINGBUFFER *args = &buffer.args;

    args->Operation = DXGK_OPERATION_TRANSFER;
    memset(&args->Transfer, 0, sizeof(args->Transfer));
    args->Transfer.hAllocation = allocation;
    args->Transfer.TransferOffset = offset;
    args->Transfer.TransferSize = size;
    args->Transfer.MdlOffset = mdl_offset;
    args->Transfer.Flags.TransferStart = args->Transfer.Flags.TransferEnd = 1;
    if (in) {
        args->Transfer.Source.pMdl = &pages->mdl;
        args->Transfer.Destination.SegmentId = (UINT)(address >> 36);
        args->Transfer.Destination.SegmentAddress.QuadPart = (LONGLONG)address;
    } else {
        args->Transfer.Destination.pMdl = &pages->mdl;
        args->Transfer.Source.SegmentId = (UINT)(address >> 36);
        args->Transfer.Source.SegmentAddress.QuadPart = (LONGLONG)address;
    }
    build();
}

static inline void build_fill(uint64_t address, uint64_t size, UINT pattern)
{
    buffer.args.Operation = DXGK_OPERATION_FILL;
    memset(&buffer.args.Fill, 0, sizeof(buffer.args.Fill));
    buffer.args.Fill.FillSize = size;
    buffer.args.Fill.FillPattern = pattern;
    buffer.args.Fill.Destination.SegmentId = (UINT)(address >> 36);
    buffer.args.Fill.Destination.SegmentAddress.QuadPart = (LONGLONG)address;
    build();
}

static inline void build_discard(HANDLE allocation, uint64_t address)
{
    buffer.args.Operation = DXGK_OPERATION_DISCARD_CONTENT;
    memset(&buffer.args.DiscardContent, 0, sizeof(buffer.args.DiscardContent));
    buffer.args.DiscardContent.hAllocation = allocation;
    buffer.args.DiscardContent.SegmentId = (UINT)(address >> 36);
    buffer.args.DiscardContent.SegmentAddress.QuadPart = (LONGLONG)address;
    build();
}

static inline void build_map(struct pages *pages, UINT mdl_offset, UINT first, UINT count)
{
    buffer.args.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    memset(&buffer.args.MapApertureSegment, 0, sizeof(buffer.args.MapApertureSegment));
    buffer.args.MapApertureSegment.SegmentId = APERTURE;
    buffer.args.MapApertureSegment.OffsetInPages = first;
    buffer.args.MapApertureSegment.NumberOfPages = count;
    buffer.args.MapApertureSegment.pMdl = &pages->mdl;
    buffer.args.MapApertureSegment.MdlOffset = mdl_offset;
    build();
}

static inline void build_unmap(UINT first, UINT count, uint64_t dummy)
{
    buffer.args.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    memset(&buffer.args.UnmapApertureSegment, 0, sizeof(buffer.args.UnmapApertureSegment));
    buffer.args.UnmapApertureSegment.SegmentId = APERTURE;
    buffer.args.UnmapApertureSegment.OffsetInPages = first;
    buffer.args.UnmapApertureSegment.NumberOfPages = count;
    buffer.args.UnmapApertureSegment.DummyPage.QuadPart = (LONGLONG)dummy;
    build();
}

/* ---- submission ------------------------------------------------------------------------------ */

/* Submit a buffer without commands, and let nothing run. */
static inline NTSTATUS submit_empty(UINT fence, UINT node)
{
    DXGKARG_SUBMITCOMMAND args = {
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer.physical,
        .DmaBufferSize = 4096,
        .SubmissionFenceId = fence,
        .Flags.Paging = 1,
        .NodeOrdinal = node,
    };

    return world.ddi.DxgkDdiSubmitCommand(world.adapter, &args);
}

static inline void begin_submitting(const struct softgpu_config *config)
{
    begin_paging(config);
    world.event_count = 0;
}

#endif
