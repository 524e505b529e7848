/* mdl.c: memory descriptor lists.
 *
 * IoAllocateMdl gives each list pages of its own, and IoFreeMdl takes all access away: a driver
 * that touches a freed list faults, and the fault is a finding. A list in the driver's own memory,
 * or the manager's, works as well; the kit then knows only what its flags say.
 *
 * I1  A record is live, or freed and its pages inaccessible; the last FREED_KEPT freed ones stay.
 * I2  Frames of a list made by MmAllocatePagesForMdl belong to it until MmFreePagesFromMdl.
 */
#include "kit/state.h"

#include <sys/mman.h>

enum { FREED_KEPT = 1024 };

struct record {
    struct record *next;
    MDL *mdl;
    size_t room;
    bool freed, owns_pages, of_start;
    const void *caller;
};

struct mapping {
    struct mapping *next;
    void *address;
    uint64_t count;
    uint64_t *frames;
    const MDL *mdl; /* NULL: of device memory */
    SIZE_T size;    /* of device memory, or 0 */
    bool window;    /* of registers: nothing to undo */
    const void *caller;
};

static struct record *records; /* newest first */
static unsigned freed_count;
static struct mapping *mappings;

static void lock(void)
{
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
}

static void unlock(void)
{
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
}

/* ---- the lists ---- */

static struct record *find(const MDL *mdl)
{
    struct record *record = records;

    while (record && record->mdl != mdl)
        record = record->next;
    return record;
}

/* Whether the list can be looked at. */
bool vidmm_kit_is_mdl_usable(const void *caller, const MDL *mdl, const char *routine)
{
    lock();
    struct record *record = find(mdl);
    bool freed = record && record->freed;
    unlock();
    if (mdl && !freed)
        return true;
    vidmm_kit_find(caller, mdl ? VIDMM_KIT_FREED_MDL : VIDMM_KIT_BAD_ARGUMENT, "%s: MDL %p",
                   routine, (const void *)mdl);
    return false;
}

bool vidmm_kit_mdl_fault(const void *address)
{
    /* In a signal handler: the list may be changing, so it is only walked, and only reads. */
    for (const struct record *record = records; record; record = record->next)
        if (record->freed && (uintptr_t)address - (uintptr_t)record->mdl < record->room)
            return true;
    return false;
}

static void forget_oldest_freed(void)
{
    struct record **at = &records, **oldest = NULL;

    for (; *at; at = &(*at)->next)
        if ((*at)->freed)
            oldest = at;
    if (oldest) {
        struct record *record = *oldest;
        *oldest = record->next;
        munmap(record->mdl, record->room);
        free(record);
        freed_count--;
    }
}

