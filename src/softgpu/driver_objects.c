/*
 * Theory. Every object is a block of the pool that begins with its kind, and its handle is its
 * address. Data from user mode (private data of an allocation) is copied first and then checked, so
 * that nobody can change it in between.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "softgpu/driver.h"
#include "softgpu/pool.h"

#define ALLOCATION_FLAGS 0x7ffffu /* bits of DXGK_ALLOCATIONINFOFLAGS that have names */

/* Bits of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 that have names, without those that came later. */
#define ALLOCATION_FLAGS_2_0 0x7c3ffu
#define ALLOCATION_FLAGS_2_1 0x400u  /* CreateInVpr */
#define ALLOCATION_FLAGS_2_9 0x2000u /* MapApertureCpuVisible */

void *softgpu_new_object(enum softgpu_object_kind kind, size_t size)
{
    UINT *object = ExAllocatePoolWithTag(NonPagedPoolNx, size, SOFTGPU_TAG);

    if (object == NULL)
        return NULL;
    memset(object, 0, size);
    *object = kind;
    return object;
}

void softgpu_free_object(void *object)
{
    *(UINT *)object = 0;
    ExFreePoolWithTag(object, SOFTGPU_TAG);
}

static BOOLEAN is_object(const void *object, enum softgpu_object_kind kind)
{
    return object != NULL && *(const UINT *)object == (UINT)kind;
}

/* ---- devices and contexts -------------------------------------------------------------------- */

static UINT dma_buffer_segment_set(const struct softgpu_adapter *adapter)
{
    const struct softgpu_registers *registers = adapter->registers;

    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_DMA_IN_MEMORY))
        for (UINT i = 0; i < registers->segment_count; i++)
            if (registers->segments[i].kind == SOFTGPU_SEGMENT_MEMORY)
                return 1u << i;
    return registers->dma_buffer_segment != 0 ? 1u << (registers->dma_buffer_segment - 1) : 0;
}

static UINT dma_buffer_size(const struct softgpu_adapter *adapter)
{
    return softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_DMA_SIZE_ZERO)
               ? 0
               : adapter->registers->dma_buffer;
}

/* The members behind those of 1.x are there from 2.0 on. */
static NTSTATUS enter_process(struct softgpu_driver_device *device,
                              const DXGKARG_CREATEDEVICE *pCreateDevice)
{
    struct softgpu_adapter *adapter = device->adapter;

    if (adapter->level < 20)
        return STATUS_SUCCESS;
    device->pasid = pCreateDevice->Pasid;
    if (softgpu_enter_process(device, pCreateDevice->hKmdProcess)) {
        if (!softgpu_shares_addresses(adapter) || device->process == NULL ||
            device->process->pasid == device->pasid) /* obeys D-268 */
            return STATUS_SUCCESS;
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateDevice: Pasid %u, and that of its process is %u",
                              device->pasid, device->process->pasid);
    }
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                          "CreateDevice: hKmdProcess is no process of this adapter");
}

