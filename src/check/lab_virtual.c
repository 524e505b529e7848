/* lab_virtual.c: the tests of a driver with page tables of its own (GpuMmuSupported).
 *
 *      root --> ... --> leaf table ==> | paging buffers | local pages | system pages | others |
 *        a table a level, one leaf       pages of the paging process' address space
 *
 * The tables are made and linked by UpdatePageTable, the pages mapped, the root set; from then on
 * paging buffers are submitted by address, and FillVirtual and TransferVirtual name nothing else.
 * Then pages are mapped in another order, which is seen by what a transfer brings.
 *
 * The tables are made in the mode CPU_VIRTUAL, as those of the paging process always are; what is
 * mapped anew later, in the mode of the caps. For GPU_VIRTUAL the leaf table is mapped too.
 */
#include "check/lab_space.h"

#include <string.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "check/shim.h"
#include "wddm/level.h"
#include "wddm/mask.h"

#define PAGE VIDMM_PAGE_SIZE
#define LEVELS VIDMM_SPACE_LEVELS
#define RANGE VIDMM_LAB_MAPPED /* pages of each of the three ranges */

/* ---- tables ---- */

static bool query_level(struct vidmm_space *space, unsigned level)
{
    struct vidmm_rig *rig = space->lab->rig;
    DXGK_QUERYPAGETABLELEVELDESCIN in = {.LevelIndex = (WORD)level};
    DXGKARG_QUERYADAPTERINFO arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.Type = DXGKQAITYPE_PAGETABLELEVELDESC;
    arguments.pInputData = &in;
    arguments.InputDataSize = sizeof(in);
    arguments.pOutputData = &space->levels[level];
    arguments.OutputDataSize = sizeof(space->levels[level]);
    status = rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &arguments);
    if (status == STATUS_SUCCESS && space->levels[level].PageTableIndexBitCount > 0 &&
        space->levels[level].PageTableIndexBitCount <= 30)
        return true;
    vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                     "QueryAdapterInfo(PAGETABLELEVELDESC) of level %u of %u: %s, "
                     "PageTableIndexBitCount %u",
                     level, space->count, vidmm_rig_status(status),
                     space->levels[level].PageTableIndexBitCount);
    return false;
}

unsigned vidmm_space_shift(const struct vidmm_space *space, unsigned level)
{
    unsigned shift = VIDMM_PAGE_SHIFT;

    for (unsigned i = 0; i < level; i++)
        shift += space->levels[i].PageTableIndexBitCount;
    return shift;
}

uint32_t vidmm_space_index(const struct vidmm_space *space, unsigned level, uint64_t address)
{
    uint64_t mask = (UINT64_C(1) << space->levels[level].PageTableIndexBitCount) - 1;

    return (uint32_t)(address >> vidmm_space_shift(space, level) & mask);
}

static uint32_t root_entries(const struct vidmm_space *space)
{
    return 1u << space->levels[space->count - 1].PageTableIndexBitCount;
}

uint64_t vidmm_space_root_size(const struct vidmm_space *space, uint32_t entries)
{
    const struct vidmm_rig *rig = space->lab->rig;
    DXGKARG_GETROOTPAGETABLESIZE arguments = {.NumberOfPte = entries};

    return rig->driver->DxgkDdiGetRootPageTableSize(rig->adapter, &arguments);
}

static uint64_t table_size(const struct vidmm_space *space, unsigned level)
{
    const struct vidmm_rig *rig = space->lab->rig;
    uint64_t size = space->levels[level].PageTableSizeInBytes;

    if (level == space->count - 1 && rig->driver->DxgkDdiGetRootPageTableSize && size == 0)
        size = vidmm_space_root_size(space, root_entries(space));
    return (size + PAGE - 1) / PAGE * PAGE;
}

/* The memory for tables of the paging process: a segment that the CPU sees, from its end, or system
 * memory. */
