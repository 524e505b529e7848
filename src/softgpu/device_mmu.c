/*
 * Theory. A page table is an array of 64-bit words that lies in a memory segment or in system
 * memory: real bytes, which engines and the processor write as they write any others. A walk goes
 * from the root to the leaf, an index of the address a level:
 *
 *     address    | index 3 | index 2 | index 1 | index 0 | offset |
 *                     |         |         |         |
 *     root  ---> [ table ] [ table ] [ table ] [ page ]           LARGE, ZERO: the walk ends above
 *
 * An entry that was written carries a mark, so that one that nobody wrote (memory as it was, or
 * poison) is told from one that was written invalid: both are faults, with another word each.
 *
 * Translations are kept, a line of eight entries of one table each, until a flush names them or
 * another line takes their place. Nothing else looks at the tables again: whoever changes an entry
 * that was used and does not flush is shown the old page. Invalid entries are kept as
 * well, unless the configuration says that they are not (invalid_cached).
 *
 * Invariants:
 *   T1  a line is read and written under the lock of its engine's buffer
 *   T2  a line holds entries of one table, and `shift` is what each of them translates
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

#define LINE_ENTRIES 8u
#define LINES 8192u

/* Eight entries of a table that were used. */
struct softgpu_line {
    bool used;
    uint32_t root_segment;
    uint64_t root_address;
    uint32_t shift; /* bits of the address that one entry translates */
    uint32_t level;
    uint64_t first; /* address that the first entry translates */
    uint64_t entries[LINE_ENTRIES];
};

struct softgpu_tlb {
    _Atomic uint32_t lock; /* T1 */
    struct softgpu_line lines[LINES];
};

struct softgpu_tlb *softgpu_tlb_create(void)
{
    return calloc(1, sizeof(struct softgpu_tlb));
}

void softgpu_tlb_destroy(struct softgpu_tlb *tlb)
{
    free(tlb);
}

static void lock(const struct softgpu_device *device, struct softgpu_tlb *tlb)
{
    while (atomic_exchange_explicit(&tlb->lock, 1, memory_order_acquire) != 0)
        softgpu_yield(device);
}

static void unlock(struct softgpu_tlb *tlb)
{
    atomic_store_explicit(&tlb->lock, 0, memory_order_release);
}

static uint32_t place_of(const struct softgpu_root *root, uint64_t first, uint32_t shift)
{
    uint64_t hash = (first >> shift) * UINT64_C(0x9e3779b97f4a7c15);

    hash ^= (root->address >> 12) * UINT64_C(0xc2b2ae3d27d4eb4f) + root->segment + shift;
    return (uint32_t)(hash >> 32 ^ hash) & (LINES - 1);
}

static bool is_of(const struct softgpu_line *line, const struct softgpu_root *root)
{
    return line->used && line->root_segment == root->segment && line->root_address == root->address;
}

