/* test_address_space.c: GPU virtual addresses: the refusals, each overlap, the rules of the
 * contract that the module alone obeys. The model is another test. */
#include "harness.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/address/address_space.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define PAGE KIB(4)
#define LOW KIB(64)
#define HIGH (UINT64_C(1) << 40)
#define UNIQUE (VIDMM_UNIQUE_PROTECTION | 5)

static struct counted_memory memory;
static struct vidmm_address_space space;
static struct vidmm_address_link rings[4]; /* of allocations 1 to 3 */

static void begin(void)
{
    unsigned i;

    counted_memory_init(&memory);
    vidmm_address_space_init(&space, LOW, HIGH, &memory.table);
    for (i = 0; i < 4; i++)
        vidmm_address_ring_init(&rings[i]);
}

static void end(void)
{
    unsigned i;

    vidmm_address_space_check(&space);
    vidmm_address_space_finish(&space);
    for (i = 0; i < 4; i++)
        assert_ptr_equal(rings[i].next, &rings[i]);
    counted_memory_finish(&memory);
}

static struct vidmm_address_meaning map_of(unsigned allocation, uint64_t offset)
{
    return (struct vidmm_address_meaning){.state = VIDMM_ADDRESS_MAPPED,
                                          .access = VIDMM_ADDRESS_WRITE,
                                          .allocation = allocation,
                                          .offset = offset,
                                          .ring = &rings[allocation]};
}

static const struct vidmm_address_meaning zero = {.state = VIDMM_ADDRESS_ZERO};
static const struct vidmm_address_meaning no_access = {.state = VIDMM_ADDRESS_NO_ACCESS};

/* Apply what was decided; the answer of the decision. */
static NTSTATUS apply(NTSTATUS status, const struct vidmm_address_edit *edit)
{
    if (status == STATUS_SUCCESS)
        vidmm_address_apply(&space, edit);
    vidmm_address_space_check(&space);
    return status;
}

/* Reserve, map, update, copy, free at an address. */
static NTSTATUS reserve(uint64_t base, uint64_t size, const struct vidmm_address_meaning *meaning)
{
    struct vidmm_address_wish wish = {.base = base, .size = size};
    struct vidmm_address_edit edit;

    return apply(vidmm_address_decide_reserve(&space, &wish, meaning, &edit), &edit);
}

static NTSTATUS map(uint64_t base, uint64_t size, struct vidmm_address_meaning meaning)
{
    struct vidmm_address_wish wish = {.base = base, .size = size};
    struct vidmm_address_edit edit;

    return apply(vidmm_address_decide_map(&space, &wish, &meaning, &edit), &edit);
}

static NTSTATUS update(uint64_t base, uint64_t size, struct vidmm_address_meaning meaning,
                       uint64_t period)
{
    struct vidmm_address_edit edit;

    return apply(vidmm_address_decide_update(&space, base, size, &meaning, period, &edit), &edit);
}

static NTSTATUS copy(uint64_t base, uint64_t size, uint64_t source)
{
    struct vidmm_address_edit edit;

    return apply(vidmm_address_decide_copy(&space, base, size, source, &edit), &edit);
}

static NTSTATUS release(uint64_t base, uint64_t size)
{
    struct vidmm_address_edit edit;

    return apply(vidmm_address_decide_free(&space, base, size, &edit), &edit);
}

/* The address at which a mapping, or a reservation, of that size would be put. 0: nowhere. */
static uint64_t place(struct vidmm_address_wish wish)
{
    struct vidmm_address_meaning meaning = map_of(1, 0);
    struct vidmm_address_edit edit = {.start = 1};

    return vidmm_address_decide_map(&space, &wish, &meaning, &edit) == STATUS_SUCCESS ? edit.start
                                                                                      : 0;
}

/* The ranges from an address on, as text: "Z4 1+0x16 2+3x1" is 4 pages of zeroes, 16 pages of
 * allocation 1 from page 0 on, a page of allocation 2 from page 3 on; | begins a reservation. */
static const char *told(void)
{
    static char text[400];
    struct vidmm_address_range *range = vidmm_address_find(&space, 0);
    size_t used = 0;

    text[0] = '\0';
    for (; range; range = vidmm_address_range_next(range)) {
        unsigned pages = (unsigned)(range->end - range->first);

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "",
                                 range->begins ? "|" : "");
        if (range->state == VIDMM_ADDRESS_MAPPED)
            used += (size_t)snprintf(text + used, sizeof text - used, "%u+%ux%u", range->allocation,
                                     range->offset, pages);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%c%u", ".NZC"[range->state],
                                     pages);
    }
    return text;
}

