/* tree.c: best fit and first fit with a red-black tree, the reference of rows 1, 3 and 4. */
#include "tree.h"

#include <stdlib.h>

#include "bench.h"

static struct tree_node *at(const struct tree *t, uint32_t node)
{
    return &t->nodes[node];
}

/* ---- The red-black tree ---- */

static bool less(const struct tree *t, uint32_t a, uint32_t b)
{
    if (t->fit == TREE_BEST_FIT && at(t, a)->size != at(t, b)->size)
        return at(t, a)->size < at(t, b)->size;
    return at(t, a)->start < at(t, b)->start;
}

static void update(struct tree *t, uint32_t n)
{
    uint32_t most = at(t, n)->size, left = at(t, at(t, n)->left)->most;
    uint32_t right = at(t, at(t, n)->right)->most;

    most = left > most ? left : most;
    at(t, n)->most = right > most ? right : most;
}

static void update_up(struct tree *t, uint32_t n)
{
    for (; t->fit == TREE_FIRST_FIT && n != 0; n = at(t, n)->parent)
        update(t, n);
}

/* Put `child`, which may be 0, where `n` hangs. */
static void replace(struct tree *t, uint32_t n, uint32_t child)
{
    uint32_t parent = at(t, n)->parent;

    if (parent == 0)
        t->root = child;
    else if (at(t, parent)->left == n)
        at(t, parent)->left = child;
    else
        at(t, parent)->right = child;
    at(t, child)->parent = parent;
}

/* The child on one side goes up, `n` goes down to the other side. */
static void rotate(struct tree *t, uint32_t n, bool left)
{
    uint32_t up = left ? at(t, n)->right : at(t, n)->left;
    uint32_t across = left ? at(t, up)->left : at(t, up)->right;

    replace(t, n, up);
    if (left) {
        at(t, n)->right = across;
        at(t, up)->left = n;
    } else {
        at(t, n)->left = across;
        at(t, up)->right = n;
    }
    if (across != 0)
        at(t, across)->parent = n;
    at(t, n)->parent = up;
    if (t->fit == TREE_FIRST_FIT) {
        update(t, n);
        update(t, up);
    }
}

static void mend_insert(struct tree *t, uint32_t n)
{
    while (at(t, at(t, n)->parent)->red) {
        uint32_t parent = at(t, n)->parent, grand = at(t, parent)->parent;
        bool left = at(t, grand)->left == parent;
        uint32_t uncle = left ? at(t, grand)->right : at(t, grand)->left;

        if (at(t, uncle)->red) {
            at(t, parent)->red = at(t, uncle)->red = false;
            at(t, grand)->red = true;
            n = grand;
            continue;
        }
        if (n == (left ? at(t, parent)->right : at(t, parent)->left)) {
            rotate(t, parent, left);
            parent = n;
        }
        at(t, parent)->red = false;
        at(t, grand)->red = true;
        rotate(t, grand, !left);
        break;
    }
    at(t, t->root)->red = false;
}

static void insert(struct tree *t, uint32_t n)
{
    uint32_t parent = 0, *link = &t->root;

    while (*link != 0) {
        parent = *link;
        link = less(t, n, parent) ? &at(t, parent)->left : &at(t, parent)->right;
    }
    *link = n;
    at(t, n)->parent = parent;
    at(t, n)->left = at(t, n)->right = 0;
    at(t, n)->red = true;
    update_up(t, n);
    mend_insert(t, n);
}

/* `n`, which may be 0, hangs one black node too low. */
static void mend_remove(struct tree *t, uint32_t n)
{
    while (n != t->root && !at(t, n)->red) {
        uint32_t parent = at(t, n)->parent;
        bool left = at(t, parent)->left == n;
        uint32_t other = left ? at(t, parent)->right : at(t, parent)->left;

        if (at(t, other)->red) {
            at(t, other)->red = false;
            at(t, parent)->red = true;
            rotate(t, parent, left);
            other = left ? at(t, parent)->right : at(t, parent)->left;
        }
        uint32_t near = left ? at(t, other)->left : at(t, other)->right;
        uint32_t far = left ? at(t, other)->right : at(t, other)->left;
        if (!at(t, near)->red && !at(t, far)->red) {
            at(t, other)->red = true;
            n = parent;
            continue;
        }
        if (!at(t, far)->red) {
            at(t, near)->red = false;
            at(t, other)->red = true;
            rotate(t, other, !left);
            far = other;
            other = near;
        }
        at(t, other)->red = at(t, parent)->red;
        at(t, parent)->red = at(t, far)->red = false;
        rotate(t, parent, left);
        n = t->root;
    }
    at(t, n)->red = false;
}

static uint32_t leftmost(const struct tree *t, uint32_t n)
{
    while (at(t, n)->left != 0)
        n = at(t, n)->left;
    return n;
}

