/* wddm2.h: the events that only engines at WDDM 2 take, for the fuzz target of engine events.
 *
 * The first byte of an input says what the engine has: '%' residency lists, '&' a GPU MMU, '@'
 * both; '(' both, and roots of two levels that are resized; ')' both, and fences.h.
 */
#ifndef TEST_FUZZ_WDDM2_H
#define TEST_FUZZ_WDDM2_H

#include "engine.h"

/* An engine without either takes the input as it always did. */
static void choose_wddm2(struct fuzz *fuzz)
{
    uint32_t first = fuzz->input.at < fuzz->input.end ? *fuzz->input.at : 0;

    fuzz->resized = first == '(';
    fuzz->more = first == ')';
    fuzz->lists = first == '%' || first == '@' || fuzz->resized || fuzz->more;
    fuzz->mmu = first == '&' || first == '@' || fuzz->resized || fuzz->more;
    fuzz->wide = first == '!';
    fuzz->input.at += fuzz->lists || fuzz->mmu || fuzz->wide;
}

static void configure_wddm2(struct fuzz *fuzz, struct vidmm_engine_config *config)
{
    uint32_t shape = fuzz->lists || fuzz->mmu ? byte(fuzz) : 0;
    uint32_t levels = fuzz->resized ? 2 : 2 + (shape & 1);

    config->explicit_residency = fuzz->lists;
    if (fuzz->lists && (shape & 64) != 0) { /* seen by a CPU host aperture of few pages */
        config->segments[2].cpu_visible = false;
        config->segments[2].host_pages =
            1 + (shape >> 2 & 15) % (uint32_t)(config->segments[2].size / 4096);
        config->segments[2].host_cached = (shape & 128) != 0;
    }
    if (!fuzz->mmu)
        return;
    config->mmu = (struct vidmm_engine_mmu){
        .levels = levels,
        .index_bits = {4, 4},
        .root_entries = levels == 3     ? 2
                        : fuzz->resized ? 32
                                        : 24,
        .low = GRANULE,
        .high = 24 * GRANULE,
        .zero_entries = (shape & 2) != 0,
        .invalid_not_cached = (shape & 4) != 0,
        .explicit_invalidation = (shape & 8) != 0,
    };
    for (uint32_t step = 0; fuzz->resized && step < 5; step++) {
        config->mmu.root_least = 2;
        config->mmu.root_size[step] = step == 4 && (shape & 16) != 0 ? 8192 : 4096;
    }
    for (uint32_t level = 0; level < levels; level++) {
        config->mmu.table_size[level] = 4096;
        config->mmu.table_segment[level] = (shape >> 4 & 1) * 2;
        config->mmu.paging_segment[level] = (shape >> 5 & 1) * 3;
    }
    for (uint32_t id = 2; id <= 3; id++) /* room for one table at least: the first page has none */
        if (config->segments[id].size < (fuzz->resized ? 3 : 2) * UINT64_C(4096))
            config->segments[id].size = (fuzz->resized ? 3 : 2) * UINT64_C(4096);
    fuzz->levels = levels;
    fuzz->root_entries = config->mmu.root_entries;
}

/* The paging process, and a process for each device; and one for companions. */
static void create_processes(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    for (uint32_t id = 1; fuzz->mmu && id <= (fuzz->more ? 4 : 3); id++) {
        event.process.process = id;
        event.process.paging = id == 4   ? VIDMM_PROCESS_PRIVILEGED
                               : id == 3 ? VIDMM_PROCESS_PAGING
                                         : VIDMM_PROCESS_PROGRAM;
        must(step(fuzz, &event) == STATUS_SUCCESS, "a process");
        fuzz->processes[id] = true;
    }
}

static void create_queues(struct fuzz *fuzz)
{
    for (uint32_t id = 1; id <= 2 && fuzz->lists; id++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = id};

        event.paging_queue.queue = id;
        event.paging_queue.priority = id % 3;
        must(step(fuzz, &event) == STATUS_SUCCESS, "a paging queue");
        fuzz->queues[id] = (struct queue){.device = id, .passed = VIDMM_FIRST_PAGING_FENCE};
    }
}

/* Mostly one of the few that may be there. */
static uint32_t few(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    return choice == 255 ? word(fuzz) | 1u << 24 : choice % FEW;
}

static void forget_queues(struct fuzz *fuzz, uint32_t device)
{
    for (uint32_t id = 0; id < FEW; id++)
        if (fuzz->queues[id].device == device)
            fuzz->queues[id] = (struct queue){0};
}

