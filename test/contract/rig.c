/* rig.c: a manager made of single calls, a tap, and a miniport that does as it is told. */
#include "rig_virtual.h"

#include "wddm/call.h"

/* Built with the sanitizers, leaks are what the tests of the modules count. */
const char *__asan_default_options(void);
__attribute__((used, visibility("default"))) const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* One test at a time, so one rig. Handles that lead to nothing keep the tap honest. */
static struct rig *the_rig;
_Thread_local uint8_t rig_irql;

static HANDLE new_handle(struct rig *rig)
{
    rig->next_handle += 0x70;
    return (HANDLE)rig->next_handle;
}

/* ---- The miniport ---- */

static NTSTATUS add_device(PDEVICE_OBJECT object, PVOID *context)
{
    (void)object;
    *context = the_rig->adapter;
    return the_rig->status;
}

static NTSTATUS start_device(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                             PULONG sources, PULONG children)
{
    assert_ptr_equal(context, the_rig->adapter);
    assert_int_equal(info->RequiredDmaQueueEntry, 31);
    the_rig->seen = *interface;
    if (!the_rig->sets_no_sources)
        *sources = 0;
    if (!the_rig->sets_no_children)
        *children = 0;
    return the_rig->status;
}

static NTSTATUS stop_device(PVOID context)
{
    (void)context;
    return the_rig->status;
}

static void answer_segment(DXGK_SEGMENTDESCRIPTOR3 *segment, UINT flags, uint64_t base)
{
    segment->Flags.Value = flags;
    segment->BaseAddress.QuadPart = (LONGLONG)base;
    segment->Size = RIG_SEGMENT_SIZE;
    segment->CommitLimit = RIG_SEGMENT_SIZE;
}

static void answer_segments3(DXGK_QUERYSEGMENTOUT3 *out)
{
    const UINT flags[RIG_SEGMENTS] = {0x1, 0, the_rig->agp ? 0x2 : 0};
    static const uint64_t bases[RIG_SEGMENTS] = {RIG_APERTURE_BASE, RIG_MEMORY_BASE,
                                                 RIG_OTHER_BASE};

    out->NbSegment = RIG_SEGMENTS;
    if (out->pSegmentDescriptor == NULL)
        return;
    for (int i = 0; i < RIG_SEGMENTS; i++)
        answer_segment(&out->pSegmentDescriptor[i], flags[i], bases[i]);
    out->PagingBufferSegmentId = RIG_APERTURE;
    out->PagingBufferSize = RIG_BUFFER_SIZE;
    out->PagingBufferPrivateDataSize = the_rig->wants_no_private_data ? 0 : RIG_PRIVATE_SIZE;
}

static NTSTATUS query_adapter_info(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    assert_ptr_equal(adapter, the_rig->adapter);
    if (query->Type == DXGKQAITYPE_DRIVERCAPS) {
        ((DXGK_DRIVERCAPS *)query->pOutputData)->SchedulingCaps.Value = the_rig->caps;
        ((DXGK_DRIVERCAPS *)query->pOutputData)->MemoryManagementCaps.PagingNode = RIG_PAGING_NODE;
        ((DXGK_DRIVERCAPS *)query->pOutputData)->MemoryManagementCaps.GpuMmuSupported =
            the_rig->version >= DXGKDDI_INTERFACE_VERSION_WDDM2_0 && !the_rig->physical;
    } else if (query->Type == DXGKQAITYPE_QUERYSEGMENT3) {
        answer_segments3(query->pOutputData);
    } else {
        rig_virtual_query(the_rig, query);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *create)
{
    assert_ptr_equal(adapter, the_rig->adapter);
    create->hDevice = new_handle(the_rig);
    return the_rig->status;
}

static NTSTATUS create_context(HANDLE device, DXGKARG_CREATECONTEXT *create)
{
    (void)device;
    create->hContext = new_handle(the_rig);
    create->ContextInfo.AllocationListSize = the_rig->allocation_list_size;
    create->ContextInfo.DmaBufferSegmentSet = the_rig->dma_set;
    return the_rig->status;
}

static NTSTATUS set_power_state(PVOID context, ULONG uid, DEVICE_POWER_STATE state,
                                POWER_ACTION action)
{
    (void)context, (void)uid, (void)state, (void)action;
    return the_rig->status;
}

static NTSTATUS query_current_fence(HANDLE adapter, DXGKARG_QUERYCURRENTFENCE *query)
{
    (void)adapter;
    query->CurrentFence = the_rig->current_fence;
    if (the_rig->reports_fence)
        rig_complete(the_rig, query->NodeOrdinal, query->CurrentFence);
    return the_rig->status;
}

static NTSTATUS destroy_handle(HANDLE handle)
{
    (void)handle;
    return the_rig->status;
}

static NTSTATUS map_host(HANDLE adapter, const DXGKARG_MAPCPUHOSTAPERTURE *map)
{
    (void)map;
    return destroy_handle(adapter);
}

static NTSTATUS unmap_host(HANDLE adapter, const DXGKARG_UNMAPCPUHOSTAPERTURE *unmap)
{
    (void)unmap;
    return destroy_handle(adapter);
}

static NTSTATUS create_process(HANDLE adapter, DXGKARG_CREATEPROCESS *create)
{
    assert_ptr_equal(adapter, the_rig->adapter);
    create->hKmdProcess =
        the_rig->same_process != NULL ? the_rig->same_process : new_handle(the_rig);
    return the_rig->status;
}

static NTSTATUS destroy_process(HANDLE adapter, HANDLE process)
{
    (void)process;
    return destroy_handle(adapter);
}

static VOID set_root_page_table(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *root)
{
    (void)root;
    assert_ptr_equal(adapter, the_rig->adapter);
}

static NTSTATUS submit_virtual(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *command)
{
    (void)command;
    assert_ptr_equal(adapter, the_rig->adapter);
    return the_rig->status;
}

static NTSTATUS create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *create)
{
    assert_ptr_equal(adapter, the_rig->adapter);
    for (UINT i = 0; i < create->NumAllocations; i++) {
        const DXGK_ALLOCATIONINFO given = create->pAllocationInfo[i];

        create->pAllocationInfo[i] = the_rig->info;
        create->pAllocationInfo[i].pPrivateDriverData = given.pPrivateDriverData;
        create->pAllocationInfo[i].PrivateDriverDataSize = given.PrivateDriverDataSize;
        create->pAllocationInfo[i].hAllocation = new_handle(the_rig);
    }
    if (create->Flags.Resource && create->hResource == NULL)
        create->hResource = new_handle(the_rig);
    return the_rig->status;
}

