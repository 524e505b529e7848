/* page_table.h: the page tables of an address space: which there are, and what is written to them.
 *
 *      root (level 2)         level 1                leaf (level 0)
 *      +---------+         +---------+            +---------+
 *      |    0    |    .--->| invalid |       .--->|  page   |---> 4 KiB of an allocation
 *      |  table  |----'    |  table  |-------'    |  page   |
 *      | invalid |         |  zero   |            |  zero   |---> reads 0
 *      +---------+         +---------+            +---------+
 *
 * An entry says the same of all addresses below it, or leads to a table. A table that would say the
 * same of all of them is not there: its parent's entry says it. So the tables that exist are those
 * that mapped addresses need, and what is reserved takes none, however large it is.
 *
 *   vidmm_page_tables_prepare()   takes the records that a change may need, and changes nothing
 *   vidmm_page_tables_set()       what addresses are from now on: tables appear and leave, and
 *                                 entries become dirty; it cannot fail
 *   vidmm_page_tables_next()      the next record for DxgkDdiBuildPagingBuffer: dirty entries of
 *                                 one table that go together. Leaves come before what leads to
 *                                 them (W-012)
 *   vidmm_page_tables_flush()     once no record is left: which translations the GPU must forget
 *   vidmm_page_tables_left()      a table that nothing leads to any more; when all records up to
 *                                 the flush have been executed, its memory may go
 *
 * This module does not know the place of a table: `memory` of a table is the caller's. A table that
 * has just appeared is cleared by its first record, whole, with one invalid entry (D-120, W-009).
 *
 * Pages are of 4 KiB, of 64 KiB, or large: as large as all that a leaf translates.
 *
 *      level 1                            leaf of 4 KiB      leaf of 64 KiB, a sixteenth as many
 *      +----------------+                 +--------+         +--------+
 *      | table, of 4 K  |---------------->|  page  |    .--->|  page  |
 *      | table, of 64 K |--------------.  |  page  |    |    | invalid|
 *      | large page     |---> 2 MiB    |  |  ...   |    |    +--------+
 *      +----------------+              |  +--------+    |
 *                                      '----------------'
 *
 * With DualPteSupported (`pairs`) an entry of level 1 leads to both leaves at once, if it has to,
 * and of the two entries that are for the same 64 KiB one is invalid (D-124):
 *
 *      level 1            leaf of 4 KiB      |  page  |  page  | 16 invalid |  page  | ...
 *      | table, table |--<
 *                         leaf of 64 KiB     | invalid         |    page    | invalid
 *
 * The caller who sets pages says how large they may be, from how their memory lies; a page is as
 * large as that allows, and, without pairs, the other pages of its leaf. Without them anything
 * smaller makes a leaf one of 4 KiB,
 * which it stays as long as it is there (D-125), and a large page that is cut becomes a leaf. It is
 * a table that appears: it is written, then the entry leads to it, and at no time do the pages that
 * stay fail to be translated. The records for this are kept from the mapping on, so a mapping
 * can always move to memory that lies worse.
 *
 * The root of two levels may be resized. It is a root that appears; contexts use the old one until
 * they are told of it, or of one that was made after it:
 *
 *   vidmm_page_tables_resize()    a root of more or fewer entries, to be written in full
 *   vidmm_page_tables_root_set()  no context uses an old one any more: it leaves (D-265)
 *
 * Ownership: the tables own their records, made of the memory they were given. One caller at a
 * time.
 *
 * Source: "GPU virtual address", DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC,
 * DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE, DXGK_BUILDPAGINGBUFFER_FLUSHTLB.
 */
#ifndef VIDMM_ENGINE_ADDRESS_PAGE_TABLE_H
#define VIDMM_ENGINE_ADDRESS_PAGE_TABLE_H

#include "vidmm/engine/address/address_space.h"

#define VIDMM_PAGE_TABLE_LEVELS 6u /* DXGK_MAX_PAGE_TABLE_LEVEL_COUNT */

/* A page of 64 KiB is so many of 4 KiB. */
#define VIDMM_WIDE_SHIFT 4u

/* Every physical adapter of a link, a bit each. */
#define VIDMM_EVERY_ADAPTER 0xffu