/* ---- places ---- */

static void the_lowest_free_addresses_are_handed_out(void **state)
{
    (void)state;
    begin();
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE}), 0x10000); /* W-010 */
    assert_int_equal(map(0x10000, MIB(1), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE}), 0x110000);
    assert_int_equal(map(0x200000, PAGE, map_of(1, 0)), STATUS_SUCCESS);
    /* [0x110000, 0x200000) is free, and from 0x201000 on, but nothing begins within a granule */
    assert_int_equal(place((struct vidmm_address_wish){.size = 0xF0000}), 0x110000);
    assert_int_equal(place((struct vidmm_address_wish){.size = 0xF1000}), 0x210000);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE, .minimum = 0x1F8000}),
                     0x210000);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE, .minimum = 0x1F0000}),
                     0x1F0000);
    assert_int_equal(
        place((struct vidmm_address_wish){.size = 0x20000, .minimum = 0x1E0000, .maximum = MIB(2)}),
        0x1E0000);
    assert_int_equal(
        place((struct vidmm_address_wish){.size = 0x20000, .minimum = 0x1E8000, .maximum = MIB(2)}),
        0);
    assert_int_equal(place((struct vidmm_address_wish){.size = HIGH}), 0);
    assert_int_equal(place((struct vidmm_address_wish){.size = HIGH - 0x210000}), 0x210000);
    assert_int_equal(place((struct vidmm_address_wish){.size = UINT64_MAX - PAGE + 1}), 0);
    end();
}

static void an_alignment_is_had_where_it_can_be(void **state)
{
    (void)state;
    begin();
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(2), .alignment = MIB(2)}),
                     MIB(2));
    assert_int_equal(
        place((struct vidmm_address_wish){
            .size = MIB(2), .alignment = MIB(2), .minimum = MIB(5), .maximum = MIB(8)}),
        MIB(6));
    /* where it cannot, the addresses are given without */
    assert_int_equal(
        place((struct vidmm_address_wish){
            .size = MIB(2), .alignment = MIB(2), .minimum = MIB(5), .maximum = MIB(7)}),
        MIB(5));
    /* a gap that fits exactly is used */
    assert_int_equal(map(MIB(1), MIB(1), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(map(MIB(4), MIB(1), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(2), .alignment = MIB(2)}),
                     MIB(2));
    end();
}

static void the_second_gap_may_be_the_one_that_is_aligned(void **state)
{
    (void)state;
    begin();
    assert_int_equal(map(MIB(4) - KIB(64), KIB(64), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(map(MIB(6), KIB(64), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(2), .alignment = MIB(2)}),
                     MIB(4));
    end();
}

static void many_gaps_that_do_not_fit_are_passed_over(void **state)
{
    uint64_t at;

    (void)state;
    begin();
    for (at = MIB(1); at < MIB(65); at += MIB(1)) /* gaps of 960 KiB */
        assert_int_equal(map(at, KIB(64), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(release(MIB(40), KIB(64)), STATUS_SUCCESS);
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(1)}), MIB(39) + KIB(64));
    assert_int_equal(place((struct vidmm_address_wish){.size = KIB(960)}), LOW);
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(2)}), MIB(64) + KIB(64));
    /* none of them holds a 512 KiB page at 1 MiB, and all are large enough: patience ends */
    assert_int_equal(place((struct vidmm_address_wish){.size = KIB(960), .alignment = MIB(1)}),
                     MIB(40));
    end();
}

/* ---- what is refused, and changes nothing ---- */