static NTSTATUS destroy_allocation(HANDLE adapter, const DXGKARG_DESTROYALLOCATION *destroy)
{
    (void)destroy;
    assert_ptr_equal(adapter, the_rig->adapter);
    return the_rig->status;
}

static NTSTATUS open_allocation(HANDLE device, const DXGKARG_OPENALLOCATION *open)
{
    (void)device;
    for (UINT i = 0; i < open->NumAllocations; i++)
        open->pOpenAllocation[i].hDeviceSpecificAllocation = new_handle(the_rig);
    return the_rig->status;
}

static NTSTATUS close_allocation(HANDLE device, const DXGKARG_CLOSEALLOCATION *close)
{
    (void)device;
    (void)close;
    return the_rig->status;
}

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *render)
{
    (void)context;
    render->pDmaBuffer = (char *)render->pDmaBuffer + 32;
    return the_rig->status;
}

static NTSTATUS patch_buffer(HANDLE adapter, const DXGKARG_PATCH *patch)
{
    (void)patch;
    assert_ptr_equal(adapter, the_rig->adapter);
    return the_rig->status;
}

static NTSTATUS submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *command)
{
    (void)command;
    assert_ptr_equal(adapter, the_rig->adapter);
    return the_rig->status;
}

static NTSTATUS preempt_command(HANDLE adapter, const DXGKARG_PREEMPTCOMMAND *preempt)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED};

    (void)adapter;
    data.DmaPreempted.PreemptionFenceId = preempt->PreemptionFenceId;
    data.DmaPreempted.LastCompletedFenceId = the_rig->current_fence;
    data.DmaPreempted.NodeOrdinal = preempt->NodeOrdinal;
    if (the_rig->reports_preemption)
        the_rig->seen.DxgkCbNotifyInterrupt(the_rig->seen.DeviceHandle, &data);
    return the_rig->status;
}

static NTSTATUS query_engine_status(HANDLE adapter, DXGKARG_QUERYENGINESTATUS *query)
{
    (void)adapter;
    query->EngineStatus.Responsive = 1;
    return the_rig->status;
}

static NTSTATUS reset_engine(HANDLE adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter;
    reset->LastAbortedFenceId = the_rig->current_fence;
    return the_rig->status;
}

static NTSTATUS build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct rig *rig = the_rig;
    NTSTATUS answer = rig->answer;

    assert_ptr_equal(adapter, rig->adapter);
    if (rig->during != NULL)
        rig->during(rig);
    asked->pDmaBuffer = (char *)asked->pDmaBuffer + (int)rig->advance;
    if (rig->private_advance != 0) /* there may be no private data at all */
        asked->pDmaBufferPrivateData = (char *)asked->pDmaBufferPrivateData + rig->private_advance;
    asked->MultipassOffset = rig->multipass;
    rig_answer(rig, STATUS_SUCCESS, rig->immediate ? 0 : 64, 0);
    rig->private_advance = 0;
    rig->during = NULL;
    return answer;
}

static BOOLEAN interrupt_routine(PVOID context, ULONG message)
{
    (void)context;
    (void)message;
    if (the_rig->in_interrupt_routine != NULL)
        the_rig->in_interrupt_routine(the_rig);
    return TRUE;
}

static VOID dpc_routine(PVOID context)
{
    (void)context;
}

