/* journal.c: paging operations as text.
 *
 * Addresses have 12 digits, so that they compare as words do.
 *
 * Operations are submitted in the order in which they were built, so that a submission of so many
 * bytes carries the oldest ones that wrote as many. `waiting` is the queue of those that no fence
 * carries yet; an operation that wrote nothing waits for none.
 */
#include "check/journal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/board.h"
#include "wddm/status.h"

#define LINE 65536u
#define WAITING 4096u
#define NONE "fence=none      "

struct waiting {
    uint32_t bytes;
    off_t fence; /* where its fence stands in the file */
};

static struct {
    pthread_mutex_t lock;
    int file; /* -1: there is none */
    off_t end;
    uint64_t count; /* of operations */
    char line[LINE];
    size_t used;
    struct waiting waiting[WAITING];
    unsigned first, waits;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

bool vidmm_journal_open(struct vidmm_board *board, const char *path)
{
    if (!path)
        return true;
    bool goes_on = board->steps_before > 0; /* behind what a child before this one has written */

    journal.file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (goes_on ? 0 : O_TRUNC), 0666);
    journal.end = goes_on && journal.file >= 0 ? lseek(journal.file, 0, SEEK_END) : 0;
    return journal.file >= 0 || vidmm_board_problem(board, "--journal: %s cannot be written", path);
}

void vidmm_journal_close(void)
{
    if (journal.file >= 0)
        close(journal.file);
    journal.file = -1;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list arguments;
    int size;

    va_start(arguments, format);
    size = vsnprintf(journal.line + journal.used, LINE - journal.used, format, arguments);
    va_end(arguments);
    if (size > 0)
        journal.used += (size_t)size;
    if (journal.used > LINE - 64) /* the end of a line has its room */
        journal.used = LINE - 64;
}

static void put_range(const char *name, uint64_t first, uint64_t size)
{
    put(" %s=0x%012llx..0x%012llx", name, (unsigned long long)first,
        (unsigned long long)(first + size));
}

static void put_handle(const char *name, const void *handle)
{
    put(" %s=0x%llx", name, (unsigned long long)(uintptr_t)handle);
}

/* Bytes of a segment; of segment 0, pages of system memory. */
static void put_place(const char *name, uint32_t segment, uint64_t first, uint64_t size)
{
    put(" %s=%u:0x%012llx..0x%012llx", name, segment, (unsigned long long)first,
        (unsigned long long)(first + size));
}

/* The pages of a list, as runs. */
static void put_pages(const char *name, const MDL *mdl, uint64_t first, uint64_t count)
{
    const PFN_NUMBER *frames = mdl ? MmGetMdlPfnArray(mdl) : NULL;

    for (uint64_t i = 0, run; frames && i < count; i += run) {
        for (run = 1; i + run < count && frames[first + i + run] == frames[first + i] + run;)
            run++;
        put_place(name, 0, frames[first + i] * VIDMM_PAGE_SIZE, run * VIDMM_PAGE_SIZE);
    }
}

