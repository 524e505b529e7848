/* window.c: windows, and the fault handler behind them.
 *
 * Invariants
 * N1. The system's mappings that all windows may ever need at once, for what they were created and
 *     reserved for, are counted in physical.run_count: showing what was reserved cannot fail.
 * N2. A record is never given back: the handler reads it without a lock.
 * N3. `open` is 0 before access is taken away, and 1 only when all of the window is accessible.
 */
#include "host/window.h"
#include "host/state.h"
#include "host/window_map.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <vidmm/page.h>
#include <unistd.h>

static struct vidmm_window *unused; /* records of windows that were destroyed (N2) */
static pthread_mutex_t mutex =
    PTHREAD_MUTEX_INITIALIZER;  /* of `unused`, of what changes the map, and of `before` */
static struct sigaction before; /* the action before the handler */
static bool fibers;             /* a machine has had some */

/* ---- the handler ----------------------------------------------------------------------------- */

/* Not ours: the former handler sees it, with the signals blocked that the system would have blocked
 * for it. If there is none, the instruction is done again, and ends the program. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction action = before, none = {.sa_handler = SIG_DFL};
    sigset_t blocked = action.sa_mask;

    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
        sigaction(number, &none, NULL);
        return;
    }
    if ((action.sa_flags & SA_NODEFER) == 0)
        sigaddset(&blocked, number);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    if ((action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
}

/* Other fibers of this thread run before the handler returns, and may fault too. SA_NODEFER says
 * so, but the thread sanitizer blocks all signals in every handler. */
static void let_fault(void)
{
    sigset_t faults;

    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct vidmm_window *window = vidmm_window_map_find((uintptr_t)info->si_addr);
    int saved = errno;

    let_fault();
    if (window == NULL || !window->machine->calls->await_window(window))
        pass_on(number, info, context);
    errno = saved;
}

/* Have the handler in place; somebody may have taken it away, or put another above it. In machines
 * with fibers it runs on the stack of the thread, which other fibers leave alone while it waits;
 * else on the one that the thread may have for signals, for its own may have come to its end. */
static void install(const struct vidmm_machine *machine)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction now;
    bool handled;

    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&mutex);
    fibers = fibers || machine->calls->await_window != vidmm_window_sleep;
    action.sa_flags |= fibers ? 0 : SA_ONSTACK;
    sigaction(SIGSEGV, NULL, &now);
    handled = (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handle;
    if (!handled)
        before = now;
    if (!handled || ((now.sa_flags ^ action.sa_flags) & SA_ONSTACK) != 0)
        sigaction(SIGSEGV, &action, NULL);
    pthread_mutex_unlock(&mutex);
}

