/* test_engine_virtual.c: programs on an engine with a GPU MMU: what they find at their addresses.
 *
 * Processes use the same addresses, memory holds a quarter of what is mapped, in runs of pages or
 * in one range each, and in half of the configurations page tables take their part of it. A packet
 * uses what is named with it, or some of what the residency list of its device names. The GPU is
 * that of test_engine_virtual_gpu.h.
 */
#include "test_engine_virtual_gpu.h"

enum { KINDS = 256, PAIRS = 64, RUNS = KINDS + PAIRS };

static uint64_t refused; /* changes that a companion could not make yet */

/* Copies of some are cut where their mappings begin and end (D-112). */
static uint64_t protection_of(uint32_t allocation)
{
    return allocation % 5 == 0 ? UINT64_C(1) << 63 : 0;
}

/* ---- programs ---- */

static void create_process(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS,
                                .process = {.process = process, .paging = process == 1}};

    step(&event, STATUS_SUCCESS);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = process};
    event.create_device.process = process;
    event.create_device.system = process == 1;
    step(&event, STATUS_SUCCESS);
    if (config.explicit_residency && process != 1) {
        event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = process};
        event.paging_queue.queue = process;
        event.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
        step(&event, STATUS_SUCCESS);
    }
    alive[process] = true;
}

static void mean(uint32_t process, uint64_t base, uint64_t size, uint32_t state, uint32_t id,
                 uint64_t offset, uint64_t period)
{
    for (uint64_t at = 0; at < size; at += PAGE) {
        struct meaning *meaning = &meanings[process][(base + at) / PAGE];

        mapped_pages -= meaning->state == VIDMM_ADDRESSES_MAPPED;
        mapped_pages += state == VIDMM_ADDRESSES_MAPPED;
        *meaning = (struct meaning){
            .state = state,
            .allocation = id,
            .page = id ? (uint32_t)((offset + (period ? at % period : at)) / PAGE) : 0,
            .since = ++changes,
        };
    }
}

static void create_allocation(uint32_t process)
{
    uint32_t id = 1 + random_below(ALLOCATIONS), count = 1 + random_below(8);
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = process};
    bool choosy = config.mmu.table_segment[0] == 0 || !config.mmu.explicit_invalidation;
    bool notifies = id % 3 == 0; /* and has one range */
    bool roomy = config.mmu.index_bits[0] > 4 && choosy;

    if (allocations[id].exists || allocations[id].gone)
        return;
    count = notifies && !choosy ? 1 : id == LARGEST ? ALLOCATION_PAGES : count;
    if (id % 4 == 2 && roomy)
        count = random_below(2) ? 32 : 16;
    event.create.allocation = id;
    event.create.wish = (struct vidmm_wish){
        .size = count * PAGE,
        .alignment = count >= 16 && roomy ? 16 * PAGE : PAGE << random_below(choosy ? 3 : 1),
        .read_set = 1,
        .write_set = 1,
        .flags = notifies                            ? ACCESSED_PHYSICALLY | NOTIFIES
                 : random_below(choosy ? 4 : 1) == 3 ? ACCESSED_PHYSICALLY
                                                     : 0,
        .priority = 0x78000000};
    step(&event, STATUS_SUCCESS);
    allocations[id] = (struct allocation){.exists = true,
                                          .process = process,
                                          .pages = count,
                                          .serial = ++serials,
                                          .notifies = notifies,
                                          .wish = event.create.wish};
    for (unsigned i = 0; i < count; i++) {
        allocations[id].tags[i] = ZEROES;
        put(&allocations[id].store[i], JUNK);
    }
}

static uint32_t choose_allocation(uint32_t process)
{
    uint32_t first = random_below(ALLOCATIONS);

    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        uint32_t id = 1 + (first + i) % ALLOCATIONS;

        if (allocations[id].exists && allocations[id].process == process)
            return id;
    }
    return 0;
}

