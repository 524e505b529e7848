/* test_address_model.c: an address space beside a plain model: a word for each page.
 *
 * Random requests, legal and not, from a seed. The model knows what each page means and to which
 * reservation it belongs; it says for each request whether it is legal, what every page means
 * afterwards, and which addresses had to be chosen: the lowest that are free.
 *
 *     test_address_model            32 seeds
 *     test_address_model SEED N     that one, with N requests
 */
#include "harness.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/address/address_space.h"

#define PAGE UINT64_C(4096)
#define LOW_PAGE 16u /* 64 KiB */
#define GRANULE_PAGES 16u

enum { PAGES = 1024, ALLOCATIONS = 4, REQUESTS = 3000, SEEDS = 32 };

/* The meaning of a page of the model; state FREE where it is free. */
struct page {
    struct vidmm_address_meaning meaning;
    uint64_t inherited;
    unsigned reservation; /* number; 0: none */
    bool mapping;
};

static struct counted_memory memory;
static struct vidmm_address_space space;
static struct vidmm_address_link rings[ALLOCATIONS + 1];
static struct page pages[PAGES];
static struct vidmm_address_meaning promised[PAGES]; /* by the parts of the change */
static uint64_t promised_start, promised_end;
static unsigned reservations;
static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

/* ---- requests ---- */

static struct vidmm_address_meaning random_meaning(bool reserve)
{
    struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_ZERO};

    if (reserve || random_below(3) == 0) {
        meaning.state = random_below(2) ? VIDMM_ADDRESS_ZERO : VIDMM_ADDRESS_NO_ACCESS;
        meaning.driver_protection = reserve ? random_below(2) : 0;
        return meaning;
    }
    meaning.state = VIDMM_ADDRESS_MAPPED;
    meaning.access = random_below(2);
    meaning.allocation = 1 + random_below(ALLOCATIONS);
    meaning.offset = random_below(24) * PAGE;
    meaning.ring = &rings[meaning.allocation];
    if (meaning.allocation == ALLOCATIONS) /* of one allocation protections are unique, mostly */
        meaning.driver_protection = random_below(8) ? VIDMM_UNIQUE_PROTECTION : random_below(2);
    return meaning;
}

static unsigned random_size(void)
{
    return 1 + random_below(random_below(4) ? 24 : 200);
}

/* Pages [first, first + count) are all free. */
static bool is_free(uint64_t first, uint64_t count)
{
    uint64_t page;

    if (first < LOW_PAGE || first + count > PAGES)
        return false;
    for (page = first; page < first + count; page++)
        if (pages[page].reservation != 0)
            return false;
    return true;
}

static bool is_one_reservation(uint64_t first, uint64_t count)
{
    uint64_t page;

    if (first < LOW_PAGE || first + count > PAGES || pages[first].reservation == 0)
        return false;
    for (page = first; page < first + count; page++)
        if (pages[page].reservation != pages[first].reservation)
            return false;
    return true;
}

static bool is_one_reserved(uint64_t first, uint64_t count)
{
    return is_one_reservation(first, count) && !pages[first].mapping;
}

/* The allocation's pages have another driver protection elsewhere, and one is unique. */
static bool is_contested(const struct vidmm_address_meaning *meaning, uint64_t first,
                         uint64_t count, uint64_t mapped)
{
    uint64_t page;

    if (meaning->state != VIDMM_ADDRESS_MAPPED)
        return false;
    for (page = 0; page < PAGES; page++) {
        const struct vidmm_address_meaning *there = &pages[page].meaning;

        if (page >= first && page < first + count)
            continue;
        if (there->allocation != meaning->allocation || there->offset < meaning->offset ||
            there->offset >= meaning->offset + mapped * PAGE)
            continue;
        if (there->driver_protection != meaning->driver_protection &&
            ((there->driver_protection | meaning->driver_protection) & VIDMM_UNIQUE_PROTECTION))
            return true;
    }
    return false;
}

static uint64_t round_up(uint64_t count)
{
    return (count + GRANULE_PAGES - 1) / GRANULE_PAGES * GRANULE_PAGES;
}

/* The lowest granule from which so many pages, rounded up to granules, are free. 0: there is
 * none. */
static uint64_t lowest_free(uint64_t low, uint64_t high, uint64_t count)
{
    uint64_t first = round_up(low > LOW_PAGE ? low : LOW_PAGE);

    for (; first + count <= high; first += GRANULE_PAGES)
        if (is_free(first, round_up(count)))
            return first;
    return 0;
}

/* ---- what a request does to the model ---- */

static void model_obtain(uint64_t first, uint64_t count, bool mapping,
                         const struct vidmm_address_meaning *meaning)
{
    uint64_t page;

    reservations++;
    for (page = first; page < first + count; page++) {
        pages[page].reservation = reservations;
        pages[page].mapping = mapping;
        pages[page].inherited = mapping ? 0 : meaning->driver_protection;
    }
}