static bool make_table(struct vidmm_space *space, unsigned level, uint64_t *end)
{
    struct vidmm_rig *rig = space->lab->rig;
    struct vidmm_space_table *table = &space->tables[level];
    uint64_t alignment = space->levels[level].PageTableAlignmentInBytes;

    table->size = table_size(space, level);
    table->segment = space->levels[level].PagingProcessPageTableSegmentId;
    alignment = alignment > PAGE ? alignment : PAGE;
    if (table->size == 0 || table->segment > rig->segment_count)
        return false;
    if (table->segment == 0) {
        if (!vidmm_rig_take_pages(rig, table->size, true, &table->pages))
            return false;
        table->offset = table->pages.frames[0] * PAGE;
        table->cpu = table->pages.address;
        return true;
    }
    if (!rig->segments[table->segment].cpu || *end < table->size + alignment)
        return false;
    *end = (*end - table->size) / alignment * alignment;
    table->offset = *end;
    table->cpu = rig->segments[table->segment].cpu + table->offset;
    return true;
}

static DXGK_PAGETABLEUPDATEADDRESS address_of(const struct vidmm_space *space, unsigned level)
{
    const struct vidmm_space_table *table = &space->tables[level];
    DXGK_PAGETABLEUPDATEADDRESS address;

    memset(&address, 0, sizeof(address));
    if (space->mode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL)
        address.GpuPhysical =
            (D3DGPU_PHYSICAL_ADDRESS){.SegmentId = table->segment, .SegmentOffset = table->offset};
    else if (space->mode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL)
        address.GpuVirtual = space->leaf;
    else
        address.CpuVirtual = table->cpu;
    return address;
}

bool vidmm_space_update(struct vidmm_space *space, unsigned level, uint32_t start, uint32_t count,
                        DXGK_PTE *entries, bool repeat, uint64_t address)
{
    struct vidmm_rig *rig = space->lab->rig;
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    a.UpdatePageTable.PageTableLevel = level;
    a.UpdatePageTable.PageTableAddress = address_of(space, level);
    a.UpdatePageTable.pPageTableEntries = entries;
    a.UpdatePageTable.StartIndex = start;
    a.UpdatePageTable.NumPageTableEntries = count;
    a.UpdatePageTable.Flags.Repeat = repeat;
    a.UpdatePageTable.Flags.InitialUpdate = repeat;
    a.UpdatePageTable.hProcess = rig->process;
    a.UpdatePageTable.UpdateMode = space->mode;
    a.UpdatePageTable.FirstPteVirtualAddress = address;
    return vidmm_rig_build(rig, &a) == VIDMM_RIG_BUILT;
}

static D3DGPU_PHYSICAL_ADDRESS root_of(const struct vidmm_space *space)
{
    const struct vidmm_space_table *root = &space->tables[space->count - 1];

    return (D3DGPU_PHYSICAL_ADDRESS){.SegmentId = root->segment, .SegmentOffset = root->offset};
}

bool vidmm_space_flush(struct vidmm_space *space, uint64_t start, uint64_t end)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_FLUSH_TLB;
    a.FlushTlb.RootPageTableAddress = root_of(space);
    a.FlushTlb.hProcess = space->lab->rig->process;
    a.FlushTlb.StartVirtualAddress = start;
    a.FlushTlb.EndVirtualAddress = end;
    return vidmm_rig_build(space->lab->rig, &a) == VIDMM_RIG_BUILT;
}

/* Map pages at an address: page n is `page(n)` of the segment, or of system memory. */
static bool map(struct vidmm_space *space, uint64_t address, uint64_t count, uint32_t segment,
                const uint64_t *frames, uint64_t first, bool backward)
{
    DXGK_PTE entries[RANGE];

    memset(entries, 0, sizeof(entries));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t n = backward ? count - 1 - i : i;

        entries[i].Valid = 1;
        entries[i].Segment = segment & 31;
        entries[i].PageAddress = frames ? frames[n] : first + n;
    }
    return vidmm_space_update(space, 0, vidmm_space_index(space, 0, address), (uint32_t)count,
                              entries, false, address);
}

/* ---- the space ---- */

/* An entry of a table that leads to the one below it. */
static bool link_table(struct vidmm_space *space, unsigned level, uint32_t index)
{
    DXGK_PTE entry;

    memset(&entry, 0, sizeof(entry));
    entry.Valid = 1;
    entry.Segment = space->tables[level - 1].segment & 31;
    entry.PageTableAddress = space->tables[level - 1].offset / PAGE;
    return vidmm_space_update(space, level, index, 1, &entry, false,
                              (uint64_t)index << vidmm_space_shift(space, level));
}