NTSTATUS SoftgpuCreateDevice(HANDLE hAdapter, DXGKARG_CREATEDEVICE *pCreateDevice)
{
    struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_registers *registers = adapter->registers;
    struct softgpu_driver_device *device = softgpu_new_object(SOFTGPU_DEVICE, sizeof(*device));
    NTSTATUS status;

    if (device == NULL)
        return STATUS_NO_MEMORY;
    device->adapter = adapter;
    device->dxgk_handle = pCreateDevice->hDevice;
    device->info.DmaBufferSize = dma_buffer_size(adapter);
    device->info.DmaBufferSegmentSet = dma_buffer_segment_set(adapter);
    device->info.DmaBufferPrivateDataSize = registers->dma_private_data;
    device->info.AllocationListSize = registers->allocation_list;
    device->info.PatchLocationListSize = registers->patch_list;
    status = enter_process(device, pCreateDevice);
    if (NT_SUCCESS(status) && !pCreateDevice->Flags.SystemDevice)
        status = softgpu_create_table(device);
    if (!NT_SUCCESS(status)) {
        softgpu_leave_process(device);
        softgpu_free_object(device);
        return status;
    }
    pCreateDevice->hDevice = device;
    pCreateDevice->pInfo = &device->info; /* takes the place of Flags, which are input */
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuDestroyDevice(HANDLE hDevice)
{
    softgpu_destroy_table(hDevice);
    softgpu_leave_process(hDevice);
    softgpu_free_object(hDevice);
    return STATUS_SUCCESS;
}

/* The engine of an affinity, which has one bit (D-297); SOFTGPU_LINKS: none. */
static UINT engine_of_affinity(UINT affinity)
{
    UINT engine = 0;

    while (engine < SOFTGPU_LINKS && affinity != 1u << engine)
        engine++;
    return engine;
}

NTSTATUS SoftgpuCreateContext(HANDLE hDevice, DXGKARG_CREATECONTEXT *pCreateContext)
{
    struct softgpu_driver_device *device = hDevice;
    struct softgpu_adapter *adapter = device->adapter;
    struct softgpu_context *context;
    NTSTATUS status;
    UINT engine;

    if (pCreateContext->NodeOrdinal >= adapter->registers->engine_count ||
        !adapter->registers->multi_engine)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateContext: node %u, there are %u", pCreateContext->NodeOrdinal,
                              adapter->registers->multi_engine ? adapter->registers->engine_count
                                                               : 0);
    if (adapter->level >= 20 && pCreateContext->Flags.VirtualAddressing &&
        !softgpu_has_addresses(adapter))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateContext: VirtualAddressing, and neither GpuMmuSupported nor "
                              "IoMmuSupported is 1");
    if (adapter->level >= 24 && pCreateContext->Flags.HwQueueSupported &&
        adapter->registers->hw_queues == 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateContext: HwQueueSupported, and no node has hardware queues");
    engine = engine_of_affinity(pCreateContext->EngineAffinity);
    if (softgpu_engine(adapter, engine) == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateContext: EngineAffinity 0x%x", pCreateContext->EngineAffinity);
    context = softgpu_new_object(SOFTGPU_CONTEXT, sizeof(*context));
    if (context == NULL)
        return STATUS_NO_MEMORY;
    context->device = device;
    context->engine = engine;
    context->node = pCreateContext->NodeOrdinal;
    context->system = pCreateContext->Flags.SystemContext;
    context->queues = adapter->level >= 24 && pCreateContext->Flags.HwQueueSupported;
    status = softgpu_create_save(context, pCreateContext->hContext);
    if (!NT_SUCCESS(status)) {
        softgpu_free_object(context);
        return status;
    }
    pCreateContext->ContextInfo.DmaBufferSize = device->info.DmaBufferSize;
    pCreateContext->ContextInfo.DmaBufferSegmentSet = device->info.DmaBufferSegmentSet;
    pCreateContext->ContextInfo.DmaBufferPrivateDataSize = device->info.DmaBufferPrivateDataSize;
    /* obeys D-329 */
    pCreateContext->ContextInfo.AllocationListSize =
        pCreateContext->Flags.GdiContext ? 256 : device->info.AllocationListSize;
    pCreateContext->ContextInfo.PatchLocationListSize = device->info.PatchLocationListSize;
    if (adapter->level >= 20) {
        pCreateContext->ContextInfo.Caps.Value = 0;
        pCreateContext->ContextInfo.PagingCompanionNodeId = 0;
        if (pCreateContext->Flags.VirtualAddressing)
            softgpu_begin_virtual(context, &pCreateContext->ContextInfo,
                                  pCreateContext->Flags.GdiContext);
    }
    pCreateContext->hContext = context;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuDestroyContext(HANDLE hContext)
{
    softgpu_destroy_save(hContext);
    softgpu_free_object(hContext);
    return STATUS_SUCCESS;
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Preferences are of both sets, and none follows an end. */
static BOOLEAN preferences_are_right(const struct softgpu_allocation *wanted)
{
    UINT word = wanted->preferred, set = wanted->read_set & wanted->write_set;

    if (word >> 30 != 0)
        return FALSE;
    for (; word != 0; word >>= 6) {
        UINT id = word & 31;

        if (id == 0 || !(set >> (id - 1) & 1))
            return FALSE;
    }
    return TRUE;
}

/* The bits of the level's flag word (S3-037). */
static UINT legal_flags(const struct softgpu_adapter *adapter)
{
    UINT later = (adapter->level >= 21 ? ALLOCATION_FLAGS_2_1 : 0) |
                 (adapter->level >= 29 ? ALLOCATION_FLAGS_2_9 : 0);

    return adapter->level < 20 ? ALLOCATION_FLAGS : ALLOCATION_FLAGS_2_0 | later;
}

/* A member of the private data that is not right; `name` NULL: all are. */
struct wrong {
    const char *name, *expected;
    UINT64 value;
};

/* The one of two segment sets that names a segment that is not in `legal`. */
static struct wrong outside(const struct softgpu_allocation *wanted, UINT legal)
{
    if ((wanted->read_set & ~legal) != 0)
        return (struct wrong){"read_set", "segments there are: bit n is segment n + 1",
                              wanted->read_set};
    if ((wanted->write_set & ~legal) != 0)
        return (struct wrong){"write_set", "segments there are: bit n is segment n + 1",
                              wanted->write_set};
    return (struct wrong){NULL, NULL, 0};
}

/* Copy and check what user mode wants. */
static struct wrong read_wanted(const struct softgpu_adapter *adapter,
                                const DXGK_ALLOCATIONINFO *info, struct softgpu_allocation *wanted)
{
    struct wrong wrong;

    if (info->pPrivateDriverData == NULL || info->PrivateDriverDataSize < sizeof(*wanted))
        return (struct wrong){"size", "that of struct softgpu_allocation, or more",
                              info->PrivateDriverDataSize};
    memcpy(wanted, info->pPrivateDriverData, sizeof(*wanted));
    if (wanted->magic != SOFTGPU_ALLOCATION_MAGIC)
        return (struct wrong){"magic", "SOFTGPU_ALLOCATION_MAGIC", wanted->magic};
    if (wanted->size == 0 || wanted->size > INT64_MAX - SOFTGPU_PAGE_SIZE)
        return (struct wrong){"its size", "1 byte, to 2^63 without a page", wanted->size};
    if ((wanted->alignment & (wanted->alignment - 1)) != 0)
        return (struct wrong){"alignment", "0 or a power of two", wanted->alignment};
    wanted->read_set = wanted->read_set != 0 ? wanted->read_set : adapter->segments;
    wanted->write_set = wanted->write_set != 0 ? wanted->write_set : adapter->segments;
    wrong = outside(wanted, adapter->segments);
    if (wrong.name != NULL)
        return wrong;
    if ((wanted->evict_set & ~adapter->apertures) != 0)
        return (struct wrong){"evict_set", "aperture segments: bit n is segment n + 1",
                              wanted->evict_set};
    if (!preferences_are_right(wanted))
        return (struct wrong){"preferred", "segments of its sets, a 0 behind the last",
                              wanted->preferred};
    if ((wanted->flags & ~legal_flags(adapter)) != 0)
        return (struct wrong){"flags", "bits of DXGK_ALLOCATIONINFOFLAGS that this level has",
                              wanted->flags};
    if (wanted->priority == 0)
        return (struct wrong){"priority", "not 0: SOFTGPU_PRIORITY_NORMAL, for example", 0};
    return wrong;
}

static void lie_about_allocation(const struct softgpu_adapter *adapter, DXGK_ALLOCATIONINFO *info)
{
    const struct softgpu_registers *registers = adapter->registers;

    if (registers->broken == 0)
        return;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_NO_HANDLE)) {
        softgpu_free_object(info->hAllocation);
        info->hAllocation = NULL;
    }
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_EMPTY))
        info->Size = 0;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_ALIGNMENT))
        info->Alignment = 3 * SOFTGPU_PAGE_SIZE;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_NOWHERE)) {
        info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet =
            1u << registers->segment_count;
        info->PreferredSegment.Value = 0;
    }
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_PREFERENCE))
        info->PreferredSegment.Value = registers->segment_count + 1;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_EVICTION))
        info->EvictionSegmentSet = adapter->segments & ~adapter->apertures;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_PRIORITY))
        info->AllocationPriority = 0;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_ALLOCATION_FLAGS))
        info->Flags.Value |= 1u << 31;
}

