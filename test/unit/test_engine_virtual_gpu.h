/* test_engine_virtual_gpu.h: an engine with a GPU MMU beside a GPU that has nothing but its memory.
 *
 *     events at random --> engine --> plans --> paging buffers, submissions --> the GPU below
 *                                                                                 |
 *     what each address of each process means, and what has been written <--- compared
 *
 * The GPU's memory is pages; a page holds content or page-table entries, and one that was given
 * back holds rubbish. Operations take effect when the GPU executes the buffer that they are in, at
 * a random moment. Translations are looked up ahead at random too, of any address that a root leads
 * to, and stay in a TLB until a flush. So each of these is a wrong byte or a walk into rubbish: an
 * entry written too late or too early, a flush that is missing, a table that is led to before it is
 * written or goes while it is led to. An address that is looked up ahead leads to no page table; as
 * a packet is submitted, all addresses of its process lead to allocations of it, and never to what
 * has come to their places since, or was there before (A29).
 *
 * The tests say what programs do (test_engine_virtual.c).
 */
#ifndef TEST_UNIT_TEST_ENGINE_VIRTUAL_GPU_H
#define TEST_UNIT_TEST_ENGINE_VIRTUAL_GPU_H

#include "harness.h"

#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#define PAGE UINT64_C(4096)
#define GRANULE UINT64_C(0x10000)

enum {
    MEMORY_PAGES = 128, /* where tables are in it, too */
    TIGHT_MEMORY = 65,  /* where tables leave: 33 of a submission, 30 and a root, none at page 0 */
    LITTLE_MEMORY = 44, /* where they are in system memory */
    PROCESSES = 3, /* 1 is the paging process, 2 and 3 are programs; a device each, of its number */
    SPACES = 2 * PROCESSES, /* process 3 more: where the companions of a program run */
    COMPANIONS = 2,         /* of a program, on nodes 0 and 1; paging queues, too */
    ALLOCATIONS = 60,
    MOST_PAGES = 32,       /* where pages are larger than 4 KiB */
    ALLOCATION_PAGES = 17, /* of the largest, more than the scratch range maps; others have 8 */
    LARGEST = 30,          /* the id of that one */
    FIRST_PAGE = 16,
    LAST_PAGE = 24 * 16,
    TABLES = 512,
    ENTRIES = 32, /* of the largest table */
    BUFFERS = 3,
    BUFFER_OPS = 48,
    PACKETS = 64,
    MOST_ROUNDS = 1500,
    USED = 3, /* allocations that a submission names, at most */
};

#define ACCESSED_PHYSICALLY 0x8000u /* of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 */
#define NOTIFIES 0x10000u           /* ExplicitResidencyNotification */

/* Its allocation is destroyed, and packets that were queued before may use it (D-181). */
enum { LEAVING = 99 };

enum { JUNK = 0, ZEROES = 1, FIRST_CONTENT = 2 }; /* tags of pages */

/* ---- the machine ---- */

struct gpu_entry {
    uint32_t kind; /* enum vidmm_entry_kind */
    bool rubbish;
    bool wide;       /* leads to a leaf of pages of 64 KiB */
    uint32_t id;     /* allocation or table, for system memory */
    uint32_t serial; /* of the allocation, among all that there ever were */
    struct vidmm_place place;
    bool writable;
    bool paired; /* with pairs: it leads to a leaf of pages of 64 KiB besides, or alone */
    uint32_t second_id;
    struct vidmm_place second;
};

struct gpu_page {
    uint64_t tag;
    struct gpu_entry entries[ENTRIES];
};

struct root {
    uint32_t id, entries;
    struct vidmm_place place;
};

struct paging_op {
    struct vidmm_operation operation;
    struct gpu_entry entries[ENTRIES]; /* of a table above a leaf */
    uint32_t serial;
};

struct paging_buffer {
    struct paging_op ops[BUFFER_OPS];
    uint32_t count;
    uint32_t context; /* the companion that runs it; 0: the system's context */
};

/* The meaning of an address, and since when it has it. */
struct meaning {
    uint32_t state; /* VIDMM_ADDRESSES_..., or LEAVING */
    uint32_t allocation, page;
    uint64_t since;
};