static MDL *create(const void *caller, void *address, uint64_t length, bool owns_pages)
{
    uint64_t pages = (BYTE_OFFSET(address) + length + PAGE_SIZE - 1) >> PAGE_SHIFT;
    size_t size = sizeof(MDL) + pages * sizeof(PFN_NUMBER);
    struct record *record = calloc(1, sizeof(*record));

    if (!record || length > UINT32_MAX) {
        free(record);
        return NULL;
    }
    record->room = ROUND_TO_PAGES(size);
    record->mdl =
        mmap(NULL, record->room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (record->mdl == MAP_FAILED) {
        free(record);
        return NULL;
    }
    record->owns_pages = owns_pages;
    record->caller = caller;
    record->of_start = vidmm_kit_in_start;
    record->mdl->Size = (SHORT)(size <= 0x7FF8 ? size : 0x7FF8); /* as far as a SHORT says */
    record->mdl->StartVa = PAGE_ALIGN(address);
    record->mdl->ByteOffset = BYTE_OFFSET(address);
    record->mdl->ByteCount = (ULONG)length;
    lock();
    record->next = records;
    records = record;
    unlock();
    return record->mdl;
}

static void destroy(const void *caller, MDL *mdl, const char *routine)
{
    lock();
    struct record *record = find(mdl);
    bool live = record && !record->freed, freed = record && record->freed;
    if (live) {
        record->freed = true;
        mprotect(record->mdl, record->room, PROT_NONE);
        if (++freed_count > FREED_KEPT)
            forget_oldest_freed();
    }
    unlock();
    if (!live)
        vidmm_kit_find(caller, freed ? VIDMM_KIT_FREED_MDL : VIDMM_KIT_FREE_OF_NOTHING,
                       "%s: MDL %p", routine, (void *)mdl);
}

static uint64_t pages_of(const MDL *mdl)
{
    return (mdl->ByteOffset + (uint64_t)mdl->ByteCount + PAGE_SIZE - 1) >> PAGE_SHIFT;
}

SIZE_T MmSizeOfMdl(PVOID base, SIZE_T length)
{
    return sizeof(MDL) + ADDRESS_AND_SIZE_TO_SPAN_PAGES(base, length) * sizeof(PFN_NUMBER);
}

VOID vidmm_kit_reuse_mdl(PMDL mdl)
{
    if (mdl->MdlFlags & MDL_PARTIAL_HAS_BEEN_MAPPED)
        MmUnmapLockedPages(mdl->MappedSystemVa, mdl);
}

PMDL IoAllocateMdl(PVOID address, ULONG length, BOOLEAN secondary, BOOLEAN quota, PIRP irp)
{
    (void)secondary, (void)quota;
    IRQL_MAX(DISPATCH_LEVEL);
    if (vidmm_kit_should_fail(&vidmm_kit_fail_pages_in))
        return NULL;
    MDL *mdl = create(CALLER, address, length, false);
    if (mdl && irp)
        irp->MdlAddress = mdl;
    return mdl;
}

VOID IoFreeMdl(PMDL mdl)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "IoFreeMdl"))
        return;
    vidmm_kit_iommu_let_go(CALLER, mdl, "IoFreeMdl");
    if (mdl->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_PARTIAL_HAS_BEEN_MAPPED)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_MDL_IN_USE, "IoFreeMdl: MDL %p is mapped at %p",
                       (void *)mdl, mdl->MappedSystemVa);
        MmUnmapLockedPages(mdl->MappedSystemVa, mdl);
    } else if ((mdl->MdlFlags & MDL_PAGES_LOCKED) && !(mdl->MdlFlags & MDL_PARTIAL)) {
        lock();
        struct record *record = find(mdl);
        bool own = record && record->owns_pages;
        unlock();
        if (!own)
            vidmm_kit_find(CALLER, VIDMM_KIT_MDL_IN_USE, "IoFreeMdl: MDL %p has locked pages",
                           (void *)mdl);
    }
    destroy(CALLER, mdl, "IoFreeMdl");
}

bool vidmm_kit_mdl_free(const void *caller, void *block)
{
    lock();
    struct record *record = find(block);
    bool own = record && record->owns_pages,
         locked = own && !record->freed && (record->mdl->MdlFlags & MDL_PAGES_LOCKED);
    unlock();
    if (!own)
        return false;
    vidmm_kit_iommu_let_go(caller, block, "ExFreePool");
    if (locked) {
        vidmm_kit_find(caller, VIDMM_KIT_MDL_IN_USE, "ExFreePool: MDL %p still has its pages",
                       block);
        MmFreePagesFromMdl(block);
    }
    destroy(caller, block, "ExFreePool");
    return true;
}

VOID IoBuildPartialMdl(PMDL source, PMDL target, PVOID address, ULONG length)
{
    uint64_t from = (uintptr_t)address - (uintptr_t)source->StartVa;
    uint64_t end = (uint64_t)source->ByteOffset + source->ByteCount;

    IRQL_MAX(DISPATCH_LEVEL);
    if (length == 0 && from <= end)
        length = (ULONG)(end - from);
    if (from < source->ByteOffset || from + length > end) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "IoBuildPartialMdl: %u bytes at %p are not within the source's %u at %p",
                       length, address, source->ByteCount, MmGetMdlVirtualAddress(source));
        return;
    }
    target->StartVa = PAGE_ALIGN(address);
    target->ByteOffset = BYTE_OFFSET(address);
    target->ByteCount = length;
    target->MdlFlags =
        (SHORT)(MDL_PARTIAL | (source->MdlFlags &
                               (MDL_SOURCE_IS_NONPAGED_POOL | MDL_PAGES_LOCKED | MDL_IO_SPACE)));
    if (source->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL))
        target->MappedSystemVa = (char *)source->MappedSystemVa + (from - source->ByteOffset);
    memcpy(MmGetMdlPfnArray(target), MmGetMdlPfnArray(source) + (from >> PAGE_SHIFT),
           pages_of(target) * sizeof(PFN_NUMBER));
}

/* ---- their frames ---- */

