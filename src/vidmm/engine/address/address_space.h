/* address_space.h: the meaning of a process's GPU virtual addresses, on one physical adapter.
 *
 * Every address between the lowest and the end of the space is free or reserved. Reserve and Map
 * obtain a range that is free; Free gives addresses back. Inside a reservation every page has one
 * meaning: it is mapped to a page of an allocation, it is zero, or it may not be accessed.
 *
 *   0x10000                                                                    end of the space
 *   |-- free --|======= reservation =======|==== another ====|----- free -----|
 *              |  zero |map A 0..3| zero   |   map B 0..15   |
 *              `-range-'`--range--'`-range-'`-----range------'
 *
 * A *range* is the longest run of pages of one reservation whose meaning goes on: the next page has
 * the next page of the same allocation and the same protection, or the same state without one.
 *
 * A change of what addresses mean is decided first and applied afterwards:
 *
 *   vidmm_address_decide_...()    checks everything, takes records, and changes nothing
 *   vidmm_address_next_change()   what the change comes to, range by range: the page tables are
 *                                 written from it
 *   vidmm_address_apply()         makes it so, and cannot fail
 *
 * How a change [start, end) can lie on a range that is there; `next_change` answers a line each:
 *
 *        start        end
 *          |###########|
 *   1.     |aaaaaaaaaaa|             all of `a`
 *   2.  |aa|aaaaaaaaaaa|             `a` goes on before start       CHANGE_CUTS_BEFORE
 *   3.     |aaaaaaaaaaa|aa|          `a` goes on behind end         CHANGE_CUTS_AFTER
 *   4.  |aa|aaaaaaaaaaa|aa|          both: two ranges are left of one
 *   5.  |aa|aaaa|bbbb|c|cc|          several: the first may be cut before, the last behind
 *   6.     |           |             nothing is there yet: one change, from free
 *
 * Each page that is left of a cut range keeps its meaning. A large page that is cut has to be
 * mapped again by smaller ones: the writer of page tables looks at the two marks.
 *
 * This module knows no driver, no segment and no page table; an allocation is a number, and the
 * ring of the ranges that map it. Sizes and addresses are in bytes, of whole pages.
 *
 * Ownership: the space owns its ranges, made of the memory it was given; the head of a ring belongs
 * to the caller, who keeps it until no range is in it. One caller at a time.
 *
 * Source: D3DDDI_MAPGPUVIRTUALADDRESS, D3DDDI_RESERVEGPUVIRTUALADDRESS,
 * D3DDDICB_FREEGPUVIRTUALADDRESS, D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION, "Driver protection".
 */
#ifndef VIDMM_ENGINE_ADDRESS_ADDRESS_SPACE_H
#define VIDMM_ENGINE_ADDRESS_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/page.h>
#include <wddm/wddm_types.h>

#include "base/pool.h"
#include "base/tree.h"

struct vidmm_memory;

/* Addresses have so many bits at most. */
#define VIDMM_ADDRESS_BITS 57u
/* Reservations that the space places itself begin and end on 64 KiB. */
#define VIDMM_ADDRESS_GRANULE UINT64_C(0x10000)
/* Bit 63 of a driver protection: all mappings of the same page have the same one (D-221). */
#define VIDMM_UNIQUE_PROTECTION (UINT64_C(1) << 63)

enum vidmm_address_state {
    VIDMM_ADDRESS_FREE,      /* not reserved; no range says so */
    VIDMM_ADDRESS_NO_ACCESS, /* an access is a fault */
    VIDMM_ADDRESS_ZERO,      /* reads give 0, writes are dropped */
    VIDMM_ADDRESS_NO_COMMIT, /* an access is a fault; only Reserve asks for it */
    VIDMM_ADDRESS_MAPPED,    /* a page of an allocation */
    VIDMM_ADDRESS_STATES,
};

enum vidmm_address_access { VIDMM_ADDRESS_WRITE = 1, VIDMM_ADDRESS_EXECUTE = 2 };

/* A ring of the ranges, of all spaces, that map one allocation, and its head: those with a unique
 * driver protection stand first. */
struct vidmm_address_link {
    struct vidmm_address_link *next, *previous;
};

/* The meaning of an address; for a run of pages, of the first. */
struct vidmm_address_meaning {
    enum vidmm_address_state state;
    uint32_t access; /* enum vidmm_address_access; reading is always allowed */
    uint64_t driver_protection;
    uint32_t allocation;             /* MAPPED: its id; else 0 */
    uint64_t offset;                 /* MAPPED: bytes into it; else 0 */
    struct vidmm_address_link *ring; /* MAPPED: head of its ring, or a link in it; else NULL */
};

