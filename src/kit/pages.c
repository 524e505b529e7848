/* pages.c: runs of page frames, where they are mapped, and contiguous memory.
 *
 * Every page that the kit maps for a driver is noted in a table, address to frame, so that
 * MmGetPhysicalAddress and MDLs are true. A frame may be mapped at several addresses.
 *
 *     address >> 12  --hash-->  slot {address, frame}     open addressing; empty: 0, gone: 1
 */
#include "kit/state.h"

#define MOST_FRAMES (UINT64_C(1) << 28)

struct slot {
    uintptr_t page; /* its address; 0 empty, 1 gone */
    uint64_t frame;
};

struct contiguous {
    struct contiguous *next;
    void *address;
    uint64_t count;
    uint64_t *frames;
    SIZE_T size;
    bool in_a_row; /* false: non-cached memory */
    bool of_start;
    const void *caller;
};

static struct slot *slots;
static size_t slot_count, slots_used; /* used: not empty */
static struct contiguous *contiguous;
static _Atomic uint64_t logical_first, logical_count;
_Atomic uint64_t vidmm_kit_fail_pages_in, vidmm_kit_fail_mapping_in;

bool vidmm_kit_should_fail(_Atomic uint64_t *countdown)
{
    uint64_t n = atomic_load(countdown);

    while (n > 0)
        if (atomic_compare_exchange_weak(countdown, &n, n - 1))
            return n == 1;
    return false;
}

void vidmm_kit_logical_pages(uint64_t first, uint64_t count)
{
    atomic_store(&logical_first, first);
    atomic_store(&logical_count, count);
}

bool vidmm_kit_is_logical(const void *caller, uint64_t frame, uint64_t count, const char *routine)
{
    uint64_t first = atomic_load(&logical_first), end = first + atomic_load(&logical_count);

    if (frame >= end || frame + count <= first)
        return false;
    vidmm_kit_find(caller, VIDMM_KIT_LOGICAL_PAGE,
                   "%s: page 0x%llx of an address descriptor list is logical, and no memory",
                   routine, (unsigned long long)(frame > first ? frame : first));
    return true;
}

void vidmm_kit_fail_pages(uint64_t n)
{
    atomic_store(&vidmm_kit_fail_pages_in, n);
}

void vidmm_kit_fail_mapping(uint64_t n)
{
    atomic_store(&vidmm_kit_fail_mapping_in, n);
}

/* ---- the table; under memory ---- */

static struct slot *find_slot(uintptr_t page, bool insert)
{
    struct slot *gone = NULL;
    size_t at = (page >> PAGE_SHIFT) * UINT64_C(0x9E3779B97F4A7C15) >> 20;

    if (slot_count == 0)
        return NULL;
    for (;; at++) {
        struct slot *slot = &slots[at & (slot_count - 1)];
        if (slot->page == page)
            return slot;
        if (slot->page == 1 && !gone)
            gone = slot;
        if (slot->page == 0)
            return insert ? (gone ? gone : slot) : NULL;
    }
}

static bool grow(void)
{
    struct slot *old = slots;
    size_t old_count = slot_count, count = slot_count ? slot_count * 2 : 1024;
    struct slot *fresh = calloc(count, sizeof(*fresh));

    if (!fresh)
        return false;
    slots = fresh;
    slot_count = count;
    slots_used = 0;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].page > 1) {
            *find_slot(old[i].page, true) = old[i];
            slots_used++;
        }
    }
    free(old);
    return true;
}

void vidmm_kit_note_page(const void *address, uint64_t frame)
{
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    if (slots_used * 2 < slot_count || grow()) {
        struct slot *slot = find_slot((uintptr_t)address, true);
        slots_used += slot->page == 0;
        slot->page = (uintptr_t)address;
        slot->frame = frame;
    }
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
}

void vidmm_kit_forget_page(const void *address)
{
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    struct slot *slot = find_slot((uintptr_t)address, false);
    if (slot)
        slot->page = 1;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
}

bool vidmm_kit_frame_of(const void *address, uint64_t *frame)
{
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    struct slot *slot = find_slot((uintptr_t)address & PAGE_MASK, false);
    if (slot)
        *frame = slot->frame;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return slot != NULL;
}

