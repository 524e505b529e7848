/* physical.c: the memory file, its linear mappings, and mappings of scattered frames. */
#include "host/physical.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <vidmm/page.h>
#include <unistd.h>

#include "base/assert.h"
#include "host/machine.h"

enum { MAPPING_BUCKETS = 4096, CACHE_LINE = 64 };

/* The offsets in the file of the caches' bytes, and of those that were clean. */
static const uint64_t caches_offset = UINT64_C(1) << 44, clean_offset = UINT64_C(1) << 45;

struct vidmm_physical_mapping {
    struct vidmm_physical_mapping *next;
    void *address;
    uint64_t count; /* pages */
    uint64_t runs;
    bool cached;
    uint64_t frames[];
};

/* Addresses that show memory which is elsewhere. */
struct vidmm_physical_view {
    struct vidmm_physical_view *next;
    uint64_t address;
    uint64_t count; /* pages */
    uint64_t frames[];
};

/* The place above 4 GiB of window `bar`; of the number of windows: where they end. */
static uint64_t high_base(unsigned bar)
{
    return VIDMM_MACHINE_BAR_BASE + bar * VIDMM_MACHINE_BAR_WINDOW;
}

uint64_t vidmm_physical_bar_base(const struct vidmm_physical *physical, unsigned bar)
{
    return physical->bars[bar].low != 0 ? physical->bars[bar].low : high_base(bar);
}

/* ---- windows below 4 GiB --------------------------------------------------------------------- */

static bool is_unused(const struct vidmm_physical *physical, uint64_t first, uint64_t count)
{
    for (uint64_t unit = first; unit < first + count; unit++)
        if (atomic_load_explicit(&physical->low[unit], memory_order_relaxed) != 0)
            return false;
    return true;
}

bool vidmm_physical_place_low(struct vidmm_physical *physical, unsigned bar, uint64_t size)
{
    uint64_t count = size / VIDMM_MACHINE_LOW_UNIT, first = 0;

    VIDMM_ASSERT(vidmm_physical_is_free(physical, bar));
    VIDMM_ASSERT(size > 0 && (size & (size - 1)) == 0);
    vidmm_physical_place_high(physical, bar);
    count = count > 0 ? count : 1;
    while (first + count <= VIDMM_PHYSICAL_LOW_UNITS && !is_unused(physical, first, count))
        first += count; /* aligned, as what a BAR decodes is */
    if (first + count > VIDMM_PHYSICAL_LOW_UNITS)
        return false;
    physical->bars[bar].low = VIDMM_MACHINE_LOW_BASE + first * VIDMM_MACHINE_LOW_UNIT;
    for (uint64_t unit = first; unit < first + count; unit++)
        atomic_store_explicit(&physical->low[unit], (uint8_t)(bar + 1), memory_order_release);
    return true;
}

void vidmm_physical_place_high(struct vidmm_physical *physical, unsigned bar)
{
    if (physical->bars[bar].low == 0)
        return;
    for (uint64_t unit = 0; unit < VIDMM_PHYSICAL_LOW_UNITS; unit++)
        if (atomic_load_explicit(&physical->low[unit], memory_order_relaxed) == bar + 1)
            atomic_store_explicit(&physical->low[unit], 0, memory_order_relaxed);
    physical->bars[bar].low = 0;
}

bool vidmm_physical_has_low(const struct vidmm_physical *physical)
{
    return !is_unused(physical, 0, VIDMM_PHYSICAL_LOW_UNITS);
}

bool vidmm_physical_is_low(const struct vidmm_physical *physical, uint64_t address)
{
    uint64_t offset = address - VIDMM_MACHINE_LOW_BASE;

    return offset < VIDMM_MACHINE_LOW_SIZE &&
           !is_unused(physical, offset / VIDMM_MACHINE_LOW_UNIT, 1);
}