/* How large a page may be, by the memory that it leads to. */
enum vidmm_page_size {
    VIDMM_PAGE_4K,
    VIDMM_PAGE_64K,   /* its memory begins on 64 KiB, and goes on for as many */
    VIDMM_PAGE_LARGE, /* the same of all that a leaf translates; it could be of 64 KiB too */
};

/* How the GPU translates. */
struct vidmm_page_table_format {
    uint32_t levels;                              /* 2 to VIDMM_PAGE_TABLE_LEVELS; 0 is the leaf */
    uint32_t index_bits[VIDMM_PAGE_TABLE_LEVELS]; /* from the leaf up, 1 to 20 */
    uint32_t root_entries;      /* of the highest level: 1 to 2^20; index_bits of it is not used */
    bool zero_entries;          /* ZeroInPteSupported: an entry of any level may say zero */
    bool invalid_not_cached;    /* InvalidTlbEntriesNotCached (D-128) */
    bool explicit_invalidation; /* ExplicitPageTableInvalidation (D-133) */
    bool wide_pages;            /* there are leaves of 64 KiB pages, instead of one of 4 KiB */
    bool pairs;                 /* ... and beside one: DualPteSupported */
    bool large_pages;           /* LargePageSupported; at level 1 alone */
    uint32_t backed_levels;     /* bit n: the records of level n come from `backed` */
    /* Memory for the records of tables in system memory, whose owner puts a page aside for each.
     * Used only for the levels named, and borrowed. */
    const struct vidmm_memory *backed;
};

/* The kinds of entries. */
enum vidmm_entry {
    VIDMM_ENTRY_INVALID,
    VIDMM_ENTRY_ZERO,  /* all addresses below it read 0 */
    VIDMM_ENTRY_PAGES, /* a page of an allocation; of level 1: a large one */
    VIDMM_ENTRY_TABLE, /* above a leaf: leads to a table */
};

/* The kind that says what addresses in that state mean. */
enum vidmm_entry vidmm_entry_of(enum vidmm_address_state state);

struct vidmm_page_table {
    struct vidmm_page_table *parent; /* NULL: the root, or a table that leaves */
    struct vidmm_page_table *next, *previous;
    uint64_t first; /* page of the address space */
    uint32_t level, index;
    uint32_t length;                 /* entries */
    uint32_t used;                   /* entries that are not invalid */
    uint32_t zeroes;                 /* entries that say zero */
    uint32_t dirty_first, dirty_end; /* entries to be written; equal: none */
    bool fresh;                      /* its memory has not been cleared yet */
    bool early;                      /* of level 1: what is dirty was written early (A25) */
    bool cleared;                    /* it has, and what is dirty is not written yet */
    bool leaving;
    enum vidmm_entry leaves_as;            /* a leaf that leaves: what its addresses say now */
    struct vidmm_page_table *reached_next; /* of the leaves that the GPU may still find */
    bool wide;                             /* a leaf of 64 KiB pages: PageTablePageSize (D-126) */
    bool owes;                             /* ... for which a spare leaf is kept (A13) */
    bool paired;                           /* of level 1: an entry may lead to two leaves (A34) */
    bool led_to;                           /* a record has told of the entry that leads to it */
    uint8_t adapters; /* of a link: those for which what is dirty has changed, a bit each */
    uint64_t note;    /* the caller's, as `memory` is */
    uint32_t memory;  /* the caller's; 0: vidmm_page_table_house() */
    const struct vidmm_memory *from;         /* which the record came from */
    union vidmm_page_table_entries *entries; /* behind the record */
};

/* A queue of tables. */
struct vidmm_page_table_list {
    struct vidmm_page_table *first, *last;
    struct vidmm_page_table *known;    /* the last that the GPU knows (A33); NULL: it knows none */
    struct vidmm_page_table *homeless; /* where the next without memory is looked for (A32) */
};

