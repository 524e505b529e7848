/* check_tables.c: the rules of page tables and their roots (paging-pagetable.def). */

#include "contract/audit.h"
#include "contract/checker.h"

#include <wddm/d3dkmddi_context.h>

#define PAGE_BITS 12u

/* The call is about to build the operation, and not a further pass of it. */
static bool begins(const struct vidmm_audit_event *event,
                   DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return !event->record->returned && event->build.asked->Operation == operation;
}

/* The call is about to write page-table entries that are read here; else NULL. */
static const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *
update_of(const struct vidmm_audit_event *event)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = &event->build.asked->UpdatePageTable;

    if (!begins(event, DXGK_OPERATION_UPDATE_PAGE_TABLE) ||
        vidmm_shadow_is_unread(event->shadow, update))
        return NULL;
    return update;
}

/* Entries that the array holds. */
static UINT given(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return update->Flags.Repeat && update->NumPageTableEntries > 1 ? 1
                                                                   : update->NumPageTableEntries;
}

static uint64_t whole_table(const struct vidmm_audit_event *event,
                            const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    return vidmm_shadow_table_entries(event->shadow, update->PageTableLevel) >>
           (vidmm_shadow_is_of_64k(update) ? 4 : 0);
}

/* The root of two levels has a size of its own, which the driver is asked for. */
static bool is_resizable_root(const struct vidmm_audit_event *event, UINT level)
{
    UINT levels = event->shadow->mmu.caps.PageTableLevelCount;

    return levels <= 2 && level + 1 >= levels;
}

/* ---- One record ---- */

/* The paging process's tables may be written by the CPU whatever the driver has chosen. */
CHECKER(D_114)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);
    const struct vidmm_shadow_process *process;
    bool exempt;

    if (update == NULL || !event->shadow->mmu.known)
        return;
    process = vidmm_shadow_process(event->shadow, update->hProcess);
    exempt = process != NULL && process->system &&
             update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    if (update->UpdateMode != event->shadow->mmu.caps.PageTableUpdateMode && !exempt)
        BREACH(event, D_114, "UpdateMode is %d, DXGK_GPUMMUCAPS says %d", (int)update->UpdateMode,
               (int)event->shadow->mmu.caps.PageTableUpdateMode);
    else if (update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL &&
             update->PageTableAddress.CpuVirtual == NULL)
        BREACH(event, D_114, "PageTableAddress.CpuVirtual is NULL");
    else if (update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL &&
             update->PageTableAddress.GpuPhysical.SegmentId != 0 &&
             vidmm_shadow_segment(event->shadow, update->PageTableAddress.GpuPhysical.SegmentId) ==
                 NULL)
        BREACH(event, D_114, "PageTableAddress.GpuPhysical names segment %u, which there is not",
               update->PageTableAddress.GpuPhysical.SegmentId);
}

CHECKER(D_119)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);

    if (update != NULL && update->PageTableLevel > 0 && update->DriverProtection != 0)
        BREACH(event, D_119, "DriverProtection is 0x%llx at level %u",
               (unsigned long long)update->DriverProtection, update->PageTableLevel);
}

/* The physical adapter whose memory the entry names: of a link, a peer's maybe. */
static const struct vidmm_shadow *shadow_for(const struct vidmm_audit_event *event,
                                             const DXGK_PTE *entry)
{
    unsigned link = (unsigned)entry->PhysicalAdapterIndex;

    return event->audit->links > 1 && link < event->audit->links ? event->audit->shadows[link]
                                                                 : event->shadow;
}

/* Entries of a record: of an array that it has. */
typedef void check_entries(const struct vidmm_audit_event *event,
                           const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                           const DXGK_PTE *entries);

/* Judge the arrays of a record: with DualPteSupported there may be two. */
static void check_arrays(const struct vidmm_audit_event *event,
                         const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update, check_entries *check)
{
    for (unsigned second = 0; second < 2; second++) {
        const DXGK_PTE *entries = vidmm_shadow_entries_of(event->shadow, update, second != 0);

        if (entries != NULL)
            check(event, update, entries);
    }
}

static void check_places(const struct vidmm_audit_event *event,
                         const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                         const DXGK_PTE *entries)
{
    for (UINT i = 0; i < given(update); i++) {
        const DXGK_PTE *entry = &entries[i];
        const struct vidmm_shadow_segment *segment =
            vidmm_shadow_segment(shadow_for(event, entry), entry->Segment);

        if (!entry->Valid || entry->Zero || entry->Segment == 0)
            continue;
        if (segment == NULL || entry->PageAddress >= segment->size >> PAGE_BITS) {
            BREACH(event, D_121, "entry %u names page 0x%llx of segment %u, which has 0x%llx pages",
                   update->StartIndex + i, (unsigned long long)entry->PageAddress,
                   (unsigned)entry->Segment,
                   segment == NULL ? 0 : (unsigned long long)segment->size >> PAGE_BITS);
            return;
        }
    }
}

