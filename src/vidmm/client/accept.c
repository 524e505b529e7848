/* accept.c: the miniport's description becomes an allocation with a backing store.
 *
 * The miniport describes what it wants in DXGK_ALLOCATIONINFO; ddi/allocation_info.c reads and
 * judges that.
 *
 * Source: DXGK_ALLOCATIONINFO, DXGK_ALLOCATIONINFOFLAGS; rules S0, S1, D-046 to D-053.
 */
#include "vidmm/client/accept.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/resource.h>
#include <vidmm/test_fault.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/allocation_info.h"
#include "vidmm/ddi/backing_store.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/aperture_address.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/cache.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/shared_address.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

#define KEEPS_COPY 0x32u /* PermanentSysMem, ExistingSysMem, ExistingKernelSysMem */
#define EXISTING 0x30u   /* the program sees its memory without a lock too */
#define PINNED 0x300u    /* Overlay, Capture: stays where it is */

/* Whether a lock may give a place in a memory segment: the CPU sees one that it may live in. */
static bool may_be_locked_local(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};

    return ((wish->read_set | wish->write_set) & adapter->sets.windowed) != 0 && flags.CpuVisible &&
           (flags.Value & KEEPS_COPY) == 0;
}

/* obeys D-065: a program is told one of the statuses of its page */
VIDMM_SEES(D_046);
NTSTATUS vidmm_allocation_status(struct vidmm_adapter *adapter, NTSTATUS status)
{
    if (status != STATUS_INVALID_PARAMETER && status != STATUS_NO_MEMORY &&
        status != STATUS_GRAPHICS_DRIVER_MISMATCH) {
        vidmm_seen(adapter, VIDMM_RULE_D_046, "status of DxgkDdiCreateAllocation",
                   (uint32_t)status);
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_INVALID_PARAMETER;
}

/* Not of its preferences, which say otherwise. */
VIDMM_SEES(D_064);
static void check_primary(struct vidmm_adapter *adapter, const struct vidmm_wish *wish)
{
    if (wish->preferred == 0 && (wish->write_set & adapter->sets.hidden) != 0)
        vidmm_seen(adapter, VIDMM_RULE_D_064, "SupportedWriteSegmentSet", wish->write_set);
}

/* Whether it may be what the program asks for. */
VIDMM_SEES(W_023);
static NTSTATUS check_shared(const struct vidmm_allocation *allocation,
                             const struct vidmm_wish *wish, struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};

    if (adapter->level < VIDMM_LEVEL(2, 0) || !allocation->resource ||
        !allocation->resource->shared || !flags.CpuVisible ||
        (wish->write_set & ~adapter->sets.apertures) == 0)
        return STATUS_SUCCESS;
    return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                              "SupportedWriteSegmentSet: apertures alone, of what is shared and "
                              "CpuVisible (W-023)",
                              wish->write_set);
}

/* obeys D-268: the CPU's page tables, by which the GPU finds it, lead to system memory. One
 * that is accessed physically may be elsewhere, and is then not found by them. */
static NTSTATUS keep_to_system_memory(struct vidmm_allocation *allocation, struct vidmm_wish *wish,
                                      struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.Value = wish->flags};
    uint32_t apertures = adapter->sets.apertures, sets = wish->read_set | wish->write_set;

    allocation->shares = adapter->model == VIDMM_MODEL_IO_MMU &&
                         (!flags.AccessedPhysically || (sets & ~apertures) == 0);
    if (!allocation->shares)
        return STATUS_SUCCESS;
    if ((wish->read_set & apertures) == 0 ||
        (wish->write_set != 0 && (wish->write_set & apertures) == 0)) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "SupportedReadSegmentSet and SupportedWriteSegmentSet: an "
                                  "aperture in each, of what the GPU finds by the CPU's page "
                                  "tables (D-268)",
                                  sets);
    }
    wish->read_set &= apertures;
    wish->write_set &= apertures;
    wish->flags |= VIDMM_WISH_SHARES_ADDRESS;
    return STATUS_SUCCESS;
}