/* The window that an address is in, and how far; NULL: none. */
static struct vidmm_physical_bar *window_at(struct vidmm_physical *physical, uint64_t address,
                                            uint64_t *offset)
{
    uint64_t from = address - VIDMM_MACHINE_LOW_BASE;
    unsigned owner;

    if (from < VIDMM_MACHINE_LOW_SIZE) {
        owner = atomic_load_explicit(&physical->low[from / VIDMM_MACHINE_LOW_UNIT],
                                     memory_order_acquire);
        if (owner == 0)
            return NULL;
        *offset = address - physical->bars[owner - 1].low;
        return &physical->bars[owner - 1];
    }
    from = address - VIDMM_MACHINE_BAR_BASE;
    if (from / VIDMM_MACHINE_BAR_WINDOW >= VIDMM_PHYSICAL_BARS ||
        physical->bars[from / VIDMM_MACHINE_BAR_WINDOW].low != 0)
        return NULL;
    *offset = from % VIDMM_MACHINE_BAR_WINDOW;
    return &physical->bars[from / VIDMM_MACHINE_BAR_WINDOW];
}

/* The offset of a page in each of the linear mappings. */
static uint64_t offset_of(uint64_t frame)
{
    return (frame << VIDMM_PAGE_SHIFT) - VIDMM_MACHINE_SYSTEM_BASE;
}

/* ---- linear mappings ------------------------------------------------------------------------- */

static void *map_file(const struct vidmm_physical *physical, uint64_t size, uint64_t offset,
                      int protection)
{
    void *address =
        mmap(NULL, size, protection, MAP_SHARED | MAP_NORESERVE, physical->file, (off_t)offset);

    return address != MAP_FAILED ? address : NULL;
}

static uint8_t *map_system(const struct vidmm_physical *physical, uint64_t offset, int protection)
{
    return map_file(physical, physical->system_size, offset + VIDMM_MACHINE_SYSTEM_BASE,
                    protection);
}

static void unmap_system(const struct vidmm_physical *physical, const uint8_t *linear)
{
    if (linear != NULL)
        munmap((void *)(uintptr_t)linear, physical->system_size);
}

/* True: all linear mappings are there that there are to be. */
static bool map_linear(struct vidmm_physical *physical, bool caches_apart)
{
    physical->system = map_system(physical, 0, PROT_READ | PROT_WRITE);
    physical->shown = map_system(physical, 0, PROT_READ);
    if (!caches_apart || physical->system == NULL || physical->shown == NULL)
        return physical->system != NULL && physical->shown != NULL;
    physical->caches = map_system(physical, caches_offset, PROT_READ | PROT_WRITE);
    physical->clean = map_system(physical, clean_offset, PROT_READ | PROT_WRITE);
    return physical->caches != NULL && physical->clean != NULL;
}

static void release_all(struct vidmm_physical *physical)
{
    while (physical->views != NULL)
        vidmm_physical_show_view(physical, physical->views->address, 0, NULL);
    free(physical->mappings);
    free(atomic_load(&physical->sources));
    unmap_system(physical, physical->system);
    unmap_system(physical, physical->shown);
    unmap_system(physical, physical->caches);
    unmap_system(physical, physical->clean);
    close(physical->file);
}

bool vidmm_physical_init(struct vidmm_physical *physical, uint64_t system_size, bool caches_apart)
{
    uint64_t end = caches_apart ? clean_offset + VIDMM_MACHINE_SYSTEM_BASE + system_size
                                : high_base(VIDMM_PHYSICAL_BARS);

    *physical = (struct vidmm_physical){.system_size = system_size};
    physical->file = memfd_create("vidmm-machine", MFD_CLOEXEC);
    if (physical->file < 0)
        return false;
    physical->mappings = calloc(MAPPING_BUCKETS, sizeof(struct vidmm_physical_mapping *));
    if (physical->mappings != NULL && ftruncate(physical->file, (off_t)end) == 0 &&
        map_linear(physical, caches_apart))
        return true;
    release_all(physical);
    return false;
}

