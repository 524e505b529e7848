/* umd_allocation.c: create, open, close and destroy an allocation.
 *
 * The miniport describes what it wants in DXGK_ALLOCATIONINFO; kmd_allocation.c reads and judges that.
 *
 * Source: DXGK_ALLOCATIONINFO, DXGK_ALLOCATIONINFOFLAGS; rules S0, S1, D-046 to D-053.
 */
#include "seen.h"

/* ---- what the miniport described --------------------------------------------------------------------------- */

struct refusal {
    const char *what; /* member, and what it may be; NULL: nothing is wrong */
    uint64_t value;
    NTSTATUS status;
};

#define LEGAL ((struct refusal){0})

static struct refusal illegal(const char *what, uint64_t value)
{
    return (struct refusal){what, value, STATUS_INVALID_PARAMETER};
}

static struct refusal unsupported(const char *what, uint64_t value)
{
    return (struct refusal){what, value, STATUS_NOT_SUPPORTED};
}

static NTSTATUS refuse(struct vidmm_report *report, struct refusal refusal)
{
    struct vidmm_text text = vidmm_report_begin(report);

    vidmm_text_string(&text, refusal.what);
    vidmm_text_string(&text, "; it is ");
    vidmm_text_hex(&text, refusal.value);
    return refusal.status;
}

/* ---- creation -------------------------------------------------------------------------------------------------- */

/* Memory that the caller hands over for backing store; address NULL: none. */
struct existing {
    void *address;
    uint64_t size; /* bytes */
};

static bool may_be_local(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        if (((wish->read_set | wish->write_set) >> (id - 1) & 1) != 0 && !flags.Aperture) {
            return true;
        }
    }
    return false;
}

#define PINNED 0x300u /* Overlay, Capture: stays where it is */

/* Whether the set has an aperture. */
static bool has_aperture(const struct vidmm_adapter *adapter, uint32_t set)
{
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        if ((set >> (id - 1) & 1) != 0 && flags.Aperture) {
            return true;
        }
    }
    return false;
}

/* Whether a lock may give a place in a memory segment: the CPU sees one that it may live in. */
static bool may_be_locked_local(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};
    uint32_t id;

    for (id = 1; id <= adapter->segment_count; id++) {
        if (((wish->read_set | wish->write_set) >> (id - 1) & 1) != 0 &&
            adapter->segments[id].cpu) {
            return flags.CpuVisible && !flags.PermanentSysMem;
        }
    }
    return false;
}

/* obeys D-065: what a program is told is one of the statuses of its page */
VIDMM_SEES(D_046);
static NTSTATUS status_for_programs(struct vidmm_adapter *adapter, NTSTATUS status)
{
    if (status != STATUS_INVALID_PARAMETER && status != STATUS_NO_MEMORY &&
        status != STATUS_GRAPHICS_DRIVER_MISMATCH) {
        vidmm_seen(adapter, VIDMM_RULE_D_046, "status of DxgkDdiCreateAllocation",
                   (uint32_t)status);
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_INVALID_PARAMETER;
}

/* The miniport's own handle and wishes. The private data is copied: the driver may keep none of it,
 * and may write to it. */
static NTSTATUS create_in_kmd(struct vidmm_allocation *allocation, const void *private_data,
                              uint32_t private_data_size, struct vidmm_wish *wish,
                              struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    DXGKARG_CREATEALLOCATION arguments;
    DXGK_ALLOCATIONINFO info;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    memset(&info, 0, sizeof(info));
    info.pPrivateDriverData = allocation->private_data;
    info.PrivateDriverDataSize = private_data_size;
    if (private_data_size > 0) {
        memcpy(allocation->private_data, private_data, private_data_size);
    }
    arguments.NumAllocations = 1; /* kit: one a call without a resource */
    arguments.pAllocationInfo = &info;
    vidmm_driver_enter(adapter);
    status = adapter->driver.DxgkDdiCreateAllocation(adapter->h_adapter, &arguments);
    vidmm_driver_leave(adapter);
    if (status != STATUS_SUCCESS) {
        return refuse(report, (struct refusal){"status of DxgkDdiCreateAllocation: the driver "
                                               "refused the allocation (D-046)",
                                               (uint32_t)status,
                                               status_for_programs(adapter, status)});
    }
    allocation->h_allocation = info.hAllocation;
    status = vidmm_kmd_take_wish(adapter, &info, wish, report);
    if (status != STATUS_SUCCESS) {
        return status;
    }
    allocation->size = wish->size;
    allocation->flags = info.Flags.Value;
    allocation->local = may_be_local(adapter, wish);
    if ((wish->flags & PINNED) == 0) {
        allocation->aperture_read = has_aperture(adapter, wish->read_set);
        allocation->aperture_written = has_aperture(adapter, wish->write_set);
    }
    allocation->windowed = may_be_locked_local(adapter, wish);
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_051);
static NTSTATUS open_in_kmd(struct vidmm_allocation *allocation, uint32_t private_data_size,
                            struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    DXGKARG_OPENALLOCATION arguments;
    DXGK_OPENALLOCATIONINFO info;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    memset(&info, 0, sizeof(info));
    info.hAllocation = allocation->handle;
    info.pPrivateDriverData = allocation->private_data;
    info.PrivateDriverDataSize = private_data_size;
    arguments.NumAllocations = 1;
    arguments.pOpenAllocation = &info;
    arguments.Flags.Create = 1;
    vidmm_driver_enter(adapter);
    status = adapter->driver.DxgkDdiOpenAllocation(allocation->device->h_device, &arguments);
    vidmm_driver_leave(adapter);
    if (status != STATUS_SUCCESS) {
        return refuse(report, (struct refusal){"status of DxgkDdiOpenAllocation: the driver would "
                                               "not open it",
                                               (uint32_t)status, status});
    }
    allocation->h_device_specific = info.hDeviceSpecificAllocation;
    allocation->opened = true;
    if (!info.hDeviceSpecificAllocation) {
        return refuse(report, illegal("hDeviceSpecificAllocation: not NULL after a successful open "
                                      "(D-051)",
                                      0));
    }
    return STATUS_SUCCESS;
}

static NTSTATUS create_in_engine(struct vidmm_allocation *allocation, const struct vidmm_wish *wish,
                                 struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                .device = allocation->device->id};
    NTSTATUS status;

    event.create.allocation = allocation->id;
    event.create.wish = *wish;
    status = vidmm_pump_event(allocation->adapter, &event);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY) {
        refuse(report, (struct refusal){"Size: larger than every segment of its supported sets",
                                        wish->size, status});
    }
    return status;
}