static NTSTATUS control_interrupt(HANDLE adapter, DXGK_INTERRUPT_TYPE type, BOOLEAN enable)
{
    (void)adapter, (void)type, (void)enable;
    return the_rig->status;
}

static NTSTATUS describe_allocation(HANDLE adapter, DXGKARG_DESCRIBEALLOCATION *describe)
{
    (void)adapter;
    describe->Width = 64;
    describe->Height = the_rig->height;
    return the_rig->status;
}

static NTSTATUS standard_data(HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *data)
{
    (void)adapter;
    data->AllocationPrivateDriverDataSize = RIG_STANDARD_SIZE;
    if (data->pAllocationPrivateDriverData != NULL)
        memset(data->pAllocationPrivateDriverData, (int)data->StandardAllocationType,
               RIG_STANDARD_SIZE);
    return the_rig->status;
}

static NTSTATUS present(HANDLE context, DXGKARG_PRESENT *present)
{
    (void)context;
    present->pDmaBuffer = (char *)present->pDmaBuffer + 32;
    return the_rig->status;
}

static const DRIVER_INITIALIZATION_DATA miniport = {
    .DxgkDdiAddDevice = add_device,
    .DxgkDdiStartDevice = start_device,
    .DxgkDdiStopDevice = stop_device,
    .DxgkDdiRemoveDevice = stop_device,
    .DxgkDdiInterruptRoutine = interrupt_routine,
    .DxgkDdiDpcRoutine = dpc_routine,
    .DxgkDdiQueryAdapterInfo = query_adapter_info,
    .DxgkDdiCreateDevice = create_device,
    .DxgkDdiDestroyDevice = destroy_handle,
    .DxgkDdiCreateContext = create_context,
    .DxgkDdiDestroyContext = destroy_handle,
    .DxgkDdiCreateAllocation = create_allocation,
    .DxgkDdiDestroyAllocation = destroy_allocation,
    .DxgkDdiOpenAllocation = open_allocation,
    .DxgkDdiCloseAllocation = close_allocation,
    .DxgkDdiRender = render,
    .DxgkDdiPatch = patch_buffer,
    .DxgkDdiSubmitCommand = submit_command,
    .DxgkDdiMapCpuHostAperture = map_host,
    .DxgkDdiUnmapCpuHostAperture = unmap_host,
    .DxgkDdiCreateProcess = create_process,
    .DxgkDdiDestroyProcess = destroy_process,
    .DxgkDdiSetRootPageTable = set_root_page_table,
    .DxgkDdiSubmitCommandVirtual = submit_virtual,
    .DxgkDdiPreemptCommand = preempt_command,
    .DxgkDdiBuildPagingBuffer = build_paging_buffer,
    .DxgkDdiQueryEngineStatus = query_engine_status,
    .DxgkDdiResetEngine = reset_engine,
    .DxgkDdiControlInterrupt = control_interrupt,
    .DxgkDdiDescribeAllocation = describe_allocation,
    .DxgkDdiGetStandardAllocationDriverData = standard_data,
    .DxgkDdiPresent = present,
    .DxgkDdiSetPowerState = set_power_state,
    .DxgkDdiQueryCurrentFence = query_current_fence,
    .DxgkDdiResetFromTimeout = destroy_handle,
    .DxgkDdiRestartFromTimeout = destroy_handle,
};

/* ---- The manager ---- */

static PVOID get_handle_data(const DXGKARGCB_GETHANDLEDATA *question)
{
    for (unsigned i = 0; i < the_rig->allocation_count; i++)
        if (the_rig->allocations[i].opened == question->hObject)
            return the_rig->allocations[i].handle;
    return NULL;
}

static NTSTATUS read_device_space(HANDLE adapter, ULONG type, PVOID buffer, ULONG offset,
                                  ULONG length, PULONG read)
{
    (void)adapter, (void)type, (void)buffer, (void)offset;
    *read = length;
    return STATUS_SUCCESS;
}

static VOID log_event(const GUID *guid, UCHAR type, USHORT size, PVOID buffer)
{
    (void)guid, (void)type, (void)size, (void)buffer;
}

static VOID notify_interrupt(HANDLE adapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    (void)data;
    assert_ptr_equal(adapter, the_rig->kernel.DeviceHandle);
    the_rig->interrupts++;
}

static VOID notify_dpc(HANDLE adapter)
{
    (void)adapter;
    the_rig->dpcs++;
}

static BOOLEAN queue_dpc(HANDLE adapter)
{
    (void)adapter;
    return TRUE;
}

static NTSTATUS create_context_allocation(DXGKARGCB_CREATECONTEXTALLOCATION *create)
{
    create->hAllocation = new_handle(the_rig);
    return STATUS_SUCCESS;
}

static NTSTATUS destroy_context_allocation(HANDLE adapter, HANDLE allocation)
{
    (void)adapter;
    (void)allocation;
    return STATUS_SUCCESS;
}

static uint8_t current_irql(void *context)
{
    assert_ptr_equal(context, the_rig);
    return rig_irql;
}

