/* test_page_table.c: page tables beside a GPU that has nothing but what was written to them.
 *
 * Addresses of a space are mapped, made zero and freed at random. The records that follow are
 * carried out on tables of real entries, which hold rubbish before they are written; then each page
 * is translated from the root down, and means what the space says. Translations that were looked up
 * before stay in a TLB until a flush has them forgotten. The offset of a byte in its
 * allocation stands for its place: pages are as large as these offsets allow.
 */
#include "harness.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/address/page_table.h"

#define PAGE UINT64_C(4096)

enum {
    SPACE_PAGES = 4096,
    LOW_PAGE = 16,
    ALLOCATIONS = 4,
    ENTRIES = 512,
    ROUNDS = 160,
    MOST_TABLES = 1024
};

/* An entry as the GPU sees it. */
struct gpu_entry {
    enum vidmm_entry kind;
    bool written;
    struct gpu_table *table, *second; /* `second`: the leaf of 64 KiB of a pair */
    uint32_t allocation;
    uint64_t offset, driver_protection;
    uint32_t access;
};

struct gpu_table {
    struct vidmm_page_table *of; /* its `memory` is the place here, plus 1; NULL: nobody's */
    uint32_t shift;              /* pages below an entry are 2^shift */
    struct gpu_entry entries[ENTRIES];
};

static struct counted_memory memory;
static struct vidmm_address_space space;
static struct vidmm_address_link rings[ALLOCATIONS + 1];
static struct vidmm_page_tables tables;
static struct gpu_table *gpu_tables[MOST_TABLES];
static struct gpu_entry tlb[SPACE_PAGES];
static bool cached[SPACE_PAGES];
static const struct gpu_table *ways[SPACE_PAGES]; /* the leaf by which a page was looked up */
static struct gpu_table *gpu_root;                /* that contexts use */
static uint64_t random_state;
static unsigned records, flushes, large_pages, wide_tables, resizes, twice, pairs, in_second;
static unsigned taken_back; /* records */

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

/* ---- the GPU ---- */

static struct gpu_table *gpu_table_of(struct vidmm_page_table *table)
{
    uint32_t place = 0;

    if (table->memory != 0)
        return gpu_tables[table->memory - 1];
    while (gpu_tables[place])
        place++;
    assert_in_range(place, 0, MOST_TABLES - 1);
    gpu_tables[place] = calloc(1, sizeof(struct gpu_table));
    gpu_tables[place]->of = table;
    for (uint32_t level = 0; level < table->level; level++)
        gpu_tables[place]->shift += tables.format.index_bits[level];
    gpu_tables[place]->shift += table->wide ? VIDMM_WIDE_SHIFT : 0;
    wide_tables += table->wide;
    vidmm_page_table_house(&tables, table, place + 1);
    return gpu_tables[place];
}

static void gpu_free(const struct vidmm_page_table *table)
{
    struct gpu_table *gpu = table->memory ? gpu_tables[table->memory - 1] : NULL;
    uint32_t place, i;

    if (!gpu)
        return; /* it was never written */
    assert_ptr_not_equal(gpu, gpu_root);
    for (i = 0; tables.format.explicit_invalidation && i < ENTRIES; i++) /* D-133 */
        assert_int_equal(gpu->entries[i].kind, VIDMM_ENTRY_INVALID);
    for (i = 0; i < SPACE_PAGES; i++) /* the GPU remembers no way through it */
        assert_ptr_not_equal(ways[i], gpu);
    for (place = 0; place < MOST_TABLES; place++) /* nothing that stays leads to it any more */
        for (i = 0; gpu_tables[place] && !gpu_tables[place]->of->leaving && i < ENTRIES; i++)
            assert_false(gpu_tables[place]->entries[i].kind == VIDMM_ENTRY_TABLE &&
                         (gpu_tables[place]->entries[i].table == gpu ||
                          gpu_tables[place]->entries[i].second == gpu));
    gpu_tables[table->memory - 1] = NULL;
    free(gpu);
}

static void check_written(const struct gpu_table *gpu)
{
    for (uint32_t i = 0; i < vidmm_page_table_entries(&tables, gpu->of); i++)
        assert_true(gpu->entries[i].written);
}

/* The page, or the pages, that an entry is. */
static void write_pages(struct gpu_entry *entry, const struct gpu_table *gpu,
                        const struct vidmm_address_meaning *meaning)
{
    assert_int_equal(meaning->offset % (PAGE << gpu->shift), 0); /* its memory lies for it */
    entry->allocation = meaning->allocation;
    entry->offset = meaning->offset;
    entry->access = meaning->access;
    entry->driver_protection = meaning->driver_protection;
}

/* An entry of level 1 that is a large page. */
static void write_large_page(struct gpu_entry *entry, const struct gpu_table *gpu, uint64_t address)
{
    struct vidmm_address_range *range = vidmm_address_find(&space, address);
    struct vidmm_address_meaning meaning;

    large_pages++;
    assert_true(tables.format.large_pages && gpu->of->level == 1);
    assert_non_null(range);
    assert_true(vidmm_address_range_end(range) >= address + (PAGE << gpu->shift));
    meaning = vidmm_address_meaning_at(range, address);
    write_pages(entry, gpu, &meaning);
}

