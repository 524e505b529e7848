/* fences.h: for the fuzz target of engine events: monitored fences, companions, page faults,
 * displays, changes of context allocations, and destruction at once.
 *
 * An input that begins with ')' has them, besides residency lists and a GPU MMU (wddm2.h).
 */
#ifndef TEST_FUZZ_FENCES_H
#define TEST_FUZZ_FENCES_H

#include "engine.h"

/* Mostly one of the few that may be there. */
static uint32_t fence_id(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    return choice == 255 ? word(fuzz) : choice % FENCES;
}

/* Mostly one that is there, the next from that number on. */
static uint32_t fence_there(struct fuzz *fuzz)
{
    uint32_t first = fence_id(fuzz);

    for (uint32_t i = 0; i < FENCES && first < FENCES; i++)
        if (fuzz->fence_alive[(first + i) % FENCES])
            return (first + i) % FENCES;
    return first;
}

static uint64_t fence_value(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    return choice == 255 ? UINT64_MAX : choice == 254 ? (uint64_t)word(fuzz) << 16 : choice % 32;
}

static void create_fence(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_FENCE};

    event.device = 1 + byte(fuzz) % 3;
    event.fence_object.fence = fence_id(fuzz);
    event.fence_object.flags = byte(fuzz);
    if (event.fence_object.flags < 240) /* mostly such as can be signalled and waited for */
        event.fence_object.flags &= 0x39;
    event.fence_object.value = fence_value(fuzz);
    if (step(fuzz, &event) != STATUS_SUCCESS)
        return;
    must(event.fence_object.fence < FENCES && !fuzz->fence_alive[event.fence_object.fence],
         "no fence is made twice");
    fuzz->fence_alive[event.fence_object.fence] = true;
    fuzz->fence_device[event.fence_object.fence] = event.device;
    fuzz->fence_memory[event.fence_object.fence] = event.fence_object.value;
}

static void destroy_fence(struct fuzz *fuzz, uint32_t fence)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_FENCE};

    event.fence_object.fence = fence;
    if (step(fuzz, &event) != STATUS_SUCCESS)
        return;
    must(fence < FENCES && fuzz->fence_alive[fence], "what is destroyed was made");
    fuzz->fence_alive[fence] = fuzz->fence_asked[fence] = false;
}

/* Signals and waits, by the CPU and in queues. */
static void use_fences(struct fuzz *fuzz)
{
    static const uint32_t kinds[] = {VIDMM_EVENT_SIGNAL_FENCES, VIDMM_EVENT_WAIT_FENCES,
                                     VIDMM_EVENT_QUEUE_WAIT, VIDMM_EVENT_QUEUE_SIGNAL};
    struct vidmm_fence_value values[3] = {{0}};
    uint32_t choice = byte(fuzz), request = byte(fuzz);
    struct vidmm_event event = {.kind = kinds[choice % 4], .device = choice >> 2 & 3};
    NTSTATUS status;

    event.fences.request = request;
    event.fences.any = choice >> 4 & 1;
    event.fences.context = choice >> 5 & 3;
    event.fences.count = (choice >> 7) + 1 + (request == 255 ? 1 : 0);
    event.fences.values = values;
    for (uint32_t i = 0; i < event.fences.count; i++) {
        values[i].fence = fence_there(fuzz);
        values[i].value = fence_value(fuzz);
    }
    if (event.device != 0 && values[0].fence < FENCES)
        event.device = fuzz->fence_device[values[0].fence];
    if (event.kind == VIDMM_EVENT_WAIT_FENCES) {
        fuzz->asks_wait = request; /* it may end within the step */
        fuzz->wait_ended = false;
    }
    status = step(fuzz, &event);
    if (event.kind != VIDMM_EVENT_WAIT_FENCES)
        return;
    must(status == STATUS_PENDING || !fuzz->wait_ended, "only a wait that is pending ends");
    if (status == STATUS_PENDING) {
        must(request != 0 && !fuzz->waits[request], "one wait of a number at a time");
        fuzz->waits[request] = !fuzz->wait_ended;
    }
    fuzz->asks_wait = 0;
}