static NTSTATUS take_number(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t index;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->handles, &adapter->host->memory, allocation,
                            VIDMM_HANDLE_ALLOCATION, &index);
    vidmm_adapter_unlock(adapter);
    if (!taken) {
        return STATUS_NO_MEMORY;
    }
    allocation->id = index + 1;
    allocation->handle = adapter->number << 28 | allocation->id;
    return STATUS_SUCCESS;
}

VIDMM_SEES(S0_031);
/* The caller's memory, as far as the miniport's description goes. */
static struct refusal check_existing(const struct vidmm_allocation *allocation,
                                     const struct existing *existing)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    bool wanted = flags.ExistingSysMem || flags.ExistingKernelSysMem;

    if (!existing->address && wanted) {
        return illegal("pSystemMem: no memory was given, and the driver asks for existing memory "
                       "(S0-029, S0-036); flags",
                       flags.Value);
    }
    if (existing->address && !wanted) {
        return illegal("pSystemMem: the driver does not ask for existing memory (S0-029); flags",
                       flags.Value);
    }
    if ((uintptr_t)existing->address % VIDMM_PAGE_SIZE != 0) {
        return illegal("pSystemMem: page aligned (S0-031, S0-036)", (uintptr_t)existing->address);
    }
    if (existing->size % VIDMM_PAGE_SIZE != 0) {
        return illegal("size of the existing memory: whole pages (S0-031, S0-036)", existing->size);
    }
    if (existing->address && existing->size < allocation->size) {
        return illegal("size of the existing memory: what the driver described, at least (S0-030)",
                       existing->size);
    }
    return LEGAL;
}

VIDMM_SEES(S0_020);
VIDMM_SEES(S0_030);
VIDMM_SEES(S0_036);
static NTSTATUS adopt_pages(struct vidmm_allocation *allocation, const struct existing *existing,
                            uint64_t highest_frame, struct vidmm_report *report)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    NTSTATUS status = vidmm_backing_adopt(&allocation->backing, allocation->adapter->host,
                                          existing->address, allocation->size, highest_frame,
                                          flags.ExistingKernelSysMem);

    if (status == STATUS_INVALID_PARAMETER) {
        return refuse(report, illegal("pSystemMem: memory of the calling process, or for "
                                      "ExistingKernelSysMem of the kernel, all of it there and "
                                      "writable, below HighestAcceptableAddress (S0-030, S0-036)",
                                      (uintptr_t)existing->address));
    }
    if (status == STATUS_SUCCESS && flags.Cached && allocation->backing.caching != VIDMM_CACHED) {
        return refuse(report, illegal("Flags: Cached, yet the existing memory is mapped with "
                                      "another caching type (S0-020)",
                                      flags.Value));
    }
    return status;
}

static NTSTATUS take_pages(struct vidmm_allocation *allocation, const struct existing *existing,
                           struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    uint64_t highest = (uint64_t)adapter->caps.HighestAcceptableAddress.QuadPart; /* D-029 */
    uint64_t highest_frame = highest == 0 ? VIDMM_ANY_FRAME : highest >> VIDMM_PAGE_SHIFT;
    struct refusal refusal = check_existing(allocation, existing);

    if (refusal.what) {
        return refuse(report, refusal);
    }
    if (existing->address) {
        return adopt_pages(allocation, existing, highest_frame, report);
    }
    return vidmm_backing_init(&allocation->backing, adapter->host, allocation->size, highest_frame,
                              false,
                              flags.Cached ? VIDMM_CACHED : VIDMM_WRITE_COMBINED); /* S0-018 */
}