/* Carry a record out. */
static void write_record(const struct vidmm_page_table_update *update)
{
    struct gpu_table *gpu = gpu_table_of(update->table);

    records++;
    assert_true(update->count > 0);
    assert_in_range(update->first + update->count, 1,
                    vidmm_page_table_entries(&tables, update->table));
    assert_true(!update->initial ||
                (update->first == 0 && update->repeat && update->kind == VIDMM_ENTRY_INVALID));
    for (uint32_t i = 0; i < update->count; i++) {
        struct gpu_entry *entry = &gpu->entries[update->first + i];
        struct vidmm_page_table *child = NULL;

        assert_true(update->initial || entry->written); /* cleared before anything else (D-120) */
        *entry = (struct gpu_entry){.kind = update->kind, .written = true};
        if (update->kind == VIDMM_ENTRY_TABLE)
            entry->kind = vidmm_page_table_entry(update->table, update->first + i, &child);
        if (child) {
            entry->table = gpu_table_of(child);
            check_written(entry->table); /* leaves first (W-012) */
        }
        child = vidmm_page_table_second(update->table, update->first + i);
        if (update->kind == VIDMM_ENTRY_TABLE && child) {
            assert_false(entry->table->of->wide);
            pairs++;
            entry->second = gpu_table_of(child);
            check_written(entry->second);
        }
        if (update->kind == VIDMM_ENTRY_TABLE && entry->kind == VIDMM_ENTRY_PAGES)
            write_large_page(entry, gpu,
                             vidmm_page_table_address(&tables, update->table, update->first + i));
        if (update->kind == VIDMM_ENTRY_PAGES) {
            struct vidmm_address_meaning meaning = update->meaning;

            meaning.offset += i * (PAGE << gpu->shift);
            write_pages(entry, gpu, &meaning);
        } else if (update->kind == VIDMM_ENTRY_ZERO) {
            entry->access = update->meaning.access;
            entry->driver_protection = update->meaning.driver_protection;
        }
    }
}

/* Whether the leaf of 64 KiB of a pair translates the page. Then the other does not (D-124). */
static bool is_in_second(const struct gpu_entry *above, uint64_t page)
{
    const struct gpu_table *wide = above->second, *narrow = above->table;
    const struct gpu_entry *entry;

    if (!wide)
        return false;
    entry = &wide->entries[(page - wide->of->first) >> wide->shift];
    assert_true(entry->written);
    if (entry->kind == VIDMM_ENTRY_INVALID)
        return false;
    assert_int_equal(narrow->entries[page - narrow->of->first].kind, VIDMM_ENTRY_INVALID);
    in_second++;
    return true;
}

/* The entry that translates a page. `leaf`: receives the table that it is in, if not NULL. */
static struct gpu_entry translate(uint64_t page, const struct gpu_table **leaf)
{
    struct gpu_table *gpu = gpu_root;

    for (;;) {
        uint64_t index = (page - gpu->of->first) >> gpu->shift;
        struct gpu_entry entry = {.kind = VIDMM_ENTRY_INVALID, .written = true};

        if (index < vidmm_page_table_entries(&tables, gpu->of)) /* beyond the root: D-136 */
            entry = gpu->entries[index];
        assert_true(entry.written);
        if (leaf)
            *leaf = gpu;
        if (entry.kind == VIDMM_ENTRY_PAGES)
            entry.offset += (page & ((UINT64_C(1) << gpu->shift) - 1)) * PAGE;
        if (entry.kind != VIDMM_ENTRY_TABLE)
            return entry;
        gpu = is_in_second(&entry, page) ? entry.second : entry.table;
    }
}

static bool is_same(const struct gpu_entry *one, const struct gpu_entry *other)
{
    return one->kind == other->kind && one->allocation == other->allocation &&
           one->offset == other->offset && one->access == other->access;
}

/* Every page means to the GPU what it means to the space; the TLB's entries are not stale. */
static void check_pages(void)
{
    for (uint64_t page = 0; page < SPACE_PAGES; page++) {
        struct vidmm_address_range *range = vidmm_address_find(&space, page * PAGE);
        struct gpu_entry entry = translate(page, NULL);
        struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_FREE};

        if (range && vidmm_address_range_start(range) <= page * PAGE)
            meaning = vidmm_address_meaning_at(range, page * PAGE);
        if (meaning.state == VIDMM_ADDRESS_MAPPED) {
            assert_int_equal(entry.kind, VIDMM_ENTRY_PAGES);
            assert_int_equal(entry.allocation, meaning.allocation);
            assert_int_equal(entry.offset, meaning.offset);
            assert_int_equal(entry.access, meaning.access);
            assert_int_equal(entry.driver_protection, meaning.driver_protection);
        } else {
            assert_int_equal(entry.kind, meaning.state == VIDMM_ADDRESS_ZERO ? VIDMM_ENTRY_ZERO
                                                                             : VIDMM_ENTRY_INVALID);
        }
        if (cached[page])
            assert_true(is_same(&tlb[page], &entry));
    }
}