void vidmm_physical_finish(struct vidmm_physical *physical)
{
    for (unsigned bar = 0; bar < VIDMM_PHYSICAL_BARS; bar++) {
        vidmm_physical_remove_view(physical, bar);
        vidmm_physical_remove_bar(physical, bar);
    }
    for (unsigned bucket = 0; bucket < MAPPING_BUCKETS; bucket++)
        while (physical->mappings[bucket] != NULL)
            vidmm_physical_unmap(physical, physical->mappings[bucket]->address,
                                 physical->mappings[bucket]->count);
    release_all(physical);
}

bool vidmm_physical_add_bar(struct vidmm_physical *physical, unsigned index, uint64_t size)
{
    struct vidmm_physical_bar *bar = &physical->bars[index];

    if (size == 0 || size % VIDMM_PAGE_SIZE != 0 || size > VIDMM_MACHINE_BAR_WINDOW ||
        !vidmm_physical_is_free(physical, index))
        return false;
    void *address =
        map_file(physical, size, vidmm_physical_bar_base(physical, index), PROT_READ | PROT_WRITE);
    if (address == NULL)
        return false;
    atomic_store(&bar->address, address);
    atomic_store(&bar->size, size);
    return true;
}

void vidmm_physical_remove_bar(struct vidmm_physical *physical, unsigned index)
{
    struct vidmm_physical_bar *bar = &physical->bars[index];
    uint64_t size = atomic_exchange(&bar->size, 0);

    if (size == 0)
        return;
    munmap(atomic_load(&bar->address), size);
    /* Gives the storage back; if the system refuses, the bytes stay until the file is closed. */
    (void)!fallocate(physical->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     (off_t)vidmm_physical_bar_base(physical, index), (off_t)size);
}

void *vidmm_physical_find(struct vidmm_physical *physical, uint64_t address, uint64_t size)
{
    uint64_t offset = address - VIDMM_MACHINE_SYSTEM_BASE;

    if (size == 0)
        return NULL;
    if (offset < physical->system_size)
        return size <= physical->system_size - offset ? physical->system + offset : NULL;
    struct vidmm_physical_bar *bar = window_at(physical, address, &offset);
    if (bar == NULL)
        return NULL;
    uint64_t bar_size = atomic_load_explicit(&bar->size, memory_order_acquire);
    if (offset >= bar_size || size > bar_size - offset)
        return NULL;
    return atomic_load_explicit(&bar->address, memory_order_relaxed) + offset;
}

const void *vidmm_physical_read_only(const struct vidmm_physical *physical, uint64_t frame)
{
    uint64_t offset = (frame << VIDMM_PAGE_SHIFT) - VIDMM_MACHINE_SYSTEM_BASE;

    VIDMM_ASSERT(offset < physical->system_size);
    return physical->shown + offset;
}

/* How many of the frames, from the first on, are consecutive. */
static uint64_t run_length(uint64_t count, const uint64_t *frames)
{
    uint64_t length = 1;

    while (length < count && frames[length] == frames[0] + length)
        length++;
    return length;
}

uint64_t vidmm_physical_runs(uint64_t count, const uint64_t *frames)
{
    uint64_t runs = 0;

    for (uint64_t i = 0; i < count; i += run_length(count - i, frames + i))
        runs++;
    return runs;
}

static struct vidmm_physical_mapping **bucket_of(struct vidmm_physical *physical, void *address)
{
    return &physical->mappings[(uintptr_t)address / VIDMM_PAGE_SIZE % MAPPING_BUCKETS];
}

/* Over addresses that others may be using. By the system call itself: the thread sanitizer takes
 * mmap() for a write to all of it, which those others would have to wait for. */
static bool lay_file(struct vidmm_physical *physical, void *where, uint64_t size, uint64_t offset)
{
    return syscall(SYS_mmap, where, size, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE | MAP_FIXED, physical->file, (off_t)offset) != -1;
}

/* A second time the page of a shared mapping: a remapping of 0 bytes leaves it where it is. */
static bool lay_again(void *where, const uint8_t *source)
{
    return syscall(SYS_mremap, source, 0, VIDMM_PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, where) !=
           -1;
}

