/* memory.c: frames, a heap, and addresses.
 *
 *     physical    0       1 MiB     kernel_end                       top
 *                 | none  | kernel  | frames: a bit each, 1 is taken  |
 *
 *     addresses   0 .. 4 GiB: physical memory, at its own number
 *                 512 GiB .. : pages that show a frame, or nothing
 *
 * M1  a bit is set for each frame that is not memory, or is taken
 * M2  the tables of addresses that are taken are there, so that showing a page cannot fail
 */
#include "kernel.h"

#include <string.h>

#define FRAMES (UINT64_C(1) << 20) /* below 4 GiB */
#define FIRST_ADDRESS (UINT64_C(512) << 30)

extern uint64_t root[512];
extern const char kernel_begin[], kernel_end[];

static uint8_t taken[FRAMES / 8]; /* M1 */
static uint64_t memory_size;

/* ---- frames ---------------------------------------------------------------------------------- */

static bool is_taken(uint64_t frame)
{
    return frame >= FRAMES || (taken[frame / 8] >> (frame % 8) & 1) != 0;
}

static void set_taken(uint64_t frame, bool on)
{
    if (on)
        taken[frame / 8] |= (uint8_t)(1u << (frame % 8));
    else
        taken[frame / 8] &= (uint8_t) ~(1u << (frame % 8));
}

/* The start information of PVH, as far as it is used here. */
struct start_info {
    uint32_t magic, version, flags, module_count;
    uint64_t modules, command_line, rsdp, memory_map;
    uint32_t memory_map_entries, reserved;
};
struct memory_map_entry {
    uint64_t address, size;
    uint32_t type, reserved;
};
enum { START_MAGIC = 0x336ec578, TYPE_RAM = 1 };

bool kernel_memory_begin(uint64_t start_info)
{
    const struct start_info *info = kernel_at(start_info);
    uint64_t end = (uint64_t)(uintptr_t)kernel_end;

    if (info->magic != START_MAGIC || info->version < 1)
        return false;
    memset(taken, 0xFF, sizeof(taken));
    const struct memory_map_entry *map = kernel_at(info->memory_map);
    for (uint32_t i = 0; i < info->memory_map_entries; i++) {
        uint64_t first = (map[i].address + KERNEL_PAGE - 1) / KERNEL_PAGE;
        uint64_t last = (map[i].address + map[i].size) / KERNEL_PAGE;

        if (map[i].type != TYPE_RAM)
            continue;
        for (uint64_t frame = first; frame < last && frame < FRAMES; frame++)
            if (frame * KERNEL_PAGE >= end) { /* the first MiB and the kernel are not given out */
                set_taken(frame, false);
                memory_size += KERNEL_PAGE;
            }
    }
    return memory_size > 0;
}

uint64_t kernel_memory_size(void)
{
    return memory_size;
}

/* The first of `count` free frames in a row, up to `highest`; 0: there are none. */
static uint64_t find_run(uint64_t count, uint64_t highest)
{
    uint64_t found = 0;

    for (uint64_t frame = 1; frame < FRAMES && frame <= highest; frame++) {
        found = is_taken(frame) ? 0 : found + 1;
        if (found == count)
            return frame - count + 1;
    }
    return 0;
}

static void take_run(uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        set_taken(first + i, true);
}

uint64_t kernel_take_run(uint64_t count)
{
    uint64_t first = find_run(count, FRAMES);

    if (first != 0)
        take_run(first, count);
    return first * KERNEL_PAGE;
}

static bool take_contiguous(uint64_t count, uint64_t highest, uint64_t *frames)
{
    uint64_t first = find_run(count, highest);

    if (first == 0)
        return false;
    take_run(first, count);
    for (uint64_t i = 0; i < count; i++)
        frames[i] = first + i;
    return true;
}

bool kernel_take_frames(uint64_t count, uint64_t highest, bool contiguous, uint64_t *frames)
{
    uint64_t got = 0;

    if (contiguous)
        return take_contiguous(count, highest, frames);
    for (uint64_t frame = 1; got < count && frame < FRAMES && frame <= highest; frame++)
        if (!is_taken(frame))
            frames[got++] = frame;
    if (got < count)
        return false;
    for (uint64_t i = 0; i < count; i++)
        set_taken(frames[i], true);
    return true;
}

void kernel_give_frames(uint64_t count, const uint64_t *frames)
{
    for (uint64_t i = 0; i < count; i++)
        set_taken(frames[i], false);
}