static void destroy_allocation(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION, .device = process};
    uint32_t id = choose_allocation(process);

    if (id == 0)
        return;
    for (uint32_t page = 0; page < LAST_PAGE; page++)
        if (meanings[process][page].allocation == id && config.explicit_residency)
            mean(process, page * PAGE, PAGE, LEAVING, id, 0, 0);
        else if (meanings[process][page].allocation == id)
            mean(process, page * PAGE, PAGE, 0, 0, 0, 0); /* D-184 */
    allocations[id].exists = false;
    allocations[id].gone = true;
    event.destroy.allocation = id;
    step(&event, STATUS_SUCCESS);
}

/* Obtain addresses for an allocation, or reserve some. */
static void obtain(uint32_t process)
{
    bool reserve = random_below(6) == 0;
    struct vidmm_event event = {.kind = reserve ? VIDMM_EVENT_RESERVE_ADDRESSES
                                                : VIDMM_EVENT_MAP_ADDRESSES};
    uint32_t id = choose_allocation(process);
    struct vidmm_plan plan;
    NTSTATUS status;

    event.addresses.process = process;
    event.addresses.state = reserve ? 1 + random_below(2) : VIDMM_ADDRESSES_MAPPED;
    event.addresses.size = GRANULE;
    if (!reserve) {
        if (id == 0)
            return;
        event.addresses.allocation = id;
        event.addresses.access = VIDMM_ADDRESSES_WRITE;
        event.addresses.driver_protection = protection_of(id);
        event.addresses.offset = PAGE * random_below(allocations[id].pages) * random_below(2);
        event.addresses.size = allocations[id].pages * PAGE - event.addresses.offset;
    }
    event.time_ns = ++now;
    status = vidmm_step(engine, &event, &plan);
    if (status == STATUS_SUCCESS)
        mean(process, vidmm_engine_address(engine), event.addresses.size, event.addresses.state,
             event.addresses.allocation, event.addresses.offset, 0);
    else
        assert_int_equal(status, STATUS_NO_MEMORY); /* of addresses */
    for (uint32_t i = 0; i < plan.count; i++)
        do_operation(&plan.operations[i]);
    if (plan.more && call.kind == 0)
        step(NULL, STATUS_SUCCESS);
}

static uint32_t queue_of(uint32_t context)
{
    return PROCESSES + context;
}

/* Paging queues whose changes of addresses run on companions, and addresses for these. */
static void accompany(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    event.process.process = PROCESSES + process;
    event.process.paging = VIDMM_PROCESS_PRIVILEGED;
    step(&event, STATUS_SUCCESS);
    for (uint32_t node = 0; node < COMPANIONS; node++) {
        uint32_t context = COMPANIONS * process + node;

        event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = process};
        event.paging_queue.queue = queue_of(context);
        event.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
        step(&event, STATUS_SUCCESS);
        event = (struct vidmm_event){.kind = VIDMM_EVENT_COMPANION};
        event.paging_queue.queue = queue_of(context);
        event.paging_queue.context = context;
        event.paging_queue.node = node;
        event.paging_queue.process = PROCESSES + process;
        step(&event, STATUS_SUCCESS);
    }
}

/* The queue by which addresses change; 0: by none. */
static uint32_t choose_queue(uint32_t process)
{
    uint32_t context = COMPANIONS * process + random_below(COMPANIONS);

    if (!config.explicit_residency || random_below(3) == 0)
        return 0;
    if (!vidmm_engine_has_process(engine, PROCESSES + process))
        accompany(process);
    return random_below(5) == 0 ? process : queue_of(context);
}

