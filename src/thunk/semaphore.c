/* semaphore.c: counts, and turns that have come and wait for them.
 *
 * A grant is a signal of a fence by the CPU. It is made without the mutex, because it lets a queue
 * go on, and the next turn of that queue may come inside of it, on the same thread. One thread
 * grants at a time; what comes meanwhile is seen by it before it ends.
 *
 * Invariants:
 *   SE1  a turn in `waiting` has come, is a wait, and was neither granted nor forgotten.
 *   SE2  while `granting`, nobody else takes a turn out to grant it; `granted` is the one whose
 *        fence is being signaled, and its fence stays that long.
 *   SE3  an object has a reference of its handle, and one of each turn that names it.
 */
#include "thunk/semaphore.h"

#include <assert.h>
#include <stdlib.h>

#include <pthread.h>

#include <wddm/ntstatus.h>

struct vidmm_semaphore {
    struct vidmm_semaphores *all;
    uint32_t count, most, references;
    bool gone; /* it has no handle */
};

struct vidmm_turn {
    struct vidmm_turn *next; /* of those that wait, or that have not come */
    struct vidmm_semaphores *all;
    struct vidmm_turn_wish wish;
    bool forgotten;
};

struct vidmm_semaphores {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct vidmm_turn *coming;  /* have not come yet, in no order */
    struct vidmm_turn *waiting; /* in the order in which they came */
    struct vidmm_turn *granted;
    bool granting;
};

/* ---- all ------------------------------------------------------------------------------------- */

struct vidmm_semaphores *vidmm_semaphores_create(void)
{
    struct vidmm_semaphores *all = calloc(1, sizeof(*all));

