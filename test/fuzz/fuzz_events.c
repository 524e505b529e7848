/* The engine, on any events: ids that are not alive, answers that nobody asked for, statuses and
 * fences out of the air, nodes that hang, power that goes. After each step every invariant holds
 * and the plan is one that could be carried out; in the end, answered honestly, everything that was
 * taken in comes to its end.
 *
 * A text that begins as recorded events do goes to their player instead. Behind a '!' drivers
 * choose more freely: which node pages, whether engines are reset that cannot be preempted, fences
 * between the oldest and the newest, answers about swizzling ranges. An engine at WDDM 2 stands
 * behind a '%', '&' or '@' (wddm2.h), one with all of it behind a ')' (fences.h).
 */
#include "engine.h"

#include "trace/events.h"
#include "trace/trace.h"

#include "fences.h"
#include "wddm2.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- events ---------------------------------------------------------------------------------- */

static void create(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION};
    uint8_t shape, in[7];
    uint32_t number;

    bytes(fuzz, &shape, 1);
    bytes(fuzz, in, sizeof(in));
    number = in[0] == 255 ? word(fuzz) | 1u << 24 : in[0] % IDS;
    event.device = 1 + in[1] % 3;
    event.create.allocation = number;
    event.create.buffer = (shape & 7) == 0;
    event.create.wish = (struct vidmm_wish){
        .size = (1 + in[2] % 40) * UINT64_C(4096),
        .alignment = UINT64_C(4096) << (shape >> 3 & 3),
        .read_set = in[3] & 7,
        .write_set = in[4] & 7,
        .eviction_set = shape >> 5 & 1,
        .preferred = in[5],
        .flags = in[6] & 0x43,
        .priority = (uint32_t)(in[1] >> 4) << 28,
    };
    if (fuzz->wide && (in[5] & 0x40) != 0)
        event.create.wish.flags |= 0x800; /* SynchronousPaging */
    if ((fuzz->wide || fuzz->more) && (in[5] & 0x80) != 0 && event.create.buffer == 0) {
        event.create.context_allocation = 1;
        event.create.wish.flags &= 0x840;
    } else if (fuzz->more && (in[5] & 0x60) == 0x60) {
        event.create.buffer = VIDMM_BUFFER_FENCES;
        event.create.wish.read_set = event.create.wish.write_set = 0;
    }
    if (fuzz->more && in[2] >= 160)
        event.create.wish.flags |= VIDMM_WISH_PRIMARY;
    event.create.shared = in[6] >> 3 & 1;
    event.create.wish.pinned = event.create.shared && (in[6] & 0x80) != 0; /* a shared primary */
    if ((in[6] & 0x30) == 0x30) /* an overlay or a capture allocation */
        event.create.wish.flags |= in[6] & 4 ? 0x100 : 0x200;
    if ((shape & 0xc0) == 0xc0)
        event.create.wish.size = word(fuzz);
    if (step(fuzz, &event) == STATUS_SUCCESS) {
        must(number < IDS, "an id that far needs a table that large");
        fuzz->alive[number] = true;
    }
}

static void destroy(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    event.destroy.allocation = id(fuzz);
    if (event.destroy.allocation < IDS && fuzz->alive[event.destroy.allocation])
        fuzz->destroyed[event.destroy.allocation] = true; /* it may go within the step */
    if (step(fuzz, &event) == STATUS_SUCCESS)
        fuzz->alive[event.destroy.allocation] = false;
}

/* Patch locations, mostly possible ones. */
static void bind(struct fuzz *fuzz, struct vidmm_patch_location *patches, uint32_t count,
                 uint32_t references)
{
    uint32_t offset = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t choice = byte(fuzz);

        offset += choice >> 6;
        patches[i].slot = choice % 8;
        patches[i].split_offset = choice == 255 ? byte(fuzz) : offset;
        patches[i].reference = references != 0 ? byte(fuzz) % references : VIDMM_UNBOUND;
        if (choice % 16 == 9)
            patches[i].reference = VIDMM_UNBOUND;
    }
}