static bool link_tables(struct vidmm_space *space)
{
    for (unsigned level = 0; level < space->count; level++) {
        DXGK_PTE nothing;

        memset(&nothing, 0, sizeof(nothing));
        if (!vidmm_space_update(space, level, 0, 1u << space->levels[level].PageTableIndexBitCount,
                                &nothing, true, 0))
            return false;
    }
    for (unsigned level = 1; level < space->count; level++)
        if (!link_table(space, level, vidmm_space_index(space, level, space->base)))
            return false;
    return true;
}

/* The root of two levels has a second entry that leads to the leaf table: one for which a table of
 * no more than the entries in use has no room. 0: there is none, or the root has a fixed size. */
static uint32_t find_beyond(const struct vidmm_space *space)
{
    uint32_t used = vidmm_space_index(space, space->count - 1, space->base) + 1, entries = 2 * used;

    if (space->count != 2 || !space->lab->rig->driver->DxgkDdiGetRootPageTableSize)
        return 0;
    while (entries < root_entries(space) &&
           vidmm_space_root_size(space, entries) <= vidmm_space_root_size(space, used))
        entries *= 2;
    return entries <= root_entries(space) &&
                   vidmm_space_root_size(space, entries) > vidmm_space_root_size(space, used)
               ? entries - 1
               : 0;
}

static bool link_beyond(struct vidmm_space *space)
{
    space->beyond = find_beyond(space);
    return space->beyond == 0 || link_table(space, 1, space->beyond);
}

static bool map_buffers(struct vidmm_space *space, uint64_t *next)
{
    struct vidmm_rig *rig = space->lab->rig;

    for (uint32_t i = 0; i < rig->buffer_count; i++) {
        const struct vidmm_rig_pages *pages = &rig->buffers[i].pages;

        rig->buffers[i].gpu_address = *next;
        for (uint64_t n = 0; n < pages->count; n++)
            if (!map(space, *next + n * PAGE, 1, 0, pages->frames + n, 0, false))
                return false;
        *next += pages->count * PAGE;
    }
    return true;
}

static bool map_ranges(struct vidmm_space *space, uint64_t next)
{
    struct vidmm_lab *lab = space->lab;

    space->local = next;
    space->system = next + RANGE * PAGE;
    space->other = next + 2 * RANGE * PAGE;
    space->leaf = next + 3 * RANGE * PAGE;
    space->memory_offset = lab->rig->segments[lab->memory].size / 2 / PAGE * PAGE;
    return vidmm_rig_take_pages(lab->rig, RANGE * PAGE, false, &space->pages[0]) &&
           vidmm_rig_take_pages(lab->rig, RANGE * PAGE, false, &space->pages[1]) &&
           map(space, space->local, RANGE, lab->memory, NULL, space->memory_offset / PAGE, false) &&
           map(space, space->system, RANGE, 0, space->pages[0].frames, 0, false) &&
           map(space, space->other, RANGE, 0, space->pages[1].frames, 0, false) &&
           map(space, space->leaf, space->tables[0].size / PAGE, space->tables[0].segment, NULL,
               space->tables[0].offset / PAGE, false);
}

void vidmm_space_set_root(struct vidmm_space *space, uint32_t entries)
{
    struct vidmm_rig *rig = space->lab->rig;
    const DXGKARG_SETROOTPAGETABLE arguments = {
        .hContext = rig->system_context, .Address = root_of(space), .NumEntries = entries};
    struct vidmm_board_call *call = vidmm_shim_enter("DxgkDdiSetRootPageTable");

    rig->driver->DxgkDdiSetRootPageTable(rig->adapter, &arguments);
    vidmm_board_leave(call);
}

static const char *make_space(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;
    uint64_t end[VIDMM_RIG_SEGMENTS], next, entries;

    for (uint32_t id = 0; id < VIDMM_RIG_SEGMENTS; id++)
        end[id] = rig->segments[id].size;
    for (unsigned level = 0; level < space->count; level++)
        if (!query_level(space, level))
            return "a level of the page tables is not described";
    for (unsigned level = 0; level < space->count; level++)
        if (!make_table(space, level,
                        &end[space->levels[level].PagingProcessPageTableSegmentId % 33]))
            return "page tables of the paging process have no room that the CPU can write to";
    entries = UINT64_C(1) << space->levels[0].PageTableIndexBitCount;
    if (space->tables[0].size / PAGE > RANGE ||
        entries < rig->buffer_count * rig->buffers[0].pages.count + 4 * RANGE + 16)
        return "a leaf page table has fewer entries than are needed here";
    space->base = space->count > 1 ? entries * PAGE : 0;
    next = space->base + 16 * PAGE; /* 0 is no address */
    if (!link_tables(space) || !link_beyond(space) || !map_buffers(space, &next) ||
        !map_ranges(space, next) || !vidmm_space_flush(space, 0, 0))
        return "the page tables are not complete";
    vidmm_space_set_root(space, root_entries(space));
    space->mode = rig->mmu.PageTableUpdateMode;
    return vidmm_rig_finish(rig) ? NULL : "the page tables are not complete";
}