static bool fill(MDL *mdl)
{
    PFN_NUMBER *frames = MmGetMdlPfnArray(mdl);
    uint64_t count = pages_of(mdl), frame;

    for (uint64_t i = 0; i < count; i++) {
        if (!vidmm_kit_frame_of((void *)((uintptr_t)mdl->StartVa + i * PAGE_SIZE), &frame))
            return false;
        frames[i] = frame;
    }
    return true;
}

VOID MmBuildMdlForNonPagedPool(PMDL mdl)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "MmBuildMdlForNonPagedPool"))
        return;
    if (!fill(mdl)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "MmBuildMdlForNonPagedPool: %u bytes at %p are no pool", mdl->ByteCount,
                       MmGetMdlVirtualAddress(mdl));
        return;
    }
    mdl->MdlFlags |= MDL_SOURCE_IS_NONPAGED_POOL;
    mdl->MappedSystemVa = MmGetMdlVirtualAddress(mdl);
}

VOID MmProbeAndLockPages(PMDL mdl, KPROCESSOR_MODE mode, LOCK_OPERATION operation)
{
    (void)mode;
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_note_direct(CALLER, "MmProbeAndLockPages");
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "MmProbeAndLockPages"))
        return;
    if (mdl->MdlFlags & (MDL_PAGES_LOCKED | MDL_SOURCE_IS_NONPAGED_POOL | MDL_PARTIAL)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "MmProbeAndLockPages: MDL %p has its frames already, MdlFlags 0x%x",
                       (void *)mdl, (unsigned)mdl->MdlFlags);
        return;
    }
    if (!fill(mdl))
        vidmm_kit_raise(STATUS_ACCESS_VIOLATION, CALLER);
    mdl->MdlFlags |= MDL_PAGES_LOCKED;
    vidmm_kit_page_lock(mdl->StartVa, pages_of(mdl), true);
    if (operation != IoReadAccess)
        mdl->MdlFlags |= MDL_WRITE_OPERATION;
}

VOID MmUnlockPages(PMDL mdl)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "MmUnlockPages"))
        return;
    if (!(mdl->MdlFlags & MDL_PAGES_LOCKED)) {
        vidmm_kit_find(CALLER, VIDMM_KIT_MDL_NOT_MAPPED, "MmUnlockPages: MDL %p is not locked",
                       (void *)mdl);
        return;
    }
    vidmm_kit_iommu_let_go(CALLER, mdl, "MmUnlockPages");
    if (mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA)
        MmUnmapLockedPages(mdl->MappedSystemVa, mdl);
    if (!(mdl->MdlFlags & MDL_PARTIAL))
        vidmm_kit_page_lock(mdl->StartVa, pages_of(mdl), false);
    mdl->MdlFlags = (SHORT)(mdl->MdlFlags & ~(MDL_PAGES_LOCKED | MDL_WRITE_OPERATION));
}

/* The frames that pages may come from: a range, and if `skip` is not 0 as many more as there are,
 * each so many frames further on. */
struct page_ranges {
    uint64_t lowest, highest, skip;
};

static bool is_in(const struct page_ranges *ranges, uint64_t frame)
{
    uint64_t from = frame - ranges->lowest;

    return frame >= ranges->lowest &&
           (ranges->skip ? from % ranges->skip : from) <= ranges->highest - ranges->lowest;
}

static bool all_in(const MDL *mdl, const struct page_ranges *ranges)
{
    for (uint64_t i = 0; i < pages_of(mdl); i++)
        if (!is_in(ranges, MmGetMdlPfnArray(mdl)[i]))
            return false;
    return true;
}

/* Pages of the first range, all that are wanted. */
static bool take_at_once(MDL *mdl, const struct page_ranges *ranges, bool contiguous)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    const struct page_ranges first = {ranges->lowest, ranges->highest, 0};
    uint64_t *frames = (uint64_t *)MmGetMdlPfnArray(mdl), count = pages_of(mdl);

    if (!host->take_pages(host->context, count, ranges->highest, contiguous, VIDMM_CACHED, frames))
        return false;
    if (all_in(mdl, &first))
        return true;
    host->release_pages(host->context, count, frames);
    return false;
}

/* Pages one by one, of one range after the other; answers how many there are. The host knows an
 * upper limit and no lower one, so what it gives from outside of the ranges is kept until the
 * end. */