static void forget_fences(struct fuzz *fuzz, uint32_t device)
{
    for (uint32_t fence = 0; fence < FENCES; fence++)
        if (fuzz->fence_device[fence] == device)
            fuzz->fence_alive[fence] = fuzz->fence_asked[fence] = false;
}

static void change_device(struct fuzz *fuzz)
{
    bool made = byte(fuzz) & 1;
    struct vidmm_event event = {.kind =
                                    made ? VIDMM_EVENT_CREATE_DEVICE : VIDMM_EVENT_DESTROY_DEVICE};

    event.device = few(fuzz);
    if (made)
        event.create_device.process = few(fuzz);
    if (step(fuzz, &event) == STATUS_SUCCESS && !made) {
        forget_queues(fuzz, event.device);
        forget_fences(fuzz, event.device);
    }
}

static void change_queue(struct fuzz *fuzz)
{
    bool made = byte(fuzz) % 4 != 0;
    struct vidmm_event event = {.kind = made ? VIDMM_EVENT_CREATE_PAGING_QUEUE
                                             : VIDMM_EVENT_DESTROY_PAGING_QUEUE};
    struct queue before = {0};
    uint32_t id = few(fuzz);

    if (id < FEW)
        before = fuzz->queues[id];
    event.paging_queue.queue = id;
    if (made) {
        event.device = few(fuzz);
        event.paging_queue.priority = byte(fuzz) % 4;
        if (fuzz->more && event.paging_queue.priority == 2) {
            event.paging_queue.fences = byte(fuzz) % IDS;
            event.paging_queue.offset = 8 * byte(fuzz);
        }
    } else if (id < FEW) {
        fuzz->queues[id] = (struct queue){0}; /* nobody is told from here on */
    }
    if (step(fuzz, &event) != STATUS_SUCCESS) {
        if (!made && id < FEW) /* a creation took nothing; the queue may just have signalled */
            fuzz->queues[id] = before;
        return;
    }
    must(id < FEW && made == (before.device == 0), "no queue is made or destroyed twice");
    if (made)
        fuzz->queues[id] =
            (struct queue){.device = event.device, .passed = VIDMM_FIRST_PAGING_FENCE};
}

/* Instead of an empty eviction. */
static void hold(struct fuzz *fuzz, uint32_t device, uint32_t choice)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_HOLD, .device = device};

    event.hold.allocation = choice >> 5;
    event.hold.held = choice >> 4 & 1;
    step(fuzz, &event);
}

/* Instead of an empty MakeResident: for what is there, or is not. */
static void page_out(struct fuzz *fuzz, uint32_t device, uint32_t choice)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGE_OUT, .device = device};
    uint32_t allocations[REFERENCES];

    event.residency.request = choice & 0xf0;
    event.residency.flags = choice >> 5;
    event.residency.count = byte(fuzz) % (REFERENCES + 1);
    event.residency.allocations = allocations;
    for (uint32_t i = 0; i < event.residency.count; i++)
        allocations[i] = id(fuzz);
    step(fuzz, &event);
}

/* ... by the clock. */
static void test_clock(struct fuzz *fuzz, uint32_t choice)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_DELAY, VIDMM_EVENT_DELAY,
                                     VIDMM_EVENT_EVICTION_DELAY, VIDMM_EVENT_TRIM_INTERVALS};
    struct vidmm_event event = {.kind = kinds[choice >> 6]};
    uint32_t queue = few(fuzz);

    if (event.kind == VIDMM_EVENT_TRIM_INTERVALS) {
        event.test.time_ns[0] = word(fuzz);
        event.test.time_ns[1] = word(fuzz);
        event.test.time_ns[2] = word(fuzz);
    } else {
        event.test.queue = queue;
        event.test.time_ns[0] = word(fuzz); /* a legal one is over before the run is */
        event.test.time_ns[0] = event.test.time_ns[0] >> 31 != 0 ? event.test.time_ns[0] << 32
                                                                 : event.test.time_ns[0] & 0xffff;
    }
    if (step(fuzz, &event) == STATUS_PENDING) {
        must(event.kind == VIDMM_EVENT_DELAY && queue < FEW && fuzz->queues[queue].device != 0,
             "a queue that is there");
        fuzz->queues[queue].owed = vidmm_engine_residency_answer(fuzz->engine).value;
    }
}

