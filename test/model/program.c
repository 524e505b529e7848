/* program.c: the programs: they create, submit, lock, offer; and the system that takes the
 * power. */
#include "world_state.h"

#include <vidmm/test_fault.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *world_create_one(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation = &world->allocations[id];
    const char *problem;
    NTSTATUS status;

    if (allocation->known)
        return NULL;
    memset(allocation, 0, sizeof(*allocation));
    for (uint32_t node = 0; node < world->options.nodes; node++)
        world->nodes[node].loaded[id].segment = 0; /* of another, which has gone */
    allocation->local = argument >> 8 & 3;
    allocation->cpu_visible = argument >> 10 & 1;
    allocation->permanent = allocation->cpu_visible && (argument >> 11 & 3) == 0;
    allocation->pages = 1 + (argument >> 13) % ((uint32_t)world->options.memory_pages /
                                                ((argument >> 13) * 2654435761u >> 30 ? 6 : 3));
    if (world->options.listed)
        argument &= ~(3u << 23); /* alignment alone keeps no list out */
    if (world->options.even) {
        allocation->pages = 2;
        argument &= ~(3u << 23); /* no alignment */
    }
    allocation->mappable = allocation->local && (argument >> 30 & 1) != 0 &&
                           !(world->options.pinned && (argument >> 27 & 7) == 0);
    allocation->synchronous = world->options.synchronous && (argument >> 17 & 3) == 0;
    allocation->swizzled = world->options.swizzled && (argument >> 18 & 1) != 0;
    allocation->device = 1 + (argument >> 20 & 1);
    world_mark_backing(world, id, POISON);
    event.device = allocation->device;
    event.create.allocation = id;
    event.create.wish = (struct vidmm_wish){
        .size = allocation->pages * 4096ull,
        .alignment = 4096ull << (argument >> 22 & 1 ? 0 : argument >> 23 & 3),
        .write_set = allocation->mappable ? 3
                     : allocation->local  ? 2
                                          : 1,
        .eviction_set = allocation->local && world->options.evict_through_aperture ? 1 : 0,
        .flags = (allocation->cpu_visible ? 1u : 0u) | (allocation->permanent ? 2u : 0u) |
                 (argument >> 26 & 1 ? 0x40u : 0u) | (allocation->synchronous ? 0x800u : 0u) |
                 (allocation->swizzled ? 0x80u : 0u),
        .priority = (argument >> 5 & 7) == 0 ? (argument & 0xf) << 28 : 0x78000000u,
        .preferred = allocation->local ? 2 : 1,
        .hinted_bank = (argument >> 7 & 0x07070707u),
        .pitch_aligned_size = world->options.pitch_aligned ? allocation->pages * 8192ull : 0,
    };
    event.create.wish.read_set = event.create.wish.write_set;
    if (world->options.pinned && (argument >> 27 & 7) == 0)
        event.create.wish.flags |= argument & 1 ? 0x100 : 0x200;
    problem = world_step(world, &event, &status);
    allocation->alive = allocation->known = status == STATUS_SUCCESS;
    return problem;
}

const char *world_destroy_one(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    if (!world->allocations[id].alive || world->allocations[id].locks > 0 || argument >> 16 & 3)
        return NULL;
    world->allocations[id].alive = false;
    event.destroy.allocation = id;
    return world_step(world, &event, NULL);
}

static uint64_t extent(const struct world *world, const struct allocation *allocation)
{
    return allocation->pages * (world->options.pitch_aligned ? 2ull : 1ull);
}

static void add_patch(struct dma_buffer *dma, uint32_t reference, uint32_t slot, uint32_t command)
{
    if (dma->patch_count < PATCHES) {
        dma->patches[dma->patch_count++] =
            (struct vidmm_patch_location){reference, slot, command * COMMAND_BYTES};
    }
}

/* One command: it uses all, or with patch locations what those leave in the slots. */
static void make_command(struct dma_buffer *dma, uint32_t random, bool patched)
{
    uint32_t index;

    for (index = 0; patched && index < dma->count; index++)
        if ((random >> index & 3) != 0)
            add_patch(dma, index, index % SLOTS, 0);
}

