/* test_softgpu_tables.h: a system in small for a software GPU with page tables: address spaces,
 * each with tables of its own, and a paging process whose addresses reach all tables and the paging
 * buffer. It maps by the DDI alone.
 */
#ifndef TEST_UNIT_TEST_SOFTGPU_TABLES_H
#define TEST_UNIT_TEST_SOFTGPU_TABLES_H

#include "test_softgpu_world.h"

enum {
    TABLES = 64,         /* most tables of all spaces */
    FIRST_TABLE = 128,   /* page of the memory segment where the first lies */
    MEMORY_PAGES = 2048, /* of the memory segment */
    NODE = 0,            /* where user mode's work runs */
    PAGING_NODE = 1,
};

#define TABLE_WINDOW UINT64_C(0x400000)   /* addresses of the paging process: all tables ... */
#define BUFFER_WINDOW UINT64_C(0x1000000) /* ... the paging buffer ... */
#define SCRATCH UINT64_C(0x1100000)       /* ... and what is paged */
#define PAGE_A UINT64_C(0x200000)         /* addresses of a process: memory ... */
#define COMMANDS UINT64_C(0x10000)        /* ... and its DMA buffer */

/* One page table. */
struct table {
    const struct space *space;
    UINT level;
    uint64_t first; /* address that its first entry translates */
    uint64_t page;  /* of the memory segment, or of system memory */
    uint64_t window;
    bool of_64k;
};

struct space {
    HANDLE process, device, context;
    bool paging;     /* tables are written by the processor, at once */
    uint64_t stream; /* physical, of its DMA buffer */
};

static struct {
    struct softgpu_config config;
    struct table tables[TABLES];
    UINT count;
    struct space paging;
} system_in_small;

#define SMALL system_in_small

/* ---- tables ---------------------------------------------------------------------------------- */

static inline UINT shift_of_level(UINT level)
{
    UINT shift = 12;

    for (UINT i = 0; i < level; i++)
        shift += SMALL.config.mmu.index_bits[i];
    return shift;
}

static inline UINT segment_of_tables(const struct space *space)
{
    return space->paging ? SMALL.config.mmu.paging_table_segment : SMALL.config.mmu.table_segment;
}

static inline unsigned char *bytes_of(UINT segment, uint64_t page)
{
    return segment == 0 ? machine_at(&world.machine, page * 4096)
                        : world.machine.bar[1] + page * 4096;
}

static inline unsigned char *bytes_of_table(const struct table *table)
{
    return bytes_of(segment_of_tables(table->space), table->page);
}

static inline void update(const struct table *table, UINT start, UINT count, DXGK_PTE *entries,
                          DXGK_UPDATEPAGETABLEFLAGS flags)
{
    DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args = &buffer.args.UpdatePageTable;

    buffer.args.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    args->PageTableLevel = table->level;
    args->pPageTableEntries = entries;
    args->StartIndex = start;
    args->NumPageTableEntries = count;
    args->Flags = flags;
    args->hProcess = table->space->process;
    args->UpdateMode = table->space->paging
                           ? DXGK_PAGETABLEUPDATE_CPU_VIRTUAL
                           : (DXGK_PAGETABLEUPDATEMODE)SMALL.config.mmu.update_mode;
    args->Flags.Use64KBPages = table->of_64k;
    switch (args->UpdateMode) {
    case DXGK_PAGETABLEUPDATE_CPU_VIRTUAL:
        args->PageTableAddress.CpuVirtual = bytes_of_table(table);
        break;
    case DXGK_PAGETABLEUPDATE_GPU_VIRTUAL:
        args->PageTableAddress.GpuVirtual = table->window;
        break;
    default:
        args->PageTableAddress.GpuPhysical.SegmentId = segment_of_tables(table->space);
        args->PageTableAddress.GpuPhysical.SegmentOffset = table->page * 4096;
    }
    build();
}

static inline UINT entries_of_level(UINT level, bool of_64k)
{
    return 1u << (SMALL.config.mmu.index_bits[level] - (of_64k ? 4 : 0));
}