CHECKER(D_121)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);

    if (update != NULL && event->shadow->segments_known)
        check_arrays(event, update, check_places);
}

static void check_large(const struct vidmm_audit_event *event,
                        const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                        const DXGK_PTE *entries)
{
    for (UINT i = 0; i < given(update); i++) {
        const DXGK_PTE *entry = &entries[i];

        if (!entry->Valid || !entry->LargePage)
            continue;
        if (update->PageTableLevel == 0 || !event->shadow->mmu.caps.LargePageSupported) {
            BREACH(event, D_123, "entry %u of a table of level %u is a large page%s",
                   update->StartIndex + i, update->PageTableLevel,
                   update->PageTableLevel == 0 ? "" : "; LargePageSupported is clear");
            return;
        }
    }
}

CHECKER(D_123)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);

    if (update != NULL && event->shadow->mmu.known)
        check_arrays(event, update, check_large);
}

CHECKER(D_264)
{
    const DXGKARG_BUILDPAGINGBUFFER *asked = event->build.asked;
    HANDLE process;

    if (begins(event, DXGK_OPERATION_UPDATE_PAGE_TABLE))
        process = asked->UpdatePageTable.hProcess;
    else if (begins(event, DXGK_OPERATION_FLUSH_TLB))
        process = asked->FlushTlb.hProcess;
    else
        return;
    if (vidmm_shadow_process(event->shadow, process) == NULL)
        BREACH(event, D_264, "DxgkDdiCreateProcess has never answered 0x%llx", HEX(process));
}

CHECKER(D_130)
{
    if (begins(event, DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES) && event->shadow->mmu.known &&
        event->shadow->mmu.caps.PageTableUpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL)
        BREACH(event, D_130, "tables are written by the CPU, with UpdatePageTable");
}

CHECKER(D_129)
{
    const DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES *copy =
        &event->build.asked->CopyPageTableEntries;
    uint64_t most = vidmm_shadow_table_entries(event->shadow, 0);

    if (!begins(event, DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES))
        return;
    if (copy->NumRanges == 0 || copy->pRanges == NULL)
        BREACH(event, D_129, "there is no range");
    for (UINT i = 0; i < copy->NumRanges && copy->pRanges != NULL; i++) {
        const DXGK_BUILDPAGINGBUFFER_COPY_RANGE *range = &copy->pRanges[i];
        uint64_t first = range->SrcStartPteIndex > range->DstStartPteIndex
                             ? range->SrcStartPteIndex
                             : range->DstStartPteIndex;

        if ((range->SrcPageTableAddress | range->DstPageTableAddress) % 0x10000 != 0)
            BREACH(event, D_129, "range %u: the tables are at 0x%llx and 0x%llx, not on 64 KiB", i,
                   (unsigned long long)range->SrcPageTableAddress,
                   (unsigned long long)range->DstPageTableAddress);
        else if (range->NumPageTableEntries == 0 ||
                 (most != 0 && first + range->NumPageTableEntries > most))
            BREACH(event, D_129, "range %u: %u entries from %llu on, of %llu", i,
                   range->NumPageTableEntries, (unsigned long long)first, (unsigned long long)most);
    }
}

/* ---- A table's life ---- */

/* Whether the record is of a table that was begun by another name. Those of the paging process are
 * begun by the CPU, maybe in memory that was another process's table: no call tells of that. */
static bool is_begun_elsewhere(const struct vidmm_shadow_process *process,
                               const struct vidmm_shadow_table *table,
                               const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    if (process == NULL ||
        (table != NULL && (!process->system || table->process->handle == update->hProcess)))
        return false;
    return (table == NULL && process->moves) || vidmm_shadow_has_other_name(process, update);
}

CHECKER(D_120)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);
    const struct vidmm_shadow_process *process;
    const struct vidmm_shadow_table *table;

    if (update == NULL || update->Flags.InitialUpdate)
        return;
    table = vidmm_shadow_table_of(event->shadow, update);
    process = vidmm_shadow_process(event->shadow, update->hProcess);
    if (is_begun_elsewhere(process, table, update))
        return;
    if (table == NULL)
        BREACH(event, D_120, "no InitialUpdate of this table, of level %u, came before",
               update->PageTableLevel);
    else if (table->process->handle != update->hProcess || table->level != update->PageTableLevel)
        BREACH(event, D_120, "InitialUpdate here was of level %u of process 0x%llx", table->level,
               HEX(table->process->handle));
}

