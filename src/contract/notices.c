/* notices.c: the reports at interrupt time, in a list that needs no lock. */
#include "contract/notices.h"

#include <sched.h>

void vidmm_notices_init(struct vidmm_notices *notices)
{
    for (size_t i = 0; i < VIDMM_NOTICES; i++)
        atomic_init(&notices->cells[i].turn, i);
    atomic_init(&notices->tail, 0);
    notices->head = 0;
}

bool vidmm_notices_push(struct vidmm_notices *notices, const struct vidmm_notice *notice)
{
    size_t position = atomic_load_explicit(&notices->tail, memory_order_relaxed);

    for (;;) {
        size_t i = position & (VIDMM_NOTICES - 1);
        size_t turn = atomic_load_explicit(&notices->cells[i].turn, memory_order_acquire);
        if (turn == position) {
            if (!atomic_compare_exchange_weak_explicit(&notices->tail, &position, position + 1,
                                                       memory_order_relaxed, memory_order_relaxed))
                continue;
            notices->cells[i].notice = *notice;
            atomic_store_explicit(&notices->cells[i].turn, position + 1, memory_order_release);
            return true;
        }
        if (turn < position)
            return false; /* the cell still holds what was put there a round ago */
        position = atomic_load_explicit(&notices->tail, memory_order_relaxed);
    }
}

bool vidmm_notices_pop(struct vidmm_notices *notices, struct vidmm_notice *notice)
{
    size_t i = notices->head & (VIDMM_NOTICES - 1);

    if (atomic_load_explicit(&notices->tail, memory_order_acquire) == notices->head)
        return false;
    while (atomic_load_explicit(&notices->cells[i].turn, memory_order_acquire) != notices->head + 1)
        sched_yield();
    *notice = notices->cells[i].notice;
    atomic_store_explicit(&notices->cells[i].turn, notices->head + VIDMM_NOTICES,
                          memory_order_release);
    notices->head++;
    return true;
}