/* Give a part of a reservation another meaning. */
static void update(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_ADDRESSES};
    uint64_t base = (FIRST_PAGE + random_below(LAST_PAGE - FIRST_PAGE)) * PAGE;
    uint32_t id = choose_allocation(process);
    struct meaning copied[LAST_PAGE];
    struct vidmm_plan plan;
    NTSTATUS status;

    event.addresses.process = process;
    event.addresses.queue = choose_queue(process);
    event.addresses.base = base;
    event.addresses.size = PAGE * (1 + random_below(8));
    if (base + event.addresses.size > LAST_PAGE * PAGE)
        return;
    switch (random_below(3)) {
    case 0:
        event.addresses.state = 1 + random_below(2);
        break;
    case 1:
        if (id == 0)
            return;
        event.addresses.state = VIDMM_ADDRESSES_MAPPED;
        event.addresses.allocation = id;
        event.addresses.access = VIDMM_ADDRESSES_WRITE;
        event.addresses.driver_protection = protection_of(id);
        event.addresses.period = random_below(2) ? PAGE : 0;
        if (event.addresses.period == 0 && event.addresses.size > allocations[id].pages * PAGE)
            event.addresses.size = PAGE;
        break;
    default:
        event.addresses.state = VIDMM_ADDRESSES_COPIED;
        event.addresses.offset = (FIRST_PAGE + random_below(LAST_PAGE - FIRST_PAGE - 8)) * PAGE;
        memcpy(copied, meanings[process], sizeof copied);
    }
    event.time_ns = ++now;
    status = vidmm_step(engine, &event, &plan);
    refused += status == STATUS_DEVICE_BUSY || status == STATUS_DEVICE_NOT_READY;
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        for (uint64_t at = 0; at < event.addresses.size; at += PAGE) {
            const struct meaning *from = &copied[(event.addresses.offset + at) / PAGE];

            if (event.addresses.state == VIDMM_ADDRESSES_COPIED)
                mean(process, base + at, PAGE, from->state, from->allocation, from->page * PAGE, 0);
            else
                mean(process, base + at, PAGE, event.addresses.state, event.addresses.allocation,
                     event.addresses.offset + (event.addresses.period ? 0 : at), 0);
        }
    for (uint32_t i = 0; i < plan.count; i++)
        do_operation(&plan.operations[i]);
    if (plan.more && call.kind == 0)
        step(NULL, STATUS_SUCCESS);
}

static void release(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FREE_ADDRESSES};
    uint64_t page = FIRST_PAGE + random_below(LAST_PAGE - FIRST_PAGE), end = page;

    while (end < LAST_PAGE && end < page + 12 && meanings[process][end].state != 0 &&
           meanings[process][end].state != LEAVING)
        end++;
    if (end == page)
        return;
    event.addresses.process = process;
    event.addresses.base = page * PAGE;
    event.addresses.size = (end - page) * PAGE;
    mean(process, page * PAGE, (end - page) * PAGE, 0, 0, 0, 0);
    step(&event, STATUS_SUCCESS);
}

/* ---- residency lists ---- */

/* An event whose answer the caller wants to know. */
static NTSTATUS take(const struct vidmm_event *event)
{
    struct vidmm_event timed = *event;
    struct vidmm_plan plan;
    NTSTATUS status;

    timed.time_ns = ++now;
    status = vidmm_step(engine, &timed, &plan);
    for (uint32_t i = 0; i < plan.count; i++)
        do_operation(&plan.operations[i]);
    if (plan.more && call.kind == 0)
        step(NULL, STATUS_SUCCESS);
    return status;
}

/* One of the program's that is on its list, or is not. 0: there is none. */
static uint32_t choose_listed(uint32_t process, bool listed)
{
    uint32_t first = random_below(ALLOCATIONS);

    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        uint32_t id = 1 + (first + i) % ALLOCATIONS;
        const struct allocation *allocation = &allocations[id];

        if (allocation->exists && allocation->process == process && allocation->listed == listed)
            return id;
    }
    return 0;
}

/* Whether a submission that has not ended uses it. */
static bool is_used(uint32_t id)
{
    for (uint32_t buffer = 1; buffer < PACKETS; buffer++)
        for (uint32_t i = 0; i < waiting[buffer].used; i++)
            if (waiting[buffer].allocations[i] == id)
                return true;
    return false;
}

