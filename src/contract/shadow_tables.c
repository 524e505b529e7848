/*
 * shadow_tables.c: page tables, as the records of UpdatePageTable tell of them.
 */
#include "contract/shadow.h"

#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi_context.h>

#define PAGE_BITS 12u
#define WIDE_BITS 16u /* of a page of 64 KiB */

/* ---- Asking ---- */

struct vidmm_shadow_process *vidmm_shadow_process(const struct vidmm_shadow *shadow, HANDLE handle)
{
    return vidmm_map_find(&shadow->mmu.processes, NULL, handle);
}

struct vidmm_shadow_process *vidmm_shadow_process_of_context(const struct vidmm_shadow *shadow,
                                                             HANDLE context)
{
    const struct vidmm_shadow_context *found = vidmm_map_find(&shadow->contexts, NULL, context);

    return found == NULL ? NULL : vidmm_map_find(&shadow->mmu.devices, NULL, found->device);
}

struct vidmm_shadow_process *vidmm_shadow_paging_process(const struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->mmu.processes.capacity; i++) {
        struct vidmm_shadow_process *process = shadow->mmu.processes.entries[i].value;

        if (process != NULL && process->system)
            return process;
    }
    return NULL;
}

/* The first half of the key of a table: how it is named, and in which segment. */
static HANDLE kind_of(DXGK_PAGETABLEUPDATEMODE mode, unsigned segment)
{
    return (HANDLE)(((uintptr_t)mode + 1) << 8 | segment);
}

static HANDLE key_of_place(unsigned segment, uint64_t offset, HANDLE *kind)
{
    *kind = kind_of(DXGK_PAGETABLEUPDATE_GPU_PHYSICAL, segment);
    return (HANDLE)(uintptr_t)(offset + 1);
}

/* By an address of the paging process, which leads to one table after the other: the place where it
 * leads now; where that is not known, the address. */
static HANDLE key_of_address(const struct vidmm_shadow *shadow, uint64_t address, HANDLE *kind)
{
    const struct vidmm_shadow_process *paging = vidmm_shadow_paging_process(shadow);
    const struct vidmm_owned_range *page =
        paging == NULL ? NULL : vidmm_ranges_meet(&paging->pages, address, address + 1);

    if (page == NULL)
        return (HANDLE)(uintptr_t)(address + 1);
    return key_of_place((unsigned)(uintptr_t)page->owner - 1, page->tag + (address - page->start),
                        kind);
}

static HANDLE key_of(const struct vidmm_shadow *shadow,
                     const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update, HANDLE *kind)
{
    const DXGK_PAGETABLEUPDATEADDRESS *at = &update->PageTableAddress;

    *kind = kind_of(update->UpdateMode, 0);
    switch (update->UpdateMode) {
    case DXGK_PAGETABLEUPDATE_CPU_VIRTUAL:
        return at->CpuVirtual;
    case DXGK_PAGETABLEUPDATE_GPU_VIRTUAL:
        return key_of_address(shadow, at->GpuVirtual, kind);
    default:
        return key_of_place(at->GpuPhysical.SegmentId, at->GpuPhysical.SegmentOffset, kind);
    }
}

struct vidmm_shadow_table *
vidmm_shadow_table_of(const struct vidmm_shadow *shadow,
                      const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    HANDLE kind, key = key_of(shadow, update, &kind);

    return vidmm_map_find(&shadow->mmu.tables, kind, key);
}

struct vidmm_shadow_table *vidmm_shadow_table_at(const struct vidmm_shadow *shadow,
                                                 unsigned segment, uint64_t offset)
{
    HANDLE kind, key = key_of_place(segment, offset, &kind);

    return vidmm_map_find(&shadow->mmu.tables, kind, key);
}

uint64_t vidmm_shadow_table_entries(const struct vidmm_shadow *shadow, unsigned level)
{
    if (level >= VIDMM_SHADOW_LEVELS || !shadow->mmu.described[level] ||
        shadow->mmu.levels[level].PageTableIndexBitCount > 31)
        return 0;
    return UINT64_C(1) << shadow->mmu.levels[level].PageTableIndexBitCount;
}

/* Bits of an address that an entry of the level stands for; 64: not known. */
static unsigned bits_below(const struct vidmm_shadow *shadow, unsigned level)
{
    unsigned bits = PAGE_BITS;

    for (unsigned i = 0; i < level; i++) {
        if (vidmm_shadow_table_entries(shadow, i) == 0)
            return 64;
        bits += shadow->mmu.levels[i].PageTableIndexBitCount;
    }
    return bits < 64 ? bits : 64;
}