void vidmm_allocation_link(struct vidmm_allocation *allocation)
{
    struct vidmm_device *device = allocation->device;

    vidmm_adapter_lock(allocation->adapter);
    allocation->next = device->allocations;
    allocation->link = &device->allocations;
    if (allocation->next) {
        allocation->next->link = &allocation->next;
    }
    device->allocations = allocation;
    vidmm_adapter_unlock(allocation->adapter);
}

static NTSTATUS create(struct vidmm_allocation *allocation, const void *private_data,
                       uint32_t private_data_size, const struct existing *existing,
                       struct vidmm_report *report)
{
    struct vidmm_wish wish = {0};
    NTSTATUS status = take_number(allocation);

    if (status == STATUS_SUCCESS) {
        status = create_in_kmd(allocation, private_data, private_data_size, &wish, report);
    }
    if (status == STATUS_SUCCESS) {
        status = take_pages(allocation, existing, report);
    }
    allocation->incoherent =
        vidmm_cache_is_incoherent(allocation->adapter, &wish, &allocation->backing);
    if (status == STATUS_SUCCESS) {
        status = open_in_kmd(allocation, private_data_size, report);
    }
    return status == STATUS_SUCCESS ? create_in_engine(allocation, &wish, report) : status;
}

static NTSTATUS create_over(struct vidmm_device *device, const void *private_data,
                            uint32_t private_data_size, const struct existing *existing,
                            struct vidmm_allocation **result, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_allocation *allocation;
    NTSTATUS status;

    vidmm_report_begin(report);
    if (adapter->level >= VIDMM_LEVEL(2, 0)) {
        return refuse(report, unsupported("WDDM 2.x allocations are not supported by this version",
                                          adapter->level));
    }
    allocation = vidmm_allocate(adapter->host, sizeof(*allocation) + private_data_size);
    if (!allocation) {
        return refuse(report,
                      (struct refusal){"no memory for a record of bytes",
                                       sizeof(*allocation) + private_data_size, STATUS_NO_MEMORY});
    }
    allocation->adapter = adapter;
    allocation->device = device;
    status = create(allocation, private_data, private_data_size, existing, report);
    if (status != STATUS_SUCCESS) {
        if (status == STATUS_DEVICE_REMOVED) {
            vidmm_device_condition(device, report);
        } else if (report && report->text[0] == '\0') {
            refuse(report, (struct refusal){"no memory for an allocation of bytes",
                                            allocation->size, status});
        }
        vidmm_kmd_destroy_allocation(adapter, allocation);
        vidmm_allocation_free(allocation);
        return status;
    }
    vidmm_allocation_link(allocation);
    *result = allocation;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_allocation_create(struct vidmm_device *device, const void *private_data,
                                 uint32_t private_data_size, struct vidmm_allocation **allocation,
                                 struct vidmm_report *report)
{
    return create_over(device, private_data, private_data_size, &(struct existing){0}, allocation,
                       report);
}

NTSTATUS vidmm_allocation_create_over(struct vidmm_device *device, const void *private_data,
                                      uint32_t private_data_size, void *address, uint64_t size,
                                      struct vidmm_allocation **allocation,
                                      struct vidmm_report *report)
{
    return create_over(device, private_data, private_data_size,
                       &(struct existing){.address = address, .size = size}, allocation, report);
}

/* ---- destruction -------------------------------------------------------------------------------------------------- */

void vidmm_allocation_free(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_adapter_lock(adapter);
    vidmm_window_finish(allocation);
    vidmm_adapter_unlock(adapter);
    vidmm_backing_finish(&allocation->backing, adapter->host);
    vidmm_adapter_lock(adapter);
    if (allocation->link) {
        *allocation->link = allocation->next;
        if (allocation->next) {
            allocation->next->link = allocation->link;
        }
    }
    if (allocation->id != 0) {
        vidmm_slot_release(&adapter->handles, allocation->id - 1);
    }
    adapter->changed = true;
    vidmm_adapter_unlock(adapter);
    vidmm_free(adapter->host, allocation);
}

void vidmm_allocation_destroy(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_adapter *adapter;
    uint64_t word;

    if (!allocation) {
        return;
    }
    adapter = allocation->adapter;
    vidmm_adapter_lock(adapter);
    allocation->destroyed = true;
    vidmm_adapter_unlock(adapter);
    word = atomic_load(&allocation->word); /* what the CPU still holds goes with the handle */
    while ((word & WORD_LOCKS) != 0 && vidmm_unlock(allocation) == STATUS_SUCCESS) {
        word = atomic_load(&allocation->word);
    }
    event.destroy.allocation = allocation->id;
    vidmm_pump_event(adapter, &event);
}

uint32_t vidmm_allocation_id(const struct vidmm_allocation *allocation)
{
    return allocation->id;
}

uint64_t vidmm_allocation_size(const struct vidmm_allocation *allocation)
{
    return allocation->size;
}
