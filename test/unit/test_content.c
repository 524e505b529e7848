/* Contents: right content is accepted, wrong content is found, and told for what it is. */
#include "harness.h"

#include "base/content.h"

enum { PAGES = 4 };

static const struct vidmm_content_key key = {.seed = 42, .id = 7};

/* Pages of one allocation, after some writes. */
struct allocation {
    _Alignas(16) unsigned char page[PAGES][VIDMM_CONTENT_PAGE];
    uint32_t generation;
    uint32_t cpu[PAGES];
    uint64_t digest;
};

static void write_gpu(struct allocation *allocation)
{
    allocation->generation++;
    for (uint32_t i = 0; i < PAGES; i++)
        vidmm_content_write_gpu(allocation->page[i], key, i, allocation->generation);
}

static void write_cpu(struct allocation *allocation, uint32_t page)
{
    uint32_t number = ++allocation->cpu[page];

    vidmm_content_write_cpu(allocation->page[page], key, page, number);
    allocation->digest +=
        vidmm_content_digest(key, page, number) - vidmm_content_digest(key, page, number - 1);
}

/* Whether every page is right, and all of them together. */
static bool is_right(const struct allocation *allocation)
{
    uint64_t digest = 0;

    for (uint32_t i = 0; i < PAGES; i++)
        if (!vidmm_content_check_page(allocation->page[i], key, i, allocation->generation, &digest))
            return false;
    return digest == allocation->digest;
}

static struct vidmm_content_finding examine(const struct allocation *allocation, uint32_t page)
{
    return vidmm_content_examine(allocation->page[page], key, page, allocation->generation);
}

static void an_allocation_nobody_wrote_is_zeros(void **state)
{
    static struct allocation allocation;

    (void)state;
    memset(&allocation, 0, sizeof(allocation));
    assert_true(is_right(&allocation));
    allocation.page[2][17] = 1;
    assert_false(is_right(&allocation));
}

static void any_order_of_writes_is_right_after_each(void **state)
{
    static struct allocation allocation;

    (void)state;
    memset(&allocation, 0, sizeof(allocation));
    for (uint32_t i = 0; i < 40; i++) {
        if (i % 3 == 0)
            write_gpu(&allocation);
        else
            write_cpu(&allocation, i % PAGES);
        assert_true(is_right(&allocation));
    }
    assert_int_equal(vidmm_content_cpu_number(allocation.page[1]), allocation.cpu[1]);
}

static void a_write_changes_one_sector(void **state)
{
    static struct allocation before, after;

    (void)state;
    memset(&after, 0, sizeof(after));
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t changed = 0;

        before = after;
        if (i % 2)
            write_cpu(&after, 0);
        else
            write_gpu(&after);
        for (uint32_t s = 0; s < VIDMM_CONTENT_SECTORS; s++)
            changed += memcmp(before.page[0] + s * VIDMM_CONTENT_SECTOR,
                              after.page[0] + s * VIDMM_CONTENT_SECTOR, VIDMM_CONTENT_SECTOR) != 0;
        assert_int_equal(changed, 1);
    }
}

static void prepare(struct allocation *allocation)
{
    memset(allocation, 0, sizeof(*allocation));
    for (uint32_t i = 0; i < 6; i++) {
        write_gpu(allocation);
        for (uint32_t page = 0; page < PAGES; page++)
            write_cpu(allocation, page);
    }
}