/* How many of `count` pages have their bytes in the file, before the first that has a source. */
static uint64_t filed_length(_Atomic(uint8_t *) *sources, uint64_t count)
{
    uint64_t length = 0;

    while (length < count && atomic_load_explicit(&sources[length], memory_order_acquire) == NULL)
        length++;
    return length;
}

/* Lay the bytes at a physical address, which are in the file or at a source, over `where`. */
static bool lay(struct vidmm_physical *physical, uint8_t *where, uint64_t size, uint64_t address)
{
    _Atomic(uint8_t *) *sources = atomic_load_explicit(&physical->sources, memory_order_acquire);
    uint64_t offset = address - VIDMM_MACHINE_SYSTEM_BASE, here;

    if (sources == NULL || address < VIDMM_MACHINE_SYSTEM_BASE || offset >= physical->system_size)
        return lay_file(physical, where, size, address);
    for (; size > 0; where += here, address += here, offset += here, size -= here) {
        _Atomic(uint8_t *) *from = &sources[offset >> VIDMM_PAGE_SHIFT];

        here = filed_length(from, size >> VIDMM_PAGE_SHIFT) << VIDMM_PAGE_SHIFT;
        if (here > 0 ? !lay_file(physical, where, here, address)
                     : !lay_again(where, atomic_load_explicit(from, memory_order_acquire)))
            return false;
        here = here > 0 ? here : VIDMM_PAGE_SIZE;
    }
    return true;
}

/* ---- sources --------------------------------------------------------------------------------- */

static _Atomic(uint8_t *) *find_sources(struct vidmm_physical *physical)
{
    _Atomic(uint8_t *) *sources = atomic_load_explicit(&physical->sources, memory_order_acquire);

    if (sources == NULL) {
        sources = calloc(physical->system_size >> VIDMM_PAGE_SHIFT, sizeof(*sources));
        atomic_store_explicit(&physical->sources, sources, memory_order_release);
    }
    return sources;
}

/* The linear mappings of a page, as its source says it. */
static bool lay_linear(struct vidmm_physical *physical, uint64_t frame)
{
    uint64_t offset = offset_of(frame);
    uint8_t *shown = (uint8_t *)(uintptr_t)physical->shown + offset;

    return lay(physical, physical->system + offset, VIDMM_PAGE_SIZE, frame << VIDMM_PAGE_SHIFT) &&
           lay(physical, shown, VIDMM_PAGE_SIZE, frame << VIDMM_PAGE_SHIFT) &&
           mprotect(shown, VIDMM_PAGE_SIZE, PROT_READ) == 0;
}

bool vidmm_physical_set_source(struct vidmm_physical *physical, uint64_t count,
                               const uint64_t *frames, uint8_t *source)
{
    _Atomic(uint8_t *) *sources = find_sources(physical);

    VIDMM_ASSERT(physical->caches == NULL);
    for (uint64_t i = 0; i < count && sources != NULL; i++) {
        atomic_store_explicit(&sources[offset_of(frames[i]) >> VIDMM_PAGE_SHIFT],
                              source + i * VIDMM_PAGE_SIZE, memory_order_release);
        if (!lay_linear(physical, frames[i])) {
            vidmm_physical_end_source(physical, i + 1, frames);
            return false;
        }
    }
    return sources != NULL;
}

bool vidmm_physical_end_source(struct vidmm_physical *physical, uint64_t count,
                               const uint64_t *frames)
{
    _Atomic(uint8_t *) *sources = find_sources(physical);
    bool laid = true;

    for (uint64_t i = 0; i < count; i++) {
        atomic_store_explicit(&sources[offset_of(frames[i]) >> VIDMM_PAGE_SHIFT], NULL,
                              memory_order_release);
        laid = lay_linear(physical, frames[i]) && laid;
    }
    return laid;
}

/* ---- mappings -------------------------------------------------------------------------------- */