static inline void map_at(struct space *space, uint64_t gpuva, UINT level, DXGK_PTE entry);
static inline void flush(const struct space *space);

/* A table's memory: whole pages, one behind the other. */
static inline void take_table(struct table *table)
{
    static uint64_t next = FIRST_TABLE;
    UINT pages = softgpu_table_size(&SMALL.config.mmu, table->level) / 4096;

    if (SMALL.count == 1)
        next = FIRST_TABLE;
    if (segment_of_tables(table->space) == 0) {
        assert_int_equal(pages, 1);
        table->page = machine_frame(&world.machine);
    } else {
        table->page = next;
        next += pages;
        assert_true(next <= MEMORY_PAGES);
    }
    table->window = TABLE_WINDOW + (uint64_t)(table - SMALL.tables) * 0x10000;
}

/* Let the paging process see a table, as GPU_VIRTUAL needs it. */
static inline void show_table(const struct table *table)
{
    UINT pages = softgpu_table_size(&SMALL.config.mmu, table->level) / 4096;

    if (table->space->paging || SMALL.config.mmu.update_mode != SOFTGPU_UPDATE_GPU_VIRTUAL)
        return;
    for (UINT i = 0; i < pages; i++)
        map_at(&SMALL.paging, table->window + i * 4096ull, 0,
               (DXGK_PTE){.Valid = 1,
                          .Segment = (UINT)segment_of_tables(table->space) & 31,
                          .PageAddress = table->page + i});
    flush(&SMALL.paging);
}

static inline struct table *new_table(struct space *space, UINT level, uint64_t first, bool of_64k)
{
    struct table *table = &SMALL.tables[SMALL.count++];
    DXGK_PTE invalid = {.Flags = 0};

    assert_true(SMALL.count <= TABLES);
    *table = (struct table){.space = space, .level = level, .first = first, .of_64k = of_64k};
    take_table(table);
    show_table(table);
    update(table, 0, entries_of_level(level, of_64k), &invalid, /* W-009 */
           (DXGK_UPDATEPAGETABLEFLAGS){.Repeat = 1, .InitialUpdate = 1});
    return table;
}

static inline struct table *find_table(const struct space *space, UINT level, uint64_t gpuva,
                                       bool of_64k)
{
    UINT shift = shift_of_level(level) + SMALL.config.mmu.index_bits[level];

    for (UINT i = 0; i < SMALL.count; i++)
        if (SMALL.tables[i].space == space && SMALL.tables[i].level == level &&
            SMALL.tables[i].of_64k == of_64k && SMALL.tables[i].first >> shift == gpuva >> shift)
            return &SMALL.tables[i];
    return NULL;
}

static inline void put_entry(const struct table *table, uint64_t gpuva, DXGK_PTE entry)
{
    UINT shift = table->of_64k ? 16 : shift_of_level(table->level);
    UINT mask = entries_of_level(table->level, table->of_64k) - 1;

    update(table, (UINT)(gpuva >> shift) & mask, 1, &entry,
           (DXGK_UPDATEPAGETABLEFLAGS){.Repeat = 0});
}

static inline DXGK_PTE entry_of_table(const struct table *table)
{
    return (DXGK_PTE){.Valid = 1,
                      .Segment = segment_of_tables(table->space) & 31,
                      .PageTablePageSize = table->of_64k ? 1 : 0,
                      .PageTableAddress = table->page};
}

/* The table of a level, made with all above it if it is not there. */
static inline struct table *table_for(struct space *space, UINT level, uint64_t gpuva, bool of_64k)
{
    struct table *table = find_table(space, level, gpuva, of_64k);
    UINT shift = shift_of_level(level) + SMALL.config.mmu.index_bits[level];

    if (table != NULL)
        return table;
    table = new_table(space, level, gpuva >> shift << shift, of_64k);
    if (level + 1 < SMALL.config.mmu.levels)
        put_entry(table_for(space, level + 1, gpuva, false), gpuva, entry_of_table(table));
    return table;
}