static void evict(uint32_t process)
{
    uint32_t id = choose_listed(process, true);
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT, .device = process};

    if (id == 0 || is_used(id))
        return; /* D-199 */
    event.residency.count = 1;
    event.residency.allocations = &id;
    event.residency.flags = random_below(3) == 0 ? VIDMM_EVICT_ONLY_IF_NECESSARY : 0;
    allocations[id].listed = false;
    assert_int_equal(take(&event), STATUS_SUCCESS);
}

/* Bytes that the program's list takes, each from where it may begin. */
static uint64_t listed_bytes(uint32_t process)
{
    uint64_t bytes = 0;

    for (uint32_t id = 1; id <= ALLOCATIONS; id++) {
        const struct allocation *allocation = &allocations[id];
        uint64_t alignment = allocation->wish.alignment;

        if ((allocation->exists || allocation->gone) && allocation->listed &&
            allocation->process == process)
            bytes += (allocation->wish.size + alignment - 1) / alignment * alignment;
    }
    return bytes;
}

/* No program lists more than leaves room for its page tables and for what lies in the way. */
static void make_resident(uint32_t process)
{
    uint32_t id = choose_listed(process, false);
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    uint64_t most = config.segments[1].size * 3 / 4 - (config.mmu.table_segment[0] ? 24 * PAGE : 0);
    NTSTATUS status;

    if (id == 0 || allocations[id].wish.size + listed_bytes(process) > most)
        return;
    event.residency.queue = process;
    event.residency.count = 1;
    event.residency.allocations = &id;
    event.residency.flags = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER;
    status = take(&event);
    if (status == STATUS_NO_MEMORY) {
        evict(process);
        return;
    }
    allocations[id].listed = true;
    allocations[id].value = 0;
    if (status == STATUS_PENDING)
        allocations[id].value = vidmm_engine_residency_answer(engine).value;
    else
        assert_int_equal(status, STATUS_SUCCESS);
}

/* An allocation that a packet may use: any, or one that has come. 0: there is none. */
static uint32_t choose_usable(uint32_t process)
{
    uint32_t id =
        config.explicit_residency ? choose_listed(process, true) : choose_allocation(process);

    return config.explicit_residency && id != 0 &&
                   allocations[id].value > vidmm_engine_paging_fence(engine, process)
               ? 0
               : id;
}

static void submit(uint32_t process)
{
    struct vidmm_reference references[USED];
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = process};
    uint32_t buffer = 1;

    while (buffer < PACKETS && waiting[buffer].used != 0)
        buffer++;
    if (buffer == PACKETS || packet_count > PACKETS / 2)
        return;
    for (uint32_t i = 0; i < USED; i++) {
        uint32_t id = choose_usable(process);

        if (id == 0)
            return;
        waiting[buffer].allocations[i] = id;
        references[i] = (struct vidmm_reference){.allocation = id, .write = 1};
        for (uint32_t j = 0; j < i; j++)
            if (waiting[buffer].allocations[j] == id)
                return;
    }
    waiting[buffer].used = USED;
    waiting[buffer].writes = true;
    event.submit.dma_buffer = buffer;
    event.submit.node = random_below(2);
    event.submit.size = 64;
    event.submit.context = process;
    event.submit.reference_count = config.explicit_residency ? 0 : USED;
    event.submit.references = references;
    step(&event, STATUS_SUCCESS);
}

static bool ending; /* no program does anything more */

/* A program goes on while another one ends. */
static void beside(uint32_t process)
{
    if (!ending && random_below(4) == 0)
        obtain(process);
    else if (!ending && random_below(4) == 0)
        submit(process);
    else if (call.kind != 0)
        answer();
    else
        execute(random_below(2));
}