/* Whether the driver may share its backing store, if it asks for that. */
VIDMM_SEES(D_068);
static NTSTATUS check_told(const struct vidmm_allocation *allocation,
                           const DXGK_ALLOCATIONINFO *info, const struct vidmm_wish *wish,
                           struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    const char *refused = NULL;

    if (adapter->level < VIDMM_LEVEL(3, 0) || !info->Flags2.ShareBackingStoreWithKmd)
        return STATUS_SUCCESS;
    if (!vidmm_ddi_shares_backing_stores(adapter))
        refused = "Flags2: ShareBackingStoreWithKmd (0x1) needs the feature enabled, from WDDM 3.1 "
                  "on, with DxgkDdiSetAllocationBackingStore (D-068)";
    else if (!allocation->resource || !allocation->resource->shared)
        refused = "Flags2: ShareBackingStoreWithKmd (0x1) is for what is shared (D-068)";
    else if (((wish->read_set | wish->write_set) & ~adapter->sets.apertures) != 0)
        refused = "Flags2: ShareBackingStoreWithKmd (0x1) is for apertures alone (D-068)";
    else if ((wish->flags & EXISTING) != 0)
        refused = "Flags2: ShareBackingStoreWithKmd (0x1) excludes existing memory (D-068)";
    return refused
               ? vidmm_report_value(report, STATUS_INVALID_PARAMETER, refused, info->Flags2.Value)
               : STATUS_SUCCESS;
}