void *vidmm_kit_address_of(uint64_t frame)
{
    void *address = NULL;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (size_t i = 0; i < slot_count && !address; i++)
        if (slots[i].page > 1 && slots[i].frame == frame)
            address = (void *)slots[i].page;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return address;
}

/* ---- runs ---- */

KIRQL vidmm_kit_begin_pages(void)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL irql = KeGetCurrentIrql();

    if (irql > DISPATCH_LEVEL)
        host->lower_irql(host->context, DISPATCH_LEVEL);
    return irql;
}

void vidmm_kit_end_pages(KIRQL irql)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;

    if (irql > DISPATCH_LEVEL)
        host->raise_irql(host->context, irql);
}

void *vidmm_kit_map_frames(uint64_t count, const uint64_t *frames)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    char *address;

    if (vidmm_kit_should_fail(&vidmm_kit_fail_mapping_in))
        return NULL;
    KIRQL irql = vidmm_kit_begin_pages();
    address = host->map_pages(host->context, count, frames);
    vidmm_kit_end_pages(irql);
    for (uint64_t i = 0; address && i < count; i++)
        vidmm_kit_note_page(address + i * PAGE_SIZE, frames[i]);
    return address;
}

/* The machine may show consecutive frames at one and the same address to everybody: a page is
 * forgotten only when it is given back, unless the mapping was a run of its own. */
void vidmm_kit_unmap_frames(void *address, uint64_t count)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL irql = vidmm_kit_begin_pages();

    host->unmap_pages(host->context, address, count);
    vidmm_kit_end_pages(irql);
}

static char *take_and_map(uint64_t count, uint64_t highest_frame, bool in_a_row, uint64_t *frames)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    char *address;

    if (!host->take_pages(host->context, count, highest_frame, in_a_row, VIDMM_CACHED, frames))
        return NULL;
    address = host->map_pages(host->context, count, frames);
    if (!address)
        host->release_pages(host->context, count, frames);
    return address;
}

void *vidmm_kit_take_run(uint64_t count, uint64_t highest_frame, bool in_a_row, uint64_t *frames)
{
    char *address;

    if (count == 0 || count > MOST_FRAMES)
        return NULL;
    KIRQL irql = vidmm_kit_begin_pages();
    address = take_and_map(count, highest_frame, in_a_row, frames);
    vidmm_kit_end_pages(irql);
    if (!address)
        return NULL;
    for (uint64_t i = 0; i < count; i++)
        vidmm_kit_note_page(address + i * PAGE_SIZE, frames[i]);
    return address;
}

void vidmm_kit_give_run(void *address, uint64_t count, const uint64_t *frames)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;

    for (uint64_t i = 0; i < count; i++)
        vidmm_kit_forget_page((char *)address + i * PAGE_SIZE);
    KIRQL irql = vidmm_kit_begin_pages();
    host->unmap_pages(host->context, address, count);
    host->release_pages(host->context, count, frames);
    vidmm_kit_end_pages(irql);
}

void vidmm_kit_pages_stop(void)
{
    free(slots);
    slots = NULL;
    slot_count = slots_used = 0;
    atomic_store(&vidmm_kit_fail_pages_in, 0);
    atomic_store(&vidmm_kit_fail_mapping_in, 0);
}

/* ---- contiguous memory ---- */

static bool in_range(const uint64_t *frames, uint64_t count, uint64_t lowest, uint64_t highest,
                     uint64_t boundary)
{
    uint64_t first = frames[0] << PAGE_SHIFT, last = ((frames[0] + count) << PAGE_SHIFT) - 1;

    return first >= lowest && last <= highest &&
           (boundary == 0 || first / boundary == last / boundary);
}