static uint64_t gather(uint64_t *frames, uint64_t count, const struct page_ranges *ranges)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    uint64_t most = vidmm_kit_kernel.system_memory >> PAGE_SHIFT;
    uint64_t last = (vidmm_kit_kernel.system_base >> PAGE_SHIFT) + most - 1;
    uint64_t *outside = malloc(most * sizeof(*outside)), outside_count = 0, taken = 0;
    struct page_ranges range = {ranges->lowest, ranges->highest, 0};

    while (outside && taken < count && range.lowest <= last) {
        uint64_t frame;

        if (!host->take_pages(host->context, 1, range.highest, false, VIDMM_CACHED, &frame)) {
            if (ranges->skip == 0)
                break;
            range.lowest += ranges->skip;
            range.highest += ranges->skip;
        } else if (is_in(ranges, frame)) {
            frames[taken++] = frame;
        } else {
            outside[outside_count++] = frame;
        }
    }
    if (outside_count > 0)
        host->release_pages(host->context, outside_count, outside);
    free(outside);
    return taken;
}

/* As many pages as there are, of those wanted; false: none, or not all that must be. */
static bool take_frames(MDL *mdl, const struct page_ranges *ranges, ULONG flags)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    bool contiguous = (flags & MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS) != 0;
    uint64_t *frames = (uint64_t *)MmGetMdlPfnArray(mdl), count = pages_of(mdl), taken = count;

    if (ranges->highest < ranges->lowest)
        return false;
    if (!take_at_once(mdl, ranges, contiguous)) {
        taken = contiguous ? 0 : gather(frames, count, ranges);
        if (taken > 0 && taken < count && flags & MM_ALLOCATE_FULLY_REQUIRED) {
            host->release_pages(host->context, taken, frames);
            taken = 0;
        }
        if (taken == 0)
            return false;
        mdl->ByteCount = (ULONG)(taken * PAGE_SIZE);
    }
    if (!(flags & MM_DONT_ZERO_ALLOCATION))
        host->clear_pages(host->context, taken, frames);
    return true;
}

PMDL vidmm_kit_allocate_pages(const void *caller, const PHYSICAL_ADDRESS at[3], SIZE_T bytes,
                              ULONG flags, const char *routine)
{
    uint64_t count = bytes / PAGE_SIZE + (bytes % PAGE_SIZE != 0);
    const struct page_ranges ranges = {((uint64_t)at[0].QuadPart + PAGE_SIZE - 1) >> PAGE_SHIFT,
                                       (uint64_t)at[1].QuadPart >> PAGE_SHIFT,
                                       (uint64_t)at[2].QuadPart >> PAGE_SHIFT};
    MDL *mdl;

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (at[2].QuadPart % PAGE_SIZE != 0)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT,
                       "%s: SkipBytes 0x%llx is no multiple of a page", routine,
                       (unsigned long long)at[2].QuadPart);
    if (count == 0 || count > UINT32_MAX / PAGE_SIZE ||
        vidmm_kit_should_fail(&vidmm_kit_fail_pages_in))
        return NULL;
    mdl = create(caller, NULL, count * PAGE_SIZE, true);
    if (!mdl)
        return NULL;
    KIRQL irql = vidmm_kit_begin_pages();
    bool taken = take_frames(mdl, &ranges, flags);
    vidmm_kit_end_pages(irql);
    if (!taken) {
        destroy(caller, mdl, routine);
        return NULL;
    }
    mdl->MdlFlags = MDL_PAGES_LOCKED;
    return mdl;
}

/* By a routine of the kernel's own, of which the graphics kernel knows nothing. */
static PMDL direct_pages(const void *caller, const PHYSICAL_ADDRESS at[3], SIZE_T bytes,
                         ULONG flags, const char *routine)
{
    vidmm_kit_note_direct(caller, routine);
    return vidmm_kit_allocate_pages(caller, at, bytes, flags, routine);
}

PMDL MmAllocatePagesForMdl(PHYSICAL_ADDRESS low, PHYSICAL_ADDRESS high, PHYSICAL_ADDRESS skip,
                           SIZE_T bytes)
{
    return direct_pages(CALLER, (PHYSICAL_ADDRESS[]){low, high, skip}, bytes, 0,
                        "MmAllocatePagesForMdl");
}

PMDL MmAllocatePagesForMdlEx(PHYSICAL_ADDRESS low, PHYSICAL_ADDRESS high, PHYSICAL_ADDRESS skip,
                             SIZE_T bytes, MEMORY_CACHING_TYPE cache, ULONG flags)
{
    (void)cache;
    return direct_pages(CALLER, (PHYSICAL_ADDRESS[]){low, high, skip}, bytes, flags,
                        "MmAllocatePagesForMdlEx");
}