NTSTATUS vidmm_allocation_accept(struct vidmm_allocation *allocation, DXGK_ALLOCATIONINFO *info,
                                 struct vidmm_wish *wish, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t size = info->Size; /* as the driver says; memory of 64 KiB pages may ask for more */
    NTSTATUS status = vidmm_ddi_take_wish(adapter, info, allocation->primary, wish, report);
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0), keeps_copy, cached;

    VIDMM_ASSERT(!allocation->original && !allocation->backing.mdl);
    if (allocation->over_heap) { /* obeys D-060: whatever the driver says */
        info->Flags.ExistingSysMem = 1;
        wish->flags |= info->Flags.Value & EXISTING;
        wish->size = (size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    }
    if (status == STATUS_SUCCESS)
        status = check_shared(allocation, wish, report);
    if (status == STATUS_SUCCESS)
        status = check_told(allocation, info, wish, report);
    if (status == STATUS_SUCCESS)
        status = keep_to_system_memory(allocation, wish, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (allocation->primary && wish->preferred == 0 && !newer)
        wish->read_set = wish->write_set; /* obeys D-064: from where it is written it is shown */
    allocation->flags = info->Flags.Value;
    if (newer)
        allocation->physical_adapter = (uint8_t)info->PhysicalAdapterIndex; /* obeys S1-018 */
    else
        allocation->renaming_limit = info->MaximumRenamingListLength;
    allocation->local = ((wish->read_set | wish->write_set) & ~adapter->sets.apertures) != 0;
    if ((wish->flags & PINNED) == 0 && !info->Flags.Swizzled) { /* as the CPU's lock wants it */
        allocation->aperture_read = (wish->read_set & adapter->sets.apertures) != 0;
        allocation->aperture_written = (wish->write_set & adapter->sets.apertures) != 0;
    }
    keeps_copy = (wish->flags & KEEPS_COPY) != 0;
    cached = info->Flags.Cached && (wish->flags & EXISTING) == 0;
    allocation->keeps_copy = keeps_copy;
    allocation->cached = cached;
    allocation->on_demand = info->Flags.CpuVisibleOnDemand;
    allocation->windowed = may_be_locked_local(adapter, wish);
    allocation->told = adapter->level >= VIDMM_LEVEL(3, 0) && info->Flags2.ShareBackingStoreWithKmd;
    allocation->untracked = newer;
    allocation->plain = newer && !keeps_copy && !cached;
    if (allocation->primary) {
        if (!newer)
            check_primary(adapter, wish);  /* from 2.0 on the CPU need not reach it */
        wish->flags |= VIDMM_WISH_PRIMARY; /* obeys D-022 */
    }
    return STATUS_SUCCESS;
}

/* Whether one of `count` pages is where the CPU sees this allocation by a lock, now or later. */
static bool shows(const struct vidmm_allocation *allocation, const uint8_t *address, uint64_t count)
{
    const struct vidmm_allocation_window *window = allocation->window;
    const uint8_t *const seen[] = {
        window && window->window ? window->address : NULL,
        allocation->backing.existing ? NULL : allocation->backing.address,
    };
    unsigned i;

    for (i = 0; i < 2; i++)
        if (seen[i] && address < seen[i] + allocation->backing.pages * VIDMM_PAGE_SIZE &&
            seen[i] < address + count * VIDMM_PAGE_SIZE)
            return true;
    return false;
}

/* obeys D-061: what was locked may have other pages behind it tomorrow */
static bool may_rotate(struct vidmm_adapter *adapter, const uint8_t *address, uint64_t count)
{
    const struct vidmm_device *device;
    const struct vidmm_allocation *allocation;
    bool found = false;

    vidmm_adapter_lock(adapter);
    for (device = adapter->devices; device && !found; device = device->next)
        for (allocation = device->allocations; allocation && !found; allocation = allocation->next)
            found = shows(allocation, address, count);
    vidmm_adapter_unlock(adapter);
    return found;
}

VIDMM_SEES(S0_031);
/* The caller's memory, as far as the miniport's description goes. */
static NTSTATUS check_existing(const struct vidmm_allocation *allocation, uint64_t size,
                               const struct vidmm_description *existing,
                               struct vidmm_report *report)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    bool wanted = flags.ExistingSysMem || flags.ExistingKernelSysMem;

    if (!existing->address && wanted) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "pSystemMem: no memory was given, and the driver asks for existing memory "
            "(S0-029, S0-036); flags",
            flags.Value);
    }
    if (existing->address && !wanted) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "pSystemMem: the driver does not ask for existing memory (S0-029); flags", flags.Value);
    }
    if ((uintptr_t)existing->address % VIDMM_PAGE_SIZE != 0) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "pSystemMem: page aligned (S0-031, S0-036)",
                                  (uintptr_t)existing->address);
    }
    if (existing->size % VIDMM_PAGE_SIZE != 0) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "size of the existing memory: whole pages (S0-031, S0-036)",
                                  existing->size);
    }
    if (existing->address && existing->size != 0 && existing->size < size) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "size of the existing memory: what the driver described, at least (S0-030)",
            existing->size);
    }
    if (flags.ExistingSysMem && allocation->adapter->level >= VIDMM_LEVEL(2, 0) &&
        may_rotate(allocation->adapter, existing->address,
                   (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE)) {
        return vidmm_report_value(
            report, STATUS_INVALID_PARAMETER,
            "pSystemMem: no address at which another allocation is locked (D-061)",
            (uintptr_t)existing->address);
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(S0_020);
VIDMM_SEES(S0_021);
VIDMM_SEES(S0_030);
VIDMM_SEES(S0_036);
VIDMM_SEES(S3_012);
static NTSTATUS adopt_pages(struct vidmm_allocation *allocation, uint64_t size,
                            const struct vidmm_description *existing, struct vidmm_report *report)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    bool newer = allocation->adapter->level >= VIDMM_LEVEL(2, 0);
    NTSTATUS status = vidmm_backing_adopt(&allocation->backing, allocation->adapter,
                                          existing->address, size, flags.ExistingKernelSysMem);

    if (status == STATUS_INVALID_PARAMETER) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "pSystemMem: memory of the calling process, or for "
                                  "ExistingKernelSysMem of the kernel, all of it there and "
                                  "writable, below HighestAcceptableAddress (S0-030, S0-036)",
                                  (uintptr_t)existing->address);
    }
    if (allocation->over_heap) /* the driver has not been told whose memory it is */
        return status;
    if (status == STATUS_SUCCESS && !flags.Cached && allocation->adapter->host->flush_pages &&
        allocation->backing.caching == VIDMM_CACHED)
        vidmm_seen(allocation->adapter, newer ? VIDMM_RULE_S3_012 : VIDMM_RULE_S0_021, "Flags",
                   flags.Value);
    if (status == STATUS_SUCCESS && flags.Cached && allocation->backing.caching != VIDMM_CACHED) {
        enum vidmm_rule_id rule = newer ? VIDMM_RULE_S3_012 : VIDMM_RULE_S0_020;

        if (vidmm_breach_is_refused(allocation->adapter, rule, false, "Flags", flags.Value, report))
            return STATUS_INVALID_PARAMETER;
        vidmm_seen(allocation->adapter, rule, "Flags", flags.Value);
    }
    return status;
}

/* obeys S0-053: a backing store for each further physical adapter of a link */
static NTSTATUS back_instances(struct vidmm_allocation *allocation, uint64_t size)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t engine;

    VIDMM_ASSERT(allocation->backing.mdl && vidmm_adapter_is_linked(adapter));
    allocation->instances = vidmm_instances_new(adapter);
    if (!allocation->instances)
        return STATUS_NO_MEMORY;
    for (engine = 1; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        status = vidmm_backing_init(&allocation->instances[engine - 1], adapter, size, false,
                                    allocation->backing.caching);
    }
    return status;
}