static void absurd_requests_are_refused(void **state)
{
    static const struct {
        uint64_t base, size;
    } absurd[] = {
        {LOW, 0},
        {LOW, 1},
        {LOW + 1, PAGE},
        {LOW - PAGE, PAGE},
        {HIGH, PAGE},
        {HIGH - PAGE, 2 * PAGE},
        {LOW, HIGH},
        {LOW, UINT64_MAX - PAGE + 1},
        {UINT64_MAX - PAGE + 1, PAGE},
        {UINT64_C(1) << 63, PAGE},
    };
    struct vidmm_address_meaning meaning = map_of(1, 0);
    size_t i;

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), MIB(1), &zero), STATUS_SUCCESS);
    for (i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        assert_int_equal(map(absurd[i].base, absurd[i].size, meaning), STATUS_INVALID_PARAMETER);
        assert_int_equal(reserve(absurd[i].base, absurd[i].size, &zero), STATUS_INVALID_PARAMETER);
        assert_int_equal(update(absurd[i].base, absurd[i].size, meaning, 0),
                         STATUS_INVALID_PARAMETER);
        assert_int_equal(copy(absurd[i].base, absurd[i].size, MIB(1)), STATUS_INVALID_PARAMETER);
        assert_int_equal(copy(MIB(1), absurd[i].size, absurd[i].base), STATUS_INVALID_PARAMETER);
        assert_int_equal(release(absurd[i].base, absurd[i].size), STATUS_INVALID_PARAMETER);
    }
    assert_int_equal(map(0, PAGE + 1, meaning), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(0, 0, meaning), STATUS_INVALID_PARAMETER);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE, .alignment = 3 * PAGE}), 0);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE, .minimum = 1}), 0);
    assert_int_equal(place((struct vidmm_address_wish){.size = PAGE, .maximum = MIB(1) + 1}), 0);
    assert_string_equal(told(), "|Z256");
    end();
}

static void meanings_that_are_none_are_refused(void **state)
{
    static const struct vidmm_address_meaning commit = {.state = VIDMM_ADDRESS_NO_COMMIT};
    struct vidmm_address_meaning meaning;

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), MIB(1), &zero), STATUS_SUCCESS);
    assert_int_equal(reserve(MIB(2), MIB(1), &(struct vidmm_address_meaning){.state = 0}),
                     STATUS_INVALID_PARAMETER);
    meaning = map_of(1, 0);
    assert_int_equal(reserve(MIB(2), MIB(1), &meaning), STATUS_INVALID_PARAMETER);
    meaning.offset = 1;
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    meaning.offset = UINT64_C(1) << 44;
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    meaning.offset = (UINT64_C(1) << 44) - PAGE; /* one page of it: the last is page 2^32 - 2 */
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    meaning = map_of(1, 0);
    meaning.access = 4;
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    meaning = map_of(1, 0);
    meaning.allocation = 0;
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    meaning = zero;
    meaning.allocation = 1;
    assert_int_equal(map(MIB(2), PAGE, meaning), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(2), PAGE, commit), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(1), PAGE, commit, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(reserve(MIB(2), MIB(1), &commit), STATUS_SUCCESS); /* D-224 */
    assert_string_equal(told(), "|Z256 |C256");
    end();
}

static void without_memory_nothing_changes(void **state)
{
    struct vidmm_address_meaning meaning = map_of(1, 0);
    struct vidmm_address_wish wish = {.base = MIB(1), .size = MIB(1)};
    struct vidmm_address_edit edit;

    (void)state;
    begin();
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(vidmm_address_decide_map(&space, &wish, &meaning, &edit), STATUS_NO_MEMORY);
    assert_true(counted_memory_refused(&memory));
    assert_string_equal(told(), "");
    assert_int_equal(map(MIB(1), MIB(1), meaning), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x256");
    end();
}

/* ---- Map ---- */

/* D-217 */
static void a_map_with_a_base_needs_free_addresses_or_one_reservation(void **state)
{
    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), MIB(1), &zero), STATUS_SUCCESS);
    assert_int_equal(map(MIB(2), MIB(1), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(map(MIB(1) - PAGE, 2 * PAGE, map_of(2, 0)), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(2) - PAGE, 2 * PAGE, map_of(2, 0)), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(3) - PAGE, 2 * PAGE, map_of(2, 0)), STATUS_INVALID_PARAMETER);
    assert_string_equal(told(), "|Z256 |1+0x256");
    assert_int_equal(map(MIB(1), PAGE, map_of(2, 0)), STATUS_SUCCESS);    /* Reserve obtained it */
    assert_int_equal(map(MIB(2), PAGE, map_of(2, PAGE)), STATUS_SUCCESS); /* Map obtained it */
    assert_int_equal(map(MIB(1), PAGE, no_access), STATUS_SUCCESS);
    assert_int_equal(map(MIB(2), PAGE, no_access), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(2), PAGE, zero), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(4), PAGE, zero), STATUS_SUCCESS); /* free addresses */
    assert_string_equal(told(), "|N1 Z255 |2+1x1 1+1x255 |Z1");
    end();
}

