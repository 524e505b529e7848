/* queue.h: things one behind the other, in the order in which they came.
 *
 *     first                                 last
 *       |                                     |
 *       v                                     v
 *     [ a | next ] ----> [ b | next ] ----> [ c | NULL ]          take: at the first
 *                                                                 add: behind the last
 *
 * The link is a member of what is queued, so that adding allocates nothing and cannot fail. A thing
 * is in one queue at a time by one link. A queue of zeros is empty.
 *
 *     VIDMM_QUEUE(name, type, link)
 *
 * declares `struct name` and its functions, for things of `type` that are linked by their member
 * `link`. A walk over a queue follows `first` and the link; only the functions change it. If `type`
 * is not complete yet, VIDMM_QUEUE_STRUCT declares the structure, and VIDMM_QUEUE_FUNCTIONS defines
 * the functions later, when `type` is complete.
 *
 *     name_add(queue, item)            behind the last
 *     name_take(queue)                 the first, which is in the queue no longer; NULL: none is
 *     name_remove(queue, before, item) out of the middle: `before` is the one before it, NULL: it
 *                                      is the first
 *     name_join(queue, other)          all of `other` behind the last; `other` is empty then
 */
#ifndef VIDMM_BASE_QUEUE_H
#define VIDMM_BASE_QUEUE_H

#include <stddef.h>

#include "base/assert.h"

/* Declared in a header and not all used: that is no mistake. */
#define VIDMM_QUEUE_FUNCTION static inline __attribute__((unused))

#define VIDMM_QUEUE_STRUCT(name, type)                                                             \
    struct name {                                                                                  \
        type *first, *last;                                                                        \
    }

#define VIDMM_QUEUE_FUNCTIONS(name, type, link)                                                    \
    VIDMM_QUEUE_FUNCTION void name##_add(struct name *queue, type *item)                           \
    {                                                                                              \
        VIDMM_ASSERT((queue->first == NULL) == (queue->last == NULL));                             \
        item->link = NULL;                                                                         \
        if (queue->last)                                                                           \
            queue->last->link = item;                                                              \
        else                                                                                       \
            queue->first = item;                                                                   \
        queue->last = item;                                                                        \
    }                                                                                              \
                                                                                                   \
    VIDMM_QUEUE_FUNCTION void name##_remove(struct name *queue, type *before, type *item)          \
    {                                                                                              \
        VIDMM_ASSERT(item == (before ? before->link : queue->first));                              \
        if (before)                                                                                \
            before->link = item->link;                                                             \
        else                                                                                       \
            queue->first = item->link;                                                             \
        if (queue->last == item)                                                                   \
            queue->last = before;                                                                  \
        item->link = NULL;                                                                         \
    }                                                                                              \
                                                                                                   \
    VIDMM_QUEUE_FUNCTION type *name##_take(struct name *queue)                                     \
    {                                                                                              \
        type *item = queue->first;                                                                 \
                                                                                                   \
        if (item)                                                                                  \
            name##_remove(queue, NULL, item);                                                      \
        return item;                                                                               \
    }                                                                                              \
                                                                                                   \
    VIDMM_QUEUE_FUNCTION void name##_join(struct name *queue, struct name *other)                  \
    {                                                                                              \
        VIDMM_ASSERT(queue != other);                                                              \
        if (!other->first)                                                                         \
            return;                                                                                \
        if (queue->last)                                                                           \
            queue->last->link = other->first;                                                      \
        else                                                                                       \
            queue->first = other->first;                                                           \
        queue->last = other->last;                                                                 \
        other->first = other->last = NULL;                                                         \
    }                                                                                              \
    struct name

#define VIDMM_QUEUE(name, type, link)                                                              \
    VIDMM_QUEUE_STRUCT(name, type);                                                                \
    VIDMM_QUEUE_FUNCTIONS(name, type, link)

#endif
