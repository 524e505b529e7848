/* tree.h: a balanced search tree whose nodes are members of the caller's records.
 *
 *                 (head)
 *                 /
 *              (d)                 to the left of a node: what comes before it
 *            /     \               to the right: what comes after it
 *         (b)       (e)            heights of the two sides differ by 1 at most
 *        /   \         \
 *     (a)     (c)       (f)        depth of n nodes: 1.44 log2(n) at most
 *
 * The caller goes down the tree himself, because he alone knows the order, and says where the node
 * belongs. A record may keep a figure about all nodes below it, for instance the largest of
 * something; `update` works the figure out from those of its two children, answers whether it is
 * another one than before, and is called for each node whose children have changed, the lowest
 * first, upward until nothing changes. Pass a static inline function, and the compiler puts it in
 * place.
 *
 * Inserting and removing take O(log n), allocate nothing and cannot fail. One thread at a time.
 *
 * Invariants
 * N1. `up` holds the parent's address and, in its two low bits, the height of the right side less
 *     that of the left side, plus 1.
 * N2. The root is the left child of the head. The head alone has no parent.
 */
#ifndef VIDMM_BASE_TREE_H
#define VIDMM_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

enum vidmm_tree_side { VIDMM_TREE_LEFT, VIDMM_TREE_RIGHT };

struct vidmm_tree_node {
    struct vidmm_tree_node *child[2]; /* by enum vidmm_tree_side */
    uintptr_t up;                     /* N1 */
};

/* All zeroes is an empty tree. It may not be moved while it has nodes. */
struct vidmm_tree {
    struct vidmm_tree_node head;
};

typedef bool vidmm_tree_update(struct vidmm_tree_node *node);

#define VIDMM_TREE_INLINE static inline __attribute__((always_inline))

/* NULL: the tree is empty. */
static inline struct vidmm_tree_node *vidmm_tree_root(const struct vidmm_tree *tree)
{
    return tree->head.child[VIDMM_TREE_LEFT];
}

static inline struct vidmm_tree_node *vidmm_tree_parent(const struct vidmm_tree_node *node)
{
    return (struct vidmm_tree_node *)(node->up & ~(uintptr_t)3); /* N1 */
}

static inline bool vidmm_tree_is_head(const struct vidmm_tree_node *node)
{
    return node->up == 0; /* N2 */
}

/* The tree in which the node is. */
static inline struct vidmm_tree *vidmm_tree_of(struct vidmm_tree_node *node)
{
    while (!vidmm_tree_is_head(node))
        node = vidmm_tree_parent(node);
    return (struct vidmm_tree *)(void *)node;
}

/* The other side. */
static inline enum vidmm_tree_side vidmm_tree_opposite(enum vidmm_tree_side side)
{
    return side == VIDMM_TREE_LEFT ? VIDMM_TREE_RIGHT : VIDMM_TREE_LEFT;
}

/* The first node below `node`, itself included, or the last one. NULL for NULL. */
static inline struct vidmm_tree_node *vidmm_tree_outermost(struct vidmm_tree_node *node,
                                                           enum vidmm_tree_side side)
{
    while (node && node->child[side])
        node = node->child[side];
    return node;
}

/* On which side of its parent the node is. */
static inline enum vidmm_tree_side vidmm_tree_side_of(const struct vidmm_tree_node *node)
{
    return vidmm_tree_parent(node)->child[VIDMM_TREE_LEFT] == node ? VIDMM_TREE_LEFT
                                                                   : VIDMM_TREE_RIGHT;
}

/* The node beside it in order. NULL: there is none on that side. */
static inline struct vidmm_tree_node *vidmm_tree_beside(const struct vidmm_tree_node *node,
                                                        enum vidmm_tree_side side)
{
    if (node->child[side])
        return vidmm_tree_outermost(node->child[side], vidmm_tree_opposite(side));
    while (!vidmm_tree_is_head(node) && vidmm_tree_side_of(node) == side)
        node = vidmm_tree_parent(node);
    node = vidmm_tree_parent(node);
    return node && !vidmm_tree_is_head(node) ? (struct vidmm_tree_node *)(uintptr_t)node : NULL;
}