/* Deal the references out to commands and slots; now and then a slot is emptied, a reference bound
 * again, or one named by nothing. */
static void make_commands(struct dma_buffer *dma, uint32_t random, bool patched)
{
    uint32_t index, command = 0, slot = 0;

    dma->commands = 1;
    if (dma->count < 2 || random >> 29 == 0) {
        make_command(dma, random, patched);
        return;
    }
    for (index = 0; index < dma->count; index++) {
        random = random * 1664525u + 1013904223u;
        if ((random >> 16 & 7) == 0)
            continue;
        if (index > 0 && (slot == SLOTS - 1 || random >> 30 == 0) && command < COMMANDS - 1) {
            command++;
            slot = random >> 20 & 1; /* the bindings of the slots above stay */
            if (random >> 24 & 1)
                add_patch(dma, VIDMM_UNBOUND, SLOTS - 1, command);
            if ((random >> 25 & 3) == 0)
                add_patch(dma, random % index, SLOTS - 2, command);
        }
        add_patch(dma, index, slot % SLOTS, command);
        slot++;
    }
    dma->commands = command + 1;
}

const char *world_submit(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = 1 + (argument & 1)};
    uint32_t slot, index, wanted = (argument >> 1) % 60, random = argument;
    uint64_t local = 0, most = world->options.memory_pages * (argument >> 12 & 1 ? 1 : 4);
    struct dma_buffer *dma;
    const char *problem;
    bool offered = false;
    NTSTATUS status;

    for (slot = 1; slot < DMA_BUFFERS && world->dma_buffers[slot].used; slot++) {
    }
    if (slot == DMA_BUFFERS)
        return NULL;
    dma = &world->dma_buffers[slot];
    memset(dma, 0, sizeof(*dma));
    for (index = 0; index < wanted && dma->count < NAMED; index++) {
        uint32_t id = 1 + (random = random * 1664525u + 1013904223u) / 7 % (ALLOCATIONS - 1);
        struct allocation *allocation = &world->allocations[id];
        bool locked = allocation->locks > 0 && allocation->local;
        bool refused = locked && (!allocation->mappable || allocation->swizzled ||
                                  allocation->by_alternate); /* D-160 */

        if (world->options.listed && allocation->listed == 0)
            continue; /* D-094 */
        if (allocation->alive && allocation->device == event.device &&
            (allocation->offer == 0 || (random >> 8 & 63) == 0) && !refused &&
            (!allocation->local ||
             local + extent(world, allocation) <= most + (random >> 28 == 0) ||
             world->options.listed)) {
            local += allocation->local ? extent(world, allocation) : 0;
            dma->references[dma->count++] = (struct vidmm_reference){
                id, (random >> 20 & 1) | (locked ? VIDMM_REFERENCE_LOCKED : 0)};
            allocation->busy++;
        }
    }
    event.submit.dma_buffer = slot;
    dma->context = 2 * event.device + (argument >> 13 & 1); /* two of each device */
    event.submit.context = dma->context;
    event.submit.node = (argument >> 9) % world->options.nodes;
    event.submit.node = event.submit.node == 2 ? 0 : event.submit.node;
    dma->device = event.device;
    dma->order = ++world->order;
    make_commands(dma, random, !world->options.whole_lists);
    if (!world->options.listed)
        world_refer_to_own(world, dma);
    event.submit.reference_count = dma->count + dma->owned;
    event.submit.references = dma->references;
    event.submit.size = dma->commands * COMMAND_BYTES;
    event.submit.patch_count = dma->patch_count;
    event.submit.patches = dma->patches;
    dma->used = true;
    for (index = 0; index < dma->count; index++)
        offered |= world->allocations[dma->references[index].allocation].offer != 0;
    problem = world_step(world, &event, &status);
    if (offered && status == STATUS_SUCCESS)
        return FAIL(world, "DMA buffer %u uses what is offered", slot); /* D-211 */
    if (status != STATUS_SUCCESS) {
        struct vidmm_operation undone = {.retire = {slot, 0}};

        world_retire(world, &undone);
    }
    return problem;
}