static uint64_t line_bytes(uint32_t shift)
{
    return (uint64_t)LINE_ENTRIES << shift;
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* Bits of an address below the index of a level. */
static uint32_t shift_of(const struct softgpu_mmu *mmu, uint32_t level)
{
    uint32_t shift = SOFTGPU_PAGE_SHIFT;

    for (uint32_t i = 0; i < level; i++)
        shift += mmu->index_bits[i];
    return shift;
}

static bool ends_walk(uint64_t entry, uint32_t level)
{
    return level == 0 || (entry & (SOFTGPU_PTE_LARGE | SOFTGPU_PTE_ZERO)) != 0;
}

static bool is_written(uint64_t entry)
{
    return entry >> SOFTGPU_PTE_MARK_SHIFT == SOFTGPU_PTE_MARK;
}

/* ---- reading tables -------------------------------------------------------------------------- */

/* Read words of a table; the CPU may write some of them meanwhile. False: where it should be is no
 * memory, or no word begins there. */
static bool read_words(struct softgpu_device *device, uint32_t segment, uint64_t address,
                       uint64_t *words, uint32_t count)
{
    const struct vidmm_bus *bus = device->bus;
    uint64_t size = count * sizeof(*words);
    const struct softgpu_window *window;
    void *at;

    if (segment == 0) {
        if (device->config.mmu.cached_tables && bus->snoop != NULL)
            bus->snoop(bus->context, address, size);
        at = bus->memory(bus->context, address, size);
    } else {
        if (segment > device->config.segment_count)
            return false;
        window = &device->windows[segment - 1];
        if (window->kind != SOFTGPU_SEGMENT_MEMORY || address > window->size ||
            size > window->size - address)
            return false;
        at = window->memory + address;
    }
    if (at == NULL || (uintptr_t)at % sizeof(*words) != 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        words[i] = atomic_load_explicit((_Atomic uint64_t *)at + i, memory_order_acquire);
    return true;
}

/* ---- a walk ---------------------------------------------------------------------------------- */

/* A walk that has come to a table. */
struct descent {
    struct softgpu_engine *engine;
    const struct softgpu_root *root;
    uint64_t gpuva;
    uint32_t level;
    uint32_t shift;   /* of an entry of the table */
    uint32_t entries; /* of the table */
    uint32_t segment; /* where the table is */
    uint64_t address;
    bool wide; /* its entries are pairs: a table of 4 KiB pages, and one of 64 KiB pages */
};

static uint32_t index_of(const struct descent *at)
{
    return (uint32_t)(at->gpuva >> at->shift) & (at->entries - 1);
}

/* Read one entry; of a pair, the one asked for. */
static bool read_entry(const struct descent *at, bool of_64k, uint64_t *entry)
{
    uint64_t stride = at->wide ? 16 : 8;

    return read_words(at->engine->device, at->segment,
                      at->address + index_of(at) * stride + (of_64k ? 8 : 0), entry, 1);
}

static void enter(struct descent *at, uint64_t entry, bool of_64k)
{
    const struct softgpu_mmu *mmu = &at->engine->device->config.mmu;

    at->level--;
    at->segment = SOFTGPU_PTE_SEGMENT(entry);
    at->address = entry & SOFTGPU_PTE_PAGE;
    at->shift = of_64k ? 16 : shift_of(mmu, at->level);
    at->entries = 1u << (mmu->index_bits[at->level] - (of_64k ? 4 : 0));
    at->wide = at->level == 1 && mmu->pages_64k == SOFTGPU_64K_DUAL;
}

static bool fail(const struct descent *at, enum softgpu_page_fault why,
                 struct softgpu_translation *found)
{
    found->fault = why;
    found->level = at->level;
    return false;
}

/* Look whether the 64 KiB table of a pair has a page for the address. */
static bool has_64k_page(const struct descent *at, uint64_t entry)
{
    struct descent below = *at;
    uint64_t leaf;

    enter(&below, entry, true);
    return read_entry(&below, false, &leaf) && is_written(leaf) && (leaf & SOFTGPU_PTE_VALID) != 0;
}

/* Go a level down, or say why not. */
static bool descend(struct descent *at, uint64_t entry, struct softgpu_translation *found)
{
    uint64_t large;

    if (at->wide) {
        if (!read_entry(at, true, &large))
            return fail(at, SOFTGPU_FAULT_NO_MEMORY, found);
        if (is_written(large) && (large & SOFTGPU_PTE_VALID) != 0 && has_64k_page(at, large)) {
            enter(at, large, true);
            return true;
        }
    }
    if (!is_written(entry))
        return fail(at, SOFTGPU_FAULT_NEVER_WRITTEN, found);
    if ((entry & SOFTGPU_PTE_VALID) == 0)
        return fail(at, SOFTGPU_FAULT_INVALID, found);
    enter(at, entry, at->level == 1 && (entry & SOFTGPU_PTE_TABLE_64K) != 0);
    return true;
}

/* Keep the entry that ends the walk, and its neighbours; `line` is filled. */
static bool fill_line(const struct descent *at, struct softgpu_line *line)
{
    uint64_t words[2 * LINE_ENTRIES];
    uint32_t step = at->wide ? 2 : 1;
    uint32_t first = index_of(at) & ~(LINE_ENTRIES - 1);

    if (!read_words(at->engine->device, at->segment, at->address + (uint64_t)first * 8 * step,
                    words, LINE_ENTRIES * step))
        return false;
    *line = (struct softgpu_line){.used = true,
                                  .root_segment = at->root->segment,
                                  .root_address = at->root->address,
                                  .shift = at->shift,
                                  .level = at->level,
                                  .first = at->gpuva & ~(line_bytes(at->shift) - 1)};
    for (uint32_t i = 0; i < LINE_ENTRIES; i++)
        line->entries[i] = words[i * step];
    return true;
}

/* From the root to what ends the walk. False: `found` says why. */
static bool walk_tables(struct softgpu_engine *engine, const struct softgpu_root *root,
                        uint64_t gpuva, struct softgpu_line *line,
                        struct softgpu_translation *found)
{
    const struct softgpu_mmu *mmu = &engine->device->config.mmu;
    struct descent at = {.engine = engine,
                         .root = root,
                         .gpuva = gpuva,
                         .level = mmu->levels - 1,
                         .shift = shift_of(mmu, mmu->levels - 1),
                         .segment = root->segment,
                         .address = root->address};
    uint64_t entry;

    at.wide = at.level == 1 && mmu->pages_64k == SOFTGPU_64K_DUAL;
    at.entries = 1u << 31;
    if (root->entries == 0)
        return fail(&at, SOFTGPU_FAULT_NO_ROOT, found);
    if (gpuva >> at.shift >= root->entries) /* obeys D-136 */
        return fail(&at, SOFTGPU_FAULT_OUTSIDE, found);
    for (;;) {
        if (!read_entry(&at, false, &entry))
            return fail(&at, SOFTGPU_FAULT_NO_MEMORY, found);
        if (is_written(entry) && (entry & SOFTGPU_PTE_VALID) != 0 && ends_walk(entry, at.level))
            break;
        if (at.level == 0)
            break; /* invalid: the line is kept, and the fault is found in it */
        if (!descend(&at, entry, found))
            return false;
    }
    return fill_line(&at, line) || fail(&at, SOFTGPU_FAULT_NO_MEMORY, found);
}

/* ---- translations that are kept -------------------------------------------------------------- */

static bool is_kept(const struct softgpu_mmu *mmu, const struct softgpu_line *line, uint64_t entry)
{
    if (!is_written(entry) || (entry & SOFTGPU_PTE_VALID) == 0)
        return mmu->invalid_cached && line->level == 0 &&
               !(line->shift == 16 && mmu->pages_64k == SOFTGPU_64K_DUAL); /* the other leaf may */
    return ends_walk(entry, line->level);
}

/* The line of an address, if its entry is kept. */
static bool look_up(struct softgpu_engine *engine, const struct softgpu_root *root, uint64_t gpuva,
                    struct softgpu_line *line)
{
    const struct softgpu_mmu *mmu = &engine->device->config.mmu;
    struct softgpu_tlb *tlb = engine->tlb;
    bool found = false;

    lock(engine->device, tlb);
    for (uint32_t i = 0; i <= mmu->levels && !found; i++) {
        uint32_t shift = i == mmu->levels ? 16 : shift_of(mmu, i);
        uint64_t first = gpuva & ~(line_bytes(shift) - 1);
        const struct softgpu_line *at = &tlb->lines[place_of(root, first, shift)];

        if (!is_of(at, root) || at->first != first || at->shift != shift)
            continue;
        found = is_kept(mmu, at, at->entries[(gpuva - first) >> shift]);
        if (found)
            *line = *at;
    }
    unlock(tlb);
    return found;
}

static void keep(struct softgpu_engine *engine, const struct softgpu_root *root,
                 const struct softgpu_line *line)
{
    lock(engine->device, engine->tlb);
    engine->tlb->lines[place_of(root, line->first, line->shift)] = *line;
    unlock(engine->tlb);
}

/* Hold an access against what the entry says. */
static bool judge(const struct softgpu_mmu *mmu, uint64_t entry, uint32_t access,
                  struct softgpu_translation *found)
{
    found->fault = SOFTGPU_FAULT_NONE;
    if (!is_written(entry))
        found->fault = SOFTGPU_FAULT_NEVER_WRITTEN;
    else if ((entry & SOFTGPU_PTE_VALID) == 0)
        found->fault = SOFTGPU_FAULT_INVALID;
    else if ((access & SOFTGPU_ACCESS_WRITE) != 0 && (entry & SOFTGPU_PTE_READ_ONLY) != 0)
        found->fault = SOFTGPU_FAULT_READ_ONLY;
    else if ((access & SOFTGPU_ACCESS_EXECUTE) != 0 && (entry & SOFTGPU_PTE_NO_EXECUTE) != 0)
        found->fault = SOFTGPU_FAULT_NO_EXECUTE;
    (void)mmu;
    return found->fault == SOFTGPU_FAULT_NONE;
}

bool softgpu_translate(struct softgpu_engine *engine, const struct softgpu_root *root,
                       uint64_t gpuva, uint32_t access, struct softgpu_translation *found)
{
    const struct softgpu_mmu *mmu = &engine->device->config.mmu;
    struct softgpu_line line;
    uint64_t entry, within;

    *found = (struct softgpu_translation){.fault = SOFTGPU_FAULT_NONE};
    if (!look_up(engine, root, gpuva, &line)) {
        if (!walk_tables(engine, root, gpuva, &line, found))
            return false;
        keep(engine, root, &line);
        SOFTGPU_COUNT(engine->device, table_walks, 1);
    }
    entry = line.entries[(gpuva - line.first) >> line.shift];
    found->level = line.level;
    if (!judge(mmu, entry, access, found))
        return false;
    within = gpuva & (((uint64_t)1 << line.shift) - 1);
    found->zero = (entry & SOFTGPU_PTE_ZERO) != 0;
    found->coherent = (entry & SOFTGPU_PTE_COHERENT) != 0;
    found->segment = SOFTGPU_PTE_SEGMENT(entry);
    found->adapter = SOFTGPU_PTE_ADAPTER(entry);
    found->address = (entry & SOFTGPU_PTE_PAGE) + within;
    found->bytes = ((uint64_t)1 << line.shift) - within;
    return true;
}

/* ---- forgetting ------------------------------------------------------------------------------ */

static void flush_all(struct softgpu_tlb *tlb, const struct softgpu_root *root, uint64_t start,
                      uint64_t end)
{
    for (uint32_t i = 0; i < LINES; i++) {
        struct softgpu_line *line = &tlb->lines[i];

        if (is_of(line, root) && line->first < end && line->first + line_bytes(line->shift) > start)
            line->used = false;
    }
}

/* Lines of one size that the range touches, each looked for in its place. */
static void flush_size(struct softgpu_tlb *tlb, const struct softgpu_root *root, uint32_t shift,
                       uint64_t start, uint64_t end)
{
    for (uint64_t at = start & ~(line_bytes(shift) - 1); at < end; at += line_bytes(shift)) {
        struct softgpu_line *line = &tlb->lines[place_of(root, at, shift)];

        if (is_of(line, root) && line->first == at && line->shift == shift)
            line->used = false;
    }
}

void softgpu_flush(struct softgpu_device *device, const struct softgpu_root *root, uint64_t start,
                   uint64_t end)
{
    const struct softgpu_mmu *mmu = &device->config.mmu;
    bool all = start == 0 && end == 0; /* obeys D-127 */

    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        struct softgpu_tlb *tlb = device->engines[i].tlb;

        lock(device, tlb);
        if (all || end - start > (uint64_t)LINES << SOFTGPU_PAGE_SHIFT) {
            flush_all(tlb, root, start, all ? UINT64_MAX : end);
        } else {
            for (uint32_t level = 0; level < mmu->levels; level++)
                flush_size(tlb, root, shift_of(mmu, level), start, end);
            flush_size(tlb, root, 16, start, end);
        }
        unlock(tlb);
    }
}

void softgpu_forget_translations(struct softgpu_device *device)
{
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++) {
        struct softgpu_tlb *tlb = device->engines[i].tlb;

        if (tlb == NULL)
            continue;
        lock(device, tlb);
        memset(tlb->lines, 0, sizeof(tlb->lines));
        unlock(tlb);
    }
}