static void finish_space(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;

    for (unsigned level = 0; level < LEVELS; level++)
        vidmm_rig_give_pages(rig, &space->tables[level].pages);
    vidmm_rig_give_pages(rig, &space->pages[0]);
    vidmm_rig_give_pages(rig, &space->pages[1]);
}

/* ---- operations ---- */

bool vidmm_space_transfer(struct vidmm_space *space, uint64_t from, uint64_t to, uint64_t pages)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_VIRTUAL_TRANSFER;
    a.TransferVirtual.hAllocation = space->named;
    a.TransferVirtual.TransferSizeInBytes = pages * PAGE;
    a.TransferVirtual.SourceVirtualAddress = from;
    a.TransferVirtual.DestinationVirtualAddress = to;
    a.TransferVirtual.TransferDirection = to == space->local ? DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL
                                                             : DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM;
    return vidmm_rig_build(space->lab->rig, &a) == VIDMM_RIG_BUILT &&
           vidmm_rig_finish(space->lab->rig);
}

static void fill(struct vidmm_space *space, uint64_t pages, uint32_t pattern)
{
    struct vidmm_lab *lab = space->lab;
    uint8_t *bytes = space->pages[1].address;
    DXGKARG_BUILDPAGINGBUFFER a;
    uint64_t wrong = 0;

    vidmm_board_operation(lab->rig->board, "FillVirtual of %llu pages with 0x%08x",
                          (unsigned long long)pages, pattern);
    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_VIRTUAL_FILL;
    a.FillVirtual.FillSizeInBytes = pages * PAGE;
    a.FillVirtual.FillPattern = pattern;
    a.FillVirtual.DestinationVirtualAddress = space->local;
    vidmm_lab_fill(bytes, RANGE * PAGE, vidmm_lab_seed(lab));
    if (vidmm_rig_build(lab->rig, &a) != VIDMM_RIG_BUILT || !vidmm_rig_finish(lab->rig) ||
        !vidmm_space_transfer(space, space->local, space->other, pages))
        return;
    for (uint64_t i = 0; i < pages * PAGE; i += sizeof(pattern))
        wrong += memcmp(bytes + i, &pattern, sizeof(pattern)) != 0;
    vidmm_board_step(lab->rig->board)->bytes += pages * PAGE;
    if (wrong)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_CONTENT, lab->rig->record,
                         "what was filled, fetched by TransferVirtual: 0x%llx of 0x%llx bytes are "
                         "not 0x%08x",
                         (unsigned long long)wrong * 4, (unsigned long long)(pages * PAGE),
                         pattern);
}

/* The local pages hold a pattern: they are fetched. */
static void fetch(struct vidmm_space *space, uint64_t pages, uint64_t seed, uint64_t old,
                  const char *at)
{
    if (vidmm_space_transfer(space, space->local, space->other, pages))
        vidmm_lab_expect(space->lab, VIDMM_CHECK_CONTENT, space->pages[1].address, pages * PAGE,
                         seed, old, at);
}

/* There and back; the bytes behind the part stay. */
static void there_and_back(struct vidmm_space *space, uint64_t pages)
{
    struct vidmm_lab *lab = space->lab;
    uint64_t seed = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab), rest = (RANGE - pages) * PAGE;
    uint8_t *back = space->pages[1].address;
    const uint8_t *cpu = lab->rig->segments[lab->memory].cpu;

    vidmm_board_operation(lab->rig->board, "TransferVirtual of %llu pages, there and back",
                          (unsigned long long)pages);
    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, seed);
    vidmm_lab_fill(back, pages * PAGE, junk);
    vidmm_lab_fill(back + pages * PAGE, rest, junk);
    if (!vidmm_space_transfer(space, space->system, space->local, pages))
        return;
    if (cpu)
        vidmm_lab_expect(lab, VIDMM_CHECK_CONTENT, cpu + space->memory_offset, pages * PAGE, seed,
                         0, "in the segment");
    fetch(space, pages, seed, junk, "in the system pages");
    if (rest)
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, back + pages * PAGE, rest, junk, 0,
                         "behind the system pages");
}

