/* test_tree.c: a balanced tree of records, with a figure that is worked out upward. */
#include "harness.h"

#include "base/tree.h"

enum { MANY = 700, ROUNDS = 40000 };

struct record {
    struct vidmm_tree_node node;
    unsigned key;
    unsigned weight;
    unsigned heaviest; /* of the subtree */
    bool in;
};

static struct record records[MANY];

static struct record *record_of(const struct vidmm_tree_node *node)
{
    return (struct record *)(uintptr_t)node;
}

VIDMM_TREE_INLINE bool update(struct vidmm_tree_node *node)
{
    struct record *record = record_of(node);
    unsigned side, before = record->heaviest;

    record->heaviest = record->weight;
    for (side = 0; side < 2; side++)
        if (node->child[side] && record_of(node->child[side])->heaviest > record->heaviest)
            record->heaviest = record_of(node->child[side])->heaviest;
    return record->heaviest != before;
}

static void put_in(struct vidmm_tree *tree, struct record *record)
{
    struct vidmm_tree_node *node = vidmm_tree_root(tree), *parent = NULL;
    enum vidmm_tree_side side = VIDMM_TREE_LEFT;

    while (node) {
        parent = node;
        side = record->key < record_of(node)->key ? VIDMM_TREE_LEFT : VIDMM_TREE_RIGHT;
        node = node->child[side];
    }
    vidmm_tree_insert(tree, parent, side, &record->node, update);
    record->in = true;
}

static void take_out(struct record *record)
{
    vidmm_tree_remove(&record->node, update);
    record->in = false;
}

/* Height of a subtree in which everything holds. */
static int check_below(const struct vidmm_tree_node *node)
{
    const struct record *record = record_of(node);
    unsigned heaviest = record->weight;
    int height[2] = {0, 0};
    unsigned side;

    for (side = 0; side < 2; side++) {
        const struct vidmm_tree_node *child = node->child[side];

        if (!child)
            continue;
        assert_ptr_equal(vidmm_tree_parent(child), node); /* N2 */
        assert_int_equal(vidmm_tree_side_of(child), side);
        height[side] = check_below(child);
        if (record_of(child)->heaviest > heaviest)
            heaviest = record_of(child)->heaviest;
    }
    assert_int_equal(height[1] - height[0], vidmm_tree_balance(node)); /* N1 */
    assert_in_range(height[1] - height[0] + 1, 0, 2);
    assert_int_equal(record->heaviest, heaviest);
    return 1 + (height[0] > height[1] ? height[0] : height[1]);
}

/* The tree holds what it should, in order, from either end. */
static void check(struct vidmm_tree *tree)
{
    struct vidmm_tree_node *node = vidmm_tree_outermost(vidmm_tree_root(tree), VIDMM_TREE_LEFT);
    struct vidmm_tree_node *last = NULL;
    unsigned key;

    if (vidmm_tree_root(tree))
        assert_in_range(check_below(vidmm_tree_root(tree)), 1, 14); /* 1.44 log2(700) */
    for (key = 0; key < MANY; key++) {
        if (!records[key].in)
            continue;
        assert_ptr_equal(node, &records[key].node);
        assert_ptr_equal(vidmm_tree_previous(node), last);
        assert_ptr_equal(vidmm_tree_of(node), tree);
        last = node;
        node = vidmm_tree_next(node);
    }
    assert_null(node);
    assert_ptr_equal(vidmm_tree_outermost(vidmm_tree_root(tree), VIDMM_TREE_RIGHT), last);
}

static void begin(void)
{
    unsigned key;

    memset(records, 0, sizeof records);
    for (key = 0; key < MANY; key++) {
        records[key].key = key;
        records[key].weight = key * 2654435761u >> 8;
    }
}

static void an_empty_tree_has_nothing(void **state)
{
    struct vidmm_tree tree = {0};

    (void)state;
    assert_null(vidmm_tree_root(&tree));
    assert_null(vidmm_tree_outermost(vidmm_tree_root(&tree), VIDMM_TREE_LEFT));
}

static void it_stays_balanced_in_every_order_of_coming(void **state)
{
    struct vidmm_tree tree = {0};
    unsigned order, n;

    (void)state;
    for (order = 0; order < 3; order++) {
        begin();
        for (n = 0; n < MANY; n++) {
            unsigned key = order == 0 ? n : order == 1 ? MANY - 1 - n : n * 373 % MANY;

            put_in(&tree, &records[key]);
            check(&tree);
        }
        for (n = 0; n < MANY; n++) {
            take_out(&records[order == 1 ? n : n * 577 % MANY]);
            check(&tree);
        }
        assert_null(vidmm_tree_root(&tree));
    }
}

static void it_stays_balanced_when_nodes_come_and_go(void **state)
{
    struct vidmm_tree tree = {0};
    uint64_t random = 1;
    unsigned round;

    (void)state;
    begin();
    for (round = 0; round < ROUNDS; round++) {
        struct record *record;

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        record = &records[(random >> 33) % (round / 8000 % 2 ? MANY : 12)];
        if (record->in)
            take_out(record);
        else
            put_in(&tree, record);
        if (round % 7 == 0)
            check(&tree);
    }
    check(&tree);
}

static void a_figure_that_changes_is_worked_out_upward(void **state)
{
    struct vidmm_tree tree = {0};
    unsigned key;

    (void)state;
    begin();
    for (key = 0; key < MANY; key++)
        put_in(&tree, &records[key]);
    for (key = 0; key < MANY; key++) {
        records[key].weight = UINT32_MAX;
        vidmm_tree_refresh(&records[key].node, update);
        assert_int_equal(record_of(vidmm_tree_root(&tree))->heaviest, UINT32_MAX);
        records[key].weight = key;
        vidmm_tree_refresh(&records[key].node, update);
        check(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_tree_has_nothing),
        cmocka_unit_test(it_stays_balanced_in_every_order_of_coming),
        cmocka_unit_test(it_stays_balanced_when_nodes_come_and_go),
        cmocka_unit_test(a_figure_that_changes_is_worked_out_upward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