/* The GPU looks up what it likes, and keeps it. */
static void look_up(void)
{
    for (unsigned i = 0; i < 64; i++) {
        uint64_t page = random_below(SPACE_PAGES);

        tlb[page] = translate(page, &ways[page]);
        if (ways[page]->of->level > 0)
            ways[page] = NULL; /* the root is not forgotten by a flush */
        cached[page] = tlb[page].kind != VIDMM_ENTRY_INVALID || !tables.format.invalid_not_cached;
    }
}

/* ---- the manager's side ---- */

/* Write a few records of what is dirty; more becomes dirty before the rest is written. The last one
 * may come to nothing, as if the GPU were reset then: it has not been written. */
static void write_some(void)
{
    struct vidmm_page_table_update update;

    for (unsigned i = random_below(6); i > 0 && vidmm_page_tables_next(&tables, &space, &update);
         i--)
        if (i == 1 && !update.table->leaving && random_below(3) == 0) {
            vidmm_page_tables_take_back(&tables, &update);
            taken_back++;
        } else {
            write_record(&update);
        }
    vidmm_page_tables_check(&tables);
}

/* Write what is dirty, have the TLB forget, give back what has left. */
static void write_all(void)
{
    struct vidmm_page_table_update update;
    struct vidmm_page_table *table;
    uint64_t start, end;
    uint32_t level = 0;

    while (vidmm_page_tables_next(&tables, &space, &update)) {
        assert_true(update.table->level >= level);
        level = update.table->level;
        write_record(&update);
    }
    vidmm_page_tables_check(&tables);
    if (vidmm_page_tables_flush(&tables, &start, &end)) {
        flushes++;
        memset(cached + start / PAGE, 0, (size_t)((end - start) / PAGE));
        memset(ways + start / PAGE, 0, (size_t)((end - start) / PAGE) * sizeof ways[0]);
    }
    gpu_root = gpu_table_of(tables.root); /* SetRootPageTable */
    while (tables.old_root) {
        assert_null(vidmm_page_tables_left(&tables)); /* D-265 */
        resizes++;
        twice += tables.old_root->next ? 1 : 0;
        while (vidmm_page_tables_next_of_old(&tables, &update)) {
            assert_ptr_equal(update.table, tables.old_root);
            write_record(&update);
        }
        vidmm_page_tables_root_set(&tables);
    }
    while ((table = vidmm_page_tables_left(&tables)) != NULL) {
        gpu_free(table);
        vidmm_page_table_free(table);
    }
}

static enum vidmm_entry entry_of(enum vidmm_address_state state)
{
    return state == VIDMM_ADDRESS_MAPPED ? VIDMM_ENTRY_PAGES
           : state == VIDMM_ADDRESS_ZERO ? VIDMM_ENTRY_ZERO
                                         : VIDMM_ENTRY_INVALID;
}

/* How large pages may be, by how addresses lie to the memory. */
static enum vidmm_page_size most_of(const struct vidmm_address_meaning *meaning, uint64_t start)
{
    uint64_t apart = start - meaning->offset;

    if (meaning->state != VIDMM_ADDRESS_MAPPED || apart % (PAGE << VIDMM_WIDE_SHIFT) != 0)
        return VIDMM_PAGE_4K;
    return apart % (PAGE << tables.format.index_bits[0]) != 0 ? VIDMM_PAGE_64K : VIDMM_PAGE_LARGE;
}

/* A root of two levels grows for addresses that it does not reach. */
static void make_room_in_root(uint64_t end)
{
    uint64_t below = PAGE << tables.format.index_bits[0];

    if (end <= vidmm_page_tables_end(&tables))
        return;
    if (tables.old_root && random_below(2) == 0)
        write_all();
    assert_int_equal(vidmm_page_tables_resize(&tables, (uint32_t)((end + below - 1) / below)),
                     STATUS_SUCCESS);
}

/* ... and shrinks to what it needs. */
static void shrink_root(void)
{
    struct vidmm_page_table *child;
    uint32_t entries = tables.format.root_entries;

    if (tables.format.levels != 2)
        return;
    while (entries > 1 &&
           vidmm_page_table_entry(tables.root, entries - 1, &child) == VIDMM_ENTRY_INVALID)
        entries--;
    assert_int_equal(vidmm_page_tables_resize(&tables, entries), STATUS_SUCCESS);
}

/* An allocation has moved: its memory lies better or worse. No record is needed for that. */
static void move_something(void)
{
    uint64_t at = random_below(SPACE_PAGES) * PAGE;
    struct vidmm_address_range *range = vidmm_address_find(&space, at);
    struct vidmm_address_meaning meaning;
    uint64_t start;

    if (!range || range->state != VIDMM_ADDRESS_MAPPED)
        return;
    start = vidmm_address_range_start(range);
    meaning = vidmm_address_meaning_at(range, start);
    counted_memory_fail_at(&memory, 1);
    vidmm_page_tables_set(&tables, start, vidmm_address_range_end(range), VIDMM_ENTRY_PAGES,
                          random_below(2) ? VIDMM_PAGE_4K : most_of(&meaning, start));
    counted_memory_fail_at(&memory, 0);
    vidmm_page_tables_check(&tables);
}