static void check_cleared(const struct vidmm_audit_event *event,
                          const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                          const DXGK_PTE *entries)
{
    (void)update;
    if (entries[0].Valid)
        BREACH(event, W_009, "InitialUpdate writes a valid entry");
}

CHECKER(W_009)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);
    uint64_t whole;

    if (update == NULL || !update->Flags.InitialUpdate)
        return;
    whole = whole_table(event, update);
    if (!update->Flags.Repeat || update->StartIndex != 0 || update->NumPageTableEntries == 0 ||
        (whole != 0 && !is_resizable_root(event, update->PageTableLevel) &&
         update->NumPageTableEntries != whole))
        BREACH(event, W_009, "InitialUpdate writes %u entries from %u on, Repeat %u; expected %llu",
               update->NumPageTableEntries, update->StartIndex, (unsigned)update->Flags.Repeat,
               (unsigned long long)whole);
    else
        check_arrays(event, update, check_cleared);
}

/* Only tables that are named by their place are found again in the entries that lead to them. */
static void check_children(const struct vidmm_audit_event *event,
                           const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                           const DXGK_PTE *entries)
{
    for (UINT i = 0; i < given(update); i++) {
        const DXGK_PTE *entry = &entries[i];
        const struct vidmm_shadow_table *child = vidmm_shadow_table_at(
            event->shadow, entry->Segment, entry->PageTableAddress << PAGE_BITS);

        if (!entry->Valid || entry->Zero || entry->LargePage)
            continue;
        if (child == NULL || child->level + 1 != update->PageTableLevel ||
            child->process->handle != update->hProcess) {
            BREACH(event, W_012,
                   "entry %u leads to segment %u, page 0x%llx: no table of level %u of the "
                   "process was written there",
                   update->StartIndex + i, (unsigned)entry->Segment,
                   (unsigned long long)entry->PageTableAddress, update->PageTableLevel - 1);
            return;
        }
    }
}

/* An entry that was valid and has changed may be remembered by the GPU. */
static void check_flushed(const struct vidmm_audit_event *event)
{
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(event->shadow, command->hContext);

    const struct vidmm_owned_range *stale;

    if (event->record->returned || process == NULL || process->system || command->Flags.Paging ||
        command->Flags.Resubmission)
        return; /* paging may go in the middle of a change, and what was in flight when it began */
    stale = vidmm_ranges_after(&process->stale, 0);
    if (stale != NULL)
        BREACH(event, W_012, "no FlushTlb has followed the change of entries for 0x%llx to 0x%llx",
               (unsigned long long)stale->start, (unsigned long long)stale->end);
}

CHECKER(W_012)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update;

    if (event->record->ddi == VIDMM_DDI_SUBMIT_COMMAND_VIRTUAL) {
        check_flushed(event);
        return;
    }
    update = update_of(event);
    if (update != NULL && update->PageTableLevel > 0 &&
        update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL)
        check_arrays(event, update, check_children);
}

/* ---- Leaves of both sizes ---- */

#define WIDE_ENTRIES 16u /* of a leaf of 4 KiB pages, as many as one of 64 KiB stands for */

static bool is_used(const DXGK_PTE *entry)
{
    return entry->Valid && !entry->Zero;
}

/* The table that an entry leads to, if it is one of the process and of that level. */
static const struct vidmm_shadow_table *below(const struct vidmm_shadow *shadow,
                                              const struct vidmm_shadow_table *table,
                                              const DXGK_PTE *entry)
{
    const struct vidmm_shadow_table *child =
        is_used(entry) && !entry->LargePage
            ? vidmm_shadow_table_at(shadow, entry->Segment, entry->PageTableAddress << PAGE_BITS)
            : NULL;

    return child != NULL && child->process == table->process && child->level + 1 == table->level
               ? child
               : NULL;
}

/* Whether two leaves of the same addresses are valid for the same 64 KiB; *at: which of them. */
static bool overlap(const struct vidmm_shadow_table *narrow, const struct vidmm_shadow_table *wide,
                    UINT *at)
{
    for (UINT i = 0; i < narrow->count; i++) {
        *at = i / WIDE_ENTRIES;
        if (is_used(&narrow->entries[i]) && *at < wide->count && is_used(&wide->entries[*at]))
            return true;
    }
    return false;
}

