/* rename.c: several instances of one allocation.
 *
 * N1  count is the current instance and the spares; 1 <= count <= most
 * N2  spares are in the order in which they were renamed away: the first is the one whose uses are
 *     over soonest, as far as anybody knows
 * N3  nothing is unmade that has a use that is not submitted: its commands would name what is gone
 */
#include <umd/rename.h>

#include <stddef.h>

#include <vidmm/memory.h>
#include <wddm/ntstatus.h>

#include "umd/refuse.h"

#define ANY_USE (UMD_READ | UMD_WRITE)

/* ---- instances ------------------------------------------------------------------------------- */

static NTSTATUS make(struct umd_pool *pool, struct umd_instance **made, struct vidmm_report *report)
{
    const struct umd_pool_options *o = &pool->options;
    struct umd_instance *instance = o->memory->allocate(o->memory->context, sizeof(*instance));

    if (instance == NULL)
        return umd_refuse(report, STATUS_NO_MEMORY, "pool: no memory for an instance");
    NTSTATUS status = o->maker->make(o->maker->context, instance, report);
    if (status != STATUS_SUCCESS) {
        o->memory->free(o->memory->context, instance);
        return status;
    }
    pool->count++;
    *made = instance;
    return status;
}

static void unmake(struct umd_pool *pool, struct umd_instance *instance)
{
    const struct umd_pool_options *o = &pool->options;

    o->maker->unmake(o->maker->context, instance);
    o->memory->free(o->memory->context, instance);
    pool->count--;
}

/* ---- spares ---------------------------------------------------------------------------------- */

/* Take a spare out, which stands behind `before` (NULL: it is the first). */
static struct umd_instance *take(struct umd_pool *pool, struct umd_instance *before)
{
    struct umd_instance **link = before != NULL ? &before->next : &pool->spares;
    struct umd_instance *spare = *link;

    *link = spare->next;
    if (pool->last_spare == spare)
        pool->last_spare = before;
    spare->next = NULL;
    return spare;
}

/* N2 */
static void rename_to(struct umd_pool *pool, struct umd_instance *instance)
{
    struct umd_instance *away = pool->current;

    away->next = NULL;
    *(pool->last_spare != NULL ? &pool->last_spare->next : &pool->spares) = away;
    pool->last_spare = away;
    pool->current = instance;
    pool->renames++;
}

/* Take the first idle spare out; NULL: there is none. *used: spares that are in use. */
static struct umd_instance *take_idle(struct umd_pool *pool, uint32_t *used)
{
    struct umd_instance *before = NULL, *found_behind = NULL;
    bool found = false;

    *used = 0;
    for (struct umd_instance *spare = pool->spares; spare != NULL; spare = spare->next) {
        if (umd_track_is_busy(pool->options.queues, &spare->track, ANY_USE)) {
            ++*used;
        } else if (!found) {
            found = true;
            found_behind = before;
        }
        before = spare;
    }
    return found ? take(pool, found_behind) : NULL;
}

/* ---- discards -------------------------------------------------------------------------------- */

/* Without memory the pool has to do with what it has. */
static bool is_shortage(NTSTATUS status)
{
    return status == STATUS_NO_MEMORY || status == STATUS_GRAPHICS_NO_VIDEO_MEMORY;
}

/* Wait for the instance that is free soonest, and make it the current one. */
static NTSTATUS wait_for_one(struct umd_pool *pool, bool wait, struct vidmm_report *report)
{
    struct umd_instance *spare = pool->spares;
    const struct umd_instance *awaited = spare != NULL ? spare : pool->current;
    NTSTATUS status = umd_track_wait(pool->options.queues, &awaited->track, ANY_USE, wait, report);

    if (status == STATUS_SUCCESS && spare != NULL)
        rename_to(pool, take(pool, NULL));
    return status;
}

/* The current instance is used: have another. */
static NTSTATUS rename(struct umd_pool *pool, bool wait, uint32_t *used,
                       struct vidmm_report *report)
{
    struct umd_instance *instance = take_idle(pool, used);

    if (instance == NULL && pool->count < pool->options.most) {
        NTSTATUS status = make(pool, &instance, report);

        if (status != STATUS_SUCCESS && !is_shortage(status))
            return status;
    }
    if (instance == NULL)
        return wait_for_one(pool, wait, report);
    rename_to(pool, instance);
    return STATUS_SUCCESS;
}

/* Another discard is behind it, with so many instances in use. */
static void count_discard(struct umd_pool *pool, uint32_t used)
{
    if (used > pool->used_at_once)
        pool->used_at_once = used;
    if (++pool->discards < UMD_RENAME_PERIOD)
        return;
    umd_pool_trim(pool, pool->used_at_once);
    pool->discards = 0;
    pool->used_at_once = 0;
}

NTSTATUS umd_pool_discard(struct umd_pool *pool, bool wait, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t used = 1; /* the one that the CPU writes next */

    if (umd_track_is_busy(pool->options.queues, &pool->current->track, ANY_USE)) {
        status = rename(pool, wait, &used, report);
        used += 2; /* the one that was current, and the one that is */
    }
    if (status == STATUS_SUCCESS)
        count_discard(pool, used);
    return status;
}

/* ---- the pool -------------------------------------------------------------------------------- */

NTSTATUS umd_pool_init(struct umd_pool *pool, const struct umd_pool_options *options,
                       struct vidmm_report *report)
{
    if (options->most == 0)
        return umd_refuse(report, STATUS_INVALID_PARAMETER, "most: 0, expected 1 or more");
    *pool = (struct umd_pool){.options = *options};
    return make(pool, &pool->current, report);
}

void umd_pool_finish(struct umd_pool *pool)
{
    while (pool->spares != NULL)
        unmake(pool, take(pool, NULL));
    if (pool->current != NULL)
        unmake(pool, pool->current);
    pool->current = NULL;
}

uint32_t umd_pool_trim(struct umd_pool *pool, uint32_t keep)
{
    struct umd_instance *before = NULL, *spare = pool->spares;
    uint32_t gone = 0;

    while (spare != NULL && pool->count > 1 && pool->count > keep) {
        struct umd_instance *next = spare->next;

        if (umd_track_is_submitted(pool->options.queues, &spare->track)) { /* N3 */
            unmake(pool, take(pool, before));
            gone++;
        } else {
            before = spare;
        }
        spare = next;
    }
    return gone;
}