/* The driver learns where the backing store is, which the kernel sees from here on. */
static NTSTATUS tell_driver(struct vidmm_allocation *allocation, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_NO_MEMORY;

    VIDMM_ASSERT(allocation->told);
    if (!vidmm_backing_map(&allocation->backing, allocation->adapter->host))
        return status;
    status = vidmm_ddi_set_backing_store(allocation); /* obeys D-068 */
    if (status == STATUS_SUCCESS)
        return status;
    vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                       "status of DxgkDdiSetAllocationBackingStore: the driver refused the "
                       "backing store",
                       (uint32_t)status);
    return vidmm_report_reason(allocation->adapter, report, STATUS_INVALID_PARAMETER);
}

/* Whether each physical adapter has an instance of its own. */
static bool is_instanced(const struct vidmm_allocation *allocation)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};

    return flags.LinkInstanced && vidmm_adapter_is_linked(allocation->adapter);
}

static enum vidmm_caching caching_of(const struct vidmm_adapter *adapter,
                                     DXGK_ALLOCATIONINFOFLAGS flags)
{
    bool combined = (atomic_load(&adapter->faults) & VIDMM_TEST_NO_WRITE_COMBINED) == 0;

    if (flags.Cached)
        return VIDMM_CACHED;
    return combined ? VIDMM_WRITE_COMBINED : VIDMM_NON_CACHED;
}

/* The units in which the GPU could map it where an aperture shows it. */
static struct vidmm_units units_for(const struct vidmm_adapter *adapter,
                                    const struct vidmm_wish *wish)
{
    if ((wish->write_set & adapter->sets.apertures) == 0)
        return (struct vidmm_units){0, 0};
    return vidmm_ddi_system_units(adapter);
}

/* By which pages the GPU maps the backing store, as it lies: existing memory may lie well. */
static uint32_t flags_of_store(const struct vidmm_backing *backing, struct vidmm_units units)
{
    return (vidmm_backing_lies_in_units(backing, units.large) ? VIDMM_WISH_STORE_LARGE : 0u) |
           (vidmm_backing_lies_in_units(backing, units.wide) ? VIDMM_WISH_STORE_64K : 0u);
}

NTSTATUS vidmm_allocation_back(struct vidmm_allocation *allocation, struct vidmm_wish *wish,
                               const struct vidmm_description *description,
                               struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    NTSTATUS status = check_existing(allocation, wish->size, description, report);
    struct vidmm_units units = units_for(adapter, wish);

    VIDMM_ASSERT(wish->size > 0 && !allocation->backing.mdl);
    VIDMM_ASSERT(!allocation->instances);
    if (status != STATUS_SUCCESS)
        return status;
    if (is_instanced(allocation) && description->address) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "Flags: LinkInstanced over existing memory, which is one "
                                  "backing store (S0-053)",
                                  flags.Value);
    }
    if (description->address && (atomic_load(&adapter->faults) & VIDMM_TEST_PROBE_AND_LOCK) != 0) {
        return vidmm_report_value(report, STATUS_NO_MEMORY,
                                  "pSystemMem: none, as a test has set ProbeAndLock",
                                  (uintptr_t)description->address);
    }
    if (description->address) {
        status = adopt_pages(allocation, wish->size, description, report);
    } else { /* obeys S0-018, and S0-060: its pages need not lie side by side */
        status = vidmm_backing_init_in_units(&allocation->backing, adapter, wish->size, units,
                                             caching_of(adapter, flags));
    }
    wish->flags &= ~(VIDMM_WISH_STORE_64K | VIDMM_WISH_STORE_LARGE);
    if (status == STATUS_SUCCESS)
        wish->flags |= flags_of_store(&allocation->backing, units);
    if (status == STATUS_SUCCESS && is_instanced(allocation))
        status = back_instances(allocation, wish->size);
    if (status == STATUS_SUCCESS && (wish->flags & VIDMM_WISH_APERTURE_ADDRESS) != 0 &&
        !vidmm_aperture_address_init(allocation))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS && allocation->shares &&
        (!vidmm_shared_address_init(allocation) ||
         !vidmm_shared_address_reserve(allocation, allocation->device->owner)))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS && allocation->told)
        status = tell_driver(allocation, report);
    allocation->bridged = ((wish->read_set | wish->write_set) & adapter->sets.bridged) != 0;
    allocation->incoherent = vidmm_cache_is_incoherent(adapter, wish, &allocation->backing);
    if (allocation->incoherent && allocation->backing.existing) /* C1: by who had it before */
        atomic_fetch_or(&allocation->word, WORD_CPU_WROTE);
    if (status == STATUS_NO_MEMORY) {
        return vidmm_report_refusal(report, status, "Size", wish->size,
                                    "there is no system memory for so many bytes");
    }
    return status;
}