struct packet {
    bool paging;
    uint32_t node, fence, process, used, allocations[USED];
    bool writes;
    struct root root;
    struct paging_buffer buffer;
    struct meaning meanings[LAST_PAGE];
};

struct allocation {
    bool exists, gone; /* gone: destroyed, the engine has it still */
    bool notifies;     /* ExplicitResidencyNotification */
    bool resident;     /* the driver was told so */
    uint32_t brought;  /* pages that have come since it left */
    bool listed;       /* by its program's device (explicit residency) */
    uint64_t value;    /* ... and of its paging queue, by which it has come */
    uint32_t process, pages, serial;
    struct vidmm_wish wish;
    uint64_t tags[MOST_PAGES];
    struct gpu_page store[MOST_PAGES];
};

static struct counted_memory memory;
static struct vidmm_engine *engine;
static struct vidmm_engine_config config;
static struct gpu_page pages[MEMORY_PAGES], system_tables[TABLES];
static struct vidmm_place table_places[TABLES];
static bool written_tables[TABLES]; /* a record was built since they have their memory */
static struct allocation allocations[ALLOCATIONS + 1];
static struct meaning meanings[PROCESSES + 1][LAST_PAGE];
static unsigned notices;              /* NotifyResidency, executed */
static struct root roots[SPACES + 1]; /* that the GPU was told last */
static struct gpu_entry tlb[SPACES + 1][LAST_PAGE];
static bool cached[SPACES + 1][LAST_PAGE];
static bool alive[PROCESSES + 1];
static struct paging_buffer buffers[BUFFERS + 1];
static struct packet packets[PACKETS];
static uint32_t packet_count;
static struct vidmm_operation call;
static struct root told_root;
static struct gpu_entry told_entries[ENTRIES];
static uint32_t told_process;
static uint64_t random_state, now, next_tag, changes, mapped_pages, checked, scattered;
static uint64_t large_pages, wide_pages; /* that the GPU has found */
static uint64_t paired_pages;            /* ... in leaves of 64 KiB that another is beside */
static bool submitting;
static uint64_t accompanied, apart; /* operations that companions ran; off the paging node */
static bool stopped;
static uint32_t multipass; /* MultipassOffset of the call that is made again; else 0 */
static uint32_t serials, owners[1 << 18]; /* of tags */
static struct vidmm_engine_statistics total;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

static struct gpu_page *page_at(const struct vidmm_place *place, uint32_t id)
{
    if (place->segment != 0) {
        assert_true(place->offset % PAGE == 0 && place->offset / PAGE < MEMORY_PAGES);
        return &pages[place->offset / PAGE];
    }
    if (id >= VIDMM_TABLE_IDS)
        return &system_tables[id - VIDMM_TABLE_IDS];
    assert_true(place->offset / PAGE < allocations[id].pages);
    return &allocations[id].store[place->offset / PAGE];
}

/* Content or nothing: whoever walks here finds rubbish. */
static void put(struct gpu_page *page, uint64_t tag)
{
    page->tag = tag;
    for (unsigned i = 0; i < ENTRIES; i++)
        page->entries[i] = (struct gpu_entry){.rubbish = true};
}

/* An entry of level 1 leads to a leaf of pages of 64 KiB besides. For what that says
 * something of the other leaf says nothing, at the latest when a packet is submitted (D-124). */
static bool walk_pair(const struct gpu_entry *above, uint64_t page, struct gpu_entry *entry)
{
    uint64_t index = page & ((1u << config.mmu.index_bits[0]) - 1);
    struct gpu_entry wide = {.kind = VIDMM_ENTRY_IS_INVALID}, narrow = wide;

    if (above->paired)
        wide = page_at(&above->second, above->second_id)->entries[index / 16];
    if (above->kind == VIDMM_ENTRY_IS_TABLES)
        narrow = page_at(&above->place, above->id)->entries[index];
    assert_false(wide.rubbish || narrow.rubbish);
    assert_true(!above->paired || above->kind == VIDMM_ENTRY_IS_TABLES ||
                above->kind == VIDMM_ENTRY_IS_INVALID);
    if (wide.kind == VIDMM_ENTRY_IS_INVALID)
        return false;
    assert_true(!submitting || narrow.kind == VIDMM_ENTRY_IS_INVALID);
    paired_pages += above->kind == VIDMM_ENTRY_IS_TABLES;
    *entry = wide;
    return true;
}