/* A run of pages whose meaning goes on. Read it by vidmm_address_range_...(). */
struct vidmm_address_range {
    struct vidmm_tree_node node;    /* of the space, by address */
    struct vidmm_address_link link; /* MAPPED: in the allocation's ring */
    uint64_t driver_protection;
    uint64_t inherited_protection; /* the driver protection chosen for the reservation (D-267) */
    uint64_t first : 52;           /* page of the address space */
    uint64_t state : 3;            /* enum vidmm_address_state */
    uint64_t access : 2;
    uint64_t begins : 1;  /* the first of its reservation */
    uint64_t mapping : 1; /* its reservation was obtained by Map, not by Reserve */
    uint64_t : 5;
    uint64_t end; /* page behind the last */
    uint32_t allocation;
    uint32_t offset;   /* pages into the allocation */
    uint32_t gap;      /* granules that are free in front of it (address_find.c) */
    uint32_t gap_most; /* the most in front of any range below the node, itself included */
};

struct vidmm_address_space {
    struct vidmm_tree ranges; /* first: vidmm_address_range_space() */
    struct vidmm_pool pool;
    struct vidmm_address_range *spare; /* taken for a decision that is not yet applied */
    uint64_t spares;
    uint64_t low, high; /* bytes: addresses are in [low, high) */
    uint64_t count;     /* ranges */
    void *owner;        /* the caller's */
};

/* The addresses that a request wants, in bytes. */
struct vidmm_address_wish {
    uint64_t size;             /* 1 page or more */
    uint64_t base;             /* 0: the space chooses, as low as it can */
    uint64_t minimum, maximum; /* where it chooses: [minimum, maximum); maximum 0: no limit */
    uint64_t alignment;        /* where it chooses, if that is to be had: a power of two, or 0 */
    uint64_t beyond;           /* where it chooses: so far behind such a place, less than 64 KiB */
};

enum vidmm_address_kind {
    VIDMM_ADDRESS_OBTAIN,  /* addresses that are free become a reservation */
    VIDMM_ADDRESS_ALTER,   /* addresses of one reservation get another meaning */
    VIDMM_ADDRESS_COPY,    /* addresses of one reservation get that of others */
    VIDMM_ADDRESS_RELEASE, /* addresses become free */
};

/* A change that was decided and is not yet applied. */
struct vidmm_address_edit {
    enum vidmm_address_kind kind;
    uint64_t start, end;
    bool mapping;                         /* OBTAIN: by Map, not by Reserve */
    struct vidmm_address_meaning meaning; /* OBTAIN, ALTER: of `start`; it goes on to `end` ... */
    uint64_t period;                      /* ... or begins anew each `period` bytes, if not 0 */
    uint64_t source; /* COPY: address that `start` is given the meaning of; of `meaning` the driver
                      * protection of the reservation alone is used */
    /* the range that holds `start`; OBTAIN: the first one behind `end`, or NULL */
    struct vidmm_address_range *range;
};

enum { VIDMM_CHANGE_CUTS_BEFORE = 1, VIDMM_CHANGE_CUTS_AFTER = 2 };

/* A part of a change: one old meaning gives way to one new one. */
struct vidmm_address_change {
    uint64_t start, end;
    struct vidmm_address_meaning was, is; /* of `start` */
    uint32_t cuts;                        /* of the range that was: VIDMM_CHANGE_CUTS_... */
};

/* Begin with addresses [low, high), all free. Both are multiples of VIDMM_ADDRESS_GRANULE, low is
 * above 0 (D-225, W-010), high is 2^VIDMM_ADDRESS_BITS at most. `memory` is borrowed. The space
 * may not be moved. */
void vidmm_address_space_init(struct vidmm_address_space *space, uint64_t low, uint64_t high,
                              const struct vidmm_memory *memory);
/* Unmap and free everything, and give all memory back. */
void vidmm_address_space_finish(struct vidmm_address_space *space);

/* An allocation that nothing maps. */
static inline void vidmm_address_ring_init(struct vidmm_address_link *head)
{
    *head = (struct vidmm_address_link){head, head};
}

/* ---- decisions ----
 *
 * Each fills in `edit` and changes nothing else but the records it has taken, which serve the next
 * decision if this one is not applied. An edit is good until another one is applied.
 * STATUS_INVALID_PARAMETER: a size of 0, an address or a size that is not of whole pages, a meaning
 * that is none, or what the function says. STATUS_NO_MEMORY: no records, or, where the space
 * chooses, no addresses. */

/* Reserve addresses without memory behind them (D-224); `meaning` is not MAPPED.
 * STATUS_INVALID_PARAMETER: base or size are no multiple of VIDMM_ADDRESS_GRANULE (D-218);
 * [base, base + size) is not in the space, or not free. */