/* Take a run of pages, in a row or not, and note whose it is. */
static PVOID take_noted(const void *caller, SIZE_T size, uint64_t lowest, uint64_t highest,
                        uint64_t boundary, bool in_a_row)
{
    uint64_t count = size / PAGE_SIZE + (size % PAGE_SIZE != 0);
    struct contiguous *run;

    if (size == 0 || count > MOST_FRAMES || vidmm_kit_should_fail(&vidmm_kit_fail_pages_in))
        return NULL;
    run = calloc(1, sizeof(*run));
    if (run)
        run->frames = calloc(count, sizeof(*run->frames));
    if (run && run->frames)
        run->address = vidmm_kit_take_run(count, highest >> PAGE_SHIFT, in_a_row, run->frames);
    if (run && run->address && in_a_row &&
        !in_range(run->frames, count, lowest, highest, boundary)) {
        vidmm_kit_give_run(run->address, count, run->frames);
        run->address = NULL;
    }
    if (!run || !run->address) {
        free(run ? run->frames : NULL);
        free(run);
        return NULL;
    }
    memset(run->address, 0xA7, count * PAGE_SIZE); /* its content is not defined */
    run->count = count;
    run->size = size;
    run->in_a_row = in_a_row;
    run->caller = caller;
    run->of_start = vidmm_kit_in_start;
    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    run->next = contiguous;
    contiguous = run;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return run->address;
}

PVOID vidmm_kit_contiguous_take(const void *caller, SIZE_T size, uint64_t lowest, uint64_t highest,
                                uint64_t boundary, const char *routine)
{
    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    return size > vidmm_kit_kernel.ceiling
               ? NULL
               : take_noted(caller, size, lowest, highest, boundary, true);
}

static void give_noted(const void *caller, void *address, SIZE_T size, bool in_a_row,
                       const char *routine)
{
    struct contiguous **at, *run;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (at = &contiguous;
         (run = *at) != NULL && (run->address != address || run->in_a_row != in_a_row);)
        at = &run->next;
    if (run)
        *at = run->next;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    if (!run) {
        vidmm_kit_find(caller, VIDMM_KIT_FREE_OF_NOTHING, "%s: %p", routine, address);
        return;
    }
    if (size && size != run->size)
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "%s: %llu bytes of %llu", routine, size,
                       run->size);
    vidmm_kit_give_run(run->address, run->count, run->frames);
    free(run->frames);
    free(run);
}

void vidmm_kit_contiguous_give(const void *caller, void *address, SIZE_T size, const char *routine)
{
    vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine);
    give_noted(caller, address, size, true, routine);
}

uint64_t vidmm_kit_contiguous_bytes(void)
{
    uint64_t pages = 0;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (const struct contiguous *run = contiguous; run; run = run->next)
        pages += run->count;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return pages * PAGE_SIZE;
}

unsigned vidmm_kit_start_runs(const void **caller)
{
    unsigned count = 0;

    pthread_mutex_lock(&vidmm_kit_kernel.memory);
    for (const struct contiguous *run = contiguous; run; run = run->next)
        if (run->of_start)
            *caller = count++ == 0 ? run->caller : *caller;
    pthread_mutex_unlock(&vidmm_kit_kernel.memory);
    return count;
}

void vidmm_kit_contiguous_stop(void)
{
    while (contiguous) {
        struct contiguous *run = contiguous;
        vidmm_kit_find(run->caller, VIDMM_KIT_CONTIGUOUS_LEAK, "%llu bytes at %p", run->size,
                       run->address);
        give_noted(NULL, run->address, 0, run->in_a_row, "vidmm_kit_stop");
    }
}

/* By a routine of the kernel's own, of which the graphics kernel knows nothing. */
static PVOID direct_take(const void *caller, SIZE_T size, uint64_t lowest, uint64_t highest,
                         uint64_t boundary, const char *routine)
{
    vidmm_kit_note_direct(caller, routine);
    return vidmm_kit_contiguous_take(caller, size, lowest, highest, boundary, routine);
}

PVOID MmAllocateContiguousMemory(SIZE_T size, PHYSICAL_ADDRESS highest)
{
    return direct_take(CALLER, size, 0, (uint64_t)highest.QuadPart, 0,
                       "MmAllocateContiguousMemory");
}

PVOID MmAllocateContiguousMemorySpecifyCache(SIZE_T size, PHYSICAL_ADDRESS lowest,
                                             PHYSICAL_ADDRESS highest, PHYSICAL_ADDRESS boundary,
                                             MEMORY_CACHING_TYPE cache)
{
    (void)cache;
    return direct_take(CALLER, size, (uint64_t)lowest.QuadPart, (uint64_t)highest.QuadPart,
                       (uint64_t)boundary.QuadPart, "MmAllocateContiguousMemorySpecifyCache");
}