/* One end of a transfer: pages of the list, or bytes of the segment. */
static void put_end(const char *name, uint32_t segment, const MDL *mdl, uint64_t mdl_page,
                    uint64_t address, uint64_t size)
{
    if (segment == 0)
        put_pages(name, mdl, mdl_page, (size + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE);
    else
        put_place(name, segment, address, size);
}

/* ---- operations ------------------------------------------------------------------------------ */

static void put_transfer(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    uint64_t size = a->Transfer.TransferSize, offset = a->Transfer.TransferOffset;

    put_handle("allocation", a->Transfer.hAllocation);
    put_range("bytes", offset, size);
    put_end("from", a->Transfer.Source.SegmentId, a->Transfer.Source.pMdl, a->Transfer.MdlOffset,
            (uint64_t)a->Transfer.Source.SegmentAddress.QuadPart + offset, size);
    put_end("to", a->Transfer.Destination.SegmentId, a->Transfer.Destination.pMdl,
            a->Transfer.MdlOffset,
            (uint64_t)a->Transfer.Destination.SegmentAddress.QuadPart + offset, size);
}

static void put_map(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    put_handle("allocation", a->MapApertureSegment.hAllocation);
    put_place("at", a->MapApertureSegment.SegmentId,
              a->MapApertureSegment.OffsetInPages * VIDMM_PAGE_SIZE,
              a->MapApertureSegment.NumberOfPages * VIDMM_PAGE_SIZE);
    put_pages("page", a->MapApertureSegment.pMdl, a->MapApertureSegment.MdlOffset,
              a->MapApertureSegment.NumberOfPages);
}

static void put_unmap(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    put_handle("allocation", a->UnmapApertureSegment.hAllocation);
    put_place("at", a->UnmapApertureSegment.SegmentId,
              a->UnmapApertureSegment.OffsetInPages * VIDMM_PAGE_SIZE,
              a->UnmapApertureSegment.NumberOfPages * VIDMM_PAGE_SIZE);
}

static bool are_neighbours(const DXGK_PTE *one, const DXGK_PTE *next)
{
    return one->Flags == next->Flags && next->PageAddress == one->PageAddress + 1;
}

/* The places that entries name, as runs; invalid ones are said to be so. */
static void put_entries(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *u)
{
    uint32_t count = u->Flags.Repeat ? 1 : u->NumPageTableEntries, run;
    const DXGK_PTE *entries = u->pPageTableEntries;

    for (uint32_t i = 0; entries && i < count; i += run) {
        bool valid = entries[i].Valid;

        for (run = 1; i + run < count && valid == entries[i + run].Valid &&
                      (!valid || are_neighbours(&entries[i + run - 1], &entries[i + run]));)
            run++;
        if (valid)
            put_place(u->PageTableLevel == 0 || entries[i].LargePage ? "page" : "below",
                      (uint32_t)entries[i].Segment, entries[i].PageAddress * VIDMM_PAGE_SIZE,
                      (uint64_t)run * VIDMM_PAGE_SIZE);
        else
            put(" invalid=%u", u->Flags.Repeat ? u->NumPageTableEntries : run);
    }
}

static void put_update(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *u)
{
    put_handle("process", u->hProcess);
    put(" level=%u entries=%u..%u va=0x%012llx", u->PageTableLevel, u->StartIndex,
        u->StartIndex + u->NumPageTableEntries, (unsigned long long)u->FirstPteVirtualAddress);
    if (u->PageTableLevel == 0)
        put("..0x%012llx", (unsigned long long)u->FirstPteVirtualAddress +
                               (unsigned long long)u->NumPageTableEntries *
                                   (u->Flags.Use64KBPages ? 16 : 1) * VIDMM_PAGE_SIZE);
    if (u->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL)
        put(" table=%u:0x%012llx", u->PageTableAddress.GpuPhysical.SegmentId,
            (unsigned long long)u->PageTableAddress.GpuPhysical.SegmentOffset);
    else
        put(" table=%s:0x%012llx",
            u->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL ? "cpu" : "gpu",
            (unsigned long long)u->PageTableAddress.GpuVirtual);
    put_handle("allocation", u->hAllocation);
    put_entries(u);
}

/* By addresses, which are those of the process that pages. */
static bool put_virtual(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    switch (a->Operation) {
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        put(" process=paging");
        put_handle("allocation", a->TransferVirtual.hAllocation);
        put_range("bytes", a->TransferVirtual.AllocationOffsetInBytes,
                  a->TransferVirtual.TransferSizeInBytes);
        put_range("from", a->TransferVirtual.SourceVirtualAddress,
                  a->TransferVirtual.TransferSizeInBytes);
        put_range("to", a->TransferVirtual.DestinationVirtualAddress,
                  a->TransferVirtual.TransferSizeInBytes);
        return true;
    case DXGK_OPERATION_VIRTUAL_FILL:
        put(" process=paging pattern=0x%08x", a->FillVirtual.FillPattern);
        put_handle("allocation", a->FillVirtual.hAllocation);
        put_range("to", a->FillVirtual.DestinationVirtualAddress, a->FillVirtual.FillSizeInBytes);
        return true;
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        put_update(&a->UpdatePageTable);
        return true;
    case DXGK_OPERATION_FLUSH_TLB:
        put_handle("process", a->FlushTlb.hProcess);
        put(" va=0x%012llx..0x%012llx root=%u:0x%012llx",
            (unsigned long long)a->FlushTlb.StartVirtualAddress,
            (unsigned long long)a->FlushTlb.EndVirtualAddress,
            a->FlushTlb.RootPageTableAddress.SegmentId,
            (unsigned long long)a->FlushTlb.RootPageTableAddress.SegmentOffset);
        return true;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        put_handle("allocation", a->NotifyResidency.hAllocation);
        put(" resident=%u at=%u:0x%012llx", a->NotifyResidency.Resident,
            a->NotifyResidency.PhysicalAddress.SegmentId,
            (unsigned long long)a->NotifyResidency.PhysicalAddress.SegmentOffset);
        return true;
    default:
        return false;
    }
}

static void put_physical(const DXGKARG_BUILDPAGINGBUFFER *a)
{
    switch (a->Operation) {
    case DXGK_OPERATION_TRANSFER:
        put_transfer(a);
        break;
    case DXGK_OPERATION_FILL:
        put(" pattern=0x%08x", a->Fill.FillPattern);
        put_handle("allocation", a->Fill.hAllocation);
        put_place("to", a->Fill.Destination.SegmentId,
                  (uint64_t)a->Fill.Destination.SegmentAddress.QuadPart, a->Fill.FillSize);
        break;
    case DXGK_OPERATION_DISCARD_CONTENT:
        put_handle("allocation", a->DiscardContent.hAllocation);
        put(" at=%u:0x%012llx", a->DiscardContent.SegmentId,
            (unsigned long long)a->DiscardContent.SegmentAddress.QuadPart);
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        put_map(a);
        break;
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        put_unmap(a);
        break;
    default:
        break;
    }
}

static const char *operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    static const char *const names[] = {"TRANSFER",
                                        "FILL",
                                        "DISCARD_CONTENT",
                                        "READ_PHYSICAL",
                                        "WRITE_PHYSICAL",
                                        "MAP_APERTURE_SEGMENT",
                                        "UNMAP_APERTURE_SEGMENT",
                                        "SPECIAL_LOCK_TRANSFER",
                                        "VIRTUAL_TRANSFER",
                                        "VIRTUAL_FILL",
                                        "INIT_CONTEXT_RESOURCE",
                                        "UPDATE_PAGE_TABLE",
                                        "FLUSH_TLB",
                                        "UPDATE_CONTEXT_ALLOCATION",
                                        "COPY_PAGE_TABLE_ENTRIES",
                                        "NOTIFY_RESIDENCY",
                                        "SIGNAL_MONITORED_FENCE",
                                        "MAP_APERTURE_SEGMENT2",
                                        "NOTIFY_FENCE_RESIDENCY",
                                        "MAP_MMU",
                                        "UNMAP_MMU",
                                        "NOTIFY_RESIDENCY2",
                                        "NOTIFY_ALLOC"};
    static char number[32];

    if ((unsigned)operation < sizeof(names) / sizeof(names[0]))
        return names[operation];
    snprintf(number, sizeof(number), "OPERATION_%u", (unsigned)operation);
    return number;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void write_line(uint32_t bytes)
{
    off_t fence = journal.end + (off_t)journal.used + 1;

    journal.used +=
        (size_t)snprintf(journal.line + journal.used, LINE - journal.used, " %s\n", NONE);
    if (pwrite(journal.file, journal.line, journal.used, journal.end) < 0)
        return; /* the disk is full: the check goes on */
    journal.end += (off_t)journal.used;
    if (bytes != 0 && journal.waits < WAITING)
        journal.waiting[(journal.first + journal.waits++) % WAITING] =
            (struct waiting){bytes, fence};
}

void vidmm_journal_built(const DXGKARG_BUILDPAGINGBUFFER *asked,
                         const DXGKARG_BUILDPAGINGBUFFER *answered, NTSTATUS status)
{
    uint32_t bytes =
        (uint32_t)((const uint8_t *)answered->pDmaBuffer - (const uint8_t *)asked->pDmaBuffer);
    struct vidmm_text text;
    char name[64];

    if (journal.file < 0)
        return;
    vidmm_text_init(&text, name, sizeof(name));
    vidmm_status_print(&text, status);
    pthread_mutex_lock(&journal.lock);
    journal.used = 0;
    put("%llu %s %s", (unsigned long long)++journal.count, operation_name(asked->Operation), name);
    if (!put_virtual(asked))
        put_physical(asked);
    put(" wrote=%u", bytes);
    write_line(bytes);
    pthread_mutex_unlock(&journal.lock);
}

void vidmm_journal_submitted(uint32_t bytes, uint32_t fence)
{
    char word[sizeof(NONE)];

    if (journal.file < 0)
        return;
    snprintf(word, sizeof(word), "fence=0x%08x", fence);
    pthread_mutex_lock(&journal.lock);
    while (journal.waits > 0 && bytes >= journal.waiting[journal.first].bytes) {
        bytes -= journal.waiting[journal.first].bytes;
        if (pwrite(journal.file, word, sizeof(NONE) - 1, journal.waiting[journal.first].fence) < 0)
            break;
        journal.first = (journal.first + 1) % WAITING;
        journal.waits--;
    }
    pthread_mutex_unlock(&journal.lock);
}