bool vidmm_window_sleep(struct vidmm_window *window)
{
    while (!vidmm_window_is_open(window))
        syscall(SYS_futex, &window->open, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return true;
}

static void set_open(struct vidmm_window *window)
{
    atomic_store(&window->open, 1);
    syscall(SYS_futex, &window->open, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* A record nobody uses, or a new one. NULL: no memory. */
static struct vidmm_window *take_record(void)
{
    struct vidmm_window *window = unused;

    if (window == NULL)
        return calloc(1, sizeof(*window));
    unused = window->next;
    return window;
}

/* Let it have no address any more, and serve the next window. */
static void retire(struct vidmm_window *window)
{
    atomic_store(&window->start, 0);
    window->machine = NULL;
    window->next = unused;
    unused = window;
}

static struct vidmm_window *take_window(struct vidmm_machine *machine, uint64_t size)
{
    void *address = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct vidmm_window *window;

    if (address == MAP_FAILED)
        return NULL;
    pthread_mutex_lock(&mutex);
    window = take_record();
    if (window != NULL) {
        window->machine = machine;
        window->runs = window->kept = 1;
        atomic_store(&window->open, 0);
        atomic_store(&window->size, size);
        atomic_store(&window->start, (uintptr_t)address);
        if (!vidmm_window_map_add(window, (uintptr_t)address, size)) {
            retire(window);
            window = NULL;
        }
    }
    pthread_mutex_unlock(&mutex);
    if (window == NULL)
        munmap(address, size);
    return window;
}

struct vidmm_window *vidmm_window_create(void *context, uint64_t count, void **address)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    struct vidmm_window *window = NULL;

    if (count == 0 || vidmm_machine_mapping_fails(machine) ||
        !machine->calls->begin_window(machine))
        return NULL;
    install(machine);
    pthread_mutex_lock(&machine->page_mutex);
    if (machine->physical.run_count < VIDMM_PHYSICAL_RUN_LIMIT)
        window = take_window(machine, count * VIDMM_PAGE_SIZE);
    if (window != NULL) {
        machine->physical.run_count++; /* N1 */
        machine->physical.mapping_count++;
        *address = (void *)atomic_load(&window->start);
    }
    pthread_mutex_unlock(&machine->page_mutex);
    return window;
}

/* Let it cost so many of the system's mappings. The mutex is held. */
static bool reserve_runs(struct vidmm_physical *physical, struct vidmm_window *window,
                         uint64_t runs)
{
    bool reserved = true;

    if (runs > window->runs) {
        reserved = runs - window->runs <= VIDMM_PHYSICAL_RUN_LIMIT - physical->run_count;
        physical->run_count += reserved ? runs - window->runs : 0; /* N1 */
        window->runs = reserved ? runs : window->runs;
    }
    return reserved;
}

bool vidmm_window_reserve(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    struct vidmm_physical *physical = &((struct vidmm_slot *)context)->machine->physical;
    uint64_t runs = vidmm_physical_runs(atomic_load(&window->size) / VIDMM_PAGE_SIZE, frames);
    bool reserved;

    pthread_mutex_lock(&window->machine->page_mutex);
    reserved = reserve_runs(physical, window, runs);
    if (reserved && runs > window->kept)
        window->kept = runs;
    pthread_mutex_unlock(&window->machine->page_mutex);
    return reserved;
}

/* It shows so many runs: what was reserved besides, for the worst, is given back. The mutex is
 * held. */
static void keep_runs(struct vidmm_physical *physical, struct vidmm_window *window, uint64_t runs)
{
    runs = runs > window->kept ? runs : window->kept;
    if (runs < window->runs) {
        physical->run_count -= window->runs - runs; /* N1 */
        window->runs = runs;
    }
}

void vidmm_window_show_pages(void *context, struct vidmm_window *window, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    void *start = (void *)atomic_load(&window->start);
    uint64_t count = atomic_load(&window->size) / VIDMM_PAGE_SIZE;
    bool cached;

    pthread_mutex_lock(&slot->machine->page_mutex);
    cached = vidmm_machine_is_cached(slot->machine, frames[0]);
    keep_runs(&slot->machine->physical, window, 1);
    pthread_mutex_unlock(&slot->machine->page_mutex);
    if (!vidmm_physical_map_over(&slot->machine->physical, start, count, frames, cached))
        vidmm_machine_misuse(slot->machine, "show_pages: %llu pages were not reserved",
                             (unsigned long long)count);
    set_open(window); /* N3 */
}

bool vidmm_window_reserve_physical(void *context, struct vidmm_window *window,
                                   uint64_t physical_address)
{
    struct vidmm_physical *physical = &((struct vidmm_slot *)context)->machine->physical;
    bool reserved;

    pthread_mutex_lock(&window->machine->page_mutex);
    uint64_t runs =
        vidmm_physical_range_runs(physical, physical_address, atomic_load(&window->size));
    reserved = runs > 0 && reserve_runs(physical, window, runs);
    if (reserved && runs > window->kept)
        window->kept = runs;
    pthread_mutex_unlock(&window->machine->page_mutex);
    return reserved;
}

void vidmm_window_show_physical(void *context, struct vidmm_window *window,
                                uint64_t physical_address)
{
    struct vidmm_slot *slot = context;
    void *start = (void *)atomic_load(&window->start);
    uint64_t size = atomic_load(&window->size);
    bool shown;

    pthread_mutex_lock(&slot->machine->page_mutex);
    shown = vidmm_physical_map_range_over(&slot->machine->physical, start, physical_address, size);
    pthread_mutex_unlock(&slot->machine->page_mutex);
    if (!shown)
        vidmm_machine_misuse(slot->machine, "show_physical: there is no memory at 0x%llx",
                             (unsigned long long)physical_address);
    set_open(window); /* N3 */
}

/* Consecutive frames from the first on, `count` at most. */
static uint64_t run_of(const uint64_t *frames, uint64_t count)
{
    uint64_t length = 1;

    while (length < count && frames[length] == frames[0] + length)
        length++;
    return length;
}

bool vidmm_window_reserve_device_pages(void *context, struct vidmm_window *window,
                                       const uint64_t *frames)
{
    struct vidmm_physical *physical = &((struct vidmm_slot *)context)->machine->physical;
    uint64_t count = atomic_load(&window->size) / VIDMM_PAGE_SIZE, runs = 0, here = 1;
    bool reserved;

    pthread_mutex_lock(&window->machine->page_mutex);
    if (frames == NULL)
        runs = count;
    for (uint64_t at = 0, length; frames != NULL && at < count && here > 0;
         at += length, runs += here) {
        length = run_of(frames + at, count - at);
        here = vidmm_physical_range_runs(physical, frames[at] << VIDMM_PAGE_SHIFT,
                                         length * VIDMM_PAGE_SIZE);
    }
    reserved = here > 0 && reserve_runs(physical, window, runs);
    pthread_mutex_unlock(&window->machine->page_mutex);
    return reserved;
}

void vidmm_window_show_device_pages(void *context, struct vidmm_window *window,
                                    const uint64_t *frames)
{
    struct vidmm_slot *slot = context;
    uint8_t *start = (void *)atomic_load(&window->start);
    uint64_t count = atomic_load(&window->size) / VIDMM_PAGE_SIZE, runs = 0;
    bool shown = true;

    pthread_mutex_lock(&slot->machine->page_mutex);
    for (uint64_t at = 0, length; at < count && shown; at += length) {
        length = run_of(frames + at, count - at);
        shown =
            vidmm_physical_map_range_over(&slot->machine->physical, start + at * VIDMM_PAGE_SIZE,
                                          frames[at] << VIDMM_PAGE_SHIFT, length * VIDMM_PAGE_SIZE);
        runs += vidmm_physical_range_runs(&slot->machine->physical, frames[at] << VIDMM_PAGE_SHIFT,
                                          length * VIDMM_PAGE_SIZE);
    }
    keep_runs(&slot->machine->physical, window, runs);
    pthread_mutex_unlock(&slot->machine->page_mutex);
    if (!shown)
        vidmm_machine_misuse(slot->machine, "show_device_pages: %llu pages, and not all of memory",
                             (unsigned long long)count);
    set_open(window); /* N3 */
}

void vidmm_window_close(void *context, struct vidmm_window *window)
{
    install(((struct vidmm_slot *)context)->machine);
    atomic_store(&window->open, 0); /* N3 */
    mprotect((void *)atomic_load(&window->start), atomic_load(&window->size), PROT_NONE);
}

void vidmm_window_destroy(void *context, struct vidmm_window *window)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    uintptr_t start;
    uint64_t size;

    if (window == NULL)
        return;
    pthread_mutex_lock(&machine->page_mutex);
    machine->physical.run_count -= window->runs;
    machine->physical.mapping_count--;
    pthread_mutex_unlock(&machine->page_mutex);
    start = atomic_load(&window->start);
    size = atomic_load(&window->size);
    pthread_mutex_lock(&mutex);
    vidmm_window_map_remove(start, size);
    set_open(window); /* a thread that waits here touches a window that is gone, and shall see it */
    retire(window);
    pthread_mutex_unlock(&mutex);
    munmap((void *)start, size);
}