static inline struct vidmm_tree_node *vidmm_tree_next(const struct vidmm_tree_node *node)
{
    return vidmm_tree_beside(node, VIDMM_TREE_RIGHT);
}

static inline struct vidmm_tree_node *vidmm_tree_previous(const struct vidmm_tree_node *node)
{
    return vidmm_tree_beside(node, VIDMM_TREE_LEFT);
}

/* ---- how it is kept in balance ---- */

/* Height of the right side less that of the left side. */
static inline int vidmm_tree_balance(const struct vidmm_tree_node *node)
{
    return (int)(node->up & 3) - 1; /* N1 */
}

static inline void vidmm_tree_set_balance(struct vidmm_tree_node *node, int balance)
{
    node->up = (node->up & ~(uintptr_t)3) | (uintptr_t)(balance + 1); /* N1 */
}

/* Make `child`, or nothing if it is NULL, the child of `parent` on that side. */
static inline void vidmm_tree_link(struct vidmm_tree_node *parent, enum vidmm_tree_side side,
                                   struct vidmm_tree_node *child)
{
    parent->child[side] = child;
    if (child)
        child->up = (uintptr_t)parent | (child->up & 3); /* N1 */
}

/* Lift the child of `node` on that side over it. Balances are the caller's. */
VIDMM_TREE_INLINE void vidmm_tree_lift(struct vidmm_tree_node *node, enum vidmm_tree_side side,
                                       vidmm_tree_update *update)
{
    enum vidmm_tree_side other = vidmm_tree_opposite(side);
    struct vidmm_tree_node *child = node->child[side];

    vidmm_tree_link(vidmm_tree_parent(node), vidmm_tree_side_of(node), child);
    vidmm_tree_link(node, side, child->child[other]);
    vidmm_tree_link(child, other, node);
    update(node);
    update(child);
}

/* The given side of `node` is higher by two: make it higher by one at most. Answers the node that
 * now stands in its place. */
VIDMM_TREE_INLINE struct vidmm_tree_node *vidmm_tree_restore(struct vidmm_tree_node *node,
                                                             enum vidmm_tree_side side,
                                                             vidmm_tree_update *update)
{
    int high = side == VIDMM_TREE_RIGHT ? 1 : -1;
    struct vidmm_tree_node *child = node->child[side], *inner;
    int lean = vidmm_tree_balance(child) * high; /* 1: outward, -1: inward */

    if (lean >= 0) {
        vidmm_tree_lift(node, side, update);
        vidmm_tree_set_balance(node, lean > 0 ? 0 : high);
        vidmm_tree_set_balance(child, lean > 0 ? 0 : -high);
        return child;
    }
    inner = child->child[vidmm_tree_opposite(side)];
    lean = vidmm_tree_balance(inner) * high;
    vidmm_tree_lift(child, vidmm_tree_opposite(side), update);
    vidmm_tree_lift(node, side, update);
    vidmm_tree_set_balance(node, lean > 0 ? -high : 0);
    vidmm_tree_set_balance(child, lean < 0 ? high : 0);
    vidmm_tree_set_balance(inner, 0);
    return inner;
}

/* Work out the figure of the node, and of those above it until one stays as it was. */
VIDMM_TREE_INLINE void vidmm_tree_refresh(struct vidmm_tree_node *node, vidmm_tree_update *update)
{
    while (!vidmm_tree_is_head(node) && update(node))
        node = vidmm_tree_parent(node);
}

/* Give `heir`, the node after `node`, its place; both sides of `node` have nodes. Answers the node
 * of which a side has become lower, and the side. */
static inline struct vidmm_tree_node *vidmm_tree_inherit(struct vidmm_tree_node *node,
                                                         struct vidmm_tree_node *heir,
                                                         enum vidmm_tree_side *side)
{
    struct vidmm_tree_node *lower = vidmm_tree_parent(heir);