static bool meets(const struct vidmm_ranges *ranges, uint64_t start, uint64_t size)
{
    uint64_t end = size < UINT64_MAX - start ? start + size : UINT64_MAX;

    return vidmm_ranges_meet(ranges, start, end) != NULL;
}

bool vidmm_shadow_has_other_name(const struct vidmm_shadow_process *process,
                                 const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    uint32_t levels = 0;

    for (unsigned mode = 0; mode < VIDMM_SHADOW_UPDATE_MODES; mode++)
        levels |= mode != (unsigned)update->UpdateMode ? process->begun[mode] : 0;
    return update->PageTableLevel < 32 && (levels >> update->PageTableLevel & 1) != 0;
}

bool vidmm_shadow_is_stale(const struct vidmm_shadow *shadow,
                           const struct vidmm_shadow_process *process, uint64_t start,
                           uint64_t size)
{
    if (meets(&process->stale, start, size))
        return true;
    return !shadow->mmu.caps.InvalidTlbEntriesNotCached && process->used &&
           meets(&process->new, start, size);
}

/* An entry of the record is two, for leaves of both sizes. */
static bool is_double(const struct vidmm_shadow *shadow,
                      const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return shadow->mmu.caps.DualPteSupported && update->PageTableLevel == 1;
}

/* The other array may have the entries of a leaf of 64 KiB pages. */
static bool is_other(const struct vidmm_shadow *shadow,
                     const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return shadow->mmu.caps.DualPteSupported && vidmm_shadow_is_of_64k(update) &&
           update->pPageTableEntries64KB != NULL;
}

bool vidmm_shadow_is_unread(const struct vidmm_shadow *shadow,
                            const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    if (is_double(shadow, update))
        return update->pPageTableEntries == NULL && update->pPageTableEntries64KB == NULL;
    return !is_other(shadow, update) &&
           (update->pPageTableEntries64KB != NULL || update->pPageTableEntries == NULL);
}

const DXGK_PTE *vidmm_shadow_entries_of(const struct vidmm_shadow *shadow,
                                        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                                        bool second)
{
    if (second)
        return is_double(shadow, update) ? update->pPageTableEntries64KB : NULL;
    return is_other(shadow, update) ? update->pPageTableEntries64KB : update->pPageTableEntries;
}

bool vidmm_shadow_is_of_64k(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return update->PageTableLevel == 0 && update->Flags.Use64KBPages;
}

/* ---- Records of tables ---- */

static void free_table(struct vidmm_shadow_table *table)
{
    free(table->entries);
    free(table->wide);
    free(table);
}

static struct vidmm_shadow_table *new_table(struct vidmm_shadow *shadow,
                                            struct vidmm_shadow_process *process,
                                            const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    HANDLE kind, key = key_of(shadow, update, &kind);
    struct vidmm_shadow_table *table = vidmm_map_remove(&shadow->mmu.tables, kind, key);

    if (table != NULL) {
        process->renewed |= table->process == process && !table->gone;
        free_table(table);
    }
    table = vidmm_shadow_allocate(shadow, sizeof *table);
    if (table == NULL)
        return NULL;
    table->process = process;
    table->level = update->PageTableLevel;
    table->of_64k = vidmm_shadow_is_of_64k(update);
    if ((unsigned)update->UpdateMode < VIDMM_SHADOW_UPDATE_MODES && update->PageTableLevel < 32)
        process->begun[update->UpdateMode] |= UINT32_C(1) << update->PageTableLevel;
    if (!vidmm_map_set(&shadow->mmu.tables, kind, key, table)) {
        shadow->lost = true;
        free(table);
        return NULL;
    }
    return table;
}

/* Room for `count` entries in an array of `*room`; those that are new are invalid. */
static bool make_room(struct vidmm_shadow *shadow, DXGK_PTE **array, UINT *room, UINT count)
{
    DXGK_PTE *entries;

    if (count <= *room)
        return true;
    entries = vidmm_shadow_allocate(shadow, count * sizeof *entries);
    if (entries == NULL)
        return false;
    if (*room > 0)
        memcpy(entries, *array, *room * sizeof *entries);
    free(*array);
    *array = entries;
    *room = count;
    return true;
}

/* ---- What the GPU may remember ---- */

static void forget(struct vidmm_shadow *shadow, struct vidmm_ranges *ranges, uint64_t start,
                   uint64_t end)
{
    if (start < end && !vidmm_ranges_cut(ranges, start, end))
        shadow->lost = true;
}