/* Judge what a table leads to. False: it was breached, which is told once. */
static bool check_leaves(const struct vidmm_audit_event *event,
                         const struct vidmm_shadow_table *table)
{
    bool kept = true;
    UINT at;

    for (UINT i = 0; i < table->count && kept; i++) {
        const struct vidmm_shadow_table *narrow = below(event->shadow, table, &table->entries[i]);
        const struct vidmm_shadow_table *wide =
            i < table->wide_count ? below(event->shadow, table, &table->wide[i]) : NULL;

        if (narrow != NULL && narrow->level > 0)
            kept = check_leaves(event, narrow);
        if (narrow == NULL || wide == NULL || narrow->of_64k || !wide->of_64k ||
            !overlap(narrow, wide, &at))
            continue;
        BREACH(event, D_124,
               "entry %u of a table of level 1 leads to leaves of both sizes, and both have a "
               "valid entry for the range %u of 64 KiB",
               i, at);
        return false;
    }
    return kept;
}

/* Judged when the GPU may go by them: between two records both may be valid. An entry that reads
 * zeroes counts as none, because no page says whether it does. */
CHECKER(D_124)
{
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_process *process =
        vidmm_shadow_process_of_context(event->shadow, command->hContext);
    const struct vidmm_shadow_context *context =
        vidmm_map_find(&event->shadow->contexts, NULL, command->hContext);
    const struct vidmm_shadow_table *root;

    if (event->record->returned || process == NULL || !process->dual || process->unclear ||
        context == NULL || !context->root.set)
        return;
    root = vidmm_shadow_table_at(event->shadow, context->root.address.SegmentId,
                                 context->root.address.SegmentOffset);
    if (root != NULL && root->process == process)
        check_leaves(event, root);
}

/* ---- FlushTlb ---- */

CHECKER(D_127)
{
    const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush = &event->build.asked->FlushTlb;
    const struct vidmm_shadow_table *root;
    const struct vidmm_shadow_process *process;

    if (!begins(event, DXGK_OPERATION_FLUSH_TLB))
        return;
    if (flush->StartVirtualAddress >= flush->EndVirtualAddress &&
        (flush->StartVirtualAddress != 0 || flush->EndVirtualAddress != 0))
        BREACH(event, D_127, "the range is 0x%llx to 0x%llx",
               (unsigned long long)flush->StartVirtualAddress,
               (unsigned long long)flush->EndVirtualAddress);
    process = vidmm_shadow_process(event->shadow, flush->hProcess);
    root = vidmm_shadow_table_at(event->shadow, flush->RootPageTableAddress.SegmentId,
                                 flush->RootPageTableAddress.SegmentOffset);
    if (root == NULL || process == NULL || !event->shadow->mmu.known)
        return; /* written by the CPU, or D-264 says so */
    if (root->process != process || root->level + 1 != event->shadow->mmu.caps.PageTableLevelCount)
        BREACH(event, D_127, "the root is a table of level %u of process 0x%llx", root->level,
               HEX(root->process->handle));
}

/* A FlushTlb after a fill is due whatever was changed (W-020), and so is one after tables were
 * cleared that led somewhere. */
CHECKER(D_128)
{
    const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush = &event->build.asked->FlushTlb;
    const struct vidmm_shadow_process *process;
    const struct vidmm_owned_range *new;
    uint64_t start = flush->StartVirtualAddress, end = flush->EndVirtualAddress;

    if (!begins(event, DXGK_OPERATION_FLUSH_TLB) ||
        !event->shadow->mmu.caps.InvalidTlbEntriesNotCached)
        return;
    process = vidmm_shadow_process_of_flush(event->shadow, flush);
    if (process == NULL || process->unread || process->filled || process->renewed)
        return;
    if (start == 0 && end == 0)
        end = UINT64_MAX;
    new = start < end ? vidmm_ranges_meet(&process->new, start, end) : NULL;
    if (new != NULL && !vidmm_shadow_is_stale(event->shadow, process, start, end - start) &&
        vidmm_ranges_meet(&process->again, start, end) == NULL)
        BREACH(event, D_128, "nothing but invalid entries became valid, at 0x%llx to 0x%llx",
               (unsigned long long)new->start, (unsigned long long)new->end);
}

/* ---- Roots ---- */