/* The first that stands in memory and is idle, from `id` on; `id` if there is none. */
static uint32_t find_resident(const struct world *world, uint32_t id)
{
    uint32_t step, at;

    for (step = 0; step < ALLOCATIONS - 1; step++) {
        at = 1 + (id + step) % (ALLOCATIONS - 1);
        if (world->allocations[at].alive && world->allocations[at].busy == 0 &&
            world->allocations[at].cpu_visible &&
            vidmm_engine_where(world->engine, at).segment == 2)
            return at;
    }
    return id;
}

/* From `id` on, one that the GPU has written behind the bridge; `id`: there is none. */
static uint32_t find_posted(const struct world *world, uint32_t id)
{
    uint32_t tried;

    for (tried = 0; tried < ALLOCATIONS - 1; tried++) {
        uint32_t other = 1 + (id + tried) % (ALLOCATIONS - 1);
        const struct allocation *allocation = &world->allocations[other];

        if (allocation->alive && allocation->posted && allocation->busy == 0 &&
            allocation->cpu_visible)
            return other;
    }
    return id;
}

const char *world_lock(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    const char *problem;
    NTSTATUS status;
    bool aperture = world->options.ranges > 0 && (argument >> 25 & 1) != 0, alternate = false;

    id = aperture ? find_resident(world, id) : id;
    id = (argument >> 27 & 1) != 0 ? find_posted(world, id) : id;
    if (!world->allocations[id].alive ||
        (world->allocations[id].busy > 0 && (argument >> 20 & 3) != 0))
        return NULL;
    event.lock.flags = argument >> 22 & 7;
    if (aperture) {
        event.lock.flags = VIDMM_LOCKING_APERTURE;
        event.lock.data = argument >> 26 & 1;
        alternate = !world->allocations[id].permanent && (argument >> 27 & 1) != 0;
        event.lock.flags |= alternate ? VIDMM_LOCKING_ALTERNATE : 0;
    }
    if (world->allocations[id].pending != 0)
        return NULL;
    if (world->allocations[id].locks > 0 && (aperture || world->allocations[id].by_alternate))
        return NULL; /* D-156: the face says so */
    if (alternate && world->set_up == 0 && (argument >> 28 & 3) == 0) {
        event.lock.flags |= VIDMM_LOCKING_SET_UP; /* S0-049 */
        world->set_up = world->request + 1;
    }
    event.lock.request = ++world->request;
    event.lock.allocation = id;
    event.lock.wait = aperture && argument >> 31 != 0;
    world->allocations[id].pending = event.lock.wait != 0 ? event.lock.request : 0;
    problem = world_step(world, &event, &status);
    return problem || world->allocations[id].offer == 0 || status != STATUS_SUCCESS
               ? problem
               : FAIL(world, "allocation %u may be locked while it is offered", id); /* D-155 */
}

const char *world_offer(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_OFFER};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation;

    while ((argument >> 24 & 15) == 0 && world->allocations[id].offer == 0 && id < ALLOCATIONS - 1)
        id++; /* one that is offered */
    allocation = &world->allocations[id];
    if (!allocation->alive || allocation->locks > 0 || allocation->closed ||
        (allocation->offer == 0 && argument >> 20 & 1))
        return NULL;
    if (allocation->offer == 0 || (argument >> 22 & 7) == 0) {
        allocation->offer = 1 + (argument >> 16 & 3);
        event.offer.allocation = id;
        event.offer.priority = allocation->offer;
        return world_step(world, &event, NULL);
    }
    if (!world->options.even && (argument >> 18 & 3) == 0) { /* it leaves out of turn */
        event.kind = VIDMM_EVENT_DISCARD;
        event.discard.allocation = id;
        return world_step(world, &event, NULL);
    }
    if (vidmm_engine_discarded(world->engine, id)) {
        allocation->version = 0;
        allocation->maybe_lost = false;
        world->counts.discards++;
    }
    allocation->offer = 0;
    event.kind = VIDMM_EVENT_RECLAIM;
    event.reclaim.allocation = id;
    return world_step(world, &event, NULL);
}