static void query(struct rig *rig, DXGK_QUERYADAPTERINFOTYPE type, void *out, UINT size)
{
    DXGK_QUERYSEGMENTIN in = {.AgpApertureBase.QuadPart = (LONGLONG)RIG_OTHER_BASE,
                              .AgpApertureSize.QuadPart = RIG_SEGMENT_SIZE};
    DXGKARG_QUERYADAPTERINFO arg = {.Type = type,
                                    .pInputData = &in,
                                    .InputDataSize = sizeof in,
                                    .pOutputData = out,
                                    .OutputDataSize = size};

    assert_int_equal(rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &arg), STATUS_SUCCESS);
}

static void query_caps(struct rig *rig)
{
    DXGK_DRIVERCAPS caps;

    memset(&caps, 0, sizeof caps);
    query(rig, DXGKQAITYPE_DRIVERCAPS, &caps, sizeof caps);
}

void rig_query_segments(struct rig *rig)
{
    DXGK_SEGMENTDESCRIPTOR3 segments[RIG_SEGMENTS];
    DXGK_QUERYSEGMENTOUT3 out = {0};

    memset(segments, 0, sizeof segments);
    query(rig, DXGKQAITYPE_QUERYSEGMENT3, &out, sizeof out);
    assert_int_equal(out.NbSegment, RIG_SEGMENTS);
    out.pSegmentDescriptor = segments;
    query(rig, DXGKQAITYPE_QUERYSEGMENT3, &out, sizeof out);
}

static HANDLE new_context(struct rig *rig, UINT node)
{
    DXGKARG_CREATECONTEXT create = {
        .hContext = new_handle(rig), .NodeOrdinal = node, .EngineAffinity = 1};

    rig->kernel_context = create.hContext;
    assert_int_equal(rig->driver->DxgkDdiCreateContext(rig->device, &create), STATUS_SUCCESS);
    return create.hContext;
}

static HANDLE new_device(struct rig *rig, HANDLE *kernel_handle)
{
    DXGKARG_CREATEDEVICE create = {.hDevice = new_handle(rig)};

    *kernel_handle = create.hDevice;
    assert_int_equal(rig->driver->DxgkDdiCreateDevice(rig->adapter, &create), STATUS_SUCCESS);
    return create.hDevice;
}

static void make_buffers(struct rig *rig)
{
    for (unsigned i = 0; i < RIG_BUFFERS; i++) {
        rig->buffers[i].memory = aligned_alloc(PAGE_SIZE, RIG_BUFFER_SIZE);
        memset(rig->buffers[i].memory, 0, RIG_BUFFER_SIZE);
        rig->buffers[i].address = RIG_APERTURE_BASE + RIG_SEGMENT_SIZE - (i + 1) * RIG_BUFFER_SIZE;
    }
    rig->dma = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
}

static void fill_kernel(struct rig *rig)
{
    rig->kernel.Size = sizeof rig->kernel;
    rig->kernel.Version = rig->version;
    rig->kernel.DeviceHandle = new_handle(rig);
    rig->kernel.DxgkCbGetHandleData = get_handle_data;
    rig->kernel.DxgkCbCreateContextAllocation = create_context_allocation;
    rig->kernel.DxgkCbDestroyContextAllocation = destroy_context_allocation;
    rig->kernel.DxgkCbNotifyInterrupt = notify_interrupt;
    rig->kernel.DxgkCbNotifyDpc = notify_dpc;
    rig->kernel.DxgkCbQueueDpc = queue_dpc;
    rig->kernel.DxgkCbReadDeviceSpace = read_device_space;
    rig->kernel.DxgkCbLogEtwEvent = log_event;
}

void rig_have_no_page_tables(struct rig *rig)
{
    rig->physical = true;
    query_caps(rig);
}

void rig_start(struct rig *rig, ULONG version, const struct vidmm_tap_config *config)
{
    struct vidmm_tap_config own = config == NULL ? (struct vidmm_tap_config){0} : *config;
    DRIVER_INITIALIZATION_DATA driver = miniport;
    DXGK_START_INFO info = {.RequiredDmaQueueEntry = 31};
    ULONG sources, children;
    PVOID context;
    HANDLE other;

    memset(rig, 0, sizeof *rig);
    the_rig = rig;
    rig->version = driver.Version = version;
    rig->next_handle = 0x70000001;
    rig->adapter = new_handle(rig);
    rig->caps =
        (DXGK_VIDSCHCAPS){.MultiEngineAware = 1, .VSyncPowerSaveAware = 1, .PreemptionAware = 1}
            .Value;
    rig->fence = 0xfffffff0;
    rig_answer(rig, STATUS_SUCCESS, 64, 0);
    fill_kernel(rig);
    own.current_irql = current_irql;
    own.irql_context = rig;
    rig->tap = vidmm_tap_create(&own, &driver);
    assert_non_null(rig->tap);
    rig->driver = vidmm_tap_driver(rig->tap);
    assert_int_equal(rig->driver->DxgkDdiAddDevice(NULL, &context), STATUS_SUCCESS);
    assert_ptr_equal(context, rig->adapter);
    assert_int_equal(
        rig->driver->DxgkDdiStartDevice(context, &info, &rig->kernel, &sources, &children),
        STATUS_SUCCESS);
    query_caps(rig);
    if (version >= DXGKDDI_INTERFACE_VERSION_WIN8 && version < DXGKDDI_INTERFACE_VERSION_WDDM2_0)
        rig_query_segments(rig);
    rig->device = new_device(rig, &rig->kernel_device);
    rig->other_device = new_device(rig, &other);
    rig->context = new_context(rig, RIG_RENDER_NODE);
    rig->paging_context = new_context(rig, RIG_PAGING_NODE);
    make_buffers(rig);
}

