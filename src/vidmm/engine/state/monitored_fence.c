/* monitored_fence.c: waits in a tree by value, so that a signal looks at those that end, and at one
 * more.
 *
 * Invariants
 * D1. A wait that is `waiting` is in the tree of its fence, and its value is above the fence's
 *     newest known one.
 * D2. A fence is watched if and only if its tree has waits.
 * D3. `left` of a waiter is the number of its waits that are waiting. A waiter
 *     that is `met` has none left, and is in the list of those to be taken.
 */
#include "vidmm/engine/state/monitored_fence.h"

#include <base/assert.h>

/* ---- the tree of waits ---- */

static bool no_figure(struct vidmm_tree_node *node)
{
    (void)node;
    return false;
}

static struct vidmm_fence_wait *wait_of(struct vidmm_tree_node *node)
{
    return (struct vidmm_fence_wait *)(void *)node; /* the first member */
}

static void watch(struct vidmm_monitored_fence *fence)
{
    struct vidmm_fence_watch *all = fence->watch;

    fence->previous = NULL;
    fence->next = all->first;
    if (all->first)
        all->first->previous = fence;
    all->first = fence;
}

static void watch_no_more(struct vidmm_monitored_fence *fence)
{
    if (fence->next)
        fence->next->previous = fence->previous;
    if (fence->previous)
        fence->previous->next = fence->next;
    else
        fence->watch->first = fence->next;
    fence->next = NULL;
    fence->previous = NULL;
}

/* Behind those of the same value. */
static void enter(struct vidmm_fence_wait *wait)
{
    struct vidmm_tree_node *parent = NULL, *node = vidmm_tree_root(&wait->fence->waits);
    enum vidmm_tree_side side = VIDMM_TREE_LEFT;

    VIDMM_ASSERT(wait->value > wait->fence->value); /* D1 */
    if (!node)
        watch(wait->fence);
    while (node) {
        parent = node;
        side = wait->value < wait_of(node)->value ? VIDMM_TREE_LEFT : VIDMM_TREE_RIGHT;
        node = node->child[side];
    }
    vidmm_tree_insert(&wait->fence->waits, parent, side, &wait->node, no_figure);
    wait->waiting = true;
    wait->waiter->left++;
}

static void leave(struct vidmm_fence_wait *wait)
{
    VIDMM_ASSERT(wait->waiting && wait->waiter->left > 0); /* D3 */
    vidmm_tree_remove(&wait->node, no_figure);
    wait->waiting = false;
    wait->waiter->left--;
    if (!vidmm_tree_root(&wait->fence->waits))
        watch_no_more(wait->fence); /* D2 */
}

/* The wait of the lowest value. NULL: nobody waits. */
static struct vidmm_fence_wait *lowest(const struct vidmm_monitored_fence *fence)
{
    struct vidmm_tree_node *node =
        vidmm_tree_outermost(vidmm_tree_root(&fence->waits), VIDMM_TREE_LEFT);

    return node ? wait_of(node) : NULL;
}

static void leave_all(const struct vidmm_fence_waiter *waiter)
{
    uint32_t index;

    for (index = 0; index < waiter->count; index++)
        if (waiter->waits[index].waiting)
            leave(&waiter->waits[index]);
    VIDMM_ASSERT(waiter->left == 0); /* D3 */
}

/* ---- values ---- */

void vidmm_monitored_fence_init(struct vidmm_monitored_fence *fence,
                                struct vidmm_fence_watch *watch, uint64_t value, bool narrow)
{
    *fence = (struct vidmm_monitored_fence){.watch = watch, .value = value, .narrow = narrow};
}

bool vidmm_monitored_fence_reaches(const struct vidmm_monitored_fence *fence, uint64_t value)
{
    uint64_t away = value > fence->value ? value - fence->value : fence->value - value;

    return !fence->narrow || away <= VIDMM_NARROW_REACH;
}

/* The value of which the memory holds these bits. */
static uint64_t widen(const struct vidmm_monitored_fence *fence, uint64_t bits)
{
    uint32_t ahead = (uint32_t)bits - (uint32_t)fence->value, behind = 0 - ahead;

    if (!fence->narrow)
        return bits;
    return ahead <= VIDMM_NARROW_REACH || behind > fence->value
               ? fence->value + ahead
               : fence->value - behind; /* obeys D-185 */
}