static inline void map_at(struct space *space, uint64_t gpuva, UINT level, DXGK_PTE entry)
{
    put_entry(table_for(space, level, gpuva, false), gpuva, entry);
}

static inline void map_page(struct space *space, uint64_t gpuva, UINT segment, uint64_t page)
{
    map_at(space, gpuva, 0, (DXGK_PTE){.Valid = 1, .Segment = segment & 31, .PageAddress = page});
}

static inline void unmap_page(struct space *space, uint64_t gpuva)
{
    map_at(space, gpuva, 0, (DXGK_PTE){.Flags = 0});
}

static inline D3DGPU_PHYSICAL_ADDRESS root_of(const struct space *space)
{
    const struct table *root = find_table(space, SMALL.config.mmu.levels - 1, 0, false);

    assert_non_null(root);
    return (D3DGPU_PHYSICAL_ADDRESS){.SegmentId = segment_of_tables(space),
                                     .SegmentOffset = root->page * 4096};
}

static inline void set_root(const struct space *space, UINT entries)
{
    DXGKARG_SETROOTPAGETABLE args = {
        .hContext = space->context, .Address = root_of(space), .NumEntries = entries};

    world.ddi.DxgkDdiSetRootPageTable(world.adapter, &args);
}

static inline void flush_range(const struct space *space, uint64_t start, uint64_t end)
{
    buffer.args.Operation = DXGK_OPERATION_FLUSH_TLB;
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    buffer.args.FlushTlb.RootPageTableAddress = root_of(space);
    buffer.args.FlushTlb.hProcess = space->process;
    buffer.args.FlushTlb.StartVirtualAddress = start;
    buffer.args.FlushTlb.EndVirtualAddress = end;
    build();
}

static inline void flush(const struct space *space)
{
    flush_range(space, 0, 0);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static inline HANDLE virtual_context(HANDLE device, UINT node, bool system)
{
    DXGKARG_CREATECONTEXT args = {.NodeOrdinal = node,
                                  .EngineAffinity = 1,
                                  .Flags = {.SystemContext = system, .VirtualAddressing = 1}};

    assert_int_equal(world.ddi.DxgkDdiCreateContext(device, &args), STATUS_SUCCESS);
    assert_int_equal(args.ContextInfo.Caps.NoPatchingRequired, 1);
    assert_int_equal(args.ContextInfo.PatchLocationListSize, 0);
    assert_int_equal(args.ContextInfo.AllocationListSize, 16);
    return args.hContext;
}

static inline void begin_space(struct space *space, bool paging)
{
    ULONG pasid = 1;
    DXGKARG_CREATEPROCESS process = {
        .hDxgkProcess = space, .NumPasid = 1, .pPasid = &pasid, .Flags.SystemProcess = paging};
    DXGKARG_CREATEDEVICE device = {.hDevice = &world, .Flags.SystemDevice = paging};

    memset(space, 0, sizeof(*space));
    space->paging = paging;
    assert_int_equal(world.ddi.DxgkDdiCreateProcess(world.adapter, &process), STATUS_SUCCESS);
    space->process = device.hKmdProcess = process.hKmdProcess;
    assert_int_equal(world.ddi.DxgkDdiCreateDevice(world.adapter, &device), STATUS_SUCCESS);
    space->device = device.hDevice;
    space->context = virtual_context(space->device, paging ? PAGING_NODE : NODE, paging);
    table_for(space, SMALL.config.mmu.levels - 1, 0, false);
    set_root(space, entries_of_level(SMALL.config.mmu.levels - 1, false));
}

static inline void end_space(struct space *space)
{
    assert_int_equal(world.ddi.DxgkDdiDestroyContext(space->context), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(space->device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, space->process),
                     STATUS_SUCCESS);
}

/* obeys W-016, W-017 */
static inline void submit_paging_by_address(UINT end, UINT private_end)
{
    bool mapped = SMALL.config.paging_buffer_segment != 0;
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {
        .hContext = SMALL.paging.context,
        .DmaBufferVirtualAddress = (mapped ? BUFFER_WINDOW : 0) + buffer.submitted,
        .DmaBufferSize = end - buffer.submitted,
        .pDmaBufferPrivateData = buffer.private_data + buffer.private_submitted,
        .DmaBufferPrivateDataSize = private_end - buffer.private_submitted,
        .SubmissionFenceId = world.fence,
        .Flags.Paging = 1,
        .NodeOrdinal = PAGING_NODE,
    };

    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), STATUS_SUCCESS);
}