/* The local pages in the opposite order: the bytes fetched are too. */
static void remap(struct vidmm_space *space)
{
    struct vidmm_lab *lab = space->lab;
    uint8_t expected[RANGE * PAGE];
    uint64_t seed = vidmm_lab_seed(lab), wrong = 0;

    vidmm_board_operation(lab->rig->board, "UpdatePageTable: the same pages in another order");
    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, seed);
    for (uint64_t i = 0; i < RANGE; i++)
        memcpy(expected + i * PAGE, space->pages[0].address + (RANGE - 1 - i) * PAGE, PAGE);
    if (!vidmm_space_transfer(space, space->system, space->local, RANGE) ||
        !map(space, space->local, RANGE, lab->memory, NULL, space->memory_offset / PAGE, true) ||
        !vidmm_space_flush(space, space->local, space->local + RANGE * PAGE) ||
        !vidmm_space_transfer(space, space->local, space->other, RANGE))
        return;
    for (uint64_t i = 0; i < RANGE; i++)
        wrong += memcmp(space->pages[1].address + i * PAGE, expected + i * PAGE, PAGE) != 0;
    vidmm_board_step(lab->rig->board)->bytes += RANGE * PAGE;
    if (wrong)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_PAGE_TABLE, lab->rig->record,
                         "%llu pages were mapped anew, and %llu of them are not found where they "
                         "are mapped now",
                         (unsigned long long)RANGE, (unsigned long long)wrong);
}

/* The entries of the local pages say where these are, and that they are invalid, or zero. */
bool vidmm_space_map_local(struct vidmm_space *space, bool valid, bool zero)
{
    struct vidmm_lab *lab = space->lab;
    DXGK_PTE entries[RANGE];

    memset(entries, 0, sizeof(entries));
    for (uint64_t i = 0; i < RANGE; i++) {
        entries[i].Valid = valid;
        entries[i].Zero = zero;
        entries[i].Segment = lab->memory & 31;
        entries[i].PageAddress = space->memory_offset / PAGE + i;
    }
    return vidmm_space_update(space, 0, vidmm_space_index(space, 0, space->local), RANGE, entries,
                              false, space->local) &&
           vidmm_space_flush(space, space->local, space->local + RANGE * PAGE);
}

/* The bytes of the range that are not 0. */
static uint64_t count_bytes(const uint8_t *bytes)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < RANGE * PAGE; i++)
        count += bytes[i] != 0;
    return count;
}

/* obeys D-122: entries that say zero read zeroes, and what is written there goes nowhere. */
static void zeroes(struct vidmm_space *space)
{
    struct vidmm_lab *lab = space->lab;
    uint64_t kept = vidmm_lab_seed(lab), lost = vidmm_lab_seed(lab), junk = vidmm_lab_seed(lab), at;
    uint8_t *bytes = space->pages[1].address;

    if (!lab->rig->mmu.ZeroInPteSupported)
        return;
    vidmm_board_operation(lab->rig->board, "UpdatePageTable: entries with Valid and Zero");
    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, kept);
    vidmm_lab_fill(bytes, RANGE * PAGE, junk);
    if (!vidmm_space_map_local(space, true, false) ||
        !vidmm_space_transfer(space, space->system, space->local, RANGE) ||
        !vidmm_space_map_local(space, true, true))
        return;
    vidmm_lab_fill(space->pages[0].address, RANGE * PAGE, lost);
    if (!vidmm_space_transfer(space, space->system, space->local, RANGE) ||
        !vidmm_space_transfer(space, space->local, space->other, RANGE))
        return;
    if (count_bytes(bytes) != 0)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_D_122, true,
                         "of %llu bytes that were read by entries with Valid and Zero, %llu are "
                         "not 0",
                         (unsigned long long)(RANGE * PAGE),
                         (unsigned long long)count_bytes(bytes));
    if (!vidmm_space_map_local(space, true, false) ||
        !vidmm_space_transfer(space, space->local, space->other, RANGE))
        return;
    at = vidmm_lab_match(bytes, RANGE * PAGE, kept);
    if (at < RANGE * PAGE)
        vidmm_rig_breach(lab->rig, VIDMM_RULE_D_122, true,
                         "what was written by entries with Valid and Zero is not lost: byte 0x%llx "
                         "of the pages behind them has changed",
                         (unsigned long long)at);
    vidmm_board_step(lab->rig->board)->bytes += 2 * RANGE * PAGE;
}

