/*
 * table.c: see wdm_table.h. A tree without balance would do for the documents; a tree of random
 * priorities (a heap by priority, in order by comparison) needs no more code and stays shallow.
 *
 * T1  Each node comes after all left of it and before all right of it, by CompareRoutine.
 * T2  No node has a lower priority than its parent's.
 */
#include "kit/state.h"

#include <kit/wdm_table.h>

/* The header in front of an element. */
struct node {
    struct node *parent, *left, *right;
    uint32_t priority;
};

static void *element_of(struct node *node)
{
    return node != NULL ? node + 1 : NULL;
}

static struct node *root_of(const RTL_AVL_TABLE *table)
{
    return (struct node *)(void *)table->BalancedRoot.RightChild;
}

/* The place that points to a node. */
static struct node **place_of(PRTL_AVL_TABLE table, struct node *node)
{
    if (node->parent == NULL)
        return (struct node **)(void *)&table->BalancedRoot.RightChild;
    return node->parent->left == node ? &node->parent->left : &node->parent->right;
}

/* A node takes its parent's place, which becomes its child (T1 holds on). */
static void rotate(PRTL_AVL_TABLE table, struct node *node)
{
    struct node *parent = node->parent, **place = place_of(table, parent), *child;

    if (parent->left == node) {
        child = parent->left = node->right;
        node->right = parent;
    } else {
        child = parent->right = node->left;
        node->left = parent;
    }
    if (child != NULL)
        child->parent = parent;
    node->parent = parent->parent;
    parent->parent = node;
    *place = node;
}

/* The node that is equal, or the one below which it would be; *result: which of the two. */
static struct node *search(PRTL_AVL_TABLE table, PVOID buffer, RTL_GENERIC_COMPARE_RESULTS *result)
{
    struct node *node = root_of(table), *last = NULL;

    *result = GenericLessThan;
    while (node != NULL) {
        last = node;
        *result = table->CompareRoutine(table, buffer, element_of(node));
        if (*result == GenericEqual)
            break;
        node = *result == GenericLessThan ? node->left : node->right;
    }
    return last;
}

VOID RtlInitializeGenericTableAvl(PRTL_AVL_TABLE table, PRTL_AVL_COMPARE_ROUTINE compare,
                                  PRTL_AVL_ALLOCATE_ROUTINE allocate, PRTL_AVL_FREE_ROUTINE give,
                                  PVOID context)
{
    IRQL_MAX(DISPATCH_LEVEL);
    *table = (RTL_AVL_TABLE){.CompareRoutine = compare,
                             .AllocateRoutine = allocate,
                             .FreeRoutine = give,
                             .TableContext = context};
}

static uint32_t priority(void)
{
    static _Atomic uint32_t seed = 2463534242u;
    uint32_t x = seed;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    seed = x;
    return x;
}

PVOID RtlInsertElementGenericTableAvl(PRTL_AVL_TABLE table, PVOID buffer, ULONG size,
                                      PBOOLEAN fresh)
{
    RTL_GENERIC_COMPARE_RESULTS result;
    struct node *at = search(table, buffer, &result);
    bool there = at != NULL && result == GenericEqual;

    if (fresh != NULL)
        *fresh = !there;
    if (there)
        return element_of(at);
    struct node *node = table->AllocateRoutine(table, size + (ULONG)sizeof(*node));
    if (node == NULL) {
        if (fresh != NULL)
            *fresh = FALSE;
        return NULL;
    }
    *node = (struct node){.parent = at, .priority = priority()};
    memcpy(node + 1, buffer, size);
    if (at == NULL)
        table->BalancedRoot.RightChild = (PRTL_BALANCED_LINKS)(void *)node;
    else
        *(result == GenericLessThan ? &at->left : &at->right) = node;
    while (node->parent != NULL && node->priority < node->parent->priority) /* T2 */
        rotate(table, node);
    table->NumberGenericTableElements++;
    return element_of(node);
}

