/* Things one behind the other: base/queue.h. */
#include "harness.h"

#include "base/queue.h"

struct item {
    int number;
    struct item *next_item;
};

VIDMM_QUEUE(items, struct item, next_item);

static struct item some[6];

/* Make a queue of some[first] ... some[first + count - 1]. */
static struct items queue_of(int first, int count)
{
    struct items queue = {NULL, NULL};

    for (int number = first; number < first + count; number++) {
        some[number] = (struct item){number, &some[0]}; /* the link is what it was: anything */
        items_add(&queue, &some[number]);
    }
    return queue;
}

/* The queue holds some[first] ... in this order, and ends there. */
static void assert_holds(const struct items *queue, int first, int count)
{
    const struct item *item = queue->first, *last = NULL;

    for (int number = first; number < first + count; number++) {
        assert_ptr_equal(item, &some[number]);
        last = item;
        item = item->next_item;
    }
    assert_null(item);
    assert_ptr_equal(queue->last, last);
}

static void a_queue_of_zeros_is_empty(void **state)
{
    struct items queue = {NULL, NULL};

    (void)state;
    assert_null(items_take(&queue));
    assert_holds(&queue, 0, 0);
}

static void who_comes_first_is_taken_first(void **state)
{
    struct items queue = queue_of(0, 3);

    (void)state;
    assert_holds(&queue, 0, 3);
    assert_int_equal(items_take(&queue)->number, 0);
    assert_holds(&queue, 1, 2);
    assert_int_equal(items_take(&queue)->number, 1);
    assert_int_equal(items_take(&queue)->number, 2);
    assert_null(items_take(&queue));
    assert_holds(&queue, 0, 0);
}

static void what_was_taken_may_be_added_again(void **state)
{
    struct items queue = queue_of(0, 1);
    struct item *item = items_take(&queue);

    (void)state;
    assert_null(item->next_item);
    items_add(&queue, item);
    assert_holds(&queue, 0, 1);
}

static void one_leaves_from_the_front_the_middle_or_the_end(void **state)
{
    struct items queue = queue_of(0, 4);

    (void)state;
    items_remove(&queue, &some[2], &some[3]);
    assert_holds(&queue, 0, 3);
    items_remove(&queue, NULL, &some[0]);
    assert_holds(&queue, 1, 2);
    items_remove(&queue, &some[1], &some[2]);
    assert_holds(&queue, 1, 1);
    items_remove(&queue, NULL, &some[1]);
    assert_holds(&queue, 0, 0);
    queue = queue_of(0, 3);
    items_remove(&queue, &some[0], &some[1]);
    assert_ptr_equal(some[0].next_item, &some[2]);
    assert_ptr_equal(queue.last, &some[2]);
}

static void joined_queues_keep_their_order(void **state)
{
    struct items queue = queue_of(0, 2), other = queue_of(2, 3), none = {NULL, NULL};

    (void)state;
    items_join(&queue, &other);
    assert_holds(&queue, 0, 5);
    assert_holds(&other, 0, 0);
    items_join(&queue, &none);
    assert_holds(&queue, 0, 5);
    items_join(&none, &queue);
    assert_holds(&none, 0, 5);
    assert_holds(&queue, 0, 0);
    some[5] = (struct item){5, NULL};
    items_add(&none, &some[5]);
    assert_holds(&none, 0, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_of_zeros_is_empty),
        cmocka_unit_test(who_comes_first_is_taken_first),
        cmocka_unit_test(what_was_taken_may_be_added_again),
        cmocka_unit_test(one_leaves_from_the_front_the_middle_or_the_end),
        cmocka_unit_test(joined_queues_keep_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