/* A process ends, with all that it has, and another begins. */
static void replace_process(uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION, .device = process};

    settle();
    for (uint32_t id = 1; id <= ALLOCATIONS; id++) {
        if (!allocations[id].exists || allocations[id].process != process)
            continue;
        allocations[id].exists = false;
        allocations[id].gone = true;
        event.destroy.allocation = id;
        step(&event, STATUS_SUCCESS);
    }
    event = (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_DEVICE, .device = process};
    step(&event, STATUS_SUCCESS);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_PROCESS};
    event.process.process = process;
    mean(process, 0, LAST_PAGE * PAGE, 0, 0, 0, 0);
    step(&event, STATUS_SUCCESS);
    alive[process] = false;
    roots[process].entries = 0; /* its context is gone */
    if (vidmm_engine_has_process(engine, PROCESSES + process)) {
        event.process.process = PROCESSES + process;
        step(&event, STATUS_SUCCESS);
        roots[PROCESSES + process].entries = 0;
    }
    for (unsigned i = 0; (vidmm_engine_has_process(engine, process) ||
                          vidmm_engine_has_process(engine, PROCESSES + process)) &&
                         i < 10000;
         i++)
        beside(PROCESSES + 2 - process); /* its tables are written on behalf of nobody */
    create_process(process);
}

static void do_something(void)
{
    uint32_t process = 2 + random_below(PROCESSES - 1);

    switch (random_below(16)) {
    case 0:
    case 1:
        create_allocation(process);
        break;
    case 2:
        if (random_below(3) == 0)
            destroy_allocation(process);
        break;
    case 3:
    case 4:
    case 5:
        obtain(process);
        break;
    case 6:
    case 7:
        update(process);
        break;
    case 8:
        if (random_below(4) == 0)
            release(process);
        break;
    case 9:
    case 10:
    case 11:
        submit(process);
        break;
    case 13:
    case 14:
        if (config.explicit_residency && random_below(4) == 0)
            evict(process);
        else if (config.explicit_residency)
            make_resident(process);
        else
            execute(random_below(2));
        break;
    case 12:
        if (random_below(40) == 0)
            replace_process(process);
        break;
    default:
        execute(random_below(2));
        break;
    }
    for (unsigned i = random_below(8); i > 0 && call.kind != 0; i--)
        answer();
    look_ahead();
}

static void begin(uint32_t kind, uint64_t seed)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS,
                                .paging_buffers = {.first = 1, .count = BUFFERS}};
    uint32_t where = kind & 1;
    bool wide = (kind & 32) != 0, large = (kind & 64) != 0;

    random_state = seed;
    config = (struct vidmm_engine_config){
        .segment_count = 1,
        .node_count = 2,
        .queue_limit = 31,
        .first_fence = 1,
        .timeout_ns = UINT64_C(1) << 60,
        .whole_lists = true,
        .move_directly = true,
        .explicit_residency = (kind & 128) != 0,
        .one_operation = (kind & 8) != 0,
        .mmu = {.levels = 3,
                .index_bits = {wide || large ? 5 : 4, 4},
                .root_entries = wide || large ? 1 : 2,
                .table_size = {4096, 4096, 4096},
                .table_segment = {where, where, where},
                .paging_segment = {where, where, where},
                .low = FIRST_PAGE * PAGE,
                .high = LAST_PAGE * PAGE,
                .zero_entries = (kind & 2) != 0,
                .invalid_not_cached = (kind & 4) != 0,
                .explicit_invalidation = (kind & 8) != 0,
                .idle_updates = (kind & 6) == 6,
                .wide_size = wide ? 4096 : 0,
                .pairs = (kind & KINDS) != 0,
                .large_pages = large,
                .contiguous = (kind & 16) != 0},
        .segments[1] = {.size = (where           ? (kind & 0x68) != 0 ? MEMORY_PAGES : TIGHT_MEMORY
                                 : wide || large ? 96
                                                 : LITTLE_MEMORY) *
                                PAGE,
                        .wide_pages = wide},
    };
    counted_memory_init(&memory);
    engine = vidmm_engine_create(&config, &memory.table);
    assert_non_null(engine);
    for (unsigned i = 0; i < MEMORY_PAGES; i++)
        put(&pages[i], JUNK);
    for (unsigned i = 0; i < TABLES; i++)
        put(&system_tables[i], JUNK);
    memset(allocations, 0, sizeof allocations);
    memset(meanings, 0, sizeof meanings);
    memset(roots, 0, sizeof roots);
    memset(written_tables, 0, sizeof written_tables);
    memset(cached, 0, sizeof cached);
    memset(buffers, 0, sizeof buffers);
    memset(waiting, 0, sizeof waiting);
    call.kind = packet_count = multipass = 0;
    next_tag = FIRST_CONTENT;
    mapped_pages = 0;
    stopped = false;
    step(&event, STATUS_SUCCESS);
    for (uint32_t process = 1; process <= PROCESSES; process++)
        create_process(process);
}