PMDL MmAllocateNodePagesForMdlEx(PHYSICAL_ADDRESS low, PHYSICAL_ADDRESS high, PHYSICAL_ADDRESS skip,
                                 SIZE_T bytes, MEMORY_CACHING_TYPE cache, ULONG node, ULONG flags)
{
    (void)cache, (void)node;
    return direct_pages(CALLER, (PHYSICAL_ADDRESS[]){low, high, skip}, bytes, flags,
                        "MmAllocateNodePagesForMdlEx");
}

void vidmm_kit_free_pages(const void *caller, PMDL mdl, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;

    if (!vidmm_kit_is_mdl_usable(caller, mdl, routine))
        return;
    lock();
    struct record *record = find(mdl);
    bool own = record && record->owns_pages && (mdl->MdlFlags & MDL_PAGES_LOCKED);
    unlock();
    if (!own) {
        vidmm_kit_find(caller, VIDMM_KIT_FREE_OF_NOTHING, "%s: MDL %p has no pages of its own",
                       routine, (void *)mdl);
        return;
    }
    if (mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA) {
        vidmm_kit_find(caller, VIDMM_KIT_MDL_IN_USE, "%s: MDL %p is mapped", routine, (void *)mdl);
        MmUnmapLockedPages(mdl->MappedSystemVa, mdl);
    }
    KIRQL irql = vidmm_kit_begin_pages();
    host->release_pages(host->context, pages_of(mdl), (const uint64_t *)MmGetMdlPfnArray(mdl));
    vidmm_kit_end_pages(irql);
    mdl->MdlFlags = (SHORT)(mdl->MdlFlags & ~MDL_PAGES_LOCKED);
}

/* The list itself stays: the driver frees it, by ExFreePool as documented, or by IoFreeMdl. */
VOID MmFreePagesFromMdl(PMDL mdl)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_iommu_let_go(CALLER, mdl, "MmFreePagesFromMdl");
    vidmm_kit_free_pages(CALLER, mdl, "MmFreePagesFromMdl");
}

/* ---- mappings ---- */

static void note_mapping(struct mapping *mapping)
{
    lock();
    mapping->next = mappings;
    mappings = mapping;
    unlock();
}

static struct mapping *take_mapping(const void *address, bool device)
{
    struct mapping **at, *mapping;

    lock();
    for (at = &mappings; (mapping = *at) != NULL; at = &mapping->next)
        if (mapping->address == PAGE_ALIGN(address) && (mapping->mdl == NULL) == device)
            break;
    if (mapping)
        *at = mapping->next;
    unlock();
    return mapping;
}

static PVOID map(const void *caller, PMDL mdl)
{
    struct mapping *mapping = calloc(1, sizeof(*mapping));

    if (!mapping)
        return NULL;
    mapping->count = pages_of(mdl);
    mapping->mdl = mdl;
    mapping->caller = caller;
    mapping->address =
        vidmm_kit_map_frames(mapping->count, (const uint64_t *)MmGetMdlPfnArray(mdl));
    if (!mapping->address) {
        free(mapping);
        return NULL;
    }
    note_mapping(mapping);
    mdl->MappedSystemVa = (char *)mapping->address + mdl->ByteOffset;
    mdl->MdlFlags |= (SHORT)(MDL_MAPPED_TO_SYSTEM_VA |
                             (mdl->MdlFlags & MDL_PARTIAL ? MDL_PARTIAL_HAS_BEEN_MAPPED : 0));
    return mdl->MappedSystemVa;
}

static PVOID map_checked(const void *caller, PMDL mdl, bool may_fail, const char *routine)
{
    PVOID address;

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (!vidmm_kit_is_mdl_usable(caller, mdl, routine))
        return NULL;
    if (!(mdl->MdlFlags & (MDL_PAGES_LOCKED | MDL_PARTIAL)) ||
        (mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA)) {
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT,
                       "%s: MDL %p with MdlFlags 0x%x has no locked pages, or is mapped", routine,
                       (void *)mdl, (unsigned)mdl->MdlFlags);
        return NULL;
    }
    for (uint64_t i = 0; i < pages_of(mdl); i++)
        if (vidmm_kit_is_logical(caller, MmGetMdlPfnArray(mdl)[i], 1, routine))
            return NULL;
    address = map(caller, mdl);
    if (!address && !may_fail)
        vidmm_kit_bug_check(NO_MORE_SYSTEM_PTES, 0, pages_of(mdl), 0, 0);
    return address;
}