/* Make a change that was decided, in the space and in the tables. */
static void make_change(const struct vidmm_address_edit *edit)
{
    struct vidmm_address_change change;

    for (uint64_t at = edit->start; vidmm_address_next_change(&space, edit, at, &change);
         at = change.end) {
        enum vidmm_entry kind = entry_of(change.is.state);
        enum vidmm_page_size most = most_of(&change.is, change.start);

        make_room_in_root(change.end);
        assert_int_equal(vidmm_page_tables_prepare(&tables, change.start, change.end, kind, most),
                         STATUS_SUCCESS);
        vidmm_page_tables_set(&tables, change.start, change.end, kind, most);
    }
    vidmm_address_apply(&space, edit);
    vidmm_page_tables_check(&tables);
}

static struct vidmm_address_meaning random_meaning(bool reserve)
{
    struct vidmm_address_meaning meaning = {.state = random_below(2) ? VIDMM_ADDRESS_ZERO
                                                                     : VIDMM_ADDRESS_NO_ACCESS};

    if (reserve || random_below(3) == 0)
        return meaning;
    meaning.state = VIDMM_ADDRESS_MAPPED;
    meaning.allocation = 1 + random_below(ALLOCATIONS);
    meaning.access = random_below(4);
    meaning.driver_protection = random_below(2);
    meaning.offset = random_below(64) * PAGE;
    if (random_below(2)) /* as its address, or nearly so */
        meaning.offset = random_below(random_below(2) ? 8 : 64) * (PAGE << VIDMM_WIDE_SHIFT);
    meaning.ring = &rings[meaning.allocation];
    return meaning;
}

/* A range that is there, or a part of it, or it and what follows. */
static void choose_range(uint64_t *base, uint64_t *size)
{
    struct vidmm_address_range *range =
        vidmm_address_find(&space, random_below(SPACE_PAGES) * PAGE);

    if (!range || random_below(4) == 0)
        return;
    *base = vidmm_address_range_start(range);
    *size = vidmm_address_range_end(range) - *base;
    if (random_below(2) && *size > PAGE) {
        uint64_t cut = random_below((unsigned)(*size / PAGE)) * PAGE;

        *base += random_below(2) ? cut : 0;
        *size -= cut;
    }
}

static void change_something(void)
{
    uint64_t size = (1 + random_below(random_below(4) ? 40 : 900)) * PAGE;
    uint64_t base = random_below(SPACE_PAGES) * PAGE;
    bool reserve = random_below(3) == 0;
    struct vidmm_address_meaning meaning = random_meaning(reserve);
    struct vidmm_address_wish wish = {.size = size, .base = random_below(2) ? base : 0};
    struct vidmm_address_edit edit;
    NTSTATUS status;

    switch (random_below(5)) {
    case 0:
    case 1:
        if (reserve) {
            wish.size = (size + 0xffff) & ~UINT64_C(0xffff);
            wish.base &= ~UINT64_C(0xffff);
            status = vidmm_address_decide_reserve(&space, &wish, &meaning, &edit);
        } else {
            status = vidmm_address_decide_map(&space, &wish, &meaning, &edit);
        }
        break;
    case 2:
        choose_range(&base, &size);
        status = vidmm_address_decide_update(&space, base, size, &meaning, 0, &edit);
        break;
    case 3:
        status =
            vidmm_address_decide_copy(&space, base, size, random_below(SPACE_PAGES) * PAGE, &edit);
        break;
    default:
        choose_range(&base, &size);
        status = vidmm_address_decide_free(&space, base, size, &edit);
        break;
    }
    if (status == STATUS_SUCCESS)
        make_change(&edit);
}

static void play(const struct vidmm_page_table_format *format, uint64_t seed)
{
    unsigned round;

    random_state = seed;
    counted_memory_init(&memory);
    vidmm_address_space_init(&space, LOW_PAGE * PAGE, SPACE_PAGES * PAGE, &memory.table);
    for (unsigned i = 0; i <= ALLOCATIONS; i++)
        vidmm_address_ring_init(&rings[i]);
    assert_int_equal(vidmm_page_tables_init(&tables, format, &memory.table), STATUS_SUCCESS);
    assert_int_equal(vidmm_page_tables_end(&tables), SPACE_PAGES * PAGE);
    gpu_root = NULL;
    memset(cached, 0, sizeof cached);
    memset(ways, 0, sizeof ways);
    write_all();
    for (round = 0; round < ROUNDS; round++) {
        change_something();
        if (random_below(4) == 0)
            move_something();
        if (random_below(16) == 0)
            shrink_root();
        if (random_below(3) == 0)
            write_some();
        if (random_below(3) == 0) {
            write_all();
            check_pages();
            look_up();
        }
    }
    write_all();
    vidmm_page_tables_finish(&tables);
    vidmm_address_space_finish(&space);
    for (unsigned i = 0; i < MOST_TABLES; i++) {
        free(gpu_tables[i]);
        gpu_tables[i] = NULL;
    }
    gpu_root = NULL;
    counted_memory_finish(&memory);
}