/* Instead of an empty reclaim: what tests ask for. */
static void test_manager(struct fuzz *fuzz, uint32_t device, uint32_t choice)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_SET_FAULTS, VIDMM_EVENT_SUSPEND_DEVICE,
                                     VIDMM_EVENT_RESUME_DEVICES, VIDMM_EVENT_COMPACT};
    struct vidmm_event event = {.kind = kinds[choice >> 6], .device = device};

    event.test.faults = byte(fuzz);
    if (event.test.faults >> 5 == 7) {
        test_clock(fuzz, choice);
        return;
    }
    event.test.suspension = choice >> 4 & 3;
    event.test.wakes = choice >> 3 & 1;
    event.test.request = choice & 0x30;
    event.test.segment = event.test.faults & 7;
    event.test.way = event.test.faults >> 3 & 7;
    step(fuzz, &event);
}

static void list(struct fuzz *fuzz)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_MAKE_RESIDENT, VIDMM_EVENT_MAKE_RESIDENT,
                                     VIDMM_EVENT_EVICT, VIDMM_EVENT_RECLAIM_QUEUED};
    struct vidmm_event event = {.kind = kinds[byte(fuzz) % 4]};
    uint32_t allocations[REFERENCES], queue = few(fuzz), choice = byte(fuzz);

    event.device = queue;
    event.residency.queue = queue;
    event.residency.flags = choice >> 4 < 12 ? 0 : choice >> 4 & 3;
    if (event.kind == VIDMM_EVENT_RECLAIM_QUEUED)
        event.residency.flags = 0;
    if (event.kind == VIDMM_EVENT_EVICT && choice >> 4 == 11)
        event.residency.flags = VIDMM_EVICT_KEEPS | VIDMM_EVICT_NOT_WRITTEN_TO;
    event.residency.count = choice % (REFERENCES + 1);
    event.residency.allocations = allocations;
    if (event.kind == VIDMM_EVENT_EVICT && event.residency.count == 0)
        hold(fuzz, event.device, choice);
    if (event.kind == VIDMM_EVENT_MAKE_RESIDENT && event.residency.count == 0)
        page_out(fuzz, event.device, choice);
    if (event.kind == VIDMM_EVENT_RECLAIM_QUEUED && event.residency.count == 0)
        test_manager(fuzz, event.device, choice);
    for (uint32_t i = 0; i < event.residency.count; i++)
        allocations[i] = id(fuzz);
    if (event.kind != VIDMM_EVENT_EVICT && queue < FEW)
        fuzz->queues[queue].asks = true;
    if (step(fuzz, &event) == STATUS_PENDING) {
        uint64_t value = vidmm_engine_residency_answer(fuzz->engine).value;

        must(event.kind != VIDMM_EVENT_EVICT, "an eviction is not pending");
        must(queue < FEW && fuzz->queues[queue].device != 0, "a queue that is there");
        must(value > fuzz->queues[queue].owed && value > VIDMM_FIRST_PAGING_FENCE,
             "values of a queue ascend");
        fuzz->queues[queue].owed = value;
    }
    if (queue < FEW)
        fuzz->queues[queue].asks = false;
    must(queue >= FEW || fuzz->queues[queue].passed <= fuzz->queues[queue].owed ||
             fuzz->queues[queue].passed == VIDMM_FIRST_PAGING_FENCE,
         "no queue passes a value that was not given");
}

/* Segments and preferences that there are, or any. */
static void change_property(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_PROPERTY};
    uint32_t queue = few(fuzz), choice = byte(fuzz), segments = byte(fuzz);

    event.property.queue = queue;
    event.property.allocation = id(fuzz);
    event.property.to.mask = choice >> 4 == 15 ? choice : choice >> 4 & 7;
    event.property.to.physical = choice & 1;
    event.property.to.segments = segments == 255 ? word(fuzz) : segments & 7;
    event.property.to.preferred = choice >> 1 & 7;
    if (queue < FEW)
        fuzz->queues[queue].asks = true;
    if (step(fuzz, &event) == STATUS_PENDING) {
        uint64_t value = vidmm_engine_residency_answer(fuzz->engine).value;

        must(queue < FEW && fuzz->queues[queue].device != 0, "a queue that is there");
        must(value > fuzz->queues[queue].owed, "values of a queue ascend");
        fuzz->queues[queue].owed = value;
    }
    if (queue < FEW)
        fuzz->queues[queue].asks = false;
}

static void change_budget(struct fuzz *fuzz)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_BUDGET, VIDMM_EVENT_RESERVE, VIDMM_EVENT_TRIM,
                                     VIDMM_EVENT_JOIN};
    struct vidmm_event event = {.kind = kinds[byte(fuzz) % 4]};

    if (event.kind == VIDMM_EVENT_TRIM) {
        event.trim.restart = byte(fuzz) % 3;
    } else if (event.kind == VIDMM_EVENT_JOIN) {
        event.device = few(fuzz);
        event.join.process = few(fuzz);
    } else {
        uint32_t size;

        event.budget.process = few(fuzz);
        event.budget.group = byte(fuzz) % 3;
        size = byte(fuzz);
        event.budget.size = size == 255 ? UINT64_MAX : size * UINT64_C(4096);
    }
    step(fuzz, &event);
}