static void remember(struct vidmm_shadow *shadow, struct vidmm_ranges *ranges, uint64_t start,
                     uint64_t end)
{
    if (!vidmm_ranges_set(ranges, start, end, NULL, 0))
        shadow->lost = true;
}

struct vidmm_shadow_process *
vidmm_shadow_process_of_flush(const struct vidmm_shadow *shadow,
                              const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flushed)
{
    const struct vidmm_shadow_table *root =
        vidmm_shadow_table_at(shadow, flushed->RootPageTableAddress.SegmentId,
                              flushed->RootPageTableAddress.SegmentOffset);

    return root != NULL && root->gone ? NULL : vidmm_shadow_process(shadow, flushed->hProcess);
}

static void flush(struct vidmm_shadow *shadow, const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flushed)
{
    struct vidmm_shadow_process *process = vidmm_shadow_process_of_flush(shadow, flushed);
    uint64_t end = flushed->EndVirtualAddress;

    if (process == NULL)
        return;
    if (flushed->StartVirtualAddress == 0 && end == 0)
        end = UINT64_MAX;
    forget(shadow, &process->stale, flushed->StartVirtualAddress, end);
    forget(shadow, &process->new, flushed->StartVirtualAddress, end);
    forget(shadow, &process->again, flushed->StartVirtualAddress, end);
    process->filled = false;
    process->renewed = false;
}

/* An entry is written: what was there, and what is. */
static void change(struct vidmm_shadow *shadow, const struct vidmm_shadow_table *table,
                   DXGK_PTE *at, const DXGK_PTE *entry, uint64_t address)
{
    struct vidmm_shadow_process *process = table->process;
    const DXGK_PTE was = *at;
    unsigned bits = table->of_64k ? WIDE_BITS : bits_below(shadow, table->level);
    uint64_t start = bits == 64 ? 0 : address, end = bits == 64 ? UINT64_MAX : start;

    if (bits < 64)
        end += UINT64_C(1) << bits;
    *at = *entry;
    if (table->gone)
        return; /* no context has its addresses */
    if (was.Valid &&
        (!entry->Valid || was.Flags != entry->Flags || was.PageAddress != entry->PageAddress))
        remember(shadow, &process->stale, start, end);
    else if (!was.Valid && entry->Valid)
        remember(shadow, &process->new, start, end);
    else if (was.Valid && shadow->mmu.caps.InvalidTlbEntriesNotCached)
        remember(shadow, &process->again, start, end);
    if (!process->system || bits == 64 || (table->level > 0 && !was.LargePage && !entry->LargePage))
        return;
    if (!(entry->Valid ? vidmm_ranges_set(&process->pages, start, end,
                                          (HANDLE)(uintptr_t)(entry->Segment + 1),
                                          entry->PageAddress << PAGE_BITS)
                       : vidmm_ranges_cut(&process->pages, start, end)))
        shadow->lost = true;
}

/* ---- Taking over ---- */

/* The table of a record; one that appears by it is new. */
static struct vidmm_shadow_table *take_table(struct vidmm_shadow *shadow,
                                             struct vidmm_shadow_process *process,
                                             const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    struct vidmm_shadow_table *table = vidmm_shadow_table_of(shadow, update);

    if (table == NULL || update->Flags.InitialUpdate || table->process != process ||
        table->level != update->PageTableLevel || table->of_64k != vidmm_shadow_is_of_64k(update))
        table = new_table(shadow, process, update);
    return table;
}

/* Write the entries of a record into an array of a table. */
static void write_array(struct vidmm_shadow *shadow, const struct vidmm_shadow_table *table,
                        DXGK_PTE **array, UINT *room,
                        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                        const DXGK_PTE *entries)
{
    uint64_t end = (uint64_t)update->StartIndex + update->NumPageTableEntries;
    unsigned bits = table->of_64k ? WIDE_BITS : bits_below(shadow, table->level);

    if (entries == NULL || end > UINT32_MAX / sizeof(DXGK_PTE) ||
        !make_room(shadow, array, room, (UINT)end))
        return;
    for (UINT i = 0; i < update->NumPageTableEntries && !shadow->lost; i++)
        change(shadow, table, &(*array)[update->StartIndex + i],
               &entries[update->Flags.Repeat ? 0 : i],
               update->FirstPteVirtualAddress + (bits < 64 ? (uint64_t)i << bits : 0));
}