static void the_gpu_translates_what_the_space_says(void **state)
{
    static const struct vidmm_page_table_format formats[] = {
        {.levels = 2, .index_bits = {6}, .root_entries = 64},
        {.levels = 3, .index_bits = {4, 4}, .root_entries = 16},
        {.levels = 4, .index_bits = {4, 3, 3}, .root_entries = 4},
        {.levels = 6, .index_bits = {2, 2, 2, 2, 2}, .root_entries = 4},
        {.levels = 2, .index_bits = {9}, .root_entries = 8},
    };

    (void)state;
    for (unsigned kind = 0; kind < 64; kind++)
        for (size_t i = kind % 3; i < sizeof formats / sizeof formats[0]; i += kind < 8 ? 1 : 3) {
            struct vidmm_page_table_format format = formats[i];

            format.zero_entries = (kind & 1) != 0;
            format.invalid_not_cached = (kind & 2) != 0;
            format.explicit_invalidation = (kind & 4) != 0;
            format.wide_pages = (kind & 8) != 0 && format.index_bits[0] >= VIDMM_WIDE_SHIFT;
            format.large_pages = (kind & 16) != 0;
            format.pairs = (kind & 32) != 0 && format.wide_pages;
            if ((kind & 32) != 0 && !format.pairs)
                continue;
            play(&format, kind * 10 + i);
        }
    assert_true(records > 5000 && flushes > 500);
    assert_true(large_pages > 50 && wide_tables > 50 && resizes > 50 && twice > 5);
    assert_true(taken_back > 50);
    assert_true(pairs > 100 && in_second > 1000);
}

/* ---- how much is written, and how many tables there are ---- */

static const struct vidmm_page_table_format four_levels = {.levels = 4,
                                                           .index_bits = {9, 9, 9},
                                                           .root_entries = 512,
                                                           .zero_entries = true,
                                                           .invalid_not_cached = true};

static void begin(void)
{
    counted_memory_init(&memory);
    vidmm_address_space_init(&space, LOW_PAGE * PAGE, UINT64_C(1) << 48, &memory.table);
    for (unsigned i = 0; i <= ALLOCATIONS; i++)
        vidmm_address_ring_init(&rings[i]);
    assert_int_equal(vidmm_page_tables_init(&tables, &four_levels, &memory.table), STATUS_SUCCESS);
}

static void end(void)
{
    struct vidmm_page_table *table;

    while ((table = vidmm_page_tables_left(&tables)) != NULL)
        vidmm_page_table_free(table);
    vidmm_page_tables_finish(&tables);
    vidmm_address_space_finish(&space);
    counted_memory_finish(&memory);
}

static void decide_and_make(NTSTATUS status, const struct vidmm_address_edit *edit)
{
    assert_int_equal(status, STATUS_SUCCESS);
    make_change(edit);
}

static void map(uint64_t base, uint64_t size)
{
    struct vidmm_address_wish wish = {.size = size, .base = base};
    struct vidmm_address_meaning meaning = {
        .state = VIDMM_ADDRESS_MAPPED, .allocation = 1, .ring = &rings[1]};
    struct vidmm_address_edit edit;

    decide_and_make(vidmm_address_decide_map(&space, &wish, &meaning, &edit), &edit);
}

static void reserve(uint64_t base, uint64_t size)
{
    struct vidmm_address_wish wish = {.size = size, .base = base};
    struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_ZERO};
    struct vidmm_address_edit edit;

    decide_and_make(vidmm_address_decide_reserve(&space, &wish, &meaning, &edit), &edit);
}

static void release(uint64_t base, uint64_t size)
{
    struct vidmm_address_edit edit;

    decide_and_make(vidmm_address_decide_free(&space, base, size, &edit), &edit);
}

/* All records as text: "0:0x512! 0:16x16P 1:0x1T" clears a leaf, writes 16 pages of it from entry
 * 16 on, and an entry of the table above; Z and I are zeroes and invalid entries. "0w" is a leaf of
 * 64 KiB, and "1:0x1L" a large page. */
static char letter_of(const struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *child;

    if (update->initial)
        return '!';
    if (update->kind == VIDMM_ENTRY_TABLE &&
        vidmm_page_table_entry(update->table, update->first, &child) == VIDMM_ENTRY_PAGES)
        return 'L';
    return "IZPT"[update->kind];
}

static const char *written(void)
{
    static char text[300];
    struct vidmm_page_table_update update;
    size_t used = 0;

    text[0] = '\0';
    while (vidmm_page_tables_next(&tables, &space, &update))
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u%s:%ux%u%c", used ? " " : "",
                                 update.table->level, update.table->wide ? "w" : "", update.first,
                                 update.count, letter_of(&update));
    return text;
}

/* A GPU that keeps no invalid entries (D-128), and pages whose allocation was not there. */
static void what_was_invalid_to_the_gpu_is_not_flushed(void **state)
{
    uint64_t start, stop;

    (void)state;
    begin();
    map(0x10000, 0x10000);
    written();
    assert_true(tables.format.invalid_not_cached);
    tables.arrives = true;
    vidmm_page_tables_touch(&tables, 0x10000, 0x20000);
    map(0x10000, 0x10000);
    assert_false(vidmm_page_tables_flush(&tables, &start, &stop));
    tables.arrives = false;
    assert_string_equal(written(), "0:16x16P");
    map(0x10000, 0x10000);
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    end();
}