static void submit(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT};
    struct vidmm_reference references[REFERENCES];
    struct vidmm_patch_location patches[PATCHES];
    uint32_t count, shape;
    uint8_t in[3];

    bytes(fuzz, in, sizeof(in));
    event.device = in[0] % 4;
    count = fuzz->lists && in[1] < 192 ? 0 : in[1] % (REFERENCES + 1);
    shape = in[2];
    for (uint32_t i = 0; i < count; i++) {
        references[i].allocation = id(fuzz);
        references[i].write = byte(fuzz) & (VIDMM_REFERENCE_WRITES | VIDMM_REFERENCE_OWNED);
    }
    event.submit.dma_buffer = shape % IDS;
    event.submit.node = shape >> 5;
    event.submit.context = 1 + shape % 3;
    event.submit.reference_count = count;
    event.submit.references = references;
    event.submit.size = 64;
    event.submit.patch_count = in[0] < 128 ? 0 : in[0] % (PATCHES + 1);
    event.submit.patches = patches;
    bind(fuzz, patches, event.submit.patch_count, count);
    fuzz->outstanding[event.submit.dma_buffer]++; /* it may retire within the step */
    if (step(fuzz, &event) != STATUS_SUCCESS)
        fuzz->outstanding[event.submit.dma_buffer]--;
}

/* An allocation that is locked by a range is locked in no other way; so the face has it. */
static void lock_by_range(struct fuzz *fuzz, struct vidmm_event *event)
{
    uint32_t choice = byte(fuzz), allocation = event->lock.allocation;

    event->lock.data = choice;
    if (choice % 4 == 1)
        event->lock.flags = VIDMM_LOCKING_DONOT_EVICT;
    if (choice % 4 == 2 && allocation < IDS && !fuzz->locked[allocation])
        event->lock.flags = VIDMM_LOCKING_APERTURE;
}

static void lock(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};

    event.lock.request = byte(fuzz);
    event.lock.allocation = id(fuzz);
    event.lock.wait = byte(fuzz) & 1;
    if (fuzz->wide)
        lock_by_range(fuzz, &event);
    step(fuzz, &event);
}

static void unlock(struct fuzz *fuzz, uint32_t allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    event.unlock.allocation = allocation;
    if (step(fuzz, &event) == STATUS_SUCCESS)
        must(allocation < IDS && (fuzz->locked[allocation] || fuzz->granted[allocation]),
             "what was unlocked had been locked");
    if (allocation < IDS)
        fuzz->locked[allocation] = fuzz->granted[allocation] = false;
}

static void pin(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PIN};

    event.pin.request = byte(fuzz);
    event.pin.allocation = id(fuzz);
    step(fuzz, &event);
}

/* Nothing that was submitted before is to complete. */
static void forget_node(struct fuzz *fuzz, uint32_t node)
{
    fuzz->fences[node] = 0;
    fuzz->preempt[node] = 0;
    fuzz->given_count[node] = 0;
}

/* Some fence in flight, or the newest complete one. */
static uint32_t some_fence(struct fuzz *fuzz, uint32_t node)
{
    uint32_t choice = byte(fuzz) % (GIVEN + 1);

    return choice < fuzz->given_count[node] ? fuzz->given[node][choice] : fuzz->done[node];
}

static void recovered_freely(struct fuzz *fuzz, const struct vidmm_operation *call,
                             struct vidmm_event *event)
{
    uint32_t node = call->recover.node;

    if (call->kind == VIDMM_DO_QUERY_FENCE && event->recovered.status == 0) {
        event->recovered.fence = some_fence(fuzz, node);
        note_done(fuzz, node, event->recovered.fence);
    }
    if (call->kind == VIDMM_DO_RESET_ENGINE)
        event->recovered.fence = some_fence(fuzz, node);
    if (call->kind == VIDMM_DO_QUERY_GROUP && byte(fuzz) < 250)
        event->recovered.nodes |= UINT64_C(1) << node;
}

/* A driver's report about its hang; now and then one that it may not give. */
static void recovered(struct fuzz *fuzz, const struct vidmm_operation *call,
                      struct vidmm_event *event)
{
    uint32_t node = call->recover.node, choice = byte(fuzz);

    event->kind = VIDMM_EVENT_RECOVERED;
    event->recovered.fence = choice == 255 ? word(fuzz) : choice == 1 ? 0 : fuzz->done[node];
    event->recovered.nodes = byte(fuzz);
    if (choice % 16 == 9)
        event->recovered.status = (uint32_t)STATUS_UNSUCCESSFUL;
    if (fuzz->wide && choice != 255)
        recovered_freely(fuzz, call, event);
    if (call->kind == VIDMM_DO_RESET_ENGINE && event->recovered.status == 0)
        forget_node(fuzz, node);
    if (call->kind == VIDMM_DO_RESET)
        for (node = 0; node < NODES; node++)
            forget_node(fuzz, node);
}

static uint32_t range_status(uint32_t choice)
{
    return (uint32_t)(choice == 1   ? STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE
                      : choice == 2 ? STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED
                      : choice == 3 ? STATUS_NO_MEMORY
                                    : STATUS_SUCCESS);
}