static void remove_node(struct tree *t, uint32_t n)
{
    uint32_t gone = n, child, from;
    bool black;

    if (at(t, n)->left != 0 && at(t, n)->right != 0)
        gone = leftmost(t, at(t, n)->right);
    child = at(t, gone)->left != 0 ? at(t, gone)->left : at(t, gone)->right;
    black = !at(t, gone)->red;
    replace(t, gone, child);
    from = at(t, gone)->parent;
    if (gone != n) { /* the successor takes the place of n */
        from = from == n ? gone : from;
        at(t, gone)->left = at(t, n)->left;
        at(t, gone)->right = at(t, n)->right;
        at(t, gone)->red = at(t, n)->red;
        replace(t, n, gone);
        at(t, at(t, gone)->left)->parent = gone;
        at(t, at(t, gone)->right)->parent = gone;
        at(t, child)->parent = from;
    }
    update_up(t, from);
    if (black)
        mend_remove(t, child);
}

static uint32_t successor(const struct tree *t, uint32_t n)
{
    uint32_t parent = at(t, n)->parent;

    if (at(t, n)->right != 0)
        return leftmost(t, at(t, n)->right);
    while (parent != 0 && at(t, parent)->right == n) {
        n = parent;
        parent = at(t, n)->parent;
    }
    return parent;
}

/* ---- The ranges ---- */

void tree_init(struct tree *tree, enum tree_fit fit, uint32_t pages, uint32_t capacity)
{
    uint32_t i;

    *tree = (struct tree){.fit = fit, .capacity = capacity + 1};
    tree->nodes = bench_allocate(tree->capacity, sizeof *tree->nodes);
    for (i = capacity; i >= 2; i--) {
        tree->nodes[i].behind = tree->spare;
        tree->spare = i;
    }
    tree->nodes[1] = (struct tree_node){.size = pages, .most = pages, .hole = true};
    insert(tree, 1);
}

void tree_finish(struct tree *tree)
{
    free(tree->nodes);
}

static bool fits(const struct tree *t, uint32_t n, uint32_t size, uint32_t align_mask)
{
    uint32_t start = (at(t, n)->start + align_mask) & ~align_mask;

    return start + size <= at(t, n)->start + at(t, n)->size;
}

static uint32_t find_best(const struct tree *t, uint32_t size, uint32_t align_mask)
{
    uint32_t n = t->root, found = 0;

    while (n != 0) {
        bool enough = at(t, n)->size >= size;

        found = enough ? n : found;
        n = enough ? at(t, n)->left : at(t, n)->right;
    }
    while (found != 0 && !fits(t, found, size, align_mask))
        found = successor(t, found);
    return found;
}

static uint32_t find_first(const struct tree *t, uint32_t n, uint32_t size, uint32_t align_mask)
{
    uint32_t found;

    if (at(t, n)->most < size)
        return 0;
    found = find_first(t, at(t, n)->left, size, align_mask);
    if (found != 0)
        return found;
    if (fits(t, n, size, align_mask))
        return n;
    return find_first(t, at(t, n)->right, size, align_mask);
}

/* A new node between two neighbours; it is in no tree. */
static uint32_t add_node(struct tree *t, uint32_t before, uint32_t behind)
{
    uint32_t n = t->spare;

    bench_check(n != 0, "the reference has too few nodes");
    t->spare = at(t, n)->behind;
    at(t, n)->before = before;
    at(t, n)->behind = behind;
    at(t, before)->behind = n;
    at(t, behind)->before = n;
    return n;
}

static void drop_node(struct tree *t, uint32_t n)
{
    at(t, at(t, n)->before)->behind = at(t, n)->behind;
    at(t, at(t, n)->behind)->before = at(t, n)->before;
    at(t, n)->behind = t->spare;
    t->spare = n;
}

static void add_hole(struct tree *t, uint32_t before, uint32_t behind, uint32_t start,
                     uint32_t size)
{
    uint32_t n = add_node(t, before, behind);

    at(t, n)->start = start;
    at(t, n)->size = size;
    at(t, n)->hole = true;
    insert(t, n);
}

uint32_t tree_take(struct tree *tree, uint32_t size, uint32_t align_mask)
{
    uint32_t n = tree->fit == TREE_BEST_FIT ? find_best(tree, size, align_mask)
                                            : find_first(tree, tree->root, size, align_mask);

    if (n == 0)
        return 0;
    struct tree_node *node = at(tree, n);
    uint32_t low = node->start, end = low + node->size, start = (low + align_mask) & ~align_mask;

    remove_node(tree, n); /* the hole's node becomes the live range's */
    node->hole = false;
    node->start = start;
    node->size = size;
    if (start != low)
        add_hole(tree, node->before, n, low, start - low);
    if (start + size != end)
        add_hole(tree, n, node->behind, start + size, end - start - size);
    return n;
}

void tree_release(struct tree *tree, uint32_t range)
{
    struct tree_node *node = at(tree, range);
    uint32_t before = node->before, behind = node->behind;

    if (before != 0 && at(tree, before)->hole) {
        remove_node(tree, before);
        node->start = at(tree, before)->start;
        node->size += at(tree, before)->size;
        drop_node(tree, before);
    }
    if (behind != 0 && at(tree, behind)->hole) {
        remove_node(tree, behind);
        node->size += at(tree, behind)->size;
        drop_node(tree, behind);
    }
    node->hole = true;
    insert(tree, range);
}