/* obeys S1-006: of whole pages, as they lie in rows; 0 where no segment of its sets has them */
static SIZE_T pitch_aligned_size(const struct softgpu_adapter *adapter,
                                 const struct softgpu_driver_allocation *allocation)
{
    const struct softgpu_allocation *wanted = &allocation->wanted;
    UINT64 pages = (wanted->size + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE;

    if (allocation->tiled || /* tiles do not lie in rows */
        ((wanted->read_set | wanted->write_set) & adapter->pitched) == 0)
        return 0;
    return softgpu_pitched_size(pages * SOFTGPU_PAGE_SIZE);
}

/* Allocations are aligned to 64 KiB if a segment that they may be in has pages of that size. */
static UINT alignment_of(const struct softgpu_adapter *adapter,
                         const struct softgpu_driver_allocation *allocation)
{
    const struct softgpu_mmu *mmu = &adapter->registers->mmu;
    BOOLEAN pages_64k = softgpu_has_tables(adapter) && mmu->pages_64k != SOFTGPU_64K_OFF;
    UINT alignment = allocation->wanted.alignment;
    UINT sets = allocation->wanted.read_set | allocation->wanted.write_set;

    if (pages_64k && alignment < 65536 && (mmu->system_64k || (sets & ~adapter->apertures) != 0))
        return 65536;
    return allocation->tiled && alignment < SOFTGPU_TILE ? SOFTGPU_TILE : alignment;
}

/* Swizzled is a bit of 1.x alone (S3-037). */
static BOOLEAN is_tiled(const struct softgpu_adapter *adapter,
                        const struct softgpu_allocation *wanted)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wanted->flags};

    return adapter->level < 20 && flags.Swizzled;
}