static void answer(struct fuzz *fuzz)
{
    struct vidmm_operation call = fuzz->call;
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};
    uint32_t granted;

    fuzz->call.kind = 0;
    if (call.kind == 0)
        return;
    if (call.kind == VIDMM_DO_CLAIM) {
        granted = byte(fuzz);
        if (call.claim.peeks != 0)
            granted = granted == 1   ? VIDMM_CLAIM_REFUSED
                      : granted == 2 ? VIDMM_CLAIM_USED
                                     : VIDMM_CLAIM_GRANTED;
        else
            granted = granted == 1   ? VIDMM_CLAIM_REFUSED
                      : granted == 2 ? VIDMM_CLAIM_FOLLOWS
                                     : VIDMM_CLAIM_GRANTED;
        event.kind = VIDMM_EVENT_CLAIMED;
        event.claimed.allocation = call.allocation;
        event.claimed.granted = granted;
        must(call.allocation < IDS, "a claim on what is there");
        fuzz->locked[call.allocation] |= granted == VIDMM_CLAIM_REFUSED && call.claim.peeks == 0;
    } else if (call.kind >= VIDMM_DO_QUERY_FENCE && call.kind <= VIDMM_DO_RESTART) {
        recovered(fuzz, &call, &event);
    } else if (call.kind == VIDMM_DO_ACQUIRE_RANGE || call.kind == VIDMM_DO_RELEASE_RANGE) {
        event.kind = VIDMM_EVENT_RANGED;
        if (call.kind == VIDMM_DO_ACQUIRE_RANGE)
            event.ranged.status = range_status(byte(fuzz));
    } else if (call.kind == VIDMM_DO_MAP_HOST || call.kind == VIDMM_DO_UNMAP_HOST) {
        event.kind = VIDMM_EVENT_HOST_ANSWERED;
        if (call.kind == VIDMM_DO_MAP_HOST && byte(fuzz) == 1)
            event.host.status = (uint32_t)STATUS_INSUFFICIENT_RESOURCES;
    } else if (call.kind == VIDMM_DO_SET_ROOT) {
        event.kind = VIDMM_EVENT_ROOT_SET;
    } else if (call.kind == VIDMM_DO_BUILD) {
        event.kind = VIDMM_EVENT_BUILT;
        event.built.written = byte(fuzz);
        event.built.multipass_offset = byte(fuzz);
        if (event.built.multipass_offset == 7)
            event.built.status = (uint32_t)STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        if (event.built.multipass_offset == 8)
            event.built.status = (uint32_t)STATUS_GRAPHICS_ALLOCATION_BUSY;
    }
    step(fuzz, &event);
}

/* The node has stopped where it was. */
static void stop_node(struct fuzz *fuzz, uint32_t node)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PREEMPTED};

    event.preempted.node = node;
    event.preempted.fence = fuzz->preempt[node];
    if (fuzz->wide)
        note_done(fuzz, node, some_fence(fuzz, node));
    event.preempted.last_completed = fuzz->done[node];
    forget_node(fuzz, node);
    step(fuzz, &event);
}

static void complete(struct fuzz *fuzz, uint32_t node)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    if (fuzz->preempt[node] != 0 && fuzz->call.kind == 0) {
        stop_node(fuzz, node);
        return;
    }
    if (fuzz->fences[node] == 0)
        return;
    event.fence.node = node;
    event.fence.fence = fuzz->fences[node];
    if (fuzz->wide)
        event.fence.fence = some_fence(fuzz, node);
    note_done(fuzz, node, event.fence.fence);
    step(fuzz, &event);
}

/* Seconds pass, and what is in flight is late. */
static void let_time_pass(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_TICK};

    fuzz->time_ns += UINT64_C(1000000000) * (1 + byte(fuzz) % 64);
    step(fuzz, &event);
}

/* Offers, priorities, power. */
static void residency(struct fuzz *fuzz)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_OFFER, VIDMM_EVENT_RECLAIM, VIDMM_EVENT_PRIORITY,
                                     VIDMM_EVENT_REST,  VIDMM_EVENT_RESUME,  VIDMM_EVENT_REFRESH};
    uint32_t choice = byte(fuzz);
    struct vidmm_event event = {.kind = kinds[choice % (sizeof(kinds) / sizeof(kinds[0]))]};

    if (event.kind == VIDMM_EVENT_RECLAIM && choice >= 192)
        event.kind = VIDMM_EVENT_DISCARD;
    switch (event.kind) {
    case VIDMM_EVENT_DISCARD:
        event.discard.allocation = id(fuzz);
        break;
    case VIDMM_EVENT_OFFER:
        event.offer.allocation = id(fuzz);
        event.offer.priority = byte(fuzz) % 6;
        break;
    case VIDMM_EVENT_RECLAIM:
        event.reclaim.allocation = id(fuzz);
        break;
    case VIDMM_EVENT_PRIORITY:
        event.priority.allocation = id(fuzz);
        event.priority.priority = byte(fuzz) << 28;
        break;
    case VIDMM_EVENT_REFRESH:
        event.refresh.allocation = id(fuzz);
        event.refresh.first = byte(fuzz);
        event.refresh.count = byte(fuzz);
        break;
    default:
        event.rest.request = byte(fuzz);
        event.rest.power = event.kind == VIDMM_EVENT_REST ? byte(fuzz) % 6 : 0;
        break;
    }
    step(fuzz, &event);
}