    *side = VIDMM_TREE_RIGHT;
    if (lower == node) {
        lower = heir;
    } else {
        *side = VIDMM_TREE_LEFT;
        vidmm_tree_link(lower, VIDMM_TREE_LEFT, heir->child[VIDMM_TREE_RIGHT]);
        vidmm_tree_link(heir, VIDMM_TREE_RIGHT, node->child[VIDMM_TREE_RIGHT]);
    }
    vidmm_tree_link(heir, VIDMM_TREE_LEFT, node->child[VIDMM_TREE_LEFT]);
    vidmm_tree_link(vidmm_tree_parent(node), vidmm_tree_side_of(node), heir);
    vidmm_tree_set_balance(heir, vidmm_tree_balance(node));
    return lower;
}

/* ---- what changes a tree ---- */

/* Make `node` the child of `parent` on that side, which is empty. parent NULL: the root of an empty
 * tree. */
VIDMM_TREE_INLINE void vidmm_tree_insert(struct vidmm_tree *tree, struct vidmm_tree_node *parent,
                                         enum vidmm_tree_side side, struct vidmm_tree_node *node,
                                         vidmm_tree_update *update)
{
    if (!parent) {
        parent = &tree->head;
        side = VIDMM_TREE_LEFT;
    }
    VIDMM_ASSERT(!parent->child[side]);
    *node = (struct vidmm_tree_node){{NULL, NULL}, 1};
    vidmm_tree_link(parent, side, node);
    update(node);
    while (!vidmm_tree_is_head(parent)) { /* the given side of it has grown by one */
        int balance = vidmm_tree_balance(parent) + (side == VIDMM_TREE_RIGHT ? 1 : -1);

        if (balance == 2 || balance == -2) {
            parent = vidmm_tree_parent(vidmm_tree_restore(parent, side, update));
            break;
        }
        vidmm_tree_set_balance(parent, balance);
        if (balance == 0)
            break;
        update(parent);
        side = vidmm_tree_side_of(parent);
        parent = vidmm_tree_parent(parent);
    }
    vidmm_tree_refresh(parent, update);
}

/* Take the node out of its tree. */
VIDMM_TREE_INLINE void vidmm_tree_remove(struct vidmm_tree_node *node, vidmm_tree_update *update)
{
    struct vidmm_tree_node *left = node->child[VIDMM_TREE_LEFT];
    struct vidmm_tree_node *right = node->child[VIDMM_TREE_RIGHT];
    struct vidmm_tree_node *lower = vidmm_tree_parent(node), *heir = NULL;
    enum vidmm_tree_side side = vidmm_tree_side_of(node);

    if (left && right) {
        heir = vidmm_tree_outermost(right, VIDMM_TREE_LEFT);
        lower = vidmm_tree_inherit(node, heir, &side);
    } else {
        vidmm_tree_link(lower, side, left ? left : right);
    }
    while (!vidmm_tree_is_head(lower)) { /* the given side of it has become lower by one */
        int balance = vidmm_tree_balance(lower) + (side == VIDMM_TREE_RIGHT ? -1 : 1);

        if (balance == 1 || balance == -1) {
            vidmm_tree_set_balance(lower, balance);
            break;
        }
        if (balance == 0) {
            vidmm_tree_set_balance(lower, 0);
            update(lower);
        } else {
            lower = vidmm_tree_restore(lower, vidmm_tree_opposite(side), update);
        }
        side = vidmm_tree_side_of(lower);
        balance = vidmm_tree_balance(lower);
        lower = vidmm_tree_parent(lower);
        if (balance != 0)
            break; /* it is as high as before */
    }
    vidmm_tree_refresh(lower, update);
    if (heir) { /* its own figure was that of another place */
        update(heir);
        vidmm_tree_refresh(vidmm_tree_parent(heir), update);
    }
}

#endif