static void one_record_is_written_for_a_run(void **state)
{
    uint64_t start, stop;

    (void)state;
    begin();
    assert_string_equal(written(), "3:0x512!");
    map(0x10000, 0x10000);
    assert_string_equal(written(), "0:0x512! 0:16x16P 1:0x512! 1:0x1T 2:0x512! 2:0x1T 3:0x1T");
    assert_false(vidmm_page_tables_flush(&tables, &start, &stop)); /* D-128 */
    map(0x40000, 0x40000);
    assert_string_equal(written(), "0:64x64P");
    vidmm_page_tables_touch(&tables, 0x50000, 0x60000); /* it has moved */
    assert_string_equal(written(), "0:80x16P");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    assert_int_equal(start, 0x50000);
    assert_int_equal(stop, 0x60000);
    release(0x10000, 0x10000);
    assert_string_equal(written(), "0:16x16I");
    map(0x1ff000, 0x2000); /* over the end of a leaf */
    assert_string_equal(written(), "0:511x1P 0:0x512! 0:0x1P 1:1x1T");
    vidmm_page_table_moved(&tables, tables.root);
    assert_string_equal(written(), "");
    end();
}

static void a_table_is_cleared_once_and_what_changes_meanwhile_is_written(void **state)
{
    struct vidmm_page_table_update update;

    (void)state;
    begin();
    assert_string_equal(written(), "3:0x512!");
    map(0x10000, 0x10000);
    map(0x30000, 0x10000);
    assert_true(vidmm_page_tables_next(&tables, &space, &update));
    assert_true(update.initial);
    assert_true(vidmm_page_tables_next(&tables, &space, &update));
    assert_int_equal(update.first, 16);
    release(0x10000, 0x4000); /* written a moment ago */
    assert_string_equal(
        written(), "0:16x4I 0:20x12P 0:32x16I 0:48x16P 1:0x512! 1:0x1T 2:0x512! 2:0x1T 3:0x1T");
    release(0x14000, 0xc000);
    release(0x30000, 0x10000);
    assert_string_equal(written(), "3:0x1T"); /* all tables below have left */
    map(0x10000, 0x10000);
    map(0x30000, 0x10000);
    assert_string_equal(written(), "0:0x512! 0:16x16P 0:48x16P 1:0x512! 1:0x1T 2:0x512! 2:0x1T "
                                   "3:0x1T"); /* invalid entries between them are not written */
    end();
}

/* The record of a leaf that the GPU may find comes first, however many wait that it cannot find. */
static void what_the_gpu_knows_is_found_before_what_it_will_find(void **state)
{
    struct vidmm_page_table_update update;

    (void)state;
    begin();
    map(0x10000, 0x10000);
    written();
    map(0x40000000, PAGE);
    map(0x40200000, PAGE);
    assert_false(vidmm_page_tables_next_known(&tables, &space, &update)); /* none is cleared */
    map(0x30000, 0x10000);
    assert_true(vidmm_page_tables_next_known(&tables, &space, &update));
    assert_int_equal(update.first, 48);
    assert_int_equal(update.count, 16);
    assert_false(vidmm_page_tables_next_known(&tables, &space, &update));
    map(0x50000, 0x10000);
    assert_true(vidmm_page_tables_next(&tables, &space, &update));
    assert_int_equal(update.first, 80);
    assert_true(vidmm_page_tables_next(&tables, &space, &update));
    assert_true(update.initial); /* it is known from here on */
    vidmm_page_tables_check(&tables);
    assert_true(vidmm_page_tables_next_known(&tables, &space, &update));
    assert_int_equal(update.kind, VIDMM_ENTRY_PAGES);
    assert_false(vidmm_page_tables_next_known(&tables, &space, &update));
    assert_string_equal(written(), "0:0x512! 0:0x1P 1:0x512! 1:0x2T 2:1x1T");
    end();
}

/* A table above the leaves that the GPU knows is written early, at the addresses of its entries.
 * The TLB forgets those that it tells as invalid (D-128). */
static void a_large_page_is_told_early_where_it_is(void **state)
{
    struct vidmm_page_table_update update;
    uint64_t start, stop;

    (void)state;
    begin();
    tables.format.large_pages = true;
    tables.format.invalid_not_cached = false;
    map(0x400000, 0x200000);
    assert_string_equal(written(), "1:0x512! 1:2x1L 2:0x512! 2:0x1T 3:0x512! 3:0x1T");
    map(0x600000, 0x400000);
    vidmm_page_tables_flush(&tables, &start, &stop); /* what the entries were */
    assert_true(vidmm_page_tables_next_known(&tables, &space, &update));
    assert_true(update.early && update.kind == VIDMM_ENTRY_TABLE);
    assert_int_equal(update.table->level, 1);
    assert_int_equal(update.first, 3);
    assert_int_equal(update.count, 2);
    assert_true(update.address == 0x600000);
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    assert_true(start == 0x600000 && stop == 0xa00000);
    written();
    end();
}

/* Zeroes of a large page that are cut, by a leaf of either shape, are away until the leaf is
 * written: nothing runs meanwhile (D-132). Nothing has used what was invalid. */
static void nothing_runs_while_zeroes_of_a_large_page_are_cut(void **state)
{
    (void)state;
    for (unsigned pairs_too = 0; pairs_too < 2; pairs_too++) {
        begin();
        tables.format.large_pages = true;
        tables.format.wide_pages = tables.format.pairs = pairs_too != 0;
        written();
        reserve(0x400000, 0x200000);
        map(0x10000, 0x1000);
        written();
        assert_int_equal(tables.count[0], 1);
        assert_false(tables.narrowed);
        release(0x410000, 0x1000);
        assert_int_equal(tables.count[0], 2);
        assert_true(tables.narrowed);
        written();
        end();
    }
}

