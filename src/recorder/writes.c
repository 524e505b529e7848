/* W1  watched is the list of what is mapped; shadow has `length` bytes as long as a memory is in it
 * W2  a page is protected only if all of it is mapped memory; the others are compared
 */
#include "recorder/writes.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "recorder/stream.h"

#define PAGE 4096u
#define RANGES 4096u /* most memories with protection at a time; the others are compared */

enum { CLEAN, WRITTEN, RESTING };

/* Protected pages, found by the handler of faults without any lock. */
struct range {
    _Atomic uintptr_t first; /* address of the first page; 0: free */
    _Atomic size_t pages;
    _Atomic(uint8_t *) state; /* a byte a page */
};

static struct vidmm_record_memory *watched;
static struct range ranges[RANGES];
static struct sigaction handed_on;
static bool protects, decided;
static uint64_t looks, look_ns, compared;

/* ---- page protection ------------------------------------------------------------------------- */

static void on_fault(int number, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;

    for (size_t i = 0; i < RANGES; i++) {
        uintptr_t first = atomic_load(&ranges[i].first);
        size_t page = (address - first) / PAGE;

        if (first == 0 || address < first || page >= atomic_load(&ranges[i].pages))
            continue;
        atomic_store((_Atomic uint8_t *)&atomic_load(&ranges[i].state)[page], WRITTEN);
        mprotect((void *)(first + page * PAGE), PAGE, PROT_READ | PROT_WRITE);
        return;
    }
    if (handed_on.sa_flags & SA_SIGINFO)
        handed_on.sa_sigaction(number, info, context);
    else if (handed_on.sa_handler != SIG_DFL && handed_on.sa_handler != SIG_IGN)
        handed_on.sa_handler(number);
    else
        signal(number, SIG_DFL); /* the access is made again, and ends the program */
}

static bool by_protection(void)
{
    const char *word = getenv("VIDMM_RECORD_WRITES");

    if (!decided && word != NULL && strcmp(word, "protect") == 0) {
        struct sigaction action = {.sa_sigaction = on_fault,
                                   .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
        protects = sigaction(SIGSEGV, &action, &handed_on) == 0;
    }
    decided = true;
    return protects;
}

static uint64_t head_of(const struct vidmm_record_memory *memory)
{
    uint64_t head = (PAGE - (uintptr_t)memory->mapped % PAGE) % PAGE;

    return head < memory->length ? head : memory->length;
}

static size_t whole_pages(const struct vidmm_record_memory *memory)
{
    return (size_t)((memory->length - head_of(memory)) / PAGE);
}

static void protect(struct vidmm_record_memory *memory)
{
    size_t pages = whole_pages(memory);
    uint8_t *first = memory->mapped + head_of(memory);

    for (size_t i = 0; i < RANGES && pages != 0 && by_protection(); i++) {
        if (atomic_load(&ranges[i].first) != 0)
            continue;
        memory->dirty = vidmm_record_allocate(pages, 1);
        atomic_store(&ranges[i].state, memory->dirty);
        atomic_store(&ranges[i].pages, pages);
        atomic_store(&ranges[i].first, (uintptr_t)first);
        if (mprotect(first, pages * PAGE, PROT_READ) == 0)
            return;
        atomic_store(&ranges[i].first, 0);
        free(memory->dirty);
        memory->dirty = NULL;
        return;
    }
}

static void unprotect(struct vidmm_record_memory *memory)
{
    uint8_t *first = memory->mapped + head_of(memory);

    for (size_t i = 0; i < RANGES && memory->dirty != NULL; i++)
        if (atomic_load(&ranges[i].state) == memory->dirty) {
            mprotect(first, whole_pages(memory) * PAGE, PROT_READ | PROT_WRITE);
            atomic_store(&ranges[i].first, 0);
            atomic_store(&ranges[i].state, NULL);
            free(memory->dirty);
            memory->dirty = NULL;
        }
}

/* Was the page written since the last look? From now on it is clean. */
static bool take_page(struct vidmm_record_memory *memory, size_t page)
{
    _Atomic uint8_t *state = (_Atomic uint8_t *)&memory->dirty[page];
    uint8_t resting = RESTING;

    if (atomic_load(state) == CLEAN)
        return false;
    atomic_store(state, RESTING);
    mprotect(memory->mapped + head_of(memory) + page * PAGE, PAGE, PROT_READ);
    atomic_compare_exchange_strong(state, &resting, CLEAN); /* unless it is written again */
    return true;
}

/* ---- looking --------------------------------------------------------------------------------- */

/* A run of written bytes that may go on; offsets from the mapped address. */
struct run {
    const struct vidmm_record_memory *memory;
    uint64_t from, to;
    bool silent; /* what changed is not the CPU's */
};

static void end_run(struct run *run)
{
    if (run->from != run->to && !run->silent)
        vidmm_stream_event("D %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", run->memory->id,
                           run->memory->offset + run->from, run->to - run->from);
    run->from = run->to;
}

static void add_run(struct run *run, uint64_t from, uint64_t to)
{
    if (run->to != from) {
        end_run(run);
        run->from = from;
    }
    run->to = to;
}

/* Compare, page by page, and take the copy anew. Pages are those of the memory. */
static void compare(struct vidmm_record_memory *memory, struct run *run, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t end = from + PAGE - (memory->offset + from) % PAGE;

        if (end > to)
            end = to;
        if (memcmp(memory->shadow + from, memory->mapped + from, (size_t)(end - from)) != 0) {
            memcpy(memory->shadow + from, memory->mapped + from, (size_t)(end - from));
            add_run(run, from, end);
        }
        compared += end - from;
        from = end;
    }
}