/* It has that value: waits end, the lowest first. */
static void advance(struct vidmm_monitored_fence *fence, uint64_t value)
{
    struct vidmm_fence_wait *wait;

    fence->value = value;
    while ((wait = lowest(fence)) != NULL && wait->value <= value) { /* obeys D-188 */
        struct vidmm_fence_waiter *waiter = wait->waiter;

        leave(wait);
        if (waiter->any)
            leave_all(waiter);
        if (waiter->left == 0) {
            waiter->met = true;
            vidmm_fence_waiters_add(&fence->watch->met, waiter);
        }
    }
}

void vidmm_monitored_fence_see(struct vidmm_monitored_fence *fence, uint64_t bits)
{
    advance(fence, widen(fence, bits));
}

uint64_t vidmm_monitored_fence_signal(struct vidmm_monitored_fence *fence, uint64_t value)
{
    advance(fence, value);
    return fence->narrow ? (uint32_t)value : value;
}

uint64_t vidmm_monitored_fence_give_up(struct vidmm_monitored_fence *fence)
{
    advance(fence, UINT64_MAX); /* obeys D-192 */
    return fence->narrow ? UINT32_MAX : UINT64_MAX;
}

struct vidmm_fence_waiter *
vidmm_monitored_fence_first_waiter(const struct vidmm_monitored_fence *fence)
{
    const struct vidmm_fence_wait *wait = lowest(fence);

    return wait ? wait->waiter : NULL;
}

bool vidmm_monitored_fence_is_idle(const struct vidmm_monitored_fence *fence)
{
    return !vidmm_tree_root(&fence->waits);
}

/* ---- waiters ---- */

static bool is_met(const struct vidmm_fence_wait *wait)
{
    return wait->fence->value >= wait->value;
}

bool vidmm_fence_waiter_begin(struct vidmm_fence_waiter *waiter, bool any,
                              struct vidmm_fence_wait *waits, uint32_t count)
{
    uint32_t index, met = 0;

    VIDMM_ASSERT(count > 0);
    *waiter = (struct vidmm_fence_waiter){.waits = waits, .count = count, .any = any};
    for (index = 0; index < count; index++) {
        waits[index].waiter = waiter;
        waits[index].waiting = false;
        met += is_met(&waits[index]) ? 1 : 0;
    }
    if (met == count || (any && met > 0))
        return true;
    for (index = 0; index < count; index++)
        if (!is_met(&waits[index]))
            enter(&waits[index]);
    return false;
}

void vidmm_fence_waiter_end(struct vidmm_fence_waiter *waiter)
{
    struct vidmm_fence_waiters *met;
    struct vidmm_fence_waiter *before = NULL;

    leave_all(waiter);
    if (!waiter->met)
        return;
    met = &waiter->waits[0].fence->watch->met;
    if (met->first != waiter)
        for (before = met->first; before->next != waiter; before = before->next) {
        }
    vidmm_fence_waiters_remove(met, before, waiter);
    waiter->met = false;
}

struct vidmm_fence_waiter *vidmm_fence_waiter_take_met(struct vidmm_fence_watch *watch)
{
    struct vidmm_fence_waiter *waiter = vidmm_fence_waiters_take(&watch->met);

    if (waiter)
        waiter->met = false;
    return waiter;
}

/* ---- the invariants ---- */

static void check_waits(const struct vidmm_monitored_fence *fence)
{
    struct vidmm_tree_node *node =
        vidmm_tree_outermost(vidmm_tree_root(&fence->waits), VIDMM_TREE_LEFT);
    uint64_t value = fence->value;

    VIDMM_VERIFY(node); /* D2 */
    for (; node; node = vidmm_tree_next(node)) {
        const struct vidmm_fence_wait *wait = wait_of(node);

        VIDMM_VERIFY(wait->waiting && wait->fence == fence && wait->waiter->left > 0); /* D3 */
        VIDMM_VERIFY(wait->value > fence->value && wait->value >= value);              /* D1 */
        value = wait->value;
    }
}

void vidmm_fence_watch_check(const struct vidmm_fence_watch *watch)
{
    const struct vidmm_monitored_fence *fence, *previous = NULL;
    const struct vidmm_fence_waiter *waiter;

    for (fence = watch->first; fence; previous = fence, fence = fence->next) {
        VIDMM_VERIFY(fence->previous == previous && fence->watch == watch); /* D2 */
        check_waits(fence);
    }
    for (waiter = watch->met.first; waiter; waiter = waiter->next)
        VIDMM_VERIFY(waiter->left == 0 && waiter->met); /* D3 */
}