static void tables_are_there_as_long_as_they_are_needed(void **state)
{
    struct vidmm_page_table *table;

    (void)state;
    begin();
    reserve(UINT64_C(1) << 39, UINT64_C(1) << 39); /* 512 GiB of zeroes: an entry of the root */
    assert_int_equal(tables.count[2], 0);
    assert_string_equal(written(), "3:0x512! 3:1x1T");
    reserve(UINT64_C(1) << 30, (UINT64_C(1) << 30) + 0x10000); /* one of level 2, and 16 pages */
    assert_int_equal(tables.count[2], 1);
    assert_int_equal(tables.count[1], 1);
    assert_int_equal(tables.count[0], 1);
    assert_string_equal(written(), "0:0x512! 0:0x16Z 1:0x512! 1:0x1T 2:0x512! 2:1x2T 3:0x1T");
    release(UINT64_C(2) << 30, 0x10000);
    assert_int_equal(tables.count[0], 0);
    assert_int_equal(tables.count[1], 0);
    assert_int_equal(tables.count[2], 1);
    assert_string_equal(written(), "2:2x1T");
    table = vidmm_page_tables_left(&tables);
    assert_non_null(table);
    vidmm_page_table_free(table);
    table = vidmm_page_tables_left(&tables);
    assert_non_null(table);
    vidmm_page_table_free(table);
    assert_null(vidmm_page_tables_left(&tables));
    end();
}

static void pages_are_as_large_as_their_leaf_allows(void **state)
{
    uint64_t start, stop;

    (void)state;
    begin();
    tables.format.wide_pages = tables.format.large_pages = true;
    assert_string_equal(written(), "3:0x512!");
    map(0x400000, 0x400000); /* two large pages: the allocation is mapped from its start */
    assert_int_equal(tables.count[0], 0);
    assert_string_equal(written(), "1:0x512! 1:2x2L 2:0x512! 2:0x1T 3:0x1T");
    vidmm_page_tables_touch(&tables, 0x600000, 0x800000); /* it has moved */
    assert_string_equal(written(), "1:3x1L");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    assert_true(start == 0x600000 && stop == 0x800000);
    release(0x410000, 0x1000); /* the first is cut, and the pages that stay are not lost */
    assert_int_equal(tables.count[0], 1);
    assert_string_equal(written(), "0:0x512! 0:0x16P 0:17x495P 1:2x1T");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    assert_true(start == 0x400000 && stop == 0x600000);
    map(0x10000, 0x100000); /* a leaf of 64 KiB, which has 32 entries */
    assert_string_equal(written(), "0w:0x32! 0w:1x16P 1:0x1T");
    release(0x20000, 0x10000);
    assert_string_equal(written(), "0w:2x1I");
    release(0x30000, 0x1000); /* one of 4 KiB takes its place, beside large pages */
    assert_string_equal(written(), "0:0x512! 0:16x16P 0:49x223P 1:0x1T");
    release(0x31000, 0xf000);
    map(0x20000, 0x20000); /* and stays, though it could be of 64 KiB again (D-125) */
    assert_string_equal(written(), "0:32x32P");
    release(0x10000, 0x100000);
    map(0x10000, 0x100000); /* another leaf */
    assert_string_equal(written(), "0w:0x32! 0w:1x16P 1:0x1T");
    end();
}

/* DualPteSupported: neither leaf has to become the other. */
static void a_leaf_of_each_size_stands_below_one_entry(void **state)
{
    uint64_t start, stop;

    (void)state;
    begin();
    tables.format.wide_pages = tables.format.pairs = true;
    assert_string_equal(written(), "3:0x512!");
    map(0x10000, 0x20000);
    assert_string_equal(written(), "0w:0x32! 0w:1x2P 1:0x512! 1:0x1T 2:0x512! 2:0x1T 3:0x1T");
    map(0x31000, 0x1000); /* beside it, and the pages of 64 KiB stay */
    assert_string_equal(written(), "0:0x512! 0:49x1P 1:0x1T");
    assert_int_equal(tables.count[0], 2);
    assert_false(tables.narrowed);
    vidmm_page_tables_touch(&tables, 0x10000, 0x40000); /* each by the leaf that says it */
    assert_string_equal(written(), "0:49x1P 0w:1x2P");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    release(0x11000, 0x1000); /* a page of 64 KiB is cut, and no other */
    assert_true(tables.narrowed);
    tables.narrowed = false;
    assert_string_equal(written(), "0:16x1P 0:17x1I 0:18x14P 0w:1x1I");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    assert_true(start == 0x10000 && stop == 0x20000);
    release(0x10000, 0x1000);
    release(0x12000, 0xe000);
    assert_string_equal(written(), "0:16x16I");
    map(0x10000, 0x10000); /* it comes back (D-125 is for one leaf alone) */
    assert_string_equal(written(), "0w:1x1P");
    assert_true(vidmm_page_tables_flush(&tables, &start, &stop));
    vidmm_page_tables_set(&tables, 0x10000, 0x20000, VIDMM_ENTRY_PAGES, VIDMM_PAGE_4K);
    assert_string_equal(written(), "0w:1x1I 0:16x16P"); /* it has moved to smaller pages */
    assert_false(tables.narrowed);
    release(0x10000, 0x10000);
    release(0x31000, 0x1000);
    assert_int_equal(tables.count[0], 1);
    assert_string_equal(written(), "1:0x1T");
    release(0x20000, 0x10000);
    assert_int_equal(tables.count[0], 0);
    end();
}