/* Walk from the root. False: there is no root, or the address is beyond it. */
static bool walk(const struct root *root, uint64_t page, struct gpu_entry *entry)
{
    uint32_t level = config.mmu.levels - 1, shift = 4 * (level - 1) + config.mmu.index_bits[0];

    if (root->entries == 0 || page >> shift >= root->entries)
        return false;
    *entry = page_at(&root->place, root->id)->entries[page >> shift];
    for (;;) {
        bool wide = entry->wide;

        assert_false(entry->rubbish);
        if (config.mmu.pairs && level == 1 && walk_pair(entry, page, entry)) {
            level = 0;
            shift = 4;
            break;
        }
        if (entry->kind != VIDMM_ENTRY_IS_TABLES)
            break;
        level--;
        shift -= level > 0 ? 4 : shift - (wide ? 4 : 0);
        *entry = page_at(&entry->place, entry->id)
                     ->entries[page >> shift &
                               ((level > 0 ? 16 : (1u << config.mmu.index_bits[0]) >> shift) - 1)];
    }
    if (entry->kind == VIDMM_ENTRY_IS_PAGES) { /* the page of 4 KiB in it */
        large_pages += level > 0;
        wide_pages += level == 0 && shift != 0;
        entry->place.offset += (page & ((1u << shift) - 1)) * PAGE;
    }
    return true;
}

static struct gpu_entry translate(uint32_t process, const struct root *root, uint64_t page)
{
    struct gpu_entry entry = {.kind = VIDMM_ENTRY_IS_INVALID};

    if (cached[process][page])
        return tlb[process][page];
    if (walk(root, page, &entry)) {
        tlb[process][page] = entry;
        cached[process][page] =
            entry.kind != VIDMM_ENTRY_IS_INVALID || !config.mmu.invalid_not_cached;
    }
    return entry;
}

/* A packet is submitted: its program may find what is there, and must not find what is not its
 * own. */
static void check_own(const struct root *root)
{
    submitting = true;
    for (uint64_t page = 0; page < LAST_PAGE; page++) {
        struct gpu_entry entry;
        const struct gpu_page *at;

        if (!walk(root, page, &entry) || entry.kind != VIDMM_ENTRY_IS_PAGES)
            continue;
        at = page_at(&entry.place, entry.id);
        assert_true(at->tag == ZEROES || at->tag == JUNK || owners[at->tag] == entry.serial);
    }
    submitting = false;
}

/* The GPU looks addresses up before anything asks for them. */
static void look_ahead(void)
{
    for (unsigned i = random_below(6); i > 0; i--) {
        uint32_t process = 1 + random_below(SPACES);

        if (roots[process].entries != 0) {
            struct gpu_entry entry = translate(process, &roots[process], random_below(LAST_PAGE));

            assert_true(process <= PROCESSES || entry.kind == VIDMM_ENTRY_IS_INVALID);
            if (process != 1 && entry.kind == VIDMM_ENTRY_IS_PAGES)
                assert_true(page_at(&entry.place, entry.id)->entries[0].rubbish);
        }
    }
}

/* ---- the GPU executes ---- */

static struct gpu_page *scratch_page(uint64_t address)
{
    struct gpu_entry entry = translate(1, &roots[1], address / PAGE);

    assert_int_equal(entry.kind, VIDMM_ENTRY_IS_PAGES);
    return page_at(&entry.place, entry.id);
}