PVOID MmAllocateContiguousMemorySpecifyCacheNode(SIZE_T size, PHYSICAL_ADDRESS lowest,
                                                 PHYSICAL_ADDRESS highest,
                                                 PHYSICAL_ADDRESS boundary,
                                                 MEMORY_CACHING_TYPE cache, NODE_REQUIREMENT node)
{
    (void)cache, (void)node;
    return direct_take(CALLER, size, (uint64_t)lowest.QuadPart, (uint64_t)highest.QuadPart,
                       (uint64_t)boundary.QuadPart, "MmAllocateContiguousMemorySpecifyCacheNode");
}

PVOID MmAllocateContiguousNodeMemory(SIZE_T size, PHYSICAL_ADDRESS lowest, PHYSICAL_ADDRESS highest,
                                     PHYSICAL_ADDRESS boundary, ULONG protect,
                                     NODE_REQUIREMENT node)
{
    (void)protect, (void)node;
    return direct_take(CALLER, size, (uint64_t)lowest.QuadPart, (uint64_t)highest.QuadPart,
                       (uint64_t)boundary.QuadPart, "MmAllocateContiguousNodeMemory");
}

PVOID MmAllocateNonCachedMemory(SIZE_T size)
{
    IRQL_MAX(APC_LEVEL);
    return take_noted(CALLER, size, 0, UINT64_MAX, 0, false);
}

VOID MmFreeContiguousMemory(PVOID address)
{
    vidmm_kit_contiguous_give(CALLER, address, 0, "MmFreeContiguousMemory");
}

VOID MmFreeContiguousMemorySpecifyCache(PVOID address, SIZE_T size, MEMORY_CACHING_TYPE cache)
{
    (void)cache;
    vidmm_kit_contiguous_give(CALLER, address, size, "MmFreeContiguousMemorySpecifyCache");
}

VOID MmFreeNonCachedMemory(PVOID address, SIZE_T size)
{
    IRQL_MAX(APC_LEVEL);
    give_noted(CALLER, address, size, false, "MmFreeNonCachedMemory");
}

/* ---- addresses ---- */

PHYSICAL_ADDRESS MmGetPhysicalAddress(PVOID address)
{
    PHYSICAL_ADDRESS answer = {.QuadPart = 0};
    uint64_t frame;

    if (vidmm_kit_frame_of(address, &frame))
        answer.QuadPart = (LONGLONG)(frame << PAGE_SHIFT | BYTE_OFFSET(address));
    else
        vidmm_kit_find(CALLER, VIDMM_KIT_BAD_ARGUMENT,
                       "MmGetPhysicalAddress: no page of the kernel at %p", address);
    return answer;
}

PVOID MmGetVirtualForPhysical(PHYSICAL_ADDRESS address)
{
    char *page = vidmm_kit_address_of((uint64_t)address.QuadPart >> PAGE_SHIFT);

    return page ? page + BYTE_OFFSET(address.QuadPart) : NULL;
}

BOOLEAN MmIsAddressValid(PVOID address)
{
    uint64_t frame;

    return vidmm_kit_frame_of(address, &frame);
}

/* ---- what there is ---- */

/* One range, then an entry of zeros. The caller frees it. */
PPHYSICAL_MEMORY_RANGE MmGetPhysicalMemoryRanges(VOID)
{
    PHYSICAL_MEMORY_RANGE *ranges;

    IRQL_MAX(PASSIVE_LEVEL);
    ranges = ExAllocatePoolWithTag(NonPagedPool, 2 * sizeof(*ranges), 0x68506D4D /* MmPh */);
    if (!ranges)
        return NULL;
    memset(ranges, 0, 2 * sizeof(*ranges));
    ranges[0].BaseAddress.QuadPart = (LONGLONG)vidmm_kit_kernel.system_base;
    ranges[0].NumberOfBytes.QuadPart = (LONGLONG)vidmm_kit_kernel.system_memory;
    return ranges;
}