struct vidmm_page_tables {
    struct vidmm_page_table_format format;
    const struct vidmm_memory *memory;
    struct vidmm_page_table *root;
    struct vidmm_page_table *old_root; /* resized, and contexts may use it: the newest; the oldest
                                        * is the last by `next`. NULL: there is none */
    bool narrowed;                     /* what stays is said by smaller pages: nothing runs until
                                        * it is written (D-125); the caller's to clear */
    bool piecemeal;                    /* between set_begin and set_end: A9 does not hold */
    bool arrives;                      /* what says pages, and is set or touched now, is invalid to
                                        * the GPU: its allocation was not there; the caller's */
    uint8_t concerned;                 /* of a link: the adapters that changes are for, a bit each;
                                        * the caller's, VIDMM_EVERY_ADAPTER from the beginning on */
    uint64_t owed;                     /* spare leaves that large and wide pages keep (A13) */
    struct vidmm_page_table *spare[VIDMM_PAGE_TABLE_LEVELS];
    uint64_t spares[VIDMM_PAGE_TABLE_LEVELS], count[VIDMM_PAGE_TABLE_LEVELS];
    uint64_t homeless[VIDMM_PAGE_TABLE_LEVELS]; /* of those counted, without memory (A24) */
    struct vidmm_page_table_list dirty[VIDMM_PAGE_TABLE_LEVELS], left;
    struct vidmm_page_table *reached; /* leaves that leave, and to which written entries lead */
    uint64_t flush_start, flush_end;  /* pages; equal: none */
};

/* One record: entries of one table that are written together. */
struct vidmm_page_table_update {
    struct vidmm_page_table *table;
    uint32_t first, count; /* StartIndex, NumPageTableEntries */
    bool repeat;           /* one entry is written `count` times */
    bool initial;          /* InitialUpdate: the table is cleared */
    bool early;            /* TABLE: an entry that leads to a fresh table is told as invalid */
    uint8_t adapters;      /* of a link: those for which the table has changed, a bit each */
    /* TABLE: vidmm_page_table_entry() tells of each entry what it says, vidmm_page_table_second()
     * the rest of a pair; of a large page, vidmm_page_table_address() tells which */
    enum vidmm_entry kind;
    uint64_t address;                     /* the first address that the first entry translates:
                            * FirstPteVirtualAddress */
    struct vidmm_address_meaning meaning; /* PAGES, and ZERO of a leaf: of the first entry */
};

/* Begin with a root in which all is invalid, and which is to be cleared. `memory` is borrowed.
 * STATUS_INVALID_PARAMETER: a format that is none, or that reaches beyond 2^VIDMM_ADDRESS_BITS
 * bytes; STATUS_NO_MEMORY. After either there is nothing to finish. */
NTSTATUS vidmm_page_tables_init(struct vidmm_page_tables *tables,
                                const struct vidmm_page_table_format *format,
                                const struct vidmm_memory *memory);
/* Give all memory back. */
void vidmm_page_tables_finish(struct vidmm_page_tables *tables);

/* Address behind the last that the tables translate. */
uint64_t vidmm_page_tables_end(const struct vidmm_page_tables *tables);

/* Take the records that making [start, end) `kind`, which is not TABLE, may need; a root that ends
 * before will have grown by then. `most`: how large PAGES may be; of other kinds VIDMM_PAGE_4K.
 * STATUS_NO_MEMORY: the records taken serve the next
 * call. */
NTSTATUS vidmm_page_tables_prepare(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                                   enum vidmm_entry kind, enum vidmm_page_size most);
/* Addresses [start, end) are `kind` from now on. It was prepared, after the last one was set; or
 * all of them are PAGES already, and lie elsewhere now. Then pages may become smaller, and become
 * larger if there happen to be the records for it. */
void vidmm_page_tables_set(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                           enum vidmm_entry kind, enum vidmm_page_size most);
/* Several are set, of what was prepared as one, [start, end) as PAGES. A table that the first of
 * them empties may be needed by the next: tables leave at the end. */
void vidmm_page_tables_set_begin(struct vidmm_page_tables *tables);
void vidmm_page_tables_set_end(struct vidmm_page_tables *tables, uint64_t start, uint64_t end);
/* Pages of [start, end) that are mapped lie elsewhere now, and may be as large as they are. */
void vidmm_page_tables_touch(struct vidmm_page_tables *tables, uint64_t start, uint64_t end);
/* The table lies elsewhere now: the entry that leads to it is written again. Nothing leads to the
 * root. */
void vidmm_page_table_moved(struct vidmm_page_tables *tables, struct vidmm_page_table *table);