BOOLEAN RtlDeleteElementGenericTableAvl(PRTL_AVL_TABLE table, PVOID buffer)
{
    RTL_GENERIC_COMPARE_RESULTS result;
    struct node *node = search(table, buffer, &result);

    if (node == NULL || result != GenericEqual)
        return FALSE;
    while (node->left != NULL && node->right != NULL) /* down, until it has one child */
        rotate(table, node->left->priority < node->right->priority ? node->left : node->right);
    struct node *child = node->left != NULL ? node->left : node->right;
    *place_of(table, node) = child;
    if (child != NULL)
        child->parent = node->parent;
    table->NumberGenericTableElements--;
    table->DeleteCount++;
    table->OrderedPointer = NULL;
    table->FreeRoutine(table, node);
    return TRUE;
}

PVOID RtlLookupElementGenericTableAvl(PRTL_AVL_TABLE table, PVOID buffer)
{
    RTL_GENERIC_COMPARE_RESULTS result;
    struct node *node = search(table, buffer, &result);

    return node != NULL && result == GenericEqual ? element_of(node) : NULL;
}

/* ---- in order ---- */

static struct node *first_of(PRTL_AVL_TABLE table)
{
    struct node *node = root_of(table);

    while (node != NULL && node->left != NULL)
        node = node->left;
    return node;
}

static struct node *next_of(struct node *node)
{
    if (node->right != NULL) {
        for (node = node->right; node->left != NULL;)
            node = node->left;
        return node;
    }
    while (node->parent != NULL && node->parent->right == node)
        node = node->parent;
    return node->parent;
}

PVOID RtlEnumerateGenericTableWithoutSplayingAvl(PRTL_AVL_TABLE table, PVOID *key)
{
    struct node *node = *key != NULL ? next_of(*key) : first_of(table);

    if (node != NULL)
        *key = node;
    return element_of(node);
}

PVOID RtlEnumerateGenericTableAvl(PRTL_AVL_TABLE table, BOOLEAN restart)
{
    PVOID key = restart ? NULL : table->RestartKey;
    PVOID element = RtlEnumerateGenericTableWithoutSplayingAvl(table, &key);

    table->RestartKey = key;
    return element;
}

PVOID RtlGetElementGenericTableAvl(PRTL_AVL_TABLE table, ULONG index)
{
    struct node *node = first_of(table);

    while (node != NULL && index-- > 0)
        node = next_of(node);
    return element_of(node);
}

ULONG RtlNumberGenericTableElementsAvl(PRTL_AVL_TABLE table)
{
    return table->NumberGenericTableElements;
}

BOOLEAN RtlIsGenericTableEmptyAvl(PRTL_AVL_TABLE table)
{
    return table->NumberGenericTableElements == 0;
}

/* ---- once: 0, 1 while it is done, then the context and 2 ---- */

VOID RtlRunOnceInitialize(PRTL_RUN_ONCE once)
{
    IRQL_MAX(APC_LEVEL);
    once->Ptr = NULL;
}

NTSTATUS RtlRunOnceExecuteOnce(PRTL_RUN_ONCE once, PRTL_RUN_ONCE_INIT_FN routine, PVOID parameter,
                               PVOID *context)
{
    NTSTATUS status = STATUS_SUCCESS;
    PVOID made = NULL;

    IRQL_MAX(APC_LEVEL);
    vidmm_kit_lock_dispatcher();
    while ((uintptr_t)once->Ptr == 1)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    bool first = once->Ptr == NULL;
    if (first)
        once->Ptr = (PVOID)(uintptr_t)1;
    vidmm_kit_unlock_dispatcher();
    if (first) {
        status = routine(once, parameter, &made) ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
        vidmm_kit_lock_dispatcher();
        once->Ptr = NT_SUCCESS(status) ? (PVOID)((uintptr_t)made | 2) : NULL;
        pthread_cond_broadcast(&vidmm_kit_kernel.changed);
        vidmm_kit_unlock_dispatcher();
    }
    if (NT_SUCCESS(status) && context != NULL)
        *context = (PVOID)((uintptr_t)once->Ptr & ~(uintptr_t)3);
    return status;
}
