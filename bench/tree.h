/*
 * tree.h: the reference that a segment is measured against: holes in a red-black tree.
 *
 * Best fit keeps the holes by size and takes the smallest that has a place, looking at larger ones
 * in turn while alignment spoils the fit. First fit keeps them by address, each node with the
 * largest size below it, and takes the lowest that has a place. Both are the textbook algorithms
 * (Guibas and Sedgewick 1978; Knuth, volume 1, 2.5; augmented trees as in Cormen et al.), with
 * boundary links between neighbours.
 */
#ifndef VIDMM_BENCH_TREE_H
#define VIDMM_BENCH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tree_fit { TREE_BEST_FIT, TREE_FIRST_FIT };

struct tree_node {
    uint32_t start, size;         /* pages */
    uint32_t before, behind;      /* neighbours by address, live ranges and holes; 0: none */
    uint32_t parent, left, right; /* holes only; 0: none */
    uint32_t most;                /* first fit: the largest size in this subtree */
    bool red, hole;
};

struct tree {
    struct tree_node *nodes; /* node 0 is every missing one */
    uint32_t root, spare, capacity;
    enum tree_fit fit;
};

/* `capacity`: the most live ranges and holes there will be at once. */
void tree_init(struct tree *tree, enum tree_fit fit, uint32_t pages, uint32_t capacity);
void tree_finish(struct tree *tree);

/* Pages; align_mask is the alignment less one. 0: no hole has a place. */
uint32_t tree_take(struct tree *tree, uint32_t size, uint32_t align_mask);
void tree_release(struct tree *tree, uint32_t range);

#endif