/* A process of a program, with which nothing is done. False: the driver makes none. */
static bool make_and_end_process(struct vidmm_rig *rig, HANDLE *process)
{
    ULONG pasid = 0;
    DXGKARG_CREATEPROCESS arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hDxgkProcess = (HANDLE)(uintptr_t)0x21;
    arguments.NumPasid = 1; /* obeys W-008: a driver must bear it */
    arguments.pPasid = &pasid;
    if (rig->dead || !rig->driver->DxgkDdiCreateProcess || !rig->driver->DxgkDdiDestroyProcess)
        return false;
    status = rig->driver->DxgkDdiCreateProcess(rig->adapter, &arguments);
    if (status != STATUS_SUCCESS) {
        vidmm_check_find(rig->board, VIDMM_CHECK_REFUSED, "",
                         "DxgkDdiCreateProcess of a program's process answered %s",
                         vidmm_rig_status(status));
        return false;
    }
    *process = arguments.hKmdProcess;
    rig->driver->DxgkDdiDestroyProcess(rig->adapter, *process);
    return true;
}

/* obeys W-014: an entry of the last page of the leaf is taken back for a process that has gone, and
 * a table that is no root of a context is flushed like one. */
static void bear_what_is_gone(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;
    const HANDLE process = rig->process;
    const uint32_t last = (1u << space->levels[0].PageTableIndexBitCount) - 1;
    const struct vidmm_space_table *root = &space->tables[space->count - 1];
    const struct vidmm_space_table kept = *root;
    DXGK_PTE nothing;
    HANDLE gone;

    memset(&nothing, 0, sizeof(nothing));
    vidmm_board_operation(rig->board, "UpdatePageTable for a process that has gone");
    if (!make_and_end_process(rig, &gone)) {
        vidmm_board_skip(rig->board, "the driver makes no process");
        return;
    }
    rig->of_what_is_gone = true;
    rig->process = gone;
    vidmm_space_update(space, 0, last, 1, &nothing, false, 0);
    rig->process = process;
    vidmm_board_operation(rig->board, "FlushTlb for a root that no hardware uses");
    space->tables[space->count - 1] = space->tables[0];
    vidmm_space_flush(space, 0, 0);
    space->tables[space->count - 1] = kept;
    rig->of_what_is_gone = false;
    vidmm_rig_finish(rig);
}

/* ---- operations that tell ---- */

static bool notify(struct vidmm_space *space, const struct vidmm_rig_allocation *allocation,
                   bool resident)
{
    DXGKARG_BUILDPAGINGBUFFER a;

    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_NOTIFY_RESIDENCY;
    a.NotifyResidency.hAllocation = allocation->kmd;
    a.NotifyResidency.PhysicalAddress.SegmentId = space->lab->memory;
    a.NotifyResidency.PhysicalAddress.SegmentOffset = space->memory_offset;
    a.NotifyResidency.Resident = resident;
    return vidmm_rig_build(space->lab->rig, &a) == VIDMM_RIG_BUILT &&
           vidmm_rig_finish(space->lab->rig);
}

/* For allocations that wish it: it came, and it goes; the bytes stay as they are. */
static void residency(struct vidmm_space *space)
{
    struct vidmm_lab *lab = space->lab;
    struct vidmm_rig_allocation *allocation = vidmm_rig_create(lab->rig, RANGE * PAGE);
    uint8_t *cpu = lab->rig->segments[lab->memory].cpu;
    uint64_t seed = vidmm_lab_seed(lab);

    if (!allocation || !allocation->info.FlagsWddm2.ExplicitResidencyNotification ||
        !allocation->info.FlagsWddm2.AccessedPhysically || allocation->size > RANGE * PAGE) {
        vidmm_board_skip(lab->rig->board, "the driver's allocations do not ask for it "
                                          "(ExplicitResidencyNotification, AccessedPhysically)");
        vidmm_rig_destroy(lab->rig, allocation);
        return;
    }
    vidmm_board_operation(lab->rig->board, "NotifyResidency of %llu KiB, there and gone",
                          (unsigned long long)(allocation->size >> 10));
    if (cpu)
        vidmm_lab_fill(cpu + space->memory_offset, allocation->size, seed);
    if (notify(space, allocation, true) && notify(space, allocation, false) && cpu)
        vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, cpu + space->memory_offset, allocation->size,
                         seed, 0, "in the allocation");
    vidmm_rig_destroy(lab->rig, allocation);
}