static void update(struct vidmm_shadow *shadow,
                   const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    struct vidmm_shadow_process *process = vidmm_shadow_process(shadow, update->hProcess);
    struct vidmm_shadow_table *table;
    const DXGK_PTE *second;

    if (process == NULL)
        return;
    if (vidmm_shadow_is_unread(shadow, update)) {
        process->unread = true;
        process->unclear |= shadow->mmu.caps.DualPteSupported;
        return;
    }
    table = take_table(shadow, process, update);
    if (table == NULL)
        return;
    second = vidmm_shadow_entries_of(shadow, update, true);
    write_array(shadow, table, &table->entries, &table->count, update,
                vidmm_shadow_entries_of(shadow, update, false));
    write_array(shadow, table, &table->wide, &table->wide_count, update, second);
    process->dual |= second != NULL;
}

static void notify(struct vidmm_shadow *shadow,
                   const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *notified)
{
    if (notified->hAllocation == NULL)
        return;
    if (!notified->Resident)
        vidmm_map_remove(&shadow->mmu.residents, NULL, notified->hAllocation);
    else if (!vidmm_map_set(&shadow->mmu.residents, NULL, notified->hAllocation,
                            notified->hAllocation))
        shadow->lost = true;
}

void vidmm_shadow_do_table(struct vidmm_shadow *shadow, const DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct vidmm_shadow_process *paging = vidmm_shadow_paging_process(shadow);

    switch (asked->Operation) {
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        update(shadow, &asked->UpdatePageTable);
        break;
    case DXGK_OPERATION_FLUSH_TLB:
        flush(shadow, &asked->FlushTlb);
        break;
    case DXGK_OPERATION_VIRTUAL_FILL:
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        vidmm_shadow_use_process(paging);
        if (paging != NULL)
            paging->filled = asked->Operation == DXGK_OPERATION_VIRTUAL_FILL;
        break;
    case DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION:
    case DXGK_OPERATION_NOTIFY_ALLOC:
        vidmm_shadow_use_process(paging);
        break;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        notify(shadow, &asked->NotifyResidency);
        break;
    default:
        break;
    }
}

static void take_level(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYPAGETABLELEVELDESCIN *in = query->pInputData;

    if (in == NULL || query->InputDataSize < sizeof *in || in->LevelIndex >= VIDMM_SHADOW_LEVELS ||
        query->OutputDataSize < sizeof(DXGK_PAGE_TABLE_LEVEL_DESC))
        return;
    shadow->mmu.levels[in->LevelIndex] = *(const DXGK_PAGE_TABLE_LEVEL_DESC *)query->pOutputData;
    shadow->mmu.described[in->LevelIndex] = true;
}

void vidmm_shadow_take_mmu(struct vidmm_shadow *shadow, const DXGKARG_QUERYADAPTERINFO *query)
{
    if (query->pOutputData == NULL)
        return;
    if (query->Type == DXGKQAITYPE_PAGETABLELEVELDESC)
        take_level(shadow, query);
    if (query->Type != DXGKQAITYPE_GPUMMUCAPS || query->OutputDataSize < sizeof(DXGK_GPUMMUCAPS))
        return;
    shadow->mmu.caps = *(const DXGK_GPUMMUCAPS *)query->pOutputData;
    shadow->mmu.known = true;
}

void vidmm_shadow_use_process(struct vidmm_shadow_process *process)
{
    if (process == NULL || process->used)
        return;
    process->used = true;
    vidmm_ranges_finish(&process->new);
}

/* Nothing is known of its addresses. */
static void finish_ranges(struct vidmm_shadow_process *process)
{
    vidmm_ranges_finish(&process->pages);
    vidmm_ranges_finish(&process->stale);
    vidmm_ranges_finish(&process->new);
    vidmm_ranges_finish(&process->again);
}

/* A driver may give a handle again once it is destroyed. Tables of the former process are cleared
 * later than that, under the same handle. */
static void leave_tables(struct vidmm_shadow *shadow, const struct vidmm_shadow_process *process)
{
    for (size_t i = 0; i < shadow->mmu.tables.capacity; i++) {
        struct vidmm_shadow_table *table = shadow->mmu.tables.entries[i].value;

        if (table != NULL && table->process == process)
            table->gone = true;
    }
}

void vidmm_shadow_create_process(struct vidmm_shadow *shadow, const DXGKARG_CREATEPROCESS *create)
{
    struct vidmm_shadow_process *process = vidmm_shadow_process(shadow, create->hKmdProcess);

    if (create->hKmdProcess == NULL)
        return;
    if (process == NULL) {
        process = vidmm_shadow_allocate(shadow, sizeof *process);
        if (process == NULL)
            return;
        if (!vidmm_map_set(&shadow->mmu.processes, NULL, create->hKmdProcess, process)) {
            shadow->lost = true;
            free(process);
            return;
        }
    } else {
        leave_tables(shadow, process);
    }
    finish_ranges(process);
    *process = (struct vidmm_shadow_process){.handle = create->hKmdProcess,
                                             .system = create->Flags.SystemProcess};
}