const char *world_set_priority(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PRIORITY};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    if (!world->allocations[id].alive)
        return NULL;
    event.priority.allocation = id;
    event.priority.priority = (argument >> 16 & 0xf) << 28;
    return world_step(world, &event, NULL);
}

const char *world_rest(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_REST};

    if (world->powerless) {
        world->powerless = false;
        event.kind = VIDMM_EVENT_RESUME;
        event.rest.request = world->resume_request = ++world->request;
        return world_step(world, &event, NULL);
    }
    if (world->rest_request != 0 && (argument >> 8 & 7) == 0) { /* not waited for any more */
        world->rest_request = 0;
        event.kind = VIDMM_EVENT_RESUME;
        event.rest.request = world->resume_request = ++world->request;
        return world_step(world, &event, NULL);
    }
    if (world->power != 0 || argument >> 8 & 31)
        return NULL;
    world->power = VIDMM_POWER_D3 + argument % 4;
    event.rest.power = world->power;
    event.rest.request = world->rest_request = ++world->request;
    return world_step(world, &event, NULL);
}

const char *world_write_locked(struct world *world, uint32_t argument)
{
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);

    const struct allocation *allocation = &world->allocations[id];

    if (world->options.ranges > 0 && allocation->locks == 0)
        return world_lock(world, argument | 1u << 25);
    return allocation->locks > 0 && !allocation->closed && allocation->busy == 0
               ? world_touch(world, id)
               : NULL;
}

/* All pages, in two parts where there are two. */
static const char *refresh(struct world *world, uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_REFRESH};
    struct allocation *allocation = &world->allocations[id];
    uint32_t half = allocation->pages / 2;
    const char *problem = NULL;

    allocation->copy = false;
    event.refresh.allocation = id;
    event.refresh.first = half;
    event.refresh.count = allocation->pages - half;
    problem = world_step(world, &event, NULL);
    event.refresh.first = 0;
    event.refresh.count = half;
    return problem || half == 0 ? problem : world_step(world, &event, NULL);
}

const char *world_unlock(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation = &world->allocations[id];
    const char *problem = NULL;

    if (allocation->locks == 0)
        return NULL;
    if (allocation->locks == 1 && allocation->copy)
        problem = refresh(world, id);
    if (--allocation->locks > 0 || problem)
        return problem;
    allocation->by_alternate = allocation->at_alternate = false;
    event.unlock.allocation = id;
    return world_step(world, &event, NULL); /* refused, and rightly, if no claim had failed */
}

const char *world_revive(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_DEVICE};
    const char *problem = NULL;
    uint32_t device, id;

    (void)argument;
    for (device = 1; device <= 2 && !problem; device++) {
        bool used = false;

        for (id = 1; id < DMA_BUFFERS; id++)
            used |= world->dma_buffers[id].used;
        for (id = 1; id < ALLOCATIONS; id++) /* its locks would go with it */
            used |= world->allocations[id].device == device && world->allocations[id].locks > 0;
        if (!world->device_dead[device] || used)
            continue;
        event.kind = VIDMM_EVENT_DESTROY_DEVICE;
        event.device = device;
        problem = world_step(world, &event, NULL);
        event.kind = VIDMM_EVENT_CREATE_DEVICE;
        problem = problem ? problem : world_step(world, &event, NULL);
        world->device_dead[device] = false;
    }
    return problem;
}

const char *world_evict_all(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT_ALL};

    if (world->evicting_all || argument >> 8 & 7)
        return NULL;
    world->evicting_all = true;
    event.evict_all.request = ++world->request;
    event.evict_all.reason = 1 + argument % 3;
    return world_step(world, &event, NULL);
}

