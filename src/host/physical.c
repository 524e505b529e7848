/* physical.c: the memory file, its linear mappings, and mappings of scattered frames. */
#include "host/physical.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
#include "host/machine.h"

enum { MAPPING_BUCKETS = 4096 };

struct vidmm_physical_mapping {
    struct vidmm_physical_mapping *next;
    void *address;
    uint64_t count; /* pages */
    uint64_t runs;
};

uint64_t vidmm_physical_bar_base(unsigned bar)
{
    return VIDMM_MACHINE_BAR_BASE + bar * VIDMM_MACHINE_BAR_WINDOW;
}

static void *map_file(const struct vidmm_physical *physical, void *where, uint64_t size,
                      uint64_t offset)
{
    int flags = MAP_SHARED | MAP_NORESERVE | (where != NULL ? MAP_FIXED : 0);
    void *address = mmap(where, size, PROT_READ | PROT_WRITE, flags, physical->file, (off_t)offset);

    return address != MAP_FAILED ? address : NULL;
}

bool vidmm_physical_init(struct vidmm_physical *physical, uint64_t system_size)
{
    *physical = (struct vidmm_physical){.system_size = system_size};
    physical->file = memfd_create("vidmm-machine", MFD_CLOEXEC);
    if (physical->file < 0)
        return false;
    uint64_t end = vidmm_physical_bar_base(VIDMM_PHYSICAL_BARS);
    physical->mappings = calloc(MAPPING_BUCKETS, sizeof(struct vidmm_physical_mapping *));
    if (physical->mappings != NULL && ftruncate(physical->file, (off_t)end) == 0)
        physical->system = map_file(physical, NULL, system_size, VIDMM_MACHINE_SYSTEM_BASE);
    if (physical->system != NULL)
        return true;
    free(physical->mappings);
    close(physical->file);
    return false;
}

void vidmm_physical_finish(struct vidmm_physical *physical)
{
    for (unsigned bar = 0; bar < VIDMM_PHYSICAL_BARS; bar++)
        vidmm_physical_remove_bar(physical, bar);
    for (unsigned bucket = 0; bucket < MAPPING_BUCKETS; bucket++)
        while (physical->mappings[bucket] != NULL)
            vidmm_physical_unmap(physical, physical->mappings[bucket]->address,
                                 physical->mappings[bucket]->count);
    free(physical->mappings);
    munmap(physical->system, physical->system_size);
    close(physical->file);
}

bool vidmm_physical_add_bar(struct vidmm_physical *physical, unsigned index, uint64_t size)
{
    struct vidmm_physical_bar *bar = &physical->bars[index];

    if (size == 0 || size % VIDMM_PAGE_SIZE != 0 || size > VIDMM_MACHINE_BAR_WINDOW ||
        atomic_load(&bar->size) != 0)
        return false;
    void *address = map_file(physical, NULL, size, vidmm_physical_bar_base(index));
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
                     (off_t)vidmm_physical_bar_base(index), (off_t)size);
}

void *vidmm_physical_find(struct vidmm_physical *physical, uint64_t address, uint64_t size)
{
    uint64_t offset = address - VIDMM_MACHINE_SYSTEM_BASE;

    if (size == 0)
        return NULL;
    if (offset < physical->system_size)
        return size <= physical->system_size - offset ? physical->system + offset : NULL;
    offset = address - VIDMM_MACHINE_BAR_BASE;
    if (offset / VIDMM_MACHINE_BAR_WINDOW >= VIDMM_PHYSICAL_BARS)
        return NULL;
    struct vidmm_physical_bar *bar = &physical->bars[offset / VIDMM_MACHINE_BAR_WINDOW];
    uint64_t bar_size = atomic_load_explicit(&bar->size, memory_order_acquire);
    offset %= VIDMM_MACHINE_BAR_WINDOW;
    if (offset >= bar_size || size > bar_size - offset)
        return NULL;
    return atomic_load_explicit(&bar->address, memory_order_relaxed) + offset;
}

/* How many of the frames, from the first on, are consecutive. */
static uint64_t run_length(uint64_t count, const uint64_t *frames)
{
    uint64_t length = 1;

    while (length < count && frames[length] == frames[0] + length)
        length++;
    return length;
}

static uint64_t count_runs(uint64_t count, const uint64_t *frames)
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

/* Reserve addresses and lay each run into them; NULL: all is as before. */
static void *map_runs(struct vidmm_physical *physical, uint64_t count, const uint64_t *frames)
{
    uint64_t size = count * VIDMM_PAGE_SIZE;
    uint8_t *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return NULL;
    for (uint64_t i = 0, length; i < count; i += length) {
        length = run_length(count - i, frames + i);
        if (map_file(physical, base + i * VIDMM_PAGE_SIZE, length * VIDMM_PAGE_SIZE,
                     frames[i] << VIDMM_PAGE_SHIFT) == NULL) {
            munmap(base, size);
            return NULL;
        }
    }
    return base;
}

void *vidmm_physical_map(struct vidmm_physical *physical, uint64_t count, const uint64_t *frames)
{
    uint64_t runs = count_runs(count, frames);

    VIDMM_ASSERT(count > 0);
    if (runs == 1)
        return vidmm_physical_find(physical, frames[0] << VIDMM_PAGE_SHIFT,
                                   count * VIDMM_PAGE_SIZE);
    if (runs > VIDMM_PHYSICAL_RUN_LIMIT - physical->run_count)
        return NULL;
    struct vidmm_physical_mapping *mapping = malloc(sizeof(*mapping));
    if (mapping == NULL)
        return NULL;
    void *address = map_runs(physical, count, frames);
    if (address == NULL) {
        free(mapping);
        return NULL;
    }
    struct vidmm_physical_mapping **bucket = bucket_of(physical, address);
    *mapping = (struct vidmm_physical_mapping){*bucket, address, count, runs};
    *bucket = mapping;
    physical->mapping_count++;
    physical->run_count += runs;
    return address;
}

static bool in_linear(const struct vidmm_physical *physical, const void *address, uint64_t size)
{
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)physical->system);

    return offset % VIDMM_PAGE_SIZE == 0 && offset < physical->system_size &&
           size <= physical->system_size - offset;
}

bool vidmm_physical_unmap(struct vidmm_physical *physical, void *address, uint64_t count)
{
    if (in_linear(physical, address, count * VIDMM_PAGE_SIZE))
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