static void end(void)
{
    struct vidmm_engine_statistics statistics;

    settle();
    ending = true;
    for (uint32_t process = 2; process <= PROCESSES; process++)
        replace_process(process);
    ending = false;
    settle();
    vidmm_engine_get_statistics(engine, &statistics);
    assert_int_equal(statistics.tables, 4); /* of the paging process: all others are gone */
    assert_int_equal(statistics.table_bytes, statistics.tables * PAGE);
    assert_true(statistics.table_bytes_most > statistics.table_bytes);
    assert_true(vidmm_engine_is_quiet(engine));
    total.evictions += statistics.evictions;
    total.table_evictions += statistics.table_evictions;
    total.page_ins += statistics.page_ins;
    total.suspensions += statistics.suspensions;
    total.table_updates += statistics.table_updates;
    total.flushes += statistics.flushes;
    vidmm_engine_destroy(engine);
    counted_memory_finish(&memory);
}

/* The last runs are those with leaves of both sizes. */
static uint32_t kind_of(uint32_t run)
{
    if (run < KINDS || run >= RUNS)
        return run % KINDS;
    return KINDS | 32 | (run & 31) | (run >> 5 & 1) << 6 | ((run ^ run >> 3) & 1) << 7;
}

/* Answers the most pages that were mapped at once. */
static uint64_t play(uint32_t run)
{
    uint64_t most = 0;

    begin(kind_of(run), run + 1);
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        do_something();
        most = mapped_pages > most ? mapped_pages : most;
    }
    end();
    return most;
}

/* Runs in which almost all of memory is in use:
 *     2455   the pages of a list lie where tables of its own program are in the way of one piece;
 *            the tables could not leave, for the list was placed anew again and again
 *     16517  tables of a process that never ran have memory, and its root has none
 *     34199  an allocation is destroyed, and named by a MakeResident that waits for its tables
 *     58757  tables leave whose root was never written */
static void programs_find_what_they_have_written_at_every_address(void **state)
{
    static const uint32_t more[] = {2455, 16517, 34199, 58757};
    uint64_t most = 0;

    (void)state;
    for (uint32_t run = 0; run < RUNS + sizeof(more) / sizeof(more[0]); run++) {
        uint64_t mapped = play(run < RUNS ? run : more[run - RUNS]);

        most = mapped > most ? mapped : most;
    }
    print_message("%llu large pages, %llu of 64 KiB, ", (unsigned long long)large_pages,
                  (unsigned long long)wide_pages);
    print_message("%llu addresses compared, %llu pages mapped at once of %u, %llu evictions, "
                  "%llu updates, %llu flushes\n",
                  (unsigned long long)checked, (unsigned long long)most, LITTLE_MEMORY,
                  (unsigned long long)total.evictions, (unsigned long long)total.table_updates,
                  (unsigned long long)total.flushes);
    print_message("%llu times tables left, %llu times a list left\n",
                  (unsigned long long)total.table_evictions, (unsigned long long)total.suspensions);
    assert_true(total.table_evictions > 100 && total.suspensions > 100);
    print_message("%llu operations by companions, %llu of them off the paging node, %llu refused\n",
                  (unsigned long long)accompanied, (unsigned long long)apart,
                  (unsigned long long)refused);
    assert_true(accompanied > 1000 && apart > 500 && refused > 100);
    assert_true(total.evictions > 500 && total.flushes > 1000 && checked > 10000);
    assert_true(scattered > 1000);
    print_message("%llu pages in leaves that another is beside\n",
                  (unsigned long long)paired_pages);
    assert_true(large_pages > 1000 && wide_pages > 1000 && paired_pages > 1000);
    assert_true(notices > 500);
    assert_true(most > 4 * LITTLE_MEMORY);
}