/* D-221 */
static void a_unique_driver_protection_is_the_same_for_every_mapping_of_a_page(void **state)
{
    struct vidmm_address_meaning plain = map_of(1, 0), unique = map_of(1, 0);

    (void)state;
    begin();
    unique.driver_protection = UNIQUE;
    assert_int_equal(map(MIB(1), MIB(1), plain), STATUS_SUCCESS);
    assert_int_equal(map(MIB(2), MIB(1), unique), STATUS_INVALID_PARAMETER);
    unique.offset = MIB(1);
    assert_int_equal(map(MIB(2), MIB(1), unique), STATUS_SUCCESS); /* other pages */
    plain.offset = 2 * MIB(1) - PAGE;
    assert_int_equal(map(MIB(3), PAGE, plain), STATUS_INVALID_PARAMETER);
    plain.offset = 2 * MIB(1);
    assert_int_equal(map(MIB(3), PAGE, plain), STATUS_SUCCESS);
    plain.offset -= PAGE; /* whichever came last */
    assert_int_equal(map(MIB(4), PAGE, plain), STATUS_INVALID_PARAMETER);
    unique.driver_protection ^= 1;
    assert_int_equal(map(MIB(4), MIB(1), unique), STATUS_INVALID_PARAMETER);
    /* the mapping that it replaces does not count, what is left of that does */
    assert_int_equal(map(MIB(2), MIB(1), unique), STATUS_SUCCESS);
    unique.driver_protection = UNIQUE;
    assert_int_equal(map(MIB(2), MIB(1) - PAGE, unique), STATUS_SUCCESS);
    unique.offset += PAGE;
    assert_int_equal(map(MIB(2), MIB(1) - PAGE, unique), STATUS_INVALID_PARAMETER);
    unique.offset -= PAGE;
    /* nor what is left before it, or behind it, of the range that it cuts */
    plain = map_of(3, 0);
    plain.driver_protection = UNIQUE;
    assert_int_equal(map(MIB(8), MIB(1), plain), STATUS_SUCCESS);
    plain.driver_protection ^= 1;
    assert_int_equal(map(MIB(8) + 128 * PAGE, 128 * PAGE, plain), STATUS_INVALID_PARAMETER);
    plain.offset = 128 * PAGE;
    assert_int_equal(map(MIB(8), 128 * PAGE, plain), STATUS_INVALID_PARAMETER);
    assert_int_equal(map(MIB(8) + 128 * PAGE, 128 * PAGE, plain), STATUS_SUCCESS);
    /* another allocation is another matter */
    unique.ring = &rings[2];
    unique.allocation = 2;
    assert_int_equal(map(MIB(5), MIB(1), unique), STATUS_SUCCESS);
    end();
}

/* ---- the overlaps that the header draws ---- */

/* The parts of a change: "4..8 1+4>2+0 <" says that pages 4 to 8, counted from 1 MiB, meant page 4
 * of allocation 1 and will mean page 0 of 2; < and > mark the cuts. */
static const char *parts(const struct vidmm_address_edit *edit)
{
    static char text[400];
    struct vidmm_address_change change;
    size_t used = 0;
    uint64_t at;

    text[0] = '\0';
    for (at = edit->start; vidmm_address_next_change(&space, edit, at, &change); at = change.end) {
        const struct vidmm_address_meaning *both[] = {&change.was, &change.is};
        unsigned i;

        assert_int_equal(change.start, at);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u..%u", used ? ", " : "",
                                 (unsigned)((change.start - MIB(1)) / PAGE),
                                 (unsigned)((change.end - MIB(1)) / PAGE));
        for (i = 0; i < 2; i++)
            if (both[i]->state == VIDMM_ADDRESS_MAPPED)
                used += (size_t)snprintf(text + used, sizeof text - used, " %u+%u",
                                         both[i]->allocation, (unsigned)(both[i]->offset / PAGE));
            else
                used += (size_t)snprintf(text + used, sizeof text - used, " %c",
                                         ".NZC"[both[i]->state]);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 change.cuts & VIDMM_CHANGE_CUTS_BEFORE ? " <" : "",
                                 change.cuts & VIDMM_CHANGE_CUTS_AFTER ? " >" : "");
    }
    return text;
}