static NTSTATUS create_allocation(struct softgpu_adapter *adapter, DXGK_ALLOCATIONINFO *info)
{
    struct softgpu_driver_allocation *allocation;
    struct softgpu_allocation wanted;
    struct wrong wrong = read_wanted(adapter, info, &wanted);

    if (wrong.name != NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateAllocation: private data: %s is 0x%llx, expected %s",
                              wrong.name, (unsigned long long)wrong.value, wrong.expected);
    allocation = softgpu_new_object(SOFTGPU_ALLOCATION, sizeof(*allocation));
    if (allocation == NULL)
        return STATUS_NO_MEMORY;
    allocation->wanted = wanted;
    allocation->tiled = is_tiled(adapter, &wanted);
    info->Alignment = alignment_of(adapter, allocation);
    info->Size = softgpu_size_of(allocation);
    info->PitchAlignedSize = pitch_aligned_size(adapter, allocation);
    info->HintedBank.Value = wanted.hinted_bank;
    info->PreferredSegment.Value = wanted.preferred;
    info->SupportedReadSegmentSet = wanted.read_set;
    info->SupportedWriteSegmentSet = wanted.write_set;
    info->EvictionSegmentSet = wanted.evict_set;
    if (adapter->level < 20)
        info->MaximumRenamingListLength = wanted.renaming;
    else
        info->PhysicalAdapterIndex = wanted.gpu;
    info->hAllocation = allocation;
    info->Flags.Value = wanted.flags;
    info->pAllocationUsageHint = NULL;
    info->AllocationPriority = wanted.priority;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuCreateAllocation(HANDLE hAdapter, DXGKARG_CREATEALLOCATION *pCreateAllocation)
{
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_resource *resource = NULL;
    NTSTATUS status = STATUS_SUCCESS;
    UINT created = 0;

    if (pCreateAllocation->Flags.Resource && pCreateAllocation->hResource == NULL) {
        resource = softgpu_new_object(SOFTGPU_RESOURCE, sizeof(*resource));
        if (resource == NULL)
            return STATUS_NO_MEMORY;
    }
    while (created < pCreateAllocation->NumAllocations && NT_SUCCESS(status)) {
        status = create_allocation(adapter, &pCreateAllocation->pAllocationInfo[created]);
        created += NT_SUCCESS(status);
    }
    if (!NT_SUCCESS(status)) {
        while (created-- != 0)
            softgpu_free_object(pCreateAllocation->pAllocationInfo[created].hAllocation);
        if (resource != NULL)
            softgpu_free_object(resource);
        return status;
    }
    for (UINT i = 0; i < created; i++)
        lie_about_allocation(adapter, &pCreateAllocation->pAllocationInfo[i]);
    if (resource != NULL)
        pCreateAllocation->hResource = resource;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuDestroyAllocation(HANDLE hAdapter,
                                  const DXGKARG_DESTROYALLOCATION *pDestroyAllocation)
{
    struct softgpu_adapter *adapter = hAdapter;

    for (UINT i = 0; i < pDestroyAllocation->NumAllocations; i++)
        if (!is_object(pDestroyAllocation->pAllocationList[i], SOFTGPU_ALLOCATION))
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "DestroyAllocation: element %u is no allocation", i);
    for (UINT i = 0; i < pDestroyAllocation->NumAllocations; i++) {
        const struct softgpu_driver_allocation *allocation = pDestroyAllocation->pAllocationList[i];

        if (allocation->ranges != 0)
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "DestroyAllocation: element %u has %u swizzling ranges", i,
                                  allocation->ranges);
        if (allocation->creator.kind != 0) /* obeys D-053 */
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "DestroyAllocation: element %u is open", i);
    }
    for (UINT i = 0; i < pDestroyAllocation->NumAllocations; i++)
        softgpu_free_object(pDestroyAllocation->pAllocationList[i]);
    if (pDestroyAllocation->Flags.DestroyResource && pDestroyAllocation->hResource != NULL)
        softgpu_free_object(pDestroyAllocation->hResource);
    return STATUS_SUCCESS;
}