/* ---- refusals ---- */

static NTSTATUS ask(struct vidmm_event event)
{
    struct vidmm_plan plan;

    return vidmm_step(engine, &event, &plan);
}

static NTSTATUS ask_map(uint32_t process, uint32_t allocation, uint64_t base, uint64_t size,
                        uint64_t offset)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = process;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = allocation;
    event.addresses.base = base;
    event.addresses.size = size;
    event.addresses.offset = offset;
    return ask(event);
}

static void what_cannot_be_mapped_is_refused(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 2};

    (void)state;
    begin(0, 1);
    event.create.allocation = 7;
    event.create.wish =
        (struct vidmm_wish){.size = 4 * PAGE, .alignment = PAGE, .read_set = 1, .write_set = 1};
    assert_int_equal(ask(event), STATUS_SUCCESS);
    event.create.allocation = VIDMM_TABLE_IDS; /* ids of page tables */
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER);
    assert_int_equal(ask_map(9, 7, 0, PAGE, 0), STATUS_INVALID_PARAMETER); /* no such process */
    assert_int_equal(ask_map(1, 7, 0, PAGE, 0), STATUS_INVALID_PARAMETER); /* not a program's */
    assert_int_equal(ask_map(2, 8, 0, PAGE, 0), STATUS_INVALID_PARAMETER); /* no such allocation */
    assert_int_equal(ask_map(2, VIDMM_TABLE_IDS, 0, PAGE, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(ask_map(2, 7, 0, 5 * PAGE, 0), STATUS_INVALID_PARAMETER); /* past its end */
    assert_int_equal(ask_map(2, 7, 0, PAGE, 4 * PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(ask_map(2, 7, 0, 4 * PAGE, UINT64_MAX - PAGE + 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(ask_map(2, 7, 0, 100, 0), STATUS_INVALID_PARAMETER);     /* no whole pages */
    assert_int_equal(ask_map(2, 7, PAGE, PAGE, 0), STATUS_INVALID_PARAMETER); /* below the lowest */
    assert_int_equal(ask_map(2, 7, LAST_PAGE * PAGE, PAGE, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(ask_map(2, 7, 0, 4 * PAGE, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_address(engine), 0x10000); /* W-010 */
    assert_int_equal(ask_map(2, 7, 0x20000, PAGE, PAGE), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_address(engine), 0x20000); /* W-022 */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_FREE_ADDRESSES};
    event.addresses.process = 2;
    event.addresses.base = 0x10000;
    event.addresses.size = 5 * PAGE; /* the last of them is free */
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER);
    vidmm_engine_destroy(engine);
    counted_memory_finish(&memory);
}

static void processes_that_cannot_be_are_refused(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    (void)state;
    begin(0, 1);
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* id 0 */
    event.process.process = 2;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* in use */
    event.process.process = 9;
    event.process.paging = 1;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* there is a paging process */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_PROCESS};
    event.process.process = 2;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* it has a device */
    event.process.process = 1;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* paging needs it */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 9};
    event.create_device.process = 9;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* no such process */
    vidmm_engine_destroy(engine);
    counted_memory_finish(&memory);
}

static NTSTATUS ask_companion(uint32_t queue, uint32_t context, uint32_t node, uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPANION};

    event.paging_queue.queue = queue;
    event.paging_queue.context = context;
    event.paging_queue.node = node;
    event.paging_queue.process = process;
    return ask(event);
}

static void companions_that_cannot_be_are_refused(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    (void)state;
    begin(128, 1);
    event.process.process = 5;
    event.process.paging = VIDMM_PROCESS_PRIVILEGED + 1;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* no such kind */
    event.process.paging = VIDMM_PROCESS_PRIVILEGED;
    step(&event, STATUS_SUCCESS);
    assert_int_equal(ask_companion(9, 7, 0, 5), STATUS_INVALID_PARAMETER); /* no such queue */
    assert_int_equal(ask_companion(2, 7, 2, 5), STATUS_INVALID_PARAMETER); /* no such node */
    assert_int_equal(ask_companion(2, 7, 0, 6), STATUS_INVALID_PARAMETER); /* no such process */
    assert_int_equal(ask_companion(2, 7, 0, 3), STATUS_INVALID_PARAMETER); /* a program's */
    assert_int_equal(ask_companion(2, 0, 0, 5), STATUS_INVALID_PARAMETER); /* there is none */
    assert_int_equal(ask_companion(2, 7, 1, 5), STATUS_SUCCESS);
    assert_int_equal(ask_companion(2, 8, 1, 5), STATUS_INVALID_PARAMETER); /* it has one */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_PROCESS};
    event.process.process = 5;
    assert_int_equal(ask(event), STATUS_INVALID_PARAMETER); /* its companion runs there */
    assert_int_equal(ask_companion(2, 0, 0, 0), STATUS_SUCCESS);
    assert_false(vidmm_engine_runs_companion(engine, 7));
    step(&event, STATUS_SUCCESS);
    settle();
    assert_false(vidmm_engine_has_process(engine, 5));
    vidmm_engine_destroy(engine);
    counted_memory_finish(&memory);
}

/* Tables that the CPU writes are in no paging buffer, and no link has companions. */
static void whoever_has_no_companions_is_refused(void **state)
{
    struct vidmm_engine_config legal, other;
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    (void)state;
    begin(129, 1);
    vidmm_engine_destroy(engine);
    legal = config;
    event.process.process = 5;
    event.process.paging = VIDMM_PROCESS_PRIVILEGED;
    for (unsigned i = 0; i < 2; i++) {
        other = legal;
        other.mmu.written_at_once = i == 0;
        other.linked = i == 1;
        engine = vidmm_engine_create(&other, &memory.table);
        assert_non_null(engine);
        assert_int_equal(ask(event), STATUS_INVALID_PARAMETER);
        vidmm_engine_destroy(engine);
    }
    counted_memory_finish(&memory);
}

static void an_mmu_that_cannot_be_is_refused(void **state)
{
    struct vidmm_engine_config legal, none;

    (void)state;
    begin(1, 1);
    vidmm_engine_destroy(engine);
    legal = config;
    for (unsigned i = 0; i < 9; i++) {
        none = legal;
        none.mmu.levels = i == 0 ? 1 : i == 1 ? VIDMM_ENGINE_LEVELS + 1 : 3;
        none.mmu.table_size[1] = i == 2 ? 100 : i == 3 ? 0 : 4096;
        none.mmu.table_segment[0] = i == 4 ? 2 : 1;
        none.mmu.low = i == 5 ? 0 : i == 6 ? PAGE : legal.mmu.low;
        none.mmu.high =
            i == 7 ? legal.mmu.high * 2 : legal.mmu.high; /* the levels do not cover it */
        if (i == 8) {                                     /* D-135 */
            none.mmu.table_segment[0] = 0;
            none.mmu.table_size[0] = 8192;
        }
        assert_null(vidmm_engine_create(&none, &memory.table));
    }
    engine = vidmm_engine_create(&legal, &memory.table);
    assert_non_null(engine);
    vidmm_engine_destroy(engine);
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_mapped_is_refused),
        cmocka_unit_test(processes_that_cannot_be_are_refused),
        cmocka_unit_test(an_mmu_that_cannot_be_is_refused),
        cmocka_unit_test(companions_that_cannot_be_are_refused),
        cmocka_unit_test(whoever_has_no_companions_is_refused),
        cmocka_unit_test(programs_find_what_they_have_written_at_every_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