/* Some that there are, and that their program has not destroyed. */
const char *world_page_out(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGE_OUT, .device = 3};
    uint32_t ids[4], count = 0, first = argument >> 8;
    const char *problem;
    NTSTATUS status;

    if (world->page_out_request != 0)
        return NULL;
    for (uint32_t tried = 0; tried < ALLOCATIONS && count < 1 + argument % 4; tried++) {
        uint32_t id = 1 + (first + tried) % (ALLOCATIONS - 1);

        if (world->allocations[id].alive && world->allocations[id].offer == 0)
            ids[count++] = id;
    }
    if (count == 0)
        return NULL;
    world->page_out_request = ++world->request;
    event.residency.request = world->page_out_request;
    event.residency.flags = argument >> 4 & VIDMM_PAGE_OUT_ALL;
    event.residency.count = count;
    event.residency.allocations = ids;
    problem = world_step(world, &event, &status);
    if (status != STATUS_SUCCESS)
        return problem ? problem : FAIL(world, "a page-out is refused: 0x%08x", (unsigned)status);
    return problem;
}

/* Device 1 or 2 is suspended, or goes on. */
const char *world_suspend(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUSPEND_DEVICE, .device = 1 + (argument & 1)};
    const char *problem;
    NTSTATUS status;

    event.test.suspension = vidmm_engine_suspension(world->engine, event.device, NULL);
    if (event.test.suspension != 0) {
        event.kind = VIDMM_EVENT_RESUME_DEVICES;
    } else {
        event.test.suspension = 1 + (argument >> 4 & 1); /* both devices, or each by itself */
        event.test.wakes = argument >> 5 & 1;
    }
    problem = world_step(world, &event, &status);
    if (problem || world->device_dead[event.device])
        return problem;
    world->counts.suspended += event.kind == VIDMM_EVENT_SUSPEND_DEVICE ? 1 : 0;
    return status == STATUS_SUCCESS
               ? NULL
               : FAIL(world, "a suspension, or its end, is refused: 0x%08x", (unsigned)status);
}

const char *world_resume_all(struct world *world)
{
    const char *problem = NULL;

    for (uint32_t device = 1; device <= 2 && !problem; device++)
        if (vidmm_engine_suspension(world->engine, device, NULL) != 0)
            problem = world_suspend(world, device - 1);
    return problem;
}

const char *world_compact(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPACT, .device = 3};
    const char *problem;
    NTSTATUS status;

    if (world->page_out_request != 0)
        return NULL;
    world->page_out_request = ++world->request;
    event.test.request = world->page_out_request;
    event.test.segment = 1 + (argument & 1);
    event.test.way = VIDMM_COMPACT_DOWN + (argument >> 1) % 3;
    problem = world_step(world, &event, &status);
    world->counts.compactions++;
    if (status != STATUS_SUCCESS)
        return problem ? problem : FAIL(world, "a compaction is refused: 0x%08x", (unsigned)status);
    return problem;
}

const char *world_set_faults(struct world *world, uint32_t argument)
{
    static const uint32_t faults[] = {0, VIDMM_TEST_SPLIT_POINT | VIDMM_TEST_NO_DEMOTION,
                                      VIDMM_TEST_NO_SWIZZLING | VIDMM_TEST_NEVER_DISCARD |
                                          VIDMM_TEST_MIN_RANGES,
                                      VIDMM_TEST_ALWAYS_DISCARD | VIDMM_TEST_SUB_RANGES};
    struct vidmm_event event = {.kind = VIDMM_EVENT_SET_FAULTS};

    event.test.faults = faults[argument % 4];
    return world_step(world, &event, NULL);
}

const char *world_let_time_pass(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_TICK};
    struct node *queue = &world->nodes[argument % world->options.nodes];

    if (!world->options.hangs)
        return NULL;
    if (argument >> 8 & 1) {
        queue->hung = true;
        queue->hard = argument >> 9 & 1;
        return NULL;
    }
    world->time += 2000000000;
    return world_step(world, &event, NULL);
}