static void a_root_is_resized_by_another_root(void **state)
{
    static const struct vidmm_page_table_format two_levels = {
        .levels = 2, .index_bits = {9}, .root_entries = 4, .invalid_not_cached = true};
    struct vidmm_page_table *old;

    (void)state;
    begin();
    vidmm_page_tables_finish(&tables);
    assert_int_equal(vidmm_page_tables_init(&tables, &two_levels, &memory.table), STATUS_SUCCESS);
    map(0x10000, 0x1000);
    assert_string_equal(written(), "0:0x512! 0:16x1P 1:0x4! 1:0x1T");
    old = tables.root;
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(vidmm_page_tables_resize(&tables, 100), STATUS_NO_MEMORY);
    assert_ptr_equal(tables.root, old);
    assert_int_equal(vidmm_page_tables_end(&tables), 0x800000);
    assert_int_equal(vidmm_page_tables_resize(&tables, 100), STATUS_SUCCESS);
    assert_int_equal(vidmm_page_tables_end(&tables), 100 * UINT64_C(0x200000));
    assert_string_equal(written(), "1:0x100! 1:0x100T");
    release(0x10000, 0x1000);
    assert_string_equal(written(), "1:0x1T");
    assert_null(vidmm_page_tables_left(&tables)); /* the old root leads to the leaf still */
    vidmm_page_tables_root_set(&tables);
    old = vidmm_page_tables_left(&tables);
    assert_int_equal(old->level, 0);
    vidmm_page_table_free(old);
    old = vidmm_page_tables_left(&tables);
    assert_int_equal(old->level, 1);
    vidmm_page_table_free(old);
    assert_null(vidmm_page_tables_left(&tables));
    end();
}

static void a_format_that_is_none_is_refused(void **state)
{
    static const struct vidmm_page_table_format none[] = {
        {.levels = 1, .root_entries = 512},
        {.levels = 7, .index_bits = {9, 9, 9, 9, 9}, .root_entries = 2},
        {.levels = 2, .index_bits = {0}, .root_entries = 2},
        {.levels = 2, .index_bits = {21}, .root_entries = 2},
        {.levels = 2, .index_bits = {3}, .root_entries = 2, .wide_pages = true},
        {.levels = 2, .index_bits = {9}, .root_entries = 2, .pairs = true},
        {.levels = 2, .index_bits = {9}, .root_entries = 0},
        {.levels = 2, .index_bits = {9}, .root_entries = (1u << 20) + 1},
        {.levels = 5, .index_bits = {9, 9, 9, 9}, .root_entries = 513},
    };
    static const struct vidmm_page_table_format most = {
        .levels = 5, .index_bits = {9, 9, 9, 9}, .root_entries = 512};

    (void)state;
    counted_memory_init(&memory);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(vidmm_page_tables_init(&tables, &none[i], &memory.table),
                         STATUS_INVALID_PARAMETER);
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(vidmm_page_tables_init(&tables, &most, &memory.table), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_page_tables_init(&tables, &most, &memory.table), STATUS_SUCCESS);
    assert_int_equal(vidmm_page_tables_end(&tables), UINT64_C(1) << 57);
    vidmm_page_tables_finish(&tables);
    counted_memory_finish(&memory);
}

static void without_memory_no_table_appears(void **state)
{
    (void)state;
    begin();
    counted_memory_fail_at(&memory, 2);
    assert_int_equal(
        vidmm_page_tables_prepare(&tables, 0x10000, 0x20000, VIDMM_ENTRY_PAGES, VIDMM_PAGE_4K),
        STATUS_NO_MEMORY);
    assert_int_equal(tables.count[0] + tables.count[1] + tables.count[2], 0);
    assert_string_equal(written(), "3:0x512!");
    map(0x10000, 0x10000);
    assert_int_equal(tables.count[0], 1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_invalid_to_the_gpu_is_not_flushed),
        cmocka_unit_test(one_record_is_written_for_a_run),
        cmocka_unit_test(a_table_is_cleared_once_and_what_changes_meanwhile_is_written),
        cmocka_unit_test(what_the_gpu_knows_is_found_before_what_it_will_find),
        cmocka_unit_test(a_large_page_is_told_early_where_it_is),
        cmocka_unit_test(nothing_runs_while_zeroes_of_a_large_page_are_cut),
        cmocka_unit_test(tables_are_there_as_long_as_they_are_needed),
        cmocka_unit_test(pages_are_as_large_as_their_leaf_allows),
        cmocka_unit_test(a_leaf_of_each_size_stands_below_one_entry),
        cmocka_unit_test(a_root_is_resized_by_another_root),
        cmocka_unit_test(a_format_that_is_none_is_refused),
        cmocka_unit_test(without_memory_no_table_appears),
        cmocka_unit_test(the_gpu_translates_what_the_space_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