/* Pages [from, to) of a reservation of 16 pages of allocation 1 give way to allocation 2. */
static void overlay(unsigned from, unsigned to, const char *expected, const char *left)
{
    struct vidmm_address_wish wish = {.base = MIB(1) + from * PAGE, .size = (to - from) * PAGE};
    struct vidmm_address_meaning meaning = map_of(2, 0);
    struct vidmm_address_edit edit;

    begin();
    assert_int_equal(map(MIB(1), 16 * PAGE, map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(vidmm_address_decide_map(&space, &wish, &meaning, &edit), STATUS_SUCCESS);
    assert_string_equal(parts(&edit), expected);
    assert_string_equal(told(), "|1+0x16"); /* deciding has changed nothing */
    vidmm_address_apply(&space, &edit);
    assert_string_equal(told(), left);
    end();
}

static void each_overlap_of_a_change_with_one_range(void **state)
{
    (void)state;
    overlay(0, 16, "0..16 1+0 2+0", "|2+0x16");                 /* 1 */
    overlay(4, 16, "4..16 1+4 2+0 <", "|1+0x4 2+0x12");         /* 2 */
    overlay(0, 12, "0..12 1+0 2+0 >", "|2+0x12 1+12x4");        /* 3 */
    overlay(4, 12, "4..12 1+4 2+0 < >", "|1+0x4 2+0x8 1+12x4"); /* 4 */
}

static void an_overlap_with_several_ranges(void **state)
{
    struct vidmm_address_meaning meaning = map_of(3, 0);
    struct vidmm_address_edit edit;

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &zero), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1), 6 * PAGE, map_of(1, 0), 0), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1) + 10 * PAGE, 6 * PAGE, map_of(2, 0), 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x6 Z4 2+0x6");
    assert_int_equal(
        vidmm_address_decide_update(&space, MIB(1) + 4 * PAGE, 10 * PAGE, &meaning, 0, &edit),
        STATUS_SUCCESS);
    assert_string_equal(parts(&edit), "4..6 1+4 3+0 <, 6..10 Z 3+2, 10..14 2+0 3+6 >"); /* 5 */
    vidmm_address_apply(&space, &edit);
    assert_string_equal(told(), "|1+0x4 3+0x10 2+4x2");
    end();
}

static void a_change_of_free_addresses(void **state)
{
    struct vidmm_address_wish wish = {.base = MIB(1), .size = 4 * PAGE};
    struct vidmm_address_meaning meaning = map_of(1, PAGE);
    struct vidmm_address_edit edit;

    (void)state;
    begin();
    assert_int_equal(vidmm_address_decide_map(&space, &wish, &meaning, &edit), STATUS_SUCCESS);
    assert_string_equal(parts(&edit), "0..4 . 1+1"); /* 6 */
    vidmm_address_apply(&space, &edit);
    assert_int_equal(vidmm_address_decide_free(&space, MIB(1) + PAGE, PAGE, &edit), STATUS_SUCCESS);
    assert_string_equal(parts(&edit), "1..2 1+2 . < >");
    end();
}