CHECKER(D_136)
{
    const DXGKARG_SETROOTPAGETABLE *root = VIDMM_EVENT_ARGUMENT(event, DXGKARG_SETROOTPAGETABLE);
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_context *context;
    const struct vidmm_shadow_table *table;

    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_SET_ROOT_PAGE_TABLE) {
        context = vidmm_map_find(&event->shadow->contexts, NULL, root->hContext);
        if (context != NULL && event->shadow->nodes[context->node].running == root->hContext &&
            !vidmm_shadow_is_idle(event->shadow, context->node))
            BREACH(event, D_136, "node %u has not completed what it runs of the context",
                   context->node);
        return;
    }
    context = vidmm_map_find(&event->shadow->contexts, NULL, command->hContext);
    if (context == NULL || !context->root.set)
        return; /* W-013 */
    table = vidmm_shadow_table_at(event->shadow, context->root.address.SegmentId,
                                  context->root.address.SegmentOffset);
    if (table != NULL &&
        table->process != vidmm_shadow_process_of_context(event->shadow, command->hContext))
        BREACH(event, D_136, "its root has gone: process 0x%llx has a table of level %u there",
               HEX(table->process->handle), table->level);
}

/* The root of the system's context is told at the start, and nothing is submitted then. */
CHECKER(W_013)
{
    const DXGKARG_SETROOTPAGETABLE *root = VIDMM_EVENT_ARGUMENT(event, DXGKARG_SETROOTPAGETABLE);
    const DXGKARG_SUBMITCOMMANDVIRTUAL *command =
        VIDMM_EVENT_ARGUMENT(event, DXGKARG_SUBMITCOMMANDVIRTUAL);
    const struct vidmm_shadow_context *context;
    DXGK_CREATECONTEXTFLAGS flags;

    if (event->record->returned)
        return;
    if (event->record->ddi == VIDMM_DDI_SET_ROOT_PAGE_TABLE) {
        if (vidmm_map_find(&event->shadow->contexts, NULL, root->hContext) == NULL)
            BREACH(event, W_013, "there is no context 0x%llx", HEX(root->hContext));
        return;
    }
    context = vidmm_map_find(&event->shadow->contexts, NULL, command->hContext);
    if (context == NULL || !event->shadow->mmu.supported)
        return;
    flags.Value = context->flags;
    if (!context->root.set)
        BREACH(event, W_013, "the context has no root page table yet");
    else if (!flags.SystemContext && !context->submitted &&
             context->root.builds != event->shadow->builds)
        BREACH(event, W_013,
               "%llu calls of BuildPagingBuffer stand between its root and its first "
               "submission",
               (unsigned long long)(event->shadow->builds - context->root.builds));
}

/* ---- protected ranges ---- */

/* Judge [offset, offset + size) of a segment. On its way out through an aperture content is in no
 * range; and a range that is described wrongly binds nobody. */
static bool is_in_range(const struct vidmm_audit_event *event, const struct vidmm_shadow *shadow,
                        const char *what, unsigned id, uint64_t offset, uint64_t size)
{
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, id);

    if (segment == NULL || vidmm_shadow_is_aperture(shadow, id) || segment->protected_wrongly ||
        (offset >= segment->protected_offset && size <= segment->protected_size &&
         offset - segment->protected_offset <= segment->protected_size - size))
        return true;
    BREACH(event, S3_023,
           "%s: an allocation with CreateInVpr is at offset 0x%llx of segment %u, %llu bytes; the "
           "protected range there has 0x%llx bytes, from 0x%llx on",
           what, (unsigned long long)offset, id, (unsigned long long)size,
           (unsigned long long)segment->protected_size,
           (unsigned long long)segment->protected_offset);
    return false;
}

/* A leaf's entry, or a large page, is where a page of the allocation is. */
static void check_pages_in_range(const struct vidmm_audit_event *event,
                                 const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update,
                                 const DXGK_PTE *entries)
{
    const struct vidmm_shadow_allocation *allocation =
        vidmm_map_find(&event->shadow->allocations, NULL, update->hAllocation);

    if (allocation == NULL || !allocation->for_range)
        return;
    for (UINT i = 0; i < given(update); i++) {
        const DXGK_PTE *entry = &entries[i];

        if (entry->Valid && !entry->Zero && entry->Segment != 0 &&
            (update->PageTableLevel == 0 || entry->LargePage) &&
            !is_in_range(event, shadow_for(event, entry), "an entry of a page table",
                         (unsigned)entry->Segment, (uint64_t)entry->PageAddress << PAGE_BITS, 1))
            return;
    }
}

CHECKER(S3_023)
{
    const struct vidmm_shadow_side *to = &event->build.destination;
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update = update_of(event);
    const struct vidmm_shadow_segment *segment;

    if (event->record->returned || !event->shadow->segments_known)
        return;
    if (update != NULL)
        check_arrays(event, update, check_pages_in_range);
    segment = to->used ? vidmm_shadow_segment(event->shadow, to->segment) : NULL;
    if (segment != NULL && to->start >= segment->base && event->build.allocation != NULL &&
        event->build.allocation->for_range)
        is_in_range(event, event->shadow, "the destination", to->segment, to->start - segment->base,
                    to->size);
}