    if (all == NULL)
        return NULL;
    if (pthread_mutex_init(&all->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_cond_init(&all->changed, NULL) == 0)
        return all;
    pthread_mutex_destroy(&all->mutex);
no_mutex:
    free(all);
    return NULL;
}

void vidmm_semaphores_destroy(struct vidmm_semaphores *all)
{
    if (all == NULL)
        return;
    pthread_mutex_lock(&all->mutex);
    while (all->coming != NULL || all->granting) /* a thread of the manager's is here still */
        pthread_cond_wait(&all->changed, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
    assert(all->waiting == NULL);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void unlink_turn(struct vidmm_turn **first, struct vidmm_turn *turn)
{
    while (*first != turn)
        first = &(*first)->next;
    *first = turn->next;
    turn->next = NULL;
}

/* With the mutex: SE3. */
static void drop(struct vidmm_semaphore *semaphore)
{
    assert(semaphore->references > 0);
    if (--semaphore->references == 0)
        free(semaphore);
}

/* With the mutex: a turn that is in no list. */
static void free_turn(struct vidmm_turn *turn)
{
    for (uint32_t i = 0; i < turn->wish.count; i++)
        drop(turn->wish.objects[i]);
    free(turn);
}

/* An object that is named several times is taken as often. */
static bool is_there(const struct vidmm_turn *turn)
{
    for (uint32_t i = 0; i < turn->wish.count; i++) {
        const struct vidmm_semaphore *semaphore = turn->wish.objects[i];
        uint32_t needed = 0;

        for (uint32_t j = 0; j <= i; j++)
            needed += turn->wish.objects[j] == semaphore;
        if (!semaphore->gone && semaphore->count < needed)
            return false;
    }
    return true;
}

static void take_objects(const struct vidmm_turn *turn)
{
    for (uint32_t i = 0; i < turn->wish.count; i++)
        if (!turn->wish.objects[i]->gone)
            turn->wish.objects[i]->count--;
}

static void give_objects(const struct vidmm_turn *turn)
{
    for (uint32_t i = 0; i < turn->wish.count; i++)
        if (turn->wish.objects[i]->count < turn->wish.objects[i]->most)
            turn->wish.objects[i]->count++;
}

static struct vidmm_turn *next_to_grant(const struct vidmm_semaphores *all)
{
    struct vidmm_turn *turn = all->waiting;

    while (turn != NULL && !is_there(turn))
        turn = turn->next;
    return turn;
}

/* With the mutex, which is given up meanwhile. obeys SE2 */
static void grant(struct vidmm_semaphores *all)
{
    struct vidmm_turn *turn;

    if (all->granting)
        return;
    all->granting = true;
    while ((turn = next_to_grant(all)) != NULL) {
        take_objects(turn);
        unlink_turn(&all->waiting, turn);
        all->granted = turn;
        pthread_mutex_unlock(&all->mutex);
        /* A device in error is refused: its queue is given up anyway. */
        vidmm_fence_signal(turn->wish.device, &turn->wish.grant, 1, NULL);
        pthread_mutex_lock(&all->mutex);
        all->granted = NULL;
        pthread_cond_broadcast(&all->changed);
        free_turn(turn);
    }
    all->granting = false;
}

/* The queue has come to it, or has ended before: what it would have given is given in any case. */
static void comes(void *argument, NTSTATUS status)
{
    struct vidmm_turn *turn = argument, **last;
    struct vidmm_semaphores *all = turn->all;

    pthread_mutex_lock(&all->mutex);
    unlink_turn(&all->coming, turn);
    if (turn->wish.waits && !turn->forgotten && status == STATUS_SUCCESS) {
        for (last = &all->waiting; *last != NULL;)
            last = &(*last)->next;
        *last = turn; /* SE1 */
    } else {
        if (!turn->wish.waits)
            give_objects(turn);
        free_turn(turn);
    }
    grant(all);
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

struct vidmm_turn *vidmm_turn_create(struct vidmm_semaphores *all,
                                     const struct vidmm_turn_wish *wish,
                                     struct vidmm_fence_notice *notice)
{
    struct vidmm_turn *turn = malloc(sizeof(*turn));

    if (turn == NULL)
        return NULL;
    pthread_mutex_lock(&all->mutex);
    *turn = (struct vidmm_turn){.next = all->coming, .all = all, .wish = *wish};
    all->coming = turn;
    for (uint32_t i = 0; i < wish->count; i++)
        wish->objects[i]->references++;
    pthread_mutex_unlock(&all->mutex);
    *notice = (struct vidmm_fence_notice){comes, turn};
    return turn;
}

void vidmm_turn_destroy(struct vidmm_turn *turn)
{
    struct vidmm_semaphores *all = turn->all;

    pthread_mutex_lock(&all->mutex);
    unlink_turn(&all->coming, turn);
    free_turn(turn);
    pthread_mutex_unlock(&all->mutex);
}

static bool is_of(const struct vidmm_turn *turn, const struct vidmm_device *device,
                  const struct vidmm_context *context)
{
    return turn->wish.device == device && (context == NULL || turn->wish.context == context);
}

void vidmm_turns_forget(struct vidmm_semaphores *all, const struct vidmm_device *device,
                        const struct vidmm_context *context)
{
    struct vidmm_turn *turn, *next;

    pthread_mutex_lock(&all->mutex);
    for (turn = all->coming; turn != NULL; turn = turn->next)
        turn->forgotten |= is_of(turn, device, context);
    for (turn = all->waiting; turn != NULL; turn = next) {
        next = turn->next;
        if (is_of(turn, device, context)) {
            unlink_turn(&all->waiting, turn);
            free_turn(turn);
        }
    }
    while (all->granted != NULL && is_of(all->granted, device, context))
        pthread_cond_wait(&all->changed, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
}

/* ---- objects --------------------------------------------------------------------------------- */

struct vidmm_semaphore *vidmm_semaphore_create(struct vidmm_semaphores *all, uint32_t count,
                                               uint32_t most)
{
    struct vidmm_semaphore *semaphore = malloc(sizeof(*semaphore));

    assert(most >= 1 && count <= most);
    if (semaphore != NULL)
        *semaphore =
            (struct vidmm_semaphore){.all = all, .count = count, .most = most, .references = 1};
    return semaphore;
}

void vidmm_semaphore_end(struct vidmm_semaphore *semaphore)
{
    struct vidmm_semaphores *all;

    if (semaphore == NULL)
        return;
    all = semaphore->all;
    pthread_mutex_lock(&all->mutex);
    semaphore->gone = true;
    drop(semaphore);
    grant(all);
    pthread_mutex_unlock(&all->mutex);
}

void vidmm_semaphore_take(struct vidmm_semaphore *semaphore)
{
    pthread_mutex_lock(&semaphore->all->mutex);
    semaphore->references++;
    pthread_mutex_unlock(&semaphore->all->mutex);
}

void vidmm_semaphore_release(struct vidmm_semaphore *semaphore)
{
    struct vidmm_semaphores *all = semaphore->all;

    pthread_mutex_lock(&all->mutex);
    drop(semaphore);
    pthread_mutex_unlock(&all->mutex);
}
