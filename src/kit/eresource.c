/* eresource.c: resources: any number of threads shared, or one exclusive, each as often as it
 * likes.
 *
 *     ERESOURCE --- KitExclusive, KitOwner   how often the owner took it
 *               --- KitShared                how often all holders took it
 *     holds     --- a row a thread and resource that it holds shared: how often
 *
 * All is under the dispatcher's mutex.
 *
 * I1  KitShared is the sum of its rows. KitShared or KitExclusive is 0, or both are.
 */
#include "kit/state.h"

#define RESOURCE_MARK 0x65726573u

struct hold {
    struct hold *next;
    const ERESOURCE *resource;
    const struct _KTHREAD *thread;
    ULONG count;
};

static struct hold *holds;

static struct hold **find(const ERESOURCE *resource, const struct _KTHREAD *thread)
{
    struct hold **at = &holds;

    while (*at && ((*at)->resource != resource || (*at)->thread != thread))
        at = &(*at)->next;
    return at;
}

static void hold_shared(PERESOURCE resource, const struct _KTHREAD *thread)
{
    struct hold *hold = *find(resource, thread);

    if (!hold) {
        hold = calloc(1, sizeof(*hold));
        if (!hold)
            abort();
        *hold = (struct hold){holds, resource, thread, 0};
        holds = hold;
    }
    hold->count++;
    resource->KitShared++;
}

static bool drop_shared(PERESOURCE resource, const struct _KTHREAD *thread)
{
    struct hold **at = find(resource, thread), *hold = *at;

    if (!hold)
        return false;
    resource->KitShared--;
    if (--hold->count == 0) {
        *at = hold->next;
        free(hold);
    }
    return true;
}

static void forget(const ERESOURCE *resource)
{
    for (struct hold **at = &holds; *at;) {
        struct hold *hold = *at;

        if (hold->resource == resource) {
            *at = hold->next;
            free(hold);
        } else {
            at = &hold->next;
        }
    }
}

void vidmm_kit_eresources_stop(void)
{
    vidmm_kit_lock_dispatcher();
    while (holds)
        forget(holds->resource);
    vidmm_kit_unlock_dispatcher();
}

NTSTATUS ExInitializeResourceLite(PERESOURCE resource)
{
    vidmm_kit_lock_dispatcher();
    forget(resource); /* one that was there and was never deleted */
    vidmm_kit_unlock_dispatcher();
    memset(resource, 0, sizeof(*resource));
    resource->KitMark = RESOURCE_MARK;
    return STATUS_SUCCESS;
}

NTSTATUS ExDeleteResourceLite(PERESOURCE resource)
{
    if (resource->KitMark != RESOURCE_MARK)
        vidmm_kit_find(CALLER, VIDMM_KIT_NOT_INITIALIZED, "ExDeleteResourceLite: %p",
                       (void *)resource);
    else if (resource->KitShared || resource->KitExclusive)
        vidmm_kit_find(CALLER, VIDMM_KIT_FREED_IN_USE, "ExDeleteResourceLite: %p is held",
                       (void *)resource);
    resource->KitMark = 0;
    vidmm_kit_lock_dispatcher();
    forget(resource);
    vidmm_kit_unlock_dispatcher();
    return STATUS_SUCCESS;
}

/* A thread that holds it gets it again as it is; others wait behind any thread that waits for
 * exclusive use. */
static bool may_have(const ERESOURCE *resource, bool exclusive, const struct _KTHREAD *me)
{
    if (resource->KitExclusive)
        return resource->KitOwner == me;
    if (exclusive)
        return resource->KitShared == 0;
    return resource->KitWaiting == 0 || *find(resource, me);
}

static BOOLEAN acquire(const void *caller, PERESOURCE resource, bool exclusive, BOOLEAN wait,
                       const char *routine)
{
    struct _KTHREAD *me = vidmm_kit_thread();

    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    if (resource->KitMark != RESOURCE_MARK) {
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "%s: %p", routine, (void *)resource);
        return FALSE;
    }
    vidmm_kit_lock_dispatcher();
    if (exclusive && wait && *find(resource, me)) {
        vidmm_kit_unlock_dispatcher();
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_TAKEN_TWICE,
                       "%s: %p, which this thread holds shared: it waits for itself", routine,
                       (void *)resource);
        return FALSE;
    }
    resource->KitWaiting += exclusive;
    while (!may_have(resource, exclusive, me) && wait)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    bool have = may_have(resource, exclusive, me);
    resource->KitWaiting -= exclusive;
    if (have && (exclusive || resource->KitExclusive)) {
        resource->KitExclusive++;
        resource->KitOwner = me;
    } else if (have) {
        hold_shared(resource, me);
    }
    if (exclusive) /* threads that waited behind it may look again */
        pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    return have;
}

BOOLEAN ExAcquireResourceExclusiveLite(PERESOURCE resource, BOOLEAN wait)
{
    return acquire(CALLER, resource, true, wait, "ExAcquireResourceExclusiveLite");
}

BOOLEAN ExAcquireResourceSharedLite(PERESOURCE resource, BOOLEAN wait)
{
    return acquire(CALLER, resource, false, wait, "ExAcquireResourceSharedLite");
}

VOID ExReleaseResourceLite(PERESOURCE resource)
{
    struct _KTHREAD *me = vidmm_kit_thread();
    bool held = true;

    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    if (resource->KitExclusive && resource->KitOwner == me)
        resource->KitExclusive--;
    else
        held = drop_shared(resource, me);
    if (resource->KitExclusive == 0)
        resource->KitOwner = NULL;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (!held)
        vidmm_kit_find(CALLER, VIDMM_KIT_LOCK_NOT_HELD, "ExReleaseResourceLite: %p",
                       (void *)resource);
}

BOOLEAN ExIsResourceAcquiredExclusiveLite(PERESOURCE resource)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    bool mine = resource->KitExclusive && resource->KitOwner == (PVOID)vidmm_kit_thread();
    vidmm_kit_unlock_dispatcher();
    return mine;
}

/* How often the caller has it, in either way. */
ULONG ExIsResourceAcquiredSharedLite(PERESOURCE resource)
{
    struct _KTHREAD *me = vidmm_kit_thread();

    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    const struct hold *hold = *find(resource, me);
    ULONG count = resource->KitOwner == me ? (ULONG)resource->KitExclusive : hold ? hold->count : 0;
    vidmm_kit_unlock_dispatcher();
    return count;
}

NTSTATUS ExReinitializeResourceLite(PERESOURCE resource)
{
    NTSTATUS status = ExDeleteResourceLite(resource);

    return status == STATUS_SUCCESS ? ExInitializeResourceLite(resource) : status;
}