static void execute_update(const struct paging_op *op)
{
    const struct vidmm_operation *operation = &op->operation;
    struct gpu_page *table = page_at(&operation->table.at, operation->table.table);
    bool repeat = (operation->table.flags & VIDMM_PAGING_REPEAT) != 0;
    uint64_t page = (operation->table.flags & VIDMM_PAGING_WIDE) ? 16 * PAGE : PAGE;

    if (operation->table.flags & VIDMM_PAGING_INITIAL)
        put(table, JUNK);
    table->tag = JUNK;
    for (uint32_t i = 0; i < operation->table.count; i++) {
        struct gpu_entry *entry = &table->entries[operation->table.first + i];

        assert_true(operation->table.first + i < ENTRIES);
        assert_true((operation->table.flags & VIDMM_PAGING_INITIAL) || !entry->rubbish); /* D-120 */
        *entry = (struct gpu_entry){.kind = operation->table.entry,
                                    .id = operation->allocation,
                                    .serial = op->serial,
                                    .place = operation->table.place,
                                    .writable = operation->table.access & VIDMM_ADDRESSES_WRITE};
        entry->place.offset += repeat ? 0 : i * page;
        if (operation->table.entry == VIDMM_ENTRY_IS_TABLES)
            *entry = op->entries[i];
    }
}

/* One of them that is not the record's any more is gone. */
static struct allocation *notified(const struct paging_op *op)
{
    struct allocation *allocation = &allocations[op->operation.allocation % (ALLOCATIONS + 1)];

    return op->operation.allocation <= ALLOCATIONS && allocation->serial == op->serial &&
                   allocation->notifies
               ? allocation
               : NULL;
}

/* Bytes come to memory, or leave it: what comes is not told of yet, what leaves is so no more. */
static void see_move(const struct paging_op *op)
{
    struct allocation *allocation = notified(op);

    if (!allocation)
        return;
    assert_false(allocation->resident); /* D-141 */
    if (op->operation.table.at.segment != 0)
        allocation->brought += (uint32_t)(op->operation.table.size / PAGE);
}

static void execute_notice(const struct paging_op *op)
{
    struct allocation *allocation = notified(op);
    const struct vidmm_operation *operation = &op->operation;

    notices++;
    if (!allocation)
        assert_int_not_equal(allocations[operation->allocation].serial, op->serial); /* D-141 */
    if (!allocation)
        return;
    assert_int_equal(allocation->resident, operation->build.destination.segment == 0); /* D-142 */
    allocation->resident = operation->build.destination.segment != 0;
    assert_int_equal(operation->build.size, 0);
    if (allocation->resident)
        assert_int_equal(allocation->brought, allocation->pages); /* all of it has come */
    else
        assert_int_equal(operation->build.destination.offset, 0); /* D-142: (0, 0) */
    allocation->brought = 0;
    if (allocation->resident && allocation->exists) {
        struct vidmm_place place = operation->build.destination;

        assert_int_equal(page_at(&place, operation->allocation)->tag, allocation->tags[0]);
    }
}

/* The program of a companion, by its number. */
static uint32_t program_of(uint32_t context)
{
    return context / COMPANIONS;
}

static void execute_paging(const struct packet *packet)
{
    for (uint32_t i = 0; i < packet->buffer.count; i++) {
        const struct paging_op *op = &packet->buffer.ops[i];
        const struct vidmm_operation *operation = &op->operation;
        uint64_t first = operation->table.address / PAGE, page;

        if (packet->buffer.context != 0) { /* D-266: of its program's tables, and nothing else */
            assert_true(operation->table.operation == VIDMM_UPDATE_PAGE_TABLE ||
                        operation->table.operation == VIDMM_FLUSH_TLB);
            assert_int_equal(operation->table.process, program_of(packet->buffer.context));
            accompanied++;
            apart += packet->node != 0;
        }
        switch (operation->table.operation) {
        case VIDMM_UPDATE_PAGE_TABLE:
            execute_update(op);
            break;
        case VIDMM_FLUSH_TLB: /* of a root that is there: D-127 */
            assert_false(page_at(&operation->table.at, operation->table.table)->entries[0].rubbish);
            for (page = first; page < operation->table.end / PAGE && page < LAST_PAGE; page++)
                cached[operation->table.process][page] = false;
            break;
        case VIDMM_NOTIFY_RESIDENCY:
            execute_notice(op);
            break;
        case VIDMM_TRANSFER_VIRTUAL:
            see_move(op);
            for (page = 0; page < operation->table.size / PAGE; page++) {
                uint64_t tag = scratch_page(operation->table.address + page * PAGE)->tag;

                put(scratch_page(operation->table.end + page * PAGE), tag);
            }
            break;
        case VIDMM_FILL_VIRTUAL:
            see_move(op);
            for (page = 0; page < operation->table.size / PAGE; page++)
                put(scratch_page(operation->table.address + page * PAGE), ZEROES);
            break;
        default:
            fail();
        }
        look_ahead();
    }
}