void rig_stop(struct rig *rig)
{
    rig->status = STATUS_SUCCESS;
    rig_irql = 0;
    rig->driver->DxgkDdiStopDevice(rig->adapter);
    rig->driver->DxgkDdiRemoveDevice(rig->adapter);
    vidmm_tap_destroy(rig->tap);
    rig_forget(rig);
}

void rig_forget(struct rig *rig)
{
    for (unsigned i = 0; i < rig->allocation_count; i++)
        free(rig->allocations[i].mdl);
    for (unsigned i = 0; i < RIG_BUFFERS; i++)
        free(rig->buffers[i].memory);
    free(rig->dma);
    the_rig = NULL;
}

/* ---- Findings ---- */

static void write_stderr(void *context, const char *text, size_t length)
{
    (void)context;
    print_message("%.*s", (int)length, text);
}

void rig_allow(struct rig *rig, enum vidmm_rule_id rule)
{
    rig->allowed[rule] = true;
}

static void expect(struct rig *rig, unsigned rule)
{
    bool wrong = rule < VIDMM_RULE_COUNT && vidmm_tap_violations_of(rig->tap, rule) == 0;

    for (unsigned i = 0; i < VIDMM_RULE_COUNT; i++)
        wrong |= i != rule && !rig->allowed[i] && vidmm_tap_violations_of(rig->tap, i) > 0;
    if (wrong)
        vidmm_tap_report(rig->tap, VIDMM_REPORT_TEXT, write_stderr, NULL);
    assert_false(wrong);
    assert_true(vidmm_tap_complete(rig->tap));
    assert_int_equal(vidmm_tap_unknown_references(rig->tap), 0);
}

void rig_expect(struct rig *rig, enum vidmm_rule_id rule)
{
    expect(rig, rule);
}

void rig_expect_none(struct rig *rig)
{
    expect(rig, VIDMM_RULE_COUNT);
}

/* ---- Allocations ---- */

MDL *rig_new_mdl(uint64_t pages)
{
    size_t size = (sizeof(MDL) + pages * sizeof(PFN_NUMBER) + 63) & ~(size_t)63;
    MDL *mdl = aligned_alloc(64, size); /* malloc and its kin are the tap's: see test_memory.c */

    assert_non_null(mdl);
    memset(mdl, 0, size);
    mdl->ByteCount = (ULONG)(pages * PAGE_SIZE);
    for (uint64_t i = 0; i < pages; i++)
        MmGetMdlPfnArray(mdl)[i] = 0x1000 + (i * 7919) % 0x10000;
    return mdl;
}

struct rig_allocation *rig_allocate(struct rig *rig, uint64_t size, UINT read, UINT write,
                                    UINT eviction)
{
    struct rig_allocation *allocation = &rig->allocations[rig->allocation_count++];
    DXGK_ALLOCATIONINFO info = {0};
    DXGKARG_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo = &info};
    DXGK_OPENALLOCATIONINFO open_info = {0};
    DXGKARG_OPENALLOCATION open = {
        .NumAllocations = 1, .pOpenAllocation = &open_info, .Flags = {{{.Create = 1}}}};

    assert_true(rig->allocation_count <= RIG_ALLOCATIONS);
    rig->info.Size = size;
    rig->info.SupportedReadSegmentSet = read;
    rig->info.SupportedWriteSegmentSet = write;
    rig->info.EvictionSegmentSet = eviction;
    assert_int_equal(rig->driver->DxgkDdiCreateAllocation(rig->adapter, &create), STATUS_SUCCESS);
    allocation->handle = info.hAllocation;
    allocation->size = size;
    allocation->opened = 0x40000000 + rig->allocation_count * 64;
    allocation->mdl = rig_new_mdl((size + PAGE_SIZE - 1) / PAGE_SIZE);
    open_info.hAllocation = allocation->opened;
    assert_int_equal(rig->driver->DxgkDdiOpenAllocation(rig->device, &open), STATUS_SUCCESS);
    allocation->open = open_info.hDeviceSpecificAllocation;
    return allocation;
}

struct rig_allocation *rig_simple(struct rig *rig)
{
    return rig_allocate(rig, 0x10000, RIG_SET(RIG_MEMORY), RIG_SET(RIG_MEMORY),
                        RIG_SET(RIG_APERTURE));
}