/* Note the memory of a table that has none. */
void vidmm_page_table_house(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                            uint32_t memory);

/* A record that vidmm_page_tables_next() has made is not built: all that it says is due again. */
void vidmm_page_tables_take_back(struct vidmm_page_tables *tables,
                                 const struct vidmm_page_table_update *update);
/* Take the memory of all tables below the root, of the levels whose bits are set; nothing is dirty,
 * or led to by what has left. All of them are fresh, and the root is to be written in full: until
 * that is done, its entries are to be invalid (the caller's record). `take` receives each.
 *
 * `take` NULL: the memory stays, and has lost its bytes; the root is one of them, and something may
 * be dirty. */
void vidmm_page_tables_unhouse(struct vidmm_page_tables *tables, uint32_t levels,
                               void (*take)(void *context, uint32_t memory), void *context);

/* Give the root, of two levels, so many entries. None that is cut off is used. STATUS_NO_MEMORY:
 * nothing has changed. */
NTSTATUS vidmm_page_tables_resize(struct vidmm_page_tables *tables, uint32_t entries);
/* All contexts have another root. Take the record of the newest old one, by which all of it is
 * invalid. False: the driver does not want that, or it was taken. */
bool vidmm_page_tables_next_of_old(struct vidmm_page_tables *tables,
                                   struct vidmm_page_table_update *update);
/* The GPU has forgotten the newest old root: it leaves. */
void vidmm_page_tables_root_set(struct vidmm_page_tables *tables);

/* Take the next record. `space` says what the pages mean. False: nothing is dirty. */
bool vidmm_page_tables_next(struct vidmm_page_tables *tables,
                            const struct vidmm_address_space *space,
                            struct vidmm_page_table_update *update);
/* The table that the next record is of; NULL: nothing is dirty. */
struct vidmm_page_table *vidmm_page_tables_first(struct vidmm_page_tables *tables);
/* A dirty table that has no memory, and is to have some; NULL: there is none. */
struct vidmm_page_table *vidmm_page_tables_homeless(struct vidmm_page_tables *tables);
/* Take the next record of a leaf that has been written before, or of one that has left and is still
 * led to; or of a table of level 1, where large pages are. It may come before the others: the GPU
 * knows these, and must not find there what is no longer so. False: there is none. */
bool vidmm_page_tables_next_known(struct vidmm_page_tables *tables,
                                  const struct vidmm_address_space *space,
                                  struct vidmm_page_table_update *update);
/* Take the addresses [start, end) that the GPU must forget, once nothing is dirty. False: none. */
bool vidmm_page_tables_flush(struct vidmm_page_tables *tables, uint64_t *start, uint64_t *end);
/* Tell those addresses and do not take them: there will be another flush. */
static inline bool vidmm_page_tables_to_forget(const struct vidmm_page_tables *tables,
                                               uint64_t *start, uint64_t *end)
{
    *start = tables->flush_start << VIDMM_PAGE_SHIFT;
    *end = tables->flush_end << VIDMM_PAGE_SHIFT;
    return *start != *end;
}
/* Take a table that has left; it is given back by vidmm_page_table_free(). NULL: there is none. */
struct vidmm_page_table *vidmm_page_tables_left(struct vidmm_page_tables *tables);
void vidmm_page_table_free(struct vidmm_page_table *table);

/* Entries of the table. */
uint32_t vidmm_page_table_entries(const struct vidmm_page_tables *tables,
                                  const struct vidmm_page_table *table);
/* The first address that an entry translates. */
uint64_t vidmm_page_table_address(const struct vidmm_page_tables *tables,
                                  const struct vidmm_page_table *table, uint32_t index);
/* The kind of an entry, and the table that it leads to; else `child` is NULL. */
enum vidmm_entry vidmm_page_table_entry(const struct vidmm_page_table *table, uint32_t index,
                                        struct vidmm_page_table **child);
/* The leaf of 64 KiB that an entry leads to besides one of 4 KiB, which is its child; NULL: there
 * is none. */
struct vidmm_page_table *vidmm_page_table_second(const struct vidmm_page_table *table,
                                                 uint32_t index);

/* Stop the program if an invariant of page_table.c does not hold. Visits every entry. */
void vidmm_page_tables_check(const struct vidmm_page_tables *tables);

#endif