static void model_meaning(uint64_t first, uint64_t count,
                          const struct vidmm_address_meaning *meaning, uint64_t period)
{
    uint64_t page;

    for (page = 0; page < count; page++) {
        pages[first + page].meaning = *meaning;
        if (meaning->state == VIDMM_ADDRESS_MAPPED)
            pages[first + page].meaning.offset += (period ? page % period : page) * PAGE;
    }
}

/* Free pages. If they lie in the middle of a reservation, the rest behind becomes a new one. */
static void model_free(uint64_t first, uint64_t count)
{
    uint64_t page, behind = first + count;
    unsigned rest = behind < PAGES ? pages[behind].reservation : 0;

    if (rest != 0 && pages[behind - 1].reservation == rest)
        for (reservations++, page = behind; page < PAGES && pages[page].reservation == rest; page++)
            pages[page].reservation = reservations;
    for (page = first; page < behind; page++)
        pages[page] = (struct page){.reservation = 0};
}

/* ---- beside each other ---- */

static bool is_same(const struct vidmm_address_meaning *one,
                    const struct vidmm_address_meaning *other)
{
    return one->state == other->state && one->access == other->access &&
           one->driver_protection == other->driver_protection &&
           one->allocation == other->allocation && one->offset == other->offset;
}

/* The meaning of a page of a part: that of its first page, going on. */
static struct vidmm_address_meaning meaning_in(struct vidmm_address_meaning first, uint64_t into)
{
    first.offset += first.state == VIDMM_ADDRESS_MAPPED ? into : 0;
    return first;
}

/* The parts of a change tile it, and say of every page what the model says it meant. `promised`:
 * the meaning that each page is going to have. */
static void check_parts(const struct vidmm_address_edit *edit)
{
    struct vidmm_address_change change;
    uint64_t at = edit->start, page;

    while (vidmm_address_next_change(&space, edit, at, &change)) {
        assert_int_equal(change.start, at);
        assert_true(change.end > at && change.end <= edit->end);
        for (page = at; page < change.end; page += PAGE) {
            struct vidmm_address_meaning was = meaning_in(change.was, page - at);

            assert_true(is_same(&was, &pages[page / PAGE].meaning));
            promised[page / PAGE] = meaning_in(change.is, page - at);
        }
        at = change.end;
    }
    assert_int_equal(at, edit->end);
    promised_start = edit->start / PAGE;
    promised_end = edit->end / PAGE;
}

/* Afterwards every page means what was promised, by the model. */
static void check_promise(void)
{
    for (; promised_start < promised_end; promised_start++)
        assert_true(is_same(&promised[promised_start], &pages[promised_start].meaning));
}

static void check_pages(void)
{
    uint64_t page;

    vidmm_address_space_check(&space);
    for (page = 0; page < PAGES; page++) {
        struct vidmm_address_range *range = vidmm_address_find(&space, page * PAGE);
        bool there = range && vidmm_address_range_start(range) <= page * PAGE;

        assert_int_equal(there, pages[page].reservation != 0);
        if (there) {
            struct vidmm_address_meaning meaning = vidmm_address_meaning_at(range, page * PAGE);

            assert_true(is_same(&meaning, &pages[page].meaning));
            assert_int_equal(range->begins && range->first == page,
                             page == 0 || pages[page - 1].reservation != pages[page].reservation);
        }
    }
}

/* Play what was decided, if it was to be decided so. */
static void play(NTSTATUS status, NTSTATUS expected, const struct vidmm_address_edit *edit)
{
    assert_int_equal(status, expected);
    if (status == STATUS_SUCCESS) {
        check_parts(edit);
        vidmm_address_apply(&space, edit);
    }
}

static void play_obtain(bool reserve)
{
    unsigned unit = reserve ? GRANULE_PAGES : 1;
    uint64_t count = (reserve ? 1 + random_below(6) : random_size()) * unit;
    uint64_t base = random_below(2) ? (uint64_t)random_below(PAGES / unit) * unit : 0;
    uint64_t minimum = random_below(4) ? 0 : random_below(PAGES);
    uint64_t maximum = random_below(4) ? 0 : random_below(PAGES);
    struct vidmm_address_wish wish = {.size = count * PAGE,
                                      .base = base * PAGE,
                                      .minimum = minimum * PAGE,
                                      .maximum = maximum * PAGE};
    struct vidmm_address_meaning meaning = random_meaning(reserve);
    struct vidmm_address_edit edit;
    bool inside = !reserve && base != 0 && is_one_reservation(base, count);
    uint64_t first = base ? base : lowest_free(minimum, maximum ? maximum : PAGES, count);
    NTSTATUS expected = STATUS_SUCCESS;

    if (first == 0)
        expected = STATUS_NO_MEMORY;
    else if (inside ? meaning.state != VIDMM_ADDRESS_MAPPED && pages[base].mapping
                    : !is_free(first, count))
        expected = STATUS_INVALID_PARAMETER;
    else if (is_contested(&meaning, first, inside ? count : 0, count))
        expected = STATUS_INVALID_PARAMETER;
    play(reserve ? vidmm_address_decide_reserve(&space, &wish, &meaning, &edit)
                 : vidmm_address_decide_map(&space, &wish, &meaning, &edit),
         expected, &edit);
    if (expected != STATUS_SUCCESS)
        return;
    assert_int_equal(edit.start, first * PAGE);
    if (!inside)
        model_obtain(first, count, !reserve, &meaning);
    model_meaning(first, count, &meaning, 0);
}