void rig_close(struct rig *rig, struct rig_allocation *allocation)
{
    DXGKARG_CLOSEALLOCATION close = {.NumAllocations = 1, .pOpenHandleList = &allocation->open};

    rig->driver->DxgkDdiCloseAllocation(rig->device, &close);
}

void rig_destroy(struct rig *rig, struct rig_allocation *allocation)
{
    DXGKARG_DESTROYALLOCATION destroy = {.NumAllocations = 1,
                                         .pAllocationList = &allocation->handle};

    rig->driver->DxgkDdiDestroyAllocation(rig->adapter, &destroy);
}

/* ---- Paging ---- */

static uint64_t whole(const struct rig_allocation *allocation)
{
    return (allocation->size + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
}

DXGKARG_BUILDPAGINGBUFFER rig_transfer_in(const struct rig_allocation *allocation, UINT segment,
                                          uint64_t address)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_TRANSFER};

    asked.Transfer.hAllocation = allocation->handle;
    asked.Transfer.TransferSize = whole(allocation);
    asked.Transfer.Source.pMdl = allocation->mdl;
    asked.Transfer.Destination.SegmentId = segment;
    asked.Transfer.Destination.SegmentAddress.QuadPart = (LONGLONG)address;
    asked.Transfer.Flags.TransferStart = 1;
    asked.Transfer.Flags.TransferEnd = 1;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_transfer_out(const struct rig_allocation *allocation, UINT segment,
                                           uint64_t address)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, 0, 0);

    asked.Transfer.Source.SegmentId = segment;
    asked.Transfer.Source.SegmentAddress.QuadPart = (LONGLONG)address;
    asked.Transfer.Destination.pMdl = allocation->mdl;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_fill(const struct rig_allocation *allocation, UINT segment,
                                   uint64_t address)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_FILL};

    asked.Fill.hAllocation = allocation->handle;
    asked.Fill.FillSize = whole(allocation);
    asked.Fill.Destination.SegmentId = segment;
    asked.Fill.Destination.SegmentAddress.QuadPart = (LONGLONG)address;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_discard(const struct rig_allocation *allocation, UINT segment,
                                      uint64_t address)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_DISCARD_CONTENT};

    asked.DiscardContent.hAllocation = allocation->handle;
    asked.DiscardContent.SegmentId = segment;
    asked.DiscardContent.SegmentAddress.QuadPart = (LONGLONG)address;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_map(const struct rig *rig, const struct rig_allocation *allocation,
                                  uint64_t page)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT};

    asked.MapApertureSegment.hDevice = rig->device;
    asked.MapApertureSegment.hAllocation = allocation->handle;
    asked.MapApertureSegment.SegmentId = RIG_APERTURE;
    asked.MapApertureSegment.OffsetInPages = page;
    asked.MapApertureSegment.NumberOfPages = whole(allocation) / PAGE_SIZE;
    asked.MapApertureSegment.pMdl = allocation->mdl;
    return asked;
}

DXGKARG_BUILDPAGINGBUFFER rig_unmap(const struct rig *rig, const struct rig_allocation *allocation,
                                    uint64_t page)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT};

    asked.UnmapApertureSegment.hDevice = rig->device;
    asked.UnmapApertureSegment.hAllocation = allocation->handle;
    asked.UnmapApertureSegment.SegmentId = RIG_APERTURE;
    asked.UnmapApertureSegment.OffsetInPages = page;
    asked.UnmapApertureSegment.NumberOfPages = whole(allocation) / PAGE_SIZE;
    asked.UnmapApertureSegment.DummyPage.QuadPart = 0x7000;
    return asked;
}

void rig_place(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct rig_buffer *buffer = &rig->buffers[rig->current];

    asked->pDmaBuffer = buffer->memory + buffer->end;
    asked->DmaSize = RIG_BUFFER_SIZE - buffer->end;
    asked->pDmaBufferPrivateData = buffer->private_data + buffer->private_end;
    asked->DmaBufferPrivateDataSize = RIG_PRIVATE_SIZE - buffer->private_end;
    if (rig->version < DXGKDDI_INTERFACE_VERSION_WDDM2_0)
        return;
    asked->DmaBufferWriteOffset = buffer->end;
    asked->hSystemContext = rig->paging_context;
}

NTSTATUS rig_build_raw(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    return rig->driver->DxgkDdiBuildPagingBuffer(rig->adapter, asked);
}

NTSTATUS rig_build(struct rig *rig, DXGKARG_BUILDPAGINGBUFFER asked)
{
    struct rig_buffer *buffer = &rig->buffers[rig->current];
    NTSTATUS status;

    rig_place(rig, &asked);
    status = rig_build_raw(rig, &asked);
    buffer->end = (UINT)((unsigned char *)asked.pDmaBuffer - buffer->memory);
    buffer->private_end =
        (UINT)((unsigned char *)asked.pDmaBufferPrivateData - buffer->private_data);
    return status;
}