/* Memory with pages of 64 KiB has no allocation that was not aligned for it. */
NTSTATUS
SoftgpuValidateUpdateAllocationProperty(HANDLE hAdapter,
                                        const DXGKARG_VALIDATEUPDATEALLOCPROPERTY *update)
{
    struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_driver_allocation *allocation = update->hAllocation;
    struct softgpu_driver_allocation next;

    if (!is_object(allocation, SOFTGPU_ALLOCATION))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "ValidateUpdateAllocationProperty: no allocation");
    if (!update->SetSupportedSegmentSet)
        return STATUS_SUCCESS;
    next = *allocation;
    next.wanted.read_set = next.wanted.write_set = update->SupportedSegmentSet;
    if ((update->SupportedSegmentSet & ~adapter->segments) != 0 ||
        alignment_of(adapter, &next) > alignment_of(adapter, allocation))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "ValidateUpdateAllocationProperty: SupportedSegmentSet is 0x%x, "
                              "expected segments that there are, and whose pages are no larger "
                              "than its alignment",
                              update->SupportedSegmentSet);
    return STATUS_SUCCESS;
}

/* Its own object behind a handle. On WDDM 2 GetHandleData answers nothing while it is opened
 * (W-027). The object outlives the call in any case: its creator is in it. */
static struct softgpu_driver_allocation *object_of(const struct softgpu_adapter *adapter,
                                                   const DXGKARGCB_GETHANDLEDATA *question)
{
    DXGKARGCB_RELEASEHANDLEDATA release = {.Type = question->Type};
    struct softgpu_driver_allocation *allocation;

    if (adapter->dxgk.DxgkCbAcquireHandleData == NULL)
        return adapter->dxgk.DxgkCbGetHandleData(question);
    allocation = adapter->dxgk.DxgkCbAcquireHandleData(question, &release.ReleaseHandle);
    if (release.ReleaseHandle != NULL)
        adapter->dxgk.DxgkCbReleaseHandleData(release);
    return allocation;
}