bool vidmm_physical_map_over(struct vidmm_physical *physical, void *address, uint64_t count,
                             const uint64_t *frames, bool cached)
{
    uint64_t offset = cached && physical->caches != NULL ? caches_offset : 0;
    uint8_t *base = address;

    for (uint64_t i = 0, length; i < count; i += length) {
        length = run_length(count - i, frames + i);
        if (!lay(physical, base + i * VIDMM_PAGE_SIZE, length * VIDMM_PAGE_SIZE,
                 offset + (frames[i] << VIDMM_PAGE_SHIFT)))
            return false;
    }
    return true;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* The link to the view that begins at the address, or the last one. */
static struct vidmm_physical_view **view_at(struct vidmm_physical *physical, uint64_t address)
{
    struct vidmm_physical_view **link = &physical->views;

    while (*link != NULL && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

/* The window of views that an address is in; NULL: none. */
static struct vidmm_physical_bar *window_of_views(struct vidmm_physical *physical, uint64_t address,
                                                  uint64_t *offset)
{
    struct vidmm_physical_bar *bar = window_at(physical, address, offset);

    return bar != NULL && *offset < bar->view_size ? bar : NULL;
}

/* Every mapping of the window shows these pages there; no frames: none. */
static bool lay_view(struct vidmm_physical *physical, uint64_t address, uint64_t count,
                     const uint64_t *frames)
{
    uint64_t offset, size = count * VIDMM_PAGE_SIZE;
    struct vidmm_physical_bar *bar = window_of_views(physical, address, &offset);

    if (bar == NULL || bar->view == NULL)
        return true;
    if (size > bar->view_size - offset)
        return false;
    if (frames != NULL)
        return vidmm_physical_map_over(physical, bar->view + offset, count, frames, false);
    return mmap(bar->view + offset, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

bool vidmm_physical_show_view(struct vidmm_physical *physical, uint64_t address, uint64_t count,
                              const uint64_t *pages)
{
    struct vidmm_physical_view **link = view_at(physical, address), *old = *link, *view = NULL;

    if (count > 0) {
        view = malloc(sizeof(*view) + count * sizeof(view->frames[0]));
        if (view == NULL)
            return false;
        *view = (struct vidmm_physical_view){old != NULL ? old->next : NULL, address, count};
        for (uint64_t i = 0; i < count; i++)
            view->frames[i] = pages[i] >> VIDMM_PAGE_SHIFT;
    }
    if ((old != NULL && !lay_view(physical, address, old->count, NULL)) ||
        (view != NULL && !lay_view(physical, address, count, view->frames))) {
        if (old != NULL)
            lay_view(physical, address, old->count, old->frames);
        free(view);
        return false;
    }
    *link = view != NULL ? view : old != NULL ? old->next : NULL;
    free(old);
    return true;
}

void vidmm_physical_add_view(struct vidmm_physical *physical, unsigned index, uint64_t size)
{
    physical->bars[index].view_size = size;
}

void vidmm_physical_remove_view(struct vidmm_physical *physical, unsigned index)
{
    struct vidmm_physical_bar *bar = &physical->bars[index];
    struct vidmm_physical_view **link = &physical->views;
    uint64_t offset;

    while (*link != NULL)
        if (window_of_views(physical, (*link)->address, &offset) == bar)
            vidmm_physical_show_view(physical, (*link)->address, 0, NULL);
        else
            link = &(*link)->next;
    if (bar->view != NULL)
        munmap(bar->view, bar->view_size);
    bar->view = NULL;
    bar->view_size = 0;
}

/* Reserve addresses for the window, and lay what is shown now. */
static bool begin_view(struct vidmm_physical *physical, struct vidmm_physical_bar *bar)
{
    void *address = mmap(NULL, bar->view_size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint64_t offset;

    if (address == MAP_FAILED)
        return false;
    bar->view = address;
    for (const struct vidmm_physical_view *view = physical->views; view != NULL; view = view->next)
        if (window_of_views(physical, view->address, &offset) == bar &&
            !lay_view(physical, view->address, view->count, view->frames)) {
            munmap(bar->view, bar->view_size);
            bar->view = NULL;
            return false;
        }
    return true;
}

void *vidmm_physical_map_view(struct vidmm_physical *physical, uint64_t address, uint64_t size)
{
    uint64_t offset;
    struct vidmm_physical_bar *bar = window_of_views(physical, address, &offset);

    if (bar == NULL || size == 0 || size > bar->view_size - offset ||
        (bar->view == NULL && !begin_view(physical, bar)))
        return NULL;
    return bar->view + offset;
}

/* The frames that a view shows from an address on, and to the view's end at most `size` bytes of
 * them; NULL: nothing is shown there. */
static const uint64_t *frames_shown(const struct vidmm_physical *physical, uint64_t address,
                                    uint64_t *size)
{
    const struct vidmm_physical_view *view = physical->views;
    uint64_t offset;

    while (view != NULL && address - view->address >= view->count * VIDMM_PAGE_SIZE)
        view = view->next;
    if (view == NULL)
        return NULL;
    offset = address - view->address;
    if (*size > view->count * VIDMM_PAGE_SIZE - offset)
        *size = view->count * VIDMM_PAGE_SIZE - offset;
    return view->frames + offset / VIDMM_PAGE_SIZE;
}

bool vidmm_physical_is_free(const struct vidmm_physical *physical, unsigned bar)
{
    return atomic_load(&physical->bars[bar].size) == 0 && physical->bars[bar].view_size == 0;
}

uint64_t vidmm_physical_range_runs(struct vidmm_physical *physical, uint64_t address, uint64_t size)
{
    uint64_t runs = 0, here;

    if (vidmm_physical_find(physical, address, size) != NULL)
        return 1;
    for (; size > 0; address += here, size -= here) {
        here = size;
        const uint64_t *frames = frames_shown(physical, address, &here);

        if (frames == NULL)
            return 0;
        runs += vidmm_physical_runs(here / VIDMM_PAGE_SIZE, frames);
    }
    return runs;
}

bool vidmm_physical_map_range_over(struct vidmm_physical *physical, void *where, uint64_t address,
                                   uint64_t size)
{
    uint64_t here;

    if (vidmm_physical_find(physical, address, size) != NULL)
        return lay(physical, where, size, address);
    for (; size > 0; address += here, size -= here, where = (uint8_t *)where + here) {
        here = size;
        const uint64_t *frames = frames_shown(physical, address, &here);

        if (frames == NULL ||
            !vidmm_physical_map_over(physical, where, here / VIDMM_PAGE_SIZE, frames, false))
            return false;
    }
    return true;
}

/* Reserve addresses and lay each run into them; NULL: all is as before. */
static void *map_runs(struct vidmm_physical *physical, uint64_t count, const uint64_t *frames,
                      bool cached)
{
    uint64_t size = count * VIDMM_PAGE_SIZE;
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return NULL;
    if (vidmm_physical_map_over(physical, base, count, frames, cached))
        return base;
    munmap(base, size);
    return NULL;
}

/* The linear address of consecutive frames. */
static void *find_linear(struct vidmm_physical *physical, uint64_t frame, uint64_t count,
                         bool cached)
{
    uint8_t *address =
        vidmm_physical_find(physical, frame << VIDMM_PAGE_SHIFT, count * VIDMM_PAGE_SIZE);

    if (address == NULL || !cached || physical->caches == NULL)
        return address;
    return physical->caches + (address - physical->system);
}

void *vidmm_physical_map(struct vidmm_physical *physical, uint64_t count, const uint64_t *frames,
                         bool cached)
{
    uint64_t runs = vidmm_physical_runs(count, frames);

    VIDMM_ASSERT(count > 0);
    if (runs == 1)
        return find_linear(physical, frames[0], count, cached);
    if (runs > VIDMM_PHYSICAL_RUN_LIMIT - physical->run_count)
        return NULL;
    struct vidmm_physical_mapping *mapping =
        malloc(sizeof(*mapping) + count * sizeof(mapping->frames[0]));
    if (mapping == NULL)
        return NULL;
    void *address = map_runs(physical, count, frames, cached);
    if (address == NULL) {
        free(mapping);
        return NULL;
    }
    struct vidmm_physical_mapping **bucket = bucket_of(physical, address);
    *mapping = (struct vidmm_physical_mapping){*bucket, address, count, runs, cached};
    memcpy(mapping->frames, frames, count * sizeof(frames[0]));
    *bucket = mapping;
    physical->mapping_count++;
    physical->run_count += runs;
    return address;
}

static bool in_linear(const struct vidmm_physical *physical, const uint8_t *linear,
                      const void *address, uint64_t size)
{
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)linear);

    return linear != NULL && offset % VIDMM_PAGE_SIZE == 0 && offset < physical->system_size &&
           size <= physical->system_size - offset;
}

bool vidmm_physical_frames(struct vidmm_physical *physical, const void *address, uint64_t count,
                           uint64_t *frames, bool *cached)
{
    const uint8_t *linear = NULL;

    *cached = in_linear(physical, physical->caches, address, count * VIDMM_PAGE_SIZE);
    if (*cached)
        linear = physical->caches;
    else if (in_linear(physical, physical->system, address, count * VIDMM_PAGE_SIZE))
        linear = physical->system;
    if (linear != NULL) {
        uint64_t first = (uint64_t)((const uint8_t *)address - linear) >> VIDMM_PAGE_SHIFT;

        for (uint64_t i = 0; i < count; i++)
            frames[i] = (VIDMM_MACHINE_SYSTEM_BASE >> VIDMM_PAGE_SHIFT) + first + i;
        return true;
    }
    for (unsigned bucket = 0; bucket < MAPPING_BUCKETS; bucket++)
        for (const struct vidmm_physical_mapping *mapping = physical->mappings[bucket];
             mapping != NULL; mapping = mapping->next) {
            uint64_t page = (uint64_t)((uintptr_t)address - (uintptr_t)mapping->address);

            page >>= VIDMM_PAGE_SHIFT;
            if (page >= mapping->count || count > mapping->count - page)
                continue;
            memcpy(frames, mapping->frames + page, count * sizeof(frames[0]));
            *cached = mapping->cached;
            return true;
        }
    return false;
}

void vidmm_physical_forget(struct vidmm_physical *physical, uint64_t frame)
{
    uint64_t offset = offset_of(frame);

    if (physical->caches == NULL)
        return;
    memcpy(physical->caches + offset, physical->system + offset, VIDMM_PAGE_SIZE);
    memcpy(physical->clean + offset, physical->system + offset, VIDMM_PAGE_SIZE);
}

void vidmm_physical_flush(struct vidmm_physical *physical, uint64_t frame)
{
    uint64_t offset = offset_of(frame);

    if (physical->caches == NULL)
        return;
    for (uint64_t line = offset; line < offset + VIDMM_PAGE_SIZE; line += CACHE_LINE)
        if (memcmp(physical->caches + line, physical->clean + line, CACHE_LINE) != 0)
            memcpy(physical->system + line, physical->caches + line, CACHE_LINE);
    vidmm_physical_forget(physical, frame);
}

bool vidmm_physical_unmap(struct vidmm_physical *physical, void *address, uint64_t count)
{
    if (in_linear(physical, physical->system, address, count * VIDMM_PAGE_SIZE) ||
        in_linear(physical, physical->caches, address, count * VIDMM_PAGE_SIZE))
        return true;
    struct vidmm_physical_mapping **link = bucket_of(physical, address);
    while (*link != NULL && (*link)->address != address)
        link = &(*link)->next;
    struct vidmm_physical_mapping *mapping = *link;
    if (mapping == NULL || mapping->count != count)
        return false;
    munmap(address, count * VIDMM_PAGE_SIZE);
    *link = mapping->next;
    physical->mapping_count--;
    physical->run_count -= mapping->runs;
    free(mapping);
    return true;
}