void rig_answer(struct rig *rig, NTSTATUS status, UINT advance, UINT multipass)
{
    rig->answer = status;
    rig->advance = advance;
    rig->multipass = multipass;
}

void rig_new_buffer(struct rig *rig)
{
    struct rig_buffer *buffer;

    rig->current = (rig->current + 1) % RIG_BUFFERS;
    buffer = &rig->buffers[rig->current];
    buffer->start = buffer->end = buffer->private_start = buffer->private_end = 0;
}

UINT rig_flush(struct rig *rig)
{
    struct rig_buffer *buffer = &rig->buffers[rig->current];
    DXGKARG_PATCH patch = rig_paging_patch(rig);
    DXGKARG_SUBMITCOMMAND command = rig_paging_submit(rig, patch.SubmissionFenceId);

    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    buffer->start = buffer->end;
    buffer->private_start = buffer->private_end;
    buffer->fence = command.SubmissionFenceId;
    return command.SubmissionFenceId;
}

void rig_page(struct rig *rig)
{
    rig_complete(rig, RIG_PAGING_NODE, rig_flush(rig));
    rig_new_buffer(rig);
}

void rig_leave_context(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, ++rig->fence);

    command.Flags.ContextSwitch = 1;
    command.DmaBufferSize = command.DmaBufferSubmissionEndOffset = 0;
    rig_submit(rig, &command);
}

void rig_page_in(struct rig *rig, struct rig_allocation *allocation, uint64_t offset)
{
    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE + offset));
    rig_page(rig);
}

void rig_map_in(struct rig *rig, struct rig_allocation *allocation, uint64_t page)
{
    rig_build(rig, rig_map(rig, allocation, page));
    rig_page(rig);
}

/* ---- Work ---- */

DXGKARG_PATCH rig_paging_patch(struct rig *rig)
{
    const struct rig_buffer *buffer = &rig->buffers[rig->current];
    DXGKARG_PATCH patch = {
        .DmaBufferSegmentId = RIG_APERTURE,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer->address,
        .pDmaBuffer = buffer->memory,
        .DmaBufferSize = RIG_BUFFER_SIZE,
        .DmaBufferSubmissionStartOffset = buffer->start,
        .DmaBufferSubmissionEndOffset = buffer->end,
        .pDmaBufferPrivateData = (void *)buffer->private_data,
        .DmaBufferPrivateDataSize = RIG_PRIVATE_SIZE,
        .DmaBufferPrivateDataSubmissionStartOffset = buffer->private_start,
        .DmaBufferPrivateDataSubmissionEndOffset = buffer->private_end,
        .SubmissionFenceId = ++rig->fence,
    };

    patch.Flags.Paging = 1;
    return patch;
}

DXGKARG_SUBMITCOMMAND rig_paging_submit(struct rig *rig, UINT fence)
{
    const struct rig_buffer *buffer = &rig->buffers[rig->current];
    DXGKARG_SUBMITCOMMAND command = {
        .DmaBufferSegmentId = RIG_APERTURE,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer->address,
        .DmaBufferSize = RIG_BUFFER_SIZE,
        .DmaBufferSubmissionStartOffset = buffer->start,
        .DmaBufferSubmissionEndOffset = buffer->end,
        .pDmaBufferPrivateData = (void *)buffer->private_data,
        .DmaBufferPrivateDataSize = RIG_PRIVATE_SIZE,
        .DmaBufferPrivateDataSubmissionStartOffset = buffer->private_start,
        .DmaBufferPrivateDataSubmissionEndOffset = buffer->private_end,
        .SubmissionFenceId = fence,
        .NodeOrdinal = RIG_PAGING_NODE,
    };

    command.Flags.Paging = 1;
    return command;
}

/* A patch location for each element. */
DXGKARG_PATCH rig_dma_patch(struct rig *rig, DXGK_ALLOCATIONLIST *list, UINT count)
{
    static const D3DDDI_PATCHLOCATIONLIST locations[] = {
        {.AllocationIndex = 0}, {.AllocationIndex = 1}, {.AllocationIndex = 2}};
    UINT patched = count < 3 ? count : 3;

    return (DXGKARG_PATCH){
        .hContext = rig->context,
        .DmaBufferSegmentId = RIG_APERTURE,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(RIG_APERTURE_BASE + 0x3000000),
        .pDmaBuffer = rig->dma,
        .DmaBufferSize = PAGE_SIZE,
        .DmaBufferSubmissionEndOffset = 256,
        .pAllocationList = list,
        .AllocationListSize = count,
        .pPatchLocationList = patched > 0 ? locations : NULL,
        .PatchLocationListSize = patched,
        .PatchLocationListSubmissionLength = patched,
        .SubmissionFenceId = ++rig->fence,
    };
}