static void every_flipped_bit_is_found(void **state)
{
    static struct allocation allocation;

    (void)state;
    prepare(&allocation);
    for (uint32_t bit = 0; bit < VIDMM_CONTENT_PAGE * 8; bit += 7) {
        allocation.page[1][bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_false(is_right(&allocation));
        assert_int_not_equal(examine(&allocation, 1).kind, VIDMM_CONTENT_RIGHT);
        allocation.page[1][bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    assert_true(is_right(&allocation));
}

static void a_page_before_the_last_write_is_stale(void **state)
{
    static struct allocation allocation, old;
    struct vidmm_content_finding finding;

    (void)state;
    prepare(&allocation);
    old = allocation;
    write_gpu(&allocation);
    memcpy(allocation.page[3], old.page[3], VIDMM_CONTENT_PAGE);
    assert_false(is_right(&allocation));
    finding = examine(&allocation, 3);
    assert_int_equal(finding.kind, VIDMM_CONTENT_STALE);
    assert_int_equal(finding.sector, 2);
    assert_int_equal(finding.expected, 7);
    assert_int_equal(finding.number, 3);
}

static void a_page_after_a_later_write_is_newer(void **state)
{
    static struct allocation allocation;

    (void)state;
    prepare(&allocation);
    write_gpu(&allocation);
    allocation.generation--;
    assert_int_equal(examine(&allocation, 0).kind, VIDMM_CONTENT_NEWER);
}

static void a_page_of_the_same_allocation_is_shifted(void **state)
{
    static struct allocation allocation;
    struct vidmm_content_finding finding;

    (void)state;
    prepare(&allocation);
    memcpy(allocation.page[0], allocation.page[1], VIDMM_CONTENT_PAGE);
    assert_false(is_right(&allocation));
    finding = examine(&allocation, 0);
    assert_int_equal(finding.kind, VIDMM_CONTENT_SHIFTED);
    assert_int_equal(finding.page, 1);
}

static void a_page_of_another_allocation_is_foreign(void **state)
{
    static struct allocation allocation;
    struct vidmm_content_key other = {.seed = 42, .id = 1234567};
    struct vidmm_content_finding finding;

    (void)state;
    prepare(&allocation);
    for (uint32_t g = 1; g <= 6; g++)
        vidmm_content_write_gpu(allocation.page[2], other, 77, g);
    finding = examine(&allocation, 2);
    assert_int_equal(finding.kind, VIDMM_CONTENT_FOREIGN);
    assert_int_equal(finding.id, 1234567);
    assert_int_equal(finding.page, 77);
}

static void zeros_poison_and_garbage_are_told_apart(void **state)
{
    static struct allocation allocation;

    (void)state;
    prepare(&allocation);
    memset(allocation.page[0], 0, VIDMM_CONTENT_PAGE);
    memset(allocation.page[1], 0xdb, VIDMM_CONTENT_PAGE);
    for (uint32_t i = 0; i < VIDMM_CONTENT_PAGE; i++)
        allocation.page[2][i] = (unsigned char)(i * i);
    assert_int_equal(examine(&allocation, 0).kind, VIDMM_CONTENT_ZEROS);
    assert_int_equal(examine(&allocation, 1).kind, VIDMM_CONTENT_UNIFORM);
    assert_true(examine(&allocation, 1).word == 0xdbdbdbdbdbdbdbdbu);
    assert_int_equal(examine(&allocation, 2).kind, VIDMM_CONTENT_GARBAGE);
}

static void bytes_of_another_seed_are_not_taken_for_ours(void **state)
{
    static struct allocation allocation;
    struct vidmm_content_key other = {.seed = 43, .id = key.id};
    struct vidmm_content_finding finding;

    (void)state;
    prepare(&allocation);
    vidmm_content_write_gpu(allocation.page[0], other, 0, 6);
    assert_false(is_right(&allocation));
    finding = examine(&allocation, 0);
    assert_true(finding.kind == VIDMM_CONTENT_FOREIGN || finding.kind == VIDMM_CONTENT_GARBAGE);
    assert_int_not_equal(finding.id, key.id);
}

/* The page is right by itself: it is the page as it was before the CPU wrote it. */
static void a_lost_cpu_write_is_found_by_the_digest_alone(void **state)
{
    static struct allocation allocation, old;
    uint64_t digest = 0;

    (void)state;
    prepare(&allocation);
    old = allocation;
    write_cpu(&allocation, 2);
    memcpy(allocation.page[2], old.page[2], VIDMM_CONTENT_PAGE);
    assert_true(
        vidmm_content_check_page(allocation.page[2], key, 2, allocation.generation, &digest));
    assert_false(is_right(&allocation));
}

static void a_check_that_fails_leaves_the_digest(void **state)
{
    static struct allocation allocation;
    uint64_t digest = 5;

    (void)state;
    prepare(&allocation);
    allocation.page[0][4095] ^= 1;
    assert_false(
        vidmm_content_check_page(allocation.page[0], key, 0, allocation.generation, &digest));
    assert_true(digest == 5);
}

static void every_kind_has_a_name(void **state)
{
    (void)state;
    for (int kind = VIDMM_CONTENT_RIGHT; kind <= VIDMM_CONTENT_LOST_CPU; kind++)
        assert_true(strlen(vidmm_content_kind_name((enum vidmm_content_kind)kind)) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_nobody_wrote_is_zeros),
        cmocka_unit_test(any_order_of_writes_is_right_after_each),
        cmocka_unit_test(a_write_changes_one_sector),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(a_page_before_the_last_write_is_stale),
        cmocka_unit_test(a_page_after_a_later_write_is_newer),
        cmocka_unit_test(a_page_of_the_same_allocation_is_shifted),
        cmocka_unit_test(a_page_of_another_allocation_is_foreign),
        cmocka_unit_test(zeros_poison_and_garbage_are_told_apart),
        cmocka_unit_test(bytes_of_another_seed_are_not_taken_for_ours),
        cmocka_unit_test(a_lost_cpu_write_is_found_by_the_digest_alone),
        cmocka_unit_test(a_check_that_fails_leaves_the_digest),
        cmocka_unit_test(every_kind_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