/* ---- the heap -------------------------------------------------------------------------------- */

/* Blocks of powers of two, each with its size in front of it; the free ones of a size in a list.
 * A block is never cut, nor joined. */
struct block {
    uint64_t shift;
    struct block *next; /* of the free */
};
enum { LEAST = 5, CLASSES = 33, CHUNK = 16 /* 64 KiB are taken for blocks that are smaller */ };

static struct block *free_blocks[CLASSES];

static unsigned class_of(size_t size)
{
    unsigned shift = LEAST;

    while (shift < CLASSES && (UINT64_C(1) << shift) < size + sizeof(struct block))
        shift++;
    return shift;
}

/* Make blocks of a class. */
static bool refill(unsigned shift)
{
    uint64_t size = UINT64_C(1) << shift, all = shift < CHUNK ? UINT64_C(1) << CHUNK : size;
    uint64_t first = kernel_take_run(all / KERNEL_PAGE);

    for (uint64_t at = 0; first != 0 && at < all; at += size) {
        struct block *block = kernel_at(first + at);

        *block = (struct block){shift, free_blocks[shift]};
        free_blocks[shift] = block;
    }
    return first != 0;
}

void *kernel_allocate(size_t size)
{
    unsigned shift = class_of(size);
    struct block *block;

    if (shift >= CLASSES || (!free_blocks[shift] && !refill(shift)))
        return NULL;
    block = free_blocks[shift];
    free_blocks[shift] = block->next;
    memset(block + 1, 0, size);
    return block + 1;
}

void kernel_free(void *address)
{
    struct block *block = address;

    if (!address)
        return;
    block--;
    block->next = free_blocks[block->shift];
    free_blocks[block->shift] = block;
}

/* ---- addresses ------------------------------------------------------------------------------- */

enum { PRESENT = 1, WRITABLE = 2 };
#define TABLE_OF(entry) ((uint64_t *)kernel_at((entry) & ~UINT64_C(0xFFF)))

/* Ranges that were given back, each in its own first words of a heap block. */
struct range {
    uint64_t address, count;
    struct range *next;
};
static struct range *free_ranges;
static uint64_t next_address = FIRST_ADDRESS;

/* The entry of a page; NULL: there is no table, and none is made, or no memory for one. */
static uint64_t *entry_of(uint64_t address, bool make)
{
    uint64_t *table = root;

    for (unsigned shift = 39; shift > 12; shift -= 9) {
        uint64_t *entry = &table[address >> shift & 511], frame;

        if (*entry == 0) {
            if (!make || !kernel_take_frames(1, FRAMES, false, &frame))
                return NULL;
            memset(kernel_at(frame * KERNEL_PAGE), 0, KERNEL_PAGE);
            *entry = frame * KERNEL_PAGE | PRESENT | WRITABLE;
        }
        table = TABLE_OF(*entry);
    }
    return &table[address >> 12 & 511];
}

static uint64_t find_range(uint64_t count)
{
    uint64_t address = next_address;

    for (struct range **at = &free_ranges; *at; at = &(*at)->next)
        if ((*at)->count == count) { /* programs take the same sizes again and again */
            struct range *range = *at;

            address = range->address;
            *at = range->next;
            kernel_free(range);
            return address;
        }
    next_address += count * KERNEL_PAGE;
    return address;
}

void *kernel_take_addresses(uint64_t count)
{
    uint64_t address = find_range(count);

    for (uint64_t i = 0; i < count; i++)
        if (!entry_of(address + i * KERNEL_PAGE, true)) { /* M2 */
            kernel_give_addresses((void *)(uintptr_t)address, count);
            return NULL;
        }
    return (void *)(uintptr_t)address;
}

void kernel_give_addresses(void *address, uint64_t count)
{
    struct range *range = kernel_allocate(sizeof(*range));

    if (!range)
        return; /* the addresses are lost, which costs nothing but them */
    *range = (struct range){(uint64_t)(uintptr_t)address, count, free_ranges};
    free_ranges = range;
}

static void set_entry(void *address, uint64_t value)
{
    *entry_of((uint64_t)(uintptr_t)address, false) = value;
    __asm__ volatile("invlpg (%0)" ::"r"(address) : "memory");
}

void kernel_show(void *address, uint64_t frame)
{
    set_entry(address, frame * KERNEL_PAGE | PRESENT | WRITABLE);
}

void kernel_hide(void *address)
{
    set_entry(address, 0);
}
