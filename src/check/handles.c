/* handles.c: a tree of the handles that live.
 *
 * H1  a handle is in the tree once, and `count` says how many allocations have it
 */
#include "check/handles.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "check/board.h"

struct live {
    HANDLE handle;
    unsigned count;
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *root;

static int compare(const void *a, const void *b)
{
    const struct live *left = a, *right = b;

    return (left->handle > right->handle) - (left->handle < right->handle);
}

/* Count a handle, and answer how many have it; 0: no memory to count. */
static unsigned add(HANDLE handle)
{
    struct live wanted = {handle, 0}, **found, *made;

    found = tfind(&wanted, &root, compare);
    if (found)
        return ++(*found)->count;
    made = malloc(sizeof(*made));
    if (!made)
        return 0;
    *made = (struct live){handle, 1};
    if (tsearch(made, &root, compare))
        return 1;
    free(made);
    return 0;
}

static void take(HANDLE handle)
{
    struct live wanted = {handle, 0}, **found = tfind(&wanted, &root, compare), *live;

    if (!found || --(*found)->count > 0)
        return;
    live = *found;
    tdelete(live, &root, compare);
    free(live);
}

void vidmm_handles_made(struct vidmm_board *board, const DXGKARG_CREATEALLOCATION *made)
{
    for (UINT i = 0; i < made->NumAllocations; i++) {
        HANDLE handle = made->pAllocationInfo[i].hAllocation;
        unsigned count;

        if (!handle)
            continue;
        pthread_mutex_lock(&guard);
        count = add(handle);
        pthread_mutex_unlock(&guard);
        if (count > 1)
            vidmm_check_find(board, VIDMM_CHECK_HANDLE, NULL,
                             "hAllocation %p is the handle of %u allocations that live", handle,
                             count);
    }
}

void vidmm_handles_gone(const DXGKARG_DESTROYALLOCATION *gone)
{
    pthread_mutex_lock(&guard);
    for (UINT i = 0; i < gone->NumAllocations; i++)
        take(gone->pAllocationList[i]);
    pthread_mutex_unlock(&guard);
}

void vidmm_handles_forget(void)
{
    pthread_mutex_lock(&guard);
    tdestroy(root, free);
    root = NULL;
    pthread_mutex_unlock(&guard);
}