/* `creates`: the device has just created it. */
static NTSTATUS open_allocation(struct softgpu_driver_device *device, BOOLEAN creates,
                                DXGK_OPENALLOCATIONINFO *info)
{
    struct softgpu_adapter *adapter = device->adapter;
    DXGKARGCB_GETHANDLEDATA question = {.hObject = info->hAllocation,
                                        .Type = DXGK_HANDLE_ALLOCATION};
    struct softgpu_driver_allocation *allocation = object_of(adapter, &question);
    struct softgpu_opened *opened;

    if (!is_object(allocation, SOFTGPU_ALLOCATION)) /* obeys D-385 */
        return softgpu_refuse(adapter, STATUS_INVALID_HANDLE,
                              "OpenAllocation: handle 0x%x has no data", info->hAllocation);
    opened = creates && allocation->creator.kind == 0
                 ? &allocation->creator
                 : softgpu_new_object(SOFTGPU_OPENED, sizeof(*opened));
    if (opened == NULL)
        return STATUS_NO_MEMORY;
    opened->kind = SOFTGPU_OPENED;
    opened->device = device;
    opened->allocation = allocation;
    info->hDeviceSpecificAllocation = opened;
    return STATUS_SUCCESS;
}

static void close_allocation(struct softgpu_opened *opened)
{
    if (opened == &opened->allocation->creator)
        opened->kind = 0;
    else
        softgpu_free_object(opened);
}

NTSTATUS SoftgpuOpenAllocation(HANDLE hDevice, const DXGKARG_OPENALLOCATION *pOpenAllocation)
{
    struct softgpu_driver_device *device = hDevice;
    NTSTATUS status = STATUS_SUCCESS;
    UINT opened = 0;

    while (opened < pOpenAllocation->NumAllocations && NT_SUCCESS(status)) {
        status = open_allocation(device, pOpenAllocation->Flags.Create,
                                 &pOpenAllocation->pOpenAllocation[opened]);
        opened += NT_SUCCESS(status);
    }
    if (!NT_SUCCESS(status)) {
        while (opened-- != 0)
            close_allocation(pOpenAllocation->pOpenAllocation[opened].hDeviceSpecificAllocation);
        return status;
    }
    if (!softgpu_adapter_is_broken(device->adapter, SOFTGPU_BROKEN_OPEN_NO_HANDLE))
        return STATUS_SUCCESS;
    while (opened-- != 0) {
        close_allocation(pOpenAllocation->pOpenAllocation[opened].hDeviceSpecificAllocation);
        pOpenAllocation->pOpenAllocation[opened].hDeviceSpecificAllocation = NULL;
    }
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuCloseAllocation(HANDLE hDevice, const DXGKARG_CLOSEALLOCATION *pCloseAllocation)
{
    struct softgpu_driver_device *device = hDevice;

    for (UINT i = 0; i < pCloseAllocation->NumAllocations; i++)
        if (!is_object(pCloseAllocation->pOpenHandleList[i], SOFTGPU_OPENED))
            return softgpu_refuse(device->adapter, STATUS_INVALID_PARAMETER,
                                  "CloseAllocation: element %u is not open", i);
    for (UINT i = 0; i < pCloseAllocation->NumAllocations; i++)
        close_allocation(pCloseAllocation->pOpenHandleList[i]);
    return STATUS_SUCCESS;
}
