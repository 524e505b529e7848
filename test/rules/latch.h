/* latch.h: a thread that waits for what another does, where a sleep would only make it likely.
 *
 * Waits end after half a minute all the same, with the answer false: the awaited event is kept from
 * happening.
 */
#ifndef TEST_RULES_LATCH_H
#define TEST_RULES_LATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct latch {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open;
};

static inline void latch_init(struct latch *latch)
{
    pthread_mutex_init(&latch->mutex, NULL);
    pthread_cond_init(&latch->opened, NULL);
    latch->open = false;
}

static inline void latch_open(struct latch *latch)
{
    pthread_mutex_lock(&latch->mutex);
    latch->open = true;
    pthread_cond_broadcast(&latch->opened);
    pthread_mutex_unlock(&latch->mutex);
}

static inline bool latch_await(struct latch *latch)
{
    struct timespec end;
    bool open;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&latch->mutex);
    while (!latch->open && pthread_cond_timedwait(&latch->opened, &latch->mutex, &end) == 0) {
    }
    open = latch->open;
    pthread_mutex_unlock(&latch->mutex);
    return open;
}

#endif