/* A page of an allocation lies as its wish says; `first`: its first page, by another page of it. */
static void check_place(const struct vidmm_wish *wish, uint64_t offset, uint32_t page,
                        uint64_t *first)
{
    uint64_t base = offset - page * PAGE;

    assert_int_equal(base % wish->alignment, 0);
    assert_true(*first == UINT64_MAX || *first == base ||
                (!config.mmu.contiguous && (wish->flags & ACCESSED_PHYSICALLY) == 0));
    scattered += *first != UINT64_MAX && *first != base;
    *first = base;
}

/* A program reads, and writes, what its addresses mean. */
static void execute_program(const struct packet *packet)
{
    uint64_t first[ALLOCATIONS + 1];

    memset(first, 0xff, sizeof first);
    for (uint32_t page = FIRST_PAGE; page < LAST_PAGE; page++) {
        const struct meaning *meaning = &packet->meanings[page];
        struct gpu_entry entry;
        struct gpu_page *at;
        bool used = false;

        if (meaning->since != meanings[packet->process][page].since || meaning->state == LEAVING)
            continue; /* changed under it: its own fault */
        for (uint32_t i = 0; i < packet->used; i++)
            used = used || packet->allocations[i] == meaning->allocation;
        if (meaning->state == VIDMM_ADDRESSES_MAPPED && !used)
            continue;
        entry = translate(packet->process, &packet->root, page);
        checked++;
        if (meaning->state != VIDMM_ADDRESSES_MAPPED) {
            assert_int_equal(entry.kind, meaning->state == VIDMM_ADDRESSES_ZERO
                                             ? VIDMM_ENTRY_IS_ZERO
                                             : VIDMM_ENTRY_IS_INVALID);
            continue;
        }
        assert_int_equal(entry.kind, VIDMM_ENTRY_IS_PAGES);
        assert_int_equal(entry.place.segment, 1);
        check_place(&allocations[meaning->allocation].wish, entry.place.offset, meaning->page,
                    &first[meaning->allocation]);
        assert_true(allocations[meaning->allocation].resident ||
                    !allocations[meaning->allocation].notifies);
        at = page_at(&entry.place, entry.id);
        assert_int_equal(at->tag, allocations[meaning->allocation].tags[meaning->page]);
        if (packet->writes && random_below(3) == 0) {
            put(at, next_tag);
            owners[next_tag] = allocations[meaning->allocation].serial;
            allocations[meaning->allocation].tags[meaning->page] = next_tag++;
        }
        look_ahead();
    }
}

static void step(const struct vidmm_event *event, NTSTATUS expected);

/* Let the first packet of a node run, and report it. */
static void execute(uint32_t node)
{
    static struct packet packet;
    struct vidmm_event fence = {.kind = VIDMM_EVENT_FENCE, .fence = {.node = node}};
    uint32_t i = 0;

    while (i < packet_count && packets[i].node != node)
        i++;
    if (i == packet_count)
        return;
    packet = packets[i];
    memmove(&packets[i], &packets[i + 1], (--packet_count - i) * sizeof packets[0]);
    if (packet.root.entries != 0)
        roots[packet.process] = packet.root;
    if (packet.paging)
        execute_paging(&packet);
    else
        execute_program(&packet);
    fence.fence.fence = packet.fence;
    step(&fence, STATUS_SUCCESS);
}

/* ---- plans ---- */