PVOID MmMapLockedPagesSpecifyCache(PMDL mdl, KPROCESSOR_MODE mode, MEMORY_CACHING_TYPE cache,
                                   PVOID requested, ULONG bug_check, ULONG priority)
{
    PVOID address;

    (void)cache, (void)requested, (void)priority;
    address =
        map_checked(CALLER, mdl, mode == UserMode || !bug_check, "MmMapLockedPagesSpecifyCache");
    if (!address && mode == UserMode)
        vidmm_kit_raise(STATUS_INSUFFICIENT_RESOURCES, CALLER);
    return address;
}

PVOID MmMapLockedPages(PMDL mdl, KPROCESSOR_MODE mode)
{
    PVOID address;

    if (mode == UserMode)
        vidmm_kit_irql_max(CALLER, APC_LEVEL, __func__);
    address = map_checked(CALLER, mdl, mode == UserMode, "MmMapLockedPages");
    if (!address && mode == UserMode)
        vidmm_kit_raise(STATUS_INSUFFICIENT_RESOURCES, CALLER);
    return address;
}

PVOID vidmm_kit_mdl_system_address(PMDL mdl, ULONG priority)
{
    (void)priority;
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "MmGetSystemAddressForMdlSafe"))
        return NULL;
    if (mdl->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL))
        return mdl->MappedSystemVa;
    return map_checked(CALLER, mdl, true, "MmGetSystemAddressForMdlSafe");
}

VOID MmUnmapLockedPages(PVOID address, PMDL mdl)
{
    struct mapping *mapping = NULL;

    IRQL_MAX(DISPATCH_LEVEL);
    if (!vidmm_kit_is_mdl_usable(CALLER, mdl, "MmUnmapLockedPages"))
        return;
    if ((mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA) && address == mdl->MappedSystemVa)
        mapping = take_mapping(address, false);
    if (!mapping) {
        vidmm_kit_find(CALLER, VIDMM_KIT_MDL_NOT_MAPPED,
                       "MmUnmapLockedPages: MDL %p is not mapped at %p", (void *)mdl, address);
        return;
    }
    vidmm_kit_unmap_frames(mapping->address, mapping->count);
    free(mapping);
    mdl->MdlFlags =
        (SHORT)(mdl->MdlFlags & ~(MDL_MAPPED_TO_SYSTEM_VA | MDL_PARTIAL_HAS_BEEN_MAPPED));
}

/* ---- device memory ---- */

static PVOID map_device(const void *caller, PHYSICAL_ADDRESS address, SIZE_T size,
                        const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    uint64_t start = (uint64_t)address.QuadPart;
    struct mapping *mapping = calloc(1, sizeof(*mapping));
    char *at;

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (!mapping || size == 0 || vidmm_kit_should_fail(&vidmm_kit_fail_mapping_in) ||
        vidmm_kit_is_logical(caller, start >> PAGE_SHIFT,
                             ADDRESS_AND_SIZE_TO_SPAN_PAGES(start, size), routine)) {
        free(mapping);
        return NULL;
    }
    at = vidmm_kit_register_window(start, size);
    mapping->window = at != NULL;
    KIRQL irql = vidmm_kit_begin_pages();
    if (!at)
        at = host->map_physical(host->context, start, size);
    vidmm_kit_end_pages(irql);
    if (!at) {
        vidmm_kit_find(caller, VIDMM_KIT_NO_REGISTER,
                       "%s: no device memory of %llu bytes at 0x%llx", routine, size,
                       (unsigned long long)start);
        free(mapping);
        return NULL;
    }
    mapping->address = PAGE_ALIGN(at);
    mapping->size = size;
    mapping->caller = caller;
    mapping->count = ADDRESS_AND_SIZE_TO_SPAN_PAGES(at, size);
    for (uint64_t i = 0; i < mapping->count; i++)
        vidmm_kit_note_page((char *)mapping->address + i * PAGE_SIZE, (start >> PAGE_SHIFT) + i);
    note_mapping(mapping);
    if (mapping->window || vidmm_kit_is_of_device(start, size))
        vidmm_kit_device_mapped(caller, mapping->address, false);
    return at;
}