/* The memory of a fence is read: what the engine wrote there last, or more, by the GPU. */
static void read_fence(struct fuzz *fuzz, uint32_t fence, uint32_t more)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE_READ};

    event.fence_object.fence = fence;
    event.fence_object.value = (fence < FENCES ? fuzz->fence_memory[fence] : 0) + more;
    if (fence < FENCES) {
        fuzz->fence_asked[fence] = false;
        fuzz->fence_memory[fence] = event.fence_object.value;
    }
    step(fuzz, &event);
}

/* All that was asked for, in order of the ids. */
static void answer_reads(struct fuzz *fuzz)
{
    for (uint32_t fence = 0; fence < FENCES && !fuzz->stopped; fence++)
        if (fuzz->fence_asked[fence])
            read_fence(fuzz, fence, byte(fuzz) % 4);
}

static void node_has_signalled(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCES_SIGNALED};

    event.fences_signaled.node = byte(fuzz) % (NODES + 1);
    step(fuzz, &event);
}

static void set_companion(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPANION};
    uint32_t choice = byte(fuzz);

    event.paging_queue.queue = choice % FEW;
    event.paging_queue.context = choice >= 192 ? 0 : 0x100 + choice;
    event.paging_queue.node = choice >> 4 & 3;
    event.paging_queue.process = byte(fuzz) >= 64 ? 4 : byte(fuzz) % FEW;
    step(fuzz, &event);
}

/* A packet of a node met an address that leads nowhere, and has ended, with all before it. */
static void fault(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FAULT};
    uint32_t choice = byte(fuzz), node = choice % NODES;
    uint32_t count = fuzz->given_count[node], given = byte(fuzz);

    event.fault.node = choice == 255 ? NODES : node;
    event.fault.flags = choice >= 240 ? byte(fuzz) & 31 : choice >> 4 & 1;
    event.fault.address = word(fuzz);
    event.fault.fence = count > 0 ? fuzz->given[node][given % count] : 0;
    if (count == 0 && choice < 250)
        return;
    note_done(fuzz, node, event.fault.fence);
    if (fuzz->given_count[node] == 0)
        fuzz->fences[node] = 0;
    step(fuzz, &event);
}

static void display(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DISPLAY};
    uint32_t choice = byte(fuzz);

    event.device = 1 + choice % 3;
    event.display.request = choice;
    event.display.displayed = choice >> 4 & 1;
    event.display.allocation = id(fuzz);
    step(fuzz, &event);
}

static void update_context(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_CONTEXT};

    event.update_context.request = byte(fuzz);
    event.update_context.allocation = id(fuzz);
    step(fuzz, &event);
}

static void destroy_at_once(struct fuzz *fuzz)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_AT_ONCE};
    uint32_t allocation = id(fuzz);
    bool was = allocation < IDS && fuzz->destroyed[allocation];

    event.device = byte(fuzz) % 5;
    event.destroy.allocation = allocation;
    if (allocation < IDS && fuzz->alive[allocation])
        fuzz->destroyed[allocation] = true; /* it may go within the step */
    if (step(fuzz, &event) == STATUS_SUCCESS)
        fuzz->alive[allocation] = false;
    else if (allocation < IDS)
        fuzz->destroyed[allocation] = was;
}

static void fence_event(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    switch (choice % 16) {
    case 0:
    case 1:
        create_fence(fuzz);
        break;
    case 2:
        destroy_fence(fuzz, fence_there(fuzz));
        break;
    case 3:
        node_has_signalled(fuzz);
        break;
    case 4:
        set_companion(fuzz);
        break;
    case 5:
        display(fuzz);
        break;
    case 6:
        update_context(fuzz);
        break;
    case 7:
        destroy_at_once(fuzz);
        break;
    case 8:
        if (choice >= 192)
            read_fence(fuzz, fence_id(fuzz), byte(fuzz));
        else
            answer_reads(fuzz);
        break;
    case 9:
        if (choice >= 192)
            fault(fuzz);
        break;
    default:
        use_fences(fuzz);
        break;
    }
}

/* Nobody waits for fences any more. */
static void end_fences(struct fuzz *fuzz)
{
    for (uint32_t fence = 0; fence < FENCES && !fuzz->stopped; fence++)
        if (fuzz->fence_alive[fence])
            destroy_fence(fuzz, fence);
}

#endif