static void add_op(const struct vidmm_operation *operation)
{
    struct paging_buffer *buffer = &buffers[operation->table.paging_buffer];
    struct paging_op *op = &buffer->ops[buffer->count++];

    bool tables = operation->table.operation == VIDMM_UPDATE_PAGE_TABLE ||
                  operation->table.operation == VIDMM_FLUSH_TLB;

    assert_true(buffer->count == 1 || buffer->context == (tables ? operation->table.context : 0));
    buffer->context = tables ? operation->table.context : 0;
    op->operation = *operation;
    op->serial = allocations[operation->allocation].serial;
    memcpy(op->entries, &told_entries[operation->table.first % ENTRIES],
           (ENTRIES - operation->table.first % ENTRIES) * sizeof op->entries[0]);
    if (operation->table.operation == VIDMM_UPDATE_PAGE_TABLE &&
        operation->table.table >= VIDMM_TABLE_IDS) {
        table_places[operation->table.table - VIDMM_TABLE_IDS] = operation->table.at;
        written_tables[operation->table.table - VIDMM_TABLE_IDS] = true;
    }
}

/* Answer the call that is under way. */
static void answer(void)
{
    struct vidmm_operation answered = call;
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};
    struct paging_buffer *buffer;

    call.kind = 0;
    if (answered.kind == VIDMM_DO_CLAIM) {
        event = (struct vidmm_event){.kind = VIDMM_EVENT_CLAIMED};
        event.claimed.allocation = answered.allocation;
        event.claimed.granted = VIDMM_CLAIM_GRANTED;
    } else if (answered.kind == VIDMM_DO_BUILD) {
        buffer = &buffers[answered.table.paging_buffer];
        event = (struct vidmm_event){.kind = VIDMM_EVENT_BUILT, .built = {.written = 64}};
        assert_int_equal(answered.table.multipass_offset, multipass); /* S4-015, S4-016 */
        assert_int_equal((answered.table.flags & VIDMM_PAGING_AGAIN) != 0, multipass != 0);
        multipass = 0;
        if (buffer->count == BUFFER_OPS || (buffer->count > 0 && random_below(12) == 0)) {
            event.built.status = (uint32_t)STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            event.built.written = 0;
            event.built.multipass_offset = multipass = 1 + random_below(100);
        } else {
            add_op(&answered);
        }
    }
    step(&event, STATUS_SUCCESS);
}

/* Paging is in flight on one node at a time, in the order in which it was submitted. */
static void check_order(uint32_t node)
{
    for (uint32_t i = 0; i < packet_count; i++)
        assert_true(!packets[i].paging || packets[i].node == node);
}

static void take_packet(bool paging, uint32_t node, uint32_t fence, uint32_t id)
{
    struct packet *packet = &packets[packet_count++];

    assert_true(packet_count < PACKETS);
    packet->paging = paging;
    packet->node = node;
    packet->fence = fence;
    packet->root = told_root;
    packet->process = told_process;
    told_root = (struct root){.id = 0};
    if (paging) {
        assert_true(buffers[id].context == 0 || packet->root.entries != 0);
        if (buffers[id].context == 0)
            packet->process = 1;
        else
            assert_int_equal(packet->process, PROCESSES + program_of(buffers[id].context));
        packet->buffer = buffers[id];
        buffers[id].count = 0;
        return;
    }
    assert_true(packet->root.entries != 0); /* W-013 */
}

static struct packet waiting[PACKETS]; /* submissions, by DMA buffer, until they are handed out */

/* A table that has left before its first record has no bytes to become rubbish. */
static void free_table(uint32_t table)
{
    uint32_t index = table - VIDMM_TABLE_IDS;

    if (written_tables[index])
        put(page_at(&table_places[index], table), JUNK);
    written_tables[index] = false;
}

/* An allocation has gone, and with it all that led to it (D-184). */
static void free_left(uint32_t process, uint32_t id)
{
    for (uint32_t page = 0; page < LAST_PAGE; page++)
        if (meanings[process][page].state == LEAVING && meanings[process][page].allocation == id)
            meanings[process][page] = (struct meaning){.since = ++changes};
}