/* Any event at all of an engine without explicit residency, of any numbers. */
static void nonsense(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = byte(fuzz) % (VIDMM_EVENT_ABANDON + 2u)};

    event.device = byte(fuzz);
    if ((fuzz->lists || fuzz->mmu) && event.kind <= VIDMM_EVENT_DESTROY_DEVICE)
        return; /* change_device() keeps the books */
    switch (event.kind) {
    case VIDMM_EVENT_CREATE_ALLOCATION:
    case VIDMM_EVENT_DESTROY_ALLOCATION:
    case VIDMM_EVENT_SUBMIT:
    case VIDMM_EVENT_UNLOCK:
        return; /* those above keep the books */
    case VIDMM_EVENT_CLAIMED:
    case VIDMM_EVENT_BUILT:
    case VIDMM_EVENT_SUBMITTED:
    case VIDMM_EVENT_RECOVERED:
        if (fuzz->call.kind != 0)
            return;
        break;
    case VIDMM_EVENT_PAGING_BUFFERS:
        event.paging_buffers.first = byte(fuzz);
        event.paging_buffers.count = byte(fuzz);
        break;
    case VIDMM_EVENT_EVICT_ALL:
        event.evict_all.request = byte(fuzz);
        event.evict_all.reason = byte(fuzz) % 5;
        break;
    default:
        event.fence.node = byte(fuzz);
        event.fence.fence = word(fuzz);
        break;
    }
    step(fuzz, &event);
}

static void one_event(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    if (fuzz->more && (choice & 0x1c) == 0x18) {
        fence_event(fuzz);
        return;
    }
    if ((fuzz->lists || fuzz->mmu) && (choice & 0x1c) == 0x1c) {
        wddm2_event(fuzz);
        return;
    }
    switch (choice % 16) {
    case 0:
    case 1:
        create(fuzz);
        break;
    case 2:
        destroy(fuzz);
        break;
    case 3:
    case 4:
    case 5:
        submit(fuzz);
        break;
    case 6:
        lock(fuzz);
        break;
    case 7:
        unlock(fuzz, id(fuzz));
        break;
    case 8:
        pin(fuzz);
        break;
    case 9:
        if (choice / 16 % 4 == 1)
            let_time_pass(fuzz);
        else if (choice / 16 % 4 == 2)
            residency(fuzz);
        else
            nonsense(fuzz);
        break;
    case 10:
    case 11:
        complete(fuzz, choice / 16 % NODES);
        break;
    default:
        answer(fuzz);
        break;
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool is_at_its_end(const struct fuzz *fuzz)
{
    uint32_t left = fuzz->call.kind;

    for (uint32_t i = 0; i < IDS; i++)
        left += fuzz->outstanding[i] + (fuzz->destroyed[i] ? 1 : 0);
    for (uint32_t i = 0; i < FEW; i++)
        left += fuzz->queues[i].owed > fuzz->queues[i].passed;
    for (uint32_t i = 0; i < WAITS; i++)
        left += fuzz->waits[i] ? 1 : 0;
    return left == 0;
}

/* Refused, if the power is there. */
static void resume(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESUME};

    event.rest.request = 1;
    step(fuzz, &event);
}

/* Devices that were suspended go on. */
static void wake_all(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESUME_DEVICES};

    for (uint32_t device = 1; device <= 3 && !fuzz->stopped; device++) {
        event.test.suspension = vidmm_engine_suspension(fuzz->engine, device, NULL);
        if (event.test.suspension != 0)
            must(step(fuzz, &event) == STATUS_SUCCESS, "a suspended device is resumed");
    }
}