void vidmm_shadow_device_of_process(struct vidmm_shadow *shadow, HANDLE device, HANDLE process)
{
    struct vidmm_shadow_process *found = vidmm_shadow_process(shadow, process);

    if (device == NULL)
        return;
    if (found == NULL)
        vidmm_map_remove(&shadow->mmu.devices, NULL, device);
    else if (!vidmm_map_set(&shadow->mmu.devices, NULL, device, found))
        shadow->lost = true;
}

void vidmm_shadow_set_root(struct vidmm_shadow *shadow, const DXGKARG_SETROOTPAGETABLE *root)
{
    struct vidmm_shadow_context *context = vidmm_map_find(&shadow->contexts, NULL, root->hContext);
    const struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(shadow, root->hContext);
    const struct vidmm_shadow_table *table =
        vidmm_shadow_table_at(shadow, root->Address.SegmentId, root->Address.SegmentOffset);
    HANDLE kind, key = key_of_place(root->Address.SegmentId, root->Address.SegmentOffset, &kind);

    if (context != NULL)
        context->root = (struct vidmm_shadow_root){true, root->Address, shadow->builds};
    /* Tables of the paging process that the CPU writes are not seen at their places: this one is
     * there, in memory that a program's table has left. */
    if (process != NULL && process->system && table != NULL && !table->process->system)
        free_table(vidmm_map_remove(&shadow->mmu.tables, kind, key));
}

/* A table of the paging process, by whatever name it is known, or by the CPU's address alone. NULL:
 * there is none. */
static struct vidmm_map_entry *find_paging_table(struct vidmm_shadow *shadow, bool by_cpu_alone)
{
    const HANDLE kind = kind_of(DXGK_PAGETABLEUPDATE_CPU_VIRTUAL, 0);

    for (size_t i = 0; i < shadow->mmu.tables.capacity; i++) {
        struct vidmm_map_entry *entry = &shadow->mmu.tables.entries[i];
        const struct vidmm_shadow_table *table = entry->value;

        if (table != NULL && (!by_cpu_alone || entry->scope == kind) && table->process->system)
            return entry;
    }
    return NULL;
}

static void forget_paging_tables(struct vidmm_shadow *shadow, bool by_cpu_alone)
{
    struct vidmm_map_entry *entry;

    while ((entry = find_paging_table(shadow, by_cpu_alone)) != NULL)
        free_table(vidmm_map_remove(&shadow->mmu.tables, entry->scope, entry->key));
}

void vidmm_shadow_destroy_process(struct vidmm_shadow *shadow, HANDLE handle)
{
    struct vidmm_shadow_process *process = vidmm_shadow_process(shadow, handle);

    if (process == NULL || !process->system)
        return;
    forget_paging_tables(shadow, false);
    process->system = false;
}

void vidmm_shadow_move_tables(struct vidmm_shadow *shadow)
{
    struct vidmm_shadow_process *paging = vidmm_shadow_paging_process(shadow);

    if (paging != NULL)
        paging->moves = true;
    forget_paging_tables(shadow, true);
}

void vidmm_shadow_forget_tables(struct vidmm_shadow *shadow)
{
    for (size_t i = 0; i < shadow->mmu.tables.capacity; i++)
        if (shadow->mmu.tables.entries[i].value != NULL)
            free_table(shadow->mmu.tables.entries[i].value);
    vidmm_map_finish(&shadow->mmu.tables);
    vidmm_map_finish(&shadow->mmu.residents);
    for (size_t i = 0; i < shadow->mmu.processes.capacity; i++) {
        struct vidmm_shadow_process *process = shadow->mmu.processes.entries[i].value;

        if (process == NULL)
            continue;
        finish_ranges(process);
        *process = (struct vidmm_shadow_process){
            .handle = process->handle, .system = process->system, .moves = process->moves};
    }
}

void vidmm_shadow_finish_mmu(struct vidmm_shadow *shadow)
{
    vidmm_shadow_forget_tables(shadow);
    for (size_t i = 0; i < shadow->mmu.processes.capacity; i++)
        free(shadow->mmu.processes.entries[i].value);
    vidmm_map_finish(&shadow->mmu.processes);
    vidmm_map_finish(&shadow->mmu.devices);
}