static void change_process(struct fuzz *fuzz)
{
    bool made = byte(fuzz) & 1;
    struct vidmm_event event = {.kind = made ? VIDMM_EVENT_CREATE_PROCESS
                                             : VIDMM_EVENT_DESTROY_PROCESS};

    event.process.process = few(fuzz);
    event.process.paging = made && byte(fuzz) == 1;
    if (fuzz->more && made && event.process.paging == 0)
        event.process.paging = byte(fuzz) % 2 * VIDMM_PROCESS_PRIVILEGED;
    if (step(fuzz, &event) != STATUS_SUCCESS)
        return;
    must(event.process.process < FEW && event.process.paging != VIDMM_PROCESS_PAGING &&
             fuzz->processes[event.process.process] == !made,
         "no process is made or destroyed twice, nor another that pages");
    fuzz->processes[event.process.process] = made;
}

/* An address that is possible, or any; some pages, or the size of granules. */
static uint64_t address(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz), within = byte(fuzz);

    if (choice == 255)
        return (uint64_t)word(fuzz) << 12 | within;
    return choice % 28 * GRANULE + (within < 192 ? 0 : within % 16 * UINT64_C(4096));
}

static uint64_t address_size(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    return choice == 255   ? (uint64_t)word(fuzz) << 8
           : choice >= 128 ? choice % 4 * GRANULE
                           : choice % 32 * UINT64_C(4096);
}

static void change_addresses(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESERVE_ADDRESSES + byte(fuzz) % 4};
    uint32_t choice = byte(fuzz);
    uint64_t obtained;

    event.addresses.process = few(fuzz);
    event.addresses.base = (choice & 1) != 0 ? address(fuzz) : 0;
    event.addresses.size = address_size(fuzz);
    if (event.kind != VIDMM_EVENT_FREE_ADDRESSES) {
        event.addresses.state = choice >> 1 & 7;
        if (event.kind == VIDMM_EVENT_MAP_ADDRESSES && (choice & 8) != 0)
            event.addresses.state = VIDMM_ADDRESSES_MAPPED;
        event.addresses.access = choice >> 4 & 3;
    }
    if (event.addresses.state == VIDMM_ADDRESSES_MAPPED) {
        event.addresses.allocation = id(fuzz);
        event.addresses.offset = byte(fuzz) % 8 * UINT64_C(4096);
        event.addresses.period = (choice & 64) != 0 ? byte(fuzz) % 4 * UINT64_C(4096) : 0;
    } else if (event.addresses.state == VIDMM_ADDRESSES_COPIED) {
        event.addresses.offset = address(fuzz);
    }
    if ((choice & 128) != 0) {
        event.addresses.minimum = address(fuzz);
        event.addresses.maximum = address(fuzz);
        event.addresses.driver_protection =
            byte(fuzz) % 3 == 1 ? UINT64_C(1) << 63 | 5 : byte(fuzz) % 3;
    }
    obtained = vidmm_engine_address(fuzz->engine);
    if (step(fuzz, &event) == STATUS_SUCCESS && event.kind <= VIDMM_EVENT_MAP_ADDRESSES) {
        obtained = vidmm_engine_address(fuzz->engine);
        must(obtained >= GRANULE && obtained % 4096 == 0 &&
                 obtained + event.addresses.size <= 24 * GRANULE,
             "addresses in the space");
        must(event.addresses.base == 0 || event.addresses.base == obtained,
             "the addresses that were asked for");
    } else {
        must(obtained == vidmm_engine_address(fuzz->engine), "a refusal obtains nothing");
    }
}

static void wddm2_event(struct fuzz *fuzz)
{
    uint32_t whole = byte(fuzz), choice = whole % 16;

    if (fuzz->lists && whole >= 0xf0 && (whole & 3) == 3)
        change_property(fuzz);
    else if (choice == 0)
        change_device(fuzz);
    else if (fuzz->mmu && choice == 1)
        change_process(fuzz);
    else if (fuzz->lists && choice == 2)
        change_queue(fuzz);
    else if (fuzz->lists && choice <= 5)
        change_budget(fuzz);
    else if (fuzz->lists && (!fuzz->mmu || choice % 2 == 0))
        list(fuzz);
    else
        change_addresses(fuzz);
}

#endif