static void unmap_device(const void *caller, void *address, SIZE_T size, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    struct mapping *mapping = take_mapping(address, true);

    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    if (!mapping) {
        vidmm_kit_find(caller, VIDMM_KIT_FREE_OF_NOTHING, "%s: nothing is mapped at %p", routine,
                       address);
        return;
    }
    if (size && size != mapping->size)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: %llu bytes of %llu", routine, size,
                       mapping->size);
    vidmm_kit_device_unmapped(mapping->address, false);
    KIRQL irql = vidmm_kit_begin_pages();
    if (!mapping->window)
        host->unmap_physical(host->context, address, mapping->size);
    vidmm_kit_end_pages(irql);
    free(mapping);
}

PVOID MmMapIoSpace(PHYSICAL_ADDRESS address, SIZE_T size, MEMORY_CACHING_TYPE cache)
{
    (void)cache;
    return map_device(CALLER, address, size, "MmMapIoSpace");
}

PVOID MmMapIoSpaceEx(PHYSICAL_ADDRESS address, SIZE_T size, ULONG protect)
{
    (void)protect;
    return map_device(CALLER, address, size, "MmMapIoSpaceEx");
}

VOID MmUnmapIoSpace(PVOID address, SIZE_T size)
{
    unmap_device(CALLER, address, size, "MmUnmapIoSpace");
}

NTSTATUS MmGetCacheAttribute(PHYSICAL_ADDRESS address, MEMORY_CACHING_TYPE *type)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    uint64_t start = (uint64_t)address.QuadPart & ~(uint64_t)(PAGE_SIZE - 1);
    uint64_t base = vidmm_kit_kernel.system_base;
    void *device;

    IRQL_MAX(DISPATCH_LEVEL);
    if (start >= base && start - base < vidmm_kit_kernel.system_memory) {
        *type = MmCached;
        return STATUS_SUCCESS;
    }
    if (vidmm_kit_register_window(start, PAGE_SIZE)) {
        *type = MmNonCached;
        return STATUS_SUCCESS;
    }
    KIRQL irql = vidmm_kit_begin_pages();
    device = host->map_physical(host->context, start, PAGE_SIZE);
    if (device)
        host->unmap_physical(host->context, device, PAGE_SIZE);
    vidmm_kit_end_pages(irql);
    if (!device)
        return STATUS_INVALID_PARAMETER_1;
    *type = MmNonCached;
    return STATUS_SUCCESS;
}

uint64_t vidmm_kit_list_bytes(void)
{
    uint64_t pages = 0;

    lock();
    for (const struct record *record = records; record; record = record->next)
        if (!record->freed && record->owns_pages && (record->mdl->MdlFlags & MDL_PAGES_LOCKED))
            pages += pages_of(record->mdl);
    unlock();
    return pages * PAGE_SIZE;
}

unsigned vidmm_kit_start_lists(const void **caller)
{
    unsigned count = 0;

    lock();
    for (const struct record *record = records; record; record = record->next)
        if (!record->freed && record->of_start)
            *caller = count++ == 0 ? record->caller : *caller;
    unlock();
    return count;
}

/* ---- the end ---- */

static void report_mdl(struct record *record)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    MDL *mdl = record->mdl;

    vidmm_kit_find(
        record->caller, VIDMM_KIT_MDL_LEAK, "MDL %p of %u bytes%s", (void *)mdl, mdl->ByteCount,
        record->owns_pages && (mdl->MdlFlags & MDL_PAGES_LOCKED) ? ", with its pages" : "");
    if (record->owns_pages && (mdl->MdlFlags & MDL_PAGES_LOCKED))
        host->release_pages(host->context, pages_of(mdl), (const uint64_t *)MmGetMdlPfnArray(mdl));
}

void vidmm_kit_mdl_stop(void)
{
    while (mappings) {
        struct mapping *mapping = mappings;
        mappings = mapping->next;
        vidmm_kit_find(mapping->caller, VIDMM_KIT_MAPPING_LEAK, "%s, %llu pages at %p",
                       mapping->mdl ? "an MDL" : "device memory",
                       (unsigned long long)mapping->count, mapping->address);
        if (mapping->mdl)
            vidmm_kit_unmap_frames(mapping->address, mapping->count);
        free(mapping);
    }
    while (records) {
        struct record *record = records;
        records = record->next;
        if (!record->freed)
            report_mdl(record);
        munmap(record->mdl, record->room);
        free(record);
    }
    freed_count = 0;
}