static void what_goes_on_is_one_range(void **state)
{
    struct vidmm_address_meaning read_only = map_of(1, 8 * PAGE);

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &zero), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1), 4 * PAGE, map_of(1, 0), 0), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1) + 4 * PAGE, 4 * PAGE, map_of(1, 4 * PAGE), 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x8 Z8");
    read_only.access = 0; /* another protection ends it */
    assert_int_equal(update(MIB(1) + 8 * PAGE, 4 * PAGE, read_only, 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x8 1+8x4 Z4");
    assert_int_equal(update(MIB(1) + 8 * PAGE, 4 * PAGE, map_of(1, 8 * PAGE), 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x12 Z4");
    assert_int_equal(update(MIB(1) + 2 * PAGE, PAGE, zero, 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x2 Z1 1+3x9 Z4");
    assert_int_equal(update(MIB(1), 12 * PAGE, zero, 0), STATUS_SUCCESS);
    assert_string_equal(told(), "|Z16");
    /* two reservations are never one */
    assert_int_equal(reserve(MIB(1) + 16 * PAGE, 16 * PAGE, &zero), STATUS_SUCCESS);
    assert_string_equal(told(), "|Z16 |Z16");
    end();
}

/* ---- Update, Copy, Free ---- */

/* D-222 */
static void an_update_stays_inside_one_range_that_reserve_obtained(void **state)
{
    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), MIB(1), &zero), STATUS_SUCCESS);
    assert_int_equal(reserve(MIB(2), MIB(1), &zero), STATUS_SUCCESS);
    assert_int_equal(map(MIB(3), MIB(1), map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(update(MIB(2) - PAGE, 2 * PAGE, map_of(1, 0), 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(1) - PAGE, PAGE, map_of(1, 0), 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(3), PAGE, map_of(1, 0), 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(copy(MIB(2) - PAGE, 2 * PAGE, MIB(1)), STATUS_INVALID_PARAMETER);
    assert_int_equal(copy(MIB(1), 2 * PAGE, MIB(2) - PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(copy(MIB(1), PAGE, MIB(3)), STATUS_INVALID_PARAMETER);
    assert_int_equal(copy(MIB(3), PAGE, MIB(1)), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(2) - PAGE, PAGE, map_of(1, 0), 0), STATUS_SUCCESS);
    assert_int_equal(copy(MIB(2), PAGE, MIB(2) - PAGE), STATUS_SUCCESS); /* between two */
    assert_string_equal(told(), "|Z255 1+0x1 |1+0x1 Z255 |1+0x256");
    end();
}

/* D-223 */
static void an_allocation_range_is_repeated(void **state)
{
    struct vidmm_address_meaning meaning = map_of(1, 8 * PAGE);
    struct vidmm_address_edit edit;

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &zero), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1), 12 * PAGE, meaning, 5 * PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(1), 12 * PAGE, meaning, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(update(MIB(1), 12 * PAGE, zero, 4 * PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(
        vidmm_address_decide_update(&space, MIB(1) + PAGE, 12 * PAGE, &meaning, 4 * PAGE, &edit),
        STATUS_SUCCESS);
    assert_string_equal(parts(&edit), "1..5 Z 1+8 < >, 5..9 Z 1+8 < >, 9..13 Z 1+8 < >");
    vidmm_address_apply(&space, &edit);
    assert_string_equal(told(), "|Z1 1+8x4 1+8x4 1+8x4 Z3");
    assert_int_equal(update(MIB(1) + PAGE, 12 * PAGE, meaning, 12 * PAGE), STATUS_SUCCESS);
    assert_string_equal(told(), "|Z1 1+8x12 Z3"); /* once is a plain mapping */
    end();
}

static void a_copy_reads_what_was_there_before(void **state)
{
    unsigned i;

    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &zero), STATUS_SUCCESS);
    for (i = 0; i < 8; i++)
        assert_int_equal(update(MIB(1) + i * PAGE, PAGE, map_of(1 + i % 2, 20 * i * PAGE), 0),
                         STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x1 2+20x1 1+40x1 2+60x1 1+80x1 2+100x1 1+120x1 2+140x1 Z8");
    assert_int_equal(copy(MIB(1) + 2 * PAGE, 8 * PAGE, MIB(1)), STATUS_SUCCESS);
    assert_string_equal(
        told(), "|1+0x1 2+20x1 1+0x1 2+20x1 1+40x1 2+60x1 1+80x1 2+100x1 1+120x1 2+140x1 Z6");
    assert_int_equal(copy(MIB(1), 8 * PAGE, MIB(1) + 2 * PAGE), STATUS_SUCCESS);
    assert_string_equal(
        told(), "|1+0x1 2+20x1 1+40x1 2+60x1 1+80x1 2+100x1 1+120x1 2+140x1 1+120x1 2+140x1 Z6");
    assert_int_equal(copy(MIB(1), 16 * PAGE, MIB(1)), STATUS_SUCCESS);            /* onto itself */
    assert_int_equal(copy(MIB(1), 6 * PAGE, MIB(1) + 10 * PAGE), STATUS_SUCCESS); /* zeroes too */
    assert_string_equal(told(), "|Z6 1+120x1 2+140x1 1+120x1 2+140x1 Z6");
    end();
}

/* D-267 */
static void zero_has_the_driver_protection_of_its_reservation(void **state)
{
    struct vidmm_address_meaning reserved = zero, meaning = map_of(1, 0);
    struct vidmm_address_range *range;

    (void)state;
    begin();
    reserved.driver_protection = 7;
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &reserved), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1) + PAGE, 2 * PAGE, meaning, 0), STATUS_SUCCESS);
    range = vidmm_address_find(&space, MIB(1) + PAGE);
    assert_int_equal(range->driver_protection, 0);
    assert_int_equal(update(MIB(1) + PAGE, PAGE, zero, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_address_find(&space, MIB(1) + PAGE)->driver_protection, 7);
    assert_int_equal(update(MIB(1) + 2 * PAGE, PAGE, no_access, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_address_find(&space, MIB(1) + 2 * PAGE)->driver_protection, 0);
    assert_string_equal(told(), "|Z2 N1 Z13");
    end();
}

/* D-220 */
static void what_is_freed_can_be_had_again_at_once(void **state)
{
    (void)state;
    begin();
    assert_int_equal(reserve(MIB(1), 16 * PAGE, &zero), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1), 8 * PAGE, map_of(1, 0), 0), STATUS_SUCCESS);
    assert_int_equal(release(MIB(1) - PAGE, 2 * PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(release(MIB(1) + 15 * PAGE, 2 * PAGE), STATUS_INVALID_PARAMETER);
    assert_int_equal(release(MIB(1) + 4 * PAGE, 8 * PAGE), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x4 |Z4");
    assert_int_equal(map(MIB(1) + 4 * PAGE, 8 * PAGE, map_of(2, 0)), STATUS_SUCCESS);
    assert_string_equal(told(), "|1+0x4 |2+0x8 |Z4");
    /* each is a reservation of its own now */
    assert_int_equal(update(MIB(1) + 12 * PAGE, 4 * PAGE, map_of(1, 0), 0), STATUS_SUCCESS);
    assert_int_equal(update(MIB(1) + 4 * PAGE, 4 * PAGE, map_of(1, 0), 0),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(release(MIB(1), 16 * PAGE), STATUS_SUCCESS); /* several at once */
    assert_string_equal(told(), "");
    assert_int_equal(place((struct vidmm_address_wish){.size = MIB(8)}), LOW);
    end();
}

static void an_allocation_finds_its_mappings_in_every_space(void **state)
{
    struct vidmm_address_space other;
    struct vidmm_address_wish wish = {.base = MIB(1), .size = 4 * PAGE};
    struct vidmm_address_meaning meaning = map_of(1, 0);
    struct vidmm_address_edit edit;
    struct vidmm_address_link *link;
    unsigned here = 0, there = 0;

    (void)state;
    begin();
    vidmm_address_space_init(&other, LOW, HIGH, &memory.table);
    assert_int_equal(vidmm_address_decide_map(&other, &wish, &meaning, &edit), STATUS_SUCCESS);
    vidmm_address_apply(&other, &edit);
    assert_int_equal(map(MIB(1), 16 * PAGE, map_of(1, 0)), STATUS_SUCCESS);
    assert_int_equal(map(MIB(1) + 4 * PAGE, PAGE, map_of(2, 0)), STATUS_SUCCESS);
    for (link = rings[1].next; link != &rings[1]; link = link->next) {
        struct vidmm_address_range *range =
            (struct vidmm_address_range *)(void *)((char *)link -
                                                   offsetof(struct vidmm_address_range, link));

        here += vidmm_address_range_space(range) == &space;
        there += vidmm_address_range_space(range) == &other;
    }
    assert_int_equal(here, 2);
    assert_int_equal(there, 1);
    vidmm_address_space_finish(&other);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_free_addresses_are_handed_out),
        cmocka_unit_test(an_alignment_is_had_where_it_can_be),
        cmocka_unit_test(the_second_gap_may_be_the_one_that_is_aligned),
        cmocka_unit_test(many_gaps_that_do_not_fit_are_passed_over),
        cmocka_unit_test(absurd_requests_are_refused),
        cmocka_unit_test(meanings_that_are_none_are_refused),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(a_map_with_a_base_needs_free_addresses_or_one_reservation),
        cmocka_unit_test(a_unique_driver_protection_is_the_same_for_every_mapping_of_a_page),
        cmocka_unit_test(each_overlap_of_a_change_with_one_range),
        cmocka_unit_test(an_overlap_with_several_ranges),
        cmocka_unit_test(a_change_of_free_addresses),
        cmocka_unit_test(what_goes_on_is_one_range),
        cmocka_unit_test(an_update_stays_inside_one_range_that_reserve_obtained),
        cmocka_unit_test(an_allocation_range_is_repeated),
        cmocka_unit_test(a_copy_reads_what_was_there_before),
        cmocka_unit_test(zero_has_the_driver_protection_of_its_reservation),
        cmocka_unit_test(what_is_freed_can_be_had_again_at_once),
        cmocka_unit_test(an_allocation_finds_its_mappings_in_every_space),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