static inline struct softgpu_config config_of_tables(void)
{
    struct softgpu_config config = machine_small_config();

    config.wddm = 29;
    config.segments[1].size = MEMORY_PAGES * 4096;
    config.mmu.kind = SOFTGPU_MMU_GPU;
    config.paging_buffer_segment = 0;
    return config;
}

static inline void begin_tables(const struct softgpu_config *config)
{
    memset(&SMALL, 0, sizeof(SMALL));
    SMALL.config = *config;
    begin_paging(config);
    buffer.submit = submit_paging_by_address;
    begin_space(&SMALL.paging, true);
    for (UINT i = 0; i * 4096 < config->paging_buffer && config->paging_buffer_segment != 0; i++)
        map_page(&SMALL.paging, BUFFER_WINDOW + i * 4096ull, 0, buffer.physical / 4096 + i);
    assert_int_equal(buffer.submissions, 0); /* D-115 */
}

static inline void end_tables(void)
{
    end_space(&SMALL.paging);
    end();
}

/* ---- what user mode does --------------------------------------------------------------------- */

/* A DMA buffer of one page at COMMANDS. */
static inline void give_stream(struct space *space)
{
    space->stream = machine_frame(&world.machine);
    map_page(space, COMMANDS, 0, space->stream);
    flush(space);
    submit_paging();
}

static inline void start_user(struct space *space)
{
    begin_space(space, false);
    give_stream(space);
}

static inline UINT run_user(const struct space *space, const void *commands, UINT size)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {
        .hContext = space->context,
        .DmaBufferVirtualAddress = COMMANDS,
        .DmaBufferSize = size,
        .SubmissionFenceId = ++world.fence,
        .NodeOrdinal = NODE,
    };

    memcpy(machine_at(&world.machine, space->stream * 4096), commands, size);
    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), STATUS_SUCCESS);
    settle();
    return world.fence;
}

static inline UINT fill_by_user(const struct space *space, uint64_t gpuva, uint64_t bytes,
                                uint32_t pattern)
{
    struct softgpu_virtual_fill fill = {
        .command = {.opcode = SOFTGPU_VIRTUAL_FILL, .size = sizeof(fill)},
        .bytes = bytes,
        .gpuva = gpuva,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern,
    };

    return run_user(space, &fill, sizeof(fill));
}

static inline UINT copy_by_user(const struct space *space, uint64_t from, uint64_t to,
                                uint64_t bytes)
{
    struct softgpu_virtual_copy copy = {
        .command = {.opcode = SOFTGPU_VIRTUAL_COPY, .size = sizeof(copy)},
        .bytes = bytes,
        .source = {.space = SOFTGPU_VIRTUAL_SPACE, .gpuva = from},
        .destination = {.space = SOFTGPU_VIRTUAL_SPACE, .gpuva = to},
    };

    return run_user(space, &copy, sizeof(copy));
}

static inline unsigned char *memory_page(uint64_t page)
{
    return bytes_of(MEMORY, page);
}

static inline void assert_filled(const unsigned char *page, unsigned char byte)
{
    for (int i = 0; i < 4096; i++)
        if (page[i] != byte)
            fail_msg("byte %d is 0x%x, not 0x%x", i, page[i], byte);
}

static inline const struct event *last_event(void)
{
    return &world.events[(world.event_count - 1) % LOG];
}

#endif