static void play_update(void)
{
    uint64_t count = random_size(), first = random_below(PAGES), period = 0;
    struct vidmm_address_meaning meaning = random_meaning(false);
    struct vidmm_address_edit edit;
    NTSTATUS expected = STATUS_SUCCESS;

    if (meaning.state == VIDMM_ADDRESS_MAPPED && random_below(4) == 0) {
        period = 1 + random_below(5);
        count = period * (1 + random_below(6));
    }
    if (!is_one_reserved(first, count) ||
        is_contested(&meaning, first, count, period ? period : count))
        expected = STATUS_INVALID_PARAMETER;
    play(vidmm_address_decide_update(&space, first * PAGE, count * PAGE, &meaning, period * PAGE,
                                     &edit),
         expected, &edit);
    if (expected != STATUS_SUCCESS)
        return;
    if (meaning.state == VIDMM_ADDRESS_ZERO)
        meaning.driver_protection = pages[first].inherited;
    model_meaning(first, count, &meaning, period);
}

/* D-267, but for D-221 */
static void model_copied(struct page *page, const struct vidmm_address_meaning *copied)
{
    bool unique = ((copied->driver_protection | page->inherited) & VIDMM_UNIQUE_PROTECTION) != 0;

    page->meaning = *copied;
    if (copied->state == VIDMM_ADDRESS_ZERO || (copied->state == VIDMM_ADDRESS_MAPPED && !unique))
        page->meaning.driver_protection = page->inherited;
}

static void play_copy(void)
{
    static struct page copied[PAGES];
    uint64_t count = random_size(), first = random_below(PAGES), source = random_below(PAGES), page;
    struct vidmm_address_edit edit;
    bool legal = is_one_reserved(first, count) && is_one_reserved(source, count);

    play(vidmm_address_decide_copy(&space, first * PAGE, count * PAGE, source * PAGE, &edit),
         legal ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER, &edit);
    if (!legal)
        return;
    memcpy(copied, &pages[source], count * sizeof copied[0]);
    for (page = 0; page < count; page++)
        model_copied(&pages[first + page], &copied[page].meaning);
}

static void play_free(void)
{
    uint64_t count = random_size(), first = random_below(PAGES), page;
    struct vidmm_address_edit edit;
    bool legal = first >= LOW_PAGE && first + count <= PAGES;

    for (page = first; legal && page < first + count; page++)
        legal = pages[page].reservation != 0;
    play(vidmm_address_decide_free(&space, first * PAGE, count * PAGE, &edit),
         legal ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER, &edit);
    if (legal)
        model_free(first, count);
}

static void play_seed(uint64_t seed, unsigned requests)
{
    unsigned i;

    random_state = seed;
    memset(pages, 0, sizeof pages);
    reservations = 0;
    counted_memory_init(&memory);
    vidmm_address_space_init(&space, LOW_PAGE * PAGE, PAGES * PAGE, &memory.table);
    for (i = 0; i <= ALLOCATIONS; i++)
        vidmm_address_ring_init(&rings[i]);
    for (i = 0; i < requests; i++) {
        unsigned kind = random_below(10);

        if (kind < 2)
            play_obtain(true);
        else if (kind < 4)
            play_obtain(false);
        else if (kind < 7)
            play_update();
        else if (kind < 9)
            play_copy();
        else
            play_free();
        check_promise();
        check_pages();
    }
    vidmm_address_space_finish(&space);
    for (i = 0; i <= ALLOCATIONS; i++)
        assert_ptr_equal(rings[i].next, &rings[i]);
    counted_memory_finish(&memory);
}

static void the_space_does_as_the_model_says(void **state)
{
    uint64_t seed;

    (void)state;
    for (seed = 1; seed <= SEEDS; seed++)
        play_seed(seed, REQUESTS / SEEDS * 4);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_space_does_as_the_model_says)};

    if (argc == 3) {
        play_seed(strtoull(argv[1], NULL, 10), (unsigned)strtoul(argv[2], NULL, 10));
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