/* Answered honestly, it ends. */
static void drain(struct fuzz *fuzz)
{
    for (uint32_t i = 0; i < IDS && !fuzz->stopped; i++)
        if (fuzz->locked[i])
            unlock(fuzz, i);
    wake_all(fuzz);
    end_fences(fuzz);
    for (uint32_t round = 0; round < 20000 && !fuzz->stopped && !is_at_its_end(fuzz); round++) {
        if (fuzz->call.kind != 0)
            answer(fuzz);
        else
            complete(fuzz, round % NODES);
        if (round % 64 == 63)
            resume(fuzz);
    }
    must(fuzz->stopped || is_at_its_end(fuzz), "what was taken in comes to its end");
}

static void choose_freely(struct fuzz *fuzz, struct vidmm_engine_config *config)
{
    uint8_t in[2];

    bytes(fuzz, in, sizeof(in));
    config->paging_node = fuzz->paging_node = in[0] % NODES;
    config->per_engine_reset = (in[0] & 4) != 0;
    config->preemption = (in[0] & 8) != 0;
    config->swizzling_ranges = in[0] >> 4 & 3;
    config->reject_leaks = (in[0] & 64) != 0;
    config->timeout_ns = UINT64_C(2000000000);
    config->segments[3].pitch_aligned = (in[1] & 3) == 1;
    config->segments[2].preserved_standby = (in[1] & 4) != 0;
    config->segments[2].preserved_hibernate = (in[1] & 8) != 0;
    config->segments[2].preserved_end = config->segments[2].size;
}

static bool begin(struct fuzz *fuzz)
{
    uint8_t shape, in[6];

    bytes(fuzz, &shape, 1);
    bytes(fuzz, in, sizeof(in));
    struct vidmm_engine_config config = {
        .segment_count = 3,
        .node_count = NODES,
        .queue_limit = 1 + in[0] % 8,
        .first_fence = (shape & 1) != 0 ? 0xfffffff0u : 1,
        .timeout_ns = UINT64_MAX / 4,
        .cancel_commands = (shape & 64) != 0,
        .context_switches = (shape & 32) != 0,
        .split_transfer_size = (shape & 2) != 0 ? 3 * 4096 : 0,
        .aperture_commit_limit = (shape & 4) != 0 ? 50 * 4096 : 0,
        .move_directly = (shape & 8) != 0,
        .submit_empty = (shape & 16) != 0,
        .one_operation = (shape & 128) != 0,
        .whole_lists = in[0] < 128,
        .segments[1] = {.size = (1 + in[1]) * UINT64_C(4096),
                        .commit_limit = (1 + in[2]) * UINT64_C(4096),
                        .aperture = true},
        .segments[2] = {.size = (1 + in[3]) * UINT64_C(4096), .cpu_visible = (shape & 32) != 0},
        .segments[3] = {.size = (1 + in[4]) * UINT64_C(4096), .cpu_visible = true},
    };
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE};

    config.preemption = (shape & 128) != 0;
    config.per_engine_reset = (shape & 192) == 192 && in[5] >= 128;
    if ((shape & 64) != 0) {
        config.timeout_ns = UINT64_C(2000000000);
        config.driver_timeout_ns = UINT64_C(5000000000);
    }
    if (fuzz->wide)
        choose_freely(fuzz, &config);
    configure_wddm2(fuzz, &config);
    fuzz->engine = vidmm_engine_create(&config, &memory);
    must(fuzz->engine != NULL, "an engine of a legal configuration");
    create_processes(fuzz);
    for (event.device = 1; event.device <= 2; event.device++) {
        event.create_device.process = fuzz->mmu ? event.device : 0;
        must(step(fuzz, &event) == STATUS_SUCCESS, "a device");
    }
    create_queues(fuzz);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_PAGING_BUFFERS};
    event.paging_buffers.first = 1;
    event.paging_buffers.count = 1 + in[5] % 4;
    return step(fuzz, &event) == STATUS_SUCCESS;
}

static void play_text(const uint8_t *data, size_t size)
{
    struct vidmm_events_result result;
    struct vidmm_trace_error error = {""};
    bool whole =
        vidmm_events_play("input", (const char *)data, size, &memory, NULL, &result, &error);

    must(whole == (error.text[0] == 0), "refused without a word, or the other way round");
    must(result.refused <= result.events, "more refused than stepped");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz fuzz;

    memset(&fuzz, 0, sizeof(fuzz));
    fuzz.input = (struct input){data, data + size};
    if (size > 0 && data[0] == '#') {
        play_text(data, size);
    } else {
        choose_wddm2(&fuzz);
        begin(&fuzz);
        for (uint32_t i = 0; i < EVENTS && !fuzz.stopped && fuzz.input.at < fuzz.input.end; i++)
            one_event(&fuzz);
        drain(&fuzz);
        vidmm_engine_destroy(fuzz.engine);
    }
    must(live == 0, "a block was kept");
    return 0;
}
