/* paged.c: pages of paged pool, which may not be there at DISPATCH_LEVEL and above.
 *
 * Windows may take such a page away at any time, and brings it back only below DISPATCH_LEVEL. Here
 * all of them go whenever a routine of the driver begins at that level, or the driver raises to it;
 * whoever touches one then is told (K-046).
 *
 *          .--- a level was raised; not while it is locked ---.
 *          |                                                   v
 *     here (read, write)                                  away (no access)
 *          ^                                                   |
 *          '--- touched: below, silently; above, K-046 --------'
 *
 * A page has a mapping of its own, in an arena, since the machine's is everybody's. If the arena is
 * full, or nobody catches faults, paged pool is as other pool is.
 *
 * P1  a page that is away has no access; one that is here has. Both change under `changing`
 * P2  whoever holds `changing` touches no page of the arena, so that a fault may wait for it
 * P3  the level that counts is that of the thread that touches
 */
#include "kit/state.h"

#include <sched.h>
#include <sys/mman.h>

enum { PAGES = 4096 };
enum state { NONE, HERE, AWAY };

static char *arena; /* NULL: nothing is watched */
static unsigned char states[PAGES];
static void *origins[PAGES];         /* of the first page of a run: its mapping by the machine */
static unsigned short locked[PAGES]; /* by lists (MmProbeAndLockPages); such a page is here */
static unsigned used;                /* pages from here on are NONE */
static _Atomic unsigned here;        /* pages that are, and may go */
static atomic_flag changing = ATOMIC_FLAG_INIT;
static __thread bool own; /* the kernel touches its guards */

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&changing, memory_order_acquire))
        sched_yield();
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&changing, memory_order_release);
}

/* Its page in the arena; PAGES: it has none. */
static size_t page_of(const void *address)
{
    size_t page = ((uintptr_t)address - (uintptr_t)arena) / PAGE_SIZE;

    return arena && (uintptr_t)address >= (uintptr_t)arena && page < PAGES ? page : PAGES;
}

static char *address_of(size_t page)
{
    return arena + page * PAGE_SIZE;
}

void vidmm_kit_paged_start(bool catch_faults)
{
    void *room = MAP_FAILED;

    if (catch_faults)
        room = mmap(NULL, (size_t)PAGES * PAGE_SIZE, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    arena = room == MAP_FAILED ? NULL : room;
    memset(states, NONE, sizeof(states));
    memset(locked, 0, sizeof(locked));
    atomic_store(&here, 0);
    used = 0;
}

void vidmm_kit_paged_stop(void)
{
    if (arena)
        munmap(arena, (size_t)PAGES * PAGE_SIZE);
    arena = NULL;
}

/* ---- runs ---- */

/* Under `changing`: a row of pages that are free; PAGES: there is none. */
static size_t find_room(uint64_t count)
{
    uint64_t row = 0;

    for (size_t page = 0; page < PAGES; page++) {
        row = states[page] == NONE ? row + 1 : 0;
        if (row == count)
            return page + 1 - count;
    }
    return PAGES;
}

/* A second mapping of pages of the machine, which are shared with it; false: it has none. */
static bool show(size_t first, uint64_t count, char *pages)
{
    uint64_t i = 0;

    while (i < count && mremap(pages + i * PAGE_SIZE, 0, PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED,
                               address_of(first + i)) != MAP_FAILED)
        i++;
    return i == count;
}

static void hide(size_t first, uint64_t count)
{
    mmap(address_of(first), count * PAGE_SIZE, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void set_states(size_t first, uint64_t count, enum state state)
{
    memset(states + first, (int)state, count);
    if (state == HERE && used < first + count)
        used = (unsigned)(first + count);
    if (state == HERE)
        atomic_fetch_add(&here, (unsigned)count);
}

/* The pages at `pages`, in the arena; NULL: they are not watched. */
static char *move_in(uint64_t count, char *pages)
{
    size_t first;
    bool shown;

    lock();
    first = arena ? find_room(count) : PAGES;
    shown = first < PAGES && show(first, count, pages);
    if (shown) {
        origins[first] = pages;
        set_states(first, count, HERE);
    } else if (first < PAGES) {
        hide(first, count);
    }
    unlock();
    return shown ? address_of(first) : NULL;
}

void *vidmm_kit_take_paged(uint64_t count, uint64_t *frames)
{
    char *pages = vidmm_kit_take_run(count, VIDMM_ANY_FRAME, false, frames);
    char *moved = pages ? move_in(count, pages) : NULL;

    if (!moved)
        return pages;
    for (uint64_t i = 0; i < count; i++)
        vidmm_kit_note_page(moved + i * PAGE_SIZE, frames[i]);
    return moved;
}

void vidmm_kit_give_paged(void *address, uint64_t count, const uint64_t *frames)
{
    size_t first = page_of(address);
    void *origin = address;
    unsigned gone = 0;

    if (first == PAGES) {
        vidmm_kit_give_run(address, count, frames);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        vidmm_kit_forget_page((char *)address + i * PAGE_SIZE);
    lock();
    for (uint64_t i = 0; i < count; i++)
        gone += states[first + i] == HERE;
    atomic_fetch_sub(&here, gone);
    hide(first, count);
    set_states(first, count, NONE);
    memset(locked + first, 0, count * sizeof(locked[0]));
    origin = origins[first];
    unlock();
    vidmm_kit_give_run(origin, count, frames);
}

/* ---- away and here ---- */

void vidmm_kit_page_out(void)
{
    if (atomic_load_explicit(&here, memory_order_relaxed) == 0)
        return;
    lock();
    for (size_t page = 0; page < used; page++) {
        if (states[page] != HERE || locked[page] > 0)
            continue;
        states[page] = AWAY;
        atomic_fetch_sub(&here, 1);
        mprotect(address_of(page), PAGE_SIZE, PROT_NONE);
    }
    unlock();
}

/* Under `changing`. */
static void bring(size_t page)
{
    if (states[page] != AWAY)
        return;
    states[page] = HERE;
    atomic_fetch_add(&here, 1);
    mprotect(address_of(page), PAGE_SIZE, PROT_READ | PROT_WRITE);
}

bool vidmm_kit_page_in(const void *address, const void *instruction)
{
    size_t page = page_of(address);
    bool ours;

    if (page == PAGES)
        return false;
    lock();
    ours = states[page] != NONE;
    if (ours)
        bring(page); /* another thread may have been faster */
    unlock();
    if (!ours)
        return false;
    vidmm_kit_stack_enter();
    if (!own && KeGetCurrentIrql() >= DISPATCH_LEVEL) /* obeys D-352 */
        vidmm_kit_find((const char *)instruction + 1, VIDMM_KIT_PAGED_TOUCHED,
                       "paged pool was touched at %p, at IRQL %u", address, KeGetCurrentIrql());
    return true;
}

void vidmm_kit_page_own(bool begin)
{
    own = begin;
}

void vidmm_kit_page_lock(const void *address, uint64_t count, bool begin)
{
    size_t first = page_of(address);

    if (first == PAGES)
        return;
    lock();
    for (size_t page = first; page < first + count && page < PAGES; page++) {
        bring(page);
        if (begin)
            locked[page]++;
        else if (locked[page] > 0)
            locked[page]--;
    }
    unlock();
}