NTSTATUS vidmm_address_decide_reserve(struct vidmm_address_space *space,
                                      const struct vidmm_address_wish *wish,
                                      const struct vidmm_address_meaning *meaning,
                                      struct vidmm_address_edit *edit);

/* Obtain addresses and give them a meaning, or, with a base, give one to addresses of a reservation
 * (D-217). STATUS_INVALID_PARAMETER: the addresses are in part free, or of two reservations; ZERO
 * or NO_ACCESS for a reservation that Map obtained; NO_COMMIT; a page of the allocation that is
 * mapped elsewhere with another driver protection, one of them unique (D-221). */
NTSTATUS vidmm_address_decide_map(struct vidmm_address_space *space,
                                  const struct vidmm_address_wish *wish,
                                  const struct vidmm_address_meaning *meaning,
                                  struct vidmm_address_edit *edit);

/* Give addresses of one reservation that Reserve obtained another meaning (D-222). `period`: bytes
 * of the allocation that are mapped again and again (D-223); 0: there is no such. ZERO takes the
 * driver protection of the reservation, whatever `meaning` says (D-267).
 * STATUS_INVALID_PARAMETER: other addresses; a period that does not divide the size; NO_COMMIT; a
 * unique driver protection, as above. */
NTSTATUS vidmm_address_decide_update(struct vidmm_address_space *space, uint64_t base,
                                     uint64_t size, const struct vidmm_address_meaning *meaning,
                                     uint64_t period, struct vidmm_address_edit *edit);

/* Give [base, base + size) what [source, source + size) means now. Each lies in one reservation
 * that Reserve obtained; they may overlap. Pages and zeroes have the driver protection of the
 * reservation that they come to (D-267), but pages for which a unique one is chosen, here or there,
 * keep theirs (D-221). STATUS_INVALID_PARAMETER: other addresses. */
NTSTATUS vidmm_address_decide_copy(struct vidmm_address_space *space, uint64_t base, uint64_t size,
                                   uint64_t source, struct vidmm_address_edit *edit);

/* Free addresses, all of which are reserved (D-220). If a part of a reservation is freed, the rest
 * stays one reservation, or two. STATUS_INVALID_PARAMETER: some of them are free. */
NTSTATUS vidmm_address_decide_free(struct vidmm_address_space *space, uint64_t base, uint64_t size,
                                   struct vidmm_address_edit *edit);

/* A range that is mapped is mapped no more: its addresses stay reserved, and may not be accessed.
 * It takes no memory. */
void vidmm_address_void(struct vidmm_address_range *range);

/* Decide to free a range, all of it, which takes no memory. */
struct vidmm_address_edit vidmm_address_whole(struct vidmm_address_range *range);

/* ---- what was decided ---- */

/* The part of the change that begins at `at`, which is start of the edit, or the end of the part
 * before. False: there is none. The edit is not applied yet. */
bool vidmm_address_next_change(const struct vidmm_address_space *space,
                               const struct vidmm_address_edit *edit, uint64_t at,
                               struct vidmm_address_change *change);

/* Make the change. */
void vidmm_address_apply(struct vidmm_address_space *space, const struct vidmm_address_edit *edit);

/* ---- what is there ---- */

/* The range that holds the address, or else the first one behind it. NULL: there is none. */
struct vidmm_address_range *vidmm_address_find(const struct vidmm_address_space *space,
                                               uint64_t address);
/* The next range in order of address, or NULL. */
struct vidmm_address_range *vidmm_address_range_next(const struct vidmm_address_range *range);
/* The space that it is of. */
struct vidmm_address_space *vidmm_address_range_space(struct vidmm_address_range *range);

static inline uint64_t vidmm_address_range_start(const struct vidmm_address_range *range)
{
    return (uint64_t)range->first << VIDMM_PAGE_SHIFT;
}

static inline uint64_t vidmm_address_range_end(const struct vidmm_address_range *range)
{
    return range->end << VIDMM_PAGE_SHIFT;
}

/* The meaning of an address that lies in the range. */
struct vidmm_address_meaning vidmm_address_meaning_at(const struct vidmm_address_range *range,
                                                      uint64_t address);

/* The unique driver protection of a page of an allocation, by which whatever maps it does; 0: it
 * has none. ring: of the allocation. *pages: how many are asked for, 1 or more, and receives how
 * many of them, from `page` on, it holds for at least. */
uint64_t vidmm_address_unique_protection(const struct vidmm_address_link *ring, uint64_t page,
                                         uint64_t *pages);

/* Name of what addresses mean, for people. Never NULL. */
const char *vidmm_address_string(enum vidmm_address_state state);

/* Stop the program if an invariant of address_space.c does not hold. Visits every range. */
void vidmm_address_space_check(const struct vidmm_address_space *space);

#endif
