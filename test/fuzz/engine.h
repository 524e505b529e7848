/* engine.h: what the fuzz target of engine events knows of its engine: the input, the operations
 * that the engine has planned, and the books that say what is owed at the end. */
#ifndef TEST_FUZZ_ENGINE_H
#define TEST_FUZZ_ENGINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/memory.h>
#include <wddm/ntstatus.h>

enum {
    IDS = 32,
    NODES = 3,
    EVENTS = 3000,
    REFERENCES = 8,
    PATCHES = 48,
    LARGEST = 4 << 20,
    GIVEN = 16, /* fences of a node that are remembered */
    FEW = 6,    /* ids of devices, processes and paging queues are below this */
    TABLES = 1024,
    FENCES = 6,  /* ids of monitored fences are below this */
    WAITS = 256, /* numbers of waits by the CPU */
};

#define GRANULE UINT64_C(0x10000)

struct input {
    const uint8_t *at, *end;
};

/* A paging queue; device 0: there is none. */
struct queue {
    uint32_t device;
    uint64_t passed, owed; /* newest values: told of, and given */
    bool asks;             /* a call is under way, so its value may be passed and not yet given */
};

struct fuzz {
    struct input input;
    struct vidmm_engine *engine;
    uint64_t time_ns;
    struct vidmm_operation call; /* under way; kind 0: none */
    uint32_t outstanding[IDS];   /* submissions of a DMA buffer that have not retired */
    bool alive[IDS], destroyed[IDS];
    bool locked[IDS];       /* a claim was refused */
    bool granted[IDS];      /* a lock was; it may be by a range, or beside the GPU's use */
    uint32_t fences[NODES]; /* newest submitted; 0: nothing that is to complete */
    uint32_t done[NODES];   /* newest reported complete */
    uint32_t given[NODES][GIVEN], given_count[NODES]; /* in flight, the oldest first */
    uint32_t preempt[NODES]; /* fence of a preemption that is not answered; 0: none */
    bool stopped, wide;      /* behind a '!' */
    uint32_t paging_node;
    uint32_t placed;          /* since the last SUBMIT */
    bool lists, mmu, resized; /* behind '%', '&', '@', '(' (wddm2.h) */
    bool more;                /* behind ')' (fences.h) */
    struct queue queues[FEW];
    bool processes[FEW];
    uint32_t levels, root_entries, rooted; /* rooted: process of the newest ROOT; 0: it is used */
    bool tables[TABLES];                   /* those that have been written, and are not free */
    bool fence_alive[FENCES];              /* monitored fences */
    bool fence_asked[FENCES];              /* ... whose memory is to be read */
    uint32_t fence_device[FENCES];
    uint64_t fence_memory[FENCES]; /* ... which holds this */
    bool waits[WAITS];             /* of the CPU that have not ended */
    uint32_t asks_wait;            /* one is asked for, and may end at once; 0: none */
    bool wait_ended;               /* ... it did */
};

static size_t live;

static void must(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "fuzz_events: %s\n", what);
    abort();
}

/* Ids are any 28 bits and tables grow with them: too much is refused, as a host would. */
static void *take(void *context, size_t size)
{
    void *block = size > LARGEST ? NULL : calloc(1, size);

    (void)context;
    live += block != NULL;
    return block;
}

static void give(void *context, void *block)
{
    (void)context;
    live--;
    free(block);
}

static const struct vidmm_memory memory = {NULL, take, give};

/* ---- input ----------------------------------------------------------------------------------- */

static uint32_t byte(struct fuzz *fuzz)
{
    return fuzz->input.at < fuzz->input.end ? *fuzz->input.at++ : 0;
}

static uint32_t word(struct fuzz *fuzz)
{
    uint32_t low = byte(fuzz), second = byte(fuzz), third = byte(fuzz);

    return low | second << 8 | third << 16 | byte(fuzz) << 24;
}

/* The next bytes, in their order, whatever the compiler does first. */
static void bytes(struct fuzz *fuzz, uint8_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (uint8_t)byte(fuzz);
}