/* Eight bytes appear at an address, and nothing around them. */
static void signal_fence(struct vidmm_space *space)
{
    struct vidmm_lab *lab = space->lab;
    uint8_t *bytes = space->pages[1].address;
    uint64_t seed = vidmm_lab_seed(lab), value = 0x0123456789ABCDEF, found;
    DXGKARG_BUILDPAGINGBUFFER a;

    if (lab->rig->level < VIDMM_LEVEL(2, 2) || !lab->rig->driver->DxgkDdiSubmitCommandToHwQueue) {
        vidmm_board_skip(lab->rig->board, "the driver has no hardware queues");
        return;
    }
    vidmm_board_operation(lab->rig->board, "SignalMonitoredFence");
    vidmm_lab_fill(bytes, PAGE, seed);
    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_SIGNAL_MONITORED_FENCE;
    a.SignalMonitoredFence.MonitoredFenceGpuVa = space->other;
    a.SignalMonitoredFence.MonitoredFenceValue = value;
    if (vidmm_rig_build(lab->rig, &a) != VIDMM_RIG_BUILT || !vidmm_rig_finish(lab->rig))
        return;
    memcpy(&found, bytes, sizeof(found));
    vidmm_lab_fill(bytes, sizeof(found), seed); /* its present value, whatever it is */
    vidmm_lab_expect(lab, VIDMM_CHECK_OUTSIDE, bytes, PAGE, seed, 0, "around the fence");
    if (found != value)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_CONTENT, lab->rig->record,
                         "at MonitoredFenceGpuVa is 0x%llx and not 0x%llx",
                         (unsigned long long)found, (unsigned long long)value);
}

/* Build it and wait, as DxgkCbUpdateContextAllocation promises. Only the driver knows the bytes
 * written; those around them must stay. */
static NTSTATUS update_context(void *argument,
                               const struct vidmm_rig_context_allocation *allocation,
                               const void *data, uint32_t size)
{
    struct vidmm_space *space = argument;
    static uint8_t expected[RANGE * PAGE];
    struct vidmm_lab *lab = space->lab;
    uint8_t *bytes = space->pages[1].address;
    uint64_t seed = vidmm_lab_seed(lab), end = PAGE + (allocation->size + 7) / 8 * 8;
    DXGKARG_BUILDPAGINGBUFFER a;

    if (end > (RANGE - 1) * PAGE) {
        vidmm_board_skip(lab->rig->board,
                         "an allocation of a context has %llu bytes: too many here",
                         (unsigned long long)allocation->size);
        return STATUS_NO_MEMORY;
    }
    vidmm_board_operation(lab->rig->board, "UpdateContextAllocation of %llu bytes",
                          (unsigned long long)allocation->size);
    vidmm_lab_fill(bytes, RANGE * PAGE, seed);
    memset(&a, 0, sizeof(a));
    a.Operation = DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION;
    a.UpdateContextAllocation.ContextAllocation = space->other + PAGE;
    a.UpdateContextAllocation.ContextAllocationSize = allocation->size;
    a.UpdateContextAllocation.pDriverPrivateData = (PVOID)(uintptr_t)data;
    a.UpdateContextAllocation.DriverPrivateDataSize = size;
    if (vidmm_rig_build(lab->rig, &a) != VIDMM_RIG_BUILT || !vidmm_rig_finish(lab->rig))
        return STATUS_UNSUCCESSFUL;
    vidmm_lab_fill(expected, sizeof(expected), seed);
    memcpy(expected + PAGE, bytes + PAGE, end - PAGE); /* their present values */
    vidmm_board_step(lab->rig->board)->bytes += sizeof(expected);
    if (memcmp(bytes, expected, sizeof(expected)) != 0)
        vidmm_check_find(lab->rig->board, VIDMM_CHECK_OUTSIDE, lab->rig->record,
                         "bytes around the allocation of %llu bytes have changed",
                         (unsigned long long)allocation->size);
    return STATUS_SUCCESS;
}