static void look(struct vidmm_record_memory *memory, bool silent)
{
    struct run run = {.memory = memory, .silent = silent};
    uint64_t head = memory->dirty != NULL ? head_of(memory) : memory->length;

    compare(memory, &run, 0, head);
    if (memory->dirty != NULL) {
        size_t pages = whole_pages(memory);

        for (size_t i = 0; i < pages; i++)
            if (take_page(memory, i))
                add_run(&run, head + i * PAGE, head + (i + 1) * PAGE);
        compare(memory, &run, head + pages * PAGE, memory->length);
    }
    end_run(&run);
}

void vidmm_writes_look(struct vidmm_record_memory *memory)
{
    uint64_t before = vidmm_stream_now();

    if (memory->mapped != NULL)
        look(memory, memory->queue != NULL);
    look_ns += vidmm_stream_now() - before;
}

void vidmm_writes_look_all(struct vidmm_record_device *device)
{
    for (struct vidmm_record_memory *memory = watched; memory != NULL; memory = memory->next)
        if (memory->object.device == device)
            vidmm_writes_look(memory);
    looks++;
}

void vidmm_writes_watch(struct vidmm_record_memory *memory)
{
    uint64_t before = vidmm_stream_now();

    if (memory->queue != NULL && memory->submission <= memory->queue->completed)
        memory->queue = NULL;
    memory->shadow = vidmm_record_allocate((size_t)memory->length, 1);
    memcpy(memory->shadow, memory->mapped, (size_t)memory->length);
    memory->before = NULL;
    memory->next = watched;
    if (watched != NULL)
        watched->before = memory;
    watched = memory;
    protect(memory);
    look_ns += vidmm_stream_now() - before;
}

void vidmm_writes_unwatch(struct vidmm_record_memory *memory)
{
    if (memory->mapped == NULL)
        return;
    vidmm_writes_look(memory);
    unprotect(memory);
    if (memory->before != NULL)
        memory->before->next = memory->next;
    else
        watched = memory->next;
    if (memory->next != NULL)
        memory->next->before = memory->before;
    free(memory->shadow);
    memory->shadow = NULL;
    memory->mapped = NULL;
}

void vidmm_writes_said(struct vidmm_record_memory *memory, uint64_t offset, uint64_t size)
{
    if (offset >= memory->size || memory->mapped == NULL)
        return;
    if (size > memory->size - offset)
        size = memory->size - offset;
    if (memory->dirty != NULL) {
        vidmm_writes_look(memory);
        return;
    }
    uint64_t from = offset > memory->offset ? offset - memory->offset : 0;
    uint64_t to = offset + size - memory->offset;
    if (to > memory->length)
        to = memory->length;
    if (from < to) /* it is not told again at the next submission */
        memcpy(memory->shadow + from, memory->mapped + from, (size_t)(to - from));
    if (size != 0)
        vidmm_stream_event("D %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", memory->id, offset, size);
}

void vidmm_writes_by_gpu(struct vidmm_record_memory *memory, struct vidmm_record_queue *queue)
{
    memory->queue = queue;
    memory->submission = queue->submitted;
}

void vidmm_writes_completed(struct vidmm_record_queue *queue)
{
    for (struct vidmm_record_memory *memory = watched; memory != NULL; memory = memory->next)
        if (memory->queue == queue && memory->submission <= queue->completed) {
            vidmm_writes_look(memory); /* silent, as queue is set */
            memory->queue = NULL;
        }
}

void vidmm_writes_say_cost(void)
{
    vidmm_stream_header("write-detection",
                        "%s; %" PRIu64 " us in %" PRIu64 " submissions, %" PRIu64 " bytes compared",
                        by_protection() ? "write-protected pages" : "compared at each submission",
                        look_ns / 1000, looks, compared);
}