static void do_operation(const struct vidmm_operation *operation)
{
    struct allocation *allocation = &allocations[operation->allocation % (ALLOCATIONS + 1)];
    struct packet *packet;

    switch (operation->kind) {
    case VIDMM_DO_ENTRY:
        if (operation->entry.second) {
            struct gpu_entry *entry = &told_entries[operation->entry.index];

            assert_true(config.mmu.pairs);
            assert_true(operation->entry.entry == VIDMM_ENTRY_IS_INVALID || operation->entry.wide);
            entry->paired = operation->entry.entry == VIDMM_ENTRY_IS_TABLES;
            entry->second_id = operation->entry.table;
            entry->second = operation->entry.place;
            break;
        }
        assert_true(!config.mmu.pairs || !operation->entry.wide);
        told_entries[operation->entry.index] = (struct gpu_entry){
            .kind = operation->entry.entry,
            .wide = operation->entry.wide,
            .id = operation->entry.entry == VIDMM_ENTRY_IS_PAGES ? operation->allocation
                                                                 : operation->entry.table,
            .serial = allocations[operation->allocation % (ALLOCATIONS + 1)].serial,
            .writable = operation->entry.access & VIDMM_ADDRESSES_WRITE,
            .place = operation->entry.place,
        };
        break;
    case VIDMM_DO_ROOT:
        told_root =
            (struct root){operation->root.table, operation->root.entries, operation->root.place};
        told_process = operation->root.process;
        break;
    case VIDMM_DO_FREE_TABLE:
        free_table(operation->root.table);
        break;
    case VIDMM_DO_CLAIM:
    case VIDMM_DO_BUILD:
        call = *operation;
        break;
    case VIDMM_DO_SUBMIT_PAGING:
        call = *operation;
        check_order(operation->submit_paging.node);
        assert_int_equal(operation->submit_paging.context,
                         buffers[operation->submit_paging.paging_buffer].context);
        assert_int_equal(operation->submit_paging.node, /* D-260 */
                         operation->submit_paging.context % COMPANIONS);
        take_packet(true, operation->submit_paging.node, operation->submit_paging.fence,
                    operation->submit_paging.paging_buffer);
        break;
    case VIDMM_DO_SUBMIT:
        call = *operation;
        take_packet(false, operation->submit.node, operation->submit.fence, 0);
        packet = &packets[packet_count - 1];
        check_own(&packet->root);
        packet->used = waiting[operation->submit.dma_buffer].used;
        packet->writes = waiting[operation->submit.dma_buffer].writes;
        memcpy(packet->allocations, waiting[operation->submit.dma_buffer].allocations,
               sizeof packet->allocations);
        memcpy(packet->meanings, meanings[packet->process], sizeof packet->meanings);
        break;
    case VIDMM_DO_RETIRE:
        waiting[operation->retire.dma_buffer].used = 0;
        assert_int_equal(operation->retire.status, STATUS_SUCCESS);
        break;
    case VIDMM_DO_DROP:
        for (unsigned i = 0; i < allocation->pages; i++)
            put(&allocation->store[i], JUNK);
        break;
    case VIDMM_DO_DESTROY:
        allocation->gone = false;
        free_left(allocation->process, operation->allocation);
        break;
    case VIDMM_DO_STOPPED:
        stopped = true;
        break;
    default:
        break;
    }
}

static void step(const struct vidmm_event *event, NTSTATUS expected)
{
    struct vidmm_event timed = event ? *event : (struct vidmm_event){.kind = 0};
    struct vidmm_plan plan;

    timed.time_ns = ++now;
    assert_int_equal(vidmm_step(engine, event ? &timed : NULL, &plan), expected);
    for (;;) {
        for (uint32_t i = 0; i < plan.count; i++)
            do_operation(&plan.operations[i]);
        if (!plan.more || call.kind != 0)
            break;
        vidmm_step(engine, NULL, &plan);
    }
    assert_false(stopped);
}

/* Go on until nothing is under way. */
static void settle(void)
{
    for (unsigned i = 0; i < 100000; i++)
        if (call.kind != 0)
            answer();
        else if (packet_count > 0)
            execute(packets[random_below(packet_count)].node);
        else
            return;
    fail();
}

#endif