DXGKARG_SUBMITCOMMAND rig_dma_submit(struct rig *rig, UINT fence)
{
    return (DXGKARG_SUBMITCOMMAND){
        .hContext = rig->context,
        .DmaBufferSegmentId = RIG_APERTURE,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(RIG_APERTURE_BASE + 0x3000000),
        .DmaBufferSize = PAGE_SIZE,
        .DmaBufferSubmissionEndOffset = 256,
        .SubmissionFenceId = fence,
        .NodeOrdinal = RIG_RENDER_NODE,
    };
}

NTSTATUS rig_patch(struct rig *rig, const DXGKARG_PATCH *patch)
{
    return rig->driver->DxgkDdiPatch(rig->adapter, patch);
}

NTSTATUS rig_submit(struct rig *rig, const DXGKARG_SUBMITCOMMAND *command)
{
    uint8_t before = rig_irql;
    NTSTATUS status;

    rig_irql = VIDMM_IRQL_DISPATCH;
    status = rig->driver->DxgkDdiSubmitCommand(rig->adapter, command);
    rig_irql = before;
    return status;
}

DXGK_ALLOCATIONLIST rig_reference(const struct rig_allocation *allocation, UINT segment,
                                  uint64_t address, bool write)
{
    DXGK_ALLOCATIONLIST entry = {.hDeviceSpecificAllocation = allocation->open};

    entry.SegmentId = segment & 31u;
    entry.WriteOperation = write;
    entry.PhysicalAddress.QuadPart = (LONGLONG)address;
    return entry;
}

UINT rig_render(struct rig *rig, const struct rig_allocation *allocation, UINT segment,
                uint64_t address)
{
    DXGK_ALLOCATIONLIST list[1] = {rig_reference(allocation, segment, address, true)};
    DXGKARG_PATCH patch = rig_dma_patch(rig, list, 1);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    return command.SubmissionFenceId;
}

void rig_complete(struct rig *rig, UINT node, UINT fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED};

    data.DmaCompleted.SubmissionFenceId = fence;
    data.DmaCompleted.NodeOrdinal = node;
    rig->seen.DxgkCbNotifyInterrupt(rig->seen.DeviceHandle, &data);
}

void rig_preempted(struct rig *rig, UINT node, UINT last_completed)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED};

    data.DmaPreempted.LastCompletedFenceId = last_completed;
    data.DmaPreempted.NodeOrdinal = node;
    rig->seen.DxgkCbNotifyInterrupt(rig->seen.DeviceHandle, &data);
}

/* ---- Allocations of contexts ---- */

struct rig_allocation *rig_context_allocation(struct rig *rig, UINT set, UINT flags, bool shared)
{
    struct rig_allocation *allocation = &rig->allocations[rig->allocation_count++];
    DXGKARGCB_CREATECONTEXTALLOCATION create = {.hAdapter = rig->seen.DeviceHandle,
                                                .hDevice = rig->kernel_device,
                                                .hContext = shared ? NULL : rig->kernel_context,
                                                .hDriverAllocation = new_handle(rig),
                                                .Size = 0x4000,
                                                .SupportedSegmentSet = set};

    assert_true(rig->allocation_count <= RIG_ALLOCATIONS);
    create.ContextAllocationFlags.SharedAcrossContexts = shared;
    create.Flags.Value = flags;
    assert_int_equal(rig->seen.DxgkCbCreateContextAllocation(&create), STATUS_SUCCESS);
    allocation->handle = create.hDriverAllocation;
    allocation->open = create.hAllocation; /* the kernel's handle */
    allocation->size = 0x4000;
    allocation->mdl = rig_new_mdl(4);
    return allocation;
}

DXGKARG_BUILDPAGINGBUFFER rig_init(const struct rig_allocation *allocation, UINT segment,
                                   uint64_t address)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_INIT_CONTEXT_RESOURCE};

    asked.InitContextResource.hAllocation = allocation->handle;
    asked.InitContextResource.Destination.SegmentId = segment;
    asked.InitContextResource.Destination.SegmentAddress.QuadPart = (LONGLONG)address;
    return asked;
}

UINT rig_run(struct rig *rig, HANDLE context)
{
    DXGKARG_PATCH patch = rig_dma_patch(rig, NULL, 0);
    DXGKARG_SUBMITCOMMAND command = rig_dma_submit(rig, patch.SubmissionFenceId);

    patch.hContext = command.hContext = context;
    rig_patch(rig, &patch);
    rig_submit(rig, &command);
    return command.SubmissionFenceId;
}

void rig_switch(struct rig *rig)
{
    DXGKARG_SUBMITCOMMAND command = {
        .hContext = rig->context,
        .DmaBufferSegmentId = RIG_APERTURE,
        .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)rig->buffers[0].address,
        .SubmissionFenceId = ++rig->fence,
        .NodeOrdinal = RIG_RENDER_NODE,
    };

    command.Flags.ContextSwitch = 1;
    rig_submit(rig, &command);
    rig_complete(rig, RIG_RENDER_NODE, command.SubmissionFenceId);
}

HANDLE rig_new_context(struct rig *rig)
{
    return new_context(rig, RIG_RENDER_NODE);
}