/* Mostly an id that may be alive, now and then any number. */
static uint32_t id(struct fuzz *fuzz)
{
    uint32_t choice = byte(fuzz);

    return choice == 255 ? word(fuzz) : choice % IDS;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static bool is_call(uint32_t kind)
{
    return kind >= VIDMM_DO_CLAIM && kind <= VIDMM_DO_SET_ROOT;
}

static void note_fence(struct fuzz *fuzz, uint32_t node, uint32_t fence)
{
    uint32_t *given = fuzz->given[node];

    fuzz->fences[node] = fence;
    if (fuzz->given_count[node] == GIVEN)
        memmove(given, given + 1, --fuzz->given_count[node] * sizeof(*given));
    given[fuzz->given_count[node]++] = fence;
}

/* This fence and all before it are complete. */
static void note_done(struct fuzz *fuzz, uint32_t node, uint32_t fence)
{
    uint32_t *given = fuzz->given[node], count = 0;

    fuzz->done[node] = fence;
    while (count < fuzz->given_count[node] && given[count] != fence)
        count++;
    if (count == fuzz->given_count[node])
        return;
    fuzz->given_count[node] -= ++count;
    memmove(given, given + count, fuzz->given_count[node] * sizeof(*given));
    if (fuzz->wide && fuzz->given_count[node] == 0)
        fuzz->fences[node] = 0; /* elsewhere it is reported again */
}

static void note_submit(struct fuzz *fuzz, const struct vidmm_operation *operation)
{
    if (operation->kind == VIDMM_DO_SUBMIT) {
        must(operation->submit.again != 0 || operation->submit.reference_count == fuzz->placed,
             "PLACED for each reference");
        must(operation->submit.node < NODES, "a node that is there");
        note_fence(fuzz, operation->submit.node, operation->submit.fence);
        fuzz->placed = 0;
    }
    if (operation->kind == VIDMM_DO_SWITCH)
        note_fence(fuzz, operation->switching.node, operation->switching.fence);
    if (operation->kind == VIDMM_DO_SUBMIT_PAGING)
        note_fence(fuzz, fuzz->more ? operation->submit_paging.node : fuzz->paging_node,
                   operation->submit_paging.fence);
}

/* A value of a paging queue has passed. */
static void note_signal(struct fuzz *fuzz, const struct vidmm_operation *operation)
{
    struct queue *queue = &fuzz->queues[operation->signal.queue % FEW];

    must(operation->signal.queue < FEW && queue->device != 0, "a queue that is there passes");
    must(operation->signal.value > queue->passed, "what has passed ascends");
    must(queue->asks || operation->signal.value <= queue->owed, "what passes was given");
    queue->passed = operation->signal.value;
}

/* Records go to tables that are there, and stay inside them. */
static void note_table(struct fuzz *fuzz, const struct vidmm_operation *operation)
{
    uint32_t table = operation->table.table - VIDMM_TABLE_IDS, level = operation->table.level;

    if (operation->table.operation != VIDMM_UPDATE_PAGE_TABLE)
        return;
    must(table < TABLES, "the id of a table");
    must(level < fuzz->levels, "a level that there is");
    must(operation->table.count > 0 && operation->table.first + operation->table.count <=
                                           (level + 1 == fuzz->levels ? fuzz->root_entries : 16),
         "entries of the table");
    if (operation->table.flags & VIDMM_PAGING_INITIAL)
        fuzz->tables[table] = true;
    must(fuzz->tables[table], "a table appears with InitialUpdate"); /* D-120 */
}

/* The memory of fences, and waits for them; ids from FENCES on are those of paging queues. */
static void note_fences(struct fuzz *fuzz, const struct vidmm_operation *operation)
{
    uint32_t fence = operation->fence.fence, request = operation->waited.request;

    if (operation->kind == VIDMM_DO_WRITE_FENCE && fence < FENCES)
        fuzz->fence_memory[fence] = operation->fence.value;
    if (operation->kind == VIDMM_DO_READ_FENCE && fence < FENCES) {
        must(fuzz->fence_alive[fence], "a fence that is read is there");
        fuzz->fence_asked[fence] = true;
    }
    if (operation->kind != VIDMM_DO_WAITED)
        return;
    must(request < WAITS && request != 0, "a wait that there was");
    if (!fuzz->waits[request]) {
        must(request == fuzz->asks_wait && !fuzz->wait_ended, "a wait ends once");
        fuzz->wait_ended = true;
    }
    fuzz->waits[request] = false;
}

static void note_wddm2(struct fuzz *fuzz, const struct vidmm_operation *operation)
{
    if (!fuzz->lists && !fuzz->mmu)
        return;
    note_fences(fuzz, operation);
    if (operation->kind == VIDMM_DO_SIGNAL)
        note_signal(fuzz, operation);
    if (operation->kind == VIDMM_DO_TRIM)
        must(operation->trim.device < FEW && operation->trim.flags != 0 &&
                 (operation->trim.flags & 3) != 3,
             "one periodic trim of the two");
    if (!fuzz->mmu)
        return;
    if (operation->kind == VIDMM_DO_BUILD)
        note_table(fuzz, operation);
    if (operation->kind == VIDMM_DO_SET_ROOT)
        must(fuzz->resized && operation->root.table - VIDMM_TABLE_IDS < TABLES &&
                 fuzz->tables[operation->root.table - VIDMM_TABLE_IDS],
             "a root that was resized is written before contexts are told of it"); /* D-265 */
    if (operation->kind == VIDMM_DO_ROOT) {
        must(operation->root.table - VIDMM_TABLE_IDS < TABLES &&
                 fuzz->tables[operation->root.table - VIDMM_TABLE_IDS],
             "a root is written before it is led to");
        fuzz->rooted = operation->root.process;
    }
    if (operation->kind == VIDMM_DO_FREE_TABLE) {
        must(operation->root.table - VIDMM_TABLE_IDS < TABLES, "the id of a table that goes");
        fuzz->tables[operation->root.table - VIDMM_TABLE_IDS] = false;
    }
}

static void note(struct fuzz *fuzz, const struct vidmm_operation *operation, bool last)
{
    uint32_t allocation = operation->allocation;

    must(!fuzz->stopped, "nothing is planned after STOPPED");
    if (is_call(operation->kind)) {
        must(fuzz->call.kind == 0, "one call at a time");
        must(last, "a call ends its plan, but for what is shown");
        fuzz->call = *operation;
    }
    note_submit(fuzz, operation);
    note_wddm2(fuzz, operation);
    fuzz->placed += operation->kind == VIDMM_DO_PLACED;
    if (operation->kind == VIDMM_DO_GRANT && allocation < IDS && operation->grant.status == 0)
        fuzz->granted[allocation] = true;
    switch (operation->kind) {
    case VIDMM_DO_RETIRE:
        must(operation->retire.dma_buffer < IDS && fuzz->outstanding[operation->retire.dma_buffer],
             "what retires was submitted");
        fuzz->outstanding[operation->retire.dma_buffer]--;
        break;
    case VIDMM_DO_DESTROY:
        must(allocation < IDS && fuzz->destroyed[allocation], "what goes was destroyed");
        fuzz->destroyed[allocation] = false;
        break;
    case VIDMM_DO_PREEMPT:
        must(operation->recover.node < NODES, "a node that is there is preempted");
        must(fuzz->preempt[operation->recover.node] == 0, "one preemption of a node at a time");
        fuzz->preempt[operation->recover.node] = operation->recover.fence;
        break;
    case VIDMM_DO_STOPPED:
        fuzz->stopped = true;
        break;
    default:
        break;
    }
}

/* Whether only VIDMM_DO_SHOW stands behind the operation. */
static bool is_last(const struct vidmm_plan *plan, uint32_t index)
{
    for (index++; index < plan->count && plan->operations[index].kind == VIDMM_DO_SHOW; index++)
        continue;
    return index == plan->count;
}

static NTSTATUS step(struct fuzz *fuzz, struct vidmm_event *event)
{
    struct vidmm_plan plan;
    NTSTATUS status;

    event->time_ns = fuzz->time_ns += 1000;
    status = vidmm_step(fuzz->engine, event, &plan);
    for (uint32_t round = 0;; round++) {
        must(round < 10000, "a plan ends");
        for (uint32_t i = 0; i < plan.count; i++)
            note(fuzz, &plan.operations[i], is_last(&plan, i));
        vidmm_engine_check(fuzz->engine);
        if (!plan.more)
            return status;
        must(vidmm_step(fuzz->engine, NULL, &plan) == STATUS_SUCCESS, "no event is refused");
    }
}

#endif