/* A context, for which the driver may ask for it. */
static void update_contexts(struct vidmm_space *space)
{
    struct vidmm_rig *rig = space->lab->rig;
    unsigned before = vidmm_lab_context_allocations(rig);
    HANDLE context;

    if (rig->dead)
        return;
    if (!rig->multi_engine || !rig->driver->DxgkDdiCreateContext ||
        !rig->driver->DxgkDdiDestroyContext) {
        vidmm_board_skip(rig->board, "the driver knows no contexts");
        return;
    }
    vidmm_board_operation(rig->board, "a context with its allocations");
    context = vidmm_lab_create_context(rig);
    if (vidmm_board_step(rig->board)->operations == 0)
        vidmm_board_skip(rig->board,
                         "the driver does not ask for it (DxgkCbUpdateContextAllocation)");
    if (context) /* a dead rig, too: what is not given back would be called the driver's leak */
        vidmm_lab_destroy_context(rig, context, before);
}

static void try_operations(struct vidmm_space *space)
{
    static const uint64_t sizes[] = {1, 3, RANGE};
    struct vidmm_board *board = space->lab->rig->board;

    if (vidmm_board_try(board, "FillVirtual"))
        for (unsigned i = 0; i < 3; i++)
            fill(space, sizes[i], i == 1 ? 0x12345678u : 0);
    if (vidmm_board_try(board, "TransferVirtual"))
        for (unsigned i = 0; i < 3; i++)
            there_and_back(space, sizes[i]);
    vidmm_check_protected_space(space);
    if (vidmm_board_try(board, "UpdatePageTable, FlushTlb")) {
        remap(space);
        zeroes(space);
        bear_what_is_gone(space);
    }
    if (vidmm_board_try(board, "NotifyResidency"))
        residency(space);
    if (vidmm_board_try(board, "SignalMonitoredFence"))
        signal_fence(space);
}

static void sleep_and_wake(struct vidmm_space *space)
{
    struct vidmm_lab *lab = space->lab;
    const char *why =
        lab->rig->driver->DxgkDdiSetPowerState ? NULL : "there is no DxgkDdiSetPowerState";

    for (unsigned way = 0; !why && !lab->rig->dead; way++) {
        uint64_t at = vidmm_lab_kept(lab, space->memory_offset, RANGE * PAGE, way);
        uint64_t seed = vidmm_space_put_kept(space, at);

        if (!vidmm_lab_power(lab, way))
            return;
        finish_space(space); /* the tables are written anew, as Windows does */
        *space = (struct vidmm_space){.lab = lab, .count = space->count};
        why = make_space(space);
        if (!why && seed != 0)
            vidmm_space_judge_kept(space, at, seed);
        if (!why)
            there_and_back(space, RANGE);
    }
    if (why)
        vidmm_board_skip(lab->rig->board, "%s", why);
}

void vidmm_check_virtual(struct vidmm_lab *lab)
{
    struct vidmm_space space;
    const char *why;

    memset(&space, 0, sizeof(space));
    space.lab = lab;
    space.count = lab->rig->mmu.PageTableLevelCount;
    vidmm_board_begin(lab->rig->board, "page tables");
    why = space.count == 0 || space.count > LEVELS ? "PageTableLevelCount: 1 to 8"
          : !lab->memory                           ? "there is no memory segment"
                                                   : make_space(&space);
    if (why) {
        vidmm_board_skip(lab->rig->board, "%s", why);
        finish_space(&space);
        return;
    }
    try_operations(&space);
    lab->rig->update = update_context;
    lab->rig->update_argument = &space;
    if (vidmm_board_try(lab->rig->board, "UpdateContextAllocation"))
        update_contexts(&space);
    vidmm_check_context(lab, space.local);
    lab->rig->update = NULL;
    if (!lab->rig->dead && vidmm_rig_finish(lab->rig) &&
        vidmm_board_try(lab->rig->board, "power down, power up"))
        sleep_and_wake(&space);
    vidmm_check_nowhere(&space);
    finish_space(&space);
}
